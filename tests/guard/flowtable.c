/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/flowforget.h"
#include "law/flowtable.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

#define EXPIRY 10000u
#define BUCKETS 8u
#define MANY 16384u /* buckets of a table that fills up */

static rocecc_flowtable_bucket in_bucket[MANY];
static rocecc_flowtable_slot in_slot[8 * MANY];
static const rocecc_flowtable_memory memory = {in_bucket, in_slot};

static rocecc_flowtable_params made(uint32_t buckets, uint8_t evict_oldest)
{
    rocecc_flowtable_params p = rocecc_flowtable_l3qcn();
    p.secret[0] = 0x0123456789abcdef;
    p.secret[1] = 0xfedcba9876543210;
    p.buckets = buckets;
    p.evict_oldest = evict_oldest;
    CHECK_EQ(rocecc_flowtable_init(&p), ROCECC_FLOWTABLE_ACCEPTED);
    return p;
}

/* Starts a table in memory that holds 0xa5. */
static rocecc_flowtable fresh(const rocecc_flowtable_params *p)
{
    memset(in_bucket, 0xa5, p->buckets * sizeof in_bucket[0]);
    memset(in_slot, 0xa5, p->buckets * 8 * sizeof in_slot[0]);
    return rocecc_flowtable_start(p, &memory);
}

static rocecc_ip6 ip4(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    rocecc_ip6 x = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0}};
    x.b[12] = a;
    x.b[13] = b;
    x.b[14] = c;
    x.b[15] = d;
    return x;
}

/* Returns flow n. No two flows are the same. */
static rocecc_flow flow_of(uint32_t n)
{
    rocecc_flow f;
    memset(&f, 0x5a, sizeof f); /* also the padding */
    f.src = ip4(10, 1, (uint8_t)(n >> 24), (uint8_t)(n >> 16));
    f.dst = ip4(10, 2, 20, 1);
    f.src_port = (uint16_t)n;
    f.dst_port = 4791;
    f.proto = 17;
    return f;
}

static rocecc_flowtable_origin origin_of(uint16_t n)
{
    rocecc_flowtable_origin o = law_flowtable_origin(0);
    o.flow_id = n;
    return o;
}

static rocecc_flowtable_learn_result learn_from(const rocecc_flowtable_params *p,
                                                rocecc_flowtable *t,
                                                const rocecc_flow *flow,
                                                const rocecc_flowtable_origin *origin,
                                                uint32_t now_ms)
{
    rocecc_flowtable_entry came;
    came.vrf = 0;
    came.flow = *flow;
    came.origin = *origin;
    return rocecc_flowtable_learn(p, t, &memory, &came, now_ms);
}

/* Learns flow n from origin n. */
static rocecc_flowtable_learn_result learn(const rocecc_flowtable_params *p,
                                           rocecc_flowtable *t, uint32_t n,
                                           uint32_t now_ms)
{
    const rocecc_flow flow = flow_of(n);
    const rocecc_flowtable_origin origin = origin_of((uint16_t)n);
    return learn_from(p, t, &flow, &origin, now_ms);
}

static rocecc_flowtable_lookup_result lookup(const rocecc_flowtable_params *p,
                                             uint32_t n, uint32_t now_ms)
{
    const rocecc_flow flow = flow_of(n);
    return rocecc_flowtable_lookup(p, &memory, &flow, 0, now_ms);
}

static void check_learned(rocecc_flowtable_learn_result act,
                          rocecc_flowtable_learn_outcome what, uint32_t slot)
{
    CHECK_EQ(act.what, what);
    CHECK_EQ(act.slot, slot);
}

static void check_found(const rocecc_flowtable_params *p, uint32_t n, uint32_t now_ms)
{
    const rocecc_flowtable_lookup_result m = lookup(p, n, now_ms);
    const rocecc_flowtable_origin origin = origin_of((uint16_t)n);
    CHECK_EQ(m.what, ROCECC_FLOWTABLE_FOUND);
    CHECK(law_flowtable_same_origin(&m.origin, &origin));
}

static void check_not_found(rocecc_flowtable_lookup_result m,
                            rocecc_flowtable_lookup_outcome what)
{
    const rocecc_flowtable_origin none = {{{0}}, {{0}}, 0, 0, {{0, 0}, {0, 0}}, 0, 0};
    CHECK_EQ(m.what, what);
    CHECK_EQ(m.slot == ROCECC_FLOWTABLE_NONE, what == ROCECC_FLOWTABLE_UNKNOWN);
    CHECK(law_flowtable_same_origin(&m.origin, &none));
}

/* Finds the first n flows with the first bucket of each half. */
static void colliding(const rocecc_flowtable_params *p, uint32_t *flows, uint32_t n)
{
    uint32_t i, k = 0;
    for (i = 0; k < n; i++) {
        const rocecc_flow flow = flow_of(i);
        const uint64_t hash = law_flowtable_hash(p->secret, &flow, 0);
        if ((hash & (p->buckets / 2 - 1)) == 0 &&
            (hash >> 24 & (p->buckets / 2 - 1)) == 0)
            flows[k++] = i;
    }
}

/* Returns a table with two full buckets. The 16 flows were learned at 100, 101, ... */
static rocecc_flowtable filled(const rocecc_flowtable_params *p, uint32_t *flows)
{
    rocecc_flowtable t = fresh(p);
    uint32_t i;
    colliding(p, flows, 20);
    for (i = 0; i < 16; i++)
        CHECK_EQ(learn(p, &t, flows[i], 100 + i).what, ROCECC_FLOWTABLE_LEARNED);
    CHECK_EQ(t.used, 16);
    return t;
}

static void check_refused(const rocecc_flowtable_params *p,
                          rocecc_flowtable_refusal refusal)
{
    CHECK_EQ(rocecc_flowtable_init(p), refusal);
    CHECK_EQ(law_flowtable_refusal(p), refusal);
}

TEST(flowtable_refusals)
{
    const rocecc_flowtable_params good = made(2, 1);
    rocecc_flowtable_params p = good;
    uint32_t i;
    p.secret[0] = 0;
    check_refused(&p, ROCECC_FLOWTABLE_ACCEPTED);
    p.secret[1] = 0;
    check_refused(&p, ROCECC_FLOWTABLE_REFUSED_SECRET);
    p.secret[0] = (uint64_t)1 << 63;
    check_refused(&p, ROCECC_FLOWTABLE_ACCEPTED);
    for (i = 0; i < 300; i++) {
        p = good;
        p.buckets = i;
        CHECK_EQ(rocecc_flowtable_init(&p) == ROCECC_FLOWTABLE_ACCEPTED,
                 i == 2 || i == 4 || i == 8 || i == 16 || i == 32 || i == 64 ||
                     i == 128 || i == 256);
    }
    p.buckets = ROCECC_FLOWTABLE_BUCKETS_MAX;
    check_refused(&p, ROCECC_FLOWTABLE_ACCEPTED);
    p.buckets *= 2;
    check_refused(&p, ROCECC_FLOWTABLE_REFUSED_BUCKETS);
    p.buckets = 0x80000000;
    check_refused(&p, ROCECC_FLOWTABLE_REFUSED_BUCKETS);
    p.buckets = ROCECC_FLOWTABLE_BUCKETS_MAX + 2;
    check_refused(&p, ROCECC_FLOWTABLE_REFUSED_BUCKETS);
    p = good;
    p.expiry_ms = 0;
    check_refused(&p, ROCECC_FLOWTABLE_REFUSED_EXPIRY);
    p.expiry_ms = 1;
    check_refused(&p, ROCECC_FLOWTABLE_ACCEPTED);
    p.expiry_ms = 0x7fffffff;
    check_refused(&p, ROCECC_FLOWTABLE_ACCEPTED);
    p.expiry_ms++;
    check_refused(&p, ROCECC_FLOWTABLE_REFUSED_EXPIRY);
    p = good;
    p.evict_oldest = 2;
    check_refused(&p, ROCECC_FLOWTABLE_REFUSED_EVICT);
}

