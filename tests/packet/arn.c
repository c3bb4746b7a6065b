/* SPDX-License-Identifier: BSD-2-Clause */

/* arn.c - tests packet/arn.h, with ARNs from tshark and Python, and wire/datagram.h. */
#include "../../examples/lib/vec.h"
#include "lib/frame.h"
#include "lib/guard.h"
#include "lib/record.h"
#include "lib/tell.h"
#include "lib/test.h"
#include "rocecc/fields/arn.h"
#include "rocecc/packet/arn.h"
#include "rocecc/packet/udp.h"

#include <string.h>

/* A1 of vectors/arn.vec in UDP over IPv4, with a flow and 100 us. */
static const char a1[] =
    "02000000 00010200 00000002 0800 45c00034 00004000 ff1154e4 0a090901 0a090902"
    "c0decaff 00206d f8 0110c890 0a010a02 0a021401 c00012b7 11000000 00000064";

/* Priority 3 for 100 us in UDP over IPv6, written by Python. */
static const char v6[] =
    "6c000000 001411ff 20010db8 00010000 00000000 00000001 20010db8 00010000 00000000"
    "00000002 c0decaff 00144ec9 0110c830 00000003 00000064";

static rocecc_domain lab(void)
{
    rocecc_domain d;
    memset(&d, 0, sizeof d);
    d.arn.port = 51967;
    d.ifa.protocol = TELL_PROTOCOL;
    d.ifa.layout_a = 1;
    d.intmd.udp_port = TELL_PORT;
    return d;
}

typedef struct packet {
    uint8_t bytes[256];
    size_t n;
} packet;

static packet packet_of_hex(const char *hex)
{
    packet p;
    CHECK(strlen(hex) < 2 * sizeof p.bytes && vec_hex(hex, p.bytes, &p.n));
    return p;
}

static rocecc_status find(const rocecc_domain *d, const packet *p, rocecc_arn *h)
{
    const uint8_t *b = guard_end(p->bytes, p->n);
    rocecc_packet it;
    (void)rocecc_packet_parse(d, rocecc_reader_of(b, b + p->n), &it);
    CHECK_EQ(rocecc_arn_match(&it), rocecc_arn_find(&it, h) != ROCECC_NO_MATCH);
    return rocecc_arn_find(&it, h);
}

/* The caller must set the addresses. Too little room for IPv4 gives SPACE. */
TEST(arn_datagram_leaves_the_addresses_to_the_caller)
{
    const rocecc_arn_config c = {.port = 51966};
    const rocecc_ip6 none = {{0}};
    const rocecc_ip4 a = {{10, 0, 0, 1}};
    rocecc_datagram d = rocecc_arn_datagram(&c, 0);
    uint8_t b[48];
    uint32_t pseudo = 7;
    size_t n;
    CHECK(rocecc_ip6_match(&d.src, &none) && rocecc_ip6_match(&d.dst, &none));
    d.src = d.dst = rocecc_ip6_of_ip4(&a);
    for (n = 0; n <= 20; n++) {
        rocecc_writer w = rocecc_writer_of(b, b + n);
        CHECK_EQ(rocecc_datagram_ip_emit(&w, &d, 0, 8, &pseudo),
                 n < 20 ? ROCECC_ERR_SPACE : ROCECC_OK);
        CHECK_EQ(w.at, n < 20 ? 0 : 20);
        CHECK((pseudo != 7) == (n == 20));
    }
}

TEST(arn_is_found_only_on_its_port)
{
    rocecc_domain d = lab();
    packet p = packet_of_hex(a1);
    rocecc_arn h;
    CHECK_EQ(find(&d, &p, &h), ROCECC_OK);
    CHECK_RECORD(ROCECC_ARN_FIELDS, rocecc_arn, &h,
                 "type=1 version=1 metric=200 para_type=0x90 tuple_bytes=16 "
                 "flow.src=::ffff:10.1.10.2 flow.dst=::ffff:10.2.20.1 "
                 "flow.src_port=49152 flow.dst_port=4791 flow.proto=17 time=100");
    p.bytes[14 + 8] = 254; /* any TTL; role/arn_gate.h checks it */
    CHECK_EQ(find(&d, &p, &h), ROCECC_OK);
    d.arn.port = 51966;
    CHECK_EQ(find(&d, &p, &h), ROCECC_NO_MATCH);
    d.arn.port = 0; /* off */
    p.bytes[14 + 20 + 2] = p.bytes[14 + 20 + 3] = 0;
    CHECK_EQ(find(&d, &p, &h), ROCECC_NO_MATCH);
    d.link = ROCECC_LINK_IP;
    d.arn.port = 51967;
    p = packet_of_hex(v6);
    CHECK_EQ(find(&d, &p, &h), ROCECC_OK);
    CHECK(h.priority == 3 && h.time == 100 && h.tuple_bytes == 0);
    p.bytes[5] = 8 + 23; /* UDP ends before IPv6 does */
    p.n += 11;
    CHECK_EQ(find(&d, &p, &h), ROCECC_OK);
    CHECK_EQ(h.priority, 3);
}

