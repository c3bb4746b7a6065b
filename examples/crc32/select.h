/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CRC32_SELECT_H
#define CRC32_SELECT_H

/*
 * select.h - rocecc's hook for the fastest kernel in this folder that an x86-64 CPU
 * supports. It selects the kernel at run time, for programs that are built once and run
 * anywhere. On other CPUs or compilers it includes crc32.h, and the compiler's flags
 * decide. Include it before any header of rocecc.
 */
#if defined(__x86_64__) && defined(__GNUC__)
#include "x86.h"

/* Updates the state by half bytes, for CPUs from before 2010. */
static inline uint32_t crc32_nibbles(uint32_t state, const uint8_t *b, size_t n)
{
    static const uint32_t t[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                   0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                   0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                   0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    for (; n > 0; n--) {
        state ^= *b++;
        state = state >> 4 ^ t[state & 15];
        state = state >> 4 ^ t[state & 15];
    }
    return state;
}

static inline uint32_t crc32_select(uint32_t state, const uint8_t *b, size_t n)
{
    if (__builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx2"))
        return __builtin_cpu_supports("avx512vl") ? crc32_avx512(state, b, n)
                                                  : crc32_vpclmul(state, b, n);
    if (__builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1"))
        return crc32_pclmul(state, b, n);
    return crc32_nibbles(state, b, n);
}

#define ROCECC_CRC32_UPDATE(state, b, n) crc32_select(state, b, n)
#else
#include "crc32.h"
#endif

#endif /* CRC32_SELECT_H */
