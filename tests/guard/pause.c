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

#define ASKERS 16

/* State of a node. */
typedef struct node {
    rocecc_pause kept;
    rocecc_traffic_slot slots[SLOTS];
    rocecc_pause_holders who[SLOTS];
    uint32_t has[ASKERS];
    rocecc_ask asks;
    rocecc_traffic_slot asked[SLOTS];
} node;

static rocecc_pause_params made(uint8_t mode)
{
    rocecc_pause_params p = rocecc_pause_lab(mode);
    p.hash_key[0] = 1;
    CHECK_EQ(rocecc_pause_init(&p), ROCECC_PAUSE_ACCEPTED);
    return p;
}

/* Runs ask_queue() for traffic with this many waiting bytes. */
static rocecc_pause_result queue_of(const rocecc_pause_params *p, node *t,
                                    const rocecc_pause_traffic *x, uint64_t bytes,
                                    uint64_t now_ns)
{
    rocecc_pause_traffic y = *x;
    y.bytes = bytes;
    y.held_ns = rocecc_pause_packet(p, &t->kept, t->slots, x, now_ns).time_ns;
    return rocecc_ask_queue(p, &t->asks, t->asked, &y, now_ns);
}

static node table_of(uint32_t n)
{
    node t;
    memset(&t, 0, sizeof t);
    t.kept = rocecc_pause_start(n);
    t.asks = rocecc_ask_start(n);
    return t;
}

static node table(void)
{
    return table_of(SLOTS);
}

/* Returns a flow from 2001:db8::n to 2001:db8:d::n. */
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

/* Returns RoCEv2 traffic of flow n in the tunnel of service s, from port 1 to 2. */
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
    x.bytes = x.held_ns = 0;
    return x;
}

/* Returns traffic() from a neighbour that supports only PFC. */
static rocecc_pause_traffic pfc_traffic(uint8_t s, uint8_t n, uint8_t priority)
{
    rocecc_pause_traffic x = traffic(s, n, priority);
    x.in_pfc = true;
    return x;
}

/* Returns a message with all parameters, from the node at port 2. */
static rocecc_pause_notice notice(uint8_t type, const rocecc_flow *f, uint8_t priority,
                                  uint64_t time_ns)
{
    rocecc_pause_notice m;
    memset(&m, 0, sizeof m);
    m.flow = *f;
    m.priority = priority;
    m.port = 2;
    m.time_ns = time_ns;
    m.type = type;
    m.has_flow = m.has_priority = m.has_time = true;
    return m;
}

static rocecc_pause_result notify(const rocecc_pause_params *p, node *t,
                                  rocecc_pause_notice m, uint64_t now_ns)
{
    const rocecc_pause_memory memory = {t->slots, t->who, t->has};
    return rocecc_pause_notify(p, &t->kept, &memory, &m, now_ns);
}

static rocecc_pause_result timer(const rocecc_pause_params *p, node *t, uint32_t slot,
                                 uint64_t now_ns)
{
    const rocecc_pause_memory memory = {t->slots, t->who, t->has};
    return rocecc_pause_timer(p, &t->kept, &memory, slot, now_ns);
}

static bool runs(const rocecc_pause_params *p, const node *t, rocecc_pause_traffic x,
                 uint64_t now_ns)
{
    const rocecc_pause_result act =
        rocecc_pause_packet(p, &t->kept, t->slots, &x, now_ns);
    CHECK(act.what == ROCECC_PAUSE_RUN || act.what == ROCECC_PAUSE_HOLD);
    CHECK_EQ(act.what == ROCECC_PAUSE_HOLD, act.time_ns != 0);
    CHECK(!act.arm && act.wait_ns == 0);
    return act.what == ROCECC_PAUSE_RUN;
}

static void check_what(rocecc_pause_result act, rocecc_pause_verdict what)
{
    CHECK_EQ(act.what, what);
}

TEST(R_ARN_1_a_pfc_neighbour_is_asked_by_pfc)
{
    uint8_t mode;
    for (mode = ROCECC_PAUSE_SERVICE; mode <= ROCECC_PAUSE_PRIORITY; mode++) {
        const rocecc_pause_params p = made(mode);
        const rocecc_pause_traffic x = pfc_traffic(1, 1, 5);
        const rocecc_pause_traffic other = pfc_traffic(2, 2, 5);
        rocecc_pause_traffic beside = x;
        node t = table();
        const rocecc_pause_result act = queue_of(&p, &t, &x, XOFF, 1000);
        check_what(act, ROCECC_PAUSE_ASK);
        CHECK(act.pfc);
        /* PFC is per class in every mode, and the other flow has the same class. */
        check_what(queue_of(&p, &t, &other, XOFF, 1001), ROCECC_PAUSE_NOTHING);
        /* It is also per port. */
        beside.in_port = 7;
        check_what(queue_of(&p, &t, &beside, XOFF, 1002), ROCECC_PAUSE_ASK);
        CHECK_EQ(t.kept.held, 0);
    }
}

/* a and b share a service, and a and c share a priority. */
TEST(R_ARN_2_a_pause_holds_a_service_flow_or_priority)
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

TEST(R_ARN_3_congestion_is_reported_upstream)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    rocecc_pause_traffic beside = x;
    node t = table();
    rocecc_pause_result act;
    check_what(queue_of(&p, &t, &x, XOFF - 1, 0), ROCECC_PAUSE_NOTHING);
    act = queue_of(&p, &t, &x, XOFF, 10);
    check_what(act, ROCECC_PAUSE_ASK);
    CHECK(!act.pfc && act.time_ns == p.pause_ns);
    /* Another receiving port has its own queue. */
    beside.in_port = 3;
    check_what(queue_of(&p, &t, &beside, XOFF - 1, 11), ROCECC_PAUSE_NOTHING);
    CHECK(runs(&p, &t, x, 12)); /* asking holds nothing here */
}

/* Returns the ARN that a node sends upstream, emitted and parsed. */
static rocecc_arn told(const rocecc_pause_params *p, const rocecc_pause_traffic *x,
                       const rocecc_pause_result *act)
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
    const rocecc_pause_result act = queue_of(&p, &t, &x, XOFF, 0);
    return told(&p, &x, &act);
}

TEST(R_ARN_4_service_mode_sends_the_outer_flow)
{
    const rocecc_arn h = congested(ROCECC_PAUSE_SERVICE);
    CHECK_EQ(h.para_type, 0x90);
    CHECK(h.flow.src.b[15] == 7 && h.flow.proto == 41);
}

TEST(R_ARN_5_flow_mode_sends_the_inner_flow)
{
    const rocecc_arn h = congested(ROCECC_PAUSE_FLOW);
    CHECK_EQ(h.para_type, 0x90);
    CHECK(h.flow.src.b[15] == 9 && h.flow.proto == 17);
    CHECK(h.flow.src_port == 49152 && h.flow.dst_port == 4791);
}

TEST(R_ARN_6_priority_mode_sends_no_flow)
{
    const rocecc_arn h = congested(ROCECC_PAUSE_PRIORITY);
    CHECK_EQ(h.para_type, 0x30);
    CHECK(h.priority == 3 && h.tuple_bytes == 0);
}

/* A message has a flow and a priority, and each node uses the one of its mode. */
TEST(R_ARN_7_a_node_uses_the_item_of_its_mode)
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

