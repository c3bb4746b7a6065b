/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_BACKLOG_H
#define ROCECC_GUARD_BACKLOG_H

/*
 * backlog.h - what waits here of a service, a flow, a priority or a class, at the port
 * that received it: the bytes that ask.h goes by, for a switch that has no counter of
 * its own for each of them.
 *
 *   received:  came = rocecc_backlog_add(p, &t, slots, &x, bytes)   came.slot goes with
 *              x.bytes = came.bytes                                 the packet
 *              rocecc_ask_queue(p, ..., &x, now)
 *   sent:      x.bytes = rocecc_backlog_sub(&t, slots, slot, bytes)
 *              rocecc_ask_queue(p, ..., &x, now)
 *
 * Example: of a flow 1500 and 500 bytes come, and its slot has 2000; both are sent, and
 * the slot is free.
 *
 * Memory: 12 bytes, and 56 a slot: an array of the caller's, zeroed, that each call is
 * given. A slot is taken while bytes wait, so that no more are taken than packets fit
 * into the buffer, and of rocecc_traffic_slot_count() of these there is one for each,
 * whoever sends what. The packet knows its slot: nothing is looked up when it is sent,
 * and what was not counted is not taken off. One writer, no clock. README.md has B-1 to
 * B-4.
 */
#include "ask.h"

/* What is kept beside the slots. */
typedef struct rocecc_backlog {
    uint32_t n;    /* slots: a power of two from 16 on, or 0: as if it were full */
    uint32_t used; /* slots that are taken */
    uint32_t full; /* B-3, mod 2^32 */
} rocecc_backlog;
ROCECC_SIZE_(rocecc_backlog, 12);

/* Where a packet was counted. */
typedef struct rocecc_backlog_result {
    uint64_t bytes; /* what waits with it */
    uint32_t slot;  /* ROCECC_PAUSE_NONE: it is not counted */
} rocecc_backlog_result;

/* A table of n_slots that are zeroed, of which it uses the largest power of two. */
ROCECC_FN rocecc_backlog rocecc_backlog_start(uint32_t n_slots)
{
    rocecc_backlog t;
    t.n = rocecc_traffic_slot_round_down_(n_slots);
    t.used = t.full = 0;
    return t;
}

/*
 * A packet of traffic came in, and waits: waiting += bytes (B-1). NONE and 0: it is
 * control traffic, has no bytes, or found no slot (B-3).
 */
ROCECC_FN rocecc_backlog_result rocecc_backlog_add(const rocecc_pause_params *params,
                                                   rocecc_backlog *state,
                                                   rocecc_traffic_slot *slots,
                                                   const rocecc_pause_traffic *traffic,
                                                   uint32_t bytes)
{
    rocecc_backlog_result came = {0, ROCECC_PAUSE_NONE};
    rocecc_traffic_slot_key_ k;
    rocecc_traffic_slot_place_ at;
    if (traffic->control || bytes == 0) return came;
    k = rocecc_ask_make_key_(params, traffic);
    at = rocecc_traffic_slot_place_of_(rocecc_pause_bucket_secret_(params), state->n,
                                       &k);
    came.slot = rocecc_traffic_slot_find_(slots, &at);
    if (came.slot == ROCECC_PAUSE_NONE) {
        came.slot = rocecc_traffic_slot_find_free_(slots, &at);
        if (came.slot == ROCECC_PAUSE_NONE) {
            state->full++;
            return came;
        }
        state->used++;
        rocecc_traffic_slot_assign_(&slots[came.slot], &k);
    }
    slots[came.slot].value += bytes;
    came.bytes = slots[came.slot].value;
    return came;
}

/*
 * A packet that was counted in slot is gone, sent or dropped: waiting -= bytes, and at
 * 0 the slot is free (B-2). What still waits; 0 of NONE, and of a slot that is free
 * (B-4).
 */
ROCECC_FN uint64_t rocecc_backlog_sub(rocecc_backlog *state, rocecc_traffic_slot *slots,
                                      uint32_t slot, uint32_t bytes)
{
    if (slot >= state->n || (uint32_t)slots[slot].key[5] == 0) return 0;
    if (slots[slot].value > bytes) {
        slots[slot].value -= bytes;
        return slots[slot].value;
    }
    rocecc_traffic_slot_assign_(&slots[slot], NULL);
    state->used--;
    return 0;
}

#endif /* ROCECC_GUARD_BACKLOG_H */
