/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_TELEMETRY_TELEMETRY_H
#define ROCECC_TELEMETRY_TELEMETRY_H

/*
 * telemetry.h - conversion between hops (algo/hop.h) and records in four formats.
 * draft-miao-ccwg-hpcc-info-03.
 *
 *   hop    IOAM             IFA A            IFA B       INT-MD            CSIG
 *   id     node, egress_if  device, egress   the same    node, egress_id   -
 *   rate   by speed code    Speed            -           -                 -
 *   queue  queue_depth      Queue Length     the same    queue_occupancy   nQD x rate
 *   tx     tx_bytes         txBytes          txBytes     -                 -
 *   ts     timestamp        rx + residence   tx          egress_timestamp  -
 *   util   -                -                -           tx_utilization    1 - ABW/C
 *
 * The high 32 bits of a hop's id are the node, and the low 32 bits are the egress
 * interface. A hop has an id only if the record has both numbers. The id does not
 * include IOAM's namespace. A hop lacks an item if the record lacks the item, or if the
 * configuration has no unit for it. If a record has no rate, the rate comes from a
 * table that is indexed by id (rate.h) or, except for IFA A, from the configuration. In
 * IFA A, txBytes counts the bytes of one queue, so it is less than the link's total if
 * several queues share the link.
 *
 * This header contains the configuration and the common code. ioam.h, ifa.h, intmd.h
 * and csig.h each convert one format, and path.h converts all records in a packet.
 *
 * Records do not carry the moduli of their clocks and counters.
 * rocecc_telemetry_moduli_derive() returns these moduli for rocecc_hpcc_params.
 * Example: IOAM reports only the fraction of a second, the byte counter has 32 bits,
 * links run at 800 Gb/s, and records are at most 1 ms late. The longest measurable gap
 * between two records is then 42949672 ns, because the counter wraps after 42949672.96
 * ns.
 */
#include "../algo/hop.h"
#include "../wire/report.h"

/* Timestamp units of IOAM (RFC 9197, section 5) and INT-MD. */
typedef enum rocecc_telemetry_clock_ {
    ROCECC_TELEMETRY_CLOCK_PTP = 0, /* seconds and ns; INT-MD: ns */
    ROCECC_TELEMETRY_CLOCK_POSIX,   /* seconds and us, as Linux writes; INT-MD: us */
    ROCECC_TELEMETRY_CLOCK_NTP      /* seconds and 2^-32 s */
} ROCECC_IN_8_BITS_(rocecc_telemetry_clock);

/* Number of interface_speed codes (0 to 62). Code 63 means "not populated". */
#define ROCECC_TELEMETRY_SPEEDS 63

/*
 * Configuration for one kind of node. If all members are 0, only IFA A reports a rate,
 * only IFA B_OCTETS reports a queue length, INT-MD reports no utilisation, and clocks
 * count ns.
 */
typedef struct rocecc_telemetry_config {
    uint64_t rate_bps; /* link rate if a record has none; 0: not known */
    uint64_t
        speeds_bps[ROCECC_TELEMETRY_SPEEDS]; /* IOAM: rates by interface_speed, or 0 */
    uint32_t queue_unit_bytes; /* cell size or unit of the queue depth; 0: not known */
    uint32_t util_one;         /* INT-MD: utilisation value of a fully loaded link (100,
                                  1000 or 10000) */
    ROCECC_ENUM8_(rocecc_telemetry_clock) clock; /* IFA ignores it */
    bool seconds;    /* IOAM: true if a time has both words, not only its fraction */
    uint8_t ts_bits; /* bits of a binary clock. IFA B: up to 32, or 0 if the clock wraps
                        at one second. INT-MD (not NTP): up to 54, for a time in the
                        clock's unit, or 0 if the clock wraps at 2^64 ns */
    uint8_t tx_bits; /* bits of byte counters, up to 32 (IFA B: up to 40). 0 means 32,
                        because not every device writes the high bits of IFA B */
    bool every_node; /* each node of a path writes a record, and links have room for it;
                        then a path without a gap is complete */
    /* layout of the expected IOAM or INT nodes, set by rocecc_ioam_layout_update() or
     * rocecc_intmd_layout_update(); decoding other nodes takes longer */
    rocecc_report_layout layout;
} rocecc_telemetry_config;

/*
 * Checks a configuration before its first use. Returns RANGE if the clock is unknown,
 * ts_bits is above 54, or tx_bits is above 40. If a format's field is narrower than
 * ts_bits or tx_bits, the field's own width applies.
 */
ROCECC_FN rocecc_status rocecc_telemetry_init(const rocecc_telemetry_config *config)
{
    return config->clock > ROCECC_TELEMETRY_CLOCK_NTP || config->ts_bits > 54 ||
                   config->tx_bits > 40
               ? ROCECC_ERR_RANGE
               : ROCECC_OK;
}