TEST(R_ARN_8_each_neighbour_is_asked_by_pfc_or_arn)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = pfc_traffic(1, 1, 5);
    rocecc_pause_traffic wan = traffic(1, 1, 5);
    node t = table();
    rocecc_pause_result act;
    wan.in_port = 9;
    CHECK(queue_of(&p, &t, &x, XOFF, 0).pfc);
    act = queue_of(&p, &t, &wan, XOFF, 0);
    CHECK(act.what == ROCECC_PAUSE_ASK && !act.pfc);
    act = queue_of(&p, &t, &x, XON, 1);
    CHECK(act.what == ROCECC_PAUSE_ASK_RESUME && act.pfc);
    act = queue_of(&p, &t, &wan, XON, 1);
    CHECK(act.what == ROCECC_PAUSE_ASK_RESUME && !act.pfc);
}

TEST(R_ARN_10_a_message_needs_the_items_of_the_mode)
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
        check_what(notify(&p, &t, m, 0), !enough     ? ROCECC_PAUSE_IGNORED_PARAMETER
                                         : type == 2 ? ROCECC_PAUSE_NOTHING
                                                     : ROCECC_PAUSE_HOLD);
        CHECK_EQ(t.kept.missing, enough ? 0 : 1);
        CHECK_EQ(t.kept.held, enough && type == 1);
    }
}

/* A priority of params.priorities or more is ignored. */
TEST(R_ARN_10_a_priority_out_of_range_is_ignored)
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

/* For protocols without ports, no ports are compared. For others, both are. */
TEST(R_ARN_11_ports_count_only_if_the_protocol_has_them)
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

/* Each bit of the addresses and ports, and of the sending port, is part of the key. */
TEST(R_ARN_11_every_key_bit_counts)
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

TEST(R_ARN_12_the_type_decides_the_verdict)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    unsigned type;
    uint64_t time_ns;
    for (type = 0; type < 256; type++) {
        const rocecc_pause_result act =
            notify(&p, &t, notice((uint8_t)type, &x.inner, 3, 0), 0);
        test_context("type %u", type);
        check_what(act, type == 1 || type == 2   ? ROCECC_PAUSE_NOTHING
                        : type == 3 || type == 4 ? ROCECC_PAUSE_HAND_ON
                                                 : ROCECC_PAUSE_IGNORED_TYPE);
    }
    /* Type 1 resumes with time 0, and type 2 with any time or none. */
    for (type = 1; type <= 2; type++)
        for (time_ns = 0; time_ns < (type == 1 ? 1 : 2); time_ns++) {
            rocecc_pause_notice m = notice((uint8_t)type, &x.inner, 3, time_ns);
            const rocecc_pause_result held =
                notify(&p, &t, notice(1, &x.inner, 3, US), 0);
            rocecc_pause_result act;
            check_what(held, ROCECC_PAUSE_HOLD);
            CHECK(held.arm && held.wait_ns == US && held.slot < SLOTS);
            CHECK(!runs(&p, &t, x, 1));
            m.has_time = type == 1 || time_ns != 0;
            act = notify(&p, &t, m, 2);
            check_what(act, ROCECC_PAUSE_RUN);
            CHECK_EQ(act.slot, held.slot);
            CHECK(runs(&p, &t, x, 3));
            CHECK_EQ(t.kept.held, 0);
        }
}

TEST(R_ARN_13_a_later_time_replaces_the_first)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    const uint32_t slot = notify(&p, &t, notice(1, &x.inner, 3, 100), 1000).slot;
    rocecc_pause_result act = notify(&p, &t, notice(1, &x.inner, 3, 100), 1050);
    CHECK(act.what == ROCECC_PAUSE_HOLD && act.slot == slot && act.wait_ns == 100);
    CHECK(!act.evicted && t.kept.held == 1);
    CHECK(!runs(&p, &t, x, 1149));
    CHECK(runs(&p, &t, x, 1150)); /* not 1200 */
    /* A shorter time shortens the pause. */
    (void)notify(&p, &t, notice(1, &x.inner, 3, 1000), 2000);
    (void)notify(&p, &t, notice(1, &x.inner, 3, 10), 2001);
    CHECK(!runs(&p, &t, x, 2010));
    CHECK(runs(&p, &t, x, 2011));
}

TEST(R_ARN_14_data_is_held_and_control_packets_run)
{
    uint8_t mode;
    for (mode = ROCECC_PAUSE_SERVICE; mode <= ROCECC_PAUSE_PRIORITY; mode++) {
        const rocecc_pause_params p = made(mode);
        rocecc_pause_traffic x = traffic(1, 1, 3);
        node t = table();
        const rocecc_flow f = rocecc_pause_flow(&p, &x);
        rocecc_pause_result act, packet;
        act = notify(&p, &t, notice(1, &f, 3, 100), 0);
        packet = rocecc_pause_packet(&p, &t.kept, t.slots, &x, 40);
        check_what(packet, ROCECC_PAUSE_HOLD); /* no verdict drops a packet */
        CHECK(packet.slot == act.slot && packet.time_ns == 60);
        x.control = true;
        CHECK(runs(&p, &t, x, 40));
        check_what(queue_of(&p, &t, &x, XOFF, 41), ROCECC_PAUSE_NOTHING);
    }
}

/* A pause spreads upstream hop by hop, as the queues fill. */
TEST(R_ARN_15_a_pause_spreads_upstream)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3), edge = pfc_traffic(1, 1, 3);
    node t = table(), up = table();
    rocecc_pause_result act;
    (void)notify(&p, &t, notice(1, &x.inner, 3, 80 * US), 0);
    check_what(queue_of(&p, &t, &x, XOFF - 1, US), ROCECC_PAUSE_NOTHING);
    act = queue_of(&p, &t, &x, XOFF, 20 * US);
    check_what(act, ROCECC_PAUSE_ASK);
    CHECK_EQ(act.time_ns, 60 * US);
    check_what(notify(&p, &up, notice(1, &x.inner, 3, act.time_ns), 21 * US),
               ROCECC_PAUSE_HOLD);
    CHECK(!runs(&p, &up, x, 22 * US));
    /* At the edge of the WAN, the node asks by PFC. */
    act = queue_of(&p, &t, &edge, XOFF, 30 * US);
    CHECK(act.what == ROCECC_PAUSE_ASK && act.pfc && act.time_ns == 20 * US);
}

TEST(R_ARN_16_pauses_shrink_and_do_not_loop)
{
    rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    rocecc_pause_traffic x = traffic(1, 1, 3);
    uint64_t left;
    p.min_ns = 1;
    for (left = 1; left < 300 * US; left = left * 3 + 1) {
        node t = table();
        rocecc_pause_result act;
        (void)notify(&p, &t, notice(1, &x.inner, 3, left + 5), 1000);
        act = queue_of(&p, &t, &x, XOFF, 1005);
        CHECK_EQ(act.time_ns, left < p.pause_ns ? left : p.pause_ns);
    }
    {
        /* The request leaves by in_port. If it comes back there, x still runs. */
        node t = table();
        rocecc_pause_result act;
        rocecc_pause_notice m;
        (void)notify(&p, &t, notice(1, &x.inner, 3, 50 * US), 0);
        act = queue_of(&p, &t, &x, XOFF, 0);
        m = rocecc_flow_control_ask(&p, &act, &x);
        CHECK_EQ(m.port, x.in_port);
        t = table();
        check_what(notify(&p, &t, m, 1), ROCECC_PAUSE_HOLD);
        CHECK(runs(&p, &t, x, 2));
        /* Traffic to another port is not held, so its request is for pause_ns. */
        (void)notify(&p, &t, notice(1, &x.inner, 3, 50 * US), 2);
        x.out_port = 5;
        CHECK_EQ(queue_of(&p, &t, &x, XOFF, 3).time_ns, p.pause_ns);
    }
}

