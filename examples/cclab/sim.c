/* SPDX-License-Identifier: BSD-2-Clause */

/* sim.c - simulates events, queues and links. */
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *lab_get(size_t n, size_t bytes)
{
    void *p = calloc(n, bytes);
    if (p != NULL) return p;
    fputs("cclab: out of memory\n", stderr);
    exit(1);
}

uint32_t lab_now_ns(const lab *l)
{
    return (uint32_t)(l->now / 1000);
}

/* Returns the high half of Knuth's LCG, as in the vectors. */
uint32_t lab_draw(uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*random >> 32);
}

uint32_t lab_random(lab *l)
{
    return lab_draw(&l->random);
}

static bool before(const lab_event *a, const lab_event *b)
{
    return a->when != b->when ? a->when < b->when : a->order < b->order;
}

void lab_at(lab *l, lab_ps when, lab_call *call, void *who, uint64_t what)
{
    const lab_event e = {when < l->now ? l->now : when, l->order++, call, who, what};
    size_t i = l->n_heap++;
    if (l->n_heap > l->heap_room) {
        l->heap_room = l->heap_room == 0 ? 4096 : 2 * l->heap_room;
        l->heap = realloc(l->heap, l->heap_room * sizeof *l->heap);
        if (l->heap == NULL) exit(1);
    }
    for (; i > 0 && before(&e, &l->heap[(i - 1) / 2]); i = (i - 1) / 2)
        l->heap[i] = l->heap[(i - 1) / 2];
    l->heap[i] = e;
}

static lab_event next(lab *l)
{
    const lab_event first = l->heap[0], e = l->heap[--l->n_heap];
    size_t i = 0, child;
    for (;; i = child) {
        child = 2 * i + 1;
        if (child >= l->n_heap) break;
        if (child + 1 < l->n_heap && before(&l->heap[child + 1], &l->heap[child]))
            child++;
        if (!before(&l->heap[child], &e)) break;
        l->heap[i] = l->heap[child];
    }
    if (l->n_heap > 0) l->heap[i] = e;
    return first;
}

uint64_t lab_events(lab *l, lab_ps until)
{
    uint64_t events = 0;
    while (l->unfinished > 0 && l->n_heap > 0 && l->heap[0].when <= until) {
        const lab_event e = next(l);
        l->now = e.when;
        e.call(l, e.who, e.what);
        events++;
    }
    if (l->unfinished > 0 && l->now < until) l->now = until;
    return events;
}

static lab_port *port_new(lab_node *node, lab_ps delay)
{
    lab_port *port = &node->port[node->n_ports];
    unsigned i;
    if (node->n_ports == (node->is_switch ? LAB_NODES : 1)) abort();
    port->node = node;
    port->index = node->n_ports++;
    port->delay = delay;
    for (i = 0; i < LAB_CLASSES; i++)
        port->queue[i].last = &port->queue[i].first;
    return port;
}

void lab_link(lab_node *a, lab_node *b, uint64_t rate_bps, lab_ps delay)
{
    lab_port *x = port_new(a, delay), *y = port_new(b, delay);
    x->peer = y;
    y->peer = x;
    lab_rate(x, rate_bps);
}

void lab_rate(lab_port *port, uint64_t rate_bps)
{
    port->rate_bps = port->peer->rate_bps = rate_bps;
    port->byte_ps_q8 = port->peer->byte_ps_q8 =
        UINT64_C(8000000000000) * 256 / rate_bps;
}

static void arrived(lab *l, void *who, uint64_t what);
static void forwarded(lab *l, void *who, uint64_t what);

/* Frees the packets on links, in queues, and in the free list. */
void lab_packets_free(lab *l)
{
    size_t i, k;
    uint32_t n;
    for (i = 0; i < l->n_heap; i++)
        if (l->heap[i].call == arrived || l->heap[i].call == forwarded)
            lab_packet_free(l, (lab_packet *)(uintptr_t)l->heap[i].what);
    for (n = 0; n < l->n_nodes; n++)
        for (i = 0; i < l->node[n]->n_ports; i++)
            for (k = 0; k < LAB_CLASSES; k++) {
                lab_queue *q = &l->node[n]->port[i].queue[k];
                *q->last = l->free;
                l->free = q->first;
            }
    while (l->free != NULL) {
        lab_packet *p = l->free;
        l->free = p->next;
        free(p);
    }
}

lab_packet *lab_packet_new(lab *l)
{
    lab_packet *p = l->free;
    if (p == NULL) return lab_get(1, sizeof *p);
    l->free = p->next;
    p->next = NULL;
    p->n = p->payload = 0;
    p->in = NULL;
    return p;
}

void lab_packet_free(lab *l, lab_packet *p)
{
    p->next = l->free;
    l->free = p;
}

rocecc_reader lab_view(const lab_packet *p)
{
    return rocecc_reader_of(p->b, p->b + p->n);
}

