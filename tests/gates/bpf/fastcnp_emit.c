/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes the header with a trace over the packet, with any configuration. */
#include "bpf.h"
#include "rocecc/wire/fastcnp.h"

__attribute__((noinline)) int emit(struct xdp_md *x, const rocecc_fastcnp_config *c,
                                   const rocecc_ip6 *dst, uint32_t at)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_fastcnp h;
    if (c == NULL || dst == NULL || rocecc_take(&r, at & 0xff) == NULL) return 0;
    h.kind = ROCECC_FASTCNP_IOAM;
    h.flow_dst = *dst;
    h.reserved = h.opt_type = 0;
    h.trace_bytes = (uint16_t)rocecc_left(&r);
    h.trace_at = (uint32_t)r.at;
    h.at = 0;
    return (int)rocecc_fastcnp_emit(&w, c, &h, r);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_fastcnp_config c = {0, ROCECC_FASTCNP_LAB_IOAM, 0, false, false};
    const rocecc_ip6 dst = {{0}};
    return emit(x, &c, &dst, 100);
}
