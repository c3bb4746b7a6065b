/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_NOTIFICATION_POINT_H
#define ROCECC_ROLE_NOTIFICATION_POINT_H

/*
 * notification_point.h - the receiver of RoCEv2 data: a packet that was marked CE is
 * answered with a CNP to its source. IBTA A17.9.3 (CA17-44); DCQCN, SIGCOMM 2015, 3.1.
 *
 *   data packet                       CNP
 *     src  dst  CE  P_Key    ---->      src = its dst, dst = its src, P_Key as there
 *     DestQP = our QP                   DestQP = the sender's QP: the host knows it
 *
 * DestQP is not in the packet: the host looks up which QP its own is connected to, and
 * says so (FC-24). A gate (cnpgate.h) per QP or per port keeps CNPs apart. It is asked
 * last, and a CNP that cannot be written leaves it as it was.
 *
 * With `own` in the configuration a packet that is not marked is answered, too, while
 * the receiver itself is what cannot keep up (its PCIe, its receive buffer): NICs do
 * that, of which some sent 283 CNPs a second and QP without one CE in 670 million
 * packets. The gate is the same, and `cause` tells the two apart: a host counts CNPs by
 * verdict and cause.
 */
#include "../guard/cnpgate.h"
#include "../packet/build.h"
#include "../packet/cnp.h"

typedef enum rocecc_notification_verdict_ {
    ROCECC_NOTIFICATION_UNMARKED = 0, /* no cause */
    ROCECC_NOTIFICATION_SENT,
    ROCECC_NOTIFICATION_HELD,       /* by the gate; see the action's timer */
    ROCECC_NOTIFICATION_NOT_DATA,   /* not RoCEv2, or a CNP itself */
    ROCECC_NOTIFICATION_MULTICAST,  /* A17 has CNPs for unicast alone */
    ROCECC_NOTIFICATION_BAD_SOURCE, /* unspecified, loopback, multicast, broadcast */
    ROCECC_NOTIFICATION_FAILED,     /* w is too small, a value out of range */
    ROCECC_NOTIFICATION_VERDICTS    /* how many there are */
} ROCECC_IN_8_BITS_(rocecc_notification_verdict);

/* Whether the host has something to do: SENT, send what w has; HELD, set the timer if
 * the action has arm. */
ROCECC_FN bool rocecc_notification_needs_action(rocecc_notification_verdict verdict)
{
    return verdict == ROCECC_NOTIFICATION_SENT || verdict == ROCECC_NOTIFICATION_HELD;
}

typedef enum rocecc_notification_refusal {
    ROCECC_NOTIFICATION_ACCEPTED = 0,
    ROCECC_NOTIFICATION_REFUSED_GATE, /* rocecc_cnpgate_init() says why */
    ROCECC_NOTIFICATION_REFUSED_CNP /* a value of cnp is wider than its field; no hop */
} rocecc_notification_refusal;

typedef struct rocecc_notification_config {
    rocecc_cnpgate_params gate;
    rocecc_cnp cnp; /* what all CNPs share: rocecc_cnp_default(), and a source port */
    uint8_t own;    /* flag: an event's own_congestion counts; 0: CE alone, as IBTA */
} rocecc_notification_config;

/* Why a packet is answered: a set. */
enum {
    ROCECC_NOTIFICATION_CAUSE_CE = 1,  /* a switch marked it */
    ROCECC_NOTIFICATION_CAUSE_OWN = 2, /* the receiver is congested */
    ROCECC_NOTIFICATION_CAUSES = 4     /* how many sets there are */
};

/* A packet came for a QP of the host. */
typedef struct rocecc_notification_event {
    uint64_t now_ns;
    uint32_t src_qp;     /* the other end of that QP: 24 bits */
    bool own_congestion; /* the host cannot keep up with what comes */
} rocecc_notification_event;

typedef struct rocecc_notification_result {
    ROCECC_ENUM8_(rocecc_notification_verdict) verdict;
    uint8_t cause;    /* ROCECC_NOTIFICATION_CAUSE_...; 0 if UNMARKED or NOT_DATA */
    bool arm;         /* defer mode: the timer, ... */
    uint32_t wait_ns; /* ... in so long: rocecc_cnpgate_timer(), and then cnp */
    rocecc_cnp cnp;   /* if SENT or HELD: for rocecc_cnp_build() */
} rocecc_notification_result;

/* Checks a configuration; nothing is derived. */
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

/* ff00::/8, and 224.0.0.0/4 as ::ffff: has it. */
ROCECC_FN bool rocecc_notification_is_multicast_(const rocecc_ip6 *address)
{
    return address->b[0] == 0xff ||
           (rocecc_ip6_is_ip4(address) && address->b[12] >> 4 == 0xe);
}

/*
 * The packet that a CNP answers, and what that CNP says; *cause is the receiver's own,
 * or 0, and then that of the packet, too. SENT: there is one.
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
    if (!rocecc_ip6_is_host(&cnp->dst)) return ROCECC_NOTIFICATION_BAD_SOURCE;
    return ROCECC_NOTIFICATION_SENT;
}

/*
 * A packet came for a QP. Writes a CNP at writer, from the IP header on, if the verdict
 * is SENT; neither writer nor *gate moves if it is another, but for HELD, which may arm
 * the timer. Whether the packet is valid otherwise, its ICRC above all, is for the host
 * to have checked. The ECN field is that of the header next to UDP: of a tunnel, what
 * its end has merged.
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
