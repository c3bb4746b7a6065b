/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/arn.h"
#include "lib/noun.h"
#include "lib/record.h"
#include "lib/trace.h"
#include "rocecc/packet/arn.h"
#include "rocecc/wire/udp.h"

#include <string.h>

#define UNTOUCHED 0xa5

static const field config_fields[] = {
    ROCECC_ARN_CONFIG_FIELDS(FIELD_ROW, rocecc_arn_config)};
static const field fields[] = {ROCECC_ARN_FIELDS(FIELD_ROW, rocecc_arn)};

/* A1 in the vectors, 24 bytes with an IPv4 flow. */
static const uint8_t a1[] = {1,    0x10, 0xc8, 0x90, 10,   1, 10, 2, 10, 2, 20, 1,
                             0xc0, 0,    0x12, 0xb7, 0x11, 0, 0,  0, 0,  0, 0,  100};

static rocecc_arn_config none(void)
{
    rocecc_arn_config c;
    memset(&c, 0, sizeof c);
    return c;
}

/* A record and the members that rows may name. */
typedef struct members {
    const field *fields;
    size_t n;
    void *record;
} members;

#define MEMBERS(fields, record) ((members){fields, NOUN_COUNT(fields), record})

/* Sets the members that `pairs` name after a prefix. */
static void set(const vec_pair *pairs, size_t n, const char *prefix, members to)
{
    const size_t skip = strlen(prefix);
    size_t i, k;
    for (i = 0; i < n; i++) {
        for (k = 0; k < to.n; k++)
            if (strcmp(pairs[i].key + skip, to.fields[k].name) == 0) break;
        if (k == to.n || !field_set(&to.fields[k], to.record, pairs[i].value))
            test_fail(__FILE__, __LINE__, "%s=%s is not a value", pairs[i].key,
                      pairs[i].value);
    }
}

static rocecc_arn_config config_of(const vec_row *row)
{
    rocecc_arn_config c = none();
    set(row->config, row->n_config, "arn.", MEMBERS(config_fields, &c));
    return c;
}

static rocecc_arn message(void)
{
    rocecc_arn h;
    memset(&h, 0, sizeof h);
    h.rest = rocecc_reader_of(NULL, NULL);
    return h;
}

static rocecc_status parse(const rocecc_arn_config *c, const uint8_t *b, size_t n,
                           rocecc_arn *h)
{
    rocecc_arn before;
    rocecc_status status;
    memset(h, UNTOUCHED, sizeof *h);
    before = *h;
    status = rocecc_arn_parse(c, rocecc_reader_of(b, b + n), h);
    if (status != ROCECC_OK) CHECK(memcmp(h, &before, sizeof *h) == 0);
    return status;
}

/*
 * Checks that emit() writes all or nothing at both guard pages, for each buffer size up
 * to the length of the message, or up to 200 if the row expects an error.
 */
static void check_emit(const vec_row *row, const rocecc_arn_config *c,
                       const rocecc_arn *h)
{
    const size_t most = row->status == ROCECC_OK ? row->n : 200;
    size_t room, k;
    for (room = 0; room <= most; room++) {
        uint8_t *at[2];
        int i;
        at[0] = guard_end(NULL, room);
        at[1] = guard_start(NULL, room);
        for (i = 0; i < 2; i++) {
            rocecc_writer w = rocecc_writer_of(at[i], at[i] + room);
            memset(at[i], UNTOUCHED, room);
            CHECK_EQ(rocecc_arn_emit(&w, c, h),
                     row->status == ROCECC_OK && room < row->n ? ROCECC_ERR_SPACE
                                                               : row->status);
            CHECK_EQ(w.at, row->status == ROCECC_OK && room == row->n ? row->n : 0);
            CHECK(memcmp(at[i], row->bytes, w.at) == 0);
            for (k = w.at; k < room; k++)
                CHECK_EQ(at[i][k], UNTOUCHED);
        }
    }
}

