/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/pause.h"
#include "prove.h"

#define SLOTS 16

static rocecc_pause_params p;
static rocecc_pause_entry e[SLOTS];
static rocecc_pause_traffic x;
static rocecc_pause_notice m;

/* Slots of any bits. */
static rocecc_pause table(void)
{
    rocecc_pause t = rocecc_pause_start(SLOTS);
    Frama_C_make_unknown((char *)e, sizeof e);
    t.held = (uint32_t)prove_any();
    t.missing = (uint32_t)prove_any();
    t.full = (uint32_t)prove_any();
    return t;
}

/* A bool of any bits is none: by each of its values. */
static void traffic(void)
{
    Frama_C_make_unknown((char *)&x.outer, sizeof x.outer);
    Frama_C_make_unknown((char *)&x.inner, sizeof x.inner);
    x.in_port = (uint32_t)prove_any();
    x.out_port = (uint32_t)prove_any();
    x.priority = (uint8_t)Frama_C_interval(0, 255);
    x.pfc_class = (uint8_t)Frama_C_interval(0, 255);
    x.control = Frama_C_interval(0, 1) != 0;
}

static void notice(void)
{
    Frama_C_make_unknown((char *)&m.flow, sizeof m.flow);
    m.priority = (uint32_t)prove_any();
    m.port = (uint32_t)prove_any();
    m.time_ns = prove_any();
    m.type = (uint8_t)Frama_C_interval(0, 255);
    m.has_flow = Frama_C_interval(0, 1) != 0;
    m.has_priority = Frama_C_interval(0, 1) != 0;
    m.has_time = Frama_C_interval(0, 1) != 0;
}

/* Any table and any event; what an action names is there. */
static void events(void)
{
    rocecc_pause t = table();
    rocecc_pause_action act = rocecc_pause_notify(&p, &t, e, &m, prove_any());
    /*@ assert act.slot < SLOTS || act.slot == ROCECC_PAUSE_NONE; */
    t = table();
    act = rocecc_pause_packet(&p, &t, e, &x, prove_any());
    /*@ assert act.slot < SLOTS || act.slot == ROCECC_PAUSE_NONE; */
    /*@ assert act.what == ROCECC_PAUSE_RUN || act.what == ROCECC_PAUSE_HOLD; */
    t = table();
    act = rocecc_pause_timer(&p, &t, e, (uint32_t)prove_any(), prove_any());
    /*@ assert act.slot < SLOTS || act.slot == ROCECC_PAUSE_NONE; */
    t = table();
    x.in_pfc = Frama_C_interval(0, 1) != 0;
    x.bytes = prove_any();
    act = rocecc_pause_queue(&p, &t, e, &x, prove_any());
    /*@ assert act.slot < SLOTS || act.slot == ROCECC_PAUSE_NONE; */
    t = rocecc_pause_start((uint32_t)prove_any());
    (void)rocecc_pause_flow(&p, &x);
}

void main(void)
{
    traffic();
    notice();
    Frama_C_make_unknown((char *)&p, sizeof p);
    (void)rocecc_pause_init(&p);
    events();
    /*@ slevel merge; */
    (void)law_pause(prove_reader());
}
