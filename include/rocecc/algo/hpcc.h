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
 * timers. No division for a hop; an ACK divides once, and once more if dt > T. The
 * rules H-1 to H-38, which of them are our choice, the error, and why no hop divides:
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
typedef struct rocecc_hpcc_report {
    const rocecc_hop *hops; /* first to last */
    uint32_t n_hops;
    uint32_t seq;     /* that the ACK acknowledges; a Fast CNP has none */
    uint32_t snd_nxt; /* next to be sent: bytes or packets, as seq */
    uint64_t now_ns;
    uint8_t ecn;     /* ROCECC_HPCC_ECN_... */
    bool incomplete; /* there are hops that did not report */
} rocecc_hpcc_report;

/*
 * MeasureInflight: u = max u' (H-5), then U. What was measured and what was not is the
 * sum of ROCECC_HPCC_GAP_... and ROCECC_HPCC_MEASURED_; without that U stays (H-6).
 */
ROCECC_FN uint32_t rocecc_hpcc_measure_(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                                        rocecc_hpcc_hop *l, const rocecc_hpcc_report *r)
{
    const rocecc_hpcc_passed_ t = rocecc_hpcc_passed_of_(p, s, r->now_ns);
    size_t n = (size_t)rocecc_min(r->n_hops, ROCECC_HPCC_HOPS_MAX);
    rocecc_hpcc_load_ most = {0, 0};
    uint32_t i, gaps = 0;
    ROCECC_BPF_KEEP_(n);
    for (i = 0; ROCECC_HPCC_MORE_(i, n); i++) {
        const rocecc_hpcc_load_ load = rocecc_hpcc_hop_(p, &l[i], &r->hops[i], &t);
        if (load.dt_ns == 0)
            gaps += (uint32_t)load.part_q32;
        else if (most.dt_ns == 0 || rocecc_hpcc_larger_(&load, &most))
            most = load;
    }
    if (most.dt_ns == 0) return gaps;
    rocecc_hpcc_average_(p, s, &most);
    return gaps | ROCECC_HPCC_MEASURED_;
}

/* Whether the hops are the first ones of L; ids are compared as H-29 says. */
ROCECC_FN bool rocecc_hpcc_along_(const rocecc_hpcc_hop *l, const rocecc_hpcc_report *r)
{
    size_t n = (size_t)rocecc_min(r->n_hops, ROCECC_HPCC_HOPS_MAX);
    uint32_t i;
    ROCECC_BPF_KEEP_(n);
    for (i = 0; ROCECC_HPCC_MORE_(i, n); i++) {
        const rocecc_hop *h = &r->hops[i];
        if (l[i].id == h->id && l[i].valid == h->valid) continue;
        if (((l[i].valid ^ h->valid) & ROCECC_HOP_ID) != 0) return false;
        if (l[i].id != h->id && (h->valid & ROCECC_HOP_ID) != 0) return false;
    }
    return true;
}

/* L = the hops, U = U_init, stage 0; W stays: H-17. */
ROCECC_FN void rocecc_hpcc_learn_(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                                  rocecc_hpcc_hop *l, const rocecc_hpcc_report *r)
{
    size_t n = (size_t)rocecc_min(r->n_hops, ROCECC_HPCC_HOPS_MAX);
    uint32_t i;
    rocecc_hpcc_unknown_(p, s);
    ROCECC_BPF_KEEP_(n);
    for (i = 0; ROCECC_HPCC_MORE_(i, n); i++) {
        const rocecc_hop *h = &r->hops[i];
        l[i].id = (h->valid & ROCECC_HOP_ID) != 0 ? h->id : 0;
        rocecc_hpcc_keep_(&l[i], h);
        l[i].rate_2048 = 0; /* no usable rate: inverse is made when it is needed */
        l[i].inverse = 0;
        l[i].shift = 0;
        l[i].jumped = 0;
    }
    s->hops = (uint8_t)n;
    s->changed_ns = r->now_ns;
}

