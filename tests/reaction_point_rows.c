/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * reaction_point_rows.c - the rows of vectors/reaction_point.vec: a configuration, a
 * frame, and every member of what the gate gives. The rows of one source have one gate,
 * in their order.
 */
#include "law/reaction_point.h"
#include "lib/noun.h"

#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0xa5
#define ENTRIES 8

typedef struct configured {
    rocecc_reaction_config config;
    rocecc_domain domain;
    uint64_t start_ns;
    rocecc_acl_entry entries[ENTRIES];
} configured;

#define CONFIG_FIELDS(F, T)                                                            \
    F(T, BOOL, config.enabled, NULL)                                                   \
    F(T, BOOL, config.check_icrc, NULL)                                                \
    F(T, BOOL, config.unlimited, NULL)                                                 \
    F(T, ENUM, config.icrc_rule, "auto standard masked literal stripped none")         \
    F(T, UINT, config.limit.rate_per_s, NULL)                                          \
    F(T, UINT, config.limit.burst, NULL)                                               \
    F(T, UINT, domain.fastcnp.type_plain, NULL)                                        \
    F(T, UINT, domain.fastcnp.type_ioam, NULL)                                         \
    F(T, ENUM, domain.fastcnp.form, "a b")                                             \
    F(T, BOOL, domain.fastcnp.address_first, NULL)                                     \
    F(T, BOOL, domain.fastcnp.align8, NULL)                                            \
    F(T, BOOL, domain.roce.short_cnp, NULL)                                            \
    F(T, BOOL, domain.roce.rd, NULL)                                                   \
    F(T, ENUM, domain.link, "ether ip")                                                \
    F(T, UINT, domain.rocev2_port, NULL)                                               \
    F(T, UINT, domain.ifa.protocol, NULL)                                              \
    F(T, UINT, domain.intmd.udp_port, NULL)                                            \
    F(T, UINT, start_ns, NULL)
static const field config_fields[] = {CONFIG_FIELDS(FIELD_ROW, configured)};

#define ENTRY_FIELDS(F, T)                                                             \
    F(T, IP6, prefix, NULL)                                                            \
    F(T, UINT, length, NULL)                                                           \
    F(T, UINT, permit, NULL)                                                           \
    F(T, UINT, tag, NULL)
static const field entry_fields[] = {ENTRY_FIELDS(FIELD_ROW, rocecc_acl_entry)};

/* All that the gate writes: what it says of a frame, and what is in its bucket then. */
typedef struct given {
    rocecc_reaction out;
    rocecc_reader trace; /* in place of where it is */
    rocecc_tokenbucket bucket;
} given;

#define OUT_FIELDS(F, T)                                                               \
    F(T, ENUM, out.verdict,                                                            \
      "not_a_cnp ordinary fast_plain fast_ioam suspicious opcode malformed "           \
      "unsupported disabled source access icrc limited tunnel destination routed "     \
      "flow")                                                                          \
    F(T, BOOL, out.listed, NULL)                                                       \
    F(T, UINT, out.tag, NULL)                                                          \
    F(T, IP6, out.key.remote, NULL)                                                    \
    F(T, UINT, out.key.remote_qp, NULL)                                                \
    F(T, UINT, bucket.level_e9, NULL)                                                  \
    F(T, UINT, bucket.last_ns, NULL)
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
    uint64_t full_ns;
} refused;

static const field refused_fields[] = {
    FIELD_AT("refusal", ENUM, offsetof(refused, refusal), 1,
             "accepted types domain limit rule"),
    FIELD_AT("limit.full_ns", UINT, offsetof(refused, full_ns), 8, NULL)};

/* What an argument of the event may be, and what a row says of its frame. */
typedef struct event {
    uint8_t peer;
    uint64_t now_ns;
    uint64_t trailer; /* bytes after the ICRC */
} event;

#define EVENT_FIELDS(F, T)                                                             \
    F(T, ENUM, peer, "unknown yes no")                                                 \
    F(T, UINT, now_ns, NULL)                                                           \
    F(T, UINT, trailer, NULL)
static const field event_fields[] = {EVENT_FIELDS(FIELD_ROW, event)};

