/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * two_headers.c - checks every answer about a packet with an outer and an inner header.
 * Each answer must come from the right header. The two headers differ in every member
 * (lib/two_headers.h), and the expected values are computed by hand.
 * two_headers_edits.c checks changes of such packets, and two_headers_role.c the roles.
 */
#include "lib/two_headers.h"

#include "lib/test.h"
#include "rocecc/packet/answer.h"
#include "rocecc/packet/arn.h"
#include "rocecc/packet/cm.h"
#include "rocecc/packet/echo.h"
#include "rocecc/packet/fastcnp.h"
#include "rocecc/packet/flow.h"
#include "rocecc/packet/icrc.h"
#include "rocecc/packet/l3qcn.h"
#include "rocecc/packet/arrival.h"
#include "rocecc/packet/udp.h"

#include <string.h>

/*
 * Returns the network's unassigned numbers. The headers of these frames do not contain
 * one by accident.
 */
static rocecc_domain domain(void)
{
    rocecc_domain d = ROCECC_ZERO;
    d.roce.echo_bytes = 256;
    d.csig.compact_tpid = 0x9900;
    d.ioam.namespace_id = 0x7b;
    d.fastcnp.type_plain = 0x9e;
    d.fastcnp.type_ioam = 0x9f;
    d.l3qcn.port = 51966;
    d.arn.port = 51967;
    return d;
}

static bool same_address(const rocecc_ip6 *a, const rocecc_ip6 *b)
{
    return memcmp(a->b, b->b, 16) == 0;
}

static size_t ip_bytes(int version)
{
    return version == 4 ? 20 : 40;
}

static void check_ip(const rocecc_packet *p, const rocecc_headers_ip *at,
                     const two_side *s, int version)
{
    rocecc_ip ip;
    memset(&ip, 0xa5, sizeof ip);
    CHECK_EQ(rocecc_packet_ip(p, at, &ip), ROCECC_OK);
    CHECK_EQ(ip.version, version);
    CHECK_EQ(ip.dscp, s->dscp);
    CHECK_EQ(ip.ecn, s->ecn);
    CHECK_EQ(ip.hop_limit, s->hop_limit);
    CHECK_EQ(ip.flow_label, version == 6 ? s->flow_label : 0);
    CHECK(same_address(&ip.src, two_src(s, version)) &&
          same_address(&ip.dst, two_dst(s, version)));
}

static void check_addresses(const rocecc_flow *flow, const two_side *s, int version)
{
    CHECK(same_address(&flow->src, two_src(s, version)) &&
          same_address(&flow->dst, two_dst(s, version)));
}

/* Checks the flow of a side's UDP header. */
static void check_udp_flow(const rocecc_flow *flow, const two_side *s, int version,
                           uint16_t dst_port)
{
    check_addresses(flow, s, version);
    CHECK_EQ(flow->proto, 17);
    CHECK_EQ(flow->src_port, s->port);
    CHECK_EQ(flow->dst_port, dst_port);
}

/* Checks the outer flow of IP in IP. It has no ports. */
static void check_tunnel_flow(const rocecc_flow *flow, int outer, int inner)
{
    check_addresses(flow, &two_outer, outer);
    CHECK_EQ(flow->proto, inner == 4 ? 4 : 41);
    CHECK_EQ(flow->src_port, 0);
    CHECK_EQ(flow->dst_port, 0);
}

/* The first IP header follows 14 bytes of Ethernet and 8 bytes of tags. */
TEST(two_headers_are_at_the_offsets_of_the_walk)
{
    const rocecc_domain d = domain();
    int i;
    for (i = 0; i < 4; i++) {
        const int outer = two_pairs[i][0], inner = two_pairs[i][1];
        const two_frame x = two_tunnel(outer, inner, two_data);
        const rocecc_packet p = two_walked(&d, &x);
        const rocecc_headers *f = &p.headers;
        const size_t second = 22 + ip_bytes(outer), udp = second + ip_bytes(inner);
        test_context("IPv%d in IPv%d", inner, outer);
        CHECK_EQ(f->status, ROCECC_OK);
        CHECK_EQ(f->kind, ROCECC_PACKET_KIND_ROCEV2);
        CHECK_EQ(f->n_vlan, 2);
        CHECK_EQ(f->outer.version, outer);
        CHECK_EQ(f->outer.proto, inner == 4 ? 4 : 41);
        CHECK_EQ(f->outer.offset, 22);
        CHECK_EQ(f->outer.upper, second);
        CHECK_EQ(f->outer.end, udp + 32);
        CHECK_EQ(f->ip.version, inner);
        CHECK_EQ(f->ip.proto, 17);
        CHECK_EQ(f->ip.offset, second);
        CHECK_EQ(f->ip.upper, udp);
        CHECK_EQ(f->ip.end, udp + 32);
        CHECK_EQ(f->udp, udp);
        CHECK_EQ(f->bth, udp + 8);
        CHECK(rocecc_packet_outermost(&p) == &p.headers.outer);
        check_ip(&p, &f->outer, &two_outer, outer);
        check_ip(&p, &f->ip, &two_inner, inner);
    }
}

