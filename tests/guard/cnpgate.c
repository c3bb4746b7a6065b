/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/cnpgate.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

#define N 50000u
#define DAY_NS UINT64_C(86400000000000)

static rocecc_cnpgate_params made(uint32_t interval_ns, uint8_t defer)
{
    rocecc_cnpgate_params p = {interval_ns, defer};
    CHECK_EQ(rocecc_cnpgate_init(&p), ROCECC_CNPGATE_ACCEPTED);
    return p;
}

/* Returns a gate that sent its last CNP at last_ns. */
static rocecc_cnpgate after_cnp(const rocecc_cnpgate_params *p, uint32_t last_ns)
{
    rocecc_cnpgate s = rocecc_cnpgate_start(p);
    CHECK(rocecc_cnpgate_ce(p, &s, last_ns).send);
    return s;
}

/* Checks a result. With wait_ns 0, no timer is armed. */
static void check(rocecc_cnpgate_result act, bool send, uint32_t wait_ns)
{
    CHECK_EQ(act.send, send);
    CHECK_EQ(act.arm, wait_ns != 0);
    CHECK_EQ(act.wait_ns, wait_ns);
}

static void check_refused(uint32_t interval_ns, uint8_t defer,
                          rocecc_cnpgate_refusal refusal)
{
    rocecc_cnpgate_params p = {interval_ns, defer};
    CHECK_EQ(rocecc_cnpgate_init(&p), refusal);
    CHECK(p.interval_ns == interval_ns && p.defer == defer);
}

TEST(cnpgate_refusals)
{
    check_refused(0x7fffffff, 1, ROCECC_CNPGATE_ACCEPTED);
    check_refused(0x80000000, 1, ROCECC_CNPGATE_REFUSED_INTERVAL);
    check_refused(0xffffffff, 0, ROCECC_CNPGATE_REFUSED_INTERVAL);
    check_refused(N, 2, ROCECC_CNPGATE_REFUSED_DEFER);
    check_refused(N, 255, ROCECC_CNPGATE_REFUSED_DEFER);
}

TEST(cnpgate_presets)
{
    CHECK_EQ(rocecc_cnpgate_paper().interval_ns, 50000);
    CHECK_EQ(rocecc_cnpgate_nvidia().interval_ns, 4000);
    CHECK_EQ(rocecc_cnpgate_ns3().interval_ns, 0);
    CHECK_EQ(rocecc_cnpgate_paper().defer, 0);
    CHECK_EQ(rocecc_cnpgate_nvidia().defer, 0);
    CHECK_EQ(rocecc_cnpgate_ns3().defer, 0);
}

TEST(N_1_the_first_ce_packet_sends_a_cnp)
{
    const rocecc_cnpgate_params p = made(N, 0), late = made(N, 1);
    const uint32_t times[] = {0, 1, N - 1, N, 0x7fffffff, 0x80000000, 0xffffffff};
    size_t i;
    for (i = 0; i < sizeof times / sizeof times[0]; i++) {
        rocecc_cnpgate s = rocecc_cnpgate_start(&p), zeroed;
        memset(&zeroed, 0, sizeof zeroed);
        check(rocecc_cnpgate_ce(&p, &s, times[i]), true, 0);
        check(rocecc_cnpgate_ce(&late, &zeroed, times[i]), true, 0);
        CHECK_EQ(s.last_ns, times[i]);
    }
}

TEST(N_2_ce_packets_within_n_are_suppressed)
{
    const rocecc_cnpgate_params p = made(N, 0);
    rocecc_cnpgate s = after_cnp(&p, 1000);
    uint32_t ns;
    for (ns = 0; ns < N; ns += ns < N - 10 ? 7 : 1)
        check(rocecc_cnpgate_ce(&p, &s, 1000 + ns), false, 0);
    CHECK_EQ(s.last_ns, 1000);
    CHECK_EQ(s.pending, 0);
}

