/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

/*
 * bench.h - what an operation costs beside what people would use instead. A program per
 * noun has a table of rows; bench.sh builds it with each compiler and judges the rows.
 *
 *     static void ours(unsigned i) {...}     once, on the i-th of the inputs
 *     static void theirs(unsigned i) {...}
 *     static const bench_row rows[] = {
 *         {"ICRC of 1 KiB", "zlib", ours, theirs, BENCH_NS, 1 / 1.3},
 *     };
 *     int main(int argc, char **argv) { return BENCH_MAIN(rows); }
 *
 * In the program's head, for bench.sh:
 *     bench: libs: -lz              what it is linked with, or
 *     bench: pkg: libdpdk           what pkg-config knows
 *     bench: with: gcc -O2          a line for each compiler; else gcc and clang-19 -O2
 *     bench: arguments: --no-huge   what it is run with
 *
 * Instructions are callgrind's: BENCH_CALLS calls of each side, less those of a call
 * that does nothing. Nanoseconds are medians of rounds in which both sides run one
 * after the other, so that the ratio is of one moment. What must not be dropped by the
 * compiler goes to bench_keep().
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <valgrind/callgrind.h>

#define BENCH_CALLS 1000u
#define BENCH_ROUNDS 41
#define BENCH_ROUND_NS 1e6 /* of each side, at least */

typedef enum bench_unit { BENCH_INSTRUCTIONS, BENCH_NS } bench_unit;

typedef struct bench_row {
    const char *operation;
    const char *peer;           /* NULL: nobody, and goal is in units */
    void (*ours)(unsigned i);   /* once */
    void (*theirs)(unsigned i); /* once; NULL without a peer */
    bench_unit unit;
    double goal; /* ours / theirs is to be at most this */
} bench_row;

/* x was computed: the compiler must not leave it out. */
#define bench_keep(x) __asm__ volatile("" : : "r,m"(x) : "memory")

static void bench_nothing(unsigned i)
{
    bench_keep(i);
}

static double bench_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* n calls, as many for each side: nanoseconds per call. */
static double bench_time(void (*run)(unsigned i), unsigned n, unsigned first)
{
    double from = bench_now_ns();
    unsigned i;
    for (i = 0; i < n; i++)
        run(first + i);
    return (bench_now_ns() - from) / n;
}

static int bench_by_value(const void *a, const void *b)
{
    const double *x = (const double *)a, *y = (const double *)b;
    return (*x > *y) - (*x < *y);
}

static double bench_median(double *x)
{
    qsort(x, BENCH_ROUNDS, sizeof *x, bench_by_value);
    return x[BENCH_ROUNDS / 2];
}

static void bench_row_ns(const bench_row *r)
{
    double ours[BENCH_ROUNDS], theirs[BENCH_ROUNDS], ratio[BENCH_ROUNDS];
    unsigned n = 256, k, first = 0; /* a call may be one of a burst */
    while (bench_time(r->ours, n, 0) * n < BENCH_ROUND_NS && n < 1u << 24)
        n *= 2;
    for (k = 0; k < BENCH_ROUNDS; k++, first += n) {
        ours[k] = bench_time(r->ours, n, first);
        theirs[k] = r->theirs == NULL ? 1 : bench_time(r->theirs, n, first);
        ratio[k] = ours[k] / theirs[k];
    }
    printf("%s\t%.1f\t%s\t", r->operation, bench_median(ours), r->peer ? r->peer : "-");
    if (r->peer == NULL)
        printf("-\tns\t-\t%.4g\n", r->goal);
    else
        printf("%.1f\tns\t%.3f\t%.4g\n", bench_median(theirs), bench_median(ratio),
               r->goal);
}

static void bench_count(void (*run)(unsigned i), const char *name)
{
    unsigned i;
    run(0); /* what is done once is done */
    CALLGRIND_ZERO_STATS;
    for (i = 0; i < BENCH_CALLS; i++)
        run(i);
    CALLGRIND_DUMP_STATS_AT(name);
}

/*
 * With "ns" it measures the rows in nanoseconds and prints them, as bench.tsv has them;
 * with "count", under callgrind, it runs the others, and each side is a dump whose name
 * is the row's number and side; with "rows" it prints these rows without the counts.
 */
static int bench_main(int argc, char **argv, const bench_row *rows, size_t n)
{
    const char *mode = argc > 1 ? argv[argc - 1] : "ns";
    char name[40];
    size_t k;
    if (strcmp(mode, "count") == 0) bench_count(bench_nothing, "nothing");
    for (k = 0; k < n; k++) {
        const bench_row *r = &rows[k];
        if (r->unit == BENCH_NS) {
            if (strcmp(mode, "ns") == 0) bench_row_ns(r);
        } else if (strcmp(mode, "count") == 0) {
            snprintf(name, sizeof name, "%zu-ours", k);
            bench_count(r->ours, name);
            snprintf(name, sizeof name, "%zu-theirs", k);
            if (r->theirs != NULL) bench_count(r->theirs, name);
        } else if (strcmp(mode, "rows") == 0) {
            printf("%zu\t%s\t%s\t%.4g\n", k, r->operation, r->peer ? r->peer : "-",
                   r->goal);
        }
    }
    return 0;
}

#define BENCH_MAIN(rows) bench_main(argc, argv, rows, sizeof(rows) / sizeof((rows)[0]))

#endif /* TESTS_BENCH_BENCH_H */
