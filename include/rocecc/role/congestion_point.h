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
#include "../guard/acl.h"
#include "../guard/cnpgate.h"
#include "../guard/tokenbucket.h"
#include "../packet/build.h"
#include "../packet/fastcnp.h"
#include "../packet/srv6.h"
#include "../wire/icmp6.h"
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
typedef enum rocecc_capability {
    ROCECC_CAPABILITY_UNKNOWN = 0,
    ROCECC_CAPABILITY_YES,
    ROCECC_CAPABILITY_NO
} rocecc_capability;

/* Why there is no packet: of those that may be sent, the last one that was tried. */
typedef enum rocecc_congestion_reason {
    ROCECC_CONGESTION_NOT_ASKED = 0, /* the verdict is not MARK; QCN: no cnm */
    ROCECC_CONGESTION_SENT,
    ROCECC_CONGESTION_DISABLED,
    ROCECC_CONGESTION_NOT_CAPABLE,
    ROCECC_CONGESTION_NOT_DATA,  /* not RoCEv2 over IPv6, or of no opcode in `answer`;
                                    a notification; QCN: see rocecc_packet_flow() */
    ROCECC_CONGESTION_NEEDS_QPN, /* a CNP, but the sender's own QP is not known */
    ROCECC_CONGESTION_SOURCE,    /* unspecified, loopback, multicast; a tunnel's too */
    ROCECC_CONGESTION_TUNNEL,    /* in one that is not from a listed END.CON */
    ROCECC_CONGESTION_OPTIONS,   /* malformed; a trace that does not fit; kind off */
    ROCECC_CONGESTION_GATE,      /* this flow was answered just now */
    ROCECC_CONGESTION_SPACE,     /* w is too small, or beyond ROCECC_PACKET_START_MAX */
    ROCECC_CONGESTION_LIMIT,     /* no token left */
    ROCECC_CONGESTION_ACCESS,    /* FC-17: its source is not on the list */
    ROCECC_CONGESTION_DESTINATION, /* to a group, or to no host's address */
    ROCECC_CONGESTION_REASONS      /* how many there are */
} rocecc_congestion_reason;

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
    ROCECC_CONGESTION_REFUSED_LIMIT,
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
    bool enabled;               /* Fast CNP; its types are the domain's */
    rocecc_cnp cnp;             /* rocecc_cnp_default(), with src: this switch */
    uint8_t icrc_rule;          /* a rocecc_icrc_rule; AUTO: MASKED */
    bool mark_known_only;       /* FC-01: do not mark as well if unknown */
    bool quiet_if_told;         /* FC-02, and of a CNP: GATE does not mark, either */
    bool plain_only;            /* FC-09: never the IOAM kind, ... */
    bool plain_if_long;         /* ... or not for a trace that does not fit */
    uint32_t flow_label;        /* of the outer header to an END.CON: 20 bits */
    rocecc_opcodes answer;      /* of RoCEv2, in queues of QCN too; a CNP never is:
                                   rocecc_opcodes_data() */
    rocecc_cnpgate_params gate; /* of a flow */
    bool unlimited;             /* FC-18 is only RECOMMENDED */
    rocecc_tokenbucket_params limit; /* of all notifications */
    bool standard_cnp;               /* CNP, where no Fast CNP will do */
    uint8_t qcn_priorities;          /* R-L3-1: bit n, queues of priority n are QCN's */
    rocecc_l3qcn_outer l3qcn_outer;  /* of a private CNM: rocecc_l3qcn_outer_default(),
                                        with src_port 0: by its flow */
    uint8_t msdu_bytes;              /* cpMinHeaderOctets: 0 to 64 */
} rocecc_congestion_config;

/*
 * What the queue says of a packet; and what the host knows of its sender and flow. The
 * lists are of permitted sources, IPv4 as ::ffff:a.b.c.d; empty or NULL: nobody. A
 * tunnel is answered if its outer source is in `tunnels`; the tag there is the place in
 * `policies`, an array of the host's, of the way back. A tag of n_policies or more: no
 * SRH, straight to END.CON.
 */
