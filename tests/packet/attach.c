/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * attach.c - tests packets from rocecc_packet_attach(). Bytes are missing since the
 * walk, or an offset has a value that no walk gives. No function returns OK for bytes
 * that it has not seen, reads past the end, or writes its output on failure.
 */
#include "lib/frame.h"
#include "lib/guard.h"
#include "rocecc/packet/arn.h"
#include "rocecc/packet/build.h"
#include "rocecc/packet/cm.h"
#include "rocecc/packet/cnp.h"
#include "rocecc/packet/echo.h"
#include "rocecc/packet/fastcnp.h"
#include "rocecc/packet/icrc.h"
#include "rocecc/packet/l3qcn.h"
#include "rocecc/packet/srv6.h"
#include "rocecc/packet/udp.h"

#include <string.h>

#define SRC "20010db8 00000000 00000000 00000001"
#define DST "20010db8 00000000 00000000 00000002"
#define IPV6(length_next) "60000000" length_next "40" SRC DST
#define IPV4(length, protocol)                                                         \
    "4500" length "0000 4000 40" protocol "0000 c0000201 c0000202"
#define PAD8(next) next "00 0104 00000000" /* only padding */
#define UDP(length) "c000 12b7" length "0000"
#define BTH(opcode) opcode "00ffff 00000012 00000000"
#define WORDS4 "00000000 00000000 00000000 00000000"

/* Returns the packet with only the first n bytes, before a guard page. */
static rocecc_packet first_bytes(const rocecc_packet *p, size_t n)
{
    const uint8_t *at = guard_end(p->bytes.base, n);
    return rocecc_packet_attach(p->domain, rocecc_reader_of(at, at + n), &p->headers);
}

static const rocecc_domain ip = {.link = ROCECC_LINK_IP};

static void no_cnp(const rocecc_packet *p, rocecc_status status)
{
    rocecc_cnp h, before;
    memset(&h, 0xa5, sizeof h);
    before = h;
    CHECK_EQ(rocecc_cnp_parse(p, &h), status);
    CHECK(memcmp(&h, &before, sizeof h) == 0);
}

TEST(attach_cnp_needs_every_byte_it_reads)
{
    const test_frame x =
        frame_of(IPV4("003c", "11") UDP("0028") BTH("81") WORDS4 "00000000");
    const rocecc_packet whole = frame_walked(&ip, &x);
    rocecc_packet p = first_bytes(&whole, 60);
    rocecc_cnp h;
    CHECK(rocecc_cnp_match(&p));
    CHECK_EQ(rocecc_cnp_parse(&p, &h), ROCECC_OK);
    CHECK_EQ(h.dest_qp, 0x12);
    p = first_bytes(&whole, 59);
    CHECK(rocecc_cnp_match(&p));
    no_cnp(&p, ROCECC_ERR_SHORT);
    p = first_bytes(&whole, 28 + 11);
    CHECK(!rocecc_cnp_match(&p));
    no_cnp(&p, ROCECC_NO_MATCH);
    p = whole;
    p.headers.ip.upper = 5; /* inside Identification */
    no_cnp(&p, ROCECC_ERR_SHORT);
    p.headers.ip.upper = 19; /* inside the addresses */
    no_cnp(&p, ROCECC_ERR_SHORT);
    p = whole;
    p.headers.udp = 21;
    no_cnp(&p, ROCECC_ERR_SHORT);
    p = whole;
    p.headers.end = 28 + 11; /* inside the BTH */
    no_cnp(&p, ROCECC_ERR_SHORT);
}

/* A datagram for QP 1 matches over RoCEv2, but not over a GRH or with a cut BTH. */
TEST(attach_cm_match_needs_a_bth_over_rocev2)
{
    const rocecc_domain ether = {.link = ROCECC_LINK_ETHER};
    const test_frame v2 =
        frame_of(IPV4("0034", "11") UDP("0020") "64 00ffff 00000001 00000000"
                                                "80010000 00000001 00000000");
    const test_frame v1 = frame_of("020000000001 020000000002 8915" IPV6(
        "0018 1b") "64 00ffff 00000001 00000000 80010000 00000001 00000000");
    const rocecc_packet whole = frame_walked(&ip, &v2);
    rocecc_packet p = first_bytes(&whole, v2.n);
    rocecc_cm h, before;
    CHECK(rocecc_cm_match(&p));
    p = first_bytes(&whole, 28 + 12);
    CHECK(rocecc_cm_match(&p));
    p = first_bytes(&whole, 28 + 11);
    CHECK(!rocecc_cm_match(&p));
    p = frame_walked(&ether, &v1);
    CHECK(p.headers.kind == ROCECC_PACKET_KIND_ROCEV1 && p.headers.bth == 54);
    CHECK(!rocecc_cm_match(&p));
    memset(&h, 0xa5, sizeof h);
    before = h;
    CHECK_EQ(rocecc_cm_find(&p, &h), ROCECC_NO_MATCH);
    CHECK(memcmp(&h, &before, sizeof h) == 0);
}

