/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_VIEWS_H
#define ROCEDUMP_VIEWS_H

/* views.h - views other than frames (--flows, --timeline, --csv). */
#include "decode.h"
#include "flows.h"
#include "keys.h"
#include "timeline.h"

typedef enum view_kind {
    VIEW_FRAMES, /* frames, or their summary */
    VIEW_FLOWS,
    VIEW_TIMELINE,
    VIEW_CSV
} view_kind;

typedef struct view {
    uint8_t kind; /* a view_kind */
    bool as_json; /* for flows */
    uint64_t interval_ns;
    const char *plot; /* a file, or NULL */
    flows *flows;
    timeline *timeline;
    keys *keys;
    bool headed; /* the CSV header is written */
} view;

/* Handles a command-line option by name. Returns why it is refused, or NULL. */
const char *view_option(view *v, const char *name, const char *value);

/*
 * Starts the view, and adapts the settings. Returns why the options are refused, or
 * NULL.
 */
const char *view_start(view *v, settings *c);

/* Must be called for each frame of the input, before it is shown or not. */
void view_clock(view *v, uint64_t time_ns);

/* Adds a shown frame. */
void view_frame(view *v, const packet *p, const decoded *d, FILE *out);

/*
 * Ends the view after the last frame. Returns false, with a message, if the plot cannot
 * be drawn, or if packets had no room that the output does not show.
 */
bool view_end(view *v, FILE *out);

#endif /* ROCEDUMP_VIEWS_H */
