/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_GUARD_ASK_H
#define ROCECC_GUARD_ASK_H

/*
 * ask.h - precise flow control, of a node that asks: what waits at a receiving port
 * passes XOFF, and the node upstream is asked to hold it for a while, again while it is
 * above XON, and then to go on. draft-hu-rtgwg-rocev2-fcn-00, 4.1.2.
 *
 *        upstream                    node
 *   -----------------> in_port [ bytes ] out_port --->
 *   <--- ASK, ASK_RESUME ---   queue()   held_ns, of rocecc_pause_packet()
 *
 * Example, of rocecc_pause_lab(): 200 kB wait: ASK, for 100 us; 50 us later 150 kB do:
 * ASK again; 100 kB: ASK_RESUME. A node that is itself held for 30 us more asks for 30.
 *
 * Memory: 12 bytes, and 56 a slot: an array of the caller's, zeroed, that each call is
 * given. It is no table of pause.h: no message from outside has a slot in it. A slot is
 * asked for from XOFF to XON, so that no more are taken than the bytes of the buffer
 * divided by xon_bytes, and of rocecc_traffic_slot_count() of these there is one for
 * each. Timers are the host's. README.md has R-ARN-15, R-ARN-16, P-4, P-7 and P-10.
 */
#include "pause.h"

/* The side of a key, not 0: asked for by an ARN, by PFC. */
#define ROCECC_ASK_ARN_ 2u
#define ROCECC_ASK_PFC_ 3u

/* What is kept beside the slots. */
typedef struct rocecc_ask {
    uint32_t n;     /* slots: a power of two from 16 on, or 0: as if it were full */
    uint32_t asked; /* slots that are taken */
    uint32_t full;  /* P-3, mod 2^32 */
} rocecc_ask;
ROCECC_SIZE_(rocecc_ask, 12);

/* A table of n_slots that are zeroed, of which it uses the largest power of two. */
ROCECC_FN rocecc_ask rocecc_ask_start(uint32_t n_slots)
{
    rocecc_ask t;
    t.n = rocecc_traffic_slot_round_down_(n_slots);
    t.asked = t.full = 0;
    return t;
}

/* Where the traffic comes in, by what its neighbour is asked by: P-7. */
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
 * time = min(held_ns if it is held, pause_ns), by PFC pfc_ns; R-ARN-15, R-ARN-16, P-7.
 * again = time / 2, rounded up; all of time if that is below a quarter: P-4.
 *
 * To be called when packets come and go, with traffic->bytes, and by the timer that it
 * arms: R-ARN-3, R-ARN-8. NOTHING, too, where time is below min_ns: what is held for so
 * short goes soon, and then it is called again (P-10).
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
