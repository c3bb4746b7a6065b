/* SPDX-License-Identifier: BSD-2-Clause */

/* ioam.c - tests packet/ioam.h. IOAM traces are inserted beside other options, updated
 * in place and stripped. Each plan compares words of its packet. */
#include "lib/edits.h"
#include "lib/frame.h"
#include "lib/guard.h"
#include "lib/test.h"
#include "rocecc/packet/ioam.h"

#include <string.h>

static rocecc_domain domain_of(void)
{
    rocecc_domain d = ROCECC_ZERO;
    d.link = ROCECC_LINK_IP;
    d.ioam.namespace_id = 0x7b;
    return d;
}

/* Applies a plan to the packet that w has written, and checks its new header. */
static void becomes(const rocecc_edit *e, rocecc_writer w, const uint8_t *header,
                    size_t n_header)
{
    CHECK_EQ(rocecc_edit_apply(e, &w), ROCECC_OK);
    CHECK_EQ(w.at, 40 + n_header);
    CHECK_EQ(rocecc_load16(w.base + 4), n_header);
    CHECK(memcmp(w.base + 40, header, n_header) == 0);
}

/* The parsed packet has room for a node, but the trace in the other buffer has none, or
 * the buffer ends before the node. The verdict is BROKEN, and nothing is written. */
TEST(ioam_update_of_a_buffer_without_room_is_broken)
{
    static const uint8_t header[] = {59,   2, 1, 0, 0x31, 14, 0, 0, 0, 0x7b, 0x08, 1,
                                     0x80, 0, 0, 0, 0,    0,  0, 0, 1, 2,    0,    0};
    static uint8_t other[2048], was[2048];
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    const rocecc_domain d = domain_of();
    uint8_t b[64];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    rocecc_ioam_node node;
    rocecc_packet p;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    rocecc_ioam_node_init(&node);
    memcpy(other, b, n);
    other[51] = 0; /* RemainingLen */
    memcpy(was, other, sizeof was);
    CHECK_EQ(rocecc_ioam_update(&p, rocecc_writer_of(other, other + sizeof other),
                                &node, none),
             ROCECC_EDIT_BROKEN);
    CHECK(memcmp(other, was, sizeof was) == 0);
    other[51] = was[51] = 1;
    CHECK_EQ(rocecc_ioam_update(&p, rocecc_writer_of(other, other + 59), &node, none),
             ROCECC_EDIT_BROKEN); /* the node is from 56 to 60 */
    CHECK(memcmp(other, was, sizeof was) == 0);
    CHECK_EQ(rocecc_ioam_update(&p, rocecc_writer_of(other, other + 60), &node, none),
             ROCECC_EDIT_CHANGE);
    CHECK_EQ(other[51], 0);
}

/* Bit 13 is known if the domain uses it for interfaces or for bytes. */
TEST(ioam_bit_13_is_known_as_interfaces_or_bytes)
{
    static const uint8_t header[] = {59, 1,    1,    0, 0x31, 10,   0, 1,
                                     0,  0x7b, 0x10, 4, 0x80, 0x04, 0, 0};
    static const uint8_t bits[][2] = {{0, 13}, {13, 0}, {12, 14}, {14, 0}};
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    size_t i;
    for (i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        rocecc_domain d = domain_of();
        uint8_t b[64];
        const size_t n = frame_hop_by_hop(b, header, sizeof header);
        rocecc_ioam_node node;
        rocecc_packet p;
        rocecc_edit e;
        test_context("row %zu", i);
        d.ioam.leave_undefined = true;
        d.ioam.tx_bytes_bit = bits[i][0];
        d.ioam.interface_bit = bits[i][1];
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
        rocecc_ioam_node_init(&node);
        CHECK_EQ(rocecc_ioam_push(&p, &node, none, 1500, &e),
                 i < 2 ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_UNKNOWN);
    }
}

/* The padding at the end begins at 7, after an option of 5 bytes. This option stays,
 * and Pad1 aligns the trace to 4 bytes. */
