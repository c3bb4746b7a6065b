/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_ARN_H
#define ROCECC_PACKET_ARN_H

/*
 * arn.h - whether a packet is an ARN, what it says, and an ARN written whole.
 * wire/arn.h has the figure; its UDP port is that of the packet's domain.
 * draft-wh-rtgwg-adaptive-routing-arn; draft-hu-rtgwg-rocev2-fcn-00, 4.1.1.
 *
 *     rocecc_arn_match(&packet)          by its port, whatever is in it
 *     rocecc_arn_find(&packet, &h)       ROCECC_OK: what it says, whoever sent it
 *
 *     d = rocecc_arn_datagram(c, hash)   DSCP 48, 255 hops
 *     d.src = ...; d.dst = ...;
 *     rocecc_arn_build(&w, c, &d, &h)    ROCECC_OK: from the IP header on
 *
 * Who may send one, and whether it has come from a neighbour, is for
 * role/arn_gate.h. The drafts name no transport: UDP, with a checksum, to a neighbour,
 * is a choice of ours.
 */
#include "../wire/arn.h"
#include "../wire/datagram.h"
#include "packet.h"

/*
 * Whether a packet is an ARN by its port. False for all where ARN is off, and for what
 * is in IFA or INT.
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
 * The ARN of a packet, without asking who sent it; its UDP checksum is
 * rocecc_udp_verify()'s. NO_MATCH: another packet. SHORT: it goes beyond packet->bytes.
 * FORMAT: UDP goes beyond IP. Else as rocecc_arn_parse().
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
 * What an ARN goes in, but for its addresses: to config's port from a dynamic one,
 * 0xc000 and 14 bits of hash; DSCP 48, Not-ECT, and 255 hops, so that the neighbour
 * sees that it was not routed.
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

/* Leaves room for the headers of an ARN; as rocecc_datagram_reserve(). */
ROCECC_FN rocecc_status rocecc_arn_reserve(rocecc_writer *writer,
                                           const rocecc_arn_config *config,
                                           const rocecc_datagram *datagram)
{
    if (config->port == 0 || datagram->dst_port != config->port)
        return ROCECC_ERR_RANGE;
    return rocecc_datagram_reserve(writer, datagram);
}

/*
 * Writes a whole ARN from the IP header on, with its checksums: 28 bytes, or 48 of
 * IPv6, and those of rocecc_arn_bytes(). RANGE: config has no port, or datagram another
 * one; a value is wider than its field; one address alone is IPv4; or as
 * rocecc_arn_emit(). SPACE: no room for it.
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
