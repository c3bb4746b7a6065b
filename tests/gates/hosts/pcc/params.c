/* SPDX-License-Identifier: BSD-2-Clause */

/* params.c - checks the parameters of examples/pcc: bounds, defaults, refusals. */
#include "judge.h"

#include <string.h>

/* A value out of its range is refused by its index, and the port does not change. */
static void ranges(const pcc_algorithm *a)
{
    uint32_t value[PCC_PARAMS_MAX], i;
    pcc port, before;
    pcc_standard(a, value);
    hold(a->n_params <= PCC_PARAMS_MAX && pcc_init(&port, a, value) == PCC_ACCEPTED,
         "the defaults are refused", 0);
    before = port;
    for (i = 0; i < a->n_params; i++) {
        const pcc_param *p = &a->params[i];
        hold(p->min <= p->standard && p->standard <= p->max, p->name, 1);
        pcc_standard(a, value);
        value[i] = p->min - 1;
        hold(p->min == 0 || pcc_init(&port, a, value) == (int)i, p->name, 2);
        value[i] = p->max + 1;
        hold(p->max == UINT32_MAX || pcc_init(&port, a, value) == (int)i, p->name, 3);
    }
    hold(memcmp(&port, &before, sizeof port) == 0, "a refusal changed the port", 0);
}

/* Contradictory values are refused by the right index. */
static void together(void)
{
    uint32_t value[PCC_PARAMS_MAX];
    pcc port;
    pcc_standard(&pcc_dcqcn, value);
    value[PCC_MIN_MBPS] = value[PCC_LINE_MBPS] + 1;
    hold(pcc_init(&port, &pcc_dcqcn, value) == PCC_MIN_MBPS, "min above line", 0);
    pcc_standard(&pcc_dcqcn, value);
    value[12] = value[PCC_LINE_MBPS] + 1;
    hold(pcc_init(&port, &pcc_dcqcn, value) == 12, "restart above line", 0);
    pcc_standard(&pcc_hpcc, value);
    value[6] = value[PCC_LINE_MBPS] + 1;
    hold(pcc_init(&port, &pcc_hpcc, value) == 6, "blind above line", 0);
    pcc_standard(&pcc_hpcc, value);
    value[5] = value[PCC_LINE_MBPS] + 1;
    hold(pcc_init(&port, &pcc_hpcc, value) == 5, "ai above line", 0);
}

/* The defaults must be the library's presets for 100 Gb/s. */
static void presets(void)
{
    rocecc_dcqcn_params d = rocecc_dcqcn_nvidia(100000000000u);
    rocecc_hpcc_params h = rocecc_hpcc_paper(100000000000u);
    uint32_t value[PCC_PARAMS_MAX];
    pcc port;
    (void)rocecc_dcqcn_init(&d);
    (void)rocecc_hpcc_init(&h);
    pcc_standard(&pcc_dcqcn, value);
    hold(pcc_init(&port, &pcc_dcqcn, value) == PCC_ACCEPTED, "dcqcn", 0);
    hold(port.of.dcqcn.g_q20 == d.g_q20 &&
             port.of.dcqcn.alpha_timer_ns == d.alpha_timer_ns &&
             port.of.dcqcn.alpha_init_q20 == d.alpha_init_q20 &&
             port.of.dcqcn.cut_interval_ns == d.cut_interval_ns &&
             port.of.dcqcn.min_dec_q20 == d.min_dec_q20 &&
             port.of.dcqcn.min_bps == d.min_bps &&
             port.of.dcqcn.line_bps == d.line_bps &&
             port.of.dcqcn.fast_recovery_stages == d.fast_recovery_stages &&
             port.of.dcqcn.increase_timer_ns == d.increase_timer_ns &&
             port.of.dcqcn.byte_counter_bytes == d.byte_counter_bytes &&
             port.of.dcqcn.ai_bps == d.ai_bps && port.of.dcqcn.hai_bps == d.hai_bps &&
             port.of.dcqcn.restart_bps == d.restart_bps,
         "dcqcn: not the preset", 0);
    pcc_standard(&pcc_hpcc, value);
    hold(pcc_init(&port, &pcc_hpcc, value) == PCC_ACCEPTED, "hpcc", 0);
    hold(port.of.hpcc.base_rtt_ns == h.base_rtt_ns &&
             port.of.hpcc.eta_q20 == h.eta_q20 &&
             port.of.hpcc.max_stage == h.max_stage &&
             port.of.hpcc.w_ai_q8 == h.w_ai_q8 &&
             port.of.hpcc.w_init_bytes == h.w_init_bytes &&
             port.of.hpcc.w_blind_bytes == h.w_blind_bytes,
         "hpcc: not the preset", 0);
}

void judge_params(void)
{
    ranges(&pcc_dcqcn);
    ranges(&pcc_hpcc);
    together();
    presets();
}
