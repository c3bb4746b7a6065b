/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 20 */
#include "law/pause.h"
#include "traffic.h"

#define SLOTS 16
#define NUMBERS 4

static rocecc_pause_params p;
static rocecc_traffic_slot e[SLOTS];
static rocecc_pause_holders who[SLOTS];
static uint32_t has[NUMBERS];
static rocecc_pause_traffic x;
static rocecc_pause_notice m;

/* Returns a table with slots of any bits. */
static rocecc_pause table(void)
{
    rocecc_pause t = rocecc_pause_start(SLOTS);
    Frama_C_make_unknown((char *)e, sizeof e);
    Frama_C_make_unknown((char *)who, sizeof who);
    Frama_C_make_unknown((char *)has, sizeof has);
    t.held = (uint32_t)prove_any();
    t.missing = (uint32_t)prove_any();
    t.full = (uint32_t)prove_any();
    t.refused = (uint32_t)prove_any();
    return t;
}

static void notice(void)
{
    Frama_C_make_unknown((char *)&m.flow, sizeof m.flow);
    Frama_C_make_unknown((char *)&m.from, sizeof m.from);
    m.pfc = Frama_C_interval(0, 1) != 0;
    m.priority = (uint32_t)prove_any();
    m.port = (uint32_t)prove_any();
    m.time_ns = prove_any();
    m.type = (uint8_t)Frama_C_interval(0, 255);
    m.has_flow = Frama_C_interval(0, 1) != 0;
    m.has_priority = Frama_C_interval(0, 1) != 0;
    m.has_time = Frama_C_interval(0, 1) != 0;
}

/* Runs any event on any table. The action's slot exists or is NONE. */
static void events(void)
{
    const rocecc_pause_memory memory = {e, who, has};
    rocecc_pause t = table();
    rocecc_pause_result act = rocecc_pause_notify(&p, &t, &memory, &m, prove_any());
    /*@ assert act.slot < SLOTS || act.slot == ROCECC_PAUSE_NONE; */
    t = table();
    act = rocecc_pause_packet(&p, &t, e, &x, prove_any());
    /*@ assert act.slot < SLOTS || act.slot == ROCECC_PAUSE_NONE; */
    /*@ assert act.what == ROCECC_PAUSE_RUN || act.what == ROCECC_PAUSE_HOLD; */
    t = table();
    act = rocecc_pause_timer(&p, &t, &memory, (uint32_t)prove_any(), prove_any());
    /*@ assert act.slot < SLOTS || act.slot == ROCECC_PAUSE_NONE; */
    t = rocecc_pause_start((uint32_t)prove_any());
    (void)rocecc_traffic_slot_count((uint32_t)prove_any());
    (void)rocecc_pause_flow(&p, &x);
}

void main(void)
{
    prove_traffic(&x);
    notice();
    Frama_C_make_unknown((char *)&p, sizeof p);
    (void)rocecc_pause_init(&p);
    p.requesters = (uint32_t)Frama_C_interval(0, NUMBERS); /* up to the size of has[] */
    events();
    /*@ slevel merge; */
    (void)law_pause(prove_reader());
}
