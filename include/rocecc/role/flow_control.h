/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_FLOW_CONTROL_H
#define ROCECC_ROLE_FLOW_CONTROL_H

/*
 * flow_control.h - precise flow control between its two wires: ARN in the WAN, PFC in
 * a data center, and one notice (guard/pause.h) that either becomes and comes from.
 * draft-hu-rtgwg-rocev2-fcn-00, 4.1.
 *
 *            upstream                                      downstream
 *   ARN  <--arn_emit()--+                             +--arn_load()--  ARN, find()
 *                        ask() <-- queue()   notify() <
 *   PFC  <--pfc_build()-+        guard/pause.h         +--pfc_load()--  PFC
 *
 *   notice     ARN                          PFC
 *   type       Type 1; 2                    time(n) above 0; time(n) 0
 *   flow       5-tuple, bit 0               -
 *   priority   bit 2                        n
 *   time_ns    compression time, bit 3      time(n), of 512 bit times
 *
 * So a gateway between a data center and the WAN (R-ARN-8) makes of a PFC frame an ARN
 * for a priority, and of such an ARN a PFC frame, by load and emit alone, where the
 * priorities of ARNs are those of 802.1p; those of DSCP are no classes of PFC. PFC has
 * no flow: a node whose mode is another than priority ignores it (R-ARN-10), and holds
 * what it stops by a second table, of priority mode, or in its MAC. A time is
 * rounded down where it goes on in an ARN, up in PFC, and one that is not 0 stays so.
 */
#include "../guard/pause.h"
#include "../packet/cnp.h"
#include "../packet/flow.h"
#include "../wire/arn.h"
#include "../wire/pfc.h"

/* What an ARN is, the domain of a packet says. */
typedef struct rocecc_flow_control_config {
    bool gtsm;       /* an ARN has all its 255 hops left: its sender is a neighbour */
    bool trust_dscp; /* the class is class_of its DSCP; else its VLAN tag's */
    uint8_t class_of[64]; /* 0 to 7, of each DSCP */
} rocecc_flow_control_config;

/* Whether a packet is an ARN by its port. */
ROCECC_FN bool rocecc_flow_control_match(const rocecc_packet *p)
{
    rocecc_reader r = rocecc_between(p->bytes, p->where.udp, p->where.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_UDP_BYTES);
    return p->where.kind == ROCECC_KIND_UDP && !rocecc_packet_has_telemetry(p) &&
           b != NULL && rocecc_arn_match(&p->domain->arn, rocecc_load16(b + 2));
}

/*
 * The ARN of a packet; its UDP checksum is the host's to check. NO_MATCH:
 * another packet. RANGE: gtsm, and it has come further than a hop, or in a tunnel.
 * SHORT: it goes beyond p->bytes. Else as rocecc_arn_parse().
 */
ROCECC_FN rocecc_status rocecc_flow_control_find(const rocecc_flow_control_config *c,
                                                 const rocecc_packet *p, rocecc_arn *h)
{
    const rocecc_where *f = &p->where;
    rocecc_ip ip;
    if (!rocecc_flow_control_match(p)) return ROCECC_NO_MATCH;
    if (f->end > p->bytes.end) return ROCECC_ERR_SHORT;
    if (c->gtsm &&
        (f->outer.version != 0 || rocecc_packet_ip(p, &f->ip, &ip) != ROCECC_OK ||
         ip.hop_limit != ROCECC_ARN_HOPS))
        return ROCECC_ERR_RANGE;
    return rocecc_declared(rocecc_arn_parse(
        &p->domain->arn,
        rocecc_between(p->bytes, f->udp + (size_t)ROCECC_UDP_BYTES, f->end), h));
}

