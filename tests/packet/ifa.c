/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ifa.c - tests packet/ifa.h. Plans insert a stack, push records, and strip the stack,
 * on a path of nodes, with each optional header, and with lengths that contradict each
 * other.
 */
#include "lib/edits.h"
#include "lib/frame.h"
#include "lib/ifa.h"
#include "lib/test.h"
#include "rocecc/packet/echo.h"
#include "rocecc/packet/icrc.h"
#include "rocecc/packet/ifa.h"
#include "rocecc/packet/intmd.h"
#include "rocecc/wire/ifa.h"
#include "rocecc/wire/ifanode.h"

#include <string.h>

#define PROTOCOL 253
#define HEADER 20 /* offset of the IFA header, after IPv4 */
#define L4 24
#define STACK 32 /* offset of the metadata header */

static rocecc_domain domain_of(void)
{
    rocecc_domain d = ROCECC_ZERO;
    d.link = ROCECC_LINK_IP;
    d.ah = true;
    d.ifa.protocol = PROTOCOL;
    d.ifa.layout_a = 0xffff;
    d.ifa.checksum = ROCECC_IFA_COVERS_STACK;
    d.ifa.fragments = true;
    return d;
}

static rocecc_packet packet_of(const rocecc_domain *d, const uint8_t *b, size_t n)
{
    rocecc_packet p;
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + n), &p);
    return p;
}

/* Writes IPv4 and 20 bytes of another protocol. */
static size_t ip_packet(uint8_t *b, uint8_t proto)
{
    memset(b, 0, 40);
    b[0] = 0x45;
    b[3] = 40;
    b[8] = 64;
    b[9] = proto;
    if (proto == ROCECC_PROTO_UDP) b[20 + 5] = 20;
    if (proto == ROCECC_PROTO_TCP) b[20 + 12] = 0x50;
    return 40;
}

/* Writes IPv4, IFA with these flags, UDP, one record and 4 bytes of payload. */
static size_t stamped(uint8_t *b, uint8_t flags)
{
    const size_t more =
        (flags & ROCECC_IFA_FLAG_C ? 4u : 0u) + (flags & ROCECC_IFA_FLAG_MF ? 4u : 0u);
    const size_t n = STACK + 4 + more + ROCECC_IFA_NODE_BYTES + 4;
    memset(b, 0, n);
    b[0] = 0x45;
    b[3] = (uint8_t)n;
    b[8] = 64;
    b[9] = PROTOCOL;
    b[HEADER] = 0x2f;
    b[HEADER + 1] = ROCECC_PROTO_UDP;
    b[HEADER + 2] = flags;
    b[HEADER + 3] = ROCECC_IFA_NODE_WORDS;
    b[L4 + 5] = 12;
    b[STACK] = 0xff;
    b[STACK + 1] = 0x40;
    b[STACK + 2] = 7; /* Hop Limit */
    b[STACK + 3] = ROCECC_IFA_NODE_WORDS;
    b[STACK + 4 + more] = 0x10; /* LNS 1 */
    return n;
}

static rocecc_ifa_node node_of(void)
{
    rocecc_ifa_node n;
    memset(&n, 0, sizeof n);
    n.layout = ROCECC_IFA_LAYOUT_A;
    n.lns = 1;
    return n;
}

static rocecc_ifa_source source_of(uint8_t flags)
{
    const rocecc_ifa_source s = {
        {2, ROCECC_IFA_GNS_NONE, 0, flags, 255}, {0xff, 0, 0xfe, 9}, 0x2345678};
    return s;
}

/* Checks that a word is compared and does not change. */
static void stays(const rocecc_edit *e, unsigned slot, size_t at, uint16_t value)
{
    test_context("slot %u", slot);
    CHECK_EQ(e->words >> slot & 1, 1);
    CHECK_EQ(e->word[slot].offset, at);
    CHECK_EQ(e->word[slot].old_value, value);
    CHECK_EQ(e->word[slot].new_value, value);
}

/* With MF but without C, the fragment header follows the metadata header (Current
 * Length 0). Its high 26 bits are the packet's number, 0x2345678 * 64. */
