/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_DCQCN_PARAMS_H
#define ROCECC_ALGO_DCQCN_PARAMS_H

/*
 * dcqcn_params.h - the parameters of dcqcn.h, with presets from the DCQCN paper,
 * NVIDIA's NICs and HPCC's ns-3 code. Several flows can share one set of parameters.
 * The presets limit R_min to the line rate. init() checks the parameters and fills in
 * the derived members.
 *
 *     rocecc_dcqcn_params p = rocecc_dcqcn_paper(40000000000);
 *     p.ai_bps = 5000000;
 *     if (rocecc_dcqcn_init(&p) != ROCECC_DCQCN_ACCEPTED) ...
 *
 * If NVIDIA's tools have the same parameter, the member's comment gives the parameter's
 * name in these tools. If the sources disagree about a rule, a parameter selects the
 * behaviour. README.md lists the rules D-1 to D-37.
 *
 * The receiver's CNP interval and the switch's marking must suit the preset.
 * role/dcqcn_deployment.h has presets for the sender, the receiver and the switch, and
 * an init function that checks whether the parameters fit together.
 */
#include "../fixed.h"

#define ROCECC_DCQCN_PERIOD_END_NS ((uint32_t)1 << 31)
#define ROCECC_DCQCN_STAGES_MAX 254
#define ROCECC_DCQCN_INCREASES_MAX 8 /* per call that reports sent bytes */
#define ROCECC_DCQCN_ONE_Q31 ((uint32_t)1 << 31)
#define ROCECC_DCQCN_G_MIN_Q20 1024 /* 2^-10, the smallest g that dce_tcp_g allows */
#define ROCECC_DCQCN_POWERS 9       /* exponents of 1 - g: 1, 2, 4 .. 256 */
#define ROCECC_DCQCN_BLOCK 256      /* decays that are applied at once: D-33 */
#define ROCECC_DCQCN_BLOCKS_MAX 96  /* after this many blocks, alpha is 0 for any g */

/* Rules for the end of fast recovery and the start of hyper increase (D-16 to D-19). */
enum {
    ROCECC_DCQCN_STAGE_PAPER = 0, /* the paper's text: F stages of fast recovery */
    ROCECC_DCQCN_STAGE_FIGURE,    /* the paper's figure 7: F - 1 stages */
    ROCECC_DCQCN_STAGE_QAU,       /* IEEE 802.1Qau's state machine */
    ROCECC_DCQCN_STAGE_NS3        /* HPCC's ns-3: only time_stages matters, and only one
                                     stage by time is additive */
};

/* Reasons to reject parameters. The comments give the accepted values. */
typedef enum rocecc_dcqcn_refusal {
    ROCECC_DCQCN_ACCEPTED = 0,
    ROCECC_DCQCN_REFUSED_LINE,           /* 1 .. ROCECC_RATE_END_BPS - 1 */
    ROCECC_DCQCN_REFUSED_MIN,            /* 1 .. line */
    ROCECC_DCQCN_REFUSED_G,              /* 2^10 .. 2^20 */
    ROCECC_DCQCN_REFUSED_ALPHA_TIMER,    /* 1 .. 2^31 - 1 */
    ROCECC_DCQCN_REFUSED_ALPHA_INIT,     /* 0 .. 2^20 */
    ROCECC_DCQCN_REFUSED_CUT_INTERVAL,   /* 0 .. 2^31 - 1; if periodic, not 0 */
    ROCECC_DCQCN_REFUSED_CUT_SHIFT,      /* -9 .. 1 */
    ROCECC_DCQCN_REFUSED_MIN_DEC,        /* 0 .. 2^20 */
    ROCECC_DCQCN_REFUSED_FAST_RECOVERY,  /* 0 .. 254 */
    ROCECC_DCQCN_REFUSED_INCREASE_TIMER, /* 1 .. 2^31 - 1 */
    ROCECC_DCQCN_REFUSED_AI,             /* 1 .. ROCECC_RATE_END_BPS - 1 */
    ROCECC_DCQCN_REFUSED_HAI,            /* 1 .. ROCECC_RATE_END_BPS - 1 */
    ROCECC_DCQCN_REFUSED_FIRST_CNP,      /* 0 or min .. line */
    ROCECC_DCQCN_REFUSED_RELEASE,        /* 0 or min .. line */
    ROCECC_DCQCN_REFUSED_STAGE_RULE,     /* ROCECC_DCQCN_STAGE_... */
    ROCECC_DCQCN_REFUSED_RESTART         /* 0 or min .. line */
} rocecc_dcqcn_refusal;

