/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/pfc.h"
#include "lib/noun.h"

#include <string.h>

NOUN(pfc, parse, false, ROCECC_PFC_FIELDS);

static const field pause_fields[] = {
    ROCECC_PFC_PAUSE_FIELDS(FIELD_ROW, rocecc_pfc_pause)};
static const field config_fields[] = {FIELD_ROW(rocecc_pfc_config, MAC, station, NULL)};

static rocecc_status pause_parse(rocecc_reader *r, void *record)
{
    const rocecc_pfc_config off = {{{0}}};
    return rocecc_pfc_pause_parse(&off, r, (rocecc_pfc_pause *)record);
}

static rocecc_status pause_emit(rocecc_writer *w, const void *record)
{
    return rocecc_pfc_pause_emit(w, (const rocecc_pfc_pause *)record);
}

static const noun pause_noun = {"pfc_pause",
                                false,
                                sizeof(rocecc_pfc_pause),
                                pause_fields,
                                NOUN_COUNT(pause_fields),
                                pause_parse,
                                pause_emit};

typedef struct got {
    uint64_t ns;
    uint16_t quanta;
} got;

static const field got_ns[] = {FIELD_ROW(got, UINT, ns, NULL)};
static const field got_quanta[] = {FIELD_ROW(got, UINT, quanta, NULL)};

/* Sets members from a row's arguments. Each key must be a member. */
static void arguments(const vec_row *row, const field *fields, size_t n, void *record)
{
    size_t i, f;
    for (i = 0; i < row->n_in; i++) {
        for (f = 0; f < n; f++)
            if (strcmp(fields[f].name, row->in[i].key) == 0) break;
        CHECK(f < n && field_set(&fields[f], record, row->in[i].value));
    }
}

static void call_pfc_parse(const vec_row *row)
{
    const uint8_t *at = guard_end(row->bytes, row->n);
    rocecc_reader r = rocecc_reader_of(at, at + row->n);
    rocecc_pfc h;
    const rocecc_status status = rocecc_pfc_parse(&r, &h);
    CHECK_EQ(r.at, status == ROCECC_OK ? 34 : 0);
    noun_check_out(row, pfc_fields, NOUN_COUNT(pfc_fields), status, &h);
}

static void call_pfc_pause_parse(const vec_row *row)
{
    const uint8_t *at = guard_end(row->bytes, row->n);
    rocecc_reader r = rocecc_reader_of(at, at + row->n);
    rocecc_pfc_config c = {{{0}}};
    rocecc_pfc_pause h;
    rocecc_status status;
    arguments(row, config_fields, NOUN_COUNT(config_fields), &c);
    status = rocecc_pfc_pause_parse(&c, &r, &h);
    CHECK_EQ(r.at, status == ROCECC_OK ? 18 : 0);
    noun_check_out(row, pause_fields, NOUN_COUNT(pause_fields), status, &h);
}

/* Builds a whole frame before a guard page, in its exact room and in any less room. */
static void check_build(const vec_row *row, const rocecc_pfc *pfc,
                        const rocecc_pfc_pause *pause)
{
    size_t room;
    for (room = 0; room <= 60; room++) {
        uint8_t *at = guard_end(NULL, room);
        rocecc_writer w = rocecc_writer_of(at, at + room);
        rocecc_status status;
        memset(at, 0xa5, room);
        status =
            pfc != NULL ? rocecc_pfc_build(&w, pfc) : rocecc_pfc_pause_build(&w, pause);
        CHECK_EQ(status, row->status != ROCECC_OK ? row->status
                         : room < 60              ? ROCECC_ERR_SPACE
                                                  : ROCECC_OK);
        CHECK_EQ(w.at, status == ROCECC_OK ? 60 : 0);
        if (status == ROCECC_OK) CHECK(row->n == 60 && !memcmp(at, row->bytes, 60));
        if (status != ROCECC_OK && room != 0) CHECK_EQ(at[0], 0xa5);
    }
}

static void call_pfc_build(const vec_row *row)
{
    rocecc_pfc h;
    memset(&h, 0, sizeof h);
    arguments(row, pfc_fields, NOUN_COUNT(pfc_fields), &h);
    check_build(row, &h, NULL);
}

static void call_pfc_pause_build(const vec_row *row)
{
    rocecc_pfc_pause h;
    memset(&h, 0, sizeof h);
    arguments(row, pause_fields, NOUN_COUNT(pause_fields), &h);
    check_build(row, NULL, &h);
}

static void call_pfc_find(const vec_row *row)
{
    rocecc_reader r = rocecc_reader_of(row->bytes, row->bytes + row->n);
    got g = {0, 0xa5a5};
    rocecc_pfc h;
    rocecc_status status;
    CHECK_EQ(rocecc_pfc_parse(&r, &h), ROCECC_OK);
    status = rocecc_pfc_find(&h, (unsigned)noun_arg(row, "priority"), &g.quanta);
    if (status != ROCECC_OK) CHECK_EQ(g.quanta, 0xa5a5);
    noun_check_out(row, got_quanta, 1, status, &g);
}

/* Returns a 64-bit argument, because size_t has 32 bits on some machines. */
static uint64_t wide_arg(const vec_row *row, const char *key)
{
    const field f = FIELD_AT(key, UINT, 0, 8, NULL);
    uint64_t v = 0;
    const char *value = vec_value(row->in, row->n_in, key);
    CHECK(value != NULL && field_set(&f, &v, value));
    return v;
}

static void call_pfc_ns(const vec_row *row)
{
    got g = {0, 0};
    g.ns = rocecc_pfc_ns((uint16_t)noun_arg(row, "quanta"), wide_arg(row, "rate_bps"));
    noun_check_out(row, got_ns, 1, ROCECC_OK, &g);
}

