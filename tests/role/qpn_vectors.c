/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * qpn_vectors.c - tests a switch with the rows of vectors/qpn.vec. A row has a frame
 * and its verdict, or a packet and its sender's QP. The rows of one source share one
 * switch, in order.
 */
#include "law/qpn.h"
#include "lib/noun.h"
#include "lib/role.h"
#include "rocecc/fields/qpn.h"

#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0xa5
#define ENTRIES 4
#define SLOTS 128

static const field params_fields[] = {
    ROCECC_QPNLEARNER_PARAMS_FIELDS(FIELD_ROW, rocecc_qpnlearner_params)};

typedef struct given {
    uint8_t verdict;
    uint8_t learned; /* LEARNINGS if nothing was learned */
    bool known;
    uint32_t qpn;
} given;

static const field learn_fields[] = {
    FIELD_AT("verdict", ENUM, offsetof(given, verdict), 1, ROCECC_QPN_VERDICT_NAMES),
    FIELD_AT("learned", ENUM, offsetof(given, learned), 1,
             ROCECC_QPNLEARNER_OUTCOME_NAMES)};
static const field lookup_fields[] = {
    FIELD_AT("known", BOOL, offsetof(given, known), sizeof(bool), NULL),
    FIELD_AT("qpn", UINT, offsetof(given, qpn), 4, NULL)};

/* State that the rows of one source share. */
static char source_now[ROLE_SOURCE];
static rocecc_qpnlearner_params params;
static role_list list;
static rocecc_acl access_list;
static rocecc_qpnlearner_slot half[SLOTS], known[SLOTS];
static rocecc_qpn state;

static void open_switch(const vec_row *row)
{
    size_t i;
    if (!role_source(row, source_now)) return;
    memset(&params, 0, sizeof params);
    memset(&list, 0, sizeof list);
    memset(&state, 0, sizeof state);
    memset(half, UNTOUCHED, sizeof half);
    memset(known, UNTOUCHED, sizeof known);
    for (i = 0; i < row->n_config; i++)
        CHECK(role_set_access("access", &row->config[i], &list) ||
              role_set(params_fields, NOUN_COUNT(params_fields), "", &row->config[i],
                       &params));
    access_list = role_acl(&list);
    CHECK_EQ(rocecc_qpnlearner_init(&params), ROCECC_QPNLEARNER_ACCEPTED);
    if (params.half > SLOTS || params.known > SLOTS) abort();
    rocecc_qpnlearner_start(half, params.half);
    rocecc_qpnlearner_start(known, params.known);
}

/* Parses the first n bytes of a frame, at offset `start` of a buffer. */
static rocecc_packet packet_at(const vec_row *row, size_t n, size_t start)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_ETHER};
    uint8_t *at = guard_end(NULL, start + n);
    rocecc_reader r = rocecc_reader_of(at, at + start + n);
    rocecc_packet p;
    memset(at, UNTOUCHED, start);
    memcpy(at + start, row->bytes, n);
    r.at = start;
    (void)rocecc_packet_parse(&d, r, &p);
    return p;
}

static rocecc_qpn_event event_of(const vec_row *row)
{
    rocecc_qpn_event e = {0, &access_list, half, known};
    const char *now = vec_value(row->in, row->n_in, "now_ns");
    if (now != NULL) e.now_ns = strtoull(now, NULL, 0);
    return e;
}

/* Checks that a cut packet is not learned, and changes no table. */
static void check_prefixes(const vec_row *row)
{
    static rocecc_qpnlearner_slot half_was[SLOTS], known_was[SLOTS];
    const rocecc_qpn_event e = event_of(row);
    size_t n;
    memcpy(half_was, half, sizeof half);
    memcpy(known_was, known, sizeof known);
    for (n = 0; n < row->n; n++) {
        const rocecc_packet p = packet_at(row, n, 0);
        rocecc_qpn s = state;
        test_context("%s, the first %zu bytes", row->id, n);
        CHECK(rocecc_qpn_learn(&params, &s, &p, &e) != ROCECC_QPN_LEARNED);
        CHECK(memcmp(half, half_was, sizeof half) == 0);
        CHECK(memcmp(known, known_was, sizeof known) == 0);
    }
    test_context("%s", row->id);
}

/* Returns the only outcome that the table has counted, or LEARNINGS. */
static uint8_t learned_of(const rocecc_qpn *was)
{
    uint8_t which = ROCECC_QPNLEARNER_LEARNINGS, i;
    for (i = 0; i < ROCECC_QPNLEARNER_LEARNINGS; i++) {
        if (state.table_count[i] == was->table_count[i]) continue;
        CHECK_EQ(state.table_count[i], was->table_count[i] + 1);
        CHECK_EQ(which, ROCECC_QPNLEARNER_LEARNINGS);
        which = i;
    }
    return which;
}

static void call_qpn_learn(const vec_row *row)
{
    static const size_t starts[] = {1, 77, ROCECC_PACKET_START_MAX, 0};
    rocecc_qpn_event e;
    rocecc_qpn was;
    rocecc_packet p;
    given is = {0, 0, false, 0};
    size_t i;
    open_switch(row);
    check_prefixes(row);
    e = event_of(row);
    for (i = 0; i < NOUN_COUNT(starts); i++) {
        static rocecc_qpnlearner_slot half_copy[SLOTS], known_copy[SLOTS];
        rocecc_qpn_event copy = e;
        rocecc_qpn s = state;
        memcpy(half_copy, half, sizeof half);
        memcpy(known_copy, known, sizeof known);
        copy.half = half_copy;
        copy.known = known_copy;
        p = packet_at(row, row->n, starts[i]);
        is.verdict = (uint8_t)rocecc_qpn_learn(&params, &s, &p, &copy);
        CHECK_EQ(s.count[is.verdict], state.count[is.verdict] + 1);
    }
    was = state;
    p = packet_at(row, row->n, 0);
    CHECK_EQ(rocecc_qpn_learn(&params, &state, &p, &e), is.verdict);
    is.learned = learned_of(&was);
    CHECK((is.learned < ROCECC_QPNLEARNER_LEARNINGS) ==
          (is.verdict == ROCECC_QPN_LEARNED));
    noun_check_out(row, learn_fields, is.verdict == ROCECC_QPN_LEARNED ? 2 : 1,
                   ROCECC_OK, &is);
}

static void call_qpn_lookup(const vec_row *row)
{
    static rocecc_qpnlearner_slot was[SLOTS];
    const uint32_t untouched = 0xa5a5a5a5;
    rocecc_qpn_event e;
    rocecc_packet p;
    given is = {0, 0, false, 0xa5a5a5a5};
    open_switch(row);
    e = event_of(row);
    memcpy(was, known, sizeof known);
    p = packet_at(row, row->n, 0);
    is.known = rocecc_qpn_lookup(&params, &p, &e, &is.qpn);
    CHECK(memcmp(was, known, sizeof known) == 0);
    if (!is.known) {
        CHECK_EQ(is.qpn, untouched);
        is.qpn = 0;
    }
    noun_check_out(row, lookup_fields, NOUN_COUNT(lookup_fields), ROCECC_OK, &is);
}

static const noun_call calls[] = {{"qpn_learn", call_qpn_learn},
                                  {"qpn_lookup", call_qpn_lookup}};

TEST(qpn_vectors)
{
    const noun_file file = {"qpn", law_qpn, NULL, 0, calls, NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}
