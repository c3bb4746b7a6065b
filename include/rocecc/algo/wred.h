/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_WRED_H
#define ROCECC_ALGO_WRED_H

/*
 * wred.h - the congestion point, with two algorithms that mark or drop packets in a
 * queue:
 *   rocecc_wred  ECN/WRED by the current queue length
 *                (draft-dai-tsvwg-pfc-free-congestion-control-00, 2.1 and 2.3; DCQCN,
 *                SIGCOMM 2015, 3.1; switch silicon)
 *   rocecc_red   RED by an average queue length
 *                (Floyd and Jacobson, IEEE/ACM ToN 1(4), 1993)
 *
 *       p |
 *       1 |               +--------      q       queue in bytes, including this packet
 *         |               |              K_min   min_bytes
 *   P_max |             . |              K_max   max_bytes
 *         |         .     |              p(q) =  P_max * (q - K_min) / (K_max - K_min)
 *       0 +-----+---------+--------> q
 *             K_min     K_max            q > buf_max: every packet is dropped
 *
 * Example: with K_min 100 KB, K_max 400 KB and P_max 0.2, one ECT packet in ten is
 * marked if the queue holds 250 KB. With the parameters of rocecc_red_floyd() and a
 * min_bytes of 100 KB, the base probability pb is 0.05 at an average queue length of
 * 200 KB. The marking probability pa is then 0.1 for the tenth packet after a mark, and
 * 1 for the twentieth.
 *
 * rocecc_wred keeps no state, and its decisions are exact. The host must keep one
 * rocecc_wred_params for each class and colour. rocecc_red keeps 24 bytes of state.
 * Decisions need neither divisions nor timers. The host must pass a new 32-bit random
 * number r for each packet, and must drop packets that do not fit in the buffer.
 * README.md lists the rules W-1 to W-10 and and the errors of avg and pa,
 * and shows how to convert a SAI profile.
 */
#include "../fixed.h"
#include "../net.h"

#define ROCECC_WRED_ONE_Q32 ((uint64_t)1 << 32)
#define ROCECC_RED_BACK_NS ((uint32_t)1 << 20) /* */
#define ROCECC_RED_MAX_END_BYTES ((uint32_t)1 << 31)

typedef enum rocecc_wred_verdict_ {
    ROCECC_WRED_PASS = 0, /* leave unchanged; a CE packet stays CE */
    ROCECC_WRED_MARK,     /* set CE */
    ROCECC_WRED_DROP
} ROCECC_IN_8_BITS_(rocecc_wred_verdict);

/* Part of the mark curve that a queue can reach before its buffer is full. */
typedef enum rocecc_wred_reach_ {
    ROCECC_WRED_REACH_FULL = 0, /* up to K_max, where every ECT packet is marked */
    ROCECC_WRED_REACH_PARTIAL,  /* between K_min and K_max, where p(q) < P_max */
    ROCECC_WRED_REACH_NONE      /* no packet is marked before the buffer is full */
} ROCECC_IN_8_BITS_(rocecc_wred_reach);

typedef enum rocecc_wred_refusal {
    ROCECC_WRED_ACCEPTED = 0,
    ROCECC_WRED_REFUSED_MARK_ORDER, /* mark.min_bytes > mark.max_bytes */
    ROCECC_WRED_REFUSED_MARK_PMAX,  /* mark.pmax_q32 > 2^32 */
    ROCECC_WRED_REFUSED_DROP_ORDER, /* drop.min_bytes > drop.max_bytes */
    ROCECC_WRED_REFUSED_DROP_PMAX,  /* drop.pmax_q32 > 2^32 */
    ROCECC_WRED_REFUSED_BUF_MAX     /* buf_max_bytes is 0, so no packet would pass */
} rocecc_wred_refusal;

typedef struct rocecc_wred_curve {
    uint32_t min_bytes; /* K_min: 0..max_bytes */
    uint32_t max_bytes; /* K_max: 0..2^32 - 1 */
    uint64_t pmax_q32;  /* P_max, just below K_max: 0..2^32 (= 1) */
} rocecc_wred_curve;

typedef struct rocecc_wred_params {
    rocecc_wred_curve mark; /* for ECT(0), ECT(1) and CE: W-3 */
    rocecc_wred_curve drop; /* for Not-ECT: W-2 */
    uint32_t buf_max_bytes; /* at least 1 */
} rocecc_wred_params;

