/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/congestion_point.h"
#include "lib/kept.h"
#include "lib/noun.h"
#include "lib/tell.h"
#include "lib/trace.h"
#include "rocecc/packet/arrival.h"
#include "rocecc/role/notification_point.h"

#include <stdlib.h>
#include <string.h>

#define SRV6_ROWS "vectors/srv6.vec" /* rows e9, e10, e11 and more */

#define UNTOUCHED 0xa5
#define SENDERS 9
#define MS UINT64_C(1000000)

/* An RC SEND Only with 16 bytes of payload, from 2001:db8:1::10 to 2001:db8:2::20,
 * DestQP 0xabcd. Its ICRC is 0, because switches do not check it. */
static const uint8_t data[80] = {
    0x60, 0x20, 0, 0,    0, 0x28, 0x11, 0x40, 0x20, 0x01, 0x0d, 0xb8, 0,    1,
    0,    0,    0, 0,    0, 0,    0,    0,    0,    0x10, 0x20, 0x01, 0x0d, 0xb8,
    0,    2,    0, 0,    0, 0,    0,    0,    0,    0,    0,    0x20, 0xc1, 0x23,
    0x12, 0xb7, 0, 0x28, 0, 0,    4,    0,    0xff, 0xff, 0,    0,    0xab, 0xcd};

/* Hop-by-Hop header of the same packet with a trace of two nodes. */
static const uint8_t trace[32] = {0x11, 3,    1,    0, 0x31, 26,   0, 0, 0,    0, 0x10,
                                  0,    0x82, 0,    0, 0,    0x3e, 0, 1, 3,    0, 0,
                                  8,    0,    0x3f, 0, 1,    2,    0, 0, 0x10, 0};

static const rocecc_ip6 loopback = {
    {0x20, 0x01, 0x0d, 0xb8, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};

/* A switch and its next event. */
typedef struct node {
    rocecc_congestion_config c;
    rocecc_congestion_point s;
    rocecc_cnpgate gate;
    rocecc_congestion_event e;
    rocecc_acl_entry access[SENDERS], tunnels[2]; /* by default ::/0, and no tunnel */
    rocecc_admission_source sources[SENDERS];
    uint32_t n_access, n_tunnels;
    rocecc_congestion_policy policies[2];
    uint64_t now_ns;
    uint8_t packet[400];
    size_t n;
    rocecc_domain domain;
    rocecc_headers where;
    uint8_t out[700];
    size_t room;
    size_t sent; /* bytes in `out` */
} node;

static rocecc_acl list_of(rocecc_acl_entry *entries, uint32_t n)
{
    rocecc_acl list = {NULL, 0, 0};
    uint32_t at;
    CHECK_EQ(rocecc_acl_init(&list, entries, n, &at), ROCECC_ACL_ACCEPTED);
    return list;
}

static rocecc_congestion_refusal init(rocecc_congestion_config *c,
                                      const rocecc_domain *d)
{
    static const rocecc_acl one_entry = {NULL, 1, 1}; /* its entries are never read */
    return rocecc_congestion_point_init(c, d, &one_entry);
}

static void start(node *a)
{
    int i;
    CHECK_EQ(init(&a->c, &a->domain), ROCECC_CONGESTION_ACCEPTED);
    a->s = rocecc_congestion_point_start(&a->c, a->now_ns);
    CHECK_EQ(a->s.admission.count[ROCECC_ADMISSION_ADMITTED], 0);
    for (i = 0; i < SENDERS; i++)
        a->sources[i] = rocecc_admission_source_start(&a->c.admission, a->now_ns);
    a->e.admission.n_sources = SENDERS;
    a->gate = rocecc_cnpgate_start(&a->c.gate);
}

/* Returns a switch with Fast CNP, laboratory types, a gate of 50 us, and for each
 * sender a burst of 16 and 256 notifications per second. */
static node node_of(const uint8_t *packet, size_t n)
{
    node a;
    memset(&a, 0, sizeof a);
    a.c.fastcnp_enabled = true;
    a.domain.link = ROCECC_LINK_IP;
    a.domain.ifa.protocol = TELL_PROTOCOL;
    a.domain.ifa.layout_a = 1;
    a.domain.intmd.udp_port = TELL_PORT;
    a.domain.fastcnp = law_fastcnp_config(0);
    a.c.answer = rocecc_opcode_set_data();
    a.c.cnp = rocecc_cnp_default();
    a.c.cnp.src = loopback;
    a.c.gate = rocecc_cnpgate_paper();
    a.c.admission = rocecc_admission_for(1, 256);
    a.e.verdict = ROCECC_WRED_MARK;
    a.access[0].permit = 1;
    a.n_access = 1;
    a.room = sizeof a.out;
    a.now_ns = MS;
    memcpy(a.packet, packet, n);
    a.n = n;
    start(&a);
    return a;
}

/* Returns a switch that gets the data packet with the trace before UDP. */
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

static rocecc_congestion_result step(node *a)
{
    uint8_t *at = guard_end(a->packet, a->n);
    const rocecc_reader r = rocecc_reader_of(at, at + a->n);
    rocecc_writer w = rocecc_writer_of(a->out, a->out + a->room);
    const rocecc_cnpgate gate = a->gate;
    const rocecc_congestion_point was = a->s;
    rocecc_admission_source sources[SENDERS];
    const rocecc_acl access = list_of(a->access, a->n_access);
    const rocecc_acl tunnels = list_of(a->tunnels, a->n_tunnels);
    rocecc_congestion_result out;
    rocecc_packet p;
    unsigned packet;
    size_t i;
    memset(a->out, UNTOUCHED, sizeof a->out);
    (void)rocecc_packet_parse(&a->domain, r, &p);
    a->where = p.headers;
    memcpy(sources, a->sources, sizeof sources);
    a->e.admission.now_ns = a->now_ns;
    a->e.admission.list = &access;
    a->e.admission.sources = a->sources;
    a->e.gate = &a->gate;
    a->e.tunnels = &tunnels;
    a->e.policies = a->policies;
    out = rocecc_congestion_point_step(&a->c, &a->s, &p, &a->e, &w);
    a->sent = w.at;
    packet = out.outputs & (ROCECC_CONGESTION_FAST_CNP | ROCECC_CONGESTION_CNP |
                            ROCECC_CONGESTION_CNM);
    CHECK((packet & (packet - 1u)) == 0); /* at most one kind */
    CHECK_EQ(out.reason == ROCECC_CONGESTION_SENT, packet != 0);
    CHECK_EQ(w.at != 0, packet != 0);
    for (i = a->sent; i < sizeof a->out; i++)
        if (a->out[i] != UNTOUCHED) break;
    CHECK_EQ(i, sizeof a->out);
    if (out.reason != ROCECC_CONGESTION_SENT)
        CHECK(memcmp(&gate, &a->gate, sizeof gate) == 0);
    if (out.reason != ROCECC_CONGESTION_SENT &&
        out.reason != ROCECC_CONGESTION_RATE_LIMITED)
        CHECK(memcmp(&was.admission, &a->s.admission, sizeof was.admission) == 0 &&
              memcmp(sources, a->sources, sizeof sources) == 0);
    CHECK_EQ(a->s.admission.count[ROCECC_ADMISSION_ADMITTED],
             was.admission.count[ROCECC_ADMISSION_ADMITTED] +
                 (out.reason == ROCECC_CONGESTION_SENT));
    for (i = 0; i < ROCECC_CONGESTION_REASONS; i++)
        CHECK_EQ(a->s.count[i], was.count[i] + (i == out.reason));
    CHECK(memcmp(at, a->packet, a->n) == 0);
    return out;
}

static void expect(node *a, rocecc_congestion_reason reason, unsigned outputs)
{
    const rocecc_congestion_result out = step(a);
    CHECK_EQ(out.reason, reason);
    CHECK_EQ(out.outputs, outputs);
}

#define BOTH (ROCECC_CONGESTION_FAST_CNP | ROCECC_CONGESTION_MARK)

/* Compares the output with one hex text. */
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

/* Returns the output as its receiver parses it, in the same domain. */
static rocecc_packet sent(node *a)
{
    rocecc_packet p;
    a->domain.link = ROCECC_LINK_IP;
    CHECK_EQ(
        rocecc_packet_parse(&a->domain, rocecc_reader_of(a->out, a->out + a->sent), &p),
        ROCECC_OK);
    return p;
}

static rocecc_cnp sent_cnp(const node *a)
{
    node b = *a;
    const rocecc_packet p = sent(&b);
    rocecc_cnp cnp = rocecc_cnp_default();
    CHECK_EQ(rocecc_cnp_parse(&p, &cnp), ROCECC_OK);
    return cnp;
}

/* Permits every END.CON, by one entry. */
static void answer_tunnels(node *a)
{
    a->tunnels[0].permit = 1;
    a->n_tunnels = 1;
}

/* Returns a switch on the path of E9, configured as in the example. */
static node node_e9(void)
{
    const vec_packet e9 = vec_find(SRV6_ROWS, "e9");
    node a = node_of(e9.bytes, e9.n);
    a.domain.link = ROCECC_LINK_ETHER;
    answer_tunnels(&a);
    a.c.cnp.src.b[15] = 2;
    a.c.cnp.udp_checksum = true;
    a.c.flow_label = 0x12345;
    start(&a);
    return a;
}

/* For an unknown sender the packet is also marked, unless mark_known_only is set. */
TEST(FC_01_packets_of_unknown_senders_are_also_marked)
{
    node a = node_of(data, sizeof data);
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    a = node_of(data, sizeof data);
    a.c.mark_known_only = true;
    expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_FAST_CNP);
    expect(&a, ROCECC_CONGESTION_HELD, ROCECC_CONGESTION_MARK);
}

/* A packet is never marked if a capable sender gets a Fast CNP for it. */
TEST(FC_02_a_fast_cnp_to_a_capable_sender_excludes_the_mark)
{
    unsigned bits;
    for (bits = 0; bits < 8; bits++) {
        node a = bits & 4 ? node_e9() : node_of(data, sizeof data);
        a.e.sender_support = ROCECC_FASTCNP_SUPPORT_YES;
        a.c.mark_known_only = bits & 1;
        a.c.quiet_if_told = bits >> 1 & 1;
        expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_FAST_CNP);
        expect(&a, ROCECC_CONGESTION_HELD,
               a.c.quiet_if_told ? 0 : ROCECC_CONGESTION_MARK);
        a.e.sender_support = ROCECC_FASTCNP_SUPPORT_UNKNOWN;
        expect(&a, ROCECC_CONGESTION_HELD, ROCECC_CONGESTION_MARK);
        a.e.sender_support = ROCECC_FASTCNP_SUPPORT_YES;
        a.c.fastcnp_enabled = false;
        expect(&a, ROCECC_CONGESTION_DISABLED, ROCECC_CONGESTION_MARK);
        a.c.fastcnp_enabled = true;
        a.e.sender_support = ROCECC_FASTCNP_SUPPORT_NO;
        expect(&a, ROCECC_CONGESTION_NOT_CAPABLE, ROCECC_CONGESTION_MARK);
    }
}

/* Only MARK causes a notification, for each kind of sender. */
TEST(congestion_point_notifies_only_if_the_verdict_is_mark)
{
    int sender;
    for (sender = 0; sender < 3; sender++) {
        node a = node_of(data, sizeof data);
        a.e.sender_support = (rocecc_fastcnp_support)sender;
        a.e.verdict = ROCECC_WRED_PASS;
        expect(&a, ROCECC_CONGESTION_NOT_ASKED, 0);
        a.e.verdict = ROCECC_WRED_DROP;
        expect(&a, ROCECC_CONGESTION_NOT_ASKED, ROCECC_CONGESTION_DROP);
        a.e.verdict = 3; /* unknown verdict */
        expect(&a, ROCECC_CONGESTION_NOT_ASKED, 0);
    }
}

/* Returns the address of the sender of `data`. */
static rocecc_ip6 sender_of_data(void)
{
    return rocecc_ip6_load(data + 8);
}

/* Offset of the option in a Fast CNP that is plain, has align8, or is IOAM (form A). */
static const uint8_t option_at[] = {42, 46, 44};

/* Returns a switch after Fast CNP i. *m is the sender's error, without the quote. */
static node rejected_of(unsigned i, rocecc_icmp_message *m)
{
    node a = i == 2 ? node_traced() : node_of(data, sizeof data);
    a.domain.fastcnp.align8 = i == 1;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    m->type = ROCECC_ICMP6_TYPE_PROBLEM;
    m->code = ROCECC_ICMP6_PROBLEM_OPTION;
    m->checksum = 0;
    m->value = option_at[i];
    return a;
}

static bool rejects(node *a, rocecc_icmp_message *m, size_t n)
{
    const rocecc_ip6 sender = sender_of_data();
    uint8_t *at = guard_end(a->out, n);
    m->packet = rocecc_reader_of(at, at + n);
    return rocecc_congestion_point_rejects_fastcnp(&a->c, &a->domain, m, &sender);
}

/* Only an ICMPv6 Parameter Problem with code 2 that points to the option rejects it. */
TEST(FC_03_only_a_problem_at_the_option_rejects_fast_cnp)
{
    unsigned i, other;
    for (i = 0; i < 3; i++) {
        rocecc_icmp_message m;
        node a = rejected_of(i, &m);
        test_context("%u", i);
        CHECK(rejects(&a, &m, a.sent));
        for (other = 0; other < 300; other++) {
            m.value = other;
            CHECK_EQ(rejects(&a, &m, a.sent), other == option_at[i]);
        }
        m.value = option_at[i] + 0x10000u;
        CHECK(!rejects(&a, &m, a.sent));
        m.value = option_at[i];
        for (other = 0; other < 256; other++) {
            m.code = (uint8_t)other;
            CHECK_EQ(rejects(&a, &m, a.sent), other == 2);
        }
        m.code = ROCECC_ICMP6_PROBLEM_OPTION;
        for (other = 0; other < 256; other++) {
            m.type = (uint8_t)other;
            CHECK_EQ(rejects(&a, &m, a.sent), other == 4);
        }
    }
}

