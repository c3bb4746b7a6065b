/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_IOAM_H
#define ROCECC_PACKET_IOAM_H

/*
 * ioam.h - an IOAM trace in the Hop-by-Hop Options header of a packet: put in by a
 * source, filled by the nodes of the path, taken out by the last one. wire/ioam.h has
 * the option and its nodes, edit.h what a plan is.
 *
 *     IPv6 | Hop-by-Hop, options | padding | type len 0 kind | trace | nodes | ...
 *          ^ header              ^ front   ^ option                  ^ a new node
 *
 *     s.trace_type = ROCECC_IOAM_TYPE_HPCC, s.words = 25;  five nodes of 20 bytes
 *     rocecc_ioam_insert(&p, &s, 1500, &e);        IPv6 has 120 bytes more
 *     rocecc_ioam_update(&p, w, &node, none);      RemainingLen is 20, in place
 *     rocecc_ioam_strip(&p, &e);                   and 120 bytes less
 *
 * The trace is that of the domain's namespace, the first where there are several; the
 * IP header is the outermost one, as nodes of the path go by that. mtu_bytes is the
 * longest IP packet of the link ahead. A source is a host, or who puts the packet in a
 * new IPv6 header: others may not insert (RFC 9486, 4.1, C4).
 */
#include "../wire/ioam.h"
#include "edit.h"

/* Bytes [from, to) of the options become others. */
typedef struct rocecc_ioam_swap_ {
    size_t from;
    size_t to;
    size_t pad;   /* bytes of padding first, */
    size_t bytes; /*   then the new ones, */
    size_t after; /*   then padding again */
} rocecc_ioam_swap_;

/* A trace in the options of a packet, and what is around it. */
typedef struct rocecc_ioam_place_ {
    rocecc_ioam_option option; /* where found */
    rocecc_ioam_trace trace;   /* its header, of may_() */
    rocecc_ioam_swap_ swap;    /* of who changes the options */
    size_t header;             /* the Hop-by-Hop header; 0: there is none */
    size_t end;                /* of that */
    size_t front;              /* where the padding before the option begins */
    size_t next;               /* the option after it, padding skipped, or the end */
    size_t tail;               /* where the padding at the end of the list begins */
    size_t found, others;      /* 1: it is; there are other options */
} rocecc_ioam_place_;

#define ROCECC_IOAM_ANY_ 0xffu /* a trace of either kind */

/* Whether a trace is of this kind, and of the domain's namespace. */
ROCECC_FN bool rocecc_ioam_is_(const rocecc_packet *p, uint8_t kind,
                               const rocecc_ioam_option *o)
{
    rocecc_reader data = o->data;
    const uint8_t *b = rocecc_take(&data, 2);
    if (kind == ROCECC_IOAM_ANY_ ? o->opt_type > ROCECC_IOAM_INCREMENTAL
                                 : o->opt_type != kind)
        return false;
    return b != NULL && rocecc_load16(b) == p->domain->ioam.namespace_id;
}

/* Goes over the options of a Hop-by-Hop header: to the one of a kind, or over all. */
ROCECC_FN rocecc_status rocecc_ioam_seek_(const rocecc_packet *p, rocecc_reader options,
                                          uint8_t kind, rocecc_ioam_place_ *at)
{
    const rocecc_reader list = options;
    int n = 0;
    for (;;) {
        rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, options};
        rocecc_ioam_option o = {0, 0, options};
        const size_t front = options.at;
        rocecc_status status = rocecc_ioam_step(&options, &n, &opt);
        at->tail = front;
        if (at->found != 0 && at->next == 0)
            at->next = status == ROCECC_OK ? opt.body.at - 2 : options.at;
        if (status == ROCECC_END) return at->found != 0 ? ROCECC_OK : ROCECC_NO_MATCH;
        if (status == ROCECC_OK && opt.type == ROCECC_IOAM_OPTION_HBH)
            status = rocecc_ioam_option_parse(opt.body, &o);
        if (status != ROCECC_OK) return status;
        if (opt.type != ROCECC_IOAM_OPTION_HBH || at->found != 0 ||
            !rocecc_ioam_is_(p, kind, &o)) {
            at->others = 1;
            continue;
        }
        if (!rocecc_ioam_option_aligned(list, &o)) return ROCECC_ERR_FORMAT;
        at->option = o;
        at->front = front;
        at->found = 1;
        if (kind != ROCECC_IOAM_ANY_) return ROCECC_OK;
    }
}