TEST(P_1_a_pause_ends_without_a_message)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_SERVICE);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    static const uint64_t starts[] = {0, 1000, UINT64_MAX - 50, UINT64_MAX};
    size_t i;
    for (i = 0; i < sizeof starts / sizeof starts[0]; i++) { /* 64 bits, wrapping */
        node t = table();
        rocecc_pause_result act;
        const uint32_t slot =
            notify(&p, &t, notice(1, &x.outer, 3, 100), starts[i]).slot;
        CHECK(!runs(&p, &t, x, starts[i] + 99));
        act = rocecc_pause_packet(&p, &t.kept, t.slots, &x, starts[i] + 100);
        CHECK(act.what == ROCECC_PAUSE_RUN && act.slot == slot);
        CHECK(runs(&p, &t, x, starts[i] + 100 + (UINT64_C(1) << 40)));
        act = timer(&p, &t, slot, starts[i] + 100);
        CHECK(act.what == ROCECC_PAUSE_RUN && act.slot == slot);
        CHECK_EQ(t.kept.held, 0);
    }
}

TEST(P_2_a_pause_lasts_at_most_max_ns)
{
    rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    p.max_ns = p.pause_ns = p.pfc_ns = 1000;
    CHECK_EQ(notify(&p, &t, notice(1, &x.inner, 3, 1001), 5000).wait_ns, 1000);
    CHECK_EQ(notify(&p, &t, notice(1, &x.inner, 3, UINT64_MAX), 5000).wait_ns, 1000);
    CHECK(!runs(&p, &t, x, 5999));
    CHECK(runs(&p, &t, x, 6000));
    /* After the clock is set back, x runs if more than max_ns would be left. */
    CHECK(!runs(&p, &t, x, 5000));
    CHECK(runs(&p, &t, x, 4999));
    CHECK(runs(&p, &t, x, 0));
}

/* 16 flows fill the table. The others are ignored and run (P-3). */
TEST(P_3_a_full_table_ignores_new_flows)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    node t = table_of(31); /* uses 16 */
    uint8_t n;
    CHECK_EQ(t.kept.n, 16);
    for (n = 0; n < 30; n++) {
        const rocecc_flow f = flow(n, 17, 49152);
        check_what(notify(&p, &t, notice(1, &f, 3, 100), 0),
                   n < 16 ? ROCECC_PAUSE_HOLD : ROCECC_PAUSE_IGNORED_FULL);
        CHECK_EQ(t.kept.full, n < 16 ? 0 : n - 15);
    }
    for (n = 0; n < 30; n++)
        CHECK_EQ(runs(&p, &t, traffic(0, n, 3), 1), n >= 16);
    {
        const rocecc_flow f = flow(7, 17, 49152);
        /* A flow that is held is still accepted. */
        check_what(notify(&p, &t, notice(1, &f, 3, 200), 1), ROCECC_PAUSE_HOLD);
    }
    CHECK_EQ(t.has[0], 16);
    for (n = 16; n < SLOTS; n++) /* no slot beyond is written */
        CHECK(t.slots[n].key[5] == 0 && t.who[n].tag[0] == 0);
}

TEST(P_3_a_node_without_a_table_ignores_pauses)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_PRIORITY);
    const rocecc_pause_traffic x = pfc_traffic(1, 1, 3);
    node t = table_of(15);
    CHECK_EQ(t.kept.n, 0);
    check_what(notify(&p, &t, notice(1, &x.inner, 3, 100), 0),
               ROCECC_PAUSE_IGNORED_FULL);
    CHECK(runs(&p, &t, x, 1));
    check_what(queue_of(&p, &t, &x, XOFF, 1), ROCECC_PAUSE_IGNORED_FULL);
    check_what(timer(&p, &t, 0, 1), ROCECC_PAUSE_NOTHING);
    t.kept.held = 1; /* a wrong count */
    CHECK(runs(&p, &t, x, 1));
}

/* A table uses the largest power of two, from 16 on. */
TEST(P_3_the_slot_count_is_a_power_of_two)
{
    unsigned i;
    for (i = 0; i < 32; i++) {
        const uint32_t n = UINT32_C(1) << i, is = i < 4 ? 0 : n;
        CHECK_EQ(rocecc_pause_start(n).n, is);
        CHECK_EQ(rocecc_pause_start(n | (n - 1)).n, is);
        CHECK_EQ(rocecc_pause_start(n | n >> 1 | 1).n, is);
        CHECK_EQ(rocecc_ask_start(n | (n - 1)).n, is);
    }
}

TEST(P_4_a_node_asks_again_and_then_resumes)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    rocecc_pause_result act = queue_of(&p, &t, &x, XOFF, 0);
    CHECK(act.arm && act.wait_ns == 50 * US);
    check_what(queue_of(&p, &t, &x, XOFF, 50 * US - 1), ROCECC_PAUSE_NOTHING);
    act = queue_of(&p, &t, &x, XON + 1, 50 * US);
    check_what(act, ROCECC_PAUSE_ASK);
    CHECK_EQ(act.time_ns, 100 * US);
    check_what(queue_of(&p, &t, &x, XON + 1, 51 * US), ROCECC_PAUSE_NOTHING);
    check_what(queue_of(&p, &t, &x, XON, 52 * US), ROCECC_PAUSE_ASK_RESUME);
    check_what(queue_of(&p, &t, &x, XON, 53 * US), ROCECC_PAUSE_NOTHING);
    check_what(queue_of(&p, &t, &x, XOFF - 1, 54 * US), ROCECC_PAUSE_NOTHING);
    check_what(queue_of(&p, &t, &x, XOFF, 55 * US), ROCECC_PAUSE_ASK);
    /* A node held for 30 us asks for 30 us, and again after 15 us. */
    (void)notify(&p, &t, notice(1, &x.inner, 3, 30 * US), 200 * US);
    act = queue_of(&p, &t, &x, XOFF, 200 * US);
    CHECK(act.time_ns == 30 * US && act.wait_ns == 15 * US);
    /* 25 us is pause_ns / 4, so the wait is half of it. 7 us is waited in full. */
    t = table();
    (void)notify(&p, &t, notice(1, &x.inner, 3, 25 * US), 200 * US);
    act = queue_of(&p, &t, &x, XOFF, 200 * US);
    CHECK(act.time_ns == 25 * US && act.wait_ns == 12500);
    (void)notify(&p, &t, notice(1, &x.inner, 3, 7 * US), 215 * US);
    act = queue_of(&p, &t, &x, XOFF, 215 * US);
    CHECK(act.time_ns == 7 * US && act.wait_ns == 7 * US);
    {
        rocecc_pause_params few = p;
        few.pause_ns = few.pfc_ns = 9;
        few.min_ns = 1;
        t = table();
        (void)notify(&few, &t, notice(1, &x.inner, 3, 1), 0);
        act = queue_of(&few, &t, &x, XOFF, 0);
        CHECK(act.time_ns == 1 && act.wait_ns == 1);
    }
}