/* The quoted packet must be from this switch to this sender, in each address bit. */
TEST(FC_03_the_quote_must_be_from_this_switch_to_this_sender)
{
    rocecc_icmp_message m;
    const node good = rejected_of(0, &m);
    unsigned bit;
    for (bit = 0; bit < 256; bit++) {
        node a = good;
        rocecc_ip6 sender = sender_of_data();
        test_context("bit %u", bit);
        a.out[8 + bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        CHECK(!rejects(&a, &m, a.sent));
        a = good;
        if (bit < 128)
            a.c.cnp.src.b[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        else
            sender.b[bit / 8 - 16] ^= (uint8_t)(0x80 >> bit % 8);
        m.packet = rocecc_reader_of(a.out, a.out + a.sent);
        CHECK(!rocecc_congestion_point_rejects_fastcnp(&a.c, &a.domain, &m, &sender));
    }
}

/* The error counts only if its quote contains the whole address of the option. */
TEST(FC_03_the_quote_must_contain_the_whole_option)
{
    unsigned i;
    size_t n;
    for (i = 0; i < 3; i++) {
        rocecc_icmp_message m;
        node a = rejected_of(i, &m);
        bool before = false, now = false;
        for (n = 0; n <= a.sent; n++) {
            test_context("%u, %zu bytes", i, n);
            now = rejects(&a, &m, n);
            CHECK(!now || n >= option_at[i] + 2u + 16);
            CHECK(now || !before); /* a longer quote counts, too */
            before = now;
        }
        CHECK(now);
    }
}

/* The pointer must be at an option that has a Fast CNP type of the domain. */
TEST(FC_03_the_pointer_must_be_at_a_fast_cnp_option)
{
    rocecc_icmp_message m;
    const node good = rejected_of(0, &m);
    unsigned type;
    node a;
    for (type = 0; type < 256; type++) {
        a = good;
        a.out[42] = (uint8_t)type;
        test_context("type %u", type);
        if (type == 0x9f) continue; /* the domain's IOAM type */
        CHECK_EQ(rejects(&a, &m, a.sent), type == 0x9e);
    }
    a = good;
    a.domain.fastcnp.type_plain = 0x9d;
    CHECK(!rejects(&a, &m, a.sent));
    memset(&a.domain.fastcnp, 0, sizeof a.domain.fastcnp);
    CHECK(!rejects(&a, &m, a.sent));
    a = good;
    a.out[6] = ROCECC_PROTO_UDP; /* no extension header */
    CHECK(!rejects(&a, &m, a.sent));
    a = good;
    a.out[0] = 0x45; /* IPv4 */
    CHECK(!rejects(&a, &m, a.sent));
}

/* The pointer counts from the start of the quoted packet, even in a tunnel. */
TEST(FC_03_the_pointer_counts_from_the_outer_header)
{
    rocecc_icmp_message m;
    node a = rejected_of(0, &m);
    unsigned at;
    memmove(a.out + 40, a.out, a.sent);
    a.out[6] = ROCECC_PROTO_IPV6;
    rocecc_store16(a.out + 4, (uint16_t)a.sent);
    for (at = 0; at < 120; at++) {
        m.value = at;
        CHECK_EQ(rejects(&a, &m, 40 + a.sent), at == 40u + option_at[0]);
    }
}

/* The sender writes the error by rocecc_icmp_build(), and the switch reads it by
 * rocecc_icmp_quoted(). A wrong checksum gives FORMAT. */
TEST(FC_03_the_switch_reads_the_error_of_the_sender)
{
    unsigned i, bad;
    for (i = 0; i < 3; i++)
        for (bad = 0; bad < 2; bad++) {
            rocecc_icmp_message m;
            node a = rejected_of(i, &m);
            const rocecc_icmp_node host = {sender_of_data(), 64, 48};
            const rocecc_arrival_config knows_none = ROCECC_ZERO;
            uint8_t error_bytes[1400];
            rocecc_writer w = rocecc_writer_of(error_bytes, error_bytes + 1400);
            rocecc_packet p = sent(&a), quoted;
            rocecc_icmp_error error;
            rocecc_ip ip;
            CHECK_EQ(rocecc_arrival_check(&knows_none, &p, &p.headers.ip, &error),
                     ROCECC_ARRIVAL_UNKNOWN_OPTION);
            CHECK_EQ(rocecc_icmp_build(&w, p.bytes, &error, &host), ROCECC_OK);
            error_bytes[w.at - 1] ^= (uint8_t)bad;
            (void)rocecc_packet_parse(&a.domain, rocecc_written(&w), &p);
            CHECK_EQ(rocecc_icmp_quoted(&p, &m, &quoted),
                     bad ? ROCECC_ERR_FORMAT : ROCECC_OK);
            if (bad) continue;
            CHECK_EQ(rocecc_packet_ip(&p, &p.headers.ip, &ip), ROCECC_OK);
            CHECK(
                rocecc_congestion_point_rejects_fastcnp(&a.c, &a.domain, &m, &ip.src));
        }
}

/* A Fast CNP goes from the switch to the packet's source, if this is a host. */
TEST(FC_04_a_fast_cnp_goes_from_the_switch_to_the_source)
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
        expect(&b, ROCECC_CONGESTION_BAD_SOURCE, ROCECC_CONGESTION_MARK);
        memcpy(b.c.cnp.src.b, b.packet + 8, 16);
        CHECK_EQ(init(&b.c, &b.domain), ROCECC_CONGESTION_REFUSED_ADDRESS);
        b = node_e9(); /* the tunnel's source */
        memcpy(b.packet + 14 + 8, bad[i], 16);
        if (i == 3) b.packet[32] = b.packet[33] = 0xff;
        expect(&b, ROCECC_CONGESTION_BAD_SOURCE, ROCECC_CONGESTION_MARK);
    }
}

/* The source is this switch's address, so that the sender can route around it. */
TEST(FC_06_the_source_is_the_switch_address)
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

/* The Fast CNP has the DestQP, P_Key and source port of the packet, in every bit. */
TEST(FC_07_a_fast_cnp_copies_dest_qp_pkey_and_source_port)
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

/* With IFA or INT the answer is the same, although the BTH is not next to UDP. */
TEST(congestion_point_ifa_and_int_do_not_change_the_fast_cnp)
{
    int how;
    for (how = 0; how < TELL_HOWS; how++) {
        node a = node_of(data, sizeof data), without = a;
        rocecc_cnp cnp;
        rocecc_ip6 src;
        expect(&without, ROCECC_CONGESTION_SENT, BOTH);
        a.n = tell(a.packet, a.n, (tell_how)how);
        CHECK(a.n > sizeof data);
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        CHECK((a.where.ifa | a.where.intmd) != 0);
        CHECK(a.sent == without.sent && memcmp(a.out, without.out, a.sent) == 0);
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

/* A Fast CNP has one header with one option, as in the specification's examples. */
TEST(FC_08_a_fast_cnp_has_one_header_with_one_option)
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
    a.domain.fastcnp.align8 = true;
    start(&a);
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    check_sent(&a, PLAIN_IP "1102010200009e1020010db8000200000000000000000020" ROCE
                            "c4b95dc8");
    a = node_traced();
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    check_sent(&a, IOAM_IP "110501009f2a000000001000820000003e00010300000800"
                           "3f0001020000100020010db8000200000000000000000020" ROCE
                           "f468fdcd");
    a.domain.fastcnp.form = ROCECC_FASTCNP_FORM_B;
    start(&a);
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    check_sent(&a, IOAM_IP "11059f2800001000820000003e000103000008003f000102"
                           "0000100020010db800020000000000000000002001020000" ROCE
                           "db8f2abb");
}

/* Returns a switch that gets the data packet with a trace of this many nodes, 8 bytes
 * each, after the trace's header of 8 bytes. */
static node node_with_nodes(unsigned nodes)
{
    node a = node_of(data, sizeof data);
    const size_t more = 16 + 8 * nodes; /* length of the Hop-by-Hop header */
    memmove(a.packet + 40 + more, a.packet + 40, 40);
    memset(a.packet + 40, 0, more);
    memcpy(a.packet + 40, trace, 16); /* up to the nodes */
    a.packet[41] = (uint8_t)(more / 8 - 1);
    a.packet[45] = (uint8_t)(10 + 8 * nodes); /* option length */
    a.n += more;
    rocecc_store16(a.packet + 4, (uint16_t)(a.n - 40));
    a.packet[6] = ROCECC_PROTO_HOPOPTS;
    return a;
}

/*
 * A packet with a trace gets the IOAM kind, unless plain_only is set. If this kind is
 * off or does not fit, plain_if_long selects the plain kind, or else the reason is
 * BAD_OPTIONS. In form A a trace of at most 237 bytes fits, so 28 nodes but not 29.
 */
TEST(FC_09_a_packet_with_a_trace_gets_the_ioam_kind)
{
    node a = node_traced();
    a.c.plain_only = true;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK_EQ(a.out[42], 0x9e);
    a = node_traced();
    a.domain.fastcnp.type_ioam = 0;
    expect(&a, ROCECC_CONGESTION_BAD_OPTIONS, ROCECC_CONGESTION_MARK);
    a.c.plain_if_long = true;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK_EQ(a.out[42], 0x9e);
    a = node_traced();
    a.c.plain_if_long = true; /* it is not long */
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK_EQ(a.out[44], 0x9f);
    a = node_with_nodes(28); /* 232 bytes */
    a.c.plain_if_long = true;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK_EQ(a.out[44], 0x9f);
    a = node_with_nodes(29); /* 240 bytes */
    expect(&a, ROCECC_CONGESTION_BAD_OPTIONS, ROCECC_CONGESTION_MARK);
    a.c.plain_if_long = true;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK_EQ(a.out[42], 0x9e);
    a = node_of(data, sizeof data);
    a.domain.fastcnp.type_plain = 0;
    start(&a);
    expect(&a, ROCECC_CONGESTION_BAD_OPTIONS, ROCECC_CONGESTION_MARK);
    a = node_traced(); /* NodeLen 0 with node data, not a trace */
    a.packet[50] = 0;
    expect(&a, ROCECC_CONGESTION_BAD_OPTIONS, ROCECC_CONGESTION_MARK);
    a = node_traced(); /* its option overruns the header */
    a.packet[45] = 255;
    a.c.plain_only = true;
    expect(&a, ROCECC_CONGESTION_BAD_OPTIONS, ROCECC_CONGESTION_MARK);
}

/* The gate and the buckets limit Fast CNPs independently. */
TEST(FC_18_gate_and_buckets_limit_fast_cnps)
{
    node a = node_of(data, sizeof data), b;
    rocecc_cnpgate gates[20];
    unsigned i;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    for (i = 0; i < 1000; i++) /* HELD takes no token */
        expect(&a, ROCECC_CONGESTION_HELD, ROCECC_CONGESTION_MARK);
    a.now_ns += 49999;
    expect(&a, ROCECC_CONGESTION_HELD, ROCECC_CONGESTION_MARK);
    a.now_ns++;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);

    a = node_of(data, sizeof data);
    memset(gates, 0, sizeof gates);
    for (i = 0; i < 20; i++) { /* 20 flows, with a burst of 16 for their sender */
        a.gate = gates[i];
        expect(&a, i < 16 ? ROCECC_CONGESTION_SENT : ROCECC_CONGESTION_RATE_LIMITED,
               i < 16 ? BOTH : ROCECC_CONGESTION_MARK);
        gates[i] = a.gate;
    }
    CHECK_EQ(gates[19].sent, 0); /* RATE_LIMITED leaves the gate open */
    a.now_ns += 3906249;         /* 1 ns less than a token at 256 per second */
    expect(&a, ROCECC_CONGESTION_RATE_LIMITED, ROCECC_CONGESTION_MARK);
    a.now_ns++;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);

    b = node_of(data, sizeof data);
    memset(&b.c.admission, 0, sizeof b.c.admission);
    b.c.admission.unlimited = true;
    start(&b);
    b.e.admission.n_sources = 0;
    for (i = 0; i < 100; i++, b.now_ns += 50000)
        expect(&b, ROCECC_CONGESTION_SENT, BOTH);
}

/* Returns a switch with n listed senders from 2001:db8:1::10 on, each with its tag. */
static node node_for(uint16_t misbehaving, uint32_t n)
{
    node a = node_of(data, sizeof data);
    uint32_t i;
    a.c.gate.interval_ns = 0;
    a.c.admission = rocecc_admission_for(misbehaving, 1000);
    a.n_access = n;
    for (i = 0; i < n; i++) {
        a.access[i].prefix = sender_of_data();
        a.access[i].prefix.b[15] = (uint8_t)(0x10 + i);
        a.access[i].length = 128;
        a.access[i].permit = 1;
        a.access[i].tag = i;
        a.access[i].parent = 0;
    }
    start(&a);
    return a;
}

/* Each sender has its own tokens, and a tag without buckets has none. */
TEST(FC_18_each_sender_has_its_own_tokens)
{
    node a = node_for(1, 3);
    unsigned k, i;
    for (k = 0; k < 2; k++) {
        a.packet[23] = (uint8_t)(0x10 + k);
        for (i = 0; i < 62 + 5; i++) /* a burst of 1000 / 16 notifications */
            expect(&a, i < 62 ? ROCECC_CONGESTION_SENT : ROCECC_CONGESTION_RATE_LIMITED,
                   i < 62 ? BOTH : ROCECC_CONGESTION_MARK);
    }
    CHECK_EQ(a.s.admission.count[ROCECC_ADMISSION_SOURCE_LIMITED], 10);
    a.packet[23] = 0x12; /* the shared bucket is empty */
    expect(&a, ROCECC_CONGESTION_RATE_LIMITED, ROCECC_CONGESTION_MARK);
    CHECK_EQ(a.s.admission.count[ROCECC_ADMISSION_SHARED_LIMITED], 1);
    a.now_ns += 1000 * MS;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    a.e.admission.n_sources = 2;
    expect(&a, ROCECC_CONGESTION_RATE_LIMITED, ROCECC_CONGESTION_MARK);
}

/*
 * n senders cause CE 100,000 times per second each, every time in a new flow. An honest
 * sender causes it 100 times per second, and gets at least 99 % of its notifications.
 */
