/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_SRV6_H
#define ROCECC_WIRE_SRV6_H

/*
 * srv6.h - the Segment Routing Header, an IPv6 routing header of type 4. RFC 8754, 2.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  Next Header  |  Hdr Ext Len  |  Routing Type | Segments Left |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  Last Entry   |     Flags     |              Tag              |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |      Segment List: 16 (Last Entry + 1) bytes, last one first  |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |             TLVs: the rest of 8 Hdr Ext Len bytes             |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
#include "../bytes.h"

#define ROCECC_SRH_BYTES 8 /* without segments and TLVs */
#define ROCECC_SRH_REST_MAX_BYTES 2040
#define ROCECC_SRH_ROUTING_TYPE 4u

/*
 * In the TLVs, type 0 is Pad1 and all others have a length, as IPv6 options have:
 * rocecc_ip6opt_next() walks them. Their padding of several bytes is type 4, and
 * ROCECC_SRH_TLV_CHG says that a node on the path may change the value.
 */
#define ROCECC_SRH_TLV_CHG 0x80u

/* Routing Type is 4; Last Entry is told by the segments, Hdr Ext Len by all. */
typedef struct rocecc_srh {
    uint8_t next_header;
    uint8_t segments_left; /* at most one more than Last Entry */
    uint8_t flags;
    uint16_t tag;
    rocecc_reader segments; /* addresses, at least one; the first is the final one */
    rocecc_reader tlvs;
} rocecc_srh;

/*
 * SHORT: the header's own length goes beyond r. NO_MATCH: another routing type.
 * FORMAT: Last Entry or Segments Left do not fit the length (RFC 8754, 4.3.1.1).
 */
ROCECC_FN rocecc_status rocecc_srh_parse(rocecc_reader *r, rocecc_srh *h)
{
    rocecc_reader rest = *r;
    rocecc_reader segments, tlvs;
    const uint8_t *b = rocecc_take(&rest, ROCECC_SRH_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[2] != ROCECC_SRH_ROUTING_TYPE) return ROCECC_NO_MATCH;
    if (!rocecc_split(&rest, (size_t)b[1] * 8, &tlvs)) return ROCECC_ERR_SHORT;
    if (!rocecc_split(&tlvs, (size_t)b[4] * 16 + 16, &segments) || b[3] > b[4] + 1)
        return ROCECC_ERR_FORMAT;
    h->next_header = b[0];
    h->segments_left = b[3];
    h->flags = b[5];
    h->tag = rocecc_load16(b + 6);
    h->segments = segments;
    h->tlvs = tlvs;
    *r = rest;
    return ROCECC_OK;
}

/*
 * RANGE: no whole segment, TLVs that are no multiple of 8 bytes, more than
 * ROCECC_SRH_REST_MAX_BYTES of both, or too many segments left. SPACE: w is too small.
 */
ROCECC_FN rocecc_status rocecc_srh_emit(rocecc_writer *w, const rocecc_srh *h)
{
    const size_t segments = rocecc_left(&h->segments);
    const size_t tlvs = rocecc_left(&h->tlvs);
    rocecc_writer out = *w;
    uint8_t *b;
    if (segments > ROCECC_SRH_REST_MAX_BYTES || tlvs > ROCECC_SRH_REST_MAX_BYTES ||
        segments + tlvs > ROCECC_SRH_REST_MAX_BYTES || segments == 0 ||
        segments % 16 != 0 || tlvs % 8 != 0 || h->segments_left > segments / 16)
        return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < ROCECC_SRH_BYTES + segments + tlvs) return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_SRH_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    b[0] = h->next_header;
    b[1] = (uint8_t)((segments + tlvs) / 8);
    b[2] = ROCECC_SRH_ROUTING_TYPE;
    b[3] = h->segments_left;
    b[4] = (uint8_t)(segments / 16 - 1);
    b[5] = h->flags;
    rocecc_store16(b + 6, h->tag);
    if (!rocecc_append(&out, h->segments, ROCECC_SRH_REST_MAX_BYTES) ||
        !rocecc_append(&out, h->tlvs, ROCECC_SRH_REST_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    *w = out;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_SRV6_H */
