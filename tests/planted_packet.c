/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * planted_packet.c - what defects that were planted in packet/ and wire/ went through:
 * each test is red under one of them. The values are worked out by hand.
 */
#include "lib/frame.h"
#include "lib/test.h"
#include "rocecc/packet/echo.h"
#include "rocecc/packet/ioam.h"

#include <string.h>

/*
 * ~(~0x1234 + 0x1234) is 0, by RFC 1624. In UDP that says that there is no checksum, so
 * that its other 0 is written (RFC 768); in TCP 0 is a sum like all others.
 */
TEST(planted_a_checksum_of_0_is_tcps_own)
{
    static const uint8_t protos[] = {6, 17};
    rocecc_domain d = ROCECC_ZERO;
    size_t i;
    d.link = ROCECC_LINK_IP;
    for (i = 0; i < 2; i++) {
        const rocecc_edit_sum sum = {0, 0x1234};
        const bool udp = protos[i] == 17;
        uint8_t b[40] = {0x45, 0, 0, 40};
        rocecc_packet p;
        rocecc_edit e;
        b[9] = protos[i];
        b[20 + (udp ? 5 : 12)] = udp ? 20 : 0x50; /* UDP Length, Data Offset */
        rocecc_store16(b + 20 + (udp ? 6 : 16), 0x1234);
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(p.headers.ip.proto, protos[i]);
        (void)rocecc_edit_reject(&e, ROCECC_EDIT_CHANGE);
        rocecc_edit_grow_upper(&e, &p, 0, sum);
        CHECK_EQ(e.word[ROCECC_EDIT_UPPER_SUM].old_value, 0x1234);
        CHECK_EQ(e.word[ROCECC_EDIT_UPPER_SUM].new_value, udp ? 0xffff : 0);
    }
}

/* A node of one word goes into the trace of *n bytes at b, which becomes longer. */
static void push_node(const rocecc_domain *d, uint8_t *b, size_t room, size_t *n,
                      uint8_t hops)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    rocecc_writer w = rocecc_writer_of(b, b + room);
    rocecc_ioam_node node;
    rocecc_packet p;
    rocecc_edit e;
    rocecc_ioam_node_init(&node);
    CHECK_EQ(rocecc_ioam_set(&node, ROCECC_IOAM_ITEM_HOP_LIMIT, hops), ROCECC_OK);
    CHECK_EQ(rocecc_ioam_set(&node, ROCECC_IOAM_ITEM_NODE_ID, 0x020300u + hops),
             ROCECC_OK);
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + *n), &p);
    CHECK_EQ(rocecc_ioam_push(&p, &node, none, 1500, &e), ROCECC_EDIT_CHANGE);
    w.at = *n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    *n = w.at;
}

/*
 * After an option that ends at a multiple of 8, a trace whose nodes have one word: the
 * first one needs 4 bytes of padding before the trace, the second takes them back, and
 * the header is as long as it was.
 */
TEST(planted_padding_of_4_is_taken_back)
{
    static const uint8_t once[] = {59, 3,    0x1e, 4, 0, 0,  0,    0,    1, 2,    0,
                                   0,  0x31, 14,   0, 1, 0,  0x7b, 0x08, 2, 0x80, 0,
                                   0,  0,    64,   2, 3, 64, 1,    2,    0, 0};
    static const uint8_t twice[] = {59, 3,  0x1e, 4,    0, 0,    0, 0, 0x31, 18, 0,
                                    1,  0,  0x7b, 0x08, 1, 0x80, 0, 0, 0,    63, 2,
                                    3,  63, 64,   2,    3, 64,   1, 2, 0,    0};
    uint8_t b[128] = {0x60, 0, 0, 0, 0, 24, 0, 64, 0x20, 1};
    static const uint8_t header[] = {59, 2,    0x1e, 4, 0,    0, 0, 0, 0x31, 10, 0, 1,
                                     0,  0x7b, 0x08, 3, 0x80, 0, 0, 0, 1,    2,  0, 0};
    rocecc_domain d = ROCECC_ZERO;
    size_t n = 40 + sizeof header;
    d.link = ROCECC_LINK_IP;
    d.ioam.namespace_id = 0x7b;
    memcpy(b + 40, header, sizeof header);
    push_node(&d, b, sizeof b, &n, 64);
    CHECK_EQ(n, 40 + sizeof once);
    CHECK_EQ(rocecc_load16(b + 4), 32);
    CHECK(memcmp(b + 40, once, sizeof once) == 0);
    push_node(&d, b, sizeof b, &n, 63);
    CHECK_EQ(n, 40 + sizeof twice);
    CHECK_EQ(rocecc_load16(b + 4), 32);
    CHECK(memcmp(b + 40, twice, sizeof twice) == 0);
}

/*
 * "All from the metadata header through the stack": so the 16 reserved bits of the
 * checksum header, too. 0x4008 and 0x5678 are 0x9680, and ~ that is 0x697f; a stack of
 * zeros alone has 0xffff.
 */
