/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes a whole ARN packet over the packet. */
#include "bpf.h"
#include "rocecc/packet/arn.h"

rocecc_arn_config c; /* in maps */
rocecc_datagram d;
rocecc_arn message;

__attribute__((noinline)) int build(struct xdp_md *x, const rocecc_datagram *to)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_arn h = rocecc_arn_default(&c, message.type, message.para_type);
    if (to == NULL) return 0;
    h.tuple_bytes = message.tuple_bytes;
    h.flow = message.flow;
    h.time = message.time;
    return (int)rocecc_arn_build(&w, &c, to, &h);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return build(x, &d);
}
