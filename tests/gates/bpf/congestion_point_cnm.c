/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Runs the parts of a step that make a private CNM. congestion_point_parts.c runs the
 * parts that make a Fast CNP.
 */
#define ENTRIES 4
#define ROCECC_ACL_BPF_ENTRIES ENTRIES
#include "bpf.h"
#include "rocecc/role/congestion_point.h"

#if defined(__bpf__)
#include "kept.h"

rocecc_congestion_config c; /* in maps */
rocecc_flow flow;
static volatile uint32_t filled = 1; /* entries; set by user space */
static rocecc_acl_entry entries[ENTRIES] = {{{{1}}, 8, 1, 0, ROCECC_ACL_NONE}};

/* Returns the list. Each function attaches it again, because maps hold no pointers. */
static __attribute__((always_inline)) rocecc_acl list(void)
{
    return rocecc_acl_attach(entries, filled);
}

__attribute__((noinline)) int sampled(struct xdp_md *x)
{
    rocecc_packet p;
    rocecc_congestion_event e = {0};
    rocecc_acl access = list();
    uint32_t tag;
    if (is_empty(x) || access.n > ENTRIES) return 0;
    e.admission.list = &access;
    p = attached(x);
    return (int)rocecc_congestion_sampled_flow_(&c, &p, &e, &flow, &tag);
}

__attribute__((noinline)) int cnm(struct xdp_md *x)
{
    rocecc_packet p;
    const rocecc_congestion_event e = {.priority = 5, .cpid = 7};
    if (is_empty(x)) return 0;
    p = attached(x);
    return rocecc_congestion_make_cnm_(&c, &p, &e).q_offset;
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)walk(x);
    return sampled(x) + cnm(x);
}
#endif
