/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_TRACE_H
#define TESTS_LIB_TRACE_H

/*
 * trace.h - the long traces of vectors/<algorithm>.vec. Events are from a generator,
 * and states from an exact model. vectors/README has the grammar.
 */
#include "rocecc/bytes.h"

/*
 * Tolerance of a member, |ours - exact| <= absolute + relative * exact. A member
 * without a tolerance must be equal.
 */
typedef struct trace_tolerance {
    const char *key;
    double relative;
    double absolute;
} trace_tolerance;

/* Runs every trace of the file. With TRACE_ERRORS set, prints the worst errors. */
void trace_check(const char *algorithm, const trace_tolerance *t, size_t n);

/* Runs the law on random bytes, for this many rounds. */
void law_random(uint32_t (*law)(rocecc_reader r), uint64_t rounds);

#endif /* TESTS_LIB_TRACE_H */
