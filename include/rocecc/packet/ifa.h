/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_IFA_H
#define ROCECC_PACKET_IFA_H

/*
 * ifa.h - handles IFA 2.0 in a packet. rocecc_packet_parse() finds IFA, a source
 * inserts it, a transit node pushes its own record, and a sink strips IFA. wire/ifa.h
 * shows the format, and edit.h describes plans. draft-kumar-ippm-ifa.
 *
 *     rocecc_packet_parse(&domain, r, &p);
 *     rocecc_ifa_push(&p, &node, 1500, &e);   ROCECC_EDIT_CHANGE
 *     rocecc_edit_apply(&e, &w);              32 bytes longer, Hop Limit one less
 *
 * The domain sets IFA's IP protocol number and record layouts. The lengths and
 * checksums of UDP and TCP do not cover IFA, so a plan does not change them. With a
 * tail stamp (flag TS), the stack and the headers after it are the last bytes of the IP
 * packet. mtu_bytes is the maximum length of an IP packet on the outgoing link.
 */
#include "../wire/ifa.h"
#include "edit.h"

/*
 * Finds and parses IFA in a packet. Returns NO_MATCH if the packet has no IFA, or if
 * IFA is off in the domain, and UNSUPPORTED if IFA is in an IP fragment. Returns the
 * status of the walk if the walk failed at or before the IFA header, and otherwise the
 * status of rocecc_ifa_parse(). On failure *out is unchanged.
 */
ROCECC_FN rocecc_status rocecc_ifa_find(const rocecc_packet *packet, rocecc_ifa *out)
{
    const rocecc_headers *f = &packet->headers;
    const rocecc_ifa_config *c = &packet->domain->ifa;
    const size_t at = f->ifa;
    const bool part = f->ip.fragment != ROCECC_IP_FRAGMENT_NONE;
    rocecc_status status = ROCECC_NO_MATCH;
    if (c->protocol == 0 || (part && f->ip.proto != c->protocol)) {
        /* IFA is off, or the fragment has another protocol */
    } else if (part) {
        status = ROCECC_ERR_UNSUPPORTED;
    } else if (at != 0) {
        status =
            rocecc_ifa_parse(c, rocecc_subrange(packet->bytes, at, packet->bytes.end),
                             f->ip.end - at, out);
    } else if (f->status != ROCECC_OK && f->stopped <= ROCECC_LAYER_IFA) {
        status = f->status;
    }
    ROCECC_ASSUME_WRITTEN_(out);
    return status;
}

/*
 * Returns CHANGE, or the reason why IFA cannot be inserted. Does not check the L4
 * header.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_may_insert_(const rocecc_packet *packet)
{
    const rocecc_headers *f = &packet->headers;
    const uint8_t protocol = packet->domain->ifa.protocol;
    if (protocol == 0) return ROCECC_EDIT_NONE;
    if (f->ip.version != 0 && f->ip.proto == protocol) return ROCECC_EDIT_PRESENT;
    if (f->stopped < ROCECC_LAYER_UPPER) return rocecc_edit_status_verdict(f->status);
    if (f->ip.version == 0) return ROCECC_EDIT_NONE;
    return rocecc_edit_may_change_upper(packet, rocecc_edit_proto_offset(packet));
}

/* Headers that a source inserts. */
typedef struct rocecc_ifa_source {
    rocecc_ifa_header header;     /* NextHdr is taken from the packet */
    rocecc_ifa_metadata metadata; /* Current Length is written as 0 */
    uint32_t packet_id;           /* for MF: the source's packet number, 26 bits */
} rocecc_ifa_source;

/*
 * Returns true if the domain supports the source's version, flags and global name
 * space. With MF, packet_id must also fit in 26 bits.
 */
ROCECC_FN bool rocecc_ifa_source_fits_(const rocecc_ifa_config *config,
                                       const rocecc_ifa_source *source)
{
    rocecc_ifa_config zone = *config;
    const uint8_t flags = source->header.flags;
    if (source->header.gns >> 4 != 0 ||
        !rocecc_ifa_is_known_(config, &source->header) ||
        !rocecc_ifa_select_zone_(&zone, source->header.gns))
        return false;
    if ((flags & ROCECC_IFA_FLAG_C) != 0 &&
        config->checksum == ROCECC_IFA_COVERS_UNKNOWN)
        return false;
    return (flags & ROCECC_IFA_FLAG_MF) == 0 ||
           (config->fragments && source->packet_id >> 26 == 0);
}

