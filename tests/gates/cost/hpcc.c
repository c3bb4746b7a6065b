/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "cost.h"
#include "rocecc/algo/hpcc.h"

#define HPCC_HOPS 5
#define HPCC_ACKS 64 /* in a row; then the flow is reset */
#define HPCC_ALL                                                                       \
    (ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE | ROCECC_HOP_TX | ROCECC_HOP_TS)

/* L[i], with 1 / (B T) for its rate. */
typedef struct plain_hop {
    uint64_t id, rate_bps, ts_ns, tx_bytes;
    double inverse;
    uint32_t queue_bytes;
    bool jumped;
} plain_hop;

/*
 * A flow in double, with the values that all flows share. It keeps the rules that a
 * network needs: another path, a missing item, a changed rate, a late record, a gap
 * that is too long, a counter that jumps, and a queue beyond the largest buffer. It
 * omits clocks and counters of less than 64 bits, hops that report in part or report a
 * utilisation, the limit of a blind flow, ECN, and all results except R and W.
 */
typedef struct plain_hpcc {
    double t, inverse_t, eta, w_ai, w_min, w_max, per_t, queue_max;
    uint64_t reorder_ns, dt_max_ns;
    int max_stage;
    double w, wc, u;
    uint64_t changed_ns;
    uint32_t update_seq;
    int stage;
    unsigned hops;
    plain_hop l[HPCC_HOPS];
} plain_hpcc;

static rocecc_hpcc_params hpcc;
static rocecc_hpcc hpcc_flow, hpcc_flow0;
static rocecc_hpcc_hop hpcc_l[HPCC_HOPS], hpcc_l0[HPCC_HOPS];
static plain_hpcc hpcc_real, hpcc_real0;
static rocecc_hop hpcc_hops[2][HPCC_ACKS][HPCC_HOPS]; /* [0] without queues, [1] with */
static rocecc_hpcc_event hpcc_reports[2][HPCC_ACKS];
static rocecc_hpcc_csig_event hpcc_samples[HPCC_ACKS];

COST uint64_t cost_hpcc_ack(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                            rocecc_hpcc_hop *l, const rocecc_hpcc_event *r)
{
    return rocecc_hpcc_ack(p, s, l, r).rate_bps;
}

COST uint64_t cost_hpcc_ack_queued(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                                   rocecc_hpcc_hop *l, const rocecc_hpcc_event *r)
{
    return rocecc_hpcc_ack(p, s, l, r).rate_bps;
}

COST uint64_t cost_hpcc_csig_ack(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                                 const rocecc_hpcc_csig_event *e)
{
    return rocecc_hpcc_csig_ack(p, s, e).rate_bps;
}

static inline double plain_hpcc_window(plain_hpcc *s, uint32_t seq, uint32_t snd_nxt)
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
    return w * s->per_t;
}

static inline void plain_hpcc_keep(plain_hop *l, const rocecc_hop *h)
{
    l->ts_ns = h->ts_ns;
    l->tx_bytes = h->tx_bytes;
    l->queue_bytes = h->queue_bytes;
}

/* Returns u dt/T of a hop, or -1 if unmeasured. Divides only if the rate changed. */
static inline double plain_hpcc_part(const plain_hpcc *s, plain_hop *l,
                                     const rocecc_hop *h, uint64_t span_ns, double *dt)
{
    const uint64_t gone_ns = h->ts_ns - l->ts_ns;
    uint32_t queue = h->queue_bytes;
    double part, most;
    bool again;
    if (gone_ns - 1 >= span_ns) {
        if (gone_ns != 0 && 0 - gone_ns > s->reorder_ns) plain_hpcc_keep(l, h);
        return -1;
    }
    if (h->rate_bps != l->rate_bps) {
        l->rate_bps = h->rate_bps;
        l->inverse = 8e9 / ((double)h->rate_bps * s->t);
    }
    *dt = (double)(int64_t)gone_ns;
    part = (double)(int64_t)(h->tx_bytes - l->tx_bytes) * l->inverse;
    if (l->queue_bytes < queue) queue = l->queue_bytes;
    most = 1.125 * *dt * s->inverse_t;
    plain_hpcc_keep(l, h);
    again = l->jumped;
    l->jumped = part > most + 1;
    if (l->jumped) {
        if (!again) return -1;
        part = most;
    }
    if (queue != 0) {
        double q = queue;
        if (q > s->queue_max) q = s->queue_max;
        part += q * l->inverse * *dt * s->inverse_t;
    }
    return part;
}

