/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_WRED_H
#define ROCECC_ALGO_WRED_H

/*
 * wred.h - the congestion point: which packets a queue marks or drops. Two of them:
 *   rocecc_wred  ECN/WRED on the queue as it is (draft-dai-tsvwg-pfc-free-congestion-
 *                control-00, 2.1 and 2.3; DCQCN, SIGCOMM 2015, 3.1; switch silicon)
 *   rocecc_red   RED on an averaged queue (Floyd and Jacobson, IEEE/ACM ToN 1(4), 1993)
 *
 *       p |
 *       1 |               +--------      q       the queue in bytes, with this packet
 *         |               |              K_min   min_bytes
 *   P_max |             . |              K_max   max_bytes
 *         |         .     |              p(q) =  P_max (q - K_min) / (K_max - K_min)
 *       0 +-----+---------+--------> q
 *             K_min     K_max            q > buf_max: dropped, whatever the packet
 *
 * Example: with 100 and 400 KB and P_max 0.2, a queue of 250 KB marks one ECT packet in
 * ten. RED by rocecc_red_floyd() with 100 KB: at an average of 200 KB pb is 0.05, and
 * pa is 0.1 for the tenth packet after a mark, 1 for the twentieth.
 *
 * rocecc_wred keeps no state and is exact: one rocecc_wred_params for each class and
 * colour, in the host's hands. rocecc_red keeps 24 bytes; against real arithmetic avg
 * is off by less than 2^(n - 32) bytes from R-1 and by avg 2^(n - 34) from R-2, pa by
 * less than 2^-30 / pb beyond that. Neither divides or has a timer. r is a random
 * number of 32 bits, another one for each packet. Tail drop is the host's. README.md
 * has W-1 to W-10 and, what an idle time of 4.29 s does, and a profile of
 * SAI. rocecc_wred_find_reach() tells an operator why no packet is marked.
 */
#include "../fixed.h"
#include "../net.h"

#define ROCECC_WRED_ONE_Q32 ((uint64_t)1 << 32)
#define ROCECC_RED_BACK_NS ((uint32_t)1 << 20) /* */
#define ROCECC_RED_MAX_END_BYTES ((uint32_t)1 << 31)

typedef enum rocecc_wred_verdict_ {
    ROCECC_WRED_PASS = 0, /* as it is: a CE packet stays CE */
    ROCECC_WRED_MARK,     /* set CE */
    ROCECC_WRED_DROP
} ROCECC_IN_8_BITS_(rocecc_wred_verdict);

/* How far up the mark curve a queue can grow before the buffer is full. */
typedef enum rocecc_wred_reach_ {
    ROCECC_WRED_REACH_FULL = 0, /* up to K_max, where every ECT packet is marked */
    ROCECC_WRED_REACH_PARTIAL,  /* to a point between K_min and K_max: p(q) < P_max */
    ROCECC_WRED_REACH_NONE      /* no queue that fits the buffer is marked */
} ROCECC_IN_8_BITS_(rocecc_wred_reach);

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
    rocecc_wred_curve mark; /* of ECT(0), ECT(1) and CE: W-3 */
    rocecc_wred_curve drop; /* of Not-ECT: W-2 */
    uint32_t buf_max_bytes; /* 1.. */
} rocecc_wred_params;

/* K_min = K_max = 2^32 - 1: a curve switched off (but at q = 2^32 - 1), W-8. */
ROCECC_FN rocecc_wred_curve rocecc_wred_off(void)
{
    rocecc_wred_curve c = {UINT32_MAX, UINT32_MAX, 0};
    return c;
}

/* A percentage as SAI has it, to nearest; above 100 it is more than init accepts. */
ROCECC_FN uint64_t rocecc_wred_percent_q32(uint32_t percent)
{
    return ROCECC_DIV64(percent * ROCECC_WRED_ONE_Q32 + 50, 100);
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
    p.mark.max_bytes = (uint32_t)ROCECC_DIV64((uint64_t)bdp_bytes * 4, 5);
    p.mark.pmax_q32 = rocecc_wred_percent_q32(80);
    p.drop.min_bytes = p.drop.max_bytes =
        (uint32_t)ROCECC_DIV64((uint64_t)bdp_bytes * 2, 5);
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
    p.mark.min_bytes = (uint32_t)ROCECC_DIV64(bps, 250000);
    p.mark.max_bytes = (uint32_t)ROCECC_DIV64(bps, 62500);
    p.mark.pmax_q32 = rocecc_wred_percent_q32(20);
    p.drop = rocecc_wred_off();
    return p;
}

