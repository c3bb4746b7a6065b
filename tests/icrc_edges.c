/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * icrc_edges.c - what an ICRC covers, by packets whose bytes a test masks by hand: the
 * headers in one piece, extension headers at their limits, bytes after UDP; and a
 * packet that has none.
 */
#include "lib/crc_bits.h"
#include "lib/frame.h"
#include "lib/guard.h"
#include "rocecc/packet/icrc.h"

#include <string.h>

#define SRC "20010db8 00000000 00000000 00000001"
#define DST "20010db8 00000000 00000000 00000002"
#define IPV6(length_next) "6ab12345" length_next "40" SRC DST
#define UDP(port, length) "c000" port length "0000"
#define BTH "0400ffff 00000012 80000007"
#define WORD "00000000"

/* IPv6, UDP and BTH as they count: ones for what may change. */
#define MASKED6(length) "6fffffff" length "11ff" SRC DST
#define MASKED_UDP(length) "c000 12b7" length "ffff"
#define MASKED_BTH "0400ffff ff000012 80000007"

static const rocecc_domain ip = {.link = ROCECC_LINK_IP, .intmd = {.udp_port = 5000}};

/* The ICRC of bytes that were masked by hand. */
static uint32_t crc_of(const char *hex)
{
    const test_frame x = frame_of(hex);
    return crc_bits(x.b, x.n);
}

/* The headers of a packet, from the fifth byte of a buffer on, as one piece. */
static rocecc_status head(const char *hex, size_t moved, uint32_t *icrc)
{
    static test_frame x;
    rocecc_reader r;
    rocecc_packet p;
    rocecc_status status;
    x = frame_of(hex);
    memmove(x.b + 5, x.b, x.n);
    r = rocecc_reader_of(x.b, x.b + x.n + 5);
    (void)rocecc_take(&r, 5);
    CHECK_EQ(rocecc_packet_parse(&ip, r, &p), ROCECC_OK);
    p.headers.udp = (uint16_t)(p.headers.udp - moved);
    status = rocecc_icrc_add_adjacent_headers_(&p, icrc);
    if (status == ROCECC_OK) *icrc = rocecc_icrc_final(*icrc);
    return status;
}

/* IP, UDP and BTH are one piece only if nothing stands between them. */
TEST(icrc_head_in_one_piece)
{
    static const char v4[] =
        "45b8002c 12344000 3f119abc c0000201 c0000202" UDP("12b7", "0018") BTH WORD;
    static const char v6[] = IPV6("0018 11") UDP("12b7", "0018") BTH WORD;
    uint32_t icrc = 77;
    CHECK_EQ(head(v4, 0, &icrc), ROCECC_OK);
    CHECK_EQ(icrc, crc_of("45ff002c 12344000 ff11ffff c0000201 c0000202" MASKED_UDP(
                       "0018") MASKED_BTH));
    CHECK_EQ(head(v6, 0, &icrc), ROCECC_OK);
    CHECK_EQ(icrc, crc_of(MASKED6("0018") MASKED_UDP("0018") MASKED_BTH));
    icrc = 77;
    /* Options, of which 20 bytes make the header as long as that of IPv6; ... */
    CHECK_EQ(head("46000030 00004000 40110000 c0000201 c0000202 01010101" UDP(
                      "12b7", "0018") BTH WORD,
                  0, &icrc),
             ROCECC_NO_MATCH);
    CHECK_EQ(head("4a000040 00004000 40110000 c0000201 c0000202" WORD WORD WORD WORD
                      WORD UDP("12b7", "0018") BTH WORD,
                  0, &icrc),
             ROCECC_NO_MATCH);
    /* ... an extension header; INT; and a UDP header that is not next to the BTH. */
    CHECK_EQ(head(IPV6("0020 3c") "1100 0104 00000000" UDP("12b7", "0018") BTH WORD, 0,
                  &icrc),
             ROCECC_NO_MATCH);
    CHECK_EQ(head(IPV6("001c 11") UDP("1388", "001c") "140012b7" BTH WORD, 0, &icrc),
             ROCECC_NO_MATCH);
    CHECK_EQ(head(v4, 4, &icrc), ROCECC_NO_MATCH);
    CHECK_EQ(head(v6, 4, &icrc), ROCECC_NO_MATCH);
    CHECK_EQ(icrc, 77);
}

/*
 * IPv6 may have bytes after UDP, which its length counts: as the sender wrote it, less
 * the 4 bytes of INT, by each rule, since without extension headers all are the same.
 */
TEST(icrc_of_ip_longer_than_udp)
{
    const test_frame x =
        frame_of(IPV6("0021 11") UDP("1388", "001c") "140012b7" BTH WORD "5a5a5a5a5a");
    const uint32_t should = crc_of(MASKED6("001d") MASKED_UDP("0018") MASKED_BTH);
    const rocecc_packet p = frame_walked(&ip, &x);
    unsigned rule;
    CHECK(p.headers.status == ROCECC_OK && p.headers.intmd == 48 &&
          p.headers.end == 68);
    for (rule = ROCECC_ICRC_AUTO; rule < ROCECC_ICRC_NONE; rule++) {
        uint32_t icrc = 77;
        test_context("rule %u", rule);
        CHECK_EQ(rocecc_icrc_compute((rocecc_icrc_rule)rule, &p, &icrc), ROCECC_OK);
        CHECK_EQ(icrc, should);
    }
}

/*
 * Every extension header that a walk follows counts, literally. Where somebody says
 * that there is one more, it is not there: SHORT, and the last one counts once.
 */
