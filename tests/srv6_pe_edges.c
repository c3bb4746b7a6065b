/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * srv6_pe_edges.c - a provider edge at the edge of what it looks at: a packet that only
 * looks like one for its SID, writers that end in the middle, a reader that is longer
 * than any packet. Expected values are by hand.
 */
#include "lib/test.h"
#include "rocecc/role/srv6_pe.h"

#include <string.h>

/* 2001:db8::c, the SID of every test here. */
static const rocecc_ip6 sid = {
    {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0c}};
static const rocecc_domain domain = {.link = ROCECC_LINK_IP};

/* An IPv6 header from 2001:db8::a with 64 hops, of `bytes` bytes after it. */
static void head6(uint8_t *b, uint16_t bytes, uint8_t next, const rocecc_ip6 *dst)
{
    memset(b, 0, ROCECC_IPV6_BYTES);
    b[0] = 0x60;
    rocecc_store16(b + 4, bytes);
    b[6] = next;
    b[7] = 64;
    memcpy(b + 8, sid.b, 16);
    b[8 + 15] = 0x0a;
    memcpy(b + 24, dst->b, 16);
}

static rocecc_packet packet_of(const uint8_t *b, size_t n)
{
    rocecc_packet p;
    (void)rocecc_packet_parse(&domain, rocecc_reader_of(b, b + n), &p);
    return p;
}

/* A packet of IPv4 whose payload stands where IPv6 has its destination, and is the SID:
 * 40 bytes, of a protocol for experiments. */
static void fake4(uint8_t *b)
{
    memset(b, 0, 40);
    b[0] = 0x45;
    b[3] = 40;
    b[8] = 64;
    b[9] = 253;
    b[12] = b[16] = 10;
    b[15] = 1;
    b[19] = 2;
    memcpy(b + 24, sid.b, 16);
}

/* By its outermost header a packet of IPv4 is for no SID, whatever it carries. */
TEST(srv6_pe_edges_ip4_is_for_no_sid)
{
    uint8_t b[40];
    rocecc_srv6_pe_result out;
    rocecc_packet p;
    fake4(b);
    p = packet_of(b, sizeof b);
    CHECK_EQ(p.headers.ip.version, 4);
    rocecc_srv6_pe_accept(&sid, &p, &out);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_OTHER);
    rocecc_srv6_pe_egress(&sid, &p, rocecc_writer_of(b, b + sizeof b), &out);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_OTHER);
    rocecc_srv6_pe_end(&sid, &p, rocecc_writer_of(b, b + sizeof b), &out);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_OTHER);
}

/* A step that gets another verdict than FORWARD returns at once, whatever the packet
 * is: here one that no step would let through. */
TEST(srv6_pe_edges_another_verdict_stays)
{
    const rocecc_acl nobody = {NULL, 0, 0};
    rocecc_srv6_pe_config c = ROCECC_ZERO;
    uint8_t b[40], was[40];
    rocecc_packet p;
    unsigned verdict, why;
    c.end_con = sid;
    fake4(b);
    memcpy(was, b, sizeof b);
    p = packet_of(b, sizeof b);
    for (verdict = 0; verdict < ROCECC_SRV6_PE_VERDICTS; verdict++)
        for (why = 0; why <= ROCECC_SRV6_NESTED; why++) {
            const rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
            rocecc_srv6_pe_result out;
            if (verdict == ROCECC_SRV6_PE_FORWARD) continue;
            test_context("verdict %u, why %u", verdict, why);
            memset(&out, 0, sizeof out);
            out.tunnel = rocecc_srv6_none(p.bytes);
            out.verdict = (rocecc_srv6_pe_verdict)verdict;
            out.why = (rocecc_srv6_verdict)why;
            rocecc_srv6_pe_decapsulate(&sid, &p, &out);
            CHECK_EQ(out.verdict, verdict);
            rocecc_srv6_pe_check_inner(&c, &p, &out);
            CHECK_EQ(out.verdict, verdict);
            rocecc_srv6_pe_check_sources(&c, &nobody, &p, &out);
            CHECK_EQ(out.verdict, verdict);
            rocecc_srv6_pe_merge(w, &out);
            CHECK_EQ(out.verdict, verdict);
            rocecc_srv6_pe_next(&p, w, &out);
            CHECK_EQ(out.verdict, verdict);
            CHECK_EQ(out.why, why);
            CHECK(memcmp(b, was, sizeof b) == 0);
        }
}

