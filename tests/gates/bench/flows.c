/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * flows.c - measures flows.h with the keyed hash, the default.
 *
 * bench: pkg: libdpdk
 */
#include "flows.h"

static const bench_row rows[] = {
    {"flow table of 10^6: hit", "rte_hash", ours_hit, theirs_hit, BENCH_BOTH, 1},
    {"flow table of 10^6: miss", "rte_hash", ours_miss, theirs_miss, BENCH_BOTH, 1},
    {"flow table of 10^6: 32 hits at once", "rte_hash bulk", ours_burst_hit,
     theirs_burst_hit, BENCH_BOTH, 100.0 / 92},
    {"flow table of 10^6: 32 misses at once", "rte_hash bulk", ours_burst_miss,
     theirs_burst_miss, BENCH_BOTH, 1},
    {"flow table of 10^6: a hit in ns, 32 at once", NULL, ours_burst_hit, NULL,
     BENCH_NS, 100},
    {"flow table of 10^6: a miss in ns, 32 at once", NULL, ours_burst_miss, NULL,
     BENCH_NS, 60},
    {"flow hashed", NULL, hashed, NULL, BENCH_INSTRUCTIONS, 0},
};

int main(int argc, char **argv)
{
    flows_start();
    return BENCH_MAIN(rows);
}
