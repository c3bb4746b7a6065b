/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/icrc.h"
#include "lib/crc_bits.h"
#include "lib/frame.h"
#include "lib/guard.h"
#include "lib/icrc_hook.h"
#include "lib/icrc_table.h"
#include "lib/noun.h"
#include "lib/tell.h"
#include "rocecc/packet/build.h"
#include "rocecc/packet/icrc.h"
#include "rocecc/packet/udp.h"
#include "rocecc/wire/icrc.h"

#include <stdlib.h>
#include <string.h>

static const field icrc_fields[] = {ICRC_FIELDS(FIELD_ROW, rocecc_icrc)};

/* Returns the rule that a row names, or AUTO. */
static rocecc_icrc_rule rule_of(const vec_pair *pairs, size_t n)
{
    rocecc_icrc record = {0, 0, false, ROCECC_ICRC_AUTO};
    const char *value = vec_value(pairs, n, "rule");
    if (value != NULL && !field_set(&icrc_fields[3], &record, value))
        test_fail(__FILE__, __LINE__, "no rule %s", value);
    return record.rule;
}

/* Returns an ICRC from the four wire bytes in a row. */
static uint32_t wire_value(const vec_pair *pairs, size_t n, const char *key)
{
    const char *text = vec_value(pairs, n, key);
    uint8_t b[VEC_BYTES] = {0};
    size_t bytes = 0;
    if (text == NULL || !vec_hex(text, b, &bytes) || bytes != 4)
        test_fail(__FILE__, __LINE__, "no ICRC %s", key);
    return rocecc_icrc_load(b);
}

static bool begins_with_ip(const vec_row *row)
{
    const char *link = vec_value(row->in, row->n_in, "link");
    return link != NULL && strcmp(link, "ip") == 0;
}

static rocecc_packet packet_of(const vec_row *row)
{
    static const rocecc_domain domains[2] = {{.link = ROCECC_LINK_ETHER, .ah = true},
                                             {.link = ROCECC_LINK_IP, .ah = true}};
    const uint8_t *at = guard_end(row->bytes, row->n);
    rocecc_packet p;
    (void)rocecc_packet_parse(&domains[begins_with_ip(row)],
                              rocecc_reader_of(at, at + row->n), &p);
    return p;
}

static void call_icrc_verify(const vec_row *row)
{
    rocecc_icrc icrc = {1, 2, true, 77};
    const rocecc_packet p = packet_of(row);
    const rocecc_status status =
        rocecc_icrc_verify(rule_of(row->in, row->n_in), &p, &icrc);
    CHECK_EQ(status, row->status);
    if (status != ROCECC_OK) { /* nothing written */
        CHECK(icrc.value == 1 && icrc.computed == 2 && icrc.ok && icrc.rule == 77);
        return;
    }
    CHECK_EQ(icrc.value, wire_value(row->out, row->n_out, "value"));
    CHECK_EQ(icrc.computed, wire_value(row->out, row->n_out, "computed"));
    CHECK_EQ(icrc.ok, vec_value(row->out, row->n_out, "ok") != NULL);
    CHECK_EQ(icrc.rule, rule_of(row->out, row->n_out));
}

static void call_icrc_emplace(const vec_row *row)
{
    static uint8_t bytes[VEC_BYTES];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    const rocecc_packet p = packet_of(row);
    rocecc_status status;
    CHECK(rocecc_append(&w, p.bytes, sizeof bytes));
    status = rocecc_icrc_emplace(rule_of(row->in, row->n_in), &p, w);
    CHECK_EQ(status, row->status);
    if (status != ROCECC_OK) {
        CHECK(memcmp(bytes, row->bytes, row->n) == 0);
        return;
    }
    CHECK_EQ(rocecc_icrc_load(bytes + p.headers.end - 4),
             wire_value(row->out, row->n_out, "icrc"));
    CHECK(memcmp(bytes, row->bytes, p.headers.end - 4) == 0);
}

static void call_icrc_patch(const vec_row *row)
{
    static const field view = FIELD_AT("", VIEW, 0, sizeof(rocecc_reader), NULL);
    rocecc_reader was, is;
    uint32_t icrc = wire_value(row->in, row->n_in, "icrc");
    CHECK(field_set(&view, &was, vec_value(row->in, row->n_in, "was")));
    CHECK(field_set(&view, &is, vec_value(row->in, row->n_in, "is")));
    CHECK_EQ(rocecc_icrc_patch(&icrc, was, is, (uint32_t)noun_arg(row, "after")),
             row->status);
    if (row->status == ROCECC_OK)
        CHECK_EQ(icrc, wire_value(row->out, row->n_out, "icrc"));
}

static const noun_call calls[] = {{"icrc_verify", call_icrc_verify},
                                  {"icrc_emplace", call_icrc_emplace},
                                  {"icrc_patch", call_icrc_patch}};
static const noun_file file = {"icrc", law_icrc, NULL, 0, calls, NOUN_COUNT(calls)};

TEST(icrc_vectors)
{
    noun_frame_vectors(&file);
}

/* Checks that a packet with IFA or INT has the same ICRC as without them, by every
 * rule, if it is computed, verified, written and streamed. */
