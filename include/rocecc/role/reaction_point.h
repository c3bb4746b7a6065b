/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_REACTION_POINT_H
#define ROCECC_ROLE_REACTION_POINT_H

/*
 * reaction_point.h - the gate of a data sender: which CNPs may slow down which QP.
 * draft-xiao-rtgwg-rocev2-fast-cnp-00, 3 to 5; IBTA A17.9.3.
 *
 *   a packet
 *     | is it a CNP ?             no -----> NOT_A_CNP, or with the option
 *     |                                     UNEXPECTED_OPCODE
 *     | may it end here ?                   UNEXPECTED_TUNNEL, BAD_ARRIVAL,
 *     |                                     UNSUPPORTED
 *     | does it have a Fast CNP option ?
 *     |   no  --> ORDINARY, after the checks from MALFORMED on
 *     |   yes --> is Fast CNP enabled ?     DISABLED                 FC-21, FC-22
 *     | is it well-formed ?                 MALFORMED, UNSUPPORTED, SOURCE_IS_RECEIVER
 *     | does its source fit ?               SUSPICIOUS               FC-05
 *     | is its source on the list ?         ACCESS_DENIED            FC-17, FC-19
 *     | has its source a token left ?       RATE_LIMITED
 *     | is its ICRC right, if asked ?       BAD_ICRC, BAD_CHECKSUM
 *     | is there a token left for all ?     RATE_LIMITED             FC-18
 *     v
 *   FAST_PLAIN, FAST_IOAM: for the QP that sends to the key        FC-16
 *
 * Example: a Fast CNP from 2001:db8::5 with DestQP 0x12 and 2001:db8::b in its option.
 * 2001:db8::/64 is on the list: the key is {2001:db8::b, 0x12}, and the QP that sends
 * to QP 0x12 of 2001:db8::b slows down. DestQP is the receiver's QP (FC-07).
 *
 * The first check that fails determines the verdict. guard/admission.h limits Fast
 * CNPs, and ordinary CNPs if ordinary_listed is set: neither misbehaving switches nor
 * forged packets exhaust the limits of honest switches. Set `tunnels` if this host
 * terminates IP-in-IP tunnels. The gate then checks both IP headers, and the host must
 * decide which tunnel sources to trust. `icmp` in the result is the ICMPv6 error that
 * the verdict asks for. README.md lists the statements by their numbers.
 */
#include "../guard/admission.h"
#include "../packet/arrival.h"
#include "../packet/fastcnp.h"
#include "../packet/icrc.h"
#include "../packet/udp.h"

typedef enum rocecc_reaction_verdict_ {
    ROCECC_REACTION_NOT_A_CNP = 0,     /* nothing for this gate: the host goes on */
    ROCECC_REACTION_ORDINARY,          /* slow down: cnp.dest_qp is the host's own QP */
    ROCECC_REACTION_FAST_PLAIN,        /* slow down: by the key */
    ROCECC_REACTION_FAST_IOAM,         /* the same, and there is a trace */
    ROCECC_REACTION_SUSPICIOUS,        /* FC-05: drop, and tell someone */
    ROCECC_REACTION_UNEXPECTED_OPCODE, /* an option, enabled, and no CNP: drop, and so
                                          on */
    ROCECC_REACTION_MALFORMED,
    ROCECC_REACTION_UNSUPPORTED, /* an unknown option, too many; TVer is not 0 */
    ROCECC_REACTION_DISABLED,
    ROCECC_REACTION_ACCESS_DENIED, /* the source is not on the list */
    ROCECC_REACTION_BAD_ICRC,
    ROCECC_REACTION_BAD_CHECKSUM,       /* of UDP, which RoCEv2 may leave 0 */
    ROCECC_REACTION_RATE_LIMITED,       /* `admission` says by which limit */
    ROCECC_REACTION_UNEXPECTED_TUNNEL,  /* IP in IP, of which the configuration has none
                                         */
    ROCECC_REACTION_BAD_ARRIVAL,        /* `arrival` says why it may not end here */
    ROCECC_REACTION_SOURCE_IS_RECEIVER, /* the source says of itself that it is the
                                           flow's receiver */
    ROCECC_REACTION_VERDICTS            /* how many there are */
} ROCECC_IN_8_BITS_(rocecc_reaction_verdict);

