/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/cnm.h"

#if defined(__bpf__)
#include "packet.h"

/* The verifier checks these functions only once for all configurations. */
__attribute__((noinline)) int tag(struct xdp_md *x)
{
    return is_empty(x) ? 0 : (int)law_cntag(packet(x));
}

__attribute__((noinline)) int pdu(struct xdp_md *x, int bits)
{
    return is_empty(x) ? 0 : (int)law_cnm_pdu(packet(x), bits);
}

__attribute__((noinline)) int frame(struct xdp_md *x, int bits)
{
    return is_empty(x) ? 0 : (int)law_cnm_frame(packet(x), bits);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest = law_mix(LAW_START, (uint32_t)tag(x));
    int bits;
    for (bits = 0; bits < 4; bits++) {
        digest = law_mix(digest, (uint32_t)pdu(x, bits));
        digest = law_mix(digest, (uint32_t)frame(x, bits * 5));
    }
    return (int)digest;
}
#else
BPF_LAW(law_cnm)
#endif
