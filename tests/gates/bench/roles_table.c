/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * roles_table.c - the sender's gate and the switch with the table of 1 KB that is there
 * unless another one is asked for.
 */
#include "roles.h"

static const bench_row rows[] = {
    {"Fast CNP, frame to verdict, table", "by hand", gate_ours, gate_theirs,
     BENCH_INSTRUCTIONS, 2},
    {"Fast CNP built about data, table", "by hand", build_ours, build_theirs,
     BENCH_INSTRUCTIONS, 2},
    {"switch, data to Fast CNP, table", "by hand", switch_ours, switch_theirs,
     BENCH_INSTRUCTIONS, 2},
    {"CNP, frame to verdict, table", NULL, gate_ordinary, NULL, BENCH_INSTRUCTIONS, 0},
    {"Fast CNP walked, table", NULL, walk_fast, NULL, BENCH_INSTRUCTIONS, 0},
    {"Fast CNP found, table", NULL, find_fast, NULL, BENCH_INSTRUCTIONS, 0},
    {"Fast CNP, ICRC verified, table", NULL, verify_fast, NULL, BENCH_INSTRUCTIONS, 0},
    {"Fast CNP, ICRC by hand, table", NULL, icrc_by_hand, NULL, BENCH_INSTRUCTIONS, 0},
};

int main(int argc, char **argv)
{
    roles_start();
    return BENCH_MAIN(rows);
}
