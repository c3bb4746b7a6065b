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
    size_t begin;
    size_t end;
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
ROCECC_FN bool rocecc_ioam_is_ours_(const rocecc_packet *packet, uint8_t kind,
                                    const rocecc_ioam_option *option)
{
    rocecc_reader data = option->data;
    const uint8_t *b = rocecc_take(&data, 2);
    if (kind == ROCECC_IOAM_ANY_ ? option->opt_type > ROCECC_IOAM_INCREMENTAL
                                 : option->opt_type != kind)
        return false;
    return b != NULL && rocecc_load16(b) == packet->domain->ioam.namespace_id;
}

/* Goes over the options of a Hop-by-Hop header: to the one of a kind, or over all. */
ROCECC_FN rocecc_status rocecc_ioam_scan_options_(const rocecc_packet *packet,
                                                  rocecc_reader options, uint8_t kind,
                                                  rocecc_ioam_place_ *place)
{
    const rocecc_reader list = options;
    int n = 0;
    for (;;) {
        rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, options};
        rocecc_ioam_option o = {0, 0, options};
        const size_t front = options.at;
        rocecc_status status = rocecc_ip6opt_step(&options, &n, &opt);
        place->tail = front;
        if (place->found != 0 && place->next == 0)
            place->next = status == ROCECC_OK ? opt.body.at - 2 : options.at;
        if (status == ROCECC_END)
            return place->found != 0 ? ROCECC_OK : ROCECC_NO_MATCH;
        if (status == ROCECC_OK && opt.type == ROCECC_IOAM_OPTION_HBH)
            status = rocecc_ioam_option_parse(opt.body, &o);
        if (status != ROCECC_OK) return status;
        if (opt.type != ROCECC_IOAM_OPTION_HBH || place->found != 0 ||
            !rocecc_ioam_is_ours_(packet, kind, &o)) {
            place->others = 1;
            continue;
        }
        if (!rocecc_ioam_option_aligned(list, &o)) return ROCECC_ERR_FORMAT;
        place->option = o;
        place->front = front;
        place->found = 1;
        if (kind != ROCECC_IOAM_ANY_) return ROCECC_OK;
    }
}

/* Finds the trace of a kind in a packet. NO_MATCH: none, but perhaps a header. */
ROCECC_FN rocecc_status rocecc_ioam_locate_(const rocecc_packet *packet, uint8_t kind,
                                            rocecc_ioam_place_ *place)
{
    const rocecc_headers_ip *ip = rocecc_packet_outermost(packet);
    rocecc_reader r = rocecc_subrange(packet->bytes, ip->hop_by_hop, ip->end);
    rocecc_ip6opts hbh = {0, r};
    const rocecc_ioam_place_ nowhere = ROCECC_ZERO;
    rocecc_status status;
    *place = nowhere;
    place->option.data = r;
    if (ip->version != 6) return ROCECC_NO_MATCH;
    if (ip->hop_by_hop == 0) /* none, or one that the walk could not pass */
        return rocecc_edit_load_word(packet, (size_t)ip->offset + 6) >> 8 !=
                       ROCECC_PROTO_HOPOPTS
                   ? ROCECC_NO_MATCH
                   : ROCECC_ERR_SHORT;
    if (ip->hop_by_hop != ip->offset + ROCECC_IPV6_BYTES) return ROCECC_ERR_FORMAT;
    status = rocecc_ip6opts_parse(&r, &hbh);
    if (status != ROCECC_OK) return status;
    place->header = ip->hop_by_hop;
    place->end = hbh.options.end;
    return rocecc_ioam_scan_options_(packet, hbh.options, kind, place);
}

/*
 * Returns where an IOAM option stands in a Hop-by-Hop header whose first 16 bytes these
 * are, if nothing but the padding that aligns it stands before it: 4 or 8. 0: it does
 * not.
 */
