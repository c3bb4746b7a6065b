/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * cnp_edges.c - who asks what a BTH says, of packets that end in it or right behind it;
 * and what else stands in one byte or at one length.
 */
#include "lib/test.h"
#include "rocecc/packet/arn.h"
#include "rocecc/packet/build.h"
#include "rocecc/packet/cm.h"
#include "rocecc/packet/cnp.h"
#include "rocecc/packet/csig.h"
#include "rocecc/packet/echo.h"
#include "rocecc/packet/l3qcn.h"

#include <string.h>

static const rocecc_domain ether = {.link = ROCECC_LINK_ETHER};
static const rocecc_domain ip = {.link = ROCECC_LINK_IP};

/* IPv4, UDP and a BTH of this opcode; n bytes in all. */
static void roce(uint8_t *b, size_t n, uint8_t opcode)
{
    memset(b, 0, n);
    b[0] = 0x45;
    rocecc_store16(b + 2, (uint16_t)n);
    b[8] = 64;
    b[9] = 17;
    rocecc_store16(b + 22, 4791);
    rocecc_store16(b + 24, (uint16_t)(n - 20));
    b[28] = opcode;
    rocecc_store16(b + 30, 0xffff);
}

/*
 * Where the capture ends inside the BTH, nothing says that a packet is a CNP; a first
 * byte of 0x81 in the destination's MAC address does not either.
 */
TEST(cnp_cut_in_its_bth)
{
    uint8_t b[14 + 60] = {0x81, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x08, 0x00};
    size_t n;
    roce(b + 14, 60, ROCECC_OPCODE_CNP);
    for (n = 14; n <= sizeof b; n++) {
        rocecc_cnp h;
        rocecc_packet p;
        test_context("%zu bytes", n);
        (void)rocecc_packet_parse(&ether, rocecc_reader_of(b, b + n), &p);
        CHECK_EQ(rocecc_cnp_match(&p), n >= 14 + 40);
        CHECK_EQ(rocecc_cnp_parse(&p, &h), n < 14 + 40    ? ROCECC_NO_MATCH
                                           : n < sizeof b ? ROCECC_ERR_SHORT
                                                          : ROCECC_OK);
    }
}

/* A UDP checksum of 0 alone is none: each of its bits says that there is one. */
TEST(cnp_udp_checksum_each_bit)
{
    uint8_t b[60];
    unsigned bit;
    roce(b, sizeof b, ROCECC_OPCODE_CNP);
    for (bit = 0; bit <= 16; bit++) {
        rocecc_cnp h;
        rocecc_packet p;
        test_context("bit %u", bit);
        rocecc_store16(b + 26, (uint16_t)(1u << bit)); /* the last has none */
        (void)rocecc_packet_parse(&ip, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(rocecc_cnp_parse(&p, &h), ROCECC_OK);
        CHECK_EQ(h.udp_checksum, bit < 16);
    }
}

/*
 * A datagram for QP 1 has a DETH of 8 bytes. If its length has no room for them, it is
 * malformed; if the capture alone lacks them, more bytes would tell.
 */
TEST(cm_cut_in_its_deth)
{
    size_t n;
    for (n = 44; n <= 50; n++) {
        uint8_t b[50];
        rocecc_cm h;
        rocecc_packet p;
        test_context("%zu bytes", n);
        roce(b, n, 0x64);
        b[35] = 1; /* DestQP */
        (void)rocecc_packet_parse(&ip, rocecc_reader_of(b, b + 43), &p);
        CHECK_EQ(p.headers.bth, 28);
        CHECK_EQ(rocecc_cm_find(&p, &h), n < 48 ? ROCECC_ERR_FORMAT : ROCECC_ERR_SHORT);
    }
}

/* BTH, AETH and ICRC, and no byte between them: no echo. One byte less is no ACK. */
TEST(echo_in_the_shortest_ack)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .roce = {.echo_bytes = 256}};
    size_t n;
    for (n = 44; n <= 48; n++) {
        uint8_t b[48];
        rocecc_echo h;
        rocecc_packet p;
        test_context("%zu bytes", n);
        roce(b, n, 0x11);
        CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p), ROCECC_OK);
        CHECK_EQ(rocecc_echo_find(&p, &h),
                 n < 48 ? ROCECC_ERR_FORMAT : ROCECC_NO_MATCH);
    }
}

