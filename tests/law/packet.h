/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_PACKET_H
#define TESTS_LAW_PACKET_H

#include "law.h"
#include "rocecc/packet/flow.h"

#define WHERE_IP_FIELDS(F, T, ip)                                                      \
    F(T, UINT, ip.version, NULL)                                                       \
    F(T, UINT, ip.proto, NULL)                                                         \
    F(T, UINT, ip.n_ext, NULL)                                                         \
    F(T, UINT, ip.fragment, NULL)                                                      \
    F(T, UINT, ip.offset, NULL)                                                        \
    F(T, UINT, ip.hop_by_hop, NULL)                                                    \
    F(T, UINT, ip.dst_opts[0], NULL)                                                   \
    F(T, UINT, ip.dst_opts[1], NULL)                                                   \
    F(T, UINT, ip.routing, NULL)                                                       \
    F(T, UINT, ip.upper, NULL)                                                         \
    F(T, UINT, ip.end, NULL)

#define WHERE_FIELDS(F, T)                                                             \
    F(T, ENUM, kind,                                                                   \
      "other tcp udp overlay rocev1 5 rocev2 7 partial partial_tcp partial_udp "       \
      "partial_overlay partial_rocev1 13 partial_rocev2")                              \
    F(T, ENUM, stopped,                                                                \
      "ether vlan csig cntag llc cmd etag vntag arista pppoe mpls ipv4 ipv6 ip6ext "   \
      "upper ifa udp intmd overlay grh bth")                                           \
    F(T, ENUM, tunnel,                                                                 \
      "none vxlan vxlan_gpe geneve gre nvgre erspan1 erspan2 erspan3 ethernet "        \
      "mpls_udp pseudowire")                                                           \
    F(T, UINT, n_vlan, NULL)                                                           \
    F(T, UINT, vlan[0], NULL)                                                          \
    F(T, UINT, vlan[1], NULL)                                                          \
    F(T, UINT, vlan[2], NULL)                                                          \
    F(T, UINT, csig_bytes, NULL)                                                       \
    F(T, BOOL, cut, NULL)                                                              \
    F(T, ENUM, partial, "none fragment trimmed mirrored sampled quoted captured")      \
    F(T, UINT, next, NULL)                                                             \
    F(T, UINT, link, NULL)                                                             \
    F(T, UINT, csig, NULL)                                                             \
    F(T, UINT, cntag, NULL)                                                            \
    F(T, UINT, ifa, NULL)                                                              \
    F(T, UINT, udp, NULL)                                                              \
    F(T, UINT, intmd, NULL)                                                            \
    F(T, UINT, overlay, NULL)                                                          \
    F(T, UINT, inner, NULL)                                                            \
    F(T, UINT, inner_type, NULL)                                                       \
    F(T, UINT, grh, NULL)                                                              \
    F(T, UINT, bth, NULL)                                                              \
    WHERE_IP_FIELDS(F, T, outer)                                                       \
    WHERE_IP_FIELDS(F, T, ip)                                                          \
    F(T, UINT, end, NULL)

#define IP_FIELDS(F, T)                                                                \
    F(T, UINT, version, NULL)                                                          \
    F(T, UINT, dscp, NULL)                                                             \
    F(T, UINT, ecn, NULL)                                                              \
    F(T, UINT, hop_limit, NULL)                                                        \
    F(T, UINT, flow_label, NULL)                                                       \
    F(T, IP6, src, NULL)                                                               \
    F(T, IP6, dst, NULL)

/* Returns a domain with only RoCEv2. A packet that begins with 4 or 6 is IP. */
LAW_FN rocecc_domain law_packet_plain(rocecc_reader r)
{
    rocecc_domain d = {0};
    const uint8_t *b = rocecc_take(&r, 1);
    d.link = b != NULL && (*b >> 4 == 4 || *b >> 4 == 6) ? ROCECC_LINK_IP
                                                         : ROCECC_LINK_ETHER;
    return d;
}

/*
 * Returns a domain with tags, overlays, sFlow, CSIG, IFA and INT. A packet that begins
 * with 4 or 6 is IP.
 */