static void told(const vec_row *row, void *arg)
{
    const rocecc_domain c = {.link = ROCECC_LINK_IP,
                             .ifa = {.protocol = TELL_PROTOCOL, .layout_a = 1},
                             .intmd = {.udp_port = TELL_PORT}};
    static uint8_t bytes[VEC_BYTES + TELL_MORE], was[VEC_BYTES + TELL_MORE];
    const size_t start = begins_with_ip(row) ? 0 : 14;
    int how, *seen = arg;
    unsigned rule;
    if (strcmp(row->noun, "icrc_verify") != 0 || row->status != ROCECC_OK ||
        row->n < start + 20)
        return;
    for (how = 0; how < TELL_HOWS; how++) {
        const size_t before = row->n - start;
        rocecc_packet plain, p;
        size_t n;
        test_context("%s, %d", row->id, how);
        memcpy(was, row->bytes + start, before);
        memcpy(bytes, was, before);
        if (rocecc_packet_parse(&c, rocecc_reader_of(was, was + before), &plain) !=
                ROCECC_OK ||
            plain.headers.outer.version != 0)
            continue;
        n = tell(bytes, before, (tell_how)how);
        if (n == 0) continue; /* AH */
        CHECK_EQ(rocecc_packet_parse(&c, rocecc_reader_of(bytes, bytes + n), &p),
                 ROCECC_OK);
        CHECK(rocecc_packet_has_telemetry(&p));
        for (rule = ROCECC_ICRC_AUTO; rule <= ROCECC_ICRC_NONE; rule++) {
            const rocecc_icrc_rule by = (rocecc_icrc_rule)rule;
            rocecc_icrc a = {1, 2, true, 77}, b = {1, 2, true, 77};
            uint32_t sent = 77, state = 77;
            rocecc_reader body = p.bytes;
            test_context("%s, %d, rule %u", row->id, how, rule);
            CHECK_EQ(rocecc_icrc_verify(by, &p, &b),
                     rocecc_icrc_verify(by, &plain, &a));
            CHECK(a.value == b.value && a.computed == b.computed && a.ok == b.ok &&
                  a.rule == b.rule);
            CHECK_EQ(rocecc_icrc_compute(by, &p, &state),
                     rocecc_icrc_compute(by, &plain, &sent));
            CHECK_EQ(state, sent);
            if (b.ok) seen[how]++;
            if (rule == ROCECC_ICRC_NONE ||
                rocecc_icrc_init(by, &p, &state) != ROCECC_OK)
                continue;
            body = rocecc_subrange(body, p.headers.bth + 12u, p.headers.end - 4);
            CHECK_EQ(rocecc_icrc_final(rocecc_icrc_update(state, body)), sent);
            memset(bytes + p.headers.end - 4, 0, 4);
            CHECK_EQ(rocecc_icrc_emplace(by, &p, rocecc_writer_of(bytes, bytes + n)),
                     ROCECC_OK);
            CHECK_EQ(rocecc_icrc_load(bytes + p.headers.end - 4), sent);
            memcpy(bytes + p.headers.end - 4, was + plain.headers.end - 4, 4);
        }
        p.bytes.end = p.headers.end - 1u;
        CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &(rocecc_icrc){0}),
                 ROCECC_ERR_SHORT);
    }
}

TEST(icrc_is_the_same_with_telemetry)
{
    int seen[TELL_HOWS] = {0};
    vec_read("vectors/icrc.vec", told, seen);
    CHECK(seen[TELL_IFA] > 10 && seen[TELL_INTMD] > 10 && seen[TELL_INTMD_UDP] > 10);
}

/* update() gives the CRC's check value, and ROCECC_ICRC_START after 8 bytes of ones. */
TEST(icrc_update_gives_the_check_value)
{
    static const uint8_t digits[] = "123456789";
    static const uint8_t ones[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    CHECK_EQ(rocecc_icrc_final(
                 rocecc_icrc_update(0xffffffffu, rocecc_reader_of(digits, digits + 9))),
             0xcbf43926u);
    CHECK_EQ(rocecc_icrc_update(0xffffffffu, rocecc_reader_of(ones, ones + 8)),
             ROCECC_ICRC_START);
}

/* Every table gives the same result, at every length and alignment. */
TEST(icrc_tables_give_the_same_crc)
{
    static uint8_t bytes[64];
    uint64_t random = 2;
    size_t from, to;
    for (from = 0; from < sizeof bytes; from++)
        bytes[from] = (uint8_t)test_random(&random);
    for (from = 0; from < 16; from++)
        for (to = from; to <= sizeof bytes; to++) {
            const uint32_t start = test_random(&random);
            const uint32_t bitwise = icrc_table_0(start, bytes + from, to - from);
            test_context("bytes %zu to %zu", from, to);
            CHECK_EQ(icrc_table_64(start, bytes + from, to - from), bitwise);
            CHECK_EQ(icrc_table_1024(start, bytes + from, to - from), bitwise);
            CHECK_EQ(icrc_table_8192(start, bytes + from, to - from), bitwise);
            CHECK_EQ(icrc_table_16384(start, bytes + from, to - from), bitwise);
        }
    for (from = 0; from < 256; from++) { /* every entry of every table */
        const uint8_t run[17] = {(uint8_t)from,
                                 1,
                                 2,
                                 3,
                                 4,
                                 5,
                                 6,
                                 7,
                                 (uint8_t)from,
                                 9,
                                 10,
                                 11,
                                 12,
                                 13,
                                 14,
                                 15,
                                 16};
        uint8_t row[17] = {0};
        for (to = 1; to <= 17; to++) {
            const uint32_t bitwise = icrc_table_0(0, run, to);
            CHECK_EQ(icrc_table_64(0, run, to), bitwise);
            CHECK_EQ(icrc_table_1024(0, run, to), bitwise);
            CHECK_EQ(icrc_table_8192(0, run, to), bitwise);
            CHECK_EQ(icrc_table_16384(0, run, to), bitwise);
        }
        for (to = 0; to < 16; to++) {
            row[to] = (uint8_t)from;
            CHECK_EQ(icrc_table_8192(0, row, 16), icrc_table_0(0, row, 16));
            CHECK_EQ(icrc_table_16384(0, row, 16), icrc_table_0(0, row, 16));
            row[to] = 0;
        }
    }
}

/* Checks that an ICRC streamed in two pieces is the same, at every split. */
static void split(const vec_row *row, void *arg)
{
    rocecc_icrc icrc;
    const rocecc_packet p = packet_of(row);
    rocecc_packet headers = p; /* bytes after the headers may lie elsewhere */
    size_t at, *n = arg;
    if (strcmp(row->noun, "icrc_verify") != 0 || row->status != ROCECC_OK) return;
    if (rocecc_icrc_verify(rule_of(row->in, row->n_in), &p, &icrc) != ROCECC_OK ||
        icrc.rule == ROCECC_ICRC_NONE)
        return;
    headers.bytes.end = p.headers.bth + 12u;
    for (at = p.headers.bth + 12u; at <= p.headers.end - 4; at++) {
        uint32_t state = 0;
        test_context("%s, split at %zu", row->id, at);
        CHECK_EQ(rocecc_icrc_init(icrc.rule, &headers, &state), ROCECC_OK);
        state = rocecc_icrc_update(state,
                                   rocecc_subrange(p.bytes, p.headers.bth + 12u, at));
        state =
            rocecc_icrc_update(state, rocecc_subrange(p.bytes, at, p.headers.end - 4));
        CHECK_EQ(rocecc_icrc_final(state), icrc.computed);
        ++*n;
    }
}

TEST(icrc_of_split_bytes_is_the_same)
{
    size_t n = 0;
    vec_read("vectors/icrc.vec", split, &n);
    CHECK(n > 500);
}

/*
 * Returns true if the ICRC masks this bit, in packets without extension headers. If a
 * masked bit flips, the ICRC stays right. If any other bit flips, the ICRC is wrong or
 * cannot be verified.
 */
static bool is_masked(const rocecc_packet *p, size_t at, unsigned bit)
{
    const size_t ip = p->headers.grh != 0 ? p->headers.grh : p->headers.ip.offset;
    if (at == p->headers.bth + 4u) return true;
    if (p->headers.udp != 0 && (at == p->headers.udp + 6u || at == p->headers.udp + 7u))
        return true;
    if (p->headers.ip.version == 4)
        return at == ip + 1 || at == ip + 8 || at == ip + 10 || at == ip + 11;
    return (at == ip && bit < 4) || (at > ip && at < ip + 4) || at == ip + 7;
}

static void flip(const vec_row *row, void *arg)
{
    vec_row changed = *row;
    const rocecc_packet p = packet_of(row);
    rocecc_packet g;
    rocecc_icrc icrc;
    size_t bit, *n = arg;
    if (strcmp(row->noun, "icrc_verify") != 0 || row->status != ROCECC_OK ||
        p.headers.ip.n_ext != 0 || p.headers.outer.version != 0)
        return;
    if (rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc) != ROCECC_OK || !icrc.ok)
        return;
    for (bit = 8 * (p.headers.grh != 0 ? p.headers.grh : p.headers.ip.offset);
         bit < 8 * p.headers.end; bit++) {
        rocecc_status status;
        test_context("%s, bit %zu", row->id, bit);
        changed.bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        g = packet_of(&changed);
        status = rocecc_icrc_verify(ROCECC_ICRC_AUTO, &g, &icrc);
        if (is_masked(&p, bit / 8, 7 - bit % 8))
            CHECK(status == ROCECC_OK && icrc.ok);
        else
            CHECK(status != ROCECC_OK || !icrc.ok);
        changed.bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        ++*n;
    }
}