/* The stored data has no pointers, so a node can move. */
TEST(pause_state_can_move_in_memory)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3), y = traffic(1, 2, 3);
    static node moved;
    node t = table();
    const uint32_t slot = notify(&p, &t, notice(1, &x.inner, 3, 100), 0).slot;
    check_what(queue_of(&p, &t, &y, XOFF, 0), ROCECC_PAUSE_ASK);
    moved = t;
    memset(&t, 0x5a, sizeof t);
    CHECK(!runs(&p, &moved, x, 99));
    check_what(queue_of(&p, &moved, &y, XON, 99), ROCECC_PAUSE_ASK_RESUME);
    check_what(timer(&p, &moved, slot, 100), ROCECC_PAUSE_RUN);
    CHECK(moved.kept.held == 0 && moved.has[0] == 0 && moved.asks.asked == 0);
}

TEST(P_5_an_early_or_unexpected_timer_releases_nothing)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    rocecc_pause_result act;
    uint32_t slot;
    for (slot = 0; slot < SLOTS + 2; slot++)
        check_what(timer(&p, &t, slot, 5), ROCECC_PAUSE_NOTHING);
    check_what(timer(&p, &t, ROCECC_PAUSE_NONE, 5), ROCECC_PAUSE_NOTHING);
    slot = notify(&p, &t, notice(1, &x.inner, 3, 100), 0).slot;
    (void)notify(&p, &t, notice(1, &x.inner, 3, 100), 60);
    act = timer(&p, &t, slot, 100);
    check_what(act, ROCECC_PAUSE_NOTHING);
    CHECK(act.arm && act.wait_ns == 60 && act.slot == slot);
    CHECK(timer(&p, &t, slot, 159).wait_ns == 1);
    check_what(timer(&p, &t, slot, 160), ROCECC_PAUSE_RUN);
    check_what(timer(&p, &t, slot, 160), ROCECC_PAUSE_NOTHING);
}

/* The 17th flow takes the slot of the only flow that has expired (P-6). */
TEST(P_6_an_expired_slot_is_reused)
{
    /* it expires at 100, and at 2^32, where its low 32 bits are 0 */
    static const uint64_t begins[] = {0, (UINT64_C(1) << 32) - 100};
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_flow next = flow(99, 17, 49152);
    size_t i;
    for (i = 0; i < 2; i++) {
        const uint64_t at = begins[i];
        node t = table_of(16);
        rocecc_pause_result act;
        uint32_t slot[16];
        uint8_t n;
        for (n = 0; n < 16; n++) {
            const rocecc_flow f = flow(n, 17, 49152);
            slot[n] = notify(&p, &t, notice(1, &f, 3, n == 5 ? 100 : 1000), at).slot;
        }
        check_what(notify(&p, &t, notice(1, &next, 3, 100), at + 99),
                   ROCECC_PAUSE_IGNORED_FULL);
        act = notify(&p, &t, notice(1, &next, 3, 100), at + 100);
        CHECK(act.what == ROCECC_PAUSE_HOLD && act.evicted && act.slot == slot[5]);
        CHECK(t.kept.held == 16 && t.has[0] == 16);
        CHECK(runs(&p, &t, traffic(0, 5, 3), at + 101) &&
              !runs(&p, &t, traffic(0, 99, 3), at + 101));
    }
}

/* A request takes the slot of one that is pause_ns late. No queue is released (P-6). */
TEST(P_6_an_expired_request_is_replaced)
{
    /* the first is due again at 50 us, and at 2^32 */
    static const uint64_t begins[] = {0, (UINT64_C(1) << 32) - 50 * US};
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic next = traffic(0, 99, 3);
    size_t i;
    for (i = 0; i < 2; i++) {
        const uint64_t at = begins[i];
        node t = table_of(16);
        rocecc_pause_result act;
        uint8_t n;
        for (n = 0; n < 16; n++) {
            const rocecc_pause_traffic x = traffic(0, n, 3);
            check_what(queue_of(&p, &t, &x, XOFF, at + n), ROCECC_PAUSE_ASK);
        }
        CHECK_EQ(t.asks.asked, 16);
        check_what(queue_of(&p, &t, &next, XOFF, at + 150 * US - 1),
                   ROCECC_PAUSE_IGNORED_FULL);
        act = queue_of(&p, &t, &next, XOFF, at + 150 * US);
        CHECK(act.what == ROCECC_PAUSE_ASK && !act.evicted);
        CHECK(t.asks.asked == 16 && t.asks.full == 1);
    }
}

/* A node above XON pauses its neighbour without gaps, however long it is held (P-4). */
TEST(P_4_repeated_requests_leave_no_gap)
{
    rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    uint64_t start;
    p.min_ns = 1;
    for (start = 100 * US; start < 200 * US; start += 7) {
        node t = table();
        uint64_t now_ns = start, until_ns = start;
        int asks = 0;
        (void)notify(&p, &t, notice(1, &x.inner, 3, 200 * US), 0);
        while (now_ns < 300 * US && asks < 10) {
            const rocecc_pause_result act = queue_of(&p, &t, &x, XOFF, now_ns);
            check_what(act, ROCECC_PAUSE_ASK);
            CHECK(now_ns <= until_ns);
            until_ns = now_ns + act.time_ns;
            now_ns += act.wait_ns;
            asks++;
        }
        CHECK(asks <= 6);
    }
}

/* Flows of a class share a slot and its resume. Another class has its own slot (P-7).
 */
TEST(P_7_flows_of_a_class_share_a_pfc_slot)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = pfc_traffic(1, 1, 5), y = pfc_traffic(1, 2, 5),
                               z = pfc_traffic(1, 1, 6);
    node t = table();
    check_what(queue_of(&p, &t, &x, XOFF, 0), ROCECC_PAUSE_ASK);
    check_what(queue_of(&p, &t, &y, XOFF + 5, 1), ROCECC_PAUSE_NOTHING);
    check_what(queue_of(&p, &t, &x, XON + 5, 2), ROCECC_PAUSE_NOTHING);
    check_what(queue_of(&p, &t, &z, XOFF, 3), ROCECC_PAUSE_ASK);
    check_what(queue_of(&p, &t, &y, XON, 4), ROCECC_PAUSE_ASK_RESUME);
}

static void check_refused(rocecc_pause_params p, rocecc_pause_refusal refusal)
{
    CHECK_EQ(rocecc_pause_init(&p), refusal);
}

TEST(pause_refusals)
{
    rocecc_pause_params p = made(ROCECC_PAUSE_PRIORITY);
    p.mode = 4;
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
    p.priorities = 64;
    check_refused(p, ROCECC_PAUSE_ACCEPTED);
    p.mode = ROCECC_PAUSE_CLASS;
    check_refused(p, ROCECC_PAUSE_REFUSED_PRIORITIES);
    p.priorities = 9;
    check_refused(p, ROCECC_PAUSE_REFUSED_PRIORITIES);
    p.priorities = 8;
    check_refused(p, ROCECC_PAUSE_ACCEPTED);
    p.hash_key[0] = 0;
    check_refused(p, ROCECC_PAUSE_REFUSED_KEY);
    p.hash_key[1] = 1;
    check_refused(p, ROCECC_PAUSE_ACCEPTED);
    p.min_ns = 0;
    check_refused(p, ROCECC_PAUSE_REFUSED_MIN);
    p.min_ns = p.pfc_ns;
    check_refused(p, ROCECC_PAUSE_ACCEPTED);
    p.min_ns++;
    check_refused(p, ROCECC_PAUSE_REFUSED_MIN);
    p.min_ns = 1;
    p.max_slots_per_requester = 0;
    check_refused(p, ROCECC_PAUSE_REFUSED_MAX_SLOTS);
    p.requesters = 0; /* only PFC is obeyed */
    check_refused(p, ROCECC_PAUSE_ACCEPTED);
    CHECK_EQ(ROCECC_PAUSE_REFUSED_MAX_SLOTS, 9); /* the last one; all are tested */
}

