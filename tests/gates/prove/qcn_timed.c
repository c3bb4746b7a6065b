/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 2 */
#define PROVE_BYTES 256 /* parameters and 10 events */
#include "law/qcn_timed.h"
#include "prove.h"

static rocecc_qcn_rp_event event(void)
{
    rocecc_qcn_rp_event e;
    e.now_ns = prove_any();
    e.random = (uint32_t)prove_any();
    e.bytes = (uint32_t)prove_any();
    e.qntz_fb = (uint8_t)prove_any();
    e.host = (uint8_t)prove_any();
    return e;
}

/*
 * Runs each event at any time, with any accepted parameters and any bits as the state.
 */
static void any(void)
{
    static rocecc_qcn_rp_params p;
    static rocecc_qcn_rp_timed t;
    rocecc_qcn_rp_event e = event();
    Frama_C_make_unknown((char *)&p, sizeof p);
    if (rocecc_qcn_rp_init(&p) != ROCECC_QCN_RP_ACCEPTED) return;
    t = rocecc_qcn_rp_timed_start(&p, prove_any());
    Frama_C_make_unknown((char *)&t, sizeof t);
    (void)rocecc_qcn_rp_relink(&p, &t.flow);
    Frama_C_make_unknown((char *)&t, sizeof t);
    (void)rocecc_qcn_rp_timed_advance(&p, &t, (uint8_t)prove_any(),
                                      (uint32_t)prove_any(), prove_any());
    Frama_C_make_unknown((char *)&t, sizeof t);
    (void)rocecc_qcn_rp_timed_cnm(&p, &t, &e);
    Frama_C_make_unknown((char *)&t, sizeof t);
    e = event();
    (void)rocecc_qcn_rp_timed_sent(&p, &t, &e);
}

void main(void)
{
    any();
    (void)law_qcn_timed_run(prove_reader());
}
