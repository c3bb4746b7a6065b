/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_LDCP_H
#define ROCECC_ALGO_LDCP_H

/*
 * ldcp.h - LDCP, a congestion control algorithm for RoCEv2 in networks without PFC.
 * Each ACK can adjust a flow's window, which is counted in packets.
 * draft-dai-tsvwg-pfc-free-congestion-control-00, 2.2, 2.3 and 3.
 *
 *              unmarked ACK for n    ACK for n with ECE   NAK, once per window;
 *              in a limited flow                          every timeout
 *    cw >= 1   cw += n * alpha / cw  cw -= n * beta       cw  = eta * cw
 *    cw <  1   cw += gamma           cw  = eta * cw       cw  = eta * cw
 *                          always gamma <= cw <= cw_max
 *
 *                 IW packets acknowledged: cw = IW
 *    fast start ------------------------------------------> stable
 *      cw = IW  ------------------------------------------>
 *                 loss: cw = packets acknowledged so far, go-back-N
 *
 * Example, with rocecc_ldcp_hns(): if cw is 10, an unmarked ACK raises it to 10.1, a
 * marked ACK lowers it to 9.5, and a loss lowers it to 5. If cw is 1/2, an unmarked ACK
 * raises it to 3/4, and a marked ACK lowers it to 1/4. With an RTT of 10 us and cw =
 * 1/2, packets leave 20 us apart.
 *
 * At worst, a disturbance (silence, loss, or a change of the clock or the link) reduces
 * a window to gamma. The window then grows additively. Once the disturbance is over and
 * the resulting queue has drained, the flows together regain 90 % of their goodput
 * within RTO + (3 + H / gamma + W / alpha) * T. T is the RTT, W is a flow's share in
 * packets, RTO is the host's retransmission timeout, and H is the harmonic sum
 * 1 + 1/2 + 1/3 + ... whose last term is gamma. For example, if gamma is 1/4, H is
 * 1 + 1/2 + 1/3 + 1/4. With the values of rocecc_ldcp_hns() and W = 102, the bound is
 * RTO + 114 * T (G19).
 *
 * If a receiver delays ACKs, the host must request them (AckReq in BTH) every
 * rocecc_ldcp_ask_packets() packets. Without these requests, two flows use only 40 % of
 * a link if the receiver sends one ACK per 64 packets. With these requests, the two
 * flows use the whole link (G20). A host that reads ACKs in batches must spread the
 * packets of a window over an RTT. Unequal RTTs, unequal packet sizes or late ACKs
 * require other values for alpha, beta, IW or the switch's marking (README.md,
 * "Assumptions").
 *
 * State: 32 bytes for each LSN space (wire/lsn.h), and 2 bytes for a receiver. The host
 * must keep a timer for windows below one packet and a timer for loss, and must pass
 * the RTT to may_send(). Handling an unmarked ACK takes at most one division, and so
 * does a call of may_send() if cw < 1. Rounding can make a step alpha / cw too large,
 * but by at most 2^-16 of the exact step. Lost, repeated and reordered ACKs are
 * harmless. README.md lists the draft's rules L1 to L26 and our own rules G1 to G20.
 */
#include "../fixed.h"
#include "../net.h"

#define ROCECC_LDCP_ONE_Q16 ((uint32_t)1 << 16)
#define ROCECC_LDCP_ONE_Q32 ((uint64_t)1 << 32) /* one packet */
#define ROCECC_LDCP_PACKETS_MAX 65535u