ROCECC_FN size_t rocecc_ioam_front_(const uint8_t *header)
{
    const uint32_t word = rocecc_load16(header + 2);
    size_t front = 0;
    if (word == (ROCECC_IP6OPT_PADN << 8)) front = 4;
    if (word == (ROCECC_IP6OPT_PADN << 8 | 4) && rocecc_load32(header + 4) == 0)
        front = 8;
    return front != 0 && header[front] == ROCECC_IOAM_OPTION_HBH ? front : 0;
}

#if ROCECC_SHORTCUTS
/* Finds the trace of a packet that fills its Hop-by-Hop header, but for padding. */
ROCECC_FN bool rocecc_ioam_find_at_front_(const rocecc_packet *packet,
                                          rocecc_ioam_option *out)
{
    const rocecc_headers_ip *ip = rocecc_packet_outermost(packet);
    const rocecc_reader r = rocecc_subrange(packet->bytes, ip->hop_by_hop, ip->end);
    rocecc_reader header = r, after;
    const uint8_t *b = rocecc_take(&header, 16), *pad;
    rocecc_ioam_option o;
    size_t front, bytes, end;
    if (b == NULL || ip->version != 6 ||
        ip->hop_by_hop != ip->offset + ROCECC_IPV6_BYTES)
        return false;
    front = rocecc_ioam_front_(b);
    bytes = 8 + 8 * (size_t)b[1];
    end = front + 2 + b[front + 1];
    after = rocecc_subrange(r, r.at + end, r.at + bytes);
    pad = rocecc_take(&after, 4);
    if (front == 0 || bytes > rocecc_left(&r) ||
        !(end == bytes || (end + 4 == bytes && pad != NULL &&
                           rocecc_load32(pad) == ROCECC_IP6OPT_PADN_4_)))
        return false;
    o.reserved = b[front + 2];
    o.opt_type = b[front + 3];
    o.data = rocecc_subrange(r, r.at + front + 4, r.at + end);
    if (!rocecc_ioam_is_ours_(packet, ROCECC_IOAM_ANY_, &o)) return false;
    *out = o;
    return true;
}
#endif

/*
 * The trace of a packet, of either kind. NO_MATCH: it has none. SHORT, FORMAT,
 * UNSUPPORTED: as rocecc_ip6opts_parse() and rocecc_ioam_trace_find().
 */
ROCECC_FN rocecc_status rocecc_ioam_find(const rocecc_packet *packet,
                                         rocecc_ioam_option *out)
{
    rocecc_ioam_place_ at;
    rocecc_status status;
#if ROCECC_SHORTCUTS
    if (rocecc_ioam_find_at_front_(packet, out)) return ROCECC_OK;
#endif
    status = rocecc_ioam_locate_(packet, ROCECC_IOAM_ANY_, &at);
    if (status == ROCECC_OK) *out = at.option;
    ROCECC_ASSUME_WRITTEN_(out);
    return status;
}

