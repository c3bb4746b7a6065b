/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_DOMAIN_H
#define ROCECC_PACKET_DOMAIN_H

/*
 * domain.h - what one network has agreed on: every number that no registry has assigned
 * and every choice that a document leaves open, each in one place. A walk, a role and a
 * tool ask the same domain, so that one number cannot mean two things.
 *
 *     rocecc_domain d = {0};         Ethernet, RoCEv2 on UDP port 4791, all else off
 *     d.fastcnp.type_plain = 0x9e;   the draft's TBD1
 *     d.intmd.udp_port = 4791;       INT, and by mistake the port of RoCEv2
 *     d.overlay.own_ports = true;    no overlay by IANA's ports,
 *     d.overlay.vxlan_port = 8472;   but VXLAN on that of the Linux kernel
 *     rocecc_domain_init(&d)         ROCECC_DOMAIN_REFUSED_PORT
 *
 * No pointer is in it: a map of a BPF program or a firmware's shared memory can hold
 * it.
 */
#include "../wire/config.h"
#include "../wire/overlay.h"

/* What a frame begins with. */
typedef enum rocecc_link_type_ {
    ROCECC_LINK_ETHER = 0,
    ROCECC_LINK_IP /* IPv4 or IPv6, by its version */
} ROCECC_IN_8_BITS_(rocecc_link_type);

/* All 0: Ethernet frames, RoCEv2 on UDP port 4791, and nothing that is unassigned. */
typedef struct rocecc_domain {
    ROCECC_ENUM8_(rocecc_link_type) link;
    bool ah; /* an Authentication Header is stepped over, and not verified: for
                dissectors. false: it ends the walk, and no packet with it passes a gate
              */
    uint16_t rocev2_port;          /* instead of 4791; 0: 4791 */
    uint16_t sflow_port;           /* of sFlow datagrams, for tools: 6343; 0: off */
    rocecc_tag_config tag;         /* its EtherTypes of tags */
    rocecc_overlay_config overlay; /* its UDP ports of overlays */
    rocecc_roce_config roce;
    rocecc_csig_config csig;       /* its two TPIDs */
    rocecc_ifa_config ifa;         /* its IP protocol number */
    rocecc_intmd_config intmd;     /* its UDP port, DSCP or probe marker */
    rocecc_ioam_config ioam;       /* its namespace */
    rocecc_fastcnp_config fastcnp; /* its two option types */
    rocecc_l3qcn_config l3qcn;     /* its UDP port */
    rocecc_arn_config arn;         /* its UDP port */
} rocecc_domain;

/* The group that is refused on its own, or the number that has two meanings. */
typedef enum rocecc_domain_refusal {
    ROCECC_DOMAIN_ACCEPTED = 0,
    ROCECC_DOMAIN_REFUSED_LINK,     /* not a rocecc_link_type */
    ROCECC_DOMAIN_REFUSED_CSIG,     /* rocecc_csig_init() */
    ROCECC_DOMAIN_REFUSED_IFA,      /* rocecc_ifa_init() says why */
    ROCECC_DOMAIN_REFUSED_FASTCNP,  /* rocecc_fastcnp_init() says why */
    ROCECC_DOMAIN_REFUSED_L3QCN,    /* rocecc_l3qcn_init() */
    ROCECC_DOMAIN_REFUSED_DSCP,     /* INT: a bit of dscp_mask beyond the 6 */
    ROCECC_DOMAIN_REFUSED_PROTOCOL, /* an IP protocol number means two things */
    ROCECC_DOMAIN_REFUSED_TYPE,     /* an EtherType means two things */
    ROCECC_DOMAIN_REFUSED_PORT,     /* a UDP port means two things */
    ROCECC_DOMAIN_REFUSED_ARN,      /* rocecc_arn_init() says why */
    ROCECC_DOMAIN_REFUSED_ECHO,     /* rocecc_roce_init() */
    ROCECC_DOMAIN_REFUSED_OVERLAY   /* rocecc_overlay_init() */
} rocecc_domain_refusal;

/* The UDP port of RoCEv2 in a network: 4791, unless it has another one. */
ROCECC_INLINE uint16_t rocecc_domain_rocev2_port(const rocecc_domain *domain)
{
    return domain->rocev2_port != 0 ? domain->rocev2_port : ROCECC_UDP_PORT_ROCEV2;
}

/* Whether an EtherType is one that a walk gives a meaning of its own, or a length. */
ROCECC_FN bool rocecc_domain_type_is_taken_(uint16_t type)
{
    return type < 0x600 || type == ROCECC_TYPE_IPV4 || type == ROCECC_TYPE_IPV6 ||
           type == ROCECC_TYPE_ROCEV1 || type == ROCECC_TYPE_CNTAG ||
           type == ROCECC_TYPE_CNM || type == ROCECC_TYPE_MAC_CONTROL ||
           type == ROCECC_TYPE_CISCO_MD || type == ROCECC_TYPE_PPPOE ||
           type == ROCECC_TYPE_MPLS || type == ROCECC_TYPE_MPLS_UPSTREAM ||
           type == ROCECC_TYPE_TEB || rocecc_vlan_match(type);
}

