/* SPDX-License-Identifier: BSD-2-Clause */

/* Checks whether the inner packet may be forwarded, the third step. */
#include "bpf.h"
#include "rocecc/role/srv6_pe.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int inner(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_srv6_pe_result out;
    if (is_empty(x)) return 0;
    p = attached(x);
    out.verdict = ROCECC_SRV6_PE_FORWARD;
    rocecc_srv6_pe_check_inner(&p, true, &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return inner(x);
}
#endif
