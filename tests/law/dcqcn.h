/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_DCQCN_H
#define TESTS_LAW_DCQCN_H

#include "draw.h"
#include "rocecc/fields/dcqcn.h"

#define LAW_DCQCN_DRAWN 88 /* bytes for drawn parameters */

LAW_FN uint64_t law_dcqcn_rate(const uint8_t *b)
{
    const uint64_t x = rocecc_load64(b);
    return (x & 0xfffffffffffu) >> (x >> 59); /* 44 bits, usually fewer */
}

/* Draws members of any value, most within their bounds. */
LAW_FN void law_dcqcn_draw(rocecc_dcqcn_params *p, const uint8_t *b)
{
    const uint8_t flags = b[0], shift = b[1], f = b[2], rule = b[3];
    const bool wild = b[5] >> 5 == 0;
    p->line_bps = law_dcqcn_rate(b + 8);
    p->min_bps = wild ? law_dcqcn_rate(b + 16) : p->line_bps >> (b[6] & 31);
    p->ai_bps = law_dcqcn_rate(b + 24);
    p->hai_bps = law_dcqcn_rate(b + 32);
    p->first_cnp_bps = wild ? law_dcqcn_rate(b + 40) : p->line_bps >> (b[7] & 3);
    p->release_bps =
        wild ? law_dcqcn_rate(b + 48) : p->line_bps - (p->line_bps >> (b[4] & 31));
    if ((rule & 8) != 0) p->first_cnp_bps = 0;
    if ((rule & 16) != 0) p->release_bps = 0;
    p->restart_bps = (b[7] & 4) != 0 ? 0 : p->line_bps >> (b[7] >> 3);
    p->g_q20 = rocecc_load32(b + 56) >> (11 + (shift & 15) / 2);
    p->alpha_timer_ns = rocecc_load32(b + 60) >> 1;
    p->alpha_init_q20 = rocecc_load32(b + 64) >> 12;
    p->cut_interval_ns = (b[5] & 3) != 0 ? rocecc_load32(b + 68) >> (shift & 15) : 0;
    p->min_dec_q20 = rocecc_load32(b + 72) >> 12;
    p->increase_timer_ns = rocecc_load32(b + 76) >> 1;
    p->byte_counter_bytes = rocecc_load32(b + 80) >> (shift >> 3);
    p->fast_recovery_stages = (rule & 32) != 0 ? f : f & 3;
    p->stage_rule = (rule & 0xc0) != 0 ? rule & 3 : rule & 7;
    p->cut_shift = (int16_t)(wild ? (b[84] & 15) - 11 : b[84] % 11 - 9);
    p->clamp_target = flags >> 1 & 1;
    p->clamp_target_after_time = flags >> 2 & 1;
    p->hai_flat = flags >> 3 & 1;
    p->alpha_first = flags >> 4 & 1;
    p->periodic = flags >> 5 & 1;
    if (flags >> 6 == 0) p->alpha_init_q20 = b[4] & 1; /* reaches 0 soon */
}

/* Returns true if all members are within their bounds. */
LAW_FN bool law_dcqcn_sane(const rocecc_dcqcn_params *p)
{
    const uint32_t half = 1u << 31;
    return p->line_bps >> 43 == 0 && p->min_bps >= 1 && p->min_bps <= p->line_bps &&
           p->g_q20 >= 1u << 10 && p->g_q20 <= 1u << 20 &&
           p->alpha_init_q20 <= 1u << 20 && p->min_dec_q20 <= 1u << 20 &&
           p->alpha_timer_ns - 1 < half - 1 && p->increase_timer_ns - 1 < half - 1 &&
           p->cut_interval_ns < half && (p->periodic == 0 || p->cut_interval_ns != 0) &&
           p->cut_shift >= -9 && p->cut_shift <= 1 && p->fast_recovery_stages != 255 &&
           p->ai_bps != 0 && p->ai_bps >> 43 == 0 && p->hai_bps != 0 &&
           p->hai_bps >> 43 == 0 && p->stage_rule < 4 &&
           (p->first_cnp_bps == 0 ||
            (p->first_cnp_bps >= p->min_bps && p->first_cnp_bps <= p->line_bps)) &&
           (p->release_bps == 0 ||
            (p->release_bps >= p->min_bps && p->release_bps <= p->line_bps)) &&
           (p->restart_bps == 0 ||
            (p->restart_bps >= p->min_bps && p->restart_bps <= p->line_bps));
}

/* Handles one event of any kind. */
LAW_FN rocecc_dcqcn_action law_dcqcn_event(const rocecc_dcqcn_params *p,
                                           rocecc_dcqcn *s, uint8_t kind,
                                           uint32_t value)
{
    switch (kind & 15) {
    case 0:
    case 8:
        return rocecc_dcqcn_alpha_timer(p, s);
    case 1:
    case 9:
        return rocecc_dcqcn_cut_timer(p, s);
    case 2:
    case 3:
    case 10:
        return rocecc_dcqcn_increase_timer(p, s);
    case 4:
    case 5:
    case 12:
        return rocecc_dcqcn_sent(p, s, value);
    case 13:
        return rocecc_dcqcn_relink(p, s);
    case 11:
        return rocecc_dcqcn_restart(p, s);
    default:
        return rocecc_dcqcn_cnp(p, s);
    }
}

