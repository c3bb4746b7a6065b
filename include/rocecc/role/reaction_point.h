/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_REACTION_POINT_H
#define ROCECC_ROLE_REACTION_POINT_H

/*
 * reaction_point.h - the gate of a data sender. It decides whether a CNP or a Fast CNP
 * may slow down a QP of this host. draft-xiao-rtgwg-rocev2-fast-cnp-00, 3 to 5; IBTA
 * A17.9.3.
 *
 *   a packet
 *     | is it a CNP ?             no -----> NOT_A_CNP, or UNEXPECTED_OPCODE
 *     |                                     with an enabled Fast CNP option
 *     | may it end here ?                   UNEXPECTED_TUNNEL, BAD_ARRIVAL,
 *     |                                     DISABLED, UNSUPPORTED    FC-03
 *     | does it have a Fast CNP option ?
 *     |   no  --> ORDINARY, after the checks from MALFORMED on
 *     |   yes --> is Fast CNP enabled ?     DISABLED                 FC-21, FC-22
 *     | is it well-formed ?                 MALFORMED, UNSUPPORTED, SOURCE_IS_RECEIVER
 *     | does its source fit ?               SUSPICIOUS               FC-05
 *     | does the list permit its source ?   ACCESS_DENIED            FC-17, FC-19
 *     | has its source a token left ?       RATE_LIMITED
 *     | are checksum and ICRC right ?       BAD_CHECKSUM, BAD_ICRC
 *     | has the shared bucket a token ?     RATE_LIMITED             FC-18
 *     v
 *   FAST_PLAIN, FAST_IOAM: for the QP that sends to the key        FC-16
 *
 * Example: a Fast CNP arrives from 2001:db8::5. Its DestQP is 0x12, and its option has
 * the address 2001:db8::b. The access list permits 2001:db8::/64, so the key is
 * {2001:db8::b, 0x12}. The host slows down its own QP that sends to QP 0x12 of
 * 2001:db8::b. DestQP is the QP number of the receiver (FC-07).
 *
 * The first check that fails determines the verdict. The gate applies the access list
 * and the limits of guard/admission.h to Fast CNPs, and to ordinary CNPs if
 * ordinary_listed is set. Even if up to `misbehaving` sources send at any rate, the
 * shared bucket leaves at least the rate of one source to all other sources (AD-4).
 * A packet with a wrong UDP checksum or ICRC takes at most one token, from the bucket
 * `verified` of its source (AD-2). The gate checks a UDP checksum other than 0 unless
 * ignore_udp_checksum is set or the packet contains IFA or INT. It checks the ICRC only
 * if check_icrc is set.
 *
 * Set `tunnels` if this host terminates IP-in-IP tunnels. The gate then checks both IP
 * headers, but it looks up only the inner source. The host must decide which tunnel
 * sources to trust.
 *
 * The host must check that the destination is one of its own addresses. A fragment, a
 * CNP in an overlay, and a packet whose BTH rocecc_packet_parse() did not find give
 * NOT_A_CNP. A host that reassembles fragments must pass the whole packet to this gate
 * again. `icmp` in the result is the ICMP error that the verdict asks for. README.md
 * lists the statements by their numbers.
 */
#include "../guard/admission.h"
#include "../packet/arrival.h"
#include "../packet/fastcnp.h"
#include "../packet/icrc.h"
#include "../packet/udp.h"

typedef enum rocecc_reaction_verdict_ {
    ROCECC_REACTION_NOT_A_CNP = 0,     /* not for this gate; process it as usual */
    ROCECC_REACTION_ORDINARY,          /* slow down the host's own QP cnp.dest_qp */
    ROCECC_REACTION_FAST_PLAIN,        /* slow down the QP that sends to `key` */
    ROCECC_REACTION_FAST_IOAM,         /* slow down that QP; the option has a trace */
    ROCECC_REACTION_SUSPICIOUS,        /* FC-05: the source contradicts the option;
                                          drop the packet and raise an alarm */
    ROCECC_REACTION_UNEXPECTED_OPCODE, /* an enabled Fast CNP option, but not a CNP;
                                          drop the packet and raise an alarm */
    ROCECC_REACTION_MALFORMED,
    ROCECC_REACTION_UNSUPPORTED,       /* TVer is not 0; extension headers are too long;
                                          more than two Destination Options headers */
    ROCECC_REACTION_DISABLED,          /* a Fast CNP option, but Fast CNP is off */
    ROCECC_REACTION_ACCESS_DENIED,     /* the list does not permit the source */
    ROCECC_REACTION_BAD_ICRC,          /* wrong, or not computable by icrc_rule */
    ROCECC_REACTION_BAD_CHECKSUM,      /* the UDP checksum is wrong and not 0 */
    ROCECC_REACTION_RATE_LIMITED,      /* `admission` says which limit */
    ROCECC_REACTION_UNEXPECTED_TUNNEL, /* IP in IP, but `tunnels` is not set */
    ROCECC_REACTION_BAD_ARRIVAL,       /* `arrival` says why it may not end here */
    ROCECC_REACTION_SOURCE_IS_RECEIVER, /* the option names the packet's source as the
                                           receiver of the flow */
    ROCECC_REACTION_VERDICTS            /* number of verdicts */
} ROCECC_IN_8_BITS_(rocecc_reaction_verdict);