/* A writer that ends before the packet inside, or in the 20 bytes that are mended
 * there, writes nothing: not in the outer header either, which begins where the writer
 * does. */
TEST(srv6_pe_edges_a_writer_that_ends_before_the_packet_inside)
{
    static const rocecc_ip6 host = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0b}};
    size_t n;
    for (n = 0; n <= 80; n++) {
        uint8_t b[80], was[80];
        rocecc_srv6_pe_result out;
        rocecc_packet p;
        head6(b, 40, ROCECC_PROTO_IPV6, &sid);
        head6(b + 40, 0, ROCECC_PROTO_NONE, &host);
        memcpy(was, b, sizeof b);
        p = packet_of(b, sizeof b);
        if (n >= 60 && n < 80) continue;
        test_context("%zu bytes", n);
        rocecc_srv6_pe_egress(&sid, &p, rocecc_writer_of(b, b + n), &out);
        CHECK_EQ(out.verdict, n < 80 ? ROCECC_SRV6_PE_BAD : ROCECC_SRV6_PE_FORWARD);
        if (n == 80) was[40 + 7] = 63;
        CHECK(memcmp(b, was, sizeof b) == 0);
    }
}

/* What end() writes ends with the 8 bytes before the segments: a writer that ends there
 * is long enough, and one that ends a byte before writes nothing. */
TEST(srv6_pe_edges_a_writer_that_ends_with_the_srh)
{
    static const rocecc_ip6 next = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0d}};
    size_t n;
    for (n = 0; n <= 80; n++) {
        uint8_t b[80], was[80];
        rocecc_srv6_pe_result out;
        rocecc_packet p;
        head6(b, 40, ROCECC_PROTO_ROUTING, &sid);
        memset(b + 40, 0, 40);
        b[40] = ROCECC_PROTO_NONE;
        b[41] = 4; /* two segments: 32 bytes */
        b[42] = 4; /* an SRH */
        b[43] = 1; /* Segments Left */
        b[44] = 1; /* Last Entry */
        memcpy(b + 48, next.b, 16);
        memcpy(b + 64, sid.b, 16);
        memcpy(was, b, sizeof b);
        p = packet_of(b, sizeof b);
        test_context("%zu bytes", n);
        rocecc_srv6_pe_end(&sid, &p, rocecc_writer_of(b, b + n), &out);
        CHECK_EQ(out.verdict, n < 48 ? ROCECC_SRV6_PE_BAD : ROCECC_SRV6_PE_FORWARD);
        if (n >= 48) {
            was[7] = 63;
            was[43] = 0;
            memcpy(was + 24, next.b, 16);
        }
        CHECK(memcmp(b, was, sizeof b) == 0);
    }
}

/* push() copies nothing: what is read may go on for longer than any packet. */
TEST(srv6_pe_edges_push_copies_nothing)
{
    static const rocecc_ip6 host = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0b}};
    static uint8_t b[100 + 65536];
    const rocecc_srv6_pe_path way = {rocecc_reader_of(host.b, host.b + 16), 0, 0};
    rocecc_srv6_pe_config c = ROCECC_ZERO;
    rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_srv6_pe_ingress_result out;
    c.end_con = sid;
    c.reduced = true;
    memset(b, 0xa5, sizeof b);
    head6(b + 100, 0, ROCECC_PROTO_NONE, &host);
    r.at = 100;
    rocecc_srv6_pe_push(&c, r, &way, &w, &out);
    CHECK_EQ(out.verdict, ROCECC_SRV6_PE_FORWARD);
    CHECK_EQ(w.at, 60); /* an IPv6 header before the packet */
    CHECK_EQ(b[59], 0xa5);
    CHECK_EQ(b[60], 0x60);
    CHECK_EQ(rocecc_load16(b + 64), 40);
    CHECK_EQ(b[66], ROCECC_PROTO_IPV6);
    CHECK(memcmp(b + 60 + 8, sid.b, 16) == 0);
    CHECK(memcmp(b + 60 + 24, host.b, 16) == 0);
    CHECK_EQ(b[100 + 7], 63);
    CHECK_EQ(b[140], 0xa5);
}
