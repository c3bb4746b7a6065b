/* SPDX-License-Identifier: BSD-2-Clause */

#ifndef TESTS_BENCH_OVERLAY_H
#define TESTS_BENCH_OVERLAY_H

/*
 * overlay.h - the checks of rocecc_packet_of() on the way to a BTH, written by hand as
 * datapath code writes them: a pointer, an end, and packed structs laid over the bytes.
 * tests/bench counts the instructions of both. What RoCE is not in (tunnels but IP in
 * IP, MPLS, PPPoE, LLC, INT without a port, TCP) is NO_MATCH here.
 */
#include <arpa/inet.h>
#include <string.h>

#include "rocecc/packet/packet.h"

#define PACKED __attribute__((packed))

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

typedef struct overlay {
    const uint8_t *begin, *p, *end; /* end: of what may be read */
    size_t declared;
} overlay;

static inline rocecc_status short_or_format(const overlay *o, size_t captured)
{
    return o->declared <= captured ? ROCECC_ERR_FORMAT : ROCECC_ERR_SHORT;
}

#define WANT(n)                                                                        \
    if ((size_t)(o->end - o->p) < (n)) return short_or_format(o, captured)

static inline rocecc_status cut(overlay *o, size_t end)
{
    if (end > o->declared) return ROCECC_ERR_FORMAT;
    o->declared = end;
    if (end < (size_t)(o->end - o->begin)) o->end = o->begin + end;
    return ROCECC_OK;
}

static inline rocecc_status overlay_ip4(overlay *o, rocecc_where_ip *ip,
                                        size_t captured)
{
    const ip4_hdr *h = (const ip4_hdr *)o->p;
    const size_t at = (size_t)(o->p - o->begin);
    size_t header;
    rocecc_status status;
    WANT(sizeof *h);
    header = (size_t)(h->ver_ihl & 0xf) * 4;
    if (h->ver_ihl >> 4 != 4 || header < sizeof *h || ntohs(h->len) < header)
        return ROCECC_ERR_FORMAT;
    WANT(header);
    o->p += header;
    ip->version = 4;
    ip->proto = h->proto;
    ip->n_ext = 0;
    ip->at = (uint16_t)at;
    ip->upper = (uint16_t)(at + header);
    ip->end = (uint32_t)(at + ntohs(h->len));
    status = cut(o, ip->end);
    if (status != ROCECC_OK) return status;
    if ((h->frag & htons(0x3fff)) != 0) {
        ip->fragment = (h->frag & htons(0x1fff)) != 0 ? ROCECC_FRAGMENT_LATER
                                                      : ROCECC_FRAGMENT_FIRST;
        return ROCECC_ERR_UNSUPPORTED;
    }
    if (h->proto == 50 || h->proto == 51) return ROCECC_ERR_UNSUPPORTED;
    return ROCECC_OK;
}

static inline rocecc_status overlay_exts(overlay *o, rocecc_where_ip *ip,
                                         size_t captured)
{
    int i;
    for (i = 0;; i++) {
        size_t bytes;
        uint16_t at;
        const uint8_t *h = o->p;
        switch (ip->proto) {
        case 0:
        case 43:
        case 60:
        case 135:
        case 139:
        case 140:
        case 51:
        case 44:
            break;
        case 50:
            return ROCECC_ERR_UNSUPPORTED;
        default:
            return ROCECC_OK;
        }
        WANT(2);
        bytes = (size_t)h[1] * 8 + 8;
        if (ip->proto == 44) bytes = 8;
        if (ip->proto == 51) bytes = (size_t)h[1] * 4 + 8;
        WANT(bytes);
        if (i == 8) return ROCECC_ERR_UNSUPPORTED;
        at = (uint16_t)(h - o->begin);
        if (ip->proto == 0 && ip->hop_by_hop == 0) ip->hop_by_hop = at;
        if (ip->proto == 43 && ip->routing == 0) ip->routing = at;
        if (ip->proto == 60) {
            if (ip->dst_opts[0] == 0)
                ip->dst_opts[0] = at;
            else if (ip->dst_opts[1] == 0)
                ip->dst_opts[1] = at;
        }
        ip->n_ext = (uint8_t)(i + 1);
        o->p += bytes;
        ip->upper = (uint16_t)(o->p - o->begin);
        if (ip->proto == 44 && (((const frag_hdr *)h)->off & htons(0xfff9)) != 0) {
            ip->fragment = (((const frag_hdr *)h)->off & htons(0xfff8)) != 0
                               ? ROCECC_FRAGMENT_LATER
                               : ROCECC_FRAGMENT_FIRST;
            ip->proto = h[0];
            return ROCECC_ERR_UNSUPPORTED;
        }
        ip->proto = h[0];
    }
}

