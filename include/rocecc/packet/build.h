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
#include "../wire/fastcnp.h"
#include "icrc.h"

/*
 * The IP header of a CNP, over IPv6 before `options` bytes of Destination Options, at
 * most 2,048; *pseudo is what its UDP checksum begins with.
 */
ROCECC_FN rocecc_status rocecc_cnp_ip_emit_(rocecc_writer *w, const rocecc_cnp *h,
                                            size_t options, uint32_t *pseudo)
{
    const rocecc_writer start = *w;
    rocecc_status status;
    if (rocecc_ip6_is_ip4(&h->src)) {
        rocecc_ipv4 v4;
        v4.dscp = h->dscp;
        v4.ecn = h->ecn;
        v4.total_length = ROCECC_IPV4_BYTES + ROCECC_CNP_UDP_LENGTH;
        v4.identification = h->identification;
        v4.reserved = v4.mf = false;
        v4.df = true; /* CA17-7 */
        v4.fragment_offset = 0;
        v4.ttl = h->hop_limit;
        v4.protocol = ROCECC_PROTO_UDP;
        v4.header_checksum = 0;
        v4.src = rocecc_ip4_load(h->src.b + 12);
        v4.dst = rocecc_ip4_load(h->dst.b + 12);
        v4.options = rocecc_reader_of(NULL, NULL);
        status = rocecc_ipv4_emit(w, &v4);
        if (status != ROCECC_OK) return status;
        v4.header_checksum =
            rocecc_ipv4_checksum(rocecc_between(rocecc_written(w), start.at, w->at));
        *pseudo = rocecc_checksum_pseudo4(&v4, ROCECC_CNP_UDP_LENGTH);
        *w = start;
        return rocecc_ipv4_emit(w, &v4);
    } else {
        rocecc_ipv6 v6;
        v6.dscp = h->dscp;
        v6.ecn = h->ecn;
        v6.flow_label = h->flow_label;
        v6.payload_length = (uint16_t)(options + ROCECC_CNP_UDP_LENGTH);
        v6.next_header = options != 0 ? ROCECC_PROTO_DSTOPTS : ROCECC_PROTO_UDP;
        v6.hop_limit = h->hop_limit;
        v6.src = h->src;
        v6.dst = h->dst;
        *pseudo = rocecc_checksum_pseudo6(&v6, ROCECC_PROTO_UDP, ROCECC_CNP_UDP_LENGTH);
        return rocecc_ipv6_emit(w, &v6);
    }
}

/* RANGE: a value is wider than its field, one address alone is IPv4, w is too far. */
ROCECC_FN rocecc_status rocecc_cnp_range_(const rocecc_writer *w, const rocecc_cnp *h)
{
    const bool v4 = rocecc_ip6_is_ip4(&h->src);
    if (h->dscp >> 6 != 0 || h->ecn >> 2 != 0 || (!v4 && h->flow_label >> 20 != 0) ||
        h->dest_qp >> 24 != 0 || rocecc_ip6_is_ip4(&h->dst) != v4 ||
        w->at > ROCECC_PACKET_START_MAX)
        return ROCECC_ERR_RANGE;
    return ROCECC_OK;
}

/*
 * From UDP through the ICRC by a rule. Of p, what is before UDP is filled in but for
 * the upper layer: where the IP header is, and its extension headers.
 */
ROCECC_FN rocecc_status rocecc_cnp_tail_(rocecc_writer *w, rocecc_icrc_rule rule,
                                         const rocecc_cnp *h, uint32_t pseudo,
                                         rocecc_packet *p)
{
    rocecc_where *f = &p->where;
    rocecc_writer again = *w;
    rocecc_udp udp;
    rocecc_bth bth = {
        ROCECC_OPCODE_CNP, false, false, 0, 0, 0, false, false, 0, 0, false, 0, 0};
    uint32_t state = 0;
    uint8_t *b;
    rocecc_status status;
    int i;
    udp.src_port = h->src_port;
    udp.dst_port = ROCECC_UDP_PORT_ROCEV2;
    udp.length = ROCECC_CNP_UDP_LENGTH;
    udp.checksum = 0;
    bth.pkey = h->pkey;
    bth.fecn = h->fecn;
    bth.becn = h->becn;
    bth.dest_qp = h->dest_qp;
    status = rocecc_udp_emit(w, &udp);
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
    udp.checksum =
        rocecc_udp_checksum(pseudo, rocecc_between(rocecc_written(w), f->udp, f->end));
    return rocecc_udp_emit(&again, &udp); /* covers the ICRC, which does not cover it */
}

/*
 * Writes a whole CNP, from the IP header through the ICRC, as Figure 6 has it: 60
 * bytes, or 80 for IPv6. The port is 4791, IPv4 has DF set and no options. RANGE: a
 * value is wider than its field, or one address alone is IPv4, or w is beyond
 * ROCECC_PACKET_START_MAX of its buffer. SPACE: w is too small.
 */
ROCECC_FN rocecc_status rocecc_cnp_build(rocecc_writer *w, const rocecc_cnp *h)
{
    const bool v4 = rocecc_ip6_is_ip4(&h->src);
    rocecc_packet p;
    rocecc_writer out = *w;
    uint32_t pseudo = 0;
    /* Before a byte is written. The IP header would say so too, at more states in BPF.
     */
    rocecc_status status = rocecc_cnp_range_(w, h);
    if (status != ROCECC_OK) return status;
    if (rocecc_room(w) <
        (v4 ? ROCECC_IPV4_BYTES : ROCECC_IPV6_BYTES) + (size_t)ROCECC_CNP_UDP_LENGTH)
        return ROCECC_ERR_SPACE;
    status = rocecc_cnp_ip_emit_(&out, h, 0, &pseudo);
    if (status != ROCECC_OK) return status;
    rocecc_where_clear(&p.where);
    p.where.status = ROCECC_OK;
    p.where.stopped = ROCECC_AT_BTH;
    p.where.ip.version = v4 ? 4 : 6;
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
    const size_t ext = rocecc_fastcnp_bytes(c, h);
    rocecc_writer out = *w;
    rocecc_packet p;
    uint32_t pseudo = 0;
    rocecc_status status = rocecc_cnp_range_(w, cnp);
    if (status != ROCECC_OK) return status;
    if (rocecc_ip6_is_ip4(&cnp->src) || rule == ROCECC_ICRC_STANDARD ||
        rule > ROCECC_ICRC_NONE || !rocecc_fastcnp_fits(c, h, about->bytes))
        return ROCECC_ERR_RANGE;
    if (rocecc_room(w) < ROCECC_IPV6_BYTES + ext + ROCECC_CNP_UDP_LENGTH)
        return ROCECC_ERR_SPACE;
    status = rocecc_cnp_ip_emit_(&out, cnp, ext, &pseudo);
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
