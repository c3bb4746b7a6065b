/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * layer2.c - QCN and pauses. In QCN, switches sample their queues and notify senders,
 * over bridges or by L3QCN over routers. PFC stops the neighbour's whole class, and ARN
 * stops a flow at its source.
 */
#include "layer2.h"

#include "../cctrace/algo.h"

#include <stdlib.h>
#include <string.h>

#define PRIORITY 3 /* of data (DSCP 26) */
#define SLOTS 1024
#define WAITING 8192 /* 5/8 of it is more than LAB_FLOWS */

static const rocecc_cnm_config standard = {0, false, false, false, {{0}}};

/* ---- QCN */

/*
 * Sets the reaction point's parameters. Octets are from IEEE8021-CN-MIB. Its rates and
 * times are for 10 Gb/s, so they are scaled with the speed. In packets, the loop is the
 * same at any speed.
 */
static rocecc_qcn_rp_refusal tune(const lab *l, lab_part *part)
{
    const uint64_t at_10g = UINT64_C(10000000000);
    rocecc_qcn_rp_params tuned = rocecc_qcn_rp_qau(l->nic_bps), *p = &tuned;
    rocecc_qcn_rp_refusal refusal;
    lab_preset(l, part, &algo_qcn_rp, l->nic_bps, p);
    p->ai_bps = p->ai_bps * (l->nic_bps / 1000000) / (at_10g / 1000000);
    p->hai_bps = p->hai_bps * (l->nic_bps / 1000000) / (at_10g / 1000000);
    p->min_bps = p->ai_bps;
    p->time_reset_ns = (uint32_t)(p->time_reset_ns * at_10g / l->nic_bps);
    lab_members(l->o, &algo_qcn_rp, p);
    refusal = rocecc_qcn_rp_init(p);
    part->qcn_rp = tuned;
    return refusal;
}

static bool setup_rp(lab *l, lab_part *part)
{
    const rocecc_qcn_rp_refusal refusal = tune(l, part);
    rocecc_qcn_cp_refusal cp_refusal;
    uint32_t i, k;
    l->qcn_cp = rocecc_qcn_cp_mib();
    lab_preset(l, part, &algo_qcn_cp, l->o->rate_bps, &l->qcn_cp);
    l->qcn_cp.skip_dropped = 1; /* the hook sees only admitted packets */
    lab_members(l->o, &algo_qcn_cp, &l->qcn_cp);
    cp_refusal = rocecc_qcn_cp_init(&l->qcn_cp);
    if (refusal != ROCECC_QCN_RP_ACCEPTED)
        return lab_refuse_member(l, &algo_qcn_rp, refusal, &part->qcn_rp);
    if (cp_refusal != ROCECC_QCN_CP_ACCEPTED)
        return lab_refuse_member(l, &algo_qcn_cp, cp_refusal, &l->qcn_cp);
    for (i = 0; i < l->n_nodes; i++)
        for (k = 0; k < l->node[i]->n_ports; k++)
            l->node[i]->port[k].qcn = rocecc_qcn_cp_start(&l->qcn_cp, lab_random(l));
    return true;
}

static bool setup_qcn(lab *l, lab_part *part)
{
    if (l->routed)
        return lab_refuse(
            l, "routers do not forward CNMs: expected --topology star or dumbbell");
    return setup_rp(l, part);
}

static void start_qcn(lab *l, lab_flow *x)
{
    x->at.qcn = rocecc_qcn_rp_start(&x->part->qcn_rp);
    lab_set(l, x, l->nic_bps, 0);
}

static void act(lab *l, lab_flow *x, rocecc_qcn_rp_action a);

static void timer(lab *l, lab_flow *x, unsigned kind)
{
    (void)kind;
    act(l, x, rocecc_qcn_rp_timer(&x->part->qcn_rp, &x->at.qcn, 0, 0));
}

static void act(lab *l, lab_flow *x, rocecc_qcn_rp_action a)
{
    if (a.rate_bps != x->rate_bps) lab_set(l, x, a.rate_bps, 0);
    if (a.released) x->timer[0]++;
    if (a.timer_ns != 0) lab_timer(l, x, 0, a.timer_ns, timer);
}

