/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_SRV6_PE_H
#define ROCECC_ROLE_SRV6_PE_H

/*
 * srv6_pe.h - a provider edge (PE) between a data centre and an SRv6 domain, and a node
 * with a segment identifier (SID) on the path between two PEs. RoCEv2 packets keep
 * their ECN marks through the tunnels, and Fast CNPs are sent back to the sender. The
 * sources are draft-hu-rtgwg-rocev2-fcn, 4.2.1 (ECN) and 4.2.2 (END.CON), RFC 6040, and
 * RFC 8986, 4.1 (End) and 4.8.
 *
 *   data centre          ingress PE        congested node        egress PE
 *    sender  --packet-->  outer: END.CON --> CE in the outer -->  merges both fields,
 *                         copies ECN                              forwards the packet
 *    sender  <--Fast CNP- decapsulates  <--- outer: to END.CON
 *
 *   R-ECN-1  The ingress copies ECN (MUST). With `compatibility` it writes Not-ECT.
 *   R-ECN-3  The egress merges both ECN fields as in RFC 6040, Figure 4.
 *   R-CON-3  The outer source address is END.CON.
 *   R-CON-5  END.CON decapsulates and forwards the packets that are sent to it.
 *
 * Example: the switch 2001:db8:ffff::1 sends a Fast CNP for 2001:db8:a::2 in a tunnel
 * to END.CON 2001:db8:c0::c. rocecc_srv6_pe_end_con() gives the verdict FORWARD, and
 * lowers the hop limit of the inner packet by 1. The same Fast CNP from 2001:db8:bad::1
 * gets ACCESS_DENIED, because that address is not on the access list.
 *
 * END.CON makes the following checks, and the first check that fails determines the
 * verdict. If `open` is set, END.CON is not strict. It then skips the checks for
 * NOT_CNP, BAD_DESTINATION, ACCESS_DENIED and BAD_SOURCE, and also forwards inner
 * packets to multicast groups.
 *
 *     is it for END.CON ?                   no --> OTHER
 *     may it end at this SID ?                     BAD_ARRIVAL
 *     does it hold a tunnel that ends here ?       HOST, UNEXPECTED_UPPER, BAD
 *     may the inner packet be forwarded ?          BAD_ARRIVAL
 *     is it a Fast CNP and nothing else ?          NOT_CNP         R-CON-8, R-CON-11
 *     is it for a node other than END.CON ?        BAD_DESTINATION
 *     is its source on the list ?                  ACCESS_DENIED   FC-19
 *     is the tunnel's source on the list ?         BAD_SOURCE      R-CON-9
 *     can both ECN fields be merged ?              ECN_CONFLICT    RFC 6040
 *     does it have a hop left ?                    NO_HOPS_LEFT
 *
 * The caller must drop packets to END.CON that come from outside the domain (RFC 8754,
 * 5.1), and must limit the rate of all packets to END.CON (R-CON-12).
 */
#include "../guard/acl.h"
#include "../algo/ecntunnel.h"
#include "../packet/arrival.h"
#include "../packet/fastcnp.h"
#include "../packet/srv6.h"

typedef enum rocecc_srv6_pe_verdict_ {
    ROCECC_SRV6_PE_OTHER = 0,     /* not for this SID: forward it unchanged */
    ROCECC_SRV6_PE_FORWARD,       /* forward the result, using the routing table */
    ROCECC_SRV6_PE_HOST,          /* ICMPv6 for this node: pass it to the IP stack */
    ROCECC_SRV6_PE_BAD,           /* drop; `why` has the reason */
    ROCECC_SRV6_PE_ECN_CONFLICT,  /* drop: Not-ECT inside, CE outside. RFC 6040, 4.2 */
    ROCECC_SRV6_PE_NO_HOPS_LEFT,  /* drop, and send Time Exceeded */
    ROCECC_SRV6_PE_NOT_CNP,       /* strict: drop, inner packet is not a Fast CNP */
    ROCECC_SRV6_PE_ACCESS_DENIED, /* strict: drop, inner source not permitted */
    ROCECC_SRV6_PE_UNEXPECTED_UPPER, /* drop: the SID rejects this upper layer */
    ROCECC_SRV6_PE_BAD_ARRIVAL,      /* drop; `arrival` has the reason */
    ROCECC_SRV6_PE_BAD_SOURCE,       /* strict: drop, tunnel source not permitted */
    ROCECC_SRV6_PE_BAD_DESTINATION,  /* strict: drop, inner destination is END.CON */
    ROCECC_SRV6_PE_TOO_BIG,          /* ingress: drop, and send `icmp` with mtu_bytes */
    ROCECC_SRV6_PE_VERDICTS          /* number of verdicts */
} ROCECC_IN_8_BITS_(rocecc_srv6_pe_verdict);

