/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * echo.c - how much of a packet the receiver of an echo needs, and its sender of an
 * ACK; the rows of both are in vectors/echo.vec.
 */
#include "law/echo.h"
#include "lib/noun.h"

/*
 * A receiver looks at the BTH alone: what a capture has cut off after it is not asked
 * for. With less than a BTH nothing says that an ACK answers the packet, also where a
 * `where` that was kept says that a BTH stood there.
 */
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

/* What there is something to do for. */
TEST(echo_acts)
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

/* That ACK, captured to any length: from the end of its BTH on it is known whose it is,
 * and up to its ICRC it is cut. */
TEST(echo_sender_of_an_ack_that_is_cut)
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
