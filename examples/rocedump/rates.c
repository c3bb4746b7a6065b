/* SPDX-License-Identifier: BSD-2-Clause */
#include "rates.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define INTERVAL_MAX_NS (UINT64_C(1) << 62)

/*
 * Bytes of a flow in an interval. If frames are out of order, several counts may have
 * the same flow and interval.
 */
typedef struct count {
    size_t flow;
    int64_t interval;
    uint64_t bytes;
} count;

struct rates {
    uint64_t interval_ns;
    bool started;
    uint64_t first_ns;
    count *count;
    size_t n, room;
    uint32_t *latest; /* per flow, index of its latest count plus 1, or 0 */
    uint64_t left_out;
};

rates *rates_new(uint64_t interval_ns)
{
    rates *r = memory(1, sizeof *r);
    r->interval_ns = interval_ns;
    r->latest = memory(FLOWS_MAX, sizeof *r->latest);
    r->room = RATES_MAX;
    r->count = memory_table(&r->room, sizeof *r->count);
    return r;
}

void rates_free(rates *r)
{
    if (r == NULL) return;
    free(r->count);
    free(r->latest);
    free(r);
}

void rates_frame(rates *r, uint64_t now_ns)
{
    if (!r->started) r->first_ns = now_ns;
    r->started = true;
}

/* Returns the interval of a time, negative before the first frame. */
static int64_t interval_of(const rates *r, uint64_t now_ns)
{
    if (now_ns >= r->first_ns)
        return (int64_t)((now_ns - r->first_ns) / r->interval_ns);
    return -1 - (int64_t)((r->first_ns - now_ns - 1) / r->interval_ns);
}

/* ---- the counts */

static int by_flow(const void *a, const void *b)
{
    const count *x = a, *y = b;
    if (x->flow != y->flow) return x->flow < y->flow ? -1 : 1;
    return x->interval < y->interval ? -1 : x->interval > y->interval;
}

/* Sorts the counts, and leaves one per flow and interval. */
static void merge(rates *r)
{
    size_t i, n = 0;
    if (r->n == 0) return;
    qsort(r->count, r->n, sizeof *r->count, by_flow);
    for (i = 1; i < r->n; i++) {
        if (by_flow(&r->count[n], &r->count[i]) == 0)
            r->count[n].bytes += r->count[i].bytes;
        else
            r->count[++n] = r->count[i];
    }
    r->n = n + 1;
    for (i = 0; i < r->n; i++)
        r->latest[r->count[i].flow] = (uint32_t)i + 1;
}

/* Doubles the length of the intervals until at least half of the room is free. */
static void lengthen(rates *r)
{
    size_t i;
    do {
        r->interval_ns *= 2;
        for (i = 0; i < r->n; i++) {
            const int64_t k = r->count[i].interval;
            r->count[i].interval = k >= 0 ? k / 2 : -((1 - k) / 2);
        }
        merge(r);
    } while (r->n > r->room / 2 && r->interval_ns < INTERVAL_MAX_NS);
}

void rates_add(rates *r, size_t i, uint64_t bytes, uint64_t now_ns)
{
    count *k;
    if (r->n == r->room && r->interval_ns < INTERVAL_MAX_NS) lengthen(r);
    k = r->latest[i] != 0 ? &r->count[r->latest[i] - 1] : NULL;
    if (k == NULL || k->interval != interval_of(r, now_ns)) {
        if (r->n == r->room) {
            r->left_out++;
            return;
        }
        k = &r->count[r->n++];
        k->flow = i;
        k->interval = interval_of(r, now_ns);
        k->bytes = 0;
        r->latest[i] = (uint32_t)r->n;
    }
    k->bytes += bytes;
}

void rates_end(rates *r)
{
    merge(r);
}

/* ---- a flow's rates */

/* The counts of a flow, in the order of their intervals. */
typedef struct series {
    const count *at;
    size_t n;
} series;

