/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_FRAME_H
#define ROCECC_WIRE_FRAME_H

/*
 * frame.h - from a raw frame to its RoCE header: where every header is, what the frame
 * is, and where and why the search ended. What is accepted:
 *
 *   Ethernet --> VLAN tags --> CSIG tag --> VLAN tags --> CN-TAG --> IPv4, IPv6, GRH
 *                at most 2      0 or 1     3 in all      0 or 1     anything else
 *                                                                   NO_MATCH
 *
 *   IPv4 --> options --------------------------+--> UDP              below
 *   IPv6 --> extension headers, at most 8 (*) -+--> IFA --> UDP      below
 *                                              +--> IPv4, IPv6       once: a tunnel
 *                                              +--> anything else    NO_MATCH
 *   UDP  --> BTH                                                     RoCEv2
 *        --> IFA metadata header and stack --> BTH                   behind IFA
 *        --> INT shim and its words --> BTH                          NPT 1
 *        --> INT shim and its words --> UDP --> BTH                  NPT 2
 *   GRH  --> BTH                                                     RoCEv1
 *
 *   (*) ROCECC_IP6EXT_MAX, 4 under BPF. ESP and AH over IPv4, ESP over IPv6, fragments,
 *   jumbograms, a second tunnel, a fourth VLAN tag, tags in any other order or a ninth
 *   header: UNSUPPORTED. So are IFA of another version or with its stack at the tail,
 *   INT of another Type (also that of v0.5 and v1.0) or NPT, and INT behind IFA.
 *
 * IFA 2.0 (ifa.h) and INT-MD (intmd.h) are found by the numbers of the configuration.
 * INT behind TCP, or told by a DSCP or a probe marker, is not followed. Their records
 * are not looked at: those are for rocecc_ifa_find() and rocecc_intmd_find().
 *
 * Only headers are read, and no checksum: the payload may be cut off by a capture, or
 * lie in another segment of a buffer. Lengths must agree all the same: IP within the
 * IP around it, UDP within IP, INT within UDP, BTH and ICRC within UDP. UDP Length does
 * not count what IFA has behind UDP. What follows them (padding, FCS) is not looked at.
 */
#include "bth.h"
#include "csig.h"
#include "ether.h"
#include "grh.h"
#include "ifa.h"
#include "intmd.h"
#include "ip.h"
#include "udp.h"

#define ROCECC_FRAME_VLAN_MAX 3
#define ROCECC_FRAME_CSIG_VLAN_MAX 2 /* so many of them before a CSIG tag */

/* Where in its buffer a frame may begin: offsets have 16 bits. */
#define ROCECC_FRAME_START_MAX 31000

#if ROCECC_IP6EXT_MAX > 8
#error "rocecc_frame_ip has room for 8 extension headers"
#endif

/* All 0: Ethernet frames, and RoCEv2 on UDP port 4791. */
typedef struct rocecc_frame_config {
    bool ip_first;        /* frames begin with the IP header */
    uint16_t rocev2_port; /* instead of 4791 */
    rocecc_csig_config csig;
    uint8_t ifa_protocol; /* the IP protocol number of IFA; 0: off */
    uint16_t intmd_port;  /* the UDP port of INT; 0: off */
} rocecc_frame_config;

typedef enum rocecc_frame_kind {
    ROCECC_FRAME_OTHER = 0,
    ROCECC_FRAME_TCP,
    ROCECC_FRAME_UDP,
    ROCECC_FRAME_ROCEV1,
    ROCECC_FRAME_ROCEV2
} rocecc_frame_kind;

typedef enum rocecc_layer {
    ROCECC_LAYER_ETHER = 0,
    ROCECC_LAYER_VLAN,
    ROCECC_LAYER_IPV4,
    ROCECC_LAYER_IPV6,
    ROCECC_LAYER_IP6EXT,
    ROCECC_LAYER_UDP,
    ROCECC_LAYER_GRH,
    ROCECC_LAYER_BTH,
    ROCECC_LAYER_UPPER, /* what the IP header says follows, and nobody here reads */
    ROCECC_LAYER_CSIG,
    ROCECC_LAYER_CNTAG,
    ROCECC_LAYER_IFA,  /* its header, or what it has behind UDP */
    ROCECC_LAYER_INTMD /* the shim and its words */
} rocecc_layer;

