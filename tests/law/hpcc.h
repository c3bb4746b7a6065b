/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_HPCC_H
#define TESTS_LAW_HPCC_H

#include "draw.h"
#include "rocecc/fields/hpcc.h"

#define LAW_HPCC_HOPS 2
#define LAW_HPCC_BEGIN_BYTES 96 /* for drawn parameters */
#define LAW_HPCC_EVENT_BYTES 64

/* Draws a preset, or members of any value, most within bounds. */
LAW_FN rocecc_hpcc_params law_hpcc_params(const uint8_t *b)
{
    const uint8_t how = b[0];
    const uint64_t nic_bps = law_load_any32(b + 1) * UINT64_C(2048);
    rocecc_hpcc_params p =
        how & 1 ? rocecc_hpcc_ns3(nic_bps) : rocecc_hpcc_paper(nic_bps);
    if ((how & 6) == 0) return p;
    p.base_rtt_ns = law_load_any32(b + 9);
    p.eta_q20 = rocecc_load32(b + 14) >> (12 - (how >> 7));
    p.max_stage = b[18];
    p.w_max_bytes = law_load_any32(b + 19);
    p.w_init_bytes = how & 8 ? rocecc_load32(b + 24) : p.w_max_bytes;
    p.w_min_bytes = law_load_any32(b + 28);
    p.w_ai_q8 = law_load_any32(b + 33);
    p.u_init_q20 = rocecc_load32(b + 38);
    p.max_hops = b[42] & (how & 16 ? 31 : 15);
    p.ts_mod_ns = how & 32 ? rocecc_load64(b + 43) >> (b[51] & 63) : 0;
    p.tx_mod_bytes = how & 64 ? rocecc_load64(b + 52) >> (b[60] & 63) : 0;
    p.dt_max_ns = law_load_any32(b + 61);
    p.pd_base_ns = law_load_any32(b + 66);
    p.fastest_bps = law_load_any32(b + 71) * UINT64_C(4096);
    p.reorder_ns = law_load_any32(b + 76);
    p.queue_max_bytes = law_load_any32(b + 81);
    p.tick_max_ns = b[95] & 1 ? 0 : law_load_any32(b + 91) >> 4;
    p.w_blind_bytes = how & 128 ? law_load_any32(b + 86) : p.w_min_bytes;
    if ((b[91] & 3) != 0) return p;
    p.w_max_bytes <<= b[92] & 15; /* beyond 32 bits */
    p.w_init_bytes <<= b[92] & 15;
    p.w_ai_q8 <<= b[92] & 15;
    return p;
}

/* Returns true if all members are within their bounds. */
LAW_FN bool law_hpcc_sane(const rocecc_hpcc_params *p)
{
    const uint64_t dt = p->dt_max_ns, megabits = p->fastest_bps / 1000000;
    const uint64_t rest = p->fastest_bps % 1000000;
    return p->base_rtt_ns >= 1000 && p->base_rtt_ns <= 1000000000 && p->eta_q20 != 0 &&
           p->eta_q20 <= 1048576 && p->w_min_bytes != 0 &&
           p->w_min_bytes <= p->w_init_bytes && p->w_init_bytes <= p->w_max_bytes &&
           p->w_max_bytes <= ((uint64_t)p->base_rtt_ns * 2147483648u - 1) / 1953125 &&
           p->w_ai_q8 / 256 < p->w_max_bytes && p->max_hops - 1u < 16 &&
           p->dt_max_ns >= p->base_rtt_ns && p->dt_max_ns <= 1000000000 &&
           p->fastest_bps - 1 < 8796093022207 && p->reorder_ns - 1 < p->dt_max_ns &&
           p->queue_max_bytes != 0 && p->tick_max_ns <= p->base_rtt_ns &&
           p->w_blind_bytes >= p->w_min_bytes && p->w_blind_bytes <= p->w_init_bytes &&
           (p->ts_mod_ns == 0 || p->ts_mod_ns > dt + p->reorder_ns) &&
           (p->tx_mod_bytes == 0 ||
            p->tx_mod_bytes > (megabits * dt + rest * dt / 1000000) / 8000);
}

