/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pairs.c - pairs the CNPs of a flow with the data that they answer, if hosts or
 * packets identify it, or only one flow is possible. Takes O(n log n) for n flows,
 * even if all are between two hosts.
 */
#include <stdlib.h>
#include <string.h>

#include "flows.h"

#define PSN_MASK 0xffffffu
#define NO_PSN (PSN_MASK + 1) /* above every PSN */

/*
 * Flows in the order of a number. Their pointers are `at[0]` to `at[n - 1]`, and
 * number() gives the number of one of them.
 */
typedef struct range {
    flow **at;
    size_t n;
} range;

typedef uint64_t number(const flow *);

/* ---- the orders */

/* A key starts with the addresses. */
static int by_hosts(const void *a, const void *b)
{
    return memcmp(&(*(flow *const *)a)->key, &(*(flow *const *)b)->key,
                  2 * sizeof(rocecc_ip6));
}

/* QPs 0 and 1 are for management. Their CNPs answer only their data. */
static uint64_t class_of(const flow *f)
{
    return f->key.qp > 1;
}

/* Returns the QP that sends a flow's data, or QP_NONE. */
static uint32_t source_of(const flow *data)
{
    return data->src_qp >= QP_MANY ? QP_NONE : data->src_qp;
}

/* Data in the order of class, sending QP, and PSN after the last request. */
static uint64_t data_number(const flow *f)
{
    const uint64_t psn = f->requests.started ? f->requests.next : NO_PSN;
    return class_of(f) << 63 | (uint64_t)source_of(f) << 25 | psn;
}

/* Data of a class and a sending QP in the order of the PSN. */
static uint64_t next_psn(const flow *f)
{
    return data_number(f) & (2 * NO_PSN - 1);
}

static uint64_t last_ack(const flow *f)
{
    return f->has_ack ? f->ack_psn : NO_PSN;
}

static int by_data(const void *a, const void *b)
{
    const uint64_t x = data_number(*(flow *const *)a),
                   y = data_number(*(flow *const *)b);
    return x < y ? -1 : x > y;
}

static int by_ack(const void *a, const void *b)
{
    const uint64_t x = last_ack(*(flow *const *)a), y = last_ack(*(flow *const *)b);
    return x < y ? -1 : x > y;
}

