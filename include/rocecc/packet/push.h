/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_PUSH_H
#define ROCECC_PACKET_PUSH_H

/*
 * push.h - pushes a hop's data into packets with common telemetry layouts, in place and
 * without a plan. Such a push executes a fifth of the instructions that a plan needs,
 * or a third for IFA.
 *
 *     IOAM layout, kept by the transit node  rocecc_ioam_layout_update()
 *     rocecc_push_ioam(&p, &layout, &node, 1500, &w)
 *     ROCECC_OK         w.at is the packet's new end; same bytes as with
 *                       rocecc_ioam_push() and rocecc_edit_apply()
 *     ROCECC_NO_MATCH   nothing has changed; call rocecc_ioam_push()
 *
 * The functions return OK only if the longer packet fits the link's MTU and the buffer,
 * and only for packets with one of these layouts:
 *
 *     IOAM   IPv6 | Hop-by-Hop: PadN of 2 or 6, an incremental trace first | ...
 *     INT    IP | UDP | INT-MD without domain-specific words | ...
 *     IFA    IP | IFA without GNS, MF, TS and C | UDP | records | ...
 *
 * The packet must have no other extension headers, and no 802.3 or PPPoE length field
 * before the IP header. It must not be IP in IP, and must not be partial. The caller
 * must have parsed the packet in the buffer of `writer`, and packet->bytes must end at
 * writer->at. After OK, the caller must parse the packet again before another push or
 * plan. mtu_bytes is the maximum length of an IP packet on the outgoing link.
 */
#include "ifa.h"
#include "intmd.h"
#include "ioam.h"

/*
 * Returns true if the packet may grow by `bytes` bytes, and meets the conditions that
 * are common to IOAM, INT and IFA.
 */
ROCECC_FN bool rocecc_push_may_grow_(const rocecc_packet *packet, size_t bytes,
                                     uint32_t mtu_bytes, const rocecc_writer *writer)
{
    const rocecc_headers *f = &packet->headers;
    return packet->bytes.base == writer->base && packet->bytes.end == writer->at &&
           f->outer.version == 0 && f->partial == ROCECC_PARTIAL_NONE &&
           rocecc_edit_may_change(packet, false) == ROCECC_EDIT_CHANGE &&
           rocecc_edit_may_grow(packet, (uint32_t)bytes, mtu_bytes) ==
               ROCECC_EDIT_CHANGE &&
           rocecc_room(writer) >= bytes;
}

/*
 * Returns the n_bytes bytes at `offset`, or NULL if they go beyond the end of the IP
 * packet or beyond writer->at.
 */
ROCECC_FN uint8_t *rocecc_push_bytes_at_(const rocecc_packet *packet,
                                         const rocecc_writer *writer, size_t offset,
                                         size_t n_bytes)
{
    rocecc_writer w = *writer;
    w.end = (size_t)rocecc_min(packet->headers.ip.end, writer->at);
    return rocecc_edit_bytes_at_(w, offset, n_bytes);
}

/*
 * Opens a gap of `bytes` bytes at `offset`, and returns a writer at the start of the
 * gap. This writer ends at the end of the buffer, not at the end of the gap.
 */
ROCECC_FN rocecc_writer rocecc_push_open_gap_(rocecc_writer *writer, size_t offset,
                                              size_t bytes)
{
    const size_t end = writer->at;
    rocecc_writer gap = *writer;
    writer->at += bytes;
    rocecc_edit_move_(*writer, offset, offset + bytes, end - offset);
    gap.at = offset;
    return gap;
}

ROCECC_FN void rocecc_push_put_report_(rocecc_writer gap,
                                       const rocecc_report_layout *layout,
                                       const uint32_t *report)
{
    size_t i;
    for (i = 0; i < layout->n; i++) {
        uint8_t *b = rocecc_put(&gap, 4);
        if (b == NULL) return; /* cannot happen */
        rocecc_store32(b, report[layout->word[i & 31] & 31]);
    }
}

ROCECC_FN void rocecc_push_grow_ip_(const rocecc_packet *packet, rocecc_writer writer,
                                    size_t bytes)
{
    const bool v4 = packet->headers.ip.version == 4;
    uint8_t *ip =
        rocecc_edit_bytes_at_(writer, packet->headers.ip.offset, ROCECC_IPV4_BYTES);
    uint16_t was, is;
    if (ip == NULL) return; /* cannot happen */
    was = rocecc_load16(ip + (v4 ? 2 : 4));
    is = (uint16_t)(was + bytes);
    rocecc_store16(ip + (v4 ? 2 : 4), is);
    if (v4)
        rocecc_store16(ip + 10, rocecc_checksum_patch(rocecc_load16(ip + 10), was, is));
}

