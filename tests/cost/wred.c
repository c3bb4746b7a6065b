/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost.h"
#include "rocecc/algo/wred.h"

typedef struct plain {
    double low, high, pmax, buf_max;
} plain;

typedef struct plain_red {
    double w, low, high, maxp, s;
    double avg, since;
    int count, idle;
} plain_red;

static rocecc_wred_params curves;
static rocecc_red_params red;
static rocecc_red queue, rests;
static plain real = {20000, 80000, 0.8, 1600000};
static plain_red real_red = {1 / 512., 20000, 60000, 0.1, 1000, 30000, 0, 0, 0};
static plain_red real_rests = {1 / 512., 20000, 60000, 0.1, 1000, 0, 0, 0, 0};
static volatile int sink;

COST rocecc_wred_verdict cost_wred_decide(const rocecc_wred_params *p, uint32_t q,
                                          rocecc_ecn ecn, uint32_t random)
{
    return rocecc_wred_decide(p, q, ecn, random);
}

COST rocecc_wred_verdict cost_red_arrive(const rocecc_red_params *p, rocecc_red *s,
                                         uint32_t q, rocecc_ecn ecn, uint32_t random,
                                         uint32_t now_ns)
{
    return rocecc_red_arrive(p, s, (rocecc_red_event){q, ecn, random, now_ns});
}

/* A packet into a queue that has been empty for some hundred packets' time. */
COST rocecc_wred_verdict cost_red_arrive_idle(const rocecc_red_params *p, rocecc_red *s,
                                              rocecc_ecn ecn, uint32_t random,
                                              uint32_t now_ns)
{
    return rocecc_red_arrive(p, s, (rocecc_red_event){0, ecn, random, now_ns});
}

COST int plain_wred_decide(const plain *p, double q, bool capable, double random)
{
    double share = 1;
    if (q > p->buf_max) return 2;
    if (q < p->high)
        share = q < p->low ? 0 : p->pmax * (q - p->low) / (p->high - p->low);
    if (random >= share) return 0;
    return capable ? 1 : 2;
}

static int plain_judge(plain_red *s, bool capable, double random)
{
    double pb;
    if (s->avg < s->low) {
        s->count = -1;
        return 0;
    }
    s->count++;
    pb = s->maxp * (s->avg - s->low) / (s->high - s->low);
    if (s->avg < s->high && s->count * pb < 1 && random >= pb / (1 - s->count * pb))
        return 0;
    s->count = 0;
    return capable ? 1 : 2;
}

COST int plain_red_arrive(plain_red *s, double q, bool capable, double random)
{
    s->avg += s->w * (q - s->avg);
    return plain_judge(s, capable, random);
}

/* (1 - w)^m by squaring, as double has no power of its own. */
COST int plain_red_arrive_idle(plain_red *s, bool capable, double random, double now)
{
    uint32_t m = (uint32_t)((now - s->since) / s->s);
    double keep = 1 - s->w;
    for (; m > 0; m >>= 1, keep *= keep)
        if (m & 1) s->avg *= keep;
    s->idle = 0;
    return plain_judge(s, capable, random);
}

static void sizes(unsigned i)
{
    COST_SIZE(rocecc_red);
    if (i > 0) return;
    curves = rocecc_wred_ldcp(100000, 1600000);
    red = rocecc_red_floyd(20000, 1000);
    (void)rocecc_red_init(&red);
    queue = rests = rocecc_red_start(&red);
    queue.avg_q32 = (uint64_t)30000 << 32;
}

static void decide(unsigned i)
{
    sink = (int)cost_wred_decide(&curves, 20000 + i % 60000, ROCECC_ECN_ECT0,
                                 i * 2654435761u);
}

static void decide_plain(unsigned i)
{
    sink = plain_wred_decide(&real, 20000 + i % 60000, true,
                             i * 2654435761u / 4294967296.0);
}

static void arrive(unsigned i)
{
    sink = (int)cost_red_arrive(&red, &queue, 20000 + i % 1024 * 32, ROCECC_ECN_ECT0,
                                i * 2654435761u, i);
}

static void arrive_plain(unsigned i)
{
    sink = plain_red_arrive(&real_red, 20000 + i % 1024 * 32, true,
                            i * 2654435761u / 4294967296.0);
}

static void idle(unsigned i)
{
    rests.avg_q32 = (uint64_t)30000 << 32;
    rests.idle = 1;
    rests.idle_ns = 0;
    sink = (int)cost_red_arrive_idle(&red, &rests, ROCECC_ECN_ECT0, i * 2654435761u,
                                     100000 + i % 64 * 1000);
}

static void idle_plain(unsigned i)
{
    real_rests.avg = 30000;
    sink = plain_red_arrive_idle(&real_rests, true, i * 2654435761u / 4294967296.0,
                                 100000 + i % 64 * 1000);
}

static const cost_case cases[] = {{"sizes", sizes},
                                  {"cost_wred_decide", decide},
                                  {"plain_wred_decide", decide_plain},
                                  {"cost_red_arrive", arrive},
                                  {"plain_red_arrive", arrive_plain},
                                  {"cost_red_arrive_idle", idle},
                                  {"plain_red_arrive_idle", idle_plain}};

COST_MAIN(cases)
