/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_CSIG_H
#define ROCECC_PACKET_CSIG_H

/*
 * csig.h - handles the CSIG tag of an Ethernet packet. A sender inserts the tag, ports
 * on the path update it, and a port that leads to a neighbour without CSIG strips it.
 * wire/csig.h describes the tag and the bucket table, and edit.h describes plans.
 * draft-ravi-ippm-csig-01.
 *
 *     h = rocecc_csig_neutral(&domain.csig, false, ROCECC_CSIG_ABW_C);
 *     rocecc_csig_insert(&p, &h, &e);                    0x9900 0x2f80 before 0x0800
 *     rocecc_csig_push(&p, &table, &port, &local, &e);   0x2f80 becomes 0x2203: bucket
 *                                                        4 of 32, and locator 3
 *     rocecc_csig_strip(&p, &e);
 *
 * At most two VLAN tags may precede the tag. A plan from strip() or push() fits any
 * packet with the same tag at the same offset. A plan from insert() fits any packet
 * with the same VLAN TPIDs and the same EtherType after them.
 */
#include "../wire/csig.h"
#include "edit.h"

/* Port actions for CSIG tags. */
typedef enum rocecc_csig_action_ {
    ROCECC_CSIG_PASS = 0, /* leave tags unchanged */
    ROCECC_CSIG_UPDATE,
    ROCECC_CSIG_STRIP /* for a neighbour without CSIG */
} ROCECC_IN_8_BITS_(rocecc_csig_action);

/* Configuration of an egress port. */
typedef struct rocecc_csig_port {
    ROCECC_ENUM8_(rocecc_csig_action) action;
    bool ignore_d; /* UEC: update a tag even if its d is set */
    uint16_t locator;
} rocecc_csig_port;

/*
 * Values that a port has measured, one per signal type, in the units of the bucket
 * table.
 */
typedef struct rocecc_csig_measured {
    uint64_t value[ROCECC_CSIG_TYPES];
} rocecc_csig_measured;

/* Verdicts of rocecc_csig_fold(). */
typedef enum rocecc_csig_verdict {
    ROCECC_CSIG_KEPT = 0, /* this hop is not worse than the tag */
    ROCECC_CSIG_WRITTEN,  /* this hop is the worst so far; the tag changes */
    ROCECC_CSIG_MARKED,   /* d forbids the update */
    ROCECC_CSIG_UNKNOWN,  /* the table has no buckets for the tag */
    ROCECC_CSIG_PASSED,   /* the port's action is PASS */
    ROCECC_CSIG_STRIPPED  /* the action is STRIP; the host must remove the tag */
} rocecc_csig_verdict;

/*
 * Looks up the bucket for the port's measured value of the tag's signal type. If this
 * bucket is worse than the tag's bucket, writes the new bucket and the port's locator
 * to *tag. A lower bucket is worse for ABW and ABW_C, and a higher bucket is worse for
 * PD and NQD. Returns the first of STRIPPED, PASSED, MARKED, UNKNOWN, KEPT and WRITTEN
 * that applies. *tag changes only if the result is WRITTEN. rocecc_csig_emit() checks
 * the locator's width, but this function does not. SAI-CSIG, 3.1.
 */
ROCECC_FN rocecc_csig_verdict rocecc_csig_fold(const rocecc_csig_table *table,
                                               const rocecc_csig_port *port,
                                               const rocecc_csig_measured *measured,
                                               rocecc_csig *tag)
{
    uint32_t bucket = 0;
    size_t type = tag->type;
    if (port->action == ROCECC_CSIG_STRIP) return ROCECC_CSIG_STRIPPED;
    if (port->action != ROCECC_CSIG_UPDATE) return ROCECC_CSIG_PASSED;
    if (tag->no_update && !port->ignore_d) return ROCECC_CSIG_MARKED;
    if (type >= ROCECC_CSIG_TYPES) return ROCECC_CSIG_UNKNOWN;
    ROCECC_BPF_MASK_(type, ROCECC_CSIG_TYPES - 1);
    if (rocecc_csig_quantise(table, tag, measured->value[type], &bucket) != ROCECC_OK)
        return ROCECC_CSIG_UNKNOWN;
    if (rocecc_csig_is_min(tag->type) ? bucket >= tag->value : bucket <= tag->value)
        return ROCECC_CSIG_KEPT;
    tag->value = bucket;
    tag->locator = port->locator;
    return ROCECC_CSIG_WRITTEN;
}

/*
 * Parses the CSIG tag of a packet. Returns NO_MATCH if the walk did not find a complete
 * tag, and SHORT if the tag has been cut off since the walk. On failure *out is
 * unchanged.
 */
