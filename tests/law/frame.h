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
    F(T, ENUM, stopped,                                                                \
      "ether vlan ipv4 ipv6 ip6ext udp grh bth upper csig cntag ifa intmd")            \
    F(T, UINT, n_vlan, NULL)                                                           \
    F(T, UINT, csig_bytes, NULL)                                                       \
    F(T, UINT, csig, NULL)                                                             \
    F(T, UINT, cntag, NULL)                                                            \
    FRAME_IP_FIELDS(F, T, outer)                                                       \
    FRAME_IP_FIELDS(F, T, ip)                                                          \
    F(T, UINT, ifa, NULL)                                                              \
    F(T, UINT, udp, NULL)                                                              \
    F(T, UINT, ifa_metadata, NULL)                                                     \
    F(T, UINT, intmd, NULL)                                                            \
    F(T, UINT, grh, NULL)                                                              \
    F(T, UINT, bth, NULL)                                                              \
    F(T, UINT, end, NULL)

#define FLOW_FIELDS(F, T)                                                              \
    F(T, IP6, src, NULL)                                                               \
    F(T, IP6, dst, NULL)                                                               \
    F(T, UINT, src_port, NULL)                                                         \
    F(T, UINT, dst_port, NULL)                                                         \
    F(T, UINT, proto, NULL)

/* For laws whose rows are frames or datagrams: what begins with 4 or 6 is an IP header.
 */
LAW_FN rocecc_frame_config law_frame_config(rocecc_reader r)
{
    rocecc_frame_config c = {0};
    const uint8_t *b = rocecc_take(&r, 1);
    c.ip_first = b != NULL && (*b >> 4 == 4 || *b >> 4 == 6);
    return c;
}

/* Every offset of a frame, of those that are not 0, as if it began elsewhere. */
LAW_FN void law_frame_ip_move_(rocecc_frame_ip *ip, size_t from, size_t to)
{
    int i;
    if (ip->version == 0) return;
    ip->at = (uint16_t)(ip->at - from + to);
    if (ip->upper != 0) ip->upper = (uint16_t)(ip->upper - from + to);
    if (ip->end != 0) ip->end = (uint32_t)(ip->end - from + to);
    for (i = 0; i < ROCECC_IP6EXT_MAX && i < ip->n_ext; i++)
        ip->ext[i] = (uint16_t)(ip->ext[i] - from + to);
}

LAW_FN rocecc_frame law_frame_moved(const rocecc_frame *f, size_t from, size_t to)
{
    rocecc_frame g = *f;
    law_frame_ip_move_(&g.outer, from, to);
    law_frame_ip_move_(&g.ip, from, to);
    if (g.csig != 0) g.csig = (uint16_t)(g.csig - from + to);
    if (g.cntag != 0) g.cntag = (uint16_t)(g.cntag - from + to);
    if (g.ifa != 0) g.ifa = (uint16_t)(g.ifa - from + to);
    if (g.udp != 0) g.udp = (uint16_t)(g.udp - from + to);
    if (g.ifa_metadata != 0) g.ifa_metadata = (uint16_t)(g.ifa_metadata - from + to);
    if (g.intmd != 0) g.intmd = (uint16_t)(g.intmd - from + to);
    if (g.grh != 0) g.grh = (uint16_t)(g.grh - from + to);
    if (g.bth != 0) g.bth = (uint16_t)(g.bth - from + to);
    if (g.end != 0) g.end = (uint32_t)(g.end - from + to);
    return g;
}

