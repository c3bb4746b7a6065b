/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pairs.c - pairs the CNPs of a flow with the data that they answer, if hosts or
 * packets identify it, or only one flow is possible.
 */
#include <stdlib.h>
#include <string.h>

#include "flows.h"
#include "memory.h"

#define PSN_MASK 0xffffffu

/* The flows of kind FLOW_QP, sorted by their addresses. */
typedef struct pairs {
    flow *first; /* first flow of the table */
    flow **flow;
    size_t n;
} pairs;

/* Neighbouring flows in this order. */
typedef struct range {
    flow *const *at;
    size_t n;
} range;

/* A key starts with the addresses. */
static int by_hosts(const void *a, const void *b)
{
    return memcmp(&(*(flow *const *)a)->key, &(*(flow *const *)b)->key,
                  2 * sizeof(rocecc_ip6));
}

static pairs pairs_of(flow *flow_of, size_t n)
{
    pairs all;
    size_t i;
    all.first = flow_of;
    all.flow = memory(n + 1, sizeof *all.flow);
    all.n = 0;
    for (i = 0; i < n; i++)
        if (flow_of[i].key.kind == FLOW_QP) all.flow[all.n++] = &flow_of[i];
    qsort(all.flow, all.n, sizeof *all.flow, by_hosts);
    return all;
}

/* Returns the flows from one host to another. */
static range between(const pairs *all, const rocecc_ip6 *src, const rocecc_ip6 *dst)
{
    flow wanted;
    flow *const pointer = &wanted;
    range is = {NULL, 0};
    flow *const *end = all->flow + all->n;
    wanted.key.src = *src;
    wanted.key.dst = *dst;
    is.at = bsearch(&pointer, all->flow, all->n, sizeof *all->flow, by_hosts);
    if (is.at == NULL) return is;
    while (is.at != all->flow && by_hosts(is.at - 1, &pointer) == 0)
        is.at--;
    while (is.at + is.n != end && by_hosts(is.at + is.n, &pointer) == 0)
        is.n++;
    return is;
}

/*
 * Returns true if the CNPs of a flow may answer the data of another flow. QPs 0 and 1
 * are for management.
 */
static bool may_answer(const flow *cnps, const flow *data)
{
    return data->has_data && (data->key.qp > 1) == (cnps->key.qp > 1) &&
           (data->src_qp >= QP_MANY || data->src_qp == cnps->key.qp);
}

/* Returns true if the last ACK in `from` has one of the data's last PSN_WINDOW PSNs. */
static bool acks(const flow *from, const flow *data)
{
    return from->has_ack && data->requests.started &&
           ((data->requests.next - from->ack_psn - 1) & PSN_MASK) < PSN_WINDOW;
}

/* The number of flows that fit, and the last of them. */
typedef struct found {
    size_t n;
    flow *is;
} found;

static void find(found *f, bool fits, flow *is)
{
    if (!fits) return;
    f->n++;
    f->is = is;
}

/* Counts the flows with CNPs. */
static size_t with_cnps(range of)
{
    size_t i, n = 0;
    for (i = 0; i < of.n; i++)
        n += of.at[i]->cnps != 0;
    return n;
}

/* Counts the flows with a last ACK for this data. */
static size_t with_acks(range of, const flow *data)
{
    size_t i, n = 0;
    for (i = 0; i < of.n; i++)
        n += acks(of.at[i], data);
    return n;
}

static void set_pair(const pairs *all, flow *cnps, unsigned how, flow *data)
{
    cnps->paired = (uint8_t)how;
    cnps->data = (size_t)(data - all->first);
    data->answers += cnps->cnps;
}

static void pair_cnps(const pairs *all, flow *cnps)
{
    const range there = between(all, &cnps->key.dst, &cnps->key.src);
    const range back = between(all, &cnps->key.src, &cnps->key.dst);
    found any = {0, NULL}, named = {0, NULL}, acked = {0, NULL};
    size_t i;
    for (i = 0; i < there.n; i++) {
        flow *f = there.at[i];
        if (!may_answer(cnps, f)) continue;
        find(&any, true, f);
        find(&named, f->src_qp == cnps->key.qp, f);
        find(&acked, acks(cnps, f), f);
    }
    if (named.n == 1)
        set_pair(all, cnps, named.is->src_by, named.is);
    else if (any.n == 1 && with_cnps(back) == 1)
        set_pair(all, cnps, PAIRED_ONLY, any.is);
    else if (acked.n == 1 && with_acks(back, acked.is) == 1)
        set_pair(all, cnps, PAIRED_PSN, acked.is);
}

/* Marks the data that unpaired CNPs may answer, unless paired CNPs answer it. */
static void dispute(const pairs *all, flow *cnps)
{
    const range there = between(all, &cnps->key.dst, &cnps->key.src);
    size_t i;
    if (cnps->data != NO_FLOW) return;
    for (i = 0; i < there.n; i++) {
        flow *f = there.at[i];
        if (!may_answer(cnps, f) || f->answers != 0) continue;
        f->disputed = true;
        cnps->candidates++;
    }
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

void flows_pair(const flows *t, flow *flow_of)
{
    const size_t n = flows_count(t);
    const pairs all = pairs_of(flow_of, n);
    size_t i;
    for (i = 0; i < n; i++) {
        flow *f = &flow_of[i];
        if (f->cnps == 0) continue;
        if (f->key.kind == FLOW_FASTCNP)
            pair_fastcnps(t, flow_of, f);
        else
            pair_cnps(&all, f);
    }
    for (i = 0; i < all.n; i++)
        if (all.flow[i]->cnps != 0) dispute(&all, all.flow[i]);
    free(all.flow);
}
