/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_ARN_GATE_H
#define ROCECC_ROLE_ARN_GATE_H

/*
 * arn_gate.h - a gate for received Adaptive Routing Notifications (ARNs). It decides
 * which ARNs may stop traffic. flow_control.h converts the accepted ARNs to notices for
 * guard/pause.h. draft-hu-rtgwg-rocev2-fcn-00, 4.1; RFC 5082. Section 4.1 of the draft
 * does not discuss security.
 *
 *   a packet
 *     | is it for the ARN port ?      no ---> NOT_AN_ARN
 *     | may it end here ?                     UNEXPECTED_TUNNEL, BAD_ARRIVAL
 *     | did a neighbour send it ?             TOO_FEW_HOPS         RFC 5082
 *     | is it well-formed ?                   MALFORMED, UNSUPPORTED
 *     | does the list permit its source ?     ACCESS_DENIED
 *     | does its source have a token ?        RATE_LIMITED
 *     | is its UDP checksum correct ?         BAD_CHECKSUM
 *     | does the shared bucket have a token ? RATE_LIMITED
 *     v
 *   TAKEN: pass it to rocecc_flow_control_arn_load(), with the source
 *
 * Example: an ARN arrives from 2001:db8::5 with 255 hops left and a correct UDP
 * checksum. An access list entry with tag 3 permits 2001:db8::/64. The verdict is TAKEN
 * if the two token buckets for tag 3 and the shared token bucket each hold a token. An
 * ARN with 254 hops left was routed, so its verdict is TOO_FEW_HOPS.
 *
 * With the default time unit, an ARN can request a pause of up to 71 minutes.
 * guard/pause.h limits this time, but the next ARN can stop the flow again. No field in
 * an ARN identifies its sender. So the gate accepts an ARN only if the list permits the
 * ARN's source address. Unless any_hops is set, the ARN must also arrive with all 255
 * hops left. Another node on the same link can still forge a neighbour's address, and
 * the host must prevent this with ingress filtering or MACsec.
 *
 * The first check that fails determines the verdict. For a packet in a tunnel, the gate
 * runs the arrival and hop checks first on the outer IP header and then on the inner IP
 * header. It looks up only the inner source in the list. The host must decide which
 * tunnel sources to trust.
 *
 * The gate checks at most two IP headers, and at most 8 IPv6 options
 * (ROCECC_IP6OPT_MAX, 4 under BPF) after each of them. Per packet, it looks up at most
 * one source, and verifies at most one UDP checksum. The datagram that this checksum
 * covers is at most ROCECC_ARN_GATE_DATAGRAM_MAX_BYTES long.
 *
 * The host must check that a packet's destination is one of the host's own addresses.
 * If the host reassembles fragments, it must pass the reassembled packet to this gate.
 * It must not pass the inner packets of overlays (rocecc_packet_inner()) to the gate.
 * The verdict is NOT_AN_ARN for ARNs in overlays, for fragments other than the first,
 * and for other packets in which the gate finds no UDP destination port. README.md
 * lists the threats.
 */
#include "../guard/admission.h"
#include "../packet/arn.h"
#include "../packet/arrival.h"
#include "../packet/flow.h"
#include "../packet/udp.h"

typedef enum rocecc_arn_gate_verdict_ {
    ROCECC_ARN_GATE_NOT_AN_ARN = 0, /* not for this gate; process it as usual */
    ROCECC_ARN_GATE_TAKEN,          /* apply `arn`; the requester is `src` */
    ROCECC_ARN_GATE_MALFORMED,
    ROCECC_ARN_GATE_UNSUPPORTED,       /* unknown version or parameter, IFA or INT, or a
                                          datagram that is too long */
    ROCECC_ARN_GATE_UNEXPECTED_TUNNEL, /* IP in IP, but `tunnels` is not set */
    ROCECC_ARN_GATE_BAD_ARRIVAL,       /* `arrival` has the reason */
    ROCECC_ARN_GATE_TOO_FEW_HOPS,  /* fewer than 255 hops left: the ARN was routed */
    ROCECC_ARN_GATE_ACCESS_DENIED, /* the list does not permit the source */
    ROCECC_ARN_GATE_BAD_CHECKSUM,  /* wrong UDP checksum, or 0 and not accepted */
    ROCECC_ARN_GATE_RATE_LIMITED,  /* `admission` has the reason */
    ROCECC_ARN_GATE_VERDICTS       /* number of verdicts */
} ROCECC_IN_8_BITS_(rocecc_arn_gate_verdict);

