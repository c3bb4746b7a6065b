/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * intmd.c - tests conversions between hops and INT-MD nodes, and a packet's path.
 * Expected values are calculated by hand.
 */
#include "lib/test.h"
#include "../../examples/lib/vec.h"
#include "rocecc/telemetry/path.h"

#include <stdio.h>
#include <string.h>

/*
 * An empty hop clears each item that store() sets. Interfaces of both levels are
 * cleared with their ingress, because an absent word is all ones.
 */
TEST(intmd_store_of_an_empty_hop_clears_its_items)
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

/*
 * INT: a utilisation is rounded to the nearest part of util_one, halves up. 5,243 of
 * 2^20 are 0.50001 of a hundredth, and 5,242 are 0.49992. Without util_one it is
 * absent.
 */
TEST(intmd_utilisation_is_rounded_to_nearest)
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

/*
 * INT: with ts_bits 32, only the low 32 bits of a time in the configured unit are
 * written. With ts_bits 0, all bits are written.
 */
TEST(intmd_clock_of_32_bits_writes_the_low_32_bits)
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

/*
 * INT: if a queue length is all ones in 24 bits, or does not fit them, the queue and
 * its id are absent.
 */
TEST(intmd_queue_of_all_ones_is_absent)
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

/* INT: without a unit, a queue is absent, and not 0. */
TEST(intmd_queue_needs_a_unit)
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

/*
 * INT: interface 0 is valid at both levels, and all ones mean absent. A number above 16
 * bits does not fit level 1.
 */
TEST(intmd_interface_0_is_valid_at_both_levels)
{
    static const uint32_t egress[] = {0, 1, 0xfffe, 0xffff, 0xfffffffe, 0xffffffff};
    const rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hop h = ROCECC_ZERO;
    size_t i;
    h.valid = ROCECC_HOP_ID;
    for (i = 0; i < sizeof egress / sizeof *egress; i++) {
        rocecc_intmd_node n;
        rocecc_intmd_node_init(&n);
        h.id = UINT64_C(7) << 32 | egress[i];
        rocecc_telemetry_intmd_store(&c, &h, &n);
        test_context("interface %u", egress[i]);
        CHECK_EQ(rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_NODE_ID), 7);
        CHECK_EQ(rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_L2_EGRESS_ID), egress[i]);
        CHECK_EQ(rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_EGRESS_ID),
                 egress[i] < 0xffff ? egress[i] : 0xffff);
    }
}

/* Parses a body of n words, and converts its nodes to hops. */
static rocecc_telemetry_path path_of(const rocecc_intmd_config *config,
                                     const uint32_t *words, size_t n, rocecc_hop *hops)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_telemetry_path path = {0, 0};
    uint8_t b[100];
    rocecc_intmd v;
    size_t i;
    CHECK(4 * n <= sizeof b);
    for (i = 0; i < n; i++)
        rocecc_store32(b + 4 * i, words[i]);
    c.queue_unit_bytes = 80;
    c.util_one = 100;
    CHECK_EQ(rocecc_intmd_parse(config, rocecc_reader_of(b, b + 4 * n), &v), ROCECC_OK);
    CHECK_EQ(rocecc_telemetry_intmd_path(&c, &v, hops, 2, &path), ROCECC_OK);
    return path;
}

/*
 * INT: six words for other instructions than HPCC++'s, in a domain whose id is the same
 * number as HPCC++'s instructions. The words are a node, 99 ns, 64 units of queue 1, a
 * departure time, and half of the link. A node without an interface has no id.
 */
TEST(intmd_domain_id_is_not_an_instruction)
{
    static const uint32_t words[] = {0x20000606, 0xb500d500, 0, 7, 99,
                                     0x01000040, 0,          9, 50};
    const rocecc_intmd_config config = ROCECC_ZERO;
    rocecc_hop hops[2];
    CHECK_EQ(path_of(&config, words, sizeof words / sizeof *words, hops).n, 1);
    CHECK_EQ(hops[0].valid, ROCECC_HOP_QUEUE | ROCECC_HOP_TS | ROCECC_HOP_UTIL);
    CHECK_EQ(hops[0].queue_bytes, 64 * 80);
    CHECK_EQ(hops[0].ts_ns, 9);
    CHECK_EQ(hops[0].util_q20, 1 << 19);
}

/*
 * INT: HPCC++'s instructions and a domain's word for each node, with six more nodes
 * allowed. Each node begins where the previous one ends.
 */
