/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_INTMD_H
#define ROCECC_PACKET_INTMD_H

/*
 * intmd.h - handles INT-MD in a UDP or TCP packet. rocecc_packet_parse() finds INT-MD,
 * a source inserts it, a transit switch pushes its own node, and a sink strips INT-MD.
 * wire/intmd.h shows the format, and edit.h describes plans. INT dataplane
 * specification 2.1.
 *
 *     rocecc_packet_parse(&domain, r, &p);
 *     rocecc_intmd_push(&p, &node, none, 1500, &e);   instructions 0xd500
 *     rocecc_edit_apply(&e, &w);                      24 bytes longer, one hop less;
 *                                                     w.at is the packet's end
 *
 * The domain configures how packets with INT are marked. A plan also updates the
 * lengths and checksums of IP, UDP and TCP. A wrong checksum stays wrong. mtu_bytes is
 * the maximum length of an IP packet on the outgoing link.
 */
#include "../wire/intmd.h"
#include "edit.h"

/* Ways to mark a packet that contains INT. */
typedef enum rocecc_intmd_mark_type_ {
    ROCECC_INTMD_MARK_PORT = 0, /* NPT 1, the domain's UDP port */
    ROCECC_INTMD_MARK_NEW_UDP,  /* NPT 2, a new UDP header before L4 */
    ROCECC_INTMD_MARK_DSCP,     /* NPT 0, the domain's DSCP */
    ROCECC_INTMD_MARK_PROBE     /* NPT 0, the domain's probe marker */
} ROCECC_IN_8_BITS_(rocecc_intmd_mark_type);

/*
 * Finds the INT shim in a packet. If out->type is ROCECC_INTMD_TYPE_MD, the caller can
 * parse out->body with rocecc_intmd_parse(). Returns NO_MATCH if the packet has no INT
 * mark, and SHORT if the shim or its body has been cut off since the walk. If the walk
 * failed at or before the shim, returns the walk's status, for example UNSUPPORTED for
 * a Type from v0.5 or v1.0 (see rocecc_intmd_match()), for NPT 3, or for INT after IFA.
 * On failure *out is unchanged.
 */
ROCECC_FN rocecc_status rocecc_intmd_find(const rocecc_packet *packet,
                                          rocecc_intmd_shim *out)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_status status = ROCECC_NO_MATCH;
    rocecc_reader r = rocecc_subrange(packet->bytes, f->intmd, f->ip.end);
    if (f->intmd != 0)
        status = rocecc_intmd_shim_parse(&r, out);
    else if (f->status != ROCECC_OK && f->stopped <= ROCECC_LAYER_INTMD)
        status = f->status;
    ROCECC_ASSUME_WRITTEN_(out);
    return status;
}

/*
 * Returns the mark of a packet. `shim` must come from rocecc_intmd_find(). For NPT 0,
 * returns MARK_DSCP if the packet has the domain's DSCP, even if it also has a probe
 * marker, and otherwise MARK_PROBE.
 */
ROCECC_FN rocecc_intmd_mark_type rocecc_intmd_mark_find(const rocecc_packet *packet,
                                                        const rocecc_intmd_shim *shim)
{
    const rocecc_intmd_config *c = &packet->domain->intmd;
    const uint32_t dscp = rocecc_edit_dscp(packet);
    if (shim->npt == ROCECC_INTMD_NPT_PORT) return ROCECC_INTMD_MARK_PORT;
    if (shim->npt == ROCECC_INTMD_NPT_NEW_UDP) return ROCECC_INTMD_MARK_NEW_UDP;
    return c->dscp_mask != 0 && ((dscp ^ c->dscp) & c->dscp_mask) == 0
               ? ROCECC_INTMD_MARK_DSCP
               : ROCECC_INTMD_MARK_PROBE;
}

