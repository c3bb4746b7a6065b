/* SPDX-License-Identifier: BSD-2-Clause */

/* The Parameter Problem of what was dropped. */
#include "bpf.h"
#include "rocecc/role/srv6_pe.h"

#if defined(__bpf__)
#include "kept.h"

__attribute__((noinline)) int problem(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_srv6_pe_result out;
    if (is_empty(x)) return 0;
    p = attached(x);
    rocecc_icmp6_problem m;
    out.verdict = ROCECC_SRV6_PE_UNKNOWN_OPTION;
    out.why = ROCECC_SRV6_SEGMENTS_LEFT;
    out.option = 44;
    return rocecc_srv6_pe_problem(&p, &out, &m) == ROCECC_OK ? m.code : 255;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return problem(x);
}
#endif
