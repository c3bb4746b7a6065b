/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_HPCC_H
#define ROCECC_ALGO_HPCC_H

/*
 * hpcc.h - HPCC and HPCC++: the window of one sending flow, from telemetry of each hop
 * or from one CSIG signal a packet. Li et al., SIGCOMM 2019; draft-miao-tsv-hpcc-01;
 * draft-miao-ccwg-hpcc-info-03, 3.1.
 *
 *   hop    u' = min(qlen, L.qlen) / (B T) + dtx / (dt B)     what stands, what flows
 *   path   u = max u',  tau = min(its dt, T)
 *          U = (1 - tau/T) U + tau/T u                       bytes in flight over B T
 *   W      U >= eta, or maxStage times below it:  Wc eta / U + W_AI
 *          else                                   Wc + W_AI
 *   R      W / T
 *
 *   W ^  -.___.-'          W follows each ACK, always from Wc: a burst of ACKs about
 *     |  | :   :  ----     one queue cuts once.
 *     |  '-+---+-'   :     Wc moves once a round trip: with the first ACK of what was
 *     +----+---+-----+-->  sent after it moved last.
 *
 * Example, the paper's values at 100 Gb/s: T is 13 us, so B T and Wc are 162500 bytes.
 * In T a hop sends 162500 bytes, and 16250 stand in its queue: u' = 0.1 + 1, U = 1.1,
 * W = 162500 0.95 / 1.1 + 81.25 = 140422 bytes, R = 86.4 Gb/s.
 *
 * State: 40 bytes, and 40 for each hop of L, in the caller's memory; with CSIG 40. No
 * timers. No division for a hop; an ACK divides once, and once more if dt > T. U is off
 * by 2^-32 T/tau + T 2^-44, W by 2^-20 bytes and what the error of U makes of it. The
 * rules H-1 to H-29, which of them are our choice, and why no hop divides: README.md.
 */
#include "hop.h"

#define ROCECC_HPCC_HOPS_MAX 16
#define ROCECC_HPCC_T_MIN_NS 2000
#define ROCECC_HPCC_T_MAX_NS ((uint32_t)1 << 24)
#define ROCECC_HPCC_DT_MAX_NS 1000000000
#define ROCECC_HPCC_BDP_MIN_BYTES 512
#define ROCECC_HPCC_U_MAX_Q32 (((uint64_t)1 << 44) - 1)
#define ROCECC_HPCC_DTX_MAX_BYTES (((uint64_t)1 << 40) - 1)

typedef enum rocecc_hpcc_refusal {
    ROCECC_HPCC_ACCEPTED = 0,
    ROCECC_HPCC_REFUSED_T,        /* 2000 .. 2^24 */
    ROCECC_HPCC_REFUSED_ETA,      /* 1 .. 2^20 */
    ROCECC_HPCC_REFUSED_W_MIN,    /* 1 .. W_init */
    ROCECC_HPCC_REFUSED_W_INIT,   /* .. W_max */
    ROCECC_HPCC_REFUSED_W_MAX,    /* W_max / T below ROCECC_RATE_END_BPS */
    ROCECC_HPCC_REFUSED_W_AI,     /* 0 .. below W_max */
    ROCECC_HPCC_REFUSED_MAX_HOPS, /* 1 .. 16 */
    ROCECC_HPCC_REFUSED_TS_MOD,   /* 0, 2 T .. */
    ROCECC_HPCC_REFUSED_TX_MOD,   /* 0, W_max .. */
    ROCECC_HPCC_REFUSED_DT_MAX    /* T .. 10^9 */
} rocecc_hpcc_refusal;

typedef struct rocecc_hpcc_params {
    uint32_t base_rtt_ns;  /* T: of the network, one value for all flows */
    uint32_t eta_q20;      /* utilisation aimed at */
    uint8_t max_stage;     /* additive rounds before a multiplicative one */
    uint32_t w_ai_q8;      /* W_AI = B T (1 - eta) / N for N flows on a link; bytes */
    uint32_t w_init_bytes; /* B T of the NIC: a flow starts at line rate */
    uint32_t w_max_bytes;  /* the same */
    uint32_t w_min_bytes;
    uint32_t u_init_q20;
    uint8_t max_hops;      /* entries of L */
    uint64_t ts_mod_ns;    /* M: where clocks of hops wrap; 0: 2^64 */
    uint64_t tx_mod_bytes; /* where their counters of bytes do; 0: 2^64 */
    uint32_t dt_max_ns;    /* records further apart say nothing */
    uint32_t pd_base_ns;   /* CSIG: per-hop delay of an idle hop */
    /* derived by init */
    uint64_t min_bps;      /* the first usable link rate: H-28 */
    uint64_t ts_late_ns;   /* M/2, rounded up */
    uint32_t dt_span_ns;   /* how many dt from 1 on are of use */
    uint64_t rate_q32;     /* 8 10^9 / T: bytes of window to bit/s */
    uint64_t t_inverse;    /* 2^(32 + t_shift) / T, rounded up; in 2^32 .. 2^33 */
    uint64_t unit_inverse; /* 8 10^9 / T again, shifted left by unit_shift to 2^63 .. */
    uint8_t t_shift;
    uint8_t unit_shift;
} rocecc_hpcc_params;

