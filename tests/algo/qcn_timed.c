/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/qcn_timed.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

#define G UINT64_C(1000000000)
#define M UINT64_C(1000000)
#define MIDDLE ((uint32_t)1 << 31) /* a random number without jitter */
#define MS UINT64_C(1000000)       /* ns */

static rocecc_qcn_rp_params line(uint64_t bps)
{
    rocecc_qcn_rp_params p = rocecc_qcn_rp_qau(bps);
    CHECK_EQ(rocecc_qcn_rp_init(&p), ROCECC_QCN_RP_ACCEPTED);
    return p;
}

static rocecc_qcn_rp_action cnm_at(const rocecc_qcn_rp_params *p,
                                   rocecc_qcn_rp_timed *t, uint8_t qntz_fb,
                                   uint64_t now_ns)
{
    rocecc_qcn_rp_event e = {0, MIDDLE, 0, 0, 0};
    e.now_ns = now_ns;
    e.qntz_fb = qntz_fb;
    return rocecc_qcn_rp_timed_cnm(p, t, &e);
}

static rocecc_qcn_rp_action sent_at(const rocecc_qcn_rp_params *p,
                                    rocecc_qcn_rp_timed *t, uint32_t bytes,
                                    uint64_t now_ns)
{
    rocecc_qcn_rp_event e = {0, MIDDLE, 0, 0, 0};
    e.now_ns = now_ns;
    e.bytes = bytes;
    return rocecc_qcn_rp_timed_sent(p, t, &e);
}

static rocecc_qcn_rp_action poll_at(const rocecc_qcn_rp_params *p,
                                    rocecc_qcn_rp_timed *t, uint64_t now_ns)
{
    return rocecc_qcn_rp_timed_advance(p, t, 0, MIDDLE, now_ns);
}

/* When 400G becomes 100G, the first CNM of an idle flow cuts 100G, not 400G. */
TEST(RP_21_an_idle_flow_starts_at_the_new_line_rate)
{
    rocecc_qcn_rp_params p = line(400 * G);
    rocecc_qcn_rp s = rocecc_qcn_rp_start(&p);
    rocecc_qcn_rp_action act;
    p = line(100 * G);
    act = rocecc_qcn_rp_relink(&p, &s);
    CHECK_EQ(act.rate_bps, 100 * G);
    CHECK(!act.created && !act.cut && !act.released && act.timer_ns == 0);
    CHECK_EQ(s.rate_bps, 100 * G);
    CHECK_EQ(s.target_bps, 100 * G);
    act = rocecc_qcn_rp_cnm(&p, &s, 63, MIDDLE);
    CHECK(act.created);
    CHECK_EQ(act.rate_bps, 50781250000); /* 65/128 */
    p = line(400 * G);
    s = rocecc_qcn_rp_start(&p);
    s.rate_bps = s.target_bps = 100 * G;
    CHECK_EQ(rocecc_qcn_rp_relink(&p, &s).rate_bps, 400 * G); /* and back */
    CHECK_EQ(s.target_bps, 400 * G);
}

TEST(RP_21_an_active_flow_is_clamped_to_the_new_line)
{
    rocecc_qcn_rp_params p = line(400 * G);
    rocecc_qcn_rp s = rocecc_qcn_rp_start(&p), was;
    (void)rocecc_qcn_rp_cnm(&p, &s, 63, MIDDLE); /* C 203.125G, T 400G */
    s.byte_stage = 3;
    s.time_stage = 7;
    s.left_bytes = 77;
    s.state = ROCECC_QCN_ACTIVE_INCREASE;
    was = s;
    p = line(300 * G);
    CHECK_EQ(rocecc_qcn_rp_relink(&p, &s).rate_bps, 203125 * M);
    CHECK_EQ(s.rate_bps, 203125 * M);
    CHECK_EQ(s.target_bps, 300 * G);
    p = line(100 * G);
    CHECK_EQ(rocecc_qcn_rp_relink(&p, &s).rate_bps, 100 * G);
    CHECK_EQ(s.target_bps, 100 * G);
    CHECK(s.byte_stage == was.byte_stage && s.time_stage == was.time_stage);
    CHECK(s.left_bytes == was.left_bytes && s.state == was.state && s.enabled == 1);
    p = line(800 * G); /* at a faster line, it climbs from its old rate */
    CHECK_EQ(rocecc_qcn_rp_relink(&p, &s).rate_bps, 100 * G);
    CHECK_EQ(s.target_bps, 100 * G);
    p.min_bps = 200 * G;
    CHECK_EQ(rocecc_qcn_rp_init(&p), ROCECC_QCN_RP_ACCEPTED);
    CHECK_EQ(rocecc_qcn_rp_relink(&p, &s).rate_bps, 200 * G);
    CHECK_EQ(s.target_bps, 200 * G);
}

