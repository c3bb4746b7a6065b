/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * two_headers_edits.c - checks changes of packets with an outer and an inner header
 * (lib/two_headers.h). Each change must go into the right header, and every other byte
 * must stay. The expected frames are written down header by header, and this file
 * computes their lengths and checksums itself.
 */
#include "lib/two_headers.h"

#include "lib/test.h"
#include "rocecc/packet/csig.h"
#include "rocecc/packet/flow.h"
#include "rocecc/packet/icrc.h"
#include "rocecc/packet/ifa.h"
#include "rocecc/packet/intmd.h"
#include "rocecc/packet/ioam.h"
#include "rocecc/role/congestion_point.h"

#include <string.h>

#define BTH "0440 8001 00000456 80000789 0102030405060708"

static const two_byte nothing[] = {{TWO_END, 0}};

static rocecc_domain domain(void)
{
    rocecc_domain d = ROCECC_ZERO;
    d.ah = true;
    d.csig.compact_tpid = 0x9900;
    d.ifa.protocol = 253;
    d.ifa.layout_a = 1u << 1;
    d.intmd.udp_port = 5000;
    d.ioam.namespace_id = 0x7b;
    return d;
}

/* The bytes between the headers of a frame, as hex. */
typedef struct parts {
    const char *after_outer; /* extension headers; outer_next is then in use */
    uint8_t outer_next;      /* 0: an IP header, or UDP of VXLAN */
    uint8_t inner_next;
    const char *after_inner; /* before UDP */
    uint16_t port;           /* of UDP */
    const char *after_udp;
    bool udp_is_short; /* UDP Length stays 32 */
    uint8_t dscp;      /* of the inner header; 0: 26 */
} parts;

static const parts as_sent = {"", 0, 17, "", 4791, "", false, 0};

static void set_dscp(two_frame *x, size_t at, uint8_t dscp)
{
    if (x->b[at] >> 4 == 4) {
        x->b[at + 1] = (uint8_t)(dscp << 2 | (x->b[at + 1] & 3));
        two_sum(x->b, at);
    } else {
        x->b[at] = (uint8_t)(0x60 | dscp >> 2);
        x->b[at + 1] = (uint8_t)((dscp << 6 & 0xff) | (x->b[at + 1] & 0x3f));
    }
}

static two_frame made(int outer, int inner, const parts *of, bool vxlan)
{
    two_frame x;
    memset(&x, 0, sizeof x);
    two_ether(&x, &two_outer);
    two_type(&x, outer);
    two_ip(&x, &two_outer, outer,
           of->outer_next != 0 || of->after_outer[0] != '\0' ? of->outer_next
           : vxlan                                           ? 17
           : inner == 4                                      ? 4
                                                             : 41);
    two_hex(&x, of->after_outer);
    if (vxlan) {
        two_udp(&x, &two_outer, 4789);
        two_hex(&x, "08000000 00070000");
        two_ether(&x, &two_inner);
        two_type(&x, inner);
    }
    two_ip(&x, &two_inner, inner, of->inner_next);
    two_hex(&x, of->after_inner);
    two_udp(&x, &two_inner, of->port);
    two_hex(&x, of->after_udp);
    two_hex(&x, BTH);
    two_hex(&x, inner == 4 ? "d273d551" : "64e6780a");
    two_end(&x);
    if (of->udp_is_short) x.b[x.udp[x.n_udp - 1] + 5] = 32;
    if (of->dscp != 0) set_dscp(&x, x.ip[1], of->dscp);
    return x;
}

/* Checks that the ICRC is right. It is the same with and without telemetry, and
 * lib/two_headers.c has its bytes. */
static void icrc_is(const rocecc_packet *p, int inner)
{
    rocecc_icrc icrc = ROCECC_ZERO;
    CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_AUTO, p, &icrc), ROCECC_OK);
    CHECK_EQ(icrc.computed, inner == 4 ? 0x51d573d2 : 0x0a78e664);
    CHECK(icrc.ok);
}

/* Checks that a plan changes the packet x into `want`. */
static void carried(const rocecc_edit *e, const two_frame *x, const two_frame *want)
{
    static two_frame y;
    rocecc_writer w = rocecc_writer_of(y.b, y.b + sizeof y.b);
    y = *x;
    w.at = x->n;
    CHECK_EQ(rocecc_edit_apply(e, &w), ROCECC_OK);
    CHECK_EQ(w.at, want->n);
    two_changed(want->b, y.b, want->n, nothing);
    CHECK(two_sum_is_right(y.b, want->ip[0]) && two_sum_is_right(y.b, want->ip[1]));
}

