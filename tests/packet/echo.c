/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/echo.h"
#include "lib/frame.h"
#include "lib/guard.h"
#include "lib/noun.h"
#include "rocecc/packet/echo.h"
#include "rocecc/role/echo.h"
#include "rocecc/wire/echo.h"
#include "rocecc/wire/ioam.h"

#include <stdlib.h>
#include <string.h>

NOUN(echo, parse, false, ROCECC_ECHO_FIELDS);

#define HOPS 2 /* hops per row */
#define HOP_NAMES "id rate queue tx ts util"

/* Arguments and results of the calls. */
typedef struct answer {
    uint8_t verdict;
    uint8_t length;
    uint8_t format;
    uint16_t echo_bytes;
    uint16_t room;
    uint32_t qp;
    uint32_t first_psn;
    uint32_t n_psns;
    uint32_t max_hops;
    uint32_t n;
    uint8_t complete;
    bool read_response;
    uint32_t psn;
    rocecc_csig tag;
    rocecc_hop hops[HOPS];
    rocecc_reader wrote;
} answer;

#define HOP_FIELDS(F, T, i)                                                            \
    F(T, UINT, hops[i].id, NULL)                                                       \
    F(T, UINT, hops[i].rate_bps, NULL)                                                 \
    F(T, UINT, hops[i].tx_bytes, NULL)                                                 \
    F(T, UINT, hops[i].ts_ns, NULL)                                                    \
    F(T, UINT, hops[i].queue_bytes, NULL)                                              \
    F(T, UINT, hops[i].util_q20, NULL)                                                 \
    F(T, SET, hops[i].valid, HOP_NAMES)
#define HEARD_FIELDS(F, T)                                                             \
    F(T, ENUM, verdict, ROCECC_ECHO_SENDER_VERDICT_NAMES)                              \
    F(T, UINT, length, NULL)                                                           \
    F(T, BOOL, read_response, NULL)                                                    \
    F(T, UINT, psn, NULL)                                                              \
    F(T, UINT, n, NULL)                                                                \
    F(T, ENUM, complete, "no unknown yes")                                             \
    F(T, UINT, tag.tpid, NULL)                                                         \
    F(T, BOOL, tag.wide, NULL)                                                         \
    F(T, UINT, tag.type, NULL)                                                         \
    F(T, UINT, tag.reserved, NULL)                                                     \
    F(T, UINT, tag.value, NULL)                                                        \
    F(T, UINT, tag.locator, NULL)                                                      \
    F(T, BOOL, tag.no_update, NULL)                                                    \
    HOP_FIELDS(F, T, 0)                                                                \
    HOP_FIELDS(F, T, 1)

static const field heard_fields[] = {HEARD_FIELDS(FIELD_ROW, answer)};
static const field received_fields[] = {
    FIELD_ROW(answer, ENUM, verdict, ROCECC_ECHO_RECEIVER_VERDICT_NAMES)
        FIELD_ROW(answer, VIEW, wrote, NULL)};
static const field format_field =
    FIELD_AT("format", ENUM, offsetof(answer, format), 1, ROCECC_ECHO_FORMAT_NAMES);

/* Returns the domain of the rows, with the row's echo_bytes. */
static rocecc_domain network(const vec_row *row)
{
    rocecc_domain d;
    memset(&d, 0, sizeof d);
    d.roce.echo_bytes = (uint16_t)noun_arg(row, "echo_bytes");
    d.csig.compact_tpid = 0x9900;
    d.csig.wide_tpid = 0x9901;
    d.ifa.protocol = 253;
    d.ifa.layout_a = ROCECC_IFA_LAB_LAYOUT_A;
    d.ifa.layout_b = ROCECC_IFA_LAB_LAYOUT_B;
    d.intmd.udp_port = 5000;
    d.ioam.tx_bytes_bit = 12;
    CHECK_EQ(rocecc_domain_init(&d), ROCECC_DOMAIN_ACCEPTED);
    return d;
}

static void call_found(const vec_row *row,
                       rocecc_status (*f)(const rocecc_packet *p, rocecc_echo *h))
{
    const rocecc_domain d = network(row);
    rocecc_packet p;
    rocecc_echo h, before;
    rocecc_status status;
    memset(&h, 0xa5, sizeof h);
    before = h;
    (void)rocecc_packet_parse(&d, noun_reader(row->bytes, row->n), &p);
    status = f(&p, &h);
    if (status != ROCECC_OK) CHECK(memcmp(&h, &before, sizeof h) == 0);
    noun_check_out(row, echo_fields, NOUN_COUNT(echo_fields), status, &h);
}

