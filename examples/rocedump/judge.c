/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * judge.c - the roles of --judge, with one adapter each. An adapter copies the role's
 * result into a judgement and decides nothing. State lasts for the whole capture. A
 * role's clock is the time of the frames, and starts at the first frame.
 */
#include "../crc32/select.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "rocecc/fields/arn_gate.h"
#include "rocecc/fields/arrival.h"
#include "rocecc/fields/fastcnp.h"
#include "rocecc/fields/l3qcn.h"
#include "rocecc/fields/l3qcn_tor.h"
#include "rocecc/fields/pause.h"
#include "rocecc/fields/reaction_point.h"
#include "rocecc/fields/srv6_pe.h"

#include "decode.h"
#include "memory.h"
#include "table.h"

#define VERDICTS_MAX 32
#define TAGS_MAX 65536u /* buckets for sources */
#define PORTS_MAX 65536u
#define ROOM_BYTES 64 /* for a role's output after a frame */

/* Verdicts on frames from the fabric, then on frames from a host. */
#define TOR_NAMES                                                                      \
    ROCECC_L3QCN_TOR_VERDICT_NAMES " " ROCECC_L3QCN_TOR_LEARN_VERDICT_NAMES

/* An array of counters, one per name. */
typedef struct judge_counters {
    const char *of; /* kind of the names, such as "verdict"; NULL ends a list */
    const char *names;
    size_t at; /* offset of the array in struct judge */
    size_t n;
} judge_counters;

struct judge_role {
    const char *name;
    const char *verdicts;
    const judge_counters *counters;
    judge_members members;
    const char *(*refused)(judge *j, judge_config *c, const rocecc_domain *d);
    void (*start)(judge *j, const judge_config *c, uint64_t now_ns); /* or NULL */
    void (*step)(judge *j, const judge_config *c, const rocecc_packet *p,
                 uint64_t now_ns, judged *out);
    void (*text)(const judged *is, FILE *out); /* printed after the verdict */
};

struct judge {
    const judge_role *role;
    const access_list *access;
    bool started;
    uint64_t count[VERDICTS_MAX];  /* of packets that are shown */
    uint64_t judged[VERDICTS_MAX]; /* of all packets */
    uint8_t *copy;                 /* of a frame, for roles that write into it */
    size_t room;
    rocecc_reaction_point reaction;
    rocecc_arn_gate arn;
    rocecc_admission_source *sources; /* indexed by tag, or NULL without limits */
    uint32_t n_sources;
    rocecc_l3qcn_tor tor;
    rocecc_l3qcn_tor_port *ports;
    rocecc_flowtable_memory table;
    rocecc_l3qcn_tor_gate *gates;
};

/* Returns name i of a list, or "" if there are fewer. */
static const char *name_at(const char *names, unsigned i)
{
    for (; i > 0 && *names != '\0'; i--) {
        names += strcspn(names, " ");
        names += *names == ' ';
    }
    return names;
}

/* Prints name i in capitals, or ? if there are fewer names. */
static void enumerator(const char *names, unsigned i, FILE *out)
{
    const char *name = name_at(names, i);
    if (*name == '\0') putc('?', out);
    for (; *name != '\0' && *name != ' '; name++)
        putc(toupper((unsigned char)*name), out);
}

/* Returns "LIMIT, reason", or NULL if the role does not refuse. */
static const char *refusal(const char *names, unsigned i, const char *why)
{
    static char text[160];
    const char *name = name_at(names, i);
    const int n = (int)strcspn(name, " ");
    int k;
    if (i == 0) return NULL;
    snprintf(text, sizeof text, "%.*s%s%s", n, name, *why != '\0' ? ", " : "", why);
    for (k = 0; k < n; k++)
        text[k] = (char)toupper((unsigned char)text[k]);
    return text;
}

/*
 * Returns the packet in a copy of its buffer. *w writes to the copy, which has room for
 * a longer packet.
 */
