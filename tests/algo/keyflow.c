/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/keyflow.h"
#include "lib/test.h"
#include "lib/trace.h"

#define NONE ROCECC_KEYFLOW_NONE
#define KEY ROCECC_KEYFLOW_KEY
#define OTHER ROCECC_KEYFLOW_OTHER

static const rocecc_keyflow_params few = {3000, 100000};

TEST(keyflow_refusals)
{
    rocecc_keyflow_params p = {1, 0};
    CHECK_EQ(rocecc_keyflow_init(&p), ROCECC_KEYFLOW_REFUSED_WINDOW);
    p.min_bytes = 0;
    CHECK_EQ(rocecc_keyflow_init(&p), ROCECC_KEYFLOW_ACCEPTED);
    p.min_bytes = p.window_ns = 1;
    CHECK_EQ(rocecc_keyflow_init(&p), ROCECC_KEYFLOW_ACCEPTED);
    /* 100 us of 100 Gb/s are 1,250,000 bytes; of 2^43 bit/s 109951162.8, 4 times less
     */
    CHECK_EQ(rocecc_keyflow_quarter(100000000000).min_bytes, 312500);
    CHECK_EQ(rocecc_keyflow_quarter(UINT64_MAX).min_bytes, 27487790);
}

TEST(K_1_off)
{
    rocecc_keyflow_params off = {0, 0};
    rocecc_keyflow s = rocecc_keyflow_start(5);
    int i;
    for (i = 0; i < 100; i++) {
        off.window_ns = i < 50 ? 0 : 100000; /* min_bytes alone is the switch */
        CHECK_EQ(rocecc_keyflow_step(&off, &s, 7, 9000, 5), NONE);
    }
    CHECK(s.start_ns == 5 && s.ahead_bytes == 0);
}

/* The figure of the header; and once it is ahead, others are left alone. */
TEST(K_2_the_majority_in_any_order)
{
    rocecc_keyflow s = rocecc_keyflow_start(0);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 0xa, 1000, 0), NONE);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 0xa, 1000, 0), NONE);
    CHECK_EQ(s.ahead_bytes, 2000);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 0xb, 1000, 0), NONE);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 0xb, 1000, 0), NONE);
    CHECK(s.flow == 0xa && s.ahead_bytes == 0);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 0xb, 1000, 0), NONE);
    CHECK(s.flow == 0xb && s.ahead_bytes == 1000);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 0xb, 2000, 0), KEY);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 0xb, 2000, 0), KEY);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 0xa, 2000, 0), OTHER);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 0xa, 1, 0), NONE);
    CHECK_EQ(s.ahead_bytes, 2999);
}

TEST(K_3_who_is_overtaken)
{
    rocecc_keyflow s = rocecc_keyflow_start(0);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 1, 1000, 0), NONE);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 2, 4000, 0), KEY);
    CHECK(s.flow == 2 && s.ahead_bytes == 3000);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 2, UINT32_MAX, 0), KEY);
    CHECK_EQ(s.ahead_bytes, UINT64_C(4294970295));
}

TEST(K_4_a_count_ends)
{
    rocecc_keyflow s = rocecc_keyflow_start(1000);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 1, 9000, 1000), KEY);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 2, 64, 100999), OTHER);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 2, 64, 101000), NONE);
    CHECK(s.flow == 2 && s.ahead_bytes == 64 && s.start_ns == 101000);
}

/* Eight flows that are alike: nobody is to blame, and all are notified as without it.
 */
TEST(K_5_flows_that_are_alike)
{
    rocecc_keyflow s = rocecc_keyflow_start(0);
    uint32_t i;
    for (i = 0; i < 8000; i++)
        CHECK_EQ(rocecc_keyflow_step(&few, &s, i % 8, 1000, i), NONE);
}

TEST(K_6_a_clock_that_steps_back)
{
    rocecc_keyflow s = rocecc_keyflow_start(1000);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 1, 9000, 1000), KEY);
    CHECK_EQ(rocecc_keyflow_step(&few, &s, 2, 64, 999), NONE);
    CHECK(s.flow == 2 && s.ahead_bytes == 64 && s.start_ns == 999);
}

TEST(keyflow_traces)
{
    trace_check("keyflow", NULL, 0);
}

TEST(keyflow_law)
{
    law_random(law_keyflow, 20000);
}
