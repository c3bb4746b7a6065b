/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * intmd.c - tests packet/intmd.h. INT-MD is inserted under each mark, pushed and
 * stripped, with the checksum complement, the longest record and lengths at their
 * limits.
 */
#include "lib/edits.h"
#include "lib/frame.h"
#include "lib/plans.h"
#include "rocecc/packet/intmd.h"

#include <string.h>

static rocecc_reader no_data(void)
{
    return rocecc_reader_of(NULL, NULL);
}

/* Writes an IPv4 header without options for n bytes in all, and zeros after it. */
static void ipv4(uint8_t *b, size_t n, uint8_t proto)
{
    memset(b, 0, n);
    b[0] = 0x45;
    rocecc_store16(b + 2, (uint16_t)n);
    b[8] = 64;
    b[9] = proto;
}

/* Returns a domain with all marks enabled. */
static rocecc_domain marks(void)
{
    rocecc_domain d = ROCECC_ZERO;
    d.link = ROCECC_LINK_IP;
    d.intmd.udp_port = 5000;
    d.intmd.dscp = d.intmd.dscp_mask = 0x20;
    d.intmd.probe_marker = 0x0123456789abcdef;
    return d;
}

static rocecc_intmd_source source_of(rocecc_intmd_mark_type mark, uint16_t instructions)
{
    rocecc_intmd_source s;
    memset(&s, 0, sizeof s);
    s.mark = (rocecc_intmd_mark_type)mark;
    s.mtu_bytes = 1500;
    s.header = rocecc_intmd_header_init(instructions, 4);
    return s;
}

/* Returns the verdict on inserting INT with this mark and no node into n bytes at b. */
static rocecc_edit_verdict inserted(const rocecc_domain *d, const uint8_t *b, size_t n,
                                    rocecc_intmd_mark_type mark)
{
    const rocecc_intmd_source s = source_of(mark, 0x8000);
    rocecc_packet p;
    rocecc_edit e;
    rocecc_edit_verdict verdict;
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + n), &p);
    verdict = rocecc_intmd_insert(&p, &s, NULL, no_data(), &e);
    CHECK_EQ(e.verdict, verdict);
    CHECK_EQ(rocecc_edit_needs_action(&e), verdict == ROCECC_EDIT_CHANGE);
    return verdict;
}

/* A TCP header that is cut off, or too short or too long by its Data Offset, gives
 * BROKEN. */
TEST(intmd_source_of_a_malformed_tcp_is_broken)
{
    const rocecc_domain d = marks();
    uint8_t b[64];
    unsigned words;
    ipv4(b, 39, ROCECC_PROTO_TCP);
    b[32] = 0x50;
    CHECK_EQ(inserted(&d, b, 39, ROCECC_INTMD_MARK_DSCP), ROCECC_EDIT_BROKEN);
    for (words = 0; words < 16; words++) {
        ipv4(b, 40, ROCECC_PROTO_TCP);
        b[32] = (uint8_t)(words << 4);
        test_context("Data Offset %u", words);
        CHECK_EQ(inserted(&d, b, 40, ROCECC_INTMD_MARK_DSCP),
                 words == 5 ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_BROKEN);
    }
    ipv4(b, 44, ROCECC_PROTO_TCP);
    b[32] = 0x60;
    CHECK_EQ(inserted(&d, b, 44, ROCECC_INTMD_MARK_DSCP), ROCECC_EDIT_CHANGE);
}

/* UDP fits in IP, but the capture lacks its last byte (BROKEN). */
TEST(intmd_source_of_a_cut_udp_is_broken)
{
    const rocecc_domain d = marks();
    uint8_t b[28];
    ipv4(b, 28, ROCECC_PROTO_UDP);
    b[25] = 8;
    CHECK_EQ(inserted(&d, b, 28, ROCECC_INTMD_MARK_PORT), ROCECC_EDIT_CHANGE);
    CHECK_EQ(inserted(&d, b, 27, ROCECC_INTMD_MARK_PORT), ROCECC_EDIT_BROKEN);
}

/* A mark in UDP or TCP gives NONE for other protocols. A new UDP header may precede any
 * protocol, even 0 over IPv4. */
