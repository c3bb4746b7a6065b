/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/hpcc.h"
#include "lib/hpcc.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

#define G UINT64_C(1000000000)
#define ONE ((uint64_t)1 << 32) /* U of 1.0 */
#define CHECK_NEAR(a, b, by) CHECK(near(a, b, by))

/* A flow over links of 10 bytes per ns. T is 10 us, so B * T is 100,000 bytes. */
typedef struct flow {
    rocecc_hpcc_params p;
    rocecc_hpcc s;
    rocecc_hpcc_hop l[ROCECC_HPCC_HOPS_MAX];
    rocecc_hop hops[ROCECC_HPCC_HOPS_MAX];
    rocecc_hpcc_event r;
} flow;

static const rocecc_hpcc_event *report(flow *f)
{
    f->r.hops = f->hops;
    return &f->r;
}

static uint8_t ack(flow *f, uint32_t seq)
{
    f->r.seq = seq;
    f->r.snd_nxt = seq + 100;
    return rocecc_hpcc_ack(&f->p, &f->s, f->l, report(f)).verdict;
}

/* Returns a flow with n hops in L. lastUpdateSeq is 100. */
static flow start_flow(const rocecc_hpcc_params *p, uint32_t n)
{
    flow f;
    uint32_t i;
    memset(&f, 0, sizeof f);
    memset(f.l, 0xa5, sizeof f.l);
    f.p = *p;
    CHECK_EQ(rocecc_hpcc_init(&f.p), ROCECC_HPCC_ACCEPTED);
    f.s = rocecc_hpcc_start(&f.p);
    f.r.n_hops = n;
    for (i = 0; i < ROCECC_HPCC_HOPS_MAX; i++) {
        f.hops[i].id = 100 + i;
        f.hops[i].rate_bps = 80 * G;
        f.hops[i].valid = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE |
                          ROCECC_HOP_TX | ROCECC_HOP_TS;
    }
    CHECK_EQ(ack(&f, 0), ROCECC_HPCC_STARTED);
    return f;
}

static flow start_usual_flow(uint32_t n)
{
    const rocecc_hpcc_params p = plain_params();
    return start_flow(&p, n);
}

/* Advances hop i by dt and dtx. Hop 0 also advances the host's clock. */
static void advance_hop(flow *f, int i, uint64_t dt, uint64_t dtx, uint32_t queue)
{
    if (i == 0) f->r.now_ns += dt;
    f->hops[i].ts_ns += dt;
    f->hops[i].tx_bytes += dtx;
    f->hops[i].queue_bytes = queue;
}

/* Returns U after an ACK with one hop. If dt is T or more, this is u'. */
static uint64_t u_of(flow *f, uint64_t dt, uint64_t dtx, uint32_t queue)
{
    advance_hop(f, 0, dt, dtx, queue);
    CHECK_EQ(ack(f, 1), ROCECC_HPCC_REACTED);
    return f->s.u_q32;
}

/* For any usable link rate, 1 / (B * T) agrees with a division. */
TEST(hpcc_inverse_agrees_with_a_division)
{
    static const uint32_t times[] = {1000,  1024,    2048,    8191,
                                     13000, 1000000, 1 << 24, 1000000000};
    size_t i;
    uint64_t rate, random = 7;
    for (i = 0; i < sizeof times / sizeof times[0]; i++) {
        rocecc_hpcc_params p = plain_params();
        p.base_rtt_ns = times[i];
        p.dt_max_ns = 1000000000;
        p.w_init_bytes = p.w_max_bytes = p.w_blind_bytes = 1000;
        p.w_ai_q8 = 0;
        CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
        for (rate = p.min_bps; rate < ROCECC_RATE_END_BPS;
             rate += rate / 7 + test_random(&random) % 1000) {
            rocecc_hpcc_hop l = ROCECC_ZERO;
            double exact, ours;
            int k;
            CHECK(rocecc_hpcc_set_rate_(&p, &l, rate));
            CHECK(l.inverse >> 31 == 1 && l.shift >= 8 && l.shift <= 39);
            exact = 8e9 / ((double)rate * times[i]);
            ours = l.inverse;
            for (k = 0; k < 32 + l.shift; k++)
                ours /= 2;
            CHECK(ours < exact * (1 + 1e-9) && ours > exact * (1 - 1e-9));
        }
        CHECK_EQ(rocecc_hpcc_time_share_q32_(&p, times[i]), ONE);
    }
}

TEST(H_01_differences_are_modulo_any_number)
{
    rocecc_hpcc_params p = plain_params();
    flow f;
    CHECK_EQ(rocecc_hop_distance(5, 5, 7), 0);
    CHECK_EQ(rocecc_hop_distance(6, 2, 7), 3);
    CHECK_EQ(rocecc_hop_distance(UINT64_MAX, 2, 0), 3);
    CHECK_EQ(rocecc_hop_distance(UINT64_MAX - 1, 0, UINT64_MAX), 1);
    p.ts_mod_ns = G;
    p.tx_mod_bytes = 1000000007;
    p.dt_max_ns = 24000000; /* at 320 Gb/s, 960,000,000 bytes */
    f = start_flow(&p, 1);
    f.l[0].ts_ns = G - 9000;
    f.l[0].tx_bytes = 1000000000;
    f.hops[0].ts_ns = 11000;
    f.hops[0].tx_bytes = 99993; /* 100,000 bytes in 20,000 ns */
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.u_q32, ONE / 2, 16);
}

/* H-2: a report is ignored if no time has passed. A hop without a usable link rate is
 * missed, but becomes L. 409.6 Mb/s is the lowest usable rate at this T. */
TEST(H_02_a_hop_without_time_or_rate_is_not_measured)
{
    static const uint64_t rates[] = {0, 409599999, ROCECC_RATE_END_BPS, UINT64_MAX};
    flow f = start_usual_flow(1);
    rocecc_hpcc_action act;
    size_t i;
    f.hops[0].tx_bytes = 5000;
    CHECK_EQ(ack(&f, 101), ROCECC_HPCC_IGNORED); /* no time has passed */
    CHECK(f.l[0].tx_bytes == 0 && f.s.update_seq == 100);
    for (i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        f.hops[0].ts_ns += 100;
        f.hops[0].tx_bytes += 1000;
        f.hops[0].rate_bps = rates[i];
        f.r.seq = 50;
        act = rocecc_hpcc_ack(&f.p, &f.s, f.l, report(&f));
        CHECK(act.verdict == ROCECC_HPCC_BLIND && act.missed == 1);
        CHECK_EQ(f.l[0].ts_ns, 100 * (i + 1)); /* the hop becomes L */
        CHECK_EQ(f.l[0].tx_bytes, 5000 + 1000 * (i + 1));
    }
    CHECK(f.s.u_q32 == ONE && f.s.update_seq == 100 && f.s.stage == 0);
    CHECK(f.s.changed_ns == 0 && f.s.flags == 0);
    f.hops[0].rate_bps = 409600000; /* B * T is 512 bytes */
    f.hops[0].tx_bytes += 256;
    f.hops[0].ts_ns += 20000; /* 256 of the 1,024 bytes that the link sends in 2 T */
    CHECK_EQ(ack(&f, 101), ROCECC_HPCC_UPDATED);
    CHECK_NEAR(f.s.u_q32, ONE / 4, 16);
}

TEST(H_04_load_is_the_queue_term_plus_the_byte_term)
{
    flow f = start_usual_flow(1);
    CHECK_NEAR(u_of(&f, 10000, 40000, 9000), ONE * 4 / 10, 64); /* min(9000, 0) */
    CHECK_NEAR(u_of(&f, 10000, 40000, 20000), ONE * 49 / 100, 64);
    CHECK_NEAR(u_of(&f, 10000, 40000, 10000), ONE * 50 / 100, 64);
    CHECK_NEAR(u_of(&f, 40000, 120000, 10000), ONE * 40 / 100, 64);
    CHECK_NEAR(u_of(&f, 1000000000, UINT64_C(8000000000), 500000), ONE * 90 / 100,
               4096);
}

/* U is exact for powers of two. 32,768 of 65,536 bytes are sent, and 16,384 wait. */
TEST(H_04_both_terms_are_exact_for_powers_of_two)
{
    rocecc_hpcc_params p = plain_params();
    flow f;
    p.base_rtt_ns = 8192;
    f = start_flow(&p, 1);
    f.hops[0].rate_bps = 64 * G;
    CHECK_EQ(u_of(&f, 8192, 32768, 16384), ONE / 2); /* no queue in L */
    CHECK_EQ(u_of(&f, 8192, 32768, 16384), ONE * 3 / 4);
}

TEST(H_05_the_most_loaded_hop_determines_u)
{
    flow f = start_usual_flow(3);
    advance_hop(&f, 0, 10000, 40000, 0);
    advance_hop(&f, 1, 20000, 160000, 0); /* 0.8 */
    advance_hop(&f, 2, 30000, 90000, 0);
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.u_q32, ONE * 8 / 10, 64);
    /* All crosswise products exceed 2^64. */
    f.r.now_ns += 200000000;
    advance_hop(&f, 0, 100000000, 900000000, 0);
    advance_hop(&f, 1, 200000000, 1900000000, 0);
    advance_hop(&f, 2, 300000000, 2700000000u, 0);
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.u_q32, ONE * 95 / 100, 4096);
}

