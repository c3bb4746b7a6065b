/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_DCQCN_H
#define ROCECC_ALGO_DCQCN_H

/*
 * dcqcn.h - DCQCN's reaction point: the rate of one sending flow. Zhu et al., SIGCOMM
 * 2015; NVIDIA's DCQCN parameters; the ns-3 of HPCC (SIGCOMM 2019).
 *
 *   CNP     R_T = R_C,  R_C = R_C (1 - alpha/2),  alpha = (1 - g) alpha + g
 *   K       alpha = (1 - g) alpha                 without a CNP for K
 *   T or B  R_C = (R_T + R_C) / 2                 a stage, by time or by bytes sent
 *
 *       rate ^            both stages > F: hyper, R_T += i R_HAI
 *        R_T |--.         __..--'' one stage > F: additive, R_T += R_AI
 *            |  |   .-''-'         F stages of fast recovery, R_T stays
 *            |  |.-'
 *            +--+------------------------------> stages since the cut
 *
 * Example, the paper's values at 40 Gb/s: the first CNP cuts R_C to 20 and leaves R_T
 * at 40. The increase timer then brings R_C to 30, 35, 37.5, 38.75 and 39.375 Gb/s. 55
 * us without a CNP take alpha from 1 to 255/256.
 *
 * State: 32 bytes, and no clock. Timers are the host's, one shot each: a bit in `arm`
 * (re)starts one, which expires its period after the event: after now for a CNP, after
 * its own deadline for a timer, however late the call (D-30). A host that polls takes
 * dcqcn_timed.h, which keeps them. Any event at any time leaves the state valid (D-31).
 *
 * The host's limiter must send a burst in less than T, at the lowest rate that a flow
 * is to have, and CNPs must not be lost: README.md, "Assumptions". A receiver must have
 * a gate for each QP. If it may have none, set cut_interval_ns to N.
 *
 * Without CNPs a flow is within 1/16 of line after F + 4 + (line - R_T) / R_AI increase
 * timers: D-36. alpha is off by at most 2^-32 / g + 2^-28, a rate by 2 bit/s and what
 * alpha makes of a cut. README.md has D-1 to D-37, timers, polling and error in full,
 * and what NICs have beside.
 */
#include "dcqcn_params.h"

/* In `arm` and `stop`. */
enum {
    ROCECC_DCQCN_TIMER_ALPHA = 1,    /* alpha_timer_ns */
    ROCECC_DCQCN_TIMER_CUT = 2,      /* cut_interval_ns */
    ROCECC_DCQCN_TIMER_INCREASE = 4, /* increase_timer_ns */
    ROCECC_DCQCN_TIMER_ALL = 7
};

/* In `flags`. */
enum {
    ROCECC_DCQCN_ACTIVE = 1,      /* from the first CNP to the release: a limiter */
    ROCECC_DCQCN_NOTED_ALPHA = 2, /* periodic: a CNP since the last alpha timer */
    ROCECC_DCQCN_NOTED_CUT = 4,   /* periodic: ... since the last cut timer */
    ROCECC_DCQCN_NOTED = 6,       /* periodic: either */
    ROCECC_DCQCN_RECENT = 8 /* otherwise: cut_interval has not passed since a cut */
};

typedef struct rocecc_dcqcn {
    uint64_t rate_bps;    /* R_C */
    uint64_t target_bps;  /* R_T */
    uint32_t alpha_q31;   /* without `decays`: rocecc_dcqcn_alpha_q31() has both */
    uint32_t sent_bytes;  /* since the last stage by bytes; below B */
    uint32_t cut_left_ns; /* a deadline of rocecc_dcqcn_timed; otherwise 0 */
    uint8_t time_stages;  /* T_s, since the last cut */
    uint8_t byte_stages;  /* B_s */
    uint8_t decays;       /* alpha timers that alpha_q31 has yet to take: D-33 */
    uint8_t flags;        /* ROCECC_DCQCN_ACTIVE, _NOTED_..., _RECENT */
} rocecc_dcqcn;

ROCECC_SIZE_(rocecc_dcqcn, 32);

typedef struct rocecc_dcqcn_action {
    uint64_t rate_bps; /* of the limiter from now on; the packet that already waits
                          leaves at last departure + bytes of the last packet / rate */
    uint8_t arm;       /* ROCECC_DCQCN_TIMER_...: start these, or start them again */
    uint8_t stop;      /* stop these, if they run */
    bool cut;          /* this event cut the rate */
    bool released;     /* this event took the limiter away */
} rocecc_dcqcn_action;

