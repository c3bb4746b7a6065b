/* SPDX-License-Identifier: BSD-2-Clause */

/* Runs find() as one program, which is too long. Its three parts load (arn_gate.c). */
#include "../bpf.h"
#include "law/arn_gate.h"

#if defined(__bpf__)
#include "../kept.h"

rocecc_arn_gate_config config; /* in maps */
rocecc_arn_gate_result out;

__attribute__((noinline)) int find(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_arn_gate_find(&config, &p, &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return find(x);
}
#endif
