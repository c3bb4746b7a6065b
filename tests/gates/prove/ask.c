/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 20 */
#include "law/ask.h"
#include "traffic.h"

#define SLOTS 16

static rocecc_pause_params p;
static rocecc_traffic_slot e[SLOTS];
static rocecc_pause_traffic x;

/* Runs any event on slots of any bits. The action's slot exists or is NONE. */
static void event(void)
{
    rocecc_ask t = rocecc_ask_start((uint32_t)prove_any());
    rocecc_pause_result act;
    t = rocecc_ask_start(0); /* without slots */
    act = rocecc_ask_queue(&p, &t, e, &x, prove_any());
    t = rocecc_ask_start(SLOTS);
    t.asked = (uint32_t)prove_any();
    t.full = (uint32_t)prove_any();
    Frama_C_make_unknown((char *)e, sizeof e);
    act = rocecc_ask_queue(&p, &t, e, &x, prove_any());
    /*@ assert act.slot < SLOTS || act.slot == ROCECC_PAUSE_NONE; */
}

void main(void)
{
    prove_traffic(&x);
    Frama_C_make_unknown((char *)&p, sizeof p);
    event();
    /*@ slevel merge; */
    (void)law_ask(prove_reader());
}
