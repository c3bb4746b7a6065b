/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_QCN_TIMED_H
#define ROCECC_ALGO_QCN_TIMED_H

/*
 * qcn_timed.h - the reaction point of qcn_rp.h for a host that polls. The state (40
 * bytes) contains the flow and its timer RpWhile. A late call handles the expiries that
 * were missed.
 *
 *   CNM          expiries of RpWhile
 *    |-- 15 ms --x-- 15 ms --x-- 15 ms --x-- 15 ms --x-- 15 ms --x-7.5-x-7.5-x ...
 *   ^call                        ^call: two                          ^call: three
 *
 * Example, with the MIB's defaults at 10 Gb/s: after a first CNM with QntzFb 63, the
 * host makes no call for 10 s. The next call handles the 11 expiries up to the release,
 * which is due 120 ms after the CNM. The state is then exactly as if
 * rocecc_qcn_rp_timer() had been called at each expiry.
 *
 * A call's work is bounded for any gap below 2^63 ns. A call handles at most
 * ROCECC_QCN_RP_TIMED_EXPIRIES_MAX expiries one by one (255 until the stage count is
 * constant, 44 until T - C is constant, 44 after T has reached rpgMaxRate, and a few
 * more). The call handles all other expiries together, and only these need divisions.
 * With jitter, all expiries in a call use the call's random number.
 *
 * The action is as in qcn_rp.h, except for timer_ns. Here, timer_ns is the time until
 * RpWhile expires, or 0 if RpWhile is not running. If timer_ns is not 0, the host can
 * sleep for this time. README.md lists the rules RP-22 to RP-24.
 */
#include "qcn_rp.h"

/*
 * The largest number of expiries that a call handles one by one. A host may define a
 * smaller number, and a BPF program must do so. If more expiries are due when a call
 * reaches this limit, the call leaves them for later calls and sets timer_ns to 1, so
 * that the host calls again immediately. However, a CNM that restarts RpWhile discards
 * the remaining expiries.
 */
#ifndef ROCECC_QCN_RP_TIMED_EXPIRIES_MAX
#define ROCECC_QCN_RP_TIMED_EXPIRIES_MAX 352
#endif

typedef struct rocecc_qcn_rp_timed {
    rocecc_qcn_rp flow; /* before rocecc_qcn_rp_relink(), advance with the old params */
    uint64_t last_ns;   /* expiries up to this time are done */
    uint32_t due_ns;    /* time from last_ns until RpWhile expires, if flow.enabled */
} rocecc_qcn_rp_timed;
ROCECC_SIZE_(rocecc_qcn_rp_timed, 40);

/* Input for a flow. */
typedef struct rocecc_qcn_rp_event {
    uint64_t now_ns;
    uint32_t random;
    uint32_t bytes;  /* octets sent; only for sent() */
    uint8_t qntz_fb; /* only for cnm() */
    uint8_t host;    /* since the last call: ROCECC_QCN_FROZEN, ROCECC_QCN_EMPTY */
} rocecc_qcn_rp_event;

/* Returns a new flow, like rocecc_qcn_rp_start(), with its time set to now_ns. */
ROCECC_FN rocecc_qcn_rp_timed
rocecc_qcn_rp_timed_start(const rocecc_qcn_rp_params *params, uint64_t now_ns)
{
    rocecc_qcn_rp_timed t = {{0, 0, 0, 0, 0, 0, 0}, 0, 0};
    t.flow = rocecc_qcn_rp_start(params);
    t.last_ns = now_ns;
    return t;
}

/*
 * Returns how many of the next expiries are certain to raise T and C by the same amount
 * as the latest expiry. `before` and `after` must be the flow's states before and after
 * the latest expiry. When T rises by R, d = T - C becomes ceil((d + R) / 2). If the
 * latest expiry did not change d, then d stays constant until T would reach rpgMaxRate.
 * The expiry that would raise T to rpgMaxRate must be handled alone.
 */
ROCECC_FN uint64_t rocecc_qcn_rp_count_alike_(const rocecc_qcn_rp_params *params,
                                              const rocecc_qcn_rp *before,
                                              const rocecc_qcn_rp *after)
{
    const uint64_t rise_bps = after->target_bps - before->target_bps;
    if (after->time_stage != before->time_stage || after->state != before->state ||
        after->rate_bps - before->rate_bps != rise_bps)
        return 0;
    if (rise_bps == 0) return UINT64_MAX;
    if (after->target_bps >= params->max_bps) return 0;
    return ROCECC_DIV64(params->max_bps - 1 - after->target_bps, rise_bps);
}

/*
 * Handles an expiry that was due late_ns ago. Also handles the due expiries that
 * directly follow this expiry and have the same effect. Returns the part of late_ns
 * that remains after these expiries.
 */
