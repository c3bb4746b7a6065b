/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_SRV6_PE_H
#define ROCECC_ROLE_SRV6_PE_H

/*
 * srv6_pe.h - the provider edge between a data center and an SRv6 domain: RoCEv2 goes
 * in and comes out with its ECN, and Fast CNPs find their way back; and the node in
 * between. draft-hu-rtgwg-rocev2-fcn, 4.2.1 (ECN) and 4.2.2 (END.CON); RFC 6040, RFC
 * 8986, 4.1 (End) and 4.8.
 *
 *   data center          ingress PE        congested node        egress PE
 *    sender  --packet-->  outer: END.CON --> CE in the outer -->  merges both fields,
 *                         copies ECN                              forwards the packet
 *    sender  <--Fast CNP- decapsulates  <--- outer: to END.CON
 *
 *   R-ECN-1  ingress: normal mode, a MUST; compatibility has to be asked for
 *   R-ECN-3  egress: RFC 6040, Figure 4
 *   R-CON-3  the outer source is END.CON
 *   R-CON-5  what comes to END.CON is decapsulated, and forwarded
 *
 * Example: the switch 2001:db8:ffff::1 wraps its Fast CNP for 2001:db8:a::2 towards
 * END.CON 2001:db8:c0::c. end_con() gives FORWARD, and the packet inside has one hop
 * less. The same from 2001:db8:bad::1, which is not listed: ACCESS_DENIED.
 *
 * END.CON alone would be a decapsulator for anybody. It is strict unless `open` asks
 * for less, and the verdict is of the first question that fails:
 *
 *     is it for END.CON ?                   no --> OTHER
 *     may it end at this SID ?                     BAD_ARRIVAL
 *     is it a tunnel that ends here ?              HOST, UNEXPECTED_UPPER, BAD
 *     is a Fast CNP inside, and no more ?          NOT_CNP         R-CON-8, R-CON-11
 *     may the packet inside be forwarded ?         BAD_ARRIVAL
 *     is it for another node than END.CON ?        BAD_DESTINATION
 *     is its source on the list ?                  ACCESS_DENIED   FC-19
 *     is the tunnel from there, or listed ?        BAD_SOURCE      R-CON-9
 *     may both fields of ECN be merged ?           ECN_CONFLICT    RFC 6040
 *     is there a hop left ?                        NO_HOPS_LEFT
 *
 * It is to be reached from inside the domain only (RFC 8754, 5.1), which is a filter of
 * the host's, as is a limit on what comes (R-CON-12).
 */
#include "../guard/acl.h"
#include "../algo/ecntunnel.h"
#include "../packet/arrival.h"
#include "../packet/fastcnp.h"
#include "../packet/srv6.h"

typedef enum rocecc_srv6_pe_verdict_ {
    ROCECC_SRV6_PE_OTHER = 0,     /* not for this PE: forward it as it is */
    ROCECC_SRV6_PE_FORWARD,       /* by the routing table: what is mended */
    ROCECC_SRV6_PE_HOST,          /* ICMPv6 for the PE itself: its own stack takes it */
    ROCECC_SRV6_PE_BAD,           /* drop: `why` says why */
    ROCECC_SRV6_PE_ECN_CONFLICT,  /* Not-ECT inside, CE outside: drop. RFC 6040, 4.2 */
    ROCECC_SRV6_PE_NO_HOPS_LEFT,  /* no hop left: drop, Time Exceeded */
    ROCECC_SRV6_PE_NOT_CNP,       /* strict: drop */
    ROCECC_SRV6_PE_ACCESS_DENIED, /* strict: drop */
    ROCECC_SRV6_PE_UNEXPECTED_UPPER, /* what follows is not for a SID: drop */
    ROCECC_SRV6_PE_BAD_ARRIVAL,      /* drop: `arrival` says why */
    ROCECC_SRV6_PE_BAD_SOURCE,       /* strict: a tunnel from anybody: drop */
    ROCECC_SRV6_PE_BAD_DESTINATION,  /* strict: to END.CON itself: drop */
    ROCECC_SRV6_PE_TOO_BIG,          /* ingress: drop, Packet Too Big of mtu_bytes */
    ROCECC_SRV6_PE_VERDICTS          /* how many there are */
} ROCECC_IN_8_BITS_(rocecc_srv6_pe_verdict);

/* Whether the PE has anything to do with a packet but to forward it as it is. */
ROCECC_FN bool rocecc_srv6_pe_needs_action(rocecc_srv6_pe_verdict verdict)
{
    return verdict != ROCECC_SRV6_PE_OTHER;
}

typedef enum rocecc_srv6_pe_refusal {
    ROCECC_SRV6_PE_ACCEPTED = 0,
    ROCECC_SRV6_PE_REFUSED_SID,  /* END.CON is no address that packets come from */
    ROCECC_SRV6_PE_REFUSED_DSCP, /* beyond 6 bits */
    ROCECC_SRV6_PE_REFUSED_TYPES /* strict: rocecc_fastcnp_init() says which */
} rocecc_srv6_pe_refusal;