/* Reasons why rocecc_ldcp_init() rejects parameters. */
typedef enum rocecc_ldcp_refusal {
    ROCECC_LDCP_ACCEPTED = 0,
    ROCECC_LDCP_REFUSED_ALPHA,      /* not in (0, 1] */
    ROCECC_LDCP_REFUSED_BETA,       /* not in (0, 1] */
    ROCECC_LDCP_REFUSED_GAMMA,      /* not in (0, 1] */
    ROCECC_LDCP_REFUSED_ETA,        /* not in [0, 1) */
    ROCECC_LDCP_REFUSED_IW,         /* not in 1..65535 */
    ROCECC_LDCP_REFUSED_CW_MAX,     /* neither 0 nor in IW..65535 */
    ROCECC_LDCP_REFUSED_LOSS_FLOOR, /* not in 1..IW */
    ROCECC_LDCP_REFUSED_M,          /* not in 1..65535 */
    ROCECC_LDCP_REFUSED_MTU         /* not in 1..65535 */
} rocecc_ldcp_refusal;

typedef struct rocecc_ldcp_params {
    uint32_t alpha_q16;  /* growth in packets per round trip; (0, 1]; 2.2 */
    uint32_t beta_q16;   /* packets cut per packet in a marked ACK; (0, 1]; 2.2 */
    uint32_t gamma_q16;  /* growth below one packet, and smallest window; (0, 1] */
    uint32_t eta_q16;    /* factor for cw after a loss, or a mark if cw < 1; [0, 1) */
    uint32_t iw_packets; /* initial window, the BDP; 1..65535; 2.3 */
    uint32_t cw_max_packets;     /* largest window; IW..65535; 0: 65535 (G3) */
    uint32_t loss_floor_packets; /* smallest window that a loss in fast start leaves;
                                    1..IW (G7) */
    uint32_t m_packets;          /* receiver: maximum packets per ACK; 1..65535 */
    uint32_t mtu_bytes; /* bytes that LSN counts for a packet; 1..65535 (G14) */
    bool split;         /* receiver: sends ECE only for the marked packet (G11) */
    bool continuous;    /* removes the jump at cw = 1: README.md, "Equilibrium" */
    /* derived by init */
    uint64_t gamma_q32;
    uint64_t grow_q32; /* growth if cw < 1 */
    uint64_t cw_max_q32;
} rocecc_ldcp_params;

/* State of a sender (L4), for one LSN space of a connection (L23). */
typedef struct rocecc_ldcp {
    uint64_t cw_q32;       /* congestion window; in packets */
    uint64_t last_send_ns; /* send time of the last packet; valid if has_sent is set */
    uint32_t in_flight;    /* packets sent but not acknowledged */
    uint32_t acked;        /* packets acknowledged in fast start; below IW */
    uint32_t recover;      /* packets to acknowledge before a NAK cuts again */
    uint8_t stable;        /* 1 after fast start; 0 in fast start */
    uint8_t first_rtt;     /* 1 in the first round trip; that is, until the first ACK
                              or loss */
    uint8_t has_sent;      /* 1 if a packet has been sent */
    uint8_t unheard;       /* 1 if no ACK followed the last loss; G8 */
} rocecc_ldcp;
ROCECC_SIZE_(rocecc_ldcp, 48);

/* State of a receiver. For RDMA READ responses, the requester is the receiver (L24). */
typedef struct rocecc_ldcp_receiver {
    uint16_t pending; /* unmarked packets not acknowledged yet */
} rocecc_ldcp_receiver;
ROCECC_SIZE_(rocecc_ldcp_receiver, 4);

/*
 * The position up to which a sender's data is acknowledged, counted as in wire/lsn.h.
 */
typedef struct rocecc_ldcp_space {
    uint32_t lsn;    /* LSN of the first unacknowledged byte */
    uint16_t packet; /* number of the first unacknowledged packet */
} rocecc_ldcp_space;

/*
 * Content of an ACK, and a flag that is set if the window limits the flow. The host
 * must set `limited` if may_send() refused a packet within the last RTT, or if
 * may_send() would refuse a packet just before this ACK is counted (G17). The last
 * result of may_send() alone is not enough, because a packet that waits briefly for the
 * NIC would then stop the window's growth.
 */
