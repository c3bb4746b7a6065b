/* SPDX-License-Identifier: BSD-2-Clause */

/* icmp.c - tests packet/icmp.h against the rows of vectors/icmp_build.vec (bytes from
 * scapy), against a model on random packets, and for cases without a row. */
#include "law/icmp_build.h"
#include "lib/guard.h"
#include "lib/noun.h"
#include "lib/role.h"
#include "lib/test.h"
#include "lib/trace.h"

#include <string.h>

#define UNTOUCHED 0xa5
#define ROOM 1300 /* more than an error has */

typedef struct asked {
    rocecc_icmp_node node;
    rocecc_icmp_error error;
} asked;

#define ASKED_FIELDS(F, T)                                                             \
    F(T, IP6, node.src, NULL)                                                          \
    F(T, UINT, node.hop_limit, NULL)                                                   \
    F(T, UINT, node.dscp, NULL)                                                        \
    F(T, UINT, error.type, NULL)                                                       \
    F(T, UINT, error.code, NULL)                                                       \
    F(T, UINT, error.value, NULL)
static const field asked_fields[] = {ASKED_FIELDS(FIELD_ROW, asked)};

typedef struct answer {
    rocecc_reader sent;
} answer;
static const field sent_fields[] = {FIELD_ROW(answer, VIEW, sent, NULL)};

static void set(const vec_row *row, asked *a)
{
    size_t i;
    memset(a, 0, sizeof *a);
    for (i = 0; i < row->n_in; i++)
        if (!role_set(asked_fields, NOUN_COUNT(asked_fields), "", &row->in[i], a))
            test_fail(__FILE__, __LINE__, "%s=%s is not a setting", row->in[i].key,
                      row->in[i].value);
}

/* Returns the row's packet at offset `start` in a buffer before a guard page. */
static rocecc_reader packet_at(const vec_row *row, size_t start)
{
    uint8_t *at = guard_end(NULL, start + row->n);
    memset(at, 0x60, start);
    memcpy(at + start, row->bytes, row->n);
    return rocecc_reader_of(at, at + start + row->n);
}

/* Builds an error at offset 3, in `room` bytes, and checks that nothing else is
 * touched. */
static void builds(const vec_row *row, const asked *a, rocecc_reader bytes, size_t room,
                   rocecc_status should)
{
    static uint8_t out[3 + ROOM + 1];
    rocecc_writer w = rocecc_writer_of(out, out + 3 + room);
    answer is;
    size_t i;
    memset(out, UNTOUCHED, sizeof out);
    w.at = 3;
    CHECK_EQ(rocecc_icmp_build(&w, bytes, &a->error, &a->node), should);
    CHECK(w.base == out && w.end == 3 + room);
    is.sent = rocecc_reader_of(out + 3, out + w.at);
    if (should == row->status)
        noun_check_out(row, sent_fields, NOUN_COUNT(sent_fields), should, &is);
    if (should != ROCECC_OK) CHECK_EQ(w.at, 3);
    for (i = w.at; i < 3 + room; i++)
        CHECK_EQ(out[i], UNTOUCHED);
    for (i = 0; i < 3; i++)
        CHECK_EQ(out[i], UNTOUCHED);
    CHECK_EQ(out[3 + room], UNTOUCHED);
}

static void call_build(const vec_row *row)
{
    static const size_t starts[] = {0, 1, 77, ROCECC_PACKET_START_MAX};
    size_t i, bytes = 0;
    asked a;
    set(row, &a);
    for (i = 0; i < row->n_out; i++)
        if (strcmp(row->out[i].key, "sent") == 0) bytes = strlen(row->out[i].value) / 2;
    CHECK_EQ(bytes != 0, row->status == ROCECC_OK);
    for (i = 0; i < NOUN_COUNT(starts); i++) {
        test_context("%s, %zu bytes into its buffer", row->id, starts[i]);
        a.error.offset = (uint16_t)starts[i];
        builds(row, &a, packet_at(row, starts[i]), ROOM, row->status);
    }
    a.error.offset = 0;
    for (i = 0; i <= bytes; i++) {
        test_context("%s, room for %zu bytes", row->id, i);
        builds(row, &a, packet_at(row, 0), i,
               i < bytes ? ROCECC_ERR_SPACE : row->status);
    }
}

typedef struct read_back {
    uint8_t type;
    uint8_t code;
    uint16_t checksum;
    uint32_t value;
    rocecc_reader packet;
    unsigned version; /* IP version of the packet's first byte */
} read_back;