static inline rocecc_status overlay_ip6(overlay *o, rocecc_where_ip *ip,
                                        size_t captured)
{
    const ip6_hdr *h = (const ip6_hdr *)o->p;
    const size_t at = (size_t)(o->p - o->begin);
    WANT(sizeof *h);
    if ((h->flow & htonl(0xf0000000)) != htonl(0x60000000)) return ROCECC_ERR_FORMAT;
    o->p += sizeof *h;
    ip->version = 6;
    ip->proto = h->next;
    ip->n_ext = 0;
    ip->at = (uint16_t)at;
    ip->upper = (uint16_t)(at + sizeof *h);
    ip->end = (uint32_t)(at + sizeof *h + ntohs(h->len));
    if (h->len == 0 && h->next == 0) return ROCECC_ERR_UNSUPPORTED;
    return cut(o, ip->end);
}

/* What stands between IP and the BTH. */
static inline rocecc_status overlay_upper(const rocecc_domain *c, overlay *o,
                                          rocecc_where *f, size_t captured)
{
    const udp_hdr *udp;
    const ifa_hdr *ifa = NULL;
    const uint16_t rocev2 = c->rocev2_port != 0 ? c->rocev2_port : 4791;
    uint8_t proto = f->ip.proto;
    uint16_t port;
    rocecc_status status;
    if (c->ifa.protocol != 0 && proto == c->ifa.protocol) {
        f->stopped = ROCECC_AT_IFA;
        ifa = (const ifa_hdr *)o->p;
        WANT(sizeof *ifa);
        if (ifa->ver_gns >> 4 != 2 || (ifa->flags & 8) != 0)
            return ROCECC_ERR_UNSUPPORTED;
        f->ifa = (uint16_t)(o->p - o->begin);
        o->p += sizeof *ifa;
        proto = ifa->next;
    }
    f->stopped = ROCECC_AT_UPPER;
    if (proto == 6) f->kind = ROCECC_KIND_TCP;
    if (proto != 17) return ROCECC_NO_MATCH;
    f->stopped = ROCECC_AT_UDP;
    udp = (const udp_hdr *)o->p;
    WANT(sizeof *udp);
    if (ntohs(udp->len) < sizeof *udp) return ROCECC_ERR_FORMAT;
    f->kind = ROCECC_KIND_UDP;
    f->udp = (uint16_t)(o->p - o->begin);
    f->end = (uint32_t)f->udp + ntohs(udp->len);
    o->p += sizeof *udp;
    if (ifa != NULL) {
        const ifa_metadata_hdr *m = (const ifa_metadata_hdr *)o->p;
        size_t more = sizeof *m;
        f->stopped = ROCECC_AT_IFA;
        WANT(sizeof *m);
        more += (size_t)m->words * 4 + ((ifa->flags & 0x01) != 0 ? 4 : 0) +
                ((ifa->flags & 0x10) != 0 ? 4 : 0);
        f->end += (uint32_t)more;
        status = cut(o, f->end);
        if (status != ROCECC_OK) return status;
        WANT(more);
        o->p += more;
    } else {
        status = cut(o, f->end);
        if (status != ROCECC_OK && udp->dst == htons(rocev2)) {
            f->kind = ROCECC_KIND_TRIMMED;
            f->next = rocev2;
            f->end = (uint32_t)o->declared;
            return ROCECC_OK;
        }
        if (status != ROCECC_OK) return status;
    }
    port = ntohs(udp->dst);
    if (c->intmd.udp_port != 0 && port == c->intmd.udp_port) {
        const int_hdr *h = (const int_hdr *)o->p;
        f->stopped = ROCECC_AT_INTMD;
        if (ifa != NULL) return ROCECC_ERR_UNSUPPORTED;
        WANT(sizeof *h);
        WANT(sizeof *h + (size_t)h->words * 4);
        if (h->type_npt < 0x10 || h->type_npt > 0x3f) return ROCECC_ERR_UNSUPPORTED;
        if ((h->type_npt & 0xc) != 4 && (h->type_npt & 0xc) != 8)
            return ROCECC_ERR_UNSUPPORTED;
        f->intmd = (uint16_t)(o->p - o->begin);
        o->p += sizeof *h + (size_t)h->words * 4;
        port = ntohs(h->original);
        if ((h->type_npt & 0xc) == 8) {
            if ((port & 0xff) != 17) return ROCECC_NO_MATCH;
            f->stopped = ROCECC_AT_UDP;
            udp = (const udp_hdr *)o->p;
            WANT(sizeof *udp);
            if (ntohs(udp->len) < sizeof *udp) return ROCECC_ERR_FORMAT;
            f->udp = (uint16_t)(o->p - o->begin);
            f->end = (uint32_t)f->udp + ntohs(udp->len);
            o->p += sizeof *udp;
            port = ntohs(udp->dst);
            status = cut(o, f->end);
            if (status != ROCECC_OK) return status;
        }
    }
    f->next = port;
    if (port != rocev2) return ROCECC_NO_MATCH;
    f->kind = ROCECC_KIND_ROCEV2;
    return ROCECC_OK;
}