typedef struct rocecc_ldcp_ack_event {
    uint32_t packets; /* newly confirmed packets */
    bool ece;
    bool limited;
} rocecc_ldcp_ack_event;

/* Result of a NAK or a timeout. */
typedef struct rocecc_ldcp_action {
    bool cut; /* false if the window was already cut for these packets (G8) */
    uint32_t go_back_packets; /* to resend, from the first unacknowledged packet on */
} rocecc_ldcp_action;

/*
 * Permission to send the next packet. If `allowed` is false, the host must ask again
 * after wait_ns if wait_ns is not 0, and otherwise after the next ACK.
 */
typedef struct rocecc_ldcp_send_action {
    bool allowed;
    uint64_t wait_ns; /* if not 0, set a timer for this time */
} rocecc_ldcp_send_action;

/* ACKs that the receiver must send now, in the order of the members. */
typedef struct rocecc_ldcp_receiver_action {
    uint32_t unmarked; /* packets in an ACK without ECE; 0: no such ACK */
    uint32_t marked;   /* packets in an ACK with ECE; 0: no such ACK */
} rocecc_ldcp_receiver_action;

/*
 * Returns the recommended values of Huawei's HNS RoCE firmware: alpha 1, beta 1/2,
 * gamma 1/4, eta 1/2, with one ACK per packet and an MTU of 1024. The draft uses the
 * same eta, and lists this gamma among its typical values (L12).
 */
ROCECC_FN rocecc_ldcp_params rocecc_ldcp_hns(uint32_t iw_packets)
{
    rocecc_ldcp_params p = {0, 0, 0, 0, 0, 0, 0, 0, 0, false, false, 0, 0, 0};
    p.alpha_q16 = ROCECC_LDCP_ONE_Q16;
    p.beta_q16 = ROCECC_LDCP_ONE_Q16 / 2;
    p.gamma_q16 = ROCECC_LDCP_ONE_Q16 / 4;
    p.eta_q16 = ROCECC_LDCP_ONE_Q16 / 2;
    p.iw_packets = iw_packets;
    p.loss_floor_packets = 1;
    p.m_packets = 1;
    p.mtu_bytes = 1024;
    return p;
}

/* Checks *params and fills in its derived members. On failure *params is unchanged. */
ROCECC_FN rocecc_ldcp_refusal rocecc_ldcp_init(rocecc_ldcp_params *params)
{
    const uint32_t one = ROCECC_LDCP_ONE_Q16, most = ROCECC_LDCP_PACKETS_MAX;
    if (params->alpha_q16 == 0 || params->alpha_q16 > one)
        return ROCECC_LDCP_REFUSED_ALPHA;
    if (params->beta_q16 == 0 || params->beta_q16 > one)
        return ROCECC_LDCP_REFUSED_BETA;
    if (params->gamma_q16 == 0 || params->gamma_q16 > one)
        return ROCECC_LDCP_REFUSED_GAMMA;
    if (params->eta_q16 >= one) return ROCECC_LDCP_REFUSED_ETA;
    if (params->iw_packets == 0 || params->iw_packets > most)
        return ROCECC_LDCP_REFUSED_IW;
    if (params->cw_max_packets != 0 &&
        (params->cw_max_packets < params->iw_packets || params->cw_max_packets > most))
        return ROCECC_LDCP_REFUSED_CW_MAX;
    if (params->loss_floor_packets == 0 ||
        params->loss_floor_packets > params->iw_packets)
        return ROCECC_LDCP_REFUSED_LOSS_FLOOR;
    if (params->m_packets == 0 || params->m_packets > most)
        return ROCECC_LDCP_REFUSED_M;
    if (params->mtu_bytes == 0 || params->mtu_bytes > 65535)
        return ROCECC_LDCP_REFUSED_MTU;
    params->cw_max_q32 =
        (uint64_t)(params->cw_max_packets != 0 ? params->cw_max_packets : most) << 32;
    params->gamma_q32 = (uint64_t)params->gamma_q16 << 16;
    params->grow_q32 = params->gamma_q32;
    /* grow = (1 - eta) * alpha / beta, at most 2^16 packets; cw_max limits cw */
    if (params->continuous)
        params->grow_q32 =
            ROCECC_DIV64((uint64_t)(one - params->eta_q16) * params->alpha_q16 << 16,
                         params->beta_q16);
    return ROCECC_LDCP_ACCEPTED;
}

