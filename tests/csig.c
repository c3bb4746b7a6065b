/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/csig.h"
#include "lib/noun.h"

#include <stdlib.h>
#include <string.h>

static const rocecc_csig_config draft = {LAW_CSIG_COMPACT, LAW_CSIG_WIDE, false};
static const rocecc_csig_config uec = {LAW_CSIG_COMPACT, LAW_CSIG_WIDE, true};

static rocecc_status draft_parse(rocecc_reader *r, void *record)
{
    return rocecc_csig_parse(&draft, r, (rocecc_csig *)record);
}

static rocecc_status draft_emit(rocecc_writer *w, const void *record)
{
    return rocecc_csig_emit(&draft, w, (const rocecc_csig *)record);
}

static rocecc_status uec_parse(rocecc_reader *r, void *record)
{
    return rocecc_csig_parse(&uec, r, (rocecc_csig *)record);
}

static rocecc_status uec_emit(rocecc_writer *w, const void *record)
{
    return rocecc_csig_emit(&uec, w, (const rocecc_csig *)record);
}

static const field tag_fields[] = {CSIG_FIELDS(FIELD_ROW, rocecc_csig)};
static const noun nouns[] = {{"csig", false, sizeof(rocecc_csig), tag_fields,
                              NOUN_COUNT(tag_fields), draft_parse, draft_emit},
                             {"csig_uec", false, sizeof(rocecc_csig), tag_fields,
                              NOUN_COUNT(tag_fields), uec_parse, uec_emit}};

/* What the functions that are no codecs take, and what they give. */
typedef struct args {
    rocecc_csig_config c;
    rocecc_csig h;
    rocecc_reader ranges; /* 16 bytes each: both bounds */
    bool bands;
    uint8_t step_log2;
    uint64_t base;
    uint64_t v;
    uint16_t locator;
    uint8_t action;
    bool ignore_d;
} args;

typedef struct got {
    uint64_t v;
    uint32_t value;
    uint8_t verdict;
    rocecc_reader tag;
} got;

static const field config_fields[] = {
    CSIG_CONFIG_FIELDS(FIELD_ROW, rocecc_csig_config)};
static const field arg_fields[] = {
    FIELD_ROW(args, BOOL, bands, NULL) FIELD_ROW(args, UINT, step_log2, NULL)
        FIELD_ROW(args, UINT, base, NULL) FIELD_ROW(args, UINT, v, NULL)
            FIELD_ROW(args, UINT, locator, NULL) FIELD_ROW(args, BOOL, ignore_d, NULL)
                FIELD_ROW(args, ENUM, action, "pass update strip")};
static const field got_v[] = {FIELD_ROW(got, UINT, v, NULL)};
static const field got_value[] = {FIELD_ROW(got, UINT, value, NULL)};
static const field got_tag[] = {FIELD_ROW(got, ENUM, verdict, CSIG_VERDICTS)
                                    FIELD_ROW(got, VIEW, tag, NULL)};

static size_t set(const vec_row *row, const field *fields, size_t n, void *record)
{
    size_t i, f, found = 0;
    for (i = 0; i < row->n_in; i++)
        for (f = 0; f < n; f++)
            if (strcmp(fields[f].name, row->in[i].key) == 0) {
                CHECK(field_set(&fields[f], record, row->in[i].value));
                found++;
            }
    return found;
}

/* ranges=0-9,10-19: the buckets of every type. */
static void table_of(const vec_row *row, const args *a, rocecc_csig_table *t)
{
    const char *text = vec_value(row->in, row->n_in, "ranges");
    int i;
    memset(t, 0, sizeof *t);
    for (; text != NULL; t->type[0].n++) {
        rocecc_csig_range *r = &t->type[0].range[t->type[0].n % 32];
        char *end;
        r->min = strtoull(text, &end, 10);
        CHECK_EQ(*end, '-');
        r->max = strtoull(end + 1, &end, 10);
        text = *end == ',' ? end + 1 : NULL;
    }
    t->type[0].wide = a->bands;
    t->type[0].step_log2 = a->step_log2;
    t->type[0].base = a->base;
    for (i = 1; i < ROCECC_CSIG_TYPES; i++)
        t->type[i] = t->type[0];
}

