/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_NOTIFICATION_POINT_H
#define ROCECC_ROLE_NOTIFICATION_POINT_H

/*
 * notification_point.h - the receiver of RoCEv2 data. It answers CE-marked packets with
 * CNPs to their sources. IBTA A17.9.3 (CA17-44); DCQCN, SIGCOMM 2015, 3.1.
 *
 *   data packet                       CNP
 *     src  dst  CE  P_Key    ---->      src = its dst, dst = its src, P_Key copied
 *     DestQP = our QP                   DestQP = the sender's QP, from the host
 *
 * The data packet does not carry the sender's QP. The host must look up the peer QP to
 * which its own QP is connected, and pass the peer QP's number in src_qp (FC-24). A
 * gate (cnpgate.h) per QP or per port limits how often CNPs are sent.
 *
 * If `own` and own_congestion are set, unmarked packets are also answered, because the
 * receiver itself is the bottleneck (for example its PCIe bus or receive buffer). NICs
 * also send such CNPs. A measurement found 283 such CNPs per second for each QP,
 * although not one of 670 million packets was marked CE. CE marks and the receiver's
 * own congestion share one gate, and the result's `cause` shows which of these two
 * causes apply.
 */
#include "../guard/cnpgate.h"
#include "../packet/arrival.h"
#include "../packet/build.h"
#include "../packet/cnp.h"

typedef enum rocecc_notification_verdict_ {
    ROCECC_NOTIFICATION_UNMARKED = 0, /* neither CE nor OWN is a cause */
    ROCECC_NOTIFICATION_SENT,         /* a CNP was written */
    ROCECC_NOTIFICATION_HELD,         /* held by the gate; if `arm`, set a timer */
    ROCECC_NOTIFICATION_NOT_DATA,     /* not RoCEv2, a CNP itself, cut off in or before
                                         the BTH, or partial (headers.partial) */
    ROCECC_NOTIFICATION_MULTICAST,  /* multicast destination; A17 defines CNPs only for
                                       unicast */
    ROCECC_NOTIFICATION_BAD_SOURCE, /* the source is not a host's address, or is
                                       ::ffff:a.b.c.d in IPv6 */
    ROCECC_NOTIFICATION_FAILED,     /* rocecc_cnp_build() failed: `writer` is too
                                       small, writer.at is above
                                       ROCECC_PACKET_START_MAX, src_qp has more than 24
                                       bits, or only one address is ::ffff:a.b.c.d */
    ROCECC_NOTIFICATION_VERDICTS    /* number of verdicts */
} ROCECC_IN_8_BITS_(rocecc_notification_verdict);

/*
 * Returns true for SENT and HELD. After SENT, the host must send the CNP in `writer`.
 * After HELD, the host must set the timer if the result's `arm` is set. If `arm` is not
 * set, the host need not do anything.
 */
ROCECC_FN bool rocecc_notification_needs_action(rocecc_notification_verdict verdict)
{
    return verdict == ROCECC_NOTIFICATION_SENT || verdict == ROCECC_NOTIFICATION_HELD;
}

typedef enum rocecc_notification_refusal {
    ROCECC_NOTIFICATION_ACCEPTED = 0,
    ROCECC_NOTIFICATION_REFUSED_GATE, /* rocecc_cnpgate_init() gives the reason */
    ROCECC_NOTIFICATION_REFUSED_CNP   /* hop_limit is 0, or dscp, ecn or flow_label has
                                         more than 6, 2 or 20 bits, respectively */
} rocecc_notification_refusal;

typedef struct rocecc_notification_config {
    rocecc_cnpgate_params gate;
    rocecc_cnp cnp; /* template: rocecc_cnp_default() with a source port; each step sets
                       src, dst, pkey and dest_qp */
    uint8_t own;    /* flag: own_congestion is a cause, too; 0: only CE, as in IBTA */
} rocecc_notification_config;

/* Causes of a CNP, as bits in a set. */
enum {
    ROCECC_NOTIFICATION_CAUSE_CE = 1,  /* the packet is marked */
    ROCECC_NOTIFICATION_CAUSE_OWN = 2, /* the receiver is congested */
    ROCECC_NOTIFICATION_CAUSES = 4     /* number of possible sets */
};

/* Arrival of a packet for one of the host's QPs. */
typedef struct rocecc_notification_event {
    uint64_t now_ns;
    uint32_t src_qp;     /* the sender's QP, the peer of the host's QP: 24 bits */
    bool own_congestion; /* the receiver is the bottleneck */
} rocecc_notification_event;

typedef struct rocecc_notification_result {
    ROCECC_ENUM8_(rocecc_notification_verdict) verdict;
    uint8_t cause;    /* ROCECC_NOTIFICATION_CAUSE_...; 0 if UNMARKED or NOT_DATA */
    bool arm;         /* defer mode: set a timer for wait_ns */
    uint32_t wait_ns; /* time from now_ns until the host must call
                         rocecc_cnpgate_timer() */
    rocecc_cnp cnp;   /* if SENT or HELD: the CNP. If rocecc_cnpgate_timer() sets
                         `send`, the host must write this CNP with rocecc_cnp_build() */
} rocecc_notification_result;

