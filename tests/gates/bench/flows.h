/* SPDX-License-Identifier: BSD-2-Clause */

#ifndef TESTS_BENCH_FLOWS_H
#define TESTS_BENCH_FLOWS_H

/*
 * flows.h - looks up a million flows in an order that no cache can predict, one at a
 * time and 32 at once, beside DPDK's rte_hash with as many slots. Its hash is the CRC
 * without a key. It has the same 39 bytes as key, and copies its result from an array,
 * as a lookup copies the origin. A call is one lookup, also in a burst.
 */
#include "bench.h"

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_hash.h>

#include "rocecc/guard/flowtable.h"

#define FLOWS 1000000u
#define BURST 32u

/* A flow with its VRF, for rte_hash. Other bytes are 0. */
typedef struct key {
    uint8_t b[40];
} key;

static rocecc_flowtable_params params;
static rocecc_flowtable table;
static rocecc_flowtable_memory memory;
static struct rte_hash *hash;
static rocecc_flowtable_origin *origins; /* by the position that rte_hash returns */
static rocecc_flowtable_query *known, *unknown;
static key *known_key, *unknown_key;

/* Mixes x like splitmix64. */
static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static rocecc_flow flow_of(uint64_t n)
{
    rocecc_flow f;
    const uint64_t x = mixed(n), y = mixed(~n);
    memset(&f, 0, sizeof f);
    memcpy(f.src.b, &x, 8);
    memcpy(f.dst.b, &y, 8);
    f.src_port = (uint16_t)(x >> 48);
    f.dst_port = 4791;
    f.proto = 17;
    return f;
}

static key key_of(const rocecc_flow *f)
{
    key k = {{0}};
    memcpy(k.b, f->src.b, 16);
    memcpy(k.b + 16, f->dst.b, 16);
    memcpy(k.b + 32, &f->src_port, 2);
    memcpy(k.b + 34, &f->dst_port, 2);
    k.b[36] = f->proto;
    return k;
}

static void one(const rocecc_flowtable_query *q)
{
    const rocecc_flowtable_lookup_result m =
        rocecc_flowtable_lookup(&params, &memory, &q->flow, q->vrf, 0);
    bench_keep(m.what);
    bench_keep(m.origin.flow_id);
}

static void ours_hit(unsigned i)
{
    one(&known[i % FLOWS]);
}

static void ours_miss(unsigned i)
{
    one(&unknown[i % FLOWS]);
}

static void ours_burst(unsigned i, rocecc_flowtable_query *q)
{
    size_t did;
    if (i % BURST != 0) return;
    did = rocecc_flowtable_lookup_burst(&params, &memory, &q[i % FLOWS], BURST, 0);
    bench_keep(did);
}

static void ours_burst_hit(unsigned i)
{
    ours_burst(i, known);
}

static void ours_burst_miss(unsigned i)
{
    ours_burst(i, unknown);
}

static void found(int32_t at)
{
    rocecc_flowtable_origin origin;
    if (at < 0) return;
    origin = origins[at];
    bench_keep(origin.flow_id);
}

static void theirs_hit(unsigned i)
{
    found(rte_hash_lookup(hash, &known_key[i % FLOWS]));
}

static void theirs_miss(unsigned i)
{
    found(rte_hash_lookup(hash, &unknown_key[i % FLOWS]));
}

static void theirs_burst(unsigned i, const key *keys)
{
    const void *k[BURST];
    int32_t at[BURST];
    unsigned j;
    if (i % BURST != 0) return;
    for (j = 0; j < BURST; j++)
        k[j] = &keys[i % FLOWS + j];
    if (rte_hash_lookup_bulk(hash, k, BURST, at) != 0) exit(1);
    for (j = 0; j < BURST; j++)
        found(at[j]);
}

static void theirs_burst_hit(unsigned i)
{
    theirs_burst(i, known_key);
}

static void theirs_burst_miss(unsigned i)
{
    theirs_burst(i, unknown_key);
}