static rocecc_packet copied(judge *j, const rocecc_packet *p, rocecc_writer *w)
{
    const size_t n = p->bytes.end;
    rocecc_packet q = *p;
    rocecc_reader from = p->bytes;
    const uint8_t *b;
    if (j->room < n + ROOM_BYTES) {
        free(j->copy);
        j->room = 2 * n + ROOM_BYTES;
        j->copy = memory(j->room, 1);
    }
    from.at = 0;
    b = rocecc_take(&from, n);
    if (n != 0 && b != NULL) memcpy(j->copy, b, n);
    *w = rocecc_writer_of(j->copy, j->copy + n + ROOM_BYTES);
    q.bytes = rocecc_reader_of(j->copy, j->copy + n);
    q.bytes.at = p->bytes.at;
    return q;
}

static void text_src(const judged *is, FILE *out)
{
    if (!is->has_src) return;
    fputs(", from ", out);
    text_ip(&is->src, out);
}

/* Starts the buckets of each tag, if there are limits. */
static void sources_start(judge *j, const rocecc_admission_params *params,
                          uint64_t now_ns)
{
    uint32_t i;
    if (params->unlimited) return;
    j->n_sources = j->access->tag_max + 1;
    j->sources = memory(j->n_sources, sizeof *j->sources);
    for (i = 0; i < j->n_sources; i++)
        j->sources[i] = rocecc_admission_source_start(params, now_ns);
}

/* Returns why admission with these parameters is refused, or "". */
static const char *admission_refused(const judge *j,
                                     const rocecc_admission_params *params)
{
    static const char *const why[] = {
        "", "admission.source has no rate_per_s or no burst",
        "admission.shared is less than (admission.misbehaving + 1) times "
        "admission.source",
        "admission.verify is less than admission.source",
        "without --access no source is permitted"};
    rocecc_admission_params p = *params;
    const unsigned is = rocecc_admission_init(&p, &j->access->acl);
    if (is == ROCECC_ADMISSION_ACCEPTED && !p.unlimited &&
        j->access->tag_max >= TAGS_MAX)
        return "limits need tags below 65536";
    return is < COUNT(why) ? why[is] : "";
}

/* Returns the admission event for a packet. */
static rocecc_admission_event admission_event(const judge *j, uint64_t now_ns)
{
    rocecc_admission_event e = ROCECC_ZERO;
    e.now_ns = now_ns;
    e.list = &j->access->acl;
    e.sources = j->sources;
    e.n_sources = j->n_sources;
    return e;
}

/* Stores the ICMP error that a verdict asks for, if any. */
static void store_icmp(const rocecc_packet *p, const rocecc_icmp_error *error,
                       judged *out)
{
    const rocecc_headers *f = &p->headers;
    const bool of_outer = f->outer.version != 0 && error->offset == f->outer.offset;
    out->has_icmp = error->type != 0;
    out->icmp.version = of_outer ? f->outer.version : f->ip.version;
    out->icmp.type = error->type;
    out->icmp.code = error->code;
    out->icmp.offset = error->offset;
    out->icmp.value = error->value;
}

static const char *never_refused(judge *j, judge_config *c, const rocecc_domain *d)
{
    (void)j;
    (void)c;
    (void)d;
    return NULL;
}

/* The ICMP error that a verdict of any role except border may ask for. */
static const field icmp_fields[] = {
    FIELD_ROW(judged_icmp, UINT, version, NULL) FIELD_ROW(judged_icmp, UINT, type, NULL)
        FIELD_ROW(judged_icmp, UINT, code, NULL)
            FIELD_ROW(judged_icmp, UINT, offset, NULL)
                FIELD_ROW(judged_icmp, UINT, value, NULL)};
static const layer_kind icmp_kind = ONE("icmp", icmp_fields);

/* reaction: role/reaction_point.h */

