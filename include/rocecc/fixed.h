/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_FIXED_H
#define ROCECC_FIXED_H

/*
 * fixed.h - integer arithmetic for algo/: limits, averages, serial numbers and
 * division. The results are bit-identical on all machines.
 *
 *     rocecc_ewma_q20(1000, 0, 0x10000) = 937      gain 1/16: 62.5 is rounded to 63
 *     rocecc_serial_after(3, 0xfffffffe) = true    3 is 5 steps later, after a wrap
 *
 * The suffix of a name gives the number format. For example, the unit of x_q20 is
 * 2^-20. Rates must be below ROCECC_RATE_END_BPS, so that the product of a rate and a
 * Q20 factor of at most 1 fits in 63 bits.
 */
#include "base.h"

#define ROCECC_RATE_END_BPS ((uint64_t)1 << 43) /* 8.79 Tb/s */
#define ROCECC_ONE_Q20 ((uint32_t)1 << 20)

/* A type for the product of two 64-bit numbers, if the compiler has such a type. */
#if defined(__SIZEOF_INT128__) && !defined(__bpf__) && !defined(__FRAMAC__)
#define ROCECC_HAS_UINT128_ 1
__extension__ typedef unsigned __int128 rocecc_uint128_;
#else
#define ROCECC_HAS_UINT128_ 0
#endif

/* Fails to compile if a type is larger than its documentation promises. */
#define ROCECC_SIZE_(type, bytes)                                                      \
    typedef char type##_size_[sizeof(type) <= (bytes) ? 1 : -1]

/* Returns the smaller number. */
ROCECC_FN uint64_t rocecc_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the larger number. */
ROCECC_FN uint64_t rocecc_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns `value`, limited to low .. high. `low` must not be above `high`. */
ROCECC_FN uint64_t rocecc_clamp(uint64_t value, uint64_t low, uint64_t high)
{
    return rocecc_min(rocecc_max(value, low), high);
}

/*
 * Returns true if a is later than b on a clock or counter that wraps at 2^32. The
 * condition is 0 < (a - b) mod 2^32 < 2^31. RFC 1982, section 3.2, leaves the
 * comparison undefined at a distance of 2^31. In this case, this function returns
 * false.
 */
ROCECC_FN bool rocecc_serial_after(uint32_t a, uint32_t b)
{
    return a - b - 1 < 0x7fffffffu;
}

/* Returns (a * b + addend) / 2^32, rounded down. The result must be below 2^64. */
ROCECC_FN uint64_t rocecc_mul_q32_(uint64_t a, uint64_t b, uint32_t addend)
{
#if ROCECC_HAS_UINT128_
    return (uint64_t)(((rocecc_uint128_)a * b + addend) >> 32);
#else
    const uint64_t low = b & 0xffffffffu;
    return a * (b >> 32) + (a >> 32) * low + (((a & 0xffffffffu) * low + addend) >> 32);
#endif
}

/* Returns true if a * b > c * d, computed without overflow. */
ROCECC_FN bool rocecc_mul_above_(uint64_t a, uint32_t b, uint64_t c, uint32_t d)
{
#if ROCECC_HAS_UINT128_
    return (rocecc_uint128_)a * b > (rocecc_uint128_)c * d;
#else
    const uint64_t ab = (a & 0xffffffffu) * b, cd = (c & 0xffffffffu) * d;
    uint64_t ab_high, cd_high;
    if ((a | c) >> 32 == 0) return ab > cd;
    ab_high = (a >> 32) * b + (ab >> 32);
    cd_high = (c >> 32) * d + (cd >> 32);
    return ab_high != cd_high ? ab_high > cd_high : (uint32_t)ab > (uint32_t)cd;
#endif
}

/*
 * Returns the next moving average, average + gain * (sample - average). gain_q20 must
 * be at most 2^20, which is a gain of 1. The step is rounded to the nearest integer. If
 * sample and average differ, the step is at least one unit, because otherwise the
 * average might never reach the sample. The average differs by less than 1 / gain units
 * from an average that is computed with exact steps.
 */
ROCECC_FN uint32_t rocecc_ewma_q20(uint32_t average, uint32_t sample, uint32_t gain_q20)
{
    const uint64_t distance = sample > average ? sample - average : average - sample;
    const uint64_t step = (distance * gain_q20 + (ROCECC_ONE_Q20 >> 1)) >> 20;
    const uint32_t least = distance != 0 && step == 0 ? 1 : (uint32_t)step;
    return sample > average ? average + least : average - least;
}

/*
 * Returns dividend / divisor, rounded down, on a machine that cannot divide. divisor
 * must not be 0. First, divisor is shifted left until its top bit is set. Three Newton
 * steps, each doubling the precision, then approximate 1 / divisor from below. Finally,
 * at most four rounds compute the quotient, about 29 bits per round. In all, the loops
 * run at most 6 + 3 + 4 rounds.
 */
ROCECC_FN uint64_t rocecc_div64_by_mul(uint64_t dividend, uint64_t divisor)
{
    uint64_t top = divisor, rest = dividend, quotient = 0, x;
    unsigned shift = 0, i;
    for (i = 32; i > 0; i >>= 1) {
        if (top >> (64 - i) != 0) continue;
        top <<= i;
        shift += i;
    }
    top = (top >> 32) + 1; /* in (1/2, 1] * 2^32, rounded up */
    /* 1 / top in Q30. The estimate 48/17 - 32/17 * top is accurate to 1/17 (4 bits). */
    x = 0xb4b4b4b4u - (0x78787879u * top >> 32);
    for (i = 0; i < 3; i++) /* x = x * (2 - top * x), from below */
        x = x * (((uint64_t)1 << 31) - ((top * x + 0xffffffffu) >> 32)) >> 30;
    for (i = 0; i < 4 && rest >= divisor; i++) {
        /* q = rest * 2x * 2^(shift - 95), from below; product in two halves */
        uint64_t q =
            ((rest >> 32) * (2 * x) + ((rest & 0xffffffffu) * (2 * x) >> 32)) >>
            (63 - shift);
        q = q > 0 ? q : 1;
        quotient += q;
        rest -= q * divisor;
    }
    return quotient;
}

#endif /* ROCECC_FIXED_H */
