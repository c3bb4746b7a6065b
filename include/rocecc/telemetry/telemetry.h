/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_TELEMETRY_TELEMETRY_H
#define ROCECC_TELEMETRY_TELEMETRY_H

/*
 * telemetry.h - one meaning for four formats: the record that a node wrote becomes a
 * hop (algo/hop.h), and a hop the record that a node writes.
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
 * An id has the node in its high 32 bits and the egress interface in the low ones;
 * there is one if both are known. What a record does not have, or a configuration gives
 * no unit for, is not reported; a rate that a format does not carry is the
 * configuration's, or of a table by id (rate.h). An unknown Speed of IFA A is not
 * reported. Of IFA A tx is of the queue,
 * which tells less than the link sends where queues share it. Ids are of one namespace.
 *
 * This header has the configuration and what all formats share; ioam.h,
 * ifa.h, intmd.h and csig.h have one format each, and
 * path.h all hops of a packet.
 *
 * Records say nothing of the wraps of their clocks and counters:
 * rocecc_telemetry_moduli_derive() does, for rocecc_hpcc_params. IOAM's fraction of a
 * second and 32 bits of bytes at 800 Gb/s, reordered by 1 ms at most: a gap of 42949672
 * ns can be told from any other, as the counter turns in 42949672.96 ns.
 */
#include "../algo/hop.h"
#include "../wire/report.h"

/* What a timestamp counts. RFC 9197, 5; of INT-MD the model of its units. */
typedef enum rocecc_telemetry_clock_ {
    ROCECC_TELEMETRY_CLOCK_PTP = 0, /* seconds and ns; INT-MD: ns */
    ROCECC_TELEMETRY_CLOCK_POSIX,   /* seconds and us, as Linux writes; INT-MD: us */
    ROCECC_TELEMETRY_CLOCK_NTP      /* seconds and 2^-32 s */
} ROCECC_IN_8_BITS_(rocecc_telemetry_clock);

/* Codes of interface_speed: 0 to 62; 63 says "not populated". */
#define ROCECC_TELEMETRY_SPEEDS 63

/* Of one kind of node. All 0: no rate, no queue, no utilisation, clocks of ns. */
typedef struct rocecc_telemetry_config {
    uint64_t rate_bps; /* of links whose records have none; 0: not known */
    uint64_t
        speeds_bps[ROCECC_TELEMETRY_SPEEDS]; /* IOAM: by interface_speed; 0: none */
    uint32_t queue_unit_bytes; /* a cell, a unit of depth or occupancy; 0: not known */
    uint32_t util_one;         /* INT-MD: what a full link is: 100, 1000, 10000 */
    ROCECC_ENUM8_(rocecc_telemetry_clock) clock; /* IFA has its own */
    bool seconds;    /* IOAM: a time has both words; false: its fraction is all of it */
    uint8_t ts_bits; /* of a binary clock: IFA B up to 32, 0: it wraps at a second;
                        INT-MD, but for NTP, up to 54 in its unit, 0: at 2^64 ns */
    uint8_t tx_bits; /* of counters of bytes: up to 32, IFA B 40; 0: 32, as not every
                        device writes the high ones of IFA B */
    bool every_node; /* each node of a path writes a record, and links have room for it:
                        then a path that shows no gap is a whole one */
    /* of the nodes of IOAM or INT that are expected: rocecc_ioam_layout_update(),
       rocecc_intmd_layout_update(). Others are read as well, but cost more */
    rocecc_report_layout layout;
} rocecc_telemetry_config;

/* Once, before a configuration is used. RANGE: no such clock, or too many bits. */
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

/* Where the clocks and counters of a format wrap; 0 is 2^64. */
typedef struct rocecc_telemetry_moduli {
    uint64_t ts_mod_ns;
    uint64_t tx_mod_bytes; /* INT-MD has no counter: 0 */
    uint32_t dt_max_ns;    /* the longest gap between two records that they can tell; 0:
                              not one, which rocecc_hpcc_init() refuses */
} rocecc_telemetry_moduli;

#define ROCECC_TELEMETRY_SECOND_NS 1000000000u

/* Where a number of `bits` bits wraps, but of no more than `max_bits`. */
ROCECC_FN uint64_t rocecc_telemetry_modulus_(uint8_t bits, uint8_t max_bits)
{
    return (uint64_t)1 << ((bits < max_bits ? bits : max_bits) & 63);
}