/* The first of equal hops gives tau. U is exact for powers of two. */
TEST(H_05_the_first_of_equal_hops_gives_tau)
{
    rocecc_hpcc_params p = plain_params();
    flow f;
    int i;
    p.base_rtt_ns = 8192;
    f = start_flow(&p, 3);
    for (i = 0; i < 3; i++)
        f.hops[i].rate_bps = 64 * G; /* B * T is 65,536 bytes */
    advance_hop(&f, 0, 128, 128, 0);
    advance_hop(&f, 1, 1024, 4096, 0); /* 1/2 */
    advance_hop(&f, 2, 2048, 8192, 0);
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    CHECK_EQ(f.s.u_q32, ONE - ONE / 16);
    /* On an idle path U decays by the first hop's dt. */
    advance_hop(&f, 0, 4096, 0, 0);
    advance_hop(&f, 1, 1024, 0, 0);
    advance_hop(&f, 2, 2048, 0, 0);
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    CHECK_EQ(f.s.u_q32, (ONE - ONE / 16) / 2);
}

TEST(H_06_u_is_an_average_weighted_by_time)
{
    flow f = start_usual_flow(2);
    advance_hop(&f, 0, 2500, 10000, 0); /* 0.4 for T/4 */
    advance_hop(&f, 1, 2500, 0, 0);
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.u_q32, ONE * 85 / 100, 16);
    advance_hop(&f, 0, 10000, 30000, 0); /* 0.3 for T */
    advance_hop(&f, 1, 10000, 0, 0);
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.u_q32, ONE * 30 / 100, 16);
    advance_hop(&f, 0, 10001, 70007, 0);
    advance_hop(&f, 1, 0, 900000, 0); /* a jump, so not measured */
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.u_q32, ONE * 70 / 100, 16);
    CHECK_EQ(ack(&f, 101), ROCECC_HPCC_IGNORED); /* waits for T (H-41) */
    CHECK(f.s.update_seq == 100 && f.s.stage == 0);
}

TEST(H_07_a_utilisation_replaces_the_bytes)
{
    flow f = start_usual_flow(1);
    f.hops[0].valid |= ROCECC_HOP_UTIL;
    f.hops[0].util_q20 = 1 << 18;
    CHECK_NEAR(u_of(&f, 10000, 90000, 0), ONE / 4, 16);
    CHECK_NEAR(u_of(&f, 10000, 90000, 10000), ONE / 4, 16);
    CHECK_NEAR(u_of(&f, 40000, 90000, 10000), ONE * 35 / 100, 16);
    f.hops[0].util_q20 = 0; /* a reported 0 */
    CHECK_NEAR(u_of(&f, 5000, 90000, 0), ONE * 175 / 1000, 16);
    f.hops[0].util_q20 = 1 << 19; /* tau is T, so U is exactly this value */
    CHECK_EQ(u_of(&f, 40000, 90000, 0), ONE / 2);
}

TEST(H_08_a_queue_in_one_record_counts)
{
    flow f = start_usual_flow(1);
    f.hops[0].valid &= 0xff ^ ROCECC_HOP_QUEUE;
    CHECK_NEAR(u_of(&f, 10000, 50000, 90000), ONE / 2, 16); /* 0 in the first ACK */
    CHECK_NEAR(u_of(&f, 10000, 50000, 90000), ONE / 2, 16); /* in neither record */
    f.hops[0].valid |= ROCECC_HOP_QUEUE;
    CHECK_NEAR(u_of(&f, 10000, 50000, 20000), ONE * 7 / 10, 16);
    f.hops[0].valid &= 0xff ^ ROCECC_HOP_QUEUE;
    CHECK_NEAR(u_of(&f, 10000, 50000, 1), ONE * 7 / 10, 16);
}

/* H-9: without bytes in both records, a queue counts with UNMETERED. Without a queue,
 * too, the report is blind. */
TEST(H_09_bytes_need_both_records)
{
    flow f = start_usual_flow(1);
    advance_hop(&f, 0, 10, 0, 30000);
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    f.hops[0].valid &= 0xff ^ ROCECC_HOP_TX;
    CHECK_NEAR(u_of(&f, 10000, 50000, 30000), ONE * 3 / 10 + UNMETERED, 16);
    f.hops[0].valid |= ROCECC_HOP_TX;
    CHECK_NEAR(u_of(&f, 10000, 50000, 20000), ONE * 2 / 10 + UNMETERED, 16);
    /* The hop reports neither term. */
    f.hops[0].valid &= 0xff ^ (ROCECC_HOP_TX | ROCECC_HOP_QUEUE);
    advance_hop(&f, 0, 10000, 50000, 0);
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED); /* L's queue */
    advance_hop(&f, 0, 10000, 50000, 0);
    CHECK_EQ(ack(&f, 99), ROCECC_HPCC_BLIND);
    CHECK_EQ(f.l[0].ts_ns, f.hops[0].ts_ns);
    CHECK(f.s.update_seq == 100);
}

TEST(H_10_without_a_link_rate_only_a_utilisation_counts)
{
    flow f = start_usual_flow(1);
    f.hops[0].valid &= 0xff ^ ROCECC_HOP_RATE;
    advance_hop(&f, 0, 10000, 50000, 30000);
    CHECK_EQ(ack(&f, 99), ROCECC_HPCC_BLIND);
    CHECK_EQ(f.l[0].ts_ns, 10000);
    f.hops[0].valid |= ROCECC_HOP_UTIL;
    f.hops[0].util_q20 = 1 << 19;
    CHECK_NEAR(u_of(&f, 10000, 50000, 30000), ONE / 2, 16);
}

TEST(H_11_the_host_times_hops_without_a_time_stamp)
{
    flow f = start_usual_flow(1);
    f.hops[0].valid = ROCECC_HOP_ID | ROCECC_HOP_UTIL;
    f.hops[0].util_q20 = 1 << 19;
    CHECK_EQ(ack(&f, 101), ROCECC_HPCC_IGNORED); /* no time has passed */
    f.r.now_ns += 5000;
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.u_q32, ONE * 75 / 100, 16);
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_IGNORED);
    f.r.now_ns += G; /* dt_max, counted as T */
    f.hops[0].util_q20 = 1 << 18;
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.u_q32, ONE / 4, 16);
    /* A queue needs no time stamp. 0.9125 for T/2, after 0.25, gives 0.58125. */
    f.hops[0].valid = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE;
    f.hops[0].queue_bytes = 20000;
    f.r.now_ns += 5000;
    CHECK_EQ(ack(&f, 99), ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.u_q32, ONE * 225 / 1000 + UNMETERED / 2, 16);
    CHECK_EQ(f.l[0].valid, f.hops[0].valid);
    /* Time stamps without a counter time nothing, with any value. U is 0.746875. */
    f.hops[0].valid |= ROCECC_HOP_TS;
    f.hops[0].ts_ns = 77;
    CHECK_EQ(ack(&f, 99), ROCECC_HPCC_IGNORED); /* no time has passed */
    f.r.now_ns += 5000;
    CHECK_EQ(ack(&f, 99), ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.u_q32, ONE * 2125 / 10000 + UNMETERED * 3 / 4, 16);
    CHECK(f.l[0].valid == f.hops[0].valid && f.l[0].ts_ns == 77);
    f.hops[0].ts_ns = 78;
    f.r.now_ns += 5000;
    CHECK_EQ(ack(&f, 99), ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.u_q32, ONE * 20625 / 100000 + UNMETERED * 7 / 8, 16);
    CHECK(f.l[0].ahead_ns == 0 && f.s.flags == 0);
    CHECK_EQ(f.s.changed_ns, f.r.now_ns);
}

/* Returns W for this U, without the average. */
static uint64_t window_at(rocecc_hpcc *s, const rocecc_hpcc_params *p, uint64_t u_q32)
{
    s->u_q32 = u_q32;
    rocecc_hpcc_update_window_(p, s, true, p->w_max_bytes << 20);
    return s->window_q20 >> 20;
}

/* H-12: from eta on, W is Wc eta / U + W_AI, and stage becomes 0. */
TEST(H_12_u_from_eta_on_scales_the_window)
{
    flow f = start_usual_flow(1);
    const uint64_t eta = (uint64_t)f.p.eta_q20 << 12;
    f.s.stage = 3;
    CHECK_EQ(window_at(&f.s, &f.p, ONE), 95099); /* 0.95 is rounded down in Q20 */
    CHECK_EQ(f.s.stage, 0);
    CHECK_EQ(window_at(&f.s, &f.p, 2 * eta), 95099 / 2 + 100);
    CHECK_EQ(window_at(&f.s, &f.p, eta), 95099 / 2 + 200);
    CHECK_EQ(f.s.stage, 0);
    f.s.stage = 5;
    CHECK_EQ(window_at(&f.s, &f.p, eta - 1), 95099 / 2 + 300);
    CHECK_EQ(f.s.stage, 0);
    f.s.stage = 5;
    CHECK_EQ(window_at(&f.s, &f.p, 0), 100000);
    f.s.reference_q20 = 1 << 20;
    f.s.stage = 5;
    CHECK_EQ(window_at(&f.s, &f.p, 1), 100000);
    f.s.reference_q20 = 1 << 20;
    f.s.stage = 5;
    CHECK_EQ(window_at(&f.s, &f.p, eta / 64), 164);
}

