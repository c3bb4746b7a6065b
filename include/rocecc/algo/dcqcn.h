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
 * State: 32 bytes. Timers are the host's, one shot each: a bit in `arm` (re)starts one,
 * which expires its period after the event: after now for a CNP, after its own deadline
 * for a timer, however late the call (D-30). The state keeps the low 32 bits of a time.
 * Any event at any time leaves the state valid (D-31). alpha is off by at most 2^-32 /
 * g + 2^-31, a rate by 2 bit/s and what alpha makes of a cut. README.md has D-1 to
 * D-31, and timers, time and error in full.
 */
#include "../fixed.h"

#define ROCECC_DCQCN_PERIOD_END_NS ((uint32_t)1 << 31)
#define ROCECC_DCQCN_STAGES_MAX 254
#define ROCECC_DCQCN_INCREASES_MAX 8 /* of one call that reports bytes */
#define ROCECC_DCQCN_ONE_Q31 ((uint32_t)1 << 31)

/* Which stages are fast recovery and which hyper increase: D-16 to D-19. */
enum {
    ROCECC_DCQCN_STAGE_PAPER = 0, /* the text of the paper: F rounds of recovery */
    ROCECC_DCQCN_STAGE_FIGURE,    /* its figure 7: F - 1 */
    ROCECC_DCQCN_STAGE_QAU,       /* IEEE 802.1Qau's state machine */
    ROCECC_DCQCN_STAGE_NS3        /* HPCC's ns-3: stages by time alone, one additive */
};

/* In `arm` and `stop`. */
enum {
    ROCECC_DCQCN_TIMER_ALPHA = 1,    /* alpha_timer_ns */
    ROCECC_DCQCN_TIMER_CUT = 2,      /* cut_interval_ns, in periodic mode */
    ROCECC_DCQCN_TIMER_INCREASE = 4, /* increase_timer_ns */
    ROCECC_DCQCN_TIMER_ALL = 7
};

/* In `noted`. */
enum {
    ROCECC_DCQCN_NOTED_ALPHA = 1, /* periodic: a CNP since the last alpha timer */
    ROCECC_DCQCN_NOTED_CUT = 2,   /* periodic: ... since the last cut timer */
    ROCECC_DCQCN_RECENT = 4 /* otherwise: the last cut may be within cut_interval */
};

typedef enum rocecc_dcqcn_refusal {
    ROCECC_DCQCN_ACCEPTED = 0,
    ROCECC_DCQCN_REFUSED_LINE,           /* 1 .. ROCECC_RATE_END_BPS - 1 */
    ROCECC_DCQCN_REFUSED_MIN,            /* 1 .. line */
    ROCECC_DCQCN_REFUSED_G,              /* 1 .. 2^20 */
    ROCECC_DCQCN_REFUSED_ALPHA_TIMER,    /* 1 .. 2^31 - 1 */
    ROCECC_DCQCN_REFUSED_ALPHA_INIT,     /* 0 .. 2^20 */
    ROCECC_DCQCN_REFUSED_CUT_INTERVAL,   /* 0 .. 2^31 - 1; periodic: not 0 */
    ROCECC_DCQCN_REFUSED_CUT_SHIFT,      /* 0, 1 */
    ROCECC_DCQCN_REFUSED_MIN_DEC,        /* 0 .. 2^20 */
    ROCECC_DCQCN_REFUSED_FAST_RECOVERY,  /* 0 .. 254 */
    ROCECC_DCQCN_REFUSED_INCREASE_TIMER, /* 1 .. 2^31 - 1 */
    ROCECC_DCQCN_REFUSED_AI,             /* 1 .. ROCECC_RATE_END_BPS - 1 */
    ROCECC_DCQCN_REFUSED_HAI,            /* 1 .. ROCECC_RATE_END_BPS - 1 */
    ROCECC_DCQCN_REFUSED_FIRST_CNP,      /* 0, min .. line */
    ROCECC_DCQCN_REFUSED_RELEASE,        /* 0, min .. line */
    ROCECC_DCQCN_REFUSED_STAGE_RULE      /* none of the enumeration */
} rocecc_dcqcn_refusal;