/* Applies a new NIC rate to a part's parameters and flows. */
static void relink(lab *l, lab_part *part)
{
    uint32_t i;
    if (tune(l, part) != ROCECC_QCN_RP_ACCEPTED) abort();
    for (i = 0; i < l->n_flows; i++) {
        lab_flow *x = &l->flow[i];
        if (x->part == part) act(l, x, rocecc_qcn_rp_relink(&part->qcn_rp, &x->at.qcn));
    }
}

static void sent_qcn(lab *l, lab_flow *x, uint32_t wire_bytes)
{
    act(l, x, rocecc_qcn_rp_sent(&x->part->qcn_rp, &x->at.qcn, wire_bytes, 0, 0));
}

/* Inserts a CN-TAG after the addresses, with the station's number for the flow. */
static void tag(lab *l, lab_flow *x, lab_packet *p)
{
    const rocecc_cntag h = {(uint16_t)(x->id + 1)};
    rocecc_writer w = lab_room(p);
    (void)l;
    memmove(p->b + 12 + ROCECC_CNTAG_BYTES, p->b + 12, p->n - 12);
    p->n += ROCECC_CNTAG_BYTES;
    w.at = 12;
    (void)rocecc_cntag_emit(&w, &h);
}

/* Runs the reaction point on a CNM to this station for one of its flows. */
static void notice_qcn(lab *l, lab_node *host, lab_packet *p)
{
    rocecc_cnm_config c = standard;
    rocecc_cnm_verdict why;
    rocecc_cnm_frame h;
    lab_flow *x;
    memset(&h, 0, sizeof h);
    c.station = host->mac;
    if (rocecc_cnm_frame_parse(&c, lab_view(p), &h, &why) != ROCECC_OK) return;
    if (h.head.flow_id == 0 || h.head.flow_id > l->n_flows) return;
    x = &l->flow[h.head.flow_id - 1];
    if (x->from != host || x->start > l->now || x->end != 0 || x->part->s->data != tag)
        return;
    act(l, x, rocecc_qcn_rp_cnm(&x->part->qcn_rp, &x->at.qcn, h.cnm.qntz_fb, 0));
    lab_send(l, x);
}

/* Runs a port's congestion point on a data packet. */
static rocecc_qcn_cp_action offer(lab *l, lab_port *port, const lab_packet *p)
{
    rocecc_qcn_cp_event f = {p->n + p->payload, 0, 0, false};
    f.queue_bytes = (uint32_t)port->queue[LAB_DATA].bytes + f.frame_bytes;
    f.random = lab_random(l);
    return rocecc_qcn_cp_offer(&l->qcn_cp, &port->qcn, &f);
}

/* Returns a port's CPID, or 0 above port 8191. No switch of the lab has such a port. */
static uint64_t cpid_of(const lab_port *port)
{
    uint64_t cpid = 0;
    (void)rocecc_cnm_cpid(&port->node->mac, port->index, PRIORITY, &cpid);
    return cpid;
}

static rocecc_cnm_frame cnm_of(const lab_port *port, const lab_packet *p,
                               const rocecc_qcn_cp_action *a)
{
    rocecc_reader cntag = rocecc_subrange(lab_view(p), p->f.cntag, p->n);
    rocecc_cntag sampled = {0};
    rocecc_cnm_frame h;
    memset(&h, 0, sizeof h);
    if (p->f.cntag != 0) (void)rocecc_cntag_parse(&cntag, &sampled);
    h.head.dst = rocecc_mac_load(p->b + 6);
    h.head.src = port->node->mac;
    h.head.tagged = true;
    h.head.flow_id = sampled.flow_id;
    h.cnm.qntz_fb = a->qntz_fb;
    h.cnm.cpid = cpid_of(port);
    h.cnm.q_offset = rocecc_cnm_q_offset(ROCECC_CNM_SIGNS_A, a->offset_bytes);
    h.cnm.q_delta = rocecc_cnm_q_delta(ROCECC_CNM_SIGNS_A, a->delta_bytes);
    h.cnm.encap_priority = PRIORITY;
    h.cnm.encap_dst = rocecc_mac_load(p->b);
    h.cnm.msdu = rocecc_cnm_msdu(
        &standard, rocecc_subrange(lab_view(p), p->f.ip.offset - 2u, p->n),
        ROCECC_CNM_MSDU_MAX_BYTES);
    return h;
}

