/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 1 -eva-slevel 100 */
#include "prove.h"
#include "rocecc/guard/qpnlearner.h"

#define SLOTS 16

static rocecc_qpnlearner_params p;
static rocecc_qpnlearner_slot half[SLOTS], known[SLOTS];

/* Sets slots of any bits, as if start() had not run. */
static void any_slots(void)
{
    Frama_C_make_unknown((char *)half, sizeof half);
    Frama_C_make_unknown((char *)known, sizeof known);
}

void main(void)
{
    static rocecc_qpnlearner_message m;
    static rocecc_qpnlearner_flow flow;
    rocecc_qpnlearner_outcome what;
    uint32_t qpn = 0;
    Frama_C_make_unknown((char *)&p, sizeof p);
    if (rocecc_qpnlearner_init(&p) != ROCECC_QPNLEARNER_ACCEPTED) return;
    p.half = Frama_C_interval(0, 1) != 0 ? 8 : SLOTS;
    p.known = Frama_C_interval(0, 1) != 0 ? 8 : SLOTS;
    rocecc_qpnlearner_start(half, p.half);
    any_slots();
    Frama_C_make_unknown((char *)&m, sizeof m);
    Frama_C_make_unknown((char *)&flow, sizeof flow);
    what = rocecc_qpnlearner_learn(&p, half, known, &m, prove_any());
    /*@ assert what < 8; */
    any_slots();
    (void)rocecc_qpnlearner_lookup(&p, known, &flow, prove_any(), &qpn);
}
