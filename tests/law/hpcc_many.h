/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_HPCC_MANY_H
#define TESTS_LAW_HPCC_MANY_H

/*
 * hpcc_many.h - simulates many flows of HPCC++ in a closed loop, packet by packet. A
 * path has 1 to 3 links, and the second is the bottleneck, or the only link. Packets
 * can be sprayed over up to 8 such paths. The clocks of links tick, stop, or count in
 * another unit. ACKs are late by a random time.
 *
 *   flow 0 --.   .--> link 3 -----> link 4 -----> link 5 --.
 *   ...      +---+--> link 0 -----> link 1 -----> link 2 --+--> receivers
 *   flow n --'       400 Gb/s      100 Gb/s      400 Gb/s          |
 *     ^                                                            |
 *     '----------------------------- ACKs -------------------------'
 *
 * All arithmetic uses integers and ns, so a case gives the same result on every
 * machine.
 */
#include <string.h>

#include "events.h"
#include "hpcc.h"

#define MANY_FLOWS 32
#define MANY_HOPS 3
#define MANY_WAYS 8
#define MANY_LINKS (MANY_WAYS * MANY_HOPS)
#define MANY_PACKETS 16384 /* in flight; more than W_max of all flows */
#define MANY_BYTES 1062    /* a packet on the wire */

enum { MANY_TICKS, MANY_STANDS, MANY_SLOW, MANY_FAST, MANY_FAST10, MANY_NONE };

typedef struct many_case {
    uint32_t flows, hops;
    uint32_t tick_ns;   /* tick of every link's clock; 1: exact */
    uint8_t clock;      /* bottleneck's clock in the second half, MANY_... */
    bool items_without; /* reports without counter and clock */
    uint8_t ways;       /* paths to spray packets over; 0: one */
    uint64_t other_bps; /* rate of the last path's bottleneck; 0: as others */
    uint32_t late_ns;   /* ACKs are late by less than this, in order */
    uint64_t seed;
} many_case;

typedef struct many_link {
    uint64_t rate_bps, busy_until_ns, tx_bytes;
} many_link;

typedef struct many_packet {
    uint32_t flow, seq, way, done, next_free;
    rocecc_hop hops[MANY_HOPS];
} many_packet;

typedef struct many_flow {
    rocecc_hpcc s;
    rocecc_hpcc_hop l[MANY_HOPS];
    uint64_t window, rate_bps, next_ns, last_ack_ns, got_bytes;
    uint32_t sent, acked;
    bool waits; /* an event will send its next packet */
} many_flow;

typedef struct many {
    many_case c;
    rocecc_hpcc_params p;
    many_link links[MANY_LINKS];
    many_packet packets[MANY_PACKETS];
    many_flow flows[MANY_FLOWS];
    law_event heap[MANY_PACKETS + MANY_FLOWS];
    law_events events;
    uint32_t first_free;
    uint64_t now_ns, random, half_ns, end_ns;
    uint64_t queue_sum, queue_count; /* at the bottlenecks, in the second half */
    uint64_t verdicts[6];
    bool broken;
} many;

/* Results of the second half of a run. */
typedef struct many_result {
    uint64_t mbps, queue_bytes; /* payload of 1000 bytes; mean queue */
    uint32_t percent;           /* smallest flow / largest flow */
} many_result;

enum { MANY_SEND, MANY_ARRIVES, MANY_LEAVES, MANY_ACK };

LAW_FN uint32_t many_random(many *m, uint32_t below)
{
    m->random = m->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return below == 0 ? 0 : (uint32_t)((m->random >> 33) % below);
}

LAW_FN void many_push(many *m, uint64_t at_ns, uint32_t what, uint32_t index)
{
    if (!law_events_push(&m->events, at_ns, what, index)) m->broken = true;
}

/* Returns the link that a packet takes next. */
LAW_FN uint32_t many_way(const many *m, const many_packet *k)
{
    if (m->c.hops == 1) return 1;
    return k->way * MANY_HOPS + k->done;
}

