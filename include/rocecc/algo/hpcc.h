/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_HPCC_H
#define ROCECC_ALGO_HPCC_H

/*
 * hpcc.h - HPCC and HPCC++: the window of one sending flow, from telemetry of each hop
 * or from one CSIG signal a packet. Li et al., SIGCOMM 2019; draft-miao-tsv-hpcc-01;
 * draft-miao-ccwg-hpcc-info-03, 3.1.
 *
 *   hop    u' = min(qlen, L.qlen) / (B T) + dtx / (dt B)     what stands, what flows
 *   path   u = max u',  tau = min(its dt, T)
 *          U = (1 - tau/T) U + tau/T u                       bytes in flight over B T
 *   W      U >= eta, or maxStage times below it:  Wc eta / U + W_AI
 *          else                                   Wc + W_AI
 *   R      W / T
 *
 *   W ^  -.___.-'          W follows each ACK, always from Wc: a burst of ACKs about
 *     |  | :   :  ----     one queue cuts once.
 *     |  '-+---+-'   :     Wc moves once a round trip: with the first ACK of what was
 *     +----+---+-----+-->  sent after it moved last.
 *
 * Example, the paper's values at 100 Gb/s: T is 13 us, so B T and Wc are 162500 bytes.
 * In T a hop sends 162500 bytes, and 16250 stand in its queue: u' = 0.1 + 1, U = 1.1,
 * W = 162500 0.95 / 1.1 + 81.25 = 140422 bytes, R = 86.4 Gb/s.
 *
 * Trouble: W stays until the path is measured again, or falls to W_blind. Afterwards
 * the flow has what it would have had, by 10 %, after this at most:
 *
 *     reorder + (8 + (maxStage + 1) (4 + n)) T
 *
 * where marks halved W n times below W_blind. Of 10,000 troubles of one kind,
 * whichever, 99.3 % are over in 6 T (tests/law/hpcc_time.h).
 *
 * State: 40 bytes, and 40 for each hop of L, in the caller's memory; with CSIG 40. No
 * timers. No division for a hop; an ACK divides once, and once more if dt > T. W counts
 * wire bytes, and R holds for the packet that already waits: rocecc_hpcc_action. The
 * rules H-1 to H-40, which of them are our choice, the error, and why no hop divides:
 * README.md.
 */
#include "hpcc_csig.h"
#include "hpcc_hop.h"

/* Whether hop i is below n, which is at most HOPS_MAX; a verifier needs to see that. */
#if defined(__bpf__)
#define ROCECC_HPCC_MORE_(i, n) ((i) < ROCECC_HPCC_HOPS_MAX && (i) < (n))
#else
#define ROCECC_HPCC_MORE_(i, n) ((i) < (n))
#endif

/* What an ACK or a Fast CNP brings. */
typedef struct rocecc_hpcc_event {
    const rocecc_hop *hops; /* first to last */
    uint32_t n_hops;
    uint32_t seq;     /* that the ACK acknowledges; a Fast CNP has none */
    uint32_t snd_nxt; /* next to be sent: bytes or packets, as seq */
    uint64_t now_ns;
    uint8_t ecn;     /* ROCECC_HPCC_ECN_... */
    bool incomplete; /* there are hops that did not report */
} rocecc_hpcc_event;

/*
 * MeasureInflight: u = max u' (H-5), then U. What was measured and what was not is the
 * sum of ROCECC_HPCC_GAP_... and ROCECC_HPCC_MEASURED_; without that U stays (H-6).
 */
ROCECC_FN uint32_t rocecc_hpcc_measure_(const rocecc_hpcc_params *params,
                                        rocecc_hpcc *state, rocecc_hpcc_hop *records,
                                        const rocecc_hpcc_event *event)
{
    const rocecc_hpcc_elapsed_ t =
        rocecc_hpcc_elapsed_since_(params, state, event->now_ns);
    size_t n = (size_t)rocecc_min(event->n_hops, ROCECC_HPCC_HOPS_MAX);
    rocecc_hpcc_hop_load_ most = {0, 0};
    uint32_t i, gaps = 0;
    ROCECC_BPF_KEEP_(n);
    for (i = 0; ROCECC_HPCC_MORE_(i, n); i++) {
        const rocecc_hpcc_hop_load_ load =
            rocecc_hpcc_measure_hop_(params, &records[i], &event->hops[i], &t);
        if (load.dt_ns == 0)
            gaps += (uint32_t)load.part_q32;
        else if (most.dt_ns == 0 || rocecc_hpcc_larger_(&load, &most))
            most = load;
    }
    if (most.dt_ns == 0) return gaps;
    rocecc_hpcc_update_u_(params, state, &most);
    return gaps | ROCECC_HPCC_MEASURED_;
}