/*
 * Returns a curve that is off. K_min and K_max are 2^32 - 1, so the curve selects no
 * packet while q is below this value (W-8).
 */
ROCECC_FN rocecc_wred_curve rocecc_wred_off(void)
{
    rocecc_wred_curve c = {UINT32_MAX, UINT32_MAX, 0};
    return c;
}

/*
 * Converts a percentage, as used in SAI, to Q32, rounded to nearest. init() rejects
 * values above 100 %.
 */
ROCECC_FN uint64_t rocecc_wred_percent_q32(uint32_t percent)
{
    return ROCECC_DIV64(percent * ROCECC_WRED_ONE_Q32 + 50, 100);
}

/*
 * Returns parameters for LDCP. The values are our own, because the LDCP draft gives no
 * numbers. K_min is BDP/5, K_max is 4/5 BDP, and P_max is 0.8. Not-ECT packets are
 * dropped if the queue holds at least 2/5 BDP. With these values, 2 to 32 flows keep
 * the queue between K_min and K_max.
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
 * Returns the DCQCN paper's values for 40 Gb/s: K_min 5 KB, K_max 200 KB, P_max 0.01.
 * The class is lossless, so the drop curve is off, and buf_max is 2^32 - 1 until the
 * host sets another value.
 */
ROCECC_FN rocecc_wred_params rocecc_wred_dcqcn_paper(void)
{
    rocecc_wred_params p = {{5000, 200000, 0}, {0, 0, 0}, UINT32_MAX};
    p.mark.pmax_q32 = rocecc_wred_percent_q32(1);
    p.drop = rocecc_wred_off();
    return p;
}

/*
 * Returns the values of the HPCC paper's simulations of DCQCN
 * (alibaba-edu/High-Precision-Congestion-Control, run.py): K_min 100 KB and K_max 400
 * KB per 25 Gb/s of link rate, and P_max 0.2. The drop curve is off, and buf_max is
 * 2^32 - 1.
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
 * Returns NVIDIA's defaults for RoCE, which are the same for all link rates: K_min
 * 150 KB, K_max 1500 KB, P_max 100 %. Cumulus Linux user guide 5.x, Quality of Service,
 * default_ecn_red_conf; Onyx user manual 3.10, `show roce`. The drop curve is off, and
 * buf_max is 2^32 - 1.
 */
ROCECC_FN rocecc_wred_params rocecc_wred_nvidia(void)
{
    rocecc_wred_params p = {{150000, 1500000, 0}, {0, 0, 0}, UINT32_MAX};
    p.mark.pmax_q32 = rocecc_wred_percent_q32(100);
    p.drop = rocecc_wred_off();
    return p;
}

/* Checks *params, which has no derived members. */
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
 * Returns true if q >= K_max (W-6), or if q >= K_min (W-4) and r / 2^32 < p(q) (W-5).
 * Compares without rounding. If K_min = K_max, the curve is a step (W-7).
 */
ROCECC_FN bool rocecc_wred_is_hit_(const rocecc_wred_curve *curve, uint32_t queue_bytes,
                                   uint32_t random)
{
    if (queue_bytes < curve->min_bytes) return false;
    if (queue_bytes >= curve->max_bytes) return true;
    /*
     * r / 2^32 < P_max * (q - K_min) / (K_max - K_min), multiplied out. Both sides are
     * below 2^64.
     */
    return (uint64_t)random * (curve->max_bytes - curve->min_bytes) <
           (queue_bytes - curve->min_bytes) * curve->pmax_q32;
}

/*
 * Decides whether to mark or drop a packet. If the packet is arriving, queue_bytes must
 * include it. A switch that marks departing packets must pass the length of the queue
 * behind the packet. Returns DROP if q > buf_max (W-1), even if q < K_min (W-9).
 * Otherwise the drop curve selects DROP or PASS for Not-ECT packets (W-2), and the mark
 * curve selects MARK or PASS for other packets (W-3).
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
 * Returns how far up the mark curve a queue can grow (W-10). init() must have accepted
 * *params. The largest possible queue length is the smaller of buffer_bytes and
 * buf_max_bytes. Returns FULL if this length is at least K_max. Otherwise returns NONE
 * if this length is at most K_min or if P_max is 0, and PARTIAL in all other cases.
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

/*
 * One linear piece of the curve that gives pb for avg. In this piece, pb = (start_pb +
 * (avg - start) * scale * slope_q32) / (2^32 * one).
 */