TEST(flowtable_sizes)
{
    CHECK_EQ(sizeof(rocecc_flowtable_entry), 68);
    CHECK_EQ(sizeof(rocecc_flowtable_bucket), 16);
    CHECK_EQ(sizeof(rocecc_flowtable_slot), 72);
    CHECK_EQ(rocecc_flowtable_l3qcn().expiry_ms, 10000);
    CHECK_EQ(rocecc_flowtable_l3qcn().evict_oldest, 0);
    CHECK_EQ(rocecc_flowtable_buckets(0), 2);
    CHECK_EQ(rocecc_flowtable_buckets(10), 2);
    CHECK_EQ(rocecc_flowtable_buckets(11), 4);
    CHECK_EQ(rocecc_flowtable_buckets(1000000), 1 << 18);
    CHECK_EQ(rocecc_flowtable_buckets(5 * ROCECC_FLOWTABLE_BUCKETS_MAX),
             ROCECC_FLOWTABLE_BUCKETS_MAX);
    CHECK_EQ(rocecc_flowtable_buckets(5 * ROCECC_FLOWTABLE_BUCKETS_MAX + 1), 0);
    CHECK_EQ(rocecc_flowtable_buckets(UINT32_MAX), 0);
}

/*
 * Published values for the secret 00 01 .. 0f and the message 00 01 .. n - 1. The 2-4
 * values are from vectors.h of github.com/veorq/SipHash, by its authors. The 1-3 values
 * are from Rust's core::hash, library/coretests/tests/hash/sip.rs. Their low halves are
 * the hsiphash values in lib/test_siphash.c of Linux.
 */
TEST(flowtable_siphash_vectors)
{
    static const struct {
        unsigned n;
        uint64_t sip24, sip13;
    } rows[] = {{0, 0x726fdb47dd0e0e31, 0xabac0158050fc4dc},
                {1, 0x74f839c593dc67fd, 0xc9f49bf37d57ca93},
                {7, 0xab0200f58b01d137, 0xd3927d989bb11140},
                {8, 0x93f5f5799a932462, 0x369095118d299a8e},
                {15, 0xa129ca6149be45e5, 0xd320d86d2a519956},
                {16, 0x3f2acc7f57c29bdb, 0xcc4fdd1a7d908b66},
                {32, 0x7127512f72f27cce, 0x81157b6c16a7b60d},
                {36, 0x314dffbe0815a3b4, 0x2cf508d3ada26206},
                {37, 0x027990f029623981, 0xb6101c2da3c33057},
                {38, 0xcadcd4e59ef40c4d, 0xb3f47496ae3a36a1},
                {63, 0x958a324ceb064572, 0x9d199062b7bbb3a8}};
    const uint64_t secret[2] = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
    uint8_t message[63];
    rocecc_flow flow;
    rocecc_flowtable_key_ key;
    uint8_t i;
    size_t k;
    for (i = 0; i < sizeof message; i++)
        message[i] = i;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        test_context("%u bytes", rows[k].n);
        CHECK_EQ(law_sip_hash(secret, message, rows[k].n, 2, 4), rows[k].sip24);
        CHECK_EQ(law_sip_hash(secret, message, rows[k].n, 1, 3), rows[k].sip13);
    }
    /*
     * 39 bytes, as for a five-tuple and its VRF. The hash is by a third implementation.
     */
    memcpy(flow.src.b, message, 16);
    memcpy(flow.dst.b, message + 16, 16);
    flow.src_port = 0x2120;
    flow.dst_port = 0x2322;
    flow.proto = 0x24;
    key = rocecc_flowtable_key_of_(&flow, 0x2625);
    CHECK_EQ(rocecc_flowtable_hash_(secret, &key), 0x626b57547b108392);
    CHECK_EQ(law_flowtable_hash(secret, &flow, 0x2625), 0x626b57547b108392);
}

/* A hash with mark 0 gives mark 1, because 0 means an empty slot. */
TEST(flowtable_mark_is_never_0)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    rocecc_flowtable t = fresh(&p);
    uint32_t n, slot;
    for (n = 0;; n++) {
        const rocecc_flow flow = flow_of(n);
        if (law_flowtable_hash(p.secret, &flow, 0) >> 48 == 0) break;
    }
    slot = learn(&p, &t, n, 0).slot;
    CHECK_EQ(in_bucket[slot / 8].mark[slot % 8], 1);
    check_found(&p, n, 0);
    CHECK_EQ(learn(&p, &t, n, 0).what, ROCECC_FLOWTABLE_REFRESHED);
}

/* Table 1 of the draft, with six bytes per MAC. The VLAN column is the tag. */
typedef struct table_row {
    uint8_t src[4], dst[4];
    uint16_t src_port, dst_port;
    uint8_t proto, mac[6];
    uint16_t flow_id, vid;
} table_row;

static const table_row table_1[] = {{{192, 168, 2, 100},
                                     {192, 168, 3, 30},
                                     5678,
                                     21,
                                     6,
                                     {2, 1, 0xa4, 0xf5, 0xae, 0xfe},
                                     0xa878,
                                     100},
                                    {{10, 1, 10, 2},
                                     {10, 2, 20, 1},
                                     8957,
                                     21,
                                     6,
                                     {2, 0xfd, 0x16, 0x78, 0x3a, 0xcd},
                                     0xc9a0,
                                     1024},
                                    {{192, 168, 2, 100},
                                     {10, 3, 50, 1},
                                     2345,
                                     80,
                                     6,
                                     {2, 0x0a, 0x25, 0x36, 0x41, 1},
                                     0x0ac9,
                                     3},
                                    {{200, 1, 2, 3},
                                     {100, 2, 3, 4},
                                     2567,
                                     47,
                                     17,
                                     {2, 0xed, 0x16, 0xd8, 0xea, 0x0a},
                                     0x37a0,
                                     90}};

