/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
#include "law/tokenbucket.h"
#include "prove.h"

/* Takes tokens with any parameters that init() accepts and any bits as the state. */
void main(void)
{
    static rocecc_tokenbucket_params p;
    static rocecc_tokenbucket s;
    Frama_C_make_unknown((char *)&p, sizeof p);
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)rocecc_tokenbucket_per_s((uint32_t)prove_any());
    (void)law_tokenbucket(prove_reader());
    if (rocecc_tokenbucket_init(&p) != ROCECC_TOKENBUCKET_ACCEPTED) return;
    (void)rocecc_tokenbucket_take(&p, &s, (uint32_t)prove_any(), prove_any());
}
