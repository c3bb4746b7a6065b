/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/lsn.h"
#include "lib/noun.h"
#include "rocecc/wire/ext.h"

#include <string.h>

NOUN(lsn, parse, false, ROCECC_LSN_FIELDS);

static const noun_file file = {"lsn", law_lsn, &lsn_noun, 1, NULL, 0};

TEST(lsn_vectors)
{
    noun_vectors(&file);
}

/*
 * Every value of the first 16 bits, which are version, length, flags and reserved bits.
 */
TEST(lsn_parse_accepts_only_version_1_and_hdr_len_2)
{
    uint32_t first;
    for (first = 0; first < 0x10000; first++) {
        uint8_t b[ROCECC_LSN_BYTES] = {0, 0, 0xab, 0xcd, 0x12, 0x34, 0x56, 0x78};
        rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
        const rocecc_status expect = first / 0x1000 != 1        ? ROCECC_ERR_UNSUPPORTED
                                     : first / 0x100 % 0x10 < 2 ? ROCECC_ERR_FORMAT
                                     : first / 0x100 % 0x10 == 2
                                         ? ROCECC_OK
                                         : ROCECC_ERR_UNSUPPORTED;
        rocecc_lsn h = rocecc_lsn_default();
        test_context("%04x", (unsigned)first);
        rocecc_store16(b, (uint16_t)first);
        CHECK_EQ(rocecc_lsn_parse(&r, &h), expect);
        CHECK(law_lsn(rocecc_reader_of(b, b + sizeof b)) != LAW_BROKEN);
        if (expect != ROCECC_OK) continue;
        CHECK(h.ack == (first % 0x100 >= 0x80) && h.ece == (first % 0x80 >= 0x40));
        CHECK(h.read_response == (first % 0x40 >= 0x20) && h.resv == first % 0x10);
        CHECK(h.last == (first % 0x20 >= 0x10) && h.packet == 0xabcd);
        CHECK_EQ(h.lsn, 0x12345678);
    }
}

TEST(lsn_default_is_this_version)
{
    uint8_t b[ROCECC_LSN_BYTES];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    const rocecc_lsn h = rocecc_lsn_default();
    CHECK_EQ(rocecc_lsn_emit(&w, &h), ROCECC_OK);
    CHECK(memcmp(b, "\x12\0\0\0\0\0\0\0", sizeof b) == 0);
}

/*
 * L22: data carries the number of its first byte. L25: its ACK carries the next
 * expected number.
 */
TEST(L22_L25_ack_carries_the_next_expected_number)
{
    static const uint8_t data[] = {0x12, 0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00};
    static const uint8_t ack[] = {0x12, 0xc0, 0x00, 0x00, 0x00, 0x00, 0x03, 0x18};
    rocecc_reader r = rocecc_reader_of(data, data + sizeof data);
    uint8_t b[ROCECC_LSN_BYTES];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_lsn h, answer = rocecc_lsn_default();
    CHECK_EQ(rocecc_lsn_parse(&r, &h), ROCECC_OK);
    CHECK(!h.ack && !h.ece && !h.read_response && h.last);
    answer.ack = true;
    answer.ece = true; /* data had CE */
    answer.read_response = h.read_response;
    answer.packet = (uint16_t)(h.packet + 1);
    answer.lsn = h.lsn + 1048; /* BTH, this header, 1024 bytes, ICRC */
    CHECK_EQ(rocecc_lsn_emit(&w, &answer), ROCECC_OK);
    CHECK(memcmp(b, ack, sizeof b) == 0);
}

/* L23, L24: R marks the space of READ responses, also in ACKs. */
TEST(L23_L24_r_marks_the_space_of_read_responses)
{
    rocecc_lsn h = rocecc_lsn_default();
    uint8_t b[ROCECC_LSN_BYTES];
    h.read_response = true;
    rocecc_lsn_store(b, &h);
    CHECK_EQ(b[1], 0x20);
    h.ack = true;
    rocecc_lsn_store(b, &h);
    CHECK_EQ(b[1], 0xa0);
    CHECK(rocecc_lsn_load(b).read_response && rocecc_lsn_load(b).ack);
}