/* What an ARN says, that came in at a port. */
ROCECC_FN rocecc_pause_notice rocecc_flow_control_arn_load(const rocecc_arn_config *c,
                                                           const rocecc_arn *h,
                                                           uint32_t port)
{
    const uint8_t present = rocecc_arn_present(h);
    rocecc_pause_notice m;
    m.flow = h->flow;
    m.priority = h->priority;
    m.port = port;
    m.type = h->type;
    m.has_flow = (present & ROCECC_ARN_FLOW) != 0;
    m.has_priority = (present & ROCECC_ARN_PRIORITY) != 0;
    m.has_time = (present & ROCECC_ARN_TIME) != 0;
    m.time_ns = m.has_time ? rocecc_arn_time_ns(c, h->time) : 0;
    return m;
}

/*
 * Writes what the datagram of an ARN carries; the metric is 0.
 * RANGE: a type, flow or priority that c does not have. SPACE: no room.
 */
ROCECC_FN rocecc_status rocecc_flow_control_arn_emit(rocecc_writer *w,
                                                     const rocecc_arn_config *c,
                                                     const rocecc_pause_notice *m)
{
    const uint32_t present = (m->has_flow ? ROCECC_ARN_FLOW : 0) |
                             (m->has_priority ? ROCECC_ARN_PRIORITY : 0) |
                             (m->has_time ? ROCECC_ARN_TIME : 0);
    rocecc_arn h = rocecc_arn_default(c, m->type, (uint8_t)present);
    if (m->has_flow) {
        h.flow = m->flow;
        h.tuple_bytes = rocecc_arn_tuple_bytes(c, &m->flow);
        if (h.tuple_bytes == 0) return ROCECC_ERR_RANGE;
    }
    h.priority = m->priority;
    h.time = rocecc_arn_time(c, m->time_ns);
    return rocecc_arn_emit(w, c, &h);
}

/*
 * What a PFC frame says of a priority, that came in at a port whose link has a rate.
 * NO_MATCH: nothing. RANGE: a priority above 7.
 */
ROCECC_FN rocecc_status rocecc_flow_control_pfc_load(const rocecc_pfc *h,
                                                     unsigned priority,
                                                     uint64_t rate_bps, uint32_t port,
                                                     rocecc_pause_notice *m)
{
    const rocecc_flow none = {{{0}}, {{0}}, 0, 0, 0};
    uint16_t quanta = 0;
    const rocecc_status status = rocecc_pfc_find(h, priority, &quanta);
    if (status != ROCECC_OK) return status;
    m->flow = none;
    m->priority = priority;
    m->port = port;
    m->time_ns = rocecc_pfc_ns(quanta, rate_bps);
    m->type =
        quanta != 0 ? ROCECC_ARN_CONGESTION_DETECTED : ROCECC_ARN_CONGESTION_ELIMINATED;
    m->has_flow = false;
    m->has_priority = true;
    m->has_time = quanta != 0;
    return ROCECC_OK;
}

/*
 * Writes a PFC frame, whole, from a port whose link has a rate. A pause that is longer
 * than PFC can say ends early, unless it is sent again. RANGE: no priority, or one
 * above 7; a failure, or congestion without a time. SPACE: no room for 60 bytes.
 */
ROCECC_FN rocecc_status rocecc_flow_control_pfc_build(rocecc_writer *w,
                                                      const rocecc_mac *src,
                                                      uint64_t rate_bps,
                                                      const rocecc_pause_notice *m)
{
    const bool detected = m->type == ROCECC_ARN_CONGESTION_DETECTED;
    rocecc_pfc h = {*src, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0}};
    if (!m->has_priority || m->priority >= ROCECC_PFC_PRIORITIES)
        return ROCECC_ERR_RANGE;
    if (!detected && m->type != ROCECC_ARN_CONGESTION_ELIMINATED)
        return ROCECC_ERR_RANGE;
    if (detected && !m->has_time) return ROCECC_ERR_RANGE;
    h.enable = (uint8_t)(1u << m->priority);
    if (detected) h.quanta[m->priority] = rocecc_pfc_quanta(m->time_ns, rate_bps);
    return rocecc_pfc_build(w, &h);
}

