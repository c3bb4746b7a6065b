/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_PACKET_H
#define ROCECC_PACKET_PACKET_H

/*
 * packet.h - a packet as one value: its bytes, where its headers are (headers.h), and
 * what its network has agreed on (domain.h).
 *
 *     rocecc_packet p;
 *     rocecc_packet_parse(&domain, rocecc_reader_of(frame, frame + n), &p);
 *     p.headers.status   ROCECC_OK: a BTH stands at p.headers.bth
 *     p.headers.kind     ROCECC_PACKET_KIND_ROCEV2, ...
 *     p.headers.udp      34: the UDP header is 34 bytes after the start of the buffer
 *
 * Only headers are read, and no checksum: the payload may be cut off, or lie in another
 * segment of a buffer.
 */
#include "plain.h"
#include "walk.h"

/*
 * A packet for the time of a call. A map or a shared memory keeps `headers`, and
 * rocecc_packet_attach() makes a packet of it again.
 */
typedef struct rocecc_packet {
    rocecc_reader bytes; /* begins with the packet, and ends where the capture does */
    rocecc_headers headers;
    const rocecc_domain *domain;
} rocecc_packet;

/*
 * Where the headers of a packet are, which begins as the domain says. These three are
 * for a host without room for a packet on its stack. A BPF program keeps *out in a map:
 * kernels from 6.1 on verify that, and refuse most walks of a packet on the stack.
 * Answers as rocecc_packet_parse(), and always writes *out.
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
 * The bytes of the packet inside another, which begins with `bytes`. Empty, at the end
 * of `bytes`: there is no packet inside.
 */
ROCECC_FN rocecc_reader rocecc_headers_inner_bytes(rocecc_reader bytes,
                                                   const rocecc_headers *headers)
{
    if (headers->inner == 0) return rocecc_subrange(bytes, bytes.end, bytes.end);
    return rocecc_subrange(bytes, headers->inner,
                           headers->end != 0 ? headers->end : bytes.end);
}

/*
 * The same of the packet inside headers; `bytes` is what rocecc_headers_inner_bytes()
 * gave. A packet that is longer than the overlay around it is partial, MIRRORED: ERSPAN
 * I and some switches cut a copy and do not say so. NO_MATCH, too, where there is none:
 * then *out is as it was.
 */
ROCECC_FN rocecc_status rocecc_headers_parse_inner(const rocecc_domain *domain,
                                                   rocecc_reader bytes,
                                                   const rocecc_headers *headers,
                                                   rocecc_headers *out)
{
    const size_t end = headers->end == 0 ? SIZE_MAX : headers->end;
    rocecc_partial partial = headers->partial;
    if (headers->inner == 0) return ROCECC_NO_MATCH;
    if (partial == ROCECC_PARTIAL_NONE && headers->cut)
        partial = ROCECC_PARTIAL_MIRRORED;
    return rocecc_headers_walk_(domain, bytes, headers->inner_type, end, partial, true,
                                out);
}

/*
 * Finds the headers of a packet, which begins as the domain says. OK: a BTH stands at
 * out->headers.bth; all that follows it is there if rocecc_packet_partial() is NONE.
 * NO_MATCH: the packet is something else: headers.kind, and headers.next after the
 * layer headers.stopped say what, headers.inner whether there is a packet in it. SHORT,
 * FORMAT, UNSUPPORTED: of the layer headers.stopped. RANGE: the packet begins beyond
 * ROCECC_PACKET_START_MAX in its buffer. Always writes *out.
 */
ROCECC_INLINE rocecc_status rocecc_packet_parse(const rocecc_domain *domain,
                                                rocecc_reader bytes, rocecc_packet *out)
{
    out->bytes = bytes;
    out->domain = domain;
    return rocecc_headers_parse(domain, bytes, &out->headers);
}

/*
 * The same of a packet that rocecc_headers_parse_plain() knows: no walk is linked.
 * UNSUPPORTED: another packet, or a malformed one. Always writes *out.
 */
ROCECC_INLINE rocecc_status rocecc_packet_parse_plain(const rocecc_domain *domain,
                                                      rocecc_reader bytes,
                                                      rocecc_packet *out)
{
    out->bytes = bytes;
    out->domain = domain;
    return rocecc_headers_parse_plain(domain, bytes, &out->headers);
}