/*
 * Returns false only for OTHER. The caller must then forward the packet unchanged.
 */
ROCECC_FN bool rocecc_srv6_pe_needs_action(rocecc_srv6_pe_verdict verdict)
{
    return verdict != ROCECC_SRV6_PE_OTHER;
}

typedef enum rocecc_srv6_pe_refusal {
    ROCECC_SRV6_PE_ACCEPTED = 0,
    ROCECC_SRV6_PE_REFUSED_SID,  /* end_con is ::, ::1, multicast or IPv4-mapped */
    ROCECC_SRV6_PE_REFUSED_DSCP, /* dscp is above 63, even if copy_dscp is set */
    ROCECC_SRV6_PE_REFUSED_TYPES /* strict: rocecc_fastcnp_init() gives the reason */
} rocecc_srv6_pe_refusal;

/*
 * Configuration of an ingress PE and its END.CON. If all members except end_con are 0,
 * the PE copies ECN to the outer header (normal mode of RFC 6040) and sets the outer
 * DSCP to 0, and END.CON is strict.
 */
typedef struct rocecc_srv6_pe_config {
    rocecc_ip6 end_con; /* SID of END.CON; source address of tunnels and
                           outer destination of Fast CNPs */
    bool compatibility; /* write Not-ECT to the outer header; for an egress that does
                           not merge ECN */
    bool copy_dscp;     /* copy the inner DSCP to the outer header; instead of `dscp` */
    uint8_t dscp;       /* outer DSCP without copy_dscp; 6 bits */
    bool reduced;       /* omit the first segment in SRHs */
    bool open;          /* skip the strict checks of END.CON */
} rocecc_srv6_pe_config;

/* The path of a packet through the domain. */
typedef struct rocecc_srv6_pe_path {
    rocecc_reader policy; /* addresses in SRH order, the last segment first */
    uint32_t flow_label;  /* of the outer header: 20 bits */
    uint32_t mtu_bytes;   /* path MTU; 0: unknown, and no packet is TOO_BIG */
} rocecc_srv6_pe_path;

/* The result of rocecc_srv6_pe_encapsulate() and rocecc_srv6_pe_push(). */
typedef struct rocecc_srv6_pe_ingress_result {
    ROCECC_ENUM8_(rocecc_srv6_pe_verdict)
    verdict;                          /* FORWARD, NO_HOPS_LEFT, TOO_BIG or BAD */
    ROCECC_ENUM8_(rocecc_status) why; /* reason for BAD; else OK */
    uint32_t mtu_bytes;     /* maximum packet length for the tunnel; 0: unknown */
    rocecc_icmp_error icmp; /* ICMP error to send; type 0: none */
} rocecc_srv6_pe_ingress_result;

/* The result of egress(), end_con(), end() and their steps. */
typedef struct rocecc_srv6_pe_result {
    ROCECC_ENUM8_(rocecc_srv6_pe_verdict) verdict;
    ROCECC_ENUM8_(rocecc_srv6_verdict) why;        /* reason for BAD; see merge() */
    ROCECC_ENUM8_(rocecc_ecntunnel_alarm) alarm;   /* log it at a limited rate */
    ROCECC_ENUM8_(rocecc_arrival_verdict) arrival; /* reason for BAD_ARRIVAL */
    rocecc_icmp_error icmp; /* ICMP error to send; type 0: none */
    rocecc_srv6 tunnel;     /* the tunnel if `why` is DECAPSULATE; otherwise empty */
} rocecc_srv6_pe_result;

/*
 * Checks a configuration and, if END.CON is strict, the domain's Fast CNP types.
 * Returns the first refusal in the order of the enumeration. Accepts a strict END.CON
 * even if both types are off (FC-22), although END.CON then forwards no packets.
 */
ROCECC_FN rocecc_srv6_pe_refusal
rocecc_srv6_pe_init(const rocecc_srv6_pe_config *config, const rocecc_domain *domain)
{
    const rocecc_fastcnp_refusal types = rocecc_fastcnp_init(&domain->fastcnp);
    if (!rocecc_ip6_is_source(&config->end_con)) return ROCECC_SRV6_PE_REFUSED_SID;
    if (config->dscp >> 6 != 0) return ROCECC_SRV6_PE_REFUSED_DSCP;
    if (!config->open && types != ROCECC_FASTCNP_ACCEPTED &&
        types != ROCECC_FASTCNP_REFUSED_OFF)
        return ROCECC_SRV6_PE_REFUSED_TYPES;
    return ROCECC_SRV6_PE_ACCEPTED;
}

