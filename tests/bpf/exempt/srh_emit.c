/* SPDX-License-Identifier: BSD-2-Clause */

/* Up to 2,040 bytes of segments and TLVs, copied byte by byte: too long a path. */
#include "../bpf.h"
#include "rocecc/wire/srv6.h"

ROCECC_FN uint32_t emit_srh(rocecc_reader r)
{
    rocecc_writer w = rocecc_writer_of((void *)r.base, (void *)r.limit);
    rocecc_srh h;
    if (rocecc_srh_parse(&r, &h) != ROCECC_OK) return 0;
    return (uint32_t)rocecc_srh_emit(&w, &h);
}

BPF_LAW(emit_srh)
