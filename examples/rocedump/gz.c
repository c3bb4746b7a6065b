/* SPDX-License-Identifier: BSD-2-Clause */

/* gz.c - a gzip file as an uncompressed stream, with zlib's inflate(). */
#define _GNU_SOURCE /* fopencookie */
#include "capture.h"

#if defined(HAVE_PCAP)
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define GZIP_ONLY (15 + 16) /* largest window, and gzip's header and trailer */

typedef struct gz {
    FILE *raw;
    z_stream z;
    bool between; /* between members, where the file may end */
    uint8_t in[1 << 16];
} gz;

/* Reads more input if none is left. Returns false at the end. */
static bool refill(gz *g)
{
    if (g->z.avail_in != 0) return true;
    g->z.next_in = g->in;
    g->z.avail_in = (uInt)fread(g->in, 1, sizeof g->in, g->raw);
    return g->z.avail_in != 0;
}

/* Reports an error that stops reading. */
static ssize_t broken(const char *why)
{
    fflush(stdout);
    fprintf(stderr, "rocedump: gzip: %s\n", why);
    errno = EIO;
    return -1;
}

/*
 * Reads at least one byte, except at the end or on an error. Ignores bytes after the
 * last member.
 */
static ssize_t gz_read(void *cookie, char *buffer, size_t size)
{
    gz *g = (gz *)cookie;
    int rc;
    g->z.next_out = (Bytef *)buffer;
    g->z.avail_out = (uInt)size;
    while (g->z.avail_out == size) {
        if (!refill(g)) return g->between ? 0 : broken("the file ends too soon");
        if (g->between && *g->z.next_in != 0x1f) return 0;
        g->between = false;
        rc = inflate(&g->z, Z_NO_FLUSH);
        if (rc == Z_STREAM_END) {
            g->between = true;
            (void)inflateReset(&g->z);
        } else if (rc != Z_OK) {
            return broken(g->z.msg != NULL ? g->z.msg : "damaged");
        }
    }
    return (ssize_t)(size - g->z.avail_out);
}

static int gz_close(void *cookie)
{
    gz *g = (gz *)cookie;
    (void)inflateEnd(&g->z);
    if (g->raw != stdin) fclose(g->raw);
    free(g);
    return 0;
}

FILE *gz_open(FILE *raw)
{
    const cookie_io_functions_t reads = {gz_read, NULL, NULL, gz_close};
    gz *g = calloc(1, sizeof *g);
    FILE *file;
    if (g == NULL) return NULL;
    g->raw = raw;
    if (inflateInit2(&g->z, GZIP_ONLY) != Z_OK) {
        free(g);
        return NULL;
    }
    file = fopencookie(g, "r", reads);
    if (file == NULL) {
        (void)inflateEnd(&g->z);
        free(g);
    }
    return file;
}
#endif
