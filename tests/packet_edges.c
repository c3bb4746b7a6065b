/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * packet_edges.c - questions of packets at the edges: RoCEv1 where most packets are
 * RoCEv2, numbers that mean two things, headers in unusual places.
 */
#include "lib/frame.h"
#include "lib/guard.h"
#include "rocecc/packet/answer.h"
#include "rocecc/packet/csig.h"
#include "rocecc/packet/fastcnp.h"
#include "rocecc/packet/flow.h"
#include "rocecc/packet/ifa.h"
#include "rocecc/packet/intmd.h"

#include <string.h>

#define ETHER "020000000001 020000000002"
#define SRC "20010db8 00000000 00000000 00000001"
#define DST "20010db8 00000000 00000000 00000002"
#define IPV6(length_next) "60000000" length_next "40" SRC DST
#define BTH "0400ffff 00000012 00000000"

/* The EtherTypes that the walk gives a meaning to: headers.h, and IEEE 802.3 for lengths.
 */
TEST(domain_types_all)
{
    static const uint16_t known[] = {0x0800, 0x8100, 0x86dd, 0x8808, 0x8847, 0x8848,
                                     0x8864, 0x88a8, 0x8909, 0x8915, 0x22e7, 0x22e9};
    rocecc_domain d = ROCECC_ZERO;
    uint32_t type;
    for (type = 0; type < 0x10000; type++) {
        bool should = type <= 1500;
        size_t i;
        for (i = 0; i < sizeof known / sizeof known[0]; i++)
            if (known[i] == type) should = true;
        test_context("%04x", (unsigned)type);
        d.old_qinq = false;
        CHECK_EQ(rocecc_domain_type_is_taken_(&d, (uint16_t)type), should);
        d.old_qinq = true;
        CHECK_EQ(rocecc_domain_type_is_taken_(&d, (uint16_t)type),
                 should || type == 0x9100);
    }
}

/* A RoCEv1 packet came: the answer goes to its source. */
TEST(answer_to_rocev1)
{
    const rocecc_answer a = {{{2, 0, 0, 0, 0, 3}}, ROCECC_TYPE_IPV6, 6, false};
    const rocecc_domain d = ROCECC_ZERO;
    const test_frame x =
        frame_of(ETHER "8100 0007 8915" IPV6("0010 1b") BTH "00000000");
    const test_frame should = frame_of("020000000002 020000000003 8100 c007 86dd");
    const rocecc_packet p = frame_walked(&d, &x);
    uint8_t b[18];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    CHECK(p.headers.kind == ROCECC_PACKET_KIND_ROCEV1 && p.headers.grh == 18);
    CHECK_EQ(rocecc_answer_ether(&w, &p, &a), ROCECC_OK);
    CHECK(w.at == should.n && memcmp(b, should.b, should.n) == 0);
}

/* A CN-TAG that is cut off has no flow id that could be given back. */
TEST(answer_to_less)
{
    const rocecc_answer a = {{{2, 0, 0, 0, 0, 3}}, ROCECC_TYPE_CNM, 6, true};
    const rocecc_domain d = ROCECC_ZERO;
    const test_frame x = frame_of(ETHER "22e9 c9a0 86dd" IPV6("0000 3b"));
    rocecc_packet p = frame_walked(&d, &x);
    size_t n;
    for (n = 14; n <= 16; n++) {
        const uint8_t *at = guard_end(x.b, n);
        uint8_t b[18];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        p = rocecc_packet_attach(&d, rocecc_reader_of(at, at + n), &p.headers);
        CHECK_EQ(rocecc_answer_ether(&w, &p, &a), ROCECC_OK);
        CHECK_EQ(rocecc_load16(b + 12), 0x22e9);
        CHECK_EQ(rocecc_load16(b + 14), n < 16 ? 0 : 0xc9a0);
    }
}

/* Tags into less room than all of them need: some are written, and none beyond. */
TEST(answer_tags_room)
{
    const rocecc_domain d = ROCECC_ZERO;
    const test_frame x = frame_of(ETHER "88a8 0064 8100 0007 86dd" IPV6("0000 3b"));
    const rocecc_packet p = frame_walked(&d, &x);
    size_t room;
    for (room = 0; room <= 8; room++) {
        uint8_t *b = guard_room(room);
        rocecc_writer w = rocecc_writer_of(b, b + room);
        CHECK_EQ(rocecc_answer_put_tags_(&w, &p, 6),
                 room < 8 ? ROCECC_ERR_SPACE : ROCECC_OK);
        CHECK_EQ(w.at, room / 4 * 4);
    }
}