ROCECC_FN uint16_t rocecc_intmd_mark_bytes_(rocecc_intmd_mark_type mark)
{
    return mark == ROCECC_INTMD_MARK_NEW_UDP || mark == ROCECC_INTMD_MARK_PROBE ? 8 : 0;
}

/*
 * Adds n_words 16-bit words (at most 5), starting at the shim, to the words that a plan
 * checks. The caller may set new values for these words afterwards.
 */
ROCECC_FN void rocecc_intmd_pin_words_(rocecc_edit *edit, const rocecc_packet *packet,
                                       int n_words)
{
    size_t at = packet->headers.intmd;
    int i;
    for (i = 0; i < 5; i++, at += 2)
        if (i < n_words)
            rocecc_edit_set_word(edit, packet,
                                 (rocecc_edit_field)(ROCECC_EDIT_FORMAT + i), at,
                                 rocecc_edit_load_word(packet, at));
}

/* Indices of the words that a push changes. */
#define ROCECC_INTMD_WORD_LENGTH_ ROCECC_EDIT_FORMAT      /* Type, NPT, Length */
#define ROCECC_INTMD_WORD_FLAGS_ (ROCECC_EDIT_FORMAT + 2) /* Ver, D, E, M */
#define ROCECC_INTMD_WORD_HOPS_ (ROCECC_EDIT_FORMAT + 3)  /* Hop ML, hop count */

/*
 * Returns true if a header sets a reserved instruction bit. Also returns true if the
 * header asks for domain-specific words, but its Domain Specific ID is 0 or differs
 * from config->ds_id.
 */
ROCECC_FN bool rocecc_intmd_asks_unknown_(const rocecc_intmd_config *config,
                                          const rocecc_intmd_header *header)
{
    return (header->instructions & ROCECC_INTMD_RESERVED) != 0 ||
           (header->hop_ml > rocecc_intmd_words(header->instructions) &&
            (header->ds_id == 0 || header->ds_id != config->ds_id));
}

/*
 * Returns CHANGE, or the first reason why a push is not possible. body_bytes is the
 * length of the shim's body.
 */
ROCECC_FN rocecc_edit_verdict rocecc_intmd_may_push_(const rocecc_packet *packet,
                                                     const rocecc_intmd_header *header,
                                                     size_t body_bytes,
                                                     uint32_t mtu_bytes)
{
    const uint32_t bytes = header->hop_ml * 4u;
    const rocecc_edit_verdict verdict =
        rocecc_edit_may_change_upper(packet, rocecc_edit_proto_offset(packet));
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    if (header->remaining_hop_count == 0) return ROCECC_EDIT_HOPS;
    if (!packet->domain->intmd.pad_unknown &&
        rocecc_intmd_asks_unknown_(&packet->domain->intmd, header))
        return ROCECC_EDIT_UNKNOWN;
    /* A sink expects the source-only words in the first node. */
    if (body_bytes == ROCECC_INTMD_HEADER_BYTES &&
        rocecc_intmd_count_source_words_(&packet->domain->intmd, header) != 0)
        return ROCECC_EDIT_BROKEN;
    if (body_bytes + bytes > ROCECC_INTMD_BODY_MAX_BYTES) return ROCECC_EDIT_FULL;
    return rocecc_edit_may_grow(packet, bytes, mtu_bytes);
}

/*
 * Finds and parses INT-MD. Sets *bytes to the length of the shim's body. In *header,
 * sets only the members that a push needs.
 */
