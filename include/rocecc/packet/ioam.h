/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_IOAM_H
#define ROCECC_PACKET_IOAM_H

/*
 * ioam.h - handles an IOAM trace in a packet's Hop-by-Hop Options header. A source
 * inserts the trace, the nodes on the path fill it, and the last node removes it.
 * wire/ioam.h describes the option and its nodes, and edit.h describes plans.
 *
 *     IPv6 | Hop-by-Hop, options | padding | type len 0 kind | trace | nodes | ...
 *          ^ header              ^ front   ^ option                  ^ a new node
 *
 *     s.trace_type = ROCECC_IOAM_TYPE_HPCC, s.words = 25;  five nodes of 20 bytes
 *     rocecc_ioam_insert(&p, &s, 1500, &e);        adds 120 bytes after IPv6
 *     rocecc_ioam_update(&p, w, &node, none);      in place, RemainingLen is 20
 *     rocecc_ioam_strip(&p, &e);                   removes the 120 bytes
 *
 * In the Hop-by-Hop header after the outermost IP header, the functions use the first
 * trace that has the domain's namespace. rocecc_ioam_update() skips incremental traces,
 * and rocecc_ioam_push() skips pre-allocated traces. mtu_bytes is the maximum length of
 * an IP packet on the outgoing link. Only a host, or a node that encapsulates the
 * packet in a new IPv6 header, may insert a trace (RFC 9486, 4.1, C4).
 */
#include "../wire/ioam.h"
#include "edit.h"

/* Replacement of the bytes [begin, end) in a Hop-by-Hop header. */
typedef struct rocecc_ioam_swap_ {
    size_t begin;
    size_t end;
    size_t pad;   /* bytes of padding, */
    size_t bytes; /*   then new bytes, */
    size_t after; /*   then more padding */
} rocecc_ioam_swap_;

/*
 * Position of a trace in a packet's options. `next`, `tail` and `others` are final only
 * after a search for ROCECC_IOAM_ANY_.
 */
typedef struct rocecc_ioam_place_ {
    rocecc_ioam_option option; /* valid if found is 1 */
    rocecc_ioam_trace trace;   /* its header, set by rocecc_ioam_may_write_() */
    rocecc_ioam_swap_ swap;    /* set by functions that change the options */
    size_t header;             /* the Hop-by-Hop header; 0 if absent */
    size_t end;                /* end of the Hop-by-Hop header */
    size_t front;              /* start of the padding before the option */
    size_t next;               /* the option after it, or the end of the list */
    size_t tail;               /* start of the padding at the end of the list */
    size_t found, others;      /* 1 if found; 1 if other options exist */
} rocecc_ioam_place_;

#define ROCECC_IOAM_ANY_ 0xffu /* a trace of either kind */

/*
 * Returns true if an IOAM option is a trace of the given kind and has the domain's
 * namespace.
 */
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

/*
 * Searches `options` for the first trace of the given kind. For ROCECC_IOAM_ANY_,
 * always checks the whole list of options.
 */
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

/*
 * Finds the first trace of the given kind. Always writes *place, and returns one of the
 * statuses of rocecc_ioam_find().
 */
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
    if (ip->hop_by_hop == 0) /* absent, or the walk could not step over it */
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
 * Returns the offset of an IOAM option in the header, 4 or 8, if only a single PadN
 * with zeros precedes the option. Otherwise returns 0. `header` must be at least 16
 * bytes long.
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
/*
 * Finds a trace that is the only option in its Hop-by-Hop header, apart from padding of
 * a common length. If the packet does not have such a trace, returns false and leaves
 * *out unchanged.
 */
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
 * Finds the first trace of either kind with the domain's namespace. Does not check the
 * trace's lengths. Returns NO_MATCH if the packet does not have such a trace, and SHORT
 * if the Hop-by-Hop header is cut off or the walk could not step over it (as in a
 * jumbogram). Returns FORMAT if this header does not directly follow the IPv6 header,
 * if an IOAM option has no IOAM-Opt-Type, or if the trace is not aligned to 4 bytes.
 * Also returns FORMAT or UNSUPPORTED if rocecc_ip6opt_step() does. On failure *out is
 * unchanged.
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
 * Finds a trace, and checks whether a node may write to it (RFC 9197, 4.3 and 4.4.1).
 * Always writes *place, and returns one of the verdicts of rocecc_ioam_update().
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
 * Writes a node's data into a pre-allocated trace, in place. `writer` must cover the
 * packet's whole buffer, and writer.at is ignored. Only node data, Flags and
 * RemainingLen change. Nothing is written unless the verdict is CHANGE or FULL. Returns
 * NONE if the packet does not have a pre-allocated trace with the domain's namespace,
 * or if flag O is already set. Returns BROKEN if the options up to the trace are cut
 * off or malformed, if the trace's lengths contradict each other, if the trace type
 * asks for no data, or if the trace is not in the buffer of `writer`. Returns
 * UNSUPPORTED if too much padding or too many options precede the trace. Returns
 * UNKNOWN if the domain's leave_undefined is set and the trace type has undefined bits
 * that the domain does not configure. Returns RANGE if `snapshot` is not as long as
 * `node` declares, even if the trace type does not ask for a snapshot. Otherwise, if
 * RemainingLen is too small, sets flag O and returns FULL.
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
        if (h.remaining_len < words) return ROCECC_EDIT_BROKEN; /* another buffer */
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