static void call_arn_parse(const vec_row *row)
{
    const rocecc_arn_config c = config_of(row);
    rocecc_arn h;
    size_t n;
    int i;
    for (n = 0; n <= row->n; n++) {
        const uint8_t *at[2];
        at[0] = guard_start(row->bytes, n);
        at[1] = guard_end(row->bytes, n);
        test_context("%s, the first %zu bytes", row->id, n);
        for (i = 0; i < 2; i++)
            CHECK_EQ(parse(&c, at[i], n, &h), law_arn_status(&c, at[i], n));
    }
    noun_check_out(row, fields, NOUN_COUNT(fields), parse(&c, row->bytes, row->n, &h),
                   &h);
    if (row->status == ROCECC_OK) check_emit(row, &c, &h);
}

static void call_arn_emit(const vec_row *row)
{
    const rocecc_arn_config c = config_of(row);
    rocecc_arn h = message();
    set(row->in, row->n_in, "", MEMBERS(fields, &h));
    check_emit(row, &c, &h);
}

static void call_arn_time(const vec_row *row)
{
    static const field ns_field[] = {FIELD_AT("ns", UINT, 0, 8, NULL)};
    const rocecc_arn_config c = config_of(row);
    const uint64_t ns = rocecc_arn_time_ns(&c, (uint32_t)noun_arg(row, "time"));
    noun_check_out(row, ns_field, 1, ROCECC_OK, &ns);
    CHECK_EQ(rocecc_arn_time(&c, ns), noun_arg(row, "time"));
}

static const noun_call calls[] = {{"arn_parse", call_arn_parse},
                                  {"arn_emit", call_arn_emit},
                                  {"arn_time", call_arn_time}};
static const noun_file file = {"arn", law_arn, NULL, 0, calls, NOUN_COUNT(calls)};

TEST(arn_vectors)
{
    noun_vectors(&file);
}

/*
 * Each Para-Type, length up to 64 and configuration of law_arn_config(). The law
 * compares the status with a model, and emit() must write an accepted message again.
 */
TEST(arn_every_para_type_and_length_follows_the_model)
{
    uint8_t b[64] = {1, 0x10, 0, 0};
    const unsigned step = (unsigned)(256 / test_rounds(256));
    unsigned para_type, bits;
    size_t n;
    for (n = 4; n < sizeof b; n++)
        b[n] = (uint8_t)(n % 4 != 3 ? 0 : n); /* valid and too large priorities */
    for (para_type = 0; para_type < 256; para_type++)
        for (bits = 0; bits < 256; bits += step)
            for (n = 0; n <= sizeof b; n++) {
                test_at("Para-Type, bytes, Rvsd", para_type, n, bits);
                b[2] = (uint8_t)bits;
                b[3] = (uint8_t)para_type;
                CHECK(law_arn(rocecc_reader_of(b, b + n)) != LAW_BROKEN);
            }
}

/*
 * AUTO accepts a Para-Type with bits in at most one half. These are 15 Para-Types
 * without a flow, and 16 with a flow. A flow has four possible lengths.
 */
TEST(arn_auto_accepts_a_para_type_with_bits_in_one_half)
{
    uint8_t b[64] = {1, 0x10, 0, 0};
    rocecc_arn_config c = none();
    unsigned para_type, taken = 0;
    size_t n;
    c.bit_order = ROCECC_ARN_AUTO;
    for (para_type = 0; para_type < 256; para_type++)
        for (n = 0; n <= sizeof b; n++) {
            const bool both = para_type > 15 && para_type % 16 != 0;
            rocecc_arn h;
            rocecc_status status;
            test_context("%02x, %zu bytes", para_type, n);
            b[3] = (uint8_t)para_type;
            status = parse(&c, b, n, &h);
            if (n >= 4) CHECK_EQ(status == ROCECC_ERR_UNSUPPORTED, both);
            if (status != ROCECC_OK) continue;
            CHECK_EQ(h.lsb, para_type != 0 && para_type < 16);
            CHECK_EQ(rocecc_arn_present(&h) & ~ROCECC_ARN_KNOWN, 0);
            taken++;
        }
    CHECK_EQ(taken, 8 + 7 + (8 + 8) * 4);
}

