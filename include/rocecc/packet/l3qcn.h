/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_L3QCN_H
#define ROCECC_PACKET_L3QCN_H

/*
 * l3qcn.h - whether a packet is a private CNM, and what it says. wire/l3qcn.h has the
 * figure; its UDP port is that of the packet's domain.
 *
 *     rocecc_l3qcn_match(&packet)              by its port, whatever is in it
 *     rocecc_l3qcn_verify(&packet)             its UDP checksum is right
 *     rocecc_l3qcn_find(&packet, &h, &why)     ROCECC_OK, or why names the first fault
 */
#include "../wire/l3qcn.h"
#include "packet.h"

/* Whether a flag of IPv4 says that a packet is a private CNM. */
ROCECC_FN bool rocecc_l3qcn_has_bit(const rocecc_packet *p)
{
    const rocecc_where_ip *ip = &p->where.ip;
    rocecc_reader r = rocecc_between(p->bytes, ip->at, ip->upper);
    const uint8_t *b = rocecc_take(&r, ROCECC_IPV4_BYTES);
    return ip->version == 4 && b != NULL && (b[6] & 0x80) != 0;
}

/*
 * Whether a packet is a private CNM, by its port, or by the reserved bit where the
 * domain takes it; whatever is in it. Such a packet never goes to a host, and none
 * comes from one. False for all where L3QCN is off, and for what is in IFA or INT.
 */
ROCECC_FN bool rocecc_l3qcn_match(const rocecc_packet *p)
{
    const rocecc_l3qcn_config *c = &p->domain->l3qcn;
    rocecc_reader r = rocecc_between(p->bytes, p->where.udp, p->where.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_UDP_BYTES);
    if (p->where.kind != ROCECC_KIND_UDP || rocecc_packet_has_telemetry(p) || b == NULL)
        return false;
    if (c->port != 0 && rocecc_load16(b + 2) == c->port) return true;
    return c->reserved_bit && rocecc_l3qcn_has_bit(p);
}

/* Whether n bytes are the same. */
ROCECC_FN bool rocecc_l3qcn_same_(const uint8_t *a, const uint8_t *b, int n)
{
    uint8_t differ = 0;
    int i;
    for (i = 0; i < n; i++)
        differ |= (uint8_t)(a[i] ^ b[i]);
    return differ == 0;
}

/* Whether the packet goes from the flow's destination to its source. */
ROCECC_FN rocecc_l3qcn_verdict rocecc_l3qcn_outer_(const rocecc_packet *p,
                                                   const rocecc_l3qcn_parts *parts)
{
    rocecc_ip ip;
    if (parts->v6 != (p->where.ip.version == 6)) return ROCECC_L3QCN_FAMILY;
    if (rocecc_packet_ip(p, &p->where.ip, &ip) != ROCECC_OK) return ROCECC_L3QCN_CUT;
    return rocecc_l3qcn_same_(parts->src.b, ip.dst.b, 16) &&
                   rocecc_l3qcn_same_(parts->dst.b, ip.src.b, 16)
               ? ROCECC_L3QCN_TAKEN
               : ROCECC_L3QCN_SPOOF;
}

/* The steps of find(). */
ROCECC_FN rocecc_l3qcn_verdict rocecc_l3qcn_find_(const rocecc_packet *p,
                                                  rocecc_l3qcn *h)
{
    const rocecc_where *f = &p->where;
    const rocecc_reader r =
        rocecc_between(p->bytes, f->udp + (size_t)ROCECC_UDP_BYTES, f->end);
    rocecc_l3qcn_parts parts;
    rocecc_l3qcn_verdict v;
    if (!rocecc_l3qcn_match(p)) return ROCECC_L3QCN_OTHER;
    if (f->end > f->ip.end) return ROCECC_L3QCN_CUT;
    v = rocecc_l3qcn_header_parse(r, &parts);
    if (v != ROCECC_L3QCN_TAKEN) return v;
    v = rocecc_l3qcn_outer_(p, &parts);
    if (v != ROCECC_L3QCN_TAKEN) return v;
    return rocecc_l3qcn_pdu_parse(&p->domain->l3qcn, r, &parts, h);
}

/*
 * The private CNM of a packet, and always in *verdict why it is not one. Its checksum
 * is rocecc_l3qcn_verify()'s. Unless OK, *h is as it was. NO_MATCH: another packet, or
 * other magic. UNSUPPORTED: as rocecc_l3qcn_parse(). FORMAT: the same; Total Length
 * goes beyond UDP, or UDP beyond IP; the packet's version or addresses are not the
 * flow's. SHORT: it goes beyond p->bytes, which end before the datagram does.
 */
ROCECC_FN rocecc_status rocecc_l3qcn_find(const rocecc_packet *p, rocecc_l3qcn *h,
                                          rocecc_l3qcn_verdict *verdict)
{
    const rocecc_where *f = &p->where;
    rocecc_status status;
    *verdict = rocecc_l3qcn_find_(p, h);
    status = rocecc_l3qcn_status(*verdict);
    ROCECC_PASSED_(h);
    return f->end > f->ip.end || f->end <= p->bytes.end ? rocecc_declared(status)
                                                        : status;
}

/*
 * Whether a datagram has its right UDP checksum, and one at all. False also where it
 * goes beyond p->bytes. In BPF, it has 8 + ROCECC_CHECKSUM_MAX_BYTES bytes at most.
 */
ROCECC_FN bool rocecc_l3qcn_verify(const rocecc_packet *p)
{
    const rocecc_where *f = &p->where;
    rocecc_reader ip = rocecc_between(p->bytes, f->ip.at, f->ip.upper);
    rocecc_reader datagram = rocecc_between(p->bytes, f->udp, f->end);
    const rocecc_reader all = datagram;
    rocecc_udp udp;
    uint32_t pseudo;
    if (f->kind != ROCECC_KIND_UDP || f->end > p->bytes.end ||
        rocecc_udp_parse(&datagram, &udp) != ROCECC_OK ||
        rocecc_left(&all) != udp.length)
        return false;
    if (f->ip.version == 4) {
        rocecc_ipv4 v4;
        if (rocecc_ipv4_parse(&ip, &v4) != ROCECC_OK) return false;
        pseudo = rocecc_checksum_pseudo4(&v4, udp.length);
    } else {
        rocecc_ipv6 v6;
        if (rocecc_ipv6_parse(&ip, &v6) != ROCECC_OK) return false;
        pseudo = rocecc_checksum_pseudo6(&v6, ROCECC_PROTO_UDP, udp.length);
    }
    return udp.checksum == rocecc_udp_checksum(pseudo, all); /* which is never 0 */
}

#endif /* ROCECC_PACKET_L3QCN_H */
