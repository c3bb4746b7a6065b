/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_ASK_H
#define ROCECC_GUARD_ASK_H

/*
 * ask.h - precise flow control for a node that asks for pauses. If the number of
 * waiting bytes from a receiving port reaches XOFF, the node asks the upstream node to
 * hold this traffic for a limited time. As long as the number is above XON, the node
 * keeps renewing the request. At or below XON, it asks the upstream node to resume the
 * traffic. draft-hu-rtgwg-rocev2-fcn-00, 4.1.2.
 *
 *        upstream                    node
 *   -----------------> in_port [ bytes ] out_port --->
 *   <--- ASK, ASK_RESUME ---   queue()   held_ns, from rocecc_pause_packet()
 *
 * Example, with rocecc_pause_lab(): when 200 kB is waiting, the node asks for a pause
 * of 100 us. After 50 us, 150 kB is waiting, and it asks again. When only 100 kB is
 * waiting, it asks to resume.
 *
 * Memory: 12 bytes for the state, and an array with 56 bytes per slot. The caller must
 * zero the array, and pass it to each call. The caller must use a different array for
 * pause.h, so that no received message takes a slot in this array. A slot is in use
 * only while more than xon_bytes of its traffic are waiting, so at most n = (buffer
 * size in bytes) / xon_bytes slots are in use at a time, and
 * rocecc_traffic_slot_count(n) slots are enough. If the table is full, a new request
 * can take a slot whose timer is at least pause_ns late. README.md has the rules.
 */
#include "pause.h"

/*
 * Side numbers (traffic_slot.h) of the keys for requests by ARN and by PFC. A free slot
 * has side 0.
 */
#define ROCECC_ASK_ARN_ 2u
#define ROCECC_ASK_PFC_ 3u

/* State besides the slots. */
typedef struct rocecc_ask {
    uint32_t n;     /* number of slots: a power of two >= 16, or 0 (always full) */
    uint32_t asked; /* number of slots in use; for traffic that the upstream node is
                       asked to hold */
    uint32_t full;  /* requests not sent for lack of room; IGNORED_FULL results
                       (P-3), mod 2^32 */
} rocecc_ask;
ROCECC_SIZE_(rocecc_ask, 12);

/*
 * Returns the state of a table of n_slots zeroed slots. The table uses the first 2^k
 * slots, with the largest possible k.
 */
ROCECC_FN rocecc_ask rocecc_ask_start(uint32_t n_slots)
{
    rocecc_ask t;
    t.n = rocecc_traffic_slot_round_down_(n_slots);
    t.asked = t.full = 0;
    return t;
}

/* Returns true if requests to the neighbour at in_port must use PFC (P-7). */
ROCECC_FN bool rocecc_ask_uses_pfc_(const rocecc_pause_params *params,
                                    const rocecc_pause_traffic *traffic)
{
    return traffic->in_pfc || params->mode == ROCECC_PAUSE_CLASS;
}

ROCECC_FN rocecc_traffic_slot_key_ rocecc_ask_make_key_(
    const rocecc_pause_params *params, const rocecc_pause_traffic *traffic)
{
    if (rocecc_ask_uses_pfc_(params, traffic))
        return rocecc_traffic_slot_key_of_priority_(traffic->pfc_class,
                                                    traffic->in_port, ROCECC_ASK_PFC_);
    return rocecc_pause_key_of_(params, traffic, traffic->in_port, ROCECC_ASK_ARN_);
}

/*
 * Returns ASK, ASK_RESUME or NOTHING, or IGNORED_FULL if the table has no slot for a
 * new request (P-3). The host must call this function with the current traffic->bytes
 * when packets arrive or leave, and when the timer of an ASK expires (R-ARN-3,
 * R-ARN-8). An ASK requests a pause of `time`, and arms the timer for `again`
 * (R-ARN-15, R-ARN-16, P-4, P-7).
 *
 *     most = pfc_ns for a request by PFC, pause_ns for a request by ARN
 *     time = most if held_ns is 0, otherwise min(held_ns, most)
 *     again = time if time < most / 4, otherwise time / 2 (rounded up)
 *
 * The node does not ask for a pause shorter than min_ns, because traffic that is held
 * here for less than min_ns leaves soon (P-10).
 */
ROCECC_FN rocecc_pause_result rocecc_ask_queue(const rocecc_pause_params *params,
                                               rocecc_ask *state,
                                               rocecc_traffic_slot *slots,
                                               const rocecc_pause_traffic *traffic,
                                               uint64_t now_ns)
{
    rocecc_pause_result act = rocecc_pause_make_result_(ROCECC_PAUSE_NOTHING);
    const rocecc_pause_result nothing = act;
    const bool pfc = rocecc_ask_uses_pfc_(params, traffic);
    const uint64_t most_ns = pfc ? params->pfc_ns : params->pause_ns;
    const uint64_t time_ns =
        traffic->held_ns != 0 ? rocecc_min(traffic->held_ns, most_ns) : most_ns;
    rocecc_traffic_slot_key_ k;
    rocecc_traffic_slot_place_ at;
    if (traffic->control) return nothing;
    k = rocecc_ask_make_key_(params, traffic);
    at = rocecc_traffic_slot_place_of_(rocecc_pause_bucket_secret_(params), state->n,
                                       &k);
    act.slot = rocecc_traffic_slot_find_(slots, &at);
    act.pfc = pfc;
    if (act.slot == ROCECC_PAUSE_NONE) {
        if (traffic->bytes < params->xoff_bytes || time_ns < params->min_ns)
            return nothing;
        act.slot = rocecc_traffic_slot_choose_(slots, &at, params->max_ns,
                                               params->pause_ns, now_ns);
        if (act.slot == ROCECC_PAUSE_NONE)
            return rocecc_pause_reject_full_(&state->full);
        state->asked += (uint32_t)slots[act.slot].key[5] == 0;
        rocecc_traffic_slot_assign_(&slots[act.slot], &k);
    } else if (traffic->bytes <= params->xon_bytes) {
        rocecc_traffic_slot_assign_(&slots[act.slot], NULL);
        state->asked--;
        act.what = ROCECC_PAUSE_ASK_RESUME;
        return act;
    } else if (rocecc_traffic_slot_remaining_ns_(params->max_ns, slots[act.slot].value,
                                                 now_ns) != 0 ||
               time_ns < params->min_ns) {
        return nothing;
    }
    act.what = ROCECC_PAUSE_ASK;
    act.time_ns = time_ns;
    act.arm = true;
    act.wait_ns = time_ns < most_ns / 4 ? time_ns : (time_ns + 1) / 2;
    slots[act.slot].value = now_ns + act.wait_ns;
    return act;
}

#endif /* ROCECC_GUARD_ASK_H */
