/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
#include "law/wred.h"
#include "prove.h"

/* Decides about any packet, with any accepted parameters. */
static void instant(void)
{
    static rocecc_wred_params p;
    Frama_C_make_unknown((char *)&p, sizeof p);
    (void)rocecc_wred_ldcp((uint32_t)prove_any(), (uint32_t)prove_any());
    (void)rocecc_wred_dcqcn_paper();
    (void)rocecc_wred_hpcc_runs(prove_any());
    (void)rocecc_wred_nvidia();
    if (rocecc_wred_init(&p) != ROCECC_WRED_ACCEPTED) return;
    (void)rocecc_wred_decide(&p, (uint32_t)prove_any(),
                             (rocecc_ecn)Frama_C_interval(0, 3), (uint32_t)prove_any());
    (void)rocecc_wred_find_reach(&p, (uint32_t)prove_any());
}

/* Runs RED with any state and time. */
static void averaged(void)
{
    static rocecc_red s;
    rocecc_red_event e;
    rocecc_red_params p =
        rocecc_red_floyd((uint32_t)prove_any(), (uint32_t)prove_any());
    Frama_C_make_unknown((char *)&s, sizeof s);
    p.maxp_q32 = prove_any();
    p.max_bytes = (uint32_t)prove_any();
    p.weight_exp = (uint8_t)Frama_C_interval(0, 255);
    p.gentle = Frama_C_interval(0, 1) != 0;
    p.dpdk = Frama_C_interval(0, 1) != 0;
    p.hard_drop = Frama_C_interval(0, 1) != 0;
    if (rocecc_red_init(&p) != ROCECC_RED_ACCEPTED) return;
    (void)rocecc_red_start(&p);
    rocecc_red_idle(&p, &s, (uint32_t)prove_any());
    e.queue_bytes = (uint32_t)prove_any();
    e.ecn = (uint8_t)Frama_C_interval(0, 3);
    e.random = (uint32_t)prove_any();
    e.now_ns = (uint32_t)prove_any();
    (void)rocecc_red_arrive(&p, &s, e);
}

void main(void)
{
    instant();
    averaged();
    (void)law_wred(prove_reader());
}
