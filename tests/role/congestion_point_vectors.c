/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * congestion_point_vectors.c - tests a switch with the rows of
 * vectors/congestion_point.vec. A row has a configuration, a frame that met the queue,
 * and the results: reason, outputs, each byte of the notification, and the mark. The
 * rows of one source share one switch, in order.
 */
#include "law/congestion_point.h"
#include "lib/noun.h"
#include "lib/role_admission.h"
#include "rocecc/fields/admission.h"

#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0xa5
#define GATES 4
#define OUT_BYTES 600

typedef struct configured {
    rocecc_congestion_config config;
    rocecc_domain domain;
    role_list access;
    role_list tunnels;
    rocecc_congestion_policy policies[ROLE_ENTRIES];
    uint32_t n_policies;
    uint32_t sources; /* sources with buckets */
} configured;

#define CONFIG_FIELDS(F, T)                                                            \
    F(T, BOOL, config.fastcnp_enabled, NULL)                                           \
    F(T, IP6, config.cnp.src, NULL)                                                    \
    F(T, UINT, config.cnp.dscp, NULL)                                                  \
    F(T, UINT, config.cnp.ecn, NULL)                                                   \
    F(T, UINT, config.cnp.hop_limit, NULL)                                             \
    F(T, UINT, config.cnp.flow_label, NULL)                                            \
    F(T, BOOL, config.cnp.udp_checksum, NULL)                                          \
    F(T, ENUM, config.icrc_rule, "auto standard masked literal stripped none")         \
    F(T, BOOL, config.mark_known_only, NULL)                                           \
    F(T, BOOL, config.quiet_if_told, NULL)                                             \
    F(T, BOOL, config.plain_only, NULL)                                                \
    F(T, BOOL, config.plain_if_long, NULL)                                             \
    F(T, UINT, config.flow_label, NULL)                                                \
    F(T, UINT, config.gate.interval_ns, NULL)                                          \
    F(T, BOOL, config.standard_cnp, NULL)                                              \
    F(T, UINT, config.qcn_priorities, NULL)                                            \
    F(T, UINT, config.l3qcn_outer.src_port, NULL)                                      \
    F(T, UINT, config.msdu_bytes, NULL)                                                \
    F(T, UINT, domain.fastcnp.type_plain, NULL)                                        \
    F(T, UINT, domain.fastcnp.type_ioam, NULL)                                         \
    F(T, ENUM, domain.fastcnp.form, "a b")                                             \
    F(T, BOOL, domain.fastcnp.address_first, NULL)                                     \
    F(T, BOOL, domain.fastcnp.align8, NULL)                                            \
    F(T, UINT, domain.l3qcn.port, NULL)                                                \
    F(T, ENUM, domain.link, "ether ip")                                                \
    F(T, UINT, domain.rocev2_port, NULL)                                               \
    F(T, UINT, sources, NULL)
#define ROLE_ROW(T, kind, member, ...) FIELD_ROW(T, kind, config.member, __VA_ARGS__)
static const field config_fields[] = {ROCECC_ADMISSION_MEMBER_FIELDS(
    ROLE_ROW, configured) CONFIG_FIELDS(FIELD_ROW, configured)};

/* The whole output of a switch. */
typedef struct given {
    rocecc_congestion_result out;
    rocecc_reader sent;
    rocecc_reader marked; /* 20 bytes of the outermost IP header, or empty without CE */
    role_buckets buckets; /* shared bucket, and `admitted` of the sender */
} given;

static const field given_fields[] = {
    FIELD_AT("reason", ENUM, offsetof(given, out.reason), 1,
             "not_asked sent disabled not_capable not_data needs_qpn bad_source "
             "unlisted_tunnel bad_options held no_space rate_limited access_denied "
             "bad_destination"),
    FIELD_AT("outputs", SET, offsetof(given, out.outputs), 1,
             "mark drop fast_cnp cnp cnm"),
    FIELD_AT("sent", VIEW, offsetof(given, sent), sizeof(rocecc_reader), NULL),
    FIELD_AT("marked", VIEW, offsetof(given, marked), sizeof(rocecc_reader), NULL),
    FIELD_AT("level_e9", UINT, offsetof(given, buckets.level_e9), 8, NULL),
    FIELD_AT("last_ns", UINT, offsetof(given, buckets.last_ns), 8, NULL),
    FIELD_AT("admitted_e9", UINT, offsetof(given, buckets.admitted_e9), 8, NULL)};

typedef struct refused {
    uint8_t refusal;
    rocecc_admission_params p;
} refused;

static const field refused_fields[] = {
    FIELD_AT("refusal", ENUM, offsetof(refused, refusal), 1,
             "accepted types address cnp rule policy gate l3qcn limit access answer"),
    ROLE_REFUSED_FIELDS(refused)};

