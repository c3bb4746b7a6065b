/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ALGO_HPCC_HOP_H
#define ROCECC_ALGO_HPCC_HOP_H

/*
 * hpcc_hop.h - part of hpcc.h. Computes the load of one hop from a report and from the
 * hop's record in L. L holds the hops of the last measured report. Li et al., SIGCOMM
 * 2019.
 *
 * All records in L are from the same report, because a report is measured as a whole or
 * not at all. dt is measured by the hop's clock if that clock agrees with the host's
 * clock, and otherwise by the host's clock.
 *
 *     hop's clock                           dt
 *     advances by 1 .. span                 by the hop's clock
 *     stops, for up to tick_max             none, because the report waits
 *     stops for longer, or was set          by the host's clock
 *     gains or loses more than reorder      by the host's clock, once per T
 *
 * span = min(dt_max, 9/8 * age + reorder), where age is the age of L. The host's clock
 * measures both age and tick_max. If a counter is slightly behind its value in L, the
 * report is considered reordered.
 *
 * Example: T is 13 us, and packets arrive every 85 ns. A clock that ticks once per us
 * stands still for most packets, so one report in 12 is measured, with a dt of 1 us. If
 * a clock stops completely, no report is measured for the first 1.6 us. After that, one
 * report per 13 us is measured, with dt from the host's clock.
 */
#include "hpcc_window.h"

/*
 * L[i], the record of a hop from the last measured ACK. The caller must keep max_hops
 * records for each flow, and need not initialise them.
 */
typedef struct rocecc_hpcc_hop {
    uint64_t id; /* 0 if not reported */
    uint64_t tx_bytes;
    uint32_t ts_ns;    /* the low 32 bits */
    uint32_t ahead_ns; /* hop clock's gain on the host's clock, in two's complement */
    uint32_t queue_bytes;
    uint32_t rate_2048; /* link rate >> 11 when `inverse` was computed */
    uint32_t inverse;   /* 1 / (B * T) = inverse * 2^-(32 + shift); at least 2^31; 0:
                           none */
    uint8_t shift;      /* 8 .. 39 */
    uint8_t valid;      /* ROCECC_HOP_... */
    uint8_t jumped;     /* the last record showed more than the link can send: H-33 */
} rocecc_hpcc_hop;

ROCECC_SIZE_(rocecc_hpcc_hop, 40);

/*
 * Time since the last measured ACK, by the host's clock, and the largest dt that is
 * accepted from a hop's clock (H-32).
 */
typedef struct rocecc_hpcc_elapsed_ {
    uint32_t age_ns;
    uint32_t span_ns;
    uint32_t trust_ns; /* span_ns, or 0 if the host's clock is used */
} rocecc_hpcc_elapsed_;

ROCECC_FN rocecc_hpcc_elapsed_ rocecc_hpcc_elapsed_since_(
    const rocecc_hpcc_params *params, const rocecc_hpcc *state, uint64_t now_ns)
{
    const uint64_t age = now_ns - state->changed_ns;
    const bool host = (state->flags & ROCECC_HPCC_HOST_TIMED) != 0;
    rocecc_hpcc_elapsed_ t = {0, 0, 0};
    /* span = min(9/8 * age + reorder, dt_max) */
    t.age_ns = (uint32_t)age;
    t.span_ns =
        (uint32_t)rocecc_min(age + (age >> 3) + params->reorder_ns, params->dt_max_ns);
    t.trust_ns = host ? 0 : t.span_ns;
    return t;
}

/* Returns true if a's u' is larger than b's u'. Compares without rounding. */
ROCECC_FN bool rocecc_hpcc_larger_(const rocecc_hpcc_hop_load_ *a,
                                   const rocecc_hpcc_hop_load_ *b)
{
    /* a.part / a.dt > b.part / b.dt, multiplied crosswise */
    return rocecc_mul_above_(a->part_q32, b->dt_ns, b->part_q32, a->dt_ns);
}

