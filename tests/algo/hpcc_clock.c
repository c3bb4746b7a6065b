/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * hpcc_clock.c - for HPCC++, the choice between the hop's and the host's clock, the
 * wait of a report, and the turn to another path. T is 10 us, and a link sends 10 bytes
 * per ns, so B * T is 100,000 bytes. tick_max is 1250 ns, and reorder 40,000 ns. The
 * rules are in algo/README.md.
 */
#include "lib/hpcc_path.h"
#include "lib/test.h"

#include <string.h>

#define G UINT64_C(1000000000)
#define ONE ((uint64_t)1 << 32) /* U of 1.0 */
#define NO_TX (ALL ^ ROCECC_HOP_TX)
#define NO_TS (ALL ^ ROCECC_HOP_TS)
#define HOST ROCECC_HPCC_HOST_TIMED
#define ODD ROCECC_HPCC_CLOCK_ODD
#define NEXT ROCECC_HPCC_NEXT_PATH

static rocecc_hpcc_action fastcnp(path *f)
{
    f->r.hops = f->hops;
    return rocecc_hpcc_fastcnp(&f->p, &f->s, f->l, &f->r);
}

/* Returns a flow after a first report of n hops at 5 s. lastUpdateSeq is 100. */
static path start_path(const rocecc_hpcc_params *p, uint32_t n, uint8_t valid)
{
    path f;
    uint32_t i;
    memset(&f, 0, sizeof f);
    f.p = *p;
    CHECK_EQ(rocecc_hpcc_init(&f.p), ROCECC_HPCC_ACCEPTED);
    f.s = rocecc_hpcc_start(&f.p);
    f.r.n_hops = n;
    f.r.now_ns = 5 * G;
    for (i = 0; i < 2; i++) {
        f.hops[i].id = 100 + i;
        f.hops[i].rate_bps = 80 * G;
        f.hops[i].ts_ns = 300000;
        f.hops[i].tx_bytes = 700000;
        f.hops[i].valid = valid;
    }
    CHECK_EQ(ack(&f, 0).verdict, ROCECC_HPCC_STARTED);
    return f;
}

static path start_usual_path(uint32_t n)
{
    const rocecc_hpcc_params p = plain_params();
    return start_path(&p, n, ALL);
}

/* Advances the clock and the counter of hop i. */
static void hop_on(path *f, int i, uint64_t ns, uint64_t bytes)
{
    f->hops[i].ts_ns += ns;
    f->hops[i].tx_bytes += bytes;
}

static bool unchanged(const path *f, const path *before)
{
    return memcmp(&before->s, &f->s, sizeof f->s) == 0 &&
           memcmp(before->l, f->l, sizeof f->l) == 0;
}

/*
 * The second of two hops sends while its clock stands. The report waits up to tick_max
 * after the last measured ACK, or T/8 if tick_max is 0 (H-2). One ns later it is
 * measured. The first hop has a load of 0.5 by its own clock. The second hop has 0.8 by
 * the host's clock, so U falls by a fifth of the elapsed share of T. From then on the
 * host's clock counts (H-41).
 */
TEST(H_02_a_report_waits_for_a_clock_up_to_tick_max)
{
    static const uint32_t ticks[] = {0, 1, 777, 10000};
    static const uint8_t valid[2] = {ALL, NO_QUEUE};
    size_t i;
    for (i = 0; i < 8; i++) {
        const uint64_t tick = ticks[i / 2], wait = tick == 0 ? 1250 : tick;
        rocecc_hpcc_params p = plain_params();
        rocecc_hpcc_action act;
        path f, before;
        p.tick_max_ns = (uint32_t)tick;
        f = start_path(&p, 2, valid[i % 2]);
        test_context("reports %02x, tick_max %u", valid[i % 2], (unsigned)tick);
        f.r.now_ns += wait;
        hop_on(&f, 0, wait, 5 * wait);
        hop_on(&f, 1, 0, 8 * wait);
        before = f;
        act = ack(&f, 101);
        CHECK(act.verdict == ROCECC_HPCC_IGNORED && act.missed == 0);
        CHECK(unchanged(&f, &before));
        f.r.now_ns += 1;
        hop_on(&f, 0, 1, 5);
        hop_on(&f, 1, 0, 8);
        act = ack(&f, 1);
        CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 0);
        CHECK(near(f.s.u_q32, ONE - ONE * rocecc_min(wait + 1, 10000) / 50000, 64));
        CHECK_EQ(f.s.flags, HOST | ODD);
        CHECK_EQ(f.s.changed_ns, f.r.now_ns);
        CHECK(f.l[0].ts_ns == 300001 + wait && f.l[0].ahead_ns == 0);
        CHECK(f.l[1].ts_ns == 300000 && f.l[1].tx_bytes == 708008 + 8 * (wait - 1000));
        CHECK_EQ(f.l[1].ahead_ns, (uint32_t)0 - (uint32_t)(wait + 1));
    }
}

/*
 * A report with a standing clock and counter has nothing new, and does not make the
 * host's clock count. If the first hop has news, the queue of a later hop that stands
 * counts for the host's time (H-2). It is 0.3 during T, and the first hop has 0.2.
 */
TEST(H_02_a_hop_without_news_does_not_select_the_host_clock)
{
    path f = start_usual_path(1), before;
    rocecc_hpcc_action act;
    f.l[0].queue_bytes = f.hops[0].queue_bytes = 30000;
    before = f;
    f.r.now_ns += 1251;
    act = ack(&f, 101);
    CHECK(act.verdict == ROCECC_HPCC_IGNORED && act.missed == 0);
    CHECK(memcmp(&before.s, &f.s, sizeof f.s) == 0);
    f = start_usual_path(2);
    f.l[1].queue_bytes = f.hops[1].queue_bytes = 30000;
    f.r.now_ns += 10000;
    hop_on(&f, 0, 10000, 20000);
    act = ack(&f, 1);
    CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 0);
    CHECK(near(f.s.u_q32, ONE * 3 / 10, 16));
    CHECK_EQ(f.s.flags, 0);
    CHECK(f.l[1].ahead_ns == (uint32_t)-10000 && f.l[0].ahead_ns == 0);
}

