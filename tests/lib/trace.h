/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_TRACE_H
#define TESTS_LIB_TRACE_H

/*
 * trace.h - the long traces of vectors/<algorithm>.vec, whose grammar is
 * vectors/README: events from a generator, states from an exact model.
 */
#include "rocecc/bytes.h"

/* How far a member may be from the model: |ours - exact| <= absolute + relative exact.
 * One that no tolerance names is to be the same. */
typedef struct trace_tolerance {
    const char *key;
    double relative;
    double absolute;
} trace_tolerance;

/* Runs every trace of the file; with TRACE_ERRORS set, prints the worst errors. */
void trace_check(const char *algorithm, const trace_tolerance *t, size_t n);

/* The law on so many runs of random bytes. */
void law_random(uint32_t (*law)(rocecc_reader r), uint64_t rounds);

#endif /* TESTS_LIB_TRACE_H */
