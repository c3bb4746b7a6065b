/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * telemetry_intmd_edges.c - what a node of INT-MD says of a hop at the edge of what its
 * fields hold. Expected values are arithmetic by hand.
 */
#include "lib/test.h"
#include "rocecc/role/telemetry_intmd.h"

#include <string.h>

/* Of a hop that knows nothing each item is taken away: the interfaces of both levels,
 * and the ingress ones with them, as a word that is not there is all ones. */
TEST(telemetry_intmd_edges_a_hop_that_knows_nothing_of_int)
{
    static const rocecc_intmd_item taken[] = {ROCECC_INTMD_ITEM_NODE_ID,
                                              ROCECC_INTMD_ITEM_INTERFACES,
                                              ROCECC_INTMD_ITEM_QUEUE,
                                              ROCECC_INTMD_ITEM_L2_INTERFACES,
                                              ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP,
                                              ROCECC_INTMD_ITEM_EGRESS_TX_UTILIZATION};
    const rocecc_hop h = ROCECC_ZERO;
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_intmd_node n;
    size_t i;
    c.queue_unit_bytes = 80;
    c.util_one = 100;
    memset(&n, 0, sizeof n);
    rocecc_telemetry_intmd_store(&c, &h, &n);
    for (i = 0; i < sizeof taken / sizeof *taken; i++) {
        test_context("item %zu", i);
        CHECK(!rocecc_intmd_has(&n, taken[i]));
    }
}

/* INT: a utilisation to the nearest part of util_one, halves up: 5,243 of 2^20 are
 * 0.50001 of a hundredth, 5,242 are 0.49992. Without util_one there is none. */
TEST(telemetry_intmd_edges_a_utilisation_is_rounded)
{
    static const uint32_t util[][3] = {
        {100, 5242, 0}, {100, 5243, 1}, {2, 262143, 0}, {2, 262144, 1}};
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hop h = ROCECC_ZERO;
    rocecc_intmd_node n;
    size_t i;
    h.valid = ROCECC_HOP_UTIL;
    for (i = 0; i < sizeof util / sizeof *util; i++) {
        c.util_one = util[i][0];
        h.util_q20 = util[i][1];
        rocecc_intmd_node_init(&n);
        rocecc_telemetry_intmd_store(&c, &h, &n);
        test_context("row %zu", i);
        CHECK_EQ(rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_EGRESS_TX_UTILIZATION),
                 util[i][2]);
    }
    c.util_one = 0;
    rocecc_telemetry_intmd_store(&c, &h, &n);
    CHECK(!rocecc_intmd_has(&n, ROCECC_INTMD_ITEM_EGRESS_TX_UTILIZATION));
}

/* INT: a clock of 32 bits writes the low ones, in its own unit; one of 64 all. */
TEST(telemetry_intmd_edges_a_clock_that_is_cut)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hop h = ROCECC_ZERO;
    unsigned bits, us;
    h.valid = ROCECC_HOP_TS;
    for (bits = 0; bits <= 32; bits += 32)
        for (us = 0; us < 2; us++) {
            rocecc_intmd_node n;
            rocecc_intmd_node_init(&n);
            c.ts_bits = (uint8_t)bits;
            c.clock = us ? ROCECC_TELEMETRY_CLOCK_POSIX : ROCECC_TELEMETRY_CLOCK_PTP;
            h.ts_ns = ((UINT64_C(1) << 32) + 5) * (us ? 1000 : 1);
            rocecc_telemetry_intmd_store(&c, &h, &n);
            CHECK_EQ(rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP),
                     bits == 32 ? 5 : (UINT64_C(1) << 32) + 5);
        }
}

/* INT: 24 bits of all ones are no queue, and then its id is not there, either. */
TEST(telemetry_intmd_edges_the_longest_queue)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hop h = ROCECC_ZERO;
    h.valid = ROCECC_HOP_QUEUE;
    c.queue_unit_bytes = 1;
    for (h.queue_bytes = 0xfffffe; h.queue_bytes <= 0x1000000; h.queue_bytes++) {
        rocecc_intmd_node n;
        rocecc_intmd_node_init(&n);
        CHECK_EQ(rocecc_intmd_set(&n, ROCECC_INTMD_ITEM_QUEUE_ID, 3), ROCECC_OK);
        rocecc_telemetry_intmd_store(&c, &h, &n);
        CHECK_EQ(n.word[3], h.queue_bytes == 0xfffffe ? 0x03fffffe : UINT32_MAX);
    }
}

/* INT: without a unit a queue is not there, which is not a queue of 0. */
TEST(telemetry_intmd_edges_a_queue_without_a_unit)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hop h = ROCECC_ZERO;
    unsigned unit;
    h.queue_bytes = 8000;
    h.valid = ROCECC_HOP_QUEUE;
    for (unit = 0; unit < 2; unit++) {
        rocecc_intmd_node n;
        rocecc_intmd_node_init(&n);
        c.queue_unit_bytes = unit * 80;
        rocecc_telemetry_intmd_store(&c, &h, &n);
        CHECK_EQ(rocecc_intmd_has(&n, ROCECC_INTMD_ITEM_QUEUE_OCCUPANCY), unit);
        if (unit)
            CHECK_EQ(rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_QUEUE_OCCUPANCY), 100);
    }
}
