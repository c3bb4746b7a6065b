/* SPDX-License-Identifier: BSD-2-Clause */

/* report.c - creates the files of cclab. */
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include <sys/stat.h>

const char *report_path(const char *dir, const char *name, const char *suffix)
{
    static char path[4096];
    const int n = snprintf(path, sizeof path, "%s/%s%s", dir, name, suffix);
    return n < (int)sizeof path ? path : "";
}

static bool complain(const char *path)
{
    fputs("cclab: ", stderr);
    perror(path);
    return false;
}

FILE *report_create(const char *path)
{
    FILE *f = fopen(path, "wb");
    if (f == NULL) (void)complain(path);
    return f;
}

/* Makes a folder, unless it exists. */
bool report_directory(const char *path)
{
    struct stat there;
    if (mkdir(path, 0777) == 0) return true;
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode)) return true;
    return complain(path);
}

bool report_finish(FILE *f, const char *path)
{
    bool fine = fflush(f) == 0 && ferror(f) == 0;
    if (!fine) fprintf(stderr, "cclab: %s cannot be written\n", path);
    if (f != stdout && fclose(f) != 0) fine = false;
    return fine;
}
