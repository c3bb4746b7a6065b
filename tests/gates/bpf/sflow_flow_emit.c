/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes the packet's flow sample over the packet. */
#include "bpf.h"
#include "rocecc/wire/sflow.h"

ROCECC_FN uint32_t emit_flow(rocecc_reader r)
{
    rocecc_writer w = rocecc_writer_of((void *)r.base, (void *)r.limit);
    rocecc_sflow_record sample = {0, ROCECC_SFLOW_FLOW_SAMPLE, r};
    rocecc_sflow_flow flow;
    if (rocecc_sflow_flow_parse(&sample, &flow) != ROCECC_OK) return 0;
    return (uint32_t)rocecc_sflow_flow_emit(&w, &flow);
}

BPF_LAW(emit_flow)
