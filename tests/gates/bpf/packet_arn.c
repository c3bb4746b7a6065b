/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes a whole ARN packet with a notice over the packet. */
#include "bpf.h"
#include "rocecc/role/flow_control.h"

rocecc_arn_config c; /* in maps */
rocecc_datagram d;
rocecc_pause_notice notice;

__attribute__((noinline)) int build(struct xdp_md *x, const rocecc_pause_notice *m)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    return m == NULL ? 0 : (int)rocecc_flow_control_arn_build(&w, &c, &d, m);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    if (rocecc_arn_init(&c) != ROCECC_ARN_ACCEPTED) return 0;
    d = rocecc_arn_datagram(&c, 7);
    return build(x, &notice);
}