TEST(arn_find_of_a_cut_arn_is_short)
{
    const rocecc_domain d = lab();
    const packet whole = packet_of_hex(a1);
    packet p = whole;
    rocecc_arn h, before;
    memset(&h, 0x5a, sizeof h);
    before = h;
    for (p.n = 0; p.n < whole.n; p.n++) {
        test_context("%zu", p.n);
        CHECK_EQ(find(&d, &p, &h), p.n < 42 ? ROCECC_NO_MATCH : ROCECC_ERR_SHORT);
        CHECK(memcmp(&h, &before, sizeof h) == 0);
    }
    p = whole; /* the whole datagram lacks this parameter */
    p.bytes[14 + 20 + 8 + 3] = 0xb0;
    CHECK_EQ(find(&d, &p, &h), ROCECC_ERR_FORMAT);
    p = whole; /* Ethernet's padding is not a parameter, even within UDP */
    memset(p.bytes + p.n, 0, 4);
    p.n += 4;
    p.bytes[14 + 20 + 5] += 4;
    p.bytes[14 + 20 + 8 + 3] = 0xb0;
    CHECK_EQ(find(&d, &p, &h), ROCECC_ERR_FORMAT);
    p = whole;
    p.bytes[14 + 20 + 5] = 8 + 3; /* 3 bytes of ARN */
    CHECK_EQ(find(&d, &p, &h), ROCECC_ERR_FORMAT);
}

/* An ARN in a packet with IFA or INT is not for this node. */
TEST(arn_is_not_found_after_telemetry)
{
    rocecc_domain d = lab();
    int how;
    d.link = ROCECC_LINK_IP;
    for (how = 0; how < TELL_HOWS; how++) {
        packet p = packet_of_hex(a1);
        rocecc_arn h;
        memmove(p.bytes, p.bytes + 14, p.n -= 14);
        p.n = tell(p.bytes, p.n, (tell_how)how);
        CHECK(p.n != 0);
        CHECK_EQ(find(&d, &p, &h), ROCECC_NO_MATCH);
    }
}

/* Returns the header fields of an ARN with the addresses of `p`. */
static rocecc_datagram addressed(const rocecc_arn_config *c, const packet *p, bool six)
{
    rocecc_datagram d = rocecc_arn_datagram(c, 0x00de);
    const rocecc_ip4 src = rocecc_ip4_load(p->bytes + 14 + 12);
    const rocecc_ip4 dst = rocecc_ip4_load(p->bytes + 14 + 16);
    d.src = six ? rocecc_ip6_load(p->bytes + 8) : rocecc_ip6_of_ip4(&src);
    d.dst = six ? rocecc_ip6_load(p->bytes + 24) : rocecc_ip6_of_ip4(&dst);
    return d;
}

/* build() writes the same bytes as tshark and Python. Less room gives SPACE. */
TEST(arn_build_writes_the_bytes_of_tshark)
{
    const rocecc_domain d = lab();
    int six;
    for (six = 0; six < 2; six++) {
        const packet p = packet_of_hex(six ? v6 : a1);
        const size_t from = six ? 0 : 14, n = p.n - from;
        const rocecc_datagram at = addressed(&d.arn, &p, six != 0);
        const rocecc_reader r =
            rocecc_reader_of(p.bytes + p.n - (six ? 12 : 24), p.bytes + p.n);
        rocecc_arn h;
        size_t room;
        CHECK_EQ(rocecc_arn_parse(&d.arn, r, &h), ROCECC_OK);
        for (room = 0; room <= n; room++) {
            uint8_t *b = guard_end(NULL, room);
            rocecc_writer w = rocecc_writer_of(b, b + room);
            test_context("six %d, room %zu", six, room);
            CHECK_EQ(rocecc_arn_build(&w, &d.arn, &at, &h),
                     room < n ? ROCECC_ERR_SPACE : ROCECC_OK);
            CHECK_EQ(w.at, room < n ? 0 : n);
            if (room == n) CHECK(memcmp(b, p.bytes + from, n) == 0);
        }
    }
}

