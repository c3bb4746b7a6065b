/* SPDX-License-Identifier: BSD-2-Clause */

/* measure.c - measures queues and flows. */
#include "lab.h"

#include <stdlib.h>
#include <string.h>

#define ACK_BYTES 106 /* wire bytes without an echo */

/* Returns the bin of a length. Each doubling has eight bins. */
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

/* Starts to count queue and flows for the results. */
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
    lab_dcqcn_targets(l);
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

/* Returns an endless flow's bytes in KB. If no flow is endless, returns a finished
 * flow's rate in KB/s. Returns 0 for other flows. */
static uint64_t share_of(const lab *l, const lab_flow *x)
{
    const bool endless = x->bytes == UINT64_MAX;
    if (endless) return (x->got - x->got_before) / 1000;
    if (l->endless || x->end == 0) return 0;
    return x->bytes * 1000000 / ((x->end - x->start) / 1000 + 1);
}

/* Returns true for an endless flow. If no flow is endless, returns true for a finished
 * flow. */
static bool counts(const lab *l, const lab_flow *x)
{
    return l->endless ? x->bytes == UINT64_MAX : x->end != 0;
}

/* Returns smallest / largest share, in millionths. */
static uint64_t least_ppm(const lab *l)
{
    uint64_t least = UINT64_MAX, most = 1;
    uint32_t i;
    for (i = 0; i < l->n_flows; i++) {
        if (!counts(l, &l->flow[i])) continue;
        least = rocecc_min(least, share_of(l, &l->flow[i]));
        most = rocecc_max(most, share_of(l, &l->flow[i]));
    }
    return least == UINT64_MAX ? 0 : least * 1000000 / most;
}

/* Returns Jain's index of the flows that count, in millionths. */
static uint64_t jain_ppm(const lab *l)
{
    uint64_t sum, squares, most = 1, n;
    unsigned bits = 20;
    uint32_t i;
    for (i = 0; i < l->n_flows; i++)
        most = rocecc_max(most, share_of(l, &l->flow[i]));
    do { /* shares of at most 2^19; n * squares, which is at least sum^2, must fit */
        bits--;
        sum = squares = n = 0;
        for (i = 0; i < l->n_flows; i++) {
            const lab_flow *x = &l->flow[i];
            const uint64_t share = (share_of(l, x) << bits) / most;
            sum += share;
            squares += share * share;
            n += counts(l, x);
        }
    } while (n != 0 && squares > UINT64_MAX / n);
    squares *= n;
    return squares < 1000000 ? 0 : sum * sum / (squares / 1000000);
}

/* Returns the smallest length in a bin. */
static uint64_t bin_bytes(uint32_t bin)
{
    return bin < 16 ? bin : (uint64_t)(8 + bin % 8) << (bin / 8 - 1);
}

/* Returns the time of a flow's last packet through all links, without their delays. */
static lab_ps through(const lab *l, const lab_flow *x, const lab_port *port)
{
    const uint64_t n = (x->bytes + l->mtu - 1) / l->mtu;
    const uint64_t full = l->mtu + x->around_bytes;
    const uint64_t last = x->bytes - (n - 1) * l->mtu + x->around_bytes;
    lab_ps first = 0, slowest = 0, end = 0;
    for (;;) {
        const lab_ps time = full * port->byte_ps_q8 / 256;
        first += time;
        slowest = rocecc_max(slowest, time);
        /* the last but one waits for n - 2 others at the slowest link so far */
        if (n > 1) end = rocecc_max(end, first + (n - 2) * slowest);
        end += last * port->byte_ps_q8 / 256;
        if (port->peer->node == x->to) return end;
        port = &port->peer->node->port[port->peer->node->route[x->to->index][0]];
    }
}

lab_ps lab_shortest(const lab *l, const lab_flow *x)
{
    const lab_port *port = &x->from->port[0];
    lab_ps way = 0, end;
    if (x->bytes == UINT64_MAX) return 0;
    end = through(l, x, port);
    for (;; port = &port->peer->node->port[port->peer->node->route[x->to->index][0]]) {
        way += port->delay + ACK_BYTES * port->byte_ps_q8 / 256 + port->delay;
        if (port->peer->node == x->to) return end + way;
    }
}

static int by_size(const void *a, const void *b)
{
    const lab_ps x = *(const lab_ps *)a, y = *(const lab_ps *)b;
    return (x > y) - (x < y);
}

/* Returns time / shortest in millionths, from ns where ps would exceed 64 bits. */
static uint64_t ratio_ppm(lab_ps time, lab_ps shortest)
{
    return time < 18 * 1000 * LAB_MS ? time * 1000000 / shortest
                                     : time / 1000 * 1000000 / (shortest / 1000);
}

static void of_flows(const lab *l, lab_result *r)
{
    lab_ps *fct = lab_get(l->n_flows, sizeof *fct);
    uint64_t *slow = lab_get(l->n_flows, sizeof *slow);
    uint64_t bytes = 0, reaction = 0;
    const lab_ps passed = l->now - l->window;
    uint32_t i;
    for (i = 0; i < l->n_flows; i++) {
        const lab_flow *x = &l->flow[i];
        bytes += x->got - x->got_before;
        r->silent += x->last_wire_bytes == 0;
        if (x->end != 0) {
            slow[r->finished] = ratio_ppm(x->end - x->start, lab_shortest(l, x));
            fct[r->finished++] = x->end - x->start;
        }
        if (x->first_cut == 0) continue;
        reaction += (x->first_cut - rocecc_max(l->congested, x->start)) / 1000;
        r->reacted++;
    }
    if (r->reacted != 0) r->reaction = reaction / r->reacted * 1000;
    if (passed >= LAB_US) r->goodput_bps = bytes * 8000000 / (passed / LAB_US);
    qsort(fct, r->finished, sizeof *fct, by_size);
    qsort(slow, r->finished, sizeof *slow, by_size);
    if (r->finished != 0) {
        r->fct_p50 = fct[r->finished / 2];
        r->fct_p99 = fct[(uint64_t)r->finished * 99 / 100];
        r->fct_last = fct[r->finished - 1];
        r->slow_p50_ppm = slow[r->finished / 2];
        r->slow_p99_ppm = slow[(uint64_t)r->finished * 99 / 100];
    }
    free(fct);
    free(slow);
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
    r.least_ppm = least_ppm(l);
    r.notifications = l->notifications;
    r.events = l->n_events;
    r.passed = port->count.packets;
    r.passed_wire_bytes = port->count.wire_bytes;
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