/* Finds the trace of a kind in a packet. NO_MATCH: none, but perhaps a header. */
ROCECC_FN rocecc_status rocecc_ioam_place_of_(const rocecc_packet *p, uint8_t kind,
                                              rocecc_ioam_place_ *at)
{
    const rocecc_where_ip *ip = rocecc_packet_outermost(p);
    rocecc_reader r = rocecc_between(p->bytes, ip->hop_by_hop, ip->end);
    rocecc_ip6opts hbh = {0, r};
    const rocecc_ioam_place_ nowhere = ROCECC_ZERO;
    rocecc_status status;
    *at = nowhere;
    at->option.data = r;
    if (ip->version != 6) return ROCECC_NO_MATCH;
    if (ip->hop_by_hop == 0) /* none, or one that the walk could not pass */
        return rocecc_edit_load(p, (size_t)ip->at + 6) >> 8 != ROCECC_PROTO_HOPOPTS
                   ? ROCECC_NO_MATCH
                   : ROCECC_ERR_SHORT;
    if (ip->hop_by_hop != ip->at + ROCECC_IPV6_BYTES) return ROCECC_ERR_FORMAT;
    status = rocecc_ip6opts_parse(&r, &hbh);
    if (status != ROCECC_OK) return status;
    at->header = ip->hop_by_hop;
    at->end = hbh.options.end;
    return rocecc_ioam_seek_(p, hbh.options, kind, at);
}

/*
 * The trace of a packet, of either kind. NO_MATCH: it has none. SHORT, FORMAT,
 * UNSUPPORTED: as rocecc_ip6opts_parse() and rocecc_ioam_trace_find().
 */
ROCECC_FN rocecc_status rocecc_ioam_find(const rocecc_packet *p, rocecc_ioam_option *o)
{
    rocecc_ioam_place_ at;
    const rocecc_status status = rocecc_ioam_place_of_(p, ROCECC_IOAM_ANY_, &at);
    if (status == ROCECC_OK) *o = at.option;
    ROCECC_PASSED_(o);
    return status;
}

/*
 * What a node does with a trace: RFC 9197, 4.3 and 4.4.1, in the order there; *at
 * becomes where it is.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_may_(const rocecc_packet *p, uint8_t kind,
                                               const rocecc_ioam_node *n,
                                               rocecc_reader snapshot,
                                               rocecc_ioam_place_ *at)
{
    const rocecc_ioam_config *c = &p->domain->ioam;
    const uint32_t known =
        rocecc_ioam_bit(c->tx_bytes_bit) | rocecc_ioam_bit(c->interface_bit);
    const rocecc_status status = rocecc_ioam_place_of_(p, kind, at);
    const rocecc_ioam_trace *h = &at->trace;
    rocecc_reader trace = at->option.data;
    const uint8_t *b;
    if (status != ROCECC_OK) return rocecc_edit_verdict_of(status);
    b = rocecc_take(&trace, ROCECC_IOAM_TRACE_BYTES);
    if (b == NULL) return ROCECC_EDIT_BROKEN;
    at->trace = rocecc_ioam_trace_load(b);
    if ((h->flags & ROCECC_IOAM_FLAG_OVERFLOW) != 0) return ROCECC_EDIT_NONE;
    if (!rocecc_ioam_trace_match(at->option.opt_type, at->option.data) ||
        (h->trace_type & ROCECC_IOAM_DATA) == 0)
        return ROCECC_EDIT_BROKEN;
    if (c->leave_undefined && (h->trace_type & ROCECC_IOAM_UNDEFINED & ~known) != 0)
        return ROCECC_EDIT_UNKNOWN;
    if (!rocecc_ioam_node_fits(n, snapshot)) return ROCECC_EDIT_RANGE;
    return h->remaining_len < rocecc_ioam_node_words(h->trace_type, n)
               ? ROCECC_EDIT_FULL
               : ROCECC_EDIT_CHANGE;
}

/*
 * A node on the path adds its data to a pre-allocated trace, where that stands: w is
 * the whole buffer of the packet. Only node data, Flags and RemainingLen change, and no
 * length. CHANGE: done. FULL: RemainingLen is too small, and O is set instead. Of all
 * others nothing is written: NONE: no such trace, or O is set already. BROKEN: its
 * lengths contradict each other, or it has no data. UNKNOWN: by the configuration.
 * RANGE: the data of the snapshot is not as long as n says.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_update(const rocecc_packet *p,
                                                 rocecc_writer w,
                                                 const rocecc_ioam_node *n,
                                                 rocecc_reader snapshot)
{
    rocecc_ioam_place_ at;
    rocecc_writer head = w;
    rocecc_ioam_trace h;
    size_t from, words;
    uint8_t *to;
    const rocecc_edit_verdict verdict =
        rocecc_ioam_may_(p, ROCECC_IOAM_PREALLOCATED, n, snapshot, &at);
    if (verdict != ROCECC_EDIT_CHANGE && verdict != ROCECC_EDIT_FULL) return verdict;
    head.at = from = at.option.data.at;
    to = rocecc_put(&head, ROCECC_IOAM_TRACE_BYTES);
    if (to == NULL) return ROCECC_EDIT_BROKEN;
    h = rocecc_ioam_trace_load(to);
    words = rocecc_ioam_node_words(h.trace_type, n);
    if (verdict == ROCECC_EDIT_FULL) {
        h.flags |= ROCECC_IOAM_FLAG_OVERFLOW;
    } else {
        if (h.remaining_len < words) return ROCECC_EDIT_BROKEN; /* not p's bytes */
        h.remaining_len = (uint8_t)(h.remaining_len - words);
        w.at = from + ROCECC_IOAM_TRACE_BYTES + 4 * (size_t)h.remaining_len;
        if (w.at > w.end || rocecc_ioam_node_emit(&w, &p->domain->ioam, h.trace_type, n,
                                                  snapshot) != ROCECC_OK)
            return ROCECC_EDIT_BROKEN;
    }
    rocecc_ioam_trace_store(to, &h);
    return verdict;
}

