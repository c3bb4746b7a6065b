/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/notification_point.h"
#include "lib/guard.h"
#include "lib/kept.h"
#include "lib/record.h"
#include "lib/tell.h"
#include "lib/test.h"
#include "lib/trace.h"
#include "../../examples/lib/vec.h"

#include <string.h>

/* Data packets with CE to 2001:db8::1 and 192.0.2.1, and their CNPs. These are v6 and
 * v4 of vectors/cnp.vec. */
#define DATA6                                                                          \
    "60300000 00181140 20010db8 00000000 00000000 00000002 20010db8 00000000 00000000" \
    "00000001 c00012b7 00180000 0400ffff 0000abcd 00000007 00000000"
#define DATA4                                                                          \
    "45030034 00004000 40110000 c0000202 c0000201 c00012b7 00180000 0400ffff 0000abcd" \
    "00000007 00000000"
#define CNP6                                                                           \
    "6c000000 00281140 20010db8 00000000 00000000 00000001 20010db8 00000000 00000000" \
    "00000002 c12312b7 00280000 8100ffff 40123456 00000000 00000000 00000000 00000000" \
    "00000000 8f6a5c9b"
#define CNP4                                                                           \
    "45c0003c 00004000 4011b5ed c0000201 c0000202 c12312b7 00280000 8100ffff 40123456" \
    "00000000 00000000 00000000 00000000 00000000 6dfc2138"

typedef struct point {
    rocecc_notification_config c;
    rocecc_cnpgate gate;
    uint8_t bytes[VEC_BYTES]; /* the packet */
    size_t n;
    uint32_t src_qp;
    uint32_t now_ns;
    size_t room;
    uint8_t *out;
    bool own; /* congestion of the receiver */
} point;

static void start(point *p, const char *hex)
{
    memset(p, 0, sizeof *p);
    p->c.gate = rocecc_cnpgate_paper();
    p->c.cnp = rocecc_cnp_default();
    p->c.cnp.src_port = 0xc123;
    p->src_qp = 0x123456;
    p->room = 80;
    CHECK_EQ(rocecc_notification_point_init(&p->c), ROCECC_NOTIFICATION_ACCEPTED);
    p->gate = rocecc_cnpgate_start(&p->c.gate);
    CHECK(vec_hex(hex, p->bytes, &p->n));
}

/* Expects this verdict, with packet and output at guard pages. Without SENT, only
 * `pending` of the gate may change. */
static rocecc_notification_result step(point *p, rocecc_notification_verdict verdict)
{
    const rocecc_domain config = {.link = ROCECC_LINK_IP,
                                  .ifa = {.protocol = TELL_PROTOCOL, .layout_a = 1},
                                  .intmd = {.udp_port = TELL_PORT}};
    const uint8_t *at = guard_end(p->bytes, p->n);
    const rocecc_reader r = rocecc_reader_of(at, at + p->n);
    const rocecc_cnpgate was = p->gate;
    const rocecc_notification_event e = {p->now_ns, p->src_qp, p->own};
    rocecc_notification_result out;
    rocecc_writer w;
    rocecc_packet f;
    p->out = guard_start(NULL, p->room);
    w = rocecc_writer_of(p->out, p->out + p->room);
    (void)rocecc_packet_parse(&config, r, &f);
    out = rocecc_notification_point_step(&p->c, &p->gate, &f, e, &w);
    CHECK_EQ(out.verdict, verdict);
    CHECK_EQ(w.at, verdict != ROCECC_NOTIFICATION_SENT ? 0
                   : p->bytes[0] >> 4 == 4             ? 60
                                                       : 80);
    if (verdict != ROCECC_NOTIFICATION_SENT) {
        CHECK(p->gate.last_ns == was.last_ns && p->gate.sent == was.sent);
        CHECK_EQ(p->gate.pending, out.arm ? 1 : was.pending);
    }
    if (verdict != ROCECC_NOTIFICATION_HELD) CHECK(!out.arm && out.wait_ns == 0);
    if (!p->own)
        CHECK_EQ(out.cause, verdict == ROCECC_NOTIFICATION_UNMARKED ||
                                    verdict == ROCECC_NOTIFICATION_NOT_DATA
                                ? 0
                                : ROCECC_NOTIFICATION_CAUSE_CE);
    return out;
}

