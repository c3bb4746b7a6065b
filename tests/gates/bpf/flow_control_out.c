/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes the algorithm's notice over the packet. */
#include "bpf.h"
#include "rocecc/role/flow_control.h"

rocecc_arn_config c; /* in maps */
rocecc_flow_control_config own;
rocecc_domain domain;
rocecc_pause_params p;
rocecc_pause_traffic traffic;
rocecc_pause_result act;
rocecc_pause_notice notice;

__attribute__((noinline)) int arn(struct xdp_md *x, const rocecc_pause_notice *m)
{
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    return m == NULL ? 0 : (int)rocecc_flow_control_arn_emit(&w, &c, m);
}

__attribute__((noinline)) int pfc(struct xdp_md *x, const rocecc_pause_notice *m)
{
    const rocecc_mac src = {{2, 0, 0, 0, 0, 1}};
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    return m == NULL ? 0 : (int)rocecc_flow_control_pfc_build(&w, &src, 1, m);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    if (rocecc_flow_control_init(&own, &domain) != ROCECC_FLOW_CONTROL_ACCEPTED)
        return 0;
    notice = rocecc_flow_control_ask(&p, &act, &traffic);
    return act.pfc ? pfc(x, &notice) : arn(x, &notice);
}