TEST(N_3_a_ce_packet_after_n_sends_a_cnp)
{
    uint8_t defer;
    for (defer = 0; defer <= 1; defer++) {
        const rocecc_cnpgate_params p = made(N, defer),
                                    widest = made(0x7fffffff, defer);
        rocecc_cnpgate s = after_cnp(&p, 0);
        check(rocecc_cnpgate_ce(&p, &s, N - 1), false, defer);
        check(rocecc_cnpgate_ce(&p, &s, N), true, 0);
        check(rocecc_cnpgate_ce(&p, &s, 3 * N), true, 0);
        check(rocecc_cnpgate_ce(&p, &s, 4 * N - 1), false, defer);
        s = after_cnp(&widest, 5);
        check(rocecc_cnpgate_ce(&widest, &s, 0x80000003), false, defer);
        check(rocecc_cnpgate_ce(&widest, &s, 0x80000004), true, 0);
    }
}

TEST(N_4_with_n_0_every_ce_packet_sends_a_cnp)
{
    uint8_t defer;
    for (defer = 0; defer <= 1; defer++) {
        const rocecc_cnpgate_params p = made(0, defer);
        rocecc_cnpgate s = rocecc_cnpgate_start(&p);
        check(rocecc_cnpgate_ce(&p, &s, 9), true, 0);
        check(rocecc_cnpgate_ce(&p, &s, 9), true, 0);
        check(rocecc_cnpgate_ce(&p, &s, 8), true, 0);
        check(rocecc_cnpgate_timer(&p, &s, 9), false, 0);
    }
}

TEST(N_5_defer_arms_one_timer)
{
    const rocecc_cnpgate_params p = made(N, 1);
    rocecc_cnpgate s = after_cnp(&p, 1000);
    check(rocecc_cnpgate_ce(&p, &s, 1010), false, N - 10);
    CHECK_EQ(s.pending, 1);
    check(rocecc_cnpgate_ce(&p, &s, 1020), false, 0);
    CHECK_EQ(s.last_ns, 1000);
    s = after_cnp(&p, 1000);
    check(rocecc_cnpgate_ce(&p, &s, 1000), false, N);
}

TEST(N_6_the_timer_sends_the_deferred_cnp)
{
    const rocecc_cnpgate_params p = made(N, 1);
    rocecc_cnpgate s = after_cnp(&p, 0);
    check(rocecc_cnpgate_ce(&p, &s, 10), false, N - 10);
    check(rocecc_cnpgate_timer(&p, &s, N), true, 0);
    CHECK_EQ(s.last_ns, N);
    check(rocecc_cnpgate_ce(&p, &s, N + 10), false, N - 10);
    check(rocecc_cnpgate_timer(&p, &s, 2 * N + 3), true,
          0); /* late: N restarts from there */
    check(rocecc_cnpgate_ce(&p, &s, 3 * N + 2), false, 1);
}

TEST(N_7_a_lost_timer_is_replaced_by_a_ce_packet)
{
    const rocecc_cnpgate_params p = made(N, 1);
    rocecc_cnpgate s = after_cnp(&p, 0);
    check(rocecc_cnpgate_ce(&p, &s, 10), false, N - 10);
    check(rocecc_cnpgate_ce(&p, &s, N), true, 0);
    CHECK_EQ(s.pending, 0);
    check(rocecc_cnpgate_timer(&p, &s, N + 1), false, 0); /* late; no second CNP */
    check(rocecc_cnpgate_timer(&p, &s, 3 * N), false, 0);
}

TEST(N_8_an_early_or_unexpected_timer_sends_nothing)
{
    uint8_t defer;
    const rocecc_cnpgate_params p = made(N, 1);
    rocecc_cnpgate s = after_cnp(&p, 0);
    check(rocecc_cnpgate_ce(&p, &s, 10), false, N - 10);
    check(rocecc_cnpgate_timer(&p, &s, N - 1), false, 1);
    check(rocecc_cnpgate_timer(&p, &s, N), true, 0);
    check(rocecc_cnpgate_timer(&p, &s, N), false, 0);
    check(rocecc_cnpgate_ce(&p, &s, N), false, N); /* the last CNP counts */
    for (defer = 0; defer <= 1; defer++) {
        const rocecc_cnpgate_params q = made(N, defer);
        s = rocecc_cnpgate_start(&q);
        check(rocecc_cnpgate_timer(&q, &s, 77), false, 0);
        check(rocecc_cnpgate_ce(&q, &s, 78), true, 0);
        check(rocecc_cnpgate_timer(&q, &s, 79), false, 0);
        check(rocecc_cnpgate_ce(&q, &s, 80), false, defer ? N - 2 : 0);
    }
}