static void *room(size_t n, size_t bytes)
{
    void *p = calloc(n, bytes);
    if (p == NULL) exit(1);
    return p;
}

static void rooms(void)
{
    params = rocecc_flowtable_l3qcn();
    params.secret[0] = 1;
    params.buckets = rocecc_flowtable_buckets(FLOWS);
    memory.bucket = room(params.buckets, sizeof memory.bucket[0]);
    memory.slot = room(params.buckets, ROCECC_FLOWTABLE_WAYS * sizeof memory.slot[0]);
    origins = room(params.buckets, (ROCECC_FLOWTABLE_WAYS + 1) * sizeof origins[0]);
    known = room(FLOWS, sizeof known[0]);
    unknown = room(FLOWS, sizeof unknown[0]);
    known_key = room(FLOWS, sizeof known_key[0]);
    unknown_key = room(FLOWS, sizeof unknown_key[0]);
}

static void hash_start(void)
{
    static char *arguments[] = {"bench",    "--no-huge",           "--no-shconf",
                                "--no-pci", "--no-telemetry",      "-m",
                                "512",      "--log-level=critical"};
    struct rte_hash_parameters h;
    if (rte_eal_init(sizeof arguments / sizeof arguments[0], arguments) < 0) exit(1);
    memset(&h, 0, sizeof h);
    h.name = "flows";
    h.entries = ROCECC_FLOWTABLE_WAYS * params.buckets;
    h.key_len = sizeof(key);
    hash = rte_hash_create(&h);
    if (hash == NULL) {
        fprintf(stderr, "rte_hash: %s\n", rte_strerror(rte_errno));
        exit(1);
    }
}

/* Adds every flow to both tables. The lookups have another order: 611953 is prime. */
static void learn(void)
{
    static rocecc_flowtable_entry came;
    uint32_t n;
    table = rocecc_flowtable_start(&params, &memory);
    for (n = 0; n < FLOWS; n++) {
        key k;
        int32_t at;
        came.flow = flow_of(n);
        came.origin.flow_id = (uint16_t)n;
        (void)rocecc_flowtable_learn(&params, &table, &memory, &came, 0);
        k = key_of(&came.flow);
        at = rte_hash_add_key(hash, &k);
        if (at < 0) exit(1);
        origins[at] = came.origin;
    }
    if (table.used != FLOWS) exit(1);
    for (n = 0; n < FLOWS; n++) {
        known[n].flow = flow_of((uint64_t)n * 611953 % FLOWS);
        unknown[n].flow = flow_of(FLOWS + n);
        known_key[n] = key_of(&known[n].flow);
        unknown_key[n] = key_of(&unknown[n].flow);
    }
}

/* Checks that both find the same flow, and neither finds an unknown one. */
static void same(void)
{
    unsigned i;
    for (i = 0; i < 10000; i++) {
        const rocecc_flowtable_lookup_result m =
            rocecc_flowtable_lookup(&params, &memory, &known[i].flow, known[i].vrf, 0);
        const rocecc_flowtable_lookup_result none = rocecc_flowtable_lookup(
            &params, &memory, &unknown[i].flow, unknown[i].vrf, 0);
        const int32_t at = rte_hash_lookup(hash, &known_key[i]);
        if (at < 0 || m.what == none.what || m.origin.flow_id != origins[at].flow_id ||
            rte_hash_lookup(hash, &unknown_key[i]) >= 0)
            bench_differs("rte_hash", i);
    }
}

/* A part: the hash of a flow. */
static void hashed(unsigned i)
{
    const rocecc_flowtable_key_ k =
        rocecc_flowtable_key_of_(&known[i % FLOWS].flow, known[i % FLOWS].vrf);
    const uint64_t h = rocecc_flowtable_hash_(params.secret, &k);
    bench_keep(h);
}

static void flows_start(void)
{
    rooms();
    hash_start();
    learn();
    same();
}

#endif /* TESTS_BENCH_FLOWS_H */