/* Returns a flow that has not sent a packet, with a window of IW (L13). */
ROCECC_FN rocecc_ldcp rocecc_ldcp_start(const rocecc_ldcp_params *params)
{
    rocecc_ldcp s = {0, 0, 0, 0, 0, 0, 1, 0, 0};
    s.cw_q32 = (uint64_t)params->iw_packets << 32;
    return s;
}

/*
 * Handles a new link speed. params must be for the new link. Limits cw to IW, one BDP
 * of that link, because any packets beyond IW would wait in the NIC's own queue. A
 * window below IW is unchanged. A flow in fast start continues with the new IW, or ends
 * fast start if IW packets have already been acknowledged (G18).
 */
ROCECC_FN void rocecc_ldcp_relink(const rocecc_ldcp_params *params, rocecc_ldcp *state)
{
    const uint64_t iw_q32 = (uint64_t)params->iw_packets << 32;
    if (state->stable || state->acked >= params->iw_packets) { /* L19 */
        state->stable = 1;
        state->acked = 0;
        state->cw_q32 = rocecc_clamp(state->cw_q32, params->gamma_q32, iw_q32);
    } else {
        state->cw_q32 = iw_q32;
    }
}

/*
 * Returns the time left until RTT / cw has passed since the last packet was sent. cw
 * must be above 0 and below 1. If the clock steps back, the wait is over, because the
 * elapsed time is unknown (G9).
 */
ROCECC_FN uint64_t rocecc_ldcp_wait_ns_(const rocecc_ldcp *state, uint64_t cw_q32,
                                        uint32_t rtt_ns, uint64_t now_ns)
{
    const uint64_t elapsed_ns = now_ns - state->last_send_ns;
    const uint64_t round_up = ((uint64_t)rtt_ns << 32) + (cw_q32 - 1);
    uint64_t pause_ns;
    if (!state->has_sent) return 0;
    /* pause = RTT / cw, rounded up */
    pause_ns = ROCECC_DIV64(round_up, cw_q32);
    return elapsed_ns < pause_ns ? pause_ns - elapsed_ns : 0;
}

/*
 * Allows a packet if the window has room or no packet is in flight (G10). If cw < 1,
 * RTT / cw must also have passed since the last packet was sent (L10, G9).
 */
ROCECC_FN rocecc_ldcp_send_action rocecc_ldcp_decide_send_(const rocecc_ldcp *state,
                                                           bool none, bool room,
                                                           uint32_t rtt_ns,
                                                           uint64_t now_ns)
{
    const uint64_t cw_q32 = state->cw_q32;
    rocecc_ldcp_send_action out = {false, 0};
    out.allowed = none || room;
    if (none && cw_q32 != 0 && cw_q32 < ROCECC_LDCP_ONE_Q32) {
        out.wait_ns = rocecc_ldcp_wait_ns_(state, cw_q32, rtt_ns, now_ns);
        out.allowed = out.wait_ns == 0;
    }
    return out;
}

/*
 * Checks whether the window, counted in packets, allows the next packet (G10). Changes
 * nothing, so the host can call this function at any time. rtt_ns must be the measured
 * RTT, including queueing delays. With the base RTT instead, hundreds of flows would
 * still work, but if there are 10^4 flows, four in five of them would send nothing
 * (G16).
 */
