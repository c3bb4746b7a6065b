/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_DCQCN_DEPLOYMENT_H
#define TESTS_LAW_DCQCN_DEPLOYMENT_H

#include "cnpgate.h"
#include "dcqcn.h"
#include "wred.h"
#include "rocecc/fields/dcqcn_deployment.h"

/* Tolerance for sums of powers of 1 - g, each off by 2^-32, with cut_shift 1. */
#define LAW_DEPLOYMENT_SLACK_Q32 256

/*
 * Returns 1 if alpha is held, -1 if not, and 0 if rounding or the limit of 15 alpha
 * timers, for the verifier, leaves it open. With x = 1 - g, a* is 1 / (1 + x + .. +
 * x^n). The held alpha is a* x^n, or a* with alpha_first in event mode. 1/16 is enough
 * with cut_shift 1, and a part of it with less.
 */
LAW_FN int law_dcqcn_deployment_held(const rocecc_dcqcn_params *p, uint32_t interval_ns)
{
    const uint64_t x_q32 = (uint64_t)(ROCECC_ONE_Q20 - p->g_q20) << 12;
    const bool raised = p->alpha_first != 0 && p->periodic == 0;
    const uint32_t doublings = (uint32_t)(1 - p->cut_shift) & 31;
    const uint64_t slack_q32 = (uint64_t)LAW_DEPLOYMENT_SLACK_Q32 << doublings;
    uint64_t term_q32 = (uint64_t)1 << 32, sum_q32 = (uint64_t)1 << 32, least_q32;
    uint64_t lowering_ns = interval_ns;
    int i;
    if (p->periodic != 0 && lowering_ns > 0) lowering_ns--;
    if (lowering_ns >= (uint64_t)p->alpha_timer_ns * 16)
        return raised || p->cut_shift < 1 ? 0 : -1;
    for (i = 0; i < 15; i++) {
        if (lowering_ns < p->alpha_timer_ns) break;
        lowering_ns -= p->alpha_timer_ns;
        term_q32 = (term_q32 * x_q32 + 0x80000000u) >> 32;
        sum_q32 += term_q32;
    }
    least_q32 = (raised ? (uint64_t)1 << 32 : term_q32) * ((uint64_t)16 << doublings);
    if (least_q32 > sum_q32 + slack_q32) return 1;
    return least_q32 + slack_q32 < sum_q32 ? -1 : 0;
}

/* Checks that init() returns the first failed check, and then derives nothing. */
LAW_FN uint32_t law_dcqcn_deployment(rocecc_reader r)
{
    LAW_KEPT struct {
        rocecc_dcqcn_deployment d;
        uint32_t refusal, buffer_bytes, interval_ns;
        uint8_t kind;
        int held;
    } run;
    const uint8_t *b;
    uint32_t digest = LAW_START;
    run.kind = law_u8(&r);
    b = rocecc_take(&r, LAW_DCQCN_DRAWN);
    if (b == NULL) return LAW_START;
    if (run.kind & 1)
        run.d = rocecc_dcqcn_deployment_nvidia(law_dcqcn_rate(b));
    else if (run.kind & 2)
        run.d = rocecc_dcqcn_deployment_ns3_hpcc(law_dcqcn_rate(b));
    else
        run.d = rocecc_dcqcn_deployment_paper(law_dcqcn_rate(b));
    LAW_FORGET(&run);
    if (run.kind & 4) law_dcqcn_draw(&run.d.reaction, b);
    if (run.kind & 64) run.d.reaction.alpha_timer_ns = b[60] + 1u;
    LAW_FORGET(&run);
    if (run.kind & 8) run.d.notification = law_cnpgate_params(law_u64(&r));
    if (run.kind & 128) run.d.notification.interval_ns = law_u16(&r);
    LAW_FORGET(&run);
    run.buffer_bytes = law_wred_u32(&r);
    if (run.kind & 16) run.buffer_bytes = 32000000;
    if (run.kind & 32) run.d.marking = law_wred_params(&r);
    run.interval_ns = run.d.notification.interval_ns;
    LAW_FORGET(&run);
    run.refusal = rocecc_dcqcn_deployment_init(&run.d, run.buffer_bytes);
    digest = law_mix(digest, run.refusal);
    digest = law_mix(digest, run.d.reaction.power_q32[8]);
    LAW_FORGET(&run);
    LAW((run.refusal == ROCECC_DCQCN_DEPLOYMENT_ACCEPTED) ==
        (run.d.reaction.increase_inverse != 0));
    LAW((run.refusal == ROCECC_DCQCN_DEPLOYMENT_REFUSED_REACTION) ==
        !law_dcqcn_sane(&run.d.reaction));
    if (run.refusal == ROCECC_DCQCN_DEPLOYMENT_REFUSED_REACTION) return digest;
    LAW_FORGET(&run);
    LAW((run.refusal == ROCECC_DCQCN_DEPLOYMENT_REFUSED_NOTIFICATION) ==
        (run.interval_ns >> 31 != 0 || run.d.notification.defer > 1));
    if (run.refusal == ROCECC_DCQCN_DEPLOYMENT_REFUSED_NOTIFICATION) return digest;
    LAW((run.refusal == ROCECC_DCQCN_DEPLOYMENT_REFUSED_MARKING) ==
        (rocecc_wred_init(&run.d.marking) != ROCECC_WRED_ACCEPTED));
    if (run.refusal == ROCECC_DCQCN_DEPLOYMENT_REFUSED_MARKING) return digest;
    LAW_FORGET(&run);
    LAW((run.refusal == ROCECC_DCQCN_DEPLOYMENT_REFUSED_NEVER_MARKED) ==
        (law_wred_reach(&run.d.marking, run.buffer_bytes) == ROCECC_WRED_REACH_NONE));
    if (run.refusal == ROCECC_DCQCN_DEPLOYMENT_REFUSED_NEVER_MARKED) return digest;
    run.held = law_dcqcn_deployment_held(&run.d.reaction, run.interval_ns);
    LAW_FORGET(&run);
    LAW(run.held == 0 ||
        (run.held < 0) == (run.refusal == ROCECC_DCQCN_DEPLOYMENT_REFUSED_ALPHA));
    if (run.refusal == ROCECC_DCQCN_DEPLOYMENT_REFUSED_ALPHA) return digest;
    LAW((run.refusal == ROCECC_DCQCN_DEPLOYMENT_REFUSED_INCREASE_TIMER) ==
        (run.d.reaction.increase_timer_ns <= run.interval_ns));
    return digest;
}

#endif /* TESTS_LAW_DCQCN_DEPLOYMENT_H */