ROCECC_FN rocecc_status rocecc_intmd_find_md_(const rocecc_packet *packet,
                                              rocecc_intmd_header *header,
                                              size_t *bytes)
{
    rocecc_intmd_shim shim;
    rocecc_intmd md;
    size_t hop_ml, instructions;
    rocecc_status status = rocecc_intmd_find(packet, &shim);
    if (status != ROCECC_OK) return status;
    if (shim.type != ROCECC_INTMD_TYPE_MD) return ROCECC_ERR_UNSUPPORTED;
    md.header = *header;
    status = rocecc_intmd_parse(&packet->domain->intmd, shim.body, &md);
    if (status != ROCECC_OK) return status;
    hop_ml = md.header.hop_ml;
    instructions = md.header.instructions;
    ROCECC_BPF_PART_(hop_ml);
    ROCECC_BPF_PART_(instructions);
    header->hop_ml = (uint8_t)hop_ml;
    header->instructions = (uint16_t)instructions;
    header->remaining_hop_count = md.header.remaining_hop_count;
    header->ds_id = md.header.ds_id;
    header->ds_instruction = md.header.ds_instruction;
    *bytes = rocecc_left(&shim.body);
    return ROCECC_OK;
}

/*
 * Adds to a plan a word that sets flag E (if `flag` is 4) or flag M (if `flag` is 2).
 * Also adds the new UDP or TCP checksum.
 */
ROCECC_FN void rocecc_intmd_set_flag_(rocecc_edit *edit, const rocecc_packet *packet,
                                      uint32_t flag)
{
    rocecc_edit_word *flags = &edit->word[ROCECC_INTMD_WORD_FLAGS_];
    rocecc_edit_sum s;
    rocecc_intmd_pin_words_(edit, packet, 5);
    flags->new_value = (uint16_t)(flags->old_value | flag << 8);
    s.removed = flags->old_value;
    s.added = flags->new_value;
    rocecc_edit_grow_upper(edit, packet, 0, s);
}

ROCECC_FN bool rocecc_intmd_needs_complement_(const rocecc_packet *packet,
                                              const rocecc_intmd_header *header,
                                              const rocecc_intmd_node *node)
{
    const bool udp = packet->headers.ip.proto == ROCECC_PROTO_UDP;
    return packet->domain->intmd.complement && (header->instructions & 1) != 0 &&
           !rocecc_intmd_has(node, ROCECC_INTMD_ITEM_CHECKSUM_COMPLEMENT) &&
           !(udp && rocecc_edit_load_word(packet, packet->headers.ip.upper + 6u) == 0);
}

/*
 * Writes the checksum complement to the node's last word, and adds it to *sum. The
 * complement compensates for the changes in *sum, and for the growth of the packet by
 * `bytes` bytes.
 */
ROCECC_FN void rocecc_intmd_set_complement_(rocecc_edit *edit,
                                            const rocecc_packet *packet, uint16_t bytes,
                                            rocecc_edit_sum *sum)
{
    const bool udp = packet->headers.ip.proto == ROCECC_PROTO_UDP;
    const uint32_t is = sum->added + (udp ? bytes * 2u : bytes);
    const uint16_t v =
        (uint16_t)~rocecc_checksum_final(sum->removed + rocecc_checksum_final(is));
    size_t last = bytes - 4u;
    ROCECC_BPF_KEEP_(last);
    if (last > ROCECC_EDIT_FILL_MAX - 4) return;
    rocecc_store32(edit->fill + last, v);
    sum->added += v; /* replaces all ones, which add 0 */
}

/*
 * Makes a plan that pushes `node` at a transit switch. `ds` holds the node's
 * domain-specific words. If `ds` is empty, these words are all ones. If the header asks
 * for a checksum complement that `node` does not have, the complement is all ones.
 * However, if the domain sets `complement` and the packet has a UDP or TCP checksum,
 * the plan computes a complement that keeps this checksum unchanged. Returns CHANGE on
 * success, and otherwise the first of the verdicts below that applies. If the verdict
 * is HOPS, the plan sets flag E. If the verdict is MTU, the plan sets flag M. The
 * caller must apply these plans, too. For any other verdict except CHANGE, the plan is
 * empty. Returns NONE, BROKEN or UNSUPPORTED if rocecc_intmd_find() or
 * rocecc_intmd_parse() fails, and UNSUPPORTED if the Type is not INT-MD. Returns
 * UNSUPPORTED or AH if rocecc_edit_may_change_upper() does. Returns HOPS if Remaining
 * Hop Count is 0, UNKNOWN if the header asks for unknown items and the domain's
 * pad_unknown is not set, and BROKEN if the domain's source_words require a node from
 * the source, but INT does not contain a node yet. Returns FULL if the shim's Length
 * would overflow, MTU or FULL if rocecc_edit_may_grow() does, and RANGE if `ds` is
 * neither empty nor as long as Hop ML requires.
 */
