/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/tokenbucket.h"
#include "lib/test.h"
#include "lib/trace.h"

#define S UINT64_C(1000000000)

static rocecc_tokenbucket_params made(uint64_t rate_per_s, uint32_t burst)
{
    rocecc_tokenbucket_params p = {rate_per_s, burst, 0};
    CHECK_EQ(rocecc_tokenbucket_init(&p), ROCECC_TOKENBUCKET_ACCEPTED);
    return p;
}

/* Takes single tokens until none is left, and returns their number. */
static uint32_t drain(const rocecc_tokenbucket_params *p, rocecc_tokenbucket *s,
                      uint64_t now_ns)
{
    uint32_t n = 0;
    while (rocecc_tokenbucket_take(p, s, 1, now_ns))
        n++;
    return n;
}

TEST(tokenbucket_refusals)
{
    rocecc_tokenbucket_params p = {0, 5, 77};
    CHECK_EQ(rocecc_tokenbucket_init(&p), ROCECC_TOKENBUCKET_REFUSED_RATE);
    CHECK(p.rate_per_s == 0 && p.burst == 5 && p.full_ns == 77);
    p.rate_per_s = 5;
    p.burst = 0;
    CHECK_EQ(rocecc_tokenbucket_init(&p), ROCECC_TOKENBUCKET_REFUSED_BURST);
    CHECK(p.rate_per_s == 5 && p.burst == 0 && p.full_ns == 77);
}

TEST(tokenbucket_presets)
{
    CHECK_EQ(rocecc_tokenbucket_per_s(0).burst, 1);
    CHECK_EQ(rocecc_tokenbucket_per_s(31).burst, 1);
    CHECK_EQ(rocecc_tokenbucket_per_s(32).burst, 2);
    CHECK_EQ(rocecc_tokenbucket_per_s(1000000).rate_per_s, 1000000);
}

TEST(T_1_a_bucket_starts_full)
{
    const rocecc_tokenbucket_params p = made(10, 7);
    rocecc_tokenbucket s = rocecc_tokenbucket_start(&p, 123);
    CHECK_EQ(drain(&p, &s, 123), 7);
}

TEST(T_2_a_bucket_fills_at_its_rate)
{
    /* At 3 per second, a token lacks 10^-9 after 333,333,333 ns. */
    const rocecc_tokenbucket_params p = made(3, 7);
    rocecc_tokenbucket s = rocecc_tokenbucket_start(&p, 0);
    CHECK_EQ(drain(&p, &s, 0), 7);
    CHECK(!rocecc_tokenbucket_take(&p, &s, 1, 333333333));
    CHECK(rocecc_tokenbucket_take(&p, &s, 1, 333333334));
    CHECK_EQ(drain(&p, &s, S), 2);
}

TEST(T_2_small_steps_add_up)
{
    const rocecc_tokenbucket_params p = made(1, 1);
    rocecc_tokenbucket s = rocecc_tokenbucket_start(&p, 0);
    uint64_t now_ns;
    CHECK(rocecc_tokenbucket_take(&p, &s, 1, 0));
    for (now_ns = 0; now_ns < 1000; now_ns++)
        CHECK(!rocecc_tokenbucket_take(&p, &s, 1, now_ns));
    CHECK_EQ(s.level_e9, 999);
    CHECK(!rocecc_tokenbucket_take(&p, &s, 1, S - 1));
    CHECK(rocecc_tokenbucket_take(&p, &s, 1, S));
}

TEST(T_3_a_bucket_holds_at_most_burst)
{
    const rocecc_tokenbucket_params p = made(UINT64_MAX, UINT32_MAX);
    rocecc_tokenbucket s = rocecc_tokenbucket_start(&p, 0);
    CHECK(rocecc_tokenbucket_take(&p, &s, UINT32_MAX, UINT64_MAX));
    CHECK(!rocecc_tokenbucket_take(&p, &s, 1, UINT64_MAX));
    CHECK_EQ(p.full_ns, 1);
}

TEST(T_4_take_takes_all_or_none)
{
    const rocecc_tokenbucket_params p = made(1, 7);
    rocecc_tokenbucket s = rocecc_tokenbucket_start(&p, 0);
    CHECK(!rocecc_tokenbucket_take(&p, &s, 8, 0));
    CHECK(!rocecc_tokenbucket_take(&p, &s, UINT32_MAX, 0));
    CHECK(rocecc_tokenbucket_take(&p, &s, 7, 0));
    CHECK(rocecc_tokenbucket_take(&p, &s, 0, 0));
    CHECK(!rocecc_tokenbucket_take(&p, &s, 1, 0));
}

TEST(T_5_a_clock_set_back_adds_no_tokens)
{
    const rocecc_tokenbucket_params p = made(1, 2);
    rocecc_tokenbucket s = rocecc_tokenbucket_start(&p, 100 * S);
    CHECK_EQ(drain(&p, &s, 100 * S), 2);
    /* Back and forth, no second counts twice. */
    CHECK_EQ(drain(&p, &s, 101 * S), 1);
    CHECK_EQ(drain(&p, &s, 100 * S), 0);
    CHECK_EQ(drain(&p, &s, 101 * S), 0);
    /* It fills in 2 s. Up to 2 s back, it waits. Beyond, it goes on from there. */
    CHECK_EQ(drain(&p, &s, 99 * S), 0);
    CHECK_EQ(s.last_ns, 101 * S);
    CHECK_EQ(drain(&p, &s, 99 * S - 1), 0);
    CHECK_EQ(s.last_ns, 99 * S - 1);
    CHECK_EQ(drain(&p, &s, 100 * S), 1);
}

TEST(tokenbucket_traces)
{
    trace_check("tokenbucket", NULL, 0);
}

TEST(tokenbucket_law)
{
    law_random(law_tokenbucket, 20000);
}

/* A call of holds() takes no token, but fills the bucket up to now (T-4). */
TEST(T_4_holds_fills_the_bucket_and_takes_nothing)
{
    const rocecc_tokenbucket_params p = made(1, 7);
    rocecc_tokenbucket s = rocecc_tokenbucket_start(&p, 0);
    CHECK(rocecc_tokenbucket_holds(&p, &s, 7, 0));
    CHECK(rocecc_tokenbucket_holds(&p, &s, 7, 0));
    CHECK(!rocecc_tokenbucket_holds(&p, &s, 8, 100 * S)); /* above burst */
    CHECK_EQ(drain(&p, &s, 100 * S), 7);
    CHECK(rocecc_tokenbucket_holds(&p, &s, 0, 100 * S));
    CHECK(!rocecc_tokenbucket_holds(&p, &s, 1, 101 * S - 1));
    CHECK_EQ(s.level_e9, S - 1);
    CHECK_EQ(s.last_ns, 101 * S - 1);
}

/* If both are 0, the rate is reported. */
TEST(tokenbucket_reports_the_rate_first)
{
    rocecc_tokenbucket_params p = {0, 0, 77};
    CHECK_EQ(rocecc_tokenbucket_init(&p), ROCECC_TOKENBUCKET_REFUSED_RATE);
    CHECK_EQ(p.full_ns, 77);
}