/*
 * A time stamp times a counter only if both records have one (H-11). Otherwise the host
 * does, and half of the link's bytes in T/5 make U 0.9. The report does not wait,
 * although the number of the time stamp has not moved (H-2).
 */
TEST(H_11_a_counter_without_a_time_stamp_is_timed_by_the_host)
{
    static const uint8_t before[3] = {NO_TS, ALL, NO_TS};
    static const uint8_t now[3] = {NO_TS, NO_TS, ALL};
    const rocecc_hpcc_params p = plain_params();
    int i;
    for (i = 0; i < 3; i++) {
        path f = start_path(&p, 1, before[i]);
        test_context("case %d", i);
        f.hops[0].valid = now[i];
        f.r.now_ns += 2000;
        hop_on(&f, 0, 0, 10000);
        CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
        CHECK(near(f.s.u_q32, ONE * 9 / 10, 16));
        CHECK(f.s.flags == 0 && f.l[0].ahead_ns == 0);
        CHECK_EQ(f.l[0].valid, now[i]);
    }
}

/*
 * The host times a queue without a counter (H-11). 0.2 plus 3/4 of eta (H-44) during
 * T/2 makes U 0.95625. The hop's clock does not matter, even if it moved by 1 ns, by
 * more than the span, or back.
 */
TEST(H_11_a_queue_with_a_time_stamp_is_timed_by_the_host)
{
    static const uint64_t ns[3] = {1, 60000, UINT64_MAX};
    const rocecc_hpcc_params p = plain_params();
    int i;
    for (i = 0; i < 3; i++) {
        path f = start_path(&p, 1, NO_TX);
        test_context("case %d", i);
        f.l[0].queue_bytes = f.hops[0].queue_bytes = 20000;
        f.r.now_ns += 5000;
        hop_on(&f, 0, ns[i], 25000);
        CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
        CHECK(near(f.s.u_q32, ONE * 6 / 10 + UNMETERED / 2, 16));
        CHECK(f.s.flags == 0 && f.l[0].ahead_ns == 0);
    }
}

/*
 * From 4 us before 2^32 to 6 us after it, the clock advances by 10 us, or T (H-1). The
 * result is the same for a clock of 32 bits and a clock of more bits.
 */
TEST(H_01_a_clock_advances_over_2_32)
{
    static const uint64_t mod[3] = {0, (uint64_t)1 << 32, (uint64_t)1 << 40};
    int i;
    for (i = 0; i < 3; i++) {
        rocecc_hpcc_params p = plain_params();
        path f;
        p.ts_mod_ns = mod[i];
        f = start_path(&p, 1, ALL);
        test_context("case %d", i);
        f.l[0].ts_ns = UINT32_MAX - 3999;
        f.hops[0].ts_ns = (i == 1 ? 0 : (uint64_t)1 << 32) + 6000;
        f.hops[0].tx_bytes += 50000;
        f.r.now_ns += 11000;
        CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
        CHECK(near(f.s.u_q32, ONE / 2, 16));
        CHECK(f.s.flags == 0 && f.l[0].ahead_ns == (uint32_t)-1000);
    }
}

/*
 * A counter one byte behind L is old even without a time stamp (H-32). With a
 * utilisation, the counter is not read (H-7), so the report is measured as half of the
 * link during T.
 */
TEST(H_32_a_counter_is_late_unless_a_utilisation_is_reported)
{
    static const uint8_t valid[2] = {NO_TS, ALL | ROCECC_HOP_UTIL};
    const rocecc_hpcc_params p = plain_params();
    int i;
    for (i = 0; i < 2; i++) {
        path f = start_path(&p, 1, valid[i]), before;
        rocecc_hpcc_action act;
        test_context("reports %02x", valid[i]);
        f.hops[0].util_q20 = 1 << 19;
        f.r.now_ns += 10000;
        hop_on(&f, 0, 10000, UINT64_MAX);
        before = f;
        act = ack(&f, 1);
        CHECK_EQ(act.verdict, i ? ROCECC_HPCC_REACTED : ROCECC_HPCC_IGNORED);
        CHECK_EQ(act.missed, 0);
        CHECK_EQ(memcmp(&before.s, &f.s, sizeof f.s) == 0, i == 0);
        CHECK_EQ(f.l[0].tx_bytes, i ? 699999 : 700000);
        if (i) CHECK(near(f.s.u_q32, ONE / 2, 16));
    }
}

/*
 * While the host's clock counts, a report is measured when T has passed since the last
 * one (H-41). The hop's clock advances by 2 T, but dt is T, so half of the link's bytes
 * in T are a load of a half. ahead_ns notes the gain of the clock.
 */
TEST(H_41_the_host_times_a_report_once_in_T)
{
    static const uint8_t valid[2] = {ALL, NO_QUEUE};
    const rocecc_hpcc_params p = plain_params();
    int i;
    for (i = 0; i < 2; i++) {
        path f = start_path(&p, 1, valid[i]), before;
        rocecc_hpcc_action act;
        test_context("reports %02x", valid[i]);
        f.s.flags |= HOST;
        f.r.now_ns += 9999;
        hop_on(&f, 0, 19999, 49995);
        before = f;
        act = ack(&f, 101);
        CHECK(act.verdict == ROCECC_HPCC_IGNORED && act.missed == 0);
        CHECK(unchanged(&f, &before));
        f.r.now_ns += 1;
        hop_on(&f, 0, 1, 5);
        act = ack(&f, 1);
        CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 0);
        CHECK(near(f.s.u_q32, ONE / 2, 16));
        CHECK_EQ(f.s.flags, HOST);
        CHECK(f.l[0].ts_ns == 320000 && f.l[0].ahead_ns == 10000);
    }
}