TEST(ioam_insert_aligns_after_an_option_of_5_bytes)
{
    static const uint8_t header[] = {59, 0, 0x1e, 3, 0xa1, 0xa2, 0xa3, 0};
    static const uint8_t should[] = {59,   2,  0x1e, 3, 0xa1, 0xa2, 0xa3, 0,
                                     0x31, 10, 0,    1, 0,    0x7b, 0x08, 3,
                                     0x80, 0,  0,    0, 1,    2,    0,    0};
    const rocecc_ioam_source s = {0, ROCECC_IOAM_INCREMENTAL, 0x7b, 0, 0x800000, 3};
    const rocecc_domain d = domain_of();
    uint8_t b[128];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_packet p;
    rocecc_edit e;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_ioam_insert(&p, &s, 1500, &e), ROCECC_EDIT_CHANGE);
    w.at = n;
    becomes(&e, w, should, sizeof should);
}

/*
 * After the trace come Pad1 and an option of 3 bytes, from 17 to 20. The option moves
 * by 8 without a change, and 7 bytes of padding replace the trace and the padding
 * around it.
 */
TEST(ioam_strip_moves_an_unaligned_option_by_8)
{
    static const uint8_t header[] = {59, 2,    1,    0,    0x31, 10, 0, 1,
                                     0,  0x7b, 0x08, 3,    0x80, 0,  0, 0,
                                     0,  0x1e, 1,    0xb1, 1,    2,  0, 0};
    static const uint8_t should[] = {59, 1,    1, 5,    0, 0, 0, 0,
                                     0,  0x1e, 1, 0xb1, 1, 2, 0, 0};
    const rocecc_domain d = domain_of();
    uint8_t b[128];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_packet p;
    rocecc_edit e;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_ioam_strip(&p, &e), ROCECC_EDIT_CHANGE);
    w.at = n;
    becomes(&e, w, should, sizeof should);
}

/* A jumbogram has Payload Length 0 and Hop-by-Hop options (RFC 2675). With another Next
 * Header, 0 is the real payload length, and the packet gets its trace. */
TEST(ioam_insert_accepts_payload_length_0_but_not_a_jumbogram)
{
    const rocecc_ioam_source s = {0, ROCECC_IOAM_INCREMENTAL, 0x7b, 0, 0x800000, 3};
    const rocecc_domain d = domain_of();
    static const uint8_t nexts[] = {ROCECC_PROTO_HOPOPTS, 1, ROCECC_PROTO_NONE};
    size_t i;
    for (i = 0; i < sizeof nexts; i++) {
        const uint8_t next = nexts[i];
        uint8_t b[64] = {0x60};
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        rocecc_packet p;
        rocecc_edit e;
        test_context("next header %u", (unsigned)next);
        b[6] = next;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 40), &p);
        if (next == ROCECC_PROTO_HOPOPTS) {
            CHECK_EQ(rocecc_ioam_insert(&p, &s, 1500, &e), ROCECC_EDIT_NONE);
            continue;
        }
        CHECK_EQ(rocecc_ioam_insert(&p, &s, 1500, &e), ROCECC_EDIT_CHANGE);
        w.at = 40;
        CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
        CHECK_EQ(w.at, 56);
        CHECK_EQ(rocecc_load16(b + 4), 16);
        CHECK_EQ(b[6], ROCECC_PROTO_HOPOPTS);
        CHECK_EQ(b[40], next);
    }
}

/* Three bytes of padding are before the trace, after an option that ends at 5. A node
 * of 4 bytes extends the padding to 7, because 3 bytes cannot shrink by 4. */
