/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * planted_algo.c - what a defect that was planted in algo/ went through: the test is
 * red under it. The rules are of algo/README.md.
 */
#include "lib/test.h"
#include "rocecc/algo/abw.h"

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