/* A round of the second hop's clock, and the state at its end. */
typedef struct clock_round {
    uint64_t clock_ns, age_ns;
    int32_t ahead_ns; /* afterwards */
    uint8_t host;
} clock_round;

/* Ends a round with one ACK. The first hop's clock agrees with the host's clock. */
static path end_round(const clock_round *c, uint8_t flags)
{
    path f = start_usual_path(2);
    f.s.flags |= flags;
    f.r.now_ns += c->age_ns;
    hop_on(&f, 0, c->age_ns, 1000);
    hop_on(&f, 1, c->clock_ns, 1000);
    test_context("%u ns in %u", (unsigned)c->clock_ns, (unsigned)c->age_ns);
    CHECK_EQ(ack(&f, 101).verdict, ROCECC_HPCC_UPDATED);
    return f;
}

/*
 * A clock that gained or lost more than reorder by the end of a round makes the host's
 * clock count (H-41). The round's end forgets T/8, 1250 ns, or all of a smaller gain.
 */
TEST(H_41_a_clock_may_gain_or_lose_up_to_reorder)
{
    static const clock_round rounds[] = {
        {50000, 10000, 38750, 0}, {50001, 10000, 38751, HOST}, {1, 40001, -38750, 0},
        {1, 40002, -38751, HOST}, {11250, 10000, 0, 0},        {8750, 10000, 0, 0},
        {11000, 10000, 0, 0},     {11251, 10000, 1, 0},        {8749, 10000, -1, 0},
    };
    size_t i;
    for (i = 0; i < sizeof rounds / sizeof rounds[0]; i++) {
        const path f = end_round(&rounds[i], 0);
        CHECK_EQ(f.s.flags, NEXT | rounds[i].host);
        CHECK_EQ(f.l[1].ahead_ns, (uint32_t)rounds[i].ahead_ns);
        CHECK_EQ(f.l[0].ahead_ns, 0);
    }
}

/*
 * Within a round, no clock is judged and nothing is forgotten (H-41). The sum of all
 * gains counts, and four times 10,001 ns exceed reorder.
 */
TEST(H_41_a_clock_is_judged_at_the_end_of_a_round)
{
    path f = start_usual_path(1);
    uint32_t i;
    for (i = 1; i <= 4; i++) {
        f.r.now_ns += 2000;
        hop_on(&f, 0, 12001, 1000);
        CHECK_EQ(f.s.flags, 0);
        CHECK_EQ(ack(&f, i == 4 ? 101 : 1).verdict,
                 i == 4 ? ROCECC_HPCC_UPDATED : ROCECC_HPCC_REACTED);
        if (i < 4) CHECK_EQ(f.l[0].ahead_ns, 10001 * i);
    }
    CHECK_EQ(f.s.flags, NEXT | HOST);
    CHECK_EQ(f.l[0].ahead_ns, 40004 - 1250);
}

/*
 * The host's clock counts until the end of a round in which every clock was usable and
 * within half of reorder (H-41). A clock beyond the span, 9/8 T + reorder, is not
 * usable. A round that already has CLOCK_ODD does not count either.
 */
TEST(H_41_the_host_clock_counts_until_a_round_of_good_clocks)
{
    static const clock_round rounds[] = {
        {30000, 10000, 18750, 0}, {30001, 10000, 18751, HOST}, {1, 20001, -18750, 0},
        {1, 20002, -18751, HOST}, {51250, 10000, 40000, HOST}, {51251, 10000, 0, HOST},
    };
    size_t i;
    for (i = 0; i < sizeof rounds / sizeof rounds[0]; i++) {
        path f = end_round(&rounds[i], HOST);
        CHECK_EQ(f.s.flags, NEXT | rounds[i].host);
        CHECK_EQ(f.l[1].ahead_ns, (uint32_t)rounds[i].ahead_ns);
        f = end_round(&rounds[i], HOST | ODD); /* with an unusable clock before */
        CHECK_EQ(f.s.flags, NEXT | HOST);
    }
}

/*
 * While the host's clock counts, a report that is not measured still notes a clock that
 * stands (H-41). The host's clock then counts for one more round. Nothing else changes.
 */
TEST(H_41_a_standing_clock_keeps_the_host_clock_for_a_round)
{
    path f = start_usual_path(2), before;
    f.s.flags |= HOST;
    f.r.now_ns += 5000;
    hop_on(&f, 0, 5000, 1000);
    hop_on(&f, 1, 0, 1000);
    before = f;
    before.s.flags |= ODD;
    CHECK_EQ(ack(&f, 101).verdict, ROCECC_HPCC_IGNORED);
    CHECK(unchanged(&f, &before));
    f.r.now_ns += 5000;
    hop_on(&f, 0, 5000, 1000);
    hop_on(&f, 1, 10000, 1000);
    CHECK_EQ(ack(&f, 101).verdict, ROCECC_HPCC_UPDATED);
    CHECK_EQ(f.s.flags, NEXT | HOST);
    f.r.now_ns += 10000;
    hop_on(&f, 0, 10000, 1000);
    hop_on(&f, 1, 10000, 1000);
    CHECK_EQ(ack(&f, 202).verdict, ROCECC_HPCC_UPDATED);
    CHECK_EQ(f.s.flags, NEXT);
}

/*
 * A clock gains 51,250 ns in a round, or loses 59,999. At most reorder + T, 50,000 ns,
 * is kept, less T/8, which leaves 48,750 ns (H-41). Each good round forgets 1250 ns
 * more. Round 24 finds 20,000 ns, half of reorder, and the hop's clock counts again.
 */
