/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ioam_plan_edges.c - the words of the plans for a trace, each in its place, a trace
 * put into the options of a frame, and updates in a buffer that ends early.
 */
#include "lib/frame.h"
#include "lib/guard.h"
#include "lib/test.h"
#include "rocecc/packet/ioam.h"

#include <string.h>

/* An incremental trace from 44 on, which asks for 1 word of each node and has none. */
static const uint8_t trace_header[] = {59, 1,    1,    0, 0x31, 10, 0, 1,
                                       0,  0x7b, 0x08, 3, 0x80, 0,  0, 0};

static const rocecc_ioam_source source = {0, ROCECC_IOAM_INCREMENTAL, 0x7b, 0, 0x800000,
                                          3};

static rocecc_domain domain_of(void)
{
    rocecc_domain d = ROCECC_ZERO;
    d.link = ROCECC_LINK_IP;
    d.ioam.namespace_id = 0x7b;
    return d;
}

static rocecc_packet packet_of(const rocecc_domain *d, const uint8_t *b, size_t n)
{
    rocecc_packet p;
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + n), &p);
    return p;
}

#define LENGTH (1u << ROCECC_EDIT_IP_LENGTH)
#define PROTO (1u << ROCECC_EDIT_IP_PROTO)
#define OWN(i) (1u << (ROCECC_EDIT_UDP_PORT + (i)))

/* n words from `at` on, from the i-th of IOAM's own on, are those of the packet, and
 * stay. */
static void keeps(const rocecc_edit *e, const uint8_t *b, size_t at, int i, int n)
{
    for (; n > 0; n--, i++, at += 2) {
        const rocecc_edit_word *word = &e->word[ROCECC_EDIT_UDP_PORT + i];
        test_context("word %d of IOAM's own", i);
        CHECK_EQ(e->words >> (ROCECC_EDIT_UDP_PORT + i) & 1, 1);
        CHECK_EQ(word->offset, at);
        CHECK_EQ(word->old_value, rocecc_load16(b + at));
        CHECK_EQ(word->new_value, word->old_value);
    }
}

/* A header of its own: Payload Length is 16 more, and IPv6 names Hop-by-Hop options
 * beside its Hop Limit. */
TEST(ioam_plan_of_a_new_header)
{
    const rocecc_domain d = domain_of();
    uint8_t b[64];
    const size_t n = frame_hop_by_hop(b, trace_header, 0);
    rocecc_packet p;
    rocecc_edit e;
    b[6] = ROCECC_PROTO_NONE;
    p = packet_of(&d, b, n);
    CHECK_EQ(rocecc_ioam_insert(&p, &source, 1500, &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(e.words, LENGTH | PROTO);
    CHECK(e.word[ROCECC_EDIT_IP_LENGTH].offset == 4 &&
          e.word[ROCECC_EDIT_IP_PROTO].offset == 6);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_LENGTH].new_value, 16);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_PROTO].old_value, ROCECC_PROTO_NONE << 8 | 64);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_PROTO].new_value, 64);
}

/* Another option in the header there is: its length follows, and the 6 bytes at its
 * end, where the list of options ends, are compared. */