/* Makers of plans. IOAM has the words of a plan that UDP does not need here, too. */

/*
 * n words from `at` on, the i-th of IOAM's own and so on: compared, and as they are. An
 * option's first 6: type, length, kind, namespace, the header of the trace.
 */
ROCECC_FN void rocecc_ioam_keep_(rocecc_edit *e, const rocecc_packet *p, size_t at,
                                 int i, int n)
{
    for (; n > 0; n--, i++, at += 2)
        rocecc_edit_set(e, p, (rocecc_edit_slot)(ROCECC_EDIT_UDP_PORT + i), at,
                        rocecc_edit_load(p, at));
}

/* Payload Length changes by `more` bytes, modulo 2^16. */
ROCECC_FN void rocecc_ioam_length_(rocecc_edit *e, const rocecc_packet *p, size_t more)
{
    const size_t at = rocecc_packet_outermost(p)->at + 4u;
    rocecc_edit_set(e, p, ROCECC_EDIT_IP_LENGTH, at,
                    (uint16_t)(rocecc_edit_load(p, at) + more));
}

/* A header of this number follows; the Hop Limit beside it stays. */
ROCECC_FN void rocecc_ioam_next_(rocecc_edit *e, const rocecc_packet *p, uint32_t next)
{
    const size_t at = rocecc_packet_outermost(p)->at + 6u;
    rocecc_edit_set(e, p, ROCECC_EDIT_IP_PROTO, at,
                    (uint16_t)(next << 8 | (rocecc_edit_load(p, at) & 0xff)));
}

/* Whether the lengths of the outermost IP header and before it may change. */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_may_change_(const rocecc_packet *p)
{
    rocecc_ip6ext ext;
    uint8_t type;
    rocecc_reader r = rocecc_packet_exts(p, rocecc_packet_outermost(p), &type);
    int i;
    for (i = 0; i < ROCECC_IP6EXT_MAX; i++) {
        if (rocecc_ip6ext_next(&r, &type, &ext) != ROCECC_OK) break;
        if (ext.type == ROCECC_PROTO_AH) return rocecc_edit_may_change(p, true);
    }
    return rocecc_edit_may_change(p, false);
}

/* Bytes that the options have more, modulo 2^32, and whether a length allows it. */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_may_swap_(const rocecc_packet *p,
                                                    const rocecc_ioam_place_ *at,
                                                    uint32_t mtu_bytes)
{
    const rocecc_ioam_swap_ *s = &at->swap;
    const size_t more = s->pad + s->bytes + s->after - (s->to - s->from);
    if (at->end - at->header + more > 2048) return ROCECC_EDIT_FULL;
    return rocecc_edit_may_grow(p, (uint32_t)more, mtu_bytes);
}