LAW_FN rocecc_domain law_packet_domain(rocecc_reader r)
{
    rocecc_domain d = {0};
    const uint8_t *b = rocecc_take(&r, 1);
    d.link = b != NULL && (*b >> 4 == 4 || *b >> 4 == 6) ? ROCECC_LINK_IP
                                                         : ROCECC_LINK_ETHER;
    d.ah = true;
    d.tag.vlan_tpid = ROCECC_TYPE_QINQ_9100;
    d.tag.etag_type = ROCECC_TYPE_ETAG;
    d.tag.vntag_type = ROCECC_TYPE_VNTAG;
    d.tag.arista_type = ROCECC_TYPE_ARISTA;
    d.overlay.own_ports = true;
    d.overlay.vxlan_port = ROCECC_UDP_PORT_VXLAN;
    d.overlay.vxlan_port_2 = ROCECC_UDP_PORT_VXLAN_LINUX;
    d.overlay.vxlan_gpe_port = ROCECC_UDP_PORT_VXLAN_GPE;
    d.overlay.geneve_port = ROCECC_UDP_PORT_GENEVE;
    d.overlay.mpls_port = ROCECC_UDP_PORT_MPLS;
    d.overlay.gre_port = ROCECC_UDP_PORT_GRE;
    d.sflow_port = 6343;
    d.csig.compact_tpid = 0x9900;
    d.csig.wide_tpid = 0x9901;
    d.ifa.protocol = 253;
    d.ifa.layout_a = 1;
    d.intmd.udp_port = 5000;
    d.intmd.dscp = 0x15;
    d.intmd.dscp_mask = 0x3f;
    d.intmd.probe_marker = 0x0123456789abcdef;
    return d;
}

/* Checks the offsets and lengths of one IP header and its extension headers. */
LAW_FN uint32_t law_where_ip(const rocecc_headers_ip *ip)
{
    const uint32_t header = ip->version == 4 ? 20 : 40;
    if (ip->version == 0) {
        LAW((ip->proto | ip->n_ext | ip->fragment | ip->offset | ip->upper) == 0);
        LAW(ip->end == 0);
        return LAW_START;
    }
    LAW(ip->version == 4 || ip->version == 6);
    LAW(ip->offset + header + 8 * (uint32_t)ip->n_ext <= ip->upper);
    LAW(ip->upper <= ip->end || ip->n_ext == 0);
    LAW(ip->version == 6 || ip->n_ext <= 1);
    LAW(ip->version == 4 || ip->n_ext != 0 || ip->upper == ip->offset + 40);
    LAW(ip->n_ext <= ROCECC_IP6EXT_MAX);
    LAW(ip->hop_by_hop == 0 || ip->hop_by_hop >= ip->offset + 40u);
    LAW(ip->routing == 0 || ip->routing >= ip->offset + 40u);
    LAW(ip->hop_by_hop < ip->upper && ip->routing < ip->upper);
    LAW(ip->dst_opts[0] == 0 || ip->dst_opts[0] >= ip->offset + 40u);
    LAW(ip->dst_opts[1] == 0 ||
        (ip->dst_opts[0] != 0 && ip->dst_opts[0] < ip->dst_opts[1]));
    LAW(ip->dst_opts[0] < ip->upper && ip->dst_opts[1] < ip->upper);
    return LAW_START;
}

