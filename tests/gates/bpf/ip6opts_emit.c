/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes whole headers with up to 2,046 bytes of options. The law has shorter ones. */
#include "bpf.h"
#include "rocecc/wire/ip6opt.h"

ROCECC_FN uint32_t emit_header(rocecc_reader r)
{
    rocecc_writer w = rocecc_writer_of((void *)r.base, (void *)r.limit);
    rocecc_ip6opts h;
    if (rocecc_ip6opts_parse(&r, &h) != ROCECC_OK) return 0;
    return (uint32_t)rocecc_ip6opts_emit(&w, &h);
}

BPF_LAW(emit_header)