static void check_bytes(const point *p, const char *hex)
{
    uint8_t bytes[VEC_BYTES];
    size_t n = 0;
    CHECK(vec_hex(hex, bytes, &n));
    CHECK(memcmp(p->out, bytes, n) == 0);
}

/* A NIC may be the bottleneck itself. With `own` it also answers unmarked packets, by
 * the same gate, and `cause` tells both causes apart. */
TEST(notification_own_also_answers_unmarked_packets)
{
    unsigned on, counts[ROCECC_NOTIFICATION_CAUSES] = {0, 0, 0, 0};
    uint8_t ecn;
    for (on = 0; on < 2; on++) {
        for (ecn = 0; ecn < 4; ecn++) {
            const bool ce = ecn == 3;
            rocecc_notification_result out;
            point p;
            test_context("own %u, ECN %u", on, (unsigned)ecn);
            start(&p, DATA4);
            p.bytes[1] = ecn;
            p.c.own = (uint8_t)on;
            p.own = true;
            out = step(&p, on || ce ? ROCECC_NOTIFICATION_SENT
                                    : ROCECC_NOTIFICATION_UNMARKED);
            CHECK_EQ(out.cause, (ce ? 1 : 0) + (on ? 2 : 0));
            if (on || ce) check_bytes(&p, CNP4); /* the same CNP */
            counts[out.cause]++;
            if (!on) continue;
            p.now_ns = 49999; /* same interval for both causes */
            CHECK_EQ(step(&p, ROCECC_NOTIFICATION_HELD).cause, ce ? 3 : 2);
            p.bytes[1] = 3;
            p.own = false;
            (void)step(&p, ROCECC_NOTIFICATION_HELD);
            p.now_ns = 50000;
            (void)step(&p, ROCECC_NOTIFICATION_SENT);
            p.bytes[1] = 2; /* no congestion */
            p.now_ns = 200000;
            (void)step(&p, ROCECC_NOTIFICATION_UNMARKED);
        }
    }
    test_context(" ");
    CHECK(counts[0] == 3 && counts[1] == 1 && counts[2] == 3 && counts[3] == 1);
}

/* The CNP has swapped addresses and the packet's P_Key. Its QP comes from the event. */
TEST(FC_24_a_cnp_has_swapped_addresses_and_the_pkey)
{
    point p;
    rocecc_notification_result out;
    start(&p, DATA6);
    out = step(&p, ROCECC_NOTIFICATION_SENT);
    check_bytes(&p, CNP6);
    CHECK_RECORD(ROCECC_CNP_FIELDS, rocecc_cnp, &out.cnp,
                 "src=2001:db8::1 dst=2001:db8::2 dscp=48 hop_limit=64 src_port=0xc123 "
                 "pkey=0xffff becn=1 dest_qp=0x123456");
    start(&p, DATA4);
    out = step(&p, ROCECC_NOTIFICATION_SENT);
    check_bytes(&p, CNP4);
    CHECK_RECORD(ROCECC_CNP_FIELDS, rocecc_cnp, &out.cnp,
                 "src=::ffff:192.0.2.1 dst=::ffff:192.0.2.2 dscp=48 hop_limit=64 "
                 "src_port=0xc123 pkey=0xffff becn=1 dest_qp=0x123456");
    p.bytes[30] = 0x80; /* P_Key */
    p.bytes[31] = 0x01;
    p.src_qp = 0xfedcba;
    p.now_ns = 50000;
    CHECK_EQ(step(&p, ROCECC_NOTIFICATION_SENT).cnp.pkey, 0x8001);
    CHECK_EQ(rocecc_load16(p.out + 30), 0x8001);
    CHECK_EQ(rocecc_load32(p.out + 32), 0x40fedcba);
}