#define ARRIVAL_ROW FIELD_ROW(judged, ENUM, arrival, ROCECC_ARRIVAL_VERDICT_NAMES)
#define ADMISSION_ROW FIELD_ROW(judged, ENUM, admission, ROCECC_ADMISSION_VERDICT_NAMES)

static const field reaction_fields[] = {
    ARRIVAL_ROW ADMISSION_ROW FIELD_ROW(judged, BOOL, listed, NULL)
        FIELD_ROW(judged, UINT, tag, NULL) FIELD_ROW(judged, IP6, src, NULL)};
static const field key_fields[] = {
    ROCECC_REACTION_KEY_FIELDS(FIELD_ROW, rocecc_reaction_key)};
static const layer_kind key_kind = ONE("key", key_fields);

static const char *reaction_refused(judge *j, judge_config *c, const rocecc_domain *d)
{
    static const char *const why[] = {
        "", "fastcnp.type_plain and fastcnp.type_ioam are both off",
        "without --access no source is permitted", "",
        "no CNP can have a correct ICRC under reaction.icrc_rule"};
    const rocecc_reaction_config *config = &c->reaction;
    const bool limited = config->fastcnp_enabled || config->ordinary_listed;
    const char *limit = limited ? admission_refused(j, &config->admission) : "";
    unsigned is = rocecc_reaction_point_init(&c->reaction, d, &j->access->acl);
    if (is == ROCECC_REACTION_ACCEPTED && *limit != '\0')
        is = ROCECC_REACTION_REFUSED_LIMIT;
    return refusal(ROCECC_REACTION_REFUSAL_NAMES, is,
                   is == ROCECC_REACTION_REFUSED_LIMIT ? limit
                   : is < COUNT(why)                   ? why[is]
                                                       : "");
}

static void reaction_start(judge *j, const judge_config *c, uint64_t now_ns)
{
    j->reaction = rocecc_reaction_point_start(&c->reaction, now_ns);
    sources_start(j, &c->reaction.admission, now_ns);
}

static void reaction_step(judge *j, const judge_config *c, const rocecc_packet *p,
                          uint64_t now_ns, judged *out)
{
    rocecc_reaction_event e = ROCECC_ZERO;
    rocecc_reaction_result is;
    e.admission = admission_event(j, now_ns);
    e.peer = c->knows.peer;
    rocecc_reaction_point_step(&c->reaction, &j->reaction, p, &e, &is);
    out->verdict = is.verdict;
    out->has_arrival = is.verdict == ROCECC_REACTION_BAD_ARRIVAL;
    out->arrival = is.arrival;
    out->has_admission = is.verdict == ROCECC_REACTION_RATE_LIMITED;
    out->admission = is.admission;
    store_icmp(p, &is.icmp, out);
    out->listed = is.listed;
    out->tag = is.tag;
    out->key = is.key;
    out->has_detail = is.verdict == ROCECC_REACTION_FAST_PLAIN ||
                      is.verdict == ROCECC_REACTION_FAST_IOAM;
}

static void reaction_text(const judged *is, FILE *out)
{
    if (is->has_detail) {
        fputs(" key ", out);
        text_ip(&is->key.remote, out);
        fprintf(out, " qp 0x%lx", (unsigned long)is->key.remote_qp);
    }
    if (is->verdict != ROCECC_REACTION_NOT_A_CNP) text_src(is, out);
    if (is->listed) fprintf(out, ", tag %lu", (unsigned long)is->tag);
}

/* border: packet/fastcnp.h */

static const field border_fields[] = {FIELD_ROW(judged, ENUM, answer, "pass drop")
                                          FIELD_ROW(judged, IP6, src, NULL)};

static void border_step(judge *j, const judge_config *c, const rocecc_packet *p,
                        uint64_t now_ns, judged *out)
{
    (void)j;
    (void)c;
    (void)now_ns;
    out->verdict = (uint8_t)rocecc_fastcnp_border(p);
    out->answer = out->verdict != ROCECC_FASTCNP_BORDER_PASS;
}

