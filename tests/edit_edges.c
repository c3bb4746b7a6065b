/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * edit_edges.c - plans at their limits: one byte more or less of fill, of the packet or
 * of the buffer, the bits of words that no slot has, and lengths of TCP next to 2^15.
 */
#include "lib/guard.h"
#include "lib/test.h"
#include "rocecc/packet/edit.h"

#include <string.h>

static const rocecc_domain domain = {.link = ROCECC_LINK_IP};

static rocecc_packet packet_of(const uint8_t *b, size_t n)
{
    rocecc_packet p;
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + n), &p);
    return p;
}

/* 40 bytes of a packet, each another one, and 0xa5 behind it. */
static rocecc_writer numbered(uint8_t *b, size_t room)
{
    rocecc_writer w = rocecc_writer_of(b, b + room);
    size_t i;
    memset(b, 0xa5, room);
    for (i = 0; i < 40; i++)
        b[i] = (uint8_t)(i + 1);
    w.at = 40;
    return w;
}

/* Splices alone are something to write, and so are words alone. */
TEST(edit_acts_by_either)
{
    uint8_t b[40];
    const rocecc_writer w = numbered(b, sizeof b);
    const rocecc_packet p = packet_of(b, w.at);
    rocecc_edit e;
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    CHECK(!rocecc_edit_needs_action(&e));
    CHECK(rocecc_edit_add_splice(&e, 8, 4, 0) != NULL);
    CHECK(rocecc_edit_needs_action(&e));
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_FULL);
    rocecc_edit_set_word(&e, &p, ROCECC_EDIT_FORMAT, 8, 0);
    CHECK(rocecc_edit_needs_action(&e));
}

/* One byte more than fill has: of one splice, or as a plan that somebody has broken. */
TEST(edit_open_a_byte_too_many)
{
    rocecc_edit e;
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    CHECK(rocecc_edit_add_splice(&e, 0, 0, ROCECC_EDIT_FILL_MAX + 1) == NULL);
    CHECK_EQ(e.n_splices, 0);
    CHECK(rocecc_edit_add_splice(&e, 0, 0, ROCECC_EDIT_FILL_MAX) == e.fill);
    e.splice[0].new_bytes = ROCECC_EDIT_FILL_MAX + 1;
    CHECK(rocecc_edit_add_splice(&e, 8, 0, 0) == NULL);
    CHECK_EQ(e.n_splices, 1);
}

/* Nothing behind fill is read, which ends with the plan. */
TEST(edit_fill_sum_ends_with_the_plan)
{
    static rocecc_edit all;
    rocecc_edit *e;
    memset(all.fill, 1, sizeof all.fill);
    e = (rocecc_edit *)(void *)guard_end(&all, sizeof all);
    CHECK_EQ(rocecc_edit_fill_sum(e, 4096), ROCECC_EDIT_FILL_MAX / 2 * 0x101);
}

/* Whether there is a tunnel says its version alone: with 0 there is no outer header. */
TEST(edit_length_without_a_tunnel)
{
    static const uint8_t plain[40] = {0x45, 0, 0, 40, 0, 0, 0, 0, 64, 253};
    rocecc_packet p = packet_of(plain, sizeof plain);
    rocecc_edit e;
    CHECK_EQ(p.headers.ip.version, 4);
    p.headers.outer.proto = ROCECC_PROTO_IPV4;
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    rocecc_edit_grow_ip(&e, &p, 4);
    CHECK_EQ(e.words, 1u << ROCECC_EDIT_IP_LENGTH | 1u << ROCECC_EDIT_IP_SUM);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_LENGTH].new_value, 44);
}

/* An Authentication Header covers what follows, also where another header follows it.
 */
TEST(edit_proto_at_of_a_header_behind_ah)
{
    uint8_t b[40 + 24 + 8] = {0x60, 0, 0, 0, 0, 24 + 8, ROCECC_PROTO_DSTOPTS, 64};
    rocecc_packet p;
    int with_ah;
    for (with_ah = 0; with_ah < 2; with_ah++) {
        b[40] = (uint8_t)(with_ah ? ROCECC_PROTO_AH : ROCECC_PROTO_DSTOPTS);
        b[48] = ROCECC_PROTO_DSTOPTS; /* 8 bytes of an AH, too */
        b[56] = ROCECC_PROTO_UDP;
        b[69] = 8;
        p = packet_of(b, sizeof b);
        CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_UDP);
        CHECK_EQ(p.headers.ip.n_ext, 3);
        CHECK_EQ(rocecc_edit_proto_offset(&p), with_ah ? 0 : 56);
    }
}

