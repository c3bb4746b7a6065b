/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_CONGESTION_POINT_H
#define ROCECC_ROLE_CONGESTION_POINT_H

/*
 * congestion_point.h - a switch whose queue says that a packet is one too many: what it
 * does to the packet, and whom it tells. draft-xiao-rtgwg-rocev2-fast-cnp-00, 3 to 5;
 * in an SRv6 domain draft-hu-rtgwg-rocev2-fcn-00, 4.2.2; by the priority of the queue
 * draft-yu-tsvwg-l3qcn-00, 3.2.
 *
 *   RoCEv2 (wred.h)  sender       outputs                                    rule
 *   PASS             any          none
 *   DROP             any          DROP
 *   MARK             not capable  MARK
 *                    unknown      FAST_CNP, and MARK unless mark_known_only  FC-01
 *                    capable      FAST_CNP alone: MARK as well is a MUST NOT FC-02
 *                    qpn known    CNP, where no Fast CNP will do, if         R-L3-14
 *                                 standard_cnp
 *   QCN (qcn.h)      any          CNM: a private CNM to the packet's source  R-L3-6
 *
 * Example: host A (2001:db8::a) sends to QP 0x12 of host B. The switch 2001:db8::5
 * finds MARK, and knows that A is capable: it writes a Fast CNP from 2001:db8::5 to A
 * with DestQP 0x12 and B's address in its option, and leaves the packet unmarked.
 *
 *            a packet in a tunnel               its Fast CNP
 *   outer    from END.CON to the egress         from this switch to END.CON
 *   inner    from the sender to the receiver    from this switch to the sender
 *
 * A notification that cannot be sent, or is held back, leaves MARK. The switch answers
 * data alone (`answer`), to one host, from a source on the list of the domain (FC-17),
 * in a tunnel from a listed END.CON. It answers no notification and no fragment, but
 * the first fragment of what is not RoCEv2 gets a private CNM. All is off in a
 * configuration that is all 0 (FC-22). Rates are limited for all, and by a gate for
 * each flow (FC-18). README.md lists the statements by their numbers.
 */
#include "../algo/qcn.h"
#include "../algo/wred.h"
#include "../guard/admission.h"
#include "../guard/cnpgate.h"
#include "../packet/build.h"
#include "../packet/fastcnp.h"
#include "../packet/icmp.h"
#include "../packet/srv6.h"
#include "congestion_cnm.h"

#define ROCECC_CONGESTION_POLICY_MAX 8 /* segments: an SRH of 136 bytes */

/* In `outputs`. */
enum {
    ROCECC_CONGESTION_MARK = 1, /* set CE: rocecc_congestion_point_mark() */
    ROCECC_CONGESTION_DROP = 2,
    ROCECC_CONGESTION_FAST_CNP = 4, /* this packet was written, ... */
    ROCECC_CONGESTION_CNP = 8,      /* ... or this one, ... */
    ROCECC_CONGESTION_CNM = 16      /* ... or this one: a private CNM */
};

/* Whether a sender knows the Fast CNP; how one finds out is the host's. */
typedef enum rocecc_fastcnp_support_ {
    ROCECC_FASTCNP_SUPPORT_UNKNOWN = 0,
    ROCECC_FASTCNP_SUPPORT_YES,
    ROCECC_FASTCNP_SUPPORT_NO
} ROCECC_IN_8_BITS_(rocecc_fastcnp_support);

/* Why there is no packet: of those that may be sent, the last one that was tried. */
typedef enum rocecc_congestion_reason_ {
    ROCECC_CONGESTION_NOT_ASKED = 0, /* the verdict is not MARK; QCN: no cnm */
    ROCECC_CONGESTION_SENT,
    ROCECC_CONGESTION_DISABLED,
    ROCECC_CONGESTION_NOT_CAPABLE,
    ROCECC_CONGESTION_NOT_DATA,   /* not RoCEv2 over IPv6, or of no opcode in `answer`;
                                    a notification; QCN: see rocecc_packet_flow() */
    ROCECC_CONGESTION_NEEDS_QPN,  /* a CNP, but the sender's own QP is not known */
    ROCECC_CONGESTION_BAD_SOURCE, /* unspecified, loopback, multicast; a tunnel's too */
    ROCECC_CONGESTION_UNLISTED_TUNNEL, /* in one that is not from a listed END.CON */
    ROCECC_CONGESTION_BAD_OPTIONS, /* malformed; a trace that does not fit; kind off */
    ROCECC_CONGESTION_HELD,        /* this flow was answered just now */
    ROCECC_CONGESTION_NO_SPACE, /* w is too small, or beyond ROCECC_PACKET_START_MAX */
    ROCECC_CONGESTION_RATE_LIMITED,    /* no token left */
    ROCECC_CONGESTION_ACCESS_DENIED,   /* FC-17: its source is not on the list */
    ROCECC_CONGESTION_BAD_DESTINATION, /* to a group, or to no host's address */
    ROCECC_CONGESTION_REASONS          /* how many there are */
} ROCECC_IN_8_BITS_(rocecc_congestion_reason);

