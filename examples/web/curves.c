/* SPDX-License-Identifier: BSD-2-Clause */

/* curves.c - the loop of curves.h: the next event, a queue, and its samples. */
#include "curves.h"

/* Returns the high half of Knuth's LCG, as in the vectors. */
static uint32_t random_of(curves *c)
{
    c->random =
        c->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(c->random >> 32);
}

static uint32_t queued(const curves *c)
{
    return (uint32_t)(c->in_bytes - c->out_bytes);
}

static curves_sample *sample_of(curves *c)
{
    const uint64_t i = c->now_ps / c->bin_ps;
    curves_sample *s = &c->sample[rocecc_min(i, CURVES_SAMPLES)];
    s->queue_bytes = (uint32_t)rocecc_max(s->queue_bytes, queued(c));
    return s;
}

/* Queues or loses a packet. A lost packet comes back too, and notifies its sender. */
static void enqueue(curves *c, curves_flow *x, rocecc_ecn ecn)
{
    curves_packet *p = &c->ring[c->ring_in++ % CURVES_RING];
    const rocecc_wred_verdict verdict =
        rocecc_wred_decide(&c->wred, queued(c) + CURVES_FRAME_BYTES, ecn, random_of(c));
    const uint64_t from_ps = rocecc_max(c->free_ps, c->now_ps);
    p->flow = (uint8_t)(x - c->flow);
    p->epoch = x->epoch;
    p->seq = x->sent_bytes;
    p->lost = verdict == ROCECC_WRED_DROP;
    p->marked = verdict == ROCECC_WRED_MARK;
    p->leaves_ps = from_ps + (p->lost ? 0 : c->frame_ps);
    p->back_ps = p->leaves_ps + (uint64_t)c->value[CURVES_rtt] * 1000000;
    c->free_ps = p->leaves_ps;
    c->marks += p->marked;
    c->losses += p->lost;
    if (!p->lost) c->in_bytes += CURVES_FRAME_BYTES;
    (void)sample_of(c);
}

/* Removes a packet from the queue, and records the queue in it. */
static void leave(curves *c)
{
    curves_packet *p = &c->ring[c->ring_left++ % CURVES_RING];
    if (!p->lost) {
        sample_of(c)->got_bytes[p->flow] += CURVES_FRAME_BYTES;
        c->out_bytes += CURVES_FRAME_BYTES;
    }
    p->tx_bytes = c->out_bytes;
    p->queue_bytes = queued(c);
}

/* Handles a receiver's answer. Packets out of order after a loss have no answer. */
static void back(curves *c)
{
    const curves_packet *p = &c->ring[c->ring_back++ % CURVES_RING];
    curves_flow *x = &c->flow[p->flow];
    if (p->epoch != x->epoch) return;
    if (!p->lost) x->acked_bytes = p->seq;
    steps_back(c, x, p);
    if (p->lost) {
        x->sent_bytes = x->acked_bytes;
        x->epoch++;
    }
    if (x->begun) x->look_ps = c->now_ps;
}

/* Returns true if the queue or the ring is full. */
static bool full(const curves *c)
{
    return queued(c) > CURVES_BUFFER_BYTES ||
           c->ring_in - c->ring_back >= CURVES_RING - 1;
}

/* Sends a packet of a flow, if it may send. Otherwise sets its next check. */
static void look(curves *c, curves_flow *x)
{
    if (!x->begun) steps_start(c, x);
    x->begun = true;
    if (c->now_ps >= x->stop_ps) {
        x->look_ps = CURVES_NEVER;
        x->begun = false;
        return;
    }
    if (full(c)) {
        x->look_ps = c->now_ps + 1000000;
        return;
    }
    if (!steps_may(c, x)) return;
    x->sent_ps = c->now_ps;
    x->sent_bytes += CURVES_FRAME_BYTES;
    enqueue(c, x, steps_sent(c, x));
}

static uint64_t next_of(const curves *c, uint32_t count, bool leaves)
{
    const curves_packet *p = &c->ring[count % CURVES_RING];
    if (count == c->ring_in) return CURVES_NEVER;
    return leaves ? p->leaves_ps : p->back_ps;
}

/*
 * Handles the next event. Returns false at the end of the run. At the same time,
 * departures precede answers, and answers precede senders.
 */
static bool next(curves *c)
{
    const uint64_t leaves_ps = next_of(c, c->ring_left, true);
    const uint64_t back_ps =
        c->ring_back == c->ring_left ? CURVES_NEVER : next_of(c, c->ring_back, false);
    curves_flow *x = &c->flow[0];
    uint32_t i;
    for (i = 1; i < c->value[CURVES_flows]; i++)
        if (c->flow[i].look_ps < x->look_ps) x = &c->flow[i];
    c->now_ps = rocecc_min(rocecc_min(leaves_ps, back_ps), x->look_ps);
    if (c->now_ps >= c->bin_ps * CURVES_SAMPLES) return false;
    if (leaves_ps == c->now_ps)
        leave(c);
    else if (back_ps == c->now_ps)
        back(c);
    else
        look(c, x);
    return true;
}

static void clear(curves *c)
{
    const curves_sample none = ROCECC_ZERO;
    const curves_flow idle = ROCECC_ZERO;
    const uint64_t end_ps = (uint64_t)c->value[CURVES_time] * 1000000;
    uint32_t i;
    for (i = 0; i <= CURVES_SAMPLES; i++)
        c->sample[i] = none;
    for (i = 0; i < CURVES_FLOWS; i++) {
        c->flow[i] = idle;
        c->flow[i].look_ps = i == 0 ? 0 : end_ps / 5;
        c->flow[i].stop_ps = i == 0 ? CURVES_NEVER : end_ps * 3 / 5;
    }
    c->bin_ps = end_ps / CURVES_SAMPLES;
    c->now_ps = c->free_ps = c->in_bytes = c->out_bytes = 0;
    c->ring_in = c->ring_left = c->ring_back = 0;
    c->cnps = c->marks = c->losses = 0;
    c->random = 1;
}

bool curves_run(curves *c, curves_algo algo)
{
    c->algo = algo;
    c->link_bps = (uint64_t)c->value[CURVES_link] * 1000000000u;
    c->frame_ps = CURVES_FRAME_BYTES * 8000 / c->value[CURVES_link];
    clear(c);
    if (!steps_setup(c)) return false;
    while (next(c))
        continue;
    return true;
}
