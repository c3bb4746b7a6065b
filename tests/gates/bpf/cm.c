/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/cm.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int parse(struct xdp_md *x)
{
    rocecc_cm h = {0, 0, 0, 0, 0};
    rocecc_status status;
    if (is_empty(x)) return 0;
    domain = law_packet_plain(packet(x));
    return (int)law_cm_parse(packet(x), &status, &h);
}

__attribute__((noinline)) int find(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_cm_packet(&p);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest;
    if (is_empty(x)) return 0;
    digest = (uint32_t)parse(x);
    digest = law_mix(digest, (uint32_t)walk(x));
    return (int)law_mix(digest, (uint32_t)find(x));
}
#else
BPF_LAW(law_cm)
#endif