/*
 * Writes the metadata header, and the headers that the flags C and MF require. Together
 * they are n_bytes bytes long. With TS, they are in reverse order.
 */
ROCECC_FN void rocecc_ifa_source_store_(const rocecc_ifa_config *config,
                                        const rocecc_ifa_source *source, uint8_t *bytes,
                                        size_t n_bytes)
{
    const bool sum = (source->header.flags & ROCECC_IFA_FLAG_C) != 0;
    const bool tail = rocecc_ifa_is_tail_(&source->header);
    const rocecc_ifa_fragment fragment = {source->packet_id, 0, false};
    rocecc_ifa_checksum checksum = {0, 0};
    uint32_t covered = 0;
    uint8_t *metadata = bytes + (tail ? n_bytes - ROCECC_IFA_METADATA_BYTES : 0);
    uint8_t *mf = bytes + (tail ? 0 : n_bytes - ROCECC_IFA_FRAGMENT_BYTES);
    rocecc_ifa_metadata_store(metadata, &source->metadata);
    metadata[3] = 0;
    if ((source->header.flags & ROCECC_IFA_FLAG_MF) != 0)
        rocecc_ifa_fragment_store(mf, &fragment);
    if (!sum) return;
    if (config->checksum == ROCECC_IFA_COVERS_METADATA) {
        covered = (uint32_t)rocecc_load16(metadata) + rocecc_load16(metadata + 2);
        if (n_bytes == 12)
            covered += (uint32_t)rocecc_load16(mf) + rocecc_load16(mf + 2);
    }
    checksum.checksum = rocecc_checksum_final(covered);
    rocecc_ifa_checksum_store(tail ? metadata - ROCECC_IFA_CHECKSUM_BYTES
                                   : metadata + ROCECC_IFA_METADATA_BYTES,
                              &checksum);
}

/*
 * Makes a plan that inserts IFA at a source. The plan inserts the IFA header before the
 * L4 header. It inserts the metadata header, and the headers that the flags C and MF
 * require, after the L4 header. With TS, it inserts these headers at the end of the
 * packet instead, in reverse order. Current Length and MF ID are 0, so a source that is
 * also a node must push its record afterwards. Returns CHANGE on success. Otherwise
 * makes an empty plan and returns the first of the verdicts below that applies. Returns
 * NONE if IFA is off or the packet is not IP, PRESENT if the packet has IFA (even
 * unreadable IFA), and BROKEN or UNSUPPORTED if the walk failed before the upper layer.
 * Returns UNSUPPORTED or AH if rocecc_edit_may_change_upper() does. Returns UNSUPPORTED
 * if L4 is not UDP, TCP or a supported GRE. Returns BROKEN if L4 is cut off or has
 * wrong lengths. With TS, also returns BROKEN if the capture ends before the packet
 * does. Returns RANGE if the domain does not support the source's version, flags or
 * name space, or if MF is set and packet_id has more than 26 bits. The domain supports
 * C only if ifa.checksum defines the checksum's coverage. Returns MTU or FULL if
 * rocecc_edit_may_grow() does.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_insert(const rocecc_packet *packet,
                                                const rocecc_ifa_source *source,
                                                uint32_t mtu_bytes, rocecc_edit *out)
{
    const rocecc_ifa_config *c = &packet->domain->ifa;
    const bool tail = rocecc_ifa_is_tail_(&source->header);
    const size_t bytes = rocecc_ifa_stack_bytes(source->header.flags, 0);
    const uint16_t more = (uint16_t)(ROCECC_IFA_HEADER_BYTES + bytes);
    const rocecc_headers_ip *ip = &packet->headers.ip;
    rocecc_reader rest = rocecc_subrange(packet->bytes, ip->upper, ip->end);
    rocecc_reader l4 = rest;
    uint8_t *header, *metadata;
    size_t at;
    rocecc_edit_verdict verdict = rocecc_ifa_may_insert_(packet);
    if (verdict == ROCECC_EDIT_CHANGE)
        verdict =
            rocecc_edit_status_verdict(rocecc_ifa_l4_split(&rest, ip->proto, &l4));
    if (verdict != ROCECC_EDIT_CHANGE) return rocecc_edit_reject(out, verdict);
    if (!rocecc_ifa_l4_fits(ip->proto, l4, ip->end - l4.end) ||
        (tail && rest.end != ip->end))
        return rocecc_edit_reject(out, ROCECC_EDIT_BROKEN);
    if (!rocecc_ifa_source_fits_(c, source))
        return rocecc_edit_reject(out, ROCECC_EDIT_RANGE);
    verdict = rocecc_edit_reject(out, rocecc_edit_may_grow(packet, more, mtu_bytes));
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    header = rocecc_edit_add_splice(out, ip->upper, 0, ROCECC_IFA_HEADER_BYTES);
    metadata = rocecc_edit_add_splice(out, tail ? ip->end : l4.end, 0, bytes);
    rocecc_ifa_header_store(header, &source->header);
    header[1] = ip->proto;
    rocecc_ifa_source_store_(c, source, metadata, bytes);
    /* The plan checks this word, because l4.end depends on it for TCP and GRE. */
    at = ip->upper + (ip->proto == ROCECC_PROTO_TCP ? 12u : 0u);
    rocecc_edit_set_word(out, packet, ROCECC_EDIT_FORMAT, at,
                         rocecc_edit_load_word(packet, at));
    rocecc_edit_grow_ip(out, packet, more);
    rocecc_edit_set_proto(out, packet, rocecc_edit_proto_offset(packet), c->protocol);
    return verdict;
}

