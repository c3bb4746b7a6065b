/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/ioam.h"

#if defined(__bpf__)
/* The verifier checks these functions only once. */
static __attribute__((always_inline)) rocecc_reader packet(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    const uint8_t *b = rocecc_take(&r, 14);
    if (b == NULL) return r;
    return rocecc_reader_of(b + 14, (void *)(long)x->data_end);
}

__attribute__((noinline)) int trace(struct xdp_md *x)
{
    return (int)law_ioam_trace(packet(x));
}

__attribute__((noinline)) int view(struct xdp_md *x, int kind, law_ioam_walk *walk)
{
    if (walk == NULL) return 0;
    return (int)law_ioam_view(packet(x), (uint8_t)kind, walk);
}

__attribute__((noinline)) int node(struct xdp_md *x, law_ioam_walk *walk)
{
    if (walk == NULL) return 0;
    return (int)law_ioam_node(packet(x), walk);
}

__attribute__((noinline)) int others(struct xdp_md *x, uint32_t digest)
{
    digest = law_mix(digest, law_ioam_dex(packet(x)));
    return (int)law_mix(digest, law_ioam_e2e(packet(x)));
}

__attribute__((noinline)) int proof(struct xdp_md *x, uint32_t digest)
{
    return (int)law_mix(digest, law_ioam_pot(packet(x)));
}

__attribute__((noinline)) int option(struct xdp_md *x, int type, law_ioam_walk *walk)
{
    if (walk == NULL) return 0;
    return (int)law_ioam_option(packet(x), (uint8_t)type, walk);
}

__attribute__((noinline)) int find(struct xdp_md *x)
{
    return (int)law_ioam_find(packet(x));
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    law_ioam_walk walk = {0, 0, 0, 0};
    uint32_t digest = (uint32_t)trace(x);
    int kind, i;
    for (kind = 0; kind < 2; kind++) {
        digest = law_mix(digest, (uint32_t)view(x, kind, &walk));
        for (i = 0; i < LAW_IOAM_WALK; i++)
            digest = law_mix(digest, (uint32_t)node(x, &walk));
    }
    digest = (uint32_t)others(x, digest);
    digest = (uint32_t)proof(x, digest);
    for (i = 0; i < 4; i++) {
        if (i % 2 == 0) walk.at = 0;
        digest = law_mix(digest, (uint32_t)option(x, i < 2 ? 0x31 : 0x11, &walk));
    }
    return (int)law_mix(digest, (uint32_t)find(x));
}
#else
BPF_LAW(law_ioam)
#endif
