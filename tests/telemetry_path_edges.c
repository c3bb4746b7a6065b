/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * telemetry_path_edges.c - a trace whose type is next to that of HPCC++. Expected
 * values are by hand.
 */
#include "lib/test.h"
#include "rocecc/telemetry/path.h"

/* IOAM: bits 0, 1, 3 and 6, and instead of bit 12 all that follow it: nine words that
 * nobody here knows, and a snapshot of no words. None of them counts bytes. */
TEST(telemetry_path_edges_all_bits_after_the_counter)
{
    static const uint32_t words[] = {13 << 11,   /* NodeLen */
                                     0xd207ff00, /* the type */
                                     0x40000007, /* Hop_Lim, node */
                                     0x00010002, /* interfaces */
                                     9,          /* ns */
                                     3,          /* queue */
                                     6,          6,          6,  6, 6, 6,         6, 6,
                                     6,          0x00123456, /* snapshot: its schema */
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