ROCECC_FN rocecc_edit_verdict rocecc_intmd_push(const rocecc_packet *packet,
                                                const rocecc_intmd_node *node,
                                                rocecc_reader ds, uint32_t mtu_bytes,
                                                rocecc_edit *out)
{
    rocecc_intmd_header h = rocecc_intmd_header_init(0, 0);
    size_t body_bytes = 0;
    const rocecc_status status = rocecc_intmd_find_md_(packet, &h, &body_bytes);
    const uint16_t bytes = (uint16_t)(h.hop_ml * 4u);
    rocecc_edit_verdict verdict = rocecc_edit_status_verdict(status);
    rocecc_edit_word *length = &out->word[ROCECC_INTMD_WORD_LENGTH_];
    rocecc_edit_word *hops = &out->word[ROCECC_INTMD_WORD_HOPS_];
    rocecc_writer fill = rocecc_writer_of(out->fill, out->fill + ROCECC_EDIT_FILL_MAX);
    rocecc_edit_sum s;
    if (status == ROCECC_OK)
        verdict = rocecc_intmd_may_push_(packet, &h, body_bytes, mtu_bytes);
    (void)rocecc_edit_reject(out, verdict);
    if (verdict == ROCECC_EDIT_HOPS) rocecc_intmd_set_flag_(out, packet, 4);
    if (verdict == ROCECC_EDIT_MTU) rocecc_intmd_set_flag_(out, packet, 2);
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    if (rocecc_intmd_node_bytes(&h, &ds) != bytes)
        return rocecc_edit_reject(out, ROCECC_EDIT_RANGE);
    (void)rocecc_intmd_node_emit(&fill, &h, node, ds);
    (void)rocecc_edit_add_splice(out, packet->headers.intmd + 16u, 0, bytes);
    rocecc_intmd_pin_words_(out, packet, 5);
    length->new_value = (uint16_t)(length->old_value + h.hop_ml);
    hops->new_value = (uint16_t)(hops->old_value - 1);
    s.removed = (uint32_t)length->old_value + hops->old_value;
    s.added = rocecc_edit_fill_sum(out, bytes) + length->new_value + hops->new_value;
    if (rocecc_intmd_needs_complement_(packet, &h, node))
        rocecc_intmd_set_complement_(out, packet, bytes, &s);
    rocecc_edit_grow_upper(out, packet, bytes, s);
    rocecc_edit_grow_ip(out, packet, bytes);
    return verdict;
}

/* A source's request to insert INT. */
typedef struct rocecc_intmd_source {
    ROCECC_ENUM8_(rocecc_intmd_mark_type) mark; /* must be enabled */
    uint16_t src_port;          /* in a new UDP header, a hash of the flow */
    uint32_t mtu_bytes;         /* longest IP packet on the outgoing link */
    rocecc_intmd_header header; /* Remaining Hop Count includes the source */
} rocecc_intmd_source;

ROCECC_FN bool rocecc_intmd_can_mark_(const rocecc_packet *packet, uint8_t mark)
{
    const rocecc_intmd_config *c = &packet->domain->intmd;
    const bool udp = packet->headers.ip.proto == ROCECC_PROTO_UDP;
    const bool upper = udp || packet->headers.ip.proto == ROCECC_PROTO_TCP;
    if (mark == ROCECC_INTMD_MARK_PORT) return c->udp_port != 0 && udp;
    if (mark == ROCECC_INTMD_MARK_NEW_UDP) return c->udp_port != 0;
    if (mark == ROCECC_INTMD_MARK_DSCP) return c->dscp_mask != 0 && upper;
    return mark == ROCECC_INTMD_MARK_PROBE && c->probe_marker != 0 && upper;
}

