/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_DCQCN_DEPLOYMENT_H
#define ROCECC_ROLE_DCQCN_DEPLOYMENT_H

/*
 * dcqcn_deployment.h - the DCQCN parameters of a whole network, for the reaction point
 * of the sender (dcqcn_params.h), the notification point of the receiver (cnpgate.h)
 * and the marks of the switch (wred.h). Parts that are valid alone may not fit
 * together.
 *
 *   switch    marks packets of a queue above K_min       marks must begin in the buffer
 *   receiver  sends at most one CNP every N              N < T
 *   sender    K lowers alpha, a CNP raises it, T raises R_C
 *
 *   alpha ^     .         .         .
 *    a*   |    /|'-._    /|'-._    /|     a* = g / (1 - (1 - g)^(n + 1))
 *    held |  -' |    '-./ |    '-./ |     held = a* (1 - g)^n
 *         +-----+---------+---------+-->
 *              CNP       CNP       CNP    n alpha timers (K) lower alpha between CNPs
 *
 * A cut uses the held alpha or more. With alpha_first, if the reaction point is not
 * periodic, it uses a*.
 *
 * Example: HPCC's ns-3 has K = 1 us and no N. With N = 50 us, 49 alpha timers lower
 * alpha and the 50th raises it. Then a* is 0.022 and the held alpha is 0.018, so that a
 * cut lowers the rate by 1 %. Measured with 16 flows into one port of 100 Gb/s, the
 * queue fills 32 MB, 197,893 packets are lost, and the port sends 35.9 Gb/s. With N = 1
 * us it sends 89.6 Gb/s and drops nothing. NVIDIA's NICs (N = 4 us, K = 1 us) have 0.25
 * for a* and the held alpha.
 *
 * init() assumes that every packet is marked and that packets of a flow are closer
 * together than N. Near R_min they may be farther apart. Then each packet causes a CNP,
 * and neither N nor this check has an effect on the flow. The check ignores the byte
 * counter and min_dec_q20, which can make cuts smaller.
 */
#include "../algo/dcqcn_params.h"
#include "../algo/wred.h"
#include "../guard/cnpgate.h"

/*
 * Lowest alpha that a cut may find while every packet is marked, for cut_shift 1. The
 * default is 1/16, and the cut then lowers the rate by 3 %. With another cut_shift,
 * init() requires the alpha of the same cut, for example 1/16384 with cut_shift -9.
 */
#ifndef ROCECC_DCQCN_ALPHA_HELD_MIN_Q20
#define ROCECC_DCQCN_ALPHA_HELD_MIN_Q20 (ROCECC_ONE_Q20 / 16)
#endif

typedef enum rocecc_dcqcn_deployment_refusal {
    ROCECC_DCQCN_DEPLOYMENT_ACCEPTED = 0,
    ROCECC_DCQCN_DEPLOYMENT_REFUSED_REACTION,     /* rocecc_dcqcn_init() says why */
    ROCECC_DCQCN_DEPLOYMENT_REFUSED_NOTIFICATION, /* rocecc_cnpgate_init() says why */
    ROCECC_DCQCN_DEPLOYMENT_REFUSED_MARKING,      /* rocecc_wred_init() says why */
    ROCECC_DCQCN_DEPLOYMENT_REFUSED_NEVER_MARKED, /* rocecc_wred_find_reach(): NONE */
    ROCECC_DCQCN_DEPLOYMENT_REFUSED_ALPHA, /* between two CNPs alpha falls too far
                                              for its cut_shift */
    ROCECC_DCQCN_DEPLOYMENT_REFUSED_INCREASE_TIMER /* T <= N: R_C rises between CNPs */
} rocecc_dcqcn_deployment_refusal;

typedef struct rocecc_dcqcn_deployment {
    rocecc_dcqcn_params reaction;       /* of every sender */
    rocecc_cnpgate_params notification; /* of every receiver */
    rocecc_wred_params marking;         /* of every switch port */
} rocecc_dcqcn_deployment;

/*
 * Returns the values of the DCQCN paper (Zhu et al., SIGCOMM 2015), for 40 Gb/s. They
 * have K = T = 55 us, N = 50 us and marks from 5 to 200 KB. As in the other presets,
 * marking.buf_max_bytes is UINT32_MAX, so that no packet is dropped. The host may lower
 * it.
 */
ROCECC_FN rocecc_dcqcn_deployment rocecc_dcqcn_deployment_paper(uint64_t line_bps)
{
    rocecc_dcqcn_deployment d;
    d.reaction = rocecc_dcqcn_paper(line_bps);
    d.notification = rocecc_cnpgate_paper();
    d.marking = rocecc_wred_dcqcn_paper();
    return d;
}

/*
 * Returns NVIDIA's defaults. The NICs have the values that mlxconfig shows (K 1 us, N 4
 * us, T 300 us), and the switches have the marks of Cumulus Linux and Onyx for RoCE
 * (150 to 1500 KB).
 */
ROCECC_FN rocecc_dcqcn_deployment rocecc_dcqcn_deployment_nvidia(uint64_t line_bps)
{
    rocecc_dcqcn_deployment d;
    d.reaction = rocecc_dcqcn_nvidia(line_bps);
    d.notification = rocecc_cnpgate_nvidia();
    d.marking = rocecc_wred_nvidia();
    return d;
}

/*
 * Returns the values of the HPCC paper's DCQCN simulations (run.py and rdma-hw.cc of
 * alibaba-edu/High-Precision-Congestion-Control). They have K 1 us, T 300 us, a CNP for
 * each marked packet, and K_min and K_max in proportion to the line rate.
 */
