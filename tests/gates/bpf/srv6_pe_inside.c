/* SPDX-License-Identifier: BSD-2-Clause */

/* Checks that a strict END.CON gets a Fast CNP, the fourth step. */
#include "bpf.h"
#include "rocecc/role/srv6_pe.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_srv6_pe_config c; /* in a map */

__attribute__((noinline)) int inside(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_srv6_pe_result out;
    if (is_empty(x)) return 0;
    p = attached(x);
    out.verdict = ROCECC_SRV6_PE_FORWARD;
    rocecc_srv6_pe_check_cnp(&c, &p, &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return inside(x);
}
#endif