typedef enum rocecc_telemetry_format {
    ROCECC_TELEMETRY_IOAM = 0,
    ROCECC_TELEMETRY_IFA_A,
    ROCECC_TELEMETRY_IFA_B,
    ROCECC_TELEMETRY_INTMD
} rocecc_telemetry_format;

/* Moduli of the clocks and counters of a format. 0 stands for 2^64. */
typedef struct rocecc_telemetry_moduli {
    uint64_t ts_mod_ns;
    uint64_t tx_mod_bytes; /* 0 for INT-MD (no counter) */
    uint32_t dt_max_ns; /* longest measurable gap between two records; 0 if none, which
                           rocecc_hpcc_init() rejects */
} rocecc_telemetry_moduli;

#define ROCECC_TELEMETRY_SECOND_NS 1000000000u

/* Returns the smaller of 2^bits and 2^max_bits. */
ROCECC_FN uint64_t rocecc_telemetry_modulus_(uint8_t bits, uint8_t max_bits)
{
    return (uint64_t)1 << ((bits < max_bits ? bits : max_bits) & 63);
}

/* Returns the width of the byte counter in bits, or max_bits if that is smaller. */
ROCECC_FN uint8_t rocecc_telemetry_tx_bits_(const rocecc_telemetry_config *config,
                                            uint8_t max_bits)
{
    const uint8_t bits = config->tx_bits == 0 ? 32 : config->tx_bits;
    return bits < max_bits ? bits : max_bits;
}

/* Returns the modulus of the byte counter. */
ROCECC_FN uint64_t rocecc_telemetry_tx_mod_(const rocecc_telemetry_config *config,
                                            uint8_t max_bits)
{
    return (uint64_t)1 << (rocecc_telemetry_tx_bits_(config, max_bits) & 63);
}

/* Returns the unit of INT-MD's clock in ns. */
ROCECC_FN uint64_t rocecc_telemetry_unit_ns_(const rocecc_telemetry_config *config)
{
    return config->clock == ROCECC_TELEMETRY_CLOCK_POSIX ? 1000 : 1;
}

ROCECC_FN uint64_t rocecc_telemetry_ts_mod_(const rocecc_telemetry_config *config,
                                            rocecc_telemetry_format format)
{
    const uint64_t second_ns = ROCECC_TELEMETRY_SECOND_NS;
    if (format == ROCECC_TELEMETRY_IOAM)
        return config->seconds ? second_ns << 32 : second_ns;
    if (format == ROCECC_TELEMETRY_IFA_A) return second_ns << 20;
    if (format == ROCECC_TELEMETRY_IFA_B)
        return config->ts_bits == 0 ? second_ns
                                    : rocecc_telemetry_modulus_(config->ts_bits, 32);
    if (config->clock == ROCECC_TELEMETRY_CLOCK_NTP) return second_ns << 32;
    if (config->ts_bits == 0) return 0;
    return rocecc_telemetry_unit_ns_(config) *
           rocecc_telemetry_modulus_(config->ts_bits, 54);
}

/*
 * Returns the longest time dt in ns for which dt * fastest_bps / (8 * 10^9) < 2^bits,
 * or 0 if fastest_bps is 0. `bits` must be at most 40. If `bits` is 32 or more, the
 * rate is rounded up to a multiple of 2^(bits - 31) bit/s, so that the calculation fits
 * in 64 bits.
 */
ROCECC_FN uint64_t rocecc_telemetry_turn_ns_(uint8_t bits, uint64_t fastest_bps)
{
    const unsigned halved = bits > 31 ? bits - 31u : 0;
    const uint64_t rest = fastest_bps & (((uint64_t)1 << halved) - 1);
    const uint64_t rate = (fastest_bps >> halved) + (rest != 0);
    if (rate == 0) return 0;
    return ROCECC_DIV64(((uint64_t)8000000000u << (bits - halved)) - 1, rate);
}

/*
 * Returns the moduli of a format for rocecc_hpcc_params. fastest_bps is the rate of the
 * fastest link. It must not be 0, except for INT-MD. Records are assumed to be at most
 * reorder_ns late. dt_max_ns is the largest time that satisfies these three conditions,
 * or 0 if no time satisfies them:
 *
 *     dt_max + reorder < ts_mod
 *     dt_max * fastest_bps / (8 * 10^9) < tx_mod
 *     dt_max <= 1 s
 *
 * With a 32-bit counter, the second condition allows at most 343597383, 85899345 and
 * 42949672 ns at 100, 400 and 800 Gb/s, respectively.
 */