TEST(attach_arn_and_l3qcn_need_their_udp_header)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP,
                             .arn = {.port = 0x12b8},
                             .l3qcn = {.port = 0x12b8, .reserved_bit = true}};
    test_frame x = frame_of(IPV4("0024", "11") "c000 12b8 0010 0000 0102030405060708");
    const rocecc_packet whole = frame_walked(&d, &x);
    rocecc_packet p = first_bytes(&whole, 28);
    CHECK(rocecc_arn_match(&p));
    CHECK(rocecc_l3qcn_match(&p));
    CHECK(!rocecc_l3qcn_has_reserved_bit(&p));
    p = first_bytes(&whole, 27);
    CHECK(!rocecc_arn_match(&p));
    CHECK(!rocecc_l3qcn_match(&p));
    x.b[6] |= 0x80; /* the reserved bit */
    p = first_bytes(&whole, 20);
    CHECK(rocecc_l3qcn_has_reserved_bit(&p));
    p = first_bytes(&whole, 19);
    CHECK(!rocecc_l3qcn_has_reserved_bit(&p));
}

/* The addresses of a cut IP header are not compared. */
TEST(attach_l3qcn_does_not_compare_cut_addresses)
{
    const test_frame x =
        frame_of(IPV4("0024", "11") "c000 12b8 0010 0000 0102030405060708");
    rocecc_packet p = frame_walked(&ip, &x);
    rocecc_l3qcn_parts parts;
    memset(&parts, 0, sizeof parts);
    CHECK_EQ(rocecc_l3qcn_check_outer_(&p, &parts), ROCECC_L3QCN_SPOOFED);
    p.headers.ip.upper = 19;
    CHECK_EQ(rocecc_l3qcn_check_outer_(&p, &parts), ROCECC_L3QCN_CUT);
}

/* A datagram is verified only with all bytes, its IP header and the walked length. */
TEST(attach_udp_verify_needs_all_bytes_and_the_walked_length)
{
    test_frame x =
        frame_of("45000028 00014000 4011b6c0 c0000201 c0000202 c00112b8 001484de"
                 "0102030405060708090a0b0c");
    const rocecc_packet whole = frame_walked(&ip, &x);
    rocecc_packet p = first_bytes(&whole, 40);
    CHECK(rocecc_udp_verify(&p));
    p = first_bytes(&whole, 39);
    CHECK(!rocecc_udp_verify(&p));
    p = whole;
    p.headers.ip.upper = 19;
    CHECK(!rocecc_udp_verify(&p));
    x.b[25] = 7; /* shorter than a UDP header */
    CHECK(!rocecc_udp_verify(&whole));
    x.b[25] = 0x13;
    CHECK(!rocecc_udp_verify(&whole));
}

#define SRH(next) next "04 04 01 01 00 0000" SRC DST /* 2 segments, 1 left */

static bool same_bytes(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n) == 0;
}

/* If the SRH is cut off, no segment is found and nothing is decapsulated. */
TEST(attach_srv6_needs_its_srh)
{
    const test_frame x = frame_of(IPV6("0050 2b") SRH("29") IPV6("0000 3b"));
    const rocecc_packet whole = frame_walked(&ip, &x);
    const rocecc_ip6 sid = rocecc_ip6_load(x.b + 24), last = rocecc_ip6_load(x.b + 8);
    size_t n;
    for (n = 0; n <= x.n; n++) {
        const rocecc_packet p = first_bytes(&whole, n);
        const rocecc_headers_ip *outer = &p.headers.outer;
        const bool srh = n >= 80;
        rocecc_srh h, h0;
        rocecc_srv6 t, t0;
        rocecc_ip6 dst = sid;
        test_context("%zu bytes", n);
        memset(&h, 0xa5, sizeof h);
        memset(&t, 0xa5, sizeof t);
        h0 = h;
        t0 = t;
        CHECK_EQ(rocecc_srh_find(&p, outer, &h), srh ? ROCECC_OK : ROCECC_NO_MATCH);
        if (!srh) CHECK(same_bytes(&h, &h0, sizeof h));
        CHECK_EQ(rocecc_srv6_segments_left(&p, outer), srh ? 43 : 0);
        rocecc_packet_final_dst(&p, outer, &dst);
        CHECK(rocecc_ip6_match(&dst, srh ? &last : &sid));
        CHECK_EQ(rocecc_srv6_parse(&p, &t), n == x.n ? ROCECC_OK : ROCECC_ERR_SHORT);
        if (n != x.n) CHECK(same_bytes(&t, &t0, sizeof t));
        CHECK_EQ(rocecc_srv6_decapsulate(&p, &sid, &t), n < 40 ? ROCECC_SRV6_OTHER
                                                        : srh
                                                            ? ROCECC_SRV6_SEGMENTS_LEFT
                                                            : ROCECC_SRV6_BROKEN);
    }
}