/* Returns a message from node fd00::who with this tag. */
static rocecc_pause_notice notice_from(rocecc_pause_notice m, uint8_t who, uint32_t tag)
{
    m.from.node.b[0] = 0xfd;
    m.from.node.b[15] = who;
    m.from.tag = tag;
    return m;
}

/* B's resume and B's pause of 1 ns do not end A's pause of 1 ms (P-11). */
TEST(P_11_requesters_are_independent)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    const rocecc_pause_notice a =
        notice_from(notice(1, &x.inner, 3, 1000 * US), 0xa, 1);
    rocecc_pause_notice b = notice_from(notice(2, &x.inner, 3, 0), 0xb, 2);
    node t = table();
    const uint32_t slot = notify(&p, &t, a, 0).slot;
    rocecc_pause_result act;
    check_what(notify(&p, &t, b, 1), ROCECC_PAUSE_NOTHING);
    CHECK(!runs(&p, &t, x, 999 * US));
    b = notice_from(notice(1, &x.inner, 3, 1), 0xb, 2);
    act = notify(&p, &t, b, 2);
    CHECK(act.what == ROCECC_PAUSE_HOLD && act.slot == slot);
    CHECK(act.time_ns == 1000 * US - 2); /* as long as A asked */
    CHECK(act.arm && act.wait_ns == 1);  /* B's time ends first */
    CHECK(!runs(&p, &t, x, 999 * US));
    act = timer(&p, &t, slot, 3);
    CHECK(act.what == ROCECC_PAUSE_NOTHING && act.arm && act.wait_ns == 1000 * US - 3);
    CHECK(t.has[1] == 1 && t.has[2] == 0);
    /* B's pause is longer than A's. Only B's resume ends it. */
    b = notice_from(notice(1, &x.inner, 3, 2000 * US), 0xb, 2);
    CHECK_EQ(notify(&p, &t, b, 10).time_ns, 2000 * US);
    b = notice_from(notice(2, &x.inner, 3, 0), 0xa, 1);
    act = notify(&p, &t, b, 11);
    CHECK(act.what == ROCECC_PAUSE_NOTHING && act.slot == slot);
    CHECK(act.arm && act.wait_ns == 2000 * US - 1);
    CHECK(!runs(&p, &t, x, 2000 * US));
    b = notice_from(notice(2, &x.inner, 3, 0), 0xb, 2);
    act = notify(&p, &t, b, 12);
    CHECK(act.what == ROCECC_PAUSE_RUN && act.slot == slot && !act.arm);
    CHECK(runs(&p, &t, x, 13));
    CHECK(t.has[1] == 0 && t.has[2] == 0 && t.kept.held == 0);
}

/* Requesters whose addresses differ in one bit are different (P-11). */
TEST(P_11_every_address_bit_of_a_requester_counts)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    const rocecc_pause_notice a =
        notice_from(notice(1, &x.inner, 3, 1000 * US), 0xa, 1);
    unsigned bit;
    for (bit = 0; bit < 128; bit++) {
        node t = table();
        rocecc_pause_notice b = a;
        test_context("bit %u", bit);
        b.from.node.b[bit / 8] ^= (uint8_t)(1 << bit % 8);
        check_what(notify(&p, &t, a, 0), ROCECC_PAUSE_HOLD);
        check_what(notify(&p, &t, b, 1), ROCECC_PAUSE_HOLD);
        CHECK_EQ(t.has[1], 2);
        b.type = 2;
        check_what(notify(&p, &t, b, 2), ROCECC_PAUSE_NOTHING);
        CHECK(!runs(&p, &t, x, 3) && t.has[1] == 1);
        b.from.node = a.from.node;
        check_what(notify(&p, &t, b, 4), ROCECC_PAUSE_RUN);
    }
}

/* A later message replaces only its own requester's time (R-ARN-13). */
TEST(R_ARN_13_a_message_replaces_only_its_requesters_time)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    (void)notify(&p, &t, notice_from(notice(1, &x.inner, 3, 1000), 0xa, 1), 0);
    (void)notify(&p, &t, notice_from(notice(1, &x.inner, 3, 300), 0xb, 2), 0);
    (void)notify(&p, &t, notice_from(notice(1, &x.inner, 3, 10), 0xa, 1), 1);
    CHECK(!runs(&p, &t, x, 299));
    CHECK(runs(&p, &t, x, 300));
}

/* The timer removes A after 16 us, and A's number may hold another slot (P-11). */
TEST(P_11_the_timer_removes_expired_requesters)
{
    rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3), y = traffic(1, 2, 3);
    node t = table();
    uint32_t slot;
    p.max_slots_per_requester = 1;
    slot =
        notify(&p, &t, notice_from(notice(1, &x.inner, 3, 1000 * US), 0xb, 2), 0).slot;
    (void)notify(&p, &t, notice_from(notice(1, &x.inner, 3, 16 * US), 0xa, 1), 0);
    check_what(notify(&p, &t, notice_from(notice(1, &y.inner, 3, US), 0xa, 1), 15 * US),
               ROCECC_PAUSE_IGNORED_REQUESTER);
    check_what(timer(&p, &t, slot, 16 * US), ROCECC_PAUSE_NOTHING);
    check_what(notify(&p, &t, notice_from(notice(1, &y.inner, 3, US), 0xa, 1), 16 * US),
               ROCECC_PAUSE_HOLD);
}

/*
 * Another key takes over an expired slot. The slot no longer counts for its four
 * requesters (P-11).
 */
TEST(P_11_an_evicted_slot_counts_for_no_requester)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_flow next = flow(99, 17, 49152);
    node t = table_of(16);
    rocecc_pause_result act;
    uint8_t n;
    for (n = 0; n < 16; n++) {
        const rocecc_flow f = flow(n, 17, 49152);
        uint8_t who;
        for (who = 1; who <= (n == 5 ? 4 : 1); who++) {
            const uint32_t tag = n == 5 ? who : 0;
            check_what(
                notify(&p, &t,
                       notice_from(notice(1, &f, 3, n == 5 ? 100 : US), who, tag), 0),
                ROCECC_PAUSE_HOLD);
        }
    }
    CHECK(t.has[0] == 15 && t.has[1] == 1 && t.has[2] == 1 && t.has[3] == 1 &&
          t.has[4] == 1);
    act = notify(&p, &t, notice_from(notice(1, &next, 3, 100), 6, 6), 100);
    CHECK(act.what == ROCECC_PAUSE_HOLD && act.evicted);
    CHECK(t.has[0] == 15 && t.has[1] == 0 && t.has[2] == 0 && t.has[3] == 0 &&
          t.has[4] == 0 && t.has[6] == 1);
}