/*
 * What a node does with a trace: RFC 9197, 4.3 and 4.4.1, in the order there; *place
 * becomes where it is.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_may_write_(const rocecc_packet *packet,
                                                     uint8_t kind,
                                                     const rocecc_ioam_node *node,
                                                     rocecc_reader snapshot,
                                                     rocecc_ioam_place_ *place)
{
    const rocecc_ioam_config *c = &packet->domain->ioam;
    const uint32_t known =
        rocecc_ioam_bit(c->tx_bytes_bit) | rocecc_ioam_bit(c->interface_bit);
    const rocecc_status status = rocecc_ioam_locate_(packet, kind, place);
    const rocecc_ioam_trace *h = &place->trace;
    rocecc_reader trace = place->option.data;
    const uint8_t *b;
    if (status != ROCECC_OK) return rocecc_edit_status_verdict(status);
    b = rocecc_take(&trace, ROCECC_IOAM_TRACE_BYTES);
    if (b == NULL) return ROCECC_EDIT_BROKEN;
    place->trace = rocecc_ioam_trace_load(b);
    if ((h->flags & ROCECC_IOAM_FLAG_OVERFLOW) != 0) return ROCECC_EDIT_NONE;
    if (!rocecc_ioam_trace_match(place->option.opt_type, place->option.data) ||
        (h->trace_type & ROCECC_IOAM_TYPE_DATA) == 0)
        return ROCECC_EDIT_BROKEN;
    if (c->leave_undefined && (h->trace_type & ROCECC_IOAM_UNDEFINED & ~known) != 0)
        return ROCECC_EDIT_UNKNOWN;
    if (!rocecc_ioam_node_fits(node, snapshot)) return ROCECC_EDIT_RANGE;
    return h->remaining_len < rocecc_ioam_node_words(h->trace_type, node)
               ? ROCECC_EDIT_FULL
               : ROCECC_EDIT_CHANGE;
}

/*
 * A node on the path adds its data to a pre-allocated trace, where that stands: writer
 * is the whole buffer of the packet. Only node data, Flags and RemainingLen change, and
 * no length. CHANGE: done. FULL: RemainingLen is too small, and O is set instead. Of
 * all others nothing is written: NONE: no such trace, or O is set already. BROKEN: its
 * lengths contradict each other, or it has no data. UNKNOWN: by the configuration.
 * RANGE: the data of the snapshot is not as long as node says.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_update(const rocecc_packet *packet,
                                                 rocecc_writer writer,
                                                 const rocecc_ioam_node *node,
                                                 rocecc_reader snapshot)
{
    rocecc_ioam_place_ at;
    rocecc_writer head = writer;
    rocecc_ioam_trace h;
    size_t from, words;
    uint8_t *to;
    const rocecc_edit_verdict verdict =
        rocecc_ioam_may_write_(packet, ROCECC_IOAM_PREALLOCATED, node, snapshot, &at);
    if (verdict != ROCECC_EDIT_CHANGE && verdict != ROCECC_EDIT_FULL) return verdict;
    head.at = from = at.option.data.at;
    to = rocecc_put(&head, ROCECC_IOAM_TRACE_BYTES);
    if (to == NULL) return ROCECC_EDIT_BROKEN;
    h = rocecc_ioam_trace_load(to);
    words = rocecc_ioam_node_words(h.trace_type, node);
    if (verdict == ROCECC_EDIT_FULL) {
        h.flags |= ROCECC_IOAM_FLAG_OVERFLOW;
    } else {
        if (h.remaining_len < words) return ROCECC_EDIT_BROKEN; /* not packet's bytes */
        h.remaining_len = (uint8_t)(h.remaining_len - words);
        writer.at = from + ROCECC_IOAM_TRACE_BYTES + 4 * (size_t)h.remaining_len;
        if (writer.at > writer.end ||
            rocecc_ioam_node_emit(&writer, &packet->domain->ioam, h.trace_type, node,
                                  snapshot) != ROCECC_OK)
            return ROCECC_EDIT_BROKEN;
    }
    rocecc_ioam_trace_store(to, &h);
    return verdict;
}

/* Makers of plans. IOAM has the words of a plan that UDP does not need here, too. */

/*
 * n_words from `offset` on, the first-th of IOAM's own and so on: compared, and as they
 * are. An option's first 6: type, length, kind, namespace, the header of the trace.
 */
ROCECC_FN void rocecc_ioam_pin_words_(rocecc_edit *edit, const rocecc_packet *packet,
                                      size_t offset, int first, int n_words)
{
    for (; n_words > 0; n_words--, first++, offset += 2)
        rocecc_edit_set_word(edit, packet,
                             (rocecc_edit_field)(ROCECC_EDIT_UDP_PORT + first), offset,
                             rocecc_edit_load_word(packet, offset));
}

/* Payload Length changes by `added_bytes` bytes, modulo 2^16. */
ROCECC_FN void rocecc_ioam_grow_payload_length_(rocecc_edit *edit,
                                                const rocecc_packet *packet,
                                                size_t added_bytes)
{
    const size_t at = rocecc_packet_outermost(packet)->offset + 4u;
    rocecc_edit_set_word(edit, packet, ROCECC_EDIT_IP_LENGTH, at,
                         (uint16_t)(rocecc_edit_load_word(packet, at) + added_bytes));
}

