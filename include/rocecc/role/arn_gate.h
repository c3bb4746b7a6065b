/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_ARN_GATE_H
#define ROCECC_ROLE_ARN_GATE_H

/*
 * arn_gate.h - the gate before flow_control.h: which ARNs may stop traffic.
 * draft-hu-rtgwg-rocev2-fcn-00, 4.1, which has no word on security; RFC 5082.
 *
 *   a packet
 *     | is it to the port of ARN ?    no ---> NOT_AN_ARN
 *     | is it for this node ?                 UNEXPECTED_TUNNEL, BAD_DESTINATION
 *     | has a neighbour sent it ?             TOO_FEW_HOPS         RFC 5082
 *     | may it end here ?                     SEGMENTS_LEFT, UNSUPPORTED, MALFORMED
 *     | has its source sent it ?              BAD_SOURCE
 *     | is it well-formed ?                   MALFORMED, UNSUPPORTED
 *     | is its source on the list ?           ACCESS_DENIED
 *     | has its source a token left ?         RATE_LIMITED
 *     | is its UDP checksum right ?           BAD_CHECKSUM
 *     | is there a token left ?               RATE_LIMITED
 *     v
 *   TAKEN: for rocecc_flow_control_arn_load(), with the source
 *
 * Example: an ARN from 2001:db8::5, of 255 hops and with the right checksum.
 * 2001:db8::/64 is on the list, with tag 3: it is TAKEN if bucket 3 and that of all
 * have a token. With 254 hops it was routed: TOO_FEW_HOPS.
 *
 * An ARN stops a flow for up to 71 minutes, or what pause.h cuts that to, and the next
 * one does so again; nothing in it says who sent it. So a source is believed by its
 * list, and that it is a neighbour by its hops. Who is on the same link can still forge
 * another's address: ingress filtering, or MACsec, is the host's.
 *
 * The verdict is of the first question that fails. Work is bounded before anybody is
 * believed: 8 options of each of two Hop-by-Hop headers, a look-up, and a checksum of
 * ROCECC_ARN_GATE_DATAGRAM_MAX_BYTES. Whether the destination is an address of its own
 * is for the host to say; what is in an overlay is NOT_AN_ARN, and
 * rocecc_packet_inner() is not to be asked for it. Later fragments have no port: a host
 * that reassembles has the whole packet asked again. README.md lists the threats.
 */
#include "../guard/acl.h"
#include "../guard/tokenbucket.h"
#include "../packet/arn.h"
#include "../packet/flow.h"
#include "../packet/receive.h"
#include "../packet/udp.h"

typedef enum rocecc_arn_gate_verdict_ {
    ROCECC_ARN_GATE_NOT_AN_ARN = 0, /* nothing for this gate: the host goes on */
    ROCECC_ARN_GATE_TAKEN,          /* do as `arn` says, whom `src` has asked */
    ROCECC_ARN_GATE_MALFORMED,
    ROCECC_ARN_GATE_UNSUPPORTED, /* a version, parameter, option; a fragment; IFA, INT
                                  */
    ROCECC_ARN_GATE_UNEXPECTED_TUNNEL, /* IP in IP, of which the configuration has none
                                        */
    ROCECC_ARN_GATE_BAD_DESTINATION,   /* to a group, or to no host's address */
    ROCECC_ARN_GATE_TOO_FEW_HOPS,      /* fewer than 255 left: it has been routed */
    ROCECC_ARN_GATE_SEGMENTS_LEFT, /* on its way to another node: segments are left */
    ROCECC_ARN_GATE_BAD_SOURCE, /* unspecified, multicast, loopback; its destination */
    ROCECC_ARN_GATE_ACCESS_DENIED,
    ROCECC_ARN_GATE_BAD_CHECKSUM, /* of UDP: wrong, or 0 */
    ROCECC_ARN_GATE_RATE_LIMITED,
    ROCECC_ARN_GATE_VERDICTS /* how many there are */
} ROCECC_IN_8_BITS_(rocecc_arn_gate_verdict);

/* Whether the host has anything to do with a packet but to go on with it: to do as it
 * says, or drop it. */
