/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Checks a private CNM before the table lookup. The checks are S7 (the list permits
 * the CPID), the first half of S8 (the tokens), and the UDP checksum.
 */
#define ENTRIES 4
#define ROCECC_ACL_BPF_ENTRIES ENTRIES
#include "bpf.h"
#include "rocecc/role/l3qcn_tor.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_l3qcn_tor_config c; /* in maps */
rocecc_l3qcn_tor s;
rocecc_admission_source sources[4];
static volatile uint32_t filled = 1; /* entries; set by user space */
static rocecc_acl_entry entries[ENTRIES] = {{{{1}}, 8, 1, 0, ROCECC_ACL_NONE}};
uint32_t any;

__attribute__((noinline)) int verify(struct xdp_md *x)
{
    rocecc_acl list = rocecc_acl_attach(entries, filled);
    rocecc_l3qcn_tor_event e = {0};
    rocecc_packet p;
    rocecc_l3qcn_tor_convert_result out;
    if (is_empty(x) || list.n > ENTRIES) return 0;
    e.admission.now_ns = any;
    e.admission.list = &list;
    e.admission.sources = sources;
    e.admission.n_sources = 4;
    p = attached(x);
    return (int)rocecc_l3qcn_tor_verify_(&c, &s, &p, any, &e, &out);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return verify(x);
}
#endif
