/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_QCN_RP_H
#define ROCECC_ALGO_QCN_RP_H

/*
 * qcn_rp.h - QCN's reaction point, which sets the rate of one sending flow from the
 * CNMs that it receives, the octets that it sends, and the time. IEEE 802.1Q
 * (802.1Qau), clauses 30 to 33.
 *
 *       rate ^          both stages >= threshold: hyper increase, T += i * R_HAI
 *         T  |--.         __..--'' one stage >= threshold: active increase, T += R_AI
 *            |  |   .-''-'         before that: fast recovery, T stays
 *         C  |  |.-'
 *            +--+------------------------------> stages since the CNM
 *
 * Example, with the MIB's defaults: a CNM with QntzFb 10 cuts a rate of 10 Gb/s by
 * 10/128, so C is 9.21875 Gb/s. After 15 ms, the timer RpWhile expires and ends a
 * stage, and C becomes 9.609375 Gb/s.
 *
 * After the last disturbance (a CNM, a pause of the priority, or a new line speed), the
 * rate returns to within 10 % of rpgMaxRate in at most
 *
 *     F * P + (n + 5) * P'
 *     n = (rpgMaxRate - rpgMinRate) / min(R_AI, R_HAI), rounded up
 *
 * F is rpgThreshold. P is rpgTimeReset, plus 15 % with jitter. P' is half of P, or P if
 * halve_in is ROCECC_QCN_HALVE_HYPER. With the MIB's defaults at 10 Gb/s, this bound is
 * 15 s. The bound assumes that only RpWhile ends stages. Sent octets also end stages,
 * and therefore shorten the recovery. Once both stage counts have reached F, T rises by
 * i * R_HAI per stage (RP-12).
 *
 * The host's rate limiter must release frames one by one, or two at a time. With bursts
 * of 16 frames, eight flows together get only 37 % of the line rate (README.md,
 * "Assumptions").
 *
 * State: 24 bytes. The host must keep the timer RpWhile, or use qcn_timed.h if it
 * polls. The host must pass a new 32-bit random number to each call that requires one.
 * The number 2^31 means no jitter. Results are exact values, rounded down to integers.
 * Handling an event takes a division only if rpgMinDecFac limits a cut. README.md lists
 * the rules RP-1 to RP-24 and the sources.
 */
#include "qcn_interval.h"

#define ROCECC_QCN_RESET_END ((uint32_t)1 << 31) /* octets or ns */
#define ROCECC_QCN_TIME_RESET_MIN_NS 1000
#define ROCECC_QCN_GD_MAX 63

/* Conditions under which a CNM sets T = C (RP-4). */
enum {
    ROCECC_QCN_CLAMP_BYTE_ONLY = 0, /* only after a stage by octets */
    ROCECC_QCN_CLAMP_ANY_STAGE,
    ROCECC_QCN_CLAMP_ALWAYS
};

/* Rules for loading half of the reset value into the counter and the timer (RP-10). */
enum {
    ROCECC_QCN_HALVE_ACTIVE = 0, /* each if its stage count is at least threshold */
    ROCECC_QCN_HALVE_HYPER       /* both in hyper increase */
};

/* Values of `state`. */
enum {
    ROCECC_QCN_FAST_RECOVERY = 0, /* RPR_FAST_RECOVERY */
    ROCECC_QCN_ACTIVE_INCREASE,   /* RPR_ACTIVE_INCREASE */
    ROCECC_QCN_HYPER_INCREASE     /* RPR_HYPER_INCREASE */
};

/* Flags that the host passes with sent octets and with an expiry of RpWhile. */
enum {
    ROCECC_QCN_FROZEN = 1, /* rpFreeze; PFC pauses the flow's priority */
    ROCECC_QCN_EMPTY = 2   /* the flow has no data waiting: RP-18 */
};