/*
 * An ACK of which no hop was measured. With other hops than L, or after a silence of
 * more than dt_max (H-30), the path starts (H-17); else it was not to be seen (H-16).
 * Both are blind rounds, if they end one.
 */
ROCECC_FN uint8_t rocecc_hpcc_lost_(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                                    rocecc_hpcc_hop *l, const rocecc_hpcc_report *r,
                                    bool start)
{
    rocecc_hpcc_unseen_(p, s, r->seq, r->snd_nxt, r->ecn);
    if (!start) return ROCECC_HPCC_BLIND;
    rocecc_hpcc_learn_(p, s, l, r);
    return ROCECC_HPCC_STARTED;
}

/* An ACK (H-16, H-17, H-19). l: the max_hops records of this flow. */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_ack(const rocecc_hpcc_params *p,
                                             rocecc_hpcc *s, rocecc_hpcc_hop *l,
                                             const rocecc_hpcc_report *r)
{
    const bool some = r->n_hops != 0 && r->n_hops <= p->max_hops;
    const bool known = some && r->n_hops == s->hops && rocecc_hpcc_along_(l, r);
    uint32_t seen = known ? rocecc_hpcc_measure_(p, s, l, r) : 0;
    uint8_t verdict = ROCECC_HPCC_IGNORED;
    rocecc_hpcc_action act;
    if (seen >= ROCECC_HPCC_MEASURED_) {
        uint64_t limit = p->w_max_bytes << 20;
        s->changed_ns = r->now_ns;
        if ((uint8_t)seen == 0 && !r->incomplete)
            rocecc_hpcc_seen_(s);
        else
            limit = rocecc_hpcc_limit_(p, s, rocecc_serial_after(r->seq, s->update_seq),
                                       r->ecn);
        verdict = rocecc_hpcc_acked_(p, s, r->seq, r->snd_nxt, limit);
    } else if (!known || (seen & ROCECC_HPCC_GAPS_ANEW_) != 0) {
        const bool silence = r->now_ns - s->changed_ns > p->dt_max_ns;
        verdict = rocecc_hpcc_lost_(p, s, l, r, some && (!known || silence));
        seen = (uint32_t)rocecc_min(r->n_hops, UINT8_MAX);
    }
    act = rocecc_hpcc_action_(p, s, verdict);
    act.missed = (uint8_t)seen;
    return act;
}

/*
 * A Fast CNP, whose telemetry ends at the congested switch: U and W by these hops; Wc,
 * stage and lastUpdateSeq stay (H-21). Not the first hops of L, or a silence before it:
 * nothing, but that its mark is noted (H-22).
 */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_fastcnp(const rocecc_hpcc_params *p,
                                                 rocecc_hpcc *s, rocecc_hpcc_hop *l,
                                                 const rocecc_hpcc_report *r)
{
    const bool known = r->n_hops != 0 && r->n_hops <= s->hops &&
                       r->n_hops <= p->max_hops && rocecc_hpcc_along_(l, r) &&
                       r->now_ns - s->changed_ns <= p->dt_max_ns;
    const uint32_t seen = known ? rocecc_hpcc_measure_(p, s, l, r) : 0;
    uint8_t verdict = ROCECC_HPCC_IGNORED;
    rocecc_hpcc_action act;
    if (seen >= ROCECC_HPCC_MEASURED_) {
        const uint64_t limit = (uint8_t)seen == 0
                                   ? p->w_max_bytes << 20
                                   : rocecc_hpcc_limit_(p, s, false, r->ecn);
        rocecc_hpcc_window_(p, s, false, limit);
        verdict = ROCECC_HPCC_REACTED;
    } else if (r->ecn == ROCECC_HPCC_ECN_MARKED) {
        s->flags |= ROCECC_HPCC_MARKED;
    }
    act = rocecc_hpcc_action_(p, s, verdict);
    act.missed = (uint8_t)seen;
    return act;
}

#endif /* ROCECC_ALGO_HPCC_H */