static rocecc_flow row_flow(const table_row *row)
{
    rocecc_flow f;
    f.src = ip4(row->src[0], row->src[1], row->src[2], row->src[3]);
    f.dst = ip4(row->dst[0], row->dst[1], row->dst[2], row->dst[3]);
    f.src_port = row->src_port;
    f.dst_port = row->dst_port;
    f.proto = row->proto;
    return f;
}

static rocecc_flowtable_origin row_origin(const table_row *row)
{
    rocecc_flowtable_origin o = law_flowtable_origin(0);
    memcpy(o.mac_sa.b, row->mac, 6);
    o.flow_id = row->flow_id;
    o.tag[0].tpid = 0x8100;
    o.tag[0].vid = row->vid;
    o.tag[1].tpid = o.tag[1].vid = 0;
    o.n_tags = 1;
    return o;
}

TEST(R_L3_3_flows_of_table_1_are_learned)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    rocecc_flowtable t = fresh(&p);
    size_t i;
    for (i = 0; i < 8; i++) { /* learned first, then refreshed */
        const table_row *row = &table_1[i % 4];
        const rocecc_flowtable_origin o = row_origin(row);
        rocecc_flow f = row_flow(row);
        rocecc_flowtable_lookup_result m;
        CHECK_EQ(learn_from(&p, &t, &f, &o, 5).what,
                 i < 4 ? ROCECC_FLOWTABLE_LEARNED : ROCECC_FLOWTABLE_REFRESHED);
        m = rocecc_flowtable_lookup(&p, &memory, &f, 0, 5);
        CHECK_EQ(m.what, ROCECC_FLOWTABLE_FOUND);
        CHECK_EQ(m.origin.flow_id, row->flow_id);
        CHECK_EQ(m.origin.tag[0].vid, row->vid);
        CHECK(memcmp(m.origin.mac_sa.b, row->mac, 6) == 0);
        CHECK(law_flowtable_same_origin(&m.origin, &o));
        f.src_port++;
        check_not_found(rocecc_flowtable_lookup(&p, &memory, &f, 0, 5),
                        ROCECC_FLOWTABLE_UNKNOWN);
    }
    CHECK_EQ(t.used, 4);
}

static rocecc_flow flipped(rocecc_flow f, unsigned bit)
{
    const uint8_t one = (uint8_t)(1u << bit % 8);
    if (bit < 128)
        f.src.b[bit / 8] ^= one;
    else if (bit < 256)
        f.dst.b[bit / 8 - 16] ^= one;
    else if (bit < 272)
        f.src_port ^= (uint16_t)(1u << (bit - 256));
    else if (bit < 288)
        f.dst_port ^= (uint16_t)(1u << (bit - 272));
    else
        f.proto ^= one;
    return f;
}

/* Flows that differ in one bit of the five-tuple are different. */
TEST(flowtable_compares_every_key_bit)
{
    const rocecc_flowtable_params p = made(64, 0);
    rocecc_flowtable t = fresh(&p);
    const rocecc_flow flow = flow_of(7);
    unsigned bit;
    (void)learn(&p, &t, 7, 0);
    for (bit = 0; bit < 37 * 8; bit++) {
        const rocecc_flow f = flipped(flow, bit);
        const rocecc_flowtable_origin o = origin_of((uint16_t)bit);
        rocecc_flowtable_lookup_result m;
        test_context("bit %u", bit);
        check_not_found(rocecc_flowtable_lookup(&p, &memory, &f, 0, 0),
                        ROCECC_FLOWTABLE_UNKNOWN);
        CHECK_EQ(learn_from(&p, &t, &f, &o, 0).what, ROCECC_FLOWTABLE_LEARNED);
        m = rocecc_flowtable_lookup(&p, &memory, &f, 0, 0);
        CHECK(m.what == ROCECC_FLOWTABLE_FOUND && m.origin.flow_id == bit);
        CHECK_EQ(rocecc_flowtable_lookup(&p, &memory, &flow, 0, 0).origin.flow_id, 7);
    }
    CHECK_EQ(t.used, 37 * 8 + 1);
}

/* Even if marks agree, each bit of the five-tuple is compared. */
TEST(flowtable_compares_the_key_if_marks_agree)
{
    const rocecc_flowtable_params p = made(2, 0);
    rocecc_flowtable t = fresh(&p);
    const rocecc_flow flow = flow_of(7);
    unsigned bit;
    (void)learn(&p, &t, 7, 0); /* left bucket, slot 0 */
    check_found(&p, 7, 0);
    for (bit = 0; bit < 37 * 8; bit++) {
        const rocecc_flow f = flipped(flow, bit);
        in_bucket[0].mark[0] = (uint16_t)(law_flowtable_hash(p.secret, &f, 0) >> 48);
        if (in_bucket[0].mark[0] == 0) in_bucket[0].mark[0] = 1;
        test_context("bit %u", bit);
        check_not_found(rocecc_flowtable_lookup(&p, &memory, &f, 0, 0),
                        ROCECC_FLOWTABLE_UNKNOWN);
    }
}

/* Checks a result of lookup_burst(), where flows below 300 have expired. */
static void check_asked(const rocecc_flowtable_query *q, uint32_t n, uint32_t slot)
{
    const rocecc_flowtable_origin origin = origin_of((uint16_t)n);
    if (n >= 900 || q->vrf != 0) {
        check_not_found(q->match, ROCECC_FLOWTABLE_UNKNOWN);
        return;
    }
    CHECK_EQ(q->match.slot, slot);
    if (n < 300) {
        check_not_found(q->match, ROCECC_FLOWTABLE_AGED);
        return;
    }
    CHECK_EQ(q->match.what, ROCECC_FLOWTABLE_FOUND);
    CHECK(law_flowtable_same_origin(&q->match.origin, &origin));
}

/* Each query of a burst has its own result. Queries above the maximum are unchanged. */
TEST(flowtable_burst_answers_each_query)
{
    enum { MOST = ROCECC_FLOWTABLE_BURST_MAX + 2 };
    static rocecc_flowtable_query q[MOST];
    const rocecc_flowtable_params p = made(256, 0);
    rocecc_flowtable t = fresh(&p);
    uint32_t slot[1200] = {0}, n, i;
    for (i = 0; i < 900; i++) /* flows from 900 on are unknown */
        slot[i] = learn(&p, &t, i, i < 300 ? 0 : 100).slot;
    for (n = 0; n <= MOST; n++) {
        const uint32_t did = n < MOST - 2 ? n : MOST - 2;
        memset(q, 0x77, sizeof q);
        for (i = 0; i < n; i++) {
            q[i].flow = flow_of((n + 37 * i) % 1200);
            q[i].vrf = (uint16_t)(i % 8 == 7);
        }
        CHECK_EQ(rocecc_flowtable_lookup_burst(&p, &memory, q, n, EXPIRY + 50), did);
        for (i = 0; i < MOST; i++) {
            test_context("%u of %u", (unsigned)i, (unsigned)n);
            if (i < did)
                check_asked(&q[i], (n + 37 * i) % 1200, slot[(n + 37 * i) % 1200]);
            else
                CHECK_EQ(q[i].match.slot, 0x77777777);
        }
    }
}

