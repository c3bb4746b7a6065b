/* SPDX-License-Identifier: BSD-2-Clause */

/* run.c - hosts that send and acknowledge, loads, and a run. */
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOST_QUEUE_BYTES 4000 /* a NIC looks no further ahead */
#define FIRST_QP 0x10         /* a QP is its flow's number, and which end */
#define TIMEOUT 3             /* the kind of timer that schemes leave alone */
#define DATA 0x04             /* RC SEND Only */
#define ACK 0x11
#define SEQUENCE_ERROR 0x60 /* AETH: a NAK */

/* Values of a laboratory: nobody has assigned any of these. */
const rocecc_domain lab_domain = {
    .roce = {.echo_bytes = 160}, /* 4 records of the longest format, IFA, in 148 */
    .csig = {.compact_tpid = 0x9900},
    .ifa = {.protocol = 253, .layout_a = 1 << 1, .layout_b = 1 << 2},
    .intmd = {.udp_port = 5000},
    .ioam = {.namespace_id = 123, .tx_bytes_bit = 12},
    .fastcnp = {.type_plain = 0x9e, .type_ioam = 0x9f},
    .l3qcn = {.port = 51966},
    .arn = {.port = 51967}};

const lab_scheme *const lab_schemes[] = {
    &lab_none,      &lab_dcqcn, &lab_fastcnp,  &lab_l3qcn,     &lab_qcn,
    &lab_pfc,       &lab_arn,   &lab_hpcc_int, &lab_hpcc_ioam, &lab_hpcc_ifa,
    &lab_hpcc_csig, &lab_ldcp,  NULL};

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
}

/* IPv6, UDP and BTH of a flow, one way or the other; more bytes follow the BTH. */
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

/* The ICRC of a packet that has all but that. */
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
    if (x->wake != what) return; /* an earlier one came in its place */
    x->wake = LAB_NEVER;
    lab_send(l, x);
}

static void send_one(lab *l, lab_flow *x, uint32_t payload)
{
    lab_packet *p = lab_packet_new(l);
    rocecc_writer w = roce(p, x, false, DATA, (uint32_t)(x->sent / l->mtu), payload);
    uint64_t bytes;
    p->n = (uint32_t)w.at;
    p->payload = payload + ROCECC_ICRC_BYTES;
    lab_locate(p);
    if (l->s->data != NULL) l->s->data(l, x, p);
    bytes = lab_wire_bytes(p);
    x->sent += payload;
    if (x->rate_bps != 0) {
        const lab_ps at = x->next > l->now ? x->next : l->now;
        x->next = at + bytes * UINT64_C(8000000) * 1000000 / x->rate_bps;
    }
    lab_forward(l, x->from, p);
    if (l->s->sent != NULL) l->s->sent(l, x, (uint32_t)bytes);
}

/* When a flow may send a packet: now, later, or LAB_NEVER: when an ACK comes. */
static lab_ps may_send(lab *l, lab_flow *x, uint32_t payload)
{
    const uint64_t flight = x->sent - x->acked;
    lab_ps at = l->now;
    if (l->s->may != NULL && !l->s->may(l, x, payload, &at)) return at;
    if (x->window_bytes != 0 && flight >= x->window_bytes) return LAB_NEVER;
    if (x->rate_bps != 0 && x->next > at) at = x->next;
    if (x->paused > at) at = x->paused;
    if (l->asleep > at) at = l->asleep;
    return at;
}

