/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_PACKET_H
#define ROCECC_PACKET_PACKET_H

/*
 * packet.h - a packet as one value: its bytes, where its headers are (where.h), and
 * what its network has agreed on (domain.h).
 *
 *     rocecc_packet p;
 *     rocecc_packet_of(&domain, rocecc_reader_of(frame, frame + n), &p);
 *     p.where.status   ROCECC_OK: a BTH stands at p.where.bth
 *     p.where.kind     ROCECC_KIND_ROCEV2, ...
 *     p.where.udp      34: the UDP header is 34 bytes after the start of the buffer
 *
 * Only headers are read, and no checksum: the payload may be cut off, or lie in another
 * segment of a buffer.
 */
#include "walk.h"

/*
 * A packet for the time of a call. A map or a shared memory keeps `where`, and
 * rocecc_packet_attach() makes a packet of it again.
 */
typedef struct rocecc_packet {
    rocecc_reader bytes; /* begins with the packet, and ends where the capture does */
    rocecc_where where;
    const rocecc_domain *domain;
} rocecc_packet;

/*
 * Where the headers of a packet are, which begins as the domain says. These three are
 * for a host without room for a packet on its stack. A BPF program keeps *f in a map:
 * kernels from 6.1 on verify that, and refuse most walks of a packet on the stack.
 * Answers as rocecc_packet_of(), and always writes *f.
 */
ROCECC_INLINE rocecc_status rocecc_where_of(const rocecc_domain *d, rocecc_reader r,
                                            rocecc_where *f)
{
    uint16_t type = ROCECC_TYPE_TEB;
    if (d->link != ROCECC_LINK_ETHER) {
        rocecc_reader first = r;
        const uint8_t *b = rocecc_take(&first, 1);
        type = b != NULL && *b >> 4 == 6 ? ROCECC_TYPE_IPV6 : ROCECC_TYPE_IPV4;
    }
    return rocecc_where_find(d, r, type, SIZE_MAX, f);
}

/*
 * The bytes of the packet inside another, which begins with r. Empty, at the end of r:
 * there is no packet inside.
 */
ROCECC_FN rocecc_reader rocecc_where_inside(rocecc_reader r, const rocecc_where *f)
{
    if (f->inner == 0) return rocecc_between(r, r.end, r.end);
    return rocecc_between(r, f->inner, f->end != 0 ? f->end : r.end);
}

/*
 * The same of the packet inside f; r is what rocecc_where_inside() gave. NO_MATCH, too,
 * where there is none: then *inner is as it was.
 */
ROCECC_FN rocecc_status rocecc_where_inner(const rocecc_domain *d, rocecc_reader r,
                                           const rocecc_where *f, rocecc_where *inner)
{
    const bool open = f->end == 0 || f->cut; /* no length says where it ends */
    const size_t end = open ? SIZE_MAX : f->end;
    if (f->inner == 0) return ROCECC_NO_MATCH;
    return rocecc_where_find(d, r, f->inner_type, end, inner);
}

/*
 * Finds the headers of a packet, which begins as the domain says. OK: a BTH stands at
 * p->where.bth; all that follows it is there if where.end <= bytes.end. NO_MATCH: the
 * packet is something else: where.kind, and where.next after the layer where.stopped
 * say what, where.inner whether there is a packet in it. SHORT, FORMAT, UNSUPPORTED: of
 * the layer where.stopped. RANGE: the packet begins beyond ROCECC_PACKET_START_MAX in
 * its buffer. Always writes *p.
 */
ROCECC_INLINE rocecc_status rocecc_packet_of(const rocecc_domain *d,
                                             rocecc_reader bytes, rocecc_packet *p)
{
    p->bytes = bytes;
    p->domain = d;
    return rocecc_where_of(d, bytes, &p->where);
}

/* Frames that rocecc_packet_of_burst() takes at once, and how far ahead it looks. */
#define ROCECC_PACKET_BURST_MAX 64
#ifndef ROCECC_PACKET_BURST_AHEAD
#define ROCECC_PACKET_BURST_AHEAD 32
#endif

/* Asks for the cache lines of the headers of a packet: 128 bytes, as far as it has
 * them. */
ROCECC_INLINE void rocecc_packet_prefetch_(const rocecc_reader *r)
{
    ROCECC_PREFETCH(r->base + r->at);
    if (r->end - r->at > 64) ROCECC_PREFETCH(r->base + r->at + 64);
}

/*
 * rocecc_packet_of() of n packets, whose bytes are asked for while those before are
 * walked: where the bytes are not in a cache, a walk waits for little else. The status
 * of each is p[i].where.status. Returns how many were walked: n, but at most
 * ROCECC_PACKET_BURST_MAX.
 */
ROCECC_FN size_t rocecc_packet_of_burst(const rocecc_domain *d,
                                        const rocecc_reader *bytes, rocecc_packet *p,
                                        size_t n)
{
    size_t i;
    if (n > ROCECC_PACKET_BURST_MAX) n = ROCECC_PACKET_BURST_MAX;
    for (i = 0; i < n && i < ROCECC_PACKET_BURST_AHEAD; i++)
        rocecc_packet_prefetch_(&bytes[i]);
    for (i = 0; i < n; i++) {
        if (i + ROCECC_PACKET_BURST_AHEAD < n)
            rocecc_packet_prefetch_(&bytes[i + ROCECC_PACKET_BURST_AHEAD]);
        (void)rocecc_packet_of(d, bytes[i], &p[i]);
    }
    return n;
}

