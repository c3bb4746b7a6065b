/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Measures the ICRC with a kernel of examples/crc32 as the hook, beside ISA-L and
 * libdeflate. zlib is slower at every size. If the CPU lacks VPCLMULQDQ or AVX-512, it
 * prints a skip. valgrind knows neither.
 *
 * bench: times
 * bench: libs: -lisal -ldeflate
 */
#include "../../../examples/crc32/x86.h"
#define ROCECC_CRC32_UPDATE(state, b, n) crc32_avx512(state, b, n)
#include "icrc_sides.h"

#include <isa-l/crc.h>
#include <libdeflate.h>

#define BESIDE(n)                                                                      \
    static void isal_##n(unsigned i)                                                   \
    {                                                                                  \
        bench_keep(crc32_gzip_refl(i, side_bytes, n));                                 \
    }                                                                                  \
    static void deflate_##n(unsigned i)                                                \
    {                                                                                  \
        bench_keep(libdeflate_crc32(i, side_bytes, n));                                \
    }
BESIDE(64)
BESIDE(256)
BESIDE(1024)
BESIDE(4096)

static uint32_t isal_crc(uint32_t crc, const uint8_t *b, size_t n)
{
    return crc32_gzip_refl(crc, b, n);
}

static uint32_t deflate_crc(uint32_t crc, const uint8_t *b, size_t n)
{
    return libdeflate_crc32(crc, b, n);
}

static const bench_row rows[] = {
    {"ICRC of 64 B, hook, beside ISA-L", "ISA-L", icrc_64, isal_64, BENCH_NS, 1},
    {"ICRC of 64 B, hook, beside libdeflate", "libdeflate", icrc_64, deflate_64,
     BENCH_NS, 1},
    {"ICRC of 256 B, hook, beside ISA-L", "ISA-L", icrc_256, isal_256, BENCH_NS, 1},
    {"ICRC of 256 B, hook, beside libdeflate", "libdeflate", icrc_256, deflate_256,
     BENCH_NS, 1},
    {"ICRC of 1 KiB, hook, beside ISA-L", "ISA-L", icrc_1024, isal_1024, BENCH_NS, 1},
    {"ICRC of 1 KiB, hook, beside libdeflate", "libdeflate", icrc_1024, deflate_1024,
     BENCH_NS, 1},
    {"ICRC of 4 KiB, hook, beside ISA-L", "ISA-L", icrc_4096, isal_4096, BENCH_NS, 1},
    {"ICRC of 4 KiB, hook, beside libdeflate", "libdeflate", icrc_4096, deflate_4096,
     BENCH_NS, 1},
    {"icrc_patch, QP of a CNP, hook", NULL, patch_qp, NULL, BENCH_NS, 10},
    {"CNP built, IPv4, hook", "by hand", build_ours, build_by_hand, BENCH_NS, 1.1},
};

int main(int argc, char **argv)
{
    if (!__builtin_cpu_supports("vpclmulqdq") || !__builtin_cpu_supports("avx512vl")) {
        fflush(stdout);
        fputs("bench: icrc_hook: no VPCLMULQDQ with AVX-512 on this CPU, skipped: ",
              stderr);
        return system("sed -n 's/^model name.*: //p;T;q' /proc/cpuinfo >&2") != 0;
    }
    sides_start();
    sides_same_crc("ISA-L", isal_crc);
    sides_same_crc("libdeflate", deflate_crc);
    return BENCH_MAIN(rows);
}
