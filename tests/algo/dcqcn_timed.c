/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/dcqcn_timed.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

#define G UINT64_C(1000000000)
#define M UINT64_C(1000000)
#define MS UINT64_C(1000000)
#define SECOND UINT64_C(1000000000)

static rocecc_dcqcn_params made(rocecc_dcqcn_params p)
{
    CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
    return p;
}

static law_dcqcn_host host_of(const rocecc_dcqcn_params *p)
{
    law_dcqcn_host h;
    memset(&h, 0, sizeof h);
    h.s = rocecc_dcqcn_start(p);
    return h;
}

/* Lets gap_ns pass. Returns how many timers expired, up to 2^20 - 1. */
static uint32_t fired(const rocecc_dcqcn_params *p, law_dcqcn_host *h, uint64_t gap_ns)
{
    uint32_t most = 1;
    for (; most < 1000000; most *= 2) {
        law_dcqcn_host twin = *h;
        if (law_dcqcn_host_wait(p, &twin, gap_ns, most)) break;
    }
    while (most >
           1) { /* the smallest limit that is enough, one above the number of timers */
        law_dcqcn_host twin = *h;
        if (!law_dcqcn_host_wait(p, &twin, gap_ns, most - 1)) break;
        most--;
    }
    (void)law_dcqcn_host_wait(p, h, gap_ns, most);
    return most - 1;
}

/*
 * After one CNP, 35 halvings bring R_C back to line rate, and alpha is 0 after 22
 * blocks of 256. A timer that does not stop would expire 36,363 times in 2 s.
 */
TEST(dcqcn_timed_timers_stop_if_nothing_changes)
{
    const rocecc_dcqcn_params p = made(rocecc_dcqcn_paper(40 * G));
    law_dcqcn_host h = host_of(&p);
    law_dcqcn_host_event(&p, &h, 0, 0);
    CHECK_EQ(fired(&p, &h, 2 * SECOND), 35 + 22 * 256);
    CHECK(!h.runs[0] && !h.runs[1] && !h.runs[2]);
    CHECK_EQ(h.s.rate_bps, 40 * G);
    CHECK_EQ(fired(&p, &h, 1000 * SECOND), 0);
}

/*
 * NVIDIA's alpha timer has a period of 1 us. One call for a second agrees with the
 * single timers, with at most 96 products per part of the gap.
 */
TEST(dcqcn_timed_one_late_call_equals_the_single_timers)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_nvidia(100 * G);
    rocecc_dcqcn_timed t;
    law_dcqcn_host h;
    rocecc_dcqcn_action act;
    p.release_bps = 0;
    p = made(p);
    t = rocecc_dcqcn_timed_start(&p, 7);
    h = host_of(&p);
    CHECK_EQ(t.last_ns, 7);
    CHECK_EQ(rocecc_dcqcn_timed_next_ns(&t), UINT64_MAX);
    (void)rocecc_dcqcn_timed_cnp(&p, &t, 7);
    law_dcqcn_host_event(&p, &h, 0, 0);
    CHECK_EQ(rocecc_dcqcn_timed_next_ns(&t), 7 + 4000); /* the cut timer */
    act = rocecc_dcqcn_timed_advance(&p, &t, 7 + SECOND);
    CHECK(act.cut && !act.released && act.arm == 0 && act.stop == 0);
    CHECK_EQ(act.rate_bps, 100 * G);
    CHECK(law_dcqcn_host_wait(&p, &h, SECOND, 10000));
    CHECK(law_dcqcn_agree(&t, &h));
    CHECK_EQ(rocecc_dcqcn_timed_next_ns(&t), UINT64_MAX);
}

/* The example of dcqcn_timed.h has 18 alpha blocks, and 36 increases to a release. */
TEST(dcqcn_timed_example_has_18_blocks_and_36_increases)
{
    const rocecc_dcqcn_params p = made(rocecc_dcqcn_nvidia(100 * G));
    law_dcqcn_host h = host_of(&p);
    law_dcqcn_host_event(&p, &h, 0, 0);
    /* At 4608 us the alpha timer stops both timers, before the cut timer expires. */
    CHECK_EQ(fired(&p, &h, SECOND), 18 * 256 + 1151 + 36);
    CHECK(h.cut && h.released && !h.runs[0] && !h.runs[1] && !h.runs[2]);
}

