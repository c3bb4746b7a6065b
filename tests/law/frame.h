/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_FRAME_H
#define TESTS_LAW_FRAME_H

#include "law.h"
#include "rocecc/wire/frame.h"

#define FRAME_IP_FIELDS(F, T, ip)                                                      \
    F(T, UINT, ip.version, NULL)                                                       \
    F(T, UINT, ip.proto, NULL)                                                         \
    F(T, UINT, ip.n_ext, NULL)                                                         \
    F(T, UINT, ip.ext_type[0], NULL)                                                   \
    F(T, UINT, ip.ext_type[1], NULL)                                                   \
    F(T, UINT, ip.ext_type[2], NULL)                                                   \
    F(T, UINT, ip.ext_type[3], NULL)                                                   \
    F(T, UINT, ip.ext_type[4], NULL)                                                   \
    F(T, UINT, ip.ext_type[5], NULL)                                                   \
    F(T, UINT, ip.ext_type[6], NULL)                                                   \
    F(T, UINT, ip.ext_type[7], NULL)                                                   \
    F(T, UINT, ip.ext[0], NULL)                                                        \
    F(T, UINT, ip.ext[1], NULL)                                                        \
    F(T, UINT, ip.ext[2], NULL)                                                        \
    F(T, UINT, ip.ext[3], NULL)                                                        \
    F(T, UINT, ip.ext[4], NULL)                                                        \
    F(T, UINT, ip.ext[5], NULL)                                                        \
    F(T, UINT, ip.ext[6], NULL)                                                        \
    F(T, UINT, ip.ext[7], NULL)                                                        \
    F(T, UINT, ip.at, NULL)                                                            \
    F(T, UINT, ip.upper, NULL)                                                         \
    F(T, UINT, ip.end, NULL)

#define FRAME_FIELDS(F, T)                                                             \
    F(T, ENUM, kind, "other tcp udp rocev1 rocev2")                                    \
    F(T, ENUM, stopped, "ether vlan ipv4 ipv6 ip6ext udp grh bth upper")               \
    F(T, UINT, n_vlan, NULL)                                                           \
    FRAME_IP_FIELDS(F, T, outer)                                                       \
    FRAME_IP_FIELDS(F, T, ip)                                                          \
    F(T, UINT, udp, NULL)                                                              \
    F(T, UINT, grh, NULL)                                                              \
    F(T, UINT, bth, NULL)                                                              \
    F(T, UINT, end, NULL)

/* For laws whose rows are frames or datagrams: what begins with 4 or 6 is an IP header.
 */
ROCECC_FN rocecc_frame_config law_frame_config(rocecc_reader r)
{
    rocecc_frame_config c = {false, 0};
    const uint8_t *b = rocecc_take(&r, 1);
    c.ip_first = b != NULL && (*b >> 4 == 4 || *b >> 4 == 6);
    return c;
}

/* Headers stand one behind the other, and lengths within lengths. */
ROCECC_FN uint32_t law_frame_order(const rocecc_reader *r, const rocecc_frame *f)
{
    const size_t ether = r->at + 14 + 4 * (size_t)f->n_vlan;
    LAW((f->status == ROCECC_OK) == (f->bth != 0));
    LAW((f->bth != 0) == (f->stopped == ROCECC_LAYER_BTH && f->status == ROCECC_OK));
    if (f->bth == 0) return LAW_START;
    LAW(f->bth + (size_t)ROCECC_BTH_BYTES <= r->end);
    LAW(f->end >= f->bth + (size_t)ROCECC_BTH_BYTES + 4);
    if (f->kind == ROCECC_FRAME_ROCEV1) {
        LAW(f->grh == ether && f->bth == f->grh + ROCECC_GRH_BYTES);
        LAW(f->ip.version == 0 && f->outer.version == 0 && f->udp == 0);
        return LAW_START;
    }
    LAW(f->kind == ROCECC_FRAME_ROCEV2 && f->grh == 0);
    LAW(f->ip.proto == ROCECC_PROTO_UDP && f->udp == f->ip.upper);
    LAW(f->bth == f->udp + ROCECC_UDP_BYTES && f->end <= f->ip.end);
    LAW(f->ip.version == 4 || f->ip.version == 6);
    LAW(f->ip.at + (f->ip.version == 4 ? 20 : 40) + 8 * f->ip.n_ext <= f->ip.upper);
    if (f->outer.version == 0) {
        LAW(f->ip.at == ether);
    } else {
        LAW(f->outer.at == ether && f->ip.at == f->outer.upper);
        LAW(f->ip.end <= f->outer.end);
        LAW(f->outer.proto ==
            (f->ip.version == 4 ? ROCECC_PROTO_IPV4 : ROCECC_PROTO_IPV6));
    }
    return LAW_START;
}

