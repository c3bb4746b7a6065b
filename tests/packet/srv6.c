/* SPDX-License-Identifier: BSD-2-Clause */

/* srv6.c - tests packet/srv6.h, with the longest chains of extension headers, Routing
 * headers of two types in one chain, and lists of segments that are used up. */
#include "lib/test.h"
#include "rocecc/packet/icrc.h"
#include "rocecc/packet/srv6.h"

#include <string.h>

static const rocecc_domain domain = {.link = ROCECC_LINK_IP};

/* Writes an IPv6 header to an address that ends in 1, before n bytes. */
static void ipv6(uint8_t *b, uint8_t next, size_t n)
{
    memset(b, 0, 40);
    b[0] = 0x60;
    rocecc_store16(b + 4, (uint16_t)n);
    b[6] = next;
    b[7] = 64;
    b[8] = b[24] = 0x20;
    b[39] = 1;
}

/* Writes an SRH of two segments. The final one, first in the list, ends in 9. */
static void srh_at(uint8_t *b, uint8_t next, uint8_t segments_left)
{
    const uint8_t head[8] = {next, 4, 4, segments_left, 1, 0, 0, 0};
    memcpy(b, head, sizeof head);
    memset(b + 8, 0, 32);
    b[8] = b[24] = 0x20;
    b[23] = 9;
    b[39] = 1;
}

/* A Routing header of another type is not an SRH. The SRH after it is found. */
TEST(srv6_srh_is_found_after_another_routing_header)
{
    uint8_t b[40 + 8 + 40];
    rocecc_ip6 dst = ROCECC_ZERO;
    rocecc_packet p;
    rocecc_srh h;
    ipv6(b, ROCECC_PROTO_ROUTING, sizeof b - 40);
    memset(b + 40, 0, 8);
    b[40] = ROCECC_PROTO_ROUTING;
    b[42] = 253;
    srh_at(b + 48, ROCECC_PROTO_NONE, 1);
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.ip.routing, 40);
    CHECK_EQ(rocecc_srh_find(&p, &p.headers.ip, &h), ROCECC_OK);
    CHECK_EQ(h.segments_left, 1);
    CHECK_EQ(h.segments.at, 56);
    CHECK_EQ(rocecc_left(&h.segments), 32);
    CHECK_EQ(rocecc_srv6_segments_left(&p, &p.headers.ip), 51);
    rocecc_packet_final_dst(&p, &p.headers.ip, &dst);
    CHECK_EQ(dst.b[15], 9);
}

/* Without segments left, the list does not change the final destination. */
TEST(srv6_final_dst_without_segments_left_is_unchanged)
{
    unsigned left;
    for (left = 0; left < 2; left++) {
        uint8_t b[40 + 40];
        rocecc_ip6 dst = ROCECC_ZERO;
        rocecc_packet p;
        ipv6(b, ROCECC_PROTO_ROUTING, sizeof b - 40);
        srh_at(b + 40, ROCECC_PROTO_NONE, (uint8_t)left);
        (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
        dst.b[15] = 1;
        rocecc_packet_final_dst(&p, &p.headers.ip, &dst);
        CHECK_EQ(dst.b[15], left != 0 ? 9 : 1);
    }
}

/* Destination Options that look like an SRH with a segment left are ignored. */
TEST(srv6_final_dst_ignores_options_like_an_srh)
{
    uint8_t b[40 + 40 + 40];
    rocecc_ip6 dst = ROCECC_ZERO;
    rocecc_packet p;
    ipv6(b, ROCECC_PROTO_DSTOPTS, sizeof b - 40);
    srh_at(b + 40, ROCECC_PROTO_ROUTING, 1);
    srh_at(b + 80, ROCECC_PROTO_NONE, 0);
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.ip.dst_opts[0], 40);
    CHECK_EQ(p.headers.ip.routing, 80);
    dst.b[15] = 1;
    rocecc_packet_final_dst(&p, &p.headers.ip, &dst);
    CHECK_EQ(dst.b[15], 1);
}

/* An SRH is found as the last header that the walk follows, and has the final
 * destination. The headers before it are options that look like an SRH. */
TEST(srv6_srh_is_found_as_the_last_header)
{
    uint8_t b[40 + 8 * (ROCECC_IP6EXT_MAX - 1) + 40];
    const size_t at = sizeof b - 40;
    rocecc_ip6 dst = ROCECC_ZERO;
    rocecc_packet p;
    rocecc_srh h;
    size_t i;
    ipv6(b, ROCECC_PROTO_DSTOPTS, sizeof b - 40);
    for (i = 40; i < at; i += 8) {
        memset(b + i, 0, 8);
        b[i] = i + 8 < at ? ROCECC_PROTO_DSTOPTS : ROCECC_PROTO_ROUTING;
        b[i + 2] = 4; /* an option of 4 bytes; Routing Type 4 is an SRH */
        b[i + 3] = 4;
    }
    srh_at(b + at, ROCECC_PROTO_NONE, 1);
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.ip.n_ext, ROCECC_IP6EXT_MAX);
    CHECK_EQ(p.headers.ip.routing, at);
    CHECK_EQ(rocecc_srh_find(&p, &p.headers.ip, &h), ROCECC_OK);
    CHECK_EQ(h.segments_left, 1);
    CHECK_EQ(h.segments.at, at + 8);
    CHECK_EQ(rocecc_left(&h.segments), 32);
    rocecc_packet_final_dst(&p, &p.headers.ip, &dst);
    CHECK_EQ(dst.b[15], 9);
}

