/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes the packet's message over the packet. */
#include "bpf.h"
#include "rocecc/wire/cm.h"

ROCECC_FN uint32_t emit_cm(rocecc_reader r)
{
    rocecc_writer w = rocecc_writer_of((void *)r.base, (void *)r.limit);
    rocecc_cm h = {0, 0, 0, 0, 0};
    if (rocecc_cm_parse(&r, &h) != ROCECC_OK) return 0;
    return (uint32_t)rocecc_cm_emit(&w, &h);
}

BPF_LAW(emit_cm)
