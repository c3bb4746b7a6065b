/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_SRV6_H
#define ROCECC_WIRE_SRV6_H

/*
 * srv6.h - the Segment Routing Header (SRH), which is an IPv6 Routing header of type 4
 * (RFC 8754, 2), and the IPv6 tunnels that use it (RFC 8986, 5).
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  Next Header  |  Hdr Ext Len  |  Routing Type | Segments Left |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |  Last Entry   |     Flags     |              Tag              |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |     Segment List: 16 * (Last Entry + 1) bytes, last first     |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *   |            TLVs: the rest of 8 * Hdr Ext Len bytes            |
 *   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *     11 04 04 01 01 00 0000, 32 bytes     UDP follows; two segments, one of them left;
 *                                          8 * 4 = 32 bytes: no TLVs
 */
#include "../bytes.h"
#include "ip.h"

#define ROCECC_SRH_BYTES 8 /* without segments and TLVs */
#define ROCECC_SRH_REST_MAX_BYTES 2040
#define ROCECC_SRH_ROUTING_TYPE 4u

/*
 * The TLVs of an SRH have the format of IPv6 options. Type 0 is Pad1, and all other
 * types have a length field. rocecc_ip6opt_next() in ip6opt.h steps through the TLVs,
 * and returns FORMAT if a TLV overruns the header (RFC 8754, 2.1). In an SRH, PadN has
 * type 4. If the bit ROCECC_SRH_TLV_CHG is set in the type of a TLV, nodes may change
 * the value of this TLV. rocecc does not check HMACs.
 */
#define ROCECC_SRH_TLV_PAD1 0u
#define ROCECC_SRH_TLV_PADN 4u
#define ROCECC_SRH_TLV_HMAC 5u
#define ROCECC_SRH_TLV_CHG 0x80u

/*
 * An SRH. Routing Type is 4. The lengths of `segments` and `tlvs` determine Last Entry
 * and Hdr Ext Len.
 */
typedef struct rocecc_srh {
    uint8_t next_header;
    uint8_t segments_left;  /* number of segments still to visit; at most one more
                               than Last Entry */
    uint8_t flags;          /* flags: 0x20 for O (OAM); RFC 9259, 2.1; the other bits
                               are unused */
    uint16_t tag;           /* tag of a group of packets; 0 if unused */
    rocecc_reader segments; /* segment list, final segment first; at least one
                               address */
    rocecc_reader tlvs;     /* optional TLVs after the segment list */
} rocecc_srh;

/*
 * Parses an SRH. Returns SHORT for fewer than 8 bytes, NO_MATCH for another Routing
 * Type, and SHORT if the header extends beyond `reader`. Returns FORMAT if the segment
 * list overruns the header, or if Segments Left exceeds Last Entry + 1 (RFC 8754,
 * 4.3.1.1).
 */
ROCECC_FN rocecc_status rocecc_srh_parse(rocecc_reader *reader, rocecc_srh *out)
{
    rocecc_reader rest = *reader;
    rocecc_reader segments, tlvs;
    const uint8_t *b = rocecc_take(&rest, ROCECC_SRH_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[2] != ROCECC_SRH_ROUTING_TYPE) return ROCECC_NO_MATCH;
    if (!rocecc_split(&rest, (size_t)b[1] * 8, &tlvs)) return ROCECC_ERR_SHORT;
    if (!rocecc_split(&tlvs, (size_t)b[4] * 16 + 16, &segments) || b[3] > b[4] + 1)
        return ROCECC_ERR_FORMAT;
    out->next_header = b[0];
    out->segments_left = b[3];
    out->flags = b[5];
    out->tag = rocecc_load16(b + 6);
    out->segments = segments;
    out->tlvs = tlvs;
    *reader = rest;
    return ROCECC_OK;
}

/*
 * Reads an address from the segment list. Index 0 is the final destination, which a UDP
 * checksum covers. Index segments_left is the active segment (the current destination).
 * Returns RANGE for an index beyond the list, such as the index of the segment that a
 * reduced SRH omits.
 */
ROCECC_FN rocecc_status rocecc_srh_segment(const rocecc_srh *header, uint8_t index,
                                           rocecc_ip6 *out)
{
    rocecc_reader r = header->segments;
    const uint8_t *b;
    if (rocecc_take(&r, (size_t)index * 16) == NULL) return ROCECC_ERR_RANGE;
    b = rocecc_take(&r, 16);
    if (b == NULL) return ROCECC_ERR_RANGE;
    *out = rocecc_ip6_load(b);
    return ROCECC_OK;
}

/* Returns RANGE if a length or segments_left is invalid. */
ROCECC_FN rocecc_status rocecc_srh_check_range_(const rocecc_srh *header)
{
    const size_t segments = rocecc_left(&header->segments);
    const size_t tlvs = rocecc_left(&header->tlvs);
    if (segments > ROCECC_SRH_REST_MAX_BYTES || tlvs > ROCECC_SRH_REST_MAX_BYTES ||
        segments + tlvs > ROCECC_SRH_REST_MAX_BYTES || segments == 0 ||
        segments % 16 != 0 || tlvs % 8 != 0 || header->segments_left > segments / 16)
        return ROCECC_ERR_RANGE;
    return ROCECC_OK;
}