#define READ_FIELDS(F, T)                                                              \
    F(T, UINT, type, NULL)                                                             \
    F(T, UINT, code, NULL)                                                             \
    F(T, UINT, checksum, NULL)                                                         \
    F(T, UINT, value, NULL)                                                            \
    F(T, VIEW, packet, NULL)                                                           \
    F(T, UINT, version, NULL)
static const field read_fields[] = {READ_FIELDS(FIELD_ROW, read_back)};

static const rocecc_domain ip_domain = {.link = ROCECC_LINK_IP};

/* On failure neither the message nor the packet is touched. */
static void call_quoted(const vec_row *row)
{
    static const size_t starts[] = {0, 1, 77, ROCECC_PACKET_START_MAX};
    static rocecc_packet untouched;
    size_t i;
    memset(&untouched, UNTOUCHED, sizeof untouched);
    for (i = 0; i < NOUN_COUNT(starts); i++) {
        rocecc_reader r = packet_at(row, starts[i]);
        rocecc_icmp_message m;
        rocecc_packet p, quote = untouched;
        rocecc_status status;
        read_back is = {0};
        test_context("%s, %zu bytes into its buffer", row->id, starts[i]);
        memset(&m, UNTOUCHED, sizeof m);
        r.at = starts[i];
        (void)rocecc_packet_parse(&ip_domain, r, &p);
        status = rocecc_icmp_quoted(&p, &m, &quote);
        if (status != ROCECC_OK) {
            CHECK(memcmp(&quote, &untouched, sizeof quote) == 0);
            CHECK(memcmp(&m, &untouched, sizeof m) == 0);
        } else {
            rocecc_reader first = m.packet;
            const uint8_t *b = rocecc_take(&first, 1);
            CHECK(quote.bytes.base == r.base && quote.bytes.at == m.packet.at);
            CHECK(quote.bytes.end == m.packet.end && quote.domain == &ip_domain);
            is.type = m.type;
            is.code = m.code;
            is.checksum = m.checksum;
            is.value = m.value;
            is.packet = m.packet;
            is.version = b != NULL ? *b >> 4 : 0;
        }
        noun_check_out(row, read_fields, NOUN_COUNT(read_fields), status, &is);
    }
}

static const noun_call calls[] = {{"icmp_build", call_build},
                                  {"icmp_quoted", call_quoted}};