/* Every value of the first 16 bits, which are Type, Version and Rvsd. */
TEST(arn_only_types_1_to_4_and_versions_0_and_1_are_parsed)
{
    const rocecc_arn_config c = none();
    uint8_t b[4] = {0, 0, 7, 0};
    unsigned first;
    for (first = 0; first < 0x10000; first++) {
        const unsigned type = first >> 8, version = first >> 4 & 0xf;
        rocecc_arn h;
        rocecc_store16(b, (uint16_t)first);
        test_context("%04x", first);
        CHECK_EQ(parse(&c, b, sizeof b, &h), version > 1 ? ROCECC_ERR_UNSUPPORTED
                                             : type == 0 || type > 4 ? ROCECC_ERR_FORMAT
                                                                     : ROCECC_OK);
        h = rocecc_arn_load(b);
        CHECK(h.type == type && h.version == version && h.resv == first % 16);
        CHECK(h.metric == 7 && h.para_type == 0);
    }
}

/* The parameters of each set are written in ascending bit order, without gaps. */
TEST(R_ARN_9_parameters_follow_in_ascending_bit_order)
{
    const rocecc_arn_config c = none();
    unsigned present;
    for (present = 0; present < 16; present++) {
        rocecc_arn h =
            rocecc_arn_default(&c, ROCECC_ARN_CONGESTION_DETECTED, (uint8_t)present);
        uint8_t b[80];
        rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
        size_t at = 4;
        test_context("%x", present);
        h.flow.src.b[15] = 0x51;
        h.flow.dst.b[15] = 0xd5;
        h.flow.src.b[0] = h.flow.dst.b[0] = 0x20;
        h.flow.src_port = 0x1234;
        h.flow.dst_port = 0x5678;
        h.flow.proto = 0x11;
        if (present & ROCECC_ARN_FLOW)
            h.tuple_bytes = rocecc_arn_tuple_bytes(&c, &h.flow);
        h.path_id = 0xa1a2a3a4;
        h.priority = 5;
        h.time = 0xc1c2c3c4;
        CHECK_EQ(rocecc_arn_emit(&w, &c, &h), ROCECC_OK);
        CHECK_EQ(b[3], (present & 1) << 7 | (present & 2) << 5 | (present & 4) << 3 |
                           (present & 8) << 1);
        if (present & ROCECC_ARN_FLOW) {
            CHECK(b[at] == 0x20 && b[at + 15] == 0x51 && b[at + 31] == 0xd5);
            CHECK_EQ(rocecc_load32(b + at + 32), 0x12345678);
            CHECK_EQ(rocecc_load32(b + at + 36), 0x11000000);
            at += 40;
        }
        if (present & ROCECC_ARN_PATH_ID) {
            CHECK_EQ(rocecc_load32(b + at), 0xa1a2a3a4);
            at += 4;
        }
        if (present & ROCECC_ARN_PRIORITY) {
            CHECK_EQ(rocecc_load32(b + at), 5);
            at += 4;
        }
        if (present & ROCECC_ARN_TIME) {
            CHECK_EQ(rocecc_load32(b + at), 0xc1c2c3c4);
            at += 4;
        }
        CHECK_EQ(w.at, at);
        CHECK_EQ(rocecc_arn_bytes(&h), at);
    }
}

/* A1 cut to 4 to 23 bytes gives FORMAT, except at 21 bytes. */
TEST(arn_message_cut_in_its_parameters_is_malformed)
{
    const rocecc_arn_config c = none();
    rocecc_arn h;
    size_t n;
    for (n = 4; n < sizeof a1; n++) {
        test_context("%zu bytes", n);
        /* At 21 bytes, the flow identifier can be a packed one. */
        CHECK_EQ(parse(&c, a1, n, &h), n == 21 ? ROCECC_OK : ROCECC_ERR_FORMAT);
        if (n == 21) CHECK_EQ(h.tuple_bytes, 13);
    }
}

/* A message with only words is accepted only at its exact length. */
TEST(arn_message_of_words_needs_its_exact_length)
{
    const rocecc_arn_config c = none();
    uint8_t b[24] = {1, 0x10, 0, 0};
    unsigned present;
    size_t n;
    rocecc_arn h;
    for (present = 0; present < 8; present++)
        for (n = 4; n <= sizeof b; n++) {
            const size_t words =
                4 + 4 * ((present & 1) + (present >> 1 & 1) + (present >> 2));
            test_context("%x, %zu bytes", present, n);
            b[3] = (uint8_t)(present << 4);
            CHECK_EQ(parse(&c, b, n, &h), n == words ? ROCECC_OK : ROCECC_ERR_FORMAT);
        }
}

