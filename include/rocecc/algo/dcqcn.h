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
    uint64_t rate_bps; /* of the limiter from now on */
    uint8_t arm;       /* ROCECC_DCQCN_TIMER_...: start these, or start them again */
    uint8_t stop;      /* stop these, if they run */
    bool cut;          /* this event cut the rate */
    bool released;     /* this event took the limiter away */
} rocecc_dcqcn_action;

/* A flow at line rate, without a limiter until its first CNP: D-1. */
ROCECC_FN rocecc_dcqcn rocecc_dcqcn_start(const rocecc_dcqcn_params *p)
{
    rocecc_dcqcn s = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    s.rate_bps = s.target_bps = p->line_bps;
    s.alpha_q31 = p->alpha_init_q20 << 11;
    return s;
}

/*
 * alpha = alpha_q31 (1 - g)^decays (D-33), by the bits of `decays`: at most eight
 * products. A mask where a branch would double a verifier's paths each time.
 */
ROCECC_FN uint32_t rocecc_dcqcn_alpha_q31(const rocecc_dcqcn_params *p,
                                          const rocecc_dcqcn *s)
{
    const uint64_t half = (uint64_t)1 << 31;
    uint64_t kept_q32 = (uint64_t)1 << 32;
    int i;
    if (s->decays == 0) return s->alpha_q31;
    for (i = 0; i < ROCECC_DCQCN_POWERS - 1 && s->decays >> i != 0; i++) {
        const uint64_t has = (uint64_t)0 - (s->decays >> i & 1u);
        const uint64_t next_q32 = (kept_q32 * p->power_q32[i] + half) >> 32;
        kept_q32 ^= (kept_q32 ^ next_q32) & has;
    }
    return (uint32_t)((s->alpha_q31 * kept_q32 + half) >> 32);
}

/*
 * n alpha timers without a CNP: `decays` counts them. Each 256 are taken at once,
 * alpha_q31 (1 - g)^256 rounded to nearest, and at least one unit less, so that alpha
 * arrives at 0 (D-11); there `decays` is 0. So n timers are n times one (D-33), in at
 * most 96 products.
 */
ROCECC_FN void rocecc_dcqcn_decay_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                                   uint64_t n)
{
    uint64_t left = s->decays + n;
    int i;
    for (i = 0; i < ROCECC_DCQCN_BLOCKS_MAX && left >= ROCECC_DCQCN_BLOCK; i++) {
        const uint64_t kept_q63 = (uint64_t)s->alpha_q31 * p->power_q32[8];
        const uint64_t kept = (kept_q63 + ((uint64_t)1 << 31)) >> 32;
        if (s->alpha_q31 == 0) break;
        s->alpha_q31 = (uint32_t)rocecc_min(kept, s->alpha_q31 - 1u);
        left -= ROCECC_DCQCN_BLOCK;
    }
    s->decays = (uint8_t)(s->alpha_q31 == 0 ? 0 : left);
}

/* alpha is what `decays` leave of it, in alpha_q31. */
ROCECC_FN void rocecc_dcqcn_settle_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s)
{
    s->alpha_q31 = rocecc_dcqcn_alpha_q31(p, s);
    s->decays = 0;
}

/* alpha += g (1 - alpha), which arrives at 1: D-10. It is settled. */
ROCECC_FN void rocecc_dcqcn_rise_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s)
{
    s->alpha_q31 = rocecc_ewma_q20(s->alpha_q31, ROCECC_DCQCN_ONE_Q31, p->g_q20);
}

/* min(stages + 1, 255): D-23. Eight branches in a row are too many for a verifier. */
ROCECC_FN uint8_t rocecc_dcqcn_next_stage_(uint8_t stages)
{
    const uint32_t next = stages + 1u;
    return (uint8_t)(next - (next >> 8));
}

/* Whether the alpha timer has nothing to do, and in periodic mode the cut timer: D-29.
 */
ROCECC_FN bool rocecc_dcqcn_idle_(const rocecc_dcqcn *s)
{
    return s->alpha_q31 == 0 && (s->flags & ROCECC_DCQCN_NOTED) == 0;
}

