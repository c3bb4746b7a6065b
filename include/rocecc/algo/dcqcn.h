/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_DCQCN_H
#define ROCECC_ALGO_DCQCN_H

/*
 * dcqcn.h - DCQCN's reaction point, which sets the rate of one sending flow. Zhu et
 * al., SIGCOMM 2015; NVIDIA's DCQCN parameters; HPCC's ns-3 code (SIGCOMM 2019).
 *
 *   CNP     R_T = R_C,  R_C = R_C * (1 - alpha/2),  alpha = (1 - g) * alpha + g
 *   K       alpha = (1 - g) * alpha               if no CNP arrives for K
 *   T or B  R_C = (R_T + R_C) / 2                 end of a stage by time or by bytes
 *
 *       rate ^            both stages > F: hyper, R_T += i * R_HAI
 *        R_T |--.         __..--'' one stage > F: additive, R_T += R_AI
 *            |  |   .-''-'         F stages of fast recovery, R_T stays
 *            |  |.-'
 *            +--+------------------------------> stages since the cut
 *
 * Example, with the paper's values at 40 Gb/s: the first CNP cuts R_C to 20 Gb/s and
 * leaves R_T at 40 Gb/s. The increase timer then raises R_C to 30, 35, 37.5, 38.75 and
 * 39.375 Gb/s. After 55 us without a CNP, alpha falls from 1 to 255/256.
 *
 * The parameter `periodic` selects the mode. In event mode, CNPs cut the rate. In
 * periodic mode, CNPs are noted, and the cut timer then cuts the rate.
 *
 * State: 32 bytes. The host must keep three one-shot timers. For each bit that is set
 * in an action's `arm`, the host must start or restart the corresponding timer, so that
 * it expires one period after the event. The time of a timer event is the timer's
 * deadline, even if the host handles this event late (D-30). dcqcn_timed.h keeps the
 * timers for a host that polls. The state remains valid even if events are repeated,
 * lost or late (D-31).
 *
 * The host's rate limiter must release bursts at intervals shorter than T, the period
 * of the increase timer, even at a flow's lowest expected rate. CNPs must not be lost
 * (README.md, "Assumptions"). Receivers must limit the CNPs of each QP with a CNP gate.
 * If a receiver might not have such a gate, the sender must set cut_interval_ns to the
 * interval that the gate would use.
 *
 * After the last cut, F + 4 + (line - R_T) / min(R_AI, R_HAI) expiries of the increase
 * timer bring R_C to within 1/16 of line rate (D-36). The error in alpha is at most
 * 2^-32 / g + 2^-28. README.md lists the rules D-1 to D-37.
 */
#include "dcqcn_params.h"

/* Timer bits in `arm` and `stop`. */
enum {
    ROCECC_DCQCN_TIMER_ALPHA = 1,    /* alpha_timer_ns */
    ROCECC_DCQCN_TIMER_CUT = 2,      /* cut_interval_ns */
    ROCECC_DCQCN_TIMER_INCREASE = 4, /* increase_timer_ns */
    ROCECC_DCQCN_TIMER_ALL = 7
};

/* Bits of `flags`. */
enum {
    ROCECC_DCQCN_ACTIVE = 1,      /* the flow has a limiter */
    ROCECC_DCQCN_NOTED_ALPHA = 2, /* periodic mode: CNP noted for the alpha timer */
    ROCECC_DCQCN_NOTED_CUT = 4,   /* periodic mode: CNP noted for the cut timer */
    ROCECC_DCQCN_NOTED = 6,       /* mask of the two NOTED bits */
    ROCECC_DCQCN_RECENT = 8       /* event mode: the cut interval has not ended */
};

typedef struct rocecc_dcqcn {
    uint64_t rate_bps;    /* current rate; R_C */
    uint64_t target_bps;  /* target rate; R_T */
    uint32_t alpha_q31;   /* congestion estimate before pending decays; for alpha,
                             call rocecc_dcqcn_alpha_q31() */
    uint32_t sent_bytes;  /* bytes counted towards the next byte stage; below B */
    uint32_t cut_left_ns; /* time until the cut timer expires; kept only by
                             dcqcn_timed.h; otherwise 0 */
    uint8_t time_stages;  /* stages by time since the last cut; T_s; D-3 and D-35 also
                             reset it */
    uint8_t byte_stages;  /* stages by bytes since the last cut; B_s; D-3 and D-35 also
                             reset it */
    uint8_t decays;       /* alpha-timer expiries not yet applied to alpha; alpha_q31
                             excludes them (D-33) */
    uint8_t flags;        /* state flags of the flow; ROCECC_DCQCN_ACTIVE,
                             _NOTED_..., _RECENT */
} rocecc_dcqcn;

