/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_SRV6_H
#define ROCECC_WIRE_SRV6_H

/*
 * srv6.h - the Segment Routing Header, an IPv6 routing header of type 4 (RFC 8754, 2),
 * and the IPv6 tunnel that it makes (RFC 8986, 5), whose source may be END.CON.
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
 *
 *     11 04 04 01 01 00 0000, 32 bytes     UDP follows; two segments, one of them left;
 *                                          8 x 4 = 32 bytes: no TLVs
 */
#include "../bytes.h"
#include "ip.h"

#define ROCECC_SRH_BYTES 8 /* without segments and TLVs */
#define ROCECC_SRH_REST_MAX_BYTES 2040
#define ROCECC_SRH_ROUTING_TYPE 4u

/*
 * TLVs are built as IPv6 options: type 0 is Pad1, all others have a length. So
 * rocecc_ip6opt_next() walks them; FORMAT: one overruns the header (2.1). Their PadN is
 * type 4. ROCECC_SRH_TLV_CHG says that a node on the path may change the value. Nothing
 * here checks an HMAC.
 */
#define ROCECC_SRH_TLV_PAD1 0u
#define ROCECC_SRH_TLV_PADN 4u
#define ROCECC_SRH_TLV_HMAC 5u
#define ROCECC_SRH_TLV_CHG 0x80u

/* Routing Type is 4. Last Entry and Hdr Ext Len follow from the lists. */
typedef struct rocecc_srh {
    uint8_t next_header;
    uint8_t segments_left; /* at most one more than Last Entry */
    uint8_t flags;
    uint16_t tag;
    rocecc_reader segments; /* addresses, at least one; the final one is the first */
    rocecc_reader tlvs;
} rocecc_srh;

/*
 * SHORT: the header, by its own length, goes beyond r. NO_MATCH: another routing type.
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
 * An address of the list. i = 0 is the final destination, which counts in a UDP
 * checksum; i = segments_left is the active segment, which is the packet's destination
 * now. RANGE: it is not in the list; a reduced SRH leaves its first segment out.
 */
ROCECC_FN rocecc_status rocecc_srh_segment(const rocecc_srh *h, uint8_t i,
                                           rocecc_ip6 *segment)
{
    rocecc_reader r = h->segments;
    const uint8_t *b;
    if (rocecc_take(&r, (size_t)i * 16) == NULL) return ROCECC_ERR_RANGE;
    b = rocecc_take(&r, 16);
    if (b == NULL) return ROCECC_ERR_RANGE;
    *segment = rocecc_ip6_load(b);
    return ROCECC_OK;
}

/* RANGE: a length or number that no SRH has. */
ROCECC_FN rocecc_status rocecc_srh_range_(const rocecc_srh *h)
{
    const size_t segments = rocecc_left(&h->segments);
    const size_t tlvs = rocecc_left(&h->tlvs);
    if (segments > ROCECC_SRH_REST_MAX_BYTES || tlvs > ROCECC_SRH_REST_MAX_BYTES ||
        segments + tlvs > ROCECC_SRH_REST_MAX_BYTES || segments == 0 ||
        segments % 16 != 0 || tlvs % 8 != 0 || h->segments_left > segments / 16)
        return ROCECC_ERR_RANGE;
    return ROCECC_OK;
}

/*
 * RANGE: no segment or not whole ones, TLVs that are no multiple of 8 bytes, more than
 * ROCECC_SRH_REST_MAX_BYTES of both, or more segments left than segments. SPACE: w is
 * too small.
 */
ROCECC_FN rocecc_status rocecc_srh_emit(rocecc_writer *w, const rocecc_srh *h)
{
    const size_t segments = rocecc_left(&h->segments);
    const size_t tlvs = rocecc_left(&h->tlvs);
    const rocecc_status status = rocecc_srh_range_(h);
    rocecc_writer out = *w;
    uint8_t *b;
    if (status != ROCECC_OK) return status;
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

/*
 * A tunnel: an outer IPv6 header, an SRH unless it has no segment, and the packet
 * inside, IPv4 or IPv6. Other extension headers of the outer packet are not kept.
 * emit() computes both next_header and payload_length from the rest.
 */
typedef struct rocecc_srv6 {
    rocecc_ipv6 outer;
    rocecc_srh srh;
    rocecc_ipv46 ip; /* what the header of the packet inside says */
    rocecc_reader
        inner; /* that packet, as long as its header says, if the capture has it */
} rocecc_srv6;

/* Bytes before the packet inside: 40, or with an SRH 48 and its lists. */
ROCECC_FN size_t rocecc_srv6_bytes(const rocecc_srv6 *h)
{
    const size_t rest = rocecc_left(&h->srh.segments) + rocecc_left(&h->srh.tlvs);
    return ROCECC_IPV6_BYTES + (rest == 0 ? 0 : ROCECC_SRH_BYTES + rest);
}

/*
 * A tunnel from src along a policy: addresses in the order of an SRH, the last segment
 * first. Hop limit is 64; ECN, DSCP, flow label, flags and tag are 0; there is no
 * packet inside. A reduced SRH leaves out the first segment, which is the destination
 * anyway, so that one segment needs no SRH (RFC 8754, 4.1.1; RFC 8986, 5.2). RANGE:
 * policy is not 1 to 127 whole addresses.
 */
ROCECC_FN rocecc_status rocecc_srv6_init(rocecc_srv6 *h, const rocecc_ip6 *src,
                                         rocecc_reader policy, bool reduced)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    const size_t bytes = rocecc_left(&policy);
    rocecc_reader rest = policy, list = policy;
    const uint8_t *first = NULL;
    if (bytes % 16 == 0 && bytes <= ROCECC_SRH_REST_MAX_BYTES &&
        rocecc_split(&rest, bytes - 16, &list))
        first = rocecc_take(&rest, 16);
    if (first == NULL) return ROCECC_ERR_RANGE;
    h->outer.dscp = h->outer.ecn = h->outer.next_header = 0;
    h->outer.flow_label = h->outer.payload_length = 0;
    h->outer.hop_limit = 64;
    h->outer.src = *src;
    h->outer.dst = rocecc_ip6_load(first);
    h->srh.next_header = h->srh.flags = 0;
    h->srh.segments_left = (uint8_t)(bytes / 16 - 1);
    h->srh.tag = 0;
    h->srh.segments = reduced ? list : policy;
    h->srh.tlvs = none;
    h->ip.version = h->ip.dscp = h->ip.ecn = h->ip.hops = 0;
    h->ip.bytes = 0;
    h->inner = none;
    return ROCECC_OK;
}