/* init() rejects values wider than a field, a hop limit of 0, and an invalid gate. */
TEST(notification_init_refuses_wide_values_and_bad_gates)
{
    point p;
    start(&p, DATA6);
    p.c.cnp.dscp = 63;
    p.c.cnp.ecn = 3;
    p.c.cnp.flow_label = 0xfffff;
    CHECK_EQ(rocecc_notification_point_init(&p.c), ROCECC_NOTIFICATION_ACCEPTED);
    p.c.cnp.dscp = 64;
    CHECK_EQ(rocecc_notification_point_init(&p.c), ROCECC_NOTIFICATION_REFUSED_CNP);
    p.c.cnp.dscp = 63;
    p.c.cnp.ecn = 4;
    CHECK_EQ(rocecc_notification_point_init(&p.c), ROCECC_NOTIFICATION_REFUSED_CNP);
    p.c.cnp.ecn = 3;
    p.c.cnp.flow_label = 0xfffff;
    p.c.cnp.hop_limit = 0;
    CHECK_EQ(rocecc_notification_point_init(&p.c), ROCECC_NOTIFICATION_REFUSED_CNP);
    p.c.cnp.hop_limit = 1;
    p.c.cnp.flow_label = 0x100000;
    CHECK_EQ(rocecc_notification_point_init(&p.c), ROCECC_NOTIFICATION_REFUSED_CNP);
    memset(&p.c.gate, 0xff, sizeof p.c.gate); /* checked first */
    CHECK_EQ(rocecc_notification_point_init(&p.c), ROCECC_NOTIFICATION_REFUSED_GATE);
}

/* A marked packet with IFA or INT is answered, but a CNP with IFA or INT is not. */
TEST(notification_data_with_ifa_or_int_is_answered)
{
    int i;
    for (i = 0; i < 2 * TELL_HOWS; i++) {
        const bool v6 = i % 2 == 0;
        point p;
        start(&p, v6 ? DATA6 : DATA4);
        p.n = tell(p.bytes, p.n, (tell_how)(i / 2));
        CHECK(p.n > 64 - (v6 ? 0u : 20u));
        (void)step(&p, ROCECC_NOTIFICATION_SENT);
        check_bytes(&p, v6 ? CNP6 : CNP4);
        start(&p, v6 ? CNP6 : CNP4);
        p.n = tell(p.bytes, p.n, (tell_how)(i / 2));
        (void)step(&p, ROCECC_NOTIFICATION_NOT_DATA);
    }
}

/* A second CNP waits until 50 us. With `defer` the gate arms its timer once, and the
 * result has the CNP for this timer. */
TEST(notification_gate_holds_cnps_for_50_us)
{
    point p;
    rocecc_notification_result out;
    start(&p, DATA6);
    (void)step(&p, ROCECC_NOTIFICATION_SENT);
    p.now_ns = 49999;
    out = step(&p, ROCECC_NOTIFICATION_HELD);
    CHECK(!out.arm);
    p.c.gate.defer = 1;
    out = step(&p, ROCECC_NOTIFICATION_HELD);
    CHECK(out.arm);
    CHECK_EQ(out.wait_ns, 1);
    CHECK_EQ(out.cnp.dest_qp, 0x123456); /* for the timer to send */
    out = step(&p, ROCECC_NOTIFICATION_HELD);
    CHECK(!out.arm); /* only once */
    p.now_ns = 50000;
    (void)step(&p, ROCECC_NOTIFICATION_SENT);
}

/* Not-ECT, ECT(1) and ECT(0) give UNMARKED, over IPv6 and IPv4. */
TEST(notification_unmarked_packets_are_not_answered)
{
    point p;
    unsigned ecn;
    for (ecn = 0; ecn < 3; ecn++) {
        start(&p, DATA6);
        p.bytes[1] = (uint8_t)(ecn << 4);
        (void)step(&p, ROCECC_NOTIFICATION_UNMARKED);
        start(&p, DATA4);
        p.bytes[1] = (uint8_t)ecn;
        (void)step(&p, ROCECC_NOTIFICATION_UNMARKED);
    }
}

/* A marked CNP, another UDP port, and a packet without its whole BTH give NOT_DATA. */
TEST(notification_cnps_other_ports_and_cut_packets_are_not_data)
{
    point p;
    size_t n;
    start(&p, CNP6);
    p.bytes[1] |= 0x30; /* a marked CNP */
    (void)step(&p, ROCECC_NOTIFICATION_NOT_DATA);
    start(&p, DATA6);
    p.bytes[43] = 0xb8; /* another port */
    (void)step(&p, ROCECC_NOTIFICATION_NOT_DATA);
    start(&p, DATA6);
    for (n = 0; n < 60; n++) {
        p.n = n;
        (void)step(&p, ROCECC_NOTIFICATION_NOT_DATA);
    }
    p.n = 60; /* the headers are enough */
    (void)step(&p, ROCECC_NOTIFICATION_SENT);
}

/* A group as destination gives MULTICAST. A source that is not a host's address gives
 * BAD_SOURCE. */