/*
 * Returns true if a node can be pushed into a trace. `option` points to n_bytes bytes,
 * from the option type to the end of the Hop-by-Hop header.
 */
ROCECC_FN bool rocecc_push_trace_fits_(const rocecc_ioam_config *config,
                                       const rocecc_report_layout *layout,
                                       const uint8_t *option, size_t n_bytes)
{
    const uint32_t type = layout->bitmap;
    const uint32_t known =
        rocecc_ioam_bit(config->tx_bytes_bit) | rocecc_ioam_bit(config->interface_bit);
    const size_t head = ROCECC_IOAM_OPTION_BYTES + ROCECC_IOAM_TRACE_BYTES;
    const size_t bytes = option[1], node_bytes = 4 * (size_t)layout->n;
    rocecc_ioam_trace h = rocecc_ioam_trace_load(option + 4);
    return option[3] == ROCECC_IOAM_INCREMENTAL && bytes >= head &&
           2 + bytes <= n_bytes && bytes + node_bytes <= 255 &&
           h.namespace_id == config->namespace_id && h.trace_type == type &&
           h.node_len == layout->n && h.remaining_len >= layout->n &&
           (h.flags & ROCECC_IOAM_FLAG_OVERFLOW) == 0 &&
           (type & ROCECC_IOAM_SNAPSHOT) == 0 && node_bytes != 0 &&
           (bytes - head) % node_bytes == 0 &&
           !(config->leave_undefined && (type & ROCECC_IOAM_UNDEFINED & ~known) != 0);
}

/*
 * Pushes a node without a snapshot into an incremental IOAM trace. `layout` must come
 * from rocecc_ioam_layout_update() for the packet's trace type and the domain's IOAM
 * configuration. Returns OK and sets writer->at to the packet's new end. Otherwise
 * returns NO_MATCH and changes nothing. If the result is NO_MATCH, the caller must use
 * rocecc_ioam_push() instead.
 */
ROCECC_FN rocecc_status rocecc_push_ioam(const rocecc_packet *packet,
                                         const rocecc_report_layout *layout,
                                         const rocecc_ioam_node *node,
                                         uint32_t mtu_bytes, rocecc_writer *writer)
{
    const rocecc_ioam_config *c = &packet->domain->ioam;
    const rocecc_headers_ip *ip = &packet->headers.ip;
    const size_t node_bytes = 4 * (size_t)layout->n;
    uint8_t option[4 + ROCECC_IOAM_TRACE_BYTES];
    uint8_t *h = rocecc_push_bytes_at_(packet, writer, ip->hop_by_hop, 24);
    rocecc_writer gap;
    size_t end, front, new_front, more, i;
    if (h == NULL || ip->version != 6 || ip->n_ext != 1 ||
        ip->hop_by_hop != ip->offset + ROCECC_IPV6_BYTES ||
        layout->tx_bytes_bit != c->tx_bytes_bit ||
        layout->interface_bit != c->interface_bit ||
        rocecc_ioam_snapshot_words(node) != 0)
        return ROCECC_NO_MATCH;
    end = 8 + 8 * (size_t)h[1];
    front = rocecc_ioam_front_(h);
    new_front = node_bytes % 8 == 0 ? front : 12 - front; /* 4 or 8 */
    more = new_front - front + node_bytes;
    if (front == 0 ||
        rocecc_push_bytes_at_(packet, writer, ip->hop_by_hop, end) == NULL ||
        front + sizeof option > end || end + more > 2048 ||
        !rocecc_push_trace_fits_(c, layout, h + front, end - front) ||
        !rocecc_push_may_grow_(packet, more, mtu_bytes, writer))
        return ROCECC_NO_MATCH;
    for (i = 0; i < sizeof option; i++)
        option[i] = h[front + i];
    gap = rocecc_push_open_gap_(writer, ip->hop_by_hop + front + sizeof option, more);
    gap.at = ip->hop_by_hop + new_front + sizeof option;
    h[1] = (uint8_t)(h[1] + more / 8);
    h[3] = (uint8_t)(new_front - 4);
    rocecc_store32(h + 4, 0); /* padding or the start of the option */
    h += new_front;
    for (i = 0; i < sizeof option; i++)
        h[i] = option[i];
    h[1] = (uint8_t)(h[1] + node_bytes);
    h[7] = (uint8_t)(h[7] - layout->n); /* low 7 bits: RemainingLen */
    rocecc_push_put_report_(gap, layout, node->word);
    rocecc_push_grow_ip_(packet, *writer, more);
    return ROCECC_OK;
}

