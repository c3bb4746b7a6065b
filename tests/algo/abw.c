/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/abw.h"
#include "lib/test.h"
#include "lib/trace.h"

#define G UINT64_C(1000000000)
#define W 256000u

static rocecc_abw_params accepted_params(uint64_t rate_bps, uint32_t window_ns)
{
    rocecc_abw_params p = {rate_bps, window_ns, 0};
    CHECK_EQ(rocecc_abw_init(&p), ROCECC_ABW_ACCEPTED);
    return p;
}

static void expect_action(rocecc_abw_action act, uint64_t available_bps,
                          uint32_t util_q20)
{
    CHECK(act.known);
    CHECK_EQ(act.available_bps, available_bps);
    CHECK_EQ(act.util_q20, util_q20);
}

TEST(abw_init_rejects_rates_and_windows_out_of_range)
{
    rocecc_abw_params p = {0, W, 77};
    CHECK_EQ(rocecc_abw_init(&p), ROCECC_ABW_REFUSED_RATE);
    p.rate_bps = (uint64_t)1 << 43;
    CHECK_EQ(rocecc_abw_init(&p), ROCECC_ABW_REFUSED_RATE);
    p.rate_bps--;
    p.window_ns = 999;
    CHECK_EQ(rocecc_abw_init(&p), ROCECC_ABW_REFUSED_WINDOW);
    p.window_ns = (1 << 20) + 1;
    CHECK_EQ(rocecc_abw_init(&p), ROCECC_ABW_REFUSED_WINDOW);
    CHECK_EQ(p.full_bytes, 77);
    p.window_ns--;
    CHECK_EQ(rocecc_abw_init(&p), ROCECC_ABW_ACCEPTED);
    /* (2^43 - 1) * 2^20 / (8 * 10^9) = 1152921504.60... */
    CHECK_EQ(p.full_bytes, 1152921505);
    CHECK_EQ(accepted_params(100 * G, W).full_bytes, 3200000);
    CHECK_EQ(rocecc_abw_csig(5).window_ns, 256000);
}

/* M-1: a late call reports the window that has ended, and the next one begins at its
 * end. 2.4 MB and then 1.6 MB of 3.2 MB are sent. */
TEST(M_1_a_window_begins_where_the_last_one_ended)
{
    const rocecc_abw_params p = accepted_params(100 * G, W);
    rocecc_abw s = rocecc_abw_start(&p, 1000);
    (void)rocecc_abw_step(&p, &s, 2400000, 1000);
    expect_action(rocecc_abw_step(&p, &s, 1600000, 1000 + W + 500), 25 * G, 786432);
    CHECK_EQ(s.start_ns, 1000 + W); /* the window's end, not the time of the call */
    expect_action(rocecc_abw_step(&p, &s, 0, 1000 + 2 * W - 1), 25 * G, 786432);
    expect_action(rocecc_abw_step(&p, &s, 0, 1000 + 2 * W), 50 * G, 524288);
}

TEST(M_2_rounds_towards_congestion)
{
    rocecc_abw_params p =
        accepted_params(100 * G, 1000); /* a byte is 8 Mb/s, or 83.88 * 2^-20 */
    rocecc_abw s = rocecc_abw_start(&p, 0);
    (void)rocecc_abw_step(&p, &s, 1, 0);
    expect_action(rocecc_abw_step(&p, &s, 12499, 1000), 99992000000, 84);
    expect_action(rocecc_abw_step(&p, &s, 12500, 2000), 8000000, 1048493);
    expect_action(rocecc_abw_step(&p, &s, UINT64_MAX, 3000), 0, 1048576);
    expect_action(rocecc_abw_step(&p, &s, 0, 4000), 0,
                  1048576); /* more bytes than the link can send */
    expect_action(rocecc_abw_step(&p, &s, 0, 5000), 100 * G, 0);
    p = accepted_params(100 * G,
                        3000); /* 8 * 10^9 / 3000 = 2666666.67, and is rounded up */
    s = rocecc_abw_start(&p, 0);
    (void)rocecc_abw_step(&p, &s, 1, 0);
    expect_action(rocecc_abw_step(&p, &s, 0, 3000), 100 * G - 2666667, 28);
}

