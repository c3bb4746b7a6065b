/* SPDX-License-Identifier: BSD-2-Clause */

/* run.c - hosts that send and acknowledge, and runs. */
#include "lab.h"

#include "../cctrace/algo.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOST_QUEUE_BYTES 4000 /* above this, flows wait for the NIC */
#define FIRST_QP 0x10         /* QPs are numbered by flow and end */
#define TIMEOUT 3             /* kind of timer that schemes do not use */
#define DATA 0x04             /* RC SEND Only */
#define ACK 0x11
#define SEQUENCE_ERROR 0x60 /* AETH syndrome of a NAK */

/* Values of a laboratory. No document assigns any of these. */
const rocecc_domain lab_domain = {
    .roce = {.echo_bytes = 184}, /* 5 records of IFA, the longest, take 180 */
    .csig = {.compact_tpid = 0x9900},
    .ifa = {.protocol = 253, .layout_a = 1 << 1, .layout_b = 1 << 2},
    .intmd = {.udp_port = 5000},
    .ioam = {.namespace_id = 123, .tx_bytes_bit = 12},
    .fastcnp = {.type_plain = 0x9e, .type_ioam = 0x9f},
    .l3qcn = {.port = 51966},
    .arn = {.port = 51967}};

const lab_scheme *const lab_schemes[] = {
    &lab_none,     &lab_reno,      &lab_dcqcn, &lab_fastcnp,  &lab_l3qcn,
    &lab_qcn,      &lab_pfc,       &lab_arn,   &lab_hpcc_int, &lab_hpcc_ioam,
    &lab_hpcc_ifa, &lab_hpcc_csig, &lab_ldcp,  NULL};

/* ---- flows */

uint32_t lab_sender_qp(const lab_flow *x)
{
    return FIRST_QP + 2 * x->id;
}

uint32_t lab_receiver_qp(const lab_flow *x)
{
    return FIRST_QP + 2 * x->id + 1;
}

static lab_flow *flow_of(lab *l, uint32_t qp, uint32_t end)
{
    const uint32_t id = (qp - FIRST_QP) / 2;
    return qp >= FIRST_QP && qp % 2 == end && id < l->n_flows ? &l->flow[id] : NULL;
}

lab_flow *lab_flow_of_sender(lab *l, uint32_t qp)
{
    return flow_of(l, qp, 0);
}

lab_flow *lab_flow_of_receiver(lab *l, uint32_t qp)
{
    return flow_of(l, qp, 1);
}

/* Returns the time at which pacing allows the next packet. The next packet follows the
   last one by the last one's time at the present rate, even if the rate has just
   changed. */
static lab_ps due(const lab_flow *x)
{
    return x->rate_bps == 0
               ? 0
               : x->last + x->last_wire_bytes * UINT64_C(8000000000000) / x->rate_bps;
}

static void wake_up(lab *l, lab_flow *x, lab_ps at);

void lab_set(lab *l, lab_flow *x, uint64_t rate_bps, uint64_t window_bytes)
{
    const bool cut = (rate_bps != 0 && rate_bps < x->rate_bps) ||
                     (window_bytes != 0 && window_bytes < x->window_bytes);
    if (cut && l->congested != 0 && x->first_cut == 0) x->first_cut = l->now;
    x->rate_bps = rate_bps;
    x->window_bytes = window_bytes;
    x->least_bps = rocecc_min(x->least_bps, rate_bps);
    x->most_bps = rocecc_max(x->most_bps, rate_bps);
    x->least_window_bytes = rocecc_min(x->least_window_bytes, window_bytes);
    x->most_window_bytes = rocecc_max(x->most_window_bytes, window_bytes);
    if (x->wake != LAB_NEVER) wake_up(l, x, rocecc_max(due(x), l->now));
}

/* Writes Ethernet, IPv6, UDP and BTH of a flow in either direction. `more` bytes and
 * the ICRC follow the BTH. */