static void border_text(const judged *is, FILE *out)
{
    if (is->verdict == ROCECC_FASTCNP_BORDER_UNSEEN) fputs(", to be dropped", out);
    if (is->verdict != ROCECC_FASTCNP_BORDER_PASS) text_src(is, out);
}

/* end-con: role/srv6_pe.h */

static const field end_con_fields[] = {
    ARRIVAL_ROW FIELD_ROW(judged, ENUM, why, ROCECC_SRV6_VERDICT_NAMES)
        FIELD_ROW(judged, ENUM, alarm, ROCECC_ECNTUNNEL_ALARM_NAMES)
            FIELD_ROW(judged, IP6, src, NULL)};

static const char *end_con_refused(judge *j, judge_config *c, const rocecc_domain *d)
{
    static const char *const why[] = {
        "", "srv6_pe.end_con is not set, or cannot be a source address",
        "srv6_pe.dscp has more than 6 bits",
        "fastcnp.type_plain or fastcnp.type_ioam is not valid"};
    const unsigned is = rocecc_srv6_pe_init(&c->srv6_pe, d);
    (void)j;
    return refusal(ROCECC_SRV6_PE_REFUSAL_NAMES, is, is < COUNT(why) ? why[is] : "");
}

static void end_con_step(judge *j, const judge_config *c, const rocecc_packet *p,
                         uint64_t now_ns, judged *out)
{
    rocecc_writer w;
    const rocecc_packet q = copied(j, p, &w);
    rocecc_srv6_pe_result is;
    (void)now_ns;
    rocecc_srv6_pe_end_con(&c->srv6_pe, &j->access->acl, &q, w, &is);
    out->verdict = is.verdict;
    out->has_arrival = is.verdict == ROCECC_SRV6_PE_BAD_ARRIVAL;
    out->arrival = is.arrival;
    store_icmp(p, &is.icmp, out);
    out->has_why = is.verdict == ROCECC_SRV6_PE_BAD;
    out->why = is.why;
    out->alarm = is.alarm;
}

static void end_con_text(const judged *is, FILE *out)
{
    if (is->has_why) {
        fputs(", ", out);
        print_name(ROCECC_SRV6_VERDICT_NAMES, is->why, false, out);
    }
    if (is->verdict != ROCECC_SRV6_PE_OTHER) text_src(is, out);
    if (is->alarm == ROCECC_ECNTUNNEL_NO_ALARM) return;
    fputs(", alarm ", out);
    print_name(ROCECC_ECNTUNNEL_ALARM_NAMES, is->alarm, false, out);
}

/* arn: role/arn_gate.h */

static const field arn_fields[] = {
    ARRIVAL_ROW ADMISSION_ROW FIELD_ROW(judged, BOOL, listed, NULL)
        FIELD_ROW(judged, UINT, tag, NULL) FIELD_ROW(judged, IP6, src, NULL)};
static const field notice_fields[] = {
    ROCECC_PAUSE_NOTICE_FIELDS(FIELD_ROW, rocecc_pause_notice)};
static const layer_kind notice_kind = ONE("notice", notice_fields);

static const char *arn_refused(judge *j, judge_config *c, const rocecc_domain *d)
{
    static const char *const why[] = {"", "arn.port is 0",
                                      "a member of arn is not valid",
                                      "arn_gate.group is not a group address",
                                      "without --access no source is permitted"};
    const char *limit = admission_refused(j, &c->arn_gate.admission);
    unsigned is = rocecc_arn_gate_init(&c->arn_gate, d, &j->access->acl);
    if (is == ROCECC_ARN_GATE_ACCEPTED && *limit != '\0')
        is = ROCECC_ARN_GATE_REFUSED_LIMIT;
    return refusal(ROCECC_ARN_GATE_REFUSAL_NAMES, is,
                   is < COUNT(why) ? why[is] : limit);
}

