/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 16 /* a byte for each event */
#include "law/ecntunnel.h"
#include "prove.h"

/* Uses fields of more than two bits, too. The table has four rows of four. */
void main(void)
{
    (void)law_ecntunnel(prove_reader());
    (void)rocecc_ecntunnel_encapsulate((rocecc_ecntunnel_mode)Frama_C_interval(0, 255),
                                       (rocecc_ecn)Frama_C_interval(0, 255));
    (void)rocecc_ecntunnel_decapsulate((rocecc_ecn)Frama_C_interval(0, 255),
                                       (rocecc_ecn)Frama_C_interval(0, 255));
}
