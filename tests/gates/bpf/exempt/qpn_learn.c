/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Runs find() and the table in one program, which the verifier refuses. qpn.c has
 * find(), and qpnlearner.c has the table.
 */
#include "../bpf.h"
#include "rocecc/role/qpn.h"

#if defined(__bpf__)
#include "../kept.h"

rocecc_qpnlearner_params params; /* in maps */
rocecc_qpnlearner_slot half[16], known[16];
rocecc_acl_entry entries[2];
rocecc_qpn state;

__attribute__((noinline)) int learn(struct xdp_md *x)
{
    rocecc_qpnlearner_params c = params;
    const rocecc_acl access = {entries, 2, 2};
    const rocecc_qpn_event e = {7, &access, half, known};
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    c.half = c.known = 16;
    return (int)rocecc_qpn_learn(&c, &state, &p, &e);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return learn(x);
}
#endif