ROCECC_FN uint32_t rocecc_srv6_pe_inner_mtu_(const rocecc_srv6 *tunnel,
                                             uint32_t mtu_bytes)
{
    const uint32_t headers = (uint32_t)rocecc_srv6_bytes(tunnel);
    const uint32_t least = tunnel->ip.version == 6 ? 1280 : 68; /* RFC 8200; RFC 791 */
    if (mtu_bytes == 0) return 0;
    return mtu_bytes > headers + least ? mtu_bytes - headers : least;
}

/*
 * Computes the tunnel for encapsulate() and push(). Writes all members of *out except
 * the verdict.
 */
ROCECC_FN rocecc_srv6_pe_verdict
rocecc_srv6_pe_make_tunnel_(const rocecc_srv6_pe_config *config, rocecc_reader packet,
                            const rocecc_srv6_pe_path *way, rocecc_srv6 *tunnel,
                            rocecc_srv6_pe_ingress_result *out)
{
    const rocecc_icmp_error none = ROCECC_ZERO;
    rocecc_ipv46 ip = ROCECC_ZERO;
    out->mtu_bytes = 0;
    out->icmp = none;
    out->icmp.offset = (uint16_t)packet.at;
    out->why = rocecc_ipv46_parse(packet, &ip);
    if (out->why != ROCECC_OK) return ROCECC_SRV6_PE_BAD;
    if (ip.hops <= 1) {
        out->icmp.type = ip.version == 6 ? ROCECC_ICMP6_TYPE_TIME_EXCEEDED
                                         : ROCECC_ICMP_TYPE_TIME_EXCEEDED;
        return ROCECC_SRV6_PE_NO_HOPS_LEFT;
    }
    out->why = rocecc_srv6_init(tunnel, &config->end_con, way->policy, config->reduced);
    if (out->why != ROCECC_OK) return ROCECC_SRV6_PE_BAD;
    tunnel->outer.dscp = config->copy_dscp ? ip.dscp : config->dscp;
    tunnel->outer.ecn = rocecc_ecntunnel_encapsulate(
        config->compatibility ? ROCECC_ECNTUNNEL_COMPATIBILITY
                              : ROCECC_ECNTUNNEL_NORMAL,
        ip.ecn);
    tunnel->outer.flow_label = way->flow_label;
    tunnel->ip = ip;
    out->mtu_bytes = rocecc_srv6_pe_inner_mtu_(tunnel, way->mtu_bytes);
    if (out->mtu_bytes == 0 || ip.bytes <= out->mtu_bytes)
        return ROCECC_SRV6_PE_FORWARD;
    out->icmp.type =
        ip.version == 6 ? ROCECC_ICMP6_TYPE_TOO_BIG : ROCECC_ICMP_TYPE_UNREACHABLE;
    out->icmp.code = ip.version == 6 ? 0 : ROCECC_ICMP_UNREACHABLE_TOO_BIG;
    out->icmp.value = out->mtu_bytes;
    return ROCECC_SRV6_PE_TOO_BIG;
}

/*
 * Writes a tunnel's headers and then `copy`. Lowers the hop limit or TTL by 1 in the
 * packet that follows the headers (RFC 2473, 3.1).
 */
ROCECC_FN rocecc_status rocecc_srv6_pe_put_tunnel_(rocecc_writer *writer,
                                                   const rocecc_srv6 *tunnel,
                                                   rocecc_reader copy)
{
    rocecc_writer inner;
    rocecc_status status = ROCECC_ERR_SPACE;
    if (rocecc_room(writer) >= rocecc_srv6_bytes(tunnel) + rocecc_left(&copy))
        status = rocecc_srv6_emit(writer, tunnel);
    if (status != ROCECC_OK) return status;
    inner = *writer;
    if (!rocecc_append(writer, copy, ROCECC_SRV6_INNER_MAX_BYTES))
        return ROCECC_ERR_SPACE;
    return rocecc_ipv46_patch(inner, tunnel->ip.ecn, (uint8_t)(tunnel->ip.hops - 1));
}