TEST(dcqcn_timed_relink_clamps_the_rate)
{
    const rocecc_dcqcn_params fast = made(rocecc_dcqcn_paper(400 * G));
    const rocecc_dcqcn_params slow = made(rocecc_dcqcn_paper(100 * G));
    rocecc_dcqcn_timed idle = rocecc_dcqcn_timed_start(&fast, 0), t = idle;
    (void)rocecc_dcqcn_timed_cnp(&fast, &t, 0);
    CHECK_EQ(rocecc_dcqcn_timed_relink(&slow, &t, 1000).rate_bps, 100 * G);
    CHECK_EQ(t.flow.target_bps, 100 * G);
    CHECK_EQ(rocecc_dcqcn_timed_next_ns(&t), 56000);
    CHECK_EQ(rocecc_dcqcn_timed_advance(&slow, &t, 5 * SECOND).rate_bps, 100 * G);
    CHECK_EQ(rocecc_dcqcn_timed_relink(&slow, &idle, 1000).rate_bps, 100 * G);
    CHECK_EQ(rocecc_dcqcn_timed_cnp(&slow, &idle, 2000).rate_bps, 50 * G);
    /* At a faster line, R_C climbs from its old value by R_AI. */
    CHECK_EQ(rocecc_dcqcn_timed_relink(&fast, &t, 5 * SECOND).rate_bps, 100 * G);
    CHECK_EQ(rocecc_dcqcn_timed_advance(&fast, &t, 6 * SECOND).rate_bps, 400 * G);
}

/* A host that sleeps until next_ns() misses no change of the rate. */
TEST(dcqcn_timed_next_ns_covers_every_rate_change)
{
    int preset;
    for (preset = 0; preset < 3; preset++) {
        const rocecc_dcqcn_params p =
            made(preset == 0   ? rocecc_dcqcn_paper(40 * G)
                 : preset == 1 ? rocecc_dcqcn_nvidia(25 * G)
                               : rocecc_dcqcn_ns3_hpcc(25 * G));
        rocecc_dcqcn_timed wake = rocecc_dcqcn_timed_start(&p, 0), poll;
        uint64_t now_ns, rate_bps, wakes = 0, changes = 0;
        rate_bps = rocecc_dcqcn_timed_cnp(&p, &wake, 0).rate_bps;
        poll = wake;
        for (now_ns = 500; now_ns < 5 * MS; now_ns += 500) {
            const uint64_t was_bps = poll.flow.rate_bps;
            (void)rocecc_dcqcn_timed_advance(&p, &poll, now_ns);
            if (now_ns >= rocecc_dcqcn_timed_next_ns(&wake)) {
                rate_bps = rocecc_dcqcn_timed_advance(&p, &wake, now_ns).rate_bps;
                wakes++;
            }
            CHECK_EQ(poll.flow.rate_bps, rate_bps);
            changes += poll.flow.rate_bps != was_bps;
        }
        CHECK(changes > 10 && wakes <= changes + 1);
    }
}

/*
 * Two CNPs at alpha = 1 leave R_T at 20 Gb/s and R_C at 10. Of 400 increases, 5 are
 * fast recovery, and leave R_T - R_C at 10 / 32 Gb/s. The others add R_AI, so R_T is 20
 * + 395 * 0.04 = 35.8 Gb/s. The part of R_T - R_C above R_AI halves each time, rounded
 * down, to 0.
 */
TEST(dcqcn_timed_an_unfinished_climb_is_exact)
{
    const rocecc_dcqcn_params p = made(rocecc_dcqcn_paper(40 * G));
    rocecc_dcqcn_timed t = rocecc_dcqcn_timed_start(&p, 0);
    (void)rocecc_dcqcn_timed_cnp(&p, &t, 0);
    CHECK_EQ(rocecc_dcqcn_timed_cnp(&p, &t, 0).rate_bps, 10 * G);
    CHECK_EQ(t.flow.target_bps, 20 * G);
    CHECK_EQ(rocecc_dcqcn_timed_advance(&p, &t, 400 * 55000).rate_bps, 35760 * M);
    CHECK_EQ(t.flow.target_bps, 35800 * M);
    CHECK_EQ(rocecc_dcqcn_timed_next_ns(&t), 401 * 55000);
}

