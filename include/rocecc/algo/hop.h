/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_HOP_H
#define ROCECC_ALGO_HOP_H

/*
 * hop.h - one hop of in-band telemetry, in any record format. It describes a node's
 * egress port and queue at the moment when the packet left it.
 *
 *         queue_bytes     tx_bytes, util_q20
 *       --->[][][]----------------------------> rate_bps
 *                  ts_ns, id
 *
 * `valid` has a bit for each item that was reported. An item without its bit is
 * unknown, and not 0.
 *
 * Example: on a clock of 24 bits, rocecc_hop_distance() from 2^24 - 100 to 50 is 150.
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
    uint64_t rate_bps;    /* of the link */
    uint64_t tx_bytes;    /* sent so far, below the counter's modulus */
    uint64_t ts_ns;       /* departure time, below the clock's modulus */
    uint32_t queue_bytes; /* waiting when the packet has left */
    uint32_t util_q20;    /* link utilisation, as the node measured it */
    uint8_t valid;        /* ROCECC_HOP_... */
} rocecc_hop;

/*
 * Returns how far a counter or clock went from `begin` to `end`, both below `modulus`.
 * modulus may be any number, and 0 is 2^64. Whole turns are not counted.
 */
ROCECC_FN uint64_t rocecc_hop_distance(uint64_t begin, uint64_t end, uint64_t modulus)
{
    uint64_t d = end - begin;
    if (ROCECC_UNLIKELY_(end < begin)) d += modulus;
    return d;
}

#endif /* ROCECC_ALGO_HOP_H */
