/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/icrc.h"

#if defined(__bpf__)
/*
 * Two programs in one: a global function is verified alone, for any located frame, and
 * not once for each way that locate() has through a frame.
 */
__attribute__((noinline)) int located(struct xdp_md *x, const rocecc_frame *f)
{
    const uint8_t *begin = (const uint8_t *)(long)x->data;
    const uint8_t *end = (const uint8_t *)(long)x->data_end;
    if (f == NULL || begin + 14 > end) return 0;
    return (int)law_icrc_located(rocecc_reader_of(begin + 14, end), f);
}

/* The functions of the stream, on the packet's bytes. */
__attribute__((noinline)) int stream(struct xdp_md *x)
{
    uint8_t *begin = (uint8_t *)(long)x->data;
    uint8_t *end = (uint8_t *)(long)x->data_end;
    rocecc_reader r, was;
    uint32_t icrc;
    if (begin + 14 + 4 > end) return 0;
    r = rocecc_reader_of(begin, end);
    was = r;
    icrc = rocecc_icrc_final(rocecc_icrc_update(rocecc_icrc_load(begin + 14), r));
    if (rocecc_icrc_patch(&icrc, was, r, 1000) != ROCECC_OK) return 0;
    rocecc_icrc_store(begin + 14, icrc);
    return 1;
}

__attribute__((noinline)) int locate(struct xdp_md *x, rocecc_frame *f)
{
    const uint8_t *begin = (const uint8_t *)(long)x->data;
    const uint8_t *end = (const uint8_t *)(long)x->data_end;
    rocecc_frame_config c;
    rocecc_reader r;
    if (f == NULL || begin + 14 > end) return 0;
    r = rocecc_reader_of(begin + 14, end);
    c = law_frame_config(r);
    return (int)rocecc_frame_locate(&c, r, f);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest = LAW_START;
    rocecc_frame f = {0};
    const rocecc_status status = (rocecc_status)locate(x, &f);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) return (int)digest;
    digest = law_mix(digest, (uint32_t)located(x, &f));
    (void)stream(x);
    return (int)digest;
}
#else
BPF_LAW(law_icrc)
#endif