/* A flow at line rate, without a limiter until its first CNP: D-1. */
ROCECC_FN rocecc_dcqcn rocecc_dcqcn_start(const rocecc_dcqcn_params *params)
{
    rocecc_dcqcn s = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    s.rate_bps = s.target_bps = params->line_bps;
    s.alpha_q31 = params->alpha_init_q20 << 11;
    return s;
}

/*
 * alpha = alpha_q31 (1 - g)^decays (D-33), by the bits of `decays`: at most eight
 * products. A mask where a branch would double a verifier's paths each time.
 */
ROCECC_FN uint32_t rocecc_dcqcn_alpha_q31(const rocecc_dcqcn_params *params,
                                          const rocecc_dcqcn *state)
{
    const uint64_t half = (uint64_t)1 << 31;
    uint64_t kept_q32 = (uint64_t)1 << 32;
    int i;
    if (state->decays == 0) return state->alpha_q31;
    for (i = 0; i < ROCECC_DCQCN_POWERS - 1 && state->decays >> i != 0; i++) {
        const uint64_t has = (uint64_t)0 - (state->decays >> i & 1u);
        const uint64_t next_q32 = (kept_q32 * params->power_q32[i] + half) >> 32;
        kept_q32 ^= (kept_q32 ^ next_q32) & has;
    }
    return (uint32_t)((state->alpha_q31 * kept_q32 + half) >> 32);
}

/*
 * n_timers alpha timers without a CNP: `decays` counts them. Each 256 are taken at
 * once, alpha_q31 (1 - g)^256 rounded to nearest, and at least one unit less, so that
 * alpha arrives at 0 (D-11); there `decays` is 0. So n_timers are n_timers times one
 * (D-33), in at most 96 products.
 */
ROCECC_FN void rocecc_dcqcn_count_decays_(const rocecc_dcqcn_params *params,
                                          rocecc_dcqcn *state, uint64_t n_timers)
{
    uint64_t left = state->decays + n_timers;
    int i;
    for (i = 0; i < ROCECC_DCQCN_BLOCKS_MAX && left >= ROCECC_DCQCN_BLOCK; i++) {
        const uint64_t kept_q63 = (uint64_t)state->alpha_q31 * params->power_q32[8];
        const uint64_t kept = (kept_q63 + ((uint64_t)1 << 31)) >> 32;
        if (state->alpha_q31 == 0) break;
        state->alpha_q31 = (uint32_t)rocecc_min(kept, state->alpha_q31 - 1u);
        left -= ROCECC_DCQCN_BLOCK;
    }
    state->decays = (uint8_t)(state->alpha_q31 == 0 ? 0 : left);
}

/* alpha is what `decays` leave of it, in alpha_q31. */
ROCECC_FN void rocecc_dcqcn_apply_decays_(const rocecc_dcqcn_params *params,
                                          rocecc_dcqcn *state)
{
    state->alpha_q31 = rocecc_dcqcn_alpha_q31(params, state);
    state->decays = 0;
}

/* alpha += g (1 - alpha), which arrives at 1: D-10. It is settled. */
ROCECC_FN void rocecc_dcqcn_raise_alpha_(const rocecc_dcqcn_params *params,
                                         rocecc_dcqcn *state)
{
    state->alpha_q31 =
        rocecc_ewma_q20(state->alpha_q31, ROCECC_DCQCN_ONE_Q31, params->g_q20);
}

/* min(stages + 1, 255): D-23. Eight branches in a row are too many for a verifier. */
ROCECC_FN uint8_t rocecc_dcqcn_next_stage_(uint8_t stages)
{
    const uint32_t next = stages + 1u;
    return (uint8_t)(next - (next >> 8));
}

/* Whether the alpha timer has nothing to do, and in periodic mode the cut timer: D-29.
 */
ROCECC_FN bool rocecc_dcqcn_timers_idle_(const rocecc_dcqcn *state)
{
    return state->alpha_q31 == 0 && (state->flags & ROCECC_DCQCN_NOTED) == 0;
}

/* What stops when they have: both keep one grid in periodic mode. */
ROCECC_FN uint8_t rocecc_dcqcn_idle_timers_(const rocecc_dcqcn_params *params)
{
    return params->periodic != 0 ? ROCECC_DCQCN_TIMER_ALPHA | ROCECC_DCQCN_TIMER_CUT
                                 : ROCECC_DCQCN_TIMER_ALPHA;
}

/* Whether an increase would change nothing, so that its timer stops: D-32. */
ROCECC_FN bool rocecc_dcqcn_at_line_(const rocecc_dcqcn_params *params,
                                     const rocecc_dcqcn *state)
{
    return state->rate_bps >= params->line_bps && state->target_bps >= params->line_bps;
}

