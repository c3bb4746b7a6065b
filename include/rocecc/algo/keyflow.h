/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_KEYFLOW_H
#define ROCECC_ALGO_KEYFLOW_H

/*
 * keyflow.h - the flow that causes the congestion of a queue: "CP judges the key flow
 * causing the congestion", and notifies that one. draft-yu-tsvwg-l3qcn-00, 3.2.1. Off
 * by default.
 *
 *     packet of the candidate    ahead += bytes
 *     of another flow            ahead -= bytes; below 0 the other is the candidate
 *
 *       candidate   A   A   A   A   B     A and B are packets of 1000 bytes: a flow
 *   with packet      A   A   B   B   B    more than half of all bytes is the candidate
 *       ahead      1k  2k  1k   0  1k     when they are counted, whatever their order
 *
 * It is the majority vote of Boyer and Moore, weighted by bytes. The candidate has sent
 * `ahead` bytes at least since the count began: from min_bytes on it is the key flow,
 * and other flows of the queue are left alone. Below min_bytes the queue has no key
 * flow, and each of its flows is notified, as it would be without this header: of eight
 * flows that are alike nobody is to blame.
 *
 * A flow is a number that the host makes of its key (guard/siphash.h); two with one
 * number count as one. State: 24 bytes, of a queue. Exact, no timers, no division.
 * README.md has the rules K-1 to K-6.
 */
#include "../fixed.h"

typedef enum rocecc_keyflow_refusal {
    ROCECC_KEYFLOW_ACCEPTED = 0,
    ROCECC_KEYFLOW_REFUSED_WINDOW /* 0, and min_bytes is not */
} rocecc_keyflow_refusal;

typedef struct rocecc_keyflow_params {
    uint32_t min_bytes; /* by which a key flow is ahead; 0: off */
    uint32_t window_ns; /* after which the count begins anew */
} rocecc_keyflow_params;

typedef struct rocecc_keyflow {
    uint64_t flow;        /* the candidate; means nothing while ahead_bytes is 0 */
    uint64_t start_ns;    /* when the count began */
    uint64_t ahead_bytes; /* of all other flows together, at least */
} rocecc_keyflow;
ROCECC_SIZE_(rocecc_keyflow, 24);

typedef enum rocecc_keyflow_verdict {
    ROCECC_KEYFLOW_NONE = 0, /* there is no key flow: as if nobody had asked */
    ROCECC_KEYFLOW_KEY,      /* this packet is of the key flow: to be notified */
    ROCECC_KEYFLOW_OTHER     /* another flow is the key flow: this one is left alone */
} rocecc_keyflow_verdict;

/* rocecc's own: a flow is ahead by a quarter of what a link sends in 100 us. */
ROCECC_FN rocecc_keyflow_params rocecc_keyflow_quarter(uint64_t rate_bps)
{
    rocecc_keyflow_params p = {0, 100000};
    rate_bps = rocecc_min(rate_bps, ROCECC_RATE_END_BPS);
    p.min_bytes = (uint32_t)ROCECC_DIV64(rate_bps, 320000); /* 100 us / (8 4) */
    return p;
}

/* Checks *params, once, before any queue. */
ROCECC_FN rocecc_keyflow_refusal
rocecc_keyflow_init(const rocecc_keyflow_params *params)
{
    return params->min_bytes != 0 && params->window_ns == 0
               ? ROCECC_KEYFLOW_REFUSED_WINDOW
               : ROCECC_KEYFLOW_ACCEPTED;
}

/* A queue at now_ns; also when it is empty, since what comes then has another cause. */
ROCECC_FN rocecc_keyflow rocecc_keyflow_start(uint64_t now_ns)
{
    rocecc_keyflow s = {0, 0, 0};
    s.start_ns = now_ns;
    return s;
}

/*
 * A packet of a flow comes to the queue: each, and not only those that are to be
 * marked. Counts it (K-2, K-3), in a count of window_ns (K-4), and says whether its
 * flow is the key flow (K-5).
 */
ROCECC_FN rocecc_keyflow_verdict
rocecc_keyflow_step(const rocecc_keyflow_params *params, rocecc_keyflow *state,
                    uint64_t flow, uint32_t bytes, uint64_t now_ns)
{
    if (params->min_bytes == 0) return ROCECC_KEYFLOW_NONE; /* K-1 */
    /* A clock that steps back is as far ahead as one can be: K-6. */
    if (now_ns - state->start_ns >= params->window_ns) {
        state->start_ns = now_ns;
        state->ahead_bytes = 0;
    }
    if (state->ahead_bytes == 0) state->flow = flow;
    if (state->flow == flow) {
        state->ahead_bytes += bytes;
    } else if (state->ahead_bytes >= bytes) {
        state->ahead_bytes -= bytes;
    } else {
        state->ahead_bytes = bytes - state->ahead_bytes;
        state->flow = flow;
    }
    if (state->ahead_bytes < params->min_bytes) return ROCECC_KEYFLOW_NONE;
    return state->flow == flow ? ROCECC_KEYFLOW_KEY : ROCECC_KEYFLOW_OTHER;
}

#endif /* ROCECC_ALGO_KEYFLOW_H */