static rocecc_status extract(const rocecc_packet *p, rocecc_echo *h)
{
    return rocecc_echo_extract(p, h);
}

static rocecc_status find(const rocecc_packet *p, rocecc_echo *h)
{
    return rocecc_echo_find(p, h);
}

static void call_echo_of(const vec_row *row)
{
    call_found(row, extract);
}

static void call_echo_find(const vec_row *row)
{
    call_found(row, find);
}

static void call_receiver(const vec_row *row)
{
    const rocecc_domain d = network(row);
    rocecc_writer w = noun_writer(noun_arg(row, "room"));
    const size_t from = w.at;
    rocecc_packet p;
    answer a;
    memset(&a, 0, sizeof a);
    (void)rocecc_packet_parse(&d, noun_reader(row->bytes, row->n), &p);
    a.verdict = (uint8_t)rocecc_echo_receiver_step(&p, &w);
    CHECK(rocecc_echo_receiver_needs_action((rocecc_echo_receiver_verdict)a.verdict) ==
          (w.at != from));
    a.wrote = rocecc_subrange(rocecc_written(&w), from, w.at);
    noun_check_out(row, received_fields, NOUN_COUNT(received_fields), ROCECC_OK, &a);
}

/* Returns an argument of a row, or 0 if the row omits it. */
static uint32_t optional(const vec_row *row, const char *key)
{
    return vec_value(row->in, row->n_in, key) == NULL ? 0
                                                      : (uint32_t)noun_arg(row, key);
}

static void call_sender(const vec_row *row)
{
    const rocecc_domain d = network(row);
    const char *format = vec_value(row->in, row->n_in, "format");
    rocecc_hop *hops = (rocecc_hop *)calloc(noun_arg(row, "max_hops"), sizeof *hops);
    static rocecc_telemetry_config c;
    rocecc_echo_sender_event e;
    rocecc_echo_sender_result heard;
    rocecc_packet p;
    answer a;
    c.queue_unit_bytes = 80;
    c.util_one = 10000;
    c.every_node = true;
    memset(&a, 0, sizeof a);
    if (format != NULL) CHECK(field_set(&format_field, &a, format));
    e.qp = (uint32_t)noun_arg(row, "qp");
    e.first_psn = (uint32_t)noun_arg(row, "first_psn");
    e.n_psns = (uint32_t)noun_arg(row, "n_psns");
    e.max_hops = (uint32_t)noun_arg(row, "max_hops");
    e.format = a.format;
    e.first_read_psn = optional(row, "first_read_psn");
    e.n_read_psns = optional(row, "n_read_psns");
    memset(&heard, 0xa5, sizeof heard);
    (void)rocecc_packet_parse(&d, noun_reader(row->bytes, row->n), &p);
    rocecc_echo_sender_step(&c, &p, e, hops, &heard);
    a.verdict = heard.verdict;
    a.length = heard.length;
    a.read_response = heard.read_response;
    a.psn = heard.psn;
    a.tag = heard.tag;
    a.n = heard.path.n;
    a.complete = heard.path.complete;
    CHECK(a.n <= e.max_hops && a.n <= HOPS);
    if (a.verdict == ROCECC_ECHO_SENDER_HOPS && a.format == ROCECC_ECHO_IFA) {
        rocecc_echo h;
        rocecc_ifa v;
        CHECK_EQ(rocecc_echo_find(&p, &h), ROCECC_OK);
        CHECK_EQ(rocecc_echo_ifa(&d.ifa, &h, &v), ROCECC_OK);
        CHECK_EQ(v.header.version, 2); /* draft-kumar-ippm-ifa: IFA 2.0 */
    }
    memcpy(a.hops, hops, a.n * sizeof *hops);
    free(hops);
    noun_check_out(row, heard_fields, NOUN_COUNT(heard_fields), ROCECC_OK, &a);
}

static const noun_call calls[] = {{"echo_extract", call_echo_of},
                                  {"echo_find", call_echo_find},
                                  {"echo_receiver_step", call_receiver},
                                  {"echo_sender_step", call_sender}};

