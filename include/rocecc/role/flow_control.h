/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_FLOW_CONTROL_H
#define ROCECC_ROLE_FLOW_CONTROL_H

/*
 * flow_control.h - precise flow control between its two wires: ARN in the WAN, PFC in
 * a data center, and one notice (guard/pause.h) that either becomes and comes from.
 * draft-hu-rtgwg-rocev2-fcn-00, 4.1.
 *
 *            upstream                                      downstream
 *   ARN  <--arn_build()-+                             +--arn_load()--  ARN, arn_gate.h
 *                        ask() <-- queue()   notify() <
 *   PFC  <--pfc_build()-+    guard/ask.h  pause.h      +--pfc_load()--  PFC
 *
 *   notice     ARN                          PFC
 *   type       Type 1; 2                    time(n) above 0; time(n) 0
 *   flow       5-tuple, bit 0               -
 *   priority   bit 2                        n
 *   time_ns    compression time, bit 3      time(n), of 512 bit times
 *
 * So a gateway between a data center and the WAN (R-ARN-8) makes of a PFC frame an ARN
 * for a priority, and of such an ARN a PFC frame, by load and emit alone, where the
 * priorities of ARNs are those of 802.1p; those of DSCP are no classes of PFC. What PFC
 * stops is held by a table of class mode, or in the MAC: no ARN has a slot there (P-9).
 * A time goes on rounded down, so that nobody is held for longer than was said
 * (R-ARN-16); what is then 0 and was not, which would resume, is not sent: RANGE.
 */
#include "../guard/ask.h"
#include "../packet/arn.h"
#include "../packet/cnp.h"
#include "../packet/flow.h"
#include "../wire/pfc.h"

/* What an ARN is, the domain of a packet says. */
typedef struct rocecc_flow_control_config {
    bool trust_dscp;      /* the class is class_of its DSCP; else its VLAN tag's */
    uint8_t class_of[64]; /* 0 to 7, of each DSCP */
} rocecc_flow_control_config;

typedef enum rocecc_flow_control_refusal {
    ROCECC_FLOW_CONTROL_ACCEPTED = 0,
    ROCECC_FLOW_CONTROL_REFUSED_ARN,  /* the domain's: rocecc_arn_init() says why */
    ROCECC_FLOW_CONTROL_REFUSED_CLASS /* one of class_of is above 7 */
} rocecc_flow_control_refusal;

/* Checks both, once; the domain is also rocecc_domain_init()'s. */
ROCECC_FN rocecc_flow_control_refusal
rocecc_flow_control_init(const rocecc_flow_control_config *c, const rocecc_domain *d)
{
    uint8_t all = 0;
    int i;
    if (rocecc_arn_init(&d->arn) != ROCECC_ARN_ACCEPTED)
        return ROCECC_FLOW_CONTROL_REFUSED_ARN;
    for (i = 0; i < 64; i++)
        all |= c->class_of[i];
    return all > 7 ? ROCECC_FLOW_CONTROL_REFUSED_CLASS : ROCECC_FLOW_CONTROL_ACCEPTED;
}

/* What an ARN of an asker says, that came in at a port. */
ROCECC_FN rocecc_pause_notice
rocecc_flow_control_arn_load(const rocecc_arn_config *c, const rocecc_arn *h,
                             const rocecc_pause_asker *from, uint32_t port)
{
    const uint8_t present = rocecc_arn_present(h);
    rocecc_pause_notice m;
    m.flow = h->flow;
    m.from = *from;
    m.priority = h->priority;
    m.port = port;
    m.type = h->type;
    m.pfc = false;
    m.has_flow = (present & ROCECC_ARN_FLOW) != 0;
    m.has_priority = (present & ROCECC_ARN_PRIORITY) != 0;
    m.has_time = (present & ROCECC_ARN_TIME) != 0;
    m.time_ns = m.has_time ? rocecc_arn_time_ns(c, h->time) : 0;
    return m;
}

/*
 * Writes what the datagram of an ARN carries; the metric is 0. RANGE: a type, flow or
 * priority that c does not have, or a time below its unit (R-ARN-16). SPACE: no room.
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
    if (m->has_time && m->time_ns != 0 && h.time == 0) return ROCECC_ERR_RANGE;
    return rocecc_arn_emit(w, c, &h);
}

/*
 * Writes the ARN whole, from the IP header on; d is from rocecc_arn_datagram(), and has
 * its addresses. RANGE: as arn_emit() and rocecc_arn_build(). SPACE: no room.
 */
