/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_QPN_H
#define ROCECC_ROLE_QPN_H

/*
 * qpn.h - a switch that listens to connection management, so that congestion_point.h
 * can write a standard CNP: to the QP that sends, which no packet of a flow names.
 * draft-yu-tsvwg-l3qcn-00, 3.2.1, step 5 (R-L3-14).
 *
 *     rocecc_qpn_learn(&c, &s, &p, &q);                  each packet that comes
 *
 *     e.has_qpn = rocecc_qpn_lookup(&c, &p, &q, &e.qpn); one that met a full queue
 *     rocecc_congestion_point_step(..., &p, &e, &w);     R-L3-14: a CNP to that QP
 *
 * Example: 10.0.0.1 and 10.0.0.2 have connected QP 0x12 and QP 0x34, and this switch
 * has seen REQ, REP and RTU. A WRITE to QP 0x34 of 10.0.0.2 meets a full queue:
 * lookup() says 0x12, and the CNP goes to QP 0x12 of 10.0.0.1.
 *
 * It learns from what one listed host sends to another, whole, in no tunnel, with no
 * Routing header. All else does nothing; a fragment shows no BTH. A node that has not
 * seen all three messages knows nothing: NEEDS_QPN, and the packet is marked. How often
 * a port may ask is for the host to limit before; see guard/qpnlearner.h for what is
 * believed.
 */
#include "../guard/acl.h"
#include "../guard/qpnlearner.h"
#include "../packet/cm.h"

typedef enum rocecc_qpn_verdict {
    ROCECC_QPN_OTHER = 0,   /* nothing of connection management that is learned from */
    ROCECC_QPN_LEARNED,     /* it was: table_count says what came of it */
    ROCECC_QPN_MALFORMED,   /* for QP 1, and not what it has to be */
    ROCECC_QPN_UNSUPPORTED, /* another version; RD, XRC */
    ROCECC_QPN_UNEXPECTED_TUNNEL, /* in one, or with a Routing header */
    ROCECC_QPN_BAD_ADDRESS,   /* from or to what is no host's address, or to itself */
    ROCECC_QPN_ACCESS_DENIED, /* one of the two is not on the list */
    ROCECC_QPN_VERDICTS       /* how many there are */
} rocecc_qpn_verdict;

/* One of a switch: no pointer in it. All 0 is one that has seen nothing. */
typedef struct rocecc_qpn {
    uint64_t count[ROCECC_QPN_VERDICTS];
    uint64_t table_count[ROCECC_QPNLEARNER_LEARNINGS]; /* of LEARNED */
} rocecc_qpn;

/* A packet came, and what the host keeps for this. */
typedef struct rocecc_qpn_event {
    uint64_t now_ns;
    const rocecc_acl *access; /* hosts that may be listened to; empty or NULL: nobody */
    rocecc_qpnlearner_slot *half;  /* c->half slots */
    rocecc_qpnlearner_slot *known; /* c->known slots */
} rocecc_qpn_event;

/* Whether a list permits a host. */
ROCECC_FN bool rocecc_qpn_permits_(const rocecc_acl *list, const rocecc_ip6 *host)
{
    return list != NULL && rocecc_acl_lookup(list, host).permit;
}

/* Who speaks to whom: LEARNED, or why nobody listens. */
ROCECC_FN rocecc_qpn_verdict rocecc_qpn_check_hosts_(const rocecc_packet *packet,
                                                     const rocecc_qpn_event *event,
                                                     rocecc_qpnlearner_message *message)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_ip ip;
    if (f->outer.version != 0 || f->ip.routing != 0)
        return ROCECC_QPN_UNEXPECTED_TUNNEL;
    if (rocecc_packet_ip(packet, &f->ip, &ip) != ROCECC_OK) return ROCECC_QPN_MALFORMED;
    if (rocecc_ip6_match(&ip.src, &ip.dst) || !rocecc_ip6_is_host(&ip.src) ||
        !rocecc_ip6_is_host(&ip.dst))
        return ROCECC_QPN_BAD_ADDRESS;
    if (!rocecc_qpn_permits_(event->access, &ip.src) ||
        !rocecc_qpn_permits_(event->access, &ip.dst))
        return ROCECC_QPN_ACCESS_DENIED;
    message->src = ip.src;
    message->dst = ip.dst;
    return ROCECC_QPN_LEARNED;
}

/*
 * The first half of learn(): what a packet says, and of whom. Writes *out where that is
 * LEARNED; rocecc_qpnlearner_learn() is the other half.
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
 * A packet came, in which there may be a message of connection management. It goes on
 * its way, whatever this says of it.
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
 * The QP that sends a packet's flow, for has_qpn and qpn of a rocecc_congestion_event.
 * false: not known, or the packet is no RoCEv2; *out is as it was. Writes nothing else.
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
