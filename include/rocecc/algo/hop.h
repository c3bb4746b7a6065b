/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_HOP_H
#define ROCECC_ALGO_HOP_H

/*
 * hop.h - one hop of in-band telemetry, for any record format. A hop describes a node's
 * egress port and queue at the moment when a packet left the node.
 *
 *         queue_bytes     tx_bytes, util_q20
 *       --->[][][]----------------------------> rate_bps
 *                  ts_ns, id
 *
 * For each item, `valid` has a bit that is set if the node reported the item. If the
 * bit is not set, the item is unknown, and must not be taken as 0.
 *
 * Example: for a 24-bit clock, rocecc_hop_distance(2^24 - 100, 50, 2^24) returns 150.
 */
#include "../fixed.h"

/* Bits of `valid`. */
enum {
    ROCECC_HOP_ID = 1,
    ROCECC_HOP_RATE = 2,
    ROCECC_HOP_QUEUE = 4,
    ROCECC_HOP_TX = 8,
    ROCECC_HOP_TS = 16,
    ROCECC_HOP_UTIL = 32
};

typedef struct rocecc_hop {
    uint64_t id;          /* node and port in one number */
    uint64_t rate_bps;    /* link rate */
    uint64_t tx_bytes;    /* sent so far; below the counter's modulus */
    uint64_t ts_ns;       /* departure time; below the clock's modulus */
    uint32_t queue_bytes; /* queue length just after the packet left */
    uint32_t util_q20;    /* link utilisation, measured by the node */
    uint8_t valid;        /* ROCECC_HOP_... */
} rocecc_hop;

/*
 * Returns how far a counter or clock advanced from `begin` to `end`. `begin` and `end`
 * must be below `modulus`. Any modulus is allowed, and 0 means 2^64. Complete turns of
 * the counter or clock are not detected, and add nothing to the result.
 */
ROCECC_FN uint64_t rocecc_hop_distance(uint64_t begin, uint64_t end, uint64_t modulus)
{
    uint64_t d = end - begin;
    if (ROCECC_UNLIKELY_(end < begin)) d += modulus;
    return d;
}

#endif /* ROCECC_ALGO_HOP_H */