/* What is to be sent, out of traffic's in_port, for an ASK or ASK_RESUME about it. */
ROCECC_FN rocecc_pause_notice rocecc_flow_control_ask(const rocecc_pause_params *p,
                                                      const rocecc_pause_action *act,
                                                      const rocecc_pause_traffic *x)
{
    rocecc_pause_notice m;
    m.flow = rocecc_pause_flow(p, x);
    m.priority = act->pfc ? x->pfc_class : x->priority;
    m.port = x->in_port;
    m.time_ns = act->what == ROCECC_PAUSE_ASK ? act->time_ns : 0;
    m.type = act->what == ROCECC_PAUSE_ASK ? ROCECC_ARN_CONGESTION_DETECTED
                                           : ROCECC_ARN_CONGESTION_ELIMINATED;
    m.has_priority = act->pfc || p->mode == ROCECC_PAUSE_PRIORITY;
    m.has_flow = !m.has_priority;
    m.has_time = act->what == ROCECC_PAUSE_ASK;
    return m;
}

/* The DSCP of a packet, in a tunnel the outer one; 0: it is not IP. */
ROCECC_FN uint8_t rocecc_flow_control_dscp_(const rocecc_packet *p)
{
    rocecc_ip ip;
    ip.dscp = 0;
    (void)rocecc_packet_ip(p, rocecc_packet_outermost(p), &ip);
    return ip.dscp;
}

/* The priority of its outermost VLAN tag, or 0. */
ROCECC_FN uint8_t rocecc_flow_control_pcp_(const rocecc_packet *p)
{
    rocecc_reader r;
    const uint8_t *b;
    if (p->where.n_vlan == 0) return 0;
    r = rocecc_packet_vlan(p, 0);
    b = rocecc_take(&r, 1);
    return b != NULL ? (uint8_t)(*b >> 5) : 0;
}

/*
 * The priority and the class of PFC of a packet, of any kind: a fragment, and
 * what is not IP, has them as well, and in priority mode no 5-tuple is needed.
 */
ROCECC_FN void rocecc_flow_control_priority(const rocecc_flow_control_config *c,
                                            const rocecc_packet *p,
                                            rocecc_pause_traffic *x)
{
    const uint8_t dscp = rocecc_flow_control_dscp_(p);
    const bool by_dscp = p->domain->arn.priority == ROCECC_ARN_PRIORITY_DSCP;
    x->pfc_class = rocecc_flow_control_pcp_(p);
    if (c->trust_dscp && p->where.ip.version != 0)
        x->pfc_class = c->class_of[dscp & 63] & 7;
    x->priority = by_dscp ? dscp : x->pfc_class;
}

/*
 * A packet as traffic that may be held: its 5-tuples, its priority, and whether
 * it is a CNP or an ARN, which is never held (R-ARN-14). Other control traffic, such as
 * that of routing protocols, is the host's to tell. Of a tunnel that hides what is
 * inside, the inner flow is the outer one. Fails as rocecc_packet_outer_flow(): what
 * has no 5-tuple still has a priority. x->in_pfc is false and x->bytes 0: whether the
 * neighbour at in_port has PFC alone, and what waits here, is the host's to say.
 */
ROCECC_FN rocecc_status rocecc_flow_control_traffic(const rocecc_flow_control_config *c,
                                                    const rocecc_packet *p,
                                                    uint32_t in_port, uint32_t out_port,
                                                    rocecc_pause_traffic *x)
{
    const rocecc_status status = rocecc_packet_outer_flow(p, &x->outer);
    if (status != ROCECC_OK) return status;
    if (p->where.outer.version == 0 || rocecc_packet_flow(p, &x->inner) != ROCECC_OK)
        x->inner = x->outer;
    x->in_port = in_port;
    x->out_port = out_port;
    rocecc_flow_control_priority(c, p, x);
    x->control = rocecc_cnp_match(p) || rocecc_flow_control_match(p);
    x->in_pfc = false;
    x->bytes = 0;
    return ROCECC_OK;
}

#endif /* ROCECC_ROLE_FLOW_CONTROL_H */
