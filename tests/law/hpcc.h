/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_LAW_HPCC_H
#define TESTS_LAW_HPCC_H

#include "draw.h"
#include "rocecc/algo/hpcc.h"

/* Hops and events of a run: as many as the verifier has patience for, unless told
 * otherwise. */
#ifndef LAW_HPCC_HOPS
#define LAW_HPCC_HOPS 2
#define LAW_HPCC_EVENTS 2
#else
#define LAW_HPCC_EVENTS LAW_EVENTS
#endif

#define HPCC_SIGNALS "none utilisation delay drain"
#define HPCC_VERDICTS "ignored started reacted updated"
#define HOP_ITEMS "id rate queue tx ts util"

/* P(T, KIND, member, names, unit, range, source) */
#define HPCC_PARAMS(P, T)                                                              \
    P(T, UINT, base_rtt_ns, NULL, "ns", "2000 .. 2^24", "T; HPCC 4, simulations")      \
    P(T, UINT, eta_q20, NULL, "2^-20", "1 .. 2^20", "eta; HPCC 3.3")                   \
    P(T, UINT, max_stage, NULL, "rounds", "0 .. 255", "maxStage; sources disagree")    \
    P(T, UINT, w_ai_q8, NULL, "2^-8 bytes", "0 .. below w_max_bytes", "W_AI")          \
    P(T, UINT, w_init_bytes, NULL, "bytes", "w_min_bytes .. w_max_bytes", "W_init")    \
    P(T, UINT, w_max_bytes, NULL, "bytes", "W_max / T below 2^43 bit/s", "W_max")      \
    P(T, UINT, w_min_bytes, NULL, "bytes", "1 .. w_init_bytes", "W_min")               \
    P(T, UINT, u_init_q20, NULL, "2^-20", "0 .. 2^32 - 1", "U_init")                   \
    P(T, UINT, max_hops, NULL, "hops", "1 .. 16", "HPCC++ 2: often no more than 5")    \
    P(T, UINT, ts_mod_ns, NULL, "ns", "0 (2^64), 2 base_rtt_ns ..", "telemetry")       \
    P(T, UINT, tx_mod_bytes, NULL, "bytes", "0 (2^64), w_max_bytes ..", "telemetry")   \
    P(T, UINT, dt_max_ns, NULL, "ns", "base_rtt_ns .. 10^9", "host")                   \
    P(T, UINT, pd_base_ns, NULL, "ns", "0 .. 2^32 - 1", "CSIG: per-hop delay, idle")

#define HPCC_STATE(F, T)                                                               \
    F(T, UINT, window_q20, NULL)                                                       \
    F(T, UINT, reference_q20, NULL)                                                    \
    F(T, UINT, u_q32, NULL)                                                            \
    F(T, UINT, update_seq, NULL)                                                       \
    F(T, UINT, changed_ns, NULL)                                                       \
    F(T, UINT, stage, NULL)                                                            \
    F(T, UINT, hops, NULL)

#define HPCC_ACTION(F, T)                                                              \
    F(T, UINT, rate_bps, NULL)                                                         \
    F(T, UINT, window_bytes, NULL)                                                     \
    F(T, ENUM, verdict, HPCC_VERDICTS)

#define HPCC_CSIG_ACTION(F, T)                                                         \
    HPCC_ACTION(F, T)                                                                  \
    F(T, ENUM, request, HPCC_SIGNALS)

#define HPCC_REFUSALS                                                                  \
    "accepted base_rtt_ns eta_q20 w_min_bytes w_init_bytes w_max_bytes w_ai_q8 "       \
    "max_hops ts_mod_ns tx_mod_bytes dt_max_ns"

/* A preset, or one with members of any value, most of them within bounds. */
ROCECC_FN rocecc_hpcc_params law_hpcc_params(rocecc_reader *r)
{
    const uint8_t how = law_u8(r);
    const uint64_t nic_bps = law_scaled(r) >> 15;
    rocecc_hpcc_params p =
        how & 1 ? rocecc_hpcc_ns3(nic_bps) : rocecc_hpcc_paper(nic_bps);
    if ((how & 6) == 0) return p;
    p.base_rtt_ns = law_u32(r) >> (law_u8(r) & 31);
    p.eta_q20 = law_u32(r) >> (12 - (how >> 7));
    p.max_stage = law_u8(r);
    p.w_max_bytes = law_u32(r) >> (law_u8(r) & 31);
    p.w_init_bytes = how & 8 ? law_u32(r) : p.w_max_bytes;
    p.w_min_bytes = law_u32(r) >> (law_u8(r) & 31);
    p.w_ai_q8 = law_u32(r) >> (law_u8(r) & 31);
    p.u_init_q20 = law_u32(r);
    p.max_hops = law_u8(r) & (how & 16 ? 31 : 15);
    p.ts_mod_ns = how & 32 ? law_scaled(r) : 0;
    p.tx_mod_bytes = how & 64 ? law_scaled(r) : 0;
    p.dt_max_ns = law_u32(r) >> (law_u8(r) & 31);
    p.pd_base_ns = law_u32(r) >> (law_u8(r) & 31);
    return p;
}