TEST(notification_answers_only_packets_between_hosts)
{
    static const uint8_t not_hosts[] = {0, 127, 224, 239, 240, 255};
    point p;
    size_t i;
    start(&p, DATA6);
    p.bytes[24] = 0xff;
    (void)step(&p, ROCECC_NOTIFICATION_MULTICAST);
    start(&p, DATA4);
    for (i = 224; i < 240; i++) {
        p.bytes[16] = (uint8_t)i;
        (void)step(&p, ROCECC_NOTIFICATION_MULTICAST);
    }
    start(&p, DATA6);
    p.bytes[8] = 0xff;
    (void)step(&p, ROCECC_NOTIFICATION_BAD_SOURCE);
    memset(p.bytes + 8, 0, 16);
    (void)step(&p, ROCECC_NOTIFICATION_BAD_SOURCE);
    p.bytes[23] = 1;
    (void)step(&p, ROCECC_NOTIFICATION_BAD_SOURCE);
    p.bytes[23] = 2;
    (void)step(&p, ROCECC_NOTIFICATION_SENT);
    for (i = 0; i < sizeof not_hosts; i++) {
        start(&p, DATA4);
        p.bytes[12] = not_hosts[i];
        (void)step(&p, ROCECC_NOTIFICATION_BAD_SOURCE);
    }
}

/* A CNP that cannot be written leaves the gate open. */
TEST(notification_unwritten_cnp_leaves_the_gate_open)
{
    point p;
    start(&p, DATA6);
    for (p.room = 0; p.room < 80; p.room++)
        (void)step(&p, ROCECC_NOTIFICATION_FAILED);
    p.src_qp = 1 << 24;
    (void)step(&p, ROCECC_NOTIFICATION_FAILED);
    p.src_qp = 5;
    (void)step(&p, ROCECC_NOTIFICATION_SENT);
}

/* The first failed check gives the verdict. The gate is checked before the room. */
TEST(notification_first_failed_check_gives_the_verdict)
{
    point p;
    start(&p, DATA6);
    (void)step(&p, ROCECC_NOTIFICATION_SENT);
    p.room = 0;
    p.bytes[1] = 0;
    p.bytes[8] = p.bytes[24] = 0xff;
    p.bytes[48] = 0x81;
    (void)step(&p, ROCECC_NOTIFICATION_NOT_DATA);
    p.bytes[48] = 0x04;
    (void)step(&p, ROCECC_NOTIFICATION_UNMARKED);
    p.bytes[1] = 0x30;
    (void)step(&p, ROCECC_NOTIFICATION_MULTICAST);
    p.bytes[24] = 0x20;
    (void)step(&p, ROCECC_NOTIFICATION_BAD_SOURCE);
    p.bytes[8] = 0x20;
    (void)step(&p, ROCECC_NOTIFICATION_HELD);
    p.now_ns = 50000;
    (void)step(&p, ROCECC_NOTIFICATION_FAILED);
    p.room = 80;
    (void)step(&p, ROCECC_NOTIFICATION_SENT);
}

TEST(notification_law)
{
    law_random(law_notification_point, 20000);
}

/* Only SENT and HELD require an action, to send the CNP or to set a timer. */
TEST(notification_only_sent_and_held_need_action)
{
    static const bool acts[ROCECC_NOTIFICATION_VERDICTS] = {
        [ROCECC_NOTIFICATION_SENT] = true, [ROCECC_NOTIFICATION_HELD] = true};
    int v;
    for (v = 0; v < ROCECC_NOTIFICATION_VERDICTS; v++)
        CHECK_EQ(rocecc_notification_needs_action((rocecc_notification_verdict)v),
                 acts[v]);
    CHECK(!rocecc_notification_needs_action((rocecc_notification_verdict)0));
}

/* 224.0.0.0/4 is a group only over IPv4. An IPv6 address may have 0xe0 there. */
TEST(notification_0xe0_is_multicast_only_in_ip4)
{
    point p;
    start(&p, DATA6);
    p.bytes[24 + 12] = 0xe0;
    (void)step(&p, ROCECC_NOTIFICATION_SENT);
    start(&p, DATA4);
    p.bytes[16] = 0xe0;
    (void)step(&p, ROCECC_NOTIFICATION_MULTICAST);
}

#define UNTOUCHED 0xa5
#define ROOM 400

static uint8_t written[ROOM];