TEST(ioam_push_extends_3_bytes_of_padding_to_7)
{
    static const uint8_t header[] = {59, 2,    0x1e, 1, 0xa1, 1, 1, 0, 0x31, 10, 0, 1,
                                     0,  0x7b, 0x08, 3, 0x80, 0, 0, 0, 1,    2,  0, 0};
    static const uint8_t should[] = {59, 3,    0x1e, 1, 0xa1, 1, 5,    0,    0, 0,    0,
                                     0,  0x31, 14,   0, 1,    0, 0x7b, 0x08, 2, 0x80, 0,
                                     0,  0,    63,   2, 3,    4, 1,    2,    0, 0};
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    const rocecc_domain d = domain_of();
    uint8_t b[128];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_ioam_node node;
    rocecc_packet p;
    rocecc_edit e;
    rocecc_ioam_node_init(&node);
    CHECK_EQ(rocecc_ioam_set(&node, ROCECC_IOAM_ITEM_HOP_LIMIT, 63), ROCECC_OK);
    CHECK_EQ(rocecc_ioam_set(&node, ROCECC_IOAM_ITEM_NODE_ID, 0x020304), ROCECC_OK);
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_ioam_push(&p, &node, none, 1500, &e), ROCECC_EDIT_CHANGE);
    w.at = n;
    becomes(&e, w, should, sizeof should);
}

/* Returns the status of ioam_find() for a header of 16 bytes and this namespace. */
static rocecc_status found(const uint8_t *header, uint16_t namespace_id)
{
    rocecc_domain d = domain_of();
    uint8_t b[64];
    const size_t n = frame_hop_by_hop(b, header, 16);
    rocecc_ioam_option o;
    rocecc_packet p;
    d.ioam.namespace_id = namespace_id;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    return rocecc_ioam_find(&p, &o);
}

/* A trace is an IOAM option of one of two kinds with a whole namespace. Other bytes of
 * the header are not a trace, even if they look like one. */
TEST(ioam_find_accepts_only_traces)
{
    static const uint8_t trace[] = {59, 1,    1,    0, 0x31, 10, 0, 1,
                                    0,  0x7b, 0x08, 3, 0x80, 0,  0, 0};
    static const uint8_t short_one[] = {59, 1, 1, 0, 0x31, 3, 0, 1,
                                        0,  1, 5, 0, 0,    0, 0, 0};
    static const uint8_t other[] = {59,   1, 0x1e, 4, 0, 0, 0, 0,
                                    0x1e, 4, 0,    0, 0, 0, 1, 0};
    uint8_t header[16];
    unsigned kind;
    for (kind = 0; kind < 256; kind++) {
        test_context("kind %u", kind);
        memcpy(header, trace, sizeof header);
        header[7] = (uint8_t)kind;
        CHECK_EQ(found(header, 0x7b),
                 kind <= ROCECC_IOAM_INCREMENTAL ? ROCECC_OK : ROCECC_NO_MATCH);
    }
    CHECK_EQ(found(trace, 0x7c), ROCECC_NO_MATCH);
    CHECK_EQ(found(short_one, 0x0001), ROCECC_NO_MATCH); /* 0 is its last byte */
    CHECK_EQ(found(other, 0x1e04), ROCECC_NO_MATCH);     /* not an IOAM option */
}

/* If a Hop-by-Hop header is cut off, or follows Payload Length 0, find() returns SHORT,
 * because it cannot see a trace. The Hop Limit does not matter. */
TEST(ioam_find_is_short_if_the_walk_cannot_pass)
{
    static const uint8_t header[] = {59, 1,    1,    0, 0x31, 10, 0, 1,
                                     0,  0x7b, 0x08, 3, 0x80, 0,  0, 0};
    const rocecc_ioam_source s = {0, ROCECC_IOAM_INCREMENTAL, 0x7b, 0, 0x800000, 3};
    const rocecc_domain d = domain_of();
    unsigned hops;
    for (hops = 0; hops < 256; hops++) {
        uint8_t b[64];
        rocecc_ioam_option o;
        rocecc_packet p;
        rocecc_edit e;
        test_context("Hop Limit %u", hops);
        (void)frame_hop_by_hop(b, header, sizeof header);
        b[7] = (uint8_t)hops;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 41), &p);
        CHECK_EQ(rocecc_ioam_find(&p, &o), ROCECC_ERR_SHORT);
        CHECK_EQ(rocecc_ioam_insert(&p, &s, 1500, &e), ROCECC_EDIT_BROKEN);
        b[5] = 0;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 56), &p);
        CHECK_EQ(rocecc_ioam_find(&p, &o), ROCECC_ERR_SHORT);
        CHECK_EQ(rocecc_ioam_insert(&p, &s, 1500, &e), ROCECC_EDIT_NONE);
        CHECK(!rocecc_edit_needs_action(&e));
    }
}

