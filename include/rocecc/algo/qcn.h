/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_QCN_H
#define ROCECC_ALGO_QCN_H

/*
 * qcn.h - quantized congestion notification: IEEE 802.1Q (802.1Qau), clauses 30 to 33.
 * rocecc_qcn_cp is the congestion point: which frames of a queue make a CNM, and its
 * QntzFb. rocecc_qcn_rp is the reaction point: the rate of one sending flow.
 *
 *   cpQLen ^           a sample in cpSampleBase octets, sooner where it is congested
 *          |        .--o            cpQOffset = cpQSp - cpQLen
 *          |   o--''   |            cpQDelta  = cpQLen - cpQLenOld
 *    cpQSp |---|-------|-----       cpFb      = cpQOffset - cpW cpQDelta
 *          |   old     now          FbMax     = cpQSp (2 cpW + 1)
 *          +------------------> octets
 *
 *       rate ^          both stages >= threshold: hyper increase, T += i R_HAI
 *         T  |--.         __..--'' one stage >= threshold: active increase, T += R_AI
 *            |  |   .-''-'         before that: fast recovery, T stays
 *         C  |  |.-'
 *            +--+------------------------------> stages since the CNM
 *
 * Example, by the MIB's defaults: a queue has gone from 30000 to 36000 octets. cpFb =
 * -10000 - 2 6000, FbMax = 130000, QntzFb = 22000 63 / 130000 = 10, and the next sample
 * is 75000 octets away. That CNM takes 10/128 of 10 Gb/s: C = 9.21875 Gb/s; the stage
 * that RpWhile ends 15 ms later makes it 9.609375 Gb/s.
 *
 * State: 16 bytes a congestion point, 24 a reaction point. RpWhile is the host's timer.
 * A call takes a random number of 32 bits, each time another; 2^31 is no jitter. All is
 * on integers and rounds down: no error. A step divides only where rpgMinDecFac binds.
 * README.md has the rules CP-1 to CP-9 and RP-1 to RP-20, and the sources.
 */
#include "../fixed.h"

#define ROCECC_QCN_FB_MAX 63             /* QntzFb has 6 bits */
#define ROCECC_QCN_INTERVALS 8           /* D of CP-8 */
#define ROCECC_QCN_SET_POINT_MIN 100     /* octets */
#define ROCECC_QCN_SAMPLE_BASE_MIN 10000 /* octets */
#define ROCECC_QCN_WEIGHT_MAX_Q10 ((uint32_t)1 << 20)
#define ROCECC_QCN_RESET_END ((uint32_t)1 << 31) /* octets, and ns */
#define ROCECC_QCN_TIME_RESET_MIN_NS 1000
#define ROCECC_QCN_GD_MAX 63

/* What a counter or timer is loaded with: low and, by a random number, up to span. */
typedef struct rocecc_qcn_interval {
    uint32_t low;
    uint32_t span;
} rocecc_qcn_interval;

/* Of length, or with jitter 0.85 to 1.15 of it. */
ROCECC_FN rocecc_qcn_interval rocecc_qcn_interval_(uint64_t length, bool jitter)
{
    rocecc_qcn_interval i = {0, 0};
    i.low = (uint32_t)(jitter ? length * 85 / 100 : length);
    i.span = (uint32_t)(jitter ? length * 30 / 100 : 0);
    return i;
}

ROCECC_FN uint64_t rocecc_qcn_drawn_(const rocecc_qcn_interval *i, uint32_t random)
{
    return i->low + ((uint64_t)i->span * random >> 32);
}

/* The congestion point. */

typedef enum rocecc_qcn_cp_refusal {
    ROCECC_QCN_CP_ACCEPTED = 0,
    ROCECC_QCN_CP_REFUSED_SET_POINT,  /* 100 .. 2^32 - 1 */
    ROCECC_QCN_CP_REFUSED_WEIGHT,     /* 1 .. 2^20 */
    ROCECC_QCN_CP_REFUSED_SAMPLE_BASE /* 10000 .. 2^32 - 1 */
} rocecc_qcn_cp_refusal;

