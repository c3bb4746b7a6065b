/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_ROLE_TELEMETRY_H
#define ROCECC_ROLE_TELEMETRY_H

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
 * no unit for, is not reported; a rate that is not in the record is the
 * configuration's. Of IFA A tx is of the queue, which tells less than the link sends
 * where queues share it. A CSIG tag is of the worst hop alone: its locator is not an id
 * of rocecc_hop. Ids are of one namespace.
 *
 * Records say nothing of the wraps of their clocks and counters:
 * rocecc_telemetry_moduli_of() does, for rocecc_hpcc_params.
 */
#include "../algo/hpcc.h"
#include "../packet/csig.h"
#include "../wire/ifa.h"
#include "../wire/intmd.h"
#include "../wire/ioam.h"

/* What a timestamp counts. RFC 9197, 5; of INT-MD the model of its units. */
typedef enum rocecc_telemetry_clock {
    ROCECC_TELEMETRY_CLOCK_PTP = 0, /* seconds and ns; INT-MD: ns */
    ROCECC_TELEMETRY_CLOCK_POSIX,   /* seconds and us, as Linux writes; INT-MD: us */
    ROCECC_TELEMETRY_CLOCK_NTP      /* seconds and 2^-32 s */
} rocecc_telemetry_clock;

/* Codes of interface_speed: 0 to 62; 63 says "not populated". */
#define ROCECC_TELEMETRY_SPEEDS 63

/* Of one kind of node. All 0: no rate, no queue, no utilisation, clocks of ns. */
typedef struct rocecc_telemetry_config {
    uint64_t rate_bps; /* of links whose records have none; 0: not known */
    uint64_t
        speeds_bps[ROCECC_TELEMETRY_SPEEDS]; /* IOAM: by interface_speed; 0: none */
    uint32_t queue_unit_bytes; /* a cell, a unit of depth or occupancy; 0: not known */
    uint32_t util_one;         /* INT-MD: what a full link is: 100, 1000, 10000 */
    uint8_t clock;             /* a rocecc_telemetry_clock; IFA has its own */
    bool seconds;    /* IOAM: a time has both words; false: its fraction is all of it */
    uint8_t ts_bits; /* of a binary clock: IFA B up to 32, 0: it wraps at a second;
                        INT-MD, but for NTP, up to 54 in its unit, 0: at 2^64 ns */
    uint8_t tx_bits; /* of counters of bytes: up to 32, IFA B 40; 0: 32, as not every
                        device writes the high ones of IFA B */
    /* of the nodes of IOAM or INT that are expected: rocecc_ioam_layout_of(),
       rocecc_intmd_layout_of(). Others are read as well, but cost more */
    rocecc_layout layout;
} rocecc_telemetry_config;

/* Once, before a configuration is used. RANGE: no such clock, or too many bits. */
ROCECC_FN rocecc_status rocecc_telemetry_init(const rocecc_telemetry_config *c)
{
    return c->clock > ROCECC_TELEMETRY_CLOCK_NTP || c->ts_bits > 54 || c->tx_bits > 40
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
    uint64_t tx_mod_bytes;
} rocecc_telemetry_moduli;

#define ROCECC_TELEMETRY_SECOND_NS 1000000000u

/* Where a number of `bits` bits wraps, but of no more than `most`. */
ROCECC_FN uint64_t rocecc_telemetry_wrap_(uint8_t bits, uint8_t most)
{
    return (uint64_t)1 << ((bits < most ? bits : most) & 63);
}

/* Where counters of bytes wrap, in a field of `most` bits. */
ROCECC_FN uint64_t rocecc_telemetry_tx_mod_(const rocecc_telemetry_config *c,
                                            uint8_t most)
{
    return rocecc_telemetry_wrap_(c->tx_bits == 0 ? 32 : c->tx_bits, most);
}

/* ns in a unit of INT-MD's clock. */
ROCECC_FN uint64_t rocecc_telemetry_unit_ns_(const rocecc_telemetry_config *c)
{
    return c->clock == ROCECC_TELEMETRY_CLOCK_POSIX ? 1000 : 1;
}

