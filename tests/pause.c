/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/arn.h"
#include "law/pause.h"
#include "lib/test.h"
#include "lib/trace.h"
#include "rocecc/role/flow_control.h"

#include <string.h>

#define SLOTS 64
#define US UINT64_C(1000)
#define XOFF 200000
#define XON 100000

static rocecc_pause_entry slots[SLOTS];

/* What a node keeps, and where its slots are. */
typedef struct node {
    rocecc_pause kept;
    rocecc_pause_entry *slots;
} node;

static rocecc_pause_params made(uint8_t mode)
{
    const rocecc_pause_params p = rocecc_pause_lab(mode);
    CHECK_EQ(rocecc_pause_init(&p), ROCECC_PAUSE_ACCEPTED);
    return p;
}

/* By the neighbour at in_port: whether it has PFC alone. */
static rocecc_pause_action queue_of(const rocecc_pause_params *p, node *t,
                                    const rocecc_pause_traffic *x, uint64_t bytes,
                                    bool pfc, uint64_t now_ns)
{
    rocecc_pause_traffic y = *x;
    y.in_pfc = pfc;
    y.bytes = bytes;
    return rocecc_pause_queue(p, &t->kept, t->slots, &y, now_ns);
}

static node table_in(rocecc_pause_entry *e, uint32_t n)
{
    node t;
    if (n > 0) memset(e, 0, n * sizeof *e);
    t.kept = rocecc_pause_start(n);
    t.slots = e;
    return t;
}

static node table(void)
{
    return table_in(slots, SLOTS);
}

/* From 2001:db8::n to 2001:db8:d::n. */
static rocecc_flow flow(uint8_t n, uint8_t proto, uint16_t src_port)
{
    rocecc_flow f = {
        {{0x20, 1, 0x0d, 0xb8}}, {{0x20, 1, 0x0d, 0xb8, 0, 0x0d}}, 0, 0, 0};
    f.src.b[15] = f.dst.b[15] = n;
    f.proto = proto;
    f.src_port = src_port;
    f.dst_port = 4791;
    return f;
}

/* RoCEv2 of flow n, in the tunnel of service s, of a priority; from port 1 to 2. */
static rocecc_pause_traffic traffic(uint8_t s, uint8_t n, uint8_t priority)
{
    rocecc_pause_traffic x;
    x.outer = flow(s, 41, 0);
    x.inner = flow(n, 17, 49152);
    x.in_port = 1;
    x.out_port = 2;
    x.priority = priority;
    x.pfc_class = priority;
    x.control = false;
    x.in_pfc = false;
    return x;
}

/* A message with all parameters, from the node behind port 2. */
static rocecc_pause_notice notice(uint8_t type, const rocecc_flow *f, uint8_t priority,
                                  uint64_t time_ns)
{
    rocecc_pause_notice m;
    m.flow = *f;
    m.priority = priority;
    m.port = 2;
    m.time_ns = time_ns;
    m.type = type;
    m.has_flow = m.has_priority = m.has_time = true;
    return m;
}

static rocecc_pause_action notify(const rocecc_pause_params *p, node *t,
                                  rocecc_pause_notice m, uint64_t now_ns)
{
    return rocecc_pause_notify(p, &t->kept, t->slots, &m, now_ns);
}

static bool runs(const rocecc_pause_params *p, const node *t, rocecc_pause_traffic x,
                 uint64_t now_ns)
{
    const rocecc_pause_action act =
        rocecc_pause_packet(p, &t->kept, t->slots, &x, now_ns);
    CHECK(act.what == ROCECC_PAUSE_RUN || act.what == ROCECC_PAUSE_HOLD);
    CHECK_EQ(act.what == ROCECC_PAUSE_HOLD, act.wait_ns != 0);
    return act.what == ROCECC_PAUSE_RUN;
}

static void check_what(rocecc_pause_action act, rocecc_pause_what what)
{
    CHECK_EQ(act.what, what);
}

TEST(R_ARN_1_inside_a_dc_it_is_pfc)
{
    uint8_t mode;
    for (mode = ROCECC_PAUSE_SERVICE; mode <= ROCECC_PAUSE_PRIORITY; mode++) {
        const rocecc_pause_params p = made(mode);
        const rocecc_pause_traffic x = traffic(1, 1, 5), other = traffic(2, 2, 5);
        rocecc_pause_traffic beside = x;
        node t = table();
        const rocecc_pause_action act = queue_of(&p, &t, &x, XOFF, true, 1000);
        check_what(act, ROCECC_PAUSE_ASK);
        CHECK(act.pfc);
        /* Per priority, whatever the mode: other flows of it are the same class. */
        check_what(queue_of(&p, &t, &other, XOFF, true, 1001), ROCECC_PAUSE_NOTHING);
        /* And per port. */
        beside.in_port = 7;
        check_what(queue_of(&p, &t, &beside, XOFF, true, 1002), ROCECC_PAUSE_ASK);
        CHECK_EQ(t.kept.held, 0);
    }
}