/* Only flow identifiers of 13, 16, 37 and 40 bytes are accepted. */
TEST(arn_flow_identifier_has_13_16_37_or_40_bytes)
{
    const rocecc_arn_config c = none();
    uint8_t b[80] = {1, 0x10, 0, 0x80};
    size_t n;
    rocecc_arn h;
    for (n = 0; n <= 76; n++) {
        const bool is = n == 13 || n == 16 || n == 37 || n == 40;
        test_context("%zu bytes", n);
        CHECK_EQ(parse(&c, b, 4 + n, &h), is ? ROCECC_OK : ROCECC_ERR_FORMAT);
        if (is) CHECK_EQ(h.tuple_bytes, n);
    }
}

/* A flow identifier must have the length of the configured family and layout. */
TEST(arn_flow_must_have_the_configured_family_and_layout)
{
    static const uint8_t widths[2][2] = {{16, 13}, {40, 37}};
    uint8_t b[48] = {1, 0x10, 0, 0x80};
    unsigned family, layout, is;
    rocecc_arn h;
    for (family = 0; family < 3; family++)
        for (layout = 0; layout < 3; layout++)
            for (is = 0; is < 4; is++) {
                const bool fits = (family == 0 || family == 1 + is / 2) &&
                                  (layout == 0 || layout == 1 + is % 2);
                rocecc_arn_config c = none();
                c.family = (uint8_t)(family == 0 ? 0 : 2 + 2 * family);
                c.layout = (uint8_t)layout;
                test_context("family %u, layout %u, %u", family, layout, is);
                CHECK_EQ(parse(&c, b, 4u + widths[is / 2][is % 2], &h),
                         fits ? ROCECC_OK : ROCECC_ERR_FORMAT);
            }
}

/* Ethernet padding gives FORMAT, because a message must end where its datagram ends. */
TEST(arn_ethernet_padding_is_malformed)
{
    const rocecc_arn_config c = none();
    uint8_t b[46] = {0};
    rocecc_arn h;
    memcpy(b, a1, sizeof a1);
    CHECK_EQ(parse(&c, b, sizeof b, &h), ROCECC_ERR_FORMAT);
    CHECK_EQ(parse(&c, b, sizeof a1, &h), ROCECC_OK);
}

/*
 * With an unknown bit, a rest may follow the known parameters. Without an unknown bit,
 * a rest gives FORMAT. Known parameters that are cut off always give FORMAT.
 */
TEST(arn_rest_is_accepted_only_with_an_unknown_bit)
{
    rocecc_arn_config c = none();
    uint8_t b[40] = {1, 0x10, 0, 0x98};
    size_t n;
    rocecc_arn h;
    c.tail_unknown = true;
    c.family = 4;
    c.layout = ROCECC_ARN_PACKED;
    for (n = 4; n <= sizeof b; n++) {
        test_context("%zu bytes", n);
        CHECK_EQ(parse(&c, b, n, &h), n < 4 + 13 + 4 ? ROCECC_ERR_FORMAT : ROCECC_OK);
        if (n >= 21) CHECK_EQ(rocecc_left(&h.rest), n - 21);
    }
    b[3] = 0x90;
    for (n = 4; n <= sizeof b; n++)
        CHECK_EQ(parse(&c, b, n, &h), n == 21 ? ROCECC_OK : ROCECC_ERR_FORMAT);
}

/* A rest longer than ROCECC_ARN_REST_MAX_BYTES is parsed, but not emitted. */
TEST(arn_rest_above_the_maximum_is_not_emitted)
{
    rocecc_arn_config c = none();
    uint8_t b[4 + ROCECC_ARN_REST_MAX_BYTES + 1] = {1, 0x10, 0, 0x01};
    uint8_t out[sizeof b];
    size_t n;
    c.tail_unknown = true;
    for (n = sizeof b - 2; n <= sizeof b; n++) {
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_arn h;
        CHECK_EQ(parse(&c, b, n, &h), ROCECC_OK);
        CHECK_EQ(rocecc_left(&h.rest), n - 4);
        CHECK_EQ(rocecc_arn_emit(&w, &c, &h),
                 n == sizeof b ? ROCECC_ERR_RANGE : ROCECC_OK);
    }
}

