/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CRC32_X86_H
#define CRC32_X86_H

/*
 * x86.h - the CRC-32 of rocecc's ICRC on x86-64, for ROCECC_CRC32_UPDATE.
 *
 *     crc32_pclmul(state, b, n)     PCLMULQDQ and SSE4.1: from 2010 on
 *     crc32_vpclmul(state, b, n)    VPCLMULQDQ and AVX2: Ice Lake, Zen 3
 *     crc32_avx512(state, b, n)     VPCLMULQDQ and AVX-512: Ice Lake, Zen 4
 *
 * GCC and clang need no flag, because each function has a target attribute. Call a
 * function only if the CPU supports it (__builtin_cpu_supports("vpclmulqdq")).
 * constants.h explains the folding.
 */
#include "constants.h"

#include <immintrin.h>
#include <stddef.h>
#include <string.h>

#define CRC32_PCLMUL static inline __attribute__((target("pclmul,sse4.1")))
#define CRC32_VPCLMUL static inline __attribute__((target("avx2,pclmul,vpclmulqdq")))
#define CRC32_AVX512                                                                   \
    static inline __attribute__((target("avx512f,avx512vl,avx2,pclmul,vpclmulqdq")))

/* Returns w * x^32 mod P. w has 8 message bytes, XORed with the state. */
CRC32_PCLMUL uint32_t crc32_pclmul_8(uint64_t w)
{
    const __m128i k = _mm_set_epi64x(CRC32_P, (int64_t)CRC32_INVERSE);
    __m128i t = _mm_clmulepi64_si128(_mm_cvtsi64_si128((int64_t)w), k, 0x00);
    t = _mm_clmulepi64_si128(t, k, 0x10);
    return (uint32_t)_mm_extract_epi32(t, 2);
}

/* Updates the state with n < 16 bytes, in parts of 8, 4 and at most 3 bytes. */
CRC32_PCLMUL uint32_t crc32_pclmul_few(uint32_t state, const uint8_t *b, size_t n)
{
    uint64_t w = 0;
    uint32_t half;
    size_t i;
    if (n >= 8) {
        memcpy(&w, b, 8);
        state = crc32_pclmul_8(w ^ state);
        b += 8;
        n -= 8;
    }
    if (n >= 4) {
        memcpy(&half, b, 4);
        state = crc32_pclmul_8((uint64_t)(half ^ state) << 32);
        b += 4;
        n -= 4;
    }
    if (n == 0) return state;
    w = state;
    for (i = 0; i < n; i++)
        w ^= (uint64_t)b[i] << 8 * i;
    return crc32_pclmul_8(w << (64 - 8 * n)) ^ state >> 8 * n;
}

CRC32_PCLMUL __m128i crc32_pclmul_load(const uint8_t *b)
{
    return _mm_loadu_si128((const __m128i *)(const void *)b);
}

/* Returns `next` plus the products of x's and k's low halves and high halves. */
CRC32_PCLMUL __m128i crc32_pclmul_fold(__m128i x, __m128i k, __m128i next)
{
    return _mm_xor_si128(_mm_xor_si128(_mm_clmulepi64_si128(x, k, 0x00), next),
                         _mm_clmulepi64_si128(x, k, 0x11));
}

