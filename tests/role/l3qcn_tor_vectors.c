/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * l3qcn_tor_vectors.c - tests one access ToR with the rows of vectors/l3qcn_tor.vec,
 * for frames from its hosts and from the fabric. The rows of one source share one
 * table, in order.
 */
#include "law/l3qcn_tor.h"
#include "lib/noun.h"
#include "lib/role_admission.h"
#include "rocecc/fields/admission.h"
#include "rocecc/fields/l3qcn.h"

#include <stdlib.h>
#include <string.h>

#define ROOM 64 /* bytes after a frame */
#define BUCKETS 64
#define PORTS 8
#define ENTRIES 5

typedef struct configured {
    rocecc_l3qcn_tor_config config;
    rocecc_domain domain;
    uint32_t sources; /* sources with buckets */
} configured;

#define CONFIG_FIELDS(F, T)                                                            \
    F(T, UINT, domain.l3qcn.port, NULL)                                                \
    F(T, BOOL, domain.ah, NULL)                                                        \
    F(T, UINT, config.table.expiry_ms, NULL)                                           \
    F(T, BOOL, config.check_msdu, NULL)                                                \
    F(T, BOOL, config.learn_untagged, NULL)                                            \
    F(T, BOOL, config.rewrite_encap, NULL)                                             \
    F(T, UINT, config.gate.interval_ns, NULL)                                          \
    F(T, BOOL, config.unlimited, NULL)                                                 \
    F(T, UINT, config.port_limit.rate_per_s, NULL)                                     \
    F(T, UINT, config.port_limit.burst, NULL)                                          \
    F(T, UINT, config.port_flows, NULL)                                                \
    F(T, BOOL, config.listed, NULL)                                                    \
    F(T, UINT, sources, NULL)
#define ROLE_ROW(T, kind, member, ...) FIELD_ROW(T, kind, config.member, __VA_ARGS__)
static const field config_fields[] = {ROCECC_ADMISSION_MEMBER_FIELDS(
    ROLE_ROW, configured) CONFIG_FIELDS(FIELD_ROW, configured)};

/* An entry of the list in a row, with a CPID in place of a prefix. */
typedef struct named {
    uint64_t cpid;
    uint8_t length, permit;
    uint32_t tag;
} named;

#define NAMED_FIELDS(F, T)                                                             \
    F(T, UINT, cpid, NULL)                                                             \
    F(T, UINT, length, NULL)                                                           \
    F(T, UINT, permit, NULL)                                                           \
    F(T, UINT, tag, NULL)
static const field named_fields[] = {NAMED_FIELDS(FIELD_ROW, named)};

/* The event of a row, and the filter of forget(). */
typedef struct given {
    uint64_t now_ns;
    uint32_t port;
    uint16_t vrf;
    uint8_t by;
    rocecc_mac mac;
} given;

#define GIVEN_FIELDS(F, T)                                                             \
    F(T, UINT, now_ns, NULL)                                                           \
    F(T, UINT, port, NULL)                                                             \
    F(T, UINT, vrf, NULL)                                                              \
    F(T, UINT, by, NULL)                                                               \
    F(T, MAC, mac, NULL)
static const field given_fields[] = {GIVEN_FIELDS(FIELD_ROW, given)};

static const char flowtable_names[] =
    "learned replaced evicted refreshed relearned full";
static const field learned_fields[] = {
    FIELD_ROW(rocecc_l3qcn_tor_learn_result, ENUM, what,
              "untagged learned spoofed no_flow too_many_tags bad_station "
              "new_flows_limited crowded")
        FIELD_AT("table", ENUM, offsetof(rocecc_l3qcn_tor_learn_result, table.what), 1,
                 flowtable_names)};

#define CNM_FIELDS(F, T)                                                               \
    F(T, ENUM, verdict,                                                                \
      "other converted wrapped bad_arrival bad_checksum malformed no_entry aged "      \
      "wrong_mac wrong_msdu held no_space unlisted_cpid rate_limited")                 \
    F(T, ENUM, why, ROCECC_L3QCN_VERDICT_NAMES)                                        \
    F(T, UINT, port, NULL)                                                             \
    F(T, VIEW, cnm, NULL)                                                              \
    F(T, ENUM, arrival, ROLE_ARRIVAL_NAMES)                                            \
    F(T, UINT, icmp.type, NULL)                                                        \
    F(T, UINT, icmp.code, NULL)                                                        \
    F(T, UINT, icmp.value, NULL)                                                       \
    F(T, UINT, icmp.offset, NULL)