/* H-13: below eta, W rises by W_AI for max_stage updates. The next update scales it by
 * eta / U. */
TEST(H_13_the_window_rises_by_w_ai_for_max_stage_rounds)
{
    flow f = start_usual_flow(1);
    int i;
    f.s.reference_q20 = 1000 << 20;
    for (i = 1; i <= 5; i++) {
        CHECK_EQ(window_at(&f.s, &f.p, ONE / 2), 1000 + 100 * (uint64_t)i);
        CHECK_EQ(f.s.stage, i);
    }
    CHECK_NEAR(window_at(&f.s, &f.p, ONE / 2), 2950, 1); /* 1500 * 0.95 / 0.5 + 100 */
    CHECK_EQ(f.s.stage, 0);
    f.p.max_stage = 0;
    CHECK_NEAR(window_at(&f.s, &f.p, ONE / 2), 5705, 1);
    f.p.max_stage = 255;
    for (i = 0; i < 255; i++)
        (void)window_at(&f.s, &f.p, ONE / 2);
    CHECK_EQ(f.s.stage, 255);
    (void)window_at(&f.s, &f.p, ONE / 2);
    CHECK_EQ(f.s.stage, 0);
}

TEST(H_14_the_window_stays_within_w_min_and_w_max)
{
    rocecc_hpcc_params p = plain_params();
    flow f;
    p.w_min_bytes = 3000;
    p.w_ai_q8 = 0;
    f = start_flow(&p, 1);
    CHECK_EQ(window_at(&f.s, &f.p, 100 * ONE), 3000);
    CHECK_EQ(f.s.reference_q20, (uint64_t)3000 << 20);
    f.s.stage = 5;
    CHECK_EQ(window_at(&f.s, &f.p, ONE / 100), 100000);
    CHECK_EQ(f.s.reference_q20, (uint64_t)100000 << 20);
}

/* H-15: Wc changes only with an ACK after lastUpdateSeq. Numbers are serial. */
TEST(H_15_the_reference_changes_once_a_round)
{
    flow f = start_usual_flow(1);
    const uint64_t full = (uint64_t)100000 << 20;
    uint64_t once;
    int i;
    /* lastUpdateSeq is 100, so a burst of ACKs about one queue cuts once. */
    for (i = 0; i < 50; i++) {
        advance_hop(&f, 0, 10000, 100000, 100000);
        CHECK_EQ(ack(&f, 100), ROCECC_HPCC_REACTED);
        CHECK_EQ(f.s.reference_q20, full);
        CHECK_EQ(f.s.stage, 0);
    }
    once = f.s.window_q20;
    CHECK_NEAR(once >> 20, 47600, 1);
    advance_hop(&f, 0, 10000, 100000, 100000);
    CHECK_EQ(ack(&f, 101), ROCECC_HPCC_UPDATED);
    CHECK(f.s.window_q20 == once && f.s.reference_q20 == once);
    CHECK_EQ(f.s.update_seq, 201);
    advance_hop(&f, 0, 10000, 100000, 100000);
    CHECK_EQ(ack(&f, 201), ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.window_q20 >> 20, 22710, 2);
    /* Numbers are serial, and 0 is valid. */
    f.s.update_seq = 0xffffffff;
    advance_hop(&f, 0, 10000, 100000, 0);
    CHECK_EQ(ack(&f, 0), ROCECC_HPCC_UPDATED);
    f.s.update_seq = 0;
    advance_hop(&f, 0, 10000, 100000, 0);
    CHECK_EQ(ack(&f, 0x80000000u), ROCECC_HPCC_REACTED);
    advance_hop(&f, 0, 10000, 100000, 0);
    CHECK_EQ(ack(&f, 0x7fffffff), ROCECC_HPCC_UPDATED);
}

TEST(H_16_0_or_more_than_max_hops_is_blind)
{
    static const uint32_t n[] = {0, 6, 300, UINT32_MAX};
    static const uint8_t missed[] = {0, 6, 255, 255};
    flow f = start_usual_flow(2);
    const rocecc_hpcc before = f.s;
    size_t i;
    for (i = 0; i < 4; i++) {
        rocecc_hpcc_action act;
        f.r.n_hops = n[i];
        f.r.seq = 100; /* the round goes on (H-35) */
        act = rocecc_hpcc_ack(&f.p, &f.s, f.l, report(&f));
        CHECK(act.verdict == ROCECC_HPCC_BLIND && act.missed == missed[i]);
    }
    CHECK(memcmp(&before, &f.s, sizeof before) == 0);
    f.r.n_hops = 5;
    CHECK_EQ(ack(&f, 101), ROCECC_HPCC_STARTED);
}

TEST(H_17_another_path_starts_with_u_init)
{
    flow f = start_usual_flow(3);
    advance_hop(&f, 0, 10000, 20000, 0);
    CHECK_EQ(ack(&f, 101), ROCECC_HPCC_UPDATED);
    CHECK(f.s.stage == 1 && f.s.update_seq == 201);
    f.hops[2].id = 7;
    f.hops[2].ts_ns = 5;
    f.r.now_ns = 99;
    f.s.window_q20 -= 1234;
    CHECK_EQ(ack(&f, 300), ROCECC_HPCC_STARTED);
    CHECK(f.s.u_q32 == ONE && f.s.stage == 0 && f.s.update_seq == 400);
    CHECK(f.s.changed_ns == 99 && f.s.hops == 3);
    CHECK(f.l[2].id == 7 && f.l[2].ts_ns == 5);
    CHECK_EQ(f.s.window_q20, ((uint64_t)100000 << 20) - 1234);
    CHECK_EQ(f.s.reference_q20, (uint64_t)100000 << 20);
    f.r.n_hops = 2; /* fewer or more hops are another path */
    CHECK_EQ(ack(&f, 300), ROCECC_HPCC_STARTED);
    f.r.n_hops = 3;
    CHECK_EQ(ack(&f, 300), ROCECC_HPCC_STARTED);
}

TEST(H_18_the_rate_is_the_window_per_t)
{
    flow f = start_usual_flow(1);
    rocecc_hpcc_action act = rocecc_hpcc_ack(&f.p, &f.s, f.l, report(&f));
    CHECK_EQ(act.rate_bps, 80 * G);
    CHECK_EQ(act.window_bytes, 100000);
    f.s.window_q20 = (1000 << 20) + 1;
    act = rocecc_hpcc_ack(&f.p, &f.s, f.l, report(&f));
    CHECK_EQ(act.rate_bps, 800000000);
    CHECK_EQ(act.window_bytes, 1001); /* 1000 bytes in flight are below W */
    f.s.window_q20 = 1000 << 20;
    CHECK_EQ(rocecc_hpcc_ack(&f.p, &f.s, f.l, report(&f)).window_bytes, 1000);
}

TEST(H_19_the_round_follows_a_smaller_snd_nxt)
{
    flow f = start_usual_flow(1);
    rocecc_hpcc_action act;
    advance_hop(&f, 0, 10000, 90000, 0);
    f.r.seq = 50; /* go-back-N sends packets again */
    f.r.snd_nxt = 51;
    act = rocecc_hpcc_ack(&f.p, &f.s, f.l, report(&f));
    CHECK(act.verdict == ROCECC_HPCC_REACTED && f.s.update_seq == 100);
    advance_hop(&f, 0, 10000, 90000, 0);
    f.r.seq = 101;
    act = rocecc_hpcc_ack(&f.p, &f.s, f.l, report(&f));
    CHECK(act.verdict == ROCECC_HPCC_UPDATED && f.s.update_seq == 51);
}

TEST(H_20_forget_keeps_only_the_windows)
{
    flow f = start_usual_flow(1);
    advance_hop(&f, 0, 10000, 200000, 0);
    CHECK_EQ(ack(&f, 101), ROCECC_HPCC_UPDATED);
    f.s.stage = 3;
    {
        const uint64_t w = f.s.window_q20, wc = f.s.reference_q20;
        rocecc_hpcc_forget(&f.p, &f.s);
        CHECK(f.s.hops == 0 && f.s.stage == 0 && f.s.u_q32 == ONE);
        CHECK(f.s.window_q20 == w && f.s.reference_q20 == wc);
    }
    advance_hop(&f, 0, 10000, 300000, 0);
    CHECK_EQ(ack(&f, 300), ROCECC_HPCC_STARTED);
    CHECK_EQ(f.s.update_seq, 400);
}

