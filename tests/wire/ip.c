/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ip.h"
#include "lib/noun.h"
#include "rocecc/wire/ip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

NOUN(ipv4, parse, false, ROCECC_IPV4_FIELDS);
NOUN(ipv6, parse, false, ROCECC_IPV6_FIELDS);
NOUN(ip6frag, parse, false, ROCECC_IP6FRAG_FIELDS);

/* Results of the calls. */
typedef struct answer {
    uint16_t checksum;
    rocecc_ip6 ip6;
    bool yes;
} answer;

/* A packet that a call has written. */
typedef struct view {
    rocecc_reader packet;
} view;

static const field answer_checksum[] = {FIELD_ROW(answer, UINT, checksum, NULL)};
static const field answer_ip6[] = {FIELD_ROW(answer, IP6, ip6, NULL)};
static const field answer_yes[] = {FIELD_ROW(answer, BOOL, yes, NULL)};

static rocecc_reader row_reader(const vec_row *row)
{
    const uint8_t *at = guard_end(row->bytes, row->n);
    return rocecc_reader_of(at, at + row->n);
}

static void check_checksum(const vec_row *row, uint16_t checksum)
{
    answer a = {0};
    a.checksum = checksum;
    noun_check_out(row, answer_checksum, 1, ROCECC_OK, &a);
}

/* Sets a member of a noun from an argument, in its text form. */
static void set_arg(const vec_row *row, const noun *n, const char *key, void *record)
{
    const char *value = vec_value(row->in, row->n_in, key);
    size_t f;
    for (f = 0; f < n->n_fields; f++)
        if (strcmp(n->fields[f].name, key) == 0) break;
    CHECK(value != NULL && f < n->n_fields && field_set(&n->fields[f], record, value));
}

static void call_ipv4_checksum(const vec_row *row)
{
    check_checksum(row, rocecc_ipv4_checksum(row_reader(row)));
}

static void call_checksum_update(const vec_row *row)
{
    const uint32_t sum = (uint32_t)noun_arg(row, "sum");
    check_checksum(row,
                   rocecc_checksum_final(rocecc_checksum_update(sum, row_reader(row))));
}

static void call_checksum_pseudo4(const vec_row *row)
{
    rocecc_ipv4 h = {0};
    uint32_t sum;
    set_arg(row, &ipv4_noun, "src", &h);
    set_arg(row, &ipv4_noun, "dst", &h);
    set_arg(row, &ipv4_noun, "protocol", &h);
    sum = rocecc_checksum_pseudo4(&h, (uint16_t)noun_arg(row, "length"));
    check_checksum(row,
                   rocecc_checksum_final(rocecc_checksum_update(sum, row_reader(row))));
}

static void call_checksum_pseudo6(const vec_row *row)
{
    rocecc_ipv6 h = {0};
    uint32_t sum;
    set_arg(row, &ipv6_noun, "src", &h);
    set_arg(row, &ipv6_noun, "dst", &h);
    sum = rocecc_checksum_pseudo6(&h, (uint8_t)noun_arg(row, "proto"),
                                  (uint32_t)noun_arg(row, "length"));
    check_checksum(row,
                   rocecc_checksum_final(rocecc_checksum_update(sum, row_reader(row))));
}

static void call_checksum_patch(const vec_row *row)
{
    check_checksum(row, rocecc_checksum_patch((uint16_t)noun_arg(row, "checksum"),
                                              (uint16_t)noun_arg(row, "was"),
                                              (uint16_t)noun_arg(row, "is")));
}

static void call_ip6_of_ip4(const vec_row *row)
{
    rocecc_ipv4 h = {0};
    answer a = {0};
    set_arg(row, &ipv4_noun, "src", &h);
    a.ip6 = rocecc_ip6_of_ip4(&h.src);
    CHECK(rocecc_ip6_is_ip4(&a.ip6));
    noun_check_out(row, answer_ip6, 1, ROCECC_OK, &a);
}

