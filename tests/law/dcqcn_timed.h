/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_DCQCN_TIMED_H
#define TESTS_LAW_DCQCN_TIMED_H

#include "dcqcn.h"

#define LAW_TIMED_EVENTS 8
#define LAW_TIMED_TIMERS 4000 /* limit of timers fired one by one in a gap */

/* Only a host also fires the timers one by one. */
#if defined(__bpf__) || defined(__FRAMAC__)
#define LAW_TIMED_COUNTS 0
#else
#define LAW_TIMED_COUNTS 1
#endif

/* Host with timers, fired one by one at their deadlines. */
typedef struct law_dcqcn_host {
    rocecc_dcqcn s;
    uint64_t due_ns[3]; /* alpha, cut, increase; time from now */
    bool runs[3];
    bool cut, released; /* since the last reset */
} law_dcqcn_host;

LAW_FN void law_dcqcn_host_act(const rocecc_dcqcn_params *p, law_dcqcn_host *h,
                               const rocecc_dcqcn_action *act)
{
    int i;
    for (i = 0; i < 3; i++) {
        if ((act->stop >> i & 1) != 0) h->runs[i] = false;
        if ((act->arm >> i & 1) == 0) continue;
        h->runs[i] = true;
        h->due_ns[i] = i == 0   ? p->alpha_timer_ns
                       : i == 1 ? p->cut_interval_ns
                                : p->increase_timer_ns;
    }
    h->cut = h->cut || act->cut;
    h->released = h->released || act->released;
}

/* Lets gap_ns pass. Returns false if `most` timers or more would fire. */
LAW_FN bool law_dcqcn_host_wait(const rocecc_dcqcn_params *p, law_dcqcn_host *h,
                                uint64_t gap_ns, uint32_t most)
{
    for (; most > 0; most--) {
        rocecc_dcqcn_action act;
        uint64_t by_ns;
        int i, next = -1;
        for (i = 0; i < 3; i++)
            if (h->runs[i] && h->due_ns[i] <= gap_ns &&
                (next < 0 || h->due_ns[i] < h->due_ns[next]))
                next = i;
        by_ns = next < 0 ? gap_ns : h->due_ns[next];
        gap_ns -= by_ns;
        for (i = 0; i < 3; i++)
            if (h->runs[i]) h->due_ns[i] -= by_ns;
        if (next < 0) return true;
        h->runs[next] = false;
        act = next == 0   ? rocecc_dcqcn_alpha_timer(p, &h->s)
              : next == 1 ? rocecc_dcqcn_cut_timer(p, &h->s)
                          : rocecc_dcqcn_increase_timer(p, &h->s);
        law_dcqcn_host_act(p, h, &act);
    }
    return false;
}

LAW_FN bool law_dcqcn_same(const rocecc_dcqcn *a, const rocecc_dcqcn *b)
{
    return a->rate_bps == b->rate_bps && a->target_bps == b->target_bps &&
           a->alpha_q31 == b->alpha_q31 && a->sent_bytes == b->sent_bytes &&
           a->time_stages == b->time_stages && a->byte_stages == b->byte_stages &&
           a->decays == b->decays && a->flags == b->flags;
}

LAW_FN bool law_dcqcn_timed_same(const rocecc_dcqcn_timed *a,
                                 const rocecc_dcqcn_timed *b)
{
    return law_dcqcn_same(&a->flow, &b->flow) && a->last_ns == b->last_ns &&
           a->alpha_left_ns == b->alpha_left_ns &&
           a->flow.cut_left_ns == b->flow.cut_left_ns &&
           a->increase_left_ns == b->increase_left_ns;
}

/* Returns true if the two hosts have the same state. */
LAW_FN bool law_dcqcn_agree(const rocecc_dcqcn_timed *t, const law_dcqcn_host *h)
{
    return law_dcqcn_same(&t->flow, &h->s) &&
           t->alpha_left_ns == (h->runs[0] ? h->due_ns[0] : 0) &&
           t->flow.cut_left_ns == (h->runs[1] ? h->due_ns[1] : 0) &&
           t->increase_left_ns == (h->runs[2] ? h->due_ns[2] : 0);
}

