/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * intmd_source_edges.c - INT-MD put into packets that nearly have what it takes, with
 * the largest record, and with marks of which few bits count.
 */
#include "lib/frame.h"
#include "rocecc/packet/intmd.h"

#include <string.h>

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
    b[9] = proto;
}

/* All marks are on. */
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

/* What becomes of n bytes at b, with this mark and no node. */
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

/* TCP whose header is not whole, or says that it is shorter than 20 bytes. */
TEST(intmd_source_of_a_broken_tcp)
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

/* UDP that IP has room for, and of which the capture has a byte less. */
TEST(intmd_source_of_a_cut_udp)
{
    const rocecc_domain d = marks();
    uint8_t b[28];
    ipv4(b, 28, ROCECC_PROTO_UDP);
    b[25] = 8;
    CHECK_EQ(inserted(&d, b, 28, ROCECC_INTMD_MARK_PORT), ROCECC_EDIT_CHANGE);
    CHECK_EQ(inserted(&d, b, 27, ROCECC_INTMD_MARK_PORT), ROCECC_EDIT_BROKEN);
}

/*
 * A mark in UDP or TCP is for no other protocol, whose packets are none the worse for
 * it; before any of them a new UDP header may stand. Of IPv4 0 is a protocol, too.
 */
TEST(intmd_source_of_other_protocols)
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

/* A packet that is marked has INT already, be its shim cut off. */
TEST(intmd_source_of_a_cut_shim)
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

/* Where the walk came past the place of a shim, there is none, be the rest cut off; and
 * of a packet of which nothing is known, none either. */
TEST(intmd_no_shim_in_a_cut_overlay)
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

/*
 * A record has up to 240 bytes: one word of the node, and 59 that the domain adds. With
 * the 8 bytes of a mark that fills a plan, and every byte comes into the packet.
 */
TEST(intmd_source_of_the_longest_record)
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
        /* A new UDP header stands before the packet's own, which is the last then. */
        w.at = sizeof b - 236 - (mark[i] == ROCECC_INTMD_MARK_NEW_UDP ? 8 : 0);
        CHECK_EQ(rocecc_load32(b + w.at - 4), 0x11223344);
        CHECK(memcmp(b + w.at, ds, 236) == 0);
    }
}

/* Hop ML has 5 bits: 31 words are the most, also of a source that adds no node. */
TEST(intmd_source_of_a_long_hop_ml)
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

/*
 * Into a packet of this DSCP comes INT with this mark, which rocecc_intmd_mark_find()
 * knows again; then it is taken out, and the packet is what it was.
 */
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

/* A mark may be that a bit of DSCP is 0; all six bits come back. */
TEST(intmd_mark_by_a_dscp_bit_of_0)
{
    rocecc_domain d = marks();
    unsigned dscp;
    d.intmd.dscp = 0;
    for (dscp = 0x20; dscp < 0x40; dscp++)
        there_and_back(&d, (uint8_t)dscp, ROCECC_INTMD_MARK_DSCP);
}

/* Of two bits that mark, the one that is to be 0 counts, too: where it is 1 the probe
 * marker is the mark. */
TEST(intmd_mark_by_two_dscp_bits)
{
    rocecc_domain d = marks();
    d.intmd.dscp = 0x20;
    d.intmd.dscp_mask = 0x30;
    there_and_back(&d, 0x00, ROCECC_INTMD_MARK_DSCP);
    there_and_back(&d, 0x3f, ROCECC_INTMD_MARK_DSCP);
    there_and_back(&d, 0x30, ROCECC_INTMD_MARK_PROBE);
    there_and_back(&d, 0x10, ROCECC_INTMD_MARK_PROBE);
}

/*
 * Words that a source alone adds: behind its own node a transit may push another one;
 * where the source has left them out with its node, a sink would take the transit's for
 * them.
 */
TEST(intmd_push_behind_words_of_a_source)
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