/* Four requesters hold a slot. A fifth is ignored until a time is over (P-11). */
TEST(P_11_a_slot_has_at_most_four_requesters)
{
    /* the first is over at 100, and at 2^32, where its low 32 bits are 0 */
    static const uint64_t begins[] = {0, (UINT64_C(1) << 32) - 100};
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    size_t i;
    for (i = 0; i < 2; i++) {
        const uint64_t at = begins[i];
        node t = table();
        uint8_t n;
        for (n = 0; n < 5; n++)
            check_what(
                notify(&p, &t, notice_from(notice(1, &x.inner, 3, 100 + n), n, n), at),
                n < 4 ? ROCECC_PAUSE_HOLD : ROCECC_PAUSE_IGNORED_FULL);
        CHECK_EQ(t.kept.full, 1);
        CHECK(!runs(&p, &t, x, at + 102) && runs(&p, &t, x, at + 103));
        check_what(
            notify(&p, &t, notice_from(notice(1, &x.inner, 3, 50), 4, 4), at + 99),
            ROCECC_PAUSE_IGNORED_FULL);
        check_what(
            notify(&p, &t, notice_from(notice(1, &x.inner, 3, 50), 4, 4), at + 100),
            ROCECC_PAUSE_HOLD);
        CHECK(t.has[0] == 0 && t.has[4] == 1);
        CHECK(!runs(&p, &t, x, at + 149));
        CHECK(runs(&p, &t, x, at + 150));
    }
}

/* The fourth requester asks again, which takes no new place (R-ARN-13). */
TEST(P_11_the_fourth_requester_may_ask_again)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    rocecc_pause_result act;
    node t = table();
    uint8_t n;
    for (n = 0; n < 4; n++)
        (void)notify(&p, &t, notice_from(notice(1, &x.inner, 3, 100), n, n), 0);
    act = notify(&p, &t, notice_from(notice(1, &x.inner, 3, 500), 3, 3), 10);
    check_what(act, ROCECC_PAUSE_HOLD);
    CHECK_EQ(act.time_ns, 500);
    CHECK(t.has[3] == 1 && t.kept.full == 0);
    CHECK(!runs(&p, &t, x, 509) && runs(&p, &t, x, 510));
}

/* An expired slot of four requesters goes to another key (P-6, P-11). */
TEST(P_6_P_11_an_expired_slot_of_four_requesters_is_reused)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    node t = table_of(16);
    rocecc_pause_result act;
    uint8_t n, who;
    for (n = 0; n < 16; n++) {
        const rocecc_flow f = flow(n, 17, 49152);
        for (who = 0; who < 4; who++)
            check_what(notify(&p, &t, notice_from(notice(1, &f, 3, 100), who, who), 0),
                       ROCECC_PAUSE_HOLD);
    }
    {
        const rocecc_flow next = flow(99, 17, 49152);
        act = notify(&p, &t, notice_from(notice(1, &next, 3, 100), 9, 9), 100);
    }
    CHECK(act.what == ROCECC_PAUSE_HOLD && act.evicted && act.time_ns == 100);
    for (who = 0; who < 4; who++)
        CHECK_EQ(t.has[who], 15);
    CHECK(t.has[9] == 1 && t.kept.held == 16 && t.kept.full == 0);
}

/* A time may end at 2^32 (P-5). */
TEST(P_5_a_pause_may_end_at_2_32)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    const uint64_t end = UINT64_C(1) << 32;
    node t = table();
    const uint32_t slot = notify(&p, &t, notice(1, &x.inner, 3, 100), end - 100).slot;
    CHECK_EQ(timer(&p, &t, slot, end - 1).wait_ns, 1);
    check_what(timer(&p, &t, slot, end), ROCECC_PAUSE_RUN);
    CHECK_EQ(t.kept.held, 0);
}

/* If `requesters` shrinks, a tag above it is removed, but its count stays (P-8). */
TEST(P_8_requesters_can_be_reduced)
{
    rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    const uint32_t slot =
        notify(&p, &t, notice_from(notice(1, &x.inner, 3, 100), 8, 8), 0).slot;
    CHECK_EQ(t.has[8], 1);
    p.requesters = 8; /* tags below 8 are left */
    check_what(timer(&p, &t, slot, 100), ROCECC_PAUSE_RUN);
    CHECK_EQ(t.has[8], 1);
}

/* A requester without a number, or with all its slots taken, is ignored (P-8). */
TEST(P_8_a_requester_has_limited_slots)
{
    rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    node t = table();
    uint32_t n;
    p.requesters = 3;
    p.max_slots_per_requester = 4;
    for (n = 0; n < 12; n++) {
        const rocecc_flow f = flow((uint8_t)n, 17, 49152);
        check_what(notify(&p, &t, notice_from(notice(1, &f, 3, US), 0xa, 1), 0),
                   n < 4 ? ROCECC_PAUSE_HOLD : ROCECC_PAUSE_IGNORED_REQUESTER);
    }
    CHECK(t.kept.refused == 8 && t.has[1] == 4 && t.kept.held == 4);
    for (n = 0; n < 4; n++) { /* it may renew the slots that it holds */
        const rocecc_flow f = flow((uint8_t)n, 17, 49152);
        check_what(notify(&p, &t, notice_from(notice(1, &f, 3, US), 0xa, 1), 1),
                   ROCECC_PAUSE_HOLD);
    }
    {
        const rocecc_flow f = flow(50, 17, 49152), g = flow(0, 17, 49152);
        check_what(notify(&p, &t, notice_from(notice(1, &f, 3, US), 0xb, 2), 1),
                   ROCECC_PAUSE_HOLD);
        check_what(notify(&p, &t, notice_from(notice(1, &g, 3, US), 0xb, 3), 1),
                   ROCECC_PAUSE_IGNORED_REQUESTER);
        check_what(notify(&p, &t, notice_from(notice(2, &g, 3, US), 0xa, 3), 1),
                   ROCECC_PAUSE_IGNORED_REQUESTER);
        check_what(notify(&p, &t,
                          notice_from(notice(1, &g, 3, US), 0xa, ROCECC_PAUSE_NONE), 1),
                   ROCECC_PAUSE_IGNORED_REQUESTER);
        CHECK_EQ(t.kept.refused, 11);
        /* A slot that it has resumed is free for another flow. */
        check_what(notify(&p, &t, notice_from(notice(2, &g, 3, 0), 0xa, 1), 2),
                   ROCECC_PAUSE_RUN);
        check_what(notify(&p, &t, notice_from(notice(1, &f, 3, US), 0xa, 1), 2),
                   ROCECC_PAUSE_HOLD);
        CHECK_EQ(t.has[1], 4);
    }
    p.requesters = 0;
    t = table();
    {
        const rocecc_flow f = flow(1, 17, 49152);
        check_what(notify(&p, &t, notice_from(notice(1, &f, 3, US), 0xa, 0), 0),
                   ROCECC_PAUSE_IGNORED_REQUESTER);
    }
}

/* A count that was lost stays at 0, and does not wrap (P-8). */
TEST(P_8_a_lost_count_does_not_wrap)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    check_what(notify(&p, &t, notice_from(notice(1, &x.inner, 3, US), 0xa, 1), 0),
               ROCECC_PAUSE_HOLD);
    CHECK_EQ(t.has[1], 1);
    t.has[1] = 0;
    check_what(notify(&p, &t, notice_from(notice(2, &x.inner, 3, 0), 0xa, 1), 1),
               ROCECC_PAUSE_RUN);
    CHECK_EQ(t.has[1], 0);
}

