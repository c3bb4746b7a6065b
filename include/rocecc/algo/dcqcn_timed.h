/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_DCQCN_TIMED_H
#define ROCECC_ALGO_DCQCN_TIMED_H

/*
 * dcqcn_timed.h - dcqcn.h for a host that polls. The state contains the flow's three
 * timers, and each call first fires the timers that are due. Zhu et al., SIGCOMM 2015.
 *
 *     last_ns                             now_ns
 *     ---|---a----a--c-a--i-a----a----a--i-a---|--> each at its own deadline, in order
 *        |---> alpha_left_ns
 *
 *     flow = rocecc_dcqcn_timed_start(&p, now_ns);
 *     rocecc_dcqcn_timed_cnp(&p, &flow, now_ns)           each CNP
 *     rocecc_dcqcn_timed_sent(&p, &flow, bytes, now_ns)   packets sent; or _advance()
 *
 * Example, with NVIDIA's values at 100 Gb/s: within 1 s after a single CNP, the alpha,
 * cut and increase timers are due 4,608, 1,151 and 36 times, respectively. One call at
 * the end of this time has the same effect as all these expiries, and takes no
 * division.
 *
 * At each poll, the host must first pass the pending CNPs to rocecc_dcqcn_timed_cnp(),
 * in order and with their arrival times. In periodic mode, CNPs with the same arrival
 * time count as one CNP (D-26), but a flow's first CNP counts separately (D-25). If
 * hosts in periodic mode poll every 100 us, and pass the time of the poll instead of
 * the arrival times, the queue of 32 flows grows until PFC stops the hosts. In periodic
 * mode, the host's clock must also tick at least once every 5 cut intervals (README.md,
 * "Assumptions").
 *
 * State: 48 bytes. After any gap below 2^63 ns between two calls, the state is exactly
 * as if each timer had been fired on time and in order (D-30). To fire the due timers,
 * a call performs at most 2 * 352 increases one by one, and takes at most 96
 * multiplications for blocks of 256 decays. Raising alpha and cutting the rate each
 * take at most 9 more multiplications for the pending decays (D-33). A timer that is at
 * least 2^32 ns overdue takes at most one division. A cut splits the gap into two
 * parts. Each part, or the whole gap without a cut, takes at most two more divisions,
 * and only if more than 48 of its increases are still due when time_stages is 255. If
 * the clock steps back, no timer is due, and the deadlines move back with the clock
 * (D-37). In the returned actions, `arm` and `stop` are 0.
 */
#include "dcqcn.h"

/*
 * R_T - R_C is below 2^44, and becomes constant within 48 increases. The limit of 352
 * increases covers 255 stages and 2 * 48 further increases.
 */
#define ROCECC_DCQCN_TIMED_HALVINGS 48
#define ROCECC_DCQCN_TIMED_SINGLE_MAX 352

typedef struct rocecc_dcqcn_timed {
    rocecc_dcqcn flow;         /* state as in dcqcn.h; flow.cut_left_ns is used like
                                  alpha_left_ns */
    uint64_t last_ns;          /* time of the last call */
    uint32_t alpha_left_ns;    /* time until the alpha timer expires; counted from
                                  last_ns; 0 if stopped */
    uint32_t increase_left_ns; /* time until the increase timer expires; counted from
                                  last_ns; 0 if stopped */
} rocecc_dcqcn_timed;

ROCECC_SIZE_(rocecc_dcqcn_timed, 48);

/* Returns a new flow, like rocecc_dcqcn_start(), with all timers stopped. */
ROCECC_FN rocecc_dcqcn_timed rocecc_dcqcn_timed_start(const rocecc_dcqcn_params *params,
                                                      uint64_t now_ns)
{
    rocecc_dcqcn_timed t = {{0, 0, 0, 0, 0, 0, 0, 0, 0}, 0, 0, 0};
    t.flow = rocecc_dcqcn_start(params);
    t.last_ns = now_ns;
    return t;
}

/*
 * Returns ns / period_ns, rounded down. If ns is below 2^32, multiplies by inverse =
 * floor(2^32 / period_ns) instead of dividing.
 */
ROCECC_FN uint64_t rocecc_dcqcn_count_periods_(uint64_t ns, uint32_t period_ns,
                                               uint64_t inverse)
{
    uint64_t n;
    if (ns >> 32 != 0) return ROCECC_DIV64(ns, period_ns);
    /* n is ns / period_ns, rounded down, or 1 less. One comparison corrects n. */
    n = ns * inverse >> 32;
    return n + (ns - n * period_ns >= period_ns ? 1 : 0);
}

