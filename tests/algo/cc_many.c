/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * cc_many.c - flows of DCQCN, QCN and LDCP share a link, and each case breaks a few
 * assumptions (tests/law/cc_many.h). CC_MANY_TABLE=1 prints the tables of
 * include/rocecc/algo/README.md, in some minutes.
 */
#include "lib/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "law/cc_many.h"

#define MS UINT64_C(1000000)
#define US 1000u
#define D 1
#define Q 2
#define L 4

static cc_many run;

/* A row in the tables of `algorithms`. */
typedef struct row {
    uint8_t algorithms;
    cc_case c;
} row;

static const row rows[] = {
    {D | Q | L, {.name = "nothing"}},
    {D | Q | L, {.name = "RTTs of 8 and 32 us", .far_rtt = 4}},
    {L, {.name = "the same, alpha by the RTT", .far_rtt = 4, .even = 1}},
    {D | Q | L, {.name = "RTTs of 8 and 128 us", .far_rtt = 16}},
    {D | Q | L, {.name = "every second NIC has a quarter", .slow_nic = 4}},
    {D | Q | L, {.name = "starts 100 us apart", .apart_ns = 100 * US}},
    {D | Q | L, {.name = "host's clock ticks in 10 us", .tick_ns = 10 * US}},
    {D | Q, {.name = "host's clock ticks in 100 us", .tick_ns = 100 * US}},
    {D | Q | L, {.name = "host polls every 10 us", .poll_ns = 10 * US}},
    {D | Q, {.name = "host polls every 100 us", .poll_ns = 100 * US}},
    {L, {.name = "polls every 10 us, paced", .poll_ns = 10 * US, .paced = 1}},
    {D | Q | L, {.name = "timers late by up to 50 us", .jitter_ns = 50 * US}},
    {Q, {.name = "jitter of RP-19", .random = 1}},
    {Q, {.name = "bursts of 2 frames", .burst = 2}},
    {Q, {.name = "bursts of 4 frames", .burst = 4}},
    {D | Q, {.name = "bursts of 16 packets", .burst = 16}},
    {D, {.name = "bursts of 64 packets", .burst = 64}},
    {D | Q, {.name = "limiter's step is 156 Mb/s", .step_bps = 156250000}},
    {D, {.name = "one gate for all CNPs of a port", .port_gate = 1}},
    {D, {.name = "no gate", .no_gate = 1}},
    {D, {.name = "no gate, cut_interval 50 us", .no_gate = 1, .cut_ns = 50 * US}},
    {D | Q | L, {.name = "1 notice of 10 is lost", .lose = 10}},
    {L, {.name = "the same, timer of 100 us", .lose = 10, .rto_ns = 100 * US}},
    {D | Q | L, {.name = "1 notice of 2 is lost", .lose = 2}},
    {D | Q | L, {.name = "notices 10 us late", .late_ns = 10 * US}},
    {D | Q | L, {.name = "notices 50 us late", .late_ns = 50 * US}},
    {L, {.name = "the same, IW and marks by it", .late_ns = 50 * US, .fitted = 1}},
    {D | Q, {.name = "notices 200 us late", .late_ns = 200 * US}},
    {D | Q | L, {.name = "notices up to 50 us late", .blur_ns = 50 * US}},
    {L, {.name = "the same, IW and marks by 33 us", .blur_ns = 50 * US, .fitted = 1}},
    {D | L, {.name = "marks as packets leave", .at_dequeue = 1}},
    {D | Q | L, {.name = "payload of 256 bytes", .payload = 256}},
    {D | Q | L, {.name = "payload of 4096 bytes", .payload = 4096}},
    {L, {.name = "the same, continuous", .payload = 4096, .joined = 1}},
    {D | Q | L, {.name = "every second payload a quarter", .mixed = 1}},
    {L, {.name = "the same, in bytes", .mixed = 1, .by_bytes = 1}},
    {L,
     {.name = "and alpha, beta by the packet", .mixed = 1, .by_bytes = 1, .even = 1}},
    {L,
     {.name = "in bytes, last answer limits", .mixed = 1, .by_bytes = 1, .hasty = 1}},
    {D | Q | L,
     {.name = "link paused 20 us of 100", .pause_ns = 20 * US, .paused_in = 100 * US}},
    {D | Q | L, {.name = "PFC from 100 KB on", .xoff_bytes = 100000}},
    {D | Q | L, {.name = "PFC from 30 KB on", .xoff_bytes = 30000}},
    {D | Q | L, {.name = "two bottlenecks", .two_links = 1}},
    {D | Q | L, {.name = "sprayed, any order", .spray_ns = 2 * US, .in_any_order = 1}},
    {D | Q | L, {.name = "sprayed, go-back-N", .spray_ns = 2 * US}},
    {D, {.name = "NVIDIA's deployment, 100 Gb/s", .nvidia = 1}},
    {D, {.name = "NVIDIA's, NICs of a quarter", .nvidia = 1, .slow_nic = 4}},
    {D, {.name = "NVIDIA's, clock of 20 us", .nvidia = 1, .tick_ns = 20 * US}},
    {D, {.name = "NVIDIA's, clock of 100 us", .nvidia = 1, .tick_ns = 100 * US}},
    {D, {.name = "NVIDIA's, polls in 20 us", .nvidia = 1, .poll_ns = 20 * US}},
    {D, {.name = "NVIDIA's, polls in 100 us", .nvidia = 1, .poll_ns = 100 * US}},
    {D,
     {.name = "the same, CNPs with their times",
      .nvidia = 1,
      .poll_ns = 100 * US,
      .stamps = 1}},
    {L, {.name = "ACKs for 8, flush 5 us", .m = 8, .flush_ns = 5 * US}},
    {L, {.name = "ACKs for 16, flush 5 us", .m = 16, .flush_ns = 5 * US}},
    {L, {.name = "ACKs for 64, no flush", .m = 64}},
    {L, {.name = "ACKs for 64, flush 5 us", .m = 64, .flush_ns = 5 * US}},
    {L, {.name = "the same, split", .m = 64, .flush_ns = 5 * US, .split = 1}},
    {L, {.name = "ACKs for 8, sender asks", .m = 8, .asks = 1}},
    {L, {.name = "ACKs for 16, sender asks", .m = 16, .asks = 1}},
    {L, {.name = "ACKs for 64, sender asks", .m = 64, .asks = 1}},
    {L, {.name = "the same, split", .m = 64, .asks = 1, .split = 1}},
    {L, {.name = "asks, marks wait too", .m = 64, .asks = 1, .blind = 1}},
};

