/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/frame.h"
#include "lib/guard.h"
#include "lib/test.h"
#include "rocecc/packet/csig.h"
#include "rocecc/packet/edit.h"

#include <string.h>

/* IPv4 and UDP with 12 bytes of payload and correct checksums. */
static const uint8_t plain4[40] = {
    0x45, 0x00, 0x00, 0x28, 0x00, 0x01, 0x40, 0x00, 0x40, 0x11, 0xb6, 0xc0, 0xc0, 0x00,
    0x02, 0x01, 0xc0, 0x00, 0x02, 0x02, 0xc0, 0x01, 0x12, 0xb7, 0x00, 0x14, 0x84, 0xdf,
    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12};

static rocecc_packet packet_of(const rocecc_domain *d, const uint8_t *b, size_t n)
{
    rocecc_packet p;
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + n), &p);
    return p;
}

/* Returns the checksum for a sum of 16-bit words (RFC 1071). It is 0 if the words
 * include a right checksum. */
static uint16_t fold(uint32_t sum)
{
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

static uint32_t words(const uint8_t *b, size_t n)
{
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i < n; i++)
        sum += i % 2 == 0 ? (uint32_t)b[i] << 8 : b[i];
    return sum;
}

static uint16_t ipv4_sum(const uint8_t *b)
{
    return fold(words(b, 20));
}

static uint16_t udp4_sum(const uint8_t *b)
{
    const size_t n = (size_t)b[24] << 8 | b[25];
    return fold(words(b + 12, 8) + 17 + (uint32_t)n + words(b + 20, n));
}

/* The 8 bytes that plan_of() inserts before the payload. */
static const uint8_t fill[8] = {0xde, 0xad, 0xbe, 0xef, 0xff, 0xff, 0, 0x7f};

/* Returns a plan that inserts 8 bytes after UDP and removes 4 bytes at 32. */
static rocecc_edit plan_of(const rocecc_packet *p)
{
    rocecc_edit_sum s;
    rocecc_edit e;
    uint8_t *b;
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    b = rocecc_edit_add_splice(&e, 28, 0, 8);
    CHECK(b != NULL);
    if (b != NULL) memcpy(b, fill, 8);
    CHECK(rocecc_edit_add_splice(&e, 32, 4, 0) != NULL);
    CHECK(rocecc_edit_add_splice(&e, 40, 0, 4) == NULL);
    s.removed = words(plain4 + 32, 4);
    s.added = words(fill, 8);
    rocecc_edit_grow_ip(&e, p, 4);
    rocecc_edit_set_proto(&e, p, rocecc_edit_proto_offset(p), 17);
    rocecc_edit_set_dscp(&e, p, 0x2a);
    rocecc_edit_grow_upper(&e, p, 4, s);
    rocecc_edit_set_word(&e, p, ROCECC_EDIT_FORMAT, 38, 0x0b0c);
    return e;
}

/* The expected result of that plan, written by hand. The test sums up its checksums. */
static const uint8_t changed4[44] = {
    0x45, 0xa8, 0x00, 0x2c, 0x00, 0x01, 0x40, 0x00, 0x40, 0x11, 0xb6,
    0x14, 0xc0, 0x00, 0x02, 0x01, 0xc0, 0x00, 0x02, 0x02, 0xc0, 0x01,
    0x12, 0xb7, 0x00, 0x18, 0xf2, 0xc8, 0xde, 0xad, 0xbe, 0xef, 0xff,
    0xff, 0,    0x7f, 1,    2,    3,    4,    9,    10,   11,   12};

TEST(edit_apply_writes_words_and_splices)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_packet p = packet_of(&d, plain4, sizeof plain4);
    const rocecc_edit e = plan_of(&p);
    size_t room;
    CHECK_EQ(ipv4_sum(plain4), 0);
    CHECK_EQ(udp4_sum(plain4), 0);
    CHECK_EQ(ipv4_sum(changed4), 0);
    CHECK_EQ(udp4_sum(changed4), 0);
    for (room = 40; room <= 64; room++) {
        uint8_t *b = guard_room(room);
        rocecc_writer w = rocecc_writer_of(b, b + room);
        memcpy(b, plain4, sizeof plain4);
        w.at = sizeof plain4;
        if (room < 48) { /* 48, because the gap opens before bytes are removed */
            CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_ERR_SPACE);
            CHECK(w.at == 40 && memcmp(b, plain4, sizeof plain4) == 0);
            continue;
        }
        CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
        CHECK_EQ(w.at, sizeof changed4);
        CHECK(memcmp(b, changed4, sizeof changed4) == 0);
    }
}

