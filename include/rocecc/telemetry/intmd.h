/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ROCECC_TELEMETRY_INTMD_H
#define ROCECC_TELEMETRY_INTMD_H

/*
 * intmd.h - conversion between INT-MD nodes and hops. telemetry.h has the table of
 * items. INT dataplane specification 2.1.
 *
 *     00000a01 00650066 03000040 17979cfe 71c4c618 0000251c
 *
 * With util_one = 10000, this node's utilisation is 9500 of 10000, or 996147 in Q20.
 */
#include "../wire/intmd.h"
#include "telemetry.h"

/* Converts an INT-MD timestamp to ns. The result wraps at ts_mod_ns. */
ROCECC_FN uint64_t rocecc_telemetry_intmd_ns_(const rocecc_telemetry_config *config,
                                              uint64_t timestamp)
{
    if (config->clock == ROCECC_TELEMETRY_CLOCK_NTP)
        return (timestamp >> 32) * ROCECC_TELEMETRY_SECOND_NS +
               rocecc_telemetry_fraction_ns_(config->clock, (uint32_t)timestamp);
    if (config->ts_bits != 0)
        timestamp &= rocecc_telemetry_modulus_(config->ts_bits, 54) - 1;
    return timestamp * rocecc_telemetry_unit_ns_(config);
}

/* Converts ns to an INT-MD timestamp. */
ROCECC_FN uint64_t rocecc_telemetry_intmd_time_(const rocecc_telemetry_config *config,
                                                uint64_t ts_ns)
{
    const uint64_t seconds = ROCECC_DIV64(ts_ns, ROCECC_TELEMETRY_SECOND_NS);
    if (config->clock == ROCECC_TELEMETRY_CLOCK_NTP)
        return seconds << 32 |
               rocecc_telemetry_fraction_(config->clock,
                                          ts_ns - seconds * ROCECC_TELEMETRY_SECOND_NS);
    ts_ns = ROCECC_DIV64(ts_ns, rocecc_telemetry_unit_ns_(config));
    if (config->ts_bits != 0)
        ts_ns &= rocecc_telemetry_modulus_(config->ts_bits, 54) - 1;
    return ts_ns;
}

/*
 * Sets the utilisation to used / full in Q20, limited to 2^32 - 1. Does nothing if
 * `full` is 0.
 */
ROCECC_FN void rocecc_telemetry_intmd_set_util_(rocecc_hop *hop, uint64_t used,
                                                uint32_t full)
{
    if (full == 0) return;
    hop->util_q20 =
        (uint32_t)rocecc_min(ROCECC_DIV64((used << 20) + full / 2, full), UINT32_MAX);
    hop->valid |= ROCECC_HOP_UTIL;
}

/*
 * Converts an INT-MD node to a hop. The id contains the level 1 egress interface or, if
 * that is not reported, the level 2 egress interface. A field of all ones counts as not
 * reported, even if another field in the same word is reported.
 */
ROCECC_FN rocecc_hop rocecc_telemetry_intmd_load(const rocecc_telemetry_config *config,
                                                 const rocecc_intmd_node *node)
{
    const uint64_t used =
        rocecc_intmd_get(node, ROCECC_INTMD_ITEM_EGRESS_TX_UTILIZATION);
    const uint32_t node_id = node->word[0];
    rocecc_hop h = rocecc_telemetry_empty_hop_(config->rate_bps);
    if (rocecc_intmd_has(node, ROCECC_INTMD_ITEM_NODE_ID)) {
        if (rocecc_intmd_has(node, ROCECC_INTMD_ITEM_EGRESS_ID))
            rocecc_telemetry_set_id_(
                &h, node_id,
                (uint32_t)rocecc_intmd_get(node, ROCECC_INTMD_ITEM_EGRESS_ID));
        else if (rocecc_intmd_has(node, ROCECC_INTMD_ITEM_L2_EGRESS_ID))
            rocecc_telemetry_set_id_(
                &h, node_id,
                (uint32_t)rocecc_intmd_get(node, ROCECC_INTMD_ITEM_L2_EGRESS_ID));
    }
    if (rocecc_intmd_has(node, ROCECC_INTMD_ITEM_QUEUE_OCCUPANCY))
        rocecc_telemetry_set_queue_(
            &h, (uint32_t)rocecc_intmd_get(node, ROCECC_INTMD_ITEM_QUEUE_OCCUPANCY),
            config->queue_unit_bytes);
    if (rocecc_intmd_has(node, ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP)) {
        h.ts_ns = rocecc_telemetry_intmd_ns_(
            config, rocecc_intmd_get(node, ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP));
        h.valid |= ROCECC_HOP_TS;
    }
    if (rocecc_intmd_has(node, ROCECC_INTMD_ITEM_EGRESS_TX_UTILIZATION))
        rocecc_telemetry_intmd_set_util_(&h, used, config->util_one);
    return h;
}

