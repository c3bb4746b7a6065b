/* SPDX-License-Identifier: BSD-2-Clause */

/* What a step takes from a packet, part by part: a step keeps more on its stack than
 * BPF has. */
#include "bpf.h"
#include "rocecc/role/congestion_point.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_congestion_config c; /* in maps */
rocecc_congestion_event e;
rocecc_flow flow;

__attribute__((noinline)) int cnp(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_cnp h;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)rocecc_congestion_cnp_(&c, &p, &h);
}

__attribute__((noinline)) int option(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_fastcnp h;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)rocecc_congestion_option_(&c, &p, &h);
}

__attribute__((noinline)) int sampled(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)rocecc_congestion_sampled_(&p, &flow);
}

__attribute__((noinline)) int cnm(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return rocecc_congestion_cnm_(&c, &p, &e).q_offset;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return cnp(x) + option(x) + sampled(x) + cnm(x);
}
#endif