/*
 * The functions below make plans. In these plans, the words IP_LENGTH and IP_PROTO are
 * in the outermost IPv6 header, and the indices of the UDP and TCP words are used for
 * words of the Hop-by-Hop header.
 */

/*
 * Adds n_words words, starting at `offset`, to the words that a plan checks. Their
 * indices start at ROCECC_EDIT_UDP_PORT + `first`. The first 6 words of an option
 * contain the option's own header and the trace header.
 */
ROCECC_FN void rocecc_ioam_pin_words_(rocecc_edit *edit, const rocecc_packet *packet,
                                      size_t offset, int first, int n_words)
{
    for (; n_words > 0; n_words--, first++, offset += 2)
        rocecc_edit_set_word(edit, packet,
                             (rocecc_edit_field)(ROCECC_EDIT_UDP_PORT + first), offset,
                             rocecc_edit_load_word(packet, offset));
}

/*
 * Adds `added_bytes` (modulo 2^16) to the Payload Length of the outermost IPv6 header.
 */
ROCECC_FN void rocecc_ioam_grow_payload_length_(rocecc_edit *edit,
                                                const rocecc_packet *packet,
                                                size_t added_bytes)
{
    const size_t at = rocecc_packet_outermost(packet)->offset + 4u;
    rocecc_edit_set_word(edit, packet, ROCECC_EDIT_IP_LENGTH, at,
                         (uint16_t)(rocecc_edit_load_word(packet, at) + added_bytes));
}

ROCECC_FN void rocecc_ioam_set_next_header_(rocecc_edit *edit,
                                            const rocecc_packet *packet, uint32_t next)
{
    const size_t at = rocecc_packet_outermost(packet)->offset + 6u;
    rocecc_edit_set_word(
        edit, packet, ROCECC_EDIT_IP_PROTO, at,
        (uint16_t)(next << 8 | (rocecc_edit_load_word(packet, at) & 0xff)));
}

/* Returns the verdict of rocecc_edit_may_change() for the outermost IPv6 header. */
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

/*
 * Checks whether place->swap fits. Returns FULL if the Hop-by-Hop header would exceed
 * 2048 bytes, and otherwise the result of rocecc_edit_may_grow().
 */
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
 * Adds to a plan the changed lengths and a splice for place->swap. Also writes the part
 * of the fill that precedes the new bytes. The splice is widened so that the distance
 * from the start of the header to each end of the splice is a multiple of 4 bytes. The
 * fill is at most 264 bytes long, with 256 bytes for an option and 8 for the bytes
 * around the option.
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
                   rocecc_edit_load_word(packet, from)); /* only `lead` bytes stay */
    rocecc_store16(edit->fill + 2, rocecc_edit_load_word(packet, from + 2));
    if (from == header) edit->fill[1] = (uint8_t)grown;
    writer->at = lead;
    (void)rocecc_ip6opt_pad_emit(writer, s->pad);
}

/*
 * Writes the padding and the unchanged bytes that follow the new bytes of place->swap.
 */
ROCECC_FN void rocecc_ioam_close_splice_(const rocecc_packet *packet,
                                         const rocecc_ioam_place_ *place,
                                         rocecc_writer *writer)
{
    const size_t to = place->swap.end, trail = (place->header - to) & 3;
    (void)rocecc_ip6opt_pad_emit(writer, place->swap.after);
    (void)rocecc_append(writer, rocecc_subrange(packet->bytes, to, to + trail), 3);
}

/*
 * Checks whether an option may grow by one node, and sets place->swap. The swap ends
 * where the older nodes begin.
 */
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