/* Draws a hop's next record from 27 bytes. Most continue from the last one. */
LAW_FN void law_hpcc_hop(const uint8_t *b, rocecc_hop *h)
{
    const uint8_t how = b[0];
    const uint32_t dt_ns = rocecc_load16(b + 1);
    h->valid = how & 1 ? 31 : how & 2 ? b[3] : h->valid;
    h->ts_ns += dt_ns << (how >> 4 & 14);
    h->tx_bytes += rocecc_load16(b + 4) * (uint64_t)(how + 1);
    h->queue_bytes = rocecc_load32(b + 6) >> (how & 31);
    if ((how & 0x3c) == 0) h->id ^= b[10] & 1;
    if ((how & 0xc0) == 0x80) h->rate_bps = (uint64_t)12500000000 << (how & 7);
    if ((how & 0xf8) != 0xf8) return;
    h->ts_ns = rocecc_load64(b + 11);
    h->tx_bytes = rocecc_load64(b + 19);
    h->util_q20 = rocecc_load32(b + 15);
    h->rate_bps = rocecc_load64(b + 11) >> (b[19] & 63);
}

/* Returns true if a state and its action are within bounds. */
LAW_FN bool law_hpcc_bounds(const rocecc_hpcc_params *p, const rocecc_hpcc *s,
                            const rocecc_hpcc_action *act)
{
    const uint64_t min = p->w_min_bytes << 20, max = p->w_max_bytes << 20;
    return s->window_q20 >= min && s->window_q20 <= max && s->reference_q20 >= min &&
           s->reference_q20 <= max && s->u_q32 >> 44 == 0 && s->stage <= p->max_stage &&
           s->hops <= p->max_hops && act->window_bytes >= p->w_min_bytes &&
           act->window_bytes <= p->w_max_bytes && act->rate_bps < ROCECC_RATE_END_BPS &&
           act->rate_bps > 0;
}

/*
 * Returns true if a report without data changes W by the blind rule. W stays, or
 * becomes at most min(W, Wc), or at most W_AI more up to W_init.
 */
LAW_FN bool law_hpcc_blind(const rocecc_hpcc_params *p, const rocecc_hpcc *before,
                           const rocecc_hpcc *s)
{
    const uint64_t w = rocecc_min(before->window_q20, before->reference_q20);
    if (s->window_q20 == before->window_q20)
        return s->reference_q20 == before->reference_q20 ||
               s->reference_q20 == s->window_q20;
    if (s->window_q20 != s->reference_q20) return false;
    return s->window_q20 <= w || (s->window_q20 <= w + (p->w_ai_q8 << 12) &&
                                  s->window_q20 <= p->w_init_bytes << 20);
}

/* Returns true if an event makes only the changes of its verdict. */
LAW_FN bool law_hpcc_kept(const rocecc_hpcc_params *p, const rocecc_hpcc *before,
                          const rocecc_hpcc *s, const rocecc_hpcc_action *act)
{
    const bool fixed = s->reference_q20 == before->reference_q20 &&
                       s->update_seq == before->update_seq && s->stage == before->stage;
    switch (act->verdict) {
    case ROCECC_HPCC_IGNORED:
    case ROCECC_HPCC_OTHER_PATH:
        return fixed && s->window_q20 == before->window_q20 &&
               s->u_q32 == before->u_q32 && s->hops == before->hops &&
               s->changed_ns == before->changed_ns && s->blind == before->blind;
    case ROCECC_HPCC_STARTED:
        return law_hpcc_blind(p, before, s) && s->hops != 0 &&
               (s->stage == 0 || (fixed && s->hops == before->hops));
    case ROCECC_HPCC_BLIND:
        return law_hpcc_blind(p, before, s) && s->u_q32 == before->u_q32 &&
               s->hops == before->hops;
    case ROCECC_HPCC_REACTED:
        return fixed && s->hops == before->hops;
    default:
        return s->window_q20 == s->reference_q20 && s->hops == before->hops;
    }
}

