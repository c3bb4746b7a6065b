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
    uint8_t dscp;      /* 6 bits */
    uint8_t ecn;       /* a rocecc_ecn */
    uint8_t hop_limit; /* TTL */
} rocecc_datagram;

/*
 * Whether each value fits its field, and the addresses are of one version. The flow
 * label of IPv4 is not looked at.
 */
ROCECC_FN bool rocecc_datagram_fits(const rocecc_datagram *d)
{
    const bool v4 = rocecc_ip6_is_ip4(&d->src);
    return d->dscp >> 6 == 0 && d->ecn >> 2 == 0 && (v4 || d->flow_label >> 20 == 0) &&
           rocecc_ip6_is_ip4(&d->dst) == v4;
}

/* Bytes of its IP header: 20, or 40 of IPv6. */
ROCECC_FN size_t rocecc_datagram_ip_bytes(const rocecc_datagram *d)
{
    return rocecc_ip6_is_ip4(&d->src) ? ROCECC_IPV4_BYTES : ROCECC_IPV6_BYTES;
}

/* The IPv4 header before udp bytes, without its checksum. */
ROCECC_FN void rocecc_datagram_ipv4_(const rocecc_datagram *d, uint16_t udp,
                                     rocecc_ipv4 *v4)
{
    v4->dscp = d->dscp;
    v4->ecn = d->ecn;
    v4->total_length = (uint16_t)(ROCECC_IPV4_BYTES + udp);
    v4->identification = d->identification;
    v4->reserved = v4->mf = false;
    v4->df = true; /* of RoCEv2: CA17-7 */
    v4->fragment_offset = 0;
    v4->ttl = d->hop_limit;
    v4->protocol = ROCECC_PROTO_UDP;
    v4->header_checksum = 0;
    v4->src = rocecc_ip4_load(d->src.b + 12);
    v4->dst = rocecc_ip4_load(d->dst.b + 12);
    v4->options = rocecc_reader_of(NULL, NULL);
}

/*
 * Writes the IP header before udp bytes of datagram, over IPv6 before `options` bytes
 * of a Destination Options header, which the caller writes; *pseudo is what the UDP
 * checksum begins with. RANGE: it does not fit, or IP has no length for as much, or
 * options over IPv4. SPACE: no room for rocecc_datagram_ip_bytes().
 */
ROCECC_FN rocecc_status rocecc_datagram_ip_emit(rocecc_writer *w,
                                                const rocecc_datagram *d,
                                                size_t options, uint16_t udp,
                                                uint32_t *pseudo)
{
    const rocecc_writer start = *w;
    rocecc_status status;
    if (!rocecc_datagram_fits(d)) return ROCECC_ERR_RANGE;
    if (rocecc_ip6_is_ip4(&d->src)) {
        rocecc_ipv4 v4;
        if (options != 0 || udp > 0xffff - ROCECC_IPV4_BYTES) return ROCECC_ERR_RANGE;
        rocecc_datagram_ipv4_(d, udp, &v4);
        status = rocecc_ipv4_emit(w, &v4);
        if (status != ROCECC_OK) return status;
        v4.header_checksum =
            rocecc_ipv4_checksum(rocecc_between(rocecc_written(w), start.at, w->at));
        *pseudo = rocecc_checksum_pseudo4(&v4, udp);
        *w = start;
        return rocecc_ipv4_emit(w, &v4);
    } else {
        rocecc_ipv6 v6;
        if (options > (size_t)0xffff - udp) return ROCECC_ERR_RANGE;
        v6.dscp = d->dscp;
        v6.ecn = d->ecn;
        v6.flow_label = d->flow_label;
        v6.payload_length = (uint16_t)(options + udp);
        v6.next_header = options != 0 ? ROCECC_PROTO_DSTOPTS : ROCECC_PROTO_UDP;
        v6.hop_limit = d->hop_limit;
        v6.src = d->src;
        v6.dst = d->dst;
        status = rocecc_ipv6_emit(w, &v6);
        if (status == ROCECC_OK)
            *pseudo = rocecc_checksum_pseudo6(&v6, ROCECC_PROTO_UDP, udp);
        return status;
    }
}

/*
 * Writes the UDP header of a datagram of udp bytes, this header among them. A checksum
 * of 0 says that there is none. RANGE: fewer than 8 bytes. SPACE: no room for 8 bytes.
 */
ROCECC_FN rocecc_status rocecc_datagram_udp_emit(rocecc_writer *w,
                                                 const rocecc_datagram *d, uint16_t udp,
                                                 uint16_t checksum)
{
    rocecc_udp h;
    h.src_port = d->src_port;
    h.dst_port = d->dst_port;
    h.length = udp;
    h.checksum = checksum;
    return rocecc_udp_emit(w, &h);
}

/*
 * Leaves room for both headers, of which it writes nothing yet. RANGE: d does not fit.
 * SPACE: no room for 28 bytes, or 48 of IPv6.
 */
ROCECC_FN rocecc_status rocecc_datagram_reserve(rocecc_writer *w,
                                                const rocecc_datagram *d)
{
    if (!rocecc_datagram_fits(d)) return ROCECC_ERR_RANGE;
    return rocecc_put(w, rocecc_datagram_ip_bytes(d) + ROCECC_UDP_BYTES) != NULL
               ? ROCECC_OK
               : ROCECC_ERR_SPACE;
}

/*
 * Writes both headers, and moves to the end of the data: `data` is where w was, after
 * rocecc_datagram_reserve() and what has been written since. RANGE: d does not fit, or
 * IP has no length for as much. SPACE: nothing was reserved. Under BPF the data has at
 * most ROCECC_CHECKSUM_MAX_BYTES.
 */
ROCECC_FN rocecc_status rocecc_datagram_emit(rocecc_writer *w, const rocecc_datagram *d,
                                             const rocecc_writer *data)
{
    const size_t udp_at = w->at + rocecc_datagram_ip_bytes(d);
    rocecc_writer out = *w, again;
    uint32_t pseudo = 0;
    uint16_t udp;
    rocecc_status status;
    if (data->at < udp_at + ROCECC_UDP_BYTES) return ROCECC_ERR_SPACE;
    if (data->at - udp_at > 0xffff) return ROCECC_ERR_RANGE;
    udp = (uint16_t)(data->at - udp_at);
    status = rocecc_datagram_ip_emit(&out, d, 0, udp, &pseudo);
    if (status != ROCECC_OK) return status;
    again = out;
    status = rocecc_datagram_udp_emit(&out, d, udp, 0);
    if (status != ROCECC_OK) return status;
    status = rocecc_datagram_udp_emit(
        &again, d, udp,
        rocecc_udp_checksum(pseudo,
                            rocecc_between(rocecc_written(data), udp_at, data->at)));
    if (status == ROCECC_OK) *w = *data;
    return status;
}

#endif /* ROCECC_WIRE_DATAGRAM_H */
