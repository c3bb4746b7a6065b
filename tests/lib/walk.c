/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk.c - walks a frame once more, from the documents that each part names. It does
 * not share code with the library. need() checks every byte before it is read, at an
 * offset from the walker's place.
 */
#include "walk.h"

/* EtherTypes. ETHERNET and the two of ERSPAN occur only in GRE and Geneve. */
enum { IPV4 = 0x0800, IPV6 = 0x86dd, ETHERNET = 0x6558, ROCEV1 = 0x8915 };
enum { VLAN = 0x8100, S_VLAN = 0x88a8, CN_TAG = 0x22e9 };
enum { CMD = 0x8909, PPPOE = 0x8864 };
enum { MPLS = 0x8847, MPLS_UPSTREAM = 0x8848, ERSPAN = 0x88be, ERSPAN_III = 0x22eb };
enum { LLC_MOST = 1500 }; /* up to here a length (IEEE 802.3) */

/* IP protocols, with extension headers. */
enum { P_IPV4 = 4, P_TCP = 6, P_UDP = 17, P_IPV6 = 41, P_GRE = 47, P_ETHERNET = 143 };
enum { P_HOP_BY_HOP = 0, P_ROUTING = 43, P_FRAGMENT = 44, P_ESP = 50, P_AH = 51 };
enum { P_DST_OPTS = 60, P_MOBILITY = 135, P_HIP = 139, P_SHIM6 = 140 };

/* UDP ports. */
enum { VXLAN = 4789, VXLAN_GPE = 4790, ROCEV2 = 4791, GENEVE = 6081, MPLS_UDP = 6635 };

enum { BTH_BYTES = 12, ICRC_BYTES = 4 };

typedef struct walker {
    const walk_domain *d;
    const uint8_t *b;
    size_t n;        /* end of the capture */
    size_t declared; /* end of the packet, as far as a length gives it */
    size_t at;
    bool had_cntag; /* its offset may be 0 */
    size_t
        around; /* end of the overlay around the packet; SIZE_MAX without an overlay */
    walk_result *r;
} walker;

/* ---- Bytes ----------------------------------------------------------------------- */

static size_t limit(const walker *w)
{
    return w->declared < w->n ? w->declared : w->n;
}

static bool need(const walker *w, size_t bytes)
{
    return w->at <= limit(w) && bytes <= limit(w) - w->at;
}

static uint8_t u8(const walker *w, size_t offset)
{
    return w->b[w->at + offset];
}

static uint16_t u16(const walker *w, size_t offset)
{
    return (uint16_t)(u8(w, offset) << 8 | u8(w, offset + 1));
}

static uint32_t u32(const walker *w, size_t offset)
{
    return (uint32_t)u16(w, offset) << 16 | u16(w, offset + 2);
}

static uint32_t here(const walker *w)
{
    return (uint32_t)w->at;
}

/* Steps over bytes. */
static walk_status take(walker *w, size_t bytes)
{
    if (!need(w, bytes)) return WALK_SHORT;
    w->at += bytes;
    return WALK_OK;
}

/* Sets the packet's end by a length. It must not be after the end so far. */
static walk_status declare(walker *w, size_t end)
{
    if (end > w->declared) return WALK_FORMAT;
    w->declared = end;
    return WALK_OK;
}

/* Notes the first reason for which the packet is only a part. */
static void set_part(walker *w, walk_partial why)
{
    if (w->r->partial == WALK_WHOLE) w->r->partial = why;
}

/* Handles a length of IP, GRH or UDP. In a part, it may count missing bytes. */
static walk_status declare_in_part(walker *w, size_t end)
{
    if (end > w->declared && w->r->partial != WALK_WHOLE) return WALK_OK;
    return declare(w, end);
}

/*
 * Handles the length of the first IP header or GRH. A packet that does not end within
 * its overlay is a mirrored copy that was cut, even if its mirror session does not mark
 * it.
 */
static walk_status declare_packet(walker *w, size_t end)
{
    if (end > w->around && w->r->outer.version == 0) {
        set_part(w, WALK_MIRRORED);
        w->declared = SIZE_MAX; /* as for a marked copy */
    }
    return declare_in_part(w, end);
}

/* Handles UDP's length in r->end. For a part, r->end becomes the part's end. */
static walk_status declare_udp(walker *w)
{
    const walk_status status = declare_in_part(w, w->r->end);
    if (!status && w->r->end > w->declared) w->r->end = (uint32_t)w->declared;
    return status;
}