/*
 * L24: the header's place in READ responses, and in their ACK from the requester. This
 * ACK has the opcode, AETH and PSN of a repeated ACK.
 */
TEST(L24_ack_of_a_read_response_is_an_ack_with_r)
{
    static const struct {
        uint8_t opcode, at;
    } rows[] = {{0x0d, 16}, {0x0e, 12}, {0x0f, 16}, {0x10, 16}, {0x11, 16}};
    static const uint8_t ack[] = {
        0x11, 0x40, 0xff, 0xff, 0x00, 0x00, 0x01, 0x18,
        0x00, 0x00, 0x00, 0x63,                          /* BTH */
        0x1f, 0x00, 0x00, 0x05,                          /* AETH: ACK, MSN 5 */
        0x12, 0xe0, 0x00, 0x09, 0x00, 0x00, 0x24, 0xd8}; /* LSN: A, E, R */
    rocecc_reader r = rocecc_reader_of(ack, ack + sizeof ack);
    rocecc_opcode_class is;
    rocecc_bth bth;
    rocecc_ext ext;
    rocecc_lsn h;
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_EQ(rocecc_opcode_lookup(rows[i].opcode, &is), ROCECC_OK);
        CHECK_EQ(is.hdr_bytes, rows[i].at);
    }
    CHECK_EQ(rocecc_bth_parse(&r, &bth), ROCECC_OK);
    CHECK_EQ(rocecc_ext_parse(&r, is.ext, &ext), ROCECC_OK);
    CHECK_EQ(rocecc_lsn_parse(&r, &h), ROCECC_OK);
    CHECK(bth.opcode == ROCECC_RC_ACKNOWLEDGE && bth.psn == 99);
    CHECK(ext.aeth.syndrome >> 5 == ROCECC_SYNDROME_ACK && ext.aeth.msn == 5);
    CHECK(h.ack && h.ece && h.read_response && h.packet == 9 && h.lsn == 9432);
    CHECK_EQ(rocecc_left(&r), 0);
}

/*
 * load() and store() keep any version, HdrLen and flags, even if parse() rejects them.
 */
TEST(lsn_load_and_store_keep_any_bytes)
{
    uint32_t first;
    for (first = 0; first < 0x10000; first++) {
        uint8_t b[ROCECC_LSN_BYTES] = {0, 0, 0xff, 0, 0x80, 0, 0, 1};
        uint8_t again[ROCECC_LSN_BYTES];
        rocecc_lsn h;
        rocecc_store16(b, (uint16_t)first);
        h = rocecc_lsn_load(b);
        rocecc_lsn_store(again, &h);
        test_context("%04x", (unsigned)first);
        CHECK(memcmp(b, again, sizeof b) == 0);
    }
}

/* store() drops the high bits of wide values and changes no other field. */
TEST(lsn_store_truncates_wide_values)
{
    rocecc_lsn h = rocecc_lsn_default();
    uint8_t b[ROCECC_LSN_BYTES];
    h.version = 0xf1;
    h.hdr_len = 0xf2;
    h.resv = 0xf0;
    rocecc_lsn_store(b, &h);
    CHECK(b[0] == 0x12 && b[1] == 0);
}

/* Another version gives RANGE, even without room. */
TEST(lsn_range_precedes_space)
{
    rocecc_writer w = rocecc_writer_of(NULL, NULL);
    rocecc_lsn h = rocecc_lsn_default();
    CHECK_EQ(rocecc_lsn_emit(&w, &h), ROCECC_ERR_SPACE);
    h.version = 2;
    CHECK_EQ(rocecc_lsn_emit(&w, &h), ROCECC_ERR_RANGE);
}