/* Only A of the four flags makes the packet end here (RFC 9322, 5). */
TEST(ioam_strip_returns_probe_only_for_flag_a)
{
    static const uint8_t header[] = {59, 1,    1,    0, 0x31, 10, 0, 1,
                                     0,  0x7b, 0x08, 3, 0x80, 0,  0, 0};
    const rocecc_domain d = domain_of();
    unsigned flags;
    for (flags = 0; flags < 16; flags++) {
        uint8_t b[64];
        const size_t n = frame_hop_by_hop(b, header, sizeof header);
        rocecc_packet p;
        rocecc_edit e;
        test_context("flags %u", flags);
        rocecc_store16(b + 50, (uint16_t)(0x0803 | flags << 7));
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
        CHECK_EQ(rocecc_ioam_strip(&p, &e),
                 (flags & 2) != 0 ? ROCECC_EDIT_PROBE : ROCECC_EDIT_CHANGE);
    }
}

/* A trace of fewer than 8 bytes is neither filled nor removed. A trace without whole
 * words is not removed, either. */
TEST(ioam_rejects_a_trace_without_whole_words)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    const rocecc_domain d = domain_of();
    size_t data;
    for (data = 2; data <= 16; data++) {
        uint8_t header[32] = {59, 3,    1,    0, 0x31, 10, 0, 1,
                              0,  0x7b, 0x0c, 3, 0x80, 0,  0, 0}; /* O is set */
        uint8_t b[128];
        rocecc_ioam_node node;
        rocecc_packet p;
        rocecc_edit e;
        size_t n, i;
        test_context("%zu bytes", data);
        header[5] = (uint8_t)(2 + data);
        for (i = 8 + data; i < sizeof header; i++)
            header[i] = 0;
        i = 8 + data; /* an option fills the rest: 22 bytes to 8 */
        header[i] = 0x1e;
        header[i + 1] = (uint8_t)(sizeof header - i - 2);
        n = frame_hop_by_hop(b, header, sizeof header);
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
        rocecc_ioam_node_init(&node);
        CHECK_EQ(rocecc_ioam_push(&p, &node, none, 1500, &e),
                 data < 8 ? ROCECC_EDIT_BROKEN : ROCECC_EDIT_NONE);
        CHECK_EQ(rocecc_ioam_strip(&p, &e),
                 data < 8 || data % 4 != 0 ? ROCECC_EDIT_BROKEN : ROCECC_EDIT_CHANGE);
    }
}

/* The IP header of a frame is not at the start of the buffer. */
TEST(ioam_insert_finds_the_ip_header_of_a_frame)
{
    const rocecc_ioam_source s = {0, ROCECC_IOAM_INCREMENTAL, 0x7b, 0, 0x800000, 3};
    const rocecc_domain d = {.link = ROCECC_LINK_ETHER, .ioam = {.namespace_id = 0x7b}};
    uint8_t b[96] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x86, 0xdd};
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_packet p;
    rocecc_edit e;
    (void)frame_hop_by_hop(b + 14, b, 0);
    b[14 + 6] = ROCECC_PROTO_NONE;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 54), &p);
    CHECK_EQ(rocecc_ioam_insert(&p, &s, 1500, &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(e.splice[0].offset, 54);
    w.at = 54;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK_EQ(w.at, 70);
    CHECK_EQ(b[14 + 6], ROCECC_PROTO_HOPOPTS);
    CHECK_EQ(b[54], ROCECC_PROTO_NONE);
}

/* An incremental trace at 44 that asks for 1 word per node, without nodes. */
static const uint8_t trace_header[] = {59, 1,    1,    0, 0x31, 10, 0, 1,
                                       0,  0x7b, 0x08, 3, 0x80, 0,  0, 0};

static const rocecc_ioam_source source = {0, ROCECC_IOAM_INCREMENTAL, 0x7b, 0, 0x800000,
                                          3};

static rocecc_packet packet_of(const rocecc_domain *d, const uint8_t *b, size_t n)
{
    rocecc_packet p;
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + n), &p);
    return p;
}

