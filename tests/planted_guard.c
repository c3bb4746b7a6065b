/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * planted_guard.c - what defects that were planted in guard/ went through: each test is
 * red under one of them. The rules are of guard/README.md.
 */
#include "lib/test.h"
#include "rocecc/guard/qpnlearner.h"

#include <string.h>

typedef struct learner {
    rocecc_qpnlearner_params p;
    rocecc_qpnlearner_slot half[64], known[64];
    uint64_t now_ns;
} learner;

static rocecc_qpnlearner_params params(void)
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

/* A message between hosts a and b, who answers with id and 0x1000. */
static rocecc_qpnlearner_outcome say(learner *t, unsigned kind, uint32_t id,
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

static rocecc_qpnlearner_outcome join(learner *t, uint32_t id, uint32_t a_qpn,
                                      uint32_t b_qpn)
{
    CHECK_EQ(say(t, ROCECC_QPNLEARNER_REQ, id, a_qpn), ROCECC_QPNLEARNER_ASKED);
    CHECK_EQ(say(t, ROCECC_QPNLEARNER_REP, id, b_qpn), ROCECC_QPNLEARNER_ANSWERED);
    return say(t, ROCECC_QPNLEARNER_RTU, id, 0);
}

/*
 * two connections name QP 10 of one host, and QPs 20 and 21 of the other. The
 * end of the second is not the end of what they dispute: a third that says what the
 * second did is not believed, either. The end of the first is.
 */
TEST(planted_Q_9_the_second_does_not_end_a_dispute)
{
    static learner t;
    memset(&t, 0, sizeof t);
    t.p = params();
    CHECK_EQ(join(&t, 1, 10, 20), ROCECC_QPNLEARNER_LEARNED);
    CHECK_EQ(join(&t, 2, 10, 21), ROCECC_QPNLEARNER_DISPUTED);
    CHECK_EQ(say(&t, ROCECC_QPNLEARNER_DREQ, 2, 21), ROCECC_QPNLEARNER_FORGOTTEN);
    CHECK_EQ(join(&t, 3, 10, 21), ROCECC_QPNLEARNER_DISPUTED);
    CHECK_EQ(say(&t, ROCECC_QPNLEARNER_DREQ, 3, 21), ROCECC_QPNLEARNER_FORGOTTEN);
    CHECK_EQ(say(&t, ROCECC_QPNLEARNER_DREQ, 1, 20), ROCECC_QPNLEARNER_FORGOTTEN);
    CHECK_EQ(join(&t, 4, 10, 21), ROCECC_QPNLEARNER_LEARNED);
}

/*
 * what has expired is not there. A REQ of the same id, half_ns after another,
 * is a first one, whatever its QPN; and a connection of the same QP, known_ns after
 * another, disputes nothing.
 */
TEST(planted_Q_3_Q_8_what_has_expired_has_no_say)
{
    static learner t;
    memset(&t, 0, sizeof t);
    t.p = params();
    CHECK_EQ(say(&t, ROCECC_QPNLEARNER_REQ, 1, 10), ROCECC_QPNLEARNER_ASKED);
    t.now_ns = 999;
    CHECK_EQ(say(&t, ROCECC_QPNLEARNER_REQ, 1, 11), ROCECC_QPNLEARNER_STRAY);
    t.now_ns = 1000;
    CHECK_EQ(say(&t, ROCECC_QPNLEARNER_REQ, 1, 11), ROCECC_QPNLEARNER_ASKED);
    t.now_ns = 2000;
    CHECK_EQ(say(&t, ROCECC_QPNLEARNER_REQ, 1, 11), ROCECC_QPNLEARNER_ASKED);
    CHECK_EQ(join(&t, 2, 10, 20), ROCECC_QPNLEARNER_LEARNED);
    t.now_ns = 6999;
    CHECK_EQ(join(&t, 3, 12, 20), ROCECC_QPNLEARNER_DISPUTED);
    t.now_ns = 11999; /* 5000 after that */
    CHECK_EQ(join(&t, 4, 10, 20), ROCECC_QPNLEARNER_LEARNED);
    t.now_ns = 16999;
    CHECK_EQ(join(&t, 5, 12, 20), ROCECC_QPNLEARNER_LEARNED);
}
