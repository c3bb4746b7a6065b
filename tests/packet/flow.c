/* SPDX-License-Identifier: BSD-2-Clause */

/* flow.c - tests frames composed by hand, and the 5-tuples of packets. */
#include "law/packet.h"
#include "lib/domain.h"
#include "lib/frame.h"
#include "lib/noun.h"
#include "lib/record.h"
#include "rocecc/packet/flow.h"

#include <string.h>

static const field flow_fields[] = {RECORD_FLOW(FIELD_ROW, rocecc_flow)};

typedef rocecc_status (*flow_of)(const rocecc_packet *p, rocecc_flow *flow);

/* Checks the flow of a row. Every prefix, before a guard page, must give the same flow
 * or SHORT. */
static void check_flow(const vec_row *row, flow_of of)
{
    const rocecc_domain d = domain_of(row);
    rocecc_flow whole, part, untouched;
    size_t n;
    memset(&whole, 0, sizeof whole);
    memset(&untouched, 0xa5, sizeof untouched);
    for (n = row->n + 1; n-- > 0;) {
        const uint8_t *at = guard_end(row->bytes, n);
        rocecc_packet p;
        rocecc_status status;
        test_context("%s, the first %zu bytes", row->id, n);
        part = untouched;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(at, at + n), &p);
        status = of(&p, &part);
        if (n == row->n) {
            noun_check_out(row, flow_fields, NOUN_COUNT(flow_fields), status, &part);
            whole = part;
        }
        if (status != ROCECC_ERR_SHORT) CHECK_EQ(status, row->status);
        if (status != ROCECC_OK)
            CHECK(memcmp(&part, &untouched, sizeof part) == 0);
        else
            CHECK(rocecc_flow_match(&part, &whole));
    }
}

static void call_packet_flow(const vec_row *row)
{
    check_flow(row, rocecc_packet_flow);
}

static void call_packet_outer_flow(const vec_row *row)
{
    check_flow(row, rocecc_packet_outer_flow);
}

static const noun_call calls[] = {{"packet_parse", domain_call_packet_of},
                                  {"packet_flow", call_packet_flow},
                                  {"packet_outer_flow", call_packet_outer_flow}};
static const noun_file file = {"frame", law_packet, NULL, 0, calls, NOUN_COUNT(calls)};

TEST(packet_frames_by_hand_have_the_expected_headers)
{
    noun_frame_vectors(&file);
}

/* A datagram ends where its header says, at any offset in a buffer. */
TEST(packet_ends_with_its_datagram_at_any_offset)
{
    static const uint8_t udp[28] = {0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 1, 2,
                                    3,    4, 5, 6,  7, 8, 1, 2, 3,  4,  0, 8, 0, 0};
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    uint8_t bytes[28 + 8];
    size_t start;
    for (start = 0; start < 4; start++) {
        rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
        rocecc_packet p;
        memset(bytes, 0xa5, sizeof bytes);
        memcpy(bytes + start, udp, sizeof udp);
        r.at = start;
        CHECK_EQ(rocecc_packet_parse(&d, r, &p), ROCECC_NO_MATCH); /* not RoCEv2 */
        CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_UDP);
        CHECK_EQ(p.headers.udp, start + 20);
        CHECK_EQ(p.headers.end, start + 28);
        bytes[start + 3] = 27; /* the byte is there, but not in IP */
        CHECK_EQ(rocecc_packet_parse(&d, r, &p), ROCECC_ERR_FORMAT);
    }
}

/* Writes the longest possible headers. Their offsets still fit in 16 bits. */
static size_t far_headers(uint8_t *b, uint8_t upper)
{
    size_t at = 0;
    int level, i;
    for (i = 0; i <= 5; i++, at += 4) {
        static const uint16_t types[] = {0x8100, 0x8100, 0x9901, 0, 0x8100, 0x22e9};
        rocecc_store16(b + at + 12, types[i]);
    }
    rocecc_store16(b + at + 12, 0x86dd);
    at += 14;
    for (level = 0; level < 2; level++) {
        b[at] = 0x60;
        rocecc_store16(b + at + 4, (uint16_t)(level == 0 ? 34000 : 17500));
        b[at + 6] = 60;
        at += 40;
        for (i = 0; i < 8; i++, at += 2048) {
            b[at] = i < 7 ? 60 : level == 0 ? 41 : upper;
            b[at + 1] = 255;
        }
    }
    return at;
}

