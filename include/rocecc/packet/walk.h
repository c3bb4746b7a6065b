/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_WALK_H
#define ROCECC_PACKET_WALK_H

/*
 * walk.h - the one walk from Ethernet, or from IP, to the BTH; where.h says what it
 * finds. Nobody else parses an IP header to find something after it.
 *
 * Two rules hold for all lengths. An end that a header declares lies within the end
 * that was declared around it: else FORMAT. And what goes beyond the bytes that are
 * there is SHORT, unless a header has declared that the packet ends by then: then the
 * header is wrong, more bytes would not cure it, and it is FORMAT.
 */
#include "../wire/bth.h"
#include "../wire/grh.h"
#include "../wire/skip.h"
#include "../wire/tcp.h"
#include "walklink.h"

/* IP, at most two levels of it. */

ROCECC_INLINE rocecc_status rocecc_walk_ipv4_(rocecc_walk *w, rocecc_where *f)
{
    rocecc_where_ip *ip = &f->ip;
    const size_t at = w->r.at;
    const uint8_t *b;
    size_t header, total;
    uint16_t fragment;
    uint8_t proto;
    rocecc_status status;
    f->stopped = ROCECC_AT_IPV4;
    b = rocecc_take(&w->r, ROCECC_IPV4_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    header = (size_t)(b[0] & 0xf) * 4;
    total = rocecc_load16(b + 2);
    if (b[0] >> 4 != 4 || header < ROCECC_IPV4_BYTES || total < header)
        return ROCECC_ERR_FORMAT;
    if (rocecc_take(&w->r, header - ROCECC_IPV4_BYTES) == NULL) return ROCECC_ERR_SHORT;
    fragment = rocecc_load16(b + 6) & 0x3fff;
    ip->version = 4;
    proto = b[9];
    ip->proto = proto;
    ip->at = (uint16_t)at;
    ip->upper = (uint16_t)w->r.at;
    ip->end = (uint32_t)(at + total);
    w->next = proto;
    if (fragment != 0)
        ip->fragment =
            (fragment & 0x1fff) != 0 ? ROCECC_FRAGMENT_LATER : ROCECC_FRAGMENT_FIRST;
    status = rocecc_walk_declare(w, at + total);
    if (status != ROCECC_OK) return status;
    if (fragment != 0) return ROCECC_ERR_UNSUPPORTED;
    if (proto == ROCECC_PROTO_UDP) return ROCECC_OK; /* as most often */
    return proto == ROCECC_PROTO_ESP || proto == ROCECC_PROTO_AH
               ? ROCECC_ERR_UNSUPPORTED
               : ROCECC_OK;
}

/* Notes where an extension header of a type stands. */
ROCECC_INLINE void rocecc_walk_ext_(rocecc_where_ip *ip, uint8_t type, size_t at)
{
    if (type == ROCECC_PROTO_HOPOPTS && ip->hop_by_hop == 0)
        ip->hop_by_hop = (uint16_t)at;
    if (type == ROCECC_PROTO_ROUTING && ip->routing == 0) ip->routing = (uint16_t)at;
    if (type != ROCECC_PROTO_DSTOPTS) return;
    if (ip->dst_opts[0] == 0)
        ip->dst_opts[0] = (uint16_t)at;
    else if (ip->dst_opts[1] == 0)
        ip->dst_opts[1] = (uint16_t)at;
}

/* The chain after an IPv6 header. */
ROCECC_INLINE rocecc_status rocecc_walk_exts_(rocecc_walk *w, rocecc_where *f)
{
    rocecc_where_ip *ip = &f->ip;
    rocecc_ip6ext ext;
    rocecc_ip6frag frag;
    uint8_t type = ip->proto;
    int i;
    f->stopped = ROCECC_AT_IP6EXT;
    if (type == ROCECC_PROTO_UDP) return ROCECC_OK; /* as most often */
    for (i = 0;; i++) {
        const rocecc_status status = rocecc_ip6ext_next(&w->r, &type, &ext);
        if (status == ROCECC_END) return ROCECC_OK;
        if (status != ROCECC_OK) return status;
        if (i == ROCECC_IP6EXT_MAX) return ROCECC_ERR_UNSUPPORTED;
        rocecc_walk_ext_(ip, ext.type, ext.header.at);
        ip->n_ext = (uint8_t)(i + 1);
        ip->proto = type;
        w->next = type;
        ip->upper = (uint16_t)w->r.at;
        if (ext.type != ROCECC_PROTO_FRAGMENT) continue;
        if (rocecc_ip6frag_parse(&ext.header, &frag) != ROCECC_OK)
            return ROCECC_ERR_UNSUPPORTED;
        if (frag.fragment_offset != 0)
            ip->fragment = ROCECC_FRAGMENT_LATER;
        else if (frag.m)
            ip->fragment = ROCECC_FRAGMENT_FIRST;
        if (ip->fragment != ROCECC_FRAGMENT_NONE) return ROCECC_ERR_UNSUPPORTED;
    }
}

ROCECC_INLINE rocecc_status rocecc_walk_ipv6_(rocecc_walk *w, rocecc_where *f)
{
    rocecc_where_ip *ip = &f->ip;
    const size_t at = w->r.at;
    const uint8_t *b;
    size_t payload;
    rocecc_status status;
    f->stopped = ROCECC_AT_IPV6;
    b = rocecc_take(&w->r, ROCECC_IPV6_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[0] >> 4 != 6) return ROCECC_ERR_FORMAT;
    payload = rocecc_load16(b + 4);
    ip->version = 6;
    ip->proto = b[6];
    ip->at = (uint16_t)at;
    ip->upper = (uint16_t)w->r.at;
    ip->end = (uint32_t)(w->r.at + payload);
    w->next = ip->proto;
    if (payload == 0 && ip->proto == ROCECC_PROTO_HOPOPTS)
        return ROCECC_ERR_UNSUPPORTED; /* a jumbogram, RFC 2675 */
    status = rocecc_walk_declare(w, w->r.at + payload);
    if (status != ROCECC_OK) return status;
    return rocecc_walk_exts_(w, f);
}

ROCECC_INLINE rocecc_status rocecc_walk_levels_(rocecc_walk *w, rocecc_where *f,
                                                bool v6)
{
    const rocecc_where_ip none = {0, 0, 0, 0, 0, 0, {0, 0}, 0, 0, 0};
    int level;
    for (level = 0;; level++) {
        const rocecc_status status =
            v6 ? rocecc_walk_ipv6_(w, f) : rocecc_walk_ipv4_(w, f);
        if (status != ROCECC_OK) return status;
        if (f->ip.proto == ROCECC_PROTO_UDP) return ROCECC_OK; /* as most often */
        v6 = f->ip.proto == ROCECC_PROTO_IPV6;
        if (!v6 && f->ip.proto != ROCECC_PROTO_IPV4) return ROCECC_OK;
        if (level == 1) return ROCECC_ERR_UNSUPPORTED;
        f->outer = f->ip;
        f->ip = none;
    }
}

/* UDP, and what IFA and INT have around it. */

/* A UDP header; f->end is what its Length says, and is not declared yet. */
ROCECC_INLINE rocecc_status rocecc_walk_udp_(rocecc_walk *w, rocecc_where *f)
{
    const size_t at = w->r.at;
    const uint8_t *b;
    size_t bytes;
    f->stopped = ROCECC_AT_UDP;
    b = rocecc_take(&w->r, ROCECC_UDP_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    bytes = rocecc_load16(b + 4);
    if (bytes < ROCECC_UDP_BYTES) return ROCECC_ERR_FORMAT;
    w->next = rocecc_load16(b + 2);
    f->kind = ROCECC_KIND_UDP;
    f->udp = (uint16_t)at;
    f->end = (uint32_t)(at + bytes);
    return ROCECC_OK;
}

/* The IFA header: w->next becomes what it says follows. */
ROCECC_INLINE rocecc_status rocecc_walk_ifa_(rocecc_walk *w, rocecc_where *f,
                                             uint8_t *flags)
{
    const size_t at = w->r.at;
    const uint8_t *b;
    f->stopped = ROCECC_AT_IFA;
    b = rocecc_take(&w->r, ROCECC_IFA_HEADER_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[0] >> 4 != ROCECC_IFA_VERSION || (b[2] & ROCECC_IFA_FLAG_TS) != 0)
        return ROCECC_ERR_UNSUPPORTED;
    f->ifa = (uint16_t)at;
    w->next = b[1];
    *flags = b[2];
    return ROCECC_OK;
}

/* IFA's metadata header and stack, which UDP Length does not count. */
ROCECC_INLINE rocecc_status rocecc_walk_ifa_stack_(rocecc_walk *w, rocecc_where *f,
                                                   uint8_t flags)
{
    const uint8_t *b;
    size_t bytes;
    rocecc_status status;
    f->stopped = ROCECC_AT_IFA;
    b = rocecc_take(&w->r, ROCECC_IFA_METADATA_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    bytes = rocecc_ifa_stack_bytes(flags, b[3]);
    f->end += (uint32_t)bytes;
    status = rocecc_walk_declare(w, f->end);
    if (status != ROCECC_OK) return status;
    bytes -= ROCECC_IFA_METADATA_BYTES;
    return rocecc_take(&w->r, bytes) != NULL ? ROCECC_OK : ROCECC_ERR_SHORT;
}

/* Whether the DSCP of the IP header says that INT follows. */
ROCECC_FN bool rocecc_walk_dscp_(rocecc_walk w, const rocecc_where *f)
{
    const rocecc_intmd_config *c = &w.domain->intmd;
    const uint8_t *b;
    uint8_t dscp;
    w.r.at = f->ip.at;
    b = rocecc_take(&w.r, 2);
    if (b == NULL || c->dscp_mask == 0) return false;
    dscp = (uint8_t)(f->ip.version == 4 ? b[1] >> 2 : rocecc_load16(b) >> 6 & 0x3f);
    return ((dscp ^ c->dscp) & c->dscp_mask) == 0;
}

/* Whether INT is marked by what is not a port; moves over a probe marker. */
ROCECC_INLINE bool rocecc_walk_marked_(rocecc_walk *w, const rocecc_where *f)
{
    const rocecc_intmd_config *c = &w->domain->intmd;
    rocecc_reader r = w->r;
    const uint8_t *b;
    if ((c->dscp_mask | c->probe_marker) == 0) return false; /* as most often */
    if (rocecc_walk_dscp_(*w, f)) return true;
    if (c->probe_marker == 0) return false;
    b = rocecc_take(&r, 8);
    if (b == NULL || rocecc_load64(b) != c->probe_marker) return false;
    w->r = r;
    return true;
}

/* INT's shim, its words, and for NPT 2 the UDP header after them. */
ROCECC_INLINE rocecc_status rocecc_walk_shim_(rocecc_walk *w, rocecc_where *f,
                                              bool by_port)
{
    const size_t at = w->r.at;
    const uint8_t *b;
    uint8_t type, npt;
    rocecc_status status;
    f->stopped = ROCECC_AT_INTMD;
    if (f->ifa != 0) return ROCECC_ERR_UNSUPPORTED;
    b = rocecc_take(&w->r, ROCECC_INTMD_SHIM_BYTES);
    if (b == NULL || rocecc_take(&w->r, (size_t)b[1] * 4) == NULL)
        return ROCECC_ERR_SHORT;
    type = b[0] >> 4;
    npt = b[0] >> 2 & 0x3;
    if (type < ROCECC_INTMD_TYPE_MD || type > ROCECC_INTMD_TYPE_MX)
        return ROCECC_ERR_UNSUPPORTED;
    if (by_port != (npt != ROCECC_INTMD_NPT_NONE)) return ROCECC_ERR_FORMAT;
    if (npt > ROCECC_INTMD_NPT_NEW_UDP) return ROCECC_ERR_UNSUPPORTED;
    f->intmd = (uint16_t)at;
    if (npt == ROCECC_INTMD_NPT_NONE) return ROCECC_OK;
    if (npt == ROCECC_INTMD_NPT_PORT) {
        w->next = rocecc_load16(b + 2);
        return ROCECC_OK;
    }
    if (b[3] != ROCECC_PROTO_UDP) return ROCECC_NO_MATCH;
    status = rocecc_walk_udp_(w, f);
    if (status != ROCECC_OK) return status;
    return rocecc_walk_declare(w, f->end);
}

/* INT after UDP, if it is marked. */
ROCECC_INLINE rocecc_status rocecc_walk_intmd_(rocecc_walk *w, rocecc_where *f,
                                               bool ifa)
{
    const uint16_t port = w->domain->intmd.udp_port;
    const bool by_port = ROCECC_RARELY_(w->next == port) && port != 0;
    rocecc_walk after;
    rocecc_status status;
    if (!by_port && (ifa || !rocecc_walk_marked_(w, f))) return ROCECC_OK;
    after = *w;
    status = rocecc_walk_shim_(&after, f, by_port);
    *w = after;
    return status;
}

/* TCP, which is read only where INT may follow it. */
ROCECC_INLINE rocecc_status rocecc_walk_tcp_(rocecc_walk *w, rocecc_where *f)
{
    const rocecc_intmd_config *c = &w->domain->intmd;
    const uint8_t *b;
    size_t header;
    rocecc_walk after;
    rocecc_status status;
    f->kind = ROCECC_KIND_TCP;
    if (f->ifa != 0 || (c->dscp_mask == 0 && c->probe_marker == 0))
        return ROCECC_NO_MATCH;
    f->stopped = ROCECC_AT_INTMD;
    b = rocecc_take(&w->r, ROCECC_TCP_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    header = (size_t)(b[12] >> 4) * 4;
    if (header < ROCECC_TCP_BYTES) return ROCECC_ERR_FORMAT;
    if (!c->before_options && rocecc_take(&w->r, header - ROCECC_TCP_BYTES) == NULL)
        return ROCECC_ERR_SHORT;
    if (!rocecc_walk_marked_(w, f)) {
        f->stopped = ROCECC_AT_UPPER;
        return ROCECC_NO_MATCH;
    }
    after = *w;
    status = rocecc_walk_shim_(&after, f, false);
    return status == ROCECC_OK ? ROCECC_NO_MATCH : status;
}

/* A UDP port that may be an overlay's. NO_MATCH: it is not, or there is a packet
 * inside. */
ROCECC_INLINE rocecc_status rocecc_walk_port_(rocecc_walk *w, rocecc_where *f)
{
    const size_t at = w->r.at;
    rocecc_overlay o = {ROCECC_TUNNEL_MPLS_UDP, false, w->next, ROCECC_TYPE_MPLS};
    rocecc_reader r = w->r;
    const rocecc_tunnel tunnel = rocecc_tunnel_of_port(w->next);
    rocecc_status status = ROCECC_OK;
    if (tunnel == ROCECC_TUNNEL_NONE || f->ifa != 0 || f->intmd != 0)
        return ROCECC_NO_MATCH;
    if (tunnel == ROCECC_TUNNEL_VXLAN) status = rocecc_vxlan_inner(&r, &o);
    if (tunnel == ROCECC_TUNNEL_VXLAN_GPE) status = rocecc_gpe_inner(&r, &o);
    if (tunnel == ROCECC_TUNNEL_GENEVE) status = rocecc_geneve_inner(&r, &o);
    w->r = r;
    w->next = o.next;
    f->stopped = ROCECC_AT_OVERLAY;
    return rocecc_walk_inside(*w, f, at, &o, status);
}

/* GRE, or Ethernet, right after IP. NO_MATCH as above. */
ROCECC_INLINE rocecc_status rocecc_walk_proto_(rocecc_walk *w, rocecc_where *f)
{
    const size_t at = w->r.at;
    rocecc_overlay o = {ROCECC_TUNNEL_ETHERNET, false, w->next, ROCECC_TYPE_TEB};
    rocecc_reader r = w->r;
    rocecc_status status = ROCECC_OK;
    if (f->ifa != 0) return ROCECC_NO_MATCH;
    if (w->next == ROCECC_PROTO_GRE)
        status = rocecc_gre_inner(&r, &o);
    else if (w->next != ROCECC_PROTO_ETHERNET)
        return ROCECC_NO_MATCH;
    w->r = r;
    w->next = o.next;
    f->stopped = ROCECC_AT_OVERLAY;
    return rocecc_walk_inside(*w, f, at, &o, status);
}

/*
 * UDP Length goes beyond IP: a switch has cut the payload of a RoCEv2 packet away, and
 * renewed the length of IP alone. UNSUPPORTED: INT stands before the BTH.
 */
ROCECC_INLINE rocecc_status rocecc_walk_trimmed_(rocecc_walk *w, rocecc_where *f)
{
    rocecc_walk after = *w;
    f->kind = ROCECC_KIND_TRIMMED;
    f->end = (uint32_t)w->declared;
    if (!rocecc_walk_marked_(&after, f)) return ROCECC_OK;
    f->stopped = ROCECC_AT_INTMD;
    return ROCECC_ERR_UNSUPPORTED;
}

/* From UDP to the BTH. */
ROCECC_INLINE rocecc_status rocecc_walk_upper_udp_(rocecc_walk *w, rocecc_where *f,
                                                   bool ifa, uint8_t flags)
{
    const uint16_t rocev2 = rocecc_domain_rocev2_port(w->domain);
    rocecc_status status = rocecc_walk_udp_(w, f);
    if (status != ROCECC_OK) return status;
    status = ifa ? rocecc_walk_ifa_stack_(w, f, flags) : rocecc_walk_declare(w, f->end);
    if (status != ROCECC_OK && w->next == rocev2 && !ifa)
        return rocecc_walk_trimmed_(w, f);
    if (status != ROCECC_OK) return status;
    status = rocecc_walk_intmd_(w, f, ifa);
    if (status != ROCECC_OK) return status;
    if (w->next != rocev2) return rocecc_walk_port_(w, f);
    f->kind = ROCECC_KIND_ROCEV2;
    return ROCECC_OK;
}

/* From IP to the BTH. */
ROCECC_INLINE rocecc_status rocecc_walk_ip_(rocecc_walk *w, rocecc_where *f, bool v6)
{
    uint8_t flags = 0;
    bool ifa = false;
    rocecc_status status = rocecc_walk_levels_(w, f, v6);
    if (status != ROCECC_OK) return status;
    if (ROCECC_RARELY_(w->next == w->domain->ifa.protocol) && w->next != 0) {
        ifa = true;
        status = rocecc_walk_ifa_(w, f, &flags);
        if (status != ROCECC_OK) return status;
    }
    f->stopped = ROCECC_AT_UPPER;
    if (w->next == ROCECC_PROTO_UDP) return rocecc_walk_upper_udp_(w, f, ifa, flags);
    if (w->next == ROCECC_PROTO_TCP) return rocecc_walk_tcp_(w, f);
    return rocecc_walk_proto_(w, f);
}

ROCECC_INLINE rocecc_status rocecc_walk_grh_(rocecc_walk *w, rocecc_where *f)
{
    const size_t at = w->r.at;
    const uint8_t *b;
    f->stopped = ROCECC_AT_GRH;
    b = rocecc_take(&w->r, ROCECC_GRH_BYTES);
    if (b == NULL) return ROCECC_ERR_SHORT;
    if (b[0] >> 4 != 6) return ROCECC_ERR_FORMAT;
    f->grh = (uint16_t)at;
    if (b[6] != ROCECC_GRH_NXT_HDR) return ROCECC_NO_MATCH;
    f->kind = ROCECC_KIND_ROCEV1;
    f->end = (uint32_t)(w->r.at + rocecc_load16(b + 4));
    return rocecc_walk_declare(w, f->end);
}

/* The BTH, and room for an ICRC unless a switch has cut that away. */
ROCECC_INLINE rocecc_status rocecc_walk_bth_(rocecc_walk *w, rocecc_where *f)
{
    const size_t at = w->r.at;
    f->stopped = ROCECC_AT_BTH;
    if (w->declared < at + ROCECC_BTH_BYTES + 4 &&
        (f->kind != ROCECC_KIND_TRIMMED || w->declared < at + ROCECC_BTH_BYTES))
        return ROCECC_ERR_FORMAT;
    if (rocecc_take(&w->r, ROCECC_BTH_BYTES) == NULL) return ROCECC_ERR_SHORT;
    f->bth = (uint16_t)at;
    return ROCECC_OK;
}

/* From a header of this type to the BTH. */
ROCECC_INLINE rocecc_status rocecc_walk_type_(rocecc_walk *w, rocecc_where *f,
                                              uint16_t type)
{
    const size_t start = w->r.at;
    rocecc_status status = ROCECC_OK;
    if (type == ROCECC_TYPE_TEB) {
        const uint8_t *b = rocecc_take(&w->r, ROCECC_ETHER_BYTES);
        if (b == NULL) return ROCECC_ERR_SHORT;
        type = rocecc_load16(b + 12);
    }
    w->next = type;
    if (!rocecc_walk_ends(type)) status = rocecc_walk_link(w, f, start, &type);
    if (status != ROCECC_OK) return status;
    if (type == ROCECC_TYPE_IPV4 || type == ROCECC_TYPE_IPV6)
        status = rocecc_walk_ip_(w, f, type == ROCECC_TYPE_IPV6);
    else if (type == ROCECC_TYPE_ROCEV1)
        status = rocecc_walk_grh_(w, f);
    else
        return ROCECC_NO_MATCH;
    if (status != ROCECC_OK) return status;
    return rocecc_walk_bth_(w, f);
}

/*
 * Finds the headers of what begins at r with a header of this EtherType; it ends at
 * declared, as a length around it says, or SIZE_MAX. Always writes *f. Statuses as
 * rocecc_packet_of().
 */
ROCECC_INLINE rocecc_status rocecc_where_find(const rocecc_domain *d, rocecc_reader r,
                                              uint16_t type, size_t declared,
                                              rocecc_where *f)
{
    rocecc_status status = ROCECC_ERR_RANGE;
    rocecc_walk w;
    w.r = r;
    w.declared = declared;
    w.domain = d;
    w.next = type;
    rocecc_where_clear(f);
    if (r.at <= ROCECC_PACKET_START_MAX) status = rocecc_walk_type_(&w, f, type);
    if (status != ROCECC_OK && w.declared <= r.end) status = rocecc_declared(status);
    f->status = (uint8_t)status;
    f->next = w.next;
    return status;
}

#endif /* ROCECC_PACKET_WALK_H */