ROCECC_FN rocecc_telemetry_moduli rocecc_telemetry_moduli_of(
    const rocecc_telemetry_config *c, rocecc_telemetry_format format)
{
    rocecc_telemetry_moduli m = {ROCECC_TELEMETRY_SECOND_NS, 0};
    const bool b = format == ROCECC_TELEMETRY_IFA_B;
    const bool ntp = c->clock == ROCECC_TELEMETRY_CLOCK_NTP;
    m.tx_mod_bytes = rocecc_telemetry_tx_mod_(c, b ? 40 : 32);
    if (format == ROCECC_TELEMETRY_IOAM && c->seconds) m.ts_mod_ns <<= 32;
    if (format == ROCECC_TELEMETRY_IFA_A) m.ts_mod_ns <<= 20;
    if (b && c->ts_bits != 0) m.ts_mod_ns = rocecc_telemetry_wrap_(c->ts_bits, 32);
    if (format == ROCECC_TELEMETRY_INTMD) {
        if (ntp)
            m.ts_mod_ns <<= 32;
        else if (c->ts_bits == 0)
            m.ts_mod_ns = 0;
        else
            m.ts_mod_ns =
                rocecc_telemetry_unit_ns_(c) * rocecc_telemetry_wrap_(c->ts_bits, 54);
    }
    return m;
}

/* A hop of which nothing is known but the rate, if that is configured. */
ROCECC_FN rocecc_hop rocecc_telemetry_start_(uint64_t rate_bps)
{
    rocecc_hop h = {0, 0, 0, 0, 0, 0, 0};
    h.rate_bps = rate_bps;
    if (rate_bps != 0) h.valid = ROCECC_HOP_RATE;
    return h;
}

/* Units of a queue in bytes, at most what 32 bits hold. */
ROCECC_FN void rocecc_telemetry_queue_(rocecc_hop *h, uint32_t units,
                                       uint32_t unit_bytes)
{
    if (unit_bytes == 0) return;
    h->queue_bytes =
        (uint32_t)rocecc_min((uint64_t)units * unit_bytes, (uint64_t)UINT32_MAX);
    h->valid |= ROCECC_HOP_QUEUE;
}

/* The units that a queue takes up, the last one perhaps in part. */
ROCECC_FN uint64_t rocecc_telemetry_units_(const rocecc_hop *h, uint32_t unit_bytes)
{
    if (unit_bytes == 0) return 0;
    return ROCECC_DIV64((uint64_t)h->queue_bytes + unit_bytes - 1, unit_bytes);
}

ROCECC_FN void rocecc_telemetry_id_(rocecc_hop *h, uint32_t node, uint32_t egress)
{
    h->id = (uint64_t)node << 32 | egress;
    h->valid |= ROCECC_HOP_ID;
}