/* M-3: `known` is false, and the values are 0, until the first window ends. */
TEST(M_3_abw_is_unknown_until_the_first_window_ends)
{
    const rocecc_abw_params p = accepted_params(100 * G, W);
    rocecc_abw s = rocecc_abw_start(&p, 0);
    rocecc_abw_action act = rocecc_abw_step(&p, &s, 5, W - 1);
    CHECK(!act.known && act.available_bps == 0 && act.util_q20 == 0);
    act = rocecc_abw_step(&p, &s, 5, W);
    CHECK(act.known);
}

/* M-4: bytes that are reported at the end of a window belong to the next window. */
TEST(M_4_bytes_count_in_the_window_of_their_report)
{
    const rocecc_abw_params p = accepted_params(100 * G, W);
    rocecc_abw s = rocecc_abw_start(&p, 0);
    (void)rocecc_abw_step(&p, &s, 0, 0);
    expect_action(rocecc_abw_step(&p, &s, 3200000, W), 100 * G,
                  0); /* bytes at W belong to the next window */
    expect_action(rocecc_abw_step(&p, &s, 0, 2 * W), 0, 1048576);
}

/* M-5: after one window, its bytes count. After two, the link is idle, and a window
 * begins at the call. */
TEST(M_5_after_two_windows_of_silence_the_link_is_idle)
{
    const rocecc_abw_params p = accepted_params(100 * G, W);
    rocecc_abw s = rocecc_abw_start(&p, 0);
    (void)rocecc_abw_step(&p, &s, 3200000, 0);
    expect_action(rocecc_abw_step(&p, &s, 0, 2 * W - 1), 0,
                  1048576); /* one window has ended */
    s = rocecc_abw_start(&p, 0);
    (void)rocecc_abw_step(&p, &s, 3200000, 0);
    expect_action(rocecc_abw_step(&p, &s, 1600000, 2 * W + 7), 100 * G,
                  0); /* two windows have ended */
    CHECK_EQ(s.start_ns, 2 * W + 7);
    expect_action(rocecc_abw_step(&p, &s, 0, 3 * W + 7), 50 * G, 524288);
    expect_action(rocecc_abw_step(&p, &s, 0, UINT64_MAX), 100 * G, 0);
}

/* M-6: if the clock steps back, a window begins at the new time, and the known values
 * stay. */
TEST(M_6_a_clock_step_back_restarts_the_window)
{
    const rocecc_abw_params p = accepted_params(100 * G, W);
    rocecc_abw s = rocecc_abw_start(&p, 10 * W);
    (void)rocecc_abw_step(&p, &s, 2400000, 10 * W);
    expect_action(rocecc_abw_step(&p, &s, 1600000, 11 * W), 25 * G, 786432);
    expect_action(rocecc_abw_step(&p, &s, 800000, 5 * W), 25 * G,
                  786432); /* the known values stay */
    CHECK_EQ(s.start_ns, 5 * W);
    expect_action(rocecc_abw_step(&p, &s, 0, 6 * W), 75 * G, 262144);
}

TEST(abw_traces)
{
    trace_check("abw", NULL, 0);
}

TEST(abw_law)
{
    law_random(law_abw, 20000);
}

/* M-5: exactly two windows end. The second was empty, and another begins. */
TEST(M_5_an_empty_second_window_leaves_the_whole_link)
{
    rocecc_abw_params p = {UINT64_C(100000000000), 256000, 0};
    rocecc_abw s;
    rocecc_abw_action act;
    CHECK_EQ(rocecc_abw_init(&p), ROCECC_ABW_ACCEPTED);
    s = rocecc_abw_start(&p, 1000);
    (void)rocecc_abw_step(&p, &s, 3200000, 1000);
    act = rocecc_abw_step(&p, &s, 1600000, 1000 + 512000);
    CHECK(act.known);
    CHECK_EQ(act.available_bps, UINT64_C(100000000000));
    CHECK_EQ(act.util_q20, 0);
    CHECK_EQ(s.start_ns, 1000 + 512000);
    act = rocecc_abw_step(&p, &s, 0, 1000 + 768000); /* half of the link's capacity */
    CHECK_EQ(act.available_bps, UINT64_C(50000000000));
    CHECK_EQ(act.util_q20, 1 << 19);
}