/* A timer never sends the first CNP, even if the state says that a CE packet waits. */
TEST(N_8_a_timer_never_sends_the_first_cnp)
{
    uint8_t defer;
    for (defer = 0; defer <= 1; defer++) {
        const rocecc_cnpgate_params p = made(N, defer);
        rocecc_cnpgate s = {77, 0, 1};
        check(rocecc_cnpgate_timer(&p, &s, 77), false, 0);
        check(rocecc_cnpgate_timer(&p, &s, 77 + N), false, 0);
        CHECK(s.last_ns == 77 && s.sent == 0);
        check(rocecc_cnpgate_ce(&p, &s, 78), true, 0);
        check(rocecc_cnpgate_timer(&p, &s, 78 + N), false, 0); /* none is pending */
    }
}

TEST(N_9_the_clock_may_wrap)
{
    uint8_t defer;
    for (defer = 0; defer <= 1; defer++) {
        const rocecc_cnpgate_params p = made(N, defer);
        const uint32_t last_ns = 0u - 100;
        rocecc_cnpgate s = after_cnp(&p, last_ns);
        check(rocecc_cnpgate_ce(&p, &s, last_ns + N - 1), false, defer);
        check(rocecc_cnpgate_ce(&p, &s, last_ns + N), true, 0);
    }
}

/* Long silences, by a 64-bit clock, as in the file comment of cnpgate.h. */
TEST(N_9_a_long_silence_rarely_suppresses_a_cnp)
{
    const rocecc_cnpgate_params p = made(N, 0);
    uint64_t random = 9, rounds = test_rounds(200000), wrong = 0;
    for (; rounds > 0; rounds--) {
        const uint64_t last_ns = test_random(&random);
        const uint64_t silence = N + ((uint64_t)test_random(&random) << 14);
        const uint64_t off = silence % (UINT64_C(1) << 32);
        const bool doubtful = off < N || off > (UINT64_C(1) << 32) - N;
        rocecc_cnpgate s = after_cnp(&p, (uint32_t)last_ns);
        const bool sent = rocecc_cnpgate_ce(&p, &s, (uint32_t)(last_ns + silence)).send;
        CHECK_EQ(sent, !doubtful);
        wrong += !sent;
        /* Suppressed, but for less than 2 * N. */
        CHECK(
            sent ||
            rocecc_cnpgate_ce(&p, &s, (uint32_t)(last_ns + silence + 2 * N - 1)).send);
    }
    CHECK(wrong <= 40); /* 0.0023 % of 200,000 is about 5 */
}

TEST(N_10_the_clock_may_be_set_back)
{
    const rocecc_cnpgate_params p = made(N, 0), late = made(N, 1);
    rocecc_cnpgate s = after_cnp(&p, 100000);
    uint32_t ns, sent = 0;
    check(rocecc_cnpgate_ce(&p, &s, 99999), false, 0);
    check(rocecc_cnpgate_ce(&p, &s, 100001 - N), false, 0);
    check(rocecc_cnpgate_ce(&p, &s, 100000 + N - 1), false, 0);
    check(rocecc_cnpgate_ce(&p, &s, 100000 - N), true, 0);
    CHECK_EQ(s.last_ns, 100000 - N);
    /* The timer waits until N after the last CNP on the new clock. */
    s = after_cnp(&late, 100000);
    check(rocecc_cnpgate_ce(&late, &s, 100001 - N), false, 2 * N - 1);
    check(rocecc_cnpgate_timer(&late, &s, 99999), false, N + 1);
    check(rocecc_cnpgate_timer(&late, &s, 100000 - N), true, 0);
    /* Two cores whose clocks differ by 3 us cause no more CNPs than one core. */
    s = rocecc_cnpgate_start(&p);
    for (ns = 0; ns < 20 * N; ns += 100) {
        sent += rocecc_cnpgate_ce(&p, &s, ns).send;
        sent += rocecc_cnpgate_ce(&p, &s, ns + 50 - 3000).send;
    }
    CHECK_EQ(sent, 20);
}

