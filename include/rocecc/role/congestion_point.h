/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_CONGESTION_POINT_H
#define ROCECC_ROLE_CONGESTION_POINT_H

/*
 * congestion_point.h - a congested switch. It decides whether to mark or drop a packet,
 * and can write a notification for the packet's sender.
 * draft-xiao-rtgwg-rocev2-fast-cnp-00, 3 to 5; draft-hu-rtgwg-rocev2-fcn-00, 4.2.2
 * (SRv6 domains); draft-yu-tsvwg-l3qcn-00, 3.2 (QCN queues).
 *
 *   RoCEv2 (wred.h)  sender       outputs                                    rule
 *   PASS             any          none
 *   DROP             any          DROP
 *   MARK             not capable  MARK
 *                    unknown      FAST_CNP, and MARK unless mark_known_only  FC-01
 *                    capable      FAST_CNP, never with MARK (MUST NOT)       FC-02
 *                    qpn known    CNP, never with MARK, if standard_cnp is   R-L3-14
 *                                 set, and Fast CNP is off, not supported
 *                                 or NOT_DATA
 *   QCN (qcn.h)      any          CNM if qcn.cnm is set, and DROP if the     R-L3-6
 *                                 verdict is DROP
 *
 * Example: host A (2001:db8::a) sends to QP 0x12 of host B, and A is known to support
 * Fast CNP. In switch 2001:db8::5, the queue's algorithm returns MARK for a packet of
 * this flow. The switch writes a Fast CNP from 2001:db8::5 to A, and does not mark the
 * packet. The Fast CNP has DestQP 0x12, and its option contains B's address. In the
 * next figure, END.CON is the SRv6 SID of the ingress PE where the tunnel begins
 * (srv6_pe.h).
 *
 *            a packet in a tunnel               its Fast CNP
 *   outer    from END.CON to the egress         from this switch to END.CON
 *   inner    from the sender to the receiver    from this switch to the sender
 *
 * If the verdict is MARK and no notification is sent, the packet is marked. The only
 * exception is the reason HELD (the flow's gate is closed). With this reason, the
 * packet can stay unmarked if quiet_if_told is set. Packets in QCN queues are never
 * marked.
 *
 * The switch answers a RoCEv2 packet only if the packet's opcode is in `answer`. In QCN
 * queues, it also answers packets of other protocols. The access list must permit the
 * packet's source (FC-17), and the packet's destination must be a single host. A packet
 * in a tunnel (IP in IP) is answered only with a Fast CNP, and only if the tunnel's
 * source is a listed END.CON. A packet in an overlay (VXLAN, GRE) is answered only with
 * a CNM to the outer header's source. Notifications are not answered. A fragment is
 * answered only in a QCN queue, and only if it is a first fragment of a protocol other
 * than RoCEv2.
 *
 * With an all-zero configuration, the switch marks and drops packets, but sends no
 * notifications (FC-22). Token buckets limit the notifications to each sender and to
 * all senders together, and a gate limits them for each flow (FC-18). README.md
 * ("Statements") lists the numbered rules, such as FC-17.
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

#define ROCECC_CONGESTION_POLICY_MAX 8 /* segments; their SRH is 136 bytes long */

/* Bits of `outputs` in a result. At most one of the last three bits is set. */
enum {
    ROCECC_CONGESTION_MARK = 1,     /* set CE with rocecc_congestion_point_mark() */
    ROCECC_CONGESTION_DROP = 2,     /* drop the packet */
    ROCECC_CONGESTION_FAST_CNP = 4, /* a Fast CNP was written */
    ROCECC_CONGESTION_CNP = 8,      /* a standard CNP was written */
    ROCECC_CONGESTION_CNM = 16      /* a private CNM was written */
};

/*
 * A sender's support for the Fast CNP option. The caller must find out whether a sender
 * supports the option, for example with rocecc_congestion_point_rejects_fastcnp().
 */