static rocecc_writer roce(lab_packet *p, const lab_flow *x, bool back, uint8_t opcode,
                          uint32_t psn, uint32_t more)
{
    const lab_node *from = back ? x->to : x->from, *to = back ? x->from : x->to;
    rocecc_writer w = lab_ether(p, from);
    rocecc_ipv6 ip = {0, ROCECC_ECN_NOT_ECT, 0, 0, ROCECC_PROTO_UDP, 64, {{0}}, {{0}}};
    rocecc_udp udp = {0, ROCECC_UDP_PORT_ROCEV2, 0, 0};
    rocecc_bth bth;
    memset(&bth, 0, sizeof bth);
    udp.src_port = (uint16_t)(0xc000 + (x->id * 2654435761u >> 18));
    udp.length =
        (uint16_t)(ROCECC_UDP_BYTES + ROCECC_BTH_BYTES + more + ROCECC_ICRC_BYTES);
    ip.payload_length = udp.length;
    if (!back) ip.ecn = ROCECC_ECN_ECT0;
    ip.dscp = back ? 48 : 26;
    ip.src = from->ip;
    ip.dst = to->ip;
    bth.opcode = opcode;
    bth.pkey = 0xffff;
    bth.dest_qp = back ? lab_sender_qp(x) : lab_receiver_qp(x);
    bth.psn = psn & 0xffffff;
    (void)rocecc_ipv6_emit(&w, &ip);
    (void)rocecc_udp_emit(&w, &udp);
    (void)rocecc_bth_emit(&w, &bth);
    return w;
}

uint8_t *lab_append(lab_packet *p, size_t bytes)
{
    uint8_t *ip = p->b + ROCECC_ETHER_BYTES, *udp = ip + ROCECC_IPV6_BYTES;
    uint8_t *more = p->b + p->n;
    if (p->n + bytes + ROCECC_ICRC_BYTES > sizeof p->b) return NULL;
    p->n += (uint32_t)bytes;
    rocecc_store16(ip + 4, (uint16_t)(rocecc_load16(ip + 4) + bytes));
    rocecc_store16(udp + 4, (uint16_t)(rocecc_load16(udp + 4) + bytes));
    return more;
}

/* Adds the ICRC to a packet that is otherwise complete. */
static void seal(lab_packet *p)
{
    rocecc_packet out;
    p->n += ROCECC_ICRC_BYTES;
    lab_locate(p);
    out = lab_located(p);
    if (rocecc_icrc_emplace(ROCECC_ICRC_AUTO, &out, lab_room(p)) != ROCECC_OK) abort();
}

static bool intact(const lab_packet *p)
{
    const rocecc_packet came = lab_located(p);
    rocecc_icrc icrc = {0, 0, false, 0};
    return rocecc_icrc_verify(ROCECC_ICRC_AUTO, &came, &icrc) == ROCECC_OK && icrc.ok;
}

bool lab_is_data(const lab_packet *p)
{
    return p->f.bth != 0 && p->b[p->f.bth] == DATA;
}

const lab_scheme *lab_scheme_of(lab *l, const lab_packet *p)
{
    const lab_flow *x = l->n_parts > 1 ? lab_flow_of(l, p) : NULL;
    if (l->n_parts == 1) return lab_is_data(p) ? l->part[0].s : NULL;
    return x != NULL ? x->part->s : NULL;
}

lab_flow *lab_flow_of(lab *l, const lab_packet *p)
{
    rocecc_reader r = rocecc_subrange(lab_view(p), p->f.bth, p->n);
    rocecc_bth bth;
    if (!lab_is_data(p) || rocecc_bth_parse(&r, &bth) != ROCECC_OK) return NULL;
    return lab_flow_of_receiver(l, bth.dest_qp);
}

static void look_again(lab *l, void *who, uint64_t what)
{
    lab_flow *x = who;
    if (x->wake != what) return; /* an earlier one has replaced it */
    x->wake = LAB_NEVER;
    lab_send(l, x);
}

/* Schedules an attempt to send, unless one is due by that time. */
static void wake_up(lab *l, lab_flow *x, lab_ps at)
{
    if (at >= x->wake) return;
    x->wake = at;
    lab_at(l, at, look_again, x, at);
}

