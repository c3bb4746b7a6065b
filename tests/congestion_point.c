/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/congestion_point.h"
#include "lib/noun.h"
#include "lib/tell.h"
#include "lib/trace.h"

#include <stdlib.h>
#include <string.h>

#define SRV6_ROWS "vectors/srv6.vec" /* E9, E10, E11 and more */

#define UNTOUCHED 0xa5
#define MS UINT64_C(1000000)

/*
 * rocev2.md's data packet: 2001:db8:1::10 to 2001:db8:2::20, DestQP 0xabcd, RC SEND
 * Only without a payload. A switch looks at no ICRC, so it is 0 here.
 */
static const uint8_t data[80] = {
    0x60, 0x20, 0, 0,    0, 0x28, 0x11, 0x40, 0x20, 0x01, 0x0d, 0xb8, 0,    1,
    0,    0,    0, 0,    0, 0,    0,    0,    0,    0x10, 0x20, 0x01, 0x0d, 0xb8,
    0,    2,    0, 0,    0, 0,    0,    0,    0,    0,    0,    0x20, 0xc1, 0x23,
    0x12, 0xb7, 0, 0x28, 0, 0,    4,    0,    0xff, 0xff, 0,    0,    0xab, 0xcd};

/* The Hop-by-Hop header of the same with a trace of two nodes. */
static const uint8_t trace[32] = {0x11, 3,    1,    0, 0x31, 26,   0, 0, 0,    0, 0x10,
                                  0,    0x82, 0,    0, 0,    0x3e, 0, 1, 3,    0, 0,
                                  8,    0,    0x3f, 0, 1,    2,    0, 0, 0x10, 0};

