/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * guard_edges.c - what guard/ makes of values at the edge of what there is: the longest
 * chain of an index, 2^32 bytes that wait, what lies beyond a table. The rules are of
 * guard/README.md.
 */
#include "lib/test.h"
#include "rocecc/guard/aclindex.h"
#include "rocecc/guard/backlog.h"
#include "rocecc/guard/flowtable.h"
#include "rocecc/guard/qpnlearner.h"

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
        cells[i].at = i + 1;
        cells[i].step = 1 << 8 | i;
    }
    cells[128].at = 0;
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
 * come to, are as good as 4. In either half of an address.
 */
TEST(edges_aclindex_one_cell_in_16)
{
    rocecc_aclindex_cell cells[16 * ROCECC_ACLINDEX_CELLS];
    rocecc_acl_entry e[16];
    uint32_t n, half;
    for (half = 0; half < 2; half++)
        for (n = 15; n <= 16; n++) {
            const uint32_t bits = n == 16 ? 8 : 4;
            uint32_t i;
            e[0] = byte_entry(0, half);
            e[1] = byte_entry(1, half);
            for (i = 2; i < n; i++)
                e[i] = byte_entry((uint8_t)(i << 4), half);
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

static rocecc_flowtable_params flowtable_of(uint32_t buckets)
{
    rocecc_flowtable_params p = rocecc_flowtable_l3qcn();
    p.secret[0] = 1;
    p.secret[1] = 2;
    p.buckets = buckets;
    p.evict_oldest = 1;
    CHECK_EQ(rocecc_flowtable_init(&p), ROCECC_FLOWTABLE_ACCEPTED);
    return p;
}

static rocecc_flowtable_entry flow_entry(uint16_t src_port)
{
    rocecc_flowtable_entry e;
    memset(&e, 0, sizeof e);
    e.flow.proto = 17;
    e.flow.src_port = src_port;
    return e;
}

/* It empties params.buckets buckets: what lies beyond them is the caller's. */
TEST(edges_flowtable_starts_in_its_buckets_alone)
{
    const rocecc_flowtable_params p = flowtable_of(2);
    rocecc_flowtable_bucket bucket[3];
    const rocecc_flowtable_memory m = {bucket, NULL};
    uint32_t i;
    memset(bucket, 0xa5, sizeof bucket);
    (void)rocecc_flowtable_start(&p, &m);
    for (i = 0; i < 24; i++)
        CHECK_EQ(bucket[i / 8].mark[i % 8], i < 16 ? 0 : 0xa5a5);
}

/* FT-1: a flow is looked for in its two buckets, 16 slots, and in no others. */
TEST(edges_FT_1_no_other_bucket)
{
    static rocecc_flowtable_bucket bucket[9];
    static rocecc_flowtable_slot slots[72];
    const rocecc_flowtable_memory m = {bucket, slots};
    const rocecc_flowtable_params p = flowtable_of(8);
    uint16_t n;
    for (n = 0; n < 32; n++) {
        const rocecc_flowtable_entry e = flow_entry(n);
        const rocecc_flowtable_place_ at =
            rocecc_flowtable_place_of_(&p, &e.flow, e.vrf);
        uint32_t i;
        for (i = 0; i < 72; i++) {
            const bool own = i / 8 == at.bucket[0] || i / 8 == at.bucket[1];
            memset(bucket, 0, sizeof bucket);
            memset(slots, 0, sizeof slots);
            bucket[i / 8].mark[i % 8] = at.mark;
            slots[i].entry = e;
            CHECK_EQ(rocecc_flowtable_lookup(&p, &m, &e.flow, e.vrf, 0).slot,
                     own ? i : ROCECC_FLOWTABLE_NONE);
        }
    }
}

/*
 * FT-1, FT-4, FT-9: 16 flows whose last frames are all as far ahead of a clock set back
 * as they may be. One of them gives way, and none of another bucket.
 */
TEST(edges_FT_4_all_as_old)
{
    static rocecc_flowtable_bucket bucket[8];
    static rocecc_flowtable_slot slots[64];
    const rocecc_flowtable_memory m = {bucket, slots};
    const rocecc_flowtable_params p = flowtable_of(8);
    rocecc_flowtable t = rocecc_flowtable_start(&p, &m);
    uint32_t learned = 0;
    uint16_t n;
    memset(slots, 0, sizeof slots);
    for (n = 0; learned < 17; n++) {
        const rocecc_flowtable_entry e = flow_entry(n);
        const rocecc_flowtable_place_ at =
            rocecc_flowtable_place_of_(&p, &e.flow, e.vrf);
        rocecc_flowtable_action act;
        if (at.bucket[0] != 2 || at.bucket[1] != 6) continue;
        act = rocecc_flowtable_learn(&p, &t, &m, &e,
                                     learned < 16 ? 5000 + p.expiry_ms - 1 : 5000);
        CHECK_EQ(act.what,
                 learned < 16 ? ROCECC_FLOWTABLE_LEARNED : ROCECC_FLOWTABLE_EVICTED);
        CHECK(act.slot / 8 == 2 || act.slot / 8 == 6);
        learned++;
    }
    CHECK_EQ(t.used, 16);
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