typedef struct rocecc_dcqcn_params {
    uint32_t g_q20;          /* gain of alpha; dce_tcp_g, which is 1 - g in Q10 */
    uint32_t alpha_timer_ns; /* K; dce_tcp_rtt. Above the NP's pacing, or alpha falls */
    uint32_t alpha_init_q20; /* alpha_0; initial_alpha_value, in Q10 */
    uint32_t cut_interval_ns;        /* rate_reduce_monitor_period */
    uint8_t cut_shift;               /* 1: alpha/2, 0: alpha; rpg_gd - 10 */
    uint32_t min_dec_q20;            /* 0: none, 2^20: no cuts; rpg_min_dec_fac */
    uint64_t min_bps;                /* R_min; rpg_min_rate */
    uint64_t line_bps;               /* R_max, and where a flow starts; rpg_max_rate */
    uint8_t fast_recovery_stages;    /* F; rpg_threshold */
    uint32_t increase_timer_ns;      /* T; rpg_time_reset */
    uint32_t byte_counter_bytes;     /* B, 0: off; rpg_byte_reset */
    uint64_t ai_bps;                 /* R_AI; rpg_ai_rate */
    uint64_t hai_bps;                /* R_HAI; rpg_hai_rate */
    uint8_t clamp_target;            /* flag: D-8; clamp_tgt_rate */
    uint8_t clamp_target_after_time; /* flag: D-8; clamp_tgt_rate_after_time_inc */
    uint64_t first_cnp_bps;          /* 0: none, D-3; rate_to_set_on_first_cnp */
    uint64_t release_bps;            /* 0: never; D-24 */
    uint8_t stage_rule;              /* ROCECC_DCQCN_STAGE_... */
    uint8_t hai_flat;                /* flag: D-21 */
    uint8_t alpha_first;             /* flag: D-4; not if periodic */
    uint8_t periodic;                /* flag: a timer cuts, as in NICs, not the CNP */
    /* derived by init */
    uint16_t fast_below; /* stages, of the larger count */
    uint16_t hyper_from; /* stages, of the smaller count */
} rocecc_dcqcn_params;

typedef struct rocecc_dcqcn {
    uint64_t rate_bps;    /* R_C */
    uint64_t target_bps;  /* R_T */
    uint32_t alpha_q31;   /* 2^31 is 1.0 */
    uint32_t sent_bytes;  /* since the last stage by bytes; below B */
    uint32_t last_cut_ns; /* its time */
    uint8_t time_stages;  /* T_s, since the last cut */
    uint8_t byte_stages;  /* B_s */
    uint8_t active;       /* 1 from the first CNP to the release: there is a limiter */
    uint8_t noted;        /* ROCECC_DCQCN_NOTED_..., _RECENT */
} rocecc_dcqcn;

ROCECC_SIZE_(rocecc_dcqcn, 32);

typedef struct rocecc_dcqcn_action {
    uint64_t rate_bps; /* of the limiter from now on */
    uint8_t arm;       /* ROCECC_DCQCN_TIMER_...: start these, or start them again */
    uint8_t stop;      /* stop these, if they run */
    bool cut;          /* this event cut the rate */
    bool released;     /* this event took the limiter away */
} rocecc_dcqcn_action;

/*
 * The paper's values, for 40 Gb/s: g 1/256, K = T = 55 us, B 10 MB, F 5, R_AI 40 Mb/s.
 * It gives no R_min (100 Mb/s here, as in CONWEAVE and SimAI) and no R_HAI (400 Mb/s,
 * as in RoCC; step i R_HAI, as in the first author's simulator).
 */
ROCECC_FN rocecc_dcqcn_params rocecc_dcqcn_paper(uint64_t line_bps)
{
    rocecc_dcqcn_params p;
    p.g_q20 = ROCECC_ONE_Q20 / 256;
    p.alpha_timer_ns = 55000;
    p.alpha_init_q20 = ROCECC_ONE_Q20;
    p.cut_interval_ns = 0;
    p.cut_shift = 1;
    p.min_dec_q20 = 0;
    p.min_bps = rocecc_min(100000000, line_bps);
    p.line_bps = line_bps;
    p.fast_recovery_stages = 5;
    p.increase_timer_ns = 55000;
    p.byte_counter_bytes = 10000000;
    p.ai_bps = 40000000;
    p.hai_bps = 400000000;
    p.clamp_target = 1;
    p.clamp_target_after_time = 0;
    p.first_cnp_bps = 0;
    p.release_bps = 0;
    p.stage_rule = ROCECC_DCQCN_STAGE_PAPER;
    p.hai_flat = 0;
    p.alpha_first = 0;
    p.periodic = 0;
    p.fast_below = p.hyper_from = 0;
    return p;
}