/*
 * Opens the splice of a swap, from a multiple of 4 to a multiple of 4, so that some
 * bytes around it stay as they are; writes what comes before the new bytes. The
 * header's length follows. Its bytes are a multiple of 8 before and after. There is
 * room in fill: lead and pad are 8 bytes at most, and the rest is an option of 256.
 */
ROCECC_FN void rocecc_ioam_open_(rocecc_edit *e, const rocecc_packet *p,
                                 const rocecc_ioam_place_ *at, rocecc_writer *w)
{
    const rocecc_ioam_swap_ *s = &at->swap;
    const size_t header = at->header;
    const size_t lead = (s->from - header) & 3, trail = (header - s->to) & 3;
    const size_t from = s->from - lead, was = s->to + trail - from;
    const size_t is = lead + s->pad + s->bytes + s->after + trail;
    const uint16_t head = rocecc_edit_load(p, header);
    const uint16_t grown = (uint16_t)(head + (is - was) / 8); /* modulo 2^16 */
    *w = rocecc_writer_of(e->fill, e->fill + ROCECC_EDIT_FILL_MAX);
    (void)rocecc_edit_open(e, from, was, is);
    rocecc_edit_set(e, p, ROCECC_EDIT_UDP_PORT, header, grown);
    rocecc_ioam_length_(e, p, is - was);
    rocecc_store16(e->fill, rocecc_edit_load(p, from)); /* of which lead bytes count */
    rocecc_store16(e->fill + 2, rocecc_edit_load(p, from + 2));
    if (from == header) e->fill[1] = (uint8_t)grown;
    w->at = lead;
    (void)rocecc_ip6opt_pad_emit(w, s->pad);
}

/* What comes after the new bytes. */
ROCECC_FN void rocecc_ioam_close_(const rocecc_packet *p, const rocecc_ioam_place_ *at,
                                  rocecc_writer *w)
{
    const size_t to = at->swap.to, trail = (at->header - to) & 3;
    (void)rocecc_ip6opt_pad_emit(w, at->swap.after);
    (void)rocecc_append(w, rocecc_between(p->bytes, to, to + trail), 3);
}

/* A new node: the option changes as far as the others; whether a length allows it. */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_may_grow_(const rocecc_packet *p,
                                                    rocecc_ioam_place_ *at,
                                                    const rocecc_ioam_node *n,
                                                    uint32_t mtu_bytes)
{
    const size_t node = 4 * rocecc_ioam_node_words(at->trace.trace_type, n);
    const size_t data = at->option.data.at, head = 4 + ROCECC_IOAM_TRACE_BYTES;
    rocecc_ioam_swap_ swap = {at->front, data - 4 + head, data - 4 - at->front, 0, 0};
    const rocecc_edit_verdict verdict = rocecc_ioam_may_change_(p);
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    if (ROCECC_IOAM_OPTION_BYTES + rocecc_left(&at->option.data) + node > 255)
        return ROCECC_EDIT_FULL;
    swap.bytes = head + node;
    if (node % 8 != 0) swap.pad = swap.pad >= 4 ? swap.pad - 4 : swap.pad + 4;
    at->swap = swap;
    return rocecc_ioam_may_swap_(p, at, mtu_bytes);
}

/* n fits, and there is room for it. */
ROCECC_FN void rocecc_ioam_grow_(rocecc_edit *e, const rocecc_packet *p,
                                 const rocecc_ioam_place_ *at,
                                 const rocecc_ioam_node *n, rocecc_reader snapshot)
{
    const size_t node = at->swap.bytes - 4 - ROCECC_IOAM_TRACE_BYTES;
    const rocecc_ioam_option *o = &at->option;
    rocecc_ioam_trace h = at->trace;
    rocecc_writer w;
    uint8_t *to;
    rocecc_ioam_open_(e, p, at, &w);
    h.remaining_len = (uint8_t)(h.remaining_len - node / 4);
    to = rocecc_put(&w, 4 + ROCECC_IOAM_TRACE_BYTES);
    if (to != NULL) {
        to[0] = ROCECC_IOAM_OPTION_HBH;
        to[1] = (uint8_t)(ROCECC_IOAM_OPTION_BYTES + rocecc_left(&o->data) + node);
        to[2] = o->reserved;
        to[3] = o->opt_type;
        rocecc_ioam_trace_store(to + 4, &h);
    }
    rocecc_ioam_keep_(e, p, at->option.data.at - 4, 1, 6);
    (void)rocecc_ioam_node_emit(&w, &p->domain->ioam, h.trace_type, n, snapshot);
}

