/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * roles.c - the sender's gate and the switch, with PCLMULQDQ as the CRC: valgrind knows
 * no VPCLMULQDQ, and a Fast CNP is too short for it. It wants PCLMULQDQ.
 *
 * bench: with: gcc -O2
 * bench: with: clang-19 -O2
 * bench: with: clang-19 -Os
 */
#include "../../../examples/crc32/x86.h"
#define ROCECC_CRC32_UPDATE(state, b, n) crc32_pclmul(state, b, n)
#include "roles.h"

static const bench_row rows[] = {
    {"Fast CNP, frame to verdict", "by hand", gate_ours, gate_theirs, BENCH_BOTH, 2},
    {"Fast CNP, frame to verdict, index", "by hand", gate_indexed, gate_theirs,
     BENCH_BOTH, 1.5},
    {"data, frame to verdict", "walked and matched", gate_data, match_data, BENCH_BOTH,
     1.1},
    {"Fast CNP built about data", "by hand", build_ours, build_theirs, BENCH_BOTH, 2},
    {"switch, data to Fast CNP", "by hand", switch_ours, switch_theirs, BENCH_BOTH, 2},
    {"CNP, frame to verdict", NULL, gate_ordinary, NULL, BENCH_INSTRUCTIONS, 0},
    {"Fast CNP walked", NULL, walk_fast, NULL, BENCH_INSTRUCTIONS, 0},
    {"Fast CNP found", NULL, find_fast, NULL, BENCH_INSTRUCTIONS, 0},
    {"Fast CNP, ICRC verified", NULL, verify_fast, NULL, BENCH_INSTRUCTIONS, 0},
    {"Fast CNP, ICRC by hand", NULL, icrc_by_hand, NULL, BENCH_INSTRUCTIONS, 0},
};

int main(int argc, char **argv)
{
    roles_start();
    return BENCH_MAIN(rows);
}
