/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define SECOND 1000000000u

bool clock_set(clock_state *c, const char *name)
{
    static const char *const names[] = {"relative", "delta", "utc", "epoch"};
    uint8_t i;
    for (i = 0; i < 4; i++) {
        if (strcmp(names[i], name) != 0) continue;
        c->form = i;
        return true;
    }
    return false;
}

/* Writes a - b. Captures of several interfaces sometimes go back in time. */
static void difference(uint64_t a, uint64_t b, const char *plus, char *text)
{
    const uint64_t ns = a < b ? b - a : a - b;
    snprintf(text, CLOCK_BYTES, "%s%llu.%09llu", a < b ? "-" : plus,
             (unsigned long long)(ns / SECOND), (unsigned long long)(ns % SECOND));
}

static void utc(uint64_t time_ns, char *text)
{
    const time_t s = (time_t)(time_ns / SECOND);
    struct tm tm;
    size_t n = 0;
    if (gmtime_r(&s, &tm) != NULL)
        n = strftime(text, CLOCK_BYTES, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(text + n, CLOCK_BYTES - n, ".%09lluZ",
             (unsigned long long)(time_ns % SECOND));
}

void clock_frame(clock_state *c, uint64_t time_ns)
{
    if (!c->started) c->first_ns = time_ns;
    c->started = true;
}

const char *clock_text(clock_state *c, uint64_t time_ns, char text[CLOCK_BYTES])
{
    if (!c->shown) c->previous_ns = time_ns;
    c->shown = true;
    if (c->form == CLOCK_UTC)
        utc(time_ns, text);
    else if (c->form == CLOCK_EPOCH)
        difference(time_ns, 0, "", text);
    else if (c->form == CLOCK_DELTA)
        difference(time_ns, c->previous_ns, "+", text);
    else
        difference(time_ns, c->first_ns, "", text);
    c->previous_ns = time_ns;
    return text;
}
