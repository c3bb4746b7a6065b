/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * intmd_edges.c - INT-MD and IFA where a packet, a domain or a header says less than
 * usual: no IP, no probe marker, a number that is 0, a field that is full.
 */
#include "lib/frame.h"
#include "rocecc/packet/ifa.h"
#include "rocecc/packet/intmd.h"

#include <string.h>

#define SRC "20010db8 00000000 00000000 00000001"
#define DST "20010db8 00000000 00000000 00000002"

static rocecc_reader no_data(void)
{
    return rocecc_reader_of(NULL, NULL);
}

/* IPv4 without options; n bytes in all, of which the first 20 are written. */
static void ipv4(uint8_t *b, size_t n, uint8_t proto)
{
    memset(b, 0, n);
    b[0] = 0x45;
    rocecc_store16(b + 2, (uint16_t)n);
    b[8] = 64;
    b[9] = proto;
}

/* RoCEv1 has no IP, before whose payload a new UDP header could stand. */
TEST(intmd_no_new_udp_in_rocev1)
{
    static const rocecc_domain d = {.intmd = {.udp_port = 5000}};
    const test_frame x =
        frame_of("020000000001 020000000002 8915 60000000 00101b40" SRC DST
                 "0400ffff 00000012 00000000 00000000");
    const rocecc_packet p = frame_walked(&d, &x);
    rocecc_intmd_source s;
    rocecc_edit e;
    memset(&s, 0, sizeof s);
    s.mark = ROCECC_INTMD_MARK_NEW_UDP;
    s.mtu_bytes = 1500;
    s.header = rocecc_intmd_header_init(0x8000, 8);
    CHECK_EQ(p.headers.status, ROCECC_OK);
    CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_ROCEV1);
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, no_data(), &e), ROCECC_EDIT_NONE);
    CHECK_EQ(e.verdict, ROCECC_EDIT_NONE);
    CHECK(!rocecc_edit_needs_action(&e));
}

/*
 * The header has 12 reserved bits, which go out as a source says: Ver 2, the bits, Hop
 * ML 1, 4 hops. A 13th is refused.
 */
TEST(intmd_12_reserved_bits)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP,
                                    .intmd = {.udp_port = 5000}};
    uint8_t b[128];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_intmd_source s;
    rocecc_packet p;
    rocecc_edit e;
    ipv4(b, 28, ROCECC_PROTO_UDP);
    b[25] = 8; /* UDP Length */
    memset(&s, 0, sizeof s);
    s.mark = ROCECC_INTMD_MARK_PORT;
    s.mtu_bytes = 1500;
    s.header = rocecc_intmd_header_init(0x8000, 4);
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 28), &p);
    s.header.reserved = 0x1000;
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, no_data(), &e), ROCECC_EDIT_RANGE);
    CHECK(!rocecc_edit_needs_action(&e));
    s.header.reserved = 0xfff;
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, no_data(), &e), ROCECC_EDIT_CHANGE);
    w.at = 28;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK_EQ(rocecc_load32(b + 32), 0x21ffe104);
}

/* Hop ML is that of the instructions, or with a DS Instruction more, also where the
 * source adds no node: 1, or 2. */
TEST(intmd_source_of_another_hop_ml)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP,
                                    .intmd = {.udp_port = 5000}};
    rocecc_intmd_source s;
    uint8_t b[28];
    rocecc_packet p;
    rocecc_edit e;
    ipv4(b, 28, ROCECC_PROTO_UDP);
    b[25] = 8; /* UDP Length */
    memset(&s, 0, sizeof s);
    s.mark = ROCECC_INTMD_MARK_PORT;
    s.mtu_bytes = 1500;
    s.header = rocecc_intmd_header_init(0x8000, 4);
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 28), &p);
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, no_data(), &e), ROCECC_EDIT_CHANGE);
    s.header.hop_ml = 0;
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, no_data(), &e), ROCECC_EDIT_RANGE);
    s.header.hop_ml = 2;
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, no_data(), &e), ROCECC_EDIT_RANGE);
    s.header.ds_instruction = 1;
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, no_data(), &e), ROCECC_EDIT_CHANGE);
}

/*
 * A UDP checksum of 0 is none, and has nothing to make up for. TCP has at that place
 * half of its sequence number, and 0 is one like all others: the complement is written,
 * and TCP's checksum stays.
 */
TEST(intmd_complement_in_tcp)
{
    unsigned seq;
    for (seq = 0; seq < 3; seq++) {
        rocecc_domain d = ROCECC_ZERO;
        uint8_t b[128];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        rocecc_intmd_source s;
        rocecc_intmd_node node;
        rocecc_packet p;
        rocecc_edit e;
        d.link = ROCECC_LINK_IP;
        d.intmd.dscp = d.intmd.dscp_mask = 0x20;
        d.intmd.complement = true;
        test_context("sequence number %u", seq);
        ipv4(b, 40, ROCECC_PROTO_TCP);
        rocecc_store32(b + 24, seq);
        b[32] = 0x50; /* Data Offset */
        rocecc_store16(b + 36, 0x1234);
        memset(&s, 0, sizeof s);
        s.mark = ROCECC_INTMD_MARK_DSCP;
        s.mtu_bytes = 1500;
        s.header = rocecc_intmd_header_init(0x8001, 4); /* Node ID, the complement */
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 40), &p);
        CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, no_data(), &e), ROCECC_EDIT_CHANGE);
        w.at = 40;
        CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
        CHECK_EQ(w.at, 56);
        rocecc_store16(b + 36, 0x1234);
        rocecc_intmd_node_init(&node);
        (void)rocecc_packet_parse(&d, rocecc_written(&w), &p);
        CHECK_EQ(p.headers.intmd, 40);
        CHECK_EQ(rocecc_intmd_push(&p, &node, no_data(), 1500, &e), ROCECC_EDIT_CHANGE);
        CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
        CHECK_EQ(w.at, 64);
        CHECK_EQ(rocecc_load16(b + 36), 0x1234);
        CHECK(rocecc_load32(b + 60) != 0xffffffff);
    }
}