/* Of an ingress PE. All 0 but END.CON: normal mode, DSCP 0, strict. */
typedef struct rocecc_srv6_pe_config {
    rocecc_ip6 end_con; /* the SID: source of tunnels, where Fast CNPs come */
    bool compatibility; /* outer Not-ECT: for an egress that merges no ECN */
    bool copy_dscp;     /* to the outer header; else dscp */
    uint8_t dscp;       /* 6 bits */
    bool reduced;       /* SRHs without the first segment */
    bool open;          /* END.CON decapsulates whatever comes: not strict */
} rocecc_srv6_pe_config;

/* The way of a packet through the domain. */
typedef struct rocecc_srv6_pe_path {
    rocecc_reader policy; /* addresses as in an SRH, the last segment first */
    uint32_t flow_label;  /* of the outer header: 20 bits */
    uint32_t mtu_bytes;   /* of this way; 0: not known, and nothing is TOO_BIG */
} rocecc_srv6_pe_path;

/* What the ingress makes of a packet. */
typedef struct rocecc_srv6_pe_ingress_result {
    ROCECC_ENUM8_(rocecc_srv6_pe_verdict)
    verdict;                          /* FORWARD, NO_HOPS_LEFT, TOO_BIG; BAD: see why */
    ROCECC_ENUM8_(rocecc_status) why; /* OK but for BAD */
    uint32_t mtu_bytes;     /* of this tunnel: for a packet inside; 0: not known */
    rocecc_icmp_error icmp; /* the ICMP error that the verdict asks for */
} rocecc_srv6_pe_ingress_result;

typedef struct rocecc_srv6_pe_result {
    ROCECC_ENUM8_(rocecc_srv6_pe_verdict) verdict;
    ROCECC_ENUM8_(rocecc_srv6_verdict) why;        /* if BAD */
    ROCECC_ENUM8_(rocecc_ecntunnel_alarm) alarm;   /* to be logged, at a limited rate */
    ROCECC_ENUM8_(rocecc_arrival_verdict) arrival; /* reason of BAD_ARRIVAL */
    rocecc_icmp_error icmp; /* the ICMP error that the verdict asks for */
    rocecc_srv6 tunnel;     /* if it is one for this PE, else 0: inner is the packet */
} rocecc_srv6_pe_result;

/* Checks a configuration. Types that are off are accepted: no Fast CNP passes then. */
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

/*
 * The longest packet that fits: mtu - headers, but for IPv6 at least 1280, which every
 * tunnel carries (RFC 2473, 7.1: then it is the outer packet that is cut up).
 */
ROCECC_FN uint32_t rocecc_srv6_pe_inner_mtu_(const rocecc_srv6 *tunnel,
                                             uint32_t mtu_bytes)
{
    const uint32_t headers = (uint32_t)rocecc_srv6_bytes(tunnel);
    const uint32_t least = tunnel->ip.version == 6 ? 1280 : 68; /* RFC 8200; RFC 791 */
    if (mtu_bytes == 0) return 0;
    return mtu_bytes > headers + least ? mtu_bytes - headers : least;
}

/* What both ways in have in common: the tunnel that a packet is to get, or why none. */
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
 * Writes the headers of a tunnel where writer is, then `copy`, and mends the packet
 * that follows the headers: one hop less (RFC 2473, 3.1), its ECN as it was.
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
 * Ingress: a packet from the data center, IPv4 or IPv6, goes into a tunnel along a way.
 * Writes outer header, SRH and a copy of the packet, as long as its header says. Always
 * writes *out; writer moves if the verdict is FORWARD. BAD, and why: as
 * rocecc_srv6_init() of the policy, and as rocecc_srv6_build().
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
 * The same without a copy: the headers go into the room before the packet, whose head
 * lies in the buffer that writer writes; its rest may lie elsewhere. With FORWARD,
 * writer->at is where the outer header begins. BAD: SPACE, the room is too small;
 * RANGE, FORMAT as encapsulate(). The policy lies elsewhere, too.
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
 * Checks whether a packet may arrive at this node by one of its IP headers. Writes
 * BAD_ARRIVAL if not.
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
 * The first step at a SID, of egress(), end_con() and end(). Checks whether a packet is
 * for the SID, by its outermost header, and may arrive there. Writes *out: FORWARD is
 * for the next step, OTHER and BAD_ARRIVAL are final. A step that gets another verdict
 * returns at once. For BPF each step is a function of its own.
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

/* Writes the ICMPv6 Parameter Problem of the outermost header that a verdict asks for.
 */
