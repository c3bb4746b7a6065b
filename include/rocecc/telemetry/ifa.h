/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_TELEMETRY_IFA_H
#define ROCECC_TELEMETRY_IFA_H

/*
 * ifa.h - conversion between IFA records and hops. telemetry.h has the table of items.
 * draft-kumar-ippm-ifa.
 *
 *     100a013f 40312345 00660065 3b9ac230 000003e8 fffff000 00000040 0001f400
 *
 * In layout A, with cells of 256 bytes, this record reports device 0xa01, egress 102,
 * 100 Gb/s, a queue of 16384 bytes, and a departure at 0x12345 s + 999999000 ns.
 */
#include "../wire/ifa.h"
#include "telemetry.h"

/* Returns true if a record has all `items`. */
ROCECC_FN bool rocecc_telemetry_ifa_has_(const rocecc_ifa_node *node, uint32_t items)
{
    return (node->present & items) == items;
}

/* Sets the departure time, unless it is incomplete or invalid. */
ROCECC_FN void rocecc_telemetry_ifa_set_ts_(const rocecc_telemetry_config *config,
                                            const rocecc_ifa_node *node,
                                            rocecc_hop *hop)
{
    const uint32_t second_ns = ROCECC_TELEMETRY_SECOND_NS;
    if (node->layout == ROCECC_IFA_LAYOUT_A) {
        const uint32_t ns =
            node->rx_timestamp_ns + node->residence_time; /* below 2 s if valid */
        if (rocecc_telemetry_ifa_has_(node, ROCECC_IFA_RX_SEC | ROCECC_IFA_RX_NS |
                                                ROCECC_IFA_RESIDENCE) &&
            node->residence_time < second_ns && node->rx_timestamp_ns < second_ns)
            rocecc_telemetry_set_ts_(
                hop, (node->rx_timestamp_sec + ns / second_ns) & 0xfffff,
                ns % second_ns);
    } else if (rocecc_telemetry_ifa_has_(node, ROCECC_IFA_TX_NS)) {
        if (config->ts_bits == 0) {
            rocecc_telemetry_set_ts_(hop, 0, node->tx_timestamp_ns);
        } else {
            hop->ts_ns = node->tx_timestamp_ns &
                         (rocecc_telemetry_modulus_(config->ts_bits, 32) - 1);
            hop->valid |= ROCECC_HOP_TS;
        }
    }
}

/*
 * Converts an IFA record to a hop. The hop's time is the departure time. In layout A,
 * this time is not reported if the nanoseconds or the residence time reach one second.
 * In layout B, it is not reported if the nanoseconds reach one second, unless the clock
 * is binary (ts_bits). In layout B, the rate is config->rate_bps. In layout A, the hop
 * has no rate if the speed code is missing or unknown. 800 Gb/s has no code, so this
 * rate must come from a table by id (rate.h).
 */
ROCECC_FN rocecc_hop rocecc_telemetry_ifa_load(const rocecc_telemetry_config *config,
                                               const rocecc_ifa_node *node)
{
    const uint64_t speed_bps = rocecc_ifa_speed_bps(node->speed);
    const bool a = node->layout == ROCECC_IFA_LAYOUT_A;
    const bool octets = node->layout == ROCECC_IFA_LAYOUT_B_OCTETS;
    const bool speed = (node->present & ROCECC_IFA_SPEED) != 0;
    rocecc_hop h = rocecc_telemetry_empty_hop_(!a      ? config->rate_bps
                                               : speed ? speed_bps
                                                       : 0);
    if (rocecc_telemetry_ifa_has_(node, ROCECC_IFA_EGRESS))
        rocecc_telemetry_set_id_(&h, node->device_id, node->egress_port);
    if (rocecc_telemetry_ifa_has_(node, ROCECC_IFA_QUEUE_LENGTH))
        rocecc_telemetry_set_queue_(&h, node->queue_length,
                                    octets ? 1 : config->queue_unit_bytes);
    if (rocecc_telemetry_ifa_has_(node, ROCECC_IFA_TX_BYTES))
        rocecc_telemetry_set_tx_(&h, node->tx_bytes,
                                 rocecc_telemetry_tx_mod_(config, a ? 32 : 40));
    rocecc_telemetry_ifa_set_ts_(config, node, &h);
    return h;
}

