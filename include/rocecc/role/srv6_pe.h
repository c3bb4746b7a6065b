/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_SRV6_PE_H
#define ROCECC_ROLE_SRV6_PE_H

/*
 * srv6_pe.h - the provider edge between a data center and an SRv6 domain: RoCEv2 goes
 * in and comes out with its ECN, and Fast CNPs find their way back.
 * draft-hu-rtgwg-rocev2-fcn, 4.2.1 (ECN) and 4.2.2 (END.CON); RFC 6040, RFC 8986.
 *
 *   data center          ingress PE        congested node        egress PE
 *    sender  --packet-->  outer: END.CON --> CE in the outer -->  merges both fields,
 *                         copies ECN                              forwards the packet
 *    sender  <--Fast CNP- decapsulates  <--- outer: to END.CON
 *
 *   R-ECN-1  ingress: normal mode, a MUST; 0 is the other one, so it has to be set
 *   R-ECN-3  egress: RFC 6040, Figure 4
 *   R-CON-3  the outer source is END.CON
 *   R-CON-5  what comes to END.CON is decapsulated, and forwarded
 * END.CON alone would be a decapsulator for anybody: strict, which is off only if asked
 * for, lets nothing through it but CNPs, and those with a Fast CNP option from sources
 * on an access list alone. It is to be reached from inside the domain only (RFC 8754,
 * 5.1), which is a filter of the host's, as is a limit on what comes (R-CON-12).
 */
#include "../guard/acl.h"
#include "../algo/ecntunnel.h"
#include "../packet/fastcnp.h"
#include "../packet/srv6.h"

typedef enum rocecc_srv6_pe_verdict {
    ROCECC_SRV6_PE_OTHER = 0, /* not for this PE: forward it as it is */
    ROCECC_SRV6_PE_FORWARD,   /* by the routing table: the packet inside, mended */
    ROCECC_SRV6_PE_HOST,      /* for the PE itself: its own stack takes it */
    ROCECC_SRV6_PE_BAD,       /* rocecc_srv6_verdict says why: drop */
    ROCECC_SRV6_PE_ECN,       /* Not-ECT inside, CE outside: drop. RFC 6040, 4.2 */
    ROCECC_SRV6_PE_HOPS,      /* no hop left: drop, Time Exceeded */
    ROCECC_SRV6_PE_NOT_CNP,   /* strict: drop */
    ROCECC_SRV6_PE_ACCESS,    /* strict: drop */
    ROCECC_SRV6_PE_VERDICTS   /* how many there are */
} rocecc_srv6_pe_verdict;

/* Whether the PE has anything to do with a packet but to forward it as it is. */
ROCECC_FN bool rocecc_srv6_pe_acts(rocecc_srv6_pe_verdict verdict)
{
    return verdict != ROCECC_SRV6_PE_OTHER;
}

typedef enum rocecc_srv6_pe_refusal {
    ROCECC_SRV6_PE_ACCEPTED = 0,
    ROCECC_SRV6_PE_REFUSED_SID,  /* END.CON is no address that packets come from */
    ROCECC_SRV6_PE_REFUSED_MODE, /* no rocecc_ecntunnel_mode */
    ROCECC_SRV6_PE_REFUSED_DSCP, /* beyond 6 bits */
    ROCECC_SRV6_PE_REFUSED_TYPES /* strict: rocecc_fastcnp_init() says which */
} rocecc_srv6_pe_refusal;

/* Of an ingress PE. All 0 but END.CON: compatibility mode, DSCP 0, strict. */
typedef struct rocecc_srv6_pe_config {
    rocecc_ip6 end_con; /* the SID: source of tunnels, where Fast CNPs come */
    uint8_t mode;       /* a rocecc_ecntunnel_mode; R-ECN-1: NORMAL */
    bool copy_dscp;     /* to the outer header; else dscp */
    uint8_t dscp;       /* 6 bits */
    bool reduced;       /* SRHs without the first segment */
    bool open;          /* END.CON decapsulates whatever comes: not strict */
} rocecc_srv6_pe_config;