/* Returns the clock of a link, below 10^9 ns like IOAM's fraction of a second. */
LAW_FN uint64_t many_clock(const many *m, uint32_t link)
{
    const bool odd = link == 1 && m->now_ns >= m->half_ns;
    const uint8_t how = odd ? m->c.clock : (uint8_t)MANY_TICKS;
    uint64_t ts = m->now_ns;
    if (how == MANY_STANDS) ts = m->half_ns;
    if (how == MANY_SLOW) ts = m->half_ns + (ts - m->half_ns) / 1000;
    if (how == MANY_FAST) ts = m->half_ns + (ts - m->half_ns) * 1000;
    if (how == MANY_FAST10) ts = m->half_ns + (ts - m->half_ns) * 10;
    ts = (ts + link * UINT64_C(123456789)) % UINT64_C(1000000000);
    return ts - ts % m->c.tick_ns;
}

LAW_FN void many_send(many *m, uint32_t index)
{
    many_flow *f = &m->flows[index];
    const uint32_t at = m->first_free;
    many_packet *k;
    uint64_t gap_ns;
    f->waits = false;
    if ((uint64_t)(f->sent - f->acked) * MANY_BYTES >= f->window) return;
    f->waits = true;
    if (m->now_ns < f->next_ns) {
        many_push(m, f->next_ns, MANY_SEND, index);
        return;
    }
    if (at == MANY_PACKETS) {
        m->broken = true;
        return;
    }
    k = &m->packets[at];
    m->first_free = k->next_free;
    k->flow = index;
    k->seq = f->sent++;
    k->done = 0;
    k->way = many_random(m, m->c.ways);
    gap_ns = MANY_BYTES * UINT64_C(8000000000) / rocecc_max(f->rate_bps, 1000000);
    f->next_ns = m->now_ns + rocecc_max(gap_ns, 85);
    many_push(m, m->now_ns + 700, MANY_ARRIVES, at);
    many_push(m, f->next_ns, MANY_SEND, index);
}

LAW_FN void many_arrives(many *m, uint32_t at)
{
    many_link *k = &m->links[many_way(m, &m->packets[at])];
    k->busy_until_ns = rocecc_max(k->busy_until_ns, m->now_ns) +
                       MANY_BYTES * UINT64_C(8000000000) / k->rate_bps;
    many_push(m, k->busy_until_ns, MANY_LEAVES, at);
}

LAW_FN void many_leaves(many *m, uint32_t at)
{
    many_packet *k = &m->packets[at];
    const uint32_t way = many_way(m, k);
    many_link *link = &m->links[way];
    many_flow *f = &m->flows[k->flow];
    rocecc_hop *h = &k->hops[k->done++];
    link->tx_bytes += MANY_BYTES;
    h->id = 100 + way;
    h->rate_bps = link->rate_bps;
    h->tx_bytes = link->tx_bytes & UINT32_MAX;
    h->ts_ns = many_clock(m, way);
    h->queue_bytes = (uint32_t)((link->busy_until_ns - m->now_ns) *
                                (link->rate_bps / 8000000) / 1000);
    h->util_q20 = 0;
    h->valid = m->c.items_without ? ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE
                                  : ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE |
                                        ROCECC_HOP_TX | ROCECC_HOP_TS;
    if (way % MANY_HOPS == 1 && m->now_ns >= m->half_ns) {
        m->queue_sum += h->queue_bytes;
        m->queue_count++;
    }
    if (k->done < m->c.hops) {
        many_push(m, m->now_ns + 700, MANY_ARRIVES, at);
        return;
    }
    f->last_ack_ns =
        rocecc_max(f->last_ack_ns + 1, m->now_ns + 6200 + many_random(m, m->c.late_ns));
    many_push(m, f->last_ack_ns, MANY_ACK, at);
}