TEST(FC_18_a_congesting_sender_takes_only_its_own_tokens)
{
    static const unsigned counts[] = {1, 2, 8};
    const uint64_t time_ns = test_rounds(2000) == 2000 ? 2000 * MS : 250 * MS;
    unsigned c, i;
    for (c = 0; c < 3; c++) {
        const unsigned n = counts[c];
        node a = node_for((uint16_t)n, n + 1);
        const rocecc_acl list = list_of(a.access, n + 1);
        uint64_t next_ns[SENDERS], asked[SENDERS] = {0}, answered[SENDERS] = {0};
        for (i = 0; i <= n; i++)
            next_ns[i] = 1000 * (uint64_t)i;
        a.e.admission.list = &list;
        a.e.admission.sources = a.sources;
        a.e.gate = &a.gate;
        for (;;) {
            rocecc_writer w = rocecc_writer_of(a.out, a.out + sizeof a.out);
            rocecc_congestion_result out;
            rocecc_packet p;
            unsigned who = 0;
            for (i = 1; i <= n; i++)
                if (next_ns[i] < next_ns[who]) who = i;
            if (next_ns[who] >= time_ns) break;
            a.e.admission.now_ns = a.now_ns + next_ns[who];
            next_ns[who] += who < n ? 10000 : 10 * MS;
            a.packet[23] = (uint8_t)(0x10 + who);
            (void)rocecc_packet_parse(&a.domain,
                                      rocecc_reader_of(a.packet, a.packet + a.n), &p);
            out = rocecc_congestion_point_step(&a.c, &a.s, &p, &a.e, &w);
            asked[who]++;
            answered[who] += out.reason == ROCECC_CONGESTION_SENT;
        }
        test_context("%u", n);
        for (i = 0; i < n; i++)
            CHECK(answered[i] > time_ns / MS && answered[i] <= time_ns / MS + 63);
        CHECK_EQ(asked[n], time_ns / (10 * MS));
        CHECK((asked[n] - answered[n]) * 100 <= asked[n]);
    }
}

/* After the clock steps back, the bucket refills from the new time on. */
TEST(FC_18_buckets_refill_after_the_clock_steps_back)
{
    node a = node_of(data, sizeof data);
    unsigned i;
    a.c.gate = rocecc_cnpgate_ns3();
    a.now_ns = 1000000 * MS;
    start(&a);
    for (i = 0; i < 16; i++)
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    a.now_ns = MS;
    expect(&a, ROCECC_CONGESTION_RATE_LIMITED, ROCECC_CONGESTION_MARK);
    a.now_ns += 4 * MS;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
}

/* A border matches each Fast CNP of the switch, and no packet that it answers. */
TEST(FC_20_a_border_matches_each_fast_cnp_of_the_switch)
{
    unsigned bits, tunnel;
    for (bits = 0; bits < 32; bits++)
        for (tunnel = 0; tunnel < 3; tunnel++) {
            node a = tunnel == 0   ? node_of(data, sizeof data)
                     : tunnel == 1 ? node_traced()
                                   : node_e9();
            rocecc_packet p;
            rocecc_congestion_result out;
            a.domain.fastcnp = law_fastcnp_config((uint8_t)bits);
            if (bits / 8 == 3) continue; /* off */
            start(&a);
            out = step(&a);
            p = rocecc_packet_attach(
                &a.domain, rocecc_reader_of(a.packet, a.packet + a.n), &a.where);
            CHECK(!rocecc_fastcnp_match(&p));
            if (out.reason != ROCECC_CONGESTION_SENT) {
                CHECK_EQ(out.reason, ROCECC_CONGESTION_BAD_OPTIONS);
                CHECK(tunnel == 1 ? bits >> 4 & 1 : bits >> 3 & 1);
                continue;
            }
            p = sent(&a);
            CHECK(rocecc_fastcnp_match(&p));
        }
}

/* The reason is DISABLED while fastcnp_enabled is false, and SENT when it is set. */
TEST(FC_21_the_switch_can_turn_fast_cnp_off)
{
    node a = node_of(data, sizeof data);
    a.c.fastcnp_enabled = false;
    start(&a);
    expect(&a, ROCECC_CONGESTION_DISABLED, ROCECC_CONGESTION_MARK);
    a.c.fastcnp_enabled = true;
    start(&a);
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
}

/* A configuration of all 0 is off. It only marks and drops packets. */
TEST(FC_22_a_switch_with_a_configuration_of_0_is_off)
{
    node a = node_of(data, sizeof data);
    memset(&a.c, 0, sizeof a.c);
    memset(&a.domain, 0, sizeof a.domain);
    a.domain.link = ROCECC_LINK_IP;
    start(&a);
    expect(&a, ROCECC_CONGESTION_DISABLED, ROCECC_CONGESTION_MARK);
    a.e.verdict = ROCECC_WRED_DROP;
    expect(&a, ROCECC_CONGESTION_NOT_ASKED, ROCECC_CONGESTION_DROP);
    a.c.fastcnp_enabled = true;
    CHECK_EQ(init(&a.c, &a.domain), ROCECC_CONGESTION_REFUSED_TYPES);
}

/* init() returns the reason for each bad value, and changes nothing. */
TEST(congestion_point_init_refuses_each_bad_value)
{
    unsigned i;
    for (i = 0; i < 24; i++) {
        rocecc_congestion_config c = node_of(data, sizeof data).c, was;
        rocecc_domain d = node_of(data, sizeof data).domain;
        rocecc_congestion_refusal should = ROCECC_CONGESTION_REFUSED_CNP;
        if (i == 0) c.cnp.dscp = 64;
        if (i == 1) c.cnp.ecn = 4;
        if (i == 2) c.cnp.flow_label = 1 << 20;
        if (i == 3) c.flow_label = 1 << 20;
        if (i >= 4) should = ROCECC_CONGESTION_REFUSED_RULE;
        if (i == 4) c.icrc_rule = ROCECC_ICRC_STANDARD;
        if (i == 5) c.icrc_rule = ROCECC_ICRC_NONE + 1;
        if (i >= 6) should = ROCECC_CONGESTION_REFUSED_ANSWER;
        if (i == 6) memset(&c.answer, 0, sizeof c.answer);
        if (i >= 7) should = ROCECC_CONGESTION_REFUSED_GATE;
        if (i == 8) c.gate.interval_ns = (uint32_t)1 << 31;
        if (i == 9) c.gate.defer = 1;
        if (i == 10) c.gate.defer = 2;
        if (i == 7) c.gate.defer = 3;
        if (i >= 11) should = ROCECC_CONGESTION_REFUSED_LIMIT;
        if (i == 11) c.admission.source.rate_per_s = 0;
        if (i == 12) c.admission.source.burst = 0;
        if (i >= 13) should = ROCECC_CONGESTION_REFUSED_TYPES;
        if (i == 13) d.fastcnp.type_plain = 0x1e;
        if (i >= 14) should = ROCECC_CONGESTION_ACCEPTED;
        if (i == 14) memset(&c.admission, 0, sizeof c.admission);
        if (i == 14) c.admission.unlimited = true;
        if (i == 15) c.admission.source.burst = 0x7fffffff;
        if (i == 15) c.admission.verify.burst = c.admission.shared.burst = 0xffffffff;
        if (i == 16) c.icrc_rule = ROCECC_ICRC_NONE;
        if (i == 17) c.cnp.flow_label = c.flow_label = 0xfffff;
        if (i == 18) c.cnp.hop_limit = 1;
        if (i >= 19) c.cnp.hop_limit = 0;
        if (i >= 19) should = ROCECC_CONGESTION_REFUSED_CNP;
        if (i == 20) c.fastcnp_enabled = false, c.standard_cnp = true;
        if (i >= 21) c.cnp.hop_limit = 1, should = ROCECC_CONGESTION_REFUSED_LIMIT;
        if (i == 21) c.admission.misbehaving = 0;
        if (i == 22) c.admission.shared.burst = 31; /* 16 for each of two */
        if (i == 23) c.admission.verify.burst = 15;
        was = c;
        test_context("case %u", i);
        CHECK_EQ(init(&c, &d), should);
        if (should != ROCECC_CONGESTION_ACCEPTED)
            CHECK(memcmp(&c, &was, sizeof c) == 0);
    }
}

/* A congested switch marks only the outer header. */
TEST(R_ECN_2_only_the_outer_header_is_marked)
{
    static const rocecc_domain d;
    vec_packet w = vec_find(SRV6_ROWS, "e9");
    const vec_packet was = w;
    rocecc_writer out = rocecc_writer_of(w.bytes, w.bytes + w.n);
    rocecc_packet p;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(w.bytes, w.bytes + w.n), &p);
    CHECK(rocecc_congestion_point_mark(&p, out));
    CHECK_EQ(rocecc_load16(w.bytes + 14), 0x6035);
    w.bytes[15] = was.bytes[15];
    CHECK(memcmp(w.bytes, was.bytes, w.n) == 0);
}

/* Each ECN field except Not-ECT becomes CE, and IPv4's checksum follows. No other byte
 * changes. A missing header is not marked. */
TEST(congestion_point_mark_writes_ce_unless_not_ect)
{
    unsigned ecn, v4;
    for (v4 = 0; v4 < 2; v4++)
        for (ecn = 0; ecn < 4; ecn++) {
            static const uint8_t ip4[28] = {0x45, 0x8c, 0, 28, 0, 0, 0x40, 0, 64, 17,
                                            0,    0,    1, 2,  3, 4, 5,    6, 7,  8,
                                            1,    2,    3, 4,  0, 8, 0,    0};
            const rocecc_domain d = {.link = ROCECC_LINK_IP};
            const size_t n = v4 ? sizeof ip4 : sizeof data;
            uint8_t bytes[80], should[80], *at;
            rocecc_packet p;
            rocecc_reader r;
            memcpy(bytes, v4 ? ip4 : data, n);
            if (v4)
                bytes[1] = (uint8_t)(0x8c | ecn);
            else
                bytes[1] = (uint8_t)(ecn << 4);
            at = guard_end(bytes, n);
            r = rocecc_reader_of(at, at + n);
            if (v4)
                rocecc_store16(at + 10,
                               rocecc_ipv4_checksum(rocecc_subrange(r, 0, 20)));
            memcpy(should, at, n);
            if (ecn != 0) should[1] |= v4 ? 0x03 : 0x30;
            if (v4)
                rocecc_store16(should + 10, rocecc_ipv4_checksum(
                                                rocecc_reader_of(should, should + 20)));
            (void)rocecc_packet_parse(&d, r, &p);
            test_context("version %d, ecn %u", v4 ? 4 : 6, ecn);
            CHECK_EQ(rocecc_congestion_point_mark(&p, rocecc_writer_of(at, at + n)),
                     ecn != 0);
            CHECK(memcmp(at, should, n) == 0);
            if (v4)
                CHECK_EQ(rocecc_checksum_final(
                             rocecc_checksum_update(0, rocecc_subrange(r, 0, 20))),
                         0);
            /* A header outside the writer is not changed. */
            CHECK(!rocecc_congestion_point_mark(&p, rocecc_writer_of(at, at + 19)));
            CHECK_EQ(rocecc_congestion_point_mark(&p, rocecc_writer_of(at, at + 20)),
                     ecn != 0);
            p.headers.ip.offset = 200;
            CHECK(!rocecc_congestion_point_mark(&p, rocecc_writer_of(at, at + n)));
            p.headers.ip.version = 0;
            CHECK(!rocecc_congestion_point_mark(&p, rocecc_writer_of(at, at + n)));
            CHECK(memcmp(at, should, n) == 0);
        }
}

/* mark() ignores the position of a writer that has written before. */
TEST(congestion_point_mark_ignores_the_position_of_the_writer)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    uint8_t bytes[80];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_packet p;
    memcpy(bytes, data, sizeof bytes);
    (void)rocecc_packet_parse(&d, rocecc_reader_of(bytes, bytes + sizeof bytes), &p);
    w.at = 4;
    CHECK(rocecc_congestion_point_mark(&p, w));
    CHECK_EQ(bytes[1], data[1] | 0x30);
    bytes[1] = data[1];
    CHECK(memcmp(bytes, data, sizeof bytes) == 0);
}

/* A new switch has all tokens, and its counters are 0. */
TEST(congestion_point_starts_with_full_buckets)
{
    node a = node_of(data, sizeof data);
    int i;
    a.now_ns = 5 * MS;
    start(&a);
    CHECK_EQ(a.s.admission.shared.level_e9, 32 * UINT64_C(1000000000));
    CHECK_EQ(a.s.admission.shared.last_ns, 5 * MS);
    for (i = 0; i < ROCECC_CONGESTION_REASONS; i++)
        CHECK_EQ(a.s.count[i], 0);
}

/* The answer to E9 is E10 without its Ethernet header. */
TEST(R_CON_4_R_CON_8_R_CON_9_the_answer_to_e9_is_e10)
{
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    node a = node_e9();
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK_EQ(a.sent, e10.n - 14);
    CHECK(memcmp(a.out, e10.bytes + 14, e10.n - 14) == 0);
    a.now_ns += MS; /* the same if the outer header had CE before */
    a.packet[15] = 0x35;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK(memcmp(a.out, e10.bytes + 14, e10.n - 14) == 0);
}

