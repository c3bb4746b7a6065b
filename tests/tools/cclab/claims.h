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
    return lab_defaults();
}

/* What models assume: a packet is marked as it comes, and hosts have no jitter. */
static inline void as_models_do(lab_options *o)
{
    o->mark_at = LAB_ARRIVAL;
    o->jitter = 0;
}

/* A parameter, as --set takes it. */
static inline void set(lab_options *o, const char *text)
{
    test_context("--set %s", text);
    CHECK_EQ(lab_option(o, "set", text), 0);
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