/* ---- BTH and GRH: IBTA vol. 1, 8.3 and 9.2; A16, A17 ----------------------------- */

static walk_status bth(walker *w)
{
    w->r->stopped = WALK_AT_BTH;
    if (w->r->partial == WALK_WHOLE && w->declared < w->at + BTH_BYTES + ICRC_BYTES)
        return WALK_FORMAT;
    if (!need(w, BTH_BYTES)) return WALK_SHORT;
    w->r->bth = here(w);
    return WALK_OK;
}

static walk_status grh(walker *w)
{
    w->r->stopped = WALK_AT_GRH;
    if (!need(w, 40)) return WALK_SHORT;
    if (u8(w, 0) >> 4 != 6) return WALK_FORMAT;
    w->r->grh = here(w);
    if (u8(w, 6) != 0x1b) return WALK_NO_MATCH;
    const size_t end = w->at + 40 + u16(w, 4);
    w->r->kind = WALK_ROCEV1;
    w->r->end = (uint32_t)end;
    if (declare_packet(w, end)) return WALK_FORMAT;
    if (end > w->declared) w->r->end = (uint32_t)w->declared;
    w->at += 40;
    return bth(w);
}

/* ---- Overlays -------------------------------------------------------------------- */

static void overlay(walker *w, walk_tunnel tunnel, size_t at)
{
    w->r->stopped = WALK_AT_OVERLAY;
    w->r->kind = WALK_OVERLAY;
    w->r->tunnel = tunnel;
    w->r->overlay = (uint32_t)at;
}

/* Ends the walk at an inner packet of this type, for another walk. */
static walk_status inner(walker *w, uint16_t type)
{
    w->r->inner = here(w);
    w->r->inner_type = type;
    w->r->end = (uint32_t)(w->declared == SIZE_MAX ? 0 : w->declared);
    return WALK_NO_MATCH;
}

/* Ends the walk at a copy that may have been cut. */
static walk_status mirrored(walker *w, uint16_t type, bool cut)
{
    w->r->cut = cut;
    return inner(w, type);
}

/* RFC 7348, 5. */
static walk_status vxlan(walker *w)
{
    overlay(w, WALK_VXLAN, w->at);
    if (!need(w, 8)) return WALK_SHORT;
    if (!(u8(w, 0) & 0x08)) return WALK_FORMAT;
    w->at += 8;
    return inner(w, ETHERNET);
}

/* draft-ietf-nvo3-vxlan-gpe: flags R R Ver2 I P B O. */
static walk_status vxlan_gpe(walker *w)
{
    overlay(w, WALK_VXLAN_GPE, w->at);
    if (!need(w, 8)) return WALK_SHORT;
    const uint8_t flags = u8(w, 0), protocol = u8(w, 3);
    if (flags & 0x30) return WALK_UNSUPPORTED;
    if (flags & 0x01) return WALK_NO_MATCH;
    w->at += 8;
    if (!(flags & 0x04)) return inner(w, ETHERNET);
    w->r->next = protocol;
    if (protocol == 1) return inner(w, IPV4);
    if (protocol == 2) return inner(w, IPV6);
    return protocol == 3 ? inner(w, ETHERNET) : WALK_NO_MATCH;
}

/* RFC 8926, 3.4. Transit devices do not interpret a control packet's payload. */
static walk_status geneve(walker *w)
{
    overlay(w, WALK_GENEVE, w->at);
    if (!need(w, 8)) return WALK_SHORT;
    if (u8(w, 0) >> 6) return WALK_UNSUPPORTED;
    if (u8(w, 1) & 0x80) return WALK_NO_MATCH; /* O: a control packet */
    const uint16_t type = u16(w, 2);
    const size_t options = 4U * (u8(w, 0) & 0x3fU);
    w->r->next = type;
    if (take(w, 8 + options)) return WALK_SHORT;
    if (type == ETHERNET || type == IPV4 || type == IPV6) return inner(w, type);
    return WALK_NO_MATCH;
}