static args arguments(const vec_row *row, rocecc_csig_table *t)
{
    args a;
    size_t n = vec_value(row->in, row->n_in, "ranges") != NULL;
    memset(&a, 0, sizeof a);
    n += set(row, config_fields, NOUN_COUNT(config_fields), &a.c);
    n += set(row, tag_fields, NOUN_COUNT(tag_fields), &a.h);
    n += set(row, arg_fields, NOUN_COUNT(arg_fields), &a);
    if (vec_value(row->in, row->n_in, "locator") != NULL) n--; /* of the port, too */
    CHECK_EQ(n, row->n_in);
    table_of(row, &a, t);
    return a;
}

static void call_csig_init(const vec_row *row)
{
    rocecc_csig_table t;
    const args a = arguments(row, &t);
    CHECK_EQ(rocecc_csig_init(&a.c), row->status);
}

static void call_csig_table_init(const vec_row *row)
{
    rocecc_csig_table t;
    (void)arguments(row, &t);
    CHECK_EQ(rocecc_csig_table_init(&t), row->status);
}

static void call_csig_quantise(const vec_row *row)
{
    rocecc_csig_table t;
    const args a = arguments(row, &t);
    got g = {1, UINT32_MAX, 0, {NULL, 0, 0}};
    const rocecc_status status = rocecc_csig_quantise(&t, &a.h, a.v, &g.value);
    CHECK(status == ROCECC_OK || g.value == UINT32_MAX);
    noun_check_out(row, got_value, 1, status, &g);
}

static void call_csig_dequantise(const vec_row *row)
{
    rocecc_csig_table t;
    const args a = arguments(row, &t);
    got g = {UINT64_MAX - 1, 0, 0, {NULL, 0, 0}};
    const rocecc_status status = rocecc_csig_dequantise(&t, &a.h, &g.v);
    CHECK(status == ROCECC_OK || g.v == UINT64_MAX - 1);
    noun_check_out(row, got_v, 1, status, &g);
}

static void call_csig_neutral(const vec_row *row)
{
    rocecc_csig_table t;
    const args a = arguments(row, &t);
    const rocecc_csig h = rocecc_csig_neutral(&draft, a.h.wide, a.h.type);
    noun_check_out(row, tag_fields, NOUN_COUNT(tag_fields), ROCECC_OK, &h);
}

/* Every prefix of the tag, too, before a guard page. */
static void call_csig_update(const vec_row *row)
{
    rocecc_csig_table t;
    const args a = arguments(row, &t);
    const rocecc_csig_config c = {LAW_CSIG_COMPACT, LAW_CSIG_WIDE, a.c.uec};
    const rocecc_csig_port port = {&t, a.action, a.ignore_d, a.locator};
    const rocecc_csig_local local = {{a.v, a.v, a.v, a.v}};
    size_t n;
    for (n = 0; n <= row->n; n++) {
        const rocecc_reader r = noun_reader(row->bytes, n);
        rocecc_csig_verdict verdict = ROCECC_CSIG_UNKNOWN;
        const rocecc_status status =
            rocecc_csig_update(&c, &port, &local, noun_over(r), &verdict);
        got g = {0, 0, (uint8_t)verdict, r};
        test_context("%s, the first %zu bytes", row->id, n);
        if (n == row->n)
            noun_check_out(row, got_tag, NOUN_COUNT(got_tag), status, &g);
        else if (n >= 2 && row->status == ROCECC_NO_MATCH)
            CHECK_EQ(status, ROCECC_NO_MATCH);
        else
            CHECK_EQ(status, n < (row->bytes[1] == 1 ? 8u : 4u) ? ROCECC_ERR_SHORT
                                                                : row->status);
        if (status == ROCECC_OK) continue;
        CHECK(memcmp(r.base + r.at, row->bytes, n) == 0);
        CHECK_EQ(verdict, ROCECC_CSIG_UNKNOWN);
    }
}

