/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_HPCC_PARAMS_H
#define ROCECC_ALGO_HPCC_PARAMS_H

/*
 * hpcc_params.h - the parameters that all flows of hpcc.h share. init() checks them and
 * fills in the derived members. With the derived members, measuring a hop takes a
 * division only if the hop's rate is new. Li et al., SIGCOMM 2019.
 *
 *     member         meaning                                 paper, 100 Gb/s
 *     base_rtt_ns    T of the network, same for all flows    13000
 *     w_init_bytes   B * T of the NIC                        162500
 *     w_blind_bytes  W of a flow without telemetry           8125
 *     dt_max_ns      how long a counter is usable            10^9
 *
 * Example: at 800 Gb/s, a counter modulo 2^32 bytes wraps after 43 ms. With
 * tx_mod_bytes 2^32 and fastest_bps 800 * 10^9, init() accepts a dt_max_ns of
 * 40 * 10^6, but rejects 43 * 10^6.
 */
#include "hop.h"

#define ROCECC_HPCC_HOPS_MAX 16
#define ROCECC_HPCC_T_MIN_NS 1000
#define ROCECC_HPCC_T_MAX_NS 1000000000
#define ROCECC_HPCC_DT_MAX_NS 1000000000
#define ROCECC_HPCC_BDP_MIN_BYTES 512
#define ROCECC_HPCC_U_MAX_Q32 (((uint64_t)1 << 44) - 1)
#define ROCECC_HPCC_UTIL_MAX_Q20 1179648 /* 9/8 */
#define ROCECC_HPCC_DTX_MAX_BYTES (((uint64_t)1 << 40) - 1)

/* Reasons to reject parameters. The comments give the accepted values. */
typedef enum rocecc_hpcc_refusal {
    ROCECC_HPCC_ACCEPTED = 0,
    ROCECC_HPCC_REFUSED_T,        /* 1000 .. 10^9 */
    ROCECC_HPCC_REFUSED_ETA,      /* 1 .. 2^20 */
    ROCECC_HPCC_REFUSED_W_MIN,    /* 1 .. W_init */
    ROCECC_HPCC_REFUSED_W_INIT,   /* at most W_max */
    ROCECC_HPCC_REFUSED_W_MAX,    /* W_max / T below ROCECC_RATE_END_BPS */
    ROCECC_HPCC_REFUSED_W_AI,     /* below W_max */
    ROCECC_HPCC_REFUSED_MAX_HOPS, /* 1 .. 16 */
    ROCECC_HPCC_REFUSED_TS_MOD,   /* 0, or above dt_max + reorder */
    ROCECC_HPCC_REFUSED_TX_MOD,  /* 0, or above what the fastest link sends in dt_max */
    ROCECC_HPCC_REFUSED_DT_MAX,  /* T .. 10^9 */
    ROCECC_HPCC_REFUSED_FASTEST, /* 1 .. ROCECC_RATE_END_BPS - 1 */
    ROCECC_HPCC_REFUSED_REORDER, /* 1 .. dt_max */
    ROCECC_HPCC_REFUSED_QUEUE_MAX, /* at least 1 */
    ROCECC_HPCC_REFUSED_W_BLIND,   /* W_min .. W_init */
    ROCECC_HPCC_REFUSED_TICK_MAX   /* 0 .. T */
} rocecc_hpcc_refusal;

typedef struct rocecc_hpcc_params {
    uint32_t base_rtt_ns; /* T */
    uint32_t eta_q20;     /* target utilisation */
    uint8_t max_stage;    /* additive rounds before a multiplicative round */
    uint64_t w_ai_q8; /* W_AI = B * T * (1 - eta) / N for N flows on a link; bytes */
    uint64_t w_init_bytes; /* B * T of the NIC, so that a flow starts at line rate */
    uint64_t w_max_bytes;  /* usually w_init_bytes */
    uint64_t w_min_bytes;
    uint32_t u_init_q20;
    uint8_t max_hops;         /* entries in L */
    uint64_t ts_mod_ns;       /* M, modulus of the hops' clocks; 0 means 2^64 */
    uint64_t tx_mod_bytes;    /* modulus of the hops' byte counters; 0 means 2^64 */
    uint32_t dt_max_ns;       /* longest time between two comparable records */
    uint32_t pd_base_ns;      /* CSIG: delay of an idle hop; used only for
                                 ROCECC_HPCC_DELAY */
    uint64_t fastest_bps;     /* the fastest link of the network */
    uint32_t reorder_ns;      /* how late a reordered report may be */
    uint32_t tick_max_ns;     /* how long a hop's clock may stand still; 0: T/8 */
    uint32_t queue_max_bytes; /* largest buffer that a queue may fill */
    uint64_t w_blind_bytes;   /* W of a flow without telemetry: H-35 */
    /* derived by init */
    uint64_t min_bps;      /* lowest usable link rate: H-28 */
    uint64_t rate_q32;     /* 8 * 10^9 / T, to convert W in bytes to bit/s */
    uint64_t t_inverse;    /* 2^(32 + t_shift) / T, rounded up; in 2^32 .. 2^33 */
    uint64_t unit_inverse; /* 8 * 10^9 / T, shifted left by unit_shift to >= 2^63 */
    uint32_t ts_turn_ns;   /* M if below 2^32, else 0 */
    uint32_t wait_ns;      /* tick_max_ns, or T/8 if tick_max_ns is 0 */
    uint8_t t_shift;
    uint8_t unit_shift;
} rocecc_hpcc_params;