/* The event of a row. */
typedef struct event {
    rocecc_congestion_event e;
    uint64_t gate; /* index of the gate */
    uint64_t room;
} event;

#define EVENT_FIELDS(F, T)                                                             \
    F(T, UINT, e.priority, NULL)                                                       \
    F(T, ENUM, e.verdict, "pass mark drop")                                            \
    F(T, ENUM, e.sender_support, "unknown yes no")                                     \
    F(T, UINT, e.qpn, NULL)                                                            \
    F(T, HEX, e.cpid, NULL)                                                            \
    F(T, UINT, gate, NULL)                                                             \
    F(T, UINT, room, NULL)
static const field event_fields[] = {
    EVENT_FIELDS(FIELD_ROW, event)
        FIELD_AT("now_ns", UINT, offsetof(event, e.admission.now_ns), 8, NULL),
    FIELD_AT("e.cnm", BOOL, offsetof(event, e.qcn.cnm), sizeof(bool), NULL),
    FIELD_AT("e.qntz_fb", UINT, offsetof(event, e.qcn.qntz_fb), 1, NULL),
    FIELD_AT("e.offset_bytes", INT, offsetof(event, e.qcn.offset_bytes), 8, NULL),
    FIELD_AT("e.delta_bytes", INT, offsetof(event, e.qcn.delta_bytes), 8, NULL)};

/* Sets a policy to addresses with + between them, or its length by a key with .n. */
static bool set_policy(const char *key, const char *value, configured *c)
{
    static const field address = FIELD_AT("", IP6, 0, sizeof(rocecc_ip6), NULL);
    char *member, one[64];
    const unsigned long i = strtoul(key + 1, &member, 10);
    rocecc_congestion_policy *way = &c->policies[i % ROLE_ENTRIES];
    if (i >= ROLE_ENTRIES || *member++ != ']') return false;
    if (i >= c->n_policies) c->n_policies = (uint32_t)i + 1;
    if (strcmp(member, ".n") == 0) {
        way->n = (uint8_t)strtoul(value, NULL, 10);
        return true;
    }
    for (; *value != '\0'; value += *value == '+') {
        const size_t n = strcspn(value, "+");
        if (n >= sizeof one || way->n >= ROCECC_CONGESTION_POLICY_MAX) return false;
        memcpy(one, value, n);
        one[n] = '\0';
        if (!field_set(&address, &way->segment[way->n++], one)) return false;
        value += n;
    }
    return *member == '\0';
}

/* Sets the opcodes to answer, from "data" or hex numbers with + between them. */
static bool set_answer(const char *value, rocecc_opcode_set *answer)
{
    if (strcmp(value, "data") == 0) {
        *answer = rocecc_opcode_set_data();
        return true;
    }
    for (; *value != '\0'; value += *value == '+') {
        char *end;
        const unsigned long opcode = strtoul(value, &end, 16);
        if (end == value || opcode > 255) return false;
        answer->bits[opcode / 32] |= UINT32_C(1) << opcode % 32;
        value = end;
    }
    return true;
}

static bool set_pair(const vec_pair *pair, configured *c)
{
    if (strncmp(pair->key, "policies[", 9) == 0)
        return set_policy(pair->key + 8, pair->value, c);
    if (strcmp(pair->key, "answer") == 0)
        return set_answer(pair->value, &c->config.answer);
    return role_set_access("access", pair, &c->access) ||
           role_set_access("tunnels", pair, &c->tunnels) ||
           role_set(config_fields, NOUN_COUNT(config_fields), "config.", pair, c) ||
           role_set(config_fields, NOUN_COUNT(config_fields), "domain.", pair, c);
}

static void configure(const vec_pair *pairs, size_t n, configured *c)
{
    size_t i;
    memset(c, 0, sizeof *c);
    c->config.cnp = rocecc_cnp_default();
    c->config.l3qcn_outer = rocecc_l3qcn_outer_default(0);
    c->config.l3qcn_outer.src_port = 0;
    for (i = 0; i < n; i++)
        if (!set_pair(&pairs[i], c))
            test_fail(__FILE__, __LINE__, "%s=%s is not a setting", pairs[i].key,
                      pairs[i].value);
}

/* State that the rows of one source share. */
static char source_now[ROLE_SOURCE];
static configured made;
static rocecc_acl access_list, tunnel_list;
static rocecc_congestion_point node;
static rocecc_cnpgate gates[GATES];
static role_sources sources;
static uint64_t counted[ROCECC_CONGESTION_REASONS];

