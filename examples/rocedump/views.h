/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_VIEWS_H
#define ROCEDUMP_VIEWS_H

/* views.h - what is shown instead of frames: --flows, --timeline, --csv. */
#include "decode.h"
#include "flows.h"
#include "keys.h"
#include "timeline.h"

typedef enum view_kind {
    VIEW_FRAMES, /* none of these: frames, or their summary */
    VIEW_FLOWS,
    VIEW_TIMELINE,
    VIEW_CSV
} view_kind;

typedef struct view {
    uint8_t kind; /* a view_kind */
    bool as_json; /* flows */
    uint64_t interval_ns;
    const char *plot; /* a file, or NULL */
    flows *flows;
    timeline *timeline;
    keys *keys;
    bool headed; /* the first line of CSV is written */
} view;

/* An option of the command line, by its name; why it is refused, or NULL. */
const char *view_option(view *v, const char *name, const char *value);

/* After the last option: the settings that it needs; why they do not go together. */
const char *view_start(view *v, settings *c);

void view_frame(view *v, const packet *p, const decoded *d, FILE *out);

/* After the last frame; false: it could not be drawn, and said so. */
bool view_end(view *v, FILE *out);

#endif /* ROCEDUMP_VIEWS_H */