TEST(icrc_of_all_extension_headers)
{
    int n, i;
    for (n = 1; n <= ROCECC_IP6EXT_MAX; n++) {
        const test_frame head6 = frame_of(IPV6("0000 3c"));
        const test_frame tail = frame_of(UDP("12b7", "0018") BTH WORD);
        test_frame x = head6, masked;
        rocecc_packet p;
        uint32_t icrc = 77;
        test_context("%d headers", n);
        x.b[5] = (uint8_t)(24 + 8 * n + 4);
        for (i = 0; i < n; i++) { /* an option of 4 bytes each */
            const uint8_t ext[8] = {i + 1 < n ? 60 : 17, 0, 0x1e, 4, 1, 2, 3,
                                    (uint8_t)(0x5a + i)};
            memcpy(x.b + x.n, ext, sizeof ext);
            x.n += sizeof ext;
        }
        memcpy(x.b + x.n, tail.b, tail.n);
        x.n += tail.n;
        masked = x;
        masked.b[0] = 0x6f;
        masked.b[1] = masked.b[2] = masked.b[3] = masked.b[7] = 0xff;
        i = 40 + 8 * n;
        masked.b[i + 6] = masked.b[i + 7] = masked.b[i + 12] = 0xff;
        p = frame_walked(&ip, &x);
        CHECK(p.headers.status == ROCECC_OK && p.headers.ip.n_ext == n);
        CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_LITERAL, &p, &icrc), ROCECC_OK);
        CHECK_EQ(icrc, crc_bits(masked.b, x.n - 4));
        CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_MASKED, &p, &icrc), ROCECC_OK);
        CHECK_EQ(icrc, crc_bits(masked.b, x.n - 4)); /* 0x1e may not change */
        if (n == ROCECC_IP6EXT_MAX) break;
        p.headers.ip.n_ext++;
        icrc = 77;
        CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_LITERAL, &p, &icrc), ROCECC_ERR_SHORT);
        CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_MASKED, &p, &icrc), ROCECC_ERR_SHORT);
        CHECK_EQ(icrc, 77);
    }
}

/*
 * MASKED knows options and SRH alone. A header of another type is none that looks like
 * an SRH; a Routing header of type 4 whose list is longer than itself is malformed.
 * The other rules do not look.
 */
TEST(icrc_masks_no_other_header)
{
    static const struct {
        const char *bytes;
        rocecc_status status;
    } rows[] = {
        {IPV6("0030 2b") "11020400 00000000" SRC, ROCECC_OK},
        {IPV6("0030 2b") "11020400 01000000" SRC, ROCECC_ERR_FORMAT},
        {IPV6("0030 2b") "11020402 00000000" SRC, ROCECC_ERR_FORMAT},
        {IPV6("0030 2b") "11020400 01120000" SRC, ROCECC_ERR_FORMAT}, /* TLVs, too */
        {IPV6("0030 2b") "11020300 00000000" SRC, ROCECC_ERR_UNSUPPORTED},
        {IPV6("0030 87") "11020400 00000000" SRC, ROCECC_ERR_UNSUPPORTED},
        {IPV6("0030 8b") "11020400 00000000" SRC, ROCECC_ERR_UNSUPPORTED},
        {IPV6("0030 8c") "11020400 00000000" SRC, ROCECC_ERR_UNSUPPORTED},
        {IPV6("0030 33") "11040400 00000000" SRC, ROCECC_ERR_UNSUPPORTED}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const test_frame tail = frame_of(UDP("12b7", "0018") BTH WORD);
        test_frame x = frame_of(rows[i].bytes);
        rocecc_icrc icrc;
        rocecc_packet p;
        uint32_t state = 77;
        test_context("row %zu", i);
        memcpy(x.b + x.n, tail.b, tail.n);
        x.n += tail.n;
        p = frame_walked(&ip, &x);
        CHECK(p.headers.status == ROCECC_OK && p.headers.ip.n_ext == 1);
        CHECK_EQ(rocecc_icrc_init(ROCECC_ICRC_MASKED, &p, &state), rows[i].status);
        CHECK_EQ(state != 77, rows[i].status == ROCECC_OK);
        CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_MASKED, &p, &icrc), rows[i].status);
        CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc), ROCECC_OK);
        CHECK_EQ(icrc.rule, rows[i].status == ROCECC_OK ? ROCECC_ICRC_MASKED
                                                        : ROCECC_ICRC_LITERAL);
        CHECK(!icrc.ok);
    }
}

/* A packet whose payload was cut away has no ICRC, and lacks none: no bytes of it that
 * are not there would tell more. */
TEST(icrc_of_a_trimmed_packet)
{
    const test_frame x = frame_of(
        "4500002c 00004000 40110000 c0000201 c0000202" UDP("12b7", "0418") BTH WORD);
    const rocecc_packet whole = frame_walked(&ip, &x);
    size_t n;
    CHECK(whole.headers.kind == ROCECC_PACKET_KIND_TRIMMED && whole.headers.end == 44);
    for (n = 0; n <= x.n; n++) {
        const uint8_t *at = guard_end(x.b, n);
        const rocecc_packet p =
            rocecc_packet_attach(&ip, rocecc_reader_of(at, at + n), &whole.headers);
        unsigned rule;
        for (rule = ROCECC_ICRC_AUTO; rule <= ROCECC_ICRC_NONE; rule++) {
            rocecc_icrc icrc;
            test_context("%zu bytes, rule %u", n, rule);
            CHECK_EQ(rocecc_icrc_verify((rocecc_icrc_rule)rule, &p, &icrc),
                     ROCECC_NO_MATCH);
        }
    }
}