/* The state of a flow; of one with CSIG too. */
typedef struct rocecc_hpcc {
    uint64_t window_q20;    /* W, bytes */
    uint64_t reference_q20; /* Wc */
    uint64_t u_q32;         /* U */
    uint32_t update_seq;    /* lastUpdateSeq; means nothing while hops is 0 */
    uint32_t changed_ns;    /* when U changed last; the same */
    uint8_t stage;          /* incStage */
    uint8_t hops;           /* in L; with CSIG 1 from the first sample on; 0: none */
} rocecc_hpcc;

ROCECC_SIZE_(rocecc_hpcc, 40);

/* L[i]: a hop as the last ACK had it. The caller keeps max_hops of them with a flow,
 * which need not be initialised. */
typedef struct rocecc_hpcc_hop {
    uint64_t id; /* 0 where it was not reported */
    uint64_t ts_ns;
    uint64_t tx_bytes;
    uint32_t queue_bytes;
    uint32_t rate_2048; /* link rate >> 11 that inverse is of; 0: none */
    uint32_t inverse;   /* 1 / (B T) = inverse 2^-(32 + shift), from 2^31 */
    uint8_t shift;      /* 8 .. 38 */
    uint8_t valid;      /* ROCECC_HOP_... */
} rocecc_hpcc_hop;

ROCECC_SIZE_(rocecc_hpcc_hop, 40);

/* What an ACK or a Fast CNP brings. */
typedef struct rocecc_hpcc_report {
    const rocecc_hop *hops; /* first to last */
    uint32_t n_hops;
    uint32_t seq;     /* that the ACK acknowledges; a Fast CNP has none */
    uint32_t snd_nxt; /* next to be sent: bytes or packets, as seq */
    uint64_t now_ns;
} rocecc_hpcc_report;

/* Signals of CSIG, by their type there. */
enum {
    ROCECC_HPCC_UTILISATION = 1, /* 1 - min(ABW/C) */
    ROCECC_HPCC_DELAY = 2,       /* max per-hop delay */
    ROCECC_HPCC_DRAIN = 3        /* max qlen/B, which has no type in the draft yet */
};

/* What an ACK brings with CSIG. */
typedef struct rocecc_hpcc_sample {
    uint8_t signal; /* ROCECC_HPCC_UTILISATION, _DELAY, _DRAIN */
    uint32_t value; /* Q20 of a utilisation, ns of the others */
    uint32_t seq;
    uint32_t snd_nxt;
    uint64_t now_ns;
} rocecc_hpcc_sample;

/* What an event did. */
enum {
    ROCECC_HPCC_IGNORED = 0, /* nothing: H-6, H-16, H-22, H-25, H-26 */
    ROCECC_HPCC_STARTED,     /* a path, or the clock of CSIG: H-17, H-26 */
    ROCECC_HPCC_REACTED,     /* U and W changed */
    ROCECC_HPCC_UPDATED      /* and Wc with them: H-15 */
};

typedef struct rocecc_hpcc_action {
    uint64_t rate_bps;     /* R, to pace by */
    uint32_t window_bytes; /* W: send while fewer are in flight */
    uint8_t verdict;       /* ROCECC_HPCC_IGNORED, ... */
    uint8_t request;       /* with CSIG: the signal to ask for next */
} rocecc_hpcc_action;

/*
 * The paper's values: T 13 us (its simulations; 9 us in its testbed), eta 95 %,
 * maxStage 5, W_AI for 100 flows on a link, W_init = B T. U_init 1 as in its ns-3.
 */
