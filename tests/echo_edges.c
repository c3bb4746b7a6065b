/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * echo_edges.c - echoes whose record is not what its format says, packets and ACKs that
 * were captured in part, and RoCEv1, which has none.
 */
#include "lib/guard.h"
#include "lib/test.h"
#include "rocecc/role/echo.h"

#include <string.h>

/* An option of IOAM with its type, but not with both bytes of a Namespace-ID. */
TEST(echo_of_half_a_namespace)
{
    static const uint8_t record[5] = {0x31, 3, 0, 0, 0};
    const uint8_t *at = guard_end(record, sizeof record);
    const rocecc_ioam_config c = {0, 0, 0, false};
    rocecc_ioam_view v;
    rocecc_echo h;
    memset(&h, 0, sizeof h);
    h.format = ROCECC_ECHO_IOAM;
    h.record = rocecc_reader_of(at, at + sizeof record);
    CHECK_EQ(rocecc_echo_ioam(&c, &h, &v), ROCECC_ERR_FORMAT);
}

/* Of the kinds of IOAM only the two traces are known as a record. */
TEST(echo_of_another_ioam)
{
    uint8_t record[12] = {0x31, 10, 0, 0, 0x12, 0x34, 8, 0, 0x80};
    const rocecc_ioam_config c = {0x1234, 0, 0, false};
    unsigned type;
    for (type = 0; type < 256; type++) {
        rocecc_ioam_view v;
        rocecc_echo h;
        memset(&h, 0, sizeof h);
        h.format = ROCECC_ECHO_IOAM;
        h.record = rocecc_reader_of(record, record + sizeof record);
        record[3] = (uint8_t)type;
        test_context("IOAM-Opt-Type %u", type);
        CHECK_EQ(rocecc_echo_ioam(&c, &h, &v),
                 type <= ROCECC_IOAM_INCREMENTAL ? ROCECC_OK : ROCECC_ERR_FORMAT);
    }
}

/* A record that looks like a tag is none of an echo that names another format, or that
 * has none. */
TEST(echo_of_no_tag)
{
    static const uint8_t record[4] = {0x99, 0, 0x2b, 0x85};
    rocecc_csig_config c;
    int format;
    memset(&c, 0, sizeof c);
    c.compact_tpid = 0x9900;
    for (format = 0; format < 8; format++) {
        const bool is = format == ROCECC_ECHO_CSIG;
        rocecc_csig v;
        rocecc_echo h;
        memset(&h, 0, sizeof h);
        h.format = (uint8_t)(format & 3);
        h.truncated = format > 3;
        h.record = rocecc_reader_of(record, record + sizeof record);
        test_context("format %d", format);
        CHECK_EQ(rocecc_echo_csig(&c, &h, &v), is ? ROCECC_OK : ROCECC_NO_MATCH);
        if (is) CHECK(v.type == 1 && v.value == 23 && v.locator == 5);
    }
}

/* Two bytes that are a TPID are no tag of it; fewer are no TPID, whatever follows. */
TEST(echo_of_a_tag_that_is_cut)
{
    static const uint8_t record[4] = {0x99, 0, 0x2b, 0x85};
    rocecc_csig_config c;
    size_t n;
    memset(&c, 0, sizeof c);
    c.compact_tpid = 0x9900;
    for (n = 0; n < sizeof record; n++) {
        rocecc_csig v;
        rocecc_echo h;
        memset(&h, 0, sizeof h);
        h.format = ROCECC_ECHO_CSIG;
        h.record = rocecc_reader_of(n == 0 ? NULL : record, n == 0 ? NULL : record + n);
        test_context("%zu bytes", n);
        CHECK_EQ(rocecc_echo_csig(&c, &h, &v),
                 n < 2 ? ROCECC_NO_MATCH : ROCECC_ERR_FORMAT);
    }
}

/* A record is one option of Hop-by-Hop: whole, of that type, and with nothing behind.
 */
TEST(echo_of_more_than_a_trace)
{
    static const struct {
        uint8_t type, len, bytes;
        rocecc_status status;
    } cases[] = {{0x31, 10, 12, ROCECC_OK},         {0x31, 10, 13, ROCECC_ERR_FORMAT},
                 {0x31, 10, 11, ROCECC_ERR_FORMAT}, {0x31, 14, 12, ROCECC_ERR_FORMAT},
                 {0x11, 10, 12, ROCECC_ERR_FORMAT}, {0x31, 10, 14, ROCECC_ERR_FORMAT},
                 {0x31, 1, 3, ROCECC_ERR_FORMAT}};
    const rocecc_ioam_config c = {0x1234, 0, 0, false};
    size_t i;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t record[14] = {0x31, 10, 0, 0, 0x12, 0x34, 8, 0, 0x80};
        rocecc_ioam_view v;
        rocecc_echo h;
        record[0] = cases[i].type;
        record[1] = cases[i].len;
        memset(&h, 0, sizeof h);
        h.format = ROCECC_ECHO_IOAM;
        h.record = rocecc_reader_of(record, record + cases[i].bytes);
        test_context("case %zu", i);
        CHECK_EQ(rocecc_echo_ioam(&c, &h, &v), cases[i].status);
    }
}