/* draft-foschiano-erspan-03, type II. */
static walk_status erspan_ii(walker *w)
{
    w->r->tunnel = WALK_ERSPAN_II;
    if (!need(w, 8)) return WALK_SHORT;
    if (u8(w, 0) >> 4 != 1) return WALK_UNSUPPORTED;
    const bool cut = (u32(w, 0) & 0x0400) != 0;
    w->at += 8;
    return mirrored(w, ETHERNET, cut);
}

/*
 * draft-foschiano-erspan-03, type III. The third word is SGT 16, P 1, FT 5, Hw ID 6, D
 * 1, Gra 2, O 1.
 */
static walk_status erspan_iii(walker *w)
{
    w->r->tunnel = WALK_ERSPAN_III;
    if (!need(w, 12)) return WALK_SHORT;
    if (u8(w, 0) >> 4 != 2) return WALK_UNSUPPORTED;
    const bool cut = (u32(w, 0) & 0x0400) != 0;
    const uint32_t third = u32(w, 8), ft = third >> 10 & 0x1f;
    if (take(w, third & 1 ? 20 : 12)) return WALK_SHORT;
    if (ft == 0) return mirrored(w, ETHERNET, cut);
    if (ft != 2) return WALK_NO_MATCH;
    if (!need(w, 1)) return WALK_SHORT;
    return mirrored(w, u8(w, 0) >> 4 == 6 ? IPV6 : IPV4, cut);
}

/* RFC 2784, 2, with key and sequence number (RFC 2890); RFC 7637, 3.2. */
static walk_status gre(walker *w)
{
    overlay(w, WALK_GRE, w->at);
    if (!need(w, 4)) return WALK_SHORT;
    const uint16_t flags = u16(w, 0), type = u16(w, 2);
    if (flags & 0x4c07) return WALK_UNSUPPORTED;
    w->r->next = type;
    const bool c = flags & 0x8000, k = flags & 0x2000, s = flags & 0x1000;
    if (take(w, 4U + 4U * c + 4U * k + 4U * s)) return WALK_SHORT;
    if (type == IPV4 || type == IPV6) return inner(w, type);
    if (type == MPLS || type == MPLS_UPSTREAM) return inner(w, MPLS);
    if (type == ERSPAN_III) return erspan_iii(w);
    if (type == ERSPAN && s) return erspan_ii(w);
    if (type != ETHERNET && type != ERSPAN) return WALK_NO_MATCH;
    if (type == ERSPAN) w->r->tunnel = WALK_ERSPAN_I;
    if (type == ETHERNET && k && !c && !s) w->r->tunnel = WALK_NVGRE;
    return inner(w, ETHERNET);
}

/* ---- INT-MD: P4.org INT dataplane specification v2.1 ----------------------------- */

static bool dscp_marks(const walker *w)
{
    const walk_ip *ip = &w->r->ip;
    const int word = w->b[ip->at] << 8 | w->b[ip->at + 1];
    const int dscp = (ip->version == 4 ? word >> 2 : word >> 6) & 0x3f;
    const int mask = w->d->intmd_dscp_mask;
    return mask != 0 && ((dscp ^ w->d->intmd_dscp) & mask) == 0;
}

static bool marker_marks(const walker *w)
{
    if (w->d->intmd_marker == 0 || !need(w, 8)) return false;
    return ((uint64_t)u32(w, 0) << 32 | u32(w, 4)) == w->d->intmd_marker;
}

/* Returns true if the DSCP or a marker announces a shim. Steps over the marker. */
static bool marked(walker *w)
{
    if (dscp_marks(w)) return true;
    if (!marker_marks(w)) return false;
    w->at += 8;
    return true;
}

/*
 * Steps over the shim and the words that it counts. Returns its New Protocol Type and
 * its last 16 bits. `by_port` means that a UDP port announced it.
 */
static walk_status shim(walker *w, bool by_port, unsigned *npt, uint16_t *last)
{
    const size_t at = w->at;
    w->r->stopped = WALK_AT_INTMD;
    if (!need(w, 4)) return WALK_SHORT;
    const uint8_t type = u8(w, 0) >> 4;
    *npt = u8(w, 0) >> 2 & 3U;
    *last = u16(w, 2);
    if (take(w, 4 + 4 * (size_t)u8(w, 1))) return WALK_SHORT;
    if (type < 1 || type > 3) return WALK_UNSUPPORTED;
    if ((*npt != 0) != by_port) return WALK_FORMAT;
    if (*npt == 3) return WALK_UNSUPPORTED;
    w->r->intmd = (uint32_t)at;
    return WALK_OK;
}