/* The flow of IP in IP is the inner packet's. The outer flow has no ports. */
TEST(two_headers_have_two_flows)
{
    const rocecc_domain d = domain();
    int i;
    for (i = 0; i < 4; i++) {
        const int outer = two_pairs[i][0], inner = two_pairs[i][1];
        const two_frame x = two_tunnel(outer, inner, two_data);
        const rocecc_packet p = two_walked(&d, &x);
        rocecc_flow flow = ROCECC_ZERO;
        test_context("IPv%d in IPv%d", inner, outer);
        CHECK_EQ(rocecc_packet_flow(&p, &flow), ROCECC_OK);
        check_udp_flow(&flow, &two_inner, inner, 4791);
        CHECK_EQ(rocecc_packet_ip_flow(&p, &p.headers.ip, &flow), ROCECC_OK);
        check_udp_flow(&flow, &two_inner, inner, 4791);
        CHECK_EQ(rocecc_packet_outer_flow(&p, &flow), ROCECC_OK);
        check_tunnel_flow(&flow, outer, inner);
        CHECK_EQ(rocecc_packet_ip_flow(&p, &p.headers.outer, &flow), ROCECC_OK);
        check_tunnel_flow(&flow, outer, inner);
    }
}

/* A VXLAN packet inside IP in IP has the flow of the IP header next to its UDP
 * header. */
TEST(two_headers_an_overlay_in_a_tunnel_has_the_inner_flow)
{
    const rocecc_domain d = domain();
    int i;
    for (i = 0; i < 4; i++) {
        const int outer = two_pairs[i][0], inner = two_pairs[i][1];
        rocecc_flow flow = ROCECC_ZERO;
        rocecc_packet p;
        two_frame x;
        memset(&x, 0, sizeof x);
        two_ether(&x, &two_outer);
        two_type(&x, outer);
        two_ip(&x, &two_outer, outer, inner == 4 ? 4 : 41);
        two_ip(&x, &two_inner, inner, 17);
        two_udp(&x, &two_inner, 4789);
        two_hex(&x, "08000000 00070000 020000000001 020000000002 88b5");
        two_end(&x);
        p = two_walked(&d, &x);
        test_context("IPv%d in IPv%d", inner, outer);
        CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_OVERLAY);
        CHECK_EQ(rocecc_packet_flow(&p, &flow), ROCECC_OK);
        check_udp_flow(&flow, &two_inner, inner, 4789);
        CHECK_EQ(rocecc_packet_outer_flow(&p, &flow), ROCECC_OK);
        check_tunnel_flow(&flow, outer, inner);
    }
}

/* A CNP has the inner header's values, written by its sender. */
TEST(two_headers_a_cnp_has_the_inner_values)
{
    const rocecc_domain d = domain();
    int i;
    for (i = 0; i < 4; i++) {
        const int outer = two_pairs[i][0], inner = two_pairs[i][1];
        const two_frame x = two_tunnel(outer, inner, two_cnp);
        const rocecc_packet p = two_walked(&d, &x);
        rocecc_cnp h = ROCECC_ZERO;
        test_context("IPv%d in IPv%d", inner, outer);
        CHECK(rocecc_cnp_match(&p));
        CHECK_EQ(rocecc_cnp_parse(&p, &h), ROCECC_OK);
        CHECK(same_address(&h.src, two_src(&two_inner, inner)));
        CHECK(same_address(&h.dst, two_dst(&two_inner, inner)));
        CHECK_EQ(h.dscp, 26);
        CHECK_EQ(h.ecn, 2);
        CHECK_EQ(h.hop_limit, 55);
        CHECK_EQ(h.flow_label, inner == 6 ? 0x5d4e3 : 0);
        CHECK_EQ(h.identification, inner == 4 ? 0x2b2b : 0);
        CHECK_EQ(h.src_port, 0xc123);
        CHECK(!h.udp_checksum);
        CHECK_EQ(h.dest_qp, 0x456);
    }
}

/* Returns the bits of byte `at` of an inner packet, up to the end of its BTH, that
 * its ICRC does not cover. They are TOS, TTL and checksum of IPv4, Traffic Class,
 * Flow Label and Hop Limit of IPv6, the UDP checksum, and byte 4 of the BTH. */
static uint8_t left_out(int version, size_t at)
{
    const size_t upper = ip_bytes(version);
    if (version == 4 && (at == 1 || at == 8 || at == 10 || at == 11)) return 0xff;
    if (version == 6 && at < 40) return at == 0 ? 0x0f : at <= 3 || at == 7 ? 0xff : 0;
    return at == upper + 6 || at == upper + 7 || at == upper + 12 ? 0xff : 0;
}

/* The ICRC is the same in every tunnel. A flipped bit of an outer header does not
 * change it, and a flipped bit of an inner header does unless the ICRC leaves it
 * out. */
TEST(two_headers_icrc_covers_the_inner_header)
{
    const rocecc_domain d = domain();
    int i;
    for (i = 0; i < 8; i++) {
        const int outer = two_pairs[i & 3][0], inner = two_pairs[i & 3][1];
        two_frame x = i < 4 ? two_tunnel(outer, inner, two_data)
                            : two_vxlan(outer, inner, two_data);
        const rocecc_packet p = i < 4 ? two_walked(&d, &x) : two_inside(&d, &x);
        const uint32_t right = inner == 4 ? 0x51d573d2 : 0x0a78e664;
        const size_t start = x.ip[1], end = start + ip_bytes(inner) + 20;
        rocecc_icrc icrc = ROCECC_ZERO;
        uint32_t computed = 0, state = 0;
        size_t at;
        unsigned bit;
        CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc), ROCECC_OK);
        CHECK(icrc.ok && icrc.rule == ROCECC_ICRC_STANDARD);
        CHECK_EQ(icrc.computed, right);
        CHECK_EQ(rocecc_icrc_init(ROCECC_ICRC_STANDARD, &p, &state), ROCECC_OK);
        for (at = 0; at < end; at++) {
            for (bit = 0; bit < 8; bit++) {
                const bool out =
                    at < start || (left_out(inner, at - start) >> bit & 1) != 0;
                test_at("pair, byte, bit", (uint64_t)i, at, bit);
                x.b[at] ^= (uint8_t)(1u << bit);
                CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_STANDARD, &p, &computed),
                         ROCECC_OK);
                CHECK((computed == right) == out);
                x.b[at] ^= (uint8_t)(1u << bit);
            }
        }
    }
}

