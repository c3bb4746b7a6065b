/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_QCN_TIMED_H
#define TESTS_LAW_QCN_TIMED_H

#include "qcn.h"

/*
 * A run has LAW_QCN_RP_DRAWN bytes of parameters, then events of LAW_QCN_TIMED_EVENT
 * bytes.
 *
 *   0  kind (2), host (2), magnitude of the gap (4)     1  a CNM's QntzFb
 *   2..9  the gap, any bits, shifted                    10..13 random   14..17 octets
 */
#define LAW_QCN_TIMED_EVENT 18

/* True if a call may leave expiries to the next one. */
#define LAW_QCN_BEHIND (ROCECC_QCN_RP_TIMED_EXPIRIES_MAX < 352)

LAW_FN rocecc_qcn_rp_event law_qcn_timed_event(const uint8_t *b, uint64_t now_ns)
{
    rocecc_qcn_rp_event e = {0, 0, 0, 0, 0};
    const uint8_t how = b[0] >> 4;
    const uint64_t gap = rocecc_load64(b + 2);
    if (how < 10)
        e.now_ns = now_ns + (gap >> (24 + how * 4)); /* less than 2^40 ns later */
    else if (how < 12)
        e.now_ns = now_ns - (gap >> (32 + how)); /* the clock steps back */
    else if (how < 14)
        e.now_ns = now_ns + (gap >> (how - 12)); /* any gap */
    else
        e.now_ns = now_ns;
    e.random = rocecc_load32(b + 10);
    e.bytes = rocecc_load32(b + 14) >> 8;
    e.qntz_fb = b[1] >> 1;
    e.host = b[0] >> 2 & 3;
    return e;
}

typedef struct law_qcn_timed_kit {
    rocecc_qcn_rp_params p, before;
    rocecc_qcn_rp_timed t, was;
    rocecc_qcn_rp_event e;
    rocecc_qcn_rp_action act;
    uint64_t line_bps; /* rate of another line */
    uint32_t digest;
    uint8_t kind;
} law_qcn_timed_kit;

/*
 * Sets another line rate, chosen by an administrator or auto-negotiation. Returns false
 * if init() refuses it.
 */
LAW_FN bool law_qcn_timed_line(rocecc_qcn_rp_params *p, uint64_t line_bps)
{
    rocecc_qcn_rp_params other = *p;
    other.max_bps = line_bps;
    other.min_bps = rocecc_min(other.min_bps, other.max_bps);
    if (rocecc_qcn_rp_init(&other) != ROCECC_QCN_RP_ACCEPTED) return false;
    *p = other;
    return true;
}

LAW_FN void law_qcn_timed_relink(law_qcn_timed_kit *run)
{
    rocecc_qcn_rp_action act;
    if (!law_qcn_timed_line(&run->p, run->line_bps)) return;
    act = rocecc_qcn_rp_relink(&run->p, &run->t.flow);
    act.timer_ns = run->act.timer_ns;
    act.released = run->act.released;
    run->act = act;
}

/* Makes one call. A verifier checks each kind separately. */
LAW_PART uint32_t law_qcn_timed_cnm(law_qcn_timed_kit *run)
{
    if (run == NULL) return LAW_BROKEN;
    run->act = rocecc_qcn_rp_timed_cnm(&run->p, &run->t, &run->e);
    return 1;
}

LAW_PART uint32_t law_qcn_timed_sent(law_qcn_timed_kit *run)
{
    if (run == NULL) return LAW_BROKEN;
    run->act = rocecc_qcn_rp_timed_sent(&run->p, &run->t, &run->e);
    return 1;
}

LAW_PART uint32_t law_qcn_timed_advance(law_qcn_timed_kit *run)
{
    if (run == NULL) return LAW_BROKEN;
    run->act = rocecc_qcn_rp_timed_advance(&run->p, &run->t, run->e.host, run->e.random,
                                           run->e.now_ns);
    if ((run->kind & 3) == 3) law_qcn_timed_relink(run);
    return 1;
}

LAW_FN void law_qcn_timed_step(law_qcn_timed_kit *run)
{
    if ((run->kind & 3) == 0)
        (void)law_qcn_timed_cnm(run);
    else if ((run->kind & 3) == 1)
        (void)law_qcn_timed_sent(run);
    else
        (void)law_qcn_timed_advance(run);
}

