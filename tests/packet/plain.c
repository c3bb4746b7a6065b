/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * plain.c - tests the shortcuts for common packets, each with any one bit changed, and
 * cut off anywhere, in different domains. The results are checked against the general
 * functions (law/shortcuts.h). The packets that a shortcut accepts are stated here,
 * too, so that none rejects everything.
 */
#include "law/shortcuts.h"
#include "lib/frame.h"
#include "lib/guard.h"

#define SRC "20010db8 00000000 00000000 00000001"
#define DST "20010db8 00000000 00000000 00000002"
#define MACS "020000000001 020000000002"
#define UDP(port, length) "c000" port length "0000"
#define BTH "8100ffff 40000012 00000000"
#define REST "00000000 00000000 00000000 00000000 00000000"
#define CNP UDP("12b7", "0028") BTH REST
#define IPV4 "4500003c 00004000 40110000 c0000201 c0000202"
#define IPV6(length, next) "60000000" length next "40" SRC DST
#define OPTION(type) "1102" type "10 20010db8 00000000 00000000 00000009 01020000"

/* A trace of HPCC's type in namespace 123, with two nodes, after `pad`. */
#define NODES                                                                          \
    "3c000a01 00030011 00000001 00000002 00000003"                                     \
    "3d000a02 00030012 00000004 00000005 00000006"
#define TRACE(pad) pad "3132 0001 007b 2814 d2080000" NODES

/* INT-MD with HPCC's instructions after UDP to 5000, with one node. */
#define INTMD                                                                          \
    "140912b7 20000640 d5000000 00000000"                                              \
    "00000a01 00030011 03000100 17979cfe 362a0000 00002328"

/* One IFA record of layout A. */
#define RECORD "10000a01 50300000 00110003 00000001 00000002 00000003 00000004 00000005"

static const char *const frames[] = {
    MACS "0800" IPV4 CNP,
    MACS "8100 2005 0800" IPV4 CNP,
    MACS "86dd" IPV6("0028", "11") CNP,
    MACS "88a8 2005 86dd" IPV6("0028", "11") CNP,
    MACS "86dd" IPV6("0040", "3c") OPTION("9e") CNP,
    MACS "8100 2005 86dd" IPV6("0040", "3c") OPTION("9e") CNP,
    MACS "86dd" IPV6("0040", "3c") OPTION("9f") CNP,
    MACS "86dd" IPV6("0040", "3c") OPTION("be") CNP,
    MACS "86dd" IPV6("0040", "3c") OPTION("01") CNP,
    MACS "86dd" IPV6("0040", "3c") OPTION("00") CNP,
    IPV6("0040", "3c") OPTION("9e") CNP,
    MACS "86dd" IPV6("0060", "00") "1106" TRACE("0100") CNP,
    MACS "86dd" IPV6("0068", "00") "1107" TRACE("0104 00000000") "01020000" CNP,
    MACS "86dd" IPV6("0068", "00") "0607" TRACE("0104 00000000") "01020000" CNP,
    MACS "0800"
         "45000064 00004000 40110000 c0000201 c0000202" UDP("1388", "0050")
             INTMD BTH REST,
    MACS "86dd" IPV6("0050", "11") "c0001388 0050 1234" INTMD BTH REST,
    MACS "0800"
         "45000064 00004000 40fd0000 c0000201 c0000202"
         "2f110040" UDP("12b7", "0028") "ff004008" RECORD BTH REST,
    MACS
    "86dd" IPV6("0050", "fd") "2f110040" UDP("12b7", "0028") "ff004008" RECORD BTH REST,
    MACS "86dd" IPV6("0040", "3c") OPTION("02") CNP,
};
#define FRAMES (sizeof frames / sizeof frames[0])

/* Bits for law_shortcuts_domain(). Each member that changes a shortcut differs in one
 * domain. */
static const uint32_t networks[] = {
    0xfffffffe & ~0x7u,
    0x7fffffe8 & ~0x200000u,
    0xf0fffff8 & ~0xc00u,
    0xe1e3f3e5,
    0xe1e3f3fe,
    0xe1e3f3ff,
    0xe1e3f3e7,
    0xe1e3f31d,
    0xe1003ff8,
    0xe1e00ff8,
    0xe13fdff8,
    0x1fffffff,
    0xe1fffff8 & ~0x1e000000u,
    0xe1fff0f8,
    0xfffffdf8,
};
#define NETWORKS (sizeof networks / sizeof networks[0])