typedef struct rocecc_congestion_event {
    uint64_t now_ns;
    rocecc_cnpgate *gate;      /* of its flow, or one for all without their own */
    uint8_t priority;          /* of the queue: 0 to 7 */
    uint8_t verdict;           /* a rocecc_wred_verdict; of QCN, DROP alone counts */
    uint8_t sender;            /* RoCEv2: a rocecc_capability */
    bool has_qpn;              /* RoCEv2: qpn is known, as by role/qpn.h */
    uint32_t qpn;              /* that of the sender, 24 bits */
    rocecc_qcn_cp_action qcn;  /* QCN: of rocecc_qcn_cp_offer() */
    uint64_t cpid;             /* QCN: of the queue, see rocecc_cnm_cpid() */
    const rocecc_acl *access;  /* FC-17: senders that may be answered */
    const rocecc_acl *tunnels; /* END.CONs that may */
    const rocecc_congestion_policy *policies;
    uint32_t n_policies;
} rocecc_congestion_event;

typedef struct rocecc_congestion_point {
    rocecc_tokenbucket bucket;
    uint64_t count[ROCECC_CONGESTION_REASONS];
} rocecc_congestion_point;

typedef struct rocecc_congestion {
    uint8_t outputs; /* ROCECC_CONGESTION_MARK, ... */
    uint8_t reason;  /* a rocecc_congestion_reason */
} rocecc_congestion;

/* Whether what goes into every private CNM fits. */
ROCECC_FN bool rocecc_congestion_is_l3qcn_(const rocecc_congestion_config *c,
                                           const rocecc_domain *d)
{
    return d->l3qcn.port != 0 && rocecc_l3qcn_init(&d->l3qcn) == ROCECC_OK &&
           c->l3qcn_outer.dscp >> 6 == 0 && c->l3qcn_outer.ecn >> 2 == 0 &&
           c->l3qcn_outer.hop_limit != 0 && c->l3qcn_outer.flow_label >> 20 == 0 &&
           c->msdu_bytes <= ROCECC_CNM_MSDU_MAX_BYTES;
}

/* Whether what goes into every CNP and Fast CNP fits; without a hop none arrives. */
ROCECC_FN bool rocecc_congestion_is_cnp_(const rocecc_congestion_config *c)
{
    if (c->cnp.hop_limit == 0 && (c->enabled || c->standard_cnp)) return false;
    return c->cnp.dscp >> 6 == 0 && c->cnp.ecn >> 2 == 0 &&
           c->cnp.flow_label >> 20 == 0 && c->flow_label >> 20 == 0;
}

