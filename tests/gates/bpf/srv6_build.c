/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Writes the packet's SRH over the packet. Then writes a tunnel over the packet, with a
 * policy and an inner packet from the packet.
 */
#include "bpf.h"
#include "rocecc/wire/srv6.h"

__attribute__((noinline)) int emit(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_srh h;
    if (rocecc_srh_parse(&r, &h) != ROCECC_OK) return 0;
    return (int)rocecc_srh_emit(&w, &h);
}

__attribute__((noinline)) int build(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_ip6 src = {{0}};
    rocecc_reader policy;
    rocecc_srv6 h;
    const uint8_t *b = rocecc_take(&r, 1);
    if (b == NULL || !rocecc_split(&r, *b, &policy)) return 0;
    if (rocecc_srv6_init(&h, &src, policy, true) != ROCECC_OK) return 0;
    h.inner = r;
    return (int)rocecc_srv6_build(&w, &h);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return emit(x) + build(x);
}
