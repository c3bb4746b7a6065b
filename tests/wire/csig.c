/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/csig.h"
#include "law/edit.h"
#include "lib/guard.h"
#include "lib/noun.h"
#include "rocecc/packet/csig.h"

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

static const field tag_fields[] = {ROCECC_CSIG_FIELDS(FIELD_ROW, rocecc_csig)};
static const noun nouns[] = {{"csig", false, sizeof(rocecc_csig), tag_fields,
                              NOUN_COUNT(tag_fields), draft_parse, draft_emit},
                             {"csig_uec", false, sizeof(rocecc_csig), tag_fields,
                              NOUN_COUNT(tag_fields), uec_parse, uec_emit}};

/* Arguments of the functions that are not codecs. */
typedef struct args {
    rocecc_csig_config c;
    rocecc_csig h;
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

/* Result of a plan for a frame. */
typedef struct edited {
    uint8_t verdict;
    rocecc_reader packet;
} edited;

static const field config_fields[] = {
    ROCECC_CSIG_CONFIG_FIELDS(FIELD_ROW, rocecc_csig_config)};
static const field arg_fields[] = {
    FIELD_ROW(args, BOOL, bands, NULL) FIELD_ROW(args, UINT, step_log2, NULL)
        FIELD_ROW(args, UINT, base, NULL) FIELD_ROW(args, UINT, v, NULL)
            FIELD_ROW(args, UINT, locator, NULL) FIELD_ROW(args, BOOL, ignore_d, NULL)
                FIELD_ROW(args, ENUM, action, "pass update strip")};
static const field got_v[] = {FIELD_ROW(got, UINT, v, NULL)};
static const field got_value[] = {FIELD_ROW(got, UINT, value, NULL)};
static const field got_tag[] = {FIELD_ROW(got, ENUM, verdict, CSIG_VERDICTS)
                                    FIELD_ROW(got, VIEW, tag, NULL)};
static const field edited_fields[] = {FIELD_ROW(edited, ENUM, verdict, EDIT_VERDICTS)
                                          FIELD_ROW(edited, VIEW, packet, NULL)};

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

/* Sets the buckets of all types, for example from ranges=0-9,10-19. */
static void table_of(const vec_row *row, const args *a, rocecc_csig_table *t)
{
    const char *text = vec_value(row->in, row->n_in, "ranges");
    int i;
    memset(t, 0, sizeof *t);
    for (; text != NULL; t->type[0].n++) {
        rocecc_csig_bucket *r = &t->type[0].range[t->type[0].n % 32];
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
    if (vec_value(row->in, row->n_in, "locator") != NULL) n--; /* counted twice */
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

/* A frame with a tag that arrives at a port. */
typedef struct at_port {
    rocecc_domain d;
    rocecc_packet p;
    rocecc_edit e;
    rocecc_writer w;
    rocecc_csig_verdict what;
} at_port;

static rocecc_edit_verdict come(at_port *x, const args *a, const rocecc_csig_table *t,
                                const uint8_t *tag, size_t n)
{
    const rocecc_csig_port port = {a->action, a->ignore_d, a->locator};
    const rocecc_csig_measured local = {{a->v, a->v, a->v, a->v}};
    uint8_t frame[12 + VEC_BYTES + 2] = {0};
    rocecc_reader r;
    rocecc_csig h;
    memset(x, 0, sizeof *x);
    x->d.csig.compact_tpid = LAW_CSIG_COMPACT;
    x->d.csig.wide_tpid = LAW_CSIG_WIDE;
    x->d.csig.uec = a->c.uec;
    memcpy(frame + 12, tag, n);
    r = noun_reader(frame, 12 + n + 2); /* the type after the tag */
    (void)rocecc_packet_parse(&x->d, r, &x->p);
    x->what = ROCECC_CSIG_UNKNOWN;
    if (rocecc_csig_find(&x->p, &h) == ROCECC_OK)
        x->what = rocecc_csig_fold(t, &port, &local, &h);
    x->w = noun_over(r);
    return rocecc_csig_push(&x->p, t, &port, &local, &x->e);
}

/* Checks each prefix of the tag, before a guard page. */
static void call_csig_update(const vec_row *row)
{
    rocecc_csig_table t;
    const args a = arguments(row, &t);
    const size_t whole = row->bytes[1] == 1 ? 8 : 4;
    size_t n;
    for (n = 0; n <= row->n; n++) {
        at_port x;
        const rocecc_edit_verdict verdict = come(&x, &a, &t, row->bytes, n);
        got g = {0, 0, (uint8_t)x.what, x.p.bytes};
        test_context("%s, the first %zu bytes", row->id, n);
        if (n < whole || row->status == ROCECC_NO_MATCH)
            CHECK_EQ(verdict, ROCECC_EDIT_NONE); /* the walk finds no tag */
        else if (row->status == ROCECC_ERR_RANGE)
            CHECK_EQ(verdict, ROCECC_EDIT_RANGE);
        else if (x.what == ROCECC_CSIG_WRITTEN || x.what == ROCECC_CSIG_STRIPPED)
            CHECK_EQ(verdict, ROCECC_EDIT_CHANGE);
        else
            CHECK_EQ(verdict, x.what == ROCECC_CSIG_UNKNOWN ? ROCECC_EDIT_UNKNOWN
                                                            : ROCECC_EDIT_NONE);
        CHECK_EQ(rocecc_edit_needs_action(&x.e), verdict == ROCECC_EDIT_CHANGE);
        if (x.what == ROCECC_CSIG_WRITTEN)
            CHECK_EQ(rocecc_edit_write(&x.e, x.w), ROCECC_OK);
        g.tag = rocecc_subrange(g.tag, g.tag.at + 12, g.tag.at + 12 + n);
        if (n == row->n && row->status == ROCECC_OK)
            noun_check_out(row, got_tag, NOUN_COUNT(got_tag), ROCECC_OK, &g);
        else if (x.what != ROCECC_CSIG_WRITTEN || row->status != ROCECC_OK)
            CHECK(memcmp(g.tag.base + g.tag.at, row->bytes, n) == 0);
    }
}

/*
 * Checks the row's frame after `h` is inserted, or after its tag is stripped if `h` is
 * NULL.
 */
static void check_frame(const vec_row *row, const rocecc_domain *d,
                        const rocecc_csig *h)
{
    const rocecc_writer all = noun_writer(row->n + 8);
    rocecc_writer w = all;
    edited g = {0, {NULL, 0, 0}};
    rocecc_packet p;
    rocecc_edit e;
    memcpy(w.base + w.at, row->bytes, row->n);
    w.at += row->n;
    (void)rocecc_packet_parse(d, rocecc_subrange(rocecc_written(&w), all.at, w.at), &p);
    g.verdict = (uint8_t)(h != NULL ? rocecc_csig_insert(&p, h, &e)
                                    : rocecc_csig_strip(&p, &e));
    CHECK_EQ(rocecc_edit_needs_action(&e), g.verdict == ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    g.packet = rocecc_subrange(rocecc_written(&w), all.at, w.at);
    noun_check_out(row, edited_fields, NOUN_COUNT(edited_fields), ROCECC_OK, &g);
}

/* Returns a domain with both forms of one variant. */
static rocecc_domain domain_of(bool is_uec)
{
    static const rocecc_domain none;
    rocecc_domain d = none;
    d.csig = is_uec ? uec : draft;
    return d;
}

static void call_csig_insert(const vec_row *row)
{
    rocecc_csig_table t;
    const args a = arguments(row, &t);
    const rocecc_domain d = domain_of(a.c.uec);
    rocecc_csig h = a.h;
    h.tpid = h.wide ? LAW_CSIG_WIDE : LAW_CSIG_COMPACT;
    check_frame(row, &d, &h);
}

static void call_csig_strip(const vec_row *row)
{
    rocecc_csig_table t;
    const args a = arguments(row, &t);
    const rocecc_domain d = domain_of(a.c.uec);
    check_frame(row, &d, NULL);
}

static const noun_call calls[] = {
    {"csig_init", call_csig_init},         {"csig_table_init", call_csig_table_init},
    {"csig_quantise", call_csig_quantise}, {"csig_dequantise", call_csig_dequantise},
    {"csig_neutral", call_csig_neutral},   {"csig_update", call_csig_update},
    {"csig_insert", call_csig_insert},     {"csig_strip", call_csig_strip}};

TEST(csig_vectors)
{
    const noun_file file = {"csig", law_csig, nouns, 2, calls, NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}

/*
 * Every bit after the TPID belongs to exactly one member, in both forms and variants.
 */
TEST(csig_each_bit_belongs_to_one_member)
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

/* Every compact tag in both variants, by the law, at 16 updating and 8 random hops. */
TEST(csig_law_holds_for_every_compact_tag)
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

/*
 * Every compact tag with every bucket of a hop. Types 0 and 1 keep the smaller value,
 * and types 2 and 3 the larger.
 */
TEST(csig_update_keeps_the_worse_bucket_of_every_tag)
{
    const uint64_t rounds = test_rounds(1u << 16);
    const uint32_t step = (uint32_t)((1u << 16) / rounds) | 1;
    rocecc_csig_table t;
    rocecc_csig_port port = {ROCECC_CSIG_UPDATE, false, 42};
    rocecc_csig_measured local;
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
                rocecc_csig_verdict verdict;
                uint8_t b[4] = {0x99, 0, (uint8_t)(tci >> 8), (uint8_t)tci};
                rocecc_csig h = rocecc_csig_compact_load(b, variant != 0);
                if (over && !d) should = (tci & 0xf000) | k << 7 | lm;
                local.value[0] = local.value[1] = local.value[2] = local.value[3] = k;
                verdict = rocecc_csig_fold(&t, &port, &local, &h);
                rocecc_csig_compact_store(b, &h, variant != 0);
                bad += rocecc_load32(b) != (0x99000000u | should) ||
                       verdict != (d               ? ROCECC_CSIG_MARKED
                                   : tci >= 0x8000 ? ROCECC_CSIG_UNKNOWN
                                   : should != tci ? ROCECC_CSIG_WRITTEN
                                   : over          ? ROCECC_CSIG_WRITTEN
                                                   : ROCECC_CSIG_KEPT);
            }
    CHECK_EQ(bad, 0);
}

/* Wide tags with random bits, by the law. */
TEST(csig_law_holds_for_random_wide_tags)
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

/*
 * After a path of random hops, a tag has the worst bucket and the locator of the first
 * hop with this bucket. If no hop is worse than the neutral value, the tag is unchanged
 * and its locator is 0. Types 0 and 1 keep the smallest bucket, and types 2 and 3 the
 * largest. The law's table has no wide buckets for type 3.
 */
TEST(csig_path_keeps_the_worst_bucket_and_its_locator)
{
    uint64_t random = 3, rounds = test_rounds(20000);
    for (; rounds > 0; rounds--) {
        const uint8_t type = (uint8_t)(test_random(&random) % ROCECC_CSIG_TYPES);
        const bool wide = (test_random(&random) & 1) != 0 && type != ROCECC_CSIG_NQD;
        const bool min = type <= ROCECC_CSIG_ABW_C;
        const uint32_t last =
            wide ? ROCECC_CSIG_WIDE_BUCKETS - 1 : law_csig_table.type[type].n - 1u;
        const uint32_t hops = 1 + test_random(&random) % 8;
        rocecc_csig h = rocecc_csig_neutral(&uec, wide, type);
        rocecc_csig_measured local = {{0, 0, 0, 0}};
        uint64_t worst = min ? UINT64_MAX : 0, means = 0;
        uint32_t i, should = h.value, locator = 0;
        for (i = 0; i < hops; i++) {
            const rocecc_csig_port port = {ROCECC_CSIG_UPDATE, false,
                                           (uint16_t)(i + 1)};
            const uint32_t draw = test_random(&random) >> (test_random(&random) & 31);
            uint32_t bucket = 0;
            bool worse;
            local.value[type] = draw;
            if (min ? draw < worst : draw > worst) worst = draw;
            CHECK_EQ(rocecc_csig_quantise(&law_csig_table, &h, draw, &bucket),
                     ROCECC_OK);
            worse = min ? bucket < should : bucket > should;
            if (worse) should = bucket;
            if (worse) locator = i + 1;
            test_context("type %u, wide %d, hop %u", type, wide, (unsigned)i);
            CHECK_EQ(rocecc_csig_fold(&law_csig_table, &port, &local, &h),
                     worse ? ROCECC_CSIG_WRITTEN : ROCECC_CSIG_KEPT);
        }
        CHECK_EQ(h.value, should);
        CHECK_EQ(h.locator, locator);
        if (locator == 0) continue; /* still neutral */
        CHECK_EQ(rocecc_csig_dequantise(&law_csig_table, &h, &means), ROCECC_OK);
        if (min && should != 0) CHECK(means <= worst);
        if (!min && should != 0 && should < last) CHECK(means >= worst);
    }
}

/*
 * A locator that is too wide for the tag gives RANGE, but only if the port must write
 * it.
 */
TEST(csig_too_wide_locator_gives_range_only_if_written)
{
    static const uint8_t tag[4] = {0x99, 0, 0x0f, 0x80};
    args a;
    at_port x;
    memset(&a, 0, sizeof a);
    a.action = ROCECC_CSIG_UPDATE;
    a.locator = 64;
    a.v = 15;
    a.c.uec = true;
    CHECK_EQ(come(&x, &a, &law_csig_table, tag, 4), ROCECC_EDIT_RANGE);
    CHECK(!rocecc_edit_needs_action(&x.e));
    a.v = 1000;
    CHECK_EQ(come(&x, &a, &law_csig_table, tag, 4), ROCECC_EDIT_NONE);
    CHECK_EQ(x.what, ROCECC_CSIG_KEPT);
    a.v = 15;
    a.c.uec = false;
    CHECK_EQ(come(&x, &a, &law_csig_table, tag, 4), ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_edit_write(&x.e, x.w), ROCECC_OK);
    CHECK_EQ(rocecc_load32(x.w.base + x.w.at + 12), 0x990000c0);
    a.locator = 128;
    CHECK_EQ(come(&x, &a, &law_csig_table, tag, 4), ROCECC_EDIT_RANGE);
}

/*
 * A plan to update or strip a tag needs a packet with the same tag. A plan to insert a
 * tag needs the same VLAN TPIDs and EtherType. If one bit of these bytes is different,
 * apply() returns NO_MATCH and changes nothing. Other bytes may be different.
 */
TEST(csig_plan_does_not_fit_another_frame)
{
    enum { UPDATE, STRIP, INSERT, PLANS };
    enum { MACS = 12, HEADERS = 10, FRAME = 32 };
    /* VLAN 5, a compact tag, IPv4 */
    static const uint8_t tagged[HEADERS] = {0x81, 0, 0, 5, 0x99, 0, 0x2f, 0x80, 8, 0};
    /* VLANs 5 and 6, IPv4 */
    static const uint8_t untagged[HEADERS] = {0x81, 0, 0, 5, 0x81, 0, 0, 6, 8, 0};
    static const size_t length_after[PLANS] = {FRAME, FRAME - 4, FRAME + 4};
    const rocecc_csig_port port = {ROCECC_CSIG_UPDATE, false, 3};
    const rocecc_csig_measured local = {{0, 0, 0, 0}};
    const rocecc_domain d = domain_of(false);
    const rocecc_csig h = rocecc_csig_neutral(&d.csig, false, ROCECC_CSIG_ABW_C);
    size_t i;
    int plan;
    for (plan = UPDATE; plan < PLANS; plan++)
        for (i = 0; i < HEADERS; i++) {
            const bool compared = plan == INSERT ? i % 4 < 2 : i >= 4 && i < 8;
            const rocecc_writer all = noun_writer(FRAME + 4);
            uint8_t *const frame = all.base + all.at;
            uint8_t before[FRAME];
            rocecc_writer w = all;
            rocecc_edit_verdict verdict;
            rocecc_packet p;
            rocecc_edit e;
            memset(frame, 0, FRAME);
            memcpy(frame + MACS, plan == INSERT ? untagged : tagged, HEADERS);
            w.at += FRAME;
            (void)rocecc_packet_parse(
                &d, rocecc_subrange(rocecc_written(&w), all.at, w.at), &p);
            verdict = plan == UPDATE
                          ? rocecc_csig_push(&p, &law_csig_table, &port, &local, &e)
                      : plan == STRIP ? rocecc_csig_strip(&p, &e)
                                      : rocecc_csig_insert(&p, &h, &e);
            test_context("plan %d, byte %zu", plan, i);
            CHECK_EQ(verdict, ROCECC_EDIT_CHANGE);
            frame[MACS + i] ^= 1;
            memcpy(before, frame, FRAME);
            if (plan == UPDATE && compared)
                CHECK_EQ(rocecc_edit_write(&e, all), ROCECC_NO_MATCH);
            CHECK_EQ(rocecc_edit_apply(&e, &w), compared ? ROCECC_NO_MATCH : ROCECC_OK);
            CHECK_EQ(w.at - all.at, compared ? (size_t)FRAME : length_after[plan]);
            if (compared) CHECK(memcmp(frame, before, FRAME) == 0);
        }
}

/* A frame too far into its buffer gets no offsets from the walk, and no plan. */
TEST(csig_insert_too_far_in_a_buffer_is_broken)
{
    static uint8_t buffer[70000];
    rocecc_domain d = domain_of(false);
    const rocecc_csig h = rocecc_csig_neutral(&d.csig, false, ROCECC_CSIG_ABW_C);
    rocecc_reader r = rocecc_reader_of(buffer, buffer + sizeof buffer);
    rocecc_packet p;
    rocecc_edit e;
    r.at = 65536 + 20;
    CHECK_EQ(rocecc_packet_parse(&d, r, &p), ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_csig_insert(&p, &h, &e), ROCECC_EDIT_BROKEN);
    CHECK(!rocecc_edit_needs_action(&e));
}

/*
 * A cut frame, too large a locator, the TPID of the other form, a missing Ethernet
 * header or three VLAN tags prevent an insertion.
 */
TEST(csig_insert_gives_a_verdict_for_each_obstacle)
{
    rocecc_domain d = domain_of(false);
    rocecc_csig h = rocecc_csig_neutral(&d.csig, false, ROCECC_CSIG_ABW_C);
    uint8_t frame[64] = {0};
    rocecc_packet p;
    rocecc_edit e;
    frame[12] = 0x08;
    (void)rocecc_packet_parse(&d, noun_reader(frame, 13), &p);
    CHECK_EQ(rocecc_csig_insert(&p, &h, &e), ROCECC_EDIT_BROKEN);
    (void)rocecc_packet_parse(&d, noun_reader(frame, 14), &p);
    CHECK_EQ(rocecc_csig_insert(&p, &h, &e), ROCECC_EDIT_CHANGE);
    h.locator = 128;
    CHECK_EQ(rocecc_csig_insert(&p, &h, &e), ROCECC_EDIT_RANGE);
    CHECK(!rocecc_edit_needs_action(&e));
    h.locator = 127;
    h.tpid = LAW_CSIG_WIDE;
    CHECK_EQ(rocecc_csig_insert(&p, &h, &e), ROCECC_EDIT_RANGE);
    h.tpid = LAW_CSIG_COMPACT;
    d.link = ROCECC_LINK_IP;
    CHECK_EQ(rocecc_csig_insert(&p, &h, &e), ROCECC_EDIT_NONE);
    d.link = ROCECC_LINK_ETHER;
    frame[0] = 0x45;
    frame[3] = 20;
    (void)rocecc_packet_parse_as(&d, noun_reader(frame, 20), ROCECC_TYPE_IPV4, &p);
    CHECK_EQ(rocecc_csig_insert(&p, &h, &e), ROCECC_EDIT_NONE);
    rocecc_store32(frame + 12, 0x81000001);
    rocecc_store32(frame + 16, 0x81000002);
    rocecc_store32(frame + 20, 0x81000003);
    (void)rocecc_packet_parse(&d, noun_reader(frame, 40), &p);
    CHECK_EQ(p.headers.n_vlan, 3);
    CHECK_EQ(rocecc_csig_insert(&p, &h, &e), ROCECC_EDIT_UNSUPPORTED);
}

/* store() drops bits beyond each field. */
TEST(csig_store_drops_bits_beyond_each_field)
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

/*
 * More than 32 ranges or a step_log2 above 43 count as no buckets (NO_MATCH). A bucket
 * beyond the table gives RANGE. The value of the highest wide bucket does not overflow.
 */
TEST(csig_buckets_of_an_invalid_table_are_not_used)
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

/* emit() returns RANGE for a form that is off, instead of writing TPID 0. */
TEST(csig_emit_of_a_disabled_form_gives_range)
{
    unsigned wide;
    for (wide = 0; wide < 2; wide++) {
        const rocecc_csig_config c = {wide ? 0x9900 : 0, wide ? 0 : 0x9901, false};
        uint8_t b[8];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        rocecc_csig h;
        memset(&h, 0, sizeof h);
        h.wide = wide != 0;
        test_context("wide %u", wide);
        CHECK_EQ(rocecc_csig_emit(&c, &w, &h), ROCECC_ERR_RANGE);
        CHECK_EQ(w.at, 0);
    }
}

/* table_init() accepts 32 ascending ranges, but returns RANGE for more. */
TEST(csig_table_has_at_most_32_ranges)
{
    rocecc_csig_table t;
    unsigned i, n;
    memset(&t, 0, sizeof t);
    for (i = 0; i < 32; i++)
        t.type[0].range[i].min = t.type[0].range[i].max = i;
    t.type[0].n = 32;
    CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_OK);
    for (n = 33; n < 256; n++) {
        t.type[0].n = (uint8_t)n;
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_ERR_RANGE);
    }
}

/* table_init() checks the step, the base and the ranges of each type. */
TEST(csig_table_init_checks_every_type)
{
    unsigned type;
    for (type = 0; type < ROCECC_CSIG_TYPES; type++) {
        rocecc_csig_table t;
        rocecc_csig_buckets *b = &t.type[type];
        memset(&t, 0, sizeof t);
        test_context("type %u", type);
        b->step_log2 = 43;
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_OK);
        b->step_log2 = 44;
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_ERR_RANGE);
        b->step_log2 = 0;
        b->base = 6;
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_ERR_RANGE);
        b->base = 4;
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_OK);
        b->n = 1;
        b->range[0].min = 1;
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_ERR_RANGE);
    }
}