/* If 16 marks agree, the flow's slot is found, or none. */
TEST(flowtable_burst_finds_the_slot_if_marks_agree)
{
    const rocecc_flowtable_params p = made(2, 0);
    uint32_t flows[20], i, k;
    for (k = 0; k < 17; k++) {
        rocecc_flowtable_query q = {{{{0}}, {{0}}, 0, 0, 0}, 0, {0, 0, origin_of(0)}};
        const rocecc_flowtable t = filled(&p, flows);
        const rocecc_flow flow = flow_of(flows[k]);
        const uint32_t slot = lookup(&p, flows[k], 120).slot;
        uint16_t mark = (uint16_t)(law_flowtable_hash(p.secret, &flow, 0) >> 48);
        if (mark == 0) mark = 1;
        for (i = 0; i < 16; i++)
            in_bucket[i / 8].mark[i % 8] = mark;
        q.flow = flow;
        CHECK_EQ(rocecc_flowtable_lookup_burst(&p, &memory, &q, 1, 120), 1);
        test_context("flow %u", (unsigned)k);
        CHECK_EQ(t.used, 16);
        CHECK_EQ(q.match.slot, slot);
        CHECK_EQ(q.match.what,
                 k < 16 ? ROCECC_FLOWTABLE_FOUND : ROCECC_FLOWTABLE_UNKNOWN);
        if (k < 16) CHECK_EQ(q.match.origin.flow_id, (uint16_t)flows[k]);
    }
}

/* Flows are found in their two buckets, and others with these buckets are unknown. */
TEST(FT_1_flows_are_stored_in_their_two_buckets)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    uint32_t flows[20], i;
    (void)filled(&p, flows);
    for (i = 0; i < 16; i++) {
        const uint32_t bucket = lookup(&p, flows[i], 120).slot / 8;
        CHECK(bucket == 0 || bucket == BUCKETS / 2);
    }
    for (i = 16; i < 20; i++)
        check_not_found(lookup(&p, flows[i], 120), ROCECC_FLOWTABLE_UNKNOWN);
}

TEST(FT_2_a_new_flow_takes_the_emptier_bucket)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    uint32_t flows[20], i;
    const uint32_t right = BUCKETS / 2 * 8;
    rocecc_flowtable t = filled(&p, flows);
    for (i = 0; i < 16; i++) /* left, right, left, right, ... */
        CHECK_EQ(lookup(&p, flows[i], 120).slot, i / 2 + (i % 2 ? right : 0));
    in_bucket[0].mark[3] = in_bucket[BUCKETS / 2].mark[5] = 0;
    in_bucket[BUCKETS / 2].mark[2] = 0;
    t.used -= 3;
    check_learned(learn(&p, &t, flows[16], 120), ROCECC_FLOWTABLE_LEARNED, right + 2);
    check_learned(learn(&p, &t, flows[17], 120), ROCECC_FLOWTABLE_LEARNED, 3);
    check_learned(learn(&p, &t, flows[18], 120), ROCECC_FLOWTABLE_LEARNED, right + 5);
    CHECK_EQ(t.used, 16);
    CHECK_EQ(learn(&p, &t, flows[19], 120).what, ROCECC_FLOWTABLE_FULL);
}

TEST(FT_3_the_oldest_expired_flow_is_replaced)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    uint32_t flows[20], oldest;
    rocecc_flowtable t = filled(&p, flows);
    CHECK_EQ(learn(&p, &t, flows[0], 200).what, ROCECC_FLOWTABLE_REFRESHED);
    oldest = lookup(&p, flows[1], 200).slot; /* seen at 101 */
    check_learned(learn(&p, &t, flows[16], 101 + EXPIRY - 1), ROCECC_FLOWTABLE_FULL,
                  ROCECC_FLOWTABLE_NONE);
    check_learned(learn(&p, &t, flows[16], 101 + EXPIRY), ROCECC_FLOWTABLE_REPLACED,
                  oldest);
    CHECK_EQ(t.used, 16);
    check_not_found(lookup(&p, flows[1], 101 + EXPIRY), ROCECC_FLOWTABLE_UNKNOWN);
    check_found(&p, flows[16], 101 + EXPIRY);
    oldest = lookup(&p, flows[2], 102 + EXPIRY).slot; /* the oldest of many */
    check_learned(learn(&p, &t, flows[17], 150 + EXPIRY), ROCECC_FLOWTABLE_REPLACED,
                  oldest);
}

/* An empty slot is used before an expired one. */
TEST(FT_3_an_empty_slot_is_used_first)
{
    const rocecc_flowtable_params p = made(BUCKETS, 1);
    uint32_t flows[20];
    rocecc_flowtable t = filled(&p, flows);
    in_bucket[0].mark[7] = 0;
    t.used--;
    check_learned(learn(&p, &t, flows[16], 150 + EXPIRY), ROCECC_FLOWTABLE_LEARNED, 7);
}

TEST(FT_4_full_buckets_learn_no_new_flow)
{
    static rocecc_flowtable_bucket before[BUCKETS];
    static rocecc_flowtable_slot slots_before[8 * BUCKETS];
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    uint32_t flows[20], i;
    rocecc_flowtable t = filled(&p, flows);
    memcpy(before, in_bucket, sizeof before);
    memcpy(slots_before, in_slot, sizeof slots_before);
    check_learned(learn(&p, &t, flows[16], 120), ROCECC_FLOWTABLE_FULL,
                  ROCECC_FLOWTABLE_NONE);
    CHECK(memcmp(before, in_bucket, sizeof before) == 0);
    CHECK(memcmp(slots_before, in_slot, sizeof slots_before) == 0);
    CHECK_EQ(t.used, 16);
    for (i = 0; i < 16; i++)
        check_found(&p, flows[i], 120);
}

TEST(FT_4_evict_oldest_replaces_the_oldest_flow)
{
    const rocecc_flowtable_params p = made(BUCKETS, 1);
    uint32_t flows[20], oldest, i;
    rocecc_flowtable t = filled(&p, flows);
    (void)learn(&p, &t, flows[0], 119); /* so flows[1] is the oldest */
    oldest = lookup(&p, flows[1], 120).slot;
    check_learned(learn(&p, &t, flows[16], 120), ROCECC_FLOWTABLE_EVICTED, oldest);
    check_not_found(lookup(&p, flows[1], 120), ROCECC_FLOWTABLE_UNKNOWN);
    check_found(&p, flows[16], 120);
    CHECK_EQ(t.used, 16);
    for (i = 2; i < 16; i++)
        check_found(&p, flows[i], 120);
    /* A stamp ahead of the clock is younger than any stamp behind it. */
    (void)learn(&p, &t, flows[2], 120 + EXPIRY - 5);
    for (i = 3; i < 17; i++)
        (void)learn(&p, &t, flows[i], 200);
    (void)learn(&p, &t, flows[0], 199);
    oldest = lookup(&p, flows[0], 201).slot;
    check_learned(learn(&p, &t, flows[17], 201), ROCECC_FLOWTABLE_EVICTED, oldest);
    check_found(&p, flows[2], 201);
    /*
     * The clock was set back. All stamps but one are as far ahead as is valid, and that
     * one is 1 ms less.
     */
    t = filled(&p, flows);
    for (i = 0; i < 16; i++)
        (void)learn(&p, &t, flows[i], i == 9 ? 199 + EXPIRY - 1 : 200 + EXPIRY - 1);
    oldest = lookup(&p, flows[9], 200).slot;
    check_learned(learn(&p, &t, flows[16], 200), ROCECC_FLOWTABLE_EVICTED, oldest);
    check_found(&p, flows[0], 200);
}

