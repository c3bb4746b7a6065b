/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_ARRIVAL_H
#define ROCECC_PACKET_ARRIVAL_H

/*
 * arrival.h - checks whether this node may accept a packet, or may forward it after
 * decapsulation. RFC 791, RFC 1122 (3.2.1), RFC 4291 (2.5 to 2.7), RFC 8200 (4), RFC
 * 8754 (4.3).
 *
 * An XDP program or a NIC must make these checks itself, because no IP stack has parsed
 * the frame yet. Roles such as role/arn_gate.h call rocecc_arrival_check().
 *
 *                                   HOST             SID              FORWARDER
 *     IP longer than the bytes      PARTIAL          PARTIAL          PARTIAL
 *     fragment, trimmed, mirrored   PARTIAL          -                -
 *     wrong IPv4 header checksum    BAD_CHECKSUM     BAD_CHECKSUM     BAD_CHECKSUM
 *     bad source                    BAD_SOURCE       BAD_SOURCE       BAD_SOURCE
 *     source equals destination     BAD_SOURCE       BAD_SOURCE       BAD_SOURCE
 *     link-local source             -                BAD_SOURCE       BAD_SOURCE
 *     bad destination               BAD_DESTINATION  BAD_DESTINATION  BAD_DESTINATION
 *     link-local destination        -                BAD_DESTINATION  BAD_DESTINATION
 *     IPv4 source route continues   SEGMENTS_LEFT    -                -
 *     malformed IPv4 options        BAD_OPTIONS      BAD_OPTIONS      BAD_OPTIONS
 *     AH after IPv4                 UNKNOWN_HEADER   -                -
 *     AH, Mobility, HIP, Shim6      UNKNOWN_HEADER   UNKNOWN_HEADER   -
 *     Hop-by-Hop, not first         UNKNOWN_HEADER   UNKNOWN_HEADER   -
 *     malformed IPv6 options        BAD_OPTIONS      BAD_OPTIONS      -
 *     unknown option that discards  UNKNOWN_OPTION   UNKNOWN_OPTION   -
 *     too many IPv6 options         UNSUPPORTED      UNSUPPORTED      -
 *     segments left in an SRH       SEGMENTS_LEFT    -                -
 *     segments left, other type     SEGMENTS_LEFT    SEGMENTS_LEFT    -
 *
 * A dash means that the node does not make this check. An IPv6 address is bad if it is
 * ::, ::1, ::ffff:a.b.c.d or a group address. An IPv4 address is bad if it is in
 * 0.0.0.0/8, 127.0.0.0/8 or 224.0.0.0/3. If `groups` is set, the destination may be a
 * group address (over IPv4, an address in 224.0.0.0/4). Link-local addresses are
 * fe80::/10, 169.254.0.0/16, 224.0.0.0/24, and IPv6 groups with a scope of at most 2.
 *
 * A SID checks the extension headers only up to a Routing header that has segments
 * left. A FORWARDER does not check extension headers, because the packet's destination
 * checks them. The caller must check that a packet at a HOST or SID is addressed to
 * this node. Before the caller forwards a packet, it must check that the packet has
 * hops left.
 *
 * Example: a CNP over IPv6 with an Authentication Header gives UNKNOWN_HEADER at a
 * HOST. RFC 8200, 4, asks for an ICMPv6 Parameter Problem (type 4) with code 1. The
 * error's pointer is 6, the offset of Next Header in the IPv6 header.
 */
#include "../wire/fastcnp.h"
#include "../wire/icmp.h"
#include "../wire/srv6.h"
#include "packet.h"

/* Role of this node for one packet. */
typedef enum rocecc_arrival_node_ {
    ROCECC_ARRIVAL_HOST = 0, /* the destination, where the packet ends */
    ROCECC_ARRIVAL_SID,      /* an SRv6 SID, where the packet or a segment ends */
    ROCECC_ARRIVAL_FORWARDER /* the end of a tunnel; it forwards the inner packet */
} ROCECC_IN_8_BITS_(rocecc_arrival_node);

