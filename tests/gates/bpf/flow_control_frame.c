/* SPDX-License-Identifier: BSD-2-Clause */

/* Reads the algorithm's traffic values and the ARN from a packet. */
#include "bpf.h"
#include "rocecc/role/flow_control.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_flow_control_config c; /* in maps */
rocecc_pause_traffic traffic;

__attribute__((noinline)) int frame(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)rocecc_flow_control_traffic(&c, &p, 1, 2, &traffic);
}

__attribute__((noinline)) int find(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_arn h;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)rocecc_arn_find(&p, &h);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return frame(x) + find(x);
}
#endif
