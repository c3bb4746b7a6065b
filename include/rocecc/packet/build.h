/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_BUILD_H
#define ROCECC_PACKET_BUILD_H

/*
 * build.h - writes a whole CNP or Fast CNP, from the IP header through the ICRC. IBTA
 * A17.9.3, and draft-xiao-rtgwg-rocev2-fast-cnp-00, 4.
 *
 *     rocecc_cnp h = rocecc_cnp_default();
 *     h.src = ...; h.dst = ...; h.dest_qp = 0x123456;
 *     rocecc_cnp_build(&w, &h)     ROCECC_OK: 60 bytes over IPv4, or 80 over IPv6
 */
#include "../wire/datagram.h"
#include "../wire/fastcnp.h"
#include "icrc.h"

ROCECC_FN rocecc_datagram rocecc_cnp_make_datagram_(const rocecc_cnp *cnp)
{
    rocecc_datagram d;
    d.src = cnp->src;
    d.dst = cnp->dst;
    d.flow_label = cnp->flow_label;
    d.identification = cnp->identification;
    d.src_port = cnp->src_port;
    d.dst_port = ROCECC_UDP_PORT_ROCEV2;
    d.dscp = cnp->dscp;
    d.ecn = cnp->ecn;
    d.hop_limit = cnp->hop_limit;
    return d;
}

/*
 * Returns RANGE in the same cases as rocecc_cnp_build(), and OK otherwise. Ignores the
 * flow label for IPv4.
 */
ROCECC_FN rocecc_status rocecc_cnp_check_range_(const rocecc_writer *writer,
                                                const rocecc_cnp *cnp)
{
    const bool v4 = rocecc_ip6_is_ip4(&cnp->src);
    return cnp->dest_qp >> 24 != 0 || cnp->dscp >> 6 != 0 || cnp->ecn >> 2 != 0 ||
                   (!v4 && cnp->flow_label >> 20 != 0) ||
                   rocecc_ip6_is_ip4(&cnp->dst) != v4 ||
                   writer->at > ROCECC_PACKET_START_MAX
               ? ROCECC_ERR_RANGE
               : ROCECC_OK;
}

/* Writes a UDP header with checksum 0, a BTH and 16 zero bytes, 36 bytes in all. */
ROCECC_FN void rocecc_cnp_store_(uint8_t *bytes, const rocecc_cnp *cnp)
{
    rocecc_bth bth = {
        ROCECC_OPCODE_CNP, false, false, 0, 0, 0, false, false, 0, 0, false, 0, 0};
    rocecc_udp udp;
    int i;
    udp.src_port = cnp->src_port;
    udp.dst_port = ROCECC_UDP_PORT_ROCEV2;
    udp.length = ROCECC_CNP_UDP_LENGTH;
    udp.checksum = 0;
    bth.pkey = cnp->pkey;
    bth.fecn = cnp->fecn;
    bth.becn = cnp->becn;
    bth.dest_qp = cnp->dest_qp;
    rocecc_udp_store(bytes, &udp);
    rocecc_bth_store(bytes + ROCECC_UDP_BYTES, &bth);
    for (i = 0; i < 16; i++)
        bytes[ROCECC_UDP_BYTES + ROCECC_BTH_BYTES + i] = 0;
}

/*
 * Writes a CNP from UDP through the ICRC. In `packet`, the caller must already have set
 * the domain and the offsets of the IP and extension headers.
 */
ROCECC_FN rocecc_status rocecc_cnp_put_tail_(rocecc_writer *writer,
                                             rocecc_icrc_rule rule,
                                             const rocecc_cnp *cnp, uint32_t pseudo,
                                             rocecc_packet *packet)
{
    const rocecc_datagram d = rocecc_cnp_make_datagram_(cnp);
    rocecc_headers *f = &packet->headers;
    rocecc_writer again = *writer;
    uint32_t icrc = 0, state = 0;
    uint8_t *b = rocecc_put(writer, ROCECC_CNP_UDP_LENGTH);
    rocecc_status status;
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_cnp_store_(b, cnp);
    f->ip.proto = ROCECC_PROTO_UDP;
    f->ip.upper = f->udp = (uint16_t)again.at;
    f->bth = (uint16_t)(f->udp + ROCECC_UDP_BYTES);
    f->kind = ROCECC_PACKET_KIND_ROCEV2;
    f->next = ROCECC_UDP_PORT_ROCEV2;
    f->ip.end = f->end = (uint32_t)writer->at;
    if (rule != ROCECC_ICRC_NONE) {
        packet->bytes = rocecc_written(writer);
        status = rocecc_icrc_init(rule, packet, &state);
        if (status != ROCECC_OK) return status;
        state = rocecc_icrc_update_upto(
            state,
            rocecc_subrange(rocecc_written(writer), writer->at - 16 - ROCECC_ICRC_BYTES,
                            writer->at - ROCECC_ICRC_BYTES),
            16);
        icrc = rocecc_icrc_final(state);
    }
    rocecc_icrc_store(b + ROCECC_CNP_UDP_LENGTH - ROCECC_ICRC_BYTES, icrc);
    if (!cnp->udp_checksum) return ROCECC_OK;
    /* The UDP checksum comes last, because it covers the ICRC. */
    return rocecc_datagram_udp_emit(
        &again, &d, ROCECC_CNP_UDP_LENGTH,
        rocecc_udp_checksum(pseudo,
                            rocecc_subrange(rocecc_written(writer), f->udp, f->end)));
}

