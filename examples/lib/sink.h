/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_LIB_SINK_H
#define EXAMPLES_LIB_SINK_H

/*
 * sink.h - text on its way to a FILE: words, numbers and hex digits, put together here,
 * since a printf for each costs ten times as much. Whoever starts one flushes it; what
 * cannot be written, ferror() of the FILE tells.
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

/* At least n bytes of room, n being SINK_BYTES at most: where the next of them goes. */
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

/* Two digits for each of n bytes. */
void sink_hex(sink *to, const uint8_t *b, size_t n);

/* As many digits as v needs. */
void sink_hex_number(sink *to, uint64_t v);

#endif /* EXAMPLES_LIB_SINK_H */