/* Whether the host has anything to do with a packet but to go on with it: slow a flow
 * down, or drop it. */
ROCECC_FN bool rocecc_reaction_needs_action(rocecc_reaction_verdict verdict)
{
    return verdict != ROCECC_REACTION_NOT_A_CNP;
}

typedef enum rocecc_reaction_refusal {
    ROCECC_REACTION_ACCEPTED = 0,
    ROCECC_REACTION_REFUSED_TYPES,  /* rocecc_fastcnp_init() says which */
    ROCECC_REACTION_REFUSED_DOMAIN, /* enabled without an access list: FC-17 */
    ROCECC_REACTION_REFUSED_LIMIT,  /* rocecc_admission_init() says why */
    ROCECC_REACTION_REFUSED_RULE    /* check_icrc, and no CNP can be right by it */
} rocecc_reaction_refusal;

/*
 * Bytes of extension headers that a CNP may have: a trace, the option with one, and an
 * SRH of six segments. So the work for a packet is bounded before anybody has verified
 * it: 8 options of each of three headers, and an ICRC by at most three rules over 724
 * bytes.
 */
#define ROCECC_REACTION_EXTS_MAX_BYTES 640

/* All 0: only ordinary CNPs, without list and limits; Fast CNP disabled. */
typedef struct rocecc_reaction_config {
    bool fastcnp_enabled; /* Fast CNP; its types are the domain's */
    bool tunnels;         /* CNPs may come in IP in IP, which this host terminates */
    bool check_icrc;      /* if the NIC has not checked the ICRC */
    bool ignore_udp_checksum; /* a UDP checksum other than 0 may be wrong */
    bool ordinary_listed;     /* ordinary CNPs need admission, too */
    ROCECC_ENUM8_(rocecc_icrc_rule) icrc_rule; /* of check_icrc; AUTO: any rule */
    rocecc_admission_params admission;         /* FC-17 to FC-19 */
} rocecc_reaction_config;

/* State of one host: no pointer in it, so that a map of BPF may hold it. */
typedef struct rocecc_reaction_point {
    rocecc_admission admission;
    uint64_t count[ROCECC_REACTION_VERDICTS];
    uint64_t arrival_count[ROCECC_ARRIVAL_VERDICTS]; /* of BAD_ARRIVAL, by reason */
} rocecc_reaction_point;

/* FC-16: by which a host knows a QP whose other end this is. No padding: hash it. */
typedef struct rocecc_reaction_key {
    rocecc_ip6 remote;
    uint32_t remote_qp;
} rocecc_reaction_key;
ROCECC_SIZE_(rocecc_reaction_key, 20);

/* Whether the host has a QP connected to a CNP's source. */
typedef enum rocecc_reaction_peer_ {
    ROCECC_REACTION_PEER_UNKNOWN =
        0, /* the host did not look: FC-05 is by the option alone */
    ROCECC_REACTION_PEER_YES,
    ROCECC_REACTION_PEER_NO
} ROCECC_IN_8_BITS_(rocecc_reaction_peer);

/* A packet came, and what the host knows of it. */
typedef struct rocecc_reaction_event {
    rocecc_admission_event admission; /* time, list, and the buckets of its sources */
    ROCECC_ENUM8_(rocecc_reaction_peer) peer;
} rocecc_reaction_event;

/* What the gate says of a packet. What nobody has looked at yet is 0, or the default.
 */