TEST(intmd_source_marks_only_udp_or_tcp)
{
    static const uint8_t protos[] = {0, 1, 132, 255};
    const rocecc_domain d = marks();
    uint8_t b[40];
    size_t i;
    for (i = 0; i < sizeof protos; i++) {
        ipv4(b, 40, protos[i]);
        test_context("protocol %u", protos[i]);
        CHECK_EQ(inserted(&d, b, 40, ROCECC_INTMD_MARK_PORT), ROCECC_EDIT_NONE);
        CHECK_EQ(inserted(&d, b, 40, ROCECC_INTMD_MARK_DSCP), ROCECC_EDIT_NONE);
        CHECK_EQ(inserted(&d, b, 40, ROCECC_INTMD_MARK_PROBE), ROCECC_EDIT_NONE);
        CHECK_EQ(inserted(&d, b, 40, ROCECC_INTMD_MARK_NEW_UDP), ROCECC_EDIT_CHANGE);
    }
}

/* A marked packet already has INT, even if its shim is cut off. */
TEST(intmd_source_of_a_cut_shim_is_present)
{
    const rocecc_domain d = marks();
    uint8_t b[30];
    rocecc_packet p;
    rocecc_intmd_shim shim;
    ipv4(b, 30, ROCECC_PROTO_UDP);
    rocecc_store16(b + 22, 5000);
    b[25] = 10;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 30), &p);
    CHECK(p.headers.intmd == 0 && p.headers.stopped == ROCECC_LAYER_INTMD);
    CHECK_EQ(rocecc_intmd_find(&p, &shim), p.headers.status);
    CHECK_EQ(inserted(&d, b, 30, ROCECC_INTMD_MARK_PORT), ROCECC_EDIT_PRESENT);
}

/* If the walk passed the place of a shim, the packet has no INT, even if the rest is
 * cut off. Cleared headers have none, either. */
TEST(intmd_is_not_found_where_the_walk_found_an_overlay)
{
    const rocecc_domain d = marks();
    uint8_t b[32];
    rocecc_packet p;
    rocecc_intmd_shim shim;
    rocecc_headers none;
    rocecc_edit e;
    ipv4(b, 32, ROCECC_PROTO_UDP);
    rocecc_store16(b + 22, 4789);
    b[25] = 12;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 32), &p);
    CHECK(p.headers.kind == ROCECC_PACKET_KIND_OVERLAY &&
          p.headers.stopped == ROCECC_LAYER_OVERLAY);
    CHECK_EQ(rocecc_intmd_find(&p, &shim), ROCECC_NO_MATCH);
    CHECK_EQ(rocecc_intmd_strip(&p, &e), ROCECC_EDIT_NONE);
    rocecc_headers_clear(&none);
    p = rocecc_packet_attach(&d, rocecc_reader_of(b, b + 32), &none);
    CHECK_EQ(rocecc_intmd_find(&p, &shim), ROCECC_NO_MATCH);
}

/* A record has up to 240 bytes, namely one word of the node, and 59 from the domain.
 * With the 8 bytes of a mark it fills a plan, and every byte is inserted. */
TEST(intmd_source_inserts_the_longest_record)
{
    static const rocecc_intmd_mark_type mark[2] = {ROCECC_INTMD_MARK_NEW_UDP,
                                                   ROCECC_INTMD_MARK_PROBE};
    rocecc_domain d = marks();
    uint8_t ds[240];
    size_t i;
    d.intmd.ds_id = 7;
    for (i = 0; i < sizeof ds; i++)
        ds[i] = (uint8_t)(i + 1);
    for (i = 0; i < 2; i++) {
        uint8_t b[28 + 264];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        rocecc_intmd_source s = source_of(mark[i], 0x8000);
        rocecc_intmd_node node;
        rocecc_packet p;
        rocecc_edit e;
        test_context("mark %u", (unsigned)mark[i]);
        rocecc_intmd_node_init(&node);
        node.word[0] = 0x11223344;
        s.header.ds_id = 7;
        s.header.ds_instruction = 0x8000;
        ipv4(b, 28, ROCECC_PROTO_UDP);
        b[25] = 8;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 28), &p);
        CHECK_EQ(rocecc_intmd_insert(&p, &s, &node, rocecc_reader_of(ds, ds + 240), &e),
                 ROCECC_EDIT_RANGE);
        CHECK_EQ(rocecc_intmd_insert(&p, &s, &node, rocecc_reader_of(ds, ds + 236), &e),
                 ROCECC_EDIT_CHANGE);
        w.at = 28;
        CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
        CHECK_EQ(w.at, sizeof b);
        /* A new UDP header comes first, so the packet's own UDP header is last. */
        w.at = sizeof b - 236 - (mark[i] == ROCECC_INTMD_MARK_NEW_UDP ? 8 : 0);
        CHECK_EQ(rocecc_load32(b + w.at - 4), 0x11223344);
        CHECK(memcmp(b + w.at, ds, 236) == 0);
    }
}

