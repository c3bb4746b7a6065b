/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/flow_control.h"
#include "lib/guard.h"
#include "lib/kept.h"
#include "lib/record.h"
#include "lib/tell.h"
#include "lib/test.h"
#include "lib/trace.h"
#include "../../examples/lib/vec.h"

#include <string.h>

#define GBIT UINT64_C(1000000000)

/* A1 of vectors/arn.vec in UDP over IPv4, for a flow and 100 us. */
static const char a1[] =
    "02000000 00010200 00000002 0800 45c00034 00004000 ff1154e4 0a090901 0a090902"
    "c0decaff 00206d f8 0110c890 0a010a02 0a021401 c00012b7 11000000 00000064";

/* PFC for priority 3 with 65535 quanta and 5 with 256, from vectors/pfc.vec. */
static const char e6[] = "0180c2000001 020000000440 8808 0101 0028 0000 0000 0000 ffff"
                         "0000 0100 0000 0000 0000000000000000000000000000"
                         "000000000000000000000000";

#define FLOW(F, T, of)                                                                 \
    F(T, IP6, of.src, NULL)                                                            \
    F(T, IP6, of.dst, NULL)                                                            \
    F(T, UINT, of.src_port, NULL)                                                      \
    F(T, UINT, of.dst_port, NULL)                                                      \
    F(T, UINT, of.proto, NULL)

#define NOTICE(F, T)                                                                   \
    FLOW(F, T, flow)                                                                   \
    F(T, UINT, priority, NULL)                                                         \
    F(T, IP6, from.node, NULL)                                                         \
    F(T, UINT, from.tag, NULL)                                                         \
    F(T, BOOL, pfc, NULL)                                                              \
    F(T, UINT, port, NULL)                                                             \
    F(T, UINT, time_ns, NULL)                                                          \
    F(T, UINT, type, NULL)                                                             \
    F(T, BOOL, has_flow, NULL)                                                         \
    F(T, BOOL, has_priority, NULL)                                                     \
    F(T, BOOL, has_time, NULL)

#define TRAFFIC(F, T)                                                                  \
    FLOW(F, T, outer)                                                                  \
    FLOW(F, T, inner)                                                                  \
    F(T, UINT, in_port, NULL)                                                          \
    F(T, UINT, out_port, NULL)                                                         \
    F(T, UINT, priority, NULL)                                                         \
    F(T, UINT, pfc_class, NULL)                                                        \
    F(T, BOOL, control, NULL)

#define CHECK_NOTICE(m, text) CHECK_RECORD(NOTICE, rocecc_pause_notice, m, text)
#define CHECK_TRAFFIC(x, text) CHECK_RECORD(TRAFFIC, rocecc_pause_traffic, x, text)

/* The configuration of the role, and the ARN format of its domain. */
typedef struct node {
    rocecc_flow_control_config c;
    rocecc_arn_config arn;
} node;

static node lab(void)
{
    node n;
    memset(&n, 0, sizeof n);
    n.arn.port = 51967;
    return n;
}

typedef struct packet {
    uint8_t bytes[256];
    size_t n;
    rocecc_headers where;
} packet;

/* Domain of the packets below. Only its link and its ARN format change. */
static rocecc_domain domain = {.ifa = {.protocol = TELL_PROTOCOL, .layout_a = 1},
                               .intmd = {.udp_port = TELL_PORT}};

static void locate(packet *p, bool ip_first)
{
    domain.link = ip_first ? ROCECC_LINK_IP : ROCECC_LINK_ETHER;
    (void)rocecc_headers_parse(&domain, rocecc_reader_of(p->bytes, p->bytes + p->n),
                               &p->where);
}

static rocecc_packet attach(const node *c, const packet *p)
{
    domain.arn = c->arn;
    return rocecc_packet_attach(&domain, rocecc_reader_of(p->bytes, p->bytes + p->n),
                                &p->where);
}

static packet packet_from(const char *hex)
{
    packet p;
    CHECK(strlen(hex) < 2 * sizeof p.bytes && vec_hex(hex, p.bytes, &p.n));
    locate(&p, false);
    return p;
}

/* The switch that sends the ARNs below, and its tag. */
static const rocecc_pause_requester asker = {{{0xfd, [15] = 0xa}}, 5};

static rocecc_arn arn_of(const node *c, const char *hex)
{
    uint8_t bytes[64];
    size_t n;
    rocecc_arn h;
    CHECK(vec_hex(hex, bytes, &n));
    CHECK_EQ(rocecc_arn_parse(&c->arn, rocecc_reader_of(bytes, bytes + n), &h),
             ROCECC_OK);
    return h;
}

/* A notice becomes a whole ARN, here A1 with metric 0, or nothing on failure. */
TEST(flow_control_notice_becomes_a_whole_arn)
{
    const node c = lab();
    const rocecc_ip4 src = {{10, 9, 9, 1}}, dst = {{10, 9, 9, 2}};
    rocecc_arn h = arn_of(&c, "01100090 0a010a02 0a021401 c00012b7 11000000 00000064");
    rocecc_pause_notice m = rocecc_flow_control_arn_load(&c.arn, &h, &asker, 7);
    rocecc_datagram d = rocecc_arn_datagram(&c.arn, 0x00de);
    packet p = packet_from(a1);
    uint8_t b[52];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    d.src = rocecc_ip6_of_ip4(&src);
    d.dst = rocecc_ip6_of_ip4(&dst);
    CHECK_EQ(rocecc_flow_control_arn_build(&w, &c.arn, &d, &m), ROCECC_OK);
    CHECK_EQ(w.at, 52);
    w = rocecc_writer_of(b, b + 27);
    CHECK_EQ(rocecc_flow_control_arn_build(&w, &c.arn, &d, &m), ROCECC_ERR_SPACE);
    CHECK_EQ(w.at, 0);
    p.bytes[14 + 30] = 0; /* metric 0 in place of 0xc8, so a larger checksum */
    rocecc_store16(p.bytes + 14 + 26, 0x6df8 + 0xc800 - 0xffff);
    CHECK(memcmp(b, p.bytes + 14, sizeof b) == 0);
    m.type = 5;
    w = rocecc_writer_of(b, b + sizeof b);
    CHECK_EQ(rocecc_flow_control_arn_build(&w, &c.arn, &d, &m), ROCECC_ERR_RANGE);
    CHECK_EQ(w.at, 0);
}

/* A1 gives a flow and a time, and an ARN of type 2 a priority. The caller adds
 * requester and port. */
TEST(flow_control_arn_becomes_a_notice)
{
    const node c = lab();
    rocecc_arn h = arn_of(&c, "0110c890 0a010a02 0a021401 c00012b7 11000000 00000064");
    rocecc_pause_notice m;
    memset(&m, 0x5a, sizeof m);
    m = rocecc_flow_control_arn_load(&c.arn, &h, &asker, 7);
    CHECK_NOTICE(&m, "flow.src=::ffff:10.1.10.2 flow.dst=::ffff:10.2.20.1 "
                     "flow.src_port=49152 flow.dst_port=4791 flow.proto=17 port=7 "
                     "from.node=fd00::a from.tag=5 "
                     "time_ns=100000 type=1 has_flow=1 has_time=1");
    h = arn_of(&c, "02100020 00000003");
    m = rocecc_flow_control_arn_load(&c.arn, &h, &asker, 9);
    CHECK_NOTICE(
        &m, "from.node=fd00::a from.tag=5 priority=3 port=9 type=2 has_priority=1");
}

