/* SPDX-License-Identifier: BSD-2-Clause */

/* dcqcn_edges.c - what DCQCN's parameters derive, at its edges. */
#include "lib/test.h"
#include "rocecc/algo/dcqcn.h"

/*
 * Squares of fractions of 64 bits, rounded down: of the largest, (2^64 - 1)^2 / 2^64;
 * of 2^32 + 3 2^29, 121/64, where the middle's halves must not count thrice.
 */
TEST(edges_dcqcn_squares_round_down)
{
    CHECK_EQ(rocecc_dcqcn_square_q64_(UINT64_MAX), UINT64_MAX - 1);
    CHECK_EQ(rocecc_dcqcn_square_q64_(UINT64_C(0x160000000)), 1);
    CHECK_EQ(rocecc_dcqcn_square_q64_((uint64_t)1 << 63), (uint64_t)1 << 62);
    CHECK_EQ(rocecc_dcqcn_square_q64_(UINT32_MAX), 0);
}

/* D-33: alpha is by the count alone, whatever else the state says: once 1 - g of 1. */
TEST(edges_dcqcn_alpha_of_one_timer)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(UINT64_C(40000000000));
    rocecc_dcqcn s;
    CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
    s = rocecc_dcqcn_start(&p);
    CHECK_EQ(rocecc_dcqcn_alpha_q31(&p, &s), (uint32_t)1 << 31);
    s.decays = 1;
    CHECK_EQ(rocecc_dcqcn_alpha_q31(&p, &s), ((uint32_t)1 << 31) - ((uint32_t)1 << 23));
}

/* D-32, with R_AI that is more than the line: R_C and R_T are at line all the same, and
 * the increase timer stops. */
TEST(edges_dcqcn_stops_at_line_with_a_large_step)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(UINT64_C(40000000000));
    rocecc_dcqcn_action act;
    rocecc_dcqcn s;
    int i;
    p.ai_bps = ROCECC_RATE_END_BPS - 1;
    CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
    s = rocecc_dcqcn_start(&p);
    act = rocecc_dcqcn_cnp(&p, &s);
    CHECK(act.cut && act.rate_bps == UINT64_C(20000000000));
    for (i = 0; i < 64 && s.rate_bps < p.line_bps; i++) {
        CHECK((act.arm & ROCECC_DCQCN_TIMER_INCREASE) != 0 && act.stop == 0);
        act = rocecc_dcqcn_increase_timer(&p, &s);
    }
    CHECK(s.rate_bps == p.line_bps && s.target_bps == p.line_bps);
    CHECK_EQ(act.arm, 0);
    CHECK_EQ(act.stop, ROCECC_DCQCN_TIMER_INCREASE);
}

/*
 * D-6, D-7: a cut leaves at least min_dec R_C. Half of an odd rate lies between two,
 * which are as near, and of which only the upper one is not less.
 */
TEST(edges_dcqcn_half_of_an_odd_rate)
{
    rocecc_dcqcn_params p = rocecc_dcqcn_paper(UINT64_C(40000000001));
    rocecc_dcqcn_action act;
    rocecc_dcqcn s;
    p.cut_shift = 0;
    p.min_dec_q20 = 1 << 19;
    CHECK_EQ(rocecc_dcqcn_init(&p), ROCECC_DCQCN_ACCEPTED);
    s = rocecc_dcqcn_start(&p);
    act = rocecc_dcqcn_cnp(&p, &s);
    CHECK(act.cut);
    CHECK_EQ(act.rate_bps, UINT64_C(20000000001));
}
