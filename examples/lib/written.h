/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_WRITTEN_H
#define EXAMPLES_LIB_WRITTEN_H

/* written.h - the last step of a tool. */
#include <stdbool.h>
#include <stdio.h>

/* Returns true if all standard output was written. On failure, prints an error. */
static inline bool written(const char *tool)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    fprintf(stderr, "%s: standard output cannot be written\n", tool);
    return false;
}

#endif /* EXAMPLES_LIB_WRITTEN_H */
