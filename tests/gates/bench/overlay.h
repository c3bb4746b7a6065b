/* SPDX-License-Identifier: BSD-2-Clause */

#ifndef TESTS_BENCH_OVERLAY_H
#define TESTS_BENCH_OVERLAY_H

/*
 * overlay.h - the bounds checks of rocecc_packet_parse() on the way to a BTH, by hand
 * as in datapath code, with packed structs over the bytes. It clears only bytes that it
 * needs, keeps only offsets, and gives no reason for a frame without a BTH. Partial
 * packets, MPLS, PPPoE, LLC and INT without a port count as such frames.
 */
#include <arpa/inet.h>
#include <string.h>

#include "rocecc/packet/packet.h"

#define PACKED __attribute__((packed))
#define OVERLAY_FN static inline __attribute__((always_inline))

typedef struct PACKED eth_hdr {
    uint8_t dst[6], src[6];
    uint16_t type;
} eth_hdr;

typedef struct PACKED vlan_hdr {
    uint16_t tci, type;
} vlan_hdr;

typedef struct PACKED ip4_hdr {
    uint8_t ver_ihl, tos;
    uint16_t len, id, frag;
    uint8_t ttl, proto;
    uint16_t sum;
    uint32_t src, dst;
} ip4_hdr;

typedef struct PACKED ip6_hdr {
    uint32_t flow;
    uint16_t len;
    uint8_t next, hlim;
    uint8_t src[16], dst[16];
} ip6_hdr;

typedef struct PACKED frag_hdr {
    uint8_t next, reserved;
    uint16_t off;
    uint32_t id;
} frag_hdr;

typedef struct PACKED udp_hdr {
    uint16_t src, dst, len, sum;
} udp_hdr;

typedef struct PACKED ifa_hdr {
    uint8_t ver_gns, next, flags, max_words;
} ifa_hdr;

typedef struct PACKED ifa_metadata_hdr {
    uint8_t request, action, hops, words;
} ifa_metadata_hdr;

typedef struct PACKED int_hdr {
    uint8_t type_npt, words;
    uint16_t original;
} int_hdr;

/* Offsets, or 0 if absent. */
typedef struct overlay {
    uint16_t ip, udp, bth, csig, cntag, ifa, intmd;
    uint8_t n_vlan, vlan[3];
    uint32_t end; /* end of the ICRC */
} overlay;

/* Returns true for extension headers that show the next header. */
OVERLAY_FN bool overlay_is_ext(uint8_t proto)
{
    return proto == 0 || proto == 43 || proto == 44 || proto == 51 || proto == 60 ||
           proto == 135 || proto == 139 || proto == 140;
}

/* Returns the bytes after the EtherType of a tag that may occur once, or 0. */
OVERLAY_FN size_t overlay_shim_bytes(const rocecc_domain *c, uint16_t type,
                                     const uint8_t *b, size_t left, unsigned *bit)
{
    *bit = 0;
    if (type == 0) return 0;
    if (type == c->tag.etag_type) {
        *bit = 1;
        return 8;
    }
    if (type == c->tag.vntag_type) {
        *bit = 2;
        return 6;
    }
    if (type == c->tag.arista_type) {
        *bit = 4;
        if (left < 12 || b[0] != 0 || b[1] != 1 || b[2] > 1) return 0;
        return b[3] == 0x10 ? 14 : b[3] == 0x20 ? 12 : 0;
    }
    if (type != 0x8909 || left < 2 || b[0] != 1 || b[1] != 1) return 0;
    *bit = 8;
    return 8;
}

/* Moves *at past tags. Returns the EtherType after them, or 0 if invalid. */
OVERLAY_FN uint16_t overlay_tags(const rocecc_domain *c, const uint8_t *b, size_t n,
                                 size_t *at, overlay *o)
{
    uint16_t type = ntohs(((const eth_hdr *)b)->type);
    unsigned seen = 0;
    for (;;) {
        size_t bytes = sizeof(vlan_hdr);
        if (type == 0x0800 || type == 0x86dd) return type;
        if (type == 0x8100 || type == 0x88a8 ||
            (type != 0 && type == c->tag.vlan_tpid)) {
            if (o->n_vlan == 3 || o->cntag != 0) return 0;
            o->vlan[o->n_vlan++] = (uint8_t)*at;
        } else if (type != 0 &&
                   (type == c->csig.compact_tpid || type == c->csig.wide_tpid)) {
            if (o->csig != 0 || o->cntag != 0 || o->n_vlan == 3) return 0;
            o->csig = (uint16_t)(*at - 2);
            if (type == c->csig.wide_tpid) bytes = 8;
        } else if (type == 0x22e9) {
            if (o->cntag != 0) return 0;
            o->cntag = (uint16_t)(*at - 2);
        } else {
            unsigned bit;
            bytes = overlay_shim_bytes(c, type, b + *at, n - *at, &bit);
            if (bytes == 0 || (seen & bit) != 0) return bit == 0 ? type : 0;
            seen |= bit;
        }
        if (n < *at + bytes) return 0;
        type = ntohs(((const vlan_hdr *)(b + *at + bytes - sizeof(vlan_hdr)))->type);
        *at += bytes;
    }
}