/* One IP header. Offsets count from the first byte of the buffer: frame.base. */
typedef struct rocecc_frame_ip {
    uint8_t version;     /* 4 or 6; 0: there is none */
    uint8_t proto;       /* the upper layer's number */
    uint8_t n_ext;       /* extension headers: */
    uint8_t ext_type[8]; /*   what each is, */
    uint16_t ext[8];     /*   and where */
    uint16_t at;         /* the IP header itself */
    uint16_t upper;      /* what follows its options or extension headers */
    uint32_t end;        /* of the datagram, as its length says */
} rocecc_frame_ip;

/* A frame's headers. An offset of 0 is no such header (but ip.at, see ip.version). */
typedef struct rocecc_frame {
    uint8_t status;        /* the rocecc_status that locate() gave */
    uint8_t kind;          /* a rocecc_frame_kind */
    uint8_t stopped;       /* a rocecc_layer: the last one that was looked at */
    uint8_t n_vlan;        /* VLAN tags: rocecc_frame_vlan() has each */
    uint8_t csig_bytes;    /* 4, or 8 of a wide tag */
    uint16_t csig;         /* a CSIG tag, from its TPID on */
    uint16_t cntag;        /* a CN-TAG, from its type on: 4 bytes */
    rocecc_frame_ip outer; /* of a tunnel */
    rocecc_frame_ip ip;    /* the one next to UDP, which the ICRC covers */
    uint16_t ifa;          /* the IFA header; the packet's ICRC is that without IFA */
    uint16_t udp;          /* the one next to the BTH, also where INT has added one */
    uint16_t ifa_metadata; /* the metadata header of IFA */
    uint16_t intmd;        /* the shim of INT; the ICRC is that without INT */
    uint16_t grh;
    uint16_t bth;
    uint32_t end; /* behind the ICRC, as UDP Length (with IFA's bytes) or PayLen says */
} rocecc_frame;

/* A frame of which nothing is known. */
ROCECC_FN void rocecc_frame_clear_(rocecc_frame *f)
{
    const rocecc_frame_ip none = {0, 0, 0, {0}, {0}, 0, 0, 0};
    f->status = f->kind = f->stopped = f->n_vlan = f->csig_bytes = 0;
    f->csig = f->cntag = 0;
    f->outer = f->ip = none;
    f->ifa = f->udp = f->ifa_metadata = f->intmd = 0;
    f->grh = f->bth = 0;
    f->end = 0;
}

/*
 * Whether IFA or INT stands in a located frame: it is to be stripped before the packet
 * is what its sender made, with its ICRC.
 */
ROCECC_FN bool rocecc_frame_has_telemetry(const rocecc_frame *f)
{
    return (f->ifa | f->intmd) != 0;
}

/* The IP header that nodes on the path go by: the tunnel's, or the only one. */
ROCECC_FN const rocecc_frame_ip *rocecc_frame_outermost(const rocecc_frame *f)
{
    return f->outer.version != 0 ? &f->outer : &f->ip;
}

/* What is left to read of a frame, and the end that lengths have declared so far. */
typedef struct rocecc_frame_walk_ {
    rocecc_reader r;
    size_t declared;
} rocecc_frame_walk_;

/* A datagram's own end is now the end. FORMAT: it overruns what is around it. */
ROCECC_FN rocecc_status rocecc_frame_cut_(rocecc_frame_walk_ *w, size_t end)
{
    if (end > w->declared) return ROCECC_ERR_FORMAT;
    w->declared = end;
    if (end < w->r.end) w->r.end = end;
    return ROCECC_OK;
}