typedef struct rocecc_red_piece {
    uint64_t start_q32; /* start of the piece, min or max */
    uint64_t start_pb;  /* numerator of pb at the start */
    uint64_t slope_q32; /* rise of pb over the piece */
    uint32_t scale;     /* units per byte, as many as 31 bits allow */
    uint32_t one;       /* units in the piece; this number is doubled if dpdk is set */
} rocecc_red_piece;

typedef struct rocecc_red_params {
    uint64_t maxp_q32;  /* maxp: 0..2^32 (= 1) */
    uint32_t min_bytes; /* min_th: 0..max_bytes - 1 */
    uint32_t max_bytes; /* max_th: at most 2^31 - 1 */
    uint32_t packet_ns; /* s: at least 1 */
    uint8_t weight_exp; /* n: 1..16; w = 2^-n */
    bool gentle;        /* R-6; Floyd's recommendation since 2000 */
    bool dpdk;          /* R-7, as in DPDK's rte_red.h; may be combined with gentle */
    bool hard_drop;     /* R-13; TC_RED_HARDDROP in Linux */
    /* derived by init */
    uint64_t full_q32;     /* every packet is marked if avg is at least this value */
    uint64_t per_ns_q32;   /* 1 / s, rounded down */
    rocecc_red_piece line; /* from min on */
    rocecc_red_piece more; /* from max on, if gentle */
} rocecc_red_params;

typedef struct rocecc_red {
    uint64_t avg_q32; /* average queue length; in bytes; any value is valid */
    uint32_t count;   /* packets since the last mark; -1 is all ones */
    uint32_t idle_ns; /* start of idle time not yet applied; low 32 bits, valid if
                         `idle` is set */
    uint8_t idle;     /* 1 while the queue is empty; from rocecc_red_idle() to the next
                         packet that is not dropped */
} rocecc_red;
ROCECC_SIZE_(rocecc_red, 24);

/*
 * Returns Floyd's recommendation (www.icir.org/floyd/REDparameters.txt): w = 0.002,
 * maxp = 0.1, max_th = 3 * min_th, with `gentle` set.
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

/*
 * Returns a piece of `length` bytes, over which pb rises from low_q32 to high_q32.
 * `length` must not be 0.
 */
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

