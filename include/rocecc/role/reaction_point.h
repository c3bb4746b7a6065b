/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_REACTION_POINT_H
#define ROCECC_ROLE_REACTION_POINT_H

/*
 * reaction_point.h - the gate at a data sender. It decides whether a CNP or a Fast CNP
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
 *     | does its source have a token ?      RATE_LIMITED
 *     | are checksum and ICRC correct ?     BAD_CHECKSUM, BAD_ICRC
 *     | is a shared token available ?       RATE_LIMITED             FC-18
 *     v
 *   FAST_PLAIN, FAST_IOAM: for the QP that sends to the key        FC-16
 *
 * Example: a Fast CNP arrives from 2001:db8::5. Its DestQP is 0x12, and its option has
 * the address 2001:db8::b. The access list permits 2001:db8::/64. If all other checks
 * pass, the gate accepts the Fast CNP and returns the key {2001:db8::b, 0x12}. The host
 * slows down its own QP that sends to QP 0x12 of 2001:db8::b, because DestQP is the QP
 * number at the receiver (FC-07).
 *
 * The first check that fails determines the verdict. The list and the limits
 * (guard/admission.h) apply to Fast CNPs, and to ordinary CNPs if ordinary_listed is
 * set. If up to admission.misbehaving sources send at any rate, the shared bucket still
 * admits at least admission.source.rate_per_s notifications per second from all other
 * sources together (AD-4). A packet with a wrong UDP checksum or ICRC takes at most one
 * token, from its source's `verified` bucket (AD-2). A UDP checksum of 0 is accepted,
 * and the UDP checksum of a packet with IFA or INT is not checked.
 *
 * If `tunnels` is set, the gate checks both IP headers of a packet in a tunnel, but
 * looks up only the inner source in the list. The host must decide which tunnel sources
 * to trust.
 *
 * The host must check that a packet's destination is one of the host's own addresses.
 * The verdict is NOT_A_CNP for fragments, for CNPs in overlays, and for packets in
 * which rocecc_packet_parse() found no BTH. A host that reassembles fragments must pass
 * the reassembled packet to this gate. README.md ("Statements") lists the numbered
 * rules, such as FC-05.
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
    ROCECC_REACTION_FAST_IOAM,         /* as FAST_PLAIN; the option has a trace */
    ROCECC_REACTION_SUSPICIOUS,        /* FC-05: the source contradicts the option;
                                          drop the packet and raise an alarm */
    ROCECC_REACTION_UNEXPECTED_OPCODE, /* an enabled, valid Fast CNP option, but not a
                                          CNP; drop the packet and raise an alarm */
    ROCECC_REACTION_MALFORMED,
    ROCECC_REACTION_UNSUPPORTED,       /* TVer is not 0; extension headers are too long;
                                          more than two Destination Options headers */
    ROCECC_REACTION_DISABLED,          /* a Fast CNP option, but Fast CNP is off */
    ROCECC_REACTION_ACCESS_DENIED,     /* the list does not permit the source */
    ROCECC_REACTION_BAD_ICRC,          /* wrong ICRC, or icrc_rule cannot compute it */
    ROCECC_REACTION_BAD_CHECKSUM,      /* the UDP checksum is wrong and not 0 */
    ROCECC_REACTION_RATE_LIMITED,      /* `admission` has the reason */
    ROCECC_REACTION_UNEXPECTED_TUNNEL, /* IP in IP, but `tunnels` is not set */
    ROCECC_REACTION_BAD_ARRIVAL,       /* `arrival` has the reason */
    ROCECC_REACTION_SOURCE_IS_RECEIVER, /* the option names the packet's source as the
                                           receiver of the flow */
    ROCECC_REACTION_VERDICTS            /* number of verdicts */
} ROCECC_IN_8_BITS_(rocecc_reaction_verdict);

/*
 * Returns true if the host must slow down a flow or drop the packet, and false for
 * NOT_A_CNP.
 */
ROCECC_FN bool rocecc_reaction_needs_action(rocecc_reaction_verdict verdict)
{
    return verdict != ROCECC_REACTION_NOT_A_CNP;
}

typedef enum rocecc_reaction_refusal {
    ROCECC_REACTION_ACCEPTED = 0,
    ROCECC_REACTION_REFUSED_TYPES,  /* rocecc_fastcnp_init() gives the reason */
    ROCECC_REACTION_REFUSED_DOMAIN, /* FC-17: the access list is empty */
    ROCECC_REACTION_REFUSED_LIMIT,  /* rocecc_admission_init() gives the reason */
    ROCECC_REACTION_REFUSED_RULE    /* icrc_rule is NONE or unknown, or STANDARD with
                                       Fast CNP */
} rocecc_reaction_refusal;

/*
 * Maximum total length in bytes of the extension headers after one IP header of a CNP.
 * Longer headers give UNSUPPORTED. This limit bounds the work before the packet is
 * verified. An IOAM trace, a Fast CNP option with this trace, and an SRH with six
 * segments fit within the limit together. More than 8 options (ROCECC_IP6OPT_MAX, 4
 * under BPF) after one IP header give BAD_ARRIVAL. The gate computes the ICRC with at
 * most three rules, each time over at most 724 bytes.
 */
