/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_HPCC_HOP_H
#define ROCECC_ALGO_HPCC_HOP_H

/*
 * hpcc_hop.h - what one hop of a report says of the load of its link, by the record L
 * that it left before; for hpcc.h. Li et al., SIGCOMM 2019.
 *
 *   where ts is on a circle of M ns, as seen from L's:
 *
 *        L                 span                  M - reorder        M = L
 *     ---+-------------------+------------------------+---------------+---
 *      nothing  measured     |      starts anew       |     late      |
 *      new                                                 (skipped)
 *
 *   span = min(dt_max, 9/8 of what passed for the host + reorder)
 *
 * Example: a clock of 24 bits, reorder 52 us, dt_max 5 ms; 80 ns passed for the host. A
 * record 80 ns after L is measured; one 20 us before L is late and skipped; one 1 ms
 * before L, or 1 ms after it, is of a clock that was set: it becomes L, and the next
 * one is measured.
 */
#include "hpcc_window.h"

/* L[i]: a hop as the last ACK had it. The caller keeps max_hops of them with a flow,
 * which need not be initialised. */
typedef struct rocecc_hpcc_hop {
    uint64_t id; /* 0 where it was not reported */
    uint64_t ts_ns;
    uint64_t tx_bytes;
    uint32_t queue_bytes;
    uint32_t rate_2048; /* link rate >> 11 that inverse is of; 0: none */
    uint32_t inverse;   /* 1 / (B T) = inverse 2^-(32 + shift), from 2^31 */
    uint8_t shift;      /* 8 .. 39 */
    uint8_t valid;      /* ROCECC_HOP_... */
    uint8_t jumped;     /* the last record was more than the link can send: H-33 */
} rocecc_hpcc_hop;

ROCECC_SIZE_(rocecc_hpcc_hop, 40);

/* Why a hop was not measured, as counts: the sum of up to 16 is of both. */
enum {
    ROCECC_HPCC_GAP_LATE_ = 1,     /* a reordered report */
    ROCECC_HPCC_GAP_ANEW_ = 0x101, /* it starts anew, or lacks what it takes */
    ROCECC_HPCC_GAPS_ANEW_ = 0xff00,
    ROCECC_HPCC_MEASURED_ = 0x10000 /* and one hop was measured */
};

/* What passed since the last ACK that changed U, and how far a hop's clock may have
 * gone in it: H-30, H-32. */
typedef struct rocecc_hpcc_elapsed_ {
    uint64_t age_ns;
    uint32_t span_ns; /* 0: more than dt_max, in which counters may have turned */

} rocecc_hpcc_elapsed_;

ROCECC_FN rocecc_hpcc_elapsed_ rocecc_hpcc_elapsed_since_(
    const rocecc_hpcc_params *params, const rocecc_hpcc *state, uint64_t now_ns)
{
    rocecc_hpcc_elapsed_ t = {0, 0};
    t.age_ns = now_ns - state->changed_ns;
    if (t.age_ns > params->dt_max_ns) return t;
    t.span_ns = (uint32_t)rocecc_min(t.age_ns + (t.age_ns >> 3) + params->reorder_ns,
                                     params->dt_max_ns);
    return t;
}

/* Whether a's u' is larger than b's: a.part b.dt > b.part a.dt, exactly. */
ROCECC_FN bool rocecc_hpcc_larger_(const rocecc_hpcc_hop_load_ *a,
                                   const rocecc_hpcc_hop_load_ *b)
{
    return rocecc_mul_above_(a->part_q32, b->dt_ns, b->part_q32, a->dt_ns);
}

