/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/intmd.h"

#if defined(__bpf__)
#include "packet.h"

/*
 * Each function attaches the packet from these maps, so that the verifier checks each
 * function only once.
 */
rocecc_domain domain;
rocecc_headers where;

static __attribute__((always_inline)) rocecc_packet attached(const struct xdp_md *x)
{
    return rocecc_packet_attach(&domain, packet(x), &where);
}

__attribute__((noinline)) int shims(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    return (int)law_intmd_shims(packet(x));
}

__attribute__((noinline)) int body(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    return (int)law_intmd_body(&domain.intmd, law_intmd_body_of(packet(x)));
}

__attribute__((noinline)) int node(struct xdp_md *x, unsigned k)
{
    if (is_empty(x)) return 0;
    return (int)law_intmd_nth(&domain.intmd, law_intmd_body_of(packet(x)), k);
}

__attribute__((noinline)) int walk(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    domain = law_intmd_domain(0);
    return (int)rocecc_headers_parse(&domain, packet(x), &where);
}

__attribute__((noinline)) int find(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_intmd_find(&p, 0);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest;
    unsigned k;
    if (is_empty(x)) return 0;
    (void)walk(x);
    digest = (uint32_t)shims(x);
    digest = law_mix(digest, (uint32_t)body(x));
    for (k = 0; k < LAW_INTMD_NODES; k++)
        digest = law_mix(digest, (uint32_t)node(x, k));
    return (int)law_mix(digest, (uint32_t)find(x));
}
#else
BPF_LAW(law_intmd_read)
#endif
