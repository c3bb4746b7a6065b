/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/pfc.h"

#if defined(__bpf__)
#include "packet.h"

/* The functions are separate, so that each has its own stack. */
__attribute__((noinline)) int frame(struct xdp_md *x)
{
    return is_empty(x) ? 0 : (int)law_pfc_frame(packet(x));
}

__attribute__((noinline)) int pause(struct xdp_md *x, int own)
{
    return is_empty(x) ? 0 : (int)law_pfc_pause(packet(x), own == 1);
}

__attribute__((noinline)) int time(struct xdp_md *x)
{
    rocecc_reader r;
    const uint8_t *b;
    if (is_empty(x)) return 0;
    r = packet(x);
    b = rocecc_take(&r, 18);
    if (b == NULL) return 0;
    return (int)law_pfc_time(rocecc_load16(b + 16), rocecc_load64(b) >> (b[7] & 0x3f),
                             rocecc_load64(b + 8) >> (b[15] & 0x3f));
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest = LAW_START;
    rocecc_reader r;
    if (is_empty(x)) return 0;
    r = packet(x);
    digest = law_mix(digest, (uint32_t)frame(x));
    digest = law_mix(digest, (uint32_t)pause(x, 0));
    digest = law_mix(digest, (uint32_t)pause(x, 1));
    if (rocecc_take(&r, 18) == NULL) return (int)digest;
    return (int)law_mix(digest, (uint32_t)time(x));
}
#else
BPF_LAW(law_pfc)
#endif
