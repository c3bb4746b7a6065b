/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * loads.c - tests the flows of a load, and times that follow from arithmetic for one
 * flow and for a collective on an empty fabric.
 */
#include "claims.h"

#include <stdlib.h>

/*
 * A single flow takes exactly lab_shortest(), for each size and link rate, in each
 * topology except wan. No last packet is so short that its ACK waits for the ACK
 * before.
 */
TEST(a_single_flow_takes_the_shortest_time)
{
    static const uint64_t sizes[] = {1, 999, 1000, 1400, 2000, 5500, 300000};
    int i, k;
    for (i = 0; i < LAB_TOPOLOGIES; i++)
        for (k = 0; k < 14; k++) {
            lab_options o = usual();
            lab_result r;
            lab *l;
            o.topology = (lab_topology)i;
            o.load = "incast";
            o.flows = 1;
            o.jitter = 0;
            o.size_bytes = sizes[k / 2];
            if (k % 2 == 1) o.line_bps = 25 * GBPS;
            if (o.topology == LAB_WAN)
                continue; /* lab_shortest() ignores tunnel headers */
            l = ran(&lab_none, &o, &r);
            if (l == NULL) return;
            test_context("%s, %llu bytes, %llu bit/s", lab_topologies[i].name,
                         (unsigned long long)o.size_bytes,
                         (unsigned long long)l->line_bps);
            CHECK_EQ(r.finished, 1);
            CHECK_EQ(r.fct_last, lab_shortest(l, &l->flow[0]));
            CHECK_EQ(r.slow_p50_ppm, 1000000);
            lab_free(l);
        }
}

/*
 * In a ring of n hosts, each of 2 (n - 1) steps takes a part's time on two links, m + 1
 * times 88.16 ns for m packets, and half a round trip. Except in the first step, a host
 * first sends its ACK of the last packet, 8.48 ns. The last ACK takes two links and
 * half a round trip. Other ACKs delay nothing.
 */
TEST(a_ring_takes_the_computed_time)
{
    static const struct {
        lab_topology topology;
        uint32_t hosts, packets, links;
    } is[] = {{LAB_STAR, 2, 1, 2},
              {LAB_STAR, 8, 1, 2},
              {LAB_STAR, 8, 40, 2},
              {LAB_STAR, 64, 1, 2},
              {LAB_STAR, 64, 20, 2}};
    size_t i;
    for (i = 0; i < sizeof is / sizeof is[0]; i++) {
        const uint64_t steps = 2 * (is[i].hosts - 1);
        const lab_ps frame = 1102 * 80, ack = 106 * 80;
        lab_options o = usual();
        lab_result r;
        o.topology = is[i].topology;
        o.load = "ring";
        o.flows = is[i].hosts;
        o.jitter = 0;
        o.size_bytes = (uint64_t)is[i].hosts * is[i].packets * LAB_MTU;
        o.duration = 20 * LAB_MS;
        r = result_of(&lab_none, &o);
        test_context("%u hosts, %u packets", is[i].hosts, is[i].packets);
        CHECK_EQ(r.finished, is[i].hosts);
        CHECK_EQ(r.fct_last, steps * ((is[i].packets + 1) * frame + o.rtt / 2) +
                                 (steps - 1) * ack + is[i].links * ack + o.rtt / 2);
        CHECK_EQ(r.fct_p50, r.fct_last);
        CHECK_EQ(r.drops, 0);
    }
}

/* Each collective ends under each scheme, and receivers get exactly its bytes. */
TEST(collectives_end_and_deliver_exactly_their_bytes)
{
    static const char *const loads[] = {"ring", "alltoall", "barrier"};
    static const lab_scheme *const schemes[] = {&lab_dcqcn, &lab_hpcc_int, &lab_ldcp};
    int i;
    for (i = 0; i < 18; i++) {
        lab_options o = usual();
        lab_result r;
        lab *l;
        uint32_t k;
        uint64_t bytes = 0, n;
        o.topology = i / 9 == 0 ? LAB_STAR : LAB_FATTREE;
        o.load = loads[i % 3];
        o.duration = 100 * LAB_MS;
        l = ran(schemes[i / 3 % 3], &o, &r);
        if (l == NULL) return;
        test_context("%s, %s, %s", l->part[0].s->name, o.load,
                     lab_topologies[o.topology].name);
        n = l->n_receivers;
        CHECK_EQ(n, 16);
        CHECK_EQ(l->n_flows, i % 3 == 0 ? n : i % 3 == 1 ? n * (n - 1) : n - 1);
        CHECK_EQ(r.finished, l->n_flows);
        for (k = 0; k < l->n_flows; k++)
            bytes += l->flow[k].got;
        CHECK_EQ(bytes, i % 3 == 0   ? n * 2 * (n - 1) * 62500
                        : i % 3 == 1 ? n * (n - 1) * 62500
                                     : (n - 1) * 1000000);
        lab_free(l);
    }
}