#define ROCECC_REACTION_EXTS_MAX_BYTES 640

/*
 * Configuration of a gate. If all members are 0, the gate accepts only ordinary CNPs,
 * without a list or limits (FC-22).
 */
typedef struct rocecc_reaction_config {
    bool fastcnp_enabled;     /* accept Fast CNPs; with the domain's option types */
    bool tunnels;             /* accept CNPs in IP-in-IP tunnels; to this host */
    bool check_icrc;          /* check the ICRC; set it unless the NIC checks it */
    bool ignore_udp_checksum; /* accept a wrong UDP checksum */
    bool ordinary_listed;     /* apply list and limits to ordinary CNPs; in the same way
                                 as to Fast CNPs */
    ROCECC_ENUM8_(rocecc_icrc_rule) icrc_rule; /* rule for check_icrc; AUTO: any rule */
    rocecc_admission_params admission;         /* limits for sources: FC-17 to FC-19 */
} rocecc_reaction_config;

/* State of one host's gate. It contains no pointer, so a BPF map can hold it. */
typedef struct rocecc_reaction_point {
    rocecc_admission admission;
    uint64_t count[ROCECC_REACTION_VERDICTS];
    uint64_t arrival_count[ROCECC_ARRIVAL_VERDICTS]; /* reasons for BAD_ARRIVAL */
} rocecc_reaction_point;

/*
 * Remote end of one of this host's QPs, and the key to look up this QP (FC-16). The
 * struct has no padding, so its bytes can be hashed.
 */
typedef struct rocecc_reaction_key {
    rocecc_ip6 remote;  /* address of the flow's receiver */
    uint32_t remote_qp; /* QP number at the receiver; 24 bits */
} rocecc_reaction_key;
ROCECC_SIZE_(rocecc_reaction_key, 20);

/*
 * Relation between a CNP's source and this host (FC-05). A peer is a node with a QP
 * that is connected to one of the host's QPs.
 */
typedef enum rocecc_reaction_peer_ {
    ROCECC_REACTION_PEER_UNKNOWN = 0, /* not looked up; never SUSPICIOUS */
    ROCECC_REACTION_PEER_YES,         /* a Fast CNP from it is SUSPICIOUS */
    ROCECC_REACTION_PEER_NO           /* an ordinary CNP from it is SUSPICIOUS */
} ROCECC_IN_8_BITS_(rocecc_reaction_peer);

/* Data that the host supplies with one received packet. */
typedef struct rocecc_reaction_event {
    rocecc_admission_event admission; /* time, access list, and the buckets of its
                                         sources */
    ROCECC_ENUM8_(rocecc_reaction_peer) peer;
} rocecc_reaction_event;

/*
 * Result for one packet. A member that no check has set is 0, except that `cnp` is
 * rocecc_cnp_default().
 */
typedef struct rocecc_reaction_result {
    ROCECC_ENUM8_(rocecc_reaction_verdict) verdict;
    bool listed;             /* an entry of the access list covers the source */
    uint32_t tag;            /* tag of that entry */
    rocecc_reaction_key key; /* set by admit() for FAST_PLAIN and FAST_IOAM */
    rocecc_cnp cnp;          /* cnp.src is the peer, or the congested switch (FC-06) */
    rocecc_fastcnp option;   /* the Fast CNP option; its trace is in packet->bytes */
    ROCECC_ENUM8_(rocecc_arrival_verdict) arrival;     /* reason for BAD_ARRIVAL */
    ROCECC_ENUM8_(rocecc_admission_verdict) admission; /* reason for RATE_LIMITED */
    rocecc_icmp_error icmp; /* the ICMP error to send; type 0: none */
} rocecc_reaction_result;

/*
 * Returns true if check_icrc is off, or if every enabled kind of CNP can match
 * icrc_rule. STANDARD covers no extension headers, so no Fast CNP matches it.
 */
ROCECC_FN bool rocecc_reaction_rule_fits_(const rocecc_reaction_config *config)
{
    return !config->check_icrc ||
           (config->icrc_rule < ROCECC_ICRC_NONE &&
            !(config->fastcnp_enabled && config->icrc_rule == ROCECC_ICRC_STANDARD));
}