/* A notice has only the parameters of its ARN, for each set of them. */
TEST(flow_control_notice_has_only_the_parameters_of_its_arn)
{
    const node c = lab();
    unsigned set;
    for (set = 0; set < 16; set++) {
        rocecc_arn h = rocecc_arn_default(&c.arn, 1, (uint8_t)set);
        rocecc_pause_notice m;
        h.time = 5;
        test_context("set %u", set);
        m = rocecc_flow_control_arn_load(&c.arn, &h, &asker, 7);
        CHECK_EQ(m.has_flow, (set & 1) != 0);
        CHECK_EQ(m.has_priority, (set & 4) != 0);
        CHECK_EQ(m.has_time, (set & 8) != 0);
        CHECK_EQ(m.time_ns != 0, (set & 8) != 0);
    }
}

static rocecc_pause_traffic traffic(const node *c, const packet *p,
                                    rocecc_status status)
{
    const rocecc_packet it = attach(c, p);
    rocecc_pause_traffic x, before;
    memset(&x, 0x5a, sizeof x);
    before = x;
    CHECK_EQ(rocecc_flow_control_traffic(&c->c, &it, 1, 2, &x), status);
    CHECK(status == ROCECC_OK ? !x.in_pfc && x.bytes == 0 && x.held_ns == 0
                              : memcmp(&x, &before, sizeof x) == 0);
    return x;
}

/* R-ARN-4, R-ARN-5, R-ARN-11: E9 has ports in the inner flow, but not in the outer. */
TEST(flow_control_tunnel_has_an_outer_and_an_inner_flow)
{
    node c = lab();
    const vec_packet e9 = vec_find("vectors/srv6.vec", "e9");
    rocecc_pause_traffic x;
    packet p;
    memcpy(p.bytes, e9.bytes, e9.n);
    p.n = e9.n;
    locate(&p, false);
    x = traffic(&c, &p, ROCECC_OK);
    CHECK_EQ(x.outer.proto, 41);
    CHECK_EQ(x.outer.src_port, 0);
    CHECK_EQ(x.outer.dst_port, 0);
    CHECK_EQ(x.outer.src.b[15], 0x0c); /* END.CON */
    CHECK_EQ(x.inner.proto, 17);
    CHECK_EQ(x.inner.src_port, 0xc001);
    CHECK_EQ(x.inner.dst_port, 4791);
    CHECK_EQ(x.inner.src.b[15], 0x10);
    CHECK_EQ(x.inner.dst.b[15], 0x20);
    CHECK_EQ(x.in_port, 1);
    CHECK_EQ(x.out_port, 2);
    CHECK_EQ(x.priority, 0);
    CHECK(!x.control);
    c.arn.priority = ROCECC_ARN_PRIORITY_DSCP;
    CHECK_EQ(traffic(&c, &p, ROCECC_OK).priority, 0x02 >> 2);
    p.bytes[14] = 0x6b;
    p.bytes[15] |= 0x80;
    CHECK_EQ(traffic(&c, &p, ROCECC_OK).priority, 0xb8 >> 2);
    p.n = 0x5e; /* the inner packet is not in the capture */
    locate(&p, false);
    x = traffic(&c, &p, ROCECC_OK);
    CHECK(rocecc_flow_match(&x.inner, &x.outer));
    p.n = 14 + 39;
    locate(&p, false);
    (void)traffic(&c, &p, ROCECC_ERR_SHORT);
}

/* Checks all members for E9. Without a tunnel, the inner flow is the outer flow. */
TEST(flow_control_traffic_fills_every_member)
{
    node c = lab();
    const vec_packet e9 = vec_find("vectors/srv6.vec", "e9");
    rocecc_pause_traffic x;
    packet p;
    memcpy(p.bytes, e9.bytes, e9.n);
    p.n = e9.n;
    locate(&p, false);
    x = traffic(&c, &p, ROCECC_OK);
    CHECK_TRAFFIC(&x,
                  "outer.src=2001:db8:c0::c outer.dst=2001:db8:f2::e "
                  "outer.proto=41 inner.src=2001:db8:a::10 inner.dst=2001:db8:b::20 "
                  "inner.src_port=49153 inner.dst_port=4791 inner.proto=17 "
                  "in_port=1 out_port=2");
    p = packet_from(a1);
    c.c.class_of[48] = 6;
    c.c.trust_dscp = true;
    x = traffic(&c, &p, ROCECC_OK);
    CHECK_TRAFFIC(&x, "outer.src=::ffff:10.9.9.1 outer.dst=::ffff:10.9.9.2 "
                      "outer.src_port=49374 outer.dst_port=51967 outer.proto=17 "
                      "inner.src=::ffff:10.9.9.1 inner.dst=::ffff:10.9.9.2 "
                      "inner.src_port=49374 inner.dst_port=51967 inner.proto=17 "
                      "in_port=1 out_port=2 priority=6 pfc_class=6 control=1");
}

/* The outermost 802.1Q tag has the priority. */
TEST(flow_control_outermost_tag_gives_the_priority)
{
    const node c = lab();
    unsigned pcp;
    for (pcp = 0; pcp < 8; pcp++) {
        packet p = packet_from(a1);
        memmove(p.bytes + 20, p.bytes + 12, p.n - 12);
        p.n += 8;
        memcpy(p.bytes + 12, "\x88\xa8\x10\x64\x81\x00\xe4", 7);
        p.bytes[14] = (uint8_t)(pcp << 5 | 0x10);
        p.bytes[19] = 0;
        locate(&p, false);
        CHECK_EQ(traffic(&c, &p, ROCECC_OK).priority, pcp);
    }
}

/* Without a tag the priority is 0, although the frame begins with 3 bits of 1. */
TEST(flow_control_untagged_frames_have_priority_0)
{
    const node c = lab();
    packet p = packet_from(a1);
    p.bytes[0] = 0xe2;
    CHECK_EQ(traffic(&c, &p, ROCECC_OK).priority, 0);
}

/* State of a node. */
typedef struct table {
    rocecc_pause t;
    rocecc_traffic_slot slots[16];
    rocecc_pause_holders who[16];
    uint32_t has[16];
    rocecc_ask asks;
    rocecc_traffic_slot asked[16];
} table;

static table table_new(void)
{
    table t;
    memset(&t, 0, sizeof t);
    t.t = rocecc_pause_start(16);
    t.asks = rocecc_ask_start(16);
    return t;
}

/* Returns parameters with a key. */
static rocecc_pause_params accepted_params(uint8_t mode)
{
    rocecc_pause_params p = rocecc_pause_lab(mode);
    p.hash_key[0] = 1;
    CHECK_EQ(rocecc_pause_init(&p), ROCECC_PAUSE_ACCEPTED);
    return p;
}

/* The queue of a packet. `pfc` is true if the neighbour at in_port has only PFC. */
typedef struct queue {
    uint64_t bytes;
    bool pfc;
} queue;