/*
 * Returns true if a hop has all items of a record (the rate may be missing), and if its
 * id and queue length fit their fields in node->layout. In layouts other than B_OCTETS,
 * the queue length also needs a configured unit.
 */
ROCECC_FN bool rocecc_telemetry_ifa_fits_(const rocecc_telemetry_config *config,
                                          const rocecc_hop *hop,
                                          const rocecc_ifa_node *node)
{
    const unsigned all =
        ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TX | ROCECC_HOP_TS;
    const unsigned bits = node->layout == ROCECC_IFA_LAYOUT_A ? 20 : 28;
    const bool octets = node->layout == ROCECC_IFA_LAYOUT_B_OCTETS;
    if ((hop->valid & all) != all || (hop->id >> 32) >> bits != 0 ||
        (hop->id & 0xffff0000u) != 0)
        return false;
    return octets ||
           (config->queue_unit_bytes != 0 &&
            rocecc_telemetry_queue_units_(hop, config->queue_unit_bytes) >> 16 == 0);
}

/*
 * Sets the items of a record from a hop. node->layout must not be NONE. The record's
 * arrival and departure times are equal. The caller must set LNS, TTL, queue id,
 * congestion and ingress. The time and the byte counter wrap around. Returns RANGE,
 * with *node unchanged, if the hop lacks an item other than the rate, if the id or the
 * queue length does not fit, or if the layout needs a queue unit but none is
 * configured.
 */
ROCECC_FN rocecc_status rocecc_telemetry_ifa_emit(const rocecc_telemetry_config *config,
                                                  const rocecc_hop *hop,
                                                  rocecc_ifa_node *node)
{
    const unsigned items = ROCECC_IFA_EGRESS | ROCECC_IFA_TX_BYTES |
                           ROCECC_IFA_QUEUE_LENGTH | ROCECC_IFA_RX_SEC |
                           ROCECC_IFA_RX_NS | ROCECC_IFA_TX_NS | ROCECC_IFA_RESIDENCE;
    const bool a = node->layout == ROCECC_IFA_LAYOUT_A;
    const bool octets = node->layout == ROCECC_IFA_LAYOUT_B_OCTETS;
    const uint64_t seconds = ROCECC_DIV64(hop->ts_ns, ROCECC_TELEMETRY_SECOND_NS);
    uint32_t ns = (uint32_t)(hop->ts_ns - seconds * ROCECC_TELEMETRY_SECOND_NS);
    if (!rocecc_telemetry_ifa_fits_(config, hop, node)) return ROCECC_ERR_RANGE;
    if (!a && config->ts_bits != 0)
        ns = (uint32_t)(hop->ts_ns &
                        (rocecc_telemetry_modulus_(config->ts_bits, 32) - 1));
    node->device_id = (uint32_t)(hop->id >> 32);
    node->egress_port = (uint16_t)hop->id;
    node->speed = ROCECC_IFA_SPEED_NONE;
    if (a && (hop->valid & ROCECC_HOP_RATE) != 0)
        node->speed = rocecc_ifa_speed_code(hop->rate_bps);
    node->queue_length =
        octets ? hop->queue_bytes
               : (uint32_t)rocecc_telemetry_queue_units_(hop, config->queue_unit_bytes);
    node->tx_bytes = hop->tx_bytes & (a ? 0xffffffff : 0xffffffffff);
    node->rx_timestamp_sec = a ? seconds & 0xfffff : seconds;
    node->rx_timestamp_ns = node->tx_timestamp_ns = ns;
    node->residence_time = 0;
    node->present = (uint16_t)((node->present & ~(unsigned)ROCECC_IFA_SPEED) | items);
    if (node->speed != ROCECC_IFA_SPEED_NONE) node->present |= ROCECC_IFA_SPEED;
    return ROCECC_OK;
}

#endif /* ROCECC_TELEMETRY_IFA_H */