/* Returns the sum of the UDP pseudo-header. Each address is n_bytes bytes long. */
ROCECC_FN uint32_t rocecc_cnp_pseudo_sum_(const uint8_t *src, const uint8_t *dst,
                                          int n_bytes)
{
    uint32_t sum = ROCECC_PROTO_UDP + ROCECC_CNP_UDP_LENGTH;
    int i;
    for (i = 0; i < n_bytes; i += 2)
        sum += (uint32_t)rocecc_load16(src + i) + rocecc_load16(dst + i);
    return sum;
}

/*
 * Writes the UDP checksum of a CNP that ends at writer->at. The ICRC must already have
 * been written, because the checksum covers it.
 */
ROCECC_FN void rocecc_cnp_store_checksum_(const rocecc_writer *writer, uint8_t *udp,
                                          uint32_t pseudo)
{
    const rocecc_reader datagram = rocecc_subrange(
        rocecc_written(writer), writer->at - ROCECC_CNP_UDP_LENGTH, writer->at);
    rocecc_store16(udp + 6, rocecc_udp_checksum(pseudo, datagram));
}

/*
 * Writes the ICRC of the CNP at `bytes`. `copy` must hold the bytes that the ICRC
 * covers, with the IP header already masked. UDP must begin at offset `udp` in `copy`.
 */
ROCECC_FN void rocecc_cnp_store_icrc_(uint8_t *bytes, uint8_t *copy, size_t udp)
{
    const size_t n = udp + ROCECC_CNP_UDP_LENGTH - ROCECC_ICRC_BYTES;
    rocecc_icrc_mask_udp_(copy + udp);
    rocecc_icrc_mask_bth_(copy + udp + ROCECC_UDP_BYTES);
    rocecc_icrc_store(bytes + n,
                      rocecc_icrc_final(rocecc_icrc_bytes(ROCECC_ICRC_START, copy, n)));
}

/*
 * Writes a whole CNP over IPv4. The copy for the ICRC includes the 16 bytes after the
 * BTH, so a single call of rocecc_icrc_bytes() is enough.
 */
ROCECC_FN rocecc_status rocecc_cnp_build_ipv4_(rocecc_writer *writer,
                                               const rocecc_cnp *cnp)
{
    uint8_t m[ROCECC_IPV4_BYTES + ROCECC_CNP_UDP_LENGTH - ROCECC_ICRC_BYTES];
    uint8_t *b = rocecc_put(writer, ROCECC_IPV4_BYTES + ROCECC_CNP_UDP_LENGTH);
    uint32_t pseudo, sum;
    int i;
    if (b == NULL) return ROCECC_ERR_SPACE;
    b[0] = 0x45;
    b[1] = (uint8_t)(cnp->dscp << 2 | cnp->ecn);
    rocecc_store16(b + 2, ROCECC_IPV4_BYTES + ROCECC_CNP_UDP_LENGTH);
    rocecc_store16(b + 4, cnp->identification);
    rocecc_store16(b + 6, 0x4000); /* DF */
    b[8] = cnp->hop_limit;
    b[9] = ROCECC_PROTO_UDP;
    rocecc_store32(b + 12, rocecc_load32(cnp->src.b + 12));
    rocecc_store32(b + 16, rocecc_load32(cnp->dst.b + 12));
    pseudo = rocecc_cnp_pseudo_sum_(cnp->src.b + 12, cnp->dst.b + 12, 4);
    /* `pseudo` already includes the addresses, the protocol and UDP Length (40). */
    sum = pseudo + 0x4500u + ROCECC_IPV4_BYTES + cnp->identification + 0x4000u +
          (uint32_t)(cnp->dscp << 2 | cnp->ecn) + ((uint32_t)cnp->hop_limit << 8);
    rocecc_store16(b + 10, rocecc_checksum_final(sum));
    rocecc_cnp_store_(b + ROCECC_IPV4_BYTES, cnp);
    for (i = 0; i < (int)sizeof m; i++)
        m[i] = b[i];
    rocecc_icrc_mask_ipv4_(m);
    rocecc_cnp_store_icrc_(b, m, ROCECC_IPV4_BYTES);
    if (cnp->udp_checksum)
        rocecc_cnp_store_checksum_(writer, b + ROCECC_IPV4_BYTES, pseudo);
    return ROCECC_OK;
}