/* The outer extension headers are not covered, and the packet counts as one without
 * extension headers. */
TEST(two_headers_icrc_ignores_outer_extension_headers)
{
    const rocecc_domain d = domain();
    two_frame x;
    rocecc_packet p;
    rocecc_icrc icrc = ROCECC_ZERO;
    uint32_t computed = 0;
    size_t at;
    memset(&x, 0, sizeof x);
    two_ether(&x, &two_outer);
    two_type(&x, 6);
    two_ip(&x, &two_outer, 6, 60);
    two_hex(&x, "2900 1e04 00000000"); /* Destination Options, then IPv6 */
    two_ip(&x, &two_inner, 6, 17);
    two_data(&x, 6);
    two_end(&x);
    p = two_walked(&d, &x);
    CHECK_EQ(p.headers.outer.n_ext, 1);
    CHECK_EQ(p.headers.ip.n_ext, 0);
    CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc), ROCECC_OK);
    CHECK(icrc.ok && icrc.rule == ROCECC_ICRC_STANDARD);
    for (at = 0; at < x.ip[1]; at++) {
        test_at("byte", at, 0, 0);
        x.b[at] ^= 0xff;
        CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_MASKED, &p, &computed), ROCECC_OK);
        CHECK_EQ(computed, 0x0a78e664);
        x.b[at] ^= 0xff;
    }
}

/* The inner packet has a routing header with one segment left. MASKED takes the
 * last segment as the destination and ones as Segments Left and tag. LITERAL takes
 * all bytes as they are, and STRIPPED leaves the header out. */
TEST(two_headers_icrc_rules_apply_to_the_inner_routing_header)
{
    static const uint32_t right[] = {0x6e739656, 0xd31a7d74, 0x0a78e664};
    const rocecc_domain d = domain();
    int k;
    for (k = 0; k < 3; k++) {
        two_frame x;
        rocecc_packet p;
        rocecc_icrc icrc = ROCECC_ZERO;
        uint32_t computed = 0;
        memset(&x, 0, sizeof x);
        two_ether(&x, &two_outer);
        two_type(&x, k == 2 ? 4 : 6);
        two_ip(&x, &two_outer, k == 2 ? 4 : 6, k == 1 ? 43 : 41);
        if (k == 1) two_hex(&x, "2902 0400 00000000 20010db8001100000000000000000011");
        two_ip(&x, &two_inner, 6, 43);
        two_hex(&x, "1104 0401 01001234 20010db8002200000000000000000022"
                    "20010db8000d00000000000000000004");
        two_data(&x, 6);
        two_end(&x);
        p = two_walked(&d, &x);
        test_context("%d", k);
        CHECK_EQ(p.headers.status, ROCECC_OK);
        CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_MASKED, &p, &computed), ROCECC_OK);
        CHECK_EQ(computed, right[0]);
        CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_LITERAL, &p, &computed), ROCECC_OK);
        CHECK_EQ(computed, right[1]);
        CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_STRIPPED, &p, &computed), ROCECC_OK);
        CHECK_EQ(computed, right[2]);
        CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_STANDARD, &p, &computed),
                 ROCECC_ERR_UNSUPPORTED);
        CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc), ROCECC_OK);
        CHECK(icrc.ok &&
              icrc.rule == ROCECC_ICRC_STRIPPED); /* two_data() wrote this one */
    }
}

/* The ICRC of RoCEv1 covers the GRH, and not the IP header of the VXLAN around it. */
TEST(two_headers_icrc_covers_the_inner_grh)
{
    const rocecc_domain d = domain();
    int outer;
    for (outer = 4; outer <= 6; outer += 2) {
        two_frame x;
        rocecc_packet p, in;
        uint32_t computed = 0;
        size_t at, grh;
        memset(&x, 0, sizeof x);
        two_ether(&x, &two_outer);
        two_type(&x, outer);
        two_ip(&x, &two_outer, outer, 17);
        two_udp(&x, &two_outer, 4789);
        two_hex(&x, "08000000 00070000");
        two_ether(&x, &two_inner);
        two_hex(&x, "8915");
        grh = x.n;
        two_ip(&x, &two_inner, 6, 0x1b);
        two_hex(&x, "0440 8001 00000456 80000789 0102030405060708 e788dfb4");
        two_end(&x);
        p = two_walked(&d, &x);
        in = two_inside(&d, &x);
        check_ip(&p, &p.headers.ip, &two_outer, outer);
        CHECK_EQ(p.headers.grh, 0);
        CHECK_EQ(in.headers.kind, ROCECC_PACKET_KIND_ROCEV1);
        CHECK_EQ(in.headers.grh, grh);
        CHECK_EQ(in.headers.ip.version + in.headers.outer.version, 0);
        for (at = 0; at < grh + 52; at++) {
            const bool out = at < grh || at == grh + 44 ||
                             (at < grh + 40 && left_out(6, at - grh) == 0xff);
            test_at("version, byte", (uint64_t)outer, at, 0);
            x.b[at] ^= 0x10;
            CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_STANDARD, &in, &computed),
                     ROCECC_OK);
            CHECK((computed == 0xb4df88e7) == out);
            x.b[at] ^= 0x10;
        }
    }
}

