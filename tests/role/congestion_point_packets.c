/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * congestion_point_packets.c - tests the packets that a congested switch marks or
 * answers: IPv4 with any protocol, trimmed packets, and packets that were cut after
 * their headers were parsed. The expected values are by hand.
 */
#include "lib/kept.h"
#include "lib/test.h"
#include "rocecc/role/congestion_point.h"

#include <string.h>

#define FRAME 94 /* Ethernet, and 80 bytes of a SEND Only with 16 bytes of payload */

/* Writes a frame from 2001:db8::10 to 2001:db8::20 with DestQP 0xabcd. */
static void frame_of(uint8_t *b)
{
    static const uint8_t host[16] = {0x20, 0x01, 0x0d, 0xb8, [15] = 0x10};
    memset(b, 0, FRAME);
    b[5] = 1;
    b[11] = 2;
    rocecc_store16(b + 12, ROCECC_TYPE_IPV6);
    b[14] = 0x60;
    b[14 + 1] = 0x20; /* ECT(0) */
    b[14 + 5] = 40;
    b[14 + 6] = ROCECC_PROTO_UDP;
    b[14 + 7] = 64;
    memcpy(b + 14 + 8, host, 16);
    memcpy(b + 14 + 24, host, 16);
    b[14 + 39] = 0x20;
    rocecc_store16(b + 54, 0xc123);
    rocecc_store16(b + 56, ROCECC_UDP_PORT_ROCEV2);
    rocecc_store16(b + 58, 40);
    b[62] = 0x04;
    rocecc_store16(b + 64, 0xffff);
    rocecc_store32(b + 66, 0xabcd);
}

typedef struct node {
    rocecc_domain d;
    rocecc_congestion_config c;
    rocecc_congestion_point s;
    rocecc_congestion_event e;
    rocecc_cnpgate gate;
    rocecc_acl_entry any;
    rocecc_acl access;
    uint8_t out[700];
    size_t sent;
} node;

/* Starts a switch without limits that permits every sender. Priority 1 uses QCN. */
static void start(node *a)
{
    uint32_t at;
    memset(a, 0, sizeof *a);
    a->any.permit = 1;
    CHECK_EQ(rocecc_acl_init(&a->access, &a->any, 1, &at), ROCECC_ACL_ACCEPTED);
    a->d.fastcnp.type_plain = ROCECC_FASTCNP_LAB_PLAIN;
    a->d.fastcnp.type_ioam = ROCECC_FASTCNP_LAB_IOAM;
    a->d.l3qcn.port = 51966;
    a->c.fastcnp_enabled = true;
    a->c.admission.unlimited = true;
    a->c.cnp = rocecc_cnp_default();
    a->c.cnp.src.b[0] = 0xfd;
    a->c.cnp.src.b[15] = 5;
    a->c.answer = rocecc_opcode_set_data();
    a->c.qcn_priorities = 1 << 1;
    a->c.l3qcn_outer = rocecc_l3qcn_outer_default(0);
    CHECK_EQ(rocecc_congestion_point_init(&a->c, &a->d, &a->access),
             ROCECC_CONGESTION_ACCEPTED);
    a->s = rocecc_congestion_point_start(&a->c, 0);
    a->gate = rocecc_cnpgate_start(&a->c.gate);
    a->e.verdict = ROCECC_WRED_MARK;
    a->e.qcn.cnm = true;
    a->e.sender_support = ROCECC_FASTCNP_SUPPORT_YES;
}

static rocecc_congestion_result step(node *a, const rocecc_packet *p)
{
    rocecc_writer w = rocecc_writer_of(a->out, a->out + sizeof a->out);
    rocecc_congestion_result out;
    a->e.gate = &a->gate;
    a->e.admission.list = &a->access;
    out = rocecc_congestion_point_step(&a->c, &a->s, p, &a->e, &w);
    a->sent = w.at;
    return out;
}

/* An ECT packet may be marked with any protocol after IPv4, also 0 (RFC 3168, 5). */
TEST(congestion_point_marks_ect_of_any_protocol)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    unsigned proto;
    for (proto = 0; proto < 256; proto++) {
        uint8_t b[24] = {0x45, 0x02, 0,  24, 0, 0, 0,  0, 64, 0,
                         0,    0,    10, 0,  0, 1, 10, 0, 0,  2};
        rocecc_packet p;
        b[9] = (uint8_t)proto;
        test_context("protocol %u", proto);
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK(rocecc_congestion_point_mark(&p, rocecc_writer_of(b, b + sizeof b)));
        CHECK_EQ(b[1], 0x03);
    }
}