/* T_s = B_s = 0, no bytes, the increase timer anew: D-9. Event mode: D-5's time, too.
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

/* The part of R_C that a cut takes: alpha / 2^cut_shift, and 1 at most (D-6). */
ROCECC_FN uint32_t rocecc_dcqcn_part_q31_(const rocecc_dcqcn_params *params,
                                          uint32_t alpha_q31)
{
    const uint32_t doublings = (uint32_t)-params->cut_shift & 31; /* 0 .. 9 */
    if (params->cut_shift > 0) return alpha_q31 >> 1;
    return (uint32_t)rocecc_min(alpha_q31, ROCECC_DCQCN_ONE_Q31 >> doublings)
           << doublings;
}

/*
 * R_C = R_C (1 - part), to nearest, not below the floors (D-7); before that R_T = R_C,
 * by the clamp flags (D-8).
 */
ROCECC_FN void rocecc_dcqcn_cut_(const rocecc_dcqcn_params *params, rocecc_dcqcn *state,
                                 rocecc_dcqcn_action *action)
{
    const uint32_t alpha_q31 = rocecc_dcqcn_alpha_q31(params, state);
    const uint32_t part_q31 = rocecc_dcqcn_part_q31_(params, alpha_q31);
    const uint64_t keep_q31 =
        rocecc_max(ROCECC_DCQCN_ONE_Q31 - part_q31, params->min_dec_q20 << 11);
    const uint64_t kept_bps =
        rocecc_mul_q32_(state->rate_bps, 2 * keep_q31, 0x80000000u);
    if (params->clamp_target != 0 || state->byte_stages != 0 ||
        (params->clamp_target_after_time != 0 && state->time_stages != 0))
        state->target_bps = state->rate_bps;
    state->rate_bps = rocecc_clamp(kept_bps, params->min_bps, params->line_bps);
    rocecc_dcqcn_reset_stages_(params, state, action);
    action->cut = true;
}

/* By how much R_T rises: R_AI (D-20), i R_HAI (D-21), or in fast recovery nothing. */
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
 * R_T rises by a step; then R_C = (R_T + R_C) / 2, rounded up, so that it arrives
 * (D-15). Both stay <= line (D-22).
 */
ROCECC_FN void rocecc_dcqcn_increase_(const rocecc_dcqcn_params *params,
                                      rocecc_dcqcn *state)
{
    state->target_bps = rocecc_min(
        state->target_bps + rocecc_dcqcn_step_bps_(params, state), params->line_bps);
    state->rate_bps = rocecc_clamp((state->target_bps + state->rate_bps + 1) >> 1,
                                   params->min_bps, params->line_bps);
}

/*
 * After increases. R_C >= release: no limiter, as at the start (D-24; increases only
 * raise R_C, so that one look is enough). At line the increase timer stops (D-32).
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
 * A CNP in event mode: a cut, then alpha rises (D-10); alpha_first: the other way round
 * (D-4). A first CNP may set a rate instead (D-3). No cut comes within cut_interval of
 * another (D-5).
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
 * A CNP in periodic mode is noted for both timers (D-26), which it starts if they have
 * stopped (D-29). The first sets R_T = R_C, and is not noted for alpha (D-25).
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

/* A CNP for the flow. The first makes it active, at alpha_0 as start left it: D-2. */
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
 * The alpha timer expires: alpha -= g alpha (D-11), by a count (D-33), or if a CNP was
 * noted alpha += g (1 - alpha) (D-27). With nothing left to do it stops (D-29).
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
 * The cut timer expires. In periodic mode, a cut if a CNP was noted: D-28, D-29. In
 * event mode, the next CNP cuts again: D-5.
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

/* The increase timer expires: one more stage by time, and an increase: D-12. */
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
 * Of count bytes each B, which is not 0, end a stage, and increase; at most 8. What is
 * left carries over.
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
 * Bytes of the flow were sent. Each B of them end a stage and increase, at most 8 a
 * call; the remainder carries over (D-13). B = 0: never (D-14). Divides only above 8 B.
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
 * The line's speed has changed, and *params is of the new one (its g as it was). An
 * inactive flow is at the new line. An active one has R_C and R_T within R_min and
 * line, and the increase timer, which may have stopped at the old line: D-34.
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
 * The flow lost packets (a NACK, a timeout), or sent nothing for so long that what it
 * knew is old: R_T = R_C, R_C = restart_bps, if that is less. In every preset it is 0,
 * which is off: D-35.
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