TEST(N_11_a_sweep_resets_an_idle_gate)
{
    uint8_t defer;
    for (defer = 0; defer <= 1; defer++) {
        const rocecc_cnpgate_params p = made(N, defer);
        rocecc_cnpgate s = after_cnp(&p, 7);
        check(rocecc_cnpgate_timer(&p, &s, 7 + N - 1), false, 0);
        CHECK_EQ(s.sent, 1);
        check(rocecc_cnpgate_timer(&p, &s, 7 + N), false, 0);
        CHECK_EQ(s.sent, 0);
        check(rocecc_cnpgate_ce(&p, &s, 8), true, 0); /* the clock has wrapped */
    }
}

/* A day of CE packets. Each event sends a CNP unless one was sent less than N ago. */
TEST(cnpgate_keeps_its_interval_for_a_day)
{
    uint8_t defer;
    for (defer = 0; defer <= 1; defer++) {
        const rocecc_cnpgate_params p = made(N, defer);
        rocecc_cnpgate s = rocecc_cnpgate_start(&p);
        uint64_t random = 5, now = 0, last = 0, timer = 0, rounds = test_rounds(300000);
        bool any = false;
        while (now < DAY_NS && rounds-- > 0) {
            const uint64_t next = now + (test_random(&random) >> (8 + rounds % 23));
            const bool fires = timer != 0 && timer <= next;
            rocecc_cnpgate_result act;
            now = fires ? timer : next;
            if (fires) timer = 0;
            act = fires ? rocecc_cnpgate_timer(&p, &s, (uint32_t)now)
                        : rocecc_cnpgate_ce(&p, &s, (uint32_t)now);
            CHECK_EQ(act.send, !any || now - last >= N);
            CHECK(!act.arm || defer);
            if (act.arm) timer = now + act.wait_ns;
            if (act.send) last = now;
            any = true;
        }
    }
}

TEST(cnpgate_traces)
{
    trace_check("cnpgate", NULL, 0);
}

TEST(cnpgate_law)
{
    law_random(law_cnpgate, 50000);
}

/* If both parameters are wrong, the interval is reported. */
TEST(cnpgate_reports_the_interval_first)
{
    check_refused(0x80000000, 2, ROCECC_CNPGATE_REFUSED_INTERVAL);
}

/* A CNP looks recent again less than N before and after 2^32 ns (N-9). */
TEST(N_9_a_cnp_looks_recent_after_2_32_ns)
{
    const uint64_t turn_ns = UINT64_C(1) << 32;
    uint8_t defer;
    for (defer = 0; defer <= 1; defer++) {
        const rocecc_cnpgate_params p = made(N, defer);
        const rocecc_cnpgate last = after_cnp(&p, 0);
        rocecc_cnpgate s = last;
        check(rocecc_cnpgate_ce(&p, &s, turn_ns - N), true, 0);
        s = last;
        check(rocecc_cnpgate_ce(&p, &s, turn_ns - N + 1), false, defer ? 2 * N - 1 : 0);
        s = last;
        check(rocecc_cnpgate_ce(&p, &s, turn_ns + N - 1), false, defer);
        s = last;
        check(rocecc_cnpgate_ce(&p, &s, turn_ns + N), true, 0);
    }
}

/* The clock is set back while a CE packet waits. The next one sends for both (N-10). */
TEST(N_10_a_clock_set_back_releases_a_waiting_packet)
{
    const rocecc_cnpgate_params p = made(N, 1);
    rocecc_cnpgate s = after_cnp(&p, 10 * N);
    check(rocecc_cnpgate_ce(&p, &s, 10 * N + 1), false, N - 1);
    check(rocecc_cnpgate_ce(&p, &s, 9 * N), true, 0);
    check(rocecc_cnpgate_timer(&p, &s, 9 * N + 1), false, 0);
    check(rocecc_cnpgate_ce(&p, &s, 9 * N + 1), false, N - 1);
}