/*
 * What NVIDIA's NICs ship with (mlxconfig of real cards): g 5/1024, K 1 us, alpha_0
 * 1023/1024, cuts every 4 us and to half at most, R_min 1 Mb/s, F 1, T 300 us, B 32767
 * (taken as kB), R_AI 5 and R_HAI 50 Mb/s; released at line rate. Stages as 802.1Qau
 * has them, which is how the vendor words rpg_threshold.
 */
ROCECC_FN rocecc_dcqcn_params rocecc_dcqcn_nvidia(uint64_t line_bps)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(line_bps);
    p.g_q20 = 5 * (ROCECC_ONE_Q20 / 1024);
    p.alpha_timer_ns = 1000;
    p.alpha_init_q20 = 1023 * (ROCECC_ONE_Q20 / 1024);
    p.cut_interval_ns = 4000;
    p.min_dec_q20 = ROCECC_ONE_Q20 / 2;
    p.min_bps = rocecc_min(1000000, line_bps);
    p.fast_recovery_stages = 1;
    p.increase_timer_ns = 300000;
    p.byte_counter_bytes = 32767000;
    p.ai_bps = 5000000;
    p.hai_bps = 50000000;
    p.clamp_target = 0;
    p.clamp_target_after_time = 1;
    p.release_bps = line_bps;
    p.stage_rule = ROCECC_DCQCN_STAGE_QAU;
    p.hai_flat = 1;
    p.periodic = 1;
    return p;
}

/*
 * `dcqcn` of HPCC's ns-3 (rdma-hw.cc, run.py): g 1/256, K 1 us, cuts every 4 us, R_min
 * 1 Gb/s, F 1, T 300 us, no byte counter, R_AI 5 and R_HAI 50 Mb/s for each 25 Gb/s of
 * line rate.
 */
ROCECC_FN rocecc_dcqcn_params rocecc_dcqcn_ns3_hpcc(uint64_t line_bps)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(line_bps);
    p.alpha_timer_ns = 1000;
    p.cut_interval_ns = 4000;
    p.min_bps = rocecc_min(1000000000, line_bps);
    p.fast_recovery_stages = 1;
    p.increase_timer_ns = 300000;
    p.byte_counter_bytes = 0;
    p.ai_bps = line_bps / 5000;
    p.hai_bps = line_bps / 500;
    p.clamp_target = 0;
    p.clamp_target_after_time = 1;
    p.stage_rule = ROCECC_DCQCN_STAGE_NS3;
    p.hai_flat = 1;
    p.periodic = 1;
    return p;
}

/* Whether rate is 0, which means none, or one that the limiter may have. */
ROCECC_FN bool rocecc_dcqcn_rate_fits_(const rocecc_dcqcn_params *p, uint64_t rate_bps)
{
    return rate_bps == 0 || (rate_bps >= p->min_bps && rate_bps <= p->line_bps);
}

/* A period of 1 .. 2^31 - 1 ns. */
ROCECC_FN bool rocecc_dcqcn_period_fits_(uint32_t ns)
{
    return ns != 0 && ns < ROCECC_DCQCN_PERIOD_END_NS;
}

