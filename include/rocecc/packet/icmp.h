/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_ICMP_H
#define ROCECC_PACKET_ICMP_H

/*
 * icmp.h - writes the ICMP or ICMPv6 error for an arrival verdict, and reads the packet
 * that an error quotes. RFC 4443 (2.2, 2.4), RFC 1122 (3.2.2), RFC 1812 (4.3.2).
 *
 *   The node that drops a packet:
 *
 *     rocecc_arrival_check(...)    UNKNOWN_OPTION, with error type 4, code 2, pointer
 *                                  42
 *     rocecc_icmp_build(&writer, packet.bytes, &error, &node)
 *                                  IPv6 | ICMPv6 | the packet, at most 1280 bytes
 *                                  in all
 *
 *   The node that sent the packet:
 *
 *     rocecc_icmp_quoted(&packet, &message, &quoted)
 *                                  the quoted part of the packet that it sent
 *
 * The host must limit the rate of its errors (RFC 4443, 2.4 (f)), for example with a
 * rocecc_tokenbucket.
 */
#include "../wire/icmp.h"
#include "packet.h"

/* Fields in an error's IP header that the sending node chooses. */
typedef struct rocecc_icmp_node {
    rocecc_ip6 src;    /* the node's address; IPv4 as ::ffff:a.b.c.d */
    uint8_t hop_limit; /* at least 1 */
    uint8_t dscp;      /* 6 bits; RFC 1812, 4.3.2.5, recommends 48 (CS6) */
} rocecc_icmp_node;

/*
 * Returns true if a packet is an ICMP error. Also returns true for a later fragment,
 * and for ICMP without a type byte, because these packets may be ICMP errors, too.
 */
ROCECC_FN bool rocecc_icmp_is_error_packet_(const rocecc_packet *packet,
                                            const rocecc_headers_ip *ip)
{
    rocecc_reader r = rocecc_subrange(packet->bytes, ip->upper, ip->end);
    const uint8_t *b = rocecc_take(&r, 1);
    if (ip->fragment == ROCECC_IP_FRAGMENT_LATER) return true;
    if (ip->proto != (ip->version == 6 ? ROCECC_PROTO_ICMP6 : ROCECC_PROTO_ICMP))
        return false;
    return b == NULL || rocecc_icmp_is_error(ip->version, *b);
}

/* Returns true if a packet's addresses allow an ICMP error about the packet. */
ROCECC_FN bool rocecc_icmp_may_answer_(const rocecc_ip *header,
                                       const rocecc_icmp_error *error)
{
    /*
     * A packet from or to a group or broadcast address must not cause an error (RFC
     * 1122, 3.2.2).
     */
    if (header->version == 4)
        return rocecc_ip6_is_host(&header->src) && rocecc_ip6_is_host(&header->dst);
    if (!rocecc_ip6_is_source(&header->src)) return false;
    /* A multicast packet may cause only two kinds of error (RFC 4443, 2.4 (e.3)). */
    return !rocecc_ip6_is_group(&header->dst) ||
           error->type == ROCECC_ICMP6_TYPE_TOO_BIG ||
           (error->type == ROCECC_ICMP6_TYPE_PROBLEM &&
            error->code == ROCECC_ICMP6_PROBLEM_OPTION);
}

/*
 * Writes an error's IPv4 header. `bytes` is the length of the ICMP message. `header` is
 * the dropped packet's IP header.
 */
ROCECC_FN bool rocecc_icmp_put_ipv4_(rocecc_writer *writer,
                                     const rocecc_icmp_node *node,
                                     const rocecc_ip *header, size_t bytes)
{
    uint32_t sum = 0;
    uint8_t *b = rocecc_put(writer, ROCECC_IPV4_BYTES);
    int i;
    if (b == NULL) return false;
    b[0] = 0x45;
    b[1] = (uint8_t)(node->dscp << 2);
    rocecc_store16(b + 2, (uint16_t)(ROCECC_IPV4_BYTES + bytes));
    rocecc_store16(b + 4, 0);
    rocecc_store16(b + 6, 0x4000); /* DF */
    b[8] = node->hop_limit;
    b[9] = ROCECC_PROTO_ICMP;
    rocecc_store16(b + 10, 0);
    rocecc_store32(b + 12, rocecc_load32(node->src.b + 12));
    rocecc_store32(b + 16, rocecc_load32(header->src.b + 12));
    for (i = 0; i < ROCECC_IPV4_BYTES; i += 2)
        sum += rocecc_load16(b + i);
    rocecc_store16(b + 10, rocecc_checksum_final(sum));
    return true;
}

