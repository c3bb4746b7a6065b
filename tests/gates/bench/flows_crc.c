/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * flows_crc.c - measures flows.h with the CRC instruction as the hash, as in rte_hash.
 * It is for a table that no attacker can fill. A product spreads one 32-bit CRC over 64
 * bits.
 *
 * bench: pkg: libdpdk
 */
#include <nmmintrin.h>
#include <stdint.h>

static inline uint64_t crc_of_words(const uint64_t *secret, const uint64_t *words)
{
    uint64_t crc = secret[0];
    int i;
    for (i = 0; i < 5; i++)
        crc = _mm_crc32_u64(crc, words[i]);
    return crc * 0x9e3779b97f4a7c15;
}
#define ROCECC_FLOWTABLE_HASH(secret, words) crc_of_words(secret, words)
#include "flows.h"

static const bench_row rows[] = {
    {"flow table of 10^6, CRC: hit", "rte_hash", ours_hit, theirs_hit, BENCH_BOTH, 1.2},
    {"flow table of 10^6, CRC: miss", "rte_hash", ours_miss, theirs_miss, BENCH_BOTH,
     1},
    {"flow table of 10^6, CRC: 32 hits at once", "rte_hash bulk", ours_burst_hit,
     theirs_burst_hit, BENCH_BOTH, 1.2},
    {"flow table of 10^6, CRC: 32 misses at once", "rte_hash bulk", ours_burst_miss,
     theirs_burst_miss, BENCH_BOTH, 1.2},
    {"flow hashed, CRC", NULL, hashed, NULL, BENCH_INSTRUCTIONS, 0},
};

int main(int argc, char **argv)
{
    flows_start();
    return BENCH_MAIN(rows);
}