TEST(echo_vectors)
{
    const noun_file file = {"echo", law_echo, &echo_noun, 1, calls, NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}

/* Tries all values of the first 16 bits (version, format, T, R and reserved bits). */
TEST(echo_checks_every_value_of_the_first_16_bits)
{
    uint32_t first;
    for (first = 0; first < 0x10000; first++) {
        uint8_t b[16] = {0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
        rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
        const bool known = first / 0x1000 == 1 && first / 0x100 % 0x10 < 4;
        const bool read = (first & 0x40) != 0;
        rocecc_echo h;
        test_context("%04x", (unsigned)first);
        rocecc_store16(b, (uint16_t)first);
        CHECK_EQ(rocecc_echo_parse(&r, &h), known ? ROCECC_OK : ROCECC_ERR_UNSUPPORTED);
        if (!known) continue;
        CHECK(h.format == first / 0x100 % 0x10 && h.length == 2);
        CHECK(h.truncated == (first % 0x100 >= 0x80));
        CHECK_EQ(h.resv, first % 0x40 * 0x100);
        CHECK_EQ(rocecc_left(&h.record), h.truncated ? 0 : 8);
        CHECK(h.read_response == read && h.psn_resv == (read ? 1 : 0));
        CHECK_EQ(h.psn, read ? 0x020304 : 0);
        CHECK(h.record.base + h.record.at == b + (read ? 8 : 4));
        CHECK_EQ(rocecc_echo_bytes(&h), (h.truncated ? 4 : 12) + (read ? 4u : 0u));
    }
}

/* echo_bytes must be 0 (off), or 8 (a record of one word) to 1024. */
TEST(echo_bytes_must_be_0_or_8_to_1024)
{
    rocecc_domain d;
    uint32_t n;
    memset(&d, 0, sizeof d);
    for (n = 0; n < 0x10000; n++) {
        const bool fine = n == 0 || (n >= 8 && n <= 1024);
        d.roce.echo_bytes = (uint16_t)n;
        CHECK_EQ(rocecc_roce_init(&d.roce), fine ? ROCECC_OK : ROCECC_ERR_RANGE);
        CHECK_EQ(rocecc_domain_init(&d),
                 fine ? ROCECC_DOMAIN_ACCEPTED : ROCECC_DOMAIN_REFUSED_ECHO);
    }
    d.roce.echo_bytes = 7;
    d.arn.port = 4790;
    d.arn.bit_order = 3;
    CHECK_EQ(rocecc_domain_init(&d), ROCECC_DOMAIN_REFUSED_PORT);
    d.arn.port = 5;
    CHECK_EQ(rocecc_domain_init(&d), ROCECC_DOMAIN_REFUSED_ARN);
}

/* An ACK without bytes between AETH and ICRC has no echo. Less gives FORMAT. */
TEST(echo_needs_bytes_after_the_aeth)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .roce = {.echo_bytes = 256}};
    size_t n;
    for (n = 44; n <= 48; n++) {
        uint8_t b[48];
        rocecc_echo h;
        rocecc_packet p;
        test_context("%zu bytes", n);
        frame_roce(b, n, 0x11);
        CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(b, b + n), &p), ROCECC_OK);
        CHECK_EQ(rocecc_echo_find(&p, &h),
                 n < 48 ? ROCECC_ERR_FORMAT : ROCECC_NO_MATCH);
    }
}

/* An IOAM option that ends inside its Namespace-ID gives FORMAT. */
TEST(echo_of_a_cut_namespace_is_malformed)
{
    static const uint8_t record[5] = {0x31, 3, 0, 0, 0};
    const uint8_t *at = guard_end(record, sizeof record);
    const rocecc_ioam_config c = {0, 0, 0, false};
    rocecc_ioam_view v;
    rocecc_echo h;
    memset(&h, 0, sizeof h);
    h.format = ROCECC_ECHO_IOAM;
    h.record = rocecc_reader_of(at, at + sizeof record);
    CHECK_EQ(rocecc_echo_ioam(&c, &h, &v), ROCECC_ERR_FORMAT);
}

/* Only the two trace types of IOAM are accepted as a record. */
TEST(echo_accepts_only_the_two_ioam_trace_types)
{
    uint8_t record[12] = {0x31, 10, 0, 0, 0x12, 0x34, 8, 0, 0x80};
    const rocecc_ioam_config c = {0x1234, 0, 0, false};
    unsigned type;
    for (type = 0; type < 256; type++) {
        rocecc_ioam_view v;
        rocecc_echo h;
        memset(&h, 0, sizeof h);
        h.format = ROCECC_ECHO_IOAM;
        h.record = rocecc_reader_of(record, record + sizeof record);
        record[3] = (uint8_t)type;
        test_context("IOAM-Opt-Type %u", type);
        CHECK_EQ(rocecc_echo_ioam(&c, &h, &v),
                 type <= ROCECC_IOAM_INCREMENTAL ? ROCECC_OK : ROCECC_ERR_FORMAT);
    }
}