/* Writes an IPv6 header with Payload Length n_bytes. */
ROCECC_FN void rocecc_cnp_store_ipv6_(uint8_t *bytes, const rocecc_cnp *cnp,
                                      uint8_t next, uint16_t n_bytes)
{
    rocecc_store32(bytes, UINT32_C(0x60000000) | (uint32_t)cnp->dscp << 22 |
                              (uint32_t)cnp->ecn << 20 | cnp->flow_label);
    rocecc_store16(bytes + 4, n_bytes);
    bytes[6] = next;
    bytes[7] = cnp->hop_limit;
    rocecc_ip6_store(bytes + 8, &cnp->src);
    rocecc_ip6_store(bytes + 24, &cnp->dst);
}

ROCECC_FN rocecc_status rocecc_cnp_build_ipv6_(rocecc_writer *writer,
                                               const rocecc_cnp *cnp)
{
    uint8_t m[ROCECC_IPV6_BYTES + ROCECC_CNP_UDP_LENGTH - ROCECC_ICRC_BYTES];
    uint8_t *b = rocecc_put(writer, ROCECC_IPV6_BYTES + ROCECC_CNP_UDP_LENGTH);
    int i;
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_cnp_store_ipv6_(b, cnp, ROCECC_PROTO_UDP, ROCECC_CNP_UDP_LENGTH);
    rocecc_cnp_store_(b + ROCECC_IPV6_BYTES, cnp);
    for (i = 0; i < (int)sizeof m; i++)
        m[i] = b[i];
    rocecc_icrc_mask_ipv6_(m);
    rocecc_cnp_store_icrc_(b, m, ROCECC_IPV6_BYTES);
    if (cnp->udp_checksum)
        rocecc_cnp_store_checksum_(writer, b + ROCECC_IPV6_BYTES,
                                   rocecc_cnp_pseudo_sum_(cnp->src.b, cnp->dst.b, 16));
    return ROCECC_OK;
}

#if ROCECC_SHORTCUTS
/*
 * Writes a plain Fast CNP of 104 bytes, in the layout that rocecc_plain_fastcnp_()
 * recognises.
 */
ROCECC_FN rocecc_status rocecc_fastcnp_build_plain_(rocecc_writer *writer, uint8_t type,
                                                    const rocecc_cnp *cnp,
                                                    const rocecc_ip6 *flow_dst)
{
    const size_t udp = ROCECC_ICRC_FASTCNP_BYTES_;
    uint8_t m[ROCECC_ICRC_FASTCNP_BYTES_ + ROCECC_CNP_UDP_LENGTH - ROCECC_ICRC_BYTES];
    uint8_t *b = rocecc_put(writer, udp + ROCECC_CNP_UDP_LENGTH);
    int i;
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_cnp_store_ipv6_(b, cnp, ROCECC_PROTO_DSTOPTS,
                           ROCECC_PLAIN_FASTCNP_BYTES + ROCECC_CNP_UDP_LENGTH);
    rocecc_store32(b + 40, 0x11020010u | (uint32_t)type << 8);
    rocecc_ip6_store(b + 44, flow_dst);
    rocecc_store32(b + 60, ROCECC_IP6OPT_PADN_4_);
    rocecc_cnp_store_(b + udp, cnp);
    for (i = 0; i < (int)sizeof m; i++)
        m[i] = b[i];
    rocecc_icrc_mask_ipv6_(m);
    rocecc_cnp_store_icrc_(b, m, udp);
    if (cnp->udp_checksum)
        rocecc_cnp_store_checksum_(writer, b + udp,
                                   rocecc_cnp_pseudo_sum_(cnp->src.b, cnp->dst.b, 16));
    return ROCECC_OK;
}
#endif

/*
 * Writes a whole CNP with UDP destination port 4791 (IBTA A17.9.3, Figure 6). The CNP
 * is 60 bytes long over IPv4, and 80 bytes long over IPv6. The IPv4 header has DF set
 * and no options. Ignores cnp->odd and cnp->reserved, and writes zeros to the 16
 * reserved bytes. Returns RANGE if a value is wider than its field, if one address is
 * IPv4 and the other is IPv6, or if writer->at is above ROCECC_PACKET_START_MAX.
 * Returns SPACE if `writer` has too little room.
 */