typedef struct law_hpcc_run {
    rocecc_hpcc_params p;
    rocecc_hpcc s, before;
    rocecc_hpcc_hop known[LAW_HPCC_HOPS];
    rocecc_hop hops[LAW_HPCC_HOPS];
    uint64_t now_ns;
    uint32_t seq, digest;
    bool runs;
    uint8_t b[LAW_HPCC_BEGIN_BYTES]; /* drawn bytes */
} law_hpcc_run;

/* Copies n bytes, a constant, into a run. Returns false if there are fewer. */
LAW_FN bool law_hpcc_draw(law_hpcc_run *run, rocecc_reader *r, size_t n)
{
    const uint8_t *b = rocecc_take(r, n);
    size_t i;
    if (b == NULL) return false;
    for (i = 0; i < n; i++)
        run->b[i] = b[i];
    LAW_FORGET(run);
    return true;
}

/* Draws parameters, and checks init(). */
LAW_PART uint32_t law_hpcc_begin(law_hpcc_run *run)
{
    rocecc_hpcc_refusal refusal;
    if (run == NULL) return LAW_BROKEN;
    run->p = law_hpcc_params(run->b);
    refusal = rocecc_hpcc_init(&run->p);
    LAW((refusal == ROCECC_HPCC_ACCEPTED) == law_hpcc_sane(&run->p));
    run->runs = refusal == ROCECC_HPCC_ACCEPTED;
    run->seq = 0;
    run->now_ns = 0;
    run->digest = law_mix(LAW_START, refusal);
    if (run->runs) run->s = rocecc_hpcc_start(&run->p);
    return run->digest;
}

/* Checks state and action after an event. */
LAW_PART uint32_t law_hpcc_after(law_hpcc_run *run, const rocecc_hpcc_action *act)
{
    uint32_t digest;
    if (run == NULL || act == NULL) return LAW_BROKEN;
    digest = run->digest;
    LAW(law_hpcc_bounds(&run->p, &run->s, act));
    LAW(law_hpcc_kept(&run->p, &run->before, &run->s, act));
    LAW_FIELDS(ROCECC_HPCC_ACTION_FIELDS, act)
    LAW_FIELDS(ROCECC_HPCC_CSIG_ACTION_FIELDS, act)
    LAW_FIELDS(ROCECC_HPCC_STATE_FIELDS, &run->s)
    run->digest = digest;
    return digest;
}

/* Halves W_max by a relink. Returns true if W and Wc are within the new bounds. */
LAW_FN bool law_hpcc_link(law_hpcc_run *run)
{
    rocecc_hpcc_params p = run->p;
    rocecc_hpcc_action act;
    p.w_max_bytes = rocecc_max(p.w_max_bytes / 2, p.w_min_bytes);
    p.w_init_bytes = rocecc_min(p.w_init_bytes, p.w_max_bytes);
    p.w_blind_bytes = rocecc_min(p.w_blind_bytes, p.w_init_bytes);
    p.w_ai_q8 = 0;
    if (rocecc_hpcc_init(&p) != ROCECC_HPCC_ACCEPTED) return false;
    run->p = p;
    run->before = run->s;
    act = rocecc_hpcc_relink(&run->p, &run->s);
    return law_hpcc_bounds(&run->p, &run->s, &act) && run->s.hops == 0 &&
           run->s.window_q20 <= run->before.window_q20;
}

LAW_PART uint32_t law_hpcc_csig_event(law_hpcc_run *run)
{
    rocecc_hpcc_csig_event e = {0, 0, 0, 0, 0, 0};
    rocecc_hpcc_action act;
    if (run == NULL) return LAW_BROKEN;
    e.signal = run->b[0] & 3;
    e.value = rocecc_load32(run->b + 1) >> (run->b[0] >> 3);
    e.ecn = run->b[9] & 3;
    e.now_ns = run->now_ns += (uint64_t)rocecc_load16(run->b + 5)
                              << ((run->b[9] & 0xf0) == 0 ? 40 : 0);
    e.seq = run->seq += run->b[7];
    e.snd_nxt = e.seq + rocecc_load16(run->b + 8);
    if ((run->b[0] & 0xfc) == 4) rocecc_hpcc_forget(&run->p, &run->s);
    if ((run->b[0] & 0xfc) == 8) LAW(law_hpcc_link(run));
    run->before = run->s;
    act = rocecc_hpcc_csig_ack(&run->p, &run->s, &e);
    LAW(act.request == ROCECC_HPCC_UTILISATION || run->s.u_q32 >> 12 >= run->p.eta_q20);
    return law_hpcc_after(run, &act);
}

