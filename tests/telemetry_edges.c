/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * telemetry_edges.c - hops at the edge of what a record or a configuration can say:
 * clocks of any number of bits, items that a hop does not have, views that no packet
 * has. Expected values are arithmetic by hand.
 */
#include "lib/test.h"
#include "rocecc/telemetry/path.h"

#include <string.h>

#define G UINT64_C(1000000000)

/* ts_bits of 1 to 54: INT-MD has them all, IFA B no more than its field of 32. */
TEST(telemetry_edges_clocks_of_any_bits)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    unsigned bits;
    for (bits = 1; bits <= 54; bits++) {
        c.ts_bits = (uint8_t)bits;
        test_context("%u bits", bits);
        CHECK_EQ(rocecc_telemetry_init(&c), ROCECC_OK);
        CHECK_EQ(
            rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IFA_B, G, 0).ts_mod_ns,
            UINT64_C(1) << (bits < 32 ? bits : 32));
        CHECK_EQ(
            rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_INTMD, G, 0).ts_mod_ns,
            UINT64_C(1) << bits);
    }
}

/* tx_bits of 1 to 40: IFA B has them all, IOAM and IFA A no more than 32. */
TEST(telemetry_edges_counters_of_any_bits)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    unsigned bits;
    for (bits = 1; bits <= 40; bits++) {
        const uint64_t narrow = UINT64_C(1) << (bits < 32 ? bits : 32);
        c.tx_bits = (uint8_t)bits;
        test_context("%u bits", bits);
        CHECK_EQ(rocecc_telemetry_init(&c), ROCECC_OK);
        CHECK_EQ(rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IOAM, G, 0)
                     .tx_mod_bytes,
                 narrow);
        CHECK_EQ(rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IFA_A, G, 0)
                     .tx_mod_bytes,
                 narrow);
        CHECK_EQ(rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IFA_B, G, 0)
                     .tx_mod_bytes,
                 UINT64_C(1) << bits);
    }
}

/* A node of IOAM that another hop was written into: of one that knows nothing each item
 * is taken away, of both widths; Hop_Lim and the ingress interfaces are the caller's.
 */
TEST(telemetry_edges_a_hop_that_knows_nothing)
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

/* IOAM: the last code of a speed is 62; a rate of 0 is no speed, though codes that say
 * nothing are 0 as well; and a queue without a unit is not there. */
TEST(telemetry_edges_codes_and_units_of_ioam)
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

/* IFA A: a record leaves a rate out that the hop does not report. */
TEST(telemetry_edges_a_rate_that_is_not_reported)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hop h = ROCECC_ZERO;
    unsigned rate;
    c.queue_unit_bytes = 80;
    h.rate_bps = 100 * G;
    for (rate = 0; rate < 2; rate++) {
        rocecc_ifa_node n;
        memset(&n, 0, sizeof n);
        n.layout = ROCECC_IFA_LAYOUT_A;
        h.valid = ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TX | ROCECC_HOP_TS;
        if (rate) h.valid |= ROCECC_HOP_RATE;
        CHECK_EQ(rocecc_telemetry_ifa_emit(&c, &h, &n), ROCECC_OK);
        CHECK_EQ(rocecc_ifa_speed_bps(n.speed), rate ? 100 * G : 0);
        CHECK_EQ(n.present & ROCECC_IFA_SPEED, rate ? ROCECC_IFA_SPEED : 0);
    }
}

/* IFA: only records of layout A say a speed; of the others it is the configuration's.
 */
TEST(telemetry_edges_a_speed_that_no_record_has)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    uint8_t layout;
    c.rate_bps = 25 * G;
    for (layout = ROCECC_IFA_LAYOUT_A; layout <= ROCECC_IFA_LAYOUT_B_OCTETS; layout++) {
        rocecc_ifa_node n;
        memset(&n, 0, sizeof n);
        n.layout = layout;
        n.present = ROCECC_IFA_SPEED;
        n.speed = rocecc_ifa_speed_code(100 * G);
        CHECK_EQ(rocecc_telemetry_ifa_load(&c, &n).rate_bps,
                 layout == ROCECC_IFA_LAYOUT_A ? 100 * G : 25 * G);
    }
}

/* The five words of HPCC++, with a network whose tx_bytes is another bit than 12: the
 * last word is nobody's, and counts no bytes. */
TEST(telemetry_edges_a_counter_by_another_bit)
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
        v.config.interface_bit = bit == 12 ? 0 : 12; /* 12 is the interface's then */
        test_context("bit %u", bit);
        CHECK_EQ(rocecc_telemetry_ioam_path(&c, &v, hop, 1, &path), ROCECC_OK);
        CHECK_EQ(path.n, 1);
        CHECK_EQ(hop[0].id, UINT64_C(7) << 32 | 2);
        CHECK_EQ(hop[0].ts_ns, 9);
        CHECK_EQ(hop[0].valid & ROCECC_HOP_TX, bit == 12 ? ROCECC_HOP_TX : 0);
        CHECK_EQ(hop[0].tx_bytes, bit == 12 ? 6 : 0);
    }
}

