/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 2 */
#define PROVE_BYTES 192 /* parameters and 16 events */
#include "law/dcqcn.h"
#include "prove.h"

/* Runs each event with any accepted parameters and any bits as the state. */
void main(void)
{
    static rocecc_dcqcn_params p;
    static rocecc_dcqcn s;
    Frama_C_make_unknown((char *)&p, sizeof p);
    (void)rocecc_dcqcn_paper(prove_any());
    (void)rocecc_dcqcn_nvidia(prove_any());
    (void)rocecc_dcqcn_ns3_hpcc(prove_any());
    (void)law_dcqcn(prove_reader());
    if (rocecc_dcqcn_init(&p) != ROCECC_DCQCN_ACCEPTED) return;
    s = rocecc_dcqcn_start(&p);
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)rocecc_dcqcn_cnp(&p, &s);
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)rocecc_dcqcn_alpha_timer(&p, &s);
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)rocecc_dcqcn_cut_timer(&p, &s);
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)rocecc_dcqcn_increase_timer(&p, &s);
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)rocecc_dcqcn_sent(&p, &s, (uint32_t)prove_any());
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)rocecc_dcqcn_relink(&p, &s);
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)rocecc_dcqcn_restart(&p, &s);
}