/* Returns how many flows have a number below `limit`. */
static size_t below(range all, number of, uint64_t limit)
{
    size_t low = 0, high = all.n;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (of(all.at[mid]) < limit)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Returns the flows whose number is at least `from` and below `to`. */
static range between(range all, number of, uint64_t from, uint64_t to)
{
    const size_t first = below(all, of, from);
    const range is = {all.at + first, below(all, of, to) - first};
    return is;
}

/* ---- two hosts */

/* The flows between two hosts, as the CNPs of one of them see them. */
typedef struct hosts {
    flow *first; /* first flow of the table */
    bool whole;  /* no flow is missing in the table */
    range cnps;  /* flows with CNPs */
    range acks;  /* flows in the direction of the CNPs, by last_ack() */
    range data;  /* flows with data in the other direction, by data_number() */
} hosts;

/* Returns the data with this sending QP. With QP_NONE, the data without a known one. */
static range data_from(const hosts *h, const flow *cnps, uint32_t source)
{
    const uint64_t low = class_of(cnps) << 63 | (uint64_t)source << 25;
    return between(h->data, data_number, low, low + 2 * NO_PSN);
}

/* The number of flows that fit, and one of them. */
typedef struct found {
    size_t n;
    flow *is;
} found;

static void find(found *f, range fit)
{
    f->n += fit.n;
    if (fit.n != 0) f->is = fit.at[0];
}

/* Finds the PSN_WINDOW numbers from `first` on, modulo 2^24. */
static void find_window(found *f, range all, number of, uint32_t first)
{
    const uint64_t low = first & PSN_MASK, high = low + PSN_WINDOW;
    find(f, between(all, of, low, high < NO_PSN ? high : NO_PSN));
    if (high > NO_PSN) find(f, between(all, of, 0, high - NO_PSN));
}

/* Finds the data whose last PSNs include the PSN of `from`'s last ACK. */
static void find_acked(found *f, range data, const flow *from)
{
    if (from->has_ack) find_window(f, data, next_psn, from->ack_psn + 1);
}

/* Counts the flows whose last ACK has one of the last PSNs of this data. */
static size_t with_acks(const hosts *h, const flow *data)
{
    found f = {0, NULL};
    find_window(&f, h->acks, last_ack, data->requests.next - PSN_WINDOW);
    return f.n;
}

static void set_pair(const hosts *h, flow *cnps, unsigned how, flow *data)
{
    cnps->paired = (uint8_t)how;
    cnps->data = (size_t)(data - h->first);
    data->answers += cnps->cnps;
}

static void pair_cnps(const hosts *h, flow *cnps)
{
    const range named = data_from(h, cnps, cnps->key.qp);
    const range unknown = data_from(h, cnps, QP_NONE);
    found any = {0, NULL}, acked = {0, NULL};
    find(&any, named);
    find(&any, unknown);
    find_acked(&acked, named, cnps);
    find_acked(&acked, unknown, cnps);
    if (named.n == 1 && (h->whole || named.at[0]->src_by == PAIRED_CM))
        set_pair(h, cnps, named.at[0]->src_by, named.at[0]);
    else if (!h->whole)
        return; /* the others may have been possible, too */
    else if (any.n == 1 && h->cnps.n == 1)
        set_pair(h, cnps, PAIRED_ONLY, any.is);
    else if (acked.n == 1 && with_acks(h, acked.is) == 1)
        set_pair(h, cnps, PAIRED_PSN, acked.is);
}

static void dispute(range data, flow *cnps)
{
    size_t i;
    for (i = 0; i < data.n; i++) {
        if (data.at[i]->answers != 0) continue;
        data.at[i]->disputed = true;
        cnps->candidates++;
    }
}

/* Marks the data that unpaired CNPs may answer, unless paired CNPs answer it. */
static void dispute_all(const hosts *h)
{
    size_t unknown[2] = {0, 0}, i;
    bool done[2] = {false, false};
    for (i = 0; i < h->cnps.n; i++) {
        flow *cnps = h->cnps.at[i];
        const size_t class = (size_t)class_of(cnps);
        if (cnps->data != NO_FLOW) continue;
        dispute(data_from(h, cnps, cnps->key.qp), cnps);
        if (!done[class]) {
            const size_t named = cnps->candidates;
            dispute(data_from(h, cnps, QP_NONE), cnps);
            unknown[class] = cnps->candidates - named;
        } else {
            cnps->candidates += unknown[class];
        }
        done[class] = true;
    }
}

/* ---- all hosts */

static bool has_cnps(const flow *f)
{
    return f->cnps != 0;
}

static bool has_data(const flow *f)
{
    return f->has_data;
}

/* Copies the flows that pass `which`, or all flows without it. */
static range copy(range of, bool (*which)(const flow *), flow **to)
{
    range is = {to, 0};
    size_t i;
    for (i = 0; i < of.n; i++)
        if (which == NULL || which(of.at[i])) is.at[is.n++] = of.at[i];
    return is;
}

/* Returns the flows with the same addresses as at[0]. */
static range same_hosts(flow **at, size_t n)
{
    range is = {at, 1};
    while (is.n < n && by_hosts(&at[is.n], at) == 0)
        is.n++;
    return is;
}

/* Returns the flows in the other direction. `all` is in the order of by_hosts(). */
static range back_from(range all, const flow *f)
{
    flow wanted;
    flow *const pointer = &wanted;
    size_t low = 0, high = all.n;
    range none = {all.at, 0};
    wanted.key = f->key;
    wanted.key.src = f->key.dst;
    wanted.key.dst = f->key.src;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (by_hosts(&all.at[mid], &pointer) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == all.n || by_hosts(&all.at[low], &pointer) != 0) return none;
    return same_hosts(all.at + low, all.n - low);
}

static void pair_fastcnps(const flows *t, flow *all, flow *cnps)
{
    flow_key key = ROCECC_ZERO;
    key.src = cnps->key.dst;
    key.dst = cnps->key.about;
    key.qp = cnps->key.qp;
    key.kind = FLOW_QP;
    cnps->data = flows_find(t, &key);
    if (cnps->data == NO_FLOW) return;
    cnps->paired = PAIRED_FASTCNP;
    all[cnps->data].fast_answers += cnps->cnps;
}

void flows_pair(const flows *t, flow *flow_of, flow **spare)
{
    const size_t n = flows_count(t);
    const flow *others = flows_others(t);
    range all = {spare, 0}, there;
    size_t i, k;
    for (i = 0; i < n; i++) {
        flow *f = &flow_of[i];
        if (f->key.kind == FLOW_QP) all.at[all.n++] = f;
        if (f->key.kind == FLOW_FASTCNP && f->cnps != 0) pair_fastcnps(t, flow_of, f);
        if (others != NULL && others->cnps != 0) f->disputed = f->has_data;
    }
    qsort(all.at, all.n, sizeof *all.at, by_hosts);
    for (i = 0; i < all.n; i += there.n) {
        hosts h;
        there = same_hosts(all.at + i, all.n - i);
        h.first = flow_of;
        h.whole = others == NULL;
        h.cnps = copy(there, has_cnps, spare + n);
        if (h.cnps.n == 0) continue;
        h.acks = copy(there, NULL, spare + 2 * n);
        h.data = copy(back_from(all, there.at[0]), has_data, spare + 3 * n);
        qsort(h.acks.at, h.acks.n, sizeof *h.acks.at, by_ack);
        qsort(h.data.at, h.data.n, sizeof *h.data.at, by_data);
        for (k = 0; k < h.cnps.n; k++)
            pair_cnps(&h, h.cnps.at[k]);
        dispute_all(&h);
    }
}
