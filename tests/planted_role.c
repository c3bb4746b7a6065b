/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * planted_role.c - what defects that were planted in role/ went through: each test is
 * red under one of them.
 */
#include "lib/test.h"
#include "rocecc/role/reaction_point.h"
#include "rocecc/role/telemetry_path.h"

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
    (void)rocecc_packet_of(&d, rocecc_reader_of(b, b + sizeof b), &p);
    for (i = 0; i < 3; i++) {
        rocecc_reaction out;
        rocecc_reaction_point_step(&c, &s, &p, &e, &out);
        CHECK_EQ(out.verdict, ROCECC_REACTION_ORDINARY);
        CHECK(!out.listed);
        CHECK_EQ(source.level_e9, 1000000000);
    }
    c.ordinary_listed = true; /* then it is, and has one */
    for (i = 0; i < 2; i++) {
        rocecc_reaction out;
        rocecc_reaction_point_step(&c, &s, &p, &e, &out);
        CHECK_EQ(out.verdict,
                 i == 0 ? ROCECC_REACTION_ORDINARY : ROCECC_REACTION_LIMITED);
        CHECK(out.listed);
        CHECK_EQ(source.level_e9, 0);
    }
}

/*
 * INT 2.1: of what is not available all of its 4 bytes are ones. So the interfaces of
 * level 1 are, where the egress interface is 0xffff or does not fit; the largest that
 * there is stands beside the caller's ingress.
 */
TEST(planted_intmd_interfaces_are_not_there_as_one)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    uint32_t egress;
    for (egress = 0xfffe; egress <= 0x10000; egress++) {
        rocecc_hop h = ROCECC_ZERO;
        rocecc_intmd_node n;
        rocecc_intmd_node_init(&n);
        CHECK_EQ(rocecc_intmd_set(&n, ROCECC_INTMD_ITEM_INGRESS_ID, 7), ROCECC_OK);
        h.id = UINT64_C(5) << 32 | egress;
        h.valid = ROCECC_HOP_ID;
        rocecc_telemetry_intmd_store(&c, &h, &n);
        CHECK_EQ(n.word[0], 5);
        CHECK_EQ(n.word[1], egress == 0xfffe ? 0x0007fffe : UINT32_MAX);
    }
}

/*
 * One record, Hop Limit 0: the next node would have left itself out, and so nobody can
 * say that the path is whole, although every node writes a record.
 */
TEST(planted_ifa_without_a_hop_left_is_not_complete)
{
    uint8_t b[4 + 8 + 4 + 32] = {0x2f, 17, 0, 255, 0, 0, 0, 0, 0, 8};
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_ifa_config ifa = ROCECC_ZERO;
    rocecc_telemetry_path path;
    rocecc_hop hop[1];
    rocecc_ifa v;
    unsigned hops;
    c.every_node = true;
    ifa.protocol = 253;
    ifa.layout_a = 1; /* LNS 0 */
    b[15] = 8;        /* Current Length */
    for (hops = 0; hops < 2; hops++) {
        b[14] = (uint8_t)hops;
        CHECK_EQ(
            rocecc_ifa_parse(&ifa, rocecc_reader_of(b, b + sizeof b), sizeof b, &v),
            ROCECC_OK);
        CHECK_EQ(rocecc_telemetry_ifa_path(&c, &v, hop, 1, &path), ROCECC_OK);
        CHECK_EQ(path.n, 1);
        CHECK_EQ(path.complete, hops == 0 ? ROCECC_TELEMETRY_COMPLETE_UNKNOWN
                                          : ROCECC_TELEMETRY_COMPLETE_YES);
    }
}