/*
 * Computes 1 / (B * T) as (8 * 10^9 / T) / B, with B shifted to 32 bits, and stores the
 * result in `record`.
 */
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

/* Returns min(queue, queue_max) / (B * T), the first term of u' (H-4, H-34). */
ROCECC_FN uint64_t rocecc_hpcc_queue_term_q32_(const rocecc_hpcc_params *params,
                                               const rocecc_hpcc_hop *record,
                                               uint64_t queue)
{
    return rocecc_min(queue, params->queue_max_bytes) * record->inverse >>
           (record->shift & 63);
}

/*
 * Returns dtx / (B * T), the product of dt/T and the second term of u'. The result is
 * below 2^63 (H-4, H-28).
 */
ROCECC_FN uint64_t rocecc_hpcc_tx_term_q32_(const rocecc_hpcc_hop *record, uint64_t dtx)
{
    if (!ROCECC_UNLIKELY_(dtx >> 32 != 0))
        return dtx * record->inverse >> (record->shift & 63);
    dtx = rocecc_min(dtx, ROCECC_HPCC_DTX_MAX_BYTES);
    return (dtx >> 8) * record->inverse >> ((record->shift - 8u) & 63);
}

/*
 * Returns min(u, 4096) * dt/T. The result is below 2^63.97. The caller adds
 * dtx / (B * T) to the result. is_jump_() limits dtx / (B * T), so the sum fits in 64
 * bits.
 */
ROCECC_FN uint64_t rocecc_hpcc_weight_q32_(const rocecc_hpcc_params *params,
                                           uint64_t u_q32, uint32_t dt_ns)
{
    const uint64_t part = rocecc_hpcc_time_share_q32_(params, dt_ns);
    if ((u_q32 | part) >> 32 == 0) return u_q32 * part >> 32;
    return rocecc_hpcc_mul_q32_(rocecc_min(u_q32, ROCECC_HPCC_U_MAX_Q32), part);
}

/*
 * Sets the record's 1 / (B * T) if the link rate is new and usable. Returns false if
 * the link rate is new but not usable (H-2, H-28). If a record has no rate, `inverse`
 * is 0. A rate_2048 of 0 does not show that the rate is missing, because 0 also stands
 * for a rate of 0 to 2047 bit/s.
 */
ROCECC_FN bool rocecc_hpcc_set_rate_(const rocecc_hpcc_params *params,
                                     rocecc_hpcc_hop *record, uint64_t rate_bps)
{
    if (!ROCECC_UNLIKELY_(record->rate_2048 != rate_bps >> 11 || record->inverse == 0))
        return true;
    if (rate_bps < params->min_bps || rate_bps >= ROCECC_RATE_END_BPS) return false;
    rocecc_hpcc_set_inverse_(params, record, rate_bps);
    return true;
}

/* Saves the hop in L[i]. */
ROCECC_FN void rocecc_hpcc_save_(rocecc_hpcc_hop *record, const rocecc_hop *hop)
{
    record->ts_ns = (uint32_t)hop->ts_ns;
    record->tx_bytes = hop->tx_bytes;
    record->queue_bytes = hop->queue_bytes;
    record->valid = hop->valid;
}

/*
 * Returns the result for a hop that is not measured. `gap` must be set if the reason is
 * a missing item, an unusable link rate or a counter that jumped. `gap` must not be set
 * if the reason is that no time has passed.
 */
ROCECC_FN rocecc_hpcc_hop_load_ rocecc_hpcc_not_measured_(bool gap)
{
    rocecc_hpcc_hop_load_ load = {0, 0};
    load.part_q32 = gap;
    return load;
}

/*
 * Returns how far a hop's clock has advanced, modulo M if M < 2^32, and otherwise
 * modulo 2^32.
 */
