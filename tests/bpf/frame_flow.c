/* SPDX-License-Identifier: BSD-2-Clause */

/* The 5-tuples of a frame that was located before, wherever its headers are. */
#include "bpf.h"
#include "rocecc/wire/frame.h"

static __attribute__((always_inline)) rocecc_reader packet(const struct xdp_md *x)
{
    return rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
}

__attribute__((noinline)) int inner(struct xdp_md *x, const rocecc_frame *f,
                                    rocecc_flow *flow)
{
    if (f == NULL || flow == NULL) return 0;
    return (int)rocecc_frame_flow(packet(x), f, flow);
}

__attribute__((noinline)) int outer(struct xdp_md *x, const rocecc_frame *f,
                                    rocecc_flow *flow)
{
    if (f == NULL || flow == NULL) return 0;
    return (int)rocecc_frame_outer_flow(packet(x), f, flow);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    rocecc_frame f = {0};
    rocecc_flow a = {0}, b = {0};
    const int status = inner(x, &f, &a) + outer(x, &f, &b);
    return status + rocecc_flow_match(&a, &b) + rocecc_flow_has_ports(a.proto);
}