/* The host opens the gap at 28, and removes 4 bytes at 40 afterwards. */
TEST(edit_write_fills_a_gap_of_the_host)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_packet p = packet_of(&d, plain4, sizeof plain4);
    const rocecc_edit e = plan_of(&p);
    uint8_t b[48];
    memcpy(b, plain4, 28);
    memset(b + 28, 0xa5, 8);
    memcpy(b + 36, plain4 + 28, 12);
    CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(b, b + sizeof b)), ROCECC_OK);
    memmove(b + 40, b + 44, 4);
    CHECK(memcmp(b, changed4, sizeof changed4) == 0);
}

/* The reverse change restores the packet. */
TEST(edit_reverse_plan_restores_the_packet)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_packet p = packet_of(&d, changed4, sizeof changed4);
    uint8_t b[48];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_edit_sum s;
    rocecc_edit e;
    uint8_t *in;
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    CHECK(rocecc_edit_add_splice(&e, 28, 8, 0) != NULL);
    in = rocecc_edit_add_splice(&e, 40, 0, 4);
    CHECK(in != NULL);
    if (in != NULL) memcpy(in, plain4 + 32, 4);
    s.removed = words(fill, 8);
    s.added = words(plain4 + 32, 4);
    rocecc_edit_grow_ip(&e, &p, (uint16_t)-4);
    rocecc_edit_set_dscp(&e, &p, 0);
    rocecc_edit_grow_upper(&e, &p, (uint16_t)-4, s);
    memcpy(b, changed4, sizeof changed4);
    w.at = sizeof changed4;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK_EQ(w.at, sizeof plain4);
    CHECK(memcmp(b, plain4, sizeof plain4) == 0);
}

/* One different bit in any compared word gives NO_MATCH, and no byte changes. */
TEST(edit_needs_every_compared_bit)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_packet p = packet_of(&d, plain4, sizeof plain4);
    const rocecc_edit e = plan_of(&p);
    int i, bit, seen = 0;
    for (i = 0; i < ROCECC_EDIT_FIELDS; i++) {
        if ((e.words >> i & 1) == 0) continue;
        seen++;
        for (bit = 0; bit < 16; bit++) {
            uint8_t b[64] = {0}, was[64], open[64];
            rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
            memcpy(b, plain4, sizeof plain4);
            b[e.word[i].offset + bit / 8] ^= (uint8_t)(1 << bit % 8);
            memcpy(was, b, sizeof b);
            w.at = sizeof plain4;
            CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_NO_MATCH);
            CHECK(w.at == sizeof plain4 && memcmp(was, b, sizeof b) == 0);
            memmove(b + 36, b + 28, 12);
            memcpy(open, b, sizeof b);
            w.at = 0;
            CHECK_EQ(rocecc_edit_write(&e, w), ROCECC_NO_MATCH);
            CHECK(memcmp(open, b, sizeof b) == 0);
        }
    }
    CHECK_EQ(seen, 7);
}

/* A plan does not fit a shorter packet in which a word or a splice is missing. */
TEST(edit_needs_every_word_and_splice_in_the_packet)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_packet p = packet_of(&d, plain4, sizeof plain4);
    const rocecc_edit e = plan_of(&p);
    size_t n;
    for (n = 0; n < sizeof plain4; n++) {
        uint8_t *b = guard_room(64);
        rocecc_writer w = rocecc_writer_of(b, b + 64);
        memcpy(b, plain4, sizeof plain4);
        w.at = n;
        CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_NO_MATCH);
        CHECK(memcmp(b, plain4, sizeof plain4) == 0);
        b = guard_end(plain4, n);
        CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(b, b + n)), ROCECC_NO_MATCH);
        CHECK(memcmp(b, plain4, n) == 0);
    }
}

/* A UDP checksum of 0 stays 0. A new checksum of 0 is written as 0xffff. */
TEST(edit_keeps_udp_checksum_0_and_writes_0xffff)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    rocecc_edit_sum s = {0, 0};
    rocecc_edit e;
    uint8_t b[sizeof plain4];
    rocecc_packet p;
    memcpy(b, plain4, sizeof b);
    b[26] = b[27] = 0;
    p = packet_of(&d, b, sizeof b);
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    rocecc_edit_grow_upper(&e, &p, 8, s);
    CHECK_EQ(e.word[ROCECC_EDIT_UPPER_SUM].new_value, 0);
    CHECK_EQ(e.word[ROCECC_EDIT_UDP_LENGTH].new_value, 28);
    p = packet_of(&d, plain4, sizeof plain4);
    s.added = 0x84df; /* cancels the checksum, so the new one is 0 */
    rocecc_edit_grow_upper(&e, &p, 0, s);
    CHECK_EQ(e.word[ROCECC_EDIT_UPPER_SUM].new_value, 0xffff);
}