/* Returns the index of the first count from an interval on. */
static size_t from(series s, int64_t interval)
{
    size_t low = 0, high = s.n;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (s.at[mid].interval < interval)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Returns the counts of flow i, after rates_end(). The latest count is the last one. */
static series series_of(const rates *r, size_t i)
{
    series s = {r->count, 0};
    size_t first = r->latest[i], last = first;
    while (first > 0 && r->count[first - 1].flow == i)
        first--;
    s.at = r->count + first;
    s.n = last - first;
    return s;
}

/* Returns the mean rate in intervals low to high - 1. */
static measured mean(const rates *r, series s, int64_t low, int64_t high)
{
    measured m = {false, 0};
    size_t k;
    uint64_t bytes = 0;
    if (low >= high) return m;
    for (k = from(s, low); k < s.n && s.at[k].interval < high; k++)
        bytes += s.at[k].bytes;
    m.known = true;
    m.value = (uint64_t)(8e9 * (double)bytes /
                         ((double)(high - low) * (double)r->interval_ns));
    return m;
}

/* An interval and its number of bytes. */
typedef struct least {
    int64_t interval;
    uint64_t bytes;
} least;

/*
 * Returns the first of the intervals low to high - 1 with the fewest bytes. `low` must
 * be below `high`.
 */
static least least_in(series s, int64_t low, int64_t high)
{
    size_t k = from(s, low);
    least out = {low, k < s.n && s.at[k].interval == low ? s.at[k].bytes : 0};
    for (; k < s.n && s.at[k].interval < high && out.bytes != 0; k++) {
        const int64_t after = s.at[k].interval + 1;
        const bool hole =
            after < high && (k + 1 == s.n || s.at[k + 1].interval > after);
        if (s.at[k].bytes < out.bytes) {
            out.interval = s.at[k].interval;
            out.bytes = s.at[k].bytes;
        }
        if (hole) {
            out.interval = after;
            out.bytes = 0;
        }
    }
    return out;
}

/* Returns the first interval from `low` on with at least this rate, or `high`. */
static int64_t first_with(const rates *r, series s, int64_t low, int64_t high,
                          uint64_t rate_bps)
{
    size_t k;
    for (k = from(s, low); k < s.n && s.at[k].interval < high; k++)
        if (8e9 * (double)s.at[k].bytes / (double)r->interval_ns >= (double)rate_bps)
            return s.at[k].interval;
    return high;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

flow_rate rates_of(const rates *r, size_t i, const flow *f)
{
    const series s = series_of(r, i);
    const int64_t cnp = interval_of(r, f->first_cnp_ns);
    const int64_t first = interval_of(r, f->first_ns),
                  last = interval_of(r, f->last_ns);
    const int64_t after = larger(first, cnp) + 1; /* the first whole interval */
    flow_rate out = ROCECC_ZERO;
    least low;
    int64_t again;
    uint64_t enough;
    out.before_bps =
        mean(r, s, larger(first + 1, cnp - RATES_INTERVALS), smaller(cnp, last));
    out.after_bps = mean(r, s, after, smaller(last, after + RATES_INTERVALS));
    if (!out.after_bps.known) return out;
    low = least_in(s, after, last);
    out.least_bps = mean(r, s, low.interval, low.interval + 1);
    if (!out.before_bps.known) return out;
    enough = out.before_bps.value - out.before_bps.value / 10;
    again = first_with(r, s, low.interval, last, enough);
    out.again_ns.known = again < last;
    if (again > low.interval) /* else the rate was never below 90 % */
        out.again_ns.value =
            (uint64_t)(again + 1) * r->interval_ns - (f->first_cnp_ns - r->first_ns);
    return out;
}

uint64_t rates_start_ns(const rates *r)
{
    return r->first_ns;
}

uint64_t rates_interval_ns(const rates *r)
{
    return r->interval_ns;
}

uint64_t rates_left_out(const rates *r)
{
    return r->left_out;
}