/* Three flows: two in one service, two of one priority. */
TEST(R_ARN_2_three_granularities)
{
    const rocecc_pause_traffic a = traffic(1, 1, 3), b = traffic(1, 2, 4),
                               c = traffic(2, 3, 3);
    uint8_t mode;
    for (mode = ROCECC_PAUSE_SERVICE; mode <= ROCECC_PAUSE_PRIORITY; mode++) {
        const rocecc_pause_params p = made(mode);
        node t = table();
        const rocecc_flow f = rocecc_pause_flow(&p, &a);
        check_what(notify(&p, &t, notice(1, &f, 3, 100 * US), 0), ROCECC_PAUSE_HOLD);
        CHECK(!runs(&p, &t, a, 1));
        CHECK_EQ(runs(&p, &t, b, 1), mode != ROCECC_PAUSE_SERVICE);
        CHECK_EQ(runs(&p, &t, c, 1), mode != ROCECC_PAUSE_PRIORITY);
    }
}

TEST(R_ARN_3_congestion_of_the_receiving_port_is_told_upstream)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    rocecc_pause_traffic beside = x;
    node t = table();
    rocecc_pause_action act;
    check_what(queue_of(&p, &t, &x, XOFF - 1, false, 0), ROCECC_PAUSE_NOTHING);
    act = queue_of(&p, &t, &x, XOFF, false, 10);
    check_what(act, ROCECC_PAUSE_ASK);
    CHECK(!act.pfc && act.time_ns == p.pause_ns);
    /* Another port that receives the flow has a queue of its own. */
    beside.in_port = 3;
    check_what(queue_of(&p, &t, &beside, XOFF - 1, false, 11), ROCECC_PAUSE_NOTHING);
    CHECK(runs(&p, &t, x, 12)); /* what this node sends is not held by that */
}

/* What a node says upstream, as the ARN that goes out. */
static rocecc_arn told(const rocecc_pause_params *p, const rocecc_pause_traffic *x,
                       const rocecc_pause_action *act)
{
    const rocecc_pause_notice m = rocecc_flow_control_ask(p, act, x);
    rocecc_arn_config c;
    uint8_t b[80];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_arn h;
    memset(&c, 0, sizeof c);
    memset(&h, 0, sizeof h);
    CHECK_EQ(m.port, x->in_port);
    CHECK_EQ(rocecc_flow_control_arn_emit(&w, &c, &m), ROCECC_OK);
    CHECK_EQ(rocecc_arn_parse(&c, rocecc_written(&w), &h), ROCECC_OK);
    CHECK_EQ(h.type, ROCECC_ARN_CONGESTION_DETECTED);
    CHECK_EQ(rocecc_arn_time_ns(&c, h.time), act->time_ns);
    return h;
}

static rocecc_arn congested(uint8_t mode)
{
    const rocecc_pause_params p = made(mode);
    const rocecc_pause_traffic x = traffic(7, 9, 3);
    node t = table();
    const rocecc_pause_action act = queue_of(&p, &t, &x, XOFF, false, 0);
    return told(&p, &x, &act);
}

TEST(R_ARN_4_service_by_the_outer_header)
{
    const rocecc_arn h = congested(ROCECC_PAUSE_SERVICE);
    CHECK_EQ(h.para_type, 0x90);
    CHECK(h.flow.src.b[15] == 7 && h.flow.proto == 41);
}

TEST(R_ARN_5_flow_by_the_inner_header)
{
    const rocecc_arn h = congested(ROCECC_PAUSE_FLOW);
    CHECK_EQ(h.para_type, 0x90);
    CHECK(h.flow.src.b[15] == 9 && h.flow.proto == 17);
    CHECK(h.flow.src_port == 49152 && h.flow.dst_port == 4791);
}

TEST(R_ARN_6_priority_without_a_flow)
{
    const rocecc_arn h = congested(ROCECC_PAUSE_PRIORITY);
    CHECK_EQ(h.para_type, 0x30);
    CHECK(h.priority == 3 && h.tuple_bytes == 0);
}

/* One message with everything in it: each node holds what its own mode says. */
TEST(R_ARN_7_by_the_configured_mode)
{
    const rocecc_pause_traffic x = traffic(1, 2, 3);
    uint8_t mode, of;
    for (mode = ROCECC_PAUSE_SERVICE; mode <= ROCECC_PAUSE_PRIORITY; mode++)
        for (of = 0; of < 2; of++) {
            const rocecc_pause_params p = made(mode);
            node t = table();
            check_what(notify(&p, &t, notice(1, of ? &x.inner : &x.outer, 6, US), 0),
                       ROCECC_PAUSE_HOLD);
            CHECK_EQ(runs(&p, &t, x, 1), mode != of);
            CHECK_EQ(runs(&p, &t, traffic(8, 9, 6), 1), mode != ROCECC_PAUSE_PRIORITY);
        }
}