static void call_ip6_is_ip4(const vec_row *row)
{
    rocecc_ipv6 h = {0};
    answer a = {0};
    set_arg(row, &ipv6_noun, "src", &h);
    a.yes = rocecc_ip6_is_ip4(&h.src);
    noun_check_out(row, answer_yes, 1, ROCECC_OK, &a);
}

static void call_ip6_is_source(const vec_row *row)
{
    rocecc_ipv6 h = {0};
    answer a = {0};
    set_arg(row, &ipv6_noun, "src", &h);
    a.yes = rocecc_ip6_is_source(&h.src);
    noun_check_out(row, answer_yes, 1, ROCECC_OK, &a);
}

static void call_ip6_is_host(const vec_row *row)
{
    rocecc_ipv6 h = {0};
    answer a = {0};
    set_arg(row, &ipv6_noun, "src", &h);
    a.yes = rocecc_ip6_is_host(&h.src);
    noun_check_out(row, answer_yes, 1, ROCECC_OK, &a);
}

/* Checks a chain of headers. Without a type, HEX begins with the IPv6 header. */
static void call_ip6ext_next(const vec_row *row)
{
    const char *should = vec_value(row->out, row->n_out, "chain");
    rocecc_reader r = row_reader(row);
    rocecc_ip6ext ext;
    rocecc_status status;
    uint8_t type;
    char chain[256] = "-";
    size_t used = 0;
    if (vec_value(row->in, row->n_in, "type") == NULL) {
        rocecc_ipv6 h;
        CHECK_EQ(rocecc_ipv6_parse(&r, &h), ROCECC_OK);
        type = h.next_header;
    } else {
        type = (uint8_t)noun_arg(row, "type");
    }
    while ((status = rocecc_ip6ext_next(&r, &type, &ext)) == ROCECC_OK) {
        CHECK(used < sizeof chain - 16);
        used += (size_t)snprintf(chain + used, 16, "%s%u:%zu", used > 0 ? "+" : "",
                                 ext.type, rocecc_left(&ext.header));
    }
    CHECK_EQ(status == ROCECC_END ? ROCECC_OK : status, row->status);
    CHECK_EQ(row->n_out, 3);
    CHECK(should != NULL && strcmp(chain, should) == 0);
    CHECK_EQ(type, strtoull(vec_value(row->out, row->n_out, "type"), NULL, 0));
    CHECK_EQ(rocecc_left(&r),
             strtoull(vec_value(row->out, row->n_out, "left"), NULL, 0));
}

static const field ipv46_fields[] = {
    FIELD_ROW(rocecc_ipv46, UINT, version, NULL)
        FIELD_ROW(rocecc_ipv46, UINT, dscp, NULL)
            FIELD_ROW(rocecc_ipv46, UINT, ecn, NULL)
                FIELD_ROW(rocecc_ipv46, UINT, hops, NULL)
                    FIELD_ROW(rocecc_ipv46, UINT, bytes, NULL)};
static const field patched[] = {FIELD_ROW(view, VIEW, packet, NULL)};

static void call_ipv46_parse(const vec_row *row)
{
    rocecc_ipv46 h = {0};
    const rocecc_status status = rocecc_ipv46_parse(row_reader(row), &h);
    noun_check_out(row, ipv46_fields, NOUN_COUNT(ipv46_fields), status, &h);
}

/* Patches a header in place, before a guard page. A failure changes nothing. */
static void call_ipv46_patch(const vec_row *row)
{
    uint8_t *at = guard_end(row->bytes, row->n);
    view v = {{0}};
    const rocecc_status status = rocecc_ipv46_patch(rocecc_writer_of(at, at + row->n),
                                                    (rocecc_ecn)noun_arg(row, "ecn"),
                                                    (uint8_t)noun_arg(row, "hops"));
    if (status != ROCECC_OK) CHECK(memcmp(at, row->bytes, row->n) == 0);
    v.packet = rocecc_reader_of(at, at + row->n);
    noun_check_out(row, patched, 1, status, &v);
}