/* Moves *at past the extension headers, and sets *proto to the next protocol. */
OVERLAY_FN bool overlay_exts(const rocecc_domain *c, const uint8_t *b, size_t n,
                             size_t end, size_t *at, uint8_t *proto)
{
    int i;
    for (i = 0; overlay_is_ext(*proto); i++) {
        const uint8_t *h = b + *at;
        size_t bytes = 8;
        if (i == 8 || n < *at + 2 || (*proto == 51 && !c->ah)) return false;
        if (*proto != 44) bytes += (size_t)h[1] * (*proto == 51 ? 4 : 8);
        if (n < *at + bytes || end < *at + bytes) return false;
        if (*proto == 44 && (((const frag_hdr *)h)->off & htons(0xfff9)) != 0)
            return false;
        *proto = h[0];
        *at += bytes;
    }
    return true;
}

/* Moves *at past the only AH after IPv4. */
OVERLAY_FN bool overlay_ah(const uint8_t *b, size_t n, size_t end, size_t *at,
                           uint8_t *proto)
{
    size_t bytes;
    if (n < *at + 2) return false;
    bytes = ((size_t)b[*at + 1] + 2) * 4;
    if (n < *at + bytes || end < *at + bytes) return false;
    *proto = b[*at];
    *at += bytes;
    return *proto != 51;
}

/* Moves *at past an IP header with its extensions, and *end to its packet's end. */
OVERLAY_FN bool overlay_ip(const rocecc_domain *c, const uint8_t *b, size_t n, bool v6,
                           size_t *at, size_t *end, uint8_t *proto)
{
    size_t stop;
    if (!v6) {
        const ip4_hdr *h = (const ip4_hdr *)(b + *at);
        size_t header;
        if (n < *at + sizeof *h) return false;
        header = (size_t)(h->ver_ihl & 0xf) * 4;
        stop = *at + ntohs(h->len);
        if (h->ver_ihl >> 4 != 4 || header < sizeof *h || ntohs(h->len) < header ||
            n < *at + header || stop > *end || (h->frag & htons(0x3fff)) != 0)
            return false;
        *proto = h->proto;
        *at += header;
        *end = stop;
        return *proto != 51 || (c->ah && overlay_ah(b, n, stop, at, proto));
    } else {
        const ip6_hdr *h = (const ip6_hdr *)(b + *at);
        if (n < *at + sizeof *h || (h->flow & htonl(0xf0000000)) != htonl(0x60000000))
            return false;
        *at += sizeof *h;
        stop = *at + ntohs(h->len);
        if (stop > *end) return false;
        *proto = h->next;
        *end = stop;
        return *proto == 17 || overlay_exts(c, b, n, stop, at, proto);
    }
}

/* Moves *at past INT's shim, and past a UDP header after it. */
OVERLAY_FN bool overlay_int(const uint8_t *b, size_t n, size_t *at, size_t *end,
                            uint16_t *port, overlay *o)
{
    const int_hdr *h = (const int_hdr *)(b + *at);
    const udp_hdr *udp;
    size_t stop;
    if (o->ifa != 0 || n < *at + sizeof *h) return false;
    stop = *at + sizeof *h + (size_t)h->words * 4;
    if (n < stop || *end < stop || h->type_npt < 0x10 || h->type_npt > 0x3f)
        return false;
    o->intmd = (uint16_t)*at;
    *at = stop;
    *port = ntohs(h->original);
    if ((h->type_npt & 0xc) == 4) return true;
    udp = (const udp_hdr *)(b + *at);
    if ((h->type_npt & 0xc) != 8 || (*port & 0xff) != 17 || n < *at + sizeof *udp ||
        *end < *at + ntohs(udp->len) || ntohs(udp->len) < sizeof *udp)
        return false;
    o->udp = (uint16_t)*at;
    *end = *at + ntohs(udp->len);
    *at += sizeof *udp;
    *port = ntohs(udp->dst);
    return true;
}

