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
ROCECC_FN rocecc_flow_control_refusal rocecc_flow_control_init(
    const rocecc_flow_control_config *config, const rocecc_domain *domain)
{
    uint8_t all = 0;
    int i;
    if (rocecc_arn_init(&domain->arn) != ROCECC_ARN_ACCEPTED)
        return ROCECC_FLOW_CONTROL_REFUSED_ARN;
    for (i = 0; i < 64; i++)
        all |= config->class_of[i];
    return all > 7 ? ROCECC_FLOW_CONTROL_REFUSED_CLASS : ROCECC_FLOW_CONTROL_ACCEPTED;
}

/* What an ARN of a requester says, that came in at a port. */
ROCECC_FN rocecc_pause_notice
rocecc_flow_control_arn_load(const rocecc_arn_config *config, const rocecc_arn *arn,
                             const rocecc_pause_requester *requester, uint32_t port)
{
    const uint8_t present = rocecc_arn_present(arn);
    rocecc_pause_notice m;
    m.flow = arn->flow;
    m.from = *requester;
    m.priority = arn->priority;
    m.port = port;
    m.type = arn->type;
    m.pfc = false;
    m.has_flow = (present & ROCECC_ARN_FLOW) != 0;
    m.has_priority = (present & ROCECC_ARN_PRIORITY) != 0;
    m.has_time = (present & ROCECC_ARN_TIME) != 0;
    m.time_ns = m.has_time ? rocecc_arn_time_ns(config, arn->time) : 0;
    return m;
}

/*
 * Writes what the datagram of an ARN carries; the metric is 0. RANGE: a type, flow or
 * priority that config does not have, or a time below its unit (R-ARN-16). SPACE: no
 * room.
 */
ROCECC_FN rocecc_status rocecc_flow_control_arn_emit(rocecc_writer *writer,
                                                     const rocecc_arn_config *config,
                                                     const rocecc_pause_notice *notice)
{
    const uint32_t present = (notice->has_flow ? ROCECC_ARN_FLOW : 0) |
                             (notice->has_priority ? ROCECC_ARN_PRIORITY : 0) |
                             (notice->has_time ? ROCECC_ARN_TIME : 0);
    rocecc_arn h = rocecc_arn_default(config, notice->type, (uint8_t)present);
    if (notice->has_flow) {
        h.flow = notice->flow;
        h.tuple_bytes = rocecc_arn_tuple_bytes(config, &notice->flow);
        if (h.tuple_bytes == 0) return ROCECC_ERR_RANGE;
    }
    h.priority = notice->priority;
    h.time = rocecc_arn_time(config, notice->time_ns);
    if (notice->has_time && notice->time_ns != 0 && h.time == 0)
        return ROCECC_ERR_RANGE;
    return rocecc_arn_emit(writer, config, &h);
}

/*
 * Writes the ARN whole, from the IP header on; datagram is from rocecc_arn_datagram(),
 * and has its addresses. RANGE: as arn_emit() and rocecc_arn_build(). SPACE: no room.
 */
ROCECC_FN rocecc_status rocecc_flow_control_arn_build(rocecc_writer *writer,
                                                      const rocecc_arn_config *config,
                                                      const rocecc_datagram *datagram,
                                                      const rocecc_pause_notice *notice)
{
    rocecc_writer out = *writer;
    rocecc_status status = rocecc_arn_reserve(&out, config, datagram);
    if (status != ROCECC_OK) return status;
    status = rocecc_flow_control_arn_emit(&out, config, notice);
    if (status != ROCECC_OK) return status;
    return rocecc_datagram_emit(writer, datagram, &out);
}

/*
 * What a PFC frame says of a priority, that came in at a port whose link has a rate.
 * NO_MATCH: nothing. RANGE: a priority above 7.
 */
ROCECC_FN rocecc_status rocecc_flow_control_pfc_load(const rocecc_pfc *frame,
                                                     unsigned priority,
                                                     uint64_t rate_bps, uint32_t port,
                                                     rocecc_pause_notice *out)
{
    const rocecc_flow none = {{{0}}, {{0}}, 0, 0, 0};
    const rocecc_pause_requester nobody = {{{0}}, 0};
    uint16_t quanta = 0;
    const rocecc_status status = rocecc_pfc_find(frame, priority, &quanta);
    if (status != ROCECC_OK) return status;
    out->flow = none;
    out->from = nobody;
    out->priority = priority;
    out->port = port;
    out->time_ns = rocecc_pfc_ns(quanta, rate_bps);
    out->type =
        quanta != 0 ? ROCECC_ARN_CONGESTION_DETECTED : ROCECC_ARN_CONGESTION_ELIMINATED;
    out->pfc = true;
    out->has_flow = false;
    out->has_priority = true;
    out->has_time = quanta != 0;
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
ROCECC_FN rocecc_status rocecc_flow_control_pfc_build(rocecc_writer *writer,
                                                      const rocecc_mac *src,
                                                      uint64_t rate_bps,
                                                      const rocecc_pause_notice *notice)
{
    const bool detected = notice->type == ROCECC_ARN_CONGESTION_DETECTED;
    rocecc_pfc h = {*src, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0}};
    if (!notice->has_priority || notice->priority >= ROCECC_PFC_PRIORITIES)
        return ROCECC_ERR_RANGE;
    if (!detected && notice->type != ROCECC_ARN_CONGESTION_ELIMINATED)
        return ROCECC_ERR_RANGE;
    if (detected && !notice->has_time) return ROCECC_ERR_RANGE;
    h.enable = (uint8_t)(1u << notice->priority);
    if (detected) {
        const uint16_t quanta = rocecc_flow_control_quanta_(notice->time_ns, rate_bps);
        if (quanta == 0 && notice->time_ns != 0) return ROCECC_ERR_RANGE;
        h.quanta[notice->priority] = quanta;
    }
    return rocecc_pfc_build(writer, &h);
}

