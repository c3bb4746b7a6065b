/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost.h"
#include "rocecc/algo/qcn.h"

/*
 * The two points with their parameters, the defaults of the MIB. The sender omits a
 * paused flow, jitter, the timer's next length, and the variants of other sources.
 */
typedef struct plain_qcn_rp {
    double line, min, gd, ai, hai, rate, target, each, left;
    int threshold, by_bytes, by_time;
    bool enabled;
} plain_qcn_rp;

typedef struct plain_qcn_cp {
    double set_point, weight, inverse; /* inverse: 63 / FbMax */
    double low[8], span[8];            /* for the next sample, by QntzFb / 8 */
    double left, old;
    uint32_t cnms;
} plain_qcn_cp;

static rocecc_qcn_cp_params qcn_cp;
static rocecc_qcn_cp qcn_queue, qcn_sampled;
static rocecc_qcn_rp_params qcn_rp;
static rocecc_qcn_rp qcn_flow;
static rocecc_qcn_rp_timed qcn_timed;
static plain_qcn_rp qcn_real;
static plain_qcn_cp qcn_real_queue, qcn_real_sampled;

COST bool cost_qcn_cp_offer(const rocecc_qcn_cp_params *p, rocecc_qcn_cp *s,
                            const rocecc_qcn_cp_event *f)
{
    return rocecc_qcn_cp_offer(p, s, f).cnm;
}

/* Offers a frame that is sampled. */
COST unsigned cost_qcn_cp_sample(const rocecc_qcn_cp_params *p, rocecc_qcn_cp *s,
                                 const rocecc_qcn_cp_event *f)
{
    return rocecc_qcn_cp_offer(p, s, f).qntz_fb;
}

COST uint64_t cost_qcn_rp_cnm(const rocecc_qcn_rp_params *p, rocecc_qcn_rp *s,
                              uint8_t qntz_fb, uint32_t random)
{
    return rocecc_qcn_rp_cnm(p, s, qntz_fb, random).rate_bps;
}

/* Sends one packet, which seldom ends a stage. */
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

/* Polls while nothing is due, except every sixteenth time. */
COST uint64_t cost_qcn_rp_timed_advance(const rocecc_qcn_rp_params *p, rocecc_qcn_rp_timed *t,
                                  uint64_t now_ns)
{
    return rocecc_qcn_rp_timed_advance(p, t, 0, 0x80000000u, now_ns).rate_bps;
}

static inline __attribute__((always_inline)) unsigned
plain_qcn_offered(plain_qcn_cp *s, const rocecc_qcn_cp_event *f)
{
    const double q = f->queue_bytes;
    unsigned quantised = 0;
    double minus_fb;
    s->left -= f->frame_bytes;
    if (s->left >= 0) return 0;
    minus_fb = q - s->set_point + s->weight * (q - s->old);
    if (minus_fb > 0) {
        minus_fb *= s->inverse;
        quantised = minus_fb < 63 ? (unsigned)(int)minus_fb : 63;
    }
    s->old = q;
    s->cnms += quantised > 0;
    s->left = s->low[quantised / 8] + s->span[quantised / 8] * f->random;
    return quantised;
}

COST bool plain_qcn_cp_offer(plain_qcn_cp *s, const rocecc_qcn_cp_event *f)
{
    return plain_qcn_offered(s, f) != 0;
}

COST unsigned plain_qcn_cp_sample(plain_qcn_cp *s, const rocecc_qcn_cp_event *f)
{
    return plain_qcn_offered(s, f);
}

COST double plain_qcn_rp_cnm(plain_qcn_rp *s, uint8_t qntz_fb)
{
    double keep;
    if (qntz_fb == 0) return s->rate;
    if (!s->enabled) s->rate = s->line;
    if (!s->enabled || s->by_bytes != 0) {
        s->target = s->rate;
        s->left = s->each;
    }
    s->enabled = true;
    s->by_bytes = s->by_time = 0;
    keep = 1 - s->gd * qntz_fb;
    s->rate *= keep < 0.5 ? 0.5 : keep;
    if (s->rate < s->min) s->rate = s->min;
    return s->rate;
}

