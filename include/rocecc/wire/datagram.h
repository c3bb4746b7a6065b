/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_DATAGRAM_H
#define ROCECC_WIRE_DATAGRAM_H

/*
 * datagram.h - the IP and UDP headers (with checksums) of a datagram that this node
 * sends. CNPs, Fast CNPs, private CNMs and ARNs use these headers. RFC 768, 791, 8200.
 *
 *    d.src, d.dst   both ::ffff:a.b.c.d for IPv4 (without options, with DF set)
 *
 *    out = w
 *    rocecc_datagram_reserve(&out, &d)     28 bytes, or 48 for IPv6, are left free
 *    ... write data to out ...
 *    rocecc_datagram_emit(&w, &d, &out)    writes both headers with their checksums
 *
 * rocecc_arn_build() and similar functions write whole messages. packet/answer.h writes
 * the Ethernet header of an answer.
 */
#include "udp.h"

/* Header values that do not follow from the data. */
typedef struct rocecc_datagram {
    rocecc_ip6 src; /* same version as dst; IPv4 as ::ffff:a.b.c.d */
    rocecc_ip6 dst;
    uint32_t flow_label;     /* 20 bits; only IPv6 */
    uint16_t identification; /* only IPv4 */
    uint16_t src_port;
    uint16_t dst_port;
    uint8_t dscp; /* 6 bits */
    ROCECC_ENUM8_(rocecc_ecn) ecn;
    uint8_t hop_limit; /* TTL */
} rocecc_datagram;

/*
 * Returns true if each value fits its field and both addresses have the same IP
 * version. The flow label is not checked for IPv4.
 */
ROCECC_FN bool rocecc_datagram_fits(const rocecc_datagram *datagram)
{
    const bool v4 = rocecc_ip6_is_ip4(&datagram->src);
    return datagram->dscp >> 6 == 0 && datagram->ecn >> 2 == 0 &&
           (v4 || datagram->flow_label >> 20 == 0) &&
           rocecc_ip6_is_ip4(&datagram->dst) == v4;
}

/* Returns the length of the IP header, 20 bytes (IPv4) or 40 bytes (IPv6). */
ROCECC_FN size_t rocecc_datagram_ip_bytes(const rocecc_datagram *datagram)
{
    return rocecc_ip6_is_ip4(&datagram->src) ? ROCECC_IPV4_BYTES : ROCECC_IPV6_BYTES;
}

/*
 * Fills in the IPv4 header of a UDP datagram of udp_bytes bytes. Sets the header
 * checksum to 0.
 */
ROCECC_FN void rocecc_datagram_fill_ipv4_(const rocecc_datagram *datagram,
                                          uint16_t udp_bytes, rocecc_ipv4 *header)
{
    header->dscp = datagram->dscp;
    header->ecn = datagram->ecn;
    header->total_length = (uint16_t)(ROCECC_IPV4_BYTES + udp_bytes);
    header->identification = datagram->identification;
    header->reserved = header->mf = false;
    header->df = true; /* as in RoCEv2 (CA17-7) */
    header->fragment_offset = 0;
    header->ttl = datagram->hop_limit;
    header->protocol = ROCECC_PROTO_UDP;
    header->header_checksum = 0;
    header->src = rocecc_ip4_load(datagram->src.b + 12);
    header->dst = rocecc_ip4_load(datagram->dst.b + 12);
    header->options = rocecc_reader_of(NULL, NULL);
}

/*
 * Writes the IP header for a UDP datagram of udp_bytes bytes. Unless options_bytes is
 * 0, the caller must write a Destination Options header of options_bytes bytes directly
 * after the IP header. Sets *pseudo to the pseudo-header's sum, for the UDP checksum.
 * Returns RANGE if rocecc_datagram_fits() is false, if the packet is too long for IP,
 * or if options_bytes is not 0 although the addresses are IPv4. Returns SPACE if the IP
 * header does not fit.
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
 * Writes the UDP header of a datagram. udp_bytes is the datagram's length, including
 * this header. A checksum of 0 means no checksum. Returns RANGE if udp_bytes is below
 * 8, and SPACE if 8 bytes do not fit.
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
 * Reserves room for the IP and UDP headers without writing them. Returns RANGE if
 * rocecc_datagram_fits() is false, and SPACE if 28 bytes (48 for IPv6) do not fit.
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
 * Writes the IP and UDP headers, and moves *writer to the end of the data. The caller
 * must first copy *writer to *start, pass `start` to rocecc_datagram_reserve(), and
 * then write the data to `start`. Returns RANGE if rocecc_datagram_fits() is false or
 * the data is too long for IP, and SPACE if no room was reserved for the headers. Under
 * BPF, the data must not exceed ROCECC_CHECKSUM_MAX_BYTES bytes.
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