/* What init says of members that are not in their bounds, and no more. */
ROCECC_FN bool law_hpcc_sane(const rocecc_hpcc_params *p)
{
    return p->base_rtt_ns >= 2000 && p->base_rtt_ns <= 16777216 && p->eta_q20 != 0 &&
           p->eta_q20 <= 1048576 && p->w_min_bytes != 0 &&
           p->w_min_bytes <= p->w_init_bytes && p->w_init_bytes <= p->w_max_bytes &&
           p->w_max_bytes <= ((uint64_t)p->base_rtt_ns * 2147483648u - 1) / 1953125 &&
           p->w_ai_q8 / 256 < p->w_max_bytes && p->max_hops - 1u < 16 &&
           (p->ts_mod_ns == 0 || p->ts_mod_ns / 2 >= p->base_rtt_ns) &&
           (p->tx_mod_bytes == 0 || p->tx_mod_bytes >= p->w_max_bytes) &&
           p->dt_max_ns >= p->base_rtt_ns && p->dt_max_ns <= 1000000000;
}

/* A hop that goes on from what is there, mostly; or any. */
ROCECC_FN void law_hpcc_hop(rocecc_reader *r, rocecc_hop *h)
{
    static const uint16_t gbps[8] = {1, 10, 25, 100, 200, 400, 800, 1600};
    const uint8_t how = law_u8(r);
    const uint32_t dt_ns = law_u16(r);
    h->valid = how & 1 ? 31 : how & 2 ? law_u8(r) : h->valid;
    h->ts_ns += dt_ns << (how >> 4 & 14);
    h->tx_bytes += law_u16(r) * (uint64_t)(how + 1);
    h->queue_bytes = law_u32(r) >> (how & 31);
    if ((how & 0x3c) == 0) h->id ^= law_u8(r) & 1;
    if ((how & 0xc0) == 0x80) h->rate_bps = gbps[how & 7] * (uint64_t)1000000000;
    if ((how & 0xf8) != 0xf8) return;
    h->ts_ns = law_u64(r);
    h->tx_bytes = law_u64(r);
    h->util_q20 = law_u32(r);
    h->rate_bps = law_scaled(r) >> 14;
}

/* What every state keeps to, and every action says of it. */
ROCECC_FN bool law_hpcc_bounds(const rocecc_hpcc_params *p, const rocecc_hpcc *s,
                               const rocecc_hpcc_action *act)
{
    const uint64_t min = (uint64_t)p->w_min_bytes << 20;
    const uint64_t max = (uint64_t)p->w_max_bytes << 20;
    return s->window_q20 >= min && s->window_q20 <= max && s->reference_q20 >= min &&
           s->reference_q20 <= max && s->u_q32 >> 44 == 0 && s->stage <= p->max_stage &&
           s->hops <= p->max_hops && act->window_bytes >= p->w_min_bytes &&
           act->window_bytes <= p->w_max_bytes && act->rate_bps < ROCECC_RATE_END_BPS &&
           act->rate_bps > 0;
}

/* What an event may change. */
ROCECC_FN bool law_hpcc_kept(const rocecc_hpcc *before, const rocecc_hpcc *s,
                             const rocecc_hpcc_action *act)
{
    const bool fixed = s->reference_q20 == before->reference_q20 &&
                       s->update_seq == before->update_seq && s->stage == before->stage;
    switch (act->verdict) {
    case ROCECC_HPCC_IGNORED:
        return fixed && s->window_q20 == before->window_q20 &&
               s->u_q32 == before->u_q32 && s->hops == before->hops;
    case ROCECC_HPCC_STARTED:
        return s->window_q20 == before->window_q20 && s->stage == 0 && s->hops != 0 &&
               s->reference_q20 == before->reference_q20;
    case ROCECC_HPCC_REACTED:
        return fixed && s->hops == before->hops;
    default:
        return s->window_q20 == s->reference_q20 && s->hops == before->hops;
    }
}

