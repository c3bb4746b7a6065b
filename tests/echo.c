/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/echo.h"
#include "lib/noun.h"

#include <stdlib.h>
#include <string.h>

NOUN(echo, parse, false, ROCECC_ECHO_FIELDS);

#define HOPS 2 /* that a row has */
#define HOP_NAMES "id rate queue tx ts util"

/* What the calls take or give. */
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

/* The network of the rows, where echoes may be so long. */
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
    memset(&heard, 0xa5, sizeof heard);
    (void)rocecc_packet_parse(&d, noun_reader(row->bytes, row->n), &p);
    rocecc_echo_sender_step(&c, &p, e, hops, &heard);
    a.verdict = heard.verdict;
    a.length = heard.length;
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

/* Every first half-word: version, format, T and what is reserved. */
TEST(echo_first_16_bits)
{
    uint32_t first;
    for (first = 0; first < 0x10000; first++) {
        uint8_t b[12] = {0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8};
        rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
        const bool known = first / 0x1000 == 1 && first / 0x100 % 0x10 < 4;
        rocecc_echo h;
        test_context("%04x", (unsigned)first);
        rocecc_store16(b, (uint16_t)first);
        CHECK_EQ(rocecc_echo_parse(&r, &h), known ? ROCECC_OK : ROCECC_ERR_UNSUPPORTED);
        if (!known) continue;
        CHECK(h.format == first / 0x100 % 0x10 && h.length == 2);
        CHECK(h.truncated == (first % 0x100 >= 0x80));
        CHECK_EQ(h.resv, first % 0x80 * 0x100);
        CHECK_EQ(rocecc_left(&h.record), h.truncated ? 0 : 8);
        CHECK(h.record.base + h.record.at == b + 4);
        CHECK_EQ(rocecc_echo_bytes(&h), h.truncated ? 4 : 12);
    }
}

/* A network without room for a record of one word has none; 0 is off. */
TEST(echo_bytes_of_a_domain)
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