TEST(packet_offsets_do_not_wrap_with_the_longest_headers)
{
    static uint8_t big[3 * 65536];
    const rocecc_domain d = {.csig = {0, 0x9901, false},
                             .ifa = {.protocol = 253, .layout_a = 1},
                             .intmd = {.udp_port = 5000}};
    rocecc_reader r = rocecc_reader_of(big, big + sizeof big);
    rocecc_packet p;
    uint8_t *b = big + ROCECC_PACKET_START_MAX;
    size_t at = far_headers(b, 17);
    CHECK(rocecc_take(&r, ROCECC_PACKET_START_MAX) != NULL);
    rocecc_store16(b + at + 2, 4791);
    rocecc_store16(b + at + 4, 24);
    CHECK_EQ(rocecc_packet_parse(&d, r, &p), ROCECC_OK);
    CHECK_EQ(p.headers.bth, ROCECC_PACKET_START_MAX + at + 8);
    CHECK_EQ(p.headers.ip.dst_opts[1], ROCECC_PACKET_START_MAX + at - (size_t)7 * 2048);
    rocecc_store16(b + at + 2, 5000);
    rocecc_store16(b + at + 4, 1100);
    rocecc_store16(b + at + 8, 0x18ff);
    rocecc_store16(b + at + 10, 17);
    rocecc_store16(b + at + 1032 + 2, 4791);
    rocecc_store16(b + at + 1032 + 4, 24);
    CHECK_EQ(rocecc_packet_parse(&d, r, &p), ROCECC_OK);
    CHECK_EQ(p.headers.bth, ROCECC_PACKET_START_MAX + at + 1040);
    at = far_headers(b, 253);
    memcpy(b + at, "\x2f\x11\x11\xff\0\0\x12\xb7\0\x18\0\0\xff\0\0\xff", 16);
    CHECK_EQ(rocecc_packet_parse(&d, r, &p), ROCECC_OK);
    CHECK_EQ(p.headers.bth, ROCECC_PACKET_START_MAX + at + 1044);
    CHECK_EQ(p.headers.end, p.headers.bth + 16u);
    CHECK(rocecc_take(&r, 1) != NULL);
    CHECK_EQ(rocecc_packet_parse(&d, r, &p), ROCECC_ERR_RANGE);
    CHECK_EQ(p.headers.status, ROCECC_ERR_RANGE);
}

