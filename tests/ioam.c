/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ioam.h"
#include "lib/noun.h"

#include <stdlib.h>
#include <string.h>

NOUN(ioam_trace, parse, false, IOAM_TRACE_FIELDS);

static const field option_fields[] = {
    IOAM_OPTION_FIELDS(FIELD_ROW, rocecc_ioam_option)};

static rocecc_reader bytes_of(const vec_row *row)
{
    const uint8_t *at = guard_end(row->bytes, row->n);
    return rocecc_reader_of(at, at + row->n);
}

static void call_ioam_node_len(const vec_row *row)
{
    CHECK_EQ(rocecc_ioam_node_len((uint32_t)noun_arg(row, "trace_type")),
             strtoul(vec_value(row->out, row->n_out, "node_len"), NULL, 0));
}

static void call_ioam_trace_match(const vec_row *row)
{
    const uint8_t opt_type = (uint8_t)noun_arg(row, "opt_type");
    CHECK_EQ(rocecc_ioam_trace_match(opt_type, bytes_of(row)),
             vec_value(row->out, row->n_out, "yes") != NULL);
}

static void check_option(const vec_row *row,
                         rocecc_status (*find)(rocecc_reader, rocecc_ioam_option *))
{
    rocecc_ioam_option o, before;
    rocecc_status status;
    memset(&o, 0xa5, sizeof o);
    before = o;
    status = find(bytes_of(row), &o);
    if (status != ROCECC_OK) CHECK(memcmp(&o, &before, sizeof o) == 0);
    noun_check_out(row, option_fields, NOUN_COUNT(option_fields), status, &o);
}

static void call_ioam_option_parse(const vec_row *row)
{
    check_option(row, rocecc_ioam_option_parse);
}

static void call_ioam_trace_find(const vec_row *row)
{
    check_option(row, rocecc_ioam_trace_find);
}

static const noun_call calls[] = {{"ioam_node_len", call_ioam_node_len},
                                  {"ioam_trace_match", call_ioam_trace_match},
                                  {"ioam_option_parse", call_ioam_option_parse},
                                  {"ioam_trace_find", call_ioam_trace_find}};

TEST(ioam_vectors)
{
    const noun_file file = {"ioam", law_ioam, &ioam_trace_noun,
                            1,      calls,    NOUN_COUNT(calls)};
    noun_vectors(&file);
}

TEST(ioam_trace_bits)
{
    noun_bits(&ioam_trace_noun, ROCECC_IOAM_TRACE_BYTES);
}

/* Every trace type there is, against the table of the law; and bits beyond the 24. */
TEST(ioam_node_len_all)
{
    const uint64_t rounds = test_rounds(UINT64_C(1) << 24);
    const uint32_t step = (uint32_t)((UINT64_C(1) << 24) / rounds) | 1;
    uint32_t type = 0;
    uint64_t i;
    for (i = 0; i < rounds; i++, type = (type + step) & 0xffffff)
        if (rocecc_ioam_node_len(type) != law_ioam_words(type)) break;
    test_context("trace type %06x", (unsigned)type);
    CHECK_EQ(i, rounds);
    CHECK_EQ(rocecc_ioam_node_len(0xff000000), 0);
    CHECK_EQ(rocecc_ioam_node_len(0xffffffff), 25);
}

/* Every NodeLen, RemainingLen and number of words, by both kinds. */
TEST(ioam_trace_match_all)
{
    static uint8_t bytes[8 + 4 * 64];
    static const uint32_t types[] = {0,        1,        0x800000, 0x820000, 0xd20800,
                                     0x00e000, 0x000002, 0x820002, 0xfffffc, 0xffffff};
    size_t t, n;
    unsigned len, remaining, kind;
    for (t = 0; t < NOUN_COUNT(types); t++)
        for (len = 0; len < 32; len++)
            for (remaining = 0; remaining < 128; remaining += remaining < 66 ? 1 : 61)
                for (n = 8; n <= sizeof bytes; n += n % 4 == 0 ? 4 : 1) {
                    const rocecc_reader r = rocecc_reader_of(bytes, bytes + n);
                    bytes[2] = (uint8_t)(len << 3);
                    bytes[3] = (uint8_t)remaining;
                    rocecc_store32(bytes + 4, types[t] << 8);
                    test_context("type %06x, NodeLen %u, RemainingLen %u, %zu bytes",
                                 (unsigned)types[t], len, remaining, n);
                    for (kind = 0; kind < 2; kind++)
                        CHECK_EQ(rocecc_ioam_trace_match((uint8_t)kind, r),
                                 law_ioam_nodes((uint8_t)kind, r));
                }
}

/* Kinds that are no trace, however well it looks. */
TEST(ioam_kinds)
{
    static const uint8_t bytes[8] = {0, 0, 0x10, 0, 0x82, 0, 0, 0};
    const rocecc_reader r = rocecc_reader_of(bytes, bytes + 8);
    unsigned kind;
    for (kind = 0; kind < 256; kind++)
        CHECK_EQ(rocecc_ioam_trace_match((uint8_t)kind, r), kind < 2);
}
