/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_TELEMETRY_IOAM_H
#define ROCECC_TELEMETRY_IOAM_H

/*
 * ioam.h - conversion between IOAM nodes (RFC 9197) and hops. telemetry.h has the table
 * of items.
 *
 *     3f000a01 00650066 3b9ac618 00000040 fffff000    node 0xa01, interface 102 (0x66),
 *                                                     999999000 ns, 64 units, tx bytes
 *
 * With a unit of 80 bytes, the queue length is 5120 bytes. The hop's id is
 * 0xa01_00000066.
 */
#include "../wire/ioam.h"
#include "telemetry.h"

/*
 * Sets the id from the wide fields. If a wide field is missing, or if its value needs
 * more than 32 bits, uses the short field instead.
 */
ROCECC_FN void rocecc_telemetry_ioam_set_id_(rocecc_hop *hop,
                                             const rocecc_ioam_node *node)
{
    uint64_t node_id = rocecc_ioam_get(node, ROCECC_IOAM_ITEM_NODE_ID_WIDE);
    uint64_t egress = rocecc_ioam_get(node, ROCECC_IOAM_ITEM_EGRESS_ID_WIDE);
    if (node_id >> 32 != 0) {
        if (!rocecc_ioam_has(node, ROCECC_IOAM_ITEM_NODE_ID)) return;
        node_id = rocecc_ioam_get(node, ROCECC_IOAM_ITEM_NODE_ID);
    }
    if (!rocecc_ioam_has(node, ROCECC_IOAM_ITEM_EGRESS_ID_WIDE)) {
        if (!rocecc_ioam_has(node, ROCECC_IOAM_ITEM_EGRESS_ID)) return;
        egress = rocecc_ioam_get(node, ROCECC_IOAM_ITEM_EGRESS_ID);
    }
    rocecc_telemetry_set_id_(hop, (uint32_t)node_id, (uint32_t)egress);
}

ROCECC_FN void rocecc_telemetry_ioam_set_ts_(const rocecc_telemetry_config *config,
                                             const rocecc_ioam_node *node,
                                             rocecc_hop *hop)
{
    const uint64_t fraction = rocecc_ioam_get(node, ROCECC_IOAM_ITEM_TIMESTAMP_FRAC);
    const uint64_t seconds = rocecc_ioam_get(node, ROCECC_IOAM_ITEM_TIMESTAMP_SEC);
    if (!rocecc_ioam_has(node, ROCECC_IOAM_ITEM_TIMESTAMP_FRAC)) return;
    if (config->seconds && !rocecc_ioam_has(node, ROCECC_IOAM_ITEM_TIMESTAMP_SEC))
        return;
    rocecc_telemetry_set_ts_(
        hop, config->seconds ? seconds : 0,
        rocecc_telemetry_fraction_ns_(config->clock, (uint32_t)fraction));
}

/*
 * Converts an IOAM node to a hop. A wide id that fits in 32 bits takes precedence over
 * the short id. If the speed code is missing or speeds_bps has no rate for it, the rate
 * is config->rate_bps. The time is reported only if the fraction is below one second
 * and, if config->seconds is set, the seconds are present. For HPCC++, the nodes must
 * write the departure time, not the arrival time of RFC 9197.
 */
ROCECC_FN rocecc_hop rocecc_telemetry_ioam_load(const rocecc_telemetry_config *config,
                                                const rocecc_ioam_node *node)
{
    const uint64_t code = rocecc_ioam_get(node, ROCECC_IOAM_ITEM_INTERFACE_SPEED);
    const uint64_t tx_bytes = rocecc_ioam_get(node, ROCECC_IOAM_ITEM_TX_BYTES);
    const uint64_t queue = rocecc_ioam_get(node, ROCECC_IOAM_ITEM_QUEUE_DEPTH);
    rocecc_hop h = rocecc_telemetry_empty_hop_(config->rate_bps);
    if (code < ROCECC_TELEMETRY_SPEEDS && config->speeds_bps[code] != 0)
        h = rocecc_telemetry_empty_hop_(config->speeds_bps[code]);
    rocecc_telemetry_ioam_set_id_(&h, node);
    if (rocecc_ioam_has(node, ROCECC_IOAM_ITEM_QUEUE_DEPTH))
        rocecc_telemetry_set_queue_(&h, (uint32_t)queue, config->queue_unit_bytes);
    if (rocecc_ioam_has(node, ROCECC_IOAM_ITEM_TX_BYTES))
        rocecc_telemetry_set_tx_(&h, tx_bytes, rocecc_telemetry_tx_mod_(config, 32));
    rocecc_telemetry_ioam_set_ts_(config, node, &h);
    return h;
}

/* Converts a node's five words for trace type bits 0, 1, 3, 6 and 12 to a hop. */
ROCECC_FN rocecc_hop rocecc_telemetry_ioam_load_hpcc_(
    const rocecc_telemetry_config *config, const uint8_t *bytes)
{
    const uint32_t node = rocecc_load32(bytes) & 0xffffff,
                   egress = rocecc_load16(bytes + 6);
    const uint32_t fraction = rocecc_load32(bytes + 8),
                   queue = rocecc_load32(bytes + 12);
    const uint32_t tx_bytes = rocecc_load32(bytes + 16);
    rocecc_hop h = rocecc_telemetry_empty_hop_(config->rate_bps);
    if (node != 0xffffff && egress != 0xffff)
        rocecc_telemetry_set_id_(&h, node, egress);
    if (queue != UINT32_MAX)
        rocecc_telemetry_set_queue_(&h, queue, config->queue_unit_bytes);
    if (tx_bytes != UINT32_MAX)
        rocecc_telemetry_set_tx_(&h, tx_bytes, rocecc_telemetry_tx_mod_(config, 32));
    if (fraction != UINT32_MAX && !config->seconds)
        rocecc_telemetry_set_ts_(
            &h, 0, rocecc_telemetry_fraction_ns_(config->clock, fraction));
    return h;
}