/* Flows with any different bit do not match. */
TEST(flow_match_compares_every_bit)
{
    uint8_t bytes[2][37];
    rocecc_flow flow[2];
    size_t bit, i;
    for (bit = 0; bit <= 8 * sizeof bytes[0]; bit++) {
        for (i = 0; i < sizeof bytes[0]; i++)
            bytes[0][i] = bytes[1][i] = (uint8_t)(0x5a + 7 * i);
        if (bit < 8 * sizeof bytes[0]) bytes[1][bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        for (i = 0; i < 2; i++) {
            flow[i].src = rocecc_ip6_load(bytes[i]);
            flow[i].dst = rocecc_ip6_load(bytes[i] + 16);
            flow[i].src_port = rocecc_load16(bytes[i] + 32);
            flow[i].dst_port = rocecc_load16(bytes[i] + 34);
            flow[i].proto = bytes[i][36];
        }
        test_context("bit %zu", bit);
        CHECK_EQ(rocecc_flow_match(&flow[0], &flow[1]), bit == 8 * sizeof bytes[0]);
        CHECK_EQ(rocecc_flow_match(&flow[1], &flow[0]), bit == 8 * sizeof bytes[0]);
    }
}

/* Only the headers of these IANA protocols begin with two ports. */
TEST(flow_has_ports_only_for_the_listed_protocols)
{
    static const uint8_t with[] = {6, 17, 33, 132, 136};
    unsigned proto, next = 0;
    for (proto = 0; proto < 256; proto++) {
        const bool has = next < sizeof with && with[next] == proto;
        CHECK_EQ(rocecc_flow_has_ports((uint8_t)proto), has);
        next += has;
    }
    CHECK_EQ(next, sizeof with);
}

/* The bytes are cut after the walk. Without ports or addresses, no flow is returned. */
TEST(packet_flow_needs_addresses_and_ports)
{
    static const char *const ids[] = {"flow-first-6", "flow-roce-4", "flow-6-in-6",
                                      "flow-int-4", "flow-ifa-6"};
    unsigned i;
    for (i = 0; i < NOUN_COUNT(ids); i++) {
        const vec_packet row = vec_find("vectors/frame.vec", ids[i]);
        const rocecc_domain d = {.link = ROCECC_LINK_IP,
                                 .ifa = {.protocol = 253, .layout_a = 1},
                                 .intmd = {.udp_port = 5000}};
        rocecc_flow flow, untouched;
        rocecc_packet whole;
        const rocecc_headers *f = &whole.headers;
        size_t n;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(row.bytes, row.bytes + row.n),
                                  &whole);
        memset(&untouched, 0xa5, sizeof untouched);
        for (n = 0; n < row.n; n++) {
            const uint8_t *at = guard_end(row.bytes, n);
            const rocecc_packet p =
                rocecc_packet_attach(&d, rocecc_reader_of(at, at + n), &whole.headers);
            const size_t ports = f->udp != 0 ? f->udp + 4u : f->ip.upper + 4u;
            test_context("%s, %zu bytes", ids[i], n);
            flow = untouched;
            if (rocecc_packet_flow(&p, &flow) != ROCECC_OK)
                CHECK(memcmp(&flow, &untouched, sizeof flow) == 0);
            else
                CHECK(n >= ports);
            flow = untouched;
            if (rocecc_packet_outer_flow(&p, &flow) != ROCECC_OK)
                CHECK(memcmp(&flow, &untouched, sizeof flow) == 0);
            else
                CHECK(n >= (f->outer.version != 0 ? f->outer.upper : ports));
        }
    }
}

/* The flow does not depend on the BTH, even if the BTH is cut, because the ports are
 * there. */
TEST(packet_flow_does_not_need_the_bth)
{
    const vec_packet row = vec_find("vectors/frame.vec", "flow-roce-4");
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    size_t n;
    for (n = 28; n < 40; n++) {
        const uint8_t *at = guard_end(row.bytes, n);
        rocecc_packet p;
        rocecc_flow flow;
        test_context("%zu bytes", n);
        CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(at, at + n), &p),
                 ROCECC_ERR_SHORT);
        CHECK_EQ(p.headers.stopped, ROCECC_LAYER_BTH);
        CHECK_EQ(rocecc_packet_flow(&p, &flow), ROCECC_OK);
        CHECK_EQ(flow.dst_port, 4791);
    }
}

/* INT's shim keeps the original port, so all its 4 bytes are needed (SHORT). A later
 * fragment gives NO_MATCH. */
TEST(packet_flow_needs_the_whole_shim)
{
    static const uint8_t b[48] = {0x45, 0,    0,    48, 0, 0,   0,    0, 64,   17,   0,
                                  0,    192,  0,    2,  1, 192, 0,    2, 2,    1,    2,
                                  0x13, 0x88, 0,    28, 0, 0,   0x14, 0, 0x12, 0xb7, 4,
                                  0,    0xff, 0xff, 0,  0, 0,   0x12};
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .intmd = {.udp_port = 5000}};
    rocecc_packet whole;
    rocecc_flow flow, untouched;
    size_t n;
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &whole),
             ROCECC_OK);
    CHECK_EQ(whole.headers.intmd, 28);
    memset(&untouched, 0xa5, sizeof untouched);
    for (n = 20; n <= sizeof b; n++) {
        const uint8_t *at = guard_end(b, n);
        const rocecc_packet p =
            rocecc_packet_attach(&d, rocecc_reader_of(at, at + n), &whole.headers);
        test_context("%zu bytes", n);
        flow = untouched;
        CHECK_EQ(rocecc_packet_flow(&p, &flow), n < 32 ? ROCECC_ERR_SHORT : ROCECC_OK);
        if (n < 32)
            CHECK(memcmp(&flow, &untouched, sizeof flow) == 0);
        else
            CHECK(flow.src_port == 0x102 && flow.dst_port == 4791);
    }
    whole.headers.ip.fragment = ROCECC_IP_FRAGMENT_LATER;
    flow = untouched;
    CHECK_EQ(rocecc_packet_flow(&whole, &flow), ROCECC_NO_MATCH);
    CHECK(memcmp(&flow, &untouched, sizeof flow) == 0);
}