/* ---- UDP: RFC 768 ---------------------------------------------------------------- */

static walk_status udp_header(walker *w, uint16_t *port)
{
    w->r->stopped = WALK_AT_UDP;
    if (!need(w, 8)) return WALK_SHORT;
    if (u16(w, 4) < 8) return WALK_FORMAT;
    *port = u16(w, 2);
    w->r->kind = WALK_UDP;
    w->r->udp = here(w);
    w->r->end = (uint32_t)(w->at + u16(w, 4));
    w->r->next = *port;
    w->at += 8;
    return WALK_OK;
}

/* draft-kumar-ippm-ifa. UDP's length does not count the bytes of IFA after it. */
static walk_status ifa_stack(walker *w, uint8_t flags)
{
    const size_t headers = 4 + 4U * (flags & 1U) + 4U * (flags >> 4 & 1U);
    w->r->stopped = WALK_AT_IFA;
    if (flags & 0x08) { /* TS: after the payload */
        if (w->r->end + headers > w->declared && w->r->partial == WALK_WHOLE)
            return WALK_FORMAT;
        return declare_udp(w);
    }
    if (!need(w, 4)) return WALK_SHORT;
    w->r->ifa_metadata = here(w);
    const size_t bytes = headers + 4 * (size_t)u8(w, 3);
    w->r->end += (uint32_t)bytes;
    if (declare_udp(w)) return WALK_FORMAT;
    return take(w, bytes);
}

/* Handles INT after a UDP header. *port becomes the port that INT has kept. */
static walk_status int_in_udp(walker *w, uint16_t *port)
{
    const bool by_port = w->d->intmd_port != 0 && *port == w->d->intmd_port;
    walk_status status;
    unsigned npt = 0;
    uint16_t last = 0;
    if (by_port && w->r->ifa != 0) {
        w->r->stopped = WALK_AT_INTMD;
        return WALK_UNSUPPORTED;
    }
    if (!by_port && (w->r->ifa != 0 || !marked(w))) return WALK_OK;
    status = shim(w, by_port, &npt, &last);
    if (status || !by_port) return status;
    if (npt == 1) {
        *port = w->r->next = last;
        return WALK_OK;
    }
    if ((last & 0xff) != P_UDP) return WALK_NO_MATCH;
    status = udp_header(w, port);
    return status ? status : declare_udp(w);
}

/* Returns the overlay of a UDP port, or WALK_NO_TUNNEL. */
static walk_tunnel tunnel_of(const walk_domain *d, uint16_t port)
{
    if (!d->own_ports) {
        switch (port) {
        case VXLAN:
            return WALK_VXLAN;
        case VXLAN_GPE:
            return WALK_VXLAN_GPE;
        case GENEVE:
            return WALK_GENEVE;
        case MPLS_UDP:
            return WALK_MPLS_UDP;
        default:
            return WALK_NO_TUNNEL;
        }
    }
    const struct {
        uint16_t port;
        walk_tunnel tunnel;
    } own[] = {{0, WALK_NO_TUNNEL},       {d->vxlan[0], WALK_VXLAN},
               {d->vxlan[1], WALK_VXLAN}, {d->vxlan_gpe, WALK_VXLAN_GPE},
               {d->geneve, WALK_GENEVE},  {d->mpls_udp, WALK_MPLS_UDP},
               {d->gre_udp, WALK_GRE}};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (own[i].port == port) return own[i].tunnel;
    return WALK_NO_TUNNEL;
}

static walk_status udp(walker *w, uint8_t ifa_flags)
{
    const uint16_t rocev2 = w->d->rocev2_port ? w->d->rocev2_port : ROCEV2;
    uint16_t port = 0;
    walk_status status = udp_header(w, &port);
    if (status) return status;
    const bool roce = port == rocev2 || (port != 0 && port == w->d->intmd_port);
    if (roce && w->r->ifa == 0 && w->r->end > w->declared) set_part(w, WALK_TRIMMED);
    status = w->r->ifa ? ifa_stack(w, ifa_flags) : declare_udp(w);
    if (!status) status = int_in_udp(w, &port);
    if (status) return status;
    if (port == rocev2) {
        w->r->kind = WALK_ROCEV2;
        return bth(w);
    }
    if (w->r->ifa || w->r->intmd) return WALK_NO_MATCH;
    switch (tunnel_of(w->d, port)) {
    case WALK_VXLAN:
        return vxlan(w);
    case WALK_VXLAN_GPE:
        return vxlan_gpe(w);
    case WALK_GENEVE:
        return geneve(w);
    case WALK_GRE: /* RFC 8086 */
        return gre(w);
    case WALK_MPLS_UDP:
        overlay(w, WALK_MPLS_UDP, w->at);
        return inner(w, MPLS);
    default:
        return WALK_NO_MATCH;
    }
}