/* VLAN after LLC: a CSIG tag goes right after the addresses. */
TEST(csig_before_a_length)
{
    static const rocecc_domain d = {.csig = {.compact_tpid = 0x9900}};
    test_frame x = frame_of(ETHER "0020 aaaa03 000000 8100 0007 0806 0001");
    rocecc_packet p;
    rocecc_csig h = ROCECC_ZERO;
    rocecc_edit e;
    rocecc_writer w;
    x.n = 14 + 0x20;
    memset(x.b + 28, 0, x.n - 28);
    p = frame_walked(&d, &x);
    CHECK(p.headers.n_vlan == 1 && p.headers.vlan[0] == 22 && p.headers.link == 12);
    h.tpid = 0x9900;
    h.value = 0x1f;
    CHECK_EQ(rocecc_csig_insert(&p, &h, &e), ROCECC_EDIT_CHANGE);
    CHECK(e.n_splices == 1 && e.splice[0].offset == 12 && e.splice[0].new_bytes == 4);
    w = rocecc_writer_of(x.b, x.b + sizeof x.b);
    w.at = x.n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK(rocecc_load16(x.b + 12) == 0x9900 && rocecc_load16(x.b + 16) == 0x20);
}

/* RoCEv1 has no IP, and no UDP that IFA or INT could go with. */
TEST(telemetry_of_rocev1)
{
    static const rocecc_domain d = {
        .ifa = {.protocol = 253, .layout_a = 1, .layout_b = 2},
        .intmd = {.udp_port = 5000}};
    const test_frame x = frame_of(ETHER "8915" IPV6("0010 1b") BTH "00000000");
    const rocecc_packet p = frame_walked(&d, &x);
    const rocecc_ifa_source ifa = {
        {2, ROCECC_IFA_GNS_NONE, 0, ROCECC_IFA_FLAG_I, 255}, {0xff, 0, 0xff, 0}, 0};
    rocecc_intmd_source s;
    rocecc_edit e;
    memset(&s, 0, sizeof s);
    s.mtu_bytes = 1500;
    s.header = rocecc_intmd_header_init(ROCECC_INTMD_HPCC, 8);
    CHECK_EQ(p.headers.status, ROCECC_OK);
    CHECK_EQ(rocecc_ifa_insert(&p, &ifa, 1500, &e), ROCECC_EDIT_NONE);
    CHECK(!rocecc_edit_needs_action(&e));
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, rocecc_reader_of(NULL, NULL), &e),
             ROCECC_EDIT_NONE);
    CHECK(!rocecc_edit_needs_action(&e));
}

/* What the border of a Fast CNP domain does with what the walk could not follow. */
TEST(border_of_fragments)
{
    static const rocecc_domain plain = {.link = ROCECC_LINK_IP,
                                        .fastcnp = {.type_plain = 0x9e}};
    static const rocecc_domain ioam = {.link = ROCECC_LINK_IP,
                                       .fastcnp = {.type_ioam = 0x9f}};
    static const rocecc_domain off = {.link = ROCECC_LINK_IP};
    static const struct {
        const char *hex;
        rocecc_fastcnp_border_verdict border;
    } rows[] = {
        /* first fragments of IPv4: of UDP, of an IPv4 and of an IPv6 tunnel */
        {"4500001c 00002000 4011 0000 c0000201 c0000202 c00012b7 00080000",
         ROCECC_FASTCNP_BORDER_PASS},
        {"4500001c 00002000 4004 0000 c0000201 c0000202 00000000 00000000",
         ROCECC_FASTCNP_BORDER_UNSEEN},
        {"4500001c 00002000 4029 0000 c0000201 c0000202 00000000 00000000",
         ROCECC_FASTCNP_BORDER_UNSEEN},
        /* the first one again, in a tunnel of IPv6 */
        {IPV6("001c 04") "4500001c 00002000 4011 0000 c0000201 c0000202 c00012b7 "
                         "00080000",
         ROCECC_FASTCNP_BORDER_UNSEEN},
        {IPV6("0010 2c") "11000001 00000000 c00012b7 00080000",
         ROCECC_FASTCNP_BORDER_UNSEEN},
        {IPV6("0010 32") "00000001 00000000 00000000 00000000",
         ROCECC_FASTCNP_BORDER_PASS},
    };
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const test_frame x = frame_of(rows[i].hex);
        rocecc_packet p = frame_walked(&plain, &x);
        test_context("%s", rows[i].hex);
        CHECK_EQ(p.headers.status, ROCECC_ERR_UNSUPPORTED);
        CHECK_EQ(rocecc_fastcnp_border(&p), rows[i].border);
        p = frame_walked(&ioam, &x);
        CHECK_EQ(rocecc_fastcnp_border(&p), rows[i].border);
        p = frame_walked(&off, &x);
        CHECK_EQ(rocecc_fastcnp_border(&p), ROCECC_FASTCNP_BORDER_PASS);
    }
}

