/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/ifa.h"

#if defined(__bpf__)
#include "packet.h"

/*
 * Each function attaches the packet from these maps, so that the verifier checks each
 * function only once.
 */
rocecc_domain domain;
rocecc_headers where;
rocecc_edit edit;

static __attribute__((always_inline)) rocecc_packet attached(const struct xdp_md *x)
{
    return rocecc_packet_attach(&domain, packet(x), &where);
}

__attribute__((noinline)) int record(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    return (int)law_ifa_record(packet(x));
}

__attribute__((noinline)) int walk(struct xdp_md *x, int choices)
{
    if (is_empty(x)) return 0;
    domain = choices ? law_ifa_choices() : law_ifa_domain();
    return (int)rocecc_headers_parse(&domain, packet(x), &where);
}

__attribute__((noinline)) int found(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_ifa_found(&p);
}

__attribute__((noinline)) int verified(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_ifa_verified(&p);
}

__attribute__((noinline)) int push(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_ifa_push(&p, 0, &edit);
}

__attribute__((noinline)) int strip(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_ifa_strip(&p, 0, &edit);
}

__attribute__((noinline)) int insert(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_ifa_insert(&p, 0, &edit);
}

static __attribute__((always_inline)) uint32_t in(struct xdp_md *x, int choices,
                                                  uint32_t digest)
{
    (void)walk(x, choices);
    digest = law_mix(digest, (uint32_t)found(x));
    digest = law_mix(digest, (uint32_t)verified(x));
    digest = law_mix(digest, (uint32_t)push(x));
    digest = law_mix(digest, (uint32_t)strip(x));
    return law_mix(digest, (uint32_t)insert(x));
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    return (int)in(x, 1, in(x, 0, (uint32_t)record(x)));
}
#else
BPF_LAW(law_ifa)
#endif