ROCECC_SIZE_(rocecc_dcqcn, 32);

typedef struct rocecc_dcqcn_action {
    uint64_t rate_bps; /* sending rate from now on; a waiting packet leaves at the last
                          departure + size of the last packet / rate */
    uint8_t arm;       /* timers to start or restart; ROCECC_DCQCN_TIMER_... */
    uint8_t stop;      /* timers to stop, if running */
    bool cut;          /* rate cut by this event; true for D-6, but not for D-3 or
                          D-35 */
    bool released;     /* limiter removed by this event */
} rocecc_dcqcn_action;

/*
 * Returns the state of a flow at line rate. Until a CNP or a restart gives the flow a
 * limiter, timer events and sent bytes change nothing (D-1, D-35).
 */
ROCECC_FN rocecc_dcqcn rocecc_dcqcn_start(const rocecc_dcqcn_params *params)
{
    rocecc_dcqcn s = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    s.rate_bps = s.target_bps = params->line_bps;
    s.alpha_q31 = params->alpha_init_q20 << 11;
    return s;
}

/* Returns alpha = alpha_q31 * (1 - g)^decays (D-33). */
ROCECC_FN uint32_t rocecc_dcqcn_alpha_q31(const rocecc_dcqcn_params *params,
                                          const rocecc_dcqcn *state)
{
    const uint64_t half = (uint64_t)1 << 31;
    uint64_t kept_q32 = (uint64_t)1 << 32;
    int i;
    if (state->decays == 0) return state->alpha_q31;
    for (i = 0; i < ROCECC_DCQCN_POWERS - 1 && state->decays >> i != 0; i++) {
        /*
         * If bit i of `decays` is set, kept = kept * (1 - g)^(2^i). A mask selects the
         * value, because a branch would double the number of paths that a BPF verifier
         * explores.
         */
        const uint64_t has = (uint64_t)0 - (state->decays >> i & 1u);
        const uint64_t next_q32 = (kept_q32 * params->power_q32[i] + half) >> 32;
        kept_q32 ^= (kept_q32 ^ next_q32) & has;
    }
    return (uint32_t)((state->alpha_q31 * kept_q32 + half) >> 32);
}

/*
 * Adds n_timers, the number of alpha-timer expiries without a noted CNP, to `decays`.
 * Applies each full block of 256 decays to alpha (D-33). A block takes one
 * multiplication. After at most 96 blocks, alpha is 0 (D-11).
 */
ROCECC_FN void rocecc_dcqcn_count_decays_(const rocecc_dcqcn_params *params,
                                          rocecc_dcqcn *state, uint64_t n_timers)
{
    uint64_t left = state->decays + n_timers;
    int i;
    for (i = 0; i < ROCECC_DCQCN_BLOCKS_MAX && left >= ROCECC_DCQCN_BLOCK; i++) {
        /*
         * alpha = alpha * (1 - g)^256, rounded to nearest, but at least one unit less
         * than before
         */
        const uint64_t kept_q63 = (uint64_t)state->alpha_q31 * params->power_q32[8];
        const uint64_t kept = (kept_q63 + ((uint64_t)1 << 31)) >> 32;
        if (state->alpha_q31 == 0) break;
        state->alpha_q31 = (uint32_t)rocecc_min(kept, state->alpha_q31 - 1u);
        left -= ROCECC_DCQCN_BLOCK;
    }
    state->decays = (uint8_t)(state->alpha_q31 == 0 ? 0 : left);
}

ROCECC_FN void rocecc_dcqcn_apply_decays_(const rocecc_dcqcn_params *params,
                                          rocecc_dcqcn *state)
{
    state->alpha_q31 = rocecc_dcqcn_alpha_q31(params, state);
    state->decays = 0;
}

