/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fastcnp.c - tests packet/fastcnp.h. Fast CNPs are found after extension headers and
 * in bytes that have changed since the walk, and are stopped at the border of a domain.
 */
#include "../../examples/lib/vec.h"
#include "law/fastcnp.h"
#include "lib/frame.h"
#include "lib/test.h"
#include "rocecc/packet/fastcnp.h"

#include <string.h>

/* Writes IPv6, n extension headers of 8 bytes, UDP to RoCEv2, and 16 bytes of a CNP
 * without its reserved bytes. */
static size_t packet(uint8_t *b, const uint8_t *exts, size_t n)
{
    const size_t udp = 40 + 8 * n;
    size_t i;
    memset(b, 0, udp + 24);
    b[0] = 0x60;
    b[5] = (uint8_t)(8 * n + 24);
    b[6] = n != 0 ? exts[0] : ROCECC_PROTO_UDP;
    b[7] = 64;
    b[24] = 0xfd;
    for (i = 0; i < n; i++) {
        uint8_t *ext = b + 40 + 8 * i;
        ext[0] = i + 1 < n ? exts[i + 1] : ROCECC_PROTO_UDP;
        if (exts[i] == ROCECC_PROTO_DSTOPTS) {
            ext[2] = 1; /* PadN */
            ext[3] = 4;
        }
    }
    rocecc_store16(b + udp + 2, 4791);
    b[udp + 5] = 24;
    b[udp + 8] = 0x81;
    return udp + 24;
}

/*
 * RFC 8200, 4.1, allows at most two Destination Options headers. A third gives
 * UNSUPPORTED even as the eighth extension header. The others are Fragment headers of a
 * whole packet.
 */
TEST(fastcnp_a_third_options_header_is_unsupported)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = law_fastcnp_config(0)};
    uint8_t exts[8] = {60, 60, 44, 44, 44, 44, 44, 44}, b[40 + 64 + 24];
    int third;
    for (third = 0; third < 2; third++) {
        rocecc_fastcnp h;
        rocecc_packet p;
        size_t n;
        exts[7] = third ? 60 : 44;
        n = packet(b, exts, sizeof exts);
        CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p), ROCECC_OK);
        CHECK_EQ(p.headers.ip.n_ext, 8);
        CHECK_EQ(p.headers.ip.dst_opts[1], 48);
        CHECK_EQ(rocecc_fastcnp_find(&p, &h),
                 third ? ROCECC_ERR_UNSUPPORTED : ROCECC_NO_MATCH);
        CHECK_EQ(rocecc_fastcnp_match(&p), third);
    }
}

/* Without a trace, derive() sets only the packet's destination. */
TEST(fastcnp_derive_without_a_trace_sets_the_destination)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = law_fastcnp_config(0)};
    uint8_t b[64];
    const size_t n = packet(b, NULL, 0);
    rocecc_fastcnp h;
    rocecc_packet p;
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p), ROCECC_OK);
    memset(&h, 0xa5, sizeof h);
    CHECK_EQ(rocecc_fastcnp_derive(&p, &h), ROCECC_OK);
    CHECK_EQ(h.kind, ROCECC_FASTCNP_PLAIN);
    CHECK(h.flow_dst.b[0] == 0xfd && h.flow_dst.b[15] == 0);
    CHECK_EQ(h.reserved, 0);
    CHECK_EQ(h.opt_type, 0);
    CHECK_EQ(h.trace_bytes, 0);
    CHECK_EQ(h.trace_at, 0);
    CHECK_EQ(h.at, 0);
}

/* A trimmed packet is not RoCEv2, even with its BTH. derive() returns NO_MATCH, and *h
 * is unchanged. */
