/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCEDUMP_RATES_H
#define ROCEDUMP_RATES_H

/*
 * rates.h - the rates of each flow before and after the first CNP that answers it, in
 * intervals of equal length. Interval 0 begins at the first frame of the input. CNPs in
 * the flow do not count.
 *
 * Memory: RATES_MAX counts of 24 bytes, and 4 bytes per flow. When all counts are in
 * use, the length of all intervals is doubled until at least half of the counts are
 * free. So the rates always cover the whole capture.
 */
#include "flows.h"

#define RATES_INTERVAL_NS 100000u
#define RATES_MAX ((size_t)1 << 20)
#define RATES_INTERVALS 10 /* on either side of the first CNP */

typedef struct rates rates;

rates *rates_new(uint64_t interval_ns);
void rates_free(rates *r);

/* Must be called for each frame of the input. Interval 0 begins at the first frame. */
void rates_frame(rates *r, uint64_t now_ns);

/* Adds a packet of flow i. It must not be a CNP. */
void rates_add(rates *r, size_t i, uint64_t bytes, uint64_t now_ns);

/* Must be called once, after the last packet. */
void rates_end(rates *r);

/* Returns the rates of flow i. Must be called after rates_end(). */
flow_rate rates_of(const rates *r, size_t i, const flow *f);

/* Returns the time of the first frame. */
uint64_t rates_start_ns(const rates *r);

/* Returns the length of an interval. It is final after the last packet. */
uint64_t rates_interval_ns(const rates *r);

/* Returns the number of packets that the rates leave out because memory was short. */
uint64_t rates_left_out(const rates *r);

#endif /* ROCEDUMP_RATES_H */