/*
 * Returns the number of bytes of the UDP or TCP header that precede INT, or 0 if the
 * header is cut off or its lengths are wrong.
 */
ROCECC_FN size_t rocecc_intmd_l4_bytes_(const rocecc_packet *packet)
{
    const rocecc_headers_ip *ip = &packet->headers.ip;
    rocecc_reader r = rocecc_subrange(packet->bytes, ip->upper, ip->end);
    const bool udp = ip->proto == ROCECC_PROTO_UDP;
    size_t bytes = udp ? ROCECC_UDP_BYTES : ROCECC_TCP_BYTES;
    const uint8_t *b = rocecc_take(&r, udp ? 8 : 20);
    if (b == NULL) return 0;
    if (udp)
        return rocecc_load16(b + 4) >= bytes &&
                       (size_t)ip->upper + rocecc_load16(b + 4) <= ip->end
                   ? bytes
                   : 0;
    if (b[12] >> 4 < 5) return 0;
    if (!packet->domain->intmd.before_options) bytes = (size_t)(b[12] >> 4) * 4;
    return rocecc_take(&r, (size_t)(b[12] >> 4) * 4 - 20) != NULL ? bytes : 0;
}

/*
 * If INT can be inserted, returns CHANGE and sets *out to the offset at which to insert
 * it. Otherwise, returns the reason.
 */
ROCECC_FN rocecc_edit_verdict rocecc_intmd_may_insert_(const rocecc_packet *packet,
                                                       uint8_t mark, size_t *out)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_edit_verdict verdict;
    size_t before = 0;
    if (f->stopped < ROCECC_LAYER_UPPER) return rocecc_edit_status_verdict(f->status);
    if (f->ip.version == 0) return ROCECC_EDIT_NONE;
    if (f->intmd != 0) return ROCECC_EDIT_PRESENT;
    if (f->ip.proto == ROCECC_PROTO_UDP || f->ip.proto == ROCECC_PROTO_TCP) {
        before = rocecc_intmd_l4_bytes_(packet);
        if (before != 0 && f->stopped == ROCECC_LAYER_INTMD) return ROCECC_EDIT_PRESENT;
    }
    verdict = rocecc_edit_may_change_upper(packet, rocecc_edit_proto_offset(packet));
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    if (!rocecc_intmd_can_mark_(packet, mark)) return ROCECC_EDIT_NONE;
    *out = f->ip.upper;
    if (mark == ROCECC_INTMD_MARK_NEW_UDP) return ROCECC_EDIT_CHANGE;
    *out += before;
    return before != 0 ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_BROKEN;
}

/*
 * Returns true if the source's header is valid and the node is at most 240 bytes long.
 * `record` is the node's length in bytes.
 */
ROCECC_FN bool rocecc_intmd_source_fits_(const rocecc_intmd_source *source,
                                         size_t record)
{
    const rocecc_intmd_header *h = &source->header;
    return h->ver == ROCECC_INTMD_VER && h->reserved >> 12 == 0 &&
           h->hop_ml >> 5 == 0 && rocecc_intmd_hop_ml_fits(h) &&
           record <= ROCECC_EDIT_FILL_MAX - 24;
}

/*
 * Adds to a plan the changes that a mark makes to the headers before INT. Except for
 * MARK_NEW_UDP, also updates UDP Length, and the UDP or TCP checksum, for `bytes`
 * inserted bytes. `sum` is the sum of these bytes.
 */
