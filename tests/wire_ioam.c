/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ioam_edges.c - flags, kinds and snapshots of IOAM, each alone.
 */
#include "lib/test.h"
#include "rocecc/wire/ioam.h"

#include <string.h>

/* RFC 9322: of the four flags L is the second, and counts where bit 0 alone asks. */
TEST(ioam_loopback_by_flag_and_bit)
{
    rocecc_ioam_trace h;
    unsigned flags, bit;
    memset(&h, 0, sizeof h);
    for (flags = 0; flags < 16; flags++)
        for (bit = 0; bit < 24; bit++) {
            test_context("flags %u, bit %u", flags, bit);
            h.flags = (uint8_t)flags;
            h.trace_type = 0x800000u >> bit;
            CHECK_EQ(rocecc_ioam_loopback_match(&h), (flags & 4) != 0 && bit == 0);
            h.trace_type |= 0x800000;
            if (bit != 0) CHECK(!rocecc_ioam_loopback_match(&h));
        }
}

/* Of the kinds only 0 and 1 are traces: what another one has is not looked at. */
TEST(ioam_kinds_that_are_no_trace)
{
    static const uint8_t data[8] = {0, 0, 8, 0, 0x80};
    const rocecc_ioam_config c = {0, 0, 0, false};
    unsigned kind;
    for (kind = 0; kind < 256; kind++) {
        rocecc_ioam_option o;
        rocecc_ioam_view v;
        test_context("kind %u", kind);
        o.reserved = 0;
        o.opt_type = (uint8_t)kind;
        o.data = rocecc_reader_of(data, data + 8);
        CHECK_EQ(rocecc_ioam_view_parse(&c, &o, &v),
                 kind < 2 ? ROCECC_OK : ROCECC_NO_MATCH);
        o.data = rocecc_reader_of(data, data + 7);
        CHECK_EQ(rocecc_ioam_view_parse(&c, &o, &v),
                 kind < 2 ? ROCECC_ERR_FORMAT : ROCECC_NO_MATCH);
    }
}

/* A snapshot ends where its node does, though more nodes follow. */
TEST(ioam_snapshot_before_other_nodes)
{
    static const uint8_t b[16] = {0};
    rocecc_reader nodes = rocecc_reader_of(b, b + sizeof b), snapshot;
    rocecc_ioam_node n;
    memset(&n, 0, sizeof n);
    n.word[ROCECC_IOAM_WORD_SNAPSHOT] = 2u << 24;
    nodes.at = 12;
    snapshot = rocecc_ioam_snapshot(&n, nodes);
    CHECK(snapshot.at == 4 && snapshot.end == 12);
    nodes.at = 4; /* fewer words than it says: what there is */
    snapshot = rocecc_ioam_snapshot(&n, nodes);
    CHECK(snapshot.at == 0 && snapshot.end == 4);
}