/* Both frames of an overlay have MAC addresses, tags, IP addresses and ports. */
TEST(two_headers_of_an_overlay_are_separate)
{
    const rocecc_domain d = domain();
    int i;
    for (i = 0; i < 4; i++) {
        const int outer = two_pairs[i][0], inner = two_pairs[i][1];
        const two_frame x = two_vxlan(outer, inner, two_cnp);
        const rocecc_packet p = two_walked(&d, &x), in = two_inside(&d, &x);
        const rocecc_packet kept = rocecc_packet_attach(
            &d, rocecc_headers_inner_bytes(p.bytes, &p.headers), &in.headers);
        rocecc_flow flow = ROCECC_ZERO;
        rocecc_vlan tag = ROCECC_ZERO;
        rocecc_reader r;
        rocecc_cnp cnp = ROCECC_ZERO;
        const size_t second = 22 + ip_bytes(outer) + 16;
        test_context("IPv%d in VXLAN over IPv%d", inner, outer);
        check_ip(&p, &p.headers.ip, &two_outer, outer);
        check_ip(&in, &in.headers.ip, &two_inner, inner);
        check_ip(&kept, &kept.headers.ip, &two_inner, inner);
        CHECK(rocecc_packet_outermost(&p) == &p.headers.ip);
        CHECK(rocecc_packet_outermost(&in) == &in.headers.ip);
        CHECK_EQ(in.bytes.at, second);
        CHECK_EQ(in.bytes.end, x.n);
        CHECK_EQ(in.headers.ip.offset, second + 18);
        CHECK_EQ(rocecc_packet_flow(&p, &flow), ROCECC_OK);
        check_udp_flow(&flow, &two_outer, outer, 4789);
        CHECK_EQ(rocecc_packet_outer_flow(&p, &flow), ROCECC_OK);
        check_udp_flow(&flow, &two_outer, outer, 4789);
        CHECK_EQ(rocecc_packet_flow(&in, &flow), ROCECC_OK);
        check_udp_flow(&flow, &two_inner, inner, 4791);
        CHECK_EQ(rocecc_packet_outer_flow(&in, &flow), ROCECC_OK);
        check_udp_flow(&flow, &two_inner, inner, 4791);
        CHECK(!rocecc_cnp_match(&p) && rocecc_cnp_match(&in));
        CHECK_EQ(rocecc_cnp_parse(&in, &cnp), ROCECC_OK);
        CHECK(same_address(&cnp.dst, two_dst(&two_inner, inner)) && cnp.ecn == 2);
        CHECK_EQ(p.headers.n_vlan, 2);
        CHECK_EQ(in.headers.n_vlan, 1);
        r = rocecc_packet_vlan(&p, 0);
        CHECK_EQ(rocecc_vlan_parse(&r, &tag), ROCECC_OK);
        CHECK_EQ(tag.vid, 0x111);
        CHECK_EQ(tag.pcp, 5);
        r = rocecc_packet_vlan(&p, 1);
        CHECK_EQ(rocecc_vlan_parse(&r, &tag), ROCECC_OK);
        CHECK_EQ(tag.vid, 0x222);
        r = rocecc_packet_vlan(&in, 0);
        CHECK_EQ(rocecc_vlan_parse(&r, &tag), ROCECC_OK);
        CHECK_EQ(tag.vid, 0x333);
        CHECK_EQ(tag.pcp, 2);
    }
}

/* An answer has the VLAN tags of the packet that it answers. */
TEST(two_headers_an_answer_has_the_tags_of_its_packet)
{
    static const uint8_t outer[] = {2,    0, 0,    0,    0x0a, 0x05, 2,    0,
                                    0,    0, 0x0e, 0x0e, 0x88, 0xa8, 0xe1, 0x11,
                                    0x81, 0, 0xe2, 0x22, 0x86, 0xdd};
    static const uint8_t inner[] = {2, 0,    0,    0,    0x01, 0x05, 2,    0,    0,
                                    0, 0x0e, 0x0e, 0x81, 0,    0xe3, 0x33, 0x86, 0xdd};
    const rocecc_answer a = {{{2, 0, 0, 0, 0x0e, 0x0e}}, 0x86dd, 7, false};
    const rocecc_domain d = domain();
    const two_frame x = two_vxlan(4, 6, two_data), y = two_tunnel(4, 6, two_data);
    const rocecc_packet p[] = {two_walked(&d, &x), two_inside(&d, &x),
                               two_walked(&d, &y)};
    int i;
    for (i = 0; i < 3; i++) {
        uint8_t b[64];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        const size_t n = i == 1 ? sizeof inner : sizeof outer;
        test_context("%d", i);
        CHECK_EQ(rocecc_answer_ether(&w, &p[i], &a), ROCECC_OK);
        CHECK_EQ(w.at, n);
        CHECK(memcmp(b, i == 1 ? inner : outer, n) == 0);
    }
}

/* Each frame has a CSIG tag of type 1. Their values are 5 and 9. */
TEST(two_headers_each_frame_has_its_own_csig_tag)
{
    const rocecc_domain d = domain();
    two_frame x;
    rocecc_packet p, in;
    rocecc_csig h = ROCECC_ZERO;
    rocecc_echo echo = ROCECC_ZERO;
    memset(&x, 0, sizeof x);
    two_ether(&x, &two_outer);
    two_hex(&x, "9900 2283"); /* type 1, value 5 */
    two_type(&x, 6);
    two_ip(&x, &two_outer, 6, 17);
    two_udp(&x, &two_outer, 4789);
    two_hex(&x, "08000000 00070000");
    two_ether(&x, &two_inner);
    two_hex(&x, "9900 2485");
    two_type(&x, 4);
    two_ip(&x, &two_inner, 4, 17);
    two_data(&x, 4);
    two_end(&x);
    p = two_walked(&d, &x);
    in = two_inside(&d, &x);
    CHECK_EQ(rocecc_csig_find(&p, &h), ROCECC_OK);
    CHECK_EQ(h.value, 5);
    CHECK_EQ(h.locator, 3);
    CHECK_EQ(rocecc_csig_find(&in, &h), ROCECC_OK);
    CHECK_EQ(h.value, 9);
    CHECK_EQ(h.locator, 5);
    CHECK_EQ(rocecc_echo_extract(&p, &echo), ROCECC_NO_MATCH); /* not RoCEv2 */
    CHECK_EQ(rocecc_echo_extract(&in, &echo), ROCECC_OK);
    CHECK_EQ(echo.format, ROCECC_ECHO_CSIG);
    CHECK(rocecc_left(&echo.record) == 4 &&
          echo.record.at == x.ip[0] + 40 + 16 + 16); /* MACs and one tag */
}

