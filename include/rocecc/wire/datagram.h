/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_DATAGRAM_H
#define ROCECC_WIRE_DATAGRAM_H

/*
 * datagram.h - the headers of a UDP datagram that this node sends, IPv4 or IPv6, with
 * their checksums: what CNPs, Fast CNPs, private CNMs and ARNs stand in. RFC 768, 791,
 * 8200.
 *
 *    d.src, d.dst   ::ffff:a.b.c.d in both is IPv4, without options and with DF
 *
 *    out = w
 *    rocecc_datagram_reserve(&out, &d)     28 bytes, or 48 of IPv6, are left open
 *    ... the data, to out ...
 *    rocecc_datagram_emit(&w, &d, &out)    both headers, with their checksums
 *
 * A message's own function writes it whole: rocecc_arn_build() and so on. No Ethernet
 * header is written: packet/answer.h has one for an answer.
 */
#include "udp.h"

/* What follows neither from the data nor from its length. */
typedef struct rocecc_datagram {
    rocecc_ip6 src; /* both of one version: IPv4 is ::ffff:a.b.c.d */
    rocecc_ip6 dst;
    uint32_t flow_label;     /* 20 bits, of IPv6 */
    uint16_t identification; /* of IPv4 */
    uint16_t src_port;
    uint16_t dst_port;
    uint8_t dscp; /* 6 bits */
    ROCECC_ENUM8_(rocecc_ecn) ecn;
    uint8_t hop_limit; /* TTL */
} rocecc_datagram;

/*
 * Whether each value fits its field, and the addresses are of one version. The flow
 * label of IPv4 is not looked at.
 */
ROCECC_FN bool rocecc_datagram_fits(const rocecc_datagram *datagram)
{
    const bool v4 = rocecc_ip6_is_ip4(&datagram->src);
    return datagram->dscp >> 6 == 0 && datagram->ecn >> 2 == 0 &&
           (v4 || datagram->flow_label >> 20 == 0) &&
           rocecc_ip6_is_ip4(&datagram->dst) == v4;
}

/* Bytes of its IP header: 20, or 40 of IPv6. */
ROCECC_FN size_t rocecc_datagram_ip_bytes(const rocecc_datagram *datagram)
{
    return rocecc_ip6_is_ip4(&datagram->src) ? ROCECC_IPV4_BYTES : ROCECC_IPV6_BYTES;
}

/* The IPv4 header before udp bytes, without its checksum. */
ROCECC_FN void rocecc_datagram_fill_ipv4_(const rocecc_datagram *datagram,
                                          uint16_t udp_bytes, rocecc_ipv4 *header)
{
    header->dscp = datagram->dscp;
    header->ecn = datagram->ecn;
    header->total_length = (uint16_t)(ROCECC_IPV4_BYTES + udp_bytes);
    header->identification = datagram->identification;
    header->reserved = header->mf = false;
    header->df = true; /* of RoCEv2: CA17-7 */
    header->fragment_offset = 0;
    header->ttl = datagram->hop_limit;
    header->protocol = ROCECC_PROTO_UDP;
    header->header_checksum = 0;
    header->src = rocecc_ip4_load(datagram->src.b + 12);
    header->dst = rocecc_ip4_load(datagram->dst.b + 12);
    header->options = rocecc_reader_of(NULL, NULL);
}

/*
 * Writes the IP header before udp bytes of datagram, over IPv6 before `options_bytes`
 * bytes of a Destination Options header, which the caller writes; *pseudo is what the
 * UDP checksum begins with. RANGE: it does not fit, or IP has no length for as much, or
 * options over IPv4. SPACE: no room for rocecc_datagram_ip_bytes().
 */
