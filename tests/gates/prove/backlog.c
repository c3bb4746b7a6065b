/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 20 */
#include "law/backlog.h"
#include "traffic.h"

#define SLOTS 16

static rocecc_pause_params p;
static rocecc_traffic_slot e[SLOTS];
static rocecc_pause_traffic x;

/* Runs events on slots of any bits. The result's slot exists or is NONE. */
static void events(void)
{
    rocecc_backlog t = rocecc_backlog_start((uint32_t)prove_any());
    rocecc_backlog_result came;
    t = rocecc_backlog_start(0); /* without slots */
    came = rocecc_backlog_add(&p, &t, e, &x, (uint32_t)prove_any());
    /*@ assert came.slot == ROCECC_PAUSE_NONE; */
    t = rocecc_backlog_start(SLOTS);
    t.used = (uint32_t)prove_any();
    t.full = (uint32_t)prove_any();
    Frama_C_make_unknown((char *)e, sizeof e);
    came = rocecc_backlog_add(&p, &t, e, &x, (uint32_t)prove_any());
    /*@ assert came.slot < SLOTS || came.slot == ROCECC_PAUSE_NONE; */
    (void)rocecc_backlog_sub(&t, e, (uint32_t)prove_any(), (uint32_t)prove_any());
}

void main(void)
{
    prove_traffic(&x);
    Frama_C_make_unknown((char *)&p, sizeof p);
    events();
    /*@ slevel merge; */
    (void)law_backlog(prove_reader());
}