/* A record that looks like a tag is a tag only if the echo's format is CSIG and the
 * record is not truncated. */
TEST(echo_csig_needs_the_format_csig)
{
    static const uint8_t record[4] = {0x99, 0, 0x2b, 0x85};
    rocecc_csig_config c;
    int format;
    memset(&c, 0, sizeof c);
    c.compact_tpid = 0x9900;
    for (format = 0; format < 8; format++) {
        const bool is = format == ROCECC_ECHO_CSIG;
        rocecc_csig v;
        rocecc_echo h;
        memset(&h, 0, sizeof h);
        h.format = (uint8_t)(format & 3);
        h.truncated = format > 3;
        h.record = rocecc_reader_of(record, record + sizeof record);
        test_context("format %d", format);
        CHECK_EQ(rocecc_echo_csig(&c, &h, &v), is ? ROCECC_OK : ROCECC_NO_MATCH);
        if (is) CHECK(v.type == 1 && v.value == 23 && v.locator == 5);
    }
}

/* A tag that ends after its TPID gives FORMAT. With fewer than 2 bytes it has no TPID,
 * and gives NO_MATCH. */
TEST(echo_of_a_cut_tag_is_malformed)
{
    static const uint8_t record[4] = {0x99, 0, 0x2b, 0x85};
    rocecc_csig_config c;
    size_t n;
    memset(&c, 0, sizeof c);
    c.compact_tpid = 0x9900;
    for (n = 0; n < sizeof record; n++) {
        rocecc_csig v;
        rocecc_echo h;
        memset(&h, 0, sizeof h);
        h.format = ROCECC_ECHO_CSIG;
        h.record = rocecc_reader_of(n == 0 ? NULL : record, n == 0 ? NULL : record + n);
        test_context("%zu bytes", n);
        CHECK_EQ(rocecc_echo_csig(&c, &h, &v),
                 n < 2 ? ROCECC_NO_MATCH : ROCECC_ERR_FORMAT);
    }
}

/* A record must be exactly one whole Hop-by-Hop option of type 0x31. */
TEST(echo_ioam_needs_exactly_one_option)
{
    static const struct {
        uint8_t type, len, bytes;
        rocecc_status status;
    } cases[] = {{0x31, 10, 12, ROCECC_OK},         {0x31, 10, 13, ROCECC_ERR_FORMAT},
                 {0x31, 10, 11, ROCECC_ERR_FORMAT}, {0x31, 14, 12, ROCECC_ERR_FORMAT},
                 {0x11, 10, 12, ROCECC_ERR_FORMAT}, {0x31, 10, 14, ROCECC_ERR_FORMAT},
                 {0x31, 1, 3, ROCECC_ERR_FORMAT}};
    const rocecc_ioam_config c = {0x1234, 0, 0, false};
    size_t i;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t record[14] = {0x31, 10, 0, 0, 0x12, 0x34, 8, 0, 0x80};
        rocecc_ioam_view v;
        rocecc_echo h;
        record[0] = cases[i].type;
        record[1] = cases[i].len;
        memset(&h, 0, sizeof h);
        h.format = ROCECC_ECHO_IOAM;
        h.record = rocecc_reader_of(record, record + cases[i].bytes);
        test_context("case %zu", i);
        CHECK_EQ(rocecc_echo_ioam(&c, &h, &v), cases[i].status);
    }
}

/* ACK for QP 0x12 and PSN 100 with the echo of a CSIG tag. */
static const uint32_t ack_words[] = {0x45000038, 0,          0x40110000, 0x0a000002,
                                     0x0a000001, 0xc00012b7, 0x00240000, /* UDP */
                                     0x1100ffff, 0x12,       100,        /* BTH */
                                     0,          0x13000001, 0x99002b85, 0};