/* IPv6 in IPv6 with two extension headers after the inner header. */
TEST(edit_updates_both_ipv6_lengths)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .ah = true};
    uint8_t b[40 + 40 + 16 + 8] = {0};
    rocecc_edit e;
    rocecc_packet p;
    b[0] = b[40] = 0x60;
    b[5] = 40 + 16 + 8;
    b[6] = 41;
    b[45] = 16 + 8;
    b[46] = 60;
    b[80] = 60;
    b[88] = 17;
    b[101] = 8;
    p = packet_of(&d, b, sizeof b);
    CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_UDP);
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_edit_proto_offset(&p), 88);
    rocecc_edit_set_proto(&e, &p, 88, 253);
    rocecc_edit_grow_ip(&e, &p, 32);
    rocecc_edit_set_dscp(&e, &p, 0x3f);
    CHECK_EQ(e.words, 1u << ROCECC_EDIT_OUTER_LENGTH | 1u << ROCECC_EDIT_IP_LENGTH |
                          1u << ROCECC_EDIT_IP_PROTO | 1u << ROCECC_EDIT_IP_DSCP);
    CHECK_EQ(e.word[ROCECC_EDIT_OUTER_LENGTH].offset, 4);
    CHECK_EQ(e.word[ROCECC_EDIT_OUTER_LENGTH].new_value, 64 + 32);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_LENGTH].offset, 44);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_LENGTH].new_value, 24 + 32);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_PROTO].new_value, 0xfd00);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_DSCP].new_value, 0x6fc0);
    CHECK_EQ(rocecc_edit_may_grow(&p, 32, sizeof b + 32), ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_edit_may_grow(&p, 32, sizeof b + 31), ROCECC_EDIT_MTU);
    CHECK_EQ(rocecc_edit_may_grow(&p, 65535 - 64, 0xffffffff), ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_edit_may_grow(&p, 65535 - 63, 0xffffffff), ROCECC_EDIT_FULL);
    b[80] = 51; /* the second is an Authentication Header */
    b[89] = 0;
    p = packet_of(&d, b, sizeof b);
    CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_UDP);
    CHECK_EQ(rocecc_edit_proto_offset(&p), 0);
}

/* The protocol's offset is in the IPv4 header. With AH it is 0, because AH covers
 * everything that follows. */
TEST(edit_proto_offset_of_ipv4_is_0_with_ah)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .ah = true};
    const test_frame plain = frame_of("4500001c 00000000 40110000 c0000201 c0000202"
                                      "c0000007 00080000");
    const test_frame ah = frame_of("45000028 00000000 40330000 c0000201 c0000202"
                                   "11010000 00000001 00000001 c0000007 00080000");
    rocecc_packet p = frame_walked(&d, &plain);
    CHECK(p.headers.udp == 20 && p.headers.ip.n_ext == 0);
    CHECK_EQ(rocecc_edit_proto_offset(&p), 8);
    p = frame_walked(&d, &ah);
    CHECK(p.headers.udp == 32 && p.headers.ip.n_ext == 1);
    CHECK_EQ(rocecc_edit_proto_offset(&p), 0);
    CHECK_EQ(rocecc_edit_may_change_upper(&p, 0), ROCECC_EDIT_AH);
}

/* An 802.3 length counts a CSIG tag after SNAP, so the tag stays. No length counts a
 * tag before PPPoE. */
TEST(edit_keeps_a_tag_inside_an_8023_length)
{
    static const uint8_t snap[30] = {2,    0,    0,    0,    0,    2,    2, 0, 0, 0,
                                     0,    1,    0,    16,   0xaa, 0xaa, 3, 0, 0, 0,
                                     0x99, 0x00, 0x2b, 0x85, 0x08, 0x06, 1, 2, 3, 4};
    static const uint8_t session[28] = {2, 0, 0,    0, 0,    2,    2,    0,    0,    0,
                                        0, 1, 0x99, 0, 0x2b, 0x85, 0x88, 0x64, 0x11, 0,
                                        0, 7, 0,    4, 0xc0, 0x21, 1,    1};
    rocecc_domain d = {0};
    rocecc_packet p;
    rocecc_edit e;
    d.csig.compact_tpid = 0x9900;
    p = packet_of(&d, snap, sizeof snap);
    CHECK(p.headers.link == 12 && p.headers.csig == 20);
    CHECK_EQ(rocecc_csig_strip(&p, &e), ROCECC_EDIT_UNSUPPORTED);
    CHECK(!rocecc_edit_needs_action(&e));
    p = packet_of(&d, session, sizeof session);
    CHECK(p.headers.link == 22 && p.headers.csig == 12);
    CHECK_EQ(rocecc_csig_strip(&p, &e), ROCECC_EDIT_CHANGE);
    CHECK(rocecc_edit_needs_action(&e));
}

TEST(edit_may_change_depends_on_mtu_and_headers)
{
    rocecc_domain d = {0};
    rocecc_packet p = packet_of(&d, plain4, sizeof plain4);
    CHECK_EQ(rocecc_edit_may_change(&p, false), ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_edit_may_change(&p, true), ROCECC_EDIT_AH);
    p.headers.link = 12;
    CHECK_EQ(rocecc_edit_may_change(&p, true), ROCECC_EDIT_UNSUPPORTED);
    CHECK_EQ(rocecc_edit_may_change(&p, false), ROCECC_EDIT_UNSUPPORTED);
}

