/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_WRED_H
#define ROCECC_ALGO_WRED_H

/*
 * wred.h - the congestion point: which packets a queue marks or drops. Two of them:
 *   rocecc_wred  ECN/WRED on the queue as it is (draft-dai-tsvwg-pfc-free-congestion-
 *                control-00, 2.1 and 2.3; DCQCN, SIGCOMM 2015, 3.1; switch silicon)
 *   rocecc_red   RED on an averaged queue (Floyd and Jacobson, IEEE/ACM ToN 1(4), 1993)
 *
 *     p |
 *     1 |               +--------      q       the queue in bytes, with this packet
 *       |               |              K_min   min_bytes
 * P_max |             . |              K_max   max_bytes
 *       |         .     |              p(q) =  P_max (q - K_min) / (K_max - K_min)
 *     0 +-----+---------+--------> q
 *           K_min     K_max            q > buf_max: dropped, whatever the packet
 *
 * Rules of rocecc_wred; r is a number at random of 32 bits, another for each packet
 *   W-1   q > buf_max: DROP.
 *   W-2   Not-ECT goes by the drop curve: DROP or PASS.
 *   W-3   ECT(0), ECT(1) and CE go by the mark curve: MARK or PASS.
 *   W-4   q < K_min: PASS.
 *   W-5   K_min <= q < K_max: PASS unless r / 2^32 < p(q), with no rounding anywhere.
 *   W-6   K_max <= q: never PASS, though P_max be 0.
 *   W-7   K_min = K_max = K is a step at K: LDCP's threshold for Not-ECT.
 *   W-8   K_min = K_max = 2^32 - 1 is a curve switched off (but at q = 2^32 - 1).
 *   W-9   buf_max below K_max, or below K_min, is legal, and cuts the curve off.
 *
 * Rules of rocecc_red; q is the queue in bytes without this packet
 *   R-1   Queue not empty: avg += w (q - avg), w = 2^-n.
 *   R-2   Queue empty since t0: avg *= (1 - w)^m, m = floor((now - t0) / s), s the time
 *         of a typical packet; instead of R-1.
 *   R-3   avg < min: PASS, count = -1.
 *   R-4   avg >= max (gentle: 2 max): mark, count = 0.
 *   R-5   Else count += 1; pb = maxp (avg - min) / (max - min); pa = pb / (1 - count
 *         pb), or 1 when count pb >= 1; mark if r / 2^32 < pa, and then count = 0.
 *   R-6   gentle, avg >= max: pb = maxp + (1 - maxp) (avg - max) / max.
 *   R-7   dpdk: pa = pb / (2 - count pb), half the rate; and avg < min: count += 1.
 *   R-8   To mark is MARK for ECT(0), ECT(1) and CE, DROP for Not-ECT.
 * and where the sources are silent
 *   R-9   Empty, but no idle event told since when: R-1, with q = 0. Not empty, but the
 *         arrival that ended the idle time is lost: R-1, and the idle time is over.
 *   R-10  An idle event in idle time: R-2 up to now; m adds up as if it had not been.
 *   R-11  A packet that is dropped leaves an empty queue idle.
 *   R-12  A clock that steps back by up to 2^20 ns: as if no time had passed.
 *
 * rocecc_wred keeps no state and is exact. One rocecc_wred_params for each class and
 * colour, in the host's hands: rocecc_wred_params profile[CLASSES][COLOURS].
 *
 * rocecc_red keeps 24 bytes. Against real arithmetic avg is off by less than 2^(n - 32)
 * bytes from R-1 and by avg 2^(n - 34) from R-2 (worst seen: avg 7e-8); pa by less than
 * 2^-30 / pb beyond that, and in no trace a verdict. An idle time is read modulo 2^32
 * ns: one of 4.29 s, or a multiple, may seem short. A host whose queues rest so long,
 * and that minds, repeats the idle event once in 4 s. Tail drop is the host's: a
 * packet that RED passes may still not fit.
 *
 * No division in either. A profile of SAI (saiwred.h) is one params for each colour C:
 *   SAI_WRED_ATTR_C_ENABLE                 false: drop = rocecc_wred_off()
 *   SAI_WRED_ATTR_C_MIN_THRESHOLD          drop.min_bytes; 0: 2^32 - 1
 *   SAI_WRED_ATTR_C_MAX_THRESHOLD          drop.max_bytes; 0: 2^32 - 1
 *   SAI_WRED_ATTR_C_DROP_PROBABILITY       drop.pmax_q32 = rocecc_wred_percent_q32()
 *   SAI_WRED_ATTR_ECN_MARK_MODE            without C: mark = rocecc_wred_off()
 *   SAI_WRED_ATTR_ECN_C_MIN_THRESHOLD      mark.min_bytes; not set: as drop
 *   SAI_WRED_ATTR_ECN_C_MAX_THRESHOLD      mark.max_bytes; not set: as drop
 *   SAI_WRED_ATTR_ECN_C_MARK_PROBABILITY   mark.pmax_q32; not set: as drop
 *   SAI_WRED_ATTR_WEIGHT                   0: none of it; 1..15: n of rocecc_red
 */