/* Whether the hops are the first ones of L; ids are compared as H-29 says. */
ROCECC_FN bool rocecc_hpcc_same_path_(const rocecc_hpcc_hop *records,
                                      const rocecc_hpcc_event *event)
{
    size_t n = (size_t)rocecc_min(event->n_hops, ROCECC_HPCC_HOPS_MAX);
    uint32_t i;
    ROCECC_BPF_KEEP_(n);
    for (i = 0; ROCECC_HPCC_MORE_(i, n); i++) {
        const rocecc_hop *h = &event->hops[i];
        if (records[i].id == h->id && records[i].valid == h->valid) continue;
        if (((records[i].valid ^ h->valid) & ROCECC_HOP_ID) != 0) return false;
        if (records[i].id != h->id && (h->valid & ROCECC_HOP_ID) != 0) return false;
    }
    return true;
}

/* L = the hops, U = U_init, stage 0; W stays: H-17. */
ROCECC_FN void rocecc_hpcc_start_path_(const rocecc_hpcc_params *params,
                                       rocecc_hpcc *state, rocecc_hpcc_hop *records,
                                       const rocecc_hpcc_event *event)
{
    size_t n = (size_t)rocecc_min(event->n_hops, ROCECC_HPCC_HOPS_MAX);
    uint32_t i;
    rocecc_hpcc_reset_u_(params, state);
    ROCECC_BPF_KEEP_(n);
    for (i = 0; ROCECC_HPCC_MORE_(i, n); i++) {
        const rocecc_hop *h = &event->hops[i];
        records[i].id = (h->valid & ROCECC_HOP_ID) != 0 ? h->id : 0;
        rocecc_hpcc_save_(&records[i], h);
        records[i].rate_2048 =
            0; /* no usable rate: inverse is made when it is needed */
        records[i].inverse = 0;
        records[i].shift = 0;
        records[i].jumped = 0;
    }
    state->hops = (uint8_t)n;
    state->changed_ns = event->now_ns;
}

/*
 * An ACK of which no hop was measured. With other hops than L, or after a silence of
 * more than dt_max (H-30), the path starts (H-17); else it was not to be seen (H-16).
 * Both are blind rounds, if they end one.
 */
ROCECC_FN uint8_t rocecc_hpcc_ack_unmeasured_(const rocecc_hpcc_params *params,
                                              rocecc_hpcc *state,
                                              rocecc_hpcc_hop *records,
                                              const rocecc_hpcc_event *event,
                                              bool start)
{
    rocecc_hpcc_blind_report_(params, state, event->seq, event->snd_nxt, event->ecn);
    if (!start) return ROCECC_HPCC_BLIND;
    rocecc_hpcc_start_path_(params, state, records, event);
    return ROCECC_HPCC_STARTED;
}

/* An ACK (H-16, H-17, H-19). records: the max_hops records of this flow. */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_ack(const rocecc_hpcc_params *params,
                                             rocecc_hpcc *state,
                                             rocecc_hpcc_hop *records,
                                             const rocecc_hpcc_event *event)
{
    const bool some = event->n_hops != 0 && event->n_hops <= params->max_hops;
    const bool known =
        some && event->n_hops == state->hops && rocecc_hpcc_same_path_(records, event);
    uint32_t seen = known ? rocecc_hpcc_measure_(params, state, records, event) : 0;
    uint8_t verdict = ROCECC_HPCC_IGNORED;
    rocecc_hpcc_action act;
    if (seen >= ROCECC_HPCC_MEASURED_) {
        uint64_t limit = params->w_max_bytes << 20;
        state->changed_ns = event->now_ns;
        if ((uint8_t)seen == 0 && !event->incomplete)
            rocecc_hpcc_end_blind_(state);
        else
            limit = rocecc_hpcc_blind_limit_(
                params, state, rocecc_serial_after(event->seq, state->update_seq),
                event->ecn);
        verdict = rocecc_hpcc_update_reference_(params, state, event->seq,
                                                event->snd_nxt, limit);
    } else if (!known || (seen & ROCECC_HPCC_GAPS_ANEW_) != 0) {
        const bool silence = event->now_ns - state->changed_ns > params->dt_max_ns;
        verdict = rocecc_hpcc_ack_unmeasured_(params, state, records, event,
                                              some && (!known || silence));
        seen = (uint32_t)rocecc_min(event->n_hops, UINT8_MAX);
    }
    act = rocecc_hpcc_make_action_(params, state, verdict);
    act.missed = (uint8_t)seen;
    return act;
}

/*
 * A Fast CNP, whose telemetry ends at the congested switch: U and W by these hops; Wc,
 * stage and lastUpdateSeq stay (H-21). Not the first hops of L, or a silence before it:
 * nothing, but that its mark is noted (H-22).
 */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_fastcnp(const rocecc_hpcc_params *params,
                                                 rocecc_hpcc *state,
                                                 rocecc_hpcc_hop *records,
                                                 const rocecc_hpcc_event *event)
{
    const bool known = event->n_hops != 0 && event->n_hops <= state->hops &&
                       event->n_hops <= params->max_hops &&
                       rocecc_hpcc_same_path_(records, event) &&
                       event->now_ns - state->changed_ns <= params->dt_max_ns;
    const uint32_t seen =
        known ? rocecc_hpcc_measure_(params, state, records, event) : 0;
    uint8_t verdict = ROCECC_HPCC_IGNORED;
    rocecc_hpcc_action act;
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
