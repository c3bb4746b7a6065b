/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_CCLAB_CLAIMS_H
#define TESTS_CCLAB_CLAIMS_H

/*
 * claims.h - what the papers say, run in the laboratory: each claim is a test, with its
 * source, and with what it is allowed to differ by.
 */
#include <string.h>

#include "../../../examples/cclab/lab.h"
#include "../../lib/test.h"

#define GBPS UINT64_C(1000000000)

/* 16 endless flows into one port at 100 Gb/s, 8 us there and back, for 4 ms. */
static inline lab_options usual(void)
{
    lab_options o;
    memset(&o, 0, sizeof o);
    o.topology = LAB_STAR;
    o.load = "longlived";
    o.flows = 16;
    o.rate_bps = 100 * GBPS;
    o.rtt = 8 * LAB_US;
    o.buffer_bytes = 32000000;
    o.duration = 4 * LAB_MS;
    o.seed = 1;
    return o;
}

/* A run, whole; the lab is the caller's to free. */
static inline lab *ran(const lab_scheme *s, const lab_options *o, lab_result *r)
{
    lab *l = lab_new(s, o);
    memset(r, 0, sizeof *r);
    CHECK(l != NULL);
    if (l == NULL) return NULL;
    lab_run(l, o->duration);
    *r = lab_results(l);
    return l;
}

static inline lab_result result_of(const lab_scheme *s, const lab_options *o)
{
    lab_result r;
    lab *l = ran(s, o, &r);
    if (l != NULL) lab_free(l);
    return r;
}

#endif /* TESTS_CCLAB_CLAIMS_H */