ROCECC_FN uint32_t rocecc_hpcc_ticks_(const rocecc_hpcc_params *params,
                                      const rocecc_hpcc_hop *record,
                                      const rocecc_hop *hop)
{
    const uint32_t ts = (uint32_t)hop->ts_ns;
    return ts - record->ts_ns + (ts < record->ts_ns ? params->ts_turn_ns : 0);
}

/* Returns 9/8 * dt/T + 1, the upper bound for dtx / (B * T) (H-33). */
ROCECC_FN uint64_t rocecc_hpcc_tx_most_q32_(const rocecc_hpcc_params *params,
                                            uint32_t dt_ns)
{
    const uint64_t full = rocecc_hpcc_time_share_q32_(params, dt_ns);
    return full + (full >> 3) + ((uint64_t)1 << 32);
}

/*
 * Returns true if a report is old (H-32). `hop` must be the first hop. The report is
 * old if this hop's counter, and its clock if it is known, have the same values as in
 * L, or if reordering explains why the counter is behind its value in L. One hop is
 * enough for this decision, because each packet of the flow advances all counters. If
 * the counter is missing or unused, the report is not considered old.
 */
ROCECC_FN bool rocecc_hpcc_is_old_(const rocecc_hpcc_params *params,
                                   rocecc_hpcc_hop *record, const rocecc_hop *hop,
                                   uint64_t age_ns)
{
    const unsigned counted = ROCECC_HOP_RATE | ROCECC_HOP_TX;
    const uint64_t behind =
        rocecc_hop_distance(hop->tx_bytes, record->tx_bytes, params->tx_mod_bytes);
    if (!ROCECC_UNLIKELY_(behind <= rocecc_hop_distance(record->tx_bytes, hop->tx_bytes,
                                                        params->tx_mod_bytes)) ||
        (hop->valid & record->valid & counted) != counted ||
        (hop->valid & ROCECC_HOP_UTIL) != 0)
        return false;
    if (behind == 0)
        return (hop->valid & record->valid & ROCECC_HOP_TS) == 0 ||
               record->ts_ns == (uint32_t)hop->ts_ns;
    /* behind / (B * T) <= 9/8 * reorder/T + 1 */
    return age_ns <= params->reorder_ns &&
           rocecc_hpcc_set_rate_(params, record, hop->rate_bps) &&
           rocecc_hpcc_tx_term_q32_(record, behind) <=
               rocecc_hpcc_tx_most_q32_(params, params->reorder_ns);
}

/*
 * Returns true if the hop must not be measured because its counter jumped. A jump is a
 * value of dtx / (B * T) above 9/8 * dt/T + 1 (H-33). The extra eighth allows for
 * inexact rates, and the 1 allows for clocks that tick only once per T. A jump that
 * directly follows another jump is measured as 9/8 * dt/T. Any other jump is attributed
 * to a different counter, and is not measured. While the host's clock is in use, even a
 * repeated jump is not measured, because the hop's clock and its counter may both be
 * wrong.
 */
ROCECC_FN bool rocecc_hpcc_is_jump_(const rocecc_hpcc_params *params,
                                    const rocecc_hpcc *state, rocecc_hpcc_hop *record,
                                    rocecc_hpcc_hop_load_ *load)
{
    const uint64_t most = rocecc_hpcc_tx_most_q32_(params, load->dt_ns);
    const bool again =
        record->jumped != 0 && (state->flags & ROCECC_HPCC_HOST_TIMED) == 0;
    record->jumped = load->part_q32 > most;
    if (record->jumped == 0) return false;
    load->part_q32 = most - ((uint64_t)1 << 32);
    return !again;
}

/*
 * Returns dt from the hop's clock, or from the host's clock if the host's clock is in
 * use or the hop's dt is out of range (H-32). Switches to the host's clock if the hop's
 * clock was set to another time, or if it stood still while bytes were sent (H-41).
 */