/*
 * Returns the paper's values: T 13 us (as in the simulations; the testbed has 9 us),
 * eta 95 %, maxStage 5, W_AI for 100 flows on a link, W_init = B * T. U_init = 1 is
 * from the paper's ns-3 code. The paper's links are up to 4 times as fast as the NIC,
 * and its switches have buffers of 32 MB. The other values are our choice. Reports can
 * be up to 4 * T late, and clocks can stand still for up to T/8. A flow without
 * telemetry gets a window of (1 - eta) * B * T. HPCC leaves this amount free on every
 * link, so a single flow of this kind does not build a queue.
 */
ROCECC_FN rocecc_hpcc_params rocecc_hpcc_paper(uint64_t nic_bps)
{
    rocecc_hpcc_params p;
    nic_bps = rocecc_min(nic_bps, ROCECC_RATE_END_BPS);
    p.base_rtt_ns = 13000;
    p.eta_q20 = 996147; /* 0.95 */
    p.max_stage = 5;
    /* B * T = nic_bps * 13000 / (8 * 10^9) */
    p.w_init_bytes = ROCECC_DIV64(nic_bps * 13, 8000000);
    p.w_max_bytes = p.w_init_bytes;
    p.w_ai_q8 = ROCECC_DIV64(p.w_init_bytes * 256, 2000); /* B * T * (1 - eta) / 100 */
    p.w_min_bytes = 1;
    p.u_init_q20 = ROCECC_ONE_Q20;
    p.max_hops = 5;
    p.ts_mod_ns = 0;
    p.tx_mod_bytes = 0;
    p.dt_max_ns = ROCECC_HPCC_DT_MAX_NS;
    p.pd_base_ns = 0;
    p.fastest_bps = rocecc_min(4 * nic_bps, ROCECC_RATE_END_BPS - 1);
    p.reorder_ns = 4 * p.base_rtt_ns;
    p.tick_max_ns = 0;
    p.queue_max_bytes = 32000000;
    p.w_blind_bytes = rocecc_max(ROCECC_DIV64(p.w_init_bytes, 20), 1);
    p.min_bps = p.rate_q32 = p.t_inverse = p.unit_inverse = 0;
    p.ts_turn_ns = p.wait_ns = 0;
    p.t_shift = p.unit_shift = 0;
    return p;
}

/*
 * Returns the parameter values used in HPCC's published ns-3 code (int-header.h,
 * run.py). Each round is multiplicative. Clocks are 24-bit nanosecond counters. Byte
 * counters have 20 bits. The unit of byte counters is 128 bytes for each 25 Gb/s of the
 * NIC's rate, which gives 512 bytes at 100 Gb/s. On links 4 times as fast as the NIC,
 * byte counters wrap after at least 5.3 ms, so dt_max is 5 ms.
 */
ROCECC_FN rocecc_hpcc_params rocecc_hpcc_ns3(uint64_t nic_bps)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(nic_bps);
    p.max_stage = 0;
    p.ts_mod_ns = (uint64_t)1 << 24;
    p.tx_mod_bytes = rocecc_max(ROCECC_DIV64(p.w_init_bytes, 40625), 1) << 27;
    p.dt_max_ns = 5000000;
    return p;
}

/*
 * Checks that counters cannot wrap within dt_max, and that clocks cannot wrap within
 * dt_max + reorder (H-31).
 */
ROCECC_FN rocecc_hpcc_refusal rocecc_hpcc_check_wraps_(const rocecc_hpcc_params *params)
{
    const uint64_t dt = params->dt_max_ns;
    /*
     * bytes = fastest * dt_max / (8 * 10^9), rounded down. mbps fits in 24 bits, and
     * rest_bps fits in 20 bits.
     */
    const uint64_t mbps = ROCECC_DIV64(params->fastest_bps, 1000000);
    const uint64_t rest_bps = params->fastest_bps - mbps * 1000000;
    const uint64_t bytes =
        ROCECC_DIV64(mbps * dt + ROCECC_DIV64(rest_bps * dt, 1000000), 8000);
    if (params->ts_mod_ns != 0 && params->ts_mod_ns <= dt + params->reorder_ns)
        return ROCECC_HPCC_REFUSED_TS_MOD;
    if (params->tx_mod_bytes != 0 && params->tx_mod_bytes <= bytes)
        return ROCECC_HPCC_REFUSED_TX_MOD;
    return ROCECC_HPCC_ACCEPTED;
}

