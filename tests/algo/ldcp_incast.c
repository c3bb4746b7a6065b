/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ldcp_incast.c - 10^4 flows start at once, into a port of 100 Gb/s with a buffer of 2
 * MB. Packets have 1000 bytes, the base RTT is 8.16 us, and the loss timer 1 ms.
 */
#include <string.h>

#include "lib/test.h"
#include "rocecc/algo/ldcp.h"
#include "rocecc/algo/wred.h"

#define FLOWS 10000
#define SLOT_NS 80
#define BASE_NS 8160
#define BDP 102
#define BUFFER 2000 /* packets */
#define RTO_NS 1000000
#define PATH 4096 /* packets in the buffer and on the path */
#define NEVER UINT64_MAX

typedef struct packet {
    uint64_t back_ns;
    uint32_t flow, number;
    bool ce;
} packet;

typedef struct flow {
    rocecc_ldcp s;
    uint64_t heard_ns, due_ns; /* start of the loss timer; next wake-up */
    uint32_t next, acked, got, got_before, rtt_ns;
    uint32_t place; /* index in order[] */
    bool nak, limited;
} flow;

typedef struct incast {
    rocecc_ldcp_params p;
    rocecc_wred_params wred;
    bool measured; /* use the measured RTT, not the base RTT */
    flow flows[FLOWS];
    uint32_t order[FLOWS]; /* a heap with the earliest due_ns first */
    packet path[PATH];
    uint32_t head, tail;
    uint64_t now_ns, free_ns, random;
    uint64_t sent, dropped, timeouts, naks;
} incast;

static bool before(const incast *l, uint32_t a, uint32_t b)
{
    return l->flows[l->order[a]].due_ns < l->flows[l->order[b]].due_ns;
}

static void swap(incast *l, uint32_t a, uint32_t b)
{
    const uint32_t at_a = l->order[a];
    l->order[a] = l->order[b];
    l->order[b] = at_a;
    l->flows[l->order[a]].place = a;
    l->flows[l->order[b]].place = b;
}

static void due(incast *l, flow *f, uint64_t at_ns)
{
    uint32_t i = f->place;
    f->due_ns = at_ns;
    for (; i > 0 && before(l, i, (i - 1) / 2); i = (i - 1) / 2)
        swap(l, i, (i - 1) / 2);
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child + 1 < FLOWS && before(l, child + 1, child)) child++;
        if (child >= FLOWS || !before(l, child, i)) return;
        swap(l, i, child);
        i = child;
    }
}

static rocecc_ldcp_send_action may(const incast *l, const flow *f)
{
    return rocecc_ldcp_may_send(&f->s, l->measured ? f->rtt_ns : BASE_NS, l->now_ns);
}

static void enqueue(incast *l, flow *f, rocecc_ecn ecn)
{
    const uint64_t busy_ns = l->free_ns > l->now_ns ? l->free_ns - l->now_ns : 0;
    const uint64_t bytes = (busy_ns + SLOT_NS - 1) / SLOT_NS * 1000 + 1000;
    const rocecc_wred_verdict verdict =
        rocecc_wred_decide(&l->wred, (uint32_t)bytes, ecn, test_random(&l->random));
    packet *k = &l->path[l->tail % PATH];
    k->number = f->next++;
    l->sent++;
    if (verdict == ROCECC_WRED_DROP) {
        l->dropped++;
        return;
    }
    l->free_ns = l->now_ns + busy_ns + SLOT_NS;
    k->back_ns = l->free_ns + BASE_NS;
    k->flow = (uint32_t)(f - l->flows);
    k->ce = verdict == ROCECC_WRED_MARK;
    l->tail++;
}

static void transmit(incast *l, flow *f)
{
    uint64_t wake_ns = NEVER;
    rocecc_ldcp_send_action release;
    while ((release = may(l, f)).allowed) {
        if (f->next == f->acked) f->heard_ns = l->now_ns;
        enqueue(l, f, rocecc_ldcp_send(&l->p, &f->s, false, l->now_ns));
    }
    f->limited = true;
    if (release.wait_ns != 0) wake_ns = l->now_ns + release.wait_ns;
    if (f->next != f->acked) wake_ns = rocecc_min(wake_ns, f->heard_ns + RTO_NS);
    due(l, f, wake_ns);
}

/* Delivers a packet to its receiver, and the ACK or NAK to the sender. */
static void back(incast *l)
{
    const packet *k = &l->path[l->head++ % PATH];
    flow *f = &l->flows[k->flow];
    const bool gap = k->number > f->got, ece = k->number == f->got && k->ce;
    rocecc_ldcp_ack_event heard = {0, ece, f->limited};
    if (gap && f->nak) return;
    f->nak = gap;
    f->got += k->number == f->got;
    heard.packets = f->got - f->acked;
    if (f->s.in_flight == 1 && heard.packets == 1) /* the last packet sent */
        f->rtt_ns += (uint32_t)(l->now_ns - f->s.last_send_ns) / 8 - f->rtt_ns / 8;
    rocecc_ldcp_ack(&l->p, &f->s, heard);
    f->acked = f->got;
    if (f->next < f->acked) f->next = f->acked;
    if (heard.packets != 0) f->heard_ns = l->now_ns;
    if (gap) {
        l->naks++;
        (void)rocecc_ldcp_nak(&l->p, &f->s);
        f->next = f->acked;
    }
    transmit(l, f);
}

