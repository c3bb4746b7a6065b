/* SPDX-License-Identifier: BSD-2-Clause */

/* Parses like packet_parse.c, but from a header of a known type on. */
#include "bpf.h"
#include "law/packet.h"

#if defined(__bpf__)
rocecc_domain domain;

__attribute__((noinline)) int by_type(struct xdp_md *x)
{
    rocecc_packet p;
    return (int)rocecc_packet_parse_as(
               &domain,
               rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end),
               ROCECC_TYPE_IPV6, &p) +
           p.headers.bth;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return by_type(x);
}
#endif
