/* SPDX-License-Identifier: BSD-2-Clause */

/* sim.c - events, queues and links, and what is measured of them. */
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *lab_get(size_t n, size_t bytes)
{
    void *p = calloc(n, bytes);
    if (p != NULL) return p;
    fputs("cclab: no memory\n", stderr);
    exit(1);
}

uint32_t lab_now_ns(const lab *l)
{
    return (uint32_t)(l->now / 1000);
}

/* The LCG of the vectors: Knuth's, and its high half. */
uint32_t lab_random(lab *l)
{
    l->random =
        l->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(l->random >> 32);
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

/* Whatever is on a link, or in a queue, or waits to be used again. */
void lab_packets_free(lab *l)
{
    size_t i, k;
    uint32_t n;
    for (i = 0; i < l->n_heap; i++)
        if (l->heap[i].call == arrived)
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

/* Which bin a length is in: eight to a doubling. */
static uint32_t bin_of(uint64_t bytes)
{
    uint32_t shift = 0;
    while (bytes >> shift >= 16)
        shift++;
    return shift == 0 ? (uint32_t)bytes : 8 * shift + (uint32_t)(bytes >> shift);
}

void lab_account(lab *l, lab_port *port)
{
    const uint64_t bytes = lab_queued(port), ns = (l->now - l->accounted) / 1000;
    if (bytes > port->count.most_bytes) port->count.most_bytes = bytes;
    if (port != l->bottleneck) return;
    l->accounted += ns * 1000;
    l->area_byte_ns += bytes * ns;
    l->bin_ns[bin_of(bytes)] += ns;
    if (l->congested == 0 && bytes > l->congested_bytes) l->congested = l->now;
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

/* The next packet of the first class that has one and may. */
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

static void serve(lab *l, lab_port *port)
{
    lab_packet *p;
    lab_ps time;
    if (port->busy || (p = dequeue(l, port)) == NULL) return;
    if (port->node->is_switch && l->s->leave != NULL) l->s->leave(l, port, p);
    if (l->tap != NULL) l->tap(l, port, p);
    time = lab_wire_bytes(p) * port->byte_ps_q8 / 256;
    port->count.tx_bytes += (uint64_t)p->n + p->payload;
    port->count.wire_bytes += lab_wire_bytes(p);
    port->count.packets++;
    port->busy = true;
    lab_at(l, l->now + time, sent, port, 0);
    lab_at(l, l->now + time + port->delay, arrived, port->peer, (uintptr_t)p);
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

/* ---- what is measured */

/* From now on queue and flows count. */
static void begin(lab *l, void *who, uint64_t what)
{
    uint32_t i;
    (void)who;
    (void)what;
    lab_account(l, l->bottleneck);
    for (i = 0; i < l->n_flows; i++)
        l->flow[i].got_before = l->flow[i].got;
    memset(l->bin_ns, 0, sizeof l->bin_ns);
    l->area_byte_ns = 0;
    l->window = l->now;
    l->window_wire_bytes = l->bottleneck->count.wire_bytes;
}

lab_ps lab_sample_at(const lab *l, uint32_t i)
{
    return l->o->duration / LAB_SAMPLES * (i + 1);
}

static void sample(lab *l, void *who, uint64_t what)
{
    lab_sample *s = &l->sample[l->n_samples];
    const uint64_t ns = l->o->duration / LAB_SAMPLES / 1000;
    uint32_t i;
    (void)who;
    (void)what;
    s->queue_bytes = lab_queued(l->bottleneck);
    for (i = 0; i < l->n_flows; i++) {
        lab_flow *x = &l->flow[i];
        const uint64_t bits = (x->got - x->got_sampled) * 8;
        x->got_sampled = x->got;
        if (i < LAB_SHOWN) s->flow_bps[i] = bits * 1000000000 / ns;
        s->goodput_bps += bits;
    }
    s->goodput_bps = s->goodput_bps * 1000000000 / ns;
    if (++l->n_samples < LAB_SAMPLES)
        lab_at(l, lab_sample_at(l, l->n_samples), sample, NULL, 0);
}

/* What a flow got, in KB; if all end, in KB/s. */
static uint64_t share_of(const lab *l, const lab_flow *x)
{
    const bool endless = x->bytes == UINT64_MAX;
    if (endless) return (x->got - x->got_before) / 1000;
    if (l->endless || x->end == 0) return 0;
    return x->bytes * 1000000 / ((x->end - x->start) / 1000 + 1);
}

/* Jain's index of those that have one, in millionths. */
static uint64_t jain_ppm(const lab *l)
{
    uint64_t sum = 0, squares = 0, most = 1, n = 0;
    uint32_t i;
    for (i = 0; i < l->n_flows; i++)
        most = rocecc_max(most, share_of(l, &l->flow[i]));
    for (i = 0; i < l->n_flows; i++) { /* of 2^19, that the square of their sum fits */
        const lab_flow *x = &l->flow[i];
        const uint64_t share = (share_of(l, x) << 19) / most;
        sum += share;
        squares += share * share;
        n += l->endless ? x->bytes == UINT64_MAX : x->end != 0;
    }
    squares *= n;
    return squares < 1000000 ? 0 : sum * sum / (squares / 1000000);
}

/* The least length in a bin. */
static uint64_t bin_bytes(uint32_t bin)
{
    return bin < 16 ? bin : (uint64_t)(8 + bin % 8) << (bin / 8 - 1);
}

static int by_size(const void *a, const void *b)
{
    const lab_ps x = *(const lab_ps *)a, y = *(const lab_ps *)b;
    return (x > y) - (x < y);
}

static void of_flows(const lab *l, lab_result *r)
{
    lab_ps *fct = lab_get(LAB_FLOWS, sizeof *fct);
    uint64_t bytes = 0, reaction = 0;
    const lab_ps passed = l->now - l->window;
    uint32_t i;
    for (i = 0; i < l->n_flows; i++) {
        const lab_flow *x = &l->flow[i];
        bytes += x->got - x->got_before;
        if (x->end != 0) fct[r->finished++] = x->end - x->start;
        if (x->first_cut == 0) continue;
        reaction += (x->first_cut - rocecc_max(l->congested, x->start)) / 1000;
        r->reacted++;
    }
    if (r->reacted != 0) r->reaction = reaction / r->reacted * 1000;
    if (passed >= LAB_US) r->goodput_bps = bytes * 8000000 / (passed / LAB_US);
    qsort(fct, r->finished, sizeof *fct, by_size);
    if (r->finished != 0) {
        r->fct_p50 = fct[r->finished / 2];
        r->fct_p99 = fct[(uint64_t)r->finished * 99 / 100];
    }
    free(fct);
}

static void of_ports(const lab *l, lab_result *r)
{
    uint32_t i, k;
    for (i = 0; i < l->n_nodes; i++)
        for (k = 0; k < l->node[i]->n_ports; k++) {
            const lab_count *c = &l->node[i]->port[k].count;
            r->drops += c->drops;
            r->marks += c->marks;
            r->pauses += c->pauses;
        }
}

lab_result lab_results(const lab *l)
{
    const uint64_t passed = (l->now - l->window) / 1000;
    const lab_port *port = l->bottleneck;
    uint64_t wire = port->count.wire_bytes - l->window_wire_bytes, sum = 0, all = 0;
    lab_result r;
    uint32_t i;
    memset(&r, 0, sizeof r);
    of_flows(l, &r);
    of_ports(l, &r);
    r.jain_ppm = jain_ppm(l);
    r.notifications = l->notifications;
    r.events = l->n_events;
    r.queue_most_bytes = port->count.most_bytes;
    lab_trouble_results(l, &r);
    if (passed == 0) return r;
    r.queue_mean_bytes = l->area_byte_ns / passed;
    r.utilisation_ppm =
        wire * 8000000 / (passed / 1000 * (port->rate_bps / 1000) / 1000 + 1);
    for (i = 0; i < LAB_BINS; i++)
        all += l->bin_ns[i];
    for (i = 0; i < LAB_BINS && sum * 100 <= all * 99; i++)
        sum += l->bin_ns[i];
    r.queue_p99_bytes = rocecc_min(bin_bytes(i), r.queue_most_bytes);
    return r;
}

void lab_measure(lab *l)
{
    lab_ps first = UINT64_MAX;
    uint32_t i;
    for (i = 0; i < l->n_flows; i++) {
        first = rocecc_min(first, l->flow[i].start);
        l->endless = l->endless || l->flow[i].bytes == UINT64_MAX;
    }
    lab_at(l, l->endless ? l->o->duration / 2 : first, begin, NULL, 0);
    lab_at(l, lab_sample_at(l, 0), sample, NULL, 0);
}
