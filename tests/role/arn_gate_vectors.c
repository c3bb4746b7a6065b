/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * arn_gate_vectors.c - tests the gate with the rows of vectors/arn_gate.vec. A row has
 * a configuration, a frame, and every member of the result. The rows of one source
 * share one gate, in order.
 */
#include "law/arn_gate.h"
#include "lib/noun.h"
#include "lib/role_admission.h"
#include "rocecc/fields/arn_gate.h"

#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0xa5

typedef struct configured {
    rocecc_arn_gate_config config;
    rocecc_domain domain;
    uint32_t sources; /* sources with buckets */
    role_list list;
} configured;

#define GATE_ROW(T, kind, member, ...) FIELD_ROW(T, kind, config.member, __VA_ARGS__)
#define ARN_ROW(T, kind, member, ...) FIELD_ROW(T, kind, domain.arn.member, __VA_ARGS__)
static const field config_fields[] = {
    ROCECC_ARN_GATE_CONFIG_FIELDS(GATE_ROW, configured)
        ROCECC_ARN_CONFIG_FIELDS(ARN_ROW, configured)
            FIELD_ROW(configured, BOOL, domain.ah, NULL)
                FIELD_ROW(configured, UINT, sources, NULL)};

/* The whole output of the gate: its result, and the levels of the buckets. */
typedef struct given {
    rocecc_arn_gate_result out;
    role_buckets buckets;
} given;

#define OUT_FIELDS(F, T)                                                               \
    F(T, ENUM, out.verdict, ROCECC_ARN_GATE_VERDICT_NAMES)                             \
    F(T, ENUM, out.arrival, ROLE_ARRIVAL_NAMES)                                        \
    F(T, ENUM, out.admission, ROCECC_ADMISSION_VERDICT_NAMES)                          \
    F(T, UINT, out.icmp.type, NULL)                                                    \
    F(T, UINT, out.icmp.code, NULL)                                                    \
    F(T, UINT, out.icmp.value, NULL)                                                   \
    F(T, UINT, out.icmp.offset, NULL)                                                  \
    F(T, BOOL, out.listed, NULL)                                                       \
    F(T, UINT, out.tag, NULL)                                                          \
    F(T, IP6, out.src, NULL)                                                           \
    ROLE_BUCKETS_FIELDS(F, T)
#define SAID_ROW(T, kind, member, ...) FIELD_ROW(T, kind, out.arn.member, __VA_ARGS__)
static const field given_fields[] = {OUT_FIELDS(FIELD_ROW, given)
                                         ROCECC_ARN_FIELDS(SAID_ROW, given)};

typedef struct refused {
    uint8_t refusal;
    rocecc_admission_params p;
} refused;

static const field refused_fields[] = {FIELD_AT("refusal", ENUM,
                                                offsetof(refused, refusal), 1,
                                                ROCECC_ARN_GATE_REFUSAL_NAMES),
                                       ROLE_REFUSED_FIELDS(refused)};

/* Applies the settings of a row. */
static void configure(const vec_pair *pairs, size_t n, configured *c)
{
    size_t i;
    memset(c, 0, sizeof *c);
    for (i = 0; i < n; i++)
        if (!role_set_access("access", &pairs[i], &c->list) &&
            !role_set(config_fields, NOUN_COUNT(config_fields), "config.", &pairs[i],
                      c) &&
            !role_set(config_fields, NOUN_COUNT(config_fields), "domain.", &pairs[i],
                      c))
            test_fail(__FILE__, __LINE__, "%s=%s is not a setting", pairs[i].key,
                      pairs[i].value);
}

/* A gate and the buckets of its sources. */
typedef struct opened {
    rocecc_arn_gate gate;
    role_sources sources;
} opened;

/* State that the rows of one source share. */
static char source_now[ROLE_SOURCE];
static configured made;
static rocecc_acl access_list;
static opened shared;
static uint64_t counted[ROCECC_ARN_GATE_VERDICTS];
static uint64_t arrivals[ROCECC_ARRIVAL_VERDICTS];
static uint64_t admissions[ROCECC_ADMISSION_VERDICTS];

static void open_gate(const vec_row *row)
{
    if (!role_source(row, source_now)) return;
    configure(row->config, row->n_config, &made);
    access_list = role_acl(&made.list);
    CHECK_EQ(rocecc_arn_gate_init(&made.config, &made.domain, &access_list),
             made.domain.arn.port == 0 ? ROCECC_ARN_GATE_REFUSED_PORT
                                       : ROCECC_ARN_GATE_ACCEPTED);
    shared.gate = rocecc_arn_gate_start(&made.config, 0);
    role_open_sources(&shared.sources, made.sources, &made.config.admission, 0);
    memset(counted, 0, sizeof counted);
    memset(arrivals, 0, sizeof arrivals);
    memset(admissions, 0, sizeof admissions);
}