ROCECC_FN rocecc_hpcc_params rocecc_hpcc_paper(uint64_t nic_bps)
{
    rocecc_hpcc_params p;
    nic_bps = rocecc_min(nic_bps, ROCECC_RATE_END_BPS);
    p.base_rtt_ns = 13000;
    p.eta_q20 = 996147; /* 0.95 */
    p.max_stage = 5;
    p.w_init_bytes = (uint32_t)(nic_bps * 13 / 8000000);
    p.w_max_bytes = p.w_init_bytes;
    p.w_ai_q8 = (uint32_t)((uint64_t)p.w_init_bytes * 256 / 2000); /* (1 - eta) / 100 */
    p.w_min_bytes = 1;
    p.u_init_q20 = ROCECC_ONE_Q20;
    p.max_hops = 5;
    p.ts_mod_ns = 0;
    p.tx_mod_bytes = 0;
    p.dt_max_ns = ROCECC_HPCC_DT_MAX_NS;
    p.pd_base_ns = 0;
    p.min_bps = p.ts_late_ns = p.rate_q32 = p.t_inverse = p.unit_inverse = 0;
    p.dt_span_ns = 0;
    p.t_shift = p.unit_shift = 0;
    return p;
}

/*
 * HPCC's ns-3 as shipped: each round multiplicative; clocks of 24 bits of ns, counters
 * of 20 bits that count 128 bytes for each 25 Gb/s of the NIC (int-header.h, run.py).
 */
ROCECC_FN rocecc_hpcc_params rocecc_hpcc_ns3(uint64_t nic_bps)
{
    rocecc_hpcc_params p = rocecc_hpcc_paper(nic_bps);
    p.max_stage = 0;
    p.ts_mod_ns = (uint64_t)1 << 24;
    p.tx_mod_bytes = rocecc_max(p.w_init_bytes / 40625, 1) << 27;
    return p;
}

/* The first bound that p does not keep; they are with the enumeration. */
ROCECC_FN rocecc_hpcc_refusal rocecc_hpcc_check_(const rocecc_hpcc_params *p)
{
    if (p->base_rtt_ns < ROCECC_HPCC_T_MIN_NS || p->base_rtt_ns > ROCECC_HPCC_T_MAX_NS)
        return ROCECC_HPCC_REFUSED_T;
    if (p->eta_q20 == 0 || p->eta_q20 > ROCECC_ONE_Q20) return ROCECC_HPCC_REFUSED_ETA;
    if (p->w_min_bytes == 0 || p->w_min_bytes > p->w_init_bytes)
        return ROCECC_HPCC_REFUSED_W_MIN;
    if (p->w_init_bytes > p->w_max_bytes) return ROCECC_HPCC_REFUSED_W_INIT;
    /* W_max 8 10^9 < 2^43 T, both sides by 2^12 */
    if ((uint64_t)p->w_max_bytes * 1953125 >= (uint64_t)p->base_rtt_ns << 31)
        return ROCECC_HPCC_REFUSED_W_MAX;
    if (p->w_ai_q8 >> 8 >= p->w_max_bytes) return ROCECC_HPCC_REFUSED_W_AI;
    if (p->max_hops == 0 || p->max_hops > ROCECC_HPCC_HOPS_MAX)
        return ROCECC_HPCC_REFUSED_MAX_HOPS;
    if (p->ts_mod_ns != 0 && p->ts_mod_ns < 2 * (uint64_t)p->base_rtt_ns)
        return ROCECC_HPCC_REFUSED_TS_MOD;
    if (p->tx_mod_bytes != 0 && p->tx_mod_bytes < p->w_max_bytes)
        return ROCECC_HPCC_REFUSED_TX_MOD;
    if (p->dt_max_ns < p->base_rtt_ns || p->dt_max_ns > ROCECC_HPCC_DT_MAX_NS)
        return ROCECC_HPCC_REFUSED_DT_MAX;
    return ROCECC_HPCC_ACCEPTED;
}

/* Once, before any flow. Refused: why, and *p is as it was. */
ROCECC_FN rocecc_hpcc_refusal rocecc_hpcc_init(rocecc_hpcc_params *p)
{
    const uint64_t unit = 8000000000u; /* bit/s in a byte per ns */
    const uint32_t t = p->base_rtt_ns;
    const rocecc_hpcc_refusal refusal = rocecc_hpcc_check_(p);
    uint64_t low;
    unsigned i;
    if (refusal != ROCECC_HPCC_ACCEPTED) return refusal;
    p->min_bps = (ROCECC_HPCC_BDP_MIN_BYTES * unit - 1) / t + 1;
    p->ts_late_ns =
        p->ts_mod_ns == 0 ? (uint64_t)1 << 63 : p->ts_mod_ns / 2 + p->ts_mod_ns % 2;
    p->dt_span_ns = (uint32_t)rocecc_min(p->dt_max_ns, p->ts_late_ns - 1);
    p->rate_q32 = (unit << 31) / t << 1;
    for (i = 0; i < 24 && t > (uint32_t)1 << i; i++)
        continue;
    p->t_shift = (uint8_t)i;
    p->t_inverse = (((uint64_t)1 << (32 + p->t_shift)) - 1) / t + 1;
    /* unit / T in Q31 and 32 bits more, of which as many move up as are free there */
    p->unit_inverse = (unit << 31) / t;
    low = (((unit << 31) % t) << 32) / t;
    for (i = 0; i < 25 && p->unit_inverse >> 63 == 0; i++)
        p->unit_inverse <<= 1;
    p->unit_inverse |= low >> (32 - i);
    p->unit_shift = (uint8_t)(31 + i);
    return refusal;
}