/*
 * Puts a copy of an IPv4 or IPv6 packet into a tunnel that follows the path `way`, and
 * lowers the copy's hop limit or TTL by 1. `packet` must begin with its IP header, and
 * this header gives the length of the copy. Neither `packet` nor the policy may overlap
 * the bytes that are written. Does not check the packet's addresses or its IPv4
 * checksum. Always writes *out. Unless the verdict is FORWARD, nothing else is written,
 * and the writer does not move.
 *
 * The first failure in this table determines the verdict and out->why.
 *
 *     BAD             SHORT, FORMAT or UNSUPPORTED: the IP header is cut off, is
 *                     invalid, or belongs to a jumbogram, respectively
 *     NO_HOPS_LEFT    the hop limit or TTL is at most 1
 *     BAD             RANGE: the policy does not hold 1 to 127 whole addresses
 *     TOO_BIG         out->mtu_bytes is not 0, and the packet is longer
 *     BAD             SHORT: `packet` has fewer bytes than the IP header says
 *     BAD             UNSUPPORTED: the copy would exceed ROCECC_SRV6_INNER_MAX_BYTES
 *     BAD             SPACE: the writer is too small
 *     BAD             RANGE: a value is too large for its field in the outer header
 *
 * out->mtu_bytes is way->mtu_bytes minus the length of the tunnel's headers, but at
 * least 1280 for an IPv6 packet and 68 for an IPv4 packet. If the headers and a packet
 * of this length together exceed the path MTU, the caller must fragment the outer
 * packet (RFC 2473, 7.1). out->mtu_bytes is 0 if the path MTU is unknown, or if a
 * failure listed before TOO_BIG determines the verdict. TOO_BIG does not depend on
 * IPv4's DF bit.
 */
ROCECC_FN void rocecc_srv6_pe_encapsulate(const rocecc_srv6_pe_config *config,
                                          rocecc_reader packet,
                                          const rocecc_srv6_pe_path *way,
                                          rocecc_writer *writer,
                                          rocecc_srv6_pe_ingress_result *out)
{
    rocecc_srv6 tunnel = ROCECC_ZERO;
    rocecc_reader rest = packet, inner = packet;
    rocecc_writer end = *writer;
    out->verdict = rocecc_srv6_pe_make_tunnel_(config, packet, way, &tunnel, out);
    if (out->verdict != ROCECC_SRV6_PE_FORWARD) return;
    if (!rocecc_split(&rest, tunnel.ip.bytes, &inner))
        out->why = ROCECC_ERR_SHORT;
    else if (tunnel.ip.bytes > ROCECC_SRV6_INNER_MAX_BYTES)
        out->why = ROCECC_ERR_UNSUPPORTED;
    else
        out->why = rocecc_srv6_pe_put_tunnel_(&end, &tunnel, inner);
    if (out->why == ROCECC_OK)
        *writer = end;
    else
        out->verdict = ROCECC_SRV6_PE_BAD;
}

/*
 * Puts an IPv4 or IPv6 packet into a tunnel without copying the packet. Writes the
 * tunnel's headers directly before the packet, and lowers the packet's hop limit or TTL
 * by 1 in place. `packet` must be a reader of the writer's buffer, at the same offsets,
 * and must hold at least the IP header. The tunnel's headers overwrite the bytes that
 * precede the packet, even bytes before writer->at. The policy must lie outside the
 * bytes that are written. Always writes *out. If the verdict is FORWARD, writer->at is
 * the offset of the outer header. Otherwise the writer and the buffer are unchanged.
 *
 * The table for rocecc_srv6_pe_encapsulate() applies up to and including TOO_BIG. After
 * these checks, the verdict is BAD with SPACE if the room before the packet is too
 * small, or if `packet` ends after the writer's end. Otherwise it is BAD with RANGE if
 * a value is too large for its field in the outer header.
 */
ROCECC_FN void rocecc_srv6_pe_push(const rocecc_srv6_pe_config *config,
                                   rocecc_reader packet, const rocecc_srv6_pe_path *way,
                                   rocecc_writer *writer,
                                   rocecc_srv6_pe_ingress_result *out)
{
    const rocecc_reader none = rocecc_subrange(packet, packet.end, packet.end);
    rocecc_srv6 tunnel = ROCECC_ZERO;
    rocecc_writer head = *writer;
    size_t before;
    out->verdict = rocecc_srv6_pe_make_tunnel_(config, packet, way, &tunnel, out);
    if (out->verdict != ROCECC_SRV6_PE_FORWARD) return;
    before = rocecc_srv6_bytes(&tunnel);
    head.at = (size_t)rocecc_min(packet.at - before, writer->end);
    if (packet.at < before || packet.end > writer->end)
        out->why = ROCECC_ERR_SPACE;
    else
        out->why = rocecc_srv6_pe_put_tunnel_(&head, &tunnel, none);
    if (out->why == ROCECC_OK)
        writer->at = packet.at - before;
    else
        out->verdict = ROCECC_SRV6_PE_BAD;
}

/*
 * Checks whether this node may accept or forward a packet with the IP header `ip`, and
 * writes BAD_ARRIVAL if it must not. If `groups` is set, a multicast destination is
 * allowed.
 */
ROCECC_FN void rocecc_srv6_pe_check_ip_(rocecc_arrival_node node, bool groups,
                                        const rocecc_packet *packet,
                                        const rocecc_headers_ip *ip,
                                        rocecc_srv6_pe_result *out)
{
    rocecc_arrival_config config = ROCECC_ZERO;
    config.node = node;
    config.groups = groups;
    out->arrival = rocecc_arrival_check(&config, packet, ip, &out->icmp);
    if (out->arrival != ROCECC_ARRIVAL_OK) out->verdict = ROCECC_SRV6_PE_BAD_ARRIVAL;
}

