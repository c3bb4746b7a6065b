/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/srv6.h"
#include "lib/noun.h"

#include <string.h>

NOUN(srh, parse, false, SRH_FIELDS);

TEST(srv6_vectors)
{
    const noun_file file = {"srv6", law_srv6, &srh_noun, 1, NULL, 0};
    noun_vectors(&file);
}

/* Every length, Last Entry and Segments Left: what fits, by RFC 8754, 4.3.1.1. */
TEST(srv6_last_entry)
{
    static uint8_t bytes[8 + 8 * 255], again[8 + 8 * 255];
    int len, last, left;
    bytes[2] = 4;
    for (len = 0; len < 256; len++)
        for (last = 0; last < 256; last++)
            for (left = last; left <= last + 3 && left < 256; left++) {
                const size_t n = 8 + 8 * (size_t)len;
                const bool fits = last <= len / 2 - 1 && left <= last + 1;
                rocecc_reader r = rocecc_reader_of(bytes, bytes + n);
                rocecc_writer w = rocecc_writer_of(again, again + n);
                rocecc_srh h;
                bytes[1] = (uint8_t)len;
                bytes[3] = (uint8_t)left;
                bytes[4] = (uint8_t)last;
                test_context("length %d, last entry %d, left %d", len, last, left);
                CHECK_EQ(rocecc_srh_parse(&r, &h),
                         fits ? ROCECC_OK : ROCECC_ERR_FORMAT);
                if (!fits) continue;
                CHECK_EQ(rocecc_left(&h.segments), 16 * ((size_t)last + 1));
                CHECK_EQ(rocecc_srh_emit(&w, &h), ROCECC_OK);
                CHECK(w.at == n && memcmp(bytes, again, n) == 0);
            }
}

/* What no row could hold in a line. */
TEST(srv6_range)
{
    static uint8_t data[4096], out[4096];
    static const struct {
        size_t segments, tlvs;
        uint8_t left;
        rocecc_status status;
    } cases[] = {
        {2032, 8, 0, ROCECC_OK},          {2032, 0, 127, ROCECC_OK},
        {2032, 0, 128, ROCECC_ERR_RANGE}, {2032, 16, 0, ROCECC_ERR_RANGE},
        {2048, 0, 0, ROCECC_ERR_RANGE},   {16, 2024, 1, ROCECC_OK},
        {16, 2032, 1, ROCECC_ERR_RANGE},  {16, 4080, 1, ROCECC_ERR_RANGE},
        {0, 8, 0, ROCECC_ERR_RANGE},      {8, 8, 0, ROCECC_ERR_RANGE},
        {24, 0, 0, ROCECC_ERR_RANGE},     {16, 4, 0, ROCECC_ERR_RANGE},
        {16, 0, 2, ROCECC_ERR_RANGE},
    };
    size_t i;
    for (i = 0; i < NOUN_COUNT(cases); i++) {
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_srh h = {0};
        test_context("%zu and %zu bytes", cases[i].segments, cases[i].tlvs);
        h.segments = rocecc_reader_of(data, data + cases[i].segments);
        h.tlvs = rocecc_reader_of(data, data + cases[i].tlvs);
        h.segments_left = cases[i].left;
        CHECK_EQ(rocecc_srh_emit(&w, &h), cases[i].status);
        CHECK_EQ(w.at, cases[i].status == ROCECC_OK
                           ? 8 + cases[i].segments + cases[i].tlvs
                           : 0);
    }
}

/* TLVs are walked as IPv6 options are: Pad1 is one byte, PadN has type 4. */
TEST(srv6_tlvs)
{
    static const uint8_t bytes[] = {
        0x11, 5, 4,    0,    0, 0, 0, 0, /* one segment, 24 bytes */
        0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0,
        0,    0, 0,    1,    5, 6, 0, 0, 1, 2, 3, 4, /* HMAC's type, short */
        0x80, 2, 7,    8,    0, 4, 1, 0,             /* Chg, Pad1, PadN */
        4,    6, 0,    0,    0, 0, 0, 0};
    static const struct {
        uint8_t type;
        size_t n;
    } should[] = {{5, 6}, {0x80, 2}, {0, 0}, {4, 1}, {4, 6}};
    rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
    rocecc_srh h;
    rocecc_ip6opt tlv;
    size_t i;
    CHECK_EQ(rocecc_srh_parse(&r, &h), ROCECC_OK);
    for (i = 0; i < NOUN_COUNT(should); i++) {
        CHECK_EQ(rocecc_ip6opt_next(&h.tlvs, &tlv), ROCECC_OK);
        CHECK_EQ(tlv.type, should[i].type);
        CHECK_EQ(rocecc_left(&tlv.body), should[i].n);
    }
    CHECK_EQ(rocecc_ip6opt_next(&h.tlvs, &tlv), ROCECC_END);
}
