/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * dcqcn.c - compares DCQCN in examples/pcc with rocecc_dcqcn and three timers, each
 * fired at its deadline.
 */
#include "judge.h"

#include <stdio.h>
#include <string.h>

static struct {
    unsigned slow; /* flows below the line after their last event */
    double worst;  /* longest way back / its bound */
    unsigned cuts; /* CNPs that would have cut */
    double cost;   /* largest rate ratio without such a CNP */
} seen;

/* DCQCN with timers. */
typedef struct timed {
    const rocecc_dcqcn_params *p;
    rocecc_dcqcn s;
    uint64_t due_ns[3]; /* alpha, cut, increase: the order at one instant; 0: stopped */
} timed;

static void obey(timed *t, const rocecc_dcqcn_action *act, uint64_t now_ns)
{
    const uint32_t period_ns[] = {t->p->alpha_timer_ns, t->p->cut_interval_ns,
                                  t->p->increase_timer_ns};
    int i;
    for (i = 0; i < 3; i++) {
        if ((act->stop >> i & 1) != 0) t->due_ns[i] = 0;
        if ((act->arm >> i & 1) != 0) t->due_ns[i] = now_ns + period_ns[i];
    }
}

static void fire_until(timed *t, uint64_t now_ns)
{
    for (;;) {
        rocecc_dcqcn_action act;
        uint64_t at_ns;
        int i, first = -1;
        for (i = 0; i < 3; i++)
            if (t->due_ns[i] != 0 && t->due_ns[i] <= now_ns &&
                (first < 0 || t->due_ns[i] < t->due_ns[first]))
                first = i;
        if (first < 0) return;
        at_ns = t->due_ns[first];
        t->due_ns[first] = 0;
        act = first == 0   ? rocecc_dcqcn_alpha_timer(t->p, &t->s)
              : first == 1 ? rocecc_dcqcn_cut_timer(t->p, &t->s)
                           : rocecc_dcqcn_increase_timer(t->p, &t->s);
        obey(t, &act, at_ns);
    }
}

static void timed_event(timed *t, const pcc_event *e)
{
    rocecc_dcqcn_action act = {0, 0, 0, false, false};
    fire_until(t, e->now_ns);
    if (e->type == PCC_TX) act = rocecc_dcqcn_sent(t->p, &t->s, e->bytes);
    if (e->type == PCC_CNP) act = rocecc_dcqcn_cnp(t->p, &t->s);
    if (e->type == PCC_NACK) act = rocecc_dcqcn_restart(t->p, &t->s);
    obey(t, &act, e->now_ns);
}

static rocecc_dcqcn_timed state(const flow *f)
{
    rocecc_dcqcn_timed t;
    memcpy(&t, f->context, sizeof t);
    return t;
}

/* Compares the rate to within a unit, and the state except timers; alpha by value. */
static void compare(const flow *f, const timed *t, uint64_t seed)
{
    const rocecc_dcqcn *a = &t->s;
    const rocecc_dcqcn_timed kept = state(f);
    const rocecc_dcqcn *b = &kept.flow;
    const uint64_t line = t->p->line_bps;
    const uint64_t exact = (a->rate_bps << PCC_RATE_BITS) / line;
    hold(f->rate == f->port->least || f->rate - exact <= 1, "not the rate of timers",
         seed);
    hold(a->rate_bps == b->rate_bps && a->target_bps == b->target_bps &&
             a->time_stages == b->time_stages && a->byte_stages == b->byte_stages &&
             a->sent_bytes == b->sent_bytes && a->flags == b->flags &&
             rocecc_dcqcn_alpha_q31(t->p, a) == rocecc_dcqcn_alpha_q31(t->p, b),
         "not the state of timers", seed);
}

/* Compares both without lost events. */
static void equal(const pcc *port, const stream *s, uint64_t seed)
{
    timed t = {NULL, {0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0}};
    flow f;
    size_t i;
    t.p = &port->of.dcqcn;
    t.s = rocecc_dcqcn_start(t.p);
    flow_start(&f, port, seed);
    for (i = 0; i < s->n && failed == 0; i++) {
        timed_event(&t, &s->e[i]);
        (void)flow_event(&f, &s->e[i]);
        compare(&f, &t, seed);
    }
    flow_end(&f);
}

static bool tells_time_alone(const flow *f, const pcc_event *e)
{
    return e->type == PCC_FIRST || e->type == PCC_ACK || e->type == 0 ||
           (e->type == PCC_TX && f->port->of.dcqcn.byte_counter_bytes == 0);
}

/*
 * An event that only tells the time costs nothing if it is lost, late or repeated:
 * after the next other event, every bit is equal. For TX, this holds without a byte
 * counter.
 */
static void idle_events(const pcc *port, const stream *s, uint64_t seed)
{
    flow a, b;
    size_t i;
    flow_start(&a, port, seed);
    flow_start(&b, port, seed + 1);
    for (i = 1; i < s->n && failed == 0; i++) {
        pcc_event e = s->e[i];
        (void)flow_event(&a, &e);
        if (!tells_time_alone(&a, &e)) {
            (void)flow_event(&b, &e);
            hold(a.rate == b.rate &&
                     memcmp(a.context, b.context, PCC_CONTEXT_BYTES) == 0,
                 "an event that tells the time alone cost something", seed);
            e.type = PCC_ACK;
            e.now_ns -= below(PCC_REORDER_NS + 1);
        }
        if (below(4) == 0) (void)flow_event(&a, &e);
    }
    flow_end(&a);
    flow_end(&b);
}

