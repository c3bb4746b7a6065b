/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/cnp.h"
#include "lib/frame.h"
#include "lib/noun.h"
#include "lib/tell.h"
#include "rocecc/packet/build.h"
#include "rocecc/packet/cnp.h"

#include <string.h>

/* Parses the CNP in a frame. On success, checks that its ICRC is correct, and moves r
 * past it. */
static rocecc_status parse_as(bool short_cnp, rocecc_reader *r, rocecc_cnp *h)
{
    rocecc_domain d = law_packet_plain(*r);
    rocecc_icrc icrc;
    rocecc_packet p;
    rocecc_status status;
    d.roce.short_cnp = short_cnp;
    status = rocecc_packet_parse(&d, *r, &p);
    if (status != ROCECC_OK) return status;
    status = rocecc_cnp_parse(&p, h);
    if (status != ROCECC_OK) return status;
    CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc), ROCECC_OK);
    CHECK(icrc.ok);
    r->at = p.headers.end;
    return ROCECC_OK;
}

static rocecc_status cnp_parse(rocecc_reader *r, void *record)
{
    return parse_as(false, r, record);
}

static rocecc_status cnp_emit(rocecc_writer *w, const void *record)
{
    return rocecc_cnp_build(w, record);
}

static const field cnp_fields[] = {ROCECC_CNP_FIELDS(FIELD_ROW, rocecc_cnp)};
static const noun cnp_noun = {
    "cnp",     false,    sizeof(rocecc_cnp), cnp_fields, NOUN_COUNT(cnp_fields),
    cnp_parse, cnp_emit,
};

static void call_cnp_parse(const vec_row *row)
{
    const char *value = vec_value(row->config, row->n_config, "roce.short_cnp");
    rocecc_reader r = noun_reader(row->bytes, row->n);
    const bool short_cnp = value != NULL && strcmp(value, "1") == 0;
    rocecc_cnp h, before;
    rocecc_status status;
    memset(&h, 0xa5, sizeof h);
    before = h;
    status = parse_as(short_cnp, &r, &h);
    if (status != ROCECC_OK) CHECK(memcmp(&h, &before, sizeof h) == 0);
    noun_check_out(row, cnp_fields, NOUN_COUNT(cnp_fields), status, &h);
}

static const noun_call calls[] = {{"cnp_parse", call_cnp_parse}};

