/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

/*
 * bench.h - measures the cost of an operation beside the code that people would use
 * instead. Each noun has a program with a table of rows. bench.sh builds it with each
 * compiler, and judge.py judges the rows.
 *
 *     static void ours(unsigned i) {...}     runs once, on input i
 *     static void theirs(unsigned i) {...}
 *     static const bench_row rows[] = {
 *         {"ICRC of 1 KiB", "zlib", ours, theirs, BENCH_BOTH, 1},
 *     };
 *     int main(int argc, char **argv)
 *     {
 *         ... both sides give the same answers, or bench_differs(...)
 *         return BENCH_MAIN(rows);
 *     }
 *
 * In the program's first comment, for bench.sh:
 *     bench: libs: -lz              libraries to link, or
 *     bench: pkg: libdpdk           a name that pkg-config knows
 *     bench: with: gcc -O2          a line for each compiler; else gcc and clang-19 -O2
 *     bench: times                  every row is a time: CI does not build the program
 *
 * callgrind counts the instructions of BENCH_CALLS calls of a side, minus as many empty
 * calls. The stack starts at a page boundary, so that neither the environment nor the
 * arguments change the alignment for memmove().
 *
 * Nanoseconds are CPU time of the thread. Both sides and an empty call take turns in
 * batches of about BENCH_BATCH_NS, which are too short for most preemptions to fall
 * into one. A side's result is its least time per call, minus the least time of an
 * empty call, because a busy neighbour can only add time. A value that the compiler
 * must not drop goes to bench_keep().
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <valgrind/callgrind.h>

#define BENCH_CALLS 1600u /* whole rounds of all inputs, and whole bursts of 32 */
#define BENCH_BATCH_NS 5e4
#define BENCH_BATCHES 20u /* per visit to a row */
#define BENCH_VISITS 30u
#ifndef BENCH_CALLS_MAX
#define BENCH_CALLS_MAX 0x7fffffffu /* timed calls before a cold input repeats */
#endif

typedef enum bench_unit {
    BENCH_INSTRUCTIONS = 1,
    BENCH_NS = 2,
    BENCH_BOTH = 3 /* one row for each */
} bench_unit;

typedef struct bench_row {
    const char *operation;
    const char *peer;           /* NULL: no peer, and `goal` is in units */
    void (*ours)(unsigned i);   /* runs once */
    void (*theirs)(unsigned i); /* runs once; NULL without a peer */
    bench_unit unit;
    double goal; /* maximum ours / theirs; 0 for a part that `missed` names */
} bench_row;

/* Keeps the compiler from dropping the computation of x. */
#define bench_keep(x) __asm__ volatile("" : : "r,m"(x) : "memory")

/* Hides a function from the compiler, which could inline it into the loop. */
#define bench_hide(function) __asm__ volatile("" : "+r"(function))

/* Ends the program, because a peer with another result does other work. */
static inline void bench_differs(const char *peer, unsigned i)
{
    fprintf(stderr, "bench: %s differs from the library on input %u\n", peer, i);
    exit(1);
}

static void bench_nothing(unsigned i)
{
    bench_keep(i);
}

static double bench_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Returns the nanoseconds per call of n calls. */
static double bench_time(void (*run)(unsigned i), unsigned n, unsigned first)
{
    double from;
    unsigned i;
    bench_hide(run);
    from = bench_now_ns();
    for (i = 0; i < n; i++)
        run(first + i);
    return (bench_now_ns() - from) / n;
}

/* Least nanoseconds per call so far, and the next batch of a row. */
typedef struct bench_timing {
    double ours, theirs, nothing;
    unsigned n, first; /* calls per batch; first input of the next batch */
} bench_timing;

static void bench_least(double *least, void (*run)(unsigned i), const bench_timing *t)
{
    const double ns = bench_time(run, t->n, t->first);
    if (ns < *least) *least = ns;
}