typedef enum rocecc_congestion_refusal {
    ROCECC_CONGESTION_ACCEPTED = 0,
    ROCECC_CONGESTION_REFUSED_TYPES,   /* rocecc_fastcnp_init() says which */
    ROCECC_CONGESTION_REFUSED_ADDRESS, /* FC-04: cnp.src is no address of a switch */
    ROCECC_CONGESTION_REFUSED_CNP,  /* another value of cnp is wider than its field; no
                                       hop */
    ROCECC_CONGESTION_REFUSED_RULE, /* STANDARD, which covers no extension header */
    ROCECC_CONGESTION_REFUSED_POLICY, /* rocecc_congestion_policy_init() alone */
    ROCECC_CONGESTION_REFUSED_GATE,   /* or defer: later, there is no packet */
    ROCECC_CONGESTION_REFUSED_L3QCN,  /* its port, DSCP, ECN, hops, label; msdu_bytes */
    ROCECC_CONGESTION_REFUSED_LIMIT,  /* rocecc_admission_init() says why */
    ROCECC_CONGESTION_REFUSED_ACCESS, /* FC-17: no list, or an empty one */
    ROCECC_CONGESTION_REFUSED_ANSWER  /* `answer` is empty */
} rocecc_congestion_refusal;

/*
 * The way to an END.CON (R-CON-10), as in an SRH, with END.CON first because it is the
 * last segment: tunnels from any other source never take it. All 0: straight.
 */
typedef struct rocecc_congestion_policy {
    uint8_t n; /* segments: at most ROCECC_CONGESTION_POLICY_MAX */
    rocecc_ip6 segment[ROCECC_CONGESTION_POLICY_MAX];
} rocecc_congestion_policy;
ROCECC_SIZE_(rocecc_congestion_policy, 129);

/* All 0: marks and drops, and tells nobody. */
typedef struct rocecc_congestion_config {
    bool fastcnp_enabled; /* Fast CNP; its types are the domain's */
    rocecc_cnp cnp;       /* rocecc_cnp_default(), with src: this switch */
    ROCECC_ENUM8_(rocecc_icrc_rule) icrc_rule; /* AUTO: MASKED */
    bool mark_known_only;       /* FC-01: do not mark as well if unknown */
    bool quiet_if_told;         /* FC-02, and of a CNP: HELD does not mark, either */
    bool plain_only;            /* FC-09: never the IOAM kind, ... */
    bool plain_if_long;         /* ... or not for a trace that does not fit */
    uint32_t flow_label;        /* of the outer header to an END.CON: 20 bits */
    rocecc_opcode_set answer;   /* of RoCEv2, in queues of QCN too; a CNP never is:
                                   rocecc_opcode_set_data() */
    rocecc_cnpgate_params gate; /* of a flow */
    rocecc_admission_params admission; /* FC-18: notifications to each sender, and all;
                                          `verify` limits nothing here */
    bool standard_cnp;                 /* CNP, where no Fast CNP will do */
    uint8_t qcn_priorities;         /* R-L3-1: bit n, queues of priority n are QCN's */
    rocecc_l3qcn_outer l3qcn_outer; /* of a private CNM: rocecc_l3qcn_outer_default(),
                                       with src_port 0: by its flow */
    uint8_t msdu_bytes;             /* cpMinHeaderOctets: 0 to 64 */
} rocecc_congestion_config;

/*
 * What the queue says of a packet; and what the host knows of its sender and flow. The
 * lists are of permitted sources, IPv4 as ::ffff:a.b.c.d; empty or NULL: nobody. A
 * tunnel is answered if its outer source is in `tunnels`; the tag there is the place in
 * `policies`, an array of the host's, of the way back. A tag of n_policies or more: no
 * SRH, straight to END.CON.
 */
typedef struct rocecc_congestion_event {
    rocecc_admission_event admission; /* time; FC-17: senders that may be answered */
    rocecc_cnpgate *gate; /* of its flow, or one for all without their own */
    uint8_t priority;     /* of the queue: 0 to 7 */
    ROCECC_ENUM8_(rocecc_wred_verdict) verdict; /* of QCN, DROP alone counts */
    ROCECC_ENUM8_(rocecc_fastcnp_support) sender_support; /* RoCEv2 */
    bool has_qpn;              /* RoCEv2: qpn is known, as by role/qpn.h */
    uint32_t qpn;              /* that of the sender, 24 bits */
    rocecc_qcn_cp_action qcn;  /* QCN: of rocecc_qcn_cp_offer() */
    uint64_t cpid;             /* QCN: of the queue, see rocecc_cnm_cpid() */
    const rocecc_acl *tunnels; /* END.CONs that may */
    const rocecc_congestion_policy *policies;
    uint32_t n_policies;
} rocecc_congestion_event;

typedef struct rocecc_congestion_point {
    rocecc_admission admission;
    uint64_t count[ROCECC_CONGESTION_REASONS];
} rocecc_congestion_point;

