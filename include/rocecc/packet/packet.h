/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_PACKET_H
#define ROCECC_PACKET_PACKET_H

/*
 * packet.h - combines a packet's bytes, the offsets of its headers (headers.h) and the
 * configuration of its network (domain.h) in one struct.
 *
 *     rocecc_packet p;
 *     rocecc_packet_parse(&domain, rocecc_reader_of(frame, frame + n), &p);
 *     p.headers.status   ROCECC_OK: a BTH is at p.headers.bth
 *     p.headers.kind     ROCECC_PACKET_KIND_ROCEV2, ...
 *     p.headers.udp      34: the UDP header is 34 bytes after the start of the buffer
 *
 * The functions read only headers, and do not check checksums. The payload may be cut
 * off, or may be in another segment of the buffer.
 */
#include "plain.h"
#include "walk.h"

/*
 * A packet. It is valid only as long as its bytes and its domain exist. A BPF map or
 * shared memory can hold `headers`. rocecc_packet_attach() makes a packet from stored
 * headers.
 */
typedef struct rocecc_packet {
    rocecc_reader bytes; /* captured bytes, from the packet's first byte on */
    rocecc_headers headers;
    const rocecc_domain *domain;
} rocecc_packet;

/*
 * Finds the headers of a packet as rocecc_packet_parse() does, but without a
 * rocecc_packet on the stack. Always writes *out. Returns OK, NO_MATCH, SHORT, FORMAT,
 * UNSUPPORTED or RANGE, as rocecc_packet_parse() does. A BPF program must keep *out in
 * a map. Linux 6.1 and later kernels accept such a program, but reject most programs
 * with a rocecc_packet on the stack.
 */
ROCECC_INLINE rocecc_status rocecc_headers_parse(const rocecc_domain *domain,
                                                 rocecc_reader bytes,
                                                 rocecc_headers *out)
{
    uint16_t type = ROCECC_TYPE_TEB;
#if ROCECC_SHORTCUTS
    if (rocecc_plain_domain_fits_(domain) && rocecc_plain_find_(domain, bytes, out))
        return ROCECC_OK;
#endif
    if (domain->link != ROCECC_LINK_ETHER) {
        rocecc_reader first = bytes;
        const uint8_t *b = rocecc_take(&first, 1);
        type = b != NULL && *b >> 4 == 6 ? ROCECC_TYPE_IPV6 : ROCECC_TYPE_IPV4;
    }
    return rocecc_headers_parse_as(domain, bytes, type, SIZE_MAX, ROCECC_PARTIAL_NONE,
                                   out);
}

/*
 * Returns the bytes of the inner packet, or an empty reader if headers->inner is 0.
 * `bytes` and `headers` must belong to the outer packet.
 */
ROCECC_FN rocecc_reader rocecc_headers_inner_bytes(rocecc_reader bytes,
                                                   const rocecc_headers *headers)
{
    if (headers->inner == 0) return rocecc_subrange(bytes, bytes.end, bytes.end);
    return rocecc_subrange(bytes, headers->inner,
                           headers->end != 0 ? headers->end : bytes.end);
}

/*
 * Finds the headers of the inner packet. `headers` must belong to the outer packet, and
 * `bytes` must come from rocecc_headers_inner_bytes(). If the outer packet is partial,
 * the inner packet is partial for the same reason. Otherwise the inner packet is
 * MIRRORED if the overlay marks it as cut, or if the first IP header or the GRH of the
 * inner packet declares an end beyond the end of the overlay. The second condition is
 * needed because ERSPAN I and some switches do not mark truncated copies. If PPPoE
 * precedes the inner packet's IP header, the second condition gives FORMAT instead.
 * Returns NO_MATCH and leaves *out unchanged if headers->inner is 0. Otherwise writes
 * *out, and returns one of the statuses of rocecc_packet_parse().
 */
