/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/fastcnp.h"

#if defined(__bpf__)
#include "packet.h"

/* Functions of their own, which the verifier reads once: locate() leaves many states.
 */
__attribute__((noinline)) int header(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    return (int)law_fastcnp_header(packet(x));
}

__attribute__((noinline)) int found(struct xdp_md *x, const rocecc_frame *f, int bits)
{
    if (f == NULL || is_empty(x)) return 0;
    return (int)law_fastcnp_found(packet(x), f, (uint8_t)bits);
}

__attribute__((noinline)) int locate(struct xdp_md *x, rocecc_frame *f)
{
    const rocecc_frame_config config = {.ip_first = true};
    if (f == NULL || is_empty(x)) return 0;
    return (int)rocecc_frame_locate(&config, packet(x), f);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest = LAW_START;
    rocecc_frame f = {0};
    rocecc_reader r;
    const uint8_t *b;
    rocecc_status status;
    int bits;
    if (is_empty(x)) return 0;
    r = packet(x);
    b = rocecc_take(&r, 1);
    if (b == NULL) return (int)digest;
    if (*b >> 4 != 6) return header(x);
    b = rocecc_take(&r, 3);
    if (b == NULL) return (int)digest;
    bits = b[2];
    status = (rocecc_status)locate(x, &f);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) return (int)digest;
    return (int)law_mix(digest, (uint32_t)found(x, &f, bits));
}
#else
BPF_LAW(law_fastcnp)
#endif
