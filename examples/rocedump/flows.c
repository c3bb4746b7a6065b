/* SPDX-License-Identifier: BSD-2-Clause */
#include "flows.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "copies.h"
#include "memory.h"
#include "rates.h"

#define SLOTS (2 * FLOWS_MAX)
#define BLOCK_TIMES 16u
#define CM_HALF 4096u
#define CM_KNOWN 65536u
#define CM_NS ((uint64_t)1 << 62) /* longer than any capture */
#define PSN_MASK 0xffffffu

/* Times of CNPs of one flow. */
typedef struct time_block {
    uint64_t ns[BLOCK_TIMES];
    uint32_t previous; /* number of the flow's previous block, from 1 on; 0: none */
} time_block;

struct flows {
    flow *flow; /* room + 1 of them; the last is FLOW_OTHERS */
    size_t n, room;
    uint32_t *slot; /* 0 if empty, else 1 more than the index of a flow */
    time_block *block;
    size_t blocks, block_room;
    flow **spare;    /* for flows_end() and flows_sorted() */
    uint64_t *times; /* for flows_end() */
    uint64_t secret[2];
    rocecc_qpnlearner_params cm;
    rocecc_qpn learned;
    rocecc_qpn_event event;
    rocecc_acl_entry anybody;
    rocecc_acl access;
    unplaced unplaced;
    copies *copies;
    rates *rates; /* NULL if they are not measured */
};

flows *flows_new(uint64_t interval_ns)
{
    flows *t = memory(1, sizeof *t);
    uint32_t at;
    t->slot = memory(SLOTS, sizeof *t->slot);
    t->spare = memory(FLOWS_PER_SPARE * (FLOWS_MAX + 1), sizeof(flow *));
    t->times = memory(CNP_TIMES_OF_FLOW, sizeof *t->times);
    memory_secret(t->secret);
    memory_secret(t->cm.secret);
    t->cm.half = CM_HALF;
    t->cm.known = CM_KNOWN;
    t->cm.half_ns = t->cm.known_ns = CM_NS;
    t->anybody.permit = 1; /* ::/0 */
    (void)rocecc_acl_init(&t->access, &t->anybody, 1, &at);
    t->event.access = &t->access;
    t->event.half = memory(CM_HALF, sizeof *t->event.half);
    t->event.known = memory(CM_KNOWN, sizeof *t->event.known);
    unplaced_init(&t->unplaced);
    t->copies = copies_new();
    t->room = FLOWS_MAX + 1;
    t->flow = memory_table(&t->room, sizeof *t->flow);
    t->room--;
    t->block_room = CNP_TIMES_MAX / BLOCK_TIMES;
    t->block = memory_table(&t->block_room, sizeof *t->block);
    t->flow[t->room].key.kind = FLOW_OTHERS;
    t->flow[t->room].data = NO_FLOW;
    if (interval_ns != 0) t->rates = rates_new(interval_ns);
    return t;
}

void flows_free(flows *t)
{
    if (t == NULL) return;
    free(t->flow);
    free(t->block);
    free(t->slot);
    free(t->spare);
    free(t->times);
    free(t->event.half);
    free(t->event.known);
    unplaced_free(&t->unplaced);
    copies_free(t->copies);
    rates_free(t->rates);
    free(t);
}

/* ---- the table */

/* Returns the slot of a key, or the empty slot where it belongs. */
static uint32_t *slot_of(const flows *t, const flow_key *key)
{
    uint64_t word[sizeof *key / 8];
    size_t i;
    memcpy(word, key, sizeof word);
    i = (size_t)rocecc_siphash(t->secret, word, COUNT(word)) & (SLOTS - 1);
    while (t->slot[i] != 0 &&
           memcmp(&t->flow[t->slot[i] - 1].key, key, sizeof *key) != 0)
        i = (i + 1) & (SLOTS - 1);
    return &t->slot[i];
}

/* Returns the index of a flow, which is new if necessary, or of FLOW_OTHERS. */
static size_t flow_of(flows *t, const flow_key *key)
{
    uint32_t *slot = slot_of(t, key);
    flow *f;
    if (*slot != 0) return *slot - 1;
    if (t->n == t->room) return t->room;
    f = &t->flow[t->n];
    f->key = *key;
    f->src_qp = QP_NONE;
    f->data = NO_FLOW;
    *slot = (uint32_t)++t->n;
    return t->n - 1;
}

