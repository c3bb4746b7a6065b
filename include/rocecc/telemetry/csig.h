/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_TELEMETRY_CSIG_H
#define ROCECC_TELEMETRY_CSIG_H

/*
 * csig.h - what a CSIG tag tells HPCC++, and what a port compares with a tag.
 * draft-miao-ccwg-hpcc-info-03, 3.1.
 *
 *   type    signal        value
 *   ABW     UTILISATION   1 - ABW / B        B: the link of the tag's locator
 *   ABW/C   UTILISATION   1 - ABW/C
 *   PD      DELAY         ns
 *   nQD     DRAIN         ns
 *
 * A tag is of the worst hop alone. Its locator names that link, and is not an id of
 * rocecc_hop: B is that of the locator in a table (rate.h), else that of the
 * configuration. If neither has one, ABW says nothing: a utilisation by the rate of
 * another link would be wrong by the ratio of the two. With 100 Gb/s left, a locator of
 * 400 Gb/s is busy for 75 %, one of 800 for 87.5 %.
 *
 * Where links differ, the least ABW of a path need not be of the busiest link: the
 * types by capacity are those for such a network.
 */
#include "../algo/hpcc.h"
#include "../packet/csig.h"
#include "telemetry.h"
#include "rate.h"

/* Available of rate, both bit/s: the utilisation; more than there is counts as all. */
ROCECC_FN uint32_t rocecc_telemetry_utilisation_q20_(uint64_t available_bps,
                                                     uint64_t rate_bps)
{
    if (available_bps >= rate_bps) return 0;
    return ROCECC_ONE_Q20 - (uint32_t)ROCECC_DIV64(available_bps << 20, rate_bps);
}

/* The rate of the link that a tag is of; 0: not known, or none that can be used. */
ROCECC_FN uint64_t rocecc_telemetry_csig_rate_(const rocecc_telemetry_config *config,
                                               const rocecc_telemetry_rates *rates,
                                               const rocecc_csig *tag)
{
    uint64_t rate_bps = rocecc_telemetry_rates_lookup(rates, tag->locator);
    if (rate_bps == 0) rate_bps = config->rate_bps;
    return rate_bps >= 256 && rate_bps < ROCECC_RATE_END_BPS ? rate_bps : 0;
}

/*
 * What a CSIG tag says to HPCC++ (rocecc_hpcc_csig_ack()): its signal and value go into
 * *out. False: the table has no such bucket, or ABW came without a rate.
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

/* ns of a link's time in bytes, 67 ms at most. */
ROCECC_FN uint64_t rocecc_telemetry_bytes_in_ns_(uint32_t ns, uint64_t rate_bps)
{
    return ROCECC_DIV64(rocecc_min(ns, 1u << 26) * (rate_bps >> 8), 31250000u);
}

/* The worst hop, as far as a tag tells: a utilisation, or a queue if there is a rate of
 * its locator. */
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
 * What a port compares with a tag, of each type. What the hop does not report, and the
 * delay, which it never does, is neutral: it replaces no tag's value.
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
