/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Runs find() and admit() as one program, which is too long. The four functions in
 * arn_gate.c load.
 */
#include "../bpf.h"
#include "law/arn_gate.h"

#if defined(__bpf__)
#include "../kept.h"

rocecc_arn_gate_config config; /* in maps */
rocecc_arn_gate gate;
rocecc_arn_gate_result out;
rocecc_acl_entry entries[LAW_ARN_GATE_ENTRIES];

__attribute__((noinline)) int step(struct xdp_md *x)
{
    const rocecc_acl access = law_gate_acl(3, entries);
    const rocecc_admission_event e = {7, &access, NULL, NULL, 0};
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_arn_gate_step(&config, &gate, &p, &e, &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return step(x);
}
#endif