/* What a counter says, whose modulus is a power of two. */
ROCECC_FN void rocecc_telemetry_tx_(rocecc_hop *h, uint64_t tx_bytes, uint64_t tx_mod)
{
    h->tx_bytes = tx_bytes & (tx_mod - 1);
    h->valid |= ROCECC_HOP_TX;
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
ROCECC_FN void rocecc_telemetry_ts_(rocecc_hop *h, uint64_t seconds, uint64_t ns)
{
    if (ns >= ROCECC_TELEMETRY_SECOND_NS) return;
    h->ts_ns = seconds * ROCECC_TELEMETRY_SECOND_NS + ns;
    h->valid |= ROCECC_HOP_TS;
}

/* The node of both widths the wide one, unless it is of more than 32 bits. */
ROCECC_FN void rocecc_telemetry_ioam_hop_(rocecc_hop *h, const rocecc_ioam_node *n)
{
    uint64_t node = rocecc_ioam_get(n, ROCECC_IOAM_ITEM_NODE_ID_WIDE);
    uint64_t egress = rocecc_ioam_get(n, ROCECC_IOAM_ITEM_EGRESS_ID_WIDE);
    if (node >> 32 != 0) {
        if (!rocecc_ioam_has(n, ROCECC_IOAM_ITEM_NODE_ID)) return;
        node = rocecc_ioam_get(n, ROCECC_IOAM_ITEM_NODE_ID);
    }
    if (!rocecc_ioam_has(n, ROCECC_IOAM_ITEM_EGRESS_ID_WIDE)) {
        if (!rocecc_ioam_has(n, ROCECC_IOAM_ITEM_EGRESS_ID)) return;
        egress = rocecc_ioam_get(n, ROCECC_IOAM_ITEM_EGRESS_ID);
    }
    rocecc_telemetry_id_(h, (uint32_t)node, (uint32_t)egress);
}

ROCECC_FN void rocecc_telemetry_ioam_ts_(const rocecc_telemetry_config *c,
                                         const rocecc_ioam_node *n, rocecc_hop *h)
{
    const uint64_t fraction = rocecc_ioam_get(n, ROCECC_IOAM_ITEM_TIMESTAMP_FRAC);
    const uint64_t seconds = rocecc_ioam_get(n, ROCECC_IOAM_ITEM_TIMESTAMP_SEC);
    if (!rocecc_ioam_has(n, ROCECC_IOAM_ITEM_TIMESTAMP_FRAC)) return;
    if (c->seconds && !rocecc_ioam_has(n, ROCECC_IOAM_ITEM_TIMESTAMP_SEC)) return;
    rocecc_telemetry_ts_(h, c->seconds ? seconds : 0,
                         rocecc_telemetry_fraction_ns_(c->clock, (uint32_t)fraction));
}

/*
 * The hop of an IOAM node. Of both widths of a number, the wide one. A timestamp
 * without a fraction is not reported, nor one without the seconds that c->seconds
 * asks for.
 * RFC 9197 has the packet's arrival there, HPCC++ wants its departure: that is for the
 * nodes to agree on.
 */
ROCECC_FN rocecc_hop rocecc_telemetry_ioam_load(const rocecc_telemetry_config *c,
                                                const rocecc_ioam_node *n)
{
    const uint64_t code = rocecc_ioam_get(n, ROCECC_IOAM_ITEM_INTERFACE_SPEED);
    const uint64_t tx_bytes = rocecc_ioam_get(n, ROCECC_IOAM_ITEM_TX_BYTES);
    const uint64_t queue = rocecc_ioam_get(n, ROCECC_IOAM_ITEM_QUEUE_DEPTH);
    rocecc_hop h = rocecc_telemetry_start_(c->rate_bps);
    if (code < ROCECC_TELEMETRY_SPEEDS && c->speeds_bps[code] != 0)
        h = rocecc_telemetry_start_(c->speeds_bps[code]);
    rocecc_telemetry_ioam_hop_(&h, n);
    if (rocecc_ioam_has(n, ROCECC_IOAM_ITEM_QUEUE_DEPTH))
        rocecc_telemetry_queue_(&h, (uint32_t)queue, c->queue_unit_bytes);
    if (rocecc_ioam_has(n, ROCECC_IOAM_ITEM_TX_BYTES))
        rocecc_telemetry_tx_(&h, tx_bytes, rocecc_telemetry_tx_mod_(c, 32));
    rocecc_telemetry_ioam_ts_(c, n, &h);
    return h;
}

/* Node and interface, of both widths: all ones, and what is wider, are not known. */
ROCECC_FN void rocecc_telemetry_ioam_id_(const rocecc_hop *h, rocecc_ioam_node *n)
{
    const uint64_t node = h->id >> 32, egress = h->id & UINT32_MAX;
    (void)rocecc_ioam_set(n, ROCECC_IOAM_ITEM_NODE_ID_WIDE, node);
    (void)rocecc_ioam_set(n, ROCECC_IOAM_ITEM_EGRESS_ID_WIDE, egress);
    (void)rocecc_ioam_set(n, ROCECC_IOAM_ITEM_NODE_ID, node);
    (void)rocecc_ioam_set(n, ROCECC_IOAM_ITEM_EGRESS_ID, egress);
}

/* The first code of a rate. */
ROCECC_FN void rocecc_telemetry_ioam_speed_(const rocecc_telemetry_config *c,
                                            uint64_t rate_bps, rocecc_ioam_node *n)
{
    uint8_t code;
    if (rate_bps == 0) return;
    for (code = 0; code < ROCECC_TELEMETRY_SPEEDS; code++)
        if (c->speeds_bps[code] == rate_bps) break;
    (void)rocecc_ioam_set(n, ROCECC_IOAM_ITEM_INTERFACE_SPEED, code);
}

/* What a node takes from a hop is not known at first; the rest is the caller's. */
ROCECC_FN void rocecc_telemetry_ioam_clear_(rocecc_ioam_node *n)
{
    rocecc_ioam_clear(n, ROCECC_IOAM_ITEM_NODE_ID);
    rocecc_ioam_clear(n, ROCECC_IOAM_ITEM_EGRESS_ID);
    rocecc_ioam_clear(n, ROCECC_IOAM_ITEM_TIMESTAMP_SEC);
    rocecc_ioam_clear(n, ROCECC_IOAM_ITEM_TIMESTAMP_FRAC);
    rocecc_ioam_clear(n, ROCECC_IOAM_ITEM_QUEUE_DEPTH);
    rocecc_ioam_clear(n, ROCECC_IOAM_ITEM_NODE_ID_WIDE);
    rocecc_ioam_clear(n, ROCECC_IOAM_ITEM_EGRESS_ID_WIDE);
    rocecc_ioam_clear(n, ROCECC_IOAM_ITEM_TX_BYTES);
    rocecc_ioam_clear(n, ROCECC_IOAM_ITEM_INTERFACE_SPEED);
}

/*
 * The items of a node, of both widths; the trace type says which of them are written.
 * An item that the hop does not report, or that does not fit its field, is not known,
 * nor is an id or a code that would say so; but of what is measured, all ones are one
 * less.
 */
ROCECC_FN void rocecc_telemetry_ioam_store(const rocecc_telemetry_config *c,
                                           const rocecc_hop *h, rocecc_ioam_node *n)
{
    const uint64_t units = rocecc_telemetry_units_(h, c->queue_unit_bytes);
    uint64_t seconds;
    rocecc_telemetry_ioam_clear_(n);
    if ((h->valid & ROCECC_HOP_ID) != 0) rocecc_telemetry_ioam_id_(h, n);
    if ((h->valid & ROCECC_HOP_RATE) != 0)
        rocecc_telemetry_ioam_speed_(c, h->rate_bps, n);
    if ((h->valid & ROCECC_HOP_QUEUE) != 0 && c->queue_unit_bytes != 0 &&
        units < UINT32_MAX)
        (void)rocecc_ioam_set(n, ROCECC_IOAM_ITEM_QUEUE_DEPTH, units);
    if ((h->valid & ROCECC_HOP_TX) != 0)
        (void)rocecc_ioam_set(n, ROCECC_IOAM_ITEM_TX_BYTES, h->tx_bytes & UINT32_MAX);
    if ((h->valid & ROCECC_HOP_TS) == 0) return;
    seconds = ROCECC_DIV64(h->ts_ns, ROCECC_TELEMETRY_SECOND_NS);
    (void)rocecc_ioam_set(
        n, ROCECC_IOAM_ITEM_TIMESTAMP_FRAC,
        rocecc_telemetry_fraction_(c->clock,
                                   h->ts_ns - seconds * ROCECC_TELEMETRY_SECOND_NS));
    if (seconds < UINT32_MAX)
        (void)rocecc_ioam_set(n, ROCECC_IOAM_ITEM_TIMESTAMP_SEC, seconds);
}

/* Whether a record has all of these items. */
ROCECC_FN bool rocecc_telemetry_ifa_has_(const rocecc_ifa_node *n, uint32_t items)
{
    return (n->present & items) == items;
}

/* When the packet left. */
ROCECC_FN void rocecc_telemetry_ifa_ts_(const rocecc_telemetry_config *c,
                                        const rocecc_ifa_node *n, rocecc_hop *h)
{
    const uint32_t second_ns = ROCECC_TELEMETRY_SECOND_NS;
    if (n->layout == ROCECC_IFA_LAYOUT_A) {
        const uint32_t ns = n->rx_timestamp_ns + n->residence_time; /* if below 2 s */
        if (rocecc_telemetry_ifa_has_(n, ROCECC_IFA_RX_SEC | ROCECC_IFA_RX_NS |
                                             ROCECC_IFA_RESIDENCE) &&
            n->residence_time < second_ns && n->rx_timestamp_ns < second_ns)
            rocecc_telemetry_ts_(h, (n->rx_timestamp_sec + ns / second_ns) & 0xfffff,
                                 ns % second_ns);
    } else if (rocecc_telemetry_ifa_has_(n, ROCECC_IFA_TX_NS)) {
        if (c->ts_bits == 0) {
            rocecc_telemetry_ts_(h, 0, n->tx_timestamp_ns);
        } else {
            h->ts_ns =
                n->tx_timestamp_ns & (rocecc_telemetry_wrap_(c->ts_bits, 32) - 1);
            h->valid |= ROCECC_HOP_TS;
        }
    }
}

/*
 * The hop of an IFA record. The time is that of the departure; a residence of a second
 * and more, which devices have been seen to write, leaves it unreported.
 */
ROCECC_FN rocecc_hop rocecc_telemetry_ifa_load(const rocecc_telemetry_config *c,
                                               const rocecc_ifa_node *n)
{
    const uint64_t speed_bps = rocecc_ifa_speed_bps(n->speed);
    const bool a = n->layout == ROCECC_IFA_LAYOUT_A;
    const bool octets = n->layout == ROCECC_IFA_LAYOUT_B_OCTETS;
    const bool speed = a && speed_bps != 0 && (n->present & ROCECC_IFA_SPEED) != 0;
    rocecc_hop h = rocecc_telemetry_start_(speed ? speed_bps : c->rate_bps);
    if (rocecc_telemetry_ifa_has_(n, ROCECC_IFA_EGRESS))
        rocecc_telemetry_id_(&h, n->device_id, n->egress_port);
    if (rocecc_telemetry_ifa_has_(n, ROCECC_IFA_QUEUE_LENGTH))
        rocecc_telemetry_queue_(&h, n->queue_length, octets ? 1 : c->queue_unit_bytes);
    if (rocecc_telemetry_ifa_has_(n, ROCECC_IFA_TX_BYTES))
        rocecc_telemetry_tx_(&h, n->tx_bytes, rocecc_telemetry_tx_mod_(c, a ? 32 : 40));
    rocecc_telemetry_ifa_ts_(c, n, &h);
    return h;
}

/* Whether a record of n's layout has room for all that it has to say. */
ROCECC_FN bool rocecc_telemetry_ifa_fits_(const rocecc_telemetry_config *c,
                                          const rocecc_hop *h, const rocecc_ifa_node *n)
{
    const unsigned all =
        ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TX | ROCECC_HOP_TS;
    const unsigned bits = n->layout == ROCECC_IFA_LAYOUT_A ? 20 : 28;
    const bool octets = n->layout == ROCECC_IFA_LAYOUT_B_OCTETS;
    if ((h->valid & all) != all || (h->id >> 32) >> bits != 0 ||
        (h->id & 0xffff0000u) != 0)
        return false;
    return octets || (c->queue_unit_bytes != 0 &&
                      rocecc_telemetry_units_(h, c->queue_unit_bytes) >> 16 == 0);
}

/*
 * The items of a record of n->layout; of A it arrives when it departs. LNS, TTL, queue,
 * congestion and ingress are the caller's. RANGE: an item is not valid or does not fit
 * its field, where a record cannot leave it out; only a rate it can.
 */
ROCECC_FN rocecc_status rocecc_telemetry_ifa_emit(const rocecc_telemetry_config *c,
                                                  const rocecc_hop *h,
                                                  rocecc_ifa_node *n)
{
    const unsigned items = ROCECC_IFA_EGRESS | ROCECC_IFA_TX_BYTES |
                           ROCECC_IFA_QUEUE_LENGTH | ROCECC_IFA_RX_SEC |
                           ROCECC_IFA_RX_NS | ROCECC_IFA_TX_NS | ROCECC_IFA_RESIDENCE;
    const bool a = n->layout == ROCECC_IFA_LAYOUT_A;
    const bool octets = n->layout == ROCECC_IFA_LAYOUT_B_OCTETS;
    const uint64_t seconds = ROCECC_DIV64(h->ts_ns, ROCECC_TELEMETRY_SECOND_NS);
    uint32_t ns = (uint32_t)(h->ts_ns - seconds * ROCECC_TELEMETRY_SECOND_NS);
    if (!rocecc_telemetry_ifa_fits_(c, h, n)) return ROCECC_ERR_RANGE;
    if (!a && c->ts_bits != 0)
        ns = (uint32_t)(h->ts_ns & (rocecc_telemetry_wrap_(c->ts_bits, 32) - 1));
    n->device_id = (uint32_t)(h->id >> 32);
    n->egress_port = (uint16_t)h->id;
    n->speed = ROCECC_IFA_SPEED_NONE;
    if (a && (h->valid & ROCECC_HOP_RATE) != 0)
        n->speed = rocecc_ifa_speed_code(h->rate_bps);
    n->queue_length = octets
                          ? h->queue_bytes
                          : (uint32_t)rocecc_telemetry_units_(h, c->queue_unit_bytes);
    n->tx_bytes = h->tx_bytes & (a ? 0xffffffff : 0xffffffffff);
    n->rx_timestamp_sec = a ? seconds & 0xfffff : seconds;
    n->rx_timestamp_ns = n->tx_timestamp_ns = ns;
    n->residence_time = 0;
    n->present = (uint16_t)((n->present & ~(unsigned)ROCECC_IFA_SPEED) | items);
    if (n->speed != ROCECC_IFA_SPEED_NONE) n->present |= ROCECC_IFA_SPEED;
    return ROCECC_OK;
}

/* A timestamp of INT-MD in ns, mod what moduli_of() says. */
ROCECC_FN uint64_t rocecc_telemetry_intmd_ns_(const rocecc_telemetry_config *c,
                                              uint64_t t)
{
    if (c->clock == ROCECC_TELEMETRY_CLOCK_NTP)
        return (t >> 32) * ROCECC_TELEMETRY_SECOND_NS +
               rocecc_telemetry_fraction_ns_(c->clock, (uint32_t)t);
    if (c->ts_bits != 0) t &= rocecc_telemetry_wrap_(c->ts_bits, 54) - 1;
    return t * rocecc_telemetry_unit_ns_(c);
}

/* The inverse. */
ROCECC_FN uint64_t rocecc_telemetry_intmd_time_(const rocecc_telemetry_config *c,
                                                uint64_t ts_ns)
{
    const uint64_t seconds = ROCECC_DIV64(ts_ns, ROCECC_TELEMETRY_SECOND_NS);
    if (c->clock == ROCECC_TELEMETRY_CLOCK_NTP)
        return seconds << 32 |
               rocecc_telemetry_fraction_(c->clock,
                                          ts_ns - seconds * ROCECC_TELEMETRY_SECOND_NS);
    ts_ns = ROCECC_DIV64(ts_ns, rocecc_telemetry_unit_ns_(c));
    if (c->ts_bits != 0) ts_ns &= rocecc_telemetry_wrap_(c->ts_bits, 54) - 1;
    return ts_ns;
}

/* The hop of an INT-MD node; of both egress interfaces that of level 1. A part of a
 * word that is all ones is not reported, as all of it would not be. */
ROCECC_FN rocecc_hop rocecc_telemetry_intmd_load(const rocecc_telemetry_config *c,
                                                 const rocecc_intmd_node *n)
{
    const uint64_t used = rocecc_intmd_get(n, ROCECC_INTMD_ITEM_EGRESS_TX_UTILIZATION);
    const uint32_t node = n->word[0];
    rocecc_hop h = rocecc_telemetry_start_(c->rate_bps);
    if (rocecc_intmd_has(n, ROCECC_INTMD_ITEM_NODE_ID)) {
        if (rocecc_intmd_has(n, ROCECC_INTMD_ITEM_EGRESS_ID))
            rocecc_telemetry_id_(
                &h, node, (uint32_t)rocecc_intmd_get(n, ROCECC_INTMD_ITEM_EGRESS_ID));
        else if (rocecc_intmd_has(n, ROCECC_INTMD_ITEM_L2_EGRESS_ID))
            rocecc_telemetry_id_(
                &h, node,
                (uint32_t)rocecc_intmd_get(n, ROCECC_INTMD_ITEM_L2_EGRESS_ID));
    }
    if (rocecc_intmd_has(n, ROCECC_INTMD_ITEM_QUEUE_OCCUPANCY))
        rocecc_telemetry_queue_(
            &h, (uint32_t)rocecc_intmd_get(n, ROCECC_INTMD_ITEM_QUEUE_OCCUPANCY),
            c->queue_unit_bytes);
    if (rocecc_intmd_has(n, ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP)) {
        h.ts_ns = rocecc_telemetry_intmd_ns_(
            c, rocecc_intmd_get(n, ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP));
        h.valid |= ROCECC_HOP_TS;
    }
    if (rocecc_intmd_has(n, ROCECC_INTMD_ITEM_EGRESS_TX_UTILIZATION) &&
        c->util_one != 0) {
        h.util_q20 = (uint32_t)rocecc_min(
            ROCECC_DIV64((used << 20) + c->util_one / 2, c->util_one), UINT32_MAX);
        h.valid |= ROCECC_HOP_UTIL;
    }
    return h;
}

/* Node and interface, of both levels where they fit. */
ROCECC_FN void rocecc_telemetry_intmd_id_(const rocecc_hop *h, rocecc_intmd_node *n)
{
    const uint32_t egress = (uint32_t)h->id;
    (void)rocecc_intmd_set(n, ROCECC_INTMD_ITEM_NODE_ID, h->id >> 32);
    if (egress != UINT32_MAX)
        (void)rocecc_intmd_set(n, ROCECC_INTMD_ITEM_L2_EGRESS_ID, egress);
    else
        rocecc_intmd_clear(n, ROCECC_INTMD_ITEM_L2_INTERFACES);
    if (egress < 0xffff)
        (void)rocecc_intmd_set(n, ROCECC_INTMD_ITEM_EGRESS_ID, egress);
    else
        rocecc_intmd_clear(n, ROCECC_INTMD_ITEM_INTERFACES);
}

/*
 * The items of a node, which was begun by rocecc_intmd_node_init(); one that the hop
 * does not report, that does not fit its field, or would be all ones, is not there.
 * QUEUE_ID and the ingress interfaces are the caller's.
 */
ROCECC_FN void rocecc_telemetry_intmd_store(const rocecc_telemetry_config *c,
                                            const rocecc_hop *h, rocecc_intmd_node *n)
{
    const uint64_t units = rocecc_telemetry_units_(h, c->queue_unit_bytes);
    const uint64_t used = ((uint64_t)h->util_q20 * c->util_one + (1u << 19)) >> 20;
    if ((h->valid & ROCECC_HOP_ID) != 0) {
        rocecc_telemetry_intmd_id_(h, n);
    } else {
        rocecc_intmd_clear(n, ROCECC_INTMD_ITEM_NODE_ID);
        rocecc_intmd_clear(n, ROCECC_INTMD_ITEM_INTERFACES);
        rocecc_intmd_clear(n, ROCECC_INTMD_ITEM_L2_INTERFACES);
    }
    if ((h->valid & ROCECC_HOP_QUEUE) != 0 && c->queue_unit_bytes != 0 &&
        units < 0xffffff)
        (void)rocecc_intmd_set(n, ROCECC_INTMD_ITEM_QUEUE_OCCUPANCY, units);
    else
        rocecc_intmd_clear(n, ROCECC_INTMD_ITEM_QUEUE);
    rocecc_intmd_clear(n, ROCECC_INTMD_ITEM_EGRESS_TX_UTILIZATION);
    if ((h->valid & ROCECC_HOP_UTIL) != 0 && c->util_one != 0)
        (void)rocecc_intmd_set(n, ROCECC_INTMD_ITEM_EGRESS_TX_UTILIZATION, used);
    rocecc_intmd_clear(n, ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP);
    if ((h->valid & ROCECC_HOP_TS) != 0)
        (void)rocecc_intmd_set(n, ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP,
                               rocecc_telemetry_intmd_time_(c, h->ts_ns));
}

/* Available of rate, both bit/s: the utilisation; more than there is counts as all. */
ROCECC_FN uint32_t rocecc_telemetry_used_q20_(uint64_t available_bps, uint64_t rate_bps)
{
    if (available_bps >= rate_bps) return 0;
    return ROCECC_ONE_Q20 - (uint32_t)ROCECC_DIV64(available_bps << 20, rate_bps);
}

/* Whether there is a rate that the two functions below can use. */
ROCECC_FN bool rocecc_telemetry_rated_(const rocecc_telemetry_config *c)
{
    return c->rate_bps >= 256 && c->rate_bps < ROCECC_RATE_END_BPS;
}

/*
 * What a CSIG tag says to HPCC++ (rocecc_hpcc_csig_ack()): its signal and value go into
 * *s. False: the table has no such bucket, or ABW came without a rate.
 */
ROCECC_FN bool rocecc_telemetry_csig_sample(const rocecc_telemetry_config *c,
                                            const rocecc_csig_table *t,
                                            const rocecc_csig *tag,
                                            rocecc_hpcc_sample *s)
{
    uint64_t v = 0;
    if (rocecc_csig_dequantise(t, tag, &v) != ROCECC_OK) return false;
    if (tag->type == ROCECC_CSIG_ABW || tag->type == ROCECC_CSIG_ABW_C) {
        const bool relative = tag->type == ROCECC_CSIG_ABW_C;
        if (!relative && !rocecc_telemetry_rated_(c)) return false;
        s->signal = ROCECC_HPCC_UTILISATION;
        s->value =
            rocecc_telemetry_used_q20_(v, relative ? ROCECC_ONE_Q20 : c->rate_bps);
        return true;
    }
    s->signal = tag->type == ROCECC_CSIG_PD ? ROCECC_HPCC_DELAY : ROCECC_HPCC_DRAIN;
    s->value = (uint32_t)rocecc_min(v, (uint64_t)UINT32_MAX);
    return true;
}

/* ns of a link's time in bytes, 67 ms at most. */
ROCECC_FN uint64_t rocecc_telemetry_drained_(uint32_t ns, uint64_t rate_bps)
{
    return ROCECC_DIV64(rocecc_min(ns, 1u << 26) * (rate_bps >> 8), 31250000u);
}

/* The worst hop, as far as a tag tells: a utilisation, or a queue if there is a rate.
 */
ROCECC_FN rocecc_hop rocecc_telemetry_csig_load(const rocecc_telemetry_config *c,
                                                const rocecc_csig_table *t,
                                                const rocecc_csig *tag)
{
    rocecc_hop h = rocecc_telemetry_start_(c->rate_bps);
    rocecc_hpcc_sample s = {0, 0, 0, 0, 0};
    if (!rocecc_telemetry_csig_sample(c, t, tag, &s)) return h;
    if (s.signal == ROCECC_HPCC_UTILISATION) {
        h.util_q20 = s.value;
        h.valid |= ROCECC_HOP_UTIL;
    }
    if (s.signal == ROCECC_HPCC_DRAIN && rocecc_telemetry_rated_(c)) {
        h.queue_bytes = (uint32_t)rocecc_min(
            rocecc_telemetry_drained_(s.value, c->rate_bps), (uint64_t)UINT32_MAX);
        h.valid |= ROCECC_HOP_QUEUE;
    }
    return h;
}

/*
 * What a port compares with a tag, of each type. What the hop does not report, and the
 * delay, which it never does, is neutral: it replaces no tag's value.
 */
ROCECC_FN rocecc_csig_local rocecc_telemetry_csig_store(const rocecc_hop *h)
{
    const bool rated = (h->valid & ROCECC_HOP_RATE) != 0 && h->rate_bps >= 256 &&
                       h->rate_bps < ROCECC_RATE_END_BPS;
    rocecc_csig_local local = {{UINT64_MAX, UINT64_MAX, 0, 0}};
    if ((h->valid & ROCECC_HOP_UTIL) != 0) {
        const uint64_t left_q20 =
            ROCECC_ONE_Q20 - rocecc_min(h->util_q20, ROCECC_ONE_Q20);
        local.value[ROCECC_CSIG_ABW_C] = left_q20;
        if (rated) local.value[ROCECC_CSIG_ABW] = h->rate_bps * left_q20 >> 20;
    }
    if ((h->valid & ROCECC_HOP_QUEUE) != 0 && rated)
        local.value[ROCECC_CSIG_NQD] =
            ROCECC_DIV64((uint64_t)h->queue_bytes * 31250000u, h->rate_bps >> 8);
    return local;
}

#endif /* ROCECC_ROLE_TELEMETRY_H */