/*
 * Priority 64 exceeds 802.1p and DSCP. It gives RANGE only if its Para-Type bit is set.
 */
TEST(arn_absent_priority_is_not_checked)
{
    rocecc_arn_config c = none();
    uint8_t out[64];
    unsigned present;
    for (present = 0; present < 16; present++) {
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_arn h = rocecc_arn_default(&c, 1, (uint8_t)present);
        h.tuple_bytes = (uint8_t)((present & 1) != 0 ? 40 : 0);
        h.priority = 64;
        test_context("parameters 0x%x", present);
        CHECK_EQ(rocecc_arn_emit(&w, &c, &h),
                 (present & 4) != 0 ? ROCECC_ERR_RANGE : ROCECC_OK);
    }
}

/* `lsb` must match the configured bit order, unless Para-Type is 0. */
TEST(arn_bit_order_must_match_the_configuration)
{
    static const struct {
        uint8_t order, para_type;
        bool lsb;
        rocecc_status status;
    } cases[] = {{ROCECC_ARN_LSB, 0, false, ROCECC_OK},
                 {ROCECC_ARN_MSB, 0, true, ROCECC_OK},
                 {ROCECC_ARN_LSB, 0x01, true, ROCECC_OK},
                 {ROCECC_ARN_LSB, 0x01, false, ROCECC_ERR_RANGE},
                 {ROCECC_ARN_MSB, 0x01, false, ROCECC_OK},
                 {ROCECC_ARN_MSB, 0x01, true, ROCECC_ERR_RANGE}};
    size_t i;
    for (i = 0; i < NOUN_COUNT(cases); i++) {
        uint8_t out[64];
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_arn_config c = none();
        rocecc_arn h;
        c.bit_order = cases[i].order;
        c.tail_unknown = true;
        c.family = 6;
        c.layout = ROCECC_ARN_PACKED;
        h = rocecc_arn_default(&c, 1, 0);
        h.para_type = cases[i].para_type;
        h.lsb = cases[i].lsb;
        if (rocecc_arn_present(&h) == ROCECC_ARN_FLOW) h.tuple_bytes = 37;
        test_context("case %zu", i);
        CHECK_EQ(rocecc_arn_emit(&w, &c, &h), cases[i].status);
    }
}

/*
 * Four bits of a Para-Type are known, the high ones with MSB and the low ones with LSB.
 * AUTO knows only one half, so all bits are unknown if both halves have bits.
 */
TEST(arn_unknown_bits_depend_on_the_bit_order)
{
    rocecc_arn_config c = none();
    CHECK_EQ(rocecc_arn_unknown_(&c, 0x99), 0x09);
    CHECK_EQ(rocecc_arn_unknown_(&c, 0xf0), 0);
    c.bit_order = ROCECC_ARN_LSB;
    CHECK_EQ(rocecc_arn_unknown_(&c, 0x99), 0x90);
    CHECK_EQ(rocecc_arn_unknown_(&c, 0x0f), 0);
    c.bit_order = ROCECC_ARN_AUTO;
    CHECK_EQ(rocecc_arn_unknown_(&c, 0x99), 0x99);
    CHECK_EQ(rocecc_arn_unknown_(&c, 0xf0), 0);
    CHECK_EQ(rocecc_arn_unknown_(&c, 0x0f), 0);
}

/* With an invalid configuration, parse() returns UNSUPPORTED and emit() RANGE. */
TEST(arn_invalid_configurations_are_rejected)
{
    static const uint8_t b[] = {1, 0x10, 0, 0};
    unsigned i;
    for (i = 0; i < 6; i++) {
        rocecc_arn_config c = none();
        rocecc_arn h, one;
        uint8_t out[8];
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        if (i == 1) c.bit_order = 3;
        if (i == 2) c.layout = 3;
        if (i == 3) c.priority = 3;
        if (i == 4) c.family = 5;
        if (i == 5) {
            c.bit_order = ROCECC_ARN_AUTO;
            c.tail_unknown = true;
        }
        test_context("%u", i);
        one = rocecc_arn_default(&c, 1, 0);
        CHECK_EQ(parse(&c, b, sizeof b, &h),
                 i == 0 ? ROCECC_OK : ROCECC_ERR_UNSUPPORTED);
        CHECK_EQ(rocecc_arn_emit(&w, &c, &one), i == 0 ? ROCECC_OK : ROCECC_ERR_RANGE);
    }
}

