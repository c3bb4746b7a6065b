/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_QCN_CP_H
#define ROCECC_ALGO_QCN_CP_H

/*
 * qcn_cp.h - QCN's congestion point. It samples the frames of a queue, and computes the
 * quantized feedback (QntzFb) for the congestion notification messages (CNMs). IEEE
 * 802.1Q (802.1Qau), clauses 30 to 33.
 *
 *   cpQLen ^           one sample per cpSampleBase octets, sooner under congestion
 *          |        .--o            cpQOffset = cpQSp - cpQLen
 *          |   o--''   |            cpQDelta  = cpQLen - cpQLenOld
 *    cpQSp |---|-------|-----       cpFb      = cpQOffset - cpW * cpQDelta
 *          |   old     now          FbMax     = cpQSp * (2 * cpW + 1)
 *          +------------------> octets
 *
 * Example, with the MIB's defaults: a queue has grown from 30000 to 36000 octets. Then
 * cpFb = -10000 - 2 * 6000, FbMax = 130000, QntzFb = 22000 * 63 / 130000 = 10, and the
 * next sample follows after 75000 octets.
 *
 * The CNM is sent to the source of the sampled frame. A flow is sampled in proportion
 * to its octets, regardless of the size of its frames.
 *
 * State: 16 bytes. The host must pass a new 32-bit random number to each call that
 * requires one. The number 2^31 means no jitter. Results are exact values, rounded down
 * to integers. Handling a frame takes no division. README.md lists the rules CP-1 to
 * CP-9 and the sources.
 */
#include "qcn_interval.h"

#define ROCECC_QCN_INTERVALS 8           /* entries in D: CP-8 */
#define ROCECC_QCN_SET_POINT_MIN 100     /* octets */
#define ROCECC_QCN_SAMPLE_BASE_MIN 10000 /* octets */
#define ROCECC_QCN_WEIGHT_MAX_Q10 ((uint32_t)1 << 20)

/* Reasons to reject parameters. The comments give the accepted values. */
typedef enum rocecc_qcn_cp_refusal {
    ROCECC_QCN_CP_ACCEPTED = 0,
    ROCECC_QCN_CP_REFUSED_SET_POINT,  /* 100 .. 2^32 - 1 */
    ROCECC_QCN_CP_REFUSED_WEIGHT,     /* 1 .. 2^20 */
    ROCECC_QCN_CP_REFUSED_SAMPLE_BASE /* 10000 .. 2^32 - 1 */
} rocecc_qcn_cp_refusal;

typedef struct rocecc_qcn_cp_params {
    uint32_t set_point_bytes;   /* cpQSp; ieee8021CnCpQueueSizeSetPoint */
    uint32_t weight_q10;        /* cpW; 2^10 is 1; rocecc_qcn_weight_q10() */
    uint32_t sample_base_bytes; /* cpSampleBase; ieee8021CnCpMinSampleBase */
    uint8_t emit_zero_fb;       /* flag: if cpFb < 0, send a CNM even when QntzFb is 0;
                                   CP-7 */
    uint8_t skip_dropped;       /* flag: ignore dropped frames; CP-9 */
    /* derived by init */
    uint64_t fb_max_q10; /* FbMax */
    uint64_t fb_inverse; /* 63 * 2^57 / fb_max_q10, rounded down */
    rocecc_qcn_interval intervals[ROCECC_QCN_INTERVALS];
} rocecc_qcn_cp_params;

typedef struct rocecc_qcn_cp {
    uint64_t left_bytes;       /* octets until the next sample; cpEnqued; a longer
                                  frame is sampled */
    uint32_t old_bytes;        /* queue length at the last sample; cpQLenOld */
    uint32_t transmitted_cnms; /* number of CNMs sent; cpTransmittedCnms, mod 2^32 */
} rocecc_qcn_cp;
ROCECC_SIZE_(rocecc_qcn_cp, 16);