/* A header of this number follows; the Hop Limit beside it stays. */
ROCECC_FN void rocecc_ioam_set_next_header_(rocecc_edit *edit,
                                            const rocecc_packet *packet, uint32_t next)
{
    const size_t at = rocecc_packet_outermost(packet)->offset + 6u;
    rocecc_edit_set_word(
        edit, packet, ROCECC_EDIT_IP_PROTO, at,
        (uint16_t)(next << 8 | (rocecc_edit_load_word(packet, at) & 0xff)));
}

/* Whether the lengths of the outermost IP header and before it may change. */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_may_change_(const rocecc_packet *packet)
{
    rocecc_ip6ext ext;
    uint8_t type;
    rocecc_reader r =
        rocecc_packet_exts(packet, rocecc_packet_outermost(packet), &type);
    int i;
    for (i = 0; i < ROCECC_IP6EXT_MAX; i++) {
        if (rocecc_ip6ext_next(&r, &type, &ext) != ROCECC_OK) break;
        if (ext.type == ROCECC_PROTO_AH) return rocecc_edit_may_change(packet, true);
    }
    return rocecc_edit_may_change(packet, false);
}

/* Bytes that the options have more, modulo 2^32, and whether a length allows it. */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_may_swap_(const rocecc_packet *packet,
                                                    const rocecc_ioam_place_ *place,
                                                    uint32_t mtu_bytes)
{
    const rocecc_ioam_swap_ *s = &place->swap;
    const size_t more = s->pad + s->bytes + s->after - (s->end - s->begin);
    if (place->end - place->header + more > 2048) return ROCECC_EDIT_FULL;
    return rocecc_edit_may_grow(packet, (uint32_t)more, mtu_bytes);
}

/*
 * Opens the splice of a swap, from a multiple of 4 to a multiple of 4, so that some
 * bytes around it stay as they are; writes what comes before the new bytes. The
 * header's length follows. Its bytes are a multiple of 8 before and after. There is
 * room in fill: lead and pad are 8 bytes at most, and the rest is an option of 256.
 */
ROCECC_FN void rocecc_ioam_open_splice_(rocecc_edit *edit, const rocecc_packet *packet,
                                        const rocecc_ioam_place_ *place,
                                        rocecc_writer *writer)
{
    const rocecc_ioam_swap_ *s = &place->swap;
    const size_t header = place->header;
    const size_t lead = (s->begin - header) & 3, trail = (header - s->end) & 3;
    const size_t from = s->begin - lead, was = s->end + trail - from;
    const size_t is = lead + s->pad + s->bytes + s->after + trail;
    const uint16_t head = rocecc_edit_load_word(packet, header);
    const uint16_t grown = (uint16_t)(head + (is - was) / 8); /* modulo 2^16 */
    *writer = rocecc_writer_of(edit->fill, edit->fill + ROCECC_EDIT_FILL_MAX);
    (void)rocecc_edit_add_splice(edit, from, was, is);
    rocecc_edit_set_word(edit, packet, ROCECC_EDIT_UDP_PORT, header, grown);
    rocecc_ioam_grow_payload_length_(edit, packet, is - was);
    rocecc_store16(edit->fill,
                   rocecc_edit_load_word(packet, from)); /* of which lead bytes count */
    rocecc_store16(edit->fill + 2, rocecc_edit_load_word(packet, from + 2));
    if (from == header) edit->fill[1] = (uint8_t)grown;
    writer->at = lead;
    (void)rocecc_ip6opt_pad_emit(writer, s->pad);
}

/* What comes after the new bytes. */
ROCECC_FN void rocecc_ioam_close_splice_(const rocecc_packet *packet,
                                         const rocecc_ioam_place_ *place,
                                         rocecc_writer *writer)
{
    const size_t to = place->swap.end, trail = (place->header - to) & 3;
    (void)rocecc_ip6opt_pad_emit(writer, place->swap.after);
    (void)rocecc_append(writer, rocecc_subrange(packet->bytes, to, to + trail), 3);
}

