/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/srv6.h"

#if defined(__bpf__)
/* Functions of their own, which the verifier reads once: locate() leaves many states.
 */
static __attribute__((always_inline)) rocecc_reader packet(struct xdp_md *x)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    const uint8_t *b = rocecc_take(&r, 14);
    if (b == NULL) return r;
    return rocecc_reader_of(b + 14, (void *)(long)x->data_end);
}

__attribute__((noinline)) int header(struct xdp_md *x, bool *match)
{
    if (match == NULL) return 0;
    return (int)law_srh(packet(x), match);
}

__attribute__((noinline)) int locate(struct xdp_md *x, rocecc_frame *f)
{
    const rocecc_reader r = packet(x);
    const rocecc_frame_config config = law_frame_config(r);
    if (f == NULL) return 0;
    return (int)rocecc_frame_locate(&config, r, f);
}

__attribute__((noinline)) int parse(struct xdp_md *x, rocecc_frame *f, bool *tunnel)
{
    if (f == NULL || tunnel == NULL) return 0;
    return (int)law_srv6_parse(packet(x), f, tunnel);
}

__attribute__((noinline)) int end(struct xdp_md *x, rocecc_frame *f, int tunnel)
{
    if (f == NULL) return 0;
    return (int)law_srv6_end(packet(x), f, tunnel != 0);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    rocecc_frame f = {0};
    bool match = true, tunnel = false;
    uint32_t digest = (uint32_t)header(x, &match);
    if (match) return (int)digest;
    digest = law_mix(digest, (uint32_t)locate(x, &f));
    digest = law_mix(digest, (uint32_t)parse(x, &f, &tunnel));
    return (int)law_mix(digest, (uint32_t)end(x, &f, tunnel));
}
#else
BPF_LAW(law_srv6)
#endif