static void arn_start(judge *j, const judge_config *c, uint64_t now_ns)
{
    j->arn = rocecc_arn_gate_start(&c->arn_gate, now_ns);
    sources_start(j, &c->arn_gate.admission, now_ns);
}

static void arn_step(judge *j, const judge_config *c, const rocecc_packet *p,
                     uint64_t now_ns, judged *out)
{
    const rocecc_admission_event e = admission_event(j, now_ns);
    rocecc_arn_gate_result is;
    rocecc_arn_gate_step(&c->arn_gate, &j->arn, p, &e, &is);
    out->verdict = is.verdict;
    out->has_arrival = is.verdict == ROCECC_ARN_GATE_BAD_ARRIVAL;
    out->arrival = is.arrival;
    out->has_admission = is.verdict == ROCECC_ARN_GATE_RATE_LIMITED;
    out->admission = is.admission;
    store_icmp(p, &is.icmp, out);
    out->listed = is.listed;
    out->tag = is.tag;
    out->has_detail = is.verdict == ROCECC_ARN_GATE_TAKEN;
    if (out->has_detail) {
        const rocecc_pause_requester from = {is.src, is.tag};
        out->notice = rocecc_flow_control_arn_load(&p->domain->arn, &is.arn, &from,
                                                   c->knows.port);
    }
}

static void arn_text(const judged *is, FILE *out)
{
    const rocecc_pause_notice *m = &is->notice;
    if (is->has_detail) {
        fprintf(out, " type %u", m->type);
        if (m->has_flow) {
            fputs(" flow ", out);
            text_ip(&m->flow.src, out);
            fprintf(out, " %u > ", m->flow.src_port);
            text_ip(&m->flow.dst, out);
            fprintf(out, " %u", m->flow.dst_port);
        }
        if (m->has_priority) fprintf(out, " priority %lu", (unsigned long)m->priority);
        if (m->has_time) fprintf(out, " for %llu ns", (unsigned long long)m->time_ns);
    }
    if (is->verdict != ROCECC_ARN_GATE_NOT_AN_ARN) text_src(is, out);
    if (is->listed) fprintf(out, ", tag %lu", (unsigned long)is->tag);
}

/*
 * tor: role/l3qcn_tor.h. Private CNMs come from the fabric, all other frames from
 * hosts.
 */

static const field tor_fields[] = {
    ARRIVAL_ROW ADMISSION_ROW FIELD_ROW(judged, ENUM, from, "fabric host")
        FIELD_ROW(judged, UINT, port, NULL)
            FIELD_ROW(judged, ENUM, why, ROCECC_L3QCN_VERDICT_NAMES)
                FIELD_ROW(judged, IP6, src, NULL)};

static const char *tor_refused(judge *j, judge_config *c, const rocecc_domain *d)
{
    static const char *const why[] = {"",
                                      "l3qcn.port is 0",
                                      "a member of l3qcn_tor.table is not valid",
                                      "l3qcn_tor.mac is not a station's address",
                                      "l3qcn_tor.priority is above 7",
                                      "l3qcn_tor.gate.interval_ns is 2^31 or more"};
    const rocecc_l3qcn_tor_config *config = &c->l3qcn_tor;
    const char *limit = config->listed ? admission_refused(j, &config->admission) : "";
    unsigned is = rocecc_l3qcn_tor_init(&c->l3qcn_tor, d, &j->access->acl);
    if (is == ROCECC_L3QCN_TOR_ACCEPTED && c->knows.port >= PORTS_MAX)
        return "judge.port is 65536 or more";
    if (is == ROCECC_L3QCN_TOR_REFUSED_LIMIT && *limit == '\0')
        limit =
            "l3qcn_tor.port_limit has no rate_per_s or no burst, or port_flows is 0";
    else if (is == ROCECC_L3QCN_TOR_ACCEPTED && *limit != '\0')
        is = ROCECC_L3QCN_TOR_REFUSED_LIMIT;
    return refusal(ROCECC_L3QCN_TOR_REFUSAL_NAMES, is,
                   is < COUNT(why) ? why[is] : limit);
}