/* Reasons to reject parameters. The comments give the accepted values. */
typedef enum rocecc_qcn_rp_refusal {
    ROCECC_QCN_RP_ACCEPTED = 0,
    ROCECC_QCN_RP_REFUSED_MAX,        /* 1 .. ROCECC_RATE_END_BPS - 1 */
    ROCECC_QCN_RP_REFUSED_MIN,        /* 1 .. max */
    ROCECC_QCN_RP_REFUSED_AI,         /* 2 .. ROCECC_RATE_END_BPS - 1 */
    ROCECC_QCN_RP_REFUSED_HAI,        /* 1 .. ROCECC_RATE_END_BPS - 1 */
    ROCECC_QCN_RP_REFUSED_TIME_RESET, /* 1000 .. 2^31 - 1 */
    ROCECC_QCN_RP_REFUSED_BYTE_RESET, /* 1 .. 2^31 - 1 */
    ROCECC_QCN_RP_REFUSED_GD,         /* 0 .. 63 */
    ROCECC_QCN_RP_REFUSED_MIN_DEC,    /* 1 .. 100 */
    ROCECC_QCN_RP_REFUSED_CLAMP,      /* ROCECC_QCN_CLAMP_... */
    ROCECC_QCN_RP_REFUSED_HALVE       /* ROCECC_QCN_HALVE_... */
} rocecc_qcn_rp_refusal;

typedef struct rocecc_qcn_rp_params {
    uint64_t max_bps;            /* rpgMaxRate, the line rate with preamble and gap */
    uint64_t min_bps;            /* rpgMinRate */
    uint64_t ai_bps;             /* rpgAiRate, R_AI; with 1, C would not reach max */
    uint64_t hai_bps;            /* rpgHaiRate, R_HAI */
    uint32_t time_reset_ns;      /* rpgTimeReset; ms in the MIB, us in Linux */
    uint32_t byte_reset_bytes;   /* rpgByteReset */
    uint8_t threshold;           /* rpgThreshold, in stages; any value */
    uint8_t gd_exp;              /* rpgGd: Gd is 2^-gd_exp */
    uint8_t min_dec_percent;     /* rpgMinDecFac */
    uint8_t enable;              /* flag: rpgEnable; RP-2 */
    uint8_t clamp_target;        /* ROCECC_QCN_CLAMP_... */
    uint8_t halve_in;            /* ROCECC_QCN_HALVE_... */
    uint8_t active_byte;         /* flag: RP-14 */
    uint8_t jitter;              /* flag: RP-19 */
    uint8_t release_needs_empty; /* flag: RP-18 */
    /* derived by init; [1] is halved */
    rocecc_qcn_interval time_ns[2];
    rocecc_qcn_interval bytes[2];
} rocecc_qcn_rp_params;

typedef struct rocecc_qcn_rp {
    uint64_t rate_bps;   /* current rate; C, rpCurrentRate */
    uint64_t target_bps; /* target rate; T, rpTargetRate */
    uint32_t left_bytes; /* octets until the next byte stage; rpByteCount; more
                            octets than this end the stage */
    uint8_t byte_stage;  /* stages by octets since the last CNM; rpByteStage */
    uint8_t time_stage;  /* stages by time since the last CNM; rpTimeStage */
    uint8_t state;       /* phase of the rate increase; ROCECC_QCN_FAST_RECOVERY, ... */
    uint8_t enabled;     /* 1 while the rate is limited; rpEnabled; from the first
                            CNM to the release */
} rocecc_qcn_rp;
ROCECC_SIZE_(rocecc_qcn_rp, 24);

typedef struct rocecc_qcn_rp_action {
    uint64_t rate_bps; /* sending rate from now on; a waiting packet leaves at the last
                          departure + size of the last packet / rate */
    uint32_t timer_ns; /* time until RpWhile expires; if not 0, start or restart
                          RpWhile with it */
    bool created;      /* limiter created by this event; ++rpppCreatedRps */
    bool cut;          /* rate cut by this event; an effective CNM */
    bool released;     /* limiter removed by this event; stop RpWhile */
} rocecc_qcn_rp_action;

