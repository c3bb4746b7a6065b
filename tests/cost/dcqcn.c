/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost.h"
#include "rocecc/algo/dcqcn_timed.h"

/* The paper's reaction point in double: cuts by CNPs, F rounds of recovery. */
typedef struct plain {
    double line, min, g, ai, hai;
    double rate, target, alpha;
    uint32_t each, sent;
    int f, by_time, by_bytes;
} plain;

static rocecc_dcqcn_params params;
static rocecc_dcqcn flow;
static rocecc_dcqcn_timed timed;
static plain real = {40e9, 1e8,      1 / 256., 40e6, 400e6, 40e9, 40e9,
                     1,    10000000, 0,        5,    0,     0};
static volatile double sink;

COST uint64_t cost_dcqcn_cnp(const rocecc_dcqcn_params *p, rocecc_dcqcn *s)
{
    return rocecc_dcqcn_cnp(p, s).rate_bps;
}

COST uint64_t cost_dcqcn_alpha_timer(const rocecc_dcqcn_params *p, rocecc_dcqcn *s)
{
    return rocecc_dcqcn_alpha_timer(p, s).rate_bps;
}

COST uint64_t cost_dcqcn_increase_timer(const rocecc_dcqcn_params *p, rocecc_dcqcn *s)
{
    return rocecc_dcqcn_increase_timer(p, s).rate_bps;
}

/* One packet, which seldom fills the counter. */
COST uint64_t cost_dcqcn_sent(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                              uint32_t bytes)
{
    return rocecc_dcqcn_sent(p, s, bytes).rate_bps;
}

/* A poll in which little is due: alpha's timer every sixth time. */
COST uint64_t cost_dcqcn_advance(const rocecc_dcqcn_params *p, rocecc_dcqcn_timed *t,
                                 uint64_t now_ns)
{
    return rocecc_dcqcn_advance(p, t, now_ns).rate_bps;
}

COST double plain_dcqcn_cnp(plain *s)
{
    s->target = s->rate;
    s->rate *= 1 - s->alpha / 2;
    if (s->rate < s->min) s->rate = s->min;
    s->alpha = (1 - s->g) * s->alpha + s->g;
    s->by_time = s->by_bytes = 0;
    s->sent = 0;
    return s->rate;
}

COST double plain_dcqcn_alpha_timer(plain *s)
{
    s->alpha *= 1 - s->g;
    return s->rate;
}

static double increase(plain *s)
{
    const int most = s->by_time > s->by_bytes ? s->by_time : s->by_bytes;
    const int least = s->by_time < s->by_bytes ? s->by_time : s->by_bytes;
    if (most > s->f) {
        s->target += least > s->f ? s->hai * (least - s->f) : s->ai;
        if (s->target > s->line) s->target = s->line;
    }
    s->rate = (s->target + s->rate) / 2;
    return s->rate;
}

COST double plain_dcqcn_increase_timer(plain *s)
{
    if (s->by_time < 255) s->by_time++;
    return increase(s);
}

COST double plain_dcqcn_sent(plain *s, uint32_t bytes)
{
    s->sent += bytes;
    if (s->sent >= s->each) {
        s->sent -= s->each;
        if (s->by_bytes < 255) s->by_bytes++;
        (void)increase(s);
    }
    return s->rate;
}

static void sizes(unsigned i)
{
    COST_SIZE(rocecc_dcqcn);
    COST_SIZE(rocecc_dcqcn_timed);
    if (i > 0) return;
    params = rocecc_dcqcn_paper(40000000000);
    (void)rocecc_dcqcn_init(&params);
    flow = rocecc_dcqcn_start(&params);
    timed = rocecc_dcqcn_timed_start(&params, 0);
}

static void cnp(unsigned i)
{
    (void)i;
    sink = (double)cost_dcqcn_cnp(&params, &flow);
}

static void alpha_timer(unsigned i)
{
    if (i % 1024 == 0) flow.alpha_q31 = ROCECC_DCQCN_ONE_Q31;
    sink = (double)cost_dcqcn_alpha_timer(&params, &flow);
}

static void increase_timer(unsigned i)
{
    if (i % 32 == 0) flow.time_stages = 0;
    sink = (double)cost_dcqcn_increase_timer(&params, &flow);
}

static void sent(unsigned i)
{
    sink = (double)cost_dcqcn_sent(&params, &flow, 1000 + i % 64);
}

static void advance(unsigned i)
{
    if (i % 64 == 0) (void)rocecc_dcqcn_timed_cnp(&params, &timed, timed.last_ns);
    sink = (double)cost_dcqcn_advance(&params, &timed, timed.last_ns + 10000);
}

static void cnp_plain(unsigned i)
{
    (void)i;
    sink = plain_dcqcn_cnp(&real);
}

static void alpha_timer_plain(unsigned i)
{
    (void)i;
    sink = plain_dcqcn_alpha_timer(&real);
}

static void increase_timer_plain(unsigned i)
{
    if (i % 32 == 0) real.by_time = 0;
    sink = plain_dcqcn_increase_timer(&real);
}

static void sent_plain(unsigned i)
{
    sink = plain_dcqcn_sent(&real, 1000 + i % 64);
}

static const cost_case cases[] = {
    {"sizes", sizes},
    {"cost_dcqcn_cnp", cnp},
    {"plain_dcqcn_cnp", cnp_plain},
    {"cost_dcqcn_alpha_timer", alpha_timer},
    {"plain_dcqcn_alpha_timer", alpha_timer_plain},
    {"cost_dcqcn_increase_timer", increase_timer},
    {"plain_dcqcn_increase_timer", increase_timer_plain},
    {"cost_dcqcn_sent", sent},
    {"plain_dcqcn_sent", sent_plain},
    {"cost_dcqcn_advance", advance},
};

COST_MAIN(cases)