/* TCP with INT after its header keeps its own ports. */
TEST(flow_of_tcp_with_int_has_the_ports_of_tcp)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP,
                                    .intmd = {.dscp = 0x17, .dscp_mask = 0x3f}};
    const test_frame x = frame_of("455c0038 00004000 40060000 c0000201 c0000202"
                                  "c00101bb 00000001 00000002 50100000 00000000"
                                  "10030000 20000106 80000000 00000000");
    const rocecc_packet p = frame_walked(&d, &x);
    rocecc_flow flow;
    CHECK(p.headers.kind == ROCECC_PACKET_KIND_TCP && p.headers.intmd == 40);
    CHECK_EQ(rocecc_packet_flow(&p, &flow), ROCECC_OK);
    CHECK(flow.src_port == 0xc001 && flow.dst_port == 443 && flow.proto == 6);
}

/* With three IP headers, the walk returns UNSUPPORTED, and the flow is the second
 * one's. */
TEST(flow_of_three_ip_headers_is_of_the_second_header)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const test_frame x = frame_of("4500003c 00004000 40040000 c0000201 c0000202"
                                  "45000028 00004000 40040000 c0000203 c0000204"
                                  "45000014 00004000 403b0000 c0000205 c0000206");
    const rocecc_packet p = frame_walked(&d, &x);
    rocecc_flow flow;
    CHECK_EQ(p.headers.status, ROCECC_ERR_UNSUPPORTED);
    CHECK_EQ(rocecc_packet_flow(&p, &flow), ROCECC_OK);
    CHECK(flow.dst.b[15] == 4 && flow.proto == 4 && flow.dst_port == 0);
    CHECK_EQ(rocecc_packet_outer_flow(&p, &flow), ROCECC_OK);
    CHECK(flow.dst.b[15] == 2 && flow.proto == 4 && flow.dst_port == 0);
}

/*
 * AH ends both walks unless domain.ah is set, but in IPv6 the ports after it are read.
 */
TEST(flow_has_the_ports_after_ah_only_in_ipv6)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP};
#define AH_UDP "11010000 00000001 00000001 c0010035 00080000"
    const test_frame v4 =
        frame_of("45000028 00004000 40330000 c0000201 c0000202" AH_UDP);
    const test_frame v6 = frame_of("60000000 00143340"
                                   "20010db8 00000000 00000000 00000001"
                                   "20010db8 00000000 00000000 00000002" AH_UDP);
#undef AH_UDP
    rocecc_packet p = frame_walked(&d, &v4);
    rocecc_flow flow;
    CHECK_EQ(p.headers.status, ROCECC_ERR_UNSUPPORTED);
    CHECK_EQ(rocecc_packet_flow(&p, &flow), ROCECC_OK);
    CHECK(flow.proto == 51 && flow.src_port == 0 && flow.dst_port == 0);
    p = frame_walked(&d, &v6);
    CHECK_EQ(p.headers.status, ROCECC_ERR_UNSUPPORTED);
    CHECK_EQ(rocecc_packet_flow(&p, &flow), ROCECC_OK);
    CHECK(flow.proto == 17 && flow.src_port == 0xc001 && flow.dst_port == 53);
}

/* A cut Ethernet header gives SHORT, although the IP header is missing, too. */
TEST(flow_of_a_cut_ethernet_header_is_short)
{
    static const rocecc_domain d = ROCECC_ZERO;
    const test_frame cut = frame_of("020000000001 020000000002 08");
    const test_frame arp = frame_of("020000000001 020000000002 0806");
    rocecc_packet p = frame_walked(&d, &cut);
    rocecc_flow flow, untouched;
    memset(&untouched, 0xa5, sizeof untouched);
    flow = untouched;
    CHECK_EQ(rocecc_packet_flow(&p, &flow), ROCECC_ERR_SHORT);
    p = frame_walked(&d, &arp);
    CHECK_EQ(rocecc_packet_flow(&p, &flow), ROCECC_NO_MATCH);
    CHECK(memcmp(&flow, &untouched, sizeof flow) == 0);
}