ROCECC_FN rocecc_ldcp_send_action rocecc_ldcp_may_send(const rocecc_ldcp *state,
                                                       uint32_t rtt_ns, uint64_t now_ns)
{
    return rocecc_ldcp_decide_send_(state, state->in_flight == 0,
                                    state->in_flight < state->cw_q32 >> 32, rtt_ns,
                                    now_ns);
}

/*
 * Returns the number of packets after which the sender must request an ACK with AckReq
 * in BTH. This is an eighth of the window, but at least 1 (G20). An ACK for more
 * packets would hold back, cut or release too large a part of the window at once. The
 * host must count packets from the last request, and restart the count after a loss.
 */
ROCECC_FN uint32_t rocecc_ldcp_ask_packets(const rocecc_ldcp *state)
{
    return (uint32_t)rocecc_max(state->cw_q32 >> 35, 1);
}

/* Returns the window in LSN bytes. This is cw * MTU, rounded down (L22). */
ROCECC_FN uint64_t rocecc_ldcp_window_bytes(const rocecc_ldcp_params *params,
                                            const rocecc_ldcp *state)
{
    /*
     * Multiplies the two halves of cw separately, so that the result fits for any cw.
     * The error is below one byte.
     */
    return (state->cw_q32 >> 32) * params->mtu_bytes +
           ((state->cw_q32 & 0xffffffffu) * params->mtu_bytes >> 32);
}

/* Length of the next packet, and bytes in flight before it, both in LSN bytes. */
typedef struct rocecc_ldcp_next_packet {
    uint32_t in_flight_bytes;
    uint32_t len_bytes;
} rocecc_ldcp_next_packet;

/*
 * Checks whether the window, counted in bytes, allows the next packet (L22, G10). If
 * nothing is in flight, the packet may have any length. rtt_ns must be the measured
 * RTT, as for rocecc_ldcp_may_send().
 */
ROCECC_FN rocecc_ldcp_send_action rocecc_ldcp_may_send_bytes(
    const rocecc_ldcp_params *params, const rocecc_ldcp *state,
    rocecc_ldcp_next_packet next, uint32_t rtt_ns, uint64_t now_ns)
{
    const uint64_t after = (uint64_t)next.in_flight_bytes + next.len_bytes;
    return rocecc_ldcp_decide_send_(state, next.in_flight_bytes == 0,
                                    after <= rocecc_ldcp_window_bytes(params, state) &&
                                        state->cw_q32 >= ROCECC_LDCP_ONE_Q32,
                                    rtt_ns, now_ns);
}

/*
 * Counts a packet that the host sends or resends. `last` marks the last packet of a
 * message. Returns the packet's ECN codepoint. In the first RTT, the codepoint is
 * ECT(0) for the last packet of a message and from the IW-th packet on (L21), and
 * Not-ECT for all other packets (L15). After the first RTT, the codepoint is always
 * ECT(0) (L20).
 */
ROCECC_FN rocecc_ecn rocecc_ldcp_send(const rocecc_ldcp_params *params,
                                      rocecc_ldcp *state, bool last, uint64_t now_ns)
{
    state->in_flight += state->in_flight < UINT32_MAX;
    state->last_send_ns = now_ns;
    state->has_sent = 1;
    return state->stable || !state->first_rtt || last ||
                   state->in_flight >= params->iw_packets
               ? ROCECC_ECN_ECT0
               : ROCECC_ECN_NOT_ECT;
}

/*
 * Returns the window after an ACK for n_packets packets. n_packets must be at most
 * 65535. The flow must have left fast start (L7). The value of cw before the step
 * selects the rule (G1). cw may have any value. The result is limited to gamma ..
 * cw_max (G2, G3).
 */
