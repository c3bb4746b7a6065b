/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Looks up a burst of one flow, in a table in maps. A program has one packet at a time
 * and cannot prefetch memory. The flags are the same as in flowtable.c.
 */
/* bpf-flags: -O3 */
#define ROCECC_FLOWTABLE_BURST_MAX 1
#define ROCECC_FLOWTABLE_BPF_BUCKETS 4
#include "bpf.h"
#include "rocecc/guard/flowtable.h"

#if defined(__bpf__)
rocecc_flowtable_params params;
rocecc_flowtable_bucket bucket[4];
rocecc_flowtable_slot slot[4 * ROCECC_FLOWTABLE_WAYS];
rocecc_flowtable_query query[1];
uint32_t any;

__attribute__((section("xdp"), used)) int program(struct xdp_md *x)
{
    const rocecc_flowtable_memory memory = {bucket, slot};
    (void)x;
    return (int)rocecc_flowtable_lookup_burst(&params, &memory, query, 1, any) +
           query[0].match.what;
}
#endif
