/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Starts a flow and checks whether its bpf_timer is due. The verifier refuses advance()
 * of dcqcn_timed.h (exempt/list). The flow and its parameters are in maps.
 */
#include "bpf.h"
#include "rocecc/algo/dcqcn_timed.h"

#if defined(__bpf__)
rocecc_dcqcn_params params;
rocecc_dcqcn_timed flow;
uint64_t now_ns;

__attribute__((noinline)) int start(void)
{
    flow = rocecc_dcqcn_timed_start(&params, now_ns);
    return 0;
}

__attribute__((noinline)) int due(void)
{
    return rocecc_dcqcn_timed_next_ns(&flow) <= now_ns;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)x;
    return start() + due();
}
#endif
