/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * qpnlearner.c - the table of senders' QPNs under forged messages and floods.
 * vectors/qpn.vec has honest hosts. guard/README.md has.
 */
#include "law/qpnlearner.h"
#include "law/flowtable.h"
#include "lib/guard.h"
#include "lib/noun.h"
#include "lib/test.h"

#include <string.h>

#define SLOTS 1024
#define S UINT64_C(1000000000)

typedef struct table {
    rocecc_qpnlearner_params p;
    rocecc_qpnlearner_slot half[SLOTS], known[SLOTS];
    uint64_t now_ns;
} table;

static rocecc_ip6 host(unsigned n)
{
    rocecc_ip6 a = {{0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
    rocecc_store32(a.b + 12, n);
    return a;
}

static table *table_of(uint32_t half, uint32_t known)
{
    static table t;
    memset(&t, 0xa5, sizeof t);
    t.p.secret[0] = UINT64_C(0x0123456789abcdef);
    t.p.secret[1] = UINT64_C(0xfedcba9876543210);
    t.p.half = half;
    t.p.known = known;
    t.p.half_ns = 10 * S;
    t.p.known_ns = 3600 * S;
    t.now_ns = 0;
    CHECK_EQ(rocecc_qpnlearner_init(&t.p), ROCECC_QPNLEARNER_ACCEPTED);
    rocecc_qpnlearner_start(t.half, half);
    rocecc_qpnlearner_start(t.known, known);
    return &t;
}

/* The ids of both hosts in a message, and its QPN. */
typedef struct numbers {
    uint32_t from_id, to_id, qpn;
} numbers;

static rocecc_qpnlearner_message message(unsigned kind, unsigned from, unsigned to,
                                         numbers x)
{
    rocecc_qpnlearner_message m;
    memset(&m, 0, sizeof m);
    m.kind = (rocecc_qpnlearner_kind)kind;
    m.src = host(from);
    m.dst = host(to);
    m.src_id = x.from_id;
    m.dst_id = x.to_id;
    m.qpn = x.qpn;
    return m;
}

static rocecc_qpnlearner_outcome learn(table *t, const rocecc_qpnlearner_message *m)
{
    return rocecc_qpnlearner_learn(&t->p, t->half, t->known, m, t->now_ns);
}

static rocecc_qpnlearner_outcome say(table *t, unsigned kind, unsigned from,
                                     unsigned to, numbers x)
{
    const rocecc_qpnlearner_message m = message(kind, from, to, x);
    return learn(t, &m);
}

static rocecc_qpnlearner_outcome req(table *t, unsigned a, unsigned b, uint32_t id,
                                     uint32_t qpn)
{
    const numbers x = {.from_id = id, .qpn = qpn};
    return say(t, ROCECC_QPNLEARNER_REQ, a, b, x);
}

/* Lets b answer a. The id of b is id + 0x1000. */
static rocecc_qpnlearner_outcome rep(table *t, unsigned a, unsigned b, uint32_t id,
                                     uint32_t qpn)
{
    const numbers x = {.from_id = id + 0x1000, .to_id = id, .qpn = qpn};
    return say(t, ROCECC_QPNLEARNER_REP, b, a, x);
}

static rocecc_qpnlearner_outcome rtu(table *t, unsigned a, unsigned b, uint32_t id)
{
    const numbers x = {.from_id = id, .to_id = id + 0x1000};
    return say(t, ROCECC_QPNLEARNER_RTU, a, b, x);
}

/* A QP of a host. */
typedef struct endpoint {
    unsigned host;
    uint32_t qpn;
} endpoint;

static endpoint qp(unsigned n, uint32_t qpn)
{
    const endpoint e = {.host = n, .qpn = qpn};
    return e;
}

/*
 * Connects two QPs by a REQ of a's host, a REP and an RTU. The id of b's host is
 * id + 0x1000. Returns STRAY if the REQ or the REP is not accepted.
 */
static rocecc_qpnlearner_outcome connect(table *t, uint32_t id, endpoint a, endpoint b)
{
    if (req(t, a.host, b.host, id, a.qpn) != ROCECC_QPNLEARNER_ASKED ||
        rep(t, a.host, b.host, id, b.qpn) != ROCECC_QPNLEARNER_ANSWERED)
        return ROCECC_QPNLEARNER_STRAY;
    return rtu(t, a.host, b.host, id);
}

/* Returns the sender's QPN, or 0. */
static uint32_t lookup(const table *t, unsigned from, unsigned to, uint32_t to_qpn)
{
    rocecc_qpnlearner_flow flow;
    uint32_t qpn = 0;
    flow.src = host(from);
    flow.dst = host(to);
    flow.dst_qpn = to_qpn;
    (void)rocecc_qpnlearner_lookup(&t->p, t->known, &flow, t->now_ns, &qpn);
    return qpn;
}

/* Returns how many slots of known[] are taken. */
static uint32_t taken(const table *t)
{
    uint32_t n = 0, i;
    for (i = 0; i < t->p.known; i++)
        n += t->known[i].state != ROCECC_QPNLEARNER_EMPTY;
    return n;
}

static const rocecc_qpnlearner_params good = {{1, 0}, 8, 8, 1, 1};

TEST(qpnlearner_refusals)
{
    rocecc_qpnlearner_params p = good;
    uint64_t n;
    CHECK_EQ(rocecc_qpnlearner_init(&p), ROCECC_QPNLEARNER_ACCEPTED);
    p.secret[0] = 0;
    CHECK_EQ(rocecc_qpnlearner_init(&p), ROCECC_QPNLEARNER_REFUSED_SECRET);
    p.secret[1] = 1;
    CHECK_EQ(rocecc_qpnlearner_init(&p), ROCECC_QPNLEARNER_ACCEPTED);
    for (n = 0; n < (uint64_t)1 << 32; n = n < 100 ? n + 1 : 2 * n - n % 3) {
        const bool fits = law_qpn_size((uint32_t)n);
        test_context("%llu slots", (unsigned long long)n);
        p = good;
        p.half = (uint32_t)n;
        CHECK_EQ(rocecc_qpnlearner_init(&p),
                 fits ? ROCECC_QPNLEARNER_ACCEPTED : ROCECC_QPNLEARNER_REFUSED_HALF);
        p = good;
        p.known = (uint32_t)n;
        CHECK_EQ(rocecc_qpnlearner_init(&p),
                 fits ? ROCECC_QPNLEARNER_ACCEPTED : ROCECC_QPNLEARNER_REFUSED_KNOWN);
    }
    for (n = 3; n < 26; n++) {
        p = good;
        p.half = p.known = (uint32_t)1 << n;
        CHECK_EQ(rocecc_qpnlearner_init(&p),
                 n <= 24 ? ROCECC_QPNLEARNER_ACCEPTED : ROCECC_QPNLEARNER_REFUSED_HALF);
        p.half = 8;
        CHECK_EQ(rocecc_qpnlearner_init(&p), n <= 24 ? ROCECC_QPNLEARNER_ACCEPTED
                                                     : ROCECC_QPNLEARNER_REFUSED_KNOWN);
    }
    for (n = 0; n < 6; n++) {
        static const uint64_t ns[] = {
            0, 1, 7, (uint64_t)1 << 62, ((uint64_t)1 << 62) + 1, UINT64_MAX};
        const rocecc_qpnlearner_refusal should = n >= 1 && n <= 3
                                                     ? ROCECC_QPNLEARNER_ACCEPTED
                                                     : ROCECC_QPNLEARNER_REFUSED_EXPIRY;
        p = good;
        p.half_ns = ns[n];
        CHECK_EQ(rocecc_qpnlearner_init(&p), should);
        p = good;
        p.known_ns = ns[n];
        CHECK_EQ(rocecc_qpnlearner_init(&p), should);
    }
}

/* The bucket comes from SipHash-1-3 of 36 bytes, both addresses and the QPN. */
TEST(qpnlearner_hash_is_keyed)
{
    table *t = table_of(SLOTS, SLOTS);
    uint32_t n, moved = 0;
    for (n = 0; n < 200; n++) {
        uint8_t b[36];
        const rocecc_ip6 from = host(n), to = host(n + 7);
        const uint64_t other[2] = {9, 9};
        uint64_t hash;
        size_t i;
        CHECK_EQ(connect(t, n, qp(n, 0x100 + n), qp(n + 7, 0x200 + n)),
                 ROCECC_QPNLEARNER_LEARNED);
        memcpy(b, from.b, 16);
        memcpy(b + 16, to.b, 16);
        for (i = 0; i < 4; i++)
            b[32 + i] = (uint8_t)((0x200 + n) >> 8 * i);
        hash = law_sip_hash(t->p.secret, b, 36, 1, 3);
        for (i = 0; i < SLOTS; i++)
            if (t->known[i].state == ROCECC_QPNLEARNER_CONNECTED &&
                t->known[i].dst_qpn == 0x200 + n)
                CHECK_EQ(i / 8, hash % SLOTS / 8);
        moved += law_sip_hash(other, b, 36, 1, 3) % SLOTS / 8 != hash % SLOTS / 8;
    }
    CHECK(moved > 180);
    CHECK_EQ(taken(t), 400);
}

/*
 * Of all sequences of three messages between three hosts, only REQ, REP and RTU of the
 * same two hosts teach QPs, in both directions.
 */
TEST(R_L3_14_Q_1_only_req_rep_rtu_of_two_hosts_teach_qps)
{
    const numbers of_req = {.from_id = 7, .qpn = 0x12};
    const numbers of_rep = {.from_id = 8, .to_id = 7, .qpn = 0x34};
    const numbers of_rtu = {.from_id = 7, .to_id = 8};
    const numbers of_dreq = {.from_id = 7, .to_id = 8, .qpn = 0x34};
    rocecc_qpnlearner_message all[4 * 6];
    size_t n = 0, i, j, k, made = 0;
    unsigned kind, a, b;
    for (kind = 0; kind < 4; kind++)
        for (a = 0; a < 3; a++)
            for (b = 0; b < 3; b++)
                if (a != b)
                    all[n++] =
                        kind == ROCECC_QPNLEARNER_REQ   ? message(kind, a, b, of_req)
                        : kind == ROCECC_QPNLEARNER_REP ? message(kind, a, b, of_rep)
                        : kind == ROCECC_QPNLEARNER_RTU ? message(kind, a, b, of_rtu)
                                                        : message(kind, a, b, of_dreq);
    CHECK_EQ(n, NOUN_COUNT(all));
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            for (k = 0; k < n; k++) {
                const rocecc_qpnlearner_message *x = &all[i], *y = &all[j],
                                                *z = &all[k];
                const bool right =
                    x->kind == 0 && y->kind == 1 && z->kind == 2 &&
                    law_qpn_same(&x->src, &y->dst) && law_qpn_same(&x->dst, &y->src) &&
                    law_qpn_same(&x->src, &z->src) && law_qpn_same(&x->dst, &z->dst);
                table *t = table_of(8, 8);
                test_at("messages", i, j, k);
                (void)learn(t, x);
                (void)learn(t, y);
                CHECK_EQ(taken(t), 0);
                CHECK_EQ(learn(t, z) == ROCECC_QPNLEARNER_LEARNED, right);
                CHECK_EQ(taken(t), right ? 2 : 0);
                made += right;
            }
    CHECK_EQ(made, 6);
}

/* Messages of one host alone teach nothing. */
TEST(R_L3_14_Q_1_one_host_alone_teaches_nothing)
{
    table *t = table_of(SLOTS, SLOTS);
    uint64_t state = 1, i;
    for (i = 0; i < test_rounds(200000); i++) {
        const numbers x = {.from_id = test_random(&state) % 4,
                           .to_id = test_random(&state) % 4,
                           .qpn = test_random(&state) % 8};
        const rocecc_qpnlearner_message m =
            message(test_random(&state) % 5, 1, 2 + test_random(&state) % 2, x);
        t->now_ns += test_random(&state) % S;
        CHECK(learn(t, &m) != ROCECC_QPNLEARNER_LEARNED);
    }
    CHECK_EQ(taken(t), 0);
}

/*
 * An attacker at both ends can forge a connection, so ports must check source
 * addresses. It cannot turn a known flow to another QP, but only bring it into dispute
 * (Q-5).
 */
TEST(R_L3_14_Q_5_a_forged_connection_causes_a_dispute)
{
    table *t = table_of(SLOTS, SLOTS);
    uint32_t n;
    CHECK_EQ(connect(t, 5, qp(1, 0x12), qp(2, 0x34)), ROCECC_QPNLEARNER_LEARNED);
    for (n = 0; n < 100; n++) {
        CHECK_EQ(connect(t, 100 + n, qp(1, 0x666), qp(2, 0x34)),
                 ROCECC_QPNLEARNER_DISPUTED);
        CHECK_EQ(lookup(t, 1, 2, 0x34), 0);
        t->now_ns += 60 * S;
    }
    CHECK_EQ(lookup(t, 2, 1, 0x12), 0); /* expired after an hour */
    CHECK_EQ(taken(t), 3);
}

/* A dispute leaves other flows of the same hosts as they were. */
TEST(R_L3_14_Q_5_other_flows_are_not_disputed)
{
    table *t = table_of(SLOTS, SLOTS);
    CHECK_EQ(connect(t, 5, qp(1, 0x12), qp(2, 0x34)), ROCECC_QPNLEARNER_LEARNED);
    CHECK_EQ(connect(t, 6, qp(1, 0x13), qp(2, 0x35)), ROCECC_QPNLEARNER_LEARNED);
    CHECK_EQ(connect(t, 7, qp(2, 0x35), qp(1, 0x14)), ROCECC_QPNLEARNER_DISPUTED);
    CHECK_EQ(lookup(t, 1, 2, 0x35), 0);
    CHECK_EQ(lookup(t, 1, 2, 0x34), 0x12);
    CHECK_EQ(lookup(t, 2, 1, 0x12), 0x34);
}

/* A repeated REQ renews half_ns, to the ns. */
TEST(R_L3_14_Q_4_a_repeated_request_renews_half_ns)
{
    uint64_t late;
    for (late = 0; late < 2; late++) {
        table *t = table_of(64, 64);
        CHECK_EQ(req(t, 1, 2, 7, 0x12), ROCECC_QPNLEARNER_ASKED);
        t->now_ns = 1000;
        CHECK_EQ(req(t, 1, 2, 7, 0x12), ROCECC_QPNLEARNER_REPEATED);
        t->now_ns = 1000 + t->p.half_ns - 1 + late;
        CHECK_EQ(rep(t, 1, 2, 7, 0x34),
                 late ? ROCECC_QPNLEARNER_STRAY : ROCECC_QPNLEARNER_ANSWERED);
    }
}

/* A learned connection is not a request any more, so no message answers it. */
TEST(R_L3_14_Q_1_a_request_is_answered_once)
{
    table *t = table_of(64, 64);
    CHECK_EQ(connect(t, 7, qp(1, 0x12), qp(2, 0x34)), ROCECC_QPNLEARNER_LEARNED);
    CHECK_EQ(rep(t, 1, 2, 7, 0x34), ROCECC_QPNLEARNER_STRAY);
    CHECK_EQ(rtu(t, 1, 2, 7), ROCECC_QPNLEARNER_STRAY);
}

/* A flood of REQs replaces no known connection, and no REQ that has its REP. */
TEST(R_L3_14_Q_6_a_flood_of_requests_evicts_no_connection)
{
    table *t = table_of(64, 256);
    uint64_t state = 3, i;
    uint32_t n, asked = 0, full = 0;
    for (n = 0; n < 50; n++)
        CHECK_EQ(connect(t, n, qp(n, 0x100 + n), qp(n + 1, 0x200 + n)),
                 ROCECC_QPNLEARNER_LEARNED);
    CHECK_EQ(req(t, 900, 901, 5, 0x12), ROCECC_QPNLEARNER_ASKED);
    CHECK_EQ(rep(t, 900, 901, 5, 0x34), ROCECC_QPNLEARNER_ANSWERED);
    for (i = 0; i < test_rounds(100000); i++) {
        const rocecc_qpnlearner_outcome is =
            req(t, test_random(&state) % 5000, 7000, test_random(&state), 0x99);
        asked += is == ROCECC_QPNLEARNER_ASKED;
        full += is == ROCECC_QPNLEARNER_FULL;
        t->now_ns += 10000;
    }
    CHECK(asked > test_rounds(100000) - 10 && full == 0);
    for (n = 0; n < 50; n++) {
        CHECK_EQ(lookup(t, n, n + 1, 0x200 + n), 0x100 + n);
        CHECK_EQ(lookup(t, n + 1, n, 0x100 + n), 0x200 + n);
    }
    CHECK_EQ(rtu(t, 900, 901, 5), ROCECC_QPNLEARNER_LEARNED);
}

/* A new REQ replaces the oldest REQ without a REP, in any slot. */
TEST(R_L3_14_Q_6_the_oldest_request_is_replaced)
{
    uint32_t oldest, n;
    for (oldest = 0; oldest < 8; oldest++) {
        table *t = table_of(8, 8);
        for (n = 0; n < 8; n++) {
            t->now_ns = n == oldest ? 1 : 2 + n;
            CHECK_EQ(req(t, 1, 2, n, 0x12), ROCECC_QPNLEARNER_ASKED);
        }
        t->now_ns = 20;
        CHECK_EQ(req(t, 3, 4, 50, 0x12), ROCECC_QPNLEARNER_ASKED);
        for (n = 0; n < 8; n++)
            CHECK_EQ(rep(t, 1, 2, n, 0x34), n == oldest ? ROCECC_QPNLEARNER_STRAY
                                                        : ROCECC_QPNLEARNER_ANSWERED);
        CHECK_EQ(rep(t, 3, 4, 50, 0x34), ROCECC_QPNLEARNER_ANSWERED);
        CHECK_EQ(req(t, 5, 6, 51, 0x12), ROCECC_QPNLEARNER_FULL);
        t->now_ns = 20 + t->p.half_ns - 1;
        CHECK_EQ(req(t, 5, 6, 51, 0x12), ROCECC_QPNLEARNER_FULL);
        t->now_ns++;
        CHECK_EQ(req(t, 5, 6, 51, 0x12), ROCECC_QPNLEARNER_ASKED);
    }
}

/* A known connection is replaced only after it has expired. */
TEST(R_L3_14_Q_7_only_expired_connections_are_replaced)
{
    table *t = table_of(64, 8);
    uint32_t n;
    for (n = 0; n < 4; n++) {
        CHECK_EQ(connect(t, n, qp(1, 0x10 + n), qp(2, 0x20 + n)),
                 ROCECC_QPNLEARNER_LEARNED);
        t->now_ns++;
    }
    CHECK_EQ(connect(t, 9, qp(1, 0x30), qp(2, 0x40)), ROCECC_QPNLEARNER_FULL);
    CHECK_EQ(lookup(t, 1, 2, 0x40), 0);
    t->now_ns = t->p.known_ns - 1; /* last ns of the first */
    CHECK_EQ(lookup(t, 1, 2, 0x20), 0x10);
    CHECK_EQ(connect(t, 10, qp(1, 0x30), qp(2, 0x40)), ROCECC_QPNLEARNER_FULL);
    t->now_ns++;
    CHECK_EQ(lookup(t, 1, 2, 0x20), 0);
    CHECK_EQ(connect(t, 11, qp(1, 0x30), qp(2, 0x40)), ROCECC_QPNLEARNER_LEARNED);
    CHECK_EQ(lookup(t, 1, 2, 0x40), 0x30);
    CHECK_EQ(lookup(t, 2, 1, 0x30), 0x40);
    CHECK_EQ(lookup(t, 1, 2, 0x21), 0x11);
}

/* The clock may wrap. If it is set back by known_ns, a connection has expired. */
TEST(R_L3_14_Q_8_the_clock_may_wrap_or_be_set_back)
{
    table *t = table_of(8, 8);
    t->now_ns = (uint64_t)0 - 5;
    CHECK_EQ(connect(t, 5, qp(1, 0x12), qp(2, 0x34)), ROCECC_QPNLEARNER_LEARNED);
    t->now_ns = t->p.known_ns - 6;
    CHECK_EQ(lookup(t, 1, 2, 0x34), 0x12);
    t->now_ns = t->p.known_ns - 5;
    CHECK_EQ(lookup(t, 1, 2, 0x34), 0);
    t->now_ns = (uint64_t)0 - 5 - (t->p.known_ns - 1);
    CHECK_EQ(lookup(t, 1, 2, 0x34), 0x12);
    t->now_ns--;
    CHECK_EQ(lookup(t, 1, 2, 0x34), 0);
}

/* A lookup does not renew a slot, and compares both addresses and the QPN. */
TEST(R_L3_14_Q_8_a_lookup_writes_nothing)
{
    table *t = table_of(8, 8);
    static rocecc_qpnlearner_slot was[8];
    CHECK_EQ(connect(t, 5, qp(1, 0x12), qp(2, 0x34)), ROCECC_QPNLEARNER_LEARNED);
    memcpy(was, t->known, sizeof was);
    t->now_ns = S;
    CHECK_EQ(lookup(t, 1, 2, 0x34), 0x12);
    CHECK_EQ(lookup(t, 1, 3, 0x34) + lookup(t, 3, 2, 0x34) + lookup(t, 1, 2, 0x35), 0);
    CHECK(memcmp(was, t->known, sizeof was) == 0);
}

/* A DREQ ends both directions, even if one is in dispute. */
TEST(R_L3_14_Q_9_a_dreq_ends_both_directions)
{
    table *t = table_of(8, 8);
    const numbers a = {.from_id = 5, .to_id = 0x1005, .qpn = 0x34};
    const numbers b = {.from_id = 0x1005, .to_id = 5, .qpn = 0x12};
    CHECK_EQ(connect(t, 5, qp(1, 0x12), qp(2, 0x34)), ROCECC_QPNLEARNER_LEARNED);
    CHECK_EQ(connect(t, 6, qp(1, 0x12), qp(2, 0x35)), ROCECC_QPNLEARNER_DISPUTED);
    CHECK_EQ(lookup(t, 2, 1, 0x12), 0); /* 0x34 or 0x35 */
    CHECK_EQ(say(t, ROCECC_QPNLEARNER_DREQ, 2, 1, b), ROCECC_QPNLEARNER_FORGOTTEN);
    CHECK_EQ(lookup(t, 1, 2, 0x34), 0);
    CHECK_EQ(lookup(t, 1, 2, 0x35), 0x12);
    CHECK_EQ(say(t, ROCECC_QPNLEARNER_DREQ, 1, 2, a), ROCECC_QPNLEARNER_STRAY);
    CHECK_EQ(taken(t), 1);
}

/* Random runs. Both hosts have named all that is known. */
TEST(qpnlearner_law)
{
    uint64_t state = 5, i;
    for (i = 0; i < test_rounds(6000); i++) {
        uint8_t b[LAW_QPN_BYTES + LAW_QPN_EVENTS * LAW_QPN_EVENT_BYTES];
        size_t k;
        for (k = 0; k < sizeof b; k++)
            b[k] = (uint8_t)(test_random(&state) >> 8);
        if (i % 8 != 0) b[17] &= 7;
        CHECK(law_qpnlearner(rocecc_reader_of(b, b + sizeof b)) != LAW_BROKEN);
    }
}

/*
 * If the other direction is empty or belongs to another connection, it stays so. The
 * test tries all slots, because the table chooses the two.
 */
TEST(R_L3_14_Q_9_another_connections_direction_stays)
{
    const numbers b = {.from_id = 0x1005, .to_id = 5, .qpn = 0x12};
    unsigned what, i;
    for (what = 0; what < 3; what++) {
        unsigned forgotten = 0;
        for (i = 0; i < 8; i++) {
            table *t = table_of(8, 8);
            rocecc_qpnlearner_slot *s = &t->known[i];
            bool gone;
            CHECK_EQ(connect(t, 5, qp(1, 0x12), qp(2, 0x34)),
                     ROCECC_QPNLEARNER_LEARNED);
            if (s->state == ROCECC_QPNLEARNER_EMPTY) continue;
            if (what == 0) s->state = ROCECC_QPNLEARNER_EMPTY;
            if (what == 1) s->src_id ^= 1;
            if (what == 2) s->dst_id ^= 1;
            gone =
                say(t, ROCECC_QPNLEARNER_DREQ, 2, 1, b) == ROCECC_QPNLEARNER_FORGOTTEN;
            forgotten += gone;
            CHECK_EQ(taken(t), (what == 0 ? 1u : 2u) - gone);
            if (what != 0) CHECK(s->state != ROCECC_QPNLEARNER_EMPTY);
        }
        CHECK_EQ(forgotten, 1);
    }
}

static rocecc_qpnlearner_params params_of_sizes(uint32_t half, uint32_t known)
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

/* Requests use only p->half slots, even if known[] is longer. */
TEST(qpnlearner_requests_stay_in_half)
{
    static rocecc_qpnlearner_slot half[65], known[64];
    const rocecc_qpnlearner_params p = params_of_sizes(8, 64);
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
    half[8] = half[0]; /* not part of the table */
    m.kind = ROCECC_QPNLEARNER_REP;
    m.dst_id = half[0].src_id;
    m.src_id = 5;
    half[0].state = ROCECC_QPNLEARNER_EMPTY;
    CHECK_EQ(rocecc_qpnlearner_learn(&p, half, known, &m, 64), ROCECC_QPNLEARNER_STRAY);
    half[0] = half[8];
    CHECK_EQ(rocecc_qpnlearner_learn(&p, half, known, &m, 64),
             ROCECC_QPNLEARNER_ANSWERED);
}

/* Only the p->known slots of a table are searched. */
TEST(qpnlearner_finds_nothing_beyond_its_table)
{
    static rocecc_qpnlearner_slot known[ROCECC_QPNLEARNER_WAYS + 1];
    const rocecc_qpnlearner_params p =
        params_of_sizes(ROCECC_QPNLEARNER_WAYS, ROCECC_QPNLEARNER_WAYS);
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

typedef struct learner {
    rocecc_qpnlearner_params p;
    rocecc_qpnlearner_slot half[64], known[64];
    uint64_t now_ns;
} learner;

static rocecc_qpnlearner_params params_of_64_slots(void)
{
    rocecc_qpnlearner_params p;
    memset(&p, 0, sizeof p);
    p.secret[0] = 1;
    p.half = p.known = 64;
    p.half_ns = 1000;
    p.known_ns = 5000;
    CHECK_EQ(rocecc_qpnlearner_init(&p), ROCECC_QPNLEARNER_ACCEPTED);
    return p;
}

/* Learns a message between a and b. The id of b is id + 0x1000. */
static rocecc_qpnlearner_outcome say_between_two(learner *t, unsigned kind, uint32_t id,
                                                 uint32_t qpn)
{
    const bool back = kind == ROCECC_QPNLEARNER_REP;
    rocecc_qpnlearner_message m;
    memset(&m, 0, sizeof m);
    m.kind = (rocecc_qpnlearner_kind)kind;
    m.src.b[0] = m.dst.b[0] = 0x20;
    m.src.b[15] = back ? 2 : 1;
    m.dst.b[15] = back ? 1 : 2;
    m.src_id = back ? id + 0x1000 : id;
    m.dst_id = back ? id : id + 0x1000;
    m.qpn = qpn;
    return rocecc_qpnlearner_learn(&t->p, t->half, t->known, &m, t->now_ns);
}

static rocecc_qpnlearner_outcome join_two(learner *t, uint32_t id, uint32_t a_qpn,
                                          uint32_t b_qpn)
{
    CHECK_EQ(say_between_two(t, ROCECC_QPNLEARNER_REQ, id, a_qpn),
             ROCECC_QPNLEARNER_ASKED);
    CHECK_EQ(say_between_two(t, ROCECC_QPNLEARNER_REP, id, b_qpn),
             ROCECC_QPNLEARNER_ANSWERED);
    return say_between_two(t, ROCECC_QPNLEARNER_RTU, id, 0);
}

/*
 * Two connections name QP 10 of one host, and QPs 20 and 21 of the other. A DREQ of the
 * second does not end the dispute, so a third one with its QPs is in dispute, too. A
 * DREQ of the first ends it.
 */
TEST(Q_9_only_the_end_of_the_first_connection_ends_a_dispute)
{
    static learner t;
    memset(&t, 0, sizeof t);
    t.p = params_of_64_slots();
    CHECK_EQ(join_two(&t, 1, 10, 20), ROCECC_QPNLEARNER_LEARNED);
    CHECK_EQ(join_two(&t, 2, 10, 21), ROCECC_QPNLEARNER_DISPUTED);
    CHECK_EQ(say_between_two(&t, ROCECC_QPNLEARNER_DREQ, 2, 21),
             ROCECC_QPNLEARNER_FORGOTTEN);
    CHECK_EQ(join_two(&t, 3, 10, 21), ROCECC_QPNLEARNER_DISPUTED);
    CHECK_EQ(say_between_two(&t, ROCECC_QPNLEARNER_DREQ, 3, 21),
             ROCECC_QPNLEARNER_FORGOTTEN);
    CHECK_EQ(say_between_two(&t, ROCECC_QPNLEARNER_DREQ, 1, 20),
             ROCECC_QPNLEARNER_FORGOTTEN);
    CHECK_EQ(join_two(&t, 4, 10, 21), ROCECC_QPNLEARNER_LEARNED);
}

/*
 * Expired slots do not count. half_ns after a REQ, a REQ with its id is new, even with
 * another QPN. known_ns after a connection, one with its QP disputes nothing (Q-3,
 *
 */
TEST(Q_3_Q_8_expired_slots_do_not_count)
{
    static learner t;
    memset(&t, 0, sizeof t);
    t.p = params_of_64_slots();
    CHECK_EQ(say_between_two(&t, ROCECC_QPNLEARNER_REQ, 1, 10),
             ROCECC_QPNLEARNER_ASKED);
    t.now_ns = 999;
    CHECK_EQ(say_between_two(&t, ROCECC_QPNLEARNER_REQ, 1, 11),
             ROCECC_QPNLEARNER_STRAY);
    t.now_ns = 1000;
    CHECK_EQ(say_between_two(&t, ROCECC_QPNLEARNER_REQ, 1, 11),
             ROCECC_QPNLEARNER_ASKED);
    t.now_ns = 2000;
    CHECK_EQ(say_between_two(&t, ROCECC_QPNLEARNER_REQ, 1, 11),
             ROCECC_QPNLEARNER_ASKED);
    CHECK_EQ(join_two(&t, 2, 10, 20), ROCECC_QPNLEARNER_LEARNED);
    t.now_ns = 6999;
    CHECK_EQ(join_two(&t, 3, 12, 20), ROCECC_QPNLEARNER_DISPUTED);
    t.now_ns = 11999; /* known_ns later */
    CHECK_EQ(join_two(&t, 4, 10, 20), ROCECC_QPNLEARNER_LEARNED);
    t.now_ns = 16999;
    CHECK_EQ(join_two(&t, 5, 12, 20), ROCECC_QPNLEARNER_LEARNED);
}

#define ADDRESS_BITS 128

/* Returns an address with only this bit set. */
static rocecc_ip6 host_of_bit(unsigned bit)
{
    rocecc_ip6 a = {{0}};
    a.b[bit / 8] = (uint8_t)(1 << bit % 8);
    return a;
}

static const rocecc_qpnlearner_params eight_slots = {{1, 2}, 8, 8, 1000, 1000};

typedef struct small_table {
    rocecc_qpnlearner_slot half[8], known[8];
} small_table;

static rocecc_qpnlearner_outcome say_to(small_table *t, unsigned kind,
                                        const rocecc_ip6 *from, const rocecc_ip6 *to,
                                        uint32_t qpn)
{
    rocecc_qpnlearner_message m;
    memset(&m, 0, sizeof m);
    m.kind = (rocecc_qpnlearner_kind)kind;
    m.src = *from;
    m.dst = *to;
    m.src_id = kind == ROCECC_QPNLEARNER_REP ? 8 : 7;
    m.dst_id = kind == ROCECC_QPNLEARNER_REP ? 7 : 8;
    m.qpn = qpn;
    return rocecc_qpnlearner_learn(&eight_slots, t->half, t->known, &m, 1);
}

/* Lets a ask b, to connect QP aq of a and QP bq of b. */
static rocecc_qpnlearner_outcome connect_in_small_table(small_table *t,
                                                        const rocecc_ip6 *a,
                                                        const rocecc_ip6 *b,
                                                        uint32_t aq, uint32_t bq)
{
    rocecc_qpnlearner_start(t->half, 8);
    rocecc_qpnlearner_start(t->known, 8);
    (void)say_to(t, ROCECC_QPNLEARNER_REQ, a, b, aq);
    (void)say_to(t, ROCECC_QPNLEARNER_REP, b, a, bq);
    return say_to(t, ROCECC_QPNLEARNER_RTU, a, b, 0);
}

static bool is_known(const small_table *t, const rocecc_ip6 *from, const rocecc_ip6 *to,
                     uint32_t to_qpn)
{
    const rocecc_qpnlearner_flow flow = {*from, *to, to_qpn};
    uint32_t qpn;
    return rocecc_qpnlearner_lookup(&eight_slots, t->known, &flow, 1, &qpn);
}

/* Hosts whose addresses differ in two bits are different. */
TEST(Q_1_addresses_that_differ_in_two_bits_are_different)
{
    const rocecc_ip6 peer = {{0xfd, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
    small_table t;
    unsigned i, k;
    for (i = 0; i < ADDRESS_BITS; i++) {
        const rocecc_ip6 a = host_of_bit(i);
        CHECK_EQ(connect_in_small_table(&t, &a, &peer, 100, 200),
                 ROCECC_QPNLEARNER_LEARNED);
        for (k = 0; k < ADDRESS_BITS; k++) {
            const rocecc_ip6 b = host_of_bit(k);
            test_at("bits", i, k, 0);
            CHECK_EQ(is_known(&t, &b, &peer, 200), i == k);
            CHECK_EQ(is_known(&t, &peer, &b, 100), i == k);
        }
    }
}

/* Connections use QPNs 2 to 0xfffffe. */
TEST(Q_2_connections_use_qpns_2_to_0xfffffe)
{
    static const uint32_t qpns[] = {0, 1, 2, 0x7fffff, 0xfffffe, 0xffffff};
    const rocecc_ip6 a = host_of_bit(1), b = host_of_bit(2);
    small_table t;
    size_t i;
    for (i = 0; i < sizeof qpns / sizeof qpns[0]; i++) {
        const bool is_one = qpns[i] >= 2 && qpns[i] <= 0xfffffe;
        test_at("QPN", qpns[i], 0, 0);
        CHECK_EQ(connect_in_small_table(&t, &a, &b, qpns[i], 200) ==
                     ROCECC_QPNLEARNER_LEARNED,
                 is_one);
        CHECK_EQ(connect_in_small_table(&t, &a, &b, 100, qpns[i]) ==
                     ROCECC_QPNLEARNER_LEARNED,
                 is_one);
    }
}

/* With one direction in dispute and no slot for the other, it is FULL. */
TEST(Q_7_full_outranks_a_dispute)
{
    unsigned back;
    for (back = 0; back < 2; back++) {
        table *t = table_of(64, 8);
        uint32_t n;
        for (n = 0; n < 4; n++)
            CHECK_EQ(connect(t, n, qp(1, 0x10 + n), qp(2, 0x20 + n)),
                     ROCECC_QPNLEARNER_LEARNED);
        CHECK_EQ(back ? connect(t, 9, qp(2, 0x20), qp(1, 0x30))
                      : connect(t, 9, qp(1, 0x30), qp(2, 0x20)),
                 ROCECC_QPNLEARNER_FULL);
        CHECK_EQ(lookup(t, 1, 2, 0x20), 0); /* in dispute */
        CHECK_EQ(lookup(t, 2, 1, 0x30), 0); /* not learned */
        CHECK_EQ(lookup(t, 2, 1, 0x10), 0x20);
    }
}

/*
 * The same QPs with other ids renew a connection and replace its ids.
 */
TEST(Q_5_a_repeated_connection_replaces_its_ids)
{
    table *t = table_of(64, 64);
    const numbers first = {.from_id = 5, .to_id = 0x1005, .qpn = 0x34};
    const numbers last = {.from_id = 6, .to_id = 0x1006, .qpn = 0x34};
    CHECK_EQ(connect(t, 5, qp(1, 0x12), qp(2, 0x34)), ROCECC_QPNLEARNER_LEARNED);
    t->now_ns = 1800 * S; /* long after half_ns */
    CHECK_EQ(connect(t, 6, qp(1, 0x12), qp(2, 0x34)), ROCECC_QPNLEARNER_LEARNED);
    t->now_ns = 5400 * S - 1;
    CHECK_EQ(lookup(t, 1, 2, 0x34), 0x12);
    CHECK_EQ(say(t, ROCECC_QPNLEARNER_DREQ, 1, 2, first), ROCECC_QPNLEARNER_STRAY);
    CHECK_EQ(taken(t), 2);
    CHECK_EQ(say(t, ROCECC_QPNLEARNER_DREQ, 1, 2, last), ROCECC_QPNLEARNER_FORGOTTEN);
    CHECK_EQ(taken(t), 0);
}

/* For a flow that is unknown, in dispute or expired, *out is unchanged. */
TEST(qpnlearner_failed_lookup_writes_nothing)
{
    table *t = table_of(64, 64);
    rocecc_qpnlearner_flow flow;
    uint32_t qpn = 77;
    flow.src = host(1);
    flow.dst = host(2);
    flow.dst_qpn = 0x34;
    CHECK(!rocecc_qpnlearner_lookup(&t->p, t->known, &flow, 0, &qpn));
    CHECK_EQ(connect(t, 5, qp(1, 0x12), qp(2, 0x34)), ROCECC_QPNLEARNER_LEARNED);
    CHECK(!rocecc_qpnlearner_lookup(&t->p, t->known, &flow, t->p.known_ns, &qpn));
    CHECK_EQ(connect(t, 6, qp(1, 0x13), qp(2, 0x34)), ROCECC_QPNLEARNER_DISPUTED);
    CHECK(!rocecc_qpnlearner_lookup(&t->p, t->known, &flow, 0, &qpn));
    CHECK_EQ(qpn, 77);
}

/* A repeated REP renews half_ns for the RTU, but another REP does not. */
TEST(Q_4_a_repeated_reply_renews_half_ns)
{
    unsigned late;
    for (late = 0; late < 2; late++) {
        table *t = table_of(64, 64);
        CHECK_EQ(req(t, 1, 2, 7, 0x12), ROCECC_QPNLEARNER_ASKED);
        CHECK_EQ(rep(t, 1, 2, 7, 0x34), ROCECC_QPNLEARNER_ANSWERED);
        t->now_ns = 1000;
        CHECK_EQ(rep(t, 1, 2, 7, 0x34), ROCECC_QPNLEARNER_REPEATED);
        t->now_ns = 2000;
        CHECK_EQ(rep(t, 1, 2, 7, 0x35), ROCECC_QPNLEARNER_STRAY);
        t->now_ns = 1000 + t->p.half_ns - 1 + late;
        CHECK_EQ(rtu(t, 1, 2, 7),
                 late ? ROCECC_QPNLEARNER_STRAY : ROCECC_QPNLEARNER_LEARNED);
    }
}
