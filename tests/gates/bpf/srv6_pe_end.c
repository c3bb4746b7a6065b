/* SPDX-License-Identifier: BSD-2-Clause */

/* Moves a packet to its next segment. */
#include "bpf.h"
#include "rocecc/role/srv6_pe.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int end(struct xdp_md *x)
{
    const rocecc_ip6 sid = {{0}};
    rocecc_packet p;
    rocecc_srv6_pe_result out;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_srv6_pe_end(
        &sid, &p,
        rocecc_writer_of((uint8_t *)(long)x->data + 14, (void *)(long)x->data_end),
        &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return end(x);
}
#endif