static const rocecc_ip6 loopback = {
    {0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};

/* What a node is, and what it is asked. */
typedef struct node {
    rocecc_congestion_config c;
    rocecc_congestion_point s;
    rocecc_cnpgate gate;
    rocecc_wred_verdict verdict;
    rocecc_capability sender;
    uint64_t now_ns;
    uint8_t packet[256];
    size_t n;
    bool ip_first;
    rocecc_frame f;
    uint8_t out[700];
    size_t room;
    size_t sent; /* bytes of out */
} node;

static void start(node *a)
{
    CHECK_EQ(rocecc_congestion_point_init(&a->c), ROCECC_CONGESTION_ACCEPTED);
    a->s = rocecc_congestion_point_start(&a->c, a->now_ns);
    a->gate = rocecc_cnpgate_start(&a->c.gate);
}

/* Enabled, in the laboratory's types, a gate of 50 us, 16 and then 256 a second. */
static node node_of(const uint8_t *packet, size_t n)
{
    node a;
    memset(&a, 0, sizeof a);
    a.c.enabled = true;
    a.c.fastcnp = law_fastcnp_config(0);
    a.c.cnp = rocecc_cnp_default();
    a.c.cnp.src = loopback;
    a.c.gate = rocecc_cnpgate_paper();
    a.c.limit = rocecc_tokenbucket_per_s(256);
    a.verdict = ROCECC_WRED_MARK;
    a.ip_first = true;
    a.room = sizeof a.out;
    a.now_ns = MS;
    memcpy(a.packet, packet, n);
    a.n = n;
    start(&a);
    return a;
}

/* The data packet with the trace before UDP. */
static node node_traced(void)
{
    node a = node_of(data, sizeof data);
    memmove(a.packet + 40 + sizeof trace, a.packet + 40, 40);
    memcpy(a.packet + 40, trace, sizeof trace);
    a.packet[4 + 1] = (uint8_t)(a.packet[4 + 1] + sizeof trace);
    a.packet[6] = ROCECC_PROTO_HOPOPTS;
    a.n += sizeof trace;
    return a;
}

static rocecc_congestion step(node *a)
{
    uint8_t *at = guard_end(a->packet, a->n);
    const rocecc_reader r = rocecc_reader_of(at, at + a->n);
    rocecc_writer w = rocecc_writer_of(a->out, a->out + a->room);
    const rocecc_frame_config config = {.ip_first = a->ip_first,
                                        .ifa_protocol = TELL_PROTOCOL,
                                        .intmd_port = TELL_PORT};
    const rocecc_cnpgate gate = a->gate;
    const rocecc_congestion_point was = a->s;
    rocecc_congestion out;
    size_t i;
    memset(a->out, UNTOUCHED, sizeof a->out);
    (void)rocecc_frame_locate(&config, r, &a->f);
    out = rocecc_congestion_point_step(&a->c, &a->s, &a->gate, r, &a->f, a->verdict,
                                       a->sender, a->now_ns, &w);
    a->sent = w.at;
    CHECK((out.outputs & ROCECC_CONGESTION_FAST_CNP) != 0
              ? out.reason == ROCECC_CONGESTION_SENT && w.at != 0
              : out.reason != ROCECC_CONGESTION_SENT && w.at == 0);
    for (i = a->sent; i < sizeof a->out; i++)
        if (a->out[i] != UNTOUCHED) break;
    CHECK_EQ(i, sizeof a->out);
    if (out.reason != ROCECC_CONGESTION_SENT)
        CHECK(memcmp(&gate, &a->gate, sizeof gate) == 0);
    if (out.reason != ROCECC_CONGESTION_SENT && out.reason != ROCECC_CONGESTION_LIMIT)
        CHECK(memcmp(&was.bucket, &a->s.bucket, sizeof was.bucket) == 0);
    for (i = 0; i < ROCECC_CONGESTION_REASONS; i++)
        CHECK_EQ(a->s.count[i], was.count[i] + (i == out.reason));
    CHECK(memcmp(at, a->packet, a->n) == 0);
    return out;
}

static void expect(node *a, rocecc_congestion_reason reason, unsigned outputs)
{
    const rocecc_congestion out = step(a);
    CHECK_EQ(out.reason, reason);
    CHECK_EQ(out.outputs, outputs);
}

#define BOTH (ROCECC_CONGESTION_FAST_CNP | ROCECC_CONGESTION_MARK)

/* One HEX text against what was sent. */
static void check_sent(const node *a, const char *hex)
{
    size_t i;
    CHECK_EQ(a->sent, strlen(hex) / 2);
    for (i = 0; i < a->sent && hex[2 * i] != 0; i++) {
        char two[3] = {0, 0, 0};
        two[0] = hex[2 * i];
        two[1] = hex[2 * i + 1];
        if (a->out[i] != strtoul(two, NULL, 16))
            test_fail(__FILE__, __LINE__, "byte %zu is %02x and not %s", i, a->out[i],
                      two);
    }
}

/* What was sent, as its receiver finds it. */
static rocecc_reader sent(const node *a, rocecc_frame *f)
{
    const rocecc_frame_config config = {.ip_first = true};
    const rocecc_reader r = rocecc_reader_of(a->out, a->out + a->sent);
    CHECK_EQ(rocecc_frame_locate(&config, r, f), ROCECC_OK);
    return r;
}

static rocecc_cnp sent_cnp(const node *a)
{
    const rocecc_roce_config strict = {false, false};
    rocecc_cnp cnp = rocecc_cnp_default();
    rocecc_frame f;
    const rocecc_reader r = sent(a, &f);
    CHECK_EQ(rocecc_cnp_parse(&strict, r, &f, &cnp), ROCECC_OK);
    return cnp;
}

/* A node on the path of E9, as the example has it. */
static node node_e9(void)
{
    const vec_packet e9 = vec_find(SRV6_ROWS, "e9");
    node a = node_of(e9.bytes, e9.n);
    a.ip_first = false;
    a.c.end_con = true;
    a.c.cnp.src.b[15] = 2;
    a.c.cnp.udp_checksum = true;
    a.c.flow_label = 0x12345;
    start(&a);
    return a;
}

/* The table of the header, cell by cell. */
TEST(FC_01_unknown_may_be_marked_as_well)
{
    node a = node_of(data, sizeof data);
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    a = node_of(data, sizeof data);
    a.c.mark_known_only = true;
    expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_FAST_CNP);
    expect(&a, ROCECC_CONGESTION_GATE, ROCECC_CONGESTION_MARK);
}

/* Whatever the rest of the configuration says. */
TEST(FC_02_capable_must_not_be_marked_as_well)
{
    unsigned bits;
    for (bits = 0; bits < 8; bits++) {
        node a = bits & 4 ? node_e9() : node_of(data, sizeof data);
        a.sender = ROCECC_CAPABILITY_YES;
        a.c.mark_known_only = bits & 1;
        a.c.quiet_if_told = bits >> 1 & 1;
        expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_FAST_CNP);
        expect(&a, ROCECC_CONGESTION_GATE,
               a.c.quiet_if_told ? 0 : ROCECC_CONGESTION_MARK);
        a.sender = ROCECC_CAPABILITY_UNKNOWN;
        expect(&a, ROCECC_CONGESTION_GATE, ROCECC_CONGESTION_MARK);
        a.sender = ROCECC_CAPABILITY_YES;
        a.c.enabled = false;
        expect(&a, ROCECC_CONGESTION_DISABLED, ROCECC_CONGESTION_MARK);
        a.c.enabled = true;
        a.sender = ROCECC_CAPABILITY_NO;
        expect(&a, ROCECC_CONGESTION_NOT_CAPABLE, ROCECC_CONGESTION_MARK);
    }
}

