/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_CONGESTION_POINT_H
#define ROCECC_ROLE_CONGESTION_POINT_H

/*
 * congestion_point.h - a switch whose queue says that a packet is one too many: what it
 * does to the packet, and whom it tells. draft-xiao-rtgwg-rocev2-fast-cnp-00, 3 to 5;
 * in an SRv6 domain draft-hu-rtgwg-rocev2-fcn-00, 4.2.2.
 *
 *   verdict  sender       outputs
 *   PASS     any          none
 *   DROP     any          DROP
 *   MARK     not capable  MARK
 *            unknown      FAST_CNP, and MARK unless the configuration says no
 *            capable      FAST_CNP alone: to mark as well is a MUST NOT
 *   A Fast CNP that cannot be sent, or is held back, leaves MARK.
 *
 *            a packet in a tunnel               its Fast CNP
 *   outer    from END.CON to the egress         from this switch to END.CON
 *   inner    from the sender to the receiver    from this switch to the sender
 *
 * Rules, by the numbers of the drafts' statements:
 *   FC-01  unknown: MAY mark as well     FC-02  capable: MUST NOT
 *   FC-04  from the switch's own address, to the packet's source
 *   FC-07  DestQP copied                 FC-09  IOAM kind iff the packet has a trace
 *   FC-18  rates of generation are limited, too: for all, and by a gate per flow
 *   FC-21, FC-22  enabled is a switch, and off in a configuration that is all 0
 *   R-CON-4, R-CON-9, R-CON-10  in a tunnel: to END.CON, which is its source
 * CNPs, and what is not RoCEv2 over IPv6, are never answered, nor is a fragment.
 */
#include "../algo/cnpgate.h"
#include "../algo/tokenbucket.h"
#include "../algo/wred.h"
#include "../wire/fastcnp.h"
#include "../wire/icmp6.h"
#include "../wire/srv6.h"

/* In `outputs`. */
enum {
    ROCECC_CONGESTION_MARK = 1, /* set CE: rocecc_congestion_point_mark() */
    ROCECC_CONGESTION_DROP = 2,
    ROCECC_CONGESTION_FAST_CNP = 4 /* a packet was written */
};

/* Whether a sender knows the Fast CNP; how one finds out is the host's. */
typedef enum rocecc_capability {
    ROCECC_CAPABILITY_UNKNOWN = 0,
    ROCECC_CAPABILITY_YES,
    ROCECC_CAPABILITY_NO
} rocecc_capability;

/* Why there is no Fast CNP. */
typedef enum rocecc_congestion_reason {
    ROCECC_CONGESTION_SENT = 0,
    ROCECC_CONGESTION_NOT_ASKED, /* the verdict is not MARK */
    ROCECC_CONGESTION_DISABLED,
    ROCECC_CONGESTION_NOT_CAPABLE,
    ROCECC_CONGESTION_NOT_DATA, /* not RoCEv2 over IPv6, or a CNP itself */
    ROCECC_CONGESTION_SOURCE,   /* unspecified, loopback, multicast; a tunnel's too */
    ROCECC_CONGESTION_TUNNEL,   /* in one that the configuration does not answer to */
    ROCECC_CONGESTION_OPTIONS,  /* malformed; a trace that does not fit; kind off */
    ROCECC_CONGESTION_GATE,     /* this flow was answered just now */
    ROCECC_CONGESTION_SPACE,    /* w is too small, or beyond ROCECC_FRAME_START_MAX */
    ROCECC_CONGESTION_LIMIT,    /* no token left */
    ROCECC_CONGESTION_REASONS   /* how many there are */
} rocecc_congestion_reason;

typedef enum rocecc_congestion_refusal {
    ROCECC_CONGESTION_ACCEPTED = 0,
    ROCECC_CONGESTION_REFUSED_TYPES,   /* rocecc_fastcnp_init() says which */
    ROCECC_CONGESTION_REFUSED_ADDRESS, /* FC-04: cnp.src is no address of a switch */
    ROCECC_CONGESTION_REFUSED_CNP,    /* another value of cnp is wider than its field */
    ROCECC_CONGESTION_REFUSED_RULE,   /* STANDARD, which covers no extension header */
    ROCECC_CONGESTION_REFUSED_POLICY, /* not whole addresses, or more than 127 */
    ROCECC_CONGESTION_REFUSED_GATE,   /* or defer: later, there is no packet */
    ROCECC_CONGESTION_REFUSED_LIMIT
} rocecc_congestion_refusal;

/*
 * All 0: marks and drops, and tells nobody. policy is as in an SRH, with END.CON first
 * because it is the last segment: tunnels from there are answered along it, all others
 * straight to their source.
 */