/* What stops when they have: both keep one grid in periodic mode. */
ROCECC_FN uint8_t rocecc_dcqcn_idle_timers_(const rocecc_dcqcn_params *p)
{
    return p->periodic != 0 ? ROCECC_DCQCN_TIMER_ALPHA | ROCECC_DCQCN_TIMER_CUT
                            : ROCECC_DCQCN_TIMER_ALPHA;
}

/* Whether an increase would change nothing, so that its timer stops: D-32. */
ROCECC_FN bool rocecc_dcqcn_at_line_(const rocecc_dcqcn_params *p,
                                     const rocecc_dcqcn *s)
{
    return s->rate_bps >= p->line_bps && s->target_bps >= p->line_bps;
}

/* T_s = B_s = 0, no bytes, the increase timer anew: D-9. Event mode: D-5's time, too.
 */
ROCECC_FN void rocecc_dcqcn_restage_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                                     rocecc_dcqcn_action *act)
{
    s->time_stages = s->byte_stages = 0;
    s->sent_bytes = 0;
    act->arm |= ROCECC_DCQCN_TIMER_INCREASE;
    if (p->periodic != 0 || p->cut_interval_ns == 0) return;
    s->flags |= ROCECC_DCQCN_RECENT;
    act->arm |= ROCECC_DCQCN_TIMER_CUT;
}

/*
 * R_C = R_C (1 - alpha/2) (D-6), to nearest, not below the floors (D-7); before that
 * R_T = R_C, by the clamp flags (D-8).
 */
ROCECC_FN void rocecc_dcqcn_cut_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                                 rocecc_dcqcn_action *act)
{
    const uint32_t alpha_q31 = rocecc_dcqcn_alpha_q31(p, s);
    const uint32_t part_q31 = p->cut_shift != 0 ? alpha_q31 >> 1 : alpha_q31;
    const uint64_t keep_q31 =
        rocecc_max(ROCECC_DCQCN_ONE_Q31 - part_q31, p->min_dec_q20 << 11);
    const uint64_t kept_bps = rocecc_mul_q32_(s->rate_bps, 2 * keep_q31, 0x80000000u);
    if (p->clamp_target != 0 || s->byte_stages != 0 ||
        (p->clamp_target_after_time != 0 && s->time_stages != 0))
        s->target_bps = s->rate_bps;
    s->rate_bps = rocecc_clamp(kept_bps, p->min_bps, p->line_bps);
    rocecc_dcqcn_restage_(p, s, act);
    act->cut = true;
}

/* By how much R_T rises: R_AI (D-20), i R_HAI (D-21), or in fast recovery nothing. */
ROCECC_FN uint64_t rocecc_dcqcn_step_bps_(const rocecc_dcqcn_params *p,
                                          const rocecc_dcqcn *s)
{
    const bool by_time = p->stage_rule == ROCECC_DCQCN_STAGE_NS3;
    const uint32_t bytes = by_time ? s->time_stages : s->byte_stages;
    const uint32_t most = (uint32_t)rocecc_max(s->time_stages, bytes);
    const uint32_t least = (uint32_t)rocecc_min(s->time_stages, bytes);
    const uint32_t i = p->hai_flat != 0 ? 1 : least - p->hyper_from + 1;
    if (most < p->fast_below) return 0;
    return least >= p->hyper_from ? p->hai_bps * i : p->ai_bps;
}

/*
 * R_T rises by a step; then R_C = (R_T + R_C) / 2, rounded up, so that it arrives
 * (D-15). Both stay <= line (D-22).
 */
ROCECC_FN void rocecc_dcqcn_increase_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s)
{
    s->target_bps =
        rocecc_min(s->target_bps + rocecc_dcqcn_step_bps_(p, s), p->line_bps);
    s->rate_bps =
        rocecc_clamp((s->target_bps + s->rate_bps + 1) >> 1, p->min_bps, p->line_bps);
}

/*
 * After increases. R_C >= release: no limiter, as at the start (D-24; increases only
 * raise R_C, so that one look is enough). At line the increase timer stops (D-32).
 */
ROCECC_FN void rocecc_dcqcn_release_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                                     rocecc_dcqcn_action *act)
{
    if (p->release_bps != 0 && s->rate_bps >= p->release_bps) {
        *s = rocecc_dcqcn_start(p);
        act->arm = 0;
        act->stop = ROCECC_DCQCN_TIMER_ALL;
        act->released = true;
    } else if (rocecc_dcqcn_at_line_(p, s)) {
        act->arm = 0;
        act->stop = ROCECC_DCQCN_TIMER_INCREASE;
    }
}