/* A new node: the option changes as far as the others; whether a length allows it. */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_may_grow_(const rocecc_packet *packet,
                                                    rocecc_ioam_place_ *place,
                                                    const rocecc_ioam_node *node,
                                                    uint32_t mtu_bytes)
{
    const size_t node_bytes = 4 * rocecc_ioam_node_words(place->trace.trace_type, node);
    const size_t data = place->option.data.at, head = 4 + ROCECC_IOAM_TRACE_BYTES;
    rocecc_ioam_swap_ swap = {place->front, data - 4 + head, data - 4 - place->front, 0,
                              0};
    const rocecc_edit_verdict verdict = rocecc_ioam_may_change_(packet);
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    if (ROCECC_IOAM_OPTION_BYTES + rocecc_left(&place->option.data) + node_bytes > 255)
        return ROCECC_EDIT_FULL;
    swap.bytes = head + node_bytes;
    if (node_bytes % 8 != 0) swap.pad = swap.pad >= 4 ? swap.pad - 4 : swap.pad + 4;
    place->swap = swap;
    return rocecc_ioam_may_swap_(packet, place, mtu_bytes);
}

/* node fits, and there is room for it. */
ROCECC_FN void rocecc_ioam_add_node_(rocecc_edit *edit, const rocecc_packet *packet,
                                     const rocecc_ioam_place_ *place,
                                     const rocecc_ioam_node *node,
                                     rocecc_reader snapshot)
{
    const size_t node_bytes = place->swap.bytes - 4 - ROCECC_IOAM_TRACE_BYTES;
    const rocecc_ioam_option *o = &place->option;
    rocecc_ioam_trace h = place->trace;
    rocecc_writer w;
    uint8_t *to;
    rocecc_ioam_open_splice_(edit, packet, place, &w);
    h.remaining_len = (uint8_t)(h.remaining_len - node_bytes / 4);
    to = rocecc_put(&w, 4 + ROCECC_IOAM_TRACE_BYTES);
    if (to != NULL) {
        to[0] = ROCECC_IOAM_OPTION_HBH;
        to[1] =
            (uint8_t)(ROCECC_IOAM_OPTION_BYTES + rocecc_left(&o->data) + node_bytes);
        to[2] = o->reserved;
        to[3] = o->opt_type;
        rocecc_ioam_trace_store(to + 4, &h);
    }
    rocecc_ioam_pin_words_(edit, packet, place->option.data.at - 4, 1, 6);
    (void)rocecc_ioam_node_emit(&w, &packet->domain->ioam, h.trace_type, node,
                                snapshot);
}

/*
 * A node on the path puts its data into an incremental trace, which grows: RFC 9486 has
 * no place for that kind, and here it stands where the other one does. The padding
 * before the option keeps the header a multiple of 8 bytes. FULL, MTU: RemainingLen, a
 * length or the link has no room, and the plan sets O instead. AH. NONE, BROKEN,
 * UNKNOWN, RANGE: as rocecc_ioam_update().
 */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_push(const rocecc_packet *packet,
                                               const rocecc_ioam_node *node,
                                               rocecc_reader snapshot,
                                               uint32_t mtu_bytes, rocecc_edit *out)
{
    rocecc_ioam_place_ at;
    rocecc_edit_verdict verdict =
        rocecc_ioam_may_write_(packet, ROCECC_IOAM_INCREMENTAL, node, snapshot, &at);
    if (verdict == ROCECC_EDIT_CHANGE)
        verdict = rocecc_ioam_may_grow_(packet, &at, node, mtu_bytes);
    ROCECC_ASSUME_WRITTEN_(&at);
    (void)rocecc_edit_reject(out, verdict);
    if (verdict == ROCECC_EDIT_FULL || verdict == ROCECC_EDIT_MTU) {
        rocecc_ioam_pin_words_(out, packet, at.option.data.at - 4, 1, 6);
        out->word[ROCECC_EDIT_UDP_PORT + 4].new_value |= ROCECC_IOAM_FLAG_OVERFLOW << 7;
    }
    if (verdict == ROCECC_EDIT_CHANGE)
        rocecc_ioam_add_node_(out, packet, &at, node, snapshot);
    return verdict;
}

