/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/l3qcn.h"

#if defined(__bpf__)
#include "packet.h"

/* Functions of their own, which the verifier reads once: locate() leaves many states.
 */
__attribute__((noinline)) int should(struct xdp_md *x, int bits)
{
    return is_empty(x) ? 0 : (int)law_l3qcn_should(packet(x), bits);
}

__attribute__((noinline)) int payload(struct xdp_md *x, int bits, int verdict)
{
    if (is_empty(x)) return 0;
    return (int)law_l3qcn_payload(packet(x), bits, (rocecc_l3qcn_verdict)verdict);
}

__attribute__((noinline)) int judge(struct xdp_md *x, const rocecc_frame *f, int bits)
{
    if (f == NULL || is_empty(x)) return 0;
    return (int)law_l3qcn_judge(packet(x), f, bits);
}

__attribute__((noinline)) int found(struct xdp_md *x, const rocecc_frame *f, int bits,
                                    int verdict)
{
    if (f == NULL || is_empty(x)) return 0;
    return (int)law_l3qcn_found(packet(x), f, bits, (rocecc_l3qcn_verdict)verdict);
}

__attribute__((noinline)) int verify(struct xdp_md *x, const rocecc_frame *f)
{
    if (f == NULL || is_empty(x)) return 0;
    return rocecc_l3qcn_verify(packet(x), f);
}

__attribute__((noinline)) int locate(struct xdp_md *x, rocecc_frame *f)
{
    rocecc_frame_config config;
    if (f == NULL || is_empty(x)) return 0;
    config = law_frame_config(packet(x));
    return (int)rocecc_frame_locate(&config, packet(x), f);
}

rocecc_frame f; /* in a map: with it, the stack of BPF would be too small */

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest = LAW_START;
    rocecc_reader r;
    const uint8_t *b;
    int bits;
    if (is_empty(x)) return 0;
    r = packet(x);
    b = rocecc_take(&r, 2);
    if (b != NULL && b[0] == 'L') {
        for (bits = 0; bits < 4; bits++)
            digest = law_mix(digest, (uint32_t)payload(x, bits, should(x, bits)));
        return (int)digest;
    }
    (void)locate(x, &f);
    digest = law_mix(digest, (uint32_t)found(x, &f, 0, judge(x, &f, 0)));
    digest = law_mix(digest, (uint32_t)found(x, &f, 15, judge(x, &f, 15)));
    return (int)law_mix(digest, (uint32_t)verify(x, &f));
}
#else
BPF_LAW(law_l3qcn)
#endif
