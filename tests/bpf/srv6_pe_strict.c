/* SPDX-License-Identifier: BSD-2-Clause */

/* What strict lets through END.CON, apart from the tunnel around it. */
#include "bpf.h"
#include "rocecc/role/srv6_pe.h"

rocecc_srv6_pe_config c; /* in a map */

__attribute__((noinline)) int strict(struct xdp_md *x, const rocecc_frame *f,
                                     const rocecc_srv6_pe_config *config,
                                     const rocecc_acl_entry *e)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_acl access = {NULL, 1, 1};
    if (f == NULL || config == NULL || e == NULL) return 0;
    access.entries = e;
    return (int)rocecc_srv6_pe_strict_(config, &access, r, f);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_acl_entry e = {{{0}}, 0, 1, 0, ROCECC_ACL_NONE};
    rocecc_frame f = {0};
    return strict(x, &f, &c, &e);
}
