/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_QPN_H
#define ROCECC_ROLE_QPN_H

/*
 * qpn.h - a switch that learns QP numbers from connection management (CM), so that
 * congestion_point.h can write a standard CNP. Such a CNP goes to the QP that sends the
 * flow, but the flow's packets do not contain this QP's number.
 * draft-yu-tsvwg-l3qcn-00, 3.2.1, step 5 (R-L3-14).
 *
 *     rocecc_qpn_learn(&c, &s, &p, &q);                  for each received packet
 *
 *     e.has_qpn = rocecc_qpn_lookup(&c, &p, &q, &e.qpn); for a congested packet
 *     rocecc_congestion_point_step(..., &p, &e, &w);     R-L3-14: a CNP to that QP
 *
 * Example: QP 0x12 of 10.0.0.1 is connected to QP 0x34 of 10.0.0.2, and this switch has
 * received their REQ, REP and RTU. A WRITE to QP 0x34 of 10.0.0.2 arrives at a
 * congested queue. lookup() finds 0x12, and the CNP goes to QP 0x12 of 10.0.0.1.
 *
 * The switch learns only from complete packets between two hosts that the access list
 * permits. The packets must not be in a tunnel or have a Routing header. A switch that
 * has not received all three messages (REQ, REP and RTU) does not know the QP.
 * congestion_point.h then gives the reason NEEDS_QPN and marks the packet.
 * guard/qpnlearner.h explains which messages the switch trusts.
 *
 * The caller must check the parameters with rocecc_qpnlearner_init(), and empty the
 * slots with rocecc_qpnlearner_start(). Before it calls learn(), the caller must limit
 * the rate of CM messages from each port. lookup() must not run while another thread
 * runs learn().
 */
#include "../guard/acl.h"
#include "../guard/qpnlearner.h"
#include "../packet/arrival.h"
#include "../packet/cm.h"

typedef enum rocecc_qpn_verdict {
    ROCECC_QPN_OTHER = 0,         /* not a REQ, REP, RTU or DREQ for QP 1 */
    ROCECC_QPN_LEARNED,           /* passed to the table; table_count has the outcome */
    ROCECC_QPN_MALFORMED,         /* for QP 1, but with a wrong length or PadCnt, or cut
                                     off by the capture */
    ROCECC_QPN_UNSUPPORTED,       /* TVer not 0, another CM version, RD, or XRC */
    ROCECC_QPN_UNEXPECTED_TUNNEL, /* IP in IP, or a Routing header */
    ROCECC_QPN_BAD_ADDRESS,       /* an address is not a host's, or is ::ffff:a.b.c.d in
                                     IPv6, or both addresses are equal */
    ROCECC_QPN_ACCESS_DENIED,     /* the list denies at least one host */
    ROCECC_QPN_VERDICTS           /* number of verdicts */
} rocecc_qpn_verdict;

/* State of one switch. It contains no pointer. Its initial state is all 0. */
typedef struct rocecc_qpn {
    uint64_t count[ROCECC_QPN_VERDICTS];
    uint64_t table_count[ROCECC_QPNLEARNER_LEARNINGS]; /* LEARNED, by outcome */
} rocecc_qpn;

/* Data that the caller supplies with one received packet. */
typedef struct rocecc_qpn_event {
    uint64_t now_ns;
    const rocecc_acl *access;      /* hosts to learn from; none if empty or NULL */
    rocecc_qpnlearner_slot *half;  /* params->half slots */
    rocecc_qpnlearner_slot *known; /* params->known slots */
} rocecc_qpn_event;

ROCECC_FN bool rocecc_qpn_permits_(const rocecc_acl *list, const rocecc_ip6 *host)
{
    return list != NULL && rocecc_acl_lookup(list, host).permit;
}

/*
 * Checks the two hosts of a CM message. Writes their addresses to *message only if the
 * verdict is LEARNED.
 */
ROCECC_FN rocecc_qpn_verdict rocecc_qpn_check_hosts_(const rocecc_packet *packet,
                                                     const rocecc_qpn_event *event,
                                                     rocecc_qpnlearner_message *message)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_ip ip;
    if (f->outer.version != 0 || f->ip.routing != 0)
        return ROCECC_QPN_UNEXPECTED_TUNNEL;
    if (rocecc_packet_ip(packet, &f->ip, &ip) != ROCECC_OK) return ROCECC_QPN_MALFORMED;
    if (rocecc_ip6_match(&ip.src, &ip.dst) ||
        !rocecc_arrival_is_host_(ip.version, &ip.src) ||
        !rocecc_arrival_is_host_(ip.version, &ip.dst))
        return ROCECC_QPN_BAD_ADDRESS;
    if (!rocecc_qpn_permits_(event->access, &ip.src) ||
        !rocecc_qpn_permits_(event->access, &ip.dst))
        return ROCECC_QPN_ACCESS_DENIED;
    message->src = ip.src;
    message->dst = ip.dst;
    return ROCECC_QPN_LEARNED;
}