TEST(icrc_finds_every_flipped_bit)
{
    size_t n = 0;
    vec_read("vectors/icrc.vec", flip, &n);
    CHECK(n > 5000);
}

/* After random edits of random messages, the patched ICRC equals the computed one. */
TEST(icrc_patch_equals_a_new_icrc)
{
    static uint8_t was[4096], is[4096];
    uint64_t random = 3;
    uint64_t rounds = test_rounds(3000);
    for (; rounds > 0; rounds--) {
        const size_t n = test_random(&random) % sizeof was + 1;
        const size_t from = test_random(&random) % n;
        const size_t to = from + test_random(&random) % (n - from + 1);
        const uint32_t start = test_random(&random);
        uint32_t icrc;
        size_t i;
        for (i = 0; i < n; i++)
            is[i] = was[i] = (uint8_t)(test_random(&random) >> 24);
        for (i = from; i < to; i++)
            is[i] = (uint8_t)(test_random(&random) >> 24);
        test_context("bytes %zu to %zu of %zu", from, to, n);
        icrc = ~icrc_table_0(start, was, n);
        CHECK_EQ(rocecc_icrc_patch(&icrc, rocecc_reader_of(was + from, was + to),
                                   rocecc_reader_of(is + from, is + to),
                                   (uint32_t)(n - to)),
                 ROCECC_OK);
        CHECK_EQ(icrc, ~icrc_table_0(start, is, n));
    }
}

/* A change counts as its CRC times x^(8 after). This is checked step by step for up to
 * 4,200 bytes after the change, and for each 4 bits of a 32-bit `after`. */
TEST(icrc_patch_counts_the_bytes_after_a_change)
{
    static const uint8_t was = 0,
                         is = 0x80; /* 0x80, reflected, is x^0 before the CRC */
    const uint8_t zero = 0;
    uint32_t after, icrc, expect = icrc_table_0(0, &is, 1);
    int i, k;
    for (after = 0; after <= 4200; after++) {
        test_context("%u bytes after", (unsigned)after);
        icrc = 0;
        CHECK_EQ(rocecc_icrc_patch(&icrc, rocecc_reader_of(&was, &was + 1),
                                   rocecc_reader_of(&is, &is + 1), after),
                 ROCECC_OK);
        CHECK_EQ(icrc, expect);
        expect = icrc_table_0(expect, &zero, 1);
    }
    for (k = 0; k < 8; k++) { /* x^(8 i 16^k) x^(8 j) is x^(8 (i 16^k + j)) */
        for (i = 1; i < 16; i++) {
            const uint32_t n = (uint32_t)i << 4 * k;
            uint32_t less = 0, step;
            test_context("%d times 16^%d bytes after", i, k);
            icrc = 0;
            (void)rocecc_icrc_patch(&icrc, rocecc_reader_of(&was, &was + 1),
                                    rocecc_reader_of(&is, &is + 1), n);
            (void)rocecc_icrc_patch(&less, rocecc_reader_of(&was, &was + 1),
                                    rocecc_reader_of(&is, &is + 1), n - 1);
            step = icrc_table_0(less, &zero, 1);
            CHECK_EQ(icrc, step);
        }
    }
    test_context("%s", "");
}