static const noun_call calls[] = {
    {"csig_init", call_csig_init},         {"csig_table_init", call_csig_table_init},
    {"csig_quantise", call_csig_quantise}, {"csig_dequantise", call_csig_dequantise},
    {"csig_neutral", call_csig_neutral},   {"csig_update", call_csig_update}};

TEST(csig_vectors)
{
    const noun_file file = {"csig", law_csig, nouns, 2, calls, NOUN_COUNT(calls)};
    noun_vectors(&file);
}

/* Every bit behind the TPID belongs to just one member, in both forms and variants. */
TEST(csig_bits)
{
    const rocecc_csig_config *configs[] = {&draft, &uec};
    size_t v, f, bit, wide;
    for (v = 0; v < 2; v++)
        for (wide = 0; wide < 2; wide++)
            for (bit = 16; bit < (wide ? 64u : 32u); bit++) {
                uint8_t bytes[8] = {0x99, (uint8_t)wide, 0, 0, 0, 0, 0, 0};
                const size_t n = wide ? 8 : 4;
                rocecc_reader r = rocecc_reader_of(bytes, bytes + n);
                rocecc_csig plain, flipped;
                int changed = 0;
                CHECK_EQ(rocecc_csig_parse(configs[v], &r, &plain), ROCECC_OK);
                bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
                r = rocecc_reader_of(bytes, bytes + n);
                CHECK_EQ(rocecc_csig_parse(configs[v], &r, &flipped), ROCECC_OK);
                for (f = 0; f < NOUN_COUNT(tag_fields); f++)
                    changed += !field_equal(&tag_fields[f], &plain, &flipped);
                test_context("bit %zu", bit);
                CHECK_EQ(changed, 1);
            }
}

/* Every compact tag in both variants, by the law, at hops of many kinds and values. */
TEST(csig_compact_all)
{
    const uint64_t rounds = test_rounds(1u << 16);
    const uint32_t step = (uint32_t)((1u << 16) / rounds) | 1;
    uint64_t random = 1, i;
    uint32_t tci = 0;
    int k;
    for (i = 0; i < rounds; i++, tci = (tci + step) & 0xffff)
        for (k = 0; k < 24; k++) {
            uint8_t bytes[13];
            test_at("tag, hop", tci, (unsigned)k, 0);
            rocecc_store32(bytes, 0x99000000u | tci);
            bytes[4] = k < 16 ? (uint8_t)(1 + 8 * k) : (uint8_t)test_random(&random);
            rocecc_store32(bytes + 5, test_random(&random));
            rocecc_store32(bytes + 9, 0);
            (void)law_csig(rocecc_reader_of(bytes, bytes + (k & 1 ? 13 : 9)));
        }
    CHECK_EQ(i, rounds);
}