/*
 * Returns the defaults of IEEE8021-CN-MIB: 15 ms, 150000 octets, threshold 5, R_AI
 * 5 Mb/s, R_HAI 50 Mb/s, Gd 1/128, cuts by at most half, R_min 5 Mb/s. The other values
 * follow the published descriptions of QCN. A CNM sets T = C only after a stage by
 * octets, stages after the first 5 are half as long, and jitter is off.
 */
ROCECC_FN rocecc_qcn_rp_params rocecc_qcn_rp_qau(uint64_t line_bps)
{
    rocecc_qcn_rp_params p = {0, 0, 0, 0, 0, 0, 0,        0,       0,
                              0, 0, 0, 0, 0, 0, {{0, 0}}, {{0, 0}}};
    p.max_bps = line_bps;
    p.min_bps = rocecc_min(5000000, line_bps);
    p.ai_bps = 5000000;
    p.hai_bps = 50000000;
    p.time_reset_ns = 15000000;
    p.byte_reset_bytes = 150000;
    p.threshold = 5;
    p.gd_exp = 7;
    p.min_dec_percent = 50;
    p.enable = 1;
    p.clamp_target = ROCECC_QCN_CLAMP_BYTE_ONLY;
    p.halve_in = ROCECC_QCN_HALVE_ACTIVE;
    return p;
}

/*
 * Returns the values of rocecc_qcn_rp_qau(), but with rate increases as in the ns-3
 * code of the DCQCN paper's first author (bobzhuyb/ns3-rdma, qbb-net-device.cc). Stages
 * are half as long only in hyper increase, and only the end of a stage by time can
 * start hyper increase.
 */
ROCECC_FN rocecc_qcn_rp_params rocecc_qcn_rp_ns3(uint64_t line_bps)
{
    rocecc_qcn_rp_params p = rocecc_qcn_rp_qau(line_bps);
    p.halve_in = ROCECC_QCN_HALVE_HYPER;
    p.active_byte = 1;
    return p;
}

ROCECC_FN rocecc_qcn_rp_refusal rocecc_qcn_rp_check_(const rocecc_qcn_rp_params *params)
{
    if (params->max_bps == 0 || params->max_bps >= ROCECC_RATE_END_BPS)
        return ROCECC_QCN_RP_REFUSED_MAX;
    if (params->min_bps == 0 || params->min_bps > params->max_bps)
        return ROCECC_QCN_RP_REFUSED_MIN;
    if (params->ai_bps < 2 || params->ai_bps >= ROCECC_RATE_END_BPS)
        return ROCECC_QCN_RP_REFUSED_AI;
    if (params->hai_bps == 0 || params->hai_bps >= ROCECC_RATE_END_BPS)
        return ROCECC_QCN_RP_REFUSED_HAI;
    if (params->time_reset_ns < ROCECC_QCN_TIME_RESET_MIN_NS ||
        params->time_reset_ns >= ROCECC_QCN_RESET_END)
        return ROCECC_QCN_RP_REFUSED_TIME_RESET;
    if (params->byte_reset_bytes == 0 ||
        params->byte_reset_bytes >= ROCECC_QCN_RESET_END)
        return ROCECC_QCN_RP_REFUSED_BYTE_RESET;
    if (params->gd_exp > ROCECC_QCN_GD_MAX) return ROCECC_QCN_RP_REFUSED_GD;
    if (params->min_dec_percent == 0 || params->min_dec_percent > 100)
        return ROCECC_QCN_RP_REFUSED_MIN_DEC;
    if (params->clamp_target > ROCECC_QCN_CLAMP_ALWAYS)
        return ROCECC_QCN_RP_REFUSED_CLAMP;
    if (params->halve_in > ROCECC_QCN_HALVE_HYPER) return ROCECC_QCN_RP_REFUSED_HALVE;
    return ROCECC_QCN_RP_ACCEPTED;
}