/* Malformed plans are rejected, and random plans stay within the buffer. */
TEST(edit_rejects_malformed_plans)
{
    static rocecc_edit e;
    uint8_t b[64] = {0};
    uint64_t state = 1;
    uint64_t n = test_rounds(200000);
    size_t i;
    memset(&e, 0, sizeof e);
    e.n_splices = 3;
    CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(NULL, NULL)), ROCECC_ERR_RANGE);
    e.n_splices = 1;
    e.splice[0].new_bytes = 2;
    CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(NULL, NULL)), ROCECC_ERR_RANGE);
    e.splice[0].new_bytes = ROCECC_EDIT_FILL_MAX + 4;
    CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(NULL, NULL)), ROCECC_ERR_RANGE);
    e.n_splices = 2; /* the second begins in the first */
    e.splice[0].new_bytes = 0;
    e.splice[0].old_bytes = 4;
    e.splice[1].offset = 3;
    CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(b, b + 64)), ROCECC_ERR_RANGE);
    e.splice[1].offset = 4;
    CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(b, b + 64)), ROCECC_OK);
    e.n_splices = 0;
    CHECK(!rocecc_edit_needs_action(&e));
    CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(NULL, NULL)), ROCECC_OK);
    while (n-- > 0) {
        const size_t size = test_random(&state) % 64;
        const size_t room = test_random(&state) % 64;
        uint8_t *at = guard_room(size + room);
        rocecc_writer w = rocecc_writer_of(at, at + size + room);
        memset(at, 0, size + room);
        e.n_splices = (uint8_t)(test_random(&state) % 4);
        e.words = (uint16_t)(1u << test_random(&state) % 16);
        for (i = 0; i < 2; i++) {
            e.splice[i].offset = (uint16_t)(test_random(&state) % 48);
            e.splice[i].old_bytes = (uint16_t)(test_random(&state) % 32);
            e.splice[i].new_bytes = (uint16_t)(test_random(&state) % 32 & 0x1cu);
        }
        for (i = 0; i < ROCECC_EDIT_FIELDS; i++)
            e.word[i].offset = (uint16_t)(test_random(&state) % 80);
        (void)rocecc_edit_write(&e, w);
        w.at = size;
        if (rocecc_edit_apply(&e, &w) != ROCECC_OK) CHECK_EQ(w.at, size);
    }
}

/* The 264 bytes of fill are for both splices. A third splice is rejected. */
TEST(edit_splices_share_fill)
{
    rocecc_edit e;
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    CHECK(rocecc_edit_add_splice(&e, 0, 0, ROCECC_EDIT_FILL_MAX + 4) == NULL);
    CHECK_EQ(e.n_splices, 0);
    CHECK(rocecc_edit_add_splice(&e, 0, 0, ROCECC_EDIT_FILL_MAX - 4) == e.fill);
    CHECK(rocecc_edit_add_splice(&e, 8, 0, 8) == NULL);
    CHECK_EQ(e.n_splices, 1);
    CHECK(rocecc_edit_add_splice(&e, 8, 0, 4) == e.fill + ROCECC_EDIT_FILL_MAX - 4);
    CHECK(rocecc_edit_add_splice(&e, 16, 4, 0) == NULL);
    e.n_splices = 1; /* a broken plan */
    e.splice[0].new_bytes = ROCECC_EDIT_FILL_MAX + 4;
    CHECK(rocecc_edit_add_splice(&e, 8, 0, 0) == NULL);
    CHECK_EQ(e.n_splices, 1);
}

/* A word that is not entirely in the packet reads as 0. */
TEST(edit_loads_0_beyond_the_packet)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_packet p = packet_of(&d, plain4, sizeof plain4);
    CHECK_EQ(rocecc_edit_load_word(&p, 38), 0x0b0c);
    CHECK_EQ(rocecc_edit_load_word(&p, 39), 0);
    CHECK_EQ(rocecc_edit_load_word(&p, 40), 0);
    CHECK_EQ(rocecc_edit_load_word(&p, SIZE_MAX - 2), 0);
}

/* fill_sum() sums all of fill, and no more, even if n_bytes is larger. */
TEST(edit_fill_sum_covers_all_of_fill)
{
    rocecc_edit e;
    size_t i;
    for (i = 0; i < ROCECC_EDIT_FILL_MAX; i++)
        e.fill[i] = (uint8_t)(i * 7);
    for (i = 0; i <= ROCECC_EDIT_FILL_MAX; i += 4)
        CHECK_EQ(rocecc_edit_fill_sum(&e, i), words(e.fill, i));
    CHECK_EQ(rocecc_edit_fill_sum(&e, 4096), words(e.fill, ROCECC_EDIT_FILL_MAX));
}

/* store_() writes an unchecked plan only inside its packet. It writes neither a part of
 * a word nor bytes beyond fill. */