#include "../fixed.h"
#include "../net.h"

#define ROCECC_WRED_ONE_Q32 ((uint64_t)1 << 32)
#define ROCECC_RED_BACK_NS ((uint32_t)1 << 20) /* */
#define ROCECC_RED_MAX_END_BYTES ((uint32_t)1 << 31)

typedef enum rocecc_wred_verdict {
    ROCECC_WRED_PASS = 0, /* as it is: a CE packet stays CE */
    ROCECC_WRED_MARK,     /* set CE */
    ROCECC_WRED_DROP
} rocecc_wred_verdict;

typedef enum rocecc_wred_refusal {
    ROCECC_WRED_ACCEPTED = 0,
    ROCECC_WRED_REFUSED_MARK_ORDER, /* mark.min_bytes > mark.max_bytes */
    ROCECC_WRED_REFUSED_MARK_PMAX,  /* mark.pmax_q32 > 2^32 */
    ROCECC_WRED_REFUSED_DROP_ORDER, /* drop.min_bytes > drop.max_bytes */
    ROCECC_WRED_REFUSED_DROP_PMAX,  /* drop.pmax_q32 > 2^32 */
    ROCECC_WRED_REFUSED_BUF_MAX     /* buf_max_bytes is 0: no packet would pass */
} rocecc_wred_refusal;

typedef struct rocecc_wred_curve {
    uint32_t min_bytes; /* K_min: 0..max_bytes */
    uint32_t max_bytes; /* K_max: 0..2^32 - 1 */
    uint64_t pmax_q32;  /* P_max, just below K_max: 0..2^32, which is 1 */
} rocecc_wred_curve;

typedef struct rocecc_wred_params {
    rocecc_wred_curve mark; /* for what is ECN-capable */
    rocecc_wred_curve drop; /* for Not-ECT */
    uint32_t buf_max_bytes; /* 1.. */
} rocecc_wred_params;

/* W-8. */
ROCECC_FN rocecc_wred_curve rocecc_wred_off(void)
{
    rocecc_wred_curve c = {UINT32_MAX, UINT32_MAX, 0};
    return c;
}

/* A percentage as SAI has it, to nearest; above 100 it is more than init accepts. */
ROCECC_FN uint64_t rocecc_wred_percent_q32(uint32_t percent)
{
    return (percent * ROCECC_WRED_ONE_Q32 + 50) / 100;
}

/*
 * For LDCP, which gives no numbers: with P_max = 0.8 between BDP/5 and 4/5 BDP, and
 * Not-ECT dropped from 2/5 BDP on, 2 to 32 flows keep the queue within these bounds.
 */
ROCECC_FN rocecc_wred_params rocecc_wred_ldcp(uint32_t bdp_bytes,
                                              uint32_t buf_max_bytes)
{
    rocecc_wred_params p = {{0, 0, 0}, {0, 0, 0}, 0};
    p.mark.min_bytes = bdp_bytes / 5;
    p.mark.max_bytes = (uint32_t)((uint64_t)bdp_bytes * 4 / 5);
    p.mark.pmax_q32 = rocecc_wred_percent_q32(80);
    p.drop.min_bytes = p.drop.max_bytes = (uint32_t)((uint64_t)bdp_bytes * 2 / 5);
    p.buf_max_bytes = buf_max_bytes;
    return p;
}

/*
 * The DCQCN paper's 40 Gb/s: 5 and 200 KB, 0.01. Its class is lossless: no drop curve,
 * and buf_max is for the host to set.
 */
ROCECC_FN rocecc_wred_params rocecc_wred_dcqcn_paper(void)
{
    rocecc_wred_params p = {{5000, 200000, 0}, {0, 0, 0}, UINT32_MAX};
    p.mark.pmax_q32 = rocecc_wred_percent_q32(1);
    p.drop = rocecc_wred_off();
    return p;
}

