/* SPDX-License-Identifier: BSD-2-Clause */

/* Parses a packet onto the stack, which costs the verifier more than packet.c. */
#include "bpf.h"
#include "law/packet.h"

#if defined(__bpf__)
rocecc_domain domain;

__attribute__((noinline)) int by_domain(struct xdp_md *x)
{
    rocecc_packet p;
    return (int)rocecc_packet_parse(
               &domain,
               rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end), &p) +
           p.headers.bth;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return by_domain(x);
}
#endif
