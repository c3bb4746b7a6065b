/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_BPF_KEPT_H
#define TESTS_BPF_KEPT_H

/*
 * kept.h - how a program keeps a packet: its `where` and its domain, which have no
 * pointer, in maps; and the packet is attached anew in each function, which the
 * verifier reads once. Such a function is verified for any `where`, and not once for
 * each way that the walk has through a packet.
 */
#include "packet.h"
#include "rocecc/packet/packet.h"

rocecc_domain domain;
rocecc_headers where;

static __attribute__((always_inline)) rocecc_packet attached(const struct xdp_md *x)
{
    return rocecc_packet_attach(&domain, packet(x), &where);
}

/* By the domain as it is. */
__attribute__((noinline)) int walk(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    return (int)rocecc_headers_parse(&domain, packet(x), &where);
}

#endif /* TESTS_BPF_KEPT_H */