TEST(H_41_a_clock_is_trusted_again_after_24_good_rounds)
{
    static const clock_round rounds[2] = {{141250, 90000, 48750, HOST},
                                          {1, 60000, -48750, HOST}};
    int i, k;
    for (i = 0; i < 2; i++) {
        path f = end_round(&rounds[i], 0);
        for (k = 0; k < 25; k++) {
            const int32_t ahead = (i ? -1 : 1) * (48750 - 1250 * k);
            test_context("%d, round %d", i, k);
            CHECK_EQ(f.s.flags, NEXT | (k < 24 ? HOST : 0));
            CHECK_EQ(f.l[1].ahead_ns, (uint32_t)ahead);
            f.r.now_ns += 10000;
            hop_on(&f, 0, 10000, 1000);
            hop_on(&f, 1, 10000, 1000);
            CHECK_EQ(ack(&f, f.s.update_seq + 1).verdict, ROCECC_HPCC_UPDATED);
        }
    }
}

/* A path that starts has trusted clocks (H-41). The mark and RISING stay (H-17). */
TEST(H_41_a_starting_path_trusts_all_clocks)
{
    path f = start_usual_path(1);
    f.s.flags |= HOST | ODD | NEXT | ROCECC_HPCC_MARKED | ROCECC_HPCC_RISING;
    f.l[0].ahead_ns = 20000;
    f.l[0].jumped = 1;
    f.hops[0].id = 7;
    f.r.now_ns += 40001;
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_STARTED);
    CHECK_EQ(f.s.flags, ROCECC_HPCC_MARKED | ROCECC_HPCC_RISING);
    CHECK(f.l[0].ahead_ns == 0 && f.l[0].jumped == 0);
}

/* Returns a flow after its first path's round. The next report has another hop. */
static path start_spraying(uint64_t age_ns)
{
    path f = start_usual_path(2);
    f.r.now_ns += 10000;
    hop_on(&f, 0, 10000, 50000);
    hop_on(&f, 1, 10000, 20000);
    CHECK_EQ(ack(&f, 101).verdict, ROCECC_HPCC_UPDATED);
    CHECK_EQ(f.s.flags, NEXT);
    CHECK(near(f.s.u_q32, ONE / 2, 16));
    CHECK(f.s.stage == 1 && f.s.update_seq == 201);
    f.hops[1].id = 7;
    hop_on(&f, 1, 123456, 7654321);
    f.r.now_ns += age_ns;
    return f;
}

/*
 * Up to reorder after the last measured ACK, another path with as many hops gets the
 * next round (H-42). U, stage and lastUpdateSeq stay, although seq is after
 * lastUpdateSeq. One ns later, the path starts with U_init (H-17), and its first report
 * ends a blind round.
 */
TEST(H_42_the_next_path_takes_over_up_to_reorder)
{
    static const uint64_t late[2] = {0, 1};
    int i;
    for (i = 0; i < 2; i++) {
        path f = start_spraying(40000 + late[i]);
        rocecc_hpcc expected = f.s;
        rocecc_hpcc_action act;
        test_context("%d ns late", i);
        f.s.flags |= HOST | ODD | ROCECC_HPCC_RISING;
        expected.changed_ns = f.r.now_ns;
        expected.flags = ROCECC_HPCC_RISING | ROCECC_HPCC_SPRAYED;
        if (i) {
            expected.flags = ROCECC_HPCC_RISING;
            expected.u_q32 = ONE;
            expected.stage = 0;
            expected.update_seq = 402;
            expected.blind = 1;
        }
        act = ack(&f, 302);
        CHECK(act.verdict == ROCECC_HPCC_STARTED && act.missed == 2);
        CHECK(memcmp(&expected, &f.s, sizeof f.s) == 0);
        CHECK(f.l[0].id == 100 && f.l[1].id == 7);
        CHECK(f.l[1].ts_ns == 433456 && f.l[1].tx_bytes == 8374321);
        CHECK(f.l[0].ahead_ns == 0 && f.l[1].ahead_ns == 0);
    }
}

/*
 * A path without a measured round keeps it up to reorder (H-42). An ACK of another path
 * changes nothing, even with a mark and seq after lastUpdateSeq. One ns later, the
 * other path starts.
 */
TEST(H_42_a_path_keeps_its_round_up_to_reorder)
{
    path f = start_spraying(40000), before;
    rocecc_hpcc_action act;
    f.s.flags = 0;
    f.r.ecn = ROCECC_HPCC_ECN_MARKED;
    before = f;
    act = ack(&f, 302);
    CHECK(act.verdict == ROCECC_HPCC_OTHER_PATH && act.missed == 2);
    CHECK(unchanged(&f, &before));
    f.r.now_ns += 1;
    f.r.ecn = ROCECC_HPCC_ECN_UNKNOWN;
    act = ack(&f, 302);
    CHECK(act.verdict == ROCECC_HPCC_STARTED && act.missed == 2);
    CHECK(f.s.u_q32 == ONE && f.s.stage == 0 && f.s.update_seq == 402);
}

/*
 * Two paths take turns of one round each (H-42). The second path is measured from its
 * second ACK on. ACKs of the first path change nothing until that round has ended.
 */
