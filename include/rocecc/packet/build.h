/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_BUILD_H
#define ROCECC_PACKET_BUILD_H

/*
 * build.h - a CNP and a Fast CNP written whole, from the IP header through the ICRC.
 *
 *     rocecc_cnp h = rocecc_cnp_default();
 *     h.src = ...; h.dst = ...; h.dest_qp = 0x123456;
 *     rocecc_cnp_build(&w, &h)     ROCECC_OK: 60 bytes of IPv4, or 80 of IPv6, are at w
 */
#include "../wire/datagram.h"
#include "../wire/fastcnp.h"
#include "icrc.h"

/* What a CNP stands in. */
ROCECC_FN rocecc_datagram rocecc_cnp_datagram_(const rocecc_cnp *h)
{
    rocecc_datagram d;
    d.src = h->src;
    d.dst = h->dst;
    d.flow_label = h->flow_label;
    d.identification = h->identification;
    d.src_port = h->src_port;
    d.dst_port = ROCECC_UDP_PORT_ROCEV2;
    d.dscp = h->dscp;
    d.ecn = h->ecn;
    d.hop_limit = h->hop_limit;
    return d;
}

/* RANGE: a value is wider than its field, one address alone is IPv4, w is too far. */
ROCECC_FN rocecc_status rocecc_cnp_range_(const rocecc_writer *w,
                                          const rocecc_datagram *d, const rocecc_cnp *h)
{
    return h->dest_qp >> 24 != 0 || !rocecc_datagram_fits(d) ||
                   w->at > ROCECC_PACKET_START_MAX
               ? ROCECC_ERR_RANGE
               : ROCECC_OK;
}

/*
 * From UDP through the ICRC by a rule. Of p, what is before UDP is filled in but for
 * the upper layer: where the IP header is, and its extension headers.
 */
ROCECC_FN rocecc_status rocecc_cnp_tail_(rocecc_writer *w, rocecc_icrc_rule rule,
                                         const rocecc_cnp *h, uint32_t pseudo,
                                         rocecc_packet *p)
{
    const rocecc_datagram d = rocecc_cnp_datagram_(h);
    rocecc_where *f = &p->where;
    rocecc_writer again = *w;
    rocecc_bth bth = {
        ROCECC_OPCODE_CNP, false, false, 0, 0, 0, false, false, 0, 0, false, 0, 0};
    uint32_t state = 0;
    uint8_t *b;
    rocecc_status status;
    int i;
    bth.pkey = h->pkey;
    bth.fecn = h->fecn;
    bth.becn = h->becn;
    bth.dest_qp = h->dest_qp;
    status = rocecc_datagram_udp_emit(w, &d, ROCECC_CNP_UDP_LENGTH, 0);
    if (status != ROCECC_OK) return status;
    status = rocecc_bth_emit(w, &bth);
    if (status != ROCECC_OK) return status;
    b = rocecc_put(w, 16 + ROCECC_ICRC_BYTES);
    if (b == NULL) return ROCECC_ERR_SPACE;
    for (i = 0; i < 16 + ROCECC_ICRC_BYTES; i++)
        b[i] = 0;
    f->ip.proto = ROCECC_PROTO_UDP;
    f->ip.upper = f->udp = (uint16_t)again.at;
    f->bth = (uint16_t)(f->udp + ROCECC_UDP_BYTES);
    f->kind = ROCECC_KIND_ROCEV2;
    f->next = ROCECC_UDP_PORT_ROCEV2;
    f->ip.end = f->end = (uint32_t)w->at;
    if (rule != ROCECC_ICRC_NONE) {
        p->bytes = rocecc_written(w);
        status = rocecc_icrc_init(rule, p, &state);
        if (status != ROCECC_OK) return status;
        state = rocecc_icrc_update_upto(state,
                                        rocecc_between(rocecc_written(w),
                                                       w->at - 16 - ROCECC_ICRC_BYTES,
                                                       w->at - ROCECC_ICRC_BYTES),
                                        16);
        rocecc_icrc_store(b + 16, rocecc_icrc_final(state));
    }
    if (!h->udp_checksum) return ROCECC_OK;
    /* It covers the ICRC, which does not cover it. */
    return rocecc_datagram_udp_emit(
        &again, &d, ROCECC_CNP_UDP_LENGTH,
        rocecc_udp_checksum(pseudo, rocecc_between(rocecc_written(w), f->udp, f->end)));
}