TEST(FT_5_learning_again_refreshes_a_flow)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    rocecc_flowtable t = fresh(&p);
    const uint32_t slot = learn(&p, &t, 1, 1000).slot;
    uint32_t now_ms = 1000;
    int i;
    for (i = 0; i < 5; i++) {
        now_ms += EXPIRY - 1;
        check_found(&p, 1, now_ms);
        check_learned(learn(&p, &t, 1, now_ms), ROCECC_FLOWTABLE_REFRESHED, slot);
    }
    check_found(&p, 1, now_ms + EXPIRY - 1);
    check_not_found(lookup(&p, 1, now_ms + EXPIRY), ROCECC_FLOWTABLE_AGED);
    CHECK_EQ(t.used, 1);
}

/* A change of any member of the origin gives RELEARNED. */
TEST(FT_6_a_changed_origin_is_relearned)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    rocecc_flowtable t = fresh(&p);
    const rocecc_flow flow = flow_of(3);
    const rocecc_flowtable_origin old = law_flowtable_origin(0);
    const uint32_t slot = learn_from(&p, &t, &flow, &old, 100).slot;
    uint32_t n;
    for (n = 1; n <= 10; n++) {
        const rocecc_flowtable_origin o = law_flowtable_origin(n);
        rocecc_flowtable_lookup_result m;
        test_context("origin %u", (unsigned)n);
        check_learned(learn_from(&p, &t, &flow, &o, 100), ROCECC_FLOWTABLE_RELEARNED,
                      slot);
        m = rocecc_flowtable_lookup(&p, &memory, &flow, 0, 100);
        CHECK_EQ(m.what, ROCECC_FLOWTABLE_FOUND);
        CHECK(law_flowtable_same_origin(&m.origin, &o));
        check_learned(learn_from(&p, &t, &flow, &o, 100), ROCECC_FLOWTABLE_REFRESHED,
                      slot);
        check_learned(learn_from(&p, &t, &flow, &old, 100), ROCECC_FLOWTABLE_RELEARNED,
                      slot);
    }
    CHECK_EQ(t.used, 1);
}

/* Each byte of a MAC counts. */
TEST(FT_6_every_mac_byte_counts)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    rocecc_flowtable t = fresh(&p);
    const rocecc_flow flow = flow_of(3);
    rocecc_flowtable_origin o = origin_of(3);
    unsigned i;
    (void)learn_from(&p, &t, &flow, &o, 100);
    for (i = 0; i < 12; i++) {
        if (i < 6)
            o.mac_sa.b[i] ^= 0x10;
        else
            o.gw_mac.b[i - 6] ^= 0x10;
        CHECK_EQ(learn_from(&p, &t, &flow, &o, 100).what, ROCECC_FLOWTABLE_RELEARNED);
        CHECK_EQ(learn_from(&p, &t, &flow, &o, 100).what, ROCECC_FLOWTABLE_REFRESHED);
    }
}

/* An expired flow whose slot was not reused is refreshed. */
TEST(FT_6_an_expired_flow_is_refreshed)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    rocecc_flowtable t = fresh(&p);
    const uint32_t slot = learn(&p, &t, 5, 0).slot;
    check_not_found(lookup(&p, 5, 10 * EXPIRY), ROCECC_FLOWTABLE_AGED);
    check_learned(learn(&p, &t, 5, 10 * EXPIRY), ROCECC_FLOWTABLE_REFRESHED, slot);
    check_found(&p, 5, 10 * EXPIRY);
}

TEST(FT_7_a_lookup_writes_nothing)
{
    static rocecc_flowtable_bucket before[BUCKETS];
    static rocecc_flowtable_slot slots_before[8 * BUCKETS];
    const rocecc_flowtable_params p = made(BUCKETS, 1);
    uint32_t flows[20], i;
    rocecc_flowtable t = filled(&p, flows);
    const rocecc_flowtable was = t;
    memcpy(before, in_bucket, sizeof before);
    memcpy(slots_before, in_slot, sizeof slots_before);
    for (i = 0; i < 20; i++) {
        (void)lookup(&p, flows[i], 110 + EXPIRY);
        (void)lookup(&p, flows[i], 0x80000000);
    }
    CHECK(memcmp(before, in_bucket, sizeof before) == 0);
    CHECK(memcmp(slots_before, in_slot, sizeof slots_before) == 0);
    CHECK(t.used == was.used && t.next == was.next);
    check_not_found(lookup(&p, flows[0], 100 + EXPIRY), ROCECC_FLOWTABLE_AGED);
}

TEST(FT_8_a_flow_expires_after_expiry_ms)
{
    static const uint32_t expiries[] = {1, 2, EXPIRY, 0x7fffffff};
    size_t i;
    for (i = 0; i < sizeof expiries / sizeof expiries[0]; i++) {
        rocecc_flowtable_params p = made(BUCKETS, 0);
        rocecc_flowtable t = fresh(&p);
        p.expiry_ms = expiries[i];
        (void)learn(&p, &t, 1, 77);
        test_context("expiry %u", (unsigned)p.expiry_ms);
        check_found(&p, 1, 77);
        check_found(&p, 1, 77 + p.expiry_ms - 1);
        check_not_found(lookup(&p, 1, 77 + p.expiry_ms), ROCECC_FLOWTABLE_AGED);
        check_not_found(lookup(&p, 1, 77 - p.expiry_ms), ROCECC_FLOWTABLE_AGED);
        check_found(&p, 1, 77 - p.expiry_ms + 1);
    }
}

TEST(FT_9_the_clock_may_wrap)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    rocecc_flowtable t = fresh(&p);
    (void)learn(&p, &t, 1, 0u - 100);
    check_found(&p, 1, EXPIRY - 101);
    check_not_found(lookup(&p, 1, EXPIRY - 100), ROCECC_FLOWTABLE_AGED);
    check_not_found(lookup(&p, 1, 0x7fffffff), ROCECC_FLOWTABLE_AGED);
    check_not_found(lookup(&p, 1, 0x80000000), ROCECC_FLOWTABLE_AGED);
    check_not_found(lookup(&p, 1, 0u - 100 - EXPIRY), ROCECC_FLOWTABLE_AGED);
    check_found(&p, 1, 0u - 99 - EXPIRY); /* FOUND again, because it was not swept */
}