/* ---- TCP: RFC 9293, 3.1 ---------------------------------------------------------- */

/* RoCE does not run over TCP, so the walk looks only for INT, if TCP may have it. */
static walk_status tcp(walker *w)
{
    unsigned npt = 0;
    uint16_t last = 0;
    w->r->kind = WALK_TCP;
    if (w->r->ifa || (w->d->intmd_dscp_mask == 0 && w->d->intmd_marker == 0))
        return WALK_NO_MATCH;
    w->r->stopped = WALK_AT_INTMD;
    if (!need(w, 20)) return WALK_SHORT;
    const size_t bytes = 4 * (size_t)(u8(w, 12) >> 4);
    if (bytes < 20) return WALK_FORMAT;
    if (take(w, w->d->intmd_before_options ? 20 : bytes)) return WALK_SHORT;
    if (!marked(w)) {
        w->r->stopped = WALK_AT_UPPER;
        return WALK_NO_MATCH;
    }
    const walk_status status = shim(w, false, &npt, &last);
    return status ? status : WALK_NO_MATCH;
}

/* ---- IP -------------------------------------------------------------------------- */

static walk_status upper(walker *w)
{
    uint8_t proto = w->r->ip.proto, flags = 0;
    if (w->d->ifa_protocol != 0 && proto == w->d->ifa_protocol) {
        w->r->stopped = WALK_AT_IFA;
        if (!need(w, 4)) return WALK_SHORT;
        flags = u8(w, 2);
        if (u8(w, 0) >> 4 != 2) return WALK_UNSUPPORTED;
        w->r->ifa = here(w);
        w->r->next = proto = u8(w, 1);
        w->at += 4;
    }
    w->r->stopped = WALK_AT_UPPER;
    if (proto == P_TCP) return tcp(w);
    if (proto == P_UDP) return udp(w, flags);
    if (w->r->ifa) return WALK_NO_MATCH;
    if (proto == P_GRE) return gre(w);
    if (proto != P_ETHERNET) return WALK_NO_MATCH;
    overlay(w, WALK_ETHERNET, w->at); /* RFC 8986, 4.9 */
    return inner(w, ETHERNET);
}

/* Returns 0 for a whole packet, 1 for the first fragment, and 2 for another. */
static uint8_t part_of(unsigned offset, unsigned more)
{
    if (offset) return 2;
    return more ? 1 : 0;
}

/* RFC 4302, 2. Accepts one AH, but not ESP or another AH after it. */
static walk_status ipv4_ah(walker *w)
{
    walk_ip *ip = &w->r->ip;
    if (!need(w, 2)) return WALK_SHORT;
    const uint8_t next = u8(w, 0);
    if (take(w, 4 * ((size_t)u8(w, 1) + 2))) return WALK_SHORT;
    ip->n_ext = 1;
    ip->proto = next;
    ip->upper = here(w);
    w->r->next = next;
    return next == P_ESP || next == P_AH ? WALK_UNSUPPORTED : WALK_OK;
}

/* RFC 791, 3.1. */
static walk_status ipv4(walker *w)
{
    walk_ip *ip = &w->r->ip;
    w->r->stopped = WALK_AT_IPV4;
    if (!need(w, 20)) return WALK_SHORT;
    const size_t header = 4 * (size_t)(u8(w, 0) & 0xf), total = u16(w, 2);
    const uint8_t fragment = part_of(u16(w, 6) & 0x1fff, u16(w, 6) & 0x2000);
    const uint8_t proto = u8(w, 9);
    if (u8(w, 0) >> 4 != 4 || header < 20 || total < header) return WALK_FORMAT;
    if (!need(w, header)) return WALK_SHORT;
    ip->version = 4;
    ip->proto = proto;
    ip->at = here(w);
    ip->upper = (uint32_t)(w->at + header);
    ip->end = (uint32_t)(w->at + total);
    ip->fragment = fragment;
    w->r->next = proto;
    if (declare_packet(w, w->at + total)) return WALK_FORMAT;
    w->at += header;
    if (fragment) set_part(w, WALK_FRAGMENT);
    if (fragment == 2 || proto == P_ESP) return WALK_UNSUPPORTED;
    if (proto != P_AH) return WALK_OK;
    return w->d->ah ? ipv4_ah(w) : WALK_UNSUPPORTED;
}