/*
 * Returns true if a node can be pushed after `shim`, and if the push need not compute a
 * checksum complement.
 */
ROCECC_FN bool rocecc_push_shim_fits_(const rocecc_intmd_config *config,
                                      const rocecc_report_layout *layout,
                                      const uint8_t *shim)
{
    const uint16_t instructions = (uint16_t)layout->bitmap;
    const size_t words = shim[1];
    const rocecc_intmd_header h =
        rocecc_intmd_header_load(shim + ROCECC_INTMD_SHIM_BYTES);
    return layout->bitmap == (ROCECC_REPORT_LAYOUT_INTMD_ | instructions) &&
           shim[0] >> 4 == ROCECC_INTMD_TYPE_MD && h.ver == ROCECC_INTMD_VER &&
           h.instructions == instructions && h.hop_ml == layout->n && layout->n != 0 &&
           h.ds_id == 0 && h.remaining_hop_count != 0 && words >= 3 &&
           words + layout->n <= ROCECC_INTMD_BODY_MAX_BYTES / 4 &&
           (words - 3) % layout->n == 0 &&
           (config->pad_unknown || (instructions & ROCECC_INTMD_RESERVED) == 0) &&
           !(config->complement && (instructions & 1) != 0);
}

/*
 * Updates UDP Length and the UDP checksum. The new checksum accounts for the report,
 * the new UDP Length, and the caller's changes to the shim's Length and to Remaining
 * Hop Count.
 */
ROCECC_FN void rocecc_push_grow_udp_(uint8_t *udp, rocecc_reader report)
{
    const size_t bytes = rocecc_left(&report);
    const uint16_t was = rocecc_load16(udp + 4), is = (uint16_t)(was + bytes);
    uint16_t checksum = rocecc_load16(udp + 6);
    rocecc_edit_sum sum;
    rocecc_store16(udp + 4, is);
    if (checksum == 0) return;
    sum.removed = was * 2u + 1; /* UDP Length counts twice; one hop less */
    sum.added =
        rocecc_checksum_update(is * 2u + (uint32_t)bytes / 4, report); /* in words */
    checksum = rocecc_edit_patch_sum(checksum, sum);
    rocecc_store16(udp + 6, checksum != 0 ? checksum : 0xffff);
}

/*
 * Pushes a node onto the INT-MD stack of a packet whose INT-MD shim directly follows
 * the UDP header. `layout` must come from rocecc_intmd_layout_update() for the packet's
 * instructions. Returns OK and sets writer->at to the packet's new end. Otherwise
 * returns NO_MATCH and changes nothing. If the result is NO_MATCH, the caller must use
 * rocecc_intmd_push() instead.
 */
ROCECC_FN rocecc_status rocecc_push_intmd(const rocecc_packet *packet,
                                          const rocecc_report_layout *layout,
                                          const rocecc_intmd_node *node,
                                          uint32_t mtu_bytes, rocecc_writer *writer)
{
    const rocecc_headers_ip *ip = &packet->headers.ip;
    const size_t at = packet->headers.intmd, bytes = 4 * (size_t)layout->n;
    const size_t head = ROCECC_INTMD_SHIM_BYTES + ROCECC_INTMD_HEADER_BYTES;
    uint8_t *udp = rocecc_push_bytes_at_(packet, writer, ip->upper, 24), *h;
    rocecc_writer gap;
    if (udp == NULL || at != ip->upper + (size_t)ROCECC_UDP_BYTES || ip->n_ext != 0 ||
        ip->proto != ROCECC_PROTO_UDP)
        return ROCECC_NO_MATCH;
    h = udp + ROCECC_UDP_BYTES;
    if (!rocecc_push_shim_fits_(&packet->domain->intmd, layout, h) ||
        rocecc_push_bytes_at_(packet, writer, at,
                              ROCECC_INTMD_SHIM_BYTES + 4 * (size_t)h[1]) == NULL ||
        !rocecc_push_may_grow_(packet, bytes, mtu_bytes, writer))
        return ROCECC_NO_MATCH;
    gap = rocecc_push_open_gap_(writer, at + head, bytes);
    rocecc_push_put_report_(gap, layout, node->word);
    gap.at = gap.end;
    rocecc_push_grow_udp_(
        udp, rocecc_subrange(rocecc_written(&gap), at + head, at + head + bytes));
    h[1] = (uint8_t)(h[1] + layout->n);
    h[7]--; /* Remaining Hop Count */
    rocecc_push_grow_ip_(packet, *writer, bytes);
    return ROCECC_OK;
}

