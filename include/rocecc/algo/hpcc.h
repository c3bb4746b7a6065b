/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_HPCC_H
#define ROCECC_ALGO_HPCC_H

/*
 * hpcc.h - HPCC and HPCC++, which set the window of one sending flow from per-hop
 * telemetry or from one CSIG signal per packet. Li et al., SIGCOMM 2019;
 * draft-miao-tsv-hpcc-01; draft-miao-ccwg-hpcc-info-03, 3.1.
 *
 *   hop    u' = min(qlen, L.qlen) / (B * T) + dtx / (dt * B)  queued + sent
 *   path   u = max u',  tau = min(dt of that hop, T)
 *          U = (1 - tau/T) * U + tau/T * u                    bytes in flight / (B * T)
 *   W      if U >= eta, or after maxStage rounds below:  Wc * eta / U + W_AI
 *          otherwise:                                    Wc + W_AI
 *   R      W / T
 *
 *   W ^  -.___.-'          At each ACK, W is computed from Wc, so several ACKs that
 *     |  | :   :  ----     report the same queue cut W only once. Wc changes once per
 *     |  '-+---+-'   :     round trip, at the first ACK for data that was sent after
 *     +----+---+-----+-->  the last change of Wc.
 *
 * Example, with the paper's values at 100 Gb/s: T is 13 us, so B * T and Wc are 162500
 * bytes. A hop sends 162500 bytes in T, and 16250 bytes are in its queue. Then u' = 0.1
 * + 1, U = 1.1, W = 162500 * 0.95 / 1.1 + 81.25 = 140422 bytes, and R = 86.4 Gb/s.
 *
 * Disturbances include periods of silence, clock steps, new paths or link rates, and
 * missing or reordered reports. After a disturbance, W follows H-35 until the path is
 * measured again. The goodput then returns to within 10 % of the undisturbed goodput.
 * This takes at most
 *
 *     reorder + (8 + (maxStage + 1) * (4 + n)) * T
 *
 * where n is the number of times that marks halved W below W_blind. In simulations of
 * 10,000 cases of each kind of disturbance, the goodput recovered within 6 * T in at
 * least 99.3 % of the cases (tests/law/hpcc_time.h).
 *
 * hpcc.h tolerates hop clocks that tick only once per 64 us, stand still, or count in
 * another unit. Even with such clocks, 8 flows keep their goodput. The fairness of
 * these flows (smallest / largest goodput) is at least 0.9 if W_AI =
 * B * T * (1 - eta) / 16. With a smaller W_AI, the shares are less fair. The host's
 * clock must tick at least once every T/8. Packets can be sprayed over several paths.
 * In simulations with 2 or 8 paths, even if one path is slower than the others, 8 flows
 * use at least 0.9 * eta of the paths' capacity, with a fairness of 0.4 to 0.9 and
 * queues below 10 KB. A host that sprays packets must count every unacknowledged packet
 * as in flight. If hops report only queue lengths, the bottleneck's queue settles near
 * eta * B * T / 4.
 *
 * State: 40 bytes. Without CSIG, the caller must also keep L, an array with a record of
 * 40 bytes for each hop. No timers are needed. Handling an ACK takes at most one
 * division, plus one if dt > T, plus one for each hop that is new in L or has a new
 * link rate. The comment of rocecc_hpcc_action in hpcc_window.h gives two rules for the
 * host. README.md lists the rules H-1 to H-44.
 */
#include "hpcc_csig.h"
#include "hpcc_hop.h"

/* True if i < n. The BPF verifier must also see that i < HOPS_MAX. */
#if defined(__bpf__)
#define ROCECC_HPCC_MORE_(i, n) ((i) < ROCECC_HPCC_HOPS_MAX && (i) < (n))
#else
#define ROCECC_HPCC_MORE_(i, n) ((i) < (n))
#endif

#define ROCECC_HPCC_MEASURED_ 0x100 /* added to the gap count if a hop was measured */

/* Input from an ACK or a Fast CNP. */
typedef struct rocecc_hpcc_event {
    const rocecc_hop *hops; /* from first to last */
    uint32_t n_hops;
    uint32_t seq;     /* acknowledged by the ACK; unused for a Fast CNP */
    uint32_t snd_nxt; /* next number to be sent; in bytes or packets, like seq */
    uint64_t now_ns;
    uint8_t ecn;     /* ROCECC_HPCC_ECN_... */
    bool incomplete; /* the path has hops that did not report */
} rocecc_hpcc_event;

