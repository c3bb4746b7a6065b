/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * aclindex_edges.c - the steps of an index at their edges: the longest chain, the
 * widest that few entries may have, the last bit of a half of an address.
 */
#include "lib/test.h"
#include "rocecc/guard/aclindex.h"

#include <string.h>

/* A prefix of one byte, the first of either half of an address. */
static rocecc_acl_entry byte_entry(uint8_t value, uint32_t half)
{
    rocecc_acl_entry e;
    memset(&e, 0, sizeof e);
    e.prefix.b[8 * half] = value;
    e.length = (uint8_t)(64 * half + 8);
    e.tag = value;
    return e;
}

/* An index may have 128 steps of a bit each in a row, and then what they lead to. */
TEST(edges_aclindex_a_step_for_each_bit)
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

/* That many of the entries, as an index. */
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
 * A step is as wide as it can be if entries come to one cell in 16: 16 bytes, two of
 * which share 7 bits, to the 256 cells of 8 bits. 15 do not: 7 bits, which 14 of them
 * come to, are as good as 4. A 17th, which shares a byte with another, would make 9
 * bits worth a try, and changes nothing. In either half of an address.
 */
TEST(edges_aclindex_one_cell_in_16)
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

/* A step reaches the end of its half, and no further: here of four networks of 64. */
TEST(edges_aclindex_the_end_of_a_half)
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