TEST(H_42_paths_take_turns)
{
    path f = start_spraying(80), first;
    rocecc_hop other;
    CHECK_EQ(ack(&f, 102).verdict, ROCECC_HPCC_STARTED);
    other = f.hops[1];
    other.id = 101;
    f.r.now_ns += 10000;
    hop_on(&f, 0, 10000, 20000);
    hop_on(&f, 1, 10000, 30000);
    first = f;
    first.hops[1] = other;
    CHECK_EQ(ack(&first, 202).verdict, ROCECC_HPCC_OTHER_PATH);
    CHECK_EQ(ack(&f, 201).verdict, ROCECC_HPCC_REACTED);
    CHECK(near(f.s.u_q32, ONE * 3 / 10, 16));
    first = f;
    first.hops[1] = other;
    CHECK_EQ(ack(&first, 202).verdict, ROCECC_HPCC_OTHER_PATH);
    f.r.now_ns += 10000;
    hop_on(&f, 0, 10000, 20000);
    hop_on(&f, 1, 10000, 40000);
    CHECK_EQ(ack(&f, 202).verdict, ROCECC_HPCC_UPDATED);
    f.hops[1] = other;
    CHECK_EQ(ack(&f, 203).verdict, ROCECC_HPCC_STARTED);
    CHECK(near(f.s.u_q32, ONE * 4 / 10, 16));
}

/* A path with more or fewer hops always starts with U_init, even after 80 ns (H-42). */
TEST(H_42_a_path_with_more_or_fewer_hops_starts_anew)
{
    static const uint32_t n[2] = {1, 2};
    int i;
    for (i = 0; i < 2; i++) {
        path f = start_usual_path(3 - n[i]);
        test_context("%u hops", (unsigned)n[i]);
        f.s.flags |= NEXT;
        f.s.u_q32 = ONE / 4;
        f.s.stage = 3;
        f.r.n_hops = n[i];
        f.r.now_ns += 80;
        CHECK_EQ(ack(&f, 50).verdict, ROCECC_HPCC_STARTED);
        CHECK(f.s.u_q32 == ONE && f.s.stage == 0 && f.s.hops == n[i]);
        CHECK_EQ(f.s.flags, 0);
    }
}

/*
 * Only the end of a measured round sets NEXT_PATH (H-42). An ACK within the round does
 * not, and neither does the end of a blind round.
 */
TEST(H_42_only_a_measured_round_admits_another_path)
{
    path f = start_usual_path(1);
    f.r.now_ns += 10000;
    hop_on(&f, 0, 10000, 50000);
    CHECK_EQ(ack(&f, 100).verdict, ROCECC_HPCC_REACTED);
    CHECK_EQ(f.s.flags & NEXT, 0);
    f.r.now_ns += 10000;
    hop_on(&f, 0, 10000, 50000);
    f.hops[0].rate_bps = 0;
    CHECK_EQ(ack(&f, 101).verdict, ROCECC_HPCC_BLIND);
    CHECK(f.s.update_seq == 201 && (f.s.flags & NEXT) == 0);
    f.hops[0].rate_bps = 80 * G;
    f.r.now_ns += 10000;
    hop_on(&f, 0, 10000, 50000);
    CHECK_EQ(ack(&f, 202).verdict, ROCECC_HPCC_UPDATED);
    CHECK_EQ(f.s.flags & NEXT, NEXT);
}

/*
 * The host times a Fast CNP if the hop's clock is beyond the span of 51,250 ns. L,
 * ahead_ns and the flags do not change (H-21), so the next ACK decides about the clock.
 */
TEST(H_21_a_fast_cnp_does_not_change_L_or_clock_flags)
{
    static const uint64_t ns[3] = {20000, 51250, 51251};
    static const uint64_t dt[3] = {20000, 51250, 10000};
    int i;
    for (i = 0; i < 3; i++) {
        path f = start_usual_path(1), before;
        rocecc_hpcc_action act;
        test_context("%u ns", (unsigned)ns[i]);
        f.r.now_ns += 10000;
        hop_on(&f, 0, ns[i], 5 * dt[i]);
        before = f;
        act = fastcnp(&f);
        CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 0);
        CHECK(near(f.s.u_q32, ONE / 2, 16));
        before.s.u_q32 = f.s.u_q32;
        before.s.window_q20 = f.s.window_q20;
        CHECK(unchanged(&f, &before));
    }
}

/*
 * A jump in a Fast CNP is missed, and not noted in L (H-21). So the second Fast CNP
 * with the same jump is missed, too (H-33).
 */
TEST(H_21_a_jump_of_a_fast_cnp_is_not_noted)
{
    path f = start_usual_path(1);
    const path before = f;
    int i;
    f.r.now_ns += 10000;
    hop_on(&f, 0, 10000, 300000);
    for (i = 0; i < 2; i++) {
        const rocecc_hpcc_action act = fastcnp(&f);
        CHECK(act.verdict == ROCECC_HPCC_IGNORED && act.missed == 1);
        CHECK(unchanged(&f, &before));
    }
}

/*
 * Like an ACK, a Fast CNP waits for a clock that stands, or for T while the host's
 * clock counts (H-21). It still notes its mark (H-22).
 */
TEST(H_21_a_fast_cnp_waits_as_an_ack_does)
{
    static const uint64_t wait[2] = {1250, 9999};
    int i;
    for (i = 0; i < 2; i++) {
        path f = start_usual_path(1), before;
        rocecc_hpcc_action act;
        test_context("case %d", i);
        f.s.flags |= i ? HOST : 0;
        f.r.now_ns += wait[i];
        f.r.ecn = ROCECC_HPCC_ECN_MARKED;
        hop_on(&f, 0, i ? 1 : 0, 5 * wait[i]);
        before = f;
        before.s.flags |= ROCECC_HPCC_MARKED;
        act = fastcnp(&f);
        CHECK(act.verdict == ROCECC_HPCC_IGNORED && act.missed == 0);
        CHECK(unchanged(&f, &before));
        f.r.now_ns += 1;
        hop_on(&f, 0, 0, 5);
        act = fastcnp(&f);
        CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 0);
        /* The load is a half, for this share of T. */
        CHECK(near(f.s.u_q32, ONE - ONE * (wait[i] + 1) / 20000, 16));
        before.s.u_q32 = f.s.u_q32;
        before.s.window_q20 = f.s.window_q20;
        CHECK(unchanged(&f, &before));
    }
}

