/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CRC32_CONSTANTS_H
#define CRC32_CONSTANTS_H

/*
 * constants.h - the multipliers of the kernels in this folder. The kernels fold as in
 * Intel's "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction"
 * (2009).
 *
 * A block with n bits after it counts as the block times x^n, modulo the polynomial P.
 * So a kernel multiplies a block by x^n mod P, without carries, and adds the product to
 * the block n bits later. A block of 128 bits needs two products of 64 bits.
 *
 * All bits are reflected. The first bit of a message has the highest power, and is the
 * lowest bit of a register. CRC32_Xn is x^n mod P, shifted left by 1, because the
 * product of two reflected registers is one bit short. x^n mod P fills the low 32 of 64
 * bits, so CRC32_Xn stands for 32 powers more.
 *
 *     folded by n bits = first 8 bytes * CRC32_X(n + 32) ^
 *                        last 8 bytes * CRC32_X(n - 32) ^ next block
 *
 * The state is the folded 128 bits times x^32, modulo P. x86.h and arm.h first reduce
 * this product to w, with 96 bits. Then they add the multiple of P that clears the low
 * 64 bits of w.
 *
 *     w     = first 8 bytes * CRC32_X96 ^ last 8 bytes
 *     t     = low 64 bits of (low 64 bits of w * CRC32_INVERSE)
 *     state = bits 64 to 95 of (w ^ t * CRC32_P)
 *
 * tests/gates/crc32/crc32.c checks each constant against 0xedb88320, bit by bit.
 */
#include <stdint.h>

#define CRC32_X96 UINT64_C(0x0ccaa009e) /* x^n mod P, reflected, shifted left by 1 */
#define CRC32_X160 UINT64_C(0x1751997d0)
#define CRC32_X224 UINT64_C(0x15a546366)
#define CRC32_X288 UINT64_C(0x0f1da05aa)
#define CRC32_X480 UINT64_C(0x1c6e41596)
#define CRC32_X544 UINT64_C(0x154442bd4)
#define CRC32_X992 UINT64_C(0x14a7fe880)
#define CRC32_X1056 UINT64_C(0x1e88ef372)
#define CRC32_X2016 UINT64_C(0x1322d1430)
#define CRC32_X2080 UINT64_C(0x11542778a)

/* P with its 33 bits, and its inverse. The low 64 bits of their product are 1. */
#define CRC32_P UINT64_C(0x1db710641)
#define CRC32_INVERSE UINT64_C(0xb4e5b025f7011641)

#endif /* CRC32_CONSTANTS_H */