/* The first bound that p does not keep; they are with the enumeration. */
ROCECC_FN rocecc_dcqcn_refusal rocecc_dcqcn_check_(const rocecc_dcqcn_params *p)
{
    if (p->line_bps == 0 || p->line_bps >= ROCECC_RATE_END_BPS)
        return ROCECC_DCQCN_REFUSED_LINE;
    if (p->min_bps == 0 || p->min_bps > p->line_bps) return ROCECC_DCQCN_REFUSED_MIN;
    if (p->g_q20 == 0 || p->g_q20 > ROCECC_ONE_Q20) return ROCECC_DCQCN_REFUSED_G;
    if (!rocecc_dcqcn_period_fits_(p->alpha_timer_ns))
        return ROCECC_DCQCN_REFUSED_ALPHA_TIMER;
    if (p->alpha_init_q20 > ROCECC_ONE_Q20) return ROCECC_DCQCN_REFUSED_ALPHA_INIT;
    if (!rocecc_dcqcn_period_fits_(p->cut_interval_ns) &&
        (p->cut_interval_ns != 0 || p->periodic != 0))
        return ROCECC_DCQCN_REFUSED_CUT_INTERVAL;
    if (p->cut_shift > 1) return ROCECC_DCQCN_REFUSED_CUT_SHIFT;
    if (p->min_dec_q20 > ROCECC_ONE_Q20) return ROCECC_DCQCN_REFUSED_MIN_DEC;
    if (p->fast_recovery_stages > ROCECC_DCQCN_STAGES_MAX)
        return ROCECC_DCQCN_REFUSED_FAST_RECOVERY;
    if (!rocecc_dcqcn_period_fits_(p->increase_timer_ns))
        return ROCECC_DCQCN_REFUSED_INCREASE_TIMER;
    if (p->ai_bps == 0 || p->ai_bps >= ROCECC_RATE_END_BPS)
        return ROCECC_DCQCN_REFUSED_AI;
    if (p->hai_bps == 0 || p->hai_bps >= ROCECC_RATE_END_BPS)
        return ROCECC_DCQCN_REFUSED_HAI;
    if (!rocecc_dcqcn_rate_fits_(p, p->first_cnp_bps))
        return ROCECC_DCQCN_REFUSED_FIRST_CNP;
    if (!rocecc_dcqcn_rate_fits_(p, p->release_bps))
        return ROCECC_DCQCN_REFUSED_RELEASE;
    if (p->stage_rule > ROCECC_DCQCN_STAGE_NS3) return ROCECC_DCQCN_REFUSED_STAGE_RULE;
    return ROCECC_DCQCN_ACCEPTED;
}

/* Once, before any flow. Refused: why, and *p is as it was. Counts: D-16 to D-19. */
ROCECC_FN rocecc_dcqcn_refusal rocecc_dcqcn_init(rocecc_dcqcn_params *p)
{
    const rocecc_dcqcn_refusal refusal = rocecc_dcqcn_check_(p);
    const bool qau = p->stage_rule == ROCECC_DCQCN_STAGE_QAU;
    const bool figure = p->stage_rule == ROCECC_DCQCN_STAGE_FIGURE;
    const bool ns3 = p->stage_rule == ROCECC_DCQCN_STAGE_NS3;
    if (refusal != ROCECC_DCQCN_ACCEPTED) return refusal;
    p->fast_below = (uint16_t)(p->fast_recovery_stages + (qau || figure ? 0 : 1));
    p->hyper_from = (uint16_t)(p->fast_recovery_stages + (qau ? 0 : ns3 ? 2 : 1));
    return refusal;
}

/* A flow at line rate, without a limiter until its first CNP: D-1. */
ROCECC_FN rocecc_dcqcn rocecc_dcqcn_start(const rocecc_dcqcn_params *p)
{
    rocecc_dcqcn s = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    s.rate_bps = s.target_bps = p->line_bps;
    s.alpha_q31 = p->alpha_init_q20 << 11;
    return s;
}

/* min(stages + 1, 255): D-23. Eight branches in a row are too many for a verifier. */
ROCECC_FN uint8_t rocecc_dcqcn_next_stage_(uint8_t stages)
{
    const uint32_t next = stages + 1u;
    return (uint8_t)(next - (next >> 8));
}

/* Whether the alpha and the cut timer have nothing to do, and stop: D-29. */
ROCECC_FN bool rocecc_dcqcn_idle_(const rocecc_dcqcn *s)
{
    return s->alpha_q31 == 0 && s->noted == 0;
}

/* T_s = B_s = 0, no bytes, the increase timer anew (D-9). The time is for D-5. */
ROCECC_FN void rocecc_dcqcn_restage_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                                     uint32_t now_ns, rocecc_dcqcn_action *act)
{
    s->time_stages = s->byte_stages = 0;
    s->sent_bytes = 0;
    s->last_cut_ns = now_ns;
    if (p->periodic == 0 && p->cut_interval_ns != 0) s->noted |= ROCECC_DCQCN_RECENT;
    act->arm |= ROCECC_DCQCN_TIMER_INCREASE;
}

/*
 * R_C = R_C (1 - alpha/2) (D-6), not below the floors (D-7); before that R_T = R_C, by
 * the clamp flags (D-8). 43 bits by 31 are more than 64: the factor comes in two parts.
 */