/* At alpha = 0 a cut removes nothing, and the alpha and cut timers stop (D-29). */
TEST(dcqcn_timed_a_cut_at_alpha_0_stops_the_timers)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_nvidia(100 * G);
    rocecc_dcqcn_timed t;
    rocecc_dcqcn_action act;
    p.alpha_init_q20 = 0;
    p = made(p);
    t = rocecc_dcqcn_timed_start(&p, 0);
    (void)rocecc_dcqcn_timed_cnp(&p, &t, 0);
    CHECK_EQ(rocecc_dcqcn_timed_next_ns(&t), 4000);
    act = rocecc_dcqcn_timed_advance(&p, &t, 4000);
    CHECK(act.cut && !act.released && act.rate_bps == 100 * G);
    CHECK_EQ(t.alpha_left_ns, 0);
    CHECK_EQ(t.flow.cut_left_ns, 0);
    CHECK_EQ(t.increase_left_ns, 300000);
    CHECK_EQ(rocecc_dcqcn_timed_next_ns(&t), 304000);
    CHECK(rocecc_dcqcn_timed_advance(&p, &t, 304000).released);
}

/* In event mode the cut timer expires once (D-5), even if cut_interval is now 0. */
TEST(dcqcn_timed_cut_timer_expires_once_in_event_mode)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(40 * G);
    const rocecc_dcqcn_params none = made(p);
    rocecc_dcqcn_timed t;
    int off;
    p.cut_interval_ns = 50000;
    p = made(p);
    for (off = 0; off < 2; off++) {
        const rocecc_dcqcn_params *now = off ? &none : &p;
        t = rocecc_dcqcn_timed_start(&p, 0);
        CHECK(rocecc_dcqcn_timed_cnp(&p, &t, 0).cut);
        CHECK(!rocecc_dcqcn_timed_cnp(now, &t, 49999).cut);
        CHECK_EQ(t.flow.cut_left_ns, 1);
        (void)rocecc_dcqcn_timed_advance(now, &t, 50000);
        CHECK_EQ(t.flow.cut_left_ns, 0);
        CHECK_EQ(t.flow.flags, ROCECC_DCQCN_ACTIVE);
        CHECK_EQ(rocecc_dcqcn_timed_cnp(now, &t, 50000).rate_bps, 10 * G);
        CHECK_EQ(t.flow.cut_left_ns, off ? 0 : 50000);
    }
}

/* After a step back nothing is due, and a timer due in 5 us is still due in 5 us. */
TEST(D_37_a_clock_step_back_moves_the_deadlines)
{
    const rocecc_dcqcn_params p = made(rocecc_dcqcn_paper(40 * G));
    rocecc_dcqcn_timed t = rocecc_dcqcn_timed_start(&p, 10 * SECOND);
    (void)rocecc_dcqcn_timed_cnp(&p, &t, 10 * SECOND);
    (void)rocecc_dcqcn_timed_advance(&p, &t, 10 * SECOND + 50000);
    CHECK_EQ(rocecc_dcqcn_timed_advance(&p, &t, 10 * SECOND + 50000).rate_bps, 20 * G);
    CHECK_EQ(rocecc_dcqcn_timed_advance(&p, &t, SECOND).rate_bps, 20 * G);
    CHECK_EQ(rocecc_dcqcn_timed_next_ns(&t), SECOND + 5000);
    CHECK_EQ(rocecc_dcqcn_timed_advance(&p, &t, SECOND + 4999).rate_bps, 20 * G);
    CHECK_EQ(rocecc_dcqcn_timed_advance(&p, &t, SECOND + 5000).rate_bps, 30 * G);
    CHECK_EQ(t.flow.decays, 1);
    CHECK_EQ(rocecc_dcqcn_timed_advance(&p, &t, SECOND + 5000 + (UINT64_C(1) << 63))
                 .rate_bps,
             30 * G); /* a difference of 2^63 is a step back */
    CHECK_EQ(rocecc_dcqcn_timed_advance(&p, &t, SECOND + 4999)
                 .rate_bps, /* 2^63 - 1 is a step forward */
             40 * G);
}

