/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_UDP_H
#define ROCECC_PACKET_UDP_H

/*
 * udp.h - whether the UDP checksum of a packet is right. wire/udp.h has the header.
 *
 *     rocecc_udp_verify(&packet)     false: the checksum is wrong, or 0 (not computed)
 *
 * Private CNMs and ARNs have one. RoCEv2 has none (IBTA A17.3.2.4), and is not asked:
 * its checksum is the ICRC.
 */
#include "../wire/udp.h"
#include "packet.h"

/*
 * Whether a datagram has its right UDP checksum, and one at all. False also where it
 * goes beyond packet->bytes, its length is not that of the header, or the packet is
 * another. In BPF, it has 8 + ROCECC_CHECKSUM_MAX_BYTES bytes at most.
 */
ROCECC_FN bool rocecc_udp_verify(const rocecc_packet *packet)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_reader ip = rocecc_subrange(packet->bytes, f->ip.offset, f->ip.upper);
    rocecc_reader datagram = rocecc_subrange(packet->bytes, f->udp, f->end);
    const rocecc_reader all = datagram;
    rocecc_udp udp;
    uint32_t pseudo;
    if (f->kind != ROCECC_PACKET_KIND_UDP || f->end > packet->bytes.end ||
        rocecc_udp_parse(&datagram, &udp) != ROCECC_OK ||
        rocecc_left(&all) != udp.length)
        return false;
    if (f->ip.version == 4) {
        rocecc_ipv4 v4;
        if (rocecc_ipv4_parse(&ip, &v4) != ROCECC_OK) return false;
        pseudo = rocecc_checksum_pseudo4(&v4, udp.length);
    } else {
        rocecc_ipv6 v6;
        if (rocecc_ipv6_parse(&ip, &v6) != ROCECC_OK) return false;
        pseudo = rocecc_checksum_pseudo6(&v6, ROCECC_PROTO_UDP, udp.length);
    }
    return udp.checksum == rocecc_udp_checksum(pseudo, all); /* which is never 0 */
}

#endif /* ROCECC_PACKET_UDP_H */
