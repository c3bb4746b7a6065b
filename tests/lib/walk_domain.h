/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_WALK_DOMAIN_H
#define TESTS_LIB_WALK_DOMAIN_H

/* Converts a domain of the library for walk.h, which does not use the library. */
#include "rocecc/packet/domain.h"
#include "walk.h"

static inline walk_domain walk_domain_of(const rocecc_domain *d)
{
    walk_domain w = {0};
    w.ip_first = d->link == ROCECC_LINK_IP;
    w.ah = d->ah;
    w.vlan_tpid = d->tag.vlan_tpid;
    w.etag = d->tag.etag_type;
    w.vntag = d->tag.vntag_type;
    w.arista = d->tag.arista_type;
    w.own_ports = d->overlay.own_ports;
    w.vxlan[0] = d->overlay.vxlan_port;
    w.vxlan[1] = d->overlay.vxlan_port_2;
    w.vxlan_gpe = d->overlay.vxlan_gpe_port;
    w.geneve = d->overlay.geneve_port;
    w.mpls_udp = d->overlay.mpls_port;
    w.gre_udp = d->overlay.gre_port;
    w.rocev2_port = d->rocev2_port;
    w.csig_compact = d->csig.compact_tpid;
    w.csig_wide = d->csig.wide_tpid;
    w.ifa_protocol = d->ifa.protocol;
    w.intmd_port = d->intmd.udp_port;
    w.intmd_dscp = d->intmd.dscp;
    w.intmd_dscp_mask = d->intmd.dscp_mask;
    w.intmd_marker = d->intmd.probe_marker;
    w.intmd_before_options = d->intmd.before_options;
    return w;
}

#endif /* TESTS_LIB_WALK_DOMAIN_H */