/* RFC 8200, 4; RFC 4302, 6275, 7401, 5533. RFC 7045 also lists ESP, 253 and 254. */
static bool is_extension(uint8_t type)
{
    return type == P_HOP_BY_HOP || type == P_ROUTING || type == P_FRAGMENT ||
           type == P_AH || type == P_DST_OPTS || type == P_MOBILITY || type == P_HIP ||
           type == P_SHIM6;
}

static void note_extension(walk_ip *ip, uint32_t at)
{
    uint32_t *slot = NULL;
    if (ip->proto == P_HOP_BY_HOP) slot = &ip->hop_by_hop;
    if (ip->proto == P_ROUTING) slot = &ip->routing;
    if (ip->proto == P_DST_OPTS) slot = &ip->dst_opts[ip->dst_opts[0] != 0];
    if (slot && *slot == 0) *slot = at;
}

static walk_status ipv6_chain(walker *w)
{
    walk_ip *ip = &w->r->ip;
    w->r->stopped = WALK_AT_IP6EXT;
    while (is_extension(ip->proto)) {
        const uint8_t type = ip->proto;
        if (!need(w, 2)) return WALK_SHORT;
        const size_t unit = type == P_AH ? 4 : 8;
        const size_t bytes = 8 + (type == P_FRAGMENT ? 0 : unit * u8(w, 1));
        if (!need(w, bytes)) return WALK_SHORT;
        if (ip->n_ext == 8) return WALK_UNSUPPORTED;
        const uint8_t part =
            type == P_FRAGMENT ? part_of(u16(w, 2) & 0xfff8, u16(w, 2) & 1) : 0;
        note_extension(ip, here(w));
        if (part) ip->fragment = part;
        ip->n_ext++;
        ip->proto = u8(w, 0);
        w->r->next = ip->proto;
        w->at += bytes;
        ip->upper = here(w);
        if (part) set_part(w, WALK_FRAGMENT);
        if (part == 2 || (type == P_AH && !w->d->ah)) return WALK_UNSUPPORTED;
    }
    return ip->proto == P_ESP ? WALK_UNSUPPORTED : WALK_OK;
}

/* RFC 8200, 3. */
static walk_status ipv6(walker *w)
{
    walk_ip *ip = &w->r->ip;
    w->r->stopped = WALK_AT_IPV6;
    if (!need(w, 40)) return WALK_SHORT;
    if (u8(w, 0) >> 4 != 6) return WALK_FORMAT;
    const size_t payload = u16(w, 4), end = w->at + 40 + payload;
    ip->version = 6;
    ip->proto = u8(w, 6);
    ip->at = here(w);
    ip->upper = (uint32_t)(w->at + 40);
    ip->end = (uint32_t)end;
    w->r->next = ip->proto;
    if (payload == 0 && ip->proto == P_HOP_BY_HOP) return WALK_UNSUPPORTED;
    if (declare_packet(w, end)) return WALK_FORMAT;
    w->at += 40;
    return ipv6_chain(w);
}

/* Handles IP, and one packet in another (RFC 2003, 2473, 4213), but not a third. */
static walk_status ip(walker *w, bool six)
{
    static const walk_ip none;
    walk_status status = six ? ipv6(w) : ipv4(w);
    uint8_t proto = w->r->ip.proto;
    if (!status && (proto == P_IPV4 || proto == P_IPV6)) {
        w->r->outer = w->r->ip;
        w->r->ip = none;
        status = proto == P_IPV6 ? ipv6(w) : ipv4(w);
        proto = w->r->ip.proto;
        if (!status && (proto == P_IPV4 || proto == P_IPV6)) return WALK_UNSUPPORTED;
    }
    return status ? status : upper(w);
}

/* ---- Between Ethernet and IP ----------------------------------------------------- */