/* Checks *params and fills in its derived members. On failure *params is unchanged. */
ROCECC_FN rocecc_qcn_rp_refusal rocecc_qcn_rp_init(rocecc_qcn_rp_params *params)
{
    const rocecc_qcn_rp_refusal refusal = rocecc_qcn_rp_check_(params);
    const bool jitter = params->jitter != 0;
    if (refusal != ROCECC_QCN_RP_ACCEPTED) return refusal;
    params->time_ns[0] = rocecc_qcn_make_interval_(params->time_reset_ns, jitter);
    params->time_ns[1] = rocecc_qcn_make_interval_(params->time_reset_ns >> 1, jitter);
    params->bytes[0] = rocecc_qcn_make_interval_(params->byte_reset_bytes, jitter);
    params->bytes[1] = rocecc_qcn_make_interval_(params->byte_reset_bytes >> 1, jitter);
    return refusal;
}

/* Returns a flow at rpgMaxRate. It has no limiter until its first CNM (RP-1). */
ROCECC_FN rocecc_qcn_rp rocecc_qcn_rp_start(const rocecc_qcn_rp_params *params)
{
    rocecc_qcn_rp s = {0, 0, 0, 0, 0, 0, 0};
    s.rate_bps = s.target_bps = params->max_bps;
    return s;
}

/*
 * Handles a new line speed. params must be for the new speed. Sets a flow without a
 * limiter to the new rpgMaxRate. For a flow with a limiter, clamps T and C to the new
 * bounds. The stages continue, and RpWhile is not restarted (RP-21).
 */
ROCECC_FN rocecc_qcn_rp_action rocecc_qcn_rp_relink(const rocecc_qcn_rp_params *params,
                                                    rocecc_qcn_rp *state)
{
    rocecc_qcn_rp_action act = {0, 0, false, false, false};
    if (state->enabled == 0) *state = rocecc_qcn_rp_start(params);
    state->target_bps =
        rocecc_clamp(state->target_bps, params->min_bps, params->max_bps);
    state->rate_bps = rocecc_clamp(state->rate_bps, params->min_bps, params->max_bps);
    act.rate_bps = state->rate_bps;
    return act;
}

/*
 * Returns C after a cut. The result is at least rpgMinDecFac % of the old C, rounded
 * down, and at least rpgMinRate (RP-5).
 */
ROCECC_FN uint64_t rocecc_qcn_rp_cut_(const rocecc_qcn_rp_params *params,
                                      uint64_t rate_bps, uint8_t qntz_fb)
{
    const uint64_t fb = rocecc_min(qntz_fb, ROCECC_QCN_FB_MAX);
    /* C = C - C * QntzFb * 2^-rpgGd; no product reaches 2^50 */
    const uint64_t part_bps = rate_bps * fb >> (params->gd_exp & ROCECC_QCN_GD_MAX);
    const uint64_t least_x100 = rate_bps * params->min_dec_percent;
    uint64_t cut_bps = rate_bps - rocecc_min(part_bps, rate_bps);
    if (cut_bps * 100 < least_x100) cut_bps = ROCECC_DIV64(least_x100, 100);
    return rocecc_clamp(cut_bps, params->min_bps, params->max_bps);
}

/*
 * Handles a CNM. A CNM has no effect if QntzFb is 0 or `enable` is 0. A QntzFb above 63
 * counts as 63 (RP-2). The first CNM creates the limiter with T = C = rpgMaxRate
 * (RP-3). A later CNM sets T = C if a stage by octets has ended since the last CNM, or
 * if clamp_target requires it (RP-4). Each CNM that has an effect then cuts C (RP-5)
 * and restarts the stages (RP-6).
 */