/* Checks *params and fills in its derived members. On failure *params is unchanged. */
ROCECC_FN rocecc_red_refusal rocecc_red_init(rocecc_red_params *params)
{
    if (params->weight_exp < 1 || params->weight_exp > 16)
        return ROCECC_RED_REFUSED_WEIGHT;
    if (params->min_bytes >= params->max_bytes ||
        params->max_bytes >= ROCECC_RED_MAX_END_BYTES)
        return ROCECC_RED_REFUSED_THRESHOLDS;
    if (params->maxp_q32 > ROCECC_WRED_ONE_Q32) return ROCECC_RED_REFUSED_MAXP;
    if (params->packet_ns == 0) return ROCECC_RED_REFUSED_PACKET;
    /* max_th, or 2 * max_th if gentle: R-4 */
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

/* Returns the state of an empty queue that has never held a packet. */
ROCECC_FN rocecc_red rocecc_red_start(const rocecc_red_params *params)
{
    rocecc_red s = {0, UINT32_MAX, 0, 0};
    (void)params;
    return s;
}

/* Returns x * by_q32 / 2^32, rounded down. by_q32 must be at most 2^32. */
ROCECC_FN uint64_t rocecc_red_mul_(uint64_t x, uint64_t by_q32)
{
    return rocecc_mul_q32_(x, by_q32, 0);
}

/*
 * Sets avg = avg * (1 - w)^m, where m is the number of typical packets that the link
 * could have sent in the idle time. Takes at most 32 squarings. If the clock
 * steps back by up to 2^20 ns, m is 0.
 */
ROCECC_FN void rocecc_red_decay_idle_(const rocecc_red_params *params,
                                      rocecc_red *state, uint32_t now_ns)
{
    uint64_t keep_q32 =
        ROCECC_WRED_ONE_Q32 - (ROCECC_WRED_ONE_Q32 >> params->weight_exp);
    uint32_t dt_ns = now_ns - state->idle_ns, m;
    int i;
    if (state->idle_ns - now_ns <= ROCECC_RED_BACK_NS) dt_ns = 0;
    m = (uint32_t)(dt_ns * params->per_ns_q32 >> 32); /* dt / s, or 1 less */
    if (dt_ns - m * params->packet_ns >= params->packet_ns) m++;
    state->idle_ns += m * params->packet_ns;
    for (i = 0; i < 32 && m != 0; i++, m >>= 1) {
        /*
         * If the low bit of m is set, avg = avg * keep. A mask replaces a branch,
         * because a branch would double the number of paths that a BPF verifier
         * explores.
         */
        const uint64_t lost_q32 =
            (ROCECC_WRED_ONE_Q32 - keep_q32) & (0 - (uint64_t)(m & 1));
        state->avg_q32 -= rocecc_red_mul_(state->avg_q32, lost_q32);
        keep_q32 = (keep_q32 * keep_q32 + 0x80000000u) >> 32;
    }
}

/*
 * Updates avg by R-1, or by R-2 in idle time. If the queue is empty, but the host has
 * not reported this with rocecc_red_idle(), R-1 applies with q = 0.
 */
ROCECC_FN void rocecc_red_update_average_(const rocecc_red_params *params,
                                          rocecc_red *state, uint32_t queue_bytes,
                                          uint32_t now_ns)
{
    if (queue_bytes == 0 && state->idle != 0) {
        rocecc_red_decay_idle_(params, state, now_ns);
        return;
    }
    /* avg = avg + w * (q - avg). The result is always between the old avg and q. */
    state->avg_q32 += ((uint64_t)queue_bytes << (32 - params->weight_exp)) -
                      (state->avg_q32 >> params->weight_exp);
    state->idle = 0;
}

/*
 * Returns true if r / 2^32 < pa, where pa = pb / (1 - count * pb), or if count * pb is
 * at least 1.
 */
ROCECC_FN bool rocecc_red_is_hit_(const rocecc_red_piece *piece, uint64_t avg_q32,
                                  uint32_t count, uint32_t random)
{
    const uint64_t x =
        piece->start_pb +
        rocecc_red_mul_((avg_q32 - piece->start_q32) * piece->scale, piece->slope_q32);
    const uint64_t spaced = rocecc_red_mul_(x, count);
    /* r * (one - count * x / 2^32) < x, with pb = x / (2^32 * one) */
    return spaced >= piece->one || random * (piece->one - spaced) < x;
}

/*
 * Returns true if the packet must be marked. The result is false if avg is below min
 * and true if avg is at least full_q32. Otherwise the result depends on pa
 * . While avg is below min, packets are counted only if dpdk is set.
 */
ROCECC_FN bool rocecc_red_is_marked_(const rocecc_red_params *params, rocecc_red *state,
                                     uint32_t random)
{
    const uint64_t avg_q32 = state->avg_q32;
    const bool below = avg_q32 < params->line.start_q32;
    bool mark;
    /* The increment changes -1 to 0, and never results in -1. */
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

/* Arrival of a packet at the queue. */
typedef struct rocecc_red_event {
    uint32_t queue_bytes; /* queue without this packet */
    ROCECC_ENUM8_(rocecc_ecn) ecn;
    uint32_t random; /* random number from the host */
    uint64_t now_ns;
} rocecc_red_event;

/*
 * Decides whether to mark or drop an arriving packet. Returns DROP instead of MARK for
 * Not-ECT packets. If hard_drop is set and avg >= full_q32, returns DROP for any
 * packet. A drop does not end the idle time of an empty queue.
 */
ROCECC_FN rocecc_wred_verdict rocecc_red_arrive(const rocecc_red_params *params,
                                                rocecc_red *state,
                                                rocecc_red_event event)
{
    rocecc_wred_verdict verdict = ROCECC_WRED_PASS;
    rocecc_red_update_average_(params, state, event.queue_bytes,
                               (uint32_t)event.now_ns);
    if (rocecc_red_is_marked_(params, state, event.random)) {
        /*
         * The code uses & instead of &&, because each branch would double the number of
         * paths that a BPF verifier explores.
         */
        const bool hard = params->hard_drop & (state->avg_q32 >= params->full_q32);
        verdict = hard || event.ecn == ROCECC_ECN_NOT_ECT ? ROCECC_WRED_DROP
                                                          : ROCECC_WRED_MARK;
    }
    if (verdict != ROCECC_WRED_DROP) state->idle = 0;
    return verdict;
}

/*
 * Starts the idle time of a queue that has become empty, or, if the queue is already
 * idle, updates avg for the idle time up to now. While the queue is empty,
 * the host must call this function at least once every 4 s, because idle time is
 * counted modulo 2^32 ns.
 */
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
