/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_MUTATE_MUTATE_H
#define TESTS_MUTATE_MUTATE_H

/*
 * mutate.h - the functions that schemata.py calls at each site. The mutants of a site
 * have consecutive numbers from `first` on, and at most one mutant is on.
 */
#include <stddef.h>

extern unsigned mutate_on;            /* number of the mutant; largest value: none */
extern unsigned mutate_way;           /* way in which its site goes wrong */
extern unsigned char *mutate_reached; /* by the first number of a site */

/* Applies the mutant that is on to the value assigned at p. */
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

/* Returns how a site with n mutants goes wrong, or the largest value if it does not. */
static inline __attribute__((unused)) unsigned mutate_which(unsigned first, unsigned n)
{
    mutate_reached[first] = 1;
    return mutate_on - first < n ? mutate_way : ~0u;
}

/* Returns the change of a constant. */
static inline __attribute__((unused)) int mutate_one(unsigned first, unsigned n)
{
    const unsigned way = mutate_which(first, n);
    return way == 0 ? 1 : way == 1 ? -1 : 0;
}

#endif /* TESTS_MUTATE_MUTATE_H */