/* Raises alpha by g * (1 - alpha), up to 1 (D-10). `decays` must be 0. */
ROCECC_FN void rocecc_dcqcn_raise_alpha_(const rocecc_dcqcn_params *params,
                                         rocecc_dcqcn *state)
{
    state->alpha_q31 =
        rocecc_ewma_q20(state->alpha_q31, ROCECC_DCQCN_ONE_Q31, params->g_q20);
}

/* Returns min(stages + 1, 255) (D-23). */
ROCECC_FN uint8_t rocecc_dcqcn_next_stage_(uint8_t stages)
{
    const uint32_t next = stages + 1u;
    return (uint8_t)(next - (next >> 8));
}

/* Returns true if alpha is 0 and no CNP is noted (D-29). */
ROCECC_FN bool rocecc_dcqcn_timers_idle_(const rocecc_dcqcn *state)
{
    return state->alpha_q31 == 0 && (state->flags & ROCECC_DCQCN_NOTED) == 0;
}

/* Returns the timers that are stopped while alpha is 0 and no CNP is noted (D-29). */
ROCECC_FN uint8_t rocecc_dcqcn_idle_timers_(const rocecc_dcqcn_params *params)
{
    return params->periodic != 0 ? ROCECC_DCQCN_TIMER_ALPHA | ROCECC_DCQCN_TIMER_CUT
                                 : ROCECC_DCQCN_TIMER_ALPHA;
}

/* Returns true if an increase would change nothing (D-32). */
ROCECC_FN bool rocecc_dcqcn_at_line_(const rocecc_dcqcn_params *params,
                                     const rocecc_dcqcn *state)
{
    return state->rate_bps >= params->line_bps && state->target_bps >= params->line_bps;
}

/*
 * Clears both stage counts and the byte count, and arms the increase timer (D-9). In
 * event mode, also arms the cut timer if cut_interval_ns is not 0 (D-5).
 */
ROCECC_FN void rocecc_dcqcn_reset_stages_(const rocecc_dcqcn_params *params,
                                          rocecc_dcqcn *state,
                                          rocecc_dcqcn_action *action)
{
    state->time_stages = state->byte_stages = 0;
    state->sent_bytes = 0;
    action->arm |= ROCECC_DCQCN_TIMER_INCREASE;
    if (params->periodic != 0 || params->cut_interval_ns == 0) return;
    state->flags |= ROCECC_DCQCN_RECENT;
    action->arm |= ROCECC_DCQCN_TIMER_CUT;
}

/*
 * Returns the fraction of R_C that a cut removes, which is alpha / 2^cut_shift, but at
 * most 1 (D-6).
 */
ROCECC_FN uint32_t rocecc_dcqcn_part_q31_(const rocecc_dcqcn_params *params,
                                          uint32_t alpha_q31)
{
    const uint32_t doublings = (uint32_t)-params->cut_shift & 31; /* 0 .. 9 */
    if (params->cut_shift > 0) return alpha_q31 >> 1;
    /* part = min(alpha, 2^cut_shift) / 2^cut_shift */
    return (uint32_t)rocecc_min(alpha_q31, ROCECC_DCQCN_ONE_Q31 >> doublings)
           << doublings;
}

/*
 * Sets R_T = R_C if D-8 requires it, and then cuts R_C, but not below either floor of
 * D-7.
 */
ROCECC_FN void rocecc_dcqcn_cut_(const rocecc_dcqcn_params *params, rocecc_dcqcn *state,
                                 rocecc_dcqcn_action *action)
{
    const uint32_t alpha_q31 = rocecc_dcqcn_alpha_q31(params, state);
    const uint32_t part_q31 = rocecc_dcqcn_part_q31_(params, alpha_q31);
    const uint64_t keep_q31 =
        rocecc_max(ROCECC_DCQCN_ONE_Q31 - part_q31, params->min_dec_q20 << 11);
    /* R_C = R_C * max(1 - part, min_dec), rounded to nearest */
    const uint64_t kept_bps =
        rocecc_mul_q32_(state->rate_bps, 2 * keep_q31, 0x80000000u);
    if (params->clamp_target != 0 || state->byte_stages != 0 ||
        (params->clamp_target_after_time != 0 && state->time_stages != 0))
        state->target_bps = state->rate_bps;
    state->rate_bps = rocecc_clamp(kept_bps, params->min_bps, params->line_bps);
    rocecc_dcqcn_reset_stages_(params, state, action);
    action->cut = true;
}