/* With any parameters, 352 increases and a climb have the effect of 2^62 increases. */
TEST(dcqcn_timed_increases_are_bounded)
{
    uint64_t random = 5, round;
    for (round = test_rounds(20000); round > 0; round--) {
        rocecc_dcqcn_params p = rocecc_dcqcn_paper(0);
        rocecc_dcqcn_action act = {0, 0, 0, false, false};
        rocecc_dcqcn s;
        p.line_bps = 1 + (((uint64_t)test_random(&random) << 11 | 2047) >>
                          (test_random(&random) % 43));
        p.min_bps = 1;
        p.ai_bps =
            1 + ((uint64_t)test_random(&random) << 10 >> (test_random(&random) % 42));
        p.hai_bps =
            1 + ((uint64_t)test_random(&random) << 10 >> (test_random(&random) % 42));
        p.fast_recovery_stages = (uint8_t)(test_random(&random) % 255);
        p.stage_rule = (uint8_t)(test_random(&random) % 4);
        p.hai_flat = (uint8_t)(test_random(&random) % 2);
        p = made(p);
        s = rocecc_dcqcn_start(&p);
        s.flags = ROCECC_DCQCN_ACTIVE;
        s.rate_bps = 1 + test_random(&random) % p.line_bps;
        s.target_bps = 1 + ((uint64_t)test_random(&random) << 11) % p.line_bps;
        s.byte_stages = (uint8_t)(test_random(&random) % 256);
        rocecc_dcqcn_increase_many_(&p, &s, UINT64_C(1) << 62, &act);
        CHECK_EQ(s.rate_bps, p.line_bps);
        CHECK_EQ(s.target_bps, p.line_bps);
    }
}

/* A noted cut is never due if the cut timer is stopped. */
TEST(dcqcn_timed_a_noted_cut_is_not_due_without_cut_timer)
{
    const rocecc_dcqcn_params p = made(rocecc_dcqcn_nvidia(100 * G));
    rocecc_dcqcn_timed t = rocecc_dcqcn_timed_start(&p, 0);
    rocecc_dcqcn_action act;
    CHECK(p.periodic != 0);
    t.flow.flags |= ROCECC_DCQCN_ACTIVE | ROCECC_DCQCN_NOTED_CUT;
    CHECK_EQ(t.flow.cut_left_ns, 0);
    CHECK_EQ(rocecc_dcqcn_timed_next_ns(&t), UINT64_MAX);
    act = rocecc_dcqcn_timed_advance(&p, &t, SECOND);
    CHECK(!act.cut && act.rate_bps == p.line_bps);
}

/* Periods counted by inverse and by division agree, around multiples of a period. */
TEST(dcqcn_timed_periods_by_inverse_equal_a_division)
{
    uint64_t random = 6, round;
    for (round = test_rounds(100000); round > 0; round--) {
        const uint32_t period =
            1 + (test_random(&random) >> (1 + test_random(&random) % 31));
        const uint64_t inverse = (UINT64_C(1) << 32) / period;
        uint64_t ns = (uint64_t)test_random(&random) << (test_random(&random) % 31);
        CHECK_EQ(rocecc_dcqcn_count_periods_(ns, period, inverse), ns / period);
        ns = ns / period * period;
        CHECK_EQ(rocecc_dcqcn_count_periods_(ns, period, inverse), ns / period);
        if (ns > 0)
            CHECK_EQ(rocecc_dcqcn_count_periods_(ns - 1, period, inverse),
                     ns / period - 1);
    }
    CHECK_EQ(rocecc_dcqcn_count_periods_(UINT32_MAX, 1, UINT64_C(1) << 32), UINT32_MAX);
}

/*
 * Runs 40 random events (CNPs, bytes, polls, clock steps, new lines), with gaps up to
 * 10 s. Then only random polls follow. After the time of D-36, R_C is within 1/16 of
 * line rate, rounded down.
 */
