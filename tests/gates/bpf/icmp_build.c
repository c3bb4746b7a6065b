/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes an error about the packet over the packet. */
#include "bpf.h"
#include "rocecc/packet/icmp.h"

#if defined(__bpf__)
#include "packet.h"

rocecc_icmp_error error; /* in maps */
rocecc_icmp_node node;

__attribute__((noinline)) int build(struct xdp_md *x)
{
    rocecc_writer w;
    if (is_empty(x)) return 0;
    w = rocecc_writer_of((uint8_t *)(long)x->data + 14, (void *)(long)x->data_end);
    return (int)rocecc_icmp_build(&w, packet(x), &error, &node);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return build(x);
}
#endif
