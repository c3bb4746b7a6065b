/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_BACKLOG_H
#define ROCECC_GUARD_BACKLOG_H

/*
 * backlog.h - counts the bytes that wait in this node. Each count is for one receiving
 * port and one service, flow, priority or class. A switch without hardware counters for
 * its queues needs these counts for ask.h.
 *
 *   received:  came = rocecc_backlog_add(p, &t, slots, &x, bytes)   keep came.slot with
 *              x.bytes = came.bytes                                 the packet
 *              rocecc_ask_queue(p, ..., &x, now)
 *   sent:      x.bytes = rocecc_backlog_sub(&t, slots, slot, bytes)
 *              rocecc_ask_queue(p, ..., &x, now)
 *
 * Example: two packets of a flow arrive, one of 1500 bytes and one of 500 bytes. The
 * flow's slot then counts 2000 bytes. After both packets are sent, the slot is free.
 *
 * Memory: 12 bytes for the state, and an array with 56 bytes per slot. The caller must
 * zero the array, and pass it to each call. A slot is in use while its packets wait.
 * Each buffered packet uses at most one slot. If the buffer can hold n packets,
 * rocecc_traffic_slot_count(n) slots are enough for any traffic. The host must keep the
 * slot number with the packet, so that sub() needs no lookup and subtracts only counted
 * bytes. Only one thread at a time may call add() or sub(). Neither call needs a clock.
 * README.md has the rules B-1 to B-4.
 */
#include "ask.h"

/* State besides the slots. */
typedef struct rocecc_backlog {
    uint32_t n;    /* number of slots: a power of two >= 16, or 0 (always full) */
    uint32_t used; /* number of slots in use */
    uint32_t full; /* packets not counted, because the table was full (B-3); mod 2^32 */
} rocecc_backlog;
ROCECC_SIZE_(rocecc_backlog, 12);

/* Result of counting a packet. */
typedef struct rocecc_backlog_result {
    uint64_t bytes; /* bytes that wait, including this packet */
    uint32_t slot;  /* ROCECC_PAUSE_NONE if not counted */
} rocecc_backlog_result;

/*
 * Returns the state of a table of n_slots zeroed slots. The table uses the first 2^k
 * slots, with the largest possible k.
 */
ROCECC_FN rocecc_backlog rocecc_backlog_start(uint32_t n_slots)
{
    rocecc_backlog t;
    t.n = rocecc_traffic_slot_round_down_(n_slots);
    t.used = t.full = 0;
    return t;
}

/*
 * Counts a packet that has arrived and is waiting (B-1). Returns slot NONE and 0 bytes
 * if the packet is control traffic, if it has no bytes, or if the table has no slot for
 * it. In the last case, also increments state->full (B-3).
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
 * Subtracts the bytes of a sent or dropped packet from the slot that counted it. The
 * count never falls below 0 (B-4). At 0, the slot becomes free (B-2). Returns the
 * number of bytes that still wait, or 0 if `slot` is NONE or already free.
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