typedef struct rocecc_congestion_result {
    uint8_t outputs; /* ROCECC_CONGESTION_MARK, ... */
    ROCECC_ENUM8_(rocecc_congestion_reason) reason;
} rocecc_congestion_result;

/* Whether what goes into every private CNM fits. */
ROCECC_FN bool rocecc_congestion_l3qcn_fits_(const rocecc_congestion_config *config,
                                             const rocecc_domain *domain)
{
    return domain->l3qcn.port != 0 && rocecc_l3qcn_init(&domain->l3qcn) == ROCECC_OK &&
           config->l3qcn_outer.dscp >> 6 == 0 && config->l3qcn_outer.ecn >> 2 == 0 &&
           config->l3qcn_outer.hop_limit != 0 &&
           config->l3qcn_outer.flow_label >> 20 == 0 &&
           config->msdu_bytes <= ROCECC_CNM_MSDU_MAX_BYTES;
}

/* Whether what goes into every CNP and Fast CNP fits; without a hop none arrives. */
ROCECC_FN bool rocecc_congestion_cnp_fits_(const rocecc_congestion_config *config)
{
    if (config->cnp.hop_limit == 0 && (config->fastcnp_enabled || config->standard_cnp))
        return false;
    return config->cnp.dscp >> 6 == 0 && config->cnp.ecn >> 2 == 0 &&
           config->cnp.flow_label >> 20 == 0 && config->flow_label >> 20 == 0;
}

/* Of a Fast CNP. */
ROCECC_FN rocecc_congestion_refusal rocecc_congestion_check_fastcnp_(
    const rocecc_congestion_config *config, const rocecc_domain *domain)
{
    if (rocecc_fastcnp_init(&domain->fastcnp) != ROCECC_FASTCNP_ACCEPTED)
        return ROCECC_CONGESTION_REFUSED_TYPES;
    if (!rocecc_ip6_is_source(&config->cnp.src))
        return ROCECC_CONGESTION_REFUSED_ADDRESS;
    if (config->icrc_rule == ROCECC_ICRC_STANDARD ||
        config->icrc_rule > ROCECC_ICRC_NONE)
        return ROCECC_CONGESTION_REFUSED_RULE;
    return ROCECC_CONGESTION_ACCEPTED;
}

/* Whether a policy is one: not too long, and each segment the address of a node. */
ROCECC_FN rocecc_congestion_refusal
rocecc_congestion_policy_init(const rocecc_congestion_policy *policy)
{
    int i;
    if (policy->n > ROCECC_CONGESTION_POLICY_MAX)
        return ROCECC_CONGESTION_REFUSED_POLICY;
    for (i = 0; i < ROCECC_CONGESTION_POLICY_MAX && i < policy->n; i++)
        if (!rocecc_ip6_is_source(&policy->segment[i]))
            return ROCECC_CONGESTION_REFUSED_POLICY;
    return ROCECC_CONGESTION_ACCEPTED;
}

/*
 * Checks and prepares a configuration, for packets of a domain; refused, it is as it
 * was. access is that of the events: who answers anybody permits ::/0 in it.
 */
ROCECC_FN rocecc_congestion_refusal
rocecc_congestion_point_init(rocecc_congestion_config *config,
                             const rocecc_domain *domain, const rocecc_acl *access)
{
    rocecc_congestion_refusal refusal = ROCECC_CONGESTION_ACCEPTED;
    if (!config->fastcnp_enabled && !config->standard_cnp &&
        config->qcn_priorities == 0)
        return refusal;
    if (config->fastcnp_enabled)
        refusal = rocecc_congestion_check_fastcnp_(config, domain);
    if (refusal != ROCECC_CONGESTION_ACCEPTED) return refusal;
    if (access == NULL || access->n == 0) return ROCECC_CONGESTION_REFUSED_ACCESS;
    if (rocecc_opcode_set_is_empty(&config->answer))
        return ROCECC_CONGESTION_REFUSED_ANSWER;
    if (!rocecc_congestion_cnp_fits_(config)) return ROCECC_CONGESTION_REFUSED_CNP;
    if (rocecc_cnpgate_init(&config->gate) != ROCECC_CNPGATE_ACCEPTED ||
        config->gate.defer != 0)
        return ROCECC_CONGESTION_REFUSED_GATE;
    if (config->qcn_priorities != 0 && !rocecc_congestion_l3qcn_fits_(config, domain))
        return ROCECC_CONGESTION_REFUSED_L3QCN;
    if (rocecc_admission_init(&config->admission, access) !=
        ROCECC_ADMISSION_ACCEPTED) /* the last one: it prepares, too */
        return ROCECC_CONGESTION_REFUSED_LIMIT;
    return ROCECC_CONGESTION_ACCEPTED;
}

/* A switch that has seen nothing; config is what init() accepted. */
ROCECC_FN rocecc_congestion_point
rocecc_congestion_point_start(const rocecc_congestion_config *config, uint64_t now_ns)
{
    rocecc_congestion_point s;
    int i;
    s.admission = rocecc_admission_start(&config->admission, now_ns);
    for (i = 0; i < ROCECC_CONGESTION_REASONS; i++)
        s.count[i] = 0;
    return s;
}

