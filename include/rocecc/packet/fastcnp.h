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
 *     rocecc_fastcnp_derive(&packet, &h)    data met congestion: h is what to send, ...
 *     rocecc_fastcnp_build(...)          ... to the packet's source: build.h
 *
 * FC-nn number the statements of draft-xiao-rtgwg-rocev2-fast-cnp-00.
 */
#include "../wire/fastcnp.h"
#include "cnp.h"
#include "srv6.h"

/*
 * Whether a packet has more Destination Options headers than two, the most that
 * RFC 8200, 4.1, has: headers.ip.dst_opts[] would not name the third.
 */
ROCECC_FN bool rocecc_fastcnp_too_many_dst_opts_(const rocecc_packet *packet)
{
    const rocecc_headers_ip *ip = &packet->headers.ip;
    uint8_t type;
    rocecc_reader r = rocecc_packet_exts(packet, ip, &type);
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
ROCECC_FN rocecc_status rocecc_fastcnp_find_option_(const rocecc_packet *packet,
                                                    rocecc_ip6opt *out)
{
    const rocecc_headers_ip *ip = &packet->headers.ip;
    bool found = false;
    int k;
    if (rocecc_fastcnp_too_many_dst_opts_(packet)) return ROCECC_ERR_UNSUPPORTED;
    for (k = 0; k < 2 && ip->dst_opts[k] != 0; k++) {
        rocecc_reader r = rocecc_subrange(packet->bytes, ip->dst_opts[k], ip->upper);
        rocecc_ip6opts opts = {0, r};
        rocecc_status status = rocecc_ip6opts_parse(&r, &opts);
        if (status != ROCECC_OK) return status;
        status =
            rocecc_fastcnp_option_find(&packet->domain->fastcnp, opts.options, out);
        if (status == ROCECC_NO_MATCH) continue;
        if (status != ROCECC_OK) return status;
        if (found) return ROCECC_ERR_FORMAT;
        found = true;
    }
    return found ? ROCECC_OK : ROCECC_NO_MATCH;
}

/* Reads the option of the plain kind at an offset, in a header that begins with it. */
ROCECC_FN rocecc_fastcnp rocecc_fastcnp_load_plain_(const uint8_t *header,
                                                    uint16_t offset)
{
    rocecc_fastcnp h = ROCECC_ZERO;
    h.kind = ROCECC_FASTCNP_PLAIN;
    h.flow_dst = rocecc_ip6_load(header + 4);
    h.at = offset + (uint32_t)2;
    return h;
}

/*
 * Finds the Fast CNP option of a packet, whatever its opcode: in any Destination
 * Options header before UDP, and but one in all of them. Statuses as
 * rocecc_fastcnp_parse(), and UNSUPPORTED for a third such header. An ICMPv6 Parameter
 * Problem points at out->at - headers.ip.offset.
 */
ROCECC_FN rocecc_status rocecc_fastcnp_find(const rocecc_packet *packet,
                                            rocecc_fastcnp *out)
{
    rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, packet->bytes};
    rocecc_status status;
#if ROCECC_SHORTCUTS
    const uint8_t *b =
        rocecc_plain_fastcnp_(packet->domain, packet->bytes, &packet->headers.ip);
    if (b != NULL) {
        *out = rocecc_fastcnp_load_plain_(b, packet->headers.ip.dst_opts[0]);
        return ROCECC_OK;
    }
#endif
    status = rocecc_fastcnp_find_option_(packet, &opt);
    if (status != ROCECC_OK) return status;
    return rocecc_fastcnp_option_parse(&packet->domain->fastcnp, &opt, out);
}

/*
 * Whether a packet is a Fast CNP, or a CNP that might be one as far as one sees: what a
 * filter at the border of the domain drops, in both directions (FC-20). False for all
 * others after the first byte of the BTH, and for all where both types are off. Of a
 * packet without a BTH nothing can be said here: rocecc_fastcnp_border() does.
 */
ROCECC_FN bool rocecc_fastcnp_match(const rocecc_packet *packet)
{
    const rocecc_fastcnp_config *c = &packet->domain->fastcnp;
    rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, packet->bytes};
    return (c->type_plain != 0 || c->type_ioam != 0) && packet->headers.ip.n_ext != 0 &&
           rocecc_cnp_match(packet) &&
           rocecc_fastcnp_find_option_(packet, &opt) != ROCECC_NO_MATCH;
}

typedef enum rocecc_fastcnp_border_verdict {
    ROCECC_FASTCNP_BORDER_PASS = 0,
    ROCECC_FASTCNP_BORDER_DROP,  /* a Fast CNP, or a CNP that might be one */
    ROCECC_FASTCNP_BORDER_UNSEEN /* nobody can say: whoever wants none inside drops it,
                                    too */
} rocecc_fastcnp_border_verdict;