ROCECC_FN rocecc_status rocecc_headers_parse_inner(const rocecc_domain *domain,
                                                   rocecc_reader bytes,
                                                   const rocecc_headers *headers,
                                                   rocecc_headers *out)
{
    const size_t end = headers->end == 0 ? SIZE_MAX : headers->end;
    rocecc_partial partial = headers->partial;
    if (headers->inner == 0) return ROCECC_NO_MATCH;
    ROCECC_BPF_KEEP_(out); /* in memory, so that the verifier's states merge sooner */
    if (partial == ROCECC_PARTIAL_NONE && headers->cut)
        partial = ROCECC_PARTIAL_MIRRORED;
    return rocecc_headers_walk_(domain, bytes, headers->inner_type, end, partial, true,
                                out);
}

/*
 * Finds the headers of a packet. domain->link determines whether the packet begins with
 * Ethernet or IP. Always writes *out. Returns OK if a BTH is at headers.bth, even if
 * the end of the packet is missing (see rocecc_packet_partial()). Returns NO_MATCH if
 * the packet is of another kind (headers.kind), or contains an inner packet
 * (headers.inner is not 0). headers.stopped is then the last layer that was examined,
 * and headers.next is the last type, protocol or port that was read. Returns SHORT,
 * FORMAT or UNSUPPORTED for an error in the layer headers.stopped, and RANGE if the
 * packet begins beyond ROCECC_PACKET_START_MAX in its buffer.
 */
ROCECC_INLINE rocecc_status rocecc_packet_parse(const rocecc_domain *domain,
                                                rocecc_reader bytes, rocecc_packet *out)
{
    out->bytes = bytes;
    out->domain = domain;
    return rocecc_headers_parse(domain, bytes, &out->headers);
}

/*
 * Finds a packet's headers with rocecc_headers_parse_plain(), so a program need not
 * contain the code for the walk. Always writes *out. Returns OK, or UNSUPPORTED if
 * rocecc_headers_parse_plain() does.
 */
ROCECC_INLINE rocecc_status rocecc_packet_parse_plain(const rocecc_domain *domain,
                                                      rocecc_reader bytes,
                                                      rocecc_packet *out)
{
    out->bytes = bytes;
    out->domain = domain;
    return rocecc_headers_parse_plain(domain, bytes, &out->headers);
}

/*
 * Maximum number of packets per call of rocecc_packet_parse_burst(), and the number of
 * packets by which the prefetch is ahead of the walk.
 */
#define ROCECC_PACKET_BURST_MAX 64
#ifndef ROCECC_PACKET_BURST_AHEAD
#define ROCECC_PACKET_BURST_AHEAD 32
#endif

/* Prefetches the first 128 bytes of a packet. */
ROCECC_INLINE void rocecc_packet_prefetch_(const rocecc_reader *bytes)
{
    ROCECC_PREFETCH(bytes->base + bytes->at);
    if (bytes->end - bytes->at > 64) ROCECC_PREFETCH(bytes->base + bytes->at + 64);
}

/*
 * Parses several packets with rocecc_packet_parse(), and prefetches later packets in
 * the meantime, because a walk mostly waits for memory. packets[i].headers.status is
 * the status of packet i. If n_packets is above ROCECC_PACKET_BURST_MAX, parses only
 * the first ROCECC_PACKET_BURST_MAX packets. Returns the number of parsed packets.
 */
ROCECC_FN size_t rocecc_packet_parse_burst(const rocecc_domain *domain,
                                           const rocecc_reader *bytes,
                                           rocecc_packet *packets, size_t n_packets)
{
    size_t i;
    if (n_packets > ROCECC_PACKET_BURST_MAX) n_packets = ROCECC_PACKET_BURST_MAX;
    for (i = 0; i < n_packets && i < ROCECC_PACKET_BURST_AHEAD; i++)
        rocecc_packet_prefetch_(&bytes[i]);
    for (i = 0; i < n_packets; i++) {
        if (i + ROCECC_PACKET_BURST_AHEAD < n_packets)
            rocecc_packet_prefetch_(&bytes[i + ROCECC_PACKET_BURST_AHEAD]);
        (void)rocecc_packet_parse(domain, bytes[i], &packets[i]);
    }
    return n_packets;
}