ROCECC_FN size_t rocecc_ifa_metadata_offset_(const rocecc_ifa *ifa)
{
    if (!rocecc_ifa_is_tail_(&ifa->header)) return ifa->l4.end;
    return ifa->nodes.end + rocecc_ifa_stack_bytes(ifa->header.flags, 0) -
           ROCECC_IFA_METADATA_BYTES;
}

/* Returns CHANGE, or the first reason why a push is not possible. */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_may_push_(const rocecc_packet *packet,
                                                   const rocecc_ifa *ifa,
                                                   uint32_t mtu_bytes)
{
    rocecc_edit_verdict verdict;
    if ((ifa->header.flags & ROCECC_IFA_FLAG_C) != 0 &&
        ifa->config.checksum == ROCECC_IFA_COVERS_UNKNOWN)
        return ROCECC_EDIT_CHECKSUM;
    if (ifa->metadata.hop_limit == 0) return ROCECC_EDIT_HOPS;
    if (ifa->metadata.current_length + ROCECC_IFA_NODE_WORDS > ifa->header.max_length)
        return ROCECC_EDIT_FULL;
    verdict = rocecc_edit_may_change_upper(packet, rocecc_edit_proto_offset(packet));
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    return rocecc_edit_may_grow(packet, ROCECC_IFA_NODE_BYTES, mtu_bytes);
}

/*
 * Returns FRAGMENT if `verdict` is FULL or MTU, and if the record can replace the whole
 * stack. If only rocecc_edit_may_change_upper() prevents this replacement, returns that
 * function's verdict, UNSUPPORTED or AH. In all other cases, returns `verdict`.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_may_restart_stack_(const rocecc_packet *packet,
                                                            const rocecc_ifa *ifa,
                                                            uint32_t mtu_bytes,
                                                            rocecc_edit_verdict verdict)
{
    const uint32_t less = ifa->metadata.current_length * 4u;
    if ((verdict != ROCECC_EDIT_FULL && verdict != ROCECC_EDIT_MTU) ||
        !ifa->config.fragments || (ifa->header.flags & ROCECC_IFA_FLAG_MF) == 0 ||
        ifa->fragment.mf_id >= ROCECC_IFA_MF_ID_MAX || ifa->fragment.last ||
        less == 0 ||
        rocecc_edit_may_grow(packet, ROCECC_IFA_NODE_BYTES - less, mtu_bytes) !=
            ROCECC_EDIT_CHANGE)
        return verdict;
    verdict = rocecc_edit_may_change_upper(packet, rocecc_edit_proto_offset(packet));
    return verdict == ROCECC_EDIT_CHANGE ? ROCECC_EDIT_FRAGMENT : verdict;
}

/* Adds the IFA header, Hop Limit and Current Length to the words that a plan checks. */
ROCECC_FN void rocecc_ifa_pin_words_(rocecc_edit *edit, const rocecc_packet *packet,
                                     const rocecc_ifa *ifa)
{
    const size_t at = ifa->l4.at - ROCECC_IFA_HEADER_BYTES;
    const size_t metadata = rocecc_ifa_metadata_offset_(ifa);
    rocecc_edit_set_word(edit, packet, ROCECC_EDIT_FORMAT, at,
                         rocecc_edit_load_word(packet, at));
    rocecc_edit_set_word(edit, packet, (rocecc_edit_field)(ROCECC_EDIT_FORMAT + 1),
                         at + 2, rocecc_edit_load_word(packet, at + 2));
    rocecc_edit_set_word(edit, packet, (rocecc_edit_field)(ROCECC_EDIT_FORMAT + 2),
                         metadata + 2, rocecc_edit_load_word(packet, metadata + 2));
}