/* Returns true if action and state fit a call at now_ns. */
LAW_PART uint32_t law_qcn_timed_kept(const law_qcn_timed_kit *run)
{
    const rocecc_qcn_rp_params *p;
    const rocecc_qcn_rp_timed *t;
    const rocecc_qcn_rp_action *act;
    uint64_t most_ns;
    bool behind; /* the call left expiries to the next */
    if (run == NULL) return false;
    p = &run->p;
    t = &run->t;
    act = &run->act;
    most_ns = (uint64_t)p->time_reset_ns * (p->jitter != 0 ? 23 : 20);
    behind = t->last_ns != run->e.now_ns;
    if (!law_qcn_rp_bounds(p, &t->flow) || (behind && !LAW_QCN_BEHIND)) return false;
    if (act->rate_bps != t->flow.rate_bps) return false;
    if (t->flow.enabled == 0) return act->timer_ns == 0;
    return t->due_ns != 0 && (uint64_t)t->due_ns * 20 <= most_ns &&
           act->timer_ns == (behind ? 1 : t->due_ns);
}

#if !defined(__bpf__) && !defined(__FRAMAC__) && !LAW_QCN_BEHIND
/* Does the expiries one by one, like a timer. Returns false at 2000 of them. */
LAW_FN bool law_qcn_timed_singles(const rocecc_qcn_rp_params *p, rocecc_qcn_rp_timed *t,
                                  const rocecc_qcn_rp_event *e)
{
    uint64_t deadline_ns = t->due_ns; /* from last_ns on */
    const uint64_t passed_ns = e->now_ns - t->last_ns;
    int i;
    if (passed_ns > UINT64_MAX / 2) return true;
    for (i = 0; i < 2000; i++) {
        rocecc_qcn_rp_action act;
        if (t->flow.enabled == 0 || deadline_ns > passed_ns) break;
        act = rocecc_qcn_rp_timer(p, &t->flow, e->host, e->random);
        deadline_ns += act.timer_ns;
    }
    t->due_ns = t->flow.enabled == 0 ? 0 : (uint32_t)(deadline_ns - passed_ns);
    return i < 2000;
}

/* Returns true if single events lead from `was` to *t. */
LAW_FN bool law_qcn_timed_equal(const rocecc_qcn_rp_params *before,
                                const rocecc_qcn_rp_params *p, rocecc_qcn_rp_timed was,
                                const rocecc_qcn_rp_timed *t,
                                const rocecc_qcn_rp_event *e, uint8_t kind)
{
    rocecc_qcn_rp *s = &was.flow;
    if (!law_qcn_timed_singles(before, &was, e)) return true;
    if ((kind & 3) == 0) {
        const rocecc_qcn_rp_action act = rocecc_qcn_rp_cnm(p, s, e->qntz_fb, e->random);
        if (act.timer_ns != 0) was.due_ns = act.timer_ns;
    }
    if ((kind & 3) == 1) (void)rocecc_qcn_rp_sent(p, s, e->bytes, e->host, e->random);
    if ((kind & 3) == 3) { /* T and C within the new bounds, or at the new line */
        s->target_bps = rocecc_min(s->target_bps, p->max_bps);
        s->rate_bps = rocecc_min(s->rate_bps, p->max_bps);
        if (s->target_bps < p->min_bps) s->target_bps = p->min_bps;
        if (s->rate_bps < p->min_bps) s->rate_bps = p->min_bps;
        if (s->enabled == 0) s->rate_bps = s->target_bps = p->max_bps;
    }
    return s->rate_bps == t->flow.rate_bps && s->target_bps == t->flow.target_bps &&
           s->left_bytes == t->flow.left_bytes && s->enabled == t->flow.enabled &&
           s->byte_stage == t->flow.byte_stage && s->time_stage == t->flow.time_stage &&
           s->state == t->flow.state && (s->enabled == 0 || was.due_ns == t->due_ns);
}
#define LAW_QCN_EQUAL(run, was, before, kind)                                          \
    LAW(law_qcn_timed_equal(&(before), &(run)->p, was, &(run)->t, &(run)->e, kind))
#else
#define LAW_QCN_EQUAL(run, was, before, kind) ((void)0)
#endif

