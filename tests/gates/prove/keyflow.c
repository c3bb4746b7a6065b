/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
#include "law/keyflow.h"
#include "prove.h"

/* Any parameters, also those that init refuses, and any state. */
void main(void)
{
    static rocecc_keyflow_params p;
    static rocecc_keyflow s;
    rocecc_keyflow_verdict verdict;
    Frama_C_make_unknown((char *)&p, sizeof p);
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)law_keyflow(prove_reader());
    verdict =
        rocecc_keyflow_step(&p, &s, prove_any(), (uint32_t)prove_any(), prove_any());
    (void)verdict;
}