/*
 * Sets CE where a node on the path does, in the outermost IP header of a packet; writer
 * writes the buffer that it lies in. False: it has none, it is Not-ECT, which must not
 * be marked (RFC 3168, 5), or writer ends before.
 */
ROCECC_FN bool rocecc_congestion_point_mark(const rocecc_packet *packet,
                                            rocecc_writer writer)
{
    const rocecc_headers_ip *ip = rocecc_packet_outermost(packet);
    const bool v4 = ip->version == 4;
    uint8_t *b;
    writer.at = 0;
    if (ip->version == 0 || rocecc_put(&writer, ip->offset) == NULL) return false;
    b = rocecc_put(&writer, ROCECC_IPV4_BYTES); /* of IPv6 the first half will do */
    if (b == NULL || (b[1] & (v4 ? 0x03 : 0x30)) == 0) return false;
    if (v4)
        rocecc_ipv4_ecn_store(b, ROCECC_ECN_CE);
    else
        rocecc_ipv6_ecn_store(b, ROCECC_ECN_CE);
    return true;
}

/* Tags of a packet: of its sender in the access list, of its tunnel's source. */
typedef struct rocecc_congestion_tags_ {
    uint32_t sender;
    uint32_t tunnel;
} rocecc_congestion_tags_;

/* Whether a packet's opcode is one to answer; whatever the set says, a CNP's is not,
 * and nobody answers a fragment. */
ROCECC_FN bool rocecc_congestion_is_data_(const rocecc_congestion_config *config,
                                          const rocecc_packet *packet)
{
    rocecc_reader r =
        rocecc_subrange(packet->bytes, packet->headers.bth, packet->headers.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_BTH_BYTES);
    return packet->headers.bth != 0 && b != NULL && *b != ROCECC_OPCODE_CNP &&
           packet->headers.partial != ROCECC_PARTIAL_FRAGMENT &&
           rocecc_opcode_set_has(&config->answer, *b);
}

/* What a CNP for the packet copies from it: RoCEv2, and data. */
ROCECC_FN bool rocecc_congestion_copy_to_cnp_(const rocecc_congestion_config *config,
                                              const rocecc_packet *packet,
                                              rocecc_cnp *cnp)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_reader udp = rocecc_subrange(packet->bytes, f->udp, f->end);
    rocecc_reader r = rocecc_subrange(packet->bytes, f->bth, f->end);
    const uint8_t *b = rocecc_take(&udp, ROCECC_UDP_BYTES);
    rocecc_bth bth;
    if (f->kind != ROCECC_PACKET_KIND_ROCEV2 ||
        !rocecc_congestion_is_data_(config, packet))
        return false;
    if (b == NULL || rocecc_bth_parse(&r, &bth) != ROCECC_OK) return false;
    cnp->src_port = rocecc_load16(b); /* by which the sender may know the flow */
    cnp->pkey = bth.pkey;
    cnp->dest_qp = bth.dest_qp;
    return true;
}

/* Finds who a Fast CNP for the packet is for, and the tags of the packet. */
ROCECC_FN rocecc_congestion_reason rocecc_congestion_address_fastcnp_(
    const rocecc_congestion_config *config, const rocecc_packet *packet,
    const rocecc_congestion_event *event, rocecc_cnp *cnp, rocecc_congestion_tags_ *out)
{
    const rocecc_headers *f = &packet->headers;
    rocecc_acl_result m;
    rocecc_ip ip;
    if (f->ip.version != 6 || !rocecc_congestion_copy_to_cnp_(config, packet, cnp) ||
        rocecc_packet_ip(packet, &f->ip, &ip) != ROCECC_OK)
        return ROCECC_CONGESTION_NOT_DATA;
    cnp->dst = ip.src;
    rocecc_packet_final_dst(packet, &f->ip, &ip.dst);
    if (!rocecc_ip6_is_source(&ip.src)) return ROCECC_CONGESTION_BAD_SOURCE;
    if (!rocecc_ip6_is_source(&ip.dst)) return ROCECC_CONGESTION_BAD_DESTINATION;
    m = rocecc_admission_lookup(&event->admission, &ip.src);
    if (!m.permit) return ROCECC_CONGESTION_ACCESS_DENIED;
    out->sender = m.tag;
    if (f->outer.version == 0) return ROCECC_CONGESTION_SENT;
    if (f->outer.version != 6) return ROCECC_CONGESTION_UNLISTED_TUNNEL;
    if (rocecc_packet_ip(packet, &f->outer, &ip) != ROCECC_OK ||
        !rocecc_ip6_is_source(&ip.src))
        return ROCECC_CONGESTION_BAD_SOURCE;
    if (event->tunnels == NULL) return ROCECC_CONGESTION_UNLISTED_TUNNEL;
    m = rocecc_acl_lookup(event->tunnels, &ip.src);
    out->tunnel = m.tag;
    return m.permit ? ROCECC_CONGESTION_SENT : ROCECC_CONGESTION_UNLISTED_TUNNEL;
}