#define LENGTH (1u << ROCECC_EDIT_IP_LENGTH)
#define PROTO (1u << ROCECC_EDIT_IP_PROTO)
#define OWN(i) (1u << (ROCECC_EDIT_UDP_PORT + (i)))

/* Checks that a plan compares n words from `at` on, starting with IOAM's i-th own word,
 * and changes none. */
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

/* For a new header, Payload Length grows by 16, and IPv6 names Hop-by-Hop options
 * beside its Hop Limit. */
TEST(ioam_plan_of_a_new_header_changes_length_and_next)
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

/* With another option in the header, its length changes, and the last 6 bytes of the
 * options are compared. */
TEST(ioam_plan_in_a_header_changes_its_length)
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

/* For a node, the header's length changes. The first 12 bytes of the option are
 * compared, and then rewritten. */
TEST(ioam_plan_of_a_node_compares_12_bytes)
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

/* strip() compares the same 12 bytes, both if it removes the whole header and if it
 * removes only the option. */
TEST(ioam_plan_of_the_last_node_compares_12_bytes)
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
        header[16] = 0x1e; /* an option of 8 bytes, for `others` */
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
 * In a frame the header is at 54, not a multiple of 8 or 4. Padding counts from the
 * header. Pad1 follows an option that ends at 7, the trace is at 8 to 20, and PadN has
 * 4 bytes.
 */
TEST(ioam_plan_aligns_from_the_header_of_a_frame)
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
 * The trace's header is at 48 to 56. Without room for a node, O (bit 3 of the four
 * flags, 0x0400 beside NodeLen) is set in a buffer that ends there. A shorter buffer is
 * not written.
 */
TEST(ioam_update_sets_overflow_up_to_the_end_of_the_buffer)
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

/* The last of three nodes is written first, at 64 to 68. A buffer that ends before 68
 * is not written. */
TEST(ioam_update_needs_the_bytes_of_the_node)
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

/* In another buffer, the trace asks for no data, but the place of the node is still
 * beyond the end. */
TEST(ioam_update_needs_the_place_of_a_node_without_data)
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

/* Pushes a node of one word into the trace of *n bytes at b, and updates *n. */
static void push_node(const rocecc_domain *d, uint8_t *b, size_t room, size_t *n,
                      uint8_t hops)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    rocecc_writer w = rocecc_writer_of(b, b + room);
    rocecc_ioam_node node;
    rocecc_packet p;
    rocecc_edit e;
    rocecc_ioam_node_init(&node);
    CHECK_EQ(rocecc_ioam_set(&node, ROCECC_IOAM_ITEM_HOP_LIMIT, hops), ROCECC_OK);
    CHECK_EQ(rocecc_ioam_set(&node, ROCECC_IOAM_ITEM_NODE_ID, 0x020300u + hops),
             ROCECC_OK);
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + *n), &p);
    CHECK_EQ(rocecc_ioam_push(&p, &node, none, 1500, &e), ROCECC_EDIT_CHANGE);
    w.at = *n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    *n = w.at;
}

/*
 * A trace with one word per node follows an option that ends at a multiple of 8. The
 * first node needs 4 bytes of padding before the trace. The second removes them, so the
 * header keeps its length.
 */
