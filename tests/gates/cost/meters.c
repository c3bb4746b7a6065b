/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost.h"
#include "rocecc/algo/abw.h"

static rocecc_abw_params params;
static rocecc_abw port;
static volatile uint64_t sink;

COST uint64_t cost_abw_step(const rocecc_abw_params *p, rocecc_abw *s, uint64_t bytes,
                            uint64_t now_ns)
{
    return rocecc_abw_step(p, s, bytes, now_ns).available_bps;
}

static void sizes(unsigned i)
{
    COST_SIZE(rocecc_abw);
    if (i > 0) return;
    params = rocecc_abw_csig(100000000000);
    (void)rocecc_abw_init(&params);
    port = rocecc_abw_start(&params, 0);
}

/* Takes a packet every 80 ns. Every 3200th ends a 256 us window. */
static void packet(unsigned i)
{
    sink = cost_abw_step(&params, &port, 1000, 80 * (uint64_t)i);
}

static const cost_case cases[] = {{"sizes", sizes}, {"cost_abw_step", packet}};

COST_MAIN(cases)