/* What is not to be marked is not answered, whoever sent it. */
TEST(congestion_point_verdicts)
{
    int sender;
    for (sender = 0; sender < 3; sender++) {
        node a = node_of(data, sizeof data);
        a.sender = (rocecc_capability)sender;
        a.verdict = ROCECC_WRED_PASS;
        expect(&a, ROCECC_CONGESTION_NOT_ASKED, 0);
        a.verdict = ROCECC_WRED_DROP;
        expect(&a, ROCECC_CONGESTION_NOT_ASKED, ROCECC_CONGESTION_DROP);
        a.verdict = (rocecc_wred_verdict)3; /* none that there is */
        expect(&a, ROCECC_CONGESTION_NOT_ASKED, 0);
    }
}

/* A sender's ICMPv6 Parameter Problem, whose pointer stands on our option. */
TEST(FC_03_parameter_problem)
{
    static const uint8_t at[] = {42, 46, 44}; /* plain, align8, form A */
    unsigned i, other;
    for (i = 0; i < 3; i++) {
        node a = i == 2 ? node_traced() : node_of(data, sizeof data);
        rocecc_icmp6_problem problem;
        a.c.fastcnp.align8 = i == 1;
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        problem.code = ROCECC_ICMP6_PROBLEM_OPTION;
        problem.checksum = 0;
        problem.pointer = at[i];
        problem.packet = rocecc_reader_of(a.out, a.out + a.sent);
        CHECK(rocecc_congestion_point_unknown(&a.c.fastcnp, &problem));
        for (other = 0; other < 300; other++) {
            problem.pointer = other;
            CHECK_EQ(rocecc_congestion_point_unknown(&a.c.fastcnp, &problem),
                     other < a.sent && (a.out[other] == 0x9e || a.out[other] == 0x9f));
        }
        problem.pointer = at[i];
        for (other = 0; other < 8; other++) {
            problem.code = (uint8_t)other;
            CHECK_EQ(rocecc_congestion_point_unknown(&a.c.fastcnp, &problem),
                     other == 2);
        }
        problem.code = ROCECC_ICMP6_PROBLEM_OPTION;
        problem.packet.end = at[i]; /* cut before it */
        CHECK(!rocecc_congestion_point_unknown(&a.c.fastcnp, &problem));
    }
}