/* Returns the result of rocecc_ask_queue() for a packet in this queue. */
static rocecc_pause_result queue_of(const rocecc_pause_params *p, table *t,
                                    const rocecc_pause_traffic *x, queue q,
                                    uint64_t now_ns)
{
    rocecc_pause_traffic y = *x;
    y.in_pfc = q.pfc;
    y.bytes = q.bytes;
    y.held_ns = rocecc_pause_packet(p, &t->t, t->slots, x, now_ns).time_ns;
    return rocecc_ask_queue(p, &t->asks, t->asked, &y, now_ns);
}

/* An untagged RoCEv2 packet has the class of its DSCP if trust_dscp is set. */
TEST(flow_control_trust_dscp_selects_the_class_by_dscp)
{
    const rocecc_pause_params p = accepted_params(ROCECC_PAUSE_FLOW);
    const rocecc_mac src = {{2, 0, 0, 0, 4, 0x40}};
    node c = lab();
    packet e = packet_from(a1);
    rocecc_pause_traffic x;
    unsigned by;
    e.bytes[14 + 1] = 26 << 2 | 2;
    c.c.class_of[26] = 3;
    c.arn.port = 0;
    CHECK_EQ(traffic(&c, &e, ROCECC_OK).pfc_class, 0);
    c.c.trust_dscp = true;
    for (by = ROCECC_ARN_PRIORITY_8021P; by <= ROCECC_ARN_PRIORITY_DSCP; by++) {
        table t = table_new();
        uint8_t bytes[60];
        rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
        rocecc_pause_result act;
        rocecc_pause_notice m;
        c.arn.priority = (uint8_t)by;
        x = traffic(&c, &e, ROCECC_OK);
        CHECK_EQ(x.priority, by == ROCECC_ARN_PRIORITY_DSCP ? 26 : 3);
        act = queue_of(&p, &t, &x, (queue){p.xoff_bytes, .pfc = true}, 0);
        m = rocecc_flow_control_ask(&p, &act, &x);
        CHECK_EQ(rocecc_flow_control_pfc_build(&w, &src, 100 * GBIT, &m), ROCECC_OK);
        CHECK_EQ(bytes[17], 1 << 3);
    }
}

/* Each DSCP selects its own entry of class_of. */
TEST(flow_control_each_dscp_has_its_own_class)
{
    node c = lab();
    packet e = packet_from(a1);
    unsigned dscp;
    c.c.trust_dscp = true;
    for (dscp = 0; dscp < 64; dscp++)
        c.c.class_of[dscp] = (uint8_t)((dscp ^ dscp >> 3) & 7);
    for (dscp = 0; dscp < 64; dscp++) {
        e.bytes[14 + 1] = (uint8_t)(dscp << 2 | 2);
        CHECK_EQ(traffic(&c, &e, ROCECC_OK).pfc_class, (dscp ^ dscp >> 3) & 7);
    }
}

/* A fragment and a frame without IP have a priority, but no 5-tuple. */
TEST(flow_control_frames_without_a_flow_have_a_priority)
{
    node c = lab();
    packet p = packet_from(a1);
    unsigned how;
    memmove(p.bytes + 16, p.bytes + 12, p.n - 12);
    p.n += 4;
    memcpy(p.bytes + 12, "\x81\x00\x60\x64", 4);
    for (how = 0; how < 2; how++) {
        rocecc_packet it;
        rocecc_pause_traffic x = {.priority = 9, .pfc_class = 9};
        if (how == 0) p.bytes[18 + 7] = 1;                 /* Fragment Offset 8 */
        if (how == 1) memcpy(p.bytes + 16, "\x89\x06", 2); /* FCoE */
        locate(&p, false);
        (void)traffic(&c, &p, ROCECC_NO_MATCH);
        it = attach(&c, &p);
        rocecc_flow_control_priority(&c.c, &it, &x);
        CHECK(x.priority == 3 && x.pfc_class == 3);
        c.arn.priority = ROCECC_ARN_PRIORITY_DSCP;
        it = attach(&c, &p);
        rocecc_flow_control_priority(&c.c, &it, &x);
        CHECK_EQ(x.priority, how == 0 ? 0x30 : 0); /* no DSCP without IP */
        c.arn.priority = ROCECC_ARN_PRIORITY_8021P;
    }
}

/* ARNs and tunnelled Fast CNPs are control traffic (R-ARN-14). */
TEST(flow_control_arns_and_fast_cnps_are_control_traffic)
{
    node c = lab();
    const vec_packet e10 = vec_find("vectors/srv6.vec", "e10");
    packet p = packet_from(a1);
    CHECK(traffic(&c, &p, ROCECC_OK).control);
    c.arn.port = 0;
    CHECK(!traffic(&c, &p, ROCECC_OK).control);
    memcpy(p.bytes, e10.bytes, e10.n);
    p.n = e10.n;
    locate(&p, false);
    CHECK(traffic(&c, &p, ROCECC_OK).control); /* a Fast CNP in a tunnel */
    memset(p.bytes, 0, sizeof p.bytes);
    locate(&p, false);
    (void)traffic(&c, &p, ROCECC_NO_MATCH);
}

static rocecc_pause_notice pfc_notice(const char *hex, unsigned priority,
                                      uint64_t rate_bps, rocecc_status status)
{
    const packet p = packet_from(hex);
    rocecc_reader r = rocecc_reader_of(p.bytes, p.bytes + p.n);
    rocecc_pause_notice m, before;
    rocecc_pfc h;
    memset(&m, 0x5a, sizeof m);
    before = m;
    CHECK_EQ(rocecc_pfc_parse(&r, &h), ROCECC_OK);
    CHECK_EQ(rocecc_flow_control_pfc_load(&h, priority, rate_bps, 4, &m), status);
    CHECK(status == ROCECC_OK || memcmp(&m, &before, sizeof m) == 0);
    return m;
}

static void arn_is(const node *c, const rocecc_pause_notice *m, rocecc_status status,
                   const char *hex)
{
    uint8_t bytes[64], should[64];
    size_t n;
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    CHECK(vec_hex(hex, should, &n));
    CHECK_EQ(rocecc_flow_control_arn_emit(&w, &c->arn, m), status);
    CHECK(w.at == n && memcmp(bytes, should, n) == 0);
    w = rocecc_writer_of(bytes, bytes + (n == 0 ? 0 : n - 1));
    if (status == ROCECC_OK)
        CHECK_EQ(rocecc_flow_control_arn_emit(&w, &c->arn, m), ROCECC_ERR_SPACE);
    CHECK_EQ(w.at, 0);
}