/*
 * Finds the headers of a packet. `type` is the EtherType of the packet's first header,
 * for example from a Linux cooked capture or from PPP. The function ignores
 * domain->link. ROCECC_TYPE_TEB means an Ethernet header. If `type` is a length before
 * LLC, or the type of a CSIG tag or a CN-TAG, the 2 bytes of this field must directly
 * precede `bytes` in the buffer. Always writes *out. Returns OK, NO_MATCH, SHORT,
 * FORMAT, UNSUPPORTED or RANGE, as rocecc_packet_parse() does.
 */
ROCECC_FN rocecc_status rocecc_packet_parse_as(const rocecc_domain *domain,
                                               rocecc_reader bytes, uint16_t type,
                                               rocecc_packet *out)
{
    out->bytes = bytes;
    out->domain = domain;
    return rocecc_headers_parse_as(domain, bytes, type, SIZE_MAX, ROCECC_PARTIAL_NONE,
                                   &out->headers);
}

/*
 * Returns the reason why the end of a packet is missing. Returns headers.partial if it
 * is not NONE. Otherwise returns CAPTURED if the packet's end is beyond packet->bytes.
 * The packet's end is the smaller of headers.end and the outermost IP header's `end`.
 * If one of these values is 0, it is ignored. Returns NONE if the packet is complete,
 * or if both values are 0.
 */
ROCECC_FN rocecc_partial rocecc_packet_partial(const rocecc_packet *packet)
{
    const rocecc_headers *f = &packet->headers;
    const uint32_t ip = f->outer.version != 0 ? f->outer.end : f->ip.end;
    const uint32_t end = f->end != 0 && (ip == 0 || f->end < ip) ? f->end : ip;
    if (f->partial != ROCECC_PARTIAL_NONE) return f->partial;
    return end > packet->bytes.end ? ROCECC_PARTIAL_CAPTURED : ROCECC_PARTIAL_NONE;
}

/*
 * Makes a packet from the headers that an earlier walk found. `bytes` must hold the
 * same packet as in that walk, at the same offset in the buffer.
 */
ROCECC_FN rocecc_packet rocecc_packet_attach(const rocecc_domain *domain,
                                             rocecc_reader bytes,
                                             const rocecc_headers *headers)
{
    rocecc_packet p;
    p.bytes = bytes;
    p.headers = *headers;
    p.domain = domain;
    return p;
}

/*
 * Finds the headers of the packet inside an overlay or a mirror session. `out` may be
 * the same pointer as `packet`. The caller must limit the nesting depth. Two levels are
 * common at a monitoring port, but three levels are not. Returns NO_MATCH and leaves
 * *out unchanged if headers.inner is 0. Otherwise writes *out, and returns one of the
 * statuses of rocecc_packet_parse().
 */
ROCECC_FN rocecc_status rocecc_packet_inner(const rocecc_packet *packet,
                                            rocecc_packet *out)
{
    const rocecc_headers outer = packet->headers;
    if (outer.inner == 0) return ROCECC_NO_MATCH;
    out->domain = packet->domain;
    out->bytes = rocecc_headers_inner_bytes(packet->bytes, &outer);
    return rocecc_headers_parse_inner(out->domain, out->bytes, &outer, &out->headers);
}

/*
 * For IP in IP, returns the outer IP header. For other packets, returns their only IP
 * header. The version in the result is 0 if the packet has no IP header.
 */
ROCECC_FN const rocecc_headers_ip *rocecc_packet_outermost(const rocecc_packet *packet)
{
    return packet->headers.outer.version != 0 ? &packet->headers.outer
                                              : &packet->headers.ip;
}

/* Returns true if the walk has found IFA or INT in a packet. */
ROCECC_FN bool rocecc_packet_has_telemetry(const rocecc_packet *packet)
{
    return (packet->headers.ifa | packet->headers.intmd) != 0;
}

