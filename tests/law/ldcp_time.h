/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_LDCP_TIME_H
#define TESTS_LAW_LDCP_TIME_H

/*
 * ldcp_time.h - simulates LDCP in a closed loop, with flows, a bottleneck that marks by
 * rocecc_wred_ldcp(), a receiver, go-back-N and a timer. Faults are drawn from the
 * bytes. They are silence of 0 to 10 s with a dead path or an idle application, clock
 * steps, a changed link speed, bursts of lost packets or ACKs, and NAKs and timeouts
 * without a loss. RTO + (3 + H / gamma + W / alpha) T after the last fault (ldcp.h,
 * G19), plus the time to drain the queue, goodput must be within 10 % of a twin's
 * without faults. No window may grow without an ACK.
 *
 *   flow: window --> FIFO, WRED --- T, and back ---> receiver: ACK with ECE, or NAK
 */
#include "draw.h"
#include "rocecc/algo/ldcp.h"
#include "rocecc/algo/wred.h"

#define LDCP_TIME_FLOWS 4
#define LDCP_TIME_PATH 1024u /* packets in the queue and on the path */
#define LDCP_TIME_BYTES 1000 /* of a packet */
#define LDCP_TIME_BUFFER 512 /* packets */
#define LDCP_TIME_BDP 32u    /* packets, for the fastest link */
#define LDCP_TIME_NEVER UINT64_MAX
#define LDCP_TIME_GAP_MAX_NS UINT64_C(10000000000)
#define LDCP_TIME_TROUBLES 8

typedef struct ldcp_time_packet {
    uint64_t back_ns; /* arrival at the receiver, and of its ACK at the sender */
    uint32_t number;
    uint8_t flow;
    bool ce;
} ldcp_time_packet;

typedef struct ldcp_time_flow {
    rocecc_ldcp s;
    rocecc_ldcp_receiver v;
    uint32_t next, acked, got; /* packets: to send, acknowledged, received */
    bool nak, limited, idle;
    uint64_t clock_ns; /* offset of its clock from l->now_ns */
    uint64_t wake_ns, heard_ns;
} ldcp_time_flow;

typedef struct ldcp_time {
    rocecc_ldcp_params p;
    rocecc_wred_params wred;
    ldcp_time_flow flow[LDCP_TIME_FLOWS];
    uint32_t flows;
    ldcp_time_packet path[LDCP_TIME_PATH];
    uint32_t head, tail;
    uint64_t now_ns, free_ns; /* the link is busy until free_ns */
    uint64_t slot_ns, rtt_ns, rto_ns, random;
    uint32_t lose_packets, lose_acks;
    bool dead;
} ldcp_time;

LAW_FN uint32_t ldcp_time_random(ldcp_time *l)
{
    l->random =
        l->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(l->random >> 32);
}

LAW_FN uint32_t ldcp_time_bdp(const ldcp_time *l)
{
    return (uint32_t)(l->rtt_ns / l->slot_ns);
}

/* Queues or loses a packet. The receiver detects a loss by the next number. */
LAW_FN void ldcp_time_enqueue(ldcp_time *l, uint8_t flow, rocecc_ecn ecn)
{
    const uint64_t busy_ns = l->free_ns > l->now_ns ? l->free_ns - l->now_ns : 0;
    const uint64_t bytes = (busy_ns + l->slot_ns - 1) / l->slot_ns * LDCP_TIME_BYTES;
    const rocecc_wred_verdict verdict = rocecc_wred_decide(
        &l->wred, (uint32_t)bytes + LDCP_TIME_BYTES, ecn, ldcp_time_random(l));
    ldcp_time_packet *k = &l->path[l->tail % LDCP_TIME_PATH];
    k->number = l->flow[flow].next++;
    if (l->dead || verdict == ROCECC_WRED_DROP || l->tail - l->head == LDCP_TIME_PATH)
        return;
    if (l->lose_packets > 0) {
        l->lose_packets--;
        return;
    }
    l->free_ns = l->now_ns + busy_ns + l->slot_ns;
    k->back_ns = l->free_ns + l->rtt_ns;
    k->flow = flow;
    k->ce = verdict == ROCECC_WRED_MARK;
    l->tail++;
}

