/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Writes a private CNM about the packet over the packet, with MSDU, header and both
 * checksums.
 */
#include "bpf.h"
#include "rocecc/wire/l3qcn.h"

rocecc_flow flow; /* in maps; only the reader must be on the stack */
rocecc_l3qcn_config c;
rocecc_l3qcn_outer o;

__attribute__((noinline)) int build(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_l3qcn h = {0};
    h.src = flow.src;
    h.dst = flow.dst;
    h.extension = rocecc_subrange(r, 0, 0);
    h.cnm.msdu = rocecc_cnm_msdu(&c.cnm, rocecc_subrange(r, 12, r.end), 64);
    flow = rocecc_l3qcn_flow(&h);
    return (int)rocecc_l3qcn_build(&w, &c, &o, &h);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    if (rocecc_l3qcn_init(&c) != ROCECC_OK) return 0;
    o = rocecc_l3qcn_outer_default(flow.src_port);
    return build(x);
}