/* load() reads only the fixed 4 bytes. All other members are 0. */
TEST(arn_load_reads_only_the_fixed_part)
{
    static const uint8_t b[4] = {1, 0x1f, 200, 0x90};
    const rocecc_arn h = rocecc_arn_load(b);
    CHECK_RECORD(ROCECC_ARN_FIELDS, rocecc_arn, &h,
                 "type=1 version=1 resv=15 metric=200 para_type=0x90");
    CHECK_EQ(h.rest.end, 0);
}

/*
 * A padded flow identifier has 16 bytes for IPv4 and 40 for IPv6, and a packed one 3
 * bytes less. A flow with one IPv4 address counts as IPv6. With family 4, it has no
 * identifier, so the result is 0.
 */
TEST(arn_tuple_bytes_follow_family_and_layout)
{
    rocecc_flow v4, v6, mixed;
    rocecc_arn_config c = none();
    memset(&v6, 0x20, sizeof v6);
    memset(&v4, 0, sizeof v4);
    memset(v4.src.b + 10, 0xff, 6);
    memset(v4.dst.b + 10, 0xff, 6);
    mixed = v4;
    mixed.dst = v6.dst;
    CHECK_EQ(rocecc_arn_tuple_bytes(&c, &v4), 16);
    CHECK_EQ(rocecc_arn_tuple_bytes(&c, &v6), 40);
    CHECK_EQ(rocecc_arn_tuple_bytes(&c, &mixed), 40); /* only the source is IPv4 */
    mixed = v6;
    mixed.dst = v4.dst;
    CHECK_EQ(rocecc_arn_tuple_bytes(&c, &mixed), 40);
    c.layout = ROCECC_ARN_PACKED;
    CHECK_EQ(rocecc_arn_tuple_bytes(&c, &v4), 13);
    CHECK_EQ(rocecc_arn_tuple_bytes(&c, &v6), 37);
    c.family = 4;
    CHECK_EQ(rocecc_arn_tuple_bytes(&c, &v6), 0);
    CHECK_EQ(rocecc_arn_tuple_bytes(&c, &v4), 13);
    CHECK_EQ(rocecc_arn_tuple_bytes(&c, &mixed), 0);
    c.family = 6;
    CHECK_EQ(rocecc_arn_tuple_bytes(&c, &v4), 37); /* ::ffff:a.b.c.d */
    CHECK_EQ(rocecc_arn_tuple_bytes(&c, &mixed), 37);
    CHECK_EQ(rocecc_arn_tuple_bytes(&c, &v6), 37);
}

/* A time is rounded down, so a node passes on at most its remaining time (R-ARN-16). */
TEST(arn_time_is_rounded_down_and_saturates)
{
    rocecc_arn_config c = none();
    CHECK_EQ(rocecc_arn_time(&c, 0), 0);
    CHECK_EQ(rocecc_arn_time(&c, 1), 0);
    CHECK_EQ(rocecc_arn_time(&c, 999), 0);
    CHECK_EQ(rocecc_arn_time(&c, 1000), 1);
    CHECK_EQ(rocecc_arn_time(&c, 1999), 1);
    CHECK_EQ(rocecc_arn_time(&c, 2000), 2);
    CHECK_EQ(rocecc_arn_time(&c, 4294967294999), 4294967294);
    CHECK_EQ(rocecc_arn_time(&c, 4294967295000), 4294967295);
    CHECK_EQ(rocecc_arn_time(&c, 4294967296000), 4294967295);
    CHECK_EQ(rocecc_arn_time(&c, UINT64_MAX / 1000 + 1), 4294967295);
    CHECK_EQ(rocecc_arn_time(&c, UINT64_MAX), 4294967295);
    c.time_unit_ps = 1000000000; /* ms */
    CHECK_EQ(rocecc_arn_time(&c, 1999999), 1);
    CHECK_EQ(rocecc_arn_time_ns(&c, 0xffffffff), 4294967295000000);
    c.time_unit_ps = 1;
    CHECK_EQ(rocecc_arn_time_ns(&c, 1), 1);
    c.time_unit_ps = 0xffffffff;
    /* (2^32 - 1)^2 ps, rounded up */
    CHECK_EQ(rocecc_arn_time_ns(&c, 0xffffffff), UINT64_C(18446744065119618));
    /* 18446744 * 10^12 is near 2^64. Divided by 2^32 - 1, it is 4294967279.8. */
    CHECK_EQ(rocecc_arn_time(&c, UINT64_C(18446744000000000)), 4294967279);
}

