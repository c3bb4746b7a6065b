/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_FASTCNP_H
#define ROCECC_PACKET_FASTCNP_H

/*
 * fastcnp.h - the Fast CNP option of a packet, and what a Fast CNP about a packet has
 * to say. wire/fastcnp.h has the figure and the option's format; its types are those of
 * the packet's domain.
 *
 *     rocecc_fastcnp_find(&packet, &h)   a CNP came: ROCECC_NO_MATCH, it is an ordinary
 *     rocecc_fastcnp_trace(packet.bytes, &h)   OK, and this is its trace
 *     rocecc_fastcnp_of(&packet, &h)     data met congestion: h is what to send, ...
 *     rocecc_fastcnp_build(...)          ... to the packet's source: build.h
 *
 * FC-nn number the statements of draft-xiao-rtgwg-rocev2-fast-cnp-00.
 */
#include "../wire/fastcnp.h"
#include "cnp.h"
#include "srv6.h"

/*
 * Whether a packet has more Destination Options headers than two, the most that
 * RFC 8200, 4.1, has: where.ip.dst_opts[] would not name the third.
 */
ROCECC_FN bool rocecc_fastcnp_crowded_(const rocecc_packet *p)
{
    const rocecc_where_ip *ip = &p->where.ip;
    uint8_t type;
    rocecc_reader r = rocecc_packet_exts(p, ip, &type);
    rocecc_ip6ext ext;
    int i, n = 0;
    if (ip->dst_opts[1] == 0) return false;
    for (i = 0; i < ROCECC_IP6EXT_MAX && i < ip->n_ext; i++) {
        if (rocecc_ip6ext_next(&r, &type, &ext) != ROCECC_OK) break;
        if (ext.type == ROCECC_PROTO_DSTOPTS) n++;
    }
    return n > 2;
}

/* The one Fast CNP option of a packet. Statuses as find(), but for its data. */
ROCECC_FN rocecc_status rocecc_fastcnp_option_(const rocecc_packet *p,
                                               rocecc_ip6opt *opt)
{
    const rocecc_where_ip *ip = &p->where.ip;
    bool found = false;
    int k;
    if (rocecc_fastcnp_crowded_(p)) return ROCECC_ERR_UNSUPPORTED;
    for (k = 0; k < 2 && ip->dst_opts[k] != 0; k++) {
        rocecc_reader r = rocecc_between(p->bytes, ip->dst_opts[k], ip->upper);
        rocecc_ip6opts opts = {0, r};
        rocecc_status status = rocecc_ip6opts_parse(&r, &opts);
        if (status != ROCECC_OK) return status;
        status = rocecc_fastcnp_option_find(&p->domain->fastcnp, opts.options, opt);
        if (status == ROCECC_NO_MATCH) continue;
        if (status != ROCECC_OK) return status;
        if (found) return ROCECC_ERR_FORMAT;
        found = true;
    }
    return found ? ROCECC_OK : ROCECC_NO_MATCH;
}

/*
 * Finds the Fast CNP option of a packet, whatever its opcode: in any Destination
 * Options header before UDP, and but one in all of them. Statuses as
 * rocecc_fastcnp_parse(), and UNSUPPORTED for a third such header. An ICMPv6 Parameter
 * Problem points at h->at - where.ip.at.
 */
ROCECC_FN rocecc_status rocecc_fastcnp_find(const rocecc_packet *p, rocecc_fastcnp *h)
{
    rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, p->bytes};
    const rocecc_status status = rocecc_fastcnp_option_(p, &opt);
    if (status != ROCECC_OK) return status;
    return rocecc_fastcnp_option_parse(&p->domain->fastcnp, &opt, h);
}

/*
 * Whether a packet is a Fast CNP, or a CNP that might be one as far as one sees: what a
 * filter at the border of the domain drops, in both directions (FC-20). False for all
 * others after the first byte of the BTH, and for all where both types are off. Of a
 * packet without a BTH nothing can be said here: rocecc_fastcnp_border() does.
 */
ROCECC_FN bool rocecc_fastcnp_match(const rocecc_packet *p)
{
    const rocecc_fastcnp_config *c = &p->domain->fastcnp;
    rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, p->bytes};
    return (c->type_plain != 0 || c->type_ioam != 0) && p->where.ip.n_ext != 0 &&
           rocecc_cnp_match(p) && rocecc_fastcnp_option_(p, &opt) != ROCECC_NO_MATCH;
}

typedef enum rocecc_border {
    ROCECC_BORDER_PASS = 0,
    ROCECC_BORDER_DROP,  /* a Fast CNP, or a CNP that might be one */
    ROCECC_BORDER_UNSEEN /* nobody can say: whoever wants none inside drops it, too */
} rocecc_border;

/*
 * The same where the walk has stopped: where.status is not OK. A verifier looks at no
 * option for it.
 */