typedef enum rocecc_fastcnp_support_ {
    ROCECC_FASTCNP_SUPPORT_UNKNOWN = 0,
    ROCECC_FASTCNP_SUPPORT_YES,
    ROCECC_FASTCNP_SUPPORT_NO
} ROCECC_IN_8_BITS_(rocecc_fastcnp_support);

/*
 * SENT, or the reason why no notification was written. If the switch tried to write a
 * standard CNP, the reason refers to that CNP. HELD, NO_SPACE and RATE_LIMITED are
 * checked last, in this order. README.md gives the order of the other reasons.
 *
 * In a queue without QCN, NOT_DATA means that the packet is not RoCEv2, is partial
 * (headers.partial), is cut off before the end of its BTH, is a CNP, has an opcode
 * outside `answer`, or uses IPv4 while standard_cnp is off. In a QCN queue, NOT_DATA
 * means that the packet has no flow that rocecc_packet_flow() can read, has no MSDU
 * (for example because it has no Ethernet header), or is a notification. It can also
 * mean that the packet is addressed to the RoCEv2 port, but is a fragment or does not
 * have an opcode in `answer`.
 */
typedef enum rocecc_congestion_reason_ {
    ROCECC_CONGESTION_NOT_ASKED = 0, /* verdict is not MARK; QCN: qcn.cnm is not set */
    ROCECC_CONGESTION_SENT,
    ROCECC_CONGESTION_DISABLED,    /* Fast CNP and standard CNP are both off */
    ROCECC_CONGESTION_NOT_CAPABLE, /* the sender does not support Fast CNP */
    ROCECC_CONGESTION_NOT_DATA,    /* see above */
    ROCECC_CONGESTION_NEEDS_QPN,   /* CNP: sender's QP is unknown or exceeds 24 bits */
    ROCECC_CONGESTION_BAD_SOURCE,  /* the source of the packet or tunnel is not a host's
                                      address, or is ::ffff:a.b.c.d in IPv6 */
    ROCECC_CONGESTION_UNLISTED_TUNNEL, /* the tunnel's source is not a listed END.CON;
                                          a packet in a tunnel gets no CNP or CNM */
    ROCECC_CONGESTION_BAD_OPTIONS,     /* the options are malformed, the trace does not
                                          fit, or the selected kind of option is off */
    ROCECC_CONGESTION_HELD,            /* the flow's gate is closed */
    ROCECC_CONGESTION_NO_SPACE,     /* `writer` is too small, or the notification (after
                                       any outer headers) would begin beyond offset
                                       ROCECC_PACKET_START_MAX */
    ROCECC_CONGESTION_RATE_LIMITED, /* the sender's bucket or the shared bucket is
                                       empty, or the sender's tag has no bucket */
    ROCECC_CONGESTION_ACCESS_DENIED,   /* FC-17: the list does not permit the source */
    ROCECC_CONGESTION_BAD_DESTINATION, /* the destination is not a single host's
                                          address, or is ::ffff:a.b.c.d in IPv6 */
    ROCECC_CONGESTION_REASONS          /* number of reasons */
} ROCECC_IN_8_BITS_(rocecc_congestion_reason);