/*
 * A wide tag has 4 bits of type, but a table has only 4 types. Other types have no
 * buckets, and nothing is read after the table.
 */
TEST(csig_types_above_3_lack_buckets)
{
    static const rocecc_csig_port port = {ROCECC_CSIG_UPDATE, false, 5};
    static const rocecc_csig_table none;
    const rocecc_csig_table *t =
        (const rocecc_csig_table *)(const void *)guard_end(&none, sizeof none);
    rocecc_csig_measured local;
    unsigned type;
    memset(&local, 0xff, sizeof local);
    for (type = ROCECC_CSIG_TYPES; type < 16; type++) {
        rocecc_csig h = {0x9901, true, (uint8_t)type, 0, 0xfffff, 0, false};
        uint32_t bucket = 7;
        uint64_t v = 7;
        test_context("type %u", type);
        CHECK_EQ(rocecc_csig_quantise(t, &h, 1, &bucket), ROCECC_NO_MATCH);
        CHECK_EQ(rocecc_csig_dequantise(t, &h, &v), ROCECC_NO_MATCH);
        CHECK(bucket == 7 && v == 7);
        CHECK_EQ(rocecc_csig_fold(t, &port, &local, &h), ROCECC_CSIG_UNKNOWN);
        CHECK(h.value == 0xfffff && h.locator == 0);
    }
}

