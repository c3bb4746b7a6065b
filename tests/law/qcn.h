/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_QCN_H
#define TESTS_LAW_QCN_H

#include "draw.h"
#include "rocecc/fields/qcn.h"

#define LAW_QCN_CP_DRAWN 24 /* bytes for drawn parameters */
#define LAW_QCN_RP_DRAWN 56

/* Draws members of any value, most within their bounds. */
LAW_FN void law_qcn_cp_draw(rocecc_qcn_cp_params *p, const uint8_t *b)
{
    const uint8_t flags = b[0];
    p->set_point_bytes = law_load_any32(b + 1);
    p->weight_q10 = rocecc_qcn_weight_q10((int)(b[6] & 31) - 12);
    if ((flags & 4) != 0) p->weight_q10 = law_load_any32(b + 7) >> 8;
    p->sample_base_bytes = law_load_any32(b + 12);
    p->emit_zero_fb = flags & 1;
    p->skip_dropped = flags >> 1 & 1;
}

/* Returns true if all members are within their bounds. */
LAW_FN bool law_qcn_cp_sane(const rocecc_qcn_cp_params *p)
{
    return p->set_point_bytes > 99 && p->weight_q10 - 1 < 1u << 20 &&
           p->sample_base_bytes > 9999;
}

/* Returns true if the feedback fits CP-4 and CP-7, by multiplication. */
LAW_FN bool law_qcn_quantised(const rocecc_qcn_cp_params *p,
                              const rocecc_qcn_cp_action *act)
{
    const uint64_t full = ((uint64_t)p->set_point_bytes << 10) +
                          (uint64_t)p->set_point_bytes * p->weight_q10 * 2;
    const int64_t fb = act->offset_bytes * 1024 - act->delta_bytes * p->weight_q10;
    const uint64_t minus = fb < 0 ? (uint64_t)(0 - fb) : 0;
    if (act->cnm && fb >= 0) return false;
    if (act->cnm != (act->qntz_fb > 0 || (p->emit_zero_fb != 0 && fb < 0)))
        return false;
    if (act->qntz_fb == 63) return minus >= full;
    return act->qntz_fb < 63 && minus * 63 >= act->qntz_fb * full &&
           minus * 63 < (act->qntz_fb + 1) * full;
}

/* Returns true if a frame makes only allowed changes. */
LAW_FN bool law_qcn_cp_kept(const rocecc_qcn_cp_params *p, const rocecc_qcn_cp *before,
                            const rocecc_qcn_cp *s, const rocecc_qcn_cp_action *act,
                            const rocecc_qcn_cp_event *f)
{
    const uint64_t base = p->sample_base_bytes;
    const bool skipped = f->dropped && p->skip_dropped != 0;
    if (s->transmitted_cnms - before->transmitted_cnms != (act->cnm ? 1u : 0))
        return false;
    if (!act->sampled)
        return !act->cnm && act->qntz_fb == 0 && act->offset_bytes == 0 &&
               act->delta_bytes == 0 && s->old_bytes == before->old_bytes &&
               s->left_bytes + (skipped ? 0 : f->frame_bytes) == before->left_bytes;
    return !skipped && f->frame_bytes > before->left_bytes &&
           s->old_bytes == f->queue_bytes &&
           act->delta_bytes + before->old_bytes == f->queue_bytes &&
           act->offset_bytes + f->queue_bytes == p->set_point_bytes &&
           s->left_bytes * 20 <= base * 23 && (s->left_bytes + 2) * 10 >= base;
}

LAW_FN uint32_t law_qcn_cp_digest(uint32_t digest, const rocecc_qcn_cp_action *act,
                                  const rocecc_qcn_cp *s)
{
    digest = law_mix(digest, (uint64_t)act->offset_bytes);
    digest = law_mix(digest, (uint64_t)act->delta_bytes);
    digest = law_mix(digest, act->qntz_fb);
    digest = law_mix(digest, (act->sampled ? 2 : 0) + (act->cnm ? 1u : 0));
    LAW_FIELDS(ROCECC_QCN_CP_STATE_FIELDS, s)
    return digest;
}