/* Behind the others that wait for the same NIC. */
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
    while (x->start <= l->now && x->sent < x->bytes) {
        const uint64_t left = x->bytes - x->sent;
        const uint32_t payload = left < l->mtu ? (uint32_t)left : l->mtu;
        const lab_ps at = may_send(l, x, payload);
        if (at > l->now && at < x->wake) {
            x->wake = at;
            lab_at(l, at, look_again, x, at);
        }
        if (at > l->now) return;
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
 * Go back to what was not acknowledged, if nothing has been for long: 4 round trips,
 * and not less than 2 ms, or than a round trip behind a full buffer.
 */
static void timeout(lab *l, lab_flow *x, unsigned kind)
{
    const lab_ps full = l->o->buffer_bytes * l->bottleneck->byte_ps_q8 / 256;
    const lab_ps rto =
        rocecc_max(rocecc_max(4 * l->base_rtt, 2 * LAB_MS), l->base_rtt + full);
    if (x->end != 0) return;
    if (x->timer[kind] > 0 && x->acked == x->acked_before && x->sent > x->acked) {
        x->sent = x->acked;
        if (l->s->silence != NULL) l->s->silence(l, x);
        lab_send(l, x);
    }
    x->acked_before = x->acked;
    lab_timer(l, x, kind, rto / 1000, timeout);
}

static void start(lab *l, void *who, uint64_t what)
{
    lab_flow *x = who;
    (void)what;
    x->least_bps = x->least_window_bytes = UINT64_MAX;
    x->wake = LAB_NEVER;
    if (l->s->start != NULL) l->s->start(l, x);
    timeout(l, x, TIMEOUT);
    lab_send(l, x);
}

/* ---- hosts */

/* Data at its receiver: in order it is taken; of a gap the first packet is a NAK. */
static void data_came(lab *l, lab_flow *x, lab_packet *p, const rocecc_bth *bth)
{
    const uint32_t expected = (uint32_t)((x->got + l->mtu - 1) / l->mtu);
    const uint32_t ahead = (bth->psn - expected) & 0xffffff;
    rocecc_aeth aeth = {0, 0};
    lab_packet *ack;
    rocecc_writer w;
    uint8_t *b;
    if (ahead == 0) {
        x->got += p->payload - ROCECC_ICRC_BYTES;
        x->nak = false;
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
    if (l->s->received != NULL) l->s->received(l, x, p, ack);
    seal(ack);
    lab_enqueue(l, &x->to->port[0], LAB_CONTROL, ack);
}

static void ack_came(lab *l, lab_flow *x, const lab_packet *p, const rocecc_bth *bth)
{
    const bool lost = p->b[p->f.bth + ROCECC_BTH_BYTES] >> 5 == SEQUENCE_ERROR >> 5;
    const uint64_t before = (x->acked + l->mtu - 1) / l->mtu;
    const uint64_t more = (bth->psn - before) & 0xffffff; /* 2^23 and up: an old one */
    const uint64_t at = (before + (more < 0x800000 ? more : 0)) * l->mtu;
    const uint64_t bytes = (at < x->bytes ? at : x->bytes) - x->acked;
    x->acked += bytes;
    if (x->sent < x->acked || lost) x->sent = x->acked;
    if (l->s->acked != NULL) l->s->acked(l, x, p, bytes, lost);
    if (x->acked == x->bytes && x->end == 0) {
        x->end = l->now;
        l->unfinished--;
    }
    lab_send(l, x);
}

/* What a fault makes of a notification. False: it is lost. */
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
             (l->o->corrupt_permille == 0 || intact(p))) /* or nothing broke it */
        ack_came(l, x, p, &bth);
    else if (l->s->notice != NULL)
        l->s->notice(l, host, p);
    lab_packet_free(l, p);
}

/* ---- loads */

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static lab_flow *flow_new(lab *l, uint32_t from, uint32_t to, uint64_t bytes, lab_ps at)
{
    lab_flow *x = &l->flow[l->n_flows];
    if (l->n_flows == LAB_FLOWS || from == to || from >= l->n_hosts ||
        to >= l->n_hosts || bytes == 0)
        return NULL;
    x->id = l->n_flows++;
    x->from = l->node[from];
    x->to = l->node[to];
    x->bytes = bytes;
    x->start = at;
    lab_at(l, at, start, x, 0);
    return x;
}

/* Messages as they come: small ones are many, large ones most of the bytes. */
static void churn(lab *l)
{
    static const uint32_t sizes[8] = {1000,  4000,  4000,  16000,
                                      16000, 64000, 64000, 1000000};
    const uint64_t mean =
        l->o->size_bytes != 0 ? l->o->size_bytes : 146125; /* of these */
    /* half of what the bottleneck takes; gaps are drawn evenly up to twice their mean
     */
    const lab_ps gap = rocecc_min(
        mean * UINT64_C(16000000) / (l->o->rate_bps / 1000000), l->o->duration);
    lab_ps at = 0;
    uint32_t i;
    for (i = 0; i < l->o->flows; i++) {
        const uint32_t from = lab_random(l) % l->first_receiver;
        const uint32_t to = l->first_receiver + lab_random(l) % l->n_receivers;
        const uint32_t bytes = sizes[lab_random(l) % 8];
        at += (lab_ps)lab_random(l) * (2 * gap >> 12) >> 20;
        (void)flow_new(l, from, to, l->o->size_bytes != 0 ? l->o->size_bytes : bytes,
                       at);
    }
}