TEST(R_ARN_8_towards_a_gateway_by_what_it_has)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 5);
    rocecc_pause_traffic wan = x;
    node t = table();
    rocecc_pause_action act;
    wan.in_port = 9;
    CHECK(queue_of(&p, &t, &x, XOFF, true, 0).pfc);
    act = queue_of(&p, &t, &wan, XOFF, false, 0);
    CHECK(act.what == ROCECC_PAUSE_ASK && !act.pfc);
    act = queue_of(&p, &t, &x, XON, true, 1);
    CHECK(act.what == ROCECC_PAUSE_ASK_RESUME && act.pfc);
    act = queue_of(&p, &t, &wan, XON, false, 1);
    CHECK(act.what == ROCECC_PAUSE_ASK_RESUME && !act.pfc);
}

TEST(R_ARN_10_what_the_mode_needs)
{
    const rocecc_flow f = flow(1, 17, 1);
    unsigned i;
    for (i = 0; i < 3 * 2 * 8; i++) {
        const uint8_t mode = (uint8_t)(i / 16), type = (uint8_t)(1 + i / 8 % 2);
        const rocecc_pause_params p = made(mode);
        node t = table();
        rocecc_pause_notice m = notice(type, &f, 3, US);
        const bool named = mode == ROCECC_PAUSE_PRIORITY ? (i & 2) != 0 : (i & 1) != 0;
        const bool enough = named && (type == 2 || (i & 4) != 0);
        m.has_flow = (i & 1) != 0;
        m.has_priority = (i & 2) != 0;
        m.has_time = (i & 4) != 0;
        test_context("mode %u, type %u, %u", mode, type, i % 8);
        check_what(rocecc_pause_notify(&p, &t.kept, t.slots, &m, 0),
                   !enough     ? ROCECC_PAUSE_IGNORED_PARAMETER
                   : type == 2 ? ROCECC_PAUSE_NOTHING
                               : ROCECC_PAUSE_HOLD);
        CHECK_EQ(t.kept.missing, enough ? 0 : 1);
        CHECK_EQ(t.kept.held, enough && type == 1);
    }
}

/* A priority that there is not names nothing. */
TEST(R_ARN_10_priorities)
{
    rocecc_pause_params p = made(ROCECC_PAUSE_PRIORITY);
    const rocecc_flow f = flow(1, 17, 1);
    node t = table();
    rocecc_pause_notice m = notice(1, &f, 7, US);
    check_what(notify(&p, &t, m, 0), ROCECC_PAUSE_HOLD);
    m.priority = 8;
    check_what(notify(&p, &t, m, 0), ROCECC_PAUSE_IGNORED_PARAMETER);
    m.priority = 0x107;
    check_what(notify(&p, &t, m, 0), ROCECC_PAUSE_IGNORED_PARAMETER);
    p.priorities = 64;
    m.priority = 63;
    check_what(notify(&p, &t, m, 0), ROCECC_PAUSE_HOLD);
    m.priority = 64;
    check_what(notify(&p, &t, m, 0), ROCECC_PAUSE_IGNORED_PARAMETER);
    CHECK_EQ(t.kept.missing, 3);
}

/* Without ports on the wire, none are compared; with them, both are. */
TEST(R_ARN_11_protocols_without_ports)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_SERVICE);
    unsigned proto;
    for (proto = 0; proto < 256; proto++) {
        const bool ports =
            proto == 6 || proto == 17 || proto == 33 || proto == 132 || proto == 136;
        const rocecc_flow f = flow(1, (uint8_t)proto, 0);
        rocecc_pause_traffic x = traffic(1, 1, 3);
        node t = table();
        test_context("protocol %u", proto);
        x.outer = flow(1, (uint8_t)proto, 7);
        check_what(notify(&p, &t, notice(1, &f, 0, US), 0), ROCECC_PAUSE_HOLD);
        CHECK_EQ(runs(&p, &t, x, 1), ports);
        CHECK_EQ(rocecc_pause_flow(&p, &x).src_port, ports ? 7 : 0);
        CHECK_EQ(rocecc_pause_flow(&p, &x).dst_port, ports ? 4791 : 0);
        x.outer.src_port = 0;
        CHECK(!runs(&p, &t, x, 1));
        x.outer.dst_port = 1;
        CHECK_EQ(runs(&p, &t, x, 1), ports);
        x.outer = f;
        x.outer.proto ^= 1;
        CHECK(runs(&p, &t, x, 1));
    }
}

