/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CRC32_RISCV_H
#define CRC32_RISCV_H

/*
 * riscv.h - the CRC-32 of rocecc's ICRC on 64-bit RISC-V with -march=..._zbc, for
 * ROCECC_CRC32_UPDATE.
 *
 *     crc32_zbc(state, b, n)     CLMUL and CLMULH, the halves of a product
 *
 * Two registers hold a 16-byte block. constants.h explains the folding. Inline assembly
 * replaces the Zbc intrinsics, because compilers before GCC 14 lack them.
 */
#include "constants.h"

#include <stddef.h>
#include <string.h>

#if defined(__riscv_zbc) && __riscv_xlen == 64
static inline uint64_t crc32_zbc_low(uint64_t a, uint64_t b)
{
    uint64_t x;
    __asm__("clmul %0, %1, %2" : "=r"(x) : "r"(a), "r"(b));
    return x;
}

static inline uint64_t crc32_zbc_high(uint64_t a, uint64_t b)
{
    uint64_t x;
    __asm__("clmulh %0, %1, %2" : "=r"(x) : "r"(a), "r"(b));
    return x;
}

/* Returns w * x^32 mod P. w has 8 message bytes, XORed with the state. */
static inline uint32_t crc32_zbc_8(uint64_t w)
{
    return (uint32_t)crc32_zbc_high(crc32_zbc_low(w, CRC32_INVERSE), CRC32_P);
}

/* Loads n <= 8 bytes, low byte first. Unaligned loads may be slow, or not allowed. */
static inline uint64_t crc32_zbc_load(const uint8_t *b, size_t n)
{
    uint64_t w = 0;
    size_t i;
    for (i = 0; i < n; i++)
        w |= (uint64_t)b[i] << 8 * i;
    return w;
}

static inline uint32_t crc32_zbc(uint32_t state, const uint8_t *b, size_t n)
{
    uint64_t w;
    if (n >= 32) {
        uint64_t first = crc32_zbc_load(b, 8) ^ state;
        uint64_t last = crc32_zbc_load(b + 8, 8);
        for (b += 16, n -= 16; n >= 16; b += 16, n -= 16) {
            w = crc32_zbc_low(first, CRC32_X160) ^ crc32_zbc_low(last, CRC32_X96);
            last = crc32_zbc_high(first, CRC32_X160) ^ crc32_zbc_high(last, CRC32_X96) ^
                   crc32_zbc_load(b + 8, 8);
            first = w ^ crc32_zbc_load(b, 8);
        }
        state = crc32_zbc_8(last ^ crc32_zbc_8(first));
    }
    for (; n >= 8; b += 8, n -= 8)
        state = crc32_zbc_8(crc32_zbc_load(b, 8) ^ state);
    if (n >= 4) {
        state = crc32_zbc_8((crc32_zbc_load(b, 4) ^ state) << 32);
        b += 4;
        n -= 4;
    }
    if (n == 0) return state;
    w = state ^ crc32_zbc_load(b, n);
    return crc32_zbc_8(w << (64 - 8 * n)) ^ state >> 8 * n;
}
#endif

#endif /* CRC32_RISCV_H */