/* PadCnt other than 0 in this ACK gives FORMAT. find() ignores SE, M and TVer. */
TEST(echo_find_rejects_a_pad_count)
{
    rocecc_domain d = ROCECC_ZERO;
    uint8_t ack[56];
    unsigned bits;
    size_t n;
    for (n = 0; n < 14; n++)
        rocecc_store32(ack + 4 * n, ack_words[n]);
    d.link = ROCECC_LINK_IP;
    d.roce.echo_bytes = 8;
    for (bits = 0; bits < 256; bits++) {
        rocecc_packet p;
        rocecc_echo h;
        test_context("%02x", bits);
        ack[29] = (uint8_t)bits;
        (void)rocecc_packet_parse(&d, rocecc_reader_of(ack, ack + sizeof ack), &p);
        CHECK_EQ(p.headers.bth, 28);
        CHECK_EQ(rocecc_echo_find(&p, &h),
                 (bits >> 4 & 3) != 0 ? ROCECC_ERR_FORMAT : ROCECC_OK);
    }
}

/* RoCEv1 has no echo. Its CSIG tag is not extracted, and bytes in its ACK that look
 * like an echo are not found. */
TEST(echo_is_not_found_in_rocev1)
{
    static const uint8_t echo[8] = {0x13, 0, 0, 1, 0x99, 0, 0x2b, 0x85};
    uint8_t b[18 + 2 + 40 + 12 + 4 + 8 + 4] = {
        2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x99, 0, 0x2b, 0x85, 0x89, 0x15};
    rocecc_domain d = ROCECC_ZERO;
    rocecc_packet p;
    rocecc_echo h;
    const size_t grh = 18;
    d.roce.echo_bytes = 64;
    d.csig.compact_tpid = 0x9900;
    b[grh] = 0x60;
    b[grh + 5] = 12 + 4 + 8 + 4;
    b[grh + 6] = 0x1b;
    b[grh + 40] = 0x11; /* RC ACKNOWLEDGE */
    memcpy(b + grh + 40 + 16, echo, sizeof echo);
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b - 2), &p),
             ROCECC_OK);
    CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_ROCEV1);
    CHECK(p.headers.csig == 12 && p.headers.bth == grh + 40);
    CHECK_EQ(rocecc_echo_extract(&p, &h), ROCECC_NO_MATCH);
    CHECK_EQ(rocecc_echo_find(&p, &h), ROCECC_NO_MATCH);
}

/* INT-MD is at 28 to 44, and the bytes are cut after the walk. The status is SHORT
 * unless INT and the BTH after it are complete. */
TEST(echo_of_cut_int_is_short)
{
    static const uint32_t words[] = {0x4500003c, 0,          0x40110000, 0x0a000002,
                                     0x0a000001, 0xc0011388, 0x00280000, /* UDP */
                                     0x140312b7, 0x20000101, 0x80000000, 0,
                                     0x0a00ffff, 0x12,       100,        0};
    rocecc_domain d = ROCECC_ZERO;
    uint8_t b[60];
    rocecc_packet all;
    size_t n;
    for (n = 0; n < 15; n++)
        rocecc_store32(b + 4 * n, words[n]);
    d.link = ROCECC_LINK_IP;
    d.roce.echo_bytes = 16;
    d.intmd.udp_port = 5000;
    CHECK_EQ(rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &all),
             ROCECC_OK);
    CHECK(all.headers.intmd == 28 && all.headers.bth == 44);
    for (n = 0; n <= sizeof b; n++) {
        const uint8_t *at = guard_end(b, n);
        const rocecc_packet p =
            rocecc_packet_attach(&d, rocecc_reader_of(at, at + n), &all.headers);
        rocecc_echo h;
        test_context("%zu bytes", n);
        memset(&h, 0, sizeof h);
        CHECK_EQ(rocecc_echo_extract(&p, &h), n < 56 ? ROCECC_ERR_SHORT : ROCECC_OK);
        if (n < 56) continue;
        CHECK_EQ(h.format, ROCECC_ECHO_INTMD);
        CHECK_EQ(h.length, 3);
        CHECK(!h.truncated && h.record.at == 32 && h.record.end == 44);
    }
}

/* INT's shim has 255 words, namely INT-MD's header and 42 nodes of 6 words. The record
 * has 1020 bytes, and the echo 1024. */
