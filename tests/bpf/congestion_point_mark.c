/* SPDX-License-Identifier: BSD-2-Clause */

/* What a node does to a packet in place, and what it hears about an option. */
#include "bpf.h"
#include "rocecc/role/congestion_point.h"

__attribute__((noinline)) int mark(struct xdp_md *x, const rocecc_frame *f)
{
    if (f == NULL) return 0;
    return rocecc_congestion_point_mark(
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end), f);
}

__attribute__((noinline)) int unknown(struct xdp_md *x, const rocecc_fastcnp_config *c)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_icmp6_problem problem;
    if (c == NULL || rocecc_icmp6_problem_parse(&r, &problem) != ROCECC_OK) return 0;
    return rocecc_congestion_point_unknown(c, &problem);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_fastcnp_config c = {ROCECC_FASTCNP_LAB_PLAIN, ROCECC_FASTCNP_LAB_IOAM,
                                     ROCECC_FASTCNP_FORM_A, false, false};
    rocecc_frame f = {0};
    return mark(x, &f) + unknown(x, &c);
}
