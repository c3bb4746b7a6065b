/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_FLOW_CONTROL_H
#define ROCECC_ROLE_FLOW_CONTROL_H

/*
 * flow_control.h - converts precise flow control between two wire formats, ARN in a WAN
 * and PFC in a data centre. The intermediate form is a notice (guard/pause.h).
 * draft-hu-rtgwg-rocev2-fcn-00, 4.1.
 *
 *            upstream                                      downstream
 *   ARN  <--arn_build()-+                             +--arn_load()--  ARN, arn_gate.h
 *                        ask() <-- queue()   notify() <
 *   PFC  <--pfc_build()-+    guard/ask.h  pause.h      +--pfc_load()--  PFC
 *
 *   notice     ARN                          PFC
 *   type       Type                         1 if time(n) is above 0, else 2
 *   flow       5-tuple, bit 0               -
 *   priority   bit 2                        n
 *   time_ns    compression time, bit 3      time(n), in units of 512 bit times
 *
 * A gateway between a data centre and the WAN (R-ARN-8) needs only the load and build
 * functions. Its ARNs must carry 802.1p priorities, because DSCP priorities are not PFC
 * classes. The traffic that PFC stops is held by the MAC, or by the caller with a
 * separate pause.h table in class mode (ROCECC_PAUSE_CLASS). ARNs never take a slot in
 * that table (P-9).
 *
 * The emit and build functions round a time down to the wire format's unit, so that no
 * traffic is held for longer than the notice says (R-ARN-16). They return RANGE if the
 * time of a pause is above 0 but would be rounded to 0, because a time of 0 means
 * resume.
 */
#include "../guard/ask.h"
#include "../packet/arn.h"
#include "../packet/cnp.h"
#include "../packet/flow.h"
#include "../wire/pfc.h"

/* Configuration of this role. The domain defines the ARN format (domain.arn). */
typedef struct rocecc_flow_control_config {
    bool trust_dscp;      /* classify IP packets by DSCP, not by VLAN tag */
    uint8_t class_of[64]; /* PFC class of each DSCP: 0 to 7 */
} rocecc_flow_control_config;

typedef enum rocecc_flow_control_refusal {
    ROCECC_FLOW_CONTROL_ACCEPTED = 0,
    ROCECC_FLOW_CONTROL_REFUSED_ARN,  /* rocecc_arn_init() rejects domain->arn */
    ROCECC_FLOW_CONTROL_REFUSED_CLASS /* an entry of class_of is above 7 */
} rocecc_flow_control_refusal;

/*
 * Checks a domain's ARN format (REFUSED_ARN), and then class_of (REFUSED_CLASS). Makes
 * these checks even if the domain has no ARN port or trust_dscp is not set. The caller
 * must call this function once, and must also call rocecc_domain_init().
 */
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

/*
 * Returns the notice for an ARN that `requester` sent and that arrived at `port`.
 * time_ns is rounded up to a whole ns, and is 0 if the ARN has no time. flow is valid
 * only if has_flow is set, and priority is valid only if has_priority is set. The
 * notice does not contain the metric, the path identifier or unknown parameters.
 */
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
 * Writes a notice as the UDP payload of an ARN, with version 1 and metric 0. A time
 * above 2^32 - 1 units is cut to 2^32 - 1 units. Returns RANGE if rocecc_arn_init()
 * rejects config, or if config does not allow version 1, the flow or the priority. Also
 * returns RANGE if the notice's type is not 1 to 4, or if its time is above 0 but below
 * one unit. Otherwise returns SPACE if the writer is too small. On failure the writer
 * does not move.
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
 * Writes a notice as a complete ARN packet, starting with the IP header. `datagram`
 * must come from rocecc_arn_datagram(), and the caller must set its addresses. Returns
 * RANGE if config has no port or `datagram` has a different destination port, if a
 * value in `datagram` is too large for its field, or if only one of the datagram's
 * addresses is IPv4. Otherwise returns SPACE if the headers do not fit, or else the
 * status of rocecc_flow_control_arn_emit(). On failure the writer does not move.
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
 * Converts the time of one priority in a PFC frame to a notice. `port` is the port at
 * which the frame arrived, and rate_bps is this port's link rate. A time above 0 gives
 * the type "congestion detected" with this time, rounded up to a whole ns. If rate_bps
 * is 0, the time becomes 2^64 - 1 ns instead. A time of 0 gives the type "congestion
 * eliminated" without a time. out->from is set to 0. Returns NO_MATCH if the frame does
 * not enable the priority, and RANGE if the priority is above 7. On failure *out is
 * unchanged.
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