LAW_PART uint32_t law_qcn_timed_init(law_qcn_timed_kit *run, uint64_t now_ns)
{
    if (run == NULL || rocecc_qcn_rp_init(&run->p) != ROCECC_QCN_RP_ACCEPTED)
        return LAW_BROKEN;
    run->t = rocecc_qcn_rp_timed_start(&run->p, now_ns);
    return LAW_START;
}

/* Checks any calls in any order, at any time, by any clock. */
LAW_FN uint32_t law_qcn_timed_run(rocecc_reader r)
{
    LAW_KEPT law_qcn_timed_kit run;
    const uint8_t how = law_u8(&r);
    const uint8_t *b = rocecc_take(&r, LAW_QCN_RP_DRAWN);
    int i;
    if (b == NULL) return LAW_START;
    run.p = how & 2 ? rocecc_qcn_rp_ns3(law_qcn_rate(b + 8))
                    : rocecc_qcn_rp_qau(law_qcn_rate(b + 8));
    LAW_FORGET(&run);
    if (how & 4) law_qcn_rp_draw(&run.p, b);
    LAW_FORGET(&run);
    run.digest = law_qcn_timed_init(&run, rocecc_load64(b + 48));
    if (run.digest == LAW_BROKEN) return LAW_START;
    LAW_FORGET(&run);
    for (i = 0; i < LAW_EVENTS; i++) {
        b = rocecc_take(&r, LAW_QCN_TIMED_EVENT);
        if (b == NULL) break;
        run.before = run.p;
        run.was = run.t;
        run.kind = b[0];
        run.line_bps = law_qcn_rate(b + 2);
        run.e = law_qcn_timed_event(b, run.t.last_ns);
        LAW_FORGET(&run);
        law_qcn_timed_step(&run);
        LAW_FORGET(&run);
        LAW(law_qcn_timed_kept(&run));
        LAW_FORGET(&run);
        LAW_QCN_EQUAL(&run, run.was, run.before, b[0]);
        run.digest = law_qcn_rp_digest(run.digest, &run.act, &run.t.flow);
        run.digest = law_mix(run.digest, run.t.due_ns);
    }
    return run.digest;
}

#if !defined(__bpf__)
/*
 * Returns F P + (n + 5) P' (algo/qcn_rp.h), each rounded up, as half of an odd P is not
 * whole. It is below 2^63 for law_qcn_climbs().
 */
LAW_FN uint64_t law_qcn_recovery_ns(const rocecc_qcn_rp_params *p)
{
    const uint64_t least = rocecc_min(p->ai_bps, p->hai_bps);
    const uint64_t n = (p->max_bps - p->min_bps + least - 1) / least;
    const uint64_t whole =
        ((uint64_t)p->time_reset_ns * (p->jitter ? 115 : 100) + 99) / 100;
    const uint64_t later =
        p->halve_in == ROCECC_QCN_HALVE_HYPER ? whole : (whole + 1) / 2;
    return p->threshold * whole + (n + 5) * later;
}

/* Returns true if a climb takes at most 2^20 expiries, and 1 bit/s is below 1 %. */
LAW_FN bool law_qcn_climbs(const rocecc_qcn_rp_params *p)
{
    return p->enable != 0 && p->max_bps >= 1000 && p->ai_bps > p->max_bps >> 20 &&
           p->hai_bps > p->max_bps >> 20;
}

#define LAW_QCN_SECOND UINT64_C(1000000000)

typedef struct law_qcn_pair {
    rocecc_qcn_rp_params p;
    rocecc_qcn_rp_timed twin; /* polled at each event, by a right clock */
    rocecc_qcn_rp_timed flow; /* not always polled, and by another clock */
    uint64_t now_ns, clock_ns;
} law_qcn_pair;

/*
 * Lets up to 10 s pass without a call. Then a fault may follow, for the flow alone
 * except for a new line.
 */