/*
 * The reserved bit is one of IPv4's flags. IPv6 has its Next Header there, which is 128
 * or more of a Mobility, HIP or Shim6 header.
 */
TEST(l3qcn_no_reserved_bit_in_ipv6)
{
    static const uint8_t nexts[] = {ROCECC_PROTO_MOBILITY, ROCECC_PROTO_HIP,
                                    ROCECC_PROTO_SHIM6};
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .l3qcn = {.reserved_bit = true}};
    size_t i;
    for (i = 0; i < sizeof nexts; i++) {
        uint8_t b[40 + 8 + 8] = {0x60, 0, 0, 0, 0, 16};
        rocecc_packet p;
        test_context("%u", (unsigned)nexts[i]);
        b[6] = nexts[i];
        b[40] = ROCECC_PROTO_UDP;
        b[53] = 8; /* UDP Length */
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_UDP);
        CHECK(!rocecc_l3qcn_has_reserved_bit(&p));
        CHECK(!rocecc_l3qcn_match(&p));
    }
}

/* The dynamic ports from 0xc000 on: the low 14 bits of a hash, each of them. */
TEST(arn_source_ports)
{
    const rocecc_arn_config c = {.port = 6000};
    unsigned bit;
    for (bit = 0; bit < 32; bit++)
        CHECK_EQ(rocecc_arn_datagram(&c, (uint32_t)1 << bit).src_port,
                 0xc000u | (bit < 14 ? 1u << bit : 0));
    CHECK_EQ(rocecc_arn_datagram(&c, 0).src_port, 0xc000);
    CHECK_EQ(rocecc_arn_datagram(&c, 0xffffffff).src_port, 0xffff);
}

/*
 * VXLAN with a frame of 13 bytes inside, as UDP's length says: a tag cannot go before a
 * type that is not whole, although there are bytes behind it. With 14, it can.
 */
TEST(csig_insert_in_a_frame_that_a_length_cuts)
{
    const rocecc_domain d = {.link = ROCECC_LINK_ETHER,
                             .csig = {.compact_tpid = 0x9900}};
    const rocecc_csig h = rocecc_csig_neutral(&d.csig, false, ROCECC_CSIG_ABW_C);
    size_t n;
    for (n = 12; n <= 14; n++) {
        uint8_t b[14 + 20 + 8 + 8 + 20] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x08};
        rocecc_packet p, inner;
        rocecc_edit e;
        test_context("%zu bytes", n);
        roce(b + 14, 20 + 8 + 8 + n, 0x08); /* I, and a VNI of 0xffff */
        rocecc_store16(b + 14 + 22, 4789);
        b[14 + 36 + 12] = 0x12;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_OVERLAY);
        CHECK_EQ(p.headers.inner, 50);
        (void)rocecc_packet_inner(&p, &inner);
        CHECK_EQ(rocecc_csig_insert(&inner, &h, &e),
                 n < 14 ? ROCECC_EDIT_BROKEN : ROCECC_EDIT_CHANGE);
        CHECK_EQ(rocecc_edit_needs_action(&e), n == 14);
    }
}

/* What begins with IP has no place for a tag, and the plan says so, too. */
TEST(csig_insert_before_ip)
{
    const rocecc_csig_config c = {.compact_tpid = 0x9900};
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .csig = {.compact_tpid = 0x9900}};
    const rocecc_csig h = rocecc_csig_neutral(&c, false, ROCECC_CSIG_ABW_C);
    uint8_t b[60];
    rocecc_packet p;
    rocecc_edit e;
    roce(b, sizeof b, 0x04);
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
    e.verdict = ROCECC_EDIT_CHANGE;
    CHECK_EQ(rocecc_csig_insert(&p, &h, &e), ROCECC_EDIT_NONE);
    CHECK_EQ(e.verdict, ROCECC_EDIT_NONE);
    CHECK(!rocecc_edit_needs_action(&e));
}

/* All of fill may be the first splice's, and then the second can still take bytes out;
 * a third is none. */