typedef struct rocecc_srv6_pe {
    uint8_t verdict;    /* a rocecc_srv6_pe_verdict */
    uint8_t why;        /* a rocecc_srv6_verdict, if BAD */
    uint8_t alarm;      /* a rocecc_ecntunnel_alarm: to be logged, at a limited rate */
    rocecc_srv6 tunnel; /* if it is one for this PE, else 0: inner is the packet */
} rocecc_srv6_pe;

/* Checks a configuration. Types that are off are accepted: no Fast CNP passes then. */
ROCECC_FN rocecc_srv6_pe_refusal rocecc_srv6_pe_init(const rocecc_srv6_pe_config *c,
                                                     const rocecc_domain *d)
{
    const rocecc_fastcnp_refusal types = rocecc_fastcnp_init(&d->fastcnp);
    if (!rocecc_ip6_is_source(&c->end_con)) return ROCECC_SRV6_PE_REFUSED_SID;
    if (c->mode > ROCECC_ECNTUNNEL_NORMAL) return ROCECC_SRV6_PE_REFUSED_MODE;
    if (c->dscp >> 6 != 0) return ROCECC_SRV6_PE_REFUSED_DSCP;
    if (!c->open && types != ROCECC_FASTCNP_ACCEPTED &&
        types != ROCECC_FASTCNP_REFUSED_OFF)
        return ROCECC_SRV6_PE_REFUSED_TYPES;
    return ROCECC_SRV6_PE_ACCEPTED;
}

/*
 * Ingress: a packet from the data center, IPv4 or IPv6, goes into a tunnel along a
 * policy (addresses as in an SRH, the last segment first). Writes outer header, SRH and
 * packet, which has one hop less (RFC 2473, 3.1) and its ECN as it was. RANGE: no hop
 * is left (Time Exceeded is the host's to send), or as rocecc_srv6_init(); the rest as
 * rocecc_srv6_build().
 */
ROCECC_FN rocecc_status rocecc_srv6_pe_encapsulate(const rocecc_srv6_pe_config *c,
                                                   rocecc_reader packet,
                                                   rocecc_reader policy,
                                                   uint32_t flow_label,
                                                   rocecc_writer *w)
{
    rocecc_srv6 tunnel;
    rocecc_writer inner = *w, out = *w;
    rocecc_ipv46 ip = {0, 0, 0, 0, 0};
    rocecc_status status = rocecc_ipv46_parse(packet, &ip);
    if (status != ROCECC_OK) return status;
    if (ip.hops <= 1) return ROCECC_ERR_RANGE;
    status = rocecc_srv6_init(&tunnel, &c->end_con, policy, c->reduced);
    if (status != ROCECC_OK) return status;
    tunnel.outer.dscp = c->copy_dscp ? ip.dscp : c->dscp;
    tunnel.outer.ecn = (uint8_t)rocecc_ecntunnel_encapsulate(
        (rocecc_ecntunnel_mode)c->mode, (rocecc_ecn)ip.ecn);
    tunnel.outer.flow_label = flow_label;
    tunnel.inner = packet;
    status = rocecc_srv6_build(&out, &tunnel);
    if (status != ROCECC_OK) return status;
    if (rocecc_put(&inner, rocecc_srv6_bytes(&tunnel)) == NULL) return ROCECC_ERR_SPACE;
    status = rocecc_ipv46_patch(inner, (rocecc_ecn)ip.ecn, (uint8_t)(ip.hops - 1));
    if (status == ROCECC_OK) *w = out;
    return status;
}

/*
 * Egress, and END.CON after its own checks: the packet inside gets the merged ECN and
 * one hop less, in place; w writes the buffer that the packet lies in.
 */
ROCECC_FN rocecc_srv6_pe_verdict rocecc_srv6_pe_merge_(rocecc_writer w,
                                                       rocecc_srv6_pe *out)
{
    const rocecc_ecntunnel_merged merged = rocecc_ecntunnel_decapsulate(
        (rocecc_ecn)out->tunnel.ip.ecn, (rocecc_ecn)out->tunnel.outer.ecn);
    out->alarm = merged.alarm;
    if (merged.drop) return ROCECC_SRV6_PE_ECN;
    if (out->tunnel.ip.hops <= 1) return ROCECC_SRV6_PE_HOPS;
    w.at = out->tunnel.inner.at < w.end ? out->tunnel.inner.at : w.end;
    if (rocecc_ipv46_patch(w, (rocecc_ecn)merged.ecn,
                           (uint8_t)(out->tunnel.ip.hops - 1)) != ROCECC_OK)
        return ROCECC_SRV6_PE_BAD;
    return ROCECC_SRV6_PE_FORWARD;
}

