/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost.h"
#include "rocecc/algo/wred.h"

typedef struct plain_curve {
    double low, high, slope; /* slope: p 2^32 per byte, below `high` */
} plain_curve;

typedef struct plain_wred {
    plain_curve mark, drop;
    double buf_max;
} plain_wred;

/* RED with its parameters, without the gentle curve, DPDK's count and hard drops. */
typedef struct plain_red {
    double w, low, high, slope; /* slope: maxp / (high - low) */
    double per_ns;              /* packets per ns */
    double avg;
    uint32_t idle_ns;
    int count, idle;
} plain_red;

static rocecc_wred_params wred;
static rocecc_red_params red;
static rocecc_red red_queue, red_rests;
static plain_wred wred_real;
static plain_red red_real, red_real_rests;

COST rocecc_wred_verdict cost_wred_decide(const rocecc_wred_params *p, uint32_t q,
                                          rocecc_ecn ecn, uint32_t random)
{
    return rocecc_wred_decide(p, q, ecn, random);
}

/* A single call, as in a program, so that the compiler can split the event. */
static COST rocecc_wred_verdict red_arrived(const rocecc_red_params *p, rocecc_red *s,
                                            uint32_t q, rocecc_ecn ecn, uint32_t random,
                                            uint64_t now_ns)
{
    const rocecc_red_event e = {q, ecn, random, now_ns};
    return rocecc_red_arrive(p, s, e);
}

COST rocecc_wred_verdict cost_red_arrive(const rocecc_red_params *p, rocecc_red *s,
                                         uint32_t q, rocecc_ecn ecn, uint32_t random,
                                         uint64_t now_ns)
{
    return red_arrived(p, s, q, ecn, random, now_ns);
}

/* Takes a packet into a queue that was empty for 100 to 163 packet times. */
COST rocecc_wred_verdict cost_red_arrive_idle(const rocecc_red_params *p, rocecc_red *s,
                                              uint32_t q, rocecc_ecn ecn,
                                              uint32_t random, uint64_t now_ns)
{
    return red_arrived(p, s, q, ecn, random, now_ns);
}

static inline bool plain_hit(const plain_curve *c, double q, uint32_t random)
{
    if (q < c->low) return false;
    return q >= c->high || random < (q - c->low) * c->slope;
}

COST rocecc_wred_verdict plain_wred_decide(const plain_wred *p, uint32_t queue_bytes,
                                           rocecc_ecn ecn, uint32_t random)
{
    const double q = queue_bytes;
    if (q > p->buf_max) return ROCECC_WRED_DROP;
    if (ecn == ROCECC_ECN_NOT_ECT)
        return plain_hit(&p->drop, q, random) ? ROCECC_WRED_DROP : ROCECC_WRED_PASS;
    return plain_hit(&p->mark, q, random) ? ROCECC_WRED_MARK : ROCECC_WRED_PASS;
}

/* Applies (1 - w)^m by squaring, because double has no power. */
static inline void plain_red_decay(plain_red *s, uint32_t now_ns)
{
    uint32_t m = (uint32_t)((now_ns - s->idle_ns) * s->per_ns);
    double keep = 1 - s->w;
    for (; m > 0; m >>= 1, keep *= keep)
        s->avg *= (m & 1) != 0 ? keep : 1;
}

/* Tests r < pb / (1 - count pb) without the division. */
static COST rocecc_wred_verdict plain_red_arrived(plain_red *s, uint32_t q,
                                                  rocecc_ecn ecn, uint32_t random,
                                                  uint64_t now_ns)
{
    double pb;
    if (q == 0 && s->idle)
        plain_red_decay(s, (uint32_t)now_ns);
    else
        s->avg += s->w * (q - s->avg);
    s->idle = 0;
    if (s->avg < s->low) {
        s->count = -1;
        return ROCECC_WRED_PASS;
    }
    s->count++;
    if (s->avg < s->high) {
        pb = s->slope * (s->avg - s->low);
        if (random * 0x1p-32 * (1 - s->count * pb) >= pb) return ROCECC_WRED_PASS;
    }
    s->count = 0;
    return ecn == ROCECC_ECN_NOT_ECT ? ROCECC_WRED_DROP : ROCECC_WRED_MARK;
}