typedef struct rocecc_reaction_result {
    ROCECC_ENUM8_(rocecc_reaction_verdict) verdict;
    bool listed;             /* the access list has the source, */
    uint32_t tag;            /* with this tag */
    rocecc_reaction_key key; /* of FAST_PLAIN, FAST_IOAM; of all others it is 0 */
    rocecc_cnp cnp;          /* cnp.src is the peer, or the congested switch (FC-06) */
    rocecc_fastcnp option;   /* of a Fast CNP; its trace is in p->bytes */
    ROCECC_ENUM8_(rocecc_arrival_verdict) arrival;     /* reason of BAD_ARRIVAL */
    ROCECC_ENUM8_(rocecc_admission_verdict) admission; /* reason of RATE_LIMITED */
    rocecc_icmp_error icmp; /* the ICMP error that the verdict asks for */
} rocecc_reaction_result;

/* AUTO and the rules that a packet can be right by: STANDARD knows no options. */
ROCECC_FN bool rocecc_reaction_rule_fits_(const rocecc_reaction_config *config)
{
    return !config->check_icrc ||
           (config->icrc_rule < ROCECC_ICRC_NONE &&
            !(config->fastcnp_enabled && config->icrc_rule == ROCECC_ICRC_STANDARD));
}

/*
 * Checks and prepares a configuration; refused, it is as it was. The domain is that of
 * the packets to come, list that of the events.
 */
ROCECC_FN rocecc_reaction_refusal rocecc_reaction_point_init(
    rocecc_reaction_config *config, const rocecc_domain *domain, const rocecc_acl *list)
{
    rocecc_reaction_config out = *config;
    if (!rocecc_reaction_rule_fits_(config)) return ROCECC_REACTION_REFUSED_RULE;
    if (config->fastcnp_enabled &&
        rocecc_fastcnp_init(&domain->fastcnp) != ROCECC_FASTCNP_ACCEPTED)
        return ROCECC_REACTION_REFUSED_TYPES;
    if (config->fastcnp_enabled || config->ordinary_listed) {
        if (list->n == 0) return ROCECC_REACTION_REFUSED_DOMAIN;
        if (rocecc_admission_init(&out.admission, list) != ROCECC_ADMISSION_ACCEPTED)
            return ROCECC_REACTION_REFUSED_LIMIT;
    }
    *config = out;
    return ROCECC_REACTION_ACCEPTED;
}

/* A gate that has seen nothing. */
ROCECC_FN rocecc_reaction_point
rocecc_reaction_point_start(const rocecc_reaction_config *config, uint64_t now_ns)
{
    rocecc_reaction_point s;
    int i;
    s.admission = rocecc_admission_start(&config->admission, now_ns);
    for (i = 0; i < ROCECC_REACTION_VERDICTS; i++)
        s.count[i] = 0;
    for (i = 0; i < ROCECC_ARRIVAL_VERDICTS; i++)
        s.arrival_count[i] = 0;
    return s;
}

/* A CNP, or its option, that cannot be read. */
ROCECC_FN rocecc_reaction_verdict rocecc_reaction_status_verdict_(rocecc_status status)
{
    return status == ROCECC_ERR_UNSUPPORTED ? ROCECC_REACTION_UNSUPPORTED
                                            : ROCECC_REACTION_MALFORMED;
}

/*
 * Checks whether a CNP may end at this host by one of its IP headers. Returns ORDINARY,
 * BAD_ARRIVAL or UNSUPPORTED.
 */
ROCECC_FN rocecc_reaction_verdict rocecc_reaction_check_ip_(const rocecc_packet *packet,
                                                            const rocecc_headers_ip *ip,
                                                            bool fastcnp,
                                                            rocecc_reaction_result *out)
{
    rocecc_arrival_config host = ROCECC_ZERO;
    host.fastcnp = fastcnp;
    out->arrival = rocecc_arrival_check(&host, packet, ip, &out->icmp);
    if (out->arrival != ROCECC_ARRIVAL_OK) return ROCECC_REACTION_BAD_ARRIVAL;
    if (ip->upper - ip->offset > ROCECC_IPV6_BYTES + ROCECC_REACTION_EXTS_MAX_BYTES)
        return ROCECC_REACTION_UNSUPPORTED;
    return ROCECC_REACTION_ORDINARY;
}