TEST(cnp_vectors)
{
    const noun_file file = {"cnp", law_cnp, &cnp_noun, 1, calls, NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}

/* Returns a default CNP over IPv4, from 192.0.2.1 to 192.0.2.2. */
static rocecc_cnp example(void)
{
    const rocecc_ip4 src = {{192, 0, 2, 1}}, dst = {{192, 0, 2, 2}};
    rocecc_cnp h = rocecc_cnp_default();
    h.src = rocecc_ip6_of_ip4(&src);
    h.dst = rocecc_ip6_of_ip4(&dst);
    return h;
}

TEST(cnp_default_has_the_specified_values)
{
    const rocecc_cnp h = rocecc_cnp_default();
    rocecc_cnp should;
    size_t i;
    memset(&should, 0, sizeof should);
    should.dscp = 48;
    should.hop_limit = 64;
    should.pkey = 0xffff;
    should.becn = true;
    for (i = 0; i < NOUN_COUNT(cnp_fields); i++)
        CHECK(field_equal(&cnp_fields[i], &h, &should));
}

/* IFA or INT in a CNP's packet does not change the parsed CNP. */
TEST(cnp_with_telemetry_is_parsed_as_without)
{
    const rocecc_domain c = {.link = ROCECC_LINK_IP,
                             .ifa = {.protocol = TELL_PROTOCOL, .layout_a = 1},
                             .intmd = {.udp_port = TELL_PORT}};
    int i;
    for (i = 0; i < 2 * TELL_HOWS; i++) {
        const tell_how how = (tell_how)(i / 2);
        rocecc_cnp should = example(), h, before;
        uint8_t bytes[80 + TELL_MORE];
        rocecc_writer w = rocecc_writer_of(bytes, bytes + 80);
        rocecc_reader r;
        rocecc_packet p;
        size_t n;
        test_context("%d", i);
        if (i % 2 != 0) {
            const rocecc_ip4 ip4 = {{10, 0, 0, 1}};
            should.src = should.dst = rocecc_ip6_of_ip4(&ip4);
            should.flow_label = 0;
        }
        CHECK_EQ(rocecc_cnp_build(&w, &should), ROCECC_OK);
        n = tell(bytes, w.at, how);
        CHECK(n > w.at);
        r = rocecc_reader_of(bytes, bytes + n);
        CHECK_EQ(rocecc_packet_parse(&c, r, &p), ROCECC_OK);
        CHECK(rocecc_cnp_match(&p));
        memset(&h, 0xa5, sizeof h);
        CHECK_EQ(rocecc_cnp_parse(&p, &h), ROCECC_OK);
        before = h;
        n = tell_not(bytes, n, how);
        CHECK_EQ(n, w.at);
        r = rocecc_reader_of(bytes, bytes + n);
        CHECK_EQ(rocecc_packet_parse(&c, r, &p), ROCECC_OK);
        memset(&h, 0xa5, sizeof h);
        CHECK_EQ(rocecc_cnp_parse(&p, &h), ROCECC_OK);
        CHECK_EQ(h.dest_qp, should.dest_qp);
        CHECK_EQ(law_cnp_fields(LAW_START, &h), law_cnp_fields(LAW_START, &before));
    }
}

/* Fields that a sender must write as 0 are reported in `odd`, in all combinations, and
 * the CNP is accepted. */
TEST(cnp_reports_all_odd_fields)
{
    static uint8_t bytes[60];
    unsigned odd;
    for (odd = 0; odd < 0x80; odd++) {
        const rocecc_domain config = {.link = ROCECC_LINK_IP};
        rocecc_cnp h = example();
        rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
        rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
        rocecc_packet p;
        test_context("odd %02x", odd);
        h.odd = (uint8_t)~odd; /* ignored by build() */
        memset(h.reserved, 0xff, sizeof h.reserved);
        CHECK_EQ(rocecc_cnp_build(&w, &h), ROCECC_OK);
        CHECK_EQ(w.at, 60);
        bytes[29] |= (uint8_t)((odd & 1 ? 0x80 : 0) | (odd & 2 ? 0x40 : 0));
        bytes[36] |= (uint8_t)((odd & 4 ? 0x80 : 0) | (odd & 0x20 ? 0x10 : 0));
        bytes[38] |= odd & 8 ? 1 : 0;
        bytes[32] |= odd & 0x10 ? 0x08 : 0;
        bytes[47] |= odd & 0x40 ? 1 : 0;
        CHECK_EQ(rocecc_packet_parse(&config, r, &p), ROCECC_OK);
        CHECK_EQ(rocecc_cnp_parse(&p, &h), ROCECC_OK);
        CHECK_EQ(h.odd, odd);
    }
}

/* A packet must begin at most ROCECC_PACKET_START_MAX bytes into its buffer, because
 * offsets have 16 bits. */
TEST(cnp_build_rejects_offsets_beyond_start_max)
{
    static uint8_t bytes[ROCECC_PACKET_START_MAX + 100];
    const rocecc_cnp h = example();
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    (void)rocecc_put(&w, ROCECC_PACKET_START_MAX);
    CHECK_EQ(rocecc_cnp_build(&w, &h), ROCECC_OK);
    CHECK_EQ(w.at, ROCECC_PACKET_START_MAX + 60);
    w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    (void)rocecc_put(&w, ROCECC_PACKET_START_MAX + 1);
    CHECK_EQ(rocecc_cnp_build(&w, &h), ROCECC_ERR_RANGE);
    CHECK_EQ(w.at, ROCECC_PACKET_START_MAX + 1);
}

/* The packet and its ICRC do not depend on their offset in the buffer. */
TEST(cnp_build_does_not_depend_on_the_offset)
{
    static uint8_t bytes[ROCECC_PACKET_START_MAX + 80];
    static const char *const ids[] = {"cx4", "v4-sum", "v6", "v6-sum"};
    static const size_t starts[] = {1, 14, 20, 255, 256, 257, ROCECC_PACKET_START_MAX};
    size_t i, k;
    for (i = 0; i < NOUN_COUNT(ids); i++)
        for (k = 0; k < NOUN_COUNT(starts); k++) {
            const vec_packet p = vec_find("vectors/cnp.vec", ids[i]);
            rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
            rocecc_reader r = rocecc_reader_of(p.bytes, p.bytes + p.n);
            rocecc_cnp h;
            test_context("%s from %zu on", ids[i], starts[k]);
            CHECK_EQ(cnp_parse(&r, &h), ROCECC_OK);
            memset(bytes, 0xa5, sizeof bytes);
            (void)rocecc_put(&w, starts[k]);
            CHECK_EQ(rocecc_cnp_build(&w, &h), ROCECC_OK);
            CHECK_EQ(w.at, starts[k] + p.n);
            CHECK(memcmp(bytes + starts[k], p.bytes, p.n) == 0);
            CHECK_EQ(bytes[starts[k] - 1], 0xa5);
        }
}

/* IPv4 has no Flow Label, so its value is ignored. In IPv6 it has 20 bits. */
TEST(cnp_build_ignores_the_flow_label_in_ipv4)
{
    static uint8_t bytes[2][80];
    int v6;
    for (v6 = 0; v6 < 2; v6++) {
        rocecc_cnp h = example();
        rocecc_writer w = rocecc_writer_of(bytes[0], bytes[0] + 80);
        test_context("%d", v6);
        if (v6 != 0) h.src.b[0] = h.dst.b[0] = 0x20;
        h.flow_label = 0xfffff;
        CHECK_EQ(rocecc_cnp_build(&w, &h), ROCECC_OK);
        w = rocecc_writer_of(bytes[1], bytes[1] + 80);
        h.flow_label = 0x100000;
        CHECK_EQ(rocecc_cnp_build(&w, &h), v6 != 0 ? ROCECC_ERR_RANGE : ROCECC_OK);
        CHECK_EQ(w.at, v6 != 0 ? 0 : 60);
        if (v6 == 0) CHECK(memcmp(bytes[0], bytes[1], 60) == 0);
    }
}

/* Each member of the datagram has the CNP's value. */
TEST(cnp_datagram_has_the_values_of_the_cnp)
{
    rocecc_cnp h = example();
    rocecc_datagram d;
    h.dscp = 1;
    h.ecn = 2;
    h.hop_limit = 3;
    h.flow_label = 4;
    h.identification = 5;
    h.src_port = 6;
    h.pkey = 7;
    d = rocecc_cnp_make_datagram_(&h);
    CHECK(memcmp(&d.src, &h.src, 16) == 0 && memcmp(&d.dst, &h.dst, 16) == 0);
    CHECK(d.dscp == 1 && d.ecn == 2 && d.hop_limit == 3 && d.flow_label == 4);
    CHECK(d.identification == 5 && d.src_port == 6 && d.dst_port == 4791);
}

/* store_() writes UDP through the 16 bytes after the BTH, but no byte of the ICRC. */
TEST(cnp_store_ends_before_the_icrc)
{
    static const uint8_t zero[16] = {0};
    const rocecc_cnp h = example();
    uint8_t b[40];
    memset(b, 0x5a, sizeof b);
    rocecc_cnp_store_(b, &h);
    CHECK(b[8] == 0x81 && memcmp(b + 20, zero, 16) == 0);
    CHECK(b[36] == 0x5a && b[37] == 0x5a && b[38] == 0x5a && b[39] == 0x5a);
}

/* put_tail_() sets the same headers in its packet as a walk finds. */
TEST(cnp_tail_sets_the_headers_of_a_walk)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_cnp h = example();
    uint8_t bytes[60], again[60];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_packet p, walked;
    CHECK_EQ(rocecc_cnp_build(&w, &h), ROCECC_OK);
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_written(&w), &walked), ROCECC_OK);
    memset(again, 0, sizeof again);
    memcpy(again, bytes, 20);
    w = rocecc_writer_of(again, again + sizeof again);
    (void)rocecc_put(&w, 20);
    rocecc_headers_clear(&p.headers);
    p.headers.ip.version = 4;
    p.domain = &d;
    CHECK_EQ(rocecc_cnp_put_tail_(&w, ROCECC_ICRC_STANDARD, &h, 0, &p), ROCECC_OK);
    CHECK(w.at == 60 && memcmp(bytes, again, 60) == 0);
    CHECK_EQ(p.headers.ip.proto, 17);
    CHECK_EQ(p.headers.ip.proto, walked.headers.ip.proto);
    CHECK_EQ(p.headers.ip.upper, walked.headers.ip.upper);
    CHECK_EQ(p.headers.ip.end, walked.headers.ip.end);
    CHECK_EQ(p.headers.udp, walked.headers.udp);
    CHECK_EQ(p.headers.bth, walked.headers.bth);
    CHECK_EQ(p.headers.kind, walked.headers.kind);
    CHECK_EQ(p.headers.next, walked.headers.next);
    CHECK_EQ(p.headers.end, walked.headers.end);
}

