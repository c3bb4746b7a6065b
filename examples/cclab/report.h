/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_CCLAB_REPORT_H
#define EXAMPLES_CCLAB_REPORT_H

/* report.h - the options of cclab, the results of its runs, and their files. */
#include "lab.h"

#include <stdio.h>

#define SPARK 80 /* columns of a sparkline */
#define SLICES 200
#define RUNS 32                           /* more than the number of schemes */
#define MOST_BITS UINT64_C(3200000000000) /* limit of rate * time, for 64-bit sums */
#define MOST_BYTE_MS UINT64_C(10000000000000) /* limit of buffer * time */

typedef unsigned long long ull;

/* A scheme and its results. Each column of `spark` has its longest queue. */
typedef struct run {
    char name[64];
    lab_part part[LAB_PARTS];
    uint32_t n_parts;
    bool named; /* by itself, not by `all` or as a default */
    bool left;  /* left out, because the faults do not affect it */
    bool done;
    lab_result r;
    char note[800]; /* warnings for the reader; empty: none */
    bool half;      /* the table describes the second half */
    uint32_t n_spark;
    uint64_t spark[SPARK];
    /* from its series */
    uint64_t mean_queue_bytes, mean_goodput_bps, flow_most_bps;
} run;

typedef struct setup {
    lab_options o;
    const char *topology, *out, *pcap;
    bool flows_named; /* --flows was given */
    size_t n;
    run runs[RUNS];
    uint32_t flows; /* flows of each run */
    uint32_t shown; /* flows with a column in a series */
    uint64_t events;
    double seconds;
} setup;

/* Returns DIR/NAMESUFFIX, or an empty path if that is too long. The path is valid until
 * the next call. */
const char *report_path(const char *dir, const char *name, const char *suffix);
/* Creates a file. Returns NULL, with the reason on stderr, if that fails. */
FILE *report_create(const char *path);
/* Closes a file, but only flushes stdout. Returns false if the file could not be
 * written. */
bool report_finish(FILE *f, const char *path);
/* Makes a folder, unless it exists. Returns false, with the reason on stderr, on
 * failure. */
bool report_directory(const char *path);

/* Writes plot.gp. */
bool plot_script(const setup *s);
/* Draws plot.gp with gnuplot, if that is installed. Returns false on failure. */
bool plot_draw(const char *dir);

#endif /* EXAMPLES_CCLAB_REPORT_H */
