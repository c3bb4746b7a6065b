/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_UDP_H
#define ROCECC_PACKET_UDP_H

/*
 * udp.h - checks the UDP checksum of a packet. wire/udp.h describes the header.
 *
 *     rocecc_udp_verify(&packet)     false: the checksum is wrong, or 0 (not computed)
 *
 * Private CNMs (wire/l3qcn.h) and ARNs (wire/arn.h) have a checksum. RoCEv2 senders may
 * write 0, because the ICRC protects the packet (IBTA A17.3.2.4).
 */
#include "../wire/udp.h"
#include "packet.h"

/*
 * Returns true if a packet has a UDP checksum other than 0, even if the checksum is
 * wrong. Returns false if the UDP header is absent or not in packet->bytes.
 */
ROCECC_FN bool rocecc_udp_has_checksum(const rocecc_packet *packet)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_reader r = rocecc_subrange(packet->bytes, f->udp, f->ip.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_UDP_BYTES);
    return f->udp != 0 && b != NULL && (b[6] | b[7]) != 0;
}

/*
 * Returns true if the UDP checksum of a packet is correct. Returns false if the
 * checksum is 0, if the datagram goes beyond packet->bytes, if UDP Length contradicts
 * headers.end, or if the packet has IFA or INT. Also returns false if headers.kind is
 * neither UDP nor ROCEV2, for example for a partial packet or an overlay such as VXLAN.
 * The pseudo-header uses the destination in the IP header, even if an SRH has segments
 * left. Under BPF, the caller must not pass a datagram longer than 8 +
 * ROCECC_CHECKSUM_MAX_BYTES bytes.
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
