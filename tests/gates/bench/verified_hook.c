/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * verified_hook.c - verified.c with PCLMULQDQ of examples/crc32 as the hook. valgrind
 * does not know VPCLMULQDQ, and a CNP is too short for it.
 */
#include "../../../examples/crc32/x86.h"
#define ROCECC_CRC32_UPDATE(state, b, n) crc32_pclmul(state, b, n)
#include "verified.h"

static const bench_row rows[] = {
    {"a CNP verified, as in the README, hook", NULL, verified, NULL, BENCH_INSTRUCTIONS,
     260},
    {"a CNP walked, hook", NULL, walked, NULL, BENCH_INSTRUCTIONS, 0},
    {"a CNP, ICRC verified, hook", NULL, icrc_verified, NULL, BENCH_INSTRUCTIONS, 0},
    {"a CNP parsed, hook", NULL, parsed, NULL, BENCH_INSTRUCTIONS, 0},
};

int main(int argc, char **argv)
{
    if (!__builtin_cpu_supports("pclmul")) {
        fputs("bench: verified_hook: no PCLMULQDQ on this CPU, skipped\n", stderr);
        return 0;
    }
    verified_start();
    return BENCH_MAIN(rows);
}
