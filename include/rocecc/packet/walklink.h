/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_WALKLINK_H
#define ROCECC_PACKET_WALKLINK_H

/*
 * walklink.h - the first part of the walk, from Ethernet to IP or a GRH. walk.h
 * contains the second part and the rules for lengths.
 *
 *   Ethernet 12 | VLAN 4 ... | CSIG 4 or 8 | VLAN 4 | CN-TAG 4 | type 2 | IP or GRH
 *               | E-TAG 8, VN-Tag 6, Arista's timestamp 12 or 14, Cisco's metadata 8
 *               | length 2 | LLC 3 | SNAP 5, with a type at its end
 *               | type 0x8864 | PPPoE 6 | protocol 2 | IP
 *               | type 0x8847 | MPLS 4 ... | IP, or a pseudowire
 *
 *     81 00 20 05 08 00     VLAN 5, priority 1: n_vlan is 1, vlan[0] is 14, and IPv4
 *                           follows
 *     00 44 aa aa 03 00 00 00 08 00      802.3: 68 bytes follow the length, 8 of them
 *                           LLC and SNAP; link is 12
 */
#include "../wire/overlay.h"
#include "headers.h"

/*
 * Position of a walk. Functions for rare packets get a copy of this struct, so that the
 * compiler can keep the original in registers for most packets.
 */
typedef struct rocecc_walk {
    rocecc_reader reader;
    size_t declared; /* end that a length has declared, or SIZE_MAX */
    const rocecc_domain *domain;
    uint16_t next; /* copied to headers.next at the end of the walk */
    bool copied;   /* the packet is in an overlay that may have cut it */
} rocecc_walk;

/*
 * Declares that the packet ends at offset `end`, and limits walk->reader to this end.
 * Returns FORMAT and changes nothing if `end` is beyond the end declared so far.
 */
ROCECC_INLINE rocecc_status rocecc_walk_declare(rocecc_walk *walk, size_t end)
{
    if (end > walk->declared) return ROCECC_ERR_FORMAT;
    walk->declared = end;
    if (end < walk->reader.end) walk->reader.end = end;
    return ROCECC_OK;
}

/* Adds the bits of `kind` to headers->kind. If the PARTIAL bit is set, it stays set. */
ROCECC_INLINE void rocecc_walk_add_kind_(rocecc_headers *headers,
                                         rocecc_packet_kind kind)
{
    headers->kind = (rocecc_packet_kind)((unsigned)headers->kind | (unsigned)kind);
}

/*
 * Marks a packet as partial for the reason `why`. `why` must not be NONE. If the packet
 * is already partial, its earlier reason is kept.
 */
ROCECC_INLINE void rocecc_walk_set_partial(rocecc_headers *headers, rocecc_partial why)
{
    if (headers->partial != ROCECC_PARTIAL_NONE) return;
    headers->partial = why;
    rocecc_walk_add_kind_(headers, ROCECC_PACKET_KIND_PARTIAL);
}

/*
 * Declares that the packet ends at offset `end`, according to the length in an IP
 * header or a GRH. There are three cases if `end` is beyond the end declared so far. A
 * partial packet keeps the earlier end. A packet without an outer IP header becomes
 * MIRRORED and ends at `end` if walk->copied is set. For any other packet, returns
 * FORMAT and changes nothing.
 */
ROCECC_INLINE rocecc_status rocecc_walk_declare_packet(rocecc_walk *walk,
                                                       rocecc_headers *headers,
                                                       size_t end)
{
    if (!ROCECC_UNLIKELY_(end > walk->declared)) return rocecc_walk_declare(walk, end);
    if (headers->partial != ROCECC_PARTIAL_NONE) return ROCECC_OK;
    if (!walk->copied || headers->outer.version != 0) return ROCECC_ERR_FORMAT;
    walk->declared = end;
    rocecc_walk_set_partial(headers, ROCECC_PARTIAL_MIRRORED);
    return ROCECC_OK;
}

/*
 * Steps over a VLAN tag in a packet that begins at `start`. Returns UNSUPPORTED after
 * ROCECC_PACKET_VLAN_MAX VLAN tags or after a CN-TAG.
 */
