/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
#include "law/cnpgate.h"
#include "prove.h"

/* Runs events with any accepted parameters, any state and any time. */
void main(void)
{
    static rocecc_cnpgate_params p;
    static rocecc_cnpgate s;
    (void)law_cnpgate(prove_reader());
    Frama_C_make_unknown((char *)&p, sizeof p);
    if (rocecc_cnpgate_init(&p) != ROCECC_CNPGATE_ACCEPTED) return;
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)rocecc_cnpgate_ce(&p, &s, (uint32_t)prove_any());
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)rocecc_cnpgate_timer(&p, &s, (uint32_t)prove_any());
}
