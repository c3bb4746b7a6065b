/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * reaction_point_vectors.c - tests the gate with the rows of
 * vectors/reaction_point.vec. A row has a configuration, a frame, and every member of
 * the result. The rows of one source share one gate, in order.
 */
#include "law/reaction_point.h"
#include "rocecc/fields/reaction_point.h"
#include "lib/noun.h"
#include "lib/role_admission.h"

#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0xa5

typedef struct configured {
    rocecc_reaction_config config;
    rocecc_domain domain;
    uint64_t start_ns;
    uint32_t sources; /* sources with buckets */
    role_list list;
} configured;

#define CONFIG_FIELDS(F, T)                                                            \
    F(T, UINT, domain.fastcnp.type_plain, NULL)                                        \
    F(T, UINT, domain.fastcnp.type_ioam, NULL)                                         \
    F(T, ENUM, domain.fastcnp.form, "a b")                                             \
    F(T, BOOL, domain.fastcnp.address_first, NULL)                                     \
    F(T, BOOL, domain.fastcnp.align8, NULL)                                            \
    F(T, BOOL, domain.roce.short_cnp, NULL)                                            \
    F(T, BOOL, domain.roce.rd, NULL)                                                   \
    F(T, BOOL, domain.ah, NULL)                                                        \
    F(T, ENUM, domain.link, "ether ip")                                                \
    F(T, UINT, domain.rocev2_port, NULL)                                               \
    F(T, UINT, domain.ifa.protocol, NULL)                                              \
    F(T, UINT, domain.intmd.udp_port, NULL)                                            \
    F(T, UINT, start_ns, NULL)                                                         \
    F(T, UINT, sources, NULL)
#define ROLE_ROW(T, kind, member, ...) FIELD_ROW(T, kind, config.member, __VA_ARGS__)
static const field config_fields[] = {ROCECC_REACTION_CONFIG_FIELDS(
    ROLE_ROW, configured) CONFIG_FIELDS(FIELD_ROW, configured)};

/* The whole output of the gate: its result, and the levels of the buckets. */
typedef struct given {
    rocecc_reaction_result out;
    rocecc_reader trace; /* in place of its offset */
    role_buckets buckets;
} given;

#define OUT_FIELDS(F, T)                                                               \
    F(T, ENUM, out.verdict, ROCECC_REACTION_VERDICT_NAMES)                             \
    F(T, ENUM, out.arrival, ROLE_ARRIVAL_NAMES)                                        \
    F(T, ENUM, out.admission, ROCECC_ADMISSION_VERDICT_NAMES)                          \
    F(T, UINT, out.icmp.type, NULL)                                                    \
    F(T, UINT, out.icmp.code, NULL)                                                    \
    F(T, UINT, out.icmp.value, NULL)                                                   \
    F(T, UINT, out.icmp.offset, NULL)                                                  \
    F(T, BOOL, out.listed, NULL)                                                       \
    F(T, UINT, out.tag, NULL)                                                          \
    F(T, IP6, out.key.remote, NULL)                                                    \
    F(T, UINT, out.key.remote_qp, NULL)                                                \
    ROLE_BUCKETS_FIELDS(F, T)
#define CNP_ROW(T, kind, member, ...) FIELD_ROW(T, kind, out.cnp.member, __VA_ARGS__)
#define OPTION_ROW(T, kind, member, ...)                                               \
    FIELD_ROW(T, kind, out.option.member, __VA_ARGS__)
static const field given_fields[] = {
    OUT_FIELDS(FIELD_ROW, given) ROCECC_CNP_FIELDS(CNP_ROW, given)
        ROCECC_FASTCNP_FIELDS(OPTION_ROW, given)
            FIELD_AT("out.option.trace", VIEW, offsetof(given, trace),
                     sizeof(rocecc_reader), NULL)};

typedef struct refused {
    uint8_t refusal;
    rocecc_admission_params p;
} refused;

static const field refused_fields[] = {FIELD_AT("refusal", ENUM,
                                                offsetof(refused, refusal), 1,
                                                ROCECC_REACTION_REFUSAL_NAMES),
                                       ROLE_REFUSED_FIELDS(refused)};

/* The event of a row, and its trailer. */
typedef struct event {
    uint8_t peer;
    uint64_t now_ns;
    uint64_t trailer; /* bytes after the ICRC */
} event;

#define EVENT_FIELDS(F, T)                                                             \
    F(T, ENUM, peer, ROCECC_REACTION_PEER_NAMES)                                       \
    F(T, UINT, now_ns, NULL)                                                           \
    F(T, UINT, trailer, NULL)