ROCECC_FN bool rocecc_arn_gate_needs_action(rocecc_arn_gate_verdict verdict)
{
    return verdict != ROCECC_ARN_GATE_NOT_AN_ARN;
}

typedef enum rocecc_arn_gate_refusal {
    ROCECC_ARN_GATE_ACCEPTED = 0,
    ROCECC_ARN_GATE_REFUSED_PORT,   /* the domain has no port for ARNs, */
    ROCECC_ARN_GATE_REFUSED_FORM,   /*   or a form that rocecc_arn_init() refuses */
    ROCECC_ARN_GATE_REFUSED_GROUP,  /* `group` is not multicast */
    ROCECC_ARN_GATE_REFUSED_ACCESS, /* no access list: a choice of ours */
    ROCECC_ARN_GATE_REFUSED_LIMIT   /* rocecc_tokenbucket_init() says why */
} rocecc_arn_gate_refusal;

/* The longest datagram that is read: all parameters, and what emit() writes after. */
#define ROCECC_ARN_GATE_DATAGRAM_MAX_BYTES                                             \
    (ROCECC_UDP_BYTES + ROCECC_ARN_BYTES + 40 + 12 + ROCECC_ARN_REST_MAX_BYTES)

/*
 * All 0: from neighbours, with a checksum, to a node's own address, in no tunnel; and
 * none at all, until init() has been given a limit or `unlimited`. source_limit is of
 * each entry of the list, by a bucket of its own; a rate of 0: off.
 */
typedef struct rocecc_arn_gate_config {
    bool tunnels;  /* ARNs may come in IP in IP, both headers with all their hops */
    bool any_hops; /* from further than a hop, or a sender that starts below 255 */
    bool
        no_checksum; /* over IPv4, ARNs may have none; over IPv6 never: RFC 8200, 8.1 */
    bool unlimited;
    rocecc_ip6 group; /* ARNs may come to this group, too; all 0: to none */
    rocecc_tokenbucket_params limit;        /* all sources together */
    rocecc_tokenbucket_params source_limit; /* those with the same tag */
} rocecc_arn_gate_config;

/* One of a node: no pointer in it, so that a map of BPF may hold it. */
typedef struct rocecc_arn_gate {
    rocecc_tokenbucket bucket;
    uint64_t count[ROCECC_ARN_GATE_VERDICTS];
} rocecc_arn_gate;

/*
 * A packet came. The buckets of source_limit are in an array of the host's, each from
 * rocecc_tokenbucket_start(): that of an entry is at its tag. A tag of n_sources or
 * more has none, and no limit of its own.
 */
typedef struct rocecc_arn_gate_event {
    uint64_t now_ns;
    const rocecc_acl *access; /* nodes that may send ARNs; empty: deny all */
    rocecc_tokenbucket *sources;
    uint32_t n_sources;
} rocecc_arn_gate_event;

/* What the gate says of a packet. What nobody has looked at yet is 0. */
typedef struct rocecc_arn_gate_result {
    ROCECC_ENUM8_(rocecc_arn_gate_verdict) verdict;
    bool listed;    /* the access list has the source: */
    uint32_t tag;   /*   with this tag */
    rocecc_ip6 src; /* who asks: of IPv4, ::ffff:a.b.c.d */
    rocecc_arn arn; /* but for `rest`, empty here: rocecc_arn_find() has it */
} rocecc_arn_gate_result;

/* Whether an address, of either version, is of a group. */
ROCECC_FN bool rocecc_arn_gate_is_group_(const rocecc_ip6 *address)
{
    return rocecc_ip6_is_ip4(address) ? address->b[12] >> 4 == 0xe
                                      : address->b[0] == 0xff;
}

/*
 * Checks and prepares a configuration; refused, it is as it was. The domain is that of
 * the packets to come, access that of the events. Without a list anybody could stop
 * anything: so there has to be one, as FC-17 asks of Fast CNPs.
 */
