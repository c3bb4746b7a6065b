/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ip6opt.h"
#include "lib/noun.h"

#include <stdlib.h>
#include <string.h>

NOUN(ip6opts, parse, false, ROCECC_IP6OPTS_FIELDS);
NOUN(ip6opt, next, true, ROCECC_IP6OPT_FIELDS);

static void call_ip6opt_find(const vec_row *row)
{
    const uint8_t *at = guard_end(row->bytes, row->n);
    const uint8_t type = (uint8_t)noun_arg(row, "type");
    rocecc_ip6opt opt;
    const rocecc_status status =
        rocecc_ip6opt_find(rocecc_reader_of(at, at + row->n), type, &opt);
    if (status == ROCECC_OK) CHECK_EQ(opt.type, type);
    noun_check_out(row, ip6opt_fields + 1, 1, status, &opt); /* body */
}

static void call_ip6opt_pad_bytes(const vec_row *row)
{
    CHECK_EQ(rocecc_ip6opt_pad_bytes(noun_arg(row, "at"), noun_arg(row, "x"),
                                     noun_arg(row, "y")),
             strtoull(vec_value(row->out, row->n_out, "bytes"), NULL, 0));
}

static void call_ip6opt_pad_emit(const vec_row *row)
{
    uint8_t *at = guard_end(NULL, row->n);
    rocecc_writer w = rocecc_writer_of(at, at + row->n);
    CHECK_EQ(rocecc_ip6opt_pad_emit(&w, noun_arg(row, "n")), row->status);
    CHECK_EQ(w.at, row->n);
    CHECK(memcmp(at, row->bytes, row->n) == 0);
}

static void call_ip6opts_emit(const vec_row *row)
{
    uint8_t *at = guard_end(NULL, row->n);
    rocecc_writer w = rocecc_writer_of(at, at + row->n);
    rocecc_ip6opts h;
    h.next_header = (uint8_t)noun_arg(row, "next_header");
    CHECK(field_set(&ip6opts_fields[1], &h, vec_value(row->in, row->n_in, "options")));
    CHECK_EQ(rocecc_ip6opts_emit(&w, &h), row->status);
    CHECK_EQ(w.at, row->n);
    CHECK(memcmp(at, row->bytes, row->n) == 0);
}

static const noun_call calls[] = {{"ip6opt_find", call_ip6opt_find},
                                  {"ip6opts_emit", call_ip6opts_emit},
                                  {"ip6opt_pad_bytes", call_ip6opt_pad_bytes},
                                  {"ip6opt_pad_emit", call_ip6opt_pad_emit}};

TEST(ip6opt_vectors)
{
    const noun nouns[] = {ip6opts_noun, ip6opt_noun};
    const noun_file file = {"ip6opt", law_ip6opt, nouns, 2, calls, NOUN_COUNT(calls)};
    noun_vectors(&file);
}

/* An option after its padding is aligned, at every offset. */
TEST(ip6opt_padding_aligns_the_next_option)
{
    size_t at, x, y;
    for (x = 1; x <= 8; x *= 2)
        for (y = 0; y < x; y++)
            for (at = 0; at < 300; at++) {
                const size_t pad = rocecc_ip6opt_pad_bytes(at, x, y);
                CHECK(pad < x && (at + pad) % x == y);
            }
}

/* The longest option and the longest header, too long for a row. */
TEST(ip6opt_emit_limits_options_and_headers)
{
    static uint8_t data[2048], out[4096];
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    rocecc_ip6opt opt;
    rocecc_ip6opts h;
    opt.type = 0x9e;
    opt.body = rocecc_reader_of(data, data + 256);
    CHECK_EQ(rocecc_ip6opt_emit(&w, &opt), ROCECC_ERR_RANGE);
    CHECK_EQ(w.at, 0);
    opt.body = rocecc_reader_of(data, data + 255);
    CHECK_EQ(rocecc_ip6opt_emit(&w, &opt), ROCECC_OK);
    CHECK_EQ(w.at, 257);
    h.next_header = 17;
    h.options = rocecc_reader_of(data, data + 2047);
    CHECK_EQ(rocecc_ip6opts_emit(&w, &h), ROCECC_ERR_RANGE);
    CHECK_EQ(w.at, 257);
    h.options = rocecc_reader_of(data, data + 2046);
    CHECK_EQ(rocecc_ip6opts_emit(&w, &h), ROCECC_OK);
    CHECK_EQ(w.at, 257 + 2048);
    CHECK_EQ(out[257 + 1], 255);
}

