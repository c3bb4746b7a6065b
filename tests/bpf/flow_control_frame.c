/* SPDX-License-Identifier: BSD-2-Clause */

/* What a located packet is to the algorithm. */
#include "bpf.h"
#include "rocecc/role/flow_control.h"

rocecc_flow_control_config c; /* in a map, as is */
rocecc_pause_traffic traffic;

__attribute__((noinline)) int frame(struct xdp_md *x, const rocecc_frame *f)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    if (f == NULL) return 0;
    return (int)rocecc_flow_control_traffic(&c, r, f, 1, 2, &traffic);
}

__attribute__((noinline)) int find(struct xdp_md *x, const rocecc_frame *f)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_arn h;
    if (f == NULL || !rocecc_flow_control_match(&c, r, f)) return 0;
    return (int)rocecc_flow_control_find(&c, r, f, &h);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    rocecc_frame f = {0};
    return frame(x, &f) + find(x, &f);
}
