/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_HPCC_H
#define TESTS_LIB_HPCC_H

/* hpcc.h - parameters for HPCC tests with values computed by hand. */
#include "rocecc/algo/hpcc.h"

static inline bool near(uint64_t a, uint64_t b, uint64_t by)
{
    return a <= b + by && b <= a + by;
}

/*
 * 3/4 of 0.95, rounded to 20 bits, in units of 2^-32. It is the second term of a hop
 * that reports only its queue (H-44).
 */
#define UNMETERED (UINT64_C(996147) * 3 << 10)

/* Returns parameters with B T = 100,000 bytes, from 10 us and 80 Gb/s (10 bytes/ns). */
static inline rocecc_hpcc_params plain_params(void)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(UINT64_C(80000000000));
    p.base_rtt_ns = 10000;
    p.reorder_ns = 40000;
    p.w_blind_bytes = 5000;
    p.w_init_bytes = p.w_max_bytes = 100000;
    p.w_ai_q8 = 100 << 8;
    return p;
}

#endif /* TESTS_LIB_HPCC_H */
