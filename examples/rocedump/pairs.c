/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pairs.c - which data the CNPs of a flow answer: where the hosts or the packets say
 * so, or nothing else can be.
 */
#include <stdlib.h>
#include <string.h>

#include "flows.h"
#include "memory.h"

#define PSN_MASK 0xffffffu

/* The flows between hosts that have CNPs or data: those from one to another are next to
 * each other. */
typedef struct pairs {
    flow *first; /* of the table */
    flow **flow;
    size_t n;
} pairs;

/* Some of them. */
typedef struct range {
    flow *const *at;
    size_t n;
} range;

/* Addresses stand first in a key. */
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

/* The flows from one host to another. */
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

/* Whether a flow has data that CNPs to that QP may answer; QP 0 and 1 are of
 * management. */
static bool may_answer(const flow *cnps, const flow *data)
{
    return data->has_data && (data->key.qp > 1) == (cnps->key.qp > 1) &&
           (data->src_qp >= QP_MANY || data->src_qp == cnps->key.qp);
}

/* Whether the last ACK of a flow is of the last packets of that data. */
static bool acks(const flow *from, const flow *data)
{
    return from->has_ack && data->requests.started &&
           ((data->requests.next - from->ack_psn - 1) & PSN_MASK) < PSN_WINDOW;
}

/* How many flows fit, and the last one that does. */
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

/* How many of the flows have CNPs. */
static size_t with_cnps(range of)
{
    size_t i, n = 0;
    for (i = 0; i < of.n; i++)
        n += of.at[i]->cnps != 0;
    return n;
}

/* How many of the flows have ACKs of that data. */
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

/* The data that CNPs may answer, where it is not known which they do. */
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