TEST(ifa_source_with_mf_adds_a_fragment_header)
{
    static const uint8_t should[] = {0x2f, 17, 0x14, 255,  0xff, 0,
                                     0xfe, 0,  0x8d, 0x15, 0x9e, 0};
    const rocecc_domain d = domain_of();
    const rocecc_ifa_source s = source_of(ROCECC_IFA_FLAG_MF | ROCECC_IFA_FLAG_I);
    uint8_t b[40];
    const size_t n = ip_packet(b, ROCECC_PROTO_UDP);
    const rocecc_packet p = packet_of(&d, b, n);
    rocecc_edit e;
    CHECK_EQ(rocecc_ifa_insert(&p, &s, 1500, &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(e.n_splices, 2);
    CHECK(e.splice[0].offset == 20 && e.splice[0].old_bytes == 0 &&
          e.splice[0].new_bytes == 4);
    CHECK(e.splice[1].offset == 28 && e.splice[1].old_bytes == 0 &&
          e.splice[1].new_bytes == 8);
    CHECK(memcmp(e.fill, should, sizeof should) == 0);
}

/* The plan compares the Data Offset of TCP (byte 12), because it determines where L4
 * ends. */
TEST(ifa_source_compares_the_data_offset)
{
    const rocecc_domain d = domain_of();
    const rocecc_ifa_source s = source_of(ROCECC_IFA_FLAG_I);
    uint8_t b[40];
    const size_t n = ip_packet(b, ROCECC_PROTO_TCP);
    const rocecc_packet p = packet_of(&d, b, n);
    rocecc_edit e;
    b[20 + 11] = 0x77; /* in the acknowledgment number; not compared */
    CHECK_EQ(rocecc_ifa_insert(&p, &s, 1500, &e), ROCECC_EDIT_CHANGE);
    stays(&e, ROCECC_EDIT_FORMAT, 20 + 12, 0x5000);
}

/* A protocol without an L4 header for IFA, such as 0, gives UNSUPPORTED. */
TEST(ifa_source_of_an_unknown_protocol_is_unsupported)
{
    const rocecc_domain d = domain_of();
    const rocecc_ifa_source s = source_of(ROCECC_IFA_FLAG_I);
    unsigned proto;
    for (proto = 0; proto < 4; proto++) {
        uint8_t b[40];
        const size_t n = ip_packet(b, (uint8_t)proto);
        const rocecc_packet p = packet_of(&d, b, n);
        rocecc_edit e;
        test_context("protocol %u", proto);
        CHECK_EQ(p.headers.stopped, ROCECC_LAYER_UPPER);
        CHECK_EQ(rocecc_ifa_insert(&p, &s, 1500, &e), ROCECC_EDIT_UNSUPPORTED);
    }
}

/* A full stack is replaced after options, but not after an Authentication Header,
 * because AH covers it. */
TEST(ifa_does_not_replace_a_stack_after_ah)
{
    const rocecc_domain d = domain_of();
    const rocecc_ifa_node node = node_of();
    int with_ah;
    for (with_ah = 0; with_ah < 2; with_ah++) {
        uint8_t b[160], v4[120];
        const size_t after = stamped(v4, ROCECC_IFA_FLAG_MF | ROCECC_IFA_FLAG_I) - 20;
        rocecc_packet p;
        rocecc_edit e;
        memset(b, 0, sizeof b);
        b[0] = 0x60;
        b[5] = (uint8_t)(8 + after);
        b[6] = (uint8_t)(with_ah ? ROCECC_PROTO_AH : ROCECC_PROTO_DSTOPTS);
        b[40] = PROTOCOL; /* either header has 8 bytes */
        memcpy(b + 48, v4 + 20, after);
        p = packet_of(&d, b, 48 + after);
        CHECK_EQ(p.headers.ifa, 48);
        CHECK_EQ(rocecc_ifa_push(&p, &node, 1500, &e),
                 with_ah ? ROCECC_EDIT_AH : ROCECC_EDIT_FRAGMENT);
        CHECK_EQ(rocecc_edit_needs_action(&e), !with_ah);
    }
}

/* If the walk stops before the end of IP, as at ESP (RFC 4303), nothing is inserted. */
TEST(ifa_is_not_inserted_before_esp)
{
    static const uint8_t esp[] = {0x45, 0,   0, 32, 0, 0,   0x40, 0, 64, 50, 0,
                                  0,    192, 0, 2,  1, 192, 0,    2, 2,  0,  0,
                                  0,    1,   0, 0,  0, 1,   0,    0, 0,  0};
    const rocecc_domain d = domain_of();
    const rocecc_packet p = packet_of(&d, esp, sizeof esp);
    const rocecc_ifa_source s = {{2, 15, 0, 0x04, 255}, {0xff, 0, 254, 0}, 0};
    rocecc_edit e;
    CHECK_EQ(p.headers.status, ROCECC_ERR_UNSUPPORTED);
    CHECK_EQ(rocecc_ifa_insert(&p, &s, 1500, &e), ROCECC_EDIT_UNSUPPORTED);
    CHECK(!rocecc_edit_needs_action(&e));
}

/* A sink's plan compares this header and this stack length. It does not change them,
 * because they are removed. */
TEST(ifa_sink_compares_the_headers_it_removes)
{
    const rocecc_domain d = domain_of();
    uint8_t b[120];
    const size_t n = stamped(b, ROCECC_IFA_FLAG_I);
    const rocecc_packet p = packet_of(&d, b, n);
    rocecc_edit e;
    CHECK_EQ(rocecc_ifa_strip(&p, &e), ROCECC_EDIT_CHANGE);
    CHECK_EQ(e.words >> ROCECC_EDIT_FORMAT, 7);
    CHECK_EQ(e.words & ((1u << ROCECC_EDIT_FORMAT) - 1),
             1u << ROCECC_EDIT_IP_LENGTH | 1u << ROCECC_EDIT_IP_PROTO |
                 1u << ROCECC_EDIT_IP_SUM);
    stays(&e, ROCECC_EDIT_FORMAT, HEADER, 0x2f11);
    stays(&e, ROCECC_EDIT_FORMAT + 1, HEADER + 2, 0x0408);
    stays(&e, ROCECC_EDIT_FORMAT + 2, STACK + 2, 0x0708);
}

/* A new stack replaces one record. MF ID, in bits 5 to 1, increases by one, and the
 * length stays the same. */
TEST(ifa_new_stack_increments_the_fragment_id)
{
    const rocecc_domain d = domain_of();
    const rocecc_ifa_node node = node_of();
    uint8_t b[120];
    const size_t n = stamped(b, ROCECC_IFA_FLAG_MF | ROCECC_IFA_FLAG_I);
    rocecc_packet p;
    rocecc_edit e;
    rocecc_store32(b + STACK + 4, 0x2345678u << 6 | 3 << 1);
    p = packet_of(&d, b, n);
    CHECK_EQ(rocecc_ifa_push(&p, &node, 1500, &e), ROCECC_EDIT_FRAGMENT);
    CHECK_EQ(e.words, 1u << ROCECC_EDIT_IP_LENGTH | 1u << ROCECC_EDIT_IP_SUM |
                          0xfu << ROCECC_EDIT_FORMAT);
    CHECK_EQ(e.word[ROCECC_EDIT_IP_LENGTH].new_value, n);
    stays(&e, ROCECC_EDIT_FORMAT, HEADER, 0x2f11);
    stays(&e, ROCECC_EDIT_FORMAT + 1, HEADER + 2, 0x1408);
    CHECK_EQ(e.word[ROCECC_EDIT_FORMAT + 2].offset, STACK + 2);
    CHECK_EQ(e.word[ROCECC_EDIT_FORMAT + 2].new_value, 0x0608);
    CHECK_EQ(e.word[ROCECC_EDIT_FORMAT + 3].offset, STACK + 6);
    CHECK_EQ(e.word[ROCECC_EDIT_FORMAT + 3].old_value, 0x9e06);
    CHECK_EQ(e.word[ROCECC_EDIT_FORMAT + 3].new_value, 0x9e08);
    CHECK_EQ(e.n_splices, 1);
    CHECK(e.splice[0].offset == STACK + 8 && e.splice[0].old_bytes == 32 &&
          e.splice[0].new_bytes == 32);
}

/* An item that is one bit too wide is rejected, and not truncated. */
TEST(ifa_push_rejects_an_item_one_bit_too_wide)
{
    const rocecc_domain d = domain_of();
    uint8_t b[120];
    const size_t n = stamped(b, ROCECC_IFA_FLAG_I);
    rocecc_packet p;
    rocecc_ifa_node node;
    rocecc_edit e;
    int wide;
    b[HEADER + 3] = 255;
    p = packet_of(&d, b, n);
    for (wide = 0; wide < 2; wide++) {
        node = node_of();
        node.present = ROCECC_IFA_PRESENT_A & ~(unsigned)ROCECC_IFA_SPEED;
        node.tx_bytes = 0xffffffff;
        if (wide) node.tx_bytes++;
        CHECK_EQ(rocecc_ifa_push(&p, &node, 1500, &e),
                 wide ? ROCECC_EDIT_RANGE : ROCECC_EDIT_CHANGE);
        CHECK_EQ(rocecc_edit_needs_action(&e), !wide);
    }
}

/* Only flag I means that the packet continues after the sink. */
TEST(ifa_strip_returns_probe_without_flag_i)
{
    const rocecc_domain d = domain_of();
    unsigned flags;
    for (flags = 0; flags < 256; flags++) {
        uint8_t b[120];
        const size_t n = stamped(b, (uint8_t)flags);
        const rocecc_packet p = packet_of(&d, b, n);
        rocecc_edit e;
        if ((flags & ROCECC_IFA_FLAG_TS) != 0) continue;
        test_context("flags %02x", flags);
        CHECK_EQ(rocecc_ifa_strip(&p, &e), (flags & ROCECC_IFA_FLAG_I) != 0
                                               ? ROCECC_EDIT_CHANGE
                                               : ROCECC_EDIT_PROBE);
        CHECK_EQ(rocecc_edit_needs_action(&e), (flags & ROCECC_IFA_FLAG_I) != 0);
    }
}

/* A domain without IFA finds none, even if another domain has walked the packet. */
TEST(ifa_is_not_found_in_a_domain_without_ifa)
{
    const rocecc_domain d = domain_of();
    const rocecc_domain off = {.link = ROCECC_LINK_IP, .ifa = {.layout_a = 0xffff}};
    const rocecc_ifa_node node = node_of();
    uint8_t b[120];
    const size_t n = stamped(b, ROCECC_IFA_FLAG_I);
    const rocecc_packet p = packet_of(&d, b, n);
    const rocecc_packet q = rocecc_packet_attach(&off, p.bytes, &p.headers);
    rocecc_edit e;
    rocecc_ifa h;
    CHECK_EQ(p.headers.ifa, HEADER);
    CHECK_EQ(rocecc_ifa_find(&p, &h), ROCECC_OK);
    CHECK_EQ(rocecc_ifa_find(&q, &h), ROCECC_NO_MATCH);
    CHECK_EQ(rocecc_ifa_push(&q, &node, 1500, &e), ROCECC_EDIT_NONE);
    CHECK_EQ(rocecc_ifa_strip(&q, &e), ROCECC_EDIT_NONE);
}

/* Version 0 means that the packet has no IP header (headers.h), and so no IFA. */
TEST(ifa_source_needs_an_ip_version)
{
    const rocecc_domain d = domain_of();
    const rocecc_ifa_source s = source_of(ROCECC_IFA_FLAG_I);
    uint8_t b[120];
    const size_t n = stamped(b, ROCECC_IFA_FLAG_I);
    rocecc_packet p = packet_of(&d, b, n);
    rocecc_edit e;
    CHECK_EQ(rocecc_ifa_insert(&p, &s, 1500, &e), ROCECC_EDIT_PRESENT);
    p.headers.ip.version = 0;
    CHECK_EQ(rocecc_ifa_insert(&p, &s, 1500, &e), ROCECC_EDIT_NONE);
}

/* If the walk could not read an IFA header that was cut off or of another version,
 * find() still returns the walk's status after the bytes have changed. */
TEST(ifa_find_returns_the_status_of_the_walk)
{
    rocecc_domain d = domain_of();
    uint8_t b[120];
    const size_t n = stamped(b, ROCECC_IFA_FLAG_I);
    const rocecc_reader r = rocecc_reader_of(b, b + n);
    rocecc_packet p;
    rocecc_ifa h;
    unsigned tail;
    for (tail = 0; tail <= ROCECC_IFA_TAIL_NEWEST_LAST; tail++) {
        test_context("tail %u", tail);
        d.ifa.tail = (rocecc_ifa_tail)tail;
        p = packet_of(&d, b, HEADER + 3);
        CHECK_EQ(p.headers.stopped, ROCECC_LAYER_IFA);
        p = rocecc_packet_attach(&d, r, &p.headers);
        CHECK_EQ(rocecc_ifa_find(&p, &h), ROCECC_ERR_SHORT);
        if (tail != ROCECC_IFA_TAIL_UNKNOWN) continue; /* checked in one domain only */
        b[HEADER] = 0x3f;
        p = packet_of(&d, b, n);
        CHECK_EQ(p.headers.stopped, ROCECC_LAYER_IFA);
        b[HEADER] = 0x2f;
        CHECK_EQ(rocecc_ifa_find(&p, &h), ROCECC_ERR_UNSUPPORTED);
    }
}

/* A fragment with IFA gives UNSUPPORTED. With another protocol, or with IFA off, it
 * gives NO_MATCH. */
TEST(ifa_in_a_fragment_is_unsupported)
{
    static const rocecc_domain off = {.link = ROCECC_LINK_IP};
    const rocecc_domain d = domain_of();
    const test_frame has = frame_of("4500001c 00002000 40fd0000 c0000201 c0000202"
                                    "20110000 01000000");
    const test_frame none = frame_of("4500001c 00002000 40000000 c0000201 c0000202"
                                     "20110000 01000000");
    rocecc_packet p = frame_walked(&d, &has);
    rocecc_ifa h;
    CHECK(p.headers.ifa == 20 && p.headers.ip.fragment == ROCECC_IP_FRAGMENT_FIRST);
    CHECK_EQ(rocecc_ifa_find(&p, &h), ROCECC_ERR_UNSUPPORTED);
    p = frame_walked(&off, &has);
    CHECK_EQ(rocecc_ifa_find(&p, &h), ROCECC_NO_MATCH);
    p = frame_walked(&d, &none);
    CHECK_EQ(rocecc_ifa_find(&p, &h), ROCECC_NO_MATCH);
    p = frame_walked(&off, &none); /* protocol 0, which is also off */
    CHECK_EQ(rocecc_ifa_find(&p, &h), ROCECC_NO_MATCH);
}

/* A frame that ends in the IP header gives BROKEN. */
TEST(ifa_source_of_a_cut_frame_is_broken)
{
    const rocecc_domain d = domain_of();
    const rocecc_ifa_source s = source_of(ROCECC_IFA_FLAG_I);
    const test_frame x = frame_of("450000");
    const rocecc_packet p = frame_walked(&d, &x);
    rocecc_edit e;
    CHECK_EQ(p.headers.status, ROCECC_ERR_SHORT);
    CHECK_EQ(rocecc_ifa_insert(&p, &s, 1500, &e), ROCECC_EDIT_BROKEN);
}

/* Writes an IPv4 header without options for n bytes in all, and zeros after it. */
static void ipv4(uint8_t *b, size_t n, uint8_t proto)
{
    memset(b, 0, n);
    b[0] = 0x45;
    rocecc_store16(b + 2, (uint16_t)n);
    b[8] = 64;
    b[9] = proto;
}

/* Writes IPv4 and UDP, and inserts IFA. Returns the length. */
static size_t ifa_in(const rocecc_domain *d, uint8_t *b, size_t room)
{
    const rocecc_ifa_source s = {
        {2, ROCECC_IFA_GNS_NONE, 0, ROCECC_IFA_FLAG_I, 255}, {0xff, 0, 0xff, 0}, 0};
    rocecc_writer w = rocecc_writer_of(b, b + room);
    rocecc_packet p;
    rocecc_edit e;
    ipv4(b, 28, ROCECC_PROTO_UDP);
    b[25] = 8;
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + 28), &p);
    CHECK_EQ(rocecc_ifa_insert(&p, &s, 1500, &e), ROCECC_EDIT_CHANGE);
    w.at = 28;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    return w.at;
}

