/* SPDX-License-Identifier: BSD-2-Clause */
#include "../../examples/lib/vec.h"
#include "lib/frame.h"
#include "lib/guard.h"
#include "rocecc/packet/answer.h"
#include "rocecc/packet/build.h"
#include "rocecc/packet/cnp.h"

#include <string.h>

#define DA "020000000001"
#define SA "020000000002"
#define OWN "020000000003"
#define IP6                                                                            \
    "60000000 00001140 20010db8 00000000 00000000 00000001 20010db8 00000000 00000000" \
    "00000002"
#define IP4 "45000014 00000000 40110000 c0000201 c0000202"

static const rocecc_answer plain = {{{2, 0, 0, 0, 0, 3}}, ROCECC_TYPE_IPV6, 6, false};

/* Checks the answer to a frame at a guard page, in just enough room and in less. On
 * failure no byte is written. */
static void answers(const char *frame, const rocecc_answer *a, rocecc_status status,
                    const char *answer)
{
    const rocecc_domain d = {.tag.vlan_tpid = 0x9100, .csig = {.wide_tpid = 0x9901}};
    const test_frame came = frame_of(frame), should = frame_of(answer);
    const uint8_t *at = guard_end(came.b, came.n);
    uint8_t unwritten[64];
    rocecc_packet p;
    size_t room;
    test_context("%s", frame);
    memset(unwritten, 0x5a, sizeof unwritten);
    (void)rocecc_packet_parse(&d, rocecc_reader_of(at, at + came.n), &p);
    for (room = 0; room <= should.n; room++) {
        uint8_t written[64];
        rocecc_writer w = rocecc_writer_of(written, written + room);
        const bool fits = room == should.n;
        memset(written, 0x5a, sizeof written);
        CHECK_EQ(rocecc_answer_ether(&w, &p, a),
                 fits || status != ROCECC_OK ? status : ROCECC_ERR_SPACE);
        CHECK_EQ(w.at, fits && status == ROCECC_OK ? should.n : 0);
        CHECK(memcmp(written, w.at != 0 ? should.b : unwritten, should.n) == 0);
        CHECK(memcmp(written + should.n, unwritten + should.n,
                     sizeof written - should.n) == 0);
    }
}

TEST(answer_goes_to_the_source_of_the_frame)
{
    rocecc_answer a = plain;
    answers(DA SA "86dd" IP6, &a, ROCECC_OK, SA OWN "86dd");
    answers(DA SA "8100 0007 86dd" IP6, &a, ROCECC_OK, SA OWN "8100 c007 86dd");
    a.type = ROCECC_TYPE_IPV4;
    answers(DA SA "0800" IP4, &a, ROCECC_OK, SA OWN "0800");
    a.pcp = 0;
    answers(DA SA "8100 ffff 0800" IP4, &a, ROCECC_OK, SA OWN "8100 0fff 0800");
    a.type = ROCECC_TYPE_IPV6; /* a Fast CNP about IPv6 in an IPv4 tunnel */
    answers(DA SA "0800" IP4, &a, ROCECC_OK, SA OWN "86dd");
}

/* Each VLAN tag keeps its place, TPID and VID, but its DEI becomes 0. */
TEST(answer_repeats_the_vlan_tags_in_order)
{
    const rocecc_answer a = {{{2, 0, 0, 0, 0, 3}}, ROCECC_TYPE_IPV6, 5, false};
    answers(DA SA "88a8 7064 8100 b400 86dd" IP6, &a, ROCECC_OK,
            SA OWN "88a8 a064 8100 a400 86dd");
    answers(DA SA "88a8 7064 9100 1001 8100 b400 86dd" IP6, &a, ROCECC_OK,
            SA OWN "88a8 a064 9100 a001 8100 a400 86dd");
    answers(DA SA "8100 7064 9901 00112233 4455 86dd" IP6, &a, ROCECC_OK,
            SA OWN "8100 a064 86dd"); /* CSIG is not copied */
}

/* The CN-TAG follows the VLAN tags, as in a CNM (draft-yu-tsvwg-l3qcn-00, Figure 1). */
TEST(answer_puts_the_cn_tag_after_the_vlan_tags)
{
    const rocecc_answer a = {{{2, 0, 0, 0, 0, 3}}, ROCECC_TYPE_CNM, 6, true};
    answers(DA SA "88a8 b064 8100 a400 22e9 c9a0 86dd" IP6, &a, ROCECC_OK,
            SA OWN "88a8 c064 8100 c400 22e9 c9a0 22e7");
    answers(DA SA "86dd" IP6, &a, ROCECC_OK, SA OWN "22e9 0000 22e7"); /* flow 0 */
    answers(DA SA "88a8 b064 22e9 c9a0 86dd" IP6, &plain, ROCECC_OK,
            SA OWN "88a8 c064 86dd"); /* without a CN-TAG */
}