/* Sends all packets that the window allows now. */
LAW_FN void ldcp_time_send(ldcp_time *l, uint8_t flow)
{
    ldcp_time_flow *f = &l->flow[flow];
    f->wake_ns = LDCP_TIME_NEVER;
    while (!f->idle) {
        const uint64_t clock_ns = l->now_ns + f->clock_ns;
        const rocecc_ldcp_send_action release =
            rocecc_ldcp_may_send(&f->s, (uint32_t)l->rtt_ns, clock_ns);
        f->limited = !release.allowed;
        if (release.wait_ns != 0) f->wake_ns = l->now_ns + release.wait_ns;
        if (!release.allowed) return;
        if (f->next == f->acked) f->heard_ns = l->now_ns;
        ldcp_time_enqueue(l, flow, rocecc_ldcp_send(&l->p, &f->s, false, clock_ns));
    }
}

/* Acknowledges all received packets at the sender. */
LAW_FN void ldcp_time_ack(ldcp_time *l, ldcp_time_flow *f, bool ece)
{
    const rocecc_ldcp_ack_event heard = {
        f->got - f->acked, ece,
        f->limited || !rocecc_ldcp_may_send(&f->s, 0, l->now_ns + f->clock_ns).allowed};
    if (heard.packets == 0) return;
    rocecc_ldcp_ack(&l->p, &f->s, heard);
    f->acked = f->got;
    if (f->next < f->acked) f->next = f->acked;
    f->heard_ns = l->now_ns;
}

LAW_FN void ldcp_time_back(ldcp_time *l)
{
    const ldcp_time_packet k = l->path[l->head++ % LDCP_TIME_PATH];
    ldcp_time_flow *f = &l->flow[k.flow];
    bool ece = false, gap = false;
    if (l->dead) return;
    if (k.number == f->got) {
        ece = rocecc_ldcp_received(&l->p, &f->v, k.ce).marked != 0;
        f->got++;
        f->nak = false;
    } else if (k.number > f->got) {
        if (f->nak) return; /* one NAK per gap */
        f->nak = gap = true;
    }
    if (l->lose_acks > 0) {
        l->lose_acks--;
        return;
    }
    ldcp_time_ack(l, f, ece);
    if (gap) {
        (void)rocecc_ldcp_nak(&l->p, &f->s);
        f->next = f->acked;
    }
    ldcp_time_send(l, k.flow);
}

/* Starts go-back-N, by a timeout or by a NAK without a loss. */
LAW_FN void ldcp_time_again(ldcp_time *l, uint8_t flow, bool nak)
{
    ldcp_time_flow *f = &l->flow[flow];
    if (nak)
        (void)rocecc_ldcp_nak(&l->p, &f->s);
    else
        (void)rocecc_ldcp_timeout(&l->p, &f->s);
    f->next = f->acked;
    f->heard_ns = l->now_ns;
    ldcp_time_send(l, flow);
}

LAW_FN uint64_t ldcp_time_due_ns(const ldcp_time *l, const ldcp_time_flow *f)
{
    const uint64_t rto_ns =
        f->next != f->acked ? f->heard_ns + l->rto_ns : LDCP_TIME_NEVER;
    return rocecc_min(rto_ns, f->wake_ns);
}

LAW_FN bool ldcp_time_sane(const ldcp_time *l, const ldcp_time_flow *f, uint64_t was)
{
    return f->s.cw_q32 <= was && f->s.cw_q32 >= l->p.gamma_q32;
}