/*
 * Returns the bytes of a VLAN tag, starting at its TCI, for rocecc_vlan_parse().
 * `index` must be below headers.n_vlan.
 */
ROCECC_FN rocecc_reader rocecc_packet_vlan(const rocecc_packet *packet, int index)
{
    const size_t at = packet->bytes.at + packet->headers.vlan[index];
    return rocecc_subrange(packet->bytes, at, at + ROCECC_VLAN_BYTES);
}

/*
 * Returns the extension headers after an IPv6 header, and sets *type to the first
 * header's type, for use with rocecc_ip6ext_next(). The reader ends at ip->upper, or at
 * the end of packet->bytes if this comes first. The reader is empty, and *type is
 * ROCECC_PROTO_NONE, if the IP header is IPv4 (even with an AH), absent, or not in
 * packet->bytes.
 */
ROCECC_FN rocecc_reader rocecc_packet_exts(const rocecc_packet *packet,
                                           const rocecc_headers_ip *ip, uint8_t *type)
{
    rocecc_reader r = rocecc_subrange(packet->bytes, ip->offset, ip->upper);
    const uint8_t *b = NULL;
    *type = ROCECC_PROTO_NONE;
    if (ip->version == 6) b = rocecc_take(&r, ROCECC_IPV6_BYTES);
    if (b == NULL)
        return rocecc_subrange(packet->bytes, packet->bytes.end, packet->bytes.end);
    *type = b[6];
    return r;
}

/* Fields of an IPv4 or IPv6 header. */
typedef struct rocecc_ip {
    uint8_t version; /* 4 or 6 */
    uint8_t dscp;    /* 6 bits */
    ROCECC_ENUM8_(rocecc_ecn) ecn;
    uint8_t hop_limit;   /* TTL */
    uint32_t flow_label; /* 20 bits; 0 for IPv4 */
    rocecc_ip6 src;      /* ::ffff:a.b.c.d for IPv4 */
    rocecc_ip6 dst;
} rocecc_ip;

/*
 * Reads an IP header of a packet. `ip` must be &packet->headers.ip or the result of
 * rocecc_packet_outermost(). Returns NO_MATCH if ip->version is 0, and SHORT if the
 * header is not in packet->bytes.
 */
ROCECC_FN rocecc_status rocecc_packet_ip(const rocecc_packet *packet,
                                         const rocecc_headers_ip *ip, rocecc_ip *out)
{
    rocecc_reader r = rocecc_subrange(packet->bytes, ip->offset, ip->upper);
    const uint8_t *b;
    if (ip->version == 4) {
        rocecc_ip4 src, dst;
        b = rocecc_take(&r, ROCECC_IPV4_BYTES);
        if (b == NULL) return ROCECC_ERR_SHORT;
        src = rocecc_ip4_load(b + 12);
        dst = rocecc_ip4_load(b + 16);
        out->dscp = b[1] >> 2;
        out->ecn = (rocecc_ecn)(b[1] & 0x3);
        out->hop_limit = b[8];
        out->flow_label = 0;
        out->src = rocecc_ip6_of_ip4(&src);
        out->dst = rocecc_ip6_of_ip4(&dst);
    } else if (ip->version == 6) {
        b = rocecc_take(&r, ROCECC_IPV6_BYTES);
        if (b == NULL) return ROCECC_ERR_SHORT;
        out->dscp = (uint8_t)(rocecc_load16(b) >> 6 & 0x3f);
        out->ecn = (rocecc_ecn)(b[1] >> 4 & 0x3);
        out->hop_limit = b[7];
        out->flow_label = rocecc_load32(b) & 0xfffff;
        out->src = rocecc_ip6_load(b + 8);
        out->dst = rocecc_ip6_load(b + 24);
    } else {
        return ROCECC_NO_MATCH;
    }
    out->version = ip->version;
    return ROCECC_OK;
}

#endif /* ROCECC_PACKET_PACKET_H */