/* Steps the gate on the first n bytes of a frame, at offset `start` of a buffer. */
static given step(const vec_row *row, size_t n, size_t start, uint64_t now_ns,
                  opened *s)
{
    uint8_t *at = guard_end(NULL, start + n);
    rocecc_reader r = rocecc_reader_of(at, at + start + n);
    const rocecc_admission_event e = {now_ns, &access_list, NULL, s->sources.of,
                                      s->sources.n};
    rocecc_packet p;
    given is;
    memset(at, UNTOUCHED, start);
    memcpy(at + start, row->bytes, n);
    r.at = start;
    memset(&is, UNTOUCHED, sizeof is);
    (void)rocecc_packet_parse(&made.domain, r, &p);
    rocecc_arn_gate_step(&made.config, &s->gate, &p, &e, &is.out);
    is.buckets =
        role_levels(&s->gate.admission, &s->sources, is.out.listed, is.out.tag);
    role_icmp(&is.out.icmp, start);
    return is;
}

/* Copies a row, with the member names that noun_check_out() needs. */
static void name_members(const vec_row *row, vec_row *out)
{
    static char names[VEC_PAIRS][40];
    size_t i;
    *out = *row;
    for (i = 0; i < row->n_out; i++) {
        const char *key = row->out[i].key;
        snprintf(names[i], sizeof names[i], "%s.%s",
                 role_is_bucket(key) ? "buckets" : "out", key);
        out->out[i].key = names[i];
    }
}

/* Counts a verdict and its reasons. */
static void count(const rocecc_arn_gate_result *out)
{
    CHECK(out->verdict < ROCECC_ARN_GATE_VERDICTS &&
          out->arrival < ROCECC_ARRIVAL_VERDICTS &&
          out->admission < ROCECC_ADMISSION_VERDICTS);
    if (out->verdict >= ROCECC_ARN_GATE_VERDICTS) return;
    counted[out->verdict]++;
    if (out->verdict == ROCECC_ARN_GATE_BAD_ARRIVAL) arrivals[out->arrival]++;
    if (out->admission != ROCECC_ADMISSION_ADMITTED ||
        out->verdict == ROCECC_ARN_GATE_TAKEN)
        admissions[out->admission]++;
}

static void call_arn_gate(const vec_row *row)
{
    static const size_t starts[] = {1, 77, 300, ROCECC_PACKET_START_MAX, 0};
    static vec_row named;
    uint64_t now_ns = 0, trailer = 0;
    given is;
    size_t i, n;
    open_gate(row);
    for (i = 0; i < row->n_in; i++) {
        CHECK(strcmp(row->in[i].key, "now_ns") == 0 ||
              strcmp(row->in[i].key, "trailer") == 0);
        *(row->in[i].key[0] == 'n' ? &now_ns : &trailer) =
            strtoull(row->in[i].value, NULL, 0);
    }
    for (n = 0; n + trailer < row->n;
         n++) { /* a shorter frame is not taken, and takes no token */
        opened s = shared;
        is = step(row, n, 0, now_ns, &s);
        test_context("%s, the first %zu bytes", row->id, n);
        CHECK(is.out.verdict != ROCECC_ARN_GATE_TAKEN);
        CHECK(memcmp(&s.gate.admission, &shared.gate.admission,
                     sizeof s.gate.admission) == 0);
        CHECK(memcmp(&s.sources, &shared.sources, sizeof s.sources) == 0);
    }
    name_members(row, &named);
    for (i = 0; i < NOUN_COUNT(starts); i++) {
        opened s = shared;
        test_context("%s, %zu bytes into its buffer", row->id, starts[i]);
        is = step(row, row->n, starts[i], now_ns, &s);
        noun_check_out(&named, given_fields, NOUN_COUNT(given_fields), ROCECC_OK, &is);
    }
    test_context("%s", row->id);
    is = step(row, row->n, 0, now_ns, &shared);
    count(&is.out);
    for (i = 0; i < ROCECC_ARN_GATE_VERDICTS; i++)
        CHECK_EQ(shared.gate.count[i], counted[i]);
    for (i = 0; i < ROCECC_ARRIVAL_VERDICTS; i++)
        CHECK_EQ(shared.gate.arrival_count[i], arrivals[i]);
    for (i = 0; i < ROCECC_ADMISSION_VERDICTS; i++)
        CHECK_EQ(shared.gate.admission.count[i], admissions[i]);
}

static void call_arn_gate_init(const vec_row *row)
{
    configured c, before;
    rocecc_acl access;
    refused is;
    size_t i;
    configure(row->in, row->n_in, &c);
    access = role_acl(&c.list);
    before = c;
    is.refusal = (uint8_t)rocecc_arn_gate_init(&c.config, &c.domain, &access);
    is.p = c.config.admission;
    noun_check_out(row, refused_fields, NOUN_COUNT(refused_fields), ROCECC_OK, &is);
    for (i = 0; i < NOUN_COUNT(config_fields); i++)
        CHECK(field_equal(&config_fields[i], &c, &before));
}

static const noun_call calls[] = {{"arn_gate", call_arn_gate},
                                  {"arn_gate_init", call_arn_gate_init}};

/* Runs the law of an open gate on the bytes after an untagged Ethernet header. */
static uint32_t law_of_frame(rocecc_reader r)
{
    if (rocecc_take(&r, ROCECC_ETHER_BYTES) == NULL) return LAW_START;
    return law_gate_open(r);
}

TEST(arn_gate_vectors)
{
    const noun_file file = {"arn_gate", law_of_frame, NULL,
                            0,          calls,        NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}