LAW_FN rocecc_qcn_cp_event law_qcn_frame(const uint8_t *b)
{
    rocecc_qcn_cp_event f = {0, 0, 0, false};
    f.frame_bytes = law_load_any32(b + 1);
    f.queue_bytes = law_load_any32(b + 5);
    f.random = rocecc_load32(b + 10);
    f.dropped = (b[0] & 3) == 3;
    return f;
}

/* Checks that frames give the right feedback and next sample. */
LAW_FN uint32_t law_qcn_cp(rocecc_reader r)
{
    LAW_KEPT struct {
        rocecc_qcn_cp_params p;
        rocecc_qcn_cp s, before;
        rocecc_qcn_cp_action act;
        rocecc_qcn_cp_event frame;
        uint32_t refusal, digest;
        uint8_t how;
    } run;
    const uint8_t *b;
    int i;
    run.how = law_u8(&r);
    b = rocecc_take(&r, LAW_QCN_CP_DRAWN);
    if (b == NULL) return LAW_START;
    run.p = run.how & 2 ? rocecc_qcn_cp_mlxreg() : rocecc_qcn_cp_mib();
    if (run.how & 4) law_qcn_cp_draw(&run.p, b);
    LAW_FORGET(&run);
    run.refusal = rocecc_qcn_cp_init(&run.p);
    LAW_FORGET(&run);
    LAW((run.refusal == ROCECC_QCN_CP_ACCEPTED) == law_qcn_cp_sane(&run.p));
    run.digest = law_mix(LAW_START, run.refusal);
    if (run.refusal != ROCECC_QCN_CP_ACCEPTED) return run.digest;
    run.s = rocecc_qcn_cp_start(&run.p, rocecc_load32(b + 18));
    LAW_FORGET(&run);
    for (i = 0; i < LAW_EVENTS; i++) {
        b = rocecc_take(&r, 14);
        if (b == NULL) break;
        run.before = run.s;
        run.frame = law_qcn_frame(b);
        LAW_FORGET(&run);
        run.act = rocecc_qcn_cp_offer(&run.p, &run.s, &run.frame);
        LAW_FORGET(&run);
        LAW(law_qcn_cp_kept(&run.p, &run.before, &run.s, &run.act, &run.frame));
        LAW_FORGET(&run);
        LAW(!run.act.sampled || law_qcn_quantised(&run.p, &run.act));
        LAW_FORGET(&run);
        run.digest = law_qcn_cp_digest(run.digest, &run.act, &run.s);
    }
    return run.digest;
}

LAW_FN uint64_t law_qcn_rate(const uint8_t *b)
{
    const uint64_t x = rocecc_load64(b);
    return (x & 0xfffffffffffu) >> (x >> 59); /* 44 bits, usually fewer */
}

/* Draws members of any value, most within their bounds. */
LAW_FN void law_qcn_rp_draw(rocecc_qcn_rp_params *p, const uint8_t *b)
{
    const uint8_t flags = b[0], rule = b[1];
    const bool wild = b[2] >> 5 == 0;
    p->max_bps = law_qcn_rate(b + 8);
    p->min_bps = wild ? law_qcn_rate(b + 16) : p->max_bps >> (b[3] & 31);
    p->ai_bps = law_qcn_rate(b + 24);
    p->hai_bps = law_qcn_rate(b + 32);
    p->time_reset_ns = law_load_any32(b + 40);
    p->byte_reset_bytes = law_load_any32(b + 45);
    p->threshold = b[4] >> (b[5] & 7);
    p->gd_exp = b[6] >> 3 == 0 ? b[50] : b[6] & 15;
    p->min_dec_percent = b[7] >> 1;
    p->enable = rule >> 6 != 0;
    p->clamp_target = rule & 3;
    p->halve_in = (rule >> 2 & 7) == 7 ? 2 : rule >> 2 & 1;
    p->active_byte = flags & 1;
    p->jitter = flags >> 1 & 1;
    p->release_needs_empty = flags >> 2 & 1;
}