/* H-21: a Fast CNP of two of three hops, with a U of 2, reduces W. It changes neither
 * Wc, the round nor L. */
TEST(H_21_a_fast_cnp_of_part_of_the_path_reduces_w)
{
    flow f = start_usual_flow(3);
    const flow before = f;
    rocecc_hpcc_action act;
    f.s.stage = 2;
    advance_hop(&f, 0, 10000, 20000, 0);
    advance_hop(&f, 1, 10000, 200000, 0);
    advance_hop(&f, 2, 10000, 900000, 0);
    f.r.n_hops = 2;
    f.r.seq = 5000;
    f.r.now_ns = 9;
    act = rocecc_hpcc_fastcnp(&f.p, &f.s, f.l, report(&f));
    CHECK_EQ(act.verdict, ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.u_q32, 2 * ONE, 16);
    CHECK_NEAR(act.window_bytes, 47600, 1);
    CHECK(f.s.reference_q20 == (uint64_t)100000 << 20 && f.s.stage == 2);
    CHECK(f.s.update_seq == 100 && f.s.hops == 3 && f.s.changed_ns == 0);
    CHECK(f.s.flags == before.s.flags);
    CHECK(memcmp(before.l, f.l, sizeof f.l) == 0); /* L is from the last measured ACK */
}

TEST(H_22_a_fast_cnp_of_other_hops_changes_nothing)
{
    flow f = start_usual_flow(3);
    rocecc_hpcc before;
    uint32_t n;
    advance_hop(&f, 0, 10000, 200000, 0);
    before = f.s;
    for (n = 0; n < 3; n++) {
        f.r.n_hops = n == 0 ? 0 : n == 1 ? 4 : UINT32_MAX;
        CHECK_EQ(rocecc_hpcc_fastcnp(&f.p, &f.s, f.l, report(&f)).verdict,
                 ROCECC_HPCC_IGNORED);
    }
    f.r.n_hops = 2;
    f.hops[1].id = 7;
    CHECK_EQ(rocecc_hpcc_fastcnp(&f.p, &f.s, f.l, report(&f)).verdict,
             ROCECC_HPCC_IGNORED);
    f.hops[1].id = 101;
    f.hops[0].ts_ns = 0; /* a clock that stands for T/8 (H-2) */
    f.r.now_ns = 1250;
    CHECK_EQ(rocecc_hpcc_fastcnp(&f.p, &f.s, f.l, report(&f)).verdict,
             ROCECC_HPCC_IGNORED);
    CHECK(memcmp(&before, &f.s, sizeof before) == 0);
    rocecc_hpcc_forget(&f.p, &f.s);
    f.hops[0].ts_ns = 10000;
    f.r.n_hops = 1;
    CHECK_EQ(rocecc_hpcc_fastcnp(&f.p, &f.s, f.l, report(&f)).verdict,
             ROCECC_HPCC_IGNORED);
    CHECK_EQ(f.s.hops, 0);
}

/* If max_hops is now below the number of hops, none is read, and nothing changes. */
TEST(H_22_more_hops_than_max_hops_are_not_read)
{
    flow f = start_usual_flow(3);
    rocecc_hpcc before;
    advance_hop(&f, 0, 10000, 200000, 0);
    before = f.s;
    f.p.max_hops = 2;
    f.r.n_hops = 3;
    CHECK_EQ(rocecc_hpcc_fastcnp(&f.p, &f.s, f.l, report(&f)).verdict,
             ROCECC_HPCC_IGNORED);
    CHECK(memcmp(&before, &f.s, sizeof before) == 0);
}

/* The first hop's counter is a byte behind L. The whole Fast CNP is old and changes
 * nothing, but its mark is noted (H-22). */
TEST(H_21_H_32_a_late_fast_cnp_only_notes_its_mark)
{
    flow f = start_usual_flow(2);
    flow before;
    rocecc_hpcc_action act;
    advance_hop(&f, 0, 10000, 100000, 0);
    advance_hop(&f, 1, 10000, 100000, 0);
    act = rocecc_hpcc_ack(&f.p, &f.s, f.l, report(&f));
    CHECK(act.verdict >= ROCECC_HPCC_REACTED);
    advance_hop(&f, 0, 10000, UINT64_MAX, 0);
    advance_hop(&f, 1, 10000, 200000, 0);
    before = f;
    act = rocecc_hpcc_fastcnp(&f.p, &f.s, f.l, report(&f));
    CHECK(act.verdict == ROCECC_HPCC_IGNORED && act.missed == 0);
    CHECK(memcmp(&before.s, &f.s, sizeof f.s) == 0);
    CHECK(memcmp(before.l, f.l, sizeof f.l) == 0);
    f.r.ecn = ROCECC_HPCC_ECN_MARKED;
    act = rocecc_hpcc_fastcnp(&f.p, &f.s, f.l, report(&f));
    CHECK(act.verdict == ROCECC_HPCC_IGNORED && act.missed == 0);
    CHECK_EQ(f.s.flags, before.s.flags | ROCECC_HPCC_MARKED);
}

/* A jump of 3 B * T in one T exceeds the limit of 9/8 + 1. Of two jumps in a row, the
 * second counts as exactly 9/8. */
TEST(H_33_the_second_jump_in_a_row_counts_as_9_8)
{
    int lacking;
    for (lacking = 0; lacking < 2; lacking++) {
        rocecc_hpcc_params p = plain_params();
        flow f;
        int i;
        p.base_rtt_ns = 8192;
        f = start_flow(&p, 1);
        f.hops[0].rate_bps = 64 * G; /* B * T is 65,536 bytes */
        if (lacking) f.hops[0].valid &= 0xff ^ ROCECC_HOP_QUEUE;
        test_context("lacking %d", lacking);
        for (i = 0; i < 2; i++) {
            CHECK_EQ(u_of(&f, 8192, 32768, 0), ONE / 2);
            advance_hop(&f, 0, 8192, 3 * 65536,
                        0); /* not in a row with the jump before */
            CHECK_EQ(ack(&f, 1), ROCECC_HPCC_BLIND);
            CHECK_EQ(f.s.u_q32, ONE / 2);
        }
        CHECK_EQ(u_of(&f, 8192, 3 * 65536, 0), ONE + ONE / 8);
    }
}

static rocecc_hpcc_action sampled(flow *f, uint8_t signal, uint32_t value,
                                  uint32_t now_ns)
{
    rocecc_hpcc_csig_event e = {0, 0, 50, 150, 0, 0};
    e.signal = signal;
    e.value = value;
    e.now_ns = now_ns;
    return rocecc_hpcc_csig_ack(&f->p, &f->s, &e);
}

/* Returns a flow with CSIG. Its clock starts at 0, and lastUpdateSeq is 150. */
static flow csig(const rocecc_hpcc_params *p)
{
    flow f;
    memset(&f, 0, sizeof f);
    f.p = *p;
    CHECK_EQ(rocecc_hpcc_init(&f.p), ROCECC_HPCC_ACCEPTED);
    f.s = rocecc_hpcc_start(&f.p);
    CHECK_EQ(sampled(&f, ROCECC_HPCC_UTILISATION, 7, 0).verdict, ROCECC_HPCC_STARTED);
    return f;
}

TEST(H_23_a_csig_utilisation_sets_u)
{
    const rocecc_hpcc_params p = plain_params();
    flow f = csig(&p);
    CHECK_EQ(sampled(&f, ROCECC_HPCC_UTILISATION, 1 << 19, 10000).verdict,
             ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.u_q32, ONE / 2, 1);
    (void)sampled(&f, ROCECC_HPCC_UTILISATION, 0, 20000); /* 0 is a valid value */
    CHECK_EQ(f.s.u_q32, 0);
    CHECK_EQ(sampled(&f, 0, 5, 40000).verdict, ROCECC_HPCC_BLIND);
    CHECK_EQ(sampled(&f, 4, 5, 40000).verdict, ROCECC_HPCC_BLIND);
    CHECK_EQ(f.s.changed_ns, 20000);
}

TEST(H_24_a_csig_delay_sets_u)
{
    rocecc_hpcc_params p = plain_params();
    flow f;
    p.pd_base_ns = 1000;
    f = csig(&p);
    (void)sampled(&f, ROCECC_HPCC_DRAIN, 5000, 10000);
    CHECK_NEAR(f.s.u_q32, ONE * 3 / 2, 4);
    (void)sampled(&f, ROCECC_HPCC_DELAY, 5000, 20000);
    CHECK_NEAR(f.s.u_q32, ONE * 14 / 10, 4);
    CHECK_EQ(sampled(&f, ROCECC_HPCC_DELAY, 1000, 30000).verdict, ROCECC_HPCC_IGNORED);
    CHECK_EQ(sampled(&f, ROCECC_HPCC_DELAY, 5, 30000).verdict, ROCECC_HPCC_IGNORED);
    (void)sampled(&f, ROCECC_HPCC_DRAIN, 1, 30000);
    CHECK_NEAR(f.s.u_q32, ONE + ONE / 10000, 4);
    (void)sampled(&f, ROCECC_HPCC_DRAIN, 40950001, 40000);
    CHECK_EQ(f.s.u_q32, ((uint64_t)1 << 44) - 1);
}

