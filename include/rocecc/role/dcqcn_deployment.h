/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_DCQCN_DEPLOYMENT_H
#define ROCECC_ROLE_DCQCN_DEPLOYMENT_H

/*
 * dcqcn_deployment.h - the DCQCN parameters of a whole network. They have three parts,
 * for the sender's reaction point (dcqcn_params.h), the receiver's notification point
 * (cnpgate.h) and the switch's marking (wred.h). Parts that are valid on their own do
 * not always fit together, so init() checks the parts together, too.
 *
 *   switch    marks packets if the queue is above K_min   marking starts in the buffer
 *   receiver  sends at most one CNP every N               N < T
 *   sender    timer K lowers alpha, a CNP raises it, timer T raises R_C
 *
 *   alpha ^     .         .         .
 *    a*   |    /|'-._    /|'-._    /|     a* = g / (1 - (1 - g)^(n + 1))
 *    held |  -' |    '-./ |    '-./ |     held = a* * (1 - g)^n
 *         +-----+---------+---------+-->
 *              CNP       CNP       CNP    n alpha timers (K) lower alpha between CNPs
 *
 * A rate cut uses the held alpha or a larger alpha. If alpha_first is set and
 * `periodic` is not set, the cut uses a*.
 *
 * Example: HPCC's ns-3 code sets K = 1 us, but has no N. With N = 50 us, the alpha
 * timer expires 50 times per CNP. It lowers alpha 49 times and raises alpha once. So a*
 * is 0.022, the held alpha is 0.018, and a cut lowers the rate by only 1 %. In a
 * measurement with 16 flows into one 100 Gb/s port, the queue filled the 32 MB buffer,
 * 197,893 packets were lost, and the port sent only 35.9 Gb/s. With N = 1 us, the port
 * sent 89.6 Gb/s and no packet was lost. For NVIDIA's NICs (N = 4 us, K = 1 us), a* and
 * the held alpha are both about 0.25.
 *
 * init() assumes that every packet is marked and that a flow's packets are less than N
 * apart. At rates near R_min, a flow's packets can be farther apart. Each of these
 * packets then causes a CNP, so N and the checks that depend on N do not matter for the
 * flow. These checks ignore the byte counter. They also ignore min_dec_q20, although
 * this parameter can make cuts smaller.
 */
#include "../algo/dcqcn_params.h"
#include "../algo/wred.h"
#include "../guard/cnpgate.h"

/*
 * Minimum alpha for rate cuts with cut_shift 1. init() refuses parameters if cuts would
 * use a lower alpha even when every packet is marked. With the default of 1/16, a cut
 * lowers the rate by at least 3 %. For another cut_shift, init() instead requires the
 * alpha that gives the same cut, for example 1/16384 with cut_shift -9.
 */
#ifndef ROCECC_DCQCN_ALPHA_HELD_MIN_Q20
#define ROCECC_DCQCN_ALPHA_HELD_MIN_Q20 (ROCECC_ONE_Q20 / 16)
#endif

typedef enum rocecc_dcqcn_deployment_refusal {
    ROCECC_DCQCN_DEPLOYMENT_ACCEPTED = 0,
    ROCECC_DCQCN_DEPLOYMENT_REFUSED_REACTION,     /* see rocecc_dcqcn_init() */
    ROCECC_DCQCN_DEPLOYMENT_REFUSED_NOTIFICATION, /* see rocecc_cnpgate_init() */
    ROCECC_DCQCN_DEPLOYMENT_REFUSED_MARKING,      /* see rocecc_wred_init() */
    ROCECC_DCQCN_DEPLOYMENT_REFUSED_NEVER_MARKED, /* rocecc_wred_find_reach() is NONE */
    ROCECC_DCQCN_DEPLOYMENT_REFUSED_ALPHA, /* between two CNPs, alpha falls too low for
                                              this cut_shift */
    ROCECC_DCQCN_DEPLOYMENT_REFUSED_INCREASE_TIMER /* T <= N: R_C rises between CNPs */
} rocecc_dcqcn_deployment_refusal;

typedef struct rocecc_dcqcn_deployment {
    rocecc_dcqcn_params reaction;       /* for every sender */
    rocecc_cnpgate_params notification; /* for every receiver */
    rocecc_wred_params marking;         /* for every switch port */
} rocecc_dcqcn_deployment;

/*
 * Returns the DCQCN paper's values for 40 Gb/s (Zhu et al., SIGCOMM 2015), with K = T =
 * 55 us, N = 50 us, K_min = 5 KB and K_max = 200 KB. As in the other presets,
 * marking.buf_max_bytes is UINT32_MAX, so WRED drops no packets. The caller can lower
 * this limit.
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
 * Returns NVIDIA's defaults. The NIC values are from mlxconfig (K = 1 us, N = 4 us, T =
 * 300 us), and the switch values are the RoCE defaults of Cumulus Linux and Onyx (K_min
 * = 150 KB, K_max = 1500 KB).
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
 * Returns the values from the HPCC paper's DCQCN simulations (run.py and rdma-hw.cc in
 * alibaba-edu/High-Precision-Congestion-Control). K is 1 us, T is 300 us, each marked
 * packet causes a CNP, and K_min and K_max are proportional to the line rate.
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
 * Returns the number of times that the alpha timer lowers alpha between two CNPs. The
 * result is N / K, with both times in ns, rounded down. In periodic mode, the first
 * expiry after a CNP raises alpha, so the result is (N - 1) / K, rounded down.
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
 * Returns (1 - g)^n in Q32 for n < 2^31. The loop uses a mask instead of a branch,
 * because each branch would double the number of paths that a verifier explores.
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
 * Returns true if cuts are large enough when CNPs arrive interval_ns apart. The alpha
 * after a CNP settles at the value a with a = (1 - g)^(n + 1) * a + g. Both sides of
 * the comparison are multiplied by 1 - (1 - g)^(n + 1) to avoid a division.
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
 * Checks each part with its init function, and then checks whether the parts fit
 * together. The caller must call this function once, before any flow starts. init()
 * assumes that a queue at a switch port can grow to the smaller of buffer_bytes and
 * marking.buf_max_bytes. If the result is ACCEPTED, the derived members of
 * deployment->reaction are set. Otherwise the result is the first refusal in the order
 * of the enumeration, and *deployment is unchanged.
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