TEST(ioam_push_removes_padding_of_4)
{
    static const uint8_t once[] = {59, 3,    0x1e, 4, 0, 0,  0,    0,    1, 2,    0,
                                   0,  0x31, 14,   0, 1, 0,  0x7b, 0x08, 2, 0x80, 0,
                                   0,  0,    64,   2, 3, 64, 1,    2,    0, 0};
    static const uint8_t twice[] = {59, 3,  0x1e, 4,    0, 0,    0, 0, 0x31, 18, 0,
                                    1,  0,  0x7b, 0x08, 1, 0x80, 0, 0, 0,    63, 2,
                                    3,  63, 64,   2,    3, 64,   1, 2, 0,    0};
    uint8_t b[128] = {0x60, 0, 0, 0, 0, 24, 0, 64, 0x20, 1};
    static const uint8_t header[] = {59, 2,    0x1e, 4, 0,    0, 0, 0, 0x31, 10, 0, 1,
                                     0,  0x7b, 0x08, 3, 0x80, 0, 0, 0, 1,    2,  0, 0};
    rocecc_domain d = ROCECC_ZERO;
    size_t n = 40 + sizeof header;
    d.link = ROCECC_LINK_IP;
    d.ioam.namespace_id = 0x7b;
    memcpy(b + 40, header, sizeof header);
    push_node(&d, b, sizeof b, &n, 64);
    CHECK_EQ(n, 40 + sizeof once);
    CHECK_EQ(rocecc_load16(b + 4), 32);
    CHECK(memcmp(b + 40, once, sizeof once) == 0);
    push_node(&d, b, sizeof b, &n, 63);
    CHECK_EQ(n, 40 + sizeof twice);
    CHECK_EQ(rocecc_load16(b + 4), 32);
    CHECK(memcmp(b + 40, twice, sizeof twice) == 0);
}

/* A source replaces the padding at the end of the list. The plan compares this padding,
 * because another packet may have an option there. */
TEST(ioam_insert_compares_the_padding_at_the_end)
{
    static const uint8_t header[] = {59, 1, 0x1e, 6, 0, 0, 0, 0,
                                     0,  0, 1,    4, 0, 0, 0, 0};
    const rocecc_ioam_source s = {0, 1, 0x7b, 0, 0x800000, 3};
    rocecc_domain d = ROCECC_ZERO;
    uint8_t b[256];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_packet p;
    rocecc_edit e;
    d.link = ROCECC_LINK_IP;
    d.ioam.namespace_id = 0x7b;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_ioam_insert(&p, &s, 1500, &e), ROCECC_EDIT_CHANGE);
    edits_refuse_other_bytes(&e, b, n, 50, "3e"); /* another option of that length */
    edits_refuse_other_bytes(&e, b, n, 50, "1e001e02"); /* two options */
    edits_refuse_other_bytes(&e, b, n, 52, "00000001"); /* not padding */
    w.at = n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
}

/* The last node removes the whole header, and IPv6 gets its Next Header. The plan
 * compares Next Header, length and trace. */
TEST(ioam_strip_compares_the_header)
{
    static const uint8_t header[] = {59, 1,    1,    0, 0x31, 10, 0, 1,
                                     0,  0x7b, 0x08, 3, 0x80, 0,  0, 0};
    rocecc_domain d = ROCECC_ZERO;
    uint8_t b[256];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_packet p;
    rocecc_edit e;
    d.link = ROCECC_LINK_IP;
    d.ioam.namespace_id = 0x7b;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_ioam_strip(&p, &e), ROCECC_EDIT_CHANGE);
    edits_refuse_other_bytes(&e, b, n, 40, "11"); /* UDP follows */
    edits_refuse_other_bytes(&e, b, n, 41, "02"); /* 8 bytes more of options */
    edits_refuse_other_bytes(&e, b, n, 44, "3e"); /* another option */
    edits_refuse_other_bytes(&e, b, n, 47, "03"); /* E2E, not a trace */
    edits_refuse_other_bytes(&e, b, n, 49, "7c"); /* another namespace */
    edits_refuse_other_bytes(&e, b, n, 50, "09"); /* a flag */
    edits_refuse_other_bytes(&e, b, n, 52, "40"); /* another trace type */
    w.at = n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK_EQ(w.at, 40);
    CHECK_EQ(b[6], 59);
}

/* A trace option must be at a multiple of 4 (RFC 9486, 3). Three bytes after the
 * header's start, it is malformed, and is not found or removed. */
