/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_CSIG_H
#define ROCECC_PACKET_CSIG_H

/*
 * csig.h - a CSIG tag in a packet: put in by a sender, made worse by a port on the
 * path, taken out before a neighbour that does not know it. wire/csig.h has the tag and
 * the table of buckets, edit.h what a plan is. draft-ravi-ippm-csig-01.
 *
 *     h = rocecc_csig_neutral(&domain.csig, false, ROCECC_CSIG_ABW_C);
 *     rocecc_csig_insert(&p, &h, &e);                    0x9900 0x2f80 before 0x0800
 *     rocecc_csig_push(&p, &table, &port, &local, &e);   0x2f80 becomes 0x2203: bucket
 *                                                        4 of 32, and locator 3
 *     rocecc_csig_strip(&p, &e);
 *
 * The tag stands after VLAN tags, two at most, and lengths and checksums of IP do not
 * cover it. A plan is for packets with this tag, or these VLAN tags; if they are the
 * same, the rest of the packet may be another.
 */
#include "../wire/csig.h"
#include "edit.h"

typedef enum rocecc_csig_action_ {
    ROCECC_CSIG_PASS = 0, /* tags go through as they are */
    ROCECC_CSIG_UPDATE,
    ROCECC_CSIG_STRIP /* towards a neighbour that does not know them */
} ROCECC_IN_8_BITS_(rocecc_csig_action);

/* An egress port. */
typedef struct rocecc_csig_port {
    ROCECC_ENUM8_(rocecc_csig_action) action;
    bool ignore_d; /* UEC: d does not keep this port from updating */
    uint16_t locator;
} rocecc_csig_port;

/* What a port measured, by type and in the units of its table. */
typedef struct rocecc_csig_measured {
    uint64_t value[ROCECC_CSIG_TYPES];
} rocecc_csig_measured;

typedef enum rocecc_csig_verdict {
    ROCECC_CSIG_KEPT = 0, /* this hop is not worse: another was as bad before */
    ROCECC_CSIG_WRITTEN,  /* this hop is the worst so far */
    ROCECC_CSIG_MARKED,   /* d is set */
    ROCECC_CSIG_UNKNOWN,  /* of a type without buckets here */
    ROCECC_CSIG_PASSED,   /* the port's action */
    ROCECC_CSIG_STRIPPED  /* the same: the tag is to be taken out */
} rocecc_csig_verdict;

/*
 * What becomes of a tag at a port, which compares what it measured with the tag. A tie
 * leaves the tag. *tag changes with WRITTEN alone. SAI-CSIG, 3.1.
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

/* The tag of a packet. NO_MATCH: it has none, or was cut in it already when it was
 * walked. SHORT: it has been cut there since. */
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

/* Compares the 16 bits at `offset`, or sets them. */
ROCECC_FN void rocecc_csig_edit_word_(rocecc_edit *edit, const rocecc_packet *packet,
                                      int target, size_t offset,
                                      const uint8_t *new_value)
{
    rocecc_edit_set_word(edit, packet, (rocecc_edit_field)(ROCECC_EDIT_FORMAT + target),
                         offset,
                         new_value != NULL ? rocecc_load16(new_value)
                                           : rocecc_edit_load_word(packet, offset));
}

/* The 16 bits of the tag, each: compared where tag is NULL. */
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
 * Where a tag goes: after the VLAN tags that follow the addresses; *n_vlan is how many.
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
 * Sender: puts a tag after the addresses and VLAN tags. NONE: the packet does not begin
 * with Ethernet. BROKEN: it ends in a tag or before its type, or begins too far in its
 * buffer. PRESENT. UNSUPPORTED: it has three VLAN tags. RANGE: as rocecc_csig_emit().
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
        return rocecc_edit_reject(out, ROCECC_EDIT_BROKEN); /* in a tag */
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
 * Takes the tag out. NONE: find() has NO_MATCH. BROKEN: it has SHORT. UNSUPPORTED: a
 * length of 802.3 counts the tag.
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
 * A port on the path: where what it measured is worse, its bucket and locator become
 * the tag's; as the port says, the tag goes through, or is taken out. NONE: find() has
 * NO_MATCH, or the tag stays as it is. UNKNOWN: the table has no buckets for it. RANGE:
 * the locator is wider than the tag's field. BROKEN: find() has SHORT.
 * rocecc_csig_fold() tells more.
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
