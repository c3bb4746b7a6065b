/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Runs find() as one program. With the options of two headers and the CNP, it is too
 * long. Four functions load (tests/gates/bpf/reaction_point_find.c).
 */
#include "../bpf.h"
#include "rocecc/role/reaction_point.h"

#if defined(__bpf__)
#include "../kept.h"

rocecc_reaction_config config; /* in a map */

__attribute__((noinline)) int find(struct xdp_md *x)
{
    rocecc_reaction_result out;
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_reaction_point_find(&config, &p, &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return find(x);
}
#endif