typedef struct rocecc_qcn_cp_params {
    uint32_t set_point_bytes;   /* cpQSp; ieee8021CnCpQueueSizeSetPoint */
    uint32_t weight_q10;        /* cpW, 2^10 is 1; rocecc_qcn_weight_q10() */
    uint32_t sample_base_bytes; /* cpSampleBase; ieee8021CnCpMinSampleBase */
    uint8_t emit_zero_fb;       /* flag: CP-7 */
    uint8_t skip_dropped;       /* flag: CP-9 */
    /* derived by init */
    uint64_t fb_max_q10; /* FbMax */
    rocecc_qcn_interval intervals[ROCECC_QCN_INTERVALS];
} rocecc_qcn_cp_params;

typedef struct rocecc_qcn_cp {
    uint64_t left_bytes;       /* cpEnqued: the frame that is longer is sampled */
    uint32_t old_bytes;        /* cpQLenOld */
    uint32_t transmitted_cnms; /* cpTransmittedCnms, mod 2^32 */
} rocecc_qcn_cp;
ROCECC_SIZE_(rocecc_qcn_cp, 16);

/* A frame that is offered to the queue. */
typedef struct rocecc_qcn_frame {
    uint32_t frame_bytes;
    uint32_t queue_bytes; /* cpQLen: the queue with this frame, dropped or not */
    uint32_t random;
    bool dropped; /* there was no room for it */
} rocecc_qcn_frame;

typedef struct rocecc_qcn_cp_action {
    int64_t offset_bytes; /* cpQOffset, negative above the set point */
    int64_t delta_bytes;  /* cpQDelta, negative where the queue has become shorter */
    uint8_t qntz_fb;      /* 0 .. 63 */
    bool sampled;         /* else all of this is 0 */
    bool cnm;             /* send one for this frame */
} rocecc_qcn_cp_action;

/*
 * cpW = 2^exponent, for an exponent of -10 to 10 as ieee8021CnCpFeedbackWeight has it;
 * for others 0, which init refuses.
 */
ROCECC_FN uint32_t rocecc_qcn_weight_q10(int exponent)
{
    return exponent < -10 || exponent > 10 ? 0 : (uint32_t)1 << (10 + exponent);
}

/* The defaults of IEEE8021-CN-MIB: cpQSp 26000, cpW 2, a sample in 150000 octets. */
ROCECC_FN rocecc_qcn_cp_params rocecc_qcn_cp_mib(void)
{
    rocecc_qcn_cp_params p = {0, 0, 0, 0, 0, 0, {{0, 0}}};
    p.set_point_bytes = 26000;
    p.weight_q10 = rocecc_qcn_weight_q10(1);
    p.sample_base_bytes = 150000;
    return p;
}

/* Those of an ASIC that counts in cells of 64 bytes (Mellanox' cpcs register). */
ROCECC_FN rocecc_qcn_cp_params rocecc_qcn_cp_mlxreg(void)
{
    rocecc_qcn_cp_params p = rocecc_qcn_cp_mib();
    p.set_point_bytes = 26048;
    p.sample_base_bytes = 150016;
    return p;
}

/* D of CP-8, for the default base: the base / (i + 1), as the standard rounds it. */
ROCECC_FN uint32_t rocecc_qcn_interval_bytes_(int i)
{
    static const uint32_t bytes[ROCECC_QCN_INTERVALS] = {150000, 75000, 50000, 37500,
                                                         30000,  25000, 21500, 18500};
    return bytes[i];
}