/* A frame from address 0 or a group gets no answer (FORMAT), because the answer would
 * be flooded. */
TEST(answer_rejects_a_source_of_0_or_a_group)
{
    answers(DA "010000000002 86dd" IP6, &plain, ROCECC_ERR_FORMAT, SA);
    answers(DA "ffffffffffff 86dd" IP6, &plain, ROCECC_ERR_FORMAT, SA);
    answers(DA "000000000000 86dd" IP6, &plain, ROCECC_ERR_FORMAT, SA);
}

TEST(answer_rejects_other_link_headers)
{
    answers(DA SA "0030 aaaa03 000000 0800" IP4, &plain, ROCECC_ERR_UNSUPPORTED, SA);
    answers(DA SA "8864 1100 0001 002a 0057" IP6, &plain, ROCECC_ERR_UNSUPPORTED, SA);
    answers(DA SA "8847 00001140 " IP6, &plain, ROCECC_ERR_UNSUPPORTED, SA);
    answers(DA SA "8100 0007 8847 00001140" IP6, &plain, ROCECC_ERR_UNSUPPORTED, SA);
    answers(DA SA "0806 0001 0800", &plain, ROCECC_NO_MATCH, SA); /* ARP */
    answers(DA SA, &plain, ROCECC_NO_MATCH, SA);
    {
        const rocecc_domain d = {.link = ROCECC_LINK_IP};
        const test_frame came = frame_of(IP6);
        uint8_t out[30];
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_packet p;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(came.b, came.b + came.n), &p);
        CHECK_EQ(rocecc_answer_ether(&w, &p, &plain), ROCECC_NO_MATCH);
    }
}

TEST(answer_rejects_an_invalid_configuration)
{
    rocecc_answer a = plain;
    a.src.b[0] = 3;
    answers(DA SA "86dd" IP6, &a, ROCECC_ERR_RANGE, SA);
    memset(&a.src, 0, sizeof a.src);
    answers(DA SA "86dd" IP6, &a, ROCECC_ERR_RANGE, SA);
    a = plain;
    a.pcp = 8;
    answers(DA SA "86dd" IP6, &a, ROCECC_ERR_RANGE, SA);
    a = plain;
    a.type = 0x5ff;
    answers(DA SA "86dd" IP6, &a, ROCECC_ERR_RANGE, SA);
    a.type = 0x600;
    answers(DA SA "86dd" IP6, &a, ROCECC_OK, SA OWN "0600");
}

/* The frame is cut after the walk. No byte after the cut is read. */
TEST(answer_needs_the_bytes_of_the_vlan_tags)
{
    const rocecc_domain d = {.link = ROCECC_LINK_ETHER};
    const test_frame came = frame_of(DA SA "88a8 b064 8100 a400 22e9 c9a0 86dd" IP6);
    rocecc_packet p;
    size_t n;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(came.b, came.b + came.n), &p);
    for (n = 0; n <= came.n; n++) {
        const uint8_t *b = guard_end(came.b, n);
        const rocecc_packet less =
            rocecc_packet_attach(&d, rocecc_reader_of(b, b + n), &p.headers);
        uint8_t out[30];
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        test_context("%zu", n);
        CHECK_EQ(rocecc_answer_ether(&w, &less, &plain),
                 n < 20 ? ROCECC_ERR_SHORT : ROCECC_OK);
        CHECK_EQ(w.at, n < 20 ? 0 : 22);
    }
}

/* The answer's header and a CNP form a frame in which the CNP is found. */
TEST(answer_with_a_cnp_is_parsed_as_a_cnp)
{
    const rocecc_domain d = {.link = ROCECC_LINK_ETHER};
    const test_frame came = frame_of(DA SA "8100 6007 86dd" IP6);
    rocecc_cnp cnp = rocecc_cnp_default(), again;
    uint8_t out[200];
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    rocecc_packet p;
    (void)rocecc_packet_parse(&d, rocecc_reader_of(came.b, came.b + came.n), &p);
    cnp.src = rocecc_ip6_load(came.b + 18 + 24);
    cnp.dst = rocecc_ip6_load(came.b + 18 + 8);
    cnp.dest_qp = 0x123456;
    CHECK_EQ(rocecc_answer_ether(&w, &p, &plain), ROCECC_OK);
    CHECK_EQ(rocecc_cnp_build(&w, &cnp), ROCECC_OK);
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_written(&w), &p), ROCECC_OK);
    CHECK_EQ(rocecc_cnp_parse(&p, &again), ROCECC_OK);
    CHECK_EQ(again.dest_qp, 0x123456);
    CHECK(p.headers.n_vlan == 1 && memcmp(out, came.b + 6, 6) == 0);
}