/*
 * NVIDIA's default for RoCE, whatever the link: 150 and 1500 KB, 100 %. Cumulus Linux
 * user guide 5.x, Quality of Service, default_ecn_red_conf; Onyx user manual 3.10,
 * `show roce`. Lossless, as above.
 */
ROCECC_FN rocecc_wred_params rocecc_wred_nvidia(void)
{
    rocecc_wred_params p = {{150000, 1500000, 0}, {0, 0, 0}, UINT32_MAX};
    p.mark.pmax_q32 = rocecc_wred_percent_q32(100);
    p.drop = rocecc_wred_off();
    return p;
}

/* Checks *params; nothing is derived. */
ROCECC_FN rocecc_wred_refusal rocecc_wred_init(const rocecc_wred_params *params)
{
    if (params->mark.min_bytes > params->mark.max_bytes)
        return ROCECC_WRED_REFUSED_MARK_ORDER;
    if (params->mark.pmax_q32 > ROCECC_WRED_ONE_Q32)
        return ROCECC_WRED_REFUSED_MARK_PMAX;
    if (params->drop.min_bytes > params->drop.max_bytes)
        return ROCECC_WRED_REFUSED_DROP_ORDER;
    if (params->drop.pmax_q32 > ROCECC_WRED_ONE_Q32)
        return ROCECC_WRED_REFUSED_DROP_PMAX;
    if (params->buf_max_bytes == 0) return ROCECC_WRED_REFUSED_BUF_MAX;
    return ROCECC_WRED_ACCEPTED;
}

/*
 * Whether q >= K_min (W-4) and r / 2^32 < p(q) (W-5), or q >= K_max (W-6), without a
 * rounding: both products are below 2^64. K_min = K_max is a step (W-7).
 */
ROCECC_FN bool rocecc_wred_is_hit_(const rocecc_wred_curve *curve, uint32_t queue_bytes,
                                   uint32_t random)
{
    if (queue_bytes < curve->min_bytes) return false;
    if (queue_bytes >= curve->max_bytes) return true;
    return (uint64_t)random * (curve->max_bytes - curve->min_bytes) <
           (queue_bytes - curve->min_bytes) * curve->pmax_q32;
}

/*
 * Decides on one packet. As a packet arrives, queue_bytes counts it. A switch that
 * marks packets as they leave passes the queue behind the packet. q > buf_max: DROP
 * (W-1), even below K_min (W-9). Total, O(1), two multiplications at most.
 */
ROCECC_FN rocecc_wred_verdict rocecc_wred_decide(const rocecc_wred_params *params,
                                                 uint32_t queue_bytes, rocecc_ecn ecn,
                                                 uint32_t random)
{
    if (queue_bytes > params->buf_max_bytes) return ROCECC_WRED_DROP;
    if (ecn == ROCECC_ECN_NOT_ECT)
        return rocecc_wred_is_hit_(&params->drop, queue_bytes, random)
                   ? ROCECC_WRED_DROP
                   : ROCECC_WRED_PASS;
    return rocecc_wred_is_hit_(&params->mark, queue_bytes, random) ? ROCECC_WRED_MARK
                                                                   : ROCECC_WRED_PASS;
}

/*
 * Returns how far up the mark curve a queue can grow that the buffer ends: the longest
 * queue has the smaller of buffer_bytes and buf_max_bytes. init must have accepted
 * *params. NONE says that no ECT packet is ever marked: the buffer ends at K_min or
 * below it, or it ends below K_max and P_max is 0, or the curve is switched off.
 * PARTIAL says that the queue can lose packets at the end of the buffer although some
 * packets were not marked. FULL needs K_max within the buffer. The answer agrees with
 * rocecc_wred_decide() for every queue and every random number (W-10).
 */