ROCECC_FN rocecc_status rocecc_datagram_ip_emit(rocecc_writer *writer,
                                                const rocecc_datagram *datagram,
                                                size_t options_bytes,
                                                uint16_t udp_bytes, uint32_t *pseudo)
{
    const rocecc_writer start = *writer;
    rocecc_status status;
    if (!rocecc_datagram_fits(datagram)) return ROCECC_ERR_RANGE;
    if (rocecc_ip6_is_ip4(&datagram->src)) {
        rocecc_ipv4 v4;
        if (options_bytes != 0 || udp_bytes > 0xffff - ROCECC_IPV4_BYTES)
            return ROCECC_ERR_RANGE;
        rocecc_datagram_fill_ipv4_(datagram, udp_bytes, &v4);
        status = rocecc_ipv4_emit(writer, &v4);
        if (status != ROCECC_OK) return status;
        v4.header_checksum = rocecc_ipv4_checksum(
            rocecc_subrange(rocecc_written(writer), start.at, writer->at));
        *pseudo = rocecc_checksum_pseudo4(&v4, udp_bytes);
        *writer = start;
        return rocecc_ipv4_emit(writer, &v4);
    } else {
        rocecc_ipv6 v6;
        if (options_bytes > (size_t)0xffff - udp_bytes) return ROCECC_ERR_RANGE;
        v6.dscp = datagram->dscp;
        v6.ecn = datagram->ecn;
        v6.flow_label = datagram->flow_label;
        v6.payload_length = (uint16_t)(options_bytes + udp_bytes);
        v6.next_header = options_bytes != 0 ? ROCECC_PROTO_DSTOPTS : ROCECC_PROTO_UDP;
        v6.hop_limit = datagram->hop_limit;
        v6.src = datagram->src;
        v6.dst = datagram->dst;
        status = rocecc_ipv6_emit(writer, &v6);
        if (status == ROCECC_OK)
            *pseudo = rocecc_checksum_pseudo6(&v6, ROCECC_PROTO_UDP, udp_bytes);
        return status;
    }
}

/*
 * Writes the UDP header of a datagram of udp bytes, this header among them. A checksum
 * of 0 says that there is none. RANGE: fewer than 8 bytes. SPACE: no room for 8 bytes.
 */
ROCECC_FN rocecc_status rocecc_datagram_udp_emit(rocecc_writer *writer,
                                                 const rocecc_datagram *datagram,
                                                 uint16_t udp_bytes, uint16_t checksum)
{
    rocecc_udp h;
    h.src_port = datagram->src_port;
    h.dst_port = datagram->dst_port;
    h.length = udp_bytes;
    h.checksum = checksum;
    return rocecc_udp_emit(writer, &h);
}

/*
 * Leaves room for both headers, of which it writes nothing yet. RANGE: datagram does
 * not fit. SPACE: no room for 28 bytes, or 48 of IPv6.
 */
ROCECC_FN rocecc_status rocecc_datagram_reserve(rocecc_writer *writer,
                                                const rocecc_datagram *datagram)
{
    if (!rocecc_datagram_fits(datagram)) return ROCECC_ERR_RANGE;
    return rocecc_put(writer, rocecc_datagram_ip_bytes(datagram) + ROCECC_UDP_BYTES) !=
                   NULL
               ? ROCECC_OK
               : ROCECC_ERR_SPACE;
}

/*
 * Writes both headers, and moves to the end of the data: `start` is where writer was,
 * after rocecc_datagram_reserve() and what has been written since. RANGE: datagram does
 * not fit, or IP has no length for as much. SPACE: nothing was reserved. Under BPF the
 * data has at most ROCECC_CHECKSUM_MAX_BYTES.
 */
ROCECC_FN rocecc_status rocecc_datagram_emit(rocecc_writer *writer,
                                             const rocecc_datagram *datagram,
                                             const rocecc_writer *start)
{
    const size_t udp_at = writer->at + rocecc_datagram_ip_bytes(datagram);
    rocecc_writer out = *writer, again;
    uint32_t pseudo = 0;
    uint16_t udp;
    rocecc_status status;
    if (start->at < udp_at + ROCECC_UDP_BYTES) return ROCECC_ERR_SPACE;
    if (start->at - udp_at > 0xffff) return ROCECC_ERR_RANGE;
    udp = (uint16_t)(start->at - udp_at);
    status = rocecc_datagram_ip_emit(&out, datagram, 0, udp, &pseudo);
    if (status != ROCECC_OK) return status;
    again = out;
    status = rocecc_datagram_udp_emit(&out, datagram, udp, 0);
    if (status != ROCECC_OK) return status;
    status = rocecc_datagram_udp_emit(
        &again, datagram, udp,
        rocecc_udp_checksum(pseudo,
                            rocecc_subrange(rocecc_written(start), udp_at, start->at)));
    if (status == ROCECC_OK) *writer = *start;
    return status;
}

#endif /* ROCECC_WIRE_DATAGRAM_H */