/* Handles one event at now_ns, like law_dcqcn_host_event(). Kind 7 is a poll. */
LAW_PART uint32_t law_dcqcn_timed_event(const rocecc_dcqcn_params *p,
                                        rocecc_dcqcn_timed *t, rocecc_dcqcn_action *act,
                                        uint64_t kind_and_bytes, uint64_t now_ns)
{
    const uint32_t kind = (uint32_t)kind_and_bytes & 7;
    const uint32_t bytes = (uint32_t)(kind_and_bytes >> 32);
    if (p == NULL || t == NULL || act == NULL) return 0; /* for a verifier */
    if (kind < 3)
        *act = rocecc_dcqcn_timed_cnp(p, t, now_ns);
    else if (kind < 5)
        *act = rocecc_dcqcn_timed_sent(p, t, bytes, now_ns);
    else if (kind == 5)
        *act = rocecc_dcqcn_timed_restart(p, t, now_ns);
    else if (kind == 6)
        *act = rocecc_dcqcn_timed_relink(p, t, now_ns);
    else
        *act = rocecc_dcqcn_timed_advance(p, t, now_ns);
    return 1;
}

LAW_FN void law_dcqcn_host_event(const rocecc_dcqcn_params *p, law_dcqcn_host *h,
                                 uint8_t kind, uint32_t bytes)
{
    const unsigned k = kind & 7;
    const rocecc_dcqcn_action none = {0, 0, 0, false, false};
    const rocecc_dcqcn_action act = k < 3    ? rocecc_dcqcn_cnp(p, &h->s)
                                    : k < 5  ? rocecc_dcqcn_sent(p, &h->s, bytes)
                                    : k == 5 ? rocecc_dcqcn_restart(p, &h->s)
                                    : k == 6 ? rocecc_dcqcn_relink(p, &h->s)
                                             : none;
    law_dcqcn_host_act(p, h, &act);
}

LAW_FN bool law_dcqcn_timed_bounds(const rocecc_dcqcn_params *p,
                                   const rocecc_dcqcn_timed *t)
{
    rocecc_dcqcn flow = t->flow;
    flow.cut_left_ns = 0;
    return law_dcqcn_bounds(p, &flow) && t->alpha_left_ns <= p->alpha_timer_ns &&
           t->flow.cut_left_ns <= p->cut_interval_ns &&
           t->increase_left_ns <= p->increase_timer_ns &&
           ((flow.flags & 1) != 0 ||
            (t->alpha_left_ns == 0 && t->flow.cut_left_ns == 0 &&
             t->increase_left_ns == 0));
}

/* Returns a gap of any magnitude below 2^63, often near a multiple of a timer. */
LAW_FN uint64_t law_dcqcn_gap(const rocecc_dcqcn_params *p, const uint8_t *b)
{
    const uint64_t x = rocecc_load64(b);
    switch (b[8] & 7) {
    case 0:
        return p->alpha_timer_ns * (x >> 56) + (x & 1);
    case 1:
        return p->cut_interval_ns * (x >> 60) + (x & 1);
    case 2:
        return p->increase_timer_ns * (x >> 56);
    case 3:
        return p->increase_timer_ns * (x >> 52 & 0xfff) + (x & 0xff);
    default:
        return x >> (1 + (b[8] >> 2 & 62));
    }
}

LAW_FN uint32_t law_dcqcn_timed_digest(uint32_t digest, const rocecc_dcqcn_action *act,
                                       const rocecc_dcqcn_timed *t)
{
    LAW_FIELDS(ROCECC_DCQCN_TIMED_FIELDS, t)
    return law_dcqcn_digest(digest, act, &t->flow);
}