TEST(FT_9_the_clock_may_be_set_back)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    uint32_t flows[20];
    rocecc_flowtable t = filled(&p, flows);
    check_found(&p, flows[15], 116 - EXPIRY);
    check_not_found(lookup(&p, flows[15], 115 - EXPIRY), ROCECC_FLOWTABLE_AGED);
    /* The last stamp is furthest ahead, so its flow is the first to expire. */
    check_learned(learn(&p, &t, flows[16], 116 - EXPIRY), ROCECC_FLOWTABLE_FULL,
                  ROCECC_FLOWTABLE_NONE);
    CHECK_EQ(learn(&p, &t, flows[16], 115 - EXPIRY).what, ROCECC_FLOWTABLE_REPLACED);
    check_not_found(lookup(&p, flows[15], 115 - EXPIRY), ROCECC_FLOWTABLE_UNKNOWN);
}

static uint32_t bits_of(uint8_t b)
{
    uint32_t n = 0;
    for (; b != 0; b >>= 1)
        n += b & 1;
    return n;
}

TEST(FT_10_a_sweep_removes_expired_flows)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    rocecc_flowtable t = fresh(&p);
    uint32_t n, b, emptied = 0;
    for (n = 0; n < 30; n++) /* even flows later */
        CHECK_EQ(learn(&p, &t, n, n % 2 ? 0 : 50).what, ROCECC_FLOWTABLE_LEARNED);
    for (b = 0; b < BUCKETS; b++) {
        CHECK_EQ(t.next, b);
        CHECK_EQ(rocecc_flowtable_sweep(&p, &t, &memory, EXPIRY - 1), 0);
    }
    CHECK_EQ(t.used, 30);
    for (b = 0; b < BUCKETS; b++) {
        const uint32_t here = rocecc_flowtable_sweep(&p, &t, &memory, EXPIRY);
        CHECK(here <= 8);
        emptied += here;
        CHECK_EQ(t.used, 30 - emptied);
    }
    CHECK_EQ(emptied, 15);
    CHECK_EQ(t.next, 0);
    for (n = 0; n < 30; n += 2)
        check_found(&p, n, EXPIRY);
    for (n = 1; n < 30; n += 2)
        check_not_found(lookup(&p, n, EXPIRY), ROCECC_FLOWTABLE_UNKNOWN);
    for (b = 0; b < BUCKETS; b++)
        (void)rocecc_flowtable_sweep(&p, &t, &memory, 50 + EXPIRY);
    CHECK_EQ(t.used, 0);
    for (b = 0; b < BUCKETS; b++) /* table is empty */
        CHECK_EQ(rocecc_flowtable_sweep(&p, &t, &memory, 0x80000000), 0);
}

TEST(FT_11_a_flow_keeps_its_slot)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    uint32_t flows[20], i;
    rocecc_flowtable t = filled(&p, flows);
    const uint32_t slot = lookup(&p, flows[9], 120).slot; /* right bucket */
    CHECK(slot >= BUCKETS / 2 * 8);
    for (i = 0; i < 8; i++)
        in_bucket[0].mark[i] = 0; /* left bucket empty, but the flow stays */
    t.used -= 8;
    check_learned(learn(&p, &t, flows[9], 120), ROCECC_FLOWTABLE_REFRESHED, slot);
    CHECK_EQ(t.used, 8);
}

/* Returns how many flows a table takes before the first is FULL. */
static uint32_t until_full(const rocecc_flowtable_params *p,
                           rocecc_flow (*next)(uint64_t *state), uint64_t state)
{
    rocecc_flowtable t = fresh(p);
    rocecc_flowtable_origin origin = origin_of(0);
    for (;;) {
        const rocecc_flow flow = next(&state);
        if (learn_from(p, &t, &flow, &origin, 0).what == ROCECC_FLOWTABLE_FULL)
            return t.used;
    }
}

static rocecc_flow at_random(uint64_t *state)
{
    rocecc_flow f = flow_of(0);
    size_t i;
    for (i = 0; i < 16; i++) {
        f.src.b[i] = (uint8_t)(test_random(state) >> 24);
        f.dst.b[i] = (uint8_t)(test_random(state) >> 24);
    }
    f.src_port = (uint16_t)test_random(state);
    return f;
}

/* Returns the next flow, in the order of ports and addresses. */
static rocecc_flow in_order(uint64_t *state)
{
    return flow_of((uint32_t)(*state)++);
}

/* With this secret, the flows of aimed() would meet in 1/8 of the buckets. */
static uint64_t aim[2];

static rocecc_flow aimed(uint64_t *state)
{
    for (;;) {
        const rocecc_flow f = flow_of((uint32_t)(*state)++);
        const rocecc_flowtable_key_ key = rocecc_flowtable_key_of_(&f, 0);
        const uint64_t hash = rocecc_flowtable_hash_(aim, &key);
        if ((hash & 7) == 0 && (hash >> 24 & 7) == 0) return f;
    }
}

/* learn() first fails at a load of 0.70 or more, unless the secret is known. */
TEST(flowtable_reaches_a_load_of_70_percent)
{
    const rocecc_flowtable_params p = made(test_rounds(MANY) < MANY ? 1024 : MANY, 0);
    const uint32_t slots = 8 * p.buckets, least = slots / 100 * 70;
    CHECK(until_full(&p, at_random, 1) >= least);
    CHECK(until_full(&p, in_order, 0) >= least);
    aim[0] = 1; /* a guess */
    CHECK(until_full(&p, aimed, 0) >= least);
    aim[0] = p.secret[0]; /* the secret itself */
    aim[1] = p.secret[1];
    CHECK(until_full(&p, aimed, 0) < slots / 8);
}

TEST(flowtable_law)
{
    law_random(law_flowtable, 20000);
    law_random(law_flowtable_more, 20000);
    law_random(law_flowforget, 20000);
}

/* A five-tuple in another VRF is another flow. Every bit of the VRF counts (FT-12). */
TEST(FT_12_a_vrf_is_part_of_the_key)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    rocecc_flowtable t = fresh(&p);
    const rocecc_flow flow = flow_of(7);
    rocecc_flowtable_entry came;
    unsigned bit;
    came.flow = flow;
    for (bit = 0; bit <= 16; bit++) {
        came.vrf = (uint16_t)(bit < 16 ? 1u << bit : 0);
        came.origin = origin_of((uint16_t)(100 + bit));
        test_context("VRF %u", came.vrf);
        check_not_found(rocecc_flowtable_lookup(&p, &memory, &flow, came.vrf, 0),
                        ROCECC_FLOWTABLE_UNKNOWN);
        CHECK_EQ(rocecc_flowtable_refresh(&p, &memory, &came, 0).slot,
                 ROCECC_FLOWTABLE_NONE);
        CHECK_EQ(rocecc_flowtable_learn(&p, &t, &memory, &came, 0).what,
                 ROCECC_FLOWTABLE_LEARNED);
    }
    CHECK_EQ(t.used, 17);
    for (bit = 0; bit <= 16; bit++)
        CHECK_EQ(rocecc_flowtable_lookup(&p, &memory, &flow,
                                         (uint16_t)(bit < 16 ? 1u << bit : 0), 0)
                     .origin.flow_id,
                 100 + bit);
}