/*
 * Runs the first step of egress(), end_con() and end(). Checks whether a packet is
 * addressed to the SID and passes the checks of rocecc_arrival_check(). Writes all
 * members of *out. The verdict is OTHER if the outermost header is not IPv6, is cut off
 * or has another destination. The verdict is BAD_ARRIVAL if rocecc_arrival_check()
 * rejects the packet, for example because packet->bytes does not hold the whole packet
 * (PARTIAL). Otherwise the verdict is FORWARD. BPF programs can call each step
 * separately.
 */
ROCECC_FN void rocecc_srv6_pe_accept(const rocecc_ip6 *sid, const rocecc_packet *packet,
                                     rocecc_srv6_pe_result *out)
{
    const rocecc_icmp_error none = ROCECC_ZERO;
    const rocecc_headers_ip *first = rocecc_packet_outermost(packet);
    rocecc_reader r = rocecc_subrange(packet->bytes, first->offset, first->end);
    const uint8_t *b = rocecc_take(&r, ROCECC_IPV6_BYTES);
    rocecc_ip6 dst;
    out->tunnel = rocecc_srv6_none(packet->bytes);
    out->why = ROCECC_SRV6_OTHER;
    out->alarm = ROCECC_ECNTUNNEL_NO_ALARM;
    out->arrival = ROCECC_ARRIVAL_OK;
    out->icmp = none;
    out->verdict = ROCECC_SRV6_PE_OTHER;
    if (first->version != 6 || b == NULL) return;
    dst = rocecc_ip6_load(b + 24);
    if (!rocecc_ip6_match(&dst, sid)) return;
    out->verdict = ROCECC_SRV6_PE_FORWARD;
    rocecc_srv6_pe_check_ip_(ROCECC_ARRIVAL_SID, false, packet, first, out);
}

/* Writes an ICMPv6 Parameter Problem about the outermost header to out->icmp. */
ROCECC_FN void rocecc_srv6_pe_problem_(const rocecc_packet *packet, uint8_t code,
                                       uint32_t pointer, rocecc_srv6_pe_result *out)
{
    out->icmp.type = ROCECC_ICMP6_TYPE_PROBLEM;
    out->icmp.code = code;
    out->icmp.offset = rocecc_packet_outermost(packet)->offset;
    out->icmp.value = pointer;
}

/*
 * Writes the verdict HOST if the upper layer is ICMPv6, because END.CON is the source
 * of tunnels and receives ICMPv6 errors about them. Otherwise writes UNEXPECTED_UPPER
 * (RFC 8986, 4.1.1).
 */
ROCECC_FN void rocecc_srv6_pe_check_upper_(const rocecc_packet *packet,
                                           rocecc_srv6_pe_result *out)
{
    const rocecc_headers_ip *ip = rocecc_packet_outermost(packet);
    if (ip->proto == ROCECC_PROTO_ICMP6) {
        out->verdict = ROCECC_SRV6_PE_HOST;
    } else {
        out->verdict = ROCECC_SRV6_PE_UNEXPECTED_UPPER;
        rocecc_srv6_pe_problem_(packet, ROCECC_ICMP6_PROBLEM_UPPER,
                                (uint32_t)(ip->upper - ip->offset), out);
    }
}

/*
 * Reads the tunnel that ends at this SID. Writes out->why, and out->tunnel if the
 * verdict stays FORWARD. If the packet does not contain a tunnel, the verdict becomes
 * HOST for ICMPv6, and otherwise UNEXPECTED_UPPER. If the tunnel cannot be decapsulated
 * for another reason, the verdict becomes BAD, with a Parameter Problem if segments are
 * left. Does nothing unless the verdict is FORWARD after accept().
 */
ROCECC_FN void rocecc_srv6_pe_decapsulate(const rocecc_ip6 *sid,
                                          const rocecc_packet *packet,
                                          rocecc_srv6_pe_result *out)
{
    rocecc_srv6_verdict why;
    if (out->verdict != ROCECC_SRV6_PE_FORWARD) return;
    why = rocecc_srv6_decapsulate(packet, sid, &out->tunnel);
    out->why = why;
    if (why == ROCECC_SRV6_NO_TUNNEL) {
        rocecc_srv6_pe_check_upper_(packet, out);
    } else if (why != ROCECC_SRV6_DECAPSULATE) {
        out->verdict = ROCECC_SRV6_PE_BAD;
        if (why == ROCECC_SRV6_SEGMENTS_LEFT)
            rocecc_srv6_pe_problem_(
                packet, ROCECC_ICMP6_PROBLEM_HEADER,
                rocecc_srv6_segments_left(packet, rocecc_packet_outermost(packet)),
                out);
    }
}