/* All bytes of an IOAM trace, up to 252, are masked. */
TEST(icrc_masks_options_up_to_252_bytes)
{
    static const size_t lengths[] = {4, 124, 132, 252};
    size_t i, k;
    for (i = 0; i < 4; i++) {
        const size_t option = lengths[i], udp = 44 + option, n = udp + 20;
        uint8_t b[320] = {0x60}, masked[320];
        const rocecc_reader r = rocecc_reader_of(b, b + n + 4);
        rocecc_domain c = {0};
        rocecc_icrc icrc;
        rocecc_packet p;
        c.link = ROCECC_LINK_IP;
        rocecc_store16(b + 4, (uint16_t)(n + 4 - 40));
        for (k = 8; k < 40; k++)
            b[k] = 0x20;
        b[40] = 17;
        b[41] = (uint8_t)((4 + option) / 8 - 1);
        b[42] = 0x31;
        b[43] = (uint8_t)option;
        for (k = 0; k < option; k++)
            b[44 + k] = (uint8_t)(k * 7 + 1);
        rocecc_store16(b + udp + 2, 4791);
        rocecc_store16(b + udp + 4, 24);
        b[udp + 8] = 0x04;
        memcpy(masked, b, n);
        masked[0] = 0x6f;
        masked[1] = masked[2] = masked[3] = masked[7] = 0xff;
        memset(masked + 44, 0xff, option);
        masked[udp + 6] = masked[udp + 7] = masked[udp + 12] = 0xff;
        test_context("%u bytes", (unsigned)option);
        CHECK_EQ(rocecc_packet_parse(&c, r, &p), ROCECC_OK);
        CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_MASKED, &p, &icrc), ROCECC_OK);
        CHECK_EQ(icrc.computed, crc_bits(masked, n));
    }
    test_context("%s", "");
}

/* Checks that verify() gives the same results with a hook, for all rules and rows. */
static void hooked(const vec_row *row, void *arg)
{
    const rocecc_packet p = packet_of(row);
    unsigned rule, *seen = arg;
    for (rule = ROCECC_ICRC_AUTO; rule <= ROCECC_ICRC_NONE; rule++) {
        rocecc_icrc a = {1, 2, true, 77}, b = {1, 2, true, 77};
        test_context("%s by rule %u", row->id, rule);
        CHECK_EQ(icrc_hook_verify((rocecc_icrc_rule)rule, &p, &a),
                 rocecc_icrc_verify((rocecc_icrc_rule)rule, &p, &b));
        CHECK(a.value == b.value && a.computed == b.computed && a.ok == b.ok &&
              a.rule == b.rule);
        if (a.ok) ++*seen;
    }
}

/* With a hook, patch() and cnp_build() give the same results, too. */
TEST(icrc_hook_gives_the_same_results)
{
    static uint8_t was[300], is[300], one[80], two[80];
    const unsigned long before = icrc_hook_calls();
    uint64_t random = 5;
    unsigned seen = 0;
    size_t n;
    vec_read("vectors/icrc.vec", hooked, &seen);
    CHECK(seen > 100 && icrc_hook_calls() > before + 2 * seen);
    for (n = 0; n < sizeof was; n++) {
        const uint32_t after = test_random(&random) % 5000 / (n % 7 == 0 ? 200 : 1);
        uint32_t a = test_random(&random), b = a;
        was[n] = (uint8_t)test_random(&random);
        is[n] = (uint8_t)test_random(&random);
        test_context("%zu bytes, %u after", n, (unsigned)after);
        CHECK_EQ(icrc_hook_patch(&a, rocecc_reader_of(was, was + n),
                                 rocecc_reader_of(is, is + n), after),
                 rocecc_icrc_patch(&b, rocecc_reader_of(was, was + n),
                                   rocecc_reader_of(is, is + n), after));
        CHECK_EQ(a, b);
    }
    for (n = 0; n < 200; n++) {
        rocecc_cnp h = rocecc_cnp_default();
        rocecc_writer v = rocecc_writer_of(one, one + sizeof one);
        rocecc_writer w = rocecc_writer_of(two, two + sizeof two);
        size_t i;
        for (i = n % 2 == 0 ? 12 : 0; i < 16; i++) {
            h.src.b[i] = (uint8_t)test_random(&random);
            h.dst.b[i] = (uint8_t)test_random(&random);
        }
        if (n % 2 == 0) h.src.b[10] = h.src.b[11] = h.dst.b[10] = h.dst.b[11] = 0xff;
        h.dest_qp = test_random(&random) >> 8;
        h.udp_checksum = n % 3 == 0;
        test_context("CNP %zu", n);
        CHECK_EQ(icrc_hook_cnp(&v, &h), ROCECC_OK);
        CHECK_EQ(rocecc_cnp_build(&w, &h), ROCECC_OK);
        CHECK(v.at == w.at && memcmp(one, two, w.at) == 0);
    }
    test_context("%s", "");
}

/* A frame without a BTH has no ICRC by any rule. The rule NONE has no state. */
TEST(icrc_needs_a_bth)
{
    static uint8_t bytes[64];
    const rocecc_domain c = {.link = ROCECC_LINK_IP};
    const vec_packet p = vec_find("vectors/icrc.vec", "v1");
    rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_icrc icrc = {1, 2, true, 77};
    uint32_t state = 77;
    rocecc_packet f;
    unsigned rule;
    memcpy(bytes, "\x45\0\0\x40\0\0\0\0\x40\x06", 10); /* TCP */
    (void)rocecc_put(&w, sizeof bytes);
    CHECK_EQ(rocecc_packet_parse(&c, r, &f), ROCECC_NO_MATCH);
    for (rule = ROCECC_ICRC_AUTO; rule <= ROCECC_ICRC_NONE; rule++) {
        const rocecc_icrc_rule by = (rocecc_icrc_rule)rule;
        test_context("rule %u", rule);
        CHECK_EQ(rocecc_icrc_init(by, &f, &state), ROCECC_NO_MATCH);
        CHECK_EQ(rocecc_icrc_compute(by, &f, &state), ROCECC_NO_MATCH);
        CHECK_EQ(rocecc_icrc_verify(by, &f, &icrc), ROCECC_NO_MATCH);
        CHECK_EQ(rocecc_icrc_emplace(by, &f, w), ROCECC_NO_MATCH);
    }
    r = rocecc_reader_of(p.bytes, p.bytes + p.n);
    (void)rocecc_packet_parse(&c, r, &f);
    CHECK(f.headers.bth != 0);
    CHECK_EQ(rocecc_icrc_init(ROCECC_ICRC_NONE, &f, &state), ROCECC_ERR_RANGE);
    CHECK(state == 77 && icrc.value == 1 && icrc.rule == 77);
    CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_NONE, &f, &state), ROCECC_OK);
    CHECK_EQ(state, 0);
    /* No room for the ICRC after the BTH. A walk never sets such an end. */
    state = 77;
    for (f.headers.end = f.headers.bth; f.headers.end < f.headers.bth + 16u;
         f.headers.end++)
        for (rule = ROCECC_ICRC_AUTO; rule <= ROCECC_ICRC_NONE; rule++)
            CHECK_EQ(rocecc_icrc_compute((rocecc_icrc_rule)rule, &f, &state),
                     ROCECC_ERR_FORMAT);
    CHECK_EQ(state, 77);
}