/*
 * Returns true unless the verdict is NOT_AN_ARN. If the result is true, the host must
 * apply the ARN (TAKEN) or drop the packet (any other verdict).
 */
ROCECC_FN bool rocecc_arn_gate_needs_action(rocecc_arn_gate_verdict verdict)
{
    return verdict != ROCECC_ARN_GATE_NOT_AN_ARN;
}

typedef enum rocecc_arn_gate_refusal {
    ROCECC_ARN_GATE_ACCEPTED = 0,
    ROCECC_ARN_GATE_REFUSED_PORT,   /* the domain has no port for ARNs */
    ROCECC_ARN_GATE_REFUSED_FORM,   /* rocecc_arn_init() gives the reason */
    ROCECC_ARN_GATE_REFUSED_GROUP,  /* `group` is neither all 0 nor multicast */
    ROCECC_ARN_GATE_REFUSED_ACCESS, /* the access list is empty (rocecc's own rule) */
    ROCECC_ARN_GATE_REFUSED_LIMIT   /* rocecc_admission_init() gives the reason */
} rocecc_arn_gate_refusal;

/*
 * Maximum length in bytes of a UDP datagram that the gate reads. A longer datagram
 * gives UNSUPPORTED. The flow identifier takes at most 40 bytes, and the other three
 * known parameters take 12 bytes in all.
 */
#define ROCECC_ARN_GATE_DATAGRAM_MAX_BYTES                                             \
    (ROCECC_UDP_BYTES + ROCECC_ARN_BYTES + 40 + 12 + ROCECC_ARN_REST_MAX_BYTES)

/*
 * Configuration of a gate. If all members are 0, the gate accepts an ARN only if it
 * comes from a neighbour, has a UDP checksum, goes to a unicast address, and is not in
 * a tunnel. The host must still set `admission`, because init() rejects limits of 0.
 */
typedef struct rocecc_arn_gate_config {
    bool tunnels;     /* accept ARNs in IP-in-IP tunnels; both headers must have
                         255 hops left unless any_hops is set */
    bool any_hops;    /* accept any number of hops left; for remote senders, or
                         senders with an initial hop limit below 255 */
    bool no_checksum; /* accept UDP checksum 0 over IPv4; never over IPv6
                         (RFC 8200, 8.1) */
    rocecc_ip6 group; /* multicast group to accept as destination; for ARNs and
                         tunnels, in addition to unicast; all 0: no group */
    rocecc_admission_params admission;
} rocecc_arn_gate_config;

/* State of one node's gate. It contains no pointer, so a BPF map can hold it. */
typedef struct rocecc_arn_gate {
    rocecc_admission admission;
    uint64_t count[ROCECC_ARN_GATE_VERDICTS];
    uint64_t arrival_count[ROCECC_ARRIVAL_VERDICTS]; /* reasons for BAD_ARRIVAL */
} rocecc_arn_gate;

/* Result of the gate for one packet. A member is 0 if no check has set it. */
typedef struct rocecc_arn_gate_result {
    ROCECC_ENUM8_(rocecc_arn_gate_verdict) verdict;
    bool listed;    /* an entry of the access list covers the source */
    uint32_t tag;   /* tag of that entry */
    rocecc_ip6 src; /* the requester; IPv4 as ::ffff:a.b.c.d */
    rocecc_arn arn; /* with an empty `rest`; rocecc_arn_find() reads `rest` */
    ROCECC_ENUM8_(rocecc_arrival_verdict) arrival;     /* reason for BAD_ARRIVAL */
    ROCECC_ENUM8_(rocecc_admission_verdict) admission; /* reason for RATE_LIMITED */
    rocecc_icmp_error icmp; /* the ICMP error to send; type 0: none */
} rocecc_arn_gate_result;