static void tor_start(judge *j, const judge_config *c, uint64_t now_ns)
{
    const uint32_t n = c->l3qcn_tor.table.buckets;
    j->table.bucket = memory(n, sizeof *j->table.bucket);
    j->table.slot = memory((size_t)n * ROCECC_FLOWTABLE_WAYS, sizeof *j->table.slot);
    j->gates = memory((size_t)n * ROCECC_FLOWTABLE_WAYS, sizeof *j->gates);
    j->ports = memory(c->knows.port + (size_t)1, sizeof *j->ports);
    j->ports[c->knows.port].bucket =
        rocecc_tokenbucket_start(&c->l3qcn_tor.port_limit, now_ns);
    if (c->l3qcn_tor.listed) sources_start(j, &c->l3qcn_tor.admission, now_ns);
    j->tor = rocecc_l3qcn_tor_start(&c->l3qcn_tor, &j->table);
}

static void tor_step(judge *j, const judge_config *c, const rocecc_packet *p,
                     uint64_t now_ns, judged *out)
{
    rocecc_l3qcn_tor_event e = ROCECC_ZERO;
    const rocecc_packet q = copied(j, p, &e.writer);
    rocecc_l3qcn_tor_convert_result is;
    e.admission = admission_event(j, now_ns);
    e.memory = j->table;
    e.gate = j->gates;
    e.port = c->knows.port;
    e.ports = j->ports;
    e.n_ports = c->knows.port + 1;
    rocecc_l3qcn_tor_convert(&c->l3qcn_tor, &j->tor, &q, &e, &is);
    out->verdict = is.verdict;
    out->has_arrival = is.verdict == ROCECC_L3QCN_TOR_BAD_ARRIVAL;
    out->arrival = is.arrival;
    out->has_admission = is.verdict == ROCECC_L3QCN_TOR_RATE_LIMITED;
    out->admission = is.admission;
    store_icmp(p, &is.icmp, out);
    out->has_why = is.verdict == ROCECC_L3QCN_TOR_MALFORMED;
    out->why = is.why;
    out->port = is.port;
    if (is.verdict != ROCECC_L3QCN_TOR_OTHER) return;
    out->from = 1;
    out->port = e.port;
    out->verdict =
        (uint8_t)(ROCECC_L3QCN_TOR_VERDICTS +
                  rocecc_l3qcn_tor_learn(&c->l3qcn_tor, &j->tor, p, &e).what);
}

static void tor_text(const judged *is, FILE *out)
{
    if (is->has_why) {
        fputs(", ", out);
        print_name(ROCECC_L3QCN_VERDICT_NAMES, is->why, false, out);
    }
    if (is->verdict == ROCECC_L3QCN_TOR_CONVERTED)
        fprintf(out, " to port %lu", (unsigned long)is->port);
    text_src(is, out);
}

/* ---- counters */

#define COUNTERS(of, names, member)                                                    \
    {                                                                                  \
        of, names, offsetof(judge, member), COUNT(((judge *)NULL)->member)             \
    }
#define NO_MORE                                                                        \
    {                                                                                  \
        NULL, NULL, 0, 0                                                               \
    }

static const judge_counters reaction_counters[] = {
    COUNTERS("verdict", ROCECC_REACTION_VERDICT_NAMES, reaction.count),
    COUNTERS("arrival", ROCECC_ARRIVAL_VERDICT_NAMES, reaction.arrival_count),
    COUNTERS("admission", ROCECC_ADMISSION_VERDICT_NAMES, reaction.admission.count),
    NO_MORE};
static const judge_counters border_counters[] = {
    COUNTERS("verdict", ROCECC_FASTCNP_BORDER_NAMES, judged), NO_MORE};
static const judge_counters end_con_counters[] = {
    COUNTERS("verdict", ROCECC_SRV6_PE_VERDICT_NAMES, judged), NO_MORE};