/* `tail` applies only to tail stamps. Otherwise the newest record directly follows the
 * metadata header in every domain. */
TEST(ifa_newest_record_comes_first_without_ts)
{
    unsigned tail;
    for (tail = ROCECC_IFA_TAIL_UNKNOWN; tail <= ROCECC_IFA_TAIL_NEWEST_LAST; tail++) {
        rocecc_domain d = ROCECC_ZERO;
        uint8_t b[160];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        rocecc_ifa_node node = ROCECC_ZERO;
        rocecc_packet p;
        rocecc_edit e;
        unsigned i;
        d.link = ROCECC_LINK_IP;
        d.ifa.protocol = 253;
        d.ifa.layout_a = 1;
        d.ifa.tail = (rocecc_ifa_tail)tail;
        w.at = ifa_in(&d, b, sizeof b);
        CHECK_EQ(w.at, 36);
        for (i = 0; i < 2; i++) {
            test_context("tail %u, record %u", tail, i);
            node.layout = ROCECC_IFA_LAYOUT_A;
            (void)rocecc_packet_parse(&d, rocecc_written(&w), &p);
            CHECK_EQ(rocecc_ifa_push(&p, &node, 1500, &e), ROCECC_EDIT_CHANGE);
            CHECK_EQ(e.splice[0].offset, 36);
            CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
        }
    }
}

/* GNS has 4 bits. 0x11 is rejected, and not read as GNS 1 of this zone. */
TEST(ifa_push_rejects_a_gns_beyond_4_bits)
{
    rocecc_ifa_source s = {{2, 1, 0, ROCECC_IFA_FLAG_I, 255}, {0xff, 0, 0xff, 0}, 0};
    rocecc_domain d = ROCECC_ZERO;
    uint8_t b[28];
    rocecc_packet p;
    rocecc_edit e;
    d.link = ROCECC_LINK_IP;
    d.ifa.protocol = 253;
    d.ifa.gns_a = 1 << 1;
    ipv4(b, sizeof b, ROCECC_PROTO_UDP);
    b[25] = 8;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(rocecc_ifa_insert(&p, &s, 1500, &e), ROCECC_EDIT_CHANGE);
    s.header.gns = 0x11;
    CHECK_EQ(rocecc_ifa_insert(&p, &s, 1500, &e), ROCECC_EDIT_RANGE);
    CHECK(!rocecc_edit_needs_action(&e));
}

#define ETHER "020000000001 020000000002"
#define SRC "20010db8 00000000 00000000 00000001"
#define DST "20010db8 00000000 00000000 00000002"
#define IPV6(length_next) "60000000" length_next "40" SRC DST
#define BTH "0400ffff 00000012 00000000"

/* RoCEv1 has neither IP nor UDP for IFA or INT. */
TEST(ifa_and_intmd_need_ip)
{
    static const rocecc_domain d = {
        .ifa = {.protocol = 253, .layout_a = 1, .layout_b = 2},
        .intmd = {.udp_port = 5000}};
    const test_frame x = frame_of(ETHER "8915" IPV6("0010 1b") BTH "00000000");
    const rocecc_packet p = frame_walked(&d, &x);
    const rocecc_ifa_source ifa = {
        {2, ROCECC_IFA_GNS_NONE, 0, ROCECC_IFA_FLAG_I, 255}, {0xff, 0, 0xff, 0}, 0};
    rocecc_intmd_source s;
    rocecc_edit e;
    memset(&s, 0, sizeof s);
    s.mtu_bytes = 1500;
    s.header = rocecc_intmd_header_init(ROCECC_INTMD_HPCC, 8);
    CHECK_EQ(p.headers.status, ROCECC_OK);
    CHECK_EQ(rocecc_ifa_insert(&p, &ifa, 1500, &e), ROCECC_EDIT_NONE);
    CHECK(!rocecc_edit_needs_action(&e));
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, rocecc_reader_of(NULL, NULL), &e),
             ROCECC_EDIT_NONE);
    CHECK(!rocecc_edit_needs_action(&e));
}