/* Results of the two init functions. */
typedef enum rocecc_congestion_refusal {
    ROCECC_CONGESTION_ACCEPTED = 0,
    ROCECC_CONGESTION_REFUSED_TYPES,   /* rocecc_fastcnp_init() gives the reason */
    ROCECC_CONGESTION_REFUSED_ADDRESS, /* FC-04: cnp.src cannot be a switch's address */
    ROCECC_CONGESTION_REFUSED_CNP, /* cnp.dscp, cnp.ecn, cnp.flow_label or flow_label is
                                      wider than its field; or cnp.hop_limit is 0
                                      although Fast CNP or standard CNP is on */
    ROCECC_CONGESTION_REFUSED_RULE,   /* icrc_rule is unknown, or is STANDARD, which
                                         covers no extension headers */
    ROCECC_CONGESTION_REFUSED_POLICY, /* only from rocecc_congestion_policy_init() */
    ROCECC_CONGESTION_REFUSED_GATE,   /* rocecc_cnpgate_init() fails, or gate.defer is
                                         set; a deferred notification would need a
                                         packet that is already gone */
    ROCECC_CONGESTION_REFUSED_L3QCN,  /* the domain's l3qcn.port is 0 or 4791; or
                                         l3qcn_outer has hop_limit 0 or a value wider
                                         than its field; or msdu_bytes is above 64 */
    ROCECC_CONGESTION_REFUSED_LIMIT,  /* rocecc_admission_init() gives the reason */
    ROCECC_CONGESTION_REFUSED_ACCESS, /* FC-17: the list is missing or empty */
    ROCECC_CONGESTION_REFUSED_ANSWER  /* `answer` is empty, even if only QCN is on */
} rocecc_congestion_refusal;

/*
 * Path back to an END.CON (R-CON-10). The segments are in SRH order, so segment[0] is
 * the END.CON. The policy is used only for tunnels from this END.CON. If all members
 * are 0, the path is direct.
 */
typedef struct rocecc_congestion_policy {
    uint8_t n; /* number of segments, at most ROCECC_CONGESTION_POLICY_MAX */
    rocecc_ip6 segment[ROCECC_CONGESTION_POLICY_MAX];
} rocecc_congestion_policy;
ROCECC_SIZE_(rocecc_congestion_policy, 129);

/* Configuration of a switch. */
typedef struct rocecc_congestion_config {
    bool fastcnp_enabled; /* Fast CNP is on, with the domain's option types */
    rocecc_cnp cnp; /* template: rocecc_cnp_default(); for Fast CNPs, src must be the
                       switch's address */
    ROCECC_ENUM8_(rocecc_icrc_rule) icrc_rule; /* for Fast CNPs; AUTO acts as MASKED */
    bool mark_known_only; /* FC-01: no mark after SENT, even if support is unknown */
    bool quiet_if_told;   /* FC-02: no mark after HELD if the sender is capable or a
                             standard CNP was tried */
    bool plain_only;      /* FC-09: never use the IOAM kind */
    bool plain_if_long;   /* FC-09: use the plain kind if IOAM does not fit or is off */
    uint32_t flow_label;  /* of the outer header to an END.CON: 20 bits */
    rocecc_opcode_set answer; /* RoCEv2 opcodes to answer, also in QCN queues; CNPs are
                                 never answered; example: rocecc_opcode_set_data() */
    rocecc_cnpgate_params gate;        /* for each flow; defer must be 0 */
    rocecc_admission_params admission; /* FC-18: limits per sender and in total;
                                          init() checks `verify`, but nothing uses it */
    bool standard_cnp;      /* send CNPs if Fast CNP is off, unsupported or NOT_DATA */
    uint8_t qcn_priorities; /* R-L3-1: bit n is set if queues of priority n use QCN */
    rocecc_l3qcn_outer l3qcn_outer; /* for private CNMs: rocecc_l3qcn_outer_default();
                                       src_port 0 selects a hash of the flow */
    uint8_t msdu_bytes;             /* cpMinHeaderOctets: 0 to 64 */
} rocecc_congestion_config;

/*
 * The queue's verdict on a packet, and the caller's knowledge of the packet's sender
 * and flow. In admission.list and `tunnels`, an IPv4 source is written as
 * ::ffff:a.b.c.d. An empty or missing list denies every source. If admission.index is
 * set, it must be an index of admission.list. The index is then used instead of the
 * list. In `tunnels`, the tag of the tunnel's source is an index into `policies`, and
 * selects the return path to that source. If the tag is n_policies or more, the Fast
 * CNP goes directly to END.CON, without an SRH. This also happens if the policy is
 * empty, has too many segments, or belongs to another END.CON. The caller must first
 * check each policy with rocecc_congestion_policy_init(), because
 * rocecc_congestion_point_step() does not check the segments after the first.
 */