/* A flow that has not sent: W = Wc = W_init, U = U_init, no hops. */
ROCECC_FN rocecc_hpcc rocecc_hpcc_start(const rocecc_hpcc_params *p)
{
    rocecc_hpcc s = {0, 0, 0, 0, 0, 0, 0};
    s.window_q20 = s.reference_q20 = (uint64_t)p->w_init_bytes << 20;
    s.u_q32 = (uint64_t)p->u_init_q20 << 12;
    return s;
}

/* a b 2^-32, to nearest, where it is below 2^64. */
ROCECC_FN uint64_t rocecc_hpcc_mul_q32_(uint64_t a, uint64_t b)
{
    const uint64_t low = b & 0xffffffffu;
    return a * (b >> 32) + (a >> 32) * low +
           (((a & 0xffffffffu) * low + 0x80000000u) >> 32);
}

/* dt/T, of at most 2^30 ns; exactly 1 where dt is T. */
ROCECC_FN uint64_t rocecc_hpcc_part_q32_(const rocecc_hpcc_params *p, uint64_t dt_ns)
{
    return dt_ns * p->t_inverse >> (p->t_shift & 31);
}

/* What a hop, or a sample, says of the load: u' dt/T. */
typedef struct rocecc_hpcc_load_ {
    uint64_t part_q32;
    uint32_t dt_ns; /* 0: nothing */
} rocecc_hpcc_load_;

/* Whether a's u' is larger than b's: a.part b.dt > b.part a.dt, exactly. */
ROCECC_FN bool rocecc_hpcc_larger_(const rocecc_hpcc_load_ *a,
                                   const rocecc_hpcc_load_ *b)
{
    const uint64_t a_low = (a->part_q32 & 0xffffffffu) * b->dt_ns;
    const uint64_t b_low = (b->part_q32 & 0xffffffffu) * a->dt_ns;
    uint64_t a_high, b_high;
    if ((a->part_q32 | b->part_q32) >> 32 == 0) return a_low > b_low;
    a_high = (a->part_q32 >> 32) * b->dt_ns + (a_low >> 32);
    b_high = (b->part_q32 >> 32) * a->dt_ns + (b_low >> 32);
    return a_high != b_high ? a_high > b_high : (uint32_t)a_low > (uint32_t)b_low;
}

/* U = (1 - tau/T) U + tau/T u: H-6. load has u dt/T, and tau = min(dt, T). */
ROCECC_FN void rocecc_hpcc_average_(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                                    const rocecc_hpcc_load_ *load, uint32_t now_ns)
{
    const uint32_t t = p->base_rtt_ns;
    uint64_t u;
    if (load->dt_ns <= t) {
        const uint64_t part = rocecc_hpcc_part_q32_(p, load->dt_ns);
        u = s->u_q32 - rocecc_hpcc_mul_q32_(s->u_q32, part) + load->part_q32;
    } else {
        /* u = part T/dt; the quotient is below 2^64 / T */
        const unsigned more = load->part_q32 >> 52 == 0 ? 12 : 0;
        u = ROCECC_DIV64(load->part_q32 << more, load->dt_ns) * t >> more;
    }
    s->u_q32 = rocecc_min(u, ROCECC_HPCC_U_MAX_Q32);
    s->changed_ns = now_ns;
}

/*
 * W = Wc eta / U + W_AI where U >= eta or stage >= maxStage (H-12), else Wc + W_AI
 * (H-13); W_min <= W <= W_max (H-14). With update, Wc and stage follow (H-15).
 */
