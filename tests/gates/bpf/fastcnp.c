/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/fastcnp.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int header(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    return (int)law_fastcnp_header(packet(x));
}

__attribute__((noinline)) int found(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_fastcnp_found(&p);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest = LAW_START;
    rocecc_reader r;
    const uint8_t *b;
    rocecc_status status;
    if (is_empty(x)) return 0;
    r = packet(x);
    b = rocecc_take(&r, 1);
    if (b == NULL) return (int)digest;
    if (*b >> 4 != 6) return header(x);
    b = rocecc_take(&r, 3);
    if (b == NULL) return (int)digest;
    domain.link = ROCECC_LINK_IP;
    domain.fastcnp = law_fastcnp_config(b[2]);
    status = (rocecc_status)walk(x);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK) return (int)digest;
    return (int)law_mix(digest, (uint32_t)found(x));
}
#else
BPF_LAW(law_fastcnp)
#endif