static const field cnm_fields[] = {
    CNM_FIELDS(FIELD_ROW, rocecc_l3qcn_tor_convert_result)};

typedef struct counted {
    uint32_t gone;
    uint8_t refusal;
} counted;
static const field gone_fields[] = {FIELD_ROW(counted, UINT, gone, NULL)};
static const field refused_fields[] = {
    FIELD_ROW(counted, ENUM, refusal, "accepted port table mac priority gate limit")};

/* Sets the member with this name, with or without a prefix. */
static bool set(const field *f, size_t n, const vec_pair *pair, void *record)
{
    return role_set(f, n, "config.", pair, record) ||
           role_set(f, n, "config.table.", pair, record) ||
           role_set(f, n, "domain.", pair, record);
}

/* State that the rows of one source share. */
static char source_now[ROLE_SOURCE];
static configured made;
static rocecc_l3qcn_tor tor;
static rocecc_flowtable_bucket buckets[BUCKETS];
static rocecc_flowtable_slot slots[8 * BUCKETS];
static const rocecc_flowtable_memory memory = {buckets, slots};
static rocecc_l3qcn_tor_gate gates[BUCKETS * ROCECC_FLOWTABLE_WAYS];
static rocecc_l3qcn_tor_port ports[PORTS];
static role_sources sources;
static rocecc_acl_entry entries[ENTRIES];
static rocecc_acl access;

/* Applies the settings of a row, and makes the list from access[]. */
static void configure(const vec_pair *pairs, size_t n, configured *c)
{
    static const rocecc_mac mac = {{2, 0, 0, 0, 2, 0x10}};
    named list[ENTRIES];
    uint32_t at, n_list = 0;
    size_t i;
    memset(c, 0, sizeof *c);
    memset(list, 0, sizeof list);
    memset(entries, 0, sizeof entries);
    c->config.table.secret[0] = 5;
    c->config.table.buckets = BUCKETS;
    c->config.mac = mac;
    c->config.priority = 6;
    for (i = 0; i < n; i++) {
        vec_pair pair = pairs[i];
        bool ok;
        if (strncmp(pair.key, "access[", 7) == 0) {
            const uint32_t k = (uint32_t)(pair.key[7] - '0');
            CHECK(k < ENTRIES && strncmp(pair.key + 8, "].", 2) == 0);
            if (k >= ENTRIES) continue;
            if (k >= n_list) n_list = k + 1;
            pair.key += 10;
            ok = set(named_fields, NOUN_COUNT(named_fields), &pair, &list[k]);
        } else {
            ok = set(config_fields, NOUN_COUNT(config_fields), &pair, c);
        }
        if (!ok)
            test_fail(__FILE__, __LINE__, "%s=%s is not a setting", pairs[i].key,
                      pairs[i].value);
    }
    for (i = 0; i < n_list; i++) {
        entries[i].prefix = rocecc_l3qcn_tor_cpid(list[i].cpid);
        entries[i].length = list[i].length;
        entries[i].permit = list[i].permit;
        entries[i].tag = list[i].tag;
    }
    CHECK_EQ(rocecc_acl_init(&access, entries, n_list, &at), ROCECC_ACL_ACCEPTED);
}

static void start(const vec_row *row)
{
    if (!role_source(row, source_now)) return;
    configure(row->config, row->n_config, &made);
    CHECK_EQ(rocecc_l3qcn_tor_init(&made.config, &made.domain, &access),
             ROCECC_L3QCN_TOR_ACCEPTED);
    tor = rocecc_l3qcn_tor_start(&made.config, &memory);
    memset(ports, 0, sizeof ports);
    role_open_sources(&sources, made.sources, &made.config.admission, 0);
}

static given arguments(const vec_row *row)
{
    given g;
    size_t i;
    memset(&g, 0, sizeof g);
    for (i = 0; i < row->n_in; i++)
        CHECK(set(given_fields, NOUN_COUNT(given_fields), &row->in[i], &g));
    return g;
}

static rocecc_l3qcn_tor_event event(const given *g, rocecc_writer w)
{
    rocecc_l3qcn_tor_event e;
    e.admission.now_ns = g->now_ns;
    e.admission.list = &access;
    e.admission.index = NULL;
    e.admission.sources = sources.of;
    e.admission.n_sources = sources.n;
    e.memory = memory;
    e.gate = gates;
    e.port = g->port;
    e.vrf = g->vrf;
    e.writer = w;
    e.ports = ports;
    e.n_ports = PORTS;
    return e;
}