/* From the switch, to the packet's source; who is none is not answered. */
TEST(FC_04_addresses)
{
    static const uint8_t bad[4][16] = {
        {0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, {0xff, 2}, {0}};
    node a = node_of(data, sizeof data);
    unsigned i;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK(memcmp(sent_cnp(&a).src.b, loopback.b, 16) == 0);
    CHECK(memcmp(sent_cnp(&a).dst.b, data + 8, 16) == 0);
    for (i = 0; i < 4; i++) {
        node b = node_of(data, sizeof data);
        memcpy(b.packet + 8, bad[i], 16);
        if (i == 3) b.packet[18] = b.packet[19] = 0xff; /* ::ffff:0.0.0.0 */
        expect(&b, ROCECC_CONGESTION_SOURCE, ROCECC_CONGESTION_MARK);
        memcpy(b.c.cnp.src.b, b.packet + 8, 16);
        CHECK_EQ(rocecc_congestion_point_init(&b.c), ROCECC_CONGESTION_REFUSED_ADDRESS);
        b = node_e9(); /* and the tunnel's */
        memcpy(b.packet + 14 + 8, bad[i], 16);
        if (i == 3) b.packet[32] = b.packet[33] = 0xff;
        expect(&b, ROCECC_CONGESTION_SOURCE, ROCECC_CONGESTION_MARK);
    }
}

/* What the sender can route around: the address of this switch and no other. */
TEST(FC_06_switch_address)
{
    node a = node_of(data, sizeof data);
    unsigned i;
    for (i = 2; i < 256; i++) {
        a.c.cnp.src.b[15] = (uint8_t)i;
        start(&a);
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        CHECK_EQ(sent_cnp(&a).src.b[15], i);
    }
}

/* The receiver's QP as the packet names it, every bit; P_Key and source port, too. */
TEST(FC_07_dest_qp)
{
    unsigned bit;
    for (bit = 0; bit < 24 + 16 + 16; bit++) {
        node a = node_of(data, sizeof data);
        rocecc_cnp cnp;
        uint8_t *b = bit < 24   ? a.packet + 53 + bit / 8
                     : bit < 40 ? a.packet + 50 + (bit - 24) / 8
                                : a.packet + 40 + (bit - 40) / 8;
        *b ^= (uint8_t)(0x80 >> bit % 8);
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        cnp = sent_cnp(&a);
        CHECK_EQ(cnp.dest_qp, 0xabcdu ^ (bit < 24 ? 0x800000u >> bit : 0));
        CHECK_EQ(cnp.pkey,
                 0xffffu ^ (bit >= 24 && bit < 40 ? 0x8000u >> (bit - 24) : 0));
        CHECK_EQ(cnp.src_port, 0xc123u ^ (bit >= 40 ? 0x8000u >> (bit - 40) : 0));
    }
}

/* The BTH of a packet with IFA or INT does not stand right behind UDP. */
TEST(congestion_point_telemetry)
{
    int how;
    for (how = 0; how < TELL_HOWS; how++) {
        node a = node_of(data, sizeof data);
        rocecc_cnp cnp;
        rocecc_ip6 src;
        a.n = tell(a.packet, a.n, (tell_how)how);
        CHECK(a.n > sizeof data);
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        CHECK(rocecc_frame_has_telemetry(&a.f));
        cnp = sent_cnp(&a);
        src = rocecc_ip6_load(data + 8);
        CHECK(memcmp(&cnp.dst, &src, 16) == 0);
        CHECK_EQ(cnp.dest_qp, 0xabcd);
        CHECK_EQ(cnp.pkey, 0xffff);
        CHECK_EQ(cnp.src_port, 0xc123);
        a = node_of(data, sizeof data);
        a.packet[48] = ROCECC_OPCODE_CNP;
        a.n = tell(a.packet, a.n, (tell_how)how);
        expect(&a, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
    }
}

/* One header, one option: the examples of the specification, byte for byte. */
TEST(FC_08_one_header_one_option)
{
#define PLAIN_IP                                                                       \
    "6c00000000403c4020010db8ffff0000000000000000000120010db8000100000000000000000010"
#define IOAM_IP                                                                        \
    "6c00000000583c4020010db8ffff0000000000000000000120010db8000100000000000000000010"
#define ROCE "c12312b7002800008100ffff4000abcd0000000000000000000000000000000000000000"
    node a = node_of(data, sizeof data);
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    check_sent(&a, PLAIN_IP "11029e1020010db800020000000000000000002001020000" ROCE
                            "627652e7");
    a.c.fastcnp.align8 = true;
    start(&a);
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    check_sent(&a, PLAIN_IP "1102010200009e1020010db8000200000000000000000020" ROCE
                            "c4b95dc8");
    a = node_traced();
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    check_sent(&a, IOAM_IP "110501009f2a000000001000820000003e00010300000800"
                           "3f0001020000100020010db8000200000000000000000020" ROCE
                           "f468fdcd");
    a.c.fastcnp.form = ROCECC_FASTCNP_FORM_B;
    start(&a);
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    check_sent(&a, IOAM_IP "11059f2800001000820000003e000103000008003f000102"
                           "0000100020010db800020000000000000000002001020000" ROCE
                           "db8f2abb");
}

/* The IOAM kind iff there is a trace, unless told; what is off or long is not sent. */
TEST(FC_09_kind)
{
    node a = node_traced();
    a.c.plain_only = true;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK_EQ(a.out[42], 0x9e);
    a = node_traced();
    a.c.fastcnp.type_ioam = 0;
    expect(&a, ROCECC_CONGESTION_OPTIONS, ROCECC_CONGESTION_MARK);
    a.c.plain_if_long = true;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK_EQ(a.out[42], 0x9e);
    a = node_traced();
    a.c.plain_if_long = true; /* it is not */
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK_EQ(a.out[44], 0x9f);
    a = node_of(data, sizeof data);
    a.c.fastcnp.type_plain = 0;
    start(&a);
    expect(&a, ROCECC_CONGESTION_OPTIONS, ROCECC_CONGESTION_MARK);
    a = node_traced(); /* NodeLen 0 with node data: no trace */
    a.packet[50] = 0;
    expect(&a, ROCECC_CONGESTION_OPTIONS, ROCECC_CONGESTION_MARK);
    a = node_traced(); /* its option overruns the header */
    a.packet[45] = 255;
    a.c.plain_only = true;
    expect(&a, ROCECC_CONGESTION_OPTIONS, ROCECC_CONGESTION_MARK);
}

/* Both limits, and neither uses up the other. */
TEST(FC_18_generation_is_limited)
{
    node a = node_of(data, sizeof data), b;
    rocecc_cnpgate gates[20];
    unsigned i;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    for (i = 0; i < 1000; i++) /* the gate holds, and costs no token */
        expect(&a, ROCECC_CONGESTION_GATE, ROCECC_CONGESTION_MARK);
    a.now_ns += 49999;
    expect(&a, ROCECC_CONGESTION_GATE, ROCECC_CONGESTION_MARK);
    a.now_ns++;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);

    a = node_of(data, sizeof data);
    memset(gates, 0, sizeof gates);
    for (i = 0; i < 20; i++) { /* other flows: 16 at once */
        a.gate = gates[i];
        expect(&a, i < 16 ? ROCECC_CONGESTION_SENT : ROCECC_CONGESTION_LIMIT,
               i < 16 ? BOTH : ROCECC_CONGESTION_MARK);
        gates[i] = a.gate;
    }
    CHECK_EQ(gates[19].sent, 0); /* what was refused may go as soon as there is one */
    a.now_ns += 3906249;
    expect(&a, ROCECC_CONGESTION_LIMIT, ROCECC_CONGESTION_MARK);
    a.now_ns++;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);

    b = node_of(data, sizeof data);
    b.c.unlimited = true;
    memset(&b.c.limit, 0, sizeof b.c.limit);
    start(&b);
    for (i = 0; i < 100; i++, b.now_ns += 50000)
        expect(&b, ROCECC_CONGESTION_SENT, BOTH);
}