/* An ACK for QP 0x12 and PSN 100 with the echo of a CSIG tag. */
static const uint32_t ack_words[] = {0x45000038, 0,          0x40110000, 0x0a000002,
                                     0x0a000001, 0xc00012b7, 0x00240000, /* UDP */
                                     0x1100ffff, 0x12,       100,        /* BTH */
                                     0,          0x13000001, 0x99002b85, 0};

/* In it PadCnt, of the byte after the opcode, is not 0: FORMAT. SE, M and TVer are for
 * others to look at. */
TEST(echo_find_of_each_pad_count)
{
    rocecc_domain d = ROCECC_ZERO;
    uint8_t ack[56];
    unsigned bits;
    size_t n;
    for (n = 0; n < 14; n++)
        rocecc_store32(ack + 4 * n, ack_words[n]);
    d.link = ROCECC_LINK_IP;
    d.roce.echo_bytes = 8;
    for (bits = 0; bits < 256; bits++) {
        rocecc_packet p;
        rocecc_echo h;
        test_context("%02x", bits);
        ack[29] = (uint8_t)bits;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(ack, ack + sizeof ack), &p);
        CHECK_EQ(p.headers.bth, 28);
        CHECK_EQ(rocecc_echo_find(&p, &h),
                 (bits >> 4 & 3) != 0 ? ROCECC_ERR_FORMAT : ROCECC_OK);
    }
}

/* RoCEv1 has no echo: neither of the tag that it came with, nor in its ACK, whose bytes
 * would be one. */
TEST(echo_of_rocev1)
{
    static const uint8_t echo[8] = {0x13, 0, 0, 1, 0x99, 0, 0x2b, 0x85};
    uint8_t b[18 + 2 + 40 + 12 + 4 + 8 + 4] = {
        2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x99, 0, 0x2b, 0x85, 0x89, 0x15};
    rocecc_domain d = ROCECC_ZERO;
    rocecc_packet p;
    rocecc_echo h;
    const size_t grh = 18;
    d.roce.echo_bytes = 64;
    d.csig.compact_tpid = 0x9900;
    b[grh] = 0x60;
    b[grh + 5] = 12 + 4 + 8 + 4;
    b[grh + 6] = 0x1b;
    b[grh + 40] = 0x11; /* RC ACKNOWLEDGE */
    memcpy(b + grh + 40 + 16, echo, sizeof echo);
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b - 2), &p),
             ROCECC_OK);
    CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_ROCEV1);
    CHECK(p.headers.csig == 12 && p.headers.bth == grh + 40);
    CHECK_EQ(rocecc_echo_extract(&p, &h), ROCECC_NO_MATCH);
    CHECK_EQ(rocecc_echo_find(&p, &h), ROCECC_NO_MATCH);
}

/* INT-MD from 28 to 44, in a packet that was walked whole and of which less is given
 * later: until all of INT is there the echo is SHORT, and not without one. */
TEST(echo_of_int_that_is_cut)
{
    static const uint32_t words[] = {0x4500003c, 0,          0x40110000, 0x0a000002,
                                     0x0a000001, 0xc0011388, 0x00280000, /* UDP */
                                     0x140312b7, 0x20000101, 0x80000000, 0,
                                     0x0a00ffff, 0x12,       100,        0};
    rocecc_domain d = ROCECC_ZERO;
    uint8_t b[60];
    rocecc_packet all;
    size_t n;
    for (n = 0; n < 15; n++)
        rocecc_store32(b + 4 * n, words[n]);
    d.link = ROCECC_LINK_IP;
    d.roce.echo_bytes = 16;
    d.intmd.udp_port = 5000;
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &all),
             ROCECC_OK);
    CHECK(all.headers.intmd == 28 && all.headers.bth == 44);
    for (n = 0; n <= sizeof b; n++) {
        const uint8_t *at = guard_end(b, n);
        const rocecc_packet p =
            rocecc_packet_attach(&d, rocecc_reader_of(at, at + n), &all.headers);
        rocecc_echo h;
        test_context("%zu bytes", n);
        memset(&h, 0, sizeof h);
        CHECK_EQ(rocecc_echo_extract(&p, &h), n < 44 ? ROCECC_ERR_SHORT : ROCECC_OK);
        if (n < 44) continue;
        CHECK_EQ(h.format, ROCECC_ECHO_INTMD);
        CHECK_EQ(h.length, 3);
        CHECK(!h.truncated && h.record.at == 32 && h.record.end == 44);
    }
}
