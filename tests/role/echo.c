/* SPDX-License-Identifier: BSD-2-Clause */

/* echo.c - tests the receiver and the sender of echoes with cut packets, malformed
 * echoes and small buffers. The rows of both are in vectors/echo.vec. */
#include "law/echo.h"
#include "lib/noun.h"

#include <string.h>

/* The receiver needs only the BTH of a data packet. Without a whole BTH the verdict is
 * NONE, even if the headers were parsed before the packet was cut. */
TEST(echo_receiver_needs_a_whole_bth)
{
    const vec_packet whole = vec_find("vectors/echo.vec", "r-ioam");
    rocecc_domain d = ROCECC_ZERO;
    rocecc_packet all, p;
    size_t n;
    d.roce.echo_bytes = 160;
    CHECK_EQ(rocecc_packet_parse(
                 &d, rocecc_reader_of(whole.bytes, whole.bytes + whole.n), &all),
             ROCECC_OK);
    CHECK_EQ(all.headers.bth, 142 - 24);
    for (n = 0; n <= whole.n; n++) {
        const rocecc_echo_receiver_verdict should = n < all.headers.bth + 12u
                                                        ? ROCECC_ECHO_RECEIVER_NONE
                                                        : ROCECC_ECHO_RECEIVER_WRITTEN;
        const size_t bytes = should == ROCECC_ECHO_RECEIVER_NONE ? 0 : 4 + 52;
        uint8_t *at = guard_end(whole.bytes, n);
        const rocecc_reader r = rocecc_reader_of(at, at + n);
        unsigned kept;
        test_context("%zu bytes", n);
        for (kept = 0; kept < 2; kept++) {
            uint8_t out[64];
            rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
            if (kept)
                p = rocecc_packet_attach(&d, r, &all.headers);
            else
                (void)rocecc_packet_parse(&d, r, &p);
            CHECK_EQ(rocecc_echo_receiver_step(&p, &w), should);
            CHECK_EQ(w.at, bytes);
        }
    }
}

/* needs_action() is true for the verdicts that require an action of the host. */
TEST(echo_needs_action_is_true_for_six_verdicts)
{
    static const bool receiver[ROCECC_ECHO_RECEIVER_VERDICTS] = {
        [ROCECC_ECHO_RECEIVER_WRITTEN] = true, [ROCECC_ECHO_RECEIVER_TRUNCATED] = true};
    static const bool sender[ROCECC_ECHO_SENDER_VERDICTS] = {
        [ROCECC_ECHO_SENDER_HOPS] = true,
        [ROCECC_ECHO_SENDER_TAG] = true,
        [ROCECC_ECHO_SENDER_TRUNCATED] = true,
        [ROCECC_ECHO_SENDER_TOO_MANY_HOPS] = true};
    int v;
    for (v = 0; v < ROCECC_ECHO_RECEIVER_VERDICTS; v++)
        CHECK_EQ(rocecc_echo_receiver_needs_action((rocecc_echo_receiver_verdict)v),
                 receiver[v]);
    for (v = 0; v < ROCECC_ECHO_SENDER_VERDICTS; v++)
        CHECK_EQ(rocecc_echo_sender_needs_action((rocecc_echo_sender_verdict)v),
                 sender[v]);
}

/* An ACK for QP 0x12 and PSN 100 with the echo of a CSIG tag. */
static const uint32_t ack_words[] = {0x45000038, 0,          0x40110000, 0x0a000002,
                                     0x0a000001, 0xc00012b7, 0x00240000, /* UDP */
                                     0x1100ffff, 0x12,       100,        /* BTH */
                                     0,          0x13000001, 0x99002b85, 0};

/* An ACK that is cut in its BTH gives NONE. If it is cut before its ICRC, it gives
 * BROKEN, or STRAY for another QP. */
