/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_SRV6_H
#define ROCECC_PACKET_SRV6_H

/*
 * srv6.h - reads the Segment Routing Header (SRH) of a packet, and the tunnel headers
 * around a packet. RFC 8754; RFC 8986, 4.8 and 4.1.1.
 *
 *     IPv6 | SRH, 2 segments, 1 left | IPv6 | UDP | BTH
 *     p->headers.outer                 p->headers.ip
 *     rocecc_packet_final_dst()      the SRH's first address, not the IPv6 destination
 *     rocecc_srv6_decapsulate()      ROCECC_SRV6_SEGMENTS_LEFT at the intermediate SID
 */
#include "../wire/srv6.h"
#include "packet.h"

/*
 * Finds the first SRH after the packet's IP header `ip`. Returns NO_MATCH if no SRH
 * follows `ip`, or if the SRH is not completely in packet->bytes, and FORMAT if
 * rocecc_srh_parse() does.
 */
ROCECC_FN rocecc_status rocecc_srh_find(const rocecc_packet *packet,
                                        const rocecc_headers_ip *ip, rocecc_srh *out)
{
    uint8_t type;
    rocecc_reader r = rocecc_packet_exts(packet, ip, &type);
    rocecc_ip6ext ext;
    int i;
    if (ip->routing == 0) return ROCECC_NO_MATCH;
    for (i = 0; i < ROCECC_IP6EXT_MAX && i < ip->n_ext; i++) {
        rocecc_status status;
        if (rocecc_ip6ext_next(&r, &type, &ext) != ROCECC_OK) break;
        if (ext.type != ROCECC_PROTO_ROUTING) continue;
        status = rocecc_srh_parse(&ext.header, out);
        if (status != ROCECC_NO_MATCH) return status; /* an SRH: type 4 */
    }
    return ROCECC_NO_MATCH;
}

/*
 * Returns the offset, from the start of the IPv6 header, of the first nonzero Segments
 * Left field in an SRH or another Routing header. Returns 0 if every Segments Left is
 * 0, or if the headers are not in packet->bytes. A node that must be the last segment
 * sends this offset as the pointer of a Parameter Problem with code 0 (RFC 8986, 4.8).
 */
ROCECC_FN uint32_t rocecc_srv6_segments_left(const rocecc_packet *packet,
                                             const rocecc_headers_ip *ip)
{
    uint8_t type;
    rocecc_reader r = rocecc_packet_exts(packet, ip, &type);
    rocecc_ip6ext ext;
    int i;
    if (ip->routing == 0) return 0;
    for (i = 0; i < ROCECC_IP6EXT_MAX && i < ip->n_ext; i++) {
        size_t at;
        const uint8_t *b;
        if (rocecc_ip6ext_next(&r, &type, &ext) != ROCECC_OK) break;
        if (ext.type != ROCECC_PROTO_ROUTING) continue;
        at = ext.header.at;
        b = rocecc_take(&ext.header, 4);
        if (b != NULL && b[3] != 0) return (uint32_t)(at + 3 - ip->offset);
    }
    return 0;
}

/*
 * Replaces *dst with the packet's final destination. The caller must have set *dst to
 * the destination in the IP header. If one or more SRHs have segments left, *dst
 * becomes the last segment of the last such SRH. Otherwise *dst is unchanged. An SRH
 * that is malformed or not in packet->bytes is ignored.
 */
ROCECC_FN void rocecc_packet_final_dst(const rocecc_packet *packet,
                                       const rocecc_headers_ip *ip, rocecc_ip6 *dst)
{
    uint8_t type;
    rocecc_reader r = rocecc_packet_exts(packet, ip, &type);
    rocecc_ip6ext ext;
    int i;
    if (ip->routing == 0) return;
    for (i = 0; i < ROCECC_IP6EXT_MAX && i < ip->n_ext; i++) {
        rocecc_srh srh = {0, 0, 0, 0, r, r};
        const uint8_t *b;
        if (rocecc_ip6ext_next(&r, &type, &ext) != ROCECC_OK) break;
        if (ext.type != ROCECC_PROTO_ROUTING) continue;
        if (rocecc_srh_parse(&ext.header, &srh) != ROCECC_OK) continue;
        b = rocecc_take(&srh.segments, 16);
        if (b != NULL && srh.segments_left != 0) *dst = rocecc_ip6_load(b);
    }
}