/* What a Fast CNP for this packet says: FC-09, and whether there is one that may. */
ROCECC_FN rocecc_congestion_reason
rocecc_congestion_make_option_(const rocecc_congestion_config *config,
                               const rocecc_packet *packet, rocecc_fastcnp *fastcnp)
{
    const rocecc_fastcnp_config *types = &packet->domain->fastcnp;
    if (rocecc_fastcnp_derive(packet, fastcnp) != ROCECC_OK)
        return ROCECC_CONGESTION_BAD_OPTIONS;
    if (config->plain_only ||
        (config->plain_if_long && !rocecc_fastcnp_fits(types, fastcnp, packet->bytes)))
        fastcnp->kind = ROCECC_FASTCNP_PLAIN;
    return rocecc_fastcnp_fits(types, fastcnp, packet->bytes)
               ? ROCECC_CONGESTION_SENT
               : ROCECC_CONGESTION_BAD_OPTIONS;
}

/*
 * The way to END.CON, the source of the tunnel: its policy, or itself alone; without a
 * tunnel no segment.
 */
ROCECC_FN void rocecc_congestion_find_sr_path_(const rocecc_packet *packet,
                                               const rocecc_congestion_event *event,
                                               uint32_t tag,
                                               rocecc_congestion_policy *way)
{
    const rocecc_headers_ip *outer = &packet->headers.outer;
    const rocecc_congestion_policy none = ROCECC_ZERO;
    rocecc_ip ip;
    *way = none;
    if (outer->version == 0 || rocecc_packet_ip(packet, outer, &ip) != ROCECC_OK)
        return;
    if (tag < event->n_policies) *way = event->policies[tag];
    if (way->n == 0 || way->n > ROCECC_CONGESTION_POLICY_MAX ||
        !rocecc_ip6_match(&way->segment[0], &ip.src)) {
        way->n = 1;
        way->segment[0] = ip.src;
    }
}

/* Bytes of the headers before a Fast CNP that goes this way. */
ROCECC_FN size_t rocecc_congestion_outer_bytes_(const rocecc_congestion_policy *way)
{
    if (way->n == 0) return 0;
    return way->n == 1 ? (size_t)ROCECC_IPV6_BYTES
                       : ROCECC_IPV6_BYTES + ROCECC_SRH_BYTES + 16u * way->n;
}

/*
 * These headers, towards END.CON: R-CON-4, R-CON-9; an SRH where there is a policy,
 * R-CON-10.
 */
ROCECC_FN rocecc_status rocecc_congestion_put_outer_(
    rocecc_writer *writer, const rocecc_congestion_config *config,
    const rocecc_congestion_policy *way, size_t bytes)
{
    const rocecc_reader segments =
        rocecc_reader_of(way->segment, way->segment + way->n);
    rocecc_srv6 tunnel;
    const rocecc_status status =
        rocecc_srv6_init(&tunnel, &config->cnp.src, segments, way->n == 1);
    if (status != ROCECC_OK) return status;
    tunnel.outer.dscp = config->cnp.dscp;
    tunnel.outer.ecn = config->cnp.ecn; /* RFC 6040, normal mode */
    tunnel.outer.flow_label = config->flow_label;
    tunnel.ip.version = 6;
    tunnel.ip.bytes = (uint32_t)bytes;
    return rocecc_srv6_emit(writer, &tunnel);
}

/*
 * Checks whether the flow's gate is open, then whether the notification fits where it
 * is to be written. *passed is the gate after it.
 */
ROCECC_FN rocecc_congestion_reason rocecc_congestion_pass_gate_(
    const rocecc_congestion_config *config, const rocecc_congestion_event *event,
    bool fits, rocecc_cnpgate *passed)
{
    *passed = *event->gate;
    if (!rocecc_cnpgate_ce(&config->gate, passed, event->admission.now_ns).send)
        return ROCECC_CONGESTION_HELD;
    return fits ? ROCECC_CONGESTION_SENT : ROCECC_CONGESTION_NO_SPACE;
}

/*
 * Takes the tokens of a notification to a sender, whose tag this is. It comes last: a
 * notification that is not sent for another reason takes no token.
 */
ROCECC_FN rocecc_congestion_reason rocecc_congestion_admit_(
    const rocecc_congestion_config *config, rocecc_congestion_point *state,
    const rocecc_congestion_event *event, uint32_t sender)
{
    return rocecc_admission_finish(&config->admission, &state->admission,
                                   &event->admission,
                                   sender) == ROCECC_ADMISSION_ADMITTED
               ? ROCECC_CONGESTION_SENT
               : ROCECC_CONGESTION_RATE_LIMITED;
}

/* Whether writer has room for bytes, of which `before` precede the packet proper. */
ROCECC_FN bool rocecc_congestion_has_room_(const rocecc_writer *writer, size_t before,
                                           size_t bytes)
{
    return rocecc_room(writer) >= before + bytes &&
           writer->at + before <= ROCECC_PACKET_START_MAX;
}