/* Cuts the bytes after the walk, in each header. The status must be SHORT. */
static void cut_each_header(const vec_row *row, void *arg)
{
    const rocecc_packet p = packet_of(row);
    uint32_t state = 77;
    unsigned rule, *seen = arg;
    size_t n;
    if (strcmp(row->noun, "icrc_verify") != 0 || p.headers.status != ROCECC_OK) return;
    for (rule = ROCECC_ICRC_AUTO; rule < ROCECC_ICRC_NONE; rule++) {
        const rocecc_icrc_rule by = (rocecc_icrc_rule)rule;
        if (rocecc_icrc_init(by, &p, &state) != ROCECC_OK) continue;
        state = 77;
        for (n = 0; n < p.headers.end; n++) {
            const uint8_t *at = guard_start(row->bytes, n);
            const rocecc_packet part = rocecc_packet_attach(
                p.domain, rocecc_reader_of(at, at + n), &p.headers);
            test_context("%s by rule %u, %zu bytes", row->id, rule, n);
            CHECK_EQ(rocecc_icrc_compute(by, &part, &state), ROCECC_ERR_SHORT);
            if (n >= p.headers.bth + 12u) continue;
            CHECK_EQ(rocecc_icrc_init(by, &part, &state), ROCECC_ERR_SHORT);
            if (p.headers.grh != 0) seen[0]++;
            if (p.headers.ip.version == 4) seen[1]++;
            if (p.headers.ip.version == 6) seen[2]++;
        }
        CHECK_EQ(state, 77);
    }
}

TEST(icrc_of_cut_headers_is_short)
{
    unsigned seen[3] = {0};
    vec_read("vectors/icrc.vec", cut_each_header, seen);
    CHECK(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

/* emplace() writes the last four bytes of a packet, at any offset. */
TEST(icrc_emplace_writes_the_last_four_bytes)
{
    static const char *const ids[] = {"v1", "v4"};
    static const size_t starts[] = {0, 1, 2, 3, 255, 256, ROCECC_PACKET_START_MAX};
    static uint8_t bytes[ROCECC_PACKET_START_MAX + 256];
    size_t i, k;
    for (i = 0; i < NOUN_COUNT(ids); i++)
        for (k = 0; k < NOUN_COUNT(starts); k++) {
            const vec_packet p = vec_find("vectors/icrc.vec", ids[i]);
            rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
            rocecc_domain c = {0};
            rocecc_reader r;
            rocecc_packet f;
            c.link = (p.bytes[0] >> 4 == 4 || p.bytes[0] >> 4 == 6) ? ROCECC_LINK_IP
                                                                    : ROCECC_LINK_ETHER;
            test_context("%s from %zu on", ids[i], starts[k]);
            memset(bytes, 0xa5, sizeof bytes);
            (void)rocecc_put(&w, starts[k] + p.n);
            memcpy(bytes + starts[k], p.bytes, p.n);
            r = rocecc_written(&w);
            r.at = starts[k];
            CHECK_EQ(rocecc_packet_parse(&c, r, &f), ROCECC_OK);
            CHECK_EQ(f.headers.end, w.at);
            memset(bytes + f.headers.end - 4, 0, 4);
            CHECK_EQ(rocecc_icrc_emplace(ROCECC_ICRC_AUTO, &f, w), ROCECC_OK);
            CHECK(memcmp(bytes + starts[k], p.bytes, p.n) == 0);
            w.end = f.headers.end - 1; /* the buffer ends too early */
            bytes[f.headers.end - 4] ^= 1;
            CHECK_EQ(rocecc_icrc_emplace(ROCECC_ICRC_AUTO, &f, w), ROCECC_ERR_SPACE);
            bytes[f.headers.end - 4] ^= 1;
            CHECK(memcmp(bytes + starts[k], p.bytes, p.n) == 0);
        }
}

/* ones() gives the same state as that number of 0xff bytes, even an odd number. */
TEST(icrc_ones_equals_0xff_bytes_of_every_length)
{
    uint8_t ones[255];
    unsigned n;
    memset(ones, 0xff, sizeof ones);
    for (n = 0; n <= sizeof ones; n++) {
        test_context("%u bytes", n);
        CHECK_EQ(rocecc_icrc_ones(0x12345678, n),
                 rocecc_icrc_bytes(0x12345678, ones, n));
    }
}

#define SRC "20010db8 00000000 00000000 00000001"
#define DST "20010db8 00000000 00000000 00000002"
#define IPV6(length_next) "6ab12345" length_next "40" SRC DST
#define UDP(port, length) "c000" port length "0000"
#define BTH "0400ffff 00000012 80000007"
#define WORD "00000000"

/* Covered IPv6, UDP and BTH, with ones in masked fields. */
#define MASKED6(length) "6fffffff" length "11ff" SRC DST
#define MASKED_UDP(length) "c000 12b7" length "ffff"
#define MASKED_BTH "0400ffff ff000012 80000007"

static const rocecc_domain ip = {
    .link = ROCECC_LINK_IP, .ah = true, .intmd = {.udp_port = 5000}};

/* Returns the ICRC of bytes that were masked by hand. */
static uint32_t crc_of(const char *hex)
{
    const test_frame x = frame_of(hex);
    return crc_bits(x.b, x.n);
}

/* Adds adjacent headers to an ICRC, from offset 5 of a buffer. headers.udp is lowered
 * by `moved`. */
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
    status = rocecc_icrc_add_adjacent_headers_(ROCECC_ICRC_MASKED, &p, icrc);
    if (status == ROCECC_OK) *icrc = rocecc_icrc_final(*icrc);
    return status;
}

/* add_adjacent_headers_() returns NO_MATCH if anything is between IP, UDP and BTH. */
TEST(icrc_adjacent_headers_rejects_bytes_between)
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
    /* IPv4 options. 20 bytes of them make the header as long as an IPv6 header. */
    CHECK_EQ(head("46000030 00004000 40110000 c0000201 c0000202 01010101" UDP(
                      "12b7", "0018") BTH WORD,
                  0, &icrc),
             ROCECC_NO_MATCH);
    CHECK_EQ(head("4a000040 00004000 40110000 c0000201 c0000202" WORD WORD WORD WORD
                      WORD UDP("12b7", "0018") BTH WORD,
                  0, &icrc),
             ROCECC_NO_MATCH);
    /* An extension header, INT, and a UDP header that is not next to the BTH. */
    CHECK_EQ(head(IPV6("0020 3c") "1100 0104 00000000" UDP("12b7", "0018") BTH WORD, 0,
                  &icrc),
             ROCECC_NO_MATCH);
    CHECK_EQ(head(IPV6("001c 11") UDP("1388", "001c") "140012b7" BTH WORD, 0, &icrc),
             ROCECC_NO_MATCH);
    CHECK_EQ(head(v4, 4, &icrc), ROCECC_NO_MATCH);
    CHECK_EQ(head(v6, 4, &icrc), ROCECC_NO_MATCH);
    CHECK_EQ(icrc, 77);
}