/*
 * Checks whether the inner packet may be forwarded. If `groups` is set, a multicast
 * destination is allowed. Writes out->arrival and out->icmp, and on failure also the
 * verdict BAD_ARRIVAL. Does nothing unless the verdict is FORWARD after decapsulate().
 */
ROCECC_FN void rocecc_srv6_pe_check_inner(const rocecc_packet *packet, bool groups,
                                          rocecc_srv6_pe_result *out)
{
    if (out->verdict == ROCECC_SRV6_PE_FORWARD)
        rocecc_srv6_pe_check_ip_(ROCECC_ARRIVAL_FORWARDER, groups, packet,
                                 &packet->headers.ip, out);
}

/*
 * Returns true for a Fast CNP over IPv6 that has UDP Length 40, no IFA or INT, and
 * Destination Options as its only extension header (FC-08).
 */
ROCECC_FN bool rocecc_srv6_pe_is_fastcnp_(const rocecc_packet *packet)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_fastcnp h;
    if (!rocecc_cnp_match(packet) || rocecc_packet_has_telemetry(packet) ||
        f->end != (uint32_t)f->udp + ROCECC_CNP_UDP_LENGTH)
        return false;
    return f->ip.version == 6 && f->ip.n_ext == 1 &&
           rocecc_fastcnp_find(packet, &h) == ROCECC_OK;
}

/*
 * Writes NOT_CNP if END.CON is strict and the inner packet is not a Fast CNP. Does
 * nothing unless the verdict is FORWARD after check_inner().
 */
ROCECC_FN void rocecc_srv6_pe_check_cnp(const rocecc_srv6_pe_config *config,
                                        const rocecc_packet *packet,
                                        rocecc_srv6_pe_result *out)
{
    if (out->verdict == ROCECC_SRV6_PE_FORWARD && !config->open &&
        !rocecc_srv6_pe_is_fastcnp_(packet))
        out->verdict = ROCECC_SRV6_PE_NOT_CNP;
}

/*
 * Makes the address checks that a strict END.CON requires. `outer` is the tunnel's
 * source, and `ip` is the inner header.
 */
ROCECC_FN rocecc_srv6_pe_verdict rocecc_srv6_pe_check_addresses_(
    const rocecc_srv6_pe_config *config, const rocecc_acl *access,
    const rocecc_ip6 *outer, const rocecc_ip *ip)
{
    if (rocecc_ip6_match(&ip->dst, &config->end_con))
        return ROCECC_SRV6_PE_BAD_DESTINATION;
    if (!rocecc_acl_lookup(access, &ip->src).permit)
        return ROCECC_SRV6_PE_ACCESS_DENIED;
    /* R-CON-9: the tunnel comes from the same switch or another permitted switch. */
    return rocecc_acl_lookup(access, outer).permit ? ROCECC_SRV6_PE_FORWARD
                                                   : ROCECC_SRV6_PE_BAD_SOURCE;
}

/*
 * Checks the inner addresses and the tunnel's source for a strict END.CON (R-CON-9,
 * R-CON-11, FC-19). Writes NOT_CNP if the inner IP header cannot be read, or else the
 * first of BAD_DESTINATION, ACCESS_DENIED and BAD_SOURCE that applies. Does nothing if
 * config->open is set (`access` may then be NULL), or if the verdict is not FORWARD
 * after check_cnp().
 */
ROCECC_FN void rocecc_srv6_pe_check_sources(const rocecc_srv6_pe_config *config,
                                            const rocecc_acl *access,
                                            const rocecc_packet *packet,
                                            rocecc_srv6_pe_result *out)
{
    rocecc_ip ip;
    if (out->verdict != ROCECC_SRV6_PE_FORWARD || config->open) return;
    if (rocecc_packet_ip(packet, &packet->headers.ip, &ip) != ROCECC_OK)
        out->verdict = ROCECC_SRV6_PE_NOT_CNP;
    else
        out->verdict = rocecc_srv6_pe_check_addresses_(config, access,
                                                       &out->tunnel.outer.src, &ip);
}

/* Writes NO_HOPS_LEFT, and a Time Exceeded error about the IP header at `offset`. */
ROCECC_FN void rocecc_srv6_pe_expire_(uint8_t version, size_t offset,
                                      rocecc_srv6_pe_result *out)
{
    out->verdict = ROCECC_SRV6_PE_NO_HOPS_LEFT;
    out->icmp.type =
        version == 6 ? ROCECC_ICMP6_TYPE_TIME_EXCEEDED : ROCECC_ICMP_TYPE_TIME_EXCEEDED;
    out->icmp.code = 0;
    out->icmp.offset = (uint16_t)offset;
    out->icmp.value = 0;
}

