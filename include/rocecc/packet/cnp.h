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
ROCECC_INLINE bool rocecc_cnp_match(const rocecc_packet *p)
{
    const rocecc_where *f = &p->where;
    rocecc_reader r = p->bytes;
    const uint8_t *b;
    if (f->bth == 0 || f->kind != ROCECC_KIND_ROCEV2) return false;
    r.at = f->bth;
    b = rocecc_take(&r, ROCECC_BTH_BYTES);
    return b != NULL && *b == ROCECC_OPCODE_CNP;
}

/* What the IP header says of a CNP. */
ROCECC_FN rocecc_status rocecc_cnp_ip_(const rocecc_packet *p, rocecc_cnp *h)
{
    const rocecc_where_ip *at = &p->where.ip;
    rocecc_reader r = rocecc_between(p->bytes, at->at, at->upper);
    const uint8_t *b = rocecc_take(&r, 6);
    rocecc_ip ip;
    if (b == NULL || rocecc_packet_ip(p, at, &ip) != ROCECC_OK) return ROCECC_ERR_SHORT;
    h->src = ip.src;
    h->dst = ip.dst;
    h->dscp = ip.dscp;
    h->ecn = ip.ecn;
    h->hop_limit = ip.hop_limit;
    h->flow_label = ip.flow_label;
    if (ip.version == 4) h->identification = rocecc_load16(b + 4);
    return ROCECC_OK;
}

/* From the BTH through the ICRC a CNP has 32 bytes: UDP Length 40; without the 16, 24.
 */
ROCECC_FN bool rocecc_cnp_length_(const rocecc_packet *p)
{
    const uint32_t bytes = p->where.end - p->where.bth;
    return bytes == ROCECC_CNP_UDP_LENGTH - 8 ||
           (p->domain->roce.short_cnp && bytes == ROCECC_CNP_UDP_LENGTH - 24);
}

/* Fills *h; in part, where the status is not OK. */
ROCECC_FN rocecc_status rocecc_cnp_read_(const rocecc_packet *p, rocecc_cnp *h)
{
    const rocecc_where *f = &p->where;
    rocecc_reader r = rocecc_between(p->bytes, f->bth, f->end);
    rocecc_reader udp = rocecc_between(p->bytes, f->udp, f->bth);
    rocecc_reader reserved;
    rocecc_bth bth;
    const uint8_t *b;
    rocecc_status status;
    int i;
    if (!rocecc_cnp_match(p)) return ROCECC_NO_MATCH;
    status = rocecc_bth_parse(&r, &bth);
    if (status != ROCECC_OK) return status;
    if (bth.tver != 0) return ROCECC_ERR_UNSUPPORTED;
    if (bth.pad != 0 || !rocecc_cnp_length_(p)) return ROCECC_ERR_FORMAT;
    b = rocecc_take(&udp, ROCECC_UDP_BYTES);
    if (b == NULL || f->end > p->bytes.end) return ROCECC_ERR_SHORT;
    h->src_port = rocecc_load16(b);
    h->udp_checksum = (b[6] | b[7]) != 0;
    reserved = rocecc_between(p->bytes, r.at, f->end - (size_t)ROCECC_ICRC_BYTES);
    h->odd = rocecc_cnp_odd(&bth, reserved);
    b = rocecc_take(&reserved, 16);
    for (i = 0; b != NULL && i < 16; i++)
        h->reserved[i] = b[i];
    h->pkey = bth.pkey;
    h->fecn = bth.fecn;
    h->becn = bth.becn;
    h->dest_qp = bth.dest_qp;
    return rocecc_cnp_ip_(p, h);
}

/*
 * The CNP of a packet; its ICRC is rocecc_icrc_verify()'s. Options before it are not
 * looked at: with one of fastcnp.h, dest_qp is a QP of another node, so that where Fast
 * CNPs may come, rocecc_fastcnp_find() has to be asked first. NO_MATCH: another packet.
 * UNSUPPORTED: TVer is not 0. FORMAT: UDP Length is not 40 (or 24, where the domain
 * tolerates a CNP without the 16 bytes), or PadCnt is not 0. SHORT: it goes beyond
 * p->bytes.
 */
ROCECC_FN rocecc_status rocecc_cnp_parse(const rocecc_packet *p, rocecc_cnp *out)
{
    rocecc_cnp h = rocecc_cnp_default();
    rocecc_status status = rocecc_cnp_read_(p, &h);
    ROCECC_SETTLED_(status);
    if (status == ROCECC_OK) *out = h;
    return status;
}

#endif /* ROCECC_PACKET_CNP_H */