static const field event_fields[] = {EVENT_FIELDS(FIELD_ROW, event)};

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
    rocecc_reaction_point gate;
    role_sources sources;
} opened;

/* State that the rows of one source share. */
static char source_now[ROLE_SOURCE];
static configured made;
static rocecc_acl access_list;
static opened shared;
static uint64_t counted[ROCECC_REACTION_VERDICTS];
static uint64_t arrivals[ROCECC_ARRIVAL_VERDICTS];
static uint64_t admissions[ROCECC_ADMISSION_VERDICTS];

static void open_gate(const vec_row *row)
{
    if (!role_source(row, source_now)) return;
    configure(row->config, row->n_config, &made);
    access_list = role_acl(&made.list);
    CHECK_EQ(rocecc_reaction_point_init(&made.config, &made.domain, &access_list),
             ROCECC_REACTION_ACCEPTED);
    shared.gate = rocecc_reaction_point_start(&made.config, made.start_ns);
    role_open_sources(&shared.sources, made.sources, &made.config.admission,
                      made.start_ns);
    memset(counted, 0, sizeof counted);
    memset(arrivals, 0, sizeof arrivals);
    memset(admissions, 0, sizeof admissions);
}

/* Steps the gate on the first n bytes of a frame, at offset `start` of a buffer. */
static given step(const vec_row *row, size_t n, size_t start, const event *e, opened *s)
{
    uint8_t *at = guard_end(NULL, start + n);
    rocecc_reader r = rocecc_reader_of(at, at + start + n);
    const rocecc_reaction_event came = {
        {e->now_ns, &access_list, NULL, s->sources.of, s->sources.n}, e->peer};
    rocecc_packet p;
    given is;
    memset(at, UNTOUCHED, start);
    memcpy(at + start, row->bytes, n);
    r.at = start;
    memset(&is, UNTOUCHED, sizeof is);
    (void)rocecc_packet_parse(&made.domain, r, &p);
    rocecc_reaction_point_step(&made.config, &s->gate, &p, &came, &is.out);
    is.buckets =
        role_levels(&s->gate.admission, &s->sources, is.out.listed, is.out.tag);
    is.trace = rocecc_fastcnp_trace(r, &is.out.option);
    is.out.option.trace_bytes = 0;
    is.out.option.trace_at = 0;
    if (is.out.option.at != 0) is.out.option.at -= (uint32_t)start;
    role_icmp(&is.out.icmp, start);
    return is;
}

/* Copies a row, with the member names that noun_check_out() needs. */
static void name_members(const vec_row *row, vec_row *out)
{
    static char names[VEC_PAIRS][40];
    static const vec_pair unread[] = {{"out.cnp.dscp", "48"},
                                      {"out.cnp.hop_limit", "64"},
                                      {"out.cnp.pkey", "0xffff"},
                                      {"out.cnp.becn", "1"}};
    size_t i, n = 0;
    *out = *row;
    for (i = 0; i < row->n_out; i++) {
        const char *key = row->out[i].key;
        if (strcmp(key, "cnp") == 0) { /* none, so rocecc_cnp_default() */
            CHECK(strcmp(row->out[i].value, "none") == 0 && n + 4 <= VEC_PAIRS);
            memcpy(out->out + n, unread, sizeof unread);
            n += NOUN_COUNT(unread);
            continue;
        }
        snprintf(names[n], sizeof names[n], "%s.%s",
                 role_is_bucket(key) ? "buckets" : "out", key);
        out->out[n].key = names[n];
        out->out[n++].value = row->out[i].value;
    }
    out->n_out = n;
}

static bool lets_in(unsigned verdict)
{
    return verdict == ROCECC_REACTION_ORDINARY ||
           verdict == ROCECC_REACTION_FAST_PLAIN ||
           verdict == ROCECC_REACTION_FAST_IOAM;
}

/* Checks that a frame that ends before its ICRC is not accepted, and takes no token. */
static void check_prefixes(const vec_row *row, const event *e)
{
    const rocecc_reaction_key none = {{{0}}, 0};
    size_t n;
    for (n = 0; n + e->trailer < row->n; n++) {
        opened s = shared;
        const given is = step(row, n, 0, e, &s);
        test_context("%s, the first %zu bytes", row->id, n);
        CHECK(!lets_in(is.out.verdict));
        CHECK(memcmp(&is.out.key, &none, sizeof none) == 0);
        CHECK(memcmp(&s.gate.admission, &shared.gate.admission,
                     sizeof s.gate.admission) == 0);
        CHECK(memcmp(&s.sources, &shared.sources, sizeof s.sources) == 0);
    }
}