TEST(echo_sender_rejects_a_cut_ack)
{
    const rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_domain d = ROCECC_ZERO;
    rocecc_packet all;
    uint8_t ack[56];
    size_t n;
    for (n = 0; n < 14; n++)
        rocecc_store32(ack + 4 * n, ack_words[n]);
    d.link = ROCECC_LINK_IP;
    d.roce.echo_bytes = 8;
    d.csig.compact_tpid = 0x9900;
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(ack, ack + sizeof ack), &all),
             ROCECC_OK);
    for (n = 0; n <= sizeof ack; n++) {
        const uint8_t should = n < 40   ? ROCECC_ECHO_SENDER_NONE
                               : n < 52 ? ROCECC_ECHO_SENDER_BROKEN
                                        : ROCECC_ECHO_SENDER_TAG;
        const uint8_t *at = guard_end(ack, n);
        const rocecc_reader r = rocecc_reader_of(at, at + n);
        rocecc_echo_sender_event e = {0x12, 100, 1, 0, ROCECC_ECHO_CSIG, 0, 0};
        rocecc_echo_sender_result out;
        rocecc_packet p;
        unsigned kept;
        test_context("%zu bytes", n);
        for (kept = 0; kept < 2; kept++) {
            if (kept)
                p = rocecc_packet_attach(&d, r, &all.headers);
            else
                (void)rocecc_packet_parse(&d, r, &p);
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

/* Returns the sender's result for an ACK with PSN 100 to QP 0x12, with these words
 * after its AETH. The result is filled with 0xa5 before the call. */
static rocecc_echo_sender_result result_of(const uint32_t *words, uint32_t n,
                                           uint16_t echo_bytes,
                                           rocecc_echo_sender_event event)
{
    const rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_domain d = ROCECC_ZERO;
    rocecc_echo_sender_result out;
    rocecc_packet p;
    uint8_t ack[80];
    size_t i;
    CHECK(4 * (12 + n) <= sizeof ack);
    for (i = 0; i < 11; i++)
        rocecc_store32(ack + 4 * i, ack_words[i]);
    rocecc_store16(ack + 2, (uint16_t)(4 * (12 + n)));
    rocecc_store16(ack + 24, (uint16_t)(4 * (7 + n)));
    for (i = 0; i < n; i++)
        rocecc_store32(ack + 44 + 4 * i, words[i]);
    rocecc_store32(ack + 44 + 4 * n, 0);
    d.link = ROCECC_LINK_IP;
    d.roce.echo_bytes = echo_bytes;
    d.csig.compact_tpid = 0x9900;
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(ack, ack + 4 * (12 + n)), &p),
             ROCECC_OK);
    memset(&out, 0xa5, sizeof out);
    rocecc_echo_sender_step(&c, &p, event, NULL, &out);
    return out;
}

/* An ACK with PSN 100 has the echo of READ response 200. If the echo is malformed, the
 * ACK's PSN decides between STRAY and BROKEN. */
TEST(echo_malformed_echoes_are_matched_by_the_psn_of_the_ack)
{
    static const uint32_t words[] = {0x13400001, 200, 0x99002b85, 0};
    rocecc_echo_sender_event e = {0x12, 101, 9, 0, ROCECC_ECHO_CSIG, 200, 1};
    rocecc_echo_sender_result out = result_of(words, 3, 16, e);
    CHECK(out.verdict == ROCECC_ECHO_SENDER_TAG && out.psn == 200);
    CHECK(out.read_response && out.length == 1);
    out = result_of(words, 4, 16, e); /* one word too many */
    CHECK(out.verdict == ROCECC_ECHO_SENDER_STRAY && out.psn == 0);
    e.first_psn = 100;
    e.n_read_psns = 0;
    out = result_of(words, 4, 16, e);
    CHECK(out.verdict == ROCECC_ECHO_SENDER_BROKEN && out.psn == 100);
    CHECK(!out.read_response && out.length == 0);
}

/* A record of 2 words with a tag of 1 word is BROKEN only if CSIG is requested. With
 * another format, or an unknown version, the earlier check gives the verdict. */
TEST(echo_checks_version_then_format_then_t_then_record)
{
    static const uint32_t truncated[] = {0x13800001},
                          broken[] = {0x13000002, 0x99002b85, 0},
                          other_tag[] = {0x13000002, 0x00009900, 0},
                          version[] = {0x23000001, 0x99002b85};
    rocecc_echo_sender_event e = {0x12, 100, 1, 0, ROCECC_ECHO_IOAM, 0, 0};
    CHECK_EQ(result_of(truncated, 1, 16, e).verdict, ROCECC_ECHO_SENDER_OTHER_FORMAT);
    CHECK_EQ(result_of(broken, 3, 16, e).verdict, ROCECC_ECHO_SENDER_OTHER_FORMAT);
    CHECK_EQ(result_of(version, 2, 16, e).verdict, ROCECC_ECHO_SENDER_UNKNOWN_FORMAT);
    e.format = ROCECC_ECHO_CSIG;
    CHECK_EQ(result_of(truncated, 1, 16, e).verdict, ROCECC_ECHO_SENDER_TRUNCATED);
    CHECK_EQ(result_of(broken, 3, 16, e).verdict, ROCECC_ECHO_SENDER_BROKEN);
    CHECK_EQ(result_of(other_tag, 3, 16, e).verdict, ROCECC_ECHO_SENDER_OTHER_FORMAT);
}

/* 12 bytes that are not one echo give UNKNOWN_FORMAT if the network allows 8 bytes,
 * because the length is checked first, and BROKEN if it allows 12. */
TEST(echo_longer_than_echo_bytes_is_not_read)
{
    static const uint32_t words[] = {0x13000001, 0x99002b85, 0};
    const rocecc_echo_sender_event e = {0x12, 100, 1, 0, ROCECC_ECHO_CSIG, 0, 0};
    CHECK_EQ(result_of(words, 3, 8, e).verdict, ROCECC_ECHO_SENDER_UNKNOWN_FORMAT);
    CHECK_EQ(result_of(words, 3, 12, e).verdict, ROCECC_ECHO_SENDER_BROKEN);
    CHECK_EQ(result_of(words, 3, 12, e).length, 0);
}

