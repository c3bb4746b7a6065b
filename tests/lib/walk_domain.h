/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_WALK_DOMAIN_H
#define TESTS_LIB_WALK_DOMAIN_H

/* What a domain of the library is to the walk of walk.h, which does not know the
 * library. */
#include "rocecc/packet/domain.h"
#include "walk.h"

static inline walk_domain walk_domain_of(const rocecc_domain *d)
{
    walk_domain w = {0};
    w.ip_first = d->link == ROCECC_LINK_IP;
    w.old_qinq = d->old_qinq;
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
