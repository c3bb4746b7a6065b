/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 60 */
#define PROVE_BYTES 96
#define ROCECC_IP6EXT_MAX 2 /* the loops end by their cap, too */
#include "law/icrc.h"
#include "any.h"

void main(void)
{
    const rocecc_packet p = prove_packet();
    const rocecc_icrc_rule rule =
        (rocecc_icrc_rule)Frama_C_interval(ROCECC_ICRC_AUTO, ROCECC_ICRC_NONE);
    rocecc_icrc icrc;
    uint32_t state;
    (void)rocecc_icrc_compute(rule, &p, &state);
    (void)rocecc_icrc_verify(rule, &p, &icrc);
    (void)rocecc_icrc_init(rule, &p, &state);
    (void)rocecc_icrc_emplace(rule, &p, prove_writer());
    state = (uint32_t)prove_any();
    (void)rocecc_icrc_patch(&state, p.bytes, prove_reader(), (uint32_t)prove_any());
}