static bool queue_qcn(lab *l, lab_port *port, lab_packet *p)
{
    rocecc_qcn_cp_action a;
    rocecc_cnm_frame h;
    lab_packet *cnm;
    rocecc_writer w;
    if (!lab_is_data(p)) return true;
    a = offer(l, port, p);
    if (!a.cnm) return true;
    h = cnm_of(port, p, &a);
    cnm = lab_packet_new(l);
    w = lab_room(cnm);
    if (rocecc_cnm_frame_build(&w, &standard, &h) == ROCECC_OK)
        lab_notify(l, port->node, cnm, &w);
    else
        lab_packet_free(l, cnm);
    return true;
}

/* ---- L3QCN */

lab_tor *lab_tor_of(const lab *l, const lab_node *node)
{
    uint32_t i;
    for (i = 0; i < l->n_parts; i++)
        if (l->part[i].s == &lab_l3qcn) return node->own;
    return NULL;
}

static bool has_hosts(const lab_node *node)
{
    uint32_t i;
    for (i = 0; i < node->n_ports; i++)
        if (!node->port[i].peer->node->is_switch) return true;
    return false;
}

static bool setup_tor(const lab *l, lab_node *node)
{
    lab_tor *t = node->own = lab_get(1, sizeof *t);
    t->c = rocecc_l3qcn_tor_default();
    t->c.table.secret[0] = 1;
    t->c.table.secret[1] = node->index;
    t->c.table.buckets = LAB_TOR_BUCKETS;
    t->c.mac = node->mac;
    t->c.check_msdu = true;
    t->c.unlimited = true; /* hosts are trusted, and only switches send CNMs */
    if (rocecc_l3qcn_tor_init(&t->c, &lab_domain, &l->access) !=
        ROCECC_L3QCN_TOR_ACCEPTED)
        return lab_refuse(l, "the ToR refuses its configuration");
    t->memory.bucket = t->bucket;
    t->memory.slot = t->slot;
    t->s = rocecc_l3qcn_tor_start(&t->c, &t->memory);
    return true;
}

/* Makes each switch a congestion point, and each switch with hosts a ToR. Refuses
 * tunnels. */
static bool setup_l3(lab *l, lab_part *part)
{
    rocecc_congestion_config *c = &l->cp;
    uint32_t i;
    c->qcn_priorities = 1 << PRIORITY;
    c->answer = rocecc_opcode_set_data();
    c->l3qcn_outer = rocecc_l3qcn_outer_default(0);
    c->l3qcn_outer.src_port = 0; /* 0: a hash of the flow */
    c->msdu_bytes = ROCECC_CNM_MSDU_MAX_BYTES;
    c->admission.unlimited = true; /* sampling limits them already */
    if (!setup_rp(l, part)) return false;
    if (rocecc_congestion_point_init(c, &lab_domain, &l->hosts) !=
        ROCECC_CONGESTION_ACCEPTED)
        return lab_refuse(l, "the congestion point refuses its configuration");
    for (i = 0; i < l->n_nodes; i++) {
        lab_node *node = l->node[i];
        if (node->other_edge != NULL)
            return lab_refuse(l, "the tunnel of --topology wan hides sampled frames");
        node->congestion = rocecc_congestion_point_start(c, 0);
        if (node->is_switch && has_hosts(node) && !setup_tor(l, node)) return false;
    }
    return true;
}

