/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * aclindex.c - compares the steps of an index with a model that counts the cells of
 * each step, because no lookup shows them. A step must begin with the first bit in
 * which its entries differ. It must be as wide as possible while they reach at least
 * one cell in 16, but narrower if that separates them equally well. Other tests cover
 * the longest chain, the widest step for few entries, and the end of an address half.
 */
#include "lib/test.h"
#include "rocecc/bytes.h"
#include "rocecc/guard/aclindex.h"

#include <string.h>

#define ENTRIES 300
#define WIDEST 13 /* 2^13 is more than 16 cells for each of these entries */

/* Returns bits `from` to from + n - 1 of a prefix. */
static uint32_t bits_of(const rocecc_acl_entry *e, uint32_t from, uint32_t n)
{
    uint32_t value = 0, i;
    for (i = from; i < from + n; i++)
        value = value << 1 | ((unsigned)e->prefix.b[i / 8] >> (7 - i % 8) & 1);
    return value;
}

/* Returns the first bit in which n prefixes differ, or 128 if they are equal. */
static uint32_t first_apart(const rocecc_acl_entry *e, uint32_t n)
{
    uint32_t bit, i;
    for (bit = 0; bit < 128; bit++)
        for (i = 1; i < n; i++)
            if (bits_of(&e[0], bit, 1) != bits_of(&e[i], bit, 1)) return bit;
    return 128;
}

/* Returns how many cells of a step of `width` bits n entries reach. */
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

/* Checks cell i, for n entries from `first` on. Returns the number of cells below. */
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

/*
 * Writes a random list and returns its length. In the 16 bits before low + 8, `dense`
 * of 8 prefixes have their index and the others random bits. With `middle`, these bits
 * cross the middle of the address.
 */
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
        rocecc_store16(e[i].prefix.b + 14, (uint16_t)i); /* makes each prefix unique */
    }
    return n;
}

TEST(aclindex_steps_match_a_model)
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

/* Returns an entry with `value` in the first byte of an address half. */
static rocecc_acl_entry byte_entry(uint8_t value, uint32_t half)
{
    rocecc_acl_entry e;
    memset(&e, 0, sizeof e);
    e.prefix.b[8 * half] = value;
    e.length = (uint8_t)(64 * half + 8);
    e.tag = value;
    return e;
}

/* A lookup can follow 128 steps of one bit each, and then reads the last cell. */
TEST(aclindex_lookup_follows_128_steps_of_one_bit)
{
    rocecc_aclindex_cell cells[129];
    rocecc_acl_entry e;
    rocecc_aclindex x;
    rocecc_acl acl;
    uint32_t at = 0, i;
    memset(&e, 0, sizeof e);
    e.length = 128;
    e.tag = 7;
    CHECK_EQ(rocecc_acl_init(&acl, &e, 1, &at), ROCECC_ACL_ACCEPTED);
    for (i = 0; i < 128; i++) {
        cells[i].index = i + 1;
        cells[i].step = 1 << 8 | i;
    }
    cells[128].index = 0;
    cells[128].step = 0;
    x = rocecc_aclindex_attach(&acl, cells, 129);
    CHECK(rocecc_aclindex_lookup(&x, &e.prefix).found);
    CHECK_EQ(rocecc_aclindex_lookup(&x, &e.prefix).tag, 7);
}

/* Returns an index for n entries, and checks that it finds them. */
static rocecc_aclindex indexed(rocecc_acl_entry *e, uint32_t n,
                               rocecc_aclindex_cell *cells)
{
    rocecc_aclindex x;
    rocecc_acl acl;
    uint32_t at = 0, i;
    memset(&x, 0, sizeof x);
    CHECK_EQ(rocecc_acl_init(&acl, e, n, &at), ROCECC_ACL_ACCEPTED);
    CHECK_EQ(rocecc_aclindex_init(&x, &acl, cells, n * ROCECC_ACLINDEX_CELLS),
             ROCECC_OK);
    for (i = 0; i < n; i++)
        CHECK_EQ(rocecc_aclindex_lookup(&x, &e[i].prefix).tag, e[i].tag);
    return x;
}

/*
 * Sixteen entries reach 16 of the 256 cells of 8 bits, and two of them differ only in
 * the last bit. That is one cell in 16, so the step has 8 bits. Fifteen are too few,
 * and 7 bits separate them no better than 4. A 17th in a used cell makes init() try 9
 * bits, but changes nothing. Runs in both halves of an address.
 */
TEST(aclindex_widest_step_uses_one_cell_in_16)
{
    rocecc_aclindex_cell cells[17 * ROCECC_ACLINDEX_CELLS];
    rocecc_acl_entry e[17];
    uint32_t n, half;
    for (half = 0; half < 2; half++)
        for (n = 15; n <= 17; n++) {
            const uint32_t bits = n == 15 ? 4 : 8;
            uint32_t i;
            e[0] = byte_entry(0, half);
            e[1] = byte_entry(1, half);
            for (i = 2; i < n; i++)
                e[i] = byte_entry((uint8_t)(i << 4), half);
            if (n == 17) {
                e[16] = byte_entry(0, half);
                e[16].prefix.b[8 * half + 1] = 0x80;
                e[16].length = (uint8_t)(e[16].length + 8);
                e[16].tag = 99;
            }
            CHECK_EQ(indexed(e, n, cells).cells[0].step, bits << 8 | half * 64);
        }
}

/* A step reaches the end of an address half (four /64), but not beyond (five /65). */
TEST(aclindex_step_stays_in_one_address_half)
{
    rocecc_aclindex_cell cells[5 * ROCECC_ACLINDEX_CELLS];
    rocecc_acl_entry e[5];
    rocecc_aclindex x;
    uint32_t i;
    memset(e, 0, sizeof e);
    for (i = 0; i < 4; i++) {
        e[i].prefix.b[7] = (uint8_t)i;
        e[i].length = 64;
        e[i].tag = i;
    }
    x = indexed(e, 4, cells);
    CHECK_EQ(x.cells[0].step, 2u << 8 | 62);
    CHECK_EQ(x.n_cells, 5);
    memset(e, 0, sizeof e);
    for (i = 0; i < 5; i++) {
        e[i].prefix.b[7] = (uint8_t)(i / 2);
        e[i].prefix.b[8] = (uint8_t)(i % 2 << 7);
        e[i].length = 65;
        e[i].tag = i;
    }
    x = indexed(e, 5, cells);
    CHECK_EQ(x.cells[0].step, 2u << 8 | 62);
    CHECK_EQ(x.cells[1].step, 1u << 8 | 64);
}

/* An empty list takes one cell, but ROCECC_ACLINDEX_CELLS per entry is 0. */
TEST(aclindex_of_an_empty_list_takes_one_cell)
{
    rocecc_aclindex_cell cells[2] = {{7, 7}, {8, 8}};
    rocecc_aclindex x;
    const rocecc_acl empty = rocecc_acl_attach(NULL, 0);
    const rocecc_ip6 address = {{0}};
    rocecc_acl_result m;
    memset(&x, 0xa5, sizeof x);
    CHECK_EQ(rocecc_aclindex_init(&x, &empty, cells, 0), ROCECC_ERR_SPACE);
    CHECK(x.n_cells == 0xa5a5a5a5 && cells[0].index == 7);
    CHECK_EQ(rocecc_aclindex_init(&x, &empty, cells, 1), ROCECC_OK);
    CHECK(x.n_cells == 1 && x.cells == cells && cells[1].index == 8);
    m = rocecc_aclindex_lookup(&x, &address);
    CHECK(!m.found && !m.permit && m.length == 0 && m.tag == 0);
}