/* Returns true if an increase is due at the instant of the cut, which replaces it. */
static bool meet(const rocecc_dcqcn_params *p, const rocecc_dcqcn_timed *t)
{
    const uint32_t cut_ns = t->flow.cut_left_ns, up_ns = t->increase_left_ns;
    return up_ns != 0 && up_ns <= cut_ns &&
           (cut_ns - up_ns) % p->increase_timer_ns == 0;
}

/* Compares the rates with and without a CNP when its cut is due. */
static void cost_of(const flow *without, const pcc_event *cnp, uint64_t seed)
{
    flow with, other;
    pcc_event e = *cnp;
    rocecc_dcqcn_timed t;
    flow_start(&with, without->port, seed);
    flow_start(&other, without->port, seed);
    memcpy(with.context, without->context, PCC_CONTEXT_BYTES);
    memcpy(other.context, without->context, PCC_CONTEXT_BYTES);
    (void)flow_event(&with, &e);
    t = state(&with);
    e.now_ns = t.last_ns + t.flow.cut_left_ns;
    e.type = PCC_ACK;
    (void)flow_event(&with, &e);
    (void)flow_event(&other, &e);
    if (!meet(&without->port->of.dcqcn, &t)) {
        hold(with.rate <= other.rate && other.rate <= 2 * with.rate + 2,
             "a lost CNP cost more than a cut to half", seed);
        seen.cuts += with.rate < other.rate;
        if (with.rate > 1000 && other.rate > seen.cost * with.rate) /* not rounding */
            seen.cost = (double)other.rate / with.rate;
    }
    flow_end(&with);
    flow_end(&other);
}

/*
 * Bounds the time from the last CNP or NACK to the line. The cut may come a
 * cut_interval later. Then follow F stages of fast recovery, R_T climbs from min to
 * line by R_AI or R_HAI a stage, and R_C halves its way of less than 2^43 at most 44
 * times.
 */
static uint64_t bound_ns(const rocecc_dcqcn_params *p)
{
    const uint64_t step_bps = rocecc_min(p->ai_bps, p->hai_bps);
    const uint64_t climb = (p->line_bps - p->min_bps) / step_bps + 1;
    return p->cut_interval_ns +
           p->increase_timer_ns * (p->fast_recovery_stages + climb + 44u + 1u);
}

static void recovers(flow *f, uint64_t last_ns, uint64_t seed)
{
    const uint64_t end_ns = last_ns + bound_ns(&f->port->of.dcqcn);
    pcc_event e = {0, 0, 0, 0, 0, 0, 0, PCC_ACK};
    uint64_t below_ns = last_ns;
    int i;
    for (i = 0; i < 300; i++) {
        e.now_ns = last_ns + (end_ns - last_ns) / 300 * (uint64_t)i;
        if (below(2) == 0 && flow_event(f, &e) < PCC_RATE_ONE) below_ns = e.now_ns;
    }
    e.now_ns = end_ns;
    hold(flow_event(f, &e) == PCC_RATE_ONE, "the flow is stuck below the line", seed);
    if (below_ns != last_ns) {
        const double part = (double)(below_ns - last_ns) / (double)(end_ns - last_ns);
        seen.slow++;
        seen.worst = part > seen.worst ? part : seen.worst;
    }
}

static void lossy(const pcc *port, const stream *s, uint64_t seed)
{
    uint64_t last_ns = 0;
    flow f;
    size_t i;
    flow_start(&f, port, seed);
    for (i = 0; i < s->n; i++) {
        if (s->e[i].type == PCC_CNP && i != 0) cost_of(&f, &s->e[i], seed);
        (void)flow_event(&f, &s->e[i]);
        last_ns = rocecc_max(last_ns, s->e[i].now_ns);
    }
    recovers(&f, last_ns, seed);
    flow_end(&f);
}

void judge_dcqcn(uint64_t seed)
{
    static stream whole, mangled;
    uint32_t value[PCC_PARAMS_MAX];
    pcc port;
    seed_is(seed);
    random_port(&port, &pcc_dcqcn, value, seed);
    stream_of(&whole, seed);
    stream_mangle(&whole, &mangled);
    equal(&port, &whole, seed);
    idle_events(&port, &whole, seed);
    lossy(&port, &mangled, seed);
}

void dcqcn_report(void)
{
    printf(
        "hosts-pcc: dcqcn: %u flows slow after their last event, back at the line in "
        "at most %.2f of the bound;\n"
        "hosts-pcc: dcqcn: %u CNPs would have cut; without, at most %.2f times the "
        "rate\n",
        seen.slow, seen.worst, seen.cuts, seen.cost);
    hold(seen.slow != 0 && seen.cuts != 0, "no flow was slow: nothing was tried", 0);
}
