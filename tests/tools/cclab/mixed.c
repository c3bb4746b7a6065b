/* SPDX-License-Identifier: BSD-2-Clause */

/* mixed.c - tests several schemes or presets in one fabric, and PFC under a scheme. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "claims.h"

#include "../../../examples/cclab/layer2.h"

#include <stdio.h>
#include <stdlib.h>

static lab *mixed(const char *parts, const lab_options *o)
{
    lab_part part[LAB_PARTS];
    uint32_t n;
    memset(part, 0, sizeof part);
    n = lab_parts(parts, part);
    test_context("%s", parts);
    CHECK(n > 0);
    return n > 0 ? lab_new_mixed(part, n, o) : NULL;
}

/* Returns the share of the link that a part's flows get in the second half, in ppm. */
static uint64_t share_ppm(const lab *l, uint32_t part)
{
    const uint64_t ms = l->o->duration / 2 / LAB_MS;
    uint64_t bytes = 0;
    uint32_t i;
    for (i = part; i < l->n_flows; i += l->n_parts)
        bytes += l->flow[i].got - l->flow[i].got_before;
    return bytes * 8000 / ms / (l->o->rate_bps / 1000000);
}

/*
 * A scheme beside itself is the scheme alone, bit for bit. (QCN's switches would draw
 * the start of sampling for each part.)
 */
TEST(a_scheme_mixed_with_itself_gives_the_same_run)
{
    static const char *const twice[][2] = {{"dcqcn", "dcqcn+dcqcn"},
                                           {"hpcc-int", "hpcc-int+hpcc-int+hpcc-int"},
                                           {"ldcp", "ldcp+ldcp"},
                                           {"fastcnp", "fastcnp+fastcnp"},
                                           {"reno", "reno+reno"}};
    size_t i;
    for (i = 0; i < sizeof twice / sizeof twice[0]; i++) {
        const lab_options o = usual();
        lab *a = mixed(twice[i][0], &o), *b = mixed(twice[i][1], &o);
        lab_result x, y;
        CHECK(a != NULL && b != NULL);
        if (a == NULL || b == NULL) return;
        lab_run(a, o.duration);
        lab_run(b, o.duration);
        x = lab_results(a);
        y = lab_results(b);
        CHECK(x.goodput_bps > 1000000000);
        CHECK(memcmp(&x, &y, sizeof x) == 0);
        CHECK(memcmp(a->sample, b->sample, sizeof a->sample) == 0);
        lab_free(a);
        lab_free(b);
    }
}

/* Each switch with hosts has the state of a ToR if any of the parts is l3qcn. */
TEST(l3qcn_in_any_part_gives_switches_tor_state)
{
    static const char *const parts[] = {
        "l3qcn+dcqcn+reno+none", "dcqcn+l3qcn+reno+none", "dcqcn+reno+l3qcn+none",
        "dcqcn+reno+none+l3qcn"};
    size_t i;
    for (i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        lab_options o = usual();
        lab *l;
        o.duration = LAB_MS;
        l = mixed(parts[i], &o);
        CHECK(l != NULL);
        if (l == NULL) return;
        CHECK(lab_tor_of(l, l->node[l->n_hosts]) != NULL);
        lab_run(l, o.duration);
        CHECK(l->notifications > 0);
        lab_free(l);
    }
}

/* Flows take the parts in turn, each with its own preset; the first has the thresholds.
 */
TEST(each_part_has_its_preset)
{
    const lab_options o = usual();
    const rocecc_dcqcn_params nvidia = rocecc_dcqcn_nvidia(o.rate_bps),
                              paper = rocecc_dcqcn_paper(o.rate_bps);
    lab *l = mixed("dcqcn:paper+dcqcn:nvidia+hpcc-ifa", &o);
    CHECK(l != NULL);
    if (l == NULL) return;
    CHECK_EQ(l->n_parts, 3);
    CHECK(l->flow[0].part == &l->part[0] && l->flow[4].part == &l->part[1]);
    CHECK(l->flow[15].part == &l->part[0]);
    CHECK_EQ(l->part[0].dcqcn.alpha_timer_ns, paper.alpha_timer_ns);
    CHECK_EQ(l->part[0].np.gate.interval_ns, 50000);
    CHECK_EQ(l->part[1].dcqcn.alpha_timer_ns, nvidia.alpha_timer_ns);
    CHECK_EQ(l->part[1].np.gate.interval_ns, 4000);
    CHECK_EQ(l->wred.mark.min_bytes, 5000); /* the paper's */
    CHECK_EQ(l->part[2].hpcc.base_rtt_ns, 8400);
    lab_free(l);
}