ROCECC_FN rocecc_wred_reach rocecc_wred_find_reach(const rocecc_wred_params *params,
                                                   uint32_t buffer_bytes)
{
    const uint32_t longest = (uint32_t)rocecc_min(buffer_bytes, params->buf_max_bytes);
    if (rocecc_wred_is_hit_(&params->mark, longest, UINT32_MAX))
        return ROCECC_WRED_REACH_FULL;
    return rocecc_wred_is_hit_(&params->mark, longest, 0) ? ROCECC_WRED_REACH_PARTIAL
                                                          : ROCECC_WRED_REACH_NONE;
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
    uint64_t start_q32; /* where it begins: min, max */
    uint64_t start_pb;  /* pb there, 2^32 one */
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
    bool hard_drop;     /* R-13; Linux' TC_RED_HARDDROP */
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
    rocecc_red_params p = {0, 0, 0, 0, 9, true, false, false, 0, 0, none, none};
    p.maxp_q32 = rocecc_wred_percent_q32(10);
    p.min_bytes = min_bytes;
    p.max_bytes = (uint32_t)rocecc_min((uint64_t)min_bytes * 3, UINT32_MAX);
    p.packet_ns = packet_ns;
    return p;
}

/* From a threshold on, for length bytes (never 0), pb goes from low to high. */
ROCECC_FN rocecc_red_piece rocecc_red_make_piece_(uint32_t from_bytes, uint32_t length,
                                                  uint64_t low_q32, uint64_t high_q32,
                                                  bool dpdk)
{
    rocecc_red_piece c = {0, 0, 0, 0, 0};
    c.start_q32 = (uint64_t)from_bytes << 32;
    c.scale =
        (uint32_t)ROCECC_DIV64(ROCECC_RED_MAX_END_BYTES - 1, rocecc_max(length, 1));
    c.one = length * c.scale;
    c.start_pb = c.one * low_q32;
    c.slope_q32 = high_q32 - low_q32;
    if (dpdk) c.one <<= 1;
    return c;
}

/* Once, before any queue. Refused: why, and *params is as it was. */
ROCECC_FN rocecc_red_refusal rocecc_red_init(rocecc_red_params *params)
{
    if (params->weight_exp < 1 || params->weight_exp > 16)
        return ROCECC_RED_REFUSED_WEIGHT;
    if (params->min_bytes >= params->max_bytes ||
        params->max_bytes >= ROCECC_RED_MAX_END_BYTES)
        return ROCECC_RED_REFUSED_THRESHOLDS;
    if (params->maxp_q32 > ROCECC_WRED_ONE_Q32) return ROCECC_RED_REFUSED_MAXP;
    if (params->packet_ns == 0) return ROCECC_RED_REFUSED_PACKET;
    params->full_q32 = (uint64_t)params->max_bytes << (params->gentle ? 33 : 32);
    params->per_ns_q32 = ROCECC_DIV64(ROCECC_WRED_ONE_Q32, params->packet_ns);
    params->line =
        rocecc_red_make_piece_(params->min_bytes, params->max_bytes - params->min_bytes,
                               0, params->maxp_q32, params->dpdk);
    params->more =
        rocecc_red_make_piece_(params->max_bytes, params->max_bytes, params->maxp_q32,
                               ROCECC_WRED_ONE_Q32, params->dpdk);
    return ROCECC_RED_ACCEPTED;
}

/* An empty queue that never held a packet. */
ROCECC_FN rocecc_red rocecc_red_start(const rocecc_red_params *params)
{
    rocecc_red s = {0, UINT32_MAX, 0, 0};
    (void)params;
    return s;
}

/* x times a factor of at most 2^32, or a number below; never beyond 64 bits. */
ROCECC_FN uint64_t rocecc_red_mul_(uint64_t x, uint64_t by_q32)
{
    return rocecc_mul_q32_(x, by_q32, 0);
}

/*
 * avg (1 - w)^m, m the packets that the idle time had room for, by squaring, at
 * most 32 times. A clock that steps back by up to 2^20 ns: m = 0.
 */
ROCECC_FN void rocecc_red_decay_idle_(const rocecc_red_params *params,
                                      rocecc_red *state, uint32_t now_ns)
{
    uint64_t keep_q32 =
        ROCECC_WRED_ONE_Q32 - (ROCECC_WRED_ONE_Q32 >> params->weight_exp);
    uint32_t dt_ns = now_ns - state->idle_ns, m;
    int i;
    if (state->idle_ns - now_ns <= ROCECC_RED_BACK_NS) dt_ns = 0;
    m = (uint32_t)(dt_ns * params->per_ns_q32 >> 32); /* or one less */
    if (dt_ns - m * params->packet_ns >= params->packet_ns) m++;
    state->idle_ns += m * params->packet_ns;
    for (i = 0; i < 32 && m != 0; i++, m >>= 1) {
        /* or nothing, by a mask: a branch would double a verifier's paths each time */
        const uint64_t lost_q32 =
            (ROCECC_WRED_ONE_Q32 - keep_q32) & (0 - (uint64_t)(m & 1));
        state->avg_q32 -= rocecc_red_mul_(state->avg_q32, lost_q32);
        keep_q32 = (keep_q32 * keep_q32 + 0x80000000u) >> 32;
    }
}