typedef struct rocecc_congestion_event {
    rocecc_admission_event
        admission;        /* time; senders to answer (FC-17), and their buckets */
    rocecc_cnpgate *gate; /* gate of the flow, or one gate for all flows; not NULL */
    uint8_t priority;     /* the queue's priority: 0 to 7 */
    ROCECC_ENUM8_(rocecc_wred_verdict) verdict; /* with QCN, only DROP has an effect */
    ROCECC_ENUM8_(rocecc_fastcnp_support) sender_support; /* not used with QCN */
    bool has_qpn;              /* for CNPs: qpn is known, for example from role/qpn.h */
    uint32_t qpn;              /* the sender's QP, 24 bits */
    rocecc_qcn_cp_action qcn;  /* QCN: result of rocecc_qcn_cp_offer() */
    uint64_t cpid;             /* QCN: the queue's CPID, see rocecc_cnm_cpid() */
    const rocecc_acl *tunnels; /* permitted END.CONs */
    const rocecc_congestion_policy *policies;
    uint32_t n_policies;
} rocecc_congestion_event;

/* State of one switch. */
typedef struct rocecc_congestion_point {
    rocecc_admission admission;
    uint64_t count[ROCECC_CONGESTION_REASONS]; /* number of steps, by reason */
} rocecc_congestion_point;

/* Outputs of a step, and SENT or the reason why no notification was written. */
typedef struct rocecc_congestion_result {
    uint8_t outputs; /* ROCECC_CONGESTION_MARK, ... */
    ROCECC_ENUM8_(rocecc_congestion_reason) reason;
} rocecc_congestion_result;

ROCECC_FN bool rocecc_congestion_l3qcn_fits_(const rocecc_congestion_config *config,
                                             const rocecc_domain *domain)
{
    return domain->l3qcn.port != 0 && rocecc_l3qcn_init(&domain->l3qcn) == ROCECC_OK &&
           config->l3qcn_outer.dscp >> 6 == 0 && config->l3qcn_outer.ecn >> 2 == 0 &&
           config->l3qcn_outer.hop_limit != 0 &&
           config->l3qcn_outer.flow_label >> 20 == 0 &&
           config->msdu_bytes <= ROCECC_CNM_MSDU_MAX_BYTES;
}

/*
 * Returns true if the configured values fit the fields of CNPs and Fast CNPs. A hop
 * limit of 0 does not fit if CNPs or Fast CNPs are enabled, because no such packet
 * would arrive.
 */
ROCECC_FN bool rocecc_congestion_cnp_fits_(const rocecc_congestion_config *config)
{
    if (config->cnp.hop_limit == 0 && (config->fastcnp_enabled || config->standard_cnp))
        return false;
    return config->cnp.dscp >> 6 == 0 && config->cnp.ecn >> 2 == 0 &&
           config->cnp.flow_label >> 20 == 0 && config->flow_label >> 20 == 0;
}

/* Checks the parts of a configuration that only Fast CNPs use. */
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

/*
 * Checks a policy. Returns REFUSED_POLICY if the policy has more than
 * ROCECC_CONGESTION_POLICY_MAX segments, or if rocecc_ip6_is_source() rejects a
 * segment.
 */
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
 * Checks and prepares a configuration for packets of `domain`. `access` must be the
 * access list that is also passed with the later events. An entry for ::/0 permits
 * every source. Returns ACCEPTED without a check if Fast CNP, standard CNP and QCN are
 * all off. Otherwise makes the checks for REFUSED_TYPES, _ADDRESS, _RULE, _ACCESS,
 * _ANSWER, _CNP, _GATE, _L3QCN and _LIMIT in this order. Returns the first refusal, or
 * ACCEPTED. The first three checks are made only if Fast CNP is on, and the check for
 * _L3QCN only if QCN is on. On failure the configuration is unchanged.
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
        ROCECC_ADMISSION_ACCEPTED) /* last, because it changes *config */
        return ROCECC_CONGESTION_REFUSED_LIMIT;
    return ROCECC_CONGESTION_ACCEPTED;
}

