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

/* What a path of IFA with one record says, where every node writes one. */
static unsigned ifa_path(uint8_t hop_limit, uint8_t max_length)
{
    const uint8_t b[4 + 8 + 4 + 32] = {0x2f, 17, 0, max_length, 0, 0, 0,         0,
                                       0,    8,  0, 0,          0, 0, hop_limit, 8};
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_ifa_config ifa = ROCECC_ZERO;
    rocecc_telemetry_path path = {7, 7};
    rocecc_hop hop[1];
    rocecc_ifa v;
    c.every_node = true;
    ifa.protocol = 253;
    ifa.layout_a = 1; /* LNS 0 */
    CHECK_EQ(rocecc_ifa_parse(&ifa, rocecc_reader_of(b, b + sizeof b), sizeof b, &v),
             ROCECC_OK);
    CHECK_EQ(rocecc_telemetry_ifa_path(&c, &v, hop, 1, &path), ROCECC_OK);
    CHECK_EQ(path.n, 1);
    return path.complete;
}

/*
 * Without a hop left, or room for 8 words more, the next node would have left itself
 * out; so nobody can say that the path is whole.
 */
TEST(planted_ifa_without_room_for_one_more_is_not_complete)
{
    CHECK_EQ(ifa_path(1, 255), ROCECC_TELEMETRY_COMPLETE_YES);
    CHECK_EQ(ifa_path(0, 255), ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    CHECK_EQ(ifa_path(1, 16), ROCECC_TELEMETRY_COMPLETE_YES);
    CHECK_EQ(ifa_path(1, 15), ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
}

/* The same of INT-MD with so many nodes. */
static unsigned intmd_path(uint16_t instructions, uint8_t hop_ml, uint32_t n)
{
    static uint8_t b[12 + 1008];
    const uint8_t *end = b + 12 + (size_t)hop_ml * 4 * n;
    const rocecc_intmd_config md = ROCECC_ZERO;
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_telemetry_path path = {7, 7};
    static rocecc_hop hop[64];
    rocecc_intmd v;
    c.every_node = true;
    b[0] = 0x20;
    b[2] = hop_ml;
    rocecc_store16(b + 4, instructions);
    CHECK_EQ(rocecc_intmd_parse(&md, rocecc_reader_of(b, end), &v), ROCECC_OK);
    CHECK_EQ(rocecc_telemetry_intmd_path(&c, &v, hop, 64, &path), ROCECC_OK);
    CHECK_EQ(path.n, n);
    return path.complete;
}

/*
 * A body has 1020 bytes at most, of which 12 are the header: 42 nodes of 24 bytes fill
 * it. And one who does not know what is asked for (bits 9 to 14) may add nothing.
 */
TEST(planted_intmd_without_room_for_one_more_is_not_complete)
{
    unsigned bit;
    CHECK_EQ(intmd_path(0xd500, 6, 41), ROCECC_TELEMETRY_COMPLETE_YES);
    CHECK_EQ(intmd_path(0xd500, 6, 42), ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    /* 50 of 20 bytes leave 8, 22 of 44 leave 40 */
    CHECK_EQ(intmd_path(0xd400, 5, 49), ROCECC_TELEMETRY_COMPLETE_YES);
    CHECK_EQ(intmd_path(0xd400, 5, 50), ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    CHECK_EQ(intmd_path(0xff00, 11, 21), ROCECC_TELEMETRY_COMPLETE_YES);
    CHECK_EQ(intmd_path(0xff00, 11, 22), ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    for (bit = 7; bit < 16; bit++) {
        const bool known = bit < 9 || bit == 15;
        CHECK_EQ(intmd_path((uint16_t)(0x8000 | 1u << (15 - bit)), 2, 3),
                 known ? ROCECC_TELEMETRY_COMPLETE_YES
                       : ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
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

/*
 * Nodes as HPCC++ asks for them, by the Hop_Lim of each: 62, one that does not know it,
 * and 64. It falls by one at every node, as far as one sees; in 62, 63 and 65 it does
 * not.
 */
TEST(planted_a_node_without_hop_limit_hides_no_other)
{
    static const uint8_t limits[2][3] = {{62, 255, 64}, {62, 63, 65}};
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_ioam_config ioam = ROCECC_ZERO;
    unsigned i, k;
    c.every_node = true;
    ioam.tx_bytes_bit = 12;
    for (i = 0; i < 2; i++) {
        uint8_t b[8 + 60] = {0, 0, 5 << 3, 0, 0xd2, 0x08, 0, 0};
        rocecc_telemetry_path path = {7, 7};
        rocecc_ioam_option o;
        rocecc_ioam_view v;
        rocecc_hop hops[3];
        for (k = 0; k < 3; k++)
            b[8 + 20 * k] = limits[i][k];
        o.reserved = 0;
        o.opt_type = ROCECC_IOAM_PREALLOCATED;
        o.data = rocecc_reader_of(b, b + sizeof b);
        CHECK_EQ(rocecc_ioam_view_parse(&ioam, &o, &v), ROCECC_OK);
        CHECK_EQ(rocecc_telemetry_ioam_path(&c, &v, hops, 3, &path), ROCECC_OK);
        CHECK_EQ(path.n, 3);
        CHECK_EQ(path.complete,
                 i == 0 ? ROCECC_TELEMETRY_COMPLETE_YES : ROCECC_TELEMETRY_COMPLETE_NO);
    }
}