/* A clock that stepped back: the bucket goes on from there. */
TEST(FC_18_clock_steps_back)
{
    node a = node_of(data, sizeof data);
    unsigned i;
    a.c.gate = rocecc_cnpgate_ns3();
    a.now_ns = 1000000 * MS;
    start(&a);
    for (i = 0; i < 16; i++)
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    a.now_ns = MS;
    expect(&a, ROCECC_CONGESTION_LIMIT, ROCECC_CONGESTION_MARK);
    a.now_ns += 4 * MS;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
}

/* All that it sends is what a border drops; what it answers is not. */
TEST(FC_20_border)
{
    unsigned bits, tunnel;
    for (bits = 0; bits < 32; bits++)
        for (tunnel = 0; tunnel < 3; tunnel++) {
            node a = tunnel == 0   ? node_of(data, sizeof data)
                     : tunnel == 1 ? node_traced()
                                   : node_e9();
            rocecc_frame f;
            rocecc_reader r;
            rocecc_congestion out;
            a.c.fastcnp = law_fastcnp_config((uint8_t)bits);
            if (bits / 8 == 3) continue; /* off */
            start(&a);
            out = step(&a);
            CHECK(!rocecc_fastcnp_match(
                &a.c.fastcnp, rocecc_reader_of(a.packet, a.packet + a.n), &a.f));
            if (out.reason != ROCECC_CONGESTION_SENT) {
                CHECK_EQ(out.reason, ROCECC_CONGESTION_OPTIONS);
                CHECK(tunnel == 1 ? bits >> 4 & 1 : bits >> 3 & 1);
                continue;
            }
            r = sent(&a, &f);
            CHECK(rocecc_fastcnp_match(&a.c.fastcnp, r, &f));
        }
}

TEST(FC_21_switch)
{
    node a = node_of(data, sizeof data);
    a.c.enabled = false;
    start(&a);
    expect(&a, ROCECC_CONGESTION_DISABLED, ROCECC_CONGESTION_MARK);
    a.c.enabled = true;
    start(&a);
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
}

/* All 0: off, and no configuration needs anything else to mark and drop. */
TEST(FC_22_off_by_default)
{
    node a = node_of(data, sizeof data);
    memset(&a.c, 0, sizeof a.c);
    start(&a);
    expect(&a, ROCECC_CONGESTION_DISABLED, ROCECC_CONGESTION_MARK);
    a.verdict = ROCECC_WRED_DROP;
    expect(&a, ROCECC_CONGESTION_NOT_ASKED, ROCECC_CONGESTION_DROP);
    a.c.enabled = true;
    CHECK_EQ(rocecc_congestion_point_init(&a.c), ROCECC_CONGESTION_REFUSED_TYPES);
}