/* Returns the packet of a frame, or the packet in its overlay. */
static rocecc_packet packet_of_frame(const rocecc_domain *d, const two_frame *x,
                                     bool vxlan)
{
    return vxlan ? two_inside(d, x) : two_walked(d, x);
}

/* Copies the IP and UDP headers of an overlay from x. A plan for the inner packet
 * does not correct their lengths. */
static void lengths_around_stay(two_frame *want, const two_frame *x)
{
    const size_t ip = x->ip[0], udp = x->udp[0];
    memcpy(want->b + ip, x->b + ip, udp + 8 - ip);
}

/* Each pair of versions, in a tunnel (k < 4) and in VXLAN. */
#define EACH(k) for (k = 0; k < 8; k++)
#define OUTER(k) two_pairs[(k)&3][0]
#define INNER(k) two_pairs[(k)&3][1]

static void named(int k)
{
    test_context("IPv%d in %sIPv%d", INNER(k), k < 4 ? "" : "VXLAN over ", OUTER(k));
}

TEST(two_headers_ifa_encloses_the_inner_udp)
{
    static const parts one = {"", 0, 253, "2f1104ff", 4791, "ff00fe00", true, 0};
    static const parts two = {
        "",
        0,
        253,
        "2f1104ff",
        4791,
        "ff00fd08 10000700f0000000 000000000000000000000000000000000000000000000000",
        true,
        0};
    const rocecc_ifa_source source = {{2, 15, 0, 0x04, 255}, {0xff, 0, 254, 0}, 0};
    rocecc_ifa_node node = ROCECC_ZERO;
    const rocecc_domain d = domain();
    int k;
    node.layout = ROCECC_IFA_LAYOUT_A;
    node.lns = 1;
    node.device_id = 7;
    EACH(k)
    {
        const bool vxlan = k >= 4;
        const two_frame x = made(OUTER(k), INNER(k), &as_sent, vxlan);
        two_frame y = made(OUTER(k), INNER(k), &one, vxlan);
        two_frame z = made(OUTER(k), INNER(k), &two, vxlan);
        rocecc_packet p = packet_of_frame(&d, &x, vxlan);
        rocecc_flow flow = ROCECC_ZERO;
        rocecc_ifa h = ROCECC_ZERO;
        rocecc_edit e;
        named(k);
        if (vxlan) lengths_around_stay(&y, &x);
        CHECK_EQ(rocecc_ifa_insert(&p, &source, 1500, &e), ROCECC_EDIT_CHANGE);
        carried(&e, &x, &y);
        if (vxlan) y = made(OUTER(k), INNER(k), &one, vxlan);
        p = packet_of_frame(&d, &y, vxlan);
        CHECK_EQ(p.headers.ifa, y.ip[1] + (INNER(k) == 4 ? 20 : 40));
        CHECK_EQ(rocecc_ifa_find(&p, &h), ROCECC_OK);
        CHECK_EQ(rocecc_ifa_insert(&p, &source, 1500, &e), ROCECC_EDIT_PRESENT);
        icrc_is(&p, INNER(k));
        CHECK_EQ(rocecc_packet_flow(&p, &flow), ROCECC_OK);
        CHECK(flow.proto == 17 && flow.src_port == 0xc123 && flow.dst_port == 4791 &&
              rocecc_ip6_match(&flow.src, two_src(&two_inner, INNER(k))));
        if (vxlan) lengths_around_stay(&z, &y);
        CHECK_EQ(rocecc_ifa_push(&p, &node, 1500, &e), ROCECC_EDIT_CHANGE);
        carried(&e, &y, &z);
        if (vxlan) z = made(OUTER(k), INNER(k), &two, vxlan);
        y = x;
        if (vxlan) lengths_around_stay(&y, &z);
        p = packet_of_frame(&d, &z, vxlan);
        CHECK_EQ(rocecc_ifa_strip(&p, &e), ROCECC_EDIT_CHANGE);
        carried(&e, &z, &y);
    }
}

/*
 * A tail stamp is at the end of the inner packet, before the trailer of the outer
 * packet.
 */