/*
 * The HPCC paper's simulations of DCQCN (alibaba-edu/High-Precision-Congestion-Control,
 * run.py): 100 and 400 KB at 25 Gb/s and in proportion, 0.2. Lossless, as above.
 */
ROCECC_FN rocecc_wred_params rocecc_wred_hpcc_runs(uint64_t link_bps)
{
    const uint64_t bps = rocecc_min(link_bps, ROCECC_RATE_END_BPS);
    rocecc_wred_params p = {{0, 0, 0}, {0, 0, 0}, UINT32_MAX};
    p.mark.min_bytes = (uint32_t)(bps / 250000);
    p.mark.max_bytes = (uint32_t)(bps / 62500);
    p.mark.pmax_q32 = rocecc_wred_percent_q32(20);
    p.drop = rocecc_wred_off();
    return p;
}

/* Checks *p; nothing is derived. */
ROCECC_FN rocecc_wred_refusal rocecc_wred_init(const rocecc_wred_params *p)
{
    if (p->mark.min_bytes > p->mark.max_bytes) return ROCECC_WRED_REFUSED_MARK_ORDER;
    if (p->mark.pmax_q32 > ROCECC_WRED_ONE_Q32) return ROCECC_WRED_REFUSED_MARK_PMAX;
    if (p->drop.min_bytes > p->drop.max_bytes) return ROCECC_WRED_REFUSED_DROP_ORDER;
    if (p->drop.pmax_q32 > ROCECC_WRED_ONE_Q32) return ROCECC_WRED_REFUSED_DROP_PMAX;
    if (p->buf_max_bytes == 0) return ROCECC_WRED_REFUSED_BUF_MAX;
    return ROCECC_WRED_ACCEPTED;
}

/* W-4 to W-6; both products are below 2^64. */
ROCECC_FN bool rocecc_wred_hit_(const rocecc_wred_curve *c, uint32_t queue_bytes,
                                uint32_t random)
{
    if (queue_bytes < c->min_bytes) return false;
    if (queue_bytes >= c->max_bytes) return true;
    return (uint64_t)random * (c->max_bytes - c->min_bytes) <
           (queue_bytes - c->min_bytes) * c->pmax_q32;
}

/* One packet; queue_bytes counts it. Total, O(1), two multiplications at most. */
ROCECC_FN rocecc_wred_verdict rocecc_wred_decide(const rocecc_wred_params *p,
                                                 uint32_t queue_bytes, rocecc_ecn ecn,
                                                 uint32_t random)
{
    if (queue_bytes > p->buf_max_bytes) return ROCECC_WRED_DROP;
    if (ecn == ROCECC_ECN_NOT_ECT)
        return rocecc_wred_hit_(&p->drop, queue_bytes, random) ? ROCECC_WRED_DROP
                                                               : ROCECC_WRED_PASS;
    return rocecc_wred_hit_(&p->mark, queue_bytes, random) ? ROCECC_WRED_MARK
                                                           : ROCECC_WRED_PASS;
}

typedef enum rocecc_red_refusal {
    ROCECC_RED_ACCEPTED = 0,
    ROCECC_RED_REFUSED_WEIGHT,     /* weight_exp is not 1..16 */
    ROCECC_RED_REFUSED_THRESHOLDS, /* not min_bytes < max_bytes < 2^31 */
    ROCECC_RED_REFUSED_MAXP,       /* maxp_q32 > 2^32 */
    ROCECC_RED_REFUSED_PACKET      /* packet_ns is 0 */
} rocecc_red_refusal;

/* A piece of pb's line, in units of which one makes pb = 1, or 2^32 one. */
typedef struct rocecc_red_piece {
    uint64_t from_q32;  /* where it begins: min, max */
    uint64_t at_from;   /* pb there, 2^32 one */
    uint64_t slope_q32; /* what it gains on its length */
    uint32_t scale;     /* units of a byte: as many as 31 bits allow */
    uint32_t one;       /* its length; dpdk: twice that */
} rocecc_red_piece;

