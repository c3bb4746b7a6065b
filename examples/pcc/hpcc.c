/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * hpcc.c - HPCC++ with one CSIG signal per ACK, from the most loaded hop, in 40 bytes.
 * With telemetry of each hop it needs 40 bytes more per hop, too many for a context. A
 * window of 0, which no running flow has, means that the flow is new.
 */
#include "pcc.h"

#include <string.h>

enum { T = 2, ETA, STAGES, AI, BLIND };

/* The paper's values, rocecc_hpcc_paper(). */
static const pcc_param params[] = {
    {"line_mbps", 1000, 100000, 4000000, ROCECC_HPCC_REFUSED_W_MAX},
    {"min_mbps", 1, 1, 4000000, ROCECC_HPCC_REFUSED_W_MIN},
    {"base_rtt_ns", ROCECC_HPCC_T_MIN_NS, 13000, 100000000, ROCECC_HPCC_REFUSED_T},
    {"eta_q20", 1 << 17, 996147, 1 << 20, ROCECC_HPCC_REFUSED_ETA},
    {"max_stage", 0, 5, 255, ROCECC_HPCC_ACCEPTED},
    {"ai_mbps", 1, 50, 4000000, ROCECC_HPCC_REFUSED_W_AI},
    {"blind_mbps", 1, 5000, 4000000, ROCECC_HPCC_REFUSED_W_BLIND}};

/* Returns the bytes of a rate in T, mbps * T / 8000, in units of 1/256, rounded up. */
static uint64_t in_t_q8(const uint32_t *value, uint32_t mbps)
{
    return ROCECC_DIV64((uint64_t)mbps * value[T] * 32 + 999, 1000);
}

static uint64_t in_t(const uint32_t *value, uint32_t mbps)
{
    return (in_t_q8(value, mbps) + 255) >> 8;
}

static int init(pcc *s, const uint32_t *value)
{
    rocecc_hpcc_params *p = &s->of.hpcc;
    int refusal;
    *p = rocecc_hpcc_paper((uint64_t)value[PCC_LINE_MBPS] * 1000000);
    p->base_rtt_ns = value[T];
    p->reorder_ns = 4 * value[T];
    p->eta_q20 = value[ETA];
    p->max_stage = (uint8_t)value[STAGES];
    p->w_init_bytes = p->w_max_bytes = in_t(value, value[PCC_LINE_MBPS]);
    p->w_min_bytes = in_t(value, value[PCC_MIN_MBPS]);
    p->w_ai_q8 = in_t_q8(value, value[AI]);
    p->w_blind_bytes = in_t(value, value[BLIND]);
    refusal = (int)rocecc_hpcc_init(p);
    return refusal == ROCECC_HPCC_ACCEPTED ? PCC_ACCEPTED
                                           : pcc_refused(&pcc_hpcc, refusal);
}

/*
 * Handles an event. A NACK is an ACK without a load signal. A CNP acknowledges nothing.
 * It is handled like a Fast CNP without telemetry, and notes a mark for flows without
 * signals. Time alone, or sent bytes, change nothing.
 */
static rocecc_hpcc_action react(const rocecc_hpcc_params *p, rocecc_hpcc *h,
                                const pcc_event *e, uint64_t now_ns)
{
    if (e->type == PCC_ACK || e->type == PCC_NACK) {
        rocecc_hpcc_csig_event in = {0, 0, 0, 0, 0, 0};
        in.now_ns = now_ns;
        in.seq = e->seq;
        in.snd_nxt = e->snd_nxt;
        in.ecn = e->ecn;
        in.signal = e->type == PCC_ACK ? e->signal : 0;
        in.value = e->value;
        return rocecc_hpcc_csig_ack(p, h, &in);
    } else {
        rocecc_hpcc_event none = {NULL, 0, 0, 0, 0, 0, false};
        none.now_ns = now_ns;
        none.ecn =
            e->type == PCC_CNP ? ROCECC_HPCC_ECN_MARKED : ROCECC_HPCC_ECN_UNKNOWN;
        return rocecc_hpcc_fastcnp(p, h, NULL, &none);
    }
}

static uint64_t step(const pcc *s, uint8_t *context, const pcc_event *e)
{
    const rocecc_hpcc_params *p = &s->of.hpcc;
    rocecc_hpcc h;
    rocecc_hpcc_action act;
    memcpy(&h, context, sizeof h); /* the context may be unaligned */
    if (h.window_q20 == 0) h = rocecc_hpcc_start(p);
    act = react(p, &h, e, pcc_now_ns(h.changed_ns, e->now_ns));
    memcpy(context, &h, sizeof h);
    return act.rate_bps; /* it may exceed the line by a byte per T */
}

typedef char fits[sizeof(rocecc_hpcc) <= PCC_CONTEXT_BYTES ? 1 : -1];

const pcc_algorithm pcc_hpcc = {"hpcc", params, sizeof params / sizeof *params, init,
                                step};
