/* SPDX-License-Identifier: BSD-2-Clause */

/* A push into the gap that any plan names. */
#include "bpf.h"
#include "rocecc/wire/intmd.h"

rocecc_intmd_config config; /* in maps */
rocecc_intmd_plan plan;

__attribute__((noinline)) int push(struct xdp_md *x, const rocecc_intmd_config *c,
                                   const rocecc_intmd_plan *p)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_intmd_node n = {0};
    if (c == NULL || p == NULL || rocecc_put(&w, 14) == NULL) return 0;
    n.present = ROCECC_INTMD_NODE_ID | ROCECC_INTMD_QUEUE;
    n.node_id = 1;
    n.queue_occupancy = 1000;
    n.reserved = n.ds = rocecc_written(&w);
    n.reserved.at = n.ds.at = n.reserved.end;
    return (int)rocecc_intmd_push(c, w, p, &n);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return push(x, &config, &plan);
}
