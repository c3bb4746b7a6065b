/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/csig.h"

#if defined(__bpf__)
/*
 * The verifier checks these functions only once. It would otherwise check them for each
 * of the 32 states after a search.
 */
__attribute__((noinline)) int config(struct xdp_md *x)
{
    const uint8_t *b = (const uint8_t *)(long)x->data + 14;
    if (b > (const uint8_t *)(long)x->data_end) return 0;
    return (int)law_csig_config(
        rocecc_reader_of(b, (const uint8_t *)(long)x->data_end));
}

__attribute__((noinline)) int tag(struct xdp_md *x, int uec, law_csig_sample *s)
{
    const uint8_t *b = (const uint8_t *)(long)x->data + 14;
    if (s == NULL || b > (const uint8_t *)(long)x->data_end) return 0;
    return (int)law_csig_tag(rocecc_reader_of(b, (const uint8_t *)(long)x->data_end),
                             uec == 1, s);
}

__attribute__((noinline)) int buckets(const law_csig_sample *s, uint32_t *bucket)
{
    return s == NULL || bucket == NULL ? 0 : (int)law_csig_buckets(s, bucket);
}

__attribute__((noinline)) int hop(const law_csig_sample *s, uint32_t bucket)
{
    return s == NULL ? 0 : (int)law_csig_hop(s, bucket);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest = (uint32_t)config(x), bucket = 0, part;
    law_csig_sample s = {0, 0, 0, 0, false};
    int uec;
    for (uec = 0; uec < 2; uec++) {
        part = (uint32_t)tag(x, uec, &s);
        if (part == LAW_BROKEN) return LAW_BROKEN;
        digest = law_mix(digest, part);
        if (s.w0 == 0) continue;
        part = (uint32_t)buckets(&s, &bucket);
        if (part == LAW_BROKEN) return LAW_BROKEN;
        digest = law_mix(digest, part);
        part = (uint32_t)hop(&s, bucket);
        if (part == LAW_BROKEN) return LAW_BROKEN;
        digest = law_mix(digest, part);
    }
    return (int)digest;
}
#else
BPF_LAW(law_csig)
#endif