/* Tries all sequences of up to four tags of five kinds. The answer repeats only VLAN
 * tags, and adds a CN-TAG. */
TEST(answer_repeats_only_vlan_tags_of_any_sequence)
{
    static const char *const tags[] = {"8100 7064", "88a8 ffff", "9100 1001",
                                       "9901 00112233 4455", "22e9 c9a0"};
    const rocecc_domain d = {.tag.vlan_tpid = 0x9100, .csig = {.wide_tpid = 0x9901}};
    unsigned order, ok = 0;
    for (order = 0; order < 6 * 6 * 6 * 6; order++) {
        char frame[300] = DA SA, answer[100] = SA OWN;
        test_frame came, should;
        uint8_t out[64];
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_answer a = plain;
        rocecc_packet p;
        unsigned rest = order, i, vlan = 0;
        a.cntag = true;
        for (i = 0; i < 4; i++, rest /= 6) {
            const unsigned tag = rest % 6;
            if (tag == 5) continue;
            strcat(frame, tags[tag]);
            if (tag > 2) continue;
            strcat(answer, tag == 0   ? "8100 c064"
                           : tag == 1 ? "88a8 cfff"
                                      : "9100 c001");
            vlan++;
        }
        strcat(frame, "86dd" IP6);
        strcat(answer,
               strstr(frame, "22e9") != NULL ? "22e9 c9a0 86dd" : "22e9 0000 86dd");
        came = frame_of(frame);
        should = frame_of(answer);
        (void)rocecc_packet_parse(&d, rocecc_reader_of(came.b, came.b + came.n), &p);
        if (p.headers.ip.version != 6) continue; /* not accepted by the walk */
        test_context("%s", frame);
        CHECK_EQ(p.headers.n_vlan, vlan);
        CHECK_EQ(rocecc_answer_ether(&w, &p, &a), ROCECC_OK);
        CHECK(w.at == should.n && memcmp(out, should.b, should.n) == 0);
        ok++;
    }
    CHECK(ok > 100);
}

/* A packet with a GRH gets an answer even if the walk cannot follow the payload. */
TEST(answer_accepts_a_grh_without_its_payload)
{
    rocecc_answer a = plain;
    a.type = ROCECC_TYPE_ROCEV1;
    answers(DA SA "8915" IP6, &a, ROCECC_OK, SA OWN "8915");
    answers(DA SA "8100 7064 22e9 c9a0 8915" IP6, &a, ROCECC_OK,
            SA OWN "8100 c064 8915");
    answers(DA SA "8909 0101 0001 0000 8915" IP6, &a, ROCECC_ERR_UNSUPPORTED, SA);
}

/* IPv4 is recognised by its version, so protocol 0 also gets an answer. */
TEST(answer_accepts_ipv4_with_protocol_0)
{
    rocecc_answer a = plain;
    a.type = ROCECC_TYPE_IPV4;
    answers(DA SA "0800 45000014 00000000 40000000 c0000201 c0000202", &a, ROCECC_OK,
            SA OWN "0800");
}

/* Without a CN-TAG, the flow is 0, and is not read from an address. */
TEST(answer_without_a_cn_tag_has_flow_0)
{
    rocecc_answer a = plain;
    a.cntag = true;
    answers("02aabbccddee" SA "86dd" IP6, &a, ROCECC_OK, SA OWN "22e9 0000 86dd");
}

/* Without the 14 bytes of Ethernet, kept headers give SHORT. An IP header that begins
 * within them gives NO_MATCH. */
TEST(answer_needs_the_14_bytes_of_ethernet)
{
    const rocecc_domain d = {.link = ROCECC_LINK_ETHER};
    const test_frame came = frame_of(DA SA "86dd" IP6);
    rocecc_packet p = frame_walked(&d, &came);
    uint8_t out[30];
    size_t n;
    for (n = 0; n <= 15; n++) {
        const uint8_t *b = guard_end(came.b, n);
        const rocecc_packet less =
            rocecc_packet_attach(&d, rocecc_reader_of(b, b + n), &p.headers);
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        test_context("%zu", n);
        CHECK_EQ(rocecc_answer_ether(&w, &less, &plain),
                 n < 14 ? ROCECC_ERR_SHORT : ROCECC_OK);
        CHECK_EQ(w.at, n < 14 ? 0 : 14);
    }
    for (n = 12; n <= 15; n++) {
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        test_context("IP from %zu on", n);
        p.headers.ip.offset = (uint16_t)n;
        CHECK_EQ(rocecc_answer_ether(&w, &p, &plain), n < 14 ? ROCECC_NO_MATCH
                                                      : n == 14
                                                          ? ROCECC_OK
                                                          : ROCECC_ERR_UNSUPPORTED);
    }
}

