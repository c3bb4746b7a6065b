/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Runs END.CON with an access list of one entry. With clang 14 the program is too long,
 * but its parts load.
 */
#include "../bpf.h"
#include "rocecc/role/srv6_pe.h"

#if defined(__bpf__)
#include "../kept.h"

rocecc_srv6_pe_config c; /* in maps */
rocecc_acl_entry entry;

__attribute__((noinline)) int end_con(struct xdp_md *x)
{
    rocecc_acl access = {NULL, 1, 1};
    rocecc_srv6_pe_result out;
    rocecc_packet p;
    if (is_empty(x)) return 0;
    access.entries = &entry;
    p = attached(x);
    rocecc_srv6_pe_end_con(
        &c, &access, &p,
        rocecc_writer_of((uint8_t *)(long)x->data + 14, (void *)(long)x->data_end),
        &out);
    return out.verdict;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return end_con(x);
}
#endif