/* A PFC class in the data centre becomes a priority in the WAN. */
TEST(flow_control_pfc_class_becomes_an_arn_priority)
{
    node c = lab();
    rocecc_pause_notice m = pfc_notice(e6, 3, 100 * GBIT, ROCECC_OK);
    CHECK_NOTICE(&m, "pfc=1 priority=3 port=4 type=1 has_priority=1 has_time=1 "
                     "time_ns=335540"); /* 65535 x 5.12 ns = 335539.2 ns, rounded up */
    arn_is(&c, &m, ROCECC_OK, "01100030 00000003 0000014f"); /* 335 us */
    c.arn.time_unit_ps = 5120;                               /* the link's quanta */
    arn_is(&c, &m, ROCECC_OK, "01100030 00000003 0000ffff");
    /* R-ARN-16: a time below 1 ms would become 0 ms, and 0 would resume. */
    c.arn.time_unit_ps = 1000000000;
    arn_is(&c, &m, ROCECC_ERR_RANGE, "-");
    m.time_ns = 1000000;
    arn_is(&c, &m, ROCECC_OK, "01100030 00000003 00000001");
    m.time_ns = 0;
    arn_is(&c, &m, ROCECC_OK, "01100030 00000003 00000000");
    c = lab();
    c.arn.bit_order = ROCECC_ARN_LSB;
    m = pfc_notice(e6, 5, 10 * GBIT, ROCECC_OK);
    CHECK_EQ(m.time_ns, 13108); /* 256 x 51.2 ns = 13107.2 ns */
    arn_is(&c, &m, ROCECC_OK, "0110000c 00000005 0000000d");
    (void)pfc_notice(e6, 4, 10 * GBIT, ROCECC_NO_MATCH);
    (void)pfc_notice(e6, 8, 10 * GBIT, ROCECC_ERR_RANGE);
}

/* Quanta of 0 are a resume, so the ARN has type 2 and no time. */
TEST(flow_control_pfc_resume_becomes_an_arn_resume)
{
    const node c = lab();
    char e7[sizeof e6];
    rocecc_pause_notice m;
    memcpy(e7, e6, sizeof e6);
    memcpy(strstr(e7, "ffff"), "0000", 4);
    m = pfc_notice(e7, 3, 100 * GBIT, ROCECC_OK);
    CHECK_NOTICE(&m, "pfc=1 priority=3 port=4 type=2 has_priority=1");
    arn_is(&c, &m, ROCECC_OK, "02100020 00000003");
}

static void pfc_is(const rocecc_pause_notice *m, uint64_t rate_bps,
                   rocecc_status status, unsigned enable, unsigned quanta)
{
    const rocecc_mac src = {{2, 0, 0, 0, 4, 0x40}};
    uint8_t bytes[61];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + 60);
    size_t i;
    memset(bytes, 0xee, sizeof bytes);
    CHECK_EQ(rocecc_flow_control_pfc_build(&w, &src, rate_bps, m), status);
    CHECK_EQ(w.at, status == ROCECC_OK ? 60 : 0);
    CHECK_EQ(bytes[60], 0xee);
    if (status != ROCECC_OK) {
        CHECK_EQ(bytes[0], 0xee);
        return;
    }
    CHECK(memcmp(bytes, "\x01\x80\xc2\0\0\x01\x02\0\0\0\x04\x40\x88\x08\x01\x01\0",
                 17) == 0);
    CHECK_EQ(bytes[17], enable);
    for (i = 0; i < 8; i++)
        CHECK_EQ(bytes[18 + 2 * i] << 8 | bytes[19 + 2 * i],
                 enable >> i & 1 ? quanta : 0);
    w = rocecc_writer_of(bytes, bytes + 59);
    CHECK_EQ(rocecc_flow_control_pfc_build(&w, &src, rate_bps, m), ROCECC_ERR_SPACE);
}

/* A priority in the WAN becomes a PFC class. */
TEST(flow_control_arn_priority_becomes_a_pfc_class)
{
    const node c = lab();
    uint8_t a2[12];
    size_t n;
    rocecc_arn h;
    rocecc_pause_notice m;
    CHECK(vec_hex("0110c830 00000003 00000064", a2, &n));
    CHECK_EQ(rocecc_arn_parse(&c.arn, rocecc_reader_of(a2, a2 + n), &h), ROCECC_OK);
    m = rocecc_flow_control_arn_load(&c.arn, &h, &asker, 9);
    CHECK_EQ(m.time_ns, 100000);
    CHECK_EQ(m.port, 9);
    pfc_is(&m, 100 * GBIT, ROCECC_OK, 1 << 3,
           19531); /* 100 us / 5.12 ns, rounded down */
    pfc_is(&m, 400 * GBIT, ROCECC_OK, 1 << 3, 65535); /* at most 83.9 us */
    m.time_ns = 0;
    pfc_is(&m, 100 * GBIT, ROCECC_OK, 1 << 3, 0);
    m.time_ns = 5; /* R-ARN-16: below a quantum of 5.12 ns, and 0 would resume */
    pfc_is(&m, 100 * GBIT, ROCECC_ERR_RANGE, 0, 0);
    m.time_ns = 6;
    pfc_is(&m, 100 * GBIT, ROCECC_OK, 1 << 3, 1);
    m.type = 2;
    pfc_is(&m, 100 * GBIT, ROCECC_OK, 1 << 3, 0);
    m.priority = 7;
    pfc_is(&m, 100 * GBIT, ROCECC_OK, 1 << 7, 0);
}

/* PFC needs a priority below 8, a time for a pause, and type 1 or 2. */
TEST(flow_control_pfc_refuses_notices_it_cannot_carry)
{
    rocecc_pause_notice m;
    memset(&m, 0, sizeof m);
    m.type = 1;
    m.has_priority = m.has_time = true;
    m.time_ns = 1000;
    pfc_is(&m, GBIT, ROCECC_OK, 1, 1); /* one quantum of 512 ns fits */
    m.priority = 8;
    pfc_is(&m, GBIT, ROCECC_ERR_RANGE, 0, 0);
    m.priority = 0;
    m.has_priority = false;
    pfc_is(&m, GBIT, ROCECC_ERR_RANGE, 0, 0);
    m.has_priority = true;
    m.has_time = false;
    pfc_is(&m, GBIT, ROCECC_ERR_RANGE, 0, 0);
    for (m.type = 3; m.type != 1; m.type++)
        if (m.type != 2) pfc_is(&m, GBIT, ROCECC_ERR_RANGE, 0, 0);
}

/* If has_time is not set, time_ns is ignored, even below the unit (R-ARN-16). */
TEST(flow_control_ignores_time_ns_without_has_time)
{
    node c = lab();
    rocecc_pause_notice m;
    memset(&m, 0, sizeof m);
    m.type = 2;
    m.has_priority = true;
    m.priority = 3;
    m.time_ns = 1; /* below the unit of 1 us */
    arn_is(&c, &m, ROCECC_OK, "02100020 00000003");
    m.has_time = true;
    arn_is(&c, &m, ROCECC_ERR_RANGE, "-");
}

/* An ARN needs a type of 1 to 4, a priority of its kind, and addresses of its family.
 */
TEST(flow_control_arn_refuses_notices_it_cannot_carry)
{
    node c = lab();
    rocecc_pause_notice m;
    memset(&m, 0, sizeof m);
    c.arn.family = 4;
    m.type = 1;
    m.has_priority = true;
    m.priority = 8; /* 802.1Q has only 8 */
    arn_is(&c, &m, ROCECC_ERR_RANGE, "-");
    m.priority = 0;
    arn_is(&c, &m, ROCECC_OK, "01100020 00000000");
    m.type = 5;
    arn_is(&c, &m, ROCECC_ERR_RANGE, "-");
    m.type = 1;
    m.has_flow = true;
    m.flow.src.b[10] = m.flow.src.b[11] = 0xff; /* from IPv4 to IPv6 */
    arn_is(&c, &m, ROCECC_ERR_RANGE, "-");
}