ROCECC_FN rocecc_status rocecc_cnp_build(rocecc_writer *writer, const rocecc_cnp *cnp)
{
    const rocecc_status status = rocecc_cnp_check_range_(writer, cnp);
    if (status != ROCECC_OK) return status;
    return rocecc_ip6_is_ip4(&cnp->src) ? rocecc_cnp_build_ipv4_(writer, cnp)
                                        : rocecc_cnp_build_ipv6_(writer, cnp);
}

/*
 * Writes a whole Fast CNP of either kind. The caller must have checked the values and
 * the rule.
 */
ROCECC_FN rocecc_status rocecc_fastcnp_build_any_(rocecc_writer *writer,
                                                  const rocecc_packet *packet,
                                                  rocecc_icrc_rule rule,
                                                  const rocecc_cnp *cnp,
                                                  const rocecc_fastcnp *fastcnp)
{
    const rocecc_fastcnp_config *c = &packet->domain->fastcnp;
    const rocecc_datagram d = rocecc_cnp_make_datagram_(cnp);
    const size_t ext = rocecc_fastcnp_bytes(c, fastcnp);
    rocecc_writer out = *writer;
    rocecc_packet p;
    uint32_t pseudo = 0;
    rocecc_status status;
    if (rocecc_room(writer) < ROCECC_IPV6_BYTES + ext + ROCECC_CNP_UDP_LENGTH)
        return ROCECC_ERR_SPACE;
    status = rocecc_datagram_ip_emit(&out, &d, ext, ROCECC_CNP_UDP_LENGTH, &pseudo);
    if (status != ROCECC_OK) return status;
    rocecc_headers_clear(&p.headers);
    p.headers.status = ROCECC_OK;
    p.headers.stopped = ROCECC_LAYER_BTH;
    p.headers.ip.version = 6;
    p.headers.ip.offset = (uint16_t)writer->at;
    p.headers.ip.n_ext = 1;
    p.headers.ip.dst_opts[0] = (uint16_t)out.at;
    p.domain = packet->domain;
    status = rocecc_fastcnp_emit(&out, c, fastcnp, packet->bytes);
    if (status != ROCECC_OK) return status;
    status = rocecc_cnp_put_tail_(&out, rule, cnp, pseudo, &p);
    if (status != ROCECC_OK) return status;
    *writer = out;
    return ROCECC_OK;
}

/*
 * Writes a whole Fast CNP that answers a packet. The Fast CNP is 80 +
 * rocecc_fastcnp_bytes() bytes long. The caller must set cnp->src to the switch's
 * address, cnp->dst to the packet's source, and cnp->dest_qp to the packet's DestQP.
 * The caller must also fill `fastcnp` with rocecc_fastcnp_derive(). From `packet`, the
 * function reads only the domain's Fast CNP configuration and, for the IOAM kind, the
 * trace in packet->bytes. The rule AUTO has the same effect as MASKED. With the rule
 * NONE, the ICRC field is set to 0. Returns RANGE if the addresses are IPv4, or if
 * rocecc_fastcnp_emit() or rocecc_cnp_build() would return RANGE. Also returns RANGE
 * for an unknown rule, and for STANDARD, because STANDARD does not cover extension
 * headers. Returns SPACE if `writer` has too little room. Under BPF, returns
 * UNSUPPORTED unless the rule is STRIPPED or NONE. If compiled with clang 14, this
 * function is too large for the BPF verifier of Linux 6.1, but rocecc_fastcnp_emit() is
 * not.
 */
ROCECC_FN rocecc_status rocecc_fastcnp_build(rocecc_writer *writer,
                                             const rocecc_packet *packet,
                                             rocecc_icrc_rule rule,
                                             const rocecc_cnp *cnp,
                                             const rocecc_fastcnp *fastcnp)
{
    const rocecc_fastcnp_config *c = &packet->domain->fastcnp;
    const rocecc_status status = rocecc_cnp_check_range_(writer, cnp);
    if (status != ROCECC_OK) return status;
    if (rocecc_ip6_is_ip4(&cnp->src) || rule == ROCECC_ICRC_STANDARD ||
        rule > ROCECC_ICRC_NONE || !rocecc_fastcnp_fits(c, fastcnp, packet->bytes))
        return ROCECC_ERR_RANGE;
#if ROCECC_SHORTCUTS
    if (fastcnp->kind == ROCECC_FASTCNP_PLAIN && !c->align8 &&
        rule <= ROCECC_ICRC_LITERAL && c->type_plain > ROCECC_IP6OPT_PADN &&
        (c->type_plain & ROCECC_IP6OPT_CHG) == 0)
        return rocecc_fastcnp_build_plain_(writer, c->type_plain, cnp,
                                           &fastcnp->flow_dst);
#endif
    return rocecc_fastcnp_build_any_(writer, packet, rule, cnp, fastcnp);
}

#endif /* ROCECC_PACKET_BUILD_H */