ROCECC_FN rocecc_qcn_rp_action rocecc_qcn_rp_cnm(const rocecc_qcn_rp_params *params,
                                                 rocecc_qcn_rp *state, uint8_t qntz_fb,
                                                 uint32_t random)
{
    rocecc_qcn_rp_action act = {0, 0, false, false, false};
    act.rate_bps = state->rate_bps;
    if (qntz_fb == 0 || params->enable == 0) return act;
    act.created = state->enabled == 0;
    if (act.created) state->rate_bps = params->max_bps;
    if (act.created || state->byte_stage != 0 ||
        params->clamp_target == ROCECC_QCN_CLAMP_ALWAYS ||
        (params->clamp_target == ROCECC_QCN_CLAMP_ANY_STAGE &&
         state->time_stage != 0)) {
        state->target_bps = state->rate_bps;
        state->left_bytes = (uint32_t)rocecc_qcn_draw_(&params->bytes[0], random);
    }
    state->rate_bps = rocecc_qcn_rp_cut_(params, state->rate_bps, qntz_fb);
    state->byte_stage = state->time_stage = 0;
    state->state = ROCECC_QCN_FAST_RECOVERY;
    state->enabled = 1;
    act.rate_bps = state->rate_bps;
    act.timer_ns = (uint32_t)rocecc_qcn_draw_(&params->time_ns[0], random);
    act.cut = true;
    return act;
}

/* Returns min(stage + 1, 255) (RP-9). */
ROCECC_FN uint8_t rocecc_qcn_next_stage_(uint8_t stage)
{
    const uint32_t next = stage + 1u;
    return (uint8_t)(next - (next >> 8));
}

/*
 * Returns 1 if the next stage has half the normal length (RP-10), and 0 otherwise.
 * `stage` must be the stage count after its increment.
 */
ROCECC_FN uint32_t rocecc_qcn_rp_is_halved_(const rocecc_qcn_rp_params *params,
                                            const rocecc_qcn_rp *state, uint8_t stage)
{
    if (params->halve_in == ROCECC_QCN_HALVE_HYPER)
        return state->state == ROCECC_QCN_HYPER_INCREASE;
    return stage >= params->threshold;
}

/*
 * Sets the state, and returns the amount to add to T. This amount is 0 in fast recovery
 * (both counts below threshold, RP-11), i * R_HAI in hyper increase (neither count
 * below threshold, RP-12), and R_AI in active increase (RP-13).
 */
ROCECC_FN uint64_t rocecc_qcn_rp_select_state_(const rocecc_qcn_rp_params *params,
                                               rocecc_qcn_rp *state)
{
    const uint32_t most = (uint32_t)rocecc_max(state->byte_stage, state->time_stage);
    const uint32_t least = (uint32_t)rocecc_min(state->byte_stage, state->time_stage);
    if (most < params->threshold) {
        state->state = ROCECC_QCN_FAST_RECOVERY;
        return 0;
    }
    if (least >= params->threshold) {
        state->state = ROCECC_QCN_HYPER_INCREASE;
        return params->hai_bps * (least - params->threshold + 1);
    }
    state->state = ROCECC_QCN_ACTIVE_INCREASE;
    return params->ai_bps;
}

/*
 * Performs the standard's AdjustRates procedure. Sets T to T / 8 if T > 10 * C and at
 * least one stage count is 1 (RP-15). Otherwise raises T by increase_bps, but not above
 * rpgMaxRate. Then sets C = (T + C) / 2 (RP-16). Releases the limiter if T is
 * rpgMaxRate and C is within R_AI / 2 of T, unless release_needs_empty is set and the
 * flow is not EMPTY (RP-18).
 */