/*
 * Returns the state of a new switch, with a full shared bucket. point_init() must have
 * accepted the configuration.
 */
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
 * Sets CE in the outermost IP header of a packet, and updates the checksum of an IPv4
 * header. `writer` must cover the packet's buffer from its first byte, and writer.at is
 * ignored. Returns true if the header now has CE. Returns false, and changes nothing,
 * if the header is missing or has Not-ECT (RFC 3168, 5), or if its first 20 bytes are
 * not within `writer`.
 */
ROCECC_FN bool rocecc_congestion_point_mark(const rocecc_packet *packet,
                                            rocecc_writer writer)
{
    const rocecc_headers_ip *ip = rocecc_packet_outermost(packet);
    const bool v4 = ip->version == 4;
    uint8_t *b;
    writer.at = 0;
    if (ip->version == 0 || rocecc_put(&writer, ip->offset) == NULL) return false;
    b = rocecc_put(&writer, ROCECC_IPV4_BYTES); /* half an IPv6 header is enough */
    if (b == NULL || (b[1] & (v4 ? 0x03 : 0x30)) == 0) return false;
    if (v4)
        rocecc_ipv4_ecn_store(b, ROCECC_ECN_CE);
    else
        rocecc_ipv6_ecn_store(b, ROCECC_ECN_CE);
    return true;
}

/* The sender's tag in the access list, and the tunnel source's tag in `tunnels`. */
typedef struct rocecc_congestion_tags_ {
    uint32_t sender;
    uint32_t tunnel;
} rocecc_congestion_tags_;

/*
 * Returns true if a packet has a complete BTH with an opcode in `answer`, and is
 * neither a CNP nor a fragment.
 */
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

/*
 * Copies a packet's UDP source port, P_Key and DestQP to *cnp. Returns false, and
 * changes nothing, if the packet is not RoCEv2 data.
 */
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
    cnp->src_port = rocecc_load16(b); /* may identify the flow */
    cnp->pkey = bth.pkey;
    cnp->dest_qp = bth.dest_qp;
    return true;
}

/*
 * Checks whether a Fast CNP may answer a packet, and fills in *cnp and *out. On
 * failure, *cnp and *out may be partly written.
 */
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

/*
 * Derives the Fast CNP's option from a packet, and selects the option's kind (FC-09).
 */
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
 * Sets *way to the policy with index `tag`. If that policy is missing, is empty, has
 * too many segments or is for another END.CON, the tunnel's END.CON becomes the only
 * segment of *way. If the packet is not in a tunnel, *way has no segments.
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

/*
 * Returns the length of a Fast CNP's outer headers in bytes: 0 without a tunnel, 40 for
 * one segment, and 48 + 16 * n for n > 1 segments.
 */
ROCECC_FN size_t rocecc_congestion_outer_bytes_(const rocecc_congestion_policy *way)
{
    if (way->n == 0) return 0;
    return way->n == 1 ? (size_t)ROCECC_IPV6_BYTES
                       : ROCECC_IPV6_BYTES + ROCECC_SRH_BYTES + 16u * way->n;
}

/*
 * Writes the outer headers that carry a Fast CNP of `bytes` bytes to END.CON (R-CON-4,
 * R-CON-9). Adds an SRH if the path has several segments (R-CON-10).
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
 * Returns HELD if the flow's gate is closed. Otherwise returns SENT if `fits` is true,
 * and NO_SPACE if it is false. Sets *passed to the gate's next state, and leaves
 * *event->gate unchanged.
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
 * Takes a token from the sender's bucket and then from the shared bucket. The caller
 * must make all other checks first, because the sender's token is lost even if the
 * shared bucket is empty.
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

/*
 * Returns true if outer headers of `before` bytes and a packet of `bytes` bytes fit
 * into *writer, and the packet would begin at an offset of at most
 * ROCECC_PACKET_START_MAX.
 */