/* 1 / (B T) = (8 10^9 / T) / B, by a rate that is shifted to 32 bits. */
ROCECC_FN void rocecc_hpcc_set_inverse_(const rocecc_hpcc_params *params,
                                        rocecc_hpcc_hop *record, uint64_t rate_bps)
{
    uint64_t top = rate_bps, inverse;
    unsigned i, shift = 0;
    for (i = 32; i > 0; i >>= 1) {
        if (top >> (64 - i) != 0) continue;
        top <<= i;
        shift += i;
    }
    inverse = ROCECC_DIV64(params->unit_inverse, (top >> 32) | 0x80000000u);
    shift = params->unit_shift + 32 - shift;
    if (inverse >> 32 != 0) {
        inverse >>= 1;
        shift -= 1;
    }
    record->rate_2048 = (uint32_t)(rate_bps >> 11);
    record->inverse = (uint32_t)inverse;
    record->shift = (uint8_t)(shift - 32);
}

/* min(queue, the largest buffer) / (B T), the first term of u': H-4, H-34. */
ROCECC_FN uint64_t rocecc_hpcc_queue_term_q32_(const rocecc_hpcc_params *params,
                                               const rocecc_hpcc_hop *record,
                                               uint64_t queue)
{
    return rocecc_min(queue, params->queue_max_bytes) * record->inverse >>
           (record->shift & 63);
}

/* dtx / (B T), the second term of u' times dt/T, below 2^63: H-4, H-28. */
ROCECC_FN uint64_t rocecc_hpcc_tx_term_q32_(const rocecc_hpcc_params *params,
                                            const rocecc_hpcc_hop *record,
                                            const rocecc_hop *hop)
{
    uint64_t dtx =
        rocecc_hop_distance(record->tx_bytes, hop->tx_bytes, params->tx_mod_bytes);
    if (!ROCECC_UNLIKELY_(dtx >> 32 != 0))
        return dtx * record->inverse >> (record->shift & 63);
    dtx = rocecc_min(dtx, ROCECC_HPCC_DTX_MAX_BYTES);
    return (dtx >> 8) * record->inverse >> ((record->shift - 8u) & 63);
}

/* u dt/T, of u below 4096; below 2^63.97, and jumped_() leaves room for dtx. */
ROCECC_FN uint64_t rocecc_hpcc_weight_q32_(const rocecc_hpcc_params *params,
                                           uint64_t u_q32, uint32_t dt_ns)
{
    const uint64_t part = rocecc_hpcc_time_share_q32_(params, dt_ns);
    if ((u_q32 | part) >> 32 == 0) return u_q32 * part >> 32;
    return rocecc_hpcc_mul_q32_(rocecc_min(u_q32, ROCECC_HPCC_U_MAX_Q32), part);
}

/* Whether the link rate is of use; if so, record gets 1/(B T) of it: H-2, H-28. A fresh
 * record has none, whose rate_2048 is that of 0 to 2047 bit/s, too. */
ROCECC_FN bool rocecc_hpcc_set_rate_(const rocecc_hpcc_params *params,
                                     rocecc_hpcc_hop *record, uint64_t rate_bps)
{
    if (!ROCECC_UNLIKELY_(record->rate_2048 != rate_bps >> 11 || record->inverse == 0))
        return true;
    if (rate_bps < params->min_bps || rate_bps >= ROCECC_RATE_END_BPS) return false;
    rocecc_hpcc_set_inverse_(params, record, rate_bps);
    return true;
}

/* L[i] = hop. */
ROCECC_FN void rocecc_hpcc_save_(rocecc_hpcc_hop *record, const rocecc_hop *hop)
{
    record->ts_ns = hop->ts_ns;
    record->tx_bytes = hop->tx_bytes;
    record->queue_bytes = hop->queue_bytes;
    record->valid = hop->valid;
}

/* A hop that is not measured, and why. */
ROCECC_FN rocecc_hpcc_hop_load_ rocecc_hpcc_not_measured_(uint64_t why)
{
    rocecc_hpcc_hop_load_ load = {0, 0};
    load.part_q32 = why;
    return load;
}

/*
 * Whether the second term, which is beyond one B T, is a jump: more than 9/8 of what
 * the link sends in dt, and B T (H-33). The eighth is for a rate that is not quite the
 * configured one, B T for clocks that tick once in up to T. The first jump in a row is
 * of another counter. The second is the link: it is believed, up to 9/8.
 */
