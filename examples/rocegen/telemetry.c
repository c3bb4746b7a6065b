/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * telemetry.c - IPv6 options with IOAM and Fast CNP, IFA, and INT-MD. Nodes are in path
 * order, as in keys. A packet has the first node last, except in IFA tail stamps of a
 * domain with newest last.
 */
#include <string.h>

#include "gen.h"

#define RECORD(T, h) T *h = (T *)f->layers[i].record

/*
 * Sets the node length, and marks all items of all nodes as present. Items outside the
 * trace type are not written.
 */
static void trace_choose(ioam_record *h)
{
    size_t k;
    h->trace.node_len = rocecc_ioam_node_len(h->trace_type);
    for (k = 0; k < NODES_MAX; k++)
        h->nodes[k].present = UINT32_MAX;
}

void ioam_choose(frame *f, size_t i)
{
    RECORD(ioam_record, h);
    trace_choose(h);
}

void fastcnp_choose(frame *f, size_t i)
{
    RECORD(fastcnp_record, h);
    h->h.kind = ROCECC_FASTCNP_PLAIN;
    if (!frame_given(f, i, "trace_type") && h->ioam.count == 0) return;
    h->h.kind = ROCECC_FASTCNP_IOAM;
    trace_choose(&h->ioam);
}

/*
 * Writes a trace from Namespace-ID on: the header, the free space of a preallocated
 * trace, and the nodes, newest first.
 */
static rocecc_status trace_emit(const rocecc_domain *d, const ioam_record *h,
                                rocecc_writer *w)
{
    const bool free_space = h->opt_type == ROCECC_IOAM_PREALLOCATED;
    rocecc_ioam_trace trace = h->trace;
    rocecc_status status;
    size_t k;
    uint8_t *b;
    trace.trace_type = h->trace_type;
    status = rocecc_ioam_trace_emit(w, &trace);
    if (status != ROCECC_OK) return status;
    if (free_space) {
        b = rocecc_put(w, (size_t)trace.remaining_len * 4);
        if (b == NULL) return ROCECC_ERR_SPACE;
        memset(b, 0, (size_t)trace.remaining_len * 4);
    }
    for (k = h->count; k-- > 0;) {
        rocecc_ioam_node node;
        status = ioam_node_of(&h->nodes[k], &node);
        if (status == ROCECC_OK)
            status = rocecc_ioam_node_emit(w, &d->ioam, trace.trace_type, &node,
                                           h->nodes[k].snapshot);
        if (status != ROCECC_OK) return status;
    }
    return ROCECC_OK;
}

/*
 * Writes one option, aligned to 4 bytes. `list` begins 2 bytes after the start of the
 * options header.
 */
static rocecc_status ioam_emit(const rocecc_domain *d, const ioam_record *h,
                               rocecc_writer *list)
{
    uint8_t b[2048];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_ioam_option o;
    rocecc_status status = trace_emit(d, h, &w);
    if (status != ROCECC_OK) return status;
    status = rocecc_ip6opt_pad_emit(list, rocecc_ip6opt_pad_bytes(2 + list->at, 4, 0));
    if (status != ROCECC_OK) return status;
    o.reserved = 0;
    o.opt_type = h->opt_type;
    o.data = rocecc_written(&w);
    return rocecc_ioam_option_emit(list, ROCECC_IOAM_OPTION_HBH, &o);
}

/* Copies the list from the Destination Options header that the library writes. */
static rocecc_status fastcnp_emit(const rocecc_domain *d, const fastcnp_record *from,
                                  rocecc_writer *list)
{
    uint8_t b[2048], header[512];
    rocecc_writer trace = rocecc_writer_of(b, b + sizeof b);
    rocecc_writer w = rocecc_writer_of(header, header + sizeof header);
    rocecc_fastcnp h = from->h;
    rocecc_status status = ROCECC_OK;
    if (h.kind == ROCECC_FASTCNP_IOAM) status = trace_emit(d, &from->ioam, &trace);
    if (status != ROCECC_OK) return status;
    if (trace.at > UINT8_MAX || list->at != 0) return ROCECC_ERR_RANGE;
    h.trace_bytes = (uint16_t)trace.at;
    h.trace_at = 0;
    h.opt_type = from->ioam.opt_type;
    status = rocecc_fastcnp_emit(&w, &d->fastcnp, &h, rocecc_written(&trace));
    if (status != ROCECC_OK) return status;
    return rocecc_append(list, rocecc_subrange(rocecc_written(&w), 2, w.at),
                         sizeof header)
               ? ROCECC_OK
               : ROCECC_ERR_SPACE;
}

