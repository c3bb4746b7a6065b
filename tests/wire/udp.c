/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/udp.h"
#include "lib/noun.h"

#include <string.h>

NOUN(udp, parse, false, ROCECC_UDP_FIELDS);

typedef struct got {
    uint32_t flow_label;
    uint16_t src_port;
    uint16_t checksum;
} got;

static const field got_label[] = {FIELD_ROW(got, UINT, flow_label, NULL)};
static const field got_port[] = {FIELD_ROW(got, UINT, src_port, NULL)};
static const field got_checksum[] = {FIELD_ROW(got, UINT, checksum, NULL)};
static const field ipv4_fields[] = {FIELD_ROW(rocecc_ipv4, IP4, src, NULL)
                                        FIELD_ROW(rocecc_ipv4, IP4, dst, NULL)};
static const field ipv6_fields[] = {FIELD_ROW(rocecc_ipv6, IP6, src, NULL)
                                        FIELD_ROW(rocecc_ipv6, IP6, dst, NULL)};

static void call_udp_src_port(const vec_row *row)
{
    got g = {0, 0, 0};
    g.src_port = rocecc_udp_src_port((uint32_t)noun_arg(row, "flow_label"));
    noun_check_out(row, got_port, 1, ROCECC_OK, &g);
}

static void call_udp_flow_label(const vec_row *row)
{
    got g = {0, 0, 0};
    g.flow_label = rocecc_udp_flow_label((uint32_t)noun_arg(row, "local_qp"),
                                         (uint32_t)noun_arg(row, "remote_qp"));
    noun_check_out(row, got_label, 1, ROCECC_OK, &g);
}

static uint32_t pseudo_header(const vec_row *row)
{
    const char *src = vec_value(row->in, row->n_in, "src");
    const char *dst = vec_value(row->in, row->n_in, "dst");
    rocecc_ipv4 v4;
    rocecc_ipv6 v6;
    memset(&v4, 0, sizeof v4);
    memset(&v6, 0, sizeof v6);
    v4.protocol = ROCECC_PROTO_UDP;
    CHECK(src != NULL && dst != NULL && row->n_in == 2);
    if (src == NULL || dst == NULL) return 0;
    if (strchr(src, ':') == NULL) {
        CHECK(field_set(&ipv4_fields[0], &v4, src));
        CHECK(field_set(&ipv4_fields[1], &v4, dst));
        return rocecc_checksum_pseudo4(&v4, (uint16_t)row->n);
    }
    CHECK(field_set(&ipv6_fields[0], &v6, src));
    CHECK(field_set(&ipv6_fields[1], &v6, dst));
    return rocecc_checksum_pseudo6(&v6, ROCECC_PROTO_UDP, (uint32_t)row->n);
}

static void call_udp_checksum(const vec_row *row)
{
    const uint8_t *at = guard_end(row->bytes, row->n);
    got g = {0, 0, 0};
    g.checksum =
        rocecc_udp_checksum(pseudo_header(row), rocecc_reader_of(at, at + row->n));
    noun_check_out(row, got_checksum, 1, ROCECC_OK, &g);
}

static const noun_call calls[] = {{"udp_src_port", call_udp_src_port},
                                  {"udp_flow_label", call_udp_flow_label},
                                  {"udp_checksum", call_udp_checksum}};
static const noun_file file = {"udp", law_udp, &udp_noun, 1, calls, NOUN_COUNT(calls)};

TEST(udp_vectors)
{
    noun_vectors(&file);
}

/* Labels that differ in one bit never share a port, and each port has 64 labels. */
TEST(udp_src_port_spreads_flow_labels_evenly)
{
    static uint32_t labels[0x10000];
    uint32_t label, port;
    int bit;
    memset(labels, 0, sizeof labels);
    for (label = 0; label < 1u << 20; label++) {
        const uint16_t p = rocecc_udp_src_port(label);
        labels[p]++;
        for (bit = 0; bit < 20; bit++)
            if (rocecc_udp_src_port(label ^ 1u << bit) == p)
                test_fail(__FILE__, __LINE__, "label %u, bit %d", (unsigned)label, bit);
    }
    for (port = 0; port < 0x10000; port++)
        CHECK_EQ(labels[port], port < 0xc000 ? 0 : 64);
}

/* The longest Length with all ones loses no carry. The odd last byte is 0. */
TEST(udp_checksum_of_the_longest_datagram_keeps_carries)
{
    static uint8_t all[65535];
    const rocecc_reader odd = rocecc_reader_of(all, all + sizeof all);
    const rocecc_reader even = rocecc_reader_of(all, all + sizeof all - 1);
    memset(all, 0xff, sizeof all);
    all[sizeof all - 1] = 0;
    CHECK_EQ(rocecc_udp_checksum(0, even), 0xffff);
    CHECK_EQ(rocecc_udp_checksum(0xffffffff, even), 0xffff);
    CHECK_EQ(rocecc_udp_checksum(1, odd), 0xfffe);
}

/* A Length of 7 gives RANGE, even without room. */
TEST(udp_range_precedes_space)
{
    rocecc_writer w = rocecc_writer_of(NULL, NULL);
    rocecc_udp h = {0, 0, 8, 0};
    CHECK_EQ(rocecc_udp_emit(&w, &h), ROCECC_ERR_SPACE);
    h.length = 7;
    CHECK_EQ(rocecc_udp_emit(&w, &h), ROCECC_ERR_RANGE);
}

/* The checksum in the datagram does not count, but every other byte does. */
TEST(udp_checksum_ignores_only_its_own_field)
{
    uint8_t b[11] = {0xc0, 0, 0x12, 0xb7, 0, 11, 0, 0, 1, 2, 3};
    const uint16_t checksum = rocecc_udp_checksum(7, rocecc_reader_of(b, b + sizeof b));
    size_t i;
    for (i = 0; i < sizeof b; i++) {
        b[i] ^= 0x10;
        test_context("byte %zu", i);
        CHECK((rocecc_udp_checksum(7, rocecc_reader_of(b, b + sizeof b)) == checksum) ==
              (i == 6 || i == 7));
        b[i] ^= 0x10;
    }
}
