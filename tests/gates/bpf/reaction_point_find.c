/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Classifies a packet by its bytes, in four functions. A single function is too long.
 */
#if defined(__bpf__)
#define ROCECC_IP6OPT_MAX 3 /* as in the programs of examples/ */
#endif
#include "bpf.h"
#include "rocecc/role/reaction_point.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_reaction_config config; /* in maps */
rocecc_reaction_result out;

__attribute__((noinline)) int find_tunnel(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_reaction_point_find_tunnel(&config, &p, &out);
    return out.verdict;
}

__attribute__((noinline)) int find_host(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_reaction_point_find_host(&config, &p, &out);
    return out.verdict;
}

__attribute__((noinline)) int find_option(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_reaction_point_find_option(&config, &p, &out);
    return out.verdict;
}

__attribute__((noinline)) int find_cnp(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_reaction_point_find_cnp(&p, &out);
    return rocecc_reaction_needs_action(out.verdict);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    (void)find_tunnel(x);
    (void)find_host(x);
    (void)find_option(x);
    return find_cnp(x);
}
#endif
