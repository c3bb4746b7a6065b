/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_PROVE_TRAFFIC_H
#define TESTS_PROVE_TRAFFIC_H

/*
 * traffic.h - makes a forwarded packet with any values, for the tables of pauses. A
 * bool with any bits is not valid, so each bool gets both its values.
 */
#include "prove.h"
#include "rocecc/guard/traffic_slot.h"

static void prove_traffic(rocecc_pause_traffic *x)
{
    Frama_C_make_unknown((char *)&x->outer, sizeof x->outer);
    Frama_C_make_unknown((char *)&x->inner, sizeof x->inner);
    x->in_port = (uint32_t)prove_any();
    x->out_port = (uint32_t)prove_any();
    x->bytes = prove_any();
    x->held_ns = prove_any();
    x->priority = (uint8_t)Frama_C_interval(0, 255);
    x->pfc_class = (uint8_t)Frama_C_interval(0, 255);
    x->control = Frama_C_interval(0, 1) != 0;
    x->in_pfc = Frama_C_interval(0, 1) != 0;
}

#endif /* TESTS_PROVE_TRAFFIC_H */
