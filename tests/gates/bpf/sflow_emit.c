/* SPDX-License-Identifier: BSD-2-Clause */

/* Parses a datagram's header and its first sample, and writes them over the packet. */
#include "bpf.h"
#include "rocecc/wire/sflow.h"

ROCECC_FN uint32_t emit_sflow(rocecc_reader r)
{
    rocecc_writer w = rocecc_writer_of((void *)r.base, (void *)r.limit);
    rocecc_sflow h;
    rocecc_sflow_record sample;
    rocecc_status status;
    if (rocecc_sflow_parse(&r, &h) != ROCECC_OK) return 0;
    status = rocecc_sflow_emit(&w, &h);
    if (status != ROCECC_OK) return (uint32_t)status;
    if (rocecc_sflow_record_parse(&r, &sample) != ROCECC_OK) return 0;
    return (uint32_t)rocecc_sflow_record_emit(&w, &sample);
}

BPF_LAW(emit_sflow)
