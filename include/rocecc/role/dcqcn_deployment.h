/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_DCQCN_DEPLOYMENT_H
#define ROCECC_ROLE_DCQCN_DEPLOYMENT_H

/*
 * dcqcn_deployment.h - the parameters of DCQCN for a whole network: the sender's
 * reaction point (dcqcn_params.h), the receiver's notification point (cnpgate.h) and
 * the switch's marks (wred.h). Each part may be valid alone and wrong beside the
 * others.
 *
 *   switch    marks a queue of more than K_min bytes     K_min must be in the buffer
 *   receiver  one CNP every N                            N < T
 *   sender    K lowers alpha, a CNP raises it, T raises R_C
 *
 *   alpha ^     .         .         .
 *    a*   |    /|'-._    /|'-._    /|     a* = g / (1 - (1 - g)^(n + 1))
 *    held |  -' |    '-./ |    '-./ |     held = a* (1 - g)^n
 *         +-----+---------+---------+-->
 *              CNP       CNP       CNP    n alpha timers (K) lower alpha between CNPs
 *
 * Example: HPCC's ns-3 has K = 1 us and no N. With N = 50 us, 49 alpha timers lower
 * alpha and the 50th raises it: a* is 0.022, and 0.018 is held, so that a cut takes 1 %
 * of the rate. Measured with 16 flows into one port of 100 Gb/s, the queue fills 32 MB,
 * 197,893 packets are lost, and the port sends 35.9 Gb/s. With N = 1 us it sends 89.6
 * Gb/s and drops nothing. NVIDIA's NICs have N = 4 us and K = 1 us: a* and the held
 * alpha are 0.25.
 *
 * init checks a flow whose every packet is marked and whose packets are closer together
 * than N. The packets of a flow near R_min may be farther apart. A CNP then comes for
 * each packet, and neither N nor this check has an effect on it.
 */
#include "../algo/dcqcn_params.h"
#include "../algo/wred.h"
#include "../guard/cnpgate.h"

/*
 * The least alpha that a cut may find while every packet is marked: 1/16, a cut of 3 %
 * with cut_shift 1. Another cut_shift takes 3 % of the rate at another alpha: with -9
 * at 1/16384.
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
    ROCECC_DCQCN_DEPLOYMENT_REFUSED_ALPHA, /* alpha falls too far from CNP to CNP for
                                              its cut_shift */
    ROCECC_DCQCN_DEPLOYMENT_REFUSED_INCREASE_TIMER /* T <= N: R_C rises between CNPs */
} rocecc_dcqcn_deployment_refusal;

typedef struct rocecc_dcqcn_deployment {
    rocecc_dcqcn_params reaction;       /* of every sender */
    rocecc_cnpgate_params notification; /* of every receiver */
    rocecc_wred_params marking;         /* of every switch port */
} rocecc_dcqcn_deployment;

/*
 * The DCQCN paper's values (Zhu et al., SIGCOMM 2015) of all three parts, for 40 Gb/s:
 * K = T = 55 us, N = 50 us, marks from 5 to 200 KB.
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
 * NVIDIA's defaults: NICs as mlxconfig shows them (K 1 us, N 4 us, T 300 us), switches
 * as Cumulus Linux and Onyx configure them for RoCE (150 to 1500 KB).
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
 * The HPCC paper's simulations of DCQCN (alibaba-edu/High-Precision-Congestion-Control,
 * run.py and rdma-hw.cc): K 1 us, T 300 us, a CNP for each marked packet, marks in
 * proportion to the line.
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
 * Returns n, how many alpha timers lower alpha between two CNPs. In event mode a CNP
 * restarts the timer, and a timer that expires together with a CNP comes first. In
 * periodic mode the timers keep their grid: a CNP comes every N / K of them, rounded
 * up, and the timer after it raises alpha instead.
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
 * Returns (1 - g)^n for n < 2^31, by the bits of n, rounded to nearest in each product.
 * A mask where a branch would double a verifier's paths each time.
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
 * Returns true if a cut finds an alpha of at least ROCECC_DCQCN_ALPHA_HELD_MIN_Q20, or
 * cuts as much by its cut_shift, while CNPs come every interval_ns. alpha settles where
 * a CNP raises it by as much as n timers have lowered it: a = (1 - g) (1 - g)^n a + g
 * after the CNP, and (1 - g)^n a before it. A cut takes alpha before the CNP raises it,
 * with alpha_first after it; in periodic mode it takes the former or more. The quotient
 * is compared multiplied out.
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
 * Initialises the three parts, then checks them against each other; buffer_bytes is the
 * most that a queue of a switch port can hold. The caller must call it once, before any
 * flow. Returns the first refusal in the order of the enumeration, and *deployment is
 * then unchanged. If a part is refused, that part's own init says which member is
 * wrong.
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