/* Draws a new line rate for a relink, unless init() refuses it. */
LAW_FN void law_dcqcn_line(rocecc_dcqcn_params *p, uint32_t draw)
{
    const uint64_t was_bps = p->line_bps;
    p->line_bps = (was_bps >> (draw & 7)) + (was_bps >> (draw >> 3 & 31));
    if (rocecc_dcqcn_init(p) != ROCECC_DCQCN_ACCEPTED) p->line_bps = was_bps;
}

/*
 * Returns the time of D-36. After its last CNP, a flow is within 1/16 of line after a
 * noted cut, F + 4 halvings, and the climb of R_T by the smaller of R_AI and R_HAI.
 */
LAW_FN uint64_t law_dcqcn_recovery_ns(const rocecc_dcqcn_params *p,
                                      const rocecc_dcqcn *s)
{
    const uint64_t from_bps = s->target_bps < s->rate_bps ? s->target_bps : s->rate_bps;
    const uint64_t climb =
        (p->line_bps - from_bps) / rocecc_min(p->ai_bps, p->hai_bps) + 1;
    const uint64_t stages = p->fast_recovery_stages + 4u + climb;
    if (stages >> 31 != 0) return 0; /* some 2^62 ns; too long to check */
    return p->cut_interval_ns + stages * p->increase_timer_ns;
}

/*
 * Checks polls and CNPs at any distance, clock steps and new line rates. A gap has the
 * same effect as its two parts and, if it can be counted, as its single timers in
 * order. Finally, the flow recovers in the time of D-36.
 */
