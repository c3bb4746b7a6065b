/* SPDX-License-Identifier: BSD-2-Clause */

/* The options of two headers, and the CNP around them: too long. Its parts load. */
#include "../bpf.h"
#include "rocecc/role/reaction_point.h"

rocecc_frame f; /* in a map: too much for the stack of BPF */
rocecc_reaction out;
rocecc_reaction_config config;

__attribute__((noinline)) int find(struct xdp_md *x, const rocecc_reaction_config *c,
                                   const rocecc_frame *at, rocecc_reaction *to)
{
    const rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    if (c == NULL || at == NULL || to == NULL) return 0;
    rocecc_reaction_point_find(c, r, at, to);
    return to->verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return find(x, &config, &f, &out);
}
