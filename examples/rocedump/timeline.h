/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_TIMELINE_H
#define ROCEDUMP_TIMELINE_H

/*
 * timeline.h - what comes in each interval of each flow: packets, bytes, CE, CNPs, Fast
 * CNPs, PFC. As CSV, and as a picture. An interval in which nothing of a flow comes has
 * no row, so that a long silence costs nothing; frames need not be in order.
 */
#include "flows.h"

#define TIMELINE_INTERVAL_NS 1000000u

typedef struct timeline timeline;

timeline *timeline_new(uint64_t interval_ns);

/* 100us, 1ms, 2s; false: it is no interval. */
bool timeline_interval(const char *text, uint64_t *ns);

/* A frame came, before its packets are added: time begins with the first. */
void timeline_frame(timeline *t, uint64_t now_ns);

/* A packet of flow i was added to it. */
void timeline_add(timeline *t, size_t i, const flow *f, uint64_t now_ns);

/* After flows_end(). */
void timeline_csv(timeline *t, const flows *f, FILE *out);

/* One flow in one interval, which begins that many intervals after the first frame. */
typedef struct counts {
    uint64_t packets, bytes, ce, cnps, pauses, resumes;
} counts;

typedef struct sample {
    int64_t interval;
    size_t flow;
    counts in;
} sample;

/* After timeline_csv(): n samples, in the order of their intervals. */
const sample *timeline_samples(const timeline *t, size_t *n, uint64_t *interval_ns);

/* plot.c: by gnuplot, into a file whose name ends in .svg or .png; false: it is not
 * there, or failed, and that was said. */
bool timeline_plot(const timeline *t, const flows *f, const char *path);

/* Whether a name is one of these. */
bool timeline_plots(const char *path);

#endif /* ROCEDUMP_TIMELINE_H */