/* Without an echo, or if echo is off, every member of the result is 0. */
TEST(echo_sender_result_is_zero_without_an_echo)
{
    static const uint32_t words[] = {0x13000001, 0x99002b85};
    const rocecc_echo_sender_event e = {0x12, 100, 1, 0, ROCECC_ECHO_CSIG, 0, 0};
    unsigned off;
    for (off = 0; off < 2; off++) {
        const rocecc_echo_sender_result out =
            result_of(words, off ? 2 : 0, off ? 0 : 16, e);
        test_context("off %u", off);
        CHECK_EQ(out.verdict, ROCECC_ECHO_SENDER_NONE);
        CHECK(out.length == 0 && !out.read_response && out.psn == 0);
        CHECK(out.tag.value == 0 && !out.tag.wide && out.tag.tpid == 0);
        CHECK(out.path.n == 0 && out.path.complete == ROCECC_TELEMETRY_COMPLETE_NO);
    }
}

/* Returns the result for an ACK of vectors/echo.vec, with NULL for hops[]. */
static rocecc_echo_sender_result result_without_room(const char *id)
{
    const vec_packet whole = vec_find("vectors/echo.vec", id);
    const rocecc_echo_sender_event e = {0xabcd, 7, 1, 0, ROCECC_ECHO_IOAM, 0, 0};
    rocecc_telemetry_config c = ROCECC_ZERO;
    rocecc_domain d = ROCECC_ZERO;
    rocecc_echo_sender_result out;
    rocecc_packet p;
    d.roce.echo_bytes = 160;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(whole.bytes, whole.bytes + whole.n),
                              &p);
    rocecc_echo_sender_step(&c, &p, e, NULL, &out);
    return out;
}

/* With max_hops 0, a trace without nodes is HOPS, and any other TOO_MANY_HOPS. */
TEST(echo_of_a_trace_without_nodes_is_a_path_of_0_hops)
{
    rocecc_echo_sender_result out = result_without_room("s-no-node");
    CHECK(out.verdict == ROCECC_ECHO_SENDER_HOPS && out.path.n == 0);
    CHECK(rocecc_echo_sender_needs_action((rocecc_echo_sender_verdict)out.verdict));
    out = result_without_room("s-ioam");
    CHECK(out.verdict == ROCECC_ECHO_SENDER_TOO_MANY_HOPS && out.path.n == 0);
}

/* Returns the receiver's verdict on a packet of vectors/echo.vec with this opcode and
 * `room` bytes left in the ACK. Checks that the writer and its buffer are unchanged. */
static rocecc_echo_receiver_verdict unwritten(const char *id, uint8_t opcode,
                                              uint16_t echo_bytes, size_t room)
{
    const vec_packet whole = vec_find("vectors/echo.vec", id);
    rocecc_domain d = ROCECC_ZERO;
    rocecc_echo_receiver_verdict verdict;
    uint8_t b[256], out[64];
    rocecc_writer w = rocecc_writer_of(out, out + room);
    rocecc_packet p;
    size_t i;
    CHECK(whole.n <= sizeof b && room <= sizeof out);
    memcpy(b, whole.bytes, whole.n);
    memset(out, 0xa5, sizeof out);
    d.roce.echo_bytes = echo_bytes;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + whole.n), &p);
    CHECK(p.headers.bth != 0);
    b[p.headers.bth] = opcode;
    verdict = rocecc_echo_receiver_step(&p, &w);
    CHECK(w.at == 0 && w.end == room);
    for (i = 0; i < sizeof out; i++)
        CHECK_EQ(out[i], 0xa5);
    return verdict;
}

/* Broken telemetry is NONE without an ACK or with echo off, and BROKEN without room. */
TEST(echo_receiver_checks_ack_then_telemetry_then_room)
{
    static const char id[] = "r-broken-ioam";
    CHECK_EQ(unwritten(id, 0x04, 160, 0), ROCECC_ECHO_RECEIVER_BROKEN);
    CHECK_EQ(unwritten(id, 0x04, 160, 64), ROCECC_ECHO_RECEIVER_BROKEN);
    CHECK_EQ(unwritten(id, 0x04, 0, 64), ROCECC_ECHO_RECEIVER_NONE);
    CHECK_EQ(unwritten(id, 0x11, 160, 64), ROCECC_ECHO_RECEIVER_NONE); /* an ACK */
    CHECK_EQ(unwritten(id, 0x12, 160, 64), ROCECC_ECHO_RECEIVER_NONE);
    CHECK_EQ(unwritten(id, 0x24, 160, 64), ROCECC_ECHO_RECEIVER_NONE); /* UC */
    CHECK_EQ(unwritten(id, 0x64, 160, 64), ROCECC_ECHO_RECEIVER_NONE); /* UD */
}

/* An echo of 56 bytes does not fit in 0 to 55 bytes, and no byte is written. */
TEST(echo_without_room_leaves_the_buffer_unchanged)
{
    size_t room;
    for (room = 0; room < 4 + 52; room++) {
        test_context("room %zu", room);
        CHECK_EQ(unwritten("r-ioam", 0x04, 160, room), ROCECC_ECHO_RECEIVER_NO_SPACE);
    }
}
