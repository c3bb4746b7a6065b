/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_ARN_GATE_H
#define ROCECC_ROLE_ARN_GATE_H

/*
 * arn_gate.h - the gate before flow_control.h: which ARNs may stop traffic.
 * draft-hu-rtgwg-rocev2-fcn-00, 4.1, which has no word on security; RFC 5082.
 *
 *   a packet
 *     | is it to the port of ARN ?    no ---> NOT_AN_ARN
 *     | may it end here ?                     UNEXPECTED_TUNNEL, BAD_ARRIVAL
 *     | has a neighbour sent it ?             TOO_FEW_HOPS         RFC 5082
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
#include "../guard/admission.h"
#include "../packet/arn.h"
#include "../packet/arrival.h"
#include "../packet/flow.h"
#include "../packet/udp.h"

typedef enum rocecc_arn_gate_verdict_ {
    ROCECC_ARN_GATE_NOT_AN_ARN = 0, /* nothing for this gate: the host goes on */
    ROCECC_ARN_GATE_TAKEN,          /* do as `arn` says, whom `src` has asked */
    ROCECC_ARN_GATE_MALFORMED,
    ROCECC_ARN_GATE_UNSUPPORTED,       /* a version or parameter; IFA, INT */
    ROCECC_ARN_GATE_UNEXPECTED_TUNNEL, /* IP in IP, of which the configuration has none
                                        */
    ROCECC_ARN_GATE_BAD_ARRIVAL,       /* `arrival` says why it may not end here */
    ROCECC_ARN_GATE_TOO_FEW_HOPS,      /* fewer than 255 left: it has been routed */
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
    ROCECC_ARN_GATE_REFUSED_LIMIT   /* rocecc_admission_init() says why */
} rocecc_arn_gate_refusal;

/* The longest datagram that is read: all parameters, and what emit() writes after. */
#define ROCECC_ARN_GATE_DATAGRAM_MAX_BYTES                                             \
    (ROCECC_UDP_BYTES + ROCECC_ARN_BYTES + 40 + 12 + ROCECC_ARN_REST_MAX_BYTES)

/*
 * All 0: from neighbors, with a checksum, to a node's own address, in no tunnel. init()
 * rejects it, because `admission` has no limits.
 */
typedef struct rocecc_arn_gate_config {
    bool tunnels;  /* ARNs may come in IP in IP, both headers with all their hops */
    bool any_hops; /* from further than a hop, or a sender that starts below 255 */
    bool
        no_checksum; /* over IPv4, ARNs may have none; over IPv6 never: RFC 8200, 8.1 */
    rocecc_ip6 group; /* ARNs may come to this group, too; all 0: to none */
    rocecc_admission_params admission;
} rocecc_arn_gate_config;

/* State of one node: no pointer in it, so that a map of BPF may hold it. */
typedef struct rocecc_arn_gate {
    rocecc_admission admission;
    uint64_t count[ROCECC_ARN_GATE_VERDICTS];
    uint64_t arrival_count[ROCECC_ARRIVAL_VERDICTS]; /* of BAD_ARRIVAL, by reason */
} rocecc_arn_gate;

/* What the gate says of a packet. What nobody has looked at yet is 0. */
typedef struct rocecc_arn_gate_result {
    ROCECC_ENUM8_(rocecc_arn_gate_verdict) verdict;
    bool listed;    /* the access list has the source: */
    uint32_t tag;   /*   with this tag */
    rocecc_ip6 src; /* who asks: of IPv4, ::ffff:a.b.c.d */
    rocecc_arn arn; /* but for `rest`, empty here: rocecc_arn_find() has it */
    ROCECC_ENUM8_(rocecc_arrival_verdict) arrival;     /* reason of BAD_ARRIVAL */
    ROCECC_ENUM8_(rocecc_admission_verdict) admission; /* reason of RATE_LIMITED */
    rocecc_icmp_error icmp; /* the ICMP error that the verdict asks for */
} rocecc_arn_gate_result;

/*
 * Checks and prepares a configuration; refused, it is as it was. The domain is that of
 * the packets to come, list that of the events. Without a list anybody could stop
 * anything: so there has to be one, as FC-17 asks of Fast CNPs.
 */