/* What IFA and INT have around UDP, and in which order. */
LAW_FN uint32_t law_frame_telemetry(const rocecc_frame *f)
{
    LAW(rocecc_frame_has_telemetry(f) == (f->ifa != 0 || f->intmd != 0));
    LAW(f->ifa == 0 || (f->ifa == f->ip.upper && f->intmd == 0));
    LAW(f->ifa_metadata == 0 || (f->ifa != 0 && f->ifa_metadata == f->udp + 8));
    LAW(f->ifa == 0 || f->udp == 0 || f->udp == f->ifa + 4);
    LAW(f->udp == 0 || f->ifa != 0 || f->udp == f->ip.upper || f->intmd != 0);
    LAW(f->intmd == 0 || f->intmd == f->ip.upper + 8);
    LAW(f->intmd == 0 || f->udp == f->ip.upper || f->udp >= f->intmd + 4);
    LAW(f->grh == 0 || !rocecc_frame_has_telemetry(f));
    LAW(rocecc_frame_outermost(f)->at ==
        (f->outer.version != 0 ? f->outer.at : f->ip.at));
    if (f->bth == 0 || f->grh != 0) return LAW_START;
    LAW((f->ifa != 0) == (f->ifa_metadata != 0));
    if (f->ifa != 0) {
        LAW(f->bth >= f->ifa_metadata + 4 && f->bth <= f->ifa_metadata + 4 + 8 + 1020);
        LAW((f->bth - f->ifa_metadata) % 4 == 0);
    } else if (f->intmd != 0 && f->udp == f->ip.upper) {
        LAW(f->bth >= f->intmd + 4 && f->bth <= f->intmd + 4 + 1020);
        LAW((f->bth - f->intmd) % 4 == 0);
    } else {
        LAW(f->bth == f->udp + ROCECC_UDP_BYTES);
        LAW(f->intmd == 0 || (f->udp - f->intmd) % 4 == 0);
    }
    return LAW_START;
}