/* Checks that bytes are written only if a CNP is sent, and none after `at`. */
static void check_written(size_t at, bool sent)
{
    size_t i;
    CHECK_EQ(at != 0, sent);
    for (i = at; i < sizeof written; i++)
        if (written[i] != UNTOUCHED) break;
    CHECK_EQ(i, sizeof written);
}

static void notify(const rocecc_packet *p, rocecc_notification_verdict verdict)
{
    const rocecc_notification_event e = {0, 0x123456, false};
    rocecc_notification_config c = {0};
    rocecc_writer w = rocecc_writer_of(written, written + sizeof written);
    rocecc_cnpgate gate, was;
    c.gate = rocecc_cnpgate_paper();
    c.cnp = rocecc_cnp_default();
    CHECK_EQ(rocecc_notification_point_init(&c), ROCECC_NOTIFICATION_ACCEPTED);
    gate = was = rocecc_cnpgate_start(&c.gate);
    memset(written, UNTOUCHED, sizeof written);
    CHECK_EQ(rocecc_notification_point_step(&c, &gate, p, e, &w).verdict, verdict);
    check_written(w.at, verdict == ROCECC_NOTIFICATION_SENT);
    if (verdict != ROCECC_NOTIFICATION_SENT)
        CHECK(memcmp(&gate, &was, sizeof gate) == 0);
}

/* Without a whole BTH or IP header the verdict is NOT_DATA. */
TEST(notification_packets_cut_after_parsing_are_not_data)
{
    const rocecc_domain d = kept_domain();
    rocecc_packet p = kept_packet(&d, DATA6);
    notify(&p, ROCECC_NOTIFICATION_SENT);
    p.headers.bth = (uint16_t)(p.headers.end - ROCECC_BTH_BYTES + 1);
    notify(&p, ROCECC_NOTIFICATION_NOT_DATA);
    p = kept_packet(&d, DATA6);
    kept_shorten(&p.headers.ip);
    notify(&p, ROCECC_NOTIFICATION_NOT_DATA);
}

/* A marked packet with any opcode except CNP is answered, also an ACK (0x11). */
TEST(notification_answers_every_opcode_except_cnp)
{
    unsigned opcode;
    for (opcode = 0; opcode < 256; opcode++) {
        point p;
        test_context("opcode 0x%02x", opcode);
        start(&p, DATA6);
        p.bytes[48] = (uint8_t)opcode;
        (void)step(&p, opcode == 0x81 ? ROCECC_NOTIFICATION_NOT_DATA
                                      : ROCECC_NOTIFICATION_SENT);
    }
}

/* A marked packet that is trimmed (UDP Length is beyond IP), or a first fragment, is
 * NOT_DATA, because it has no ICRC. */
TEST(notification_trimmed_packets_and_fragments_are_not_data)
{
    point p;
    start(&p, DATA6);
    p.bytes[5] = 20;
    (void)step(&p, ROCECC_NOTIFICATION_NOT_DATA);
    start(&p, DATA4);
    p.bytes[3] = 40;
    (void)step(&p, ROCECC_NOTIFICATION_NOT_DATA);
    start(&p, DATA4);
    p.bytes[6] = 0x20; /* MF */
    (void)step(&p, ROCECC_NOTIFICATION_NOT_DATA);
}

/* CE outside alone is UNMARKED. CE inside is answered, with the inner addresses. */
TEST(notification_reads_the_inner_header_of_a_tunnel)
{
    static const uint8_t outer[40] = {0x60, 0x30, 0,    0,        0,    64,
                                      41,   64,   0x20, [23] = 9, 0x20, [39] = 8};
    unsigned inside;
    for (inside = 0; inside < 2; inside++) {
        point p;
        start(&p, DATA6);
        memmove(p.bytes + 40, p.bytes, p.n);
        memcpy(p.bytes, outer, sizeof outer);
        p.n += sizeof outer;
        p.bytes[1] = inside ? 0 : 0x30;
        p.bytes[40 + 1] = inside ? 0x30 : 0x20;
        (void)step(&p,
                   inside ? ROCECC_NOTIFICATION_SENT : ROCECC_NOTIFICATION_UNMARKED);
        if (inside) check_bytes(&p, CNP6);
    }
}

/* A QP of 25 bits fails only when a CNP is written. A closed gate gives HELD first, and
 * arms its timer. */