COST rocecc_wred_verdict plain_red_arrive(plain_red *s, uint32_t q, rocecc_ecn ecn,
                                          uint32_t random, uint64_t now_ns)
{
    return plain_red_arrived(s, q, ecn, random, now_ns);
}

COST rocecc_wred_verdict plain_red_arrive_idle(plain_red *s, uint32_t q, rocecc_ecn ecn,
                                               uint32_t random, uint64_t now_ns)
{
    return plain_red_arrived(s, q, ecn, random, now_ns);
}

static void wred_begin(void)
{
    wred = rocecc_wred_ldcp(100000, 1600000);
    wred_real.mark.low = wred.mark.min_bytes;
    wred_real.mark.high = wred.mark.max_bytes;
    wred_real.mark.slope =
        (double)wred.mark.pmax_q32 / (wred.mark.max_bytes - wred.mark.min_bytes);
    wred_real.drop.low = wred_real.drop.high = wred.drop.min_bytes;
    wred_real.buf_max = wred.buf_max_bytes;
    red = rocecc_red_floyd(20000, 1000);
    (void)rocecc_red_init(&red);
    red_queue = red_rests = rocecc_red_start(&red);
    red_queue.avg_q32 = (uint64_t)30000 << 32;
    red_real.w = 1 / 512.;
    red_real.low = red.min_bytes;
    red_real.high = red.max_bytes;
    red_real.slope = 0.1 / (red.max_bytes - red.min_bytes);
    red_real.per_ns = 1 / 1000.;
    red_real.avg = 30000;
    red_real_rests = red_real;
}

static void wred_sizes(unsigned i)
{
    COST_SIZE(rocecc_red);
    if (i == 0) wred_begin();
}

static uint32_t wred_random(unsigned i)
{
    return i * 2654435761u;
}

/* Queues are between the thresholds. Three packets of four are ECT. */
static rocecc_ecn wred_ecn(unsigned i)
{
    return i % 4 == 0 ? ROCECC_ECN_NOT_ECT : ROCECC_ECN_ECT0;
}

static void wred_decide(unsigned i)
{
    cost_sink =
        cost_wred_decide(&wred, 20000 + i * 7919 % 60000, wred_ecn(i), wred_random(i));
}

static void wred_decide_plain(unsigned i)
{
    cost_sink = plain_wred_decide(&wred_real, 20000 + i * 7919 % 60000, wred_ecn(i),
                                  wred_random(i));
}

/* Takes a packet every 80 ns into a queue of 20 to 53 KB. */
static void red_arrive(unsigned i)
{
    cost_sink = cost_red_arrive(&red, &red_queue, 20000 + i % 1024 * 32,
                                ROCECC_ECN_ECT0, wred_random(i), 80 * (uint64_t)i);
}

static void red_arrive_plain(unsigned i)
{
    cost_sink = plain_red_arrive(&red_real, 20000 + i % 1024 * 32, ROCECC_ECN_ECT0,
                                 wred_random(i), 80 * (uint64_t)i);
}

/* Returns a rest of 100 to 163 packet times. */
static uint64_t red_rest_ns(unsigned i)
{
    return 100000 + (wred_random(i) >> 26) * 1000;
}

static void red_idle(unsigned i)
{
    red_rests.avg_q32 = (uint64_t)30000 << 32;
    red_rests.idle = 1;
    red_rests.idle_ns = 0;
    cost_sink = cost_red_arrive_idle(&red, &red_rests, 0, ROCECC_ECN_ECT0,
                                     wred_random(i), red_rest_ns(i));
}

static void red_idle_plain(unsigned i)
{
    red_real_rests.avg = 30000;
    red_real_rests.idle = 1;
    cost_sink = plain_red_arrive_idle(&red_real_rests, 0, ROCECC_ECN_ECT0,
                                      wred_random(i), red_rest_ns(i));
}

static const cost_case wred_cases[] = {{"sizes", wred_sizes},
                                       {"cost_wred_decide", wred_decide},
                                       {"plain_wred_decide", wred_decide_plain},
                                       {"cost_red_arrive", red_arrive},
                                       {"plain_red_arrive", red_arrive_plain},
                                       {"cost_red_arrive_idle", red_idle},
                                       {"plain_red_arrive_idle", red_idle_plain}};

COST_MAIN(wred_cases)