/*
 * Writes an SRH. Returns RANGE if there are no segments, if the last segment is
 * incomplete, if the TLVs are not a multiple of 8 bytes, if segments and TLVs together
 * exceed ROCECC_SRH_REST_MAX_BYTES, or if segments_left exceeds the number of segments.
 * Returns SPACE if `writer` is too small.
 */
ROCECC_FN rocecc_status rocecc_srh_emit(rocecc_writer *writer, const rocecc_srh *header)
{
    const size_t segments = rocecc_left(&header->segments);
    const size_t tlvs = rocecc_left(&header->tlvs);
    const rocecc_status status = rocecc_srh_check_range_(header);
    rocecc_writer out = *writer;
    uint8_t *b;
    if (status != ROCECC_OK) return status;
    if (rocecc_room(writer) < ROCECC_SRH_BYTES + segments + tlvs)
        return ROCECC_ERR_SPACE;
    b = rocecc_put(&out, ROCECC_SRH_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    b[0] = header->next_header;
    b[1] = (uint8_t)((segments + tlvs) / 8);
    b[2] = ROCECC_SRH_ROUTING_TYPE;
    b[3] = header->segments_left;
    b[4] = (uint8_t)(segments / 16 - 1);
    b[5] = header->flags;
    rocecc_store16(b + 6, header->tag);
    if (!rocecc_append(&out, header->segments, ROCECC_SRH_REST_MAX_BYTES) ||
        !rocecc_append(&out, header->tlvs, ROCECC_SRH_REST_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

/*
 * A tunnel: an outer IPv6 header, an SRH (absent if it has no segments), and the inner
 * IPv4 or IPv6 packet. The structure has no members for other outer extension headers.
 * rocecc_srv6_emit() computes every next_header and payload_length.
 */
typedef struct rocecc_srv6 {
    rocecc_ipv6 outer;
    rocecc_srh srh;
    rocecc_ipv46 ip; /* values from the inner header */
    rocecc_reader
        inner; /* inner packet; as long as its header says, or shorter if truncated */
} rocecc_srv6;

/*
 * Returns the number of bytes before the inner packet: 40 without an SRH, and otherwise
 * 48 plus the length of the segments and TLVs.
 */
ROCECC_FN size_t rocecc_srv6_bytes(const rocecc_srv6 *tunnel)
{
    const size_t rest =
        rocecc_left(&tunnel->srh.segments) + rocecc_left(&tunnel->srh.tlvs);
    return ROCECC_IPV6_BYTES + (rest == 0 ? 0 : ROCECC_SRH_BYTES + rest);
}

/*
 * Initialises a tunnel from `src` along `policy`, a segment list in SRH order (last
 * segment first). The hop limit is 64. All other fields that `src` and `policy` do not
 * determine are 0. The caller must set `inner` before build(), or `ip` before emit().
 * If `reduced` is set, the SRH omits the first segment, which is the outer destination.
 * A policy with one segment then needs no SRH (RFC 8754, 4.1.1; RFC 8986, 5.2). Returns
 * RANGE unless `policy` consists of 1 to 127 whole addresses.
 */
ROCECC_FN rocecc_status rocecc_srv6_init(rocecc_srv6 *out, const rocecc_ip6 *src,
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
    out->outer.dscp = out->outer.next_header = 0;
    out->outer.ecn = ROCECC_ECN_NOT_ECT;
    out->outer.flow_label = out->outer.payload_length = 0;
    out->outer.hop_limit = 64;
    out->outer.src = *src;
    out->outer.dst = rocecc_ip6_load(first);
    out->srh.next_header = out->srh.flags = 0;
    out->srh.segments_left = (uint8_t)(bytes / 16 - 1);
    out->srh.tag = 0;
    out->srh.segments = reduced ? list : policy;
    out->srh.tlvs = none;
    out->ip.version = out->ip.dscp = out->ip.hops = 0;
    out->ip.ecn = ROCECC_ECN_NOT_ECT;
    out->ip.bytes = 0;
    out->inner = none;
    return ROCECC_OK;
}

/* Returns RANGE if the inner version or a length is invalid. */
ROCECC_FN rocecc_status rocecc_srv6_check_range_(const rocecc_srv6 *tunnel)
{
    rocecc_status status = ROCECC_OK;
    if (rocecc_left(&tunnel->srh.segments) != 0 || rocecc_left(&tunnel->srh.tlvs) != 0)
        status = rocecc_srh_check_range_(&tunnel->srh);
    if (status != ROCECC_OK) return status;
    if ((tunnel->ip.version != 4 && tunnel->ip.version != 6) ||
        tunnel->ip.bytes > UINT16_MAX ||
        rocecc_srv6_bytes(tunnel) - ROCECC_IPV6_BYTES + tunnel->ip.bytes > UINT16_MAX)
        return ROCECC_ERR_RANGE;
    return ROCECC_OK;
}

/*
 * Writes only the headers (rocecc_srv6_bytes() bytes). The host must then append an
 * inner packet of version ip.version and length ip.bytes. Returns RANGE if ip.version
 * is neither 4 nor 6, if the outer payload exceeds 65535 bytes, if there are TLVs but
 * no segments, or if rocecc_ipv6_emit() or rocecc_srh_emit() returns RANGE. Returns
 * SPACE if `writer` is too small.
 */
ROCECC_FN rocecc_status rocecc_srv6_emit(rocecc_writer *writer,
                                         const rocecc_srv6 *tunnel)
{
    const size_t bytes = rocecc_srv6_bytes(tunnel);
    const bool routed = bytes != ROCECC_IPV6_BYTES;
    rocecc_writer out = *writer;
    rocecc_ipv6 outer = tunnel->outer;
    rocecc_srh srh = tunnel->srh;
    rocecc_status status = rocecc_srv6_check_range_(tunnel);
    if (status != ROCECC_OK) return status;
    if (rocecc_room(writer) < bytes) return ROCECC_ERR_SPACE;
    srh.next_header =
        (uint8_t)(tunnel->ip.version == 4 ? ROCECC_PROTO_IPV4 : ROCECC_PROTO_IPV6);
    outer.next_header = routed ? ROCECC_PROTO_ROUTING : srh.next_header;
    outer.payload_length = (uint16_t)(bytes - ROCECC_IPV6_BYTES + tunnel->ip.bytes);
    status = rocecc_ipv6_emit(&out, &outer);
    if (status == ROCECC_OK && routed) status = rocecc_srh_emit(&out, &srh);
    if (status != ROCECC_OK) return status;
    *writer = out;
    return ROCECC_OK;
}

/*
 * Maximum length of an inner packet that rocecc_srv6_build() copies. For longer
 * packets, the host must use rocecc_srv6_emit().
 */
#ifndef ROCECC_SRV6_INNER_MAX_BYTES
#if defined(__bpf__)
#define ROCECC_SRV6_INNER_MAX_BYTES 512
#else
#define ROCECC_SRV6_INNER_MAX_BYTES 65535
#endif
#endif

/*
 * Writes the headers and a copy of the packet in tunnel->inner. The length of this
 * packet is taken from its IP header. Ignores tunnel->ip. The output must not overlap
 * tunnel->inner. Returns SHORT if tunnel->inner is shorter than the packet, and FORMAT
 * or UNSUPPORTED as rocecc_ipv46_parse() does. Also returns UNSUPPORTED if the packet
 * exceeds ROCECC_SRV6_INNER_MAX_BYTES. Returns RANGE as rocecc_srv6_emit() does, and
 * SPACE if the headers and the packet do not fit.
 */
ROCECC_FN rocecc_status rocecc_srv6_build(rocecc_writer *writer,
                                          const rocecc_srv6 *tunnel)
{
    rocecc_srv6 copy = *tunnel;
    rocecc_writer out = *writer;
    rocecc_reader rest = tunnel->inner, inner;
    rocecc_status status = rocecc_ipv46_parse(rest, &copy.ip);
    if (status != ROCECC_OK) return status;
    if (!rocecc_split(&rest, copy.ip.bytes, &inner)) return ROCECC_ERR_SHORT;
    if (copy.ip.bytes > ROCECC_SRV6_INNER_MAX_BYTES) return ROCECC_ERR_UNSUPPORTED;
    status = rocecc_srv6_check_range_(&copy);
    if (status != ROCECC_OK) return status;
    if (rocecc_room(writer) < rocecc_srv6_bytes(tunnel) + copy.ip.bytes)
        return ROCECC_ERR_SPACE;
    status = rocecc_srv6_emit(&out, &copy);
    if (status != ROCECC_OK) return status;
    if (!rocecc_append(&out, inner, ROCECC_SRV6_INNER_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    *writer = out;
    return ROCECC_OK;
}

/*
 * Returns an empty tunnel. Its readers are empty and are positioned at the end of
 * `bytes`.
 */
ROCECC_FN rocecc_srv6 rocecc_srv6_none(rocecc_reader bytes)
{
    const rocecc_reader empty = rocecc_subrange(bytes, bytes.end, bytes.end);
    const rocecc_srv6 none = {{0, ROCECC_ECN_NOT_ECT, 0, 0, 0, 0, {{0}}, {{0}}},
                              {0, 0, 0, 0, empty, empty},
                              {0, 0, ROCECC_ECN_NOT_ECT, 0, 0},
                              empty};
    return none;
}

#endif /* ROCECC_WIRE_SRV6_H */