/* RANGE: a version or length that no tunnel has. */
ROCECC_FN rocecc_status rocecc_srv6_range_(const rocecc_srv6 *h)
{
    rocecc_status status = ROCECC_OK;
    if (rocecc_left(&h->srh.segments) != 0 || rocecc_left(&h->srh.tlvs) != 0)
        status = rocecc_srh_range_(&h->srh);
    if (status != ROCECC_OK) return status;
    if ((h->ip.version != 4 && h->ip.version != 6) || h->ip.bytes > UINT16_MAX ||
        rocecc_srv6_bytes(h) - ROCECC_IPV6_BYTES + h->ip.bytes > UINT16_MAX)
        return ROCECC_ERR_RANGE;
    return ROCECC_OK;
}

/*
 * Writes the headers alone, rocecc_srv6_bytes(), for a packet of ip.version and
 * ip.bytes that the host has after them or will put there. RANGE: ip.version is neither
 * 4 nor 6, the payload has more than 65535 bytes, TLVs without a segment, or as
 * rocecc_ipv6_emit() and rocecc_srh_emit(). SPACE: w is too small.
 */
ROCECC_FN rocecc_status rocecc_srv6_emit(rocecc_writer *w, const rocecc_srv6 *h)
{
    const size_t bytes = rocecc_srv6_bytes(h);
    const bool routed = bytes != ROCECC_IPV6_BYTES;
    rocecc_writer out = *w;
    rocecc_ipv6 outer = h->outer;
    rocecc_srh srh = h->srh;
    rocecc_status status = rocecc_srv6_range_(h);
    if (status != ROCECC_OK) return status;
    if (rocecc_room(w) < bytes) return ROCECC_ERR_SPACE;
    srh.next_header =
        (uint8_t)(h->ip.version == 4 ? ROCECC_PROTO_IPV4 : ROCECC_PROTO_IPV6);
    outer.next_header = routed ? ROCECC_PROTO_ROUTING : srh.next_header;
    outer.payload_length = (uint16_t)(bytes - ROCECC_IPV6_BYTES + h->ip.bytes);
    status = rocecc_ipv6_emit(&out, &outer);
    if (status == ROCECC_OK && routed) status = rocecc_srh_emit(&out, &srh);
    if (status != ROCECC_OK) return status;
    *w = out;
    return ROCECC_OK;
}

/* The most that build() copies; for longer packets a host uses emit() and copies. */
#ifndef ROCECC_SRV6_INNER_MAX_BYTES
#if defined(__bpf__)
#define ROCECC_SRV6_INNER_MAX_BYTES 512
#else
#define ROCECC_SRV6_INNER_MAX_BYTES 65535
#endif
#endif

/*
 * Writes the headers and a copy of h->inner, as long as its own header says; h->ip is
 * ignored. The copy may not overlap its source. SHORT: inner has fewer bytes. FORMAT,
 * UNSUPPORTED: as rocecc_ipv46_parse(). UNSUPPORTED too: it is longer than
 * ROCECC_SRV6_INNER_MAX_BYTES. RANGE, SPACE: as emit().
 */
ROCECC_FN rocecc_status rocecc_srv6_build(rocecc_writer *w, const rocecc_srv6 *h)
{
    rocecc_srv6 tunnel = *h;
    rocecc_writer out = *w;
    rocecc_reader rest = h->inner, inner;
    rocecc_status status = rocecc_ipv46_parse(rest, &tunnel.ip);
    if (status != ROCECC_OK) return status;
    if (!rocecc_split(&rest, tunnel.ip.bytes, &inner)) return ROCECC_ERR_SHORT;
    if (tunnel.ip.bytes > ROCECC_SRV6_INNER_MAX_BYTES) return ROCECC_ERR_UNSUPPORTED;
    status = rocecc_srv6_range_(&tunnel);
    if (status != ROCECC_OK) return status;
    if (rocecc_room(w) < rocecc_srv6_bytes(h) + tunnel.ip.bytes)
        return ROCECC_ERR_SPACE;
    status = rocecc_srv6_emit(&out, &tunnel);
    if (status != ROCECC_OK) return status;
    if (!rocecc_append(&out, inner, ROCECC_SRV6_INNER_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    *w = out;
    return ROCECC_OK;
}

/* An empty tunnel, whose views stand at the end of bytes. */
ROCECC_FN rocecc_srv6 rocecc_srv6_none(rocecc_reader bytes)
{
    const rocecc_reader empty = rocecc_between(bytes, bytes.end, bytes.end);
    const rocecc_srv6 none = {{0, 0, 0, 0, 0, 0, {{0}}, {{0}}},
                              {0, 0, 0, 0, empty, empty},
                              {0, 0, 0, 0, 0},
                              empty};
    return none;
}

#endif /* ROCECC_WIRE_SRV6_H */
