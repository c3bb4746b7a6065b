/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/intmd.h"

#if defined(__bpf__)
/* Functions of their own, which the verifier reads once. */
static __attribute__((always_inline)) rocecc_reader packet(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    const uint8_t *b = rocecc_take(&r, 14);
    if (b == NULL) return r;
    return rocecc_reader_of(b + 14, (void *)(long)x->data_end);
}

__attribute__((noinline)) int shims(struct xdp_md *x)
{
    return (int)law_intmd_shims(packet(x));
}

__attribute__((noinline)) int body(struct xdp_md *x, const rocecc_intmd_config *c)
{
    if (c == NULL) return 0;
    return (int)law_intmd_body(c, law_intmd_body_of(packet(x)));
}

__attribute__((noinline)) int node(struct xdp_md *x, const rocecc_intmd_config *c,
                                   unsigned k)
{
    if (c == NULL) return 0;
    return (int)law_intmd_nth(c, law_intmd_body_of(packet(x)), k);
}

__attribute__((noinline)) int find(struct xdp_md *x, const rocecc_intmd_config *c)
{
    if (c == NULL) return 0;
    return (int)law_intmd_find(c, packet(x));
}

__attribute__((noinline)) int plan(struct xdp_md *x, const rocecc_intmd_config *c)
{
    if (c == NULL) return 0;
    return (int)law_intmd_plan(c, packet(x), 1500);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_intmd_config c = law_intmd_config(0);
    uint32_t digest;
    unsigned k;
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    if (rocecc_take(&r, 14) == NULL) return 0;
    digest = (uint32_t)shims(x);
    digest = law_mix(digest, (uint32_t)body(x, &c));
    for (k = 0; k < LAW_INTMD_NODES; k++)
        digest = law_mix(digest, (uint32_t)node(x, &c, k));
    digest = law_mix(digest, (uint32_t)find(x, &c));
    return (int)law_mix(digest, (uint32_t)plan(x, &c));
}
#else
BPF_LAW(law_intmd)
#endif