ROCECC_FN uint32_t rocecc_hpcc_dt_ns_(const rocecc_hpcc_params *params,
                                      rocecc_hpcc *state, rocecc_hpcc_hop *record,
                                      const rocecc_hop *hop,
                                      const rocecc_hpcc_elapsed_ *elapsed)
{
    const uint32_t dt = rocecc_hpcc_ticks_(params, record, hop);
    if (!ROCECC_UNLIKELY_(dt - 1 >= elapsed->trust_ns)) {
        record->ahead_ns += dt - elapsed->age_ns;
        return dt;
    }
    if (dt <= elapsed->span_ns) record->ahead_ns += dt - elapsed->age_ns;
    if (dt > elapsed->span_ns || (dt == 0 && record->tx_bytes != hop->tx_bytes))
        state->flags |= ROCECC_HPCC_HOST_TIMED | ROCECC_HPCC_CLOCK_ODD;
    return (uint32_t)rocecc_max(elapsed->age_ns, 1);
}

/*
 * Measures a hop that has all items, and saves it in L[i]. The load is u' * dt/T =
 * (min(qlen, L.qlen) * dt/T + dtx) / (B * T) (H-1, H-4).
 */
ROCECC_FN rocecc_hpcc_hop_load_ rocecc_hpcc_measure_full_(
    const rocecc_hpcc_params *params, rocecc_hpcc *state, rocecc_hpcc_hop *record,
    const rocecc_hop *hop, const rocecc_hpcc_elapsed_ *elapsed)
{
    const uint64_t queue = rocecc_min(hop->queue_bytes, record->queue_bytes);
    const uint64_t dtx =
        rocecc_hop_distance(record->tx_bytes, hop->tx_bytes, params->tx_mod_bytes);
    rocecc_hpcc_hop_load_ load = rocecc_hpcc_not_measured_(true);
    if (!ROCECC_UNLIKELY_(!rocecc_hpcc_set_rate_(params, record, hop->rate_bps))) {
        load.part_q32 = rocecc_hpcc_tx_term_q32_(record, dtx);
        load.dt_ns = rocecc_hpcc_dt_ns_(params, state, record, hop, elapsed);
        if (!ROCECC_UNLIKELY_(load.part_q32 >> 32 != 0))
            record->jumped = 0;
        else if (rocecc_hpcc_is_jump_(params, state, record, &load))
            load = rocecc_hpcc_not_measured_(true);
        if (queue != 0 && load.dt_ns != 0)
            load.part_q32 += rocecc_hpcc_weight_q32_(
                params, rocecc_hpcc_queue_term_q32_(params, record, queue), load.dt_ns);
    }
    rocecc_hpcc_save_(record, hop);
    return load;
}

/*
 * Measures a hop that might lack items or have a utilisation as its second term (H-7).
 * Saves the hop in L[i], except if no time has passed. If neither `hop` nor its record
 * in L has a queue length, the first term is unknown, and counts as 0 (H-8). An unknown
 * second term counts as 3/4 of eta (H-44). If both terms are unknown, the hop is not
 * measured (H-9). If the link rate is unknown, only the hop's utilisation is used
 * (H-10). The hop's clock is used only to time counters (H-11).
 */
