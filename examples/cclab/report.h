/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_CCLAB_REPORT_H
#define EXAMPLES_CCLAB_REPORT_H

/* report.h - what cclab was asked for, what came of each run, and the files about it.
 */
#include "lab.h"

#include <stdio.h>

#define SPARK 80 /* columns of a sparkline */
#define SLICES 200
#define RUNS 32                           /* more than there are schemes */
#define MOST_BITS UINT64_C(3200000000000) /* of a run at full rate, for 64-bit sums */
#define MOST_BYTE_MS UINT64_C(10000000000000) /* of a run whose buffer is full */

typedef unsigned long long ull;

/* One scheme, and what came of it; of each column the longest queue. */
typedef struct run {
    char name[64];
    lab_part part[LAB_PARTS];
    uint32_t n_parts;
    bool named; /* by its own name, not by `all` or as a default */
    bool left;  /* the faults have no effect on it */
    bool done;
    lab_result r;
    char note[800]; /* of what a reader has to know; empty: nothing */
    bool half;      /* the table is about the second half */
    uint32_t n_spark;
    uint64_t spark[SPARK];
    /* of its series */
    uint64_t mean_queue_bytes, mean_goodput_bps, flow_most_bps;
} run;

typedef struct setup {
    lab_options o;
    const char *topology, *out, *pcap;
    bool flows_named; /* --flows was */
    size_t n;
    run runs[RUNS];
    uint32_t flows; /* of each run */
    uint32_t shown; /* of them have a column in a series */
    uint64_t events;
    double seconds;
} setup;

/* DIR/NAMESUFFIX, until the next call; creates a file, NULL: stderr has why; ends it.
 */
const char *report_path(const char *dir, const char *name, const char *suffix);
FILE *report_create(const char *path);
bool report_finish(FILE *f, const char *path);
/* Makes a folder, if it is not there; false: stderr has why. */
bool report_directory(const char *path);

/* plot.gp, and what it draws by gnuplot, where that is. */
bool plot_script(const setup *s);
bool plot_draw(const char *dir);

#endif /* EXAMPLES_CCLAB_REPORT_H */
