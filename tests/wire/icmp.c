/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/icmp.h"
#include "lib/noun.h"

#include <string.h>

NOUN(icmp, parse, false, ROCECC_ICMP_FIELDS);

typedef struct answer {
    rocecc_ip6 src;
    rocecc_ip6 dst;
    uint16_t checksum;
    uint8_t byte;
} answer;

static const field message_fields[] = {
    ROCECC_ICMP_MESSAGE_FIELDS(FIELD_ROW, rocecc_icmp_message)};
static const field address_args[] = {FIELD_ROW(answer, IP6, src, NULL)
                                         FIELD_ROW(answer, IP6, dst, NULL)};
static const field checksum_out[] = {FIELD_ROW(answer, UINT, checksum, NULL)};
static const field byte_out[] = {FIELD_ROW(answer, UINT, byte, NULL)};

static rocecc_reader row_reader(const vec_row *row)
{
    const uint8_t *at = guard_end(row->bytes, row->n);
    return rocecc_reader_of(at, at + row->n);
}

/*
 * Returns the sum of the pseudo-header for an ICMPv6 row. Returns 0 for an ICMP row,
 * which has no addresses.
 */
static uint32_t pseudo_header(const vec_row *row)
{
    rocecc_ipv6 ip = {0};
    answer a = {0};
    size_t i;
    if (row->n_in == 0) return 0;
    for (i = 0; i < NOUN_COUNT(address_args); i++) {
        const char *value = vec_value(row->in, row->n_in, address_args[i].name);
        CHECK(value != NULL && field_set(&address_args[i], &a, value));
    }
    ip.src = a.src;
    ip.dst = a.dst;
    return rocecc_checksum_pseudo6(&ip, ROCECC_PROTO_ICMP6, (uint32_t)row->n);
}

/* Checks that a message is parsed, and emitted again, but not if there is less room. */
static void call_message(const vec_row *row)
{
    static const rocecc_icmp_message zero;
    rocecc_reader r = row_reader(row);
    const rocecc_reader before = r;
    rocecc_icmp_message h = zero;
    const rocecc_status status =
        rocecc_icmp_message_parse(&r, (uint8_t)noun_arg(row, "version"), &h);
    size_t room;
    noun_check_out(row, message_fields, NOUN_COUNT(message_fields), status, &h);
    CHECK_EQ(r.at, status == ROCECC_OK ? before.end : before.at);
    if (status != ROCECC_OK) {
        CHECK(memcmp(&h, &zero, sizeof h) == 0);
        return;
    }
    for (room = 0; room <= row->n; room++) {
        uint8_t *at = guard_start(NULL, room);
        rocecc_writer w = rocecc_writer_of(at, at + room);
        memset(at, 0xa5, room);
        CHECK_EQ(rocecc_icmp_message_emit(&w, &h),
                 room == row->n ? ROCECC_OK : ROCECC_ERR_SPACE);
        CHECK_EQ(w.at, room == row->n ? room : 0);
        if (room == row->n) CHECK(memcmp(at, row->bytes, room) == 0);
        if (room > 0 && room < row->n) CHECK(at[0] == 0xa5);
    }
}

static void call_find(const vec_row *row)
{
    rocecc_reader r = row_reader(row);
    rocecc_icmp_message h;
    rocecc_status status;
    answer a = {0};
    CHECK_EQ(rocecc_icmp_message_parse(&r, 6, &h), ROCECC_OK);
    status = rocecc_icmp6_problem_find(&h, &a.byte);
    if (status != ROCECC_OK) CHECK_EQ(a.byte, 0);
    noun_check_out(row, byte_out, 1, status, &a);
}

static void call_checksum(const vec_row *row)
{
    answer a = {0};
    a.checksum = rocecc_icmp_checksum(pseudo_header(row), row_reader(row));
    noun_check_out(row, checksum_out, 1, ROCECC_OK, &a);
}