/*
 * Writes an error's IPv6 header, and writes the sum of the pseudo-header to *pseudo.
 * `bytes` is the length of the ICMPv6 message. `header` is the dropped packet's IP
 * header.
 */
ROCECC_FN bool rocecc_icmp_put_ipv6_(rocecc_writer *writer,
                                     const rocecc_icmp_node *node,
                                     const rocecc_ip *header, size_t bytes,
                                     uint32_t *pseudo)
{
    uint32_t sum = ROCECC_PROTO_ICMP6 + (uint32_t)bytes;
    uint8_t *b = rocecc_put(writer, ROCECC_IPV6_BYTES);
    int i;
    if (b == NULL) return false;
    rocecc_store32(b, UINT32_C(0x60000000) | (uint32_t)node->dscp << 22);
    rocecc_store16(b + 4, (uint16_t)bytes);
    b[6] = ROCECC_PROTO_ICMP6;
    b[7] = node->hop_limit;
    rocecc_ip6_store(b + 8, &node->src);
    rocecc_ip6_store(b + 24, &header->src);
    for (i = 8; i < ROCECC_IPV6_BYTES; i += 2)
        sum += rocecc_load16(b + i);
    *pseudo = sum;
    return true;
}

/*
 * Writes the IP header, the ICMP header and `quote`. The caller must have checked the
 * arguments.
 */