typedef struct rocecc_red_params {
    uint64_t maxp_q32;  /* maxp: 0..2^32, which is 1 */
    uint32_t min_bytes; /* min_th: 0..max_bytes - 1 */
    uint32_t max_bytes; /* max_th: ..2^31 - 1 */
    uint32_t packet_ns; /* s: 1.. */
    uint8_t weight_exp; /* n, w = 2^-n: 1..16 */
    bool gentle;        /* R-6; Floyd's recommendation since 2000 */
    bool dpdk;          /* R-7; DPDK's rte_red.h, which has no gentle */
    /* derived by init */
    uint64_t full_q32;     /* from where on each packet is marked */
    uint64_t per_ns_q32;   /* packets in a ns, from below */
    rocecc_red_piece line; /* from min */
    rocecc_red_piece more; /* gentle, from max */
} rocecc_red_params;

typedef struct rocecc_red {
    uint64_t avg_q32; /* bytes; any value is one */
    uint32_t count;   /* packets since the last mark; -1 is all ones */
    uint32_t idle_ns; /* in idle time: up to when avg has been reduced */
    uint8_t idle;     /* the queue is empty */
} rocecc_red;
ROCECC_SIZE_(rocecc_red, 24);

/*
 * What Floyd recommends (www.icir.org/floyd/REDparameters.txt): w = 0.002, maxp = 0.1,
 * max_th = 3 min_th, gentle.
 */
ROCECC_FN rocecc_red_params rocecc_red_floyd(uint32_t min_bytes, uint32_t packet_ns)
{
    const rocecc_red_piece none = {0, 0, 0, 0, 0};
    rocecc_red_params p = {0, 0, 0, 0, 9, true, false, 0, 0, none, none};
    p.maxp_q32 = rocecc_wred_percent_q32(10);
    p.min_bytes = min_bytes;
    p.max_bytes = (uint32_t)rocecc_min((uint64_t)min_bytes * 3, UINT32_MAX);
    p.packet_ns = packet_ns;
    return p;
}

/* From a threshold on, for length bytes (never 0), pb goes from low to high. */
ROCECC_FN rocecc_red_piece rocecc_red_piece_(uint32_t from_bytes, uint32_t length,
                                             uint64_t low_q32, uint64_t high_q32,
                                             bool dpdk)
{
    rocecc_red_piece c = {0, 0, 0, 0, 0};
    c.from_q32 = (uint64_t)from_bytes << 32;
    c.scale = (uint32_t)((ROCECC_RED_MAX_END_BYTES - 1) / rocecc_max(length, 1));
    c.one = length * c.scale;
    c.at_from = c.one * low_q32;
    c.slope_q32 = high_q32 - low_q32;
    if (dpdk) c.one <<= 1;
    return c;
}

ROCECC_FN rocecc_red_refusal rocecc_red_init(rocecc_red_params *p)
{
    if (p->weight_exp < 1 || p->weight_exp > 16) return ROCECC_RED_REFUSED_WEIGHT;
    if (p->min_bytes >= p->max_bytes || p->max_bytes >= ROCECC_RED_MAX_END_BYTES)
        return ROCECC_RED_REFUSED_THRESHOLDS;
    if (p->maxp_q32 > ROCECC_WRED_ONE_Q32) return ROCECC_RED_REFUSED_MAXP;
    if (p->packet_ns == 0) return ROCECC_RED_REFUSED_PACKET;
    p->full_q32 = (uint64_t)p->max_bytes << (p->gentle ? 33 : 32);
    p->per_ns_q32 = ROCECC_WRED_ONE_Q32 / p->packet_ns;
    p->line = rocecc_red_piece_(p->min_bytes, p->max_bytes - p->min_bytes, 0,
                                p->maxp_q32, p->dpdk);
    p->more = rocecc_red_piece_(p->max_bytes, p->max_bytes, p->maxp_q32,
                                ROCECC_WRED_ONE_Q32, p->dpdk);
    return ROCECC_RED_ACCEPTED;
}

/* An empty queue that never held a packet. */
ROCECC_FN rocecc_red rocecc_red_start(const rocecc_red_params *p)
{
    rocecc_red s = {0, UINT32_MAX, 0, 0};
    (void)p;
    return s;
}

/* x times a factor of at most 2^32, or a number below; never beyond 64 bits. */
ROCECC_FN uint64_t rocecc_red_mul_(uint64_t x, uint64_t by_q32)
{
    return (x >> 32) * by_q32 + ((x & 0xffffffffu) * by_q32 >> 32);
}

