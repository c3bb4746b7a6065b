/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * algo.c - compares each step of an algorithm with the same equations in double. The
 * pairs come from tests/gates/cost, where comments list the rules that the double code
 * keeps, and HPCC is also compared with its paper. A call makes an input and runs one
 * step. Before the measurement, both sides run on the same inputs, and their rates,
 * windows and decisions must agree within the row's tolerance.
 */
#include "bench.h"

#include <math.h>

#define COST_MAIN(cases) /* for callgrind */
#include "gates/cost/dcqcn.c"
#include "gates/cost/hpcc.c"
#include "gates/cost/ldcp.c"
#include "gates/cost/qcn.c"
#include "gates/cost/wred.c"

/*
 * HPCC (SIGCOMM 2019, Algorithm 1), with products for divisions by constants. It
 * handles only a known path, and each hop must have all of its items, in order.
 */
typedef struct paper_link {
    uint64_t id, ts_ns, tx_bytes;
    double inverse; /* 1 / (B T) */
    uint32_t queue_bytes;
} paper_link;

typedef struct paper_hpcc {
    double w, wc, u, t, inverse_t, eta, w_ai, w_max;
    uint32_t last_update_seq;
    int inc_stage, max_stage;
    paper_link l[HPCC_HOPS];
} paper_hpcc;

static paper_hpcc paper_flow, paper_flow0;

static inline double paper_measure(paper_hpcc *s, const rocecc_hpcc_event *r)
{
    double u = 0, tau = 0;
    unsigned i;
    for (i = 0; i < HPCC_HOPS; i++) {
        const rocecc_hop *h = &r->hops[i];
        paper_link *l = &s->l[i];
        const double dt = (double)(int64_t)(h->ts_ns - l->ts_ns);
        const double bytes = (double)(int64_t)(h->tx_bytes - l->tx_bytes);
        const double queue =
            h->queue_bytes < l->queue_bytes ? h->queue_bytes : l->queue_bytes;
        const double u_link = (queue + bytes * s->t / dt) * l->inverse;
        if (u_link > u) {
            u = u_link;
            tau = dt;
        }
        l->ts_ns = h->ts_ns;
        l->tx_bytes = h->tx_bytes;
        l->queue_bytes = h->queue_bytes;
    }
    if (tau > s->t) tau = s->t;
    s->u += tau * s->inverse_t * (u - s->u);
    return s->u;
}

COST double paper_hpcc_ack(paper_hpcc *s, const rocecc_hpcc_event *r)
{
    const bool update = (int32_t)(r->seq - s->last_update_seq) > 0;
    double u, w;
    bool scale;
    unsigned i;
    for (i = 0; i < HPCC_HOPS; i++)
        if (r->hops[i].id != s->l[i].id) return 0;
    u = paper_measure(s, r);
    scale = u >= s->eta || s->inc_stage >= s->max_stage;
    w = scale ? s->wc * s->eta / u + s->w_ai : s->wc + s->w_ai;
    if (w > s->w_max) w = s->w_max;
    if (update) {
        s->inc_stage = scale ? 0 : s->inc_stage + 1;
        s->wc = w;
        s->last_update_seq = r->snd_nxt;
    }
    s->w = w;
    return w * s->inverse_t * 8e9;
}

/* Starts the double flows in the state of the library's flow after its first ACKs. */
static void doubles_begin(void)
{
    unsigned i;
    hpcc_real0.w = (double)hpcc_flow0.window_q20 * 0x1p-20;
    hpcc_real0.wc = (double)hpcc_flow0.reference_q20 * 0x1p-20;
    hpcc_real0.u = (double)hpcc_flow0.u_q32 * 0x1p-32;
    hpcc_real0.stage = hpcc_flow0.stage;
    hpcc_real0.update_seq = hpcc_flow0.update_seq;
    paper_flow0.w = hpcc_real0.w;
    paper_flow0.wc = hpcc_real0.wc;
    paper_flow0.u = hpcc_real0.u;
    paper_flow0.inc_stage = hpcc_real0.stage;
    paper_flow0.last_update_seq = hpcc_real0.update_seq;
    paper_flow0.w_max = hpcc_real0.w_max;
    paper_flow0.t = hpcc_real0.t;
    paper_flow0.inverse_t = hpcc_real0.inverse_t;
    paper_flow0.eta = hpcc_real0.eta;
    paper_flow0.w_ai = hpcc_real0.w_ai;
    paper_flow0.max_stage = hpcc_real0.max_stage;
    for (i = 0; i < HPCC_HOPS; i++) {
        paper_flow0.l[i].id = hpcc_real0.l[i].id;
        paper_flow0.l[i].inverse = hpcc_real0.l[i].inverse;
    }
}