static const judge_counters arn_counters[] = {
    COUNTERS("verdict", ROCECC_ARN_GATE_VERDICT_NAMES, arn.count),
    COUNTERS("arrival", ROCECC_ARRIVAL_VERDICT_NAMES, arn.arrival_count),
    COUNTERS("admission", ROCECC_ADMISSION_VERDICT_NAMES, arn.admission.count),
    NO_MORE};
static const judge_counters tor_counters[] = {
    COUNTERS("verdict", ROCECC_L3QCN_TOR_VERDICT_NAMES, tor.verdict_count),
    COUNTERS("learning", ROCECC_L3QCN_TOR_LEARN_VERDICT_NAMES, tor.learning_count),
    COUNTERS("malformed", ROCECC_L3QCN_VERDICT_NAMES, tor.malformed_count),
    COUNTERS("arrival", ROCECC_ARRIVAL_VERDICT_NAMES, tor.arrival_count),
    COUNTERS("admission", ROCECC_ADMISSION_VERDICT_NAMES, tor.admission.count),
    NO_MORE};

static void counter_rows(const judge *j, table *out)
{
    const judge_counters *c;
    size_t i;
    for (c = j->role->counters; c->of != NULL; c++) {
        const uint64_t *count =
            (const uint64_t *)(const void *)((const char *)j + c->at);
        const char *name = c->names;
        for (i = 0; i < c->n && *name != '\0'; i++) {
            const size_t n = strcspn(name, " ");
            table_cell(out, "%s.%s.%.*s", j->role->name, c->of, (int)n, name);
            table_cell(out, "%llu", (unsigned long long)count[i]);
            table_cell(out, "packets");
            name += n + (name[n] == ' ');
        }
    }
}

void judge_counters_print(const judge *j, FILE *out)
{
    table t = table_of("counter|value|unit");
    counter_rows(j, &t);
    putc('\n', out);
    table_print(&t, out);
    counter_rows(j, &t);
}

/* ---- the roles */

#define MEMBERS(fields, icmp, detail, at)                                              \
    {                                                                                  \
        fields, COUNT(fields), icmp, detail, at                                        \
    }

static const judge_role roles[] = {
    {"reaction", ROCECC_REACTION_VERDICT_NAMES, reaction_counters,
     MEMBERS(reaction_fields, &icmp_kind, &key_kind, offsetof(judged, key)),
     reaction_refused, reaction_start, reaction_step, reaction_text},
    {"border", ROCECC_FASTCNP_BORDER_NAMES, border_counters,
     MEMBERS(border_fields, NULL, NULL, 0), never_refused, NULL, border_step,
     border_text},
    {"end-con", ROCECC_SRV6_PE_VERDICT_NAMES, end_con_counters,
     MEMBERS(end_con_fields, &icmp_kind, NULL, 0), end_con_refused, NULL, end_con_step,
     end_con_text},
    {"arn", ROCECC_ARN_GATE_VERDICT_NAMES, arn_counters,
     MEMBERS(arn_fields, &icmp_kind, &notice_kind, offsetof(judged, notice)),
     arn_refused, arn_start, arn_step, arn_text},
    {"tor", TOR_NAMES, tor_counters, MEMBERS(tor_fields, &icmp_kind, NULL, 0),
     tor_refused, tor_start, tor_step, tor_text}};

judge *judge_of(const char *role, const access_list *access)
{
    static judge j; /* all 0 */
    size_t i;
    for (i = 0; i < COUNT(roles); i++) {
        if (strcmp(roles[i].name, role) != 0) continue;
        j.role = &roles[i];
        j.access = access;
        return &j;
    }
    return NULL;
}

const char *judge_expected(void)
{
    static char text[96] = "unknown role; expected ";
    size_t i, n = strlen("unknown role; expected ");
    for (i = 0; i < COUNT(roles) && n < sizeof text; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s",
                              i == 0                  ? ""
                              : i + 1 == COUNT(roles) ? " or "
                                                      : ", ",
                              roles[i].name);
    return text;
}