LAW_FN void many_ack(many *m, uint32_t at)
{
    many_packet *k = &m->packets[at];
    many_flow *f = &m->flows[k->flow];
    rocecc_hpcc_event e = {NULL, 0, 0, 0, 0, 0, false};
    rocecc_hpcc_action act;
    if (m->now_ns >= m->half_ns) f->got_bytes += 1000;
    f->acked++; /* one ACK per packet, in any order */
    e.hops = k->hops;
    e.n_hops = m->c.hops;
    e.seq = k->seq + 1;
    e.snd_nxt = f->sent;
    e.now_ns = m->now_ns;
    act = rocecc_hpcc_ack(&m->p, &f->s, f->l, &e);
    if (!law_hpcc_bounds(&m->p, &f->s, &act)) m->broken = true;
    m->verdicts[act.verdict]++;
    f->window = act.window_bytes;
    f->rate_bps = act.rate_bps;
    k->next_free = m->first_free;
    m->first_free = at;
    if (!f->waits) {
        f->waits = true;
        many_push(m, m->now_ns, MANY_SEND, (uint32_t)(f - m->flows));
    }
}

/* Returns parameters with W_AI for the number of flows, or for 16 if that is more. */
LAW_FN rocecc_hpcc_params many_params(const many_case *c)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(UINT64_C(100000000000));
    p.ts_mod_ns = 1000000000;
    p.tx_mod_bytes = (uint64_t)1 << 32;
    p.dt_max_ns = 80000000;
    p.w_ai_q8 = p.w_init_bytes * 256 / 20 / rocecc_max(c->flows, 16);
    return p;
}

LAW_FN many_result many_run(many *m, const many_case *c, uint64_t end_ns)
{
    many_result result = {0, 0, 100};
    uint64_t least = UINT64_MAX, most = 0, all = 0;
    uint32_t i;
    memset(m, 0, sizeof *m);
    m->c = *c;
    m->events.heap = m->heap;
    m->events.most = MANY_PACKETS + MANY_FLOWS;
    m->p = many_params(c);
    m->random = c->seed;
    m->end_ns = end_ns;
    m->half_ns = end_ns / 2;
    m->broken = rocecc_hpcc_init(&m->p) != ROCECC_HPCC_ACCEPTED;
    for (i = 0; i < MANY_PACKETS; i++)
        m->packets[i].next_free = i + 1;
    for (i = 0; i < MANY_LINKS; i++)
        m->links[i].rate_bps = UINT64_C(1000000000) * (i % MANY_HOPS == 1 ? 100 : 400);
    if (c->other_bps != 0 && c->ways != 0)
        m->links[(c->ways - 1) * MANY_HOPS + 1].rate_bps = c->other_bps;
    for (i = 0; i < c->flows; i++) {
        m->flows[i].s = rocecc_hpcc_start(&m->p);
        m->flows[i].window = m->p.w_init_bytes;
        m->flows[i].rate_bps = UINT64_C(100000000000);
        m->flows[i].waits = true;
        many_push(m, 37u * i, MANY_SEND, i);
    }
    while (m->events.n != 0 && !m->broken) {
        const law_event e = law_events_pop(&m->events);
        if (e.at_ns > end_ns) break;
        m->now_ns = e.at_ns;
        if (e.what == MANY_SEND) many_send(m, e.index);
        if (e.what == MANY_ARRIVES) many_arrives(m, e.index);
        if (e.what == MANY_LEAVES) many_leaves(m, e.index);
        if (e.what == MANY_ACK) many_ack(m, e.index);
    }
    for (i = 0; i < c->flows; i++) {
        least = rocecc_min(least, m->flows[i].got_bytes);
        most = rocecc_max(most, m->flows[i].got_bytes);
        all += m->flows[i].got_bytes;
    }
    result.mbps = all * 8000 / (end_ns - m->half_ns);
    if (m->queue_count != 0) result.queue_bytes = m->queue_sum / m->queue_count;
    if (most != 0) result.percent = (uint32_t)(least * 100 / most);
    return result;
}

#endif /* TESTS_LAW_HPCC_MANY_H */