/* With a barrier, a host sends for a round only after all have ended the one before. */
TEST(a_barrier_holds_hosts_until_all_end_a_round)
{
    lab_options o = usual();
    lab *l;
    o.load = "barrier";
    o.duration = 20 * LAB_MS;
    l = lab_new(&lab_dcqcn, &o);
    CHECK(l != NULL);
    if (l == NULL) return;
    while (l->unfinished > 0 && l->now < o.duration) {
        uint64_t least = UINT64_MAX, most = 0;
        uint32_t i;
        lab_run(l, l->now + LAB_US);
        for (i = 0; i < l->n_flows; i++) {
            least = rocecc_min(least, l->flow[i].got);
            most = rocecc_max(most, l->flow[i].sent);
        }
        CHECK(most <= (least / 100000 + 1) * 100000);
    }
    CHECK_EQ(l->unfinished, 0);
    lab_free(l);
}

/*
 * Hadoop has about 20,000 flows with a mean of 122.4 KB, and web search 1,170 with
 * 1711.25 KB, to 6 %. The number of flows up to a point is right to four standard
 * deviations, and the bytes of all links to a tenth, because few flows have most bytes.
 * Each host has half to twice its share of sources and destinations.
 */
TEST(flow_sizes_follow_the_distribution)
{
    static const struct {
        const char *load;
        uint64_t mean_bytes, point[3];
        double part[3];
        lab_ps duration;
    } is[] = {{"hadoop", 122383, {500, 50000, 300000}, {0.3, 0.82, 0.95}, 50 * LAB_MS},
              {"websearch",
               1711250,
               {10000, 80000, 5000000},
               {0.15, 0.53, 0.9},
               40 * LAB_MS}};
    size_t i, k;
    for (i = 0; i < sizeof is / sizeof is[0]; i++) {
        uint64_t bytes = 0, below[3] = {0, 0, 0}, from[16] = {0}, to[16] = {0};
        double want;
        lab_options o = usual();
        uint32_t n;
        lab *l;
        o.topology = LAB_FATTREE;
        o.load = is[i].load;
        o.percent = 50;
        o.duration = is[i].duration;
        l = lab_new(&lab_none, &o);
        CHECK(l != NULL);
        if (l == NULL) return;
        for (n = 0; n < l->n_flows; n++) {
            const lab_flow *x = &l->flow[n];
            CHECK(x->from != x->to && x->bytes > 0 && x->start < o.duration / 2);
            bytes += x->bytes;
            from[x->from->index]++;
            to[x->to->index]++;
            for (k = 0; k < 3; k++)
                below[k] += x->bytes <= is[i].point[k];
        }
        want = 0.5 * 16 * 12.5e9 * (double)o.duration / 2e12;
        test_context("%s: %u flows, %.4f of the bytes, mean %.0f", o.load, n,
                     (double)bytes / want, (double)bytes / n);
        CHECK((double)bytes > 0.9 * want && (double)bytes < 1.1 * want);
        CHECK((double)n > 0.94 * want / (double)is[i].mean_bytes);
        CHECK((double)n < 1.06 * want / (double)is[i].mean_bytes);
        for (k = 0; k < 3; k++) {
            const double p = is[i].part[k], off = (double)below[k] / n - p;
            CHECK(off * off < 16 * p * (1 - p) / n);
        }
        for (k = 0; k < 16; k++) {
            CHECK(from[k] * 16 > n / 2 && from[k] * 16 < 2 * n);
            CHECK(to[k] * 16 > n / 2 && to[k] * 16 < 2 * n);
        }
        lab_free(l);
    }
}
