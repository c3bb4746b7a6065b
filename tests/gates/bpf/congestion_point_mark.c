/* SPDX-License-Identifier: BSD-2-Clause */

/* What a node does to a packet in place, and what it hears about an option. */
#include "bpf.h"
#include "rocecc/role/congestion_point.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int mark(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return rocecc_congestion_point_mark(
        &p, rocecc_writer_of((uint8_t *)(long)x->data + 14, (void *)(long)x->data_end));
}

__attribute__((noinline)) int unknown(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_icmp6_problem problem;
    if (rocecc_icmp6_problem_parse(&r, &problem) != ROCECC_OK) return 0;
    return rocecc_congestion_point_rejects_fastcnp(&domain.fastcnp, &problem);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    domain.fastcnp.type_plain = ROCECC_FASTCNP_LAB_PLAIN;
    domain.fastcnp.type_ioam = ROCECC_FASTCNP_LAB_IOAM;
    (void)walk(x);
    return mark(x) + unknown(x);
}
#endif