TEST(RP_22_only_a_limiter_runs_the_timer)
{
    const rocecc_qcn_rp_params p = line(10 * G);
    rocecc_qcn_rp_timed t = rocecc_qcn_rp_timed_start(&p, 5);
    rocecc_qcn_rp_action act;
    CHECK_EQ(t.last_ns, 5);
    CHECK_EQ(t.due_ns, 0);
    CHECK_EQ(t.flow.rate_bps, 10 * G);
    act = poll_at(&p, &t, UINT64_C(1) << 62);
    CHECK_EQ(act.rate_bps, 10 * G);
    CHECK(act.timer_ns == 0 && !act.released && !act.created && !act.cut);
    act = sent_at(&p, &t, 1000000, (UINT64_C(1) << 62) + 1);
    CHECK(act.timer_ns == 0 && !act.released);
    CHECK_EQ(t.last_ns, (UINT64_C(1) << 62) + 1);
}

/* The example of qcn_timed.h has 5 expiries at 15 ms and 6 at 7.5 ms. 4,921,875,000 /
 * 2^11 is the first gap of at most R_AI / 2 = 2,500,000. */
TEST(RP_22_a_late_call_handles_the_missed_expiries)
{
    const rocecc_qcn_rp_params p = line(10 * G);
    rocecc_qcn_rp_timed t = rocecc_qcn_rp_timed_start(&p, 0), late;
    rocecc_qcn_rp_action act = cnm_at(&p, &t, 63, 1000);
    CHECK(act.created && act.cut && act.timer_ns == 15 * MS);
    CHECK_EQ(act.rate_bps, 5078125000);
    late = t;
    act = poll_at(&p, &t, 1000 + 15 * MS - 1);
    CHECK(act.timer_ns == 1 && act.rate_bps == 5078125000);
    act = poll_at(&p, &t, 1000 + 15 * MS);
    CHECK(act.timer_ns == 15 * MS && act.rate_bps == 7539062500);
    act = poll_at(&p, &t, 1000 + 120 * MS - 1); /* 10 of 11, a ns before the last */
    CHECK(act.timer_ns == 1 && !act.released);
    CHECK_EQ(act.rate_bps, 10 * G - 4806519); /* 4,921,875,000 / 2^10, rounded up */
    CHECK_EQ(t.flow.time_stage, 10);
    act = poll_at(&p, &t, 1000 + 120 * MS);
    CHECK(act.released && act.timer_ns == 0 && act.rate_bps == 10 * G);
    act = poll_at(&p, &late, 1000 + 10000 * MS);
    CHECK(act.released && act.timer_ns == 0 && act.rate_bps == 10 * G);
    CHECK(late.flow.enabled == 0 && late.flow.time_stage == 0);
    act = cnm_at(&p, &late, 63, 20000 * MS);
    CHECK(act.created && !act.released);
}

/* If the late call is the event itself, the release comes first, then the CNM. */
TEST(RP_22_a_late_event_handles_expiries_first)
{
    const rocecc_qcn_rp_params p = line(10 * G);
    rocecc_qcn_rp_timed t = rocecc_qcn_rp_timed_start(&p, 0);
    rocecc_qcn_rp_action act = cnm_at(&p, &t, 63, 0);
    act = cnm_at(&p, &t, 63, 119 * MS); /* not yet; T stays without sent octets */
    CHECK(!act.released && !act.created && act.cut);
    CHECK_EQ(act.timer_ns, 15 * MS);
    t = rocecc_qcn_rp_timed_start(&p, 0);
    (void)cnm_at(&p, &t, 63, 0);
    act = cnm_at(&p, &t, 63, 120 * MS);
    CHECK(act.released && act.created && act.cut && act.rate_bps == 5078125000);
    CHECK_EQ(act.timer_ns, 15 * MS);
    act = sent_at(&p, &t, 150001, 130 * MS); /* ends a stage at 10 ms, with 5 ms left */
    CHECK(act.timer_ns == 5 * MS && act.rate_bps == 7539062500 && !act.released);
    act = sent_at(&p, &t, 100, 120 * MS + 10000 * MS);
    CHECK(act.released && act.timer_ns == 0 && t.flow.left_bytes == 0);
}