ROCECC_FN rocecc_arn_gate_refusal rocecc_arn_gate_init(rocecc_arn_gate_config *config,
                                                       const rocecc_domain *domain,
                                                       const rocecc_acl *list)
{
    const rocecc_ip6 none = {{0}};
    rocecc_arn_gate_config out = *config;
    if (domain->arn.port == 0) return ROCECC_ARN_GATE_REFUSED_PORT;
    if (rocecc_arn_init(&domain->arn) != ROCECC_ARN_ACCEPTED)
        return ROCECC_ARN_GATE_REFUSED_FORM;
    if (!rocecc_ip6_match(&config->group, &none) &&
        !rocecc_ip6_is_group(&config->group))
        return ROCECC_ARN_GATE_REFUSED_GROUP;
    if (list->n == 0) return ROCECC_ARN_GATE_REFUSED_ACCESS;
    if (rocecc_admission_init(&out.admission, list) != ROCECC_ADMISSION_ACCEPTED)
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
    s.admission = rocecc_admission_start(&config->admission, now_ns);
    for (i = 0; i < ROCECC_ARN_GATE_VERDICTS; i++)
        s.count[i] = 0;
    for (i = 0; i < ROCECC_ARRIVAL_VERDICTS; i++)
        s.arrival_count[i] = 0;
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

/*
 * Checks whether an ARN may end at this node by one of its IP headers: TAKEN, or why it
 * may not. *src is who sent it.
 */
ROCECC_FN rocecc_arn_gate_verdict rocecc_arn_gate_check_ip_(
    const rocecc_arn_gate_config *config, const rocecc_packet *packet,
    const rocecc_headers_ip *ip, rocecc_ip6 *src, rocecc_arn_gate_result *out)
{
    rocecc_arrival_config host = ROCECC_ZERO;
    rocecc_ip header = ROCECC_ZERO;
    const bool there = rocecc_packet_ip(packet, ip, &header) == ROCECC_OK;
    host.groups = there && rocecc_ip6_match(&header.dst, &config->group);
    out->arrival = rocecc_arrival_check(&host, packet, ip, &out->icmp);
    if (!there || out->arrival != ROCECC_ARRIVAL_OK) return ROCECC_ARN_GATE_BAD_ARRIVAL;
    if (!config->any_hops && header.hop_limit != ROCECC_ARN_HOPS)
        return ROCECC_ARN_GATE_TOO_FEW_HOPS;
    *src = header.src;
    return ROCECC_ARN_GATE_TAKEN;
}

/*
 * The first part of find(). Checks whether a packet is an ARN, and the outer IP header
 * of a tunnel. Writes *out: TAKEN is for the next parts, all other verdicts are final.
 */
ROCECC_FN void rocecc_arn_gate_find_tunnel(const rocecc_arn_gate_config *config,
                                           const rocecc_packet *packet,
                                           rocecc_arn_gate_result *out)
{
    const uint8_t none[ROCECC_ARN_BYTES] = {0};
    const rocecc_ip6 nobody = {{0}};
    const rocecc_icmp_error silence = ROCECC_ZERO;
    rocecc_ip6 tunnel; /* the outer source is not asked any further */
    out->arrival = ROCECC_ARRIVAL_OK;
    out->admission = ROCECC_ADMISSION_ADMITTED;
    out->icmp = silence;
    out->listed = false;
    out->tag = 0;
    out->src = nobody;
    out->arn = rocecc_arn_load(none);
    out->verdict = ROCECC_ARN_GATE_NOT_AN_ARN;
    if (!rocecc_arn_gate_is_arn_(packet)) return;
    out->verdict = ROCECC_ARN_GATE_TAKEN;
    if (packet->headers.outer.version == 0) return;
    out->verdict = config->tunnels
                       ? rocecc_arn_gate_check_ip_(config, packet,
                                                   &packet->headers.outer, &tunnel, out)
                       : ROCECC_ARN_GATE_UNEXPECTED_TUNNEL;
}

/*
 * The second part: *out is what find_tunnel() wrote of the same packet. Checks the IP
 * header next to UDP.
 */
ROCECC_FN void rocecc_arn_gate_find_host(const rocecc_arn_gate_config *config,
                                         const rocecc_packet *packet,
                                         rocecc_arn_gate_result *out)
{
    if (out->verdict == ROCECC_ARN_GATE_TAKEN)
        out->verdict = rocecc_arn_gate_check_ip_(config, packet, &packet->headers.ip,
                                                 &out->src, out);
}

/* The third part: *out is what find_host() wrote of the same packet. */
ROCECC_FN void rocecc_arn_gate_find_arn(const rocecc_packet *packet,
                                        rocecc_arn_gate_result *out)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_arn h = out->arn;
    rocecc_status status;
    if (out->verdict != ROCECC_ARN_GATE_TAKEN) return;
    if (f->status == ROCECC_ERR_UNSUPPORTED || rocecc_packet_has_telemetry(packet) ||
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
    rocecc_arn_gate_find_tunnel(config, packet, out);
    rocecc_arn_gate_find_host(config, packet, out);
    rocecc_arn_gate_find_arn(packet, out);
}

/* Returns true if the UDP checksum is right, or the packet needs none. */
ROCECC_FN bool rocecc_arn_gate_checksum_ok_(const rocecc_arn_gate_config *config,
                                            const rocecc_packet *packet)
{
    if (!rocecc_udp_has_checksum(packet))
        return config->no_checksum && packet->headers.ip.version == 4;
    return rocecc_udp_verify(packet);
}

/* Returns the verdict on an ARN that its admission refuses, or TAKEN. */
ROCECC_FN rocecc_arn_gate_verdict
rocecc_arn_gate_admission_verdict_(rocecc_admission_verdict admission)
{
    if (admission == ROCECC_ADMISSION_ADMITTED) return ROCECC_ARN_GATE_TAKEN;
    return admission == ROCECC_ADMISSION_UNLISTED ? ROCECC_ARN_GATE_ACCESS_DENIED
                                                  : ROCECC_ARN_GATE_RATE_LIMITED;
}

/* Runs the checks that find() has left, in the order of the figure. */
ROCECC_FN rocecc_arn_gate_verdict rocecc_arn_gate_run_checks_(
    const rocecc_arn_gate_config *config, rocecc_arn_gate *state,
    const rocecc_packet *packet, const rocecc_admission_event *event,
    rocecc_arn_gate_result *out)
{
    rocecc_acl_result listed;
    out->admission = rocecc_admission_begin(&config->admission, &state->admission,
                                            event, &out->src, &listed);
    out->listed = listed.found;
    out->tag = listed.tag;
    if (out->admission != ROCECC_ADMISSION_ADMITTED)
        return rocecc_arn_gate_admission_verdict_(out->admission);
    if (!rocecc_arn_gate_checksum_ok_(config, packet))
        return ROCECC_ARN_GATE_BAD_CHECKSUM;
    out->admission =
        rocecc_admission_finish(&config->admission, &state->admission, event, out->tag);
    return rocecc_arn_gate_admission_verdict_(out->admission);
}

/*
 * The second half of step(): *out is what find() wrote of the same packet, and its
 * verdict is the last one.
 */
ROCECC_FN void rocecc_arn_gate_admit(const rocecc_arn_gate_config *config,
                                     rocecc_arn_gate *state,
                                     const rocecc_packet *packet,
                                     const rocecc_admission_event *event,
                                     rocecc_arn_gate_result *out)
{
    size_t verdict = out->verdict, arrival = out->arrival;
    if (verdict == ROCECC_ARN_GATE_TAKEN)
        verdict = rocecc_arn_gate_run_checks_(config, state, packet, event, out);
    ROCECC_BPF_KEEP_(verdict);
    ROCECC_BPF_KEEP_(arrival);
    if (verdict >= ROCECC_ARN_GATE_VERDICTS || arrival >= ROCECC_ARRIVAL_VERDICTS)
        return; /* not of find() */
    out->verdict = (rocecc_arn_gate_verdict)verdict;
    state->count[verdict]++;
    if (verdict == ROCECC_ARN_GATE_BAD_ARRIVAL) state->arrival_count[arrival]++;
}

/*
 * A packet came, in which there may be an ARN. Always writes *out, and counts. For BPF
 * it is too long: there find_tunnel(), find_host(), find_arn() and admit() are
 * functions of their own, which each fit.
 */
ROCECC_FN void rocecc_arn_gate_step(const rocecc_arn_gate_config *config,
                                    rocecc_arn_gate *state, const rocecc_packet *packet,
                                    const rocecc_admission_event *event,
                                    rocecc_arn_gate_result *out)
{
    rocecc_arn_gate_find(config, packet, out);
    rocecc_arn_gate_admit(config, state, packet, event, out);
}

#endif /* ROCECC_ROLE_ARN_GATE_H */