/* Reduces x and n more bytes to the state. At least 16 bytes must precede b. */
CRC32_PCLMUL uint32_t crc32_pclmul_end(__m128i x, const uint8_t *b, size_t n)
{
    /* Indices at n move bytes up by 16 - n, and at 16 + n down by n. 0x80 clears. */
    static const uint8_t move[48] = {
        0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
        0x80, 0x80, 0x80, 0x80, 0,    1,    2,    3,    4,    5,    6,    7,
        8,    9,    10,   11,   12,   13,   14,   15,   0x80, 0x80, 0x80, 0x80,
        0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
    const __m128i k128 = _mm_set_epi64x(CRC32_X96, CRC32_X160);
    const __m128i k = _mm_set_epi64x((int64_t)CRC32_INVERSE, CRC32_X96);
    const __m128i p = _mm_set_epi64x(0, CRC32_P);
    __m128i t;
    for (; n >= 16; b += 16, n -= 16)
        x = crc32_pclmul_fold(x, k128, crc32_pclmul_load(b));
    if (n > 0) { /* n bytes after zeros, and then 16 bytes */
        const __m128i up = crc32_pclmul_load(move + n);
        const __m128i down = crc32_pclmul_load(move + 16 + n);
        const __m128i last = crc32_pclmul_load(b + n - 16);
        x = crc32_pclmul_fold(_mm_shuffle_epi8(x, up), k128,
                              _mm_blendv_epi8(_mm_shuffle_epi8(x, down), last, down));
    }
    x = _mm_xor_si128(_mm_clmulepi64_si128(x, k, 0x00), _mm_srli_si128(x, 8));
    t = _mm_clmulepi64_si128(x, k, 0x10);
    t = _mm_clmulepi64_si128(t, p, 0x00);
    return (uint32_t)_mm_extract_epi32(_mm_xor_si128(x, t), 2);
}

CRC32_PCLMUL uint32_t crc32_pclmul(uint32_t state, const uint8_t *b, size_t n)
{
    const __m128i k512 = _mm_set_epi64x(CRC32_X480, CRC32_X544);
    const __m128i k128 = _mm_set_epi64x(CRC32_X96, CRC32_X160);
    __m128i x0, x1, x2, x3;
    if (n < 16) return crc32_pclmul_few(state, b, n);
    x0 = _mm_xor_si128(crc32_pclmul_load(b), _mm_cvtsi32_si128((int)state));
    if (n < 64) return crc32_pclmul_end(x0, b + 16, n - 16);
    x1 = crc32_pclmul_load(b + 16);
    x2 = crc32_pclmul_load(b + 32);
    x3 = crc32_pclmul_load(b + 48);
    for (b += 64, n -= 64; n >= 64; b += 64, n -= 64) {
        x0 = crc32_pclmul_fold(x0, k512, crc32_pclmul_load(b));
        x1 = crc32_pclmul_fold(x1, k512, crc32_pclmul_load(b + 16));
        x2 = crc32_pclmul_fold(x2, k512, crc32_pclmul_load(b + 32));
        x3 = crc32_pclmul_fold(x3, k512, crc32_pclmul_load(b + 48));
    }
    x1 = crc32_pclmul_fold(x0, k128, x1);
    x2 = crc32_pclmul_fold(x1, k128, x2);
    x3 = crc32_pclmul_fold(x2, k128, x3);
    return crc32_pclmul_end(x3, b, n);
}

CRC32_VPCLMUL __m256i crc32_vpclmul_load(const uint8_t *b)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)b);
}

CRC32_VPCLMUL __m256i crc32_vpclmul_fold(__m256i x, __m256i k, __m256i next)
{
    return _mm256_xor_si256(
        _mm256_xor_si256(_mm256_clmulepi64_epi128(x, k, 0x00), next),
        _mm256_clmulepi64_epi128(x, k, 0x11));
}