/*
 * Returns true if the host must slow down a flow or drop the packet. Returns false for
 * NOT_A_CNP. The host then processes the packet as usual.
 */
ROCECC_FN bool rocecc_reaction_needs_action(rocecc_reaction_verdict verdict)
{
    return verdict != ROCECC_REACTION_NOT_A_CNP;
}

typedef enum rocecc_reaction_refusal {
    ROCECC_REACTION_ACCEPTED = 0,
    ROCECC_REACTION_REFUSED_TYPES,  /* rocecc_fastcnp_init() gives the reason */
    ROCECC_REACTION_REFUSED_DOMAIN, /* the access list is empty: FC-17 */
    ROCECC_REACTION_REFUSED_LIMIT,  /* rocecc_admission_init() gives the reason */
    ROCECC_REACTION_REFUSED_RULE    /* no CNP, or no Fast CNP, matches icrc_rule */
} rocecc_reaction_refusal;

/*
 * Maximum bytes of extension headers after each IP header of a CNP. They have room for
 * an IOAM trace, a Fast CNP option with that trace, and an SRH of six segments. The
 * limit bounds the work for a packet before the packet is verified. More than 8 options
 * (ROCECC_IP6OPT_MAX, 4 under BPF) after one IP header give BAD_ARRIVAL. The gate
 * computes the ICRC by at most three rules, over at most 724 bytes.
 */
#define ROCECC_REACTION_EXTS_MAX_BYTES 640

/*
 * Configuration of a gate. All 0 accepts only ordinary CNPs, without an access list and
 * without limits. Fast CNP is then disabled (FC-22).
 */
typedef struct rocecc_reaction_config {
    bool fastcnp_enabled;     /* accept Fast CNPs; the domain has their types */
    bool tunnels;             /* accept CNPs in IP in IP; this host terminates it */
    bool check_icrc;          /* check the ICRC; set it unless the NIC does so */
    bool ignore_udp_checksum; /* accept a wrong UDP checksum */
    bool ordinary_listed;     /* list and limits apply to ordinary CNPs, too */
    ROCECC_ENUM8_(rocecc_icrc_rule) icrc_rule; /* for check_icrc; AUTO: any rule */
    rocecc_admission_params admission;         /* of sources: FC-17 to FC-19 */
} rocecc_reaction_config;

/* State of the gate of one host. It contains no pointer, so a BPF map can hold it. */
typedef struct rocecc_reaction_point {
    rocecc_admission admission;
    uint64_t count[ROCECC_REACTION_VERDICTS];
    uint64_t arrival_count[ROCECC_ARRIVAL_VERDICTS]; /* reasons of BAD_ARRIVAL */
} rocecc_reaction_point;

/*
 * Remote end of a QP of this host (FC-16). The host looks up its own QP by this key.
 * The struct has no padding, so its bytes can be hashed.
 */
typedef struct rocecc_reaction_key {
    rocecc_ip6 remote;
    uint32_t remote_qp;
} rocecc_reaction_key;
ROCECC_SIZE_(rocecc_reaction_key, 20);

/*
 * Relation of the source of a CNP to this host (FC-05). The source is a peer if a QP of
 * the host is connected to it.
 */
typedef enum rocecc_reaction_peer_ {
    ROCECC_REACTION_PEER_UNKNOWN = 0, /* not looked up; never SUSPICIOUS */
    ROCECC_REACTION_PEER_YES,         /* a Fast CNP from it is SUSPICIOUS */
    ROCECC_REACTION_PEER_NO           /* an ordinary CNP from it is SUSPICIOUS */
} ROCECC_IN_8_BITS_(rocecc_reaction_peer);