ROCECC_FN rocecc_status rocecc_csig_find(const rocecc_packet *packet, rocecc_csig *out)
{
    rocecc_reader r =
        rocecc_subrange(packet->bytes, packet->headers.csig, packet->bytes.end);
    rocecc_status status = ROCECC_NO_MATCH;
    if (packet->headers.csig != 0)
        status = rocecc_csig_parse(&packet->domain->csig, &r, out);
    ROCECC_ASSUME_WRITTEN_(out);
    return status;
}

/*
 * Adds the 16-bit word at `offset` to a plan. If new_value is NULL, the plan checks the
 * word, but does not change it.
 */
ROCECC_FN void rocecc_csig_edit_word_(rocecc_edit *edit, const rocecc_packet *packet,
                                      int target, size_t offset,
                                      const uint8_t *new_value)
{
    rocecc_edit_set_word(edit, packet, (rocecc_edit_field)(ROCECC_EDIT_FORMAT + target),
                         offset,
                         new_value != NULL ? rocecc_load16(new_value)
                                           : rocecc_edit_load_word(packet, offset));
}

/*
 * Adds the words of the packet's tag to a plan. If `tag` is NULL, the plan checks these
 * words, but does not change them.
 */
ROCECC_FN void rocecc_csig_edit_words_(rocecc_edit *edit, const rocecc_packet *packet,
                                       const uint8_t *tag)
{
    const size_t at = packet->headers.csig;
    rocecc_csig_edit_word_(edit, packet, 0, at, NULL);
    rocecc_csig_edit_word_(edit, packet, 1, at + 2, tag != NULL ? tag + 2 : NULL);
    if (packet->headers.csig_bytes != ROCECC_CSIG_WIDE_BYTES) return;
    rocecc_csig_edit_word_(edit, packet, 2, at + 4, tag != NULL ? tag + 4 : NULL);
    rocecc_csig_edit_word_(edit, packet, 3, at + 6, tag != NULL ? tag + 6 : NULL);
}

/*
 * Returns the offset for a new tag, after the VLAN tags that directly follow the MAC
 * addresses. Sets *n_vlan to the number of these VLAN tags.
 */
ROCECC_FN size_t rocecc_csig_insert_offset_(const rocecc_packet *packet, size_t *n_vlan)
{
    const size_t types = ROCECC_ETHER_BYTES - 2;
    size_t i;
    for (i = 0; i < ROCECC_PACKET_VLAN_MAX && i < packet->headers.n_vlan; i++)
        if (packet->headers.vlan[i] != types + 4 * i + 2) break;
    *n_vlan = i;
    return packet->bytes.at + types + 4 * i;
}

/*
 * Makes a plan that inserts a tag at a sender. The tag is placed after the VLAN tags
 * that directly follow the MAC addresses. Returns CHANGE on success. Otherwise makes an
 * empty plan and returns the first of the following verdicts that applies. Returns NONE
 * if the packet does not begin with Ethernet, PRESENT if it has a CSIG tag, and
 * UNSUPPORTED if three VLAN tags directly follow the MAC addresses. Returns BROKEN if
 * the EtherType after the VLAN tags is cut off, if the walk returned SHORT in a layer
 * before ROCECC_LAYER_PPPOE, or if the packet begins beyond ROCECC_PACKET_START_MAX in
 * its buffer. Returns RANGE if rocecc_csig_emit() rejects `tag`, for example because
 * the domain does not set a TPID for the tag's form.
 */