ROCECC_FN void rocecc_hpcc_window_(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                                   bool update)
{
    const bool scale =
        s->u_q32 >= (uint64_t)p->eta_q20 << 12 || s->stage >= p->max_stage;
    const uint64_t max_q20 = (uint64_t)p->w_max_bytes << 20;
    uint64_t w = s->reference_q20;
    if (scale) {
        /* eta / U in Q31, up to 2^63; Wc is of 52 bits */
        const uint64_t ratio = s->u_q32 == 0
                                   ? UINT64_MAX
                                   : ROCECC_DIV64((uint64_t)p->eta_q20 << 43, s->u_q32);
        const bool beyond = (w >> 31) * (ratio >> 32) >> 20 != 0 || s->u_q32 == 0;
        w = beyond ? max_q20 : rocecc_hpcc_mul_q32_(2 * w, ratio);
    }
    w = rocecc_clamp(w + ((uint64_t)p->w_ai_q8 << 12), (uint64_t)p->w_min_bytes << 20,
                     max_q20);
    s->window_q20 = w;
    if (!update) return;
    s->reference_q20 = w;
    s->stage = scale ? 0 : (uint8_t)(s->stage + 1);
}

/* After an ACK changed U. Wc moves if seq is after lastUpdateSeq: H-15. */
ROCECC_FN uint8_t rocecc_hpcc_acked_(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                                     uint32_t seq, uint32_t snd_nxt)
{
    const bool update = rocecc_serial_after(seq, s->update_seq);
    rocecc_hpcc_window_(p, s, update);
    if (update) s->update_seq = snd_nxt;
    return update ? ROCECC_HPCC_UPDATED : ROCECC_HPCC_REACTED;
}

/* R = W / T (H-18). Bytes below W rounded up are below W. What to ask for: H-27. */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_action_(const rocecc_hpcc_params *p,
                                                 const rocecc_hpcc *s, uint8_t verdict)
{
    rocecc_hpcc_action act;
    act.rate_bps = rocecc_hpcc_mul_q32_(s->window_q20, p->rate_q32) >> 20;
    act.window_bytes = (uint32_t)((s->window_q20 + 0xfffff) >> 20);
    act.verdict = verdict;
    act.request = s->u_q32 >= (uint64_t)p->eta_q20 << 12 ? ROCECC_HPCC_DELAY
                                                         : ROCECC_HPCC_UTILISATION;
    return act;
}

/* 1 / (B T) = (8 10^9 / T) / B, by a rate that is shifted to 32 bits. */
ROCECC_FN void rocecc_hpcc_inverse_(const rocecc_hpcc_params *p, rocecc_hpcc_hop *l,
                                    uint64_t rate_bps)
{
    uint64_t top = rate_bps, inverse;
    unsigned i, shift = 0;
    for (i = 32; i > 0; i >>= 1) {
        if (top >> (64 - i) != 0) continue;
        top <<= i;
        shift += i;
    }
    inverse = ROCECC_DIV64(p->unit_inverse, (top >> 32) | 0x80000000u);
    shift = p->unit_shift + 32 - shift;
    if (inverse >> 32 != 0) {
        inverse >>= 1;
        shift -= 1;
    }
    l->rate_2048 = (uint32_t)(rate_bps >> 11);
    l->inverse = (uint32_t)inverse;
    l->shift = (uint8_t)(shift - 32);
}

/* queue / (B T), the first term of u': H-4. */
ROCECC_FN uint64_t rocecc_hpcc_queued_q32_(const rocecc_hpcc_hop *l, uint64_t queue)
{
    return queue * l->inverse >> (l->shift & 63);
}

/* dtx / (B T), the second term of u' times dt/T, below 2^63: H-4. */
ROCECC_FN uint64_t rocecc_hpcc_sent_q32_(const rocecc_hpcc_params *p,
                                         const rocecc_hpcc_hop *l, const rocecc_hop *h)
{
    uint64_t dtx = rocecc_hop_passed(l->tx_bytes, h->tx_bytes, p->tx_mod_bytes);
    if (dtx >> 32 == 0) return dtx * l->inverse >> (l->shift & 63);
    dtx = rocecc_min(dtx, ROCECC_HPCC_DTX_MAX_BYTES);
    return (dtx >> 8) * l->inverse >> ((l->shift - 8u) & 63);
}

/* u dt/T, of u below 4096; below 2^63. */
ROCECC_FN uint64_t rocecc_hpcc_weigh_q32_(const rocecc_hpcc_params *p, uint64_t u_q32,
                                          uint32_t dt_ns)
{
    const uint64_t part = rocecc_hpcc_part_q32_(p, dt_ns);
    if ((u_q32 | part) >> 32 == 0) return u_q32 * part >> 32;
    return rocecc_hpcc_mul_q32_(rocecc_min(u_q32, ROCECC_HPCC_U_MAX_Q32), part);
}