/* An ARN may begin anywhere in its buffer, and is found with a right checksum. */
TEST(arn_build_is_found)
{
    rocecc_domain d = lab();
    const packet p = packet_of_hex(v6);
    const rocecc_datagram at = addressed(&d.arn, &p, true);
    rocecc_arn h = rocecc_arn_default(&d.arn, ROCECC_ARN_CONGESTION_DETECTED,
                                      ROCECC_ARN_PRIORITY | ROCECC_ARN_TIME);
    uint8_t bytes[200];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_packet it;
    rocecc_reader r;
    rocecc_arn again;
    d.link = ROCECC_LINK_IP;
    h.priority = 7;
    h.time = 0xffffffff;
    (void)rocecc_put(&w, 77);
    CHECK_EQ(rocecc_arn_build(&w, &d.arn, &at, &h), ROCECC_OK);
    r = rocecc_subrange(rocecc_written(&w), 77, w.at);
    (void)rocecc_packet_parse(&d, r, &it);
    CHECK_EQ(rocecc_arn_find(&it, &again), ROCECC_OK);
    CHECK(again.priority == 7 && again.time == 0xffffffff);
    CHECK(rocecc_udp_verify(&it));
    bytes[77 + 47] ^= 1;
    CHECK(!rocecc_udp_verify(&it));
}

TEST(arn_build_rejects_values_out_of_range)
{
    const rocecc_domain d = lab();
    const packet p = packet_of_hex(v6);
    const rocecc_datagram good = addressed(&d.arn, &p, true);
    rocecc_arn_config c = d.arn;
    rocecc_arn h = rocecc_arn_default(&c, ROCECC_ARN_CONGESTION_DETECTED, 0);
    int i;
    for (i = 0; i < 9; i++) {
        uint8_t b[200];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        rocecc_datagram at = good;
        rocecc_arn said = h;
        memset(b, 0x5a, sizeof b);
        c.port = 51967;
        if (i == 1) at.dst_port = 51966; /* not config->port */
        if (i == 2) c.port = at.dst_port = 0;
        if (i == 3) at.dscp = 64;
        if (i == 4) at.ecn = 4;
        if (i == 5) at.flow_label = 1u << 20;
        if (i == 6) memcpy(at.dst.b, "\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\0\0\1", 16);
        if (i == 7) said.type = 5;
        if (i == 8) said.tuple_bytes = 16; /* without its bit */
        test_context("%d", i);
        CHECK_EQ(rocecc_arn_build(&w, &c, &at, &said),
                 i == 0 ? ROCECC_OK : ROCECC_ERR_RANGE);
        CHECK_EQ(w.at, i == 0 ? 52 : 0);
        CHECK(i == 0 || b[0] == 0x5a);
    }
}

/* UDP may have any length, if the IP length fits in 16 bits. */
TEST(datagram_length_must_fit_in_16_bits)
{
    static const struct {
        size_t options;
        uint16_t udp;
        bool six, ok;
    } of_lengths[] = {{0, 65535, true, true},     {1, 65535, true, false},
                      {65535 - 8, 8, true, true}, {65536 - 8, 8, true, false},
                      {SIZE_MAX, 8, true, false}, {0, 65515, false, true},
                      {0, 65516, false, false},   {8, 8, false, false}};
    size_t i;
    for (i = 0; i < sizeof of_lengths / sizeof of_lengths[0]; i++) {
        const rocecc_arn_config c = lab().arn;
        const packet from = packet_of_hex(of_lengths[i].six ? v6 : a1);
        const rocecc_datagram d = addressed(&c, &from, of_lengths[i].six);
        uint8_t b[60];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        uint32_t pseudo = 0;
        test_context("%zu", i);
        CHECK_EQ(rocecc_datagram_ip_emit(&w, &d, of_lengths[i].options,
                                         of_lengths[i].udp, &pseudo),
                 of_lengths[i].ok ? ROCECC_OK : ROCECC_ERR_RANGE);
        CHECK_EQ(w.at, of_lengths[i].ok ? rocecc_datagram_ip_bytes(&d) : 0);
    }
}

