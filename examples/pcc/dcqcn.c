/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * dcqcn.c - DCQCN on a NIC without timers. The context is rocecc_dcqcn_timed, with 48
 * bytes. A rate of 0, which no running flow has, means that the flow is new.
 */
#include "pcc.h"

#include <string.h>

enum {
    G = 2,
    ALPHA_TIMER,
    ALPHA_INIT,
    CUT,
    DEC,
    STAGES,
    INCREASE,
    BYTES,
    AI,
    HAI,
    RESTART
};

/* The defaults of NVIDIA's NICs, rocecc_dcqcn_nvidia(). Rates are in Mb/s. */
static const pcc_param params[] = {
    {"line_mbps", 1000, 100000, 4000000, ROCECC_DCQCN_REFUSED_LINE},
    {"min_mbps", 1, 1, 4000000, ROCECC_DCQCN_REFUSED_MIN},
    {"g_q20", 1024, 5120, 1 << 20, ROCECC_DCQCN_REFUSED_G},
    {"alpha_timer_ns", 500, 1000, 1000000000, ROCECC_DCQCN_REFUSED_ALPHA_TIMER},
    {"alpha_init_q20", 0, 1047552, 1 << 20, ROCECC_DCQCN_REFUSED_ALPHA_INIT},
    {"cut_interval_ns", 500, 4000, 1000000000, ROCECC_DCQCN_REFUSED_CUT_INTERVAL},
    {"min_dec_q20", 0, 1 << 19, 1 << 20, ROCECC_DCQCN_REFUSED_MIN_DEC},
    {"fast_recovery_stages", 0, 1, 254, ROCECC_DCQCN_REFUSED_FAST_RECOVERY},
    {"increase_timer_ns", 500, 300000, 1000000000, ROCECC_DCQCN_REFUSED_INCREASE_TIMER},
    {"byte_counter_bytes", 0, 32767000, UINT32_MAX, ROCECC_DCQCN_ACCEPTED},
    {"ai_mbps", 1, 5, 4000000, ROCECC_DCQCN_REFUSED_AI},
    {"hai_mbps", 1, 50, 4000000, ROCECC_DCQCN_REFUSED_HAI},
    {"restart_mbps", 0, 0, 4000000, ROCECC_DCQCN_REFUSED_RESTART}};

static uint64_t bps(uint32_t mbps)
{
    return (uint64_t)mbps * 1000000;
}

static int init(pcc *s, const uint32_t *value)
{
    rocecc_dcqcn_params *p = &s->of.dcqcn;
    int refusal;
    *p = rocecc_dcqcn_nvidia(bps(value[PCC_LINE_MBPS]));
    p->min_bps = bps(value[PCC_MIN_MBPS]);
    p->g_q20 = value[G];
    p->alpha_timer_ns = value[ALPHA_TIMER];
    p->alpha_init_q20 = value[ALPHA_INIT];
    p->cut_interval_ns = value[CUT];
    p->min_dec_q20 = value[DEC];
    p->fast_recovery_stages = (uint8_t)value[STAGES];
    p->increase_timer_ns = value[INCREASE];
    p->byte_counter_bytes = value[BYTES];
    p->ai_bps = bps(value[AI]);
    p->hai_bps = bps(value[HAI]);
    p->restart_bps = bps(value[RESTART]);
    refusal = (int)rocecc_dcqcn_init(p);
    return refusal == ROCECC_DCQCN_ACCEPTED ? PCC_ACCEPTED
                                            : pcc_refused(&pcc_dcqcn, refusal);
}

/*
 * Handles an event. Merged CNPs count as one, because DCQCN counts one per cut
 * interval.
 */
static rocecc_dcqcn_action react(const rocecc_dcqcn_params *p, rocecc_dcqcn_timed *t,
                                 const pcc_event *e, uint64_t now_ns)
{
    switch (e->type) {
    case PCC_TX:
        return rocecc_dcqcn_timed_sent(p, t, e->bytes, now_ns);
    case PCC_CNP:
        return rocecc_dcqcn_timed_cnp(p, t, now_ns);
    case PCC_NACK:
        return rocecc_dcqcn_timed_restart(p, t, now_ns);
    default: /* the FIRST of a known flow is a repeated one */
        return rocecc_dcqcn_timed_advance(p, t, now_ns);
    }
}

static uint64_t step(const pcc *s, uint8_t *context, const pcc_event *e)
{
    const rocecc_dcqcn_params *p = &s->of.dcqcn;
    rocecc_dcqcn_timed t;
    rocecc_dcqcn_action act;
    memcpy(&t, context, sizeof t); /* the context may be unaligned */
    if (t.flow.rate_bps == 0) t = rocecc_dcqcn_timed_start(p, e->now_ns);
    act = react(p, &t, e, pcc_now_ns(t.last_ns, e->now_ns));
    memcpy(context, &t, sizeof t);
    return act.rate_bps;
}

typedef char fits[sizeof(rocecc_dcqcn_timed) <= PCC_CONTEXT_BYTES ? 1 : -1];

const pcc_algorithm pcc_dcqcn = {"dcqcn", params, sizeof params / sizeof *params, init,
                                 step};
