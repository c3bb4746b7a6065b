/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Measures the numbers in guard/flowtable.h:
 *   gcc -std=gnu99 -O2 -Iinclude -Itests tests/gates/bench/flowtable.c -o flowtable
 *   ./flowtable -         a million flows: nanoseconds per call, mean and percentiles
 *   ./flowtable           also the loads at which learn first fails, and the hash
 *                         beside others: about 45 s
 * Times depend on the machine, loads do not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rocecc/guard/flowtable.h"

#define MILLION 1000000u
#define SLOTS ((uint32_t)1 << 20) /* in each table that fills up */
#define RUNS 20
#define RUNS_AIMED 3 /* 64 hashes per flow */

static rocecc_flowtable_params params;
static rocecc_flowtable table;
static rocecc_flowtable_memory memory;
static volatile uint32_t sink;
static uint64_t random_state;

/* Mixes x like splitmix64. */
static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static uint64_t at_random(void)
{
    return mixed(random_state++);
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Returns flow n of a kind. */
typedef rocecc_flow flow_kind(uint64_t n);

static rocecc_flow any_flow(uint64_t n)
{
    rocecc_flow f;
    uint64_t x = mixed(n), y = mixed(~n);
    memset(&f, 0, sizeof f);
    memcpy(f.src.b, &x, 8);
    memcpy(f.dst.b, &y, 8);
    f.src_port = (uint16_t)(x >> 48);
    f.dst_port = 4791;
    f.proto = 17;
    return f;
}

/* One host uses all its ports in order, to one address after the other. */
static rocecc_flow ports_in_order(uint64_t n)
{
    rocecc_flow f = any_flow(0);
    f.src_port = (uint16_t)n;
    f.dst.b[14] = (uint8_t)(n >> 24);
    f.dst.b[15] = (uint8_t)(n >> 16);
    return f;
}

/* Only top bits of the keys differ. Weak hashes lose them. */
static rocecc_flow top_bits(uint64_t n)
{
    rocecc_flow f = any_flow(0);
    int i;
    for (i = 0; i < 16; i++) {
        f.src.b[i] = (uint8_t)((n >> i & 1) << 7);
        f.dst.b[i] = (uint8_t)((n >> (16 + i) & 1) << 7);
    }
    return f;
}

/* An attacker knows the code, guesses the secret, and aims at 1/8 of the buckets. */
static uint64_t guess[2];
static uint64_t aimed_at;

static rocecc_flow aimed(uint64_t n)
{
    if (n == 0) aimed_at = 0;
    for (;;) {
        const rocecc_flow f = ports_in_order(aimed_at++);
        const rocecc_flowtable_key_ k = rocecc_flowtable_key_of_(&f, 0);
        const uint64_t hash = rocecc_flowtable_hash_(guess, &k);
        if ((hash & 7) == 0 && (hash >> 24 & 7) == 0) return f;
    }
}

static rocecc_flowtable_learn_result learned(const rocecc_flow *flow)
{
    static rocecc_flowtable_entry came; /* from one origin */
    came.flow = *flow;
    return rocecc_flowtable_learn(&params, &table, &memory, &came, 0);
}

static double until_full(flow_kind *flow)
{
    uint64_t n;
    params.secret[0] = at_random();
    params.secret[1] = at_random();
    params.buckets = SLOTS / 8;
    table = rocecc_flowtable_start(&params, &memory);
    for (n = 0;; n++) {
        const rocecc_flow f = flow(n);
        if (learned(&f).what == ROCECC_FLOWTABLE_FULL)
            return (double)table.used / SLOTS;
    }
}

static void loads(const char *name, flow_kind *flow, bool known)
{
    const int runs = flow == aimed ? RUNS_AIMED : RUNS;
    double least = 1, sum = 0;
    int run;
    for (run = 0; run < runs; run++) {
        double load;
        if (known) { /* the numbers that until_full will draw */
            guess[0] = mixed(random_state);
            guess[1] = mixed(random_state + 1);
        } else {
            guess[0] = at_random();
        }
        load = until_full(flow);
        sum += load;
        if (load < least) least = load;
    }
    printf("  %-44s %.3f %.3f\n", name, sum / runs, least);
}

/* Other rules with as many slots, on ideal random numbers. */
static uint8_t taken[SLOTS];

static double window_full(uint32_t ways) /* linear probing */
{
    uint32_t n, i;
    memset(taken, 0, sizeof taken);
    for (n = 0;; n++) {
        const uint32_t at = (uint32_t)at_random();
        for (i = 0; i < ways && taken[(at + i) % SLOTS]; i++)
            continue;
        if (i == ways) return (double)n / SLOTS;
        taken[(at + i) % SLOTS] = 1;
    }
}

static double buckets_full(uint32_t choices, uint32_t ways) /* one part per choice */
{
    const uint32_t part = SLOTS / ways / choices;
    uint32_t n, i;
    memset(taken, 0, sizeof taken);
    for (n = 0;; n++) {
        uint32_t best = (uint32_t)at_random() % part;
        for (i = 1; i < choices; i++) {
            const uint32_t b = i * part + (uint32_t)at_random() % part;
            if (taken[b] < taken[best]) best = b;
        }
        if (taken[best] == ways) return (double)n / SLOTS;
        taken[best]++;
    }
}

static void rule(const char *name, uint32_t choices, uint32_t ways)
{
    double least = 1, sum = 0;
    int run;
    for (run = 0; run < RUNS; run++) {
        const double load =
            choices == 0 ? window_full(ways) : buckets_full(choices, ways);
        sum += load;
        if (load < least) least = load;
    }
    printf("  %-44s %.3f %.3f\n", name, sum / RUNS, least);
}

/* timed() prints a million calls' mean, and percentiles without the clock's cost. */
static int by_size(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void timed(const char *name, void (*call)(uint32_t n))
{
    static float each[MILLION];
    double from, mean, clock_ns;
    uint32_t n;
    from = now_ns();
    for (n = 0; n < MILLION; n++)
        call(n);
    mean = (now_ns() - from) / MILLION;
    from = now_ns();
    for (n = 0; n < 1000; n++)
        (void)now_ns();
    clock_ns = (now_ns() - from) / 1000;
    for (n = 0; n < MILLION; n++) {
        from = now_ns();
        call(n);
        each[n] = (float)(now_ns() - from - clock_ns);
    }
    qsort(each, MILLION, sizeof each[0], by_size);
    printf("  %-28s %8.0f %8.0f %8.0f %8.0f\n", name, mean, each[MILLION / 2],
           each[MILLION / 1000 * 999], each[MILLION / 10000 * 9999]);
}

/* Returns flows in an order that no cache can predict; 611953 is prime. */
static rocecc_flow scattered(uint32_t n)
{
    return any_flow((uint64_t)n * 611953 % MILLION);
}

static void make_flow(uint32_t n)
{
    const rocecc_flow f = scattered(n);
    sink = f.src_port;
}

static void refresh(uint32_t n)
{
    const rocecc_flow f = scattered(n);
    sink = learned(&f).what;
}

static void lookup(uint32_t n)
{
    const rocecc_flow f = scattered(n);
    sink = rocecc_flowtable_lookup(&params, &memory, &f, 0, 0).origin.flow_id;
}

static void lookup_unknown(uint32_t n)
{
    const rocecc_flow f = any_flow(MILLION + n);
    sink = rocecc_flowtable_lookup(&params, &memory, &f, 0, 0).what;
}

static void learn_new(uint32_t n)
{
    static uint32_t fresh = MILLION;
    const rocecc_flow f = any_flow(fresh++);
    const uint32_t slot = learned(&f).slot;
    (void)n;
    memory.bucket[slot / 8].mark[slot % 8] = 0; /* frees the slot */
    table.used--;
}

static void sweep(uint32_t n)
{
    (void)n;
    sink = rocecc_flowtable_sweep(&params, &table, &memory, 0);
}

static void million(void)
{
    uint32_t n;
    double from;
    params.secret[0] = 1;
    params.buckets = rocecc_flowtable_buckets(MILLION);
    table = rocecc_flowtable_start(&params, &memory);
    from = now_ns();
    for (n = 0; n < MILLION; n++) {
        const rocecc_flow f = any_flow(n);
        sink = learned(&f).what;
    }
    printf("%u flows in %u slots of %zu bytes, all learned in %.2f s\n", table.used,
           8 * params.buckets,
           sizeof(rocecc_flowtable_bucket) / 8 + sizeof(rocecc_flowtable_slot),
           (now_ns() - from) / 1e9);
    printf("  %-28s %8s %8s %8s %8s\n", "ns per call", "mean", "median", "99.9 %",
           "99.99 %");
    timed("(making a flow)", make_flow);
    timed("lookup", lookup);
    timed("lookup, unknown", lookup_unknown);
    timed("learn, known", refresh);
    timed("learn, new", learn_new);
    timed("sweep", sweep);
}

/* Other candidates for the hash, over the same words. */
static uint64_t sip24(const uint64_t *secret, const rocecc_flowtable_key_ *k)
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
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static uint32_t rotl32(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

typedef struct half {
    uint32_t v0, v1, v2, v3;
} half;

static inline __attribute__((always_inline)) void half_round(half *h)
{
    h->v0 += h->v1;
    h->v2 += h->v3;
    h->v1 = rotl32(h->v1, 5) ^ h->v0;
    h->v3 = rotl32(h->v3, 8) ^ h->v2;
    h->v0 = rotl32(h->v0, 16);
    h->v2 += h->v1;
    h->v0 += h->v3;
    h->v1 = rotl32(h->v1, 13) ^ h->v2;
    h->v3 = rotl32(h->v3, 7) ^ h->v0;
    h->v2 = rotl32(h->v2, 16);
}

static void half_end(half *h)
{
    half_round(h);
    half_round(h);
    half_round(h);
}

/* HalfSipHash-1-3 with the 64 bits that the table needs. */
static uint64_t half13(const uint64_t *secret, const rocecc_flowtable_key_ *k)
{
    half h;
    uint32_t low;
    int i;
    h.v0 = (uint32_t)secret[0];
    h.v1 = (uint32_t)(secret[0] >> 32) ^ 0xee;
    h.v2 = (uint32_t)secret[0] ^ 0x6c796765;
    h.v3 = (uint32_t)(secret[0] >> 32) ^ 0x74656462;
    for (i = 0; i < 10; i++) {
        const uint32_t m = (uint32_t)(k->word[i / 2] >> 32 * (i & 1));
        h.v3 ^= m;
        half_round(&h);
        h.v0 ^= m;
    }
    h.v2 ^= 0xee;
    half_end(&h);
    low = h.v1 ^ h.v3;
    h.v1 ^= 0xdd;
    half_end(&h);
    return low | (uint64_t)(h.v1 ^ h.v3) << 32;
}

typedef uint64_t hash_fn(const uint64_t *secret, const rocecc_flowtable_key_ *k);

__attribute__((noinline)) static uint64_t hash_sip13(const uint64_t *secret,
                                                     const rocecc_flowtable_key_ *k)
{
    return rocecc_flowtable_hash_(secret, k);
}

__attribute__((noinline)) static uint64_t hash_sip24(const uint64_t *secret,
                                                     const rocecc_flowtable_key_ *k)
{
    return sip24(secret, k);
}

__attribute__((noinline)) static uint64_t hash_half13(const uint64_t *secret,
                                                      const rocecc_flowtable_key_ *k)
{
    return half13(secret, k);
}

static void hashed(const char *name, hash_fn *hash)
{
    rocecc_flowtable_key_ k = {{1, 2, 3, 4, 5}};
    double from = now_ns();
    uint32_t n;
    for (n = 0; n < MILLION; n++)
        k.word[0] = hash(params.secret, &k); /* each waits for the previous one */
    sink = (uint32_t)k.word[0];
    printf("  %-28s %8.1f\n", name, (now_ns() - from) / MILLION);
}

int main(int argc, char **argv)
{
    (void)argv;
    params = rocecc_flowtable_l3qcn();
    memory.bucket = calloc(rocecc_flowtable_buckets(MILLION), sizeof *memory.bucket);
    memory.slot = calloc(8 * rocecc_flowtable_buckets(MILLION), sizeof *memory.slot);
    if (memory.bucket == NULL || memory.slot == NULL) return 1;
    million();
    if (argc > 1) return 0;
    printf("load when the first flow is refused, %u slots\n  %-44s %s\n", SLOTS,
           "flows", " mean least");
    loads("at random", any_flow, false);
    loads("ports and addresses in order", ports_in_order, false);
    loads("top bits", top_bits, false);
    loads("aimed at 1/8, by a wrong secret", aimed, false);
    loads("aimed at 1/8, by the secret", aimed, true);
    printf("by other rules, of perfect randomness\n");
    rule("a window of 16, linear probing", 0, 16);
    rule("1 bucket of 16", 1, 16);
    rule("2 of 4, the emptier", 2, 4);
    rule("2 of 8, the emptier (this table)", 2, 8);
    rule("2 of 16, the emptier", 2, 16);
    printf("ns per hash of 39 bytes\n");
    hashed("SipHash-1-3 (this table)", hash_sip13);
    hashed("SipHash-2-4", hash_sip24);
    hashed("HalfSipHash-1-3", hash_half13);
    free(memory.bucket);
    free(memory.slot);
    return 0;
}