/* Returns true if all members are within their bounds. */
LAW_FN bool law_qcn_rp_sane(const rocecc_qcn_rp_params *p)
{
    const uint32_t half = 1u << 31;
    return p->max_bps != 0 && p->max_bps >> 43 == 0 && p->min_bps != 0 &&
           p->min_bps <= p->max_bps && p->ai_bps > 1 && p->ai_bps >> 43 == 0 &&
           p->hai_bps != 0 && p->hai_bps >> 43 == 0 && p->time_reset_ns > 999 &&
           p->time_reset_ns < half && p->byte_reset_bytes - 1 < half - 1 &&
           p->gd_exp < 64 && p->min_dec_percent - 1u < 100 && p->clamp_target < 3 &&
           p->halve_in < 2;
}

/* Handles one event of any kind. */
LAW_FN rocecc_qcn_rp_action law_qcn_rp_event(const rocecc_qcn_rp_params *p,
                                             rocecc_qcn_rp *s, uint8_t kind,
                                             uint32_t value, uint32_t random)
{
    switch (kind & 3) {
    case 0:
        return rocecc_qcn_rp_cnm(p, s, (uint8_t)value, random);
    case 1:
        return rocecc_qcn_rp_timer(p, s, kind >> 2 & 3, random);
    default:
        return rocecc_qcn_rp_sent(p, s, value, kind >> 2 & 3, random);
    }
}

/* Returns true if a state is within its bounds (RP-20). */
LAW_FN bool law_qcn_rp_bounds(const rocecc_qcn_rp_params *p, const rocecc_qcn_rp *s)
{
    const uint32_t most = (uint32_t)rocecc_max(s->byte_stage, s->time_stage);
    const uint64_t reset = p->byte_reset_bytes;
    if (s->rate_bps < p->min_bps || s->rate_bps > s->target_bps) return false;
    if (s->target_bps > p->max_bps || s->enabled > 1) return false;
    if ((uint64_t)s->left_bytes * 20 > reset * (p->jitter != 0 ? 23 : 20)) return false;
    if (s->enabled == 0)
        return s->rate_bps == p->max_bps && s->left_bytes == 0 && most == 0 &&
               s->state == 0;
    if (s->state == ROCECC_QCN_HYPER_INCREASE)
        return s->byte_stage >= p->threshold && s->time_stage >= p->threshold;
    return s->state == ROCECC_QCN_ACTIVE_INCREASE ||
           (s->state == ROCECC_QCN_FAST_RECOVERY && (most < p->threshold || most == 0));
}

/* Returns true if a CNM makes only allowed changes. */
LAW_FN bool law_qcn_rp_cnm_kept(const rocecc_qcn_rp_params *p,
                                const rocecc_qcn_rp *before, const rocecc_qcn_rp *s,
                                const rocecc_qcn_rp_action *act, uint8_t fb)
{
    const uint64_t least = before->rate_bps * p->min_dec_percent / 100;
    if (act->cut != (fb != 0 && p->enable != 0)) return false;
    if (!act->cut)
        return act->timer_ns == 0 && s->enabled == before->enabled &&
               s->left_bytes == before->left_bytes && s->state == before->state;
    return s->enabled == 1 && act->timer_ns > 0 && s->byte_stage == 0 &&
           s->time_stage == 0 && s->state == ROCECC_QCN_FAST_RECOVERY &&
           s->rate_bps <= before->rate_bps && s->rate_bps >= least &&
           (s->target_bps == before->target_bps || s->target_bps == before->rate_bps);
}

/* Returns true if octets or the timer make only allowed changes. */
LAW_FN bool law_qcn_rp_rise_kept(const rocecc_qcn_rp_params *p,
                                 const rocecc_qcn_rp *before, const rocecc_qcn_rp *s,
                                 const rocecc_qcn_rp_action *act, uint8_t kind)
{
    const bool frozen = (kind & 4) != 0, empty = (kind & 8) != 0;
    const bool timer = (kind & 3) == 1;
    const uint64_t most = p->hai_bps * 256 + p->ai_bps;
    if (act->cut || s->rate_bps < before->rate_bps) return false;
    if (frozen &&
        (s->rate_bps != before->rate_bps || s->target_bps != before->target_bps))
        return false;
    if (act->released)
        return s->rate_bps == p->max_bps && act->timer_ns == 0 && !frozen &&
               (empty || p->release_needs_empty == 0);
    if ((act->timer_ns != 0) != (timer && before->enabled != 0)) return false;
    return s->target_bps <= before->target_bps + most;
}

