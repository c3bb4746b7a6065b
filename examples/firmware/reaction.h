/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXAMPLES_FIRMWARE_REACTION_H
#define EXAMPLES_FIRMWARE_REACTION_H

/*
 * reaction.h - a reaction point for 8 QPs, as a firmware has it: all state is static,
 * an interrupt posts what has happened, and a loop works it off. HPCC++ from the IOAM
 * that an ACK brings back (wire/echo.h), DCQCN with its timers from CNPs that pass the
 * gate of role/reaction_point.h.
 */
#include "rocecc/rocecc.h"

#define REACTION_QPS 8
#define REACTION_FRAME 192 /* bytes */

typedef struct reaction_rates {
    uint64_t hpcc_bps;
    uint64_t window_bytes;
    uint64_t dcqcn_bps;
} reaction_rates;

/* Of QP numbers first_qp and the 7 after it, all of them connected to one peer. False:
 * the library refuses a parameter. */
bool reaction_open(uint64_t line_bps, uint32_t first_qp, const rocecc_ip6 *peer);

/* In the interrupt. A frame that came, from its Ethernet header on, or, of 0 bytes, the
 * time alone. False: the queue is full, and the event is lost. */
bool reaction_post(uint64_t now_ns, const uint8_t *frame, size_t n);

/* In the loop. False: nothing was posted. */
bool reaction_step(void);
int reaction_idle(void);

reaction_rates reaction_rates_of(size_t qp);

/* What the gate has counted: verdicts, reasons of arrival and of the limits. */
const rocecc_reaction_point *reaction_gate(void);

#endif /* EXAMPLES_FIRMWARE_REACTION_H */