/* Sets the member that is called name, or prefix and name. */
static bool set(const field *f, size_t n, const char *prefix, const char *name,
                const char *value, void *record)
{
    const size_t skip = strlen(prefix);
    size_t i;
    for (i = 0; i < n; i++) {
        const char *member = f[i].name;
        if (strncmp(member, prefix, skip) == 0) member += skip;
        if (strcmp(member, name) == 0) return field_set(&f[i], record, value);
    }
    return false;
}

static bool set_entry(const char *key, const char *value, configured *c)
{
    char *member;
    const unsigned long i = strtoul(key + strlen("access["), &member, 10);
    return i < ENTRIES && strncmp(member, "].", 2) == 0 &&
           set(entry_fields, NOUN_COUNT(entry_fields), "", member + 2, value,
               &c->entries[i]);
}

/* The settings of a row; how many entries its list has. */
static uint32_t configure(const vec_pair *pairs, size_t n, configured *c)
{
    uint32_t entries = 0;
    size_t i;
    memset(c, 0, sizeof *c);
    for (i = 0; i < n; i++) {
        const bool access = strncmp(pairs[i].key, "access[", 7) == 0;
        if (access && strtoul(pairs[i].key + 7, NULL, 10) + 1 > entries)
            entries = (uint32_t)strtoul(pairs[i].key + 7, NULL, 10) + 1;
        if (!(access ? set_entry(pairs[i].key, pairs[i].value, c)
                     : set(config_fields, NOUN_COUNT(config_fields), "config.",
                           pairs[i].key, pairs[i].value, c) ||
                           set(config_fields, NOUN_COUNT(config_fields), "domain.",
                               pairs[i].key, pairs[i].value, c)))
            test_fail(__FILE__, __LINE__, "%s=%s is no setting", pairs[i].key,
                      pairs[i].value);
    }
    return entries;
}

/* What the rows of one source share. */
static char source_now[256];
static configured made;
static rocecc_acl access_list;
static rocecc_reaction_point gate;
static uint64_t counted[ROCECC_REACTION_VERDICTS];

static void open_gate(const vec_row *row)
{
    uint32_t n, at;
    if (strcmp(row->source, source_now) == 0) return;
    if (strlen(row->source) >= sizeof source_now) abort();
    strcpy(source_now, row->source);
    n = configure(row->config, row->n_config, &made);
    CHECK_EQ(rocecc_acl_init(&access_list, made.entries, n, &at), ROCECC_ACL_ACCEPTED);
    CHECK_EQ(rocecc_reaction_point_init(&made.config, &made.domain, &access_list),
             ROCECC_REACTION_ACCEPTED);
    gate = rocecc_reaction_point_start(&made.config, made.start_ns);
    memset(counted, 0, sizeof counted);
}

/* The first n bytes of a frame, which begins so far into its buffer. */
static given step(const vec_row *row, size_t n, size_t start, const event *e,
                  rocecc_reaction_point *s)
{
    uint8_t *at = guard_end(NULL, start + n);
    rocecc_reader r = rocecc_reader_of(at, at + start + n);
    const rocecc_reaction_event came = {e->now_ns, &access_list, (rocecc_peer)e->peer,
                                        NULL, 0};
    rocecc_packet p;
    given is;
    memset(at, UNTOUCHED, start);
    memcpy(at + start, row->bytes, n);
    r.at = start;
    memset(&is, UNTOUCHED, sizeof is);
    (void)rocecc_packet_of(&made.domain, r, &p);
    rocecc_reaction_point_step(&made.config, s, &p, &came, &is.out);
    is.bucket = s->bucket;
    is.trace = rocecc_fastcnp_trace(r, &is.out.option);
    is.out.option.trace_bytes = 0;
    is.out.option.trace_at = 0;
    if (is.out.option.at != 0) is.out.option.at -= (uint32_t)start;
    return is;
}

/* What a row gives as a row of noun_check_out(): with the names of the members. */
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
        const bool bucket = strcmp(key, "level_e9") == 0 || strcmp(key, "last_ns") == 0;
        if (strcmp(key, "cnp") == 0) { /* none: that is rocecc_cnp_default() */
            CHECK(strcmp(row->out[i].value, "none") == 0 && n + 4 <= VEC_PAIRS);
            memcpy(out->out + n, unread, sizeof unread);
            n += NOUN_COUNT(unread);
            continue;
        }
        snprintf(names[n], sizeof names[n], "%s.%s", bucket ? "bucket" : "out", key);
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