ROCECC_FN void rocecc_dcqcn_cut_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                                 uint32_t now_ns, rocecc_dcqcn_action *act)
{
    const uint32_t part_q31 = p->cut_shift != 0 ? s->alpha_q31 >> 1 : s->alpha_q31;
    const uint32_t keep_q31 =
        (uint32_t)rocecc_max(ROCECC_DCQCN_ONE_Q31 - part_q31, p->min_dec_q20 << 11);
    const uint64_t low = s->rate_bps * (keep_q31 & 0x7ff) >> 11;
    const uint64_t kept_q20 = s->rate_bps * (keep_q31 >> 11) + low;
    if (p->clamp_target != 0 || s->byte_stages != 0 ||
        (p->clamp_target_after_time != 0 && s->time_stages != 0))
        s->target_bps = s->rate_bps;
    s->rate_bps =
        rocecc_clamp((kept_q20 + (ROCECC_ONE_Q20 >> 1)) >> 20, p->min_bps, p->line_bps);
    rocecc_dcqcn_restage_(p, s, now_ns, act);
    act->cut = true;
}

/* R_C >= release: no limiter (D-24). Increases only raise R_C: one look is enough. */
ROCECC_FN void rocecc_dcqcn_release_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                                     rocecc_dcqcn_action *act)
{
    if (p->release_bps == 0 || s->rate_bps < p->release_bps) return;
    s->rate_bps = s->target_bps = p->line_bps;
    s->sent_bytes = s->last_cut_ns = 0;
    s->time_stages = s->byte_stages = 0;
    s->active = s->noted = 0;
    act->arm = 0;
    act->stop = ROCECC_DCQCN_TIMER_ALL;
    act->released = true;
}

/*
 * R_T rises by R_AI (D-20), by i R_HAI (D-21), or in fast recovery not at all; then R_C
 * = (R_T + R_C) / 2, rounded up, so that it arrives (D-15). Both stay <= line (D-22).
 */
ROCECC_FN void rocecc_dcqcn_increase_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s)
{
    const bool by_time = p->stage_rule == ROCECC_DCQCN_STAGE_NS3;
    const uint32_t bytes = by_time ? s->time_stages : s->byte_stages;
    const uint32_t most = (uint32_t)rocecc_max(s->time_stages, bytes);
    const uint32_t least = (uint32_t)rocecc_min(s->time_stages, bytes);
    if (most >= p->fast_below) {
        const uint32_t i = p->hai_flat != 0 ? 1 : least - p->hyper_from + 1;
        const uint64_t step = least >= p->hyper_from ? p->hai_bps * i : p->ai_bps;
        s->target_bps = rocecc_min(s->target_bps + step, p->line_bps);
    }
    s->rate_bps =
        rocecc_clamp((s->target_bps + s->rate_bps + 1) >> 1, p->min_bps, p->line_bps);
}

/*
 * A CNP in event mode: a cut, then alpha += g (1 - alpha), which arrives at 1 (D-10);
 * alpha_first: the other way round (D-4). A first CNP may set a rate instead (D-3). No
 * cut comes within cut_interval of another (D-5).
 */
ROCECC_FN void rocecc_dcqcn_react_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                                   bool first, uint32_t now_ns,
                                   rocecc_dcqcn_action *act)
{
    const bool recent = (s->noted & ROCECC_DCQCN_RECENT) != 0;
    if (p->alpha_first != 0)
        s->alpha_q31 = rocecc_ewma_q20(s->alpha_q31, ROCECC_DCQCN_ONE_Q31, p->g_q20);
    if (first && p->first_cnp_bps != 0) {
        s->rate_bps = s->target_bps = p->first_cnp_bps;
        rocecc_dcqcn_restage_(p, s, now_ns, act);
    } else if (!recent || now_ns - s->last_cut_ns >= p->cut_interval_ns) {
        rocecc_dcqcn_cut_(p, s, now_ns, act);
    }
    if (p->alpha_first == 0)
        s->alpha_q31 = rocecc_ewma_q20(s->alpha_q31, ROCECC_DCQCN_ONE_Q31, p->g_q20);
    act->arm |= ROCECC_DCQCN_TIMER_ALPHA;
}

/*
 * A CNP in periodic mode is noted for both timers (D-26), which it starts if they have
 * stopped (D-29). The first sets R_T = R_C, and is not noted for alpha (D-25).
 */
