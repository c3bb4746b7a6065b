/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_PACKET_DOMAIN_H
#define ROCECC_PACKET_DOMAIN_H

/*
 * domain.h - the configuration of one network. It holds every number that no registry
 * has assigned, and every choice that a specification leaves open.
 *
 *     rocecc_domain d = {0};         Ethernet, RoCEv2 on UDP port 4791, all else off
 *     d.fastcnp.type_plain = 0x9e;   the draft's TBD1
 *     d.intmd.udp_port = 4791;       INT, by mistake on RoCEv2's port
 *     d.overlay.own_ports = true;    no overlays on IANA's ports,
 *     d.overlay.vxlan_port = 8472;   but VXLAN on the Linux kernel's port
 *     rocecc_domain_init(&d)         ROCECC_DOMAIN_REFUSED_PORT
 *
 * The struct contains no pointer, so a BPF map, or memory shared with firmware, can
 * hold it.
 */
#include "../wire/config.h"
#include "../wire/overlay.h"

/* First header of a frame. */
typedef enum rocecc_link_type_ {
    ROCECC_LINK_ETHER = 0,
    ROCECC_LINK_IP /* IPv4 or IPv6, according to the version field */
} ROCECC_IN_8_BITS_(rocecc_link_type);

/*
 * Configuration of a network. If all members are 0, frames begin with Ethernet, RoCEv2
 * uses UDP port 4791, overlays use IANA's ports, and no unassigned number is in use.
 */
typedef struct rocecc_domain {
    ROCECC_ENUM8_(rocecc_link_type) link;
    bool ah; /* skip an Authentication Header without verifying it, for dissectors; if
                not set, AH ends the walk, and no gate accepts the packet */
    uint16_t rocev2_port;          /* UDP port of RoCEv2; 0 means 4791 */
    uint16_t sflow_port;           /* UDP port of sFlow (6343), for tools; 0: off */
    rocecc_tag_config tag;         /* EtherTypes of tags */
    rocecc_overlay_config overlay; /* UDP ports of overlays */
    rocecc_roce_config roce;
    rocecc_csig_config csig;       /* two TPIDs */
    rocecc_ifa_config ifa;         /* IP protocol number */
    rocecc_intmd_config intmd;     /* UDP port, DSCP or probe marker */
    rocecc_ioam_config ioam;       /* namespace */
    rocecc_fastcnp_config fastcnp; /* two option types */
    rocecc_l3qcn_config l3qcn;     /* UDP port */
    rocecc_arn_config arn;         /* UDP port */
} rocecc_domain;

/* Reason why rocecc_domain_init() rejects a domain. */
typedef enum rocecc_domain_refusal {
    ROCECC_DOMAIN_ACCEPTED = 0,
    ROCECC_DOMAIN_REFUSED_LINK,     /* `link` is not a rocecc_link_type */
    ROCECC_DOMAIN_REFUSED_CSIG,     /* rejected by rocecc_csig_init() */
    ROCECC_DOMAIN_REFUSED_IFA,      /* rocecc_ifa_init() gives the reason */
    ROCECC_DOMAIN_REFUSED_FASTCNP,  /* rocecc_fastcnp_init() gives the reason */
    ROCECC_DOMAIN_REFUSED_L3QCN,    /* rejected by rocecc_l3qcn_init() */
    ROCECC_DOMAIN_REFUSED_DSCP,     /* intmd.dscp_mask is above 0x3f */
    ROCECC_DOMAIN_REFUSED_PROTOCOL, /* ifa.protocol is IPv4, IPv6 or Ethernet */
    ROCECC_DOMAIN_REFUSED_TYPE,     /* an EtherType has two meanings */
    ROCECC_DOMAIN_REFUSED_PORT,     /* a UDP port has two meanings */
    ROCECC_DOMAIN_REFUSED_ARN,      /* rocecc_arn_init() gives the reason */
    ROCECC_DOMAIN_REFUSED_ECHO,     /* rejected by rocecc_roce_init() */
    ROCECC_DOMAIN_REFUSED_OVERLAY   /* rejected by rocecc_overlay_init() */
} rocecc_domain_refusal;

/* Returns the domain's rocev2_port, or 4791 if rocev2_port is 0. */
ROCECC_INLINE uint16_t rocecc_domain_rocev2_port(const rocecc_domain *domain)
{
    return domain->rocev2_port != 0 ? domain->rocev2_port : ROCECC_UDP_PORT_ROCEV2;
}

/* Returns true if an EtherType already has a meaning, or is a length (below 0x600). */
ROCECC_FN bool rocecc_domain_type_is_taken_(uint16_t type)
{
    return type < 0x600 || type == ROCECC_TYPE_IPV4 || type == ROCECC_TYPE_IPV6 ||
           type == ROCECC_TYPE_ROCEV1 || type == ROCECC_TYPE_CNTAG ||
           type == ROCECC_TYPE_CNM || type == ROCECC_TYPE_MAC_CONTROL ||
           type == ROCECC_TYPE_CISCO_MD || type == ROCECC_TYPE_PPPOE ||
           type == ROCECC_TYPE_MPLS || type == ROCECC_TYPE_MPLS_UPSTREAM ||
           type == ROCECC_TYPE_TEB || rocecc_vlan_match(type);
}

/* Returns true if a nonzero number occurs more than once. */
ROCECC_FN bool rocecc_domain_has_twice_(const uint16_t *numbers, size_t n)
{
    size_t i, k;
    for (i = 1; i < n; i++)
        for (k = 0; k < i; k++)
            if (numbers[i] != 0 && numbers[i] == numbers[k]) return true;
    return false;
}

/* Returns true if a tag's EtherType has two meanings. */
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

/*
 * Returns true if two nonzero UDP ports of a domain are equal. Overlay ports are not
 * compared with each other.
 */
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
 * Checks a domain. The host must call this function once, before it uses the domain.
 * Returns ACCEPTED, or the first reason that applies, in the order of
 * rocecc_domain_refusal. IFA, L3QCN and ARN are checked only if they are on. If Fast
 * CNP is off, only its `form` is checked. If a number in a rejected domain has two
 * meanings, the walk uses the meaning that it checks first.
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