/* A packet with IP, one kind of L4 and 24 bytes of payload. */
typedef struct packet {
    uint8_t b[2048 + LAW_EDIT_MORE];
    size_t n;
} packet;

static void packet_make(packet *p, int version, uint8_t proto)
{
    static const uint8_t v4[20] = {0x45, 0x02, 0,   0, 0x12, 0x34, 0x40, 0, 64, 0,
                                   0,    0,    192, 0, 2,    1,    192,  0, 2,  2};
    const size_t l4 = proto == 17 ? 8 : 32, head = version == 4 ? 20 : 40;
    size_t i;
    memset(p, 0, sizeof *p);
    p->n = head + l4 + 24;
    for (i = head; i < p->n; i++)
        p->b[i] = (uint8_t)(i * 7);
    if (proto == 17) rocecc_store16(p->b + head + 4, 8 + 24);
    if (proto == 6) p->b[head + 12] = 0x80;
    if (version == 4) {
        memcpy(p->b, v4, sizeof v4);
        p->b[9] = proto;
        rocecc_store16(p->b + 2, (uint16_t)p->n);
        rocecc_store16(p->b + 10,
                       rocecc_ipv4_checksum(rocecc_reader_of(p->b, p->b + 20)));
    } else {
        p->b[0] = 0x60;
        rocecc_store16(p->b + 4, (uint16_t)(p->n - 40));
        p->b[6] = proto;
        p->b[7] = 64;
        p->b[8] = p->b[24] = 0x20;
    }
}

static rocecc_reader packet_reader(const packet *p)
{
    return rocecc_reader_of(p->b, p->b + p->n);
}

static rocecc_status found_in(const packet *p, rocecc_ifa *h)
{
    const rocecc_domain d = law_ifa_domain();
    return ifa_find_in(&d, packet_reader(p), h);
}

static rocecc_edit_verdict change_packet(packet *p, edits_make make,
                                         const ifa_change *what)
{
    const rocecc_domain d = law_ifa_domain();
    return edits(&d, p->b, &p->n, make, what).verdict;
}

static void insert(packet *p, uint8_t max_length, uint8_t hop_limit)
{
    ifa_change what = ifa_change_of(IFA_ANY_MTU);
    what.source.header.max_length = max_length;
    what.source.metadata.request_vector = 0xff;
    what.source.metadata.hop_limit = hop_limit;
    what.source.metadata.current_length = 77;
    CHECK_EQ(change_packet(p, ifa_make_insert, &what), ROCECC_EDIT_CHANGE);
}

/* Pushes the record of a transit node with the device id `hop`. */
static rocecc_edit_verdict push(packet *p, unsigned hop, uint32_t mtu_bytes)
{
    ifa_change what = ifa_change_of(mtu_bytes);
    what.node.device_id = hop;
    if (hop % 2 == 1) { /* other devices use the other layout */
        what.node.layout = ROCECC_IFA_LAYOUT_B;
        what.node.lns = 2;
    }
    return change_packet(p, ifa_make_push, &what);
}

/* Checks that the sink finds `hops` records, the newest first. */
static void check_stack(const packet *p, unsigned hops)
{
    const rocecc_ifa_config c = law_ifa_lab();
    rocecc_ifa h;
    rocecc_ifa_node n;
    unsigned i;
    CHECK_EQ(found_in(p, &h), ROCECC_OK);
    CHECK_EQ(h.metadata.current_length, 8 * hops);
    if (p->b[0] >> 4 == 4)
        CHECK_EQ(rocecc_ipv4_checksum(rocecc_reader_of(p->b, p->b + 20)),
                 rocecc_load16(p->b + 10));
    for (i = hops; i > 0; i--) {
        CHECK_EQ(rocecc_ifa_node_next(&c, &h.nodes, &n), ROCECC_OK);
        CHECK_EQ(n.device_id, i - 1);
        CHECK_EQ(n.queue_length, 99);
    }
    CHECK_EQ(rocecc_ifa_node_next(&c, &h.nodes, &n), ROCECC_END);
}

static void strip(packet *p)
{
    const ifa_change what = ifa_change_of(IFA_ANY_MTU);
    CHECK_EQ(change_packet(p, ifa_make_strip, &what), ROCECC_EDIT_CHANGE);
}

/* Returns a packet's plan without carrying it out. */
static rocecc_edit planned(const packet *p, edits_make make, uint32_t mtu_bytes)
{
    const rocecc_domain d = law_ifa_domain();
    const ifa_change what = ifa_change_of(mtu_bytes);
    rocecc_packet at;
    rocecc_edit e;
    memset(&e, 0, sizeof e);
    (void)rocecc_packet_parse(&d, packet_reader(p), &at);
    (void)make(&at, &what, &e);
    return e;
}

/* Inserts n zero bytes at an offset. */
static void open_at(packet *p, size_t at, size_t n)
{
    memmove(p->b + at + n, p->b + at, p->n - at);
    memset(p->b + at, 0, n);
    p->n += n;
}

/* Runs a test over IPv4 and IPv6, with UDP and TCP. */
static void each_kind(void (*run)(int version, uint8_t proto))
{
    int version;
    for (version = 4; version <= 6; version += 2) {
        test_context("IPv%d, UDP", version);
        run(version, 17);
        test_context("IPv%d, TCP", version);
        run(version, 6);
    }
}

static void run_path(int version, uint8_t proto)
{
    packet p, was;
    unsigned hop;
    packet_make(&p, version, proto);
    was = p;
    insert(&p, 255, 255);
    check_stack(&p, 0);
    for (hop = 0; hop < 5; hop++) {
        CHECK_EQ(push(&p, hop, 1500), ROCECC_EDIT_CHANGE);
        check_stack(&p, hop + 1);
    }
    CHECK_EQ(p.n, was.n + 8 + 5 * 32);
    strip(&p);
    CHECK_EQ(p.n, was.n);
    CHECK(memcmp(p.b, was.b, was.n) == 0);
}

TEST(ifa_sink_restores_the_packet_after_five_hops)
{
    each_kind(run_path);
}

/* Limits of a path, the number of hops that they allow, and the verdict after that. */
typedef struct stops {
    uint8_t max_length, hop_limit;
    uint32_t room;
    unsigned hops;
    rocecc_edit_verdict verdict;
} stops;

/* Checks that the stack stops growing after at.hops nodes, and that strip() still
 * restores the packet. */
static void check_stops(int version, uint8_t proto, stops at)
{
    packet p, was, before;
    unsigned hop;
    packet_make(&p, version, proto);
    was = p;
    insert(&p, at.max_length, at.hop_limit);
    for (hop = 0; hop < 5; hop++) {
        before = p;
        CHECK_EQ(push(&p, hop, (uint32_t)was.n + 8 + at.room),
                 hop < at.hops ? ROCECC_EDIT_CHANGE : at.verdict);
        if (hop >= at.hops) CHECK(memcmp(&before, &p, sizeof p) == 0);
        check_stack(&p, hop < at.hops ? hop + 1 : at.hops);
    }
    strip(&p);
    CHECK(p.n == was.n && memcmp(p.b, was.b, was.n) == 0);
}

static void run_stops(int version, uint8_t proto)
{
    unsigned n;
    for (n = 0; n <= 5; n++) {
        const uint8_t words = (uint8_t)(8 * n);
        const stops at[] = {{255, (uint8_t)n, 500, n, ROCECC_EDIT_HOPS},
                            {words, 255, 500, n, ROCECC_EDIT_FULL},
                            {(uint8_t)(words + 7), 255, 500, n, ROCECC_EDIT_FULL},
                            {255, 255, 32 * n, n, ROCECC_EDIT_MTU},
                            {255, 255, 32 * n + 31, n, ROCECC_EDIT_MTU}};
        size_t i;
        for (i = 0; i < sizeof at / sizeof at[0]; i++)
            check_stops(version, proto, at[i]);
    }
}

TEST(ifa_push_stops_at_every_hop_limit)
{
    each_kind(run_stops);
}

static rocecc_status found(const packet *p)
{
    rocecc_ifa h;
    return found_in(p, &h);
}

