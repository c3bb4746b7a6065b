/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_FIRMWARE_REACTION_H
#define EXAMPLES_FIRMWARE_REACTION_H

/*
 * reaction.h - a reaction point for 8 QPs in firmware. All state is static. An
 * interrupt posts events, and a loop handles them. HPCC++ uses IOAM data from ACKs
 * (wire/echo.h). DCQCN has timers, and uses CNPs that pass the gate of
 * role/reaction_point.h.
 */
#include "rocecc/rocecc.h"

#define REACTION_QPS 8
#define REACTION_FRAME 192 /* bytes */

typedef struct reaction_rates {
    uint64_t hpcc_bps;
    uint64_t window_bytes;
    uint64_t dcqcn_bps;
} reaction_rates;

/*
 * Sets up QP first_qp and the next 7 QPs, all connected to one peer. Returns false if
 * the library rejects a parameter.
 */
bool reaction_open(uint64_t line_bps, uint32_t first_qp, const rocecc_ip6 *peer);

/*
 * Posts an event from the interrupt: a frame from its Ethernet header on, or only the
 * time if n is 0. Returns false, and loses the event, if the queue is full or the frame
 * too long.
 */
bool reaction_post(uint64_t now_ns, const uint8_t *frame, size_t n);

/* Handles one event, in the loop. Returns false if no event was posted. */
bool reaction_step(void);
int reaction_idle(void);

reaction_rates reaction_rates_of(size_t qp);

/* Returns the gate, with its counters of verdicts, arrivals and limits. */
const rocecc_reaction_point *reaction_gate(void);

#endif /* EXAMPLES_FIRMWARE_REACTION_H */