/*
 * Returns the amount to add to R_T. This amount is 0 in fast recovery, i * R_HAI in
 * hyper increase (D-21), and otherwise R_AI (D-20).
 */
ROCECC_FN uint64_t rocecc_dcqcn_step_bps_(const rocecc_dcqcn_params *params,
                                          const rocecc_dcqcn *state)
{
    const bool by_time = params->stage_rule == ROCECC_DCQCN_STAGE_NS3;
    const uint32_t bytes = by_time ? state->time_stages : state->byte_stages;
    const uint32_t most = (uint32_t)rocecc_max(state->time_stages, bytes);
    const uint32_t least = (uint32_t)rocecc_min(state->time_stages, bytes);
    const uint32_t i = params->hai_flat != 0 ? 1 : least - params->hyper_from + 1;
    if (most < params->fast_below) return 0;
    return least >= params->hyper_from ? params->hai_bps * i : params->ai_bps;
}

/*
 * Raises R_T by a step, and then moves R_C halfway to R_T (D-15). Neither rate exceeds
 * line rate (D-22).
 */
ROCECC_FN void rocecc_dcqcn_increase_(const rocecc_dcqcn_params *params,
                                      rocecc_dcqcn *state)
{
    state->target_bps = rocecc_min(
        state->target_bps + rocecc_dcqcn_step_bps_(params, state), params->line_bps);
    /* R_C = (R_T + R_C) / 2, rounded up, so that R_C reaches R_T */
    state->rate_bps = rocecc_clamp((state->target_bps + state->rate_bps + 1) >> 1,
                                   params->min_bps, params->line_bps);
}

/*
 * Removes the limiter if release_bps is not 0 and R_C >= release_bps (D-24). Otherwise
 * stops the increase timer if R_C and R_T are at line rate (D-32).
 */
ROCECC_FN void rocecc_dcqcn_release_or_stop_(const rocecc_dcqcn_params *params,
                                             rocecc_dcqcn *state,
                                             rocecc_dcqcn_action *action)
{
    if (params->release_bps != 0 && state->rate_bps >= params->release_bps) {
        *state = rocecc_dcqcn_start(params);
        action->arm = 0;
        action->stop = ROCECC_DCQCN_TIMER_ALL;
        action->released = true;
    } else if (rocecc_dcqcn_at_line_(params, state)) {
        action->arm = 0;
        action->stop = ROCECC_DCQCN_TIMER_INCREASE;
    }
}

/*
 * Handles a CNP in event mode. Cuts the rate and then raises alpha (D-10), or raises
 * alpha first if alpha_first is set (D-4). If first_cnp_bps is not 0, the first CNP
 * sets R_C = R_T = first_cnp_bps instead of cutting the rate (D-3). Cuts are at least
 * cut_interval_ns apart (D-5).
 */
ROCECC_FN void rocecc_dcqcn_cnp_by_event_(const rocecc_dcqcn_params *params,
                                          rocecc_dcqcn *state, bool first,
                                          rocecc_dcqcn_action *action)
{
    rocecc_dcqcn_apply_decays_(params, state);
    action->arm = ROCECC_DCQCN_TIMER_ALPHA;
    if (params->alpha_first != 0) rocecc_dcqcn_raise_alpha_(params, state);
    if (first && params->first_cnp_bps != 0) {
        state->rate_bps = state->target_bps = params->first_cnp_bps;
        rocecc_dcqcn_reset_stages_(params, state, action);
    } else if ((state->flags & ROCECC_DCQCN_RECENT) == 0) {
        rocecc_dcqcn_cut_(params, state, action);
    }
    if (params->alpha_first == 0) rocecc_dcqcn_raise_alpha_(params, state);
}

/*
 * Handles a CNP in periodic mode. Notes the CNP for the alpha and cut timers (D-26),
 * and starts these timers if they are stopped (D-29). The first CNP is noted only for
 * the cut timer, and sets R_T = R_C (D-25). If first_cnp_bps is not 0, the first CNP
 * sets both rates to first_cnp_bps (D-3).
 */