ROCECC_FN bool rocecc_congestion_has_room_(const rocecc_writer *writer, size_t before,
                                           size_t bytes)
{
    return rocecc_room(writer) >= before + bytes &&
           writer->at + before <= ROCECC_PACKET_START_MAX;
}

/*
 * Writes the Fast CNP for a packet, with outer headers if the packet is in a tunnel.
 * *writer and *event->gate change only on SENT.
 */
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
    /* After init() these calls fail only if the writer is too small. */
    if (before != 0 &&
        rocecc_congestion_put_outer_(&out, config, &way, bytes) != ROCECC_OK)
        return ROCECC_CONGESTION_NO_SPACE;
    if (rocecc_fastcnp_build(&out, packet, config->icrc_rule, &cnp, &h) != ROCECC_OK)
        return ROCECC_CONGESTION_NO_SPACE;
    *writer = out;
    *event->gate = passed;
    return ROCECC_CONGESTION_SENT;
}

/*
 * Reads a packet's flow, and checks the flow's source and destination. The destination
 * must be valid, too, because it becomes the answer's source.
 */
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

/*
 * Sets *tag to the access list's tag for a packet's sender. Rejects a sender that the
 * list does not permit, and every packet in a tunnel.
 */
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

/*
 * Writes the standard CNP for a packet. The CNP goes from the packet's destination to
 * the packet's source, and its DestQP is the sender's QP (R-L3-14). *writer and
 * *event->gate change only on SENT.
 */
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
 * Checks whether a private CNM may answer a packet, and sets *out to the packet's flow
 * and *tag to the sender's tag.
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

/* Returns the CNM for a packet (R-L3-6, R-L3-16). */
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

/*
 * Writes the private CNM for a packet (R-L3-6 to R-L3-9). *writer and *event->gate
 * change only on SENT.
 */
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
 * Returns true if the packet must be marked. `reason` is SENT, or the reason why no
 * notification was written. `replaces_mark` is true for a Fast CNP to a capable sender
 * (FC-02, MUST NOT) and for a standard CNP.
 */
ROCECC_FN bool rocecc_congestion_should_mark_(const rocecc_congestion_config *config,
                                              rocecc_congestion_reason reason,
                                              bool replaces_mark)
{
    if (reason == ROCECC_CONGESTION_SENT)
        return !replaces_mark && !config->mark_known_only;
    return reason != ROCECC_CONGESTION_HELD || !replaces_mark || !config->quiet_if_told;
}

/*
 * Handles the verdict MARK in a queue without QCN. If standard_cnp is set, tries to
 * send a standard CNP if Fast CNP is off, if the sender does not support Fast CNP, or
 * if an attempt to send a Fast CNP fails with the reason NOT_DATA.
 */
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
 * Handles a packet after the algorithm of its queue (wred.h, qcn.h) has returned a
 * verdict. Each bit in the result's `outputs` tells the caller to send the
 * notification, to mark the packet, or to drop the packet. Several bits can be set. The
 * notification is written to `writer`, starting with its IP header. The notification is
 * at most 344 bytes long. A tunnel adds 40 bytes, or 48 + 16 * n bytes if its policy
 * has n > 1 segments. If no notification is written, *writer is unchanged. The space in
 * `writer` must not overlap the packet.
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
 * Returns true if an ICMPv6 error rejects this switch's Fast CNP option (FC-03). This
 * is the case if the error is a Parameter Problem with code 2, quotes a packet from
 * config->cnp.src to `sender`, and points at the option in that packet. The caller must
 * first check the error's checksum, for example with rocecc_icmp_quoted(), and must
 * pass the error's source as `sender`. If the result is true, the caller must set
 * ROCECC_FASTCNP_SUPPORT_NO for this sender in later events.
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