/* IFA: 255 words have 31 records, and no view of a packet has a byte more. */
TEST(telemetry_edges_more_records_than_ifa_has)
{
    static const uint8_t b[32 * 32];
    const rocecc_telemetry_config c = ROCECC_ZERO;
    static rocecc_hop hops[32];
    size_t n;
    for (n = 31 * 32; n <= sizeof b; n++) {
        rocecc_telemetry_path path = {99, ROCECC_TELEMETRY_COMPLETE_YES};
        rocecc_ifa v;
        memset(&v, 0, sizeof v);
        v.config.layout_a = 1; /* LNS 0 */
        v.nodes = rocecc_reader_of(b, b + n);
        test_context("%zu bytes", n);
        CHECK_EQ(rocecc_telemetry_ifa_path(&c, &v, hops, 32, &path),
                 n == 31 * 32 ? ROCECC_OK : ROCECC_ERR_FORMAT);
        CHECK_EQ(path.n, n == 31 * 32 ? 31 : 99);
    }
}

/* IFA: who is the first on the path is turned round for a tail stamp that says so, and
 * for no other packet of the same network. */
TEST(telemetry_edges_a_tail_that_is_none)
{
    const rocecc_telemetry_config c = ROCECC_ZERO;
    uint8_t b[2 * 32] = {0};
    unsigned ts, tail;
    b[2] = 1; /* device 1 stands first, device 2 after it */
    b[32 + 2] = 2;
    for (tail = ROCECC_IFA_TAIL_NEWEST_FIRST; tail <= ROCECC_IFA_TAIL_NEWEST_LAST;
         tail++)
        for (ts = 0; ts < 2; ts++) {
            const bool last = ts != 0 && tail == ROCECC_IFA_TAIL_NEWEST_LAST;
            rocecc_telemetry_path path = {7, 7};
            rocecc_hop hops[2];
            rocecc_ifa v;
            memset(&v, 0, sizeof v);
            v.config.layout_a = 1; /* LNS 0 */
            v.config.tail = (rocecc_ifa_tail)tail;
            if (ts) v.header.flags = ROCECC_IFA_FLAG_TS;
            v.nodes = rocecc_reader_of(b, b + sizeof b);
            test_context("TS %u, tail %u", ts, tail);
            CHECK_EQ(rocecc_telemetry_ifa_path(&c, &v, hops, 2, &path), ROCECC_OK);
            CHECK_EQ(path.n, 2);
            CHECK_EQ(hops[0].id >> 32, last ? 1 : 2);
            CHECK_EQ(hops[1].id >> 32, last ? 2 : 1);
        }
}

/* IFA A: a device has 20 bits, of B 28, whatever the name space is. */
TEST(telemetry_edges_the_longest_device)
{
    static const unsigned bits[] = {[ROCECC_IFA_LAYOUT_A] = 20,
                                    [ROCECC_IFA_LAYOUT_B] = 28,
                                    [ROCECC_IFA_LAYOUT_B_OCTETS] = 28};
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hop h = ROCECC_ZERO;
    uint8_t layout, lns;
    c.queue_unit_bytes = 80;
    h.valid = ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TX | ROCECC_HOP_TS;
    for (layout = ROCECC_IFA_LAYOUT_A; layout <= ROCECC_IFA_LAYOUT_B_OCTETS; layout++)
        for (lns = 0; lns < 16; lns++) {
            rocecc_ifa_node n;
            memset(&n, 0, sizeof n);
            n.layout = layout;
            n.lns = lns;
            test_context("layout %u, LNS %u", layout, lns);
            h.id = ((UINT64_C(1) << bits[layout]) - 1) << 32 | 5;
            CHECK_EQ(rocecc_telemetry_ifa_emit(&c, &h, &n), ROCECC_OK);
            CHECK_EQ(n.device_id, (UINT32_C(1) << bits[layout]) - 1);
            h.id = (UINT64_C(1) << bits[layout]) << 32 | 5;
            CHECK_EQ(rocecc_telemetry_ifa_emit(&c, &h, &n), ROCECC_ERR_RANGE);
        }
}

/* The longest gap of a rate that is a multiple of 2^(bits - 31) bit/s is exact: it is
 * the last dt with dt rate < 8 10^9 2^bits. Each of these rates is 8 2^bits and a
 * little more (34, 68, 136), so that a second is too long, and one ns less is not. */
TEST(telemetry_edges_the_longest_gap_to_a_nanosecond)
{
    static const struct {
        uint8_t bits;
        uint64_t fastest_bps;
    } rows[] = {{32, UINT64_C(34359738402)},
                {33, UINT64_C(68719476804)},
                {34, UINT64_C(137438953608)}};
    rocecc_telemetry_config c = ROCECC_ZERO;
    size_t i;
    c.ts_bits = 32;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        c.tx_bits = rows[i].bits;
        test_context("%u bits", c.tx_bits);
        CHECK_EQ(rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_IFA_B,
                                                rows[i].fastest_bps, 0)
                     .dt_max_ns,
                 999999999);
    }
}
