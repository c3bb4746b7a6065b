/* SPDX-License-Identifier: BSD-2-Clause */
#include "bpf.h"
#include "law/icrc.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int verified(struct xdp_md *x)
{
    rocecc_packet p;
    if (is_empty(x)) return 0;
    p = attached(x);
    return (int)law_icrc_verified(&p);
}

/* Runs the streaming functions on the packet's bytes. */
__attribute__((noinline)) int stream(struct xdp_md *x)
{
    uint8_t *begin = (uint8_t *)(long)x->data;
    uint8_t *end = (uint8_t *)(long)x->data_end;
    rocecc_reader r, was;
    uint32_t icrc;
    if (begin + 14 + 4 > end) return 0;
    r = rocecc_reader_of(begin, end);
    was = r;
    icrc = rocecc_icrc_ones(rocecc_icrc_load(begin + 14), 8);
    icrc = rocecc_icrc_final(rocecc_icrc_update(icrc, r));
    if (rocecc_icrc_patch(&icrc, was, r, 1000) != ROCECC_OK) return 0;
    rocecc_icrc_store(begin + 14, icrc);
    return 1;
}

__attribute__((noinline)) int agree(struct xdp_md *x)
{
    if (is_empty(x)) return 0;
    domain = law_packet_domain(packet(x)); /* with IFA and INT */
    return 1;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    uint32_t digest = LAW_START;
    rocecc_status status;
    if (agree(x) == 0) return 0;
    status = (rocecc_status)walk(x);
    digest = law_mix(digest, status);
    if (status != ROCECC_OK || where.partial != ROCECC_PARTIAL_NONE) return (int)digest;
    digest = law_mix(digest, (uint32_t)verified(x));
    (void)stream(x);
    return (int)digest;
}
#else
BPF_LAW(law_icrc)
#endif