typedef struct rocecc_dcqcn_params {
    uint32_t g_q20;           /* gain of alpha; dce_tcp_g is 1 - g in Q10 */
    uint32_t alpha_timer_ns;  /* K; dce_tcp_rtt; role/dcqcn_deployment.h bounds it */
    uint32_t alpha_init_q20;  /* alpha_0; initial_alpha_value (in Q10) */
    uint32_t cut_interval_ns; /* rate_reduce_monitor_period */
    int16_t cut_shift;        /* -9 .. 1; rpg_gd - 10; a cut removes alpha / 2^cut_shift
                                 of R_C */
    uint32_t min_dec_q20;     /* smallest part that a cut leaves; rpg_min_dec_fac */
    uint64_t min_bps;         /* R_min; rpg_min_rate */
    uint64_t line_bps;        /* R_max, and the initial rate; rpg_max_rate */
    uint8_t fast_recovery_stages;    /* F; rpg_threshold */
    uint32_t increase_timer_ns;      /* T; rpg_time_reset */
    uint32_t byte_counter_bytes;     /* B; 0 = off; rpg_byte_reset */
    uint64_t ai_bps;                 /* R_AI; rpg_ai_rate */
    uint64_t hai_bps;                /* R_HAI; rpg_hai_rate */
    uint8_t clamp_target;            /* flag: D-8; clamp_tgt_rate */
    uint8_t clamp_target_after_time; /* flag: D-8; clamp_tgt_rate_after_time_inc */
    uint64_t first_cnp_bps;          /* 0 = off; D-3; rate_to_set_on_first_cnp */
    uint64_t release_bps;            /* 0 = never; D-24 */
    uint8_t stage_rule;              /* ROCECC_DCQCN_STAGE_... */
    uint8_t hai_flat;                /* flag: D-21 */
    uint8_t alpha_first;             /* flag: D-4; unused if periodic */
    uint8_t periodic;                /* flag: cuts by timer, as in NICs, not by CNPs */
    uint64_t restart_bps;            /* 0 = off; D-35; roce_slow_restart_en */
    /* derived by init */
    uint16_t fast_below; /* value of the larger stage count that ends fast recovery */
    uint16_t hyper_from; /* value of the smaller stage count that starts hyper
                            increase */
    uint32_t power_q32[ROCECC_DCQCN_POWERS]; /* (1 - g)^(2^i): D-33 */
    uint64_t alpha_inverse;    /* 2^32 / alpha_timer_ns, for dcqcn_timed.h */
    uint64_t cut_inverse;      /* 2^32 / cut_interval_ns, or 0 if cut_interval_ns is
                                  0 */
    uint64_t increase_inverse; /* 2^32 / increase_timer_ns */
} rocecc_dcqcn_params;

/*
 * Returns the paper's values for 40 Gb/s: g 1/256, K = T = 55 us, B 10 MB, F 5, R_AI
 * 40 Mb/s. The paper gives neither R_min nor R_HAI. R_min is 100 Mb/s, as in CONWEAVE
 * and SimAI. R_HAI is 400 Mb/s, as in RoCC, and a hyper increase is i * R_HAI, as in
 * the simulator of the paper's first author. rocecc_dcqcn_deployment_paper() also gives
 * the values for the receiver and the switch.
 */