/*
 * Returns true if the option that stopped a packet is a Fast CNP option, which stands
 * in Destination Options. The error that it asks for is how a switch learns that this
 * host does not accept Fast CNPs: FC-03.
 */
ROCECC_FN bool rocecc_reaction_is_disabled_(const rocecc_packet *packet,
                                            const rocecc_reaction_result *out)
{
    const rocecc_headers_ip *ip = &packet->headers.ip;
    rocecc_reader r =
        rocecc_subrange(packet->bytes, ip->offset + (size_t)out->icmp.value, ip->upper);
    const uint8_t *b = rocecc_take(&r, 1);
    return out->arrival == ROCECC_ARRIVAL_UNKNOWN_OPTION && out->icmp.type != 0 &&
           b != NULL && rocecc_fastcnp_type_match(&packet->domain->fastcnp, *b) &&
           ip->dst_opts[0] != 0 &&
           (size_t)ip->offset + out->icmp.value > ip->dst_opts[0];
}

/* A CNP: by its option the one kind or the other. */
ROCECC_FN rocecc_reaction_verdict
rocecc_reaction_classify_(const rocecc_reaction_config *config, rocecc_status found,
                          const rocecc_fastcnp *option)
{
    if (found == ROCECC_NO_MATCH) return ROCECC_REACTION_ORDINARY;
    if (!config->fastcnp_enabled) return ROCECC_REACTION_DISABLED;
    if (found != ROCECC_OK) return rocecc_reaction_status_verdict_(found);
    return option->kind == ROCECC_FASTCNP_PLAIN ? ROCECC_REACTION_FAST_PLAIN
                                                : ROCECC_REACTION_FAST_IOAM;
}

/* Whether a verdict is one that the steps after it may still change. */
ROCECC_FN bool rocecc_reaction_is_open_(uint8_t verdict)
{
    return verdict == ROCECC_REACTION_ORDINARY ||
           verdict == ROCECC_REACTION_FAST_PLAIN ||
           verdict == ROCECC_REACTION_FAST_IOAM;
}

/*
 * The first part of find(). Checks whether a packet is a CNP, and the outer IP header
 * of a tunnel. Writes *out: NOT_A_CNP and ORDINARY are for the next parts, all other
 * verdicts are final.
 */
ROCECC_FN void rocecc_reaction_point_find_tunnel(const rocecc_reaction_config *config,
                                                 const rocecc_packet *packet,
                                                 rocecc_reaction_result *out)
{
    const rocecc_icmp_error none = ROCECC_ZERO;
    out->arrival = ROCECC_ARRIVAL_OK;
    out->admission = ROCECC_ADMISSION_ADMITTED;
    out->icmp = none;
    out->listed = false;
    out->tag = 0;
    out->cnp = rocecc_cnp_default();
    out->key.remote = out->cnp.dst;
    out->key.remote_qp = 0;
    out->option.kind = ROCECC_FASTCNP_PLAIN;
    out->option.flow_dst = out->cnp.dst;
    out->option.reserved = out->option.opt_type = 0;
    out->option.trace_bytes = 0;
    out->option.trace_at = 0;
    out->option.at = 0;
    out->verdict = ROCECC_REACTION_NOT_A_CNP;
    if (!rocecc_cnp_match(packet)) return;
    out->verdict = ROCECC_REACTION_ORDINARY;
    if (packet->headers.outer.version == 0) return;
    out->verdict =
        config->tunnels
            ? rocecc_reaction_check_ip_(packet, &packet->headers.outer, false, out)
            : ROCECC_REACTION_UNEXPECTED_TUNNEL;
}

/*
 * The second part: *out is what find_tunnel() wrote of the same packet. Checks the IP
 * header next to UDP.
 */
