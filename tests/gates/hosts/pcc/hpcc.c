/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * hpcc.c - compares HPCC++ in examples/pcc with rocecc_hpcc, called as its header says.
 */
#include "judge.h"

#include <stdio.h>
#include <string.h>

static struct {
    unsigned slow;
    double worst; /* longest way back / its bound */
} seen;

static uint64_t whole_event(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                            const pcc_event *e)
{
    rocecc_hpcc_csig_event a = {e->signal,  e->value,  e->seq,
                                e->snd_nxt, e->now_ns, e->ecn};
    rocecc_hpcc_event c = {NULL, 0, 0, 0, e->now_ns, ROCECC_HPCC_ECN_MARKED, false};
    if (e->type == PCC_NACK) a.signal = 0;
    if (e->type == PCC_ACK || e->type == PCC_NACK)
        return rocecc_hpcc_csig_ack(p, s, &a).rate_bps;
    if (e->type != PCC_CNP) c.ecn = ROCECC_HPCC_ECN_UNKNOWN;
    return rocecc_hpcc_fastcnp(p, s, NULL, &c).rate_bps;
}

/* Compares both without lost events. */
static void equal(const pcc *port, const uint32_t *value, const stream *s,
                  uint64_t seed)
{
    const uint64_t line_bps = (uint64_t)value[PCC_LINE_MBPS] * 1000000;
    rocecc_hpcc h = rocecc_hpcc_start(&port->of.hpcc);
    static const uint8_t none[PCC_CONTEXT_BYTES];
    flow f;
    size_t i;
    flow_start(&f, port, seed);
    for (i = 0; i < s->n && failed == 0; i++) {
        const uint64_t rate_bps = whole_event(&port->of.hpcc, &h, &s->e[i]);
        const uint64_t exact = (rate_bps << PCC_RATE_BITS) / line_bps;
        (void)flow_event(&f, &s->e[i]);
        hold(f.rate == port->least || f.rate - exact <= 1 || exact > PCC_RATE_ONE,
             "hpcc: not the library's rate", seed);
        hold(memcmp(&h, f.context, sizeof h) == 0, "hpcc: not the library's state",
             seed);
    }
    hold(memcmp(f.context + sizeof h, none, PCC_CONTEXT_BYTES - sizeof h) == 0,
         "hpcc: bytes that it does not need changed", seed);
    flow_end(&f);
}

/*
 * Sends ACKs without load, four a round. Every second ACK may be lost, so one round may
 * take the time of two. The flow must be back after 2 (8 + (maxStage + 1) (4 + n))
 * rounds, with the least n for which W_blind 2^-n is at most W_min.
 */
static void recovers(flow *f, const pcc_event *last, uint64_t seed)
{
    const rocecc_hpcc_params *p = &f->port->of.hpcc;
    uint64_t rounds, i, slow = 0, n = 0;
    pcc_event e = *last;
    while (p->w_blind_bytes >> n > p->w_min_bytes)
        n++;
    rounds = 2 * (8 + (p->max_stage + 1u) * (4 + n));
    e.type = PCC_ACK;
    e.signal = ROCECC_HPCC_UTILISATION;
    e.value = 0;
    for (i = 0; i < 4 * rounds; i++) {
        e.now_ns += p->base_rtt_ns / 4 + 1;
        e.snd_nxt += 50000;
        e.seq = e.snd_nxt - 200000;
        if (i % 2 != 0 && below(2) == 0) continue;
        if (flow_event(f, &e) < PCC_RATE_ONE) slow = i;
    }
    hold(slow + 3 < i, "hpcc: the flow is stuck below the line", seed);
    seen.slow += slow != 0;
    if ((double)slow > seen.worst * (double)i) seen.worst = (double)slow / (double)i;
}

static void lossy(const pcc *port, const stream *s, uint64_t seed)
{
    pcc_event last = s->e[0];
    flow f;
    size_t i;
    flow_start(&f, port, seed);
    for (i = 0; i < s->n; i++) {
        (void)flow_event(&f, &s->e[i]);
        if (s->e[i].now_ns > last.now_ns) last = s->e[i];
    }
    recovers(&f, &last, seed);
    flow_end(&f);
}

/* A late ACK must not count time, but act like one at the present time. */
static void late(const pcc *port, const stream *s, uint64_t seed)
{
    flow a, b;
    size_t i;
    flow_start(&a, port, seed);
    flow_start(&b, port, seed);
    for (i = 0; i < s->n && failed == 0; i++) {
        pcc_event e = s->e[i];
        rocecc_hpcc h;
        if (e.type != PCC_ACK) continue;
        (void)flow_event(&a, &e);
        (void)flow_event(&b, &e);
        memcpy(&h, a.context, sizeof h);
        if (h.hops == 0 || h.changed_ns != e.now_ns) continue;
        e.signal = ROCECC_HPCC_UTILISATION;
        (void)flow_event(&b, &e);
        e.now_ns -= below(PCC_REORDER_NS + 1);
        (void)flow_event(&a, &e);
        hold(memcmp(a.context, b.context, PCC_CONTEXT_BYTES) == 0,
             "hpcc: a late ACK counted time", seed);
    }
    flow_end(&a);
    flow_end(&b);
}

void judge_hpcc(uint64_t seed)
{
    static stream whole, mangled;
    uint32_t value[PCC_PARAMS_MAX];
    pcc port;
    seed_is(seed);
    random_port(&port, &pcc_hpcc, value, seed);
    stream_of(&whole, seed);
    stream_mangle(&whole, &mangled);
    equal(&port, value, &whole, seed);
    late(&port, &whole, seed);
    lossy(&port, &mangled, seed);
}

void hpcc_report(void)
{
    printf(
        "hosts-pcc: hpcc: %u flows slow after their last event, back at the line in at "
        "most %.2f of the bound\n",
        seen.slow, seen.worst);
    hold(seen.slow != 0, "hpcc: no flow was slow: nothing was tried", 0);
}
