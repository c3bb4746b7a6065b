/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ifa_edges.c - IFA with optional headers one at a time, behind an Authentication
 * Header, and the words by which its plans know their packet. Bytes are by hand.
 */
#include "lib/test.h"
#include "rocecc/packet/ifa.h"

#include <string.h>

#define PROTOCOL 253
#define HEADER 20 /* the IFA header, after IPv4 */
#define L4 24
#define STACK 32 /* the metadata header */

static rocecc_domain domain_of(void)
{
    rocecc_domain d = ROCECC_ZERO;
    d.link = ROCECC_LINK_IP;
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

/* IPv4 and 20 bytes of another protocol. */
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

/* IPv4, IFA with these flags, UDP, one record and 4 bytes of payload. */
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

/* A word that is compared, and stays. */
static void stays(const rocecc_edit *e, unsigned slot, size_t at, uint16_t value)
{
    test_context("slot %u", slot);
    CHECK_EQ(e->words >> slot & 1, 1);
    CHECK_EQ(e->word[slot].offset, at);
    CHECK_EQ(e->word[slot].old_value, value);
    CHECK_EQ(e->word[slot].new_value, value);
}

/* MF without C: the fragment header follows the metadata header, whose Current Length
 * is 0, with the packet's number in its high 26 bits: 0x2345678 * 64. */
TEST(ifa_edges_source_of_fragments_without_checksum)
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

/* What says where L4 ends is compared: Data Offset is 12 bytes into TCP. */
TEST(ifa_edges_source_keeps_the_data_offset)
{
    const rocecc_domain d = domain_of();
    const rocecc_ifa_source s = source_of(ROCECC_IFA_FLAG_I);
    uint8_t b[40];
    const size_t n = ip_packet(b, ROCECC_PROTO_TCP);
    const rocecc_packet p = packet_of(&d, b, n);
    rocecc_edit e;
    b[20 + 11] = 0x77; /* of the acknowledgment, and no part of it */
    CHECK_EQ(rocecc_ifa_insert(&p, &s, 1500, &e), ROCECC_EDIT_CHANGE);
    stays(&e, ROCECC_EDIT_FORMAT, 20 + 12, 0x5000);
}

/* Protocol 0 is one like any other that has no L4 header for IFA. */
TEST(ifa_edges_source_of_any_protocol)
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

/*
 * A stack without room, behind an Authentication Header that covers it, or behind
 * options that do not: only the latter gets a new one.
 */
TEST(ifa_edges_no_new_stack_behind_ah)
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
        b[40] = PROTOCOL; /* 8 bytes of either header */
        memcpy(b + 48, v4 + 20, after);
        p = packet_of(&d, b, 48 + after);
        CHECK_EQ(p.headers.ifa, 48);
        CHECK_EQ(rocecc_ifa_push(&p, &node, 1500, &e),
                 with_ah ? ROCECC_EDIT_AH : ROCECC_EDIT_FRAGMENT);
        CHECK_EQ(rocecc_edit_needs_action(&e), !with_ah);
    }
}

/* A sink's plan is for this header and this length of stack; they are compared alone,
 * for they are taken out. */
TEST(ifa_edges_sink_keeps_what_it_read)
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

/* A new stack in place of one record: MF ID, in bits 5 to 1, is one more; the length is
 * what it was. */
TEST(ifa_edges_words_of_a_new_stack)
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

/* A record with an item that is too wide is not cut to fit, by a bit that no other item
 * would notice. */
TEST(ifa_edges_push_of_a_wide_item)
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

/* I alone, of all flags, says that the packet goes on behind the sink. */
TEST(ifa_edges_sink_of_each_flag)
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

/* A domain without IFA finds none, even where another one has walked the packet. */
TEST(ifa_edges_off)
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

/* headers.h: a version of 0 says that there is no IP header, and so no IFA in it. */
TEST(ifa_edges_source_without_ip)
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

/* What the walk could not read stays so, with bytes that have become others: an IFA
 * header that was cut off, or of another version. */
TEST(ifa_edges_find_is_as_the_walk)
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
        if (tail != ROCECC_IFA_TAIL_UNKNOWN) continue; /* else it is looked at again */
        b[HEADER] = 0x3f;
        p = packet_of(&d, b, n);
        CHECK_EQ(p.headers.stopped, ROCECC_LAYER_IFA);
        b[HEADER] = 0x2f;
        CHECK_EQ(rocecc_ifa_find(&p, &h), ROCECC_ERR_UNSUPPORTED);
    }
}