/* R-ARN-8 and R-ARN-15 on two wires. A congested WAN node sends an ARN. The gateway
 * upstream holds the priority, fills up, and sends PFC to the data centre. */
TEST(flow_control_arn_in_the_wan_causes_pfc_in_the_data_center)
{
    const node c = lab();
    const rocecc_mac src = {{2, 0, 0, 0, 4, 0x40}};
    const rocecc_pause_params p = accepted_params(ROCECC_PAUSE_PRIORITY);
    table wan = table_new(), gateway = table_new();
    const rocecc_pause_memory memory = {gateway.slots, gateway.who, gateway.has};
    const packet e1 = packet_from(a1); /* a packet of priority 0 */
    node no_arn = lab();
    rocecc_pause_traffic x;
    rocecc_pause_result act;
    rocecc_pause_notice m;
    rocecc_reader r;
    uint8_t bytes[64];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_arn h;
    rocecc_pfc pfc;
    no_arn.arn.port = 0;
    x = traffic(&no_arn, &e1, ROCECC_OK);
    act = queue_of(&p, &wan, &x, (queue){p.xoff_bytes, .pfc = false}, 0);
    CHECK_EQ(act.what, ROCECC_PAUSE_ASK);
    m = rocecc_flow_control_ask(&p, &act, &x);
    CHECK_EQ(rocecc_flow_control_arn_emit(&w, &c.arn, &m), ROCECC_OK);
    CHECK_EQ(rocecc_arn_parse(&c.arn, rocecc_written(&w), &h), ROCECC_OK);
    m = rocecc_flow_control_arn_load(&c.arn, &h, &asker, x.out_port);
    act = rocecc_pause_notify(&p, &gateway.t, &memory, &m, 1000);
    CHECK_EQ(act.what, ROCECC_PAUSE_HOLD);
    CHECK_EQ(act.wait_ns, 100000);
    CHECK_EQ(rocecc_pause_packet(&p, &gateway.t, gateway.slots, &x, 51000).what,
             ROCECC_PAUSE_HOLD);
    act = queue_of(&p, &gateway, &x, (queue){p.xoff_bytes, .pfc = true}, 51000);
    CHECK_EQ(act.what, ROCECC_PAUSE_ASK);
    CHECK(act.pfc);
    m = rocecc_flow_control_ask(&p, &act, &x);
    w.at = 0;
    CHECK_EQ(rocecc_flow_control_pfc_build(&w, &src, 100 * GBIT, &m), ROCECC_OK);
    r = rocecc_written(&w);
    CHECK_EQ(rocecc_pfc_parse(&r, &pfc), ROCECC_OK);
    CHECK_EQ(pfc.enable, 1);
    CHECK_EQ(pfc.quanta[0], 3906); /* 20 of the remaining 50 us, in quanta of 5.12 ns */
    act = queue_of(&p, &gateway, &x, (queue){p.xon_bytes, .pfc = true}, 60000);
    CHECK_EQ(act.what, ROCECC_PAUSE_ASK_RESUME);
    m = rocecc_flow_control_ask(&p, &act, &x);
    w.at = 0;
    CHECK_EQ(rocecc_flow_control_pfc_build(&w, &src, 100 * GBIT, &m), ROCECC_OK);
    CHECK(bytes[17] == 1 && bytes[18] == 0 && bytes[19] == 0);
}

/* The mode selects how an ask names the traffic. PFC uses the priority in each mode. */
TEST(flow_control_mode_selects_how_an_ask_names_traffic)
{
    const packet e1 = packet_from(a1);
    const node c = lab();
    rocecc_pause_traffic x = traffic(&c, &e1, ROCECC_OK);
    unsigned mode, pfc;
    x.outer.proto = 41;
    for (mode = 0; mode < 3; mode++)
        for (pfc = 0; pfc < 2; pfc++) {
            const rocecc_pause_params p = rocecc_pause_lab((uint8_t)mode);
            rocecc_pause_result act = rocecc_pause_make_result_(ROCECC_PAUSE_ASK);
            rocecc_pause_notice m;
            act.pfc = pfc != 0;
            act.time_ns = 5;
            m = rocecc_flow_control_ask(&p, &act, &x);
            CHECK_EQ(m.has_priority, pfc || mode == ROCECC_PAUSE_PRIORITY);
            CHECK_EQ(m.has_flow, !m.has_priority);
            CHECK_EQ(m.time_ns, 5);
            CHECK_EQ(m.port, 1);
            if (m.has_flow) {
                CHECK_EQ(m.flow.proto, mode == ROCECC_PAUSE_SERVICE ? 41 : 17);
                CHECK_EQ(m.flow.src_port, mode == ROCECC_PAUSE_SERVICE ? 0 : 0xc0de);
            }
        }
}

/* Each member of the notice comes from the right member of the traffic. */
TEST(flow_control_ask_fills_every_member)
{
    rocecc_pause_params p = rocecc_pause_lab(ROCECC_PAUSE_SERVICE);
    rocecc_pause_result act = rocecc_pause_make_result_(ROCECC_PAUSE_ASK);
    rocecc_pause_traffic x = {.outer = {{{1, [15] = 2}}, {{3, [15] = 4}}, 5, 6, 17},
                              .inner = {{{7, [15] = 8}}, {{9, [15] = 10}}, 11, 12, 6},
                              .in_port = 21,
                              .out_port = 22,
                              .priority = 23,
                              .pfc_class = 4};
    rocecc_pause_notice m;
    act.time_ns = 1000;
    m = rocecc_flow_control_ask(&p, &act, &x);
    CHECK_NOTICE(&m, "flow.src=100::2 flow.dst=300::4 flow.src_port=5 flow.dst_port=6 "
                     "flow.proto=17 priority=23 port=21 time_ns=1000 type=1 has_flow=1 "
                     "has_time=1");
    p.mode = ROCECC_PAUSE_FLOW;
    act.what = ROCECC_PAUSE_ASK_RESUME;
    m = rocecc_flow_control_ask(&p, &act, &x);
    CHECK_NOTICE(&m,
                 "flow.src=700::8 flow.dst=900::a flow.src_port=11 flow.dst_port=12 "
                 "flow.proto=6 priority=23 port=21 type=2 has_flow=1");
    act.pfc = true;
    m = rocecc_flow_control_ask(&p, &act, &x);
    CHECK(m.has_priority && !m.has_flow && m.pfc);
    CHECK_EQ(m.priority, 4);
}

