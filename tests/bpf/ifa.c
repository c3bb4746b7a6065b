/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/ifa.h"

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

__attribute__((noinline)) int record(struct xdp_md *x)
{
    return (int)law_ifa_record(packet(x));
}

__attribute__((noinline)) int found(struct xdp_md *x)
{
    const rocecc_ifa_config c = law_ifa_lab();
    return (int)law_ifa_found(&c, packet(x));
}

__attribute__((noinline)) int push(struct xdp_md *x)
{
    const rocecc_ifa_config c = law_ifa_lab();
    return (int)law_ifa_push(&c, packet(x));
}

__attribute__((noinline)) int strip(struct xdp_md *x)
{
    const rocecc_ifa_config c = law_ifa_lab();
    return (int)law_ifa_strip(&c, packet(x));
}

__attribute__((noinline)) int insert(struct xdp_md *x)
{
    const rocecc_ifa_config c = law_ifa_lab();
    return (int)law_ifa_insert(&c, packet(x));
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest = (uint32_t)record(x);
    digest = law_mix(digest, (uint32_t)found(x));
    digest = law_mix(digest, (uint32_t)push(x));
    digest = law_mix(digest, (uint32_t)strip(x));
    return (int)law_mix(digest, (uint32_t)insert(x));
}
#else
BPF_LAW(law_ifa)
#endif