/*
 * Adds to a plan the words that a push changes. The caller must call
 * rocecc_ifa_pin_words_() first. If `fresh` is set, the stack gets a new MF ID and a
 * new checksum. Otherwise the old checksum is updated (RFC 1624), so a wrong checksum
 * stays wrong.
 */
ROCECC_FN void rocecc_ifa_set_pushed_words_(rocecc_edit *edit,
                                            const rocecc_packet *packet,
                                            const rocecc_ifa *ifa, bool fresh)
{
    const bool tail = rocecc_ifa_is_tail_(&ifa->header);
    const size_t header = rocecc_ifa_metadata_offset_(ifa);
    const size_t at =
        tail ? header - ROCECC_IFA_CHECKSUM_BYTES : header + ROCECC_IFA_METADATA_BYTES;
    rocecc_edit_word *metadata = &edit->word[ROCECC_EDIT_FORMAT + 2];
    uint32_t sum = rocecc_edit_fill_sum(edit, ROCECC_IFA_NODE_BYTES);
    metadata->new_value =
        (uint16_t)(ifa->metadata.hop_limit << 8 | ifa->metadata.current_length);
    if (fresh) {
        const size_t mf = tail ? ifa->nodes.end + 2 : ifa->nodes.at - 2;
        rocecc_edit_set_word(edit, packet, (rocecc_edit_field)(ROCECC_EDIT_FORMAT + 3),
                             mf, (uint16_t)(rocecc_edit_load_word(packet, mf) + 2));
        sum += rocecc_ifa_covered_sum_(ifa);
    } else {
        sum += (uint16_t)~ifa->checksum.checksum;
        if (ifa->config.checksum == ROCECC_IFA_COVERS_METADATA)
            sum += (uint32_t)(uint16_t)~metadata->old_value + metadata->new_value;
    }
    if ((ifa->header.flags & ROCECC_IFA_FLAG_C) != 0)
        rocecc_edit_set_word(edit, packet, (rocecc_edit_field)(ROCECC_EDIT_FORMAT + 4),
                             at, rocecc_checksum_final(sum));
}

