/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * icrc.c - a patch of an ICRC; a CNP written whole, beside the same bytes from the same
 * struct by hand. icrc_table.c has the ICRC itself, icrc_hook.c the kernels.
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