TEST(ioam_unaligned_trace_is_malformed)
{
    static const uint8_t header[] = {59,   1,    0, 0x31, 10,   0, 1, 0,
                                     0x7b, 0x08, 3, 0x80, 0x00, 0, 0, 0};
    rocecc_domain d = ROCECC_ZERO;
    rocecc_ioam_option o;
    uint8_t b[256];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    rocecc_packet p;
    rocecc_edit e;
    d.link = ROCECC_LINK_IP;
    d.ioam.namespace_id = 0x7b;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_ioam_find(&p, &o), ROCECC_ERR_FORMAT);
    CHECK_EQ(rocecc_ioam_strip(&p, &e), ROCECC_EDIT_BROKEN);
    CHECK_EQ(e.n_splices, 0);
}

/* After the trace, an 11-byte option overruns the header. A node on the path does not
 * read so far, and writes its data. The last node rejects the header. */
TEST(ioam_nodes_do_not_read_options_after_the_trace)
{
    static const uint8_t header[] = {59, 2,    1,    0, 0x31, 14, 0, 0,
                                     0,  0x7b, 0x08, 1, 0x80, 0,  0, 0,
                                     0,  0,    0,    0, 0x1e, 9,  0, 0};
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    const rocecc_domain d = domain_of();
    uint8_t b[64];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    rocecc_packet p = packet_of(&d, b, n);
    rocecc_ioam_option o;
    rocecc_ioam_node node;
    rocecc_edit e;
    rocecc_ioam_node_init(&node);
    CHECK_EQ(rocecc_ioam_find(&p, &o), ROCECC_ERR_FORMAT);
    CHECK_EQ(rocecc_ioam_strip(&p, &e), ROCECC_EDIT_BROKEN);
    CHECK_EQ(rocecc_ioam_update(&p, rocecc_writer_of(b, b + n), &node, none),
             ROCECC_EDIT_CHANGE);
    CHECK_EQ(b[51], 0);
    b[47] = ROCECC_IOAM_INCREMENTAL;
    b[51] = 1;
    p = packet_of(&d, b, n);
    CHECK_EQ(rocecc_ioam_push(&p, &node, none, 1500, &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_ioam_strip(&p, &e), ROCECC_EDIT_BROKEN);
}

/* The trace does not ask for a snapshot and has no room. A snapshot with another length
 * than the node declares gives RANGE. O is set only if the length is right. */
TEST(ioam_update_checks_the_length_of_any_snapshot)
{
    static const uint8_t header[] = {59,   2, 1, 0, 0x31, 14, 0, 0, 0, 0x7b, 0x08, 0,
                                     0x80, 0, 0, 0, 0,    0,  0, 0, 1, 2,    0,    0};
    static const uint8_t data[4] = {1, 2, 3, 4};
    const rocecc_domain d = domain_of();
    uint8_t b[64];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    const rocecc_packet p = packet_of(&d, b, n);
    const rocecc_writer w = rocecc_writer_of(b, b + n);
    rocecc_ioam_node node;
    rocecc_ioam_node_init(&node);
    CHECK_EQ(rocecc_ioam_update(&p, w, &node, rocecc_reader_of(data, data + 4)),
             ROCECC_EDIT_RANGE);
    CHECK(memcmp(b + 40, header, sizeof header) == 0);
    CHECK_EQ(rocecc_ioam_update(&p, w, &node, rocecc_reader_of(NULL, NULL)),
             ROCECC_EDIT_FULL);
    CHECK_EQ(rocecc_load16(b + 50), 0x0c00);
}

/* Under an Authentication Header a node cannot be inserted, but O is still set if
 * RemainingLen is 0, because the option's data may change. */
TEST(ioam_push_sets_overflow_before_an_ah)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    rocecc_domain d = domain_of();
    uint8_t header[32] = {0};
    uint8_t words;
    memcpy(header, trace_header, sizeof trace_header);
    header[0] = ROCECC_PROTO_AH;
    header[16] = ROCECC_PROTO_NONE;
    header[17] = 2; /* 16 bytes */
    d.ah = true;
    for (words = 0; words < 2; words++) {
        uint8_t b[80];
        rocecc_ioam_node node;
        rocecc_packet p;
        rocecc_edit e;
        size_t n;
        test_context("RemainingLen %u", (unsigned)words);
        header[11] = words;
        n = frame_hop_by_hop(b, header, sizeof header);
        p = packet_of(&d, b, n);
        rocecc_ioam_node_init(&node);
        CHECK_EQ(rocecc_ioam_push(&p, &node, none, 50, &e),
                 words == 0 ? ROCECC_EDIT_FULL : ROCECC_EDIT_AH);
        CHECK_EQ(e.n_splices, 0);
        CHECK_EQ(rocecc_edit_needs_action(&e), words == 0);
        if (words == 0) CHECK_EQ(e.word[ROCECC_EDIT_UDP_PORT + 4].new_value, 0x0c00);
    }
}

