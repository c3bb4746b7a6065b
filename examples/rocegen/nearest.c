/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * nearest.c - finds the likely intended name, by the fewest letters added, omitted or
 * changed.
 */
#include <string.h>

#include "gen.h"

#define LONGEST 96

/*
 * Returns the Levenshtein distance. It is LONGEST if `b` is longer than LONGEST. Each
 * letter of `a` after LONGEST adds 1.
 */
static size_t distance(const char *a, const char *b)
{
    size_t row[LONGEST + 1];
    const size_t n = strlen(b);
    size_t i, k;
    if (n > LONGEST) return LONGEST;
    for (k = 0; k <= n; k++)
        row[k] = k;
    for (i = 1; *a != '\0' && i <= LONGEST; a++, i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (k = 1; k <= n; k++) {
            const size_t above = row[k];
            size_t least = diagonal + (*a != b[k - 1]);
            if (above + 1 < least) least = above + 1;
            if (row[k - 1] + 1 < least) least = row[k - 1] + 1;
            row[k] = least;
            diagonal = above;
        }
    }
    return row[n] + strlen(a);
}

void nearest_offer(nearest *n, const char *name)
{
    const size_t d = distance(n->word, name);
    if (n->name[0] != '\0' && d >= n->distance) return;
    n->distance = d;
    strncpy(n->name, name, sizeof n->name - 1);
}

const char *nearest_name(const nearest *n)
{
    return n->name[0] != '\0' && n->distance <= 2 + strlen(n->word) / 2 ? n->name
                                                                        : NULL;
}
