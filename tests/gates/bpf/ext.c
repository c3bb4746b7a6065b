/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/ext.h"

#if defined(__bpf__)
/* The verifier checks these functions once for all callers. */
static __attribute__((always_inline)) rocecc_reader packet_at(struct xdp_md *x,
                                                              uint32_t at)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    r.at = at;
    return r;
}

#define ONE(bit)                                                                       \
    __attribute__((noinline)) int one_##bit(struct xdp_md *x, uint32_t at,             \
                                            uint32_t digest)                           \
    {                                                                                  \
        return (int)law_ext_one(packet_at(x, at), ROCECC_EXT_##bit, digest);           \
    }
LAW_EXT_EACH(ONE)

__attribute__((noinline)) int extent(struct xdp_md *x, int psn)
{
    return (int)law_ext_extent(packet_at(x, 14), psn != 0);
}

#define STEP(bit)                                                                      \
    if (set & ROCECC_EXT_##bit) {                                                      \
        digest = (uint32_t)one_##bit(x, at, digest);                                   \
        at += rocecc_ext_bytes(ROCECC_EXT_##bit);                                      \
    }

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const uint16_t set = law_ext_which(packet_at(x, 14));
    uint32_t digest = law_mix((uint32_t)extent(x, 0), (uint32_t)extent(x, 1));
    uint32_t at = 14 + ROCECC_BTH_BYTES;
    rocecc_reader r = packet_at(x, at);
    if (rocecc_take(&r, 0) == NULL) return (int)digest;
    LAW_EXT_EACH(STEP)
    return (int)digest;
}
#else
BPF_LAW(law_ext)
#endif
