/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost.h"
#include "rocecc/guard/cnpgate.h"

typedef struct plain {
    double last;
    bool sent, pending;
} plain;

static rocecc_cnpgate_params params;
static rocecc_cnpgate gate;
static plain real;
static volatile bool sink;

COST bool cost_cnpgate_ce(const rocecc_cnpgate_params *p, rocecc_cnpgate *s,
                          uint32_t now_ns)
{
    return rocecc_cnpgate_ce(p, s, now_ns).send;
}

COST bool cost_cnpgate_timer(const rocecc_cnpgate_params *p, rocecc_cnpgate *s,
                             uint32_t now_ns)
{
    return rocecc_cnpgate_timer(p, s, now_ns).send;
}

/* Needs one comparison: its time never goes back. */
COST bool plain_cnpgate_ce(plain *s, double now, double interval)
{
    if (s->sent && now - s->last < interval) {
        s->pending = true;
        return false;
    }
    s->last = now;
    s->sent = true;
    s->pending = false;
    return true;
}

static void sizes(unsigned i)
{
    COST_SIZE(rocecc_cnpgate);
    if (i > 0) return;
    params = rocecc_cnpgate_paper();
    params.defer = 1;
    (void)rocecc_cnpgate_init(&params);
    gate = rocecc_cnpgate_start(&params);
}

static void ce(unsigned i)
{
    sink = cost_cnpgate_ce(&params, &gate, i * 5000);
}

static void ce_plain(unsigned i)
{
    sink = plain_cnpgate_ce(&real, i * 5e-6, 50e-6);
}

static void timer(unsigned i)
{
    gate.pending = i & 1;
    sink = cost_cnpgate_timer(&params, &gate, i * 30000);
}

static const cost_case cases[] = {{"sizes", sizes},
                                  {"cost_cnpgate_ce", ce},
                                  {"plain_cnpgate_ce", ce_plain},
                                  {"cost_cnpgate_timer", timer}};

COST_MAIN(cases)