/*
 * avg + w (q - avg), as this packet finds it, or in idle time R-2. Without an
 * idle event an empty queue is R-1 with q = 0.
 */
ROCECC_FN void rocecc_red_update_average_(const rocecc_red_params *params,
                                          rocecc_red *state, uint32_t queue_bytes,
                                          uint32_t now_ns)
{
    if (queue_bytes == 0 && state->idle != 0) {
        rocecc_red_decay_idle_(params, state, now_ns);
        return;
    }
    /* between avg and q, whatever they are */
    state->avg_q32 += ((uint64_t)queue_bytes << (32 - params->weight_exp)) -
                      (state->avg_q32 >> params->weight_exp);
    state->idle = 0;
}

/*
 * Whether r / 2^32 < pa = pb / (1 - count pb), or count pb >= 1, multiplied out:
 * with pb = x / (2^32 one), r (one - count x / 2^32) < x.
 */
ROCECC_FN bool rocecc_red_is_hit_(const rocecc_red_piece *piece, uint64_t avg_q32,
                                  uint32_t count, uint32_t random)
{
    const uint64_t x =
        piece->start_pb +
        rocecc_red_mul_((avg_q32 - piece->start_q32) * piece->scale, piece->slope_q32);
    const uint64_t spaced = rocecc_red_mul_(x, count);
    return spaced >= piece->one || random * (piece->one - spaced) < x;
}

/*
 * Whether this packet is marked: not below min, always from full_q32 on,
 * else by pa, beyond max by the second piece of a gentle curve. dpdk counts
 * below min, too.
 */
ROCECC_FN bool rocecc_red_is_marked_(const rocecc_red_params *params, rocecc_red *state,
                                     uint32_t random)
{
    const uint64_t avg_q32 = state->avg_q32;
    const bool below = avg_q32 < params->line.start_q32;
    bool mark;
    /* -1 becomes 0; it does not get there again by counting */
    if (state->count != UINT32_MAX - 1) state->count++;
    if (below && !params->dpdk) state->count = UINT32_MAX;
    if (below) return false;
    mark = avg_q32 >= params->full_q32 ||
           rocecc_red_is_hit_(avg_q32 < params->more.start_q32 ? &params->line
                                                               : &params->more,
                              avg_q32, state->count, random);
    if (mark) state->count = 0;
    return mark;
}

/* A packet comes to the queue. */
typedef struct rocecc_red_event {
    uint32_t queue_bytes; /* without it */
    ROCECC_ENUM8_(rocecc_ecn) ecn;
    uint32_t random; /* any 32 bits: the host's */
    uint64_t now_ns;
} rocecc_red_event;

/*
 * One packet. A mark is a drop for Not-ECT, and with hard_drop for any packet
 * where each is marked: there ECN alone has not held the queue. A drop leaves an
 * empty queue idle. Total, O(1).
 */
ROCECC_FN rocecc_wred_verdict rocecc_red_arrive(const rocecc_red_params *params,
                                                rocecc_red *state,
                                                rocecc_red_event event)
{
    rocecc_wred_verdict verdict = ROCECC_WRED_PASS;
    rocecc_red_update_average_(params, state, event.queue_bytes,
                               (uint32_t)event.now_ns);
    if (rocecc_red_is_marked_(params, state, event.random)) {
        /* not &&: a branch would double a verifier's paths each time */
        const bool hard = params->hard_drop & (state->avg_q32 >= params->full_q32);
        verdict = hard || event.ecn == ROCECC_ECN_NOT_ECT ? ROCECC_WRED_DROP
                                                          : ROCECC_WRED_MARK;
    }
    if (verdict != ROCECC_WRED_DROP) state->idle = 0;
    return verdict;
}

/* The queue has become empty, or is still: then R-2 up to now. Total, O(1). */
ROCECC_FN void rocecc_red_idle(const rocecc_red_params *params, rocecc_red *state,
                               uint64_t now_ns)
{
    if (state->idle != 0) {
        rocecc_red_decay_idle_(params, state, (uint32_t)now_ns);
        return;
    }
    state->idle = 1;
    state->idle_ns = (uint32_t)now_ns;
}

#endif /* ROCECC_ALGO_WRED_H */