/* A line of: start in us, sender, receiver (each from 0 on), bytes; 0: for ever. */
static bool load_line(lab *l, const char *line)
{
    const uint64_t size = l->o->size_bytes;
    unsigned long long us, from, to, bytes;
    int end = 0;
    return strpbrk(line, "+-") == NULL &&
           sscanf(line, "%llu %llu %llu %llu %n", &us, &from, &to, &bytes, &end) == 4 &&
           line[end] == '\0' && from < l->first_receiver && to < l->n_receivers &&
           us < 100000000 && bytes <= UINT64_C(1000000000000) &&
           flow_new(l, (uint32_t)from, l->first_receiver + (uint32_t)to,
                    size != 0    ? size
                    : bytes != 0 ? bytes
                                 : UINT64_MAX,
                    us * LAB_US) != NULL;
}

static bool load_file(lab *l)
{
    FILE *f = fopen(l->o->load, "r");
    char line[200];
    bool fine = f != NULL, comment = false;
    while (fine && fgets(line, sizeof line, f) != NULL) {
        comment = comment || line[0] == '#';
        fine = comment || line[0] == '\n' || load_line(l, line);
        if (strchr(line, '\n') != NULL) comment = false; /* or it goes on */
        if (!fine) fprintf(stderr, "cclab: %s: no flow: %s", l->o->load, line);
    }
    if (f == NULL) perror(l->o->load);
    if (fine && l->n_flows == 0) fprintf(stderr, "cclab: %s: no flow\n", l->o->load);
    if (f != NULL) (void)fclose(f);
    return fine && l->n_flows > 0;
}

/* One flow a sender, all to the first receiver, or each to its own. */
static void load(lab *l)
{
    const lab_options *o = l->o;
    const bool bursts = is(o->load, "incast");
    const uint64_t bytes = o->size_bytes != 0 ? o->size_bytes
                           : bursts           ? 500000
                                              : UINT64_MAX;
    uint32_t i;
    for (i = 0; i < o->flows; i++) {
        uint32_t to = i % l->n_receivers;
        if (is(o->load, "victim")) to = i == o->flows - 1 ? l->n_receivers - 1 : 0;
        (void)flow_new(l, i % l->first_receiver, l->first_receiver + to, bytes,
                       lab_random(l) % 1000 * 1000);
    }
}

/* ---- a run */

lab *lab_new(const lab_scheme *s, const lab_options *o)
{
    const bool pairs = o->topology == LAB_DUMBBELL || o->topology == LAB_WAN;
    const uint32_t n = o->flows < LAB_SENDERS ? o->flows : LAB_SENDERS;
    lab *l = lab_get(1, sizeof *l);
    bool fine = true;
    l->s = s;
    l->o = o;
    l->random = o->seed;
    l->base_rtt = o->rtt;
    l->nic_bps = l->line_bps = o->line_bps != 0 ? o->line_bps : o->rate_bps;
    l->mtu = o->payload_bytes != 0 ? o->payload_bytes : LAB_MTU;
    l->congested_bytes = 8 * l->mtu;
    lab_build(l, n, pairs ? n : is(o->load, "victim") ? 2 : 1);
    if (s->setup != NULL && !s->setup(l)) {
        fprintf(stderr, "cclab: %s does not take these options\n", s->name);
        fine = false;
    } else if (is(o->load, "churn"))
        churn(l);
    else if (is(o->load, "incast") || is(o->load, "longlived") || is(o->load, "victim"))
        load(l);
    else
        fine = load_file(l);
    l->unfinished = l->n_flows;
    if (fine) lab_measure(l);
    if (fine) lab_trouble_setup(l);
    if (fine) return l;
    lab_free(l);
    return NULL;
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
    free(l->trouble.slot);
    free(l->heap);
    free(l);
}