/*
 * A CNP in event mode: a cut, then alpha rises (D-10); alpha_first: the other way round
 * (D-4). A first CNP may set a rate instead (D-3). No cut comes within cut_interval of
 * another (D-5).
 */
ROCECC_FN void rocecc_dcqcn_react_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                                   bool first, rocecc_dcqcn_action *act)
{
    rocecc_dcqcn_settle_(p, s);
    act->arm = ROCECC_DCQCN_TIMER_ALPHA;
    if (p->alpha_first != 0) rocecc_dcqcn_rise_(p, s);
    if (first && p->first_cnp_bps != 0) {
        s->rate_bps = s->target_bps = p->first_cnp_bps;
        rocecc_dcqcn_restage_(p, s, act);
    } else if ((s->flags & ROCECC_DCQCN_RECENT) == 0) {
        rocecc_dcqcn_cut_(p, s, act);
    }
    if (p->alpha_first == 0) rocecc_dcqcn_rise_(p, s);
}

/*
 * A CNP in periodic mode is noted for both timers (D-26), which it starts if they have
 * stopped (D-29). The first sets R_T = R_C, and is not noted for alpha (D-25).
 */
ROCECC_FN void rocecc_dcqcn_note_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                                  bool first, rocecc_dcqcn_action *act)
{
    if (first || rocecc_dcqcn_idle_(s)) act->arm = rocecc_dcqcn_idle_timers_(p);
    s->flags |= ROCECC_DCQCN_NOTED_CUT;
    if (first) {
        if (p->first_cnp_bps != 0) s->rate_bps = p->first_cnp_bps;
        s->target_bps = s->rate_bps;
    } else {
        s->flags |= ROCECC_DCQCN_NOTED_ALPHA;
    }
}

/* A CNP for the flow. The first makes it active, at alpha_0 as start left it: D-2. */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_cnp(const rocecc_dcqcn_params *p,
                                               rocecc_dcqcn *s)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    const bool first = (s->flags & ROCECC_DCQCN_ACTIVE) == 0;
    s->flags |= ROCECC_DCQCN_ACTIVE;
    if (p->periodic != 0)
        rocecc_dcqcn_note_(p, s, first, &act);
    else
        rocecc_dcqcn_react_(p, s, first, &act);
    act.rate_bps = s->rate_bps;
    return act;
}

/*
 * The alpha timer expires: alpha -= g alpha (D-11), by a count (D-33), or if a CNP was
 * noted alpha += g (1 - alpha) (D-27). With nothing left to do it stops (D-29).
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_alpha_timer(const rocecc_dcqcn_params *p,
                                                       rocecc_dcqcn *s)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    act.rate_bps = s->rate_bps;
    if ((s->flags & ROCECC_DCQCN_ACTIVE) == 0) return act;
    if ((s->flags & ROCECC_DCQCN_NOTED_ALPHA) != 0) {
        rocecc_dcqcn_settle_(p, s);
        rocecc_dcqcn_rise_(p, s);
    } else {
        rocecc_dcqcn_decay_(p, s, 1);
    }
    s->flags &= (uint8_t)~ROCECC_DCQCN_NOTED_ALPHA;
    if (rocecc_dcqcn_idle_(s))
        act.stop = rocecc_dcqcn_idle_timers_(p);
    else
        act.arm = ROCECC_DCQCN_TIMER_ALPHA;
    return act;
}

/*
 * The cut timer expires. In periodic mode, a cut if a CNP was noted: D-28, D-29. In
 * event mode, the next CNP cuts again: D-5.
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_cut_timer(const rocecc_dcqcn_params *p,
                                                     rocecc_dcqcn *s)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    s->flags &= (uint8_t)~ROCECC_DCQCN_RECENT;
    if ((s->flags & ROCECC_DCQCN_ACTIVE) != 0 && p->periodic != 0) {
        if ((s->flags & ROCECC_DCQCN_NOTED_CUT) != 0) {
            s->flags &= (uint8_t)~ROCECC_DCQCN_NOTED_CUT;
            rocecc_dcqcn_cut_(p, s, &act);
        }
        if (rocecc_dcqcn_idle_(s))
            act.stop = rocecc_dcqcn_idle_timers_(p);
        else
            act.arm |= ROCECC_DCQCN_TIMER_CUT;
    }
    act.rate_bps = s->rate_bps;
    return act;
}

/* The increase timer expires: one more stage by time, and an increase: D-12. */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_increase_timer(const rocecc_dcqcn_params *p,
                                                          rocecc_dcqcn *s)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    if ((s->flags & ROCECC_DCQCN_ACTIVE) != 0) {
        s->time_stages = rocecc_dcqcn_next_stage_(s->time_stages);
        rocecc_dcqcn_increase_(p, s);
        act.arm = ROCECC_DCQCN_TIMER_INCREASE;
        rocecc_dcqcn_release_(p, s, &act);
    }
    act.rate_bps = s->rate_bps;
    return act;
}