/* Checks that headers follow one another, and inner lengths lie within outer ones. */
LAW_FN uint32_t law_where(const rocecc_headers *f, size_t start, size_t end)
{
    const unsigned kind = f->kind & ~(unsigned)ROCECC_PACKET_KIND_PARTIAL;
    LAW(law_where_ip(&f->outer) != LAW_BROKEN);
    LAW(law_where_ip(&f->ip) != LAW_BROKEN);
    LAW((f->status == ROCECC_OK) == (f->bth != 0));
    LAW((f->bth != 0) == (f->stopped == ROCECC_LAYER_BTH && f->status == ROCECC_OK));
    LAW((f->inner != 0) == (f->inner_type != 0));
    LAW(f->inner == 0 || (f->stopped == ROCECC_LAYER_OVERLAY && f->inner <= end &&
                          f->status == ROCECC_NO_MATCH));
    LAW((kind == ROCECC_PACKET_KIND_OVERLAY) == (f->tunnel != ROCECC_TUNNEL_NONE));
    LAW((f->overlay != 0) == (f->tunnel != ROCECC_TUNNEL_NONE));
    LAW(f->inner == 0 || f->inner >= f->overlay);
    LAW(f->n_vlan <= 3 && (f->csig != 0) == (f->csig_bytes != 0));
    LAW(f->vlan[0] == (f->n_vlan < 1 ? 0 : f->vlan[0]) &&
        (f->n_vlan < 2) == !f->vlan[1]);
    LAW(f->outer.version == 0 || f->ip.version == 0 || f->ip.offset == f->outer.upper);
    LAW(f->ip.fragment == 0 || f->partial != ROCECC_PARTIAL_NONE ||
        (f->status == ROCECC_ERR_FORMAT && f->stopped == ROCECC_LAYER_IPV4));
    LAW(f->ip.fragment != ROCECC_IP_FRAGMENT_LATER ||
        f->status == ROCECC_ERR_UNSUPPORTED || f->partial == ROCECC_PARTIAL_NONE);
    LAW((f->partial != ROCECC_PARTIAL_NONE) ==
        ((f->kind & ROCECC_PACKET_KIND_PARTIAL) != 0));
    LAW(f->partial < ROCECC_PARTIAL_CAPTURED && f->reserved == 0);
    LAW(f->ifa == 0 || f->ifa == f->ip.upper);
    LAW(f->ifa == 0 || f->intmd == 0);
    if (f->bth == 0) return LAW_START;
    LAW(f->bth >= start && f->bth + (size_t)ROCECC_BTH_BYTES <= end);
    LAW(f->end >= f->bth + (f->partial != ROCECC_PARTIAL_NONE ? 12u : 16u));
    if (f->grh != 0) {
        LAW(kind == ROCECC_PACKET_KIND_ROCEV1);
        LAW(f->bth == f->grh + ROCECC_GRH_BYTES && f->udp == 0);
        LAW(f->ip.version == 0 && f->outer.version == 0);
        return LAW_START;
    }
    LAW(kind == ROCECC_PACKET_KIND_ROCEV2);
    LAW(f->ip.version != 0 && f->end <= f->ip.end);
    LAW(f->outer.version == 0 || f->end <= f->outer.end);
    LAW(f->outer.version == 0 || f->ip.end <= f->outer.end ||
        f->partial != ROCECC_PARTIAL_NONE);
    LAW(f->bth >= f->udp + 8u && (f->bth - f->udp) % 4 == 0);
    LAW((f->ifa | f->intmd) != 0 || (f->udp == f->ip.upper && f->bth == f->udp + 8u));
    LAW(f->partial != ROCECC_PARTIAL_TRIMMED || f->end == f->ip.end);
    return LAW_START;
}

/* Checks the values of an IP header that was found. */
LAW_FN uint32_t law_packet_ip(const rocecc_packet *p, const rocecc_headers_ip *at)
{
    uint32_t digest = LAW_START;
    rocecc_ip h;
    const rocecc_status status = rocecc_packet_ip(p, at, &h);
    const rocecc_partial partial = rocecc_packet_partial(p);
    LAW(partial == p->headers.partial || (p->headers.partial == ROCECC_PARTIAL_NONE &&
                                          partial == ROCECC_PARTIAL_CAPTURED));
    LAW((status == ROCECC_NO_MATCH) == (at->version == 0));
    LAW(status == ROCECC_OK || status == ROCECC_NO_MATCH);
    if (status != ROCECC_OK) return digest;
    LAW(h.version == at->version && h.dscp < 64 && h.ecn < 4 &&
        h.flow_label < 1u << 20);
    LAW(h.version == 6 || (rocecc_ip6_is_ip4(&h.src) && rocecc_ip6_is_ip4(&h.dst)));
    digest = law_mix(digest, h.dscp);
    digest = law_mix(digest, h.ecn);
    digest = law_mix(digest, h.hop_limit);
    digest = law_mix(digest, h.flow_label);
    digest = law_mix_address(digest, h.src.b, 16);
    return law_mix_address(digest, h.dst.b, 16);
}