static inline double plain_qcn_rise(plain_qcn_rp *s)
{
    const int most = s->by_time > s->by_bytes ? s->by_time : s->by_bytes;
    const int least = s->by_time < s->by_bytes ? s->by_time : s->by_bytes;
    if ((s->by_time == 1 || s->by_bytes == 1) && s->target > 10 * s->rate)
        s->target *= 0.125;
    else if (least >= s->threshold)
        s->target += s->hai * (least - s->threshold + 1);
    else if (most >= s->threshold)
        s->target += s->ai;
    if (s->target > s->line) s->target = s->line;
    s->rate = (s->target + s->rate) * 0.5;
    if (s->target == s->line && s->line - s->rate <= s->ai * 0.5) {
        s->rate = s->line;
        s->enabled = false;
    }
    return s->rate;
}

COST double plain_qcn_rp_sent(plain_qcn_rp *s, uint32_t bytes)
{
    if (!s->enabled) return s->rate;
    s->left -= bytes;
    if (s->left >= 0) return s->rate;
    if (s->by_bytes < 255) s->by_bytes++;
    s->left = s->by_bytes >= s->threshold ? s->each * 0.5 : s->each;
    return plain_qcn_rise(s);
}

COST double plain_qcn_rp_timer(plain_qcn_rp *s)
{
    if (!s->enabled) return s->rate;
    if (s->by_time < 255) s->by_time++;
    return plain_qcn_rise(s);
}

static void qcn_begin(void)
{
    const plain_qcn_rp start = {10e9,   5e6,    1 / 128., 5e6, 50e6, 5e9, 6e9,
                                150000, 150000, 5,        0,   0,    true};
    int i;
    qcn_cp = rocecc_qcn_cp_mib();
    (void)rocecc_qcn_cp_init(&qcn_cp);
    qcn_queue = qcn_sampled = rocecc_qcn_cp_start(&qcn_cp, 0);
    qcn_rp = rocecc_qcn_rp_qau(10000000000);
    (void)rocecc_qcn_rp_init(&qcn_rp);
    qcn_flow = rocecc_qcn_rp_start(&qcn_rp);
    (void)rocecc_qcn_rp_cnm(&qcn_rp, &qcn_flow, 63, 0);
    qcn_real = start;
    qcn_real_queue.set_point = 26000;
    qcn_real_queue.weight = 2;
    qcn_real_queue.inverse = 63 / (26000 * 5.);
    for (i = 0; i < 8; i++) {
        qcn_real_queue.low[i] = qcn_cp.intervals[i].low;
        qcn_real_queue.span[i] = qcn_cp.intervals[i].span * 0x1p-32;
    }
    qcn_real_queue.left = qcn_real_queue.low[0];
    qcn_real_sampled = qcn_real_queue;
}

static void qcn_sizes(unsigned i)
{
    COST_SIZE(rocecc_qcn_cp);
    COST_SIZE(rocecc_qcn_rp);
    COST_SIZE(rocecc_qcn_rp_timed);
    if (i == 0) qcn_begin();
}

static rocecc_qcn_cp_event qcn_frame(unsigned i)
{
    rocecc_qcn_cp_event f = {0, 0, 0, false};
    f.frame_bytes = 1000 + i % 64;
    f.queue_bytes = 20000 + i % 256 * 128;
    f.random = i * 2654435761u;
    return f;
}

static void qcn_offer(unsigned i)
{
    const rocecc_qcn_cp_event f = qcn_frame(i);
    cost_sink = cost_qcn_cp_offer(&qcn_cp, &qcn_queue, &f);
}

static void qcn_offer_plain(unsigned i)
{
    const rocecc_qcn_cp_event f = qcn_frame(i);
    cost_sink = plain_qcn_cp_offer(&qcn_real_queue, &f);
}

static void qcn_sample(unsigned i)
{
    const rocecc_qcn_cp_event f = qcn_frame(i * 7);
    qcn_sampled.left_bytes = 0;
    cost_sink = cost_qcn_cp_sample(&qcn_cp, &qcn_sampled, &f);
}