/* ---- a packet */

/*
 * Returns the number of bytes from IP to the ICRC. In a first fragment, IP's length
 * covers only the fragment, but UDP's length covers the whole packet.
 */
static uint64_t ip_bytes(const rocecc_packet *p)
{
    const rocecc_headers *f = &p->headers;
    const uint64_t bytes = f->ip.end - f->ip.offset;
    rocecc_reader r = rocecc_subrange(p->bytes, f->udp, p->bytes.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_UDP_BYTES);
    uint64_t whole;
    if (f->ip.fragment == ROCECC_IP_FRAGMENT_NONE || f->udp == 0 || b == NULL)
        return bytes;
    whole = (uint64_t)(f->udp - f->ip.offset) + rocecc_load16(b + 4);
    return whole > bytes ? whole : bytes;
}

/* Reads the IP header or GRH before the BTH, and the number of bytes from there on. */
static bool network_of(const decoded *d, rocecc_ip *ip, uint64_t *bytes)
{
    const rocecc_headers *w = &d->p.headers;
    rocecc_reader r = rocecc_subrange(d->p.bytes, w->grh, d->p.bytes.end);
    rocecc_grh grh;
    if (w->grh == 0) {
        *bytes = ip_bytes(&d->p);
        return rocecc_packet_ip(&d->p, &w->ip, ip) == ROCECC_OK;
    }
    if (rocecc_grh_parse(&r, &grh) != ROCECC_OK) return false;
    ip->src = grh.sgid;
    ip->dst = grh.dgid;
    ip->dscp = grh.t_class >> 2;
    ip->ecn = grh.t_class & 0x3;
    *bytes = ROCECC_GRH_BYTES + (uint64_t)grh.pay_len;
    return true;
}

static void keep_time(flows *t, flow *f, uint64_t now_ns)
{
    const uint32_t at = f->times % BLOCK_TIMES;
    if (f->times < f->cnps || f->times == CNP_TIMES_OF_FLOW) return;
    if (at == 0) {
        if (t->blocks == t->block_room) return;
        t->block[t->blocks].previous = f->time_block;
        f->time_block = (uint32_t)++t->blocks;
    }
    t->block[f->time_block - 1].ns[at] = now_ns;
    f->times++;
}

static void add_cnp(flows *t, flow *f, uint8_t dscp, uint64_t now_ns)
{
    if (f->key.kind != FLOW_OTHERS) keep_time(t, f, now_ns);
    f->cnps++;
    f->cnp_dscp |= UINT64_C(1) << dscp;
    f->services |= 1u << ROCECC_SERVICE_CNP;
}

static void add_aeth(flow *f, const decoded *d)
{
    rocecc_syndrome s;
    if (decode_find(d, "aeth") == NULL) return;
    s = rocecc_syndrome_load(&d->headers.aeth.syndrome);
    if (s.type == ROCECC_SYNDROME_NAK) f->naks++;
    if (s.type == ROCECC_SYNDROME_RNR_NAK) f->rnr_naks++;
    f->has_ack = true;
    f->ack_psn = d->bth.psn;
}

/* Adds a PSN if the service has one sequence per DestQP. */
static void add_psn(flow *f, const decoded *d, const rocecc_opcode_class *c)
{
    psn_span span = {1, 1};
    if (c->service == ROCECC_SERVICE_RD || c->service == ROCECC_SERVICE_UD) return;
    if (c->operation == ROCECC_OPERATION_RDMA_READ_REQUEST &&
        decode_find(d, "reth") != NULL)
        span = psn_span_of_read(d->headers.reth.dma_length);
    if (!c->response)
        psn_add(&f->requests, d->bth.psn, span, true);
    else if (c->operation == ROCECC_OPERATION_RDMA_READ_RESPONSE)
        psn_add(&f->responses, d->bth.psn, span, !c->first);
}

/* Sets the QP that sends the data. */
static void add_source(flows *t, flow *f, const decoded *d)
{
    uint32_t qp;
    if (decode_find(d, "deth") != NULL) {
        qp = d->headers.deth.src_qp;
        f->src_qp = f->src_qp == QP_NONE || f->src_qp == qp ? qp : QP_MANY;
        f->src_by = PAIRED_DETH;
        return;
    }
    if ((f->packets & (f->packets - 1)) != 0)
        return; /* looked up at packets 1, 2, 4, 8, ... */
    if (!rocecc_qpn_lookup(&t->cm, &d->p, &t->event, &qp)) return;
    f->src_qp = qp;
    f->src_by = PAIRED_CM;
}