ROCECC_FN void rocecc_intmd_set_mark_(rocecc_edit *edit, const rocecc_packet *packet,
                                      uint8_t mark, uint16_t bytes, rocecc_edit_sum sum)
{
    const rocecc_intmd_config *c = &packet->domain->intmd;
    const uint32_t dscp = rocecc_edit_dscp(packet);
    const size_t port = packet->headers.ip.upper + 2u;
    if (mark == ROCECC_INTMD_MARK_NEW_UDP) {
        rocecc_edit_set_proto(edit, packet, rocecc_edit_proto_offset(packet),
                              ROCECC_PROTO_UDP);
        return;
    }
    if (mark == ROCECC_INTMD_MARK_PORT) {
        sum.removed += rocecc_edit_load_word(packet, port);
        sum.added += c->udp_port;
        rocecc_edit_set_word(edit, packet, ROCECC_EDIT_UDP_PORT, port, c->udp_port);
    } else if (mark == ROCECC_INTMD_MARK_DSCP) {
        rocecc_edit_set_dscp(
            edit, packet,
            (uint8_t)((dscp & ~(uint32_t)c->dscp_mask) | (c->dscp & c->dscp_mask)));
    }
    rocecc_edit_grow_upper(edit, packet, bytes, sum);
}

/*
 * Writes the mark, the shim and the INT-MD header to edit->fill, and returns their
 * length.
 */
ROCECC_FN size_t rocecc_intmd_put_headers_(rocecc_edit *edit,
                                           const rocecc_packet *packet,
                                           const rocecc_intmd_source *source,
                                           const rocecc_intmd_header *header,
                                           size_t record_bytes)
{
    const rocecc_headers_ip *ip = &packet->headers.ip;
    const size_t mark = rocecc_intmd_mark_bytes_(source->mark);
    uint8_t *b = edit->fill + mark;
    rocecc_intmd_shim shim;
    rocecc_udp udp;
    shim.type = ROCECC_INTMD_TYPE_MD;
    shim.npt = ROCECC_INTMD_NPT_NONE;
    shim.reserved = 0;
    shim.original = (uint16_t)(rocecc_edit_dscp(packet) << 2);
    if (source->mark == ROCECC_INTMD_MARK_PORT) {
        shim.npt = ROCECC_INTMD_NPT_PORT;
        shim.original = rocecc_edit_load_word(packet, ip->upper + 2u);
    } else if (source->mark == ROCECC_INTMD_MARK_NEW_UDP) {
        shim.npt = ROCECC_INTMD_NPT_NEW_UDP;
        shim.original = ip->proto;
        udp.src_port = source->src_port;
        udp.dst_port = packet->domain->intmd.udp_port;
        udp.length = (uint16_t)(ip->end - ip->upper + mark + 16 + record_bytes);
        udp.checksum = 0; /* RFC 6936 */
        rocecc_udp_store(edit->fill, &udp);
    } else if (source->mark == ROCECC_INTMD_MARK_PROBE) {
        rocecc_store64(edit->fill, packet->domain->intmd.probe_marker);
    }
    rocecc_store32(b, rocecc_intmd_shim_word(&shim, 3 + record_bytes / 4));
    rocecc_intmd_header_store(b + ROCECC_INTMD_SHIM_BYTES, header);
    return mark + ROCECC_INTMD_SHIM_BYTES + ROCECC_INTMD_HEADER_BYTES;
}