/*
 * The congested hop of two reports no usable rate once, so it is missed. U follows the
 * other hop to a fifth, but W does not rise (H-36).
 */
TEST(H_36_a_window_does_not_rise_past_a_missed_hop)
{
    path f = start_usual_path(2);
    rocecc_hpcc_action act;
    f.s.window_q20 = f.s.reference_q20 = (uint64_t)50000 << 20;
    f.s.stage = 5;
    f.r.now_ns += 10000;
    hop_on(&f, 0, 10000, 20000);
    hop_on(&f, 1, 10000, 100000);
    f.hops[1].rate_bps = 0;
    act = ack(&f, 1);
    CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 1);
    CHECK(near(f.s.u_q32, ONE / 5, 16));
    CHECK_EQ(act.window_bytes, 50000);
}

/*
 * The first hop has no counter and no time has passed, so it has nothing new. The
 * second hop has no usable rate. The report is blind (H-35), and both hops count as
 * missed (H-36).
 */
TEST(H_36_a_blind_report_misses_all_hops)
{
    path f = start_usual_path(2);
    rocecc_hpcc_action act;
    f.hops[0].valid = NO_TX;
    hop_on(&f, 0, 80, 0);
    hop_on(&f, 1, 80, 400);
    f.hops[1].rate_bps = 0;
    act = ack(&f, 1);
    CHECK(act.verdict == ROCECC_HPCC_BLIND && act.missed == 2);
}

/*
 * A congested round, with U of 1, clears MARKED and RISING. It does not forget the
 * unusable clock, so the host's clock counts in the next round (H-41).
 */
TEST(H_41_a_congested_round_keeps_an_unusable_clock)
{
    path f = start_usual_path(1);
    f.s.flags |= ROCECC_HPCC_RISING | ROCECC_HPCC_MARKED;
    f.r.now_ns += 10000;
    hop_on(&f, 0, 60000, 100000);
    CHECK_EQ(ack(&f, 101).verdict, ROCECC_HPCC_UPDATED);
    CHECK(near(f.s.u_q32, ONE, 16));
    CHECK_EQ(f.s.flags, NEXT | HOST);
}

/*
 * Blind reports do not change the flags of clocks and paths within a round, or at the
 * end of a marked or second blind round (H-35). forget() clears them (H-20).
 */
TEST(H_35_blind_rounds_keep_the_clock_flags)
{
    const uint8_t known = HOST | ODD | NEXT;
    path f = start_usual_path(1);
    f.s.flags |= known;
    f.r.n_hops = 0;
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_BLIND);
    CHECK_EQ(f.s.flags, known);
    f.r.ecn = ROCECC_HPCC_ECN_MARKED;
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_BLIND);
    CHECK_EQ(f.s.flags, known | ROCECC_HPCC_MARKED);
    CHECK_EQ(ack(&f, 101).verdict, ROCECC_HPCC_BLIND);
    CHECK_EQ(f.s.flags, known | ROCECC_HPCC_RISING);
    f.s.flags = known;
    f.r.ecn = ROCECC_HPCC_ECN_UNKNOWN;
    CHECK_EQ(ack(&f, 202).verdict, ROCECC_HPCC_BLIND);
    CHECK_EQ(f.s.flags, known | ROCECC_HPCC_RISING);
    rocecc_hpcc_forget(&f.p, &f.s);
    CHECK_EQ(f.s.flags, ROCECC_HPCC_RISING);
}

/*
 * The first hop, if it has a counter, decides whether a report is old (H-32). Here its
 * counter advanced, so the report is in order. The second hop's counter is a byte
 * behind, which is a jump (H-33), so the hop is missed. Both records move.
 */
TEST(H_32_a_counter_behind_L_on_a_later_hop_is_a_jump)
{
    static const uint8_t valid[3] = {ALL, NO_QUEUE, NO_TS};
    const rocecc_hpcc_params p = plain_params();
    int i;
    for (i = 0; i < 3; i++) {
        path f = start_path(&p, 2, valid[i]);
        rocecc_hpcc_action act;
        test_context("reports %02x", valid[i]);
        f.r.now_ns += 1000;
        hop_on(&f, 0, 1000, 5000);
        hop_on(&f, 1, 1000, UINT64_MAX);
        act = ack(&f, 1);
        CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 1);
        CHECK(near(f.s.u_q32, ONE * 95 / 100, 16));
        CHECK(f.l[0].tx_bytes == 705000 && f.l[0].jumped == 0);
        CHECK(f.l[1].tx_bytes == 699999 && f.l[1].jumped == 1);
        CHECK(f.l[0].ts_ns == 301000 && f.l[1].ts_ns == 301000);
        CHECK_EQ(f.s.flags, 0);
    }
}

/*
 * A report that repeats L on all hops is ignored, and no time passes for the hops
 * (H-2). So five repeats leave ahead_ns at 0. While the host's clock counts, they note
 * a clock that stands.
 */
TEST(H_41_repeats_of_L_do_not_change_ahead_ns)
{
    static const uint8_t valid[2] = {ALL, NO_QUEUE};
    const rocecc_hpcc_params p = plain_params();
    int i, k;
    for (k = 0; k < 4; k++) {
        path f = start_path(&p, 2, valid[k / 2]);
        test_context("case %d", k);
        f.s.flags |= k % 2 ? HOST : 0;
        for (i = 0; i < 5; i++) {
            path before;
            f.r.now_ns += i ? 80 : 30000;
            before = f;
            before.s.flags |= k % 2 ? ODD : 0;
            CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_IGNORED);
            CHECK_EQ(f.s.flags, before.s.flags);
            CHECK(f.l[0].ahead_ns == 0 && f.l[1].ahead_ns == 0);
        }
        f.r.now_ns += 80;
        hop_on(&f, 0, 30400, 1000);
        hop_on(&f, 1, 30400, 1000);
        CHECK_EQ(ack(&f, 101).verdict, ROCECC_HPCC_UPDATED);
        CHECK_EQ(f.s.flags, NEXT | (k % 2 ? HOST : 0));
        CHECK(f.l[0].ahead_ns == 0 && f.l[1].ahead_ns == 0);
    }
}

