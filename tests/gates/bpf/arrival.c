/* SPDX-License-Identifier: BSD-2-Clause */

/* Checks whether a parsed packet may end here, at each kind of node. */
#include "bpf.h"
#include "law/arrival.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_arrival_config node; /* in a map */

__attribute__((noinline)) int check(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_icmp_error error;
    rocecc_arrival_verdict verdict;
    if (is_empty(x)) return 0;
    p = attached(x);
    verdict = rocecc_arrival_check(&node, &p, &p.headers.ip, &error);
    return (int)law_arrival_digest(verdict, &error);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest = LAW_START, i;
    if (is_empty(x)) return 0;
    domain = law_arrival_domain(packet(x));
    (void)walk(x);
    for (i = 0; i < LAW_ARRIVAL_NODES; i++) {
        node = law_arrival_node(i);
        digest = law_mix(digest, (uint32_t)check(x));
    }
    return (int)digest;
}
#else
BPF_LAW(law_arrival_nodes)
#endif