static inline rocecc_status overlay_walk(const rocecc_domain *c, overlay *o,
                                         rocecc_where *f, size_t captured)
{
    uint16_t type = 0x0800;
    rocecc_status status;
    int level;
    bool v6;
    if (c->link == ROCECC_LINK_IP) {
        if (o->p < o->end && *o->p >> 4 == 6) type = 0x86dd;
    } else {
        WANT(sizeof(eth_hdr));
        type = ntohs(((const eth_hdr *)o->p)->type);
        o->p += sizeof(eth_hdr);
        for (;;) {
            const size_t at = (size_t)(o->p - o->begin) - 2;
            if (type == 0x8100 || type == 0x88a8) {
                f->stopped = ROCECC_AT_VLAN;
                if (f->n_vlan == 3 || f->cntag != 0) return ROCECC_ERR_UNSUPPORTED;
                WANT(sizeof(vlan_hdr));
                f->vlan[f->n_vlan++] = (uint8_t)(at + 2);
            } else if (type != 0 &&
                       (type == c->csig.compact_tpid || type == c->csig.wide_tpid)) {
                const size_t bytes = type == c->csig.compact_tpid ? 4 : 8;
                f->stopped = ROCECC_AT_CSIG;
                if (f->csig != 0 || f->cntag != 0 || f->n_vlan == 3)
                    return ROCECC_ERR_UNSUPPORTED;
                WANT(bytes);
                f->csig = (uint16_t)at;
                f->csig_bytes = (uint8_t)bytes;
                o->p += bytes - sizeof(vlan_hdr);
            } else if (type == 0x22e9) {
                f->stopped = ROCECC_AT_CNTAG;
                if (f->cntag != 0) return ROCECC_ERR_UNSUPPORTED;
                WANT(sizeof(vlan_hdr));
                f->cntag = (uint16_t)at;
            } else {
                break;
            }
            type = ntohs(((const vlan_hdr *)o->p)->type);
            o->p += sizeof(vlan_hdr);
        }
    }
    if (type == 0x8915) {
        const ip6_hdr *h = (const ip6_hdr *)o->p;
        f->stopped = ROCECC_AT_GRH;
        WANT(sizeof *h);
        if ((h->flow & htonl(0xf0000000)) != htonl(0x60000000))
            return ROCECC_ERR_FORMAT;
        f->grh = (uint16_t)(o->p - o->begin);
        o->p += sizeof *h;
        if (h->next != 0x1b) return ROCECC_NO_MATCH;
        f->next = type;
        f->kind = ROCECC_KIND_ROCEV1;
        f->end = (uint32_t)(o->p - o->begin) + ntohs(h->len);
        status = cut(o, f->end);
        if (status != ROCECC_OK) return status;
    } else if (type == 0x0800 || type == 0x86dd) {
        v6 = type == 0x86dd;
        for (level = 0;; level++) {
            f->stopped = v6 ? ROCECC_AT_IPV6 : ROCECC_AT_IPV4;
            status = v6 ? overlay_ip6(o, &f->ip, captured)
                        : overlay_ip4(o, &f->ip, captured);
            if (status != ROCECC_OK) return status;
            if (v6) {
                f->stopped = ROCECC_AT_IP6EXT;
                status = overlay_exts(o, &f->ip, captured);
                if (status != ROCECC_OK) return status;
            }
            v6 = f->ip.proto == 41;
            if (!v6 && f->ip.proto != 4) break;
            if (level == 1) return ROCECC_ERR_UNSUPPORTED;
            f->outer = f->ip;
            memset(&f->ip, 0, sizeof f->ip);
        }
        status = overlay_upper(c, o, f, captured);
        if (status != ROCECC_OK) return status;
    } else {
        return ROCECC_NO_MATCH;
    }
    f->stopped = ROCECC_AT_BTH;
    if (f->end < (size_t)(o->p - o->begin) + (f->kind == ROCECC_KIND_TRIMMED ? 12 : 16))
        return ROCECC_ERR_FORMAT;
    WANT(12);
    f->bth = (uint16_t)(o->p - o->begin);
    return ROCECC_OK;
}

static inline rocecc_status overlay_locate(const rocecc_domain *c, rocecc_reader frame,
                                           rocecc_where *f)
{
    overlay o;
    o.begin = frame.base;
    o.p = frame.base + frame.at;
    o.end = frame.base + frame.end;
    o.declared = UINT32_MAX;
    memset(f, 0, sizeof *f);
    f->status = ROCECC_ERR_RANGE;
    if (frame.at > ROCECC_PACKET_START_MAX) return ROCECC_ERR_RANGE;
    f->status = (uint8_t)overlay_walk(c, &o, f, frame.end);
    return (rocecc_status)f->status;
}

#endif /* TESTS_BENCH_OVERLAY_H */