ROCECC_FN rocecc_arn_gate_refusal rocecc_arn_gate_init(rocecc_arn_gate_config *config,
                                                       const rocecc_domain *domain,
                                                       const rocecc_acl *access)
{
    const rocecc_ip6 none = {{0}};
    rocecc_arn_gate_config out = *config;
    if (domain->arn.port == 0) return ROCECC_ARN_GATE_REFUSED_PORT;
    if (rocecc_arn_init(&domain->arn) != ROCECC_ARN_ACCEPTED)
        return ROCECC_ARN_GATE_REFUSED_FORM;
    if (!rocecc_ip6_match(&config->group, &none) &&
        !rocecc_arn_gate_is_group_(&config->group))
        return ROCECC_ARN_GATE_REFUSED_GROUP;
    if (access->n == 0) return ROCECC_ARN_GATE_REFUSED_ACCESS;
    if (!config->unlimited &&
        rocecc_tokenbucket_init(&out.limit) != ROCECC_TOKENBUCKET_ACCEPTED)
        return ROCECC_ARN_GATE_REFUSED_LIMIT;
    if (config->source_limit.rate_per_s != 0 &&
        rocecc_tokenbucket_init(&out.source_limit) != ROCECC_TOKENBUCKET_ACCEPTED)
        return ROCECC_ARN_GATE_REFUSED_LIMIT;
    *config = out;
    return ROCECC_ARN_GATE_ACCEPTED;
}

/* A gate that has seen nothing. */
ROCECC_FN rocecc_arn_gate rocecc_arn_gate_start(const rocecc_arn_gate_config *config,
                                                uint64_t now_ns)
{
    rocecc_arn_gate s;
    int i;
    s.bucket = rocecc_tokenbucket_start(&config->limit, now_ns);
    for (i = 0; i < ROCECC_ARN_GATE_VERDICTS; i++)
        s.count[i] = 0;
    return s;
}

/* A packet, or the message in it, that cannot be read. */
ROCECC_FN rocecc_arn_gate_verdict rocecc_arn_gate_status_verdict_(rocecc_status status)
{
    return status == ROCECC_ERR_UNSUPPORTED ? ROCECC_ARN_GATE_UNSUPPORTED
                                            : ROCECC_ARN_GATE_MALFORMED;
}

/*
 * Whether a packet is to the port of ARN, whether or not its UDP can be followed: a
 * first fragment, one in IFA or INT, and one of a wrong UDP Length, too.
 */
ROCECC_FN bool rocecc_arn_gate_is_arn_(const rocecc_packet *packet)
{
    const uint16_t port = packet->domain->arn.port;
    rocecc_flow flow;
    rocecc_status status;
    flow.proto = 0, flow.dst_port = 0; /* gcc -O1 does not see that OK has set them */
    if (rocecc_arn_match(packet)) return true;
    if (port == 0) return false;
    status = rocecc_packet_has_telemetry(packet)
                 ? rocecc_packet_flow(packet, &flow)
                 : rocecc_packet_ip_flow(packet, &packet->headers.ip, &flow);
    return status == ROCECC_OK && flow.proto == ROCECC_PROTO_UDP &&
           flow.dst_port == port;
}

/* Whether an ARN may come to an address. */
ROCECC_FN bool rocecc_arn_gate_dst_allowed_(const rocecc_arn_gate_config *config,
                                            const rocecc_ip *ip)
{
    if (ip->version == 6 ? rocecc_ip6_is_source(&ip->dst)
                         : rocecc_ip6_is_host(&ip->dst))
        return true;
    return rocecc_ip6_is_ip4(&ip->dst) == (ip->version == 4) &&
           rocecc_arn_gate_is_group_(&ip->dst) &&
           rocecc_ip6_match(&ip->dst, &config->group);
}

/*
 * Whether an IP header is one that a node may take for its own, of an ARN, and *out,
 * who sent it, is somebody. No ARN has options of IPv4, which may be a source route, or
 * Destination Options, which nobody here knows.
 */
