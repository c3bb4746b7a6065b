/* SPDX-License-Identifier: BSD-2-Clause */

/* A Parameter Problem of the packet, written over it. */
#include "bpf.h"
#include "rocecc/wire/icmp6.h"

ROCECC_FN uint32_t emit_problem(rocecc_reader r)
{
    rocecc_writer w = rocecc_writer_of((void *)r.base, (void *)r.limit);
    rocecc_icmp6_problem h = {0, 0, 0, r};
    if (rocecc_take(&h.packet, ROCECC_ICMP6_PROBLEM_BYTES) == NULL) return 0;
    return (uint32_t)rocecc_icmp6_problem_emit(&w, &h);
}

BPF_LAW(emit_problem)
