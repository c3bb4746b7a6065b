/* SPDX-License-Identifier: BSD-2-Clause */
/* prove-options: -eva-precision 2 */
#define PROVE_BYTES 256 /* parameters and 16 events */
#include "law/qcn.h"
#include "prove.h"

/* Offers any frame, with any accepted parameters and any bits as the state. */
static void congestion_point(void)
{
    static rocecc_qcn_cp_params p;
    static rocecc_qcn_cp s;
    rocecc_qcn_cp_event f = {0, 0, 0, false};
    rocecc_qcn_cp_action act;
    Frama_C_make_unknown((char *)&p, sizeof p);
    (void)rocecc_qcn_cp_mib();
    (void)rocecc_qcn_cp_mlxreg();
    (void)rocecc_qcn_weight_q10(Frama_C_interval(-2147483647 - 1, 2147483647));
    if (rocecc_qcn_cp_init(&p) != ROCECC_QCN_CP_ACCEPTED) return;
    s = rocecc_qcn_cp_start(&p, (uint32_t)prove_any());
    Frama_C_make_unknown((char *)&s, sizeof s);
    f.frame_bytes = (uint32_t)prove_any();
    f.queue_bytes = (uint32_t)prove_any();
    f.random = (uint32_t)prove_any();
    f.dropped = Frama_C_interval(0, 1) != 0;
    act = rocecc_qcn_cp_offer(&p, &s, &f);
    /*@ assert act.qntz_fb <= 63; */
    /*@ assert -4294967295 <= act.offset_bytes <= 4294967295; */
    /*@ assert -4294967295 <= act.delta_bytes <= 4294967295; */
}

/* Returns a rate within init()'s bounds. */
static uint64_t rate(void)
{
    const uint64_t x = prove_any() & (ROCECC_RATE_END_BPS - 1);
    return x == 0 ? 1 : x;
}

/* Returns a state with rates within init()'s bounds, in any stages. */
static rocecc_qcn_rp limited(void)
{
    rocecc_qcn_rp s;
    s.rate_bps = rate();
    s.target_bps = rate();
    s.left_bytes = (uint32_t)prove_any();
    s.byte_stage = (uint8_t)Frama_C_interval(0, 255);
    s.time_stage = (uint8_t)Frama_C_interval(0, 255);
    s.state = (uint8_t)Frama_C_interval(0, 2);
    s.enabled = (uint8_t)Frama_C_interval(0, 1);
    return s;
}

/*
 * Runs each event of a reaction point, with any accepted parameters and any bits as the
 * state.
 */
static void reaction_point(void)
{
    static rocecc_qcn_rp_params p;
    static rocecc_qcn_rp s;
    Frama_C_make_unknown((char *)&p, sizeof p);
    (void)rocecc_qcn_rp_qau(prove_any());
    (void)rocecc_qcn_rp_ns3(prove_any());
    if (rocecc_qcn_rp_init(&p) != ROCECC_QCN_RP_ACCEPTED) return;
    s = rocecc_qcn_rp_start(&p);
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)rocecc_qcn_rp_cnm(&p, &s, (uint8_t)prove_any(), (uint32_t)prove_any());
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)rocecc_qcn_rp_sent(&p, &s, (uint32_t)prove_any(), (uint8_t)prove_any(),
                             (uint32_t)prove_any());
    Frama_C_make_unknown((char *)&s, sizeof s);
    (void)rocecc_qcn_rp_timer(&p, &s, (uint8_t)prove_any(), (uint32_t)prove_any());
}

/* Checks that rates stay below ROCECC_RATE_END_BPS, so that nothing wraps. */
static void rates(void)
{
    rocecc_qcn_rp_params p = rocecc_qcn_rp_qau(rate());
    rocecc_qcn_rp s = limited();
    p.min_bps = rate();
    p.ai_bps = rate();
    p.hai_bps = rate();
    p.threshold = (uint8_t)Frama_C_interval(0, 255);
    p.gd_exp = (uint8_t)Frama_C_interval(0, 63);
    p.min_dec_percent = (uint8_t)Frama_C_interval(1, 100);
    p.clamp_target = (uint8_t)Frama_C_interval(0, 2);
    p.halve_in = (uint8_t)Frama_C_interval(0, 1);
    p.active_byte = (uint8_t)Frama_C_interval(0, 1);
    (void)rocecc_qcn_rp_cnm(&p, &s, (uint8_t)prove_any(), (uint32_t)prove_any());
    /*@ assert 1 <= s.rate_bps < 0x80000000000; */
    /*@ assert 1 <= s.target_bps < 0x80000000000; */
    /*@ assert s.state <= 2; */
    s = limited();
    (void)rocecc_qcn_rp_sent(&p, &s, (uint32_t)prove_any(), (uint8_t)prove_any(),
                             (uint32_t)prove_any());
    /*@ assert s.rate_bps < 0x80000000000; */
    /*@ assert s.target_bps < 0x80000000000; */
    /*@ assert s.state <= 2; */
    s = limited();
    (void)rocecc_qcn_rp_timer(&p, &s, (uint8_t)prove_any(), (uint32_t)prove_any());
    /*@ assert s.rate_bps < 0x80000000000; */
    /*@ assert s.target_bps < 0x80000000000; */
    /*@ assert s.state <= 2; */
}

void main(void)
{
    congestion_point();
    reaction_point();
    rates();
    (void)law_qcn(prove_reader());
}
