/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ioam.c - an IOAM trace beside options that are not aligned, in a buffer that is
 * another packet's, and in a packet whose Payload Length is 0.
 */
#include "lib/frame.h"
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

/* What comes of the packet in b: its header is the one that should be. */
static void becomes(const rocecc_edit *e, uint8_t *b, size_t room, size_t n,
                    const uint8_t *header, size_t n_header)
{
    rocecc_writer w = rocecc_writer_of(b, b + room);
    w.at = n;
    CHECK_EQ(rocecc_edit_apply(e, &w), ROCECC_OK);
    CHECK_EQ(w.at, 40 + n_header);
    CHECK_EQ(rocecc_load16(b + 4), n_header);
    CHECK(memcmp(b + 40, header, n_header) == 0);
}

/*
 * The packet that was asked about has room for a node, but the buffer that is to be
 * written has a trace without room, or ends before the node: its lengths contradict
 * each other, and nothing is written.
 */
TEST(ioam_update_of_another_buffer)
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

/* Bit 13 is known where the domain says so, be it for interfaces or for bytes. */
TEST(ioam_a_bit_is_known_by_either_name)
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

/*
 * The padding at the end begins at 7, after an option of 5 bytes: that one stays, each
 * of its bytes, and Pad1 brings the trace to a multiple of 4.
 */
TEST(ioam_insert_after_an_option_of_5_bytes)
{
    static const uint8_t header[] = {59, 0, 0x1e, 3, 0xa1, 0xa2, 0xa3, 0};
    static const uint8_t should[] = {59,   2,  0x1e, 3, 0xa1, 0xa2, 0xa3, 0,
                                     0x31, 10, 0,    1, 0,    0x7b, 0x08, 3,
                                     0x80, 0,  0,    0, 1,    2,    0,    0};
    const rocecc_ioam_source s = {0, ROCECC_IOAM_INCREMENTAL, 0x7b, 0, 0x800000, 3};
    const rocecc_domain d = domain_of();
    uint8_t b[128];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    rocecc_packet p;
    rocecc_edit e;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_ioam_insert(&p, &s, 1500, &e), ROCECC_EDIT_CHANGE);
    becomes(&e, b, sizeof b, n, should, sizeof should);
}

/*
 * After the trace, Pad1 and an option of 3 bytes, from 17 to 20: that one moves by 8,
 * which takes all of the trace but for 7 bytes of padding, and is as it was.
 */
TEST(ioam_strip_before_an_option_that_is_not_aligned)
{
    static const uint8_t header[] = {59, 2,    1,    0,    0x31, 10, 0, 1,
                                     0,  0x7b, 0x08, 3,    0x80, 0,  0, 0,
                                     0,  0x1e, 1,    0xb1, 1,    2,  0, 0};
    static const uint8_t should[] = {59, 1,    1, 5,    0, 0, 0, 0,
                                     0,  0x1e, 1, 0xb1, 1, 2, 0, 0};
    const rocecc_domain d = domain_of();
    uint8_t b[128];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    rocecc_packet p;
    rocecc_edit e;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_ioam_strip(&p, &e), ROCECC_EDIT_CHANGE);
    becomes(&e, b, sizeof b, n, should, sizeof should);
}

/*
 * RFC 2675: a jumbogram has a Payload Length of 0 and Hop-by-Hop options. With another
 * header, 0 is how long the packet is, and it gets its trace.
 */
TEST(ioam_insert_where_nothing_follows)
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

/*
 * Three bytes of padding before the trace, after an option that ends at 5. A node has 4
 * bytes: the padding becomes 7, since 3 cannot become less by 4.
 */
TEST(ioam_push_after_3_bytes_of_padding)
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
    rocecc_ioam_node node;
    rocecc_packet p;
    rocecc_edit e;
    rocecc_ioam_node_init(&node);
    CHECK_EQ(rocecc_ioam_set(&node, ROCECC_IOAM_ITEM_HOP_LIMIT, 63), ROCECC_OK);
    CHECK_EQ(rocecc_ioam_set(&node, ROCECC_IOAM_ITEM_NODE_ID, 0x020304), ROCECC_OK);
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_ioam_push(&p, &node, none, 1500, &e), ROCECC_EDIT_CHANGE);
    becomes(&e, b, sizeof b, n, should, sizeof should);
}

/* What ioam_find() says of a header of 16 bytes, in a domain of this namespace. */
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

/*
 * A trace is an option of IOAM, of one of two kinds, that has a whole namespace: no
 * other bytes of the header are one, whatever they are equal to.
 */
TEST(ioam_find_no_trace)
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
    CHECK_EQ(found(other, 0x1e04), ROCECC_NO_MATCH);     /* no option of IOAM */
}

/*
 * A Hop-by-Hop header that the capture has cut, or that comes after a Payload Length of
 * 0: whether there is a trace cannot be said, and the Hop Limit says nothing of it.
 */
TEST(ioam_behind_what_the_walk_could_not_pass)
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

/* RFC 9322, 5: A alone, of the four flags, says that the packet ends here. */
TEST(ioam_strip_each_flag)
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

/* A trace has 8 bytes and whole words: with less, nobody fills it or takes it out. */
TEST(ioam_of_no_whole_words)
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
        i = 8 + data; /* an option takes what is left: 22 bytes to 8 */
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

/* In a frame the IP header is not at the start of the buffer. */
TEST(ioam_insert_in_a_frame)
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