static void paper_ack(unsigned i)
{
    if (i % HPCC_ACKS == 0) paper_flow = paper_flow0;
    cost_sink_double = paper_hpcc_ack(&paper_flow, &hpcc_reports[0][i % HPCC_ACKS]);
}

static void paper_queued(unsigned i)
{
    if (i % HPCC_ACKS == 0) paper_flow = paper_flow0;
    cost_sink_double = paper_hpcc_ack(&paper_flow, &hpcc_reports[1][i % HPCC_ACKS]);
}

/*
 * DCQCN with a CNP every 50 us. Of 41 random events, 20 are CNPs, 18 alpha timers and 3
 * increase timers. The library counts alpha timers, and applies them at the next CNP.
 */
#define MIX_EVENTS 800u

static uint8_t mix_events[MIX_EVENTS];
static rocecc_dcqcn mix_flow, mix_flow0;
static plain_dcqcn mix_real, mix_real0;

static void mix_begin(void)
{
    uint32_t draw = 1;
    unsigned i;
    for (i = 0; i < MIX_EVENTS; i++) {
        draw = draw * 1664525u + 1013904223u;
        mix_events[i] = (uint8_t)((draw >> 8) % 41);
    }
    mix_flow0 = dcqcn_flow;
    mix_flow0.alpha_q31 = ROCECC_DCQCN_ONE_Q31 / 4;
    mix_real0 = dcqcn_real;
    mix_real0.alpha = 0.25;
}

static void dcqcn_mix(unsigned i)
{
    const uint8_t event = mix_events[i % MIX_EVENTS];
    if (i % MIX_EVENTS == 0) mix_flow = mix_flow0;
    if (event < 20)
        cost_sink = cost_dcqcn_cnp(&dcqcn, &mix_flow);
    else if (event < 38)
        cost_sink = cost_dcqcn_alpha_timer(&dcqcn, &mix_flow);
    else
        cost_sink = cost_dcqcn_increase_timer(&dcqcn, &mix_flow);
}

static void dcqcn_mix_plain(unsigned i)
{
    const uint8_t event = mix_events[i % MIX_EVENTS];
    if (i % MIX_EVENTS == 0) mix_real = mix_real0;
    if (event < 20)
        cost_sink_double = plain_dcqcn_cnp(&mix_real);
    else if (event < 38)
        cost_sink_double = plain_dcqcn_alpha_timer(&mix_real);
    else
        cost_sink_double = plain_dcqcn_increase_timer(&mix_real);
}

/* A part: a CNP without an alpha timer since the last CNP. */
static void dcqcn_cnp_at_once(unsigned i)
{
    if (i % 4 == 0) {
        dcqcn_flow.rate_bps = dcqcn.line_bps;
        dcqcn_flow.alpha_q31 = ROCECC_DCQCN_ONE_Q31 / 4;
    }
    cost_sink = cost_dcqcn_cnp(&dcqcn, &dcqcn_flow);
}

/* Results of the last call of a side. */
static double sink(void)
{
    return (double)cost_sink;
}

static double sink_double(void)
{
    return cost_sink_double;
}

static double alpha(void)
{
    return rocecc_dcqcn_alpha_q31(&dcqcn, &dcqcn_flow) * 0x1p-31;
}

static double alpha_double(void)
{
    return dcqcn_real.alpha;
}