/* RFC 3032, 2.1. The first nibble after the stack: RFC 4928, 3, and RFC 4385, 3. */
static walk_status mpls(walker *w)
{
    const size_t first = w->at;
    bool bottom = false;
    w->r->stopped = WALK_AT_MPLS;
    for (int labels = 0; !bottom; labels++) {
        if (labels == 8) return WALK_UNSUPPORTED;
        if (!need(w, 4)) return WALK_SHORT;
        bottom = u8(w, 2) & 1;
        w->at += 4;
    }
    if (!need(w, 1)) return WALK_SHORT;
    const int nibble = u8(w, 0) >> 4;
    if (nibble == 4 || nibble == 6) return ip(w, nibble == 6);
    if (nibble != 0) return WALK_NO_MATCH;
    overlay(w, WALK_PSEUDOWIRE, first);
    return take(w, 4) ? WALK_SHORT : inner(w, ETHERNET);
}

/* RFC 2516, 4; RFC 1661, 2. */
static walk_status pppoe(walker *w)
{
    w->r->stopped = WALK_AT_PPPOE;
    if (!need(w, 6)) return WALK_SHORT;
    if (u8(w, 0) != 0x11) return WALK_UNSUPPORTED;
    if (u8(w, 1) != 0) return WALK_NO_MATCH;
    if (declare(w, w->at + 6 + u16(w, 4))) return WALK_FORMAT;
    w->around = SIZE_MAX; /* PPPoE's length bounds the packet */
    w->at += 6;
    if (!need(w, 2)) return WALK_SHORT;
    if (w->r->link == 0) w->r->link = here(w) - 2;
    const uint16_t protocol = u16(w, 0);
    w->r->next = protocol;
    w->at += 2;
    if (protocol == 0x0021) return ip(w, false);
    if (protocol == 0x0057) return ip(w, true);
    return WALK_NO_MATCH;
}

/* Steps over a header that ends with the type of the next header. */
static walk_status next_type(walker *w, size_t bytes)
{
    if (!need(w, bytes)) return WALK_SHORT;
    w->r->next = u16(w, bytes - 2);
    w->at += bytes;
    return WALK_OK;
}

/* IEEE 802.1Q, 9. */
static walk_status vlan(walker *w)
{
    w->r->stopped = WALK_AT_VLAN;
    if (w->r->n_vlan == 3 || w->had_cntag) return WALK_UNSUPPORTED;
    if (next_type(w, 4)) return WALK_SHORT;
    w->r->n_vlan++;
    return WALK_OK;
}

/* draft-ravi-ippm-csig. The TPID has been read, and `bytes` bytes follow. */
static walk_status csig(walker *w, uint8_t bytes)
{
    w->r->stopped = WALK_AT_CSIG;
    if (w->r->csig_bytes || w->had_cntag || w->r->n_vlan > 2) return WALK_UNSUPPORTED;
    if (next_type(w, bytes)) return WALK_SHORT;
    w->r->csig = (uint32_t)(w->at - bytes - 2);
    w->r->csig_bytes = bytes;
    return WALK_OK;
}

/* IEEE 802.1Qau: type, flow identifier, and the next type. */
static walk_status cntag(walker *w)
{
    w->r->stopped = WALK_AT_CNTAG;
    if (w->had_cntag) return WALK_UNSUPPORTED;
    if (next_type(w, 4)) return WALK_SHORT;
    w->r->cntag = (uint32_t)(w->at - 6);
    w->had_cntag = true;
    return WALK_OK;
}

/* IEEE 802.2, and RFC 1042 for SNAP. */
static walk_status llc(walker *w)
{
    w->r->stopped = WALK_AT_LLC;
    if (!need(w, 3)) return WALK_SHORT;
    if (u8(w, 0) != 0xaa || u8(w, 1) != 0xaa || u8(w, 2) != 0x03) return WALK_NO_MATCH;
    if (!need(w, 8)) return WALK_SHORT;
    if (u8(w, 3) || u8(w, 4) || u8(w, 5)) return WALK_NO_MATCH;
    w->r->link = (uint32_t)(w->at - 2);
    return next_type(w, 8);
}

