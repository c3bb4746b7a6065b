/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_CNP_H
#define ROCECC_PACKET_CNP_H

/*
 * cnp.h - finds and reads CNPs. wire/cnp.h shows the format, and build.h writes a whole
 * CNP.
 *
 *     rocecc_cnp_match(&packet)         true: RoCEv2 with opcode 0x81
 *     rocecc_cnp_parse(&packet, &cnp)   ROCECC_OK: slow down the QP cnp.dest_qp, ...
 *     rocecc_fastcnp_find(&packet, &h)  ... if this (fastcnp.h) returns ROCECC_NO_MATCH
 *
 * The functions skip IFA and INT that nodes on the path have inserted.
 */
#include "../wire/cnp.h"
#include "packet.h"

/*
 * Returns true if a packet is RoCEv2 with the CNP opcode. Returns false if the packet
 * is partial, or if packet->bytes ends before the end of the BTH.
 */
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

/*
 * Returns true if UDP Length, not counting IFA and INT, is 40. Also returns true for a
 * length of 24 if the domain allows CNPs without the 16 reserved bytes.
 */
ROCECC_FN bool rocecc_cnp_length_fits_(const rocecc_packet *packet)
{
    const uint32_t bytes = packet->headers.end - packet->headers.bth;
    return bytes == ROCECC_CNP_UDP_LENGTH - 8 ||
           (packet->domain->roce.short_cnp && bytes == ROCECC_CNP_UDP_LENGTH - 24);
}

/* Does the work of rocecc_cnp_parse(). On failure *cnp may be partly written. */
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
        const rocecc_ip6 as_long = rocecc_ip6_load(b); /* 16 bytes, copied at once */
        rocecc_ip6_store(cnp->reserved, &as_long);
    }
    cnp->pkey = bth.pkey;
    cnp->fecn = bth.fecn;
    cnp->becn = bth.becn;
    cnp->dest_qp = bth.dest_qp;
    return rocecc_cnp_read_ip_(packet, cnp);
}

/*
 * Reads the CNP in a packet. Checks neither the ICRC (see rocecc_icrc_verify()) nor IP
 * options. If Fast CNPs can arrive, the caller must call rocecc_fastcnp_find() first,
 * because dest_qp in a Fast CNP is a QP at the flow's receiver. The first check that
 * fails determines the status. Returns NO_MATCH if rocecc_cnp_match() is false,
 * UNSUPPORTED if TVer is not 0, and FORMAT if PadCnt is not 0 or UDP Length is wrong.
 * Not counting IFA and INT, UDP Length must be 40. If the domain's roce.short_cnp is
 * set, a UDP Length of 24 is also accepted. Returns SHORT if the CNP or its ICRC
 * extends beyond packet->bytes. On failure *out is unchanged.
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