ROCECC_FN void rocecc_srv6_pe_problem_(const rocecc_packet *packet, uint8_t code,
                                       uint32_t pointer, rocecc_srv6_pe_result *out)
{
    out->icmp.type = ROCECC_ICMP6_TYPE_PROBLEM;
    out->icmp.code = code;
    out->icmp.offset = rocecc_packet_outermost(packet)->offset;
    out->icmp.value = pointer;
}

/*
 * What follows the headers of a packet whose last segment is a SID, where that takes no
 * more: ICMPv6 is for the node, since END.CON is the source of tunnels. RFC 8986,
 * 4.1.1.
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

/* The second step of egress() and end_con(): the tunnel, if it ends at this SID. */
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
 * The third step of egress() and end_con(). Checks whether the packet inside may be
 * forwarded. groups: to a multicast group, too.
 */
ROCECC_FN void rocecc_srv6_pe_check_inner(const rocecc_packet *packet, bool groups,
                                          rocecc_srv6_pe_result *out)
{
    if (out->verdict == ROCECC_SRV6_PE_FORWARD)
        rocecc_srv6_pe_check_ip_(ROCECC_ARRIVAL_FORWARDER, groups, packet,
                                 &packet->headers.ip, out);
}

/*
 * Returns true if the packet inside is a Fast CNP, whole, with neither IFA nor INT, and
 * with one Destination Options header alone: FC-08.
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

/* The fourth step of end_con(): strict lets a Fast CNP through, and nothing else. */
ROCECC_FN void rocecc_srv6_pe_check_cnp(const rocecc_srv6_pe_config *config,
                                        const rocecc_packet *packet,
                                        rocecc_srv6_pe_result *out)
{
    if (out->verdict == ROCECC_SRV6_PE_FORWARD && !config->open &&
        !rocecc_srv6_pe_is_fastcnp_(packet))
        out->verdict = ROCECC_SRV6_PE_NOT_CNP;
}

/* strict: whom the packet inside is for, and from, and whom the tunnel is from. */
ROCECC_FN rocecc_srv6_pe_verdict rocecc_srv6_pe_check_addresses_(
    const rocecc_srv6_pe_config *config, const rocecc_acl *access,
    const rocecc_ip6 *outer, const rocecc_ip *ip)
{
    if (rocecc_ip6_match(&ip->dst, &config->end_con))
        return ROCECC_SRV6_PE_BAD_DESTINATION;
    if (!rocecc_acl_lookup(access, &ip->src).permit)
        return ROCECC_SRV6_PE_ACCESS_DENIED;
    /* R-CON-9: the tunnel is from the same switch, or from another one. */
    return rocecc_acl_lookup(access, outer).permit ? ROCECC_SRV6_PE_FORWARD
                                                   : ROCECC_SRV6_PE_BAD_SOURCE;
}

/* The fifth step: R-CON-9, R-CON-11, FC-19. access is looked at unless it is open. */
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

/* Writes NO_HOPS_LEFT, and Time Exceeded about the IP header at this offset. */
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
 * The last step of egress() and end_con(): the packet inside gets the merged ECN and
 * one hop less, in place; writer writes the buffer that it lies in.
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
 * A packet that came from the domain, at the PE whose SID ends the tunnels of
 * data: R-ECN-3. FORWARD: out->tunnel.inner, mended in place; its ICRC and its payload
 * are as they were. writer writes the buffer of packet.
 */
ROCECC_FN void rocecc_srv6_pe_egress(const rocecc_ip6 *sid, const rocecc_packet *packet,
                                     rocecc_writer writer, rocecc_srv6_pe_result *out)
{
    rocecc_srv6_pe_accept(sid, packet, out);
    rocecc_srv6_pe_decapsulate(sid, packet, out);
    rocecc_srv6_pe_check_inner(packet, true, out);
    rocecc_srv6_pe_merge(writer, out);
}

/* The same for END.CON: R-CON-5, R-CON-11. */
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

/* The step to the next segment: n segments were left, of which one is now reached. */
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

/* Writes BAD, and a Parameter Problem at Segments Left: RFC 8986, 4.1, S09 to S10. */
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
 * The last step of end(): FORWARD, the packet goes on to its next segment. writer
 * writes the buffer of packet.
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
 * A node in between, at whose SID one segment ends and the next begins: RFC 8986, 4.1
 * (End). FORWARD: Segments Left, destination and hop limit are mended in place; writer
 * writes the buffer of packet. HOST, UNEXPECTED_UPPER: no segment is left. BAD, BROKEN:
 * its SRH is (asked before the hop limit; in RFC 8986 after it), or more segments are
 * left than it lists. out->tunnel is 0: End looks at no tunnel.
 */
ROCECC_FN void rocecc_srv6_pe_end(const rocecc_ip6 *sid, const rocecc_packet *packet,
                                  rocecc_writer writer, rocecc_srv6_pe_result *out)
{
    rocecc_srv6_pe_accept(sid, packet, out);
    rocecc_srv6_pe_next(packet, writer, out);
}

#endif /* ROCECC_ROLE_SRV6_PE_H */