ROCECC_FN void rocecc_qcn_rp_adjust_rates_(const rocecc_qcn_rp_params *params,
                                           rocecc_qcn_rp *state, uint64_t increase_bps,
                                           uint8_t host_flags,
                                           rocecc_qcn_rp_action *action)
{
    const bool first = state->byte_stage == 1 || state->time_stage == 1;
    if (first && state->target_bps > 10 * state->rate_bps)
        state->target_bps >>= 3;
    else
        state->target_bps =
            rocecc_min(state->target_bps + increase_bps, params->max_bps);
    /* C = (T + C) / 2 (RP-16) */
    state->rate_bps = (state->target_bps + state->rate_bps) >> 1;
    if (state->target_bps != params->max_bps ||
        params->max_bps - state->rate_bps > params->ai_bps >> 1)
        return;
    if (params->release_needs_empty != 0 && (host_flags & ROCECC_QCN_EMPTY) == 0)
        return;
    *state = rocecc_qcn_rp_start(params);
    action->timer_ns = 0;
    action->released = true;
}

/*
 * Ends a stage. Selects the new state, except in the case of RP-14. Changes the rates
 * only if the flow is not FROZEN (RP-17).
 */
ROCECC_FN void rocecc_qcn_rp_end_stage_(const rocecc_qcn_rp_params *params,
                                        rocecc_qcn_rp *state, bool by_bytes,
                                        uint8_t host_flags,
                                        rocecc_qcn_rp_action *action)
{
    const bool stays = by_bytes && params->active_byte != 0 &&
                       state->state == ROCECC_QCN_ACTIVE_INCREASE; /* RP-14 */
    const uint64_t increase_bps =
        stays ? params->ai_bps : rocecc_qcn_rp_select_state_(params, state);
    if ((host_flags & ROCECC_QCN_FROZEN) == 0)
        rocecc_qcn_rp_adjust_rates_(params, state, increase_bps, host_flags, action);
}

/*
 * Subtracts sent octets from rpByteCount, and ends one stage if rpByteCount falls below
 * 0 (RP-7). The host must report each frame separately, or must report fewer than
 * rpgByteReset / 2 octets at a time.
 */
ROCECC_FN rocecc_qcn_rp_action rocecc_qcn_rp_sent(const rocecc_qcn_rp_params *params,
                                                  rocecc_qcn_rp *state, uint32_t bytes,
                                                  uint8_t host_flags, uint32_t random)
{
    rocecc_qcn_rp_action act = {0, 0, false, false, false};
    if (state->enabled != 0 && bytes <= state->left_bytes) {
        state->left_bytes -= bytes;
    } else if (state->enabled != 0) {
        uint32_t half;
        state->byte_stage = rocecc_qcn_next_stage_(state->byte_stage);
        half = rocecc_qcn_rp_is_halved_(params, state, state->byte_stage);
        state->left_bytes = (uint32_t)rocecc_qcn_draw_(&params->bytes[half], random);
        rocecc_qcn_rp_end_stage_(params, state, true, host_flags, &act);
    }
    act.rate_bps = state->rate_bps;
    return act;
}

/*
 * Handles the expiry of RpWhile, which ends a stage by time (RP-8). Until the limiter
 * is released, the host must restart RpWhile with timer_ns, even if the flow is FROZEN
 * or not EMPTY. If this expiry releases the limiter, timer_ns is 0, and RpWhile remains
 * stopped (RP-22).
 */
ROCECC_FN rocecc_qcn_rp_action rocecc_qcn_rp_timer(const rocecc_qcn_rp_params *params,
                                                   rocecc_qcn_rp *state,
                                                   uint8_t host_flags, uint32_t random)
{
    rocecc_qcn_rp_action act = {0, 0, false, false, false};
    if (state->enabled != 0) {
        uint32_t half;
        state->time_stage = rocecc_qcn_next_stage_(state->time_stage);
        half = rocecc_qcn_rp_is_halved_(params, state, state->time_stage);
        act.timer_ns = (uint32_t)rocecc_qcn_draw_(&params->time_ns[half], random);
        rocecc_qcn_rp_end_stage_(params, state, false, host_flags, &act);
    }
    act.rate_bps = state->rate_bps;
    return act;
}

#endif /* ROCECC_ALGO_QCN_RP_H */
