/* SPDX-License-Identifier: BSD-2-Clause */

/* verified.c - measures the README's CNP with the default table of 1 KB. */
#include "verified.h"

static const bench_row rows[] = {
    {"a CNP verified, as in the README", NULL, verified, NULL, BENCH_INSTRUCTIONS, 550},
    {"a CNP walked", NULL, walked, NULL, BENCH_INSTRUCTIONS, 0},
    {"a CNP, ICRC verified", NULL, icrc_verified, NULL, BENCH_INSTRUCTIONS, 0},
    {"a CNP parsed", NULL, parsed, NULL, BENCH_INSTRUCTIONS, 0},
};

int main(int argc, char **argv)
{
    verified_start();
    return BENCH_MAIN(rows);
}