/*
 * What is to be sent, out of traffic's in_port, for an ASK or ASK_RESUME about it. Who
 * sends it says its packet: from is 0, and pfc is how it goes.
 */
ROCECC_FN rocecc_pause_notice rocecc_flow_control_ask(
    const rocecc_pause_params *params, const rocecc_pause_result *result,
    const rocecc_pause_traffic *traffic)
{
    const rocecc_pause_requester nobody = {{{0}}, 0};
    rocecc_pause_notice m;
    m.flow = rocecc_pause_flow(params, traffic);
    m.from = nobody;
    m.pfc = result->pfc;
    m.priority = result->pfc ? traffic->pfc_class : traffic->priority;
    m.port = traffic->in_port;
    m.time_ns = result->what == ROCECC_PAUSE_ASK ? result->time_ns : 0;
    m.type = result->what == ROCECC_PAUSE_ASK ? ROCECC_ARN_CONGESTION_DETECTED
                                              : ROCECC_ARN_CONGESTION_ELIMINATED;
    m.has_priority = result->pfc || params->mode >= ROCECC_PAUSE_PRIORITY;
    m.has_flow = !m.has_priority;
    m.has_time = result->what == ROCECC_PAUSE_ASK;
    return m;
}

/* The DSCP of a packet, in a tunnel the outer one; 0: it is not IP. */
ROCECC_FN uint8_t rocecc_flow_control_dscp_(const rocecc_packet *packet)
{
    rocecc_ip ip;
    ip.dscp = 0;
    (void)rocecc_packet_ip(packet, rocecc_packet_outermost(packet), &ip);
    return ip.dscp;
}

/* The priority of its outermost VLAN tag, or 0. */
ROCECC_FN uint8_t rocecc_flow_control_pcp_(const rocecc_packet *packet)
{
    rocecc_reader r;
    const uint8_t *b;
    if (packet->headers.n_vlan == 0) return 0;
    r = rocecc_packet_vlan(packet, 0);
    b = rocecc_take(&r, 1);
    return b != NULL ? (uint8_t)(*b >> 5) : 0;
}

/*
 * The priority and the class of PFC of a packet, of any kind: a fragment, and
 * what is not IP, has them as well, and in priority mode no 5-tuple is needed.
 */
ROCECC_FN void rocecc_flow_control_priority(const rocecc_flow_control_config *config,
                                            const rocecc_packet *packet,
                                            rocecc_pause_traffic *traffic)
{
    const uint8_t dscp = rocecc_flow_control_dscp_(packet);
    const bool by_dscp = packet->domain->arn.priority == ROCECC_ARN_PRIORITY_DSCP;
    traffic->pfc_class = rocecc_flow_control_pcp_(packet);
    if (config->trust_dscp && rocecc_packet_outermost(packet)->version != 0)
        traffic->pfc_class = config->class_of[dscp & 63] & 7;
    traffic->priority = by_dscp ? dscp : traffic->pfc_class;
}

/*
 * A packet as traffic that may be held: its 5-tuples, its priority, and whether it is a
 * CNP or an ARN, which is never held (R-ARN-14). Other control traffic, such as that of
 * routing protocols, is the host's to tell. Of a tunnel that hides what is inside, the
 * inner flow is the outer one. Fails as rocecc_packet_outer_flow(): what has no 5-tuple
 * still has a priority. out->in_pfc is false, out->bytes and out->held_ns 0: whether
 * the neighbour at in_port has PFC alone, and what waits here for how long, is the
 * host's to say.
 */
ROCECC_FN rocecc_status rocecc_flow_control_traffic(
    const rocecc_flow_control_config *config, const rocecc_packet *packet,
    uint32_t in_port, uint32_t out_port, rocecc_pause_traffic *out)
{
    const rocecc_status status = rocecc_packet_outer_flow(packet, &out->outer);
    if (status != ROCECC_OK) return status;
    if (packet->headers.outer.version == 0 ||
        rocecc_packet_flow(packet, &out->inner) != ROCECC_OK)
        out->inner = out->outer;
    out->in_port = in_port;
    out->out_port = out_port;
    rocecc_flow_control_priority(config, packet, out);
    out->control = rocecc_cnp_match(packet) || rocecc_arn_match(packet);
    out->in_pfc = false;
    out->bytes = out->held_ns = 0;
    return ROCECC_OK;
}

#endif /* ROCECC_ROLE_FLOW_CONTROL_H */