/* At most 31 records fit, even with the highest limits. */
TEST(ifa_accepts_at_most_31_records)
{
    packet p, was;
    unsigned hop;
    packet_make(&p, 4, 17);
    was = p;
    insert(&p, 255, 255);
    for (hop = 0; hop < 31; hop++)
        CHECK_EQ(push(&p, hop, 9000), ROCECC_EDIT_CHANGE);
    check_stack(&p, 31);
    p.b[36 + 30 * 32] ^= 0x20; /* the last record is checked, too */
    CHECK_EQ(found(&p), ROCECC_ERR_UNSUPPORTED);
    p.b[36 + 30 * 32] ^= 0x20;
    CHECK_EQ(push(&p, hop, 9000), ROCECC_EDIT_FULL);
    strip(&p);
    CHECK(p.n == was.n && memcmp(p.b, was.b, was.n) == 0);
}

/* The IP length has 16 bits, so FULL does not depend on the MTU. The capture may be
 * shorter. */
TEST(ifa_push_is_full_at_the_largest_ip_length)
{
    int version;
    for (version = 4; version <= 6; version += 2) {
        const size_t at = version == 4 ? 2 : 4;
        packet p, plain;
        packet_make(&p, version, 6);
        plain = p;
        insert(&p, 255, 255);
        rocecc_store16(p.b + at, 0xffff - 32);
        CHECK_EQ(planned(&p, ifa_make_push, IFA_ANY_MTU).verdict, ROCECC_EDIT_CHANGE);
        rocecc_store16(p.b + at, 0xffff - 31);
        CHECK_EQ(planned(&p, ifa_make_push, IFA_ANY_MTU).verdict, ROCECC_EDIT_FULL);
        rocecc_store16(plain.b + at, 0xffff - 8);
        CHECK_EQ(planned(&plain, ifa_make_insert, IFA_ANY_MTU).verdict,
                 ROCECC_EDIT_CHANGE);
        rocecc_store16(plain.b + at, 0xffff - 7);
        CHECK_EQ(planned(&plain, ifa_make_insert, IFA_ANY_MTU).verdict,
                 ROCECC_EDIT_FULL);
    }
}

/* Tries every Max Length with every Current Length, with 0 to 3 and 32 records. */
TEST(ifa_checks_every_max_and_current_length)
{
    const rocecc_ifa_config lab = law_ifa_lab();
    unsigned records, max, now, udp;
    for (records = 0; records < 33; records += records < 3 ? 1 : 29)
        for (udp = 0; udp < 2; udp++) {
            packet p;
            size_t i;
            packet_make(&p, 4, udp ? 17 : 6);
            insert(&p, 255, 255);
            for (i = 0; i < records; i++) {
                open_at(&p, udp ? 36 : 60, 32);
                p.b[udp ? 36 : 60] = 0x10;
            }
            rocecc_store16(p.b + 2, (uint16_t)p.n);
            for (max = 0; max < 256; max++)
                for (now = 0; now < 256; now++) {
                    rocecc_ifa h;
                    rocecc_status status;
                    p.b[23] = (uint8_t)max;
                    p.b[(udp ? 32 : 56) + 3] = (uint8_t)now;
                    status = found_in(&p, &h);
                    if (status == law_ifa_status(&lab, p.b, p.n)) continue;
                    test_context("%u records, max %u, current %u", records, max, now);
                    CHECK_EQ(status, law_ifa_status(&lab, p.b, p.n));
                }
        }
}

/* One test for each pair of lengths that can contradict each other. */

/* Makes a packet with two records over IPv4 and UDP, with IFA at 20, UDP at 24,
 * metadata at 32, and the stack at 36 to 100. */
static void two(packet *p)
{
    packet_make(p, 4, 17);
    insert(p, 24, 9);
    CHECK_EQ(push(p, 0, 1500), ROCECC_EDIT_CHANGE);
    CHECK_EQ(push(p, 2, 1500), ROCECC_EDIT_CHANGE);
    CHECK_EQ(found(p), ROCECC_OK);
    CHECK_EQ(p->n, 20 + 4 + 8 + 4 + 64 + 24);
}

TEST(ifa_current_length_above_max_length_is_malformed)
{
    packet p;
    two(&p);
    p.b[23] = 16;
    CHECK_EQ(found(&p), ROCECC_OK);
    p.b[23] = 15;
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
}

TEST(ifa_current_length_must_be_whole_records)
{
    packet p;
    two(&p);
    p.b[35] = 4; /* as in OpenBCM's samples for one record */
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
    p.b[35] = 17;
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
}

TEST(ifa_current_length_beyond_ip_length_is_malformed)
{
    packet p;
    two(&p);
    rocecc_store16(p.b + 2, 99);
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
}

TEST(ifa_current_length_beyond_capture_is_short)
{
    packet p;
    two(&p);
    p.n = 99;
    CHECK_EQ(found(&p), ROCECC_ERR_SHORT);
    p.n = 100;
    CHECK_EQ(found(&p), ROCECC_OK);
}

/* OpenBCM's samples have 24 words for two records. The third would be payload. */
TEST(ifa_current_length_above_udp_length_is_malformed)
{
    packet p;
    two(&p);
    p.b[35] = 24;
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
    rocecc_store16(p.b + 2, (uint16_t)(p.n + 8)); /* and with 8 bytes of padding */
    p.n += 8;
    p.b[100] = 0x10;
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
}

TEST(ifa_current_length_over_other_data_is_unsupported)
{
    packet p;
    two(&p);
    rocecc_store16(p.b + 28, 8);
    p.b[35] = 24;
    rocecc_store16(p.b + 2, 132);
    p.n = 132;
    p.b[100] = 0x30; /* payload, not a record */
    CHECK_EQ(found(&p), ROCECC_ERR_UNSUPPORTED);
}

TEST(ifa_udp_length_beyond_ip_length_is_malformed)
{
    packet p;
    two(&p);
    rocecc_store16(p.b + 28, 8 + 25);
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
    rocecc_store16(p.b + 28, 7);
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
}

TEST(ifa_tcp_data_offset_beyond_ip_length_is_malformed)
{
    packet p;
    packet_make(&p, 4, 6);
    insert(&p, 255, 255);
    p.b[24 + 12] = 0x40;
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
    p.b[24 + 12] = 0xf0;
    rocecc_store16(p.b + 2, 24 + 59);
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
    rocecc_store16(p.b + 2, 24 + 60);
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
}

TEST(ifa_ip_length_inside_any_header_is_malformed)
{
    packet p;
    unsigned n;
    two(&p);
    for (n = 0; n < p.n; n++) {
        rocecc_store16(p.b + 2, (uint16_t)n);
        CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
    }
}

/* The optional headers must end within IP. */
TEST(ifa_optional_headers_beyond_ip_length_are_malformed)
{
    packet p;
    packet_make(&p, 4, 6);
    insert(&p, 255, 255);
    p.b[22] |= ROCECC_IFA_FLAG_C | ROCECC_IFA_FLAG_MF;
    rocecc_store16(p.b + 2, 20 + 4 + 32 + 4 + 7);
    CHECK_EQ(found(&p), ROCECC_ERR_FORMAT);
    rocecc_store16(p.b + 2, 20 + 4 + 32 + 4 + 8);
    CHECK_EQ(found(&p), ROCECC_OK);
}

/* Flag bits count from the least significant bit. */
TEST(ifa_flag_bits_count_from_the_lowest_bit)
{
    packet p;
    rocecc_ifa h;
    packet_make(&p, 4, 17);
    insert(&p, 255, 255);
    CHECK_EQ(p.b[22], 0x04);
    p.b[22] = 0x10;
    CHECK_EQ(found_in(&p, &h), ROCECC_ERR_FORMAT); /* UDP is too long */
    rocecc_store16(p.b + 28, 8);
    CHECK_EQ(found_in(&p, &h), ROCECC_OK);
    CHECK_EQ(h.nodes.at, 40);
    CHECK(h.fragment.packet_id != 0 && h.checksum.checksum == 0);
    p.b[22] = 0x01;
    CHECK_EQ(found_in(&p, &h), ROCECC_OK);
    CHECK_EQ(h.nodes.at, 40);
    CHECK(h.fragment.packet_id == 0 && h.checksum.checksum != 0);
    p.b[22] = 0x08;
    CHECK_EQ(found_in(&p, &h), ROCECC_ERR_UNSUPPORTED);
}