/*
 * Makes a plan that inserts INT at a source. The plan inserts the shim, the INT-MD
 * header and, unless `node` is NULL, the source's own node after the UDP or TCP header.
 * For MARK_NEW_UDP, the plan inserts a new UDP header, and this data after it, before
 * L4. If the packet would exceed the MTU with the node but not without it, the
 * plan omits the node and sets flag M. The plan decrements Remaining Hop Count only if
 * it inserts the node. It always clears flag E. `ds` has the same meaning as in
 * rocecc_intmd_push(), but may have more words than Hop ML requires. Returns CHANGE on
 * success. Otherwise makes an empty plan and returns the first of the verdicts below
 * that applies. Returns RANGE if source->header has a version other than 2, if its
 * Reserved or Hop ML does not fit the field, or if its Hop ML does not fit the
 * instructions. With a node, also returns RANGE if a non-empty `ds` is too short for
 * Hop ML or has an incomplete word, if Remaining Hop Count is 0, or if the node is
 * longer than 240 bytes. Returns NONE if the packet is not IP, BROKEN or UNSUPPORTED if
 * the walk failed before the upper layer, and PRESENT if the packet has INT (even
 * unreadable INT). Returns UNSUPPORTED or AH if rocecc_edit_may_change_upper() does.
 * Returns NONE if the mark is not enabled, or if the mark requires a different L4
 * protocol (MARK_PORT requires UDP, and MARK_DSCP and MARK_PROBE require UDP or TCP).
 * Returns BROKEN if the UDP or TCP header before the new INT is cut off or has wrong
 * lengths. Returns MTU or FULL if rocecc_edit_may_grow() does, but returns MTU only if
 * the packet would be too long even without the node.
 */
ROCECC_FN rocecc_edit_verdict rocecc_intmd_insert(const rocecc_packet *packet,
                                                  const rocecc_intmd_source *source,
                                                  const rocecc_intmd_node *node,
                                                  rocecc_reader ds, rocecc_edit *out)
{
    const size_t head = 16u + rocecc_intmd_mark_bytes_(source->mark);
    rocecc_writer fill = rocecc_writer_of(out->fill, out->fill + ROCECC_EDIT_FILL_MAX);
    rocecc_intmd_header h = source->header;
    rocecc_edit_verdict verdict = ROCECC_EDIT_RANGE;
    rocecc_edit_sum sum = {0, 0};
    size_t record = 0, at = 0;
    uint16_t bytes;
    if (node != NULL) record = rocecc_intmd_node_bytes(&h, &ds);
    if (rocecc_intmd_source_fits_(source, record) &&
        (node == NULL || (record != 0 && h.remaining_hop_count != 0)))
        verdict = rocecc_intmd_may_insert_(packet, source->mark, &at);
    if (verdict != ROCECC_EDIT_CHANGE) return rocecc_edit_reject(out, verdict);
    ROCECC_BPF_PART_(at);
    verdict =
        rocecc_edit_may_grow(packet, (uint32_t)(head + record), source->mtu_bytes);
    if (verdict == ROCECC_EDIT_MTU) {
        record = 0;
        verdict = rocecc_edit_may_grow(packet, (uint32_t)head, source->mtu_bytes);
    }
    (void)rocecc_edit_reject(out, verdict);
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    h.e = false;
    h.m = h.m || (node != NULL && record == 0);
    if (record != 0) h.remaining_hop_count = (uint8_t)(h.remaining_hop_count - 1);
    fill.at = rocecc_intmd_put_headers_(out, packet, source, &h, record);
    if (record != 0) (void)rocecc_intmd_node_emit(&fill, &h, node, ds);
    bytes = (uint16_t)(head + record);
    (void)rocecc_edit_add_splice(out, at, 0, bytes);
    sum.added = rocecc_edit_fill_sum(out, bytes);
    rocecc_intmd_set_mark_(out, packet, source->mark, bytes, sum);
    /* The plan checks this word, because `at` depends on Data Offset. */
    if (source->mark != ROCECC_INTMD_MARK_NEW_UDP &&
        packet->headers.ip.proto == ROCECC_PROTO_TCP)
        rocecc_edit_set_word(
            out, packet, ROCECC_EDIT_FORMAT, packet->headers.ip.upper + 12u,
            rocecc_edit_load_word(packet, packet->headers.ip.upper + 12u));
    rocecc_edit_grow_ip(out, packet, bytes);
    return verdict;
}

/*
 * Restores the UDP port or the DSCP if the mark has replaced it. Also updates UDP
 * Length, and the UDP or TCP checksum. `added_bytes` is the growth of the packet
 * (modulo 2^16), and `sum` contains the sums of the changed words.
 */
