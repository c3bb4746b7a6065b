/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CRC32_CRC32_H
#define CRC32_CRC32_H

/*
 * crc32.h - rocecc's hook for the fastest kernel in this folder that the compiler's
 * flags allow (-mpclmul, -mvpclmulqdq, -march=native, -march=armv8-a+crc ...). If they
 * allow no kernel, rocecc uses its own tables. Include it before any header of rocecc.
 *
 * A host that selects a kernel at run time defines its own hook instead:
 *
 *     #include "x86.h"
 *     static bool has_vpclmul; // once: __builtin_cpu_supports("vpclmulqdq") and "avx2"
 *     #define ROCECC_CRC32_UPDATE(state, b, n)                                  \
 *         (has_vpclmul ? crc32_vpclmul(state, b, n) : crc32_pclmul(state, b, n))
 */
#if defined(__x86_64__) && defined(__PCLMUL__) && defined(__SSE4_1__)
#include "x86.h"
#if defined(__VPCLMULQDQ__) && defined(__AVX512F__) && defined(__AVX512VL__)
#define ROCECC_CRC32_UPDATE(state, b, n) crc32_avx512(state, b, n)
#elif defined(__VPCLMULQDQ__) && defined(__AVX2__)
#define ROCECC_CRC32_UPDATE(state, b, n) crc32_vpclmul(state, b, n)
#else
#define ROCECC_CRC32_UPDATE(state, b, n) crc32_pclmul(state, b, n)
#endif
#elif defined(__AARCH64EL__)
#include "arm.h"
#if defined(__ARM_FEATURE_AES) || defined(__ARM_FEATURE_CRYPTO)
#define ROCECC_CRC32_UPDATE(state, b, n) crc32_pmull(state, b, n)
#elif defined(__ARM_FEATURE_CRC32)
#define ROCECC_CRC32_UPDATE(state, b, n) crc32_armv8(state, b, n)
#endif
#elif defined(__riscv_zbc) && __riscv_xlen == 64
#include "riscv.h"
#define ROCECC_CRC32_UPDATE(state, b, n) crc32_zbc(state, b, n)
#endif

#endif /* CRC32_CRC32_H */
