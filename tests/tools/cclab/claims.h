/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_CCLAB_CLAIMS_H
#define TESTS_CCLAB_CLAIMS_H

/*
 * claims.h - helpers for tests of published claims. Each test runs the laboratory and
 * states its claim's source and its tolerance.
 */
#include <string.h>

#include "../../../examples/cclab/lab.h"
#include "../../lib/test.h"

#define GBPS UINT64_C(1000000000)

/*
 * Returns the defaults: 16 endless flows into one port at 100 Gb/s, RTT 8 us, for 4 ms.
 */
static inline lab_options usual(void)
{
    return lab_defaults();
}

/* Sets marks at arrival and no host jitter, as models assume. */
static inline void as_models_do(lab_options *o)
{
    o->mark_at = LAB_ARRIVAL;
    o->jitter = 0;
}

/* Sets a parameter, in the form of --set. */
static inline void set(lab_options *o, const char *text)
{
    test_context("--set %s", text);
    CHECK_EQ(lab_option(o, "set", text), 0);
}

/* Runs a lab for its whole duration. The caller must free the lab. */
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
