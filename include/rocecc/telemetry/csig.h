/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_TELEMETRY_CSIG_H
#define ROCECC_TELEMETRY_CSIG_H

/*
 * csig.h - conversion of CSIG tags to HPCC++ events or hops, and of hops to
 * rocecc_csig_measured values. draft-miao-ccwg-hpcc-info-03, 3.1.
 *
 *   type    signal        value
 *   ABW     UTILISATION   1 - ABW/B
 *   ABW/C   UTILISATION   1 - ABW/C
 *   PD      DELAY         ns
 *   nQD     DRAIN         ns
 *
 * A tag describes only the worst hop. Its locator identifies the hop's link, but is not
 * a rocecc_hop id. B is the link rate, from the locator's entry in a table (rate.h) or,
 * if the table has no entry for the locator, from the configuration. B must be at least
 * 256 bit/s and below ROCECC_RATE_END_BPS. Without a valid B, an ABW tag gives no
 * sample, because any other rate would give a wrong utilisation.
 *
 * If a network's link rates differ, the link with the least ABW is not always the
 * busiest. Such a network should use ABW/C.
 */
#include "../algo/hpcc.h"
#include "../packet/csig.h"
#include "telemetry.h"
#include "rate.h"

/* Returns 1 - available_bps / rate_bps in Q20, or 0 if available_bps is larger. */
ROCECC_FN uint32_t rocecc_telemetry_utilisation_q20_(uint64_t available_bps,
                                                     uint64_t rate_bps)
{
    if (available_bps >= rate_bps) return 0;
    return ROCECC_ONE_Q20 - (uint32_t)ROCECC_DIV64(available_bps << 20, rate_bps);
}

/*
 * Returns the rate of the tag's link from the table or, if the link has no entry, from
 * the configuration. Returns 0 if this rate is below 256 bit/s, or not below
 * ROCECC_RATE_END_BPS.
 */
ROCECC_FN uint64_t rocecc_telemetry_csig_rate_(const rocecc_telemetry_config *config,
                                               const rocecc_telemetry_rates *rates,
                                               const rocecc_csig *tag)
{
    uint64_t rate_bps = rocecc_telemetry_rates_lookup(rates, tag->locator);
    if (rate_bps == 0) rate_bps = config->rate_bps;
    return rate_bps >= 256 && rate_bps < ROCECC_RATE_END_BPS ? rate_bps : 0;
}

/*
 * Writes a tag's signal and value to an event for rocecc_hpcc_csig_ack(). `table` must
 * use the units of rocecc_csig_type. `rates` may be empty, but must not be NULL.
 * Returns false, with *out unchanged, if `table` lacks the tag's bucket, or if an ABW
 * tag has no valid rate.
 */
ROCECC_FN bool rocecc_telemetry_csig_sample(const rocecc_telemetry_config *config,
                                            const rocecc_telemetry_rates *rates,
                                            const rocecc_csig_table *table,
                                            const rocecc_csig *tag,
                                            rocecc_hpcc_csig_event *out)
{
    uint64_t v = 0;
    if (rocecc_csig_dequantise(table, tag, &v) != ROCECC_OK) return false;
    if (tag->type == ROCECC_CSIG_ABW || tag->type == ROCECC_CSIG_ABW_C) {
        uint64_t all = ROCECC_ONE_Q20;
        if (tag->type == ROCECC_CSIG_ABW)
            all = rocecc_telemetry_csig_rate_(config, rates, tag);
        if (all == 0) return false;
        out->signal = ROCECC_HPCC_UTILISATION;
        out->value = rocecc_telemetry_utilisation_q20_(v, all);
        return true;
    }
    out->signal = tag->type == ROCECC_CSIG_PD ? ROCECC_HPCC_DELAY : ROCECC_HPCC_DRAIN;
    out->value = (uint32_t)rocecc_min(v, (uint64_t)UINT32_MAX);
    return true;
}

/*
 * Returns the number of bytes that a link sends in `ns` nanoseconds, or in 67 ms if
 * that is shorter.
 */
ROCECC_FN uint64_t rocecc_telemetry_bytes_in_ns_(uint32_t ns, uint64_t rate_bps)
{
    return ROCECC_DIV64(rocecc_min(ns, 1u << 26) * (rate_bps >> 8), 31250000u);
}

/*
 * Converts a tag to a hop. The hop reports the link rate if the rate is known. For an
 * ABW/C tag, the hop reports the utilisation. If the rate is known, the hop also
 * reports the utilisation for an ABW tag, and the queue length for an nQD tag. This
 * queue length is limited to the number of bytes that the link sends in 67 ms, and to
 * 2^32 - 1 bytes.
 */
ROCECC_FN rocecc_hop rocecc_telemetry_csig_load(const rocecc_telemetry_config *config,
                                                const rocecc_telemetry_rates *rates,
                                                const rocecc_csig_table *table,
                                                const rocecc_csig *tag)
{
    const uint64_t rate_bps = rocecc_telemetry_csig_rate_(config, rates, tag);
    rocecc_hop h = rocecc_telemetry_empty_hop_(rate_bps);
    rocecc_hpcc_csig_event s = {0, 0, 0, 0, 0, 0};
    if (!rocecc_telemetry_csig_sample(config, rates, table, tag, &s)) return h;
    if (s.signal == ROCECC_HPCC_UTILISATION) {
        h.util_q20 = s.value;
        h.valid |= ROCECC_HOP_UTIL;
    }
    if (s.signal == ROCECC_HPCC_DRAIN && rate_bps != 0) {
        h.queue_bytes = (uint32_t)rocecc_min(
            rocecc_telemetry_bytes_in_ns_(s.value, rate_bps), (uint64_t)UINT32_MAX);
        h.valid |= ROCECC_HOP_QUEUE;
    }
    return h;
}

/*
 * Returns the values that a port compares with a tag. A value is neutral if the hop
 * does not report it. ABW and nQD are also neutral if the rate is missing or out of
 * range. The delay is always neutral. A neutral value changes only compact tags whose
 * bucket number is beyond the table's last bucket.
 */
ROCECC_FN rocecc_csig_measured rocecc_telemetry_csig_store(const rocecc_hop *hop)
{
    const bool rated = (hop->valid & ROCECC_HOP_RATE) != 0 && hop->rate_bps >= 256 &&
                       hop->rate_bps < ROCECC_RATE_END_BPS;
    rocecc_csig_measured local = {{UINT64_MAX, UINT64_MAX, 0, 0}};
    if ((hop->valid & ROCECC_HOP_UTIL) != 0) {
        const uint64_t left_q20 =
            ROCECC_ONE_Q20 - rocecc_min(hop->util_q20, ROCECC_ONE_Q20);
        local.value[ROCECC_CSIG_ABW_C] = left_q20;
        if (rated) local.value[ROCECC_CSIG_ABW] = hop->rate_bps * left_q20 >> 20;
    }
    if ((hop->valid & ROCECC_HOP_QUEUE) != 0 && rated)
        local.value[ROCECC_CSIG_NQD] =
            ROCECC_DIV64((uint64_t)hop->queue_bytes * 31250000u, hop->rate_bps >> 8);
    return local;
}

#endif /* ROCECC_TELEMETRY_CSIG_H */
