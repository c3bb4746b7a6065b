/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench.h"

#include <rte_cycles.h>
#include <rte_debug.h>
#include <rte_ethdev.h>
#include <rte_net.h>

#include <stdio.h>
#include <stdlib.h>

#define BURSTS 64
#define ROUNDS 10
#define SERIES 300 /* the fastest series counts, because noise only adds time */

typedef struct frames {
    pipeline_burst b[BURSTS];
    unsigned n; /* full bursts */
} frames;

static frames f;
static volatile uint32_t sink; /* keeps the compiler from removing the measured code */

static void fill(uint16_t port)
{
    pipeline_burst *b = f.b;
    while (f.n < BURSTS) {
        const uint16_t n =
            rte_eth_rx_burst(port, 0, b->in + b->n, (uint16_t)(PIPELINE_BURST - b->n));
        if (n == 0) break;
        b->n = (uint16_t)(b->n + n);
        if (b->n < PIPELINE_BURST) continue;
        f.n++;
        b++;
    }
    if (f.n < BURSTS) rte_pktmbuf_free_bulk(b->in, b->n);
    if (f.n == 0)
        rte_exit(EXIT_FAILURE, "--bench: expected at least %u packets\n",
                 PIPELINE_BURST);
}

static void with_ptype(pipeline *p, pipeline_burst *b)
{
    uint32_t sum = 0;
    uint16_t i;
    (void)p;
    for (i = 0; i < b->n; i++) {
        struct rte_net_hdr_lens lens;
        sum += rte_net_get_ptype(b->in[i], &lens, RTE_PTYPE_ALL_MASK) + lens.l4_len;
    }
    sink = sum;
}

static void with_pipeline(pipeline *p, pipeline_burst *b)
{
    uint16_t i;
    for (i = 0; i < b->n; i++)
        b->now_ns[i] = 0; /* constant time, so a gate that has sent is closed */
    pipeline_judge(p, b);
    rte_pktmbuf_free_bulk(b->cnp, b->n_cnp);
}

static void with_icrc(pipeline *p, pipeline_burst *b)
{
    uint32_t sum = 0;
    uint16_t i;
    for (i = 0; i < b->n; i++) {
        rocecc_packet found;
        (void)rocecc_packet_parse(&p->c->domain, segments_first(b->in[i]), &found);
        sum += segments_icrc(p->c->icrc_rule, b->in[i], &found);
    }
    sink = sum;
}

static double series(pipeline *p, void (*what)(pipeline *, pipeline_burst *))
{
    const uint64_t start = rte_rdtsc_precise();
    unsigned round, i;
    for (round = 0; round < ROUNDS; round++)
        for (i = 0; i < f.n; i++)
            what(p, &f.b[i]);
    return (double)(rte_rdtsc_precise() - start) /
           ((double)ROUNDS * f.n * PIPELINE_BURST);
}

static void measure(const char *name, pipeline *p,
                    void (*what)(pipeline *, pipeline_burst *))
{
    double least = series(p, what);
    int i;
    for (i = 1; i < SERIES; i++) {
        const double took = series(p, what);
        if (took < least) least = took;
    }
    printf("%s %.0f cycles per packet\n", name, least);
}

void bench(pipeline *p, uint16_t port)
{
    unsigned i;
    fill(port);
    measure("rte_net_get_ptype", p, with_ptype);
    measure("pipeline", p, with_pipeline);
    measure("icrc", p, with_icrc);
    for (i = 0; i < f.n; i++)
        rte_pktmbuf_free_bulk(f.b[i].in, PIPELINE_BURST);
}