/*
 * Configuration. An all-zero value describes a host that accepts no multicast packets
 * and recognises no options.
 */
typedef struct rocecc_arrival_config {
    ROCECC_ENUM8_(rocecc_arrival_node) node; /* role of this node for the packet */
    bool groups;  /* accept multicast destinations; link-local groups only at a HOST */
    bool fastcnp; /* accept Fast CNP options; they must be in Destination Options,
                     and the domain sets their types */
} rocecc_arrival_config;

/* Result of a check. */
typedef enum rocecc_arrival_verdict_ {
    ROCECC_ARRIVAL_OK = 0,
    ROCECC_ARRIVAL_NO_IP,           /* the IP header is absent, as in RoCEv1 */
    ROCECC_ARRIVAL_PARTIAL,         /* partial, or longer than packet->bytes */
    ROCECC_ARRIVAL_BAD_CHECKSUM,    /* IPv4 header checksum: RFC 1122, 3.2.1.2 */
    ROCECC_ARRIVAL_BAD_SOURCE,      /* RFC 1122, 3.2.1.3; RFC 4291, 2.5 to 2.7 */
    ROCECC_ARRIVAL_BAD_DESTINATION, /* same clauses as BAD_SOURCE */
    ROCECC_ARRIVAL_BAD_OPTIONS,     /* an option overruns its header, an IPv4 option has
                                       a length below 2, or PadN data is not zero */
    ROCECC_ARRIVAL_UNKNOWN_OPTION,  /* act bits that require a discard: RFC 8200, 4.2 */
    ROCECC_ARRIVAL_UNKNOWN_HEADER,  /* extension header, or IPv4's AH: RFC 8200, 4 */
    ROCECC_ARRIVAL_SEGMENTS_LEFT,   /* in a source route or a Routing header */
    ROCECC_ARRIVAL_UNSUPPORTED,     /* more than ROCECC_IP6OPT_MAX options in all, or
                                       more than ROCECC_IP6OPT_PAD_MAX bytes of padding
                                       in a row */
    ROCECC_ARRIVAL_VERDICTS         /* number of verdicts */
} ROCECC_IN_8_BITS_(rocecc_arrival_verdict);

/* Writes the ICMP error to *out, and returns `verdict`. */
ROCECC_FN rocecc_arrival_verdict rocecc_arrival_stop_(rocecc_arrival_verdict verdict,
                                                      uint8_t type, uint8_t code,
                                                      size_t value,
                                                      rocecc_icmp_error *out)
{
    out->type = type;
    out->code = code;
    out->value = (uint32_t)value;
    return verdict;
}

ROCECC_FN rocecc_arrival_verdict rocecc_arrival_stop6_(rocecc_arrival_verdict verdict,
                                                       uint8_t code, size_t value,
                                                       rocecc_icmp_error *out)
{
    return rocecc_arrival_stop_(verdict, ROCECC_ICMP6_TYPE_PROBLEM, code, value, out);
}

/*
 * Returns true if `address` is a host's unicast address. Over IPv6, ::ffff:a.b.c.d is
 * not such an address.
 */
ROCECC_FN bool rocecc_arrival_is_host_(uint8_t version, const rocecc_ip6 *address)
{
    return version == 6 ? rocecc_ip6_is_source(address) : rocecc_ip6_is_host(address);
}

/*
 * Checks the source address, and then the destination address. Link-local addresses are
 * accepted only at a HOST.
 */
