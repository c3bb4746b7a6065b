/* SPDX-License-Identifier: BSD-2-Clause */

/* Sets CE in place if the packet is ECN-capable. */
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

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return mark(x);
}
#endif