/* A climb in closed form adds R_AI per expiry, and T - C stays at R_AI. */
TEST(RP_22_a_climb_in_closed_form_adds_ai_per_expiry)
{
    rocecc_qcn_rp_params p = line(10 * G);
    rocecc_qcn_rp_timed t = rocecc_qcn_rp_timed_start(&p, 0);
    rocecc_qcn_rp_action act = cnm_at(&p, &t, 1, 0);
    t.flow.target_bps = t.flow.rate_bps = 1 * G;
    t.flow.time_stage = 255;
    t.due_ns = 7500000;
    act = poll_at(&p, &t, 1000 * UINT64_C(7500000));
    CHECK_EQ(t.flow.target_bps, 6 * G); /* 1000 times 5 Mb/s */
    CHECK_EQ(act.rate_bps, 6 * G - 5 * M);
    CHECK_EQ(act.timer_ns, 7500000);
    act = poll_at(&p, &t, 1800 * UINT64_C(7500000) - 1);
    CHECK_EQ(t.flow.target_bps, 10 * G - 5 * M);
    CHECK_EQ(act.timer_ns, 1);
    act =
        poll_at(&p, &t, 1800 * UINT64_C(7500000)); /* T = rpgMaxRate, C 5 Mb/s below */
    CHECK_EQ(act.released, false);                 /* above R_AI / 2, so no release */
    CHECK_EQ(t.flow.target_bps, 10 * G);
    act = poll_at(&p, &t, 1801 * UINT64_C(7500000));
    CHECK(act.released);
}

/* With hyper increase by less than R_AI / 2, the expiry that brings T to rpgMaxRate
 * releases the flow, after 9000 expiries of 1 Mb/s. */
TEST(RP_22_a_late_call_finds_the_release)
{
    rocecc_qcn_rp_params p = rocecc_qcn_rp_qau(10 * G);
    rocecc_qcn_rp_timed t, late;
    p.hai_bps = 1 * M;
    CHECK_EQ(rocecc_qcn_rp_init(&p), ROCECC_QCN_RP_ACCEPTED);
    t = rocecc_qcn_rp_timed_start(&p, 0);
    (void)cnm_at(&p, &t, 1, 0);
    t.flow.target_bps = 1 * G;
    t.flow.rate_bps = 999 * M;
    t.flow.byte_stage = 5;
    t.flow.time_stage = 255;
    t.due_ns = 7500000;
    late = t;
    CHECK(!poll_at(&p, &t, 9000 * UINT64_C(7500000) - 1).released);
    CHECK_EQ(t.flow.target_bps, 9999 * M);
    CHECK_EQ(t.flow.rate_bps, 9998 * M);
    CHECK(poll_at(&p, &t, 9000 * UINT64_C(7500000)).released);
    CHECK(poll_at(&p, &late, 9000 * UINT64_C(7500000)).released);
}

TEST(RP_22_a_frozen_flow_only_counts_expiries)
{
    rocecc_qcn_rp_params p = line(10 * G);
    rocecc_qcn_rp_timed t = rocecc_qcn_rp_timed_start(&p, 0);
    rocecc_qcn_rp_action act = cnm_at(&p, &t, 63, 0);
    act = rocecc_qcn_rp_timed_advance(&p, &t, ROCECC_QCN_FROZEN, 0, 60 * MS);
    CHECK(t.flow.time_stage == 4 && act.rate_bps == 5078125000);
    act = rocecc_qcn_rp_timed_advance(&p, &t, ROCECC_QCN_FROZEN, 0, INT64_MAX);
    CHECK(t.flow.time_stage == 255 && t.flow.state == ROCECC_QCN_ACTIVE_INCREASE);
    CHECK(act.rate_bps == 5078125000 && t.flow.target_bps == 10 * G && !act.released);
    /* The first 4 are over at 60 ms, the 5th is at 75 ms, and then one each 7.5 ms. */
    CHECK_EQ(act.timer_ns, 7500000 - ((uint64_t)INT64_MAX - 75 * MS) % 7500000);
}

/*
 * The next expiry changes the state to hyper increase (RP-14). This halves all later
 * periods (RP-10), so they are 15, 15, 7.5, 7.5, ... ms. PFC holds the flow, so the
 * count, T and C stay the same, and only the state shows that this expiry is different.
 */