TEST(ioam_plan_of_another_option)
{
    static const uint8_t header[] = {59, 0, 0x1e, 3, 0xa1, 0xa2, 0xa3, 0};
    const rocecc_domain d = domain_of();
    uint8_t b[64];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    const rocecc_packet p = packet_of(&d, b, n);
    rocecc_edit e;
    CHECK_EQ(rocecc_ioam_insert(&p, &source, 1500, &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(e.words, LENGTH | OWN(0) | OWN(1) | OWN(2) | OWN(3));
    CHECK_EQ(e.word[ROCECC_EDIT_UDP_PORT].offset, 40);
    CHECK_EQ(e.word[ROCECC_EDIT_UDP_PORT].new_value, 59 << 8 | 2);
    keeps(&e, b, 42, 1, 3);
}

/* A node: the header's length follows, and the first 12 bytes of the option, which is
 * written anew, are compared. */
TEST(ioam_plan_of_a_node)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    const rocecc_domain d = domain_of();
    uint8_t b[64];
    const size_t n = frame_hop_by_hop(b, trace_header, sizeof trace_header);
    const rocecc_packet p = packet_of(&d, b, n);
    rocecc_ioam_node node;
    rocecc_edit e;
    rocecc_ioam_node_init(&node);
    CHECK_EQ(rocecc_ioam_push(&p, &node, none, 1500, &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(e.words,
             LENGTH | OWN(0) | OWN(1) | OWN(2) | OWN(3) | OWN(4) | OWN(5) | OWN(6));
    keeps(&e, b, 44, 1, 6);
}

/* The last node: with the header, or without it, the same 12 bytes are compared. */
TEST(ioam_plan_of_the_last_node)
{
    uint8_t header[24] = {0};
    const rocecc_domain d = domain_of();
    uint8_t b[64];
    unsigned others;
    for (others = 0; others < 2; others++) {
        rocecc_packet p;
        rocecc_edit e;
        size_t n;
        memcpy(header, trace_header, sizeof trace_header);
        header[1] = (uint8_t)(others ? 2 : 1);
        header[16] = 0x1e; /* an option of 8 bytes, if it is there */
        header[17] = 6;
        n = frame_hop_by_hop(b, header, others ? 24 : 16);
        p = packet_of(&d, b, n);
        CHECK_EQ(rocecc_ioam_strip(&p, &e), ROCECC_EDIT_CHANGE);
        CHECK_EQ(e.words, (others ? LENGTH : LENGTH | PROTO) | OWN(0) | OWN(1) |
                              OWN(2) | OWN(3) | OWN(4) | OWN(5) | OWN(6));
        keeps(&e, b, 44, 1, 6);
        if (others) continue;
        CHECK_EQ(e.word[ROCECC_EDIT_IP_PROTO].offset, 6);
        CHECK_EQ(e.word[ROCECC_EDIT_IP_PROTO].new_value, 59 << 8 | 64);
        keeps(&e, b, 40, 0, 1);
    }
}

/*
 * In a frame the header is at 54, no multiple of 8 or of 4: padding counts from there,
 * and not from the buffer. Pad1 after an option that ends at 7, the trace from 8 to 20,
 * and PadN of 4 bytes.
 */
TEST(ioam_plan_in_a_frame)
{
    static const uint8_t header[] = {59, 0, 0x1e, 3, 0xa1, 0xa2, 0xa3, 0};
    static const uint8_t should[] = {59,   2,  0x1e, 3, 0xa1, 0xa2, 0xa3, 0,
                                     0x31, 10, 0,    1, 0,    0x7b, 0x08, 3,
                                     0x80, 0,  0,    0, 1,    2,    0,    0};
    const rocecc_domain d = {.link = ROCECC_LINK_ETHER, .ioam = {.namespace_id = 0x7b}};
    uint8_t b[128] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x86, 0xdd};
    const size_t n = 14 + frame_hop_by_hop(b + 14, header, sizeof header);
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_packet p = packet_of(&d, b, n);
    rocecc_edit e;
    CHECK_EQ(p.headers.ip.hop_by_hop, 54);
    CHECK_EQ(rocecc_ioam_insert(&p, &source, 1500, &e), ROCECC_EDIT_CHANGE);
    w.at = n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK_EQ(w.at, 54 + sizeof should);
    CHECK_EQ(rocecc_load16(b + 18), sizeof should);
    CHECK(memcmp(b + 54, should, sizeof should) == 0);
}

/*
 * The header of the trace is from 48 to 56. Where there is no room for a node, O (bit 3
 * of the four flags, 0x0400 beside NodeLen) is set in a buffer that ends there, and
 * nothing is written in one that ends a byte before.
 */
TEST(ioam_update_a_buffer_that_ends_with_the_trace)
{
    static const uint8_t header[] = {59,   2, 1, 0, 0x31, 14, 0, 0, 0, 0x7b, 0x08, 0,
                                     0x80, 0, 0, 0, 0,    0,  0, 0, 1, 2,    0,    0};
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    const rocecc_domain d = domain_of();
    uint8_t b[64];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    const rocecc_packet p = packet_of(&d, b, n);
    rocecc_ioam_node node;
    size_t end;
    rocecc_ioam_node_init(&node);
    for (end = 48; end <= n; end++) {
        uint8_t *at = guard_end(b, end);
        test_context("%zu bytes", end);
        CHECK_EQ(rocecc_ioam_update(&p, rocecc_writer_of(at, at + end), &node, none),
                 end < 56 ? ROCECC_EDIT_BROKEN : ROCECC_EDIT_FULL);
        CHECK_EQ(rocecc_load16(at + (end < 56 ? 46 : 50)), end < 56 ? 0 : 0x0c00);
        CHECK(memcmp(at, b, 48) == 0);
        if (end >= 56) CHECK(memcmp(at + 52, b + 52, end - 52) == 0);
    }
}

/* A trace with room for three nodes of one word each. */
static const uint8_t three_nodes[] = {59, 3,    1, 0, 0x31, 22, 0, 0, 0, 0x7b, 0x08,
                                      3,  0x80, 0, 0, 0,    0,  0, 0, 0, 0,    0,
                                      0,  0,    0, 0, 0,    0,  1, 2, 0, 0};

/* The last of three nodes is written first, from 64 to 68: a buffer that ends before
 * that, be it by all of the trace, stays as it is. */
TEST(ioam_update_a_buffer_that_ends_before_the_node)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    const rocecc_domain d = domain_of();
    uint8_t b[80];
    const size_t n = frame_hop_by_hop(b, three_nodes, sizeof three_nodes);
    const rocecc_packet p = packet_of(&d, b, n);
    rocecc_ioam_node node;
    size_t end;
    rocecc_ioam_node_init(&node);
    for (end = 48; end <= n; end++) {
        uint8_t *at = guard_end(b, end);
        const rocecc_edit_verdict verdict =
            rocecc_ioam_update(&p, rocecc_writer_of(at, at + end), &node, none);
        test_context("%zu bytes", end);
        CHECK_EQ(verdict, end < 68 ? ROCECC_EDIT_BROKEN : ROCECC_EDIT_CHANGE);
        if (end < 68) CHECK(memcmp(at, b, end) == 0);
        if (end >= 68) CHECK_EQ(at[51], 2);
    }
}

/* The same in another buffer than the packet's, whose trace asks for nothing of a node:
 * where that would stand is still beyond the end. */
TEST(ioam_update_another_buffer_that_ends_early)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    const rocecc_domain d = domain_of();
    uint8_t b[80], other[80];
    const size_t n = frame_hop_by_hop(b, three_nodes, sizeof three_nodes);
    const rocecc_packet p = packet_of(&d, b, n);
    rocecc_ioam_node node;
    size_t end;
    rocecc_ioam_node_init(&node);
    memcpy(other, b, n);
    other[52] = 0; /* IOAM-Trace-Type */
    for (end = 56; end < 68; end++) {
        uint8_t *at = guard_end(other, end);
        test_context("%zu bytes", end);
        CHECK_EQ(rocecc_ioam_update(&p, rocecc_writer_of(at, at + end), &node, none),
                 ROCECC_EDIT_BROKEN);
        CHECK(memcmp(at, other, end) == 0);
    }
}