ROCECC_FN uint64_t rocecc_ldcp_next_window_(const rocecc_ldcp_params *params,
                                            uint64_t cw_q32, uint32_t n_packets,
                                            bool ece)
{
    uint64_t to_q32;
    if (cw_q32 < ROCECC_LDCP_ONE_Q32) {
        /* cw = eta * cw, or cw + grow, for any n_packets (L11, G4) */
        to_q32 = ece ? cw_q32 * params->eta_q16 >> 16 : cw_q32 + params->grow_q32;
    } else if (ece) {
        /* cw = cw - n * beta (L8, L9) */
        to_q32 =
            cw_q32 - rocecc_min((uint64_t)n_packets * params->beta_q16 << 16, cw_q32);
    } else {
        /* cw = cw + n * alpha / cw (L8, L9) */
        to_q32 = cw_q32 + ROCECC_DIV64((uint64_t)n_packets * params->alpha_q16 << 32,
                                       cw_q32 >> 16);
    }
    return rocecc_clamp(to_q32, params->gamma_q32, params->cw_max_q32); /* G2, G3 */
}

/*
 * Handles an ACK for newly confirmed packets. Without ECE, cw grows only if `limited`
 * is set (G17; TCP: RFC 7661; QUIC: RFC 9002, 7.8). Fast start ignores ECE (G5), and
 * ends with cw = IW after IW acknowledged packets (L17, L19). An ACK for 0 packets
 * changes nothing. For growth and cuts, more than 65535 packets count as 65535.
 */
ROCECC_FN void rocecc_ldcp_ack(const rocecc_ldcp_params *params, rocecc_ldcp *state,
                               rocecc_ldcp_ack_event event)
{
    const uint32_t n = event.packets;
    if (n == 0) return;
    if (!state->stable && (uint64_t)state->acked + n < params->iw_packets) {
        state->acked += n;
    } else if (!state->stable) {
        state->stable = 1;
        state->acked = 0;
        state->cw_q32 = (uint64_t)params->iw_packets << 32;
    } else if (event.ece || event.limited) {
        const uint32_t counted = (uint32_t)rocecc_min(n, ROCECC_LDCP_PACKETS_MAX);
        state->cw_q32 =
            rocecc_ldcp_next_window_(params, state->cw_q32, counted, event.ece);
    }
    state->first_rtt = 0; /* G6 */
    state->unheard = 0;
    state->in_flight -= (uint32_t)rocecc_min(n, state->in_flight);
    state->recover -= (uint32_t)rocecc_min(n, state->recover);
}

/* Returns eta * cw, limited to gamma .. cw_max (G2, G3). cw may have any value. */
ROCECC_FN uint64_t rocecc_ldcp_cut_(const rocecc_ldcp_params *params, uint64_t cw_q32)
{
    /* eta * cw, in two halves */
    const uint64_t whole_q16 = (cw_q32 >> 32) * params->eta_q16;
    const uint64_t part_q48 = (cw_q32 & 0xffffffffu) * params->eta_q16;
    return rocecc_clamp((whole_q16 << 16) + (part_q48 >> 16), params->gamma_q32,
                        params->cw_max_q32);
}

/*
 * Handles a loss by go-back-N, so that no packet is in flight afterwards. A loss in
 * fast start ends fast start (L17, L18, G7). A loss after fast start cuts the window if
 * `cut` is set.
 */
ROCECC_FN rocecc_ldcp_action rocecc_ldcp_on_loss_(const rocecc_ldcp_params *params,
                                                  rocecc_ldcp *state, bool cut)
{
    rocecc_ldcp_action act = {false, 0};
    act.cut = cut;
    act.go_back_packets = state->in_flight;
    if (!state->stable) {
        const uint64_t left = rocecc_max(state->acked, params->loss_floor_packets);
        state->cw_q32 = rocecc_min(left, params->iw_packets) << 32;
    } else if (cut) {
        state->cw_q32 = rocecc_ldcp_cut_(params, state->cw_q32);
    }
    if (cut) state->recover = state->in_flight;
    state->stable = 1;
    state->acked = 0;
    state->first_rtt = 0;
    state->unheard = 1;
    state->in_flight = 0;
    return act;
}