/* The Fast CNP for a packet. Nothing is written but what is sent. */
ROCECC_FN rocecc_congestion_reason rocecc_congestion_send_fastcnp_(
    const rocecc_congestion_config *config, rocecc_congestion_point *state,
    const rocecc_packet *packet, const rocecc_congestion_event *event,
    rocecc_writer *writer)
{
    const rocecc_fastcnp_config *types = &packet->domain->fastcnp;
    rocecc_writer out = *writer;
    rocecc_cnpgate passed;
    rocecc_congestion_policy way;
    size_t bytes, before;
    rocecc_congestion_tags_ tags = {0, 0};
    rocecc_cnp cnp = config->cnp;
    rocecc_fastcnp h = {ROCECC_FASTCNP_PLAIN, config->cnp.dst, 0, 0, 0, 0, 0};
    rocecc_congestion_reason reason =
        rocecc_congestion_address_fastcnp_(config, packet, event, &cnp, &tags);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    reason = rocecc_congestion_make_option_(config, packet, &h);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    bytes = ROCECC_IPV6_BYTES + ROCECC_CNP_UDP_LENGTH + rocecc_fastcnp_bytes(types, &h);
    rocecc_congestion_find_sr_path_(packet, event, tags.tunnel, &way);
    before = rocecc_congestion_outer_bytes_(&way);
    reason = rocecc_congestion_pass_gate_(
        config, event, rocecc_congestion_has_room_(writer, before, bytes), &passed);
    if (reason == ROCECC_CONGESTION_SENT)
        reason = rocecc_congestion_admit_(config, state, event, tags.sender);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    /* No error comes from these after init(), but for a writer that is too small. */
    if (before != 0 &&
        rocecc_congestion_put_outer_(&out, config, &way, bytes) != ROCECC_OK)
        return ROCECC_CONGESTION_NO_SPACE;
    if (rocecc_fastcnp_build(&out, packet, config->icrc_rule, &cnp, &h) != ROCECC_OK)
        return ROCECC_CONGESTION_NO_SPACE;
    *writer = out;
    *event->gate = passed;
    return ROCECC_CONGESTION_SENT;
}

/* The flow of a packet that is answered as if from its destination. */
ROCECC_FN rocecc_congestion_reason
rocecc_congestion_answerable_flow_(const rocecc_packet *packet, rocecc_flow *out)
{
    const bool v4 = packet->headers.ip.version == 4;
    if (rocecc_packet_flow(packet, out) != ROCECC_OK) return ROCECC_CONGESTION_NOT_DATA;
    if (rocecc_ip6_is_ip4(&out->src) != v4 || !rocecc_ip6_is_host(&out->src))
        return ROCECC_CONGESTION_BAD_SOURCE;
    if (rocecc_ip6_is_ip4(&out->dst) != v4 || !rocecc_ip6_is_host(&out->dst))
        return ROCECC_CONGESTION_BAD_DESTINATION;
    return ROCECC_CONGESTION_SENT;
}

/* Checks that the sender is on the list, and in no tunnel. *tag is its tag. */
ROCECC_FN rocecc_congestion_reason rocecc_congestion_check_sender_(
    const rocecc_packet *packet, const rocecc_congestion_event *event,
    const rocecc_flow *flow, uint32_t *tag)
{
    const rocecc_acl_result m = rocecc_admission_lookup(&event->admission, &flow->src);
    *tag = m.tag;
    if (!m.permit) return ROCECC_CONGESTION_ACCESS_DENIED;
    return packet->headers.outer.version == 0 ? ROCECC_CONGESTION_SENT
                                              : ROCECC_CONGESTION_UNLISTED_TUNNEL;
}

/* The standard CNP for a packet: R-L3-14. */
ROCECC_FN rocecc_congestion_reason
rocecc_congestion_send_cnp_(const rocecc_congestion_config *config,
                            rocecc_congestion_point *state, const rocecc_packet *packet,
                            const rocecc_congestion_event *event, rocecc_writer *writer)
{
    const size_t bytes = rocecc_congestion_ip_bytes_(packet) + ROCECC_CNP_UDP_LENGTH;
    rocecc_writer out = *writer;
    rocecc_cnpgate passed;
    rocecc_cnp cnp = config->cnp;
    rocecc_flow flow = {{{0}}, {{0}}, 0, 0, 0};
    uint32_t tag = 0;
    rocecc_congestion_reason reason;
    if (!rocecc_congestion_copy_to_cnp_(config, packet, &cnp))
        return ROCECC_CONGESTION_NOT_DATA;
    reason = rocecc_congestion_answerable_flow_(packet, &flow);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    reason = rocecc_congestion_check_sender_(packet, event, &flow, &tag);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    if (!event->has_qpn || event->qpn >> 24 != 0) return ROCECC_CONGESTION_NEEDS_QPN;
    reason = rocecc_congestion_pass_gate_(
        config, event, rocecc_congestion_has_room_(writer, 0, bytes), &passed);
    if (reason == ROCECC_CONGESTION_SENT)
        reason = rocecc_congestion_admit_(config, state, event, tag);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    cnp.src = flow.dst;
    cnp.dst = flow.src;
    cnp.dest_qp = event->qpn;
    if (rocecc_cnp_build(&out, &cnp) != ROCECC_OK) return ROCECC_CONGESTION_NO_SPACE;
    *writer = out;
    *event->gate = passed;
    return ROCECC_CONGESTION_SENT;
}