/* Once, before any queue. Refused: why, and *p is as it was. */
ROCECC_FN rocecc_qcn_cp_refusal rocecc_qcn_cp_init(rocecc_qcn_cp_params *p)
{
    int i;
    if (p->set_point_bytes < ROCECC_QCN_SET_POINT_MIN)
        return ROCECC_QCN_CP_REFUSED_SET_POINT;
    if (p->weight_q10 == 0 || p->weight_q10 > ROCECC_QCN_WEIGHT_MAX_Q10)
        return ROCECC_QCN_CP_REFUSED_WEIGHT;
    if (p->sample_base_bytes < ROCECC_QCN_SAMPLE_BASE_MIN)
        return ROCECC_QCN_CP_REFUSED_SAMPLE_BASE;
    p->fb_max_q10 = p->set_point_bytes * (2 * (uint64_t)p->weight_q10 + 1024);
    for (i = 0; i < ROCECC_QCN_INTERVALS; i++)
        p->intervals[i] = rocecc_qcn_interval_(
            (uint64_t)p->sample_base_bytes * rocecc_qcn_interval_bytes_(i) / 150000,
            true);
    return ROCECC_QCN_CP_ACCEPTED;
}

/* cpQLenOld = 0, cpEnqued as after a QntzFb of 0: CP-1. */
ROCECC_FN rocecc_qcn_cp rocecc_qcn_cp_start(const rocecc_qcn_cp_params *p,
                                            uint32_t random)
{
    rocecc_qcn_cp s = {0, 0, 0};
    s.left_bytes = rocecc_qcn_drawn_(&p->intervals[0], random);
    return s;
}

/*
 * -cpFb 63 / FbMax, at most 63 (CP-4), of -cpFb in 2^-10 octets, below 2^54. The
 * quotient's 6 bits come one by one, by a mask: a branch would double a verifier's
 * paths each time.
 */
ROCECC_FN uint8_t rocecc_qcn_quantise_(const rocecc_qcn_cp_params *p, uint64_t minus_fb)
{
    uint64_t rest = minus_fb * ROCECC_QCN_FB_MAX, quotient = 0;
    int i;
    if (minus_fb >= p->fb_max_q10) return ROCECC_QCN_FB_MAX;
    for (i = 5; i >= 0; i--) {
        const uint64_t part = p->fb_max_q10 << i;
        const uint64_t fits = 1 - ((rest - part) >> 63); /* both are below 2^63 */
        rest -= part & (0 - fits);
        quotient |= fits << i;
    }
    return (uint8_t)quotient;
}

/*
 * A frame is sampled. cpFb as in the figure (CP-3), QntzFb (CP-4), a CNM if that is
 * above 0 (CP-6) or by emit_zero_fb (CP-7); cpQLenOld and cpEnqued anew (CP-5, CP-8).
 */
ROCECC_FN rocecc_qcn_cp_action rocecc_qcn_cp_sample_(const rocecc_qcn_cp_params *p,
                                                     rocecc_qcn_cp *s,
                                                     const rocecc_qcn_frame *f)
{
    rocecc_qcn_cp_action act = {0, 0, 0, true, false};
    int64_t fb_q10;
    size_t row;
    act.offset_bytes = (int64_t)p->set_point_bytes - f->queue_bytes;
    act.delta_bytes = (int64_t)f->queue_bytes - s->old_bytes;
    fb_q10 = act.offset_bytes * 1024 - act.delta_bytes * (int64_t)p->weight_q10;
    if (fb_q10 < 0) act.qntz_fb = rocecc_qcn_quantise_(p, (uint64_t)-fb_q10);
    act.cnm = act.qntz_fb > 0 || (p->emit_zero_fb != 0 && fb_q10 < 0);
    s->old_bytes = f->queue_bytes;
    s->transmitted_cnms += act.cnm;
    row = act.qntz_fb >> 3;
    ROCECC_BPF_MASK_(row, ROCECC_QCN_INTERVALS - 1);
    s->left_bytes = rocecc_qcn_drawn_(&p->intervals[row], f->random);
    return act;
}

/*
 * A frame is offered to the queue, dropped or not (CP-9). cpEnqued -= its octets; below
 * 0 it is sampled (CP-2). Total, O(1), no division.
 */