TEST(RP_22_a_change_of_state_halves_the_later_periods)
{
    rocecc_qcn_rp_params p = rocecc_qcn_rp_ns3(10 * G);
    rocecc_qcn_rp_event e = {0, MIDDLE, 150001, 63, ROCECC_QCN_FROZEN};
    rocecc_qcn_rp_timed t;
    int i;
    CHECK_EQ(rocecc_qcn_rp_init(&p), ROCECC_QCN_RP_ACCEPTED);
    t = rocecc_qcn_rp_timed_start(&p, 0);
    (void)rocecc_qcn_rp_timed_cnm(&p, &t, &e);
    e.now_ns = 300 * 15 * MS;
    for (i = 0; i < 5; i++)
        CHECK_EQ(rocecc_qcn_rp_timed_sent(&p, &t, &e).timer_ns, 15 * MS);
    CHECK(t.flow.time_stage == 255 && t.flow.byte_stage == 5);
    CHECK_EQ(t.flow.state, ROCECC_QCN_ACTIVE_INCREASE);
    CHECK_EQ(rocecc_qcn_rp_timed_advance(&p, &t, e.host, MIDDLE, e.now_ns + 60 * MS + 1)
                 .timer_ns,
             7500000 - 1);
    CHECK_EQ(t.flow.state, ROCECC_QCN_HYPER_INCREASE);
}

/* A flow waits at rpgMaxRate for EMPTY through any gap, and is then released. */
TEST(RP_22_a_flow_waits_for_EMPTY_through_any_gap)
{
    rocecc_qcn_rp_params p = line(10 * G);
    rocecc_qcn_rp_timed t;
    p.release_needs_empty = 1;
    t = rocecc_qcn_rp_timed_start(&p, 0);
    (void)cnm_at(&p, &t, 63, 0);
    CHECK(!poll_at(&p, &t, INT64_MAX).released);
    CHECK_EQ(t.flow.rate_bps, 10 * G - 1); /* (T + C) / 2, rounded down, stops here */
    CHECK(rocecc_qcn_rp_timed_advance(&p, &t, ROCECC_QCN_EMPTY, 0,
                                      (uint64_t)INT64_MAX + 7500000)
              .released);
}

TEST(RP_23_a_clock_step_back_moves_the_deadline)
{
    const rocecc_qcn_rp_params p = line(10 * G);
    rocecc_qcn_rp_timed t = rocecc_qcn_rp_timed_start(&p, 1000 * MS);
    (void)cnm_at(&p, &t, 63, 1000 * MS);
    CHECK_EQ(poll_at(&p, &t, 1010 * MS).timer_ns, 5 * MS);
    CHECK_EQ(poll_at(&p, &t, 3 * MS).timer_ns,
             5 * MS); /* the same time is left as before */
    CHECK_EQ(poll_at(&p, &t, 3 * MS).timer_ns, 5 * MS);
    CHECK_EQ(t.flow.time_stage, 0);
    CHECK_EQ(poll_at(&p, &t, 8 * MS).rate_bps, 7539062500);
    CHECK_EQ(poll_at(&p, &t, 8 * MS - ((uint64_t)1 << 63)).timer_ns, 15 * MS);
    CHECK_EQ(t.flow.time_stage, 1);
}

/* For any state and any gap, ROCECC_QCN_RP_TIMED_EXPIRIES_MAX is enough. */
TEST(RP_22_the_expiries_in_a_call_are_bounded)
{
    uint64_t random = 22, rounds = test_rounds(30000);
    for (; rounds > 0; rounds--) {
        rocecc_qcn_rp_params p = rocecc_qcn_rp_qau(1);
        rocecc_qcn_rp_timed t;
        uint32_t at[6];
        size_t i;
        uint8_t host;
        for (i = 0; i < 6; i++)
            at[i] = test_random(&random);
        p.max_bps = (uint64_t)at[0] << (at[5] & 10) | 1000;
        p.ai_bps = rocecc_max(2, at[1] >> (at[5] >> 4 & 31));
        p.hai_bps = rocecc_max(1, at[2] >> (at[5] >> 9 & 31));
        p.time_reset_ns = 1000 + (at[5] >> 14 & 1);
        p.threshold = (uint8_t)at[3];
        p.release_needs_empty = at[3] >> 8 & 1;
        p.halve_in = at[3] >> 9 & 1;
        p.jitter = at[3] >> 10 & 1;
        host = at[3] >> 11 & 3;
        CHECK_EQ(rocecc_qcn_rp_init(&p), ROCECC_QCN_RP_ACCEPTED);
        t = rocecc_qcn_rp_timed_start(&p, 0);
        (void)cnm_at(&p, &t, 63, 0);
        t.flow.rate_bps = 1 + at[4] % p.max_bps;
        t.flow.target_bps = rocecc_max(t.flow.rate_bps, at[5] % p.max_bps);
        t.flow.byte_stage = (uint8_t)(at[3] >> 16);
        t.flow.time_stage = (at[3] >> 12 & 1) ? (uint8_t)(at[3] >> 24) : 0;
        (void)rocecc_qcn_rp_timed_advance(&p, &t, host, at[0], INT64_MAX);
        CHECK(t.flow.enabled == 0 || t.due_ns != 0);
        if ((host & ROCECC_QCN_FROZEN) == 0)
            CHECK(t.flow.enabled == 0 ||
                  (p.release_needs_empty && t.flow.target_bps == p.max_bps));
    }
}