/* Every compact tag against every bucket that a hop may have: min, max, ties. */
TEST(csig_update_all)
{
    const uint64_t rounds = test_rounds(1u << 16);
    const uint32_t step = (uint32_t)((1u << 16) / rounds) | 1;
    rocecc_csig_table t;
    rocecc_csig_port port = {&t, ROCECC_CSIG_UPDATE, false, 42};
    rocecc_csig_local local;
    uint32_t tci = 0, k, variant;
    uint64_t i, bad = 0;
    int type;
    memset(&t, 0, sizeof t);
    for (type = 0; type < 4; type++)
        for (k = 0; k < 32; k++) {
            t.type[type].n = 32;
            t.type[type].range[k].min = t.type[type].range[k].max = k;
        }
    CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_OK);
    for (i = 0; i < rounds; i++, tci = (tci + step) & 0xffff)
        for (variant = 0; variant < 2; variant++)
            for (k = 0; k < 32; k++) {
                const uint32_t is = tci >> 7 & 31;
                const uint32_t lm = variant ? 42 * 2 + (tci & 1) : 42;
                const bool d = variant == 1 && tci % 2 == 1;
                const bool over = tci < 0x4000 ? k < is : tci < 0x8000 && k > is;
                uint32_t should = tci;
                rocecc_csig_verdict verdict = ROCECC_CSIG_PASSED;
                uint8_t b[4] = {0x99, 0, (uint8_t)(tci >> 8), (uint8_t)tci};
                if (over && !d) should = (tci & 0xf000) | k << 7 | lm;
                local.value[0] = local.value[1] = local.value[2] = local.value[3] = k;
                bad += rocecc_csig_update(variant ? &uec : &draft, &port, &local,
                                          rocecc_writer_of(b, b + 4),
                                          &verdict) != ROCECC_OK ||
                       rocecc_load32(b) != (0x99000000u | should) ||
                       verdict != (d               ? ROCECC_CSIG_MARKED
                                   : tci >= 0x8000 ? ROCECC_CSIG_UNKNOWN
                                   : should != tci ? ROCECC_CSIG_WRITTEN
                                   : over          ? ROCECC_CSIG_WRITTEN
                                                   : ROCECC_CSIG_KEPT);
            }
    CHECK_EQ(bad, 0);
}