static void call_verify(const vec_row *row)
{
    CHECK_EQ(rocecc_icmp_verify(pseudo_header(row), row_reader(row)), row->status);
}

static const noun_call calls[] = {{"icmp_message", call_message},
                                  {"icmp6_problem_find", call_find},
                                  {"icmp_checksum", call_checksum},
                                  {"icmp_verify", call_verify}};

TEST(icmp_vectors)
{
    const noun_file file = {"icmp", law_icmp, &icmp_noun, 1, calls, NOUN_COUNT(calls)};
    noun_vectors(&file);
}

TEST(icmp_each_bit_belongs_to_one_member)
{
    noun_bits(&icmp_noun, ROCECC_ICMP_BYTES);
}

/*
 * Errors are types below 128 in ICMPv6 (RFC 4443, 2.1). In ICMP, they are the messages
 * of RFC 792 with "Internet Header + 64 bits of data".
 */
TEST(icmp_errors_are_the_types_quoting_a_packet)
{
    unsigned type;
    for (type = 0; type < 256; type++) {
        test_context("type %u", type);
        CHECK_EQ(rocecc_icmp_is_error(6, (uint8_t)type), type < 128);
        CHECK_EQ(rocecc_icmp_is_error(4, (uint8_t)type),
                 type == 3 || type == 4 || type == 5 || type == 11 || type == 12);
    }
}

/* A message too long for a checksum gives UNSUPPORTED, and its bytes are not summed. */
TEST(icmp_verify_of_a_too_long_message_is_unsupported)
{
    static const uint8_t head[8] = {4, 0};
    rocecc_reader r = rocecc_reader_of(head, head + sizeof head);
    r.end = 4 + (size_t)ROCECC_CHECKSUM_MAX_BYTES + 1;
    CHECK_EQ(rocecc_icmp_verify(0, r), ROCECC_ERR_UNSUPPORTED);
}

/* A packet of 1232 bytes fills the minimum MTU of IPv6. One more byte gives RANGE. */
TEST(icmp_message_quotes_at_most_1232_bytes)
{
    static uint8_t packet[1233], out[2048];
    size_t n;
    for (n = 1200; n <= sizeof packet; n++) {
        const bool fits = n <= ROCECC_ICMP6_QUOTE_MAX_BYTES;
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_icmp_message h = {0};
        test_context("%zu bytes", n);
        packet[n - 1] = 0x5a;
        h.packet = rocecc_reader_of(packet, packet + n);
        CHECK_EQ(rocecc_icmp_message_emit(&w, &h), fits ? ROCECC_OK : ROCECC_ERR_RANGE);
        CHECK_EQ(w.at, fits ? 8 + n : 0);
        if (fits) CHECK_EQ(out[8 + n - 1], 0x5a);
    }
}

/* A pointer above 65535 gives SHORT, even in a longer packet. */
TEST(icmp6_pointer_above_65535_is_short)
{
    static uint8_t packet[70000];
    static const uint32_t pointers[] = {
        0,       1,       65534, 65535,      65536,      69999,      70000,     0x10000,
        0x10001, 0x1ffff, 65537, 0x7fffffff, 0x80000000, 0xfffeffff, 0xffffffff};
    size_t i;
    for (i = 0; i < sizeof packet; i++)
        packet[i] = (uint8_t)(i % 251);
    for (i = 0; i < NOUN_COUNT(pointers); i++) {
        rocecc_icmp_message h = {0};
        const bool within = pointers[i] < 65536;
        uint8_t byte = 252;
        test_context("pointer %u", (unsigned)pointers[i]);
        h.type = ROCECC_ICMP6_TYPE_PROBLEM;
        h.value = pointers[i];
        h.packet = rocecc_reader_of(packet, packet + sizeof packet);
        CHECK_EQ(rocecc_icmp6_problem_find(&h, &byte),
                 within ? ROCECC_OK : ROCECC_ERR_SHORT);
        CHECK_EQ(byte, within ? pointers[i] % 251 : 252);
    }
}

