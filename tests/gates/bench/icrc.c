/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * icrc.c - measures a patch of an ICRC, and a CNP beside the same bytes written by hand
 * from the same struct. icrc_table.c has the ICRC, icrc_hook.c the kernels.
 */
#include "icrc_sides.h"

static const bench_row rows[] = {
    {"icrc_patch, any of 4 KiB", NULL, patch_any, NULL, BENCH_NS, 100},
    {"icrc_patch, QP of a CNP", NULL, patch_qp, NULL, BENCH_NS, 10},
    {"CNP built, IPv4", "by hand", build_ours, build_by_hand, BENCH_BOTH, 1.1},
};

int main(int argc, char **argv)
{
    sides_start();
    return BENCH_MAIN(rows);
}