ROCECC_FN rocecc_arrival_verdict
rocecc_arrival_check_addresses_(const rocecc_arrival_config *config, uint8_t version,
                                const rocecc_ip6 *src, const rocecc_ip6 *dst)
{
    const bool forwards = config->node != ROCECC_ARRIVAL_HOST;
    if (!rocecc_arrival_is_host_(version, src) || rocecc_ip6_match(src, dst) ||
        (forwards && rocecc_ip6_is_link_local(src)))
        return ROCECC_ARRIVAL_BAD_SOURCE;
    if (!rocecc_arrival_is_host_(version, dst) &&
        !(config->groups && rocecc_ip6_is_group(dst) &&
          rocecc_ip6_is_ip4(dst) == (version == 4)))
        return ROCECC_ARRIVAL_BAD_DESTINATION;
    if (forwards && rocecc_ip6_is_link_local(dst))
        return ROCECC_ARRIVAL_BAD_DESTINATION;
    return ROCECC_ARRIVAL_OK;
}

/*
 * Checks IPv4 options, and skips unknown options (RFC 1122, 3.2.1.8). At a HOST,
 * rejects a source route that has addresses left (RFC 791, 3.1).
 */
ROCECC_FN rocecc_arrival_verdict rocecc_arrival_check_ip4_options_(
    const rocecc_arrival_config *config, rocecc_reader options, rocecc_icmp_error *out)
{
    const size_t header = options.at - ROCECC_IPV4_BYTES;
    int i;
    for (i = 0; i < ROCECC_IPV4_OPTIONS_MAX_BYTES; i++) {
        const size_t offset = options.at - header;
        const uint8_t *b = rocecc_take(&options, 1);
        rocecc_reader body = options;
        uint8_t type;
        if (b == NULL || *b == ROCECC_IPV4_OPTION_END) break;
        type = *b;
        if (type == ROCECC_IPV4_OPTION_NOP) continue;
        b = rocecc_take(&options, 1);
        if (b == NULL || *b < 2 || !rocecc_split(&options, *b - 2u, &body))
            return rocecc_arrival_stop_(ROCECC_ARRIVAL_BAD_OPTIONS,
                                        ROCECC_ICMP_TYPE_PROBLEM, 0, offset, out);
        if (config->node != ROCECC_ARRIVAL_HOST ||
            (type != ROCECC_IPV4_OPTION_LSRR && type != ROCECC_IPV4_OPTION_SSRR))
            continue;
        b = rocecc_take(&body, 1);
        if (b != NULL && *b <= rocecc_left(&body) + 3) /* the pointer counts from 1 */
            return rocecc_arrival_stop_(ROCECC_ARRIVAL_SEGMENTS_LEFT,
                                        ROCECC_ICMP_TYPE_UNREACHABLE,
                                        ROCECC_ICMP_UNREACHABLE_SOURCE_ROUTE, 0, out);
    }
    return ROCECC_ARRIVAL_OK;
}

/*
 * Returns true if the whole IPv4 header, including its options, lies in packet->bytes
 * before ip->upper. If so, also sets *out to this header.
 */
ROCECC_FN bool rocecc_arrival_take_ip4_(const rocecc_packet *packet,
                                        const rocecc_headers_ip *ip, rocecc_reader *out)
{
    rocecc_reader r = rocecc_subrange(packet->bytes, ip->offset, ip->upper);
    rocecc_reader first = r;
    const uint8_t *b = rocecc_take(&first, 1);
    return b != NULL && (*b & 0xf) >= 5 &&
           rocecc_split(&r, (size_t)(*b & 0xf) * 4, out);
}

/*
 * Checks the options of an IPv4 header. At a HOST, also rejects an AH after this
 * header.
 */