TEST(edit_unchecked_writes_only_inside_the_packet)
{
    static rocecc_edit e;
    uint8_t b[400], was[400];
    rocecc_writer w = rocecc_writer_of(b, b + 16);
    memset(b, 0xa5, sizeof b);
    memcpy(was, b, sizeof b);
    memset(&e, 0, sizeof e);
    e.words = 3;
    e.word[0].offset = 15; /* only one byte is there */
    e.word[1].offset = 400;
    rocecc_edit_store_(&e, w);
    CHECK(memcmp(b, was, sizeof b) == 0);
    e.words = 0;
    e.n_splices = 1;
    e.splice[0].offset = 10;
    e.splice[0].new_bytes = 12; /* 6 bytes are there: 4 are written */
    rocecc_edit_store_(&e, w);
    CHECK(rocecc_load32(b + 10) == 0 && memcmp(b + 14, was + 14, 386) == 0);
    memcpy(b, was, sizeof b);
    w = rocecc_writer_of(b, b + sizeof b);
    e.splice[0].offset = 0;
    e.splice[0].new_bytes = 320; /* fill has 264 */
    rocecc_edit_store_(&e, w);
    CHECK(b[263] == 0 && memcmp(b + 264, was + 264, 136) == 0);
}

/* Bytes do not move if a part of the source or of the target is missing. */
TEST(edit_move_needs_the_whole_source_and_target)
{
    uint8_t b[400], was[400];
    const rocecc_writer w = rocecc_writer_of(b, b + 20);
    size_t i;
    for (i = 0; i < sizeof b; i++)
        was[i] = b[i] = (uint8_t)(i * 7);
    rocecc_edit_move_(w, 0, 13, 8);
    rocecc_edit_move_(w, 13, 0, 8);
    rocecc_edit_move_(w, 0, 13, 200);
    rocecc_edit_move_(w, 21, 0, 1);
    CHECK(memcmp(b, was, sizeof b) == 0);
    rocecc_edit_move_(w, 0, 12, 8);
    CHECK(memcmp(b + 12, was, 8) == 0 && memcmp(b, was, 12) == 0);
    CHECK(memcmp(b + 20, was + 20, 380) == 0);
}

static const rocecc_domain ip = {.link = ROCECC_LINK_IP, .ah = true};

/* The first splice may use all of fill. The second can then only remove bytes, and a
 * third is rejected. */
TEST(edit_second_splice_may_remove_bytes_if_fill_is_full)
{
    rocecc_edit e;
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    CHECK(rocecc_edit_add_splice(&e, 0, 0, ROCECC_EDIT_FILL_MAX) == e.fill);
    CHECK(rocecc_edit_add_splice(&e, 8, 0, 4) == NULL);
    CHECK(rocecc_edit_add_splice(&e, 8, 4, 0) == e.fill + ROCECC_EDIT_FILL_MAX);
    CHECK_EQ(e.n_splices, 2);
    CHECK(rocecc_edit_add_splice(&e, 16, 4, 0) == NULL);
}

/* Each of the two IP headers has its own words for length and checksum. */
TEST(edit_updates_checksums_of_both_ip_headers)
{
    uint8_t b[80];
    rocecc_packet p;
    rocecc_edit e;
    frame_roce(b + 20, 60, 0x04);
    memcpy(b, b + 20, 20);
    b[3] = 80;
    b[9] = 4;
    (void)rocecc_packet_parse(&ip, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.outer.version, 4);
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    rocecc_edit_grow_ip(&e, &p, 4);
    CHECK_EQ(e.words, 1u << ROCECC_EDIT_OUTER_LENGTH | 1u << ROCECC_EDIT_OUTER_SUM |
                          1u << ROCECC_EDIT_IP_LENGTH | 1u << ROCECC_EDIT_IP_SUM);
    CHECK_EQ(e.word[ROCECC_EDIT_OUTER_LENGTH].offset, 2);
    CHECK_EQ(e.word[ROCECC_EDIT_OUTER_SUM].offset, 10);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_LENGTH].offset, 22);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_SUM].offset, 30);
    CHECK_EQ(e.word[ROCECC_EDIT_OUTER_LENGTH].new_value, 84);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_LENGTH].new_value, 64);
}

/* Writes a packet of 40 different bytes, and 0xa5 after it. */
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

/* A plan with only splices or only words needs action. */
TEST(edit_needs_action_with_splices_or_words)
{
    uint8_t b[40];
    const rocecc_writer w = numbered(b, sizeof b);
    const rocecc_packet p = packet_of(&ip, b, w.at);
    rocecc_edit e;
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    CHECK(!rocecc_edit_needs_action(&e));
    CHECK(rocecc_edit_add_splice(&e, 8, 4, 0) != NULL);
    CHECK(rocecc_edit_needs_action(&e));
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_FULL);
    rocecc_edit_set_word(&e, &p, ROCECC_EDIT_FORMAT, 8, 0);
    CHECK(rocecc_edit_needs_action(&e));
}

