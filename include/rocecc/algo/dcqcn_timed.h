/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_DCQCN_TIMED_H
#define ROCECC_ALGO_DCQCN_TIMED_H

/*
 * dcqcn_timed.h - dcqcn.h for a host that polls: the flow keeps its three timers, and
 * each call does first what has come due since the last one. Zhu et al., SIGCOMM 2015.
 *
 *     last_ns                             now_ns
 *     ---|---a----a--c-a--i-a----a----a--i-a---|--> each at its own deadline, in order
 *        |---> alpha_left_ns
 *
 *     flow = rocecc_dcqcn_timed_start(&p, now_ns);
 *     rocecc_dcqcn_timed_cnp(&p, &flow, now_ns)           each CNP
 *     rocecc_dcqcn_timed_sent(&p, &flow, bytes, now_ns)   packets sent; or _advance()
 *
 * Example, NVIDIA's values at 100 Gb/s: one CNP, then silence for a second. 4,608 alpha
 * timers, 1,151 of the cut and 36 increases are due, and done in one call: 18 products
 * for alpha, no division.
 *
 * A host that sees CNPs late must pass each with the time at which it came, in order,
 * before any other call. In periodic mode the CNPs of one instant are one (D-26): a
 * host that polls every 100 us and passes its own time leaves the queue to PFC. Its
 * clock must tick in 5 cut intervals or less (README.md, "Assumptions").
 *
 * State: 48 bytes. Any gap below 2^63 ns ends in the very bits of the single timers
 * fired in order (D-30), in at most 352 increases and 2 times 96 products. Above 2^32
 * ns a gap divides once a timer, and once where R_T has a climb of more than 255
 * increases before it. A clock that steps back has let no time pass: nothing is due,
 * and deadlines step with it (D-37). `arm` and `stop` of an action are 0 here.
 */
#include "dcqcn.h"

/* After 48 halvings R_T - R_C, below 2^44, rests; 255 stages, and twice that. */
#define ROCECC_DCQCN_TIMED_HALVINGS 48
#define ROCECC_DCQCN_TIMED_SINGLE_MAX 352

typedef struct rocecc_dcqcn_timed {
    rocecc_dcqcn flow;      /* its cut_left_ns is as those here */
    uint64_t last_ns;       /* of the last call */
    uint32_t alpha_left_ns; /* from last_ns to the deadline; 0: the timer stands */
    uint32_t increase_left_ns;
} rocecc_dcqcn_timed;

ROCECC_SIZE_(rocecc_dcqcn_timed, 48);

/* A flow as rocecc_dcqcn_start() makes it, without a timer that runs. */
ROCECC_FN rocecc_dcqcn_timed rocecc_dcqcn_timed_start(const rocecc_dcqcn_params *params,
                                                      uint64_t now_ns)
{
    rocecc_dcqcn_timed t = {{0, 0, 0, 0, 0, 0, 0, 0, 0}, 0, 0, 0};
    t.flow = rocecc_dcqcn_start(params);
    t.last_ns = now_ns;
    return t;
}

/*
 * ns / period. Below 2^32 ns by the inverse, which is floor(2^32 / period): the product
 * is too small by less than 1, and one comparison mends it.
 */
ROCECC_FN uint64_t rocecc_dcqcn_count_periods_(uint64_t ns, uint32_t period_ns,
                                               uint64_t inverse)
{
    uint64_t n;
    if (ns >> 32 != 0) return ROCECC_DIV64(ns, period_ns);
    n = ns * inverse >> 32;
    return n + (ns - n * period_ns >= period_ns ? 1 : 0);
}

/*
 * span_ns go by for a timer: how often it expires, and in *left_ns what is left then.
 * left_ns = 0: it stands. period_ns = 0: it expires once, and stands.
 */