/* For types above 3, nothing is read after the 4 measured values. */
TEST(csig_fold_reads_only_four_measured_values)
{
    static const rocecc_csig_port port = {ROCECC_CSIG_UPDATE, false, 5};
    static const rocecc_csig_table t;
    static const rocecc_csig_measured measured;
    const rocecc_csig_measured *local =
        (const rocecc_csig_measured *)(const void *)guard_end(&measured,
                                                              sizeof measured);
    unsigned type;
    for (type = ROCECC_CSIG_TYPES; type < 16; type++) {
        rocecc_csig h = {0x9901, true, (uint8_t)type, 0, 0xfffff, 0, false};
        test_context("type %u", type);
        CHECK_EQ(rocecc_csig_fold(&t, &port, local, &h), ROCECC_CSIG_UNKNOWN);
    }
}

/*
 * A neutral compact ABW tag has bucket 31. With 31 ranges, the table lacks this bucket,
 * so dequantise() returns RANGE. A neutral wide tag always has a value.
 */
TEST(csig_neutral_value_is_out_of_range_only_without_its_bucket)
{
    rocecc_csig_table t;
    unsigned i, n;
    memset(&t, 0, sizeof t);
    for (i = 0; i < 32; i++)
        t.type[0].range[i].min = t.type[0].range[i].max = 2 * i;
    t.type[0].wide = true;
    t.type[0].step_log2 = 1;
    for (n = 31; n <= 32; n++) {
        rocecc_csig h = rocecc_csig_neutral(&draft, false, ROCECC_CSIG_ABW);
        uint64_t v = 7;
        t.type[0].n = (uint8_t)n;
        test_context("%u ranges", n);
        CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_OK);
        CHECK_EQ(rocecc_csig_dequantise(&t, &h, &v),
                 n < 32 ? ROCECC_ERR_RANGE : ROCECC_OK);
        CHECK_EQ(v, n < 32 ? 7 : 62);
        h = rocecc_csig_neutral(&draft, true, ROCECC_CSIG_ABW);
        CHECK_EQ(rocecc_csig_dequantise(&t, &h, &v), ROCECC_OK);
        CHECK_EQ(v, 2 * 0xfffff);
    }
}