/*
 * Measures the hops. Updates U with the largest u' (H-5), or keeps U if no hop was
 * measured (H-6). Saves the hops in L only if `keep` is set. Returns the number of gaps
 * (see rocecc_hpcc_not_measured_()), plus ROCECC_HPCC_MEASURED_ if any hop was
 * measured.
 */
ROCECC_FN uint32_t rocecc_hpcc_measure_(const rocecc_hpcc_params *params,
                                        rocecc_hpcc *state, rocecc_hpcc_hop *records,
                                        const rocecc_hpcc_event *event, bool keep)
{
    const rocecc_hpcc_elapsed_ t =
        rocecc_hpcc_elapsed_since_(params, state, event->now_ns);
    size_t n = (size_t)rocecc_min(event->n_hops, ROCECC_HPCC_HOPS_MAX);
    rocecc_hpcc_hop_load_ most = {0, 0};
    uint32_t i, gaps = 0;
    ROCECC_BPF_KEEP_(n);
    for (i = 0; ROCECC_HPCC_MORE_(i, n); i++) {
        rocecc_hpcc_hop_load_ load;
        rocecc_hpcc_hop before;
        if (!keep) before = records[i];
        load =
            rocecc_hpcc_measure_hop_(params, state, &records[i], &event->hops[i], &t);
        if (!keep) records[i] = before;
        if (load.dt_ns == 0)
            gaps += (uint32_t)load.part_q32;
        else if (most.dt_ns == 0 || rocecc_hpcc_larger_(&load, &most))
            most = load;
    }
    if (most.dt_ns == 0) return gaps;
    rocecc_hpcc_update_u_(params, state, &most);
    return gaps | ROCECC_HPCC_MEASURED_;
}

/* Results of comparing a report with the first hops in L. */
enum { ROCECC_HPCC_OTHER_ = 0, ROCECC_HPCC_SAME_, ROCECC_HPCC_STANDS_ };

/*
 * Returns OTHER if the ids in a report differ from the ids in L (H-29). Otherwise
 * returns STANDS if any clock that is needed to time a counter still has its value from
 * L (H-2), and SAME if there is no such clock.
 */
ROCECC_FN uint32_t rocecc_hpcc_compare_path_(const rocecc_hpcc_hop *records,
                                             const rocecc_hpcc_event *event)
{
    size_t n = (size_t)rocecc_min(event->n_hops, ROCECC_HPCC_HOPS_MAX);
    const unsigned timed = ROCECC_HOP_TS | ROCECC_HOP_TX;
    uint32_t i, found = ROCECC_HPCC_SAME_;
    ROCECC_BPF_KEEP_(n);
    for (i = 0; ROCECC_HPCC_MORE_(i, n); i++) {
        const rocecc_hop *h = &event->hops[i];
        if (ROCECC_UNLIKELY_(records[i].ts_ns == (uint32_t)h->ts_ns) &&
            (records[i].valid & h->valid & timed) == timed &&
            (h->valid & ROCECC_HOP_UTIL) == 0)
            found = ROCECC_HPCC_STANDS_;
        if (records[i].id == h->id && records[i].valid == h->valid) continue;
        if (((records[i].valid ^ h->valid) & ROCECC_HOP_ID) != 0)
            return ROCECC_HPCC_OTHER_;
        if (records[i].id != h->id && (h->valid & ROCECC_HOP_ID) != 0)
            return ROCECC_HPCC_OTHER_;
    }
    return found;
}

/*
 * Returns true if a report from L's path changes nothing, because it is old or must
 * wait. If the host's clock is in use, a report must wait until T has passed since the
 * last telemetry that was used. Otherwise, a report in which a clock stands still must
 * wait for up to wait_ns.
 */
ROCECC_FN bool rocecc_hpcc_passes_by_(const rocecc_hpcc_params *params,
                                      const rocecc_hpcc *state,
                                      rocecc_hpcc_hop *records,
                                      const rocecc_hpcc_event *event, uint32_t found)
{
    const uint64_t age_ns = event->now_ns - state->changed_ns;
    if ((state->flags & ROCECC_HPCC_HOST_TIMED) != 0) {
        if (age_ns < params->base_rtt_ns) return true;
    } else if (found == ROCECC_HPCC_STANDS_ && age_ns <= params->wait_ns) {
        return true;
    }
    return rocecc_hpcc_is_old_(params, &records[0], &event->hops[0], age_ns);
}

/*
 * Ends a round. Decides whether the next round uses the host's clock (H-41). Allows the
 * next round to measure another path (H-42). At the end of a second consecutive round
 * on one path, clears SPRAYED (H-43).
 */