/* TCP with INT after its header: its ports are its own. */
TEST(flow_of_tcp_with_int)
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

/* A PPPoE session in an overlay: it may not be longer than that is. */
TEST(walk_pppoe_within_a_length)
{
    static const rocecc_domain d = ROCECC_ZERO;
    const test_frame x = frame_of(ETHER "8864 1100 0001 000a c021 00000000 00000000");
    const rocecc_reader r = rocecc_reader_of(x.b, x.b + x.n);
    rocecc_headers f;
    CHECK_EQ(rocecc_headers_parse_as(&d, r, ROCECC_TYPE_TEB, 30, &f), ROCECC_NO_MATCH);
    CHECK(f.stopped == ROCECC_LAYER_PPPOE && f.next == 0xc021);
    CHECK_EQ(rocecc_headers_parse_as(&d, r, ROCECC_TYPE_TEB, 29, &f),
             ROCECC_ERR_FORMAT);
    CHECK(f.stopped == ROCECC_LAYER_PPPOE && f.link == 0);
}

/*
 * VXLAN-GPE with a next protocol that is no packet: there is nothing inside, of which
 * the bytes are none, at the end. The where says so by `inner` alone.
 */
TEST(inner_of_an_overlay_without_one)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const test_frame x = frame_of("45000030 00004000 40110000 c0000201 c0000202"
                                  "c00112b6 001c0000 0c000009 00000100"
                                  "00000000 00000000 00000000");
    rocecc_packet p = frame_walked(&d, &x), inner, before;
    rocecc_reader r;
    int type;
    CHECK(p.headers.kind == ROCECC_PACKET_KIND_OVERLAY && p.headers.overlay == 28);
    CHECK_EQ(p.headers.inner, 0);
    memset(&before, 0xa5, sizeof before);
    for (type = 0; type < 2; type++) { /* the second is of a where that was changed */
        test_context("type %d", type);
        if (type != 0) p.headers.inner_type = ROCECC_TYPE_TEB;
        r = rocecc_headers_inner_bytes(p.bytes, &p.headers);
        CHECK(r.at == x.n && r.end == x.n);
        inner = before;
        CHECK_EQ(rocecc_headers_parse_inner(&d, p.bytes, &p.headers, &inner.headers),
                 ROCECC_NO_MATCH);
        CHECK_EQ(rocecc_packet_inner(&p, &inner), ROCECC_NO_MATCH);
        CHECK(memcmp(&inner, &before, sizeof inner) == 0);
    }
    test_context("%s", "");
    p.headers.inner = 36; /* and where there is one, they begin with it */
    p.headers.inner_type = 0;
    p.headers.end = 44;
    r = rocecc_headers_inner_bytes(p.bytes, &p.headers);
    CHECK(r.at == 36 && r.end == 44);
}

/* A header of IPv4 has no extension headers: no bytes, after the packet's last. */
TEST(exts_of_ipv4)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const test_frame x = frame_of("45000018 00004000 40fd0000 c0000201 c0000202 01");
    const rocecc_packet p = frame_walked(&d, &x);
    uint8_t type = 1;
    const rocecc_reader r = rocecc_packet_exts(&p, &p.headers.ip, &type);
    CHECK_EQ(type, ROCECC_PROTO_NONE);
    CHECK(r.at == x.n && r.end == x.n);
}

/* A burst looks ahead, but at no reader before the first or after the last. */
TEST(burst_looks_at_its_own)
{
    static const rocecc_domain d = {.link = ROCECC_LINK_IP};
    static const uint8_t b[1] = {0x45};
    static rocecc_packet p[ROCECC_PACKET_BURST_MAX];
    rocecc_reader bytes[ROCECC_PACKET_BURST_MAX];
    size_t n;
    for (n = 0; n < ROCECC_PACKET_BURST_MAX; n++)
        bytes[n] = rocecc_reader_of(b, b + 1);
    for (n = 0; n <= ROCECC_PACKET_BURST_MAX; n++) {
        const void *end = guard_end(bytes, n * sizeof bytes[0]);
        const void *start = guard_start(bytes, n * sizeof bytes[0]);
        test_context("%zu", n);
        CHECK_EQ(rocecc_packet_parse_burst(&d, end, p, n), n);
        CHECK_EQ(rocecc_packet_parse_burst(&d, start, p, n), n);
    }
}