/* Wide tags: every bit pattern is drawn, not counted. */
TEST(csig_wide_random)
{
    uint64_t random = 7, rounds = test_rounds(400000);
    uint8_t bytes[17];
    for (; rounds > 0; rounds--) {
        size_t i;
        for (i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(test_random(&random) >> 24);
        bytes[0] = 0x99;
        bytes[1] = 1;
        if (test_random(&random) & 1) rocecc_store32(bytes + 13, 0);
        (void)law_csig(rocecc_reader_of(bytes, bytes + sizeof bytes));
    }
}

/* One tag along a path of random hops: what arrives is the worst, and where. */
TEST(csig_path)
{
    uint64_t random = 3, rounds = test_rounds(20000);
    for (; rounds > 0; rounds--) {
        const bool wide = (test_random(&random) & 1) != 0;
        const uint8_t type = (uint8_t)(test_random(&random) % 3);
        const uint32_t hops = 1 + test_random(&random) % 8;
        rocecc_csig h = rocecc_csig_neutral(&uec, wide, type);
        rocecc_csig_local local = {{0, 0, 0, 0}};
        uint64_t worst = type < 2 ? UINT64_MAX : 0, means = 0;
        uint32_t i, bucket = 0;
        uint8_t b[8];
        rocecc_writer w = rocecc_writer_of(b, b + 8);
        rocecc_reader r;
        CHECK_EQ(rocecc_csig_emit(&uec, &w, &h), ROCECC_OK);
        for (i = 0; i < hops; i++) {
            const rocecc_csig_port port = {&law_csig_table, ROCECC_CSIG_UPDATE, false,
                                           (uint16_t)(i + 1)};
            const uint32_t draw = test_random(&random) >> (test_random(&random) & 31);
            rocecc_csig_verdict verdict;
            local.value[type] = draw;
            if (type < 2 ? draw < worst : draw > worst) worst = draw;
            CHECK_EQ(rocecc_csig_update(&uec, &port, &local, rocecc_writer_of(b, b + 8),
                                        &verdict),
                     ROCECC_OK);
        }
        r = rocecc_reader_of(b, b + 8);
        CHECK_EQ(rocecc_csig_parse(&uec, &r, &h), ROCECC_OK);
        CHECK_EQ(rocecc_csig_quantise(&law_csig_table, &h, worst, &bucket), ROCECC_OK);
        if (h.locator == 0) { /* no hop was worse than the neutral value */
            h = rocecc_csig_neutral(&uec, wide, type);
            CHECK(type < 2 ? bucket >= h.value : bucket == 0);
            continue;
        }
        CHECK_EQ(h.value, bucket);
        CHECK(h.locator >= 1 && h.locator <= hops);
        CHECK_EQ(rocecc_csig_dequantise(&law_csig_table, &h, &means), ROCECC_OK);
        if (type < 2 && bucket != 0) CHECK(means <= worst);
        if (type >= 2 && bucket != 0 && bucket < 30) CHECK(means >= worst);
    }
}

/* A port whose locator is too wide for the tag writes nothing; when it has nothing to
 * write, it does not matter. */
TEST(csig_locator_wide)
{
    static const uint8_t should[4] = {0x99, 0, 0x0f, 0x80};
    rocecc_csig_port port = {&law_csig_table, ROCECC_CSIG_UPDATE, false, 64};
    const rocecc_csig_local local = {{15, 0, 0, 0}}, idle = {{1000, 0, 0, 0}};
    rocecc_csig_verdict verdict = ROCECC_CSIG_PASSED;
    uint8_t b[4] = {0x99, 0, 0x0f, 0x80};
    const rocecc_writer w = rocecc_writer_of(b, b + 4);
    CHECK_EQ(rocecc_csig_update(&uec, &port, &local, w, &verdict), ROCECC_ERR_RANGE);
    CHECK(memcmp(b, should, 4) == 0 && verdict == ROCECC_CSIG_PASSED);
    CHECK_EQ(rocecc_csig_update(&uec, &port, &idle, w, &verdict), ROCECC_OK);
    CHECK_EQ(verdict, ROCECC_CSIG_KEPT);
    CHECK_EQ(rocecc_csig_update(&draft, &port, &local, w, &verdict), ROCECC_OK);
    CHECK_EQ(rocecc_load32(b), 0x990000c0);
    port.locator = 128;
    b[2] = 0x0f;
    CHECK_EQ(rocecc_csig_update(&draft, &port, &local, w, &verdict), ROCECC_ERR_RANGE);
}

/* What is too wide does not spill: store() is total. */
TEST(csig_store_wide)
{
    const rocecc_csig wide = {0, false, 0xf8, 0xfe, 0xffffffe0, 0xff80, false};
    const rocecc_csig wide8 = {0, true, 0xf0, 0, 0xfff00000, 0, false};
    uint8_t b[8];
    rocecc_csig_compact_store(b, &wide, false);
    CHECK_EQ(rocecc_load32(b), 0);
    rocecc_csig_compact_store(b, &wide, true);
    CHECK_EQ(rocecc_load32(b), 0);
    rocecc_csig_wide_store(b, &wide8, true);
    CHECK_EQ(rocecc_load64(b), 0);
}

/* A table that init() refuses still does no harm. */
TEST(csig_table_any)
{
    rocecc_csig_table t;
    rocecc_csig h = {LAW_CSIG_COMPACT, false, 0, 0, 32, 0, false};
    uint64_t v = 0;
    uint32_t bucket = 0;
    memset(&t, 0, sizeof t);
    t.type[0].n = 33;
    CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_csig_quantise(&t, &h, 1, &bucket), ROCECC_NO_MATCH);
    CHECK_EQ(rocecc_csig_dequantise(&t, &h, &v), ROCECC_NO_MATCH);
    t.type[0].n = 32;
    CHECK_EQ(rocecc_csig_dequantise(&t, &h, &v), ROCECC_ERR_RANGE);
    h.wide = true;
    t.type[0].wide = true;
    t.type[0].step_log2 = 44;
    CHECK_EQ(rocecc_csig_quantise(&t, &h, 1, &bucket), ROCECC_NO_MATCH);
    t.type[0].step_log2 = 43;
    t.type[0].base = (uint64_t)1 << 63;
    h.value = 0xfffff;
    h.type = ROCECC_CSIG_PD;
    t.type[2] = t.type[0];
    CHECK_EQ(rocecc_csig_dequantise(&t, &h, &v), ROCECC_OK);
    CHECK_EQ(v, UINT64_MAX);
    h.value = 0x100000;
    CHECK_EQ(rocecc_csig_dequantise(&t, &h, &v), ROCECC_ERR_RANGE);
}