/* Hop ML has 5 bits, so 31 words are the maximum, even if a source adds no node. */
TEST(intmd_source_rejects_a_hop_ml_beyond_31_words)
{
    const rocecc_domain d = marks();
    rocecc_intmd_source s = source_of(ROCECC_INTMD_MARK_PORT, 0x8000);
    uint8_t b[28];
    rocecc_packet p;
    rocecc_edit e;
    ipv4(b, 28, ROCECC_PROTO_UDP);
    b[25] = 8;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 28), &p);
    s.header.ds_instruction = 0x8000;
    s.header.hop_ml = 31;
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, no_data(), &e), ROCECC_EDIT_CHANGE);
    s.header.hop_ml = 32;
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, no_data(), &e), ROCECC_EDIT_RANGE);
}

/* Inserts INT with this mark into a packet with this DSCP. rocecc_intmd_mark_find()
 * must find the mark, and strip() must restore the packet. */
static void there_and_back(const rocecc_domain *d, uint8_t dscp,
                           rocecc_intmd_mark_type mark)
{
    const rocecc_intmd_source s = source_of(mark, 0x8000);
    uint8_t was[28], b[64];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_intmd_shim shim;
    rocecc_packet p;
    rocecc_edit e;
    test_context("DSCP %u", dscp);
    ipv4(was, 28, ROCECC_PROTO_UDP);
    was[1] = (uint8_t)(dscp << 2);
    was[25] = 8;
    memcpy(b, was, sizeof was);
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + 28), &p);
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, no_data(), &e), ROCECC_EDIT_CHANGE);
    w.at = 28;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    (void)rocecc_packet_parse(d, rocecc_written(&w), &p);
    CHECK_EQ(rocecc_intmd_find(&p, &shim), ROCECC_OK);
    CHECK_EQ(rocecc_intmd_mark_find(&p, &shim), mark);
    CHECK_EQ(rocecc_intmd_strip(&p, &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK(w.at == 28 && memcmp(b, was, sizeof was) == 0);
}

/* A mark may require that a DSCP bit is 0. All six bits are restored. */
TEST(intmd_mark_may_need_a_dscp_bit_of_0)
{
    rocecc_domain d = marks();
    unsigned dscp;
    d.intmd.dscp = 0;
    for (dscp = 0x20; dscp < 0x40; dscp++)
        there_and_back(&d, (uint8_t)dscp, ROCECC_INTMD_MARK_DSCP);
}

/* One of two DSCP bits in this mark must be 0. If it is 1, the probe marker is the
 * mark. */
TEST(intmd_mark_compares_both_dscp_bits)
{
    rocecc_domain d = marks();
    d.intmd.dscp = 0x20;
    d.intmd.dscp_mask = 0x30;
    there_and_back(&d, 0x00, ROCECC_INTMD_MARK_DSCP);
    there_and_back(&d, 0x3f, ROCECC_INTMD_MARK_DSCP);
    there_and_back(&d, 0x30, ROCECC_INTMD_MARK_PROBE);
    there_and_back(&d, 0x10, ROCECC_INTMD_MARK_PROBE);
}

/* Only a source adds these words. After the source's own node, a transit node may push.
 * Without it, a sink would read the transit node's words as the source's. */
TEST(intmd_push_after_source_words_needs_a_source_node)
{
    static const uint8_t ds[4] = {1, 2, 3, 4};
    rocecc_domain d = marks();
    rocecc_intmd_source s = source_of(ROCECC_INTMD_MARK_PORT, 0x8000);
    rocecc_intmd_node node;
    unsigned own;
    d.intmd.ds_id = s.header.ds_id = 7;
    d.intmd.source_words[0] = 1;
    s.header.ds_instruction = 0x8000;
    rocecc_intmd_node_init(&node);
    for (own = 0; own < 2; own++) {
        uint8_t b[96];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        rocecc_packet p;
        rocecc_edit e;
        test_context("own node %u", own);
        ipv4(b, 28, ROCECC_PROTO_UDP);
        b[25] = 8;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 28), &p);
        CHECK_EQ(rocecc_intmd_insert(&p, &s, own ? &node : NULL,
                                     rocecc_reader_of(ds, ds + 4), &e),
                 ROCECC_EDIT_CHANGE);
        w.at = 28;
        CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
        CHECK_EQ(w.at, own ? 52 : 44);
        (void)rocecc_packet_parse(&d, rocecc_written(&w), &p);
        CHECK_EQ(rocecc_intmd_push(&p, &node, no_data(), 1500, &e),
                 own ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_BROKEN);
    }
}

