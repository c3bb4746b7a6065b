/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * wire_edges.c - formats at the edges of what their headers promise: the shortest that
 * there is, the last number that has a meaning and the one after it, an item alone.
 */
#include "lib/guard.h"
#include "lib/test.h"
#include "rocecc/wire/fastcnp.h"
#include "rocecc/wire/icrc.h"
#include "rocecc/wire/ifa.h"
#include "rocecc/wire/ioamnode.h"
#include "rocecc/wire/srv6.h"

#include <string.h>

#define UNTOUCHED 0xa5

/* A type that is off is 0, and so is Pad1, which stays padding. */
TEST(fastcnp_types_all)
{
    rocecc_fastcnp_config c = {0, 0, 0, false, false};
    unsigned type;
    for (type = 0; type < 256; type++) {
        test_context("%02x", type);
        c.type_plain = c.type_ioam = 0;
        CHECK(!rocecc_fastcnp_type_match(&c, (uint8_t)type));
        c.type_plain = 0x9e;
        CHECK_EQ(rocecc_fastcnp_type_match(&c, (uint8_t)type), type == 0x9e);
        c.type_ioam = 0x9f;
        CHECK_EQ(rocecc_fastcnp_type_match(&c, (uint8_t)type),
                 type == 0x9e || type == 0x9f);
        c.type_plain = 0;
        CHECK_EQ(rocecc_fastcnp_type_match(&c, (uint8_t)type), type == 0x9f);
    }
}

/* A trace that the buffer does not have, or not to its end, is empty. */
TEST(fastcnp_trace_of_a_cut_buffer)
{
    static const uint8_t bytes[16] = {0};
    size_t at, n;
    for (at = 0; at <= 20; at++)
        for (n = 0; n <= 20; n++) {
            rocecc_fastcnp h;
            rocecc_reader trace;
            memset(&h, 0, sizeof h);
            h.trace_at = (uint32_t)at;
            h.trace_bytes = (uint16_t)n;
            trace = rocecc_fastcnp_trace(rocecc_reader_of(bytes, bytes + 16), &h);
            test_context("%zu bytes at %zu", n, at);
            CHECK_EQ(rocecc_left(&trace), at + n <= 16 ? n : 0);
            if (at + n <= 16) CHECK(trace.at == at && trace.base == bytes);
        }
}

/* So many bytes of ones, odd numbers of them too, as if they had been in the packet. */
TEST(icrc_ones_of_every_length)
{
    uint8_t ones[255];
    unsigned n;
    memset(ones, 0xff, sizeof ones);
    for (n = 0; n <= sizeof ones; n++) {
        test_context("%u bytes", n);
        CHECK_EQ(rocecc_icrc_ones(0x12345678, n),
                 rocecc_icrc_bytes(0x12345678, ones, n));
    }
}

/* A tail stamp of a source whose packet no node has added to: 4 bytes after UDP. */
TEST(ifa_tail_without_records)
{
    static const uint8_t wire[] = {0x2f, 17, 0x08, 255, /* TS, 255 words at most */
                                   0,    1,  0,    2,   0, 8, 0, 0, /* UDP alone */
                                   0xff, 0,  9,    0};
    rocecc_ifa_config c = {0, 0, 0, 0, 0, 0, 0, false};
    const uint8_t *at = guard_end(wire, sizeof wire);
    rocecc_ifa h;
    c.protocol = 253;
    c.layout_a = 0xffff;
    c.tail = ROCECC_IFA_TAIL_NEWEST_LAST;
    memset(&h, UNTOUCHED, sizeof h);
    CHECK_EQ(
        rocecc_ifa_parse(&c, rocecc_reader_of(at, at + sizeof wire), sizeof wire, &h),
        ROCECC_OK);
    CHECK(h.metadata.hop_limit == 9 && h.metadata.current_length == 0);
    CHECK(rocecc_left(&h.nodes) == 0 && rocecc_left(&h.payload) == 0);
}

/* What a tail stamp says of itself against the packet: 4 bytes of payload, one record.
 */
TEST(ifa_tail_lengths)
{
    enum { AFTER = 4 + 8, ALL = AFTER + 4 + ROCECC_IFA_NODE_BYTES + 4 };
    static const struct {
        uint8_t max, current; /* words */
        uint16_t udp;
        rocecc_status status;
    } rows[] = {
        {8, 8, 12, ROCECC_OK},
        {255, 8, 8, ROCECC_OK},
        {7, 8, 12, ROCECC_ERR_FORMAT},    /* Current Length above Max Length */
        {8, 4, 12, ROCECC_ERR_FORMAT},    /* half a record */
        {255, 16, 12, ROCECC_ERR_FORMAT}, /* a record that is not there */
        {8, 8, 13, ROCECC_ERR_FORMAT},    /* UDP would go on in the stack, */
        {8, 0, 8 + 36, ROCECC_OK},        /* which is payload where no node has added */
        {8, 0, 8 + 37, ROCECC_ERR_FORMAT},
    };
    rocecc_ifa_config c = {0, 0, 0, 0, 0, 0, 0, false};
    size_t i;
    c.protocol = 253;
    c.layout_a = 0xffff;
    c.tail = ROCECC_IFA_TAIL_NEWEST_LAST;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t b[ALL] = {0x2f, 17, 0x08};
        rocecc_ifa h;
        test_context("row %u", (unsigned)i);
        b[3] = rows[i].max;
        rocecc_store16(b + 8, rows[i].udp);
        b[ALL - 1] = rows[i].current;
        CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + ALL), ALL, &h),
                 rows[i].status);
        if (rows[i].status != ROCECC_OK) continue;
        CHECK_EQ(rocecc_left(&h.nodes), 4u * rows[i].current);
        CHECK_EQ(rocecc_left(&h.payload), 36 - 4u * rows[i].current);
    }
}