TEST(fastcnp_derive_rejects_a_trimmed_packet)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = law_fastcnp_config(0)};
    uint8_t b[64];
    const size_t n = packet(b, NULL, 0);
    rocecc_fastcnp h, was;
    rocecc_packet p;
    rocecc_store16(b + 44, 1064); /* UDP Length before the trim */
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p), ROCECC_OK);
    CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_PARTIAL | ROCECC_PACKET_KIND_ROCEV2);
    CHECK_EQ(p.headers.bth, 48);
    memset(&h, 0xa5, sizeof h);
    was = h;
    CHECK_EQ(rocecc_fastcnp_derive(&p, &h), ROCECC_NO_MATCH);
    CHECK(memcmp(&h, &was, sizeof h) == 0);
}

/* The bytes have become three Destination Options headers since the walk. find() looks
 * at no more headers than were walked. */
TEST(fastcnp_find_reads_only_the_walked_headers)
{
    static const uint8_t three[3] = {60, 60, 60};
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = law_fastcnp_config(0)};
    unsigned had;
    for (had = 1; had <= 3; had++) {
        const uint8_t exts[3] = {60, (uint8_t)(had > 1 ? 60 : 44), 60};
        uint8_t b[40 + 24 + 24];
        rocecc_fastcnp h;
        rocecc_packet p;
        size_t n = packet(b, exts, had);
        const rocecc_reader r = rocecc_reader_of(b, b + 88);
        test_context("%u headers walked", had);
        if (had < 3) { /* the last one has 8 bytes for each missing one */
            n = packet(b, three, 3);
            b[40 + 8 * (had - 1)] = ROCECC_PROTO_UDP;
            b[40 + 8 * (had - 1) + 1] = (uint8_t)(3 - had);
            b[40 + 8 * (had - 1) + 2] = 0x1e; /* an option to skip */
            b[40 + 8 * (had - 1) + 3] = (uint8_t)(4 + 8 * (3 - had));
        }
        CHECK_EQ(rocecc_packet_parse(&d, r, &p), ROCECC_OK);
        CHECK_EQ(p.headers.ip.n_ext, had);
        CHECK_EQ(p.headers.ip.dst_opts[1], had > 1 ? 48 : 0);
        CHECK_EQ(packet(b, three, 3), n);
        CHECK_EQ(rocecc_fastcnp_find(&p, &h),
                 had < 3 ? ROCECC_NO_MATCH : ROCECC_ERR_UNSUPPORTED);
    }
}

/* Version 0 means that the outer header is absent (headers.h). If the walk stops, IPv4
 * passes the border, but in a tunnel it may be anything. */
TEST(FC_20_the_border_passes_malformed_ipv4_outside_tunnels)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = law_fastcnp_config(0)};
    static const uint8_t cut[24] = {0x45, 0, 0, 24, 0, 0, 0, 0, 64, ROCECC_PROTO_UDP};
    rocecc_packet p;
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(cut, cut + sizeof cut), &p),
             ROCECC_ERR_FORMAT);
    p.headers.outer.proto = ROCECC_PROTO_IPV4;
    CHECK_EQ(rocecc_fastcnp_border(&p), ROCECC_FASTCNP_BORDER_PASS);
    p.headers.outer.version = 4;
    CHECK_EQ(rocecc_fastcnp_border(&p), ROCECC_FASTCNP_BORDER_UNSEEN);
}

/* Since the walk, all three headers have become Destination Options. find() still
 * searches only the header that had options. */
TEST(fastcnp_find_searches_the_walked_options_header)
{
    static const uint8_t one[3] = {60, 44, 44}, three[3] = {60, 60, 60};
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = law_fastcnp_config(0)};
    uint8_t b[40 + 24 + 24];
    const size_t n = packet(b, one, 3);
    rocecc_fastcnp h;
    rocecc_packet p;
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p), ROCECC_OK);
    CHECK(p.headers.ip.n_ext == 3 && p.headers.ip.dst_opts[1] == 0);
    CHECK_EQ(packet(b, three, 3), n);
    CHECK_EQ(rocecc_fastcnp_find(&p, &h), ROCECC_NO_MATCH);
}