/*
 * Checks a configuration, but does not change it. Returns the first refusal in the
 * order of the enumeration, or ACCEPTED.
 */
ROCECC_FN rocecc_notification_refusal
rocecc_notification_point_init(rocecc_notification_config *config)
{
    if (rocecc_cnpgate_init(&config->gate) != ROCECC_CNPGATE_ACCEPTED)
        return ROCECC_NOTIFICATION_REFUSED_GATE;
    if (config->cnp.hop_limit == 0 || config->cnp.dscp >> 6 != 0 ||
        config->cnp.ecn >> 2 != 0 || config->cnp.flow_label >> 20 != 0)
        return ROCECC_NOTIFICATION_REFUSED_CNP;
    return ROCECC_NOTIFICATION_ACCEPTED;
}

/*
 * Returns true for an IPv6 address in ff00::/8, or an IPv4 address (::ffff:a.b.c.d) in
 * 224.0.0.0/4.
 */
ROCECC_FN bool rocecc_notification_is_multicast_(const rocecc_ip6 *address)
{
    return address->b[0] == 0xff ||
           (rocecc_ip6_is_ip4(address) && address->b[12] >> 4 == 0xe);
}

/*
 * Fills in the addresses and P_Key of the CNP that answers a packet. The caller must
 * set *cause to CAUSE_OWN or 0. CAUSE_CE is added if the packet is marked.
 */
ROCECC_FN rocecc_notification_verdict rocecc_notification_make_cnp_(
    const rocecc_packet *packet, rocecc_cnp *cnp, uint8_t *cause)
{
    const uint8_t own = *cause;
    const rocecc_headers *f = &packet->headers;
    rocecc_reader r = rocecc_subrange(packet->bytes, f->bth, f->end);
    rocecc_bth bth;
    rocecc_ip ip;
    *cause = 0;
    if (f->kind != ROCECC_PACKET_KIND_ROCEV2 || f->bth == 0 || rocecc_cnp_match(packet))
        return ROCECC_NOTIFICATION_NOT_DATA;
    if (rocecc_bth_parse(&r, &bth) != ROCECC_OK ||
        rocecc_packet_ip(packet, &f->ip, &ip) != ROCECC_OK)
        return ROCECC_NOTIFICATION_NOT_DATA;
    cnp->src = ip.dst;
    cnp->dst = ip.src;
    cnp->pkey = bth.pkey;
    *cause = ip.ecn == ROCECC_ECN_CE ? own | ROCECC_NOTIFICATION_CAUSE_CE : own;
    if (*cause == 0) return ROCECC_NOTIFICATION_UNMARKED;
    if (rocecc_notification_is_multicast_(&cnp->src))
        return ROCECC_NOTIFICATION_MULTICAST;
    if (!rocecc_arrival_is_host_(ip.version, &cnp->dst))
        return ROCECC_NOTIFICATION_BAD_SOURCE;
    return ROCECC_NOTIFICATION_SENT;
}

/*
 * Handles the arrival of a packet for a QP. The verdict is the first of NOT_DATA,
 * UNMARKED, MULTICAST, BAD_SOURCE, HELD, FAILED and SENT that applies. If it is SENT, a
 * CNP was written to `writer`, starting with its IP header. After any other verdict,
 * *writer is unchanged. *gate changes only on SENT, or on HELD if the result's `arm` is
 * set.
 *
 * The host must first check that the packet is valid, has a correct ICRC, and is
 * addressed to this host. ECN and the addresses are read from the last IP header before
 * UDP, so a tunnel endpoint must already have merged the outer ECN into that header.
 */
ROCECC_FN rocecc_notification_result rocecc_notification_point_step(
    const rocecc_notification_config *config, rocecc_cnpgate *gate,
    const rocecc_packet *packet, rocecc_notification_event event, rocecc_writer *writer)
{
    rocecc_cnpgate passed = *gate;
    rocecc_cnpgate_result act;
    rocecc_notification_result out;
    out.arm = false;
    out.wait_ns = 0;
    out.cnp = config->cnp;
    out.cnp.dest_qp = event.src_qp;
    out.cause =
        config->own != 0 && event.own_congestion ? ROCECC_NOTIFICATION_CAUSE_OWN : 0;
    out.verdict = rocecc_notification_make_cnp_(packet, &out.cnp, &out.cause);
    if (out.verdict != ROCECC_NOTIFICATION_SENT) return out;
    act = rocecc_cnpgate_ce(&config->gate, &passed, event.now_ns);
    out.arm = act.arm;
    out.wait_ns = act.wait_ns;
    if (!act.send) out.verdict = ROCECC_NOTIFICATION_HELD;
    if (act.send && rocecc_cnp_build(writer, &out.cnp) != ROCECC_OK)
        out.verdict = ROCECC_NOTIFICATION_FAILED;
    if (out.verdict != ROCECC_NOTIFICATION_FAILED) *gate = passed;
    return out;
}

#endif /* ROCECC_ROLE_NOTIFICATION_POINT_H */