ROCECC_FN rocecc_status rocecc_flow_control_arn_build(rocecc_writer *w,
                                                      const rocecc_arn_config *c,
                                                      const rocecc_datagram *d,
                                                      const rocecc_pause_notice *m)
{
    rocecc_writer out = *w;
    rocecc_status status = rocecc_arn_reserve(&out, c, d);
    if (status != ROCECC_OK) return status;
    status = rocecc_flow_control_arn_emit(&out, c, m);
    if (status != ROCECC_OK) return status;
    return rocecc_datagram_emit(w, d, &out);
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
    const rocecc_pause_asker nobody = {{{0}}, 0};
    uint16_t quanta = 0;
    const rocecc_status status = rocecc_pfc_find(h, priority, &quanta);
    if (status != ROCECC_OK) return status;
    m->flow = none;
    m->from = nobody;
    m->priority = priority;
    m->port = port;
    m->time_ns = rocecc_pfc_ns(quanta, rate_bps);
    m->type =
        quanta != 0 ? ROCECC_ARN_CONGESTION_DETECTED : ROCECC_ARN_CONGESTION_ELIMINATED;
    m->pfc = true;
    m->has_flow = false;
    m->has_priority = true;
    m->has_time = quanta != 0;
    return ROCECC_OK;
}

/* The most quanta that are over within ns; 0 unless there are any: R-ARN-16. */
ROCECC_FN uint16_t rocecc_flow_control_quanta_(uint64_t ns, uint64_t rate_bps)
{
    const uint16_t quanta = rocecc_pfc_quanta(ns, rate_bps);
    return rocecc_pfc_ns(quanta, rate_bps) <= ns ? quanta : (uint16_t)(quanta - 1);
}

/*
 * Writes a PFC frame, whole, from a port whose link has a rate. A pause that is longer
 * than PFC can say ends early, unless it is sent again. RANGE: no priority, or one
 * above 7; a failure, congestion without a time, or for less than a quantum. SPACE: no
 * room for 60 bytes.
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
    if (detected) {
        const uint16_t quanta = rocecc_flow_control_quanta_(m->time_ns, rate_bps);
        if (quanta == 0 && m->time_ns != 0) return ROCECC_ERR_RANGE;
        h.quanta[m->priority] = quanta;
    }
    return rocecc_pfc_build(w, &h);
}

/*
 * What is to be sent, out of traffic's in_port, for an ASK or ASK_RESUME about it. Who
 * sends it says its packet: from is 0, and pfc is how it goes.
 */
ROCECC_FN rocecc_pause_notice rocecc_flow_control_ask(const rocecc_pause_params *p,
                                                      const rocecc_pause_action *act,
                                                      const rocecc_pause_traffic *x)
{
    const rocecc_pause_asker nobody = {{{0}}, 0};
    rocecc_pause_notice m;
    m.flow = rocecc_pause_flow(p, x);
    m.from = nobody;
    m.pfc = act->pfc;
    m.priority = act->pfc ? x->pfc_class : x->priority;
    m.port = x->in_port;
    m.time_ns = act->what == ROCECC_PAUSE_ASK ? act->time_ns : 0;
    m.type = act->what == ROCECC_PAUSE_ASK ? ROCECC_ARN_CONGESTION_DETECTED
                                           : ROCECC_ARN_CONGESTION_ELIMINATED;
    m.has_priority = act->pfc || p->mode >= ROCECC_PAUSE_PRIORITY;
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
    if (c->trust_dscp && rocecc_packet_outermost(p)->version != 0)
        x->pfc_class = c->class_of[dscp & 63] & 7;
    x->priority = by_dscp ? dscp : x->pfc_class;
}

/*
 * A packet as traffic that may be held: its 5-tuples, its priority, and whether
 * it is a CNP or an ARN, which is never held (R-ARN-14). Other control traffic, such as
 * that of routing protocols, is the host's to tell. Of a tunnel that hides what is
 * inside, the inner flow is the outer one. Fails as rocecc_packet_outer_flow(): what
 * has no 5-tuple still has a priority. x->in_pfc is false, x->bytes and x->held_ns 0:
 * whether the neighbour at in_port has PFC alone, and what waits here for how long, is
 * the host's to say.
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
    x->control = rocecc_cnp_match(p) || rocecc_arn_match(p);
    x->in_pfc = false;
    x->bytes = x->held_ns = 0;
    return ROCECC_OK;
}

#endif /* ROCECC_ROLE_FLOW_CONTROL_H */