/*
 * A node on the path puts its data into an incremental trace, which grows: RFC 9486 has
 * no place for that kind, and here it stands where the other one does. The padding
 * before the option keeps the header a multiple of 8 bytes. FULL, MTU: RemainingLen, a
 * length or the link has no room, and the plan sets O instead. AH. NONE, BROKEN,
 * UNKNOWN, RANGE: as rocecc_ioam_update().
 */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_push(const rocecc_packet *p,
                                               const rocecc_ioam_node *n,
                                               rocecc_reader snapshot,
                                               uint32_t mtu_bytes, rocecc_edit *out)
{
    rocecc_ioam_place_ at;
    rocecc_edit_verdict verdict =
        rocecc_ioam_may_(p, ROCECC_IOAM_INCREMENTAL, n, snapshot, &at);
    if (verdict == ROCECC_EDIT_CHANGE)
        verdict = rocecc_ioam_may_grow_(p, &at, n, mtu_bytes);
    ROCECC_PASSED_(&at);
    (void)rocecc_edit_none(out, verdict);
    if (verdict == ROCECC_EDIT_FULL || verdict == ROCECC_EDIT_MTU) {
        rocecc_ioam_keep_(out, p, at.option.data.at - 4, 1, 6);
        out->word[ROCECC_EDIT_UDP_PORT + 4].is |= ROCECC_IOAM_FLAG_OVERFLOW << 7;
    }
    if (verdict == ROCECC_EDIT_CHANGE) rocecc_ioam_grow_(out, p, &at, n, snapshot);
    return verdict;
}

/* A Hop-by-Hop header of its own, right after IPv6. */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_add_header_(const rocecc_packet *p,
                                                      const rocecc_ioam_source *source,
                                                      uint32_t mtu_bytes,
                                                      rocecc_edit *out)
{
    const rocecc_where_ip *ip = rocecc_packet_outermost(p);
    const size_t bytes = rocecc_ioam_build_bytes(source);
    const rocecc_edit_verdict verdict =
        rocecc_edit_may_grow(p, (uint32_t)bytes, mtu_bytes);
    rocecc_ioam_source s = *source;
    rocecc_writer w = rocecc_writer_of(out->fill, out->fill + ROCECC_EDIT_FILL_MAX);
    (void)rocecc_edit_none(out, verdict);
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    s.next_header = (uint8_t)(rocecc_edit_load(p, (size_t)ip->at + 6) >> 8);
    (void)rocecc_ioam_build(&w, &s); /* s fits, and 16 to 264 bytes do */
    (void)rocecc_edit_open(out, (size_t)ip->at + ROCECC_IPV6_BYTES, 0, bytes);
    rocecc_ioam_next_(out, p, ROCECC_PROTO_HOPOPTS);
    rocecc_ioam_length_(out, p, bytes);
    return verdict;
}

/* One more option, in place of the padding at the end of the header there is. */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_add_option_(const rocecc_packet *p,
                                                      rocecc_ioam_place_ *at,
                                                      const rocecc_ioam_source *s,
                                                      uint32_t mtu_bytes,
                                                      rocecc_edit *out)
{
    const size_t used = at->tail - at->header, bytes = rocecc_ioam_source_bytes(s);
    const size_t pad = rocecc_ip6opt_pad_bytes(used, 4, 0);
    const size_t after = rocecc_ip6opt_pad_bytes(used + pad + bytes, 8, 0);
    const rocecc_ioam_swap_ swap = {at->tail, at->end, pad, bytes, after};
    rocecc_writer w;
    rocecc_edit_verdict verdict;
    at->swap = swap;
    verdict = rocecc_edit_none(out, rocecc_ioam_may_swap_(p, at, mtu_bytes));
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    rocecc_ioam_open_(out, p, at, &w);
    (void)rocecc_ioam_source_emit(&w, s); /* 12 to 256 bytes, of 264 */
    rocecc_ioam_close_(p, at, &w);
    rocecc_ioam_keep_(out, p, at->end - 6, 1, 3); /* the end of the list, before it */
    return verdict;
}

