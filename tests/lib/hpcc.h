/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_HPCC_H
#define TESTS_LIB_HPCC_H

/* hpcc.h - the parameters that HPCC's tests reckon with by hand. */
#include "rocecc/algo/hpcc.h"

static inline bool near(uint64_t a, uint64_t b, uint64_t by)
{
    return a <= b + by && b <= a + by;
}

/* 3/4 of 0.95, with 20 bits: what a queue alone takes for the rate of its link (H-44). */
#define UNMETERED (UINT64_C(996147) * 3 << 10)

/* T of 10 us and links of 80 Gb/s, 10 bytes per ns: B T is 100,000 bytes. */
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