ROCECC_FN void rocecc_intmd_remove_mark_(rocecc_edit *edit, const rocecc_packet *packet,
                                         const rocecc_intmd_shim *shim,
                                         uint16_t added_bytes, rocecc_edit_sum sum)
{
    const size_t port = packet->headers.ip.upper + 2u;
    const rocecc_intmd_mark_type mark = rocecc_intmd_mark_find(packet, shim);
    if (mark == ROCECC_INTMD_MARK_PORT) {
        sum.removed += rocecc_edit_load_word(packet, port);
        sum.added += shim->original;
        rocecc_edit_set_word(edit, packet, ROCECC_EDIT_UDP_PORT, port, shim->original);
    } else if (mark == ROCECC_INTMD_MARK_DSCP) {
        rocecc_edit_set_dscp(edit, packet, (uint8_t)(shim->original >> 2 & 0x3f));
    }
    rocecc_edit_grow_upper(edit, packet, added_bytes, sum);
}

/* Returns the sum of the four 16-bit words before the shim. */
ROCECC_FN uint32_t rocecc_intmd_mark_sum_(const rocecc_packet *packet)
{
    const size_t at = packet->headers.intmd;
    return (uint32_t)rocecc_edit_load_word(packet, at - 8) +
           rocecc_edit_load_word(packet, at - 6) +
           rocecc_edit_load_word(packet, at - 4) +
           rocecc_edit_load_word(packet, at - 2);
}

/*
 * Makes a plan that removes INT and its mark at a sink. The plan removes INT of any
 * known Type, even if the body is unreadable. The caller must read the nodes and flag D
 * before it applies the plan. Returns CHANGE on success. Otherwise makes an empty plan
 * and returns one of the verdicts below. Returns NONE, BROKEN or UNSUPPORTED if
 * rocecc_intmd_find() fails, and UNSUPPORTED or AH if rocecc_edit_may_change_upper()
 * does.
 */
ROCECC_FN rocecc_edit_verdict rocecc_intmd_strip(const rocecc_packet *packet,
                                                 rocecc_edit *out)
{
    const size_t shim = packet->headers.intmd;
    rocecc_edit_sum s = {0, 0};
    rocecc_intmd_shim h;
    size_t sum, proto_at, before;
    rocecc_edit_verdict verdict;
    uint16_t bytes;
    const rocecc_status status = rocecc_intmd_find(packet, &h);
    if (status != ROCECC_OK)
        return rocecc_edit_reject(out, rocecc_edit_status_verdict(status));
    sum = rocecc_checksum_update(0, rocecc_subrange(packet->bytes, shim, h.body.end));
    ROCECC_BPF_PART_(sum);
    proto_at = rocecc_edit_proto_offset(packet);
    verdict = rocecc_edit_may_change_upper(packet, proto_at);
    if (verdict != ROCECC_EDIT_CHANGE) return rocecc_edit_reject(out, verdict);
    before = rocecc_intmd_mark_bytes_(rocecc_intmd_mark_find(packet, &h));
    ROCECC_BPF_PART_(before);
    bytes = (uint16_t)(before + h.body.end - shim);
    (void)rocecc_edit_reject(out, ROCECC_EDIT_CHANGE);
    (void)rocecc_edit_add_splice(out, shim - before, bytes, 0);
    rocecc_intmd_pin_words_(out, packet, 2);
    rocecc_edit_grow_ip(out, packet, (uint16_t)-bytes);
    if (h.npt == ROCECC_INTMD_NPT_NEW_UDP) {
        rocecc_edit_set_proto(out, packet, proto_at, (uint8_t)h.original);
        return ROCECC_EDIT_CHANGE;
    }
    s.removed = (uint32_t)sum;
    if (before != 0) s.removed += rocecc_intmd_mark_sum_(packet);
    rocecc_intmd_remove_mark_(out, packet, &h, (uint16_t)-bytes, s);
    return ROCECC_EDIT_CHANGE;
}

#endif /* ROCECC_PACKET_INTMD_H */