static inline __attribute__((always_inline)) double
plain_hpcc_acked(plain_hpcc *s, const rocecc_hpcc_event *r)
{
    const uint64_t age_ns = r->now_ns - s->changed_ns;
    uint64_t span_ns = age_ns + age_ns / 8 + s->reorder_ns;
    double most = 0, most_dt = 0, dt = 0;
    unsigned i;
    if (r->n_hops != s->hops) return 0;
    for (i = 0; i < r->n_hops; i++)
        if (r->hops[i].id != s->l[i].id || r->hops[i].valid != HPCC_ALL) return 0;
    if (span_ns > s->dt_max_ns) span_ns = s->dt_max_ns;
    for (i = 0; i < r->n_hops; i++) {
        const double part = plain_hpcc_part(s, &s->l[i], &r->hops[i], span_ns, &dt);
        if (part < 0) continue;
        if (most_dt == 0 || part * most_dt > most * dt) {
            most = part;
            most_dt = dt;
        }
    }
    if (most_dt == 0) return 0;
    s->changed_ns = r->now_ns;
    if (most_dt <= s->t)
        s->u += most - s->u * most_dt * s->inverse_t;
    else
        s->u = most * s->t / most_dt;
    return plain_hpcc_window(s, r->seq, r->snd_nxt);
}

COST double plain_hpcc_ack(plain_hpcc *s, const rocecc_hpcc_event *r)
{
    return plain_hpcc_acked(s, r);
}

COST double plain_hpcc_ack_queued(plain_hpcc *s, const rocecc_hpcc_event *r)
{
    return plain_hpcc_acked(s, r);
}

/* Handles a utilisation. Ignores delays and missing samples. */
COST double plain_hpcc_csig_ack(plain_hpcc *s, const rocecc_hpcc_csig_event *e)
{
    double dt = (double)(int64_t)(e->now_ns - s->changed_ns), u = e->value / 1048576.0;
    if (e->signal != ROCECC_HPCC_UTILISATION || dt == 0) return s->w * s->per_t;
    if (u > 1.125) u = 1.125;
    if (dt > s->t) dt = s->t;
    s->u += dt * s->inverse_t * (u - s->u);
    s->changed_ns = e->now_ns;
    return plain_hpcc_window(s, e->seq, e->snd_nxt);
}

/* Makes reports from links about 96 % busy: an ACK per 80 ns, an update per 32 ACKs. */
static void hpcc_reports_of(const rocecc_hop *first, int queued)
{
    rocecc_hop path[HPCC_HOPS];
    unsigned i, k;
    memcpy(path, first, sizeof path);
    for (i = 0; i < HPCC_ACKS; i++) {
        rocecc_hpcc_event *r = &hpcc_reports[queued][i];
        for (k = 0; k < HPCC_HOPS; k++) {
            path[k].ts_ns += 79 + (i + k) % 3;
            path[k].tx_bytes += path[k].rate_bps / 1000000000 * 96 / 10 - i % 7;
            path[k].queue_bytes = queued && (i >> k & 1) != 0 ? 3000 : 0;
            hpcc_hops[queued][i][k] = path[k];
        }
        r->hops = hpcc_hops[queued][i];
        r->n_hops = HPCC_HOPS;
        r->seq = i + 1;
        r->snd_nxt = i + 33;
        r->now_ns = 80 * (uint64_t)(i + 1);
        r->ecn = ROCECC_HPCC_ECN_UNKNOWN;
        r->incomplete = false;
        if (queued) continue;
        hpcc_samples[i].signal = ROCECC_HPCC_UTILISATION;
        hpcc_samples[i].value = 900000 + i * 2347 % 150000;
        hpcc_samples[i].seq = r->seq;
        hpcc_samples[i].snd_nxt = r->snd_nxt;
        hpcc_samples[i].now_ns = r->now_ns;
    }
}