ROCECC_FN uint64_t rocecc_dcqcn_run_timer_(uint32_t *left_ns, uint64_t span_ns,
                                           uint32_t period_ns, uint64_t inverse)
{
    uint64_t over_ns, n;
    if (*left_ns == 0) return 0;
    if (*left_ns > span_ns) {
        *left_ns -= (uint32_t)span_ns;
        return 0;
    }
    if (period_ns == 0) {
        *left_ns = 0;
        return 1;
    }
    over_ns = span_ns - *left_ns;
    n = rocecc_dcqcn_count_periods_(over_ns, period_ns, inverse);
    *left_ns = period_ns - (uint32_t)(over_ns - n * period_ns);
    return n + 1;
}

/*
 * What an action asks of the timers, at last_ns. Where one stops the cut's, it stands
 * already: it has expired, or the flow begins anew.
 */
ROCECC_FN void rocecc_dcqcn_apply_action_(const rocecc_dcqcn_params *params,
                                          rocecc_dcqcn_timed *timed,
                                          const rocecc_dcqcn_action *action)
{
    if ((action->stop & ROCECC_DCQCN_TIMER_ALPHA) != 0) timed->alpha_left_ns = 0;
    if ((action->stop & ROCECC_DCQCN_TIMER_INCREASE) != 0) timed->increase_left_ns = 0;
    if ((action->arm & ROCECC_DCQCN_TIMER_ALPHA) != 0)
        timed->alpha_left_ns = params->alpha_timer_ns;
    if ((action->arm & ROCECC_DCQCN_TIMER_CUT) != 0)
        timed->flow.cut_left_ns = params->cut_interval_ns;
    if ((action->arm & ROCECC_DCQCN_TIMER_INCREASE) != 0)
        timed->increase_left_ns = params->increase_timer_ns;
}

/*
 * n_increases by time at once, where both stage counts have come to rest and so has d =
 * R_T - R_C: each adds a step to both rates, until R_T meets the line. Returns how many
 * it did.
 */
ROCECC_FN uint64_t rocecc_dcqcn_increase_by_steps_(const rocecc_dcqcn_params *params,
                                                   rocecc_dcqcn *state,
                                                   uint64_t n_increases)
{
    const uint64_t step = rocecc_dcqcn_step_bps_(params, state);
    const uint64_t room = params->line_bps - state->target_bps;
    uint64_t most;
    if (step == 0) return 0;
    most = rocecc_min(n_increases, ROCECC_DIV64(room, step));
    state->target_bps += most * step;
    state->rate_bps += most * step;
    return most;
}

/*
 * n_timers increase timers, or those up to a release or the line: D-12, D-24, D-32.
 * With a constant step d' = floor((d + step) / 2), which comes to rest at step or step
 * - 1 after 44 of them at most; so it does at 0 once R_T is at line.
 */
ROCECC_FN void rocecc_dcqcn_increase_many_(const rocecc_dcqcn_params *params,
                                           rocecc_dcqcn *state, uint64_t n_timers,
                                           rocecc_dcqcn_action *action)
{
    int i;
    for (i = 0; i < ROCECC_DCQCN_TIMED_SINGLE_MAX && n_timers > 0; i++) {
        const uint64_t apart = state->target_bps - state->rate_bps;
        const bool rests = state->time_stages == 255;
        const rocecc_dcqcn_action one = rocecc_dcqcn_increase_timer(params, state);
        n_timers--;
        action->released = one.released;
        if ((one.stop & ROCECC_DCQCN_TIMER_INCREASE) != 0) return;
        if (rests && n_timers > ROCECC_DCQCN_TIMED_HALVINGS &&
            state->target_bps - state->rate_bps == apart)
            n_timers -= rocecc_dcqcn_increase_by_steps_(params, state, n_timers - 1);
    }
}