ROCECC_FN rocecc_edit_verdict rocecc_csig_insert(const rocecc_packet *packet,
                                                 const rocecc_csig *tag,
                                                 rocecc_edit *out)
{
    const rocecc_headers *f = &packet->headers;
    const rocecc_headers_ip *ip = rocecc_packet_outermost(packet);
    const bool starts_with_ip = ip->version != 0 && ip->offset == packet->bytes.at;
    size_t n;
    const size_t at = rocecc_csig_insert_offset_(packet, &n);
    uint8_t tag_bytes[ROCECC_CSIG_WIDE_BYTES] = {0};
    rocecc_writer w = rocecc_writer_of(tag_bytes, tag_bytes + sizeof tag_bytes);
    rocecc_reader type = rocecc_subrange(packet->bytes, at, at + 2);
    uint8_t *to;
    size_t i;
    (void)rocecc_edit_reject(out, ROCECC_EDIT_NONE);
    if (packet->domain->link != ROCECC_LINK_ETHER || starts_with_ip)
        return ROCECC_EDIT_NONE;
    if (f->csig != 0) return rocecc_edit_reject(out, ROCECC_EDIT_PRESENT);
    if (n > ROCECC_PACKET_CSIG_VLAN_MAX)
        return rocecc_edit_reject(out, ROCECC_EDIT_UNSUPPORTED);
    if (rocecc_take(&type, 2) == NULL || f->status == ROCECC_ERR_RANGE ||
        (f->status == ROCECC_ERR_SHORT && f->stopped < ROCECC_LAYER_PPPOE))
        return rocecc_edit_reject(out, ROCECC_EDIT_BROKEN); /* tags may be missing */
    if (rocecc_csig_emit(&packet->domain->csig, &w, tag) != ROCECC_OK)
        return rocecc_edit_reject(out, ROCECC_EDIT_RANGE);
    (void)rocecc_edit_reject(out, ROCECC_EDIT_CHANGE);
    to = rocecc_edit_add_splice(out, at, 0, tag->wide ? 8 : 4);
    rocecc_store32(to, rocecc_load32(tag_bytes));
    if (tag->wide) rocecc_store32(to + 4, rocecc_load32(tag_bytes + 4));
    for (i = 0; i <= n; i++)
        rocecc_csig_edit_word_(out, packet, (int)i, at - 4 * i, NULL);
    return ROCECC_EDIT_CHANGE;
}

/*
 * Makes a plan that removes the tag. Returns CHANGE on success. Otherwise makes an
 * empty plan and returns one of the following verdicts. Returns NONE if
 * rocecc_csig_find() returns NO_MATCH, BROKEN if it returns SHORT, and UNSUPPORTED if
 * an 802.3 length field before the tag covers the tag.
 */
ROCECC_FN rocecc_edit_verdict rocecc_csig_strip(const rocecc_packet *packet,
                                                rocecc_edit *out)
{
    rocecc_csig h;
    const rocecc_status status = rocecc_csig_find(packet, &h);
    rocecc_edit_verdict verdict = rocecc_edit_status_verdict(status);
    if (status == ROCECC_OK && packet->headers.link != 0 &&
        packet->headers.link < packet->headers.csig)
        verdict = ROCECC_EDIT_UNSUPPORTED;
    (void)rocecc_edit_reject(out, verdict);
    if (verdict != ROCECC_EDIT_CHANGE) return verdict;
    (void)rocecc_edit_add_splice(out, packet->headers.csig, packet->headers.csig_bytes,
                                 0);
    rocecc_csig_edit_words_(out, packet, NULL);
    return verdict;
}

/*
 * Makes a plan that updates the tag at a port on the path. Returns NONE if
 * rocecc_csig_find() returns NO_MATCH, and BROKEN if it returns SHORT. Otherwise the
 * verdict depends on the result of rocecc_csig_fold(). After WRITTEN, returns CHANGE,
 * or RANGE if the locator is wider than its field. After PASSED, MARKED or KEPT,
 * returns NONE. After UNKNOWN, returns UNKNOWN. After STRIPPED, the plan and the
 * verdict come from rocecc_csig_strip(). If the verdict is not CHANGE, the plan is
 * empty.
 */
ROCECC_FN rocecc_edit_verdict rocecc_csig_push(const rocecc_packet *packet,
                                               const rocecc_csig_table *table,
                                               const rocecc_csig_port *port,
                                               const rocecc_csig_measured *measured,
                                               rocecc_edit *out)
{
    uint8_t tag[ROCECC_CSIG_WIDE_BYTES] = {0};
    rocecc_writer w = rocecc_writer_of(tag, tag + sizeof tag);
    rocecc_csig h;
    rocecc_csig_verdict what;
    const rocecc_status status = rocecc_csig_find(packet, &h);
    if (status != ROCECC_OK)
        return rocecc_edit_reject(out, rocecc_edit_status_verdict(status));
    what = rocecc_csig_fold(table, port, measured, &h);
    if (what == ROCECC_CSIG_STRIPPED) return rocecc_csig_strip(packet, out);
    if (what != ROCECC_CSIG_WRITTEN)
        return rocecc_edit_reject(out, what == ROCECC_CSIG_UNKNOWN ? ROCECC_EDIT_UNKNOWN
                                                                   : ROCECC_EDIT_NONE);
    if (rocecc_csig_emit(&packet->domain->csig, &w, &h) != ROCECC_OK)
        return rocecc_edit_reject(out, ROCECC_EDIT_RANGE);
    (void)rocecc_edit_reject(out, ROCECC_EDIT_CHANGE);
    rocecc_csig_edit_words_(out, packet, tag);
    return ROCECC_EDIT_CHANGE;
}

#endif /* ROCECC_PACKET_CSIG_H */