ROCECC_FN rocecc_dcqcn_deployment rocecc_dcqcn_deployment_ns3_hpcc(uint64_t line_bps)
{
    rocecc_dcqcn_deployment d;
    d.reaction = rocecc_dcqcn_ns3_hpcc(line_bps);
    d.notification = rocecc_cnpgate_ns3();
    d.marking = rocecc_wred_hpcc_runs(line_bps);
    return d;
}

/*
 * Returns the number of alpha timers that lower alpha between two CNPs. It is N / K, or
 * (N - 1) / K in periodic mode, because the timer after a CNP then raises alpha.
 */
ROCECC_FN uint32_t rocecc_dcqcn_deployment_count_decays_(
    const rocecc_dcqcn_params *reaction, uint32_t interval_ns)
{
    const uint32_t lowering_ns = reaction->periodic != 0
                                     ? (uint32_t)rocecc_max(interval_ns, 1) - 1
                                     : interval_ns;
    uint32_t n = (uint32_t)(lowering_ns * reaction->alpha_inverse >> 32);
    if (lowering_ns - n * reaction->alpha_timer_ns >= reaction->alpha_timer_ns) n++;
    return n;
}

/*
 * Returns (1 - g)^n in Q32 for n < 2^31. A mask replaces a branch in the loop, because
 * each branch would double the number of paths for a verifier.
 */
ROCECC_FN uint64_t
rocecc_dcqcn_deployment_power_q32_(const rocecc_dcqcn_params *reaction, uint32_t n)
{
    const uint64_t half = (uint64_t)1 << 31;
    uint64_t kept_q32 = (uint64_t)1 << 32, power_q32 = 0;
    int i;
    for (i = 0; i < 31; i++) {
        const uint64_t has = (uint64_t)0 - (n >> i & 1u);
        power_q32 = i < ROCECC_DCQCN_POWERS ? reaction->power_q32[i]
                                            : (power_q32 * power_q32 + half) >> 32;
        kept_q32 ^= (kept_q32 ^ ((kept_q32 * power_q32 + half) >> 32)) & has;
    }
    return kept_q32;
}

/*
 * Returns true if a cut by alpha is large enough while CNPs arrive every interval_ns.
 * alpha settles where a = (1 - g)^(n + 1) a + g, multiplied out to avoid a division.
 */
ROCECC_FN bool rocecc_dcqcn_deployment_holds_alpha_(const rocecc_dcqcn_params *reaction,
                                                    uint32_t interval_ns)
{
    const uint64_t one_q32 = (uint64_t)1 << 32;
    const uint32_t n = rocecc_dcqcn_deployment_count_decays_(reaction, interval_ns);
    const uint64_t kept_q32 = rocecc_dcqcn_deployment_power_q32_(reaction, n);
    const uint64_t next_q32 = kept_q32 * reaction->power_q32[0] >> 32;
    const bool raised = reaction->alpha_first != 0 && reaction->periodic == 0;
    const uint32_t doublings = (uint32_t)(1 - reaction->cut_shift) & 31; /* 0 .. 10 */
    return (reaction->g_q20 * (raised ? one_q32 : kept_q32) << doublings) >=
           (uint64_t)ROCECC_DCQCN_ALPHA_HELD_MIN_Q20 * (one_q32 - next_q32);
}

/*
 * Checks the three parts by their init functions, and then against each other. The
 * caller must call it once, before any flow starts. A queue of a switch port can hold
 * the smaller of buffer_bytes and marking.buf_max_bytes. ACCEPTED writes the derived
 * members of deployment->reaction. Otherwise returns the first refusal in the order of
 * the enumeration, and *deployment is unchanged.
 */
ROCECC_FN rocecc_dcqcn_deployment_refusal
rocecc_dcqcn_deployment_init(rocecc_dcqcn_deployment *deployment, uint32_t buffer_bytes)
{
    rocecc_dcqcn_params reaction = deployment->reaction;
    const uint32_t interval_ns = deployment->notification.interval_ns;
    if (rocecc_dcqcn_init(&reaction) != ROCECC_DCQCN_ACCEPTED)
        return ROCECC_DCQCN_DEPLOYMENT_REFUSED_REACTION;
    if (rocecc_cnpgate_init(&deployment->notification) != ROCECC_CNPGATE_ACCEPTED)
        return ROCECC_DCQCN_DEPLOYMENT_REFUSED_NOTIFICATION;
    if (rocecc_wred_init(&deployment->marking) != ROCECC_WRED_ACCEPTED)
        return ROCECC_DCQCN_DEPLOYMENT_REFUSED_MARKING;
    if (rocecc_wred_find_reach(&deployment->marking, buffer_bytes) ==
        ROCECC_WRED_REACH_NONE)
        return ROCECC_DCQCN_DEPLOYMENT_REFUSED_NEVER_MARKED;
    if (!rocecc_dcqcn_deployment_holds_alpha_(&reaction, interval_ns))
        return ROCECC_DCQCN_DEPLOYMENT_REFUSED_ALPHA;
    if (reaction.increase_timer_ns <= interval_ns)
        return ROCECC_DCQCN_DEPLOYMENT_REFUSED_INCREASE_TIMER;
    deployment->reaction = reaction;
    return ROCECC_DCQCN_DEPLOYMENT_ACCEPTED;
}

#endif /* ROCECC_ROLE_DCQCN_DEPLOYMENT_H */