/* Each refusal, in the order in which they are looked for; nothing has changed. */
TEST(congestion_point_refusals)
{
    static const uint8_t segments[128 * 16];
    unsigned i;
    for (i = 0; i < 18; i++) {
        rocecc_congestion_config c = node_of(data, sizeof data).c, was;
        rocecc_congestion_refusal should = ROCECC_CONGESTION_REFUSED_CNP;
        if (i == 0) c.cnp.dscp = 64;
        if (i == 1) c.cnp.ecn = 4;
        if (i == 2) c.cnp.flow_label = 1 << 20;
        if (i == 3) c.flow_label = 1 << 20;
        if (i >= 4) should = ROCECC_CONGESTION_REFUSED_RULE;
        if (i == 4) c.icrc_rule = ROCECC_ICRC_STANDARD;
        if (i == 5) c.icrc_rule = (rocecc_icrc_rule)(ROCECC_ICRC_NONE + 1);
        if (i >= 6) should = ROCECC_CONGESTION_REFUSED_POLICY;
        if (i >= 6) c.policy = rocecc_reader_of(segments, segments + 15);
        if (i == 7) c.policy = rocecc_reader_of(segments, segments + 2048);
        if (i >= 8) c.policy = rocecc_reader_of(segments, segments + 2032);
        if (i >= 8) should = ROCECC_CONGESTION_REFUSED_GATE;
        if (i == 8) c.gate.interval_ns = (uint32_t)1 << 31;
        if (i == 9) c.gate.defer = 1;
        if (i == 10) c.gate.defer = 2;
        if (i >= 11) should = ROCECC_CONGESTION_REFUSED_LIMIT;
        if (i == 11) c.limit.rate_per_s = 0;
        if (i == 12) c.limit.burst = 0;
        if (i >= 13) should = ROCECC_CONGESTION_REFUSED_TYPES;
        if (i == 13) c.fastcnp.type_plain = 0x1e;
        if (i >= 14) should = ROCECC_CONGESTION_ACCEPTED;
        if (i == 14) c.unlimited = true;
        if (i == 15) c.limit.burst = 0xffffffff;
        if (i == 16) c.icrc_rule = ROCECC_ICRC_NONE;
        if (i == 17) c.cnp.flow_label = c.flow_label = 0xfffff;
        was = c;
        test_context("case %u", i);
        CHECK_EQ(rocecc_congestion_point_init(&c), should);
        if (should != ROCECC_CONGESTION_ACCEPTED)
            CHECK(memcmp(&c, &was, sizeof c) == 0);
    }
}

/* A congested device marks the outer header, and no other. */
TEST(R_ECN_2_outer_header_is_marked)
{
    static const rocecc_frame_config config;
    vec_packet w = vec_find(SRV6_ROWS, "e9");
    const vec_packet was = w;
    rocecc_writer out = rocecc_writer_of(w.bytes, w.bytes + w.n);
    rocecc_frame f;
    (void)rocecc_frame_locate(&config, rocecc_reader_of(w.bytes, w.bytes + w.n), &f);
    CHECK(rocecc_congestion_point_mark(out, &f));
    CHECK_EQ(rocecc_load16(w.bytes + 14), 0x6035);
    w.bytes[15] = was.bytes[15];
    CHECK(memcmp(w.bytes, was.bytes, w.n) == 0);
}