ROCECC_FN rocecc_qcn_cp_action rocecc_qcn_cp_offer(const rocecc_qcn_cp_params *p,
                                                   rocecc_qcn_cp *s,
                                                   const rocecc_qcn_frame *f)
{
    rocecc_qcn_cp_action act = {0, 0, 0, false, false};
    if (f->dropped && p->skip_dropped != 0) return act;
    if (f->frame_bytes > s->left_bytes) return rocecc_qcn_cp_sample_(p, s, f);
    s->left_bytes -= f->frame_bytes;
    return act;
}

/* The reaction point. */

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
    uint64_t rate_bps; /* of the limiter from now on */
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

/* The first bound that p does not keep; they are with the enumeration. */
ROCECC_FN rocecc_qcn_rp_refusal rocecc_qcn_rp_check_(const rocecc_qcn_rp_params *p)
{
    if (p->max_bps == 0 || p->max_bps >= ROCECC_RATE_END_BPS)
        return ROCECC_QCN_RP_REFUSED_MAX;
    if (p->min_bps == 0 || p->min_bps > p->max_bps) return ROCECC_QCN_RP_REFUSED_MIN;
    if (p->ai_bps < 2 || p->ai_bps >= ROCECC_RATE_END_BPS)
        return ROCECC_QCN_RP_REFUSED_AI;
    if (p->hai_bps == 0 || p->hai_bps >= ROCECC_RATE_END_BPS)
        return ROCECC_QCN_RP_REFUSED_HAI;
    if (p->time_reset_ns < ROCECC_QCN_TIME_RESET_MIN_NS ||
        p->time_reset_ns >= ROCECC_QCN_RESET_END)
        return ROCECC_QCN_RP_REFUSED_TIME_RESET;
    if (p->byte_reset_bytes == 0 || p->byte_reset_bytes >= ROCECC_QCN_RESET_END)
        return ROCECC_QCN_RP_REFUSED_BYTE_RESET;
    if (p->gd_exp > ROCECC_QCN_GD_MAX) return ROCECC_QCN_RP_REFUSED_GD;
    if (p->min_dec_percent == 0 || p->min_dec_percent > 100)
        return ROCECC_QCN_RP_REFUSED_MIN_DEC;
    if (p->clamp_target > ROCECC_QCN_CLAMP_ALWAYS) return ROCECC_QCN_RP_REFUSED_CLAMP;
    if (p->halve_in > ROCECC_QCN_HALVE_HYPER) return ROCECC_QCN_RP_REFUSED_HALVE;
    return ROCECC_QCN_RP_ACCEPTED;
}

/* Once, before any flow. Refused: why, and *p is as it was. */
ROCECC_FN rocecc_qcn_rp_refusal rocecc_qcn_rp_init(rocecc_qcn_rp_params *p)
{
    const rocecc_qcn_rp_refusal refusal = rocecc_qcn_rp_check_(p);
    const bool jitter = p->jitter != 0;
    if (refusal != ROCECC_QCN_RP_ACCEPTED) return refusal;
    p->time_ns[0] = rocecc_qcn_interval_(p->time_reset_ns, jitter);
    p->time_ns[1] = rocecc_qcn_interval_(p->time_reset_ns >> 1, jitter);
    p->bytes[0] = rocecc_qcn_interval_(p->byte_reset_bytes, jitter);
    p->bytes[1] = rocecc_qcn_interval_(p->byte_reset_bytes >> 1, jitter);
    return refusal;
}

/* A flow at rpgMaxRate, without a limiter until its first CNM: RP-1. */
ROCECC_FN rocecc_qcn_rp rocecc_qcn_rp_start(const rocecc_qcn_rp_params *p)
{
    rocecc_qcn_rp s = {0, 0, 0, 0, 0, 0, 0};
    s.rate_bps = s.target_bps = p->max_bps;
    return s;
}