ROCECC_FN uint64_t rocecc_qcn_rp_run_expiries_(const rocecc_qcn_rp_params *params,
                                               rocecc_qcn_rp_timed *state,
                                               uint8_t host_flags, uint32_t random,
                                               uint64_t late_ns)
{
    const rocecc_qcn_rp was = state->flow;
    uint64_t more;
    state->due_ns =
        rocecc_qcn_rp_timer(params, &state->flow, host_flags, random).timer_ns;
    if (state->due_ns == 0 || late_ns < state->due_ns) return late_ns;
    more = rocecc_qcn_rp_count_alike_(params, &was, &state->flow);
    if (more == 0) return late_ns;
    more = rocecc_min(more, ROCECC_DIV64(late_ns, state->due_ns));
    /* C = C + m * R, T = T + m * R */
    state->flow.rate_bps += more * (state->flow.target_bps - was.target_bps);
    state->flow.target_bps += more * (state->flow.target_bps - was.target_bps);
    return late_ns - more * state->due_ns;
}

/*
 * Handles each expiry of RpWhile up to now_ns, in order and at its own deadline
 * (RP-22). host_flags apply to the whole time since the last call. If the clock steps
 * back by up to 2^63 ns, nothing is due, and RpWhile keeps its remaining time (RP-23).
 */
ROCECC_FN rocecc_qcn_rp_action rocecc_qcn_rp_timed_advance(
    const rocecc_qcn_rp_params *params, rocecc_qcn_rp_timed *state, uint8_t host_flags,
    uint32_t random, uint64_t now_ns)
{
    rocecc_qcn_rp_action act = {0, 0, false, false, false};
    const uint8_t enabled = state->flow.enabled;
    uint64_t late_ns = now_ns - state->last_ns;
    int i;
    if (late_ns >> 63 != 0) late_ns = 0;
    for (i = 0; i < ROCECC_QCN_RP_TIMED_EXPIRIES_MAX; i++) {
        if (state->flow.enabled == 0 || late_ns < state->due_ns) break;
        late_ns = rocecc_qcn_rp_run_expiries_(params, state, host_flags, random,
                                              late_ns - state->due_ns);
    }
    state->last_ns = now_ns;
    act.rate_bps = state->flow.rate_bps;
    if (state->flow.enabled != 0 && late_ns >= state->due_ns) {
        state->last_ns =
            now_ns - late_ns; /* bound reached; the next call continues there */
        act.timer_ns = 1;
    } else if (state->flow.enabled != 0) {
        state->due_ns -= (uint32_t)late_ns;
        act.timer_ns = state->due_ns;
    }
    act.released = enabled != state->flow.enabled;
    return act;
}

/*
 * Calls rocecc_qcn_rp_timed_advance(), then rocecc_qcn_rp_cnm(), which restarts RpWhile
 * if the CNM has an effect (RP-2). If an expiry of RpWhile released the flow before the
 * CNM, `released` is set, and a CNM with an effect also sets `created`.
 */
ROCECC_FN rocecc_qcn_rp_action
rocecc_qcn_rp_timed_cnm(const rocecc_qcn_rp_params *params, rocecc_qcn_rp_timed *state,
                        const rocecc_qcn_rp_event *event)
{
    const rocecc_qcn_rp_action past = rocecc_qcn_rp_timed_advance(
        params, state, event->host, event->random, event->now_ns);
    rocecc_qcn_rp_action act =
        rocecc_qcn_rp_cnm(params, &state->flow, event->qntz_fb, event->random);
    act.released = past.released;
    if (act.timer_ns == 0) {
        act.timer_ns = past.timer_ns;
        return act;
    }
    state->last_ns = event->now_ns;
    state->due_ns = act.timer_ns;
    return act;
}

/*
 * Calls rocecc_qcn_rp_timed_advance(), then rocecc_qcn_rp_sent(). RpWhile keeps running
 * unless the flow is released.
 */
ROCECC_FN rocecc_qcn_rp_action
rocecc_qcn_rp_timed_sent(const rocecc_qcn_rp_params *params, rocecc_qcn_rp_timed *state,
                         const rocecc_qcn_rp_event *event)
{
    const rocecc_qcn_rp_action past = rocecc_qcn_rp_timed_advance(
        params, state, event->host, event->random, event->now_ns);
    rocecc_qcn_rp_action act = rocecc_qcn_rp_sent(params, &state->flow, event->bytes,
                                                  event->host, event->random);
    act.timer_ns = act.released ? 0 : past.timer_ns;
    act.released = act.released || past.released;
    return act;
}

#endif /* ROCECC_ALGO_QCN_TIMED_H */