/*
 * As rocecc_packet_of(), where the EtherType of the first header is known: after a link
 * layer of its own (Linux cooked captures, PPP); ROCECC_TYPE_TEB is Ethernet itself.
 * The type of a CSIG tag or CN-TAG belongs to the tag: there it has to stand right
 * before bytes.
 */
ROCECC_FN rocecc_status rocecc_packet_at(const rocecc_domain *d, rocecc_reader bytes,
                                         uint16_t type, rocecc_packet *p)
{
    p->bytes = bytes;
    p->domain = d;
    return rocecc_where_find(d, bytes, type, SIZE_MAX, &p->where);
}

/* A packet that was walked before, and whose `where` somebody has kept. */
ROCECC_FN rocecc_packet rocecc_packet_attach(const rocecc_domain *d,
                                             rocecc_reader bytes,
                                             const rocecc_where *where)
{
    rocecc_packet p;
    p.bytes = bytes;
    p.where = *where;
    p.domain = d;
    return p;
}

/*
 * The packet inside an overlay or a mirror session, in the same buffer; inner may be p.
 * NO_MATCH and *inner as it was: there is no such packet. Otherwise as
 * rocecc_packet_of(), and always writes *inner. How deep to go is for the caller: two
 * levels are common at a monitoring port, three are not.
 */
ROCECC_FN rocecc_status rocecc_packet_inner(const rocecc_packet *p,
                                            rocecc_packet *inner)
{
    const rocecc_where outer = p->where;
    if (outer.inner == 0) return ROCECC_NO_MATCH;
    inner->domain = p->domain;
    inner->bytes = rocecc_where_inside(p->bytes, &outer);
    return rocecc_where_inner(inner->domain, inner->bytes, &outer, &inner->where);
}

/* The IP header that nodes on the path go by: the tunnel's, or the only one. */
ROCECC_FN const rocecc_where_ip *rocecc_packet_outermost(const rocecc_packet *p)
{
    return p->where.outer.version != 0 ? &p->where.outer : &p->where.ip;
}

/* Whether nodes on the path have put IFA or INT into a packet. */
ROCECC_FN bool rocecc_packet_has_telemetry(const rocecc_packet *p)
{
    return (p->where.ifa | p->where.intmd) != 0;
}

/* VLAN tag i < where.n_vlan, from its TCI on: for rocecc_vlan_parse(). */
ROCECC_FN rocecc_reader rocecc_packet_vlan(const rocecc_packet *p, int i)
{
    const size_t at = p->bytes.at + p->where.vlan[i];
    return rocecc_between(p->bytes, at, at + ROCECC_VLAN_BYTES);
}

/*
 * The extension headers of one of the IP headers of p, for rocecc_ip6ext_next(), which
 * starts with *type. Empty: it has none, or the bytes are no longer there.
 */
ROCECC_FN rocecc_reader rocecc_packet_exts(const rocecc_packet *p,
                                           const rocecc_where_ip *ip, uint8_t *type)
{
    rocecc_reader r = rocecc_between(p->bytes, ip->at, ip->upper);
    const uint8_t *b = NULL;
    *type = ROCECC_PROTO_NONE;
    if (ip->version == 6) b = rocecc_take(&r, ROCECC_IPV6_BYTES);
    if (b == NULL) return rocecc_between(p->bytes, p->bytes.end, p->bytes.end);
    *type = b[6];
    return r;
}

/* What both versions of IP say. */
typedef struct rocecc_ip {
    uint8_t version;     /* 4 or 6 */
    uint8_t dscp;        /* 6 bits */
    uint8_t ecn;         /* a rocecc_ecn */
    uint8_t hop_limit;   /* TTL */
    uint32_t flow_label; /* 20 bits, of IPv6 */
    rocecc_ip6 src;      /* of IPv4, ::ffff:a.b.c.d */
    rocecc_ip6 dst;
} rocecc_ip;

/*
 * Reads one of the IP headers of p: &p->where.ip, or what rocecc_packet_outermost()
 * gives. NO_MATCH: it has none. SHORT: the bytes are no longer there.
 */
ROCECC_FN rocecc_status rocecc_packet_ip(const rocecc_packet *p,
                                         const rocecc_where_ip *ip, rocecc_ip *out)
{
    rocecc_reader r = rocecc_between(p->bytes, ip->at, ip->upper);
    const uint8_t *b;
    if (ip->version == 4) {
        rocecc_ip4 src, dst;
        b = rocecc_take(&r, ROCECC_IPV4_BYTES);
        if (b == NULL) return ROCECC_ERR_SHORT;
        src = rocecc_ip4_load(b + 12);
        dst = rocecc_ip4_load(b + 16);
        out->dscp = b[1] >> 2;
        out->ecn = b[1] & 0x3;
        out->hop_limit = b[8];
        out->flow_label = 0;
        out->src = rocecc_ip6_of_ip4(&src);
        out->dst = rocecc_ip6_of_ip4(&dst);
    } else if (ip->version == 6) {
        b = rocecc_take(&r, ROCECC_IPV6_BYTES);
        if (b == NULL) return ROCECC_ERR_SHORT;
        out->dscp = (uint8_t)(rocecc_load16(b) >> 6 & 0x3f);
        out->ecn = b[1] >> 4 & 0x3;
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