static const noun_call calls[] = {{"ipv46_parse", call_ipv46_parse},
                                  {"ipv46_patch", call_ipv46_patch},
                                  {"ipv4_checksum", call_ipv4_checksum},
                                  {"checksum_update", call_checksum_update},
                                  {"checksum_pseudo4", call_checksum_pseudo4},
                                  {"checksum_pseudo6", call_checksum_pseudo6},
                                  {"checksum_patch", call_checksum_patch},
                                  {"ip6_of_ip4", call_ip6_of_ip4},
                                  {"ip6_is_ip4", call_ip6_is_ip4},
                                  {"ip6_is_source", call_ip6_is_source},
                                  {"ip6_is_host", call_ip6_is_host},
                                  {"ip6ext_next", call_ip6ext_next}};

TEST(ip_vectors)
{
    const noun nouns[] = {ipv4_noun, ipv6_noun, ip6frag_noun};
    const noun_file file = {"ip", law_ip, nouns, 3, calls, NOUN_COUNT(calls)};
    noun_vectors(&file);
}

TEST(ip6frag_each_bit_belongs_to_one_member)
{
    noun_bits(&ip6frag_noun, ROCECC_IP6FRAG_BYTES);
}

/*
 * Does the checks of noun_bits() from bit `from` on, because earlier bits have no
 * member.
 */
