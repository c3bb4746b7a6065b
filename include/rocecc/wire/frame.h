/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_WIRE_FRAME_H
#define ROCECC_WIRE_FRAME_H

/*
 * frame.h - from a raw frame to its RoCE header: where every header is, what the frame
 * is, and where and why the search ended. What is accepted:
 *
 *   Ethernet --+--> tag, at most 3 --+--> IPv4, IPv6, GRH
 *              +---------------------+
 *
 *   IPv4 --> options --------------------------+--> UDP --> BTH      RoCEv2
 *   IPv6 --> extension headers, at most 8 (*) -+--> IPv4, IPv6       once: a tunnel
 *                                              +--> anything else    NO_MATCH
 *   GRH  --> BTH                                                     RoCEv1
 *
 *   (*) ROCECC_IP6EXT_MAX, 4 under BPF. ESP and AH over IPv4, ESP over IPv6, fragments,
 *   jumbograms, a second tunnel, a fourth tag or a ninth header: UNSUPPORTED.
 *
 * Only headers are read, and no checksum: the payload may be cut off by a capture, or
 * lie in another segment of a buffer. Lengths must agree all the same: IP within the
 * IP around it, UDP within IP, BTH and ICRC within UDP. What follows them (padding,
 * FCS) is not looked at.
 */
#include "bth.h"
#include "ether.h"
#include "grh.h"
#include "ip.h"
#include "udp.h"

#define ROCECC_FRAME_VLAN_MAX 3

/* Where in its buffer a frame may begin: offsets have 16 bits. */
#define ROCECC_FRAME_START_MAX 32000

#if ROCECC_IP6EXT_MAX > 8
#error "rocecc_frame_ip has room for 8 extension headers"
#endif

/* All 0: Ethernet frames, and RoCEv2 on UDP port 4791. */
typedef struct rocecc_frame_config {
    bool ip_first;        /* frames begin with the IP header */
    uint16_t rocev2_port; /* instead of 4791 */
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
    ROCECC_LAYER_UPPER /* what the IP header says follows, and nobody here reads */
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
    uint8_t n_vlan;        /* tags, 4 bytes each, the first at 14 */
    rocecc_frame_ip outer; /* of a tunnel */
    rocecc_frame_ip ip;    /* the one next to UDP, which the ICRC covers */
    uint16_t udp;
    uint16_t grh;
    uint16_t bth;
    uint32_t end; /* behind the ICRC, as UDP Length or PayLen says */
} rocecc_frame;

/* A frame of which nothing is known. */
ROCECC_FN void rocecc_frame_clear_(rocecc_frame *f)
{
    const rocecc_frame_ip none = {0, 0, 0, {0}, {0}, 0, 0, 0};
    f->status = f->kind = f->stopped = f->n_vlan = 0;
    f->outer = f->ip = none;
    f->udp = f->grh = f->bth = 0;
    f->end = 0;
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

/* Ethernet and its tags; *type is what they say follows. */
ROCECC_FN rocecc_status rocecc_frame_ether_(rocecc_frame_walk_ *w, rocecc_frame *f,
                                            uint16_t *type)
{
    rocecc_ether ether;
    rocecc_vlan vlan;
    rocecc_status status = rocecc_ether_parse(&w->r, &ether);
    int i;
    if (status != ROCECC_OK) return status;
    *type = ether.type;
    for (i = 0; i < ROCECC_FRAME_VLAN_MAX && rocecc_vlan_match(*type); i++) {
        f->stopped = ROCECC_LAYER_VLAN;
        status = rocecc_vlan_parse(&w->r, &vlan);
        if (status != ROCECC_OK) return status;
        f->n_vlan = (uint8_t)(i + 1);
        *type = vlan.type;
    }
    return rocecc_vlan_match(*type) ? ROCECC_ERR_UNSUPPORTED : ROCECC_OK;
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

/* One or two levels of IP, and UDP. */
ROCECC_FN rocecc_status rocecc_frame_ip_(const rocecc_frame_config *c,
                                         rocecc_frame_walk_ *w, rocecc_frame *f,
                                         bool v6)
{
    const rocecc_frame_ip none = {0, 0, 0, {0}, {0}, 0, 0, 0};
    const uint16_t port = c->rocev2_port != 0 ? c->rocev2_port : ROCECC_UDP_PORT_ROCEV2;
    rocecc_status status;
    rocecc_udp udp;
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
        if (!v6 && f->ip.proto != ROCECC_PROTO_IPV4) break;
        if (level == 1) return ROCECC_ERR_UNSUPPORTED;
        f->outer = f->ip;
        f->ip = none;
    }
    f->stopped = ROCECC_LAYER_UPPER;
    if (f->ip.proto == ROCECC_PROTO_TCP) f->kind = ROCECC_FRAME_TCP;
    if (f->ip.proto != ROCECC_PROTO_UDP) return ROCECC_NO_MATCH;
    f->stopped = ROCECC_LAYER_UDP;
    status = rocecc_udp_parse(&w->r, &udp);
    if (status != ROCECC_OK) return status;
    f->kind = ROCECC_FRAME_UDP;
    f->udp = f->ip.upper;
    f->end = (uint32_t)f->udp + udp.length;
    status = rocecc_frame_cut_(w, f->end);
    if (status != ROCECC_OK) return status;
    if (udp.dst_port != port) return ROCECC_NO_MATCH;
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
        status = rocecc_frame_ether_(w, f, &type);
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

/* The bytes of extension header i < ip->n_ext; its type is ip->ext_type[i]. */
ROCECC_FN rocecc_reader rocecc_frame_ext(rocecc_reader frame, const rocecc_frame_ip *ip,
                                         int i)
{
    const size_t end =
        i + 1 < ROCECC_IP6EXT_MAX && i + 1 < ip->n_ext ? ip->ext[i + 1] : ip->upper;
    return rocecc_between(frame, ip->ext[i], end);
}

#endif /* ROCECC_WIRE_FRAME_H */