/* Works like crc32_pclmul(). If n >= 128, registers hold two 16-byte blocks. */
CRC32_VPCLMUL uint32_t crc32_vpclmul(uint32_t state, const uint8_t *b, size_t n)
{
    const __m256i k1024 =
        _mm256_set_epi64x(CRC32_X992, CRC32_X1056, CRC32_X992, CRC32_X1056);
    const __m256i k256 =
        _mm256_set_epi64x(CRC32_X224, CRC32_X288, CRC32_X224, CRC32_X288);
    const __m128i k128 = _mm_set_epi64x(CRC32_X96, CRC32_X160);
    __m256i x0, x1, x2, x3;
    if (n < 128) return crc32_pclmul(state, b, n);
    x0 = _mm256_xor_si256(crc32_vpclmul_load(b),
                          _mm256_zextsi128_si256(_mm_cvtsi32_si128((int)state)));
    x1 = crc32_vpclmul_load(b + 32);
    x2 = crc32_vpclmul_load(b + 64);
    x3 = crc32_vpclmul_load(b + 96);
    for (b += 128, n -= 128; n >= 128; b += 128, n -= 128) {
        x0 = crc32_vpclmul_fold(x0, k1024, crc32_vpclmul_load(b));
        x1 = crc32_vpclmul_fold(x1, k1024, crc32_vpclmul_load(b + 32));
        x2 = crc32_vpclmul_fold(x2, k1024, crc32_vpclmul_load(b + 64));
        x3 = crc32_vpclmul_fold(x3, k1024, crc32_vpclmul_load(b + 96));
    }
    x1 = crc32_vpclmul_fold(x0, k256, x1);
    x2 = crc32_vpclmul_fold(x1, k256, x2);
    x3 = crc32_vpclmul_fold(x2, k256, x3);
    for (; n >= 32; b += 32, n -= 32)
        x3 = crc32_vpclmul_fold(x3, k256, crc32_vpclmul_load(b));
    return crc32_pclmul_end(crc32_pclmul_fold(_mm256_castsi256_si128(x3), k128,
                                              _mm256_extracti128_si256(x3, 1)),
                            b, n);
}

CRC32_AVX512 __m512i crc32_avx512_load(const uint8_t *b)
{
    return _mm512_loadu_si512((const void *)b);
}

CRC32_AVX512 __m512i crc32_avx512_fold(__m512i x, __m512i k, __m512i next)
{
    return _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(x, k, 0x00),
                                     _mm512_clmulepi64_epi128(x, k, 0x11), next,
                                     0x96); /* XOR of the three */
}

/* Works like crc32_vpclmul(). If n >= 256, registers hold four 16-byte blocks. */
CRC32_AVX512 uint32_t crc32_avx512(uint32_t state, const uint8_t *b, size_t n)
{
    const __m512i k2048 =
        _mm512_broadcast_i32x4(_mm_set_epi64x(CRC32_X2016, CRC32_X2080));
    const __m512i k512 = _mm512_broadcast_i32x4(_mm_set_epi64x(CRC32_X480, CRC32_X544));
    const __m128i k128 = _mm_set_epi64x(CRC32_X96, CRC32_X160);
    __m512i x0, x1, x2, x3;
    __m128i x;
    if (n < 256) return crc32_vpclmul(state, b, n);
    x0 = _mm512_xor_si512(crc32_avx512_load(b),
                          _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)state)));
    x1 = crc32_avx512_load(b + 64);
    x2 = crc32_avx512_load(b + 128);
    x3 = crc32_avx512_load(b + 192);
    for (b += 256, n -= 256; n >= 256; b += 256, n -= 256) {
        x0 = crc32_avx512_fold(x0, k2048, crc32_avx512_load(b));
        x1 = crc32_avx512_fold(x1, k2048, crc32_avx512_load(b + 64));
        x2 = crc32_avx512_fold(x2, k2048, crc32_avx512_load(b + 128));
        x3 = crc32_avx512_fold(x3, k2048, crc32_avx512_load(b + 192));
    }
    x1 = crc32_avx512_fold(x0, k512, x1);
    x2 = crc32_avx512_fold(x1, k512, x2);
    x3 = crc32_avx512_fold(x2, k512, x3);
    for (; n >= 64; b += 64, n -= 64)
        x3 = crc32_avx512_fold(x3, k512, crc32_avx512_load(b));
    x = _mm512_castsi512_si128(x3);
    x = crc32_pclmul_fold(x, k128, _mm512_extracti32x4_epi32(x3, 1));
    x = crc32_pclmul_fold(x, k128, _mm512_extracti32x4_epi32(x3, 2));
    x = crc32_pclmul_fold(x, k128, _mm512_extracti32x4_epi32(x3, 3));
    return crc32_pclmul_end(x, b, n);
}

#endif /* CRC32_X86_H */