static double window(void)
{
    return (double)ldcp_flow.cw_q32 * 0x1p-32;
}

static double window_double(void)
{
    return ldcp_real.cw;
}

static double may_send_double(void)
{
    return cost_sink_double == 0;
}

/* The tolerance is relative. If it is 0, the sides must agree exactly. */
typedef struct agreement {
    double (*ours)(void), (*theirs)(void);
    double tolerance;
} agreement;

static const agreement rate = {sink, sink_double, 1e-6};
/* Before three CNPs of four, only the library's flow has had alpha timers. */
static const agreement rate_after_timers = {sink, sink_double, 1e-2};
static const agreement alphas = {alpha, alpha_double, 1e-6};
static const agreement windows = {window, window_double, 1e-6};
static const agreement decision = {sink, sink, 0};
static const agreement allowed = {sink, may_send_double, 0};

#define PAIR(what, step)                                                               \
    {                                                                                  \
        what, "double", step, step##_plain, BENCH_BOTH, 1.05                           \
    }

static const bench_row rows[] = {
    {"HPCC++: an ACK of 5 hops, the paper alone", "double", hpcc_ack, paper_ack,
     BENCH_BOTH, 2},
    {"HPCC++: an ACK of 5 hops, queues, the paper alone", "double", hpcc_queued,
     paper_queued, BENCH_BOTH, 2},
    PAIR("HPCC++: an ACK of 5 hops", hpcc_ack),
    PAIR("HPCC++: an ACK of 5 hops, queues", hpcc_queued),
    PAIR("HPCC: an ACK with CSIG", hpcc_csig),
    PAIR("DCQCN: events of a congested flow", dcqcn_mix),
    PAIR("DCQCN: a CNP", dcqcn_cnp),
    PAIR("DCQCN: alpha's timer", dcqcn_alpha_timer),
    PAIR("DCQCN: the increase timer", dcqcn_increase_timer),
    PAIR("DCQCN: a packet is sent", dcqcn_sent),
    PAIR("QCN: a frame is offered", qcn_offer),
    PAIR("QCN: a frame is sampled", qcn_sample),
    PAIR("QCN: a CNM", qcn_cnm),
    PAIR("QCN: a packet is sent", qcn_sent),
    PAIR("QCN: RpWhile expires", qcn_stage),
    PAIR("LDCP: an ACK", ldcp_ack),
    PAIR("LDCP: may a packet leave", ldcp_may_send),
    PAIR("LDCP: may a packet leave, below one", ldcp_may_send_slow),
    PAIR("WRED: a packet", wred_decide),
    PAIR("RED: a packet", red_arrive),
    PAIR("RED: a packet after a rest", red_idle),
    {"DCQCN: a CNP, no alpha timer due", NULL, dcqcn_cnp_at_once, NULL,
     BENCH_INSTRUCTIONS, 0},
};

/* One for each row with a peer, in the order of the rows. */
static const agreement *const agreements[] = {
    &rate,   &rate,    &rate,    &rate,     &rate,     &rate,     &rate_after_timers,
    &alphas, &rate,    &rate,    &decision, &decision, &rate,     &rate,
    &rate,   &windows, &allowed, &rate,     &decision, &decision, &decision};

static void same(void)
{
    size_t k;
    unsigned i;
    for (k = 0; k < sizeof agreements / sizeof agreements[0]; k++) {
        const agreement *a = agreements[k];
        for (i = 0; i < BENCH_CALLS; i++) {
            double x, y;
            rows[k].ours(i);
            x = a->ours();
            rows[k].theirs(i);
            y = a->theirs();
            /* half a unit, because the library rounds to bits per second and to ns */
            if (fabs(x - y) > a->tolerance * fabs(y) + (a->tolerance > 0 ? 0.5 : 0))
                bench_differs(rows[k].operation, i);
        }
    }
}

int main(int argc, char **argv)
{
    dcqcn_begin();
    hpcc_begin();
    ldcp_begin();
    qcn_begin();
    wred_begin();
    doubles_begin();
    mix_begin();
    same();
    return BENCH_MAIN(rows);
}
