/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost.h"
#include "rocecc/guard/tokenbucket.h"

typedef struct plain {
    double rate, burst, level, last;
} plain;

static rocecc_tokenbucket_params params;
static rocecc_tokenbucket bucket;
static plain real = {1e9, 1e6, 1e6, 0};
static volatile bool sink;

COST bool cost_tokenbucket_take(const rocecc_tokenbucket_params *p,
                                rocecc_tokenbucket *s, uint32_t n, uint64_t now_ns)
{
    return rocecc_tokenbucket_take(p, s, n, now_ns);
}

COST bool plain_tokenbucket_take(plain *s, double n, double now)
{
    if (now > s->last) {
        s->level += (now - s->last) * s->rate;
        if (s->level > s->burst) s->level = s->burst;
        s->last = now;
    }
    if (s->level < n) return false;
    s->level -= n;
    return true;
}

static void sizes(unsigned i)
{
    COST_SIZE(rocecc_tokenbucket);
    if (i > 0) return;
    params.rate_per_s = 1000000000;
    params.burst = 1000000;
    (void)rocecc_tokenbucket_init(&params);
    bucket = rocecc_tokenbucket_start(&params, 0);
}

static void take(unsigned i)
{
    sink = cost_tokenbucket_take(&params, &bucket, i % 128, i * UINT64_C(50));
}

static void take_plain(unsigned i)
{
    sink = plain_tokenbucket_take(&real, i % 128, i * 50e-9);
}

static const cost_case cases[] = {{"sizes", sizes},
                                  {"cost_tokenbucket_take", take},
                                  {"plain_tokenbucket_take", take_plain}};

COST_MAIN(cases)
