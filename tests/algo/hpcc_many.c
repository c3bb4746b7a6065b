/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * hpcc_many.c - flows of HPCC++ share a link, with various clocks in the switches
 * (tests/law/hpcc_many.h). These tests check goodput, fairness and queues. A loop with
 * a single flow cannot show fairness.
 */
#include "lib/test.h"

#include <string.h>

#include "law/hpcc_many.h"

#define END_NS 10000000

static many run;

/* Returns the goodput with clocks of 1 ns, 91 Gb/s, as HPCC leaves 5 % free. */
static uint64_t undisturbed_mbps(uint32_t flows)
{
    many_case c = {0, MANY_HOPS, 1, MANY_TICKS, false, 0, 0, 0, 1};
    c.flows = flows;
    return many_run(&run, &c, END_NS).mbps;
}

/*
 * Returns the smallest allowed ratio of two flows, in percent. It is (1 - D) / (1 + D),
 * where D = packet / (2 * N * W_AI) is the blur of one packet (algo/README.md), and at
 * most 85, because a few ms have few packets. It is 60 if a flow has one packet per
 * tick, as with 32 flows and 3 us, because each packet then sees the clock in the same
 * phase.
 */
static uint32_t least_percent(const many_case *c)
{
    const uint64_t w_ai_q8 = many_params(c).w_ai_q8;
    const uint64_t d_q8 = (uint64_t)MANY_BYTES * 65536 / (2 * c->flows * w_ai_q8);
    if (c->flows * 85 > c->tick_ns * 4 / 5 && c->flows * 85 < c->tick_ns * 4 / 3)
        return 60;
    return (uint32_t)rocecc_min(100 * (256 - rocecc_min(d_q8, 256)) / (256 + d_q8), 85);
}

static void holds(const char *name, many_case c, uint64_t least_mbps)
{
    const many_result r = many_run(&run, &c, END_NS);
    test_context("%s, %u flows: %u Mb/s, %u %%, %u bytes", name, (unsigned)c.flows,
                 (unsigned)r.mbps, (unsigned)r.percent, (unsigned)r.queue_bytes);
    CHECK(!run.broken);
    CHECK(r.mbps >= least_mbps);
    CHECK(r.percent >= least_percent(&c));
    CHECK(r.queue_bytes < 100000);
}

static const uint32_t flows[] = {2, 8, 32};

/* H-2: with clock ticks of 1 ns to 64 us, flows keep 90 % of the goodput, over three
 * links or one. */
TEST(H_02_H_41_flows_share_fairly_with_any_clock_tick)
{
    static const uint32_t ticks[] = {1,    64,   200,  500,   1000, 2000,
                                     3000, 4000, 8000, 13000, 64000};
    size_t i, k;
    for (k = 0; k < sizeof flows / sizeof flows[0]; k++) {
        const uint64_t mbps = undisturbed_mbps(flows[k]);
        for (i = 0; i < sizeof ticks / sizeof ticks[0]; i++) {
            many_case c = {0, MANY_HOPS, 0, MANY_TICKS, false, 0, 0, 0, 1};
            c.flows = flows[k];
            c.tick_ns = ticks[i];
            holds("ticks", c, mbps * 9 / 10);
            c.hops = 1;
            holds("ticks, one hop", c, mbps * 9 / 10);
        }
    }
}

/* H-32, H-41: the busy link's clock is useless from the middle of the run on. Flows
 * keep 90 % of the goodput. */
TEST(H_41_a_useless_clock_costs_at_most_10_percent)
{
    uint8_t how;
    size_t k;
    for (k = 0; k < sizeof flows / sizeof flows[0]; k++) {
        const uint64_t mbps = undisturbed_mbps(flows[k]);
        for (how = MANY_STANDS; how <= MANY_FAST10; how++) {
            many_case c = {0, MANY_HOPS, 1, 0, false, 0, 0, 0, 1};
            c.flows = flows[k];
            c.clock = how;
            holds("clock", c, mbps * 9 / 10);
            c.late_ns = 500;
            holds("clock, ACKs late by up to 500 ns", c, mbps * 9 / 10);
        }
    }
}

/*
 * H-11, H-44: hops that report only queues keep a quarter of eta * B * T, 38594 bytes,
 * queued, and the link full.
 */
TEST(H_44_hops_with_only_a_queue_keep_the_link_full)
{
    size_t k;
    for (k = 0; k < sizeof flows / sizeof flows[0]; k++) {
        many_case c = {0, MANY_HOPS, 1, MANY_TICKS, true, 0, 0, 0, 1};
        many_result r;
        c.flows = flows[k];
        r = many_run(&run, &c, END_NS);
        test_context("%u flows", (unsigned)flows[k]);
        CHECK(!run.broken && r.mbps >= 93000 && r.percent >= 85);
        CHECK(r.queue_bytes > 25000 && r.queue_bytes < 50000);
    }
}

/*
 * H-42, H-43: packets take one of n paths at random. Either all paths are full, or only
 * the last one, at a quarter of the rate. An n-th of the packets go there, so all paths
 * carry n times 25 Gb/s. Goodput is at least nine tenths of 95 % of the capacity.
 */
TEST(H_42_H_43_sprayed_packets_fill_paths)
{
    static const struct {
        uint32_t flows;
        uint8_t ways;
        uint32_t tick_ns, equal_percent, unequal_percent;
    } cases[] = {{2, 2, 1, 80, 80},
                 {8, 2, 1, 70, 75},
                 {8, 2, 1000, 70, 75},
                 {2, 8, 1, 95, 90},
                 {8, 8, 1000, 60, 40}};
    size_t i;
    int k;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (k = 0; k < 2; k++) {
            many_case c = {0, MANY_HOPS, 0, MANY_TICKS, false, 0, 0, 0, 1};
            uint64_t gbps = (uint64_t)cases[i].ways * (k ? 25 : 100);
            many_result r;
            c.flows = cases[i].flows;
            c.ways = cases[i].ways;
            c.tick_ns = cases[i].tick_ns;
            c.other_bps = k ? UINT64_C(25000000000) : 0;
            r = many_run(&run, &c, c.ways * c.flows > 16 ? END_NS / 2 : END_NS);
            test_context("%u flows, %u paths, tick %u: %u Mb/s, %u %%, %u bytes",
                         (unsigned)c.flows, c.ways, (unsigned)c.tick_ns,
                         (unsigned)r.mbps, (unsigned)r.percent,
                         (unsigned)r.queue_bytes);
            gbps = rocecc_min(gbps, 100 * c.flows);
            CHECK(!run.broken && run.verdicts[ROCECC_HPCC_OTHER_PATH] > 1000);
            CHECK(r.mbps >= gbps * 1000 * 1000 / MANY_BYTES * 95 / 100 * 9 / 10);
            CHECK(r.percent >= (k ? cases[i].unequal_percent : cases[i].equal_percent));
            CHECK(r.queue_bytes < 10000);
        }
}