/* IPv6 may count bytes after UDP. The ICRC covers the length that the sender wrote,
 * without the 4 bytes of INT. Without extension headers all rules agree. */
TEST(icrc_covers_the_ip_length_as_sent)
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

/* LITERAL covers every extension header of a walk. If n_ext is one too high, the status
 * is SHORT. */
TEST(icrc_literal_covers_all_extension_headers)
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
        CHECK_EQ(icrc, crc_bits(masked.b, x.n - 4)); /* 0x1e has no chg bit */
        if (n == ROCECC_IP6EXT_MAX) break;
        p.headers.ip.n_ext++;
        icrc = 77;
        CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_LITERAL, &p, &icrc), ROCECC_ERR_SHORT);
        CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_MASKED, &p, &icrc), ROCECC_ERR_SHORT);
        CHECK_EQ(icrc, 77);
    }
}

/*
 * MASKED covers only options and SRHs. Another header that looks like an SRH gives
 * UNSUPPORTED. An SRH with a list longer than itself gives FORMAT. AUTO then uses
 * LITERAL.
 */
TEST(icrc_masked_covers_only_options_and_srhs)
{
    static const struct {
        const char *bytes;
        rocecc_status status;
    } rows[] = {
        {IPV6("0030 2b") "11020400 00000000" SRC, ROCECC_OK},
        {IPV6("0030 2b") "11020400 01000000" SRC, ROCECC_ERR_FORMAT},
        {IPV6("0030 2b") "11020402 00000000" SRC, ROCECC_ERR_FORMAT},
        {IPV6("0030 2b") "11020400 01120000" SRC, ROCECC_ERR_FORMAT}, /* with Flags */
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

/* No rule covers AH over IPv4, so the status is UNSUPPORTED. */
TEST(icrc_after_ah_over_ipv4_is_unsupported)
{
    const test_frame x =
        frame_of("45000038 00004000 40330000 c0000201 c0000202"
                 "11010000 00000001 00000001" UDP("12b7", "0018") BTH WORD);
    const rocecc_packet p = frame_walked(&ip, &x);
    uint32_t state = 77;
    int rule;
    CHECK(p.headers.status == ROCECC_OK && p.headers.ip.n_ext == 1);
    for (rule = ROCECC_ICRC_AUTO; rule <= ROCECC_ICRC_STRIPPED; rule++) {
        if (rule == ROCECC_ICRC_NONE) continue;
        test_context("rule %d", rule);
        CHECK_EQ(rocecc_icrc_init((rocecc_icrc_rule)rule, &p, &state),
                 ROCECC_ERR_UNSUPPORTED);
        CHECK_EQ(state, 77);
    }
}

/* A copy has exactly the requested bytes. */
TEST(icrc_copy_copies_exactly_the_requested_bytes)
{
    static const uint8_t bytes[] = {1, 2, 3};
    rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
    uint8_t out[3] = {7, 7, 7};
    CHECK(rocecc_icrc_copy_(&r, out, 2));
    CHECK(out[0] == 1 && out[1] == 2 && out[2] == 7);
    CHECK(!rocecc_icrc_copy_(&r, out, 2));
    CHECK(rocecc_left(&r) == 1 && out[0] == 1);
}

/* A trimmed packet has no ICRC. Each cut gives NO_MATCH, not SHORT, because more bytes
 * would not help. */
TEST(icrc_of_a_cut_trimmed_packet_gives_no_match)
{
    const test_frame x = frame_of(
        "4500002c 00004000 40110000 c0000201 c0000202" UDP("12b7", "0418") BTH WORD);
    const rocecc_packet whole = frame_walked(&ip, &x);
    size_t n;
    CHECK(whole.headers.partial == ROCECC_PARTIAL_TRIMMED && whole.headers.end == 44);
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

static const rocecc_domain ip_alone = {.link = ROCECC_LINK_IP};

/* Writes an IPv6 header to an address that ends in 1, before n bytes. */
static void ipv6_header(uint8_t *b, uint8_t next, size_t n)
{
    memset(b, 0, 40);
    b[0] = 0x60;
    rocecc_store16(b + 4, (uint16_t)n);
    b[6] = next;
    b[7] = 64;
    b[8] = b[24] = 0x20;
    b[39] = 1;
}

/* Writes an SRH of two segments. The final one, first in the list, ends in 9. */
static void srh_at(uint8_t *b, uint8_t next, uint8_t segments_left)
{
    const uint8_t head[8] = {next, 4, 4, segments_left, 1, 0, 0, 0};
    memcpy(b, head, sizeof head);
    memset(b + 8, 0, 32);
    b[8] = b[24] = 0x20;
    b[23] = 9;
    b[39] = 1;
}

/* For writing, AUTO acts as MASKED, with the last segment as the destination. */
TEST(icrc_auto_writes_as_masked)
{
    uint8_t b[40 + 40 + 8 + 16] = {0};
    const rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    uint32_t by_auto = 0, masked = 0, literal = 0, state = 0, other = 0;
    rocecc_icrc icrc;
    rocecc_packet p;
    ipv6_header(b, ROCECC_PROTO_ROUTING, sizeof b - 40);
    srh_at(b + 40, ROCECC_PROTO_UDP, 1);
    rocecc_store16(b + 82, 4791);
    b[85] = 8 + 16;
    CHECK_EQ(rocecc_packet_parse(&ip_alone, r, &p), ROCECC_OK);
    CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_AUTO, &p, &by_auto), ROCECC_OK);
    CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_MASKED, &p, &masked), ROCECC_OK);
    CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_LITERAL, &p, &literal), ROCECC_OK);
    CHECK_EQ(by_auto, masked);
    CHECK(literal != masked);
    CHECK_EQ(rocecc_icrc_init(ROCECC_ICRC_AUTO, &p, &state), ROCECC_OK);
    CHECK_EQ(rocecc_icrc_init(ROCECC_ICRC_MASKED, &p, &other), ROCECC_OK);
    CHECK_EQ(state, other);
    CHECK_EQ(rocecc_icrc_emplace(ROCECC_ICRC_AUTO, &p, w), ROCECC_OK);
    CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_MASKED, &p, &icrc), ROCECC_OK);
    CHECK(icrc.ok);
}

