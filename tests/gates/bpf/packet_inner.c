/* SPDX-License-Identifier: BSD-2-Clause */

/* Replaces a packet on the stack with its inner packet. */
#include "bpf.h"
#include "law/packet.h"

#if defined(__bpf__)
rocecc_domain domain; /* in maps */
rocecc_headers where;

__attribute__((noinline)) int inside(struct xdp_md *x)
{
    rocecc_packet p = rocecc_packet_attach(
        &domain, rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end),
        &where);
    return (int)rocecc_packet_inner(&p, &p) + p.headers.bth;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return inside(x);
}
#endif