TEST(edit_a_full_splice_and_one_that_takes_out)
{
    rocecc_edit e;
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    CHECK(rocecc_edit_add_splice(&e, 0, 0, ROCECC_EDIT_FILL_MAX) == e.fill);
    CHECK(rocecc_edit_add_splice(&e, 8, 0, 4) == NULL);
    CHECK(rocecc_edit_add_splice(&e, 8, 4, 0) == e.fill + ROCECC_EDIT_FILL_MAX);
    CHECK_EQ(e.n_splices, 2);
    CHECK(rocecc_edit_add_splice(&e, 16, 4, 0) == NULL);
}

/* Each word has its place: the sum of the inner header and that of the outer one. */
TEST(edit_the_sums_of_two_headers)
{
    uint8_t b[80];
    rocecc_packet p;
    rocecc_edit e;
    roce(b + 20, 60, 0x04);
    memcpy(b, b + 20, 20);
    b[3] = 80;
    b[9] = 4;
    (void)rocecc_packet_parse(&ip, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.outer.version, 4);
    (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
    rocecc_edit_grow_ip(&e, &p, 4);
    CHECK_EQ(e.words, 1u << ROCECC_EDIT_OUTER_LENGTH | 1u << ROCECC_EDIT_OUTER_SUM |
                          1u << ROCECC_EDIT_IP_LENGTH | 1u << ROCECC_EDIT_IP_SUM);
    CHECK_EQ(e.word[ROCECC_EDIT_OUTER_LENGTH].offset, 2);
    CHECK_EQ(e.word[ROCECC_EDIT_OUTER_SUM].offset, 10);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_LENGTH].offset, 22);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_SUM].offset, 30);
    CHECK_EQ(e.word[ROCECC_EDIT_OUTER_LENGTH].new_value, 84);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_LENGTH].new_value, 64);
}

/*
 * Of RoCEv2 that ends before its BTH, nothing is read in its place: here the addresses
 * of Ethernet, which would say opcode 0x64 and QP 1.
 */
TEST(cm_before_its_bth)
{
    uint8_t b[14 + 60] = {0x64, 0, 0, 0, 0xff, 0, 0, 1, 0, 0, 0, 2, 0x08, 0x00};
    rocecc_packet p;
    rocecc_cm h;
    roce(b + 14, 60, 0x64);
    b[14 + 35] = 1; /* DestQP */
    (void)rocecc_packet_parse(&ether, rocecc_reader_of(b, b + 14 + 39), &p);
    CHECK(p.headers.kind == ROCECC_PACKET_KIND_ROCEV2 && p.headers.bth == 0);
    CHECK(!rocecc_cm_match(&p));
    CHECK_EQ(rocecc_cm_find(&p, &h), ROCECC_NO_MATCH);
    (void)rocecc_packet_parse(&ether, rocecc_reader_of(b, b + 14 + 40), &p);
    CHECK(rocecc_cm_match(&p));
}

/*
 * One port for two things, which init() refuses: the walk's first meaning counts, and
 * neither RoCEv2 nor an overlay is an ARN.
 */
TEST(arn_on_a_port_that_means_something_else)
{
    static const uint16_t ports[] = {4791, 4789, 6000};
    size_t i;
    for (i = 0; i < 3; i++) {
        const rocecc_domain d = {.link = ROCECC_LINK_IP, .arn = {.port = ports[i]}};
        uint8_t b[60];
        rocecc_packet p;
        test_context("port %u", (unsigned)ports[i]);
        roce(b, sizeof b, 0x08);
        rocecc_store16(b + 22, ports[i]);
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(p.headers.udp, 20);
        CHECK_EQ(rocecc_arn_match(&p), ports[i] == 6000);
    }
}

/* The reserved bytes are there or not: 15 of the 16 are not, whatever follows them. */
TEST(cnp_odd_of_15_reserved_bytes)
{
    static const uint8_t bytes[16] = {0};
    rocecc_bth bth;
    memset(&bth, 0, sizeof bth);
    CHECK_EQ(rocecc_cnp_odd(&bth, rocecc_reader_of(bytes, bytes + 16)), 0);
    CHECK_EQ(rocecc_cnp_odd(&bth, rocecc_reader_of(bytes, bytes + 15)),
             ROCECC_CNP_ODD_SHORT);
    CHECK_EQ(rocecc_cnp_odd(&bth, rocecc_reader_of(NULL, NULL)), ROCECC_CNP_ODD_SHORT);
}
