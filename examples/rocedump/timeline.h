/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_TIMELINE_H
#define ROCEDUMP_TIMELINE_H

/*
 * timeline.h - packets, bytes, CE, CNPs, Fast CNPs and PFC per flow and interval, as
 * CSV and as a picture. An interval without packets of a flow has no row, so a long
 * silence costs nothing. Frames may be out of order.
 */
#include "flows.h"

#define TIMELINE_INTERVAL_NS 1000000u
#define TIMELINE_SAMPLES_MAX ((size_t)1 << 20) /* rows, of 64 bytes */

typedef struct timeline timeline;

timeline *timeline_new(uint64_t interval_ns);

/*
 * Parses an interval of 1 to 1000000 ns, us, ms or s, such as 100us. Returns false for
 * other text.
 */
bool timeline_interval(const char *text, uint64_t *ns);

/* Must be called for each frame of the input. Time starts at the first. */
void timeline_frame(timeline *t, uint64_t now_ns);

/* Adds what flow i has counted since the last call. A copy adds at most a CE mark. */
void timeline_add(timeline *t, size_t i, const flow *f, uint64_t now_ns);

/* Prints the CSV, after flows_end(). */
void timeline_csv(timeline *t, const flows *f, FILE *out);

/* Returns false, with a message, if packets had no room. */
bool timeline_whole(const timeline *t);

/* Counts of one flow in one interval. Interval 0 begins at the first frame. */
typedef struct counts {
    uint64_t packets, bytes, ce, cnps, pauses, resumes;
} counts;

typedef struct sample {
    int64_t interval;
    size_t flow;
    counts in;
} sample;

/* Returns n samples in the order of their intervals, after timeline_csv(). */
const sample *timeline_samples(const timeline *t, size_t *n, uint64_t *interval_ns);

/*
 * plot.c: draws with gnuplot into a .svg or .png file. Returns false, with a message,
 * on failure.
 */
bool timeline_plot(const timeline *t, const flows *f, const char *path);

/* Returns true if a path ends in .svg or .png. */
bool timeline_plots(const char *path);

#endif /* ROCEDUMP_TIMELINE_H */