ROCECC_FN void rocecc_telemetry_ioam_store_id_(const rocecc_hop *hop,
                                               rocecc_ioam_node *node)
{
    const uint64_t node_id = hop->id >> 32, egress = hop->id & UINT32_MAX;
    (void)rocecc_ioam_set(node, ROCECC_IOAM_ITEM_NODE_ID_WIDE, node_id);
    (void)rocecc_ioam_set(node, ROCECC_IOAM_ITEM_EGRESS_ID_WIDE, egress);
    (void)rocecc_ioam_set(node, ROCECC_IOAM_ITEM_NODE_ID, node_id);
    (void)rocecc_ioam_set(node, ROCECC_IOAM_ITEM_EGRESS_ID, egress);
}

/*
 * Stores the first speed code for a rate, or "not populated" if no code has this rate.
 */
ROCECC_FN void rocecc_telemetry_ioam_store_speed_(const rocecc_telemetry_config *config,
                                                  uint64_t rate_bps,
                                                  rocecc_ioam_node *node)
{
    uint8_t code;
    if (rate_bps == 0) return;
    for (code = 0; code < ROCECC_TELEMETRY_SPEEDS; code++)
        if (config->speeds_bps[code] == rate_bps) break;
    (void)rocecc_ioam_set(node, ROCECC_IOAM_ITEM_INTERFACE_SPEED, code);
}

ROCECC_FN void rocecc_telemetry_ioam_clear_(rocecc_ioam_node *node)
{
    rocecc_ioam_clear(node, ROCECC_IOAM_ITEM_NODE_ID);
    rocecc_ioam_clear(node, ROCECC_IOAM_ITEM_EGRESS_ID);
    rocecc_ioam_clear(node, ROCECC_IOAM_ITEM_TIMESTAMP_SEC);
    rocecc_ioam_clear(node, ROCECC_IOAM_ITEM_TIMESTAMP_FRAC);
    rocecc_ioam_clear(node, ROCECC_IOAM_ITEM_QUEUE_DEPTH);
    rocecc_ioam_clear(node, ROCECC_IOAM_ITEM_NODE_ID_WIDE);
    rocecc_ioam_clear(node, ROCECC_IOAM_ITEM_EGRESS_ID_WIDE);
    rocecc_ioam_clear(node, ROCECC_IOAM_ITEM_TX_BYTES);
    rocecc_ioam_clear(node, ROCECC_IOAM_ITEM_INTERFACE_SPEED);
}

/*
 * Sets the items of a node from a hop, with the ids in both widths. When the node is
 * written, the trace type determines which items are included. An item is absent if the
 * hop does not report it, or if the configuration has no unit or code for it. An id,
 * queue depth or number of seconds is also absent if it is all ones or wider than its
 * field. The byte counter wraps around, and is reduced by 1 if it is all ones. The
 * caller must set all other items.
 */
ROCECC_FN void rocecc_telemetry_ioam_store(const rocecc_telemetry_config *config,
                                           const rocecc_hop *hop,
                                           rocecc_ioam_node *node)
{
    const uint64_t units = rocecc_telemetry_queue_units_(hop, config->queue_unit_bytes);
    uint64_t seconds;
    rocecc_telemetry_ioam_clear_(node);
    if ((hop->valid & ROCECC_HOP_ID) != 0) rocecc_telemetry_ioam_store_id_(hop, node);
    if ((hop->valid & ROCECC_HOP_RATE) != 0)
        rocecc_telemetry_ioam_store_speed_(config, hop->rate_bps, node);
    if ((hop->valid & ROCECC_HOP_QUEUE) != 0 && config->queue_unit_bytes != 0 &&
        units < UINT32_MAX)
        (void)rocecc_ioam_set(node, ROCECC_IOAM_ITEM_QUEUE_DEPTH, units);
    if ((hop->valid & ROCECC_HOP_TX) != 0)
        (void)rocecc_ioam_set(node, ROCECC_IOAM_ITEM_TX_BYTES,
                              hop->tx_bytes & UINT32_MAX);
    if ((hop->valid & ROCECC_HOP_TS) == 0) return;
    seconds = ROCECC_DIV64(hop->ts_ns, ROCECC_TELEMETRY_SECOND_NS);
    (void)rocecc_ioam_set(
        node, ROCECC_IOAM_ITEM_TIMESTAMP_FRAC,
        rocecc_telemetry_fraction_(config->clock,
                                   hop->ts_ns - seconds * ROCECC_TELEMETRY_SECOND_NS));
    if (seconds < UINT32_MAX)
        (void)rocecc_ioam_set(node, ROCECC_IOAM_ITEM_TIMESTAMP_SEC, seconds);
}

#endif /* ROCECC_TELEMETRY_IOAM_H */