/*
 * No text states these shares of 8 flows at 100 Gb/s. DCQCN and TCP fill the queue that
 * HPCC++ keeps empty, so they have about nine tenths of the link. TCP fills the buffer,
 * so DCQCN's flows slow down. Two presets of DCQCN share about equally after 10 ms.
 */
TEST(schemes_with_longer_queues_get_more_of_the_link)
{
    static const struct {
        const char *parts;
        uint32_t least, most; /* of the second part, in ppm */
    } is[] = {{"hpcc-ioam+dcqcn", 800000, 900000},
              {"hpcc-ioam+reno", 850000, 910000},
              {"dcqcn+reno", 700000, 900000},
              {"dcqcn:ns3_hpcc+dcqcn:nvidia", 400000, 560000}};
    size_t i;
    for (i = 0; i < sizeof is / sizeof is[0]; i++) {
        lab_options o = usual();
        lab *l;
        o.flows = 8;
        o.duration = 20 * LAB_MS;
        o.buffer_bytes = 4000000;
        l = mixed(is[i].parts, &o);
        CHECK(l != NULL);
        if (l == NULL) return;
        lab_run(l, o.duration);
        test_context("%s: %llu and %llu ppm", is[i].parts,
                     (unsigned long long)share_ppm(l, 0),
                     (unsigned long long)share_ppm(l, 1));
        CHECK(share_ppm(l, 1) >= is[i].least && share_ppm(l, 1) <= is[i].most);
        CHECK(share_ppm(l, 0) + share_ppm(l, 1) > 800000);
        lab_free(l);
    }
}

/* ---- PFC under a scheme */

/* PFC changes nothing for a single flow, because no port is paused. */
TEST(pfc_without_congestion_changes_nothing)
{
    lab_options o = usual();
    lab_result with, without;
    o.flows = 1;
    without = result_of(&lab_dcqcn, &o);
    o.pfc = true;
    with = result_of(&lab_dcqcn, &o);
    CHECK_EQ(with.pauses, 0);
    CHECK_EQ(with.goodput_bps, without.goodput_bps);
    CHECK_EQ(with.events, without.events);
}

/* With PFC, a buffer that overflows at DCQCN's start loses nothing. */
TEST(dcqcn_with_pfc_loses_nothing)
{
    lab_options o = usual();
    lab_result with, without;
    o.rate_bps = 40 * GBPS;
    o.buffer_bytes = 3000000;
    o.duration = 20 * LAB_MS;
    without = result_of(&lab_dcqcn, &o);
    CHECK(without.drops > 0);
    o.pfc = true; /* each of 16 ports may have this, and the bytes of a round trip */
    set(&o, "pause.xoff_bytes=100K");
    set(&o, "pause.xon_bytes=50K");
    with = result_of(&lab_dcqcn, &o);
    CHECK_EQ(with.drops, 0);
    CHECK(with.pauses > 0 && with.marks > 0 && with.notifications > with.marks / 100);
    CHECK(with.goodput_bps >= without.goodput_bps);
}

/*
 * Runs a load with these lines. Sets mbps to the goodput of four flows from `first` on
 * in the second half, or 0 for a missing flow.
 */
static void goodputs(const char *lines, const lab_scheme *s, lab_options o,
                     uint32_t first, uint64_t mbps[4])
{
    char name[] = "/tmp/cclab.XXXXXX";
    const int fd = mkstemp(name);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    lab_result r;
    uint32_t i;
    lab *l;
    memset(mbps, 0, 4 * sizeof *mbps);
    CHECK(f != NULL);
    if (f == NULL) return;
    CHECK(fputs(lines, f) >= 0 && fclose(f) == 0);
    o.load = name;
    l = ran(s, &o, &r);
    for (i = 0; l != NULL && first + i < l->n_flows && i < 4; i++) {
        const lab_flow *x = &l->flow[first + i];
        mbps[i] = (x->got - x->got_before) * 8 / (o.duration / 2 / LAB_US);
    }
    if (l != NULL) lab_free(l);
    (void)remove(name);
}

/* Jain's index of equal flows is 1, with any number of flows. The sums for 8,192 flows
   or more do not fit into 64 bits with shares of 2^19. */