ROCECC_FN rocecc_arrival_verdict rocecc_arrival_check_ip4_(
    const rocecc_arrival_config *config, rocecc_reader header, rocecc_icmp_error *out)
{
    const uint8_t *b = rocecc_take(&header, ROCECC_IPV4_BYTES);
    rocecc_arrival_verdict verdict = ROCECC_ARRIVAL_OK;
    if (b == NULL) return ROCECC_ARRIVAL_PARTIAL;
    if (rocecc_left(&header) != 0)
        verdict = rocecc_arrival_check_ip4_options_(config, header, out);
    if (verdict == ROCECC_ARRIVAL_OK && b[9] == ROCECC_PROTO_AH &&
        config->node == ROCECC_ARRIVAL_HOST)
        verdict = rocecc_arrival_stop_(ROCECC_ARRIVAL_UNKNOWN_HEADER,
                                       ROCECC_ICMP_TYPE_UNREACHABLE,
                                       ROCECC_ICMP_UNREACHABLE_PROTOCOL, 0, out);
    return verdict;
}

/* Option types that this node knows, and the number of options in one IPv6 packet. */
typedef struct rocecc_arrival_options_ {
    rocecc_fastcnp_config known; /* if all 0, no type is known */
    size_t start;                /* offset of the IP header */
    int n;                       /* options in all headers so far */
} rocecc_arrival_options_;

/*
 * Checks the options of a Hop-by-Hop or Destination Options header. An unknown option
 * with act bits 01 does not cause an ICMP error.
 */
ROCECC_FN rocecc_arrival_verdict rocecc_arrival_check_options_(
    rocecc_arrival_options_ *node, rocecc_reader header, rocecc_icmp_error *out)
{
    rocecc_ip6opts opts = {0, header};
    if (rocecc_ip6opts_parse(&header, &opts) != ROCECC_OK)
        return ROCECC_ARRIVAL_PARTIAL; /* never, because `header` is whole */
    for (;;) {
        rocecc_ip6opt opt = {ROCECC_IP6OPT_PAD1, opts.options};
        const rocecc_status status = rocecc_ip6opt_step(&opts.options, &node->n, &opt);
        if (status == ROCECC_END) return ROCECC_ARRIVAL_OK;
        if (status == ROCECC_ERR_UNSUPPORTED) return ROCECC_ARRIVAL_UNSUPPORTED;
        if (status != ROCECC_OK)
            return rocecc_arrival_stop6_(ROCECC_ARRIVAL_BAD_OPTIONS,
                                         ROCECC_ICMP6_PROBLEM_HEADER,
                                         opts.options.at - node->start, out);
        if ((opt.type & ROCECC_IP6OPT_ACT) == ROCECC_IP6OPT_ACT_SKIP ||
            rocecc_fastcnp_type_match(&node->known, opt.type))
            continue;
        if ((opt.type & ROCECC_IP6OPT_ACT_ICMP) == 0)
            return ROCECC_ARRIVAL_UNKNOWN_OPTION;
        return rocecc_arrival_stop6_(ROCECC_ARRIVAL_UNKNOWN_OPTION,
                                     ROCECC_ICMP6_PROBLEM_OPTION,
                                     opt.body.at - 2 - node->start, out);
    }
}

/*
 * Rejects a Routing header that has segments left, unless the header is an SRH and the
 * destination is a SID of this node (RFC 8200, 4.4, and RFC 8754, 4.3.2). Sets *end to
 * true if segments are left, because this node must then not process the headers that
 * follow.
 */
ROCECC_FN rocecc_arrival_verdict rocecc_arrival_check_routing_(
    const rocecc_arrival_config *config, const rocecc_headers_ip *ip,
    rocecc_reader header, bool *end, rocecc_icmp_error *out)
{
    const size_t pointer = header.at + 2 - ip->offset; /* Routing Type */
    const uint8_t *b = rocecc_take(&header, 4);
    *end = b != NULL && b[3] != 0;
    if (!*end ||
        (config->node == ROCECC_ARRIVAL_SID && b[2] == ROCECC_SRH_ROUTING_TYPE))
        return ROCECC_ARRIVAL_OK;
    return rocecc_arrival_stop6_(ROCECC_ARRIVAL_SEGMENTS_LEFT,
                                 ROCECC_ICMP6_PROBLEM_HEADER, pointer, out);
}

/*
 * Checks the extension headers that the walk found, up to a Routing header with
 * segments left.
 */