ROCECC_FN rocecc_hpcc_hop_load_ rocecc_hpcc_measure_partial_(
    const rocecc_hpcc_params *params, rocecc_hpcc *state, rocecc_hpcc_hop *record,
    const rocecc_hop *hop, const rocecc_hpcc_elapsed_ *elapsed)
{
    const uint8_t both = record->valid & hop->valid;
    const bool util = (hop->valid & ROCECC_HOP_UTIL) != 0;
    const bool rate = (hop->valid & ROCECC_HOP_RATE) != 0;
    const bool queue = rate && ((record->valid | hop->valid) & ROCECC_HOP_QUEUE) != 0;
    const bool tx = rate && !util && (both & ROCECC_HOP_TX) != 0;
    const bool sent = util || tx; /* the second term is known */
    const uint64_t before =
        (record->valid & ROCECC_HOP_QUEUE) != 0 ? record->queue_bytes : UINT32_MAX;
    const uint64_t now =
        (hop->valid & ROCECC_HOP_QUEUE) != 0 ? hop->queue_bytes : UINT32_MAX;
    const uint64_t dtx =
        rocecc_hop_distance(record->tx_bytes, hop->tx_bytes, params->tx_mod_bytes);
    rocecc_hpcc_hop_load_ load = rocecc_hpcc_not_measured_(true);
    if ((queue || sent) &&
        (!rate || rocecc_hpcc_set_rate_(params, record, hop->rate_bps))) {
        uint64_t u = 0;
        load.dt_ns = elapsed->age_ns;
        load.part_q32 = tx ? rocecc_hpcc_tx_term_q32_(record, dtx) : 0;
        if (tx && (both & ROCECC_HOP_TS) != 0)
            load.dt_ns = rocecc_hpcc_dt_ns_(params, state, record, hop, elapsed);
        if (load.dt_ns == 0) return rocecc_hpcc_not_measured_(false);
        if (load.part_q32 >> 32 == 0)
            record->jumped = 0;
        else if (rocecc_hpcc_is_jump_(params, state, record, &load))
            load = rocecc_hpcc_not_measured_(true);
        if (queue)
            u = rocecc_hpcc_queue_term_q32_(params, record, rocecc_min(before, now));
        if (util) {
            /* A dt above T makes no difference. */
            load.dt_ns = (uint32_t)rocecc_min(load.dt_ns, params->base_rtt_ns);
            u += rocecc_min(hop->util_q20, ROCECC_HPCC_UTIL_MAX_Q20) << 12;
        }
        if (!sent) u += (uint64_t)params->eta_q20 * 3 << 10; /* 3/4 of eta: H-44 */
        load.part_q32 += rocecc_hpcc_weight_q32_(params, u, load.dt_ns);
    }
    rocecc_hpcc_save_(record, hop);
    return load;
}

/* Measures one hop, as the paper's MeasureInflight does. */
ROCECC_FN rocecc_hpcc_hop_load_ rocecc_hpcc_measure_hop_(
    const rocecc_hpcc_params *params, rocecc_hpcc *state, rocecc_hpcc_hop *record,
    const rocecc_hop *hop, const rocecc_hpcc_elapsed_ *elapsed)
{
    const unsigned all = ROCECC_HOP_ID | ROCECC_HOP_RATE | ROCECC_HOP_QUEUE |
                         ROCECC_HOP_TX | ROCECC_HOP_TS;
    if (ROCECC_UNLIKELY_(record->valid != hop->valid ||
                         (hop->valid | ROCECC_HOP_ID) != all))
        return rocecc_hpcc_measure_partial_(params, state, record, hop, elapsed);
    return rocecc_hpcc_measure_full_(params, state, record, hop, elapsed);
}

/*
 * Returns true if, at a round's end, the hop's clock has gained or lost at most most_ns
 * against the host's clock. Also limits the recorded gain or loss to reorder + T, and
 * then reduces it by T/8, but not below 0.
 */
ROCECC_FN bool rocecc_hpcc_keeps_time_(const rocecc_hpcc_params *params,
                                       rocecc_hpcc_hop *record, uint32_t most_ns)
{
    const bool lost = record->ahead_ns >> 31 != 0;
    const uint32_t off_ns =
        (uint32_t)rocecc_min(lost ? 0 - record->ahead_ns : record->ahead_ns,
                             (uint64_t)params->reorder_ns + params->base_rtt_ns);
    const uint32_t kept_ns =
        off_ns - (uint32_t)rocecc_min(off_ns, params->base_rtt_ns >> 3);
    record->ahead_ns = lost ? 0 - kept_ns : kept_ns;
    return off_ns <= most_ns;
}

#endif /* ROCECC_ALGO_HPCC_HOP_H */