static rocecc_packet packet_of(const rocecc_domain *d, const char *hex, uint8_t *b)
{
    rocecc_packet p;
    size_t n = 0;
    CHECK(vec_hex(hex, b, &n));
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + n), &p);
    return p;
}

#define SRC "20010db8 00000000 00000000 00000001"
#define DST "20010db8 00000000 00000000 00000002"
#define IPV6(length_next) "60000000" length_next "40" SRC DST

/* An IPv4 fragment is not a Fast CNP (FC-20). In IPv6, a fragment may hide one. */
TEST(FC_20_the_border_passes_an_ipv4_fragment)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = {.type_plain = 0x9e}};
    uint8_t b[256];
    const char *fragment = "45000018 00012000 40110000 c0000201 c0000202 00000000";
    rocecc_packet p = packet_of(&d, fragment, b);
    CHECK_EQ(p.headers.partial, ROCECC_PARTIAL_FRAGMENT);
    CHECK_EQ(rocecc_fastcnp_border(&p), ROCECC_FASTCNP_BORDER_PASS);
    p = packet_of(
        &d, IPV6("0018 04") "45000018 00012000 40110000 c0000201 c0000202 00000000", b);
    CHECK_EQ(p.headers.partial, ROCECC_PARTIAL_FRAGMENT);
    CHECK_EQ(rocecc_fastcnp_border(&p), ROCECC_FASTCNP_BORDER_UNSEEN);
    p = packet_of(
        &d, IPV6("0018 2c") "11000001 00000001 00000000 00000000 00000000 00000000", b);
    CHECK_EQ(p.headers.partial, ROCECC_PARTIAL_FRAGMENT);
    CHECK_EQ(rocecc_fastcnp_border(&p), ROCECC_FASTCNP_BORDER_UNSEEN);
}

/* From the Destination Options through the BTH. */
#define FAST                                                                           \
    "11029e10 20010db8 00000000 00000000 00000003 01020000 c00012b7 00280000"          \
    "8100ffff 40000456 00000000"

/* The border's verdicts on fragments, ESP and a trimmed packet, with the option types
 * on and off. */
TEST(fastcnp_border_returns_unseen_for_ipv6_fragments)
{
    static const rocecc_domain plain = {.link = ROCECC_LINK_IP,
                                        .fastcnp = {.type_plain = 0x9e}};
    static const rocecc_domain ioam = {.link = ROCECC_LINK_IP,
                                       .fastcnp = {.type_ioam = 0x9f}};
    static const rocecc_domain off = {.link = ROCECC_LINK_IP};
    static const struct {
        const char *hex;
        rocecc_fastcnp_border_verdict border;
    } rows[] = {
        /* first fragments of IPv4, with UDP, an IPv4 tunnel and an IPv6 tunnel */
        {"4500001c 00002000 4011 0000 c0000201 c0000202 c00012b7 00080000",
         ROCECC_FASTCNP_BORDER_PASS},
        {"4500001c 00002000 4004 0000 c0000201 c0000202 00000000 00000000",
         ROCECC_FASTCNP_BORDER_UNSEEN},
        {"4500001c 00002000 4029 0000 c0000201 c0000202 00000000 00000000",
         ROCECC_FASTCNP_BORDER_UNSEEN},
        {"4500001c 00000001 4004 0000 c0000201 c0000202 00000000 00000000",
         ROCECC_FASTCNP_BORDER_UNSEEN}, /* a later one */
        /* the first row again, in an IPv6 tunnel */
        {IPV6("001c 04") "4500001c 00002000 4011 0000 c0000201 c0000202 c00012b7 "
                         "00080000",
         ROCECC_FASTCNP_BORDER_UNSEEN},
        {IPV6("0010 2c") "11000001 00000000 c00012b7 00080000",
         ROCECC_FASTCNP_BORDER_UNSEEN},
        {IPV6("0010 32") "00000001 00000000 00000000 00000000",
         ROCECC_FASTCNP_BORDER_PASS}, /* ESP */
        /* a Fast CNP through its BTH, as a first fragment and trimmed */
        {IPV6("0034 2c") "3c000001 00000001" FAST, ROCECC_FASTCNP_BORDER_UNSEEN},
        {IPV6("002c 3c") FAST, ROCECC_FASTCNP_BORDER_UNSEEN},
    };
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const test_frame x = frame_of(rows[i].hex);
        rocecc_packet p = frame_walked(&plain, &x);
        test_context("%s", rows[i].hex);
        CHECK_EQ(p.headers.partial, i == 6   ? ROCECC_PARTIAL_NONE
                                    : i == 8 ? ROCECC_PARTIAL_TRIMMED
                                             : ROCECC_PARTIAL_FRAGMENT);
        CHECK_EQ(p.headers.status == ROCECC_OK, i > 6);
        CHECK_EQ(rocecc_fastcnp_border(&p), rows[i].border);
        p = frame_walked(&ioam, &x);
        CHECK_EQ(rocecc_fastcnp_border(&p), rows[i].border);
        p = frame_walked(&off, &x);
        CHECK_EQ(rocecc_fastcnp_border(&p), ROCECC_FASTCNP_BORDER_PASS);
    }
}