/*
 * Writes the merged ECN into the inner packet and lowers its hop limit or TTL by 1, in
 * place. Also writes out->alarm. The writer must cover the same buffer as the packet,
 * with the same offsets. writer.at is ignored. The verdict becomes ECN_CONFLICT if RFC
 * 6040 requires the packet to be dropped. Otherwise it becomes NO_HOPS_LEFT if the
 * inner hop limit or TTL is at most 1, or else BAD if the writer does not hold the
 * first 20 bytes of the inner packet. In this last case there is no ICMP error, and
 * out->why stays DECAPSULATE. On failure the packet is unchanged. Does nothing unless
 * the verdict is FORWARD after all other steps.
 */
ROCECC_FN void rocecc_srv6_pe_merge(rocecc_writer writer, rocecc_srv6_pe_result *out)
{
    rocecc_ecntunnel_action merged;
    if (out->verdict != ROCECC_SRV6_PE_FORWARD) return;
    merged = rocecc_ecntunnel_decapsulate(out->tunnel.ip.ecn, out->tunnel.outer.ecn);
    out->alarm = merged.alarm;
    writer.at = out->tunnel.inner.at < writer.end ? out->tunnel.inner.at : writer.end;
    if (merged.drop)
        out->verdict = ROCECC_SRV6_PE_ECN_CONFLICT;
    else if (out->tunnel.ip.hops <= 1)
        rocecc_srv6_pe_expire_(out->tunnel.ip.version, out->tunnel.inner.at, out);
    else if (rocecc_ipv46_patch(writer, merged.ecn,
                                (uint8_t)(out->tunnel.ip.hops - 1)) != ROCECC_OK)
        out->verdict = ROCECC_SRV6_PE_BAD;
}

/*
 * Decapsulates a packet at the SID where data tunnels end (R-ECN-3). Makes the same
 * checks as an END.CON that is not strict. packet->bytes must hold the whole packet,
 * and the writer must cover the packet's buffer at the same offsets. Always writes
 * *out. If the verdict is FORWARD, the inner packet in out->tunnel.inner has the merged
 * ECN and a hop limit or TTL lowered by 1, and the caller must forward this inner
 * packet. Otherwise the packet is unchanged.
 */
ROCECC_FN void rocecc_srv6_pe_egress(const rocecc_ip6 *sid, const rocecc_packet *packet,
                                     rocecc_writer writer, rocecc_srv6_pe_result *out)
{
    rocecc_srv6_pe_accept(sid, packet, out);
    rocecc_srv6_pe_decapsulate(sid, packet, out);
    rocecc_srv6_pe_check_inner(packet, true, out);
    rocecc_srv6_pe_merge(writer, out);
}

/*
 * Decapsulates a packet at END.CON (R-CON-5, R-CON-11). A strict END.CON forwards only
 * Fast CNPs, and only if `access` permits the inner source and the tunnel's source.
 * `access` may be NULL if config->open is set. packet->bytes must hold the whole
 * packet, and the writer must cover the packet's buffer at the same offsets. Always
 * writes *out. If the verdict is FORWARD, the inner packet in out->tunnel.inner has the
 * merged ECN and a hop limit or TTL lowered by 1, and the caller must forward this
 * inner packet. Otherwise the packet is unchanged.
 */
ROCECC_FN void rocecc_srv6_pe_end_con(const rocecc_srv6_pe_config *config,
                                      const rocecc_acl *access,
                                      const rocecc_packet *packet, rocecc_writer writer,
                                      rocecc_srv6_pe_result *out)
{
    rocecc_srv6_pe_accept(&config->end_con, packet, out);
    rocecc_srv6_pe_decapsulate(&config->end_con, packet, out);
    rocecc_srv6_pe_check_inner(packet, config->open, out);
    rocecc_srv6_pe_check_cnp(config, packet, out);
    rocecc_srv6_pe_check_sources(config, access, packet, out);
    rocecc_srv6_pe_merge(writer, out);
}

/*
 * Moves a packet to its next segment. Returns false and writes nothing if the writer
 * does not hold the IPv6 header and the SRH's first 8 bytes, or if the SRH does not
 * contain the next segment.
 */
