/* SPDX-License-Identifier: BSD-2-Clause */

/* strict at END.CON, with an access list of one entry: too long. Its parts load. */
#include "../bpf.h"
#include "rocecc/role/srv6_pe.h"

rocecc_srv6_pe_config c; /* in a map */

__attribute__((noinline)) int end_con(struct xdp_md *x, const rocecc_frame *f,
                                      const rocecc_srv6_pe_config *config,
                                      const rocecc_acl_entry *e)
{
    rocecc_reader r =
        rocecc_reader_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_writer w =
        rocecc_writer_of((void *)(long)x->data, (void *)(long)x->data_end);
    rocecc_acl access = {NULL, 1, 1};
    rocecc_srv6_pe out;
    if (f == NULL || config == NULL || e == NULL) return 0;
    access.entries = e;
    rocecc_srv6_pe_end_con(config, &access, r, f, w, &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_acl_entry e = {{{0}}, 0, 1, 0, ROCECC_ACL_NONE};
    rocecc_frame f = {0};
    return end_con(x, &f, &c, &e);
}
