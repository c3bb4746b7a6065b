/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_FLOW_H
#define ROCECC_PACKET_FLOW_H

/*
 * flow.h - reads the original 5-tuple of a packet, without the changes that IFA or INT
 * made on the path. An IPv4 address is stored as ::ffff:a.b.c.d.
 *
 * Example: on the wire, a RoCEv2 packet with INT after UDP has INT's destination port,
 * such as 5000. The flow's destination port is 4791, which the INT shim contains.
 */
#include "packet.h"

/*
 * Reads the 5-tuple from an IP header and from the upper-layer header at `offset`.
 * `proto` is the upper-layer protocol.
 */
ROCECC_FN rocecc_status rocecc_flow_read_(const rocecc_packet *packet,
                                          const rocecc_headers_ip *ip, uint8_t proto,
                                          size_t offset, rocecc_flow *out)
{
    rocecc_reader r = rocecc_subrange(packet->bytes, offset, ip->end);
    const uint8_t *b = NULL;
    rocecc_ip h;
    rocecc_status status;
    if (ip->fragment == ROCECC_IP_FRAGMENT_LATER ||
        (ip->version == 6 && rocecc_ip6ext_match(proto)))
        return ROCECC_NO_MATCH;
    status = rocecc_packet_ip(packet, ip, &h);
    if (status != ROCECC_OK) return ROCECC_NO_MATCH;
    if (rocecc_flow_has_ports(proto)) {
        b = rocecc_take(&r, 4);
        if (b == NULL)
            return offset + 4 > ip->end ? ROCECC_ERR_FORMAT : ROCECC_ERR_SHORT;
    }
    out->src = h.src;
    out->dst = h.dst;
    out->proto = proto;
    out->src_port = b != NULL ? rocecc_load16(b) : 0;
    out->dst_port = b != NULL ? rocecc_load16(b + 2) : 0;
    return ROCECC_OK;
}

/*
 * Reads the 5-tuple that belongs to one IP header of a packet. The walk may have
 * returned any status. Returns NO_MATCH if the IP header is absent or not in
 * packet->bytes, if the packet is a later fragment, or if `ip` is an IPv6 header and
 * ip->proto is an extension header. Returns FORMAT if the packet itself is too short to
 * hold its ports, and SHORT if only packet->bytes is too short. On failure *out is
 * unchanged.
 */
ROCECC_FN rocecc_status rocecc_packet_ip_flow(const rocecc_packet *packet,
                                              const rocecc_headers_ip *ip,
                                              rocecc_flow *out)
{
    return rocecc_flow_read_(packet, ip, ip->proto, ip->upper, out);
}

/*
 * Sets *out to the UDP destination port in the INT shim if NPT is 1. Leaves *out
 * unchanged if NPT is 0, and returns NO_MATCH for any other NPT.
 */
ROCECC_FN rocecc_status rocecc_flow_original_port_(const rocecc_packet *packet,
                                                   uint16_t *out)
{
    rocecc_reader r =
        rocecc_subrange(packet->bytes, packet->headers.intmd, packet->headers.ip.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_INTMD_SHIM_BYTES);
    uint8_t npt;
    if (b == NULL) return ROCECC_ERR_SHORT;
    npt = b[0] >> 2 & 0x3;
    if (npt == ROCECC_INTMD_NPT_PORT) *out = rocecc_load16(b + 2);
    return npt > ROCECC_INTMD_NPT_PORT ? ROCECC_NO_MATCH : ROCECC_OK;
}

/*
 * Reads the original 5-tuple of a UDP packet. Returns NO_MATCH if the walk did not find
 * the original UDP header.
 */
ROCECC_FN rocecc_status rocecc_flow_without_telemetry_(const rocecc_packet *packet,
                                                       rocecc_flow *out)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_flow found = {{{0}}, {{0}}, 0, 0, 0};
    rocecc_status status;
    if (f->udp == 0) return ROCECC_NO_MATCH;
    status = rocecc_flow_read_(packet, &f->ip, ROCECC_PROTO_UDP, f->udp, &found);
    if (status == ROCECC_OK && f->udp < f->intmd)
        status = rocecc_flow_original_port_(packet, &found.dst_port);
    if (status == ROCECC_OK) *out = found;
    return status;
}

/*
 * Reads the 5-tuple of a packet. For IP in IP, reads it from the second IP header. For
 * an overlay, reads it from the outer packet. Ports are 0 for a protocol without ports.
 * Over IPv6, ports directly after an AH are always read. Over IPv4, ports after an AH
 * are read only if the domain's `ah` is set. If a Routing header has segments left, the
 * destination is the next segment. Ignores walk errors in the header of an overlay.
 * Otherwise returns FORMAT if the walk returned FORMAT, and SHORT if the walk returned
 * SHORT before the BTH. Returns NO_MATCH if the packet has no IP header, is a later
 * fragment or a jumbogram, has more extension headers than the walk accepts, or has IFA
 * or INT in a form that the walk does not accept. Also returns NO_MATCH if a protocol
 * other than UDP follows IFA, or follows INT with NPT 2. Returns FORMAT if the packet
 * itself is too short to hold its ports, and SHORT if only packet->bytes is too short.
 * On failure *out is unchanged.
 */
ROCECC_FN rocecc_status rocecc_packet_flow(const rocecc_packet *packet,
                                           rocecc_flow *out)
{
    const rocecc_headers *f = &packet->headers;
    if (f->stopped == ROCECC_LAYER_OVERLAY)
        return rocecc_packet_ip_flow(packet, &f->ip, out);
    if (f->status == ROCECC_ERR_FORMAT) return ROCECC_ERR_FORMAT;
    if (f->status == ROCECC_ERR_SHORT && f->stopped != ROCECC_LAYER_BTH)
        return ROCECC_ERR_SHORT;
    if (f->status == ROCECC_ERR_UNSUPPORTED &&
        (f->stopped == ROCECC_LAYER_IFA || f->stopped == ROCECC_LAYER_INTMD))
        return ROCECC_NO_MATCH;
    if (f->ifa != 0 || f->udp != 0) return rocecc_flow_without_telemetry_(packet, out);
    return rocecc_packet_ip_flow(packet, &f->ip, out);
}

/*
 * Reads the outer 5-tuple of IP in IP with rocecc_packet_ip_flow(), and the 5-tuple of
 * any other packet with rocecc_packet_flow(). Returns NO_MATCH, SHORT or FORMAT if the
 * called function does.
 */
ROCECC_FN rocecc_status rocecc_packet_outer_flow(const rocecc_packet *packet,
                                                 rocecc_flow *out)
{
    const rocecc_headers_ip *ip = &packet->headers.outer;
    if (ip->version == 0) return rocecc_packet_flow(packet, out);
    return rocecc_packet_ip_flow(packet, ip, out);
}

#endif /* ROCECC_PACKET_FLOW_H */