#define SRC "20010db8 00000000 00000000 00000001"
#define DST "20010db8 00000000 00000000 00000002"

/* RoCEv1 has no IP, so it gets no new UDP header. */
TEST(intmd_source_rejects_a_new_udp_header_in_rocev1)
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

/* A source may set the 12 reserved header bits (Ver 2, the bits, Hop ML 1, 4 hops). A
 * 13th bit is rejected. */
TEST(intmd_source_sets_only_12_reserved_bits)
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

/* Hop ML matches the instructions (1), or is higher with a DS Instruction (2), even if
 * the source adds no node. */
TEST(intmd_source_hop_ml_matches_the_instructions)
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

/* TCP has half of its sequence number in the place of UDP's checksum, and 0 is an
 * ordinary value there. The complement is written, and TCP's checksum stays. */
TEST(intmd_complement_in_tcp_keeps_the_checksum)
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

/* Without a probe marker in the domain, 8 bytes of 0 after UDP are not a marker, but a
 * BTH with opcode 0 for QP 0. */
TEST(intmd_probe_marker_0_is_off)
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

/* A DSCP of 0 can mark INT, because dscp_mask enables the mark. */
TEST(intmd_dscp_0_can_be_a_mark)
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

#define V4(length) "4500" length "00014000 4011 0000 c0000201 c0000202"
#define DATA "0102030405060708 090a0b0c"
/* Asks for a node's id and the checksum complement. */
#define ASKS_FOR_COMPLEMENT                                                            \
    V4("0038") "c001 1388 0024 0000 140312b7 20000207 80010000 00000000" DATA
#define PROBE                                                                          \
    V4("0040")                                                                         \
    "c001 12b7 002c 0000 0123456789abcdef 10030000 20000107 80000000 00000000" DATA

static test_frame frame_of_hex(const char *hex)
{
    test_frame x = frame_of(hex);
    (void)plans_finish(x.b, 0, x.n, 0);
    return x;
}

static void push(const rocecc_domain *d, const rocecc_intmd_node *n, test_frame *x)
{
    const rocecc_packet p = frame_walked(d, x);
    rocecc_writer w = rocecc_writer_of(x->b, x->b + sizeof x->b);
    rocecc_edit e;
    CHECK_EQ(rocecc_intmd_push(&p, n, no_data(), 1500, &e), ROCECC_EDIT_CHANGE);
    w.at = x->n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    x->n = w.at;
}

/* Returns true if lengths and checksums equal those that are summed anew. */
static bool holds(const test_frame *x)
{
    test_frame anew = *x;
    (void)plans_finish(anew.b, 0, anew.n, 0);
    return memcmp(anew.b, x->b, x->n) == 0;
}

/* The node's complement makes up for the whole push, so the UDP checksum stays. This
 * requires `complement`, a node without a complement of its own, and a UDP checksum. */