static void run_until(incast *l, uint64_t until_ns)
{
    for (;;) {
        flow *f = &l->flows[l->order[0]];
        const uint64_t back_ns =
            l->head != l->tail ? l->path[l->head % PATH].back_ns : NEVER;
        l->now_ns = rocecc_min(back_ns, f->due_ns);
        if (l->now_ns > until_ns) return;
        if (back_ns <= f->due_ns) {
            back(l);
            continue;
        }
        if (f->next != f->acked && l->now_ns >= f->heard_ns + RTO_NS) {
            l->timeouts++;
            (void)rocecc_ldcp_timeout(&l->p, &f->s);
            f->next = f->acked;
            f->heard_ns = l->now_ns;
        }
        transmit(l, f);
    }
}

typedef struct result {
    uint32_t silent; /* flows that got nothing in the second half */
    uint64_t utilised_permille, jain_permille, dropped, timeouts;
    bool least; /* all windows are gamma */
} result;

static result run(incast *l, uint32_t gamma_q16, bool measured, uint64_t end_ns)
{
    result r = {0, 0, 0, 0, 0, true};
    uint64_t sum = 0, squares = 0;
    uint32_t i;
    memset(l, 0, sizeof *l);
    l->p = rocecc_ldcp_hns(BDP);
    l->p.gamma_q16 = gamma_q16;
    l->wred = rocecc_wred_ldcp(BDP * 1000, BUFFER * 1000);
    CHECK_EQ(rocecc_ldcp_init(&l->p), ROCECC_LDCP_ACCEPTED);
    l->random = 7;
    l->measured = measured;
    for (i = 0; i < FLOWS; i++) {
        l->flows[i].s = rocecc_ldcp_start(&l->p);
        l->flows[i].rtt_ns = BASE_NS;
        l->flows[i].place = l->order[i] = i;
    }
    for (i = 0; i < FLOWS; i++)
        due(l, &l->flows[i], test_random(&l->random) % BASE_NS);
    run_until(l, end_ns / 2);
    r.dropped = l->dropped;
    r.timeouts = l->timeouts;
    for (i = 0; i < FLOWS; i++)
        l->flows[i].got_before = l->flows[i].got;
    run_until(l, end_ns);
    for (i = 0; i < FLOWS; i++) {
        const uint64_t got = l->flows[i].got - l->flows[i].got_before;
        sum += got;
        squares += got * got;
        r.silent += got == 0;
        r.least = r.least && l->flows[i].s.cw_q32 == l->p.gamma_q32;
    }
    r.utilised_permille = sum * SLOT_NS * 2000 / end_ns;
    r.jain_permille = sum * sum * 1000 / (FLOWS * squares);
    r.dropped = l->dropped - r.dropped;
    r.timeouts = l->timeouts - r.timeouts;
    test_context("silent %u, link %u, Jain %u, dropped %u, timeouts %u, all sent %llu",
                 (unsigned)r.silent, (unsigned)r.utilised_permille,
                 (unsigned)r.jain_permille, (unsigned)r.dropped, (unsigned)r.timeouts,
                 (unsigned long long)l->sent);
    return r;
}

/*
 * Of a million packets in the first round, all but a queue of K are dropped. Of 10^4
 * ECT packets 2000 fit, so four of five flows get no answer. Then each has the smallest
 * window, and at most one packet in flight. With the base RTT, the pause RTT / cw is
 * shorter than the queue. A flow with a packet in the buffer puts the next one in its
 * place, and the others wait forever. With the measured RTT, pauses grow with the
 * queue, and it settles at N * gamma packets. 2500 exceed the 2000, so some are lost.
 * With 1250, all fit.
 */
TEST(G16_ten_thousand_flows_settle_with_the_measured_RTT)
{
    static incast l;
    result r = run(&l, 16384, false, 10000000);
    CHECK(r.silent > FLOWS / 4 * 3 && r.utilised_permille > 995);
    r = run(&l, 16384, true, 20000000);
    CHECK(r.silent < FLOWS / 100 && r.utilised_permille > 995 && r.least);
    CHECK(r.jain_permille > 800 && r.dropped * 3 < 125000);
    r = run(&l, 8192, true, 20000000);
    CHECK(r.silent == 0 && r.utilised_permille > 990);
    CHECK(r.jain_permille > 900 && r.dropped == 0 && r.timeouts < FLOWS / 50);
}
