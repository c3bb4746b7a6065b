/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost.h"
#include "rocecc/algo/hpcc.h"

#define HOPS 5

typedef struct plain {
    double w, wc, u, t, eta, w_ai, w_min, w_max;
    uint32_t update_seq;
    int stage, hops, max_stage;
    rocecc_hop l[HOPS];
} plain;

static rocecc_hpcc_params params;
static rocecc_hpcc flow;
static rocecc_hpcc_hop known[HOPS];
static rocecc_hop path[HOPS];
static plain real;
static rocecc_hpcc_report report;
static volatile uint64_t sink;
static volatile double sink_double;

COST uint64_t cost_hpcc_ack(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                            rocecc_hpcc_hop *l, const rocecc_hpcc_report *r)
{
    return rocecc_hpcc_ack(p, s, l, r).rate_bps;
}

COST uint64_t cost_hpcc_ack_queued(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                                   rocecc_hpcc_hop *l, const rocecc_hpcc_report *r)
{
    return rocecc_hpcc_ack(p, s, l, r).rate_bps;
}

COST uint64_t cost_hpcc_csig_ack(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                                 const rocecc_hpcc_sample *e)
{
    return rocecc_hpcc_csig_ack(p, s, e).rate_bps;
}

static double plain_window(plain *s, uint32_t seq, uint32_t snd_nxt)
{
    const bool update = (int32_t)(seq - s->update_seq) > 0;
    const bool scale = s->u >= s->eta || s->stage >= s->max_stage;
    double w = scale ? s->wc * s->eta / s->u + s->w_ai : s->wc + s->w_ai;
    if (!(w < s->w_max)) w = s->w_max;
    if (w < s->w_min) w = s->w_min;
    s->w = w;
    if (update) {
        s->wc = w;
        s->stage = scale ? 0 : s->stage + 1;
        s->update_seq = snd_nxt;
    }
    return w * 8e9 / s->t;
}

static inline __attribute__((always_inline)) double
plain_ack(plain *s, const rocecc_hop *h, int n, uint32_t seq, uint32_t snd_nxt)
{
    double most = 0, tau = 0;
    int i;
    if (n != s->hops) return 0;
    for (i = 0; i < n; i++)
        if (h[i].id != s->l[i].id) return 0;
    for (i = 0; i < n; i++) {
        const uint64_t dt_ns = h[i].ts_ns - s->l[i].ts_ns;
        const double b = (double)h[i].rate_bps * 0.125e-9;
        const uint32_t q = h[i].queue_bytes < s->l[i].queue_bytes ? h[i].queue_bytes
                                                                  : s->l[i].queue_bytes;
        double dt, u;
        if (dt_ns == 0 || dt_ns >> 63 != 0 || b == 0) continue;
        dt = (double)dt_ns;
        u = q / (b * s->t) + (double)(h[i].tx_bytes - s->l[i].tx_bytes) / dt / b;
        if (tau == 0 || u > most) {
            most = u;
            tau = dt;
        }
        s->l[i] = h[i];
    }
    if (tau == 0) return 0;
    if (tau > s->t) tau = s->t;
    s->u += tau / s->t * (most - s->u);
    return plain_window(s, seq, snd_nxt);
}

COST double plain_hpcc_ack(plain *s, const rocecc_hop *h, int n, uint32_t seq,
                           uint32_t snd_nxt)
{
    return plain_ack(s, h, n, seq, snd_nxt);
}

COST double plain_hpcc_ack_queued(plain *s, const rocecc_hop *h, int n, uint32_t seq,
                                  uint32_t snd_nxt)
{
    return plain_ack(s, h, n, seq, snd_nxt);
}

COST double plain_hpcc_csig_ack(plain *s, double u, double dt, uint32_t seq,
                                uint32_t snd_nxt)
{
    if (dt > s->t) dt = s->t;
    s->u += dt / s->t * (u - s->u);
    return plain_window(s, seq, snd_nxt);
}

