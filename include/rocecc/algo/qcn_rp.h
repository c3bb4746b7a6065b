/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_QCN_RP_H
#define ROCECC_ALGO_QCN_RP_H

/*
 * qcn_rp.h - QCN's reaction point: the rate of one sending flow, by the CNMs for it, by
 * octets and by time. IEEE 802.1Q (802.1Qau), clauses 30 to 33.
 *
 *       rate ^          both stages >= threshold: hyper increase, T += i R_HAI
 *         T  |--.         __..--'' one stage >= threshold: active increase, T += R_AI
 *            |  |   .-''-'         before that: fast recovery, T stays
 *         C  |  |.-'
 *            +--+------------------------------> stages since the CNM
 *
 * Example, by the MIB's defaults: a CNM with QntzFb 10 takes 10/128 of 10 Gb/s: C =
 * 9.21875 Gb/s; the stage that RpWhile ends 15 ms later makes it 9.609375 Gb/s.
 *
 * After the last trouble (a CNM, a pause of the priority, another line speed) the rate
 * is within 10 % of rpgMaxRate in a time of
 *     F P + (n + 5) P',   n = (rpgMaxRate - rpgMinRate) / min(R_AI, R_HAI), rounded up
 * with F = rpgThreshold, P = rpgTimeReset + 15 % with jitter, and P' half of P (all of
 * it by halve_in hyper): 15 s at 10 Gb/s, by time alone. Octets that are sent shorten
 * it, by a stage each, and by R_HAI once there are F of them.
 *
 * The host's limiter must release frames one by one, or two at a time. Bursts of 16
 * frames leave eight flows 37 % of the line (README.md, "Assumptions").
 *
 * State: 24 bytes. RpWhile is the host's timer; qcn_timed.h is for a host that polls.
 * A call takes a random number of 32 bits, each time another; 2^31 is no jitter. All is
 * on integers and rounds down: no error. A step divides only where rpgMinDecFac binds.
 * README.md has the rules RP-1 to RP-24, and the sources.
 */
#include "qcn_interval.h"

#define ROCECC_QCN_RESET_END ((uint32_t)1 << 31) /* octets, and ns */
#define ROCECC_QCN_TIME_RESET_MIN_NS 1000
#define ROCECC_QCN_GD_MAX 63

/* When a CNM sets T to C: RP-4. */
enum {
    ROCECC_QCN_CLAMP_BYTE_ONLY = 0, /* after a stage by octets */
    ROCECC_QCN_CLAMP_ANY_STAGE,
    ROCECC_QCN_CLAMP_ALWAYS
};

/* Where counter and timer are halved: RP-10. */
enum {
    ROCECC_QCN_HALVE_ACTIVE = 0, /* each from its stage threshold on */
    ROCECC_QCN_HALVE_HYPER       /* both in hyper increase */
};

/* In `state`. */
enum {
    ROCECC_QCN_FAST_RECOVERY = 0, /* RPR_FAST_RECOVERY */
    ROCECC_QCN_ACTIVE_INCREASE,   /* RPR_ACTIVE_INCREASE */
    ROCECC_QCN_HYPER_INCREASE     /* RPR_HYPER_INCREASE */
};

/* What the host knows of the flow when it reports octets or the timer: a set. */
enum {
    ROCECC_QCN_FROZEN = 1, /* rpFreeze: as long as PFC holds its priority */
    ROCECC_QCN_EMPTY = 2   /* nothing of it waits: RP-18 */
};

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
    ROCECC_QCN_RP_REFUSED_CLAMP,      /* none of the enumeration */
    ROCECC_QCN_RP_REFUSED_HALVE       /* none of the enumeration */
} rocecc_qcn_rp_refusal;

typedef struct rocecc_qcn_rp_params {
    uint64_t max_bps;            /* rpgMaxRate: the line, with preamble and gap */
    uint64_t min_bps;            /* rpgMinRate */
    uint64_t ai_bps;             /* rpgAiRate, R_AI; at 1 no rate would arrive at max */
    uint64_t hai_bps;            /* rpgHaiRate, R_HAI */
    uint32_t time_reset_ns;      /* rpgTimeReset: the MIB has ms, Linux us */
    uint32_t byte_reset_bytes;   /* rpgByteReset */
    uint8_t threshold;           /* rpgThreshold, in stages: any */
    uint8_t gd_exp;              /* rpgGd: Gd is 2^-gd_exp */
    uint8_t min_dec_percent;     /* rpgMinDecFac */
    uint8_t enable;              /* flag: rpgEnable; RP-2 */
    uint8_t clamp_target;        /* ROCECC_QCN_CLAMP_... */
    uint8_t halve_in;            /* ROCECC_QCN_HALVE_... */
    uint8_t active_byte;         /* flag: RP-14 */
    uint8_t jitter;              /* flag: RP-19 */
    uint8_t release_needs_empty; /* flag: RP-18 */
    /* derived by init: whole, and halved */
    rocecc_qcn_interval time_ns[2];
    rocecc_qcn_interval bytes[2];
} rocecc_qcn_rp_params;

typedef struct rocecc_qcn_rp {
    uint64_t rate_bps;   /* C, rpCurrentRate */
    uint64_t target_bps; /* T, rpTargetRate */
    uint32_t left_bytes; /* rpByteCount: more than that ends the stage */
    uint8_t byte_stage;  /* rpByteStage */
    uint8_t time_stage;  /* rpTimeStage */
    uint8_t state;       /* ROCECC_QCN_FAST_RECOVERY, ... */
    uint8_t enabled;     /* rpEnabled: 1 from the first CNM to the release */
} rocecc_qcn_rp;
ROCECC_SIZE_(rocecc_qcn_rp, 24);

