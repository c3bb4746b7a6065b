/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
#include "law/abw.h"
#include "prove.h"

/* Runs a step with any parameters that init() accepts and any bits as the state. */
void main(void)
{
    static rocecc_abw_params p;
    static rocecc_abw s;
    rocecc_abw_action act;
    Frama_C_make_unknown((char *)&p, sizeof p);
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)rocecc_abw_csig(prove_any());
    (void)law_abw(prove_reader());
    if (rocecc_abw_init(&p) != ROCECC_ABW_ACCEPTED) return;
    act = rocecc_abw_step(&p, &s, prove_any(), prove_any());
    (void)act;
}
