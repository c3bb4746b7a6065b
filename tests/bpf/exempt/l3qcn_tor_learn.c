/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * A flow, where it comes from and where in the table: the table is reached by a pointer
 * that is kept in memory, and the verifier does not follow such a one.
 */
#include "../bpf.h"
#include "rocecc/role/l3qcn_tor.h"

#if defined(__bpf__)
#include "../kept.h"

rocecc_l3qcn_tor_config config; /* in maps */
rocecc_l3qcn_tor tor;

__attribute__((noinline)) int learn(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return rocecc_l3qcn_tor_learn(&config, &tor, &p, 1, 0).what;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return learn(x);
}
#endif
