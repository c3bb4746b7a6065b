/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_MUTATE_MUTATE_H
#define TESTS_MUTATE_MUTATE_H

/*
 * mutate.h - what schemata.py calls at each site, and in which program: the mutants of
 * a site have consecutive numbers from first on, and at most one mutant is on.
 */
#include <stddef.h>

extern unsigned mutate_on;            /* number of the mutant; none has the largest */
extern unsigned char *mutate_reached; /* by the first number of a site */

/* Does to what was assigned at p what the mutant that is on says. */
void mutate_do(unsigned char *p, const void *old, size_t size);

static inline __attribute__((unused)) void
mutate_at(unsigned first, unsigned n, void *p, const void *old, size_t size)
{
    mutate_reached[first] = 1;
    if (mutate_on - first < n) mutate_do((unsigned char *)p, old, size);
}

static inline __attribute__((unused)) unsigned mutate_on_at(unsigned number)
{
    mutate_reached[number] = 1;
    return mutate_on == number;
}

#endif /* TESTS_MUTATE_MUTATE_H */