/* Adds a new node to a plan. rocecc_ioam_may_grow_() must have returned CHANGE. */
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
 * Makes a plan that inserts a node's data into an incremental trace. RFC 9486 does not
 * define this kind of trace for IPv6, so rocecc carries it with the same IPv6 option
 * type as a pre-allocated trace. Returns CHANGE on success, and otherwise the first of
 * the verdicts below that applies. If the verdict is FULL or MTU, the plan only sets
 * flag O. For any other verdict except CHANGE, the plan is empty. Returns NONE, BROKEN,
 * UNSUPPORTED, UNKNOWN or RANGE in the same cases as rocecc_ioam_update() for a
 * pre-allocated trace. Returns FULL if RemainingLen is too small. Returns UNSUPPORTED
 * or AH if rocecc_edit_may_change() does. Returns FULL if the option or the Hop-by-Hop
 * header would be too long. Otherwise returns MTU or FULL if rocecc_edit_may_grow()
 * does.
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

/*
 * Makes a plan that inserts a new Hop-by-Hop header directly after the IPv6 header. The
 * values in `source` must fit their fields.
 */
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
    (void)rocecc_ioam_build(&w, &s); /* 16 to 264 bytes of 264 */
    (void)rocecc_edit_add_splice(out, (size_t)ip->offset + ROCECC_IPV6_BYTES, 0, bytes);
    rocecc_ioam_set_next_header_(out, packet, ROCECC_PROTO_HOPOPTS);
    rocecc_ioam_grow_payload_length_(out, packet, bytes);
    return verdict;
}

/*
 * Makes a plan that replaces the padding at the end of the Hop-by-Hop header with a new
 * option. The values in `source` must fit their fields.
 */
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
    (void)rocecc_ioam_source_emit(&w, source); /* 12 to 256 bytes of 264 */
    rocecc_ioam_close_splice_(packet, place, &w);
    rocecc_ioam_pin_words_(out, packet, place->end - 6, 1,
                           3); /* the last 6 bytes of the list */
    return verdict;
}

/*
 * Makes a plan that inserts an empty trace at a source. The trace becomes the last
 * option in the packet's Hop-by-Hop header. If the packet does not have this header,
 * the plan inserts one. source->next_header is ignored. Returns CHANGE on success.
 * Otherwise makes an empty plan and returns the first of the verdicts below that
 * applies. Returns NONE if the outermost IP header is not IPv6, or if the packet is a
 * jumbogram. Returns BROKEN or UNSUPPORTED if the options cannot be read, and PRESENT
 * if they include a trace of either kind with the domain's namespace. Returns
 * UNSUPPORTED or AH if rocecc_edit_may_change() does. Returns RANGE if
 * rocecc_ioam_source_fits() is false, or if the source's namespace is not the domain's
 * namespace. Returns FULL if the Hop-by-Hop header would be too long. Otherwise returns
 * MTU or FULL if rocecc_edit_may_grow() does.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ioam_insert(const rocecc_packet *packet,
                                                 const rocecc_ioam_source *source,
                                                 uint32_t mtu_bytes, rocecc_edit *out)
{
    const rocecc_headers_ip *ip = rocecc_packet_outermost(packet);
    const size_t length =
        (size_t)ip->offset + 4; /* this field is 0 in a jumbogram: RFC 2675 */
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

/*
 * Makes a plan that removes the option and the padding around it. The bytes after the
 * option move by a multiple of 8 bytes, so they keep their alignment.
 */
ROCECC_FN void rocecc_ioam_remove_option_(const rocecc_packet *packet,
                                          rocecc_ioam_place_ *place, rocecc_edit *out)
{
    const rocecc_ioam_swap_ swap = {place->front, place->next,
                                    (place->next - place->front) % 8, 0, 0};
    rocecc_writer w;
    place->swap = swap;
    rocecc_ioam_open_splice_(out, packet, place, &w); /* at most 12 bytes of fill */
    rocecc_ioam_close_splice_(packet, place, &w);
}

/*
 * Makes a plan that removes the Hop-by-Hop header. The header must not contain options
 * other than the trace and padding.
 */
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
 * Makes a plan that removes a trace of either kind at the last node. If the Hop-by-Hop
 * header has no other option, the plan removes the whole header. It does not remove a
 * second trace. The caller must read the trace's nodes before it applies the plan.
 * Returns CHANGE on success. Otherwise makes an empty plan and returns the first of the
 * verdicts below that applies. Returns NONE, BROKEN or UNSUPPORTED if
 * rocecc_ioam_find() fails, and BROKEN if the trace is shorter than a trace header or
 * does not consist of whole words. Returns PROBE if flag A is set, because the packet
 * then ends here (RFC 9322, 5). Returns UNSUPPORTED or AH if rocecc_edit_may_change()
 * does.
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
