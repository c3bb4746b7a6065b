/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * icrc_table.c - measures the ICRC with the default table, beside zlib.
 *
 * bench: libs: -lz
 */
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
    {"ICRC of 64 B, default table", "zlib", icrc_64, zlib_64, BENCH_BOTH, 1},
    {"ICRC of 256 B, default table", "zlib", icrc_256, zlib_256, BENCH_BOTH, 1},
    {"ICRC of 1 KiB, default table", "zlib", icrc_1024, zlib_1024, BENCH_BOTH, 1},
    {"ICRC of 4 KiB, default table", "zlib", icrc_4096, zlib_4096, BENCH_BOTH, 1},
};

int main(int argc, char **argv)
{
    sides_start();
    sides_same_crc("zlib", zlib_crc);
    return BENCH_MAIN(rows);
}