LAW_FN void law_qcn_trouble(law_qcn_pair *x, const uint8_t *b)
{
    rocecc_qcn_rp_event e = law_qcn_timed_event(b, 0), twin;
    const uint64_t gap = (rocecc_load64(b + 2) >> (b[0] >> 4)) % (10 * LAW_QCN_SECOND);
    const uint8_t what = b[1];
    x->now_ns += gap;
    x->clock_ns += gap;
    if ((what & 7) == 1) x->clock_ns += gap; /* steps forwards; the next one, back */
    if ((what & 7) == 2) x->clock_ns -= gap * 2;
    if ((what & 7) != 3) e.host &= ROCECC_QCN_EMPTY; /* only 3 pauses */
    twin = e;
    twin.host &= ROCECC_QCN_EMPTY;
    twin.now_ns = x->now_ns;
    e.now_ns = x->clock_ns;
    if ((what & 7) == 4) { /* a new line for both */
        (void)rocecc_qcn_rp_timed_advance(&x->p, &x->twin, twin.host, e.random,
                                          twin.now_ns);
        (void)rocecc_qcn_rp_timed_advance(&x->p, &x->flow, e.host, e.random, e.now_ns);
        if (law_qcn_timed_line(&x->p, law_qcn_rate(b + 2))) {
            (void)rocecc_qcn_rp_relink(&x->p, &x->twin.flow);
            (void)rocecc_qcn_rp_relink(&x->p, &x->flow.flow);
        }
        return;
    }
    (void)rocecc_qcn_rp_timed_cnm(&x->p, &x->twin, &twin);
    if ((what & 7) == 5) return;         /* the CNM is lost, without a call */
    if ((what & 7) == 6) e.qntz_fb = 63; /* a stronger one */
    (void)rocecc_qcn_rp_timed_cnm(&x->p, &x->flow, &e);
}

/*
 * Checks that after any faults and one more call, the rate is within 10 % of the twin's
 * in the formula's time, and never above the line.
 */
LAW_FN uint32_t law_qcn_recovery(rocecc_reader r)
{
    law_qcn_pair x;
    uint64_t end_ns, rate_bps, twin_bps;
    const uint8_t *b = rocecc_take(&r, LAW_QCN_RP_DRAWN);
    uint32_t i;
    if (b == NULL) return LAW_START;
    x.p = rocecc_qcn_rp_qau(10 * LAW_QCN_SECOND);
    law_qcn_rp_draw(&x.p, b);
    if (rocecc_qcn_rp_init(&x.p) != ROCECC_QCN_RP_ACCEPTED) {
        x.p = rocecc_qcn_rp_qau(rocecc_max(law_qcn_rate(b + 8) >> 1, 1000));
        x.p.ai_bps = x.p.max_bps / 2000 + 2;
        LAW(rocecc_qcn_rp_init(&x.p) == ROCECC_QCN_RP_ACCEPTED);
    }
    x.now_ns = 0;
    x.clock_ns = rocecc_load64(b + 48);
    x.twin = rocecc_qcn_rp_timed_start(&x.p, x.now_ns);
    x.flow = rocecc_qcn_rp_timed_start(&x.p, x.clock_ns);
    for (i = 0; i < LAW_EVENTS; i++) {
        b = rocecc_take(&r, LAW_QCN_TIMED_EVENT);
        if (b == NULL) break;
        law_qcn_trouble(&x, b);
        LAW(x.flow.flow.rate_bps <= x.p.max_bps);
    }
    if (!law_qcn_climbs(&x.p)) return LAW_START;
    (void)rocecc_qcn_rp_timed_advance(&x.p, &x.flow, 0, 0, x.clock_ns);
    end_ns = law_qcn_recovery_ns(&x.p);
    for (i = 1; i <= 4; i++) { /* four calls, the last at the end */
        const uint64_t at_ns = end_ns / 4 * i + (i == 4 ? end_ns % 4 : 0);
        (void)rocecc_qcn_rp_timed_advance(&x.p, &x.flow, 0, i << 30,
                                          x.clock_ns + at_ns);
        (void)rocecc_qcn_rp_timed_advance(&x.p, &x.twin, 0, i << 29, x.now_ns + at_ns);
        LAW(x.flow.flow.rate_bps <= x.p.max_bps);
    }
    rate_bps = x.flow.flow.rate_bps;
    twin_bps = x.twin.flow.rate_bps;
    LAW(rate_bps * 10 >= twin_bps * 9 && rate_bps * 10 <= twin_bps * 11);
    LAW(rate_bps * 10 >= x.p.max_bps * 9);
    return law_mix(LAW_START, rate_bps);
}

LAW_FN uint32_t law_qcn_timed(rocecc_reader r)
{
    return law_u8(&r) & 1 ? law_qcn_recovery(r) : law_qcn_timed_run(r);
}
#endif

#endif /* TESTS_LAW_QCN_TIMED_H */
