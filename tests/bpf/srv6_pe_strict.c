/* SPDX-License-Identifier: BSD-2-Clause */

/* What strict lets through END.CON, apart from the tunnel around it. */
#include "bpf.h"
#include "rocecc/role/srv6_pe.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_acl_entry entry; /* in a map */

__attribute__((noinline)) int strict(struct xdp_md *x)
{
    rocecc_acl access = {NULL, 1, 1};
    rocecc_packet p;
    if (is_empty(x)) return 0;
    access.entries = &entry;
    p = attached(x);
    return (int)rocecc_srv6_pe_strict_(&p, &access);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    entry.permit = 1;
    entry.up = ROCECC_ACL_NONE;
    (void)walk(x);
    return strict(x);
}
#endif