/* Class mode obeys only PFC, with 8 slots per port, and other modes only ARNs (P-9). */
TEST(P_9_pfc_and_arns_use_separate_tables)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_CLASS);
    const rocecc_flow f = flow(1, 17, 1);
    node t = table_of(64);
    uint32_t port;
    uint8_t class, mode;
    t.has[0] = 7; /* PFC changes no count */
    for (port = 0; port < 8; port++)
        for (class = 0; class < 8; class ++) {
            rocecc_pause_notice m = notice(1, &f, class, 100);
            rocecc_pause_result act;
            test_context("port %u, class %u", port, class);
            m.port = port;
            check_what(notify(&p, &t, m, 0), ROCECC_PAUSE_IGNORED_PARAMETER);
            m.pfc = true;
            m.from.tag = ROCECC_PAUSE_NONE; /* not read */
            act = notify(&p, &t, m, 0);
            check_what(act, ROCECC_PAUSE_HOLD);
            CHECK_EQ(act.slot / 8, port);
            CHECK_EQ(t.who[act.slot].tag[0], 1); /* tag 0, plus 1 */
        }
    CHECK(t.kept.held == 64 && t.kept.full == 0);
    for (class = 0; class < 8; class ++) {
        rocecc_pause_traffic x = traffic(1, 1, class);
        rocecc_pause_notice m = notice(2, &f, class, 0);
        x.priority = 63; /* an ARN's; not used */
        CHECK(!runs(&p, &t, x, 99));
        m.pfc = true;
        check_what(notify(&p, &t, m, 50), ROCECC_PAUSE_RUN);
        CHECK(runs(&p, &t, x, 51));
        x.out_port++;
        CHECK(!runs(&p, &t, x, 99));
    }
    CHECK_EQ(t.has[0], 7);
    for (mode = ROCECC_PAUSE_SERVICE; mode <= ROCECC_PAUSE_PRIORITY; mode++) {
        const rocecc_pause_params other = made(mode);
        rocecc_pause_notice m = notice(1, &f, 3, 100);
        t = table();
        m.pfc = true;
        check_what(notify(&other, &t, m, 0), ROCECC_PAUSE_IGNORED_PARAMETER);
        CHECK(t.kept.missing == 1 && t.kept.held == 0);
    }
}

/* In class mode a node asks by PFC, even if in_pfc is not set (P-9). */
TEST(P_9_class_mode_asks_by_pfc)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_CLASS);
    const rocecc_pause_traffic x = traffic(1, 1, 5);
    node t = table();
    const rocecc_pause_result act = queue_of(&p, &t, &x, XOFF, 0);
    const rocecc_pause_notice m = rocecc_flow_control_ask(&p, &act, &x);
    CHECK(act.what == ROCECC_PAUSE_ASK && act.pfc && act.time_ns == p.pfc_ns);
    CHECK(m.pfc && m.has_priority && !m.has_flow && m.priority == 5);
}

/* Below 1 us the node does not ask, because an ARN cannot carry it (P-10, R-ARN-16). */
TEST(P_10_a_node_does_not_ask_for_less_than_1_us)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    uint64_t left;
    unsigned pfc;
    for (pfc = 0; pfc < 2; pfc++)
        for (left = 1; left <= 2000; left++) {
            const rocecc_pause_traffic x =
                pfc ? pfc_traffic(1, 1, 3) : traffic(1, 1, 3);
            node t = table();
            rocecc_pause_result act;
            test_context("%u left", (unsigned)left);
            (void)notify(&p, &t, notice(1, &x.inner, 3, left), 0);
            act = queue_of(&p, &t, &x, XOFF, 0);
            check_what(act, left < 1000 ? ROCECC_PAUSE_NOTHING : ROCECC_PAUSE_ASK);
            CHECK(act.time_ns <= left && !(left < 1000 && act.arm));
            CHECK_EQ(t.asks.asked, left >= 1000);
            /* It runs again, and asks for its own time. */
            act = queue_of(&p, &t, &x, XOFF, left + 100 * US);
            check_what(act, ROCECC_PAUSE_ASK);
            CHECK_EQ(act.time_ns, pfc ? p.pfc_ns : p.pause_ns);
        }
}

#define MANY 65536u

/* Tables of a large switch. */
static struct big {
    rocecc_traffic_slot slots[MANY];
    rocecc_pause_holders who[MANY];
    uint32_t has[80];
    rocecc_traffic_slot asked[MANY];
} big;

static rocecc_flow nth(uint32_t n, uint16_t whose)
{
    rocecc_flow f = flow(0, 17, whose);
    memcpy(f.src.b + 8, &n, 4);
    return f;
}

/*
 * An attacker forges sources, and three misbehaving requesters pause and resume other
 * flows and the flows of the honest. 64 honest requesters have 500 flows each. In 10^6
 * messages, no honest pause is refused or ends early, and the node makes all its own
 * requests, by ARN and by PFC (P-8).
 */
TEST(P_8_a_flood_of_notices_ends_no_honest_pause)
{
    rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_memory memory = {big.slots, big.who, big.has};
    const uint32_t rounds = (uint32_t)test_rounds(1000000);
    rocecc_pause t;
    rocecc_ask asks = rocecc_ask_start(4096);
    uint64_t random = 1;
    uint32_t i, honest = 0, refused = 0, let_go = 0, asked = 0;
    p.requesters = 80;
    p.max_slots_per_requester = 500;
    CHECK_EQ(rocecc_traffic_slot_count(p.requesters * p.max_slots_per_requester), MANY);
    memset(&big, 0, sizeof big);
    t = rocecc_pause_start(MANY);
    for (i = 0; i < rounds; i++) {
        const uint64_t now_ns = i;
        rocecc_pause_notice m;
        rocecc_flow f;
        random = random * 6364136223846793005u + 1442695040888963407u;
        if (i % (rounds / 32000) == 0 && honest < 32000) { /* an honest requester */
            f = nth(honest, (uint16_t)(honest % 64));
            m = notice_from(notice(1, &f, 3, 1000000000), (uint8_t)(honest % 64),
                            honest % 64);
            refused += rocecc_pause_notify(&p, &t, &memory, &m, now_ns).what !=
                       ROCECC_PAUSE_HOLD;
            honest++;
            if (honest % 32 == 0) {
                rocecc_pause_traffic x = traffic(0, 0, (uint8_t)(honest / 32 % 8));
                x.inner = f;
                x.in_port = honest / 256;
                x.bytes = XOFF;
                x.in_pfc = honest / 32 % 2 != 0;
                asked += rocecc_ask_queue(&p, &asks, big.asked, &x, now_ns).what ==
                         ROCECC_PAUSE_ASK;
            }
            continue;
        }
        f = random >> 40 & 1 ? nth((uint32_t)(random >> 41), 999)
                             : nth((uint32_t)(random >> 41) % (honest + 1),
                                   (uint16_t)((random >> 41) % (honest + 1) % 64));
        m = notice(random >> 34 & 3 ? 1 : 2, &f, 3, random >> 32);
        /* From a forged source without a number, or one of three misbehaving ones. */
        if (random >> 36 & 1)
            m = notice_from(m, (uint8_t)(random >> 24), 80 + (uint32_t)(random >> 60));
        else
            m = notice_from(m, (uint8_t)(64 + (random >> 57) % 3),
                            64 + (uint32_t)(random >> 57) % 3);
        (void)rocecc_pause_notify(&p, &t, &memory, &m, now_ns);
    }
    for (i = 0; i < honest; i++) {
        rocecc_pause_traffic x = traffic(0, 0, 3);
        x.inner = nth(i, (uint16_t)(i % 64));
        let_go += rocecc_pause_packet(&p, &t, big.slots, &x, rounds).what !=
                  ROCECC_PAUSE_HOLD;
    }
    CHECK(refused == 0 && let_go == 0);
    CHECK_EQ(asked, honest / 32);
    CHECK(asks.full == 0 && t.refused > rounds / 4);
    for (i = 0; i < 80; i++)
        CHECK(big.has[i] <= 500);
}

