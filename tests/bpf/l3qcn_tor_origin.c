/* SPDX-License-Identifier: BSD-2-Clause */

/* Where a flow comes from, into maps. */
#include "bpf.h"
#include "rocecc/role/l3qcn_tor.h"

rocecc_l3qcn_tor_config c;
rocecc_flowtable_origin origin;
rocecc_flow flow;

__attribute__((noinline)) int origin_of(struct xdp_md *x, const rocecc_frame *f,
                                        rocecc_flow *to, rocecc_flowtable_origin *o)
{
    const rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    if (f == NULL || to == NULL || o == NULL) return 0;
    return (int)rocecc_l3qcn_tor_origin_(&c, r, f, 1, to, o);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    rocecc_frame f = {0};
    return origin_of(x, &f, &flow, &origin);
}