LAW_FN uint32_t ldcp_time_run(ldcp_time *l, uint64_t until_ns)
{
    for (;;) {
        uint64_t at_ns = l->head != l->tail ? l->path[l->head % LDCP_TIME_PATH].back_ns
                                            : LDCP_TIME_NEVER;
        uint8_t i, first = LDCP_TIME_FLOWS;
        for (i = 0; i < l->flows; i++) {
            const uint64_t due_ns = ldcp_time_due_ns(l, &l->flow[i]);
            if (due_ns >= at_ns) continue;
            at_ns = due_ns;
            first = i;
        }
        if (at_ns > until_ns) break;
        l->now_ns = rocecc_max(l->now_ns, at_ns);
        if (first == LDCP_TIME_FLOWS) {
            ldcp_time_back(l);
        } else {
            const ldcp_time_flow *f = &l->flow[first];
            const uint64_t was = f->s.cw_q32;
            if (f->wake_ns <= l->now_ns)
                ldcp_time_send(l, first);
            else
                ldcp_time_again(l, first, false);
            LAW(ldcp_time_sane(l, f, was)); /* without an ACK, no window grows */
        }
    }
    l->now_ns = until_ns;
    return LAW_START;
}

/* Sets the link's speed in the switch and, if `told` is set, in the flows. */
LAW_FN uint32_t ldcp_time_link(ldcp_time *l, uint32_t shift, bool told)
{
    uint32_t i;
    l->slot_ns = l->rtt_ns / LDCP_TIME_BDP << shift;
    l->wred = rocecc_wred_ldcp(ldcp_time_bdp(l) * LDCP_TIME_BYTES,
                               LDCP_TIME_BUFFER * LDCP_TIME_BYTES);
    if (!told) return LAW_START;
    l->p.iw_packets = ldcp_time_bdp(l);
    LAW(rocecc_ldcp_init(&l->p) == ROCECC_LDCP_ACCEPTED);
    for (i = 0; i < l->flows; i++) {
        rocecc_ldcp_relink(&l->p, &l->flow[i].s);
        LAW(l->flow[i].s.cw_q32 <= (uint64_t)l->p.iw_packets << 32);
    }
    return LAW_START;
}

LAW_FN void ldcp_time_start(ldcp_time *l)
{
    static const ldcp_time_flow none;
    uint8_t i;
    l->head = l->tail = l->lose_packets = l->lose_acks = 0;
    l->now_ns = l->free_ns = 0;
    l->dead = false;
    for (i = 0; i < l->flows; i++) {
        l->flow[i] = none;
        l->flow[i].s = rocecc_ldcp_start(&l->p);
        l->flow[i].v = rocecc_ldcp_receiver_start();
        ldcp_time_send(l, i);
    }
}

/* Applies one fault from four bytes, its kind, its length and two parameters. */
LAW_FN uint32_t ldcp_time_trouble(ldcp_time *l, const uint8_t *b)
{
    const uint64_t any_ns =
        rocecc_min((l->rtt_ns / 16 * (b[1] % 16)) << (b[1] >> 4) << (b[1] >> 4),
                   LDCP_TIME_GAP_MAX_NS);
    uint64_t gap_ns = l->rtt_ns / 16 * (b[1] % 64u);
    uint8_t i;
    for (i = 0; i < l->flows; i++) {
        ldcp_time_flow *f = &l->flow[i];
        if (b[0] % 8 == 0) f->idle = true;
        if (b[0] % 8 == 2) f->clock_ns += b[2] & 1 ? UINT64_MAX << b[3] % 64u : any_ns;
    }
    if (b[0] % 8 == 0) gap_ns = any_ns;
    if (b[0] % 8 == 1) { /* at most 64 timers; more change nothing */
        l->dead = true;
        gap_ns = rocecc_min(any_ns, 64 * l->rto_ns);
        for (i = 0; i < l->flows; i++)
            l->flow[i].clock_ns += any_ns - gap_ns;
    }
    if (b[0] % 8 == 3) LAW(ldcp_time_link(l, b[2] % 3, b[3] & 1) != LAW_BROKEN);
    if (b[0] % 8 == 4) l->lose_packets = b[2];
    if (b[0] % 8 == 5) l->lose_acks = b[2];
    for (i = 0; i < l->flows && b[0] % 8 >= 6; i++)
        ldcp_time_again(l, i, b[0] % 8 == 7);
    LAW(ldcp_time_run(l, l->now_ns + gap_ns) != LAW_BROKEN);
    l->dead = false;
    for (i = 0; i < l->flows; i++) {
        if (!l->flow[i].idle) continue;
        l->flow[i].idle = false;
        ldcp_time_send(l, i);
    }
    return LAW_START;
}