/* Parameters, and what init says of them. */
ROCECC_FN uint32_t law_hpcc_begin(rocecc_reader *r, rocecc_hpcc_params *p, bool *runs)
{
    rocecc_hpcc_refusal refusal;
    *runs = false;
    *p = law_hpcc_params(r);
    refusal = rocecc_hpcc_init(p);
    LAW((refusal == ROCECC_HPCC_ACCEPTED) == law_hpcc_sane(p));
    *runs = refusal == ROCECC_HPCC_ACCEPTED;
    return law_mix(LAW_START, refusal);
}

/* With CSIG: windows, U and stage stay in bounds, whatever is said. */
ROCECC_FN uint32_t law_hpcc_csig(rocecc_reader r)
{
    rocecc_hpcc_params p;
    rocecc_hpcc s;
    rocecc_hpcc_sample e = {0, 0, 0, 0, 0};
    bool runs;
    uint32_t digest = law_hpcc_begin(&r, &p, &runs);
    int i;
    if (!runs) return digest;
    s = rocecc_hpcc_start(&p);
    for (i = 0; i < LAW_HPCC_EVENTS; i++) {
        const rocecc_hpcc before = s;
        const uint8_t how = law_u8(&r);
        rocecc_hpcc_action act;
        e.signal = how & 3;
        e.value = law_u32(&r) >> (how >> 3);
        e.now_ns += law_u16(&r);
        e.seq += law_u8(&r);
        e.snd_nxt = e.seq + law_u16(&r);
        if ((how & 0xfc) == 4) rocecc_hpcc_forget(&p, &s);
        if ((how & 0xfc) == 4) continue;
        act = rocecc_hpcc_csig_ack(&p, &s, &e);
        LAW(law_hpcc_bounds(&p, &s, &act) && law_hpcc_kept(&before, &s, &act));
        LAW(act.request == ROCECC_HPCC_UTILISATION || s.u_q32 >> 12 >= p.eta_q20);
        LAW_FIELDS(HPCC_CSIG_ACTION, &act)
        LAW_FIELDS(HPCC_STATE, &s)
    }
    return digest;
}

/* With telemetry of each hop: the same. */
ROCECC_FN uint32_t law_hpcc(rocecc_reader r)
{
    rocecc_hpcc_params p;
    rocecc_hpcc s;
    rocecc_hop hops[LAW_HPCC_HOPS] = {{0, 0, 0, 0, 0, 0, 0}};
    rocecc_hpcc_hop known[LAW_HPCC_HOPS];
    rocecc_hpcc_report e = {NULL, 0, 0, 0, 0};
    bool runs;
    uint32_t digest = law_hpcc_begin(&r, &p, &runs);
    int i, k;
    if (!runs) return digest;
    if (p.max_hops > LAW_HPCC_HOPS) p.max_hops = LAW_HPCC_HOPS;
    s = rocecc_hpcc_start(&p);
    e.hops = hops;
    for (k = 0; k < LAW_HPCC_HOPS; k++) {
        hops[k].valid = 31;
        hops[k].rate_bps = 100000000000;
    }
    for (i = 0; i < LAW_HPCC_EVENTS; i++) {
        const rocecc_hpcc before = s;
        const uint8_t how = law_u8(&r);
        rocecc_hpcc_action act;
        e.n_hops = (how & 0x18) == 0 ? how % (LAW_HPCC_HOPS + 1u) : LAW_HPCC_HOPS;
        for (k = 0; k < LAW_HPCC_HOPS; k++)
            law_hpcc_hop(&r, &hops[k]);
        e.now_ns += law_u16(&r);
        e.seq += law_u8(&r);
        e.snd_nxt = e.seq + law_u16(&r);
        if (how == 0xff) rocecc_hpcc_forget(&p, &s);
        if (how == 0xff) continue;
        act = how & 0x20 ? rocecc_hpcc_fastcnp(&p, &s, known, &e)
                         : rocecc_hpcc_ack(&p, &s, known, &e);
        LAW(law_hpcc_bounds(&p, &s, &act) && law_hpcc_kept(&before, &s, &act));
        LAW(!(how & 0x20) ||
            (act.verdict != ROCECC_HPCC_STARTED && act.verdict != ROCECC_HPCC_UPDATED));
        LAW_FIELDS(HPCC_ACTION, &act)
        LAW_FIELDS(HPCC_STATE, &s)
    }
    return digest;
}

#endif /* TESTS_LAW_HPCC_H */
