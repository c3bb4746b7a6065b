/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Refreshes a known flow, and forgets flows, in a table in maps. The flags are from
 * flowtable.c, because refresh() also has too many paths with -Os and clang 19.
 */
/* bpf-flags: -O3 */
#define ROCECC_FLOWTABLE_BPF_BUCKETS 4
#include "bpf.h"
#include "rocecc/guard/flowforget.h"

#if defined(__bpf__)
rocecc_flowtable_params params;
rocecc_flowtable table;
rocecc_flowtable_bucket bucket[4];
rocecc_flowtable_slot slot[4 * ROCECC_FLOWTABLE_WAYS];
rocecc_flowtable_entry came;
rocecc_flowforget_filter gone;
uint32_t any;

__attribute__((noinline)) int refresh(void)
{
    const rocecc_flowtable_memory memory = {bucket, slot};
    return rocecc_flowtable_refresh(&params, &memory, &came, any).what;
}

__attribute__((noinline)) int forget(void)
{
    const rocecc_flowtable_memory memory = {bucket, slot};
    return rocecc_flowforget_match_(&gone, &came) +
           rocecc_flowforget_step(&gone, &table, &memory, any & 3);
}

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    (void)x;
    return refresh() + forget();
}
#endif