static rocecc_l3qcn_tor_event event(lab_tor *t, lab *l, lab_packet *p)
{
    rocecc_l3qcn_tor_event e = {0};
    e.admission.now_ns = l->now / 1000;
    e.memory = t->memory;
    e.gate = t->gate;
    e.port = p->in != NULL ? p->in->index : 0; /* 0 for a packet of the ToR itself */
    e.writer = lab_room(p);
    return e;
}

/* Returns true if CN-TAGs end at the ToR. In a star or a dumbbell routers keep the
   tags, so L3QCN is like QCN over bridges. */
static bool tags_end(const lab *l)
{
    return l->o->topology != LAB_STAR && l->o->topology != LAB_DUMBBELL;
}

/* Learns the flow of a host's frame. Removes the CN-TAG if tags end here. Returns true
 * if the frame must be dropped, because its source is spoofed. */
static bool from_host(lab *l, lab_node *at, lab_packet *p)
{
    lab_tor *t = lab_tor_of(l, at);
    const rocecc_packet came = lab_located(p);
    const rocecc_l3qcn_tor_event e = event(t, l, p);
    const rocecc_l3qcn_tor_learn_result what =
        rocecc_l3qcn_tor_learn(&t->c, &t->s, &came, &e);
    if (what.what == ROCECC_L3QCN_TOR_SPOOFED) return true;
    if (!tags_end(l) || p->f.cntag != 12) return false;
    p->n -= ROCECC_CNTAG_BYTES;
    memmove(p->b + 12, p->b + 12 + ROCECC_CNTAG_BYTES, p->n - 12);
    lab_locate(p);
    return false;
}

/* Converts a private CNM to a host into a CNM, or drops it. Returns false for other
 * frames. */
static bool to_host(lab *l, lab_node *at, lab_packet *p)
{
    lab_tor *t = lab_tor_of(l, at);
    const rocecc_packet came = lab_located(p);
    const rocecc_l3qcn_tor_event e = event(t, l, p);
    rocecc_l3qcn_tor_convert_result out;
    lab_packet *cnm;
    rocecc_l3qcn_tor_convert(&t->c, &t->s, &came, &e, &out);
    if (out.verdict != ROCECC_L3QCN_TOR_CONVERTED)
        return out.verdict != ROCECC_L3QCN_TOR_OTHER;
    cnm = lab_packet_new(l);
    cnm->n = (uint32_t)rocecc_left(&out.cnm);
    memcpy(cnm->b, out.cnm.base + out.cnm.at, cnm->n);
    lab_locate(cnm);
    lab_enqueue(l, &at->port[out.port], LAB_CONTROL, cnm);
    return true;
}

/* Returns true if a packet would leave this switch at a host's port. */
static bool is_for_host(lab *l, const lab_node *at, const lab_packet *p)
{
    const uint32_t dst = p->f.ip.offset + 24u;
    const lab_node *to;
    if (at->own == NULL || p->f.ip.version != 6 || p->n < dst + 16) return false;
    to = lab_node_of(l, p->b + dst + 12);
    return to != NULL && !to->is_switch && to->port[0].peer->node == at;
}

static bool arrive_l3(lab *l, lab_node *at, lab_packet *p)
{
    if (at->own != NULL && !p->in->peer->node->is_switch && from_host(l, at, p))
        return true;
    return is_for_host(l, at, p) && to_host(l, at, p);
}

/* Sends a private CNM of this switch, to its own host or towards another ToR. */
static void tell(lab *l, lab_node *from, lab_packet *p, const rocecc_writer *w)
{
    p->n = (uint32_t)w->at;
    lab_locate(p);
    if (is_for_host(l, from, p) && to_host(l, from, p)) {
        l->notifications++;
        lab_packet_free(l, p);
    } else {
        lab_notify(l, from, p, w);
    }
}