ROCECC_FN rocecc_telemetry_moduli rocecc_telemetry_moduli_derive(
    const rocecc_telemetry_config *config, rocecc_telemetry_format format,
    uint64_t fastest_bps, uint32_t reorder_ns)
{
    const uint8_t bits =
        rocecc_telemetry_tx_bits_(config, format == ROCECC_TELEMETRY_IFA_B ? 40 : 32);
    uint64_t dt_max_ns = ROCECC_TELEMETRY_SECOND_NS;
    rocecc_telemetry_moduli m = {0, 0, 0};
    m.ts_mod_ns = rocecc_telemetry_ts_mod_(config, format);
    if (format != ROCECC_TELEMETRY_INTMD) {
        m.tx_mod_bytes = (uint64_t)1 << (bits & 63);
        dt_max_ns = rocecc_min(dt_max_ns, rocecc_telemetry_turn_ns_(bits, fastest_bps));
    }
    if (m.ts_mod_ns != 0) {
        const uint64_t late_ns = rocecc_min((uint64_t)reorder_ns + 1, m.ts_mod_ns);
        dt_max_ns = rocecc_min(dt_max_ns, m.ts_mod_ns - late_ns);
    }
    m.dt_max_ns = (uint32_t)dt_max_ns;
    return m;
}

/* Returns a hop that reports only this rate, or reports nothing if the rate is 0. */
ROCECC_FN rocecc_hop rocecc_telemetry_empty_hop_(uint64_t rate_bps)
{
    rocecc_hop h = {0, 0, 0, 0, 0, 0, 0};
    h.rate_bps = rate_bps;
    if (rate_bps != 0) h.valid = ROCECC_HOP_RATE;
    return h;
}

/*
 * Sets the queue length in bytes, limited to 2^32 - 1. Does nothing if unit_bytes is 0.
 */
ROCECC_FN void rocecc_telemetry_set_queue_(rocecc_hop *hop, uint32_t units,
                                           uint32_t unit_bytes)
{
    if (unit_bytes == 0) return;
    hop->queue_bytes =
        (uint32_t)rocecc_min((uint64_t)units * unit_bytes, (uint64_t)UINT32_MAX);
    hop->valid |= ROCECC_HOP_QUEUE;
}

/* Returns the queue length in units, rounded up, or 0 if unit_bytes is 0. */
ROCECC_FN uint64_t rocecc_telemetry_queue_units_(const rocecc_hop *hop,
                                                 uint32_t unit_bytes)
{
    if (unit_bytes == 0) return 0;
    return ROCECC_DIV64((uint64_t)hop->queue_bytes + unit_bytes - 1, unit_bytes);
}

ROCECC_FN void rocecc_telemetry_set_id_(rocecc_hop *hop, uint32_t node, uint32_t egress)
{
    hop->id = (uint64_t)node << 32 | egress;
    hop->valid |= ROCECC_HOP_ID;
}

/* Sets the byte counter to tx_bytes modulo tx_mod. tx_mod must be a power of two. */
ROCECC_FN void rocecc_telemetry_set_tx_(rocecc_hop *hop, uint64_t tx_bytes,
                                        uint64_t tx_mod)
{
    hop->tx_bytes = tx_bytes & (tx_mod - 1);
    hop->valid |= ROCECC_HOP_TX;
}

/*
 * Converts a fraction of a second to ns. If the fraction is invalid, the result is one
 * second or more.
 */
ROCECC_FN uint64_t rocecc_telemetry_fraction_ns_(uint8_t clock, uint32_t fraction)
{
    if (clock == ROCECC_TELEMETRY_CLOCK_NTP)
        return (uint64_t)fraction * ROCECC_TELEMETRY_SECOND_NS >> 32;
    return clock == ROCECC_TELEMETRY_CLOCK_POSIX ? (uint64_t)fraction * 1000 : fraction;
}

/*
 * Converts a sub-second time in ns to the fraction field of a timestamp in the given
 * clock format. NTP fractions are rounded up, so that rocecc_telemetry_fraction_ns_()
 * returns the same number of ns.
 */
ROCECC_FN uint32_t rocecc_telemetry_fraction_(uint8_t clock, uint64_t ns)
{
    if (clock == ROCECC_TELEMETRY_CLOCK_NTP)
        return (uint32_t)ROCECC_DIV64((ns << 32) + ROCECC_TELEMETRY_SECOND_NS - 1,
                                      ROCECC_TELEMETRY_SECOND_NS);
    return (uint32_t)(clock == ROCECC_TELEMETRY_CLOCK_POSIX ? ROCECC_DIV64(ns, 1000)
                                                            : ns);
}

/* Sets the time of a hop, unless `ns` is one second or more. */
ROCECC_FN void rocecc_telemetry_set_ts_(rocecc_hop *hop, uint64_t seconds, uint64_t ns)
{
    if (ns >= ROCECC_TELEMETRY_SECOND_NS) return;
    hop->ts_ns = seconds * ROCECC_TELEMETRY_SECOND_NS + ns;
    hop->valid |= ROCECC_HOP_TS;
}

#endif /* ROCECC_TELEMETRY_TELEMETRY_H */