TEST(H_25_a_csig_delay_of_0_changes_nothing)
{
    const rocecc_hpcc_params p = plain_params();
    flow f = csig(&p);
    rocecc_hpcc before;
    rocecc_hpcc_action act;
    before = f.s;
    act = sampled(&f, ROCECC_HPCC_DRAIN, 0, 5000);
    CHECK(act.verdict == ROCECC_HPCC_IGNORED && act.request == ROCECC_HPCC_UTILISATION);
    CHECK(memcmp(&before, &f.s, sizeof before) == 0);
}

TEST(H_26_the_host_clock_times_csig_samples)
{
    const rocecc_hpcc_params p = plain_params();
    flow f = csig(&p);
    CHECK(f.s.u_q32 == ONE && f.s.update_seq == 150 && f.s.hops == 1);
    CHECK_EQ(sampled(&f, ROCECC_HPCC_UTILISATION, 1 << 19, 0).verdict,
             ROCECC_HPCC_IGNORED);
    (void)sampled(&f, ROCECC_HPCC_UTILISATION, 1 << 19, 5000);
    CHECK_NEAR(f.s.u_q32, ONE * 3 / 4, 2);
    (void)sampled(&f, ROCECC_HPCC_UTILISATION, 1 << 19, 4000000000u); /* counts as T */
    CHECK_NEAR(f.s.u_q32, ONE / 2, 2);
    rocecc_hpcc_forget(&f.p, &f.s);
    f.s.update_seq = 1;
    CHECK_EQ(sampled(&f, ROCECC_HPCC_DELAY, 0, 9).verdict, ROCECC_HPCC_STARTED);
    CHECK(f.s.update_seq == 150 && f.s.changed_ns == 9 && f.s.u_q32 == ONE);
}

TEST(H_27_csig_requests_the_delay_from_eta_on)
{
    const rocecc_hpcc_params p = plain_params();
    flow f = csig(&p);
    CHECK_EQ(sampled(&f, ROCECC_HPCC_UTILISATION, p.eta_q20, 10000).request,
             ROCECC_HPCC_DELAY);
    CHECK_EQ(sampled(&f, ROCECC_HPCC_UTILISATION, p.eta_q20 - 1, 20000).request,
             ROCECC_HPCC_UTILISATION);
    CHECK_EQ(sampled(&f, ROCECC_HPCC_DRAIN, 1, 30000).request, ROCECC_HPCC_DELAY);
    CHECK_EQ(sampled(&f, ROCECC_HPCC_DELAY, 0, 40000).request, ROCECC_HPCC_UTILISATION);
    CHECK_EQ(sampled(&f, ROCECC_HPCC_UTILISATION, 5, 30000).request, /* tau is 0 */
             ROCECC_HPCC_DELAY);
}

TEST(H_28_the_largest_values_do_not_wrap)
{
    rocecc_hpcc_params p = plain_params();
    flow f;
    p.queue_max_bytes = UINT32_MAX;
    f = start_flow(&p, 1);
    advance_hop(&f, 0, 1, 0, UINT32_MAX);
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    f.hops[0].rate_bps = 409600000; /* 2^32 bytes are 2^23 B * T */
    CHECK_NEAR(u_of(&f, 10000, 0, UINT32_MAX), ROCECC_HPCC_U_MAX_Q32, 4096);
    f.hops[0].rate_bps = 8000 * G; /* 2^40 bytes in 10^9 ns are 1.0995 B */
    CHECK_NEAR(u_of(&f, 1000000000, (uint64_t)1 << 63, 0), 4722366483, 10000);
    f.hops[0].rate_bps = 409600000;
    f.hops[0].valid |= ROCECC_HOP_UTIL;
    f.hops[0].util_q20 = UINT32_MAX; /* at most 9/8 (H-34) */
    CHECK_NEAR(u_of(&f, 10000, 0, UINT32_MAX), ONE * 9 / 8, 16);
    CHECK_NEAR(u_of(&f, 10000, 0, UINT32_MAX), ROCECC_HPCC_U_MAX_Q32, 4096);
    /* With the least T, records are 10^6 T apart, with both terms at the maximum. */
    p.base_rtt_ns = 1000;
    p.w_init_bytes = p.w_max_bytes = p.w_blind_bytes = 1000;
    p.w_ai_q8 = 0;
    f = start_flow(&p, 1);
    f.hops[0].rate_bps = UINT64_C(4096000000);
    advance_hop(&f, 0, 1, 0, UINT32_MAX);
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    advance_hop(&f, 0, 1000000000, 576000000,
                UINT32_MAX); /* 9/8 of the link's bytes, no jump */
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    CHECK_EQ(f.s.u_q32, ROCECC_HPCC_U_MAX_Q32); /* without a wrap */
}

/* H-29: a new id, or one that is now reported or no longer reported, starts the path.
 * An unreported id is not compared. */
TEST(H_29_a_reported_id_identifies_the_hop)
{
    flow f = start_usual_flow(2);
    advance_hop(&f, 0, 40001, 1000, 0);      /* beyond reorder, so not H-42 */
    f.hops[1].valid &= 0xff ^ ROCECC_HOP_ID; /* no longer reported */
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_STARTED);
    advance_hop(&f, 0, 10000, 1000, 0);
    advance_hop(&f, 1, 10000, 1000, 0);
    f.hops[1].id = 7; /* not reported */
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_REACTED);
    f.hops[1].valid |= ROCECC_HOP_ID;
    f.hops[1].id = 0; /* reported, unlike no id */
    f.r.now_ns += 40001;
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_STARTED);
    f.hops[1].id = (uint64_t)1 << 63;
    f.r.now_ns += 40001;
    CHECK_EQ(ack(&f, 1), ROCECC_HPCC_STARTED);
}

/* Products use both halves of the factors, and the carry between them. */
TEST(hpcc_mul_q32_carries_between_its_halves)
{
    uint64_t random = 3;
    int i;
    for (i = 0; i < 10000; i++) {
        const uint64_t a = (uint64_t)test_random(&random) << 12 | 0xfff;
        const uint64_t b = test_random(&random) >> (i & 15);
        /* The product small * b fits in 64 bits. */
        const uint64_t small = a >> 20;
        CHECK_EQ(rocecc_hpcc_mul_q32_(small, b), (small * b + 0x80000000u) >> 32);
        CHECK_EQ(rocecc_hpcc_mul_q32_(a, (uint64_t)b << 8) >> 8,
                 (rocecc_hpcc_mul_q32_(a << 8, b)) >> 8);
        CHECK_EQ(rocecc_hpcc_mul_q32_(a, ONE), a);
        CHECK_EQ(rocecc_hpcc_mul_q32_(ONE, b << 32 | b), b << 32 | b);
    }
}

/*
 * n flows like this one share the link, and n changes. After the first ACK for a whole
 * T, their windows are eta * B * T again, plus W_AI each.
 */
TEST(hpcc_windows_settle_in_one_round)
{
    static const uint32_t flows[] = {1, 2, 16, 3, 1, 60, 1};
    rocecc_hpcc_params p = plain_params();
    uint32_t seq = 101;
    size_t i;
    flow f;
    p.max_stage = 0;
    f = start_flow(&p, 2);
    for (i = 0; i < sizeof flows / sizeof flows[0]; i++) {
        const uint64_t n = flows[i], w = f.s.window_q20 >> 20;
        /* The queue gets the bytes that the link cannot send in T. */
        const uint32_t queue = (uint32_t)(n * w > 100000 ? n * w - 100000 : 0);
        f.l[0].queue_bytes = queue;
        advance_hop(&f, 0, 10000, n * w - queue, queue);
        advance_hop(&f, 1, 10000, (n * w - queue) / 2, 0);
        CHECK_EQ(ack(&f, seq), ROCECC_HPCC_UPDATED);
        seq += 101;
        test_context("%zu: %llu", i, (unsigned long long)(f.s.window_q20 >> 20));
        CHECK_NEAR(n * (f.s.window_q20 >> 20), 95000 + n * 100, n + 40);
    }
}

#define PACKETS 4096 /* capacity of the queue, and of the path */
#define FLOWS 2

typedef struct packet {
    uint32_t flow, seq;
    uint64_t at_ns, ts_ns, tx_bytes;
    uint32_t queue_bytes;
} packet;

/*
 * Runs n flows over one link of 100 Gb/s, with packets of 1,000 bytes, an RTT of 8.4 us
 * and a W_AI of 80 bytes. The link sends at most one packet per step of 80 ns. Returns
 * how long the link is busy in the second half (in 1/1000), and the length that its
 * queue is below for 99 % of it.
 */