/* The metadata header follows the L4 header and its options. */
TEST(ifa_metadata_header_follows_l4_options)
{
    packet p;
    rocecc_ifa h;
    packet_make(&p, 6, 6);
    insert(&p, 255, 200);
    CHECK_EQ(p.b[40 + 4 + 32 + 2], 200);
    CHECK_EQ(found_in(&p, &h), ROCECC_OK);
    CHECK_EQ(h.metadata.hop_limit, 200);
    CHECK_EQ(rocecc_left(&h.l4), 32);
}

/* Tries every flag and name space of a source in every kind of domain. */
TEST(ifa_source_accepts_only_flags_and_gns_of_its_domain)
{
    unsigned choices, flags, gns;
    for (choices = 0; choices < 8; choices++)
        for (flags = 0; flags < 32; flags++)
            for (gns = 0; gns < 17; gns++) {
                const bool c = (flags & 1) != 0, ts = (flags & 8) != 0,
                           mf = (flags & 16) != 0;
                const bool fits = (!c || (choices & 1)) && (!mf || (choices & 2)) &&
                                  (!ts || (choices & 4)) && (gns == 15 || gns == 3);
                rocecc_domain d = law_ifa_domain();
                ifa_change what = ifa_change_of(IFA_ANY_MTU);
                packet p;
                rocecc_edit e;
                packet_make(&p, 4, 17);
                d.ifa.gns_b = 1u << 3;
                d.ifa.checksum = choices & 1 ? ROCECC_IFA_COVERS_STACK : 0;
                d.ifa.fragments = (choices & 2) != 0;
                d.ifa.tail = choices & 4 ? ROCECC_IFA_TAIL_NEWEST_LAST : 0;
                what.source.header.flags = (uint8_t)flags;
                what.source.header.gns = (uint8_t)gns;
                what.source.packet_id = 0x3ffffff;
                e = edits(&d, p.b, &p.n, ifa_make_insert, &what);
                CHECK_EQ(e.verdict, fits ? ROCECC_EDIT_CHANGE : ROCECC_EDIT_RANGE);
                if (!mf) continue;
                packet_make(&p, 4, 17);
                what.source.packet_id++;
                e = edits(&d, p.b, &p.n, ifa_make_insert, &what);
                CHECK_EQ(e.verdict, ROCECC_EDIT_RANGE);
            }
}

/*
 * In every domain the walk passes a tail stamp. UDP and the BTH follow the IFA header,
 * and the ICRC is the same as without IFA. C and MF may be set, too. Such a packet has
 * no echo.
 */
TEST(ifa_walk_passes_a_tail_stamp)
{
    unsigned version, flags, tail;
    for (version = 4; version <= 6; version += 2)
        for (flags = 0; flags < 4; flags++)
            for (tail = ROCECC_IFA_TAIL_NEWEST_FIRST;
                 tail <= ROCECC_IFA_TAIL_NEWEST_LAST; tail++) {
                rocecc_domain d = law_ifa_choices();
                const rocecc_domain lab = law_ifa_domain();
                ifa_change what = ifa_change_of(IFA_ANY_MTU);
                const unsigned more = (flags & 1) + (flags >> 1);
                uint32_t icrc, same;
                packet p;
                rocecc_packet plain, in;
                rocecc_echo echo;
                rocecc_ifa h;
                rocecc_edit e;
                unsigned hop;
                test_context("IPv%u, flags %u, tail %u", version, flags, tail);
                d.ifa.tail = (rocecc_ifa_tail)tail;
                d.roce.echo_bytes = 256;
                packet_make(&p, (int)version, 17);
                rocecc_store16(p.b + (version == 4 ? 20 : 40) + 2, 4791);
                (void)rocecc_packet_parse(&d, packet_reader(&p), &plain);
                CHECK_EQ(plain.headers.kind, ROCECC_PACKET_KIND_ROCEV2);
                CHECK_EQ(rocecc_icrc_init(ROCECC_ICRC_MASKED, &plain, &icrc),
                         ROCECC_OK);
                what.source.header.flags =
                    (uint8_t)(ROCECC_IFA_FLAG_TS | ROCECC_IFA_FLAG_I |
                              (flags & 1 ? ROCECC_IFA_FLAG_C : 0) |
                              (flags & 2 ? ROCECC_IFA_FLAG_MF : 0));
                what.source.header.max_length = 16;
                what.source.metadata.hop_limit = 9;
                e = edits(&d, p.b, &p.n, ifa_make_insert, &what);
                CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
                for (hop = 0; hop < 4; hop++) {
                    if (hop != 0) {
                        what.node.device_id = hop;
                        e = edits(&d, p.b, &p.n, ifa_make_push, &what);
                        CHECK_EQ(e.verdict, hop < 3     ? ROCECC_EDIT_CHANGE
                                            : flags & 2 ? ROCECC_EDIT_FRAGMENT
                                                        : ROCECC_EDIT_FULL);
                    }
                    (void)rocecc_packet_parse(&d, packet_reader(&p), &in);
                    CHECK_EQ(in.headers.status, ROCECC_OK);
                    CHECK_EQ(in.headers.bth, plain.headers.bth + 4u);
                    CHECK_EQ(in.headers.end, plain.headers.end + 4u);
                    CHECK_EQ(rocecc_icrc_init(ROCECC_ICRC_MASKED, &in, &same),
                             ROCECC_OK);
                    CHECK_EQ(same, icrc);
                    CHECK_EQ(rocecc_ifa_find(&in, &h), ROCECC_OK);
                    CHECK_EQ(h.nodes.end + 4 + 4 * more, in.headers.ip.end);
                    CHECK_EQ(h.fragment.mf_id, flags & 2 ? hop == 3 : 0);
                    CHECK_EQ(rocecc_ifa_verify(&h),
                             flags & 1 ? ROCECC_OK : ROCECC_NO_MATCH);
                    CHECK_EQ(rocecc_echo_extract(&in, &echo), ROCECC_ERR_UNSUPPORTED);
                    /* a domain that cannot read the tail still finds the BTH */
                    (void)rocecc_packet_parse(&lab, packet_reader(&p), &in);
                    CHECK_EQ(in.headers.status, ROCECC_OK);
                    CHECK_EQ(in.headers.bth, plain.headers.bth + 4u);
                    CHECK_EQ(rocecc_ifa_find(&in, &h), ROCECC_ERR_UNSUPPORTED);
                }
                e = edits(&d, p.b, &p.n, ifa_make_strip, &what);
                CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
                CHECK_EQ(p.n, rocecc_left(&plain.bytes));
            }
}

/* The ICRC covers an IP length that counts more bytes than UDP. IFA without a tail
 * stamp does not change that. */
TEST(ifa_icrc_covers_the_bytes_after_udp)
{
    unsigned version, more;
    for (version = 4; version <= 6; version += 2)
        for (more = 0; more <= 8; more += 8) {
            rocecc_domain d = law_ifa_choices();
            ifa_change what = ifa_change_of(IFA_ANY_MTU);
            rocecc_packet plain, in;
            uint32_t icrc, same, whole;
            packet p;
            rocecc_edit e;
            test_context("IPv%u, %u bytes", version, more);
            packet_make(&p, (int)version, 17);
            rocecc_store16(p.b + (version == 4 ? 20 : 40) + 2, 4791);
            (void)rocecc_packet_parse(&d, packet_reader(&p), &plain);
            CHECK_EQ(rocecc_icrc_init(ROCECC_ICRC_MASKED, &plain, &whole), ROCECC_OK);
            rocecc_store16(p.b + plain.headers.udp + 4,
                           (uint16_t)(plain.headers.end - plain.headers.udp - more));
            (void)rocecc_packet_parse(&d, packet_reader(&p), &plain);
            CHECK_EQ(rocecc_icrc_init(ROCECC_ICRC_MASKED, &plain, &icrc), ROCECC_OK);
            CHECK((icrc == whole) == (more == 0)); /* only UDP Length differs */
            what.source.header.flags = ROCECC_IFA_FLAG_I;
            what.source.header.max_length = 16;
            what.source.metadata.hop_limit = 9;
            e = edits(&d, p.b, &p.n, ifa_make_insert, &what);
            CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
            (void)rocecc_packet_parse(&d, packet_reader(&p), &in);
            CHECK_EQ(in.headers.ip.end - in.headers.end, more);
            CHECK_EQ(rocecc_icrc_init(ROCECC_ICRC_MASKED, &in, &same), ROCECC_OK);
            CHECK_EQ(same, icrc);
        }
}

