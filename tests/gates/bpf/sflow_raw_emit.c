/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes the packet's raw header over the packet. */
#include "bpf.h"
#include "rocecc/wire/sflow.h"

ROCECC_FN uint32_t emit_raw(rocecc_reader r)
{
    rocecc_writer w = rocecc_writer_of((void *)r.base, (void *)r.limit);
    rocecc_sflow_record record = {0, ROCECC_SFLOW_RAW_HEADER, r};
    rocecc_sflow_raw raw;
    if (rocecc_sflow_raw_parse(&record, &raw) != ROCECC_OK) return 0;
    return (uint32_t)rocecc_sflow_raw_emit(&w, &raw);
}

BPF_LAW(emit_raw)