TEST(planted_the_checksum_of_ifa_covers_reserved_bits)
{
    uint8_t b[4 + 8 + 8 + 32] = {0x2f, 17, ROCECC_IFA_FLAG_C, 255, 0, 0, 0, 0, 0, 8};
    rocecc_ifa_config c = ROCECC_ZERO;
    rocecc_ifa h;
    unsigned of;
    c.protocol = 253;
    c.layout_a = 1; /* LNS 0 */
    rocecc_store32(b + 12, 0x4008);
    for (of = ROCECC_IFA_COVERS_STACK; of <= ROCECC_IFA_COVERS_METADATA; of++) {
        const bool all = of == ROCECC_IFA_COVERS_METADATA;
        c.checksum = (rocecc_ifa_coverage)of;
        rocecc_store32(b + 16, all ? 0x697f5678 : 0xffff5678);
        CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + sizeof b), sizeof b, &h),
                 ROCECC_OK);
        CHECK_EQ(rocecc_ifa_verify(&h), ROCECC_OK);
        b[19] ^= 1; /* of the reserved bits */
        CHECK_EQ(rocecc_ifa_parse(&c, rocecc_reader_of(b, b + sizeof b), sizeof b, &h),
                 ROCECC_OK);
        CHECK_EQ(rocecc_ifa_verify(&h), all ? ROCECC_ERR_FORMAT : ROCECC_OK);
    }
}

/* A packet that is not the one that a plan was made for: refused, and as it was. */
static void refused(const rocecc_edit *e, const uint8_t *b, size_t n, size_t at,
                    const char *bytes, size_t n_bytes)
{
    uint8_t other[256], was[256];
    rocecc_writer w = rocecc_writer_of(other, other + sizeof other);
    CHECK(n <= sizeof other);
    memset(other, 0, sizeof other);
    memcpy(other, b, n);
    memcpy(other + at, bytes, n_bytes);
    memcpy(was, other, sizeof was);
    w.at = n;
    CHECK_EQ(rocecc_edit_apply(e, &w), ROCECC_NO_MATCH);
    CHECK_EQ(rocecc_edit_write(e, w), ROCECC_NO_MATCH);
    CHECK_EQ(w.at, n);
    CHECK(memcmp(other, was, sizeof was) == 0);
}

/*
 * A source puts its option where the padding at the end of the list was. In a packet
 * that has an option there it would be written over.
 */
TEST(planted_ioam_insert_compares_the_end_of_the_list)
{
    static const uint8_t header[] = {59, 1, 0x1e, 6, 0, 0, 0, 0,
                                     0,  0, 1,    4, 0, 0, 0, 0};
    const rocecc_ioam_source s = {0, 1, 0x7b, 0, 0x800000, 3};
    rocecc_domain d = ROCECC_ZERO;
    uint8_t b[256];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_packet p;
    rocecc_edit e;
    d.link = ROCECC_LINK_IP;
    d.ioam.namespace_id = 0x7b;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_ioam_insert(&p, &s, 1500, &e), ROCECC_EDIT_CHANGE);
    refused(&e, b, n, 50, "\x3e", 1);             /* another option of that length */
    refused(&e, b, n, 50, "\x1e\x00\x1e\x02", 4); /* two of them */
    refused(&e, b, n, 52, "\x00\x00\x00\x01", 4); /* what is no padding */
    w.at = n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
}

/*
 * The last node takes the whole header out, by its length, and IPv6 gets its Next
 * Header: both are compared, and that there is this trace.
 */
TEST(planted_ioam_strip_compares_the_header)
{
    static const uint8_t header[] = {59, 1,    1,    0, 0x31, 10, 0, 1,
                                     0,  0x7b, 0x08, 3, 0x80, 0,  0, 0};
    rocecc_domain d = ROCECC_ZERO;
    uint8_t b[256];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_packet p;
    rocecc_edit e;
    d.link = ROCECC_LINK_IP;
    d.ioam.namespace_id = 0x7b;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_ioam_strip(&p, &e), ROCECC_EDIT_CHANGE);
    refused(&e, b, n, 40, "\x11", 1); /* UDP follows */
    refused(&e, b, n, 41, "\x02", 1); /* and 8 bytes more of options */
    refused(&e, b, n, 44, "\x3e", 1); /* another option */
    refused(&e, b, n, 47, "\x03", 1); /* E2E, which is no trace */
    refused(&e, b, n, 49, "\x7c", 1); /* another namespace */
    refused(&e, b, n, 50, "\x09", 1); /* a flag */
    refused(&e, b, n, 52, "\x40", 1); /* another trace type */
    w.at = n;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK_EQ(w.at, 40);
    CHECK_EQ(b[6], 59);
}

/* IPv4, UDP to the port of INT, a shim with 255 words, which are INT-MD's header and 42
 * nodes of 6 words, BTH and ICRC: a record of 1020 bytes, and an echo of 1024. */