/*
 * A1 over UDP in a padded frame, with a checksum from tshark. The caller must cut the
 * message to the UDP length.
 */
TEST(arn_message_must_be_cut_to_the_udp_length)
{
    static const char text[] =
        "0200000000010200000000020800 45c0003400004000ff1154e40a0909010a090902"
        "c0decaff00206df8 0110c8900a010a020a021401c00012b711000000 00000064 0000";
    uint8_t frame[VEC_BYTES];
    const rocecc_arn_config c = none();
    rocecc_reader r, datagram;
    rocecc_ipv4 ip;
    rocecc_udp udp;
    rocecc_arn h;
    size_t n;
    CHECK(vec_hex(text, frame, &n));
    CHECK_EQ(n, 66 + 2);
    r = rocecc_reader_of(frame + 14, frame + n);
    CHECK_EQ(rocecc_ipv4_parse(&r, &ip), ROCECC_OK);
    datagram = r;
    CHECK_EQ(rocecc_udp_parse(&r, &udp), ROCECC_OK);
    CHECK(udp.dst_port == 51967 && ip.ttl == ROCECC_ARN_HOPS);
    CHECK_EQ(ip.dscp, ROCECC_ARN_DSCP);
    CHECK_EQ(rocecc_arn_parse(&c, r, &h), ROCECC_ERR_FORMAT);
    CHECK(rocecc_split(&datagram, udp.length, &r));
    CHECK_EQ(rocecc_udp_checksum(rocecc_checksum_pseudo4(&ip, udp.length), r),
             udp.checksum);
    CHECK_EQ(rocecc_udp_parse(&r, &udp), ROCECC_OK);
    CHECK_EQ(rocecc_arn_parse(&c, r, &h), ROCECC_OK);
    CHECK(h.time == 100 && h.flow.dst_port == 4791 && h.tuple_bytes == 16);
}

TEST(arn_law_holds_for_random_messages)
{
    law_random(law_arn, 200000);
}

/* A source port is 0xc000 plus the low 14 bits of the hash. */
TEST(arn_source_port_is_0xc000_plus_14_bits_of_the_hash)
{
    const rocecc_arn_config c = {.port = 6000};
    unsigned bit;
    for (bit = 0; bit < 32; bit++)
        CHECK_EQ(rocecc_arn_datagram(&c, (uint32_t)1 << bit).src_port,
                 0xc000u | (bit < 14 ? 1u << bit : 0));
    CHECK_EQ(rocecc_arn_datagram(&c, 0).src_port, 0xc000);
    CHECK_EQ(rocecc_arn_datagram(&c, 0xffffffff).src_port, 0xffff);
}

/* emit() ignores a flow_zero of 24 bits if the 5-tuple is packed or absent. */
TEST(arn_flow_zero_without_a_field_is_ignored)
{
    static const uint8_t tuple[] = {0, 13, 37};
    size_t i;
    for (i = 0; i < NOUN_COUNT(tuple); i++) {
        const rocecc_arn_config c = none();
        rocecc_arn h = rocecc_arn_default(&c, 1, tuple[i] != 0 ? ROCECC_ARN_FLOW : 0);
        uint8_t out[64];
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        h.tuple_bytes = tuple[i];
        if (tuple[i] == 13) memset(h.flow.src.b + 10, 0xff, 2);
        if (tuple[i] == 13) memset(h.flow.dst.b + 10, 0xff, 2);
        h.flow_zero = 0xffffff;
        test_context("tuple of %u bytes", (unsigned)tuple[i]);
        CHECK_EQ(rocecc_arn_emit(&w, &c, &h), ROCECC_OK);
        CHECK_EQ(w.at, 4u + tuple[i]);
        CHECK_EQ(parse(&c, out, w.at, &h), ROCECC_OK);
        CHECK_EQ(h.flow_zero, 0);
    }
}