ROCECC_FN void rocecc_dcqcn_note_(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                                  bool first, rocecc_dcqcn_action *act)
{
    if (first || rocecc_dcqcn_idle_(s))
        act->arm = ROCECC_DCQCN_TIMER_ALPHA | ROCECC_DCQCN_TIMER_CUT;
    s->noted |= ROCECC_DCQCN_NOTED_CUT;
    if (first) {
        if (p->first_cnp_bps != 0) s->rate_bps = p->first_cnp_bps;
        s->target_bps = s->rate_bps;
    } else {
        s->noted |= ROCECC_DCQCN_NOTED_ALPHA;
    }
}

/* A CNP for the flow. The first makes it active, and sets alpha = alpha_0: D-2. */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_cnp(const rocecc_dcqcn_params *p,
                                               rocecc_dcqcn *s, uint64_t now_ns)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    const bool first = s->active == 0;
    if (first) {
        s->active = 1;
        s->noted = 0;
        s->alpha_q31 = p->alpha_init_q20 << 11;
    }
    if (p->periodic != 0)
        rocecc_dcqcn_note_(p, s, first, &act);
    else
        rocecc_dcqcn_react_(p, s, first, (uint32_t)now_ns, &act);
    act.rate_bps = s->rate_bps;
    return act;
}

/*
 * The alpha timer expires: alpha -= g alpha, which arrives at 0 (D-11), or if a CNP was
 * noted alpha += g (1 - alpha) (D-27). With nothing left to do it stops (D-29).
 */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_alpha_timer(const rocecc_dcqcn_params *p,
                                                       rocecc_dcqcn *s, uint64_t now_ns)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    act.rate_bps = s->rate_bps;
    if (s->active == 0) return act;
    s->alpha_q31 = rocecc_ewma_q20(
        s->alpha_q31,
        (s->noted & ROCECC_DCQCN_NOTED_ALPHA) != 0 ? ROCECC_DCQCN_ONE_Q31 : 0,
        p->g_q20);
    s->noted &= (uint8_t)~ROCECC_DCQCN_NOTED_ALPHA;
    if ((uint32_t)now_ns - s->last_cut_ns >= p->cut_interval_ns)
        s->noted &= (uint8_t)~ROCECC_DCQCN_RECENT;
    if (rocecc_dcqcn_idle_(s))
        act.stop = ROCECC_DCQCN_TIMER_ALPHA | ROCECC_DCQCN_TIMER_CUT;
    else
        act.arm = ROCECC_DCQCN_TIMER_ALPHA;
    return act;
}

/* The cut timer of periodic mode expires: a cut if a CNP was noted: D-28, D-29. */
ROCECC_FN rocecc_dcqcn_action rocecc_dcqcn_cut_timer(const rocecc_dcqcn_params *p,
                                                     rocecc_dcqcn *s, uint64_t now_ns)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    if (s->active != 0 && p->periodic != 0) {
        if ((s->noted & ROCECC_DCQCN_NOTED_CUT) != 0) {
            s->noted &= (uint8_t)~ROCECC_DCQCN_NOTED_CUT;
            rocecc_dcqcn_cut_(p, s, (uint32_t)now_ns, &act);
        }
        if (rocecc_dcqcn_idle_(s))
            act.stop = ROCECC_DCQCN_TIMER_ALPHA | ROCECC_DCQCN_TIMER_CUT;
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
    if (s->active != 0) {
        s->time_stages = rocecc_dcqcn_next_stage_(s->time_stages);
        rocecc_dcqcn_increase_(p, s);
        act.arm = ROCECC_DCQCN_TIMER_INCREASE;
        rocecc_dcqcn_release_(p, s, &act);
    }
    act.rate_bps = s->rate_bps;
    return act;
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
    if (s->active != 0 && each != 0) {
        uint64_t count = (uint64_t)s->sent_bytes + bytes;
        int i;
        for (i = 0; i < ROCECC_DCQCN_INCREASES_MAX && count >= each; i++) {
            count -= each;
            s->byte_stages = rocecc_dcqcn_next_stage_(s->byte_stages);
            rocecc_dcqcn_increase_(p, s);
        }
        if (count >= each) count -= ROCECC_DIV64(count, each) * each;
        s->sent_bytes = (uint32_t)count;
        if (i > 0) rocecc_dcqcn_release_(p, s, &act);
    }
    act.rate_bps = s->rate_bps;
    return act;
}

#endif /* ROCECC_ALGO_DCQCN_H */