/* The members of a record by the bit that says that they are there. */
static uint64_t ifa_item(const rocecc_ifa_node *n, unsigned bit)
{
    switch (bit) {
    case ROCECC_IFA_TTL:
        return n->ttl;
    case ROCECC_IFA_SPEED:
        return n->speed;
    case ROCECC_IFA_CN:
        return n->cn;
    case ROCECC_IFA_QUEUE:
        return n->queue;
    case ROCECC_IFA_RX_SEC:
        return n->rx_timestamp_sec;
    case ROCECC_IFA_RX_NS:
        return n->rx_timestamp_ns;
    case ROCECC_IFA_TX_NS:
        return n->tx_timestamp_ns;
    case ROCECC_IFA_RESIDENCE:
        return n->residence_time;
    case ROCECC_IFA_EGRESS:
        return n->egress_port;
    case ROCECC_IFA_INGRESS:
        return n->ingress_port;
    case ROCECC_IFA_TX_BYTES:
        return n->tx_bytes;
    default:
        return n->queue_length;
    }
}

/* An item that is not present is written as 0, a speed as 15, whatever its member has;
 * the others stay. */
TEST(ifa_each_item_left_out)
{
    unsigned layout, gone, bit;
    for (layout = ROCECC_IFA_LAYOUT_A; layout <= ROCECC_IFA_LAYOUT_B_OCTETS; layout++)
        for (gone = 0; gone < 12; gone++) {
            const unsigned has = layout == ROCECC_IFA_LAYOUT_A ? ROCECC_IFA_PRESENT_A
                                 : layout == ROCECC_IFA_LAYOUT_B
                                     ? ROCECC_IFA_PRESENT_B
                                     : ROCECC_IFA_PRESENT_B_OCTETS;
            rocecc_ifa_config c = {0, 0, 0, 0, 0, 0, 0, false};
            uint8_t b[ROCECC_IFA_NODE_BYTES];
            rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
            rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
            rocecc_ifa_node n, back;
            if ((has >> gone & 1) == 0) continue;
            test_context("layout %u without item %u", layout, gone);
            memset(&n, 0, sizeof n);
            n.layout = (rocecc_ifa_layout)layout;
            n.ttl = 11;
            n.speed = 5;
            n.cn = 3;
            n.queue = 14;
            n.rx_timestamp_sec = 15;
            n.rx_timestamp_ns = 16;
            n.tx_timestamp_ns = 17;
            n.residence_time = 18;
            n.egress_port = 19;
            n.ingress_port = 20;
            n.tx_bytes = 21;
            n.queue_length = 22;
            n.present = (uint16_t)(has & ~(1u << gone));
            CHECK_EQ(rocecc_ifa_node_emit(&w, &n), ROCECC_OK);
            if (layout == ROCECC_IFA_LAYOUT_A)
                c.layout_a = 0xffff;
            else
                c.layout_b = 0xffff;
            CHECK_EQ(rocecc_ifa_node_next(&c, &r, &back), ROCECC_OK);
            CHECK_EQ(back.layout, layout);
            for (bit = 1; bit < 1u << 12; bit <<= 1)
                if ((has & bit) != 0)
                    CHECK_EQ(ifa_item(&back, bit), bit != 1u << gone ? ifa_item(&n, bit)
                                                   : bit == ROCECC_IFA_SPEED ? 15
                                                                             : 0);
        }
}

/* Of bits 12 to 21 IOAM lets a network choose; no other number is a bit. */
TEST(ioam_bits_that_a_network_chooses)
{
    unsigned bit;
    for (bit = 0; bit < 256; bit++) {
        test_context("bit %u", bit);
        CHECK_EQ(rocecc_ioam_bit((uint8_t)bit),
                 bit < 12 || bit > 21 ? 0 : UINT32_C(1) << (23 - bit));
    }
}

/* The views of no tunnel stand where the bytes end, so that offsets from them do. */
TEST(srv6_none_stands_at_the_end)
{
    static const uint8_t bytes[8] = {0};
    const rocecc_srv6 none = rocecc_srv6_none(rocecc_reader_of(bytes, bytes + 8));
    CHECK(none.inner.base == bytes && none.inner.at == 8 && none.inner.end == 8);
    CHECK(none.srh.segments.at == 8 && none.srh.segments.end == 8);
    CHECK(none.srh.tlvs.at == 8 && none.srh.tlvs.end == 8);
}