/*
 * A report is blind if its only hop jumped. L becomes the hop, so the age starts again,
 * and the clock of the next report agrees with the host's clock (H-41).
 */
TEST(H_41_a_gap_does_not_count_its_time_twice)
{
    path f = start_usual_path(1);
    f.r.now_ns += 30000;
    hop_on(&f, 0, 30000, 9000000);
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_BLIND);
    CHECK_EQ(f.l[0].ahead_ns, 0);
    CHECK_EQ(f.s.changed_ns, f.r.now_ns);
    f.r.now_ns += 1000;
    hop_on(&f, 0, 1000, 5000);
    CHECK_EQ(ack(&f, 101).verdict, ROCECC_HPCC_UPDATED);
    CHECK(f.s.flags == NEXT && f.l[0].ahead_ns == 0);
}

/*
 * The host's dt also starts again. After a jump at 9 T, 50,000 bytes in T are a load of
 * a half, not of a twentieth.
 */
TEST(H_41_a_gap_does_not_stretch_the_hosts_dt)
{
    path f = start_usual_path(1);
    f.s.flags |= HOST;
    f.r.now_ns += 90000;
    hop_on(&f, 0, 90000, 9000000);
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_BLIND);
    f.r.now_ns += 10000;
    hop_on(&f, 0, 10000, 50000);
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
    CHECK(near(f.s.u_q32, ONE / 2, 16));
}

/*
 * A Fast CNP with a clock that stands changes no flag, even while the host's clock
 * counts (H-22). It waits up to T, and is then measured by the host's clock (H-21).
 */
TEST(H_22_a_fast_cnp_does_not_change_clock_flags)
{
    path f = start_usual_path(1), before;
    f.s.flags |= HOST;
    f.r.now_ns += 5000;
    hop_on(&f, 0, 0, 25000);
    before = f;
    CHECK_EQ(fastcnp(&f).verdict, ROCECC_HPCC_IGNORED);
    CHECK(unchanged(&f, &before));
    f.r.now_ns += 5000;
    hop_on(&f, 0, 0, 25000);
    CHECK_EQ(fastcnp(&f).verdict, ROCECC_HPCC_REACTED);
    CHECK_EQ(f.s.flags, HOST);
}

/*
 * No report waits for a clock that times no counter (H-2). This is a clock next to a
 * utilisation or a queue alone, or in only one record (H-7, H-11).
 */
TEST(H_02_a_report_waits_only_for_a_clock_of_a_counter)
{
    static const uint8_t util = ROCECC_HOP_ID | ROCECC_HOP_UTIL | ROCECC_HOP_TS;
    const uint8_t valid[6][2] = {
        {util, util},   {ALL | ROCECC_HOP_UTIL, ALL | ROCECC_HOP_UTIL},
        {NO_TX, NO_TX}, {NO_TS, NO_TS},
        {NO_TS, ALL},   {ALL, NO_TX}};
    int i;
    for (i = 0; i < 6; i++) {
        path f = start_usual_path(2);
        test_context("reports %02x, %02x", valid[i][0], valid[i][1]);
        f.l[1].valid = valid[i][0];
        f.hops[1].valid = valid[i][1];
        f.r.now_ns += 1000;
        hop_on(&f, 0, 1000, 9000);
        CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
        CHECK(near(f.s.u_q32, ONE * 99 / 100, 16));
        CHECK_EQ(f.s.flags, 0);
    }
}

/* A report that repeats L is old at any age, with any unreported ts_ns (H-32). */
TEST(H_32_a_repeat_of_L_is_old_at_any_age)
{
    static const uint8_t valid[2] = {ALL, NO_TS};
    const rocecc_hpcc_params p = plain_params();
    int i;
    for (i = 0; i < 2; i++) {
        path f = start_path(&p, 1, valid[i]), before;
        test_context("reports %02x", valid[i]);
        f.r.now_ns += 50000;
        if (i) f.hops[0].ts_ns += 12345;
        before = f;
        CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_IGNORED);
        CHECK(unchanged(&f, &before));
    }
}

/* The hop's clock was set back, so the host's clock counts, for at least 1 ns (H-41).
 * 40,000 bytes are 0.4 of B * T, below the limit for a jump. */
TEST(H_41_an_age_of_0_is_1_ns)
{
    static const uint64_t age[3] = {0, 1, 2};
    uint64_t u[3];
    int i;
    for (i = 0; i < 3; i++) {
        path f = start_usual_path(1);
        test_context("%d ns", i);
        f.r.now_ns += age[i];
        hop_on(&f, 0, UINT64_MAX - 999, 40000);
        CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
        CHECK_EQ(f.s.flags, HOST | ODD);
        u[i] = f.s.u_q32;
    }
    CHECK(u[0] == u[1] && u[1] > u[2]); /* U + 0.4 - U * tau / T, for 1 and 2 ns */
    CHECK(near(u[1] - u[2], ONE / 10000, 16));
}

/* A counter of 2^24 bytes wraps in a report without a queue (H-1). */
TEST(H_01_a_counter_wraps_in_a_report_without_a_queue)
{
    rocecc_hpcc_params p = plain_params();
    path f;
    p.tx_mod_bytes = (uint64_t)1 << 24;
    p.dt_max_ns = 100000;
    f = start_path(&p, 1, NO_QUEUE);
    f.l[0].tx_bytes = 0xfff000;
    f.hops[0].tx_bytes = 50000 - 0x1000;
    f.hops[0].ts_ns += 10000;
    f.r.now_ns += 10000;
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
    CHECK(near(f.s.u_q32, ONE / 2, 16));
}