/* By the formula of qcn_rp.h, recovery at 10 Gb/s takes 15 s, and not longer. */
TEST(qcn_recovery_at_10_gbps_takes_15_s)
{
    const rocecc_qcn_rp_params p = line(10 * G);
    rocecc_qcn_rp_timed t = rocecc_qcn_rp_timed_start(&p, 0);
    CHECK_EQ(law_qcn_recovery_ns(&p), 15105 * MS); /* 5 * 15 + (1999 + 5) * 7.5 ms */
    (void)cnm_at(&p, &t, 63, 0);
    t.flow.rate_bps = t.flow.target_bps = p.min_bps;
    CHECK(poll_at(&p, &t, 13000 * MS).rate_bps < 9 * G);
    CHECK(poll_at(&p, &t, 15105 * MS).rate_bps >= 9 * G);
}

/*
 * Found by fuzzing, with F 0, an odd P and R_AI above the line. A CNM leaves C at 4 %.
 * T is more than 10 times as high, and an eighth after the first expiry. The fifth, at
 * P + 4 floor(P / 2), is the first with 90 %, a ns after 6 floor(P / 2), and within 6
 * halves of P.
 */
TEST(qcn_recovery_with_an_odd_time_reset_is_in_time)
{
    rocecc_qcn_rp_params p = rocecc_qcn_rp_qau(1367082);
    rocecc_qcn_rp_timed t;
    p.min_bps = 6753;
    p.ai_bps = 2997946;
    p.hai_bps = 13630489;
    p.time_reset_ns = 17821;
    p.threshold = 0;
    p.gd_exp = 0;
    p.min_dec_percent = 4;
    p.jitter = 0;
    p.release_needs_empty = 1;
    CHECK_EQ(rocecc_qcn_rp_init(&p), ROCECC_QCN_RP_ACCEPTED);
    CHECK_EQ(law_qcn_recovery_ns(&p), 53466); /* 6 * 8911 */
    t = rocecc_qcn_rp_timed_start(&p, 0);
    CHECK_EQ(cnm_at(&p, &t, 63, 0).rate_bps, 54683);
    CHECK_EQ(poll_at(&p, &t, 53460).rate_bps, 1210294);
    CHECK_EQ(poll_at(&p, &t, 53461).rate_bps, 1288688);
}

TEST(qcn_timed_traces)
{
    trace_check("qcn_timed", NULL, 0);
}

TEST(qcn_timed_law)
{
    law_random(law_qcn_timed, 20000);
}

/* RP-2, RP-6: a CNM with QntzFb 0, or with rpgEnable 0, does not restart RpWhile. */
TEST(RP_02_a_cnm_without_effect_does_not_restart_the_timer)
{
    rocecc_qcn_rp_params p = line(10 * G);
    rocecc_qcn_rp_timed t = rocecc_qcn_rp_timed_start(&p, 0);
    rocecc_qcn_rp_action act = cnm_at(&p, &t, 63, 0);
    CHECK_EQ(act.timer_ns, 15 * MS);
    act = cnm_at(&p, &t, 0, 5 * MS);
    CHECK(!act.cut && act.timer_ns == 10 * MS);
    p.enable = 0;
    act = cnm_at(&p, &t, 63, 6 * MS);
    CHECK(!act.cut && act.timer_ns == 9 * MS);
    CHECK_EQ(poll_at(&p, &t, 15 * MS).rate_bps, 7539062500);
}
