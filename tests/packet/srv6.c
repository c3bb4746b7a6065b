/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * srv6.c - SRv6 in packets: chains of extension headers as long as a node follows them,
 * Routing headers of two types in one chain, lists of segments that are used up.
 */
#include "lib/test.h"
#include "rocecc/packet/icrc.h"
#include "rocecc/packet/srv6.h"

#include <string.h>

static const rocecc_domain domain = {.link = ROCECC_LINK_IP};

/* 40 bytes of IPv6 to an address that ends in 1, before n bytes. */
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

/* An SRH of two segments, whose first one in the list, the last of the way, ends in 9.
 */
static void srh_at(uint8_t *b, uint8_t next, uint8_t segments_left)
{
    const uint8_t head[8] = {next, 4, 4, segments_left, 1, 0, 0, 0};
    memcpy(b, head, sizeof head);
    memset(b + 8, 0, 32);
    b[8] = b[24] = 0x20;
    b[23] = 9;
    b[39] = 1;
}

/* A Routing header of another type is none of SRv6's: the SRH after it is found. */
TEST(srv6_after_another_routing_header)
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

/* With no segment left a packet is where it goes, whatever its list says. */
TEST(srv6_final_dst_with_no_segment_left)
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

/* Destination Options whose bytes would be an SRH with a segment left are none. */
TEST(srv6_final_dst_is_of_routing_headers)
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

/*
 * An SRH as the last header that the walk follows is found, and names the end of the
 * way. Those before it are options that look like an SRH of no segment left.
 */
TEST(srv6_the_last_header_is_an_srh)
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
        b[i + 2] = 4; /* an option of 4 bytes, as a Routing Type an SRH */
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

/* By its outermost header a packet of IPv4 is for no SID, though its payload has the
 * SID where IPv6 has its destination. */
TEST(srv6_decapsulate_of_ipv4)
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

/*
 * Where a packet was walked to is kept, and its bytes have become others: what had no
 * Routing header has none now, and behind as many headers as it had nobody looks.
 */
TEST(srv6_of_bytes_that_have_become_others)
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
        if (routing) { /* one of 8 bytes, of another type, and an SRH */
            b[40] = ROCECC_PROTO_ROUTING;
            b[41] = 0;
            srh_at(b + 48, ROCECC_PROTO_NONE, 1);
        } else { /* an SRH, and one of 8 bytes */
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

/* headers.h: a version of 0 says that there is no IP header, whatever stands beside it.
 */
TEST(srv6_no_version_is_no_header)
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
    b[41] = 1; /* 16 bytes, of 8 */
    sid.b[0] = 0x20;
    sid.b[15] = 1;
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.status, ROCECC_ERR_FORMAT);
    p.headers.outer.proto = ROCECC_PROTO_IPV6;
    CHECK_EQ(rocecc_srv6_decapsulate(&p, &sid, &out), ROCECC_SRV6_BROKEN);
}

/* The SID whose address ipv6() writes as the destination. */
static rocecc_ip6 sid_of_ipv6(void)
{
    rocecc_ip6 sid = ROCECC_ZERO;
    sid.b[0] = 0x20;
    sid.b[15] = 1;
    return sid;
}

/* A first fragment with a segment left: the verdict is SEGMENTS_LEFT, not BROKEN. */
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

/*
 * IPv6 in IPv6, captured up to each byte. The outer header must be there to match the
 * SID, and the inner header to decapsulate. The inner payload may be missing.
 */
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

/* ESP at the SID is BROKEN, because the walk stops at it as at an extension header. */
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

/* Of two SRHs with segments left, the second has the final destination, although the
 * Segments Left of the first is reported. Without their bytes nothing is read. */
TEST(srv6_final_dst_is_of_the_last_srh)
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