ROCECC_FN void rocecc_dcqcn_cnp_by_period_(const rocecc_dcqcn_params *params,
                                           rocecc_dcqcn *state, bool first,
                                           rocecc_dcqcn_action *action)
{
    if (first || rocecc_dcqcn_timers_idle_(state))
        action->arm = rocecc_dcqcn_idle_timers_(params);
    state->flags |= ROCECC_DCQCN_NOTED_CUT;
    if (first) {
        if (params->first_cnp_bps != 0) state->rate_bps = params->first_cnp_bps;
        state->target_bps = state->rate_bps;
    } else {
        state->flags |= ROCECC_DCQCN_NOTED_ALPHA;
    }
}

/*
 * Handles a CNP for the flow. The first CNP makes the flow active, with an initial
 * alpha of alpha_0 (D-2).
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_cnp(const rocecc_dcqcn_params *params,
                                               rocecc_dcqcn *state)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    const bool first = (state->flags & ROCECC_DCQCN_ACTIVE) == 0;
    state->flags |= ROCECC_DCQCN_ACTIVE;
    if (params->periodic != 0)
        rocecc_dcqcn_cnp_by_period_(params, state, first, &act);
    else
        rocecc_dcqcn_cnp_by_event_(params, state, first, &act);
    act.rate_bps = state->rate_bps;
    return act;
}

/*
 * Handles the expiry of the alpha timer. Raises alpha by g * (1 - alpha) if a CNP was
 * noted (D-27), and otherwise lowers it by g * alpha (D-11, D-33). If alpha is then 0
 * and no CNP is noted, stops the alpha timer, and in periodic mode also the cut timer
 * (D-29).
 */
ROCECC_FN rocecc_dcqcn_action
rocecc_dcqcn_alpha_timer(const rocecc_dcqcn_params *params, rocecc_dcqcn *state)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    act.rate_bps = state->rate_bps;
    if ((state->flags & ROCECC_DCQCN_ACTIVE) == 0) return act;
    if ((state->flags & ROCECC_DCQCN_NOTED_ALPHA) != 0) {
        rocecc_dcqcn_apply_decays_(params, state);
        rocecc_dcqcn_raise_alpha_(params, state);
    } else {
        rocecc_dcqcn_count_decays_(params, state, 1);
    }
    state->flags &= (uint8_t)~ROCECC_DCQCN_NOTED_ALPHA;
    if (rocecc_dcqcn_timers_idle_(state))
        act.stop = rocecc_dcqcn_idle_timers_(params);
    else
        act.arm = ROCECC_DCQCN_TIMER_ALPHA;
    return act;
}

/*
 * Handles the expiry of the cut timer. In periodic mode, cuts the rate if a CNP was
 * noted (D-28). In this mode, also stops the alpha and cut timers if alpha is 0 and no
 * CNP is noted for the alpha timer (D-29). In event mode, allows the next CNP to cut
 * the rate again (D-5).
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_cut_timer(const rocecc_dcqcn_params *params,
                                                     rocecc_dcqcn *state)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    state->flags &= (uint8_t)~ROCECC_DCQCN_RECENT;
    if ((state->flags & ROCECC_DCQCN_ACTIVE) != 0 && params->periodic != 0) {
        if ((state->flags & ROCECC_DCQCN_NOTED_CUT) != 0) {
            state->flags &= (uint8_t)~ROCECC_DCQCN_NOTED_CUT;
            rocecc_dcqcn_cut_(params, state, &act);
        }
        if (rocecc_dcqcn_timers_idle_(state))
            act.stop = rocecc_dcqcn_idle_timers_(params);
        else
            act.arm |= ROCECC_DCQCN_TIMER_CUT;
    }
    act.rate_bps = state->rate_bps;
    return act;
}

/*
 * Handles the expiry of the increase timer, which ends a stage by time and increases
 * the rate (D-12).
 */
ROCECC_FN rocecc_dcqcn_action
rocecc_dcqcn_increase_timer(const rocecc_dcqcn_params *params, rocecc_dcqcn *state)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    if ((state->flags & ROCECC_DCQCN_ACTIVE) != 0) {
        state->time_stages = rocecc_dcqcn_next_stage_(state->time_stages);
        rocecc_dcqcn_increase_(params, state);
        act.arm = ROCECC_DCQCN_TIMER_INCREASE;
        rocecc_dcqcn_release_or_stop_(params, state, &act);
    }
    act.rate_bps = state->rate_bps;
    return act;
}