/* A frame that is offered to the queue. */
typedef struct rocecc_qcn_cp_event {
    uint32_t frame_bytes;
    uint32_t queue_bytes; /* cpQLen including this frame, even if the frame is
                             dropped */
    uint32_t random;
    bool dropped; /* the queue had no room for it */
} rocecc_qcn_cp_event;

typedef struct rocecc_qcn_cp_action {
    int64_t offset_bytes; /* cpQOffset; negative above the set point */
    int64_t delta_bytes;  /* cpQDelta; negative if the queue has become shorter */
    uint8_t qntz_fb;      /* 0 .. 63 */
    bool sampled;         /* if false, the other members are 0 */
    bool cnm;             /* send a CNM for this frame */
} rocecc_qcn_cp_action;

/*
 * Returns cpW = 2^exponent for an exponent from -10 to 10, as in
 * ieee8021CnCpFeedbackWeight. For other exponents, returns 0, which init() rejects.
 */
ROCECC_FN uint32_t rocecc_qcn_weight_q10(int exponent)
{
    return exponent < -10 || exponent > 10 ? 0 : (uint32_t)1 << (10 + exponent);
}

/*
 * Returns the defaults of IEEE8021-CN-MIB: cpQSp 26000, cpW 2, one sample per 150000
 * octets.
 */
ROCECC_FN rocecc_qcn_cp_params rocecc_qcn_cp_mib(void)
{
    rocecc_qcn_cp_params p = {0, 0, 0, 0, 0, 0, 0, {{0, 0}}};
    p.set_point_bytes = 26000;
    p.weight_q10 = rocecc_qcn_weight_q10(1);
    p.sample_base_bytes = 150000;
    return p;
}

/*
 * Returns the defaults of an ASIC with 64-byte cells (Mellanox's cpcs register): cpQSp
 * 26048, cpW 2, one sample per 150016 octets.
 */
ROCECC_FN rocecc_qcn_cp_params rocecc_qcn_cp_mlxreg(void)
{
    rocecc_qcn_cp_params p = rocecc_qcn_cp_mib();
    p.set_point_bytes = 26048;
    p.sample_base_bytes = 150016;
    return p;
}

/*
 * Returns D[index] of CP-8. This is 150000 / (index + 1), rounded as in the standard.
 */
ROCECC_FN uint32_t rocecc_qcn_interval_bytes_(int index)
{
    static const uint32_t bytes[ROCECC_QCN_INTERVALS] = {150000, 75000, 50000, 37500,
                                                         30000,  25000, 21500, 18500};
    return bytes[index];
}

/* Checks *params and fills in its derived members. On failure *params is unchanged. */
ROCECC_FN rocecc_qcn_cp_refusal rocecc_qcn_cp_init(rocecc_qcn_cp_params *params)
{
    int i;
    if (params->set_point_bytes < ROCECC_QCN_SET_POINT_MIN)
        return ROCECC_QCN_CP_REFUSED_SET_POINT;
    if (params->weight_q10 == 0 || params->weight_q10 > ROCECC_QCN_WEIGHT_MAX_Q10)
        return ROCECC_QCN_CP_REFUSED_WEIGHT;
    if (params->sample_base_bytes < ROCECC_QCN_SAMPLE_BASE_MIN)
        return ROCECC_QCN_CP_REFUSED_SAMPLE_BASE;
    /* FbMax = cpQSp * (2 * cpW + 1) */
    params->fb_max_q10 =
        params->set_point_bytes * (2 * (uint64_t)params->weight_q10 + 1024);
    params->fb_inverse =
        ROCECC_DIV64((uint64_t)ROCECC_QCN_FB_MAX << 57, params->fb_max_q10);
    for (i = 0; i < ROCECC_QCN_INTERVALS; i++)
        /* D * cpSampleBase / 150000, with jitter */
        params->intervals[i] =
            rocecc_qcn_make_interval_(ROCECC_DIV64((uint64_t)params->sample_base_bytes *
                                                       rocecc_qcn_interval_bytes_(i),
                                                   150000),
                                      true);
    return ROCECC_QCN_CP_ACCEPTED;
}