/* Data that the host adds to one received packet. */
typedef struct rocecc_reaction_event {
    rocecc_admission_event admission; /* time, access list, buckets of its sources */
    ROCECC_ENUM8_(rocecc_reaction_peer) peer;
} rocecc_reaction_event;

/*
 * Result of the gate for one packet. A member is 0 if no check has set it. `cnp` is
 * then rocecc_cnp_default().
 */
typedef struct rocecc_reaction_result {
    ROCECC_ENUM8_(rocecc_reaction_verdict) verdict;
    bool listed;             /* an entry of the access list covers the source */
    uint32_t tag;            /* tag of that entry */
    rocecc_reaction_key key; /* set by admit() for FAST_PLAIN and FAST_IOAM */
    rocecc_cnp cnp;          /* cnp.src is the peer, or the congested switch (FC-06) */
    rocecc_fastcnp option;   /* the Fast CNP option; its trace is in packet->bytes */
    ROCECC_ENUM8_(rocecc_arrival_verdict) arrival;     /* reason of BAD_ARRIVAL */
    ROCECC_ENUM8_(rocecc_admission_verdict) admission; /* reason of RATE_LIMITED */
    rocecc_icmp_error icmp; /* the ICMP error to send; its type is 0 if none */
} rocecc_reaction_result;

/*
 * Returns true if check_icrc is off, or if CNPs can match icrc_rule. NONE and unknown
 * values match nothing. STANDARD covers no extension headers, so no Fast CNP matches
 * it.
 */
ROCECC_FN bool rocecc_reaction_rule_fits_(const rocecc_reaction_config *config)
{
    return !config->check_icrc ||
           (config->icrc_rule < ROCECC_ICRC_NONE &&
            !(config->fastcnp_enabled && config->icrc_rule == ROCECC_ICRC_STANDARD));
}

/*
 * Checks and prepares a configuration. `domain` must be the domain of the packets, and
 * `list` the access list of the events. Returns REFUSED_RULE if check_icrc is set and
 * icrc_rule is NONE or an unknown value, or is STANDARD although Fast CNP is enabled.
 * Returns REFUSED_TYPES if Fast CNP is enabled and rocecc_fastcnp_init() rejects the
 * domain's types. Fast CNP and ordinary_listed both need a list and limits. With either
 * of them, init() returns REFUSED_DOMAIN if the list is empty (FC-17), and
 * REFUSED_LIMIT if rocecc_admission_init() rejects the limits. Returns the first of
 * these reasons. On failure *config is unchanged. `list` may be NULL if Fast CNP and
 * ordinary_listed are both off.
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

/*
 * Returns the state of a new gate. Its shared bucket is full, and its counters are 0.
 * The host must fill the buckets of each source by rocecc_admission_source_start().
 */
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

/*
 * Returns the verdict on a CNP or an option that cannot be read. ROCECC_ERR_UNSUPPORTED
 * gives UNSUPPORTED, and every other status gives MALFORMED.
 */
ROCECC_FN rocecc_reaction_verdict rocecc_reaction_status_verdict_(rocecc_status status)
{
    return status == ROCECC_ERR_UNSUPPORTED ? ROCECC_REACTION_UNSUPPORTED
                                            : ROCECC_REACTION_MALFORMED;
}

/*
 * Checks whether a CNP may end at this host by one of its IP headers. Options of the
 * domain's Fast CNP types are known only if `fastcnp` is set. Returns BAD_ARRIVAL if
 * rocecc_arrival_check() rejects the header, UNSUPPORTED if its extension headers are
 * longer than ROCECC_REACTION_EXTS_MAX_BYTES, and otherwise ORDINARY. Always writes
 * out->arrival and out->icmp.
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
 * Returns true if a Fast CNP option in a Destination Options header stopped the packet,
 * and out->icmp asks for an ICMPv6 error. A switch can conclude from this error that
 * the host does not accept Fast CNPs (FC-03).
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

/*
 * Returns the verdict on a CNP by `found`, the status of rocecc_fastcnp_find().
 * NO_MATCH gives ORDINARY, and ROCECC_ERR_UNSUPPORTED gives UNSUPPORTED. Every other
 * status gives DISABLED if Fast CNP is off. Otherwise OK gives FAST_PLAIN or FAST_IOAM,
 * and an error gives MALFORMED.
 */