static void hold(const uint8_t *b, size_t n, uint32_t bits)
{
    uint8_t *at = guard_end(NULL, n);
    memcpy(at, b, n);
    CHECK(law_shortcuts(rocecc_reader_of(at, at + n), bits) != LAW_BROKEN);
}

TEST(shortcuts_agree_with_any_bit_changed)
{
    size_t f, k;
    for (f = 0; f < FRAMES; f++) {
        test_frame x = frame_of(frames[f]);
        size_t bit;
        for (k = 0; k < NETWORKS; k++) {
            test_context("frame %u, network %u", (unsigned)f, (unsigned)k);
            hold(x.b, x.n, networks[k]);
            for (bit = 96; bit < 8 * x.n; bit++) {
                x.b[bit / 8] ^= (uint8_t)(0x80u >> bit % 8);
                hold(x.b, x.n, networks[k]);
                x.b[bit / 8] ^= (uint8_t)(0x80u >> bit % 8);
            }
        }
    }
}

TEST(shortcuts_agree_at_every_cut)
{
    size_t f, k, n;
    for (f = 0; f < FRAMES; f++) {
        const test_frame x = frame_of(frames[f]);
        for (k = 0; k < NETWORKS; k++)
            for (n = 0; n < x.n; n++) {
                test_context("frame %u, network %u, %u bytes", (unsigned)f, (unsigned)k,
                             (unsigned)n);
                hold(x.b, n, networks[k]);
            }
    }
}

/* In a domain with only RoCEv2 and Fast CNP, these frames are plain. */
TEST(plain_packets_are_found)
{
    static const bool is_plain[FRAMES] = {true,  true,  true,  true,  true, true, true,
                                          true,  true,  true,  false, true, true, false,
                                          false, false, false, false, true};
    const rocecc_domain d = {.fastcnp = {.type_plain = 0x9e}};
    size_t f;
    for (f = 0; f < FRAMES; f++) {
        const test_frame x = frame_of(frames[f]);
        rocecc_headers h;
        test_context("frame %u", (unsigned)f);
        CHECK_EQ(rocecc_headers_parse_plain(&d, rocecc_reader_of(x.b, x.b + x.n), &h) ==
                     ROCECC_OK,
                 is_plain[f]);
        if (!is_plain[f]) CHECK(h.kind == ROCECC_PACKET_KIND_OTHER && h.bth == 0);
    }
}

/* A packet that begins too far into its buffer is rejected, because offsets have 16
 * bits. */
TEST(plain_packets_begin_before_start_max)
{
    static uint8_t b[ROCECC_PACKET_START_MAX + 200];
    const test_frame x = frame_of(frames[0]);
    const rocecc_domain d = {.fastcnp = {.type_plain = 0x9e}};
    rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
    rocecc_headers h;
    memcpy(b + ROCECC_PACKET_START_MAX, x.b, x.n);
    r.at = ROCECC_PACKET_START_MAX;
    r.end = r.at + x.n;
    CHECK_EQ(rocecc_headers_parse_plain(&d, r, &h), ROCECC_OK);
    CHECK_EQ(h.ip.offset, ROCECC_PACKET_START_MAX + 14);
    CHECK_EQ(h.bth, ROCECC_PACKET_START_MAX + 42);
    memcpy(b + ROCECC_PACKET_START_MAX + 1, x.b, x.n);
    r.at++;
    r.end++;
    CHECK_EQ(rocecc_headers_parse_plain(&d, r, &h), ROCECC_ERR_UNSUPPORTED);
}