/* Checks the chain from an IP header to the upper layer, byte for byte. */
LAW_FN uint32_t law_packet_exts(const rocecc_packet *p, const rocecc_headers_ip *ip)
{
    uint8_t type;
    rocecc_reader r = rocecc_packet_exts(p, ip, &type);
    rocecc_ip6ext ext;
    unsigned hop_by_hop = 0, routing = 0, dst_opts = 0;
    int i;
    const bool none = ip->version != 6;
    LAW(!none || (rocecc_left(&r) == 0 && type == 59));
    LAW(!none || ip->n_ext <= (ip->version == 4 ? 1 : 0)); /* AH may follow IPv4 */
    if (none) return LAW_START;
    for (i = 0; i < ROCECC_IP6EXT_MAX && i < ip->n_ext; i++) {
        const uint8_t is = type;
        LAW(rocecc_ip6ext_next(&r, &type, &ext) == ROCECC_OK && ext.type == is);
        if (is == 0 && hop_by_hop++ == 0) LAW(ext.header.at == ip->hop_by_hop);
        if (is == 43 && routing++ == 0) LAW(ext.header.at == ip->routing);
        if (is == 60 && dst_opts++ < 2)
            LAW(ext.header.at == ip->dst_opts[dst_opts == 1 ? 0 : 1]);
    }
    LAW((hop_by_hop == 0) == (ip->hop_by_hop == 0));
    LAW((routing == 0) == (ip->routing == 0));
    LAW((dst_opts < 1) == (ip->dst_opts[0] == 0));
    LAW((dst_opts < 2) == (ip->dst_opts[1] == 0));
    LAW(r.at == ip->upper && rocecc_left(&r) == 0 && type == ip->proto);
    return LAW_START;
}

#if !defined(__bpf__) && !defined(__FRAMAC__)
/* Offsets of the two ports of a flow. They differ if INT keeps the original port. */
typedef struct law_flow_ports {
    size_t src;
    size_t dst;
} law_flow_ports;

/* Checks the 5-tuple of one IP header against its bytes. */
static uint32_t law_flow_tuple(const rocecc_packet *p, const rocecc_headers_ip *ip,
                               const rocecc_flow *flow, law_flow_ports ports)
{
    const uint8_t *b = p->bytes.base;
    const uint8_t n = flow->proto;
    const int bytes = ip->version == 4 ? 4 : 16;
    const size_t src = ip->offset + (ip->version == 4 ? 12u : 8u);
    int i;
    LAW(ip->version == 4 || ip->version == 6);
    for (i = 0; i < bytes; i++) {
        LAW(flow->src.b[16 - bytes + i] == b[src + (size_t)i]);
        LAW(flow->dst.b[16 - bytes + i] == b[src + (size_t)(bytes + i)]);
    }
    for (i = 0; i < 16 - bytes; i++)
        LAW(flow->src.b[i] == (i < 10 ? 0 : 0xff) && flow->dst.b[i] == flow->src.b[i]);
    if (n != 6 && n != 17 && n != 33 && n != 132 && n != 136) {
        LAW(flow->src_port == 0 && flow->dst_port == 0);
        return LAW_START;
    }
    LAW(ports.src + 4 <= p->bytes.end && ports.src + 4 <= ip->end);
    LAW(ports.dst + 2 <= p->bytes.end && ports.dst + 2 <= ip->end);
    LAW(flow->src_port == rocecc_load16(b + ports.src));
    LAW(flow->dst_port == rocecc_load16(b + ports.dst));
    return LAW_START;
}