TEST(intmd_node_begins_after_a_domain_word)
{
    static const uint32_t words[] = {
        0x20000706, 0xd5000001, 0x80000000, 8, 0x00010002, 0x01000040, 0,   9, 50, 0xdd,
        10,         0x00030004, 0x01000020, 0, 5,          25,         0xdd};
    rocecc_intmd_config config = ROCECC_ZERO;
    rocecc_hop hops[2];
    config.ds_id = 1;
    CHECK_EQ(path_of(&config, words, sizeof words / sizeof *words, hops).n, 2);
    CHECK_EQ(hops[0].id, UINT64_C(10) << 32 | 4); /* first on the path */
    CHECK_EQ(hops[0].queue_bytes, 32 * 80);
    CHECK_EQ(hops[0].ts_ns, 5);
    CHECK_EQ(hops[0].util_q20, 1 << 18);
    CHECK_EQ(hops[1].id, UINT64_C(8) << 32 | 2);
    CHECK_EQ(hops[1].queue_bytes, 64 * 80);
    CHECK_EQ(hops[1].ts_ns, 9);
    CHECK_EQ(hops[1].util_q20, 1 << 19);
}

/*
 * INT 2.1: an unavailable item is 4 bytes of ones. So are the level 1 interfaces if the
 * egress interface is 0xffff or does not fit. The largest that fits is written beside
 * the caller's ingress.
 */
TEST(intmd_interfaces_are_all_ones_if_one_is_absent)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    uint32_t egress;
    for (egress = 0xfffe; egress <= 0x10000; egress++) {
        rocecc_hop h = ROCECC_ZERO;
        rocecc_intmd_node n;
        rocecc_intmd_node_init(&n);
        CHECK_EQ(rocecc_intmd_set(&n, ROCECC_INTMD_ITEM_INGRESS_ID, 7), ROCECC_OK);
        h.id = UINT64_C(5) << 32 | egress;
        h.valid = ROCECC_HOP_ID;
        rocecc_telemetry_intmd_store(&c, &h, &n);
        CHECK_EQ(n.word[0], 5);
        CHECK_EQ(n.word[1], egress == 0xfffe ? 0x0007fffe : UINT32_MAX);
    }
}

/*
 * Returns the completeness of an INT-MD path with n nodes, if every node writes a
 * record.
 */
static unsigned completeness(uint16_t instructions, uint8_t hop_ml, uint32_t n)
{
    static uint8_t b[12 + 1008];
    const uint8_t *end = b + 12 + (size_t)hop_ml * 4 * n;
    const rocecc_intmd_config md = ROCECC_ZERO;
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_telemetry_path path = {7, 7};
    static rocecc_hop hop[64];
    rocecc_intmd v;
    c.every_node = true;
    b[0] = 0x20;
    b[2] = hop_ml;
    rocecc_store16(b + 4, instructions);
    CHECK_EQ(rocecc_intmd_parse(&md, rocecc_reader_of(b, end), &v), ROCECC_OK);
    CHECK_EQ(rocecc_telemetry_intmd_path(&c, &v, hop, 64, &path), ROCECC_OK);
    CHECK_EQ(path.n, n);
    return path.complete;
}

/*
 * A body has at most 1020 bytes with a header of 12, so 42 nodes of 24 bytes fill it. A
 * node that does not know an instruction (bits 9 to 14) may add nothing.
 */