/* Each ECN field, over IPv4 too; Not-ECT is not marked, nor what is not there. */
TEST(congestion_point_mark)
{
    unsigned ecn, v4;
    for (v4 = 0; v4 < 2; v4++)
        for (ecn = 0; ecn < 4; ecn++) {
            static const uint8_t ip4[28] = {0x45, 0x8c, 0, 28, 0, 0, 0x40, 0, 64, 17,
                                            0,    0,    1, 2,  3, 4, 5,    6, 7,  8,
                                            1,    2,    3, 4,  0, 8, 0,    0};
            const rocecc_frame_config config = {.ip_first = true};
            const size_t n = v4 ? sizeof ip4 : sizeof data;
            uint8_t bytes[80], *at;
            rocecc_frame f;
            rocecc_reader r;
            memcpy(bytes, v4 ? ip4 : data, n);
            if (v4)
                bytes[1] = (uint8_t)(0x8c | ecn);
            else
                bytes[1] = (uint8_t)(ecn << 4);
            at = guard_end(bytes, n);
            r = rocecc_reader_of(at, at + n);
            if (v4)
                rocecc_store16(at + 10, rocecc_ipv4_checksum(rocecc_between(r, 0, 20)));
            memcpy(bytes, at, n);
            (void)rocecc_frame_locate(&config, r, &f);
            test_context("version %d, ecn %u", v4 ? 4 : 6, ecn);
            CHECK_EQ(rocecc_congestion_point_mark(rocecc_writer_of(at, at + n), &f),
                     ecn != 0);
            if (ecn == 0) CHECK(memcmp(at, bytes, n) == 0);
            CHECK_EQ(at[1], v4 ? 0x8cu | (ecn ? 3 : 0) : ecn ? 0x30u : 0);
            if (v4)
                CHECK_EQ(rocecc_checksum_final(
                             rocecc_checksum_update(0, rocecc_between(r, 0, 20))),
                         0);
            /* what w does not hold is not touched */
            CHECK(!rocecc_congestion_point_mark(rocecc_writer_of(at, at + 19), &f));
            f.ip.at = 200;
            CHECK(!rocecc_congestion_point_mark(rocecc_writer_of(at, at + n), &f));
            f.ip.version = 0;
            CHECK(!rocecc_congestion_point_mark(rocecc_writer_of(at, at + n), &f));
        }
}

/* E9 met congestion, and E10 is what the node answers: all but the Ethernet header. */
TEST(R_CON_4_R_CON_8_R_CON_9_e10)
{
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    node a = node_e9();
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK_EQ(a.sent, e10.n - 14);
    CHECK(memcmp(a.out, e10.bytes + 14, e10.n - 14) == 0);
    a.now_ns += MS; /* and so it is inside, if CE was set outside before */
    a.packet[15] = 0x35;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK(memcmp(a.out, e10.bytes + 14, e10.n - 14) == 0);
}