/* The option of a plain Fast CNP is found only if its type has no other meaning. */
TEST(plain_options_are_found)
{
    static const struct {
        unsigned frame;
        uint8_t plain, ioam;
        bool is;
    } rows[] = {{4, 0x9e, 0x9f, true},  {4, 0x9e, 0, true},
                {4, 0x9f, 0x9e, false}, {4, 0x9e, 0x9e, false},
                {7, 0xbe, 0, true},     {8, 0x01, 0, false},
                {9, 0x00, 0, false},    {FRAMES - 1, 0x02, 0, true},
                {4, 0x00, 0, false},    {2, 0x9e, 0, false}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const test_frame x = frame_of(frames[rows[i].frame]);
        rocecc_domain d = ROCECC_ZERO;
        rocecc_packet p;
        const uint8_t *b;
        test_context("row %u", (unsigned)i);
        d.fastcnp.type_plain = rows[i].plain;
        d.fastcnp.type_ioam = rows[i].ioam;
        p = frame_walked(&d, &x);
        CHECK_EQ(p.headers.status, ROCECC_OK);
        b = rocecc_plain_fastcnp_(&d, p.bytes, &p.headers.ip);
        CHECK_EQ(b != NULL, rows[i].is);
        if (b != NULL) CHECK(b == x.b + 54);
    }
}

/* All bytes of the headers are needed, but no others. */
TEST(plain_packets_need_their_headers)
{
    static const struct {
        unsigned frame;
        size_t n;
    } rows[] = {{0, 54}, {1, 58}, {2, 74}, {3, 78}, {4, 98}, {11, 130}};
    const rocecc_domain d = {.fastcnp = {.type_plain = 0x9e}};
    rocecc_headers h;
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const test_frame x = frame_of(frames[rows[i].frame]);
        test_context("frame %u", rows[i].frame);
        CHECK_EQ(
            rocecc_headers_parse_plain(&d, rocecc_reader_of(x.b, x.b + rows[i].n), &h),
            ROCECC_OK);
        CHECK_EQ(h.bth, rows[i].n - 12);
        CHECK_EQ(rocecc_headers_parse_plain(
                     &d, rocecc_reader_of(x.b, x.b + rows[i].n - 1), &h),
                 ROCECC_ERR_UNSUPPORTED);
    }
}

/* UDP must have room for a BTH and an ICRC. */
TEST(plain_packets_need_room_for_bth_and_icrc)
{
    const rocecc_domain d = {.fastcnp = {.type_plain = 0x9e}};
    test_frame x = frame_of(frames[0]);
    rocecc_headers h;
    rocecc_store16(x.b + 38, 24);
    CHECK_EQ(rocecc_headers_parse_plain(&d, rocecc_reader_of(x.b, x.b + x.n), &h),
             ROCECC_OK);
    rocecc_store16(x.b + 38, 23);
    CHECK_EQ(rocecc_headers_parse_plain(&d, rocecc_reader_of(x.b, x.b + x.n), &h),
             ROCECC_ERR_UNSUPPORTED);
}

/* A domain is rejected if this packet may contain INT or IFA, if RoCEv2 has another
 * port, or if frames do not begin with Ethernet. */
TEST(plain_packets_need_a_plain_domain)
{
    static const struct {
        rocecc_domain d;
        bool is;
    } rows[] = {
        {{.ifa = {.protocol = 16}}, true},       {{.ifa = {.protocol = 17}}, false},
        {{.ifa = {.protocol = 18}}, true},       {{.intmd = {.udp_port = 4790}}, true},
        {{.intmd = {.udp_port = 4791}}, false},  {{.intmd = {.dscp_mask = 1}}, false},
        {{.intmd = {.probe_marker = 1}}, false}, {{.link = ROCECC_LINK_IP}, false},
        {{.rocev2_port = 4790}, false}};
    const test_frame x = frame_of(frames[0]);
    rocecc_headers h;
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("domain %u", (unsigned)i);
        CHECK_EQ(rocecc_headers_parse_plain(&rows[i].d,
                                            rocecc_reader_of(x.b, x.b + x.n), &h),
                 rows[i].is ? ROCECC_OK : ROCECC_ERR_UNSUPPORTED);
    }
}

/* The option is found only with unchanged headers of the walk and all its bytes. */
TEST(plain_options_need_the_headers_of_the_walk)
{
    const rocecc_domain d = {.fastcnp = {.type_plain = 0x9e}};
    const test_frame x = frame_of(frames[4]);
    const rocecc_packet p = frame_walked(&d, &x);
    rocecc_headers_ip ip = p.headers.ip;
    rocecc_reader r = p.bytes;
    CHECK(rocecc_plain_fastcnp_(&d, r, &ip) != NULL);
    ip.version = 4;
    CHECK(rocecc_plain_fastcnp_(&d, r, &ip) == NULL);
    ip = p.headers.ip;
    ip.n_ext = 2;
    CHECK(rocecc_plain_fastcnp_(&d, r, &ip) == NULL);
    ip = p.headers.ip;
    ip.upper++;
    CHECK(rocecc_plain_fastcnp_(&d, r, &ip) == NULL);
    ip = p.headers.ip;
    r.end = 54 + 24;
    CHECK(rocecc_plain_fastcnp_(&d, r, &ip) != NULL);
    r.end--;
    CHECK(rocecc_plain_fastcnp_(&d, r, &ip) == NULL);
}

