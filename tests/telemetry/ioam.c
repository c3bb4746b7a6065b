/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ioam.c - tests conversions between hops and IOAM nodes, and a trace's path. Expected
 * values are calculated by hand.
 */
#include "lib/test.h"
#include "rocecc/telemetry/path.h"

#include <string.h>

#define G UINT64_C(1000000000)

/*
 * In a node with another hop's values, an empty hop clears each item in both widths.
 * Hop_Lim and the ingress interfaces are the caller's, and do not change.
 */
TEST(ioam_store_of_an_empty_hop_clears_its_items)
{
    static const rocecc_ioam_item taken[] = {
        ROCECC_IOAM_ITEM_NODE_ID,        ROCECC_IOAM_ITEM_EGRESS_ID,
        ROCECC_IOAM_ITEM_TIMESTAMP_SEC,  ROCECC_IOAM_ITEM_TIMESTAMP_FRAC,
        ROCECC_IOAM_ITEM_QUEUE_DEPTH,    ROCECC_IOAM_ITEM_NODE_ID_WIDE,
        ROCECC_IOAM_ITEM_EGRESS_ID_WIDE, ROCECC_IOAM_ITEM_TX_BYTES,
        ROCECC_IOAM_ITEM_INTERFACE_SPEED};
    const rocecc_hop h = ROCECC_ZERO;
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_ioam_node n;
    size_t i;
    c.queue_unit_bytes = 80;
    memset(&n, 0, sizeof n);
    for (i = 0; i < sizeof taken / sizeof *taken; i++)
        CHECK(rocecc_ioam_has(&n, taken[i]));
    rocecc_telemetry_ioam_store(&c, &h, &n);
    for (i = 0; i < sizeof taken / sizeof *taken; i++) {
        test_context("item %zu", i);
        CHECK(!rocecc_ioam_has(&n, taken[i]));
    }
    CHECK(rocecc_ioam_has(&n, ROCECC_IOAM_ITEM_INGRESS_ID));
    CHECK(rocecc_ioam_has(&n, ROCECC_IOAM_ITEM_INGRESS_ID_WIDE));
    CHECK_EQ(n.word[0] >> 24, 0); /* Hop_Lim */
    CHECK_EQ(n.word[8] >> 24, 0);
}

/*
 * IOAM: the last speed code is 62. A rate of 0 has no code, although unused codes are
 * 0. A queue without a unit is absent.
 */
TEST(ioam_speed_needs_a_code_and_a_queue_needs_a_unit)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hop h = ROCECC_ZERO;
    rocecc_ioam_node n;
    c.speeds_bps[62] = 100 * G;
    rocecc_ioam_node_init(&n);
    CHECK_EQ(rocecc_ioam_set(&n, ROCECC_IOAM_ITEM_INTERFACE_SPEED, 62), ROCECC_OK);
    CHECK_EQ(rocecc_telemetry_ioam_load(&c, &n).rate_bps, 100 * G);
    h.valid = ROCECC_HOP_RATE | ROCECC_HOP_QUEUE;
    h.queue_bytes = 8000;
    rocecc_telemetry_ioam_store(&c, &h, &n);
    CHECK(!rocecc_ioam_has(&n, ROCECC_IOAM_ITEM_INTERFACE_SPEED));
    CHECK(!rocecc_ioam_has(&n, ROCECC_IOAM_ITEM_QUEUE_DEPTH));
    h.rate_bps = 100 * G;
    c.queue_unit_bytes = 80;
    rocecc_telemetry_ioam_store(&c, &h, &n);
    CHECK_EQ(rocecc_ioam_get(&n, ROCECC_IOAM_ITEM_INTERFACE_SPEED), 62);
    CHECK_EQ(rocecc_ioam_get(&n, ROCECC_IOAM_ITEM_QUEUE_DEPTH), 100);
}