/* emit() writes the headers of any data after the reserved bytes. */
TEST(datagram_emit_writes_headers_of_any_data)
{
    const rocecc_arn_config c = lab().arn;
    const packet p = packet_of_hex(v6);
    rocecc_datagram d = addressed(&c, &p, true);
    static uint8_t b[70000];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b), out = w;
    CHECK_EQ(rocecc_datagram_emit(&w, &d, &out), ROCECC_ERR_SPACE); /* not reserved */
    CHECK_EQ(rocecc_datagram_reserve(&out, &d), ROCECC_OK);
    CHECK_EQ(out.at, 48);
    memcpy(rocecc_put(&out, 12), p.bytes + 48, 12);
    CHECK_EQ(rocecc_datagram_emit(&w, &d, &out), ROCECC_OK);
    CHECK(w.at == 60 && memcmp(b, p.bytes, 60) == 0);
    w.at = 0;
    out.at = 48 + 65535 - 8;
    CHECK_EQ(rocecc_datagram_emit(&w, &d, &out), ROCECC_OK);
    w.at = 0;
    out.at++;
    CHECK_EQ(rocecc_datagram_emit(&w, &d, &out), ROCECC_ERR_RANGE);
    CHECK_EQ(w.at, 0);
    d.dscp = 64;
    out.at = 60;
    CHECK_EQ(rocecc_datagram_emit(&w, &d, &out), ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_datagram_reserve(&w, &d), ROCECC_ERR_RANGE);
    CHECK_EQ(w.at, 0);
}

/* On a port with two meanings, RoCEv2 and overlays come before ARNs. init() rejects
 * such a domain. */
TEST(arn_port_of_rocev2_or_an_overlay_gives_no_match)
{
    static const uint16_t ports[] = {4791, 4789, 6000};
    size_t i;
    for (i = 0; i < 3; i++) {
        const rocecc_domain d = {.link = ROCECC_LINK_IP, .arn = {.port = ports[i]}};
        uint8_t b[60];
        rocecc_packet p;
        test_context("port %u", (unsigned)ports[i]);
        frame_roce(b, sizeof b, 0x08);
        rocecc_store16(b + 22, ports[i]);
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(p.headers.udp, 20);
        CHECK_EQ(rocecc_arn_match(&p), ports[i] == 6000);
    }
}

/* UDP beyond IP gives FORMAT even if bytes are also missing. On failure *out is
 * unchanged. */
TEST(arn_find_puts_format_before_short)
{
    const rocecc_domain d = lab();
    packet p = packet_of_hex(a1);
    rocecc_arn h, before;
    memset(&h, 0x5a, sizeof h);
    before = h;
    p.n--;
    CHECK_EQ(find(&d, &p, &h), ROCECC_ERR_SHORT);
    p.bytes[14 + 20 + 5]++;
    CHECK_EQ(find(&d, &p, &h), ROCECC_ERR_FORMAT);
    p = packet_of_hex(a1);
    p.bytes[14 + 20 + 8] = 5; /* an unknown type */
    CHECK_EQ(find(&d, &p, &h), ROCECC_ERR_FORMAT);
    CHECK(memcmp(&h, &before, sizeof h) == 0);
}

/* rocecc_arn_datagram() sets hop limit 255, but build() accepts others. */
TEST(arn_build_takes_the_hop_limit_of_the_datagram)
{
    const rocecc_domain d = lab();
    const packet p = packet_of_hex(v6);
    const rocecc_arn h = rocecc_arn_default(&d.arn, ROCECC_ARN_CONGESTION_DETECTED, 0);
    rocecc_datagram at = addressed(&d.arn, &p, true);
    uint8_t b[52];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    CHECK(at.hop_limit == 255 && at.flow_label == 0 && at.identification == 0);
    at.hop_limit = 1;
    CHECK_EQ(rocecc_arn_build(&w, &d.arn, &at, &h), ROCECC_OK);
    CHECK(w.at == 52 && b[7] == 1);
}