TEST(notification_checks_the_gate_before_the_qp)
{
    rocecc_notification_result out;
    point p;
    start(&p, DATA6);
    (void)step(&p, ROCECC_NOTIFICATION_SENT);
    p.c.gate.defer = 1;
    p.src_qp = 1 << 24;
    p.now_ns = 20000;
    out = step(&p, ROCECC_NOTIFICATION_HELD);
    CHECK(out.arm && out.wait_ns == 30000);
    p.now_ns = 50000;
    (void)step(&p, ROCECC_NOTIFICATION_FAILED);
    p.src_qp = 0xffffff;
    (void)step(&p, ROCECC_NOTIFICATION_SENT);
}

/* `cause` is set even without a CNP, except for NOT_DATA. Every value of `own` except 0
 * sets the flag. */
TEST(notification_cause_is_set_even_without_a_cnp)
{
    unsigned flag;
    for (flag = 1; flag < 256; flag *= 2) {
        point p;
        start(&p, DATA6);
        p.own = true;
        p.c.own = (uint8_t)flag;
        p.bytes[1] = 0x20; /* ECT(0) */
        p.bytes[48] = 0x81;
        CHECK_EQ(step(&p, ROCECC_NOTIFICATION_NOT_DATA).cause, 0);
        p.bytes[48] = 0x04;
        p.bytes[24] = 0xff;
        CHECK_EQ(step(&p, ROCECC_NOTIFICATION_MULTICAST).cause, 2);
        p.bytes[24] = 0x20;
        p.bytes[8] = 0xff;
        p.bytes[1] = 0x30; /* CE */
        CHECK_EQ(step(&p, ROCECC_NOTIFICATION_BAD_SOURCE).cause, 3);
        p.bytes[8] = 0x20;
        p.room = 79;
        CHECK_EQ(step(&p, ROCECC_NOTIFICATION_FAILED).cause, 3);
    }
}

/* Addresses, P_Key and QP of the template are ignored, also by init(). */
TEST(notification_ignores_addresses_pkey_and_qp_of_the_template)
{
    point p;
    start(&p, DATA6);
    memset(&p.c.cnp.src, 0xff, sizeof p.c.cnp.src);
    p.c.cnp.dst = p.c.cnp.src;
    p.c.cnp.pkey = 0x1234;
    p.c.cnp.dest_qp = 0xffffffff;
    CHECK_EQ(rocecc_notification_point_init(&p.c), ROCECC_NOTIFICATION_ACCEPTED);
    (void)step(&p, ROCECC_NOTIFICATION_SENT);
    check_bytes(&p, CNP6);
}

/* A CNP may begin at most ROCECC_PACKET_START_MAX bytes into its buffer. */
TEST(notification_cnp_starts_at_most_at_start_max)
{
    static uint8_t out[ROCECC_PACKET_START_MAX + 200];
    const rocecc_notification_event e = {0, 0x123456, false};
    const rocecc_domain d = kept_domain();
    const rocecc_packet f = kept_packet(&d, DATA6);
    size_t beyond;
    for (beyond = 0; beyond < 2; beyond++) {
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        point p;
        start(&p, DATA6);
        (void)rocecc_put(&w, ROCECC_PACKET_START_MAX + beyond);
        CHECK_EQ(rocecc_notification_point_step(&p.c, &p.gate, &f, e, &w).verdict,
                 beyond ? ROCECC_NOTIFICATION_FAILED : ROCECC_NOTIFICATION_SENT);
        CHECK_EQ(p.gate.sent, beyond ? 0 : 1);
        CHECK_EQ(w.at, ROCECC_PACKET_START_MAX + (beyond ? 1u : 80u));
    }
}

/* ::ffff:192.0.2.2 is not an IPv6 host's address, so it gets no CNP over IPv4. */
TEST(notification_rejects_mapped_addresses_in_ipv6)
{
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    point p;
    start(&p, DATA6);
    memcpy(p.bytes + 8, mapped, sizeof mapped);
    memcpy(p.bytes + 20, "\xc0\0\2\2", 4);
    (void)step(&p, ROCECC_NOTIFICATION_BAD_SOURCE);
    memcpy(p.bytes + 24, mapped, sizeof mapped);
    memcpy(p.bytes + 36, "\xc0\0\2\1", 4);
    (void)step(&p, ROCECC_NOTIFICATION_BAD_SOURCE);
}