/* The value of an SRH TLV may change on the way only if the high bit of its type is set
 * (RFC 8754, 2.1). Then the ICRC does not cover it. */
TEST(icrc_covers_srh_tlvs_without_the_high_bit)
{
    uint8_t b[40 + 48 + 8 + 16] = {0};
    const rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
    unsigned type;
    ipv6_header(b, ROCECC_PROTO_ROUTING, sizeof b - 40);
    srh_at(b + 40, ROCECC_PROTO_UDP, 1);
    b[41] = 5;
    b[81] = 6;
    rocecc_store16(b + 90, 4791);
    b[93] = 8 + 16;
    for (type = 1; type < 256; type++) {
        uint32_t was = 0, is = 0;
        rocecc_packet p;
        b[80] = (uint8_t)type;
        test_context("type %02x", type);
        CHECK_EQ(rocecc_packet_parse(&ip_alone, r, &p), ROCECC_OK);
        CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_MASKED, &p, &was), ROCECC_OK);
        b[87] ^= 1;
        CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_MASKED, &p, &is), ROCECC_OK);
        CHECK_EQ(is == was, type >= 0x80);
    }
}

/* A trimmed packet has no ICRC by any rule, from the length of its headers to one byte
 * more than an ICRC needs. */
TEST(icrc_of_a_trimmed_packet_gives_no_match_at_any_length)
{
    size_t n;
    for (n = 40; n <= 45; n++) {
        uint8_t b[45] = {0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17};
        uint32_t icrc = 77;
        rocecc_icrc out;
        rocecc_packet p;
        unsigned rule;
        b[3] = (uint8_t)n;
        rocecc_store16(b + 22, 4791);
        rocecc_store16(b + 24, 1064); /* UDP Length before the trim */
        CHECK_EQ(rocecc_packet_parse(&ip_alone, rocecc_reader_of(b, b + n), &p),
                 ROCECC_OK);
        CHECK_EQ(p.headers.kind,
                 ROCECC_PACKET_KIND_PARTIAL | ROCECC_PACKET_KIND_ROCEV2);
        for (rule = ROCECC_ICRC_AUTO; rule <= ROCECC_ICRC_NONE; rule++) {
            const rocecc_icrc_rule by = (rocecc_icrc_rule)rule;
            test_context("%zu bytes, rule %u", n, rule);
            CHECK_EQ(rocecc_icrc_init(by, &p, &icrc), ROCECC_NO_MATCH);
            CHECK_EQ(rocecc_icrc_compute(by, &p, &icrc), ROCECC_NO_MATCH);
            CHECK_EQ(rocecc_icrc_verify(by, &p, &out), ROCECC_NO_MATCH);
        }
        CHECK_EQ(icrc, 77);
    }
}

/* NONE reads no covered byte, but the capture must reach the end of the packet. The
 * ICRC 0 equals the computed value, but `ok` is false. */
TEST(icrc_none_needs_a_whole_packet_but_is_never_ok)
{
    uint8_t b[60];
    size_t n;
    frame_roce(b, sizeof b, ROCECC_OPCODE_CNP);
    for (n = 40; n <= sizeof b; n++) {
        const bool whole = n == sizeof b;
        uint32_t icrc = 77;
        rocecc_icrc out = {1, 2, true, 77};
        rocecc_packet p;
        test_context("%zu bytes", n);
        (void)rocecc_packet_parse(&ip_alone, rocecc_reader_of(b, b + n), &p);
        CHECK_EQ(p.headers.bth, 28);
        CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_NONE, &p, &icrc),
                 whole ? ROCECC_OK : ROCECC_ERR_SHORT);
        CHECK_EQ(icrc, whole ? 0 : 77);
        CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_NONE, &p, &out),
                 whole ? ROCECC_OK : ROCECC_ERR_SHORT);
        CHECK_EQ(out.ok, !whole); /* still true unless it was written */
        CHECK_EQ(out.rule, whole ? ROCECC_ICRC_NONE : 77);
    }
}