rocecc_status opts_emit(frame *f, size_t i, rocecc_writer *w)
{
    const rocecc_ip6opts *h = (const rocecc_ip6opts *)f->layers[i].record;
    uint8_t b[ROCECC_IP6OPTS_MAX_BYTES];
    rocecc_writer list = rocecc_writer_of(b, b + sizeof b);
    rocecc_ip6opts all = *h;
    size_t k;
    if (!rocecc_append(&list, h->options, sizeof b)) return ROCECC_ERR_RANGE;
    for (k = i + 1; k < f->n && layer_is_option(f->layers[k].kind); k++) {
        const layer *l = &f->layers[k];
        const rocecc_status status =
            strcmp(l->kind->name, "ioam") == 0
                ? ioam_emit(f->domain, (const ioam_record *)l->record, &list)
                : fastcnp_emit(f->domain, (const fastcnp_record *)l->record, &list);
        if (status != ROCECC_OK) return status;
    }
    all.options = rocecc_written(&list);
    return rocecc_ip6opts_emit(w, &all);
}

/*
 * Sets hop_limit and current_length to fit the number of nodes, and marks all items in
 * the layout of each node's name space as present.
 */
void ifa_choose(frame *f, size_t i)
{
    RECORD(ifa_record, h);
    const rocecc_ifa_config *c = &f->domain->ifa;
    size_t k;
    h->metadata.hop_limit = (uint8_t)(255 - h->count);
    h->metadata.current_length = (uint8_t)(h->count * ROCECC_IFA_NODE_WORDS);
    for (k = 0; k < h->count; k++) {
        rocecc_ifa_node *n = &h->nodes[k];
        if (n->lns == 0) n->lns = 1;
        n->layout = (c->layout_b >> n->lns & 1) != 0 ? ROCECC_IFA_LAYOUT_B
                                                     : ROCECC_IFA_LAYOUT_A;
        n->present = n->layout == ROCECC_IFA_LAYOUT_A ? ROCECC_IFA_PRESENT_A
                                                      : ROCECC_IFA_PRESENT_B;
    }
}