/*
 * Makes a plan that pushes a record at a transit node, and updates the checksum if C is
 * set. Returns CHANGE if the plan adds the record to the stack. Returns FRAGMENT
 * instead of FULL or MTU if the new record can replace all older records. The plan then
 * starts a new stack with the next MF ID. In this case, the caller must send the older
 * records to the collector before it applies the plan. A new stack is possible only if
 * MF and the domain's `fragments` are set, L is clear, the MF ID is below 31, and there
 * is an older record and room for the new record. If the verdict is neither CHANGE nor
 * FRAGMENT, the plan is empty, and the verdict is the first below that applies. Returns
 * NONE, BROKEN or UNSUPPORTED if rocecc_ifa_find() fails, CHECKSUM if C is set but its
 * coverage is unknown, HOPS if Hop Limit is 0, and FULL if the stack would be longer
 * than Max Length. Returns UNSUPPORTED or AH if rocecc_edit_may_change_upper() does.
 * These two verdicts take precedence over FULL if nothing else prevents a new stack.
 * Returns MTU or FULL if rocecc_edit_may_grow() does. Returns RANGE if
 * rocecc_ifa_node_fits() rejects the record, or if node->layout is not the domain's
 * layout for the record's name space.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_push(const rocecc_packet *packet,
                                              const rocecc_ifa_node *node,
                                              uint32_t mtu_bytes, rocecc_edit *out)
{
    rocecc_ifa h;
    uint8_t *record;
    size_t at, was = 0;
    const rocecc_status status = rocecc_ifa_find(packet, &h);
    rocecc_edit_verdict verdict;
    if (status != ROCECC_OK)
        return rocecc_edit_reject(out, rocecc_edit_status_verdict(status));
    verdict = rocecc_ifa_may_push_(packet, &h, mtu_bytes);
    verdict = rocecc_ifa_may_restart_stack_(packet, &h, mtu_bytes, verdict);
    (void)rocecc_edit_reject(out, verdict);
    if (verdict != ROCECC_EDIT_CHANGE && verdict != ROCECC_EDIT_FRAGMENT)
        return verdict;
    if (!rocecc_ifa_node_fits(node)) return rocecc_edit_reject(out, ROCECC_EDIT_RANGE);
    if (verdict == ROCECC_EDIT_FRAGMENT) {
        was = rocecc_left(&h.nodes);
        h.metadata.current_length = 0;
        h.fragment.mf_id++;
    }
    at = rocecc_ifa_is_tail_(&h.header) && was == 0 &&
                 h.config.tail == ROCECC_IFA_TAIL_NEWEST_LAST
             ? h.nodes.end
             : h.nodes.at;
    record = rocecc_edit_add_splice(out, at, was, ROCECC_IFA_NODE_BYTES);
    rocecc_ifa_node_store(record, node);
    if (rocecc_ifa_node_layout(&h.config, record) != node->layout)
        return rocecc_edit_reject(out, ROCECC_EDIT_RANGE);
    rocecc_ifa_pin_words_(out, packet, &h);
    h.metadata.hop_limit--;
    h.metadata.current_length =
        (uint8_t)(h.metadata.current_length + ROCECC_IFA_NODE_WORDS);
    rocecc_ifa_set_pushed_words_(out, packet, &h, verdict == ROCECC_EDIT_FRAGMENT);
    rocecc_edit_grow_ip(out, packet, (uint16_t)(ROCECC_IFA_NODE_BYTES - was));
    return verdict;
}

/*
 * Makes a plan that removes IFA at a sink. The caller must first read the records, and
 * verify the checksum, if any, with rocecc_ifa_verify(). Returns CHANGE on success.
 * Otherwise makes an empty plan and returns the first of the verdicts below that
 * applies. Returns NONE, BROKEN or UNSUPPORTED if rocecc_ifa_find() fails, and
 * UNSUPPORTED or AH if rocecc_edit_may_change_upper() does. Returns PROBE if flag I is
 * clear. The packet is then a clone or a probe, and the caller must drop it.
 */
ROCECC_FN rocecc_edit_verdict rocecc_ifa_strip(const rocecc_packet *packet,
                                               rocecc_edit *out)
{
    rocecc_ifa h;
    size_t at, proto_at;
    uint16_t bytes;
    rocecc_edit_verdict verdict;
    const rocecc_status status = rocecc_ifa_find(packet, &h);
    if (status != ROCECC_OK)
        return rocecc_edit_reject(out, rocecc_edit_status_verdict(status));
    bytes = (uint16_t)rocecc_ifa_stack_bytes(h.header.flags, h.metadata.current_length);
    at = rocecc_ifa_is_tail_(&h.header) ? h.nodes.at : h.l4.end;
    proto_at = rocecc_edit_proto_offset(packet);
    verdict = rocecc_edit_may_change_upper(packet, proto_at);
    if (verdict != ROCECC_EDIT_CHANGE) return rocecc_edit_reject(out, verdict);
    if ((h.header.flags & ROCECC_IFA_FLAG_I) == 0)
        return rocecc_edit_reject(out, ROCECC_EDIT_PROBE);
    (void)rocecc_edit_reject(out, ROCECC_EDIT_CHANGE);
    (void)rocecc_edit_add_splice(out, h.l4.at - ROCECC_IFA_HEADER_BYTES,
                                 ROCECC_IFA_HEADER_BYTES, 0);
    (void)rocecc_edit_add_splice(out, at, bytes, 0);
    rocecc_ifa_pin_words_(out, packet, &h);
    rocecc_edit_grow_ip(out, packet, (uint16_t) - (ROCECC_IFA_HEADER_BYTES + bytes));
    rocecc_edit_set_proto(out, packet, proto_at, h.header.next_hdr);
    return ROCECC_EDIT_CHANGE;
}

#endif /* ROCECC_PACKET_IFA_H */