/*
 * Advances a timer by span_ns. Returns the number of times that the timer expires in
 * this span. Sets *left_ns to the time until the timer's next deadline, or to 0 if the
 * timer is stopped. If period_ns is 0, the timer stops when it expires.
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
 * Stops and starts timers at the time last_ns, as `action` requests. Ignores requests
 * to stop the cut timer, because cut_left_ns is already 0 whenever this is requested.
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
 * Applies up to n_increases expiries of the increase timer at once, and returns the
 * number applied. R_T - R_C and the stage counts must already be constant, so that each
 * expiry adds the same step to both rates. Stops before R_T would exceed line rate.
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
 * Fires the increase timer n_timers times, but stops early if the flow is released or
 * reaches line rate (D-12, D-24, D-32).
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
        /*
         * An increase changes d = R_T - R_C to floor((d + step) / 2), so d becomes
         * constant after at most 44 increases. Its final value is 0 if R_T is at line
         * rate, and otherwise step or step - 1.
         */
        if (rests && n_timers > ROCECC_DCQCN_TIMED_HALVINGS &&
            state->target_bps - state->rate_bps == apart)
            n_timers -= rocecc_dcqcn_increase_by_steps_(params, state, n_timers - 1);
    }
}

/* Advances the increase timer by span_ns. A release stops all three timers. */
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

/*
 * Advances the alpha timer by span_ns. If a CNP is noted, the first expiry raises alpha
 * (D-27).
 */
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

/*
 * Advances the cut timer by span_ns (D-28). In event mode, this timer expires at most
 * once (D-5).
 */
ROCECC_FN void rocecc_dcqcn_run_cut_timer_(const rocecc_dcqcn_params *params,
                                           rocecc_dcqcn_timed *timed, uint64_t span_ns)
{
    const uint32_t period_ns = params->periodic != 0 ? params->cut_interval_ns : 0;
    const uint64_t n = rocecc_dcqcn_run_timer_(&timed->flow.cut_left_ns, span_ns,
                                               period_ns, params->cut_inverse);
    if (n != 0) timed->flow.flags &= (uint8_t)~ROCECC_DCQCN_RECENT;
}

/*
 * Advances all timers to the time of a due cut, and then cuts the rate, unless an
 * increase has released the flow. If the alpha timer is due at the same instant, it
 * fires before the cut. If the increase timer is due at the same instant, it does not
 * fire, because the cut restarts it.
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
 * Fires all timers due by now_ns, in order of deadline. Timers that are due at the same
 * instant fire in the order alpha, cut, increase. Returns the rate. In the returned
 * action, `cut` is set if a timer cut the rate, and `released` is set if a timer
 * released the flow.
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_timed_advance(
    const rocecc_dcqcn_params *params, rocecc_dcqcn_timed *state, uint64_t now_ns)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    const uint64_t gap_ns = now_ns - state->last_ns;
    /*
     * A cut requires a noted CNP and clears the note, so at most one cut can be due.
     * Apart from this cut, the timers do not affect each other.
     */
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

/*
 * Applies `action`, the result of an event, after rocecc_dcqcn_timed_advance() has
 * returned `before`. Returns one action that combines `before` and `action`.
 */
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

/*
 * Calls rocecc_dcqcn_timed_advance(), then rocecc_dcqcn_cnp(). If a timer releases the
 * flow before the CNP is handled, `released` is set even though the CNP then re-creates
 * the limiter.
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_timed_cnp(const rocecc_dcqcn_params *params,
                                                     rocecc_dcqcn_timed *state,
                                                     uint64_t now_ns)
{
    const rocecc_dcqcn_action before =
        rocecc_dcqcn_timed_advance(params, state, now_ns);
    return rocecc_dcqcn_join_actions_(params, state, before,
                                      rocecc_dcqcn_cnp(params, &state->flow));
}

/* Calls rocecc_dcqcn_timed_advance(), then rocecc_dcqcn_sent(). */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_timed_sent(const rocecc_dcqcn_params *params,
                                                      rocecc_dcqcn_timed *state,
                                                      uint32_t bytes, uint64_t now_ns)
{
    const rocecc_dcqcn_action before =
        rocecc_dcqcn_timed_advance(params, state, now_ns);
    return rocecc_dcqcn_join_actions_(params, state, before,
                                      rocecc_dcqcn_sent(params, &state->flow, bytes));
}

/*
 * Calls rocecc_dcqcn_timed_advance() with the new parameters, then
 * rocecc_dcqcn_relink().
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_timed_relink(
    const rocecc_dcqcn_params *params, rocecc_dcqcn_timed *state, uint64_t now_ns)
{
    const rocecc_dcqcn_action before =
        rocecc_dcqcn_timed_advance(params, state, now_ns);
    return rocecc_dcqcn_join_actions_(params, state, before,
                                      rocecc_dcqcn_relink(params, &state->flow));
}

/* Calls rocecc_dcqcn_timed_advance(), then rocecc_dcqcn_restart(). */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_timed_restart(
    const rocecc_dcqcn_params *params, rocecc_dcqcn_timed *state, uint64_t now_ns)
{
    const rocecc_dcqcn_action before =
        rocecc_dcqcn_timed_advance(params, state, now_ns);
    return rocecc_dcqcn_join_actions_(params, state, before,
                                      rocecc_dcqcn_restart(params, &state->flow));
}

/*
 * Returns the next time at which a timer can change the rate, or UINT64_MAX if no timer
 * can change it. The host can sleep until this time, and must then call
 * rocecc_dcqcn_timed_advance(). The alpha timer does not change the rate, so the host
 * need not wake up for it.
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