#define ETHER "020000000001 020000000002"
#define SRC "20010db8 00000000 00000000 00000001"
#define DST "20010db8 00000000 00000000 00000002"
#define IPV6(length_next) "60000000" length_next "40" SRC DST
#define BTH "0400ffff 00000012 00000000"

/* The answer to a RoCEv1 packet goes to its source. */
TEST(answer_to_rocev1_goes_to_its_source)
{
    const rocecc_answer a = {{{2, 0, 0, 0, 0, 3}}, ROCECC_TYPE_IPV6, 6, false};
    const rocecc_domain d = ROCECC_ZERO;
    const test_frame x =
        frame_of(ETHER "8100 0007 8915" IPV6("0010 1b") BTH "00000000");
    const test_frame should = frame_of("020000000002 020000000003 8100 c007 86dd");
    const rocecc_packet p = frame_walked(&d, &x);
    uint8_t b[18];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    CHECK(p.headers.kind == ROCECC_PACKET_KIND_ROCEV1 && p.headers.grh == 18);
    CHECK_EQ(rocecc_answer_ether(&w, &p, &a), ROCECC_OK);
    CHECK(w.at == should.n && memcmp(b, should.b, should.n) == 0);
}

/* If the CN-TAG is cut off, the flow is 0. */
TEST(answer_to_a_cut_cn_tag_has_flow_0)
{
    const rocecc_answer a = {{{2, 0, 0, 0, 0, 3}}, ROCECC_TYPE_CNM, 6, true};
    const rocecc_domain d = ROCECC_ZERO;
    const test_frame x = frame_of(ETHER "22e9 c9a0 86dd" IPV6("0000 3b"));
    rocecc_packet p = frame_walked(&d, &x);
    size_t n;
    for (n = 14; n <= 16; n++) {
        const uint8_t *at = guard_end(x.b, n);
        uint8_t b[18];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        p = rocecc_packet_attach(&d, rocecc_reader_of(at, at + n), &p.headers);
        CHECK_EQ(rocecc_answer_ether(&w, &p, &a), ROCECC_OK);
        CHECK_EQ(rocecc_load16(b + 12), 0x22e9);
        CHECK_EQ(rocecc_load16(b + 14), n < 16 ? 0 : 0xc9a0);
    }
}

/* In too little room, put_tags_() writes the tags that fit, and returns SPACE. */
TEST(answer_writes_only_whole_tags_in_little_room)
{
    const rocecc_domain d = ROCECC_ZERO;
    const test_frame x = frame_of(ETHER "88a8 0064 8100 0007 86dd" IPV6("0000 3b"));
    const rocecc_packet p = frame_walked(&d, &x);
    size_t room;
    for (room = 0; room <= 8; room++) {
        uint8_t *b = guard_room(room);
        rocecc_writer w = rocecc_writer_of(b, b + room);
        CHECK_EQ(rocecc_answer_put_tags_(&w, &p, 6),
                 room < 8 ? ROCECC_ERR_SPACE : ROCECC_OK);
        CHECK_EQ(w.at, room / 4 * 4);
    }
}

/* A station's address has at least one byte other than 0, and an even first byte. */
TEST(answer_accepts_a_station_with_one_nonzero_byte)
{
    const rocecc_domain d = {.link = ROCECC_LINK_ETHER};
    uint8_t frame[64], out[30];
    size_t n, i;
    CHECK(vec_hex("020000000001020000000002"
                  "0800 45000014 00000000 40110000 c0000201 c0000202",
                  frame, &n));
    for (i = 0; i < 6; i++) {
        rocecc_answer a = {{{0}}, ROCECC_TYPE_IPV4, 0, false};
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_packet p;
        a.src.b[i] = 0x82;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(frame, frame + n), &p);
        test_at("byte", i, 0, 0);
        CHECK_EQ(rocecc_answer_ether(&w, &p, &a), ROCECC_OK);
        CHECK(w.at == 14 && memcmp(out + 6, a.src.b, 6) == 0);
    }
}

/* With several faults, the frame's link layer determines the status first, then its
 * source address, and then the configuration. */
TEST(answer_checks_link_then_source_then_configuration)
{
    rocecc_answer a = plain;
    a.pcp = 8;
    answers(DA "010000000002 0806 0001 0800", &a, ROCECC_NO_MATCH, SA);
    answers(DA "010000000002 0030 aaaa03 000000 0800" IP4, &a, ROCECC_ERR_UNSUPPORTED,
            SA);
    answers(DA "010000000002 86dd" IP6, &a, ROCECC_ERR_FORMAT, SA);
    answers(DA SA "86dd" IP6, &a, ROCECC_ERR_RANGE, SA);
}
