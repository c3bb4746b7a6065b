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