static void add_data(flows *t, flow *f, const decoded *d, uint8_t dscp)
{
    rocecc_opcode_class c;
    f->dscp |= UINT64_C(1) << dscp;
    add_aeth(f, d);
    if (rocecc_opcode_lookup(d->bth.opcode, &c) != ROCECC_OK) return;
    f->services |= (uint8_t)(1u << c.service);
    if (f->key.kind == FLOW_OTHERS) return;
    if (!c.response || c.operation == ROCECC_OPERATION_RDMA_READ_RESPONSE)
        f->has_data = true;
    add_psn(f, d, &c);
    add_source(t, f, d);
}

static bool is_cnp(const decoded *d)
{
    return d->p.headers.grh == 0 && d->bth.opcode == ROCECC_OPCODE_CNP;
}

/* Returns the packet's marks for copies_seen(). */
static unsigned marks_of(const decoded *d, const rocecc_ip *ip)
{
    return (ip->ecn == ROCECC_ECN_CE && !is_cnp(d) ? (unsigned)COPIES_CE : 0) |
           (d->p.headers.partial == ROCECC_PARTIAL_TRIMMED ? (unsigned)COPIES_TRIMMED
                                                           : 0);
}

static void add_marks(flow *f, unsigned marks, uint64_t now_ns)
{
    if ((marks & COPIES_TRIMMED) != 0) f->trimmed++;
    if ((marks & COPIES_CE) == 0) return;
    if (f->ce == 0 || now_ns < f->first_ce_ns) f->first_ce_ns = now_ns;
    f->ce++;
}

/*
 * Returns true if the frame contains only a part of the packet. A packet that only the
 * capture cut is whole on the wire, and a trimmed packet is counted as trimmed.
 */
static bool is_part(rocecc_partial why)
{
    return why != ROCECC_PARTIAL_NONE && why != ROCECC_PARTIAL_TRIMMED;
}

static size_t add_roce(flows *t, const packet *p, const decoded *frame,
                       const decoded *d)
{
    const uint64_t now_ns = p->time_ns;
    flow_key key = ROCECC_ZERO;
    rocecc_ip ip = ROCECC_ZERO;
    uint64_t bytes;
    unsigned marks;
    bool copy;
    size_t i;
    flow *f;
    if (!network_of(d, &ip, &bytes)) return NO_FLOW;
    key.src = ip.src;
    key.dst = ip.dst;
    key.qp = d->bth.dest_qp;
    key.kind = d->has_fastcnp ? FLOW_FASTCNP : FLOW_QP;
    if (d->has_fastcnp) key.about = d->fastcnp.flow_dst;
    i = flow_of(t, &key);
    f = &t->flow[i];
    marks = marks_of(d, &ip);
    copy = copies_seen(t->copies, p, frame, d, &key, &marks);
    add_marks(f, marks, now_ns);
    if (copy) {
        f->copies++;
        return i;
    }
    t->event.now_ns = now_ns;
    (void)rocecc_qpn_learn(&t->cm, &t->learned, &d->p, &t->event);
    if (f->packets == 0 || now_ns < f->first_ns) f->first_ns = now_ns;
    if (now_ns > f->last_ns) f->last_ns = now_ns;
    f->packets++;
    f->bytes += bytes;
    if (is_part(d->p.headers.partial)) f->parts++;
    if (is_cnp(d)) {
        add_cnp(t, f, ip.dscp, now_ns);
        return i;
    }
    add_data(t, f, d, ip.dscp);
    if (t->rates != NULL && i != t->room) rates_add(t->rates, i, bytes, now_ns);
    return i;
}

static size_t add_pause(flows *t, const rocecc_mac *from, bool pauses)
{
    flow_key key = ROCECC_ZERO;
    size_t i;
    memcpy(key.src.b, from->b, sizeof from->b);
    key.kind = FLOW_PAUSE;
    i = flow_of(t, &key);
    if (t->flow[i].key.kind == FLOW_PAUSE) t->flow[i].packets++;
    if (pauses)
        t->flow[i].pauses++;
    else
        t->flow[i].resumes++;
    return i;
}