TEST(plan_int_complement_keeps_the_udp_checksum)
{
    rocecc_domain d = plans_domain;
    rocecc_intmd_node n;
    test_frame x;
    int on, own, sum;
    for (on = 0; on < 2; on++)
        for (own = 0; own < 2; own++)
            for (sum = 0; sum < 2; sum++) {
                const test_frame was = frame_of_hex(ASKS_FOR_COMPLEMENT);
                const bool kept = on && !own && sum;
                uint32_t complement;
                test_context("switch %d, own %d, checksum %d", on, own, sum);
                d.intmd.complement = on != 0;
                rocecc_intmd_node_init(&n);
                n.word[0] = 10;
                if (own) n.word[18] = 0x1234;
                x = was;
                if (!sum) rocecc_store16(x.b + 26, 0);
                push(&d, &n, &x);
                complement = rocecc_load32(x.b + 48);
                CHECK_EQ(x.n, was.n + 8);
                CHECK_EQ(rocecc_load32(x.b + 44), 10);
                if (own) CHECK_EQ(complement, 0x1234);
                if (!own && !kept) CHECK_EQ(complement, UINT32_MAX);
                if (kept) CHECK(complement >> 16 == 0);
                CHECK_EQ(rocecc_load16(x.b + 26) == rocecc_load16(was.b + 26), kept);
                CHECK_EQ(holds(&x), sum != 0);
            }
}

/* Words without a known instruction belong to the DS ID's domain. With another DS ID or
 * none, the verdict is UNKNOWN, unless pad_unknown is set. */
TEST(plan_int_unknown_words_need_their_domain)
{
    rocecc_domain d = plans_domain;
    rocecc_intmd_node n;
    int id, pad;
    rocecc_intmd_node_init(&n);
    n.word[0] = 10;
    for (id = 0; id < 3; id++)
        for (pad = 0; pad < 2; pad++) {
            const bool known = id == 2 || pad;
            test_frame x = frame_of_hex(V4(
                "0038") "c001 1388 0024 0000 140312b7 20000207 80000000 00010000" DATA);
            rocecc_packet p;
            rocecc_edit e;
            test_context("id %d, pad %d", id, pad);
            x.b[39] = (uint8_t)id; /* DS ID: none, another, ours */
            (void)plans_finish(x.b, 0, x.n, 0);
            d.intmd.ds_id = 2;
            d.intmd.pad_unknown = pad != 0;
            p = frame_walked(&d, &x);
            CHECK_EQ(rocecc_intmd_push(&p, &n, no_data(), 1500, &e),
                     known ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_UNKNOWN);
            CHECK_EQ(rocecc_edit_needs_action(&e), known);
            if (known) CHECK_EQ(rocecc_load32(e.fill + 4), UINT32_MAX);
        }
    d.intmd.ds_id = 0; /* 0 is not a domain, even if the numbers agree */
    d.intmd.pad_unknown = false;
    {
        test_frame x = frame_of_hex(
            V4("0038") "c001 1388 0024 0000 140312b7 20000207 80000000 00010000" DATA);
        const rocecc_packet p = frame_walked(&d, &x);
        rocecc_edit e;
        CHECK_EQ(rocecc_intmd_push(&p, &n, no_data(), 1500, &e), ROCECC_EDIT_UNKNOWN);
    }
}

/* A packet with only a probe marker is marked by it, even if no DSCP marks INT. */
TEST(plan_int_probe_marker_is_a_mark_of_its_own)
{
    rocecc_domain d = plans_domain;
    test_frame x = frame_of_hex(PROBE);
    const test_frame should = frame_of_hex(V4("0028") "c001 12b7 0014 0000" DATA);
    rocecc_writer w = rocecc_writer_of(x.b, x.b + sizeof x.b);
    rocecc_packet p;
    rocecc_edit e;
    rocecc_intmd_shim h;
    d.intmd.dscp = d.intmd.dscp_mask = 0;
    p = frame_walked(&d, &x);
    CHECK_EQ(rocecc_intmd_find(&p, &h), ROCECC_OK);
    CHECK_EQ(rocecc_intmd_mark_find(&p, &h), ROCECC_INTMD_MARK_PROBE);
    CHECK_EQ(rocecc_intmd_strip(&p, &e), ROCECC_EDIT_CHANGE);
    w.at = x.n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK(w.at == should.n && memcmp(x.b, should.b, should.n) == 0);
}

static rocecc_edit_verdict inserted_with_node(const rocecc_domain *d,
                                              const rocecc_intmd_source *s,
                                              const rocecc_intmd_node *n,
                                              rocecc_reader ds, rocecc_edit *e)
{
    const test_frame x = frame_of_hex(V4("0028") "c001 12b7 0014 0000" DATA);
    const rocecc_packet p = frame_walked(d, &x);
    return rocecc_intmd_insert(&p, s, n, ds, e);
}