/* Converts a node's six words for instructions 0, 1, 3, 5 and 7 to a hop. */
ROCECC_FN rocecc_hop rocecc_telemetry_intmd_load_hpcc_(
    const rocecc_telemetry_config *config, const uint8_t *bytes)
{
    const uint32_t node = rocecc_load32(bytes), egress = rocecc_load16(bytes + 6);
    const uint32_t queue = rocecc_load32(bytes + 8) & 0xffffff;
    const uint64_t timestamp = rocecc_load64(bytes + 12);
    const uint32_t used = rocecc_load32(bytes + 20);
    rocecc_hop h = rocecc_telemetry_empty_hop_(config->rate_bps);
    if (node != UINT32_MAX && egress != 0xffff)
        rocecc_telemetry_set_id_(&h, node, egress);
    if (queue != 0xffffff)
        rocecc_telemetry_set_queue_(&h, queue, config->queue_unit_bytes);
    if (timestamp != UINT64_MAX) {
        h.ts_ns = rocecc_telemetry_intmd_ns_(config, timestamp);
        h.valid |= ROCECC_HOP_TS;
    }
    if (used != UINT32_MAX)
        rocecc_telemetry_intmd_set_util_(&h, used, config->util_one);
    return h;
}

/*
 * Stores the hop's id. If a level's field cannot hold the egress interface, clears both
 * interfaces of this level.
 */
ROCECC_FN void rocecc_telemetry_intmd_store_id_(const rocecc_hop *hop,
                                                rocecc_intmd_node *node)
{
    const uint32_t egress = (uint32_t)hop->id;
    (void)rocecc_intmd_set(node, ROCECC_INTMD_ITEM_NODE_ID, hop->id >> 32);
    if (egress != UINT32_MAX)
        (void)rocecc_intmd_set(node, ROCECC_INTMD_ITEM_L2_EGRESS_ID, egress);
    else
        rocecc_intmd_clear(node, ROCECC_INTMD_ITEM_L2_INTERFACES);
    if (egress < 0xffff)
        (void)rocecc_intmd_set(node, ROCECC_INTMD_ITEM_EGRESS_ID, egress);
    else
        rocecc_intmd_clear(node, ROCECC_INTMD_ITEM_INTERFACES);
}

/*
 * Sets the items of a node that rocecc_intmd_node_init() has initialised. Clears an
 * item if the hop does not report it, if the configuration has no unit for it, or if
 * the item's value is all ones or too wide. The time wraps around. The caller must set
 * QUEUE_ID and the ingress interfaces. Clearing the occupancy also clears QUEUE_ID.
 * Clearing a level's egress interface also clears that level's ingress interface.
 */
ROCECC_FN void rocecc_telemetry_intmd_store(const rocecc_telemetry_config *config,
                                            const rocecc_hop *hop,
                                            rocecc_intmd_node *node)
{
    const uint64_t units = rocecc_telemetry_queue_units_(hop, config->queue_unit_bytes);
    const uint64_t used =
        ((uint64_t)hop->util_q20 * config->util_one + (1u << 19)) >> 20;
    if ((hop->valid & ROCECC_HOP_ID) != 0) {
        rocecc_telemetry_intmd_store_id_(hop, node);
    } else {
        rocecc_intmd_clear(node, ROCECC_INTMD_ITEM_NODE_ID);
        rocecc_intmd_clear(node, ROCECC_INTMD_ITEM_INTERFACES);
        rocecc_intmd_clear(node, ROCECC_INTMD_ITEM_L2_INTERFACES);
    }
    if ((hop->valid & ROCECC_HOP_QUEUE) != 0 && config->queue_unit_bytes != 0 &&
        units < 0xffffff)
        (void)rocecc_intmd_set(node, ROCECC_INTMD_ITEM_QUEUE_OCCUPANCY, units);
    else
        rocecc_intmd_clear(node, ROCECC_INTMD_ITEM_QUEUE);
    rocecc_intmd_clear(node, ROCECC_INTMD_ITEM_EGRESS_TX_UTILIZATION);
    if ((hop->valid & ROCECC_HOP_UTIL) != 0 && config->util_one != 0)
        (void)rocecc_intmd_set(node, ROCECC_INTMD_ITEM_EGRESS_TX_UTILIZATION, used);
    rocecc_intmd_clear(node, ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP);
    if ((hop->valid & ROCECC_HOP_TS) != 0)
        (void)rocecc_intmd_set(node, ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP,
                               rocecc_telemetry_intmd_time_(config, hop->ts_ns));
}

#endif /* ROCECC_TELEMETRY_INTMD_H */
