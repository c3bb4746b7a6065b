/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * planted_algo.c - what defects that were planted in algo/ went through: each test is
 * red under one of them. The rules are of algo/README.md.
 */
#include "lib/test.h"
#include "rocecc/algo/abw.h"
#include "rocecc/algo/wred.h"

/* M-5: two windows to the ns; the second one had no byte, and another begins now. */
TEST(planted_M_5_two_windows_to_the_ns)
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
    act = rocecc_abw_step(&p, &s, 0, 1000 + 768000); /* half of what the link sends */
    CHECK_EQ(act.available_bps, UINT64_C(50000000000));
    CHECK_EQ(act.util_q20, 1 << 19);
}

/*
 * R-5: -1 says that no packet has been counted since avg was below min. A count that
 * has become as large as it can stays: it does not come to -1 by counting. maxp is 0,
 * so that no packet is marked in between.
 */
TEST(planted_R_5_a_count_does_not_wrap)
{
    rocecc_red_params p = rocecc_red_floyd(10000, 1000);
    rocecc_red s;
    int i;
    p.maxp_q32 = 0;
    p.gentle = false;
    CHECK_EQ(rocecc_red_init(&p), ROCECC_RED_ACCEPTED);
    s = rocecc_red_start(&p);
    s.avg_q32 = (uint64_t)20000 << 32;
    s.count = UINT32_MAX - 3;
    for (i = 0; i < 4; i++) {
        const rocecc_red_event e = {20000, ROCECC_ECN_ECT0, UINT32_MAX, 0};
        CHECK_EQ(rocecc_red_arrive(&p, &s, e), ROCECC_WRED_PASS);
        CHECK_EQ(s.count, i == 0 ? UINT32_MAX - 2 : UINT32_MAX - 1);
    }
}