static void bench_visit(const bench_row *r, bench_timing *t)
{
    unsigned k;
    if (t->n == 0) {
        t->ours = t->theirs = t->nothing = 1e18;
        t->n = 64; /* a multiple of 32, because a call may be one of a burst */
        while (bench_time(r->ours, t->n, 0) * t->n < BENCH_BATCH_NS && t->n < 1u << 20)
            t->n *= 2;
        t->first = t->n;
    }
    for (k = 0; k < BENCH_BATCHES && t->first + t->n <= BENCH_CALLS_MAX; k++) {
        bench_least(&t->nothing, bench_nothing, t);
        bench_least(&t->ours, r->ours, t);
        if (r->theirs != NULL) bench_least(&t->theirs, r->theirs, t);
        t->first += t->n;
    }
}

/* Visits each row BENCH_VISITS times, so that a busy neighbour leaves it some time. */
static void bench_times(const bench_row *rows, size_t n)
{
    bench_timing *t = (bench_timing *)calloc(n, sizeof *t);
    unsigned visit;
    size_t k;
    if (t == NULL) exit(1);
    for (visit = 0; visit < BENCH_VISITS; visit++)
        for (k = 0; k < n; k++)
            if ((rows[k].unit & BENCH_NS) != 0) bench_visit(&rows[k], &t[k]);
    for (k = 0; k < n; k++) {
        const bench_row *r = &rows[k];
        if ((r->unit & BENCH_NS) == 0) continue;
        printf("%s\t%.2f\t%s\t", r->operation, t[k].ours - t[k].nothing,
               r->peer ? r->peer : "-");
        if (r->peer == NULL)
            printf("-\tns\t%.4g\n", r->goal);
        else
            printf("%.2f\tns\t%.4g\n", t[k].theirs - t[k].nothing, r->goal);
    }
    free(t);
}

static void bench_count(void (*run)(unsigned i), const char *name)
{
    unsigned i;
    bench_hide(run);
    run(0); /* takes the work that is done only once */
    CALLGRIND_ZERO_STATS;
    for (i = 0; i < BENCH_CALLS; i++)
        run(i);
    CALLGRIND_DUMP_STATS_AT(name);
}

/* Counts instructions under callgrind, with a dump per side, named by its row. */
static __attribute__((noinline)) void bench_counts(const bench_row *rows, size_t n)
{
    char name[40];
    size_t k;
    CALLGRIND_START_INSTRUMENTATION;
    bench_count(bench_nothing, "nothing");
    for (k = 0; k < n; k++) {
        if ((rows[k].unit & BENCH_INSTRUCTIONS) == 0) continue;
        snprintf(name, sizeof name, "%zu-ours", k);
        bench_count(rows[k].ours, name);
        snprintf(name, sizeof name, "%zu-theirs", k);
        if (rows[k].theirs != NULL) bench_count(rows[k].theirs, name);
    }
}

/*
 * Runs the mode in the last argument, or "ns" without an argument. "ns" measures the
 * rows in nanoseconds, and prints them like bench.tsv, but without the ratio. "count",
 * under callgrind, counts the rows in instructions. "rows" prints these rows without
 * counts.
 */
static int bench_main(int argc, char **argv, const bench_row *rows, size_t n)
{
    const char *mode = argc > 1 ? argv[argc - 1] : "ns";
    size_t k;
    if (strcmp(mode, "count") == 0) {
        void *to_a_page =
            __builtin_alloca((uintptr_t)__builtin_frame_address(0) % 4096 + 1);
        bench_keep(to_a_page);
        bench_counts(rows, n);
    }
    if (strcmp(mode, "ns") == 0) bench_times(rows, n);
    for (k = 0; k < n && strcmp(mode, "rows") == 0; k++) {
        const bench_row *r = &rows[k];
        if ((r->unit & BENCH_INSTRUCTIONS) != 0)
            printf("%zu\t%s\t%s\t%.4g\n", k, r->operation, r->peer ? r->peer : "-",
                   r->goal);
    }
    return 0;
}

#define BENCH_MAIN(rows) bench_main(argc, argv, rows, sizeof(rows) / sizeof((rows)[0]))

#endif /* TESTS_BENCH_BENCH_H */