/*
 * Type 1 is an error only in ICMPv6, type 12 in both versions, and type 140 in neither.
 */
TEST(icmp_of_any_version_but_6_is_icmp_of_ipv4)
{
    static const uint8_t problem[8] = {12}, unreachable6[8] = {1};
    unsigned version;
    for (version = 0; version < 256; version++) {
        rocecc_reader r = rocecc_reader_of(problem, problem + sizeof problem);
        rocecc_icmp_message h;
        test_context("version %u", version);
        CHECK_EQ(rocecc_icmp_message_parse(&r, (uint8_t)version, &h), ROCECC_OK);
        r = rocecc_reader_of(unreachable6, unreachable6 + sizeof unreachable6);
        CHECK_EQ(rocecc_icmp_message_parse(&r, (uint8_t)version, &h),
                 version == 6 ? ROCECC_OK : ROCECC_NO_MATCH);
        CHECK_EQ(rocecc_icmp_is_error((uint8_t)version, 1), version == 6);
        CHECK(!rocecc_icmp_is_error((uint8_t)version, 140));
    }
}

/*
 * An Echo Request gives NO_MATCH from 4 bytes on, even if it is cut. An error of fewer
 * than 8 bytes gives SHORT.
 */
TEST(icmp_message_is_no_match_before_it_is_short)
{
    size_t n;
    for (n = 0; n <= 8; n++) {
        const uint8_t echo[8] = {128}, problem[8] = {4};
        const uint8_t *at = guard_end(echo, n);
        rocecc_reader r = rocecc_reader_of(at, at + n);
        rocecc_icmp_message h;
        test_context("%zu bytes", n);
        CHECK_EQ(rocecc_icmp_message_parse(&r, 6, &h),
                 n < 4 ? ROCECC_ERR_SHORT : ROCECC_NO_MATCH);
        at = guard_end(problem, n);
        r = rocecc_reader_of(at, at + n);
        CHECK_EQ(rocecc_icmp_message_parse(&r, 6, &h),
                 n < 8 ? ROCECC_ERR_SHORT : ROCECC_OK);
    }
}

/* `packet` includes an extension (RFC 4884) after a length of 32 words. */
TEST(icmp_message_leaves_extensions_in_the_packet)
{
    uint8_t bytes[8 + 128 + 8] = {3, 4, 0, 0, 0, 32, 0x05, 0xdc, [136] = 0x20};
    rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
    rocecc_icmp_message h;
    CHECK_EQ(rocecc_icmp_message_parse(&r, 4, &h), ROCECC_OK);
    CHECK_EQ(rocecc_left(&h.packet), 128 + 8);
    CHECK_EQ(h.value, 0x002005dc); /* the low 16 bits are the MTU, 1500 */
}

/* Without room, 1233 bytes give RANGE, and 1232 give SPACE. */
TEST(icmp_message_limit_holds_for_ipv4_and_precedes_space)
{
    static uint8_t packet[ROCECC_ICMP6_QUOTE_MAX_BYTES + 1];
    static uint8_t out[ROCECC_ICMP_ERROR_BYTES + sizeof packet];
    rocecc_icmp_message h = {0};
    rocecc_writer w = rocecc_writer_of(NULL, NULL);
    h.type = ROCECC_ICMP_TYPE_UNREACHABLE;
    h.packet = rocecc_reader_of(packet, packet + sizeof packet);
    CHECK_EQ(rocecc_icmp_message_emit(&w, &h), ROCECC_ERR_RANGE);
    h.packet = rocecc_reader_of(packet, packet + ROCECC_ICMP6_QUOTE_MAX_BYTES);
    CHECK_EQ(rocecc_icmp_message_emit(&w, &h), ROCECC_ERR_SPACE);
    w = rocecc_writer_of(out, out + sizeof out);
    CHECK_EQ(rocecc_icmp_message_emit(&w, &h), ROCECC_OK);
    CHECK_EQ(w.at, 1240);
}