/* default() sets version 1. emit() returns RANGE if `versions` excludes it. */
TEST(arn_default_has_version_1_in_every_network)
{
    rocecc_arn_config c = none();
    uint8_t out[64];
    unsigned versions;
    for (versions = 0; versions < 16; versions++) {
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        const rocecc_arn h = rocecc_arn_default(&c, 1, 0);
        c.versions = (uint16_t)versions;
        test_context("versions 0x%x", versions);
        CHECK_EQ(h.version, 1);
        CHECK_EQ(rocecc_arn_emit(&w, &c, &h),
                 versions == 0 || (versions & 2) != 0 ? ROCECC_OK : ROCECC_ERR_RANGE);
    }
}

/* With AUTO, default() uses 0x80 as bit 0, as the figure does. */
TEST(arn_default_with_auto_has_bit_0_as_0x80)
{
    rocecc_arn_config c = none();
    rocecc_arn h;
    c.bit_order = ROCECC_ARN_AUTO;
    h = rocecc_arn_default(&c, 1, ROCECC_ARN_FLOW | ROCECC_ARN_TIME);
    CHECK(h.para_type == 0x90 && !h.lsb);
    c.bit_order = ROCECC_ARN_LSB;
    h = rocecc_arn_default(&c, 1, ROCECC_ARN_FLOW | ROCECC_ARN_TIME);
    CHECK(h.para_type == 0x09 && h.lsb);
}

/*
 * With a unit below 1 ns, time_ns() rounds up to whole ns. So a time that is converted
 * back may be longer, by less than 1 ns.
 */
TEST(arn_time_in_a_unit_below_1_ns_grows_by_up_to_1_ns)
{
    static const uint32_t unit_ps[] = {1, 300, 512, 999};
    rocecc_arn_config c = none();
    uint32_t time;
    size_t i;
    for (i = 0; i < NOUN_COUNT(unit_ps); i++)
        for (time = 0; time < 3000; time++) {
            uint32_t back;
            c.time_unit_ps = unit_ps[i];
            back = rocecc_arn_time(&c, rocecc_arn_time_ns(&c, time));
            test_context("%u units of %u ps", time, unit_ps[i]);
            CHECK(back >= time && (back - time) * unit_ps[i] < 1000);
        }
    c.time_unit_ps = 1;
    CHECK_EQ(rocecc_arn_time(&c, rocecc_arn_time_ns(&c, 1)), 1000);
}

/* If several members are invalid, init() returns the first reason in its order. */
TEST(arn_init_returns_the_first_reason)
{
    rocecc_arn_config c = none();
    c.bit_order = 3;
    c.layout = 3;
    c.priority = 3;
    c.family = 5;
    c.tail_unknown = true;
    CHECK_EQ(rocecc_arn_init(&c), ROCECC_ARN_REFUSED_BIT_ORDER);
    c.bit_order = ROCECC_ARN_AUTO;
    CHECK_EQ(rocecc_arn_init(&c), ROCECC_ARN_REFUSED_LAYOUT);
    c.layout = ROCECC_ARN_PACKED;
    CHECK_EQ(rocecc_arn_init(&c), ROCECC_ARN_REFUSED_PRIORITY);
    c.priority = ROCECC_ARN_PRIORITY_ANY;
    CHECK_EQ(rocecc_arn_init(&c), ROCECC_ARN_REFUSED_FAMILY);
    c.family = 6;
    CHECK_EQ(rocecc_arn_init(&c), ROCECC_ARN_REFUSED_TAIL);
    c.tail_unknown = false;
    CHECK_EQ(rocecc_arn_init(&c), ROCECC_ARN_ACCEPTED);
}
