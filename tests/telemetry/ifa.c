/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ifa.c - tests conversions between hops and IFA records, and a packet's path. Expected
 * values are calculated by hand.
 */
#include "lib/test.h"
#include "rocecc/telemetry/path.h"

#include <string.h>

#define G UINT64_C(1000000000)

/* IFA A: a record omits a rate that the hop does not report. */
TEST(ifa_record_omits_an_unreported_rate)
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

/* IFA: only layout A has a speed. Other layouts use the configured speed. */
TEST(ifa_layout_B_has_the_configured_speed)
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

/* IFA: 255 words hold at most 31 records. A longer stack gives FORMAT. */
TEST(ifa_path_has_at_most_31_records)
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

/*
 * IFA: the first record on the wire is the last hop, except in a tail stamp with the
 * newest record last.
 */
TEST(ifa_order_is_reversed_only_in_a_tail_stamp)
{
    const rocecc_telemetry_config c = ROCECC_ZERO;
    uint8_t b[2 * 32] = {0};
    unsigned ts, tail;
    b[2] = 1; /* device 1, then device 2 */
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

/* IFA: a device id has 20 bits in layout A and 28 in B, in every name space. */
TEST(ifa_device_has_20_bits_in_layout_A_and_28_in_B)
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

/* Returns the completeness of an IFA path with one record, if every node writes one. */
static unsigned completeness(uint8_t hop_limit, uint8_t max_length)
{
    const uint8_t b[4 + 8 + 4 + 32] = {0x2f, 17, 0, max_length, 0, 0, 0,         0,
                                       0,    8,  0, 0,          0, 0, hop_limit, 8};
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_ifa_config ifa = ROCECC_ZERO;
    rocecc_telemetry_path path = {7, 7};
    rocecc_hop hop[1];
    rocecc_ifa v;
    c.every_node = true;
    ifa.protocol = 253;
    ifa.layout_a = 1; /* LNS 0 */
    CHECK_EQ(rocecc_ifa_parse(&ifa, rocecc_reader_of(b, b + sizeof b), sizeof b, &v),
             ROCECC_OK);
    CHECK_EQ(rocecc_telemetry_ifa_path(&c, &v, hop, 1, &path), ROCECC_OK);
    CHECK_EQ(path.n, 1);
    return path.complete;
}

/*
 * Without a hop left, or room for 8 more words, the next node would add nothing. The
 * path may then be incomplete.
 */
TEST(ifa_path_without_room_for_one_more_may_be_incomplete)
{
    CHECK_EQ(completeness(1, 255), ROCECC_TELEMETRY_COMPLETE_YES);
    CHECK_EQ(completeness(0, 255), ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    CHECK_EQ(completeness(1, 16), ROCECC_TELEMETRY_COMPLETE_YES);
    CHECK_EQ(completeness(1, 15), ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
}

/* The caller's LNS 9, TTL 60, congestion 1, queue id 7 and ingress 8 do not change. */
TEST(ifa_emit_keeps_the_members_of_the_caller)
{
    const uint16_t its = ROCECC_IFA_TTL | ROCECC_IFA_CN | ROCECC_IFA_INGRESS;
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hop h = ROCECC_ZERO;
    uint8_t layout;
    c.queue_unit_bytes = 80;
    h.queue_bytes = 8000;
    h.valid = ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TX | ROCECC_HOP_TS;
    for (layout = ROCECC_IFA_LAYOUT_A; layout <= ROCECC_IFA_LAYOUT_B_OCTETS; layout++) {
        rocecc_ifa_node n;
        memset(&n, 0, sizeof n);
        n.layout = layout;
        n.lns = 9;
        n.ttl = 60;
        n.cn = 1;
        n.queue = 7; /* the caller omits it by a clear bit in `present` */
        n.ingress_port = 8;
        n.present = its;
        test_context("layout %u", layout);
        CHECK_EQ(rocecc_telemetry_ifa_emit(&c, &h, &n), ROCECC_OK);
        CHECK_EQ(n.lns, 9);
        CHECK_EQ(n.ttl, 60);
        CHECK_EQ(n.cn, 1);
        CHECK_EQ(n.queue, 7);
        CHECK_EQ(n.ingress_port, 8);
        CHECK_EQ(n.present & (its | ROCECC_IFA_QUEUE), its);
        CHECK_EQ(n.queue_length, layout == ROCECC_IFA_LAYOUT_B_OCTETS ? 8000 : 100);
    }
}

/* 10^9 ns in layout B are invalid if the clock wraps at a second, not at 2^32 ns. */
TEST(ifa_time_of_a_second_is_valid_only_on_a_binary_clock)
{
    static const uint32_t times[] = {999999999, 1000000000, UINT32_MAX};
    uint8_t layout, bits;
    size_t i;
    for (layout = ROCECC_IFA_LAYOUT_B; layout <= ROCECC_IFA_LAYOUT_B_OCTETS; layout++)
        for (bits = 0; bits <= 32; bits += 32)
            for (i = 0; i < sizeof times / sizeof *times; i++) {
                const bool valid = bits == 32 || times[i] < G;
                rocecc_telemetry_config c = ROCECC_ZERO;
                rocecc_ifa_node n;
                rocecc_hop h;
                memset(&n, 0, sizeof n);
                c.ts_bits = bits;
                n.layout = layout;
                n.present = ROCECC_IFA_TX_NS;
                n.tx_timestamp_ns = times[i];
                h = rocecc_telemetry_ifa_load(&c, &n);
                test_context("layout %u, %u bits, %u ns", layout, bits, times[i]);
                CHECK_EQ(h.valid, valid ? ROCECC_HOP_TS : 0);
                CHECK_EQ(h.ts_ns, valid ? times[i] : 0);
            }
}

/*
 * On a clock of 24 bits, 2^24 + 5 ns are written as 5. Layout A has seconds, so it has
 * all of the ns.
 */
TEST(ifa_emit_writes_the_low_bits_of_a_binary_clock)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hop h = ROCECC_ZERO;
    uint8_t layout;
    c.queue_unit_bytes = 80;
    c.ts_bits = 24;
    h.ts_ns = (1 << 24) + 5;
    h.valid = ROCECC_HOP_ID | ROCECC_HOP_QUEUE | ROCECC_HOP_TX | ROCECC_HOP_TS;
    for (layout = ROCECC_IFA_LAYOUT_A; layout <= ROCECC_IFA_LAYOUT_B_OCTETS; layout++) {
        const uint32_t ns = layout == ROCECC_IFA_LAYOUT_A ? (1 << 24) + 5 : 5;
        rocecc_ifa_node n;
        memset(&n, 0, sizeof n);
        n.layout = layout;
        test_context("layout %u", layout);
        CHECK_EQ(rocecc_telemetry_ifa_emit(&c, &h, &n), ROCECC_OK);
        CHECK_EQ(n.rx_timestamp_ns, ns);
        CHECK_EQ(n.tx_timestamp_ns, ns);
        CHECK_EQ(n.residence_time, 0);
    }
}
