/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_CLOCK_H
#define ROCEDUMP_CLOCK_H

/* clock.h - times of frames as text (--time). */
#include <stdbool.h>
#include <stdint.h>

typedef enum clock_form {
    CLOCK_RELATIVE, /* 0.000012345: seconds since the first frame of the input */
    CLOCK_DELTA,    /* +0.000001500: since the previous shown frame */
    CLOCK_UTC,      /* 2026-11-24T18:00:00.000012345Z */
    CLOCK_EPOCH     /* 1795543200.000012345: seconds since 1970 */
} clock_form;

typedef struct clock_state {
    uint8_t form; /* a clock_form */
    bool started; /* first_ns is set */
    bool shown;   /* previous_ns is set */
    uint64_t first_ns;
    uint64_t previous_ns;
} clock_state;

#define CLOCK_BYTES 40 /* a time and its NUL */

/* Sets the form by name, or returns false. */
bool clock_set(clock_state *c, const char *name);

/* Must be called for each frame of the input, shown or not, before clock_text(). */
void clock_frame(clock_state *c, uint64_t time_ns);

/* Returns the time of the next shown frame in `text`. */
const char *clock_text(clock_state *c, uint64_t time_ns, char text[CLOCK_BYTES]);

#endif /* ROCEDUMP_CLOCK_H */
