/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_COST_COST_H
#define TESTS_COST_COST_H

/*
 * cost.h - measures the cost of a step. Each algorithm has a program with functions
 * cost_<step>, which run one step, and plain_<step> with the same equations in double.
 * Without an argument, it calls each one COST_CALLS times for callgrind, and prints the
 * sizes of states. With "time" it prints nanoseconds.
 *
 * tests/gates/bench/algo.c includes the programs to compare the sides of each pair, and
 * defines COST_MAIN itself.
 *
 * The double code of a pair is as its author would write it by hand. It takes the same
 * decisions from the same integers, multiplies by precomputed reciprocals, and keeps
 * its numbers in the range of real use, without denormal numbers.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define COST_CALLS 1000
#define COST_TIMED 2000000
#define COST __attribute__((noinline))

typedef struct cost_case {
    const char *name;
    void (*run)(unsigned i); /* calls cost_<name> or plain_<name> once */
} cost_case;

#ifndef COST_MAIN
static int cost_main(int argc, const cost_case *c, size_t n)
{
    size_t k;
    unsigned i;
    for (k = 0; k < n; k++) {
        struct timespec from, to;
        if (argc == 1) {
            for (i = 0; i < COST_CALLS; i++)
                c[k].run(i);
            continue;
        }
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (i = 0; i < COST_TIMED; i++)
            c[k].run(i);
        clock_gettime(CLOCK_MONOTONIC, &to);
        printf("%s %.1f\n", c[k].name,
               ((double)(to.tv_sec - from.tv_sec) * 1e9 +
                (double)(to.tv_nsec - from.tv_nsec)) /
                   COST_TIMED);
    }
    return 0;
}

#define COST_MAIN(cases)                                                               \
    int main(int argc, char **argv)                                                    \
    {                                                                                  \
        (void)argv;                                                                    \
        return cost_main(argc, cases, sizeof(cases) / sizeof((cases)[0]));             \
    }
#endif

/* Results of a step, stored so that they are computed. */
static volatile uint64_t cost_sink __attribute__((unused));
static volatile double cost_sink_double __attribute__((unused));

/* Prints the size of a state, in the case that runs first. */
#define COST_SIZE(type)                                                                \
    do {                                                                               \
        if (i == 0) printf("size %s %zu\n", #type, sizeof(type));                      \
    } while (0)

#endif /* TESTS_COST_COST_H */
