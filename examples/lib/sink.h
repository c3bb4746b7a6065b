/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_SINK_H
#define EXAMPLES_LIB_SINK_H

/*
 * sink.h - buffers text for a FILE: words, numbers and hex digits. One printf each
 * would take ten times as long. The caller must flush the sink, and ferror() of the
 * FILE shows write errors.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SINK_BYTES 16384

typedef struct sink {
    FILE *file;
    size_t n;
    char text[SINK_BYTES];
} sink;

void sink_start(sink *to, FILE *file);
void sink_flush(sink *to);

/* Returns the place for the next n bytes, after a flush if needed. n <= SINK_BYTES. */
static inline char *sink_room(sink *to, size_t n)
{
    if (n > SINK_BYTES - to->n) sink_flush(to);
    return to->text + to->n;
}

static inline void sink_char(sink *to, char c)
{
    *sink_room(to, 1) = c;
    to->n++;
}

void sink_bytes(sink *to, const char *s, size_t n);
void sink_text(sink *to, const char *s);
void sink_decimal(sink *to, uint64_t v);

/* Writes n bytes as two hex digits each. */
void sink_hex(sink *to, const uint8_t *b, size_t n);

/* Writes v in hex, with as many digits as it needs. */
void sink_hex_number(sink *to, uint64_t v);

#endif /* EXAMPLES_LIB_SINK_H */
