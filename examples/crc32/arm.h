/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CRC32_ARM_H
#define CRC32_ARM_H

/*
 * arm.h - the CRC-32 of rocecc's ICRC on 64-bit little-endian ARMv8, for
 * ROCECC_CRC32_UPDATE.
 *
 *     crc32_armv8(state, b, n)     with -march=...+crc: CRC32B to CRC32X
 *     crc32_pmull(state, b, n)     with -march=...+aes, in GCC 12 +crypto: PMULL
 *
 * The CRC32 instructions take 8 bytes per step, and each step waits for the step
 * before. PMULL folds four 16-byte blocks in parallel. constants.h explains the
 * folding.
 */
#include "constants.h"

#include <arm_neon.h>
#include <stddef.h>
#include <string.h>

#if defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>

static inline uint32_t crc32_armv8(uint32_t state, const uint8_t *b, size_t n)
{
    uint64_t w;
    uint32_t half;
    for (; n >= 8; b += 8, n -= 8) {
        memcpy(&w, b, 8);
        state = __crc32d(state, w);
    }
    if (n >= 4) {
        memcpy(&half, b, 4);
        state = __crc32w(state, half);
        b += 4;
        n -= 4;
    }
    for (; n > 0; b++, n--)
        state = __crc32b(state, *b);
    return state;
}
#endif

#if defined(__ARM_FEATURE_AES) || defined(__ARM_FEATURE_CRYPTO)
/* Multiplies 64-bit values without carries, to 128 bits. */
static inline uint8x16_t crc32_pmull_times(uint64_t a, uint64_t b)
{
    return vreinterpretq_u8_p128(vmull_p64((poly64_t)a, (poly64_t)b));
}

static inline uint64_t crc32_pmull_low(uint8x16_t x)
{
    return vgetq_lane_u64(vreinterpretq_u64_u8(x), 0);
}

static inline uint64_t crc32_pmull_high(uint8x16_t x)
{
    return vgetq_lane_u64(vreinterpretq_u64_u8(x), 1);
}

/* Returns w * x^32 mod P. w has 8 message bytes, XORed with the state. */
static inline uint32_t crc32_pmull_8(uint64_t w)
{
    const uint64_t t = crc32_pmull_low(crc32_pmull_times(w, CRC32_INVERSE));
    return (uint32_t)crc32_pmull_high(crc32_pmull_times(t, CRC32_P));
}

/* Updates the state with n < 16 bytes, in parts of 8, 4 and at most 3 bytes. */
static inline uint32_t crc32_pmull_few(uint32_t state, const uint8_t *b, size_t n)
{
    uint64_t w = 0;
    uint32_t half;
    size_t i;
    if (n >= 8) {
        memcpy(&w, b, 8);
        state = crc32_pmull_8(w ^ state);
        b += 8;
        n -= 8;
    }
    if (n >= 4) {
        memcpy(&half, b, 4);
        state = crc32_pmull_8((uint64_t)(half ^ state) << 32);
        b += 4;
        n -= 4;
    }
    if (n == 0) return state;
    w = state;
    for (i = 0; i < n; i++)
        w ^= (uint64_t)b[i] << 8 * i;
    return crc32_pmull_8(w << (64 - 8 * n)) ^ state >> 8 * n;
}

/* Returns next + (low half of x) * first + (high half of x) * last. */
static inline uint8x16_t crc32_pmull_fold(uint8x16_t x, uint64_t first, uint64_t last,
                                          uint8x16_t next)
{
    return veorq_u8(veorq_u8(crc32_pmull_times(crc32_pmull_low(x), first), next),
                    crc32_pmull_times(crc32_pmull_high(x), last));
}

/* Reduces x and n more bytes to the state. At least 16 bytes must precede b. */
static inline uint32_t crc32_pmull_end(uint8x16_t x, const uint8_t *b, size_t n)
{
    /* Indices at n move bytes up by 16 - n, and at 16 + n down by n. 0x80 clears. */
    static const uint8_t move[48] = {
        0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
        0x80, 0x80, 0x80, 0x80, 0,    1,    2,    3,    4,    5,    6,    7,
        8,    9,    10,   11,   12,   13,   14,   15,   0x80, 0x80, 0x80, 0x80,
        0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
    uint64_t t;
    for (; n >= 16; b += 16, n -= 16)
        x = crc32_pmull_fold(x, CRC32_X160, CRC32_X96, vld1q_u8(b));
    if (n > 0) { /* n bytes after zeros, and then 16 bytes */
        const uint8x16_t up = vld1q_u8(move + n);
        const uint8x16_t down = vld1q_u8(move + 16 + n);
        const uint8x16_t kept = vcltq_u8(down, vdupq_n_u8(16));
        x = crc32_pmull_fold(vqtbl1q_u8(x, up), CRC32_X160, CRC32_X96,
                             vbslq_u8(kept, vqtbl1q_u8(x, down), vld1q_u8(b + n - 16)));
    }
    x = veorq_u8(crc32_pmull_times(crc32_pmull_low(x), CRC32_X96),
                 vextq_u8(x, vdupq_n_u8(0), 8));
    t = crc32_pmull_low(crc32_pmull_times(crc32_pmull_low(x), CRC32_INVERSE));
    return (uint32_t)crc32_pmull_high(veorq_u8(x, crc32_pmull_times(t, CRC32_P)));
}

static inline uint32_t crc32_pmull(uint32_t state, const uint8_t *b, size_t n)
{
    uint8x16_t x0, x1, x2, x3;
    if (n < 16) return crc32_pmull_few(state, b, n);
    x0 = veorq_u8(vld1q_u8(b),
                  vreinterpretq_u8_u32(vsetq_lane_u32(state, vdupq_n_u32(0), 0)));
    if (n < 64) return crc32_pmull_end(x0, b + 16, n - 16);
    x1 = vld1q_u8(b + 16);
    x2 = vld1q_u8(b + 32);
    x3 = vld1q_u8(b + 48);
    for (b += 64, n -= 64; n >= 64; b += 64, n -= 64) {
        x0 = crc32_pmull_fold(x0, CRC32_X544, CRC32_X480, vld1q_u8(b));
        x1 = crc32_pmull_fold(x1, CRC32_X544, CRC32_X480, vld1q_u8(b + 16));
        x2 = crc32_pmull_fold(x2, CRC32_X544, CRC32_X480, vld1q_u8(b + 32));
        x3 = crc32_pmull_fold(x3, CRC32_X544, CRC32_X480, vld1q_u8(b + 48));
    }
    x1 = crc32_pmull_fold(x0, CRC32_X160, CRC32_X96, x1);
    x2 = crc32_pmull_fold(x1, CRC32_X160, CRC32_X96, x2);
    x3 = crc32_pmull_fold(x2, CRC32_X160, CRC32_X96, x3);
    return crc32_pmull_end(x3, b, n);
}
#endif

#endif /* CRC32_ARM_H */
