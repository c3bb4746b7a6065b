/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_UDP_H
#define ROCECC_PACKET_UDP_H

/*
 * udp.h - whether the UDP checksum of a packet is right. wire/udp.h has the header.
 *
 *     rocecc_udp_verify(&packet)     false: the checksum is wrong, or 0 (not computed)
 *
 * Private CNMs and ARNs have a checksum. RoCEv2 may send 0, as its checksum is the ICRC
 * (IBTA A17.3.2.4).
 */
#include "../wire/udp.h"
#include "packet.h"

/* Returns true if a datagram has a UDP checksum, right or wrong: it is not 0. */
ROCECC_FN bool rocecc_udp_has_checksum(const rocecc_packet *packet)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_reader r = rocecc_subrange(packet->bytes, f->udp, f->ip.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_UDP_BYTES);
    return f->udp != 0 && b != NULL && (b[6] | b[7]) != 0;
}

/*
 * Returns true if a datagram has its right UDP checksum. Returns false if the checksum
 * is wrong or 0, if the datagram goes beyond packet->bytes, or its length differs from
 * its header's, if IFA or INT stands in the packet, or the packet is not of UDP. Under
 * BPF a datagram has at most 8 + ROCECC_CHECKSUM_MAX_BYTES bytes.
 */
ROCECC_FN bool rocecc_udp_verify(const rocecc_packet *packet)
{
    const rocecc_headers *f = &packet->headers;
    const bool v4 = f->ip.version == 4;
    rocecc_reader ip = rocecc_subrange(
        packet->bytes, f->ip.offset + (v4 ? (size_t)12 : 8), f->ip.upper);
    rocecc_reader addresses = ip;
    rocecc_reader datagram = rocecc_subrange(packet->bytes, f->udp, f->end);
    const rocecc_reader all = datagram;
    rocecc_udp udp;
    uint32_t sum = ROCECC_PROTO_UDP;
    if ((f->kind != ROCECC_PACKET_KIND_UDP && f->kind != ROCECC_PACKET_KIND_ROCEV2) ||
        rocecc_packet_has_telemetry(packet) || f->end > packet->bytes.end ||
        rocecc_udp_parse(&datagram, &udp) != ROCECC_OK ||
        rocecc_left(&all) != udp.length || udp.checksum == 0 ||
        !rocecc_split(&ip, v4 ? 8 : 32, &addresses))
        return false;
    sum = rocecc_checksum_update(sum + udp.length, addresses);
    return rocecc_checksum_final(rocecc_checksum_update(sum, all)) == 0;
}

#endif /* ROCECC_PACKET_UDP_H */