/*
 * Returns a frame with a segment left and a discard option in its outer or inner
 * header. The other header has neither.
 */
static two_frame routed(bool outer_left)
{
    static const char left[] = "2b00 9e04 00000000" /* Hop-by-Hop, option 0x9e */
                               "2904 0401 01000000 20010db8001100000000000000000011"
                               "20010db8001200000000000000000012",
                      done[] = "2b00 1e04 00000000"
                               "2904 0400 01000000 20010db8002100000000000000000021"
                               "20010db8002200000000000000000022";
    two_frame x;
    memset(&x, 0, sizeof x);
    two_ether(&x, &two_outer);
    two_type(&x, 6);
    two_ip(&x, &two_outer, 6, 0);
    two_hex(&x, outer_left ? left : done);
    two_ip(&x, &two_inner, 6, 0);
    two_hex(&x, outer_left ? done : left);
    x.b[x.ip[1] + 48] = 17; /* UDP follows this one */
    two_data(&x, 6);
    two_end(&x);
    return x;
}

TEST(two_headers_have_separate_segments_and_options)
{
    const rocecc_domain d = domain();
    int k, i;
    for (k = 0; k < 2; k++) {
        const two_frame x = routed(k == 0);
        const rocecc_packet p = two_walked(&d, &x);
        CHECK_EQ(p.headers.status, ROCECC_OK);
        for (i = 0; i < 2; i++) {
            const rocecc_headers_ip *ip = i == 0 ? &p.headers.outer : &p.headers.ip;
            const bool left = i == k;
            rocecc_ip6 dst = *two_dst(i == 0 ? &two_outer : &two_inner, 6);
            const rocecc_ip6 was = dst;
            rocecc_srh srh = ROCECC_ZERO;
            rocecc_reader exts;
            uint8_t type = 0;
            const rocecc_arrival_config host = {0};
            rocecc_icmp_error icmp;
            test_context("header %d of frame %d", i, k);
            CHECK_EQ(ip->n_ext, 2);
            CHECK_EQ(ip->hop_by_hop, x.ip[i] + 40);
            CHECK_EQ(ip->routing, x.ip[i] + 48);
            CHECK_EQ(ip->upper, x.ip[i] + 88);
            exts = rocecc_packet_exts(&p, ip, &type);
            CHECK_EQ(type, 0);
            CHECK(exts.at == x.ip[i] + 40 && exts.end == x.ip[i] + 88);
            CHECK_EQ(rocecc_srh_find(&p, ip, &srh), ROCECC_OK);
            CHECK_EQ(srh.segments_left, left ? 1 : 0);
            CHECK_EQ(srh.segments.at, x.ip[i] + 56);
            CHECK_EQ(rocecc_srv6_segments_left(&p, ip), left ? 51 : 0);
            rocecc_packet_final_dst(&p, ip, &dst);
            CHECK_EQ(dst.b[15], left ? 0x11 : was.b[15]);
            CHECK_EQ(rocecc_arrival_check(&host, &p, ip, &icmp),
                     left ? ROCECC_ARRIVAL_UNKNOWN_OPTION : ROCECC_ARRIVAL_OK);
            CHECK_EQ(icmp.value, left ? 42 : 0);
            CHECK_EQ(icmp.offset, ip->offset);
        }
    }
}

/* A SID is compared with the outer destination. */
TEST(two_headers_srv6_compares_the_sid_with_the_outer_destination)
{
    const rocecc_domain d = domain();
    int inner;
    for (inner = 4; inner <= 6; inner += 2) {
        const two_frame x = two_tunnel(6, inner, two_data);
        const rocecc_packet p = two_walked(&d, &x);
        rocecc_srv6 h = rocecc_srv6_none(p.bytes);
        test_context("IPv%d", inner);
        CHECK_EQ(rocecc_srv6_parse(&p, &h), ROCECC_OK);
        CHECK_EQ(h.outer.dscp, 10);
        CHECK_EQ(h.outer.ecn, 3);
        CHECK_EQ(h.outer.hop_limit, 201);
        CHECK_EQ(h.outer.flow_label, 0xa1b2c);
        CHECK_EQ(h.outer.next_header, inner == 4 ? 4 : 41);
        CHECK_EQ(h.outer.payload_length, ip_bytes(inner) + 32);
        CHECK(same_address(&h.outer.src, two_src(&two_outer, 6)));
        CHECK(same_address(&h.outer.dst, two_dst(&two_outer, 6)));
        CHECK_EQ(h.ip.version, inner);
        CHECK_EQ(h.ip.dscp, 26);
        CHECK_EQ(h.ip.ecn, 2);
        CHECK_EQ(h.ip.hops, 55);
        CHECK_EQ(h.ip.bytes, ip_bytes(inner) + 32);
        CHECK(h.inner.at == 62 && h.inner.end == x.n);
        CHECK_EQ(rocecc_srv6_decapsulate(&p, two_dst(&two_outer, 6), &h),
                 ROCECC_SRV6_DECAPSULATE);
        CHECK_EQ(rocecc_srv6_decapsulate(&p, two_dst(&two_inner, 6), &h),
                 ROCECC_SRV6_OTHER);
    }
}