ROCECC_FN void rocecc_hpcc_end_round_(const rocecc_hpcc_params *params,
                                      rocecc_hpcc *state, rocecc_hpcc_hop *records,
                                      uint32_t n_hops)
{
    const bool host = (state->flags & ROCECC_HPCC_HOST_TIMED) != 0;
    size_t n = (size_t)rocecc_min(n_hops, ROCECC_HPCC_HOPS_MAX);
    uint32_t i;
    state->flags &= (uint8_t)~ROCECC_HPCC_HOST_TIMED;
    ROCECC_BPF_KEEP_(n);
    for (i = 0; ROCECC_HPCC_MORE_(i, n); i++)
        if (!rocecc_hpcc_keeps_time_(params, &records[i],
                                     params->reorder_ns >> (host ? 1 : 0)))
            state->flags |= ROCECC_HPCC_CLOCK_ODD;
    if ((state->flags & ROCECC_HPCC_CLOCK_ODD) != 0)
        state->flags ^= ROCECC_HPCC_HOST_TIMED | ROCECC_HPCC_CLOCK_ODD;
    if ((state->flags & ROCECC_HPCC_NEXT_PATH) != 0)
        state->flags &= (uint8_t)~ROCECC_HPCC_SPRAYED;
    state->flags |= ROCECC_HPCC_NEXT_PATH;
}

/*
 * Sets L to the reported hops, and uses their clocks again instead of the host's clock.
 * Keeps W (H-17).
 */
ROCECC_FN void rocecc_hpcc_start_path_(rocecc_hpcc *state, rocecc_hpcc_hop *records,
                                       const rocecc_hpcc_event *event)
{
    size_t n = (size_t)rocecc_min(event->n_hops, ROCECC_HPCC_HOPS_MAX);
    uint32_t i;
    state->flags &= ROCECC_HPCC_MARKED | ROCECC_HPCC_RISING;
    ROCECC_BPF_KEEP_(n);
    for (i = 0; ROCECC_HPCC_MORE_(i, n); i++) {
        const rocecc_hop *h = &event->hops[i];
        records[i].id = (h->valid & ROCECC_HOP_ID) != 0 ? h->id : 0;
        rocecc_hpcc_save_(&records[i], h);
        records[i].rate_2048 =
            0; /* no usable rate yet; the inverse is computed when it is needed */
        records[i].inverse = 0;
        records[i].shift = 0;
        records[i].jumped = 0;
        records[i].ahead_ns = 0;
    }
    state->hops = (uint8_t)n;
    state->changed_ns = event->now_ns;
}

/*
 * Handles an ACK without a measured hop. The ACK can end a blind round. If the report
 * has no hops or too many hops (H-16), or if no hop could be measured, `start` must be
 * false, and the verdict is BLIND. Otherwise, the hops differ from L or the silence
 * exceeded dt_max, and `start` must be true. The path then starts with U_init and stage
 * 0 (H-17, H-30), and the verdict is STARTED.
 */
ROCECC_FN uint8_t rocecc_hpcc_ack_unmeasured_(const rocecc_hpcc_params *params,
                                              rocecc_hpcc *state,
                                              rocecc_hpcc_hop *records,
                                              const rocecc_hpcc_event *event,
                                              bool start)
{
    rocecc_hpcc_blind_report_(params, state, event->seq, event->snd_nxt, event->ecn);
    if (!start) return ROCECC_HPCC_BLIND;
    rocecc_hpcc_reset_u_(params, state);
    rocecc_hpcc_start_path_(state, records, event);
    return ROCECC_HPCC_STARTED;
}

ROCECC_FN uint8_t rocecc_hpcc_ack_measured_(const rocecc_hpcc_params *params,
                                            rocecc_hpcc *state,
                                            rocecc_hpcc_hop *records,
                                            const rocecc_hpcc_event *event,
                                            uint32_t seen)
{
    uint64_t limit = params->w_max_bytes << 20;
    uint8_t verdict;
    state->changed_ns = event->now_ns;
    if ((uint8_t)seen == 0 && !event->incomplete)
        rocecc_hpcc_end_blind_(state);
    else
        limit = rocecc_hpcc_blind_limit_(
            params, state, rocecc_serial_after(event->seq, state->update_seq),
            event->ecn);
    verdict =
        rocecc_hpcc_update_reference_(params, state, event->seq, event->snd_nxt, limit);
    if (verdict == ROCECC_HPCC_UPDATED)
        rocecc_hpcc_end_round_(params, state, records, event->n_hops);
    return verdict;
}