/*
 * Checks and prepares a configuration for packets of `domain`. `list` must be the
 * access list that is also passed with the later events. Neither `domain` nor `list`
 * may be NULL. Returns the first refusal in the order of the enumeration, or ACCEPTED.
 * An empty list is refused, because it would deny every source. Like Fast CNPs (FC-17),
 * ARNs require an access list, because otherwise any node could stop any traffic. On
 * failure *config is unchanged.
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

/*
 * Returns the state of a new gate, with a full shared bucket and with all counters at
 * 0. The host must initialise the buckets of each source with
 * rocecc_admission_source_start().
 */
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

ROCECC_FN rocecc_arn_gate_verdict rocecc_arn_gate_status_verdict_(rocecc_status status)
{
    return status == ROCECC_ERR_UNSUPPORTED ? ROCECC_ARN_GATE_UNSUPPORTED
                                            : ROCECC_ARN_GATE_MALFORMED;
}

/*
 * Returns true if a packet's UDP destination port is the ARN port, even if
 * rocecc_arn_find() cannot read the packet (for example, a first fragment).
 */
ROCECC_FN bool rocecc_arn_gate_is_arn_(const rocecc_packet *packet)
{
    const uint16_t port = packet->domain->arn.port;
    rocecc_flow flow;
    rocecc_status status;
    flow.proto = 0, flow.dst_port = 0; /* gcc -O1 does not see that OK sets both */
    if (rocecc_arn_match(packet)) return true;
    if (port == 0) return false;
    status = rocecc_packet_has_telemetry(packet)
                 ? rocecc_packet_flow(packet, &flow)
                 : rocecc_packet_ip_flow(packet, &packet->headers.ip, &flow);
    return status == ROCECC_OK && flow.proto == ROCECC_PROTO_UDP &&
           flow.dst_port == port;
}

/*
 * Checks whether this node may accept an ARN with the IP header `ip`. Returns TAKEN,
 * BAD_ARRIVAL or TOO_FEW_HOPS. Always writes out->arrival and out->icmp, but writes
 * *src only on TAKEN.
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
 * Runs the first part of find(). Checks whether a packet is an ARN, and checks the
 * outer IP header of an ARN in a tunnel. Always writes *out. The verdict is NOT_AN_ARN,
 * UNEXPECTED_TUNNEL, BAD_ARRIVAL, TOO_FEW_HOPS or TAKEN. TAKEN is preliminary, but all
 * other verdicts are final.
 */
ROCECC_FN void rocecc_arn_gate_find_tunnel(const rocecc_arn_gate_config *config,
                                           const rocecc_packet *packet,
                                           rocecc_arn_gate_result *out)
{
    const uint8_t none[ROCECC_ARN_BYTES] = {0};
    const rocecc_ip6 nobody = {{0}};
    const rocecc_icmp_error silence = ROCECC_ZERO;
    rocecc_ip6 tunnel; /* source of the outer header, not used later */
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
 * Runs the second part of find(). Checks the last IP header before UDP, and writes its
 * source address to out->src. *out must come from find_tunnel() for the same packet. On
 * failure the verdict becomes BAD_ARRIVAL or TOO_FEW_HOPS, and out->src is unchanged.
 * Does nothing unless the verdict is TAKEN after find_tunnel().
 */
ROCECC_FN void rocecc_arn_gate_find_host(const rocecc_arn_gate_config *config,
                                         const rocecc_packet *packet,
                                         rocecc_arn_gate_result *out)
{
    if (out->verdict == ROCECC_ARN_GATE_TAKEN)
        out->verdict = rocecc_arn_gate_check_ip_(config, packet, &packet->headers.ip,
                                                 &out->src, out);
}

/*
 * Runs the third part of find(). Reads the ARN into out->arn, and leaves out->arn.rest
 * empty. *out must come from find_host() for the same packet. The verdict becomes
 * UNSUPPORTED if the packet contains IFA or INT, if headers.status or the result of
 * rocecc_arn_find() is UNSUPPORTED, or if UDP Length is above
 * ROCECC_ARN_GATE_DATAGRAM_MAX_BYTES. It becomes MALFORMED if the ARN cannot be read
 * for another reason. On failure out->arn is unchanged. Does nothing unless the verdict
 * is TAKEN after find_host().
 */
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
    status = rocecc_arn_find(packet, &h); /* NO_MATCH if UDP Length is wrong */
    if (status != ROCECC_OK) {
        out->verdict = rocecc_arn_gate_status_verdict_(status);
        return;
    }
    h.rest = rocecc_reader_of(NULL, NULL);
    out->arn = h;
}