/* avg (1 - w)^m by squaring, at most 32 times. */
ROCECC_FN void rocecc_red_decay_(const rocecc_red_params *p, rocecc_red *s,
                                 uint32_t now_ns)
{
    uint64_t keep_q32 = ROCECC_WRED_ONE_Q32 - (ROCECC_WRED_ONE_Q32 >> p->weight_exp);
    uint32_t dt_ns = now_ns - s->idle_ns, m;
    int i;
    if (s->idle_ns - now_ns <= ROCECC_RED_BACK_NS) dt_ns = 0;
    m = (uint32_t)(dt_ns * p->per_ns_q32 >> 32); /* or one less */
    if (dt_ns - m * p->packet_ns >= p->packet_ns) m++;
    s->idle_ns += m * p->packet_ns;
    for (i = 0; i < 32 && m != 0; i++, m >>= 1) {
        /* or nothing, by a mask: a branch would double a verifier's paths each time */
        const uint64_t lost_q32 =
            (ROCECC_WRED_ONE_Q32 - keep_q32) & (0 - (uint64_t)(m & 1));
        s->avg_q32 -= rocecc_red_mul_(s->avg_q32, lost_q32);
        keep_q32 = (keep_q32 * keep_q32 + 0x80000000u) >> 32;
    }
}

/* R-1, with in its place: the average as this packet finds it. */
ROCECC_FN void rocecc_red_average_(const rocecc_red_params *p, rocecc_red *s,
                                   uint32_t queue_bytes, uint32_t now_ns)
{
    if (queue_bytes == 0 && s->idle != 0) {
        rocecc_red_decay_(p, s, now_ns);
        return;
    }
    /* between avg and q, whatever they are */
    s->avg_q32 +=
        ((uint64_t)queue_bytes << (32 - p->weight_exp)) - (s->avg_q32 >> p->weight_exp);
    s->idle = 0;
}

/*
 * Whether r / 2^32 < pa = pb / (1 - count pb), or count pb >= 1, multiplied out:
 * with pb = x / (2^32 one), r (one - count x / 2^32) < x.
 */
ROCECC_FN bool rocecc_red_early_(const rocecc_red_piece *c, uint64_t avg_q32,
                                 uint32_t count, uint32_t random)
{
    const uint64_t x =
        c->at_from + rocecc_red_mul_((avg_q32 - c->from_q32) * c->scale, c->slope_q32);
    const uint64_t spaced = rocecc_red_mul_(x, count);
    return spaced >= c->one || random * (c->one - spaced) < x;
}

/* whether this packet is marked. */
ROCECC_FN bool rocecc_red_marks_(const rocecc_red_params *p, rocecc_red *s,
                                 uint32_t random)
{
    const uint64_t avg_q32 = s->avg_q32;
    const bool below = avg_q32 < p->line.from_q32;
    bool mark;
    /* -1 becomes 0; it does not get there again by counting */
    if (s->count != UINT32_MAX - 1) s->count++;
    if (below && !p->dpdk) s->count = UINT32_MAX;
    if (below) return false;
    mark = avg_q32 >= p->full_q32 ||
           rocecc_red_early_(avg_q32 < p->more.from_q32 ? &p->line : &p->more, avg_q32,
                             s->count, random);
    if (mark) s->count = 0;
    return mark;
}

/* A packet comes to the queue. */
typedef struct rocecc_red_event {
    uint32_t queue_bytes; /* without it */
    rocecc_ecn ecn;
    uint32_t random; /* any 32 bits: the host's */
    uint32_t now_ns;
} rocecc_red_event;

/* One packet. Total, O(1). */
ROCECC_FN rocecc_wred_verdict rocecc_red_arrive(const rocecc_red_params *p,
                                                rocecc_red *s, rocecc_red_event e)
{
    rocecc_wred_verdict verdict = ROCECC_WRED_PASS;
    rocecc_red_average_(p, s, e.queue_bytes, e.now_ns);
    if (rocecc_red_marks_(p, s, e.random))
        verdict = e.ecn == ROCECC_ECN_NOT_ECT ? ROCECC_WRED_DROP : ROCECC_WRED_MARK;
    if (verdict != ROCECC_WRED_DROP) s->idle = 0;
    return verdict;
}

/* The queue has become empty, or is still. Total, O(1). */
ROCECC_FN void rocecc_red_idle(const rocecc_red_params *p, rocecc_red *s,
                               uint32_t now_ns)
{
    if (s->idle != 0) {
        rocecc_red_decay_(p, s, now_ns);
        return;
    }
    s->idle = 1;
    s->idle_ns = now_ns;
}

#endif /* ROCECC_ALGO_WRED_H */
