/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * echo_edges.c - echoes whose record is not what its format says, and one in an ACK
 * that was captured in part.
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

/* An ACK for QP 0x12 and PSN 100 with the echo of a CSIG tag, captured to any length:
 * from the end of its BTH on it is known whose it is, and up to its ICRC it is cut. */
TEST(echo_sender_of_an_ack_that_is_cut)
{
    static const uint32_t words[] = {0x45000038, 0,          0x40110000, 0x0a000002,
                                     0x0a000001, 0xc00012b7, 0x00240000, /* UDP */
                                     0x1100ffff, 0x12,       100,        /* BTH */
                                     0,          0x13000001, 0x99002b85, 0};
    const rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_domain d = ROCECC_ZERO;
    rocecc_packet all;
    uint8_t ack[56];
    size_t n;
    for (n = 0; n < 14; n++)
        rocecc_store32(ack + 4 * n, words[n]);
    d.link = ROCECC_LINK_IP;
    d.roce.echo_bytes = 8;
    d.csig.compact_tpid = 0x9900;
    CHECK_EQ(rocecc_packet_of(&d, rocecc_reader_of(ack, ack + sizeof ack), &all),
             ROCECC_OK);
    for (n = 0; n <= sizeof ack; n++) {
        const uint8_t should = n < 40   ? ROCECC_ECHO_SENDER_NONE
                               : n < 52 ? ROCECC_ECHO_SENDER_BROKEN
                                        : ROCECC_ECHO_SENDER_TAG;
        const uint8_t *at = guard_end(ack, n);
        const rocecc_reader r = rocecc_reader_of(at, at + n);
        rocecc_echo_event e = {0x12, 100, 1, 0, ROCECC_ECHO_CSIG};
        rocecc_echo_heard out;
        rocecc_packet p;
        unsigned kept;
        test_context("%zu bytes", n);
        for (kept = 0; kept < 2; kept++) {
            if (kept)
                p = rocecc_packet_attach(&d, r, &all.where);
            else
                (void)rocecc_packet_of(&d, r, &p);
            e.qp = 0x12;
            rocecc_echo_sender_step(&c, &p, e, NULL, &out);
            CHECK_EQ(out.verdict, should);
            e.qp = 0x13;
            rocecc_echo_sender_step(&c, &p, e, NULL, &out);
            CHECK_EQ(out.verdict,
                     n < 40 ? ROCECC_ECHO_SENDER_NONE : ROCECC_ECHO_SENDER_STRAY);
        }
    }
}