/* E11: along a policy, if it leads to this END.CON. */
TEST(R_CON_10_e11)
{
    static uint8_t policy[] = {
        0x20, 0x01, 0x0d, 0xb8, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0c,
        0x20, 0x01, 0x0d, 0xb8, 0, 0xf1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0e};
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10"), e11 = vec_find(SRV6_ROWS, "e11");
    unsigned bit;
    node a = node_e9();
    a.c.policy = rocecc_reader_of(policy, policy + sizeof policy);
    start(&a);
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK_EQ(a.sent, e11.n - 14);
    CHECK(memcmp(a.out, e11.bytes + 14, e11.n - 14) == 0);
    for (bit = 0; bit < 128; bit++) { /* to another: straight */
        policy[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        start(&a);
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        CHECK_EQ(a.sent, e10.n - 14);
        CHECK(memcmp(a.out, e10.bytes + 14, e10.n - 14) == 0);
        policy[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
    }
    a.c.policy = rocecc_reader_of(policy, policy + 16); /* which is no detour */
    start(&a);
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK(a.sent == e10.n - 14 && memcmp(a.out, e10.bytes + 14, a.sent) == 0);
}

/* The outer header is Not-ECT as the CNP is; where that is ECT, it is as well. */
TEST(R_CON_9_outer_header)
{
    unsigned ecn;
    for (ecn = 0; ecn < 4; ecn++) {
        node a = node_e9();
        a.c.cnp.ecn = (uint8_t)ecn;
        a.c.cnp.dscp = 46;
        start(&a);
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        CHECK_EQ(rocecc_load16(a.out), 0x6b81u | ecn << 4);
        CHECK_EQ(rocecc_load16(a.out + 40), 0x6b80u | ecn << 4);
        CHECK_EQ(a.out[7], 64);
    }
}

/* What is no RoCEv2 data inside is not answered; nor is IPv4, or a CNP. */
TEST(R_CON_7_what_is_not_answered)
{
    unsigned opcode;
    node a = node_e9();
    a.packet[0x89] ^= 1; /* the port */
    expect(&a, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
    a = node_e9();
    a.packet[0x64] = 58; /* ICMPv6 */
    expect(&a, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
    a = node_e9();
    a.packet[0x64] = 44; /* a later fragment */
    a.packet[0x86] = 17;
    a.packet[0x88] = 8;
    expect(&a, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
    a = node_e9();
    a.packet[0x64] = 41; /* a tunnel in it */
    expect(&a, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
    for (opcode = 0; opcode < 256; opcode++) {
        a = node_of(data, sizeof data);
        a.packet[48] = (uint8_t)opcode;
        if (opcode == 0x81)
            expect(&a, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
        else
            expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    }
    a = node_e9();
    a.c.end_con = false;
    expect(&a, ROCECC_CONGESTION_TUNNEL, ROCECC_CONGESTION_MARK);
}

/* Our own Fast CNPs, as they come back to a congested queue, with a tunnel and without:
 * never an answer to an answer. */
TEST(R_CON_7_no_answer_to_an_answer)
{
    unsigned i;
    for (i = 0; i < 3; i++) {
        node a = i == 0   ? node_of(data, sizeof data)
                 : i == 1 ? node_traced()
                          : node_e9();
        node b;
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        b = node_of(a.out, a.sent);
        b.c.end_con = true;
        expect(&b, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
    }
}

/* An IPv4 tunnel around IPv6 has no END.CON; IPv4 data has no Fast CNP. */
TEST(congestion_point_ip4)
{
    static const uint8_t outer[20] = {0x45, 2, 0, 100, 0, 0, 0, 0, 64, 41,
                                      0,    0, 1, 2,   3, 4, 5, 6, 7,  8};
    node a = node_of(data, sizeof data);
    memmove(a.packet + 20, a.packet, sizeof data);
    memcpy(a.packet, outer, 20);
    a.n += 20;
    a.c.end_con = true;
    expect(&a, ROCECC_CONGESTION_TUNNEL, ROCECC_CONGESTION_MARK);
    CHECK_EQ(a.f.status, ROCECC_OK);
    a = node_of(data + 20, sizeof data - 20);
    memcpy(a.packet, outer, 20);
    a.packet[3] = 60;
    a.packet[9] = 17;
    expect(&a, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
    CHECK_EQ(a.f.status, ROCECC_OK);
}

/* Every room: what does not fit is not sent, and neither limit knows of it. */
TEST(R_CON_13_space)
{
    unsigned i;
    for (i = 0; i < 4; i++) {
        node a = i == 0   ? node_of(data, sizeof data)
                 : i == 1 ? node_traced()
                          : node_e9();
        const size_t bytes = i == 0 ? 104 : i == 1 ? 128 : 144;
        for (a.room = 0; a.room < bytes; a.room++)
            expect(&a, ROCECC_CONGESTION_SPACE, ROCECC_CONGESTION_MARK);
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        CHECK_EQ(a.sent, bytes);
    }
}

/* Beyond where a frame may begin. */
TEST(congestion_point_far)
{
    static uint8_t out[ROCECC_FRAME_START_MAX + 300];
    unsigned i;
    for (i = 0; i < 4; i++) {
        node a = i < 2 ? node_of(data, sizeof data) : node_e9();
        const size_t at = ROCECC_FRAME_START_MAX - (i < 2 ? 0u : 40u) + (i & 1);
        const rocecc_reader r = rocecc_reader_of(a.packet, a.packet + a.n);
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        const rocecc_frame_config config = {.ip_first = a.ip_first};
        (void)rocecc_put(&w, at);
        (void)rocecc_frame_locate(&config, r, &a.f);
        CHECK_EQ(rocecc_congestion_point_step(&a.c, &a.s, &a.gate, r, &a.f, a.verdict,
                                              a.sender, a.now_ns, &w)
                     .reason,
                 i & 1 ? ROCECC_CONGESTION_SPACE : ROCECC_CONGESTION_SENT);
        CHECK_EQ(a.gate.sent, i & 1 ? 0 : 1);
    }
}

/* Every prefix of a packet, as a switch may see no more of it. */
TEST(congestion_point_prefixes)
{
    unsigned i;
    for (i = 0; i < 3; i++) {
        node a = i == 0   ? node_of(data, sizeof data)
                 : i == 1 ? node_traced()
                          : node_e9();
        const size_t n = a.n, bth = n - 20; /* behind it: no longer asked for */
        for (a.n = 0; a.n <= n; a.n++) {
            test_context("packet %u, %zu bytes", i, a.n);
            start(&a);
            if (a.n < bth)
                expect(&a, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
            else
                expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        }
    }
}

/* Any bytes: the law, and each reason is among what they give. */
TEST(congestion_point_law)
{
    memset(law_congestion_seen, 0, sizeof law_congestion_seen);
    law_random(law_congestion_point, 20000);
    {
        unsigned i;
        for (i = 0; i < ROCECC_CONGESTION_REASONS; i++) {
            test_context("reason %u", i);
            CHECK(law_congestion_seen[i] != 0);
        }
    }
}