/*
 * Whether a packet has a private CNM, and the flow that it is about. What goes to the
 * port of RoCEv2 needs an opcode to answer, which a fragment does not show.
 */
ROCECC_FN rocecc_congestion_reason rocecc_congestion_sampled_flow_(
    const rocecc_congestion_config *config, const rocecc_packet *packet,
    const rocecc_congestion_event *event, rocecc_flow *out, uint32_t *tag)
{
    const rocecc_reader msdu = rocecc_congestion_msdu_(packet);
    const rocecc_congestion_reason reason =
        rocecc_congestion_answerable_flow_(packet, out);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    if (rocecc_left(&msdu) == 0 || rocecc_congestion_is_notification_(packet, out) ||
        (rocecc_congestion_is_rocev2_(packet, out) &&
         !rocecc_congestion_is_data_(config, packet)))
        return ROCECC_CONGESTION_NOT_DATA;
    return rocecc_congestion_check_sender_(packet, event, out, tag);
}

/* What the CNM in it says: R-L3-6, R-L3-16. */
ROCECC_FN rocecc_cnm rocecc_congestion_make_cnm_(const rocecc_congestion_config *config,
                                                 const rocecc_packet *packet,
                                                 const rocecc_congestion_event *event)
{
    const rocecc_cnm_config *cnm = &packet->domain->l3qcn.cnm;
    const rocecc_cnm_signs signs = cnm->signs;
    rocecc_reader first = packet->bytes;
    const uint8_t *dst = rocecc_take(&first, 6);
    const rocecc_mac none = {{0}};
    rocecc_cnm h;
    h.version = h.reserved_v = 0;
    h.qntz_fb = event->qcn.qntz_fb & 0x3f;
    h.cpid = event->cpid;
    h.q_offset = rocecc_cnm_q_offset(signs, event->qcn.offset_bytes);
    h.q_delta = rocecc_cnm_q_delta(signs, event->qcn.delta_bytes);
    h.encap_priority = event->priority & 7;
    h.encap_reserved = 0;
    h.encap_dst = dst != NULL ? rocecc_mac_load(dst) : none;
    h.msdu = rocecc_cnm_msdu(cnm, rocecc_congestion_msdu_(packet), config->msdu_bytes);
    h.msdu_len = (uint16_t)rocecc_left(&h.msdu);
    return h;
}

/* The private CNM for a packet: R-L3-6 to R-L3-9. */
ROCECC_FN rocecc_congestion_reason
rocecc_congestion_send_cnm_(const rocecc_congestion_config *config,
                            rocecc_congestion_point *state, const rocecc_packet *packet,
                            const rocecc_congestion_event *event, rocecc_writer *writer)
{
    const rocecc_l3qcn_config *port = &packet->domain->l3qcn;
    rocecc_writer out = *writer;
    rocecc_cnpgate passed;
    rocecc_l3qcn_outer outer = config->l3qcn_outer;
    rocecc_flow flow = {{{0}}, {{0}}, 0, 0, 0};
    rocecc_cnm cnm;
    rocecc_l3qcn h;
    size_t bytes = ROCECC_UDP_BYTES + rocecc_congestion_ip_bytes_(packet);
    uint32_t tag = 0;
    rocecc_congestion_reason reason;
    if (!event->qcn.cnm) return ROCECC_CONGESTION_NOT_ASKED;
    reason = rocecc_congestion_sampled_flow_(config, packet, event, &flow, &tag);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    cnm = rocecc_congestion_make_cnm_(config, packet, event);
    h = rocecc_congestion_make_l3qcn_(&flow, &cnm);
    bytes += rocecc_l3qcn_bytes(port, &h);
    reason = rocecc_congestion_pass_gate_(
        config, event, rocecc_congestion_has_room_(writer, 0, bytes), &passed);
    if (reason == ROCECC_CONGESTION_SENT)
        reason = rocecc_congestion_admit_(config, state, event, tag);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    if (outer.src_port == 0) outer.src_port = rocecc_congestion_src_port_(&h);
    if (rocecc_l3qcn_build(&out, port, &outer, &h) != ROCECC_OK)
        return ROCECC_CONGESTION_NO_SPACE;
    *writer = out;
    *event->gate = passed;
    return ROCECC_CONGESTION_SENT;
}

/*
 * Whether CE goes with, or instead of, what became of a notification; alone: to mark
 * besides what was sent is a MUST NOT.
 */