/* add_splice() rejects one byte more than fill has, in one splice or after a malformed
 * splice. */
TEST(edit_rejects_a_splice_beyond_fill)
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

/* fill_sum() reads nothing after fill. The plan ends at a guard page. */
TEST(edit_fill_sum_reads_only_fill)
{
    static rocecc_edit all;
    rocecc_edit *e;
    memset(all.fill, 1, sizeof all.fill);
    e = (rocecc_edit *)(void *)guard_end(&all, sizeof all);
    CHECK_EQ(rocecc_edit_fill_sum(e, 4096), ROCECC_EDIT_FILL_MAX / 2 * 0x101);
}

/* A packet has an outer header only if outer.version is not 0. */
TEST(edit_needs_outer_version_for_an_outer_header)
{
    static const uint8_t plain[40] = {0x45, 0, 0, 40, 0, 0, 0, 0, 64, 253};
    rocecc_packet p = packet_of(&ip, plain, sizeof plain);
    rocecc_edit e;
    CHECK_EQ(p.headers.ip.version, 4);
    p.headers.outer.proto = ROCECC_PROTO_IPV4;
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    rocecc_edit_grow_ip(&e, &p, 4);
    CHECK_EQ(e.words, 1u << ROCECC_EDIT_IP_LENGTH | 1u << ROCECC_EDIT_IP_SUM);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_LENGTH].new_value, 44);
}

/* AH covers everything after it, even if another header follows it. */
TEST(edit_proto_offset_of_a_header_after_ah_is_0)
{
    uint8_t b[40 + 24 + 8] = {0x60, 0, 0, 0, 0, 24 + 8, ROCECC_PROTO_DSTOPTS, 64};
    rocecc_packet p;
    int with_ah;
    for (with_ah = 0; with_ah < 2; with_ah++) {
        b[40] = (uint8_t)(with_ah ? ROCECC_PROTO_AH : ROCECC_PROTO_DSTOPTS);
        b[48] = ROCECC_PROTO_DSTOPTS; /* 8 bytes of an AH, too */
        b[56] = ROCECC_PROTO_UDP;
        b[69] = 8;
        p = packet_of(&ip, b, sizeof b);
        CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_UDP);
        CHECK_EQ(p.headers.ip.n_ext, 3);
        CHECK_EQ(rocecc_edit_proto_offset(&p), with_ah ? 0 : 56);
    }
}

/*
 * added_bytes is modulo 2^16. Up to 0x7fff the packet grows, and from 0x8000 on it
 * shrinks. In ones' complement, 0x7fff more and 0x8000 less are the same step. It turns
 * the sum 0xedcb (checksum 0x1234) into 0x6dcb (checksum 0x9234). In TCP, checksum 0
 * stands for the sum 0xffff, and 1 more gives 1.
 */
TEST(edit_patches_tcp_checksums_modulo_2_16)
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
        p = packet_of(&ip, b, sizeof b);
        CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_TCP);
        (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
        rocecc_edit_grow_upper(&e, &p, rows[i].more, none);
        CHECK_EQ(e.words, 1u << ROCECC_EDIT_UPPER_SUM);
        CHECK_EQ(e.word[ROCECC_EDIT_UPPER_SUM].offset, 36);
        CHECK_EQ(e.word[ROCECC_EDIT_UPPER_SUM].new_value, rows[i].is);
    }
}

/* A splice must end inside the packet, even if no word checks that. */
TEST(edit_rejects_a_splice_beyond_the_packet)
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

/* A plan has 14 words. Bits of two more are ignored. */
TEST(edit_ignores_bits_without_a_word)
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

/* A word after two gaps is 12 bytes further on if the host has made the room. The
 * verdict does not matter. */