/* init() checks the domain's ARN format, and then each class. */
TEST(flow_control_init_refuses_bad_formats_and_classes)
{
    const node c = lab();
    rocecc_domain d;
    unsigned i;
    memset(&d, 0, sizeof d);
    d.arn = c.arn;
#define REFUSED(member, value, why)                                                    \
    do {                                                                               \
        rocecc_domain bad = d;                                                         \
        bad.arn.member = value;                                                        \
        CHECK_EQ(rocecc_flow_control_init(&c.c, &bad),                                 \
                 ROCECC_ARN_##why == ROCECC_ARN_ACCEPTED                               \
                     ? ROCECC_FLOW_CONTROL_ACCEPTED                                    \
                     : ROCECC_FLOW_CONTROL_REFUSED_ARN);                               \
        CHECK_EQ(rocecc_arn_init(&bad.arn), ROCECC_ARN_##why);                         \
        CHECK_EQ(rocecc_domain_init(&bad), ROCECC_ARN_##why == ROCECC_ARN_ACCEPTED     \
                                               ? ROCECC_DOMAIN_ACCEPTED                \
                                               : ROCECC_DOMAIN_REFUSED_ARN);           \
    } while (0)
    REFUSED(bit_order, 2, ACCEPTED);
    REFUSED(bit_order, 3, REFUSED_BIT_ORDER);
    REFUSED(layout, 2, ACCEPTED);
    REFUSED(layout, 3, REFUSED_LAYOUT);
    REFUSED(priority, 2, ACCEPTED);
    REFUSED(priority, 3, REFUSED_PRIORITY);
    REFUSED(family, 4, ACCEPTED);
    REFUSED(family, 6, ACCEPTED);
    REFUSED(family, 5, REFUSED_FAMILY);
    REFUSED(tail_unknown, true, ACCEPTED);
    d.arn.bit_order = ROCECC_ARN_AUTO;
    REFUSED(tail_unknown, true, REFUSED_TAIL);
    d.arn.port = 0; /* off, so not checked by the domain */
    d.arn.family = 5;
    CHECK_EQ(rocecc_domain_init(&d), ROCECC_DOMAIN_ACCEPTED);
    d.arn = c.arn;
    for (i = 0; i < 64; i++) {
        node bad = c;
        bad.c.class_of[i] = 7;
        CHECK_EQ(rocecc_flow_control_init(&bad.c, &d), ROCECC_FLOW_CONTROL_ACCEPTED);
        bad.c.class_of[i] = 8;
        CHECK_EQ(rocecc_flow_control_init(&bad.c, &d),
                 ROCECC_FLOW_CONTROL_REFUSED_CLASS);
    }
}

/* R-ARN-16 on both wires: for any remaining time, an ask holds no traffic for longer,
 * and does not become a resume. */
TEST(R_ARN_16_asks_hold_traffic_at_most_for_the_remaining_time)
{
    const rocecc_mac src = {{2, 0, 0, 0, 4, 0x40}};
    static const uint64_t rate_bps[] = {GBIT, 100 * GBIT, 400 * GBIT, 1600 * GBIT};
    const node c = lab();
    const rocecc_flow f = {{{1}}, {{2}}, 3, 4, 17};
    uint64_t left;
    size_t i;
    for (left = 1; left < 20000000; left += 1 + left / 50)
        for (i = 0; i < 4; i++) {
            uint8_t bytes[64];
            rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
            rocecc_pause_notice m, got;
            rocecc_status status;
            rocecc_reader r;
            rocecc_arn arn;
            rocecc_pfc pfc;
            memset(&m, 0, sizeof m);
            m.type = 1;
            m.flow = f;
            m.has_flow = m.has_time = true;
            m.time_ns = left;
            test_context("%u ns", (unsigned)left);
            status = rocecc_flow_control_arn_emit(&w, &c.arn, &m);
            CHECK_EQ(status, left < 1000 ? ROCECC_ERR_RANGE : ROCECC_OK);
            if (status == ROCECC_OK) {
                CHECK_EQ(rocecc_arn_parse(&c.arn, rocecc_written(&w), &arn), ROCECC_OK);
                got = rocecc_flow_control_arn_load(&c.arn, &arn, &asker, 1);
                CHECK(got.time_ns <= left && got.time_ns + 1000 > left);
            }
            m.has_flow = false;
            m.has_priority = true;
            w.at = 0;
            status = rocecc_flow_control_pfc_build(&w, &src, rate_bps[i], &m);
            CHECK_EQ(status,
                     left * rate_bps[i] < 512 * GBIT ? ROCECC_ERR_RANGE : ROCECC_OK);
            if (status != ROCECC_OK) continue;
            r = rocecc_written(&w);
            CHECK_EQ(rocecc_pfc_parse(&r, &pfc), ROCECC_OK);
            CHECK(pfc.quanta[0] != 0);
            CHECK(pfc.quanta[0] * 512 * GBIT <= left * rate_bps[i]);
            /* Shorter by less than a quantum and 1 ns. */
            CHECK(pfc.quanta[0] == 65535 ||
                  (pfc.quanta[0] + 1u) * 512 * GBIT > (left - 1) * rate_bps[i]);
        }
}

/* A flow is sent as it arrived, here with the bytes of A1 except the metric. */
TEST(flow_control_flow_is_written_as_it_was_read)
{
    const node c = lab();
    const rocecc_arn h =
        arn_of(&c, "0110c890 0a010a02 0a021401 c00012b7 11000000 00000064");
    rocecc_pause_notice m = rocecc_flow_control_arn_load(&c.arn, &h, &asker, 7);
    arn_is(&c, &m, ROCECC_OK, "01100090 0a010a02 0a021401 c00012b7 11000000 00000064");
    m.flow.src = (rocecc_ip6){{0x20, 0x01, 0x0d, 0xb8, [15] = 1}};
    m.flow.dst = (rocecc_ip6){{0x20, 0x02, 0x0d, 0xb8, [15] = 2}};
    m.has_time = false;
    arn_is(&c, &m, ROCECC_OK,
           "01100080 20010db8 00000000 00000000 00000001 20020db8 00000000 00000000 "
           "00000002 c00012b7 11000000");
}

TEST(flow_control_law)
{
    law_random(law_flow_control, 20000);
}

/* init() checks the class of DSCP 63, and no byte after it. */
TEST(flow_control_init_checks_the_class_of_dscp_63)
{
    const rocecc_domain d = ROCECC_ZERO;
    struct {
        rocecc_flow_control_config c;
        uint8_t behind[8];
    } x;
    memset(&x, 0xff, sizeof x);
    x.c.trust_dscp = true;
    memset(x.c.class_of, 7, sizeof x.c.class_of);
    CHECK_EQ(rocecc_flow_control_init(&x.c, &d), ROCECC_FLOW_CONTROL_ACCEPTED);
    x.c.class_of[63] = 8;
    CHECK_EQ(rocecc_flow_control_init(&x.c, &d), ROCECC_FLOW_CONTROL_REFUSED_CLASS);
}

/* The DSCP selects the class for any protocol of IPv4, also for 0, and for IP in IP
 * that cannot be read. */
TEST(flow_control_dscp_selects_the_class_for_any_protocol)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    rocecc_flow_control_config c = ROCECC_ZERO;
    unsigned proto;
    c.trust_dscp = true;
    c.class_of[46] = 5;
    for (proto = 0; proto < 256; proto++) {
        uint8_t b[24] = {0x45, 46 << 2, 0,  24, 0, 0, 0,  0, 64, 0,
                         0,    0,       10, 0,  0, 1, 10, 0, 0,  2};
        rocecc_pause_traffic x;
        rocecc_packet p;
        b[9] = (uint8_t)proto;
        memset(&x, 0, sizeof x);
        test_context("protocol %u", proto);
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
        rocecc_flow_control_priority(&c, &p, &x);
        CHECK_EQ(x.pfc_class, 5);
        CHECK_EQ(x.priority, 5);
    }
}