/*
 * Writes a whole CNP, from the IP header through the ICRC, as Figure 6 has it: 60
 * bytes, or 80 for IPv6. The port is 4791, IPv4 has DF set and no options. RANGE: a
 * value is wider than its field, or one address alone is IPv4, or w is beyond
 * ROCECC_PACKET_START_MAX of its buffer. SPACE: w is too small.
 */
ROCECC_FN rocecc_status rocecc_cnp_build(rocecc_writer *w, const rocecc_cnp *h)
{
    const rocecc_datagram d = rocecc_cnp_datagram_(h);
    rocecc_packet p;
    rocecc_writer out = *w;
    uint32_t pseudo = 0;
    /* Before a byte is written. The IP header would say so too, at more states in BPF.
     */
    rocecc_status status = rocecc_cnp_range_(w, &d, h);
    if (status != ROCECC_OK) return status;
    if (rocecc_room(w) < rocecc_datagram_ip_bytes(&d) + (size_t)ROCECC_CNP_UDP_LENGTH)
        return ROCECC_ERR_SPACE;
    status = rocecc_datagram_ip_emit(&out, &d, 0, ROCECC_CNP_UDP_LENGTH, &pseudo);
    if (status != ROCECC_OK) return status;
    rocecc_where_clear(&p.where);
    p.where.status = ROCECC_OK;
    p.where.stopped = ROCECC_AT_BTH;
    p.where.ip.version = rocecc_ip6_is_ip4(&h->src) ? 4 : 6;
    p.where.ip.at = (uint16_t)w->at;
    p.domain = NULL; /* the ICRC asks nothing of it */
    status = rocecc_cnp_tail_(&out, ROCECC_ICRC_STANDARD, h, pseudo, &p);
    if (status != ROCECC_OK) return status;
    *w = out;
    return ROCECC_OK;
}

/*
 * Writes a whole Fast CNP about a packet, from the IPv6 header through the ICRC by a
 * rule: 80 bytes and those of rocecc_fastcnp_bytes(). cnp->dst is the packet's source,
 * cnp->src the switch, cnp->dest_qp the packet's DestQP. Of the packet itself only the
 * types of its domain are used, and of the IOAM kind its bytes, in which h names the
 * trace: rocecc_fastcnp_of(). RANGE: as emit() and rocecc_cnp_build(); an address of
 * IPv4; STANDARD, which is no rule for extension headers. SPACE: w is too small. Not
 * for BPF, whose verifier finds it too long; emit() alone is not.
 */
ROCECC_FN rocecc_status rocecc_fastcnp_build(rocecc_writer *w,
                                             const rocecc_packet *about,
                                             rocecc_icrc_rule rule,
                                             const rocecc_cnp *cnp,
                                             const rocecc_fastcnp *h)
{
    const rocecc_fastcnp_config *c = &about->domain->fastcnp;
    const rocecc_datagram d = rocecc_cnp_datagram_(cnp);
    const size_t ext = rocecc_fastcnp_bytes(c, h);
    rocecc_writer out = *w;
    rocecc_packet p;
    uint32_t pseudo = 0;
    rocecc_status status = rocecc_cnp_range_(w, &d, cnp);
    if (status != ROCECC_OK) return status;
    if (rocecc_ip6_is_ip4(&cnp->src) || rule == ROCECC_ICRC_STANDARD ||
        rule > ROCECC_ICRC_NONE || !rocecc_fastcnp_fits(c, h, about->bytes))
        return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < ROCECC_IPV6_BYTES + ext + ROCECC_CNP_UDP_LENGTH)
        return ROCECC_ERR_SPACE;
    status = rocecc_datagram_ip_emit(&out, &d, ext, ROCECC_CNP_UDP_LENGTH, &pseudo);
    if (status != ROCECC_OK) return status;
    rocecc_where_clear(&p.where);
    p.where.status = ROCECC_OK;
    p.where.stopped = ROCECC_AT_BTH;
    p.where.ip.version = 6;
    p.where.ip.at = (uint16_t)w->at;
    p.where.ip.n_ext = 1;
    p.where.ip.dst_opts[0] = (uint16_t)out.at;
    p.domain = NULL; /* the ICRC asks nothing of it */
    status = rocecc_fastcnp_emit(&out, c, h, about->bytes);
    if (status != ROCECC_OK) return status;
    status = rocecc_cnp_tail_(&out, rule, cnp, pseudo, &p);
    if (status != ROCECC_OK) return status;
    *w = out;
    return ROCECC_OK;
}

#endif /* ROCECC_PACKET_BUILD_H */