/* A RoCEv2 packet that a congested node before has trimmed is marked, not answered. */
TEST(congestion_point_only_marks_trimmed_packets)
{
    uint8_t b[FRAME];
    rocecc_congestion_result out;
    rocecc_packet p;
    node a;
    frame_of(b);
    start(&a);
    CHECK_EQ(rocecc_packet_parse(&a.d, rocecc_reader_of(b, b + FRAME), &p), ROCECC_OK);
    CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_ROCEV2);
    out = step(&a, &p);
    CHECK_EQ(out.reason, ROCECC_CONGESTION_SENT);
    CHECK_EQ(out.outputs, ROCECC_CONGESTION_FAST_CNP);
    start(&a);
    p.domain = &a.d;
    p.headers.kind |= ROCECC_PACKET_KIND_PARTIAL;
    out = step(&a, &p);
    CHECK_EQ(out.reason, ROCECC_CONGESTION_NOT_DATA);
    CHECK_EQ(out.outputs, ROCECC_CONGESTION_MARK);
    CHECK_EQ(a.sent, 0);
}

/* A packet to the port of RoCEv2 is answered only if its BTH is whole, even if its
 * headers were parsed before it was cut. */
TEST(congestion_point_answers_only_a_whole_bth)
{
    size_t n;
    for (n = 0; n <= ROCECC_BTH_BYTES; n++) {
        uint8_t b[FRAME];
        rocecc_congestion_result out;
        rocecc_packet p;
        node a;
        frame_of(b);
        start(&a);
        CHECK_EQ(rocecc_packet_parse(&a.d, rocecc_reader_of(b, b + FRAME), &p),
                 ROCECC_OK);
        CHECK_EQ(p.headers.bth, 62);
        p.bytes.end = 62 + n;
        a.e.priority = 1;
        test_context("%zu bytes", n);
        out = step(&a, &p);
        CHECK_EQ(out.reason, n < ROCECC_BTH_BYTES ? ROCECC_CONGESTION_NOT_DATA
                                                  : ROCECC_CONGESTION_SENT);
        CHECK_EQ(out.outputs, n < ROCECC_BTH_BYTES ? 0 : ROCECC_CONGESTION_CNM);
    }
}

#define UNTOUCHED 0xa5
#define ROOM 400
/* An RC SEND Only with CE, 2001:db8::2 to 2001:db8::1. UDP is at 40, BTH at 48. */
#define DATA6                                                                          \
    "60300000 00181140 20010db8 00000000 00000000 00000002 20010db8 00000000 00000000" \
    "00000001 c00012b7 00180000 0400ffff 0000abcd 00000007 00000000"

static uint8_t written[ROOM];

/* Checks that bytes are written only if a notification is sent, and none after `at`. */
static void check_written(size_t at, bool sent)
{
    size_t i;
    CHECK_EQ(at != 0, sent);
    for (i = at; i < sizeof written; i++)
        if (written[i] != UNTOUCHED) break;
    CHECK_EQ(i, sizeof written);
}

static void congest(const rocecc_packet *p, rocecc_congestion_reason reason)
{
    rocecc_congestion_config c = ROCECC_ZERO;
    rocecc_congestion_event e = ROCECC_ZERO;
    rocecc_writer w = rocecc_writer_of(written, written + sizeof written);
    rocecc_acl_entry entry;
    const rocecc_acl list = kept_anybody(&entry);
    const rocecc_ip6 us = {{0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff}};
    rocecc_congestion_point s;
    rocecc_cnpgate gate, was;
    c.fastcnp_enabled = c.admission.unlimited = true;
    c.answer = rocecc_opcode_set_data();
    c.cnp = rocecc_cnp_default();
    c.cnp.src = us;
    c.cnp.src.b[15] = 1;
    c.gate = rocecc_cnpgate_paper();
    CHECK_EQ(rocecc_congestion_point_init(&c, p->domain, &list),
             ROCECC_CONGESTION_ACCEPTED);
    s = rocecc_congestion_point_start(&c, 0);
    gate = was = rocecc_cnpgate_start(&c.gate);
    e.gate = &gate;
    e.verdict = ROCECC_WRED_MARK;
    e.admission.list = e.tunnels = &list;
    memset(written, UNTOUCHED, sizeof written);
    CHECK_EQ(rocecc_congestion_point_step(&c, &s, p, &e, &w).reason, reason);
    check_written(w.at, reason == ROCECC_CONGESTION_SENT);
    if (reason != ROCECC_CONGESTION_SENT) CHECK(memcmp(&gate, &was, sizeof gate) == 0);
}

