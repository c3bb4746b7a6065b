/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * The ICRC without the hook, with 16 KB of tables, beside zlib; a patch; a CNP written
 * whole, beside the same bytes from the same struct by hand. icrc_hook.c has the
 * kernels. bench: libs: -lz
 */
#define ROCECC_ICRC_TABLE_BYTES 16384
#include "icrc_sides.h"

#include <zlib.h>

static void zlib_1024(unsigned i)
{
    bench_keep(crc32(i, side_bytes, 1024));
}

static uint32_t zlib_crc(uint32_t crc, const uint8_t *b, size_t n)
{
    return (uint32_t)crc32(crc, b, (uInt)n);
}

static const bench_row rows[] = {
    {"ICRC of 1 KiB, 16 KB of tables", "zlib", icrc_1024, zlib_1024, BENCH_INSTRUCTIONS,
     1},
    {"ICRC of 1 KiB, 16 KB of tables", "zlib", icrc_1024, zlib_1024, BENCH_NS, 1 / 1.3},
    {"icrc_patch, any of 4 KiB", NULL, patch_any, NULL, BENCH_NS, 100},
    {"icrc_patch, QP of a CNP", NULL, patch_qp, NULL, BENCH_NS, 10},
    {"CNP built, IPv4", "by hand", build_ours, build_by_hand, BENCH_BOTH, 1.1},
};

int main(int argc, char **argv)
{
    sides_start();
    sides_same_crc("zlib", zlib_crc);
    return BENCH_MAIN(rows);
}
