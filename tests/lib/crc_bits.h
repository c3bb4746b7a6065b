/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_CRC_BITS_H
#define TESTS_LIB_CRC_BITS_H

/*
 * crc_bits.h - computes the CRC-32 of an ICRC bit by bit, over 8 bytes of ones and n
 * bytes. The test must have set the variant fields in these bytes to ones.
 */
#include <stddef.h>
#include <stdint.h>

static inline uint32_t crc_bits(const uint8_t *b, size_t n)
{
    uint32_t crc = 0xffffffff;
    size_t i;
    int bit;
    for (i = 0; i < n + 8; i++) {
        crc ^= i < 8 ? 0xffu : b[i - 8];
        for (bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
    }
    return ~crc;
}

#endif