TEST(edit_writes_a_word_after_two_gaps)
{
    int verdict;
    for (verdict = ROCECC_EDIT_NONE; verdict <= ROCECC_EDIT_FRAGMENT; verdict++) {
        uint8_t b[52];
        const rocecc_writer packet = numbered(b, sizeof b);
        const rocecc_packet p = packet_of(&ip, b, packet.at);
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

/* new_bytes must be whole words, but old_bytes need not. So a packet can grow or shrink
 * by any number of bytes. */
TEST(edit_applies_a_change_of_any_number_of_bytes)
{
    uint16_t was;
    for (was = 0; was <= 9; was++) {
        uint8_t b[48], should[48];
        rocecc_writer w = numbered(b, sizeof b);
        rocecc_edit e;
        uint8_t *fill_bytes;
        test_context("%u bytes become 4", (unsigned)was);
        memcpy(should, b, 10);
        memset(should + 10, 0xee, 4);
        memcpy(should + 14, b + 10 + was, 30u - was);
        (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
        fill_bytes = rocecc_edit_add_splice(&e, 10, was, 4);
        CHECK(fill_bytes != NULL);
        if (fill_bytes != NULL) memset(fill_bytes, 0xee, 4);
        CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
        CHECK_EQ(w.at, 44u - was);
        CHECK(memcmp(b, should, 44u - was) == 0);
    }
}

/* A splice that removes one byte. */
TEST(edit_applies_the_removal_of_one_byte)
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

/* store_() writes no part of a word of fill in an unchecked plan, and ignores a third
 * splice. */
TEST(edit_unchecked_writes_only_whole_words)
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
    e.word[0].new_value = 8; /* as a splice, it would insert 8 bytes at 0 */
    CHECK_EQ(rocecc_edit_shifted_offset_(&e, 0, 3), 0);
    rocecc_edit_store_(&e, rocecc_writer_of(b, b + sizeof b));
    CHECK_EQ(rocecc_load16(b), 8);
    CHECK(memcmp(b + 2, was + 2, 38) == 0);
}

/* Bytes move only if all of them and their target exist. If the last 8 of 16 have no
 * room, the first 8 stay, too. 64 bytes at once move only if all are there. */
TEST(edit_moves_bytes_only_if_all_of_them_exist)
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
    CHECK(memcmp(b, was, sizeof b) == 0); /* nor bytes before the first */
    rocecc_edit_move_(rocecc_writer_of(b, b + 104), 40, 0, 64);
    CHECK(memcmp(b, was + 40, 64) == 0 && memcmp(b + 64, was + 64, 136) == 0);
}

/* ~(~0x1234 + 0x1234) is 0 (RFC 1624). UDP then writes 0xffff, because 0 means no
 * checksum (RFC 768). In TCP, 0 is an ordinary checksum. */
TEST(edit_writes_tcp_checksum_0_unchanged)
{
    static const uint8_t protos[] = {6, 17};
    rocecc_domain d = ROCECC_ZERO;
    size_t i;
    d.link = ROCECC_LINK_IP;
    for (i = 0; i < 2; i++) {
        const rocecc_edit_sum sum = {0, 0x1234};
        const bool udp = protos[i] == 17;
        uint8_t b[40] = {0x45, 0, 0, 40};
        rocecc_packet p;
        rocecc_edit e;
        b[9] = protos[i];
        b[20 + (udp ? 5 : 12)] = udp ? 20 : 0x50; /* UDP Length, Data Offset */
        rocecc_store16(b + 20 + (udp ? 6 : 16), 0x1234);
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(p.headers.ip.proto, protos[i]);
        (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
        rocecc_edit_grow_upper(&e, &p, 0, sum);
        CHECK_EQ(e.word[ROCECC_EDIT_UPPER_SUM].old_value, 0x1234);
        CHECK_EQ(e.word[ROCECC_EDIT_UPPER_SUM].new_value, udp ? 0xffff : 0);
    }
}

/* patch_sum() takes sums of any 32 bits. It computes ~(~HC + ~m + m') of RFC 1624 in
 * 16-bit words. */
TEST(edit_patches_checksums_by_any_32_bit_sum)
{
    static const uint32_t sums[] = {0, 1, 0xffff, 0x10000, 0xfffe0001, 0xffffffff};
    size_t i, k;
    for (i = 0; i < 6; i++)
        for (k = 0; k < 6; k++) {
            const rocecc_edit_sum sum = {sums[i], sums[k]};
            uint64_t s = 0xffff - 0x1234;
            s += 0xffff - (uint64_t)(sums[i] % 0xffff);
            s += sums[k];
            while (s > 0xffff)
                s = (s & 0xffff) + (s >> 16);
            test_context("%zu, %zu", i, k);
            CHECK_EQ(rocecc_edit_patch_sum(0x1234, sum) % 0xffff,
                     (0xffff - s) % 0xffff);
        }
    test_context("%s", "");
}

/* 40 bytes that become 36 do not fit a link of 35. MTU comes before FULL. */
TEST(edit_may_grow_checks_the_mtu_of_a_shrinking_packet)
{
    const rocecc_packet p = packet_of(&ip, plain4, sizeof plain4);
    CHECK_EQ(rocecc_edit_may_grow(&p, (uint32_t)-4, 36), ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_edit_may_grow(&p, (uint32_t)-4, 35), ROCECC_EDIT_MTU);
    CHECK_EQ(rocecc_edit_may_grow(&p, 65535 - 40, 65536), ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_edit_may_grow(&p, 65536 - 40, 65536), ROCECC_EDIT_FULL);
    CHECK_EQ(rocecc_edit_may_grow(&p, 65536 - 40, 65535), ROCECC_EDIT_MTU);
}

/* A packet that only the capture has cut (30 of 40 bytes) may change. Of partial
 * packets, only TRIMMED without INT may. UNSUPPORTED comes before AH. */
TEST(edit_may_change_upper_accepts_a_packet_cut_by_the_capture)
{
    rocecc_packet p = packet_of(&ip, plain4, 30);
    int partial;
    CHECK_EQ(rocecc_packet_partial(&p), ROCECC_PARTIAL_CAPTURED);
    CHECK_EQ(rocecc_edit_may_change_upper(&p, 8), ROCECC_EDIT_CHANGE);
    for (partial = ROCECC_PARTIAL_FRAGMENT; partial <= ROCECC_PARTIAL_QUOTED;
         partial++) {
        const bool trimmed = partial == ROCECC_PARTIAL_TRIMMED;
        test_context("reason %d", partial);
        p.headers.partial = (rocecc_partial)partial;
        p.headers.intmd = 0;
        CHECK_EQ(rocecc_edit_may_change_upper(&p, 8),
                 trimmed ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_UNSUPPORTED);
        CHECK_EQ(rocecc_edit_may_change_upper(&p, 0),
                 trimmed ? ROCECC_EDIT_AH : ROCECC_EDIT_UNSUPPORTED);
        p.headers.intmd = 28;
        CHECK_EQ(rocecc_edit_may_change_upper(&p, 0), ROCECC_EDIT_UNSUPPORTED);
    }
}

/* The word at 10 is within the splice, so its new value is lost. Its old value is still
 * compared. */
TEST(edit_compares_a_word_in_a_splice_without_writing_it)
{
    static const uint8_t new_bytes[4] = {0xe0, 0xe1, 0xe2, 0xe3};
    int other;
    for (other = 0; other < 2; other++) {
        uint8_t b[40];
        rocecc_writer w = numbered(b, sizeof b);
        const rocecc_packet p = packet_of(&ip, b, w.at);
        rocecc_edit e;
        (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
        memcpy(e.fill, new_bytes, 4);
        CHECK(rocecc_edit_add_splice(&e, 8, 4, 4) == e.fill);
        rocecc_edit_set_word(&e, &p, ROCECC_EDIT_FORMAT, 10, 0xbeef);
        test_context("byte 11 is %s", other ? "different" : "unchanged");
        b[11] = (uint8_t)(12 + other);
        CHECK_EQ(rocecc_edit_apply(&e, &w), other ? ROCECC_NO_MATCH : ROCECC_OK);
        CHECK_EQ(w.at, 40);
        CHECK_EQ(b[7], 8);
        CHECK_EQ(b[8], other ? 9 : 0xe0);
        CHECK_EQ(b[10], other ? 11 : 0xe2);
        CHECK_EQ(b[12], 13);
    }
}

/* Two splices insert at 16. apply() and write() put the first one's bytes first. */
TEST(edit_keeps_the_order_of_splices_at_one_offset)
{
    uint8_t b[52], open[52];
    rocecc_writer w = numbered(b, sizeof b);
    rocecc_edit e;
    memcpy(open, b, 16);
    memset(open + 16, 0xa5, 12);
    memcpy(open + 28, b + 16, 24);
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    CHECK(rocecc_edit_add_splice(&e, 16, 0, 4) == e.fill);
    CHECK(rocecc_edit_add_splice(&e, 16, 0, 8) == e.fill + 4);
    memset(e.fill, 0xe1, 4);
    memset(e.fill + 4, 0xe2, 8);
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK_EQ(w.at, 52);
    CHECK(b[15] == 16 && b[16] == 0xe1 && b[19] == 0xe1);
    CHECK(b[20] == 0xe2 && b[27] == 0xe2 && b[28] == 17 && b[51] == 40);
    CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(open, open + sizeof open)),
             ROCECC_OK);
    CHECK(memcmp(open, b, sizeof b) == 0);
}

/* OK gives CHANGE, NO_MATCH gives NONE, UNSUPPORTED stays UNSUPPORTED, and all other
 * statuses give BROKEN. */
TEST(edit_status_verdict_maps_each_status)
{
    CHECK_EQ(rocecc_edit_status_verdict(ROCECC_OK), ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_edit_status_verdict(ROCECC_NO_MATCH), ROCECC_EDIT_NONE);
    CHECK_EQ(rocecc_edit_status_verdict(ROCECC_ERR_UNSUPPORTED),
             ROCECC_EDIT_UNSUPPORTED);
    CHECK_EQ(rocecc_edit_status_verdict(ROCECC_END), ROCECC_EDIT_BROKEN);
    CHECK_EQ(rocecc_edit_status_verdict(ROCECC_ERR_SHORT), ROCECC_EDIT_BROKEN);
    CHECK_EQ(rocecc_edit_status_verdict(ROCECC_ERR_FORMAT), ROCECC_EDIT_BROKEN);
    CHECK_EQ(rocecc_edit_status_verdict(ROCECC_ERR_RANGE), ROCECC_EDIT_BROKEN);
    CHECK_EQ(rocecc_edit_status_verdict(ROCECC_ERR_SPACE), ROCECC_EDIT_BROKEN);
}
