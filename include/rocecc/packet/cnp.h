/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_CNP_H
#define ROCECC_PACKET_CNP_H

/*
 * cnp.h - whether a packet is a CNP, and what it says. wire/cnp.h has the figure, and
 * build.h writes one whole.
 *
 *     rocecc_cnp_match(&packet)         by its opcode alone
 *     rocecc_cnp_parse(&packet, &cnp)   ROCECC_OK: cnp.dest_qp is to slow down, ...
 *     rocecc_fastcnp_find()             ... unless this (fastcnp.h) finds an option
 *
 * IFA or INT that nodes on the path have put into a CNP is stepped over: the CNP is
 * that of its sender.
 */
#include "../wire/cnp.h"
#include "packet.h"

/* Whether a packet is a RoCEv2 CNP by its opcode, and nothing more. */
ROCECC_INLINE bool rocecc_cnp_match(const rocecc_packet *packet)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_reader r = packet->bytes;
    const uint8_t *b;
    if (f->bth == 0 || f->kind != ROCECC_PACKET_KIND_ROCEV2) return false;
    r.at = f->bth;
    b = rocecc_take(&r, ROCECC_BTH_BYTES);
    return b != NULL && *b == ROCECC_OPCODE_CNP;
}

/* What the IP header says of a CNP. */
ROCECC_FN rocecc_status rocecc_cnp_read_ip_(const rocecc_packet *packet,
                                            rocecc_cnp *cnp)
{
    const rocecc_headers_ip *at = &packet->headers.ip;
    rocecc_reader r = rocecc_subrange(packet->bytes, at->offset, at->upper);
    const uint8_t *b = rocecc_take(&r, 6);
    rocecc_ip ip;
    if (b == NULL || rocecc_packet_ip(packet, at, &ip) != ROCECC_OK)
        return ROCECC_ERR_SHORT;
    cnp->src = ip.src;
    cnp->dst = ip.dst;
    cnp->dscp = ip.dscp;
    cnp->ecn = ip.ecn;
    cnp->hop_limit = ip.hop_limit;
    cnp->flow_label = ip.flow_label;
    if (ip.version == 4) cnp->identification = rocecc_load16(b + 4);
    return ROCECC_OK;
}

/* From the BTH through the ICRC a CNP has 32 bytes: UDP Length 40; without the 16, 24.
 */
ROCECC_FN bool rocecc_cnp_length_fits_(const rocecc_packet *packet)
{
    const uint32_t bytes = packet->headers.end - packet->headers.bth;
    return bytes == ROCECC_CNP_UDP_LENGTH - 8 ||
           (packet->domain->roce.short_cnp && bytes == ROCECC_CNP_UDP_LENGTH - 24);
}

/* Fills *cnp; in part, where the status is not OK. */
ROCECC_FN rocecc_status rocecc_cnp_read_(const rocecc_packet *packet, rocecc_cnp *cnp)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_reader r = rocecc_subrange(packet->bytes, f->bth, f->end);
    rocecc_reader udp = rocecc_subrange(packet->bytes, f->udp, f->bth);
    rocecc_reader reserved;
    rocecc_bth bth;
    const uint8_t *b;
    rocecc_status status;
    if (!rocecc_cnp_match(packet)) return ROCECC_NO_MATCH;
    status = rocecc_bth_parse(&r, &bth);
    if (status != ROCECC_OK) return status;
    if (bth.tver != 0) return ROCECC_ERR_UNSUPPORTED;
    if (bth.pad != 0 || !rocecc_cnp_length_fits_(packet)) return ROCECC_ERR_FORMAT;
    b = rocecc_take(&udp, ROCECC_UDP_BYTES);
    if (b == NULL || f->end > packet->bytes.end) return ROCECC_ERR_SHORT;
    cnp->src_port = rocecc_load16(b);
    cnp->udp_checksum = (b[6] | b[7]) != 0;
    reserved = rocecc_subrange(packet->bytes, r.at, f->end - (size_t)ROCECC_ICRC_BYTES);
    cnp->odd = rocecc_cnp_odd(&bth, reserved);
    b = rocecc_take(&reserved, 16);
    if (b != NULL) {
        rocecc_store64(cnp->reserved, rocecc_load64(b));
        rocecc_store64(cnp->reserved + 8, rocecc_load64(b + 8));
    }
    cnp->pkey = bth.pkey;
    cnp->fecn = bth.fecn;
    cnp->becn = bth.becn;
    cnp->dest_qp = bth.dest_qp;
    return rocecc_cnp_read_ip_(packet, cnp);
}

/*
 * The CNP of a packet; its ICRC is rocecc_icrc_verify()'s. Options before it are not
 * looked at: with one of fastcnp.h, dest_qp is a QP of another node, so that where Fast
 * CNPs may come, rocecc_fastcnp_find() has to be asked first. NO_MATCH: another packet.
 * UNSUPPORTED: TVer is not 0. FORMAT: UDP Length is not 40 (or 24, where the domain
 * tolerates a CNP without the 16 bytes), or PadCnt is not 0. SHORT: it goes beyond
 * packet->bytes.
 */
ROCECC_FN rocecc_status rocecc_cnp_parse(const rocecc_packet *packet, rocecc_cnp *out)
{
    rocecc_cnp h = rocecc_cnp_default();
    rocecc_status status = rocecc_cnp_read_(packet, &h);
    ROCECC_MERGE_PATHS_(status);
    if (status == ROCECC_OK) *out = h;
    return status;
}

#endif /* ROCECC_PACKET_CNP_H */
