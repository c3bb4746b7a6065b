/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Runs a whole step. A CNP, its option, its packet and its tunnel need more than the
 * 512 bytes of BPF's stack.
 */
#include "../bpf.h"
#include "rocecc/role/congestion_point.h"

#if defined(__bpf__)
#include "../kept.h"

rocecc_congestion_config config; /* in maps */
rocecc_congestion_point point;
rocecc_cnpgate gate;
rocecc_congestion_event event;

__attribute__((noinline)) int step(struct xdp_md *x)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    event.gate = &gate;
    return rocecc_congestion_point_step(&config, &point, &p, &event, &w).outputs;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return step(x);
}
#endif
