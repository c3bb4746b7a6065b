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

static char broken_by[96]; /* empty while the last file is intact */

typedef struct gz {
    FILE *raw;
    const char *path;
    z_stream z;
    bool between; /* between members, where the file may end */
    bool ended;   /* bytes after the last member were reported */
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

/* Keeps the reason of an error that stops reading. */
static ssize_t broken(const char *why)
{
    snprintf(broken_by, sizeof broken_by, "gzip: %s", why);
    errno = EIO;
    return -1;
}

/* Reports that bytes after the last member are ignored. Returns 0, the end. */
static ssize_t trailing(gz *g)
{
    if (!g->ended) {
        fflush(stdout);
        fprintf(stderr, "rocedump: %s: ignored the bytes after the gzip data\n",
                g->path);
    }
    g->ended = true;
    return 0;
}

/*
 * Reads at least one byte, except at the end or on an error. Ignores bytes after the
 * last member, with a message.
 */
static ssize_t gz_read(void *cookie, char *buffer, size_t size)
{
    gz *g = (gz *)cookie;
    int rc;
    g->z.next_out = (Bytef *)buffer;
    g->z.avail_out = (uInt)size;
    while (g->z.avail_out == size) {
        if (!refill(g) && ferror(g->raw)) return broken(strerror(errno));
        if (g->z.avail_in == 0)
            return g->between ? 0 : broken("the file ends inside the compressed data");
        if (g->between && *g->z.next_in != 0x1f) return trailing(g);
        g->between = false;
        rc = inflate(&g->z, Z_NO_FLUSH);
        if (rc == Z_STREAM_END) {
            g->between = true;
            (void)inflateReset(&g->z);
        } else if (rc != Z_OK) {
            return broken(g->z.msg != NULL ? g->z.msg : zError(rc));
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

void gz_broken(const char **why)
{
    if (broken_by[0] != '\0') *why = broken_by;
}

void gz_reset(void)
{
    broken_by[0] = '\0';
}

FILE *gz_open(FILE *raw, const char *path, const char **why)
{
    const cookie_io_functions_t reads = {gz_read, NULL, NULL, gz_close};
    gz *g = calloc(1, sizeof *g);
    FILE *file;
    int rc;
    *why = "out of memory";
    if (g == NULL) return NULL;
    g->raw = raw;
    g->path = path;
    rc = inflateInit2(&g->z, GZIP_ONLY);
    if (rc != Z_OK) {
        *why = rc == Z_MEM_ERROR ? "out of memory" : zError(rc);
        free(g);
        return NULL;
    }
    file = fopencookie(g, "r", reads);
    if (file == NULL) {
        *why = strerror(errno);
        (void)inflateEnd(&g->z);
        free(g);
    }
    return file;
}
#endif