typedef struct rocecc_congestion_config {
    bool enabled;                  /* Fast CNP */
    rocecc_fastcnp_config fastcnp; /* its types and layout */
    rocecc_cnp cnp;                /* rocecc_cnp_default(), with src: this switch */
    rocecc_icrc_rule icrc_rule;    /* AUTO: MASKED */
    bool mark_known_only;          /* FC-01: do not mark as well if unknown */
    bool quiet_if_told;            /* FC-02: GATE does not mark, either, if capable */
    bool plain_only;               /* FC-09: never the IOAM kind, ... */
    bool plain_if_long;            /* ... or not for a trace that does not fit */
    bool end_con;                  /* answer to the source of an SRv6 tunnel */
    uint32_t flow_label;           /* of that outer header: 20 bits */
    rocecc_reader policy;          /* R-CON-10: the way to the END.CON that it lists */
    rocecc_cnpgate_params gate;    /* of a flow */
    bool unlimited;                /* FC-18 is only RECOMMENDED */
    rocecc_tokenbucket_params limit; /* of all Fast CNPs */
} rocecc_congestion_config;

typedef struct rocecc_congestion_point {
    rocecc_tokenbucket bucket;
    uint64_t count[ROCECC_CONGESTION_REASONS];
} rocecc_congestion_point;

typedef struct rocecc_congestion {
    uint8_t outputs; /* ROCECC_CONGESTION_MARK, ... */
    uint8_t reason;  /* a rocecc_congestion_reason */
} rocecc_congestion;

/* Checks and prepares a configuration; refused, it is as it was. */
ROCECC_FN rocecc_congestion_refusal
rocecc_congestion_point_init(rocecc_congestion_config *c)
{
    if (!c->enabled) return ROCECC_CONGESTION_ACCEPTED;
    if (rocecc_fastcnp_init(&c->fastcnp) != ROCECC_FASTCNP_ACCEPTED)
        return ROCECC_CONGESTION_REFUSED_TYPES;
    if (!rocecc_ip6_is_source(&c->cnp.src)) return ROCECC_CONGESTION_REFUSED_ADDRESS;
    if (c->cnp.dscp >> 6 != 0 || c->cnp.ecn >> 2 != 0 || c->cnp.flow_label >> 20 != 0 ||
        c->flow_label >> 20 != 0)
        return ROCECC_CONGESTION_REFUSED_CNP;
    if (c->icrc_rule == ROCECC_ICRC_STANDARD || c->icrc_rule > ROCECC_ICRC_NONE)
        return ROCECC_CONGESTION_REFUSED_RULE;
    if (rocecc_left(&c->policy) % 16 != 0 ||
        rocecc_left(&c->policy) > ROCECC_SRH_REST_MAX_BYTES)
        return ROCECC_CONGESTION_REFUSED_POLICY;
    if (rocecc_cnpgate_init(&c->gate) != ROCECC_CNPGATE_ACCEPTED || c->gate.defer != 0)
        return ROCECC_CONGESTION_REFUSED_GATE;
    if (!c->unlimited &&
        rocecc_tokenbucket_init(&c->limit) != ROCECC_TOKENBUCKET_ACCEPTED)
        return ROCECC_CONGESTION_REFUSED_LIMIT;
    return ROCECC_CONGESTION_ACCEPTED;
}

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
 * Sets CE where a node on the path does, in the outermost IP header of a located frame;
 * w writes the buffer that the frame was located in. False: there is none, it is
 * Not-ECT, which must not be marked (RFC 3168, 5), or w ends before.
 */
