/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Runs learn(), with a slot in half[] and then a slot per direction in known[]. This
 * has too many paths and needs too much stack. qpnlearner.c has the parts.
 */
#include "../bpf.h"
#include "rocecc/guard/qpnlearner.h"

#if defined(__bpf__)
rocecc_qpnlearner_params params; /* in maps */
rocecc_qpnlearner_slot half[16], known[16];
rocecc_qpnlearner_message message;
uint64_t now;

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    rocecc_qpnlearner_params p = params;
    (void)x;
    p.half = p.known = 16;
    return (int)rocecc_qpnlearner_learn(&p, half, known, &message, now);
}
#endif