ROCECC_INLINE rocecc_status rocecc_walk_vlan_(rocecc_walk *walk,
                                              rocecc_headers *headers, size_t start)
{
    const size_t at = walk->reader.at;
    const uint8_t *b;
    headers->stopped = ROCECC_LAYER_VLAN;
    if (headers->n_vlan >= ROCECC_PACKET_VLAN_MAX || headers->cntag != 0)
        return ROCECC_ERR_UNSUPPORTED;
    b = rocecc_take(&walk->reader, ROCECC_VLAN_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    /* A variable index would keep clang from holding *headers in registers. */
    if (headers->n_vlan == 0)
        headers->vlan[0] = (uint8_t)(at - start);
    else if (headers->n_vlan == 1)
        headers->vlan[1] = (uint8_t)(at - start);
    else
        headers->vlan[2] = (uint8_t)(at - start);
    headers->n_vlan++;
    walk->next = rocecc_load16(b + 2);
    return ROCECC_OK;
}

/*
 * Steps over a CSIG tag. `bytes` is the tag's length, 4 or, for a wide tag, 8. The
 * length includes the TPID, which directly precedes the reader.
 */
ROCECC_INLINE rocecc_status rocecc_walk_csig_(rocecc_walk *walk,
                                              rocecc_headers *headers, size_t bytes)
{
    const size_t at = walk->reader.at - 2;
    const uint8_t *b;
    headers->stopped = ROCECC_LAYER_CSIG;
    if (headers->csig != 0 || headers->cntag != 0 ||
        headers->n_vlan > ROCECC_PACKET_CSIG_VLAN_MAX)
        return ROCECC_ERR_UNSUPPORTED;
    if (bytes == ROCECC_CSIG_WIDE_BYTES && rocecc_take(&walk->reader, 4) == NULL)
        return ROCECC_ERR_SHORT;
    b = rocecc_take(&walk->reader, 4);
    if (b == NULL) return ROCECC_ERR_SHORT;
    headers->csig = (uint16_t)at;
    headers->csig_bytes = (uint8_t)bytes;
    walk->next = rocecc_load16(b + 2);
    return ROCECC_OK;
}

ROCECC_INLINE rocecc_status rocecc_walk_cntag_(rocecc_walk *walk,
                                               rocecc_headers *headers)
{
    const size_t at = walk->reader.at - 2;
    const uint8_t *b;
    headers->stopped = ROCECC_LAYER_CNTAG;
    if (headers->cntag != 0) return ROCECC_ERR_UNSUPPORTED;
    b = rocecc_take(&walk->reader, ROCECC_CNTAG_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    headers->cntag = (uint16_t)at;
    walk->next = rocecc_load16(b + 2);
    return ROCECC_OK;
}

/*
 * Steps over LLC and SNAP after a length field (RFC 1042). Does not use this length as
 * the packet's end, because the walk needs a declared end only from IP on.
 */
ROCECC_INLINE rocecc_status rocecc_walk_llc_(rocecc_walk *walk, rocecc_headers *headers)
{
    const size_t at = walk->reader.at;
    const uint8_t *b;
    headers->stopped = ROCECC_LAYER_LLC;
    b = rocecc_take(&walk->reader, ROCECC_LLC_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[0] != 0xaa || b[1] != 0xaa || b[2] != 0x03) return ROCECC_NO_MATCH;
    b = rocecc_take(&walk->reader, ROCECC_SNAP_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if ((b[0] | b[1] | b[2]) != 0) return ROCECC_NO_MATCH;
    headers->link = (uint16_t)(at - 2);
    walk->next = rocecc_load16(b + 3);
    return ROCECC_OK;
}

/*
 * Steps over Cisco metadata, an E-TAG, a VN-Tag or an Arista timestamp. Returns END for
 * any other type. walk->next must not be 0.
 */
ROCECC_INLINE rocecc_status rocecc_walk_shim_tag_(rocecc_walk *walk,
                                                  rocecc_headers *headers,
                                                  unsigned *seen)
{
    const rocecc_tag_config *c = &walk->domain->tag;
    const uint16_t type = walk->next;
    rocecc_layer layer = ROCECC_LAYER_CISCO_MD;
    size_t more = ROCECC_CISCO_MD_BYTES - 6; /* from byte 4 up to the type */
    unsigned bit;
    const uint8_t *b;
    if (type == c->etag_type) {
        layer = ROCECC_LAYER_ETAG; /* the same length */
    } else if (type == c->vntag_type) {
        layer = ROCECC_LAYER_VNTAG;
        more = ROCECC_VNTAG_BYTES - 6;
    } else if (type == c->arista_type) {
        layer = ROCECC_LAYER_ARISTA;
    } else if (type != ROCECC_TYPE_CISCO_MD) {
        return ROCECC_END;
    }
    bit = 1u << layer;
    headers->stopped = layer;
    if ((*seen & bit) != 0) return ROCECC_ERR_UNSUPPORTED;
    *seen |= bit;
    b = rocecc_take(&walk->reader, 4);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (layer == ROCECC_LAYER_CISCO_MD && (b[0] != 1 || b[1] != 1))
        return ROCECC_ERR_UNSUPPORTED;
    if (layer == ROCECC_LAYER_ARISTA) {
        more = rocecc_arista_bytes(rocecc_load16(b), rocecc_load16(b + 2));
        if (more == 0) return ROCECC_ERR_UNSUPPORTED;
        more -= 6;
    }
    if (rocecc_take(&walk->reader, more) == NULL) return ROCECC_ERR_SHORT;
    b = rocecc_take(&walk->reader, 2);
    if (b == NULL) return ROCECC_ERR_SHORT;
    walk->next = rocecc_load16(b);
    return ROCECC_OK;
}

/*
 * Returns true if `type` is IPv4, IPv6 or RoCEv1. No further tag follows these types.
 */
ROCECC_INLINE bool rocecc_walk_is_final_type(uint16_t type)
{
    return type == ROCECC_TYPE_IPV4 || type == ROCECC_TYPE_IPV6 ||
           type == ROCECC_TYPE_ROCEV1;
}

/*
 * Steps over one tag or shim, or over LLC with SNAP. Returns END for any other type,
 * and NO_MATCH for a second LLC.
 */
ROCECC_INLINE rocecc_status rocecc_walk_tag_(rocecc_walk *walk, rocecc_headers *headers,
                                             size_t start, unsigned *seen)
{
    const uint16_t type = walk->next;
    const size_t csig = rocecc_csig_bytes(&walk->domain->csig, type);
    const unsigned llc = 1u << ROCECC_LAYER_LLC;
    if (type <= ROCECC_LLC_LENGTH_MAX) {
        if ((*seen & llc) != 0) return ROCECC_NO_MATCH;
        *seen |= llc;
        return rocecc_walk_llc_(walk, headers);
    }
    if (csig != 0) return rocecc_walk_csig_(walk, headers, csig);
    if (type == ROCECC_TYPE_CNTAG) return rocecc_walk_cntag_(walk, headers);
    if (rocecc_vlan_match(type) || type == walk->domain->tag.vlan_tpid)
        return rocecc_walk_vlan_(walk, headers, start);
    return rocecc_walk_shim_tag_(walk, headers, seen);
}

/*
 * Steps over the header of a PPPoE session (RFC 2516, 4). Sets walk->next to the PPP
 * protocol, and *type to the corresponding EtherType.
 */
ROCECC_INLINE rocecc_status rocecc_walk_pppoe_(rocecc_walk *walk,
                                               rocecc_headers *headers, uint16_t *type)
{
    const size_t at = walk->reader.at;
    const uint8_t *b;
    rocecc_status status;
    headers->stopped = ROCECC_LAYER_PPPOE;
    b = rocecc_take(&walk->reader, ROCECC_PPPOE_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[0] != ROCECC_PPPOE_VER_TYPE) return ROCECC_ERR_UNSUPPORTED;
    if (b[1] != 0) return ROCECC_NO_MATCH;
    status = rocecc_walk_declare(walk, walk->reader.at + rocecc_load16(b + 4));
    if (status != ROCECC_OK) return status;
    walk->copied = false; /* PPPoE's length fits into the overlay */
    b = rocecc_take(&walk->reader, 2);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (headers->link == 0) headers->link = (uint16_t)(at + 4);
    walk->next = rocecc_load16(b);
    *type = walk->next == ROCECC_PPP_IPV4 ? ROCECC_TYPE_IPV4 : ROCECC_TYPE_IPV6;
    return walk->next == ROCECC_PPP_IPV4 || walk->next == ROCECC_PPP_IPV6
               ? ROCECC_OK
               : ROCECC_NO_MATCH;
}

/*
 * Records an overlay with its header at `offset`. `status` is the result of reading
 * this header. If `status` is OK, also records the inner packet at walk.reader and
 * returns NO_MATCH, because the walk ends here. Otherwise returns `status`.
 */
ROCECC_INLINE rocecc_status rocecc_walk_set_inner(rocecc_walk walk,
                                                  rocecc_headers *headers,
                                                  size_t offset,
                                                  const rocecc_overlay *overlay,
                                                  rocecc_status status)
{
    rocecc_walk_add_kind_(headers, ROCECC_PACKET_KIND_OVERLAY);
    headers->overlay = (uint16_t)offset;
    headers->tunnel = overlay->tunnel;
    if (status != ROCECC_OK) return status;
    headers->cut = overlay->cut;
    headers->inner = (uint16_t)walk.reader.at;
    headers->inner_type = overlay->type;
    headers->end = walk.declared < UINT32_MAX ? (uint32_t)walk.declared : 0;
    return ROCECC_NO_MATCH;
}

/*
 * Steps over MPLS labels (RFC 3032). Sets *type according to the first 4 bits after the
 * labels. If these bits are 0, records the Ethernet frame of a pseudowire (RFC 4385) as
 * the inner packet, and returns NO_MATCH.
 */
ROCECC_INLINE rocecc_status rocecc_walk_mpls_(rocecc_walk *walk,
                                              rocecc_headers *headers, uint16_t *type)
{
    const rocecc_overlay o = {ROCECC_TUNNEL_PSEUDOWIRE, false, 0, ROCECC_TYPE_TEB};
    const size_t at = walk->reader.at;
    const uint8_t *b = NULL;
    rocecc_reader first;
    int i;
    headers->stopped = ROCECC_LAYER_MPLS;
    for (i = 0; i < ROCECC_MPLS_MAX; i++) {
        b = rocecc_take(&walk->reader, ROCECC_MPLS_BYTES);
        if (b == NULL) return ROCECC_ERR_SHORT;
        if ((b[2] & 1) != 0) break;
    }
    if (i == ROCECC_MPLS_MAX) return ROCECC_ERR_UNSUPPORTED;
    first = walk->reader;
    b = rocecc_take(&first, 1);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *type = *b >> 4 == 4 ? ROCECC_TYPE_IPV4 : ROCECC_TYPE_IPV6;
    if (*b >> 4 == 4 || *b >> 4 == 6) return ROCECC_OK;
    if (*b >> 4 != 0) return ROCECC_NO_MATCH;
    headers->stopped = ROCECC_LAYER_OVERLAY;
    b = rocecc_take(&walk->reader, ROCECC_MPLS_CONTROL_BYTES);
    return rocecc_walk_set_inner(*walk, headers, at, &o,
                                 b != NULL ? ROCECC_OK : ROCECC_ERR_SHORT);
}

/*
 * Steps over tags and shims. A ROCECC_PACKET_TAGS_MAX of 10 never takes effect, because
 * a limit for one kind of tag or shim is reached first.
 */
ROCECC_INLINE rocecc_status rocecc_walk_tags_(rocecc_walk *walk,
                                              rocecc_headers *headers, size_t start)
{
    unsigned seen = 0;
    int i;
    for (i = 0; i <= ROCECC_PACKET_TAGS_MAX; i++) {
        const rocecc_status status = rocecc_walk_tag_(walk, headers, start, &seen);
        if (status == ROCECC_END ||
            (status == ROCECC_OK && rocecc_walk_is_final_type(walk->next)))
            return ROCECC_OK;
        if (status != ROCECC_OK) return status;
    }
    return ROCECC_ERR_UNSUPPORTED;
}

/*
 * Steps over tags, shims, PPPoE and MPLS in a packet that begins at offset `start`. If
 * walk->next is a length, or the type of a CSIG tag or a CN-TAG, the 2 bytes of this
 * field must directly precede walk->reader. Returns OK and sets *type to the next
 * EtherType, even if the walk does not support this type. Returns NO_MATCH for a second
 * LLC, for LLC that is not followed by SNAP with OUI 0, and for PPPoE or MPLS that does
 * not carry IP, for example a pseudowire. Returns SHORT, FORMAT or UNSUPPORTED for an
 * error in the layer headers->stopped.
 */
ROCECC_INLINE rocecc_status rocecc_walk_link(rocecc_walk *walk, rocecc_headers *headers,
                                             size_t start, uint16_t *type)
{
    rocecc_status status;
    int i;
    /* Leading VLAN tags are the most common tags. */
    for (i = 0; i < ROCECC_PACKET_VLAN_MAX && rocecc_vlan_match(walk->next); i++) {
        status = rocecc_walk_vlan_(walk, headers, start);
        if (status != ROCECC_OK) return status;
    }
    if (!rocecc_walk_is_final_type(walk->next)) {
        status = rocecc_walk_tags_(walk, headers, start);
        if (status != ROCECC_OK) return status;
    }
    *type = walk->next;
    if (*type == ROCECC_TYPE_PPPOE) return rocecc_walk_pppoe_(walk, headers, type);
    if (*type == ROCECC_TYPE_MPLS || *type == ROCECC_TYPE_MPLS_UPSTREAM)
        return rocecc_walk_mpls_(walk, headers, type);
    return ROCECC_OK;
}

#endif /* ROCECC_PACKET_WALKLINK_H */