/* The Fast CNP follows a policy only if the policy leads to this END.CON (E11). */
TEST(R_CON_10_a_policy_for_this_end_con_gives_e11)
{
    static const rocecc_ip6 policy[] = {
        {{0x20, 0x01, 0x0d, 0xb8, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0c}},
        {{0x20, 0x01, 0x0d, 0xb8, 0, 0xf1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0e}}};
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10"), e11 = vec_find(SRV6_ROWS, "e11");
    unsigned bit, i;
    node a = node_e9();
    a.policies[1].segment[0] = policy[0];
    a.policies[1].segment[1] = policy[1];
    a.policies[1].n = 2;
    a.tunnels[0].tag = 1;
    a.e.n_policies = 2;
    start(&a);
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK_EQ(a.sent, e11.n - 14);
    CHECK(memcmp(a.out, e11.bytes + 14, e11.n - 14) == 0);
    for (bit = 0; bit < 128; bit++) { /* for another END.CON, so unused */
        a.policies[1].segment[0].b[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        start(&a);
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        CHECK_EQ(a.sent, e10.n - 14);
        CHECK(memcmp(a.out, e10.bytes + 14, e10.n - 14) == 0);
        a.policies[1].segment[0].b[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
    }
    a.policies[1].n = 1; /* END.CON alone */
    start(&a);
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK(a.sent == e10.n - 14 && memcmp(a.out, e10.bytes + 14, a.sent) == 0);
    a.c.admission.unlimited = true;
    for (i = 8; i <= 255; i++) { /* empty or invalid, so unused */
        a.policies[1].n = (uint8_t)(i == 8 ? 0 : i);
        a.now_ns += MS;
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        CHECK(a.sent == e10.n - 14 && memcmp(a.out, e10.bytes + 14, a.sent) == 0);
    }
}

/* A policy of 2 to 8 segments gives an SRH. Its last segment is the destination. */
TEST(R_CON_10_policies_of_2_to_8_segments_give_an_srh)
{
    const vec_packet e11 = vec_find(SRV6_ROWS, "e11");
    unsigned n, i;
    for (n = 2; n <= 8; n++) {
        node a = node_e9();
        const uint8_t *srh = a.out + 40;
        for (i = 0; i < 8; i++) {
            a.policies[0].segment[i] = rocecc_ip6_load(e11.bytes + 14 + 48);
            a.policies[0].segment[i].b[7] = (uint8_t)i;
        }
        a.policies[0].n = (uint8_t)n;
        a.e.n_policies = 1;
        start(&a);
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        CHECK_EQ(a.sent, e11.n - 14 - 32 + 16 * n);
        CHECK_EQ(srh[1], 2 * n);
        CHECK_EQ(srh[3], n - 1);
        CHECK_EQ(srh[4], n - 1);
        for (i = 0; i < n; i++)
            CHECK(memcmp(srh + 8 + 16 * i, a.policies[0].segment[i].b, 16) == 0);
        CHECK(memcmp(a.out + 24, a.policies[0].segment[n - 1].b, 16) == 0);
        a.now_ns += MS;
        a.room = e11.n - 14 - 32 + 16 * n - 1; /* one byte too few */
        expect(&a, ROCECC_CONGESTION_NO_SPACE, ROCECC_CONGESTION_MARK);
        a.room++;
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        CHECK_EQ(a.sent, a.room);
    }
}

/* The outer header has the DSCP and the ECN field of the Fast CNP. */
TEST(R_CON_9_the_outer_header_has_dscp_and_ecn_of_the_fast_cnp)
{
    unsigned ecn;
    for (ecn = 0; ecn < 4; ecn++) {
        node a = node_e9();
        a.c.cnp.ecn = (rocecc_ecn)ecn;
        a.c.cnp.dscp = 46;
        start(&a);
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        CHECK_EQ(rocecc_load16(a.out), 0x6b81u | ecn << 4);
        CHECK_EQ(rocecc_load16(a.out + 40), 0x6b80u | ecn << 4);
        CHECK_EQ(a.out[7], 64);
    }
}

/* A tunnel is answered only with RoCEv2 data inside, and only from a listed END.CON. */
TEST(R_CON_7_tunnels_without_rocev2_data_are_not_answered)
{
    node a = node_e9();
    a.packet[0x89] ^= 1; /* another port */
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
    a.packet[0x64] = 41; /* a second tunnel */
    expect(&a, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
    a = node_e9();
    a.n_tunnels = 0;
    expect(&a, ROCECC_CONGESTION_UNLISTED_TUNNEL, ROCECC_CONGESTION_MARK);
}

/* The switch does not answer its own Fast CNPs, with a tunnel or without. */
TEST(R_CON_7_fast_cnps_are_not_answered)
{
    unsigned i;
    for (i = 0; i < 3; i++) {
        node a = i == 0   ? node_of(data, sizeof data)
                 : i == 1 ? node_traced()
                          : node_e9();
        node b;
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        b = node_of(a.out, a.sent);
        answer_tunnels(&b);
        expect(&b, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
    }
}

/* An IPv4 tunnel does not come from an END.CON, and IPv4 data gets no Fast CNP. */
TEST(congestion_point_sends_fast_cnps_only_over_ip6)
{
    static const uint8_t outer[20] = {0x45, 2, 0, 100, 0, 0, 0, 0, 64, 41,
                                      0,    0, 1, 2,   3, 4, 5, 6, 7,  8};
    node a = node_of(data, sizeof data);
    memmove(a.packet + 20, a.packet, sizeof data);
    memcpy(a.packet, outer, 20);
    a.n += 20;
    answer_tunnels(&a);
    expect(&a, ROCECC_CONGESTION_UNLISTED_TUNNEL, ROCECC_CONGESTION_MARK);
    CHECK_EQ(a.where.status, ROCECC_OK);
    a = node_of(data + 20, sizeof data - 20);
    memcpy(a.packet, outer, 20);
    a.packet[3] = 60;
    a.packet[9] = 17;
    expect(&a, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
    CHECK_EQ(a.where.status, ROCECC_OK);
}

/* A Fast CNP that does not fit in the room changes neither gate nor buckets. */
TEST(R_CON_13_no_space_leaves_gate_and_buckets_unchanged)
{
    unsigned i;
    for (i = 0; i < 4; i++) {
        node a = i == 0   ? node_of(data, sizeof data)
                 : i == 1 ? node_traced()
                          : node_e9();
        const size_t bytes = i == 0 ? 104 : i == 1 ? 128 : 144;
        for (a.room = 0; a.room < bytes; a.room++)
            expect(&a, ROCECC_CONGESTION_NO_SPACE, ROCECC_CONGESTION_MARK);
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        CHECK_EQ(a.sent, bytes);
    }
}

/* A Fast CNP may begin at most ROCECC_PACKET_START_MAX bytes into its buffer. */
TEST(congestion_point_fast_cnp_starts_at_most_at_start_max)
{
    static uint8_t out[ROCECC_PACKET_START_MAX + 300];
    unsigned i;
    for (i = 0; i < 4; i++) {
        node a = i < 2 ? node_of(data, sizeof data) : node_e9();
        const rocecc_acl access = list_of(a.access, 1);
        const size_t at = ROCECC_PACKET_START_MAX - (i < 2 ? 0u : 40u) + (i & 1);
        const rocecc_reader r = rocecc_reader_of(a.packet, a.packet + a.n);
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_packet p;
        (void)rocecc_put(&w, at);
        (void)rocecc_packet_parse(&a.domain, r, &p);
        a.e.admission.now_ns = a.now_ns;
        a.e.admission.list = &access;
        a.e.admission.sources = a.sources;
        a.e.gate = &a.gate;
        a.e.tunnels = &access;
        CHECK_EQ(rocecc_congestion_point_step(&a.c, &a.s, &p, &a.e, &w).reason,
                 i & 1 ? ROCECC_CONGESTION_NO_SPACE : ROCECC_CONGESTION_SENT);
        CHECK_EQ(a.gate.sent, i & 1 ? 0 : 1);
        CHECK_EQ(a.sources[0].admitted.level_e9,
                 (i & 1 ? 16u : 15u) * UINT64_C(1000000000));
        CHECK_EQ(a.s.admission.shared.level_e9,
                 (i & 1 ? 32u : 31u) * UINT64_C(1000000000));
    }
}

/* A packet that is cut before the end of its BTH is NOT_DATA. */
TEST(congestion_point_a_fast_cnp_needs_the_whole_bth)
{
    unsigned i;
    for (i = 0; i < 3; i++) {
        node a = i == 0   ? node_of(data, sizeof data)
                 : i == 1 ? node_traced()
                          : node_e9();
        const size_t n = a.n, bth = n - 20; /* the end of the BTH */
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

/* Standard CNPs (R-L3-14) and QCN queues. The expected answers to these packets are
 * rows of the vectors, from other sources. */
#define CNP_ROWS "vectors/cnp.vec"     /* v4, v6, v4-sum and v6-sum */
#define L3QCN_ROWS "vectors/l3qcn.vec" /* E4 and E5 */
#define FRAME_ROWS "vectors/frame.vec" /* E1 */

/* Data from 192.0.2.2 to 192.0.2.1, 2001:db8::2 to ::1, UDP source port 0xc123. */
static const uint8_t data4[44] = {0x45, 2,    0,    44,   0,    0,    0x40, 0, 64, 17,
                                  0,    0,    192,  0,    2,    2,    192,  0, 2,  1,
                                  0xc1, 0x23, 0x12, 0xb7, 0,    24,   0,    0, 4,  0,
                                  0xff, 0xff, 0,    0,    0xab, 0xcd, 0,    0, 0,  7};
static const uint8_t data6[64] = {
    0x60, 0x20, 0, 0, 0, 24,   17,   64, 0x20, 1,    0x0d, 0xb8, 0,    0,    0,
    0,    0,    0, 0, 0, 0,    0,    0,  2,    0x20, 1,    0x0d, 0xb8, 0,    0,
    0,    0,    0, 0, 0, 0,    0,    0,  0,    1,    0xc1, 0x23, 0x12, 0xb7, 0,
    24,   0,    0, 4, 0, 0xff, 0xff, 0,  0,    0xab, 0xcd, 0,    0,    0,    7};

/* Returns a switch that sends only standard CNPs, to QP 0x123456. */
static node node_standard(bool v4)
{
    node a = node_of(v4 ? data4 : data6, v4 ? sizeof data4 : sizeof data6);
    a.c.fastcnp_enabled = false;
    a.c.standard_cnp = true;
    a.e.has_qpn = true;
    a.e.qpn = 0x123456;
    start(&a);
    return a;
}

/* Returns the action for a queue length, with Qsp 26000, W 2 and QlenOld 50000. A
 * length of 60000 gives QntzFb 26. */
static rocecc_qcn_cp_action sample(uint32_t queue_bytes)
{
    rocecc_qcn_cp_params p = rocecc_qcn_cp_mib();
    const rocecc_qcn_cp_event f = {106, queue_bytes, UINT32_C(1) << 31, false};
    rocecc_qcn_cp s;
    CHECK_EQ(rocecc_qcn_cp_init(&p), ROCECC_QCN_CP_ACCEPTED);
    s = rocecc_qcn_cp_start(&p, 0);
    s.left_bytes = 0;
    s.old_bytes = 50000;
    return rocecc_qcn_cp_offer(&p, &s, &f);
}

/* Returns a switch with QCN for priority 5, as in the draft, for E4 and E5. */
static node node_qcn(const uint8_t *frame, size_t n)
{
    static const rocecc_mac bridge = {{2, 0, 0, 0, 4, 0x40}};
    node a = node_of(frame, n);
    a.domain.link = ROCECC_LINK_ETHER;
    a.c.fastcnp_enabled = false;
    a.c.qcn_priorities = 1 << 5;
    a.domain.l3qcn.port = 0xcafe;
    a.c.l3qcn_outer = rocecc_l3qcn_outer_default(0);
    a.c.l3qcn_outer.src_port = 0xc0de;
    a.c.msdu_bytes = 64;
    a.e.priority = 5;
    a.e.verdict = ROCECC_WRED_PASS;
    a.e.qcn = sample(60000);
    CHECK_EQ(rocecc_cnm_cpid(&bridge, 0x60, 5, &a.e.cpid), ROCECC_OK);
    start(&a);
    return a;
}

/* Returns a switch that gets E1 behind a router, without its CN-TAG. */
static node node_e1(void)
{
    vec_packet e1 = vec_find(FRAME_ROWS, "flow-e1");
    memmove(e1.bytes + 20, e1.bytes + 24, e1.n - 24);
    return node_qcn(e1.bytes, e1.n - 4);
}

/* Returns a switch with E5's frame, with 26 bytes of 0 after its first 62 of IP. */
static node node_e5(void)
{
    static const uint8_t ether[12] = {2, 0,    0,    0,    1,    0xfe,
                                      2, 0xfd, 0x16, 0x78, 0x3a, 0xcd};
    const vec_packet e5 = vec_find(L3QCN_ROWS, "p-e5");
    uint8_t frame[12 + 64 + 26] = {0};
    memcpy(frame, ether, sizeof ether);
    memcpy(frame + 12, e5.bytes + e5.n - 64, 64);
    return node_qcn(frame, sizeof frame);
}

/* Compares the output with a row after its first `ether` bytes. */
static void check_row(const node *a, const char *file, const char *id, size_t ether)
{
    const vec_packet row = vec_find(file, id);
    CHECK_EQ(a->sent, row.n - ether);
    CHECK(a->sent == row.n - ether && memcmp(a->out, row.bytes + ether, a->sent) == 0);
}

/* Returns the output as an access switch reads it. */
static rocecc_l3qcn sent_cnm(const node *a)
{
    rocecc_l3qcn_verdict verdict = ROCECC_L3QCN_OTHER;
    rocecc_domain d = a->domain;
    rocecc_l3qcn h;
    rocecc_packet p;
    memset(&h, 0, sizeof h);
    d.link = ROCECC_LINK_IP;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(a->out, a->out + a->sent), &p);
    CHECK_EQ(rocecc_l3qcn_find(&p, &h, &verdict), ROCECC_OK);
    CHECK(rocecc_udp_verify(&p));
    return h;
}

/* The priority of the queue selects its policy, in each configuration. */
TEST(R_L3_1_the_priority_selects_qcn_or_rocev2)
{
    unsigned priorities, priority;
    for (priorities = 0; priorities < 256; priorities++)
        for (priority = 0; priority < 8; priority++) {
            node a = node_e5();
            test_context("priorities 0x%02x, priority %u", priorities, priority);
            a.c.qcn_priorities = (uint8_t)priorities;
            a.c.fastcnp_enabled = true;
            a.e.priority = (uint8_t)priority;
            a.e.verdict = ROCECC_WRED_MARK;
            start(&a);
            expect(&a, ROCECC_CONGESTION_SENT,
                   priorities >> priority & 1 ? ROCECC_CONGESTION_CNM : BOTH);
        }
}

/* Queue 5 uses QCN and queue 7 RoCEv2. Above the threshold each sends its notification,
 * and below it neither does. */
TEST(R_L3_5_queues_notify_only_above_their_threshold)
{
    const rocecc_wred_params wred = rocecc_wred_dcqcn_paper();
    unsigned priority, full;
    for (full = 0; full < 2; full++)
        for (priority = 5; priority <= 7; priority += 2) {
            const uint32_t bytes = full ? 800000 : 2600;
            node a = node_e5();
            a.c.fastcnp_enabled = true;
            a.e.priority = (uint8_t)priority;
            a.e.verdict = rocecc_wred_decide(&wred, bytes, ROCECC_ECN_ECT0, 0);
            a.e.qcn = sample(bytes);
            start(&a);
            expect(&a, full ? ROCECC_CONGESTION_SENT : ROCECC_CONGESTION_NOT_ASKED,
                   !full           ? 0
                   : priority == 5 ? ROCECC_CONGESTION_CNM
                                   : BOTH);
        }
}

/* A private CNM has the flow, QntzFb, CPID, Qoffset and QDelta, with each sign rule. */
TEST(R_L3_6_a_private_cnm_has_the_flow_and_the_feedback)
{
    int signs;
    for (signs = ROCECC_CNM_SIGNS_A; signs <= ROCECC_CNM_SIGNS_C; signs++) {
        node a = node_e1();
        rocecc_l3qcn h;
        a.domain.l3qcn.cnm.signs = (rocecc_cnm_signs)signs;
        expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
        h = sent_cnm(&a);
        CHECK_EQ(rocecc_load32(h.src.b + 12), 0x0a010a02);
        CHECK_EQ(rocecc_load32(h.dst.b + 12), 0x0a021401);
        CHECK(h.ports);
        CHECK_EQ(h.src_port, 8957);
        CHECK_EQ(h.dst_port, 21);
        CHECK_EQ(h.proto, 6);
        CHECK_EQ(h.cnm.qntz_fb, 26);
        CHECK_EQ(h.cnm.cpid, UINT64_C(0x0200000004400305));
        CHECK(h.cnm.q_offset == (signs == ROCECC_CNM_SIGNS_B ? 531 : -531));
        CHECK(h.cnm.q_delta == (signs == ROCECC_CNM_SIGNS_C ? -156 : 156));
        CHECK_EQ(h.cnm.encap_priority, 5);
    }
}

/* A CNM has the queue's priority, the frame's destination, and the frame's first 64
 * bytes from the EtherType on, with tags or without. */
TEST(R_L3_16_a_cnm_quotes_the_frame_from_the_ethertype_on)
{
    unsigned priority, dst, v6;
    for (v6 = 0; v6 < 2; v6++)
        for (priority = 0; priority < 8; priority++)
            for (dst = 0; dst < 6; dst++) {
                node a = v6 ? node_e5() : node_e1();
                const size_t type = v6 ? 12 : 20;
                rocecc_l3qcn h;
                a.c.qcn_priorities = 0xff;
                a.domain.l3qcn.cnm.fixed_msdu = true;
                a.c.msdu_bytes = 0;
                a.e.priority = (uint8_t)priority;
                a.packet[dst] ^= 0x11;
                start(&a);
                expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
                h = sent_cnm(&a);
                CHECK_EQ(h.cnm.encap_priority, priority);
                CHECK_EQ(h.cnm.encap_reserved, 0);
                CHECK(memcmp(h.cnm.encap_dst.b, a.packet, 6) == 0);
                CHECK_EQ(h.cnm.msdu_len, 64);
                CHECK(memcmp(h.cnm.msdu.base + h.cnm.msdu.at, a.packet + type, 64) ==
                      0);
            }
}

/* E1 without its CN-TAG is answered by E4, and the frame of E5 by E5, byte for byte. */
TEST(R_L3_7_the_answers_are_e4_and_e5)
{
    node a = node_e1();
    expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
    check_row(&a, L3QCN_ROWS, "p-e4", 14);
    a = node_e5();
    expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
    check_row(&a, L3QCN_ROWS, "p-e5", 14);
}

/* A standard CNP goes to the sender's own QP, as if from the receiver (cnp.vec). */
TEST(R_L3_14_a_standard_cnp_goes_to_the_qp_of_the_sender)
{
    unsigned v4, sum;
    for (v4 = 0; v4 < 2; v4++)
        for (sum = 0; sum < 2; sum++) {
            node a = node_standard(v4);
            a.c.cnp.udp_checksum = sum;
            expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNP);
            check_row(&a, CNP_ROWS,
                      v4 ? (sum ? "v4-sum" : "v4") : (sum ? "v6-sum" : "v6"), 0);
        }
}

/* The standard CNP equals the receiver's CNP for the packet with CE. */
TEST(R_L3_14_a_standard_cnp_equals_the_cnp_of_the_receiver)
{
    unsigned v4;
    for (v4 = 0; v4 < 2; v4++) {
        node a = node_standard(v4);
        const rocecc_reader r = rocecc_reader_of(a.packet, a.packet + a.n);
        uint8_t out[80];
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_notification_config c;
        rocecc_notification_result told;
        rocecc_cnpgate gate;
        rocecc_packet p;
        const rocecc_notification_event e = {0, a.e.qpn, false};
        expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNP);
        memset(&c, 0, sizeof c);
        c.gate = a.c.gate;
        c.cnp = a.c.cnp;
        c.cnp.src_port = 0xc123; /* the receiver chooses it */
        gate = rocecc_cnpgate_start(&c.gate);
        (void)rocecc_packet_parse(&a.domain, r, &p);
        CHECK(rocecc_congestion_point_mark(&p,
                                           rocecc_writer_of(a.packet, a.packet + a.n)));
        told = rocecc_notification_point_step(&c, &gate, &p, e, &w);
        CHECK_EQ(told.verdict, ROCECC_NOTIFICATION_SENT);
        CHECK(w.at == a.sent && memcmp(out, a.out, a.sent) == 0);
    }
}

/* Each row of the header's RoCEv2 table, with standard_cnp and without. */
TEST(congestion_point_follows_the_rocev2_table)
{
    unsigned enabled, sender, v4, known;
    for (enabled = 0; enabled < 2; enabled++)
        for (sender = 0; sender < 3; sender++)
            for (v4 = 0; v4 < 2; v4++)
                for (known = 0; known < 2; known++) {
                    const bool fast =
                        enabled && !v4 && sender != ROCECC_FASTCNP_SUPPORT_NO;
                    node a = node_standard(v4);
                    test_context("enabled %u, sender %u, IPv4 %u, known %u", enabled,
                                 sender, v4, known);
                    a.c.fastcnp_enabled = enabled;
                    a.e.sender_support = (rocecc_fastcnp_support)sender;
                    a.e.has_qpn = known;
                    start(&a);
                    if (fast)
                        expect(&a, ROCECC_CONGESTION_SENT,
                               sender == ROCECC_FASTCNP_SUPPORT_YES
                                   ? ROCECC_CONGESTION_FAST_CNP
                                   : BOTH);
                    else if (known)
                        expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNP);
                    else
                        expect(&a, ROCECC_CONGESTION_NEEDS_QPN, ROCECC_CONGESTION_MARK);
                    a.e.verdict = ROCECC_WRED_PASS;
                    expect(&a, ROCECC_CONGESTION_NOT_ASKED, 0);
                    a.e.verdict = ROCECC_WRED_DROP;
                    expect(&a, ROCECC_CONGESTION_NOT_ASKED, ROCECC_CONGESTION_DROP);
                    a = node_standard(v4); /* without standard_cnp */
                    a.c.standard_cnp = false;
                    a.c.fastcnp_enabled = enabled;
                    a.e.sender_support = (rocecc_fastcnp_support)sender;
                    start(&a);
                    if (!fast)
                        expect(&a,
                               !enabled ? ROCECC_CONGESTION_DISABLED
                               : sender == ROCECC_FASTCNP_SUPPORT_NO
                                   ? ROCECC_CONGESTION_NOT_CAPABLE
                                   : ROCECC_CONGESTION_NOT_DATA,
                               ROCECC_CONGESTION_MARK);
                }
}

/* A QCN queue marks no packet, and drops a packet only if the verdict is DROP. */
TEST(congestion_point_qcn_queues_never_mark)
{
    unsigned verdict, cnm, sender;
    for (verdict = ROCECC_WRED_PASS; verdict <= ROCECC_WRED_DROP; verdict++)
        for (cnm = 0; cnm < 2; cnm++)
            for (sender = 0; sender < 3; sender++) {
                const unsigned drop =
                    verdict == ROCECC_WRED_DROP ? ROCECC_CONGESTION_DROP : 0;
                node a = node_e5();
                a.c.fastcnp_enabled = a.c.standard_cnp = true;
                a.e.verdict = (rocecc_wred_verdict)verdict;
                a.e.sender_support = (rocecc_fastcnp_support)sender;
                a.e.qcn.cnm = cnm;
                start(&a);
                test_context("verdict %u, cnm %u", verdict, cnm);
                expect(&a, cnm ? ROCECC_CONGESTION_SENT : ROCECC_CONGESTION_NOT_ASKED,
                       drop | (cnm ? ROCECC_CONGESTION_CNM : 0));
                if (!cnm) continue;
                expect(&a, ROCECC_CONGESTION_HELD, drop); /* without a mark */
                a.e.priority = 8; /* not a priority, so not QCN */
                a.e.sender_support = ROCECC_FASTCNP_SUPPORT_NO;
                expect(&a,
                       verdict == ROCECC_WRED_MARK ? ROCECC_CONGESTION_NEEDS_QPN
                                                   : ROCECC_CONGESTION_NOT_ASKED,
                       verdict == ROCECC_WRED_MARK ? ROCECC_CONGESTION_MARK : drop);
            }
}

/* A standard CNP needs the sender's QP, of 24 bits. Otherwise the packet is marked. */
TEST(congestion_point_a_standard_cnp_needs_a_qp_of_24_bits)
{
    unsigned bit;
    for (bit = 0; bit < 32; bit++) {
        node a = node_standard(bit & 1);
        a.e.qpn = (uint32_t)1 << bit;
        if (bit < 24) {
            expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNP);
            CHECK_EQ(sent_cnp(&a).dest_qp, (uint32_t)1 << bit);
        } else {
            expect(&a, ROCECC_CONGESTION_NEEDS_QPN, ROCECC_CONGESTION_MARK);
        }
        a = node_standard(bit & 1);
        a.e.has_qpn = false;
        a.c.quiet_if_told = true;
        expect(&a, ROCECC_CONGESTION_NEEDS_QPN, ROCECC_CONGESTION_MARK);
    }
}

/* A packet is not answered if its source or destination is not a host's address. */
TEST(congestion_point_answers_only_packets_between_hosts)
{
    static const uint8_t bad4[][4] = {
        {0, 0, 0, 0},   {0, 1, 2, 3},   {127, 0, 0, 1}, {127, 255, 255, 255},
        {224, 0, 0, 1}, {239, 1, 2, 3}, {240, 0, 0, 1}, {255, 255, 255, 255}};
    static const uint8_t good4[][4] = {
        {1, 0, 0, 0}, {126, 0, 0, 1}, {128, 0, 0, 1}, {223, 255, 255, 255}};
    static const uint8_t bad6[][16] = {
        {0},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
        {0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1}};
    unsigned i, dst, qcn;
    for (dst = 0; dst < 2; dst++)
        for (qcn = 0; qcn < 2; qcn++) {
            for (i = 0; i < sizeof bad4 / sizeof bad4[0]; i++) {
                node a = qcn ? node_e1() : node_standard(true);
                memcpy(a.packet + (qcn ? 22 : 0) + 12 + 4 * dst, bad4[i], 4);
                expect(&a,
                       dst ? ROCECC_CONGESTION_BAD_DESTINATION
                           : ROCECC_CONGESTION_BAD_SOURCE,
                       qcn ? 0 : ROCECC_CONGESTION_MARK);
            }
            for (i = 0; i < sizeof good4 / sizeof good4[0]; i++) {
                node a = qcn ? node_e1() : node_standard(true);
                memcpy(a.packet + (qcn ? 22 : 0) + 12 + 4 * dst, good4[i], 4);
                expect(&a, ROCECC_CONGESTION_SENT,
                       qcn ? ROCECC_CONGESTION_CNM : ROCECC_CONGESTION_CNP);
            }
            for (i = 0; i < sizeof bad6 / sizeof bad6[0]; i++) {
                node a = qcn ? node_e5() : node_standard(false);
                memcpy(a.packet + (qcn ? 14 : 0) + 8 + 16 * dst, bad6[i], 16);
                expect(&a,
                       dst ? ROCECC_CONGESTION_BAD_DESTINATION
                           : ROCECC_CONGESTION_BAD_SOURCE,
                       qcn ? 0 : ROCECC_CONGESTION_MARK);
            }
        }
}

/* Inserts n bytes at an offset of the packet. */
static void open_at(node *a, size_t at, const uint8_t *b, size_t n)
{
    memmove(a->packet + at + n, a->packet + at, a->n - at);
    memcpy(a->packet + at, b, n);
    a->n += n;
}

/* Returns true for the opcodes of IBTA Table 38 with a payload of any length. */
static bool carries_data(unsigned opcode)
{
    static const uint8_t first_last[][2] = {
        {0x00, 0x0b}, {0x0d, 0x10}, {0x16, 0x17}, /* RC */
        {0x20, 0x2b},                             /* UC */
        {0x40, 0x4b}, {0x4d, 0x50},               /* RD */
        {0x64, 0x65},                             /* UD */
        {0xa0, 0xab}, {0xad, 0xb0}, {0xb6, 0xb7}  /* XRC */
    };
    size_t i;
    for (i = 0; i < sizeof first_last / sizeof first_last[0]; i++)
        if (opcode >= first_last[i][0] && opcode <= first_last[i][1]) return true;
    return false;
}

/* Only opcodes with data are answered, not for example ACKs or reserved opcodes. */
TEST(R_CON_7_only_data_is_answered)
{
    unsigned opcode, kind;
    for (opcode = 0; opcode < 256; opcode++)
        for (kind = 0; kind < 4; kind++) {
            static const uint8_t at[] = {48, 28, 48, 14 + 48};
            static const unsigned sent[] = {BOTH, ROCECC_CONGESTION_CNP,
                                            ROCECC_CONGESTION_CNP,
                                            ROCECC_CONGESTION_CNM};
            node a = kind == 0  ? node_of(data, sizeof data)
                     : kind < 3 ? node_standard(kind == 1)
                                : node_e5();
            test_context("opcode 0x%02x, kind %u", opcode, kind);
            a.packet[at[kind]] = (uint8_t)opcode;
            if (carries_data(opcode))
                expect(&a, ROCECC_CONGESTION_SENT, sent[kind]);
            else
                expect(&a, ROCECC_CONGESTION_NOT_DATA,
                       kind < 3 ? ROCECC_CONGESTION_MARK : 0);
        }
}

/* Only opcodes in `answer` are answered, and a CNP never. */
TEST(R_CON_7_only_opcodes_in_answer_are_answered)
{
    unsigned opcode, other, kind;
    for (opcode = 0; opcode < 256; opcode++)
        for (kind = 0; kind < 3; kind++) {
            node a = kind == 0   ? node_of(data, sizeof data)
                     : kind == 1 ? node_standard(false)
                                 : node_e5();
            const size_t at = kind == 2 ? 14 + 48 : 48;
            const unsigned mark = kind == 2 ? 0 : ROCECC_CONGESTION_MARK;
            memset(&a.c.answer, 0, sizeof a.c.answer);
            a.c.answer.bits[opcode / 32] = UINT32_C(1) << opcode % 32;
            a.c.gate.interval_ns = 0;
            start(&a);
            for (other = opcode & 1; other < 256; other += opcode % 7 + 1) {
                a.packet[at] = (uint8_t)other;
                if (other != opcode) expect(&a, ROCECC_CONGESTION_NOT_DATA, mark);
            }
            a.packet[at] = (uint8_t)opcode;
            if (opcode == 0x81)
                expect(&a, ROCECC_CONGESTION_NOT_DATA, mark);
            else
                expect(&a, ROCECC_CONGESTION_SENT,
                       kind == 0   ? BOTH
                       : kind == 1 ? ROCECC_CONGESTION_CNP
                                   : ROCECC_CONGESTION_CNM);
        }
}

/* `answer` is only for RoCEv2. Other flows get CNMs, except a fragment to the port of
 * RoCEv2, because it shows no opcode. */
TEST(R_L3_6_answer_applies_only_to_rocev2)
{
    unsigned i;
    for (i = 0; i < 3; i++) {
        node a = i == 1 ? node_e5() : node_e1();
        memset(&a.c.answer, 0, sizeof a.c.answer);
        a.c.answer.bits[7] = 1; /* an unused opcode */
        start(&a);
        if (i == 1) {
            expect(&a, ROCECC_CONGESTION_NOT_DATA, 0);
            a.packet[14 + 43] ^= 0x80; /* another UDP port */
        }
        if (i == 2) { /* UDP in place of TCP, to port 21 */
            a.packet[22 + 9] = 17;
            rocecc_store16(a.packet + 22 + 24, (uint16_t)(a.n - 22 - 20));
        }
        expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
        a.now_ns += MS;
        if (i != 2) continue;
        rocecc_store16(a.packet + 22 + 22, 4791);
        a.packet[22 + 6] = 0x20; /* first fragment */
        a.c.answer = rocecc_opcode_set_data();
        expect(&a, ROCECC_CONGESTION_NOT_DATA, 0);
        rocecc_store16(a.packet + 22 + 22, 4800);
        expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
    }
}

/* A switch for one kind of notification, its outputs, and the source of the data. */
typedef struct answered {
    node a;
    unsigned sent, mark;
    rocecc_ip6 src;
} answered;

static answered answered_of(unsigned kind)
{
    const node a = kind == 0   ? node_of(data, sizeof data)
                   : kind == 1 ? node_standard(false)
                   : kind == 2 ? node_standard(true)
                   : kind == 3 ? node_e5()
                   : kind == 4 ? node_e1()
                               : node_e9();
    const bool v4 = kind == 2 || kind == 4;
    const size_t ip = kind == 3 ? 14 : kind == 4 ? 22 : kind == 5 ? 14 + 40 + 40 : 0;
    answered x;
    memset(&x, 0, sizeof x);
    x.a = a;
    x.sent = BOTH;
    x.mark = ROCECC_CONGESTION_MARK;
    if (kind == 1 || kind == 2) x.sent = ROCECC_CONGESTION_CNP;
    if (kind == 3 || kind == 4) x.sent = ROCECC_CONGESTION_CNM;
    if (x.sent == ROCECC_CONGESTION_CNM) x.mark = 0;
    if (v4) {
        x.src.b[10] = x.src.b[11] = 0xff;
        memcpy(x.src.b + 12, a.packet + ip + 12, 4);
    } else {
        memcpy(x.src.b, a.packet + ip + 8, 16);
    }
    return x;
}

/* An unlisted sender gets no notification of any kind, tested for each address bit. */
TEST(FC_17_unlisted_senders_are_not_answered)
{
    unsigned kind, bit;
    for (kind = 0; kind < 6; kind++) {
        answered x = answered_of(kind);
        test_context("kind %u", kind);
        x.a.c.gate.interval_ns = 0;
        x.a.c.admission.unlimited = true;
        start(&x.a);
        x.a.n_access = 0;
        expect(&x.a, ROCECC_CONGESTION_ACCESS_DENIED, x.mark);
        x.a.n_access = 1;
        x.a.access[0].permit = 0;
        expect(&x.a, ROCECC_CONGESTION_ACCESS_DENIED, x.mark);
        x.a.access[0].permit = 1;
        x.a.access[0].prefix = x.src;
        x.a.access[0].length = 128;
        expect(&x.a, ROCECC_CONGESTION_SENT, x.sent);
        for (bit = 0; bit < 128; bit++) {
            x.a.access[0].prefix.b[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
            expect(&x.a, ROCECC_CONGESTION_ACCESS_DENIED, x.mark);
            x.a.access[0].prefix.b[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        }
        memset(&x.a.access[1], 0, sizeof x.a.access[1]); /* all except this sender */
        x.a.access[0].permit = 0;
        x.a.access[1].permit = 1;
        x.a.n_access = 2;
        expect(&x.a, ROCECC_CONGESTION_ACCESS_DENIED, x.mark);
    }
}

/* A list that is NULL permits no sender and no tunnel. */
TEST(FC_17_a_missing_list_denies_every_sender)
{
    unsigned kind;
    for (kind = 0; kind < 6; kind++) {
        answered x = answered_of(kind);
        rocecc_writer w = rocecc_writer_of(x.a.out, x.a.out + sizeof x.a.out);
        const rocecc_acl access = list_of(x.a.access, 1);
        rocecc_packet p;
        unsigned with;
        (void)rocecc_packet_parse(&x.a.domain,
                                  rocecc_reader_of(x.a.packet, x.a.packet + x.a.n), &p);
        start(&x.a);
        x.a.e.gate = &x.a.gate;
        x.a.e.admission.sources = x.a.sources;
        for (with = 0; with < 2; with++) {
            x.a.e.admission.list = with ? &access : NULL;
            CHECK_EQ(
                rocecc_congestion_point_step(&x.a.c, &x.a.s, &p, &x.a.e, &w).reason,
                with == 0   ? ROCECC_CONGESTION_ACCESS_DENIED
                : kind == 5 ? ROCECC_CONGESTION_UNLISTED_TUNNEL
                            : ROCECC_CONGESTION_SENT);
        }
    }
}

/* init() rejects each kind of notification without a list, or if `answer` is empty. */
TEST(FC_17_init_needs_a_list_and_opcodes)
{
    unsigned on;
    for (on = 0; on < 8; on++) {
        const rocecc_acl empty = {NULL, 0, 0};
        node a = node_e1();
        rocecc_congestion_config was;
        a.domain.fastcnp = law_fastcnp_config(0);
        a.c.fastcnp_enabled = on & 1;
        a.c.standard_cnp = on >> 1 & 1;
        a.c.qcn_priorities = on >> 2 & 1;
        was = a.c;
        test_context("on %u", on);
        CHECK_EQ(rocecc_congestion_point_init(&a.c, &a.domain, &empty),
                 on ? ROCECC_CONGESTION_REFUSED_ACCESS : ROCECC_CONGESTION_ACCEPTED);
        CHECK_EQ(rocecc_congestion_point_init(&a.c, &a.domain, NULL),
                 on ? ROCECC_CONGESTION_REFUSED_ACCESS : ROCECC_CONGESTION_ACCEPTED);
        CHECK(memcmp(&a.c, &was, sizeof was) == 0);
        memset(&a.c.answer, 0, sizeof a.c.answer);
        CHECK_EQ(init(&a.c, &a.domain),
                 on ? ROCECC_CONGESTION_REFUSED_ANSWER : ROCECC_CONGESTION_ACCEPTED);
    }
}

/* A tunnel is answered only if its source is a listed END.CON. */
TEST(R_CON_4_only_tunnels_of_listed_end_cons_are_answered)
{
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10");
    node a = node_e9();
    unsigned bit;
    a.c.gate.interval_ns = 0;
    a.c.admission.unlimited = true;
    start(&a);
    memcpy(a.tunnels[0].prefix.b, a.packet + 14 + 8, 16);
    a.tunnels[0].length = 128;
    expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    CHECK(a.sent == e10.n - 14 && memcmp(a.out, e10.bytes + 14, a.sent) == 0);
    for (bit = 0; bit < 128; bit++) { /* an unlisted tunnel source */
        if (bit < 8) continue;        /* the first byte stays */
        a.packet[14 + 8 + bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        expect(&a, ROCECC_CONGESTION_UNLISTED_TUNNEL, ROCECC_CONGESTION_MARK);
        a.packet[14 + 8 + bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
    }
    a.tunnels[0].permit = 0;
    expect(&a, ROCECC_CONGESTION_UNLISTED_TUNNEL, ROCECC_CONGESTION_MARK);
    a.tunnels[0].permit = 1;
    a.access[0].permit = 0; /* a listed tunnel does not permit the sender in it */
    expect(&a, ROCECC_CONGESTION_ACCESS_DENIED, ROCECC_CONGESTION_MARK);
}

/* A tag selects a policy, if it is not too large and the policy is for this END.CON. */
TEST(R_CON_10_the_tag_of_an_end_con_selects_its_policy)
{
    const vec_packet e10 = vec_find(SRV6_ROWS, "e10"), e11 = vec_find(SRV6_ROWS, "e11");
    unsigned tag;
    for (tag = 0; tag < 5; tag++) {
        node a = node_e9();
        a.policies[0].n = a.policies[1].n = 2;
        a.policies[0].segment[0] = rocecc_ip6_load(e11.bytes + 14 + 48);
        a.policies[0].segment[1] = rocecc_ip6_load(e11.bytes + 14 + 24);
        a.policies[1] = a.policies[0];
        a.policies[1].segment[0].b[15]++; /* of another END.CON */
        a.tunnels[0].tag = 1;             /* for ::/0 */
        a.tunnels[1] = a.tunnels[0];
        a.tunnels[1].prefix = a.policies[0].segment[0];
        a.tunnels[1].length = 128;
        a.tunnels[1].tag = tag < 3 ? tag : 0xffffffff;
        a.n_tunnels = 2;
        a.e.n_policies = tag == 4 ? 0 : 2;
        test_context("tag %u", tag);
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        if (tag == 0)
            CHECK(a.sent == e11.n - 14 && memcmp(a.out, e11.bytes + 14, a.sent) == 0);
        else
            CHECK(a.sent == e10.n - 14 && memcmp(a.out, e10.bytes + 14, a.sent) == 0);
    }
}

/* A policy has at most 8 segments, and each must be a host's address. */
TEST(R_CON_10_a_policy_has_at_most_8_segments_of_hosts)
{
    unsigned n, i, at;
    for (n = 0; n < 256; n++) {
        rocecc_congestion_policy w;
        memset(&w, 0, sizeof w);
        for (i = 0; i < 8; i++)
            w.segment[i].b[0] = 0x20;
        w.n = (uint8_t)n;
        CHECK_EQ(rocecc_congestion_policy_init(&w),
                 n <= 8 ? ROCECC_CONGESTION_ACCEPTED
                        : ROCECC_CONGESTION_REFUSED_POLICY);
        for (at = 0; at < 8; at++) {
            w.segment[at].b[0] = at & 1 ? 0xff : 0;
            CHECK_EQ(rocecc_congestion_policy_init(&w),
                     n <= at ? ROCECC_CONGESTION_ACCEPTED
                             : ROCECC_CONGESTION_REFUSED_POLICY);
            w.segment[at].b[0] = 0x20;
        }
    }
}

/* A packet to a group, or to an address that is not a host's, is not answered. */
TEST(FC_12_packets_to_a_group_are_not_answered)
{
    static const uint8_t bad[][16] = {
        {0},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
        {0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
        {0xff, 0x3e, 1},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1}};
    unsigned i, opcode;
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        node a = node_e9();
        memcpy(a.packet + 14 + 40 + 40 + 24, bad[i], 16);
        expect(&a, ROCECC_CONGESTION_BAD_DESTINATION, ROCECC_CONGESTION_MARK);
        for (opcode = 0x64; opcode <= 0x65; opcode++) { /* UD */
            a = node_of(data, sizeof data);
            a.packet[48] = (uint8_t)opcode;
            expect(&a, ROCECC_CONGESTION_SENT, BOTH);
            memcpy(a.packet + 24, bad[i], 16);
            expect(&a, ROCECC_CONGESTION_BAD_DESTINATION, ROCECC_CONGESTION_MARK);
        }
    }
    { /* a group as last segment of an SRH */
        static const uint8_t srh[24] = {17, 2, 4, 1, 0, 0, 0, 0, 0xff, 2, [23] = 1};
        node a = node_of(data, sizeof data);
        open_at(&a, 40, srh, sizeof srh);
        a.packet[5] = (uint8_t)(a.packet[5] + sizeof srh);
        a.packet[6] = ROCECC_PROTO_ROUTING;
        expect(&a, ROCECC_CONGESTION_BAD_DESTINATION, ROCECC_CONGESTION_MARK);
        a.packet[48] = 0x20;
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    }
}

/* A packet in a tunnel gets no standard CNP and no private CNM. */
TEST(congestion_point_tunnels_get_neither_cnp_nor_cnm)
{
    static const uint8_t outer[20] = {0x45, 2, 0, 0, 0, 0, 0, 0, 64, 41,
                                      0,    0, 1, 2, 3, 4, 5, 6, 7,  8};
    node a = node_standard(false);
    open_at(&a, 0, outer, sizeof outer);
    rocecc_store16(a.packet + 2, (uint16_t)a.n);
    expect(&a, ROCECC_CONGESTION_UNLISTED_TUNNEL, ROCECC_CONGESTION_MARK);
    a.e.has_qpn = false;
    expect(&a, ROCECC_CONGESTION_UNLISTED_TUNNEL, ROCECC_CONGESTION_MARK);
    a = node_e5();
    open_at(&a, 14, outer, sizeof outer);
    rocecc_store16(a.packet + 12, ROCECC_TYPE_IPV4);
    rocecc_store16(a.packet + 16, (uint16_t)(a.n - 14));
    expect(&a, ROCECC_CONGESTION_UNLISTED_TUNNEL, 0);
}

/* IFA and INT belong neither to the flow nor to the CNP, but the MSDU includes them. */
TEST(congestion_point_ifa_and_int_are_only_in_the_msdu)
{
    int how;
    unsigned v4;
    for (how = 0; how < TELL_HOWS; how++)
        for (v4 = 0; v4 < 2; v4++) {
            node a = node_standard(v4);
            rocecc_l3qcn h;
            size_t n;
            test_context("how %d, IPv4 %u", how, v4);
            a.n = tell(a.packet, a.n, (tell_how)how);
            CHECK(a.n != 0);
            expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNP);
            check_row(&a, CNP_ROWS, v4 ? "v4" : "v6", 0);
            a = node_e5();
            n = tell(a.packet + 14, a.n - 14, (tell_how)how);
            CHECK(n != 0);
            a.n = 14 + n;
            expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
            CHECK((a.where.ifa | a.where.intmd) != 0);
            h = sent_cnm(&a);
            CHECK_EQ(h.proto, 17);
            CHECK_EQ(h.src_port, 0xc000);
            CHECK_EQ(h.dst_port, 4791);
            CHECK(memcmp(h.cnm.msdu.base + h.cnm.msdu.at, a.packet + 12, 64) == 0);
        }
}

/* CNPs and private CNMs are not answered. The cases add a reserved bit, tunnels, IFA
 * and INT. */
TEST(congestion_point_cnps_and_cnms_are_not_answered)
{
    static const uint8_t ether[14] = {2, 0, 0, 0, 1, 0xfe, 2,
                                      0, 0, 0, 0, 1, 0x86, 0xdd};
    static const uint8_t outer[40] = {0x60, 0,  0,    0,        0,           0,
                                      41,   64, 0x20, [23] = 1, [24] = 0x20, [39] = 2};
    unsigned i, v4;
    for (v4 = 0; v4 < 2; v4++)
        for (i = 0; i < 3 + TELL_HOWS; i++) {
            node a = v4 ? node_e1() : node_e5(), b;
            test_context("IPv4 %u, case %u", v4, i);
            expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
            b = node_of(a.out, a.sent);
            b.c = a.c;
            b.domain = a.domain;
            b.domain.link = ROCECC_LINK_IP;
            b.e = a.e;
            if (i == 1) b.domain.l3qcn.reserved_bit = true;
            if (i == 1) b.domain.l3qcn.port++;
            if (i == 1 && v4) b.packet[6] |= 0x80;
            if (i == 2) {
                open_at(&b, 0, outer, sizeof outer);
                if (v4) b.packet[6] = 4;
                b.packet[5] = (uint8_t)a.sent;
            }
            if (i > 2) b.n = tell(b.packet, b.n, (tell_how)(i - 3));
            CHECK(b.n != 0);
            open_at(&b, 0, ether, sizeof ether);
            if (v4 && i != 2) rocecc_store16(b.packet + 12, ROCECC_TYPE_IPV4);
            b.domain.link = ROCECC_LINK_ETHER;
            start(&b);
            if (i == 1 && !v4) /* no such bit in IPv6, and another port */
                expect(&b, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
            else
                expect(&b, ROCECC_CONGESTION_NOT_DATA, 0);
            a = node_standard(v4); /* no CNP and no CNM answers a CNP */
            expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNP);
            b = node_of(a.out, a.sent);
            b.c = a.c;
            b.domain = a.domain;
            b.domain.link = ROCECC_LINK_IP;
            b.e = a.e;
            if (i > 2) b.n = tell(b.packet, b.n, (tell_how)(i - 3));
            start(&b);
            expect(&b, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
            b.c = node_e1().c;
            b.domain = node_e1().domain;
            b.e = node_e1().e;
            open_at(&b, 0, ether, sizeof ether);
            if (v4) rocecc_store16(b.packet + 12, ROCECC_TYPE_IPV4);
            b.domain.link = ROCECC_LINK_ETHER;
            start(&b);
            expect(&b, ROCECC_CONGESTION_NOT_DATA, 0);
        }
}

/* A frame without a flow or without an Ethernet header gets no CNM. */
TEST(congestion_point_a_cnm_needs_a_flow_and_ethernet)
{
    node a = node_e1();
    rocecc_store16(a.packet + 20, 0x0806);
    expect(&a, ROCECC_CONGESTION_NOT_DATA, 0);
    a = node_e1();
    a.packet[22 + 6] = 0x20; /* a first fragment has ports */
    expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
    CHECK_EQ(sent_cnm(&a).src_port, 8957);
    a.now_ns += MS;
    a.packet[22 + 7] = 1;
    expect(&a, ROCECC_CONGESTION_NOT_DATA, 0);
    a = node_e1();
    memmove(a.packet, a.packet + 22, a.n - 22);
    a.n -= 22;
    a.domain.link = ROCECC_LINK_IP;
    expect(&a, ROCECC_CONGESTION_NOT_DATA, 0);
    a = node_e1();
    a.packet[22 + 9] = 1; /* ICMP has a flow without ports */
    expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
    CHECK(!sent_cnm(&a).ports);
    CHECK_EQ(sent_cnm(&a).src_port, 0);
    a = node_standard(true);
    a.packet[22] = 1; /* UDP, but not RoCEv2 */
    expect(&a, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
}

/* The gate and the buckets also limit CNPs and CNMs, and the gate comes first. */
TEST(congestion_point_gate_and_buckets_limit_cnps_and_cnms)
{
    unsigned kind, i;
    for (kind = 0; kind < 3; kind++) {
        const unsigned sent = kind == 2 ? ROCECC_CONGESTION_CNM : ROCECC_CONGESTION_CNP;
        const unsigned mark = kind == 2 ? 0 : ROCECC_CONGESTION_MARK;
        node a = kind == 2 ? node_e1() : node_standard(kind);
        const rocecc_cnpgate fresh = a.gate;
        expect(&a, ROCECC_CONGESTION_SENT, sent);
        for (i = 0; i < 100; i++)
            expect(&a, ROCECC_CONGESTION_HELD, mark);
        a.c.quiet_if_told = true; /* a notification was just sent */
        expect(&a, ROCECC_CONGESTION_HELD, 0);
        a.c.quiet_if_told = false;
        a.now_ns += 50000;
        expect(&a, ROCECC_CONGESTION_SENT, sent);
        for (i = 0; i < 14; i++) {
            a.gate = fresh;
            expect(&a, ROCECC_CONGESTION_SENT, sent);
        }
        a.gate = fresh;
        expect(&a, ROCECC_CONGESTION_RATE_LIMITED, mark);
        a.now_ns += 3906250; /* one token at 256 per second */
        expect(&a, ROCECC_CONGESTION_SENT, sent);
        a.c.admission.unlimited = true;
        a.gate = fresh;
        expect(&a, ROCECC_CONGESTION_SENT, sent);
    }
}

/* A CNP or CNM that does not fit in the room changes neither gate nor buckets. */
TEST(congestion_point_no_space_for_cnp_or_cnm_changes_nothing)
{
    static const size_t bytes[] = {80, 60, 136, 180};
    unsigned kind;
    for (kind = 0; kind < 4; kind++) {
        node a = kind == 3 ? node_e5() : kind == 2 ? node_e1() : node_standard(kind);
        for (a.room = 0; a.room < bytes[kind]; a.room++)
            expect(&a, ROCECC_CONGESTION_NO_SPACE,
                   kind < 2 ? ROCECC_CONGESTION_MARK : 0);
        expect(&a, ROCECC_CONGESTION_SENT,
               kind < 2 ? ROCECC_CONGESTION_CNP : ROCECC_CONGESTION_CNM);
        CHECK_EQ(a.sent, bytes[kind]);
    }
}

/* The MSDU has cpMinHeaderOctets, or 64 with fixed_msdu, but not beyond the packet. */
TEST(congestion_point_msdu_length_follows_the_configuration)
{
    unsigned fixed, bytes;
    size_t n;
    for (fixed = 0; fixed < 2; fixed++)
        for (bytes = 0; bytes <= 64; bytes++) {
            node a = node_e1();
            rocecc_l3qcn h;
            a.domain.l3qcn.cnm.fixed_msdu = fixed;
            a.c.msdu_bytes = (uint8_t)bytes;
            start(&a);
            expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
            h = sent_cnm(&a);
            CHECK_EQ(h.cnm.msdu_len, fixed ? 64 : bytes);
            CHECK(memcmp(h.cnm.msdu.base + h.cnm.msdu.at, a.packet + 20,
                         h.cnm.msdu_len) == 0);
        }
    for (n = 0; n <= 102; n++) { /* the ports of E1 end at 46 */
        node a = node_e1();
        a.n = n;
        test_context("%zu bytes", n);
        if (n < 46) {
            expect(&a, ROCECC_CONGESTION_NOT_DATA, 0);
            continue;
        }
        expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
        CHECK_EQ(sent_cnm(&a).cnm.msdu_len, n - 20 < 64 ? n - 20 : 64);
    }
    { /* without padding: IP of 24 bytes in a frame of 60 */
        node a = node_e1();
        rocecc_store16(a.packet + 22 + 2, 24);
        a.n = 60;
        expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
        CHECK_EQ(sent_cnm(&a).cnm.msdu_len, 26);
    }
}

/* A packet that begins with IP has no MSDU, even if its buffer has an EtherType before
 * it. So it gets no CNM. */
TEST(congestion_point_a_packet_without_ethernet_gets_no_cnm)
{
    unsigned whole;
    for (whole = 0; whole < 2; whole++) {
        node a = node_e1(); /* IP begins at 22, after 0x0800 */
        const rocecc_acl access = list_of(a.access, a.n_access);
        rocecc_reader r = rocecc_reader_of(a.packet, a.packet + a.n);
        rocecc_writer w = rocecc_writer_of(a.out, a.out + sizeof a.out);
        rocecc_congestion_result out;
        rocecc_packet p;
        CHECK_EQ(rocecc_load16(a.packet + 20), 0x0800);
        if (!whole) {
            a.domain.link = ROCECC_LINK_IP;
            r = rocecc_subrange(r, 22, r.end);
        }
        (void)rocecc_packet_parse(&a.domain, r, &p);
        CHECK_EQ(p.headers.ip.offset, 22);
        a.e.admission.now_ns = a.now_ns;
        a.e.admission.list = a.e.tunnels = &access;
        a.e.admission.sources = a.sources;
        a.e.gate = &a.gate;
        out = rocecc_congestion_point_step(&a.c, &a.s, &p, &a.e, &w);
        CHECK_EQ(out.reason,
                 whole ? ROCECC_CONGESTION_SENT : ROCECC_CONGESTION_NOT_DATA);
        CHECK_EQ(w.at != 0, whole);
    }
}

/* TCP to the port of RoCEv2 or of private CNMs gets a CNM. Both are UDP ports. */
TEST(congestion_point_tcp_to_the_same_ports_gets_a_cnm)
{
    static const uint16_t ports[] = {4791, 0xcafe};
    unsigned i, udp;
    for (i = 0; i < 2; i++)
        for (udp = 0; udp < 2; udp++) {
            node a = node_e1();
            CHECK_EQ(a.packet[22 + 9], 6);
            if (udp) a.packet[22 + 9] = 17;
            rocecc_store16(a.packet + 22 + 20 + 2, ports[i]);
            a.packet[22 + 20 + 8] = 0x11; /* the opcode of an ACK */
            test_context("port %u, UDP %u", ports[i], udp);
            if (udp)
                expect(&a, ROCECC_CONGESTION_NOT_DATA, 0);
            else
                expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
        }
}

/* A packet that is cut before the end of its BTH gets no CNP. */
TEST(congestion_point_a_cnp_needs_the_whole_bth)
{
    unsigned v4;
    for (v4 = 0; v4 < 2; v4++) {
        node a = node_standard(v4);
        const size_t bth = a.n - 4;
        for (a.n = 0; a.n <= bth + 4; a.n++) {
            start(&a);
            if (a.n < bth)
                expect(&a, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
            else
                expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNP);
        }
    }
}

/* Checks that the source port is dynamic, fixed per flow, and depends on byte `at`. */
static void src_ports(size_t at)
{
    uint16_t first = 0;
    unsigned i, differ = 0;
    for (i = 0; i < 256; i++) {
        node a = node_e1();
        uint16_t port;
        a.c.l3qcn_outer.src_port = 0;
        a.packet[22 + at] = (uint8_t)i;
        start(&a);
        expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
        port = rocecc_load16(a.out + 20);
        CHECK(port >= 0xc000);
        if (i == 0) first = port;
        differ += port != first;
        a.now_ns += MS;
        a.packet[22 + 60]++; /* next packet of the flow */
        expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
        CHECK_EQ(rocecc_load16(a.out + 20), port);
    }
    test_context("byte %zu", at);
    CHECK(differ > 250); /* of 255, because a few are equal by chance */
}

/* The source port depends on both addresses and both ports. */
TEST(congestion_point_source_port_depends_on_the_flow)
{
    src_ports(15);
    src_ports(19);
    src_ports(20 + 1);
    src_ports(20 + 3);
}

/* init() checks CNMs only if QCN is on, but most CNP values if any kind is on. */
TEST(congestion_point_init_checks_only_enabled_notifications)
{
    unsigned i, on;
    for (on = 0; on < 4; on++)
        for (i = 0; i < 14; i++) {
            rocecc_congestion_config c = node_e1().c, was;
            rocecc_domain d = node_e1().domain;
            rocecc_congestion_refusal should = ROCECC_CONGESTION_REFUSED_L3QCN;
            const bool qcn = on & 1, standard = on >> 1 & 1;
            c.qcn_priorities = qcn ? 1 : 0;
            c.standard_cnp = standard;
            if (i == 0) d.l3qcn.port = 0;
            if (i == 1) d.l3qcn.port = ROCECC_UDP_PORT_ROCEV2;
            if (i == 2) c.l3qcn_outer.dscp = 64;
            if (i == 3) c.l3qcn_outer.ecn = 4;
            if (i == 4) c.l3qcn_outer.flow_label = 1 << 20;
            if (i == 5) c.msdu_bytes = 65;
            if (i == 6) c.msdu_bytes = 255;
            if (i == 13) c.l3qcn_outer.hop_limit = 0;
            if (i >= 7) should = ROCECC_CONGESTION_REFUSED_CNP;
            if (i == 7) c.cnp.dscp = 64;
            if (i == 8) c.cnp.ecn = 4;
            if (i == 9) c.cnp.flow_label = 1 << 20;
            if (i >= 10) should = ROCECC_CONGESTION_REFUSED_GATE;
            if (i == 10) c.gate.defer = 1;
            if (i >= 11) should = ROCECC_CONGESTION_REFUSED_LIMIT;
            if (i == 11) c.admission.shared.burst = 0;
            if (i >= 12) should = ROCECC_CONGESTION_ACCEPTED;
            if (i == 12) { /* only for Fast CNPs, which are off */
                memset(&d.fastcnp, 0, sizeof d.fastcnp);
                memset(&c.cnp.src, 0, sizeof c.cnp.src);
                c.icrc_rule = ROCECC_ICRC_STANDARD;
            }
            if (i == 13) should = ROCECC_CONGESTION_REFUSED_L3QCN;
            if (!qcn && (!standard || i < 7 || i == 13))
                should = ROCECC_CONGESTION_ACCEPTED;
            was = c;
            test_context("case %u, on %u", i, on);
            CHECK_EQ(init(&c, &d), should);
            if (should != ROCECC_CONGESTION_ACCEPTED)
                CHECK(memcmp(&c, &was, sizeof c) == 0);
        }
}

/* The law holds for random bytes, and they give every reason and every kind. */
TEST(congestion_point_law)
{
    memset(law_congestion_seen, 0, sizeof law_congestion_seen);
    memset(law_congestion_written, 0, sizeof law_congestion_written);
    law_random(law_congestion_point, 30000);
    {
        unsigned i;
        for (i = 0; i < ROCECC_CONGESTION_REASONS; i++) {
            test_context("reason %u", i);
            CHECK(law_congestion_seen[i] != 0);
        }
        for (i = 0; i < 3; i++) {
            test_context("kind %u", i);
            CHECK(law_congestion_written[i] * 300 >= test_rounds(30000));
        }
    }
}

static rocecc_reader bytes_of(const char *hex, uint8_t *b)
{
    size_t n = 0;
    CHECK(vec_hex(hex, b, &n));
    return rocecc_reader_of(b, b + n);
}

/* A CNP over IPv6. */
#define CNP6                                                                           \
    "6c000000 00281140 20010db8 00000000 00000000 00000001 20010db8 00000000 00000000" \
    "00000002 c12312b7 00280000 8100ffff 40123456 00000000 00000000 00000000 00000000" \
    "00000000 8f6a5c9b"

/* Only priorities 0 to 7 use QCN, even if all bits of qcn_priorities are set. */
TEST(congestion_point_only_priorities_0_to_7_use_qcn)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    uint8_t b[256], out[256];
    const rocecc_reader r = bytes_of(CNP6, b);
    unsigned priority;
    rocecc_packet p;
    (void)rocecc_packet_parse(&d, r, &p);
    for (priority = 0; priority < 256; priority++) {
        rocecc_congestion_config c;
        rocecc_congestion_point s;
        rocecc_congestion_event e;
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_congestion_result got;
        memset(&c, 0, sizeof c);
        memset(&s, 0, sizeof s);
        memset(&e, 0, sizeof e);
        c.qcn_priorities = 0xff;
        e.priority = (uint8_t)priority;
        e.qcn.cnm = true;
        got = rocecc_congestion_point_step(&c, &s, &p, &e, &w);
        test_at("priority", priority, 0, 0);
        CHECK_EQ(got.reason == ROCECC_CONGESTION_NOT_ASKED, priority >= 8);
        CHECK_EQ(got.outputs, 0);
    }
}

/* CNPs need a hop limit above 0 to arrive. Without CNPs, init() accepts 0. */
TEST(congestion_point_standard_cnp_needs_a_hop)
{
    rocecc_domain d = kept_domain();
    rocecc_congestion_config c = ROCECC_ZERO;
    rocecc_acl_entry entry;
    const rocecc_acl list = kept_anybody(&entry);
    d.l3qcn.port = 0xcafe;
    c.admission.unlimited = true;
    c.answer = rocecc_opcode_set_data();
    c.cnp = rocecc_cnp_default();
    c.gate = rocecc_cnpgate_paper();
    c.l3qcn_outer = rocecc_l3qcn_outer_default(0);
    c.cnp.hop_limit = 0;
    c.qcn_priorities = 1;
    CHECK_EQ(rocecc_congestion_point_init(&c, &d, &list), ROCECC_CONGESTION_ACCEPTED);
    c.standard_cnp = true;
    CHECK_EQ(rocecc_congestion_point_init(&c, &d, &list),
             ROCECC_CONGESTION_REFUSED_CNP);
    c.cnp.hop_limit = 1;
    CHECK_EQ(rocecc_congestion_point_init(&c, &d, &list), ROCECC_CONGESTION_ACCEPTED);
}

/* mark() reads only the outermost ECN field. Not-ECT outside is not marked, and ECT
 * outside is marked even if Not-ECT is inside. */
TEST(congestion_point_mark_reads_only_the_outermost_header)
{
    static const rocecc_domain d;
    unsigned outside, inside;
    for (outside = 0; outside < 4; outside++)
        for (inside = 0; inside < 4; inside++) {
            vec_packet w = vec_find(SRV6_ROWS, "e9"), was;
            rocecc_packet p;
            w.bytes[15] = (uint8_t)((w.bytes[15] & 0xcfu) | outside << 4);
            w.bytes[14 + 80 + 1] =
                (uint8_t)((w.bytes[14 + 80 + 1] & 0xcfu) | inside << 4);
            was = w;
            (void)rocecc_packet_parse(&d, rocecc_reader_of(w.bytes, w.bytes + w.n), &p);
            CHECK_EQ(p.headers.ip.offset, 14 + 80);
            test_context("outside %u, inside %u", outside, inside);
            CHECK_EQ(rocecc_congestion_point_mark(
                         &p, rocecc_writer_of(w.bytes, w.bytes + w.n)),
                     outside != 0);
            if (outside != 0) was.bytes[15] |= 0x30;
            CHECK(memcmp(w.bytes, was.bytes, w.n) == 0);
        }
}

/* An index replaces the list, and the tag of its entry selects the buckets. */
TEST(FC_17_an_index_replaces_the_list)
{
    unsigned permit, listed;
    for (permit = 0; permit < 2; permit++)
        for (listed = 0; listed < 2; listed++) {
            node a = node_of(data, sizeof data);
            rocecc_aclindex_cell cells[2 * ROCECC_ACLINDEX_CELLS];
            rocecc_acl_entry entry;
            rocecc_aclindex index;
            rocecc_acl list;
            memset(&entry, 0, sizeof entry);
            entry.permit = (uint8_t)permit;
            entry.tag = 3;
            list = list_of(&entry, 1);
            CHECK_EQ(
                rocecc_aclindex_init(&index, &list, cells, 2 * ROCECC_ACLINDEX_CELLS),
                ROCECC_OK);
            a.e.admission.index = &index;
            a.access[0].permit = (uint8_t)listed; /* not used */
            test_context("index %u, list %u", permit, listed);
            if (permit)
                expect(&a, ROCECC_CONGESTION_SENT, BOTH);
            else
                expect(&a, ROCECC_CONGESTION_ACCESS_DENIED, ROCECC_CONGESTION_MARK);
            CHECK_EQ(a.sources[3].admitted.level_e9,
                     (permit ? 15u : 16u) * UINT64_C(1000000000));
            CHECK_EQ(a.sources[0].admitted.level_e9, 16 * UINT64_C(1000000000));
        }
}

/* A standard CNP replaces a Fast CNP that is off, not supported or NOT_DATA. After any
 * other reason none is sent, even if the sender's QP is known. */
TEST(R_L3_14_a_cnp_replaces_only_an_unavailable_fast_cnp)
{
    unsigned i;
    for (i = 0; i < 6; i++) {
        node a = node_traced();
        rocecc_congestion_reason reason = ROCECC_CONGESTION_BAD_OPTIONS;
        a.c.standard_cnp = a.c.quiet_if_told = a.e.has_qpn = true;
        a.e.qpn = 5;
        start(&a);
        test_context("case %u", i);
        if (i == 0) a.domain.fastcnp.type_ioam = 0;
        if (i == 1) reason = ROCECC_CONGESTION_NO_SPACE;
        if (i == 1) a.room = 100; /* enough for a CNP of 80 bytes */
        if (i == 2) reason = ROCECC_CONGESTION_ACCESS_DENIED;
        if (i == 2) a.n_access = 0;
        if (i == 3) reason = ROCECC_CONGESTION_BAD_DESTINATION;
        if (i == 3) a.packet[24] = 0xff;
        if (i == 4) reason = ROCECC_CONGESTION_RATE_LIMITED;
        if (i == 4) a.e.admission.n_sources = 0;
        if (i == 5) reason = ROCECC_CONGESTION_HELD;
        if (i == 5) expect(&a, ROCECC_CONGESTION_SENT, BOTH);
        expect(&a, reason, ROCECC_CONGESTION_MARK);
        if (i == 0 || i == 1 || i == 5) { /* Fast CNP off */
            a.c.fastcnp_enabled = false;
            a.now_ns += MS;
            expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNP);
        }
    }
}

/* With a closed gate, no room and no token, the reason is HELD, then NO_SPACE, then
 * RATE_LIMITED. Any other failed check comes first. */
TEST(congestion_point_checks_gate_then_room_then_buckets)
{
    unsigned kind;
    for (kind = 0; kind < 6; kind++) {
        answered x = answered_of(kind);
        test_context("kind %u", kind);
        expect(&x.a, ROCECC_CONGESTION_SENT, x.sent);
        x.a.room = 0;
        x.a.e.admission.n_sources = 0;
        expect(&x.a, ROCECC_CONGESTION_HELD, x.mark);
        x.a.access[0].permit = 0;
        expect(&x.a, ROCECC_CONGESTION_ACCESS_DENIED, x.mark);
        x.a.access[0].permit = 1;
        if (x.sent == ROCECC_CONGESTION_CNP) {
            x.a.e.has_qpn = false;
            expect(&x.a, ROCECC_CONGESTION_NEEDS_QPN, x.mark);
            x.a.e.has_qpn = true;
        } else if (x.sent == BOTH) {
            const uint8_t type = x.a.domain.fastcnp.type_plain;
            x.a.domain.fastcnp.type_plain = 0;
            expect(&x.a, ROCECC_CONGESTION_BAD_OPTIONS, x.mark);
            x.a.domain.fastcnp.type_plain = type;
        }
        x.a.now_ns += 50000;
        expect(&x.a, ROCECC_CONGESTION_NO_SPACE, x.mark);
        x.a.room = sizeof x.a.out;
        expect(&x.a, ROCECC_CONGESTION_RATE_LIMITED, x.mark);
        x.a.e.admission.n_sources = SENDERS;
        expect(&x.a, ROCECC_CONGESTION_SENT, x.sent);
    }
}

/* After two senders have taken the 124 shared tokens, each packet of a third sender is
 * RATE_LIMITED, and still takes a token of its own. */
TEST(FC_18_an_empty_shared_bucket_still_costs_a_sender_token)
{
    node a = node_for(1, 3);
    unsigned i;
    for (i = 0; i < 124; i++) {
        a.packet[23] = (uint8_t)(0x10 + i / 62);
        expect(&a, ROCECC_CONGESTION_SENT, BOTH);
    }
    a.packet[23] = 0x12;
    for (i = 1; i <= 62; i++) {
        expect(&a, ROCECC_CONGESTION_RATE_LIMITED, ROCECC_CONGESTION_MARK);
        CHECK_EQ(a.s.admission.count[ROCECC_ADMISSION_SHARED_LIMITED], i);
        CHECK_EQ(a.sources[2].admitted.level_e9, (62 - i) * UINT64_C(1000000000));
    }
    expect(&a, ROCECC_CONGESTION_RATE_LIMITED, ROCECC_CONGESTION_MARK);
    CHECK_EQ(a.s.admission.count[ROCECC_ADMISSION_SOURCE_LIMITED], 1);
}

/* A trimmed packet is partial, so it gets no Fast CNP and no CNP. It gets a CNM,
 * because QCN rejects only fragments. */
TEST(congestion_point_trimmed_packets_get_only_cnms)
{
    unsigned kind;
    for (kind = 0; kind < 4; kind++) {
        answered x = answered_of(kind);
        const size_t ip = kind == 3 ? 14 : 0;
        const bool v4 = kind == 2;
        const size_t at = ip + (v4 ? 3u : 5u);
        x.a.packet[at] = (uint8_t)(8 + 12 + (v4 ? 20 : 0)); /* ends after the BTH */
        test_context("kind %u", kind);
        if (kind == 3)
            expect(&x.a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
        else
            expect(&x.a, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
        CHECK_EQ(x.a.where.partial, ROCECC_PARTIAL_TRIMMED);
        CHECK(x.a.where.bth != 0);
    }
}

/* VXLAN does not count as a tunnel. A CNM about the flow to port 4789 goes to the outer
 * source. A queue without QCN does not answer VXLAN. */
TEST(congestion_point_vxlan_is_not_a_tunnel)
{
    unsigned qcn;
    for (qcn = 0; qcn < 2; qcn++) {
        node a = node_e5();
        rocecc_l3qcn h;
        rocecc_store16(a.packet + 14 + 40 + 2, ROCECC_UDP_PORT_VXLAN);
        memset(a.packet + 14 + 48, 0, 8);
        a.packet[14 + 48] = 8; /* flag I */
        a.c.fastcnp_enabled = true;
        a.e.verdict = ROCECC_WRED_MARK;
        if (!qcn) a.e.priority = 4;
        if (!qcn) {
            expect(&a, ROCECC_CONGESTION_NOT_DATA, ROCECC_CONGESTION_MARK);
            continue;
        }
        expect(&a, ROCECC_CONGESTION_SENT, ROCECC_CONGESTION_CNM);
        CHECK_EQ(a.where.tunnel, ROCECC_TUNNEL_VXLAN);
        h = sent_cnm(&a);
        CHECK_EQ(h.dst_port, ROCECC_UDP_PORT_VXLAN);
        CHECK(memcmp(h.src.b, a.packet + 14 + 8, 16) == 0);
        CHECK(memcmp(a.out + 24, a.packet + 14 + 8, 16) == 0);
    }
}

/* An error that arrives after Fast CNP is switched off still counts. */
TEST(FC_03_an_error_counts_while_fast_cnp_is_off)
{
    rocecc_icmp_message m;
    node a = rejected_of(0, &m);
    a.c.fastcnp_enabled = false;
    CHECK(rejects(&a, &m, a.sent));
}

/* Of several reasons, the packet's addresses come first, then the access list, then the
 * tunnel. For a CNM the addresses also come before the opcode. */
TEST(congestion_point_checks_addresses_then_list_then_tunnel)
{
    node a = node_e9();
    uint8_t *inner = a.packet + 14 + 40 + 40;
    a.n_tunnels = 0;
    a.n_access = 0;
    a.packet[14 + 8] = 0xff; /* END.CON */
    inner[24] = 0xff;
    inner[8] = 0xff;
    expect(&a, ROCECC_CONGESTION_BAD_SOURCE, ROCECC_CONGESTION_MARK);
    inner[8] = 0x20;
    expect(&a, ROCECC_CONGESTION_BAD_DESTINATION, ROCECC_CONGESTION_MARK);
    inner[24] = 0x20;
    expect(&a, ROCECC_CONGESTION_ACCESS_DENIED, ROCECC_CONGESTION_MARK);
    a.n_access = 1;
    expect(&a, ROCECC_CONGESTION_BAD_SOURCE, ROCECC_CONGESTION_MARK);
    a.packet[14 + 8] = 0x20;
    expect(&a, ROCECC_CONGESTION_UNLISTED_TUNNEL, ROCECC_CONGESTION_MARK);
    a = node_e5();
    a.n_access = 0;
    a.packet[14 + 48] = 0x11;
    a.packet[14 + 24] = 0xff;
    expect(&a, ROCECC_CONGESTION_BAD_DESTINATION, 0);
    a.packet[14 + 24] = 0x20;
    expect(&a, ROCECC_CONGESTION_NOT_DATA, 0);
    a.packet[14 + 48] = 0x04;
    expect(&a, ROCECC_CONGESTION_ACCESS_DENIED, 0);
}