static void call_pfc_quanta(const vec_row *row)
{
    got g = {0, 0};
    g.quanta = rocecc_pfc_quanta(wide_arg(row, "ns"), wide_arg(row, "rate_bps"));
    noun_check_out(row, got_quanta, 1, ROCECC_OK, &g);
}

static const noun_call calls[] = {
    {"pfc_parse", call_pfc_parse},  {"pfc_pause_parse", call_pfc_pause_parse},
    {"pfc_build", call_pfc_build},  {"pfc_pause_build", call_pfc_pause_build},
    {"pfc_find", call_pfc_find},    {"pfc_ns", call_pfc_ns},
    {"pfc_quanta", call_pfc_quanta}};

TEST(pfc_vectors)
{
    const noun nouns[] = {pfc_noun, pause_noun};
    const noun_file file = {"pfc", law_pfc, nouns, 2, calls, NOUN_COUNT(calls)};
    noun_vectors(&file);
}

/* Any quanta at the usual port rates. Up to 512 Gbit/s they convert back exactly. */
TEST(pfc_quanta_convert_to_ns_and_back)
{
    static const uint64_t rates_mbps[] = {10,     100,    1000,   2500,   5000,  10000,
                                          25000,  40000,  50000,  56000,  64000, 100000,
                                          200000, 400000, 800000, 1600000};
    size_t k;
    for (k = 0; k < NOUN_COUNT(rates_mbps); k++) {
        const uint64_t mbps = rates_mbps[k];
        uint32_t q;
        for (q = 0; q <= 0xffff; q++) {
            /* Computed in another way, by Mbit/s. */
            const uint64_t ns = (q * (uint64_t)512000 + mbps - 1) / mbps;
            test_at("quanta, Mbit/s", q, mbps, 0);
            CHECK_EQ(rocecc_pfc_ns((uint16_t)q, mbps * 1000000), ns);
            if (mbps <= 512000)
                CHECK_EQ(rocecc_pfc_quanta(ns, mbps * 1000000), q);
            else
                CHECK(rocecc_pfc_quanta(ns, mbps * 1000000) <= q);
        }
    }
}

/* Random times and rates. */
TEST(pfc_time_law_holds_for_random_rates)
{
    uint64_t random = 11, rounds = test_rounds(1000000);
    for (; rounds > 0; rounds--) {
        const uint16_t q = (uint16_t)test_random(&random);
        const unsigned by = test_random(&random) & 63;
        const unsigned less = test_random(&random) & 63;
        uint64_t rate = (uint64_t)test_random(&random) << 32;
        uint64_t ns = (uint64_t)test_random(&random) << 32;
        rate |= test_random(&random);
        ns |= test_random(&random);
        CHECK(law_pfc_time(q, rate >> by, ns >> less) != LAW_BROKEN);
    }
}

/* The time of each priority, for every enable vector. */
TEST(pfc_find_returns_only_enabled_priorities)
{
    unsigned enable, n;
    for (enable = 0; enable < 256; enable++) {
        rocecc_pfc h = {{{2, 0, 0, 0, 0, 1}}, 0, 0, {1, 2, 3, 4, 5, 6, 7, 8}};
        h.enable = (uint8_t)enable;
        for (n = 0; n < 8; n++) {
            uint16_t quanta = 0;
            CHECK_EQ(rocecc_pfc_find(&h, n, &quanta),
                     enable / (1u << n) % 2 == 1 ? ROCECC_OK : ROCECC_NO_MATCH);
            CHECK_EQ(quanta, enable / (1u << n) % 2 == 1 ? n + 1 : 0);
        }
    }
}

/* A PAUSE to another group address gives RANGE, and nothing is written. */
TEST(pfc_pause_to_another_group_is_not_built)
{
    const rocecc_pfc_pause h = {{{1, 0, 0x5e, 0, 0, 1}}, {{2, 0, 0, 0, 0, 1}}, 7};
    uint8_t bytes[60];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    CHECK_EQ(rocecc_pfc_pause_build(&w, &h), ROCECC_ERR_RANGE);
    CHECK_EQ(w.at, 0);
}

TEST(pfc_group_is_01_80_c2_00_00_01)
{
    const rocecc_mac group = rocecc_pfc_group();
    CHECK(memcmp(group.b, "\x01\x80\xc2\0\0\x01", 6) == 0);
}

/* NO_MATCH for another opcode and SHORT precede FORMAT for a wrong destination. */
TEST(pfc_destination_is_checked_last)
{
    uint8_t b[34] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x88, 0x08, 1, 1};
    const rocecc_pfc_config off = {{{0}}};
    size_t n;
    for (n = 16; n <= sizeof b; n++) {
        rocecc_reader r = rocecc_reader_of(b, b + n);
        rocecc_pfc_pause pause;
        rocecc_pfc pfc;
        test_context("%zu bytes", n);
        b[14] = 1;
        CHECK_EQ(rocecc_pfc_parse(&r, &pfc),
                 n < 34 ? ROCECC_ERR_SHORT : ROCECC_ERR_FORMAT);
        CHECK_EQ(rocecc_pfc_pause_parse(&off, &r, &pause), ROCECC_NO_MATCH);
        b[14] = 0;
        CHECK_EQ(rocecc_pfc_parse(&r, &pfc), ROCECC_NO_MATCH);
        CHECK_EQ(rocecc_pfc_pause_parse(&off, &r, &pause),
                 n < 18 ? ROCECC_ERR_SHORT : ROCECC_ERR_FORMAT);
        CHECK_EQ(r.at, 0);
    }
}