ROCECC_FN bool rocecc_congestion_point_mark(rocecc_writer w, const rocecc_frame *f)
{
    const rocecc_frame_ip *ip = f->outer.version != 0 ? &f->outer : &f->ip;
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

/* The source of a located IPv6 header; :: if it is cut off. */
ROCECC_FN rocecc_ip6 rocecc_congestion_src_(rocecc_reader frame,
                                            const rocecc_frame_ip *ip)
{
    const rocecc_ip6 none = {{0}};
    const size_t at = (size_t)ip->at + 8;
    rocecc_reader r = rocecc_between(frame, at, at + 16);
    const uint8_t *b = rocecc_take(&r, 16);
    return b != NULL ? rocecc_ip6_load(b) : none;
}

/* Who the packet is from and for. */
ROCECC_FN rocecc_congestion_reason
rocecc_congestion_cnp_(const rocecc_congestion_config *c, rocecc_reader frame,
                       const rocecc_frame *f, rocecc_cnp *cnp)
{
    rocecc_reader r = rocecc_between(frame, f->udp, f->end);
    rocecc_ip6 end_con;
    rocecc_udp udp;
    rocecc_bth bth;
    if (f->kind != ROCECC_FRAME_ROCEV2 || f->bth == 0 || f->ip.version != 6 ||
        rocecc_cnp_match(frame, f))
        return ROCECC_CONGESTION_NOT_DATA;
    if (rocecc_udp_parse(&r, &udp) != ROCECC_OK) return ROCECC_CONGESTION_NOT_DATA;
    r = rocecc_between(frame, f->bth, f->end); /* IFA or INT may be between them */
    if (rocecc_bth_parse(&r, &bth) != ROCECC_OK) return ROCECC_CONGESTION_NOT_DATA;
    *cnp = c->cnp;
    cnp->dst = rocecc_congestion_src_(frame, &f->ip);
    cnp->src_port = udp.src_port; /* by which the sender may know the flow */
    cnp->pkey = bth.pkey;
    cnp->dest_qp = bth.dest_qp;
    if (!rocecc_ip6_is_source(&cnp->dst)) return ROCECC_CONGESTION_SOURCE;
    if (f->outer.version == 0) return ROCECC_CONGESTION_SENT;
    if (!c->end_con || f->outer.version != 6) return ROCECC_CONGESTION_TUNNEL;
    end_con = rocecc_congestion_src_(frame, &f->outer);
    return rocecc_ip6_is_source(&end_con) ? ROCECC_CONGESTION_SENT
                                          : ROCECC_CONGESTION_SOURCE;
}

/* What a Fast CNP for this packet says: FC-09, and whether there is one that may. */
ROCECC_FN rocecc_congestion_reason
rocecc_congestion_option_(const rocecc_congestion_config *c, rocecc_reader frame,
                          const rocecc_frame *f, rocecc_fastcnp *h)
{
    if (rocecc_fastcnp_of(frame, f, h) != ROCECC_OK) return ROCECC_CONGESTION_OPTIONS;
    if (c->plain_only || (c->plain_if_long && !rocecc_fastcnp_fits_(&c->fastcnp, h)))
        h->kind = ROCECC_FASTCNP_PLAIN;
    return rocecc_fastcnp_fits_(&c->fastcnp, h) ? ROCECC_CONGESTION_SENT
                                                : ROCECC_CONGESTION_OPTIONS;
}

/* The way to END.CON, the source of the tunnel: its policy, or itself alone. */
ROCECC_FN rocecc_reader rocecc_congestion_policy_(const rocecc_congestion_config *c,
                                                  rocecc_reader frame,
                                                  const rocecc_frame *f)
{
    const size_t at = (size_t)f->outer.at + 8;
    const rocecc_reader end_con = rocecc_between(frame, at, at + 16);
    rocecc_reader src = end_con, policy = c->policy;
    const uint8_t *a = rocecc_take(&src, 16);
    const uint8_t *b = rocecc_take(&policy, 16);
    int i;
    if (a == NULL || b == NULL) return end_con;
    for (i = 0; i < 16; i++)
        if (a[i] != b[i]) return end_con;
    return c->policy;
}

/* Bytes of the headers before a Fast CNP; 0 without a tunnel. */
ROCECC_FN size_t rocecc_congestion_before_(const rocecc_congestion_config *c,
                                           rocecc_reader frame, const rocecc_frame *f)
{
    const rocecc_reader policy = rocecc_congestion_policy_(c, frame, f);
    const size_t n = rocecc_left(&policy);
    if (f->outer.version == 0) return 0;
    return n == 16 ? ROCECC_IPV6_BYTES : ROCECC_IPV6_BYTES + ROCECC_SRH_BYTES + n;
}

/*
 * These headers, towards END.CON: R-CON-4, R-CON-9; an SRH where there is a policy,
 * R-CON-10.
 */
ROCECC_FN rocecc_status rocecc_congestion_outer_(rocecc_writer *w,
                                                 const rocecc_congestion_config *c,
                                                 rocecc_reader frame,
                                                 const rocecc_frame *f, size_t bytes)
{
    const rocecc_reader policy = rocecc_congestion_policy_(c, frame, f);
    rocecc_srv6 tunnel;
    const rocecc_status status =
        rocecc_srv6_init(&tunnel, &c->cnp.src, policy, rocecc_left(&policy) == 16);
    if (status != ROCECC_OK) return status;
    tunnel.outer.dscp = c->cnp.dscp;
    tunnel.outer.ecn = c->cnp.ecn; /* RFC 6040, normal mode */
    tunnel.outer.flow_label = c->flow_label;
    tunnel.ip.version = 6;
    tunnel.ip.bytes = (uint32_t)bytes;
    return rocecc_srv6_emit(w, &tunnel);
}

/*
 * The Fast CNP for a packet that is to be marked. What the gate holds back has drained
 * no bucket, and what the bucket refuses leaves the gate open; what there is no room
 * for has done neither. Nothing is written but what is sent.
 */
ROCECC_FN rocecc_congestion_reason rocecc_congestion_fast_cnp_(
    const rocecc_congestion_config *c, rocecc_congestion_point *s, rocecc_cnpgate *gate,
    rocecc_reader frame, const rocecc_frame *f, uint64_t now_ns, rocecc_writer *w)
{
    rocecc_writer out = *w;
    rocecc_cnpgate passed = *gate;
    size_t bytes, before;
    rocecc_cnp cnp = c->cnp;
    rocecc_fastcnp h = {ROCECC_FASTCNP_PLAIN, c->cnp.dst, 0, 0, frame, 0};
    rocecc_congestion_reason reason = rocecc_congestion_cnp_(c, frame, f, &cnp);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    reason = rocecc_congestion_option_(c, frame, f, &h);
    if (reason != ROCECC_CONGESTION_SENT) return reason;
    if (!rocecc_cnpgate_ce(&c->gate, &passed, (uint32_t)now_ns).send)
        return ROCECC_CONGESTION_GATE;
    bytes = ROCECC_IPV6_BYTES + ROCECC_CNP_UDP_LENGTH +
            rocecc_fastcnp_bytes(&c->fastcnp, &h);
    before = rocecc_congestion_before_(c, frame, f);
    if (rocecc_room(w) < before + bytes || w->at + before > ROCECC_FRAME_START_MAX)
        return ROCECC_CONGESTION_SPACE;
    if (!c->unlimited && !rocecc_tokenbucket_take(&c->limit, &s->bucket, 1, now_ns))
        return ROCECC_CONGESTION_LIMIT;
    /* No error comes from these after init(), but for a writer that is too small. */
    if (before != 0 && rocecc_congestion_outer_(&out, c, frame, f, bytes) != ROCECC_OK)
        return ROCECC_CONGESTION_SPACE;
    if (rocecc_fastcnp_build(&out, &c->fastcnp, c->icrc_rule, &cnp, &h) != ROCECC_OK)
        return ROCECC_CONGESTION_SPACE;
    *w = out;
    *gate = passed;
    return ROCECC_CONGESTION_SENT;
}

/* Whether CE goes with, or instead of, what became of the Fast CNP. */
ROCECC_FN bool rocecc_congestion_marks_(const rocecc_congestion_config *c,
                                        rocecc_congestion_reason reason,
                                        rocecc_capability sender)
{
    if (reason == ROCECC_CONGESTION_SENT)
        return sender != ROCECC_CAPABILITY_YES && !c->mark_known_only;
    return reason != ROCECC_CONGESTION_GATE || sender != ROCECC_CAPABILITY_YES ||
           !c->quiet_if_told;
}

/*
 * A located frame met a queue, whose algorithm (wred.h) gave a verdict. gate is of the
 * frame's flow, or one for all that the host keeps no gate for. Writes a Fast CNP
 * behind w, from its IPv6 header on, if that is among the outputs: 344 bytes at most,
 * and for a tunnel 40 more, or 48 and the policy. Else w is where it was. frame and
 * what w writes lie apart.
 */
ROCECC_FN rocecc_congestion rocecc_congestion_point_step(
    const rocecc_congestion_config *c, rocecc_congestion_point *s, rocecc_cnpgate *gate,
    rocecc_reader frame, const rocecc_frame *f, rocecc_wred_verdict verdict,
    rocecc_capability sender, uint64_t now_ns, rocecc_writer *w)
{
    rocecc_congestion out = {0, ROCECC_CONGESTION_NOT_ASKED};
    rocecc_congestion_reason reason = ROCECC_CONGESTION_NOT_ASKED;
    if (verdict == ROCECC_WRED_DROP) out.outputs = ROCECC_CONGESTION_DROP;
    if (verdict == ROCECC_WRED_MARK) {
        if (!c->enabled)
            reason = ROCECC_CONGESTION_DISABLED;
        else if (sender == ROCECC_CAPABILITY_NO)
            reason = ROCECC_CONGESTION_NOT_CAPABLE;
        else
            reason = rocecc_congestion_fast_cnp_(c, s, gate, frame, f, now_ns, w);
        if (reason == ROCECC_CONGESTION_SENT) out.outputs = ROCECC_CONGESTION_FAST_CNP;
        if (rocecc_congestion_marks_(c, reason, sender))
            out.outputs |= ROCECC_CONGESTION_MARK;
    }
    s->count[reason]++;
    out.reason = (uint8_t)reason;
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
           rocecc_fastcnp_is_type_(c, type);
}

#endif /* ROCECC_ROLE_CONGESTION_POINT_H */