/* Each byte of the 5-tuple, and the port, tells keys apart. */
TEST(R_ARN_11_every_bit_of_the_key)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_flow f = flow(1, 17, 1);
    node t = table();
    unsigned bit;
    check_what(notify(&p, &t, notice(1, &f, 0, US), 0), ROCECC_PAUSE_HOLD);
    for (bit = 0; bit < 128 + 128 + 32 + 32; bit++) {
        rocecc_pause_traffic x = traffic(1, 1, 0);
        test_context("bit %u", bit);
        x.inner = f;
        CHECK(!runs(&p, &t, x, 1));
        if (bit < 256)
            (bit < 128 ? &x.inner.src : &x.inner.dst)->b[bit / 8 % 16] ^=
                (uint8_t)(1 << bit % 8);
        else if (bit < 272)
            x.inner.src_port ^= (uint16_t)(1 << bit % 16);
        else if (bit < 288)
            x.inner.dst_port ^= (uint16_t)(1 << bit % 16);
        else
            x.out_port ^= UINT32_C(1) << bit % 32;
        CHECK(runs(&p, &t, x, 1));
    }
}

TEST(R_ARN_12_types)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    unsigned type;
    uint64_t time_ns;
    for (type = 0; type < 256; type++) {
        const rocecc_pause_action act =
            notify(&p, &t, notice((uint8_t)type, &x.inner, 3, 0), 0);
        test_context("type %u", type);
        check_what(act, type == 1 || type == 2   ? ROCECC_PAUSE_NOTHING
                        : type == 3 || type == 4 ? ROCECC_PAUSE_HAND_ON
                                                 : ROCECC_PAUSE_IGNORED_TYPE);
    }
    /* Resumed by type 1 with time 0, and by type 2 with any time or none. */
    for (type = 1; type <= 2; type++)
        for (time_ns = 0; time_ns < (type == 1 ? 1 : 2); time_ns++) {
            rocecc_pause_notice m = notice((uint8_t)type, &x.inner, 3, time_ns);
            const rocecc_pause_action held =
                notify(&p, &t, notice(1, &x.inner, 3, US), 0);
            rocecc_pause_action act;
            check_what(held, ROCECC_PAUSE_HOLD);
            CHECK(held.arm && held.wait_ns == US && held.slot < SLOTS);
            CHECK(!runs(&p, &t, x, 1));
            m.has_time = type == 1 || time_ns != 0;
            act = rocecc_pause_notify(&p, &t.kept, t.slots, &m, 2);
            check_what(act, ROCECC_PAUSE_RUN);
            CHECK_EQ(act.slot, held.slot);
            CHECK(runs(&p, &t, x, 3));
            CHECK_EQ(t.kept.held, 0);
        }
}

TEST(R_ARN_13_the_later_replaces)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    const uint32_t slot = notify(&p, &t, notice(1, &x.inner, 3, 100), 1000).slot;
    rocecc_pause_action act = notify(&p, &t, notice(1, &x.inner, 3, 100), 1050);
    CHECK(act.what == ROCECC_PAUSE_HOLD && act.slot == slot && act.wait_ns == 100);
    CHECK(!act.evicted && t.kept.held == 1);
    CHECK(!runs(&p, &t, x, 1149));
    CHECK(runs(&p, &t, x, 1150)); /* and not 1200 */
    /* A shorter one shortens. */
    (void)notify(&p, &t, notice(1, &x.inner, 3, 1000), 2000);
    (void)notify(&p, &t, notice(1, &x.inner, 3, 10), 2001);
    CHECK(!runs(&p, &t, x, 2010));
    CHECK(runs(&p, &t, x, 2011));
}

TEST(R_ARN_14_held_and_not_dropped_but_not_control)
{
    uint8_t mode;
    for (mode = ROCECC_PAUSE_SERVICE; mode <= ROCECC_PAUSE_PRIORITY; mode++) {
        const rocecc_pause_params p = made(mode);
        rocecc_pause_traffic x = traffic(1, 1, 3);
        node t = table();
        const rocecc_flow f = rocecc_pause_flow(&p, &x);
        rocecc_pause_action act, packet;
        act = notify(&p, &t, notice(1, &f, 3, 100), 0);
        packet = rocecc_pause_packet(&p, &t.kept, t.slots, &x, 40);
        check_what(packet, ROCECC_PAUSE_HOLD); /* there is no other word for it */
        CHECK(packet.slot == act.slot && packet.wait_ns == 60);
        x.control = true;
        CHECK(runs(&p, &t, x, 40));
        check_what(queue_of(&p, &t, &x, XOFF, false, 41), ROCECC_PAUSE_NOTHING);
    }
}