static const rocecc_domain ether = {.link = ROCECC_LINK_ETHER};
static const rocecc_domain ip = {.link = ROCECC_LINK_IP};

/* If the capture ends inside the BTH, the packet is not recognised as a CNP, even if
 * the destination's MAC address begins with 0x81. */
TEST(cnp_cut_in_its_bth_does_not_match)
{
    uint8_t b[14 + 60] = {0x81, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x08, 0x00};
    size_t n;
    frame_roce(b + 14, 60, ROCECC_OPCODE_CNP);
    for (n = 14; n <= sizeof b; n++) {
        rocecc_cnp h;
        rocecc_packet p;
        test_context("%zu bytes", n);
        (void)rocecc_packet_parse(&ether, rocecc_reader_of(b, b + n), &p);
        CHECK_EQ(rocecc_cnp_match(&p), n >= 14 + 40);
        CHECK_EQ(rocecc_cnp_parse(&p, &h), n < 14 + 40    ? ROCECC_NO_MATCH
                                           : n < sizeof b ? ROCECC_ERR_SHORT
                                                          : ROCECC_OK);
    }
}

/* Only a UDP checksum of 0 means none. Any single bit makes it a checksum. */
TEST(cnp_reports_a_udp_checksum_with_any_bit)
{
    uint8_t b[60];
    unsigned bit;
    frame_roce(b, sizeof b, ROCECC_OPCODE_CNP);
    for (bit = 0; bit <= 16; bit++) {
        rocecc_cnp h;
        rocecc_packet p;
        test_context("bit %u", bit);
        rocecc_store16(b + 26, (uint16_t)(1u << bit)); /* the last is 0 */
        (void)rocecc_packet_parse(&ip, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(rocecc_cnp_parse(&p, &h), ROCECC_OK);
        CHECK_EQ(h.udp_checksum, bit < 16);
    }
}

/* SHORT is reported unless all 16 reserved bytes are present, even for 15 of them. */
TEST(cnp_odd_of_15_reserved_bytes_is_short)
{
    static const uint8_t bytes[16] = {0};
    rocecc_bth bth;
    memset(&bth, 0, sizeof bth);
    CHECK_EQ(rocecc_cnp_odd(&bth, rocecc_reader_of(bytes, bytes + 16)), 0);
    CHECK_EQ(rocecc_cnp_odd(&bth, rocecc_reader_of(bytes, bytes + 15)),
             ROCECC_CNP_ODD_SHORT);
    CHECK_EQ(rocecc_cnp_odd(&bth, rocecc_reader_of(NULL, NULL)), ROCECC_CNP_ODD_SHORT);
}

/* An odd value in the BTH of any packet is also odd in a CNP, with the same bit. */
TEST(cnp_odd_has_the_bits_of_an_odd_bth)
{
    static const uint8_t bytes[16] = {0};
    const rocecc_reader reserved = rocecc_reader_of(bytes, bytes + 16);
    rocecc_bth bth;
    memset(&bth, 0, sizeof bth);
    bth.opcode = ROCECC_OPCODE_CNP;
    bth.solicited = true;
    CHECK_EQ(rocecc_bth_odd(&bth), ROCECC_CNP_ODD_SOLICITED);
    CHECK_EQ(rocecc_cnp_odd(&bth, reserved), ROCECC_CNP_ODD_SOLICITED);
    bth.ack_req = true;
    bth.solicited = false;
    CHECK_EQ(rocecc_bth_odd(&bth), ROCECC_CNP_ODD_ACK_REQ);
    CHECK_EQ(rocecc_cnp_odd(&bth, reserved), ROCECC_CNP_ODD_ACK_REQ);
}

/* A CNP is cut in its reserved bytes and has three errors. TVer is checked first, then
 * the length that UDP declares, and then the capture. */
TEST(cnp_parse_checks_tver_then_length_then_capture)
{
    uint8_t b[64];
    int fixed;
    for (fixed = 0; fixed < 3; fixed++) {
        rocecc_cnp h;
        rocecc_packet p;
        test_context("%d errors corrected", fixed);
        frame_roce(b, fixed < 2 ? 64 : 60, ROCECC_OPCODE_CNP);
        if (fixed < 1) b[29] |= 1; /* TVer */
        (void)rocecc_packet_parse(&ip, rocecc_reader_of(b, b + 48), &p);
        CHECK_EQ(rocecc_cnp_parse(&p, &h), fixed == 0   ? ROCECC_ERR_UNSUPPORTED
                                           : fixed == 1 ? ROCECC_ERR_FORMAT
                                                        : ROCECC_ERR_SHORT);
    }
}