/* verify_plain() accepts only the right ICRC. */
TEST(plain_packets_verify_only_with_the_right_icrc)
{
    size_t f, bit;
    const rocecc_domain d = {.fastcnp = {.type_plain = 0x9e}};
    for (f = 0; f < 4; f++) {
        test_frame x = frame_of(frames[f]);
        rocecc_packet p;
        rocecc_icrc icrc;
        test_context("frame %u", (unsigned)f);
        CHECK_EQ(rocecc_packet_parse_plain(&d, rocecc_reader_of(x.b, x.b + x.n), &p),
                 ROCECC_OK);
        CHECK(p.domain == &d && p.bytes.base == x.b && p.bytes.at == 0);
        CHECK(p.bytes.end == x.n);
        CHECK_EQ(rocecc_icrc_verify_plain(&p, &icrc), ROCECC_OK);
        CHECK(!icrc.ok && icrc.value == 0 && icrc.computed != 0);
        rocecc_icrc_store(x.b + x.n - 4, icrc.computed);
        CHECK_EQ(rocecc_icrc_verify_plain(&p, &icrc), ROCECC_OK);
        CHECK(icrc.ok && icrc.value == icrc.computed);
        CHECK_EQ(icrc.rule, ROCECC_ICRC_STANDARD);
        for (bit = 8 * (x.n - 16); bit < 8 * x.n; bit++) {
            x.b[bit / 8] ^= (uint8_t)(1u << bit % 8);
            CHECK_EQ(rocecc_icrc_verify_plain(&p, &icrc), ROCECC_OK);
            CHECK(!icrc.ok);
            x.b[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        p.headers.partial = ROCECC_PARTIAL_TRIMMED;
        CHECK_EQ(rocecc_icrc_verify_plain(&p, &icrc), ROCECC_ERR_UNSUPPORTED);
        p.headers.partial = ROCECC_PARTIAL_NONE;
        p.bytes.end--;
        CHECK_EQ(rocecc_icrc_verify_plain(&p, &icrc), ROCECC_ERR_SHORT);
        p.headers.bth = 0;
        CHECK_EQ(rocecc_icrc_verify_plain(&p, &icrc), ROCECC_ERR_UNSUPPORTED);
    }
}

/* If offsets point beyond the packet, the status is SHORT. */
TEST(plain_packets_with_offsets_beyond_the_bytes_are_short)
{
    const rocecc_domain d = ROCECC_ZERO;
    const test_frame x = frame_of(frames[0]);
    rocecc_packet p;
    rocecc_icrc icrc, was;
    CHECK_EQ(rocecc_packet_parse_plain(&d, rocecc_reader_of(x.b, x.b + x.n), &p),
             ROCECC_OK);
    p.headers.ip.offset = (uint16_t)(p.headers.ip.offset + x.n - 53);
    p.headers.udp = (uint16_t)(p.headers.udp + x.n - 53);
    p.headers.bth = (uint16_t)(p.headers.bth + x.n - 53);
    memset(&icrc, 0xa5, sizeof icrc);
    memcpy(&was, &icrc, sizeof icrc);
    CHECK_EQ(rocecc_icrc_verify_plain(&p, &icrc), ROCECC_ERR_SHORT);
    CHECK(memcmp(&icrc, &was, sizeof icrc) == 0);
}

#if ROCECC_SHORTCUTS
/* If the shortcut finds a trace at the front of its header, the search finds the same
 * trace. */
TEST(traces_at_the_front_are_found_as_by_the_search)
{
    rocecc_domain d = ROCECC_ZERO;
    unsigned f;
    size_t bit;
    d.ioam.namespace_id = 123;
    for (f = 11; f < 14; f++) {
        test_frame x = frame_of(frames[f]);
        rocecc_packet p = frame_walked(&d, &x);
        rocecc_ioam_option o;
        rocecc_ioam_place_ at;
        test_context("frame %u", f);
        CHECK(rocecc_ioam_find_at_front_(&p, &o));
        CHECK_EQ(o.data.at, f == 11 ? 62 : 66);
        CHECK_EQ(rocecc_left(&o.data), 48);
        for (bit = 8 * 54; bit < 8 * 118; bit++) {
            x.b[bit / 8] ^= (uint8_t)(1u << bit % 8);
            if (rocecc_ioam_find_at_front_(&p, &o)) {
                CHECK_EQ(rocecc_ioam_locate_(&p, ROCECC_IOAM_ANY_, &at), ROCECC_OK);
                CHECK(o.data.at == at.option.data.at &&
                      o.data.end == at.option.data.end);
            }
            x.b[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        p.headers.ip.end = f == 11 ? 54 + 56 : 54 + 64;
        CHECK(rocecc_ioam_find_at_front_(&p, &o));
        p.headers.ip.end--;
        CHECK(!rocecc_ioam_find_at_front_(&p, &o));
        p = frame_walked(&d, &x);
        p.headers.ip.version = 4;
        CHECK(!rocecc_ioam_find_at_front_(&p, &o));
        p = frame_walked(&d, &x);
        p.headers.ip.offset--;
        CHECK(!rocecc_ioam_find_at_front_(&p, &o));
    }
}
#endif

/* Pushes succeed for these frames in a domain with lab numbers. */
TEST(pushes_at_once_succeed)
{
    static const struct {
        unsigned frame;
        size_t more;
    } rows[] = {{11, 24}, {12, 16}, {14, 24}, {15, 24}, {16, 32}, {17, 32}};
    static uint8_t b[600];
    size_t i;
    rocecc_domain d = ROCECC_ZERO;
    d.ioam.namespace_id = 123;
    d.ioam.tx_bytes_bit = 12;
    d.intmd.udp_port = 5000;
    d.ifa.protocol = 253;
    d.ifa.layout_a = 1 << 1;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const test_frame x = frame_of(frames[rows[i].frame]);
        rocecc_report_layout layout = ROCECC_ZERO;
        rocecc_ioam_node ioam;
        rocecc_intmd_node intmd;
        rocecc_ifa_node ifa = ROCECC_ZERO;
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        rocecc_packet p;
        rocecc_status status;
        test_context("frame %u", rows[i].frame);
        memcpy(b, x.b, x.n);
        w.at = x.n;
        CHECK_EQ(rocecc_packet_parse(&d, rocecc_written(&w), &p), ROCECC_OK);
        rocecc_ioam_node_init(&ioam);
        rocecc_intmd_node_init(&intmd);
        ifa.layout = ROCECC_IFA_LAYOUT_A;
        ifa.lns = 1;
        if (rows[i].frame < 14) {
            rocecc_ioam_layout_update(&d.ioam, ROCECC_IOAM_TYPE_HPCC, &layout);
            status = rocecc_push_ioam(&p, &layout, &ioam, 1500, &w);
        } else if (rows[i].frame < 16) {
            rocecc_intmd_layout_update(ROCECC_INTMD_HPCC, &layout);
            status = rocecc_push_intmd(&p, &layout, &intmd, 1500, &w);
        } else {
            status = rocecc_push_ifa(&p, &ifa, 1500, &w);
        }
        CHECK_EQ(status, ROCECC_OK);
        CHECK_EQ(w.at, x.n + rows[i].more);
    }
}

/* After a tag with the domain's own TPID, only the walk finds the BTH, not plain.h. */
TEST(plain_packets_with_a_configured_tpid_are_not_found)
{
    static const rocecc_domain d = {.tag.vlan_tpid = 0x9100};
    const test_frame x =
        frame_of("020000000001 020000000002 9100 0005 0800"
                 "4500002c 00004000 40110000 c0000201 c0000202 c00112b7 00180000"
                 "81000000 00000001 00000000 00000000");
    const rocecc_packet p = frame_walked(&d, &x);
    rocecc_headers f;
    CHECK(p.headers.status == ROCECC_OK && p.headers.n_vlan == 1 &&
          p.headers.bth == 46);
    CHECK_EQ(rocecc_headers_parse_plain(&d, p.bytes, &f), ROCECC_ERR_UNSUPPORTED);
    CHECK_EQ(f.bth, 0);
}