/* Whether the link rate is of use; if so, l gets 1/(B T) of it: H-2, H-28. */
ROCECC_FN bool rocecc_hpcc_rated_(const rocecc_hpcc_params *p, rocecc_hpcc_hop *l,
                                  uint64_t rate_bps)
{
    if (l->rate_2048 == rate_bps >> 11) return true;
    if (rate_bps < p->min_bps || rate_bps >= ROCECC_RATE_END_BPS) return false;
    rocecc_hpcc_inverse_(p, l, rate_bps);
    return true;
}

/* L[i] = hop. */
ROCECC_FN void rocecc_hpcc_keep_(rocecc_hpcc_hop *l, const rocecc_hop *h)
{
    l->ts_ns = h->ts_ns;
    l->tx_bytes = h->tx_bytes;
    l->queue_bytes = h->queue_bytes;
    l->valid = h->valid;
}

/*
 * u' dt/T = (min(qlen, L.qlen) dt/T + dtx) / (B T) (H-4), and dt (H-1), of two records
 * that have everything. An older hop is skipped (H-2), a late one becomes L (H-3).
 */
ROCECC_FN rocecc_hpcc_load_ rocecc_hpcc_whole_(const rocecc_hpcc_params *p,
                                               rocecc_hpcc_hop *l, const rocecc_hop *h)
{
    const uint64_t dt = rocecc_hop_passed(l->ts_ns, h->ts_ns, p->ts_mod_ns);
    rocecc_hpcc_load_ load = {0, 0};
    if (!rocecc_hpcc_rated_(p, l, h->rate_bps)) return load;
    if (dt - 1 < p->dt_span_ns) {
        const uint64_t queue = rocecc_min(h->queue_bytes, l->queue_bytes);
        load.dt_ns = (uint32_t)dt;
        load.part_q32 = rocecc_hpcc_sent_q32_(p, l, h);
        if (queue != 0)
            load.part_q32 += rocecc_hpcc_weigh_q32_(
                p, rocecc_hpcc_queued_q32_(l, queue), load.dt_ns);
    } else if (dt == 0 || dt >= p->ts_late_ns) {
        return load;
    }
    rocecc_hpcc_keep_(l, h);
    return load;
}

/* How long ago L[i] was (H-1, H-11). 0: skip the hop (H-2); above dt_max: see H-3. */
ROCECC_FN uint64_t rocecc_hpcc_dt_ns_(const rocecc_hpcc_params *p,
                                      const rocecc_hpcc_hop *l, const rocecc_hop *h,
                                      uint32_t clock_ns)
{
    if ((l->valid & h->valid & ROCECC_HOP_TS) != 0) {
        const uint64_t dt = rocecc_hop_passed(l->ts_ns, h->ts_ns, p->ts_mod_ns);
        return dt < p->ts_late_ns ? dt : 0;
    }
    /* The host's clock need only tell times up to T. */
    if ((h->valid & ROCECC_HOP_UTIL) != 0) return rocecc_min(clock_ns, p->base_rtt_ns);
    return (h->valid & ROCECC_HOP_TS) != 0 ? UINT64_MAX : 0;
}

/*
 * The same where items may be missing, or a utilisation is the second term (H-7). A
 * term without its items is 0 (H-8 to H-10); without any term the hop becomes L (H-9).
 */
ROCECC_FN rocecc_hpcc_load_ rocecc_hpcc_lacking_(const rocecc_hpcc_params *p,
                                                 rocecc_hpcc_hop *l,
                                                 const rocecc_hop *h, uint32_t clock_ns)
{
    const bool rate = (h->valid & ROCECC_HOP_RATE) != 0;
    const bool util = (h->valid & ROCECC_HOP_UTIL) != 0;
    const bool queue = rate && ((l->valid | h->valid) & ROCECC_HOP_QUEUE) != 0;
    const bool tx = rate && !util && (l->valid & h->valid & ROCECC_HOP_TX) != 0;
    const uint64_t before =
        (l->valid & ROCECC_HOP_QUEUE) != 0 ? l->queue_bytes : UINT32_MAX;
    const uint64_t now =
        (h->valid & ROCECC_HOP_QUEUE) != 0 ? h->queue_bytes : UINT32_MAX;
    uint64_t dt = rocecc_hpcc_dt_ns_(p, l, h, clock_ns), u = 0;
    rocecc_hpcc_load_ load = {0, 0};
    if (dt == 0 || (rate && !rocecc_hpcc_rated_(p, l, h->rate_bps))) return load;
    if (dt <= p->dt_max_ns && (queue || util || tx)) {
        if (queue) u = rocecc_hpcc_queued_q32_(l, rocecc_min(before, now));
        if (util) {
            /* Beyond T its dt makes no difference. */
            dt = rocecc_min(dt, p->base_rtt_ns);
            u += (uint64_t)h->util_q20 << 12;
        }
        load.dt_ns = (uint32_t)dt;
        load.part_q32 = rocecc_hpcc_weigh_q32_(p, u, load.dt_ns) +
                        (tx ? rocecc_hpcc_sent_q32_(p, l, h) : 0);
    }
    rocecc_hpcc_keep_(l, h);
    return load;
}