/*
 * Handles a NAK for a sequence error. A NAK in fast start ends fast start with cw = the
 * number of acknowledged packets, but at least loss_floor (L18, G7). A later NAK sets
 * cw = eta * cw if all packets that were in flight at the last cut are acknowledged, or
 * if no ACK has arrived since the last loss (G8). Any other NAK leaves cw unchanged. If
 * a receiver sends a NAK for every packet after a gap, the host must report only the
 * first NAK.
 */
ROCECC_FN rocecc_ldcp_action rocecc_ldcp_nak(const rocecc_ldcp_params *params,
                                             rocecc_ldcp *state)
{
    return rocecc_ldcp_on_loss_(
        params, state, !state->stable || state->unheard || state->recover == 0);
}

/*
 * Handles the expiry of the host's loss timer while packets are in flight. Ends fast
 * start as a NAK does. After fast start, each timeout sets cw = eta * cw, but not below
 * gamma. On a dead path, a flow that has left fast start and has a window of 97 packets
 * loses 1,184 packets in 1,000 timeouts. If only the first timeout cut the window, the
 * flow would lose 48,049 packets (G16).
 */
ROCECC_FN rocecc_ldcp_action rocecc_ldcp_timeout(const rocecc_ldcp_params *params,
                                                 rocecc_ldcp *state)
{
    return rocecc_ldcp_on_loss_(params, state, true);
}

/* Returns the state of a receiver that has not received any packet. */
ROCECC_FN rocecc_ldcp_receiver rocecc_ldcp_receiver_start(void)
{
    rocecc_ldcp_receiver r = {0};
    return r;
}

/*
 * Handles a packet that arrived in order. If the packet has CE or is the m-th packet
 * since the last ACK, returns an ACK for this packet and the pending packets (L5, L6).
 * If `split` is set, a packet with CE gets its own ACK (G11).
 */
ROCECC_FN rocecc_ldcp_receiver_action rocecc_ldcp_received(
    const rocecc_ldcp_params *params, rocecc_ldcp_receiver *state, bool ce)
{
    rocecc_ldcp_receiver_action acks = {0, 0};
    const uint32_t all = state->pending + 1u;
    if (ce) {
        acks.unmarked = params->split ? all - 1 : 0;
        acks.marked = params->split ? 1 : all;
    } else if (all >= params->m_packets) {
        acks.unmarked = all;
    }
    state->pending = (uint16_t)(ce || acks.unmarked != 0 ? 0 : all);
    return acks;
}

/*
 * Returns an unmarked ACK for the pending packets, if there are any. The host must call
 * this function when packets stop arriving (G12).
 */
ROCECC_FN rocecc_ldcp_receiver_action rocecc_ldcp_flush(rocecc_ldcp_receiver *state)
{
    rocecc_ldcp_receiver_action acks = {0, 0};
    acks.unmarked = state->pending;
    state->pending = 0;
    return acks;
}

/*
 * Returns the number of packets that an ACK newly confirms, according to its LSN and
 * its packet number. The host must pass the result to rocecc_ldcp_ack(). Returns 0 if
 * the ACK is old or repeated, or if its LSN is beyond sent_lsn. sent_lsn must be the
 * LSN that follows the last byte ever sent. Lost, repeated or reordered ACKs do no harm
 * (L22, L25).
 */
ROCECC_FN uint32_t rocecc_ldcp_confirm(rocecc_ldcp_space *state, uint32_t sent_lsn,
                                       uint32_t lsn, uint16_t packet)
{
    const uint32_t n = (uint16_t)(packet - state->packet);
    if (!rocecc_serial_after(lsn, state->lsn) || rocecc_serial_after(lsn, sent_lsn))
        return 0;
    state->lsn = lsn;
    state->packet = packet;
    return n;
}

#endif /* ROCECC_ALGO_LDCP_H */
