/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * icrc_pclmul.c - measures the ICRC with PCLMULQDQ as the hook, which valgrind can
 * count, beside zlib. Needs PCLMULQDQ.
 *
 * bench: libs: -lz
 */
#include "../../../examples/crc32/x86.h"
#define ROCECC_CRC32_UPDATE(state, b, n) crc32_pclmul(state, b, n)
#include "icrc_sides.h"

#include <zlib.h>

#define ZLIB_OF(n)                                                                     \
    static void zlib_##n(unsigned i)                                                   \
    {                                                                                  \
        bench_keep(crc32(i, side_bytes, n));                                           \
    }
ZLIB_OF(64)
ZLIB_OF(256)
ZLIB_OF(1024)
ZLIB_OF(4096)

static uint32_t zlib_crc(uint32_t crc, const uint8_t *b, size_t n)
{
    return (uint32_t)crc32(crc, b, (uInt)n);
}

static const bench_row rows[] = {
    {"ICRC of 64 B, PCLMULQDQ", "zlib", icrc_64, zlib_64, BENCH_INSTRUCTIONS, 1},
    {"ICRC of 256 B, PCLMULQDQ", "zlib", icrc_256, zlib_256, BENCH_INSTRUCTIONS, 1},
    {"ICRC of 1 KiB, PCLMULQDQ", "zlib", icrc_1024, zlib_1024, BENCH_INSTRUCTIONS, 1},
    {"ICRC of 4 KiB, PCLMULQDQ", "zlib", icrc_4096, zlib_4096, BENCH_INSTRUCTIONS, 1},
    {"CNP built, IPv4, PCLMULQDQ", "by hand", build_ours, build_by_hand,
     BENCH_INSTRUCTIONS, 1.1},
};

int main(int argc, char **argv)
{
    sides_start();
    sides_same_crc("zlib", zlib_crc);
    return BENCH_MAIN(rows);
}