/*
 * Of count bytes each B, which is not 0, end a stage, and increase; at most 8. What is
 * left carries over.
 */
ROCECC_FN void rocecc_dcqcn_stages_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                                    uint64_t each, uint64_t count,
                                    rocecc_dcqcn_action *act)
{
    int i;
    for (i = 0; i < ROCECC_DCQCN_INCREASES_MAX && count >= each; i++) {
        count -= each;
        s->byte_stages = rocecc_dcqcn_next_stage_(s->byte_stages);
        rocecc_dcqcn_increase_(p, s);
    }
    if (count >= each) count -= ROCECC_DIV64(count, each) * each;
    s->sent_bytes = (uint32_t)count;
    rocecc_dcqcn_release_(p, s, act);
    act->rate_bps = s->rate_bps;
}

/*
 * Bytes of the flow were sent. Each B of them end a stage and increase, at most 8 a
 * call; the remainder carries over (D-13). B = 0: never (D-14). Divides only above 8 B.
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_sent(const rocecc_dcqcn_params *p,
                                                rocecc_dcqcn *s, uint32_t bytes)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    const uint64_t each = p->byte_counter_bytes;
    act.rate_bps = s->rate_bps;
    if ((s->flags & ROCECC_DCQCN_ACTIVE) != 0 && each != 0) {
        const uint64_t count = (uint64_t)s->sent_bytes + bytes;
        s->sent_bytes = (uint32_t)count;
        if (ROCECC_RARELY_(count >= each))
            rocecc_dcqcn_stages_(p, s, each, count, &act);
    }
    return act;
}

/*
 * The line's speed has changed, and *p is of the new one (its g as it was). An inactive
 * flow is at the new line. An active one has R_C and R_T within R_min and line, and the
 * increase timer, which may have stopped at the old line: D-34.
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_relink(const rocecc_dcqcn_params *p,
                                                  rocecc_dcqcn *s)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    if ((s->flags & ROCECC_DCQCN_ACTIVE) == 0) {
        *s = rocecc_dcqcn_start(p);
    } else {
        s->rate_bps = rocecc_clamp(s->rate_bps, p->min_bps, p->line_bps);
        s->target_bps = rocecc_clamp(s->target_bps, p->min_bps, p->line_bps);
        if (s->sent_bytes >= p->byte_counter_bytes) s->sent_bytes = 0;
        act.arm = ROCECC_DCQCN_TIMER_INCREASE;
    }
    act.rate_bps = s->rate_bps;
    return act;
}

/*
 * The flow lost packets (a NACK, a timeout), or sent nothing for so long that what it
 * knew is old: R_T = R_C, R_C = restart_bps, if that is less. In every preset it is 0,
 * which is off: D-35.
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_restart(const rocecc_dcqcn_params *p,
                                                   rocecc_dcqcn *s)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    if (p->restart_bps != 0 && s->rate_bps > p->restart_bps) {
        if ((s->flags & ROCECC_DCQCN_ACTIVE) == 0 && !rocecc_dcqcn_idle_(s))
            act.arm = rocecc_dcqcn_idle_timers_(p);
        s->flags |= ROCECC_DCQCN_ACTIVE;
        s->target_bps = s->rate_bps;
        s->rate_bps = p->restart_bps;
        s->time_stages = s->byte_stages = 0;
        s->sent_bytes = 0;
        act.arm |= ROCECC_DCQCN_TIMER_INCREASE;
    }
    act.rate_bps = s->rate_bps;
    return act;
}

#endif /* ROCECC_ALGO_DCQCN_H */