ROCECC_FN bool rocecc_srv6_is_tunnel_(const rocecc_headers_ip *ip)
{
    return ip->version != 0 &&
           (ip->proto == ROCECC_PROTO_IPV4 || ip->proto == ROCECC_PROTO_IPV6);
}

/*
 * Reads the inner IP header. Returns the same statuses as rocecc_srv6_parse() does for
 * this header.
 */
ROCECC_FN rocecc_status rocecc_srv6_read_inner_(const rocecc_packet *packet,
                                                rocecc_ipv46 *out)
{
    const rocecc_headers *f = &packet->headers;
    const uint8_t version = f->outer.proto == ROCECC_PROTO_IPV4 ? 4 : 6;
    const rocecc_reader inner =
        rocecc_subrange(packet->bytes, f->outer.upper, f->outer.end);
    const rocecc_status status = rocecc_ipv46_parse(inner, out);
    if (status != ROCECC_OK)
        return f->outer.end <= packet->bytes.end ? rocecc_status_declared(status)
                                                 : status;
    if (out->version != version || f->outer.upper + out->bytes > f->outer.end)
        return ROCECC_ERR_FORMAT;
    if (rocecc_srv6_is_tunnel_(&f->ip)) return ROCECC_ERR_UNSUPPORTED;
    return ROCECC_OK;
}

/*
 * Reads the SRH after an IP header. If no SRH follows, returns OK with an empty segment
 * list in *srh.
 */
ROCECC_FN rocecc_status rocecc_srv6_read_srh_(const rocecc_packet *packet,
                                              const rocecc_headers_ip *ip,
                                              rocecc_srh *srh)
{
    rocecc_status status;
    srh->next_header = srh->segments_left = srh->flags = 0;
    srh->tag = 0;
    srh->segments = srh->tlvs = rocecc_reader_of(NULL, NULL);
    status = rocecc_srh_find(packet, ip, srh);
    return status == ROCECC_NO_MATCH ? ROCECC_OK : rocecc_status_declared(status);
}

/*
 * Reads the outer IPv6 header, and on success writes all members of *out. On failure
 * *out is unchanged.
 */
ROCECC_FN rocecc_status rocecc_srv6_assemble_(const rocecc_packet *packet,
                                              const rocecc_srh *srh,
                                              const rocecc_ipv46 *ip, rocecc_srv6 *out)
{
    const rocecc_headers *f = &packet->headers;
    const size_t upper = f->outer.upper;
    rocecc_reader r = rocecc_subrange(packet->bytes, f->outer.offset, f->outer.end);
    const rocecc_status status = rocecc_ipv6_parse(&r, &out->outer);
    if (status != ROCECC_OK) return status;
    out->srh = *srh;
    out->ip = *ip;
    out->inner = rocecc_subrange(packet->bytes, upper, upper + ip->bytes);
    return ROCECC_OK;
}

/* Does the work of rocecc_srv6_parse(). */
ROCECC_FN rocecc_status rocecc_srv6_read_(const rocecc_packet *packet,
                                          rocecc_srv6 *tunnel)
{
    const rocecc_headers_ip *outer = &packet->headers.outer;
    rocecc_srh srh;
    rocecc_ipv46 ip = ROCECC_ZERO;
    rocecc_status status;
    if (outer->version != 6 || !rocecc_srv6_is_tunnel_(outer)) return ROCECC_NO_MATCH;
    status = rocecc_srv6_read_srh_(packet, outer, &srh);
    if (status != ROCECC_OK) return status;
    status = rocecc_srv6_read_inner_(packet, &ip);
    if (status != ROCECC_OK) return status;
    return rocecc_srv6_assemble_(packet, &srh, &ip, tunnel);
}

/*
 * Reads the headers of the IPv6 tunnel around a packet. A node on the path can also use
 * this function. Returns NO_MATCH if the packet is not in a tunnel over IPv6. Returns
 * FORMAT if the SRH or the inner IP header is malformed, if the inner packet's IP
 * version is not the version that the outer header declares, or if the inner packet
 * goes beyond the outer packet. Returns SHORT if the capture cuts off the inner header.
 * If the capture ends later in the packet, the status is OK, and out->inner is shorter
 * than out->ip.bytes. Returns UNSUPPORTED if the inner packet is a jumbogram or is
 * itself a tunnel. On failure *out is unchanged.
 */
ROCECC_FN rocecc_status rocecc_srv6_parse(const rocecc_packet *packet, rocecc_srv6 *out)
{
    const rocecc_status status = rocecc_srv6_read_(packet, out);
    ROCECC_ASSUME_WRITTEN_(out);
    return status;
}