/* Headers stand one behind the other, and lengths within lengths. */
LAW_FN uint32_t law_frame_order(const rocecc_reader *r, const rocecc_frame *f)
{
    const size_t ether =
        r->at + 14 + 4 * (size_t)f->n_vlan + f->csig_bytes + (f->cntag != 0 ? 4 : 0);
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
    LAW(f->ip.proto == ROCECC_PROTO_UDP || f->ifa != 0);
    LAW(f->end <= f->ip.end);
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
LAW_FN uint32_t law_frame_chain(rocecc_reader r, const rocecc_frame_ip *ip)
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

#define LAW_FRAME_COMPACT 0x9900 /* the TPIDs of tests/law/csig.h */
#define LAW_FRAME_WIDE 0x9901
#define LAW_FRAME_IFA 253
#define LAW_FRAME_INTMD 5000 /* that of tests/law/intmd.h */

/* From the IP header on, without Ethernet: the same headers in the same places. */
LAW_FN uint32_t law_frame_ip_first(rocecc_reader r, const rocecc_frame *f)
{
    const rocecc_frame_config ip_first = {
        .ip_first = true, .ifa_protocol = LAW_FRAME_IFA, .intmd_port = LAW_FRAME_INTMD};
    rocecc_frame g;
    if (f->ip.version == 0) return LAW_START;
    r = rocecc_between(r, f->outer.version != 0 ? f->outer.at : f->ip.at, r.end);
    if (r.at > ROCECC_FRAME_START_MAX) return LAW_START;
    LAW(rocecc_frame_locate(&ip_first, r, &g) == (rocecc_status)f->status);
    LAW(g.kind == f->kind && g.stopped == f->stopped && g.n_vlan == 0);
    LAW(g.bth == f->bth && g.end == f->end && g.udp == f->udp);
    LAW(g.ifa == f->ifa && g.ifa_metadata == f->ifa_metadata && g.intmd == f->intmd);
    LAW(g.ip.upper == f->ip.upper && g.ip.end == f->ip.end &&
        g.ip.n_ext == f->ip.n_ext);
    LAW(g.outer.upper == f->outer.upper && g.outer.end == f->outer.end);
    return LAW_START;
}

#if !defined(__bpf__) && !defined(__FRAMAC__)
/* The offset of the fragment that an IP header begins, from its bytes; 0: a whole one.
 */
static uint32_t law_frame_fragment(const uint8_t *base, const rocecc_frame_ip *ip)
{
    uint32_t offset = 0;
    int i;
    if (ip->version == 4) return rocecc_load16(base + ip->at + 6) & 0x1fff;
    for (i = 0; i < ip->n_ext; i++)
        if (ip->ext_type[i] == 44) offset |= rocecc_load16(base + ip->ext[i] + 2) >> 3;
    return offset;
}

/* The 5-tuple of one level, from its bytes; the ports stand at `ports`. */
static uint32_t law_frame_tuple(rocecc_reader r, const rocecc_frame_ip *ip,
                                const rocecc_flow *flow, size_t ports)
{
    const uint8_t *b = r.base;
    const uint8_t p = flow->proto;
    const int n = ip->version == 4 ? 4 : 16;
    const size_t src = ip->at + (ip->version == 4 ? 12u : 8u);
    int i;
    LAW(ip->version == 4 || ip->version == 6);
    for (i = 0; i < n; i++) {
        LAW(flow->src.b[16 - n + i] == b[src + (size_t)i]);
        LAW(flow->dst.b[16 - n + i] == b[src + (size_t)(n + i)]);
    }
    for (i = 0; i < 16 - n; i++)
        LAW((flow->src.b[i] & flow->dst.b[i]) == (i < 10 ? 0 : 0xff) &&
            flow->src.b[i] == flow->dst.b[i]);
    LAW(law_frame_fragment(b, ip) == 0);
    if (p == 6 || p == 17 || p == 33 || p == 132 || p == 136) {
        LAW(ports + 4 <= r.end && ports + 4 <= ip->end);
        LAW(flow->src_port == rocecc_load16(b + ports));
    } else {
        LAW(flow->src_port == 0 && flow->dst_port == 0);
    }
    return LAW_START;
}

/* What a flow promises, and when there is to be one. */
static uint32_t law_frame_flow(rocecc_reader r, const rocecc_frame *f)
{
    const rocecc_reader less = rocecc_between(r, r.at, r.at + rocecc_left(&r) / 2);
    const uint8_t *b = r.base;
    rocecc_flow in, out, again;
    const rocecc_status status = rocecc_frame_flow(r, f, &in);
    const rocecc_status around = rocecc_frame_outer_flow(r, f, &out);
    LAW(status == ROCECC_OK || status == ROCECC_NO_MATCH ||
        status == ROCECC_ERR_SHORT || status == ROCECC_ERR_FORMAT);
    LAW(f->outer.version == 0 ? around == status : around == ROCECC_OK);
    if (f->bth != 0) LAW(status == (f->grh != 0 ? ROCECC_NO_MATCH : ROCECC_OK));
    if (f->status == ROCECC_ERR_FORMAT) LAW(status == ROCECC_ERR_FORMAT);
    if (f->kind == ROCECC_FRAME_UDP && f->status == ROCECC_NO_MATCH && f->intmd == 0)
        LAW(status == ROCECC_OK);
    if (rocecc_frame_flow(less, f, &again) == ROCECC_OK)
        LAW(status == ROCECC_OK && rocecc_flow_match(&again, &in));
    if (around == ROCECC_OK && f->outer.version != 0) {
        LAW(out.proto == 4 || out.proto == 41);
        LAW(law_frame_tuple(r, &f->outer, &out, 0) != LAW_BROKEN);
    }
    if (status != ROCECC_OK) return LAW_START;
    LAW(f->status != ROCECC_ERR_SHORT || f->stopped == ROCECC_LAYER_BTH);
    LAW(in.proto == (f->udp != 0 ? 17 : f->ip.proto));
    LAW(law_frame_tuple(r, &f->ip, &in, f->udp != 0 ? f->udp : f->ip.upper) !=
        LAW_BROKEN);
    if (rocecc_flow_has_ports(in.proto))
        LAW(in.dst_port == rocecc_load16(b + (f->intmd > f->udp ? f->intmd + 2u
                                              : f->udp != 0     ? f->udp + 2u
                                                                : f->ip.upper + 2u)));
    return LAW_START;
}

/* The types that a frame tells one after the other are its tags and in their places. */
static uint32_t law_frame_tags(const rocecc_frame_config *c, rocecc_reader r,
                               const rocecc_frame *f)
{
    const rocecc_reader frame = r;
    unsigned vlans = 0, csigs = 0, cntags = 0;
    const uint8_t *b = rocecc_take(&r, 14);
    if (b == NULL) return LAW_START;
    for (b += 12;; b += 2) {
        const uint16_t type = rocecc_load16(b);
        const size_t at = r.at - 2;
        if (type == 0x8100 || type == 0x88a8) {
            rocecc_reader tag;
            if (vlans == f->n_vlan) break;
            tag = rocecc_frame_vlan(frame, f, (int)vlans++);
            LAW(tag.at == r.at && rocecc_left(&tag) == 4);
            b = rocecc_take(&r, 4);
        } else if (type != 0 && type == c->csig.compact_tpid) {
            if (f->csig != at) break;
            LAW(f->csig_bytes == 4 && vlans <= 2 && cntags == 0);
            csigs++;
            b = rocecc_take(&r, 4);
        } else if (type != 0 && type == c->csig.wide_tpid) {
            if (f->csig != at) break;
            LAW(f->csig_bytes == 8 && vlans <= 2 && cntags == 0);
            csigs++;
            b = rocecc_take(&r, 8);
            if (b != NULL) b += 4;
        } else if (type == 0x22e9) {
            if (f->cntag != at) break;
            cntags++;
            b = rocecc_take(&r, 4);
        } else {
            break;
        }
        LAW(b != NULL);
    }
    LAW(vlans == f->n_vlan && csigs == (f->csig != 0) && cntags == (f->cntag != 0));
    LAW((f->csig != 0) == (f->csig_bytes != 0));
    return LAW_START;
}

#define LAW_FRAME_BYTES 8192 /* of a copy */

/* Without its CSIG tag and CN-TAG, a frame has the same headers, so many bytes sooner.
 */
static uint32_t law_frame_stripped(const rocecc_frame_config *c, rocecc_reader r,
                                   const rocecc_frame *f)
{
    rocecc_frame_config off = *c;
    const uint16_t gone = (uint16_t)(f->csig_bytes + (f->cntag != 0 ? 4 : 0));
    static LAW_ROOM(bytes, LAW_FRAME_BYTES);
    rocecc_frame g;
    size_t n = 0, at;
    off.csig.compact_tpid = off.csig.wide_tpid = 0;
    if (f->csig == 0 &&
        f->stopped != ROCECC_LAYER_CSIG) { /* then it is not asked for */
        LAW(rocecc_frame_locate(&off, r, &g) == (rocecc_status)f->status);
        LAW(g.kind == f->kind && g.stopped == f->stopped && g.n_vlan == f->n_vlan);
        LAW(g.csig == 0 && g.csig_bytes == 0 && g.cntag == f->cntag);
        LAW(g.bth == f->bth && g.udp == f->udp && g.grh == f->grh && g.end == f->end);
    }
    if (gone == 0 || rocecc_left(&r) > LAW_FRAME_BYTES) return LAW_START;
    for (at = r.at; at < r.end; at++)
        if (!(f->csig != 0 && at - f->csig < f->csig_bytes) &&
            !(f->cntag != 0 && at - f->cntag < 4))
            bytes[n++] = r.base[at];
    if (f->stopped == ROCECC_LAYER_VLAN || f->stopped == ROCECC_LAYER_CSIG ||
        f->stopped == ROCECC_LAYER_CNTAG)
        return LAW_START; /* refused for what is gone, or cut in it */
    LAW(rocecc_frame_locate(c, law_reader(bytes, n), &g) == (rocecc_status)f->status);
    LAW(g.kind == f->kind && g.stopped == f->stopped && g.n_vlan == f->n_vlan);
    LAW(g.csig == 0 && g.cntag == 0);
    LAW(g.bth == (f->bth == 0 ? 0 : f->bth - gone - r.at + law_front()));
    LAW(g.udp == (f->udp == 0 ? 0 : f->udp - gone - r.at + law_front()));
    LAW(g.end == (f->end == 0 ? 0 : f->end - gone - r.at + law_front()));
    return LAW_START;
}

/* A length or a number of 16 bits that loses some. */
static void law_frame_less(uint8_t *b, size_t by)
{
    rocecc_store16(b, (uint16_t)(rocecc_load16(b) - by));
}

/*
 * What a sink makes of a frame with IFA or INT: takes them out, and the headers before
 * them say so. Gives the bytes that are left, or 0 where there are too many.
 */
static size_t law_frame_sink(rocecc_reader r, const rocecc_frame *f, uint8_t *to,
                             size_t room)
{
    const rocecc_frame_ip *ip = &f->ip, *outer = &f->outer;
    const size_t first = f->ifa != 0 ? f->ifa : f->intmd;
    const size_t more = f->ifa != 0 ? (size_t)f->udp - f->ifa : 0;
    const size_t second = f->ifa != 0 ? f->ifa_metadata : 0;
    const bool new_udp = f->intmd != 0 && f->udp > f->intmd;
    const size_t start = new_udp ? first - 8 : first;
    const size_t end = f->ifa != 0 ? first + more : new_udp ? f->udp : f->bth;
    const size_t gone = end - start + (second != 0 ? f->bth - second : 0);
    size_t n = 0, at;
    if (rocecc_left(&r) > room) return 0;
    for (at = r.at; at < r.end; at++)
        if (!(at >= start && at < end) && !(second != 0 && at >= second && at < f->bth))
            to[n++] = r.base[at];
    if (f->intmd != 0 && !new_udp) {
        law_frame_less(to + f->udp - r.at + 4, gone);
        rocecc_store16(to + f->udp - r.at + 2, rocecc_load16(r.base + f->intmd + 2));
    }
    law_frame_less(to + ip->at - r.at + (ip->version == 4 ? 2 : 4), gone);
    if (outer->version != 0)
        law_frame_less(to + outer->at - r.at + (outer->version == 4 ? 2 : 4), gone);
    if (ip->n_ext != 0)
        to[ip->ext[ip->n_ext - 1] - r.at] = ROCECC_PROTO_UDP;
    else
        to[ip->at - r.at + (ip->version == 4 ? 9 : 6)] = ROCECC_PROTO_UDP;
    return n;
}

/* Behind the sink, the BTH is found without knowing of IFA and INT. */
static uint32_t law_frame_sunk(rocecc_reader r, const rocecc_frame *f)
{
    const rocecc_frame_config plain = {
        .csig = {LAW_FRAME_COMPACT, LAW_FRAME_WIDE, false}};
    static LAW_ROOM(bytes, LAW_FRAME_BYTES);
    rocecc_flow told, sunk;
    rocecc_frame g;
    size_t n;
    if (f->bth == 0 || !rocecc_frame_has_telemetry(f)) return LAW_START;
    n = law_frame_sink(r, f, bytes, LAW_FRAME_BYTES);
    if (n == 0) return LAW_START;
    LAW(rocecc_frame_locate(&plain, law_reader(bytes, n), &g) == ROCECC_OK);
    LAW(!rocecc_frame_has_telemetry(&g) && g.ip.proto == ROCECC_PROTO_UDP);
    LAW(g.bth == g.udp + ROCECC_UDP_BYTES && g.udp == g.ip.upper);
    LAW(g.end - g.bth == f->end - f->bth);
    LAW(rocecc_left(&r) - n == f->bth - r.at - (g.bth - law_front()));
    LAW(f->ip.end - r.at - (g.ip.end - law_front()) == rocecc_left(&r) - n);
    LAW(g.ip.at == f->ip.at - r.at + law_front() && g.ip.n_ext == f->ip.n_ext);
    LAW(rocecc_frame_flow(r, f, &told) == ROCECC_OK);
    LAW(rocecc_frame_flow(law_reader(bytes, n), &g, &sunk) == ROCECC_OK);
    LAW(rocecc_flow_match(&told, &sunk));
    return LAW_START;
}

#endif

/* Offsets as they would be in a buffer of its own, which BPF and Frama-C have. */
#if defined(__bpf__) || defined(__FRAMAC__)
#define LAW_FRAME_DIGEST(r, f) LAW_FIELDS(FRAME_FIELDS, f)
#else
#define LAW_FRAME_DIGEST(r, f)                                                         \
    {                                                                                  \
        const rocecc_frame g = law_frame_moved(f, r.at, 0);                            \
        LAW_FIELDS(FRAME_FIELDS, &g)                                                   \
    }
#endif

/* A frame is located; and what that says. Apart, as a verifier forgets in between by
 * which of many ways it came. */
LAW_FN uint32_t law_frame_locate(const rocecc_frame_config *c, rocecc_reader r,
                                 rocecc_frame *f)
{
    const size_t found = rocecc_frame_locate_burst(c, &r, f, 1);
    const rocecc_status status = (rocecc_status)f->status;
    LAW(found == (status == ROCECC_OK ? 1 : 0));
    LAW(status != ROCECC_END && status != ROCECC_ERR_RANGE &&
        status != ROCECC_ERR_SPACE);
    return law_mix(LAW_START, status);
}

LAW_FN uint32_t law_frame_says(rocecc_reader r, const rocecc_frame *f, uint32_t digest)
{
    LAW_FRAME_DIGEST(r, f)
    if (f->ip.n_ext != 0) {
        const rocecc_reader first = rocecc_frame_ext(r, &f->ip, 0);
        digest = law_mix(digest, rocecc_left(&first));
    }
    return digest;
}

LAW_FN rocecc_frame_config law_frame_all(void)
{
    const rocecc_frame_config c = {.csig = {LAW_FRAME_COMPACT, LAW_FRAME_WIDE, false},
                                   .ifa_protocol = LAW_FRAME_IFA,
                                   .intmd_port = LAW_FRAME_INTMD};
    return c;
}

LAW_FN uint32_t law_frame(rocecc_reader r)
{
    const rocecc_frame_config c = law_frame_all();
    rocecc_frame f[1];
    uint32_t digest = law_frame_locate(&c, r, f);
    LAW(digest != LAW_BROKEN);
    digest = law_frame_says(r, f, digest);
#if !defined(__bpf__)
    LAW(law_frame_order(&r, f) != LAW_BROKEN);
    LAW(law_frame_telemetry(f) != LAW_BROKEN);
    if (f->status == ROCECC_OK) {
        LAW(law_frame_chain(r, &f->ip) != LAW_BROKEN);
        LAW(law_frame_chain(r, &f->outer) != LAW_BROKEN);
    }
    LAW(law_frame_ip_first(r, f) != LAW_BROKEN);
#endif
#if !defined(__bpf__) && !defined(__FRAMAC__)
    LAW(law_frame_flow(r, f) != LAW_BROKEN);
    LAW(law_frame_tags(&c, r, f) != LAW_BROKEN);
    LAW(law_frame_stripped(&c, r, f) != LAW_BROKEN);
    LAW(law_frame_sunk(r, f) != LAW_BROKEN);
#endif
    return digest;
}

#endif /* TESTS_LAW_FRAME_H */
