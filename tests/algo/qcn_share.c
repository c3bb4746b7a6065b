/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/test.h"
#include "rocecc/algo/qcn_cp.h"
#include "rocecc/algo/wred.h"

/*
 * The key flow of R-L3-14 is the flow of the frame that is sampled or marked. These
 * tests measure how a congested queue's notifications are shared among its flows.
 */
#define FLOWS 8
#define NOTIFICATIONS 10000
#define BURST_BYTES 36000 /* a multiple of every frame_bytes below */
#define QUEUE_BYTES 60000 /* QntzFb 16, so samples are 42500 to 57500 octets apart */

typedef struct traffic {
    unsigned n;
    uint32_t permille[FLOWS]; /* share of the bytes */
    uint32_t frame_bytes[FLOWS];
} traffic;

static const traffic unequal = {3, {600, 300, 100}, {1000, 9000, 1500}};
static const traffic incast = {8,
                               {125, 125, 125, 125, 125, 125, 125, 125},
                               {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000}};

/* Draws a flow with the probability weight[flow] / (sum of all weights). */
static unsigned draw(const uint64_t *weight, unsigned n, uint64_t *random)
{
    uint64_t all = 0, left;
    unsigned i;
    for (i = 0; i < n; i++)
        all += weight[i];
    left = (test_random(random) * all) >> 32;
    for (i = 0; i + 1 < n && left >= weight[i]; i++)
        left -= weight[i];
    return i;
}

/* Sets each flow's weight, in proportion to its bytes or frames. */
static void weigh(const traffic *t, bool by_frames, uint64_t *weight)
{
    unsigned i;
    for (i = 0; i < t->n; i++)
        weight[i] = t->permille[i] *
                    (uint64_t)(by_frames ? BURST_BYTES / t->frame_bytes[i] : 1);
}

/* A source of frames. It draws the flow of each frame, or of each burst. */
typedef struct source {
    const traffic *t;
    bool bursty;
    uint64_t random;
    uint32_t left; /* frames left in the burst */
    unsigned flow;
} source;

static unsigned next_flow(source *s)
{
    uint64_t weight[FLOWS];
    if (s->left == 0) {
        weigh(s->t, !s->bursty, weight);
        s->flow = draw(weight, s->t->n, &s->random);
        s->left = s->bursty ? BURST_BYTES / s->t->frame_bytes[s->flow] : 1;
    }
    s->left--;
    return s->flow;
}

/* Bytes, packets and notifications of each flow in a run. */
typedef struct tally {
    uint64_t bytes[FLOWS], packets[FLOWS], got[FLOWS];
} tally;

static void count(tally *all, const source *s, bool notified)
{
    all->bytes[s->flow] += s->t->frame_bytes[s->flow];
    all->packets[s->flow]++;
    all->got[s->flow] += notified;
}

/*
 * Of n independent notifications, a flow with the share p gets n * p, with a variance
 * of n * p * (1 - p). Fails beyond 4 standard deviations.
 */
static void check_shares(const traffic *t, const uint64_t *sent, const uint64_t *got)
{
    uint64_t all = 0;
    unsigned i;
    for (i = 0; i < t->n; i++)
        all += sent[i];
    for (i = 0; i < t->n; i++) {
        const double p = (double)sent[i] / (double)all;
        const double off = (double)got[i] - NOTIFICATIONS * p;
        if (off * off > 16 * NOTIFICATIONS * p * (1 - p))
            test_fail(__FILE__, __LINE__, "flow %u has %u of %u, and its share is %.4f",
                      i, (unsigned)got[i], NOTIFICATIONS, p);
    }
}

/* Counts each flow's CNMs in a queue of constant length. */
static void sample(const traffic *t, bool bursty, tally *all)
{
    rocecc_qcn_cp_params p = rocecc_qcn_cp_mib();
    source s = {NULL, false, 14, 0, 0};
    rocecc_qcn_cp cp;
    s.t = t;
    s.bursty = bursty;
    CHECK_EQ(rocecc_qcn_cp_init(&p), ROCECC_QCN_CP_ACCEPTED);
    cp = rocecc_qcn_cp_start(&p, test_random(&s.random));
    cp.old_bytes = QUEUE_BYTES;
    while (cp.transmitted_cnms < NOTIFICATIONS) {
        const unsigned flow = next_flow(&s);
        rocecc_qcn_cp_event frame = {0, QUEUE_BYTES, 0, false};
        frame.frame_bytes = t->frame_bytes[flow];
        frame.random = test_random(&s.random);
        count(all, &s, rocecc_qcn_cp_offer(&p, &cp, &frame).cnm);
    }
}

/* Counts each flow's marks in mid-curve, where one packet in ten is marked. */
static void mark(const traffic *t, bool bursty, tally *all)
{
    const rocecc_wred_params p = rocecc_wred_hpcc_runs(25000000000);
    source s = {NULL, false, 14, 0, 0};
    unsigned marks = 0;
    s.t = t;
    s.bursty = bursty;
    CHECK_EQ(rocecc_wred_init(&p), ROCECC_WRED_ACCEPTED);
    while (marks < NOTIFICATIONS) {
        bool marked;
        (void)next_flow(&s);
        marked = rocecc_wred_decide(&p, 250000, ROCECC_ECN_ECT0,
                                    test_random(&s.random)) == ROCECC_WRED_MARK;
        count(all, &s, marked);
        marks += marked;
    }
}

static const tally none;

TEST(CP_02_a_flow_is_sampled_in_proportion_to_its_bytes)
{
    int bursty;
    for (bursty = 0; bursty < 2; bursty++) {
        tally all = none;
        test_context("%s order", bursty ? "bursty" : "random");
        sample(&unequal, bursty != 0, &all);
        check_shares(&unequal, all.bytes, all.got);
    }
}

/* WRED draws for each packet, regardless of its length. */
TEST(W_5_a_flow_is_marked_in_proportion_to_its_packets)
{
    traffic same_size = unequal;
    int bursty;
    same_size.frame_bytes[1] = same_size.frame_bytes[2] = same_size.frame_bytes[0];
    for (bursty = 0; bursty < 2; bursty++) {
        tally all = none, same = none;
        test_context("%s order", bursty ? "bursty" : "random");
        mark(&unequal, bursty != 0, &all);
        check_shares(&unequal, all.packets, all.got);
        mark(&same_size, bursty != 0, &same);
        check_shares(&same_size, same.bytes, same.got); /* also the share of packets */
    }
}

/* In the incast of the draft's Figure 3, all flows send the same. */
TEST(R_L3_14_eight_equal_flows_get_equal_shares)
{
    static const uint64_t equal[FLOWS] = {1, 1, 1, 1, 1, 1, 1, 1};
    int bursty;
    for (bursty = 0; bursty < 2; bursty++) {
        tally sampled = none, marked = none;
        test_context("%s order", bursty ? "bursty" : "random");
        sample(&incast, bursty != 0, &sampled);
        check_shares(&incast, equal, sampled.got);
        mark(&incast, bursty != 0, &marked);
        /* Several marks fall into one burst, so they follow the packets really sent. */
        check_shares(&incast, bursty ? marked.packets : equal, marked.got);
    }
}