static void loop(uint32_t n, uint32_t *busy, uint32_t *p99_bytes)
{
    static packet queue[PACKETS], back[PACKETS];
    static uint32_t depths[PACKETS];
    const uint32_t steps = 25000, rtt_ns = 8400;
    rocecc_hpcc_params p = rocecc_hpcc_paper(100 * G);
    rocecc_hpcc s[FLOWS];
    rocecc_hpcc_hop l[FLOWS];
    uint32_t sent[FLOWS] = {0, 0}, acked[FLOWS] = {0, 0}, i, k;
    uint64_t next_ns[FLOWS] = {0, 0}, rate[FLOWS], window[FLOWS], tx = 0, now;
    uint32_t head = 0, tail = 0, first = 0, last = 0, used = 0, above = 0;
    memset(depths, 0, sizeof depths);
    p.base_rtt_ns = rtt_ns;
    p.w_init_bytes = p.w_max_bytes = 105000;
    p.w_ai_q8 = 80 << 8;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    for (k = 0; k < n; k++) {
        s[k] = rocecc_hpcc_start(&p);
        window[k] = p.w_init_bytes;
        rate[k] = 100 * G;
    }
    for (i = 0; i < steps; i++) {
        now = (uint64_t)i * 80;
        while (first != last && back[first % PACKETS].at_ns <= now) {
            const packet *b = &back[first++ % PACKETS];
            rocecc_hop h = {1, 100 * G, 0, 0, 0, 0, 31};
            rocecc_hpcc_event r = {NULL, 1, 0, 0, 0, 0, false};
            rocecc_hpcc_action act;
            r.now_ns = now;
            h.ts_ns = b->ts_ns;
            h.tx_bytes = b->tx_bytes;
            h.queue_bytes = b->queue_bytes;
            r.hops = &h;
            acked[b->flow]++;
            r.seq = b->seq;
            r.snd_nxt = sent[b->flow];
            act = rocecc_hpcc_ack(&p, &s[b->flow], &l[b->flow], &r);
            window[b->flow] = act.window_bytes;
            rate[b->flow] = act.rate_bps;
        }
        for (k = 0; k < n; k++) {
            const uint32_t f = (k + i) % n;
            while ((sent[f] - acked[f]) * 1000 < window[f] && next_ns[f] <= now) {
                packet *q = &queue[tail++ % PACKETS];
                q->flow = f;
                q->seq = sent[f]++;
                next_ns[f] =
                    rocecc_max(next_ns[f] + 8000 * G / rate[f], i > 0 ? now - 80 : 0);
            }
        }
        if (head != tail) {
            packet *b = &back[last++ % PACKETS];
            *b = queue[head++ % PACKETS];
            tx += 1000;
            b->ts_ns = now;
            b->tx_bytes = tx;
            b->queue_bytes = (tail - head) * 1000;
            b->at_ns = now + rtt_ns;
            if (i >= steps / 2) used++;
        }
        if (i >= steps / 2) depths[tail - head]++;
    }
    *busy = used * 1000 / (steps / 2);
    for (i = PACKETS; i > 0 && above <= steps / 200; i--)
        above += depths[i - 1];
    *p99_bytes = i * 1000;
}

TEST(hpcc_closed_loop_keeps_eta_and_a_short_queue)
{
    uint32_t n;
    for (n = 1; n <= FLOWS; n++) {
        uint32_t busy, p99_bytes;
        test_context("%u flows", (unsigned)n);
        loop(n, &busy, &p99_bytes);
        CHECK(busy >= 940 && busy <= 980);
        CHECK(p99_bytes < 15000);
    }
}

TEST(hpcc_traces)
{
    static const trace_tolerance t[] = {{"window_q20", 2e-6, 4},
                                        {"reference_q20", 2e-6, 4},
                                        {"u_q32", 1e-6, 20000},
                                        {"rate_bps", 2e-6, 1},
                                        {"window_bytes", 2e-6, 1}};
    trace_check("hpcc", t, sizeof t / sizeof t[0]);
    trace_check("hpcc-csig", t, sizeof t / sizeof t[0]);
}

TEST(hpcc_law)
{
    law_random(law_hpcc, 20000);
    law_random(law_hpcc_csig, 20000);
}

/*
 * H-32: with T 8192 ns at 64 Gb/s, B * T is 65,536 bytes, and the link sends 262,144 in
 * reorder, 4 T. A counter that is 9/8 of these + B * T, 360,448 bytes, behind L is old,
 * up to an age of reorder and with any time stamp. With a byte or a ns more, it is
 * another counter, and the hop becomes L.
 */
TEST(H_32_a_report_is_late_to_the_byte_and_to_the_ns)
{
    static const uint8_t valid[2] = {31, 31 ^ ROCECC_HOP_QUEUE};
    int i;
    for (i = 0; i < 16; i++) {
        const uint64_t behind = 360448 + (uint64_t)(i & 1);
        const uint64_t age_ns = 32768 + (uint64_t)(i >> 1 & 1);
        const uint64_t ts_ns = i & 4 ? 100000 + age_ns : 100000 - age_ns;
        const bool late = behind == 360448 && age_ns == 32768;
        rocecc_hpcc_params p = rocecc_hpcc_paper(UINT64_C(64000000000));
        rocecc_hpcc_hop l[ROCECC_HPCC_HOPS_MAX];
        rocecc_hpcc_event r = ROCECC_ZERO;
        rocecc_hop h = ROCECC_ZERO;
        rocecc_hpcc_action act;
        rocecc_hpcc s, before;
        p.base_rtt_ns = 8192;
        p.reorder_ns = 32768;
        p.w_init_bytes = p.w_max_bytes = 65536;
        CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
        s = rocecc_hpcc_start(&p);
        memset(l, 0, sizeof l);
        h.rate_bps = UINT64_C(64000000000);
        h.valid = valid[i >> 3];
        h.ts_ns = 100000;
        h.tx_bytes = 400000;
        r.hops = &h;
        r.n_hops = 1;
        r.now_ns = 1000;
        CHECK_EQ(rocecc_hpcc_ack(&p, &s, l, &r).verdict, ROCECC_HPCC_STARTED);
        before = s;
        h.ts_ns = ts_ns;
        h.tx_bytes -= behind;
        r.now_ns += age_ns;
        test_context("case %d", i);
        act = rocecc_hpcc_ack(&p, &s, l, &r);
        CHECK_EQ(act.verdict, late ? ROCECC_HPCC_IGNORED : ROCECC_HPCC_BLIND);
        CHECK_EQ(act.missed, late ? 0 : 1);
        CHECK_EQ(l[0].ts_ns, late ? 100000 : ts_ns);
        CHECK_EQ(l[0].tx_bytes, late ? 400000 : 400000 - behind);
        CHECK_EQ(l[0].ahead_ns, 0);
        if (late) CHECK(memcmp(&before, &s, sizeof s) == 0);
    }
}

/*
 * H-2, H-28: a hop with an unusable link rate in all records is not measured. U stays
 * U_init, and the round is blind, with any initial bits in L.
 */
TEST(H_02_H_28_an_unusable_rate_of_a_fresh_hop_is_missed)
{
    static const uint64_t rates[] = {0, 1, 2047, 2048, 409599999};
    size_t i;
    for (i = 0; i < 2 * (sizeof rates / sizeof rates[0]); i++) {
        rocecc_hpcc_params p = rocecc_hpcc_paper(UINT64_C(80000000000));
        rocecc_hpcc_hop l[ROCECC_HPCC_HOPS_MAX];
        rocecc_hpcc_event r = ROCECC_ZERO;
        rocecc_hop h = ROCECC_ZERO;
        rocecc_hpcc_action act;
        rocecc_hpcc s;
        p.base_rtt_ns = 10000;
        CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
        CHECK_EQ(p.min_bps, 409600000);
        s = rocecc_hpcc_start(&p);
        memset(l, i % 2 ? 0xa5 : 0, sizeof l);
        h.id = 5;
        h.rate_bps = rates[i / 2];
        h.queue_bytes = 100000;
        h.valid = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE | ROCECC_HOP_TX |
                  ROCECC_HOP_TS;
        r.hops = &h;
        r.n_hops = 1;
        h.ts_ns = 1000;
        r.now_ns = 2000;
        CHECK_EQ(rocecc_hpcc_ack(&p, &s, l, &r).verdict, ROCECC_HPCC_STARTED);
        h.ts_ns = 6000;
        h.tx_bytes = i % 2 ? 0 : 50000;
        r.now_ns = 7000;
        r.seq = 100;
        r.snd_nxt = 200;
        test_context("%llu bit/s", (unsigned long long)rates[i / 2]);
        act = rocecc_hpcc_ack(&p, &s, l, &r);
        CHECK_EQ(act.verdict, ROCECC_HPCC_BLIND);
        CHECK_EQ(act.missed, 1);
        CHECK_EQ(s.u_q32, UINT64_C(1) << 32);
    }
}

/*
 * Returns the verdict on a Fast CNP, `ns` after a report at from_ns with the same hops
 * and their utilisations. dt_max is 50 us, and max_hops 5.
 */