ROCECC_FN rocecc_reaction_verdict
rocecc_reaction_classify_(const rocecc_reaction_config *config, rocecc_status found,
                          const rocecc_fastcnp *option)
{
    if (found == ROCECC_NO_MATCH) return ROCECC_REACTION_ORDINARY;
    if (found == ROCECC_ERR_UNSUPPORTED) return ROCECC_REACTION_UNSUPPORTED;
    if (!config->fastcnp_enabled) return ROCECC_REACTION_DISABLED;
    if (found != ROCECC_OK) return rocecc_reaction_status_verdict_(found);
    return option->kind == ROCECC_FASTCNP_PLAIN ? ROCECC_REACTION_FAST_PLAIN
                                                : ROCECC_REACTION_FAST_IOAM;
}

/* Returns true if later checks may still change the verdict. */
ROCECC_FN bool rocecc_reaction_is_open_(uint8_t verdict)
{
    return verdict == ROCECC_REACTION_ORDINARY ||
           verdict == ROCECC_REACTION_FAST_PLAIN ||
           verdict == ROCECC_REACTION_FAST_IOAM;
}

/*
 * Runs the first part of find(). Checks whether a packet is a CNP. If the CNP is in a
 * tunnel, also checks the outer IP header. Always writes *out. The verdict is NOT_A_CNP
 * if the packet is not a CNP. On a CNP in a tunnel it is UNEXPECTED_TUNNEL if `tunnels`
 * is not set, and BAD_ARRIVAL or UNSUPPORTED if the outer header fails its check.
 * Otherwise it is ORDINARY. The next parts may change NOT_A_CNP and ORDINARY. All other
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
 * Runs the second part of find(). *out must come from find_tunnel() with the same
 * packet. If the verdict is ORDINARY, checks the IP header next to UDP. The verdict
 * becomes BAD_ARRIVAL or UNSUPPORTED if the header fails the check. It becomes DISABLED
 * instead if Fast CNP is off and a Fast CNP option in a Destination Options header is
 * the reason. out->icmp is then the Parameter Problem for this option (FC-03). Any
 * other verdict is unchanged.
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

/*
 * Runs the third part of find(). *out must come from find_host() with the same packet.
 * Looks for a Fast CNP option, and writes it to out->option if it is valid and the only
 * one. ORDINARY then becomes FAST_PLAIN or FAST_IOAM. It becomes MALFORMED if an option
 * is invalid or not the only one. If Fast CNP is off, it becomes DISABLED instead. It
 * becomes UNSUPPORTED if the packet has more than two Destination Options headers.
 * Without an option it stays ORDINARY. If Fast CNP is enabled, NOT_A_CNP becomes
 * UNEXPECTED_OPCODE for a RoCEv2 packet with another opcode and one valid option. Its
 * IP headers are not checked, and a fragment or trimmed packet stays NOT_A_CNP. Any
 * other verdict is unchanged.
 */
ROCECC_FN void rocecc_reaction_point_find_option(const rocecc_reaction_config *config,
                                                 const rocecc_packet *packet,
                                                 rocecc_reaction_result *out)
{
    rocecc_status found;
    if (out->verdict != ROCECC_REACTION_ORDINARY &&
        (out->verdict != ROCECC_REACTION_NOT_A_CNP || !config->fastcnp_enabled ||
         packet->headers.ip.n_ext == 0 ||
         packet->headers.kind != ROCECC_PACKET_KIND_ROCEV2 || packet->headers.bth == 0))
        return;
    found = rocecc_fastcnp_find(packet, &out->option);
    if (out->verdict == ROCECC_REACTION_NOT_A_CNP) {
        if (found == ROCECC_OK) out->verdict = ROCECC_REACTION_UNEXPECTED_OPCODE;
        return;
    }
    out->verdict = rocecc_reaction_classify_(config, found, &out->option);
}

/*
 * Runs the fourth part of find(). *out must come from find_option() with the same
 * packet. If the verdict is ORDINARY, FAST_PLAIN or FAST_IOAM, reads the CNP into
 * out->cnp. The verdict becomes UNSUPPORTED if TVer is not 0, and MALFORMED if the CNP
 * cannot be read for another reason. In these two cases out->cnp is
 * rocecc_cnp_default(). The verdict on a Fast CNP becomes MALFORMED if the address in
 * its option cannot be the address of an IPv6 host, and SOURCE_IS_RECEIVER if this
 * address is the source of the packet. Any other verdict is unchanged.
 */
