/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_QCN_INTERVAL_H
#define ROCECC_ALGO_QCN_INTERVAL_H

/*
 * qcn_interval.h - part of qcn_cp.h and qcn_rp.h. Defines the largest QntzFb, and
 * computes the values that QCN loads into its counters and timers, with or without
 * jitter. IEEE 802.1Q, clauses 30 to 33.
 */
#include "../fixed.h"

#define ROCECC_QCN_FB_MAX 63 /* QntzFb has 6 bits */

/* Range from low to low + span. A random number selects a value in this range. */
typedef struct rocecc_qcn_interval {
    uint32_t low;
    uint32_t span;
} rocecc_qcn_interval;

/*
 * Returns the range from 0.85 to 1.15 times `length`, or only the value `length` if
 * `jitter` is false.
 */
ROCECC_FN rocecc_qcn_interval rocecc_qcn_make_interval_(uint64_t length, bool jitter)
{
    rocecc_qcn_interval i = {0, 0};
    i.low = (uint32_t)(jitter ? ROCECC_DIV64(length * 85, 100) : length);
    i.span = (uint32_t)(jitter ? ROCECC_DIV64(length * 30, 100) : 0);
    return i;
}

ROCECC_FN uint64_t rocecc_qcn_draw_(const rocecc_qcn_interval *interval,
                                    uint32_t random)
{
    /* low + span * random / 2^32 */
    return interval->low + ((uint64_t)interval->span * random >> 32);
}

#endif /* ROCECC_ALGO_QCN_INTERVAL_H */