/* Parses a frame at an offset of a buffer that ends ROOM bytes after it. */
static rocecc_packet framed(const vec_row *row, size_t at, rocecc_writer *w)
{
    uint8_t *b = guard_end(NULL, at + row->n + ROOM);
    rocecc_reader r = rocecc_reader_of(b, b + at + row->n);
    rocecc_packet p;
    memset(b, 0xa5, at + row->n + ROOM);
    memcpy(b + at, row->bytes, row->n);
    r.at = at;
    *w = rocecc_writer_of(b, b + at + row->n + ROOM);
    (void)rocecc_packet_parse(&made.domain, r, &p);
    return p;
}

static void call_learn(const vec_row *row)
{
    const given g = arguments(row);
    rocecc_l3qcn_tor_event e;
    rocecc_l3qcn_tor_learn_result out;
    rocecc_packet p;
    rocecc_writer w;
    start(row);
    p = framed(row, 0, &w);
    e = event(&g, w);
    out = rocecc_l3qcn_tor_learn(&made.config, &tor, &p, &e);
    if (out.what != ROCECC_L3QCN_TOR_LEARNED) out.table.what = 0; /* not used */
    noun_check_out(row, learned_fields, NOUN_COUNT(learned_fields), ROCECC_OK, &out);
}

/* The result is the same at each offset in the buffer, for the same ToR state. */
static void call_convert(const vec_row *row)
{
    static const size_t starts[] = {1, 77, ROCECC_PACKET_START_MAX, 0};
    const given g = arguments(row);
    size_t i;
    start(row);
    for (i = 0; i < NOUN_COUNT(starts); i++) {
        const bool last = i + 1 == NOUN_COUNT(starts);
        const rocecc_l3qcn_tor was = tor;
        static rocecc_l3qcn_tor_gate gates_were[BUCKETS * ROCECC_FLOWTABLE_WAYS];
        const role_sources sources_were = sources;
        rocecc_l3qcn_tor_event e;
        rocecc_l3qcn_tor_convert_result out;
        rocecc_packet p;
        rocecc_writer w;
        memcpy(gates_were, gates, sizeof gates);
        p = framed(row, starts[i], &w);
        e = event(&g, w);
        test_context("%s, %zu bytes into its buffer", row->id, starts[i]);
        rocecc_l3qcn_tor_convert(&made.config, &tor, &p, &e, &out);
        CHECK_EQ(tor.verdict_count[out.verdict], was.verdict_count[out.verdict] + 1);
        role_icmp(&out.icmp, starts[i]);
        noun_check_out(row, cnm_fields, NOUN_COUNT(cnm_fields), ROCECC_OK, &out);
        if (last) break;
        tor = was;
        memcpy(gates, gates_were, sizeof gates);
        sources = sources_were;
    }
}

static void call_forget(const vec_row *row)
{
    const given g = arguments(row);
    const rocecc_l3qcn_tor_event e = event(&g, rocecc_writer_of(NULL, NULL));
    const rocecc_flowforget_filter f = {g.by, g.vrf, g.port, g.mac};
    counted is = {0, 0};
    uint32_t i;
    start(row);
    for (i = 0; i < BUCKETS; i++)
        is.gone += rocecc_l3qcn_tor_forget(&made.config, &tor, &f, &e, i);
    noun_check_out(row, gone_fields, 1, ROCECC_OK, &is);
}

static void call_sweep(const vec_row *row)
{
    const given g = arguments(row);
    const rocecc_l3qcn_tor_event e = event(&g, rocecc_writer_of(NULL, NULL));
    counted is = {0, 0};
    uint32_t i;
    start(row);
    for (i = 0; i < BUCKETS; i++)
        is.gone += rocecc_l3qcn_tor_sweep(&made.config, &tor, &e);
    noun_check_out(row, gone_fields, 1, ROCECC_OK, &is);
}

static void call_init(const vec_row *row)
{
    configured c;
    counted is = {0, 0};
    configure(row->in, row->n_in, &c);
    is.refusal = (uint8_t)rocecc_l3qcn_tor_init(&c.config, &c.domain, &access);
    noun_check_out(row, refused_fields, 1, ROCECC_OK, &is);
}

static const noun_call calls[] = {{"l3qcn_tor_learn", call_learn},
                                  {"l3qcn_tor_convert", call_convert},
                                  {"l3qcn_tor_forget", call_forget},
                                  {"l3qcn_tor_sweep", call_sweep},
                                  {"l3qcn_tor_init", call_init}};

TEST(l3qcn_tor_vectors)
{
    const noun_file file = {"l3qcn_tor", law_l3qcn_tor, NULL,
                            0,           calls,         NOUN_COUNT(calls)};
    noun_vectors(&file);
}
