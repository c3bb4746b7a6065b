/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_L3QCN_H
#define ROCECC_PACKET_L3QCN_H

/*
 * l3qcn.h - whether a packet is a private CNM, and what it says. wire/l3qcn.h has the
 * figure; its UDP port is that of the packet's domain. draft-yu-tsvwg-l3qcn-00, 3.
 *
 *     rocecc_l3qcn_match(&packet)              by its port, whatever is in it
 *     rocecc_udp_verify(&packet)               its UDP checksum is right: udp.h
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

/* Whether the packet goes from the flow's destination to its source. */
ROCECC_FN rocecc_l3qcn_verdict rocecc_l3qcn_outer_(const rocecc_packet *p,
                                                   const rocecc_l3qcn_parts *parts)
{
    rocecc_ip ip;
    if (parts->v6 != (p->where.ip.version == 6)) return ROCECC_L3QCN_FAMILY;
    if (rocecc_packet_ip(p, &p->where.ip, &ip) != ROCECC_OK) return ROCECC_L3QCN_CUT;
    return rocecc_ip6_match(&parts->src, &ip.dst) &&
                   rocecc_ip6_match(&parts->dst, &ip.src)
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
 * is rocecc_udp_verify()'s. Unless OK, *h is as it was. NO_MATCH: another packet, or
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

#endif /* ROCECC_PACKET_L3QCN_H */