/* Prepares five hops of 100 to 400 Gb/s, and both flows, which know these hops. */
static void hpcc_begin(void)
{
    static const uint64_t gbps[HPCC_HOPS] = {100, 400, 400, 400, 100};
    rocecc_hop path[HPCC_HOPS];
    rocecc_hpcc_event r = {path, HPCC_HOPS, 0, 0, 0, ROCECC_HPCC_ECN_UNKNOWN, false};
    unsigned i;
    hpcc = rocecc_hpcc_paper(100000000000);
    (void)rocecc_hpcc_init(&hpcc);
    hpcc_flow0 = rocecc_hpcc_start(&hpcc);
    hpcc_real0.w = hpcc_real0.wc = hpcc_real0.w_max = (double)hpcc.w_max_bytes;
    hpcc_real0.w_min = 1;
    hpcc_real0.w_ai = 81.25;
    hpcc_real0.u = 1;
    hpcc_real0.t = 13000;
    hpcc_real0.inverse_t = 1 / 13000.;
    hpcc_real0.per_t = 8e9 / 13000;
    hpcc_real0.eta = 0.95;
    hpcc_real0.queue_max = hpcc.queue_max_bytes;
    hpcc_real0.max_stage = 5;
    hpcc_real0.reorder_ns = hpcc.reorder_ns;
    hpcc_real0.dt_max_ns = hpcc.dt_max_ns;
    hpcc_real0.hops = HPCC_HOPS;
    memset(path, 0, sizeof path);
    for (i = 0; i < HPCC_HOPS; i++) {
        path[i].id = hpcc_real0.l[i].id = (uint64_t)i + 1;
        path[i].rate_bps = hpcc_real0.l[i].rate_bps = gbps[i] * 1000000000;
        path[i].valid = HPCC_ALL;
        hpcc_real0.l[i].inverse = 8e9 / ((double)path[i].rate_bps * 13000);
    }
    (void)rocecc_hpcc_ack(&hpcc, &hpcc_flow0, hpcc_l0, &r);
    hpcc_reports_of(path, 0);
    hpcc_reports_of(path, 1);
    (void)rocecc_hpcc_ack(&hpcc, &hpcc_flow0, hpcc_l0, &hpcc_reports[0][0]);
    hpcc_flow0.changed_ns = 0; /* L has the rates; its records are reset */
    for (i = 0; i < HPCC_HOPS; i++)
        rocecc_hpcc_save_(&hpcc_l0[i], &path[i]);
}

static void hpcc_again(unsigned i)
{
    if (i % HPCC_ACKS != 0) return;
    hpcc_flow = hpcc_flow0;
    memcpy(hpcc_l, hpcc_l0, sizeof hpcc_l);
}

static void hpcc_again_plain(unsigned i)
{
    if (i % HPCC_ACKS == 0) hpcc_real = hpcc_real0;
}

static void hpcc_ack(unsigned i)
{
    hpcc_again(i);
    cost_sink =
        cost_hpcc_ack(&hpcc, &hpcc_flow, hpcc_l, &hpcc_reports[0][i % HPCC_ACKS]);
}

static void hpcc_ack_plain(unsigned i)
{
    hpcc_again_plain(i);
    cost_sink_double = plain_hpcc_ack(&hpcc_real, &hpcc_reports[0][i % HPCC_ACKS]);
}

static void hpcc_queued(unsigned i)
{
    hpcc_again(i);
    cost_sink = cost_hpcc_ack_queued(&hpcc, &hpcc_flow, hpcc_l,
                                     &hpcc_reports[1][i % HPCC_ACKS]);
}

static void hpcc_queued_plain(unsigned i)
{
    hpcc_again_plain(i);
    cost_sink_double =
        plain_hpcc_ack_queued(&hpcc_real, &hpcc_reports[1][i % HPCC_ACKS]);
}

static void hpcc_csig(unsigned i)
{
    hpcc_again(i);
    cost_sink = cost_hpcc_csig_ack(&hpcc, &hpcc_flow, &hpcc_samples[i % HPCC_ACKS]);
}

static void hpcc_csig_plain(unsigned i)
{
    hpcc_again_plain(i);
    cost_sink_double = plain_hpcc_csig_ack(&hpcc_real, &hpcc_samples[i % HPCC_ACKS]);
}

static void hpcc_sizes(unsigned i)
{
    COST_SIZE(rocecc_hpcc);
    COST_SIZE(rocecc_hpcc_hop);
    if (i == 0) hpcc_begin();
}

static const cost_case hpcc_cases[] = {{"sizes", hpcc_sizes},
                                       {"cost_hpcc_ack", hpcc_ack},
                                       {"plain_hpcc_ack", hpcc_ack_plain},
                                       {"cost_hpcc_ack_queued", hpcc_queued},
                                       {"plain_hpcc_ack_queued", hpcc_queued_plain},
                                       {"cost_hpcc_csig_ack", hpcc_csig},
                                       {"plain_hpcc_csig_ack", hpcc_csig_plain}};

COST_MAIN(hpcc_cases)