/* The last of HPCC++'s five words counts bytes only if tx_bytes is bit 12. */
TEST(ioam_counter_is_read_at_its_configured_bit)
{
    static const uint8_t b[] = {0, 0, 5 << 3, 0, 0xd2, 8, 0, 0, 64, 0, 0, 7, 0, 1,
                                0, 2, 0,      0, 0,    9, 0, 0, 0,  3, 0, 0, 0, 6};
    const rocecc_telemetry_config c = ROCECC_ZERO;
    uint8_t bit;
    for (bit = 11; bit <= 13; bit++) {
        rocecc_telemetry_path path = {7, 7};
        rocecc_ioam_config ioam = ROCECC_ZERO;
        rocecc_ioam_option o;
        rocecc_ioam_view v;
        rocecc_hop hop[1];
        o.reserved = 0;
        o.opt_type = ROCECC_IOAM_PREALLOCATED;
        o.data = rocecc_reader_of(b, b + sizeof b);
        ioam.tx_bytes_bit = 12;
        CHECK_EQ(rocecc_ioam_view_parse(&ioam, &o, &v), ROCECC_OK);
        v.config.tx_bytes_bit = bit;
        v.config.interface_bit = bit == 12 ? 0 : 12; /* interface items at bit 12 */
        test_context("bit %u", bit);
        CHECK_EQ(rocecc_telemetry_ioam_path(&c, &v, hop, 1, &path), ROCECC_OK);
        CHECK_EQ(path.n, 1);
        CHECK_EQ(hop[0].id, UINT64_C(7) << 32 | 2);
        CHECK_EQ(hop[0].ts_ns, 9);
        CHECK_EQ(hop[0].valid & ROCECC_HOP_TX, bit == 12 ? ROCECC_HOP_TX : 0);
        CHECK_EQ(hop[0].tx_bytes, bit == 12 ? 6 : 0);
    }
}

/*
 * IOAM: bits 0, 1, 3 and 6, and all bits after bit 12, with nine unknown words and an
 * empty snapshot. None of them counts bytes.
 */
TEST(ioam_words_after_the_counter_count_no_bytes)
{
    static const uint32_t words[] = {13 << 11,   /* NodeLen */
                                     0xd207ff00, /* trace type */
                                     0x40000007, /* Hop_Lim, node */
                                     0x00010002, /* interfaces */
                                     9,          /* ns */
                                     3,          /* queue */
                                     6,          6,          6,  6, 6, 6,         6, 6,
                                     6,          0x00123456, /* the snapshot's schema */
                                     0x3f000008, 0x00030004, 10, 4, 6, 6,         6, 6,
                                     6,          6,          6,  6, 6, 0x00123456};
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_ioam_config ioam = ROCECC_ZERO;
    rocecc_telemetry_path path = {7, 7};
    uint8_t b[4 * sizeof words / sizeof *words];
    rocecc_ioam_option o;
    rocecc_ioam_view v;
    rocecc_hop hops[2];
    size_t i;
    for (i = 0; i < sizeof words / sizeof *words; i++)
        rocecc_store32(b + 4 * i, words[i]);
    o.reserved = 0;
    o.opt_type = ROCECC_IOAM_PREALLOCATED;
    o.data = rocecc_reader_of(b, b + sizeof b);
    ioam.tx_bytes_bit = 12;
    c.queue_unit_bytes = 80;
    CHECK_EQ(rocecc_ioam_view_parse(&ioam, &o, &v), ROCECC_OK);
    CHECK_EQ(rocecc_telemetry_ioam_path(&c, &v, hops, 2, &path), ROCECC_OK);
    CHECK_EQ(path.n, 2);
    for (i = 0; i < 2; i++) {
        CHECK_EQ(hops[i].valid, ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TS);
        CHECK_EQ(hops[i].id, (UINT64_C(8) - i) << 32 | (4 - 2 * i));
        CHECK_EQ(hops[i].queue_bytes, (4 - i) * 80);
        CHECK_EQ(hops[i].ts_ns, 10 - i);
    }
}

/*
 * In HPCC++'s nodes, Hop_Lim 62, unknown and 64 show no gap, because an unknown Hop_Lim
 * is not compared. 62, 63 and 65 show one.
 */