TEST(jain_of_many_equal_flows_is_1)
{
    static const uint32_t flows[] = {8191, 8192, 8193, LAB_FLOWS_MOST};
    size_t i;
    for (i = 0; i < sizeof flows / sizeof flows[0]; i++) {
        char name[] = "/tmp/cclab.XXXXXX";
        const int fd = mkstemp(name);
        FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
        lab_options o = usual();
        uint32_t k;
        lab *l;
        CHECK(f != NULL);
        if (f == NULL) return;
        for (k = 0; k < flows[i]; k++)
            (void)fputs("0 0 0 0\n", f);
        CHECK(fclose(f) == 0);
        o.load = name;
        l = lab_new(&lab_none, &o);
        (void)remove(name);
        CHECK(l != NULL);
        if (l == NULL) return;
        for (k = 0; k < l->n_flows; k++)
            l->flow[k].got = 1000000;
        test_context("%u flows", flows[i]);
        CHECK_EQ(l->n_flows, flows[i]);
        CHECK_EQ(lab_results(l).jain_ppm, 1000000);
        l->flow[0].got = 0; /* an index of (n - 1) / n */
        CHECK_EQ(lab_results(l).jain_ppm,
                 UINT64_C(1000000) * (flows[i] - 1) / flows[i]);
        lab_free(l);
    }
}

static bool near_mbps(uint64_t a, uint64_t b, uint64_t percent)
{
    return a * 100 >= b * (100 - percent) && a * 100 <= b * (100 + percent);
}

/*
 * Three senders in other racks use two links to the receiver's rack, and one is in that
 * rack (DCQCN's paper, 2.2, figure 3). PFC pauses ports, so two of the three share as
 * much as each other sender has. HPCC's authors' simulator gives 6.38, 6.38, 12.76 and
 * 12.76 Gb/s in a small fabric, with 1000 bytes in 1048. With 1000 in 1102 this is 6.07
 * and 12.13, to 2 %. With DCQCN (figure 8) each flow has its share, to 25 %.
 */
TEST(pfc_shares_a_link_by_port_and_dcqcn_by_flow)
{
    static const char load[] = "0 4 0 0\n0 8 0 0\n0 12 0 0\n0 1 0 0\n";
    lab_options o = usual();
    uint64_t alone[4], with[4];
    int i;
    o.topology = LAB_FATTREE;
    o.rate_bps = 40 * GBPS;
    o.rtt = 12 * LAB_US;
    o.buffer_bytes = 12000000;
    o.duration = 20 * LAB_MS;
    o.pfc = true;
    goodputs(load, &lab_none, o, 0, alone);
    goodputs(load, &lab_dcqcn, o, 0, with);
    test_context("%llu %llu %llu %llu Mb/s; with DCQCN %llu %llu %llu %llu",
                 (unsigned long long)alone[0], (unsigned long long)alone[1],
                 (unsigned long long)alone[2], (unsigned long long)alone[3],
                 (unsigned long long)with[0], (unsigned long long)with[1],
                 (unsigned long long)with[2], (unsigned long long)with[3]);
    for (i = 0; i < 4; i++) {
        CHECK(near_mbps(alone[i], (i < 2 ? 6380u : 12760u) * 1048 / 1102, 2));
        CHECK(near_mbps(with[i], 40000 / 4 * 1000 / 1102, 25));
    }
}

/*
 * The victim's receiver is not congested (figure 4), but PFC stops a link on its path.
 * It has about half of its link beside two flows, a fifth beside three, and with DCQCN
 * all of it, or more than twice as much.
 */
