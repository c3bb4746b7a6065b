/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_QPN_H
#define TESTS_LAW_QPN_H

#include "law.h"
#include "packet.h"
#include "rocecc/role/qpn.h"

#define LAW_QPN_ROLE_SLOTS 8

/* Returns a linked list that permits all but 10.0.0.3. */
LAW_FN rocecc_acl law_qpn_acl(rocecc_acl_entry *e)
{
    const rocecc_acl_entry none = {{{0}}, 0, 0, 0, 0};
    rocecc_acl acl;
    e[0] = e[1] = none;
    e[0].permit = 1;
    e[0].parent = ROCECC_ACL_NONE;
    e[1].prefix.b[10] = e[1].prefix.b[11] = 0xff;
    e[1].prefix.b[12] = 10;
    e[1].prefix.b[15] = 3;
    e[1].length = 128;
    acl.entries = e;
    acl.n = acl.half = 2;
    return acl;
}

LAW_FN rocecc_qpnlearner_params law_qpn_role_params(void)
{
    rocecc_qpnlearner_params p;
    p.secret[0] = 1;
    p.secret[1] = 2;
    p.half = p.known = LAW_QPN_ROLE_SLOTS;
    p.half_ns = p.known_ns = 1000;
    return p;
}

#if !defined(__bpf__)
/*
 * Checks a frame of any bytes. It gives one verdict and one count. One message alone
 * makes no QP known, and without a list nothing is learned.
 */
LAW_FN uint32_t law_qpn(rocecc_reader r)
{
    const rocecc_domain d = law_packet_plain(r);
    const rocecc_qpnlearner_params p = law_qpn_role_params();
    rocecc_qpnlearner_slot half[LAW_QPN_ROLE_SLOTS], known[LAW_QPN_ROLE_SLOTS];
    rocecc_acl_entry entries[2];
    const rocecc_acl access = law_qpn_acl(entries);
    rocecc_qpn s = {{0}, {0}};
    rocecc_qpn_event e;
    rocecc_packet packet;
    rocecc_qpn_verdict verdict;
    uint32_t digest, qpn = 7, i;
    uint64_t learned = 0;
    rocecc_qpnlearner_start(half, p.half);
    rocecc_qpnlearner_start(known, p.known);
    e.now_ns = 5;
    e.access = &access;
    e.half = half;
    e.known = known;
    (void)rocecc_packet_parse(&d, r, &packet);
    verdict = rocecc_qpn_learn(&p, &s, &packet, &e);
    LAW(verdict < ROCECC_QPN_VERDICTS && s.count[verdict] == 1);
    for (i = 0; i < ROCECC_QPNLEARNER_LEARNINGS; i++)
        learned += s.table_count[i];
    LAW(learned == (verdict == ROCECC_QPN_LEARNED ? 1u : 0));
    LAW(s.table_count[ROCECC_QPNLEARNER_STRAY] +
            s.table_count[ROCECC_QPNLEARNER_ASKED] ==
        learned);
    for (i = 0; i < LAW_QPN_ROLE_SLOTS; i++) {
        LAW(known[i].state == ROCECC_QPNLEARNER_EMPTY);
        if (half[i].state == ROCECC_QPNLEARNER_EMPTY) continue;
        LAW(s.table_count[ROCECC_QPNLEARNER_ASKED] == 1);
    }
    LAW(!rocecc_qpn_lookup(&p, &packet, &e, &qpn) && qpn == 7);
    e.access = NULL;
    if (verdict == ROCECC_QPN_LEARNED)
        LAW(rocecc_qpn_learn(&p, &s, &packet, &e) == ROCECC_QPN_ACCESS_DENIED);
    digest = law_mix(LAW_START, verdict);
    return law_mix(digest, s.table_count[ROCECC_QPNLEARNER_ASKED]);
}
#endif

#endif /* TESTS_LAW_QPN_H */
