/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * guard_edges.c - what guard/ makes of values at the edge of what there is: 2^32 bytes
 * that wait, flows that are all as old, what lies beyond a table. The rules are of
 * guard/README.md.
 */
#include "lib/test.h"
#include "rocecc/guard/acl.h"
#include "rocecc/guard/backlog.h"
#include "rocecc/guard/flowtable.h"
#include "rocecc/guard/qpnlearner.h"

#include <string.h>

/* B-2: what waits is 64 bits, and 2^32 of it are not nothing. */
TEST(edges_backlog_of_4_gib)
{
    static rocecc_traffic_slot slots[16];
    rocecc_pause_params p = rocecc_pause_lab(ROCECC_PAUSE_PRIORITY);
    rocecc_backlog t = rocecc_backlog_start(16);
    rocecc_pause_traffic x;
    rocecc_backlog_result came;
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
    static rocecc_traffic_slot slots[64];
    uint32_t port, slot, others = 0;
    for (port = 0; port < 32; port++) {
        const rocecc_traffic_slot_key_ k =
            rocecc_traffic_slot_key_of_priority_(3, port, 1);
        const rocecc_traffic_slot_place_ at =
            rocecc_traffic_slot_place_of_(secret, 64, &k);
        for (slot = 0; slot < 64; slot++) {
            const bool own = slot / 8 == at.slot[0] / 8 || slot / 8 == at.slot[1] / 8;
            memset(slots, 0, sizeof slots);
            rocecc_traffic_slot_assign_(&slots[slot], &k);
            CHECK_EQ(rocecc_traffic_slot_find_(slots, &at),
                     own ? slot : ROCECC_TRAFFIC_SLOT_NONE);
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
    static rocecc_flowtable_bucket bucket[32];
    static rocecc_flowtable_slot slots[256];
    const rocecc_flowtable_memory m = {bucket, slots};
    const rocecc_flowtable_params p = flowtable_of(32);
    rocecc_flowtable t = rocecc_flowtable_start(&p, &m);
    uint32_t learned = 0;
    uint16_t n;
    memset(slots, 0, sizeof slots);
    for (n = 0; learned < 17; n++) {
        const rocecc_flowtable_entry e = flow_entry(n);
        const rocecc_flowtable_place_ at =
            rocecc_flowtable_place_of_(&p, &e.flow, e.vrf);
        rocecc_flowtable_learn_result act;
        if (at.bucket[0] != 9 || at.bucket[1] != 25) continue;
        act = rocecc_flowtable_learn(&p, &t, &m, &e,
                                     learned < 16 ? 5000 + p.expiry_ms - 1 : 5000);
        CHECK_EQ(act.what,
                 learned < 16 ? ROCECC_FLOWTABLE_LEARNED : ROCECC_FLOWTABLE_EVICTED);
        CHECK(act.slot / 8 == 9 || act.slot / 8 == 25);
        learned++;
    }
    CHECK_EQ(t.used, 16);
}

/* Eight bytes of an address: of traffic_slot.h and acl.h the first is the highest. */
TEST(edges_eight_bytes_of_an_address)
{
    static const uint8_t b[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    CHECK_EQ(rocecc_traffic_slot_load64_(b), UINT64_C(0x0102030405060708));
    CHECK_EQ(rocecc_acl_load64_(b), UINT64_C(0x0102030405060708));
    CHECK_EQ(rocecc_flowtable_load64_(b), UINT64_C(0x0807060504030201));
    CHECK_EQ(rocecc_qpnlearner_load64_(b), UINT64_C(0x0807060504030201));
}

static rocecc_qpnlearner_params qpnlearner_of(uint32_t half, uint32_t known)
{
    rocecc_qpnlearner_params p;
    memset(&p, 0, sizeof p);
    p.secret[0] = 1;
    p.half = half;
    p.known = known;
    p.half_ns = p.known_ns = 1000;
    CHECK_EQ(rocecc_qpnlearner_init(&p), ROCECC_QPNLEARNER_ACCEPTED);
    return p;
}

/* Requests lie in p->half slots, however many known[] has, and none is made beyond. */
TEST(edges_qpnlearner_half_has_a_size_of_its_own)
{
    static rocecc_qpnlearner_slot half[65], known[64];
    const rocecc_qpnlearner_params p = qpnlearner_of(8, 64);
    rocecc_qpnlearner_message m;
    uint32_t i;
    memset(half, 0xa5, sizeof half);
    memset(known, 0, sizeof known);
    memset(&m, 0, sizeof m);
    rocecc_qpnlearner_start(half, 8);
    for (i = 0; i < 65; i++)
        CHECK_EQ(half[i].state, i < 8 ? ROCECC_QPNLEARNER_EMPTY : 0xa5);
    m.kind = ROCECC_QPNLEARNER_REQ;
    m.qpn = 9;
    for (m.src_id = 0; m.src_id < 64; m.src_id++)
        CHECK_EQ(rocecc_qpnlearner_learn(&p, half, known, &m, m.src_id),
                 ROCECC_QPNLEARNER_ASKED);
    for (i = 0; i < 65; i++)
        CHECK_EQ(half[i].state, i < 8 ? ROCECC_QPNLEARNER_HAS_REQ : 0xa5);
    half[8] = half[0]; /* a request beyond the table is none */
    m.kind = ROCECC_QPNLEARNER_REP;
    m.dst_id = half[0].src_id;
    m.src_id = 5;
    half[0].state = ROCECC_QPNLEARNER_EMPTY;
    CHECK_EQ(rocecc_qpnlearner_learn(&p, half, known, &m, 64), ROCECC_QPNLEARNER_STRAY);
    half[0] = half[8];
    CHECK_EQ(rocecc_qpnlearner_learn(&p, half, known, &m, 64),
             ROCECC_QPNLEARNER_ANSWERED);
}

/* A table has p->known slots: what lies beyond them is no part of it. */
TEST(edges_qpnlearner_beyond_the_table)
{
    static rocecc_qpnlearner_slot known[ROCECC_QPNLEARNER_WAYS + 1];
    const rocecc_qpnlearner_params p =
        qpnlearner_of(ROCECC_QPNLEARNER_WAYS, ROCECC_QPNLEARNER_WAYS);
    rocecc_qpnlearner_flow flow;
    uint32_t qpn = 0, i;
    memset(&flow, 0, sizeof flow);
    memset(known, 0, sizeof known);
    flow.dst_qpn = 9;
    for (i = 0; i <= ROCECC_QPNLEARNER_WAYS; i++) {
        rocecc_qpnlearner_start(known, ROCECC_QPNLEARNER_WAYS + 1);
        known[i].dst_qpn = 9;
        known[i].src_qpn = 5;
        known[i].state = ROCECC_QPNLEARNER_CONNECTED;
        qpn = 0;
        CHECK_EQ(rocecc_qpnlearner_lookup(&p, known, &flow, 0, &qpn),
                 i < ROCECC_QPNLEARNER_WAYS);
        CHECK_EQ(qpn, i < ROCECC_QPNLEARNER_WAYS ? 5 : 0);
    }
}