TEST(two_headers_an_ifa_tail_ends_the_inner_packet)
{
    static const parts head = {"", 0, 253, "2f110cff", 4791, "", true, 0};
    const rocecc_ifa_source source = {{2, 15, 0, 0x0c, 255}, {0xff, 0, 254, 0}, 0};
    rocecc_domain d = domain();
    int k;
    d.ifa.tail = ROCECC_IFA_TAIL_NEWEST_FIRST;
    for (k = 0; k < 4; k++) {
        two_frame x = made(OUTER(k), INNER(k), &as_sent, false);
        two_frame y = made(OUTER(k), INNER(k), &head, false);
        rocecc_packet p;
        rocecc_ifa h = ROCECC_ZERO;
        rocecc_edit e;
        named(k);
        two_hex(&y, "ff00fe00");
        two_end(&y);
        y.b[y.udp[0] + 5] = 32;
        two_trailer(&x, 40);
        two_trailer(&y, 40);
        p = two_walked(&d, &x);
        CHECK_EQ(rocecc_ifa_insert(&p, &source, 1500, &e), ROCECC_EDIT_CHANGE);
        carried(&e, &x, &y);
        p = two_walked(&d, &y);
        CHECK_EQ(rocecc_ifa_find(&p, &h), ROCECC_OK);
        CHECK_EQ(h.nodes.end, y.n - 44);
        CHECK_EQ(h.metadata.hop_limit, 254);
        CHECK_EQ(rocecc_ifa_strip(&p, &e), ROCECC_EDIT_CHANGE);
        carried(&e, &y, &x);
    }
}

/* The inner header decides whether the packet is a fragment of IFA. */
TEST(two_headers_the_inner_header_shows_an_ifa_fragment)
{
    const rocecc_domain d = domain();
    int k;
    for (k = 0; k < 8; k++) {
        two_frame x = made(OUTER(k), 4, &as_sent, false);
        rocecc_packet p;
        rocecc_ifa h = ROCECC_ZERO;
        named(k);
        x.b[x.ip[1] + 6] = 0x20; /* MF */
        if (k >= 4) x.b[x.ip[1] + 9] = 253;
        p = two_walked(&d, &x);
        CHECK_EQ(p.headers.partial, ROCECC_PARTIAL_FRAGMENT);
        CHECK_EQ(rocecc_ifa_find(&p, &h),
                 k >= 4 ? ROCECC_ERR_UNSUPPORTED : ROCECC_NO_MATCH);
    }
}

/* The MTU is compared with the length of the outermost IP packet. */
TEST(two_headers_the_mtu_limits_the_outermost_packet)
{
    const rocecc_ifa_source source = {{2, 15, 0, 0x04, 255}, {0xff, 0, 254, 0}, 0};
    const rocecc_domain d = domain();
    int k;
    EACH(k)
    {
        const bool vxlan = k >= 4;
        const two_frame x = made(OUTER(k), INNER(k), &as_sent, vxlan);
        const rocecc_packet p = packet_of_frame(&d, &x, vxlan);
        const size_t bytes = x.n - x.ip[vxlan ? 1 : 0];
        rocecc_edit e;
        named(k);
        CHECK_EQ(rocecc_edit_may_grow(&p, 8, (uint32_t)bytes + 8), ROCECC_EDIT_CHANGE);
        CHECK_EQ(rocecc_edit_may_grow(&p, 8, (uint32_t)bytes + 7), ROCECC_EDIT_MTU);
        CHECK_EQ(rocecc_edit_may_grow(&p, 65536, UINT32_MAX), ROCECC_EDIT_FULL);
        /* 65,536 bytes fit an IPv6 packet, and not an IPv4 packet */
        CHECK_EQ(rocecc_edit_may_grow(&p, 65536 - (uint32_t)bytes, UINT32_MAX),
                 (vxlan ? INNER(k) : OUTER(k)) == 4 ? ROCECC_EDIT_FULL
                                                    : ROCECC_EDIT_CHANGE);
        CHECK_EQ(rocecc_ifa_insert(&p, &source, (uint32_t)bytes + 8, &e),
                 ROCECC_EDIT_CHANGE);
        CHECK_EQ(rocecc_ifa_insert(&p, &source, (uint32_t)bytes + 7, &e),
                 ROCECC_EDIT_MTU);
    }
}

/* The four ways to mark INT, and their bytes. */
static const struct {
    uint8_t mark;
    const char *marker;
    parts one, two; /* without a node and with one */
} intmd[] = {
    {ROCECC_INTMD_MARK_PORT,
     "by port",
     {"", 0, 17, "", 5000, "140312b7 20000103 80000000 00000000", false, 0},
     {"", 0, 17, "", 5000, "140412b7 20000102 80000000 00000000 01020304", false, 0}},
    {ROCECC_INTMD_MARK_DSCP,
     "by DSCP",
     {"", 0, 17, "", 4791, "10030068 20000103 80000000 00000000", false, 46},
     {"", 0, 17, "", 4791, "10040068 20000102 80000000 00000000 01020304", false, 46}},
    {ROCECC_INTMD_MARK_PROBE,
     "by marker",
     {"", 0, 17, "", 4791, "0102030405060709 10030068 20000103 80000000 00000000",
      false, 0},
     {"", 0, 17, "", 4791,
      "0102030405060709 10040068 20000102 80000000 00000000 01020304", false, 0}},
    {ROCECC_INTMD_MARK_NEW_UDP,
     "by a new UDP header",
     {"", 0, 17, "d00d 1388 0038 0000 18030011 20000103 80000000 00000000", 4791, "",
      false, 0},
     {"", 0, 17, "d00d 1388 003c 0000 18040011 20000102 80000000 00000000 01020304",
      4791, "", false, 0}}};