static void open_switch(const vec_row *row)
{
    size_t i;
    if (!role_source(row, source_now)) return;
    configure(row->config, row->n_config, &made);
    access_list = role_acl(&made.access);
    tunnel_list = role_acl(&made.tunnels);
    CHECK_EQ(rocecc_congestion_point_init(&made.config, &made.domain, &access_list),
             ROCECC_CONGESTION_ACCEPTED);
    node = rocecc_congestion_point_start(&made.config, 0);
    for (i = 0; i < GATES; i++)
        gates[i] = rocecc_cnpgate_start(&made.config.gate);
    role_open_sources(&sources, made.sources, &made.config.admission, 0);
    memset(counted, 0, sizeof counted);
}

/* Steps the switch on the first n bytes of a frame, at offset `start` of a buffer.
 * Writes at the same offset, but at most 300. Keeps the new state if `keep` is set. */
static given step(const vec_row *row, size_t n, size_t start, const event *with,
                  bool keep)
{
    static uint8_t out[1000];
    static uint8_t head[20];
    uint8_t *at = guard_end(NULL, start + n);
    rocecc_reader r = rocecc_reader_of(at, at + start + n);
    const size_t first = start < 300 ? start : 300;
    rocecc_writer w = rocecc_writer_of(
        out, out + first + (with->room < OUT_BYTES ? with->room : OUT_BYTES));
    rocecc_congestion_point s = node;
    rocecc_cnpgate gate = gates[with->gate % GATES];
    role_sources buckets = sources;
    event e = *with;
    rocecc_acl_result listed = ROCECC_ZERO;
    rocecc_packet p;
    rocecc_ip ip;
    given is;
    memset(at, UNTOUCHED, start);
    memcpy(at + start, row->bytes, n);
    r.at = start;
    memset(&is, 0, sizeof is);
    (void)rocecc_put(&w, first);
    (void)rocecc_packet_parse(&made.domain, r, &p);
    e.e.gate = &gate;
    e.e.admission.list = &access_list;
    e.e.admission.sources = buckets.of;
    e.e.admission.n_sources = buckets.n;
    e.e.tunnels = &tunnel_list;
    e.e.policies = made.policies;
    e.e.n_policies = made.n_policies;
    is.out = rocecc_congestion_point_step(&made.config, &s, &p, &e.e, &w);
    is.sent = rocecc_reader_of(out + first, out + w.at);
    is.marked = rocecc_reader_of(head, head);
    if (rocecc_packet_ip(&p, &p.headers.ip, &ip) == ROCECC_OK)
        listed = rocecc_acl_lookup(&access_list, &ip.src);
    is.buckets = role_levels(&s.admission, &buckets, listed.permit, listed.tag);
    is.buckets.verified_e9 = 0; /* a switch verifies nothing */
    if ((is.out.outputs & ROCECC_CONGESTION_MARK) != 0 &&
        rocecc_congestion_point_mark(&p, rocecc_writer_of(at, at + start + n))) {
        memcpy(head, at + rocecc_packet_outermost(&p)->offset, sizeof head);
        is.marked = rocecc_reader_of(head, head + sizeof head);
    }
    if (keep) node = s;
    if (keep) gates[with->gate % GATES] = gate;
    if (keep) sources = buckets;
    return is;
}

/* A cut frame gets the whole frame's answer, or none. A private CNM quotes less. */
static void check_prefixes(const vec_row *row, const event *e)
{
    static uint8_t whole[OUT_BYTES];
    const given all = step(row, row->n, 0, e, false);
    const size_t bytes = rocecc_left(&all.sent);
    size_t n;
    memcpy(whole, all.sent.base + all.sent.at, bytes);
    for (n = 0; n < row->n; n++) {
        const given is = step(row, n, 0, e, false);
        test_context("%s, the first %zu bytes", row->id, n);
        if (rocecc_left(&is.sent) == 0) continue;
        CHECK_EQ(is.out.outputs, all.out.outputs);
        if ((is.out.outputs & ROCECC_CONGESTION_CNM) != 0) continue;
        CHECK(rocecc_left(&is.sent) == bytes &&
              memcmp(is.sent.base + is.sent.at, whole, bytes) == 0);
    }
}

static void call_congestion_point(const vec_row *row)
{
    static const size_t starts[] = {1, 77, 300, ROCECC_PACKET_START_MAX, 0};
    event e;
    given is;
    size_t i;
    open_switch(row);
    memset(&e, 0, sizeof e);
    e.e.verdict = ROCECC_WRED_MARK;
    e.room = OUT_BYTES;
    for (i = 0; i < row->n_in; i++) {
        CHECK(role_set(event_fields, NOUN_COUNT(event_fields), "e.", &row->in[i], &e));
        if (strcmp(row->in[i].key, "qpn") == 0) e.e.has_qpn = true;
    }
    check_prefixes(row, &e);
    for (i = 0; i < NOUN_COUNT(starts); i++) {
        test_context("%s, %zu bytes into its buffer", row->id, starts[i]);
        is = step(row, row->n, starts[i], &e, false);
        noun_check_out(row, given_fields, NOUN_COUNT(given_fields), ROCECC_OK, &is);
    }
    test_context("%s", row->id);
    is = step(row, row->n, 0, &e, true);
    CHECK(is.out.reason < ROCECC_CONGESTION_REASONS);
    if (is.out.reason < ROCECC_CONGESTION_REASONS) counted[is.out.reason]++;
    for (i = 0; i < ROCECC_CONGESTION_REASONS; i++)
        CHECK_EQ(node.count[i], counted[i]);
}