TEST(intmd_path_without_room_for_one_more_may_be_incomplete)
{
    unsigned bit;
    CHECK_EQ(completeness(0xd500, 6, 41), ROCECC_TELEMETRY_COMPLETE_YES);
    CHECK_EQ(completeness(0xd500, 6, 42), ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    /* 50 nodes of 20 bytes leave 8, and 22 of 44 leave 40. */
    CHECK_EQ(completeness(0xd400, 5, 49), ROCECC_TELEMETRY_COMPLETE_YES);
    CHECK_EQ(completeness(0xd400, 5, 50), ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    CHECK_EQ(completeness(0xff00, 11, 21), ROCECC_TELEMETRY_COMPLETE_YES);
    CHECK_EQ(completeness(0xff00, 11, 22), ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    for (bit = 7; bit < 16; bit++) {
        const bool known = bit < 9 || bit == 15;
        CHECK_EQ(completeness((uint16_t)(0x8000 | 1u << (15 - bit)), 2, 3),
                 known ? ROCECC_TELEMETRY_COMPLETE_YES
                       : ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    }
}

static rocecc_reader bytes_of(const char *hex, uint8_t *b)
{
    size_t n = 0;
    CHECK(vec_hex(hex, b, &n));
    return rocecc_reader_of(b, b + n);
}

/*
 * INT 2.1, 5.7: bits 9 to 14 are reserved. A node that does not know one may add
 * nothing, so the path may be incomplete.
 */
TEST(intmd_path_with_reserved_instructions_may_be_incomplete)
{
    const rocecc_intmd_config config = {0};
    unsigned bit;
    for (bit = 1; bit < 7; bit++) {
        char hex[80];
        uint8_t b[64];
        rocecc_hop hops[8];
        rocecc_telemetry_config c;
        rocecc_telemetry_path path = {0, 0};
        rocecc_intmd v;
        memset(&c, 0, sizeof c);
        c.every_node = true;
        test_at("bit", bit, 0, 0);
        snprintf(hex, sizeof hex, "20000206 %04x0000 00000000 0000000a ffffffff",
                 0x8000u | 1u << bit);
        CHECK_EQ(rocecc_intmd_parse(&config, bytes_of(hex, b), &v), ROCECC_OK);
        CHECK_EQ(rocecc_telemetry_intmd_path(&c, &v, hops, 8, &path), ROCECC_OK);
        CHECK_EQ(path.n, 1);
        CHECK_EQ(path.complete, ROCECC_TELEMETRY_COMPLETE_UNKNOWN);
    }
}

/*
 * Egress 2 is at level 1, and 9 at level 2. The id has 9 only if level 1 lacks an
 * egress.
 */
TEST(intmd_egress_interface_of_level_1_comes_first)
{
    const rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_intmd_node n;
    rocecc_intmd_node_init(&n);
    n.word[0] = 7;
    n.word[1] = 0x00010002;
    n.word[9] = 9;
    CHECK_EQ(rocecc_telemetry_intmd_load(&c, &n).id, UINT64_C(7) << 32 | 2);
    n.word[1] = 0x0001ffff; /* only an ingress interface */
    CHECK_EQ(rocecc_telemetry_intmd_load(&c, &n).id, UINT64_C(7) << 32 | 9);
}

/*
 * Node id 2^32 - 1 is all ones and thus absent. Interface 5 is written, but the hop
 * that is read has no id.
 */
TEST(intmd_node_id_of_all_ones_clears_no_interface)
{
    const rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_hop h = ROCECC_ZERO;
    rocecc_intmd_node n;
    rocecc_intmd_node_init(&n);
    h.id = UINT64_C(0xffffffff) << 32 | 5;
    h.valid = ROCECC_HOP_ID;
    rocecc_telemetry_intmd_store(&c, &h, &n);
    CHECK(!rocecc_intmd_has(&n, ROCECC_INTMD_ITEM_NODE_ID));
    CHECK_EQ(rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_EGRESS_ID), 5);
    CHECK_EQ(rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_L2_EGRESS_ID), 5);
    CHECK_EQ(rocecc_telemetry_intmd_load(&c, &n).valid, 0);
}

/*
 * 2^64 ns are 18446744073709551.616 us, so the next whole us is 384 ns after the wrap.
 */
TEST(intmd_clock_of_us_without_ts_bits_wraps_at_2_64_ns)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_intmd_node n;
    rocecc_intmd_node_init(&n);
    c.clock = ROCECC_TELEMETRY_CLOCK_POSIX;
    CHECK_EQ(rocecc_intmd_set(&n, ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP,
                              UINT64_C(18446744073709552)),
             ROCECC_OK);
    CHECK_EQ(rocecc_telemetry_intmd_load(&c, &n).ts_ns, 384);
    CHECK_EQ(rocecc_telemetry_moduli_derive(&c, ROCECC_TELEMETRY_INTMD, 1, 0).ts_mod_ns,
             0);
}

/* By NTP, 2^32 + 7 s wrap to 7 s, whatever ts_bits is. */
TEST(intmd_seconds_of_ntp_wrap_at_2_32_for_any_ts_bits)
{
    rocecc_telemetry_config c = ROCECC_ZERO;
    const uint64_t second = 1000000000;
    rocecc_hop h = ROCECC_ZERO;
    c.clock = ROCECC_TELEMETRY_CLOCK_NTP;
    h.valid = ROCECC_HOP_TS;
    h.ts_ns = ((UINT64_C(1) << 32) + 7) * second + 500000000;
    for (c.ts_bits = 0; c.ts_bits <= 54; c.ts_bits += 9) {
        rocecc_intmd_node n;
        rocecc_intmd_node_init(&n);
        rocecc_telemetry_intmd_store(&c, &h, &n);
        test_context("%u bits", c.ts_bits);
        CHECK_EQ(rocecc_intmd_get(&n, ROCECC_INTMD_ITEM_EGRESS_TIMESTAMP),
                 UINT64_C(7) << 32 | 0x80000000);
        CHECK_EQ(rocecc_telemetry_intmd_load(&c, &n).ts_ns, 7 * second + 500000000);
    }
}
