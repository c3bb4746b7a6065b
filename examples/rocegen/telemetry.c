/* SPDX-License-Identifier: BSD-2-Clause */

/* telemetry.c - IPv6 options with IOAM and Fast CNP, IFA, and INT-MD. A layer has its
 * nodes as keys do, the first on the path first; a packet has that one last. */
#include <string.h>

#include "gen.h"

#define RECORD(T, h) T *h = (T *)f->layers[i].record

/* All items of a node; those that the trace type does not ask for are not written. */
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

/* From Namespace-ID on: the header, free space, and nodes, the newest first. */
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

/* One option at its place; list begins 2 bytes after its header. */
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

/* The library writes the whole Destination Options header: the list is what it has. */
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

/* Of the items, all that the layout of the name space has. */
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

/* IFA right before layer i, or NULL. */
static const ifa_record *ifa_of(const frame *f, size_t i)
{
    if (i == 0 || strcmp(f->layers[i - 1].kind->name, "ifa") != 0) return NULL;
    return (const ifa_record *)f->layers[i - 1].record;
}

size_t ifa_after_bytes(const frame *f, size_t i)
{
    const ifa_record *h = ifa_of(f, i);
    if (h == NULL) return 0;
    return rocecc_ifa_stack_bytes(h->header.flags, 0) +
           h->count * ROCECC_IFA_NODE_BYTES;
}

rocecc_status ifa_after(frame *f, size_t i, rocecc_writer *w)
{
    const ifa_record *h = ifa_of(f, i);
    const size_t bytes = ifa_after_bytes(f, i);
    uint8_t *b;
    size_t k;
    if (h == NULL) return ROCECC_OK;
    if ((h->header.flags & ROCECC_IFA_FLAG_TS) != 0) return ROCECC_ERR_UNSUPPORTED;
    b = rocecc_put(w, bytes - h->count * ROCECC_IFA_NODE_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_ifa_metadata_store(b, &h->metadata);
    b += ROCECC_IFA_METADATA_BYTES;
    if ((h->header.flags & ROCECC_IFA_FLAG_C) != 0) {
        rocecc_ifa_checksum_store(b, &h->checksum);
        b += ROCECC_IFA_CHECKSUM_BYTES;
    }
    if ((h->header.flags & ROCECC_IFA_FLAG_MF) != 0)
        rocecc_ifa_fragment_store(b, &h->fragment);
    for (k = h->count; k-- > 0;) {
        rocecc_ifa_node n = h->nodes[k];
        rocecc_status status;
        if (rocecc_ifa_speed_bps(n.speed) == 0) /* a code that says there is none */
            n.present &= (uint16_t)~ROCECC_IFA_SPEED;
        status = rocecc_ifa_node_emit(w, &n);
        if (status != ROCECC_OK) return status;
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
