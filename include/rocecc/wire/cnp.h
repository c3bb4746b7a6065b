/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_CNP_H
#define ROCECC_WIRE_CNP_H

/*
 * cnp.h - the RoCEv2 Congestion Notification Packet, whole. IBTA A17.9.3, Figure 6.
 *
 *   +-----------+-----------+------------+------------------+---------+---------+
 *   | IPv4   20 | UDP     8 | BTH     12 | reserved      16 | ICRC  4 |  60 or
 *   | IPv6   40 | dport     | OpCode     |                  |         |  80 bytes
 *   |           | 4791      | 0x81       | 0                |         |
 *   +-----------+-----------+------------+------------------+---------+---------+
 *
 * It goes to the source of a packet that was marked CE, from where that packet was sent
 * to. Figure 6 binds the sender; a receiver ignores what should be 0, and here it is
 * told of it (odd).
 */
#include "ext.h"
#include "icrc.h"

#define ROCECC_CNP_UDP_LENGTH 40

/* What a received CNP has that Figure 6 does not. None is a reason to drop it. */
#define ROCECC_CNP_ODD_SOLICITED 0x01u
#define ROCECC_CNP_ODD_MIGREQ 0x02u
#define ROCECC_CNP_ODD_ACK_REQ 0x04u
#define ROCECC_CNP_ODD_PSN 0x08u
#define ROCECC_CNP_ODD_RESV6 0x10u
#define ROCECC_CNP_ODD_RESV7 0x20u
#define ROCECC_CNP_ODD_RESERVED 0x40u /* one of the 16 bytes is not 0 */
#define ROCECC_CNP_ODD_SHORT 0x80u    /* the 16 bytes are not there */

typedef struct rocecc_cnp {
    rocecc_ip6 src; /* IPv4 if both are ::ffff:a.b.c.d */
    rocecc_ip6 dst;
    uint8_t dscp;            /* 6 bits; 34, 46 and 48 are in use */
    uint8_t ecn;             /* a rocecc_ecn */
    uint8_t hop_limit;       /* TTL */
    uint32_t flow_label;     /* 20 bits, of IPv6 */
    uint16_t identification; /* of IPv4 */
    uint16_t src_port;       /* of UDP, see rocecc_udp_src_port() */
    uint16_t pkey;           /* that of the marked packet */
    bool fecn;               /* 0 and */
    bool becn;               /* 1 in the CNPs of NVIDIA; A17 leaves both open */
    uint32_t dest_qp;        /* 24 bits: whose rate is to drop, as dst numbers it */
    bool udp_checksum;       /* to build: compute it, instead of 0. Parsed: not 0 */
    uint8_t odd;             /* parsed: ROCECC_CNP_ODD_... */
    uint8_t reserved[16];    /* parsed: what drafts may put there */
} rocecc_cnp;

/* All a CNP needs but addresses, port and QP: DSCP 48, Not-ECT, BECN, default P_Key. */
ROCECC_FN rocecc_cnp rocecc_cnp_default(void)
{
    rocecc_cnp h = {{{0}}, {{0}}, 0, 0, 0, 0, 0, 0, 0, false, false, 0, false, 0, {0}};
    h.dscp = 48;
    h.hop_limit = 64;
    h.pkey = 0xffff;
    h.becn = true;
    return h;
}

/* Whether a located frame is a CNP by its opcode, and nothing more. */
ROCECC_FN bool rocecc_cnp_match(rocecc_reader frame, const rocecc_frame *f)
{
    rocecc_reader r = rocecc_between(frame, f->bth, f->end);
    const uint8_t *b = rocecc_take(&r, ROCECC_BTH_BYTES);
    return f->bth != 0 && f->kind == ROCECC_FRAME_ROCEV2 && b != NULL &&
           *b == ROCECC_OPCODE_CNP;
}

/* What is odd about a CNP, of which reserved has the 16 bytes, or none. */
ROCECC_FN uint8_t rocecc_cnp_odd(const rocecc_bth *h, rocecc_reader reserved)
{
    const bool absent = rocecc_left(&reserved) == 0;
    uint8_t any = 0;
    int i;
    for (i = 0; i < 16; i++) {
        const uint8_t *b = rocecc_take(&reserved, 1);
        if (b == NULL) break;
        any |= *b;
    }
    return (uint8_t)((h->solicited ? ROCECC_CNP_ODD_SOLICITED : 0) |
                     (h->migreq ? ROCECC_CNP_ODD_MIGREQ : 0) |
                     (h->ack_req ? ROCECC_CNP_ODD_ACK_REQ : 0) |
                     (h->psn != 0 ? ROCECC_CNP_ODD_PSN : 0) |
                     (h->resv6 != 0 ? ROCECC_CNP_ODD_RESV6 : 0) |
                     (h->resv7 != 0 ? ROCECC_CNP_ODD_RESV7 : 0) |
                     (any != 0 ? ROCECC_CNP_ODD_RESERVED : 0) |
                     (absent ? ROCECC_CNP_ODD_SHORT : 0));
}