void judge_default(judge_config *c)
{
    const rocecc_mac mac = {{0x02, 0, 0, 0, 0, 0x01}}; /* of the laboratory */
    c->l3qcn_tor = rocecc_l3qcn_tor_default();
    c->l3qcn_tor.mac = mac;
    c->l3qcn_tor.table.secret[0] = 1; /* enough for a capture */
    c->l3qcn_tor.table.buckets = 4096;
    c->reaction.admission.unlimited = true;
    c->arn_gate.admission.unlimited = true;
    c->l3qcn_tor.admission.unlimited = true;
}

const char *judge_refused(judge *j, judge_config *c, const rocecc_domain *d)
{
    return j->role->refused(j, c, d);
}

void judge_packet(judge *j, const judge_config *c, const rocecc_packet *p,
                  uint64_t now_ns, judged *out)
{
    static const judged none;
    rocecc_ip ip;
    if (!j->started && j->role->start != NULL) j->role->start(j, c, now_ns);
    j->started = true;
    *out = none;
    out->role = j->role;
    out->has_src = rocecc_packet_ip(p, &p->headers.ip, &ip) == ROCECC_OK;
    if (out->has_src) out->src = ip.src;
    j->role->step(j, c, p, now_ns, out);
    if (out->verdict < VERDICTS_MAX) j->judged[out->verdict]++;
}

void judge_count(judge *j, const judged *is)
{
    if (is->verdict < VERDICTS_MAX) j->count[is->verdict]++;
}

bool judge_has(const judged *is, const field *f)
{
    if (f->offset == offsetof(judged, src)) return is->has_src;
    if (f->offset == offsetof(judged, arrival)) return is->has_arrival;
    if (f->offset == offsetof(judged, admission)) return is->has_admission;
    return f->offset != offsetof(judged, why) || is->has_why;
}

const judge_members *judge_members_of(const judged *is)
{
    return &is->role->members;
}

const judge_members *judge_members_at(size_t i)
{
    return i < COUNT(roles) ? &roles[i].members : NULL;
}

void judge_verdict(const judged *is, FILE *out)
{
    enumerator(is->role->verdicts, is->verdict, out);
}

/* Prints why a packet may not end here, and why it is not admitted. */
static void text_reasons(const judged *is, FILE *out)
{
    if (is->has_arrival) {
        fputs(", ", out);
        print_name(ROCECC_ARRIVAL_VERDICT_NAMES, is->arrival, false, out);
    }
    if (is->has_admission) {
        fputs(", ", out);
        print_name(ROCECC_ADMISSION_VERDICT_NAMES, is->admission, false, out);
    }
}

static void text_icmp(const judged *is, FILE *out)
{
    const judged_icmp *h = &is->icmp;
    const char *name = text_icmp_name(h->version, h->type, h->code);
    if (!is->has_icmp) return;
    fprintf(out, ", asks for %s type %u code %u value %lu",
            h->version == 6 ? "ICMPv6" : "ICMP", h->type, h->code,
            (unsigned long)h->value);
    if (name != NULL) fprintf(out, " (%s)", name);
}

void judge_text(const judged *is, FILE *out)
{
    fprintf(out, "  judge %s: ", is->role->name);
    judge_verdict(is, out);
    text_reasons(is, out);
    is->role->text(is, out);
    text_icmp(is, out);
    putc('\n', out);
}

void judge_summary(const judge *j, FILE *out)
{
    unsigned i;
    for (i = 0; i < VERDICTS_MAX; i++) {
        if (j->count[i] == 0) continue;
        fprintf(out, "%12llu  judge %s: ", (unsigned long long)j->count[i],
                j->role->name);
        enumerator(j->role->verdicts, i, out);
        putc('\n', out);
    }
}