/* Types 0 and 1 are padding, and every other type is an option. */
TEST(ip6opt_find_accepts_every_type_but_padding)
{
    uint8_t list[8] = {0, 0x01, 0, 0, 3, 7, 8, 9};
    unsigned type;
    for (type = 2; type < 256; type++) {
        rocecc_ip6opt opt;
        test_context("%02x", type);
        list[3] = (uint8_t)type;
        CHECK_EQ(rocecc_ip6opt_find(rocecc_reader_of(list, list + sizeof list),
                                    (uint8_t)type, &opt),
                 ROCECC_OK);
        CHECK(opt.type == type && opt.body.at == 5 && opt.body.end == 8);
    }
}

/*
 * On failure, the reader is at the ninth option, at the piece of padding that exceeds 7
 * bytes, or at the option that overruns the list.
 */
TEST(ip6opt_step_stops_at_its_reason)
{
    static const uint8_t padding[] = {0x1e, 0, 0, 0, 1, 4, 0, 0, 0, 0, 0x1e, 0};
    static const uint8_t many[] = {0x1e, 0, 0x1e, 0, 0x1e, 0, 0x1e, 0, 0x1e, 0,
                                   0x1e, 0, 0x1e, 0, 0x1e, 0, 0,    0, 0x5e, 0};
    static const uint8_t over[] = {0x1e, 0, 0, 0x9e, 3, 0};
    static const struct {
        const uint8_t *bytes;
        size_t n, at;
        int count;
        rocecc_status status;
    } rows[] = {{padding, 12, 4, 1, ROCECC_ERR_UNSUPPORTED},
                {padding, 10, 4, 1, ROCECC_ERR_UNSUPPORTED},
                {many, 20, 18, 8, ROCECC_ERR_UNSUPPORTED},
                {many, 18, 18, 8, ROCECC_END},
                {over, 6, 3, 1, ROCECC_ERR_FORMAT}};
    size_t i;
    for (i = 0; i < NOUN_COUNT(rows); i++) {
        rocecc_reader r = rocecc_reader_of(rows[i].bytes, rows[i].bytes + rows[i].n);
        rocecc_ip6opt opt;
        rocecc_status status;
        int count = 0;
        test_context("row %zu", i);
        do
            status = rocecc_ip6opt_step(&r, &count, &opt);
        while (status == ROCECC_OK);
        CHECK_EQ(status, rows[i].status);
        CHECK_EQ(r.at, rows[i].at);
        CHECK_EQ(count, rows[i].count);
    }
}

/* If options end with PadN, 7 more bytes of padding exceed the limit of find(). */
TEST(ip6opts_emit_adds_to_padding_at_the_end)
{
    static const uint8_t options[] = {0x1e, 0, 1, 3, 0, 0, 0};
    uint8_t b[16];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
    rocecc_ip6opts h;
    rocecc_ip6opt opt;
    h.next_header = 59;
    h.options = rocecc_reader_of(options, options + sizeof options);
    CHECK_EQ(rocecc_ip6opts_emit(&w, &h), ROCECC_OK);
    CHECK_EQ(w.at, 16);
    CHECK_EQ(rocecc_ip6opts_parse(&r, &h), ROCECC_OK);
    CHECK_EQ(rocecc_ip6opt_find(h.options, 0x1e, &opt), ROCECC_OK);
    CHECK_EQ(rocecc_ip6opt_find(h.options, 0x5e, &opt), ROCECC_ERR_UNSUPPORTED);
}