/* Five hops of 100 to 400 Gb/s, and both flows at their start. */
static void begin(void)
{
    static const uint64_t gbps[HOPS] = {100, 400, 400, 400, 100};
    int i;
    params = rocecc_hpcc_paper(100000000000);
    (void)rocecc_hpcc_init(&params);
    flow = rocecc_hpcc_start(&params);
    real.w = real.wc = real.w_max = (double)params.w_max_bytes;
    real.w_min = 1;
    real.w_ai = 81.25;
    real.u = 1;
    real.t = 13000;
    real.eta = 0.95;
    real.max_stage = 5;
    real.update_seq = 0;
    real.stage = 0;
    real.hops = HOPS;
    for (i = 0; i < HOPS; i++) {
        path[i].id = (uint64_t)i + 1;
        path[i].rate_bps = gbps[i] * 1000000000;
        path[i].tx_bytes = path[i].ts_ns = 0;
        path[i].queue_bytes = path[i].util_q20 = 0;
        path[i].valid = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE |
                        ROCECC_HOP_TX | ROCECC_HOP_TS;
        real.l[i] = path[i];
    }
    report.hops = path;
    report.n_hops = HOPS;
    report.seq = report.snd_nxt = report.now_ns = 0;
    report.ecn = ROCECC_HPCC_ECN_UNKNOWN;
    report.incomplete = false;
    (void)rocecc_hpcc_ack(&params, &flow, known, &report);
}

/* Links some 96 % busy; an ACK each 80 ns, an update each 128. */
static void next(unsigned i, uint32_t queue_bytes)
{
    int k;
    if (i == 0) begin();
    for (k = 0; k < HOPS; k++) {
        path[k].ts_ns += 79 + (i + (unsigned)k) % 3;
        path[k].tx_bytes += path[k].rate_bps / 1000000000 * 96 / 10 - i % 7;
        path[k].queue_bytes = queue_bytes & (0u - (i >> k & 1));
    }
    report.seq = i;
    report.snd_nxt = i + 128;
    report.now_ns += 80;
}

static void ack(unsigned i)
{
    next(i, 0);
    sink = cost_hpcc_ack(&params, &flow, known, &report);
}

static void ack_plain(unsigned i)
{
    next(i, 0);
    sink_double = plain_hpcc_ack(&real, path, HOPS, report.seq, report.snd_nxt);
}

static void queued(unsigned i)
{
    next(i, 3000);
    sink = cost_hpcc_ack_queued(&params, &flow, known, &report);
}

static void queued_plain(unsigned i)
{
    next(i, 3000);
    sink_double = plain_hpcc_ack_queued(&real, path, HOPS, report.seq, report.snd_nxt);
}

static void csig(unsigned i)
{
    rocecc_hpcc_sample e = {ROCECC_HPCC_UTILISATION, 0, 0, 0, 0, 0};
    if (i == 0) begin();
    e.value = 900000 + i * 37 % 150000;
    e.seq = i;
    e.snd_nxt = i + 128;
    e.now_ns = i * 80;
    sink = cost_hpcc_csig_ack(&params, &flow, &e);
}

static void csig_plain(unsigned i)
{
    if (i == 0) begin();
    sink_double = plain_hpcc_csig_ack(&real, (900000 + i * 37 % 150000) / 1048576.0, 80,
                                      i, i + 128);
}

static void sizes(unsigned i)
{
    COST_SIZE(rocecc_hpcc);
    COST_SIZE(rocecc_hpcc_hop);
}

static const cost_case cases[] = {{"sizes", sizes},
                                  {"cost_hpcc_ack", ack},
                                  {"plain_hpcc_ack", ack_plain},
                                  {"cost_hpcc_ack_queued", queued},
                                  {"plain_hpcc_ack_queued", queued_plain},
                                  {"cost_hpcc_csig_ack", csig},
                                  {"plain_hpcc_csig_ack", csig_plain}};

COST_MAIN(cases)
