/* SPDX-License-Identifier: BSD-2-Clause */

/* find() and admit() in one: too long. The second loads. */
#include "../bpf.h"
#include "rocecc/role/reaction_point.h"

rocecc_frame f; /* in a map: too much for the stack of BPF */
rocecc_reaction_point s;
rocecc_reaction_config config;
rocecc_acl_entry entries[2];

__attribute__((noinline)) int step(struct xdp_md *x, const rocecc_reaction_config *c,
                                   rocecc_reaction_point *to, const rocecc_frame *at)
{
    const rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_acl access = {NULL, 2, 2};
    rocecc_reaction out;
    if (c == NULL || to == NULL || at == NULL) return 0;
    access.entries = entries;
    rocecc_reaction_point_step(c, &access, to, r, at, ROCECC_PEER_UNKNOWN, 0, &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return step(x, &config, &s, &f);
}
