/* SPDX-License-Identifier: BSD-2-Clause */

/* Writes over the packet an error that quotes the packet's bytes from offset 8 on. */
#include "bpf.h"
#include "rocecc/wire/icmp.h"

ROCECC_FN uint32_t emit_error(rocecc_reader r)
{
    rocecc_writer w = rocecc_writer_of((void *)r.base, (void *)r.limit);
    rocecc_icmp_message h = {4, 0, 0, 0, r};
    if (rocecc_take(&h.packet, ROCECC_ICMP_ERROR_BYTES) == NULL) return 0;
    return (uint32_t)rocecc_icmp_message_emit(&w, &h);
}

BPF_LAW(emit_error)