/* After each call, the counts match the holders and keys of all slots (P-8). */
TEST(P_8_counts_match_the_held_slots)
{
    rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    node t = table();
    uint64_t random = 7, now_ns = 0;
    uint32_t i, k, n;
    p.max_slots_per_requester = 9;
    for (i = 0; i < 20000; i++) {
        uint32_t has[ASKERS] = {0}, held = 0;
        rocecc_flow f;
        random = random * 6364136223846793005u + 1442695040888963407u;
        f = flow((uint8_t)(random >> 33 & 63), 17, 49152);
        now_ns += random >> 56;
        if (random >> 40 & 3)
            (void)notify(&p, &t,
                         notice_from(notice(random >> 50 & 7 ? 1 : 2, &f, 3,
                                            random >> 42 & 0x3fff),
                                     (uint8_t)(random >> 60), (uint32_t)(random >> 60)),
                         now_ns);
        else
            (void)timer(&p, &t, random >> 33 & 63, now_ns);
        for (k = 0; k < SLOTS; k++)
            for (n = 0; n < 4; n++)
                if (t.who[k].tag[n] != 0) has[t.who[k].tag[n] - 1]++;
        for (k = 0; k < SLOTS; k++)
            held += t.slots[k].key[5] != 0;
        CHECK(memcmp(has, t.has, sizeof has) == 0 && held == t.kept.held);
        for (k = 0; k < ASKERS; k++)
            CHECK(has[k] <= 9);
    }
}

TEST(pause_traces)
{
    trace_check("pause", NULL, 0);
}

TEST(pause_law)
{
    law_random(law_pause, 50000);
}

/* A free slot has no key and no holders (P-5). */
TEST(P_5_a_free_slot_is_zeroed)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_flow f = flow(7, 17, 9);
    rocecc_pause_result act;
    node t = table(), none = t;
    act = notify(&p, &t, notice_from(notice(1, &f, 0, 1000), 0xa, 3), 5);
    CHECK(act.what == ROCECC_PAUSE_HOLD && act.slot < SLOTS);
    CHECK(memcmp(t.slots, none.slots, sizeof t.slots) != 0);
    CHECK(memcmp(t.who, none.who, sizeof t.who) != 0);
    CHECK_EQ(notify(&p, &t, notice_from(notice(2, &f, 0, 0), 0xa, 3), 6).slot,
             act.slot);
    CHECK(memcmp(&t, &none, sizeof t) == 0);
}

/* An expired pause counts for its requester until the slot's timer (P-8). */
TEST(P_8_an_expired_pause_counts_until_its_timer)
{
    rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3), y = traffic(1, 2, 3);
    node t = table();
    uint32_t slot;
    p.max_slots_per_requester = 1;
    slot = notify(&p, &t, notice_from(notice(1, &x.inner, 3, 100), 0xa, 1), 0).slot;
    CHECK(runs(&p, &t, x, 100));
    check_what(notify(&p, &t, notice_from(notice(1, &y.inner, 3, 100), 0xa, 1), 100),
               ROCECC_PAUSE_IGNORED_REQUESTER);
    check_what(timer(&p, &t, slot, 100), ROCECC_PAUSE_RUN);
    check_what(notify(&p, &t, notice_from(notice(1, &y.inner, 3, 100), 0xa, 1), 100),
               ROCECC_PAUSE_HOLD);
}

/* A slot renewed under another number counts for its first number (P-8, P-11). */
TEST(P_8_a_renewed_slot_counts_for_its_first_number)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    (void)notify(&p, &t, notice_from(notice(1, &x.inner, 3, 100), 0xa, 1), 0);
    CHECK_EQ(
        notify(&p, &t, notice_from(notice(1, &x.inner, 3, 500), 0xa, 2), 0).time_ns,
        500);
    CHECK(t.has[1] == 1 && t.has[2] == 0);
    check_what(notify(&p, &t, notice_from(notice(2, &x.inner, 3, 0), 0xa, 2), 1),
               ROCECC_PAUSE_RUN);
    CHECK(t.has[1] == 0 && t.has[2] == 0);
}

/*
 * A message is ignored for a missing item, or else for its requester, or else for a
 * full table (R-ARN-10, P-8, P-3).
 */
TEST(P_8_a_message_is_ignored_for_the_first_reason)
{
    rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_flow f = flow(1, 17, 49152);
    node t = table_of(0);
    rocecc_pause_notice m = notice_from(notice(1, &f, 3, 100), 0xa, ROCECC_PAUSE_NONE);
    m.has_time = false;
    check_what(notify(&p, &t, m, 0), ROCECC_PAUSE_IGNORED_PARAMETER);
    CHECK(t.kept.missing == 1 && t.kept.refused == 0 && t.kept.full == 0);
    m.has_time = true;
    check_what(notify(&p, &t, m, 0), ROCECC_PAUSE_IGNORED_REQUESTER);
    CHECK(t.kept.missing == 1 && t.kept.refused == 1 && t.kept.full == 0);
    m.from.tag = 1;
    p.max_slots_per_requester = t.has[1] = 1;
    check_what(notify(&p, &t, m, 0), ROCECC_PAUSE_IGNORED_REQUESTER);
    CHECK(t.kept.refused == 2 && t.kept.full == 0);
    t.has[1] = 0;
    check_what(notify(&p, &t, m, 0), ROCECC_PAUSE_IGNORED_FULL);
    CHECK(t.kept.refused == 2 && t.kept.full == 1 && t.has[1] == 0);
}

/* Types 3 and 4 go to the caller without any check (R-ARN-12). */
TEST(R_ARN_12_types_3_and_4_are_not_checked)
{
    uint8_t mode, type;
    for (mode = ROCECC_PAUSE_SERVICE; mode <= ROCECC_PAUSE_CLASS; mode++)
        for (type = 3; type <= 4; type++) {
            const rocecc_pause_params p = made(mode);
            node t = table();
            rocecc_pause_notice m;
            memset(&m, 0, sizeof m);
            m.type = type;
            m.pfc = mode != ROCECC_PAUSE_CLASS;
            m.from.tag = ROCECC_PAUSE_NONE;
            check_what(notify(&p, &t, m, 0), ROCECC_PAUSE_HAND_ON);
            CHECK(t.kept.missing == 0 && t.kept.refused == 0);
        }
}

/* A resume from a node that does not hold a slot gives no slot and no timer (P-11). */
TEST(P_11_a_resume_without_a_pause_names_no_slot)
{
    const rocecc_pause_params p = made(ROCECC_PAUSE_FLOW);
    const rocecc_pause_traffic x = traffic(1, 1, 3);
    node t = table();
    rocecc_pause_result act;
    (void)notify(&p, &t, notice_from(notice(1, &x.inner, 3, 100), 0xa, 1), 0);
    act = notify(&p, &t, notice_from(notice(2, &x.inner, 3, 0), 0xb, 2), 200);
    CHECK(act.what == ROCECC_PAUSE_NOTHING && act.slot == ROCECC_PAUSE_NONE);
    CHECK(!act.arm && t.kept.held == 1);
}

/* The flow is the outer one only in service mode. */
TEST(pause_flow_is_inner_except_in_service_mode)
{
    const rocecc_pause_traffic x = traffic(1, 2, 3);
    uint8_t mode;
    for (mode = ROCECC_PAUSE_SERVICE; mode <= ROCECC_PAUSE_CLASS; mode++) {
        const rocecc_pause_params p = made(mode);
        CHECK_EQ(rocecc_pause_flow(&p, &x).src.b[15],
                 mode == ROCECC_PAUSE_SERVICE ? 1 : 2);
    }
}