TEST(icmp_build_vectors)
{
    const noun_file file = {"icmp_build", law_icmp_build,   NULL, 0,
                            calls,        NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}

TEST(icmp_build_law)
{
    law_random(law_icmp_build, 200000);
}

/* The sender of a Fast CNP gets it back in an error. Its headers are found 48 bytes
 * later in the quote, and the packet is partial. */
TEST(icmp_quoted_fast_cnp_is_a_partial_packet)
{
    uint8_t made[LAW_ROLE_BYTES], out[ROOM];
    const rocecc_icmp_error error = {4, 2, 0, 42};
    rocecc_icmp_node node = {{{0}}, 64, 48};
    rocecc_writer w = rocecc_writer_of(made, made + sizeof made);
    rocecc_icmp_message m;
    rocecc_packet sent, p, quote;
    law_role_fast(&w, false);
    (void)rocecc_packet_parse(&ip_domain, rocecc_written(&w), &sent);
    node.src = law_icmp_node_src(0);
    w = rocecc_writer_of(out, out + sizeof out);
    CHECK_EQ(rocecc_icmp_build(&w, sent.bytes, &error, &node), ROCECC_OK);
    (void)rocecc_packet_parse(&ip_domain, rocecc_written(&w), &p);
    CHECK_EQ(rocecc_icmp_quoted(&p, &m, &quote), ROCECC_OK);
    CHECK_EQ(rocecc_packet_partial(&quote), ROCECC_PARTIAL_QUOTED);
    CHECK_EQ(sent.headers.kind, ROCECC_PACKET_KIND_ROCEV2);
    CHECK_EQ(quote.headers.kind,
             ROCECC_PACKET_KIND_ROCEV2 | ROCECC_PACKET_KIND_PARTIAL);
    CHECK_EQ(quote.headers.bth, sent.headers.bth + 48);
    CHECK_EQ(quote.headers.ip.dst_opts[0], sent.headers.ip.dst_opts[0] + 48);
    CHECK_EQ(m.value, 42);
}

/* RoCEv1 and packets without IP give NO_MATCH. */
TEST(icmp_quoted_needs_an_ip_header)
{
    static const rocecc_domain ether = {.link = ROCECC_LINK_ETHER};
    static const uint8_t b[128] = {[12] = 0x89, [13] = 0x15, [14] = 0x60, [20] = 58};
    rocecc_icmp_message m;
    rocecc_packet p, quote;
    size_t n;
    for (n = 0; n <= sizeof b; n++) {
        (void)rocecc_packet_parse(&ether, rocecc_reader_of(b, b + n), &p);
        CHECK_EQ(rocecc_icmp_quoted(&p, &m, &quote), ROCECC_NO_MATCH);
    }
}

/* The IP header to quote is not the first in the buffer, because the packet is in a
 * tunnel. */
TEST(icmp_build_quotes_from_the_given_ip_header)
{
    uint8_t b[40 + LAW_ROLE_BYTES], out[ROOM];
    rocecc_icmp_error error = {3, 0, 40, 0};
    rocecc_icmp_node node = {{{0}}, 64, 0};
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_reader written;
    memset(b, 0, 40); /* a tunnel from ::, which gets no error */
    b[0] = 0x60;
    b[6] = 41;
    w.at = 40;
    law_role_cnp(&w, false);
    written = rocecc_written(&w);
    rocecc_store16(b + 4, (uint16_t)(w.at - 40));
    node.src = law_icmp_node_src(0);
    w = rocecc_writer_of(out, out + sizeof out);
    CHECK_EQ(rocecc_icmp_build(&w, written, &error, &node), ROCECC_OK);
    CHECK_EQ(w.at, 48 + rocecc_left(&written) - 40);
    CHECK(memcmp(out + 48, b + 40, w.at - 48) == 0);
    w.at = error.offset = 0;
    CHECK_EQ(rocecc_icmp_build(&w, written, &error, &node), ROCECC_NO_MATCH);
    error.offset = (uint16_t)written.end; /* no bytes at or after this offset */
    CHECK_EQ(rocecc_icmp_build(&w, written, &error, &node), ROCECC_ERR_SHORT);
    error.offset++;
    CHECK_EQ(rocecc_icmp_build(&w, written, &error, &node), ROCECC_ERR_SHORT);
    CHECK_EQ(w.at, 0);
}

/* Kept headers of an error give SHORT or FORMAT if bytes are missing. */
TEST(icmp_quoted_of_missing_bytes_is_short)
{
    uint8_t made[LAW_ROLE_BYTES], out[ROOM];
    rocecc_icmp_node node = {{{0}}, 64, 48};
    int version;
    for (version = 4; version <= 6; version += 2) {
        const rocecc_icmp_error error = {version == 6 ? 3 : 11, 0, 0, 0};
        rocecc_writer w = rocecc_writer_of(made, made + sizeof made);
        rocecc_icmp_message m;
        rocecc_packet whole, quote;
        size_t n, k;
        law_role_cnp(&w, version == 4);
        node.src = law_icmp_node_src(version == 4 ? 2 : 0);
        {
            const rocecc_reader dropped = rocecc_written(&w);
            w = rocecc_writer_of(out, out + sizeof out);
            CHECK_EQ(rocecc_icmp_build(&w, dropped, &error, &node), ROCECC_OK);
        }
        (void)rocecc_packet_parse(&ip_domain, rocecc_written(&w), &whole);
        CHECK_EQ(rocecc_icmp_quoted(&whole, &m, &quote), ROCECC_OK);
        for (n = 0; n < w.at; n++)
            for (k = 0; k < 2; k++) {
                const uint8_t *at = guard_end(out, n);
                rocecc_packet p = rocecc_packet_attach(
                    &ip_domain, rocecc_reader_of(at, at + n), &whole.headers);
                if (k == 1) p.headers.ip.end = (uint32_t)n; /* and ip.end fits */
                test_context("IPv%d, %zu bytes, %zu", version, n, k);
                CHECK_EQ(rocecc_icmp_quoted(&p, &m, &quote),
                         k == 0 || n <= whole.headers.ip.upper + 7u
                             ? ROCECC_ERR_SHORT
                             : ROCECC_ERR_FORMAT);
            }
    }
}

/* The quote ends with the packet, before 10 bytes of Ethernet padding after a CNP over
 * IPv4. */
TEST(icmp_build_does_not_quote_padding)
{
    uint8_t made[LAW_ROLE_BYTES], out[ROOM];
    const rocecc_icmp_error error = {11, 0, 0, 0};
    const rocecc_icmp_node node = {law_icmp_node_src(2), 64, 48};
    rocecc_writer w = rocecc_writer_of(made, made + sizeof made);
    size_t n;
    law_role_cnp(&w, true);
    n = w.at;
    memset(rocecc_put(&w, 10), 0x5a, 10);
    {
        const rocecc_reader dropped = rocecc_written(&w);
        w = rocecc_writer_of(out, out + sizeof out);
        CHECK_EQ(rocecc_icmp_build(&w, dropped, &error, &node), ROCECC_OK);
    }
    CHECK_EQ(w.at, 28 + n);
    CHECK(memcmp(out + 28, made, n) == 0);
}

/* Each fault is corrected after its status, namely type 0, offset 41, source ::, hop
 * limit 0 and too little room. */
TEST(icmp_build_returns_the_first_failed_check)
{
    uint8_t b[40] = {0x60, [6] = 59, [7] = 64, [24] = 0x20}, out[88];
    rocecc_icmp_error error = {0, 0, 41, 0};
    rocecc_icmp_node node = {{{0}}, 0, 0};
    const rocecc_reader bytes = rocecc_reader_of(b, b + sizeof b);
    rocecc_writer w = rocecc_writer_of(out, out + 87);
    node.src = law_icmp_node_src(0);
    CHECK_EQ(rocecc_icmp_build(&w, bytes, &error, &node), ROCECC_NO_MATCH);
    error.type = 3;
    CHECK_EQ(rocecc_icmp_build(&w, bytes, &error, &node), ROCECC_ERR_SHORT);
    error.offset = 0;
    CHECK_EQ(rocecc_icmp_build(&w, bytes, &error, &node), ROCECC_NO_MATCH);
    b[8] = 0x20;
    CHECK_EQ(rocecc_icmp_build(&w, bytes, &error, &node), ROCECC_ERR_RANGE);
    node.hop_limit = 1;
    CHECK_EQ(rocecc_icmp_build(&w, bytes, &error, &node), ROCECC_ERR_SPACE);
    CHECK_EQ(w.at, 0);
    w = rocecc_writer_of(out, out + 88);
    CHECK_EQ(rocecc_icmp_build(&w, bytes, &error, &node), ROCECC_OK);
    CHECK_EQ(w.at, 88);
}

/* Only types 2 and 4, code 2, answer a packet to a group, here ff0e::1 and
 * ::ffff:229.1.1.1. 223.1.1.1 is no group. */
TEST(icmp_build_answers_a_group_with_two_errors)
{
    static const struct {
        uint8_t type, code;
        bool group, answered;
    } cases[] = {{1, 0, true, false}, {2, 0, true, true}, {3, 0, true, false},
                 {4, 1, true, false}, {4, 2, true, true}, {3, 0, false, true}};
    static const uint8_t dst[3][16] = {
        {0xff, 0x0e, [15] = 1},
        {[10] = 0xff, [11] = 0xff, [12] = 229, [13] = 1, [14] = 1, [15] = 1},
        {[10] = 0xff, [11] = 0xff, [12] = 223, [13] = 1, [14] = 1, [15] = 1}};
    uint8_t b[40] = {0x60, [6] = 59, [7] = 64, [8] = 0x20}, out[88];
    const rocecc_icmp_node node = {law_icmp_node_src(0), 64, 0};
    size_t i, k;
    for (i = 0; i < 6; i++)
        for (k = cases[i].group ? 0 : 2; k < (cases[i].group ? 2u : 3u); k++) {
            const rocecc_icmp_error error = {cases[i].type, cases[i].code, 0, 0};
            rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
            memcpy(b + 24, dst[k], 16);
            test_context("type %u, code %u, destination %zu", error.type, error.code,
                         k);
            CHECK_EQ(rocecc_icmp_build(&w, rocecc_reader_of(b, b + 40), &error, &node),
                     cases[i].answered ? ROCECC_OK : ROCECC_NO_MATCH);
            CHECK_EQ(w.at, cases[i].answered ? 88 : 0);
        }
}

/* An ICMP message of 8 bytes quotes nothing (SHORT). A wrong checksum is reported
 * first, except in 7 bytes. */
TEST(icmp_quoted_needs_a_quote_and_a_checksum)
{
    uint8_t b[28] = {0x45, [3] = 28, [8] = 64,  [9] = 1,     [12] = 10, [15] = 1,
                     10,   [19] = 2, [20] = 11, [22] = 0xf4, 0xff};
    rocecc_icmp_message m;
    rocecc_packet p, quote;
    (void)rocecc_packet_parse(&ip_domain, rocecc_reader_of(b, b + 28), &p);
    CHECK_EQ(rocecc_icmp_quoted(&p, &m, &quote), ROCECC_ERR_SHORT);
    b[27] = 1;
    CHECK_EQ(rocecc_icmp_quoted(&p, &m, &quote), ROCECC_ERR_FORMAT);
    b[3] = 27;
    b[23] = 0;
    (void)rocecc_packet_parse(&ip_domain, rocecc_reader_of(b, b + 27), &p);
    CHECK_EQ(rocecc_icmp_quoted(&p, &m, &quote), ROCECC_ERR_SHORT);
}
