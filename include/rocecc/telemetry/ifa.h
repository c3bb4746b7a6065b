/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_TELEMETRY_IFA_H
#define ROCECC_TELEMETRY_IFA_H

/*
 * ifa.h - the hop that an IFA record tells of, and the record of a hop.
 * telemetry.h has what each item becomes. draft-kumar-ippm-ifa.
 *
 *     100a013f 40312345 00660065 3b9ac230 000003e8 fffff000 00000040 0001f400
 *
 * layout A, in cells of 256 bytes: device 0xa01, egress 102, 100 Gb/s, a queue of 16384
 * bytes, at 0x12345 s and 999998000 + 1000 ns.
 */
#include "../wire/ifa.h"
#include "telemetry.h"

/* Whether a record has all of these items. */
ROCECC_FN bool rocecc_telemetry_ifa_has_(const rocecc_ifa_node *node, uint32_t items)
{
    return (node->present & items) == items;
}

/* When the packet left. */
ROCECC_FN void rocecc_telemetry_ifa_set_ts_(const rocecc_telemetry_config *config,
                                            const rocecc_ifa_node *node,
                                            rocecc_hop *hop)
{
    const uint32_t second_ns = ROCECC_TELEMETRY_SECOND_NS;
    if (node->layout == ROCECC_IFA_LAYOUT_A) {
        const uint32_t ns =
            node->rx_timestamp_ns + node->residence_time; /* if below 2 s */
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
 * The hop of an IFA record. The time is that of the departure; a residence of a second
 * and more, which devices have been seen to write, leaves it unreported. Layout A always
 * has a speed: a code outside the table leaves the rate unreported, and never becomes
 * config->rate_bps, which belongs to records without a speed (layout B). A link of 800
 * Gb/s has no code, so its rate must come from a table by id (rate.h).
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

/* Whether a record of node's layout has room for all that it has to say. */
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
 * The items of a record of node->layout; of A it arrives when it departs. LNS, TTL,
 * queue, congestion and ingress are the caller's. RANGE: an item is not valid or does
 * not fit its field, where a record cannot leave it out; only a rate it can.
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