/* Downstream, node, upstream: a pause goes on hop by hop, as the queues fill. */
TEST(R_ARN_15_upstream_propagation)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    rocecc_pause_entry upstream[8];
    node t = table(), up = table_in(upstream, 8);
    rocecc_pause_action act;
    (void)notify(&p, &t, notice(1, &x.inner, 3, 80 * US), 0);
    check_what(queue_of(&p, &t, &x, XOFF - 1, false, US), ROCECC_PAUSE_NOTHING);
    act = queue_of(&p, &t, &x, XOFF, false, 20 * US);
    check_what(act, ROCECC_PAUSE_ASK);
    CHECK_EQ(act.time_ns, 60 * US);
    check_what(notify(&p, &up, notice(1, &x.inner, 3, act.time_ns), 21 * US),
               ROCECC_PAUSE_HOLD);
    CHECK(!runs(&p, &up, x, 22 * US));
    /* At the edge of the WAN, PFC for the priority instead. */
    act = queue_of(&p, &t, &x, XOFF, true, 30 * US);
    CHECK(act.what == ROCECC_PAUSE_ASK && act.pfc && act.time_ns == 20 * US);
}

TEST(R_ARN_16_pauses_shrink_and_go_round_no_loop)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    rocecc_pause_traffic x = traffic(1, 1, 3);
    uint64_t left;
    for (left = 1; left < 300 * US; left = left * 3 + 1) {
        node t = table();
        rocecc_pause_action act;
        (void)notify(&p, &t, notice(1, &x.inner, 3, left + 5), 1000);
        act = queue_of(&p, &t, &x, XOFF, false, 1005);
        CHECK_EQ(act.time_ns, left < p.pause_ns ? left : p.pause_ns);
    }
    {
        /* It goes out where the traffic comes in; come back from there, it holds none.
         */
        node t = table();
        rocecc_pause_action act;
        rocecc_pause_notice m;
        (void)notify(&p, &t, notice(1, &x.inner, 3, 50 * US), 0);
        act = queue_of(&p, &t, &x, XOFF, false, 0);
        m = rocecc_flow_control_ask(&p, &act, &x);
        CHECK_EQ(m.port, x.in_port);
        t = table();
        check_what(rocecc_pause_notify(&p, &t.kept, t.slots, &m, 1), ROCECC_PAUSE_HOLD);
        CHECK(runs(&p, &t, x, 2));
        /* What leaves elsewhere is not held, and its pause is its own. */
        (void)notify(&p, &t, notice(1, &x.inner, 3, 50 * US), 2);
        x.out_port = 5;
        CHECK_EQ(queue_of(&p, &t, &x, XOFF, false, 3).time_ns, p.pause_ns);
    }
}

TEST(P_1_over_without_a_message)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_SERVICE);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    static const uint64_t starts[] = {0, 1000, UINT64_MAX - 50, UINT64_MAX};
    size_t i;
    for (i = 0; i < sizeof starts / sizeof starts[0]; i++) { /* 64 bits, wrapping */
        node t = table();
        rocecc_pause_action act;
        const uint32_t slot =
            notify(&p, &t, notice(1, &x.outer, 3, 100), starts[i]).slot;
        CHECK(!runs(&p, &t, x, starts[i] + 99));
        act = rocecc_pause_packet(&p, &t.kept, t.slots, &x, starts[i] + 100);
        CHECK(act.what == ROCECC_PAUSE_RUN && act.slot == slot);
        CHECK(runs(&p, &t, x, starts[i] + 100 + (UINT64_C(1) << 40)));
        act = rocecc_pause_timer(&p, &t.kept, t.slots, slot, starts[i] + 100);
        CHECK(act.what == ROCECC_PAUSE_RUN && act.slot == slot);
        CHECK_EQ(t.kept.held, 0);
    }
}

TEST(P_2_no_longer_than_the_bound)
{
    rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    p.max_ns = p.pause_ns = p.pfc_ns = 1000;
    CHECK_EQ(notify(&p, &t, notice(1, &x.inner, 3, 1001), 5000).wait_ns, 1000);
    CHECK_EQ(notify(&p, &t, notice(1, &x.inner, 3, UINT64_MAX), 5000).wait_ns, 1000);
    CHECK(!runs(&p, &t, x, 5999));
    CHECK(runs(&p, &t, x, 6000));
    /* The clock is set back: never more than the bound from there. */
    CHECK(!runs(&p, &t, x, 5000));
    CHECK(runs(&p, &t, x, 4999));
    CHECK(runs(&p, &t, x, 0));
}