/* Fewer than 4 bytes after L4 are not a metadata header, even if L4 ends like one. */
TEST(ifa_tail_below_4_bytes_is_not_a_metadata_header)
{
    static const uint8_t bytes[] = {0x2f, 0x11, 0x08, 0xff, 0xc0, 0x00, 0x12, 0xb7,
                                    0x00, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
    rocecc_domain d = law_ifa_choices();
    rocecc_ifa h;
    size_t n;
    d.ifa.tail = ROCECC_IFA_TAIL_NEWEST_FIRST;
    for (n = 12; n <= 16; n++) {
        uint8_t *at = guard_end(bytes, n);
        test_context("%u bytes", (unsigned)n);
        CHECK_EQ(rocecc_ifa_parse(&d.ifa, rocecc_reader_of(at, at + n), n, &h),
                 n < 16 ? ROCECC_ERR_FORMAT : ROCECC_OK);
    }
}

/* If UDP Length leaves no room for the tail, the walk returns FORMAT at IFA. */
TEST(ifa_tail_without_room_is_malformed)
{
    rocecc_domain d = law_ifa_choices();
    ifa_change what = ifa_change_of(IFA_ANY_MTU);
    packet p;
    rocecc_packet in;
    unsigned more;
    d.ifa.tail = ROCECC_IFA_TAIL_NEWEST_FIRST;
    packet_make(&p, 4, 17);
    rocecc_store16(p.b + 20 + 2, 4791);
    what.source.header.flags = ROCECC_IFA_FLAG_TS | ROCECC_IFA_FLAG_I;
    (void)edits(&d, p.b, &p.n, ifa_make_insert, &what);
    for (more = 0; more < 2; more++) {
        p.b[20 + 4 + 5] = (uint8_t)(p.b[20 + 4 + 5] + more);
        (void)rocecc_packet_parse(&d, packet_reader(&p), &in);
        CHECK_EQ(in.headers.status, more ? ROCECC_ERR_FORMAT : ROCECC_OK);
        if (more) CHECK_EQ(in.headers.stopped, ROCECC_LAYER_IFA);
    }
}

/* A tail stamp cannot be inserted if the packet's end is cut off. */
TEST(ifa_tail_of_a_cut_packet_is_not_inserted)
{
    rocecc_domain d = law_ifa_choices();
    ifa_change what = ifa_change_of(IFA_ANY_MTU);
    packet p;
    rocecc_packet at;
    rocecc_edit e;
    d.ifa.tail = ROCECC_IFA_TAIL_NEWEST_FIRST;
    packet_make(&p, 6, 17);
    what.source.header.flags = ROCECC_IFA_FLAG_TS | ROCECC_IFA_FLAG_I;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(p.b, p.b + p.n - 1), &at);
    CHECK_EQ(ifa_make_insert(&at, &what, &e), ROCECC_EDIT_BROKEN);
    (void)rocecc_packet_parse(&d, packet_reader(&p), &at);
    CHECK_EQ(ifa_make_insert(&at, &what, &e), ROCECC_EDIT_CHANGE);
}

/* Returns the verdict of a second record with little room, in a packet with MF, C and
 * one record. Returns the first record's verdict if max_length is below 8. */
static rocecc_edit_verdict second(rocecc_domain d, uint8_t max_length, uint32_t room,
                                  uint8_t mf_id, bool last)
{
    ifa_change what = ifa_change_of(IFA_ANY_MTU);
    packet p;
    rocecc_edit e;
    packet_make(&p, 6, 17);
    what.source.header.flags =
        ROCECC_IFA_FLAG_I | ROCECC_IFA_FLAG_MF | ROCECC_IFA_FLAG_C;
    what.source.header.max_length = max_length;
    what.source.metadata.hop_limit = 9;
    e = edits(&d, p.b, &p.n, ifa_make_insert, &what);
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    e = edits(&d, p.b, &p.n, ifa_make_push, &what);
    if (max_length < 8) return e.verdict;
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    p.b[52 + 8 + 3] = (uint8_t)(mf_id << 1 | last);
    what.mtu_bytes = (uint32_t)p.n + room;
    d.ifa.fragments = d.ifa.fragments && room != 1000;
    return edits(&d, p.b, &p.n, ifa_make_push, &what).verdict;
}

TEST(ifa_push_starts_a_fragment_for_ids_below_31)
{
    const rocecc_domain d = law_ifa_choices();
    unsigned id;
    for (id = 0; id < 32; id++) {
        CHECK_EQ(second(d, 8, 99, (uint8_t)id, false),
                 id < 31 ? ROCECC_EDIT_FRAGMENT : ROCECC_EDIT_FULL);
        CHECK_EQ(second(d, 255, 31, (uint8_t)id, false),
                 id < 31 ? ROCECC_EDIT_FRAGMENT : ROCECC_EDIT_MTU);
        CHECK_EQ(second(d, 8, 99, (uint8_t)id, true), ROCECC_EDIT_FULL);
    }
    CHECK_EQ(second(d, 255, 32, 0, false), ROCECC_EDIT_CHANGE);
    CHECK_EQ(second(d, 8, 1000, 0, false), ROCECC_EDIT_FULL);    /* fragments are off */
    CHECK_EQ(second(d, 7, 99, 0, false), ROCECC_EDIT_FULL);      /* there is no stack */
    CHECK_EQ(second(d, 255, 0, 0, false), ROCECC_EDIT_FRAGMENT); /* as long as before */
    CHECK_EQ(second(d, 255, (uint32_t)-1, 0, false), ROCECC_EDIT_MTU); /* too long */
}

/* A wrong checksum stays wrong when a record is pushed. */
TEST(ifa_push_keeps_a_wrong_checksum_wrong)
{
    unsigned coverage, bit;
    for (coverage = 1; coverage <= 2; coverage++)
        for (bit = 0; bit <= 16; bit++) {
            rocecc_domain d = law_ifa_choices();
            ifa_change what = ifa_change_of(IFA_ANY_MTU);
            packet p;
            rocecc_edit e;
            rocecc_ifa h;
            d.ifa.checksum = (rocecc_ifa_coverage)coverage;
            packet_make(&p, 4, 6);
            what.source.header.flags = ROCECC_IFA_FLAG_I | ROCECC_IFA_FLAG_C;
            what.source.metadata.hop_limit = 2;
            (void)edits(&d, p.b, &p.n, ifa_make_insert, &what);
            if (bit < 16) p.b[20 + 4 + 32 + 4 + bit / 8] ^= (uint8_t)(1u << bit % 8);
            e = edits(&d, p.b, &p.n, ifa_make_push, &what);
            CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
            CHECK_EQ(ifa_find_in(&d, packet_reader(&p), &h), ROCECC_OK);
            CHECK_EQ(rocecc_ifa_verify(&h), bit < 16 ? ROCECC_ERR_FORMAT : ROCECC_OK);
        }
}

/* With IFA off, nothing is found or done, by any protocol number. */
TEST(ifa_off_finds_and_changes_nothing)
{
    const rocecc_domain off = {.link = ROCECC_LINK_IP};
    const ifa_change what = ifa_change_of(1500);
    const edits_make makers[3] = {ifa_make_push, ifa_make_strip, ifa_make_insert};
    unsigned proto, i;
    for (proto = 0; proto < 256; proto++) {
        packet p;
        rocecc_ifa h;
        packet_make(&p, 4, 17);
        p.b[9] = (uint8_t)proto;
        CHECK_EQ(ifa_find_in(&off, packet_reader(&p), &h), ROCECC_NO_MATCH);
        for (i = 0; i < 3; i++) {
            const size_t n = p.n;
            const rocecc_edit e = edits(&off, p.b, &p.n, makers[i], &what);
            CHECK_EQ(p.n, n);
            CHECK_EQ(e.verdict, ROCECC_EDIT_NONE);
            CHECK(!rocecc_edit_needs_action(&e));
        }
    }
}