static rocecc_domain domain_of(uint8_t mark)
{
    rocecc_domain d = domain();
    d.intmd.dscp = mark == ROCECC_INTMD_MARK_DSCP ? 46 : 0;
    d.intmd.dscp_mask = mark == ROCECC_INTMD_MARK_DSCP ? 0x3f : 0;
    if (mark == ROCECC_INTMD_MARK_PROBE) d.intmd.probe_marker = 0x0102030405060709u;
    return d;
}

TEST(two_headers_int_goes_into_the_inner_packet)
{
    rocecc_intmd_source source = {
        0, 0xd00d, 1500, {2, 0, 0, 0, 0, 1, 3, 0x8000, 0, 0, 0}};
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    rocecc_intmd_node node;
    size_t i;
    int k;
    rocecc_intmd_node_init(&node);
    CHECK_EQ(rocecc_intmd_set(&node, ROCECC_INTMD_ITEM_NODE_ID, 0x01020304), ROCECC_OK);
    for (i = 0; i < 4; i++) {
        const rocecc_domain d = domain_of(intmd[i].mark);
        source.mark = intmd[i].mark;
        EACH(k)
        {
            const bool vxlan = k >= 4;
            const two_frame x = made(OUTER(k), INNER(k), &as_sent, vxlan);
            two_frame y = made(OUTER(k), INNER(k), &intmd[i].one, vxlan);
            two_frame z = made(OUTER(k), INNER(k), &intmd[i].two, vxlan);
            rocecc_packet p = packet_of_frame(&d, &x, vxlan);
            rocecc_flow flow = ROCECC_ZERO;
            rocecc_intmd_shim shim;
            rocecc_edit e;
            test_context("%s, IPv%d in IPv%d%s", intmd[i].marker, INNER(k), OUTER(k),
                         vxlan ? " and VXLAN" : "");
            CHECK_EQ(rocecc_edit_dscp(&p), 26);
            CHECK_EQ(rocecc_intmd_find(&p, &shim), ROCECC_NO_MATCH);
            if (vxlan) lengths_around_stay(&y, &x);
            CHECK_EQ(rocecc_intmd_insert(&p, &source, NULL, none, &e),
                     ROCECC_EDIT_CHANGE);
            carried(&e, &x, &y);
            if (vxlan) y = made(OUTER(k), INNER(k), &intmd[i].one, vxlan);
            p = packet_of_frame(&d, &y, vxlan);
            CHECK_EQ(rocecc_intmd_find(&p, &shim), ROCECC_OK);
            CHECK_EQ(rocecc_intmd_mark_find(&p, &shim), intmd[i].mark);
            icrc_is(&p, INNER(k));
            CHECK_EQ(rocecc_packet_flow(&p, &flow), ROCECC_OK);
            CHECK(flow.src_port == 0xc123 && flow.dst_port == 4791 &&
                  rocecc_ip6_match(&flow.dst, two_dst(&two_inner, INNER(k))));
            if (vxlan) lengths_around_stay(&z, &y);
            CHECK_EQ(rocecc_intmd_push(&p, &node, none, 1500, &e), ROCECC_EDIT_CHANGE);
            carried(&e, &y, &z);
            if (vxlan) z = made(OUTER(k), INNER(k), &intmd[i].two, vxlan);
            y = x;
            if (vxlan) lengths_around_stay(&y, &z);
            p = packet_of_frame(&d, &z, vxlan);
            CHECK_EQ(rocecc_intmd_strip(&p, &e), ROCECC_EDIT_CHANGE);
            carried(&e, &z, &y);
        }
    }
}

/* The complement keeps the UDP checksum as it was. The lengths grow by 8 bytes
 * twice, the shim by 2 words, the hop count falls by 1, and the node adds 0x0102
 * and 0x0304. So the complement is 0xffff - 0x417. A packet without a checksum gets
 * all ones. */