/* Whether a number other than 0 is twice among n. */
ROCECC_FN bool rocecc_domain_has_twice_(const uint16_t *numbers, size_t n)
{
    size_t i, k;
    for (i = 1; i < n; i++)
        for (k = 0; k < i; k++)
            if (numbers[i] != 0 && numbers[i] == numbers[k]) return true;
    return false;
}

/* Whether an EtherType of a tag has two meanings; 0 is none. */
ROCECC_FN bool rocecc_domain_types_clash_(const rocecc_domain *domain)
{
    uint16_t types[6];
    size_t i;
    types[0] = domain->csig.compact_tpid;
    types[1] = domain->csig.wide_tpid;
    types[2] = domain->tag.vlan_tpid;
    types[3] = domain->tag.etag_type;
    types[4] = domain->tag.vntag_type;
    types[5] = domain->tag.arista_type;
    for (i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i] != 0 && rocecc_domain_type_is_taken_(types[i])) return true;
    return rocecc_domain_has_twice_(types, sizeof types / sizeof types[0]);
}

/* Whether two of these ports are the same, or one is an overlay's; 0 is no port. */
ROCECC_FN bool rocecc_domain_ports_clash_(const rocecc_domain *domain)
{
    uint16_t ports[5];
    size_t i;
    ports[0] = rocecc_domain_rocev2_port(domain);
    ports[1] = domain->intmd.udp_port;
    ports[2] = domain->l3qcn.port;
    ports[3] = domain->arn.port;
    ports[4] = domain->sflow_port;
    for (i = 0; i < sizeof ports / sizeof ports[0]; i++)
        if (rocecc_overlay_lookup(&domain->overlay, ports[i]) != ROCECC_TUNNEL_NONE)
            return true;
    return rocecc_domain_has_twice_(ports, sizeof ports / sizeof ports[0]);
}

/*
 * Once, before anything else is asked of it; the first reason is given, in the order of
 * the refusals. Functions take a domain that was refused all the same: a number with
 * two meanings then has the first that the walk comes to.
 */
ROCECC_FN rocecc_domain_refusal rocecc_domain_init(const rocecc_domain *domain)
{
    const rocecc_fastcnp_refusal fastcnp = rocecc_fastcnp_init(&domain->fastcnp);
    if (domain->link > ROCECC_LINK_IP) return ROCECC_DOMAIN_REFUSED_LINK;
    if (rocecc_csig_init(&domain->csig) != ROCECC_OK) return ROCECC_DOMAIN_REFUSED_CSIG;
    if (domain->ifa.protocol != 0 &&
        rocecc_ifa_init(&domain->ifa) != ROCECC_IFA_ACCEPTED)
        return ROCECC_DOMAIN_REFUSED_IFA;
    if (fastcnp != ROCECC_FASTCNP_ACCEPTED && fastcnp != ROCECC_FASTCNP_REFUSED_OFF)
        return ROCECC_DOMAIN_REFUSED_FASTCNP;
    if (domain->l3qcn.port != 0 && rocecc_l3qcn_init(&domain->l3qcn) != ROCECC_OK)
        return ROCECC_DOMAIN_REFUSED_L3QCN;
    if (domain->intmd.dscp_mask >> 6 != 0) return ROCECC_DOMAIN_REFUSED_DSCP;
    if (domain->ifa.protocol == ROCECC_PROTO_IPV4 ||
        domain->ifa.protocol == ROCECC_PROTO_IPV6 ||
        domain->ifa.protocol == ROCECC_PROTO_ETHERNET)
        return ROCECC_DOMAIN_REFUSED_PROTOCOL;
    if (rocecc_domain_types_clash_(domain)) return ROCECC_DOMAIN_REFUSED_TYPE;
    if (rocecc_domain_ports_clash_(domain)) return ROCECC_DOMAIN_REFUSED_PORT;
    if (domain->arn.port != 0 && rocecc_arn_init(&domain->arn) != ROCECC_ARN_ACCEPTED)
        return ROCECC_DOMAIN_REFUSED_ARN;
    if (rocecc_roce_init(&domain->roce) != ROCECC_OK) return ROCECC_DOMAIN_REFUSED_ECHO;
    if (rocecc_overlay_init(&domain->overlay) != ROCECC_OK)
        return ROCECC_DOMAIN_REFUSED_OVERLAY;
    return ROCECC_DOMAIN_ACCEPTED;
}

#endif /* ROCECC_PACKET_DOMAIN_H */
