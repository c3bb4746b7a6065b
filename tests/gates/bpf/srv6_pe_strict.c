/* SPDX-License-Identifier: BSD-2-Clause */

/* Checks the addresses for a strict END.CON, the fifth step. */
#include "bpf.h"
#include "rocecc/role/srv6_pe.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_srv6_pe_config c; /* in maps */
rocecc_acl_entry entry;

__attribute__((noinline)) int strict(struct xdp_md *x)
{
    rocecc_acl access = {NULL, 1, 1};
    rocecc_packet p;
    rocecc_srv6_pe_result out;
    if (is_empty(x)) return 0;
    p = attached(x);
    access.entries = &entry;
    out.verdict = ROCECC_SRV6_PE_FORWARD;
    out.tunnel = rocecc_srv6_none(p.bytes);
    rocecc_srv6_pe_check_sources(&c, &access, &p, &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    entry.permit = 1;
    entry.parent = ROCECC_ACL_NONE;
    (void)walk(x);
    return strict(x);
}
#endif
