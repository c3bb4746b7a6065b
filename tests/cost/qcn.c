/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost.h"
#include "rocecc/algo/qcn.h"

/* Both points in double, with the defaults of the MIB. */
typedef struct plain {
    double line, min, gd, ai, hai, rate, target, each, left;
    int threshold, by_bytes, by_time;
} plain;

typedef struct plain_cp {
    double set_point, weight, base, left, old;
} plain_cp;

static rocecc_qcn_cp_params cp_params;
static rocecc_qcn_cp queue, sampled;
static rocecc_qcn_rp_params params;
static rocecc_qcn_rp flow;
static plain real = {10e9, 5e6, 1 / 128., 5e6, 50e6, 5e9, 6e9, 150000, 150000, 5, 0, 0};
static plain_cp real_cp = {26000, 2, 150000, 150000, 0};
static volatile double sink;

COST bool cost_qcn_cp_offer(const rocecc_qcn_cp_params *p, rocecc_qcn_cp *s,
                            const rocecc_qcn_frame *f)
{
    return rocecc_qcn_cp_offer(p, s, f).cnm;
}

/* The frame that is sampled. */
COST unsigned cost_qcn_cp_sample(const rocecc_qcn_cp_params *p, rocecc_qcn_cp *s,
                                 const rocecc_qcn_frame *f)
{
    return rocecc_qcn_cp_offer(p, s, f).qntz_fb;
}

COST uint64_t cost_qcn_rp_cnm(const rocecc_qcn_rp_params *p, rocecc_qcn_rp *s,
                              uint8_t qntz_fb, uint32_t random)
{
    return rocecc_qcn_rp_cnm(p, s, qntz_fb, random).rate_bps;
}

/* One packet, which seldom ends a stage. */
COST uint64_t cost_qcn_rp_sent(const rocecc_qcn_rp_params *p, rocecc_qcn_rp *s,
                               uint32_t bytes)
{
    return rocecc_qcn_rp_sent(p, s, bytes, 0, 0).rate_bps;
}

COST uint64_t cost_qcn_rp_timer(const rocecc_qcn_rp_params *p, rocecc_qcn_rp *s,
                                uint32_t random)
{
    return rocecc_qcn_rp_timer(p, s, 0, random).rate_bps;
}

static inline int look(plain_cp *s, double bytes, double q, double random)
{
    int quantised = 0;
    double fb;
    s->left -= bytes;
    if (s->left >= 0) return 0;
    fb = s->set_point - q - s->weight * (q - s->old);
    if (fb < 0) quantised = (int)(-fb * 63 / (s->set_point * (2 * s->weight + 1)));
    if (quantised > 63) quantised = 63;
    s->old = q;
    s->left = s->base / (quantised / 8 + 1) * (0.85 + 0.3 * random);
    return quantised;
}

/* A poll in which nothing is due but each sixteenth time. */
COST uint64_t cost_qcn_rp_advance(const rocecc_qcn_rp_params *p, rocecc_qcn_rp_timed *t,
                                  uint64_t now_ns)
{
    return rocecc_qcn_rp_advance(p, t, 0, 0x80000000u, now_ns).rate_bps;
}

COST int plain_qcn_cp_offer(plain_cp *s, double bytes, double q, double random)
{
    return look(s, bytes, q, random);
}

COST int plain_qcn_cp_sample(plain_cp *s, double bytes, double q, double random)
{
    return look(s, bytes, q, random);
}

COST double plain_qcn_rp_cnm(plain *s, double fb)
{
    if (s->by_bytes != 0) {
        s->target = s->rate;
        s->left = s->each;
    }
    s->by_bytes = s->by_time = 0;
    s->rate *= 1 - s->gd * fb;
    if (s->rate < s->min) s->rate = s->min;
    return s->rate;
}

static double rise(plain *s)
{
    const int most = s->by_time > s->by_bytes ? s->by_time : s->by_bytes;
    const int least = s->by_time < s->by_bytes ? s->by_time : s->by_bytes;
    if ((s->by_time == 1 || s->by_bytes == 1) && s->target > 10 * s->rate)
        s->target /= 8;
    else if (least >= s->threshold)
        s->target += s->hai * (least - s->threshold + 1);
    else if (most >= s->threshold)
        s->target += s->ai;
    if (s->target > s->line) s->target = s->line;
    s->rate = (s->target + s->rate) / 2;
    return s->rate;
}

COST double plain_qcn_rp_sent(plain *s, uint32_t bytes)
{
    s->left -= bytes;
    if (s->left >= 0) return s->rate;
    s->by_bytes++;
    s->left = s->by_bytes >= s->threshold ? s->each / 2 : s->each;
    return rise(s);
}

COST double plain_qcn_rp_timer(plain *s)
{
    s->by_time++;
    return rise(s);
}