/*
 * Reads the CM message in a packet, and checks the message's two hosts against the
 * event's list. This is the first half of learn(). Returns LEARNED and writes *out if
 * the second half, rocecc_qpnlearner_learn(), may learn from the message. Otherwise
 * *out is unchanged. Returns OTHER if the packet is not a REQ, REP, RTU or DREQ from QP
 * 1 to QP 1 with the right Q_Key, or if it is a fragment or trimmed. TVer is checked
 * before Q_Key and SrcQP. PadCnt, the length and the end of the capture are checked
 * after Q_Key and SrcQP, but before the message kind. UNEXPECTED_TUNNEL, BAD_ADDRESS
 * and ACCESS_DENIED are checked last, in this order.
 */
ROCECC_FN rocecc_qpn_verdict rocecc_qpn_find(const rocecc_packet *packet,
                                             const rocecc_qpn_event *event,
                                             rocecc_qpnlearner_message *out)
{
    rocecc_cm cm = ROCECC_ZERO;
    const rocecc_status status = rocecc_cm_find(packet, &cm);
    rocecc_qpn_verdict verdict;
    if (status == ROCECC_NO_MATCH) return ROCECC_QPN_OTHER;
    if (status != ROCECC_OK)
        return status == ROCECC_ERR_UNSUPPORTED ? ROCECC_QPN_UNSUPPORTED
                                                : ROCECC_QPN_MALFORMED;
    verdict = rocecc_qpn_check_hosts_(packet, event, out);
    if (verdict != ROCECC_QPN_LEARNED) return verdict;
    out->kind = cm.attribute == ROCECC_CM_REQ   ? ROCECC_QPNLEARNER_REQ
                : cm.attribute == ROCECC_CM_REP ? ROCECC_QPNLEARNER_REP
                : cm.attribute == ROCECC_CM_RTU ? ROCECC_QPNLEARNER_RTU
                                                : ROCECC_QPNLEARNER_DREQ;
    out->src_id = cm.local_id;
    out->dst_id = cm.remote_id;
    out->qpn = cm.qpn;
    return ROCECC_QPN_LEARNED;
}

/*
 * Learns from a received packet that may be a CM message. Returns and counts the
 * verdict of rocecc_qpn_find(). If the verdict is LEARNED, state->table_count counts
 * the outcome, even if the table did not change. Otherwise the table is unchanged. Does
 * not check the ICRC. The switch must forward the packet in any case.
 */
ROCECC_FN rocecc_qpn_verdict rocecc_qpn_learn(const rocecc_qpnlearner_params *params,
                                              rocecc_qpn *state,
                                              const rocecc_packet *packet,
                                              const rocecc_qpn_event *event)
{
    rocecc_qpnlearner_message m = ROCECC_ZERO;
    const rocecc_qpn_verdict verdict = rocecc_qpn_find(packet, event, &m);
    state->count[verdict]++;
    if (verdict == ROCECC_QPN_LEARNED)
        state->table_count[rocecc_qpnlearner_learn(params, event->half, event->known,
                                                   &m, event->now_ns)]++;
    return verdict;
}

/*
 * Looks up the QP that sends a packet's flow, to set has_qpn and qpn in a
 * rocecc_congestion_event. For IP in IP, the flow is the inner packet's flow. Returns
 * true and writes the QP number to *out if the table contains this number. Returns
 * false if the flow's entry is missing, expired or in dispute. Also returns
 * false if the packet is not RoCEv2, is a fragment or trimmed, or has an unreadable IP
 * header or BTH. In all these cases *out is unchanged. Reads only now_ns and known from
 * *event.
 */
ROCECC_FN bool rocecc_qpn_lookup(const rocecc_qpnlearner_params *params,
                                 const rocecc_packet *packet,
                                 const rocecc_qpn_event *event, uint32_t *out)
{
    rocecc_reader r =
        rocecc_subrange(packet->bytes, packet->headers.bth, packet->headers.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_BTH_BYTES);
    rocecc_qpnlearner_flow flow;
    rocecc_ip ip;
    if (packet->headers.kind != ROCECC_PACKET_KIND_ROCEV2 || packet->headers.bth == 0 ||
        b == NULL || rocecc_packet_ip(packet, &packet->headers.ip, &ip) != ROCECC_OK)
        return false;
    flow.src = ip.src;
    flow.dst = ip.dst;
    flow.dst_qpn = rocecc_load32(b + 4) & 0xffffff;
    return rocecc_qpnlearner_lookup(params, event->known, &flow, event->now_ns, out);
}

#endif /* ROCECC_ROLE_QPN_H */