/*
 * `more` is modulo 2^16: up to 0x7fff a packet is longer, from 0x8000 on shorter. In
 * ones' complement the two are one step: 0x1234 stands for a sum of 0xedcb, which with
 * 0x7fff more, as with 0x8000 less, is 0x6dcb, and the checksum 0x9234. A checksum of 0
 * is one, for TCP: 0xffff, and 1 more is 1.
 */
TEST(edit_tcp_lengths)
{
    static const struct {
        uint16_t was, more, is;
    } rows[] = {
        {0x1234, 0x7fff, 0x9234}, {0x1234, 0x8000, 0x9234}, {0x1234, 0x8001, 0x9233},
        {0x1234, 0xffff, 0x1235}, {0x1234, 1, 0x1233},      {0, 1, 0xfffe},
    };
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t b[40] = {0x45, 0, 0, 40, 0, 0, 0, 0, 64, ROCECC_PROTO_TCP};
        const rocecc_edit_sum none = {0, 0};
        rocecc_packet p;
        rocecc_edit e;
        test_context("row %zu", i);
        b[32] = 0x50;
        rocecc_store16(b + 36, rows[i].was);
        p = packet_of(b, sizeof b);
        CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_TCP);
        (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
        rocecc_edit_grow_upper(&e, &p, rows[i].more, none);
        CHECK_EQ(e.words, 1u << ROCECC_EDIT_UPPER_SUM);
        CHECK_EQ(e.word[ROCECC_EDIT_UPPER_SUM].offset, 36);
        CHECK_EQ(e.word[ROCECC_EDIT_UPPER_SUM].new_value, rows[i].is);
    }
}

/* Where no word says so, a splice does: it ends with the packet, or is none of it. */
TEST(edit_splice_beyond_the_packet)
{
    static const struct {
        uint16_t at, was;
        rocecc_status status;
    } rows[] = {{40, 0, ROCECC_OK},
                {36, 4, ROCECC_OK},
                {41, 0, ROCECC_NO_MATCH},
                {37, 4, ROCECC_NO_MATCH}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t b[48], was[48];
        rocecc_writer w = numbered(b, sizeof b);
        rocecc_edit e;
        test_context("row %zu", i);
        memcpy(was, b, sizeof b);
        (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
        CHECK(rocecc_edit_add_splice(&e, rows[i].at, rows[i].was, 0) != NULL);
        CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(b, b + 40)), rows[i].status);
        CHECK_EQ(rocecc_edit_apply(&e, &w), rows[i].status);
        CHECK_EQ(w.at, 40 - (rows[i].status == ROCECC_OK ? rows[i].was : 0));
        CHECK(memcmp(b, was, sizeof b) == 0);
    }
}

/* A plan has 14 words: what stands for two more says nothing. */
TEST(edit_bits_of_no_word)
{
    uint8_t b[40], was[40];
    rocecc_writer w = numbered(b, sizeof b);
    static rocecc_edit e;
    memcpy(was, b, sizeof b);
    memset(&e, 0, sizeof e);
    e.verdict = ROCECC_EDIT_CHANGE;
    e.words = 3u << ROCECC_EDIT_FIELDS;
    CHECK_EQ(rocecc_edit_write(&e, w), ROCECC_OK);
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK(w.at == 40 && memcmp(b, was, sizeof b) == 0);
}

/* A word behind two gaps, whatever the verdict is: where the host has made the room, it
 * is 12 bytes further on. */