/* derive() finds a trace even if the domain has no type for it. This kind cannot be
 * written, but the caller may set the plain kind. */
TEST(fastcnp_derive_ignores_the_option_types)
{
    static const rocecc_domain plain = {.link = ROCECC_LINK_IP,
                                        .fastcnp = {.type_plain = 0x9e}};
    const test_frame x =
        frame_of(IPV6("0028 00") "11010100 310a0000 007b0800 80000000"
                                 "c00012b7 00180000"
                                 "0400ffff 00000456 00000000 00000000");
    const rocecc_packet p = frame_walked(&plain, &x);
    uint8_t out[264];
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    rocecc_fastcnp h;
    CHECK_EQ(p.headers.status, ROCECC_OK);
    CHECK_EQ(rocecc_fastcnp_derive(&p, &h), ROCECC_OK);
    CHECK_EQ(h.kind, ROCECC_FASTCNP_IOAM);
    CHECK_EQ(h.trace_bytes, 8);
    CHECK_EQ(rocecc_fastcnp_emit(&w, &plain.fastcnp, &h, p.bytes), ROCECC_ERR_RANGE);
    h.kind = ROCECC_FASTCNP_PLAIN;
    CHECK_EQ(rocecc_fastcnp_emit(&w, &plain.fastcnp, &h, p.bytes), ROCECC_OK);
    CHECK_EQ(w.at, 24);
}

/* The border drops a CNP with a malformed Fast CNP option, or with an unknown option
 * that requires a discard. Other packets with these options pass. */
TEST(FC_20_the_border_drops_a_cnp_with_rejected_options)
{
    static const uint8_t options = 60;
    static const uint8_t types[] = {0x5e, 0x9e};
    size_t i;
    for (i = 0; i < 4; i++) {
        const rocecc_domain d = {.link = ROCECC_LINK_IP,
                                 .fastcnp = {.type_plain = types[i % 2]}};
        uint8_t b[40 + 8 + 24];
        const size_t n = packet(b, &options, 1);
        const bool is_cnp = i < 2;
        rocecc_fastcnp h;
        rocecc_packet p;
        b[42] = 0x9e; /* 4 bytes of data, instead of an address */
        if (!is_cnp) b[56] = 0x04;
        CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p), ROCECC_OK);
        CHECK_EQ(rocecc_fastcnp_find(&p, &h),
                 i % 2 != 0 ? ROCECC_ERR_FORMAT : ROCECC_ERR_UNSUPPORTED);
        CHECK_EQ(rocecc_fastcnp_match(&p), is_cnp);
        CHECK_EQ(rocecc_fastcnp_border(&p),
                 is_cnp ? ROCECC_FASTCNP_BORDER_DROP : ROCECC_FASTCNP_BORDER_PASS);
    }
}