static uint8_t fastcnp_from(uint64_t from_ns, uint64_t ns, uint32_t n_hops)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(UINT64_C(100000000000));
    rocecc_hpcc_hop l[5];
    rocecc_hop hops[5];
    rocecc_hpcc_event r;
    rocecc_hpcc s;
    uint32_t i;
    memset(l, 0xa5, sizeof l);
    memset(hops, 0, sizeof hops);
    memset(&r, 0, sizeof r);
    p.dt_max_ns = 50000;
    p.reorder_ns = 50000;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    CHECK_EQ(p.max_hops, 5);
    s = rocecc_hpcc_start(&p);
    for (i = 0; i < 5; i++) {
        hops[i].id = i + 1;
        hops[i].util_q20 = ROCECC_ONE_Q20 / 2;
        hops[i].valid = ROCECC_HOP_ID | ROCECC_HOP_UTIL;
    }
    r.hops = hops;
    r.n_hops = n_hops;
    r.now_ns = from_ns;
    CHECK_EQ(rocecc_hpcc_ack(&p, &s, l, &r).verdict, ROCECC_HPCC_STARTED);
    r.now_ns = from_ns + ns;
    return rocecc_hpcc_fastcnp(&p, &s, l, &r).verdict;
}

static uint8_t fastcnp_after(uint64_t ns, uint32_t n_hops)
{
    return fastcnp_from(0, ns, n_hops);
}

/* A Fast CNP of 1 to max_hops hops is measured. */
TEST(H_21_a_fast_cnp_of_1_to_max_hops_is_measured)
{
    uint32_t n;
    for (n = 1; n <= 5; n++)
        CHECK_EQ(fastcnp_after(13000, n), ROCECC_HPCC_REACTED);
}

/* A Fast CNP counts after a silence of dt_max, but not after a longer one. */
TEST(H_22_a_fast_cnp_counts_up_to_dt_max_after_the_last_ack)
{
    CHECK_EQ(fastcnp_after(50000, 2), ROCECC_HPCC_REACTED);
    CHECK_EQ(fastcnp_after(50001, 2), ROCECC_HPCC_IGNORED);
    /* The time of the report has no effect, even if the clock wraps. */
    CHECK_EQ(fastcnp_from(UINT64_C(86400000000000), 50000, 2), ROCECC_HPCC_REACTED);
    CHECK_EQ(fastcnp_from(UINT64_C(86400000000000), 50001, 2), ROCECC_HPCC_IGNORED);
    CHECK_EQ(fastcnp_from(UINT64_MAX - 9, 50000, 2), ROCECC_HPCC_REACTED);
    CHECK_EQ(fastcnp_from(UINT64_MAX - 9, 50001, 2), ROCECC_HPCC_IGNORED);
}

#define ALL                                                                            \
    (ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE | ROCECC_HOP_TX | ROCECC_HOP_TS)

/* A flow of HPCC, and its last report. */
typedef struct path {
    rocecc_hpcc_params p;
    rocecc_hpcc s;
    rocecc_hpcc_hop l[ROCECC_HPCC_HOPS_MAX];
    rocecc_hop hops[ROCECC_HPCC_HOPS_MAX];
    rocecc_hpcc_event r;
} path;

static rocecc_hpcc_action ack_up_to(path *f, uint32_t seq, uint32_t snd_nxt)
{
    f->r.hops = f->hops;
    f->r.seq = seq;
    f->r.snd_nxt = snd_nxt;
    return rocecc_hpcc_ack(&f->p, &f->s, f->l, &f->r);
}

/* Returns a flow after a report of n hops with these items. lastUpdateSeq is 100. */
static path start_path(const rocecc_hpcc_params *p, uint32_t n, uint8_t valid)
{
    path f;
    uint32_t i;
    memset(&f, 0, sizeof f);
    f.p = *p;
    CHECK_EQ(rocecc_hpcc_init(&f.p), ROCECC_HPCC_ACCEPTED);
    f.s = rocecc_hpcc_start(&f.p);
    f.r.n_hops = n;
    for (i = 0; i < n; i++) {
        f.hops[i].id = i;
        f.hops[i].rate_bps = 80 * G;
        f.hops[i].valid = valid;
    }
    CHECK_EQ(ack_up_to(&f, 0, 100).verdict, ROCECC_HPCC_STARTED);
    return f;
}

/* Advances a hop by dt and bytes. */
static void advance_by(rocecc_hop *h, uint64_t dt, uint64_t bytes)
{
    h->ts_ns += dt;
    h->tx_bytes += bytes;
}

/* H-16: 16 hops are accepted, and the last hop counts like the others. */
TEST(H_16_a_path_of_16_hops_is_measured)
{
    rocecc_hpcc_params p = plain_params();
    rocecc_hpcc_action act;
    uint32_t i;
    path f;
    p.max_hops = ROCECC_HPCC_HOPS_MAX;
    f = start_path(&p, 16, ALL);
    CHECK_EQ(f.s.hops, 16);
    for (i = 0; i < 16; i++)
        advance_by(&f.hops[i], 10000, i == 15 ? 75000 : 25000);
    f.r.now_ns += 10000;
    act = ack_up_to(&f, 1, 101);
    CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 0);
    CHECK(near(f.s.u_q32, ONE * 3 / 4, 16));
    f.hops[15].id = 77; /* another path (H-42) */
    f.r.now_ns += 10000;
    act = ack_up_to(&f, 1, 101);
    CHECK(act.verdict == ROCECC_HPCC_OTHER_PATH && act.missed == 16);
    f.r.now_ns += 30001; /* reorder + 1 ns after the last measured ACK */
    CHECK_EQ(ack_up_to(&f, 1, 101).verdict, ROCECC_HPCC_STARTED);
}

/*
 * H-29: a new id is another hop, even if it equals L's time stamp. A hop that no longer
 * reports items is another hop, even if L's id is 0.
 */
TEST(H_29_a_hop_of_another_id_starts_the_path_anew)
{
    const rocecc_hpcc_params p = plain_params();
    path f = start_path(&p, 1, ALL);
    CHECK_EQ(f.l[0].id, 0);
    advance_by(&f.hops[0], 10000, 50000);
    f.r.now_ns += 10000;
    CHECK_EQ(ack_up_to(&f, 1, 101).verdict, ROCECC_HPCC_REACTED);
    advance_by(&f.hops[0], 10000, 50000);
    f.hops[0].id = 10000;
    f.r.now_ns += 40001; /* beyond reorder, so H-42 does not apply */
    CHECK_EQ(ack_up_to(&f, 1, 101).verdict, ROCECC_HPCC_STARTED);
    f = start_path(&p, 1, ALL);
    f.hops[0].valid = 0;
    f.hops[0].id = 5; /* not reported, so L has 0 */
    f.r.now_ns += 40001;
    CHECK_EQ(ack_up_to(&f, 1, 101).verdict, ROCECC_HPCC_STARTED);
    CHECK_EQ(f.l[0].id, 0);
}

/*
 * H-29: ids are compared only with ids. A hop with a link rate equal to L's id is
 * another hop, and so is a hop without an id if L's id is 0.
 */
TEST(H_29_an_id_is_compared_only_with_ids)
{
    const rocecc_hpcc_params p = plain_params();
    path f = start_path(&p, 1, ALL);
    f.hops[0].id = f.hops[0].rate_bps;
    f.r.now_ns += 40001; /* beyond reorder, so H-42 does not apply */
    CHECK_EQ(ack_up_to(&f, 1, 101).verdict, ROCECC_HPCC_STARTED);
    advance_by(&f.hops[0], 10000, 50000);
    f.hops[0].id = 5;
    f.r.now_ns += 40001;
    CHECK_EQ(ack_up_to(&f, 1, 101).verdict, ROCECC_HPCC_STARTED);
    CHECK_EQ(f.l[0].id, 5);
    f = start_path(&p, 1, ALL);
    f.hops[0].valid = 0;
    f.r.now_ns += 40001;
    CHECK_EQ(ack_up_to(&f, 1, 101).verdict, ROCECC_HPCC_STARTED);
}

/*
 * H-21: a Fast CNP does not end a round. A marked one for half of the path does not
 * raise W, and does not halve W, as the end of a marked round would.
 */
TEST(H_21_a_marked_fast_cnp_does_not_end_a_round)
{
    const rocecc_hpcc_params p = plain_params();
    path f = start_path(&p, 2, ALL);
    rocecc_hpcc_action act;
    advance_by(&f.hops[0], 10000, 50000);
    advance_by(&f.hops[1], 10000, 50000);
    f.hops[1].rate_bps = 0; /* not measured (H-2) */
    f.r.now_ns += 10000;
    f.r.hops = f.hops;
    f.r.ecn = ROCECC_HPCC_ECN_MARKED;
    act = rocecc_hpcc_fastcnp(&f.p, &f.s, f.l, &f.r);
    CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 1);
    CHECK(near(f.s.u_q32, ONE / 2, 16));
    CHECK_EQ(act.window_bytes, 100000);
    CHECK(f.s.reference_q20 == UINT64_C(100000) << 20 && f.s.update_seq == 100);
    CHECK_EQ(f.s.blind, 1); /* from the first report; no whole report came since */
    CHECK_EQ(f.s.flags, ROCECC_HPCC_MARKED);
}

