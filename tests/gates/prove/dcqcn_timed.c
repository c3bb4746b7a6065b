/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 1 */
#include "rocecc/algo/dcqcn_timed.h"
#include "prove.h"

static rocecc_dcqcn_params p;
static rocecc_dcqcn_timed t;

/* Sets any bits as the state. */
static void any(void)
{
    Frama_C_make_unknown((char *)&t, sizeof t);
}

/*
 * Runs each event at any time, with any accepted parameters and any bits as the state.
 */
void main(void)
{
    Frama_C_make_unknown((char *)&p, sizeof p);
    if (rocecc_dcqcn_init(&p) != ROCECC_DCQCN_ACCEPTED) return;
    t = rocecc_dcqcn_timed_start(&p, prove_any());
    any();
    (void)rocecc_dcqcn_timed_advance(&p, &t, prove_any());
    any();
    (void)rocecc_dcqcn_timed_cnp(&p, &t, prove_any());
    any();
    (void)rocecc_dcqcn_timed_sent(&p, &t, (uint32_t)prove_any(), prove_any());
    any();
    (void)rocecc_dcqcn_timed_relink(&p, &t, prove_any());
    any();
    (void)rocecc_dcqcn_timed_restart(&p, &t, prove_any());
    any();
    (void)rocecc_dcqcn_timed_next_ns(&t);
}