ROCECC_FN bool rocecc_srv6_pe_advance_segment_(rocecc_writer writer,
                                               const rocecc_srh *srh, size_t ip_at,
                                               uint8_t hops)
{
    const size_t srh_at = srh->segments.at - ROCECC_SRH_BYTES;
    const uint8_t left = (uint8_t)(srh->segments_left - 1);
    rocecc_writer again = writer;
    rocecc_ip6 next;
    uint8_t *ip, *b;
    writer.at = ip_at < writer.end ? ip_at : writer.end;
    again.at = srh_at < writer.end ? srh_at : writer.end;
    ip = rocecc_put(&writer, ROCECC_IPV6_BYTES);
    b = rocecc_put(&again, ROCECC_SRH_BYTES);
    if (ip == NULL || b == NULL || rocecc_srh_segment(srh, left, &next) != ROCECC_OK)
        return false;
    b[3] = left;
    rocecc_ipv6_hop_limit_store(ip, (uint8_t)(hops - 1));
    rocecc_ip6_store(ip + 24, &next);
    return true;
}

/*
 * Writes BAD with the reason BROKEN, and a Parameter Problem that points at Segments
 * Left (RFC 8986, 4.1, S09 to S10). The pointer is 0 if no segment is left.
 */
ROCECC_FN void rocecc_srv6_pe_break_(const rocecc_packet *packet,
                                     rocecc_srv6_pe_result *out)
{
    out->verdict = ROCECC_SRV6_PE_BAD;
    out->why = ROCECC_SRV6_BROKEN;
    rocecc_srv6_pe_problem_(
        packet, ROCECC_ICMP6_PROBLEM_HEADER,
        rocecc_srv6_segments_left(packet, rocecc_packet_outermost(packet)), out);
}

/*
 * Runs the last step of end(). Updates Segments Left, the destination and the hop limit
 * in place. The writer must cover the packet's buffer at the same offsets. On failure
 * the packet is unchanged, and the verdict becomes HOST, UNEXPECTED_UPPER, NO_HOPS_LEFT
 * or BAD, as described for rocecc_srv6_pe_end(). Does nothing unless the verdict is
 * FORWARD after accept().
 */
ROCECC_FN void rocecc_srv6_pe_next(const rocecc_packet *packet, rocecc_writer writer,
                                   rocecc_srv6_pe_result *out)
{
    const rocecc_headers_ip *first = rocecc_packet_outermost(packet);
    rocecc_srh srh = {0, 0, 0, 0, packet->bytes, packet->bytes};
    rocecc_status status;
    rocecc_ip ip;
    if (out->verdict != ROCECC_SRV6_PE_FORWARD) return;
    status = rocecc_srh_find(packet, first, &srh);
    if (status == ROCECC_NO_MATCH || (status == ROCECC_OK && srh.segments_left == 0)) {
        rocecc_srv6_pe_check_upper_(packet, out);
    } else if (status != ROCECC_OK ||
               rocecc_packet_ip(packet, first, &ip) != ROCECC_OK) {
        rocecc_srv6_pe_break_(packet, out);
    } else if (ip.hop_limit <= 1) {
        rocecc_srv6_pe_expire_(6, first->offset, out);
    } else if (!rocecc_srv6_pe_advance_segment_(writer, &srh, first->offset,
                                                ip.hop_limit)) {
        out->verdict = ROCECC_SRV6_PE_BAD;
        out->why = ROCECC_SRV6_BROKEN;
    }
}

/*
 * Moves a packet to its next segment, at a SID where one segment ends and the next
 * segment begins (End in RFC 8986, 4.1). packet->bytes must hold the whole packet, and
 * the writer must cover the packet's buffer at the same offsets. Always writes *out. If
 * the verdict is FORWARD, Segments Left, the destination and the hop limit are updated
 * in place. Otherwise the packet is unchanged.
 *
 * The first check that fails determines the verdict. Unlike in RFC 8986, the SRH is
 * checked before the hop limit, and is checked even if no segment is left.
 *
 *     OTHER              the packet is for another SID
 *     BAD_ARRIVAL        the packet may not arrive at the SID
 *     BAD, BROKEN        the SRH is malformed, for example Segments Left exceeds Last
 *                        Entry + 1; `icmp` is a Parameter Problem
 *     HOST               no SRH, or no segment left; the upper layer is ICMPv6
 *     UNEXPECTED_UPPER   no SRH, or no segment left; the upper layer is not ICMPv6, but
 *                        for example a tunnel
 *     NO_HOPS_LEFT       the hop limit is at most 1
 *     BAD, BROKEN        the writer does not hold the IPv6 header and the first 8 bytes
 *                        of the SRH; `icmp` has type 0
 */
ROCECC_FN void rocecc_srv6_pe_end(const rocecc_ip6 *sid, const rocecc_packet *packet,
                                  rocecc_writer writer, rocecc_srv6_pe_result *out)
{
    rocecc_srv6_pe_accept(sid, packet, out);
    rocecc_srv6_pe_next(packet, writer, out);
}

#endif /* ROCECC_ROLE_SRV6_PE_H */