TEST(echo_accepts_a_record_of_1020_bytes)
{
    static uint8_t b[20 + 8 + 4 + 1020 + 12 + 4];
    rocecc_domain d = ROCECC_ZERO;
    rocecc_packet p;
    rocecc_echo h = ROCECC_ZERO;
    d.link = ROCECC_LINK_IP;
    d.intmd.udp_port = 5000;
    d.roce.echo_bytes = 1024;
    b[0] = 0x45;
    rocecc_store16(b + 2, sizeof b);
    b[9] = 17;
    rocecc_store16(b + 22, 5000);
    rocecc_store16(b + 24, sizeof b - 20);
    rocecc_store32(b + 28, 0x14ff12b7); /* MD, NPT 1: the port was 4791 */
    rocecc_store32(b + 32, 0x20000600); /* Ver 2, Hop ML 6 */
    (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
    CHECK_EQ(p.headers.bth, 1052);
    CHECK_EQ(rocecc_echo_extract(&p, &h), ROCECC_OK);
    CHECK_EQ(h.format, ROCECC_ECHO_INTMD);
    CHECK_EQ(h.length, 255);
    CHECK(!h.truncated && h.record.at == 32 && h.record.end == 1052);
    d.roce.echo_bytes = 1020;
    CHECK_EQ(rocecc_echo_extract(&p, &h), ROCECC_OK);
    CHECK(h.truncated && h.length == 255 && rocecc_left(&h.record) == 0);
}

#define UNTOUCHED 0xa5

/* An IOAM option that ends before its IOAM-Opt-Type gives FORMAT. */
TEST(echo_of_a_cut_option_is_malformed)
{
    static const uint8_t record[4] = {0x31, 1, 0, 0};
    const rocecc_ioam_config c = {0, 0, 0, false};
    rocecc_echo h;
    rocecc_ioam_view v, was;
    size_t n;
    memset(&h, 0, sizeof h);
    memset(&v, UNTOUCHED, sizeof v);
    was = v;
    h.format = ROCECC_ECHO_IOAM;
    for (n = 0; n <= 3; n++) { /* 3: a whole option with one byte of data */
        const uint8_t *at = guard_end(record, n);
        h.record = rocecc_reader_of(at, at + n);
        CHECK_EQ(rocecc_echo_ioam(&c, &h, &v), ROCECC_ERR_FORMAT);
    }
    CHECK(memcmp(&v, &was, sizeof v) == 0);
}

/* UNSUPPORTED for the length comes before FORMAT for PadCnt, and this before SHORT. */
TEST(echo_find_returns_the_first_error)
{
    rocecc_domain d = ROCECC_ZERO;
    unsigned i;
    size_t n;
    d.link = ROCECC_LINK_IP;
    for (i = 0; i < 4; i++) {
        static const rocecc_status should[] = {
            ROCECC_ERR_UNSUPPORTED, ROCECC_ERR_FORMAT, ROCECC_ERR_SHORT, ROCECC_OK};
        uint8_t ack[56];
        rocecc_packet p;
        rocecc_echo h = ROCECC_ZERO;
        for (n = 0; n < 14; n++)
            rocecc_store32(ack + 4 * n, ack_words[n]);
        if (i < 2) ack[29] = 0x10;
        d.roce.echo_bytes = i < 1 ? 7 : 8;
        h.length = 99;
        test_context("error %u", i);
        (void)rocecc_packet_parse(
            &d, rocecc_reader_of(ack, ack + (i < 3 ? 51 : sizeof ack)), &p);
        CHECK_EQ(rocecc_echo_find(&p, &h), should[i]);
        CHECK_EQ(h.length, i < 3 ? 99 : 1);
    }
}

/* INT of Type 3 (MX) has no nodes, so the echo has the CSIG tag after the addresses. */
TEST(echo_of_int_mx_has_the_csig_tag)
{
    static const char *const shims[] = {"140312b7", "340312b7"};
    rocecc_domain d = ROCECC_ZERO;
    unsigned mx;
    d.intmd.udp_port = 5000;
    d.csig.compact_tpid = 0x9900;
    d.roce.echo_bytes = 64;
    for (mx = 0; mx < 2; mx++) {
        test_frame x =
            frame_of("020000000001 020000000002 9900 2b85 0800 4500003c 00004000"
                     "40110000 c0000201 c0000202 c0001388 00280000 00000000 20000140"
                     "80000000 00000000 0400ffff 00000012 00000000 00000000");
        const test_frame shim = frame_of(shims[mx]);
        rocecc_packet p;
        rocecc_echo h = ROCECC_ZERO;
        memcpy(x.b + 46, shim.b, 4);
        p = frame_walked(&d, &x);
        test_context("MX %u", mx);
        CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_ROCEV2);
        CHECK_EQ(rocecc_echo_extract(&p, &h), ROCECC_OK);
        CHECK_EQ(h.format, mx != 0 ? ROCECC_ECHO_CSIG : ROCECC_ECHO_INTMD);
        CHECK_EQ(h.length, mx != 0 ? 1 : 3);
        CHECK_EQ(h.record.at, mx != 0 ? 12 : 50);
    }
}