typedef struct rocecc_qcn_rp_action {
    uint64_t rate_bps; /* of the limiter from now on; the packet that already waits
                          leaves at last departure + bytes of the last packet / rate */
    uint32_t timer_ns; /* not 0: (re)start the timer RpWhile with that */
    bool created;      /* this event made the limiter: ++rpppCreatedRps */
    bool cut;          /* this event was a CNM that counted */
    bool released;     /* this event took the limiter away; stop the timer */
} rocecc_qcn_rp_action;

/*
 * The defaults of IEEE8021-CN-MIB: 15 ms, 150000 octets, threshold 5, R_AI 5 Mb/s,
 * R_HAI 50 Mb/s, Gd 1/128, at most to 50 %, at least 5 Mb/s; and the machine as QCN was
 * published: T = C after a stage by octets alone, halves from stage 5 on, no jitter.
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
 * The same numbers, and the increases as ns-3 of the DCQCN paper's first author has
 * them (bobzhuyb/ns3-rdma, qbb-net-device.cc): halves in hyper increase, which a stage
 * by time alone can enter.
 */
ROCECC_FN rocecc_qcn_rp_params rocecc_qcn_rp_ns3(uint64_t line_bps)
{
    rocecc_qcn_rp_params p = rocecc_qcn_rp_qau(line_bps);
    p.halve_in = ROCECC_QCN_HALVE_HYPER;
    p.active_byte = 1;
    return p;
}

/* The first bound that params does not keep; they are with the enumeration. */
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

/* Once, before any flow. Refused: why, and *params is as it was. */
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

/* A flow at rpgMaxRate, without a limiter until its first CNM: RP-1. */
ROCECC_FN rocecc_qcn_rp rocecc_qcn_rp_start(const rocecc_qcn_rp_params *params)
{
    rocecc_qcn_rp s = {0, 0, 0, 0, 0, 0, 0};
    s.rate_bps = s.target_bps = params->max_bps;
    return s;
}

/*
 * The line has another speed, for which params is: *state was made by other parameters.
 * A flow without a limiter is at the new rpgMaxRate; of one with a limiter T and C are
 * clamped to the new bounds, and the rest goes on (RP-21). RpWhile is left as it runs.
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
 * What a CNM leaves: C - C QntzFb 2^-rpgGd, at least rpgMinDecFac % of C, and at least
 * rpgMinRate (RP-5). No product reaches 2^50.
 */
ROCECC_FN uint64_t rocecc_qcn_rp_cut_(const rocecc_qcn_rp_params *params,
                                      uint64_t rate_bps, uint8_t qntz_fb)
{
    const uint64_t fb = rocecc_min(qntz_fb, ROCECC_QCN_FB_MAX);
    const uint64_t part_bps = rate_bps * fb >> (params->gd_exp & ROCECC_QCN_GD_MAX);
    const uint64_t least_x100 = rate_bps * params->min_dec_percent;
    uint64_t cut_bps = rate_bps - rocecc_min(part_bps, rate_bps);
    if (cut_bps * 100 < least_x100) cut_bps = ROCECC_DIV64(least_x100, 100);
    return rocecc_clamp(cut_bps, params->min_bps, params->max_bps);
}

/*
 * A CNM for the flow; with QntzFb 0, or while disabled, it does nothing (RP-2). The
 * first makes the limiter, T = C = rpgMaxRate (RP-3). T = C after a stage by octets, or
 * by clamp_target (RP-4); then the cut (RP-5), and the stages begin again (RP-6).
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

/* min(stage + 1, 255), without a branch: RP-9. */
ROCECC_FN uint8_t rocecc_qcn_next_stage_(uint8_t stage)
{
    const uint32_t next = stage + 1u;
    return (uint8_t)(next - (next >> 8));
}

/* 1 if the next stage is half as long, by the count that has just gone up: RP-10. */
ROCECC_FN uint32_t rocecc_qcn_rp_is_halved_(const rocecc_qcn_rp_params *params,
                                            const rocecc_qcn_rp *state, uint8_t stage)
{
    if (params->halve_in == ROCECC_QCN_HALVE_HYPER)
        return state->state == ROCECC_QCN_HYPER_INCREASE;
    return stage >= params->threshold;
}

/*
 * The state, and what T rises by. Both counts below threshold: fast recovery, 0
 * (RP-11); both from there on: hyper increase, i R_HAI (RP-12); else active increase,
 * R_AI (RP-13).
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
 * AdjustRates: T += increase, or T / 8 after a first stage with T > 10 C (RP-15); then
 * C = (T + C) / 2 (RP-16). With T at rpgMaxRate and C near it, a release (RP-18).
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

/* After a stage: the state, then the rates, unless frozen (RP-17). */
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
 * rpByteCount -= octets that were sent; below 0 a stage ends (RP-7). Report each frame,
 * or fewer octets at a time than half of rpgByteReset.
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
 * The timer RpWhile expires, and a stage by time ends: RP-8. It is started again until
 * the release, also for a flow that is paused, or waits until it is EMPTY; at the
 * release timer_ns is 0, and the timer has stopped (RP-22).
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