rocecc_status ifa_emit(frame *f, size_t i, rocecc_writer *w)
{
    uint8_t *b = rocecc_put(w, ROCECC_IFA_HEADER_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_ifa_header_store(b, &((const ifa_record *)f->layers[i].record)->header);
    return ROCECC_OK;
}

/* Returns the IFA layer right before layer i, or NULL. */
static const ifa_record *ifa_of(const frame *f, size_t i)
{
    if (i == 0 || strcmp(f->layers[i - 1].kind->name, "ifa") != 0) return NULL;
    return (const ifa_record *)f->layers[i - 1].record;
}

static bool is_tail(const ifa_record *h)
{
    return (h->header.flags & ROCECC_IFA_FLAG_TS) != 0;
}

static size_t stack_bytes(const ifa_record *h)
{
    return rocecc_ifa_stack_bytes(h->header.flags, 0) +
           h->count * ROCECC_IFA_NODE_BYTES;
}

size_t ifa_after_bytes(const frame *f, size_t i)
{
    const ifa_record *h = ifa_of(f, i);
    return h == NULL || is_tail(h) ? 0 : stack_bytes(h);
}

size_t ifa_tails_bytes(const frame *f, size_t i)
{
    size_t bytes = 0;
    for (i++; i < f->n; i++) {
        const ifa_record *h = ifa_of(f, i + 1);
        if (h != NULL && is_tail(h)) bytes += stack_bytes(h);
    }
    return bytes;
}

/*
 * Writes the metadata header and, if flagged, the checksum and the fragment header. A
 * tail stamp has them in reverse order. Returns false if the room is too small.
 */
static bool ifa_headers(const ifa_record *h, rocecc_writer *w)
{
    const size_t c = (h->header.flags & ROCECC_IFA_FLAG_C) != 0 ? 4 : 0;
    const size_t mf = (h->header.flags & ROCECC_IFA_FLAG_MF) != 0 ? 4 : 0;
    uint8_t *b = rocecc_put(w, ROCECC_IFA_METADATA_BYTES + c + mf);
    if (b == NULL) return false;
    rocecc_ifa_metadata_store(b + (is_tail(h) ? mf + c : 0), &h->metadata);
    if (c != 0) rocecc_ifa_checksum_store(b + (is_tail(h) ? mf : 4), &h->checksum);
    if (mf != 0) rocecc_ifa_fragment_store(b + (is_tail(h) ? 0 : 4 + c), &h->fragment);
    return true;
}

static rocecc_status ifa_nodes(const ifa_record *h, bool newest_last, rocecc_writer *w)
{
    size_t k;
    for (k = 0; k < h->count; k++) {
        rocecc_ifa_node n = h->nodes[newest_last ? k : h->count - 1 - k];
        rocecc_status status;
        if (rocecc_ifa_speed_bps(n.speed) == 0) /* a code without a speed */
            n.present &= (uint16_t)~ROCECC_IFA_SPEED;
        status = rocecc_ifa_node_emit(w, &n);
        if (status != ROCECC_OK) return status;
    }
    return ROCECC_OK;
}

rocecc_status ifa_after(frame *f, size_t i, rocecc_writer *w)
{
    const ifa_record *h = ifa_of(f, i);
    if (h == NULL || is_tail(h)) return ROCECC_OK;
    return ifa_headers(h, w) ? ifa_nodes(h, false, w) : ROCECC_ERR_SPACE;
}

rocecc_status ifa_tails(frame *f, rocecc_writer *w)
{
    const rocecc_ifa_tail order = f->domain->ifa.tail;
    size_t i;
    for (i = f->n; i > 0; i--) {
        const ifa_record *h = ifa_of(f, i);
        rocecc_status status;
        if (h == NULL || !is_tail(h)) continue;
        if (order == ROCECC_IFA_TAIL_UNKNOWN) return ROCECC_ERR_UNSUPPORTED;
        status = ifa_nodes(h, order == ROCECC_IFA_TAIL_NEWEST_LAST, w);
        if (status != ROCECC_OK) return status;
        if (!ifa_headers(h, w)) return ROCECC_ERR_SPACE;
    }
    return ROCECC_OK;
}

void intmd_choose(frame *f, size_t i)
{
    RECORD(intmd_record, h);
    size_t k;
    h->header.hop_ml = rocecc_intmd_words(h->header.instructions);
    for (k = 0; k < NODES_MAX; k++)
        h->nodes[k].present = UINT16_MAX;
}

rocecc_status intmd_emit(frame *f, size_t i, rocecc_writer *w)
{
    RECORD(intmd_record, h);
    uint8_t body[ROCECC_INTMD_BODY_MAX_BYTES];
    rocecc_writer out = rocecc_writer_of(body, body + sizeof body);
    uint8_t *b = rocecc_put(&out, ROCECC_INTMD_HEADER_BYTES);
    rocecc_intmd_shim shim = h->shim;
    size_t k;
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_intmd_header_store(b, &h->header);
    for (k = h->count; k-- > 0;) {
        rocecc_intmd_node node;
        rocecc_status status =
            intmd_node_of(&h->nodes[k], h->header.instructions, &node);
        if (status == ROCECC_OK)
            status = rocecc_intmd_node_emit(&out, &h->header, &node, h->nodes[k].ds);
        if (status != ROCECC_OK) return status;
    }
    shim.body = rocecc_written(&out);
    return rocecc_intmd_shim_emit(w, &shim);
}