/*
 * Handles an ACK (H-16, H-17, H-19, H-42, H-43). `records` must be the flow's array of
 * max_hops records. If n_hops is 0 or above max_hops, the function reads neither
 * `records` nor the event's hops.
 */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_ack(const rocecc_hpcc_params *params,
                                             rocecc_hpcc *state,
                                             rocecc_hpcc_hop *records,
                                             const rocecc_hpcc_event *event)
{
    const uint64_t age_ns = event->now_ns - state->changed_ns;
    const bool some = event->n_hops != 0 && event->n_hops <= params->max_hops;
    const bool as_many = some && event->n_hops == state->hops;
    const uint32_t found = as_many && age_ns <= params->dt_max_ns
                               ? rocecc_hpcc_compare_path_(records, event)
                               : (uint32_t)ROCECC_HPCC_OTHER_;
    uint32_t seen = (uint32_t)rocecc_min(event->n_hops, UINT8_MAX);
    uint8_t verdict = ROCECC_HPCC_IGNORED;
    rocecc_hpcc_action act;
    if (found == ROCECC_HPCC_STANDS_ && (state->flags & ROCECC_HPCC_HOST_TIMED) != 0)
        state->flags |= ROCECC_HPCC_CLOCK_ODD;
    if (found != ROCECC_HPCC_OTHER_) {
        seen = rocecc_hpcc_passes_by_(params, state, records, event, found)
                   ? 0
                   : rocecc_hpcc_measure_(params, state, records, event, true);
        if (seen >= ROCECC_HPCC_MEASURED_) {
            verdict = rocecc_hpcc_ack_measured_(params, state, records, event, seen);
        } else if (seen != 0) {
            verdict = rocecc_hpcc_ack_unmeasured_(params, state, records, event, false);
            state->changed_ns = event->now_ns;
            seen = event->n_hops;
        } else if (event->ecn == ROCECC_HPCC_ECN_MARKED) {
            state->flags |= ROCECC_HPCC_MARKED;
        }
    } else if (!as_many || age_ns > params->reorder_ns) {
        verdict = rocecc_hpcc_ack_unmeasured_(params, state, records, event, some);
    } else if ((state->flags & ROCECC_HPCC_NEXT_PATH) == 0) {
        verdict = ROCECC_HPCC_OTHER_PATH;
    } else {
        rocecc_hpcc_start_path_(state, records, event);
        state->flags |= ROCECC_HPCC_SPRAYED;
        verdict = ROCECC_HPCC_STARTED;
    }
    act = rocecc_hpcc_make_action_(params, state, verdict);
    act.missed = (uint8_t)seen;
    return act;
}

/*
 * Handles a Fast CNP, whose telemetry ends at the congested switch. Sets U and W from
 * the hops that the Fast CNP reports. Keeps L, Wc, stage and lastUpdateSeq (H-21). If
 * the reported hops are not the first hops in L, or if no hop can be measured, only the
 * mark is noted. The same applies if the report is old, would have to wait, or follows
 * a silence of more than dt_max (H-22). If the event has no hops, `records` may be
 * NULL.
 */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_fastcnp(const rocecc_hpcc_params *params,
                                                 rocecc_hpcc *state,
                                                 rocecc_hpcc_hop *records,
                                                 const rocecc_hpcc_event *event)
{
    const uint64_t age_ns = event->now_ns - state->changed_ns;
    const uint32_t found = event->n_hops != 0 && event->n_hops <= state->hops &&
                                   event->n_hops <= params->max_hops &&
                                   age_ns <= params->dt_max_ns
                               ? rocecc_hpcc_compare_path_(records, event)
                               : (uint32_t)ROCECC_HPCC_OTHER_;
    const bool measured = found != ROCECC_HPCC_OTHER_ &&
                          !rocecc_hpcc_passes_by_(params, state, records, event, found);
    const uint8_t flags = state->flags;
    const uint32_t seen =
        measured ? rocecc_hpcc_measure_(params, state, records, event, false) : 0;
    uint8_t verdict = ROCECC_HPCC_IGNORED;
    rocecc_hpcc_action act;
    state->flags = flags;
    if (seen >= ROCECC_HPCC_MEASURED_) {
        const uint64_t limit =
            (uint8_t)seen == 0
                ? params->w_max_bytes << 20
                : rocecc_hpcc_blind_limit_(params, state, false, event->ecn);
        rocecc_hpcc_update_window_(params, state, false, limit);
        verdict = ROCECC_HPCC_REACTED;
    } else if (event->ecn == ROCECC_HPCC_ECN_MARKED) {
        state->flags |= ROCECC_HPCC_MARKED;
    }
    act = rocecc_hpcc_make_action_(params, state, verdict);
    act.missed = (uint8_t)seen;
    return act;
}

#endif /* ROCECC_ALGO_HPCC_H */