/* An ARN has only the parameters of its notice, of a flow, a priority and a time. */
TEST(flow_control_arn_has_only_the_parameters_of_its_notice)
{
    const rocecc_arn_config c = ROCECC_ZERO;
    unsigned has;
    for (has = 0; has < 8; has++) {
        uint8_t b[100];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        rocecc_pause_notice m;
        rocecc_arn h;
        memset(&m, 0, sizeof m);
        m.type = ROCECC_ARN_CONGESTION_DETECTED;
        m.has_flow = (has & 1) != 0;
        m.has_priority = (has & 2) != 0;
        m.has_time = (has & 4) != 0;
        m.flow.src.b[0] = m.flow.dst.b[0] = 0xfd;
        m.flow.proto = ROCECC_PROTO_UDP;
        m.priority = 3;
        m.time_ns = 5000; /* 5 units of 1 us */
        test_context("set %u", has);
        CHECK_EQ(rocecc_flow_control_arn_emit(&w, &c, &m), ROCECC_OK);
        CHECK_EQ(rocecc_arn_parse(&c, rocecc_written(&w), &h), ROCECC_OK);
        CHECK_EQ(rocecc_arn_present(&h),
                 (m.has_flow ? ROCECC_ARN_FLOW : 0) |
                     (m.has_priority ? ROCECC_ARN_PRIORITY : 0) |
                     (m.has_time ? ROCECC_ARN_TIME : 0));
        if (m.has_priority) CHECK_EQ(h.priority, 3);
        if (m.has_time) CHECK_EQ(h.time, 5);
    }
}

/* The priority is in the first byte after the type of a VLAN tag. If the frame was cut
 * before this byte after its headers were parsed, the class is 0. */
TEST(flow_control_a_tag_cut_before_its_priority_gives_class_0)
{
    const rocecc_flow_control_config c = ROCECC_ZERO;
    const rocecc_domain d = ROCECC_ZERO;
    uint8_t b[42] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x81, 0, 0xa0, 7, 8, 0, 0x45};
    rocecc_packet p;
    size_t n;
    b[18 + 3] = 24;
    b[18 + 9] = 253;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.n_vlan, 1);
    for (n = 0; n <= sizeof b; n++) {
        rocecc_pause_traffic x;
        memset(&x, 0, sizeof x);
        p.bytes.end = n;
        test_context("%zu bytes", n);
        rocecc_flow_control_priority(&c, &p, &x);
        CHECK_EQ(x.pfc_class, n < 15 ? 0 : 5);
    }
}

/* A frame without IP has no DSCP, so even with trust_dscp the tag gives its class. */
TEST(flow_control_tag_selects_the_class_of_arp)
{
    static const uint8_t b[60] = {2, 0, 0, 0,    0, 1,    2, 0, 0,
                                  0, 0, 2, 0x81, 0, 0xa0, 7, 8, 6}; /* ARP, PCP 5 */
    rocecc_flow_control_config c = ROCECC_ZERO;
    rocecc_pause_traffic x = ROCECC_ZERO;
    rocecc_domain d = ROCECC_ZERO;
    rocecc_packet p;
    c.trust_dscp = true;
    c.class_of[0] = 1;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.n_vlan, 1);
    rocecc_flow_control_priority(&c, &p, &x);
    CHECK_EQ(x.pfc_class, 5);
    CHECK_EQ(x.priority, 5);
}

static rocecc_packet packet_in(const rocecc_domain *d, const char *hex, uint8_t *b)
{
    rocecc_packet p;
    size_t n = 0;
    CHECK(vec_hex(hex, b, &n));
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + n), &p);
    return p;
}

/* Without IP the class comes from the tag, here 5. With IP it comes from the DSCP. */
TEST(flow_control_dscp_selects_the_class_only_for_ip)
{
    const rocecc_domain d = {.link = ROCECC_LINK_ETHER};
    rocecc_flow_control_config c;
    rocecc_pause_traffic x;
    uint8_t b[256];
    rocecc_packet p =
        packet_in(&d, "020000000001 020000000002 8100 a001 0806 00010800", b);
    memset(&c, 0, sizeof c);
    memset(&x, 0, sizeof x);
    c.trust_dscp = true;
    c.class_of[0] = 2;
    rocecc_flow_control_priority(&c, &p, &x);
    CHECK_EQ(x.pfc_class, 5);
    p = packet_in(&d,
                  "020000000001 020000000002 8100 a001 0800 "
                  "45000014 00000000 40fd0000 c0000201 c0000202",
                  b);
    rocecc_flow_control_priority(&c, &p, &x);
    CHECK_EQ(x.pfc_class, 2);
}

/* A frame without IP has the class of its tag, or 0 if the tag is beyond the frame. */
TEST(flow_control_a_tag_beyond_the_frame_gives_class_0)
{
    rocecc_domain d = ROCECC_ZERO;
    rocecc_flow_control_config c = ROCECC_ZERO;
    rocecc_packet p =
        kept_packet(&d, "020000000001 020000000002 8100a064 0806 0001 0800 0604 0001");
    rocecc_pause_traffic x = ROCECC_ZERO;
    c.trust_dscp = true;
    c.class_of[0] = 3;
    CHECK_EQ(p.headers.n_vlan, 1);
    rocecc_flow_control_priority(&c, &p, &x);
    CHECK_EQ(x.pfc_class, 5);
    p.headers.vlan[0] = (uint8_t)p.bytes.end;
    rocecc_flow_control_priority(&c, &p, &x);
    CHECK_EQ(x.pfc_class, 0);
}

/* init() checks the ARN format before the classes, even if ARN is off. */
TEST(flow_control_init_checks_the_arn_format_before_the_classes)
{
    rocecc_domain d = ROCECC_ZERO;
    rocecc_flow_control_config c = ROCECC_ZERO;
    d.arn.family = 5;
    CHECK_EQ(rocecc_flow_control_init(&c, &d), ROCECC_FLOW_CONTROL_REFUSED_ARN);
    c.class_of[0] = 8;
    CHECK_EQ(rocecc_flow_control_init(&c, &d), ROCECC_FLOW_CONTROL_REFUSED_ARN);
    d.arn.family = 4;
    CHECK_EQ(rocecc_flow_control_init(&c, &d), ROCECC_FLOW_CONTROL_REFUSED_CLASS);
}

/* A notice holds neither metric nor path, so an ARN made from it has neither. */
TEST(flow_control_notice_drops_metric_and_path_of_an_arn)
{
    const node c = lab();
    const rocecc_arn h = arn_of(&c, "0110c870 11223344 00000003 00000064");
    const rocecc_pause_notice m = rocecc_flow_control_arn_load(&c.arn, &h, &asker, 7);
    arn_is(&c, &m, ROCECC_OK, "01100030 00000003 00000064");
}

