/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/l3qcn.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int should(struct xdp_md *x, int bits)
{
    return is_empty(x) ? 0 : (int)law_l3qcn_should(packet(x), bits);
}

__attribute__((noinline)) int payload(struct xdp_md *x, int bits, int verdict)
{
    if (is_empty(x)) return 0;
    return (int)law_l3qcn_payload(packet(x), bits, (rocecc_l3qcn_verdict)verdict);
}

__attribute__((noinline)) int judge(struct xdp_md *x, int bits)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_l3qcn_judge(&p, bits);
}

__attribute__((noinline)) int found(struct xdp_md *x, int verdict)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_l3qcn_found(&p, (rocecc_l3qcn_verdict)verdict);
}

__attribute__((noinline)) int verify(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return rocecc_udp_verify(&p);
}

__attribute__((noinline)) int agree(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    domain = law_packet_plain(packet(x));
    return 1;
}

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
    (void)agree(x);
    domain.l3qcn = law_l3qcn_config(0);
    (void)walk(x);
    digest = law_mix(digest, (uint32_t)found(x, judge(x, 0)));
    domain.l3qcn = law_l3qcn_config(15);
    digest = law_mix(digest, (uint32_t)found(x, judge(x, 15)));
    return (int)law_mix(digest, (uint32_t)verify(x));
}
#else
BPF_LAW(law_l3qcn)
#endif