/* The walk's capture ended in the inner header. With all bytes, the tunnel is read. */
TEST(attach_srv6_reads_bytes_beyond_the_walk)
{
    const test_frame x = frame_of(IPV6("0050 2b") SRH("29") IPV6("0000 3b"));
    test_frame cut = x;
    rocecc_packet p;
    rocecc_srv6 t;
    cut.n = 100;
    p = frame_walked(&ip, &cut);
    CHECK(p.headers.status == ROCECC_ERR_SHORT && p.headers.ip.version == 0);
    p = rocecc_packet_attach(&ip, rocecc_reader_of(x.b, x.b + x.n), &p.headers);
    CHECK_EQ(rocecc_srv6_parse(&p, &t), ROCECC_OK);
    CHECK(t.inner.at == 80 && t.inner.end == 120);
    p.headers.outer.proto = 17;
    CHECK_EQ(rocecc_srv6_parse(&p, &t), ROCECC_NO_MATCH);
}

#define SIX PAD8("3c") PAD8("3c") PAD8("3c") PAD8("3c") PAD8("3c") PAD8("3c")

/* Only eight extension headers are read, even if n_ext is 9. */
TEST(attach_reads_eight_headers_of_nine)
{
    const test_frame x = frame_of(IPV6("0068 3c") SIX PAD8("3c") PAD8("2b") SRH("3b"));
    rocecc_packet p = frame_walked(&ip, &x);
    rocecc_ip6 dst = rocecc_ip6_load(x.b + 24);
    const rocecc_ip6 was = dst;
    rocecc_fastcnp fast;
    rocecc_srh h;
    CHECK(p.headers.status == ROCECC_ERR_UNSUPPORTED && p.headers.ip.n_ext == 8);
    p.headers.ip.n_ext = 9;
    p.headers.ip.routing = 104;
    p.headers.ip.upper = 144;
    CHECK_EQ(rocecc_srh_find(&p, &p.headers.ip, &h), ROCECC_NO_MATCH);
    CHECK_EQ(rocecc_srv6_segments_left(&p, &p.headers.ip), 0);
    rocecc_packet_final_dst(&p, &p.headers.ip, &dst);
    CHECK(rocecc_ip6_match(&dst, &was));
    CHECK_EQ(rocecc_fastcnp_find(&p, &fast), ROCECC_ERR_UNSUPPORTED);
}

/* The ICRC covers eight headers. The eighth declares UDP, so no ninth is read. */
TEST(attach_icrc_covers_eight_headers_of_nine)
{
    const test_frame x = frame_of(IPV6("0060 3c") SIX PAD8("3c") PAD8("11") UDP("0020")
                                      BTH("04") "0a0b0c0d 00000000 00000000");
    rocecc_packet p = frame_walked(&ip, &x);
    uint32_t eight = 1, nine = 2;
    CHECK(p.headers.status == ROCECC_OK && p.headers.ip.n_ext == 8);
    CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_LITERAL, &p, &eight), ROCECC_OK);
    p.headers.ip.n_ext = 9;
    CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_LITERAL, &p, &nine), ROCECC_OK);
    CHECK_EQ(eight, nine);
}

/* Three Destination Options headers give UNSUPPORTED, and SHORT if one of the first two
 * is cut off. */
TEST(attach_fastcnp_rejects_a_third_options_header)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = {.type_plain = 0x9e}};
    const test_frame x = frame_of(IPV6("0040 3c") PAD8("3c") PAD8("3c") PAD8("11")
                                      UDP("0028") BTH("81") WORDS4 "00000000");
    const rocecc_packet whole = frame_walked(&d, &x);
    rocecc_fastcnp h, before;
    size_t n;
    memset(&h, 0xa5, sizeof h);
    before = h;
    for (n = 40; n <= x.n; n++) {
        const rocecc_packet p = first_bytes(&whole, n);
        const rocecc_status status = rocecc_fastcnp_find(&p, &h);
        if (n < 56) CHECK_EQ(status, ROCECC_ERR_SHORT);
        if (n >= 64) CHECK_EQ(status, ROCECC_ERR_UNSUPPORTED);
        CHECK(status != ROCECC_OK && same_bytes(&h, &before, sizeof h));
    }
}