static bool pfc_pauses(const rocecc_pfc *h)
{
    unsigned priority;
    uint16_t quanta;
    for (priority = 0; priority < ROCECC_PFC_PRIORITIES; priority++)
        if (rocecc_pfc_find(h, priority, &quanta) == ROCECC_OK && quanta != 0)
            return true;
    return false;
}

void flows_time(flows *t, uint64_t now_ns)
{
    if (t->rates != NULL) rates_frame(t->rates, now_ns);
}

size_t flows_add(flows *t, const packet *p, const decoded *frame, const decoded *d)
{
    if (d->has_bth) return add_roce(t, p, frame, d);
    if (decode_find(d, "pfc") != NULL)
        return add_pause(t, &d->pfc.src, pfc_pauses(&d->pfc));
    if (decode_find(d, "pause") != NULL)
        return add_pause(t, &d->pause.src, d->pause.quanta != 0);
    return NO_FLOW;
}

/* ---- missing frames */

/* Stores the addresses of an IP header around a flow's packet. */
static void add_around(flows *t, flow *f, const decoded *d, const rocecc_headers_ip *ip)
{
    address_pair ends = ROCECC_ZERO;
    uint32_t pair;
    unsigned i;
    if (ip->version == 0 || !unplaced_ends(d, ip, &ends)) return;
    pair = unplaced_pair(&t->unplaced, &ends);
    for (i = 0; i < f->n_around; i++)
        if (f->around[i] == pair) return;
    if (i == AROUND_MAX)
        f->around_many = true;
    else
        f->around[f->n_around++] = pair;
}

void flows_frame(flows *t, const decoded *frame, size_t in)
{
    const decoded *d = frame;
    unplaced_add_samples(&t->unplaced, frame);
    if (in == NO_FLOW) {
        unplaced_add(&t->unplaced, frame);
        return;
    }
    if (t->flow[in].key.kind > FLOW_FASTCNP) return;
    for (; d != NULL; d = d->inner) {
        add_around(t, &t->flow[in], d, &d->p.headers.outer);
        if (d->inner != NULL) add_around(t, &t->flow[in], d, &d->p.headers.ip);
    }
}

const unplaced *flows_unplaced(const flows *t)
{
    return &t->unplaced;
}

/*
 * Returns true if frames in no flow may belong to this flow. For a data flow, frames in
 * both directions matter, because its CNPs come back.
 */
static bool misses(const flows *t, const flow *f)
{
    const unplaced *u = &t->unplaced;
    address_pair ends;
    unsigned i;
    if (f->key.kind == FLOW_PAUSE || unplaced_frames(u) == 0) return false;
    if (f->key.kind == FLOW_OTHERS || u->full || f->around_many) return true;
    ends.src = f->key.src;
    ends.dst = f->key.dst;
    if (unplaced_between(u, &ends, f->has_data)) return true;
    for (i = 0; i < f->n_around; i++)
        if (unplaced_between(u, &u->pair[f->around[i]], f->has_data)) return true;
    return false;
}

const flow *flows_others(const flows *t)
{
    const flow *f = &t->flow[t->room];
    return f->packets + f->pauses + f->resumes != 0 ? f : NULL;
}

size_t flows_count(const flows *t)
{
    return t->n + (flows_others(t) != NULL);
}

bool flows_had_memory(const flows *t)
{
    const bool rows = t->room == FLOWS_MAX || flows_others(t) == NULL;
    const uint64_t left_out = t->rates != NULL ? rates_left_out(t->rates) : 0;
    if (!rows)
        fprintf(stderr,
                "rocedump: out of memory: there was room for only %lu flows, so the "
                "others have no row of their own\n",
                (unsigned long)t->room);
    if (left_out != 0)
        fprintf(stderr,
                "rocedump: out of memory: the rates of flows leave out %llu packets\n",
                (unsigned long long)left_out);
    return rows && left_out == 0;
}

uint64_t flows_forgotten(const flows *t)
{
    return copies_forgotten(t->copies);
}

uint64_t flows_interval_ns(const flows *t)
{
    return t->rates != NULL ? rates_interval_ns(t->rates) : 0;
}

uint64_t flows_start_ns(const flows *t)
{
    return t->rates != NULL ? rates_start_ns(t->rates) : 0;
}

const flow *flows_at(const flows *t, size_t i)
{
    return &t->flow[i];
}

size_t flows_find(const flows *t, const flow_key *key)
{
    const uint32_t slot = *slot_of(t, key);
    return slot == 0 ? NO_FLOW : slot - 1;
}

