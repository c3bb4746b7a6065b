/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost.h"
#include "rocecc/algo/dcqcn_timed.h"

/*
 * The paper's reaction point with its parameters: cuts on CNPs, and F rounds of
 * recovery. It omits the timers to start and stop, the release, a minimum interval
 * between cuts, a minimum cut, and the variants of other sources. Its stages stop at
 * 255, like the library's.
 */
typedef struct plain_dcqcn {
    double line, min, g, ai, hai;
    double rate, target, alpha;
    uint32_t each, sent;
    int f, by_time, by_bytes;
    bool active;
} plain_dcqcn;

static rocecc_dcqcn_params dcqcn;
static rocecc_dcqcn dcqcn_flow;
static rocecc_dcqcn_timed dcqcn_timed;
static plain_dcqcn dcqcn_real;

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

/* Sends one packet, which seldom fills the counter. */
COST uint64_t cost_dcqcn_sent(const rocecc_dcqcn_params *p, rocecc_dcqcn *s,
                              uint32_t bytes)
{
    return rocecc_dcqcn_sent(p, s, bytes).rate_bps;
}

/* Polls while little is due: alpha's timer every sixth time. */
COST uint64_t cost_dcqcn_timed_advance(const rocecc_dcqcn_params *p, rocecc_dcqcn_timed *t,
                                 uint64_t now_ns)
{
    return rocecc_dcqcn_timed_advance(p, t, now_ns).rate_bps;
}

COST double plain_dcqcn_cnp(plain_dcqcn *s)
{
    s->active = true;
    s->target = s->rate;
    s->rate *= 1 - s->alpha * 0.5;
    if (s->rate < s->min) s->rate = s->min;
    s->alpha += s->g * (1 - s->alpha);
    s->by_time = s->by_bytes = 0;
    s->sent = 0;
    return s->rate;
}

COST double plain_dcqcn_alpha_timer(plain_dcqcn *s)
{
    if (s->active) s->alpha -= s->g * s->alpha;
    return s->rate;
}

static inline void plain_dcqcn_increase(plain_dcqcn *s)
{
    const int most = s->by_time > s->by_bytes ? s->by_time : s->by_bytes;
    const int least = s->by_time < s->by_bytes ? s->by_time : s->by_bytes;
    if (most > s->f) {
        s->target += least > s->f ? s->hai * (least - s->f) : s->ai;
        if (s->target > s->line) s->target = s->line;
    }
    s->rate = (s->target + s->rate) * 0.5;
}

COST double plain_dcqcn_increase_timer(plain_dcqcn *s)
{
    if (!s->active) return s->rate;
    if (s->by_time < 255) s->by_time++;
    plain_dcqcn_increase(s);
    return s->rate;
}

COST double plain_dcqcn_sent(plain_dcqcn *s, uint32_t bytes)
{
    if (!s->active) return s->rate;
    s->sent += bytes;
    if (s->sent >= s->each) {
        s->sent -= s->each;
        if (s->by_bytes < 255) s->by_bytes++;
        plain_dcqcn_increase(s);
    }
    return s->rate;
}

static void dcqcn_begin(void)
{
    const plain_dcqcn start = {40e9, 1e8,      1 / 256., 40e6, 400e6, 40e9, 40e9,
                               1,    10000000, 0,        5,    0,     0,    true};
    dcqcn = rocecc_dcqcn_paper(40000000000);
    (void)rocecc_dcqcn_init(&dcqcn);
    dcqcn_flow = rocecc_dcqcn_start(&dcqcn);
    dcqcn_flow.flags = ROCECC_DCQCN_ACTIVE;
    dcqcn_timed = rocecc_dcqcn_timed_start(&dcqcn, 0);
    dcqcn_real = start;
}

static void dcqcn_sizes(unsigned i)
{
    COST_SIZE(rocecc_dcqcn);
    COST_SIZE(rocecc_dcqcn_timed);
    if (i == 0) dcqcn_begin();
}

