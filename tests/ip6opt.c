/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ip6opt.h"
#include "lib/noun.h"

#include <stdlib.h>
#include <string.h>

NOUN(ip6opts, parse, false, IP6OPTS_FIELDS);
NOUN(ip6opt, next, true, IP6OPT_FIELDS);

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

static const noun_call calls[] = {{"ip6opt_find", call_ip6opt_find},
                                  {"ip6opt_pad_bytes", call_ip6opt_pad_bytes},
                                  {"ip6opt_pad_emit", call_ip6opt_pad_emit}};

TEST(ip6opt_vectors)
{
    const noun nouns[] = {ip6opts_noun, ip6opt_noun};
    const noun_file file = {"ip6opt", law_ip6opt, nouns, 2, calls, NOUN_COUNT(calls)};
    noun_vectors(&file);
}

/* Whatever comes before and however long, an option after its padding is aligned. */
TEST(ip6opt_alignment)
{
    size_t at, x, y;
    for (x = 1; x <= 8; x *= 2)
        for (y = 0; y < x; y++)
            for (at = 0; at < 300; at++) {
                const size_t pad = rocecc_ip6opt_pad_bytes(at, x, y);
                CHECK(pad < x && (at + pad) % x == y);
            }
}