static void send_one(lab *l, lab_flow *x, uint32_t payload)
{
    lab_packet *p = lab_packet_new(l);
    rocecc_writer w = roce(p, x, false, DATA, (uint32_t)(x->sent / l->mtu), payload);
    uint64_t bytes;
    p->n = (uint32_t)w.at;
    p->payload = payload + ROCECC_ICRC_BYTES;
    lab_locate(p);
    if (x->part->s->data != NULL) x->part->s->data(l, x, p);
    bytes = lab_wire_bytes(p);
    x->sent += payload;
    x->last = rocecc_max(due(x), l->now);
    x->last_wire_bytes = (uint32_t)bytes;
    x->around_bytes = (uint32_t)bytes - payload;
    lab_forward(l, x->from, p);
    if (x->part->s->sent != NULL) x->part->s->sent(l, x, (uint32_t)bytes);
}

/* Returns the wire bytes in flight, as a window counts them. */
static uint64_t flight_of(const lab *l, const lab_flow *x)
{
    const uint64_t payload = x->sent - x->acked;
    return payload + (payload + l->mtu - 1) / l->mtu * x->around_bytes;
}

/* Returns the time at which a flow may send a packet, or LAB_NEVER if it must wait for
 * an ACK. */
static lab_ps may_send(lab *l, lab_flow *x, uint32_t payload)
{
    const lab_ps until = rocecc_max(rocecc_max(due(x), x->paused), l->asleep);
    lab_ps at = l->now;
    if (x->part->s->may != NULL) {
        if (!x->part->s->may(l, x, payload, &at)) return at;
    } else if (x->window_bytes != 0 && flight_of(l, x) >= x->window_bytes) {
        return LAB_NEVER;
    }
    return rocecc_max(at, until);
}

/* Puts a flow behind the others that wait for its NIC. */
static void stand_in_line(lab_flow *x)
{
    lab_node *host = x->from;
    if (x->in_line) return;
    if (host->line == NULL) host->line_end = &host->line;
    x->in_line = true;
    x->next_in_line = NULL;
    *host->line_end = x;
    host->line_end = &x->next_in_line;
}

static bool has_room(const lab_node *host)
{
    return host->port[0].queue[LAB_DATA].bytes <= HOST_QUEUE_BYTES;
}

void lab_drained(lab *l, lab_node *host)
{
    while (host->line != NULL && has_room(host)) {
        lab_flow *x = host->line;
        host->line = x->next_in_line;
        x->in_line = false;
        lab_send(l, x);
    }
}

void lab_send(lab *l, lab_flow *x)
{
    while (x->start <= l->now && x->sent < x->ready) {
        const uint64_t left = x->bytes - x->sent;
        const uint32_t payload = left < l->mtu ? (uint32_t)left : l->mtu;
        const lab_ps at = may_send(l, x, payload);
        if (at > l->now) {
            wake_up(l, x, at);
            return;
        }
        if (!has_room(x->from)) {
            stand_in_line(x);
            return;
        }
        send_one(l, x, payload);
    }
}

static void fire(lab *l, void *who, uint64_t what)
{
    lab_flow *x = who;
    const unsigned kind = what & 3;
    if (x->timer[kind] == what >> 2) x->timer_call[kind](l, x, kind);
}

void lab_timer(lab *l, lab_flow *x, unsigned kind, uint64_t ns, lab_timer_call *call)
{
    x->timer_call[kind] = call;
    lab_at(l, l->now + ns * 1000, fire, x, ++x->timer[kind] << 2 | kind);
}

/*
 * Goes back to the first unacknowledged byte, if nothing was acknowledged for the
 * longest of three times: 4 round trips, 2 ms, and a round trip behind a full buffer.
 */
static void timeout(lab *l, lab_flow *x, unsigned kind)
{
    const lab_ps full = l->o->buffer_bytes * l->bottleneck->byte_ps_q8 / 256;
    const lab_ps rto =
        rocecc_max(rocecc_max(4 * l->base_rtt, 2 * LAB_MS), l->base_rtt + full);
    if (x->end != 0) return;
    if (x->timer[kind] > 0 && x->acked == x->acked_before && x->sent > x->acked) {
        x->sent = x->acked;
        if (x->part->s->silence != NULL) x->part->s->silence(l, x);
        lab_send(l, x);
    }
    x->acked_before = x->acked;
    lab_timer(l, x, kind, rto / 1000, timeout);
}

