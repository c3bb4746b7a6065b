/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_FASTCNP_H
#define ROCECC_PACKET_FASTCNP_H

/*
 * fastcnp.h - finds the Fast CNP option in a packet, and derives the option for a Fast
 * CNP that answers a packet. wire/fastcnp.h shows the format. The packet's domain sets
 * the option types.
 *
 *     rocecc_fastcnp_find(&packet, &h)         ROCECC_NO_MATCH: an ordinary CNP
 *     rocecc_fastcnp_trace(packet.bytes, &h)   after ROCECC_OK: the option's trace
 *     rocecc_fastcnp_derive(&packet, &h)       on congestion: what to send, ...
 *     rocecc_fastcnp_build(...)                ... to the packet's source (build.h)
 *
 * FC-nn are numbered statements from draft-xiao-rtgwg-rocev2-fast-cnp-00.
 */
#include "../wire/fastcnp.h"
#include "cnp.h"
#include "srv6.h"

/*
 * Returns true if a packet has three or more Destination Options headers. RFC 8200,
 * 4.1, allows at most two, and headers.ip.dst_opts[] has only two entries.
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

/*
 * Finds the Fast CNP option in a packet, without checking the option's data. Returns
 * the same statuses as rocecc_fastcnp_find(), except for errors in this data.
 */
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

/*
 * Reads a plain Fast CNP option at the start of a Destination Options header. This
 * header is at `offset` in the buffer.
 */
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
 * Finds the Fast CNP option in a packet. The packet may have any opcode. Searches the
 * Destination Options headers (at most two) after the IPv6 header at headers.ip.
 * Returns the same statuses as rocecc_fastcnp_parse(). Also returns FORMAT for two Fast
 * CNP options (FC-08), UNSUPPORTED for a third Destination Options header, and SHORT if
 * the options are not in packet->bytes. In an ICMPv6 Parameter Problem about the
 * option, the pointer is out->at - headers.ip.offset.
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
 * Returns true if a packet is a CNP and rocecc_fastcnp_find() does not return NO_MATCH.
 * Such a packet has a valid or invalid Fast CNP option, or Destination Options that
 * rocecc_fastcnp_find() rejects. A filter at the border of the domain must drop such a
 * packet in both directions (FC-20). Returns false if both option types are off, if
 * the packet is partial, or if its BTH was not found. rocecc_fastcnp_border() handles
 * the last two cases.
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
    ROCECC_FASTCNP_BORDER_DROP,  /* a Fast CNP, or a CNP that may be one */
    ROCECC_FASTCNP_BORDER_UNSEEN /* undecided; a strict filter drops it, too */
} rocecc_fastcnp_border_verdict;

/*
 * Returns UNSEEN if rocecc_fastcnp_border() cannot decide, and otherwise PASS, even for
 * a Fast CNP. This function does not read options, so the BPF verifier has less to
 * check.
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
        return ROCECC_FASTCNP_BORDER_PASS; /* Fast CNP is IPv6 only */
    return ROCECC_FASTCNP_BORDER_UNSEEN;
}

/*
 * Returns the verdict of a filter at the border of the domain (FC-20). The walk may
 * have returned any status. Returns DROP if rocecc_fastcnp_match() is true. Returns
 * UNSEEN if the walk returned an error, or if it found the BTH of a partial packet.
 * Examples are a fragment, a trimmed packet, two tunnels, a wrong length, and headers
 * beyond the capture. However, such a packet passes if its only IP header is IPv4,
 * because Fast CNPs need IPv6. An IP-in-IP packet of this kind gives UNSEEN even if
 * both headers are IPv4. All other packets pass. If both option types are off, every
 * packet passes. The caller must check the inner packet of an overlay with another
 * call. An ESP packet passes, because only its receiver can decrypt it.
 */
ROCECC_FN rocecc_fastcnp_border_verdict
rocecc_fastcnp_border(const rocecc_packet *packet)
{
    return rocecc_fastcnp_match(packet) ? ROCECC_FASTCNP_BORDER_DROP
                                        : rocecc_fastcnp_border_stopped(packet);
}

/*
 * Finds the first IOAM trace in a Hop-by-Hop header that directly follows the IPv6
 * header.
 */
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

/* Does the work of rocecc_fastcnp_derive(). */
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
 * Derives the option for a Fast CNP that answers a packet. The packet may have any
 * opcode, but the caller must not answer a CNP. flow_dst is the packet's destination
 * or, if an SRH has segments left, the last segment of this SRH. The kind is IOAM if
 * the first extension header is a Hop-by-Hop header with an IOAM trace, and PLAIN
 * otherwise (FC-09). The caller may change the kind to PLAIN if rocecc_fastcnp_emit()
 * returns RANGE. For the kind IOAM, *out refers to the first trace in this header, not
 * to a copy. A switch that adds its own node data must therefore add this data before
 * it writes the Fast CNP. Returns NO_MATCH if the packet is partial or not RoCEv2 over
 * IPv6, or if the walk did not find its BTH. Returns FORMAT or UNSUPPORTED if
 * rocecc_ioam_trace_find() does, and SHORT if the IPv6 header or the options are not in
 * packet->bytes. On failure *out is unchanged.
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