static const uint32_t flows[] = {2, 8, 32};

static void print_table(uint8_t algorithm, uint64_t end_ns)
{
    size_t i, k;
    printf("| broken | 2 flows | 8 flows | 32 flows |\n|---|---|---|---|\n");
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if ((rows[i].algorithms >> algorithm & 1) == 0) continue;
        printf("| %s |", rows[i].c.name);
        for (k = 0; k < 3; k++) {
            const cc_result r = cc_run(&run, algorithm, &rows[i].c, flows[k], end_ns);
            CHECK(!run.broken);
            printf(" %u.%u, %u.%02u, %u / %u", (unsigned)((r.mbps + 50) / 1000),
                   (unsigned)((r.mbps + 50) / 100 % 10), (unsigned)(r.percent / 100),
                   (unsigned)(r.percent % 100), (unsigned)(r.queue_bytes / 1000),
                   (unsigned)(r.queue_most / 1000));
            if (run.stood_ns * 200 >= end_ns)
                printf(", paused %u %%", (unsigned)(run.stood_ns * 200 / end_ns));
            printf(" |");
            fflush(stdout);
        }
        printf("\n");
    }
}

TEST(cc_many_tables)
{
    if (getenv("CC_MANY_TABLE") == NULL) return;
    print_table(CC_DCQCN, 300 * MS);
    print_table(CC_QCN, 4000 * MS);
    print_table(CC_LDCP, 60 * MS);
}

/* Runs a case. The messages of later checks show its result. */
static cc_result result(uint8_t algorithm, const cc_case *c, uint32_t n,
                        uint64_t end_ns)
{
    const cc_result r = cc_run(&run, algorithm, c, n, end_ns);
    test_context("%u, %s, %u flows: %u Mb/s, %u %%, queue %u, at most %u", algorithm,
                 c->name, (unsigned)n, (unsigned)r.mbps, (unsigned)r.percent,
                 (unsigned)r.queue_bytes, (unsigned)r.queue_most);
    CHECK(!run.broken);
    return r;
}

/* Checks the goodput, the fairness in percent, and the mean queue of a case. */
static void holds(uint8_t algorithm, const cc_case *c, uint32_t n, uint64_t end_ns,
                  const cc_result *bounds)
{
    const cc_result r = result(algorithm, c, n, end_ns);
    CHECK(r.mbps >= bounds->mbps);
    CHECK(r.percent >= bounds->percent);
    CHECK(r.queue_bytes <= bounds->queue_bytes);
}