/* Only types 0 and 1 keep the smallest value. The other types start at 0. */
TEST(csig_unassigned_types_are_not_min)
{
    unsigned type, wide;
    for (type = 0; type < 256; type++)
        for (wide = 0; wide < 2; wide++) {
            const rocecc_csig h = rocecc_csig_neutral(&draft, wide != 0, (uint8_t)type);
            test_context("type %u, wide %u", type, wide);
            CHECK_EQ(rocecc_csig_is_min((uint8_t)type), type < 2);
            CHECK_EQ(h.value, type >= 2 ? 0 : wide ? 0xfffff : 31);
        }
}

/*
 * Only rocecc_domain_init() rejects the types of a CNM, MPLS and others as a TPID.
 */
TEST(csig_init_accepts_types_rejected_by_the_domain)
{
    static const uint16_t other[] = {0x22e7, 0x6558, 0x8808, 0x8847, 0x8848, 0x8864};
    rocecc_domain d;
    size_t i;
    for (i = 0; i < NOUN_COUNT(other); i++) {
        memset(&d, 0, sizeof d);
        d.link = ROCECC_LINK_ETHER;
        d.csig.wide_tpid = other[i];
        test_context("type %04x", (unsigned)other[i]);
        CHECK_EQ(rocecc_csig_init(&d.csig), ROCECC_OK);
        CHECK_EQ(rocecc_domain_init(&d), ROCECC_DOMAIN_REFUSED_TYPE);
    }
}

