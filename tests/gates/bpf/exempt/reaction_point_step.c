/* SPDX-License-Identifier: BSD-2-Clause */

/* Runs find() and admit() as one program, which is too long. admit() alone loads. */
#include "../bpf.h"
#include "rocecc/role/reaction_point.h"

#if defined(__bpf__)
#include "../kept.h"

rocecc_reaction_point s; /* in maps */
rocecc_reaction_config config;
rocecc_acl_entry entries[2];

__attribute__((noinline)) int step(struct xdp_md *x)
{
    rocecc_acl access = {NULL, 2, 2};
    rocecc_reaction_event e = {{0, NULL, NULL, NULL, 0}, ROCECC_REACTION_PEER_UNKNOWN};
    rocecc_reaction_result out;
    rocecc_packet p;
    if (is_empty(x)) return 0;
    access.entries = entries;
    e.admission.list = &access;
    p = attached(x);
    rocecc_reaction_point_step(&config, &s, &p, &e, &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return step(x);
}
#endif
