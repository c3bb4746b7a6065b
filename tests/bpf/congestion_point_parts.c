/* SPDX-License-Identifier: BSD-2-Clause */

/* What a step takes from a packet, part by part: a step keeps more on its stack than
 * BPF has. */
#include "bpf.h"
#include "rocecc/role/congestion_point.h"

rocecc_congestion_config c; /* in a map */
rocecc_congestion_event e;

static __attribute__((always_inline)) rocecc_reader packet(const struct xdp_md *x)
{
    return rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
}

__attribute__((noinline)) int
cnp(struct xdp_md *x, const rocecc_congestion_config *config, const rocecc_frame *f)
{
    rocecc_cnp h;
    if (config == NULL || f == NULL) return 0;
    return (int)rocecc_congestion_cnp_(config, packet(x), f, &h);
}

__attribute__((noinline)) int
option(struct xdp_md *x, const rocecc_congestion_config *config, const rocecc_frame *f)
{
    rocecc_fastcnp h;
    if (config == NULL || f == NULL) return 0;
    return (int)rocecc_congestion_option_(config, packet(x), f, &h);
}

__attribute__((noinline)) int sampled(struct xdp_md *x,
                                      const rocecc_congestion_config *config,
                                      const rocecc_frame *f, rocecc_flow *flow)
{
    if (config == NULL || f == NULL || flow == NULL) return 0;
    return (int)rocecc_congestion_sampled_(config, packet(x), f, flow);
}

__attribute__((noinline)) int cnm(struct xdp_md *x,
                                  const rocecc_congestion_config *config,
                                  const rocecc_frame *f,
                                  const rocecc_congestion_event *event)
{
    if (config == NULL || f == NULL || event == NULL) return 0;
    return rocecc_congestion_cnm_(config, packet(x), f, event).q_offset;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    rocecc_frame f = {0};
    rocecc_flow flow = {0};
    return cnp(x, &c, &f) + option(x, &c, &f) + sampled(x, &c, &f, &flow) +
           cnm(x, &c, &f, &e);
}