static bool queue_l3(lab *l, lab_port *port, lab_packet *p)
{
    const rocecc_packet met = lab_located(p);
    rocecc_cnpgate open = {0, 0, 0};
    rocecc_congestion_event e = {.admission = {l->now / 1000, &l->hosts, NULL, NULL, 0},
                                 .gate = &open,
                                 .priority = PRIORITY};
    rocecc_congestion_result out;
    lab_packet *cnm;
    rocecc_writer w;
    if (!lab_is_data(p)) return true;
    e.qcn = offer(l, port, p);
    e.cpid = cpid_of(port);
    if (!e.qcn.cnm) return true;
    cnm = lab_packet_new(l);
    w = lab_ether(cnm, port->node);
    out = rocecc_congestion_point_step(&l->cp, &port->node->congestion, &met, &e, &w);
    if ((out.outputs & ROCECC_CONGESTION_CNM) != 0)
        tell(l, port->node, cnm, &w);
    else
        lab_packet_free(l, cnm);
    return true;
}

/* ---- stopping */

/* State of a host: flows stopped by ARNs, and the switches that stopped them. */
typedef struct held {
    rocecc_pause table;
    rocecc_traffic_slot slot[SLOTS];
    rocecc_pause_holders who[SLOTS];
    uint32_t has[LAB_NODES];
    rocecc_arn_gate gate;
} held;

/*
 * State of a switch: waiting bytes, requests, and the last traffic of each port (PFC)
 * or flow (ARN).
 */
typedef struct asker {
    rocecc_ask table;
    rocecc_traffic_slot slot[SLOTS];
    rocecc_backlog waiting;
    rocecc_traffic_slot counted[WAITING];
    rocecc_pause_traffic of[];
} asker;

static bool setup_stop(lab *l, uint8_t mode, size_t keys)
{
    rocecc_pause_refusal refusal;
    uint32_t i;
    l->pause = rocecc_pause_lab(mode);
    lab_members(l->o, &algo_pause, &l->pause);
    l->pause.hash_key[0] = 1;
    l->pause.requesters = LAB_NODES; /* by node number */
    l->pause.max_slots_per_requester = LAB_FLOWS;
    l->flow_control.trust_dscp = true;
    for (i = 0; i < 64; i++)
        l->flow_control.class_of[i] = (uint8_t)(i >> 3);
    refusal = rocecc_pause_init(&l->pause);
    if (refusal != ROCECC_PAUSE_ACCEPTED)
        return lab_refuse_member(l, &algo_pause, refusal, &l->pause);
    if (rocecc_flow_control_init(&l->flow_control, &lab_domain) !=
        ROCECC_FLOW_CONTROL_ACCEPTED)
        return lab_refuse(l, "flow control refuses its configuration");
    for (i = 0; i < l->n_nodes; i++) {
        asker *a;
        held *h;
        if (l->node[i]->is_switch) {
            a = l->node[i]->own = lab_get(1, sizeof *a + keys * sizeof a->of[0]);
            a->table = rocecc_ask_start(SLOTS);
            a->waiting = rocecc_backlog_start(WAITING);
        } else {
            h = l->node[i]->own = lab_get(1, sizeof *h);
            h->table = rocecc_pause_start(SLOTS);
            h->gate = rocecc_arn_gate_start(&l->arn_gate, 0);
        }
    }
    return true;
}

static bool setup_pfc(lab *l, lab_part *part)
{
    (void)part;
    return setup_stop(l, ROCECC_PAUSE_CLASS, LAB_NODES);
}

/* Sets up ARN. Hosts accept ARNs only from switches, at any number of hops. */
static bool setup_arn(lab *l, lab_part *part)
{
    const rocecc_arn_gate_config gate = {.any_hops = true,
                                         .admission = {.unlimited = true}};
    (void)part;
    l->arn_gate = gate;
    if (rocecc_arn_gate_init(&l->arn_gate, &lab_domain, &l->access) !=
        ROCECC_ARN_GATE_ACCEPTED)
        return false;
    return setup_stop(l, ROCECC_PAUSE_FLOW, LAB_FLOWS);
}

/* Sends an ARN to the source of the flow. */
static void send_arn(lab *l, lab_node *from, const rocecc_pause_notice *m)
{
    rocecc_datagram d = rocecc_arn_datagram(&lab_domain.arn, 0);
    lab_packet *p = lab_packet_new(l);
    rocecc_writer w = lab_ether(p, from);
    d.src = from->ip;
    d.dst = m->flow.src;
    d.src_port = m->flow.src_port;
    if (rocecc_flow_control_arn_build(&w, &lab_domain.arn, &d, m) != ROCECC_OK) abort();
    lab_notify(l, from, p, &w);
}