/* Checks the flow of a packet, and if there must be one. */
static uint32_t law_packet_flow(const rocecc_packet *p)
{
    const rocecc_headers *f = &p->headers;
    const uint8_t *b = p->bytes.base;
    const size_t upper = f->udp != 0 ? f->udp : f->ip.upper;
    const bool kept = f->udp != 0 && f->intmd > f->udp && (b[f->intmd] & 0xc) == 4;
    const law_flow_ports inner = {upper, (kept ? f->intmd : upper) + 2u};
    const law_flow_ports none = {0, 0};
    rocecc_flow in, out;
    const rocecc_status status = rocecc_packet_flow(p, &in);
    const rocecc_status around = rocecc_packet_outer_flow(p, &out);
    LAW(status == ROCECC_OK || status == ROCECC_NO_MATCH ||
        status == ROCECC_ERR_SHORT || status == ROCECC_ERR_FORMAT);
    LAW(f->outer.version == 0 ? around == status : around == ROCECC_OK);
    if (f->bth != 0) LAW(status == (f->grh != 0 ? ROCECC_NO_MATCH : ROCECC_OK));
    if (f->status == ROCECC_ERR_FORMAT && f->stopped != ROCECC_LAYER_OVERLAY)
        LAW(status == ROCECC_ERR_FORMAT);
    if (f->status == ROCECC_ERR_SHORT && f->stopped != ROCECC_LAYER_BTH &&
        f->stopped != ROCECC_LAYER_OVERLAY)
        LAW(status == ROCECC_ERR_SHORT);
    if (f->status == ROCECC_ERR_UNSUPPORTED &&
        (f->stopped == ROCECC_LAYER_IFA || f->stopped == ROCECC_LAYER_INTMD))
        LAW(status == ROCECC_NO_MATCH);
    if (f->stopped == ROCECC_LAYER_OVERLAY)
        LAW(status == (f->ip.version != 0 ? ROCECC_OK : ROCECC_NO_MATCH));
    if (around == ROCECC_OK && f->outer.version != 0) {
        LAW(out.proto == 4 || out.proto == 41);
        LAW(law_flow_tuple(p, &f->outer, &out, none) != LAW_BROKEN);
    }
    if (status != ROCECC_OK) return LAW_START;
    LAW(f->ip.fragment != ROCECC_IP_FRAGMENT_LATER);
    LAW(in.proto == (f->udp != 0 ? 17 : f->ip.proto));
    LAW(law_flow_tuple(p, &f->ip, &in, inner) != LAW_BROKEN);
    return LAW_START;
}

/* Checks that each VLAN tag follows its TPID. */
static uint32_t law_packet_vlans(const rocecc_packet *p)
{
    int i;
    for (i = 0; i < p->headers.n_vlan; i++) {
        const rocecc_reader tag = rocecc_packet_vlan(p, i);
        const uint16_t tpid = rocecc_load16(tag.base + tag.at - 2);
        LAW(rocecc_left(&tag) == 4 && tag.at >= p->bytes.at);
        LAW(tpid == 0x8100 || tpid == 0x88a8 || tpid == 0x9100);
    }
    return LAW_START;
}

/* Checks that the link layer's length field is in its place, before IP. */
static uint32_t law_packet_link(const rocecc_packet *p)
{
    const size_t link = p->headers.link, ip = rocecc_packet_outermost(p)->offset;
    const uint8_t *b = p->bytes.base + link;
    bool pppoe; /* PPPoE may have any bytes after its length, also LLC's */
    if (link == 0) return LAW_START;
    pppoe = b[-4] == 0x11 && rocecc_load16(b - 6) == 0x8864;
    LAW(pppoe || (rocecc_load16(b) <= 1500 && b[2] == 0xaa && b[3] == 0xaa));
    LAW(rocecc_packet_outermost(p)->version == 0 || ip >= link + (pppoe ? 4 : 10));
    return LAW_START;
}
#endif

/* Returns an offset for a packet that begins at `to` instead of `from`. 0 stays. */
LAW_FN uint16_t law_moved_(uint16_t at, size_t from, size_t to)
{
    return at != 0 ? (uint16_t)(at - from + to) : 0;
}

/* Moves every offset that is not 0. */
LAW_FN void law_where_ip_moved_(rocecc_headers_ip *ip, size_t from, size_t to)
{
    if (ip->version == 0) return;
    ip->offset = (uint16_t)(ip->offset - from + to);
    ip->upper = (uint16_t)(ip->upper - from + to);
    ip->end = (uint32_t)(ip->end - from + to);
    ip->hop_by_hop = law_moved_(ip->hop_by_hop, from, to);
    ip->dst_opts[0] = law_moved_(ip->dst_opts[0], from, to);
    ip->dst_opts[1] = law_moved_(ip->dst_opts[1], from, to);
    ip->routing = law_moved_(ip->routing, from, to);
}