ROCECC_FN rocecc_status rocecc_frame_vlan_(rocecc_frame_walk_ *w, rocecc_frame *f,
                                           uint16_t *type)
{
    rocecc_vlan vlan;
    rocecc_status status;
    f->stopped = ROCECC_LAYER_VLAN;
    if (f->n_vlan == ROCECC_FRAME_VLAN_MAX || f->cntag != 0)
        return ROCECC_ERR_UNSUPPORTED;
    status = rocecc_vlan_parse(&w->r, &vlan);
    if (status != ROCECC_OK) return status;
    f->n_vlan++;
    *type = vlan.type;
    return ROCECC_OK;
}

/* A CSIG tag of so many bytes, the type before among them. */
ROCECC_FN rocecc_status rocecc_frame_csig_(rocecc_frame_walk_ *w, rocecc_frame *f,
                                           size_t bytes, uint16_t *type)
{
    const size_t at = w->r.at - 2;
    const uint8_t *b;
    f->stopped = ROCECC_LAYER_CSIG;
    if (f->csig != 0 || f->cntag != 0 || f->n_vlan > ROCECC_FRAME_CSIG_VLAN_MAX)
        return ROCECC_ERR_UNSUPPORTED;
    if (bytes == ROCECC_CSIG_WIDE_BYTES && rocecc_take(&w->r, 4) == NULL)
        return ROCECC_ERR_SHORT;
    b = rocecc_take(&w->r, 4);
    if (b == NULL) return ROCECC_ERR_SHORT;
    f->csig = (uint16_t)at;
    f->csig_bytes = (uint8_t)bytes;
    *type = rocecc_load16(b + 2);
    return ROCECC_OK;
}