/* A table of 8, all held: the ninth is not, and neither is anything else. */
TEST(P_3_full)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    node t = table();
    uint8_t n;
    t.kept = rocecc_pause_start(15); /* 8 of them */
    CHECK_EQ(t.kept.n, 8);
    for (n = 0; n < 20; n++) {
        const rocecc_flow f = flow(n, 17, 49152);
        check_what(notify(&p, &t, notice(1, &f, 3, 100), 0),
                   n < 8 ? ROCECC_PAUSE_HOLD : ROCECC_PAUSE_IGNORED_FULL);
        CHECK_EQ(t.kept.full, n < 8 ? 0 : n - 7);
    }
    for (n = 0; n < 20; n++)
        CHECK_EQ(runs(&p, &t, traffic(0, n, 3), 1), n >= 8);
    {
        const rocecc_pause_traffic x = traffic(0, 30, 3);
        const rocecc_flow f = flow(7, 17, 49152);
        check_what(queue_of(&p, &t, &x, XOFF, false, 1), ROCECC_PAUSE_IGNORED_FULL);
        CHECK_EQ(t.kept.full, 13);
        /* Those that are held already are not kept out. */
        check_what(notify(&p, &t, notice(1, &f, 3, 200), 1), ROCECC_PAUSE_HOLD);
    }
    for (n = 8; n < SLOTS; n++) /* nothing beyond the eight was touched */
        CHECK_EQ(slots[n].key[5], 0);
}

TEST(P_3_no_table)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_PRIORITY);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table_in(NULL, 0);
    check_what(notify(&p, &t, notice(1, &x.inner, 3, 100), 0),
               ROCECC_PAUSE_IGNORED_FULL);
    CHECK(runs(&p, &t, x, 1));
    check_what(queue_of(&p, &t, &x, XOFF, true, 1), ROCECC_PAUSE_IGNORED_FULL);
    check_what(rocecc_pause_timer(&p, &t.kept, t.slots, 0, 1), ROCECC_PAUSE_NOTHING);
}

/* Numbers of slots: the largest power of two. */
TEST(P_3_slots)
{
    unsigned i;
    for (i = 0; i < 32; i++) {
        const uint32_t n = UINT32_C(1) << i;
        CHECK_EQ(rocecc_pause_start(n).n, n);
        CHECK_EQ(rocecc_pause_start(n | (n - 1)).n, n);
        CHECK_EQ(rocecc_pause_start(n | n >> 1 | 1).n, n);
    }
}

TEST(P_4_asks_again_and_says_when_it_is_over)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    rocecc_pause_action act = queue_of(&p, &t, &x, XOFF, false, 0);
    CHECK(act.arm && act.wait_ns == 50 * US);
    check_what(queue_of(&p, &t, &x, XOFF, false, 50 * US - 1), ROCECC_PAUSE_NOTHING);
    act = queue_of(&p, &t, &x, XON + 1, false, 50 * US);
    check_what(act, ROCECC_PAUSE_ASK);
    CHECK_EQ(act.time_ns, 100 * US);
    check_what(queue_of(&p, &t, &x, XON + 1, false, 51 * US), ROCECC_PAUSE_NOTHING);
    check_what(queue_of(&p, &t, &x, XON, false, 52 * US), ROCECC_PAUSE_ASK_RESUME);
    check_what(queue_of(&p, &t, &x, XON, false, 53 * US), ROCECC_PAUSE_NOTHING);
    check_what(queue_of(&p, &t, &x, XOFF - 1, false, 54 * US), ROCECC_PAUSE_NOTHING);
    check_what(queue_of(&p, &t, &x, XOFF, false, 55 * US), ROCECC_PAUSE_ASK);
    /* A node that is held for 30 us asks for 30, and again after 15; for 7 ns, after 7.
     */
    (void)notify(&p, &t, notice(1, &x.inner, 3, 30 * US), 200 * US);
    act = queue_of(&p, &t, &x, XOFF, false, 200 * US);
    CHECK(act.time_ns == 30 * US && act.wait_ns == 15 * US);
    (void)notify(&p, &t, notice(1, &x.inner, 3, 7), 215 * US);
    act = queue_of(&p, &t, &x, XOFF, false, 215 * US);
    CHECK(act.time_ns == 7 && act.wait_ns == 7);
    {
        rocecc_pause_params few = p;
        few.pause_ns = few.pfc_ns = 9;
        t = table();
        (void)notify(&few, &t, notice(1, &x.inner, 3, 1), 0);
        act = queue_of(&few, &t, &x, XOFF, false, 0);
        CHECK(act.time_ns == 1 && act.wait_ns == 1);
    }
}

/* Nothing that is kept says where the slots are: they and the table go on elsewhere. */
TEST(pause_goes_on_in_other_memory)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3), y = traffic(1, 2, 3);
    static rocecc_pause_entry elsewhere[SLOTS];
    node t = table(), moved;
    const uint32_t slot = notify(&p, &t, notice(1, &x.inner, 3, 100), 0).slot;
    check_what(queue_of(&p, &t, &y, XOFF, false, 0), ROCECC_PAUSE_ASK);
    memcpy(elsewhere, slots, sizeof elsewhere);
    memset(slots, 0x5a, sizeof slots);
    moved.kept = t.kept;
    moved.slots = elsewhere;
    CHECK(!runs(&p, &moved, x, 99));
    check_what(queue_of(&p, &moved, &y, XON, false, 99), ROCECC_PAUSE_ASK_RESUME);
    check_what(rocecc_pause_timer(&p, &moved.kept, elsewhere, slot, 100),
               ROCECC_PAUSE_RUN);
    CHECK_EQ(moved.kept.held, 0);
}