TEST(ioam_unknown_hop_limit_is_not_compared)
{
    static const uint8_t limits[2][3] = {{62, 255, 64}, {62, 63, 65}};
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_ioam_config ioam = ROCECC_ZERO;
    unsigned i, k;
    c.every_node = true;
    ioam.tx_bytes_bit = 12;
    for (i = 0; i < 2; i++) {
        uint8_t b[8 + 60] = {0, 0, 5 << 3, 0, 0xd2, 0x08, 0, 0};
        rocecc_telemetry_path path = {7, 7};
        rocecc_ioam_option o;
        rocecc_ioam_view v;
        rocecc_hop hops[3];
        for (k = 0; k < 3; k++)
            b[8 + 20 * k] = limits[i][k];
        o.reserved = 0;
        o.opt_type = ROCECC_IOAM_PREALLOCATED;
        o.data = rocecc_reader_of(b, b + sizeof b);
        CHECK_EQ(rocecc_ioam_view_parse(&ioam, &o, &v), ROCECC_OK);
        CHECK_EQ(rocecc_telemetry_ioam_path(&c, &v, hops, 3, &path), ROCECC_OK);
        CHECK_EQ(path.n, 3);
        CHECK_EQ(path.complete,
                 i == 0 ? ROCECC_TELEMETRY_COMPLETE_YES : ROCECC_TELEMETRY_COMPLETE_NO);
    }
}

/* Codes 4 and 9 have the same rate, and a node writes 4. */
TEST(ioam_speed_is_the_first_of_equal_codes)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hop h = ROCECC_ZERO;
    rocecc_ioam_node n;
    c.speeds_bps[4] = c.speeds_bps[9] = 100 * G;
    h.rate_bps = 100 * G;
    h.valid = ROCECC_HOP_RATE;
    rocecc_ioam_node_init(&n);
    rocecc_telemetry_ioam_store(&c, &h, &n);
    CHECK_EQ(rocecc_ioam_get(&n, ROCECC_IOAM_ITEM_INTERFACE_SPEED), 4);
}

/* 2^32 - 1 s and 2^32 s are unknown seconds, but their 7 ns are written. */
TEST(ioam_fraction_is_written_beside_unknown_seconds)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hop h = ROCECC_ZERO;
    uint64_t seconds;
    h.valid = ROCECC_HOP_TS;
    for (seconds = 0xfffffffe; seconds <= 0x100000000; seconds++) {
        const bool fits = seconds == 0xfffffffe;
        rocecc_ioam_node n;
        rocecc_ioam_node_init(&n);
        h.ts_ns = seconds * G + 7;
        rocecc_telemetry_ioam_store(&c, &h, &n);
        test_context("0x%llx s", (unsigned long long)seconds);
        CHECK_EQ(rocecc_ioam_has(&n, ROCECC_IOAM_ITEM_TIMESTAMP_SEC), fits);
        CHECK_EQ(rocecc_ioam_get(&n, ROCECC_IOAM_ITEM_TIMESTAMP_FRAC), 7);
        c.seconds = false;
        CHECK_EQ(rocecc_telemetry_ioam_load(&c, &n).ts_ns, 7);
        c.seconds = true;
        CHECK_EQ(rocecc_telemetry_ioam_load(&c, &n).valid, fits ? ROCECC_HOP_TS : 0);
    }
}

/* 2^33 - 1 bytes have 32 low bits of ones, so one less is written. */
TEST(ioam_counter_wraps_before_all_ones_become_one_less)
{
    const rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hop h = ROCECC_ZERO;
    rocecc_ioam_node n;
    rocecc_ioam_node_init(&n);
    h.valid = ROCECC_HOP_TX;
    h.tx_bytes = UINT64_C(0x1ffffffff);
    rocecc_telemetry_ioam_store(&c, &h, &n);
    CHECK_EQ(rocecc_ioam_get(&n, ROCECC_IOAM_ITEM_TX_BYTES), 0xfffffffe);
    h.tx_bytes++;
    rocecc_telemetry_ioam_store(&c, &h, &n);
    CHECK_EQ(rocecc_ioam_get(&n, ROCECC_IOAM_ITEM_TX_BYTES), 0);
}