TEST(planted_the_longest_record_is_echoed)
{
    static uint8_t b[20 + 8 + 4 + 1020 + 12 + 4];
    rocecc_domain d = ROCECC_ZERO;
    rocecc_packet p;
    rocecc_echo h = ROCECC_ZERO;
    d.link = ROCECC_LINK_IP;
    d.intmd.udp_port = 5000;
    d.roce.echo_bytes = 1024;
    b[0] = 0x45;
    rocecc_store16(b + 2, sizeof b);
    b[9] = 17;
    rocecc_store16(b + 22, 5000);
    rocecc_store16(b + 24, sizeof b - 20);
    rocecc_store32(b + 28, 0x14ff12b7); /* MD, NPT 1: the port was 4791 */
    rocecc_store32(b + 32, 0x20000600); /* Ver 2, Hop ML 6 */
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.bth, 1052);
    CHECK_EQ(rocecc_echo_extract(&p, &h), ROCECC_OK);
    CHECK_EQ(h.format, ROCECC_ECHO_INTMD);
    CHECK_EQ(h.length, 255);
    CHECK(!h.truncated && h.record.at == 32 && h.record.end == 1052);
    d.roce.echo_bytes = 1020;
    CHECK_EQ(rocecc_echo_extract(&p, &h), ROCECC_OK);
    CHECK(h.truncated && h.length == 255 && rocecc_left(&h.record) == 0);
}

/*
 * DSCP marks by the bits of its mask alone: 000100 with 1 in the first becomes 100100,
 * whatever the configuration has in the others.
 */
TEST(planted_intmd_marks_by_the_bits_of_the_mask)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    uint8_t b[128] = {0x45, 0x04 << 2 | 2, 0, 28, 0, 0, 0, 0, 64, 17};
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_domain d = ROCECC_ZERO;
    rocecc_intmd_source s;
    rocecc_packet p;
    rocecc_edit e;
    b[25] = 8; /* UDP Length */
    d.link = ROCECC_LINK_IP;
    d.intmd.dscp = 0x21;
    d.intmd.dscp_mask = 0x20;
    s.mark = ROCECC_INTMD_MARK_DSCP;
    s.src_port = 0;
    s.mtu_bytes = 1500;
    s.header = rocecc_intmd_header_init(0x8000, 4);
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + 28), &p);
    CHECK_EQ(rocecc_intmd_insert(&p, &s, NULL, none, &e), ROCECC_EDIT_CHANGE);
    w.at = 28;
    CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
    CHECK_EQ(b[1], 0x24 << 2 | 2);
    CHECK_EQ(rocecc_load32(b + 28), 0x10030010); /* NPT 0, 3 words, DSCP as it was */
}

/* IPv4, UDP to the port of INT, MD without a node: its header and what follows. */
static size_t intmd(uint8_t *b, uint8_t remaining_hops)
{
    const uint8_t md[16] = {0x14, 3, 0, 9, 0x20, 0, 1, remaining_hops, 0x80};
    memset(b, 0, 128);
    b[0] = 0x45;
    b[3] = 20 + 8 + 16;
    b[9] = 17;
    rocecc_store16(b + 22, 5000);
    b[25] = 8 + 16; /* UDP Length */
    memcpy(b + 28, md, sizeof md);
    return 44;
}

/*
 * E is set because no hop is left, and M because a node of these instructions does not
 * fit: in a packet that has a hop, or asks for something else, it would be a lie.
 */
TEST(planted_intmd_flags_compare_what_they_are_set_for)
{
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    rocecc_domain d = ROCECC_ZERO;
    rocecc_intmd_node node;
    unsigned m;
    d.link = ROCECC_LINK_IP;
    d.intmd.udp_port = 5000;
    rocecc_intmd_node_init(&node);
    for (m = 0; m < 2; m++) {
        uint8_t b[128];
        const size_t n = intmd(b, m != 0);
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        rocecc_packet p;
        rocecc_edit e;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
        CHECK_EQ(rocecc_intmd_push(&p, &node, none, 44, &e),
                 m != 0 ? ROCECC_EDIT_MTU : ROCECC_EDIT_HOPS);
        refused(&e, b, n, 35, "\x07", 1);
        refused(&e, b, n, 36, "\x40", 1);
        w.at = n;
        CHECK_EQ(rocecc_edit_apply(&e, &w), ROCECC_OK);
        CHECK_EQ(b[32], m != 0 ? 0x22 : 0x24);
    }
}

/* RFC 9486, 3: the option of a trace stands at a multiple of 4. Three bytes after the
 * header it is malformed, and nobody finds, fills or takes out what is in it. */
TEST(planted_a_trace_that_is_not_aligned_is_none)
{
    static const uint8_t header[] = {59,   1,    0, 0x31, 10,   0, 1, 0,
                                     0x7b, 0x08, 3, 0x80, 0x00, 0, 0, 0};
    rocecc_domain d = ROCECC_ZERO;
    rocecc_ioam_option o;
    uint8_t b[256];
    const size_t n = frame_hop_by_hop(b, header, sizeof header);
    rocecc_packet p;
    rocecc_edit e;
    d.link = ROCECC_LINK_IP;
    d.ioam.namespace_id = 0x7b;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p);
    CHECK_EQ(rocecc_ioam_find(&p, &o), ROCECC_ERR_FORMAT);
    CHECK_EQ(rocecc_ioam_strip(&p, &e), ROCECC_EDIT_BROKEN);
    CHECK_EQ(e.n_splices, 0);
}