TEST(attach_icrc_needs_a_whole_ip_header)
{
    const test_frame x =
        frame_of(IPV4("003c", "11") UDP("0028") BTH("81") WORDS4 "00000000");
    const test_frame options =
        frame_of("4600 0040 0000 4000 40 11 0000 c0000201 c0000202 00000000" UDP("0028")
                     BTH("81") WORDS4 "00000000");
    rocecc_packet p = frame_walked(&ip, &x);
    uint32_t state = 0xa5a5a5a5;
    CHECK_EQ(rocecc_icrc_init(ROCECC_ICRC_AUTO, &p, &state), ROCECC_OK);
    state = 0xa5a5a5a5;
    p.headers.partial = ROCECC_PARTIAL_TRIMMED;
    CHECK_EQ(rocecc_icrc_init(ROCECC_ICRC_AUTO, &p, &state), ROCECC_NO_MATCH);
    p = frame_walked(&ip, &options);
    p.headers.ip.upper = 19;
    CHECK_EQ(rocecc_icrc_init(ROCECC_ICRC_AUTO, &p, &state), ROCECC_ERR_SHORT);
    CHECK_EQ(state, 0xa5a5a5a5);
}

/* If an SRH's list exceeds the SRH, MASKED returns FORMAT, because the covered bytes
 * are unknown. */
TEST(attach_icrc_masked_rejects_a_malformed_srh)
{
    test_frame x = frame_of(IPV6("0048 2b") SRH("11") UDP("0020")
                                BTH("04") "0a0b0c0d 00000000 00000000");
    const rocecc_packet p = frame_walked(&ip, &x);
    uint32_t icrc = 0xa5a5a5a5;
    CHECK_EQ(p.headers.status, ROCECC_OK);
    CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_MASKED, &p, &icrc), ROCECC_OK);
    icrc = 0xa5a5a5a5;
    x.b[44] = 2; /* Last Entry, of two */
    CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_MASKED, &p, &icrc), ROCECC_ERR_FORMAT);
    CHECK_EQ(icrc, 0xa5a5a5a5);
    CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_LITERAL, &p, &icrc), ROCECC_OK);
}

static void no_echo(const rocecc_packet *p, bool of_data, rocecc_status status)
{
    rocecc_echo h, before;
    memset(&h, 0xa5, sizeof h);
    before = h;
    CHECK_EQ(of_data ? rocecc_echo_extract(p, &h) : rocecc_echo_find(p, &h), status);
    CHECK(same_bytes(&h, &before, sizeof h));
}

/* extract() needs the whole CSIG tag and BTH, and find() the whole BTH of an ACK. */
TEST(attach_echo_needs_its_tag_and_its_bth)
{
    const rocecc_domain d = {.roce = {.echo_bytes = 64},
                             .csig = {.compact_tpid = 0x9900}};
    const test_frame data = frame_of("020000000001 020000000002 9900 2b85 0800" IPV4(
        "0030", "11") UDP("001c") BTH("04") "0a0b0c0d 00000000");
    const test_frame ack = frame_of("020000000001 020000000002 0800" IPV4(
        "0038", "11") UDP("0024") BTH("11") "00000000 10030001 2b850000 00000000");
    const rocecc_packet whole = frame_walked(&d, &data),
                        answer = frame_walked(&d, &ack);
    rocecc_packet p = first_bytes(&whole, 46 + 12);
    rocecc_echo h;
    CHECK_EQ(rocecc_echo_extract(&p, &h), ROCECC_OK);
    CHECK(h.format == ROCECC_ECHO_CSIG && h.length == 1 && h.record.at == 12);
    p = first_bytes(&whole, 46 + 11);
    no_echo(&p, true, ROCECC_ERR_SHORT);
    p = first_bytes(&whole, 15);
    no_echo(&p, true, ROCECC_ERR_SHORT);
    p = first_bytes(&answer, ack.n);
    CHECK_EQ(rocecc_echo_find(&p, &h), ROCECC_OK);
    p = first_bytes(&answer, 42 + 11);
    no_echo(&p, false, ROCECC_NO_MATCH);
    p = first_bytes(&answer, 42 + 12);
    no_echo(&p, false, ROCECC_ERR_SHORT);
}

/* An INT shim without words gives FORMAT, because it has nothing to echo. */
TEST(attach_echo_of_an_empty_shim_is_malformed)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP,
                             .roce = {.echo_bytes = 64},
                             .intmd = {.udp_port = 5000}};
    const test_frame x = frame_of(IPV4(
        "0034", "11") "c000 1388 0020 0000 1400 12b7" BTH("04") "0a0b0c0d 00000000");
    const rocecc_packet p = frame_walked(&d, &x);
    CHECK(p.headers.status == ROCECC_OK && p.headers.intmd == 28);
    no_echo(&p, true, ROCECC_ERR_FORMAT);
}