/* A chain of extension headers is one: from the IP header to the upper layer. */
ROCECC_FN uint32_t law_frame_chain(rocecc_reader r, const rocecc_frame_ip *ip)
{
    rocecc_ip6ext ext;
    rocecc_ipv6 h;
    rocecc_status status;
    int i;
    if (ip->version != 6) return LAW_START;
    r = rocecc_between(r, ip->at, ip->upper);
    status = rocecc_ipv6_parse(&r, &h);
    LAW(status == ROCECC_OK);
    if (status != ROCECC_OK) return LAW_BROKEN;
    for (i = 0; i < ip->n_ext; i++) {
        const rocecc_reader one = rocecc_frame_ext(r, ip, i);
        LAW(ip->ext[i] == r.at && ip->ext_type[i] == h.next_header);
        LAW(one.at == r.at);
        LAW(rocecc_ip6ext_next(&r, &h.next_header, &ext) == ROCECC_OK);
        LAW(one.end == r.at);
    }
    LAW(r.at == ip->upper && h.next_header == ip->proto);
    return LAW_START;
}

/* From the IP header on, without Ethernet: the same headers in the same places. */
ROCECC_FN uint32_t law_frame_ip_first(rocecc_reader r, const rocecc_frame *f)
{
    const rocecc_frame_config ip_first = {true, 0};
    rocecc_frame g;
    if (f->ip.version == 0) return LAW_START;
    r = rocecc_between(r, f->outer.version != 0 ? f->outer.at : f->ip.at, r.end);
    LAW(rocecc_frame_locate(&ip_first, r, &g) == (rocecc_status)f->status);
    LAW(g.kind == f->kind && g.stopped == f->stopped && g.n_vlan == 0);
    LAW(g.bth == f->bth && g.end == f->end && g.udp == f->udp);
    LAW(g.ip.upper == f->ip.upper && g.ip.end == f->ip.end &&
        g.ip.n_ext == f->ip.n_ext);
    LAW(g.outer.upper == f->outer.upper && g.outer.end == f->outer.end);
    return LAW_START;
}

ROCECC_FN uint32_t law_frame(rocecc_reader r)
{
    const rocecc_frame_config c = {false, 0};
    uint32_t digest = LAW_START;
    rocecc_frame f[1];
    const size_t found = rocecc_frame_locate_burst(&c, &r, f, 1);
    const rocecc_status status = (rocecc_status)f->status;
    LAW(found == (status == ROCECC_OK ? 1 : 0));
    digest = law_mix(digest, status);
    LAW(status != ROCECC_END && status != ROCECC_ERR_RANGE &&
        status != ROCECC_ERR_SPACE);
    LAW_FIELDS(FRAME_FIELDS, f)
    if (f->ip.n_ext != 0) {
        const rocecc_reader first = rocecc_frame_ext(r, &f->ip, 0);
        digest = law_mix(digest, rocecc_left(&first));
    }
#if !defined(__bpf__)
    LAW(law_frame_order(&r, f) != LAW_BROKEN);
    if (status == ROCECC_OK) {
        LAW(law_frame_chain(r, &f->ip) != LAW_BROKEN);
        LAW(law_frame_chain(r, &f->outer) != LAW_BROKEN);
    }
    LAW(law_frame_ip_first(r, f) != LAW_BROKEN);
#endif
    return digest;
}

#endif /* TESTS_LAW_FRAME_H */
