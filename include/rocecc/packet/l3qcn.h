/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_L3QCN_H
#define ROCECC_PACKET_L3QCN_H

/*
 * l3qcn.h - finds and reads the private CNM in a packet. wire/l3qcn.h shows the format.
 * The UDP port is l3qcn.port in the packet's domain. draft-yu-tsvwg-l3qcn-00, 3.
 *
 *     rocecc_l3qcn_match(&packet)              true: its port or IPv4 flag matches
 *     rocecc_udp_verify(&packet)               its UDP checksum is right: udp.h
 *     rocecc_l3qcn_find(&packet, &h, &why)     ROCECC_OK, or why names the first fault
 */
#include "../wire/l3qcn.h"
#include "packet.h"

/* Returns true if headers.ip is IPv4 and its reserved bit, the first flag, is set. */
ROCECC_FN bool rocecc_l3qcn_has_reserved_bit(const rocecc_packet *packet)
{
    const rocecc_headers_ip *ip = &packet->headers.ip;
    rocecc_reader r = rocecc_subrange(packet->bytes, ip->offset, ip->upper);
    const uint8_t *b = rocecc_take(&r, ROCECC_IPV4_BYTES);
    return ip->version == 4 && b != NULL && (b[6] & 0x80) != 0;
}

/*
 * Returns true if a UDP packet's destination port is the domain's l3qcn.port, and this
 * port is not 0. Also returns true if the domain sets l3qcn.reserved_bit and the
 * reserved bit in the packet's IPv4 header is set. Returns false for RoCEv2, overlays,
 * partial packets, and packets with IFA or INT. An access switch must not forward a
 * private CNM to a host, and must drop a private CNM from a host.
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

/* Checks that the packet goes from the flow's destination to the flow's source. */
ROCECC_FN rocecc_l3qcn_verdict
rocecc_l3qcn_check_outer_(const rocecc_packet *packet, const rocecc_l3qcn_parts *parts)
{
    rocecc_ip header, *ip = &header;
    ROCECC_BPF_KEEP_(ip);    /* keeps both structures in memory, because */
    ROCECC_BPF_KEEP_(parts); /* their words would overflow the BPF stack */
    if (parts->v6 != (packet->headers.ip.version == 6))
        return ROCECC_L3QCN_WRONG_FAMILY;
    if (rocecc_packet_ip(packet, &packet->headers.ip, ip) != ROCECC_OK)
        return ROCECC_L3QCN_CUT;
    return rocecc_ip6_match(&parts->src, &ip->dst) &&
                   rocecc_ip6_match(&parts->dst, &ip->src)
               ? ROCECC_L3QCN_TAKEN
               : ROCECC_L3QCN_SPOOFED;
}

/* Does the work of rocecc_l3qcn_find(). Returns TAKEN or the first fault. */
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
 * Reads the private CNM in a packet. The caller must check the UDP checksum with
 * rocecc_udp_verify(). Always sets *verdict to TAKEN or to the first fault. On failure
 * *l3qcn is unchanged. Returns NO_MATCH if rocecc_l3qcn_match() returns false or if
 * Magic is wrong, and UNSUPPORTED or FORMAT if rocecc_l3qcn_parse() does. Below,
 * *verdict is given in parentheses. Also returns FORMAT if UDP goes beyond IP (CUT), if
 * the private CNM goes beyond a completely captured datagram (CUT), if the packet's IP
 * version differs from the flow's IP version (WRONG_FAMILY), or if the packet's
 * addresses are not the flow's addresses in reverse (SPOOFED). Returns SHORT if both
 * the datagram and the private CNM go beyond packet->bytes (CUT).
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