ROCECC_FN rocecc_dcqcn_params rocecc_dcqcn_paper(uint64_t line_bps)
{
    rocecc_dcqcn_params p;
    int i;
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
    p.restart_bps = 0;
    p.fast_below = p.hyper_from = 0;
    for (i = 0; i < ROCECC_DCQCN_POWERS; i++)
        p.power_q32[i] = 0;
    p.alpha_inverse = p.cut_inverse = p.increase_inverse = 0;
    return p;
}

/*
 * Returns the defaults of NVIDIA's NICs (read with mlxconfig from real cards): g
 * 5/1024, K 1 us, alpha_0 1023/1024, at most one cut per 4 us, each cut by at most
 * half, R_min 1 Mb/s, F 1, T 300 us, B 32767 (taken as kB), R_AI 5 Mb/s, R_HAI 50 Mb/s,
 * release at line rate. The stage rule of 802.1Qau is used, because it agrees with
 * NVIDIA's description of rpg_threshold. rocecc_dcqcn_deployment_nvidia() also gives
 * the values for the receiver and the switch.
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
 * Returns the values of the algorithm `dcqcn` in HPCC's ns-3 code (rdma-hw.cc, run.py):
 * g 1/256, K 1 us, at most one cut per 4 us, R_min 1 Gb/s, F 1, T 300 us, no byte
 * counter. For each 25 Gb/s of line rate, R_AI is 5 Mb/s and R_HAI is 50 Mb/s.
 * rocecc_dcqcn_deployment_ns3_hpcc() also gives the values for the receiver and the
 * switch.
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
    p.ai_bps = ROCECC_DIV64(line_bps, 5000);
    p.hai_bps = ROCECC_DIV64(line_bps, 500);
    p.clamp_target = 0;
    p.clamp_target_after_time = 1;
    p.stage_rule = ROCECC_DCQCN_STAGE_NS3;
    p.hai_flat = 1;
    p.periodic = 1;
    return p;
}

/* Returns true if rate_bps is 0 (off) or within R_min .. line. */
ROCECC_FN bool rocecc_dcqcn_rate_fits_(const rocecc_dcqcn_params *params,
                                       uint64_t rate_bps)
{
    return rate_bps == 0 ||
           (rate_bps >= params->min_bps && rate_bps <= params->line_bps);
}

/* Returns true if the period is 1 .. 2^31 - 1 ns. */
ROCECC_FN bool rocecc_dcqcn_period_fits_(uint32_t ns)
{
    return ns != 0 && ns < ROCECC_DCQCN_PERIOD_END_NS;
}

ROCECC_FN rocecc_dcqcn_refusal rocecc_dcqcn_check_(const rocecc_dcqcn_params *params)
{
    if (params->line_bps == 0 || params->line_bps >= ROCECC_RATE_END_BPS)
        return ROCECC_DCQCN_REFUSED_LINE;
    if (params->min_bps == 0 || params->min_bps > params->line_bps)
        return ROCECC_DCQCN_REFUSED_MIN;
    if (params->g_q20 < ROCECC_DCQCN_G_MIN_Q20 || params->g_q20 > ROCECC_ONE_Q20)
        return ROCECC_DCQCN_REFUSED_G;
    if (!rocecc_dcqcn_period_fits_(params->alpha_timer_ns))
        return ROCECC_DCQCN_REFUSED_ALPHA_TIMER;
    if (params->alpha_init_q20 > ROCECC_ONE_Q20) return ROCECC_DCQCN_REFUSED_ALPHA_INIT;
    if (!rocecc_dcqcn_period_fits_(params->cut_interval_ns) &&
        (params->cut_interval_ns != 0 || params->periodic != 0))
        return ROCECC_DCQCN_REFUSED_CUT_INTERVAL;
    if (params->cut_shift < -9 || params->cut_shift > 1)
        return ROCECC_DCQCN_REFUSED_CUT_SHIFT;
    if (params->min_dec_q20 > ROCECC_ONE_Q20) return ROCECC_DCQCN_REFUSED_MIN_DEC;
    if (params->fast_recovery_stages > ROCECC_DCQCN_STAGES_MAX)
        return ROCECC_DCQCN_REFUSED_FAST_RECOVERY;
    if (!rocecc_dcqcn_period_fits_(params->increase_timer_ns))
        return ROCECC_DCQCN_REFUSED_INCREASE_TIMER;
    if (params->ai_bps == 0 || params->ai_bps >= ROCECC_RATE_END_BPS)
        return ROCECC_DCQCN_REFUSED_AI;
    if (params->hai_bps == 0 || params->hai_bps >= ROCECC_RATE_END_BPS)
        return ROCECC_DCQCN_REFUSED_HAI;
    if (!rocecc_dcqcn_rate_fits_(params, params->first_cnp_bps))
        return ROCECC_DCQCN_REFUSED_FIRST_CNP;
    if (!rocecc_dcqcn_rate_fits_(params, params->release_bps))
        return ROCECC_DCQCN_REFUSED_RELEASE;
    if (params->stage_rule > ROCECC_DCQCN_STAGE_NS3)
        return ROCECC_DCQCN_REFUSED_STAGE_RULE;
    if (!rocecc_dcqcn_rate_fits_(params, params->restart_bps))
        return ROCECC_DCQCN_REFUSED_RESTART;
    return ROCECC_DCQCN_ACCEPTED;
}

