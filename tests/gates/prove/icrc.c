/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 120 */
#define PROVE_BYTES 96
#define ROCECC_IP6EXT_MAX 1 /* low, so that the loops also reach it */
#include "law/icrc.h"
#include "any.h"

static rocecc_icrc_rule any_rule(void)
{
    return (rocecc_icrc_rule)Frama_C_interval(ROCECC_ICRC_AUTO, ROCECC_ICRC_NONE);
}

void main(void)
{
    rocecc_packet p = prove_packet();
    rocecc_writer w = prove_writer();
    rocecc_icrc icrc;
    uint32_t state;
    (void)rocecc_icrc_verify(any_rule(), &p, &icrc);
    /*@ slevel merge; */
    w.end = (size_t)Frama_C_interval(0, PROVE_BYTES); /* also before the packet's end */
    (void)rocecc_icrc_emplace(any_rule(), &p, w);
    /*@ slevel merge; */
    (void)rocecc_icrc_init(any_rule(), &p, &state);
    /*@ slevel merge; */
    state = (uint32_t)prove_any();
    (void)rocecc_icrc_patch(&state, p.bytes, prove_reader(), (uint32_t)prove_any());
}
