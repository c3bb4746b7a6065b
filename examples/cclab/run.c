/* SPDX-License-Identifier: BSD-2-Clause */

/* run.c - topologies, hosts that send and acknowledge, switches that forward. */
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

static const rocecc_ip6 base = {{0x20, 1, 0x0d, 0xb8}};

/* ---- nodes and addresses */

static lab_node *node_new(lab *l, bool is_switch)
{
    lab_node *node = lab_get(1, sizeof *node);
    if (l->n_nodes == LAB_NODES) abort();
    node->port = lab_get(is_switch ? LAB_NODES : 1, sizeof *node->port);
    node->is_switch = is_switch;
    if (is_switch) {
        node->route = lab_get(LAB_NODES, sizeof *node->route);
        node->n_routes = lab_get(LAB_NODES, 1);
    }
    node->index = l->n_nodes;
    node->mac.b[0] = 2;
    rocecc_store32(node->mac.b + 2, node->index);
    node->ip = base;
    node->ip.b[5] = is_switch; /* 2001:db8:1::/48 is the switches' */
    rocecc_store32(node->ip.b + 12, node->index);
    l->node[l->n_nodes++] = node;
    if (!is_switch) l->n_hosts = l->n_nodes;
    return node;
}

lab_node *lab_node_of(lab *l, const uint8_t *last32)
{
    const uint32_t i = rocecc_load32(last32);
    return i < l->n_nodes ? l->node[i] : NULL;
}

/* Of an edge: where tunnels of data end, and END.CON, where Fast CNPs come. */
static rocecc_ip6 sid_of(const lab_node *edge, uint8_t which)
{
    rocecc_ip6 sid = edge->ip;
    sid.b[7] = which;
    return sid;
}
#define SID_DATA 1
#define SID_END_CON 2

