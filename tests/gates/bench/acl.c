/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * acl.c - compares two access lists of 10^4 prefixes, with and without the index of
 * aclindex.h, with DPDK's rte_lpm6. All must give the same result for every address.
 *
 *   mixed      500 are IPv6 /32; a quarter of the others are IPv4, /16 to /32, and the
 *              rest are /40 to /64 and hosts in the /32s or in each other
 *   sites      /32, and a quarter /24, for which rte_lpm6 reads the least
 *
 * In random order, one address in eight is random after 3 bits, and the others lie in a
 * prefix. For each list, rte_lpm6 takes 64 MB, and 1 KB for each of 20,000 groups, in
 * huge pages if the kernel has them. A list takes 280 KB, and its index takes the bytes
 * that the program prints to stderr.
 *
 * bench: pkg: libdpdk
 */
#include "bench.h"

#include <rte_eal.h>
#include <rte_lpm6.h>
#include <rte_malloc.h>
#include <sys/mman.h>

#include "rocecc/guard/aclindex.h"

#define PREFIXES 10000u
#define SITES 500u
#define ADDRESSES 65536u
#define GROUPS 20000u /* groups of 256 entries in rte_lpm6; 16,384 are too few */
#define HUGE_BYTES ((size_t)2 << 20)
#define HEAP_BYTES ((size_t)256 << 20)

typedef struct list {
    rocecc_acl_entry entries[PREFIXES];
    rocecc_aclindex_cell cells[PREFIXES * ROCECC_ACLINDEX_CELLS];
    rocecc_acl acl;
    rocecc_aclindex index;
    rocecc_ip6 addresses[ADDRESSES];
    struct rte_lpm6 *lpm;
} list;

static list mixed, sites;
static const rocecc_ip6 global = {{0x20}};

/* Returns random numbers: splitmix64. */
static uint64_t at_random(void)
{
    static uint64_t state;
    uint64_t x = state += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* Returns `a` with random bits from `bit` to end - 1, and zeros after them. */
static rocecc_ip6 drawn(rocecc_ip6 a, unsigned bit, unsigned end)
{
    unsigned i;
    for (i = bit; i < 128; i++) {
        const uint8_t mask = (uint8_t)(0x80 >> i % 8);
        a.b[i / 8] = (uint8_t)(a.b[i / 8] & ~mask);
        if (i < end && at_random() % 2 != 0) a.b[i / 8] |= mask;
    }
    return a;
}

static rocecc_acl_entry within(const rocecc_ip6 *a, unsigned bit, unsigned length)
{
    rocecc_acl_entry e;
    memset(&e, 0, sizeof e);
    e.prefix = drawn(*a, bit, length);
    e.length = (uint8_t)length;
    e.permit = at_random() % 8 != 0;
    return e;
}

static rocecc_acl_entry mixed_prefix(uint32_t n)
{
    static const uint8_t v4[] = {16, 20, 22, 24, 24, 24, 24, 32};
    static const uint8_t v6[] = {40, 44, 48, 48, 48, 48, 56,
                                 56, 60, 64, 64, 64, 64, 128};
    static const rocecc_ip6 of_v4 = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}};
    const unsigned length = v6[at_random() % sizeof v6];
    const rocecc_acl_entry *in;
    if (n < SITES) return within(&global, 3, 32);
    if (n % 4 == 0) return within(&of_v4, 96, 96u + v4[at_random() % sizeof v4]);
    in = &mixed.entries[at_random() % n];
    if (in->prefix.b[0] == 0 || in->length >= length)
        in = &mixed.entries[at_random() % SITES];
    return within(&in->prefix, in->length, length);
}

static rocecc_acl_entry sites_prefix(uint32_t n)
{
    return within(&global, 3, n % 4 == 0 ? 24 : 32);
}

static bool is_new(const rocecc_acl_entry *e, uint32_t n)
{
    uint32_t i;
    for (i = 0; i < n; i++)
        if (e[i].length == e[n].length &&
            memcmp(&e[i].prefix, &e[n].prefix, sizeof e[i].prefix) == 0)
            return false;
    return true;
}

static void fill(list *l, const char *name, rocecc_acl_entry (*prefix)(uint32_t n))
{
    uint32_t n = 0, at;
    while (n < PREFIXES) {
        l->entries[n] = prefix(n);
        l->entries[n].tag = n;
        n += is_new(l->entries, n);
    }
    if (rocecc_acl_init(&l->acl, l->entries, n, &at) != ROCECC_ACL_ACCEPTED ||
        rocecc_aclindex_init(&l->index, &l->acl, l->cells,
                             PREFIXES * ROCECC_ACLINDEX_CELLS) != ROCECC_OK)
        exit(1);
    fprintf(stderr, "%s: %u cells, %zu bytes\n", name, (unsigned)l->index.n_cells,
            l->index.n_cells * sizeof l->cells[0]);
    for (n = 0; n < ADDRESSES; n++) {
        const rocecc_acl_entry *e = &l->entries[at_random() % PREFIXES];
        l->addresses[n] = drawn(e->prefix, n % 8 == 0 ? 3 : e->length, 128);
    }
}