/*
 * strict: a CNP, whole, with neither IFA nor INT; with options, a Fast CNP from a
 * source on the list.
 */
ROCECC_FN rocecc_srv6_pe_verdict rocecc_srv6_pe_strict_(const rocecc_packet *p,
                                                        const rocecc_acl *access)
{
    const rocecc_where *f = &p->where;
    rocecc_fastcnp h;
    rocecc_ip ip;
    if (!rocecc_cnp_match(p) || rocecc_packet_has_telemetry(p) ||
        f->end > p->bytes.end || f->end != (uint32_t)f->udp + ROCECC_CNP_UDP_LENGTH)
        return ROCECC_SRV6_PE_NOT_CNP;
    if (f->ip.n_ext == 0) return ROCECC_SRV6_PE_FORWARD;
    if (f->ip.version != 6 || rocecc_packet_ip(p, &f->ip, &ip) != ROCECC_OK)
        return ROCECC_SRV6_PE_NOT_CNP;
    if (rocecc_fastcnp_find(p, &h) != ROCECC_OK) return ROCECC_SRV6_PE_NOT_CNP;
    return rocecc_acl_lookup(access, &ip.src).permit ? ROCECC_SRV6_PE_FORWARD
                                                     : ROCECC_SRV6_PE_ACCESS;
}

/* What a SID of this PE makes of a packet. */
ROCECC_FN rocecc_srv6_pe_verdict rocecc_srv6_pe_sid_(const rocecc_packet *p,
                                                     const rocecc_ip6 *sid,
                                                     rocecc_srv6_pe *out)
{
    rocecc_srv6_verdict why;
    out->tunnel = rocecc_srv6_none(p->bytes);
    why = rocecc_srv6_decapsulate(p, sid, &out->tunnel);
    out->why = (uint8_t)why;
    out->alarm = ROCECC_ECNTUNNEL_NO_ALARM;
    if (why == ROCECC_SRV6_OTHER) return ROCECC_SRV6_PE_OTHER;
    if (why == ROCECC_SRV6_NO_TUNNEL) return ROCECC_SRV6_PE_HOST;
    return why == ROCECC_SRV6_DECAPSULATE ? ROCECC_SRV6_PE_FORWARD : ROCECC_SRV6_PE_BAD;
}

/*
 * A packet that came from the domain, at the PE whose SID ends the tunnels of
 * data: R-ECN-3. FORWARD: out->tunnel.inner, mended in place; its ICRC and its payload
 * are as they were. w writes the buffer of p.
 */
ROCECC_FN void rocecc_srv6_pe_egress(const rocecc_ip6 *sid, const rocecc_packet *p,
                                     rocecc_writer w, rocecc_srv6_pe *out)
{
    rocecc_srv6_pe_verdict verdict = rocecc_srv6_pe_sid_(p, sid, out);
    if (verdict == ROCECC_SRV6_PE_FORWARD) verdict = rocecc_srv6_pe_merge_(w, out);
    out->verdict = (uint8_t)verdict;
}

/* The same for END.CON: R-CON-5, R-CON-11. access is looked at if strict. */
ROCECC_FN void rocecc_srv6_pe_end_con(const rocecc_srv6_pe_config *c,
                                      const rocecc_acl *access, const rocecc_packet *p,
                                      rocecc_writer w, rocecc_srv6_pe *out)
{
    rocecc_srv6_pe_verdict verdict = rocecc_srv6_pe_sid_(p, &c->end_con, out);
    if (verdict == ROCECC_SRV6_PE_FORWARD && !c->open)
        verdict = rocecc_srv6_pe_strict_(p, access);
    if (verdict == ROCECC_SRV6_PE_FORWARD) verdict = rocecc_srv6_pe_merge_(w, out);
    out->verdict = (uint8_t)verdict;
}

#endif /* ROCECC_ROLE_SRV6_PE_H */