/*
 * Ends one stage and increases the rate once for each stage_bytes bytes in sent_bytes,
 * but at most 8 times. The remainder below stage_bytes carries over. stage_bytes must
 * not be 0.
 */
ROCECC_FN void rocecc_dcqcn_end_byte_stages_(const rocecc_dcqcn_params *params,
                                             rocecc_dcqcn *state, uint64_t stage_bytes,
                                             uint64_t sent_bytes,
                                             rocecc_dcqcn_action *action)
{
    int i;
    for (i = 0; i < ROCECC_DCQCN_INCREASES_MAX && sent_bytes >= stage_bytes; i++) {
        sent_bytes -= stage_bytes;
        state->byte_stages = rocecc_dcqcn_next_stage_(state->byte_stages);
        rocecc_dcqcn_increase_(params, state);
    }
    if (sent_bytes >= stage_bytes)
        sent_bytes -= ROCECC_DIV64(sent_bytes, stage_bytes) * stage_bytes;
    state->sent_bytes = (uint32_t)sent_bytes;
    rocecc_dcqcn_release_or_stop_(params, state, action);
    action->rate_bps = state->rate_bps;
}

/*
 * Adds `bytes`, the number of bytes sent since the last call, to the byte count. Unless
 * B is 0 (D-14), every B bytes end a stage and increase the rate, but at most 8 times
 * per call. The bytes of further full stages are discarded, and the remainder below B
 * carries over (D-13). A call takes a division only if `bytes` exceeds 8 * B.
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_sent(const rocecc_dcqcn_params *params,
                                                rocecc_dcqcn *state, uint32_t bytes)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    const uint64_t each = params->byte_counter_bytes;
    act.rate_bps = state->rate_bps;
    if ((state->flags & ROCECC_DCQCN_ACTIVE) != 0 && each != 0) {
        const uint64_t count = (uint64_t)state->sent_bytes + bytes;
        state->sent_bytes = (uint32_t)count;
        if (ROCECC_UNLIKELY_(count >= each))
            rocecc_dcqcn_end_byte_stages_(params, state, each, count, &act);
    }
    return act;
}

/*
 * Handles a new line rate. *params must be for the new line rate, and must keep the old
 * g. Sets an inactive flow to this line rate. For an active flow, clamps R_C and R_T to
 * R_min .. line, and restarts the increase timer (D-34).
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_relink(const rocecc_dcqcn_params *params,
                                                  rocecc_dcqcn *state)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    if ((state->flags & ROCECC_DCQCN_ACTIVE) == 0) {
        *state = rocecc_dcqcn_start(params);
    } else {
        state->rate_bps =
            rocecc_clamp(state->rate_bps, params->min_bps, params->line_bps);
        state->target_bps =
            rocecc_clamp(state->target_bps, params->min_bps, params->line_bps);
        if (state->sent_bytes >= params->byte_counter_bytes) state->sent_bytes = 0;
        act.arm = ROCECC_DCQCN_TIMER_INCREASE;
    }
    act.rate_bps = state->rate_bps;
    return act;
}

/*
 * Handles a loss (a NACK or a timeout), or a long pause in sending. If restart_bps is
 * not 0 and R_C is above it, sets R_T = R_C, then sets R_C = restart_bps, and restarts
 * the stages (D-35). If this call creates the limiter, the next CNP is not handled as
 * the first CNP.
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_restart(const rocecc_dcqcn_params *params,
                                                   rocecc_dcqcn *state)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    if (params->restart_bps != 0 && state->rate_bps > params->restart_bps) {
        if ((state->flags & ROCECC_DCQCN_ACTIVE) == 0 &&
            !rocecc_dcqcn_timers_idle_(state))
            act.arm = rocecc_dcqcn_idle_timers_(params);
        state->flags |= ROCECC_DCQCN_ACTIVE;
        state->target_bps = state->rate_bps;
        state->rate_bps = params->restart_bps;
        state->time_stages = state->byte_stages = 0;
        state->sent_bytes = 0;
        act.arm |= ROCECC_DCQCN_TIMER_INCREASE;
    }
    act.rate_bps = state->rate_bps;
    return act;
}

#endif /* ROCECC_ALGO_DCQCN_H */
