/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_WALK_H
#define ROCECC_PACKET_WALK_H

/*
 * walk.h - walks the headers from Ethernet or IP to the BTH. headers.h describes the
 * result.
 *
 * The walk returns FORMAT if a header declares an end beyond the end that an outer
 * header has declared. Two kinds of packets become partial instead. A packet inside an
 * overlay is MIRRORED if its first IP header or its GRH declares such an end, except
 * after PPPoE. A packet without IFA is TRIMMED if its UDP header declares such an end
 * and its UDP destination port is the RoCEv2 port or the INT port.
 *
 * If a header goes beyond the available bytes, the walk returns SHORT. It returns
 * FORMAT instead if the innermost declared end lies within these bytes, because more
 * bytes would not help. In a partial packet, a length that goes beyond the end of the
 * packet is accepted, and a header beyond the available bytes always gives SHORT.
 */
#include "../wire/bth.h"
#include "../wire/grh.h"
#include "../wire/skip.h"
#include "../wire/tcp.h"
#include "walklink.h"

/* Functions for IP headers. The walk accepts at most two IP headers. */

/* Steps over one AH after an IPv4 header (RFC 4302, 2). On failure, nothing changes. */
ROCECC_INLINE rocecc_status rocecc_walk_ah_(rocecc_walk *walk, rocecc_headers_ip *ip)
{
    rocecc_walk after = *walk;
    rocecc_ip6ext ext;
    uint8_t type = ROCECC_PROTO_AH;
    const rocecc_status status = rocecc_ip6ext_next(&after.reader, &type, &ext);
    if (status != ROCECC_OK) return status;
    *walk = after;
    ip->n_ext = 1;
    ip->proto = type;
    walk->next = type;
    ip->upper = (uint16_t)walk->reader.at;
    return ROCECC_OK;
}

