/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_FLOW_H
#define ROCECC_PACKET_FLOW_H

/*
 * flow.h - the 5-tuple that a packet belongs to, without what IFA and INT have added to
 * it. An IPv4 address stands in it as ::ffff:a.b.c.d.
 *
 * Of a RoCEv2 packet with INT after UDP, the destination port on the wire is INT's,
 * 5000 say; the flow's is 4791, as INT's shim keeps it.
 */
#include "packet.h"

/* The 5-tuple of an IP header, and of the upper layer proto that begins at `offset`. */
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
 * The 5-tuple that one of the IP headers of packet says, with the ports after it,
 * whatever the walk thought of what follows. Statuses as rocecc_packet_flow().
 */
ROCECC_FN rocecc_status rocecc_packet_ip_flow(const rocecc_packet *packet,
                                              const rocecc_headers_ip *ip,
                                              rocecc_flow *out)
{
    return rocecc_flow_read_(packet, ip, ip->proto, ip->upper, out);
}

/* The port that UDP had before INT took it. NO_MATCH: INT stands in a UDP of its own.
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

/* UDP with IFA or INT around it. */
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
 * The 5-tuple of a packet; of IP in IP that of the packet inside, of an overlay that of
 * the packet around. A first fragment has one, too. Ports are 0 where the protocol has
 * none. With segments left in a Routing header the destination is the next segment,
 * which changes on the way. NO_MATCH: no IP, a later fragment, more extension headers
 * than the walk follows, IFA or INT that it does not follow, or before what is not UDP.
 * SHORT: a header before the BTH, or the ports, go beyond the bytes. FORMAT: so the
 * walk said, or the packet ends before its ports do. What is wrong after the ports, in
 * the header of an overlay, does not count.
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

/* Of IP in IP that of the packet around; otherwise as rocecc_packet_flow(). */
ROCECC_FN rocecc_status rocecc_packet_outer_flow(const rocecc_packet *packet,
                                                 rocecc_flow *out)
{
    const rocecc_headers_ip *ip = &packet->headers.outer;
    if (ip->version == 0) return rocecc_packet_flow(packet, out);
    return rocecc_packet_ip_flow(packet, ip, out);
}

#endif /* ROCECC_PACKET_FLOW_H */