ROCECC_FN rocecc_border rocecc_fastcnp_border_stopped(const rocecc_packet *p)
{
    const rocecc_fastcnp_config *c = &p->domain->fastcnp;
    const rocecc_where_ip *ip = &p->where.ip;
    const bool inside =
        ip->proto == ROCECC_PROTO_IPV6 || ip->proto == ROCECC_PROTO_IPV4;
    if (c->type_plain == 0 && c->type_ioam == 0) return ROCECC_BORDER_PASS;
    if (p->where.status == ROCECC_NO_MATCH || ip->proto == ROCECC_PROTO_ESP)
        return ROCECC_BORDER_PASS;
    if (ip->version == 4 && p->where.outer.version == 0 && !inside)
        return ROCECC_BORDER_PASS; /* IPv4 has no Fast CNP */
    return ROCECC_BORDER_UNSEEN;
}

/*
 * What a filter at the border of the domain does with a packet (FC-20), walked or not.
 * UNSEEN: IPv6 that the walk could not follow to its end: fragments, two tunnels, a cap
 * that was reached, wrong lengths, headers beyond the capture; or tags before it. An
 * overlay passes, and its inner packet is to be asked for itself; so does ESP, into
 * which only its end can look. PASS for all where both types are off.
 */
ROCECC_FN rocecc_border rocecc_fastcnp_border(const rocecc_packet *p)
{
    if (p->where.status != ROCECC_OK) return rocecc_fastcnp_border_stopped(p);
    return rocecc_fastcnp_match(p) ? ROCECC_BORDER_DROP : ROCECC_BORDER_PASS;
}

/* The first IOAM trace in the Hop-by-Hop options of a packet. NO_MATCH: none. */
ROCECC_FN rocecc_status rocecc_fastcnp_trace_(const rocecc_packet *p,
                                              rocecc_ioam_option *o)
{
    const rocecc_where_ip *ip = &p->where.ip;
    rocecc_reader r = rocecc_between(p->bytes, ip->hop_by_hop, ip->upper);
    rocecc_ip6opts opts = {0, r};
    rocecc_status status;
    if (ip->hop_by_hop != ip->at + ROCECC_IPV6_BYTES) return ROCECC_NO_MATCH;
    status = rocecc_ip6opts_parse(&r, &opts);
    return status == ROCECC_OK ? rocecc_ioam_trace_find(opts.options, o) : status;
}

/* All of *h, or part of it where the status is not OK. */
ROCECC_FN rocecc_status rocecc_fastcnp_of_(const rocecc_packet *p, rocecc_fastcnp *h)
{
    const rocecc_where *f = &p->where;
    rocecc_ioam_option o = {0, 0, rocecc_between(p->bytes, 0, 0)};
    rocecc_ip ip;
    rocecc_status status;
    if (f->kind != ROCECC_KIND_ROCEV2 || f->bth == 0 || f->ip.version != 6)
        return ROCECC_NO_MATCH;
    status = rocecc_packet_ip(p, &f->ip, &ip);
    if (status != ROCECC_OK) return status;
    rocecc_packet_final_dst(p, &f->ip, &ip.dst);
    status = rocecc_fastcnp_trace_(p, &o);
    if (status != ROCECC_OK && status != ROCECC_NO_MATCH) return status;
    h->kind = status == ROCECC_OK ? ROCECC_FASTCNP_IOAM : ROCECC_FASTCNP_PLAIN;
    h->flow_dst = ip.dst;
    h->reserved = o.reserved;
    h->opt_type = o.opt_type;
    h->trace_bytes = (uint16_t)rocecc_left(&o.data);
    h->trace_at = (uint32_t)o.data.at;
    h->at = 0;
    return ROCECC_OK;
}

/*
 * What the Fast CNP of a packet says: where the packet goes (of an SRH, to its last
 * segment), and its first IOAM trace, if Hop-by-Hop options have one: that decides the
 * kind (FC-09). The trace stays in place, and is read as it stands when the Fast CNP is
 * written: a switch that wants itself in it has to have written its node data. Whether
 * it fits, emit() says; where it does not, the caller may set the plain kind. NO_MATCH:
 * not RoCEv2 over IPv6. FORMAT, UNSUPPORTED: the options are malformed, or too many, as
 * rocecc_ioam_trace_find().
 */
ROCECC_FN rocecc_status rocecc_fastcnp_of(const rocecc_packet *p, rocecc_fastcnp *h)
{
    rocecc_fastcnp out = {0, {{0}}, 0, 0, 0, 0, 0};
    rocecc_status status = rocecc_fastcnp_of_(p, &out);
    ROCECC_SETTLED_(status);
    if (status == ROCECC_OK) *h = out;
    return status;
}

#endif /* ROCECC_PACKET_FASTCNP_H */
