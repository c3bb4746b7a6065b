/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_HOP_H
#define ROCECC_ALGO_HOP_H

/*
 * hop.h - one hop of in-band telemetry, whatever record it came in: what a node said of
 * an egress port and its queue at the moment when the packet left it.
 *
 *         queue_bytes     tx_bytes, util_q20
 *       --->[][][]----------------------------> rate_bps
 *                  ts_ns, id
 *
 * A bit in `valid` says that an item was reported: one that was not is never a 0.
 *
 * Example: on a clock of 24 bits, from 2^24 - 100 to 50 rocecc_hop_distance() counts
 * 150.
 */
#include "../fixed.h"

/* In `valid`. */
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
    uint64_t tx_bytes;    /* sent so far, below the modulus of its counter */
    uint64_t ts_ns;       /* when, below the modulus of its clock */
    uint32_t queue_bytes; /* that wait when the packet has left */
    uint32_t util_q20;    /* how busy the link is, as the node measured it */
    uint8_t valid;        /* ROCECC_HOP_... */
} rocecc_hop;

/*
 * How far a counter or clock went from one value to another, both below its modulus,
 * which is any number; 0 is 2^64. More than one turn counts as less than one.
 */
ROCECC_FN uint64_t rocecc_hop_distance(uint64_t begin, uint64_t end, uint64_t modulus)
{
    uint64_t d = end - begin;
    if (ROCECC_UNLIKELY_(end < begin)) d += modulus;
    return d;
}

#endif /* ROCECC_ALGO_HOP_H */