ROCECC_FN rocecc_arn_gate_verdict rocecc_arn_gate_check_ip_(
    const rocecc_arn_gate_config *config, const rocecc_packet *packet,
    const rocecc_headers_ip *ip, rocecc_ip6 *out)
{
    rocecc_ip header;
    rocecc_status status = rocecc_packet_ip(packet, ip, &header);
    if (status != ROCECC_OK) return rocecc_arn_gate_status_verdict_(status);
    if (!rocecc_arn_gate_dst_allowed_(config, &header))
        return ROCECC_ARN_GATE_BAD_DESTINATION;
    if (!config->any_hops && header.hop_limit != ROCECC_ARN_HOPS)
        return ROCECC_ARN_GATE_TOO_FEW_HOPS;
    if (ip->dst_opts[0] != 0 ||
        (ip->version == 4 && ip->upper - ip->offset != ROCECC_IPV4_BYTES))
        return ROCECC_ARN_GATE_UNSUPPORTED;
    status = rocecc_packet_receive(packet, ip);
    if (status == ROCECC_NO_MATCH) return ROCECC_ARN_GATE_SEGMENTS_LEFT;
    if (status != ROCECC_OK) return rocecc_arn_gate_status_verdict_(status);
    if ((header.version == 6 ? !rocecc_ip6_is_source(&header.src)
                             : !rocecc_ip6_is_host(&header.src)) ||
        rocecc_ip6_match(&header.src, &header.dst))
        return ROCECC_ARN_GATE_BAD_SOURCE;
    *out = header.src;
    return ROCECC_ARN_GATE_TAKEN;
}

/* Whether it is for this node, from *out: TAKEN, or why it is not. */
ROCECC_FN rocecc_arn_gate_verdict rocecc_arn_gate_check_destination_(
    const rocecc_arn_gate_config *config, const rocecc_packet *packet, rocecc_ip6 *out)
{
    rocecc_ip6 tunnel = *out; /* who sent the outer packet has a say in nothing */
    rocecc_arn_gate_verdict verdict;
    if (packet->headers.outer.version != 0) {
        if (!config->tunnels) return ROCECC_ARN_GATE_UNEXPECTED_TUNNEL;
        verdict =
            rocecc_arn_gate_check_ip_(config, packet, &packet->headers.outer, &tunnel);
        if (verdict != ROCECC_ARN_GATE_TAKEN) return verdict;
    }
    return rocecc_arn_gate_check_ip_(config, packet, &packet->headers.ip, out);
}

/*
 * The first part of find(): whether a packet is an ARN, and is for this node. Writes
 * *out: TAKEN is for find_arn() to look into, all others are final.
 */
ROCECC_FN void rocecc_arn_gate_find_host(const rocecc_arn_gate_config *config,
                                         const rocecc_packet *packet,
                                         rocecc_arn_gate_result *out)
{
    const uint8_t none[ROCECC_ARN_BYTES] = {0};
    const rocecc_ip6 nobody = {{0}};
    out->listed = false;
    out->tag = 0;
    out->src = nobody;
    out->arn = rocecc_arn_load(none);
    out->verdict = ROCECC_ARN_GATE_NOT_AN_ARN;
    if (rocecc_arn_gate_is_arn_(packet))
        out->verdict = rocecc_arn_gate_check_destination_(config, packet, &out->src);
}

/* The second part: *out is what find_host() wrote of the same packet. */
ROCECC_FN void rocecc_arn_gate_find_arn(const rocecc_packet *packet,
                                        rocecc_arn_gate_result *out)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_arn h = out->arn;
    rocecc_status status;
    if (out->verdict != ROCECC_ARN_GATE_TAKEN) return;
    if (f->status == ROCECC_ERR_UNSUPPORTED || f->partial != ROCECC_PARTIAL_NONE ||
        rocecc_packet_has_telemetry(packet) ||
        f->end > (size_t)f->udp + ROCECC_ARN_GATE_DATAGRAM_MAX_BYTES) {
        out->verdict = ROCECC_ARN_GATE_UNSUPPORTED;
        return;
    }
    status = rocecc_arn_find(packet, &h); /* NO_MATCH: its UDP Length is wrong */
    if (status != ROCECC_OK) {
        out->verdict = rocecc_arn_gate_status_verdict_(status);
        return;
    }
    h.rest = rocecc_reader_of(NULL, NULL);
    out->arn = h;
}

/*
 * The first half of step(): what a packet is, by its bytes alone. Writes *out: TAKEN is
 * for admit() to judge, all others are final.
 */
