/* SPDX-License-Identifier: BSD-2-Clause */

/* Opens a data tunnel at the SID where it ends, after accept(). */
#include "bpf.h"
#include "rocecc/role/srv6_pe.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int open(struct xdp_md *x)
{
    const rocecc_ip6 sid = {{0}};
    rocecc_packet p;
    rocecc_srv6_pe_result out;
    if (is_empty(x)) return 0;
    p = attached(x);
    out.verdict = ROCECC_SRV6_PE_FORWARD;
    rocecc_srv6_pe_decapsulate(&sid, &p, &out);
    rocecc_srv6_pe_merge(
        rocecc_writer_of((uint8_t *)(long)x->data + 14, (void *)(long)x->data_end),
        &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return open(x);
}
#endif