/* Eight DCQCN flows, with swinging rates, keep 38.5 of 40 Gb/s in each case. */
TEST(dcqcn_many_flows_keep_their_goodput)
{
    static const cc_case cases[] = {
        {.name = "nothing"},
        {.name = "RTTs", .far_rtt = 4},
        {.name = "NICs", .slow_nic = 4},
        {.name = "starts", .apart_ns = 100 * US},
        {.name = "clock", .tick_ns = 100 * US},
        {.name = "polls", .poll_ns = 10 * US},
        {.name = "timers", .jitter_ns = 50 * US},
        {.name = "bursts", .burst = 16},
        {.name = "loss", .lose = 10},
        {.name = "late", .late_ns = 10 * US},
        {.name = "dequeue", .at_dequeue = 1},
        {.name = "spraying", .spray_ns = 2 * US, .in_any_order = 1},
    };
    static const cc_result bounds = {38500, 150000, 0, 35};
    size_t i;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
        holds(CC_DCQCN, &cases[i], 8, 12 * MS, &bounds);
}

/* D-5: a CNP for each marked packet cuts too often, unless cut_interval_ns is 50 us. */
TEST(D_05_cut_interval_replaces_a_gate)
{
    static const cc_case none = {.name = "no gate", .no_gate = 1};
    static const cc_case timed = {.name = "D-5", .no_gate = 1, .cut_ns = 50 * US};
    static const cc_result bounds = {38500, 150000, 0, 35};
    CHECK(result(CC_DCQCN, &none, 8, 26 * MS).mbps < 32000);
    holds(CC_DCQCN, &timed, 8, 20 * MS, &bounds);
}

/* D-26: CNPs that a host handles at once count as one, unless they have their times. */
TEST(D_26_CNPs_with_arrival_times_cut_as_if_handled_on_time)
{
    static const cc_case late = {.name = "late", .nvidia = 1, .poll_ns = 100 * US};
    static const cc_case timed = {
        .name = "times", .nvidia = 1, .poll_ns = 100 * US, .stamps = 1};
    static const cc_result bounds = {85000, 120000, 0, 70};
    CHECK(result(CC_DCQCN, &late, 8, 6 * MS).queue_bytes > 400000);
    holds(CC_DCQCN, &timed, 8, 10 * MS, &bounds);
}

/* T is 55 us. 8 flows with one gate have a CNP per 400 us each. A burst of 64 packets
 * at a 32nd of the line lasts 443 us, with one CNP. R_C rises up to 8 times per cut. */
TEST(dcqcn_many_flows_need_a_gate_per_flow_and_short_bursts)
{
    static const cc_case one = {.name = "one gate", .port_gate = 1};
    static const cc_case long_bursts = {.name = "bursts", .burst = 64};
    CHECK(result(CC_DCQCN, &one, 8, 26 * MS).queue_bytes > 250000);
    CHECK(result(CC_DCQCN, &long_bursts, 32, 12 * MS).queue_bytes > 400000);
}

/* Eight QCN flows fill the link in each case, and keep the mean queue near cpQSp. */
TEST(qcn_many_flows_keep_the_link_full)
{
    static const cc_case cases[] = {
        {.name = "nothing"},
        {.name = "RTTs", .far_rtt = 16},
        {.name = "clock", .tick_ns = 100 * US},
        {.name = "polls", .poll_ns = 100 * US},
        {.name = "loss", .lose = 2},
        {.name = "late", .late_ns = 50 * US},
    };
    static const cc_result bounds = {9900, 32000, 0, 35};
    size_t i;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        holds(CC_QCN, &cases[i], 8, 60 * MS, &bounds);
        CHECK(run.queue_sum > run.queue_count * 20000);
    }
}

/* A burst of 24 KB looks like congestion to a CP with a cpQSp of 26 KB. */
TEST(qcn_many_flows_need_frames_without_bursts)
{
    static const cc_case two = {.name = "bursts of 2", .burst = 2};
    static const cc_case many = {.name = "bursts of 16", .burst = 16};
    CHECK(result(CC_QCN, &two, 8, 40 * MS).mbps >= 9900);
    CHECK(result(CC_QCN, &many, 8, 40 * MS).mbps < 7000);
}

