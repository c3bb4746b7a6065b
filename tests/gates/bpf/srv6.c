/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/srv6.h"

#if defined(__bpf__)
#include "kept.h"

bool match, tunnel; /* in maps */

__attribute__((noinline)) int header(struct xdp_md *x)
{
    bool is = true;
    uint32_t digest;
    if (is_empty(x)) return 0;
    digest = law_srh(packet(x), &is);
    match = is;
    return (int)digest;
}

__attribute__((noinline)) int parse(struct xdp_md *x)
{
    bool is = false;
    rocecc_packet p;
    uint32_t digest;
    if (is_empty(x)) return 0;
    p = attached(x);
    digest = law_srv6_parse(&p, &is);
    tunnel = is;
    return (int)digest;
}

__attribute__((noinline)) int end(struct xdp_md *x, int inside)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_srv6_end(&p, inside != 0);
}

__attribute__((noinline)) int agree(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    domain = law_packet_plain(packet(x));
    return 1;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest;
    if (agree(x) == 0) return 0;
    digest = (uint32_t)header(x);
    if (match) return (int)digest;
    digest = law_mix(digest, (uint32_t)walk(x));
    digest = law_mix(digest, (uint32_t)parse(x));
    return (int)law_mix(digest, (uint32_t)end(x, tunnel));
}
#else
BPF_LAW(law_srv6)
#endif