void lab_start(lab *l, void *who, uint64_t what)
{
    lab_flow *x = who;
    (void)what;
    x->least_bps = x->least_window_bytes = UINT64_MAX;
    x->wake = LAB_NEVER;
    if (x->part->s->start != NULL) x->part->s->start(l, x);
    timeout(l, x, TIMEOUT);
    lab_send(l, x);
}

/* ---- hosts */

/*
 * Keeps a packet that arrives before an earlier one. Returns true if a NAK is due. Each
 * gap gets one NAK, if such a packet arrives more than a base RTT after the gap began.
 */
static bool keep_early(lab *l, lab_flow *x, uint32_t psn)
{
    const uint64_t bit = UINT64_C(1) << psn % 64;
    uint64_t *word;
    if (x->early == NULL) x->early = lab_get(LAB_EARLY / 64, sizeof *x->early);
    word = &x->early[psn % LAB_EARLY / 64];
    x->took = (*word & bit) == 0;
    *word |= bit;
    x->n_early += x->took;
    if (x->gap_since == 0) x->gap_since = l->now;
    if (x->nak || l->now - x->gap_since <= l->base_rtt) return false;
    x->nak = true;
    return true;
}

/* Takes the kept packets that are in order now, because a gap has closed. */
static void take_early(lab *l, lab_flow *x)
{
    while (x->n_early > 0) {
        const uint32_t psn = (uint32_t)((x->got + l->mtu - 1) / l->mtu);
        uint64_t *word = &x->early[psn % LAB_EARLY / 64];
        const uint64_t bit = UINT64_C(1) << psn % 64;
        if ((*word & bit) == 0) break;
        *word &= ~bit;
        x->n_early--;
        x->got = rocecc_min(x->got + l->mtu, x->bytes);
    }
    x->gap_since = x->n_early > 0 ? l->now : 0;
}

/*
 * Handles data at its receiver. Packets in order are taken, and the first one after a
 * gap causes a NAK. With spraying, unless go_back_n is set, a gap is not a loss yet,
 * and later packets are kept.
 */
static void data_came(lab *l, lab_flow *x, lab_packet *p, const rocecc_bth *bth)
{
    const bool any_order = l->o->spray && !l->o->go_back_n;
    const uint32_t expected = (uint32_t)((x->got + l->mtu - 1) / l->mtu);
    const uint32_t ahead = (bth->psn - expected) & 0xffffff;
    rocecc_aeth aeth = {0, 0};
    lab_packet *ack;
    rocecc_writer w;
    uint8_t *b;
    if (x->part->s->met != NULL) x->part->s->met(l, x, p);
    x->took = ahead == 0;
    if (ahead == 0) {
        x->got += p->payload - ROCECC_ICRC_BYTES;
        x->nak = false;
        take_early(l, x);
    } else if (any_order && ahead < 0x800000) {
        if (ahead >= LAB_EARLY) return;
        if (keep_early(l, x, bth->psn)) aeth.syndrome = SEQUENCE_ERROR;
    } else if (ahead < 0x800000) {
        if (x->nak) return;
        x->nak = true;
        aeth.syndrome = SEQUENCE_ERROR;
    }
    ack = lab_packet_new(l);
    w = roce(ack, x, true, ACK, (uint32_t)((x->got + l->mtu - 1) / l->mtu),
             LAB_AETH_BYTES);
    b = rocecc_put(&w, LAB_AETH_BYTES);
    rocecc_aeth_store(b, &aeth);
    ack->n = (uint32_t)w.at;
    if (x->part->s->received != NULL) x->part->s->received(l, x, p, ack);
    seal(ack);
    lab_enqueue(l, &x->to->port[0], LAB_CONTROL, ack);
    if (ahead == 0 && l->got != NULL) l->got(l, x);
}

static void ack_came(lab *l, lab_flow *x, const lab_packet *p, const rocecc_bth *bth)
{
    const bool lost = p->b[p->f.bth + ROCECC_BTH_BYTES] >> 5 == SEQUENCE_ERROR >> 5;
    const uint64_t before = (x->acked + l->mtu - 1) / l->mtu;
    const uint64_t more = (bth->psn - before) & 0xffffff; /* 2^23 and up: an old ACK */
    const uint64_t at = (before + (more < 0x800000 ? more : 0)) * l->mtu;
    const uint64_t bytes = (at < x->bytes ? at : x->bytes) - x->acked;
    x->acked += bytes;
    if (x->sent < x->acked || lost) x->sent = x->acked;
    if (x->part->s->acked != NULL) x->part->s->acked(l, x, p, bytes, lost);
    if (x->acked == x->bytes && x->end == 0) {
        x->end = l->now;
        l->unfinished--;
    }
    lab_send(l, x);
}