/*
 * Returns the initial state of a queue. cpQLenOld is 0, and cpEnqued is loaded as after
 * a sample with a QntzFb of 0 (CP-1).
 */
ROCECC_FN rocecc_qcn_cp rocecc_qcn_cp_start(const rocecc_qcn_cp_params *params,
                                            uint32_t random)
{
    rocecc_qcn_cp s = {0, 0, 0};
    s.left_bytes = rocecc_qcn_draw_(&params->intervals[0], random);
    return s;
}

/*
 * Returns QntzFb = -cpFb * 63 / FbMax, at most 63 (CP-4). minus_fb is -cpFb in units of
 * 2^-10 octets.
 */
ROCECC_FN uint8_t rocecc_qcn_quantise_(const rocecc_qcn_cp_params *params,
                                       uint64_t minus_fb)
{
    uint64_t quotient, rest;
    if (minus_fb >= params->fb_max_q10) return ROCECC_QCN_FB_MAX;
    /*
     * The product is below 63 * 2^57. `quotient` is QntzFb or 1 less, and one
     * comparison corrects it.
     */
    quotient = minus_fb * params->fb_inverse >> 57;
    rest = minus_fb * ROCECC_QCN_FB_MAX - quotient * params->fb_max_q10;
    quotient += rest >= params->fb_max_q10;
    return (uint8_t)rocecc_min(quotient, ROCECC_QCN_FB_MAX);
}

/* Samples a frame, decides whether to send a CNM, and loads cpEnqued (CP-3 to CP-8). */
ROCECC_FN rocecc_qcn_cp_action rocecc_qcn_cp_sample_(const rocecc_qcn_cp_params *params,
                                                     rocecc_qcn_cp *state,
                                                     const rocecc_qcn_cp_event *event)
{
    rocecc_qcn_cp_action act = {0, 0, 0, true, false};
    int64_t fb_q10;
    size_t row;
    act.offset_bytes = (int64_t)params->set_point_bytes - event->queue_bytes;
    act.delta_bytes = (int64_t)event->queue_bytes - state->old_bytes;
    /* cpFb = cpQOffset - cpW * cpQDelta */
    fb_q10 = act.offset_bytes * 1024 - act.delta_bytes * (int64_t)params->weight_q10;
    if (fb_q10 < 0) act.qntz_fb = rocecc_qcn_quantise_(params, (uint64_t)-fb_q10);
    act.cnm = act.qntz_fb > 0 || (params->emit_zero_fb != 0 && fb_q10 < 0);
    state->old_bytes = event->queue_bytes;
    state->transmitted_cnms += act.cnm;
    row = act.qntz_fb >> 3;
    ROCECC_BPF_MASK_(row, ROCECC_QCN_INTERVALS - 1);
    state->left_bytes = rocecc_qcn_draw_(&params->intervals[row], event->random);
    return act;
}

/*
 * Handles a frame that is offered to the queue. Ignores dropped frames if skip_dropped
 * is set (CP-9). Subtracts the frame's octets from cpEnqued, and samples the frame if
 * cpEnqued falls below 0 (CP-2).
 */
ROCECC_FN rocecc_qcn_cp_action rocecc_qcn_cp_offer(const rocecc_qcn_cp_params *params,
                                                   rocecc_qcn_cp *state,
                                                   const rocecc_qcn_cp_event *event)
{
    rocecc_qcn_cp_action act = {0, 0, 0, false, false};
    if (event->dropped && params->skip_dropped != 0) return act;
    if (event->frame_bytes > state->left_bytes)
        return rocecc_qcn_cp_sample_(params, state, event);
    state->left_bytes -= event->frame_bytes;
    return act;
}

#endif /* ROCECC_ALGO_QCN_CP_H */
