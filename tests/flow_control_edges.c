/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * flow_control_edges.c - classes by the last DSCP, of a packet of protocol 0, and an
 * ARN that says a time and no more. Expected values are by hand.
 */
#include "lib/test.h"
#include "rocecc/role/flow_control.h"

#include <string.h>

/* There are 64 DSCPs: what stands behind the last one's class is nobody's class. */
TEST(flow_control_edges_the_last_dscp)
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

/* The class is that of the DSCP, of every protocol of IPv4: also of IP in IP, which
 * these four bytes cannot be read as, and of 0, which is one like any other. */
TEST(flow_control_edges_the_class_of_any_protocol)
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

/* An ARN has the parameters that the notice has, and no other: here each set of a flow,
 * a priority and a time. */
TEST(flow_control_edges_the_parameters_of_a_notice)
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
        m.time_ns = 5000; /* 5 of 1 us */
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

/* The priority of a VLAN tag is in the first byte of what follows its type: of a kept
 * `where` and a frame that ends there it is still known, and a byte before it is not.
 */
TEST(flow_control_edges_a_kept_where_of_half_a_tag)
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