ROCECC_FN rocecc_status rocecc_icmp_put_(rocecc_writer *writer, rocecc_reader quote,
                                         const rocecc_ip *header,
                                         const rocecc_icmp_error *error,
                                         const rocecc_icmp_node *node)
{
    const size_t ip = header->version == 6 ? ROCECC_IPV6_BYTES : ROCECC_IPV4_BYTES;
    const size_t bytes = ROCECC_ICMP_ERROR_BYTES + rocecc_left(&quote);
    rocecc_writer out = *writer, message;
    rocecc_icmp_message m;
    uint32_t pseudo = 0;
    rocecc_status status;
    uint8_t *b;
    if (rocecc_room(writer) < ip + bytes) return ROCECC_ERR_SPACE;
    if (header->version == 6
            ? !rocecc_icmp_put_ipv6_(&out, node, header, bytes, &pseudo)
            : !rocecc_icmp_put_ipv4_(&out, node, header, bytes))
        return ROCECC_ERR_SPACE;
    message = out;
    m.type = error->type;
    m.code = error->code;
    m.checksum = 0;
    m.value = error->value;
    if (header->version == 4 && error->type == ROCECC_ICMP_TYPE_PROBLEM)
        m.value = error->value << 24;
    m.packet = quote;
    status = rocecc_icmp_message_emit(&out, &m);
    if (status != ROCECC_OK) return status;
    m.checksum = rocecc_icmp_checksum(
        pseudo, rocecc_subrange(rocecc_written(&out), message.at, out.at));
    b = rocecc_put(&message, ROCECC_ICMP_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_store16(b + 2, m.checksum);
    *writer = out;
    return ROCECC_OK;
}

/*
 * Writes an IP header and an ICMP or ICMPv6 error about a packet. The error quotes the
 * start of the packet, but is at most 1280 bytes long over IPv6, or 576 bytes over
 * IPv4, including its own IP header. `bytes` must hold the packet, with its IP header
 * at error->offset, and must not overlap the writer's buffer. The caller must not pass
 * a packet sent to the broadcast address of a subnet or link, because the function does
 * not check for such an address. Under BPF, an error quotes at most
 * ROCECC_CHECKSUM_MAX_BYTES - 4 bytes of the packet. On failure *writer is unchanged.
 *
 * Returns NO_MATCH if error->type is 0, or if the packet is an ICMP error, a later
 * fragment, or ICMP without a type byte. Also returns NO_MATCH if the source or the
 * IPv4 destination is not a host's unicast address. For an IPv6 packet to a group
 * address (see rocecc_ip6_is_group()), returns NO_MATCH unless the error is a Packet
 * Too Big or a Parameter Problem with code 2. Returns SHORT if no complete and valid IP
 * header begins at error->offset, or if error->offset is above ROCECC_PACKET_START_MAX.
 * Returns RANGE if node->src is not a host's unicast address of the packet's IP
 * version, if hop_limit is 0, or if dscp is above 63. Returns SPACE if the error does
 * not fit.
 */
ROCECC_FN rocecc_status rocecc_icmp_build(rocecc_writer *writer, rocecc_reader bytes,
                                          const rocecc_icmp_error *error,
                                          const rocecc_icmp_node *node)
{
    rocecc_domain domain = ROCECC_ZERO;
    rocecc_reader first = rocecc_subrange(bytes, error->offset, bytes.end),
                  quote = first;
    const uint8_t *b = rocecc_take(&first, 1);
    const rocecc_headers_ip *ip;
    rocecc_packet p;
    rocecc_ip header;
    size_t most;
    if (error->type == 0) return ROCECC_NO_MATCH;
    if (b == NULL) return ROCECC_ERR_SHORT;
    domain.ah = true; /* an ICMP error may follow AH */
    (void)rocecc_packet_parse_as(
        &domain, quote, *b >> 4 == 6 ? ROCECC_TYPE_IPV6 : ROCECC_TYPE_IPV4, &p);
    ip = rocecc_packet_outermost(&p);
    if (rocecc_packet_ip(&p, ip, &header) != ROCECC_OK) return ROCECC_ERR_SHORT;
    if (rocecc_icmp_is_error_packet_(&p, ip) ||
        !rocecc_icmp_may_answer_(&header, error))
        return ROCECC_NO_MATCH;
    if (node->hop_limit == 0 || node->dscp >> 6 != 0 ||
        (header.version == 6
             ? !rocecc_ip6_is_source(&node->src)
             : !rocecc_ip6_is_ip4(&node->src) || !rocecc_ip6_is_host(&node->src)))
        return ROCECC_ERR_RANGE;
    most = header.version == 6 ? ROCECC_ICMP6_QUOTE_MAX_BYTES
                               : ROCECC_ICMP_QUOTE_MAX_BYTES;
    most = (size_t)rocecc_min(most, ROCECC_CHECKSUM_MAX_BYTES - 4); /* room for value */
    quote =
        rocecc_subrange(quote, quote.at, (size_t)rocecc_min(ip->end, quote.at + most));
    return rocecc_icmp_put_(writer, quote, &header, error, node);
}

/*
 * Reads the ICMP or ICMPv6 error after headers.ip, and finds the headers of the packet
 * that the error quotes. out->bytes is a part of packet->bytes, out->headers.partial is
 * QUOTED, and out->headers.status is the status of the walk. The caller must use the
 * quoted source address and its own records to check that this node sent the quoted
 * packet. Returns NO_MATCH if the packet is not an ICMP error, or is a fragment.
 * Returns SHORT if the packet goes beyond packet->bytes, or if the ICMP message is at
 * most 8 bytes long. Returns FORMAT if the checksum is wrong, and UNSUPPORTED if the
 * message is longer than 4 + ROCECC_CHECKSUM_MAX_BYTES bytes. On failure *message and
 * *out are unchanged.
 */
ROCECC_FN rocecc_status rocecc_icmp_quoted(const rocecc_packet *packet,
                                           rocecc_icmp_message *message,
                                           rocecc_packet *out)
{
    const rocecc_headers_ip *ip = &packet->headers.ip;
    rocecc_reader r = rocecc_subrange(packet->bytes, ip->upper, ip->end), first;
    rocecc_icmp_message m;
    uint32_t pseudo = 0;
    rocecc_status status;
    const uint8_t *b;
    if (ip->version == 0 || ip->fragment != ROCECC_IP_FRAGMENT_NONE ||
        ip->proto != (ip->version == 6 ? ROCECC_PROTO_ICMP6 : ROCECC_PROTO_ICMP))
        return ROCECC_NO_MATCH;
    if (ip->end > packet->bytes.end) return ROCECC_ERR_SHORT;
    if (ip->version == 6) {
        rocecc_reader head = rocecc_subrange(packet->bytes, ip->offset, ip->upper);
        rocecc_ipv6 v6;
        status = rocecc_ipv6_parse(&head, &v6);
        if (status != ROCECC_OK) return status;
        pseudo =
            rocecc_checksum_pseudo6(&v6, ROCECC_PROTO_ICMP6, (uint32_t)rocecc_left(&r));
    }
    first = r;
    status = rocecc_icmp_message_parse(&r, ip->version, &m);
    if (status != ROCECC_OK) return status;
    status = rocecc_icmp_verify(pseudo, first);
    if (status != ROCECC_OK) return status;
    first = m.packet;
    b = rocecc_take(&first, 1);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *message = m;
    ROCECC_BPF_KEEP_(out); /* in memory: its words would overflow the BPF stack */
    out->bytes = m.packet;
    out->domain = packet->domain;
    (void)rocecc_headers_parse_as(packet->domain, m.packet,
                                  *b >> 4 == 6 ? ROCECC_TYPE_IPV6 : ROCECC_TYPE_IPV4,
                                  SIZE_MAX, ROCECC_PARTIAL_QUOTED, &out->headers);
    return ROCECC_OK;
}

#endif /* ROCECC_PACKET_ICMP_H */