/* The VRF is compared even if the marks of two VRFs agree (FT-12). */
TEST(FT_12_vrfs_are_compared_if_marks_agree)
{
    const rocecc_flowtable_params p = made(2, 0);
    rocecc_flowtable t = fresh(&p);
    const rocecc_flow flow = flow_of(7);
    unsigned bit;
    (void)learn(&p, &t, 7, 0);
    for (bit = 0; bit < 16; bit++) {
        const uint16_t vrf = (uint16_t)(1u << bit);
        in_bucket[0].mark[0] =
            (uint16_t)(law_flowtable_hash(p.secret, &flow, vrf) >> 48);
        if (in_bucket[0].mark[0] == 0) in_bucket[0].mark[0] = 1;
        check_not_found(rocecc_flowtable_lookup(&p, &memory, &flow, vrf, 0),
                        ROCECC_FLOWTABLE_UNKNOWN);
    }
}

/* Learns flow n from port n % 3 and MAC n % 5, in VRF n % 2. */
static void spread(const rocecc_flowtable_params *p, rocecc_flowtable *t, uint32_t n)
{
    rocecc_flowtable_entry came;
    came.flow = flow_of(n);
    came.vrf = (uint16_t)(n % 2);
    came.origin = origin_of((uint16_t)n);
    came.origin.ingress_port = n % 3;
    came.origin.mac_sa.b[5] = (uint8_t)(n % 5);
    CHECK_EQ(rocecc_flowtable_learn(p, t, &memory, &came, 0).what,
             ROCECC_FLOWTABLE_LEARNED);
}

/* Flows that meet all conditions are removed, none for 0 or an unknown bit (FT-13). */
TEST(FT_13_forget_removes_matching_flows)
{
    const rocecc_flowtable_params p = made(64, 0);
    rocecc_flowforget_filter f;
    unsigned by;
    memset(&f, 0, sizeof f);
    f.port = 1;
    f.vrf = 1;
    f.mac = origin_of(0).mac_sa;
    f.mac.b[5] = 2;
    for (by = 0; by < 256; by += by < 16 ? 1 : 16) {
        rocecc_flowtable t = fresh(&p);
        uint32_t n, gone = 0, should = 0, i;
        f.conditions = (uint8_t)by;
        for (n = 0; n < 120; n++)
            spread(&p, &t, n);
        for (i = 0; i < p.buckets; i++)
            gone += bits_of(rocecc_flowforget_step(&f, &t, &memory, i));
        test_context("by %u", by);
        for (n = 0; n < 120; n++) {
            const bool goes = by != 0 && by < 16 && ((by & 1) == 0 || n % 3 == 1) &&
                              ((by & 2) == 0 || n % 3 != 1) &&
                              ((by & 4) == 0 || n % 5 == 2) &&
                              ((by & 8) == 0 || n % 2 == 1);
            const rocecc_flow flow = flow_of(n);
            CHECK_EQ(
                rocecc_flowtable_lookup(&p, &memory, &flow, (uint16_t)(n % 2), 0).what,
                goes ? ROCECC_FLOWTABLE_UNKNOWN : ROCECC_FLOWTABLE_FOUND);
            should += goes;
        }
        CHECK_EQ(gone, should);
        CHECK_EQ(t.used, 120 - should);
        CHECK_EQ(t.next, 0);
        for (i = 0; i < p.buckets; i++) /* once is enough */
            CHECK_EQ(rocecc_flowforget_step(&f, &t, &memory, i), 0);
    }
}

/* A known flow of this port is refreshed as by learn(). Others are ignored (FT-14). */
TEST(FT_14_refresh_renews_only_known_flows)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    rocecc_flowtable t = fresh(&p);
    rocecc_flowtable_entry came;
    came.flow = flow_of(1);
    came.vrf = 0;
    came.origin = origin_of(1);
    check_learned(rocecc_flowtable_refresh(&p, &memory, &came, 5),
                  ROCECC_FLOWTABLE_FULL, ROCECC_FLOWTABLE_NONE);
    check_not_found(lookup(&p, 1, 5), ROCECC_FLOWTABLE_UNKNOWN);
    (void)rocecc_flowtable_learn(&p, &t, &memory, &came, 5);
    CHECK_EQ(rocecc_flowtable_refresh(&p, &memory, &came, 5 + EXPIRY - 1).what,
             ROCECC_FLOWTABLE_REFRESHED);
    check_found(&p, 1, 5 + 2 * EXPIRY - 2);
    came.origin.flow_id = 9;
    CHECK_EQ(rocecc_flowtable_refresh(&p, &memory, &came, 6).what,
             ROCECC_FLOWTABLE_RELEARNED);
    CHECK_EQ(lookup(&p, 1, 6).origin.flow_id, 9);
    came.origin.ingress_port++;
    check_learned(rocecc_flowtable_refresh(&p, &memory, &came, 7),
                  ROCECC_FLOWTABLE_FULL, ROCECC_FLOWTABLE_NONE);
    CHECK_EQ(lookup(&p, 1, 7).origin.ingress_port, came.origin.ingress_port - 1);
    CHECK_EQ(rocecc_flowtable_learn(&p, &t, &memory, &came, 7).port,
             came.origin.ingress_port - 1);
    CHECK_EQ(t.used, 1);
}

static rocecc_flowtable_params evicting_params(uint32_t buckets)
{
    rocecc_flowtable_params p = rocecc_flowtable_l3qcn();
    p.secret[0] = 1;
    p.secret[1] = 2;
    p.buckets = buckets;
    p.evict_oldest = 1;
    CHECK_EQ(rocecc_flowtable_init(&p), ROCECC_FLOWTABLE_ACCEPTED);
    return p;
}

static rocecc_flowtable_entry entry_from_port(uint16_t src_port)
{
    rocecc_flowtable_entry e;
    memset(&e, 0, sizeof e);
    e.flow.proto = 17;
    e.flow.src_port = src_port;
    return e;
}

/* start() writes only params.buckets buckets. */
TEST(flowtable_start_empties_only_its_buckets)
{
    const rocecc_flowtable_params p = evicting_params(2);
    rocecc_flowtable_bucket bucket[3];
    const rocecc_flowtable_memory m = {bucket, NULL};
    uint32_t i;
    memset(bucket, 0xa5, sizeof bucket);
    (void)rocecc_flowtable_start(&p, &m);
    for (i = 0; i < 24; i++)
        CHECK_EQ(bucket[i / 8].mark[i % 8], i < 16 ? 0 : 0xa5a5);
}