/* An IPv4 packet gives OTHER, even if its payload has the SID at the offset of IPv6's
 * destination. */
TEST(srv6_decapsulate_of_ipv4_is_other)
{
    static const uint8_t protos[] = {ROCECC_PROTO_UDP, ROCECC_PROTO_ICMP6, 253};
    size_t i;
    for (i = 0; i < sizeof protos; i++) {
        uint8_t b[44] = {0x45, 0, 0, 44, 0, 0, 0, 0, 64};
        rocecc_ip6 sid = ROCECC_ZERO;
        rocecc_srv6 out;
        rocecc_packet p;
        b[9] = protos[i];
        b[24] = sid.b[0] = 0x20;
        b[39] = sid.b[15] = 1;
        (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(p.headers.ip.version, 4);
        CHECK_EQ(rocecc_srv6_decapsulate(&p, &sid, &out), ROCECC_SRV6_OTHER);
    }
}

/* The bytes have changed since the walk. A Routing header is found only if the walk
 * found one, and only in as many headers as were walked. */
TEST(srv6_find_reads_only_the_walked_routing_headers)
{
    uint8_t b[40 + 48] = {0};
    const rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
    rocecc_ip6 dst = ROCECC_ZERO;
    rocecc_packet p;
    rocecc_srh h;
    int routing;
    for (routing = 0; routing < 2; routing++) {
        test_context("routing %d", routing);
        ipv6(b, routing ? ROCECC_PROTO_ROUTING : ROCECC_PROTO_DSTOPTS, 48);
        memset(b + 40, 0, 48);
        b[40] = ROCECC_PROTO_NONE;
        b[41] = 5; /* one header of 48 bytes */
        b[42] = routing ? 253 : 0;
        (void)rocecc_packet_parse(&domain, r, &p);
        CHECK_EQ(p.headers.ip.n_ext, 1);
        CHECK_EQ(p.headers.ip.upper, 88);
        CHECK_EQ(p.headers.ip.routing, routing ? 40 : 0);
        if (routing) { /* 8 bytes of another type, and an SRH */
            b[40] = ROCECC_PROTO_ROUTING;
            b[41] = 0;
            srh_at(b + 48, ROCECC_PROTO_NONE, 1);
        } else { /* an SRH, and 8 bytes of options */
            b[6] = ROCECC_PROTO_ROUTING;
            srh_at(b + 40, ROCECC_PROTO_DSTOPTS, 1);
            b[80] = ROCECC_PROTO_NONE;
        }
        CHECK_EQ(rocecc_srh_find(&p, &p.headers.ip, &h), ROCECC_NO_MATCH);
        CHECK_EQ(rocecc_srv6_segments_left(&p, &p.headers.ip), 0);
        rocecc_packet_final_dst(&p, &p.headers.ip, &dst);
        CHECK_EQ(dst.b[15], 0);
        (void)rocecc_packet_parse(&domain, r, &p);
        CHECK_EQ(p.headers.ip.n_ext, 2);
        CHECK_EQ(rocecc_srh_find(&p, &p.headers.ip, &h), ROCECC_OK);
    }
}

/* Version 0 means that an IP header is absent, even if its other members are set
 * (headers.h). */
TEST(srv6_version_0_means_an_absent_header)
{
    uint8_t b[40 + 8];
    rocecc_headers_ip none = ROCECC_ZERO;
    rocecc_ip6 sid = ROCECC_ZERO;
    rocecc_packet p;
    rocecc_srv6 out;
    none.proto = ROCECC_PROTO_IPV6;
    CHECK(!rocecc_srv6_is_tunnel_(&none));
    none.version = 6;
    CHECK(rocecc_srv6_is_tunnel_(&none));
    ipv6(b, ROCECC_PROTO_DSTOPTS, 8);
    memset(b + 40, 0, 8);
    b[41] = 1; /* 16 bytes, of which 8 are there */
    sid.b[0] = 0x20;
    sid.b[15] = 1;
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.status, ROCECC_ERR_FORMAT);
    p.headers.outer.proto = ROCECC_PROTO_IPV6;
    CHECK_EQ(rocecc_srv6_decapsulate(&p, &sid, &out), ROCECC_SRV6_BROKEN);
}

