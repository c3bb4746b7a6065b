/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz-seeds: packet */
#include "lib/fuzz.h"
#include "lib/mend.h"
#include "lib/walk.c"
#include "lib/walk_domain.h"
#include "rocecc/packet/packet.h"

/*
 * Compares the library's walk with tests/lib/walk.c, written from the RFCs without
 * shared code. Both walk the frame and its inner packets, at most three levels deep.
 * The hash of the bytes selects the domain.
 */
#define SAME_IP(F, a, b)                                                               \
    F((a)->version, (b)->version)                                                      \
    F((a)->proto, (b)->proto)                                                          \
    F((a)->n_ext, (b)->n_ext)                                                          \
    F((a)->fragment, (b)->fragment)                                                    \
    F((a)->offset, (b)->at)                                                            \
    F((a)->hop_by_hop, (b)->hop_by_hop)                                                \
    F((a)->dst_opts[0], (b)->dst_opts[0])                                              \
    F((a)->dst_opts[1], (b)->dst_opts[1])                                              \
    F((a)->routing, (b)->routing)                                                      \
    F((a)->upper, (b)->upper)                                                          \
    F((a)->end, (b)->end)

#define SAME(F, a, b)                                                                  \
    F((a)->status, (b)->status)                                                        \
    F((a)->kind, (b)->kind)                                                            \
    F((a)->stopped, (b)->stopped)                                                      \
    F((a)->tunnel, (b)->tunnel)                                                        \
    F((a)->next, (b)->next)                                                            \
    F((a)->n_vlan, (b)->n_vlan)                                                        \
    F((a)->csig_bytes, (b)->csig_bytes)                                                \
    F((a)->link, (uint16_t)(b)->link)                                                  \
    F((a)->csig, (b)->csig)                                                            \
    F((a)->cntag, (b)->cntag)                                                          \
    F((a)->ifa, (b)->ifa)                                                              \
    F((a)->udp, (b)->udp)                                                              \
    F((a)->intmd, (b)->intmd)                                                          \
    F((a)->overlay, (b)->overlay)                                                      \
    F((a)->inner, (b)->inner)                                                          \
    F((a)->inner_type, (b)->inner_type)                                                \
    F((a)->cut, (b)->cut)                                                              \
    F((a)->grh, (b)->grh)                                                              \
    F((a)->bth, (b)->bth)                                                              \
    F((a)->end, (b)->end)                                                              \
    F((a)->partial, (b)->partial)                                                      \
    SAME_IP(F, &(a)->outer, &(b)->outer)                                               \
    SAME_IP(F, &(a)->ip, &(b)->ip)

#define HOLD(a, b) LAW((a) == (b));

static uint32_t same(const rocecc_headers *f, const walk_result *r)
{
    SAME(HOLD, f, r)
    return LAW_START;
}

/* In 15 of 16 domains, bytes that begin with 4 or 6 are IP, and others Ethernet. */
static rocecc_domain domain_of(uint32_t bits, uint8_t first)
{
    rocecc_domain d = {0};
    const bool ip = first >> 4 == 4 || first >> 4 == 6;
    d.link = ip != ((bits & 15) == 0) ? ROCECC_LINK_IP : ROCECC_LINK_ETHER;
    if (bits >> 4 & 1) d.tag.vlan_tpid = 0x9100;
    if (bits >> 15 & 1) d.tag.etag_type = 0x893f;
    if (bits >> 16 & 1) d.tag.vntag_type = 0x8926;
    if (bits >> 17 & 1) d.tag.arista_type = 0xd28b;
    d.ah = (bits >> 18 & 1) != 0;
    if (bits >> 19 & 1) {
        d.overlay.own_ports = true;
        d.overlay.vxlan_port = 8472;
        d.overlay.vxlan_gpe_port = 4790;
        d.overlay.gre_port = 4754;
        if (bits >> 20 & 1) d.overlay.vxlan_port_2 = 4789;
    }
    if (bits >> 5 & 1) d.csig.compact_tpid = 0x9900;
    if (bits >> 6 & 1) d.csig.wide_tpid = 0x9901;
    if (bits >> 7 & 1) d.ifa.protocol = 253;
    if (bits >> 8 & 1) d.intmd.udp_port = 5000;
    if (bits >> 9 & 1) d.intmd.dscp_mask = 0x3f;
    d.intmd.dscp = 0x15;
    if (bits >> 10 & 1) d.intmd.probe_marker = 0x0123456789abcdef;
    d.intmd.before_options = (bits >> 11 & 1) != 0;
    if ((bits >> 12 & 7) == 0) d.rocev2_port = 1021;
    return d;
}

static uint32_t law_walks(rocecc_reader r)
{
    const uint32_t bits = fuzz_hash(r.base + r.at, rocecc_left(&r));
    const rocecc_domain d = domain_of(bits, r.at < r.end ? r.base[r.at] : 0);
    const walk_domain w = walk_domain_of(&d);
    walk_place place = {.n = r.end};
    walk_result is;
    rocecc_packet p;
    int level;
    LAW(rocecc_packet_parse(&d, r, &p) == p.headers.status);
    walk(&w, r.base, r.at, r.end, &is);
    for (level = 0;; level++) {
        const walk_partial cut = is.cut ? WALK_MIRRORED : WALK_WHOLE;
        LAW(same(&p.headers, &is) != LAW_BROKEN);
        if (is.inner == 0 || level == 3) return LAW_START;
        /* A length beyond the bytes of a partial packet adds no bytes. */
        if (is.end != 0 && is.end < place.n) place.n = is.end;
        place.start = is.inner;
        place.type = is.inner_type;
        place.declared = is.end == 0 ? SIZE_MAX : is.end;
        place.why = is.partial != WALK_WHOLE ? is.partial : cut;
        (void)rocecc_packet_inner(&p, &p);
        walk_at(&w, r.base, &place, &is);
    }
}

FUZZ_FRAME(law_walks)
FUZZ_MEND(mend_packet)