/* Applies faults to a notification. Returns false if it is lost. */
static bool survives(lab *l, lab_packet *p)
{
    const lab_options *o = l->o;
    if (o->lose_permille != 0 && lab_random(l) % 1000 < o->lose_permille) return false;
    if (o->corrupt_permille != 0 && lab_random(l) % 1000 < o->corrupt_permille) {
        const uint32_t at = lab_random(l) % p->n;
        p->b[at] ^= (uint8_t)(1u << lab_random(l) % 8);
        lab_locate(p);
    }
    return true;
}

/* Returns true if no earlier part has the same `notice` hook. Parts of one scheme with
 * different presets share it. */
static bool is_first(const lab *l, uint32_t i)
{
    uint32_t k;
    for (k = 0; k < i; k++)
        if (l->part[k].s->notice == l->part[i].s->notice) return false;
    return true;
}

/* Passes a notification to PFC, if that is set, and to all schemes. */
static void notify(lab *l, lab_node *host, lab_packet *p)
{
    uint32_t i;
    if (l->o->pfc) lab_pfc.notice(l, host, p);
    for (i = 0; i < l->n_parts; i++)
        if (l->part[i].s->notice != NULL && is_first(l, i))
            l->part[i].s->notice(l, host, p);
}

void lab_host_receive(lab *l, lab_node *host, lab_packet *p)
{
    rocecc_reader b = rocecc_subrange(lab_view(p), p->f.bth, p->n);
    rocecc_bth bth;
    lab_flow *x = NULL;
    memset(&bth, 0, sizeof bth);
    if (p->f.bth == 0 || rocecc_bth_parse(&b, &bth) != ROCECC_OK) bth.opcode = 0;
    if (bth.opcode == DATA && (x = lab_flow_of_receiver(l, bth.dest_qp)) != NULL)
        data_came(l, x, p, &bth);
    else if (!survives(l, p))
        ;
    else if (bth.opcode == ACK && (x = lab_flow_of_sender(l, bth.dest_qp)) != NULL &&
             rocecc_left(&b) >= LAB_AETH_BYTES + ROCECC_ICRC_BYTES &&
             (l->o->corrupt_permille == 0 || intact(p))) /* only that fault breaks it */
        ack_came(l, x, p, &bth);
    else
        notify(l, host, p);
    lab_packet_free(l, p);
}

/* ---- a run */

bool lab_refuse(const lab *l, const char *format, ...)
{
    va_list list;
    uint32_t i;
    fputs("cclab: ", stderr);
    for (i = 0; i < l->n_parts; i++)
        fprintf(stderr, "%s%s", i > 0 ? "+" : "", l->part[i].s->name);
    fputs(": ", stderr);
    va_start(list, format);
    (void)vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return false;
}

/* Returns true if an init refused this member. `name` is its name, perhaps without the
   unit, or WORD_order for WORD.MEMBERs that are not in order. */
static bool is_refused(const algo_param *p, const char *name, size_t n)
{
    const size_t word = strcspn(name, "_ ");
    const bool order = n - word == 6 && memcmp(name + word, "_order", 6) == 0;
    return strncmp(p->f.name, name, order ? word : n) == 0 &&
           strchr(order ? "." : "_", p->f.name[order ? word : n]) != NULL;
}

/* Returns true if the range of a refused member names this member. */
static bool is_bound(const algo *a, const algo_param *p, const char *name, size_t n)
{
    size_t i;
    for (i = 0; i < a->n_params; i++)
        if (is_refused(&a->params[i], name, n) &&
            strstr(a->params[i].range, p->f.name) != NULL)
            return true;
    return false;
}