/*
 * Checks and prepares a configuration for packets of `domain`. `list` must be the
 * access list that is also passed with the later events. It may be NULL only if Fast
 * CNP and ordinary_listed are both off. Makes the checks for REFUSED_RULE, _TYPES,
 * _DOMAIN and _LIMIT in this order. REFUSED_RULE is checked only if check_icrc is set,
 * _TYPES only if Fast CNP is on, and the last two only if Fast CNP or ordinary_listed
 * is on. Returns the first refusal, or ACCEPTED. On failure *config is unchanged.
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
 * Returns the state of a new gate, with a full shared bucket. The host must initialise
 * the buckets of each source with rocecc_admission_source_start().
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

ROCECC_FN rocecc_reaction_verdict rocecc_reaction_status_verdict_(rocecc_status status)
{
    return status == ROCECC_ERR_UNSUPPORTED ? ROCECC_REACTION_UNSUPPORTED
                                            : ROCECC_REACTION_MALFORMED;
}

/*
 * Checks whether this host may accept a CNP with the IP header `ip`. The domain's Fast
 * CNP options count as known only if `fastcnp` is set.
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
 * Returns true if the packet was rejected with an ICMPv6 error because of a Fast CNP
 * option in Destination Options. This error tells a switch that the host accepts no
 * Fast CNPs (FC-03).
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
 * Returns the verdict for `found`, the status of rocecc_fastcnp_find(). If Fast CNP is
 * off, even an invalid option gives DISABLED, but UNSUPPORTED takes precedence.
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

/* Returns true if later checks can still change the verdict. */
ROCECC_FN bool rocecc_reaction_is_open_(uint8_t verdict)
{
    return verdict == ROCECC_REACTION_ORDINARY ||
           verdict == ROCECC_REACTION_FAST_PLAIN ||
           verdict == ROCECC_REACTION_FAST_IOAM;
}

/*
 * Runs the first part of find(). Checks whether a packet is a CNP, and checks the outer
 * IP header of a CNP in a tunnel. Always writes *out. The verdict is NOT_A_CNP,
 * UNEXPECTED_TUNNEL, BAD_ARRIVAL, UNSUPPORTED or ORDINARY. The next parts of find() can
 * change the verdict only if it is NOT_A_CNP or ORDINARY.
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
 * Runs the second part of find(). *out must come from find_tunnel() for the same
 * packet. If the verdict is ORDINARY, checks the last IP header before UDP. A failure
 * gives BAD_ARRIVAL or UNSUPPORTED. If Fast CNP is off and the failure is due to a Fast
 * CNP option in a Destination Options header, the verdict is DISABLED, and out->icmp is
 * the Parameter Problem for this option (FC-03).
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
 * Runs the third part of find(). *out must come from find_host() for the same packet.
 * If the verdict is ORDINARY, looks for a Fast CNP option. More than two Destination
 * Options headers give UNSUPPORTED. Otherwise, if Fast CNP is off, any Fast CNP option
 * gives DISABLED. If Fast CNP is enabled, a single valid option gives FAST_PLAIN or
 * FAST_IOAM, and an invalid or second option gives MALFORMED.
 *
 * If Fast CNP is enabled, the verdict NOT_A_CNP becomes UNEXPECTED_OPCODE for a RoCEv2
 * packet that is not a CNP but has a single valid option. The IP headers of such a
 * packet are not checked. The verdict for a fragment or a trimmed packet stays
 * NOT_A_CNP.
 *
 * Writes a single valid option to out->option if this function gives FAST_PLAIN,
 * FAST_IOAM, UNEXPECTED_OPCODE or DISABLED. Otherwise out->option is unchanged.
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
 * Runs the fourth part of find(). *out must come from find_option() for the same
 * packet. If the verdict is ORDINARY, FAST_PLAIN or FAST_IOAM, reads the CNP into
 * out->cnp. If the CNP cannot be read, out->cnp is rocecc_cnp_default(), and the
 * verdict becomes UNSUPPORTED if TVer is not 0, or else MALFORMED. For a Fast CNP, the
 * verdict also becomes MALFORMED if the address in the option cannot be an IPv6 host's
 * address, and SOURCE_IS_RECEIVER if this address is the packet's source.
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
 * Runs the first half of step(). Classifies a packet by its bytes alone, and always
 * writes *out. admit() must confirm ORDINARY, FAST_PLAIN and FAST_IOAM. All other
 * verdicts are final, and admit() only counts them.
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
 * Checks the UDP checksum and the ICRC of a CNP. Returns BAD_CHECKSUM or BAD_ICRC if a
 * check fails, and otherwise `found`.
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

ROCECC_FN rocecc_reaction_verdict
rocecc_reaction_admission_verdict_(rocecc_admission_verdict admission)
{
    return admission == ROCECC_ADMISSION_UNLISTED ? ROCECC_REACTION_ACCESS_DENIED
                                                  : ROCECC_REACTION_RATE_LIMITED;
}

/*
 * Runs the checks that need the event, in the order of the figure at the top, starting
 * with FC-05. Sets out->key if a Fast CNP is accepted.
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
 * Runs the second half of step(). *out must come from find() for the same packet. If
 * the verdict is ORDINARY, FAST_PLAIN or FAST_IOAM, confirms it or changes it to
 * SUSPICIOUS, ACCESS_DENIED, RATE_LIMITED, BAD_CHECKSUM or BAD_ICRC. Counts the final
 * verdict and, for BAD_ARRIVAL, its reason.
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
 * verdict. A BPF program must instead call find_tunnel(), find_host(), find_option(),
 * find_cnp() and admit(), each from a separate global noinline function, because step()
 * is too long for the verifier.
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
