/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-auto-loop-unroll 0 -eva-slevel 60 */
#define PROVE_BYTES 96
#include "law/icrc.h"
#include "prove.h"

/* Whatever stands in the located frame: offsets beyond the buffer, too. */
void main(void)
{
    const rocecc_reader r = prove_reader();
    const rocecc_icrc_rule rule =
        (rocecc_icrc_rule)Frama_C_interval(ROCECC_ICRC_AUTO, ROCECC_ICRC_NONE);
    rocecc_writer w = prove_writer();
    static rocecc_frame f;
    rocecc_icrc icrc;
    uint32_t state;
    Frama_C_make_unknown((char *)&f, sizeof f);
    (void)rocecc_icrc_compute(rule, r, &f, &state);
    (void)rocecc_icrc_verify(rule, r, &f, &icrc);
    (void)rocecc_icrc_init(rule, r, &f, &state);
    (void)rocecc_icrc_emplace(rule, &w, &f);
    state = (uint32_t)prove_any();
    (void)rocecc_icrc_patch(&state, r, prove_reader(), (uint32_t)prove_any());
}