/* Without a whole BTH, UDP or IP header the reason is NOT_DATA. Without a whole outer
 * header the tunnel is a BAD_SOURCE. */
TEST(congestion_point_does_not_answer_packets_cut_after_parsing)
{
    const rocecc_domain d = kept_domain();
    rocecc_packet p = kept_packet(&d, DATA6);
    congest(&p, ROCECC_CONGESTION_SENT);
    p.headers.bth = (uint16_t)(p.headers.end - ROCECC_BTH_BYTES + 1);
    congest(&p, ROCECC_CONGESTION_NOT_DATA);
    p = kept_packet(&d, DATA6);
    p.headers.udp = (uint16_t)(p.headers.end - ROCECC_UDP_BYTES + 1);
    congest(&p, ROCECC_CONGESTION_NOT_DATA);
    p = kept_packet(&d, DATA6);
    kept_shorten(&p.headers.ip);
    congest(&p, ROCECC_CONGESTION_NOT_DATA);
    p = kept_packet(&d, DATA6);
    p.headers.outer = p.headers.ip;
    congest(&p, ROCECC_CONGESTION_SENT);
    kept_shorten(&p.headers.outer);
    congest(&p, ROCECC_CONGESTION_BAD_SOURCE);
}

static void sample(const rocecc_packet *p, rocecc_congestion_reason reason)
{
    rocecc_congestion_config c = ROCECC_ZERO;
    rocecc_congestion_event e = ROCECC_ZERO;
    rocecc_writer w = rocecc_writer_of(written, written + sizeof written);
    rocecc_acl_entry entry;
    const rocecc_acl list = kept_anybody(&entry);
    rocecc_congestion_point s;
    rocecc_cnpgate gate;
    c.admission.unlimited = true;
    c.answer = rocecc_opcode_set_data();
    c.gate = rocecc_cnpgate_paper();
    c.l3qcn_outer = rocecc_l3qcn_outer_default(0);
    c.qcn_priorities = 1;
    c.msdu_bytes = 64;
    CHECK_EQ(rocecc_congestion_point_init(&c, p->domain, &list),
             ROCECC_CONGESTION_ACCEPTED);
    s = rocecc_congestion_point_start(&c, 0);
    gate = rocecc_cnpgate_start(&c.gate);
    e.gate = &gate;
    e.admission.list = &list;
    e.qcn.cnm = true;
    e.qcn.qntz_fb = 9;
    memset(written, UNTOUCHED, sizeof written);
    CHECK_EQ(rocecc_congestion_point_step(&c, &s, p, &e, &w).reason, reason);
    check_written(w.at, reason == ROCECC_CONGESTION_SENT);
}

/* A CNM quotes a packet from the EtherType on. A packet without an EtherType before IP,
 * as after PPP, gets none, and neither does a packet that ends before IP. */
TEST(congestion_point_a_cnm_needs_an_ethertype_before_ip)
{
    rocecc_domain d = kept_domain();
    rocecc_packet p;
    d.link = ROCECC_LINK_ETHER;
    d.l3qcn.port = 0xcafe;
    p = kept_packet(&d, "020000000001 020000000002 86dd" DATA6);
    sample(&p, ROCECC_CONGESTION_SENT);
    p.headers.ip.offset = (uint16_t)(p.bytes.end + 1);
    sample(&p, ROCECC_CONGESTION_NOT_DATA);
    p = kept_packet(&d, "020000000001 020000000002 8864 1100 0001 0042 0057" DATA6);
    CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_ROCEV2);
    sample(&p, ROCECC_CONGESTION_NOT_DATA);
}