rocecc_writer lab_ether(lab_packet *p, const lab_node *from)
{
    rocecc_ether h = {{{0}}, {{0}}, ROCECC_TYPE_IPV6};
    rocecc_writer w = lab_room(p);
    h.src = from->mac;
    if (!from->is_switch) h.dst = from->port[0].peer->node->mac;
    (void)rocecc_ether_emit(&w, &h);
    return w;
}

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
    rocecc_reader r = rocecc_between(lab_view(p), p->f.bth, p->n);
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
    rocecc_writer w = roce(p, x, false, DATA, (uint32_t)(x->sent / LAB_MTU), payload);
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
        const uint32_t payload = left < LAB_MTU ? (uint32_t)left : LAB_MTU;
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
    const uint32_t expected = (uint32_t)((x->got + LAB_MTU - 1) / LAB_MTU);
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
    w = roce(ack, x, true, ACK, (uint32_t)((x->got + LAB_MTU - 1) / LAB_MTU),
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
    const uint64_t before = (x->acked + LAB_MTU - 1) / LAB_MTU;
    const uint64_t more = (bth->psn - before) & 0xffffff; /* 2^23 and up: an old one */
    const uint64_t at = (before + (more < 0x800000 ? more : 0)) * LAB_MTU;
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

static void host_receive(lab *l, lab_node *host, lab_packet *p)
{
    rocecc_reader b = rocecc_between(lab_view(p), p->f.bth, p->n);
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

/* ---- switches */

/* Headers of n bytes in front of a packet's IP header; fewer than 0: those go. */
static uint8_t *shift(lab_packet *p, int n)
{
    uint8_t *ip = p->b + ROCECC_ETHER_BYTES;
    const size_t rest = p->n - ROCECC_ETHER_BYTES;
    if ((int)p->n + n > LAB_HEAD_BYTES) abort();
    if (n < 0)
        memmove(ip, ip - n, rest - (size_t)-n);
    else
        memmove(ip + n, ip, rest);
    p->n = (uint32_t)((int)p->n + n);
    return ip;
}

/*
 * Ingress, as rocecc_srv6_pe_encapsulate() does for a packet that is all there: outer
 * headers towards the other edge, in front of one whose payload is a length.
 */
static void into_tunnel(const lab_node *edge, lab_packet *p)
{
    const rocecc_ip6 end_con = sid_of(edge, SID_END_CON),
                     sid = sid_of(edge->other_edge, SID_DATA);
    rocecc_reader inner = rocecc_between(lab_view(p), p->f.ip.at, p->n);
    rocecc_srv6 tunnel;
    rocecc_writer w;
    rocecc_ipv46 ip;
    uint8_t *at;
    if (rocecc_ipv46_parse(inner, &ip) != ROCECC_OK || ip.hops <= 1 ||
        rocecc_srv6_init(&tunnel, &end_con, rocecc_reader_of(sid.b, sid.b + 16), false))
        return;
    tunnel.outer.dscp = ip.dscp;
    tunnel.outer.ecn = (uint8_t)rocecc_ecntunnel_encapsulate(ROCECC_ECNTUNNEL_NORMAL,
                                                             (rocecc_ecn)ip.ecn);
    tunnel.outer.flow_label = rocecc_load16(p->b + p->f.udp);
    tunnel.ip = ip;
    at = shift(p, (int)rocecc_srv6_bytes(&tunnel));
    w = rocecc_writer_of(at, p->b + p->n);
    if (rocecc_srv6_emit(&w, &tunnel) != ROCECC_OK ||
        rocecc_ipv46_patch(w, (rocecc_ecn)ip.ecn, (uint8_t)(ip.hops - 1)) != ROCECC_OK)
        abort();
    lab_locate(p);
}

/* What comes to one of the edge's own SIDs is decapsulated; false: and dropped. */
static bool out_of_tunnel(lab *l, const lab_node *edge, lab_packet *p)
{
    const rocecc_ip6 sid = sid_of(edge, SID_DATA);
    const rocecc_packet came = lab_located(p);
    rocecc_srv6_pe_config c;
    rocecc_srv6_pe out;
    memset(&c, 0, sizeof c);
    c.end_con = sid_of(edge, SID_END_CON);
    c.mode = ROCECC_ECNTUNNEL_NORMAL;
    rocecc_srv6_pe_egress(&sid, &came, lab_room(p), &out);
    if (out.verdict == ROCECC_SRV6_PE_OTHER)
        rocecc_srv6_pe_end_con(&c, &l->access, &came, lab_room(p), &out);
    if (out.verdict == ROCECC_SRV6_PE_OTHER) return true;
    if (out.verdict != ROCECC_SRV6_PE_FORWARD) return false;
    (void)shift(p, ROCECC_ETHER_BYTES - (int)out.tunnel.inner.at);
    lab_locate(p);
    return true;
}

/* The IP header that nodes on the way go by. */
static const rocecc_where_ip *outermost(const lab_packet *p)
{
    return p->f.outer.version != 0 ? &p->f.outer : &p->f.ip;
}

/* The outermost IPv6 header's, or for a bridge the MAC's. */
static lab_node *destination(lab *l, const lab_packet *p)
{
    const rocecc_where_ip *ip = outermost(p);
    if (ip->version == 6 && p->n >= (uint32_t)ip->at + ROCECC_IPV6_BYTES)
        return lab_node_of(l, p->b + ip->at + 36);
    return l->routed || p->n < 6 ? NULL : lab_node_of(l, p->b + 2);
}

static unsigned class_of(const lab_packet *p)
{
    const rocecc_where_ip *ip = outermost(p);
    const uint8_t *b = p->b + ip->at;
    if (ip->version != 6) return LAB_CONTROL;
    return ((b[0] & 0xf) << 2 | b[1] >> 6) >= 48 ? LAB_CONTROL : LAB_DATA;
}

/* One of the ports of equal cost, by the flow. */
static lab_port *next_port(lab_node *from, const lab_node *to, const lab_packet *p)
{
    const uint32_t n = from->n_routes[to->index];
    uint32_t hash = p->f.udp != 0 ? rocecc_load16(p->b + p->f.udp) : 0;
    hash = (hash ^ hash >> 7) * 0x85ebca6bu >> 13;
    return n == 0 ? NULL : &from->port[from->route[to->index][hash % n]];
}

/* What a router does to the headers. False: no hop is left. */
static bool route(const lab_port *port, lab_packet *p)
{
    const rocecc_where_ip *ip = outermost(p);
    rocecc_mac_store(p->b, &port->peer->node->mac);
    rocecc_mac_store(p->b + 6, &port->node->mac);
    if (p->in == NULL) return true;
    return --p->b[ip->at + 7] != 0;
}

rocecc_ecn lab_ecn(const lab_packet *p)
{
    return (rocecc_ecn)(p->b[outermost(p)->at + 1] >> 4 & 3);
}

uint8_t lab_wred(lab *l, const lab_port *port, const lab_packet *p)
{
    const uint64_t bytes = port->queue[LAB_DATA].bytes + p->n + p->payload;
    if (!lab_is_data(p)) return ROCECC_WRED_PASS;
    return (uint8_t)rocecc_wred_decide(&l->wred, (uint32_t)bytes, lab_ecn(p),
                                       lab_random(l));
}

bool lab_wred_queue(lab *l, lab_port *port, lab_packet *p)
{
    const rocecc_packet met = lab_located(p);
    const uint8_t verdict = lab_wred(l, port, p);
    if (verdict == ROCECC_WRED_MARK && rocecc_congestion_point_mark(&met, lab_room(p)))
        port->count.marks++;
    return verdict != ROCECC_WRED_DROP;
}

/* Into a port's queue, or not. */
static bool admit(lab *l, lab_port *port, lab_packet *p)
{
    return lab_queued(port) + p->n + p->payload <= l->o->buffer_bytes &&
           (l->s->queue == NULL || l->s->queue(l, port, p));
}

/* Whether a host sent it with an address that is not the host's. */
static bool is_spoofed(const lab_packet *p)
{
    const lab_node *from = p->in != NULL ? p->in->peer->node : NULL;
    return from != NULL && !from->is_switch && p->f.ip.version == 6 &&
           memcmp(p->b + p->f.ip.at + 8, from->ip.b, 16) != 0;
}

static void switch_forward(lab *l, lab_node *from, lab_packet *p)
{
    lab_node *to = NULL;
    lab_port *port = NULL;
    const bool filtered = !l->o->unfiltered && !l->o->open;
    if (filtered && is_spoofed(p))
        l->spoofed++;
    else if (from->other_edge == NULL || out_of_tunnel(l, from, p))
        to = destination(l, p);
    if (to != NULL) port = next_port(from, to, p);
    if (port != NULL && from->other_edge != NULL && port->peer->node->is_switch &&
        p->f.outer.version == 0)
        into_tunnel(from, p);
    if (port == NULL || (l->routed && !route(port, p))) {
        lab_packet_free(l, p);
    } else if (!admit(l, port, p)) {
        port->count.drops++;
        lab_packet_free(l, p);
    } else {
        lab_enqueue(l, port, class_of(p), p);
    }
}

void lab_forward(lab *l, lab_node *from, lab_packet *p)
{
    lab_locate(p);
    if (from->is_switch)
        switch_forward(l, from, p);
    else
        lab_enqueue(l, &from->port[0], class_of(p), p);
}

void lab_notify(lab *l, lab_node *from, lab_packet *p, const rocecc_writer *w)
{
    p->n = (uint32_t)w->at;
    p->in = NULL;
    l->notifications++;
    lab_forward(l, from, p);
}

void lab_receive(lab *l, lab_node *node, lab_packet *p)
{
    if (!node->is_switch)
        host_receive(l, node, p);
    else if (l->s->arrive != NULL && l->s->arrive(l, node, p))
        lab_packet_free(l, p);
    else
        switch_forward(l, node, p);
}

/* ---- topologies */

/* Every shortest way to a node: outwards from it, through switches. */
static void routes_to(lab *l, uint32_t to)
{
    uint32_t far[LAB_NODES], queue[LAB_NODES], n = 1, i, k;
    memset(far, 0xff, sizeof far);
    far[to] = 0;
    queue[0] = to;
    for (i = 0; i < n; i++) {
        const lab_node *at = l->node[queue[i]];
        for (k = 0; k < at->n_ports; k++) {
            lab_node *next = at->port[k].peer->node;
            uint8_t *count = next->is_switch ? &next->n_routes[to] : NULL;
            if (!next->is_switch) continue;
            if (far[next->index] == UINT32_MAX) {
                far[next->index] = far[at->index] + 1;
                queue[n++] = next->index;
            }
            if (far[next->index] == far[at->index] + 1 && *count < LAB_ROUTES)
                next->route[to][(*count)++] = (uint8_t)at->port[k].peer->index;
        }
    }
}

/* The port of one node towards another one. */
static lab_port *port_to(lab_node *from, const lab_node *to)
{
    uint32_t i;
    for (i = 0; i < from->n_ports; i++)
        if (from->port[i].peer->node == to) return &from->port[i];
    return NULL;
}

/*
 * Senders are the first nodes, then receivers, one host that may forge, and switches.
 */
static void build(lab *l, uint32_t senders, uint32_t receivers)
{
    const lab_options *o = l->o;
    const char *t = o->topology;
    const uint32_t n = senders + receivers;
    lab_node *sw[6];
    uint32_t i;
    for (i = 0; i < n; i++)
        (void)node_new(l, false);
    l->attacker = node_new(l, false);
    l->first_receiver = senders;
    l->n_receivers = receivers;
    for (i = 0; i < 6; i++)
        sw[i] = node_new(l, true);
    if (t[0] == 's') { /* star */
        for (i = 0; i < n; i++)
            lab_link(l->node[i], sw[0], o->rate_bps, o->rtt / 4);
        l->bottleneck = port_to(sw[0], l->node[senders]);
    } else if (t[0] == 'd') { /* dumbbell: all share one link */
        for (i = 0; i < n; i++)
            lab_link(l->node[i], sw[i < senders ? 0 : 1], o->rate_bps, o->rtt / 6);
        lab_link(sw[0], sw[1], o->rate_bps, o->rtt / 6);
        l->bottleneck = port_to(sw[0], sw[1]);
    } else if (t[0] == 'c') { /* senders at three leaves, receivers at another one */
        for (i = 0; i < n; i++)
            lab_link(l->node[i], sw[i < senders ? i % 3 : 3], o->rate_bps, o->rtt / 8);
        for (i = 0; i < 8; i++)
            lab_link(sw[i % 4], sw[4 + i / 4], 4 * o->rate_bps, o->rtt / 8);
        l->bottleneck = port_to(sw[3], l->node[senders]);
        l->routed = true;
    } else { /* wan: PE, P, P, PE; a P is congested, near the senders */
        for (i = 0; i < n; i++)
            lab_link(l->node[i], sw[i < senders ? 0 : 3], o->rate_bps, o->rtt / 1000);
        lab_link(sw[0], sw[1], 2 * senders * o->rate_bps, o->rtt / 16);
        lab_link(sw[1], sw[2], o->rate_bps, o->rtt / 4);
        lab_link(sw[2], sw[3], 2 * senders * o->rate_bps,
                 o->rtt / 2 - o->rtt / 16 - o->rtt / 4 - o->rtt / 500);
        l->bottleneck = port_to(sw[1], sw[2]);
        sw[0]->other_edge = sw[3];
        sw[3]->other_edge = sw[0];
        l->routed = true;
    }
    lab_link(l->attacker, sw[0], o->rate_bps, o->rtt / 1000);
    for (i = 0; i < l->n_nodes; i++)
        routes_to(l, i);
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

/* Lines of: start in us, sender, receiver (each from 0 on), bytes; 0: for ever. */
static bool load_file(lab *l)
{
    FILE *f = fopen(l->o->load, "r");
    unsigned long long us, bytes;
    unsigned from, to;
    char line[200];
    bool fine = f != NULL;
    while (fine && fgets(line, sizeof line, f) != NULL) {
        if (line[0] == '#' || line[0] == '\n') continue;
        fine = sscanf(line, "%llu %u %u %llu", &us, &from, &to, &bytes) == 4 &&
               from < l->first_receiver && to < l->n_receivers && us < 100000000 &&
               flow_new(l, from, l->first_receiver + to,
                        bytes != 0 ? bytes : UINT64_MAX, us * LAB_US) != NULL;
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

/* The domain: its switches, or if senders are open anybody. */
static void domain(lab *l)
{
    uint32_t at;
    l->access_entry[0].prefix = base;
    l->access_entry[0].prefix.b[5] = l->o->open ? 0 : 1;
    l->access_entry[0].length = l->o->open ? 32 : 48;
    l->access_entry[0].permit = 1;
    if (rocecc_acl_init(&l->access, l->access_entry, 1, &at) != ROCECC_ACL_ACCEPTED)
        abort();
}

lab *lab_new(const lab_scheme *s, const lab_options *o)
{
    const bool pairs = o->topology[0] == 'd' || o->topology[0] == 'w';
    const uint32_t n = o->flows < LAB_SENDERS ? o->flows : LAB_SENDERS;
    lab *l = lab_get(1, sizeof *l);
    bool fine = true;
    l->s = s;
    l->o = o;
    l->random = o->seed;
    l->base_rtt = o->rtt;
    l->congested_bytes = 8 * LAB_MTU;
    build(l, n, pairs ? n : is(o->load, "victim") ? 2 : 1);
    domain(l);
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
    free(l->heap);
    free(l);
}