/* Frames that rocecc_packet_parse_burst() takes at once, and how far ahead it looks. */
#define ROCECC_PACKET_BURST_MAX 64
#ifndef ROCECC_PACKET_BURST_AHEAD
#define ROCECC_PACKET_BURST_AHEAD 32
#endif

/* Asks for the cache lines of the headers of a packet: 128 bytes, as far as it has
 * them. */
ROCECC_INLINE void rocecc_packet_prefetch_(const rocecc_reader *bytes)
{
    ROCECC_PREFETCH(bytes->base + bytes->at);
    if (bytes->end - bytes->at > 64) ROCECC_PREFETCH(bytes->base + bytes->at + 64);
}

/*
 * rocecc_packet_parse() of n_packets, whose bytes are asked for while those before are
 * walked: where the bytes are not in a cache, a walk waits for little else. The status
 * of each is packets[i].headers.status. Returns how many were walked: n_packets, but at
 * most ROCECC_PACKET_BURST_MAX.
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
 * As rocecc_packet_parse(), where the EtherType of the first header is known: after a
 * link layer of its own (Linux cooked captures, PPP); ROCECC_TYPE_TEB is Ethernet
 * itself. The type of a CSIG tag or CN-TAG belongs to the tag: there it has to stand
 * right before bytes.
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
 * Why the end of a packet is not there; CAPTURED: nothing in it says so, but its UDP,
 * IP or GRH says that it ends beyond packet->bytes. NONE: it is whole, or no length
 * says where it ends.
 */
ROCECC_FN rocecc_partial rocecc_packet_partial(const rocecc_packet *packet)
{
    const rocecc_headers *f = &packet->headers;
    const uint32_t ip = f->outer.version != 0 ? f->outer.end : f->ip.end;
    const uint32_t end = f->end != 0 && (ip == 0 || f->end < ip) ? f->end : ip;
    if (f->partial != ROCECC_PARTIAL_NONE) return f->partial;
    return end > packet->bytes.end ? ROCECC_PARTIAL_CAPTURED : ROCECC_PARTIAL_NONE;
}

/* A packet that was walked before, and whose `headers` somebody has kept. */
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
 * The packet inside an overlay or a mirror session, in the same buffer; inner may be
 * packet. NO_MATCH and *out as it was: there is no such packet. Otherwise as
 * rocecc_packet_parse(), and always writes *out. How deep to go is for the caller: two
 * levels are common at a monitoring port, three are not.
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

/* The IP header that nodes on the path go by: the tunnel's, or the only one. */
ROCECC_FN const rocecc_headers_ip *rocecc_packet_outermost(const rocecc_packet *packet)
{
    return packet->headers.outer.version != 0 ? &packet->headers.outer
                                              : &packet->headers.ip;
}

/* Whether nodes on the path have put IFA or INT into a packet. */
ROCECC_FN bool rocecc_packet_has_telemetry(const rocecc_packet *packet)
{
    return (packet->headers.ifa | packet->headers.intmd) != 0;
}

/* VLAN tag index < headers.n_vlan, from its TCI on: for rocecc_vlan_parse(). */
ROCECC_FN rocecc_reader rocecc_packet_vlan(const rocecc_packet *packet, int index)
{
    const size_t at = packet->bytes.at + packet->headers.vlan[index];
    return rocecc_subrange(packet->bytes, at, at + ROCECC_VLAN_BYTES);
}

/*
 * The extension headers of one of the IPv6 headers of packet, for rocecc_ip6ext_next(),
 * which starts with *type. Empty: it has none, or the bytes are no longer there. Of
 * IPv4, too, whose AH ends at ip->upper.
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

/* What both versions of IP say. */
typedef struct rocecc_ip {
    uint8_t version; /* 4 or 6 */
    uint8_t dscp;    /* 6 bits */
    ROCECC_ENUM8_(rocecc_ecn) ecn;
    uint8_t hop_limit;   /* TTL */
    uint32_t flow_label; /* 20 bits, of IPv6 */
    rocecc_ip6 src;      /* of IPv4, ::ffff:a.b.c.d */
    rocecc_ip6 dst;
} rocecc_ip;

/*
 * Reads one of the IP headers of packet: &packet->headers.ip, or what
 * rocecc_packet_outermost() gives. NO_MATCH: it has none. SHORT: the bytes are no
 * longer there.
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