/* A record or header with an invalid value gives RANGE, and an empty plan. */
TEST(ifa_rejects_values_out_of_range)
{
    packet p;
    ifa_change what = ifa_change_of(1500);
    unsigned flags;
    two(&p);
    what.node.lns = 2; /* layout B's LNS */
    CHECK_EQ(change_packet(&p, ifa_make_push, &what), ROCECC_EDIT_RANGE);
    what.node.lns = 3; /* unknown */
    CHECK_EQ(change_packet(&p, ifa_make_push, &what), ROCECC_EDIT_RANGE);
    what.node.lns = 1;
    what.node.layout = ROCECC_IFA_LAYOUT_B;
    CHECK_EQ(change_packet(&p, ifa_make_push, &what), ROCECC_EDIT_RANGE);
    what.node.lns = 2;
    what.node.device_id = 1u << 28;
    CHECK_EQ(change_packet(&p, ifa_make_push, &what), ROCECC_EDIT_RANGE);
    what.node.device_id--;
    CHECK_EQ(change_packet(&p, ifa_make_push, &what), ROCECC_EDIT_CHANGE);
    for (flags = 0; flags < 256; flags++) {
        packet_make(&p, 4, 17);
        what.source.header.flags = (uint8_t)flags;
        CHECK_EQ(change_packet(&p, ifa_make_insert, &what),
                 (flags & 0x19) != 0 ? ROCECC_EDIT_RANGE : ROCECC_EDIT_CHANGE);
    }
    packet_make(&p, 4, 17);
    what = ifa_change_of(1500);
    what.source.header.version = 3;
    CHECK_EQ(change_packet(&p, ifa_make_insert, &what), ROCECC_EDIT_RANGE);
    what.source.header.version = 2;
    what.source.header.gns = 1;
    CHECK_EQ(change_packet(&p, ifa_make_insert, &what), ROCECC_EDIT_RANGE);
}

/* A plan does not fit the packet with one more record. */
TEST(ifa_plan_does_not_fit_another_stack_length)
{
    packet one, more;
    rocecc_edit e;
    two(&one);
    more = one;
    CHECK_EQ(push(&more, 7, 1500), ROCECC_EDIT_CHANGE);
    e = planned(&one, ifa_make_strip, 1500);
    CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(more.b, more.b + more.n)),
             ROCECC_NO_MATCH);
    rocecc_store16(more.b + 2, (uint16_t)one.n); /* only the stack differs */
    more.b[10] = one.b[10];
    more.b[11] = one.b[11];
    CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(more.b, more.b + more.n)),
             ROCECC_NO_MATCH);
    CHECK_EQ(rocecc_edit_write(&e, rocecc_writer_of(one.b, one.b + one.n)), ROCECC_OK);
}

/* The metadata header goes after TCP, so a plan does not fit a packet with another Data
 * Offset. */
TEST(ifa_plan_does_not_fit_another_data_offset)
{
    packet p;
    rocecc_edit e;
    rocecc_writer w;
    packet_make(&p, 6, 6);
    e = planned(&p, ifa_make_insert, 1500);
    CHECK_EQ(e.verdict, ROCECC_EDIT_CHANGE);
    w = rocecc_writer_of(p.b, p.b + sizeof p.b);
    w.at = p.n;
    p.b[40 + 12] ^= 0x10;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_NO_MATCH);
    p.b[40 + 12] ^= 0x10;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
}

/* If a packet with IFA is in a tunnel, both IP headers count IFA. */
TEST(ifa_in_a_tunnel_counts_in_both_ip_lengths)
{
    int outer, version;
    for (outer = 4; outer <= 6; outer += 2)
        for (version = 4; version <= 6; version += 2) {
            const size_t head = outer == 4 ? 20 : 40;
            packet p, around, was;
            rocecc_edit e;
            packet_make(&p, version, 17);
            packet_make(&around, outer, version == 4 ? 4 : 41);
            memcpy(around.b + head, p.b, p.n);
            around.n = head + p.n;
            rocecc_store16(around.b + (outer == 4 ? 2 : 4),
                           (uint16_t)(outer == 4 ? around.n : p.n));
            if (outer == 4) {
                rocecc_store16(around.b + 10, 0);
                rocecc_store16(around.b + 10, rocecc_ipv4_checksum(rocecc_reader_of(
                                                  around.b, around.b + 20)));
            }
            was = around;
            insert(&around, 255, 255);
            CHECK_EQ(push(&around, 0, 1500), ROCECC_EDIT_CHANGE);
            check_stack(&around, 1);
            CHECK_EQ(around.n, was.n + 8 + 32);
            e = planned(&around, ifa_make_push, (uint32_t)around.n + 31);
            CHECK_EQ(e.verdict, ROCECC_EDIT_MTU); /* of the outer packet */
            strip(&around);
            CHECK(around.n == was.n && memcmp(around.b, was.b, was.n) == 0);
        }
}

/* The last extension header names IFA, even with the maximum number of headers. One
 * more gives UNSUPPORTED. */
TEST(ifa_follows_up_to_8_extension_headers)
{
    unsigned n, i;
    for (n = 0; n <= ROCECC_IP6EXT_MAX + 1; n++) {
        packet p, was;
        packet_make(&p, 6, 17);
        for (i = 0; i < n; i++) {
            open_at(&p, 40, 8);
            p.b[40] = i == 0 ? 17 : 60;
            p.b[6] = 60;
        }
        rocecc_store16(p.b + 4, (uint16_t)(p.n - 40));
        was = p;
        if (n > ROCECC_IP6EXT_MAX) {
            CHECK_EQ(planned(&p, ifa_make_insert, 1500).verdict,
                     ROCECC_EDIT_UNSUPPORTED);
            continue;
        }
        insert(&p, 255, 255);
        CHECK_EQ(p.b[n == 0 ? 6 : 40 + 8 * (n - 1)], 253);
        CHECK_EQ(push(&p, 0, 1500), ROCECC_EDIT_CHANGE);
        check_stack(&p, 1);
        strip(&p);
        CHECK(p.n == was.n && memcmp(p.b, was.b, was.n) == 0);
    }
}

/* The order of checks is CHECKSUM, HOPS, FULL, UNSUPPORTED, MTU and RANGE. */
TEST(ifa_push_returns_the_first_reason)
{
    static const rocecc_edit_verdict should[] = {
        ROCECC_EDIT_CHECKSUM,    ROCECC_EDIT_HOPS, ROCECC_EDIT_FULL,
        ROCECC_EDIT_UNSUPPORTED, ROCECC_EDIT_MTU,  ROCECC_EDIT_RANGE};
    rocecc_domain d = domain_of();
    rocecc_ifa_node node = node_of();
    unsigned i;
    node.lns = 99; /* wider than its field */
    for (i = 0; i < 6; i++) {
        uint8_t b[120];
        const size_t n = stamped(b, ROCECC_IFA_FLAG_C | ROCECC_IFA_FLAG_I);
        rocecc_packet p;
        rocecc_edit e;
        test_context("reason %u", i);
        d.ifa.checksum = i < 1 ? ROCECC_IFA_COVERS_UNKNOWN : ROCECC_IFA_COVERS_STACK;
        if (i < 2) b[STACK + 2] = 0;
        if (i >= 3) b[HEADER + 3] = 255;
        p = packet_of(&d, b, n);
        if (i < 4) p.headers.link = 12;
        CHECK_EQ(rocecc_ifa_push(&p, &node, i < 5 ? 0 : 1500, &e), should[i]);
        CHECK(!rocecc_edit_needs_action(&e));
    }
}

/* If a sink cannot remove IFA from a probe, it returns UNSUPPORTED, not PROBE. */
TEST(ifa_strip_of_a_probe_after_a_length_is_unsupported)
{
    const rocecc_domain d = domain_of();
    uint8_t b[120];
    rocecc_packet p = packet_of(&d, b, stamped(b, 0));
    rocecc_edit e;
    CHECK_EQ(rocecc_ifa_strip(&p, &e), ROCECC_EDIT_PROBE);
    p.headers.link = 12;
    CHECK_EQ(rocecc_ifa_strip(&p, &e), ROCECC_EDIT_UNSUPPORTED);
}
