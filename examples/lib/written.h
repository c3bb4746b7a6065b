/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_WRITTEN_H
#define EXAMPLES_LIB_WRITTEN_H

/* written.h - the last step of a tool. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Returns true if all standard output was written. On failure, prints an error. */
static inline bool written(const char *tool)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    fprintf(stderr, "%s: standard output cannot be written: %s\n", tool,
            errno != 0 ? strerror(errno) : "an earlier write failed");
    return false;
}

#endif /* EXAMPLES_LIB_WRITTEN_H */
