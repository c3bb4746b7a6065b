/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CRC32_CONSTANTS_H
#define CRC32_CONSTANTS_H

/*
 * constants.h - what the kernels of this folder multiply by. They fold, as in Intel's
 * "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction" (2009).
 *
 * A block of a message counts as itself times x^n, n being the bits after it, modulo
 * the polynomial P. So it may be added to the block n bits later, once it is multiplied
 * by x^n mod P, without carries: two products of 64 bits for a block of 128. All bits
 * are reflected: the first bit of a message, the highest power, is the lowest bit of
 * its register. CRC32_X96 and so on are x^n mod P, shifted left by 1 since the product
 * of two reflected registers is one bit short; as their 32 bits are the low ones of 64,
 * they stand for 32 powers more.
 *
 *     fold by n bits:  first 8 bytes * x^(n + 32)  ^  last 8 bytes * x^(n - 32)  ^ next
 *
 * What is left in the end are 128 bits; they times x^32, modulo P, are the state. So
 * the multiple of P is added that makes the low 64 bits of 96 become 0: w = first 8
 * bytes * x^96 ^ last 8 bytes              bits 0 to 95 t = low 64 bits of (low 64 bits
 * of w * CRC32_INVERSE) state = bits 64 to 95 of (w ^ t * CRC32_P)           bits 0 to
 * 63 have become 0
 *
 * tests/gates/crc32/crc32.c computes each from 0xedb88320, bit by bit.
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

/* P itself, of 33 bits, and what times P is 1 in the low 64 bits. */
#define CRC32_P UINT64_C(0x1db710641)
#define CRC32_INVERSE UINT64_C(0xb4e5b025f7011641)

#endif /* CRC32_CONSTANTS_H */