/*
 * Returns RTO + (3 + H / gamma + W / alpha) T for one flow's share (G19), plus the
 * queue's time.
 */
LAW_FN uint64_t ldcp_time_bound_ns(const ldcp_time *l)
{
    const uint64_t gamma_q16 = l->p.gamma_q16, alpha_q16 = l->p.alpha_q16;
    const uint64_t share = ldcp_time_bdp(l) / l->flows + 1;
    const uint64_t drain_ns = l->free_ns > l->now_ns ? l->free_ns - l->now_ns : 0;
    uint64_t trips_q16 = (3 << 16) + (share << 32) / alpha_q16;
    uint64_t k;
    for (k = 1; k * gamma_q16 <= 65536; k++) /* T / (k gamma) at a window of k gamma */
        trips_q16 += (UINT64_C(1) << 32) / (k * gamma_q16);
    return l->rto_ns + drain_ns + (l->rtt_ns * trips_q16 >> 16);
}

/* Returns the new packets that arrive in 32 round trips after ldcp_time_bound_ns(). */
LAW_FN uint32_t ldcp_time_goodput(ldcp_time *l)
{
    const uint64_t from_ns = l->now_ns + ldcp_time_bound_ns(l);
    uint32_t i, before = 0, after = 0;
    if (ldcp_time_run(l, from_ns) == LAW_BROKEN) return UINT32_MAX;
    for (i = 0; i < l->flows; i++)
        before += l->flow[i].got;
    if (ldcp_time_run(l, from_ns + 32 * l->rtt_ns) == LAW_BROKEN) return UINT32_MAX;
    for (i = 0; i < l->flows; i++)
        after += l->flow[i].got;
    return after - before;
}

LAW_FN uint32_t law_ldcp_time(rocecc_reader r)
{
    static ldcp_time l; /* 25 KB */
    static const uint32_t gammas[4] = {16384, 8192, 4096, 65536};
    const uint8_t first = law_u8(&r), scale = law_u8(&r);
    uint32_t i, shift = 0, got, twin;
    l.p = rocecc_ldcp_hns(LDCP_TIME_BDP);
    l.p.gamma_q16 = gammas[first & 3];
    if (first & 4) l.p.alpha_q16 = 32768;
    l.p.continuous = (first & 8) != 0;
    l.flows = 1 + (first >> 4) % LDCP_TIME_FLOWS;
    l.rtt_ns = (uint64_t)1280 << scale % 12; /* 1.28 us to 2.6 ms */
    l.rto_ns = 8 * l.rtt_ns;
    l.random = law_u8(&r);
    LAW(rocecc_ldcp_init(&l.p) == ROCECC_LDCP_ACCEPTED);
    LAW(ldcp_time_link(&l, 0, true) != LAW_BROKEN);
    ldcp_time_start(&l);
    LAW(ldcp_time_run(&l, (scale / 12u) * l.rtt_ns) != LAW_BROKEN);
    for (i = 0; i < LDCP_TIME_TROUBLES; i++) {
        const uint8_t *b = rocecc_take(&r, 4);
        if (b == NULL) break;
        if (b[0] % 8 == 3) shift = b[2] % 3;
        LAW(ldcp_time_trouble(&l, b) != LAW_BROKEN);
    }
    l.lose_packets = l.lose_acks = 0;
    got = ldcp_time_goodput(&l);
    LAW(got != UINT32_MAX);
    LAW(ldcp_time_link(&l, shift, true) != LAW_BROKEN);
    ldcp_time_start(&l);
    twin = ldcp_time_goodput(&l);
    LAW(twin != UINT32_MAX);
    LAW(twin * 4 >= 3 * 32 * ldcp_time_bdp(&l)); /* the twin uses the link */
    LAW(got * 10 >= twin * 9 && got * 10 <= twin * 11 + 20);
    return law_mix(law_mix(LAW_START, got), twin);
}

#endif /* TESTS_LAW_LDCP_TIME_H */
