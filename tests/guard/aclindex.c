/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * aclindex.c - how an index divides its list, which no answer shows: each step
 * begins with the first bit in which its entries differ, and is the widest of which
 * they come to one cell in 16, but narrower where that keeps them as far apart. By a
 * model that counts with a table of all values of a step.
 */
#include "lib/test.h"
#include "rocecc/bytes.h"
#include "rocecc/guard/aclindex.h"

#include <string.h>

#define ENTRIES 300
#define WIDEST 13 /* 2^13 is more than 16 cells for each of these entries */

/* Bits `from` to from + n - 1 of an address, one by one. */
static uint32_t bits_of(const rocecc_acl_entry *e, uint32_t from, uint32_t n)
{
    uint32_t value = 0, i;
    for (i = from; i < from + n; i++)
        value = value << 1 | ((unsigned)e->prefix.b[i / 8] >> (7 - i % 8) & 1);
    return value;
}

/* The first bit in which n entries differ; 128: in none. */
static uint32_t first_apart(const rocecc_acl_entry *e, uint32_t n)
{
    uint32_t bit, i;
    for (bit = 0; bit < 128; bit++)
        for (i = 1; i < n; i++)
            if (bits_of(&e[0], bit, 1) != bits_of(&e[i], bit, 1)) return bit;
    return 128;
}

/* To how many cells of a step of so many bits they come. */
static uint32_t cells_of(const rocecc_acl_entry *e, uint32_t n, uint32_t bit,
                         uint32_t width)
{
    static uint8_t seen[1 << WIDEST];
    uint32_t count = 0, i;
    memset(seen, 0, (size_t)1 << width);
    for (i = 0; i < n; i++) {
        const uint32_t value = bits_of(&e[i], bit, width);
        count += seen[value] == 0;
        seen[value] = 1;
    }
    return count;
}

static uint32_t width_of(const rocecc_acl_entry *e, uint32_t n, uint32_t bit)
{
    const uint32_t room = 64 - bit % 64; /* a step lies in one half of an address */
    uint32_t width = room < WIDEST ? room : WIDEST, count;
    while (width > 1 && 16 * cells_of(e, n, bit, width) < 1u << width)
        width--;
    count = cells_of(e, n, bit, width);
    while (width > 1 && cells_of(e, n, bit, width - 1) == count)
        width--;
    return width;
}

/* Entries first to first + n - 1 come to cell i; the number of cells below it. */
static uint32_t divided(const rocecc_aclindex *x, uint32_t i, uint32_t first,
                        uint32_t n)
{
    const rocecc_acl_entry *e = &x->acl.entries[first];
    const rocecc_aclindex_cell *c = &x->cells[i];
    const uint32_t bit = first_apart(e, n);
    uint32_t width, value, cells, at = 0;
    if (bit == 128) {
        CHECK_EQ(c->step, 0);
        CHECK_EQ(c->index, first + n - 1);
        return 0;
    }
    width = width_of(e, n, bit);
    CHECK_EQ(c->step, width << 8 | bit);
    if (c->step != (width << 8 | bit)) return 0;
    cells = 1u << width;
    for (value = 0; value < 1u << width; value++) {
        uint32_t m = 0;
        while (at + m < n && bits_of(&e[at + m], bit, width) == value)
            m++;
        if (m != 0) cells += divided(x, c->index + value, first + at, m);
        at += m;
    }
    CHECK_EQ(at, n);
    return cells;
}

/* A list whose prefixes count in the bits before low + 8, `dense` of 8, or are at
 * random: every other time across the middle of the address. */
static uint32_t drawn(rocecc_acl_entry *e, uint64_t *random, bool middle)
{
    const uint32_t any_n = test_random(random);
    const uint32_t n = any_n % 3 == 0 ? 1u << any_n / 3 % 9 : 1 + any_n / 3 % ENTRIES;
    const uint32_t low =
        middle ? 57 + test_random(random) % 7 : 40 + test_random(random) % 70;
    const uint32_t dense = test_random(random) % 9;
    uint32_t i, k;
    for (i = 0; i < n; i++) {
        const uint32_t any = test_random(random);
        memset(&e[i], 0, sizeof e[i]);
        e[i].length = 128;
        for (k = 0; k < 16; k++) {
            const uint32_t bit = low + k - 8;
            if (((any % 8 < dense ? i : any >> 8) >> (15 - k) & 1) != 0)
                e[i].prefix.b[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
        }
        rocecc_store16(e[i].prefix.b + 14, (uint16_t)i); /* no two are the same */
    }
    return n;
}

TEST(aclindex_divides_as_it_says)
{
    static rocecc_acl_entry e[ENTRIES];
    static rocecc_aclindex_cell cells[ENTRIES * ROCECC_ACLINDEX_CELLS];
    uint64_t random = 5;
    uint32_t round;
    for (round = 0; round < 120; round++) {
        const uint32_t n = drawn(e, &random, round % 2 != 0);
        rocecc_aclindex x;
        rocecc_acl acl;
        uint32_t at = 0;
        test_context("list %u of %u entries", round, n);
        CHECK_EQ(rocecc_acl_init(&acl, e, n, &at), ROCECC_ACL_ACCEPTED);
        CHECK_EQ(rocecc_aclindex_init(&x, &acl, cells, n * ROCECC_ACLINDEX_CELLS),
                 ROCECC_OK);
        CHECK_EQ(divided(&x, 0, 0, n) + 1, x.n_cells);
    }
}