ROCECC_FN bool rocecc_congestion_should_mark_(const rocecc_congestion_config *config,
                                              rocecc_congestion_reason reason,
                                              bool nothing_sent)
{
    if (reason == ROCECC_CONGESTION_SENT)
        return !nothing_sent && !config->mark_known_only;
    return reason != ROCECC_CONGESTION_HELD || !nothing_sent || !config->quiet_if_told;
}

/* A packet of RoCEv2 that is to be marked: a Fast CNP, or else a CNP, or CE. */
ROCECC_FN rocecc_congestion_result rocecc_congestion_notify_rocev2_(
    const rocecc_congestion_config *config, rocecc_congestion_point *state,
    const rocecc_packet *packet, const rocecc_congestion_event *event,
    rocecc_writer *writer)
{
    rocecc_congestion_result out = {ROCECC_CONGESTION_FAST_CNP,
                                    ROCECC_CONGESTION_DISABLED};
    rocecc_congestion_reason reason = ROCECC_CONGESTION_DISABLED;
    bool alone = event->sender_support == ROCECC_FASTCNP_SUPPORT_YES;
    if (config->fastcnp_enabled && event->sender_support == ROCECC_FASTCNP_SUPPORT_NO)
        reason = ROCECC_CONGESTION_NOT_CAPABLE;
    else if (config->fastcnp_enabled)
        reason = rocecc_congestion_send_fastcnp_(config, state, packet, event, writer);
    if (config->standard_cnp && (reason == ROCECC_CONGESTION_DISABLED ||
                                 reason == ROCECC_CONGESTION_NOT_CAPABLE ||
                                 reason == ROCECC_CONGESTION_NOT_DATA)) {
        out.outputs = ROCECC_CONGESTION_CNP;
        alone = true;
        reason = rocecc_congestion_send_cnp_(config, state, packet, event, writer);
    }
    if (reason != ROCECC_CONGESTION_SENT) out.outputs = 0;
    if (rocecc_congestion_should_mark_(config, reason, alone))
        out.outputs |= ROCECC_CONGESTION_MARK;
    out.reason = reason;
    return out;
}

/*
 * A packet met a queue, whose algorithm (wred.h, qcn.h) gave a verdict. Writes a
 * notification at writer, from its IP header on, if one is among the outputs: 344 bytes
 * at most, and for a tunnel 40 more, or 48 and the policy. Else writer is where it was.
 * The packet and what writer writes lie apart.
 */
ROCECC_FN rocecc_congestion_result rocecc_congestion_point_step(
    const rocecc_congestion_config *config, rocecc_congestion_point *state,
    const rocecc_packet *packet, const rocecc_congestion_event *event,
    rocecc_writer *writer)
{
    rocecc_congestion_result out = {0, ROCECC_CONGESTION_NOT_ASKED};
    if (event->priority < 8 && (config->qcn_priorities >> event->priority & 1) != 0) {
        out.reason = rocecc_congestion_send_cnm_(config, state, packet, event, writer);
        if (out.reason == ROCECC_CONGESTION_SENT) out.outputs = ROCECC_CONGESTION_CNM;
    } else if (event->verdict == ROCECC_WRED_MARK) {
        out = rocecc_congestion_notify_rocev2_(config, state, packet, event, writer);
    }
    if (event->verdict == ROCECC_WRED_DROP) out.outputs |= ROCECC_CONGESTION_DROP;
    state->count[out.reason]++;
    return out;
}

/*
 * Returns true if an ICMPv6 error says that a sender does not know the option of a Fast
 * CNP of this switch (FC-03): a Parameter Problem with code 2 that quotes a Fast CNP
 * from config->cnp.src to `sender`, where the error comes from, and points at its
 * option. The capability of this sender is NO from then on. The host or
 * rocecc_icmp_quoted() has checked the checksum of the error.
 */
ROCECC_FN bool rocecc_congestion_point_rejects_fastcnp(
    const rocecc_congestion_config *config, const rocecc_domain *domain,
    const rocecc_icmp_message *message, const rocecc_ip6 *sender)
{
    rocecc_packet quoted;
    rocecc_fastcnp option;
    rocecc_ip ip;
    if (message->type != ROCECC_ICMP6_TYPE_PROBLEM ||
        message->code != ROCECC_ICMP6_PROBLEM_OPTION)
        return false;
    option.at = 0;
    quoted.bytes = message->packet;
    quoted.domain = domain;
    (void)rocecc_headers_parse_as(domain, message->packet, ROCECC_TYPE_IPV6, SIZE_MAX,
                                  ROCECC_PARTIAL_QUOTED, &quoted.headers);
    return rocecc_packet_ip(&quoted, &quoted.headers.ip, &ip) == ROCECC_OK &&
           rocecc_ip6_match(&ip.src, &config->cnp.src) &&
           rocecc_ip6_match(&ip.dst, sender) &&
           rocecc_fastcnp_find(&quoted, &option) == ROCECC_OK &&
           option.at - message->packet.at == message->value;
}

#endif /* ROCECC_ROLE_CONGESTION_POINT_H */
