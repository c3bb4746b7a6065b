/* SPDX-License-Identifier: BSD-2-Clause */

/* udp.c - tests rocecc_udp_verify(), also for datagrams that it rejects although their
 * sum is right. */
#include "lib/test.h"
#include "rocecc/packet/udp.h"

#include <string.h>

static const rocecc_domain domain = {.link = ROCECC_LINK_IP};

/* Writes IPv4 from 10.0.0.1 to 10.0.0.2 and a datagram of 24 bytes to `port`. */
static void datagram(uint8_t *b, uint16_t port)
{
    memset(b, 0, 44);
    b[0] = 0x45;
    b[3] = 44;
    b[8] = 64;
    b[9] = ROCECC_PROTO_UDP;
    b[12] = b[16] = 10;
    b[15] = 1;
    b[19] = 2;
    rocecc_store16(b + 20, 0xc001);
    rocecc_store16(b + 22, port);
    b[25] = 24;
    b[43] = 0x77;
}

/* Sums both addresses, the protocol, the length and all 24 bytes (RFC 768). */
static void sum_up(uint8_t *b)
{
    uint32_t sum = ROCECC_PROTO_UDP + (uint32_t)rocecc_load16(b + 24);
    size_t i;
    rocecc_store16(b + 26, 0);
    for (i = 12; i < 44; i += 2)
        sum += rocecc_load16(b + i);
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    rocecc_store16(b + 26, (uint16_t)~sum);
}

/* RoCEv2 may have checksum 0, meaning none (IBTA A17.3.2.4). Any other checksum is
 * checked. */
TEST(udp_verify_checks_rocev2_unless_the_checksum_is_0)
{
    int is;
    for (is = 0; is < 2; is++) {
        uint8_t b[44];
        rocecc_packet p;
        datagram(b, is ? 4791 : 4792);
        sum_up(b);
        (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(p.headers.kind,
                 is ? ROCECC_PACKET_KIND_ROCEV2 : ROCECC_PACKET_KIND_UDP);
        CHECK_EQ(p.headers.udp, 20);
        CHECK(rocecc_udp_has_checksum(&p) && rocecc_udp_verify(&p));
        b[43] ^= 1;
        CHECK(rocecc_udp_has_checksum(&p) && !rocecc_udp_verify(&p));
        b[43] ^= 1;
        rocecc_store16(b + 26, 0);
        CHECK(!rocecc_udp_has_checksum(&p) && !rocecc_udp_verify(&p));
    }
}

/*
 * The mutation build fills locals with 0xfe, so a UDP header that was never parsed has
 * the length and the checksum 0xfefe. This datagram has both values. It verifies as a
 * whole packet, but not as a first fragment, because its kind is checked first.
 */
TEST(udp_verify_reads_only_parsed_headers)
{
    static uint8_t b[20 + 0xfefe];
    int is;
    for (is = 0; is < 2; is++) {
        uint32_t sum;
        rocecc_packet p;
        memset(b, 0, sizeof b);
        datagram(b, 4792);
        b[6] = is ? 0x20 : 0; /* more fragments */
        rocecc_store16(b + 2, sizeof b);
        rocecc_store16(b + 24, 0xfefe);
        sum_up(b); /* all other bytes are 0; the next two make it 0xfefe */
        sum = rocecc_load16(b + 26) + 0x0101u;
        rocecc_store16(b + 44, (uint16_t)(sum + (sum >> 16)));
        rocecc_store16(b + 26, 0xfefe);
        (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(p.headers.kind,
                 ROCECC_PACKET_KIND_UDP | (is ? ROCECC_PACKET_KIND_PARTIAL : 0));
        CHECK(p.headers.udp == 20 && p.headers.end == sizeof b);
        CHECK_EQ(rocecc_udp_verify(&p), !is);
    }
}

/* The sender's sum does not cover IFA and INT, so such a datagram is not verified, even
 * if the sum over the received bytes is right. */
TEST(udp_verify_rejects_telemetry)
{
    uint8_t b[44];
    rocecc_packet p;
    int is;
    datagram(b, 4791);
    sum_up(b);
    for (is = 0; is < 3; is++) {
        (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
        if (is == 1) p.headers.ifa = 20;
        if (is == 2) p.headers.intmd = 28;
        CHECK_EQ(rocecc_packet_has_telemetry(&p), is != 0);
        CHECK_EQ(rocecc_udp_verify(&p), is == 0);
    }
}

/* UDP Length must equal the length of the walked datagram. With another length, even a
 * right sum is rejected. */
TEST(udp_verify_rejects_another_length)
{
    uint8_t b[44];
    uint16_t length;
    rocecc_packet p;
    datagram(b, 4792);
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
    for (length = 8; length <= 40; length++) {
        test_context("%u bytes", (unsigned)length);
        rocecc_store16(b + 24, length);
        sum_up(b);
        CHECK_EQ(rocecc_udp_verify(&p), length == 24);
    }
}

/* A datagram that goes beyond the bytes is not verified, even if a shorter one in its
 * place is whole and right. */
TEST(udp_verify_needs_the_whole_datagram)
{
    uint8_t b[44];
    rocecc_packet all, less;
    datagram(b, 4792);
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &all);
    b[43] = 0;
    rocecc_store16(b + 24, 22);
    sum_up(b);
    less = rocecc_packet_attach(&domain, rocecc_reader_of(b, b + 42), &all.headers);
    CHECK_EQ(all.headers.end, 44);
    CHECK(!rocecc_udp_verify(&less));
    less.headers.end = 42;
    CHECK(rocecc_udp_verify(&less));
}

/* A VXLAN datagram over IPv4 has a right checksum, but its kind is OVERLAY. */
TEST(udp_verify_is_false_for_an_overlay)
{
    uint8_t b[44];
    rocecc_packet p;
    datagram(b, 4789);
    b[28] = 8; /* the VNI is valid */
    sum_up(b);
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_OVERLAY);
    CHECK(rocecc_udp_has_checksum(&p));
    CHECK(!rocecc_udp_verify(&p));
    p.headers.kind = ROCECC_PACKET_KIND_UDP;
    CHECK(rocecc_udp_verify(&p));
}