/* Two traces have one namespace. update() and push() each find the second one after a
 * trace of the other kind, and strip() removes only the first. */
TEST(ioam_finds_a_trace_after_one_of_another_kind)
{
    static const uint8_t preallocated[] = {0x31, 14, 0, 0, 0, 0x7b, 0x08, 1,
                                           0x80, 0,  0, 0, 0, 0,    0,    0};
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    const rocecc_domain d = domain_of();
    unsigned last;
    for (last = ROCECC_IOAM_PREALLOCATED; last <= ROCECC_IOAM_INCREMENTAL; last++) {
        const bool update = last == ROCECC_IOAM_PREALLOCATED;
        uint8_t header[32] = {59, 3, 1, 0}, b[128];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        rocecc_ioam_option o;
        rocecc_ioam_node node;
        rocecc_packet p;
        rocecc_edit e;
        size_t n;
        test_context("kind %u is the last", last);
        memcpy(header + (update ? 16 : 4), preallocated, 16);
        memcpy(header + (update ? 4 : 20), trace_header + 4, 12);
        n = frame_hop_by_hop(b, header, sizeof header);
        p = packet_of(&d, b, n);
        rocecc_ioam_node_init(&node);
        if (update) {
            CHECK_EQ(rocecc_ioam_update(&p, rocecc_writer_of(b, b + n), &node, none),
                     ROCECC_EDIT_CHANGE);
            CHECK_EQ(b[40 + 23], 0); /* RemainingLen; the first trace's is 3 */
            CHECK_EQ(b[40 + 11], 3);
        } else {
            CHECK_EQ(rocecc_ioam_push(&p, &node, none, 1500, &e), ROCECC_EDIT_CHANGE);
            CHECK_EQ(e.splice[0].offset, 60);
        }
        CHECK_EQ(rocecc_ioam_strip(&p, &e), ROCECC_EDIT_CHANGE);
        w.at = n;
        CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
        p = packet_of(&d, b, w.at);
        CHECK_EQ(rocecc_ioam_find(&p, &o), ROCECC_OK);
        CHECK_EQ(o.opt_type, last);
    }
}

/* In IPv6 in IPv6, a trace after the inner header is not found, and a new one follows
 * the outer header. The plan's IP words are then words of the outer header. */
TEST(ioam_insert_follows_the_outer_header)
{
    const rocecc_domain d = domain_of();
    uint8_t b[128] = {0x60, 0, 0, 0, 0, 56, ROCECC_PROTO_IPV6, 63, 0x20};
    const size_t n = 40 + frame_hop_by_hop(b + 40, trace_header, sizeof trace_header);
    const rocecc_packet p = packet_of(&d, b, n);
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_ioam_option o;
    rocecc_edit e;
    CHECK_EQ(p.headers.outer.version, 6);
    CHECK_EQ(rocecc_ioam_find(&p, &o), ROCECC_NO_MATCH);
    CHECK_EQ(rocecc_ioam_strip(&p, &e), ROCECC_EDIT_NONE);
    CHECK_EQ(rocecc_ioam_insert(&p, &source, 1500, &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(e.words, LENGTH | PROTO);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_LENGTH].offset, 4);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_PROTO].offset, 6);
    w.at = n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK_EQ(rocecc_load16(b + 4), 72);
    CHECK(b[6] == ROCECC_PROTO_HOPOPTS && b[40] == ROCECC_PROTO_IPV6);
    CHECK_EQ(rocecc_load16(b + 56 + 4), sizeof trace_header);
}