/*
 * Returns x^2, rounded down. The argument and the result are in Q64. x is split into
 * its upper and lower 32 bits, so that x^2 = high^2 + 2 * high * low + low^2.
 */
ROCECC_FN uint64_t rocecc_dcqcn_square_q64_(uint64_t x)
{
    const uint64_t high = x >> 32, low = x & 0xffffffffu;
    const uint64_t middle = high * low;
    return high * high + 2 * (middle >> 32) +
           ((2 * (middle & 0xffffffffu) + (low * low >> 32)) >> 32);
}

ROCECC_FN uint64_t rocecc_dcqcn_inverse_(uint32_t period_ns)
{
    return period_ns == 0 ? 0 : ROCECC_DIV64((uint64_t)1 << 32, period_ns);
}

/*
 * Sets the inverses, and the powers (1 - g)^(2^i). Each power after the first is the
 * square of the previous power, computed with 64 bits. Stores all powers rounded to 32
 * bits.
 */
ROCECC_FN void rocecc_dcqcn_derive_(rocecc_dcqcn_params *params)
{
    uint64_t x = (uint64_t)(ROCECC_ONE_Q20 - params->g_q20) << 44;
    int i;
    for (i = 0; i < ROCECC_DCQCN_POWERS; i++, x = rocecc_dcqcn_square_q64_(x))
        params->power_q32[i] = (uint32_t)((x + ((uint64_t)1 << 31)) >> 32);
    params->alpha_inverse = rocecc_dcqcn_inverse_(params->alpha_timer_ns);
    params->cut_inverse = rocecc_dcqcn_inverse_(params->cut_interval_ns);
    params->increase_inverse = rocecc_dcqcn_inverse_(params->increase_timer_ns);
}

/*
 * Checks *params in the order of rocecc_dcqcn_refusal, and fills in the derived members
 * (D-16 to D-19). On failure *params is unchanged.
 */
ROCECC_FN rocecc_dcqcn_refusal rocecc_dcqcn_init(rocecc_dcqcn_params *params)
{
    const rocecc_dcqcn_refusal refusal = rocecc_dcqcn_check_(params);
    const bool qau = params->stage_rule == ROCECC_DCQCN_STAGE_QAU;
    const bool figure = params->stage_rule == ROCECC_DCQCN_STAGE_FIGURE;
    const bool ns3 = params->stage_rule == ROCECC_DCQCN_STAGE_NS3;
    if (refusal != ROCECC_DCQCN_ACCEPTED) return refusal;
    params->fast_below =
        (uint16_t)(params->fast_recovery_stages + (qau || figure ? 0 : 1));
    params->hyper_from = (uint16_t)(params->fast_recovery_stages + (qau   ? 0
                                                                    : ns3 ? 2
                                                                          : 1));
    rocecc_dcqcn_derive_(params);
    return refusal;
}

#endif /* ROCECC_ALGO_DCQCN_PARAMS_H */
