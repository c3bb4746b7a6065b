/* SPDX-License-Identifier: BSD-2-Clause */

/* arrival.c - tests rocecc_arrival_check() against the frames of vectors/arrival.vec
 * (from RFCs) and a model on random packets, and limits and orders that no RFC has. */
#include "law/arrival.h"
#include "lib/guard.h"
#include "lib/noun.h"
#include "lib/role.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

#define UNTOUCHED 0xa5

typedef struct configured {
    rocecc_arrival_config node;
    rocecc_domain domain;
} configured;

#define NODE_FIELDS(F, T)                                                              \
    F(T, ENUM, node.node, "host sid forwarder")                                        \
    F(T, BOOL, node.groups, NULL)                                                      \
    F(T, BOOL, node.fastcnp, NULL)                                                     \
    F(T, UINT, domain.fastcnp.type_plain, NULL)                                        \
    F(T, UINT, domain.arn.port, NULL)
static const field node_fields[] = {NODE_FIELDS(FIELD_ROW, configured)};

typedef struct given {
    uint8_t verdict;
    rocecc_icmp_error icmp;
} given;

#define GIVEN_FIELDS(F, T)                                                             \
    F(T, ENUM, verdict,                                                                \
      "ok no_ip partial bad_checksum bad_source bad_destination bad_options "          \
      "unknown_option unknown_header segments_left unsupported")                       \
    F(T, UINT, icmp.type, NULL)                                                        \
    F(T, UINT, icmp.code, NULL)                                                        \
    F(T, UINT, icmp.value, NULL)
static const field given_fields[] = {GIVEN_FIELDS(FIELD_ROW, given)};

static void set(const vec_pair *pairs, size_t n, const char *prefix, configured *c)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (!role_set(node_fields, NOUN_COUNT(node_fields), prefix, &pairs[i], c))
            test_fail(__FILE__, __LINE__, "%s=%s is not a setting", pairs[i].key,
                      pairs[i].value);
}

/* Checks the first n bytes of a row's packet, at offset `start` before a guard page. */
static void arrives(const vec_row *row, size_t n, size_t start)
{
    uint8_t *at = guard_end(NULL, start + n);
    rocecc_reader r = rocecc_reader_of(at, at + start + n);
    const rocecc_headers_ip *ip;
    configured c;
    rocecc_packet p;
    given is;
    memset(&c, 0, sizeof c);
    c.domain.link = ROCECC_LINK_IP;
    set(row->config, row->n_config, "domain.", &c);
    set(row->in, row->n_in, "node.", &c);
    memset(at, UNTOUCHED, start);
    memcpy(at + start, row->bytes, n);
    r.at = start;
    (void)rocecc_packet_parse(&c.domain, r, &p);
    ip =
        c.node.node == ROCECC_ARRIVAL_SID ? rocecc_packet_outermost(&p) : &p.headers.ip;
    memset(&is, UNTOUCHED, sizeof is);
    is.verdict = rocecc_arrival_check(&c.node, &p, ip, &is.icmp);
    if (n < row->n) {
        CHECK(is.verdict != ROCECC_ARRIVAL_OK);
        return;
    }
    CHECK_EQ(is.icmp.offset, start);
    noun_check_out(row, given_fields, NOUN_COUNT(given_fields), ROCECC_OK, &is);
}

static void call_check(const vec_row *row)
{
    static const size_t starts[] = {0, 1, 77, ROCECC_PACKET_START_MAX};
    size_t i;
    for (i = 0; i < NOUN_COUNT(starts); i++) {
        test_context("%s, %zu bytes into its buffer", row->id, starts[i]);
        arrives(row, row->n, starts[i]);
    }
    for (i = 0; i < row->n; i++) {
        test_context("%s, the first %zu bytes", row->id, i);
        arrives(row, i, 0);
    }
}

static const noun_call calls[] = {{"arrival_check", call_check}};