/* Four CNPs from line rate on, with 0 to 3 alpha timers before each CNP. */
static void dcqcn_cnp(unsigned i)
{
    if (i % 4 == 0) {
        dcqcn_flow.rate_bps = dcqcn.line_bps;
        dcqcn_flow.alpha_q31 = ROCECC_DCQCN_ONE_Q31 / 4;
    }
    dcqcn_flow.decays = i & 3;
    cost_sink = cost_dcqcn_cnp(&dcqcn, &dcqcn_flow);
}

static void dcqcn_cnp_plain(unsigned i)
{
    if (i % 4 == 0) {
        dcqcn_real.rate = dcqcn_real.line;
        dcqcn_real.alpha = 0.25;
    }
    cost_sink_double = plain_dcqcn_cnp(&dcqcn_real);
}

/* alpha falls from 1 to 1/55, as in 56 ms without a CNP. */
static void dcqcn_alpha_timer(unsigned i)
{
    if (i % 1024 == 0) dcqcn_flow.alpha_q31 = ROCECC_DCQCN_ONE_Q31;
    cost_sink = cost_dcqcn_alpha_timer(&dcqcn, &dcqcn_flow);
}

static void dcqcn_alpha_timer_plain(unsigned i)
{
    if (i % 1024 == 0) dcqcn_real.alpha = 1;
    cost_sink_double = plain_dcqcn_alpha_timer(&dcqcn_real);
}

/* From 10 Gb/s on: at most five stages of recovery, and then R_AI or R_HAI. */
static void dcqcn_increase_timer(unsigned i)
{
    if (i % 32 == 0) {
        dcqcn_flow.rate_bps = 10000000000;
        dcqcn_flow.target_bps = 20000000000;
        dcqcn_flow.time_stages = 0;
        dcqcn_flow.byte_stages = (uint8_t)(i / 32 % 8);
    }
    cost_sink = cost_dcqcn_increase_timer(&dcqcn, &dcqcn_flow);
}

static void dcqcn_increase_timer_plain(unsigned i)
{
    if (i % 32 == 0) {
        dcqcn_real.rate = 10e9;
        dcqcn_real.target = 20e9;
        dcqcn_real.by_time = 0;
        dcqcn_real.by_bytes = i / 32 % 8;
    }
    cost_sink_double = plain_dcqcn_increase_timer(&dcqcn_real);
}

static void dcqcn_sent(unsigned i)
{
    cost_sink = cost_dcqcn_sent(&dcqcn, &dcqcn_flow, 1000 + i % 64);
}

static void dcqcn_sent_plain(unsigned i)
{
    cost_sink_double = plain_dcqcn_sent(&dcqcn_real, 1000 + i % 64);
}

static void dcqcn_advance(unsigned i)
{
    if (i % 64 == 0)
        (void)rocecc_dcqcn_timed_cnp(&dcqcn, &dcqcn_timed, dcqcn_timed.last_ns);
    cost_sink = cost_dcqcn_timed_advance(&dcqcn, &dcqcn_timed, dcqcn_timed.last_ns + 10000);
}

static const cost_case dcqcn_cases[] = {
    {"sizes", dcqcn_sizes},
    {"cost_dcqcn_cnp", dcqcn_cnp},
    {"plain_dcqcn_cnp", dcqcn_cnp_plain},
    {"cost_dcqcn_alpha_timer", dcqcn_alpha_timer},
    {"plain_dcqcn_alpha_timer", dcqcn_alpha_timer_plain},
    {"cost_dcqcn_increase_timer", dcqcn_increase_timer},
    {"plain_dcqcn_increase_timer", dcqcn_increase_timer_plain},
    {"cost_dcqcn_sent", dcqcn_sent},
    {"plain_dcqcn_sent", dcqcn_sent_plain},
    {"cost_dcqcn_timed_advance", dcqcn_advance},
};

COST_MAIN(dcqcn_cases)