ROCECC_FN rocecc_status rocecc_frame_cntag_(rocecc_frame_walk_ *w, rocecc_frame *f,
                                            uint16_t *type)
{
    const size_t at = w->r.at - 2;
    const uint8_t *b;
    f->stopped = ROCECC_LAYER_CNTAG;
    if (f->cntag != 0) return ROCECC_ERR_UNSUPPORTED;
    b = rocecc_take(&w->r, ROCECC_CNTAG_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    f->cntag = (uint16_t)at;
    *type = rocecc_load16(b + 2);
    return ROCECC_OK;
}

/* Ethernet and its tags; *type is what they say follows. */
ROCECC_FN rocecc_status rocecc_frame_ether_(const rocecc_frame_config *c,
                                            rocecc_frame_walk_ *w, rocecc_frame *f,
                                            uint16_t *type)
{
    rocecc_ether ether;
    rocecc_status status = rocecc_ether_parse(&w->r, &ether);
    int i;
    if (status != ROCECC_OK) return status;
    *type = ether.type;
    for (i = 0; i <= ROCECC_FRAME_VLAN_MAX + 2; i++) {
        const size_t csig = rocecc_csig_bytes(&c->csig, *type);
        if (rocecc_vlan_match(*type))
            status = rocecc_frame_vlan_(w, f, type);
        else if (csig != 0)
            status = rocecc_frame_csig_(w, f, csig, type);
        else if (*type == ROCECC_TYPE_CNTAG)
            status = rocecc_frame_cntag_(w, f, type);
        else
            break;
        if (status != ROCECC_OK) return status;
    }
    return ROCECC_OK;
}

ROCECC_FN rocecc_status rocecc_frame_ipv4_(rocecc_frame_walk_ *w, rocecc_frame_ip *ip)
{
    const size_t at = w->r.at;
    rocecc_ipv4 h;
    rocecc_status status = rocecc_ipv4_parse(&w->r, &h);
    if (status != ROCECC_OK) return status;
    ip->version = 4;
    ip->proto = h.protocol;
    ip->n_ext = 0;
    ip->at = (uint16_t)at;
    ip->upper = (uint16_t)w->r.at;
    ip->end = (uint32_t)(at + h.total_length);
    status = rocecc_frame_cut_(w, ip->end);
    if (status != ROCECC_OK) return status;
    if (h.mf || h.fragment_offset != 0 || h.protocol == ROCECC_PROTO_ESP ||
        h.protocol == ROCECC_PROTO_AH)
        return ROCECC_ERR_UNSUPPORTED;
    return ROCECC_OK;
}

/* The chain behind an IPv6 header. */
ROCECC_FN rocecc_status rocecc_frame_exts_(rocecc_frame_walk_ *w, rocecc_frame_ip *ip)
{
    rocecc_ip6ext ext;
    rocecc_ip6frag frag;
    uint8_t type = ip->proto;
    int i;
    for (i = 0;; i++) {
        const rocecc_status status = rocecc_ip6ext_next(&w->r, &type, &ext);
        if (status == ROCECC_END) return ROCECC_OK;
        if (status != ROCECC_OK) return status;
        if (i == ROCECC_IP6EXT_MAX) break;
        ip->ext_type[i] = ext.type;
        ip->ext[i] = (uint16_t)ext.header.at;
        ip->n_ext = (uint8_t)(i + 1);
        ip->proto = type;
        ip->upper = (uint16_t)w->r.at;
        if (ext.type == ROCECC_PROTO_FRAGMENT &&
            (rocecc_ip6frag_parse(&ext.header, &frag) != ROCECC_OK || frag.m ||
             frag.fragment_offset != 0))
            break;
    }
    return ROCECC_ERR_UNSUPPORTED;
}

ROCECC_FN rocecc_status rocecc_frame_ipv6_(rocecc_frame_walk_ *w, rocecc_frame_ip *ip)
{
    const size_t at = w->r.at;
    rocecc_ipv6 h;
    rocecc_status status = rocecc_ipv6_parse(&w->r, &h);
    if (status != ROCECC_OK) return status;
    ip->version = 6;
    ip->proto = h.next_header;
    ip->n_ext = 0;
    ip->at = (uint16_t)at;
    ip->upper = (uint16_t)w->r.at;
    ip->end = (uint32_t)(w->r.at + h.payload_length);
    if (h.payload_length == 0 && h.next_header == ROCECC_PROTO_HOPOPTS)
        return ROCECC_ERR_UNSUPPORTED; /* a jumbogram, RFC 2675 */
    return rocecc_frame_cut_(w, ip->end);
}

/* One or two levels of IP, with their extension headers. */
ROCECC_FN rocecc_status rocecc_frame_levels_(rocecc_frame_walk_ *w, rocecc_frame *f,
                                             bool v6)
{
    const rocecc_frame_ip none = {0, 0, 0, {0}, {0}, 0, 0, 0};
    rocecc_status status;
    int level;
    for (level = 0;; level++) {
        f->stopped = v6 ? ROCECC_LAYER_IPV6 : ROCECC_LAYER_IPV4;
        status = v6 ? rocecc_frame_ipv6_(w, &f->ip) : rocecc_frame_ipv4_(w, &f->ip);
        if (status != ROCECC_OK) return status;
        if (v6) {
            f->stopped = ROCECC_LAYER_IP6EXT;
            status = rocecc_frame_exts_(w, &f->ip);
            if (status != ROCECC_OK) return status;
        }
        v6 = f->ip.proto == ROCECC_PROTO_IPV6;
        if (!v6 && f->ip.proto != ROCECC_PROTO_IPV4) return ROCECC_OK;
        if (level == 1) return ROCECC_ERR_UNSUPPORTED;
        f->outer = f->ip;
        f->ip = none;
    }
}

/* The IFA header; *proto is what it says follows. */
ROCECC_FN rocecc_status rocecc_frame_ifa_(rocecc_frame_walk_ *w, rocecc_frame *f,
                                          uint8_t *proto, uint8_t *flags)
{
    const size_t at = w->r.at;
    const uint8_t *b = rocecc_take(&w->r, ROCECC_IFA_HEADER_BYTES);
    rocecc_ifa_header h;
    f->stopped = ROCECC_LAYER_IFA;
    if (b == NULL) return ROCECC_ERR_SHORT;
    h = rocecc_ifa_header_load(b);
    if (h.version != ROCECC_IFA_VERSION || (h.flags & ROCECC_IFA_FLAG_TS) != 0)
        return ROCECC_ERR_UNSUPPORTED;
    f->ifa = (uint16_t)at;
    *proto = h.next_hdr;
    *flags = h.flags;
    return ROCECC_OK;
}

/* From the metadata header of IFA to the end of its stack. */
ROCECC_FN rocecc_status rocecc_frame_ifa_stack_(rocecc_frame_walk_ *w, rocecc_frame *f,
                                                uint8_t flags)
{
    const size_t at = w->r.at;
    const uint8_t *b = rocecc_take(&w->r, ROCECC_IFA_METADATA_BYTES);
    rocecc_ifa_metadata h;
    size_t bytes;
    rocecc_status status;
    f->stopped = ROCECC_LAYER_IFA;
    if (b == NULL) return ROCECC_ERR_SHORT;
    h = rocecc_ifa_metadata_load(b);
    f->ifa_metadata = (uint16_t)at;
    bytes = (size_t)h.current_length * 4;
    if ((flags & ROCECC_IFA_FLAG_C) != 0) bytes += ROCECC_IFA_CHECKSUM_BYTES;
    if ((flags & ROCECC_IFA_FLAG_MF) != 0) bytes += ROCECC_IFA_FRAGMENT_BYTES;
    f->end += (uint32_t)(ROCECC_IFA_METADATA_BYTES + bytes);
    status = rocecc_frame_cut_(w, f->end);
    if (status != ROCECC_OK) return status;
    return rocecc_take(&w->r, bytes) != NULL ? ROCECC_OK : ROCECC_ERR_SHORT;
}

/* The UDP header; f->end is what its length says, and nothing is cut there. */
ROCECC_FN rocecc_status rocecc_frame_udp_(rocecc_frame_walk_ *w, rocecc_frame *f,
                                          uint16_t *port)
{
    const size_t at = w->r.at;
    rocecc_udp udp;
    rocecc_status status;
    f->stopped = ROCECC_LAYER_UDP;
    status = rocecc_udp_parse(&w->r, &udp);
    if (status != ROCECC_OK) return status;
    f->kind = ROCECC_FRAME_UDP;
    f->udp = (uint16_t)at;
    f->end = (uint32_t)(at + udp.length);
    *port = udp.dst_port;
    return ROCECC_OK;
}

/* The shim of INT and its words; *port is where the packet goes without them. */
ROCECC_FN rocecc_status rocecc_frame_intmd_(rocecc_frame_walk_ *w, rocecc_frame *f,
                                            uint16_t *port)
{
    const size_t at = w->r.at;
    rocecc_intmd_shim h;
    rocecc_status status;
    f->stopped = ROCECC_LAYER_INTMD;
    if (f->ifa != 0) return ROCECC_ERR_UNSUPPORTED;
    status = rocecc_intmd_shim_parse(&w->r, &h);
    if (status != ROCECC_OK) return status;
    if (h.type < ROCECC_INTMD_TYPE_MD || h.type > ROCECC_INTMD_TYPE_MX)
        return ROCECC_ERR_UNSUPPORTED;
    if (h.npt != ROCECC_INTMD_NPT_PORT && h.npt != ROCECC_INTMD_NPT_NEW_UDP)
        return ROCECC_ERR_UNSUPPORTED;
    f->intmd = (uint16_t)at;
    *port = h.original;
    if (h.npt == ROCECC_INTMD_NPT_PORT) return ROCECC_OK;
    if ((h.original & 0xff) != ROCECC_PROTO_UDP) return ROCECC_NO_MATCH;
    status = rocecc_frame_udp_(w, f, port);
    if (status != ROCECC_OK) return status;
    return rocecc_frame_cut_(w, f->end);
}

/* UDP, with what IFA and INT have behind it; *port is what says what follows. */
ROCECC_FN rocecc_status rocecc_frame_port_(const rocecc_frame_config *c,
                                           rocecc_frame_walk_ *w, rocecc_frame *f,
                                           uint8_t flags, uint16_t *port)
{
    rocecc_status status = rocecc_frame_udp_(w, f, port);
    if (status != ROCECC_OK) return status;
    status = f->ifa != 0 ? rocecc_frame_ifa_stack_(w, f, flags)
                         : rocecc_frame_cut_(w, f->end);
    if (status != ROCECC_OK) return status;
    if (c->intmd_port == 0 || *port != c->intmd_port) return ROCECC_OK;
    return rocecc_frame_intmd_(w, f, port);
}

/* IP and what its protocol number says follows. */
ROCECC_FN rocecc_status rocecc_frame_ip_(const rocecc_frame_config *c,
                                         rocecc_frame_walk_ *w, rocecc_frame *f,
                                         bool v6)
{
    const uint16_t rocev2 =
        c->rocev2_port != 0 ? c->rocev2_port : ROCECC_UDP_PORT_ROCEV2;
    uint16_t port = 0;
    uint8_t proto, flags = 0;
    rocecc_status status = rocecc_frame_levels_(w, f, v6);
    if (status != ROCECC_OK) return status;
    proto = f->ip.proto;
    if (c->ifa_protocol != 0 && proto == c->ifa_protocol) {
        status = rocecc_frame_ifa_(w, f, &proto, &flags);
        if (status != ROCECC_OK) return status;
    }
    f->stopped = ROCECC_LAYER_UPPER;
    if (proto == ROCECC_PROTO_TCP) f->kind = ROCECC_FRAME_TCP;
    if (proto != ROCECC_PROTO_UDP) return ROCECC_NO_MATCH;
    status = rocecc_frame_port_(c, w, f, flags, &port);
    if (status != ROCECC_OK) return status;
    if (port != rocev2) return ROCECC_NO_MATCH;
    f->kind = ROCECC_FRAME_ROCEV2;
    return ROCECC_OK;
}

ROCECC_FN rocecc_status rocecc_frame_grh_(rocecc_frame_walk_ *w, rocecc_frame *f)
{
    const size_t at = w->r.at;
    rocecc_grh grh;
    rocecc_status status;
    f->stopped = ROCECC_LAYER_GRH;
    status = rocecc_grh_parse(&w->r, &grh);
    if (status != ROCECC_OK) return status;
    f->grh = (uint16_t)at;
    if (grh.nxt_hdr != ROCECC_GRH_NXT_HDR) return ROCECC_NO_MATCH;
    f->kind = ROCECC_FRAME_ROCEV1;
    f->end = (uint32_t)(w->r.at + grh.pay_len);
    return rocecc_frame_cut_(w, f->end);
}

/* The walk of locate(); whatever it returns, f says how far it came. */
ROCECC_FN rocecc_status rocecc_frame_walk_to_(const rocecc_frame_config *c,
                                              rocecc_frame_walk_ *w, rocecc_frame *f)
{
    uint16_t type = ROCECC_TYPE_IPV4;
    size_t at;
    rocecc_status status;
    if (c->ip_first) {
        rocecc_reader first = w->r;
        const uint8_t *b = rocecc_take(&first, 1);
        if (b != NULL && *b >> 4 == 6) type = ROCECC_TYPE_IPV6;
    } else {
        status = rocecc_frame_ether_(c, w, f, &type);
        if (status != ROCECC_OK) return status;
    }
    if (type == ROCECC_TYPE_ROCEV1)
        status = rocecc_frame_grh_(w, f);
    else if (type == ROCECC_TYPE_IPV4 || type == ROCECC_TYPE_IPV6)
        status = rocecc_frame_ip_(c, w, f, type == ROCECC_TYPE_IPV6);
    else
        return ROCECC_NO_MATCH;
    if (status != ROCECC_OK) return status;
    f->stopped = ROCECC_LAYER_BTH;
    at = w->r.at;
    if (f->end < at + ROCECC_BTH_BYTES + 4) return ROCECC_ERR_FORMAT;
    if (rocecc_take(&w->r, ROCECC_BTH_BYTES) == NULL) return ROCECC_ERR_SHORT;
    f->bth = (uint16_t)at;
    return ROCECC_OK;
}

/*
 * Finds the headers of one frame. OK: there is a BTH, at f->bth. NO_MATCH: the frame is
 * something else (f->kind). SHORT, FORMAT, UNSUPPORTED: as drawn above, at f->stopped.
 * RANGE: the frame begins beyond ROCECC_FRAME_START_MAX in its buffer.
 * Always writes *f: what was found before the search ended is there.
 */
ROCECC_FN rocecc_status rocecc_frame_locate(const rocecc_frame_config *c,
                                            rocecc_reader frame, rocecc_frame *f)
{
    rocecc_frame_walk_ w;
    rocecc_status status;
    w.r = frame;
    w.declared = UINT32_MAX;
    rocecc_frame_clear_(f);
    if (frame.at > ROCECC_FRAME_START_MAX)
        status = ROCECC_ERR_RANGE;
    else
        status = rocecc_frame_walk_to_(c, &w, f);
    if (w.declared <= frame.end) status = rocecc_declared(status);
    f->status = (uint8_t)status;
    return status;
}

/* The same for n frames; returns how many are OK. */
ROCECC_FN size_t rocecc_frame_locate_burst(const rocecc_frame_config *c,
                                           const rocecc_reader *frames, rocecc_frame *f,
                                           size_t n)
{
    size_t i, ok = 0;
    for (i = 0; i < n; i++)
        if (rocecc_frame_locate(c, frames[i], &f[i]) == ROCECC_OK) ok++;
    return ok;
}

/* VLAN tag i < f->n_vlan behind its TPID, of a frame with its Ethernet header. */
ROCECC_FN rocecc_reader rocecc_frame_vlan(rocecc_reader frame, const rocecc_frame *f,
                                          int i)
{
    size_t at = frame.at + ROCECC_ETHER_BYTES + (size_t)i * ROCECC_VLAN_BYTES;
    if (f->csig != 0 && f->csig < at) at += f->csig_bytes;
    return rocecc_between(frame, at, at + ROCECC_VLAN_BYTES);
}

/* The bytes of extension header i < ip->n_ext; its type is ip->ext_type[i]. */
ROCECC_FN rocecc_reader rocecc_frame_ext(rocecc_reader frame, const rocecc_frame_ip *ip,
                                         int i)
{
    const size_t end =
        i + 1 < ROCECC_IP6EXT_MAX && i + 1 < ip->n_ext ? ip->ext[i + 1] : ip->upper;
    return rocecc_between(frame, ip->ext[i], end);
}

/* Source and destination of a located IP header; its fragment's offset is to be 0. */
ROCECC_FN rocecc_status rocecc_frame_addresses_(rocecc_reader frame,
                                                const rocecc_frame_ip *ip,
                                                rocecc_flow *flow)
{
    rocecc_reader r = rocecc_between(frame, ip->at, ip->upper);
    rocecc_ip6frag frag;
    int i;
    if (ip->version == 4) {
        rocecc_ipv4 v4;
        if (rocecc_ipv4_parse(&r, &v4) != ROCECC_OK || v4.fragment_offset != 0)
            return ROCECC_NO_MATCH;
        flow->src = rocecc_ip6_of_ip4(&v4.src);
        flow->dst = rocecc_ip6_of_ip4(&v4.dst);
    } else {
        rocecc_ipv6 v6;
        if (rocecc_ipv6_parse(&r, &v6) != ROCECC_OK) return ROCECC_NO_MATCH;
        flow->src = v6.src;
        flow->dst = v6.dst;
        for (i = 0; i < ROCECC_IP6EXT_MAX && i < ip->n_ext; i++) {
            if (ip->ext_type[i] != ROCECC_PROTO_FRAGMENT) continue;
            r = rocecc_between(frame, ip->ext[i], ip->upper);
            if (rocecc_ip6frag_parse(&r, &frag) != ROCECC_OK ||
                frag.fragment_offset != 0)
                return ROCECC_NO_MATCH;
        }
    }
    return ROCECC_OK;
}

/* The 5-tuple of a located IP header, whose upper layer is proto, from `at` on. */
ROCECC_FN rocecc_status rocecc_frame_flow_(rocecc_reader frame,
                                           const rocecc_frame_ip *ip, uint8_t proto,
                                           size_t at, rocecc_flow *flow)
{
    rocecc_reader r = rocecc_between(frame, at, ip->end);
    rocecc_flow out = {{{0}}, {{0}}, 0, 0, 0};
    rocecc_status status;
    if (ip->version == 0 || (ip->version == 6 && rocecc_ip6ext_match(proto)))
        return ROCECC_NO_MATCH;
    status = rocecc_frame_addresses_(frame, ip, &out);
    if (status != ROCECC_OK) return status;
    out.proto = proto;
    if (rocecc_flow_has_ports(proto)) {
        const uint8_t *b = rocecc_take(&r, 4);
        if (b == NULL) return at + 4 > ip->end ? ROCECC_ERR_FORMAT : ROCECC_ERR_SHORT;
        out.src_port = rocecc_load16(b);
        out.dst_port = rocecc_load16(b + 2);
    }
    *flow = out;
    return ROCECC_OK;
}

/* Where INT stands behind UDP, which port UDP had before. NO_MATCH: it was no UDP. */
ROCECC_FN rocecc_status rocecc_frame_original_(rocecc_reader frame,
                                               const rocecc_frame *f, uint16_t *port)
{
    rocecc_reader r = rocecc_between(frame, f->intmd, f->ip.end);
    rocecc_intmd_shim h;
    if (rocecc_intmd_shim_parse(&r, &h) != ROCECC_OK) return ROCECC_ERR_SHORT;
    if (h.npt != ROCECC_INTMD_NPT_PORT) return ROCECC_NO_MATCH;
    *port = h.original;
    return ROCECC_OK;
}

/* The 5-tuple of UDP with IFA or INT around it. */
ROCECC_FN rocecc_status rocecc_frame_told_flow_(rocecc_reader frame,
                                                const rocecc_frame *f,
                                                rocecc_flow *flow)
{
    rocecc_flow out = {{{0}}, {{0}}, 0, 0, 0};
    rocecc_status status;
    if (f->udp == 0) return ROCECC_NO_MATCH;
    status = rocecc_frame_flow_(frame, &f->ip, ROCECC_PROTO_UDP, f->udp, &out);
    if (status == ROCECC_OK && f->udp < f->intmd)
        status = rocecc_frame_original_(frame, f, &out.dst_port);
    if (status != ROCECC_OK) return status;
    *flow = out;
    return ROCECC_OK;
}

/*
 * The 5-tuple of a located packet, without what IFA and INT have added; in a tunnel,
 * that of the packet inside. A first fragment has one, too, and IFA and INT are not
 * looked for in it. Ports are 0 where the protocol has none. The destination is the IP
 * header's: with segments left in a Routing header the next segment, which changes on
 * the way, so that the flow is not known by it elsewhere. NO_MATCH: no IP, another
 * fragment, extension headers beyond what was located, IFA or INT that is not followed,
 * or that stands before something other than UDP. SHORT: a header before the BTH, or
 * the ports, go beyond frame. FORMAT: locate() said so, or the packet ends before its
 * ports do.
 */
ROCECC_FN rocecc_status rocecc_frame_flow(rocecc_reader frame, const rocecc_frame *f,
                                          rocecc_flow *flow)
{
    if (f->status == ROCECC_ERR_FORMAT) return ROCECC_ERR_FORMAT;
    if (f->status == ROCECC_ERR_SHORT && f->stopped != ROCECC_LAYER_BTH)
        return ROCECC_ERR_SHORT;
    if (f->status == ROCECC_ERR_UNSUPPORTED &&
        (f->stopped == ROCECC_LAYER_IFA || f->stopped == ROCECC_LAYER_INTMD))
        return ROCECC_NO_MATCH;
    if (rocecc_frame_has_telemetry(f)) return rocecc_frame_told_flow_(frame, f, flow);
    return rocecc_frame_flow_(frame, &f->ip, f->ip.proto, f->ip.upper, flow);
}

/* The same of the packet around it, if it is in a tunnel; else as rocecc_frame_flow().
 */
ROCECC_FN rocecc_status rocecc_frame_outer_flow(rocecc_reader frame,
                                                const rocecc_frame *f,
                                                rocecc_flow *flow)
{
    if (f->outer.version == 0) return rocecc_frame_flow(frame, f, flow);
    return rocecc_frame_flow_(frame, &f->outer, f->outer.proto, f->outer.upper, flow);
}

#endif /* ROCECC_WIRE_FRAME_H */