ROCECC_FN rocecc_arrival_verdict rocecc_arrival_check_exts_(
    const rocecc_arrival_config *config, const rocecc_packet *packet,
    const rocecc_headers_ip *ip, rocecc_icmp_error *out)
{
    const rocecc_fastcnp_config none = ROCECC_ZERO;
    rocecc_arrival_options_ node = {none, ip->offset, 0};
    rocecc_arrival_verdict verdict = ROCECC_ARRIVAL_OK;
    uint8_t type;
    rocecc_reader r = rocecc_packet_exts(packet, ip, &type);
    rocecc_ip6ext ext = {type, r};
    size_t next = 6; /* offset of the field that names the next header */
    bool end = false;
    int i;
    for (i = 0; i < ROCECC_IP6EXT_MAX && i < ip->n_ext && !end; i++) {
        if (rocecc_ip6ext_next(&r, &type, &ext) != ROCECC_OK)
            return ROCECC_ARRIVAL_PARTIAL;
        if (ext.type == ROCECC_PROTO_DSTOPTS ||
            (ext.type == ROCECC_PROTO_HOPOPTS && i == 0)) {
            node.known = config->fastcnp && ext.type == ROCECC_PROTO_DSTOPTS
                             ? packet->domain->fastcnp
                             : none;
            verdict = rocecc_arrival_check_options_(&node, ext.header, out);
        } else if (ext.type == ROCECC_PROTO_ROUTING) {
            verdict = rocecc_arrival_check_routing_(config, ip, ext.header, &end, out);
        } else if (ext.type != ROCECC_PROTO_FRAGMENT) {
            verdict = rocecc_arrival_stop6_(ROCECC_ARRIVAL_UNKNOWN_HEADER,
                                            ROCECC_ICMP6_PROBLEM_NEXT, next, out);
        }
        if (verdict != ROCECC_ARRIVAL_OK) return verdict;
        next = ext.header.at - ip->offset;
    }
    return verdict;
}

ROCECC_FN rocecc_arrival_verdict rocecc_arrival_check_ipv4_(
    const rocecc_arrival_config *config, const rocecc_packet *packet,
    const rocecc_headers_ip *ip, rocecc_icmp_error *out)
{
    rocecc_reader header = packet->bytes, first;
    rocecc_arrival_verdict verdict;
    rocecc_ip4 address;
    rocecc_ip6 src, dst;
    const uint8_t *b;
    if (!rocecc_arrival_take_ip4_(packet, ip, &header)) return ROCECC_ARRIVAL_PARTIAL;
    first = header;
    b = rocecc_take(&first, ROCECC_IPV4_BYTES);
    if (b == NULL) return ROCECC_ARRIVAL_PARTIAL;
    if (rocecc_checksum_final(rocecc_checksum_update(0, header)) != 0)
        return ROCECC_ARRIVAL_BAD_CHECKSUM;
    address = rocecc_ip4_load(b + 12);
    src = rocecc_ip6_of_ip4(&address);
    address = rocecc_ip4_load(b + 16);
    dst = rocecc_ip6_of_ip4(&address);
    verdict = rocecc_arrival_check_addresses_(config, 4, &src, &dst);
    return verdict != ROCECC_ARRIVAL_OK
               ? verdict
               : rocecc_arrival_check_ip4_(config, header, out);
}