/* H-24: u of a delay is below 4096, by the last bit, for any delay. */
TEST(H_24_the_load_of_a_delay_is_below_4096)
{
    rocecc_hpcc_params p = plain_params();
    rocecc_hpcc_csig_event e;
    memset(&e, 0, sizeof e);
    p.base_rtt_ns = 1000;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    e.signal = ROCECC_HPCC_DRAIN;
    e.value = 4095000; /* 1 + 4095 */
    CHECK_EQ(rocecc_hpcc_csig_load_q32_(&p, &e), ((uint64_t)1 << 44) - 1);
    e.value = UINT32_MAX;
    CHECK_EQ(rocecc_hpcc_csig_load_q32_(&p, &e), ((uint64_t)1 << 44) - 1);
    e.signal = ROCECC_HPCC_UTILISATION; /* exactly 9/8 at most (H-34) */
    CHECK_EQ(rocecc_hpcc_csig_load_q32_(&p, &e), ONE * 9 / 8);
}

/*
 * H-8: a queue in only one of the two records counts, even with 2^32 - 1 bytes. With T
 * 2^17 ns at 64 Gb/s, B * T is 2^20 bytes, so U is (2^32 - 1) * 2^-20.
 */
TEST(H_08_a_queue_of_2_32_less_1_bytes_in_one_record_counts)
{
    int first;
    for (first = 0; first < 2; first++) {
        rocecc_hpcc_params p = plain_params();
        path f;
        p.base_rtt_ns = 1 << 17;
        p.queue_max_bytes = UINT32_MAX;
        f = start_path(&p, 1, first ? ALL & ~ROCECC_HOP_QUEUE : ALL);
        f.l[0].queue_bytes = first ? 5 : UINT32_MAX;
        f.hops[0].queue_bytes = first ? UINT32_MAX : 5;
        f.hops[0].valid = (uint8_t)(ALL ^ (first ? 0 : ROCECC_HOP_QUEUE));
        f.hops[0].rate_bps = 64 * G;
        advance_by(&f.hops[0], 1 << 17, 0);
        f.r.now_ns += 1 << 17;
        test_context("first %d", first);
        CHECK_EQ(ack_up_to(&f, 1, 101).verdict, ROCECC_HPCC_REACTED);
        CHECK_EQ(f.s.u_q32, ((uint64_t)UINT32_MAX << 32) >> 20);
    }
}

/*
 * H-33, H-36: a hop without a queue reports 3/2 B * T in T/10, above the limit of 9/8 *
 * T/10 + B * T. This jump is missed. By the other hop, U is 9/10 of its old value plus
 * 1/10 of a half.
 */
TEST(H_33_H_36_a_jump_without_a_queue_is_missed)
{
    const rocecc_hpcc_params p = plain_params();
    path f = start_path(&p, 2, ALL ^ ROCECC_HOP_QUEUE);
    rocecc_hpcc_action act;
    advance_by(&f.hops[0], 1000, 5000);
    advance_by(&f.hops[1], 1000, 150000);
    f.r.now_ns += 1000;
    act = ack_up_to(&f, 1, 101);
    CHECK(act.verdict == ROCECC_HPCC_REACTED && act.missed == 1);
    CHECK(near(f.s.u_q32, ONE * 95 / 100, 16));
}

/*
 * H-7, H-11: the host times a hop with a utilisation, so it needs no time stamp, even
 * with all other items. 0.5 of the link and a queue of B * T / 10 are 0.6.
 */
TEST(H_07_H_11_the_host_times_a_utilisation)
{
    const rocecc_hpcc_params p = plain_params();
    path f = start_path(&p, 1, (ALL ^ ROCECC_HOP_TS) | ROCECC_HOP_UTIL);
    f.l[0].queue_bytes = f.hops[0].queue_bytes = 10000;
    f.hops[0].util_q20 = 1 << 19;
    f.r.now_ns += 10000;
    CHECK_EQ(ack_up_to(&f, 1, 101).verdict, ROCECC_HPCC_REACTED);
    CHECK(near(f.s.u_q32, ONE * 6 / 10, 16));
}

/* H-11: with T of 10 ms, half of T by the host's clock counts as half of T. */
TEST(H_11_half_of_a_long_round_trip_is_half_of_T)
{
    rocecc_hpcc_params p = plain_params();
    path f;
    p.base_rtt_ns = 10000000;
    f = start_path(&p, 1, ROCECC_HOP_ID | ROCECC_HOP_UTIL);
    f.hops[0].util_q20 = 1 << 19;
    f.r.now_ns += 5000000;
    CHECK_EQ(ack_up_to(&f, 1, 101).verdict, ROCECC_HPCC_REACTED);
    CHECK(near(f.s.u_q32, ONE * 3 / 4, 16));
}

/*
 * H-37: relink raises W to the new W_min. It otherwise keeps W and Wc after a report,
 * even one at time 0 or with lastUpdateSeq 0.
 */
TEST(H_37_relink_raises_a_window_to_the_new_w_min)
{
    rocecc_hpcc_params p = plain_params(), faster;
    int begins;
    for (begins = 0; begins < 2; begins++) {
        path f = start_path(&p, 1, ALL);
        f.s = rocecc_hpcc_start(&f.p);
        f.r.now_ns = begins ? 0 : 5;
        CHECK_EQ(ack_up_to(&f, UINT32_MAX - 99, begins ? 5 : 0).verdict,
                 ROCECC_HPCC_STARTED);
        f.s.window_q20 = (uint64_t)4000 << 20;
        f.s.reference_q20 = (uint64_t)5000 << 20;
        faster = f.p;
        test_context("begins %d", begins);
        CHECK_EQ(rocecc_hpcc_relink(&faster, &f.s).window_bytes, 4000);
        CHECK_EQ(f.s.reference_q20, (uint64_t)5000 << 20);
        faster.w_min_bytes = 4500;
        CHECK_EQ(rocecc_hpcc_init(&faster), ROCECC_HPCC_ACCEPTED);
        CHECK_EQ(rocecc_hpcc_relink(&faster, &f.s).window_bytes, 4500);
        CHECK_EQ(f.s.reference_q20, (uint64_t)5000 << 20);
    }
}

/* H-26: after a clock step of -5 us, a CSIG sample counts for T, and is the last. */
TEST(H_26_a_host_clock_step_back_counts_as_T)
{
    const rocecc_hpcc_params p = plain_params();
    flow f = csig(&p);
    (void)sampled(&f, ROCECC_HPCC_UTILISATION, 1 << 19, 20000);
    CHECK_EQ(sampled(&f, ROCECC_HPCC_UTILISATION, 1 << 20, 15000).verdict,
             ROCECC_HPCC_REACTED);
    CHECK_NEAR(f.s.u_q32, ONE, 2);
    CHECK_EQ(f.s.changed_ns, 15000);
}

/* H-26, H-35: the first CSIG signal starts the clock, and its mark halves W. */
TEST(H_26_H_35_a_marked_first_signal_halves_the_window)
{
    rocecc_hpcc_params p = plain_params();
    rocecc_hpcc_csig_event e = {ROCECC_HPCC_UTILISATION, 7, 50, 150, 0,
                                ROCECC_HPCC_ECN_MARKED};
    rocecc_hpcc_action act;
    rocecc_hpcc s;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    s = rocecc_hpcc_start(&p);
    act = rocecc_hpcc_csig_ack(&p, &s, &e);
    CHECK(act.verdict == ROCECC_HPCC_STARTED && s.hops == 1);
    CHECK_EQ(act.window_bytes, 50000);
}

/* H-22: in a flow without records, as with CSIG, a Fast CNP only notes its mark. */
TEST(H_22_a_fast_cnp_without_hops_only_notes_its_mark)
{
    rocecc_hpcc_params p = plain_params();
    rocecc_hpcc_event e = {NULL, 0, 0, 0, 0, ROCECC_HPCC_ECN_MARKED, false};
    rocecc_hpcc_action act;
    rocecc_hpcc s;
    CHECK_EQ(rocecc_hpcc_init(&p), ROCECC_HPCC_ACCEPTED);
    s = rocecc_hpcc_start(&p);
    s.hops = 1;
    act = rocecc_hpcc_fastcnp(&p, &s, NULL, &e);
    CHECK(act.verdict == ROCECC_HPCC_IGNORED && act.window_bytes == 100000);
    CHECK_EQ(s.flags, ROCECC_HPCC_MARKED | ROCECC_HPCC_UNTOUCHED);
}

/* H-30: a report 1 ns before L by the host's clock is a silence, so the path starts. */
TEST(H_30_a_host_clock_step_back_starts_the_path_anew)
{
    flow f = start_usual_flow(1);
    CHECK(u_of(&f, 10000, 50000, 0) != ONE);
    advance_hop(&f, 0, 10000, 50000, 0);
    f.r.now_ns = f.s.changed_ns - 1;
    CHECK_EQ(ack(&f, 2), ROCECC_HPCC_STARTED);
    CHECK(f.s.u_q32 == ONE && f.s.changed_ns == f.r.now_ns);
}