/*
 * Source: puts an empty trace into a packet: into the Hop-by-Hop header that it has, as
 * the last option, or into a new one; s->next_header is what IPv6 has there. NONE: no
 * IPv6, or a jumbogram. PRESENT: it has one of this namespace. AH, MTU, FULL. BROKEN,
 * UNSUPPORTED: options that cannot be read, or more than are looked at. RANGE: as
 * rocecc_ioam_build(), or of another namespace than the domain's.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_insert(const rocecc_packet *p,
                                                 const rocecc_ioam_source *s,
                                                 uint32_t mtu_bytes, rocecc_edit *out)
{
    const rocecc_where_ip *ip = rocecc_packet_outermost(p);
    const size_t length = (size_t)ip->at + 4; /* 0, and Hop-by-Hop options: RFC 2675 */
    rocecc_ioam_place_ at;
    rocecc_edit_verdict verdict;
    const rocecc_status status = rocecc_ioam_place_of_(p, ROCECC_IOAM_ANY_, &at);
    if (ip->version != 6 ||
        (rocecc_edit_load(p, length) == 0 && rocecc_edit_load(p, length + 2) >> 8 == 0))
        return rocecc_edit_none(out, ROCECC_EDIT_NONE);
    if (status != ROCECC_OK && status != ROCECC_NO_MATCH)
        return rocecc_edit_none(out, rocecc_edit_verdict_of(status));
    if (at.found != 0) return rocecc_edit_none(out, ROCECC_EDIT_PRESENT);
    verdict = rocecc_ioam_may_change_(p);
    if (verdict != ROCECC_EDIT_CHANGE) return rocecc_edit_none(out, verdict);
    if (!rocecc_ioam_source_fits(s) || s->namespace_id != p->domain->ioam.namespace_id)
        return rocecc_edit_none(out, ROCECC_EDIT_RANGE);
    if (at.header == 0) return rocecc_ioam_add_header_(p, s, mtu_bytes, out);
    return rocecc_ioam_add_option_(p, &at, s, mtu_bytes, out);
}

/* The option alone: what follows moves by a multiple of 8, and keeps its alignment. */
ROCECC_FN void rocecc_ioam_remove_option_(const rocecc_packet *p,
                                          rocecc_ioam_place_ *at, rocecc_edit *out)
{
    const rocecc_ioam_swap_ swap = {at->front, at->next, (at->next - at->front) % 8, 0,
                                    0};
    rocecc_writer w;
    at->swap = swap;
    rocecc_ioam_open_(out, p, at, &w); /* 16 bytes at most */
    rocecc_ioam_close_(p, at, &w);
}

/* The header, in which there is nothing else. */
ROCECC_FN void rocecc_ioam_remove_header_(const rocecc_packet *p,
                                          const rocecc_ioam_place_ *at,
                                          rocecc_edit *out)
{
    rocecc_ioam_next_(out, p, rocecc_edit_load(p, at->header) >> 8);
    rocecc_ioam_keep_(out, p, at->header, 0, 1);
    rocecc_ioam_length_(out, p, at->header - at->end);
    (void)rocecc_edit_open(out, at->header, at->end - at->header, 0);
}

/*
 * The last node takes the trace out, of either kind: the option, or the whole header
 * where nothing else is in it; its nodes are to be read before. NONE: there is none.
 * PROBE: A is set, and the packet ends here (RFC 9322, 5). AH. BROKEN, UNSUPPORTED:
 * options that cannot be read.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_strip(const rocecc_packet *p,
                                                rocecc_edit *out)
{
    rocecc_ioam_place_ at;
    const rocecc_status status = rocecc_ioam_place_of_(p, ROCECC_IOAM_ANY_, &at);
    rocecc_reader trace = at.option.data;
    const uint8_t *b;
    rocecc_edit_verdict verdict;
    if (status != ROCECC_OK)
        return rocecc_edit_none(out, rocecc_edit_verdict_of(status));
    b = rocecc_take(&trace, ROCECC_IOAM_TRACE_BYTES);
    if (b == NULL || rocecc_left(&trace) % 4 != 0)
        return rocecc_edit_none(out, ROCECC_EDIT_BROKEN);
    if ((rocecc_ioam_trace_load(b).flags & ROCECC_IOAM_FLAG_ACTIVE) != 0)
        return rocecc_edit_none(out, ROCECC_EDIT_PROBE);
    verdict = rocecc_edit_none(out, rocecc_ioam_may_change_(p));
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    rocecc_ioam_keep_(out, p, at.option.data.at - 4, 1, 6);
    if (at.others != 0)
        rocecc_ioam_remove_option_(p, &at, out);
    else
        rocecc_ioam_remove_header_(p, &at, out);
    return verdict;
}

#endif /* ROCECC_PACKET_IOAM_H */