TEST(arrival_vectors)
{
    const noun_file file = {"arrival", law_arrival_any, NULL,
                            0,         calls,           NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}

TEST(arrival_law)
{
    law_random(law_arrival_any, 400000);
}

static const rocecc_domain ip_domain = {.link = ROCECC_LINK_IP};

static rocecc_arrival_verdict host(const uint8_t *b, size_t n, rocecc_icmp_error *out)
{
    const rocecc_arrival_config c = {ROCECC_ARRIVAL_HOST, false, false};
    rocecc_packet p;
    (void)rocecc_packet_parse(&ip_domain, rocecc_reader_of(b, b + n), &p);
    return rocecc_arrival_check(&c, &p, &p.headers.ip, out);
}

/* Writes an IPv6 header from 2000:: to 2000::1, before n bytes. */
static void put_ipv6(uint8_t *b, uint8_t next, size_t n)
{
    memset(b, 0, 40);
    b[0] = 0x60;
    rocecc_store16(b + 4, (uint16_t)n);
    b[6] = next;
    b[7] = 64;
    b[8] = b[24] = 0x20;
    b[39] = 1;
}

/* Writes a header with n empty options that every node skips, and padding. */
static size_t put_options(uint8_t *b, uint8_t next, unsigned n)
{
    const size_t bytes = (2 + 2 * n + 7) / 8 * 8;
    unsigned i;
    memset(b, 0, bytes);
    b[0] = next;
    b[1] = (uint8_t)(bytes / 8 - 1);
    for (i = 0; i < n; i++)
        b[2 + 2 * i] = 0x1e;
    if (2 + 2 * n < bytes) b[2 + 2 * n] = 1; /* PadN */
    if (2 + 2 * n < bytes) b[3 + 2 * n] = (uint8_t)(bytes - 4 - 2 * n);
    return bytes;
}

/* Three headers have 0 to 9 options each. At most 8 options in all are accepted. */
TEST(arrival_counts_the_options_of_all_headers)
{
    unsigned split;
    for (split = 0; split < 1000; split++) {
        const unsigned n[3] = {split / 100, split / 10 % 10, split % 10};
        uint8_t b[40 + 3 * 24];
        rocecc_icmp_error icmp;
        size_t at = 40;
        at += put_options(b + at, 60, n[0]);
        at += put_options(b + at, 60, n[1]);
        at += put_options(b + at, 59, n[2]);
        put_ipv6(b, 60, at - 40);
        test_context("%03u", split);
        CHECK_EQ(host(b, at, &icmp), n[0] + n[1] + n[2] <= 8
                                         ? ROCECC_ARRIVAL_OK
                                         : ROCECC_ARRIVAL_UNSUPPORTED);
        CHECK_EQ(icmp.type, 0);
    }
}

/* The packet has as many headers as the walk follows. The last, a Routing header with 0
 * or 1 segments left, is checked, too. */
TEST(arrival_checks_the_last_header_of_a_walk)
{
    unsigned left;
    for (left = 0; left < 2; left++) {
        uint8_t b[40 + 8 * ROCECC_IP6EXT_MAX];
        rocecc_icmp_error icmp;
        size_t i;
        put_ipv6(b, 60, sizeof b - 40);
        for (i = 0; i + 1 < ROCECC_IP6EXT_MAX; i++)
            (void)put_options(b + 40 + 8 * i, i + 2 < ROCECC_IP6EXT_MAX ? 60 : 43, 0);
        memset(b + sizeof b - 8, 0, 8);
        b[sizeof b - 8] = 59;
        b[sizeof b - 6] = 253; /* a Routing Type for experiments */
        b[sizeof b - 5] = (uint8_t)left;
        CHECK_EQ(host(b, sizeof b, &icmp),
                 left ? ROCECC_ARRIVAL_SEGMENTS_LEFT : ROCECC_ARRIVAL_OK);
        CHECK_EQ(icmp.value, left ? sizeof b - 6 : 0);
    }
}

/* The first check that fails determines the verdict. Each fault is corrected after its
 * verdict. */
TEST(arrival_returns_the_first_failed_check)
{
    static const uint8_t faulty[44] = {
        0x47, 0, 0, 60, 0, 0, 0, 0, 64, 17, 0, 0, 127, 0, 0, 1, 224, 0, 0, 1, 131, 3, 3,
        0x83, 9, 0, 0,  0, 0, 0, 0, 0,  0,  0, 0, 0,   0, 0, 0, 0,   0, 0, 0, 0};
    uint8_t b[60];
    rocecc_icmp_error icmp;
    memset(b, 0, sizeof b);
    memcpy(b, faulty, sizeof faulty);
    CHECK_EQ(host(b, 59, &icmp), ROCECC_ARRIVAL_PARTIAL);
    CHECK_EQ(host(b, 60, &icmp), ROCECC_ARRIVAL_BAD_CHECKSUM);
#define SUMMED()                                                                       \
    rocecc_store16(b + 10, rocecc_ipv4_checksum(rocecc_reader_of(b, b + 28)))
    SUMMED();
    CHECK_EQ(host(b, 60, &icmp), ROCECC_ARRIVAL_BAD_SOURCE);
    b[12] = 10;
    SUMMED();
    CHECK_EQ(host(b, 60, &icmp), ROCECC_ARRIVAL_BAD_DESTINATION);
    b[16] = 10;
    b[19] = 2;
    SUMMED();
    CHECK_EQ(host(b, 60, &icmp), ROCECC_ARRIVAL_SEGMENTS_LEFT);
    CHECK(icmp.type == 3 && icmp.code == 5);
    b[22] = 4; /* beyond its 3 bytes: this route has ended */
    SUMMED();
    CHECK_EQ(host(b, 60, &icmp), ROCECC_ARRIVAL_BAD_OPTIONS); /* 9 bytes, 5 are left */
    CHECK(icmp.type == 12 && icmp.code == 0 && icmp.value == 23);
    b[24] = 5;
    SUMMED();
    CHECK_EQ(host(b, 60, &icmp), ROCECC_ARRIVAL_SEGMENTS_LEFT); /* the second route */
    b[25] = 6;
    SUMMED();
    CHECK_EQ(host(b, 60, &icmp), ROCECC_ARRIVAL_OK);
#undef SUMMED
}

/* Kept headers give PARTIAL if bytes are missing. */
TEST(arrival_of_missing_bytes_is_partial)
{
    const rocecc_arrival_config c = {ROCECC_ARRIVAL_HOST, false, false};
    uint8_t b[56];
    rocecc_icmp_error icmp;
    rocecc_packet whole, p;
    size_t n;
    put_ipv6(b, 60, 16);
    (void)put_options(b + 40, 60, 0);
    (void)put_options(b + 48, 59, 0);
    (void)rocecc_packet_parse(&ip_domain, rocecc_reader_of(b, b + sizeof b), &whole);
    CHECK_EQ(rocecc_arrival_check(&c, &whole, &whole.headers.ip, &icmp),
             ROCECC_ARRIVAL_OK);
    CHECK_EQ(rocecc_arrival_check(&c, &whole, &whole.headers.outer, &icmp),
             ROCECC_ARRIVAL_NO_IP);
    for (n = 0; n < sizeof b; n++) {
        const uint8_t *at = guard_end(b, n);
        p = rocecc_packet_attach(&ip_domain, rocecc_reader_of(at, at + n),
                                 &whole.headers);
        CHECK_EQ(rocecc_arrival_check(&c, &p, &p.headers.ip, &icmp),
                 ROCECC_ARRIVAL_PARTIAL);
        p.headers.ip.end = (uint32_t)n; /* even if ip.end fits */
        CHECK_EQ(rocecc_arrival_check(&c, &p, &p.headers.ip, &icmp),
                 ROCECC_ARRIVAL_PARTIAL);
    }
}

/* Writes an IPv4 header of 60 bytes from 10.0.0.1 to 10.0.0.2, with NOP options. */
static void put_ipv4(uint8_t *b, uint8_t proto)
{
    memset(b, 0, 20);
    memset(b + 20, 1, 40);
    b[0] = 0x4f;
    b[3] = 60;
    b[8] = 64;
    b[9] = proto;
    b[12] = b[16] = 10;
    b[15] = 1;
    b[19] = 2;
}

static rocecc_arrival_verdict sum_and_check(uint8_t *b, rocecc_arrival_node node,
                                            rocecc_icmp_error *out)
{
    rocecc_arrival_config c = {ROCECC_ARRIVAL_HOST, false, false};
    rocecc_packet p;
    c.node = node;
    rocecc_store16(b + 10, 0);
    rocecc_store16(b + 10, rocecc_ipv4_checksum(rocecc_reader_of(b, b + 60)));
    (void)rocecc_packet_parse(&ip_domain, rocecc_reader_of(b, b + 60), &p);
    return rocecc_arrival_check(&c, &p, &p.headers.ip, out);
}

/*
 * Forty NOPs are accepted, and so is a source route without a pointer, because it names
 * no further address (RFC 791, 3.1). An option without its length, or with length 1, is
 * rejected.
 */
TEST(arrival_reads_ipv4_options_to_the_last_byte)
{
    uint8_t b[60];
    rocecc_icmp_error icmp;
    put_ipv4(b, 17);
    CHECK_EQ(sum_and_check(b, ROCECC_ARRIVAL_HOST, &icmp), ROCECC_ARRIVAL_OK);
    b[59] = 7;
    CHECK_EQ(sum_and_check(b, ROCECC_ARRIVAL_HOST, &icmp), ROCECC_ARRIVAL_BAD_OPTIONS);
    CHECK(icmp.type == 12 && icmp.code == 0 && icmp.value == 59);
    b[58] = 7;
    b[59] = 1;
    CHECK_EQ(sum_and_check(b, ROCECC_ARRIVAL_HOST, &icmp), ROCECC_ARRIVAL_BAD_OPTIONS);
    CHECK_EQ(icmp.value, 58);
    b[58] = 131;
    b[59] = 2;
    CHECK_EQ(sum_and_check(b, ROCECC_ARRIVAL_HOST, &icmp), ROCECC_ARRIVAL_OK);
}

/* AH over IPv4 causes Protocol Unreachable at a HOST (RFC 792), and nothing at a
 * FORWARDER. */
TEST(arrival_of_ah_over_ipv4_is_an_error_only_at_a_host)
{
    uint8_t b[60];
    rocecc_icmp_error icmp;
    put_ipv4(b, 51);
    CHECK_EQ(sum_and_check(b, ROCECC_ARRIVAL_HOST, &icmp),
             ROCECC_ARRIVAL_UNKNOWN_HEADER);
    CHECK(icmp.type == 3 && icmp.code == 2 && icmp.value == 0);
    CHECK_EQ(sum_and_check(b, ROCECC_ARRIVAL_FORWARDER, &icmp), ROCECC_ARRIVAL_OK);
}

/* If the IHL has changed since the walk, the verdict is PARTIAL or BAD_CHECKSUM. */
TEST(arrival_of_a_changed_ihl_is_partial_or_bad_checksum)
{
    const rocecc_arrival_config c = {ROCECC_ARRIVAL_HOST, false, false};
    uint8_t b[60];
    rocecc_icmp_error icmp;
    rocecc_packet whole, p;
    unsigned ihl;
    put_ipv4(b, 17);
    b[0] = 0x4e;
    rocecc_store16(b + 10, rocecc_ipv4_checksum(rocecc_reader_of(b, b + 56)));
    (void)rocecc_packet_parse(&ip_domain, rocecc_reader_of(b, b + 60), &whole);
    for (ihl = 0; ihl < 16; ihl++) {
        b[0] = (uint8_t)(0x40 | ihl);
        p = rocecc_packet_attach(&ip_domain, rocecc_reader_of(b, b + 60),
                                 &whole.headers);
        test_context("IHL %u", ihl);
        CHECK_EQ(rocecc_arrival_check(&c, &p, &p.headers.ip, &icmp),
                 ihl < 5 || ihl == 15 ? ROCECC_ARRIVAL_PARTIAL
                 : ihl == 14          ? ROCECC_ARRIVAL_OK
                                      : ROCECC_ARRIVAL_BAD_CHECKSUM);
    }
}

/* A host that accepts groups accepts only groups of the packet's version. In IPv6,
 * ::ffff:224.0.0.1 is not a group (RFC 4291, 2.5.5.2). */
TEST(arrival_accepts_groups_of_the_packets_version)
{
    const rocecc_arrival_config c = {ROCECC_ARRIVAL_HOST, true, false};
    static const struct {
        rocecc_ip6 dst;
        rocecc_arrival_verdict verdict;
    } rows[] = {
        {{{255, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, ROCECC_ARRIVAL_OK},
        {{{255, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, ROCECC_ARRIVAL_OK},
        {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 224, 0, 0, 1}},
         ROCECC_ARRIVAL_BAD_DESTINATION}};
    uint8_t b[60];
    rocecc_icmp_error icmp;
    rocecc_packet p;
    size_t i;
    for (i = 0; i < NOUN_COUNT(rows); i++) {
        put_ipv6(b, 59, 0);
        memcpy(b + 24, rows[i].dst.b, 16);
        (void)rocecc_packet_parse(&ip_domain, rocecc_reader_of(b, b + 40), &p);
        CHECK_EQ(rocecc_arrival_check(&c, &p, &p.headers.ip, &icmp), rows[i].verdict);
    }
    put_ipv4(b, 17);
    b[0] = 0x45;
    b[16] = 224;
    rocecc_store16(b + 10, rocecc_ipv4_checksum(rocecc_reader_of(b, b + 20)));
    (void)rocecc_packet_parse(&ip_domain, rocecc_reader_of(b, b + 60), &p);
    CHECK_EQ(rocecc_arrival_check(&c, &p, &p.headers.ip, &icmp), ROCECC_ARRIVAL_OK);
}

/* For a packet to a group, only an option with act bits 10 causes an error (RFC 4443,
 * 2.4 (e.3); RFC 8200, 4.2). */
TEST(arrival_sends_group_errors_only_for_act_bits_10)
{
    const rocecc_arrival_config c = {ROCECC_ARRIVAL_HOST, true, false};
    static const struct {
        uint8_t next, ext[8];
        rocecc_arrival_verdict verdict;
        unsigned type, code, value;
    } rows[] = {{60, {59, 0, 0x80, 4}, ROCECC_ARRIVAL_UNKNOWN_OPTION, 4, 2, 42},
                {60, {59, 0, 0xc0, 4}, ROCECC_ARRIVAL_UNKNOWN_OPTION, 0, 0, 0},
                {60, {59, 0, 0x40, 4}, ROCECC_ARRIVAL_UNKNOWN_OPTION, 0, 0, 0},
                {60, {59, 0, 0x1e, 5}, ROCECC_ARRIVAL_BAD_OPTIONS, 0, 0, 0},
                {43, {59, 0, 0xfd, 1}, ROCECC_ARRIVAL_SEGMENTS_LEFT, 0, 0, 0},
                {43, {59, 0, 0x80, 1}, ROCECC_ARRIVAL_SEGMENTS_LEFT, 0, 0, 0},
                {139, {59, 0, 0x80, 0}, ROCECC_ARRIVAL_UNKNOWN_HEADER, 0, 0, 0}};
    size_t i;
    for (i = 0; i < NOUN_COUNT(rows); i++) {
        uint8_t b[48];
        rocecc_icmp_error icmp;
        rocecc_packet p;
        put_ipv6(b, rows[i].next, 8);
        b[24] = 0xff;
        b[25] = 2;
        memcpy(b + 40, rows[i].ext, 8);
        (void)rocecc_packet_parse(&ip_domain, rocecc_reader_of(b, b + sizeof b), &p);
        test_context("row %zu", i);
        CHECK_EQ(rocecc_arrival_check(&c, &p, &p.headers.ip, &icmp), rows[i].verdict);
        CHECK(icmp.type == rows[i].type && icmp.code == rows[i].code);
        CHECK_EQ(icmp.value, rows[i].value);
    }
}

/* A Fast CNP option is known only in Destination Options, and only with `fastcnp`. Its
 * padding may differ from rocecc_fastcnp_emit()'s. */
TEST(arrival_accepts_fast_cnp_only_in_destination_options)
{
    static const struct {
        uint8_t next;
        bool fastcnp;
        rocecc_arrival_verdict verdict;
    } rows[] = {{60, true, ROCECC_ARRIVAL_OK},
                {60, false, ROCECC_ARRIVAL_UNKNOWN_OPTION},
                {0, true, ROCECC_ARRIVAL_UNKNOWN_OPTION},
                {0, false, ROCECC_ARRIVAL_UNKNOWN_OPTION}};
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .fastcnp = {.type_plain = 0x9e}};
    size_t i, pad;
    for (i = 0; i < NOUN_COUNT(rows); i++)
        for (pad = 0; pad < 2; pad++) { /* PadN as in emit(), or four Pad1 */
            const rocecc_arrival_config c = {ROCECC_ARRIVAL_HOST, false,
                                             rows[i].fastcnp};
            uint8_t b[64];
            rocecc_icmp_error icmp;
            rocecc_packet p;
            memset(b, 0, sizeof b);
            put_ipv6(b, rows[i].next, 24);
            rocecc_store32(b + 40, 0x3b029e10);
            rocecc_store32(b + 60, pad == 0 ? 0x01020000 : 0);
            (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
            test_context("row %zu, padding %zu", i, pad);
            CHECK_EQ(rocecc_arrival_check(&c, &p, &p.headers.ip, &icmp),
                     rows[i].verdict);
        }
    test_context("%s", "");
}

/* 12 bytes of Pad1 surround an option. At most 7 in a row are accepted. */
TEST(arrival_limits_padding_in_a_row)
{
    size_t before;
    for (before = 0; before <= 12; before++) {
        uint8_t b[56];
        rocecc_icmp_error icmp;
        put_ipv6(b, 60, 16);
        memset(b + 40, 0, 16);
        b[40] = 59;
        b[41] = 1;
        b[42 + before] = 0x1e;
        test_context("%zu before the option", before);
        CHECK_EQ(host(b, sizeof b, &icmp), before >= 5 && before <= 7
                                               ? ROCECC_ARRIVAL_OK
                                               : ROCECC_ARRIVAL_UNSUPPORTED);
        CHECK_EQ(icmp.type, 0);
    }
}

/* A host that accepts groups accepts 224.0.0.0/4, but not 240.0.0.0/4 (RFC 1112). */
TEST(arrival_rejects_class_e_addresses_as_groups)
{
    const rocecc_arrival_config c = {ROCECC_ARRIVAL_HOST, true, false};
    static const uint8_t first[] = {223, 224, 239, 240, 255};
    size_t i;
    for (i = 0; i < sizeof first; i++) {
        uint8_t b[60];
        rocecc_icmp_error icmp;
        rocecc_packet p;
        put_ipv4(b, 17);
        b[16] = first[i];
        rocecc_store16(b + 10, rocecc_ipv4_checksum(rocecc_reader_of(b, b + 60)));
        (void)rocecc_packet_parse(&ip_domain, rocecc_reader_of(b, b + 60), &p);
        test_context("to %u.0.0.2", (unsigned)first[i]);
        CHECK_EQ(rocecc_arrival_check(&c, &p, &p.headers.ip, &icmp),
                 first[i] < 240 ? ROCECC_ARRIVAL_OK : ROCECC_ARRIVAL_BAD_DESTINATION);
    }
}

/* An unfinished source route stops a packet only at a HOST, and a malformed option at
 * every node. */
TEST(arrival_forwarder_checks_the_form_of_ipv4_options)
{
    static const rocecc_arrival_node nodes[] = {ROCECC_ARRIVAL_HOST, ROCECC_ARRIVAL_SID,
                                                ROCECC_ARRIVAL_FORWARDER};
    size_t i;
    for (i = 0; i < NOUN_COUNT(nodes); i++) {
        uint8_t b[60];
        rocecc_icmp_error icmp;
        test_context("node %zu", i);
        put_ipv4(b, 17);
        b[20] = 131; /* a loose source route with one address left */
        b[21] = 7;
        b[22] = 4;
        CHECK_EQ(sum_and_check(b, nodes[i], &icmp),
                 i == 0 ? ROCECC_ARRIVAL_SEGMENTS_LEFT : ROCECC_ARRIVAL_OK);
        CHECK_EQ(icmp.type, i == 0 ? 3 : 0);
        b[20] = 7;
        b[21] = 41; /* beyond the 40 bytes */
        CHECK_EQ(sum_and_check(b, nodes[i], &icmp), ROCECC_ARRIVAL_BAD_OPTIONS);
        CHECK(icmp.type == 12 && icmp.value == 20);
    }
}

/* A FORWARDER rejects link-local addresses, namely 169.254.0.0/16, 224.0.0.0/24, and
 * IPv6 groups of scope 0 to 2. */
TEST(arrival_forwarder_rejects_link_local_addresses)
{
    static const struct {
        uint8_t src[2], dst[3];
        rocecc_arrival_verdict verdict;
    } v4[] = {{{169, 253}, {10, 0, 0}, ROCECC_ARRIVAL_OK},
              {{169, 254}, {10, 0, 0}, ROCECC_ARRIVAL_BAD_SOURCE},
              {{10, 0}, {169, 254, 0}, ROCECC_ARRIVAL_BAD_DESTINATION},
              {{10, 0}, {224, 0, 0}, ROCECC_ARRIVAL_BAD_DESTINATION},
              {{10, 0}, {224, 0, 1}, ROCECC_ARRIVAL_OK}};
    rocecc_arrival_config c = {ROCECC_ARRIVAL_HOST, true, false};
    uint8_t b[60];
    rocecc_icmp_error icmp;
    rocecc_packet p;
    size_t i;
    for (i = 0; i < NOUN_COUNT(v4); i++) {
        put_ipv4(b, 17);
        memcpy(b + 12, v4[i].src, 2);
        memcpy(b + 16, v4[i].dst, 3);
        rocecc_store16(b + 10, rocecc_ipv4_checksum(rocecc_reader_of(b, b + 60)));
        (void)rocecc_packet_parse(&ip_domain, rocecc_reader_of(b, b + 60), &p);
        test_context("row %zu", i);
        c.node = ROCECC_ARRIVAL_FORWARDER;
        CHECK_EQ(rocecc_arrival_check(&c, &p, &p.headers.ip, &icmp), v4[i].verdict);
        c.node = ROCECC_ARRIVAL_HOST;
        CHECK_EQ(rocecc_arrival_check(&c, &p, &p.headers.ip, &icmp), ROCECC_ARRIVAL_OK);
    }
    for (i = 0; i < 16; i++) {
        put_ipv6(b, 59, 0);
        b[24] = 0xff;
        b[25] = (uint8_t)i;
        (void)rocecc_packet_parse(&ip_domain, rocecc_reader_of(b, b + 40), &p);
        test_context("scope %zu", i);
        c.node = ROCECC_ARRIVAL_FORWARDER;
        CHECK_EQ(rocecc_arrival_check(&c, &p, &p.headers.ip, &icmp),
                 i <= 2 ? ROCECC_ARRIVAL_BAD_DESTINATION : ROCECC_ARRIVAL_OK);
    }
}