ROCECC_FN bool rocecc_hpcc_is_jump_(const rocecc_hpcc_params *params,
                                    rocecc_hpcc_hop *record,
                                    rocecc_hpcc_hop_load_ *load)
{
    const uint64_t full = rocecc_hpcc_time_share_q32_(params, load->dt_ns);
    const uint64_t most = full + (full >> 3);
    const bool again = record->jumped != 0;
    record->jumped = load->part_q32 > most + ((uint64_t)1 << 32);
    if (record->jumped == 0) return false;
    load->part_q32 = most;
    return !again;
}

/*
 * u' dt/T = (min(qlen, L.qlen) dt/T + dtx) / (B T) (H-4), and dt (H-1), of two records
 * that have everything; then L is the hop. H-2 and H-32 say when it is not measured.
 */
ROCECC_FN rocecc_hpcc_hop_load_
rocecc_hpcc_measure_full_(const rocecc_hpcc_params *params, rocecc_hpcc_hop *record,
                          const rocecc_hop *hop, uint32_t span_ns)
{
    const uint64_t dt =
        rocecc_hop_distance(record->ts_ns, hop->ts_ns, params->ts_mod_ns);
    rocecc_hpcc_hop_load_ load = {0, 0};
    if (ROCECC_UNLIKELY_(!rocecc_hpcc_set_rate_(params, record, hop->rate_bps)))
        return rocecc_hpcc_not_measured_(ROCECC_HPCC_GAP_ANEW_);
    if (!ROCECC_UNLIKELY_(dt - 1 >= span_ns)) {
        const uint64_t queue = rocecc_min(hop->queue_bytes, record->queue_bytes);
        load.dt_ns = (uint32_t)dt;
        load.part_q32 = rocecc_hpcc_tx_term_q32_(params, record, hop);
        if (!ROCECC_UNLIKELY_(load.part_q32 >> 32 != 0)) {
            record->jumped = 0;
        } else if (rocecc_hpcc_is_jump_(params, record, &load)) {
            rocecc_hpcc_save_(record, hop);
            return rocecc_hpcc_not_measured_(ROCECC_HPCC_GAP_ANEW_);
        }
        if (queue != 0)
            load.part_q32 += rocecc_hpcc_weight_q32_(
                params, rocecc_hpcc_queue_term_q32_(params, record, queue), load.dt_ns);
    } else {
        if (span_ns != 0 && dt == 0) return load;
        if (span_ns != 0 && params->ts_mod_ns - dt <= params->reorder_ns)
            return rocecc_hpcc_not_measured_(ROCECC_HPCC_GAP_LATE_);
        load.part_q32 = ROCECC_HPCC_GAP_ANEW_;
    }
    rocecc_hpcc_save_(record, hop);
    return load;
}

/*
 * How long ago L[i] was, in dt_ns, or why that cannot be said. By the clock of the hop
 * if both records have it, and no more than dt_max passed for the host: H-30, H-32. A
 * hop with a utilisation needs none: the host's will do, which need only tell times up
 * to T (H-11).
 */
ROCECC_FN rocecc_hpcc_hop_load_ rocecc_hpcc_dt_ns_(const rocecc_hpcc_params *params,
                                                   const rocecc_hpcc_hop *record,
                                                   const rocecc_hop *hop,
                                                   const rocecc_hpcc_elapsed_ *elapsed)
{
    rocecc_hpcc_hop_load_ load;
    load.part_q32 = 0;
    if ((record->valid & hop->valid & ROCECC_HOP_TS) != 0 && elapsed->span_ns != 0) {
        const uint64_t dt =
            rocecc_hop_distance(record->ts_ns, hop->ts_ns, params->ts_mod_ns);
        load.dt_ns = (uint32_t)rocecc_min(dt, elapsed->span_ns);
        if (dt <= elapsed->span_ns) return load;
        if (params->ts_mod_ns - dt <= params->reorder_ns)
            return rocecc_hpcc_not_measured_(ROCECC_HPCC_GAP_LATE_);
    }
    if ((hop->valid & ROCECC_HOP_UTIL) == 0)
        return rocecc_hpcc_not_measured_(ROCECC_HPCC_GAP_ANEW_);
    load.dt_ns = (uint32_t)rocecc_min(elapsed->age_ns, params->base_rtt_ns);
    return load;
}