static void look(lab *l, void *who, uint64_t key);

/* Sends a PFC frame to a port's neighbour. */
static void send_pfc(lab *l, lab_port *port, const rocecc_pause_notice *m)
{
    lab_packet *p = lab_packet_new(l);
    rocecc_writer w = lab_room(p);
    if (rocecc_flow_control_pfc_build(&w, &port->node->mac, port->rate_bps, m)) abort();
    p->n = (uint32_t)w.at;
    lab_locate(p);
    l->notifications++;
    lab_enqueue(l, port, LAB_CONTROL, p);
}

/* Asks the source of waiting traffic to stop or resume, if that is due. */
static void ask(lab *l, lab_node *node, uint32_t key)
{
    asker *s = node->own;
    const rocecc_pause_traffic *x = &s->of[key];
    const rocecc_pause_result a =
        rocecc_ask_queue(&l->pause, &s->table, s->slot, x, l->now / 1000);
    rocecc_pause_notice m;
    if (a.arm) lab_at(l, l->now + a.wait_ns * 1000, look, node, key);
    if (a.what != ROCECC_PAUSE_ASK && a.what != ROCECC_PAUSE_ASK_RESUME) return;
    m = rocecc_flow_control_ask(&l->pause, &a, x);
    if (a.pfc)
        send_pfc(l, &node->port[key], &m);
    else
        send_arn(l, node, &m);
}

static void look(lab *l, void *who, uint64_t key)
{
    ask(l, who, (uint32_t)key);
}

/* Finds the number of the port or flow that a data packet counts for. Returns false if
 * the packet counts for none. */
static bool key_of(lab *l, const lab_packet *p, uint32_t *key)
{
    const lab_flow *x = p->in != NULL ? lab_flow_of(l, p) : NULL;
    if (x == NULL) return false;
    *key = l->pause.mode == ROCECC_PAUSE_CLASS ? p->in->index : x->id;
    return true;
}

static bool queue_stop(lab *l, lab_port *port, lab_packet *p)
{
    const rocecc_packet met = lab_located(p);
    asker *s = port->node->own;
    rocecc_backlog_result came;
    uint32_t key;
    p->counted = ROCECC_PAUSE_NONE;
    if (!key_of(l, p, &key) ||
        rocecc_flow_control_traffic(&l->flow_control, &met, p->in->index, port->index,
                                    &s->of[key]) != ROCECC_OK)
        return true;
    came = rocecc_backlog_add(&l->pause, &s->waiting, s->counted, &s->of[key],
                              p->n + p->payload);
    p->counted = came.slot;
    s->of[key].bytes = came.bytes;
    ask(l, port->node, key);
    return true;
}

static void leave_stop(lab *l, lab_port *port, lab_packet *p)
{
    asker *s = port->node->own;
    uint32_t key;
    if (!key_of(l, p, &key)) return;
    s->of[key].bytes =
        rocecc_backlog_sub(&s->waiting, s->counted, p->counted, p->n + p->payload);
    ask(l, port->node, key);
}

/* Applies a PFC frame to the port at which it arrived. Returns false for other
 * frames. */
static bool stop_port(lab *l, lab_port *port, const lab_packet *p)
{
    rocecc_reader r = lab_view(p);
    rocecc_pause_notice m;
    rocecc_pfc h;
    if (rocecc_pfc_parse(&r, &h) != ROCECC_OK) return false;
    if (rocecc_flow_control_pfc_load(&h, PRIORITY, port->rate_bps, 0, &m) == ROCECC_OK)
        lab_pause(l, port, LAB_DATA, l->now + m.time_ns * 1000);
    return true;
}

static bool arrive_pfc(lab *l, lab_node *at, lab_packet *p)
{
    (void)at;
    return stop_port(l, p->in, p);
}

