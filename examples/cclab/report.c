/* SPDX-License-Identifier: BSD-2-Clause */

/* report.c - creates the files of cclab. */
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

const char *report_path(const char *dir, const char *name, const char *suffix)
{
    static char path[4096];
    const int n = snprintf(path, sizeof path, "%s/%s%s", dir, name, suffix);
    return n < (int)sizeof path ? path : "";
}

static bool complain(const char *path, const char *what, const char *why)
{
    fprintf(stderr, "cclab: %s %s: %s\n", path, what, why);
    return false;
}

FILE *report_create(const char *path)
{
    FILE *f = fopen(path, "wb");
    if (f == NULL && *path == '\0')
        (void)complain("--out", "has too long a path", "the limit is 4095 bytes");
    else if (f == NULL)
        (void)complain(path, "cannot be created", strerror(errno));
    return f;
}

/* Makes a folder, unless it exists. */
bool report_directory(const char *path)
{
    struct stat there;
    int error;
    if (mkdir(path, 0777) == 0) return true;
    error = errno;
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode)) return true;
    return complain(path, "cannot be created as a folder", strerror(error));
}

bool report_finish(FILE *f, const char *path)
{
    bool fine;
    if (!ferror(f)) errno = 0; /* otherwise of the write that failed */
    fine = fflush(f) == 0 && ferror(f) == 0;
    if (f != stdout && fclose(f) != 0) fine = false;
    if (fine) return true;
    return complain(path, "cannot be written",
                    errno != 0 ? strerror(errno) : "an earlier write failed");
}