/* A Hop-by-Hop header of its own, right after IPv6. */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_add_header_(const rocecc_packet *packet,
                                                      const rocecc_ioam_source *source,
                                                      uint32_t mtu_bytes,
                                                      rocecc_edit *out)
{
    const rocecc_headers_ip *ip = rocecc_packet_outermost(packet);
    const size_t bytes = rocecc_ioam_build_bytes(source);
    const rocecc_edit_verdict verdict =
        rocecc_edit_may_grow(packet, (uint32_t)bytes, mtu_bytes);
    rocecc_ioam_source s = *source;
    rocecc_writer w = rocecc_writer_of(out->fill, out->fill + ROCECC_EDIT_FILL_MAX);
    (void)rocecc_edit_reject(out, verdict);
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    s.next_header =
        (uint8_t)(rocecc_edit_load_word(packet, (size_t)ip->offset + 6) >> 8);
    (void)rocecc_ioam_build(&w, &s); /* s fits, and 16 to 264 bytes do */
    (void)rocecc_edit_add_splice(out, (size_t)ip->offset + ROCECC_IPV6_BYTES, 0, bytes);
    rocecc_ioam_set_next_header_(out, packet, ROCECC_PROTO_HOPOPTS);
    rocecc_ioam_grow_payload_length_(out, packet, bytes);
    return verdict;
}

/* One more option, in place of the padding at the end of the header there is. */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_add_option_(const rocecc_packet *packet,
                                                      rocecc_ioam_place_ *place,
                                                      const rocecc_ioam_source *source,
                                                      uint32_t mtu_bytes,
                                                      rocecc_edit *out)
{
    const size_t used = place->tail - place->header,
                 bytes = rocecc_ioam_source_bytes(source);
    const size_t pad = rocecc_ip6opt_pad_bytes(used, 4, 0);
    const size_t after = rocecc_ip6opt_pad_bytes(used + pad + bytes, 8, 0);
    const rocecc_ioam_swap_ swap = {place->tail, place->end, pad, bytes, after};
    rocecc_writer w;
    rocecc_edit_verdict verdict;
    place->swap = swap;
    verdict = rocecc_edit_reject(out, rocecc_ioam_may_swap_(packet, place, mtu_bytes));
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    rocecc_ioam_open_splice_(out, packet, place, &w);
    (void)rocecc_ioam_source_emit(&w, source); /* 12 to 256 bytes, of 264 */
    rocecc_ioam_close_splice_(packet, place, &w);
    rocecc_ioam_pin_words_(out, packet, place->end - 6, 1,
                           3); /* the end of the list, before it */
    return verdict;
}