/* A whole report clears a noted mark (H-35), but a path that takes over does not clear
 * it (H-42). */
TEST(H_35_a_mark_lasts_until_a_whole_report)
{
    path f = start_usual_path(1);
    f.s.flags = ROCECC_HPCC_MARKED | NEXT;
    f.r.now_ns += 1000;
    f.hops[0].id = 7;
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_STARTED);
    CHECK_EQ(f.s.flags, ROCECC_HPCC_MARKED | ROCECC_HPCC_SPRAYED);
    f.r.now_ns += 1000;
    hop_on(&f, 0, 1000, 5000);
    CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_REACTED);
    CHECK_EQ(f.s.flags, ROCECC_HPCC_SPRAYED);
}

/*
 * From the takeover on, W rises by W_AI a round, and keeps stage = maxStage. That ends
 * with the second round in a row of one path (H-43).
 */
TEST(H_43_w_rises_additively_while_paths_take_turns)
{
    static const bool rising[2] = {false, true};
    int i;
    for (i = 0; i < 2; i++) {
        path f = start_usual_path(1);
        const uint64_t w_ai_q20 = f.p.w_ai_q8 << 12;
        uint64_t w;
        test_context("rising %d", i);
        f.s.flags = NEXT | (rising[i] ? ROCECC_HPCC_RISING : 0);
        f.s.stage = f.p.max_stage;
        f.s.reference_q20 = f.s.window_q20 = w = f.p.w_init_bytes << 19;
        f.r.now_ns += 1000;
        f.hops[0].id = 7;
        CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_STARTED);
        f.r.now_ns += 10000;
        hop_on(&f, 0, 10000, 50000); /* U = 0.5 */
        CHECK_EQ(ack(&f, 101).verdict, ROCECC_HPCC_UPDATED);
        CHECK((f.s.window_q20 == w + w_ai_q20) == !rising[i]); /* else H-38 */
        CHECK_EQ(f.s.stage, rising[i] ? 0 : f.p.max_stage);
        CHECK_EQ(f.s.flags & (NEXT | ROCECC_HPCC_SPRAYED), NEXT | ROCECC_HPCC_SPRAYED);
        w = f.s.window_q20;
        f.r.now_ns += 10000;
        hop_on(&f, 0, 10000, 50000);
        CHECK_EQ(ack(&f, 202).verdict, ROCECC_HPCC_UPDATED);
        CHECK((f.s.window_q20 == w + w_ai_q20) == !rising[i]);
        CHECK_EQ(f.s.flags & (NEXT | ROCECC_HPCC_SPRAYED), NEXT);
        f.s.reference_q20 = w = f.p.w_init_bytes << 18;
        f.s.flags = NEXT;
        f.s.stage = f.p.max_stage;
        f.r.now_ns += 10000;
        hop_on(&f, 0, 10000, 50000);
        CHECK_EQ(ack(&f, 303).verdict, ROCECC_HPCC_UPDATED);
        CHECK(f.s.window_q20 > w * 3 / 2 && f.s.stage == 0);
    }
}

/* A congested path reduces W even while paths take turns (H-12). */
TEST(H_43_w_still_falls_while_paths_take_turns)
{
    path f = start_usual_path(1);
    const uint64_t w = f.s.reference_q20;
    f.s.flags = ROCECC_HPCC_SPRAYED;
    f.r.now_ns += 10000;
    hop_on(&f, 0, 10000, 100000); /* U = 1 */
    CHECK_EQ(ack(&f, 101).verdict, ROCECC_HPCC_UPDATED);
    CHECK(f.s.window_q20 < w && f.s.stage == 0);
}

/* The mark of a report that waits, or repeats L, is noted. H-35 uses it if the path is
 * not measured whole. */
TEST(H_02_H_35_a_mark_of_an_ignored_ack_is_noted)
{
    static const uint64_t ns[2] = {1250, 0};
    static const uint64_t bytes[2] = {6250, 0};
    int i;
    for (i = 0; i < 2; i++) {
        path f = start_usual_path(1), before;
        test_context("case %d", i);
        f.r.now_ns += ns[i];
        f.hops[0].tx_bytes += bytes[i];
        f.r.ecn = ROCECC_HPCC_ECN_MARKED;
        before = f;
        CHECK_EQ(ack(&f, 1).verdict, ROCECC_HPCC_IGNORED);
        before.s.flags |= ROCECC_HPCC_MARKED;
        CHECK(unchanged(&f, &before));
    }
}

/*
 * If the clock is set and the counter jumps in each report, the hop is never measured,
 * because the host's clock counts (H-33). With a good clock, the second jump is
 * measured, as 9/8 for T/2.
 */
TEST(H_33_a_wrong_clock_and_a_wrong_counter_are_not_measured)
{
    int wrong, i;
    for (wrong = 0; wrong < 2; wrong++) {
        path f = start_usual_path(1);
        rocecc_hpcc_action act;
        for (i = 1; i < 5; i++) {
            const bool seen = !wrong && i > 1;
            test_context("wrong clock %d, report %d", wrong, i);
            f.r.now_ns += wrong ? 10000 : 5000;
            hop_on(&f, 0, wrong ? 500000000 : 5000, 3000000);
            act = ack(&f, (uint32_t)i);
            CHECK_EQ(act.verdict, seen ? ROCECC_HPCC_REACTED : ROCECC_HPCC_BLIND);
            CHECK_EQ(act.missed, seen ? 0 : 1);
            CHECK_EQ((f.s.flags & HOST) != 0, wrong);
        }
        CHECK(wrong ? f.s.u_q32 == ONE : f.s.u_q32 > ONE);
    }
}
