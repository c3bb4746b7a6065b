/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * congestion_edges.c - packets at the edge of what a congested switch marks and
 * answers: of IPv4 protocol 0, trimmed, cut in the BTH. Expected values are by hand.
 */
#include "lib/test.h"
#include "rocecc/role/congestion_point.h"

#include <string.h>

#define FRAME 94 /* Ethernet, and 80 bytes of a SEND Only without a payload */

/* From 2001:db8::10 to 2001:db8::20, DestQP 0xabcd. */
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

/* Without limits, for senders of any address; priority 1 is of QCN. */
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
    a->c.unlimited = true;
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
    a->e.access = &a->access;
    out = rocecc_congestion_point_step(&a->c, &a->s, p, &a->e, &w);
    a->sent = w.at;
    return out;
}

/* RFC 3168, 5: what is ECT may be marked, whatever follows the IP header. Protocol 0 of
 * IPv4 is a number like any other. */
TEST(congestion_edges_protocol_0_is_marked)
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

/* RoCEv2 that has lost its payload is no RoCEv2 to answer with a Fast CNP: a node
 * before this one was congested, and has trimmed it. It is marked. */
TEST(congestion_edges_trimmed_is_not_answered)
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
    p.headers.kind = ROCECC_PACKET_KIND_TRIMMED;
    out = step(&a, &p);
    CHECK_EQ(out.reason, ROCECC_CONGESTION_NOT_DATA);
    CHECK_EQ(out.outputs, ROCECC_CONGESTION_MARK);
    CHECK_EQ(a.sent, 0);
}

/* A `where` that was kept, of a packet whose bytes end in the BTH now: what goes to the
 * port of RoCEv2 needs an opcode, and a BTH that is not whole has none. */
TEST(congestion_edges_a_kept_where_of_half_a_bth)
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