TEST(pfc_hurts_a_victim_and_dcqcn_helps_it)
{
    uint32_t flows;
    for (flows = 3; flows <= 4; flows++) {
        lab_options o = usual();
        uint64_t mbps[2];
        int i;
        o.topology = LAB_CLOS;
        o.load = "victim";
        o.flows = flows;
        o.rate_bps = 40 * GBPS;
        o.buffer_bytes = 12000000;
        o.duration = 20 * LAB_MS;
        o.pfc = true;
        for (i = 0; i < 2; i++) {
            lab_result r;
            lab *l = ran(i == 0 ? &lab_none : &lab_dcqcn, &o, &r);
            const lab_flow *x;
            if (l == NULL) return;
            x = &l->flow[flows - 1];
            mbps[i] = (x->got - x->got_before) * 8 / (o.duration / 2 / LAB_US);
            lab_free(l);
        }
        test_context("%u flows: victim %llu Mb/s, with DCQCN %llu", flows,
                     (unsigned long long)mbps[0], (unsigned long long)mbps[1]);
        CHECK(mbps[0] < (flows == 3 ? 22000u : 9000u));
        CHECK(mbps[1] > 2 * mbps[0] || mbps[1] > 36000);
    }
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/*
 * Returns the median over seeds of the victim's goodput in the testbed, in Mb/s. Four
 * hosts of a ToR and `extra` hosts of the receiver's pod send to the first host. The
 * victim sends to the other ToR of its pod. ECMP hashes flow numbers, so eight more
 * one-byte flows per seed, between idle hosts, change the paths.
 */
static uint64_t median_victim(const lab_scheme *s, lab_options o, uint32_t extra,
                              uint32_t from, uint32_t until)
{
    static const char load[] =
        "0 10 0 0\n0 11 0 0\n0 12 0 0\n0 13 0 0\n0 14 15 0\n0 5 0 0\n0 6 0 0\n";
    static const char idle[] = "0 17 18 1\n";
    uint64_t victim[32];
    char lines[8192];
    uint32_t n = 0, i;
    for (o.seed = from; o.seed < until; o.seed++) {
        const uint32_t idles = 8 * ((uint32_t)o.seed - 1);
        uint64_t mbps[4];
        for (i = 0; i < idles; i++)
            memcpy(lines + i * (sizeof idle - 1), idle, sizeof idle);
        memcpy(lines + idles * (sizeof idle - 1), load, sizeof load);
        lines[idles * (sizeof idle - 1) + sizeof load - 1 - 8 * (2 - extra)] = '\0';
        goodputs(lines, s, o, idles + 4, mbps);
        CHECK_EQ(mbps[1] != 0, extra > 0);
        CHECK_EQ(mbps[2] != 0, extra > 1);
        victim[n++] = mbps[0];
    }
    qsort(victim, n, sizeof *victim, ascending);
    return victim[n / 2];
}

/*
 * Figures 4 and 9 in the switches of the paper's testbed: PFC alone, with 0, 1 and 2
 * senders in the receiver's pod that do not cross the victim's path. The median over
 * seeds lies between the quartiles of 41 seeds in HPCC's authors' simulator, or at most
 * 3 % beyond (examples/cclab/compare/authors-victim.tsv), with 1000 bytes in 1102
 * instead of 1048. It falls by steps with each sender, because paths are drawn. With 2
 * senders most victims have 4.55 or 6.05 Gb/s here, and 4.78 or 6.4 there. With DCQCN
 * and 2 such senders the victim has more than 3 times as much. The tolerances were
 * written before these seeds were run. (Before, medians of seeds 42 to 62 had to be
 * within 10 % of the authors'. They were 4.55 with 2 senders, and the authors' 41 have
 * 6.29.)
 */
TEST(pfc_cascades_to_a_victim_in_the_testbed)
{
    static const uint32_t quartiles[][2] = {{9542, 9632}, {6294, 9553}, {4780, 6517}};
    lab_options o = usual();
    uint64_t alone = 0, with;
    uint32_t extra;
    o.topology = LAB_TESTBED;
    o.rate_bps = 40 * GBPS;
    o.rtt = 12 * LAB_US;
    o.buffer_bytes = 12000000;
    o.duration = 20 * LAB_MS;
    o.pfc = true;
    set(&o, "pause.xoff_bytes=1100000");
    set(&o, "pause.xon_bytes=1097000");
    for (extra = 0; extra <= 2; extra++) {
        alone = median_victim(&lab_none, o, extra, 63, 84);
        test_context("%u senders in the receiver's pod: victim %llu Mb/s",
                     (unsigned)extra, (unsigned long long)alone);
        CHECK(alone * 1102 * 100 >= quartiles[extra][0] * UINT64_C(1048) * 97);
        CHECK(alone * 1102 * 100 <= quartiles[extra][1] * UINT64_C(1048) * 103);
    }
    o.duration = 100 * LAB_MS;
    with = median_victim(&lab_dcqcn, o, 2, 63, 66);
    test_context("victim %llu Mb/s, with DCQCN %llu", (unsigned long long)alone,
                 (unsigned long long)with);
    CHECK(with > 3 * alone);
}
