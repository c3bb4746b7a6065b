/* SPDX-License-Identifier: BSD-2-Clause */

/* Moves a packet to its next segment, after accept(). */
#include "bpf.h"
#include "rocecc/role/srv6_pe.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int next(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_srv6_pe_result out;
    if (is_empty(x)) return 0;
    p = attached(x);
    out.verdict = ROCECC_SRV6_PE_FORWARD;
    rocecc_srv6_pe_next(
        &p, rocecc_writer_of((uint8_t *)(long)x->data + 14, (void *)(long)x->data_end),
        &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return next(x);
}
#endif