/* Each mark requires its member of the domain. */
TEST(plan_int_marks_need_their_domain_members)
{
    rocecc_intmd_source s;
    rocecc_edit e;
    int mark, off;
    s.src_port = 0;
    s.mtu_bytes = 1500;
    s.header = rocecc_intmd_header_init(0x8000, 8);
    for (mark = 0; mark < 5; mark++)
        for (off = 0; off < 3; off++) {
            const int by = mark < 2 ? 0 : mark - 1; /* port, port, DSCP, marker */
            rocecc_domain d = plans_domain;
            test_context("mark %d, off %d", mark, off);
            if (off == 0) d.intmd.udp_port = 0;
            if (off == 1) d.intmd.dscp_mask = 0;
            if (off == 2) d.intmd.probe_marker = 0;
            s.mark = (rocecc_intmd_mark_type)mark;
            CHECK_EQ(inserted_with_node(&d, &s, NULL, no_data(), &e),
                     mark == 4 || off == by ? ROCECC_EDIT_NONE : ROCECC_EDIT_CHANGE);
        }
}

/* M in a source's header stays. Hop ML has 5 bits. A record has whole words. */
TEST(plan_int_header_has_m_hop_ml_and_whole_words)
{
    static const uint8_t words[4] = {1, 2, 3, 4};
    rocecc_intmd_source s;
    rocecc_intmd_node n;
    rocecc_edit e;
    rocecc_intmd_node_init(&n);
    s.mark = ROCECC_INTMD_MARK_PORT;
    s.src_port = 0;
    s.mtu_bytes = 1500;
    s.header = rocecc_intmd_header_init(0x8000, 8);
    CHECK_EQ(inserted_with_node(&plans_domain, &s, &n, no_data(), &e),
             ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_load32(e.fill + 4), 0x20000107);
    s.header.m = true;
    CHECK_EQ(inserted_with_node(&plans_domain, &s, &n, no_data(), &e),
             ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_load32(e.fill + 4), 0x22000107);
    CHECK_EQ(inserted_with_node(&plans_domain, &s, &n,
                                rocecc_reader_of(words, words + 3), &e),
             ROCECC_EDIT_RANGE);
    s.header.ds_instruction = 1;
    for (s.header.hop_ml = 31; s.header.hop_ml <= 32; s.header.hop_ml++)
        CHECK_EQ(inserted_with_node(&plans_domain, &s, NULL, no_data(), &e),
                 s.header.hop_ml == 31 ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_RANGE);
}

/* A DSCP mark changes only the bits of its mask. 000100 becomes 100100 if the first bit
 * marks, even if the configured DSCP has other bits. */
TEST(intmd_mark_changes_only_the_bits_of_the_mask)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    uint8_t b[128] = {0x45, 0x04 << 2 | 2, 0, 28, 0, 0, 0, 0, 64, 17};
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_domain d = ROCECC_ZERO;
    rocecc_intmd_source s;
    rocecc_packet p;
    rocecc_edit e;
    b[25] = 8; /* UDP Length */
    d.link = ROCECC_LINK_IP;
    d.intmd.dscp = 0x21;
    d.intmd.dscp_mask = 0x20;
    s.mark = ROCECC_INTMD_MARK_DSCP;
    s.src_port = 0;
    s.mtu_bytes = 1500;
    s.header = rocecc_intmd_header_init(0x8000, 4);
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 28), &p);
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, none, &e), ROCECC_EDIT_CHANGE);
    w.at = 28;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK_EQ(b[1], 0x24 << 2 | 2);
    CHECK_EQ(rocecc_load32(b + 28), 0x10030010); /* NPT 0, 3 words, the original DSCP */
}

/* Writes IPv4, UDP to the port of INT, and INT-MD without a node. */
static size_t intmd_packet(uint8_t *b, uint8_t remaining_hops)
{
    const uint8_t md[16] = {0x14, 3, 0, 9, 0x20, 0, 1, remaining_hops, 0x80};
    memset(b, 0, 128);
    b[0] = 0x45;
    b[3] = 20 + 8 + 16;
    b[9] = 17;
    rocecc_store16(b + 22, 5000);
    b[25] = 8 + 16; /* UDP Length */
    memcpy(b + 28, md, sizeof md);
    return 44;
}

/* E means that no hop is left, and M that a node does not fit. Both would be wrong with
 * another hop count or other instructions, so the plan compares these. */