/* Returns true if the action fits the change of state (RP-1). */
LAW_FN bool law_qcn_rp_said(const rocecc_qcn_rp_params *p, const rocecc_qcn_rp *before,
                            const rocecc_qcn_rp *s, const rocecc_qcn_rp_action *act)
{
    return act->rate_bps == s->rate_bps &&
           act->created == (before->enabled < s->enabled) &&
           act->released == (before->enabled > s->enabled) &&
           (uint64_t)act->timer_ns * 20 <=
               (uint64_t)p->time_reset_ns * (p->jitter != 0 ? 23 : 20) &&
           (before->enabled != 0 || act->cut || (s->enabled == 0 && !act->released));
}

LAW_FN uint32_t law_qcn_rp_digest(uint32_t digest, const rocecc_qcn_rp_action *act,
                                  const rocecc_qcn_rp *s)
{
    LAW_FIELDS(ROCECC_QCN_RP_ACTION_FIELDS, act)
    LAW_FIELDS(ROCECC_QCN_RP_STATE_FIELDS, s)
    return digest;
}

/* Checks that any events in any order keep rates and counts within bounds. */
LAW_FN uint32_t law_qcn_rp(rocecc_reader r)
{
    LAW_KEPT struct {
        rocecc_qcn_rp_params p;
        rocecc_qcn_rp s, before;
        rocecc_qcn_rp_action act;
        uint32_t refusal, value, random, digest;
        uint8_t kind;
    } run;
    const uint8_t *b;
    int i;
    run.kind = law_u8(&r);
    b = rocecc_take(&r, LAW_QCN_RP_DRAWN);
    if (b == NULL) return LAW_START;
    run.p = run.kind & 2 ? rocecc_qcn_rp_ns3(law_qcn_rate(b + 8))
                         : rocecc_qcn_rp_qau(law_qcn_rate(b + 8));
    LAW_FORGET(&run);
    if (run.kind & 4) law_qcn_rp_draw(&run.p, b);
    LAW_FORGET(&run);
    run.refusal = rocecc_qcn_rp_init(&run.p);
    LAW_FORGET(&run);
    LAW((run.refusal == ROCECC_QCN_RP_ACCEPTED) == law_qcn_rp_sane(&run.p));
    LAW_FORGET(&run);
    run.digest = law_mix(LAW_START, run.refusal);
    if (run.refusal != ROCECC_QCN_RP_ACCEPTED) return run.digest;
    run.s = rocecc_qcn_rp_start(&run.p);
    LAW(law_qcn_rp_bounds(&run.p, &run.s));
    for (i = 0; i < LAW_EVENTS; i++) {
        b = rocecc_take(&r, 9);
        if (b == NULL) break;
        run.before = run.s;
        run.kind = b[0];
        run.value = rocecc_load32(b + 1) >> (run.kind >> 4 << 1);
        run.random = rocecc_load32(b + 5);
        LAW_FORGET(&run);
        run.act = law_qcn_rp_event(&run.p, &run.s, run.kind, run.value, run.random);
        LAW_FORGET(&run);
        LAW(law_qcn_rp_bounds(&run.p, &run.s));
        LAW_FORGET(&run);
        LAW(law_qcn_rp_said(&run.p, &run.before, &run.s, &run.act));
        LAW_FORGET(&run);
        if ((run.kind & 3) == 0)
            LAW(law_qcn_rp_cnm_kept(&run.p, &run.before, &run.s, &run.act,
                                    (uint8_t)run.value));
        else
            LAW(law_qcn_rp_rise_kept(&run.p, &run.before, &run.s, &run.act, run.kind));
        LAW_FORGET(&run);
        run.digest = law_qcn_rp_digest(run.digest, &run.act, &run.s);
    }
    return run.digest;
}

LAW_FN uint32_t law_qcn(rocecc_reader r)
{
    return law_u8(&r) & 1 ? law_qcn_rp(r) : law_qcn_cp(r);
}

#endif /* TESTS_LAW_QCN_H */
