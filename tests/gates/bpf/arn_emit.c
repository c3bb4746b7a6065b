/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes an ARN with any parameters, configuration and rest over the packet. */
#include "bpf.h"
#include "rocecc/wire/arn.h"

/* Returns the tuple's length. The verifier checks this function once for all calls. */
__attribute__((noinline)) int width(const rocecc_arn_config *c, const rocecc_flow *flow)
{
    return c == NULL || flow == NULL ? 0 : rocecc_arn_tuple_bytes(c, flow);
}

__attribute__((noinline)) int emit(struct xdp_md *x, const rocecc_arn_config *c,
                                   const rocecc_flow *flow, uint32_t at)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_arn h;
    if (c == NULL || flow == NULL || rocecc_take(&r, at & 0xff) == NULL) return 0;
    h = rocecc_arn_default(c, ROCECC_ARN_CONGESTION_DETECTED, at >> 8 & 0xff);
    h.flow = *flow;
    h.tuple_bytes = (uint8_t)width(c, flow);
    h.priority = at >> 16 & 0xf;
    h.time = at;
    h.rest = r;
    return (int)rocecc_arn_emit(&w, c, &h);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_arn_config c = {0, 0, 0, 0, 0, 0, 0, false};
    const rocecc_flow flow = {{{0}}, {{0}}, 0, 0, 0};
    return emit(x, &c, &flow, 0x0f64);
}
