/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LIB_IFA_H
#define TESTS_LIB_IFA_H

/* ifa.h - the plans of IFA for edits.h, and their arguments. */
#include <string.h>

#include "edits.h"
#include "law/ifa.h"

#define IFA_ANY_MTU 0xffffffffu

static inline rocecc_status ifa_find_in(const rocecc_domain *d, rocecc_reader r,
                                        rocecc_ifa *h)
{
    rocecc_packet p;
    (void)rocecc_packet_parse(d, r, &p);
    return rocecc_ifa_find(&p, h);
}

/* Arguments of the plans. */
typedef struct ifa_change {
    rocecc_ifa_node node;
    rocecc_ifa_source source;
    uint32_t mtu_bytes;
} ifa_change;

static inline rocecc_edit_verdict ifa_make_push(const rocecc_packet *p, const void *arg,
                                                rocecc_edit *e)
{
    const ifa_change *what = (const ifa_change *)arg;
    return rocecc_ifa_push(p, &what->node, what->mtu_bytes, e);
}

static inline rocecc_edit_verdict ifa_make_strip(const rocecc_packet *p,
                                                 const void *arg, rocecc_edit *e)
{
    (void)arg;
    return rocecc_ifa_strip(p, e);
}

static inline rocecc_edit_verdict ifa_make_insert(const rocecc_packet *p,
                                                  const void *arg, rocecc_edit *e)
{
    const ifa_change *what = (const ifa_change *)arg;
    return rocecc_ifa_insert(p, &what->source, what->mtu_bytes, e);
}

static inline ifa_change ifa_change_of(uint32_t mtu_bytes)
{
    ifa_change what;
    memset(&what, 0, sizeof what);
    what.node = law_ifa_a_node();
    what.source.header.version = ROCECC_IFA_VERSION;
    what.source.header.gns = ROCECC_IFA_GNS_NONE;
    what.source.header.flags = ROCECC_IFA_FLAG_I;
    what.source.header.max_length = 255;
    what.mtu_bytes = mtu_bytes;
    return what;
}

#endif /* TESTS_LIB_IFA_H */