/*
 * Source: puts an empty trace into a packet: into the Hop-by-Hop header that it has, as
 * the last option, or into a new one; source->next_header is what IPv6 has there. NONE:
 * no IPv6, or a jumbogram. PRESENT: it has one of this namespace. AH, MTU, FULL.
 * BROKEN, UNSUPPORTED: options that cannot be read, or more than are looked at. RANGE:
 * as rocecc_ioam_build(), or of another namespace than the domain's.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_insert(const rocecc_packet *packet,
                                                 const rocecc_ioam_source *source,
                                                 uint32_t mtu_bytes, rocecc_edit *out)
{
    const rocecc_headers_ip *ip = rocecc_packet_outermost(packet);
    const size_t length =
        (size_t)ip->offset + 4; /* 0, and Hop-by-Hop options: RFC 2675 */
    rocecc_ioam_place_ at;
    rocecc_edit_verdict verdict;
    const rocecc_status status = rocecc_ioam_locate_(packet, ROCECC_IOAM_ANY_, &at);
    if (ip->version != 6 || (rocecc_edit_load_word(packet, length) == 0 &&
                             rocecc_edit_load_word(packet, length + 2) >> 8 == 0))
        return rocecc_edit_reject(out, ROCECC_EDIT_NONE);
    if (status != ROCECC_OK && status != ROCECC_NO_MATCH)
        return rocecc_edit_reject(out, rocecc_edit_status_verdict(status));
    if (at.found != 0) return rocecc_edit_reject(out, ROCECC_EDIT_PRESENT);
    verdict = rocecc_ioam_may_change_(packet);
    if (verdict != ROCECC_EDIT_CHANGE) return rocecc_edit_reject(out, verdict);
    if (!rocecc_ioam_source_fits(source) ||
        source->namespace_id != packet->domain->ioam.namespace_id)
        return rocecc_edit_reject(out, ROCECC_EDIT_RANGE);
    if (at.header == 0) return rocecc_ioam_add_header_(packet, source, mtu_bytes, out);
    return rocecc_ioam_add_option_(packet, &at, source, mtu_bytes, out);
}

/* The option alone: what follows moves by a multiple of 8, and keeps its alignment. */
ROCECC_FN void rocecc_ioam_remove_option_(const rocecc_packet *packet,
                                          rocecc_ioam_place_ *place, rocecc_edit *out)
{
    const rocecc_ioam_swap_ swap = {place->front, place->next,
                                    (place->next - place->front) % 8, 0, 0};
    rocecc_writer w;
    place->swap = swap;
    rocecc_ioam_open_splice_(out, packet, place, &w); /* 16 bytes at most */
    rocecc_ioam_close_splice_(packet, place, &w);
}

/* The header, in which there is nothing else. */
ROCECC_FN void rocecc_ioam_remove_header_(const rocecc_packet *packet,
                                          const rocecc_ioam_place_ *place,
                                          rocecc_edit *out)
{
    rocecc_ioam_set_next_header_(out, packet,
                                 rocecc_edit_load_word(packet, place->header) >> 8);
    rocecc_ioam_pin_words_(out, packet, place->header, 0, 1);
    rocecc_ioam_grow_payload_length_(out, packet, place->header - place->end);
    (void)rocecc_edit_add_splice(out, place->header, place->end - place->header, 0);
}

/*
 * The last node takes the trace out, of either kind: the option, or the whole header
 * where nothing else is in it; its nodes are to be read before. NONE: there is none.
 * PROBE: A is set, and the packet ends here (RFC 9322, 5). AH. BROKEN, UNSUPPORTED:
 * options that cannot be read.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_strip(const rocecc_packet *packet,
                                                rocecc_edit *out)
{
    rocecc_ioam_place_ at;
    const rocecc_status status = rocecc_ioam_locate_(packet, ROCECC_IOAM_ANY_, &at);
    rocecc_reader trace = at.option.data;
    const uint8_t *b;
    rocecc_edit_verdict verdict;
    if (status != ROCECC_OK)
        return rocecc_edit_reject(out, rocecc_edit_status_verdict(status));
    b = rocecc_take(&trace, ROCECC_IOAM_TRACE_BYTES);
    if (b == NULL || rocecc_left(&trace) % 4 != 0)
        return rocecc_edit_reject(out, ROCECC_EDIT_BROKEN);
    if ((rocecc_ioam_trace_load(b).flags & ROCECC_IOAM_FLAG_ACTIVE) != 0)
        return rocecc_edit_reject(out, ROCECC_EDIT_PROBE);
    verdict = rocecc_edit_reject(out, rocecc_ioam_may_change_(packet));
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    rocecc_ioam_pin_words_(out, packet, at.option.data.at - 4, 1, 6);
    if (at.others != 0)
        rocecc_ioam_remove_option_(packet, &at, out);
    else
        rocecc_ioam_remove_header_(packet, &at, out);
    return verdict;
}

#endif /* ROCECC_PACKET_IOAM_H */