/* Starts DPDK with a heap in huge pages, and returns the heap's socket. */
static int dpdk_start(void)
{
    static char *arguments[] = {"bench",    "--no-huge",           "--no-shconf",
                                "--no-pci", "--no-telemetry",      "-m",
                                "64",       "--log-level=critical"};
    void *heap = NULL;
    if (rte_eal_init(sizeof arguments / sizeof arguments[0], arguments) < 0 ||
        posix_memalign(&heap, HUGE_BYTES, HEAP_BYTES) != 0)
        exit(1);
    (void)madvise(heap, HEAP_BYTES, MADV_HUGEPAGE);
    if (rte_malloc_heap_create("huge") != 0 ||
        rte_malloc_heap_memory_add("huge", heap, HEAP_BYTES, NULL,
                                   HEAP_BYTES / HUGE_BYTES, HUGE_BYTES) != 0)
        exit(1);
    return rte_malloc_heap_get_socket("huge");
}

/* Adds the list to rte_lpm6, and checks that all three lookups agree. */
static void lpm_start(list *l, const char *name, int socket)
{
    const struct rte_lpm6_config c = {PREFIXES, GROUPS, 0};
    uint32_t i, tag;
    l->lpm = rte_lpm6_create(name, socket, &c);
    if (l->lpm == NULL) exit(1);
    for (i = 0; i < PREFIXES; i++) {
        const rocecc_acl_entry *e = &l->entries[i];
        if (rte_lpm6_add(l->lpm, e->prefix.b, e->length, e->tag) < 0) exit(1);
    }
    for (i = 0; i < ADDRESSES; i++) {
        const bool found = rte_lpm6_lookup(l->lpm, l->addresses[i].b, &tag) == 0;
        const rocecc_acl_result m = rocecc_acl_lookup(&l->acl, &l->addresses[i]),
                                x = rocecc_aclindex_lookup(&l->index, &l->addresses[i]);
        if (m.found != found || (found && m.tag != tag) || x.found != m.found ||
            x.tag != m.tag || x.permit != m.permit || x.length != m.length) {
            fprintf(stderr, "%s: not the same of address %u\n", name, (unsigned)i);
            exit(1);
        }
    }
}

static void ours(const list *l, unsigned i)
{
    const rocecc_acl_result m =
        rocecc_aclindex_lookup(&l->index, &l->addresses[i % ADDRESSES]);
    bench_keep(m.permit);
    bench_keep(m.tag);
}

static void theirs(const list *l, unsigned i)
{
    uint32_t tag = 0;
    const int status = rte_lpm6_lookup(l->lpm, l->addresses[i % ADDRESSES].b, &tag);
    bench_keep(status);
    bench_keep(tag);
}

static void ours_mixed(unsigned i)
{
    ours(&mixed, i);
}

static void theirs_mixed(unsigned i)
{
    theirs(&mixed, i);
}

static void without_mixed(unsigned i)
{
    const rocecc_acl_result m =
        rocecc_acl_lookup(&mixed.acl, &mixed.addresses[i % ADDRESSES]);
    bench_keep(m.permit);
    bench_keep(m.tag);
}

static void ours_sites(unsigned i)
{
    ours(&sites, i);
}

static void theirs_sites(unsigned i)
{
    theirs(&sites, i);
}

static const bench_row rows[] = {
    {"access list of 10^4: lookup", "rte_lpm6", ours_mixed, theirs_mixed, BENCH_BOTH,
     1},
    {"access list of 10^4 /24 and /32: lookup", "rte_lpm6", ours_sites, theirs_sites,
     BENCH_BOTH, 1},
    {"access list of 10^4: lookup in ns", NULL, ours_mixed, NULL, BENCH_NS, 30},
    {"access list of 10^4 /24 and /32: lookup in ns", NULL, ours_sites, NULL, BENCH_NS,
     30},
    {"access list of 10^4: lookup in ns, without index", NULL, without_mixed, NULL,
     BENCH_NS, 100},
};

int main(int argc, char **argv)
{
    int socket;
    fill(&mixed, "mixed", mixed_prefix);
    fill(&sites, "sites", sites_prefix);
    socket = dpdk_start();
    lpm_start(&mixed, "mixed", socket);
    lpm_start(&sites, "sites", socket);
    return BENCH_MAIN(rows);
}
