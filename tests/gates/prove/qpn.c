/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 1 -eva-slevel 100 -eva-auto-loop-unroll 0 */
#define PROVE_BYTES 300
#include "any.h"
#include "rocecc/role/qpn.h"

#define SLOTS 8

/* Handles any packet, with any list and slots of any bits. */
void main(void)
{
    static rocecc_qpnlearner_slot half[SLOTS], known[SLOTS];
    static rocecc_qpnlearner_params c;
    static rocecc_acl_entry entries[2];
    static rocecc_qpn s;
    rocecc_acl access = {NULL, 0, 0};
    rocecc_qpn_event e;
    rocecc_qpn_verdict verdict;
    rocecc_packet p;
    uint32_t qpn = 0;
    prove_agree();
    Frama_C_make_unknown((char *)entries, sizeof entries);
    access.entries = entries;
    access.n = (uint32_t)Frama_C_interval(0, 2);
    access.half = (uint32_t)prove_any();
    Frama_C_make_unknown((char *)&c, sizeof c);
    if (rocecc_qpnlearner_init(&c) != ROCECC_QPNLEARNER_ACCEPTED) return;
    c.half = c.known = SLOTS;
    Frama_C_make_unknown((char *)half, sizeof half);
    Frama_C_make_unknown((char *)known, sizeof known);
    Frama_C_make_unknown((char *)&s, sizeof s);
    p = prove_packet();
    e.now_ns = prove_any();
    e.access = Frama_C_interval(0, 1) != 0 ? &access : NULL;
    e.half = half;
    e.known = known;
    verdict = rocecc_qpn_learn(&c, &s, &p, &e);
    /*@ assert verdict < 7; */
    (void)rocecc_qpn_lookup(&c, &p, &e, &qpn);
}
