/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * planted_role.c - what defects that were planted in role/ went through: each test is
 * red under one of them.
 */
#include "lib/test.h"
#include "rocecc/role/flow_control.h"
#include "rocecc/role/reaction_point.h"
#include "rocecc/telemetry/path.h"

#include <string.h>

/*
 * A bucket of source_limit is of those that the list has: an ordinary CNP, which nobody
 * looks up, takes no token of the first entry's. So who sends CNPs without end, from
 * any address, does not silence the switch with tag 0.
 */
TEST(planted_who_is_not_on_the_list_takes_no_token)
{
    uint8_t b[60] = {0x45, 0,    0, 60, 0, 0,   0x40, 0, 64,   17,   0,
                     0,    192,  0, 2,  1, 192, 0,    2, 2,    0xc1, 0x23,
                     0x12, 0xb7, 0, 40, 0, 0,   0x81, 0, 0xff, 0xff, 0x40};
    rocecc_reaction_config c = ROCECC_ZERO;
    rocecc_domain d = ROCECC_ZERO;
    rocecc_acl_entry entry = ROCECC_ZERO;
    rocecc_acl access;
    rocecc_tokenbucket source;
    rocecc_reaction_event e;
    rocecc_reaction_point s;
    rocecc_packet p;
    uint32_t at, i;
    d.link = ROCECC_LINK_IP;
    c.source_limit.rate_per_s = 1;
    c.source_limit.burst = 1;
    entry.permit = 1; /* of ::/0, and its tag is 0 */
    CHECK_EQ(rocecc_acl_init(&access, &entry, 1, &at), ROCECC_ACL_ACCEPTED);
    CHECK_EQ(rocecc_reaction_point_init(&c, &d, &access), ROCECC_REACTION_ACCEPTED);
    s = rocecc_reaction_point_start(&c, 0);
    source = rocecc_tokenbucket_start(&c.source_limit, 0);
    memset(&e, 0, sizeof e);
    e.access = &access;
    e.sources = &source;
    e.n_sources = 1;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
    for (i = 0; i < 3; i++) {
        rocecc_reaction_result out;
        rocecc_reaction_point_step(&c, &s, &p, &e, &out);
        CHECK_EQ(out.verdict, ROCECC_REACTION_ORDINARY);
        CHECK(!out.listed);
        CHECK_EQ(source.level_e9, 1000000000);
    }
    c.ordinary_listed = true; /* then it is, and has one */
    for (i = 0; i < 2; i++) {
        rocecc_reaction_result out;
        rocecc_reaction_point_step(&c, &s, &p, &e, &out);
        CHECK_EQ(out.verdict,
                 i == 0 ? ROCECC_REACTION_ORDINARY : ROCECC_REACTION_RATE_LIMITED);
        CHECK(out.listed);
        CHECK_EQ(source.level_e9, 0);
    }
}

/* What is not IP has no DSCP, trusted or not: its class is that of its VLAN tag. */
TEST(planted_what_is_not_ip_has_the_class_of_its_tag)
{
    static const uint8_t b[60] = {2, 0, 0, 0,    0, 1,    2, 0, 0,
                                  0, 0, 2, 0x81, 0, 0xa0, 7, 8, 6}; /* ARP, PCP 5 */
    rocecc_flow_control_config c = ROCECC_ZERO;
    rocecc_pause_traffic x = ROCECC_ZERO;
    rocecc_domain d = ROCECC_ZERO;
    rocecc_packet p;
    c.trust_dscp = true;
    c.class_of[0] = 1;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.n_vlan, 1);
    rocecc_flow_control_priority(&c, &p, &x);
    CHECK_EQ(x.pfc_class, 5);
    CHECK_EQ(x.priority, 5);
}