/* Moves *at from IP to the BTH. */
OVERLAY_FN bool overlay_rocev2(const rocecc_domain *c, const uint8_t *b, size_t n,
                               bool v6, size_t *at, size_t *end, overlay *o)
{
    const udp_hdr *udp;
    const ifa_hdr *ifa = NULL;
    size_t stop;
    uint16_t port;
    uint8_t proto;
    o->ip = (uint16_t)*at;
    if (!overlay_ip(c, b, n, v6, at, end, &proto)) return false;
    if (proto == 4 || proto == 41) {
        o->ip = (uint16_t)*at;
        if (!overlay_ip(c, b, n, proto == 41, at, end, &proto)) return false;
    }
    if (c->ifa.protocol != 0 && proto == c->ifa.protocol) {
        ifa = (const ifa_hdr *)(b + *at);
        if (n < *at + sizeof *ifa || *end < *at + sizeof *ifa || ifa->ver_gns >> 4 != 2)
            return false;
        o->ifa = (uint16_t)*at;
        *at += sizeof *ifa;
        proto = ifa->next;
    }
    udp = (const udp_hdr *)(b + *at);
    if (proto != 17 || n < *at + sizeof *udp || *end < *at + sizeof *udp ||
        ntohs(udp->len) < sizeof *udp)
        return false;
    o->udp = (uint16_t)*at;
    stop = *at + ntohs(udp->len);
    *at += sizeof *udp;
    if (ifa != NULL) {
        const ifa_metadata_hdr *m = (const ifa_metadata_hdr *)(b + *at);
        size_t more = sizeof *m + ((ifa->flags & 0x01) != 0 ? 4 : 0) +
                      ((ifa->flags & 0x10) != 0 ? 4 : 0);
        if ((ifa->flags & 0x08) != 0) { /* after the payload */
            if (stop + more > *end) return false;
        } else {
            if (n < *at + sizeof *m || *end < *at + sizeof *m) return false;
            more += (size_t)m->words * 4;
            stop += more;
            *at += more;
            if (n < *at) return false;
        }
    }
    if (stop > *end || stop < *at) return false;
    *end = stop;
    port = ntohs(udp->dst);
    if (c->intmd.udp_port != 0 && port == c->intmd.udp_port &&
        !overlay_int(b, n, at, end, &port, o))
        return false;
    return port == (c->rocev2_port != 0 ? c->rocev2_port : 4791);
}

/* Returns true if b is a frame with a BTH, RoCEv1 or v2, and finds its headers. */
OVERLAY_FN bool overlay_locate(const rocecc_domain *c, const uint8_t *b, size_t n,
                               overlay *o)
{
    size_t at = sizeof(eth_hdr), end = UINT32_MAX;
    uint16_t type;
    if (n < at) return false;
    o->udp = o->csig = o->cntag = o->ifa = o->intmd = 0;
    o->n_vlan = 0;
    type = overlay_tags(c, b, n, &at, o);
    if (type == 0x0800 || type == 0x86dd) {
        if (!overlay_rocev2(c, b, n, type == 0x86dd, &at, &end, o)) return false;
    } else {
        const ip6_hdr *h = (const ip6_hdr *)(b + at);
        if (type != 0x8915 || n < at + sizeof *h ||
            (h->flow & htonl(0xf0000000)) != htonl(0x60000000) || h->next != 0x1b)
            return false;
        o->ip = (uint16_t)at;
        at += sizeof *h;
        end = at + ntohs(h->len);
    }
    if (end < at + 16 || n < at + 12) return false;
    o->bth = (uint16_t)at;
    o->end = (uint32_t)end;
    return true;
}

/* Returns true if b is a RoCEv2 CNP. */
OVERLAY_FN bool overlay_is_cnp(const rocecc_domain *c, const uint8_t *b, size_t n,
                               overlay *o)
{
    return overlay_locate(c, b, n, o) && o->udp != 0 && b[o->bth] == 0x81;
}

#endif /* TESTS_BENCH_OVERLAY_H */