/*
 * The capture ends inside the inner header, the inner packet is longer than the outer
 * length allows, or the outer header itself is broken.
 */
TEST(two_headers_srv6_rejects_cut_and_broken_headers)
{
    const rocecc_domain d = domain();
    int inner;
    for (inner = 4; inner <= 6; inner += 2) {
        const two_frame good = two_tunnel(6, inner, two_data);
        two_frame x = good;
        rocecc_packet p;
        rocecc_srv6 h = ROCECC_ZERO;
        test_context("IPv%d", inner);
        x.n = x.ip[1] + 10;
        p = two_walked(&d, &x);
        CHECK_EQ(rocecc_srv6_parse(&p, &h), ROCECC_ERR_SHORT);
        x = good;
        x.b[x.ip[1] +
            (inner == 4 ? 3 : 5)]++; /* one byte more than the outer header has */
        p = two_walked(&d, &x);
        CHECK_EQ(rocecc_srv6_parse(&p, &h), ROCECC_ERR_FORMAT);
        CHECK_EQ(rocecc_srv6_decapsulate(&p, two_dst(&two_outer, 6), &h),
                 ROCECC_SRV6_NOT_IP);
        x = good;
        x.b[x.ip[0] + 6] = 0; /* Hop-by-Hop, with 4 of its 8 bytes */
        x.b[x.ip[0] + 5] = 4;
        p = two_walked(&d, &x);
        CHECK_EQ(rocecc_srv6_decapsulate(&p, two_dst(&two_outer, 6), &h),
                 ROCECC_SRV6_BROKEN);
    }
}

/*
 * Each header has a trace of namespace 0x7b with one node. Nodes on the path write into
 * the outer trace. A Fast CNP quotes the sender's trace.
 */
static two_frame traced(void)
{
    two_frame x;
    memset(&x, 0, sizeof x);
    two_ether(&x, &two_outer);
    two_type(&x, 6);
    two_ip(&x, &two_outer, 6, 0);
    two_hex(&x, "2902 0100 310e 0000 007b0800 80000000 c900000a 01020000");
    two_ip(&x, &two_inner, 6, 0);
    two_hex(&x, "1102 0100 310e 0000 007b0800 80000000 3700000b 01020000");
    two_data(&x, 6);
    two_end(&x);
    return x;
}

TEST(two_headers_the_path_trace_is_in_the_outer_header)
{
    const rocecc_domain d = domain();
    const two_frame x = traced();
    const rocecc_packet p = two_walked(&d, &x);
    rocecc_ioam_option o = {0, 0, p.bytes};
    rocecc_echo echo = ROCECC_ZERO;
    rocecc_fastcnp h = ROCECC_ZERO;
    CHECK_EQ(p.headers.status, ROCECC_OK);
    CHECK_EQ(rocecc_ioam_find(&p, &o), ROCECC_OK);
    CHECK_EQ(o.data.at, x.ip[0] + 48);
    CHECK_EQ(rocecc_echo_extract(&p, &echo), ROCECC_OK);
    CHECK_EQ(echo.format, ROCECC_ECHO_IOAM);
    CHECK_EQ(echo.record.at, x.ip[0] + 44);
    CHECK_EQ(rocecc_fastcnp_derive(&p, &h), ROCECC_OK);
    CHECK_EQ(h.kind, ROCECC_FASTCNP_IOAM);
    CHECK_EQ(h.trace_at, x.ip[1] + 48);
    CHECK(same_address(&h.flow_dst, two_dst(&two_inner, 6)));
}

/* The option of a Fast CNP is found only in the inner header. */
TEST(two_headers_a_fast_cnp_option_is_in_the_inner_header)
{
    static const char option[] = "02 9e10 20010db8001100000000000000000011 01020000";
    const rocecc_domain d = domain();
    int k;
    for (k = 0; k < 2; k++) {
        two_frame x;
        rocecc_packet p;
        rocecc_fastcnp h = ROCECC_ZERO;
        memset(&x, 0, sizeof x);
        two_ether(&x, &two_outer);
        two_type(&x, 6);
        two_ip(&x, &two_outer, 6, k == 0 ? 60 : 41);
        if (k == 0) two_hex(&x, "29");
        if (k == 0) two_hex(&x, option);
        two_ip(&x, &two_inner, 6, k == 0 ? 17 : 60);
        if (k == 1) two_hex(&x, "11");
        if (k == 1) two_hex(&x, option);
        two_cnp(&x, 6);
        two_end(&x);
        p = two_walked(&d, &x);
        test_context("%d", k);
        CHECK_EQ(rocecc_fastcnp_find(&p, &h), k == 1 ? ROCECC_OK : ROCECC_NO_MATCH);
        CHECK_EQ(rocecc_fastcnp_match(&p), k == 1);
        CHECK_EQ(rocecc_fastcnp_border(&p),
                 k == 1 ? ROCECC_FASTCNP_BORDER_DROP : ROCECC_FASTCNP_BORDER_PASS);
        if (k == 1) CHECK_EQ(h.flow_dst.b[5], 0x11);
        if (k == 1) CHECK_EQ(h.at, x.ip[1] + 42);
    }
}

/* Three Destination Options headers are UNSUPPORTED in the inner header, and
 * ignored in the outer header. */