/*
 * Verdict on a packet at the node of a decapsulating SID, such as END.CON. The node
 * must drop the packet unless the verdict is OTHER, DECAPSULATE or NO_TUNNEL.
 */
typedef enum rocecc_srv6_verdict_ {
    ROCECC_SRV6_OTHER = 0,     /* outermost header is cut off or not IPv6 to this SID */
    ROCECC_SRV6_DECAPSULATE,   /* forward the inner packet, out->inner */
    ROCECC_SRV6_SEGMENTS_LEFT, /* send Parameter Problem 0: see segments_left() */
    ROCECC_SRV6_BROKEN,        /* outer headers malformed, cut off, a fragment or
                                  UNSUPPORTED, such as ESP; inner header cut off */
    ROCECC_SRV6_NO_TUNNEL,     /* headers.ip.proto is not IP; see decapsulate() */
    ROCECC_SRV6_NOT_IP,        /* inner packet has another IP version than declared,
                                  is malformed, or is longer than the outer packet */
    ROCECC_SRV6_NESTED         /* inner packet is a tunnel, too, or a jumbogram */
} ROCECC_IN_8_BITS_(rocecc_srv6_verdict);

/*
 * Checks whether a packet's tunnel ends at this SID (RFC 8986, 4.8). OTHER takes
 * precedence over all other verdicts. SEGMENTS_LEFT takes precedence over BROKEN, even
 * in a fragment. A malformed SRH gives BROKEN even if no segments are left, unlike in
 * RFC 8754, 4.3.1.1. Writes *out only if the verdict is DECAPSULATE. In this case, the
 * host must merge out->outer.ecn into out->ip.ecn (RFC 6040), decrement out->ip.hops,
 * write both with rocecc_ipv46_patch() at the offset out->inner.at, and forward
 * out->inner. The host must also decide whether to forward inner packets other than
 * CNPs. With NO_TUNNEL, an ICMPv6 packet (protocol 58) is for the host itself, because
 * END.CON is also the source address of tunnel packets, and ICMPv6 errors about tunnel
 * packets are sent to this address. For any other upper-layer protocol that the host
 * does not process, the host must send a Parameter Problem with code 4 and pointer
 * headers.ip.upper - headers.ip.offset (RFC 8986, 4.1.1).
 */
ROCECC_FN rocecc_srv6_verdict rocecc_srv6_decapsulate(const rocecc_packet *packet,
                                                      const rocecc_ip6 *sid,
                                                      rocecc_srv6 *out)
{
    const rocecc_headers *f = &packet->headers;
    const rocecc_headers_ip *first = rocecc_packet_outermost(packet);
    rocecc_reader r = rocecc_subrange(packet->bytes, first->offset, first->end);
    const uint8_t *b = rocecc_take(&r, ROCECC_IPV6_BYTES);
    rocecc_srh srh;
    rocecc_ipv46 ip = ROCECC_ZERO;
    rocecc_status status;
    rocecc_ip6 dst;
    if (first->version != 6 || b == NULL) return ROCECC_SRV6_OTHER;
    dst = rocecc_ip6_load(b + 24);
    if (!rocecc_ip6_match(&dst, sid)) return ROCECC_SRV6_OTHER;
    if (rocecc_srv6_segments_left(packet, first) != 0) return ROCECC_SRV6_SEGMENTS_LEFT;
    if (first->fragment != ROCECC_IP_FRAGMENT_NONE ||
        (f->outer.version == 0 && f->status != ROCECC_OK &&
         f->stopped <= ROCECC_LAYER_IP6EXT))
        return ROCECC_SRV6_BROKEN;
    if (rocecc_srv6_read_srh_(packet, first, &srh) != ROCECC_OK)
        return ROCECC_SRV6_BROKEN;
    if (!rocecc_srv6_is_tunnel_(first)) return ROCECC_SRV6_NO_TUNNEL;
    status = rocecc_srv6_read_inner_(packet, &ip);
    if (status == ROCECC_ERR_SHORT) return ROCECC_SRV6_BROKEN;
    if (status == ROCECC_ERR_UNSUPPORTED) return ROCECC_SRV6_NESTED;
    if (status != ROCECC_OK) return ROCECC_SRV6_NOT_IP;
    if (rocecc_srv6_assemble_(packet, &srh, &ip, out) != ROCECC_OK)
        return ROCECC_SRV6_BROKEN;
    return ROCECC_SRV6_DECAPSULATE;
}

#endif /* ROCECC_PACKET_SRV6_H */