/*
 * Returns the largest number of quanta, up to 65535, that take at most `ns` nanoseconds
 * (R-ARN-16). At rates above 512 Gbit/s, the result can be smaller than this number.
 * The pause then ends less than 1 ns too early.
 */
ROCECC_FN uint16_t rocecc_flow_control_quanta_(uint64_t ns, uint64_t rate_bps)
{
    const uint16_t quanta = rocecc_pfc_quanta(ns, rate_bps);
    return rocecc_pfc_ns(quanta, rate_bps) <= ns ? quanta : (uint16_t)(quanta - 1);
}

/*
 * Writes a notice as a complete PFC frame of 60 bytes. `src` is the MAC address of the
 * sending port, and rate_bps is this port's link rate. A notice of the type "congestion
 * eliminated", or of the type "congestion detected" with a time of 0, is written as 0
 * quanta, which resumes the priority. A time above 65535 quanta is cut to 65535 quanta,
 * so the pause ends early unless the caller sends the frame again.
 *
 * Returns RANGE if the notice has no priority or a priority above 7, or if its type is
 * neither "congestion detected" nor "congestion eliminated". If the type is "congestion
 * detected", also returns RANGE if the time is missing, or is above 0 but below one
 * quantum. Otherwise returns SPACE if 60 bytes do not fit. On failure the writer does
 * not move.
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
 * Returns the notice for an ASK (congestion detected) or ASK_RESUME (congestion
 * eliminated) from rocecc_ask_queue(). The caller must not pass other results, because
 * this function would treat them as an ASK_RESUME. The caller must send the notice out
 * of traffic->in_port, as a PFC frame if the notice's `pfc` is set, or else as an ARN.
 * The notice contains the PFC class if `pfc` is set. Otherwise it contains the priority
 * in priority mode, the outer flow in service mode, or the inner flow in flow mode. The
 * notice's `from` is 0.
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

/* Returns the DSCP in the outermost IP header, or 0 if no IP header can be read. */
ROCECC_FN uint8_t rocecc_flow_control_dscp_(const rocecc_packet *packet)
{
    rocecc_ip ip;
    ip.dscp = 0;
    (void)rocecc_packet_ip(packet, rocecc_packet_outermost(packet), &ip);
    return ip.dscp;
}

/* Returns the priority in the outermost VLAN tag, or 0 if no tag can be read. */
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
 * Writes a packet's priority and PFC class to *traffic, and leaves the other members
 * unchanged. If trust_dscp is set and the packet is IP, class_of[] gives the class for
 * the outermost DSCP. Otherwise the class is the priority in the outermost VLAN tag, or
 * 0 if the packet has no tag. If the domain's arn.priority is ROCECC_ARN_PRIORITY_DSCP,
 * the priority is the outermost DSCP, or 0 if the packet is not IP. Otherwise the
 * priority equals the class.
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
 * Describes a packet as traffic that may be held. Writes all members of *out, but sets
 * bytes and held_ns to 0 and in_pfc to false. Before calling rocecc_ask_queue(), the
 * caller must set bytes and held_ns, and must set in_pfc if the neighbour at in_port
 * supports only PFC. Sets `control` to true for a CNP, a Fast CNP or an ARN, even in an
 * IP tunnel, because these packets are never held (R-ARN-14). The caller must set
 * `control` for other control traffic, for example routing protocols. If the inner
 * 5-tuple is missing or unreadable, the inner flow equals the outer flow.
 *
 * If the packet has no readable 5-tuple, returns NO_MATCH, SHORT or FORMAT from
 * rocecc_packet_outer_flow(). In this case *out is unchanged, but
 * rocecc_flow_control_priority() still gives the priority.
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