TEST(two_headers_int_complement_keeps_the_inner_udp_checksum)
{
    static const parts one[] = {
        {"", 0, 17, "", 5000, "140312b7 20000203 80010000 00000000", false, 0},
        {"", 0, 17, "", 5000, "140512b7 20000202 80010000 00000000 01020304 ffffffff",
         false, 0},
        {"", 0, 17, "", 5000, "140512b7 20000202 80010000 00000000 01020304 0000fbe8",
         false, 0}};
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    rocecc_domain d = domain();
    rocecc_intmd_node node;
    int k, sum;
    d.intmd.complement = true;
    rocecc_intmd_node_init(&node);
    CHECK_EQ(rocecc_intmd_set(&node, ROCECC_INTMD_ITEM_NODE_ID, 0x01020304), ROCECC_OK);
    for (k = 0; k < 4; k++) {
        for (sum = 0; sum < 2; sum++) {
            two_frame x = made(OUTER(k), INNER(k), &one[0], false);
            two_frame y = made(OUTER(k), INNER(k), &one[1 + sum], false);
            rocecc_packet p;
            rocecc_edit e;
            named(k);
            if (sum != 0) x.b[x.udp[0] + 6] = y.b[y.udp[0] + 6] = 0x12;
            p = two_walked(&d, &x);
            CHECK_EQ(rocecc_intmd_push(&p, &node, none, 1500, &e), ROCECC_EDIT_CHANGE);
            carried(&e, &x, &y);
        }
    }
}

/* Returns TCP in a tunnel, with or without INT. The checksum 0x1000 has the
 * complement 0xefff. The length grows by 16, and the words of INT add up to 0xb16e.
 * The sum is 0x1a17d, which folds to 0xa17e, and the new checksum is 0x5e81. */
static two_frame tcp(int outer, int inner, bool marked)
{
    two_frame x;
    memset(&x, 0, sizeof x);
    two_ether(&x, &two_outer);
    two_type(&x, outer);
    two_ip(&x, &two_outer, outer, inner == 4 ? 4 : 41);
    two_ip(&x, &two_inner, inner, 6);
    two_hex(&x, marked ? "c1230050 00000001 00000002 50181000 5e810000"
                       : "c1230050 00000001 00000002 50181000 10000000");
    if (marked) two_hex(&x, "10030068 20000103 80000000 00000000");
    two_hex(&x, "0102030405060708");
    two_end(&x);
    if (marked) set_dscp(&x, x.ip[1], 46);
    return x;
}

TEST(two_headers_int_follows_the_inner_tcp_header)
{
    const rocecc_intmd_source source = {
        ROCECC_INTMD_MARK_DSCP, 0, 1500, {2, 0, 0, 0, 0, 1, 3, 0x8000, 0, 0, 0}};
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    const rocecc_domain d = domain_of(ROCECC_INTMD_MARK_DSCP);
    int k;
    for (k = 0; k < 4; k++) {
        const two_frame x = tcp(OUTER(k), INNER(k), false);
        const two_frame y = tcp(OUTER(k), INNER(k), true);
        const size_t offset = x.n - 8 - 20 + 12;
        rocecc_packet p = two_walked(&d, &x);
        two_frame z = x;
        rocecc_writer w = rocecc_writer_of(z.b, z.b + sizeof z.b);
        rocecc_edit e;
        named(k);
        CHECK_EQ(rocecc_intmd_insert(&p, &source, NULL, none, &e), ROCECC_EDIT_CHANGE);
        carried(&e, &x, &y);
        w.at = x.n;
        z.b[offset] = 0x60; /* a longer TCP header makes another packet */
        CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_NO_MATCH);
        p = two_walked(&d, &y);
        CHECK_EQ(rocecc_intmd_insert(&p, &source, NULL, none, &e), ROCECC_EDIT_PRESENT);
        CHECK_EQ(rocecc_intmd_strip(&p, &e), ROCECC_EDIT_CHANGE);
        carried(&e, &y, &x);
    }
}

/* A shim of an unknown Type after the inner UDP header counts as present. */
TEST(two_headers_inner_int_of_unknown_type_counts_as_present)
{
    static const parts unknown = {
        "", 0, 17, "", 5000, "740312b7 20000103 80000000 00000000", false, 0};
    const rocecc_intmd_source source = {
        ROCECC_INTMD_MARK_PORT, 0, 1500, {2, 0, 0, 0, 0, 1, 3, 0x8000, 0, 0, 0}};
    const rocecc_domain d = domain();
    int k;
    for (k = 0; k < 4; k++) {
        const two_frame x = made(OUTER(k), INNER(k), &unknown, false);
        const rocecc_packet p = two_walked(&d, &x);
        rocecc_edit e;
        named(k);
        CHECK_EQ(p.headers.status, ROCECC_ERR_UNSUPPORTED);
        CHECK_EQ(
            rocecc_intmd_insert(&p, &source, NULL, rocecc_reader_of(NULL, NULL), &e),
            ROCECC_EDIT_PRESENT);
    }
}