/* One hop of MeasureInflight; afterwards it is L[i]. */
ROCECC_FN rocecc_hpcc_load_ rocecc_hpcc_hop_(const rocecc_hpcc_params *p,
                                             rocecc_hpcc_hop *l, const rocecc_hop *h,
                                             uint32_t clock_ns)
{
    const unsigned all = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE |
                         ROCECC_HOP_TX | ROCECC_HOP_TS;
    return l->valid == h->valid && (h->valid | ROCECC_HOP_ID) == all
               ? rocecc_hpcc_whole_(p, l, h)
               : rocecc_hpcc_lacking_(p, l, h, clock_ns);
}

/* MeasureInflight: u = max u' (H-5), then U. false: no hop could be used (H-6). */
ROCECC_FN bool rocecc_hpcc_measure_(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                                    rocecc_hpcc_hop *l, const rocecc_hpcc_report *r)
{
    const uint32_t clock_ns = (uint32_t)r->now_ns - s->changed_ns;
    size_t n = (size_t)rocecc_min(r->n_hops, ROCECC_HPCC_HOPS_MAX);
    rocecc_hpcc_load_ most = {0, 0};
    uint32_t i;
    ROCECC_BPF_KEEP_(n);
    for (i = 0; i < ROCECC_HPCC_HOPS_MAX && i < n; i++) {
        const rocecc_hpcc_load_ load =
            rocecc_hpcc_hop_(p, &l[i], &r->hops[i], clock_ns);
        if (load.dt_ns == 0) continue;
        if (most.dt_ns == 0 || rocecc_hpcc_larger_(&load, &most)) most = load;
    }
    if (most.dt_ns == 0) return false;
    rocecc_hpcc_average_(p, s, &most, (uint32_t)r->now_ns);
    return true;
}

/* Whether the hops are the first ones of L; ids are compared as H-29 says. */
ROCECC_FN bool rocecc_hpcc_along_(const rocecc_hpcc_hop *l, const rocecc_hpcc_report *r)
{
    size_t n = (size_t)rocecc_min(r->n_hops, ROCECC_HPCC_HOPS_MAX);
    uint32_t i;
    ROCECC_BPF_KEEP_(n);
    for (i = 0; i < ROCECC_HPCC_HOPS_MAX && i < n; i++) {
        const rocecc_hop *h = &r->hops[i];
        if (l[i].id == h->id && l[i].valid == h->valid) continue;
        if (((l[i].valid ^ h->valid) & ROCECC_HOP_ID) != 0) return false;
        if (l[i].id != h->id && (h->valid & ROCECC_HOP_ID) != 0) return false;
    }
    return true;
}

/*
 * U = U_init, stage 0, no L; W and Wc stay: H-20. For a path that changed, after a
 * silence too long for the clocks of the hops, and when an idle flow goes on.
 */
ROCECC_FN void rocecc_hpcc_forget(const rocecc_hpcc_params *p, rocecc_hpcc *s)
{
    s->u_q32 = (uint64_t)p->u_init_q20 << 12;
    s->stage = 0;
    s->hops = 0;
}

/* Forget, then L = the hops, lastUpdateSeq = snd_nxt; W stays: H-17. */
ROCECC_FN void rocecc_hpcc_learn_(const rocecc_hpcc_params *p, rocecc_hpcc *s,
                                  rocecc_hpcc_hop *l, const rocecc_hpcc_report *r)
{
    size_t n = (size_t)rocecc_min(r->n_hops, ROCECC_HPCC_HOPS_MAX);
    uint32_t i;
    rocecc_hpcc_forget(p, s);
    ROCECC_BPF_KEEP_(n);
    for (i = 0; i < ROCECC_HPCC_HOPS_MAX && i < n; i++) {
        const rocecc_hop *h = &r->hops[i];
        l[i].id = (h->valid & ROCECC_HOP_ID) != 0 ? h->id : 0;
        rocecc_hpcc_keep_(&l[i], h);
        l[i].rate_2048 = 0; /* no usable rate: inverse is made when it is needed */
        l[i].inverse = 0;
        l[i].shift = 0;
    }
    s->hops = (uint8_t)n;
    s->update_seq = r->snd_nxt;
    s->changed_ns = (uint32_t)r->now_ns;
}

