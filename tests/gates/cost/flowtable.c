/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Measures a table of 16,384 slots, half of them taken, and SipHash-2-4 beside its
 * hash. tests/gates/bench/flowtable.c has a million flows.
 */
/*
 * Inlines every function, as in a program that calls each from one place. Otherwise the
 * compiler's choices for several callers would be measured.
 */
#define ROCECC_FN static inline __attribute__((always_inline))
#include "cost.h"
#include "rocecc/guard/flowtable.h"

#include <string.h>

#define BUCKETS 2048
#define FLOWS 8192

static rocecc_flowtable_bucket buckets[BUCKETS], crowded[2];
static rocecc_flowtable_slot slots[8 * BUCKETS], crowded_slots[16];
static const rocecc_flowtable_memory memory = {buckets, slots};
static const rocecc_flowtable_memory crowd = {crowded, crowded_slots};
static rocecc_flowtable_params params, small;
static rocecc_flowtable table, full;
static rocecc_flowtable_entry flows[2 * FLOWS]; /* the second half is unknown */
static volatile uint32_t sink;

COST uint32_t cost_flowtable_hash(const uint64_t *secret,
                                  const rocecc_flowtable_key_ *k)
{
    return (uint32_t)rocecc_flowtable_hash_(secret, k);
}

COST uint32_t plain_flowtable_hash(const uint64_t *secret,
                                   const rocecc_flowtable_key_ *k)
{
    uint64_t v[4];
    int i;
    v[0] = secret[0] ^ 0x736f6d6570736575;
    v[1] = secret[1] ^ 0x646f72616e646f6d;
    v[2] = secret[0] ^ 0x6c7967656e657261;
    v[3] = secret[1] ^ 0x7465646279746573;
    for (i = 0; i < 5; i++) {
        v[3] ^= k->word[i];
        rocecc_siphash_round_(v);
        rocecc_siphash_round_(v);
        v[0] ^= k->word[i];
    }
    v[2] ^= 0xff;
    for (i = 0; i < 4; i++)
        rocecc_siphash_round_(v);
    return (uint32_t)(v[0] ^ v[1] ^ v[2] ^ v[3]);
}

COST rocecc_flowtable_learn_result
cost_flowtable_learn(const rocecc_flowtable_entry *came)
{
    return rocecc_flowtable_learn(&params, &table, &memory, came, 0);
}

COST uint32_t cost_flowtable_refresh(const rocecc_flowtable_entry *came)
{
    return rocecc_flowtable_learn(&params, &table, &memory, came, 0).what;
}

COST uint32_t cost_flowtable_full(const rocecc_flowtable_entry *came)
{
    return rocecc_flowtable_learn(&small, &full, &crowd, came, 0).what;
}

COST uint32_t cost_flowtable_lookup(const rocecc_flow *flow)
{
    return rocecc_flowtable_lookup(&params, &memory, flow, 0, 0).origin.flow_id;
}

COST uint32_t cost_flowtable_lookup_unknown(const rocecc_flow *flow)
{
    return rocecc_flowtable_lookup(&params, &memory, flow, 0, 0).what;
}

/* Looks up a flow in the worst case: all 16 marks match, but no flow does. */
COST uint32_t cost_flowtable_lookup_worst(const rocecc_flow *flow)
{
    return rocecc_flowtable_lookup(&small, &crowd, flow, 0, 0).what;
}

/* Learns a flow in the worst case, with an eviction. */
COST uint32_t cost_flowtable_learn_worst(const rocecc_flowtable_entry *came)
{
    return rocecc_flowtable_learn(&small, &full, &crowd, came, 0).slot;
}

COST uint32_t cost_flowtable_sweep(uint32_t now_ms)
{
    return rocecc_flowtable_sweep(&params, &table, &memory, now_ms);
}

static void set_marks(uint16_t mark)
{
    uint32_t i;
    for (i = 0; i < 16; i++)
        crowded[i / 8].mark[i % 8] = mark;
}

static void sizes(unsigned i)
{
    uint64_t random = 1;
    size_t k;
    COST_SIZE(rocecc_flowtable);
    COST_SIZE(rocecc_flowtable_bucket);
    COST_SIZE(rocecc_flowtable_slot);
    COST_SIZE(rocecc_flowtable_entry);
    if (i > 0) return;
    params = rocecc_flowtable_l3qcn();
    params.secret[0] = 1;
    params.buckets = BUCKETS;
    small = params;
    small.buckets = 2;
    table = rocecc_flowtable_start(&params, &memory);
    full = rocecc_flowtable_start(&small, &crowd);
    for (k = 0; k < 2 * FLOWS; k++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        memset(&flows[k], 0, sizeof flows[k]);
        memcpy(flows[k].flow.src.b, &random, sizeof random);
        flows[k].flow.proto = 17;
        if (k < FLOWS)
            (void)rocecc_flowtable_learn(&params, &table, &memory, &flows[k], 0);
    }
    set_marks(0xffff);
}

static void hash(unsigned i)
{
    const rocecc_flowtable_key_ k = {{i, i, i, i, i}};
    sink = cost_flowtable_hash(params.secret, &k);
}

static void hash_plain(unsigned i)
{
    const rocecc_flowtable_key_ k = {{i, i, i, i, i}};
    sink = plain_flowtable_hash(params.secret, &k);
}

/* Learns a new flow, then frees its slot. */
static void learn(unsigned i)
{
    const uint32_t slot = cost_flowtable_learn(&flows[FLOWS + i % FLOWS]).slot;
    buckets[slot / 8].mark[slot % 8] = 0;
    table.used--;
}

static void refresh(unsigned i)
{
    sink = cost_flowtable_refresh(&flows[i % FLOWS]);
}

static void full_up(unsigned i)
{
    sink = cost_flowtable_full(&flows[i % FLOWS]);
}

static void lookup(unsigned i)
{
    sink = cost_flowtable_lookup(&flows[i % FLOWS].flow);
}

static void lookup_unknown(unsigned i)
{
    sink = cost_flowtable_lookup_unknown(&flows[FLOWS + i % FLOWS].flow);
}

static void lookup_worst(unsigned i)
{
    if (i == 0) set_marks(rocecc_flowtable_place_of_(&small, &flows[0].flow, 0).mark);
    sink = cost_flowtable_lookup_worst(&flows[0].flow);
}

static void learn_worst(unsigned i)
{
    uint32_t slot;
    (void)i;
    small.evict_oldest = 1;
    slot = cost_flowtable_learn_worst(&flows[0]);
    memset(&crowded_slots[slot].entry, 0, sizeof crowded_slots[0].entry);
}

static void sweep(unsigned i)
{
    (void)i;
    sink = cost_flowtable_sweep(0);
}

static const cost_case cases[] = {{"sizes", sizes},
                                  {"cost_flowtable_hash", hash},
                                  {"plain_flowtable_hash", hash_plain},
                                  {"cost_flowtable_learn", learn},
                                  {"cost_flowtable_refresh", refresh},
                                  {"cost_flowtable_full", full_up},
                                  {"cost_flowtable_lookup", lookup},
                                  {"cost_flowtable_lookup_unknown", lookup_unknown},
                                  {"cost_flowtable_lookup_worst", lookup_worst},
                                  {"cost_flowtable_learn_worst", learn_worst},
                                  {"cost_flowtable_sweep", sweep}};

COST_MAIN(cases)