/* The bits of counters of bytes, in a field of `max_bits`. */
ROCECC_FN uint8_t rocecc_telemetry_tx_bits_(const rocecc_telemetry_config *config,
                                            uint8_t max_bits)
{
    const uint8_t bits = config->tx_bits == 0 ? 32 : config->tx_bits;
    return bits < max_bits ? bits : max_bits;
}

/* Where they wrap. */
ROCECC_FN uint64_t rocecc_telemetry_tx_mod_(const rocecc_telemetry_config *config,
                                            uint8_t max_bits)
{
    return (uint64_t)1 << (rocecc_telemetry_tx_bits_(config, max_bits) & 63);
}

/* ns in a unit of INT-MD's clock. */
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
 * The longest dt with dt fastest_bps / (8 10^9) < 2^bits; bits is 40 at most. Both
 * sides are halved until 64 bits are enough: from 33 bits on a rate counts as the next
 * multiple of 2^(bits - 31) bit/s. 0 without a rate: any gap may be a turn or more.
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
 * What rocecc_hpcc_params take of a format; fastest_bps is of the fastest link of its
 * nodes, reorder_ns how late a record may be and still be older:
 *
 *     dt_max + reorder < ts_mod, dt_max fastest_bps / (8 10^9) < tx_mod, dt_max <= 1 s
 *
 * and dt_max is the largest of these. At 100, 400 and 800 Gb/s 32 bits of bytes leave
 * 343597383, 85899345 and 42949672 ns. 0: there is no such time.
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

/* A hop of which nothing is known but the rate, if that is configured. */
ROCECC_FN rocecc_hop rocecc_telemetry_empty_hop_(uint64_t rate_bps)
{
    rocecc_hop h = {0, 0, 0, 0, 0, 0, 0};
    h.rate_bps = rate_bps;
    if (rate_bps != 0) h.valid = ROCECC_HOP_RATE;
    return h;
}

/* Units of a queue in bytes, at most what 32 bits hold. */
ROCECC_FN void rocecc_telemetry_set_queue_(rocecc_hop *hop, uint32_t units,
                                           uint32_t unit_bytes)
{
    if (unit_bytes == 0) return;
    hop->queue_bytes =
        (uint32_t)rocecc_min((uint64_t)units * unit_bytes, (uint64_t)UINT32_MAX);
    hop->valid |= ROCECC_HOP_QUEUE;
}

/* The units that a queue takes up, the last one perhaps in part. */
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

/* What a counter says, whose modulus is a power of two. */
ROCECC_FN void rocecc_telemetry_set_tx_(rocecc_hop *hop, uint64_t tx_bytes,
                                        uint64_t tx_mod)
{
    hop->tx_bytes = tx_bytes & (tx_mod - 1);
    hop->valid |= ROCECC_HOP_TX;
}

/* The fraction of a second in ns; a second or more is no time of this clock. */
ROCECC_FN uint64_t rocecc_telemetry_fraction_ns_(uint8_t clock, uint32_t fraction)
{
    if (clock == ROCECC_TELEMETRY_CLOCK_NTP)
        return (uint64_t)fraction * ROCECC_TELEMETRY_SECOND_NS >> 32;
    return clock == ROCECC_TELEMETRY_CLOCK_POSIX ? (uint64_t)fraction * 1000 : fraction;
}

/* The inverse, of what is below a second; of NTP rounded up, so that it comes back. */
ROCECC_FN uint32_t rocecc_telemetry_fraction_(uint8_t clock, uint64_t ns)
{
    if (clock == ROCECC_TELEMETRY_CLOCK_NTP)
        return (uint32_t)ROCECC_DIV64((ns << 32) + ROCECC_TELEMETRY_SECOND_NS - 1,
                                      ROCECC_TELEMETRY_SECOND_NS);
    return (uint32_t)(clock == ROCECC_TELEMETRY_CLOCK_POSIX ? ROCECC_DIV64(ns, 1000)
                                                            : ns);
}

/* Seconds and ns, those below a second. */
ROCECC_FN void rocecc_telemetry_set_ts_(rocecc_hop *hop, uint64_t seconds, uint64_t ns)
{
    if (ns >= ROCECC_TELEMETRY_SECOND_NS) return;
    hop->ts_ns = seconds * ROCECC_TELEMETRY_SECOND_NS + ns;
    hop->valid |= ROCECC_HOP_TS;
}

#endif /* ROCECC_TELEMETRY_TELEMETRY_H */