ROCECC_FN rocecc_arrival_verdict rocecc_arrival_check_ipv6_(
    const rocecc_arrival_config *config, const rocecc_packet *packet,
    const rocecc_headers_ip *ip, rocecc_icmp_error *out)
{
    rocecc_reader r = rocecc_subrange(packet->bytes, ip->offset, ip->upper);
    const uint8_t *b = rocecc_take(&r, ROCECC_IPV6_BYTES);
    rocecc_arrival_verdict verdict;
    rocecc_ip6 src, dst;
    if (b == NULL) return ROCECC_ARRIVAL_PARTIAL;
    src = rocecc_ip6_load(b + 8);
    dst = rocecc_ip6_load(b + 24);
    verdict = rocecc_arrival_check_addresses_(config, 6, &src, &dst);
    if (verdict != ROCECC_ARRIVAL_OK) return verdict;
    if (config->node == ROCECC_ARRIVAL_FORWARDER) return ROCECC_ARRIVAL_OK;
#if ROCECC_SHORTCUTS
    if (config->fastcnp &&
        rocecc_plain_fastcnp_(packet->domain, packet->bytes, ip) != NULL)
        return ROCECC_ARRIVAL_OK;
#endif
    return rocecc_arrival_check_exts_(config, packet, ip, out);
}

ROCECC_FN bool rocecc_arrival_is_to_group_(const rocecc_packet *packet,
                                           const rocecc_headers_ip *ip)
{
    rocecc_ip header;
    return rocecc_packet_ip(packet, ip, &header) == ROCECC_OK &&
           rocecc_ip6_is_group(&header.dst);
}

/*
 * Returns true if the fault `verdict` in a packet to a group address must not cause an
 * ICMP error. Of all faults, only an unknown option with act bits 10 may cause one (RFC
 * 4443, 2.4 (e.3), and RFC 1122, 3.2.2).
 */
ROCECC_FN bool rocecc_arrival_is_silent_(const rocecc_packet *packet,
                                         const rocecc_headers_ip *ip,
                                         rocecc_arrival_verdict verdict,
                                         const rocecc_icmp_error *error)
{
    rocecc_reader r =
        rocecc_subrange(packet->bytes, ip->offset + (size_t)error->value, ip->upper);
    const uint8_t *b = rocecc_take(&r, 1);
    return verdict != ROCECC_ARRIVAL_UNKNOWN_OPTION || b == NULL ||
           (*b & ROCECC_IP6OPT_ACT) != ROCECC_IP6OPT_ACT_ICMP;
}

/*
 * Checks one IP header of a packet to decide whether this node may accept or forward
 * the packet. `ip` must be &packet->headers.ip or &packet->headers.outer. Returns the
 * verdict of the first check that fails, or OK if no check fails. Checks the length
 * first, then the IPv4 checksum, the source and the destination, and finally the
 * options and extension headers in packet order (RFC 8200, 4). Extension headers that
 * the walk did not reach are not checked. Always writes the ICMP error for the verdict
 * to *out. The error's type is 0 for UNSUPPORTED, for every verdict before BAD_OPTIONS
 * in the enumeration, and if the RFCs do not ask for an error.
 */
ROCECC_FN rocecc_arrival_verdict
rocecc_arrival_check(const rocecc_arrival_config *config, const rocecc_packet *packet,
                     const rocecc_headers_ip *ip, rocecc_icmp_error *out)
{
    const rocecc_icmp_error none = ROCECC_ZERO;
    rocecc_arrival_verdict verdict;
    bool to_group;
    *out = none;
    out->offset = ip->offset;
    if (ip->version == 0) return ROCECC_ARRIVAL_NO_IP;
    if (ip->end > packet->bytes.end || (config->node == ROCECC_ARRIVAL_HOST &&
                                        packet->headers.partial != ROCECC_PARTIAL_NONE))
        return ROCECC_ARRIVAL_PARTIAL;
    to_group = config->groups && rocecc_arrival_is_to_group_(packet, ip);
    verdict = ip->version == 4 ? rocecc_arrival_check_ipv4_(config, packet, ip, out)
                               : rocecc_arrival_check_ipv6_(config, packet, ip, out);
    if (to_group && out->type != 0 &&
        rocecc_arrival_is_silent_(packet, ip, verdict, out))
        out->type = out->code = 0, out->value = 0;
    return verdict;
}

#endif /* ROCECC_PACKET_ARRIVAL_H */