static void trouble(const rocecc_dcqcn_params *preset, uint64_t *random)
{
    rocecc_dcqcn_params p = *preset;
    rocecc_dcqcn_timed t = rocecc_dcqcn_timed_start(&p, test_random(random));
    uint64_t now_ns = t.last_ns, recovery_ns, end_ns;
    int i;
    for (i = 0; i < 40; i++) {
        const uint32_t what = test_random(random) % 16;
        rocecc_dcqcn_action act;
        now_ns += (uint64_t)test_random(random) * 5 / 2 >> (test_random(random) % 32);
        if (what == 0) now_ns = (uint64_t)test_random(random) << (i % 32); /* a step */
        if (what == 1) {
            p.line_bps = (test_random(random) % 40 + 1) * 10 * G;
            if (p.release_bps != 0) p.release_bps = p.line_bps;
            CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
            act = rocecc_dcqcn_timed_relink(&p, &t, now_ns);
        } else if (what < 5) {
            act = rocecc_dcqcn_timed_sent(&p, &t, test_random(random) >> 4, now_ns);
        } else if (what < 8) {
            act = rocecc_dcqcn_timed_advance(&p, &t, now_ns);
        } else {
            act = rocecc_dcqcn_timed_cnp(&p, &t, now_ns);
        }
        CHECK_EQ(act.rate_bps, t.flow.rate_bps);
        CHECK(act.rate_bps <= p.line_bps); /* current line rate */
        CHECK(law_dcqcn_timed_bounds(&p, &t));
    }
    recovery_ns = law_dcqcn_recovery_ns(&p, &t.flow);
    for (end_ns = now_ns + recovery_ns; now_ns < end_ns;) {
        now_ns += (uint64_t)test_random(random) >> (test_random(random) % 12);
        if (now_ns > end_ns) now_ns = end_ns;
        (void)rocecc_dcqcn_timed_advance(&p, &t, now_ns);
    }
    CHECK(t.flow.rate_bps >= p.line_bps - p.line_bps / 16 - 1);
}

TEST(D_36_rates_recover_after_any_faults)
{
    uint64_t random = 36, round;
    for (round = test_rounds(300); round > 0; round--) {
        rocecc_dcqcn_params p[4];
        p[0] = made(rocecc_dcqcn_paper(100 * G));
        p[1] = made(rocecc_dcqcn_nvidia(100 * G));
        p[2] = made(rocecc_dcqcn_ns3_hpcc(100 * G));
        p[3] = rocecc_dcqcn_paper(100 * G);
        p[3].cut_interval_ns = 50000;
        p[3] = made(p[3]);
        trouble(&p[round % 4], &random);
    }
}

TEST(dcqcn_timed_traces)
{
    static const trace_tolerance t[] = {
        {"rate_bps", 1e-7, 2}, {"target_bps", 1e-7, 2}, {"alpha_q31", 0, 32}};
    trace_check("dcqcn_timed", t, 3);
}

TEST(dcqcn_timed_law)
{
    law_random(law_dcqcn_timed, 3000);
}

/* D-24, D-30: at 165 us R_C is 37.5 Gb/s, so the flow is released, and a CNP of that
 * instant is a first CNP. One action reports both. */
TEST(D_24_a_cnp_after_a_due_release_cuts_from_line)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(40 * G);
    rocecc_dcqcn_timed t;
    rocecc_dcqcn_action act;
    p.release_bps = 36 * G;
    p = made(p);
    t = rocecc_dcqcn_timed_start(&p, 0);
    (void)rocecc_dcqcn_timed_cnp(&p, &t, 0);
    act = rocecc_dcqcn_timed_cnp(&p, &t, 165000);
    CHECK(act.released && act.cut && act.rate_bps == 20 * G);
    CHECK_EQ(t.flow.flags, ROCECC_DCQCN_ACTIVE);
    CHECK_EQ(rocecc_dcqcn_timed_next_ns(&t), 220000);
}

/* next_ns() reports deadlines beyond 2^64 - 1 ns as never. They fire after a wrap. */
TEST(dcqcn_timed_a_deadline_beyond_the_clock_saturates)
{
    const rocecc_dcqcn_params p = made(rocecc_dcqcn_paper(40 * G));
    rocecc_dcqcn_timed t = rocecc_dcqcn_timed_start(&p, UINT64_MAX - 55001);
    (void)rocecc_dcqcn_timed_cnp(&p, &t, UINT64_MAX - 55001);
    CHECK_EQ(rocecc_dcqcn_timed_next_ns(&t), UINT64_MAX - 1);
    t = rocecc_dcqcn_timed_start(&p, UINT64_MAX - 50000);
    (void)rocecc_dcqcn_timed_cnp(&p, &t, UINT64_MAX - 50000);
    CHECK_EQ(rocecc_dcqcn_timed_next_ns(&t), UINT64_MAX);
    CHECK_EQ(rocecc_dcqcn_timed_advance(&p, &t, 4998).rate_bps, 20 * G);
    CHECK_EQ(rocecc_dcqcn_timed_advance(&p, &t, 4999).rate_bps, 30 * G);
}