/* A flow is found only in its two buckets, in 16 slots (FT-1). */
TEST(FT_1_a_flow_is_found_only_in_its_buckets)
{
    static rocecc_flowtable_bucket bucket[9];
    static rocecc_flowtable_slot slots[72];
    const rocecc_flowtable_memory m = {bucket, slots};
    const rocecc_flowtable_params p = evicting_params(8);
    uint16_t n;
    for (n = 0; n < 32; n++) {
        const rocecc_flowtable_entry e = entry_from_port(n);
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
 * The clock was set back, and 16 flows have the latest stamp that is valid. A new flow
 * evicts one of them, and no flow of another bucket (FT-1, FT-4, FT-9).
 */
TEST(FT_4_one_of_16_equally_old_flows_is_evicted)
{
    static rocecc_flowtable_bucket bucket[32];
    static rocecc_flowtable_slot slots[256];
    const rocecc_flowtable_memory m = {bucket, slots};
    const rocecc_flowtable_params p = evicting_params(32);
    rocecc_flowtable t = rocecc_flowtable_start(&p, &m);
    uint32_t learned = 0;
    uint16_t n;
    memset(slots, 0, sizeof slots);
    for (n = 0; learned < 17; n++) {
        const rocecc_flowtable_entry e = entry_from_port(n);
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

/* Bit i of the result is slot 8 * bucket + i, even for an expired flow (FT-13). */
TEST(FT_13_result_bits_name_the_emptied_slots)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    rocecc_flowtable t = fresh(&p);
    rocecc_flowforget_filter f;
    bool taken[8 * BUCKETS] = {false};
    uint32_t n, b, i;
    memset(&f, 0, sizeof f);
    f.conditions = ROCECC_FLOWFORGET_VRF;
    for (n = 0; n < 20; n++)
        taken[learn(&p, &t, n, n % 2 ? 0 : EXPIRY).slot] = true;
    for (b = 0; b < BUCKETS; b++) {
        const uint8_t bits = rocecc_flowforget_step(&f, &t, &memory, b);
        for (i = 0; i < 8; i++)
            CHECK_EQ(bits >> i & 1, taken[8 * b + i]);
    }
    CHECK_EQ(t.used, 0);
}

/* The MAC is the frame's source, and not the gateway (FT-13). */
TEST(FT_13_the_mac_condition_compares_the_source_mac)
{
    const rocecc_flowtable_params p = made(2, 0);
    rocecc_flowtable t = fresh(&p);
    rocecc_flowforget_filter f;
    const rocecc_flowtable_origin o = origin_of(1);
    const uint32_t bucket = learn(&p, &t, 1, 0).slot / 8;
    memset(&f, 0, sizeof f);
    f.conditions = ROCECC_FLOWFORGET_MAC;
    f.mac = o.gw_mac;
    CHECK_EQ(rocecc_flowforget_step(&f, &t, &memory, bucket), 0);
    f.mac = o.mac_sa;
    CHECK(rocecc_flowforget_step(&f, &t, &memory, bucket) != 0);
}

/* Without a sweep at the longest interval, a flow is FOUND again 2 ms later (FT-10). */
TEST(FT_10_a_sweep_every_2_32_ms_less_2_expiries_suffices)
{
    const rocecc_flowtable_params p = made(2, 0);
    rocecc_flowtable t = fresh(&p);
    const uint32_t last_ms = EXPIRY - 1 + (0u - 2 * EXPIRY);
    uint32_t i;
    (void)learn(&p, &t, 1, 0);
    for (i = 0; i < 2; i++)
        CHECK_EQ(rocecc_flowtable_sweep(&p, &t, &memory, EXPIRY - 1), 0);
    check_found(&p, 1, last_ms + 2);
    CHECK_EQ(rocecc_flowtable_sweep(&p, &t, &memory, last_ms) +
                 rocecc_flowtable_sweep(&p, &t, &memory, last_ms),
             1);
    check_not_found(lookup(&p, 1, last_ms + 2), ROCECC_FLOWTABLE_UNKNOWN);
}

/*
 * Even with evict_oldest, an expired flow is REPLACED. `port` is the old port (FT-3,
 * FT-4).
 */
TEST(FT_3_the_result_has_the_old_port)
{
    const rocecc_flowtable_params p = made(BUCKETS, 1);
    uint32_t flows[20];
    rocecc_flowtable t = filled(&p, flows);
    const rocecc_flow flow = flow_of(flows[16]);
    rocecc_flowtable_origin o = origin_of(0);
    const uint32_t old_port = o.ingress_port;
    rocecc_flowtable_learn_result act;
    o.ingress_port = old_port + 7;
    act = learn_from(&p, &t, &flow, &o, 120);
    CHECK(act.what == ROCECC_FLOWTABLE_EVICTED && act.port == old_port);
    act = learn(&p, &t, flows[17], 100 + 2 * EXPIRY);
    CHECK(act.what == ROCECC_FLOWTABLE_REPLACED && act.port == old_port);
    act = learn(&p, &t, flows[16], 100 + 2 * EXPIRY); /* now from old_port */
    CHECK(act.what == ROCECC_FLOWTABLE_RELEARNED && act.port == old_port + 7);
    act = learn(&p, &t, flows[16], 100 + 2 * EXPIRY);
    CHECK(act.what == ROCECC_FLOWTABLE_REFRESHED && act.port == 0);
}

/* An expired flow that still has its slot is refreshed (FT-14). */
TEST(FT_14_refresh_renews_an_expired_flow)
{
    const rocecc_flowtable_params p = made(BUCKETS, 0);
    rocecc_flowtable t = fresh(&p);
    rocecc_flowtable_entry came;
    const uint32_t slot = learn(&p, &t, 1, 0).slot;
    came.flow = flow_of(1);
    came.vrf = 0;
    came.origin = origin_of(1);
    check_not_found(lookup(&p, 1, 3 * EXPIRY), ROCECC_FLOWTABLE_AGED);
    check_learned(rocecc_flowtable_refresh(&p, &memory, &came, 3 * EXPIRY),
                  ROCECC_FLOWTABLE_REFRESHED, slot);
    check_found(&p, 1, 4 * EXPIRY - 1);
}

/* If all parameters are wrong, they are reported in the order of the enumeration. */
TEST(flowtable_reports_refusals_in_order)
{
    rocecc_flowtable_params p = {{0, 0}, 3, 0, 2};
    check_refused(&p, ROCECC_FLOWTABLE_REFUSED_SECRET);
    p.secret[1] = 1;
    check_refused(&p, ROCECC_FLOWTABLE_REFUSED_BUCKETS);
    p.buckets = 4;
    check_refused(&p, ROCECC_FLOWTABLE_REFUSED_EXPIRY);
    p.expiry_ms = 1;
    check_refused(&p, ROCECC_FLOWTABLE_REFUSED_EVICT);
}