/* What the IP header says of a CNP. */
ROCECC_FN rocecc_status rocecc_cnp_ip_(rocecc_reader frame, const rocecc_frame_ip *ip,
                                       rocecc_cnp *h)
{
    rocecc_reader r = rocecc_between(frame, ip->at, ip->end);
    rocecc_status status;
    if (ip->version == 4) {
        rocecc_ipv4 v4;
        status = rocecc_ipv4_parse(&r, &v4);
        if (status != ROCECC_OK) return status;
        h->src = rocecc_ip6_of_ip4(&v4.src);
        h->dst = rocecc_ip6_of_ip4(&v4.dst);
        h->dscp = v4.dscp;
        h->ecn = v4.ecn;
        h->hop_limit = v4.ttl;
        h->identification = v4.identification;
    } else {
        rocecc_ipv6 v6;
        status = rocecc_ipv6_parse(&r, &v6);
        if (status != ROCECC_OK) return status;
        h->src = v6.src;
        h->dst = v6.dst;
        h->dscp = v6.dscp;
        h->ecn = v6.ecn;
        h->hop_limit = v6.hop_limit;
        h->flow_label = v6.flow_label;
    }
    return ROCECC_OK;
}

/* Fills *h; in part, where the status is not OK. */
ROCECC_FN rocecc_status rocecc_cnp_read_(const rocecc_roce_config *c,
                                         rocecc_reader frame, const rocecc_frame *f,
                                         rocecc_cnp *h)
{
    rocecc_reader r = rocecc_between(frame, f->udp, f->end);
    rocecc_reader reserved;
    rocecc_extent extent;
    rocecc_udp udp;
    rocecc_bth bth;
    const uint8_t *b;
    rocecc_status status;
    int i;
    if (!rocecc_cnp_match(frame, f)) return ROCECC_NO_MATCH;
    if (rocecc_frame_has_telemetry(f)) return ROCECC_ERR_UNSUPPORTED;
    status = rocecc_udp_parse(&r, &udp);
    if (status != ROCECC_OK) return status;
    status = rocecc_bth_parse(&r, &bth);
    if (status != ROCECC_OK) return status;
    if (bth.tver != 0) return ROCECC_ERR_UNSUPPORTED;
    status =
        rocecc_extent_locate(c, &bth, udp.length - (uint32_t)ROCECC_UDP_BYTES, &extent);
    if (status != ROCECC_OK) return status;
    if (f->end > frame.end) return ROCECC_ERR_SHORT;
    reserved = rocecc_between(frame, r.at, f->end - (size_t)ROCECC_ICRC_BYTES);
    h->odd = rocecc_cnp_odd(&bth, reserved);
    for (i = 0; i < 16; i++) {
        b = rocecc_take(&reserved, 1);
        if (b == NULL) break;
        h->reserved[i] = *b;
    }
    h->src_port = udp.src_port;
    h->udp_checksum = udp.checksum != 0;
    h->pkey = bth.pkey;
    h->fecn = bth.fecn;
    h->becn = bth.becn;
    h->dest_qp = bth.dest_qp;
    return rocecc_cnp_ip_(frame, &f->ip, h);
}

/*
 * The CNP of a located frame; its ICRC is rocecc_icrc_verify()'s. Options before it are
 * not looked at: with one of fastcnp.h, dest_qp is a QP of another node, so that where
 * Fast CNPs may come, f->ip.n_ext or rocecc_fastcnp_find() has to be asked first.
 * NO_MATCH: another packet. UNSUPPORTED: TVer is not 0, or IFA or INT is in the packet,
 * which is no CNP before they are stripped. FORMAT: UDP Length is not 40 (or 24, where
 * c tolerates a CNP without the 16 bytes), or PadCnt is not 0. SHORT: it goes beyond
 * frame.
 */
ROCECC_FN rocecc_status rocecc_cnp_parse(const rocecc_roce_config *c,
                                         rocecc_reader frame, const rocecc_frame *f,
                                         rocecc_cnp *out)
{
    rocecc_cnp h = rocecc_cnp_default();
    rocecc_status status = rocecc_cnp_read_(c, frame, f, &h);
    ROCECC_SETTLED_(status);
    if (status == ROCECC_OK) *out = h;
    return status;
}

/*
 * The IP header of a CNP, over IPv6 before so many bytes of Destination Options, at
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
        w->at > ROCECC_FRAME_START_MAX)
        return ROCECC_ERR_RANGE;
    return ROCECC_OK;
}

/*
 * From UDP through the ICRC by a rule. Of f, what is before UDP is filled in but for
 * the upper layer: where the IP header is, and its extension headers.
 */
ROCECC_FN rocecc_status rocecc_cnp_tail_(rocecc_writer *w, rocecc_icrc_rule rule,
                                         const rocecc_cnp *h, uint32_t pseudo,
                                         rocecc_frame *f)
{
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
    f->ip.end = f->end = (uint32_t)w->at;
    if (rule != ROCECC_ICRC_NONE) {
        status = rocecc_icrc_init(rule, rocecc_written(w), f, &state);
        if (status != ROCECC_OK) return status;
        state = rocecc_icrc_upto_(state,
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
 * ROCECC_FRAME_START_MAX of its buffer. SPACE: w is too small.
 */
ROCECC_FN rocecc_status rocecc_cnp_build(rocecc_writer *w, const rocecc_cnp *h)
{
    const bool v4 = rocecc_ip6_is_ip4(&h->src);
    rocecc_frame f;
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
    rocecc_frame_clear_(&f);
    f.ip.version = v4 ? 4 : 6;
    f.ip.at = (uint16_t)w->at;
    status = rocecc_cnp_tail_(&out, ROCECC_ICRC_STANDARD, h, pseudo, &f);
    if (status != ROCECC_OK) return status;
    *w = out;
    return ROCECC_OK;
}

#endif /* ROCECC_WIRE_CNP_H */
