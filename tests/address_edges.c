/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * address_edges.c - every bit of an address counts: two that differ anywhere are two
 * hosts, and one with a single bit set is still an address.
 */
#include "../examples/lib/vec.h"
#include "lib/test.h"
#include "rocecc/guard/qpnlearner.h"
#include "rocecc/packet/answer.h"
#include "rocecc/packet/build.h"

#include <string.h>

#define BITS 128

/* Only one bit is set. */
static rocecc_ip6 host(unsigned bit)
{
    rocecc_ip6 a = {{0}};
    a.b[bit / 8] = (uint8_t)(1 << bit % 8);
    return a;
}

static const rocecc_qpnlearner_params learner = {{1, 2}, 8, 8, 1000, 1000};

typedef struct table {
    rocecc_qpnlearner_slot half[8], known[8];
} table;

static rocecc_qpnlearner_outcome say(table *t, unsigned kind, const rocecc_ip6 *from,
                                     const rocecc_ip6 *to, uint32_t qpn)
{
    rocecc_qpnlearner_message m;
    memset(&m, 0, sizeof m);
    m.kind = (rocecc_qpnlearner_kind)kind;
    m.src = *from;
    m.dst = *to;
    m.src_id = kind == ROCECC_QPNLEARNER_REP ? 8 : 7;
    m.dst_id = kind == ROCECC_QPNLEARNER_REP ? 7 : 8;
    m.qpn = qpn;
    return rocecc_qpnlearner_learn(&learner, t->half, t->known, &m, 1);
}

/* a asks b: QP aq of a sends to QP bq of b, and back. */
static rocecc_qpnlearner_outcome connect(table *t, const rocecc_ip6 *a,
                                         const rocecc_ip6 *b, uint32_t aq, uint32_t bq)
{
    rocecc_qpnlearner_start(t->half, 8);
    rocecc_qpnlearner_start(t->known, 8);
    (void)say(t, ROCECC_QPNLEARNER_REQ, a, b, aq);
    (void)say(t, ROCECC_QPNLEARNER_REP, b, a, bq);
    return say(t, ROCECC_QPNLEARNER_RTU, a, b, 0);
}

static bool known(const table *t, const rocecc_ip6 *from, const rocecc_ip6 *to,
                  uint32_t to_qpn)
{
    const rocecc_qpnlearner_flow flow = {*from, *to, to_qpn};
    uint32_t qpn;
    return rocecc_qpnlearner_lookup(&learner, t->known, &flow, 1, &qpn);
}

/* of two hosts that differ in two bits, one is never taken for the other. */
TEST(address_edges_qpnlearner)
{
    const rocecc_ip6 peer = {{0xfd, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
    table t;
    unsigned i, k;
    for (i = 0; i < BITS; i++) {
        const rocecc_ip6 a = host(i);
        CHECK_EQ(connect(&t, &a, &peer, 100, 200), ROCECC_QPNLEARNER_LEARNED);
        for (k = 0; k < BITS; k++) {
            const rocecc_ip6 b = host(k);
            test_at("bits", i, k, 0);
            CHECK_EQ(known(&t, &b, &peer, 200), i == k);
            CHECK_EQ(known(&t, &peer, &b, 100), i == k);
        }
    }
}

/* the QPNs that two QPs can have are 2 to 0xfffffe. */
TEST(address_edges_qpn)
{
    static const uint32_t qpns[] = {0, 1, 2, 0x7fffff, 0xfffffe, 0xffffff};
    const rocecc_ip6 a = host(1), b = host(2);
    table t;
    size_t i;
    for (i = 0; i < sizeof qpns / sizeof qpns[0]; i++) {
        const bool is_one = qpns[i] >= 2 && qpns[i] <= 0xfffffe;
        test_at("QPN", qpns[i], 0, 0);
        CHECK_EQ(connect(&t, &a, &b, qpns[i], 200) == ROCECC_QPNLEARNER_LEARNED,
                 is_one);
        CHECK_EQ(connect(&t, &a, &b, 100, qpns[i]) == ROCECC_QPNLEARNER_LEARNED,
                 is_one);
    }
}

/* A station's address: one byte that is not 0 is enough, in the first an even one. */
TEST(address_edges_station)
{
    const rocecc_domain d = {.link = ROCECC_LINK_ETHER};
    uint8_t frame[64], out[30];
    size_t n, i;
    CHECK(vec_hex("020000000001020000000002"
                  "0800 45000014 00000000 40110000 c0000201 c0000202",
                  frame, &n));
    for (i = 0; i < 6; i++) {
        rocecc_answer a = {{{0}}, ROCECC_TYPE_IPV4, 0, false};
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_packet p;
        a.src.b[i] = 0x82;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(frame, frame + n), &p);
        test_at("byte", i, 0, 0);
        CHECK_EQ(rocecc_answer_ether(&w, &p, &a), ROCECC_OK);
        CHECK(w.at == 14 && memcmp(out + 6, a.src.b, 6) == 0);
    }
}