TEST(two_headers_a_fast_cnp_counts_only_inner_headers)
{
    static const char option[] = "02 9e10 20010db8001100000000000000000011 01020000";
    const rocecc_domain d = domain();
    int k, i;
    for (k = 0; k < 2; k++) {
        two_frame x;
        rocecc_packet p;
        rocecc_fastcnp h = ROCECC_ZERO;
        memset(&x, 0, sizeof x);
        two_ether(&x, &two_outer);
        two_type(&x, 6);
        for (i = 0; i < 2; i++) {
            two_ip(&x, i == 0 ? &two_outer : &two_inner, 6, 60);
            if (i == k) two_hex(&x, "3c00 0104 00000000 3c00 0104 00000000");
            two_hex(&x, i == 0 ? "2900 0104 00000000" : "11");
            if (i == 1) two_hex(&x, option);
        }
        two_cnp(&x, 6);
        two_end(&x);
        p = two_walked(&d, &x);
        test_context("%d", k);
        CHECK_EQ(p.headers.status, ROCECC_OK);
        CHECK_EQ(rocecc_fastcnp_find(&p, &h),
                 k == 0 ? ROCECC_OK : ROCECC_ERR_UNSUPPORTED);
    }
}

/* A Fast CNP names the final destination of the inner packet, if that is IPv6. */
TEST(two_headers_a_fast_cnp_names_the_inner_destination)
{
    const rocecc_domain d = domain();
    int i;
    for (i = 0; i < 4; i++) {
        const two_frame x = two_tunnel(two_pairs[i][0], two_pairs[i][1], two_data);
        const rocecc_packet p = two_walked(&d, &x);
        rocecc_fastcnp h = ROCECC_ZERO;
        test_context("IPv%d in IPv%d", two_pairs[i][1], two_pairs[i][0]);
        CHECK_EQ(rocecc_fastcnp_derive(&p, &h),
                 two_pairs[i][1] == 6 ? ROCECC_OK : ROCECC_NO_MATCH);
        if (two_pairs[i][1] == 6)
            CHECK(same_address(&h.flow_dst, two_dst(&two_inner, 6)));
    }
    for (i = 0; i < 2; i++) {
        const two_frame x = routed(i == 0);
        const rocecc_packet p = two_walked(&d, &x);
        rocecc_fastcnp h = ROCECC_ZERO;
        test_context("%d", i);
        CHECK_EQ(rocecc_fastcnp_derive(&p, &h), ROCECC_OK);
        CHECK_EQ(h.flow_dst.b[15], i == 0 ? 4 : 0x11);
    }
}

/*
 * A border drops every packet that the walk could not follow, except for plain IPv4 and
 * ESP, because a tunnel may hide a Fast CNP.
 */
TEST(two_headers_a_border_reports_unseen_packets)
{
    const rocecc_domain d = domain();
    int i;
    for (i = 4; i <= 6; i += 2) {
        two_frame x;
        rocecc_packet p;
        memset(&x, 0, sizeof x);
        two_ether(&x, &two_outer);
        two_type(&x, i);
        two_ip(&x, &two_outer, i, 17);
        two_data(&x, i);
        two_end(&x);
        x.b[x.udp[0] + 5] = 7; /* UDP Length */
        p = two_walked(&d, &x);
        CHECK_EQ(p.headers.status, ROCECC_ERR_FORMAT);
        CHECK_EQ(rocecc_fastcnp_border(&p),
                 i == 4 ? ROCECC_FASTCNP_BORDER_PASS : ROCECC_FASTCNP_BORDER_UNSEEN);
    }
    for (i = 0; i < 4; i++) {
        const int outer = two_pairs[i][0], inner = two_pairs[i][1];
        two_frame x = two_tunnel(outer, inner, two_data);
        rocecc_packet p;
        test_context("IPv%d in IPv%d", inner, outer);
        x.b[x.udp[0] + 4] = 0; /* UDP Length 7 */
        x.b[x.udp[0] + 5] = 7;
        p = two_walked(&d, &x);
        CHECK_EQ(p.headers.status, ROCECC_ERR_FORMAT);
        CHECK_EQ(rocecc_fastcnp_border(&p), ROCECC_FASTCNP_BORDER_UNSEEN);
        x.b[x.ip[1] + (inner == 4 ? 9 : 6)] = 50; /* ESP inside */
        p = two_walked(&d, &x);
        CHECK_EQ(rocecc_fastcnp_border(&p), ROCECC_FASTCNP_BORDER_PASS);
        x.b[x.ip[0] + (outer == 4 ? 9 : 6)] = 50; /* ESP in the outer header */
        p = two_walked(&d, &x);
        CHECK_EQ(rocecc_fastcnp_border(&p), ROCECC_FASTCNP_BORDER_PASS);
    }
}

static void datagram(two_frame *x, const char *hex, uint16_t port, uint16_t checksum)
{
    two_udp(x, &two_inner, port);
    x->b[x->n - 2] = (uint8_t)(checksum >> 8);
    x->b[x->n - 1] = (uint8_t)checksum;
    two_hex(x, hex);
}

/* Writes an ARN without parameters. The checksum over IPv4 adds up the addresses
 * (0x140a), protocol and length (17 + 12), ports (0xc123 + 0xcaff), length (12) and
 * data (0x0110). The sum is 0x1a165, which folds to 0xa166, and its complement is
 * 0x5e99. Over IPv6 the addresses add up to 0x5b92 and all words to 0x1e8ed, which
 * gives 0x1711. */
static void arn4(two_frame *x, int inner)
{
    (void)inner;
    datagram(x, "01100000", 51967, 0x5e99);
}

static void arn6(two_frame *x, int inner)
{
    (void)inner;
    datagram(x, "01100000", 51967, 0x1711);
}