/* The UDP checksum covers the ICRC, but not vice versa. Only a checksum that is written
 * after emplace() is right. */
TEST(icrc_emplace_must_precede_the_udp_checksum)
{
    uint8_t b[60] = {0};
    const rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
    const rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    int last;
    for (last = 0; last < 2; last++) {
        const uint32_t pseudo = ROCECC_PROTO_UDP + 40; /* both addresses are 0 */
        rocecc_icrc icrc;
        rocecc_packet p;
        frame_roce(b, sizeof b, ROCECC_OPCODE_CNP);
        CHECK_EQ(rocecc_packet_parse(&ip_alone, r, &p), ROCECC_OK);
        if (last) CHECK_EQ(rocecc_icrc_emplace(ROCECC_ICRC_AUTO, &p, w), ROCECC_OK);
        rocecc_store16(b + 26, rocecc_udp_checksum(pseudo, rocecc_subrange(r, 20, 60)));
        if (!last) CHECK_EQ(rocecc_icrc_emplace(ROCECC_ICRC_AUTO, &p, w), ROCECC_OK);
        CHECK_EQ(rocecc_udp_verify(&p), last);
        CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc), ROCECC_OK);
        CHECK(icrc.ok);
    }
}

/* For a Mobility header and a wrong ICRC, AUTO reports LITERAL, because MASKED gives
 * UNSUPPORTED. */
TEST(icrc_verify_reports_the_first_computable_rule)
{
    const test_frame tail = frame_of(UDP("12b7", "0018") BTH WORD);
    test_frame x = frame_of(IPV6("0020 87") "11000000 00000000");
    uint32_t literal = 0, stripped = 0;
    rocecc_icrc icrc;
    rocecc_packet p;
    memcpy(x.b + x.n, tail.b, tail.n);
    x.n += tail.n;
    p = frame_walked(&ip, &x);
    CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_MASKED, &p, &literal),
             ROCECC_ERR_UNSUPPORTED);
    CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_LITERAL, &p, &literal), ROCECC_OK);
    CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_STRIPPED, &p, &stripped), ROCECC_OK);
    CHECK_EQ(rocecc_icrc_verify(ROCECC_ICRC_AUTO, &p, &icrc), ROCECC_OK);
    CHECK(!icrc.ok && icrc.rule == ROCECC_ICRC_LITERAL);
    CHECK(icrc.computed == literal && literal != stripped);
}

/* All nine bytes count on a host, with any bound from 0 to 11. */
TEST(icrc_update_upto_ignores_its_bound_on_a_host)
{
    static const uint8_t digits[] = "123456789";
    const rocecc_reader r = rocecc_reader_of(digits, digits + 9);
    int bound;
    for (bound = 0; bound < 12; bound++)
        CHECK_EQ(~rocecc_icrc_update_upto(0xffffffffu, r, bound), 0xcbf43926u);
}

/* No bytes give OK. One byte that becomes two or none gives RANGE. */
TEST(icrc_patch_of_nothing_or_of_two_lengths_leaves_the_icrc)
{
    static const uint8_t bytes[2] = {1, 2};
    const rocecc_reader none = rocecc_reader_of(NULL, NULL);
    const rocecc_reader one = rocecc_reader_of(bytes, bytes + 1);
    const rocecc_reader two = rocecc_reader_of(bytes, bytes + 2);
    uint32_t icrc = 0x12345678;
    CHECK_EQ(rocecc_icrc_patch(&icrc, none, none, 1000), ROCECC_OK);
    CHECK_EQ(icrc, 0x12345678);
    CHECK_EQ(rocecc_icrc_patch(&icrc, one, two, 0), ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_icrc_patch(&icrc, one, none, 0), ROCECC_ERR_RANGE);
    CHECK_EQ(icrc, 0x12345678);
}

/* TTL 63 instead of 64 does not change the ICRC, but a patch would. */
TEST(icrc_patch_must_leave_out_masked_bytes)
{
    uint8_t b[60];
    const uint8_t old_ttl = 64, new_ttl = 63;
    uint32_t before = 0, after = 0, patched;
    rocecc_packet p;
    frame_roce(b, sizeof b, ROCECC_OPCODE_CNP);
    CHECK_EQ(rocecc_packet_parse(&ip_alone, rocecc_reader_of(b, b + sizeof b), &p),
             ROCECC_OK);
    CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_AUTO, &p, &before), ROCECC_OK);
    b[8] = new_ttl;
    CHECK_EQ(rocecc_icrc_compute(ROCECC_ICRC_AUTO, &p, &after), ROCECC_OK);
    CHECK_EQ(after, before);
    patched = before;
    CHECK_EQ(rocecc_icrc_patch(&patched, rocecc_reader_of(&old_ttl, &old_ttl + 1),
                               rocecc_reader_of(&new_ttl, &new_ttl + 1), 47),
             ROCECC_OK);
    CHECK(patched != after);
}

#if ROCECC_ICRC_TABLE_BYTES >= 1024
/* Checks every entry of every table, and the two examples of icrctable.h. */
TEST(icrc_table_k_holds_the_states_after_k_zeros)
{
    unsigned k, n;
    CHECK_EQ(rocecc_icrc_tables_()[0][0x80], 0xedb88320u);
#if ROCECC_ICRC_TABLE_BYTES > 1024
    CHECK_EQ(rocecc_icrc_tables_()[1][0x80], 0x3b83984bu);
#endif
    for (k = 0; k < ROCECC_ICRC_TABLE_BYTES / 1024; k++)
        for (n = 0; n < 256; n++) {
            uint8_t run[16] = {0};
            run[0] = (uint8_t)n;
            test_context("table %u, entry %02x", k, n);
            CHECK_EQ(rocecc_icrc_tables_()[k][n], icrc_table_0(0, run, k + 1));
        }
}
#endif