/* span_ns go by for the increase timer; a release stops all three. */
ROCECC_FN void rocecc_dcqcn_run_increase_timer_(const rocecc_dcqcn_params *params,
                                                rocecc_dcqcn_timed *timed,
                                                uint64_t span_ns,
                                                rocecc_dcqcn_action *action)
{
    const uint64_t n =
        rocecc_dcqcn_run_timer_(&timed->increase_left_ns, span_ns,
                                params->increase_timer_ns, params->increase_inverse);
    rocecc_dcqcn_action none = {0, 0, 0, false, false};
    if (n == 0) return;
    rocecc_dcqcn_increase_many_(params, &timed->flow, n, &none);
    if (none.released) {
        action->released = true;
        timed->alpha_left_ns = 0;
    }
    if (none.released || rocecc_dcqcn_at_line_(params, &timed->flow))
        timed->increase_left_ns = 0;
}

/* span_ns go by for the alpha timer: the first may rise (D-27), the others decay. */
ROCECC_FN void rocecc_dcqcn_run_alpha_timer_(const rocecc_dcqcn_params *params,
                                             rocecc_dcqcn_timed *timed,
                                             uint64_t span_ns)
{
    uint64_t n = rocecc_dcqcn_run_timer_(&timed->alpha_left_ns, span_ns,
                                         params->alpha_timer_ns, params->alpha_inverse);
    if (n == 0) return;
    if ((timed->flow.flags & ROCECC_DCQCN_NOTED_ALPHA) != 0) {
        timed->flow.flags &= (uint8_t)~ROCECC_DCQCN_NOTED_ALPHA;
        rocecc_dcqcn_apply_decays_(params, &timed->flow);
        rocecc_dcqcn_raise_alpha_(params, &timed->flow);
        n--;
    }
    rocecc_dcqcn_count_decays_(params, &timed->flow, n);
    if (!rocecc_dcqcn_timers_idle_(&timed->flow)) return;
    timed->alpha_left_ns = 0;
    if (params->periodic != 0) timed->flow.cut_left_ns = 0;
}

/* span_ns go by for the cut timer: D-28; in event mode it is one shot, D-5. */
ROCECC_FN void rocecc_dcqcn_run_cut_timer_(const rocecc_dcqcn_params *params,
                                           rocecc_dcqcn_timed *timed, uint64_t span_ns)
{
    const uint32_t period_ns = params->periodic != 0 ? params->cut_interval_ns : 0;
    const uint64_t n = rocecc_dcqcn_run_timer_(&timed->flow.cut_left_ns, span_ns,
                                               period_ns, params->cut_inverse);
    if (n != 0) timed->flow.flags &= (uint8_t)~ROCECC_DCQCN_RECENT;
}

/*
 * Up to the deadline of a cut that is due, with it: what comes before it, alpha's timer
 * at the same instant too, and not the increase timer's, which the cut starts anew.
 */
ROCECC_FN void rocecc_dcqcn_run_to_due_cut_(const rocecc_dcqcn_params *params,
                                            rocecc_dcqcn_timed *timed,
                                            rocecc_dcqcn_action *action)
{
    const uint32_t span_ns = timed->flow.cut_left_ns;
    rocecc_dcqcn_action cut;
    rocecc_dcqcn_run_increase_timer_(params, timed, span_ns - 1u, action);
    if (action->released) return;
    rocecc_dcqcn_run_alpha_timer_(params, timed, span_ns);
    timed->last_ns += span_ns;
    timed->flow.cut_left_ns = 0;
    cut = rocecc_dcqcn_cut_timer(params, &timed->flow);
    rocecc_dcqcn_apply_action_(params, timed, &cut);
    action->cut = cut.cut;
}