ROCECC_INLINE rocecc_status rocecc_walk_ipv4_(rocecc_walk *walk,
                                              rocecc_headers *headers)
{
    rocecc_headers_ip *ip = &headers->ip;
    const size_t at = walk->reader.at;
    const uint8_t *b;
    size_t header, total;
    uint16_t fragment;
    uint8_t proto;
    rocecc_status status;
    headers->stopped = ROCECC_LAYER_IPV4;
    b = rocecc_take(&walk->reader, ROCECC_IPV4_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    header = (size_t)(b[0] & 0xf) * 4;
    total = rocecc_load16(b + 2);
    if (b[0] >> 4 != 4 || header < ROCECC_IPV4_BYTES || total < header)
        return ROCECC_ERR_FORMAT;
    if (rocecc_take(&walk->reader, header - ROCECC_IPV4_BYTES) == NULL)
        return ROCECC_ERR_SHORT;
    fragment = rocecc_load16(b + 6) & 0x3fff;
    ip->version = 4;
    proto = b[9];
    ip->proto = proto;
    ip->offset = (uint16_t)at;
    ip->upper = (uint16_t)walk->reader.at;
    ip->end = (uint32_t)(at + total);
    walk->next = proto;
    if (fragment != 0)
        ip->fragment = (fragment & 0x1fff) != 0 ? ROCECC_IP_FRAGMENT_LATER
                                                : ROCECC_IP_FRAGMENT_FIRST;
    status = rocecc_walk_declare_packet(walk, headers, at + total);
    if (status != ROCECC_OK) return status;
    if (fragment != 0) {
        rocecc_walk_set_partial(headers, ROCECC_PARTIAL_FRAGMENT);
        if (ip->fragment == ROCECC_IP_FRAGMENT_LATER) return ROCECC_ERR_UNSUPPORTED;
    }
    if (!ROCECC_UNLIKELY_(proto != ROCECC_PROTO_UDP)) return ROCECC_OK;
    if (ROCECC_UNLIKELY_(proto == ROCECC_PROTO_AH) && walk->domain->ah) {
        status = rocecc_walk_ah_(walk, ip);
        if (status != ROCECC_OK) return status;
        proto = ip->proto;
    }
    return proto == ROCECC_PROTO_ESP || proto == ROCECC_PROTO_AH
               ? ROCECC_ERR_UNSUPPORTED
               : ROCECC_OK;
}

ROCECC_INLINE void rocecc_walk_note_ext_(rocecc_headers_ip *ip, uint8_t type,
                                         size_t offset)
{
    if (type == ROCECC_PROTO_HOPOPTS && ip->hop_by_hop == 0)
        ip->hop_by_hop = (uint16_t)offset;
    if (type == ROCECC_PROTO_ROUTING && ip->routing == 0)
        ip->routing = (uint16_t)offset;
    if (type != ROCECC_PROTO_DSTOPTS) return;
    if (ip->dst_opts[0] == 0)
        ip->dst_opts[0] = (uint16_t)offset;
    else if (ip->dst_opts[1] == 0)
        ip->dst_opts[1] = (uint16_t)offset;
}

/*
 * Steps over IPv6 extension headers. Returns UNSUPPORTED for ESP, for a later fragment,
 * for an AH (unless the domain's `ah` is set), and for more than ROCECC_IP6EXT_MAX
 * extension headers.
 */
ROCECC_INLINE rocecc_status rocecc_walk_exts_(rocecc_walk *walk,
                                              rocecc_headers *headers)
{
    rocecc_headers_ip *ip = &headers->ip;
    rocecc_ip6ext ext;
    rocecc_ip6frag frag;
    uint8_t type = ip->proto;
    int i;
    headers->stopped = ROCECC_LAYER_IP6EXT;
    if (type == ROCECC_PROTO_UDP) return ROCECC_OK; /* the most common case */
    for (i = 0;; i++) {
        const rocecc_status status = rocecc_ip6ext_next(&walk->reader, &type, &ext);
        if (status == ROCECC_END) return ROCECC_OK;
        if (status != ROCECC_OK) return status;
        if (i == ROCECC_IP6EXT_MAX) return ROCECC_ERR_UNSUPPORTED;
        rocecc_walk_note_ext_(ip, ext.type, ext.header.at);
        ip->n_ext = (uint8_t)(i + 1);
        ip->proto = type;
        walk->next = type;
        ip->upper = (uint16_t)walk->reader.at;
        if (ext.type != ROCECC_PROTO_FRAGMENT) {
            if (ext.type == ROCECC_PROTO_AH && !walk->domain->ah)
                return ROCECC_ERR_UNSUPPORTED;
            continue;
        }
        if (rocecc_ip6frag_parse(&ext.header, &frag) != ROCECC_OK)
            return ROCECC_ERR_UNSUPPORTED;
        if (frag.fragment_offset == 0 && !frag.m) continue; /* whole: RFC 6946 */
        ip->fragment = frag.fragment_offset != 0 ? ROCECC_IP_FRAGMENT_LATER
                                                 : ROCECC_IP_FRAGMENT_FIRST;
        rocecc_walk_set_partial(headers, ROCECC_PARTIAL_FRAGMENT);
        if (frag.fragment_offset != 0) return ROCECC_ERR_UNSUPPORTED;
    }
}

ROCECC_INLINE rocecc_status rocecc_walk_ipv6_(rocecc_walk *walk,
                                              rocecc_headers *headers)
{
    rocecc_headers_ip *ip = &headers->ip;
    const size_t at = walk->reader.at;
    const uint8_t *b;
    size_t payload;
    rocecc_status status;
    headers->stopped = ROCECC_LAYER_IPV6;
    b = rocecc_take(&walk->reader, ROCECC_IPV6_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[0] >> 4 != 6) return ROCECC_ERR_FORMAT;
    payload = rocecc_load16(b + 4);
    ip->version = 6;
    ip->proto = b[6];
    ip->offset = (uint16_t)at;
    ip->upper = (uint16_t)walk->reader.at;
    ip->end = (uint32_t)(walk->reader.at + payload);
    walk->next = ip->proto;
    if (payload == 0 && ip->proto == ROCECC_PROTO_HOPOPTS)
        return ROCECC_ERR_UNSUPPORTED; /* a jumbogram, RFC 2675 */
    status = rocecc_walk_declare_packet(walk, headers, walk->reader.at + payload);
    if (status != ROCECC_OK) return status;
    return rocecc_walk_exts_(walk, headers);
}

ROCECC_INLINE rocecc_status rocecc_walk_ip_levels_(rocecc_walk *walk,
                                                   rocecc_headers *headers, bool v6)
{
    const rocecc_headers_ip none = ROCECC_ZERO;
    int level;
    for (level = 0;; level++) {
        const rocecc_status status =
            v6 ? rocecc_walk_ipv6_(walk, headers) : rocecc_walk_ipv4_(walk, headers);
        if (status != ROCECC_OK) return status;
        if (!ROCECC_UNLIKELY_(headers->ip.proto != ROCECC_PROTO_UDP)) return ROCECC_OK;
        v6 = headers->ip.proto == ROCECC_PROTO_IPV6;
        if (!v6 && headers->ip.proto != ROCECC_PROTO_IPV4) return ROCECC_OK;
        if (level == 1) return ROCECC_ERR_UNSUPPORTED;
        headers->outer = headers->ip;
        headers->ip = none;
    }
}

/* Functions for UDP, IFA and INT. */

/*
 * Declares headers->end as the end of the UDP datagram. In a partial packet, first
 * limits headers->end to the end declared so far.
 */
ROCECC_INLINE rocecc_status rocecc_walk_declare_udp_(rocecc_walk *walk,
                                                     rocecc_headers *headers)
{
    if (ROCECC_UNLIKELY_(headers->end > walk->declared) &&
        headers->partial != ROCECC_PARTIAL_NONE)
        headers->end = (uint32_t)walk->declared;
    return rocecc_walk_declare(walk, headers->end);
}

/*
 * Reads a UDP header, and sets headers->end from UDP Length without declaring this end.
 */
ROCECC_INLINE rocecc_status rocecc_walk_udp_(rocecc_walk *walk, rocecc_headers *headers)
{
    const size_t at = walk->reader.at;
    const uint8_t *b;
    size_t bytes;
    headers->stopped = ROCECC_LAYER_UDP;
    b = rocecc_take(&walk->reader, ROCECC_UDP_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    bytes = rocecc_load16(b + 4);
    if (bytes < ROCECC_UDP_BYTES) return ROCECC_ERR_FORMAT;
    walk->next = rocecc_load16(b + 2);
    headers->udp = (uint16_t)at;
    headers->end = (uint32_t)(at + bytes);
    return ROCECC_OK;
}

/* Reads the IFA header after IP, and sets walk->next to its NextHdr. */
ROCECC_INLINE rocecc_status rocecc_walk_ifa_(rocecc_walk *walk, rocecc_headers *headers,
                                             uint8_t *flags)
{
    const size_t at = walk->reader.at;
    const uint8_t *b;
    headers->stopped = ROCECC_LAYER_IFA;
    b = rocecc_take(&walk->reader, ROCECC_IFA_HEADER_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[0] >> 4 != ROCECC_IFA_VERSION) return ROCECC_ERR_UNSUPPORTED;
    headers->ifa = (uint16_t)at;
    walk->next = b[1];
    *flags = b[2];
    return ROCECC_OK;
}

/*
 * Steps over the IFA stack and adds its length to headers->end, because UDP Length does
 * not include it. With flag TS, the stack follows the payload, so the function only
 * checks that there is room for an empty stack.
 */
ROCECC_INLINE rocecc_status rocecc_walk_ifa_stack_(rocecc_walk *walk,
                                                   rocecc_headers *headers,
                                                   uint8_t flags)
{
    const uint8_t *b;
    size_t bytes;
    rocecc_status status;
    headers->stopped = ROCECC_LAYER_IFA;
    if ((flags & ROCECC_IFA_FLAG_TS) != 0) {
        if (headers->end + rocecc_ifa_stack_bytes(flags, 0) > walk->declared &&
            headers->partial == ROCECC_PARTIAL_NONE)
            return ROCECC_ERR_FORMAT;
        return rocecc_walk_declare_udp_(walk, headers);
    }
    b = rocecc_take(&walk->reader, ROCECC_IFA_METADATA_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    bytes = rocecc_ifa_stack_bytes(flags, b[3]);
    headers->end += (uint32_t)bytes;
    status = rocecc_walk_declare_udp_(walk, headers);
    if (status != ROCECC_OK) return status;
    bytes -= ROCECC_IFA_METADATA_BYTES;
    return rocecc_take(&walk->reader, bytes) != NULL ? ROCECC_OK : ROCECC_ERR_SHORT;
}

ROCECC_FN bool rocecc_walk_dscp_marks_intmd_(rocecc_walk walk,
                                             const rocecc_headers *headers)
{
    const rocecc_intmd_config *c = &walk.domain->intmd;
    const uint8_t *b;
    uint8_t dscp;
    walk.reader.at = headers->ip.offset;
    b = rocecc_take(&walk.reader, 2);
    if (b == NULL || c->dscp_mask == 0) return false;
    dscp =
        (uint8_t)(headers->ip.version == 4 ? b[1] >> 2 : rocecc_load16(b) >> 6 & 0x3f);
    return ((dscp ^ c->dscp) & c->dscp_mask) == 0;
}

/*
 * Returns true if the DSCP or a probe marker announces INT. Steps over the probe marker
 * if the marker, not the DSCP, announces INT.
 */
ROCECC_INLINE bool rocecc_walk_skip_intmd_mark_(rocecc_walk *walk,
                                                const rocecc_headers *headers)
{
    const rocecc_intmd_config *c = &walk->domain->intmd;
    rocecc_reader r = walk->reader;
    const uint8_t *b;
    if ((c->dscp_mask | c->probe_marker) == 0) return false; /* the most common case */
    if (rocecc_walk_dscp_marks_intmd_(*walk, headers)) return true;
    if (c->probe_marker == 0) return false;
    b = rocecc_take(&r, 8);
    if (b == NULL || rocecc_load64(b) != c->probe_marker) return false;
    walk->reader = r;
    return true;
}

/*
 * Steps over the INT shim, its body and, with NPT 2, the UDP header that follows.
 * `by_port` is true if the UDP port announces INT. Returns FORMAT if the NPT
 * contradicts `by_port`.
 */
ROCECC_INLINE rocecc_status rocecc_walk_shim_(rocecc_walk *walk,
                                              rocecc_headers *headers, bool by_port)
{
    const size_t at = walk->reader.at;
    const uint8_t *b;
    uint8_t type, npt;
    rocecc_status status;
    headers->stopped = ROCECC_LAYER_INTMD;
    if (headers->ifa != 0) return ROCECC_ERR_UNSUPPORTED;
    b = rocecc_take(&walk->reader, ROCECC_INTMD_SHIM_BYTES);
    if (b == NULL || rocecc_take(&walk->reader, (size_t)b[1] * 4) == NULL)
        return ROCECC_ERR_SHORT;
    type = b[0] >> 4;
    npt = b[0] >> 2 & 0x3;
    if (type < ROCECC_INTMD_TYPE_MD || type > ROCECC_INTMD_TYPE_MX)
        return ROCECC_ERR_UNSUPPORTED;
    if (by_port != (npt != ROCECC_INTMD_NPT_NONE)) return ROCECC_ERR_FORMAT;
    if (npt > ROCECC_INTMD_NPT_NEW_UDP) return ROCECC_ERR_UNSUPPORTED;
    headers->intmd = (uint16_t)at;
    if (npt == ROCECC_INTMD_NPT_NONE) return ROCECC_OK;
    if (npt == ROCECC_INTMD_NPT_PORT) {
        walk->next = rocecc_load16(b + 2);
        return ROCECC_OK;
    }
    if (b[3] != ROCECC_PROTO_UDP) return ROCECC_NO_MATCH;
    status = rocecc_walk_udp_(walk, headers);
    if (status != ROCECC_OK) return status;
    return rocecc_walk_declare_udp_(walk, headers);
}

/*
 * Steps over INT after UDP if the UDP port, the DSCP or a probe marker announces INT.
 * After an IFA header, only the UDP port can announce INT.
 */
ROCECC_INLINE rocecc_status rocecc_walk_intmd_(rocecc_walk *walk,
                                               rocecc_headers *headers, bool ifa)
{
    const uint16_t port = walk->domain->intmd.udp_port;
    const bool by_port = ROCECC_UNLIKELY_(walk->next == port) && port != 0;
    rocecc_walk after;
    rocecc_status status;
    if (!by_port && (ifa || !rocecc_walk_skip_intmd_mark_(walk, headers)))
        return ROCECC_OK;
    after = *walk;
    status = rocecc_walk_shim_(&after, headers, by_port);
    *walk = after;
    return status;
}

/*
 * Ends the walk of a TCP packet. If the domain marks INT by a DSCP or a probe marker,
 * and the packet has no IFA, also reads the TCP header and any INT after it. Returns
 * NO_MATCH or an error.
 */
ROCECC_INLINE rocecc_status rocecc_walk_tcp_(rocecc_walk *walk, rocecc_headers *headers)
{
    const rocecc_intmd_config *c = &walk->domain->intmd;
    const uint8_t *b;
    size_t header;
    rocecc_walk after;
    rocecc_status status;
    rocecc_walk_add_kind_(headers, ROCECC_PACKET_KIND_TCP);
    if (headers->ifa != 0 || (c->dscp_mask == 0 && c->probe_marker == 0))
        return ROCECC_NO_MATCH;
    headers->stopped = ROCECC_LAYER_INTMD;
    b = rocecc_take(&walk->reader, ROCECC_TCP_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    header = (size_t)(b[12] >> 4) * 4;
    if (header < ROCECC_TCP_BYTES) return ROCECC_ERR_FORMAT;
    if (!c->before_options &&
        rocecc_take(&walk->reader, header - ROCECC_TCP_BYTES) == NULL)
        return ROCECC_ERR_SHORT;
    if (!rocecc_walk_skip_intmd_mark_(walk, headers)) {
        headers->stopped = ROCECC_LAYER_UPPER;
        return ROCECC_NO_MATCH;
    }
    after = *walk;
    status = rocecc_walk_shim_(&after, headers, false);
    return status == ROCECC_OK ? ROCECC_NO_MATCH : status;
}

/*
 * Reads the header of an overlay after IP or UDP. Returns NO_MATCH on success, because
 * the walk ends here, and otherwise the status of the failed read.
 */
ROCECC_INLINE rocecc_status rocecc_walk_overlay_(rocecc_walk *walk,
                                                 rocecc_headers *headers,
                                                 rocecc_tunnel_type tunnel)
{
    const size_t at = walk->reader.at;
    rocecc_overlay o = {tunnel, false, walk->next, ROCECC_TYPE_TEB};
    rocecc_reader r = walk->reader;
    rocecc_status status = ROCECC_OK;
    if (tunnel == ROCECC_TUNNEL_VXLAN) status = rocecc_vxlan_inner(&r, &o);
    if (tunnel == ROCECC_TUNNEL_VXLAN_GPE) status = rocecc_gpe_inner(&r, &o);
    if (tunnel == ROCECC_TUNNEL_GENEVE) status = rocecc_geneve_inner(&r, &o);
    if (tunnel == ROCECC_TUNNEL_GRE) status = rocecc_gre_inner(&r, &o);
    if (tunnel == ROCECC_TUNNEL_MPLS_UDP) o.type = ROCECC_TYPE_MPLS;
    walk->reader = r;
    walk->next = o.next;
    headers->stopped = ROCECC_LAYER_OVERLAY;
    return rocecc_walk_set_inner(*walk, headers, at, &o, status);
}

/*
 * Reads UDP, the IFA stack and INT. Returns END if the packet is not RoCEv2. Marks the
 * packet as TRIMMED if UDP Length goes beyond the end of the IP packet and the UDP
 * destination port is the RoCEv2 port or the INT port, unless the packet has IFA or is
 * already partial. In a TRIMMED packet, a switch has cut the payload and has updated
 * only the IP length.
 */
ROCECC_INLINE rocecc_status rocecc_walk_upper_udp_(rocecc_walk *walk,
                                                   rocecc_headers *headers, bool ifa,
                                                   uint8_t flags)
{
    const uint16_t rocev2 = rocecc_domain_rocev2_port(walk->domain);
    const uint16_t intmd = walk->domain->intmd.udp_port;
    rocecc_status status = rocecc_walk_udp_(walk, headers);
    if (status != ROCECC_OK) return status;
    if (!ifa && ROCECC_UNLIKELY_(headers->end > walk->declared) &&
        (walk->next == rocev2 || (walk->next == intmd && walk->next != 0)))
        rocecc_walk_set_partial(headers, ROCECC_PARTIAL_TRIMMED);
    status = ifa ? rocecc_walk_ifa_stack_(walk, headers, flags)
                 : rocecc_walk_declare_udp_(walk, headers);
    if (status != ROCECC_OK) return status;
    status = rocecc_walk_intmd_(walk, headers, ifa);
    if (status != ROCECC_OK) return status;
    return walk->next == rocev2 ? ROCECC_OK : ROCECC_END;
}

/* Walks from an IP header to the start of the BTH. */
ROCECC_INLINE rocecc_status rocecc_walk_ip_(rocecc_walk *walk, rocecc_headers *headers,
                                            bool v6)
{
    rocecc_tunnel_type tunnel = ROCECC_TUNNEL_NONE;
    uint8_t flags = 0;
    bool ifa = false;
    rocecc_status status = rocecc_walk_ip_levels_(walk, headers, v6);
    if (status != ROCECC_OK) return status;
    if (ROCECC_UNLIKELY_(walk->next == walk->domain->ifa.protocol) && walk->next != 0) {
        ifa = true;
        status = rocecc_walk_ifa_(walk, headers, &flags);
        if (status != ROCECC_OK) return status;
    }
    headers->stopped = ROCECC_LAYER_UPPER;
    if (walk->next == ROCECC_PROTO_UDP) {
        status = rocecc_walk_upper_udp_(walk, headers, ifa, flags);
        if (!ROCECC_UNLIKELY_(status != ROCECC_OK)) {
            rocecc_walk_add_kind_(headers, ROCECC_PACKET_KIND_ROCEV2);
            return ROCECC_OK;
        }
        if (headers->udp != 0) rocecc_walk_add_kind_(headers, ROCECC_PACKET_KIND_UDP);
        if (status != ROCECC_END) return status;
        tunnel = rocecc_overlay_lookup(&walk->domain->overlay, walk->next);
    } else if (walk->next == ROCECC_PROTO_TCP) {
        return rocecc_walk_tcp_(walk, headers);
    } else if (walk->next == ROCECC_PROTO_GRE) {
        tunnel = ROCECC_TUNNEL_GRE;
    } else if (walk->next == ROCECC_PROTO_ETHERNET) {
        tunnel = ROCECC_TUNNEL_ETHERNET;
    }
    if (tunnel == ROCECC_TUNNEL_NONE || ifa || headers->intmd != 0)
        return ROCECC_NO_MATCH;
    return rocecc_walk_overlay_(walk, headers, tunnel);
}

ROCECC_INLINE rocecc_status rocecc_walk_grh_(rocecc_walk *walk, rocecc_headers *headers)
{
    const size_t at = walk->reader.at;
    const uint8_t *b;
    headers->stopped = ROCECC_LAYER_GRH;
    b = rocecc_take(&walk->reader, ROCECC_GRH_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[0] >> 4 != 6) return ROCECC_ERR_FORMAT;
    headers->grh = (uint16_t)at;
    if (b[6] != ROCECC_GRH_NXT_HDR) return ROCECC_NO_MATCH;
    rocecc_walk_add_kind_(headers, ROCECC_PACKET_KIND_ROCEV1);
    headers->end = (uint32_t)(walk->reader.at + rocecc_load16(b + 4));
    return rocecc_walk_declare_packet(walk, headers, headers->end);
}

/*
 * Steps over the BTH. Returns FORMAT if the declared end leaves no room for a BTH and
 * an ICRC, unless the packet is partial.
 */
ROCECC_INLINE rocecc_status rocecc_walk_bth_(rocecc_walk *walk, rocecc_headers *headers)
{
    const size_t at = walk->reader.at;
    headers->stopped = ROCECC_LAYER_BTH;
    if (walk->declared < at + ROCECC_BTH_BYTES + 4 &&
        headers->partial == ROCECC_PARTIAL_NONE)
        return ROCECC_ERR_FORMAT;
    if (rocecc_take(&walk->reader, ROCECC_BTH_BYTES) == NULL) return ROCECC_ERR_SHORT;
    headers->bth = (uint16_t)at;
    return ROCECC_OK;
}

/*
 * Walks from a header with EtherType `type` through the BTH. ROCECC_TYPE_TEB means an
 * Ethernet header.
 */
ROCECC_INLINE rocecc_status rocecc_walk_from_type_(rocecc_walk *walk,
                                                   rocecc_headers *headers,
                                                   uint16_t type)
{
    const size_t start = walk->reader.at;
    rocecc_status status = ROCECC_OK;
    if (type == ROCECC_TYPE_TEB) {
        const uint8_t *b = rocecc_take(&walk->reader, ROCECC_ETHER_BYTES);
        if (b == NULL) return ROCECC_ERR_SHORT;
        type = rocecc_load16(b + 12);
    }
    walk->next = type;
    if (!rocecc_walk_is_final_type(type))
        status = rocecc_walk_link(walk, headers, start, &type);
    if (status != ROCECC_OK) return status;
    if (ROCECC_UNLIKELY_(type == ROCECC_TYPE_ROCEV1))
        status = rocecc_walk_grh_(walk, headers);
    else if (type == ROCECC_TYPE_IPV4 || type == ROCECC_TYPE_IPV6)
        status = rocecc_walk_ip_(walk, headers, type == ROCECC_TYPE_IPV6);
    else
        return ROCECC_NO_MATCH;
    if (status != ROCECC_OK) return status;
    return rocecc_walk_bth_(walk, headers);
}

/*
 * Does the work of rocecc_headers_parse_as(). `copied` is the initial value of
 * walk.copied.
 */
ROCECC_INLINE rocecc_status rocecc_headers_walk_(const rocecc_domain *domain,
                                                 rocecc_reader bytes, uint16_t type,
                                                 size_t declared,
                                                 rocecc_partial partial, bool copied,
                                                 rocecc_headers *out)
{
    rocecc_status status = ROCECC_ERR_RANGE;
    rocecc_walk w;
    w.reader = bytes;
    w.declared = partial == ROCECC_PARTIAL_NONE ? declared : SIZE_MAX;
    w.domain = domain;
    w.next = type;
    w.copied = copied;
    rocecc_headers_clear(out);
    if (partial != ROCECC_PARTIAL_NONE) rocecc_walk_set_partial(out, partial);
    if (bytes.at <= ROCECC_PACKET_START_MAX)
        status = rocecc_walk_from_type_(&w, out, type);
    if (status != ROCECC_OK && w.declared <= bytes.end &&
        out->partial == ROCECC_PARTIAL_NONE)
        status = rocecc_status_declared(status);
    out->status = status;
    out->next = w.next;
    return status;
}

/*
 * Finds the headers of a packet. `type` is the EtherType of the packet's first header,
 * and must meet the conditions of rocecc_packet_parse_as(). `partial` is the reason why
 * the end of the packet is missing, for example SAMPLED or QUOTED. If `partial` is
 * NONE, `declared` is the packet's end according to an outer length, as an offset in
 * the buffer, or SIZE_MAX if no outer length exists. Otherwise `declared` is ignored.
 * Always writes *out. Returns OK, NO_MATCH, SHORT, FORMAT, UNSUPPORTED or RANGE, as
 * rocecc_packet_parse() does.
 */
ROCECC_INLINE rocecc_status rocecc_headers_parse_as(const rocecc_domain *domain,
                                                    rocecc_reader bytes, uint16_t type,
                                                    size_t declared,
                                                    rocecc_partial partial,
                                                    rocecc_headers *out)
{
    return rocecc_headers_walk_(domain, bytes, type, declared, partial, false, out);
}

#endif /* ROCECC_PACKET_WALK_H */
