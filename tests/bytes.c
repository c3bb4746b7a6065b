/* SPDX-License-Identifier: BSD-2-Clause */
#include "rocecc/bytes.h"

#include <string.h>

#include "lib/guard.h"
#include "lib/test.h"
#include "rocecc/guard/acl.h"
#include "rocecc/guard/flowtable.h"
#include "rocecc/guard/qpnlearner.h"
#include "rocecc/guard/traffic_slot.h"

/* An empty buffer without an address is valid. */
TEST(bytes_empty_buffer_is_valid)
{
    rocecc_reader r = rocecc_reader_of(NULL, NULL), body;
    rocecc_writer w = rocecc_writer_of(NULL, NULL);
    CHECK_EQ(rocecc_left(&r), 0);
    CHECK_EQ(rocecc_room(&w), 0);
    CHECK(rocecc_take(&r, 0) != NULL);
    CHECK(rocecc_take(&r, 1) == NULL);
    CHECK(rocecc_split(&r, 0, &body) && rocecc_left(&body) == 0);
    CHECK(rocecc_put(&w, 0) != NULL);
    CHECK(rocecc_put(&w, 1) == NULL);
    CHECK(rocecc_append(&w, r, 0));
}

/* The length check does not wrap for any n, wherever the cursor is. */
TEST(bytes_length_check_does_not_wrap)
{
    static const size_t large[] = {SIZE_MAX,         SIZE_MAX - 1, SIZE_MAX - 8,
                                   SIZE_MAX / 2 + 1, SIZE_MAX / 2, SIZE_MAX / 2 - 1};
    uint8_t *at = guard_end(NULL, 16);
    size_t start, i;
    for (start = 0; start <= 16; start++)
        for (i = 0; i < sizeof large / sizeof large[0]; i++) {
            rocecc_reader r = rocecc_reader_of(at, at + 16), body;
            rocecc_writer w = rocecc_writer_of(at, at + 16);
            CHECK(rocecc_take(&r, start) == at && rocecc_put(&w, start) == at);
            CHECK(rocecc_take(&r, large[i]) == NULL);
            CHECK(rocecc_put(&w, large[i]) == NULL);
            CHECK(!rocecc_split(&r, large[i], &body));
            CHECK(rocecc_left(&r) == 16 - start && rocecc_room(&w) == 16 - start);
            CHECK(rocecc_take(&r, 17 - start) == NULL);
            CHECK(rocecc_take(&r, 16 - start) == at + start);
        }
}

/* A split part ends at its length, even in a longer buffer. */
TEST(bytes_split_part_ends_at_its_length)
{
    uint8_t *at = guard_end("abcdef", 6);
    rocecc_reader r = rocecc_reader_of(at, at + 6), body, inner;
    CHECK(rocecc_split(&r, 4, &body) && rocecc_left(&r) == 2);
    CHECK(rocecc_take(&body, 1) == at && rocecc_left(&body) == 3);
    CHECK(!rocecc_split(&body, 4, &inner));
    CHECK(rocecc_split(&body, 3, &inner) && rocecc_take(&inner, 3) == at + 1);
    CHECK(rocecc_take(&inner, 1) == NULL && rocecc_take(&body, 1) == NULL);
    CHECK(rocecc_take(&r, 2) == at + 4);
}

/* append() copies all bytes or none. */
TEST(bytes_append_copies_all_or_none)
{
    uint8_t out[4] = {9, 9, 9, 9};
    rocecc_writer w = rocecc_writer_of(out, out + 4);
    static const char text[] = "abcde";
    rocecc_reader r = rocecc_reader_of(text, text + 5);
    CHECK(!rocecc_append(&w, r, 9) && w.at == 0 && out[0] == 9);
    (void)rocecc_take(&r, 2);
    CHECK(!rocecc_append(&w, r, 2) && w.at == 0 && out[0] == 9);
    CHECK(rocecc_append(&w, r, 3) && w.at == 3 && rocecc_left(&r) == 3);
    CHECK(memcmp(out, "cde\x09", 4) == 0);
}

/* append() copies exactly n bytes, for every n. */
TEST(bytes_append_copies_n_bytes)
{
    uint8_t from[100], to[101];
    size_t n, i;
    for (i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)(i + 1);
    for (n = 0; n <= sizeof from; n++) {
        rocecc_writer w = rocecc_writer_of(to, to + sizeof to);
        test_context("%zu bytes", n);
        memset(to, 0, sizeof to);
        CHECK(rocecc_append(&w, rocecc_reader_of(from, from + n), n) && w.at == n);
        CHECK(memcmp(to, from, n) == 0 && to[n] == 0);
    }
}

/* A declared length turns SHORT into FORMAT and leaves every other status. */
TEST(bytes_declared_length_turns_short_into_format)
{
    int s;
    for (s = ROCECC_OK; s <= ROCECC_ERR_SPACE; s++)
        CHECK_EQ(rocecc_status_declared((rocecc_status)s),
                 s == ROCECC_ERR_SHORT ? ROCECC_ERR_FORMAT : s);
}

TEST(bytes_load32_and_store32_are_big_endian)
{
    static const uint8_t wire[5] = {0, 0x12, 0x34, 0x56, 0x78};
    uint8_t back[5] = {0};
    CHECK_EQ(rocecc_load32(wire + 1), 0x12345678);
    rocecc_store32(back + 1, 0x12345678);
    CHECK(memcmp(wire, back, 5) == 0);
}

/*
 * The first of the eight bytes is the highest in traffic_slot.h and acl.h, and the
 * lowest in flowtable.h and qpnlearner.h.
 */
TEST(load64_of_an_address_has_the_order_of_its_header)
{
    static const uint8_t b[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    CHECK_EQ(rocecc_traffic_slot_load64_(b), UINT64_C(0x0102030405060708));
    CHECK_EQ(rocecc_acl_load64_(b), UINT64_C(0x0102030405060708));
    CHECK_EQ(rocecc_flowtable_load64_(b), UINT64_C(0x0807060504030201));
    CHECK_EQ(rocecc_qpnlearner_load64_(b), UINT64_C(0x0807060504030201));
}
