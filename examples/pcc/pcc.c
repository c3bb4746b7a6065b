/* SPDX-License-Identifier: BSD-2-Clause */

/* pcc.c - the array of parameters, and rates as fractions, for all algorithms. */
#include "pcc.h"

void pcc_standard(const pcc_algorithm *a, uint32_t *value)
{
    uint32_t i;
    for (i = 0; i < a->n_params; i++)
        value[i] = a->params[i].standard;
}

int pcc_refused(const pcc_algorithm *a, int refusal)
{
    uint32_t i;
    for (i = 0; i < a->n_params; i++)
        if (a->params[i].refusal == refusal) return (int)i;
    return PCC_LINE_MBPS; /* the refused value is derived from it */
}

/*
 * Returns rate / line in units of 1 / PCC_RATE_ONE, with one product and no division.
 * The product is rate * 2^63 / line, too small by less than rate, which is below 2^42.
 * So the result is the exact value, rounded to nearest or down.
 */
static uint32_t fraction(const pcc *s, uint64_t rate_bps)
{
    const uint64_t one_q63 = rate_bps * s->inverse;
    const uint64_t half = (uint64_t)1 << (62 - PCC_RATE_BITS);
    return (uint32_t)((one_q63 + half) >> (63 - PCC_RATE_BITS));
}

int pcc_init(pcc *s, const pcc_algorithm *a, const uint32_t *value)
{
    pcc made = ROCECC_ZERO;
    uint32_t i;
    int refused;
    for (i = 0; i < a->n_params; i++)
        if (value[i] < a->params[i].min || value[i] > a->params[i].max) return (int)i;
    if (value[PCC_MIN_MBPS] > value[PCC_LINE_MBPS]) return PCC_MIN_MBPS;
    made.algorithm = a;
    refused = a->init(&made, value);
    if (refused != PCC_ACCEPTED) return refused;
    made.inverse =
        ROCECC_DIV64((uint64_t)1 << 63, (uint64_t)value[PCC_LINE_MBPS] * 1000000);
    made.least = fraction(&made, (uint64_t)value[PCC_MIN_MBPS] * 1000000);
    made.least = (uint32_t)rocecc_max(made.least, 1);
    *s = made;
    return PCC_ACCEPTED;
}

uint32_t pcc_step(const pcc *s, uint8_t context[PCC_CONTEXT_BYTES], const pcc_event *e)
{
    const uint64_t rate_bps = s->algorithm->step(s, context, e);
    return (uint32_t)rocecc_clamp(fraction(s, rate_bps), s->least, PCC_RATE_ONE);
}

uint64_t pcc_now_ns(uint64_t last_ns, uint64_t now_ns)
{
    return last_ns - now_ns <= PCC_REORDER_NS ? last_ns : now_ns;
}