static void call_congestion_point_init(const vec_row *row)
{
    configured c, before;
    rocecc_acl access;
    refused is;
    size_t i;
    configure(row->in, row->n_in, &c);
    access = role_acl(&c.access);
    before = c;
    is.refusal = (uint8_t)rocecc_congestion_point_init(&c.config, &c.domain, &access);
    is.p = c.config.admission;
    noun_check_out(row, refused_fields, NOUN_COUNT(refused_fields), ROCECC_OK, &is);
    for (i = 0; i < NOUN_COUNT(config_fields); i++)
        CHECK(field_equal(&config_fields[i], &c, &before));
}

static void call_congestion_policy_init(const vec_row *row)
{
    configured c;
    refused is;
    configure(row->in, row->n_in, &c);
    is.refusal = (uint8_t)rocecc_congestion_policy_init(&c.policies[0]);
    memset(&is.p, 0, sizeof is.p);
    noun_check_out(row, refused_fields, NOUN_COUNT(refused_fields), ROCECC_OK, &is);
}

static const noun_call calls[] = {
    {"congestion_point", call_congestion_point},
    {"congestion_point_init", call_congestion_point_init},
    {"congestion_policy_init", call_congestion_policy_init},
};

/* Runs one step's law on the bytes after an untagged Ethernet header, for a switch with
 * Fast CNP, with standard CNP, and with both. */
static uint32_t law_frame_of(rocecc_reader r)
{
    rocecc_domain d;
    rocecc_congestion_config c;
    rocecc_congestion_point s;
    rocecc_cnpgate gate;
    law_congestion_lists lists;
    law_congestion_tokens left;
    rocecc_congestion_event e;
    rocecc_packet p;
    uint32_t digest = LAW_START, i;
    if (rocecc_take(&r, ROCECC_ETHER_BYTES) == NULL) return LAW_START;
    for (i = 0; i < 3; i++) {
        rocecc_reader rest = rocecc_reader_of(r.base + r.at, r.base + r.end);
        memset(&c, 0, sizeof c);
        memset(&d, 0, sizeof d);
        d.link = ROCECC_LINK_IP;
        d.fastcnp = law_fastcnp_config(0);
        c.cnp = rocecc_cnp_default();
        c.cnp.src.b[0] = 0x20;
        c.answer = rocecc_opcode_set_data();
        c.admission.unlimited = true;
        c.fastcnp_enabled = i != 1;
        c.standard_cnp = i != 0;
        law_congestion_list(&lists, 0xffff2aff);
        lists.acls[0] = rocecc_acl_attach(lists.access, 2);
        lists.acls[1] = rocecc_acl_attach(lists.tunnels, 2);
        CHECK_EQ(rocecc_congestion_point_init(&c, &d, &lists.acls[0]),
                 ROCECC_CONGESTION_ACCEPTED);
        s = rocecc_congestion_point_start(&c, 0);
        gate = rocecc_cnpgate_start(&c.gate);
        memset(&e, 0, sizeof e);
        e.verdict = ROCECC_WRED_MARK;
        e.has_qpn = true;
        e.gate = &gate;
        e.admission.list = &lists.acls[0];
        memset(&left, 0, sizeof left);
        e.tunnels = &lists.acls[1];
        e.policies = lists.policies;
        e.n_policies = 2;
        (void)rocecc_packet_parse(&d, rest, &p);
        digest = law_mix(digest, law_congestion_step(&c, &s, &p, &e, SIZE_MAX, &left));
    }
    return digest;
}

TEST(congestion_point_vectors)
{
    const noun_file file = {"congestion_point", law_frame_of, NULL, 0, calls,
                            NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}

static void peer_row(const vec_row *row, void *arg)
{
    (void)arg;
    test_context("%s", row->id);
    call_congestion_point(row);
}

/* Checks the rows of tests/gates/peers/congestion.py in $CONGESTION_ROWS, if set. */
TEST(congestion_point_peer)
{
    const char *path = getenv("CONGESTION_ROWS");
    if (path != NULL) CHECK(vec_read(path, peer_row, NULL) > 0);
}