/*
 * The same where items may be missing, or a utilisation is the second term (H-7), or
 * the records are far apart. A term without its items is 0 (H-8 to H-10); a hop without
 * any term is not measured, and becomes L (H-9).
 */
ROCECC_FN rocecc_hpcc_hop_load_
rocecc_hpcc_measure_partial_(const rocecc_hpcc_params *params, rocecc_hpcc_hop *record,
                             const rocecc_hop *hop, const rocecc_hpcc_elapsed_ *elapsed)
{
    const bool rate = (hop->valid & ROCECC_HOP_RATE) != 0;
    const bool util = (hop->valid & ROCECC_HOP_UTIL) != 0;
    const bool queue = rate && ((record->valid | hop->valid) & ROCECC_HOP_QUEUE) != 0;
    const bool tx = rate && !util && (record->valid & hop->valid & ROCECC_HOP_TX) != 0;
    const uint64_t before =
        (record->valid & ROCECC_HOP_QUEUE) != 0 ? record->queue_bytes : UINT32_MAX;
    const uint64_t now =
        (hop->valid & ROCECC_HOP_QUEUE) != 0 ? hop->queue_bytes : UINT32_MAX;
    rocecc_hpcc_hop_load_ load = rocecc_hpcc_dt_ns_(params, record, hop, elapsed);
    uint64_t u = 0;
    if (rate && !rocecc_hpcc_set_rate_(params, record, hop->rate_bps))
        return rocecc_hpcc_not_measured_(ROCECC_HPCC_GAP_ANEW_);
    if (load.dt_ns == 0) {
        if (load.part_q32 != ROCECC_HPCC_GAP_ANEW_) return load;
    } else if (queue || util || tx) {
        if (tx) load.part_q32 = rocecc_hpcc_tx_term_q32_(params, record, hop);
        if (load.part_q32 >> 32 == 0)
            record->jumped = 0;
        else if (rocecc_hpcc_is_jump_(params, record, &load))
            load = rocecc_hpcc_not_measured_(ROCECC_HPCC_GAP_ANEW_);
        if (queue)
            u = rocecc_hpcc_queue_term_q32_(params, record, rocecc_min(before, now));
        if (util) {
            /* Beyond T its dt makes no difference. */
            load.dt_ns = (uint32_t)rocecc_min(load.dt_ns, params->base_rtt_ns);
            u += rocecc_min(hop->util_q20, ROCECC_HPCC_UTIL_MAX_Q20) << 12;
        }
        if (load.dt_ns != 0)
            load.part_q32 += rocecc_hpcc_weight_q32_(params, u, load.dt_ns);
    } else {
        load = rocecc_hpcc_not_measured_(ROCECC_HPCC_GAP_ANEW_);
    }
    rocecc_hpcc_save_(record, hop);
    return load;
}

/* One hop of MeasureInflight. */
ROCECC_FN rocecc_hpcc_hop_load_
rocecc_hpcc_measure_hop_(const rocecc_hpcc_params *params, rocecc_hpcc_hop *record,
                         const rocecc_hop *hop, const rocecc_hpcc_elapsed_ *elapsed)
{
    const unsigned all = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE |
                         ROCECC_HOP_TX | ROCECC_HOP_TS;
    if (ROCECC_UNLIKELY_(record->valid != hop->valid ||
                         (hop->valid | ROCECC_HOP_ID) != all))
        return rocecc_hpcc_measure_partial_(params, record, hop, elapsed);
    return rocecc_hpcc_measure_full_(params, record, hop, elapsed->span_ns);
}

#endif /* ROCECC_ALGO_HPCC_HOP_H */
