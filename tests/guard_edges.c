/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * guard_edges.c - what guard/ makes of values at the edge of what there is: the longest
 * chain of an index, 2^32 bytes that wait, what lies beyond a table. The rules are of
 * guard/README.md.
 */
#include "lib/test.h"
#include "rocecc/guard/aclindex.h"
#include "rocecc/guard/backlog.h"
#include "rocecc/guard/qpnlearner.h"

#include <string.h>

/* A prefix of 8 bits. */
static rocecc_acl_entry byte_entry(uint8_t first)
{
    rocecc_acl_entry e;
    memset(&e, 0, sizeof e);
    e.prefix.b[0] = first;
    e.length = 8;
    e.tag = first;
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
        cells[i].at = i + 1;
        cells[i].step = 1 << 8 | i;
    }
    cells[128].at = 0;
    cells[128].step = 0;
    x = rocecc_aclindex_attach(&acl, cells, 129);
    CHECK(rocecc_aclindex_lookup(&x, &e.prefix).found);
    CHECK_EQ(rocecc_aclindex_lookup(&x, &e.prefix).tag, 7);
}

/*
 * A step is as wide as it can be if entries come to one cell in 16: 16 first bytes, two
 * of which share 7 bits, to the 256 cells of 8 bits. 15 do not: 7 bits, which 14 of
 * them come to, are as good as 4.
 */
TEST(edges_aclindex_one_cell_in_16)
{
    rocecc_aclindex_cell cells[16 * ROCECC_ACLINDEX_CELLS];
    rocecc_acl_entry e[16];
    uint32_t n;
    for (n = 15; n <= 16; n++) {
        rocecc_aclindex x;
        rocecc_acl acl;
        uint32_t at = 0, i;
        e[0] = byte_entry(0);
        e[1] = byte_entry(1);
        for (i = 2; i < n; i++)
            e[i] = byte_entry((uint8_t)(i << 4));
        CHECK_EQ(rocecc_acl_init(&acl, e, n, &at), ROCECC_ACL_ACCEPTED);
        CHECK_EQ(rocecc_aclindex_init(&x, &acl, cells, n * ROCECC_ACLINDEX_CELLS),
                 ROCECC_OK);
        CHECK_EQ(x.cells[0].step, (n == 16 ? 8 : 4) << 8);
        for (i = 0; i < n; i++)
            CHECK_EQ(rocecc_aclindex_lookup(&x, &e[i].prefix).tag, e[i].tag);
    }
}

/* B-2: what waits is 64 bits, and 2^32 of it are not nothing. */
TEST(edges_backlog_of_4_gib)
{
    static rocecc_slot slots[16];
    rocecc_pause_params p = rocecc_pause_lab(ROCECC_PAUSE_PRIORITY);
    rocecc_backlog t = rocecc_backlog_start(16);
    rocecc_pause_traffic x;
    rocecc_backlog_came came;
    memset(slots, 0, sizeof slots);
    memset(&x, 0, sizeof x);
    p.hash_key[0] = 1;
    (void)rocecc_backlog_add(&p, &t, slots, &x, UINT32_MAX);
    came = rocecc_backlog_add(&p, &t, slots, &x, 1);
    CHECK_EQ(came.bytes, UINT64_C(1) << 32);
    CHECK_EQ(rocecc_backlog_sub(&t, slots, came.slot, 1), UINT32_MAX);
    CHECK_EQ(rocecc_backlog_sub(&t, slots, came.slot, UINT32_MAX), 0);
    CHECK_EQ(t.used, 0);
}

/* A key is looked for in its two buckets, 16 slots, and in no others. */
TEST(edges_slot_no_other_bucket)
{
    static const uint64_t secret[2] = {1, 2};
    static rocecc_slot slots[64];
    uint32_t port, slot, others = 0;
    for (port = 0; port < 32; port++) {
        const rocecc_slot_key_ k = rocecc_slot_key_of_priority_(3, port, 1);
        const rocecc_slot_at_ at = rocecc_slot_at_of_(secret, 64, &k);
        for (slot = 0; slot < 64; slot++) {
            const bool own = slot / 8 == at.slot[0] / 8 || slot / 8 == at.slot[1] / 8;
            memset(slots, 0, sizeof slots);
            rocecc_slot_give_(&slots[slot], &k);
            CHECK_EQ(rocecc_slot_find_(slots, &at), own ? slot : ROCECC_SLOT_NONE);
            others += !own;
        }
    }
    CHECK_EQ(others, 32 * 48);
}

/* A table has p->known slots: what lies beyond them is no part of it. */
TEST(edges_qpnlearner_beyond_the_table)
{
    static rocecc_qpnlearner_slot known[ROCECC_QPNLEARNER_WAYS + 1];
    rocecc_qpnlearner_params p;
    rocecc_qpnlearner_flow flow;
    uint32_t qpn = 0, i;
    memset(&p, 0, sizeof p);
    memset(&flow, 0, sizeof flow);
    memset(known, 0, sizeof known);
    p.secret[0] = 1;
    p.half = p.known = ROCECC_QPNLEARNER_WAYS;
    p.half_ns = p.known_ns = 1000;
    CHECK_EQ(rocecc_qpnlearner_init(&p), ROCECC_QPNLEARNER_ACCEPTED);
    flow.to_qpn = 9;
    for (i = 0; i <= ROCECC_QPNLEARNER_WAYS; i++) {
        rocecc_qpnlearner_start(known, ROCECC_QPNLEARNER_WAYS + 1);
        known[i].to_qpn = 9;
        known[i].from_qpn = 5;
        known[i].state = ROCECC_QPNLEARNER_CONNECTED;
        qpn = 0;
        CHECK_EQ(rocecc_qpnlearner_lookup(&p, known, &flow, 0, &qpn),
                 i < ROCECC_QPNLEARNER_WAYS);
        CHECK_EQ(qpn, i < ROCECC_QPNLEARNER_WAYS ? 5 : 0);
    }
}