TEST(edit_write_a_word_behind_two_gaps)
{
    int verdict;
    for (verdict = ROCECC_EDIT_NONE; verdict <= ROCECC_EDIT_FRAGMENT; verdict++) {
        uint8_t b[52];
        const rocecc_writer packet = numbered(b, sizeof b);
        const rocecc_packet p = packet_of(b, packet.at);
        rocecc_edit e;
        test_context("verdict %d", verdict);
        (void)rocecc_edit_reject(&e, (rocecc_edit_verdict)verdict);
        memset(e.fill, 0xee, 12);
        CHECK(rocecc_edit_add_splice(&e, 8, 0, 4) != NULL);
        CHECK(rocecc_edit_add_splice(&e, 16, 0, 8) != NULL);
        rocecc_edit_set_word(&e, &p, ROCECC_EDIT_FORMAT, 30, 0xbeef);
        memmove(b + 28, b + 16, 24);
        memmove(b + 12, b + 8, 8);
        CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(b, b + sizeof b)), ROCECC_OK);
        CHECK(b[7] == 8 && b[8] == 0xee && b[11] == 0xee && b[12] == 9 && b[19] == 16);
        CHECK(b[20] == 0xee && b[27] == 0xee && b[28] == 17 && b[41] == 30);
        CHECK_EQ(rocecc_load16(b + 42), 0xbeef);
        CHECK(b[44] == 33 && b[51] == 40);
    }
}

/* What is put in is whole words, and not what it takes the place of: packets become
 * longer, or shorter, by any number of bytes. */
TEST(edit_apply_by_any_number_of_bytes)
{
    uint16_t was;
    for (was = 0; was <= 9; was++) {
        uint8_t b[48], should[48];
        rocecc_writer w = numbered(b, sizeof b);
        rocecc_edit e;
        uint8_t *fill;
        test_context("%u bytes become 4", (unsigned)was);
        memcpy(should, b, 10);
        memset(should + 10, 0xee, 4);
        memcpy(should + 14, b + 10 + was, 30u - was);
        (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
        fill = rocecc_edit_add_splice(&e, 10, was, 4);
        CHECK(fill != NULL);
        if (fill != NULL) memset(fill, 0xee, 4);
        CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
        CHECK_EQ(w.at, 44u - was);
        CHECK(memcmp(b, should, 44u - was) == 0);
    }
}

/* A splice of which nothing is left, by one byte. */
TEST(edit_apply_one_byte_less)
{
    uint8_t b[40];
    rocecc_writer w = numbered(b, sizeof b);
    rocecc_edit e;
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    CHECK(rocecc_edit_add_splice(&e, 10, 1, 0) != NULL);
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK_EQ(w.at, 39);
    CHECK(b[9] == 10 && b[10] == 12 && b[38] == 40);
}

/* The second line: of a plan that nobody checked, three bytes of a word of fill have no
 * room, and the third of its splices is none. */
TEST(edit_unchecked_ends_with_the_writer)
{
    static rocecc_edit e;
    uint8_t b[40], was[40];
    (void)numbered(b, sizeof b);
    memcpy(was, b, sizeof b);
    memset(&e, 0, sizeof e);
    e.n_splices = 1;
    e.splice[0].offset = 13;
    e.splice[0].new_bytes = 4;
    rocecc_edit_store_(&e, rocecc_writer_of(b, b + 16));
    CHECK(memcmp(b, was, sizeof b) == 0);
    memset(&e, 0, sizeof e);
    e.n_splices = 3;
    e.words = 1;
    e.word[0].new_value = 8; /* were it a splice, it would put 8 bytes in at 0 */
    CHECK_EQ(rocecc_edit_shifted_offset_(&e, 0, 3), 0);
    rocecc_edit_store_(&e, rocecc_writer_of(b, b + sizeof b));
    CHECK_EQ(rocecc_load16(b), 8);
    CHECK(memcmp(b + 2, was + 2, 38) == 0);
}

/* Bytes that are not all there do not move: after the last 8 of 16, which have no room,
 * the first 8 stay as well, and of 64 at once none moves. */
TEST(edit_move_ends_where_it_fails)
{
    uint8_t b[200], was[200];
    size_t i;
    for (i = 0; i < sizeof b; i++)
        was[i] = b[i] = (uint8_t)(i * 7);
    rocecc_edit_move_(rocecc_writer_of(b, b + 20), 0, 12, 16);
    CHECK(memcmp(b, was, sizeof b) == 0);
    rocecc_edit_move_(rocecc_writer_of(b, b + 100), 40, 0, 64);
    CHECK(memcmp(b, was, sizeof b) == 0);
    rocecc_edit_move_(rocecc_writer_of(b + 8, b + 108), SIZE_MAX - 7, 0, 8);
    CHECK(memcmp(b, was, sizeof b) == 0); /* nor do those before the first */
    rocecc_edit_move_(rocecc_writer_of(b, b + 104), 40, 0, 64);
    CHECK(memcmp(b, was + 40, 64) == 0 && memcmp(b + 64, was + 64, 136) == 0);
}