/* Of a Fast CNP. */
ROCECC_FN rocecc_congestion_refusal
rocecc_congestion_fast_init_(const rocecc_congestion_config *c, const rocecc_domain *d)
{
    if (rocecc_fastcnp_init(&d->fastcnp) != ROCECC_FASTCNP_ACCEPTED)
        return ROCECC_CONGESTION_REFUSED_TYPES;
    if (!rocecc_ip6_is_source(&c->cnp.src)) return ROCECC_CONGESTION_REFUSED_ADDRESS;
    if (c->icrc_rule == ROCECC_ICRC_STANDARD || c->icrc_rule > ROCECC_ICRC_NONE)
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
ROCECC_FN rocecc_congestion_refusal rocecc_congestion_point_init(
    rocecc_congestion_config *c, const rocecc_domain *d, const rocecc_acl *access)
{
    rocecc_congestion_refusal refusal = ROCECC_CONGESTION_ACCEPTED;
    if (!c->enabled && !c->standard_cnp && c->qcn_priorities == 0) return refusal;
    if (c->enabled) refusal = rocecc_congestion_fast_init_(c, d);
    if (refusal != ROCECC_CONGESTION_ACCEPTED) return refusal;
    if (access == NULL || access->n == 0) return ROCECC_CONGESTION_REFUSED_ACCESS;
    if (rocecc_opcodes_are_none(&c->answer)) return ROCECC_CONGESTION_REFUSED_ANSWER;
    if (!rocecc_congestion_is_cnp_(c)) return ROCECC_CONGESTION_REFUSED_CNP;
    if (rocecc_cnpgate_init(&c->gate) != ROCECC_CNPGATE_ACCEPTED || c->gate.defer != 0)
        return ROCECC_CONGESTION_REFUSED_GATE;
    if (c->qcn_priorities != 0 && !rocecc_congestion_is_l3qcn_(c, d))
        return ROCECC_CONGESTION_REFUSED_L3QCN;
    if (!c->unlimited && /* the last one: it prepares, too */
        rocecc_tokenbucket_init(&c->limit) != ROCECC_TOKENBUCKET_ACCEPTED)
        return ROCECC_CONGESTION_REFUSED_LIMIT;
    return ROCECC_CONGESTION_ACCEPTED;
}

/* A switch that has seen nothing; c is what init() accepted. */
ROCECC_FN rocecc_congestion_point
rocecc_congestion_point_start(const rocecc_congestion_config *c, uint64_t now_ns)
{
    rocecc_congestion_point s;
    int i;
    s.bucket = rocecc_tokenbucket_start(&c->limit, now_ns);
    for (i = 0; i < ROCECC_CONGESTION_REASONS; i++)
        s.count[i] = 0;
    return s;
}

/*
 * Sets CE where a node on the path does, in the outermost IP header of a packet; w
 * writes the buffer that it lies in. False: it has none, it is Not-ECT, which must not
 * be marked (RFC 3168, 5), or w ends before.
 */
ROCECC_FN bool rocecc_congestion_point_mark(const rocecc_packet *p, rocecc_writer w)
{
    const rocecc_where_ip *ip = rocecc_packet_outermost(p);
    const bool v4 = ip->version == 4;
    uint8_t *b;
    w.at = 0;
    if (ip->version == 0 || rocecc_put(&w, ip->at) == NULL) return false;
    b = rocecc_put(&w, ROCECC_IPV4_BYTES); /* of IPv6 the first half will do */
    if (b == NULL || (b[1] & (v4 ? 0x03 : 0x30)) == 0) return false;
    if (v4)
        rocecc_ipv4_ecn_store(b, ROCECC_ECN_CE);
    else
        rocecc_ipv6_ecn_store(b, ROCECC_ECN_CE);
    return true;
}

/* What a list has of a source. */
ROCECC_FN rocecc_acl_match rocecc_congestion_lookup_(const rocecc_acl *list,
                                                     const rocecc_ip6 *src)
{
    const rocecc_acl_match none = {false, false, 0, 0};
    return list != NULL ? rocecc_acl_lookup(list, src) : none;
}

/* Whether a packet's opcode is one to answer; whatever the set says, a CNP's is not. */
ROCECC_FN bool rocecc_congestion_is_data_(const rocecc_congestion_config *c,
                                          const rocecc_packet *p)
{
    rocecc_reader r = rocecc_between(p->bytes, p->where.bth, p->where.end);
    const uint8_t *b = rocecc_take(&r, ROCECC_BTH_BYTES);
    return p->where.bth != 0 && b != NULL && *b != ROCECC_OPCODE_CNP &&
           rocecc_opcodes_has(&c->answer, *b);
}

/* What a CNP for the packet copies from it: RoCEv2, and data. */
ROCECC_FN bool rocecc_congestion_copy_(const rocecc_congestion_config *c,
                                       const rocecc_packet *p, rocecc_cnp *cnp)
{
    const rocecc_where *f = &p->where;
    rocecc_reader udp = rocecc_between(p->bytes, f->udp, f->end);
    rocecc_reader r = rocecc_between(p->bytes, f->bth, f->end);
    const uint8_t *b = rocecc_take(&udp, ROCECC_UDP_BYTES);
    rocecc_bth bth;
    if (f->kind != ROCECC_KIND_ROCEV2 || !rocecc_congestion_is_data_(c, p))
        return false;
    if (b == NULL || rocecc_bth_parse(&r, &bth) != ROCECC_OK) return false;
    cnp->src_port = rocecc_load16(b); /* by which the sender may know the flow */
    cnp->pkey = bth.pkey;
    cnp->dest_qp = bth.dest_qp;
    return true;
}

/* Who a Fast CNP for the packet is for; of a tunnel, *tag is that of its END.CON. */
ROCECC_FN rocecc_congestion_reason
rocecc_congestion_cnp_(const rocecc_congestion_config *c, const rocecc_packet *p,
                       const rocecc_congestion_event *e, rocecc_cnp *cnp, uint32_t *tag)
{
    const rocecc_where *f = &p->where;
    rocecc_acl_match m;
    rocecc_ip ip;
    if (f->ip.version != 6 || !rocecc_congestion_copy_(c, p, cnp) ||
        rocecc_packet_ip(p, &f->ip, &ip) != ROCECC_OK)
        return ROCECC_CONGESTION_NOT_DATA;
    cnp->dst = ip.src;
    rocecc_packet_final_dst(p, &f->ip, &ip.dst);
    if (!rocecc_ip6_is_source(&ip.src)) return ROCECC_CONGESTION_SOURCE;
    if (!rocecc_ip6_is_source(&ip.dst)) return ROCECC_CONGESTION_DESTINATION;
    if (!rocecc_congestion_lookup_(e->access, &ip.src).permit)
        return ROCECC_CONGESTION_ACCESS;
    if (f->outer.version == 0) return ROCECC_CONGESTION_SENT;
    if (f->outer.version != 6) return ROCECC_CONGESTION_TUNNEL;
    if (rocecc_packet_ip(p, &f->outer, &ip) != ROCECC_OK ||
        !rocecc_ip6_is_source(&ip.src))
        return ROCECC_CONGESTION_SOURCE;
    m = rocecc_congestion_lookup_(e->tunnels, &ip.src);
    *tag = m.tag;
    return m.permit ? ROCECC_CONGESTION_SENT : ROCECC_CONGESTION_TUNNEL;
}

/* What a Fast CNP for this packet says: FC-09, and whether there is one that may. */
ROCECC_FN rocecc_congestion_reason rocecc_congestion_option_(
    const rocecc_congestion_config *c, const rocecc_packet *p, rocecc_fastcnp *h)
{
    const rocecc_fastcnp_config *types = &p->domain->fastcnp;
    if (rocecc_fastcnp_of(p, h) != ROCECC_OK) return ROCECC_CONGESTION_OPTIONS;
    if (c->plain_only || (c->plain_if_long && !rocecc_fastcnp_fits(types, h, p->bytes)))
        h->kind = ROCECC_FASTCNP_PLAIN;
    return rocecc_fastcnp_fits(types, h, p->bytes) ? ROCECC_CONGESTION_SENT
                                                   : ROCECC_CONGESTION_OPTIONS;
}

/*
 * The way to END.CON, the source of the tunnel: its policy, or itself alone; without a
 * tunnel no segment.
 */
ROCECC_FN rocecc_congestion_policy rocecc_congestion_way_(
    const rocecc_packet *p, const rocecc_congestion_event *e, uint32_t tag)
{
    rocecc_congestion_policy way = ROCECC_ZERO;
    rocecc_ip ip;
    if (rocecc_packet_ip(p, &p->where.outer, &ip) != ROCECC_OK) return way;
    if (tag < e->n_policies) way = e->policies[tag];
    if (!rocecc_ip6_match(&way.segment[0], &ip.src) || way.n == 0 ||
        way.n > ROCECC_CONGESTION_POLICY_MAX) {
        way.n = 1;
        way.segment[0] = ip.src;
    }
    return way;
}

/* Bytes of the headers before a Fast CNP that goes this way. */
ROCECC_FN size_t rocecc_congestion_before_(const rocecc_congestion_policy *way)
{
    if (way->n == 0) return 0;
    return way->n == 1 ? (size_t)ROCECC_IPV6_BYTES
                       : ROCECC_IPV6_BYTES + ROCECC_SRH_BYTES + 16u * way->n;
}

/*
 * These headers, towards END.CON: R-CON-4, R-CON-9; an SRH where there is a policy,
 * R-CON-10.
 */
ROCECC_FN rocecc_status rocecc_congestion_outer_(rocecc_writer *w,
                                                 const rocecc_congestion_config *c,
                                                 const rocecc_congestion_policy *way,
                                                 size_t bytes)
{
    const rocecc_reader segments =
        rocecc_reader_of(way->segment, way->segment + way->n);
    rocecc_srv6 tunnel;
    const rocecc_status status =
        rocecc_srv6_init(&tunnel, &c->cnp.src, segments, way->n == 1);
    if (status != ROCECC_OK) return status;
    tunnel.outer.dscp = c->cnp.dscp;
    tunnel.outer.ecn = c->cnp.ecn; /* RFC 6040, normal mode */
    tunnel.outer.flow_label = c->flow_label;
    tunnel.ip.version = 6;
    tunnel.ip.bytes = (uint32_t)bytes;
    return rocecc_srv6_emit(w, &tunnel);
}

/*
 * Whether a notification may be sent now that fits where it is to be written; *passed
 * is the flow's gate after it. What the gate holds back has drained no bucket, and what
 * the bucket refuses leaves the gate open; what there is no room for has done neither.
 */
ROCECC_FN rocecc_congestion_reason rocecc_congestion_pass_(
    const rocecc_congestion_config *c, rocecc_congestion_point *s,
    const rocecc_congestion_event *e, bool fits, rocecc_cnpgate *passed)
{
    *passed = *e->gate;
    if (!rocecc_cnpgate_ce(&c->gate, passed, e->now_ns).send)
        return ROCECC_CONGESTION_GATE;
    if (!fits) return ROCECC_CONGESTION_SPACE;
    if (!c->unlimited && !rocecc_tokenbucket_take(&c->limit, &s->bucket, 1, e->now_ns))
        return ROCECC_CONGESTION_LIMIT;
    return ROCECC_CONGESTION_SENT;
}

/* Whether w has room for bytes, of which `before` precede the packet proper. */
ROCECC_FN bool rocecc_congestion_fits_(const rocecc_writer *w, size_t before,
                                       size_t bytes)
{
    return rocecc_room(w) >= before + bytes &&
           w->at + before <= ROCECC_PACKET_START_MAX;
}

/* The Fast CNP for a packet. Nothing is written but what is sent. */
ROCECC_FN rocecc_congestion_reason rocecc_congestion_fast_cnp_(
    const rocecc_congestion_config *c, rocecc_congestion_point *s,
    const rocecc_packet *p, const rocecc_congestion_event *e, rocecc_writer *w)
{
    const rocecc_fastcnp_config *types = &p->domain->fastcnp;
    rocecc_writer out = *w;
    rocecc_cnpgate passed;
    rocecc_congestion_policy way;
    size_t bytes, before;
    uint32_t tag = 0;
    rocecc_cnp cnp = c->cnp;
    rocecc_fastcnp h = {ROCECC_FASTCNP_PLAIN, c->cnp.dst, 0, 0, 0, 0, 0};
    rocecc_congestion_reason reason = rocecc_congestion_cnp_(c, p, e, &cnp, &tag);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    reason = rocecc_congestion_option_(c, p, &h);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    bytes = ROCECC_IPV6_BYTES + ROCECC_CNP_UDP_LENGTH + rocecc_fastcnp_bytes(types, &h);
    way = rocecc_congestion_way_(p, e, tag);
    before = rocecc_congestion_before_(&way);
    reason = rocecc_congestion_pass_(c, s, e, rocecc_congestion_fits_(w, before, bytes),
                                     &passed);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    /* No error comes from these after init(), but for a writer that is too small. */
    if (before != 0 && rocecc_congestion_outer_(&out, c, &way, bytes) != ROCECC_OK)
        return ROCECC_CONGESTION_SPACE;
    if (rocecc_fastcnp_build(&out, p, (rocecc_icrc_rule)c->icrc_rule, &cnp, &h) !=
        ROCECC_OK)
        return ROCECC_CONGESTION_SPACE;
    *w = out;
    *e->gate = passed;
    return ROCECC_CONGESTION_SENT;
}

/* The flow of a packet that is answered as if from its destination. */
ROCECC_FN rocecc_congestion_reason rocecc_congestion_flow_(const rocecc_packet *p,
                                                           rocecc_flow *flow)
{
    const bool v4 = p->where.ip.version == 4;
    if (rocecc_packet_flow(p, flow) != ROCECC_OK) return ROCECC_CONGESTION_NOT_DATA;
    if (rocecc_ip6_is_ip4(&flow->src) != v4 || !rocecc_ip6_is_host(&flow->src))
        return ROCECC_CONGESTION_SOURCE;
    if (rocecc_ip6_is_ip4(&flow->dst) != v4 || !rocecc_ip6_is_host(&flow->dst))
        return ROCECC_CONGESTION_DESTINATION;
    return ROCECC_CONGESTION_SENT;
}

/* Whether who sent it is of the domain, and it is in no tunnel. */
ROCECC_FN rocecc_congestion_reason rocecc_congestion_who_(
    const rocecc_packet *p, const rocecc_congestion_event *e, const rocecc_flow *flow)
{
    if (!rocecc_congestion_lookup_(e->access, &flow->src).permit)
        return ROCECC_CONGESTION_ACCESS;
    return p->where.outer.version == 0 ? ROCECC_CONGESTION_SENT
                                       : ROCECC_CONGESTION_TUNNEL;
}

/* The standard CNP for a packet: R-L3-14. */
ROCECC_FN rocecc_congestion_reason rocecc_congestion_standard_(
    const rocecc_congestion_config *c, rocecc_congestion_point *s,
    const rocecc_packet *p, const rocecc_congestion_event *e, rocecc_writer *w)
{
    const size_t bytes = rocecc_congestion_ip_bytes_(p) + ROCECC_CNP_UDP_LENGTH;
    rocecc_writer out = *w;
    rocecc_cnpgate passed;
    rocecc_cnp cnp = c->cnp;
    rocecc_flow flow = {{{0}}, {{0}}, 0, 0, 0};
    rocecc_congestion_reason reason;
    if (!rocecc_congestion_copy_(c, p, &cnp)) return ROCECC_CONGESTION_NOT_DATA;
    reason = rocecc_congestion_flow_(p, &flow);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    reason = rocecc_congestion_who_(p, e, &flow);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    if (!e->has_qpn || e->qpn >> 24 != 0) return ROCECC_CONGESTION_NEEDS_QPN;
    reason =
        rocecc_congestion_pass_(c, s, e, rocecc_congestion_fits_(w, 0, bytes), &passed);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    cnp.src = flow.dst;
    cnp.dst = flow.src;
    cnp.dest_qp = e->qpn;
    if (rocecc_cnp_build(&out, &cnp) != ROCECC_OK) return ROCECC_CONGESTION_SPACE;
    *w = out;
    *e->gate = passed;
    return ROCECC_CONGESTION_SENT;
}

/*
 * Whether a packet has a private CNM, and the flow that it is about. What goes to the
 * port of RoCEv2 needs an opcode to answer, which a fragment does not show.
 */
ROCECC_FN rocecc_congestion_reason
rocecc_congestion_sampled_(const rocecc_congestion_config *c, const rocecc_packet *p,
                           const rocecc_congestion_event *e, rocecc_flow *flow)
{
    const rocecc_reader msdu = rocecc_congestion_msdu_(p);
    const rocecc_congestion_reason reason = rocecc_congestion_flow_(p, flow);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    if (rocecc_left(&msdu) == 0 || rocecc_congestion_is_notification_(p, flow) ||
        (rocecc_congestion_is_rocev2_(p, flow) && !rocecc_congestion_is_data_(c, p)))
        return ROCECC_CONGESTION_NOT_DATA;
    return rocecc_congestion_who_(p, e, flow);
}

/* What the CNM in it says: R-L3-6, R-L3-16. */
ROCECC_FN rocecc_cnm rocecc_congestion_cnm_(const rocecc_congestion_config *c,
                                            const rocecc_packet *p,
                                            const rocecc_congestion_event *e)
{
    const rocecc_cnm_config *cnm = &p->domain->l3qcn.cnm;
    const rocecc_cnm_signs signs = (rocecc_cnm_signs)cnm->signs;
    rocecc_reader first = p->bytes;
    const uint8_t *dst = rocecc_take(&first, 6);
    const rocecc_mac none = {{0}};
    rocecc_cnm h;
    h.version = h.reserved_v = 0;
    h.qntz_fb = e->qcn.qntz_fb & 0x3f;
    h.cpid = e->cpid;
    h.q_offset = rocecc_cnm_q_offset(signs, e->qcn.offset_bytes);
    h.q_delta = rocecc_cnm_q_delta(signs, e->qcn.delta_bytes);
    h.encap_priority = e->priority & 7;
    h.encap_reserved = 0;
    h.encap_dst = dst != NULL ? rocecc_mac_load(dst) : none;
    h.msdu = rocecc_cnm_msdu(cnm, rocecc_congestion_msdu_(p), c->msdu_bytes);
    h.msdu_len = (uint16_t)rocecc_left(&h.msdu);
    return h;
}

/* The private CNM for a packet: R-L3-6 to R-L3-9. */
ROCECC_FN rocecc_congestion_reason rocecc_congestion_qcn_(
    const rocecc_congestion_config *c, rocecc_congestion_point *s,
    const rocecc_packet *p, const rocecc_congestion_event *e, rocecc_writer *w)
{
    const rocecc_l3qcn_config *port = &p->domain->l3qcn;
    rocecc_writer out = *w;
    rocecc_cnpgate passed;
    rocecc_l3qcn_outer outer = c->l3qcn_outer;
    rocecc_flow flow = {{{0}}, {{0}}, 0, 0, 0};
    rocecc_cnm cnm;
    rocecc_l3qcn h;
    size_t bytes = ROCECC_UDP_BYTES + rocecc_congestion_ip_bytes_(p);
    rocecc_congestion_reason reason;
    if (!e->qcn.cnm) return ROCECC_CONGESTION_NOT_ASKED;
    reason = rocecc_congestion_sampled_(c, p, e, &flow);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    cnm = rocecc_congestion_cnm_(c, p, e);
    h = rocecc_congestion_l3qcn_(&flow, &cnm);
    bytes += rocecc_l3qcn_bytes(port, &h);
    reason =
        rocecc_congestion_pass_(c, s, e, rocecc_congestion_fits_(w, 0, bytes), &passed);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    if (outer.src_port == 0) outer.src_port = rocecc_congestion_src_port_(&h);
    if (rocecc_l3qcn_build(&out, port, &outer, &h) != ROCECC_OK)
        return ROCECC_CONGESTION_SPACE;
    *w = out;
    *e->gate = passed;
    return ROCECC_CONGESTION_SENT;
}

/*
 * Whether CE goes with, or instead of, what became of a notification; alone: to mark
 * besides what was sent is a MUST NOT.
 */
ROCECC_FN bool rocecc_congestion_marks_(const rocecc_congestion_config *c,
                                        rocecc_congestion_reason reason, bool alone)
{
    if (reason == ROCECC_CONGESTION_SENT) return !alone && !c->mark_known_only;
    return reason != ROCECC_CONGESTION_GATE || !alone || !c->quiet_if_told;
}

/* A packet of RoCEv2 that is to be marked: a Fast CNP, or else a CNP, or CE. */
ROCECC_FN rocecc_congestion rocecc_congestion_rocev2_(const rocecc_congestion_config *c,
                                                      rocecc_congestion_point *s,
                                                      const rocecc_packet *p,
                                                      const rocecc_congestion_event *e,
                                                      rocecc_writer *w)
{
    rocecc_congestion out = {ROCECC_CONGESTION_FAST_CNP, ROCECC_CONGESTION_DISABLED};
    rocecc_congestion_reason reason = ROCECC_CONGESTION_DISABLED;
    bool alone = e->sender == ROCECC_CAPABILITY_YES;
    if (c->enabled && e->sender == ROCECC_CAPABILITY_NO)
        reason = ROCECC_CONGESTION_NOT_CAPABLE;
    else if (c->enabled)
        reason = rocecc_congestion_fast_cnp_(c, s, p, e, w);
    if (c->standard_cnp && (reason == ROCECC_CONGESTION_DISABLED ||
                            reason == ROCECC_CONGESTION_NOT_CAPABLE ||
                            reason == ROCECC_CONGESTION_NOT_DATA)) {
        out.outputs = ROCECC_CONGESTION_CNP;
        alone = true;
        reason = rocecc_congestion_standard_(c, s, p, e, w);
    }
    if (reason != ROCECC_CONGESTION_SENT) out.outputs = 0;
    if (rocecc_congestion_marks_(c, reason, alone))
        out.outputs |= ROCECC_CONGESTION_MARK;
    out.reason = (uint8_t)reason;
    return out;
}

/*
 * A packet met a queue, whose algorithm (wred.h, qcn.h) gave a verdict. Writes a
 * notification at w, from its IP header on, if one is among the outputs: 344 bytes at
 * most, and for a tunnel 40 more, or 48 and the policy. Else w is where it was. The
 * packet and what w writes lie apart.
 */
ROCECC_FN rocecc_congestion rocecc_congestion_point_step(
    const rocecc_congestion_config *c, rocecc_congestion_point *s,
    const rocecc_packet *p, const rocecc_congestion_event *e, rocecc_writer *w)
{
    rocecc_congestion out = {0, ROCECC_CONGESTION_NOT_ASKED};
    if (e->priority < 8 && (c->qcn_priorities >> e->priority & 1) != 0) {
        out.reason = (uint8_t)rocecc_congestion_qcn_(c, s, p, e, w);
        if (out.reason == ROCECC_CONGESTION_SENT) out.outputs = ROCECC_CONGESTION_CNM;
    } else if (e->verdict == ROCECC_WRED_MARK) {
        out = rocecc_congestion_rocev2_(c, s, p, e, w);
    }
    if (e->verdict == ROCECC_WRED_DROP) out.outputs |= ROCECC_CONGESTION_DROP;
    s->count[out.reason]++;
    return out;
}

/*
 * Whether an ICMPv6 Parameter Problem says that a sender does not know the option
 * (FC-03): its capability is NO from then on. Whether the message quotes a packet of
 * ours, and its checksum, are the host's to check.
 */
ROCECC_FN bool rocecc_congestion_point_unknown(const rocecc_fastcnp_config *c,
                                               const rocecc_icmp6_problem *problem)
{
    uint8_t type = 0;
    return problem->code == ROCECC_ICMP6_PROBLEM_OPTION &&
           rocecc_icmp6_problem_find(problem, &type) == ROCECC_OK &&
           rocecc_fastcnp_type_match(c, type);
}

#endif /* ROCECC_ROLE_CONGESTION_POINT_H */