/* Returns true if these headers allow one more record. Does not check the records. */
ROCECC_FN bool rocecc_push_ifa_fits_(const uint8_t *header, const uint8_t *metadata)
{
    const uint8_t others = ROCECC_IFA_FLAG_MF | ROCECC_IFA_FLAG_TS | ROCECC_IFA_FLAG_C;
    const rocecc_ifa_header h = rocecc_ifa_header_load(header);
    const rocecc_ifa_metadata m = rocecc_ifa_metadata_load(metadata);
    return h.version == ROCECC_IFA_VERSION && h.gns == ROCECC_IFA_GNS_NONE &&
           h.next_hdr == ROCECC_PROTO_UDP && (h.flags & others) == 0 &&
           m.hop_limit != 0 && m.current_length % ROCECC_IFA_NODE_WORDS == 0 &&
           m.current_length + ROCECC_IFA_NODE_WORDS <= h.max_length;
}

/*
 * Pushes a record into a UDP packet's IFA stack. Returns OK and sets writer->at to the
 * packet's new end. Otherwise returns NO_MATCH and changes nothing. If the result is
 * NO_MATCH, the caller must use rocecc_ifa_push() instead.
 */
ROCECC_FN rocecc_status rocecc_push_ifa(const rocecc_packet *packet,
                                        const rocecc_ifa_node *node, uint32_t mtu_bytes,
                                        rocecc_writer *writer)
{
    const rocecc_ifa_config *c = &packet->domain->ifa;
    const rocecc_headers_ip *ip = &packet->headers.ip;
    const size_t at = packet->headers.ifa;
    const size_t to =
        at + ROCECC_IFA_HEADER_BYTES + ROCECC_UDP_BYTES + ROCECC_IFA_METADATA_BYTES;
    uint8_t *h = rocecc_push_bytes_at_(packet, writer, at, 16), *metadata, *b;
    uint8_t record[ROCECC_IFA_NODE_BYTES];
    rocecc_reader records = packet->bytes;
    rocecc_writer gap;
    size_t i, n, length;
    if (h == NULL || at == 0 || at != ip->upper || ip->n_ext != 0)
        return ROCECC_NO_MATCH;
    metadata = h + ROCECC_IFA_HEADER_BYTES + ROCECC_UDP_BYTES;
    n = 4 * (size_t)metadata[3];
    length = rocecc_load16(h + ROCECC_IFA_HEADER_BYTES + 4);
    if (!rocecc_push_ifa_fits_(h, metadata) || length < ROCECC_UDP_BYTES ||
        rocecc_push_bytes_at_(packet, writer, to, n) == NULL ||
        length - ROCECC_UDP_BYTES > ip->end - to - n || !rocecc_ifa_node_fits(node) ||
        !rocecc_push_may_grow_(packet, sizeof record, mtu_bytes, writer))
        return ROCECC_NO_MATCH;
    records = rocecc_subrange(records, to, to + n);
    rocecc_ifa_node_store(record, node);
    if (!rocecc_ifa_layouts_known_(c, records) ||
        rocecc_ifa_node_layout(c, record) != node->layout)
        return ROCECC_NO_MATCH;
    gap = rocecc_push_open_gap_(writer, to, sizeof record);
    b = rocecc_put(&gap, sizeof record);
    if (b == NULL) return ROCECC_NO_MATCH; /* cannot happen */
    for (i = 0; i < sizeof record; i++)
        b[i] = record[i];
    metadata[2]--;
    metadata[3] = (uint8_t)(metadata[3] + ROCECC_IFA_NODE_WORDS);
    rocecc_push_grow_ip_(packet, *writer, sizeof record);
    return ROCECC_OK;
}

#endif /* ROCECC_PACKET_PUSH_H */