/* Returns true if a state is within its bounds. */
LAW_FN bool law_dcqcn_bounds(const rocecc_dcqcn_params *p, const rocecc_dcqcn *s)
{
    return s->rate_bps >= p->min_bps && s->rate_bps <= p->line_bps &&
           s->target_bps >= p->min_bps && s->target_bps <= p->line_bps &&
           s->alpha_q31 <= 1u << 31 && s->flags < 16 && s->cut_left_ns == 0 &&
           rocecc_dcqcn_alpha_q31(p, s) <= s->alpha_q31 &&
           (s->alpha_q31 != 0 || s->decays == 0) &&
           (s->sent_bytes == 0 || s->sent_bytes < p->byte_counter_bytes) &&
           ((s->flags & 1) == 1 ||
            (s->rate_bps == p->line_bps && s->flags == 0 &&
             s->target_bps == p->line_bps && s->time_stages == 0 &&
             s->byte_stages == 0 && s->sent_bytes == 0 && s->decays == 0 &&
             s->alpha_q31 == p->alpha_init_q20 << 11));
}

/* Returns true if an event makes only allowed changes. */
LAW_FN bool law_dcqcn_kept(const rocecc_dcqcn *before, const rocecc_dcqcn *s,
                           const rocecc_dcqcn_action *act, uint8_t kind)
{
    const unsigned k = kind & 15;
    const bool starts = k == 6 || k == 7 || k > 13 || k == 11;
    const bool raises = (k > 1 && k < 6) || k == 10 || k == 12;
    const bool was = (before->flags & 1) != 0, is = (s->flags & 1) != 0;
    const uint64_t limit =
        before->rate_bps < before->target_bps ? before->target_bps : before->rate_bps;
    if (act->rate_bps != s->rate_bps || (act->arm & act->stop) != 0) return false;
    if (act->cut && (s->rate_bps > before->rate_bps || raises)) return false;
    if (act->cut && (act->arm & ROCECC_DCQCN_TIMER_INCREASE) == 0) return false;
    if (act->released != (was && !is)) return false;
    if (!was && !starts && (is || act->arm != 0)) return false;
    /* If R_T stays (fast recovery), R_C does not exceed the higher of both. */
    return !raises || act->released || s->target_bps != before->target_bps ||
           s->rate_bps <= limit;
}

LAW_FN uint32_t law_dcqcn_digest(uint32_t digest, const rocecc_dcqcn_action *act,
                                 const rocecc_dcqcn *s)
{
    LAW_FIELDS(ROCECC_DCQCN_ACTION_FIELDS, act)
    LAW_FIELDS(ROCECC_DCQCN_STATE_FIELDS, s)
    return digest;
}

/* Checks that any events in any order keep rates, alpha and counts within bounds. */
LAW_FN uint32_t law_dcqcn(rocecc_reader r)
{
    LAW_KEPT struct {
        rocecc_dcqcn_params p;
        rocecc_dcqcn s, before;
        rocecc_dcqcn_action act;
        uint32_t refusal, value, digest;
        uint8_t kind;
    } run;
    const uint8_t *b;
    int i;
    run.kind = law_u8(&r);
    b = rocecc_take(&r, LAW_DCQCN_DRAWN);
    if (b == NULL) return LAW_START;
    run.p = run.kind & 1   ? rocecc_dcqcn_nvidia(law_dcqcn_rate(b))
            : run.kind & 2 ? rocecc_dcqcn_ns3_hpcc(law_dcqcn_rate(b))
                           : rocecc_dcqcn_paper(law_dcqcn_rate(b));
    LAW_FORGET(&run);
    if (run.kind & 4) law_dcqcn_draw(&run.p, b);
    LAW_FORGET(&run);
    run.refusal = rocecc_dcqcn_init(&run.p);
    LAW_FORGET(&run);
    LAW((run.refusal == ROCECC_DCQCN_ACCEPTED) == law_dcqcn_sane(&run.p));
    LAW_FORGET(&run);
    run.digest = law_mix(LAW_START, run.refusal);
    if (run.refusal != ROCECC_DCQCN_ACCEPTED) return run.digest;
    run.s = rocecc_dcqcn_start(&run.p);
    LAW(law_dcqcn_bounds(&run.p, &run.s));
    for (i = 0; i < LAW_EVENTS; i++) {
        b = rocecc_take(&r, 5);
        if (b == NULL) break;
        run.before = run.s;
        run.kind = b[0];
        run.value = rocecc_load32(b + 1) >> (run.kind >> 3);
        LAW_FORGET(&run);
        run.act = law_dcqcn_event(&run.p, &run.s, run.kind, run.value);
        LAW_FORGET(&run);
        LAW(law_dcqcn_bounds(&run.p, &run.s));
        LAW_FORGET(&run);
        LAW(law_dcqcn_kept(&run.before, &run.s, &run.act, run.kind));
        LAW_FORGET(&run);
        run.digest = law_dcqcn_digest(run.digest, &run.act, &run.s);
    }
    return run.digest;
}

#endif /* TESTS_LAW_DCQCN_H */