/*
 * Runs the first half of step(). Classifies a packet by its bytes alone, and always
 * writes *out. The verdict TAKEN is preliminary, but all other verdicts are final.
 */
ROCECC_FN void rocecc_arn_gate_find(const rocecc_arn_gate_config *config,
                                    const rocecc_packet *packet,
                                    rocecc_arn_gate_result *out)
{
    rocecc_arn_gate_find_tunnel(config, packet, out);
    rocecc_arn_gate_find_host(config, packet, out);
    rocecc_arn_gate_find_arn(packet, out);
}

ROCECC_FN bool rocecc_arn_gate_checksum_ok_(const rocecc_arn_gate_config *config,
                                            const rocecc_packet *packet)
{
    if (!rocecc_udp_has_checksum(packet))
        return config->no_checksum && packet->headers.ip.version == 4;
    return rocecc_udp_verify(packet);
}

ROCECC_FN rocecc_arn_gate_verdict
rocecc_arn_gate_admission_verdict_(rocecc_admission_verdict admission)
{
    if (admission == ROCECC_ADMISSION_ADMITTED) return ROCECC_ARN_GATE_TAKEN;
    return admission == ROCECC_ADMISSION_UNLISTED ? ROCECC_ARN_GATE_ACCESS_DENIED
                                                  : ROCECC_ARN_GATE_RATE_LIMITED;
}

/*
 * Runs the checks that need the event, in the order of the figure at the top, starting
 * with the access list.
 */
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
 * Runs the second half of step(). *out must come from find() for the same packet. If
 * the verdict is TAKEN, confirms it or changes it to ACCESS_DENIED, RATE_LIMITED or
 * BAD_CHECKSUM. Counts the final verdict and, for BAD_ARRIVAL, its reason. Counts
 * nothing if the verdict or `arrival` is outside its enumeration.
 */
ROCECC_FN void rocecc_arn_gate_admit(const rocecc_arn_gate_config *config,
                                     rocecc_arn_gate *state,
                                     const rocecc_packet *packet,
                                     const rocecc_admission_event *event,
                                     rocecc_arn_gate_result *out)
{
    size_t verdict = out->verdict, arrival = out->arrival;
    if (verdict == ROCECC_ARN_GATE_TAKEN) {
        verdict = rocecc_arn_gate_run_checks_(config, state, packet, event, out);
        out->verdict = (rocecc_arn_gate_verdict)verdict;
    }
    ROCECC_BPF_KEEP_(verdict);
    ROCECC_BPF_KEEP_(arrival);
    if (verdict >= ROCECC_ARN_GATE_VERDICTS || arrival >= ROCECC_ARRIVAL_VERDICTS)
        return; /* *out is not from find() */
    state->count[verdict]++;
    if (verdict == ROCECC_ARN_GATE_BAD_ARRIVAL) state->arrival_count[arrival]++;
}

/*
 * Handles a received packet that may be an ARN. Always writes *out, and counts the
 * verdict. A BPF program must instead call find_tunnel(), find_host(), find_arn() and
 * admit(), each from a separate global noinline function, because step() is too long
 * for the verifier.
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
