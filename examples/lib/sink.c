/* SPDX-License-Identifier: BSD-2-Clause */
#include "sink.h"

#include <string.h>

static const char digits[] = "0123456789abcdef";

void sink_start(sink *to, FILE *file)
{
    to->file = file;
    to->n = 0;
}

void sink_flush(sink *to)
{
    (void)fwrite(to->text, 1, to->n, to->file);
    to->n = 0;
}

void sink_bytes(sink *to, const char *s, size_t n)
{
    if (n > SINK_BYTES) {
        sink_flush(to);
        (void)fwrite(s, 1, n, to->file);
        return;
    }
    memcpy(sink_room(to, n), s, n);
    to->n += n;
}

void sink_text(sink *to, const char *s)
{
    sink_bytes(to, s, strlen(s));
}

/* Inline, so that the division is by a constant. */
static inline void number(sink *to, uint64_t v, unsigned base)
{
    char text[20];
    size_t at = sizeof text;
    do
        text[--at] = digits[v % base];
    while ((v /= base) != 0);
    sink_bytes(to, text + at, sizeof text - at);
}

void sink_decimal(sink *to, uint64_t v)
{
    number(to, v, 10);
}

void sink_hex_number(sink *to, uint64_t v)
{
    number(to, v, 16);
}

void sink_hex(sink *to, const uint8_t *b, size_t n)
{
    while (n > 0) {
        size_t some = n < SINK_BYTES / 2 ? n : SINK_BYTES / 2;
        char *text = sink_room(to, 2 * some);
        to->n += 2 * some;
        for (n -= some; some > 0; some--, b++) {
            *text++ = digits[*b >> 4];
            *text++ = digits[*b & 15];
        }
    }
}