LAW_PART uint32_t law_hpcc_event(law_hpcc_run *run)
{
    rocecc_hpcc_event e = {NULL, LAW_HPCC_HOPS, 0, 0, 0, 0, false};
    rocecc_hpcc_action act;
    uint8_t how;
    int k;
    if (run == NULL) return LAW_BROKEN;
    how = run->b[0];
    e.hops = run->hops;
    if ((how & 0x18) == 0) e.n_hops = how & 1u;
    for (k = 0; k < LAW_HPCC_HOPS; k++)
        law_hpcc_hop(run->b + 6 + 27 * k, &run->hops[k]);
    e.ecn = run->b[60] & 3;
    e.incomplete = (run->b[60] & 0x1c) == 0;
    e.now_ns = run->now_ns += (uint64_t)rocecc_load16(run->b + 1)
                              << ((run->b[60] & 0xe0) == 0 ? 16 : 0);
    e.seq = run->seq += run->b[3];
    e.snd_nxt = e.seq + rocecc_load16(run->b + 4);
    if (how == 0xff) rocecc_hpcc_forget(&run->p, &run->s);
    if (how == 0xfe) LAW(law_hpcc_link(run));
    LAW_FORGET(run);
    run->before = run->s;
    act = (how & 0x24) == 0x24 ? rocecc_hpcc_fastcnp(&run->p, &run->s, run->known, &e)
                               : rocecc_hpcc_ack(&run->p, &run->s, run->known, &e);
    LAW_FORGET(run);
    LAW((how & 0x24) != 0x24 || act.verdict == ROCECC_HPCC_IGNORED ||
        act.verdict == ROCECC_HPCC_REACTED);
    LAW(act.missed <= LAW_HPCC_HOPS);
    return law_hpcc_after(run, &act);
}

/* Checks that any CSIG keeps windows, U and stage within bounds. */
LAW_FN uint32_t law_hpcc_csig(rocecc_reader r)
{
    LAW_KEPT law_hpcc_run run;
    int i;
    if (!law_hpcc_draw(&run, &r, LAW_HPCC_BEGIN_BYTES)) return LAW_START;
    if (law_hpcc_begin(&run) == LAW_BROKEN) return LAW_BROKEN;
    for (i = 0; i < LAW_EVENTS && run.runs; i++) {
        if (!law_hpcc_draw(&run, &r, 10)) break;
        if (law_hpcc_csig_event(&run) == LAW_BROKEN) return LAW_BROKEN;
    }
    return run.digest;
}

/* Checks that any telemetry of hops keeps windows, U and stage within bounds. */
LAW_FN uint32_t law_hpcc(rocecc_reader r)
{
    LAW_KEPT law_hpcc_run run;
    int i;
    if (!law_hpcc_draw(&run, &r, LAW_HPCC_BEGIN_BYTES)) return LAW_START;
    if (law_hpcc_begin(&run) == LAW_BROKEN) return LAW_BROKEN;
    if (run.p.max_hops > LAW_HPCC_HOPS) run.p.max_hops = LAW_HPCC_HOPS;
    for (i = 0; i < LAW_HPCC_HOPS; i++) {
        rocecc_hop h = {0, 100000000000, 0, 0, 0, 0, 31};
        run.hops[i] = h;
    }
    for (i = 0; i < LAW_EVENTS && run.runs; i++) {
        if (!law_hpcc_draw(&run, &r, LAW_HPCC_EVENT_BYTES)) break;
        if (law_hpcc_event(&run) == LAW_BROKEN) return LAW_BROKEN;
    }
    return run.digest;
}

#endif /* TESTS_LAW_HPCC_H */