ROCECC_FN rocecc_hpcc_refusal rocecc_hpcc_check_(const rocecc_hpcc_params *params)
{
    if (params->base_rtt_ns < ROCECC_HPCC_T_MIN_NS ||
        params->base_rtt_ns > ROCECC_HPCC_T_MAX_NS)
        return ROCECC_HPCC_REFUSED_T;
    if (params->eta_q20 == 0 || params->eta_q20 > ROCECC_ONE_Q20)
        return ROCECC_HPCC_REFUSED_ETA;
    if (params->w_min_bytes == 0 || params->w_min_bytes > params->w_init_bytes)
        return ROCECC_HPCC_REFUSED_W_MIN;
    if (params->w_init_bytes > params->w_max_bytes) return ROCECC_HPCC_REFUSED_W_INIT;
    /* W_max * 8 * 10^9 < 2^43 * T, with both sides divided by 2^12; T < 2^30 */
    if (params->w_max_bytes >> 40 != 0 ||
        params->w_max_bytes * 1953125 >= (uint64_t)params->base_rtt_ns << 31)
        return ROCECC_HPCC_REFUSED_W_MAX;
    if (params->w_ai_q8 >> 8 >= params->w_max_bytes) return ROCECC_HPCC_REFUSED_W_AI;
    if (params->max_hops == 0 || params->max_hops > ROCECC_HPCC_HOPS_MAX)
        return ROCECC_HPCC_REFUSED_MAX_HOPS;
    if (params->dt_max_ns < params->base_rtt_ns ||
        params->dt_max_ns > ROCECC_HPCC_DT_MAX_NS)
        return ROCECC_HPCC_REFUSED_DT_MAX;
    if (params->fastest_bps == 0 || params->fastest_bps >= ROCECC_RATE_END_BPS)
        return ROCECC_HPCC_REFUSED_FASTEST;
    if (params->reorder_ns == 0 || params->reorder_ns > params->dt_max_ns)
        return ROCECC_HPCC_REFUSED_REORDER;
    if (params->queue_max_bytes == 0) return ROCECC_HPCC_REFUSED_QUEUE_MAX;
    if (params->w_blind_bytes < params->w_min_bytes ||
        params->w_blind_bytes > params->w_init_bytes)
        return ROCECC_HPCC_REFUSED_W_BLIND;
    if (params->tick_max_ns > params->base_rtt_ns) return ROCECC_HPCC_REFUSED_TICK_MAX;
    return rocecc_hpcc_check_wraps_(params);
}

/*
 * Checks *params in the order of rocecc_hpcc_refusal, except that TS_MOD and TX_MOD are
 * checked last. Then fills in the derived members. On failure *params is unchanged.
 */
ROCECC_FN rocecc_hpcc_refusal rocecc_hpcc_init(rocecc_hpcc_params *params)
{
    const uint64_t unit = 8000000000u; /* 1 byte per ns, in bit/s */
    const uint32_t t = params->base_rtt_ns;
    const rocecc_hpcc_refusal refusal = rocecc_hpcc_check_(params);
    uint64_t whole, low;
    unsigned i;
    if (refusal != ROCECC_HPCC_ACCEPTED) return refusal;
    whole = ROCECC_DIV64(unit << 31, t);
    /* B * T >= 512 bytes */
    params->min_bps = ROCECC_DIV64(ROCECC_HPCC_BDP_MIN_BYTES * unit - 1, t) + 1;
    params->rate_q32 = whole << 1;
    params->wait_ns = params->tick_max_ns != 0 ? params->tick_max_ns : t / 8;
    params->ts_turn_ns = params->ts_mod_ns >> 32 == 0 ? (uint32_t)params->ts_mod_ns : 0;
    for (i = 0; i < 30 && t > (uint32_t)1 << i; i++)
        continue;
    params->t_shift = (uint8_t)i;
    params->t_inverse =
        ROCECC_DIV64(((uint64_t)1 << (32 + params->t_shift)) - 1, t) + 1;
    /*
     * unit / T in Q31 is whole + low * 2^-32. unit_inverse is this value, shifted left
     * until bit 63 is set.
     */
    params->unit_inverse = whole;
    low = ROCECC_DIV64(((unit << 31) - whole * t) << 32, t);
    for (i = 0; i < 30 && params->unit_inverse >> 63 == 0; i++)
        params->unit_inverse <<= 1;
    params->unit_inverse |= low >> (32 - i);
    params->unit_shift = (uint8_t)(31 + i);
    return refusal;
}

#endif /* ROCECC_ALGO_HPCC_PARAMS_H */