bool lab_refuse_member(const lab *l, const algo *a, unsigned refusal,
                       const void *params)
{
    const char *name = a->refusals;
    char list[300] = "";
    size_t n, at = 0, i;
    for (; refusal > 0; refusal--)
        name += strcspn(name, " ") + 1;
    n = strcspn(name, " ");
    for (i = 0; i < a->n_params && at < sizeof list; i++) {
        const algo_param *p = &a->params[i];
        const bool refused = is_refused(p, name, n);
        bool minus;
        uint64_t v;
        if (!refused && !is_bound(a, p, name, n)) continue;
        v = field_get(&p->f, params);
        minus = p->f.kind == ROCECC_FIELD_INT && v >> 63 != 0;
        at += (size_t)snprintf(
            list + at, sizeof list - at, " %s.%s=%s%llu%s%s%s", a->name, p->f.name,
            minus ? "-" : "", (unsigned long long)(minus ? 0 - v : v),
            refused ? " (" : "", refused ? p->range : "", refused ? ")" : "");
    }
    return lab_refuse(l, "%s refuses %.*s:%s", a->name, (int)n, name, list);
}

/* Sets up the parts in reverse order, and those by_marks last, so that the thresholds
 * of the first such part apply. */
static bool setup(lab *l)
{
    uint32_t pass, i, memory = l->o->pfc, fast = 0, sampled = 0;
    for (i = 0; i < l->n_parts; i++) {
        memory += l->part[i].s->own_memory;
        fast += l->part[i].s == &lab_fastcnp;
        sampled += l->part[i].s == &lab_l3qcn;
    }
    if (memory > 1)
        return lab_refuse(l,
                          "a run can have only one of pfc, arn, l3qcn and --set pfc=1");
    if (fast > 0 && sampled > 0)
        return lab_refuse(l, "fastcnp and l3qcn exclude each other in one run");
    for (pass = 0; pass < 2; pass++)
        for (i = l->n_parts; i-- > 0;) {
            const lab_scheme *s = l->part[i].s;
            if (s->by_marks == (pass == 1) && s->setup != NULL &&
                !s->setup(l, &l->part[i]))
                return false;
        }
    return !l->o->pfc || lab_pfc.setup(l, &l->part[0]);
}

lab *lab_new_mixed(const lab_part *part, uint32_t n_parts, const lab_options *o)
{
    const bool pairs = o->topology == LAB_DUMBBELL || o->topology == LAB_WAN;
    const uint32_t n = o->flows < LAB_SENDERS ? o->flows : LAB_SENDERS;
    lab *l = lab_get(1, sizeof *l);
    uint32_t i;
    l->flow = lab_get(LAB_FLOWS_MOST, sizeof *l->flow);
    for (i = 0; i < n_parts; i++)
        l->part[i] = part[i];
    l->n_parts = n_parts;
    l->o = o;
    l->random = o->seed;
    l->jitter_random = ~o->seed;
    l->base_rtt = o->rtt;
    l->nic_bps = l->line_bps = o->line_bps != 0 ? o->line_bps : o->rate_bps;
    l->mtu = o->payload_bytes;
    l->congested_bytes = 8 * l->mtu;
    l->mutual = lab_is_mutual(o);
    lab_build(l, n, pairs ? n : strcmp(o->load, "victim") == 0 ? 2 : 1);
    if (!setup(l) || !lab_load(l)) {
        lab_free(l);
        return NULL;
    }
    l->unfinished = l->n_flows;
    lab_measure(l);
    lab_trouble_setup(l);
    return l;
}

lab *lab_new(const lab_scheme *s, const lab_options *o)
{
    lab_part part = {.s = s};
    return lab_new_mixed(&part, 1, o);
}

void lab_run(lab *l, lab_ps until)
{
    l->n_events += lab_events(l, until);
}

void lab_free(lab *l)
{
    uint32_t i;
    lab_packets_free(l);
    for (i = 0; i < l->n_nodes; i++) {
        free(l->node[i]->port);
        free(l->node[i]->route);
        free(l->node[i]->n_routes);
        free(l->node[i]->own);
        free(l->node[i]);
    }
    for (i = 0; i < l->n_flows; i++)
        free(l->flow[i].early);
    free(l->trouble.slot);
    free(l->heap);
    free(l->flow);
    free(l);
}
