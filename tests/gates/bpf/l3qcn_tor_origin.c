/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes a flow and its origin into a map. */
#include "bpf.h"
#include "rocecc/role/l3qcn_tor_learn.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_l3qcn_tor_config c;
rocecc_flowtable_entry came;

__attribute__((noinline)) int origin_of(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)rocecc_l3qcn_tor_read_origin_(&c, &p, 1, &came);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return origin_of(x);
}
#endif