/* Returns the SID that ipv6() writes as the destination. */
static rocecc_ip6 sid_of_ipv6(void)
{
    rocecc_ip6 sid = ROCECC_ZERO;
    sid.b[0] = 0x20;
    sid.b[15] = 1;
    return sid;
}

/* A first fragment with a segment left gives SEGMENTS_LEFT, not BROKEN. */
TEST(srv6_decapsulate_checks_segments_left_before_fragments)
{
    const rocecc_ip6 sid = sid_of_ipv6();
    unsigned left;
    for (left = 0; left < 2; left++) {
        uint8_t b[40 + 40 + 8 + 8] = {0};
        rocecc_packet p;
        rocecc_srv6 out;
        ipv6(b, ROCECC_PROTO_ROUTING, sizeof b - 40);
        srh_at(b + 40, 44, (uint8_t)left);
        b[80] = ROCECC_PROTO_UDP;
        b[83] = 1; /* more fragments */
        (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(p.headers.ip.fragment, ROCECC_IP_FRAGMENT_FIRST);
        CHECK_EQ(rocecc_srv6_decapsulate(&p, &sid, &out),
                 left != 0 ? ROCECC_SRV6_SEGMENTS_LEFT : ROCECC_SRV6_BROKEN);
    }
}

/* IPv6 in IPv6 is captured up to each byte. The outer header must be complete to match
 * the SID, and the inner header to decapsulate. The inner payload may be missing. */
TEST(srv6_decapsulate_needs_only_the_headers_of_a_capture)
{
    const rocecc_ip6 sid = sid_of_ipv6();
    uint8_t b[40 + 40 + 8] = {0};
    size_t n;
    ipv6(b, ROCECC_PROTO_IPV6, 48);
    ipv6(b + 40, ROCECC_PROTO_NONE, 8);
    for (n = 1; n <= sizeof b; n++) {
        rocecc_packet p;
        rocecc_srv6 out, old;
        rocecc_srv6_verdict verdict;
        test_context("%zu bytes", n);
        (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + n), &p);
        memset(&out, 0xa5, sizeof out);
        old = out;
        verdict = rocecc_srv6_decapsulate(&p, &sid, &out);
        CHECK_EQ(verdict, n < 40   ? ROCECC_SRV6_OTHER
                          : n < 80 ? ROCECC_SRV6_BROKEN
                                   : ROCECC_SRV6_DECAPSULATE);
        if (n < 80) {
            CHECK(memcmp(&out, &old, sizeof out) == 0);
            CHECK_EQ(rocecc_srv6_parse(&p, &out),
                     n < 40 ? ROCECC_NO_MATCH : ROCECC_ERR_SHORT);
        } else {
            CHECK_EQ(out.ip.bytes, 48);
            CHECK_EQ(rocecc_left(&out.inner), n - 40);
        }
    }
}

/* ESP at the SID gives BROKEN, because the walk stops in the extension headers. */
TEST(srv6_decapsulate_of_esp_is_broken)
{
    static const uint8_t protos[] = {ROCECC_PROTO_ESP, ROCECC_PROTO_NONE};
    const rocecc_ip6 sid = sid_of_ipv6();
    size_t i;
    for (i = 0; i < sizeof protos; i++) {
        uint8_t b[40 + 16] = {0};
        rocecc_packet p;
        rocecc_srv6 out;
        test_context("protocol %u", (unsigned)protos[i]);
        ipv6(b, protos[i], 16);
        (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(rocecc_srv6_decapsulate(&p, &sid, &out),
                 i == 0 ? ROCECC_SRV6_BROKEN : ROCECC_SRV6_NO_TUNNEL);
    }
}

/* If two SRHs have segments left, the second has the final destination, but the
 * Segments Left of the first is reported. Without their bytes, nothing is read. */
TEST(srv6_final_dst_is_from_the_last_srh)
{
    uint8_t b[40 + 40 + 40];
    rocecc_ip6 dst = ROCECC_ZERO;
    rocecc_packet p;
    ipv6(b, ROCECC_PROTO_ROUTING, sizeof b - 40);
    srh_at(b + 40, ROCECC_PROTO_ROUTING, 1);
    srh_at(b + 80, ROCECC_PROTO_NONE, 1);
    b[80 + 23] = 7;
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
    rocecc_packet_final_dst(&p, &p.headers.ip, &dst);
    CHECK_EQ(dst.b[15], 7);
    CHECK_EQ(rocecc_srv6_segments_left(&p, &p.headers.ip), 43);
    p = rocecc_packet_attach(&domain, rocecc_reader_of(b, b + 79), &p.headers);
    dst.b[15] = 1;
    rocecc_packet_final_dst(&p, &p.headers.ip, &dst);
    CHECK_EQ(dst.b[15], 1);
    CHECK_EQ(rocecc_srv6_segments_left(&p, &p.headers.ip), 0);
}