/* A time above 2^32 - 1 units is written as 2^32 - 1 units. */
TEST(flow_control_limits_the_time_of_an_arn_to_32_bits)
{
    const node c = lab();
    rocecc_pause_notice m;
    memset(&m, 0, sizeof m);
    m.type = 1;
    m.has_time = true;
    m.time_ns =
        UINT64_C(4294967294999); /* 1 ns below 2^32 - 1 us, so 2^32 - 2 whole units */
    arn_is(&c, &m, ROCECC_OK, "01100010 fffffffe");
    m.time_ns = UINT64_C(4294967296000);
    arn_is(&c, &m, ROCECC_OK, "01100010 ffffffff");
    m.time_ns = UINT64_MAX;
    arn_is(&c, &m, ROCECC_OK, "01100010 ffffffff");
}

/* PFC ignores the time of a resume, but an ARN refuses a time below its unit. */
TEST(flow_control_only_pfc_accepts_a_resume_with_a_short_time)
{
    const node c = lab();
    rocecc_pause_notice m;
    memset(&m, 0, sizeof m);
    m.type = 2;
    m.has_priority = m.has_time = true;
    m.priority = 3;
    m.time_ns = 1;
    pfc_is(&m, 100 * GBIT, ROCECC_OK, 1 << 3, 0);
    arn_is(&c, &m, ROCECC_ERR_RANGE, "-");
}

/* A notice that cannot be written gives RANGE even without room, but a whole ARN first
 * needs room for its 28 bytes of headers. */
TEST(flow_control_checks_arn_headers_then_range_then_space)
{
    const node c = lab();
    const rocecc_mac src = {{2, 0, 0, 0, 4, 0x40}};
    const rocecc_ip4 from = {{10, 9, 9, 1}}, to = {{10, 9, 9, 2}};
    rocecc_datagram d = rocecc_arn_datagram(&c.arn, 0);
    uint8_t b[64];
    rocecc_writer w = rocecc_writer_of(b, b);
    rocecc_pause_notice m;
    memset(&m, 0, sizeof m);
    m.type = 5;
    m.has_priority = true;
    d.src = rocecc_ip6_of_ip4(&from);
    d.dst = rocecc_ip6_of_ip4(&to);
    CHECK_EQ(rocecc_flow_control_arn_emit(&w, &c.arn, &m), ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_flow_control_pfc_build(&w, &src, GBIT, &m), ROCECC_ERR_RANGE);
    w = rocecc_writer_of(b, b + 27);
    CHECK_EQ(rocecc_flow_control_arn_build(&w, &c.arn, &d, &m), ROCECC_ERR_SPACE);
    w = rocecc_writer_of(b, b + 28);
    CHECK_EQ(rocecc_flow_control_arn_build(&w, &c.arn, &d, &m), ROCECC_ERR_RANGE);
    d.dst_port ^= 1;
    w = rocecc_writer_of(b, b);
    CHECK_EQ(rocecc_flow_control_arn_build(&w, &c.arn, &d, &m), ROCECC_ERR_RANGE);
    CHECK_EQ(w.at, 0);
}

/* With a rate of 0 a pause lasts 2^64 - 1 ns, and a resume stays a resume. */
TEST(flow_control_pfc_without_a_rate_pauses_for_ever)
{
    rocecc_pause_notice m = pfc_notice(e6, 3, 0, ROCECC_OK);
    rocecc_pfc h = {{{0}}, 0, 1, {0}};
    CHECK_EQ(m.time_ns, UINT64_MAX);
    CHECK_EQ(rocecc_flow_control_pfc_load(&h, 0, 0, 4, &m), ROCECC_OK);
    CHECK(m.type == ROCECC_ARN_CONGESTION_ELIMINATED && !m.has_time && m.time_ns == 0);
    m.type = ROCECC_ARN_CONGESTION_DETECTED;
    m.has_time = true;
    m.time_ns = UINT64_MAX - 1; /* no quantum ends within it */
    pfc_is(&m, 0, ROCECC_ERR_RANGE, 0, 0);
}

/* Every verdict except ASK becomes a resume, even NOTHING. */
TEST(flow_control_every_verdict_except_ask_becomes_a_resume)
{
    const rocecc_pause_params p = rocecc_pause_lab(ROCECC_PAUSE_PRIORITY);
    const rocecc_pause_traffic x = {.priority = 3};
    unsigned what;
    for (what = 0; what <= ROCECC_PAUSE_IGNORED_REQUESTER; what++) {
        rocecc_pause_result act = rocecc_pause_make_result_((rocecc_pause_verdict)what);
        rocecc_pause_notice m;
        act.time_ns = 5;
        m = rocecc_flow_control_ask(&p, &act, &x);
        test_context("verdict %u", what);
        CHECK_EQ(m.type, what == ROCECC_PAUSE_ASK ? ROCECC_ARN_CONGESTION_DETECTED
                                                  : ROCECC_ARN_CONGESTION_ELIMINATED);
        CHECK_EQ(m.has_time, what == ROCECC_PAUSE_ASK);
        CHECK_EQ(m.time_ns, what == ROCECC_PAUSE_ASK ? 5 : 0);
    }
}

/* If ARNs carry priorities of any kind, a packet's priority is its PFC class. */
TEST(flow_control_priority_of_any_kind_is_the_pfc_class)
{
    node c = lab();
    packet p = packet_from(a1); /* DSCP 48 */
    c.c.trust_dscp = true;
    c.c.class_of[48] = 6;
    c.arn.priority = ROCECC_ARN_PRIORITY_ANY;
    CHECK_EQ(traffic(&c, &p, ROCECC_OK).priority, 6);
    c.arn.priority = ROCECC_ARN_PRIORITY_DSCP;
    CHECK_EQ(traffic(&c, &p, ROCECC_OK).priority, 48);
    CHECK_EQ(traffic(&c, &p, ROCECC_OK).pfc_class, 6);
}

/* R-ARN-14: an ARN in an IP tunnel and a Fast CNP without a tunnel are never held. */
TEST(flow_control_arns_in_a_tunnel_are_control_traffic)
{
    const node c = lab();
    const vec_packet e10 = vec_find("vectors/srv6.vec", "e10");
    packet p = packet_from(a1), t = packet_from(a1);
    const size_t inner = p.n - 14;
    memmove(t.bytes + 14 + 40, t.bytes + 14, inner);
    rocecc_store16(t.bytes + 12, 0x86dd);
    memset(t.bytes + 14, 0, 40);
    t.bytes[14] = 0x60;
    rocecc_store16(t.bytes + 14 + 4, (uint16_t)inner);
    t.bytes[14 + 6] = ROCECC_PROTO_IPV4;
    t.bytes[14 + 8] = t.bytes[14 + 24] = 0x20;
    t.n += 40;
    locate(&t, false);
    CHECK_EQ(traffic(&c, &t, ROCECC_OK).outer.proto, ROCECC_PROTO_IPV4);
    CHECK(traffic(&c, &t, ROCECC_OK).control);
    t.bytes[14 + 40 + 23] ^= 1; /* another port, so data */
    CHECK(!traffic(&c, &t, ROCECC_OK).control);
    memcpy(p.bytes + 14, e10.bytes + 0x36, e10.n - 0x36);
    rocecc_store16(p.bytes + 12, 0x86dd);
    p.n = e10.n - 40;
    locate(&p, false);
    CHECK_EQ(traffic(&c, &p, ROCECC_OK).outer.proto, ROCECC_PROTO_UDP);
    CHECK(traffic(&c, &p, ROCECC_OK).control);
}