static void check_bits(const noun *n, uint8_t first, size_t from, size_t bytes)
{
    uint8_t wire[64], back[64];
    uint64_t plain[32], flipped[32];
    size_t bit, f;
    int ground;
    CHECK(n->size <= sizeof plain);
    for (ground = 0; ground <= 0xff; ground += 0xff)
        for (bit = from; bit < 8 * bytes; bit++) {
            rocecc_reader r = rocecc_reader_of(wire, wire + bytes);
            rocecc_writer w = rocecc_writer_of(back, back + bytes);
            int changed = 0;
            test_context("%s, bit %zu over %02x", n->name, bit, (unsigned)ground);
            memset(wire, ground, bytes);
            wire[0] = (uint8_t)(first | (from < 8 ? ground & 0xf : 0));
            wire[2] |= 1; /* for IPv4, Total Length of at least 256 */
            CHECK_EQ(n->parse(&r, plain), ROCECC_OK);
            wire[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
            if (bit == 23 && from == 8) continue; /* needed by Total Length */
            r = rocecc_reader_of(wire, wire + bytes);
            CHECK_EQ(n->parse(&r, flipped), ROCECC_OK);
            for (f = 0; f < n->n_fields; f++)
                changed += !field_equal(&n->fields[f], plain, flipped);
            CHECK_EQ(changed, 1);
            CHECK_EQ(n->emit(&w, flipped), ROCECC_OK);
            CHECK(memcmp(wire, back, bytes) == 0);
        }
}

TEST(ipv4_each_bit_belongs_to_one_member)
{
    check_bits(&ipv4_noun, 0x45, 8, ROCECC_IPV4_BYTES);
}

TEST(ipv6_each_bit_belongs_to_one_member)
{
    check_bits(&ipv6_noun, 0x60, 4, ROCECC_IPV6_BYTES);
}

/* Every bit of ::ffff:0:0/96 counts. */
TEST(ip6_is_ip4_compares_all_96_bits)
{
    const rocecc_ip4 a = {{192, 0, 2, 1}};
    int bit;
    for (bit = 0; bit < 128; bit++) {
        rocecc_ip6 m = rocecc_ip6_of_ip4(&a);
        m.b[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        test_context("bit %d", bit);
        CHECK(rocecc_ip6_is_ip4(&m) == (bit >= 96));
    }
}

/*
 * Each octet counts for 169.254.0.0/16, 224.0.0.0/24, fe80::/10, and groups with the
 * scope of a node (ff01::) or a link (ff02::).
 */
TEST(ip6_link_local_prefixes_are_exact)
{
    static const struct {
        rocecc_ip6 address;
        bool yes;
    } rows[] = {{{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 169, 254, 1, 2}}, true},
                {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 169, 253, 0, 0}}, false},
                {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 168, 254, 0, 0}}, false},
                {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 224, 0, 0, 255}}, true},
                {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 224, 0, 1, 0}}, false},
                {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 224, 1, 0, 0}}, false},
                {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 225, 0, 0, 0}}, false},
                {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 254, 169, 254, 0, 0}}, false},
                {{{0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, true},
                {{{0xfe, 0xbf, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, true},
                {{{0xfe, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, false},
                {{{0xfe, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, false},
                {{{0xfd, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, false},
                {{{0xff, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, true},
                {{{0xff, 0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, true},
                {{{0xff, 0x03, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, false}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("row %zu", i);
        CHECK_EQ(rocecc_ip6_is_link_local(&rows[i].address), rows[i].yes);
    }
}

/* Every type with short and long headers. A byte less than the length gives SHORT. */
TEST(ip6ext_next_needs_the_whole_header)
{
    static uint8_t bytes[2048];
    int type, len;
    for (type = 0; type < 256; type++)
        for (len = 0; len < 256; len++) {
            const size_t n = law_ip6ext_bytes((uint8_t)type, (uint8_t)len);
            const uint8_t *at;
            uint8_t next = (uint8_t)type;
            rocecc_reader r;
            rocecc_ip6ext ext;
            if (len > 3 && len < 253) continue;
            bytes[0] = 17;
            bytes[1] = (uint8_t)len;
            test_context("type %d, length %d", type, len);
            at = guard_end(bytes, n);
            r = rocecc_reader_of(at, at + n);
            CHECK_EQ(rocecc_ip6ext_next(&r, &next, &ext), n > 0 ? ROCECC_OK
                                                          : type == 50
                                                              ? ROCECC_ERR_UNSUPPORTED
                                                              : ROCECC_END);
            CHECK_EQ(next, n > 0 ? 17 : type);
            CHECK_EQ(r.at, n);
            if (n == 0) continue;
            at = guard_end(bytes, n - 1);
            r = rocecc_reader_of(at, at + n - 1);
            next = (uint8_t)type;
            CHECK_EQ(rocecc_ip6ext_next(&r, &next, &ext), ROCECC_ERR_SHORT);
            CHECK(next == type && r.at == 0);
        }
}

/* The walk has no limit of its own, so the host must bound its loop. */
TEST(ip6ext_walk_is_not_limited)
{
    static uint8_t bytes[8 * 100];
    rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
    rocecc_ip6ext ext;
    uint8_t type = 0;
    int n = 0;
    while (rocecc_ip6ext_next(&r, &type, &ext) == ROCECC_OK)
        n++;
    CHECK_EQ(n, 100);
    CHECK_EQ(type, 0);
}

static uint16_t sum_of(uint16_t a, uint16_t b, uint16_t c)
{
    uint8_t bytes[6];
    rocecc_store16(bytes, a);
    rocecc_store16(bytes + 2, b);
    rocecc_store16(bytes + 4, c);
    return rocecc_checksum_final(
        rocecc_checksum_update(0, rocecc_reader_of(bytes, bytes + sizeof bytes)));
}

/*
 * A patch gives the result of a new sum, unless all words are 0 after it (RFC 1624, 3
 * and 4). Then the new sum gives 0xffff, and the patch 0, even if all words were 0
 * before it.
 */
TEST(ip_checksum_patch_equals_a_new_sum_unless_all_are_0)
{
    static const uint16_t edge[] = {0,      1,      2,      0x00ff, 0x0100,
                                    0x5555, 0x7fff, 0x8000, 0xaaaa, 0xcd7a,
                                    0xfeff, 0xff00, 0xfffe, 0xffff};
    size_t a, b, was, is;
    for (a = 0; a < NOUN_COUNT(edge); a++)
        for (b = 0; b < NOUN_COUNT(edge); b++)
            for (was = 0; was < NOUN_COUNT(edge); was++)
                for (is = 0; is < NOUN_COUNT(edge); is++) {
                    const uint16_t old = sum_of(edge[a], edge[was], edge[b]);
                    const uint16_t new = sum_of(edge[a], edge[is], edge[b]);
                    const bool zeros = edge[a] == 0 && edge[b] == 0 && edge[is] == 0;
                    test_context("%04x %04x: %04x to %04x", edge[a], edge[b], edge[was],
                                 edge[is]);
                    CHECK_EQ(rocecc_checksum_patch(old, edge[was], edge[is]),
                             zeros ? 0 : new);
                    if (zeros) CHECK_EQ(new, 0xffff);
                }
}

/* The sum may start with any 32 bits, and take 2^17 words of ffff. */
TEST(ip_checksum_keeps_every_carry)
{
    static uint8_t bytes[1 << 18];
    uint64_t state = 1;
    int i;
    memset(bytes, 0xff, sizeof bytes);
    CHECK_EQ(rocecc_checksum_final(rocecc_checksum_update(
                 0xffffffff, rocecc_reader_of(bytes, bytes + sizeof bytes))),
             0);
    for (i = 0; i < 100000; i++) {
        const uint32_t sum = test_random(&state);
        const uint32_t word = test_random(&state) & 0xffff;
        uint8_t b[2];
        rocecc_store16(b, (uint16_t)word);
        test_context("sum %08x, word %04x", (unsigned)sum, (unsigned)word);
        CHECK_EQ((0xffffu ^ rocecc_checksum_final(rocecc_checksum_update(
                                sum, rocecc_reader_of(b, b + 2)))) %
                     0xffff,
                 ((uint64_t)sum + word) % 0xffff);
    }
}

/* A value too wide loses its high bits in store() and changes no other field. */
TEST(ip6frag_store_drops_high_bits)
{
    rocecc_ip6frag h = {0};
    uint8_t b[8];
    h.fragment_offset = 0xffff;
    rocecc_ip6frag_store(b, &h);
    CHECK_EQ(rocecc_load32(b), 0xfff8);
    h.fragment_offset = 0;
    h.res = 0xff;
    rocecc_ip6frag_store(b, &h);
    CHECK_EQ(rocecc_load32(b), 6);
}

/*
 * IPv4 options of up to 44 bytes, too long for a row. Only multiples of 4 bytes, up to
 * 40, fit.
 */
TEST(ipv4_options_have_up_to_40_bytes_of_whole_words)
{
    static uint8_t data[44], out[64];
    rocecc_ipv4 h = {0};
    size_t n;
    h.total_length = 60;
    for (n = 0; n <= sizeof data; n++) {
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        const bool fits = n % 4 == 0 && n <= 40;
        test_context("%zu bytes of options", n);
        h.options = rocecc_reader_of(data, data + n);
        CHECK_EQ(rocecc_ipv4_emit(&w, &h), fits ? ROCECC_OK : ROCECC_ERR_RANGE);
        CHECK_EQ(w.at, fits ? 20 + n : 0);
    }
}

/* After a store of ECN or TTL, a right checksum is right, and a wrong one is wrong. */
TEST(ipv4_store_of_ecn_or_ttl_updates_the_checksum)
{
    uint64_t state = 1;
    uint64_t round;
    for (round = test_rounds(200000); round > 0; round--) {
        uint8_t b[20], was[20];
        int i;
        const rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
        const uint8_t ttl = (uint8_t)(test_random(&state) >> 8);
        const rocecc_ecn ecn = (rocecc_ecn)(test_random(&state) >> 8 & 7);
        for (i = 0; i < 20; i++)
            b[i] = (uint8_t)(test_random(&state) >> 8);
        b[0] = 0x45;
        if (round % 2 == 0) rocecc_store16(b + 10, rocecc_ipv4_checksum(r));
        memcpy(was, b, sizeof b);
        test_context("round %llu from the end", (unsigned long long)round);
        rocecc_ipv4_ecn_store(b, ecn);
        CHECK_EQ(b[1], (was[1] & 0xfc) | ((unsigned)ecn & 3));
        rocecc_ipv4_ttl_store(b, ttl);
        CHECK_EQ(b[8], ttl);
        CHECK_EQ(rocecc_checksum_final(rocecc_checksum_update(0, r)),
                 rocecc_checksum_final(rocecc_checksum_update(
                     0, rocecc_reader_of(was, was + sizeof was))));
        was[1] = b[1];
        was[8] = b[8];
        memcpy(was + 10, b + 10, 2);
        CHECK(memcmp(b, was, sizeof b) == 0);
    }
}

/* Every Traffic Class with every ECN. Bits of `ecn` above the field are ignored. */
TEST(ipv6_store_changes_only_ecn_or_hop_limit)
{
    int class, ecn;
    for (class = 0; class < 256; class ++)
        for (ecn = 0; ecn < 8; ecn++) {
            uint8_t b[8] = {0x60, 0x0f, 0xff, 0xff, 1, 2, 3, 4};
            rocecc_store16(b, (uint16_t)(0x600f | class << 4));
            test_context("class %d, ecn %d", class, ecn);
            rocecc_ipv6_ecn_store(b, (rocecc_ecn)ecn);
            CHECK_EQ(rocecc_load16(b), 0x600f | (class & 0xfc) << 4 | (ecn & 3) << 4);
            rocecc_ipv6_hop_limit_store(b, 0xee);
            CHECK_EQ(rocecc_load32(b + 4), 0x010203ee);
        }
}

/*
 * Payload Length 0 and a Hop-by-Hop header together are a jumbogram (RFC 2675, 3), but
 * neither alone.
 */
TEST(ipv46_rejects_jumbograms)
{
    static const struct {
        uint8_t length, next;
        rocecc_status status;
    } rows[] = {{0, ROCECC_PROTO_HOPOPTS, ROCECC_ERR_UNSUPPORTED},
                {8, ROCECC_PROTO_HOPOPTS, ROCECC_OK},
                {0, ROCECC_PROTO_UDP, ROCECC_OK},
                {0, 59, ROCECC_OK}}; /* nothing follows */
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t b[48] = {0x60};
        rocecc_ipv46 h;
        b[5] = rows[i].length;
        b[6] = rows[i].next;
        b[7] = 64;
        test_context("row %u", (unsigned)i);
        CHECK_EQ(rocecc_ipv46_parse(rocecc_reader_of(b, b + sizeof b), &h),
                 rows[i].status);
        if (rows[i].status != ROCECC_OK) continue;
        CHECK(h.version == 6 && h.hops == 64);
        CHECK_EQ(h.bytes, 40u + rows[i].length);
    }
}

/* Only ipv46_parse() rejects Version 5 from one byte, without a whole header. */
TEST(ipv46_rejects_a_version_from_one_byte)
{
    static const uint8_t b[20] = {0x50};
    rocecc_reader r = rocecc_reader_of(b, b + 1);
    rocecc_ipv46 h46;
    rocecc_ipv4 h4;
    rocecc_ipv6 h6;
    CHECK_EQ(rocecc_ipv46_parse(r, &h46), ROCECC_ERR_FORMAT);
    CHECK_EQ(rocecc_ipv4_parse(&r, &h4), ROCECC_ERR_SHORT);
    CHECK_EQ(rocecc_ipv6_parse(&r, &h6), ROCECC_ERR_SHORT);
    r = rocecc_reader_of(b, b + 20);
    CHECK_EQ(rocecc_ipv4_parse(&r, &h4), ROCECC_ERR_FORMAT);
    CHECK_EQ(rocecc_ipv6_parse(&r, &h6), ROCECC_ERR_SHORT);
}

/* IHL 15 and Total Length 59 give FORMAT, although the options are missing. */
TEST(ipv4_total_length_is_checked_before_the_options)
{
    uint8_t b[20] = {0x4f, 0, 0, 59};
    rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
    rocecc_ipv4 h;
    CHECK_EQ(rocecc_ipv4_parse(&r, &h), ROCECC_ERR_FORMAT);
    b[3] = 60;
    CHECK_EQ(rocecc_ipv4_parse(&r, &h), ROCECC_ERR_SHORT);
    CHECK_EQ(r.at, 0);
}

/* A wide value without room gives RANGE, because more room does not help. */
TEST(ip_range_precedes_space)
{
    rocecc_writer w = rocecc_writer_of(NULL, NULL);
    rocecc_ipv4 h4 = {0};
    rocecc_ipv6 h6 = {0};
    rocecc_ip6frag frag = {0};
    h4.options = rocecc_reader_of(NULL, NULL);
    h4.total_length = 20;
    CHECK_EQ(rocecc_ipv4_emit(&w, &h4), ROCECC_ERR_SPACE);
    CHECK_EQ(rocecc_ipv6_emit(&w, &h6), ROCECC_ERR_SPACE);
    CHECK_EQ(rocecc_ip6frag_emit(&w, &frag), ROCECC_ERR_SPACE);
    h4.dscp = 64;
    h6.flow_label = 1u << 20;
    frag.res = 4;
    CHECK_EQ(rocecc_ipv4_emit(&w, &h4), ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_ipv6_emit(&w, &h6), ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_ip6frag_emit(&w, &frag), ROCECC_ERR_RANGE);
}

/* The caller must stop at a later fragment, or its data is read as headers. */
TEST(ip6ext_next_does_not_stop_at_a_fragment)
{
    static const uint8_t b[16] = {60, 0, 0, 8, 0, 0, 0, 1, /* offset 1, then data */
                                  17, 0, 1, 4, 0, 0, 0, 0};
    rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
    uint8_t type = ROCECC_PROTO_FRAGMENT;
    rocecc_ip6ext ext;
    CHECK_EQ(rocecc_ip6ext_next(&r, &type, &ext), ROCECC_OK);
    CHECK(ext.type == ROCECC_PROTO_FRAGMENT && type == 60 && r.at == 8);
    CHECK_EQ(rocecc_ip6frag_load(b + ext.header.at).fragment_offset, 1);
    CHECK_EQ(rocecc_ip6ext_next(&r, &type, &ext), ROCECC_OK);
    CHECK(ext.type == 60 && type == 17 && r.at == 16);
}

/* Groups are 224.0.0.0/4 and ff00::/8. The broadcast address is not a group. */
TEST(ip6_group_prefixes_are_exact)
{
    static const struct {
        rocecc_ip6 address;
        bool yes;
    } rows[] = {{{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 223, 255, 0, 1}}, false},
                {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 224, 0, 0, 0}}, true},
                {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 239, 255, 0, 1}}, true},
                {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 240, 0, 0, 1}}, false},
                {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255}}, false},
                {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 254, 224, 0, 0, 1}}, false},
                {{{0xff}}, true},
                {{{0xff, 0x0e, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, true},
                {{{0xfe, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, false}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("row %zu", i);
        CHECK_EQ(rocecc_ip6_is_group(&rows[i].address), rows[i].yes);
    }
}

/* The reserved scope 0 counts as link-local, but loopback and broadcast do not. */
TEST(ip6_is_link_local_for_scope_0_but_not_for_loopback)
{
    static const rocecc_ip6 scope_0 = {{0xff, 0x10, 0, 0, 0, 0, 0, 1}};
    static const rocecc_ip6 others[] = {
        {{0}},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1}},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255}}};
    size_t i;
    CHECK(rocecc_ip6_is_link_local(&scope_0));
    for (i = 0; i < sizeof others / sizeof others[0]; i++)
        CHECK(!rocecc_ip6_is_link_local(&others[i]));
}