LAW_FN void law_where_moved(rocecc_headers *g, size_t from, size_t to)
{
    law_where_ip_moved_(&g->outer, from, to);
    law_where_ip_moved_(&g->ip, from, to);
    g->link = law_moved_(g->link, from, to);
    g->csig = law_moved_(g->csig, from, to);
    g->cntag = law_moved_(g->cntag, from, to);
    g->ifa = law_moved_(g->ifa, from, to);
    g->udp = law_moved_(g->udp, from, to);
    g->intmd = law_moved_(g->intmd, from, to);
    g->overlay = law_moved_(g->overlay, from, to);
    g->inner = law_moved_(g->inner, from, to);
    g->grh = law_moved_(g->grh, from, to);
    g->bth = law_moved_(g->bth, from, to);
    if (g->end != 0) g->end = (uint32_t)(g->end - from + to);
}

/* Returns a digest of the headers of a packet that begins at `start`. Changes *g. */
LAW_FN uint32_t law_where_digest(rocecc_headers *g, size_t start, uint32_t digest)
{
    law_where_moved(g, start, 0);
    LAW_FIELDS(WHERE_FIELDS, g)
    return digest;
}

/* Checks a parsed packet, and returns its digest. *g is scratch. */
LAW_FN uint32_t law_packet_says(const rocecc_packet *p, rocecc_headers *g,
                                uint32_t digest)
{
    const rocecc_headers *f = &p->headers;
    LAW(law_where(f, p->bytes.at, p->bytes.end) != LAW_BROKEN);
    LAW(rocecc_packet_outermost(p) == (f->outer.version != 0 ? &f->outer : &f->ip));
#if !defined(__bpf__) && !defined(__FRAMAC__)
    LAW(law_packet_flow(p) != LAW_BROKEN);
    LAW(law_packet_vlans(p) != LAW_BROKEN);
    LAW(law_packet_link(p) != LAW_BROKEN);
    LAW(law_packet_exts(p, &f->outer) != LAW_BROKEN);
    LAW(law_packet_exts(p, &f->ip) != LAW_BROKEN);
#endif
    *g = *f;
    digest = law_where_digest(g, p->bytes.at, digest);
    digest = law_mix(digest, law_packet_ip(p, &f->outer));
    return law_mix(digest, law_packet_ip(p, &f->ip));
}

/* Checks a packet and up to two inner packets, as a monitoring port has them. */
LAW_FN uint32_t law_packet(rocecc_reader r)
{
    const rocecc_domain d = law_packet_domain(r);
    uint32_t digest = LAW_START;
    rocecc_packet p, again, kept;
    rocecc_reader none = r;
    rocecc_headers moved;
    int level;
    rocecc_status status = rocecc_packet_parse(&d, r, &p);
    LAW(rocecc_domain_init(&d) == ROCECC_DOMAIN_ACCEPTED);
    for (level = 0; level < 3; level++) {
        LAW(status == p.headers.status && p.domain == &d);
        kept = rocecc_packet_attach(&d, p.bytes, &p.headers);
        digest =
            law_mix(digest, law_packet_says(&kept, &moved, law_mix(LAW_START, status)));
        LAW(kept.domain == &d && kept.headers.cut == p.headers.cut &&
            kept.headers.next == p.headers.next);
        again = p;
        again.domain = NULL;
        none = rocecc_headers_inner_bytes(r, &p.headers);
        status = rocecc_packet_inner(&p, &again);
        LAW(again.domain == (p.headers.inner != 0 ? &d : NULL));
        if (p.headers.inner == 0) {
            LAW(status == ROCECC_NO_MATCH);
            LAW(rocecc_headers_parse_inner(&d, r, &p.headers, &moved) ==
                ROCECC_NO_MATCH);
            LAW(rocecc_left(&none) == 0);
            break;
        }
        LAW(again.bytes.at == p.headers.inner || again.bytes.at == p.bytes.end);
        p = again;
    }
    return digest;
}

#endif /* TESTS_LAW_PACKET_H */