rocecc_writer lab_room(lab_packet *p)
{
    return rocecc_writer_of(p->b, p->b + sizeof p->b);
}

uint64_t lab_wire_bytes(const lab_packet *p)
{
    const uint64_t bytes = (uint64_t)p->n + p->payload;
    return (bytes > 60 ? bytes : 60) + LAB_AROUND_BYTES;
}

uint64_t lab_queued(const lab_port *port)
{
    uint64_t bytes = 0;
    unsigned i;
    for (i = 0; i < LAB_CLASSES; i++)
        bytes += port->queue[i].bytes;
    return bytes;
}

static void serve(lab *l, lab_port *port);

void lab_locate(lab_packet *p)
{
    (void)rocecc_headers_parse(&lab_domain, lab_view(p), &p->f);
}

rocecc_packet lab_located(const lab_packet *p)
{
    return rocecc_packet_attach(&lab_domain, lab_view(p), &p->f);
}

static void arrived(lab *l, void *who, uint64_t what)
{
    lab_port *port = who;
    lab_packet *p = (lab_packet *)(uintptr_t)what;
    p->in = port;
    lab_locate(p);
    lab_receive(l, port->node, p);
}

static void forwarded(lab *l, void *who, uint64_t what)
{
    lab_packet *p = (lab_packet *)(uintptr_t)what;
    lab_forward(l, who, p);
}

void lab_forward_at(lab *l, lab_ps when, lab_node *from, lab_packet *p)
{
    lab_at(l, when, forwarded, from, (uintptr_t)p);
}

static void sent(lab *l, void *who, uint64_t what)
{
    lab_port *port = who;
    (void)what;
    port->busy = false;
    serve(l, port);
}

static void again(lab *l, void *who, uint64_t what)
{
    (void)what;
    serve(l, who);
}

/* Returns the next packet of the first class that has one and is not paused. */
static lab_packet *dequeue(lab *l, lab_port *port)
{
    unsigned i;
    for (i = 0; i < LAB_CLASSES; i++) {
        lab_queue *q = &port->queue[i];
        lab_packet *p = q->first;
        if (p == NULL || q->paused > l->now) continue;
        lab_account(l, port);
        q->first = p->next;
        if (q->first == NULL) q->last = &q->first;
        q->bytes -= (uint64_t)p->n + p->payload;
        return p;
    }
    return NULL;
}

/*
 * Returns the time at which a frame sent now arrives at the link's other end. A host's
 * frame is late by a part of the jitter, but never overtakes the frame before it.
 * Without jitter all frames keep their phase, so a full port drops the packets of the
 * same senders again and again.
 */
static lab_ps arrival(lab *l, lab_port *port, lab_ps time)
{
    const lab_ps at = l->now + time + port->delay;
    const lab_ps late = l->o->jitter == LAB_NEVER
                            ? (l->mtu + LAB_AROUND_BYTES + 78) * port->byte_ps_q8 / 256
                            : l->o->jitter;
    if (port->node->is_switch || late == 0) return at;
    port->arrives = rocecc_max(port->arrives, at + lab_draw(&l->jitter_random) % late);
    return port->arrives;
}

/* Runs a switch's hooks for a packet that leaves a queue. */
static void leave(lab *l, lab_port *port, lab_packet *p)
{
    const lab_scheme *s = lab_scheme_of(l, p);
    if (s == NULL) return;
    if (s->mark != NULL && l->o->mark_at == LAB_DEPARTURE)
        s->mark(l, port, p, port->queue[LAB_DATA].bytes);
    if (s->leave != NULL) s->leave(l, port, p);
    if (l->o->pfc) lab_pfc.leave(l, port, p);
}

static void serve(lab *l, lab_port *port)
{
    lab_packet *p;
    lab_ps time;
    if (port->busy || (p = dequeue(l, port)) == NULL) return;
    if (port->node->is_switch) leave(l, port, p);
    if (l->tap != NULL) l->tap(l, port, p);
    time = lab_wire_bytes(p) * port->byte_ps_q8 / 256;
    port->count.tx_bytes += (uint64_t)p->n + p->payload;
    port->count.wire_bytes += lab_wire_bytes(p);
    port->count.packets++;
    port->busy = true;
    lab_at(l, l->now + time, sent, port, 0);
    lab_at(l, arrival(l, port, time), arrived, port->peer, (uintptr_t)p);
    if (!port->node->is_switch) lab_drained(l, port->node);
}

void lab_enqueue(lab *l, lab_port *port, unsigned class, lab_packet *p)
{
    lab_queue *q = &port->queue[class];
    lab_account(l, port);
    p->next = NULL;
    *q->last = p;
    q->last = &p->next;
    q->bytes += (uint64_t)p->n + p->payload;
    lab_account(l, port);
    serve(l, port);
}

void lab_pause(lab *l, lab_port *port, unsigned class, lab_ps until)
{
    port->queue[class].paused = until;
    port->count.pauses += until > l->now;
    lab_at(l, until, again, port, 0);
}
