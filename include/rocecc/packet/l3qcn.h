/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_L3QCN_H
#define ROCECC_PACKET_L3QCN_H

/*
 * l3qcn.h - whether a packet is a private CNM, and what it says. wire/l3qcn.h has the
 * figure; its UDP port is that of the packet's domain. draft-yu-tsvwg-l3qcn-00, 3.
 *
 *     rocecc_l3qcn_match(&packet)              by its port, whatever is in it
 *     rocecc_udp_verify(&packet)               its UDP checksum is right: udp.h
 *     rocecc_l3qcn_find(&packet, &h, &why)     ROCECC_OK, or why names the first fault
 */
#include "../wire/l3qcn.h"
#include "packet.h"

/* Whether a flag of IPv4 says that a packet is a private CNM. */
ROCECC_FN bool rocecc_l3qcn_has_reserved_bit(const rocecc_packet *packet)
{
    const rocecc_headers_ip *ip = &packet->headers.ip;
    rocecc_reader r = rocecc_subrange(packet->bytes, ip->offset, ip->upper);
    const uint8_t *b = rocecc_take(&r, ROCECC_IPV4_BYTES);
    return ip->version == 4 && b != NULL && (b[6] & 0x80) != 0;
}

/*
 * Whether a packet is a private CNM, by its port, or by the reserved bit where the
 * domain takes it; whatever is in it. Such a packet never goes to a host, and none
 * comes from one. False for all where L3QCN is off, and for what is in IFA or INT.
 */
ROCECC_FN bool rocecc_l3qcn_match(const rocecc_packet *packet)
{
    const rocecc_l3qcn_config *c = &packet->domain->l3qcn;
    rocecc_reader r =
        rocecc_subrange(packet->bytes, packet->headers.udp, packet->headers.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_UDP_BYTES);
    if (packet->headers.kind != ROCECC_PACKET_KIND_UDP ||
        rocecc_packet_has_telemetry(packet) || b == NULL)
        return false;
    if (c->port != 0 && rocecc_load16(b + 2) == c->port) return true;
    return c->reserved_bit && rocecc_l3qcn_has_reserved_bit(packet);
}

/* Whether the packet goes from the flow's destination to its source. */
ROCECC_FN rocecc_l3qcn_verdict
rocecc_l3qcn_check_outer_(const rocecc_packet *packet, const rocecc_l3qcn_parts *parts)
{
    rocecc_ip ip;
    if (parts->v6 != (packet->headers.ip.version == 6))
        return ROCECC_L3QCN_WRONG_FAMILY;
    if (rocecc_packet_ip(packet, &packet->headers.ip, &ip) != ROCECC_OK)
        return ROCECC_L3QCN_CUT;
    return rocecc_ip6_match(&parts->src, &ip.dst) &&
                   rocecc_ip6_match(&parts->dst, &ip.src)
               ? ROCECC_L3QCN_TAKEN
               : ROCECC_L3QCN_SPOOFED;
}

/* The steps of find(). */
ROCECC_FN rocecc_l3qcn_verdict rocecc_l3qcn_find_(const rocecc_packet *packet,
                                                  rocecc_l3qcn *l3qcn)
{
    const rocecc_headers *f = &packet->headers;
    const rocecc_reader r =
        rocecc_subrange(packet->bytes, f->udp + (size_t)ROCECC_UDP_BYTES, f->end);
    rocecc_l3qcn_parts parts;
    rocecc_l3qcn_verdict v;
    if (!rocecc_l3qcn_match(packet)) return ROCECC_L3QCN_OTHER;
    if (f->end > f->ip.end) return ROCECC_L3QCN_CUT;
    v = rocecc_l3qcn_header_parse(r, &parts);
    if (v != ROCECC_L3QCN_TAKEN) return v;
    v = rocecc_l3qcn_check_outer_(packet, &parts);
    if (v != ROCECC_L3QCN_TAKEN) return v;
    return rocecc_l3qcn_pdu_parse(&packet->domain->l3qcn, r, &parts, l3qcn);
}

/*
 * The private CNM of a packet, and always in *verdict why it is not one. Its checksum
 * is rocecc_udp_verify()'s. Unless OK, *l3qcn is as it was. NO_MATCH: another packet,
 * or other magic. UNSUPPORTED: as rocecc_l3qcn_parse(). FORMAT: the same; Total Length
 * goes beyond UDP, or UDP beyond IP; the packet's version or addresses are not the
 * flow's. SHORT: it goes beyond packet->bytes, which end before the datagram does.
 */
ROCECC_FN rocecc_status rocecc_l3qcn_find(const rocecc_packet *packet,
                                          rocecc_l3qcn *l3qcn,
                                          rocecc_l3qcn_verdict *verdict)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_status status;
    *verdict = rocecc_l3qcn_find_(packet, l3qcn);
    status = rocecc_l3qcn_status(*verdict);
    ROCECC_ASSUME_WRITTEN_(l3qcn);
    return f->end > f->ip.end || f->end <= packet->bytes.end
               ? rocecc_status_declared(status)
               : status;
}

#endif /* ROCECC_PACKET_L3QCN_H */