static int by_time(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Copies the kept times of a flow's CNPs, and sorts them. */
static size_t times_of(const flows *t, const flow *f, uint64_t *ns)
{
    uint32_t block = f->time_block;
    size_t i, left = f->times;
    for (; block != 0; block = t->block[block - 1].previous)
        for (i = (left - 1) % BLOCK_TIMES + 1; i > 0; i--)
            ns[--left] = t->block[block - 1].ns[i - 1];
    qsort(ns, f->times, sizeof *ns, by_time);
    return f->times;
}

/* Finds the first CNP after the data's first CE, and measures the distances of CNPs. */
static void measure(const flows *t, flow *f, uint64_t *ns)
{
    const size_t n = times_of(t, f, ns);
    flow *data = f->data != NO_FLOW ? &t->flow[f->data] : NULL;
    size_t i;
    if (data != NULL && (!data->slowed || ns[0] < data->first_cnp_ns))
        data->first_cnp_ns = ns[0];
    if (data != NULL) data->slowed = true;
    for (i = 0; data != NULL && data->ce != 0 && !f->answered && i < n; i++) {
        if (ns[i] < data->first_ce_ns) continue;
        f->answered = true;
        f->answer_ns = ns[i];
    }
    if (n < 2) return;
    for (i = 0; i + 1 < n; i++)
        ns[i] = ns[i + 1] - ns[i];
    qsort(ns, n - 1, sizeof *ns, by_time);
    f->least_ns = ns[0];
    f->median_ns = ns[(n - 2) / 2];
}

void flows_end(flows *t)
{
    size_t i;
    for (i = 0; i < flows_count(t); i++)
        t->flow[i].misses = misses(t, &t->flow[i]);
    flows_pair(t, t->flow, t->spare);
    for (i = 0; i < t->n; i++)
        if (t->flow[i].times != 0) measure(t, &t->flow[i], t->times);
    if (t->rates == NULL) return;
    rates_end(t->rates);
    for (i = 0; i < t->n; i++)
        if (t->flow[i].slowed) t->flow[i].rate = rates_of(t->rates, i, &t->flow[i]);
}

bool flows_delay(const flows *t, const flow *cnps, uint64_t *first_cnp_ns,
                 uint64_t *delay_ns)
{
    if (!cnps->answered) return false;
    *first_cnp_ns = cnps->answer_ns;
    *delay_ns = cnps->answer_ns - t->flow[cnps->data].first_ce_ns;
    return true;
}

/* ---- output */

static int by_bytes(const void *a, const void *b)
{
    const flow *x = *(flow *const *)a, *y = *(flow *const *)b;
    if ((x->key.kind == FLOW_OTHERS) != (y->key.kind == FLOW_OTHERS))
        return x->key.kind == FLOW_OTHERS ? 1 : -1; /* the others are last */
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
    return memcmp(&x->key, &y->key, sizeof x->key);
}

flow *const *flows_sorted(const flows *t)
{
    size_t i;
    for (i = 0; i < flows_count(t); i++)
        t->spare[i] = &t->flow[i];
    qsort(t->spare, flows_count(t), sizeof *t->spare, by_bytes);
    return t->spare;
}

const char *flows_address(const flow *f, const rocecc_ip6 *address,
                          char text[ADDRESS_BYTES])
{
    static const uint8_t v4[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    const uint8_t *b = address->b;
    if (f->key.kind == FLOW_OTHERS)
        strcpy(text, "others");
    else if (f->key.kind == FLOW_PAUSE)
        snprintf(text, ADDRESS_BYTES, "%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1], b[2],
                 b[3], b[4], b[5]);
    else if (memcmp(b, v4, sizeof v4) == 0)
        (void)inet_ntop(AF_INET, b + sizeof v4, text, ADDRESS_BYTES);
    else
        (void)inet_ntop(AF_INET6, b, text, ADDRESS_BYTES);
    return text;
}

const char *flows_pairing(const flow *cnps)
{
    const char *names = PAIRINGS;
    unsigned i = cnps->paired;
    for (; i > 0; i--)
        names += strcspn(names, " ") + 1;
    return names;
}

bool flows_apart(const flow *f, uint64_t *least, uint64_t *median)
{
    *least = f->least_ns;
    *median = f->median_ns;
    return f->times >= 2;
}