/* An ACK with telemetry (H-16, H-17, H-19). l: the max_hops records of this flow. */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_ack(const rocecc_hpcc_params *p,
                                             rocecc_hpcc *s, rocecc_hpcc_hop *l,
                                             const rocecc_hpcc_report *r)
{
    uint8_t verdict = ROCECC_HPCC_IGNORED;
    if (r->n_hops == 0 || r->n_hops > p->max_hops)
        return rocecc_hpcc_action_(p, s, verdict);
    if (r->n_hops != s->hops || !rocecc_hpcc_along_(l, r)) {
        rocecc_hpcc_learn_(p, s, l, r);
        verdict = ROCECC_HPCC_STARTED;
    } else if (rocecc_hpcc_measure_(p, s, l, r)) {
        verdict = rocecc_hpcc_acked_(p, s, r->seq, r->snd_nxt);
    }
    return rocecc_hpcc_action_(p, s, verdict);
}

/*
 * A Fast CNP, whose telemetry ends at the congested switch: U and W by these hops; Wc,
 * stage and lastUpdateSeq stay (H-21). Not the first hops of L: nothing (H-22).
 */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_fastcnp(const rocecc_hpcc_params *p,
                                                 rocecc_hpcc *s, rocecc_hpcc_hop *l,
                                                 const rocecc_hpcc_report *r)
{
    uint8_t verdict = ROCECC_HPCC_IGNORED;
    if (r->n_hops != 0 && r->n_hops <= s->hops && r->n_hops <= p->max_hops &&
        rocecc_hpcc_along_(l, r) && rocecc_hpcc_measure_(p, s, l, r)) {
        rocecc_hpcc_window_(p, s, false);
        verdict = ROCECC_HPCC_REACTED;
    }
    return rocecc_hpcc_action_(p, s, verdict);
}

/* u = 1 + d/T, below 4096: H-24. 0 of an unknown signal, and of d = 0: H-25. */
ROCECC_FN uint64_t rocecc_hpcc_sample_q32_(const rocecc_hpcc_params *p,
                                           const rocecc_hpcc_sample *e)
{
    uint64_t delay_ns = e->value, u;
    if (e->signal == ROCECC_HPCC_DELAY)
        delay_ns -= rocecc_min(delay_ns, p->pd_base_ns);
    else if (e->signal != ROCECC_HPCC_DRAIN)
        delay_ns = 0;
    if (delay_ns == 0) return 0;
    u = rocecc_hpcc_mul_q32_(delay_ns << (32 - (p->t_shift & 31u)), p->t_inverse);
    return rocecc_min(u + ((uint64_t)1 << 32), ROCECC_HPCC_U_MAX_Q32);
}

/*
 * An ACK with a CSIG signal; a utilisation is u (H-23). tau is the time since the last
 * sample that was used, at most T; the first one only starts that clock (H-26).
 */
ROCECC_FN rocecc_hpcc_action rocecc_hpcc_csig_ack(const rocecc_hpcc_params *p,
                                                  rocecc_hpcc *s,
                                                  const rocecc_hpcc_sample *e)
{
    const bool util = e->signal == ROCECC_HPCC_UTILISATION;
    const bool delay = e->signal == ROCECC_HPCC_DELAY || e->signal == ROCECC_HPCC_DRAIN;
    const uint64_t u = util ? (uint64_t)e->value << 12 : rocecc_hpcc_sample_q32_(p, e);
    const uint32_t now_ns = (uint32_t)e->now_ns;
    uint8_t verdict = ROCECC_HPCC_IGNORED;
    rocecc_hpcc_action act;
    rocecc_hpcc_load_ load;
    load.dt_ns = (uint32_t)rocecc_min(now_ns - s->changed_ns, p->base_rtt_ns);
    load.part_q32 = rocecc_hpcc_mul_q32_(u, rocecc_hpcc_part_q32_(p, load.dt_ns));
    if (s->hops == 0 && (util || delay)) {
        s->hops = 1;
        s->update_seq = e->snd_nxt;
        s->changed_ns = now_ns;
        verdict = ROCECC_HPCC_STARTED;
    } else if ((util || u != 0) && load.dt_ns != 0) {
        rocecc_hpcc_average_(p, s, &load, now_ns);
        verdict = rocecc_hpcc_acked_(p, s, e->seq, e->snd_nxt);
    }
    act = rocecc_hpcc_action_(p, s, verdict);
    if (delay && u == 0) act.request = ROCECC_HPCC_UTILISATION;
    return act;
}

#endif /* ROCECC_ALGO_HPCC_H */