ROCECC_FN void rocecc_reaction_point_find_host(const rocecc_reaction_config *config,
                                               const rocecc_packet *packet,
                                               rocecc_reaction_result *out)
{
    if (out->verdict != ROCECC_REACTION_ORDINARY) return;
    out->verdict = rocecc_reaction_check_ip_(packet, &packet->headers.ip,
                                             config->fastcnp_enabled, out);
    if (out->verdict == ROCECC_REACTION_BAD_ARRIVAL && !config->fastcnp_enabled &&
        rocecc_reaction_is_disabled_(packet, out))
        out->verdict = ROCECC_REACTION_DISABLED;
}

/* The third part: *out is what find_host() wrote of the same packet. */
ROCECC_FN void rocecc_reaction_point_find_option(const rocecc_reaction_config *config,
                                                 const rocecc_packet *packet,
                                                 rocecc_reaction_result *out)
{
    rocecc_status found;
    if (out->verdict != ROCECC_REACTION_ORDINARY &&
        (out->verdict != ROCECC_REACTION_NOT_A_CNP || !config->fastcnp_enabled ||
         packet->headers.kind != ROCECC_PACKET_KIND_ROCEV2 || packet->headers.bth == 0))
        return;
    found = rocecc_fastcnp_find(packet, &out->option);
    if (out->verdict == ROCECC_REACTION_NOT_A_CNP) {
        if (found == ROCECC_OK) out->verdict = ROCECC_REACTION_UNEXPECTED_OPCODE;
        return;
    }
    out->verdict = rocecc_reaction_classify_(config, found, &out->option);
}

/* The fourth part: *out is what find_option() wrote of the same packet. */
ROCECC_FN void rocecc_reaction_point_find_cnp(const rocecc_packet *packet,
                                              rocecc_reaction_result *out)
{
    rocecc_status status;
    if (!rocecc_reaction_is_open_(out->verdict)) return;
    status = rocecc_cnp_parse(packet, &out->cnp);
    if (status != ROCECC_OK) {
        out->verdict = rocecc_reaction_status_verdict_(status);
    } else if (out->verdict != ROCECC_REACTION_ORDINARY) {
        if (!rocecc_ip6_is_source(&out->option.flow_dst))
            out->verdict = ROCECC_REACTION_MALFORMED; /* no switch writes it */
        else if (rocecc_ip6_match(&out->cnp.src, &out->option.flow_dst))
            out->verdict = ROCECC_REACTION_SOURCE_IS_RECEIVER;
    }
}

/*
 * The first half of step(): what a packet is, by its bytes alone. Writes *out:
 * ORDINARY, FAST_PLAIN, FAST_IOAM are for admit() to judge, all others are final.
 */
ROCECC_FN void rocecc_reaction_point_find(const rocecc_reaction_config *config,
                                          const rocecc_packet *packet,
                                          rocecc_reaction_result *out)
{
    rocecc_reaction_point_find_tunnel(config, packet, out);
    rocecc_reaction_point_find_host(config, packet, out);
    rocecc_reaction_point_find_option(config, packet, out);
    rocecc_reaction_point_find_cnp(packet, out);
}

/* Checks what a CNP is protected by: its ICRC, and its UDP checksum if it has one. */
ROCECC_FN rocecc_reaction_verdict rocecc_reaction_check_integrity_(
    const rocecc_reaction_config *config, const rocecc_packet *packet,
    rocecc_reaction_verdict found)
{
    rocecc_icrc icrc;
    icrc.ok = false;
    if (!config->ignore_udp_checksum && rocecc_udp_has_checksum(packet) &&
        !rocecc_packet_has_telemetry(packet) && !rocecc_udp_verify(packet))
        return ROCECC_REACTION_BAD_CHECKSUM;
    if (!config->check_icrc) return found;
    return rocecc_icrc_verify(config->icrc_rule, packet, &icrc) == ROCECC_OK && icrc.ok
               ? found
               : ROCECC_REACTION_BAD_ICRC;
}