static void qcn_sample_plain(unsigned i)
{
    const rocecc_qcn_cp_event f = qcn_frame(i * 7);
    qcn_real_sampled.left = 0;
    cost_sink = plain_qcn_cp_sample(&qcn_real_sampled, &f);
}

/* One CNM in 8 starts at 10 Gb/s again. */
static void qcn_cnm(unsigned i)
{
    if (i % 8 == 0) qcn_flow.rate_bps = qcn_flow.target_bps = 10000000000;
    qcn_flow.byte_stage = i & 1;
    cost_sink = cost_qcn_rp_cnm(&qcn_rp, &qcn_flow, 1 + i % 63, i * 2654435761u);
}

static void qcn_cnm_plain(unsigned i)
{
    if (i % 8 == 0) qcn_real.rate = qcn_real.target = 10e9;
    qcn_real.by_bytes = i & 1;
    cost_sink_double = plain_qcn_rp_cnm(&qcn_real, 1 + i % 63);
}

/* Sends 14 times the octets of a counter, and then starts again. */
static void qcn_sent(unsigned i)
{
    if (i % 2048 == 0) {
        qcn_flow.rate_bps = 1000000000;
        qcn_flow.target_bps = 2000000000;
        qcn_flow.time_stage = qcn_flow.byte_stage = 0;
    }
    cost_sink = cost_qcn_rp_sent(&qcn_rp, &qcn_flow, 1000 + i % 64);
}

static void qcn_sent_plain(unsigned i)
{
    if (i % 2048 == 0) {
        qcn_real.rate = 1e9;
        qcn_real.target = 2e9;
        qcn_real.by_time = qcn_real.by_bytes = 0;
    }
    cost_sink_double = plain_qcn_rp_sent(&qcn_real, 1000 + i % 64);
}

/* Passes through all states, far from line rate. */
static void qcn_stage(unsigned i)
{
    if (i % 16 == 0) {
        qcn_flow.rate_bps = 1000000000;
        qcn_flow.target_bps = 2000000000;
        qcn_flow.time_stage = 0;
        qcn_flow.byte_stage = (uint8_t)(i / 16 % 8);
    }
    cost_sink = cost_qcn_rp_timer(&qcn_rp, &qcn_flow, i * 2654435761u);
}

static void qcn_stage_plain(unsigned i)
{
    if (i % 16 == 0) {
        qcn_real.rate = 1e9;
        qcn_real.target = 2e9;
        qcn_real.by_time = 0;
        qcn_real.by_bytes = (int)(i / 16 % 8);
    }
    cost_sink_double = plain_qcn_rp_timer(&qcn_real);
}

static void qcn_advance(unsigned i)
{
    if (i % 256 == 0) {
        qcn_timed = rocecc_qcn_rp_timed_start(&qcn_rp, 0);
        qcn_timed.flow.rate_bps = 1000000000;
        qcn_timed.flow.target_bps = 2000000000;
        qcn_timed.flow.enabled = 1;
        qcn_timed.due_ns = qcn_rp.time_reset_ns;
    }
    cost_sink = cost_qcn_rp_timed_advance(&qcn_rp, &qcn_timed,
                                    qcn_timed.last_ns + qcn_rp.time_reset_ns / 16);
}

static const cost_case qcn_cases[] = {{"sizes", qcn_sizes},
                                      {"cost_qcn_cp_offer", qcn_offer},
                                      {"plain_qcn_cp_offer", qcn_offer_plain},
                                      {"cost_qcn_cp_sample", qcn_sample},
                                      {"plain_qcn_cp_sample", qcn_sample_plain},
                                      {"cost_qcn_rp_cnm", qcn_cnm},
                                      {"plain_qcn_rp_cnm", qcn_cnm_plain},
                                      {"cost_qcn_rp_sent", qcn_sent},
                                      {"plain_qcn_rp_sent", qcn_sent_plain},
                                      {"cost_qcn_rp_timer", qcn_stage},
                                      {"plain_qcn_rp_timer", qcn_stage_plain},
                                      {"cost_qcn_rp_timed_advance", qcn_advance}};

COST_MAIN(qcn_cases)