/* Cisco metadata: version, length, option 16, SGT 16, type. */
static walk_status cmd(walker *w, bool again)
{
    w->r->stopped = WALK_AT_CMD;
    if (again) return WALK_UNSUPPORTED;
    if (!need(w, 4)) return WALK_SHORT;
    if (u8(w, 0) != 1 || u8(w, 1) != 1) return WALK_UNSUPPORTED;
    return next_type(w, 8);
}

/*
 * Arista, subtype 1. The version's low byte is 0x10 or 0x20 for 8 or 6 bytes of time,
 * and its high byte is 0 or 1 for TAI or UTC.
 */
static walk_status arista(walker *w)
{
    if (!need(w, 4)) return WALK_SHORT;
    if (u16(w, 0) != 1 || u8(w, 2) > 1) return WALK_UNSUPPORTED;
    if (u8(w, 3) == 0x10) return next_type(w, 4 + 8 + 2);
    return u8(w, 3) == 0x20 ? next_type(w, 4 + 6 + 2) : WALK_UNSUPPORTED;
}

/* Handles a tag that a network may have, once each. */
static walk_status other_tag(walker *w, bool had[3], unsigned which)
{
    static const walk_layer layers[] = {WALK_AT_ETAG, WALK_AT_VNTAG, WALK_AT_ARISTA};
    w->r->stopped = layers[which];
    if (had[which]) return WALK_UNSUPPORTED;
    had[which] = true;
    if (which == 0) return next_type(w, 6 + 2); /* IEEE 802.1BR, 11.2 */
    return which == 1 ? next_type(w, 4 + 2) : arista(w);
}

/* Handles tags one by one, and then the packet that the last type announces. */
static walk_status typed(walker *w)
{
    bool had_llc = false, had_cmd = false, had[3] = {false};
    const walk_domain *d = w->d;
    for (;;) {
        const uint16_t type = w->r->next;
        walk_status status;
        if (type <= LLC_MOST) {
            if (had_llc) break;
            status = llc(w);
            had_llc = true;
        } else if (type == VLAN || type == S_VLAN || type == d->vlan_tpid) {
            status = vlan(w);
        } else if (type == d->csig_compact) {
            status = csig(w, 4);
        } else if (type == d->csig_wide) {
            status = csig(w, 8);
        } else if (type == CN_TAG) {
            status = cntag(w);
        } else if (type == d->etag) {
            status = other_tag(w, had, 0);
        } else if (type == d->vntag) {
            status = other_tag(w, had, 1);
        } else if (type == d->arista) {
            status = other_tag(w, had, 2);
        } else if (type == CMD) {
            status = cmd(w, had_cmd);
            had_cmd = true;
        } else {
            break;
        }
        if (status) return status;
    }
    const uint16_t type = w->r->next;
    if (type == PPPOE) return pppoe(w);
    if (type == MPLS || type == MPLS_UPSTREAM) return mpls(w);
    if (type == IPV4 || type == IPV6) return ip(w, type == IPV6);
    return type == ROCEV1 ? grh(w) : WALK_NO_MATCH;
}

static walk_status ethernet(walker *w)
{
    const walk_status status = next_type(w, 14);
    return status ? status : typed(w);
}

/* ---- The walk -------------------------------------------------------------------- */

void walk_at(const walk_domain *d, const uint8_t *bytes, const walk_place *place,
             walk_result *out)
{
    static const walk_result nothing;
    /* The end of a part is unknown. place->n is only the end of its bytes. */
    const size_t end = place->why == WALK_WHOLE ? place->declared : SIZE_MAX;
    walker w = {d, bytes, place->n, end, place->start, false, end, out};
    *out = nothing;
    out->next = place->type;
    set_part(&w, place->why);
    out->status = place->type == ETHERNET ? ethernet(&w) : typed(&w);
    if (out->partial != WALK_WHOLE)
        out->kind |= WALK_PARTIAL;
    else if (out->status == WALK_SHORT && w.declared <= place->n)
        out->status = WALK_FORMAT; /* more bytes would not help */
}

void walk(const walk_domain *d, const uint8_t *bytes, size_t start, size_t n,
          walk_result *out)
{
    const bool six = start < n && bytes[start] >> 4 == 6;
    const uint16_t ip = six ? IPV6 : IPV4;
    const walk_place place = {.start = start,
                              .n = n,
                              .type = d->ip_first ? ip : ETHERNET,
                              .declared = SIZE_MAX,
                              .why = WALK_WHOLE};
    walk_at(d, bytes, &place, out);
}