LAW_FN uint32_t law_dcqcn_timed(rocecc_reader r)
{
    LAW_KEPT struct {
        rocecc_dcqcn_params p;
        rocecc_dcqcn_timed t, twin;
        law_dcqcn_host host;
        rocecc_dcqcn_action act;
        uint64_t gap_ns, half_ns, now_ns, next_ns, event;
        uint32_t digest;
        uint8_t kind;
        bool counted;
    } run;
    const uint8_t *b;
    int i;
    run.kind = law_u8(&r);
    b = rocecc_take(&r, LAW_DCQCN_DRAWN);
    if (b == NULL) return LAW_START;
    run.p = run.kind & 1   ? rocecc_dcqcn_nvidia(law_dcqcn_rate(b))
            : run.kind & 2 ? rocecc_dcqcn_ns3_hpcc(law_dcqcn_rate(b))
                           : rocecc_dcqcn_paper(law_dcqcn_rate(b));
    LAW_FORGET(&run);
    if (run.kind & 4) law_dcqcn_draw(&run.p, b);
    LAW_FORGET(&run);
    if (rocecc_dcqcn_init(&run.p) != ROCECC_DCQCN_ACCEPTED) return LAW_START;
    LAW_FORGET(&run);
    run.digest = LAW_START;
    run.t = rocecc_dcqcn_timed_start(&run.p, rocecc_load64(b));
    run.host.s = run.t.flow;
    run.host.runs[0] = run.host.runs[1] = run.host.runs[2] = false;
    run.host.due_ns[0] = run.host.due_ns[1] = run.host.due_ns[2] = 0;
    run.host.cut = run.host.released = false;
    run.counted = true;
    for (i = 0; i < LAW_TIMED_EVENTS; i++) {
        b = rocecc_take(&r, 14);
        if (b == NULL) break;
        run.kind = b[9];
        run.event = (uint64_t)rocecc_load32(b + 10) << 32 | (run.kind & 7);
        LAW_FORGET(&run);
        run.gap_ns = law_dcqcn_gap(&run.p, b);
        LAW_FORGET(&run);
        run.now_ns = run.t.last_ns + run.gap_ns;
        run.half_ns = run.t.last_ns + (run.gap_ns >> (run.kind >> 4));
        run.twin = run.t;
        LAW_FORGET(&run);
        (void)law_dcqcn_timed_event(&run.p, &run.twin, &run.act, 7, run.half_ns);
        LAW_FORGET(&run);
        (void)law_dcqcn_timed_event(&run.p, &run.twin, &run.act, 7, run.now_ns);
        LAW_FORGET(&run);
        (void)law_dcqcn_timed_event(&run.p, &run.t, &run.act, 7, run.now_ns);
        LAW_FORGET(&run);
        LAW(law_dcqcn_timed_same(&run.t, &run.twin));
        LAW_FORGET(&run);
        LAW(law_dcqcn_timed_bounds(&run.p, &run.t));
        LAW_FORGET(&run);
        run.digest = law_dcqcn_timed_digest(run.digest, &run.act, &run.t);
        LAW_FORGET(&run);
#if LAW_TIMED_COUNTS
        run.host.cut = run.host.released = false;
        run.counted = run.counted && law_dcqcn_host_wait(&run.p, &run.host, run.gap_ns,
                                                         LAW_TIMED_TIMERS);
        if (run.counted) {
            LAW(law_dcqcn_agree(&run.t, &run.host));
            LAW(run.act.cut == run.host.cut && run.act.released == run.host.released);
        }
#endif
        if ((run.kind & 7) == 6) law_dcqcn_line(&run.p, rocecc_load32(b + 10));
        LAW_FORGET(&run);
#if LAW_TIMED_COUNTS
        if (run.counted)
            law_dcqcn_host_event(&run.p, &run.host, run.kind, rocecc_load32(b + 10));
#endif
        (void)law_dcqcn_timed_event(&run.p, &run.t, &run.act, run.event, run.now_ns);
        LAW_FORGET(&run);
        LAW(law_dcqcn_timed_bounds(&run.p, &run.t));
        LAW_FORGET(&run);
#if LAW_TIMED_COUNTS
        LAW(!run.counted || law_dcqcn_agree(&run.t, &run.host));
#endif
        run.digest = law_dcqcn_timed_digest(run.digest, &run.act, &run.t);
        LAW_FORGET(&run);
        /* The rate does not change before next_ns(). */
        run.next_ns = rocecc_dcqcn_timed_next_ns(&run.t);
        run.digest = law_mix(run.digest, run.next_ns);
        LAW(run.next_ns > run.t.last_ns || run.next_ns == UINT64_MAX);
        run.twin = run.t;
        LAW_FORGET(&run);
        (void)law_dcqcn_timed_event(&run.p, &run.twin, &run.act, 7, run.next_ns - 1);
        LAW_FORGET(&run);
        LAW(run.twin.flow.rate_bps == run.t.flow.rate_bps);
        LAW_FORGET(&run);
        /* A clock that steps back changes only last_ns, so timers expire later. */
        run.twin = run.t;
        run.half_ns = run.now_ns - run.gap_ns;
        LAW_FORGET(&run);
        (void)law_dcqcn_timed_event(&run.p, &run.t, &run.act, 7, run.half_ns);
        LAW_FORGET(&run);
        run.twin.last_ns = run.t.last_ns;
        LAW_FORGET(&run);
        LAW(law_dcqcn_timed_same(&run.t, &run.twin));
        LAW_FORGET(&run);
    }
#if LAW_TIMED_COUNTS
    run.gap_ns = law_dcqcn_recovery_ns(&run.p, &run.t.flow);
    run.now_ns = run.t.last_ns + run.gap_ns;
    if ((run.kind & 8) != 0)
        (void)rocecc_dcqcn_timed_advance(&run.p, &run.t,
                                         run.t.last_ns + run.gap_ns / 3);
    run.act = rocecc_dcqcn_timed_advance(&run.p, &run.t, run.now_ns);
    LAW(run.gap_ns == 0 ||
        run.act.rate_bps >= run.p.line_bps - run.p.line_bps / 16 - 1);
#endif
    return run.digest;
}

#endif /* TESTS_LAW_DCQCN_TIMED_H */