/*
 * What a CNM leaves: C - C QntzFb 2^-rpgGd, at least rpgMinDecFac % of C, and at least
 * rpgMinRate (RP-5). No product reaches 2^50.
 */
ROCECC_FN uint64_t rocecc_qcn_rp_cut_(const rocecc_qcn_rp_params *p, uint64_t rate_bps,
                                      uint8_t qntz_fb)
{
    const uint64_t fb = rocecc_min(qntz_fb, ROCECC_QCN_FB_MAX);
    const uint64_t part_bps = rate_bps * fb >> (p->gd_exp & ROCECC_QCN_GD_MAX);
    const uint64_t least_x100 = rate_bps * p->min_dec_percent;
    uint64_t cut_bps = rate_bps - rocecc_min(part_bps, rate_bps);
    if (cut_bps * 100 < least_x100) cut_bps = ROCECC_DIV64(least_x100, 100);
    return rocecc_clamp(cut_bps, p->min_bps, p->max_bps);
}

/*
 * A CNM for the flow; with QntzFb 0, or while disabled, it does nothing (RP-2). The
 * first makes the limiter, T = C = rpgMaxRate (RP-3). T = C after a stage by octets, or
 * by clamp_target (RP-4); then the cut (RP-5), and the stages begin again (RP-6).
 */
