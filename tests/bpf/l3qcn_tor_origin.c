/* SPDX-License-Identifier: BSD-2-Clause */

/* Where a flow comes from, into maps. */
#include "bpf.h"
#include "rocecc/role/l3qcn_tor.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_l3qcn_tor_config c;
rocecc_flowtable_origin origin;
rocecc_flow flow;

__attribute__((noinline)) int origin_of(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)rocecc_l3qcn_tor_origin_(&c, &p, 1, &flow, &origin);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return origin_of(x);
}
#endif
