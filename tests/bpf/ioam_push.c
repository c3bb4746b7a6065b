/* SPDX-License-Identifier: BSD-2-Clause */

/* A node on the path that makes an incremental trace longer: the plan and the push. */
#include "bpf.h"
#include "rocecc/wire/ioam.h"

rocecc_ioam_node node; /* in a map */
rocecc_ioam_config c;
rocecc_ioam_plan plan;

__attribute__((noinline)) int push_plan(struct xdp_md *x)
{
    const rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    plan = rocecc_ioam_plan_push(&c, r, 1500, &node, rocecc_between(r, 0, 0));
    return plan.verdict;
}

__attribute__((noinline)) int push(struct xdp_md *x)
{
    const rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    return (int)rocecc_ioam_push(&c, w, &plan, &node, rocecc_between(r, 0, 0));
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return push_plan(x) + push(x);
}
