/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_ARN_H
#define ROCECC_PACKET_ARN_H

/*
 * arn.h - finds an Adaptive Routing Notification (ARN) in a packet, and writes a whole
 * ARN packet. wire/arn.h shows the format. Sources:
 * draft-wh-rtgwg-adaptive-routing-arn, and draft-hu-rtgwg-rocev2-fcn-00, 4.1.1.
 *
 *     rocecc_arn_match(&packet)          true: its UDP destination port is arn.port
 *     rocecc_arn_find(&packet, &h)       ROCECC_OK: h is the ARN, sender unchecked
 *
 *     d = rocecc_arn_datagram(c, hash)   DSCP 48, hop limit 255
 *     d.src = ...; d.dst = ...;
 *     rocecc_arn_build(&w, c, &d, &h)    ROCECC_OK: a whole IP packet
 *
 * The drafts do not define a transport. rocecc sends an ARN to a neighbour over UDP
 * with a checksum. The destination port is the domain's arn.port. role/arn_gate.h
 * checks that the sender is permitted and is a neighbour.
 */
#include "../wire/arn.h"
#include "../wire/datagram.h"
#include "packet.h"

/*
 * Returns true if a packet's UDP destination port is the domain's arn.port, and this
 * port is not 0. Returns false if the UDP header is not in packet->bytes, or if the
 * packet is partial or has IFA or INT.
 */
ROCECC_FN bool rocecc_arn_match(const rocecc_packet *packet)
{
    const uint16_t port = packet->domain->arn.port;
    rocecc_reader r =
        rocecc_subrange(packet->bytes, packet->headers.udp, packet->headers.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_UDP_BYTES);
    return packet->headers.kind == ROCECC_PACKET_KIND_UDP &&
           !rocecc_packet_has_telemetry(packet) && b != NULL && port != 0 &&
           rocecc_load16(b + 2) == port;
}

/*
 * Reads the ARN in a packet. The caller must check the UDP checksum with
 * rocecc_udp_verify(). Returns NO_MATCH if rocecc_arn_match() returns false, FORMAT if
 * the datagram extends beyond the IP packet, and SHORT if it extends beyond
 * packet->bytes. Otherwise returns the status of rocecc_arn_parse(), except that SHORT
 * becomes FORMAT. On failure *out is unchanged.
 */
ROCECC_FN rocecc_status rocecc_arn_find(const rocecc_packet *packet, rocecc_arn *out)
{
    const rocecc_headers *f = &packet->headers;
    if (!rocecc_arn_match(packet)) return ROCECC_NO_MATCH;
    if (f->end > f->ip.end) return ROCECC_ERR_FORMAT;
    if (f->end > packet->bytes.end) return ROCECC_ERR_SHORT;
    return rocecc_status_declared(rocecc_arn_parse(
        &packet->domain->arn,
        rocecc_subrange(packet->bytes, f->udp + (size_t)ROCECC_UDP_BYTES, f->end),
        out));
}

/*
 * Returns the IP and UDP header fields for an ARN. The caller must set src and dst. The
 * destination port is config->port, the source port is 0xc000 plus the low 14 bits of
 * `hash`, DSCP is 48, and ECN is Not-ECT. The hop limit is 255, so that the neighbour
 * can check that the ARN was not routed.
 */
ROCECC_FN rocecc_datagram rocecc_arn_datagram(const rocecc_arn_config *config,
                                              uint32_t hash)
{
    rocecc_datagram d = {{{0}}, {{0}}, 0, 0, 0, 0, 0, ROCECC_ECN_NOT_ECT, 0};
    d.src_port = (uint16_t)(0xc000 | (hash & 0x3fff));
    d.dst_port = config->port;
    d.dscp = ROCECC_ARN_DSCP;
    d.hop_limit = ROCECC_ARN_HOPS;
    return d;
}

/*
 * Moves `writer` past the IP and UDP headers of an ARN (28 bytes over IPv4, or 48 over
 * IPv6) without writing them. Returns RANGE if config->port is 0 or differs from
 * datagram->dst_port, and otherwise the status of rocecc_datagram_reserve().
 */
ROCECC_FN rocecc_status rocecc_arn_reserve(rocecc_writer *writer,
                                           const rocecc_arn_config *config,
                                           const rocecc_datagram *datagram)
{
    if (config->port == 0 || datagram->dst_port != config->port)
        return ROCECC_ERR_RANGE;
    return rocecc_datagram_reserve(writer, datagram);
}

/*
 * Writes a whole ARN packet with its checksums. The packet is rocecc_arn_bytes() + 28
 * bytes long over IPv4, or rocecc_arn_bytes() + 48 bytes long over IPv6. Returns RANGE
 * if config->port is 0 or differs from datagram->dst_port, if a value in *datagram is
 * wider than its field, if one address is IPv4 and the other is IPv6, or if
 * rocecc_arn_emit() returns RANGE. Returns SPACE if the packet does not fit. On failure
 * *writer is unchanged.
 */
ROCECC_FN rocecc_status rocecc_arn_build(rocecc_writer *writer,
                                         const rocecc_arn_config *config,
                                         const rocecc_datagram *datagram,
                                         const rocecc_arn *arn)
{
    rocecc_writer out = *writer;
    rocecc_status status = rocecc_arn_reserve(&out, config, datagram);
    if (status != ROCECC_OK) return status;
    status = rocecc_arn_emit(&out, config, arn);
    if (status != ROCECC_OK) return status;
    return rocecc_datagram_emit(writer, datagram, &out);
}

#endif /* ROCECC_PACKET_ARN_H */