/* Returns the verdict on a CNP that its admission refuses. */
ROCECC_FN rocecc_reaction_verdict
rocecc_reaction_admission_verdict_(rocecc_admission_verdict admission)
{
    return admission == ROCECC_ADMISSION_UNLISTED ? ROCECC_REACTION_ACCESS_DENIED
                                                  : ROCECC_REACTION_RATE_LIMITED;
}

/* Runs the checks that find() has left, in the order of the figure. */
ROCECC_FN rocecc_reaction_verdict rocecc_reaction_run_checks_(
    const rocecc_reaction_config *config, rocecc_reaction_point *state,
    const rocecc_packet *packet, const rocecc_reaction_event *event,
    rocecc_reaction_result *out)
{
    const rocecc_reaction_verdict found = out->verdict;
    const bool fast = found != ROCECC_REACTION_ORDINARY;
    const bool limited = fast || config->ordinary_listed;
    rocecc_reaction_verdict verdict;
    rocecc_acl_result listed;
    if (event->peer == (fast ? ROCECC_REACTION_PEER_YES : ROCECC_REACTION_PEER_NO))
        return ROCECC_REACTION_SUSPICIOUS;
    if (limited) {
        out->admission =
            rocecc_admission_begin(&config->admission, &state->admission,
                                   &event->admission, &out->cnp.src, &listed);
        out->listed = listed.found;
        out->tag = listed.tag;
        if (out->admission != ROCECC_ADMISSION_ADMITTED)
            return rocecc_reaction_admission_verdict_(out->admission);
    }
    verdict = rocecc_reaction_check_integrity_(config, packet, found);
    if (verdict != found) return verdict;
    if (limited) {
        out->admission = rocecc_admission_finish(&config->admission, &state->admission,
                                                 &event->admission, out->tag);
        if (out->admission != ROCECC_ADMISSION_ADMITTED)
            return rocecc_reaction_admission_verdict_(out->admission);
    }
    if (fast) {
        out->key.remote = out->option.flow_dst;
        out->key.remote_qp = out->cnp.dest_qp;
    }
    return found;
}

/*
 * The second half of step(): *out is what find() wrote of the same packet, and its
 * verdict is the last one.
 */
ROCECC_FN void rocecc_reaction_point_admit(const rocecc_reaction_config *config,
                                           rocecc_reaction_point *state,
                                           const rocecc_packet *packet,
                                           const rocecc_reaction_event *event,
                                           rocecc_reaction_result *out)
{
    size_t verdict = out->verdict, arrival = out->arrival;
    if (rocecc_reaction_is_open_(out->verdict))
        verdict = rocecc_reaction_run_checks_(config, state, packet, event, out);
    ROCECC_BPF_KEEP_(verdict);
    ROCECC_BPF_KEEP_(arrival);
    if (verdict >= ROCECC_REACTION_VERDICTS || arrival >= ROCECC_ARRIVAL_VERDICTS)
        return; /* not of find() */
    out->verdict = (rocecc_reaction_verdict)verdict;
    state->count[verdict]++;
    if (verdict == ROCECC_REACTION_BAD_ARRIVAL) state->arrival_count[arrival]++;
}

/*
 * A packet came, in which there may be a CNP. Always writes *out, and counts.
 * For BPF it is too long: there find_tunnel(), find_host(), find_option(), find_cnp()
 * and admit() are functions of their own, which each fit.
 */
ROCECC_FN void rocecc_reaction_point_step(const rocecc_reaction_config *config,
                                          rocecc_reaction_point *state,
                                          const rocecc_packet *packet,
                                          const rocecc_reaction_event *event,
                                          rocecc_reaction_result *out)
{
    rocecc_reaction_point_find(config, packet, out);
    rocecc_reaction_point_admit(config, state, packet, event, out);
}

#endif /* ROCECC_ROLE_REACTION_POINT_H */