/*
 * Where the domain has a DSCP and no probe marker, 8 bytes of 0 after UDP are no marker
 * of 0, but what they are: a BTH of the opcode 0, for QP 0.
 */
TEST(intmd_no_probe_marker_is_none_of_0)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP,
                                    .intmd = {.dscp = 0x20, .dscp_mask = 0x20}};
    uint8_t b[28 + 16];
    rocecc_packet p;
    ipv4(b, sizeof b, ROCECC_PROTO_UDP);
    rocecc_store16(b + 22, 4791);
    b[25] = 8 + 16;
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p), ROCECC_OK);
    CHECK_EQ(p.headers.intmd, 0);
    CHECK_EQ(p.headers.bth, 28);
}

/* A DSCP of 0 marks INT where the domain says so: its mask is what turns it on. */
TEST(intmd_marked_by_a_dscp_of_0)
{
    rocecc_domain d = {.link = ROCECC_LINK_IP, .intmd = {.dscp_mask = 0x3f}};
    uint8_t b[28 + 16];
    rocecc_packet p;
    ipv4(b, sizeof b, ROCECC_PROTO_UDP);
    rocecc_store16(b + 22, 5001);
    b[25] = 8 + 16;
    rocecc_store32(b + 28, 0x10030000); /* INT-MD, 3 words after the shim */
    rocecc_store32(b + 32, 0x20000000); /* version 2 */
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.intmd, 28);
    d.intmd.dscp_mask = 0;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.intmd, 0);
}

/* IPv4 and UDP, into which a source of this zone puts IFA. */
static size_t ifa_in(const rocecc_domain *d, uint8_t *b, size_t room)
{
    const rocecc_ifa_source s = {
        {2, ROCECC_IFA_GNS_NONE, 0, ROCECC_IFA_FLAG_I, 255}, {0xff, 0, 0xff, 0}, 0};
    rocecc_writer w = rocecc_writer_of(b, b + room);
    rocecc_packet p;
    rocecc_edit e;
    ipv4(b, 28, ROCECC_PROTO_UDP);
    b[25] = 8;
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + 28), &p);
    CHECK_EQ(rocecc_ifa_insert(&p, &s, 1500, &e), ROCECC_EDIT_CHANGE);
    w.at = 28;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    return w.at;
}

/*
 * Which end of a tail stamp has the newest record is for tail stamps alone: after L4
 * the newest comes first in every domain, right behind the metadata header.
 */
TEST(ifa_the_newest_is_first_without_ts)
{
    unsigned tail;
    for (tail = ROCECC_IFA_TAIL_UNKNOWN; tail <= ROCECC_IFA_TAIL_NEWEST_LAST; tail++) {
        rocecc_domain d = ROCECC_ZERO;
        uint8_t b[160];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        rocecc_ifa_node node = ROCECC_ZERO;
        rocecc_packet p;
        rocecc_edit e;
        unsigned i;
        d.link = ROCECC_LINK_IP;
        d.ifa.protocol = 253;
        d.ifa.layout_a = 1;
        d.ifa.tail = (rocecc_ifa_tail)tail;
        w.at = ifa_in(&d, b, sizeof b);
        CHECK_EQ(w.at, 36);
        for (i = 0; i < 2; i++) {
            test_context("tail %u, record %u", tail, i);
            node.layout = ROCECC_IFA_LAYOUT_A;
            (void)rocecc_packet_parse(&d, rocecc_written(&w), &p);
            CHECK_EQ(rocecc_ifa_push(&p, &node, 1500, &e), ROCECC_EDIT_CHANGE);
            CHECK_EQ(e.splice[0].offset, 36);
            CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
        }
    }
}

/* GNS has 4 bits: 0x11 is none of them, and not 1, which this zone knows. */
TEST(ifa_gns_of_4_bits)
{
    rocecc_ifa_source s = {{2, 1, 0, ROCECC_IFA_FLAG_I, 255}, {0xff, 0, 0xff, 0}, 0};
    rocecc_domain d = ROCECC_ZERO;
    uint8_t b[28];
    rocecc_packet p;
    rocecc_edit e;
    d.link = ROCECC_LINK_IP;
    d.ifa.protocol = 253;
    d.ifa.gns_a = 1 << 1;
    ipv4(b, sizeof b, ROCECC_PROTO_UDP);
    b[25] = 8;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(rocecc_ifa_insert(&p, &s, 1500, &e), ROCECC_EDIT_CHANGE);
    s.header.gns = 0x11;
    CHECK_EQ(rocecc_ifa_insert(&p, &s, 1500, &e), ROCECC_EDIT_RANGE);
    CHECK(!rocecc_edit_needs_action(&e));
}