ROCECC_FN void rocecc_reaction_point_find_cnp(const rocecc_packet *packet,
                                              rocecc_reaction_result *out)
{
    rocecc_status status;
    if (!rocecc_reaction_is_open_(out->verdict)) return;
    status = rocecc_cnp_read_(packet, &out->cnp);
    if (status != ROCECC_OK) {
        out->cnp = rocecc_cnp_default();
        out->verdict = rocecc_reaction_status_verdict_(status);
    } else if (out->verdict != ROCECC_REACTION_ORDINARY) {
        if (!rocecc_ip6_is_source(&out->option.flow_dst))
            out->verdict = ROCECC_REACTION_MALFORMED; /* a switch never writes it */
        else if (rocecc_ip6_match(&out->cnp.src, &out->option.flow_dst))
            out->verdict = ROCECC_REACTION_SOURCE_IS_RECEIVER;
    }
}

/*
 * Runs the first half of step(). Classifies a packet by its bytes alone, without the
 * state and the event. Always writes *out. The verdicts ORDINARY, FAST_PLAIN and
 * FAST_IOAM are preliminary, and admit() must confirm them. All other verdicts are
 * final, and admit() only counts them.
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

/*
 * Checks the UDP checksum and the ICRC of a CNP. Returns BAD_CHECKSUM if the UDP
 * checksum is wrong. A UDP checksum of 0 is accepted. The UDP checksum is not checked
 * if ignore_udp_checksum is set, or if the packet contains IFA or INT. Returns BAD_ICRC
 * if check_icrc is set and the ICRC is wrong or cannot be computed by icrc_rule.
 * Otherwise returns `found`.
 */
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

/*
 * Returns the verdict on a CNP that admission rejects. UNLISTED gives ACCESS_DENIED,
 * and every other reason gives RATE_LIMITED.
 */
ROCECC_FN rocecc_reaction_verdict
rocecc_reaction_admission_verdict_(rocecc_admission_verdict admission)
{
    return admission == ROCECC_ADMISSION_UNLISTED ? ROCECC_REACTION_ACCESS_DENIED
                                                  : ROCECC_REACTION_RATE_LIMITED;
}

/*
 * Runs the checks that need the event, from FC-05 on, in the order of the figure.
 * Returns the verdict of the first check that fails, or else the verdict of find().
 * Admission writes `listed`, `tag` and `admission`, and an accepted Fast CNP gets its
 * key.
 */
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
 * Runs the second half of step(). *out must come from find() with the same packet.
 * Decides about the verdicts ORDINARY, FAST_PLAIN and FAST_IOAM, and may change them to
 * SUSPICIOUS, ACCESS_DENIED, RATE_LIMITED, BAD_CHECKSUM or BAD_ICRC. Counts the final
 * verdict, and for BAD_ARRIVAL also its reason. If the verdict or `arrival` is outside
 * its enumeration, admit() counts nothing.
 */
ROCECC_FN void rocecc_reaction_point_admit(const rocecc_reaction_config *config,
                                           rocecc_reaction_point *state,
                                           const rocecc_packet *packet,
                                           const rocecc_reaction_event *event,
                                           rocecc_reaction_result *out)
{
    size_t verdict = out->verdict, arrival = out->arrival;
    if (rocecc_reaction_is_open_(out->verdict)) {
        verdict = rocecc_reaction_run_checks_(config, state, packet, event, out);
        out->verdict = (rocecc_reaction_verdict)verdict;
    }
    ROCECC_BPF_KEEP_(verdict);
    ROCECC_BPF_KEEP_(arrival);
    if (verdict >= ROCECC_REACTION_VERDICTS || arrival >= ROCECC_ARRIVAL_VERDICTS)
        return; /* *out is not from find() */
    state->count[verdict]++;
    if (verdict == ROCECC_REACTION_BAD_ARRIVAL) state->arrival_count[arrival]++;
}

/*
 * Handles a received packet that may be a CNP. Always writes *out, and counts the
 * verdict. The function is too long for the BPF verifier. A BPF program calls
 * find_tunnel(), find_host(), find_option(), find_cnp() and admit() from functions of
 * its own instead, because the verifier can check each of these.
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