TEST(ldcp_many_flows_keep_their_goodput)
{
    static const cc_case cases[] = {
        {.name = "nothing"},
        {.name = "NICs", .slow_nic = 4},
        {.name = "starts", .apart_ns = 100 * US},
        {.name = "clock", .tick_ns = 10 * US},
        {.name = "timers", .jitter_ns = 50 * US},
        {.name = "loss", .lose = 10},
        {.name = "late", .late_ns = 10 * US},
        {.name = "payload", .payload = 256},
        {.name = "dequeue", .at_dequeue = 1},
        {.name = "spraying", .spray_ns = 2 * US, .in_any_order = 1},
        {.name = "polls, paced", .poll_ns = 10 * US, .paced = 1},
    };
    static const cc_result bounds = {99000, 40000, 0, 50};
    size_t i;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
        holds(CC_LDCP, &cases[i], 8, 3 * MS, &bounds);
}

/*
 * G20: flows that request ACKs fill the link, even if an ACK confirms up to 64 packets,
 * is split, or delays marks. Without requests or a flush, a window below 64 packets
 * waits for the loss timer. With a flush, the link is filled in part.
 */
TEST(G20_flows_with_requested_ACKs_fill_the_link)
{
    static const cc_case cases[] = {
        {.name = "8", .m = 8, .asks = 1},
        {.name = "64", .m = 64, .asks = 1},
        {.name = "64, split", .m = 64, .asks = 1, .split = 1},
        {.name = "64, marks wait", .m = 64, .asks = 1, .blind = 1},
    };
    static const cc_case stands = {.name = "no flush", .m = 64};
    static const cc_case flushes = {.name = "flush", .m = 64, .flush_ns = 5 * US};
    static const cc_result bounds = {99000, 55000, 0, 45};
    size_t i, k;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (k = 0; k < 3; k++)
            holds(CC_LDCP, &cases[i], flows[k], 2 * MS, &bounds);
    CHECK(result(CC_LDCP, &stands, 8, 4 * MS).mbps < 1000);
    CHECK(result(CC_LDCP, &flushes, 2, 4 * MS).mbps < 50000);
}

/* L8: flows with the same marks have the same window, so rates are proportional to 1 /
 * RTT. If alpha is proportional to the RTT, so are the windows. */
TEST(L08_alpha_in_proportion_to_the_RTT_makes_flows_fair)
{
    static const cc_case far = {.name = "RTTs", .far_rtt = 4};
    static const cc_case even = {.name = "even", .far_rtt = 4, .even = 1};
    CHECK(result(CC_LDCP, &far, 8, 6 * MS).percent < 40);
    CHECK(result(CC_LDCP, &even, 8, 8 * MS).percent >= 70);
}

/* G17: a flow of small packets often waits for its NIC when an ACK arrives. If
 * `limited` is false for this reason alone, the window falls behind. */
TEST(G17_a_refusal_in_the_last_RTT_counts_as_limited)
{
    static const cc_case hasty = {
        .name = "hasty", .mixed = 1, .by_bytes = 1, .hasty = 1};
    static const cc_case bytes = {.name = "bytes", .mixed = 1, .by_bytes = 1};
    CHECK(result(CC_LDCP, &hasty, 8, 5 * MS).percent < 70);
    CHECK(result(CC_LDCP, &bytes, 8, 5 * MS).percent >= 75);
}

/* 32 flows share a BDP of 25 packets. The step of p at one packet splits them, but
 * `continuous` removes it. */
TEST(L11_continuous_flows_of_large_packets_fill_the_link)
{
    static const cc_case jumbo = {.name = "4096", .payload = 4096};
    static const cc_case joined = {.name = "continuous", .payload = 4096, .joined = 1};
    CHECK(result(CC_LDCP, &jumbo, 32, 4 * MS).mbps < 98500);
    CHECK(result(CC_LDCP, &joined, 32, 4 * MS).mbps >= 99500);
}

TEST(G20_an_ACK_is_requested_per_eighth_of_the_window)
{
    static const struct {
        uint64_t cw_q32;
        uint32_t packets;
    } windows[] = {
        {0, 1},
        {ROCECC_LDCP_ONE_Q32, 1},
        {16 * ROCECC_LDCP_ONE_Q32 - 1, 1},
        {16 * ROCECC_LDCP_ONE_Q32, 2},
        {102 * ROCECC_LDCP_ONE_Q32, 12},
        {65535 * ROCECC_LDCP_ONE_Q32, 8191},
        {UINT64_MAX, ((uint32_t)1 << 29) - 1},
    };
    size_t i;
    for (i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        rocecc_ldcp_params p = rocecc_ldcp_hns(102);
        rocecc_ldcp s = rocecc_ldcp_start(&p);
        s.cw_q32 = windows[i].cw_q32;
        CHECK_EQ(rocecc_ldcp_ask_packets(&s), windows[i].packets);
    }
}