/* The inner DSCP marks a packet with INT, and the outer DSCP does not. */
TEST(two_headers_int_is_marked_by_the_inner_dscp)
{
    rocecc_domain d = domain_of(ROCECC_INTMD_MARK_DSCP);
    rocecc_intmd_shim shim;
    int k;
    for (k = 0; k < 4; k++) {
        two_frame x = made(OUTER(k), INNER(k), &intmd[1].one, false);
        rocecc_packet p = two_walked(&d, &x);
        named(k);
        CHECK_EQ(rocecc_intmd_find(&p, &shim), ROCECC_OK);
        set_dscp(&x, x.ip[1], 26);
        set_dscp(&x, x.ip[0], 46);
        p = two_walked(&d, &x);
        CHECK_EQ(rocecc_intmd_find(&p, &shim), ROCECC_NO_MATCH);
        CHECK_EQ(rocecc_edit_dscp(&p), 26);
    }
}

/* A plan changes the Protocol and DSCP of the inner header. */
TEST(two_headers_a_plan_changes_the_inner_header)
{
    const rocecc_domain d = domain();
    int k;
    for (k = 0; k < 4; k++) {
        const int inner = INNER(k);
        const two_frame x = made(OUTER(k), inner, &as_sent, false);
        parts other = as_sent;
        two_frame want;
        rocecc_packet p = two_walked(&d, &x);
        rocecc_edit e;
        named(k);
        CHECK_EQ(rocecc_edit_proto_offset(&p), x.ip[1] + (inner == 4 ? 8 : 6));
        other.inner_next = 99;
        want = made(OUTER(k), inner, &other, false);
        (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
        rocecc_edit_set_proto(&e, &p, rocecc_edit_proto_offset(&p), 99);
        carried(&e, &x, &want);
        other = as_sent;
        other.dscp = 3;
        want = made(OUTER(k), inner, &other, false);
        (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
        rocecc_edit_set_dscp(&e, &p, 3);
        carried(&e, &x, &want);
    }
}

/* An Authentication Header in the inner header covers IFA, and one in the outer
 * header covers the outer options. */
TEST(two_headers_each_ah_protects_its_own_header)
{
    static const parts inside = {"",
                                 0,
                                 51,
                                 "1104 0000 00000001 00000002 "
                                 "000102030405060708090a0b",
                                 4791,
                                 "",
                                 false,
                                 0};
    static const parts around = {"2904 0000 00000001 00000002 000102030405060708090a0b",
                                 51,
                                 17,
                                 "",
                                 4791,
                                 "",
                                 false,
                                 0};
    const rocecc_ioam_source trace = {0, ROCECC_IOAM_PREALLOCATED, 0x7b, 0, 0x800000,
                                      1};
    const rocecc_ifa_source source = {{2, 15, 0, 0x04, 255}, {0xff, 0, 254, 0}, 0};
    const rocecc_domain d = domain();
    const two_frame x = made(6, 6, &inside, false), y = made(6, 6, &around, false);
    const rocecc_packet p = two_walked(&d, &x), q = two_walked(&d, &y);
    rocecc_edit e;
    CHECK(p.headers.status == ROCECC_OK && q.headers.status == ROCECC_OK);
    CHECK_EQ(rocecc_edit_proto_offset(&p), 0);
    CHECK_EQ(rocecc_ifa_insert(&p, &source, 1500, &e), ROCECC_EDIT_AH);
    CHECK_EQ(rocecc_ioam_insert(&p, &trace, 1500, &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(rocecc_ioam_insert(&q, &trace, 1500, &e), ROCECC_EDIT_AH);
}

/* Nodes of the path write their trace into the outermost header. IPv4 cannot have a
 * trace, and the IPv6 packet inside is left alone. */
static const char *const empty_trace[2] = {
    "0402 0100 310e 0000 007b0801 80000000 00000000 01020000",
    "2902 0100 310e 0000 007b0801 80000000 00000000 01020000"};
static const char *const full_trace[2] = {
    "0402 0100 310e 0000 007b0800 80000000 c800000a 01020000",
    "2902 0100 310e 0000 007b0800 80000000 c800000a 01020000"};
static const char *const short_trace[2] = {"0401 0100 310a 0001 007b0805 80000000",
                                           "2901 0100 310a 0001 007b0805 80000000"};
static const char *const grown_trace[2] = {
    "0402 010400000000 310e 0001 007b0804 80000000 c800000a",
    "2902 010400000000 310e 0001 007b0804 80000000 c800000a"};
/* The sender's own trace, in the inner header. */
#define SENDERS "1102 0100 310e 0000 007b0801 80000000 00000000 01020000"

static parts trace_of(const char *const trace[2], int inner, bool senders)
{
    parts of = as_sent;
    of.after_outer = trace != NULL ? trace[inner == 6] : "";
    of.inner_next = senders ? 0 : 17;
    of.after_inner = senders ? SENDERS : "";
    return of;
}

TEST(two_headers_ioam_is_in_the_outer_header)
{
    rocecc_ioam_source source = {0, ROCECC_IOAM_PREALLOCATED, 0x7b, 0, 0x800000, 1};
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    const rocecc_domain d = domain();
    rocecc_ioam_node node;
    int k;
    rocecc_ioam_node_init(&node);
    CHECK_EQ(rocecc_ioam_set(&node, ROCECC_IOAM_ITEM_HOP_LIMIT, 200), ROCECC_OK);
    CHECK_EQ(rocecc_ioam_set(&node, ROCECC_IOAM_ITEM_NODE_ID, 10), ROCECC_OK);
    for (k = 0; k < 6; k++) {
        const int inner = k >= 4 ? 6 : INNER(k), outer = k == 4   ? 4
                                                         : k == 5 ? 6
                                                                  : OUTER(k);
        const bool senders = k >= 4;
        const parts bare = trace_of(NULL, inner, senders);
        const parts empty = trace_of(empty_trace, inner, senders);
        const parts full = trace_of(full_trace, inner, senders);
        const parts start = trace_of(short_trace, inner, senders);
        const parts grown = trace_of(grown_trace, inner, senders);
        const two_frame x = made(outer, inner, &bare, false);
        two_frame y = made(outer, inner, &empty, false), z;
        rocecc_ioam_option o = {0, 0, none};
        rocecc_packet p = two_walked(&d, &x);
        rocecc_writer w;
        rocecc_edit e;
        test_context("IPv%d in IPv%d%s", inner, outer, senders ? " with a trace" : "");
        CHECK_EQ(p.headers.status, ROCECC_OK);
        source.opt_type = ROCECC_IOAM_PREALLOCATED;
        source.words = 1;
        if (outer == 4) {
            z = x;
            w = rocecc_writer_of(z.b, z.b + z.n);
            CHECK_EQ(rocecc_ioam_find(&p, &o), ROCECC_NO_MATCH);
            CHECK_EQ(rocecc_ioam_insert(&p, &source, 1500, &e), ROCECC_EDIT_NONE);
            CHECK_EQ(rocecc_ioam_push(&p, &node, none, 1500, &e), ROCECC_EDIT_NONE);
            CHECK_EQ(rocecc_ioam_strip(&p, &e), ROCECC_EDIT_NONE);
            CHECK_EQ(rocecc_ioam_update(&p, w, &node, none), ROCECC_EDIT_NONE);
            two_changed(x.b, z.b, x.n, nothing);
            continue;
        }
        CHECK_EQ(rocecc_ioam_insert(&p, &source, 1500, &e), ROCECC_EDIT_CHANGE);
        carried(&e, &x, &y);
        CHECK_EQ(rocecc_ioam_insert(&p, &source, (uint32_t)(x.n - 22 + 23), &e),
                 ROCECC_EDIT_MTU);
        p = two_walked(&d, &y);
        CHECK_EQ(rocecc_ioam_insert(&p, &source, 1500, &e), ROCECC_EDIT_PRESENT);
        CHECK_EQ(rocecc_ioam_find(&p, &o), ROCECC_OK);
        CHECK_EQ(o.data.at, y.ip[0] + 48);
        z = made(outer, inner, &full, false);
        w = rocecc_writer_of(y.b, y.b + y.n);
        CHECK_EQ(rocecc_ioam_update(&p, w, &node, none), ROCECC_EDIT_CHANGE);
        two_changed(z.b, y.b, z.n, nothing);
        p = two_walked(&d, &z);
        CHECK_EQ(rocecc_ioam_strip(&p, &e), ROCECC_EDIT_CHANGE);
        carried(&e, &z, &x);
        y = made(outer, inner, &start, false);
        z = made(outer, inner, &grown, false);
        p = two_walked(&d, &y);
        CHECK_EQ(rocecc_ioam_push(&p, &node, none, 1500, &e), ROCECC_EDIT_CHANGE);
        carried(&e, &y, &z);
    }
}

/* The CSIG tag goes into the frame of the given packet. */
TEST(two_headers_csig_goes_into_the_packets_frame)
{
    const rocecc_csig tag = {0x9900, false, 1, 0, 31, 0, false};
    const rocecc_domain d = domain();
    int k;
    EACH(k)
    {
        const two_frame x = made(OUTER(k), INNER(k), &as_sent, k >= 4);
        const size_t second = k < 4 ? 20 : x.ip[1] - 2;
        const size_t places[2] = {20, second};
        int i;
        for (i = 0; i < (k < 4 ? 1 : 2); i++) {
            const rocecc_packet p = packet_of_frame(&d, &x, i == 1);
            two_frame y = x;
            rocecc_packet q;
            rocecc_csig h = ROCECC_ZERO;
            rocecc_edit e;
            named(k);
            memmove(y.b + places[i] + 4, y.b + places[i], x.n - places[i]);
            memcpy(y.b + places[i], "\x99\x00\x2f\x80", 4);
            y.n += 4;
            y.ip[0] += i == 0 ? 4 : 0;
            y.ip[1] += 4;
            CHECK_EQ(rocecc_csig_insert(&p, &tag, &e), ROCECC_EDIT_CHANGE);
            carried(&e, &x, &y);
            q = two_walked(&d, &y);
            if (i == 1) {
                CHECK_EQ(rocecc_csig_find(&q, &h), ROCECC_NO_MATCH);
                memset(&q.headers, 0,
                       sizeof q.headers); /* its lengths are still without the tag */
                continue;
            }
            CHECK_EQ(rocecc_csig_find(&q, &h), ROCECC_OK);
            CHECK_EQ(rocecc_csig_strip(&q, &e), ROCECC_EDIT_CHANGE);
            carried(&e, &y, &x);
        }
    }
}

/* A packet that begins with IP gets no tag. */
TEST(two_headers_csig_needs_a_frame)
{
    const rocecc_csig tag = {0x9900, false, 1, 0, 31, 0, false};
    const rocecc_domain d = domain();
    int k;
    for (k = 0; k < 4; k++) {
        const two_frame x = made(OUTER(k), INNER(k), &as_sent, false);
        const rocecc_reader ip =
            rocecc_subrange(rocecc_reader_of(x.b, x.b + x.n), x.ip[0], x.n);
        rocecc_packet p;
        rocecc_edit e;
        named(k);
        CHECK_EQ(rocecc_packet_parse_as(&d, ip, OUTER(k) == 4 ? 0x0800 : 0x86dd, &p),
                 ROCECC_OK);
        CHECK_EQ(rocecc_csig_insert(&p, &tag, &e), ROCECC_EDIT_NONE);
    }
}

/* CE goes into the outermost IP header, and the IPv4 checksum follows. Not-ECT is
 * not marked. */
TEST(two_headers_a_switch_marks_the_outermost_header)
{
    const rocecc_domain d = domain();
    int k, ecn;
    EACH(k)
    {
        for (ecn = 0; ecn < 4; ecn++) {
            two_frame x = made(OUTER(k), INNER(k), &as_sent, k >= 4), want;
            const size_t b = x.ip[0] + 1;
            const int shift = OUTER(k) == 4 ? 0 : 4;
            rocecc_packet p;
            rocecc_writer w;
            named(k);
            x.b[b] = (uint8_t)((x.b[b] & ~(3u << shift)) | (unsigned)ecn << shift);
            if (OUTER(k) == 4) two_sum(x.b, x.ip[0]);
            want = x;
            if (ecn != 0) want.b[b] = (uint8_t)(x.b[b] | 3u << shift);
            if (OUTER(k) == 4) two_sum(want.b, x.ip[0]);
            p = two_walked(&d, &x);
            w = rocecc_writer_of(x.b, x.b + x.n);
            CHECK_EQ(rocecc_congestion_point_mark(&p, w), ecn != 0);
            two_changed(want.b, x.b, x.n, nothing);
        }
    }
}

/* The ICRC is written at the end of the inner packet. */
TEST(two_headers_the_icrc_ends_the_inner_packet)
{
    const rocecc_domain d = domain();
    int k;
    EACH(k)
    {
        const two_frame x = made(OUTER(k), INNER(k), &as_sent, k >= 4);
        two_frame y = x;
        const rocecc_packet p = packet_of_frame(&d, &y, k >= 4);
        named(k);
        memset(y.b + x.n - 4, 0, 4);
        CHECK_EQ(
            rocecc_icrc_emplace(ROCECC_ICRC_AUTO, &p, rocecc_writer_of(y.b, y.b + y.n)),
            ROCECC_OK);
        two_changed(x.b, y.b, x.n, nothing);
    }
}
