/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_BPF_KEPT_H
#define TESTS_BPF_KEPT_H

/*
 * kept.h - keeps a packet in maps. Its `where` and its domain have no pointers, so they
 * can be in maps. Each function attaches the packet again. The verifier then checks the
 * function once for any `where`, and not once per path of the walk.
 */
#include "packet.h"
#include "rocecc/packet/packet.h"

rocecc_domain domain;
rocecc_headers where;

static __attribute__((always_inline)) rocecc_packet attached(const struct xdp_md *x)
{
    return rocecc_packet_attach(&domain, packet(x), &where);
}

/* Parses the packet's headers in the domain. */
__attribute__((noinline)) int walk(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    return (int)rocecc_headers_parse(&domain, packet(x), &where);
}

#endif /* TESTS_BPF_KEPT_H */