/* A frame that ends before its ICRC does lets nobody in, and costs no token. */
static void check_prefixes(const vec_row *row, const event *e)
{
    const rocecc_reaction_key none = {{{0}}, 0};
    size_t n;
    for (n = 0; n + e->trailer < row->n; n++) {
        rocecc_reaction_point s = gate;
        const given is = step(row, n, 0, e, &s);
        test_context("%s, the first %zu bytes", row->id, n);
        CHECK(!lets_in(is.out.verdict));
        CHECK(memcmp(&is.out.key, &none, sizeof none) == 0);
        CHECK(memcmp(&s.bucket, &gate.bucket, sizeof s.bucket) == 0);
    }
}

static void call_reaction_point(const vec_row *row)
{
    static const size_t starts[] = {1, 77, 300, ROCECC_PACKET_START_MAX, 0};
    static vec_row named;
    event e = {ROCECC_PEER_UNKNOWN, 0, 0};
    given is;
    size_t i;
    open_gate(row);
    for (i = 0; i < row->n_in; i++)
        CHECK(set(event_fields, NOUN_COUNT(event_fields), "", row->in[i].key,
                  row->in[i].value, &e));
    check_prefixes(row, &e);
    name_members(row, &named);
    for (i = 0; i < NOUN_COUNT(starts); i++) {
        rocecc_reaction_point s = gate;
        test_context("%s, %zu bytes into its buffer", row->id, starts[i]);
        is = step(row, row->n, starts[i], &e, &s);
        noun_check_out(&named, given_fields, NOUN_COUNT(given_fields), ROCECC_OK, &is);
    }
    test_context("%s", row->id);
    is = step(row, row->n, 0, &e, &gate);
    CHECK(is.out.verdict < ROCECC_REACTION_VERDICTS);
    if (is.out.verdict < ROCECC_REACTION_VERDICTS) counted[is.out.verdict]++;
    for (i = 0; i < ROCECC_REACTION_VERDICTS; i++)
        CHECK_EQ(gate.count[i], counted[i]);
}

static void call_reaction_point_init(const vec_row *row)
{
    configured c, before;
    rocecc_acl access = {NULL, 0, 0};
    refused is;
    uint32_t at;
    size_t i;
    const uint32_t n = configure(row->in, row->n_in, &c);
    CHECK_EQ(rocecc_acl_init(&access, c.entries, n, &at), ROCECC_ACL_ACCEPTED);
    before = c;
    is.refusal = (uint8_t)rocecc_reaction_point_init(&c.config, &c.domain, &access);
    is.full_ns = c.config.limit.full_ns;
    noun_check_out(row, refused_fields, NOUN_COUNT(refused_fields), ROCECC_OK, &is);
    for (i = 0; i < NOUN_COUNT(config_fields); i++)
        CHECK(field_equal(&config_fields[i], &c, &before));
}

static const noun_call calls[] = {
    {"reaction_point", call_reaction_point},
    {"reaction_point_init", call_reaction_point_init},
};

/* The law of an open gate, on what follows an Ethernet header without tags. */
static uint32_t law_frame_of(rocecc_reader r)
{
    law_reaction law;
    if (rocecc_take(&r, ROCECC_ETHER_BYTES) == NULL) return LAW_START;
    memset(&law, 0, sizeof law);
    law.config.enabled = law.config.check_icrc = true;
    law.domain.link = ROCECC_LINK_IP;
    law.domain.fastcnp = law_fastcnp_config(0);
    law.config.limit.rate_per_s = 1000;
    law.config.limit.burst = 2;
    law.config.limit.full_ns = 2000000;
    law.entries = 1 + (1 << 2); /* one, which permits */
    law.level = 1;
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

/* Rows by tests/peers/reaction.py, as many as it was asked for. */
TEST(reaction_point_peer)
{
    const char *path = getenv("REACTION_ROWS");
    if (path != NULL) CHECK(vec_read(path, peer_row, NULL) > 0);
}