/*
 * Returns UNSEEN if a packet may be a Fast CNP that the walk could not follow to its
 * end, or a part of one: the fragments are whole again behind the border. Returns PASS
 * for all others, Fast CNPs among them. Reads no option, which a BPF verifier likes.
 */
ROCECC_FN rocecc_fastcnp_border_verdict
rocecc_fastcnp_border_stopped(const rocecc_packet *packet)
{
    const rocecc_fastcnp_config *c = &packet->domain->fastcnp;
    const rocecc_headers_ip *ip = &packet->headers.ip;
    const bool inside =
        ip->proto == ROCECC_PROTO_IPV6 || ip->proto == ROCECC_PROTO_IPV4;
    if (c->type_plain == 0 && c->type_ioam == 0) return ROCECC_FASTCNP_BORDER_PASS;
    if (packet->headers.status == ROCECC_NO_MATCH || ip->proto == ROCECC_PROTO_ESP ||
        (packet->headers.status == ROCECC_OK &&
         packet->headers.partial == ROCECC_PARTIAL_NONE))
        return ROCECC_FASTCNP_BORDER_PASS;
    if (ip->version == 4 && packet->headers.outer.version == 0 && !inside)
        return ROCECC_FASTCNP_BORDER_PASS; /* IPv4 has no Fast CNP */
    return ROCECC_FASTCNP_BORDER_UNSEEN;
}

/*
 * What a filter at the border of the domain does with a packet (FC-20), walked or not.
 * UNSEEN: IPv6 that the walk could not follow to its end: fragments, trimmed packets,
 * two tunnels, a cap that was reached, wrong lengths, headers beyond the capture; or
 * tags before it. An
 * overlay passes, and its inner packet is to be asked for itself; so does ESP, into
 * which only its end can look. PASS for all where both types are off.
 */
ROCECC_FN rocecc_fastcnp_border_verdict
rocecc_fastcnp_border(const rocecc_packet *packet)
{
    return rocecc_fastcnp_match(packet) ? ROCECC_FASTCNP_BORDER_DROP
                                        : rocecc_fastcnp_border_stopped(packet);
}

/* The first IOAM trace in the Hop-by-Hop options of a packet. NO_MATCH: none. */
ROCECC_FN rocecc_status rocecc_fastcnp_find_trace_(const rocecc_packet *packet,
                                                   rocecc_ioam_option *out)
{
    const rocecc_headers_ip *ip = &packet->headers.ip;
    rocecc_reader r = rocecc_subrange(packet->bytes, ip->hop_by_hop, ip->upper);
    rocecc_ip6opts opts = {0, r};
    rocecc_status status;
    if (ip->hop_by_hop != ip->offset + ROCECC_IPV6_BYTES) return ROCECC_NO_MATCH;
    status = rocecc_ip6opts_parse(&r, &opts);
    return status == ROCECC_OK ? rocecc_ioam_trace_find(opts.options, out) : status;
}

/* All of *fastcnp, or part of it where the status is not OK. */
ROCECC_FN rocecc_status rocecc_fastcnp_derive_(const rocecc_packet *packet,
                                               rocecc_fastcnp *fastcnp)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_ioam_option o = {0, 0, rocecc_subrange(packet->bytes, 0, 0)};
    rocecc_ip ip;
    rocecc_status status;
    if (f->kind != ROCECC_PACKET_KIND_ROCEV2 || f->bth == 0 || f->ip.version != 6)
        return ROCECC_NO_MATCH;
    status = rocecc_packet_ip(packet, &f->ip, &ip);
    if (status != ROCECC_OK) return status;
    rocecc_packet_final_dst(packet, &f->ip, &ip.dst);
    status = rocecc_fastcnp_find_trace_(packet, &o);
    if (status != ROCECC_OK && status != ROCECC_NO_MATCH) return status;
    fastcnp->kind = status == ROCECC_OK ? ROCECC_FASTCNP_IOAM : ROCECC_FASTCNP_PLAIN;
    fastcnp->flow_dst = ip.dst;
    fastcnp->reserved = o.reserved;
    fastcnp->opt_type = o.opt_type;
    fastcnp->trace_bytes = (uint16_t)rocecc_left(&o.data);
    fastcnp->trace_at = (uint32_t)o.data.at;
    fastcnp->at = 0;
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
ROCECC_FN rocecc_status rocecc_fastcnp_derive(const rocecc_packet *packet,
                                              rocecc_fastcnp *out)
{
    rocecc_fastcnp fastcnp = ROCECC_ZERO;
    rocecc_status status = rocecc_fastcnp_derive_(packet, &fastcnp);
    ROCECC_MERGE_PATHS_(status);
    if (status == ROCECC_OK) *out = fastcnp;
    return status;
}

#endif /* ROCECC_PACKET_FASTCNP_H */