TEST(P_5_timers_early_and_too_many)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    rocecc_pause_action act;
    uint32_t slot;
    for (slot = 0; slot < SLOTS + 2; slot++)
        check_what(rocecc_pause_timer(&p, &t.kept, t.slots, slot, 5),
                   ROCECC_PAUSE_NOTHING);
    check_what(rocecc_pause_timer(&p, &t.kept, t.slots, ROCECC_PAUSE_NONE, 5),
               ROCECC_PAUSE_NOTHING);
    slot = notify(&p, &t, notice(1, &x.inner, 3, 100), 0).slot;
    (void)notify(&p, &t, notice(1, &x.inner, 3, 100), 60);
    act = rocecc_pause_timer(&p, &t.kept, t.slots, slot, 100);
    check_what(act, ROCECC_PAUSE_NOTHING);
    CHECK(act.arm && act.wait_ns == 60 && act.slot == slot);
    CHECK(rocecc_pause_timer(&p, &t.kept, t.slots, slot, 159).wait_ns == 1);
    check_what(rocecc_pause_timer(&p, &t.kept, t.slots, slot, 160), ROCECC_PAUSE_RUN);
    check_what(rocecc_pause_timer(&p, &t.kept, t.slots, slot, 160),
               ROCECC_PAUSE_NOTHING);
    /* What was asked for has no timer of a slot. */
    slot = queue_of(&p, &t, &x, XOFF, false, 200).slot;
    check_what(rocecc_pause_timer(&p, &t.kept, t.slots, slot, 1000 * US),
               ROCECC_PAUSE_NOTHING);
    check_what(queue_of(&p, &t, &x, XON, false, 1001 * US), ROCECC_PAUSE_ASK_RESUME);
}

TEST(P_6_slots_that_are_over)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3), y = traffic(1, 2, 3);
    rocecc_pause_entry one[1];
    node t = table_in(one, 1);
    rocecc_pause_action act;
    (void)notify(&p, &t, notice(1, &x.inner, 3, 100), 0);
    check_what(notify(&p, &t, notice(1, &y.inner, 3, 100), 99),
               ROCECC_PAUSE_IGNORED_FULL);
    act = notify(&p, &t, notice(1, &y.inner, 3, 100), 100);
    CHECK(act.what == ROCECC_PAUSE_HOLD && act.evicted && act.slot == 0);
    CHECK(t.kept.held == 1 && runs(&p, &t, x, 101) && !runs(&p, &t, y, 101));
    /* By what is asked for as well; and that is over when its pause must be. */
    act = queue_of(&p, &t, &x, XOFF, false, 200);
    CHECK(act.what == ROCECC_PAUSE_ASK && act.evicted && act.slot == 0 &&
          t.kept.held == 0);
    check_what(notify(&p, &t, notice(1, &y.inner, 3, 100), 200 + 150 * US - 1),
               ROCECC_PAUSE_IGNORED_FULL);
    act = notify(&p, &t, notice(1, &y.inner, 3, 100), 200 + 150 * US);
    CHECK(act.what == ROCECC_PAUSE_HOLD && !act.evicted);
}

/* A node that is above XON keeps its neighbour paused, whatever it is held for. */
TEST(P_4_no_gap)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    uint64_t start;
    for (start = 100 * US; start < 200 * US; start += 7) {
        node t = table();
        uint64_t now_ns = start, until_ns = start;
        int asks = 0;
        (void)notify(&p, &t, notice(1, &x.inner, 3, 200 * US), 0);
        while (now_ns < 300 * US && asks < 10) {
            const rocecc_pause_action act = queue_of(&p, &t, &x, XOFF, false, now_ns);
            check_what(act, ROCECC_PAUSE_ASK);
            CHECK(now_ns <= until_ns);
            until_ns = now_ns + act.time_ns;
            now_ns += act.wait_ns;
            asks++;
        }
        CHECK(asks <= 6);
    }
}

/* Two flows of a class: the one that drains does not resume it for the other. */
TEST(P_7_pfc_is_of_the_priority)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 5), y = traffic(1, 2, 5),
                               z = traffic(1, 1, 6);
    node t = table();
    check_what(queue_of(&p, &t, &x, XOFF, true, 0), ROCECC_PAUSE_ASK);
    check_what(queue_of(&p, &t, &y, XOFF + 5, true, 1), ROCECC_PAUSE_NOTHING);
    check_what(queue_of(&p, &t, &x, XON + 5, true, 2), ROCECC_PAUSE_NOTHING);
    check_what(queue_of(&p, &t, &z, XOFF, true, 3), ROCECC_PAUSE_ASK);
    check_what(queue_of(&p, &t, &y, XON, true, 4), ROCECC_PAUSE_ASK_RESUME);
}