/*
 * All that is due by now, in the order of D-30. Without CNPs there is at most one cut,
 * of a CNP that is noted; before and after it the timers do not meet: increases read no
 * alpha, alpha no rate, and a release ends all.
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_timed_advance(
    const rocecc_dcqcn_params *params, rocecc_dcqcn_timed *state, uint64_t now_ns)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    const uint64_t gap_ns = now_ns - state->last_ns;
    if (gap_ns != 0 && gap_ns >> 63 == 0) {
        if ((state->flow.flags & ROCECC_DCQCN_NOTED_CUT) != 0 &&
            state->flow.cut_left_ns != 0 && state->flow.cut_left_ns <= gap_ns)
            rocecc_dcqcn_run_to_due_cut_(params, state, &act);
        rocecc_dcqcn_run_increase_timer_(params, state, now_ns - state->last_ns, &act);
        rocecc_dcqcn_run_alpha_timer_(params, state, now_ns - state->last_ns);
        rocecc_dcqcn_run_cut_timer_(params, state, now_ns - state->last_ns);
    }
    state->last_ns = now_ns;
    act.rate_bps = state->flow.rate_bps;
    return act;
}

/* After rocecc_dcqcn_timed_advance(), an event of now, whose action is *action. */
ROCECC_FN rocecc_dcqcn_action
rocecc_dcqcn_join_actions_(const rocecc_dcqcn_params *params, rocecc_dcqcn_timed *timed,
                           rocecc_dcqcn_action before, rocecc_dcqcn_action action)
{
    rocecc_dcqcn_apply_action_(params, timed, &action);
    action.arm = action.stop = 0;
    action.cut = action.cut || before.cut;
    action.released = action.released || before.released;
    return action;
}

/* rocecc_dcqcn_cnp(), at now. */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_timed_cnp(const rocecc_dcqcn_params *params,
                                                     rocecc_dcqcn_timed *state,
                                                     uint64_t now_ns)
{
    const rocecc_dcqcn_action before =
        rocecc_dcqcn_timed_advance(params, state, now_ns);
    return rocecc_dcqcn_join_actions_(params, state, before,
                                      rocecc_dcqcn_cnp(params, &state->flow));
}

/* rocecc_dcqcn_sent(), at now. */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_timed_sent(const rocecc_dcqcn_params *params,
                                                      rocecc_dcqcn_timed *state,
                                                      uint32_t bytes, uint64_t now_ns)
{
    const rocecc_dcqcn_action before =
        rocecc_dcqcn_timed_advance(params, state, now_ns);
    return rocecc_dcqcn_join_actions_(params, state, before,
                                      rocecc_dcqcn_sent(params, &state->flow, bytes));
}

/* rocecc_dcqcn_relink(), at now; the time before goes by the new parameters. */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_timed_relink(
    const rocecc_dcqcn_params *params, rocecc_dcqcn_timed *state, uint64_t now_ns)
{
    const rocecc_dcqcn_action before =
        rocecc_dcqcn_timed_advance(params, state, now_ns);
    return rocecc_dcqcn_join_actions_(params, state, before,
                                      rocecc_dcqcn_relink(params, &state->flow));
}

/* rocecc_dcqcn_restart(), at now. */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_timed_restart(
    const rocecc_dcqcn_params *params, rocecc_dcqcn_timed *state, uint64_t now_ns)
{
    const rocecc_dcqcn_action before =
        rocecc_dcqcn_timed_advance(params, state, now_ns);
    return rocecc_dcqcn_join_actions_(params, state, before,
                                      rocecc_dcqcn_restart(params, &state->flow));
}

/*
 * When time alone next changes the rate, so that a host may sleep until then;
 * UINT64_MAX for never. alpha's timer changes none: what is due of it is done at any
 * later call.
 */
ROCECC_FN uint64_t rocecc_dcqcn_timed_next_ns(const rocecc_dcqcn_timed *state)
{
    const bool cut = (state->flow.flags & ROCECC_DCQCN_NOTED_CUT) != 0;
    const uint64_t never = UINT64_MAX;
    const uint64_t increase_ns =
        state->increase_left_ns != 0 ? state->increase_left_ns : never;
    const uint64_t cut_ns =
        cut && state->flow.cut_left_ns != 0 ? state->flow.cut_left_ns : never;
    const uint64_t left_ns = rocecc_min(increase_ns, cut_ns);
    return left_ns > never - state->last_ns ? never : state->last_ns + left_ns;
}

#endif /* ROCECC_ALGO_DCQCN_TIMED_H */