/* A value beyond the table gets the nearest bucket, even if this is optimistic. */
TEST(csig_value_beyond_the_table_takes_the_value_of_its_end)
{
    rocecc_csig_table t;
    rocecc_csig h = {0x9900, false, ROCECC_CSIG_ABW, 0, 0, 0, false};
    uint64_t v = 0;
    memset(&t, 0, sizeof t);
    t.type[0].n = t.type[2].n = 2;
    t.type[0].range[0].min = t.type[2].range[0].min = 5;
    t.type[0].range[0].max = t.type[2].range[0].max = 9;
    t.type[0].range[1].min = t.type[2].range[1].min = 10;
    t.type[0].range[1].max = t.type[2].range[1].max = 19;
    CHECK_EQ(rocecc_csig_table_init(&t), ROCECC_OK);
    CHECK_EQ(rocecc_csig_quantise(&t, &h, 1, &h.value), ROCECC_OK);
    CHECK_EQ(rocecc_csig_dequantise(&t, &h, &v), ROCECC_OK);
    CHECK(h.value == 0 && v == 5); /* more bandwidth than measured */
    h.type = ROCECC_CSIG_PD;
    CHECK_EQ(rocecc_csig_quantise(&t, &h, 1000, &h.value), ROCECC_OK);
    CHECK_EQ(rocecc_csig_dequantise(&t, &h, &v), ROCECC_OK);
    CHECK(h.value == 1 && v == 19); /* less delay than measured */
}

/* Type 0 does not match a form that is off. */
TEST(csig_type_0_does_not_match_a_disabled_form)
{
    static const rocecc_csig_config off;
    static const uint8_t b[8];
    rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
    rocecc_csig h;
    CHECK_EQ(rocecc_csig_bytes(&off, 0), 0);
    CHECK_EQ(rocecc_csig_parse(&off, &r, &h), ROCECC_NO_MATCH);
    CHECK_EQ(r.at, 0);
}

/* Without UEC, store() ignores no_update. The last bit then belongs to the locator. */
TEST(csig_store_without_uec_ignores_no_update)
{
    const rocecc_csig h = {0x9900, false, 0, 0, 0, 0, true};
    uint8_t b[8] = {0};
    rocecc_csig_compact_store(b, &h, false);
    CHECK_EQ(rocecc_load32(b), 0x99000000);
    rocecc_csig_compact_store(b, &h, true);
    CHECK_EQ(rocecc_load32(b), 0x99000001);
    rocecc_csig_wide_store(b, &h, false);
    CHECK_EQ(rocecc_load32(b), 0x99000000);
    rocecc_csig_wide_store(b, &h, true);
    CHECK_EQ(rocecc_load32(b), 0x99000001);
}
