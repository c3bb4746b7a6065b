/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_FIXED_H
#define TESTS_LAW_FIXED_H

#include "draw.h"
#include "rocecc/fixed.h"

/* Checks the bounds of averages and clamps, and exact division. */
LAW_FN uint32_t law_fixed(rocecc_reader r)
{
    uint32_t digest = LAW_START;
    int i;
    for (i = 0; i < LAW_EVENTS; i++) {
        const uint64_t n = law_u64(&r);
        const uint64_t d = law_scaled(&r) + 1;
        const uint32_t x = law_u32(&r);
        const uint32_t to = law_u32(&r);
        const uint32_t gain = law_u32(&r) % (ROCECC_ONE_Q20 + 1);
        const uint32_t y = rocecc_ewma_q20(x, to, gain);
        const uint64_t q = rocecc_div64_by_mul(n, d);
        LAW(q == n / d);
        LAW(x <= to ? x <= y && y <= to : to <= y && y <= x);
        LAW(x == to ? y == x : y != x); /* each step moves it */
        LAW(gain != ROCECC_ONE_Q20 || y == to);
        LAW(rocecc_serial_after(x, to) + rocecc_serial_after(to, x) <= 1);
        LAW(rocecc_serial_after(x + 1, x) && !rocecc_serial_after(x, x));
        LAW(rocecc_clamp(n, rocecc_min(x, to), rocecc_max(x, to)) <= (x > to ? x : to));
        digest = law_mix(digest, q);
        digest = law_mix(digest, y);
        digest = law_mix(digest, rocecc_serial_after(x, to));
    }
    return digest;
}

#endif /* TESTS_LAW_FIXED_H */