static void check_refused(rocecc_pause_params p, rocecc_pause_refusal refusal)
{
    CHECK_EQ(rocecc_pause_init(&p), refusal);
}

TEST(pause_refusals)
{
    rocecc_pause_params p = made(ROCECC_PAUSE_PRIORITY);
    p.mode = 3;
    check_refused(p, ROCECC_PAUSE_REFUSED_MODE);
    p = made(0);
    p.max_ns = 0;
    check_refused(p, ROCECC_PAUSE_REFUSED_MAX);
    p.max_ns = ROCECC_PAUSE_MAX_NS + 1;
    check_refused(p, ROCECC_PAUSE_REFUSED_MAX);
    p.max_ns = ROCECC_PAUSE_MAX_NS;
    p.pause_ns = ROCECC_PAUSE_MAX_NS;
    check_refused(p, ROCECC_PAUSE_ACCEPTED);
    p.pause_ns++;
    check_refused(p, ROCECC_PAUSE_REFUSED_PAUSE);
    p.pause_ns = 0;
    check_refused(p, ROCECC_PAUSE_REFUSED_PAUSE);
    p = made(0);
    p.pfc_ns = p.pause_ns + 1;
    check_refused(p, ROCECC_PAUSE_REFUSED_PFC);
    p.pfc_ns = 0;
    check_refused(p, ROCECC_PAUSE_REFUSED_PFC);
    p.pfc_ns = p.pause_ns;
    check_refused(p, ROCECC_PAUSE_ACCEPTED);
    p = made(0);
    p.xon_bytes = p.xoff_bytes;
    check_refused(p, ROCECC_PAUSE_REFUSED_XON);
    p.xon_bytes--;
    check_refused(p, ROCECC_PAUSE_ACCEPTED);
    p.priorities = 0;
    check_refused(p, ROCECC_PAUSE_REFUSED_PRIORITIES);
    p.priorities = 65;
    check_refused(p, ROCECC_PAUSE_REFUSED_PRIORITIES);
    CHECK_EQ(ROCECC_PAUSE_REFUSED_PRIORITIES, 6); /* each of them was met */
}

/* Of 00 01 ... 2f, as CPython hashes it: PYTHONHASHSEED=0, hash(bytes(range(48))). */
TEST(pause_hash_is_siphash_1_3)
{
    rocecc_pause_params p = made(0);
    rocecc_pause_key_ k;
    unsigned i;
    for (i = 0; i < 6; i++)
        k.w[i] = 0x0706050403020100u + i * 0x0808080808080808u;
    CHECK_EQ(rocecc_pause_hash_(&p, &k), 0xba50237f);
    p.hash_key[1] = 1;
    CHECK(rocecc_pause_hash_(&p, &k) != 0xba50237f);
}

/* Half as many keys as slots: how many find their window full. */
TEST(pause_windows_of_a_half_full_table)
{
    static rocecc_pause_entry many[4096];
    rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    node t = table_in(many, 4096);
    uint32_t i;
    p.hash_key[0] = 1;
    for (i = 0; i < 2048; i++) {
        rocecc_flow f = flow((uint8_t)i, 17, (uint16_t)(i >> 8));
        (void)notify(&p, &t, notice(1, &f, 0, US), 0);
    }
    CHECK(t.kept.full <= 20); /* 1 % */
    CHECK_EQ(t.kept.held + t.kept.full, 2048);
}

TEST(pause_traces)
{
    trace_check("pause", NULL, 0);
}

TEST(pause_law)
{
    law_random(law_pause, 50000);
}

/* A slot that is free has nothing of its key. */
TEST(P_5_a_free_slot_is_zeroed)
{
    static const rocecc_pause_entry none;
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    rocecc_pause_notice m;
    rocecc_pause_action act;
    node t = table();
    memset(&m, 0, sizeof m);
    m.flow = flow(7, 17, 9);
    m.time_ns = 1000;
    m.type = 1;
    m.has_flow = m.has_time = true;
    act = rocecc_pause_notify(&p, &t.kept, t.slots, &m, 5);
    CHECK(act.what == ROCECC_PAUSE_HOLD && act.slot < SLOTS);
    CHECK(memcmp(&t.slots[act.slot], &none, sizeof none) != 0);
    m.type = 2;
    CHECK_EQ(rocecc_pause_notify(&p, &t.kept, t.slots, &m, 6).slot, act.slot);
    CHECK(memcmp(&t.slots[act.slot], &none, sizeof none) == 0);
}