static void notice_pfc(lab *l, lab_node *host, lab_packet *p)
{
    (void)stop_port(l, &host->port[0], p);
}

static void data_arn(lab *l, lab_flow *x, lab_packet *p)
{
    const rocecc_packet sent = lab_located(p);
    (void)l;
    if (x->at.arn.tuple.proto == 0) (void)rocecc_packet_flow(&sent, &x->at.arn.tuple);
}

/* Applies an ARN to its flow, which stops as long as any requester asks. */
static void stop_flow(lab *l, lab_flow *x, const rocecc_pause_result *a)
{
    const held *h = x->from->own;
    rocecc_pause_traffic sent;
    memset(&sent, 0, sizeof sent);
    sent.inner = x->at.arn.tuple;
    x->paused = l->now +
                rocecc_pause_packet(&l->pause, &h->table, h->slot, &sent, l->now / 1000)
                        .time_ns *
                    1000;
    x->from->port[0].count.pauses += a->what == ROCECC_PAUSE_HOLD;
    lab_send(l, x);
}

/* Returns the host's flow with this tuple, or NULL. */
static lab_flow *flow_told(lab *l, const lab_node *host, const rocecc_flow *tuple)
{
    uint32_t i;
    for (i = 0; i < l->n_flows; i++)
        if (l->flow[i].from == host && l->flow[i].at.arn.tuple.proto != 0 &&
            rocecc_flow_match(&l->flow[i].at.arn.tuple, tuple))
            return &l->flow[i];
    return NULL;
}

/* Handles an ARN from a switch of the domain. The switch's node number is the
 * requester's tag. */
static void notice_arn(lab *l, lab_node *host, lab_packet *p)
{
    const rocecc_packet came = lab_located(p);
    const rocecc_admission_event e = {l->now / 1000, &l->access, NULL, NULL, 0};
    held *g = host->own;
    const rocecc_pause_memory memory = {g->slot, g->who, g->has};
    rocecc_arn_gate_result what;
    rocecc_pause_requester from;
    rocecc_pause_notice m;
    rocecc_pause_result a;
    lab_flow *x;
    rocecc_arn_gate_step(&l->arn_gate, &g->gate, &came, &e, &what);
    if (what.verdict != ROCECC_ARN_GATE_TAKEN) return;
    from.node = what.src;
    from.tag = rocecc_load32(what.src.b + 12);
    m = rocecc_flow_control_arn_load(&lab_domain.arn, &what.arn, &from, 0);
    x = flow_told(l, host, &m.flow);
    if (x == NULL) return;
    a = rocecc_pause_notify(&l->pause, &g->table, &memory, &m, l->now / 1000);
    stop_flow(l, x, &a);
}

const lab_scheme lab_qcn = {.name = "qcn",
                            .what = "QCN: CNMs from bridges",
                            .bridged = true,
                            .setup = setup_qcn,
                            .start = start_qcn,
                            .data = tag,
                            .sent = sent_qcn,
                            .notice = notice_qcn,
                            .queue = queue_qcn,
                            .relink = relink};
const lab_scheme lab_l3qcn = {.name = "l3qcn",
                              .what = "QCN: the ToR converts private CNMs",
                              .own_memory = true,
                              .setup = setup_l3,
                              .start = start_qcn,
                              .data = tag,
                              .sent = sent_qcn,
                              .notice = notice_qcn,
                              .arrive = arrive_l3,
                              .queue = queue_l3,
                              .relink = relink};
const lab_scheme lab_pfc = {.name = "pfc",
                            .what = "no rates: PFC stops the neighbour",
                            .own_memory = true,
                            .setup = setup_pfc,
                            .notice = notice_pfc,
                            .arrive = arrive_pfc,
                            .queue = queue_stop,
                            .leave = leave_stop};
const lab_scheme lab_arn = {.name = "arn",
                            .what = "no rates: ARN stops the flow",
                            .own_memory = true,
                            .setup = setup_arn,
                            .data = data_arn,
                            .notice = notice_arn,
                            .queue = queue_stop,
                            .leave = leave_stop};