ROCECC_FN rocecc_qcn_rp_action rocecc_qcn_rp_cnm(const rocecc_qcn_rp_params *p,
                                                 rocecc_qcn_rp *s, uint8_t qntz_fb,
                                                 uint32_t random)
{
    rocecc_qcn_rp_action act = {0, 0, false, false, false};
    act.rate_bps = s->rate_bps;
    if (qntz_fb == 0 || p->enable == 0) return act;
    act.created = s->enabled == 0;
    if (act.created) s->rate_bps = p->max_bps;
    if (act.created || s->byte_stage != 0 ||
        p->clamp_target == ROCECC_QCN_CLAMP_ALWAYS ||
        (p->clamp_target == ROCECC_QCN_CLAMP_ANY_STAGE && s->time_stage != 0)) {
        s->target_bps = s->rate_bps;
        s->left_bytes = (uint32_t)rocecc_qcn_drawn_(&p->bytes[0], random);
    }
    s->rate_bps = rocecc_qcn_rp_cut_(p, s->rate_bps, qntz_fb);
    s->byte_stage = s->time_stage = 0;
    s->state = ROCECC_QCN_FAST_RECOVERY;
    s->enabled = 1;
    act.rate_bps = s->rate_bps;
    act.timer_ns = (uint32_t)rocecc_qcn_drawn_(&p->time_ns[0], random);
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
ROCECC_FN uint32_t rocecc_qcn_rp_half_(const rocecc_qcn_rp_params *p,
                                       const rocecc_qcn_rp *s, uint8_t stage)
{
    if (p->halve_in == ROCECC_QCN_HALVE_HYPER)
        return s->state == ROCECC_QCN_HYPER_INCREASE;
    return stage >= p->threshold;
}

/*
 * The state, and what T rises by. Both counts below threshold: fast recovery, 0
 * (RP-11); both from there on: hyper increase, i R_HAI (RP-12); else active increase,
 * R_AI (RP-13).
 */
ROCECC_FN uint64_t rocecc_qcn_rp_select_(const rocecc_qcn_rp_params *p,
                                         rocecc_qcn_rp *s)
{
    const uint32_t most = (uint32_t)rocecc_max(s->byte_stage, s->time_stage);
    const uint32_t least = (uint32_t)rocecc_min(s->byte_stage, s->time_stage);
    if (most < p->threshold) {
        s->state = ROCECC_QCN_FAST_RECOVERY;
        return 0;
    }
    if (least >= p->threshold) {
        s->state = ROCECC_QCN_HYPER_INCREASE;
        return p->hai_bps * (least - p->threshold + 1);
    }
    s->state = ROCECC_QCN_ACTIVE_INCREASE;
    return p->ai_bps;
}

/*
 * AdjustRates: T += increase, or T / 8 after a first stage with T > 10 C (RP-15); then
 * C = (T + C) / 2 (RP-16). With T at rpgMaxRate and C near it, a release (RP-18).
 */
ROCECC_FN void rocecc_qcn_rp_adjust_(const rocecc_qcn_rp_params *p, rocecc_qcn_rp *s,
                                     uint64_t increase_bps, uint8_t host,
                                     rocecc_qcn_rp_action *act)
{
    const bool first = s->byte_stage == 1 || s->time_stage == 1;
    if (first && s->target_bps > 10 * s->rate_bps)
        s->target_bps >>= 3;
    else
        s->target_bps = rocecc_min(s->target_bps + increase_bps, p->max_bps);
    s->rate_bps = (s->target_bps + s->rate_bps) >> 1;
    if (s->target_bps != p->max_bps || p->max_bps - s->rate_bps > p->ai_bps >> 1)
        return;
    if (p->release_needs_empty != 0 && (host & ROCECC_QCN_EMPTY) == 0) return;
    *s = rocecc_qcn_rp_start(p);
    act->timer_ns = 0;
    act->released = true;
}

/* After a stage: the state, then the rates, unless frozen (RP-17). */
ROCECC_FN void rocecc_qcn_rp_stage_(const rocecc_qcn_rp_params *p, rocecc_qcn_rp *s,
                                    bool by_bytes, uint8_t host,
                                    rocecc_qcn_rp_action *act)
{
    const bool stays = by_bytes && p->active_byte != 0 &&
                       s->state == ROCECC_QCN_ACTIVE_INCREASE; /* RP-14 */
    const uint64_t increase_bps = stays ? p->ai_bps : rocecc_qcn_rp_select_(p, s);
    if ((host & ROCECC_QCN_FROZEN) == 0)
        rocecc_qcn_rp_adjust_(p, s, increase_bps, host, act);
}

/*
 * rpByteCount -= octets that were sent; below 0 a stage ends (RP-7). Report each frame,
 * or fewer octets at a time than half of rpgByteReset.
 */
ROCECC_FN rocecc_qcn_rp_action rocecc_qcn_rp_sent(const rocecc_qcn_rp_params *p,
                                                  rocecc_qcn_rp *s, uint32_t bytes,
                                                  uint8_t host, uint32_t random)
{
    rocecc_qcn_rp_action act = {0, 0, false, false, false};
    if (s->enabled != 0 && bytes <= s->left_bytes) {
        s->left_bytes -= bytes;
    } else if (s->enabled != 0) {
        uint32_t half;
        s->byte_stage = rocecc_qcn_next_stage_(s->byte_stage);
        half = rocecc_qcn_rp_half_(p, s, s->byte_stage);
        s->left_bytes = (uint32_t)rocecc_qcn_drawn_(&p->bytes[half], random);
        rocecc_qcn_rp_stage_(p, s, true, host, &act);
    }
    act.rate_bps = s->rate_bps;
    return act;
}

/* The timer RpWhile expires, and a stage by time ends: RP-8. */
ROCECC_FN rocecc_qcn_rp_action rocecc_qcn_rp_timer(const rocecc_qcn_rp_params *p,
                                                   rocecc_qcn_rp *s, uint8_t host,
                                                   uint32_t random)
{
    rocecc_qcn_rp_action act = {0, 0, false, false, false};
    if (s->enabled != 0) {
        uint32_t half;
        s->time_stage = rocecc_qcn_next_stage_(s->time_stage);
        half = rocecc_qcn_rp_half_(p, s, s->time_stage);
        act.timer_ns = (uint32_t)rocecc_qcn_drawn_(&p->time_ns[half], random);
        rocecc_qcn_rp_stage_(p, s, false, host, &act);
    }
    act.rate_bps = s->rate_bps;
    return act;
}

#endif /* ROCECC_ALGO_QCN_H */