TEST(intmd_flag_plans_compare_hops_and_instructions)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    rocecc_domain d = ROCECC_ZERO;
    rocecc_intmd_node node;
    unsigned m;
    d.link = ROCECC_LINK_IP;
    d.intmd.udp_port = 5000;
    rocecc_intmd_node_init(&node);
    for (m = 0; m < 2; m++) {
        uint8_t b[128];
        const size_t n = intmd_packet(b, m != 0);
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        rocecc_packet p;
        rocecc_edit e;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
        CHECK_EQ(rocecc_intmd_push(&p, &node, none, 44, &e),
                 m != 0 ? ROCECC_EDIT_MTU : ROCECC_EDIT_HOPS);
        edits_refuse_other_bytes(&e, b, n, 35, "07");
        edits_refuse_other_bytes(&e, b, n, 36, "40");
        w.at = n;
        CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
        CHECK_EQ(b[32], m != 0 ? 0x22 : 0x24);
    }
}

/* A node that does not fit the link is omitted. M is set, and no hop is counted. */
TEST(intmd_source_counts_its_hop_only_with_its_node)
{
    const rocecc_domain d = marks();
    rocecc_intmd_source s = source_of(ROCECC_INTMD_MARK_PORT, 0x8000);
    rocecc_intmd_node node;
    uint8_t b[28];
    uint32_t mtu;
    rocecc_intmd_node_init(&node);
    ipv4(b, 28, ROCECC_PROTO_UDP);
    b[25] = 8;
    for (mtu = 43; mtu <= 48; mtu++) {
        const bool fits = mtu == 48;
        rocecc_packet p;
        rocecc_edit e;
        test_context("MTU %u", (unsigned)mtu);
        s.mtu_bytes = mtu;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 28), &p);
        CHECK_EQ(rocecc_intmd_insert(&p, &s, &node, no_data(), &e),
                 mtu < 44 ? ROCECC_EDIT_MTU : ROCECC_EDIT_CHANGE);
        CHECK_EQ(rocecc_edit_needs_action(&e), mtu >= 44);
        if (mtu < 44) continue;
        CHECK_EQ(e.splice[0].new_bytes, fits ? 20 : 16);
        CHECK_EQ(rocecc_load32(e.fill + 4), fits ? 0x20000103 : 0x22000104);
    }
}

/* The order of checks is HOPS, UNKNOWN, MTU and RANGE. */
TEST(intmd_push_returns_the_first_reason)
{
    static const uint8_t ds[4] = {1, 2, 3, 4};
    const rocecc_reader data = rocecc_reader_of(ds, ds + 4);
    const rocecc_domain d = marks();
    rocecc_intmd_node node;
    unsigned i;
    rocecc_intmd_node_init(&node);
    for (i = 0; i < 4; i++) {
        static const rocecc_edit_verdict should[] = {
            ROCECC_EDIT_HOPS, ROCECC_EDIT_UNKNOWN, ROCECC_EDIT_MTU, ROCECC_EDIT_RANGE};
        uint8_t b[128];
        const size_t n = intmd_packet(b, i > 0);
        rocecc_packet p;
        rocecc_edit e;
        test_context("reason %u", i);
        b[37] = i < 2 ? 0x02 : 0; /* a reserved instruction, instead of none */
        if (i < 2) b[34] = 2;     /* Hop ML */
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
        CHECK_EQ(rocecc_intmd_push(&p, &node, data, i < 3 ? 44 : 48, &e), should[i]);
        CHECK_EQ(rocecc_edit_needs_action(&e), i == 0 || i == 2);
    }
}

/* RANGE comes before PRESENT, and PRESENT before NONE for a mark that is off. */
TEST(intmd_insert_returns_the_first_reason)
{
    rocecc_domain d = marks();
    rocecc_intmd_source s = source_of(ROCECC_INTMD_MARK_PROBE, 0x8000);
    uint8_t b[128];
    const size_t n = intmd_packet(b, 1);
    rocecc_packet p;
    rocecc_edit e;
    d.intmd.probe_marker = 0;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, no_data(), &e), ROCECC_EDIT_PRESENT);
    s.header.ver = 1;
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, no_data(), &e), ROCECC_EDIT_RANGE);
    CHECK(!rocecc_edit_needs_action(&e));
}