ROCECC_FN void rocecc_arn_gate_find(const rocecc_arn_gate_config *config,
                                    const rocecc_packet *packet,
                                    rocecc_arn_gate_result *out)
{
    rocecc_arn_gate_find_host(config, packet, out);
    rocecc_arn_gate_find_arn(packet, out);
}

/*
 * Whether the source has a token left. It is taken before the checksum is computed: so
 * who forges a node's address uses up what that node may send, and nobody else's.
 */
ROCECC_FN bool rocecc_arn_gate_take_source_token_(const rocecc_arn_gate_config *config,
                                                  const rocecc_arn_gate_event *event,
                                                  const rocecc_arn_gate_result *out)
{
    if (config->source_limit.rate_per_s == 0 || out->tag >= event->n_sources)
        return true;
    return rocecc_tokenbucket_take(&config->source_limit, &event->sources[out->tag], 1,
                                   event->now_ns);
}

/* Whether its checksum is right, or it needs none. */
ROCECC_FN bool rocecc_arn_gate_checksum_ok_(const rocecc_arn_gate_config *config,
                                            const rocecc_packet *packet)
{
    rocecc_reader r =
        rocecc_subrange(packet->bytes, packet->headers.udp, packet->headers.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_UDP_BYTES);
    if (b == NULL) return false;
    if ((b[6] | b[7]) == 0)
        return config->no_checksum && packet->headers.ip.version == 4;
    return rocecc_udp_verify(packet);
}

/* What find() left to judge, in the order of the figure. */
ROCECC_FN rocecc_arn_gate_verdict rocecc_arn_gate_run_checks_(
    const rocecc_arn_gate_config *config, rocecc_arn_gate *state,
    const rocecc_packet *packet, const rocecc_arn_gate_event *event,
    rocecc_arn_gate_result *out)
{
    const rocecc_acl_result m = rocecc_acl_lookup(event->access, &out->src);
    out->listed = m.found;
    out->tag = m.tag;
    if (!m.permit) return ROCECC_ARN_GATE_ACCESS_DENIED;
    if (!rocecc_arn_gate_take_source_token_(config, event, out))
        return ROCECC_ARN_GATE_RATE_LIMITED;
    if (!rocecc_arn_gate_checksum_ok_(config, packet))
        return ROCECC_ARN_GATE_BAD_CHECKSUM;
    if (!config->unlimited &&
        !rocecc_tokenbucket_take(&config->limit, &state->bucket, 1, event->now_ns))
        return ROCECC_ARN_GATE_RATE_LIMITED;
    return ROCECC_ARN_GATE_TAKEN;
}

/*
 * The second half of step(): *out is what find() wrote of the same packet, and its
 * verdict is the last one.
 */
ROCECC_FN void rocecc_arn_gate_admit(const rocecc_arn_gate_config *config,
                                     rocecc_arn_gate *state,
                                     const rocecc_packet *packet,
                                     const rocecc_arn_gate_event *event,
                                     rocecc_arn_gate_result *out)
{
    size_t verdict = out->verdict;
    if (verdict == ROCECC_ARN_GATE_TAKEN)
        verdict = rocecc_arn_gate_run_checks_(config, state, packet, event, out);
    ROCECC_BPF_KEEP_(verdict);
    if (verdict >= ROCECC_ARN_GATE_VERDICTS) return; /* not of find() */
    out->verdict = (rocecc_arn_gate_verdict)verdict;
    state->count[verdict]++;
}

/*
 * A packet came, in which there may be an ARN. Always writes *out, and counts. For BPF
 * it is too long: there find_host(), find_arn() and admit() are functions of their own,
 * which each fit.
 */
ROCECC_FN void rocecc_arn_gate_step(const rocecc_arn_gate_config *config,
                                    rocecc_arn_gate *state, const rocecc_packet *packet,
                                    const rocecc_arn_gate_event *event,
                                    rocecc_arn_gate_result *out)
{
    rocecc_arn_gate_find(config, packet, out);
    rocecc_arn_gate_admit(config, state, packet, event, out);
}

#endif /* ROCECC_ROLE_ARN_GATE_H */