TEST(two_headers_a_udp_checksum_covers_the_inner_addresses)
{
    const rocecc_domain d = domain();
    int i;
    for (i = 0; i < 4; i++) {
        const int outer = two_pairs[i][0], inner = two_pairs[i][1];
        two_frame x = two_tunnel(outer, inner, inner == 4 ? arn4 : arn6);
        const rocecc_packet p = two_walked(&d, &x);
        rocecc_arn h = ROCECC_ZERO;
        size_t at;
        test_context("IPv%d in IPv%d", inner, outer);
        CHECK(rocecc_arn_match(&p));
        CHECK_EQ(rocecc_arn_find(&p, &h), ROCECC_OK);
        CHECK(rocecc_udp_verify(&p));
        for (at = 0; at < x.ip[1]; at++)
            x.b[at] ^= 0x5a; /* every byte of the outer headers */
        CHECK(rocecc_udp_verify(&p));
        x.b[x.udp[0] - 1] ^= 1; /* the inner destination */
        CHECK(!rocecc_udp_verify(&p));
    }
}

/*
 * A UDP datagram must end within the inner packet, even if the outer packet is longer.
 */
TEST(two_headers_a_datagram_ends_within_the_inner_packet)
{
    const rocecc_domain d = domain();
    int i;
    for (i = 0; i < 4; i++) {
        two_frame x = two_tunnel(two_pairs[i][0], two_pairs[i][1], arn4);
        rocecc_l3qcn cnm;
        rocecc_l3qcn_verdict why;
        rocecc_packet p;
        rocecc_arn h = ROCECC_ZERO;
        test_context("IPv%d in IPv%d", two_pairs[i][1], two_pairs[i][0]);
        two_trailer(&x, 8);
        p = two_walked(&d, &x);
        CHECK_EQ(p.headers.outer.end, x.n);
        CHECK_EQ(p.headers.ip.end, x.n - 8);
        CHECK_EQ(rocecc_arn_find(&p, &h), ROCECC_OK);
        /* UDP Length is 16, and the inner packet has 12 bytes. The trailer
         * continues the message. */
        x.b[x.udp[0] + 5] = 16;
        x.b[x.udp[0] + 11] = 0x10;
        memcpy(x.b + x.n - 8, "\0\0\0\x64", 4);
        p = two_walked(&d, &x);
        CHECK_EQ(rocecc_arn_find(&p, &h), ROCECC_ERR_FORMAT);
        x.b[x.udp[0] + 3] = 0xfe; /* port of private CNMs */
        p = two_walked(&d, &x);
        CHECK_EQ(rocecc_l3qcn_find(&p, &cnm, &why), ROCECC_ERR_FORMAT);
        CHECK_EQ(why, ROCECC_L3QCN_CUT);
        x.n -= 6; /* the capture ends before both packets */
        p = two_walked(&d, &x);
        CHECK_EQ(rocecc_l3qcn_find(&p, &cnm, &why), ROCECC_ERR_FORMAT);
    }
}

/* Writes a private CNM for a flow from the inner destination to the inner source. */
static void cnm4(two_frame *x, int inner)
{
    (void)inner;
    datagram(x,
             "4c511411 002c1400 c12412b7 0a020004 0a010003" /* its flow */
             "001a 0011223344556677 0000 0000 0000 000000000000 0000",
             51966, 0);
}

TEST(two_headers_a_private_cnm_must_match_the_inner_flow)
{
    rocecc_domain d = domain();
    int i;
    for (i = 0; i < 4; i += 2) { /* the inner header is IPv4 */
        two_frame x = two_tunnel(two_pairs[i][0], 4, cnm4);
        rocecc_packet p = two_walked(&d, &x);
        rocecc_l3qcn h = ROCECC_ZERO;
        rocecc_l3qcn_verdict why;
        test_context("IPv4 in IPv%d", two_pairs[i][0]);
        CHECK(rocecc_l3qcn_match(&p));
        CHECK_EQ(rocecc_l3qcn_find(&p, &h, &why), ROCECC_OK);
        CHECK_EQ(why, ROCECC_L3QCN_TAKEN);
        CHECK(same_address(&h.src, two_dst(&two_inner, 4)) &&
              same_address(&h.dst, two_src(&two_inner, 4)));
        x.b[x.ip[1] + 3] =
            (uint8_t)(x.b[x.ip[1] + 3] - 4); /* UDP goes beyond the inner packet */
        p = two_walked(&d, &x);
        CHECK_EQ(rocecc_l3qcn_find(&p, &h, &why), ROCECC_ERR_FORMAT);
        CHECK_EQ(why, ROCECC_L3QCN_CUT);
        x.b[x.ip[1] + 3] = (uint8_t)(x.b[x.ip[1] + 3] + 4);
        x.b[x.ip[1] + 15] ^= 1; /* another inner source */
        p = two_walked(&d, &x);
        CHECK_EQ(rocecc_l3qcn_find(&p, &h, &why), ROCECC_ERR_FORMAT);
        CHECK_EQ(why, ROCECC_L3QCN_SPOOFED);
    }
    /* The reserved flag counts only in the inner header. */
    d.l3qcn.reserved_bit = true;
    for (i = 0; i < 4; i++) {
        two_frame x = two_tunnel(two_pairs[i][0], two_pairs[i][1], arn4);
        rocecc_packet p;
        test_context("IPv%d in IPv%d", two_pairs[i][1], two_pairs[i][0]);
        x.b[x.ip[0] + 6] |= 0x80;
        p = two_walked(&d, &x);
        CHECK(!rocecc_l3qcn_has_reserved_bit(&p) && !rocecc_l3qcn_match(&p));
        x.b[x.ip[0] + 6] &= 0x7f;
        x.b[x.ip[1] + 6] |= two_pairs[i][1] == 4 ? 0x80 : 0;
        p = two_walked(&d, &x);
        CHECK_EQ(rocecc_l3qcn_has_reserved_bit(&p), two_pairs[i][1] == 4);
        CHECK_EQ(rocecc_l3qcn_match(&p), two_pairs[i][1] == 4);
    }
}