static rocecc_qcn_frame frame_of(unsigned i)
{
    rocecc_qcn_frame f = {0, 0, 0, false};
    f.frame_bytes = 1000 + i % 64;
    f.queue_bytes = 20000 + i % 256 * 128;
    f.random = i * 2654435761u;
    return f;
}

static void sizes(unsigned i)
{
    COST_SIZE(rocecc_qcn_cp);
    COST_SIZE(rocecc_qcn_rp);
    COST_SIZE(rocecc_qcn_rp_timed);
    if (i > 0) return;
    cp_params = rocecc_qcn_cp_mib();
    (void)rocecc_qcn_cp_init(&cp_params);
    queue = sampled = rocecc_qcn_cp_start(&cp_params, 0);
    params = rocecc_qcn_rp_qau(10000000000);
    (void)rocecc_qcn_rp_init(&params);
    flow = rocecc_qcn_rp_start(&params);
    (void)rocecc_qcn_rp_cnm(&params, &flow, 63, 0);
}

static void offer(unsigned i)
{
    const rocecc_qcn_frame f = frame_of(i);
    sink = cost_qcn_cp_offer(&cp_params, &queue, &f);
}

static void offer_plain(unsigned i)
{
    const rocecc_qcn_frame f = frame_of(i);
    sink = plain_qcn_cp_offer(&real_cp, f.frame_bytes, f.queue_bytes,
                              f.random / 4294967296.0);
}

static void sample(unsigned i)
{
    const rocecc_qcn_frame f = frame_of(i * 7);
    sampled.left_bytes = 0;
    sink = cost_qcn_cp_sample(&cp_params, &sampled, &f);
}

static void sample_plain(unsigned i)
{
    const rocecc_qcn_frame f = frame_of(i * 7);
    real_cp.left = 0;
    sink = plain_qcn_cp_sample(&real_cp, f.frame_bytes, f.queue_bytes,
                               f.random / 4294967296.0);
}

/* One in 8 begins high again. */
static void cnm(unsigned i)
{
    if (i % 8 == 0) flow.rate_bps = flow.target_bps = 10000000000;
    flow.byte_stage = i & 1;
    sink = (double)cost_qcn_rp_cnm(&params, &flow, 1 + i % 63, i * 2654435761u);
}

static void cnm_plain(unsigned i)
{
    if (i % 8 == 0) real.rate = real.target = 10e9;
    real.by_bytes = i & 1;
    sink = plain_qcn_rp_cnm(&real, 1 + i % 63);
}

static void sent(unsigned i)
{
    sink = (double)cost_qcn_rp_sent(&params, &flow, 1000 + i % 64);
}

static void sent_plain(unsigned i)
{
    sink = plain_qcn_rp_sent(&real, 1000 + i % 64);
}

/* Through all of its states, and far from line rate. */
static void stage(unsigned i)
{
    if (i % 16 == 0) {
        flow.rate_bps = 1000000000;
        flow.target_bps = 2000000000;
        flow.time_stage = 0;
        flow.byte_stage = (uint8_t)(i / 16 % 8);
    }
    sink = (double)cost_qcn_rp_timer(&params, &flow, i * 2654435761u);
}

static void advance(unsigned i)
{
    static rocecc_qcn_rp_timed timed;
    if (i % 256 == 0) {
        timed = rocecc_qcn_rp_timed_start(&params, 0);
        timed.flow.rate_bps = 1000000000;
        timed.flow.target_bps = 2000000000;
        timed.flow.enabled = 1;
        timed.due_ns = params.time_reset_ns;
    }
    sink = (double)cost_qcn_rp_advance(&params, &timed,
                                       timed.last_ns + params.time_reset_ns / 16);
}

static void stage_plain(unsigned i)
{
    if (i % 16 == 0) {
        real.rate = 1e9;
        real.target = 2e9;
        real.by_time = 0;
        real.by_bytes = (int)(i / 16 % 8);
    }
    sink = plain_qcn_rp_timer(&real);
}

static const cost_case cases[] = {{"sizes", sizes},
                                  {"cost_qcn_cp_offer", offer},
                                  {"plain_qcn_cp_offer", offer_plain},
                                  {"cost_qcn_cp_sample", sample},
                                  {"plain_qcn_cp_sample", sample_plain},
                                  {"cost_qcn_rp_cnm", cnm},
                                  {"plain_qcn_rp_cnm", cnm_plain},
                                  {"cost_qcn_rp_sent", sent},
                                  {"plain_qcn_rp_sent", sent_plain},
                                  {"cost_qcn_rp_timer", stage},
                                  {"cost_qcn_rp_advance", advance},
                                  {"plain_qcn_rp_timer", stage_plain}};

COST_MAIN(cases)