/* Counts a verdict and its reasons, and ADMITTED only if the list applies. */
static void count(const rocecc_reaction_result *out)
{
    CHECK(out->verdict < ROCECC_REACTION_VERDICTS &&
          out->arrival < ROCECC_ARRIVAL_VERDICTS &&
          out->admission < ROCECC_ADMISSION_VERDICTS);
    if (out->verdict >= ROCECC_REACTION_VERDICTS) return;
    counted[out->verdict]++;
    if (out->verdict == ROCECC_REACTION_BAD_ARRIVAL) arrivals[out->arrival]++;
    if (out->admission != ROCECC_ADMISSION_ADMITTED ||
        (lets_in(out->verdict) &&
         (out->verdict != ROCECC_REACTION_ORDINARY || made.config.ordinary_listed)))
        admissions[out->admission]++;
}

static void call_reaction_point(const vec_row *row)
{
    static const size_t starts[] = {1, 77, 300, ROCECC_PACKET_START_MAX, 0};
    static vec_row named;
    event e = {ROCECC_REACTION_PEER_UNKNOWN, 0, 0};
    given is;
    size_t i;
    open_gate(row);
    for (i = 0; i < row->n_in; i++)
        CHECK(role_set(event_fields, NOUN_COUNT(event_fields), "", &row->in[i], &e));
    check_prefixes(row, &e);
    name_members(row, &named);
    for (i = 0; i < NOUN_COUNT(starts); i++) {
        opened s = shared;
        test_context("%s, %zu bytes into its buffer", row->id, starts[i]);
        is = step(row, row->n, starts[i], &e, &s);
        noun_check_out(&named, given_fields, NOUN_COUNT(given_fields), ROCECC_OK, &is);
    }
    test_context("%s", row->id);
    is = step(row, row->n, 0, &e, &shared);
    count(&is.out);
    for (i = 0; i < ROCECC_REACTION_VERDICTS; i++)
        CHECK_EQ(shared.gate.count[i], counted[i]);
    for (i = 0; i < ROCECC_ARRIVAL_VERDICTS; i++)
        CHECK_EQ(shared.gate.arrival_count[i], arrivals[i]);
    for (i = 0; i < ROCECC_ADMISSION_VERDICTS; i++)
        CHECK_EQ(shared.gate.admission.count[i], admissions[i]);
}

static void call_reaction_point_init(const vec_row *row)
{
    configured c, before;
    rocecc_acl access;
    refused is;
    size_t i;
    configure(row->in, row->n_in, &c);
    access = role_acl(&c.list);
    before = c;
    is.refusal = (uint8_t)rocecc_reaction_point_init(&c.config, &c.domain, &access);
    is.p = c.config.admission;
    noun_check_out(row, refused_fields, NOUN_COUNT(refused_fields), ROCECC_OK, &is);
    for (i = 0; i < NOUN_COUNT(config_fields); i++)
        CHECK(field_equal(&config_fields[i], &c, &before));
}

static const noun_call calls[] = {
    {"reaction_point", call_reaction_point},
    {"reaction_point_init", call_reaction_point_init},
};

/* Runs the law of an open gate on the bytes after an untagged Ethernet header. */
static uint32_t law_frame_of(rocecc_reader r)
{
    law_reaction law;
    if (rocecc_take(&r, ROCECC_ETHER_BYTES) == NULL) return LAW_START;
    memset(&law, 0, sizeof law);
    law.config.fastcnp_enabled = law.config.check_icrc = true;
    law.domain.link = ROCECC_LINK_IP;
    law.domain.fastcnp = law_fastcnp_config(0);
    law.config.admission = law_reaction_admission(1, 2);
    law.entries = 1 + (1 << 2); /* one entry, permitted */
    law.admitted = law.verified = law.shared = 1;
    return law_reaction_frame(&law, rocecc_reader_of(r.base + r.at, r.base + r.end));
}

TEST(reaction_point_vectors)
{
    const noun_file file = {"reaction_point", law_frame_of, NULL, 0, calls,
                            NOUN_COUNT(calls)};
    noun_vectors(&file);
}

static void peer_row(const vec_row *row, void *arg)
{
    (void)arg;
    test_context("%s", row->id);
    call_reaction_point(row);
}

/* Checks the rows of tests/gates/peers/reaction.py in $REACTION_ROWS, if set. */
TEST(reaction_point_peer)
{
    const char *path = getenv("REACTION_ROWS");
    if (path != NULL) CHECK(vec_read(path, peer_row, NULL) > 0);
}
