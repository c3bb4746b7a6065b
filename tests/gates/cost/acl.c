/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Measures lookups in lists of 1 to 16,384 entries, beside scans of all entries, and
 * with an index for the largest list.
 */
#include "cost.h"
#include "rocecc/guard/aclindex.h"

#include <string.h>

#define MOST 16384
#define ADDRESSES 64

static rocecc_acl_entry entries[5][MOST];
static rocecc_acl lists[5];
static rocecc_aclindex_cell cells[MOST * ROCECC_ACLINDEX_CELLS];
static rocecc_aclindex indexed;
static rocecc_ip6 addresses[ADDRESSES], along;
static uint64_t random_state = 1;
static volatile uint32_t sink;

static uint8_t random_byte(void)
{
    random_state =
        random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint8_t)(random_state >> 56);
}

static uint64_t mask_of(unsigned length)
{
    return length >= 64  ? ~(uint64_t)0
           : length == 0 ? 0
                         : ~(uint64_t)0 << (64 - length);
}

/* Scans all entries, with prefixes as two words. */
static uint32_t one_by_one(const rocecc_acl *acl, const rocecc_ip6 *address)
{
    uint64_t a[2], p[2];
    uint32_t best = 0, i;
    unsigned longest = 0;
    memcpy(a, address, sizeof a);
    for (i = 0; i < acl->n; i++) {
        const unsigned length = acl->entries[i].length;
        memcpy(p, &acl->entries[i].prefix, sizeof p);
        if (length < longest ||
            (__builtin_bswap64(p[0] ^ a[0]) & mask_of(length)) != 0 ||
            (__builtin_bswap64(p[1] ^ a[1]) & mask_of(length < 64 ? 0 : length - 64)) !=
                0)
            continue;
        longest = length;
        best = acl->entries[i].tag;
    }
    return best;
}

#define LIST(name, k)                                                                  \
    COST uint32_t cost_acl_lookup_##name(const rocecc_ip6 *a)                          \
    {                                                                                  \
        return rocecc_acl_lookup(&lists[k], a).tag;                                    \
    }                                                                                  \
    COST uint32_t plain_acl_lookup_##name(const rocecc_ip6 *a)                         \
    {                                                                                  \
        return one_by_one(&lists[k], a);                                               \
    }                                                                                  \
    static void run_##name(unsigned i)                                                 \
    {                                                                                  \
        sink = cost_acl_lookup_##name(&addresses[i % ADDRESSES]);                      \
    }                                                                                  \
    static void slow_##name(unsigned i)                                                \
    {                                                                                  \
        sink = plain_acl_lookup_##name(&addresses[i % ADDRESSES]);                     \
    }

LIST(1, 0)
LIST(16, 1)
LIST(1024, 2)

COST uint32_t cost_acl_lookup_16384(const rocecc_ip6 *a)
{
    return rocecc_acl_lookup(&lists[3], a).tag;
}

static void run_16384(unsigned i)
{
    sink = cost_acl_lookup_16384(&addresses[i % ADDRESSES]);
}

COST uint32_t cost_aclindex_lookup_16384(const rocecc_ip6 *a)
{
    return rocecc_aclindex_lookup(&indexed, a).tag;
}

static void run_indexed_16384(unsigned i)
{
    sink = cost_aclindex_lookup_16384(&addresses[i % ADDRESSES]);
}

/*
 * The worst case: entries of all 129 lengths, and the way up from the last to the
 * first.
 */
COST uint32_t cost_acl_lookup_deepest(const rocecc_ip6 *a)
{
    return rocecc_acl_lookup(&lists[4], a).tag;
}

static void run_deepest(unsigned i)
{
    (void)i;
    sink = cost_acl_lookup_deepest(&along);
}

/* A list of 32, unsorted again before each call. */
static rocecc_acl_entry given[32], sorted[32];

COST uint32_t cost_acl_init_32(rocecc_acl_entry *e)
{
    rocecc_acl acl;
    uint32_t at;
    return (uint32_t)rocecc_acl_init(&acl, e, 32, &at);
}

static void run_init(unsigned i)
{
    (void)i;
    memcpy(sorted, given, sizeof sorted);
    sink = cost_acl_init_32(sorted);
}

/* Fills a list with random /64s of fd00::/16, as for switches. */
static void fill(rocecc_acl *acl, rocecc_acl_entry *e, uint32_t n)
{
    uint32_t i, j, at;
    for (i = 0; i < n; i++) {
        memset(&e[i], 0, sizeof e[i]);
        e[i].prefix.b[0] = 0xfd;
        for (j = 2; j < 8; j++)
            e[i].prefix.b[j] = random_byte();
        e[i].length = 64;
        e[i].permit = 1;
        e[i].tag = i;
    }
    if (n == 1024) memcpy(given, e, sizeof given);
    if (rocecc_acl_init(acl, e, n, &at) != ROCECC_ACL_ACCEPTED) printf("refused\n");
}

static void fill_deepest(rocecc_acl *acl, rocecc_acl_entry *e)
{
    uint32_t i, at;
    for (i = 0; i <= 128; i++) {
        memset(&e[i], 0, sizeof e[i]);
        e[i].length = (uint8_t)i;
    }
    e[0].permit = 1;
    memset(&along, 0, sizeof along);
    along.b[0] = 0x80; /* after all of them, but only in /0 */
    if (rocecc_acl_init(acl, e, 129, &at) != ROCECC_ACL_ACCEPTED) printf("refused\n");
}

static void sizes(unsigned i)
{
    static const uint32_t n[] = {1, 16, 1024, 16384};
    uint32_t k;
    COST_SIZE(rocecc_acl);
    COST_SIZE(rocecc_acl_entry);
    COST_SIZE(rocecc_aclindex_cell);
    if (i > 0) return;
    for (k = 0; k < 4; k++)
        fill(&lists[k], entries[k], n[k]);
    fill_deepest(&lists[4], entries[4]);
    if (rocecc_aclindex_init(&indexed, &lists[3], cells,
                             MOST * ROCECC_ACLINDEX_CELLS) != ROCECC_OK)
        printf("no room\n");
    for (k = 0; k < ADDRESSES; k++) {
        addresses[k] = lists[3].entries[k * 251].prefix;
        if (k % 4 != 0)
            addresses[k] = lists[k % 4 - 1].entries[k * 9 % n[k % 4 - 1]].prefix;
        addresses[k].b[15] = (uint8_t)k;
    }
}

static const cost_case cases[] = {{"sizes", sizes},
                                  {"cost_acl_init_32", run_init},
                                  {"cost_acl_lookup_1", run_1},
                                  {"plain_acl_lookup_1", slow_1},
                                  {"cost_acl_lookup_16", run_16},
                                  {"plain_acl_lookup_16", slow_16},
                                  {"cost_acl_lookup_1024", run_1024},
                                  {"plain_acl_lookup_1024", slow_1024},
                                  {"cost_acl_lookup_16384", run_16384},
                                  {"cost_aclindex_lookup_16384", run_indexed_16384},
                                  {"cost_acl_lookup_deepest", run_deepest}};

COST_MAIN(cases)
