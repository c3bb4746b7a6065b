/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/l3qcn.h"
#include "lib/noun.h"
#include "rocecc/packet/l3qcn.h"

#include <string.h>

static const field data_fields[] = {ROCECC_L3QCN_FIELDS(FIELD_ROW, rocecc_l3qcn)};
static const rocecc_l3qcn_config plain = {
    LAW_L3QCN_PORT, false, {0, false, false, false, {{0}}}};

static rocecc_status data_parse(rocecc_reader *r, void *record)
{
    return rocecc_l3qcn_parse(&plain, r, (rocecc_l3qcn *)record);
}

static rocecc_status data_emit(rocecc_writer *w, const void *record)
{
    return rocecc_l3qcn_emit(w, &plain, (const rocecc_l3qcn *)record);
}

static const noun data_noun = {
    "l3qcn",    false,    sizeof(rocecc_l3qcn), data_fields, NOUN_COUNT(data_fields),
    data_parse, data_emit};

/* A row's values for IP and UDP. The flow has its own src_port. */
typedef struct outer {
    uint8_t dscp;
    uint8_t ecn;
    uint8_t hop_limit;
    uint32_t flow_label;
    uint16_t identification;
    uint16_t outer_src_port;
    uint32_t hash;
} outer;

static const field outer_fields[] = {L3QCN_OUTER_FIELDS(FIELD_ROW, outer)
                                         FIELD_ROW(outer, UINT, hash, NULL)};
static const field config_fields[] = {
    FIELD_ROW(rocecc_l3qcn_config, UINT, port, NULL)
        FIELD_ROW(rocecc_l3qcn_config, BOOL, reserved_bit, NULL)
            FIELD_ROW(rocecc_l3qcn_config, BOOL, cnm.fixed_msdu, NULL)
                FIELD_ROW(rocecc_l3qcn_config, BOOL, cnm.tolerate_long, NULL)
                    FIELD_ROW(rocecc_l3qcn_config, BOOL, cnm.strict_version, NULL)};

typedef struct found {
    uint8_t verdict;
    bool verify;
} found;

static const field found_fields[] = {
    FIELD_ROW(found, ENUM, verdict, ROCECC_L3QCN_VERDICT_NAMES)
        FIELD_ROW(found, BOOL, verify, NULL)};

/* A record and the members that rows may name. */
typedef struct members {
    const field *fields;
    size_t n;
    void *record;
} members;

#define MEMBERS(fields, record) ((members){fields, NOUN_COUNT(fields), record})

/* Sets the members that `pairs` name after a prefix, and returns their number. */
static size_t set(const vec_pair *pairs, size_t n_pairs, const char *prefix, members to)
{
    const size_t skip = strlen(prefix);
    size_t i, f, named = 0;
    for (i = 0; i < n_pairs; i++)
        for (f = 0; f < to.n && strncmp(pairs[i].key, prefix, skip) == 0; f++)
            if (strcmp(to.fields[f].name, pairs[i].key + skip) == 0) {
                CHECK(field_set(&to.fields[f], to.record, pairs[i].value));
                named++;
            }
    return named;
}

static rocecc_l3qcn_config config_of(const vec_row *row)
{
    rocecc_l3qcn_config c;
    memset(&c, 0, sizeof c);
    CHECK_EQ(set(row->config, row->n_config, "l3qcn.", MEMBERS(config_fields, &c)),
             row->n_config);
    return c;
}

static void call_l3qcn_parse(const vec_row *row)
{
    const rocecc_l3qcn_config c = config_of(row);
    const uint8_t *at = guard_end(row->bytes, row->n);
    rocecc_reader r = rocecc_reader_of(at, at + row->n);
    rocecc_l3qcn h, before;
    rocecc_status status;
    memset(&h, 0xa5, sizeof h);
    before = h;
    status = rocecc_l3qcn_parse(&c, &r, &h);
    if (status != ROCECC_OK) CHECK(r.at == 0 && memcmp(&h, &before, sizeof h) == 0);
    if (status == ROCECC_OK) CHECK_EQ(r.at, rocecc_load16(row->bytes + 4));
    noun_check_out(row, data_fields, NOUN_COUNT(data_fields), status, &h);
}

/*
 * Checks a packet or a frame against verdict, verify and, if it is taken, its members.
 */
static void call_l3qcn_find(const vec_row *row)
{
    const uint8_t *at = guard_end(row->bytes, row->n);
    const rocecc_reader r = rocecc_reader_of(at, at + row->n);
    rocecc_domain d = law_packet_plain(r);
    rocecc_l3qcn_verdict verdict = ROCECC_L3QCN_TAKEN;
    rocecc_l3qcn h, before;
    rocecc_packet p;
    rocecc_status status;
    vec_row flow = *row;
    found should = {0, false};
    memset(&h, 0xa5, sizeof h);
    before = h;
    d.l3qcn = config_of(row);
    (void)rocecc_packet_parse(&d, r, &p);
    status = rocecc_l3qcn_find(&p, &h, &verdict);
    if (status != ROCECC_OK) CHECK(memcmp(&h, &before, sizeof h) == 0);
    CHECK_EQ(set(row->out, 2, "", MEMBERS(found_fields, &should)), 2);
    CHECK_EQ(verdict, should.verdict);
    CHECK_EQ(rocecc_udp_verify(&p), should.verify);
    CHECK_EQ(rocecc_l3qcn_match(&p), verdict != ROCECC_L3QCN_OTHER);
    flow.n_out -= 2;
    memmove(flow.out, flow.out + 2, flow.n_out * sizeof flow.out[0]);
    noun_check_out(&flow, data_fields, NOUN_COUNT(data_fields), status, &h);
}

/* Builds a whole packet before a guard page, in its exact room and in any less room. */
static void call_l3qcn_build(const vec_row *row)
{
    const rocecc_l3qcn_config c = config_of(row);
    rocecc_l3qcn_outer o = {0, 0, 0, 0, 0, 0};
    outer args;
    rocecc_l3qcn h;
    size_t room, n;
    memset(&args, 0, sizeof args);
    memset(&h, 0, sizeof h);
    h.extension = h.cnm.msdu = rocecc_reader_of(NULL, NULL);
    n = set(row->in, row->n_in, "", MEMBERS(outer_fields, &args));
    n += set(row->in, row->n_in, "", MEMBERS(data_fields, &h));
    CHECK_EQ(n, row->n_in);
    o.dscp = args.dscp;
    o.ecn = args.ecn;
    o.hop_limit = args.hop_limit;
    o.flow_label = args.flow_label;
    o.identification = args.identification;
    o.src_port = args.outer_src_port;
    for (room = 0; room <= row->n; room++) {
        uint8_t *at = guard_end(NULL, room);
        rocecc_writer w = rocecc_writer_of(at, at + room);
        rocecc_status status;
        memset(at, 0xa5, room);
        test_context("%s, into %zu bytes", row->id, room);
        status = rocecc_l3qcn_build(&w, &c, &o, &h);
        CHECK_EQ(status, row->status != ROCECC_OK ? row->status
                         : room < row->n          ? ROCECC_ERR_SPACE
                                                  : ROCECC_OK);
        CHECK_EQ(w.at, status == ROCECC_OK ? row->n : 0);
        CHECK(memcmp(at, row->bytes, w.at) == 0);
        if (status != ROCECC_OK && room != 0) CHECK_EQ(at[0], 0xa5);
    }
}

static void call_l3qcn_init(const vec_row *row)
{
    rocecc_l3qcn_config c;
    memset(&c, 0, sizeof c);
    CHECK_EQ(set(row->in, row->n_in, "", MEMBERS(config_fields, &c)), row->n_in);
    CHECK_EQ(rocecc_l3qcn_init(&c), row->status);
}

static void call_l3qcn_outer_default(const vec_row *row)
{
    const rocecc_l3qcn_outer o =
        rocecc_l3qcn_outer_default((uint32_t)noun_arg(row, "hash"));
    const outer got = {o.dscp,     o.ecn, o.hop_limit, o.flow_label, o.identification,
                       o.src_port, 0};
    noun_check_out(row, outer_fields, NOUN_COUNT(outer_fields), ROCECC_OK, &got);
}

static const noun_call calls[] = {{"l3qcn_parse", call_l3qcn_parse},
                                  {"l3qcn_find", call_l3qcn_find},
                                  {"l3qcn_build", call_l3qcn_build},
                                  {"l3qcn_init", call_l3qcn_init},
                                  {"l3qcn_outer_default", call_l3qcn_outer_default}};

TEST(l3qcn_vectors)
{
    const noun_file file = {"l3qcn", law_l3qcn, &data_noun,
                            1,       calls,     NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}

/* Returns a private CNM for an IPv4 or an IPv6 flow. */
static rocecc_l3qcn example(bool v6)
{
    const rocecc_ip6 src = {{0x20, 0x01, 0x0d, 0xb8, 1}};
    const rocecc_ip6 dst = {{0x20, 0x01, 0x0d, 0xb8, 2}};
    const rocecc_ip4 src4 = {{10, 1, 10, 2}}, dst4 = {{10, 2, 20, 1}};
    rocecc_l3qcn h;
    memset(&h, 0, sizeof h);
    h.src = v6 ? src : rocecc_ip6_of_ip4(&src4);
    h.dst = v6 ? dst : rocecc_ip6_of_ip4(&dst4);
    h.ports = true;
    h.src_port = 8957;
    h.dst_port = 21;
    h.proto = 6;
    h.extension = h.cnm.msdu = rocecc_reader_of(NULL, NULL);
    return h;
}

/* Every QntzFb in a whole packet of either family. */
TEST(l3qcn_qntz_fb_is_read_back_in_both_families)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .l3qcn = plain};
    const rocecc_l3qcn_outer o = rocecc_l3qcn_outer_default(7);
    unsigned fb, v6;
    for (v6 = 0; v6 < 2; v6++)
        for (fb = 0; fb < 64; fb++) {
            uint8_t bytes[200];
            rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
            rocecc_l3qcn h = example(v6 == 1), again;
            rocecc_l3qcn_verdict verdict;
            rocecc_reader r;
            rocecc_packet p;
            h.cnm.qntz_fb = (uint8_t)fb;
            CHECK_EQ(rocecc_l3qcn_build(&w, &plain, &o, &h), ROCECC_OK);
            r = rocecc_written(&w);
            CHECK_EQ(rocecc_packet_parse(&d, r, &p), ROCECC_NO_MATCH);
            CHECK_EQ(rocecc_l3qcn_find(&p, &again, &verdict), ROCECC_OK);
            CHECK_EQ(again.cnm.qntz_fb, fb);
            CHECK(rocecc_udp_verify(&p));
        }
}

/*
 * UDP Length, Total Length, Header Length and MSDU length in many combinations. The law
 * gives the status, and the views lie within the datagram.
 */
TEST(l3qcn_lengths_follow_the_law)
{
    static const size_t mid[] = {0,  1,  19, 20, 21, 43, 44, 45,  63,  64,  65,
                                 66, 67, 68, 69, 88, 89, 99, 100, 101, 254, 255};
    size_t n, t, hl, len;
    for (n = 0; n <= 120; n += n < 18 ? 9 : 1)
        for (t = 0; t < NOUN_COUNT(mid); t++)
            for (hl = 0; hl < NOUN_COUNT(mid); hl++)
                for (len = 0; len <= 66; len += 3) {
                    static uint8_t from[120];
                    const uint8_t *at;
                    rocecc_reader r;
                    memset(from, 0, sizeof from);
                    memcpy(from, "LQ\x14\x06", 4);
                    from[5] = (uint8_t)mid[t];
                    from[6] = (uint8_t)mid[hl];
                    if (mid[hl] + 24 <= sizeof from) from[mid[hl] + 23] = (uint8_t)len;
                    at = guard_end(from, n);
                    r = rocecc_reader_of(at, at + n);
                    test_at("bytes, total << 8 | header, MSDU", n,
                            mid[t] << 8 | mid[hl], len);
                    (void)law_l3qcn_payload(r, 0, law_l3qcn_should(r, 0));
                }
}

/*
 * Every version and flag in either family. Only version 1 is read. F in an IPv4 message
 * gives FORMAT.
 */
TEST(l3qcn_parse_accepts_only_version_1)
{
    unsigned v, v6;
    for (v6 = 0; v6 < 2; v6++)
        for (v = 0; v < 256; v++) {
            uint8_t bytes[44 + 24] = {0};
            rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
            rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
            rocecc_l3qcn h = example(v6 == 1);
            rocecc_status status = v / 16 == 1 ? ROCECC_OK : ROCECC_ERR_UNSUPPORTED;
            CHECK_EQ(rocecc_l3qcn_emit(&w, &plain, &h), ROCECC_OK);
            if (v6 == 0 && v / 16 == 1 && (v & 8) != 0) status = ROCECC_ERR_FORMAT;
            bytes[2] = (uint8_t)v;
            test_context("%02x", v);
            CHECK_EQ(rocecc_l3qcn_parse(&plain, &r, &h), status);
            if (status != ROCECC_OK) continue;
            CHECK_EQ(h.ports, v / 4 % 2);
            CHECK_EQ(h.flags, v % 4);
        }
}

/*
 * Figure 5: from the flow's destination to its source. One wrong address bit is
 * SPOOFED.
 */
TEST(R_L3_9_outer_addresses_are_the_reversed_flow)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .l3qcn = plain};
    const rocecc_l3qcn_outer o = rocecc_l3qcn_outer_default(0);
    unsigned v6, bit;
    for (v6 = 0; v6 < 2; v6++)
        for (bit = 0; bit < (v6 ? 256u : 64u); bit++) {
            uint8_t bytes[200];
            rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
            const rocecc_l3qcn h = example(v6 == 1);
            rocecc_l3qcn again;
            rocecc_l3qcn_verdict verdict;
            rocecc_packet p;
            CHECK_EQ(rocecc_l3qcn_build(&w, &plain, &o, &h), ROCECC_OK);
            CHECK(memcmp(bytes + (v6 ? 8 : 12), h.dst.b + (v6 ? 0 : 12), v6 ? 16 : 4) ==
                  0);
            CHECK(memcmp(bytes + (v6 ? 24 : 16), h.src.b + (v6 ? 0 : 12),
                         v6 ? 16 : 4) == 0);
            bytes[(v6 ? 8 : 12) + bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
            test_context("v6 %u, bit %u", v6, bit);
            (void)rocecc_packet_parse(&d, rocecc_written(&w), &p);
            CHECK_EQ(rocecc_l3qcn_find(&p, &again, &verdict), ROCECC_ERR_FORMAT);
            CHECK_EQ(verdict, ROCECC_L3QCN_SPOOFED);
        }
}

/* Only packets to the configured port match, and without a port no packet does. */
TEST(R_L3_8_R_L3_17_only_the_configured_port_matches)
{
    rocecc_domain d = {.link = ROCECC_LINK_IP};
    const rocecc_l3qcn_outer o = rocecc_l3qcn_outer_default(0);
    const rocecc_l3qcn h = example(false);
    uint32_t port;
    for (port = 0; port <= 0xffff; port++) {
        rocecc_l3qcn_config c = plain;
        uint8_t bytes[200];
        rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
        rocecc_packet p;
        c.port = (uint16_t)port;
        test_context("port %u", (unsigned)port);
        CHECK_EQ(rocecc_l3qcn_build(&w, &c, &o, &h),
                 port == 0 ? ROCECC_ERR_RANGE : ROCECC_OK);
        CHECK_EQ(rocecc_l3qcn_init(&c), port == 4791 ? ROCECC_ERR_RANGE : ROCECC_OK);
        if (port == 0) continue;
        d.l3qcn = c;
        (void)rocecc_packet_parse(&d, rocecc_written(&w), &p);
        CHECK_EQ(rocecc_l3qcn_match(&p), port != 4791 && port != 4789 && port != 4790 &&
                                             port != 6081 &&
                                             port != 6635); /* RoCEv2, or an overlay */
        d.l3qcn.port = 0;
        CHECK(!rocecc_l3qcn_match(&p));
        d.l3qcn.port = (uint16_t)(port + 1);
        CHECK(!rocecc_l3qcn_match(&p));
    }
}

/* A wrong bit under the checksum, or in the checksum, is detected. */
TEST(l3qcn_checksum_detects_every_wrong_bit)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .l3qcn = plain};
    const rocecc_l3qcn_outer o = rocecc_l3qcn_outer_default(0);
    unsigned v6, bit;
    for (v6 = 0; v6 < 2; v6++) {
        const unsigned udp = v6 ? 40 : 20;
        const rocecc_l3qcn h = example(v6 == 1);
        uint8_t bytes[200];
        rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
        rocecc_packet p;
        CHECK_EQ(rocecc_l3qcn_build(&w, &plain, &o, &h), ROCECC_OK);
        (void)rocecc_packet_parse(&d, rocecc_written(&w), &p);
        CHECK(rocecc_udp_verify(&p));
        for (bit = 0; bit < 8 * w.at; bit++) {
            /* Skip bytes before the addresses. A new length would contradict p. */
            if (bit / 8 < (v6 ? 8u : 12u)) continue;
            bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
            test_context("v6 %u, bit %u", v6, bit);
            CHECK(!rocecc_udp_verify(&p));
            bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        }
        bytes[udp + 6] = bytes[udp + 7] = 0; /* none */
        CHECK(!rocecc_udp_verify(&p));
    }
}

/* The flow as a lookup key has ports 0 if the message's ports are not valid. */
TEST(l3qcn_flow_has_ports_0_if_they_are_invalid)
{
    rocecc_l3qcn h = example(false);
    CHECK(law_l3qcn_flow(&h) != LAW_BROKEN);
    CHECK_EQ(rocecc_l3qcn_flow(&h).src_port, 8957);
    h.ports = false;
    CHECK(law_l3qcn_flow(&h) != LAW_BROKEN);
    CHECK_EQ(rocecc_l3qcn_flow(&h).dst_port, 0);
}

/* A private CNM with INT does not match before INT is stripped. */
TEST(l3qcn_with_telemetry_does_not_match)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .l3qcn = plain};
    const rocecc_l3qcn_outer o = rocecc_l3qcn_outer_default(0);
    const rocecc_l3qcn h = example(false);
    uint8_t bytes[200];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_packet p;
    CHECK_EQ(rocecc_l3qcn_build(&w, &plain, &o, &h), ROCECC_OK);
    (void)rocecc_packet_parse(&d, rocecc_written(&w), &p);
    CHECK(rocecc_l3qcn_match(&p));
    p.headers.intmd = p.headers.udp;
    CHECK(!rocecc_l3qcn_match(&p));
}

/*
 * An access switch writes the head of a CNM frame before the PDU (Figure 5), and
 * nothing moves. The result equals a newly built frame.
 */
TEST(R_L3_10_becomes_a_cnm_in_place)
{
    static const uint8_t msdu[64] = {8, 0, 0x45, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .l3qcn = plain};
    const rocecc_l3qcn_outer o = rocecc_l3qcn_outer_default(0);
    unsigned v6;
    for (v6 = 0; v6 < 2; v6++) {
        uint8_t bytes[250], anew[200];
        rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
        rocecc_cnm_frame frame = {
            {{{2, 1}},
             {{2, 2}},
             2,
             {{0x88a8, 6, false, 100}, {0x8100, 6, false, 1024}},
             true,
             0xc9a0},
            {0, 0, 26, 0x0200000004400305, -531, 156, 5, 0, {{2, 3}}, 0, {0, 0, 0}}};
        rocecc_l3qcn h = example(v6 == 1);
        rocecc_l3qcn_verdict verdict;
        rocecc_reader r;
        rocecc_packet p;
        size_t head;
        frame.cnm.msdu = rocecc_reader_of(msdu, msdu + sizeof msdu);
        h.cnm = frame.cnm;
        CHECK_EQ(rocecc_l3qcn_build(&w, &plain, &o, &h), ROCECC_OK);
        r = rocecc_written(&w);
        (void)rocecc_packet_parse(&d, r, &p);
        CHECK_EQ(rocecc_l3qcn_find(&p, &h, &verdict), ROCECC_OK);
        head = rocecc_cnm_head_bytes(&frame.head);
        CHECK(head == 26 && h.pdu_offset >= 48);
        w = rocecc_writer_of(bytes + h.pdu_offset - head, bytes + h.pdu_offset);
        CHECK_EQ(rocecc_cnm_head_emit(&w, &frame.head), ROCECC_OK);
        w = rocecc_writer_of(anew, anew + sizeof anew);
        CHECK_EQ(rocecc_cnm_frame_build(&w, &plain.cnm, &frame), ROCECC_OK);
        CHECK_EQ(w.at, h.cnm.msdu.end - (h.pdu_offset - head));
        CHECK(memcmp(bytes + h.pdu_offset - head, anew, w.at) == 0);
    }
}

/* A datagram that is cut after the walk fails the checksum. */
TEST(l3qcn_checksum_needs_the_whole_datagram)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .l3qcn = plain};
    const rocecc_l3qcn_outer o = rocecc_l3qcn_outer_default(0);
    unsigned v6;
    for (v6 = 0; v6 < 2; v6++) {
        const rocecc_l3qcn h = example(v6 == 1);
        uint8_t bytes[200];
        rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
        rocecc_packet p;
        size_t n;
        CHECK_EQ(rocecc_l3qcn_build(&w, &plain, &o, &h), ROCECC_OK);
        (void)rocecc_packet_parse(&d, rocecc_written(&w), &p);
        for (n = 0; n <= w.at; n++) {
            const uint8_t *at = guard_end(bytes, n);
            const rocecc_packet less =
                rocecc_packet_attach(&d, rocecc_reader_of(at, at + n), &p.headers);
            test_context("v6 %u, %zu bytes", v6, n);
            CHECK_EQ(rocecc_udp_verify(&less), n == w.at);
        }
    }
}

/*
 * Header Length has 8 bits and includes 20 or 44 bytes before the extension. So an
 * extension above 235 (IPv6: 211) bytes gives RANGE.
 */
TEST(l3qcn_extension_is_limited_by_header_length)
{
    static uint8_t extension[600], out[1000];
    const rocecc_l3qcn_outer o = rocecc_l3qcn_outer_default(0);
    unsigned v6;
    size_t n;
    for (v6 = 0; v6 < 2; v6++)
        for (n = 0; n <= sizeof extension; n++) {
            const bool fits = n <= 255u - (v6 ? 44 : 20);
            const size_t bytes = (v6 ? 44u : 20u) + n + 24;
            rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
            rocecc_l3qcn h = example(v6 == 1);
            h.extension = rocecc_reader_of(extension, extension + n);
            test_context("v6 %u, %zu bytes", v6, n);
            CHECK_EQ(rocecc_l3qcn_emit(&w, &plain, &h),
                     fits ? ROCECC_OK : ROCECC_ERR_RANGE);
            CHECK_EQ(w.at, fits ? bytes : 0);
            if (fits) CHECK_EQ(out[6], (v6 ? 44 : 20) + n);
            w = rocecc_writer_of(out, out + sizeof out);
            CHECK_EQ(rocecc_l3qcn_build(&w, &plain, &o, &h),
                     fits ? ROCECC_OK : ROCECC_ERR_RANGE);
            CHECK_EQ(w.at, fits ? (v6 ? 40u : 20u) + 8 + bytes : 0);
        }
}

/* The reserved flag alone identifies a private CNM, whatever the other flags. */
TEST(l3qcn_reserved_flag_alone_identifies_a_private_cnm)
{
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .l3qcn = {.reserved_bit = true}};
    const rocecc_l3qcn_outer o = rocecc_l3qcn_outer_default(0);
    const rocecc_l3qcn h = example(false);
    uint8_t bytes[200];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_packet p;
    unsigned flags;
    CHECK_EQ(rocecc_l3qcn_build(&w, &plain, &o, &h), ROCECC_OK);
    (void)rocecc_packet_parse(&d, rocecc_written(&w), &p);
    for (flags = 0; flags < 256; flags++) {
        bytes[6] = (uint8_t)flags;
        CHECK_EQ(rocecc_l3qcn_match(&p), flags >= 0x80);
    }
}

/*
 * Only IPv4 has the reserved flag. In IPv6, byte 6 is Next Header, which is 128 or more
 * for a Mobility, HIP or Shim6 header.
 */
TEST(l3qcn_reserved_flag_is_not_read_in_ipv6)
{
    static const uint8_t nexts[] = {ROCECC_PROTO_MOBILITY, ROCECC_PROTO_HIP,
                                    ROCECC_PROTO_SHIM6};
    const rocecc_domain d = {.link = ROCECC_LINK_IP, .l3qcn = {.reserved_bit = true}};
    size_t i;
    for (i = 0; i < sizeof nexts; i++) {
        uint8_t b[40 + 8 + 8] = {0x60, 0, 0, 0, 0, 16};
        rocecc_packet p;
        test_context("%u", (unsigned)nexts[i]);
        b[6] = nexts[i];
        b[40] = ROCECC_PROTO_UDP;
        b[53] = 8; /* UDP Length */
        (void)rocecc_packet_parse(&d, rocecc_reader_of(b, b + sizeof b), &p);
        CHECK_EQ(p.headers.kind, ROCECC_PACKET_KIND_UDP);
        CHECK(!rocecc_l3qcn_has_reserved_bit(&p));
        CHECK(!rocecc_l3qcn_match(&p));
    }
}

/* 3 bytes follow the MSDU, and 5 follow Total Length. Only the 5 bytes are left. */
TEST(l3qcn_parse_stops_at_total_length)
{
    uint8_t b[44 + 3 + 5];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
    rocecc_l3qcn h = example(false);
    memset(b, 0xa5, sizeof b);
    CHECK_EQ(rocecc_l3qcn_emit(&w, &plain, &h), ROCECC_OK);
    CHECK_EQ(w.at, 44);
    b[5] = 44 + 3;
    CHECK_EQ(rocecc_l3qcn_parse(&plain, &r, &h), ROCECC_OK);
    CHECK(r.at == 47 && rocecc_left(&r) == 5);
    CHECK(h.pdu_offset == 20 && h.cnm.msdu.at == 44 && h.cnm.msdu.end == 44);
}

/* Wrong lengths in a datagram that ends early give FORMAT, not SHORT. */
TEST(l3qcn_lengths_are_checked_before_the_end)
{
    static const struct {
        uint8_t total, header;
        rocecc_status status;
    } rows[] = {{44, 20, ROCECC_ERR_SHORT},
                {44, 19, ROCECC_ERR_FORMAT},
                {43, 20, ROCECC_ERR_FORMAT},
                {44, 21, ROCECC_ERR_FORMAT}};
    size_t i;
    for (i = 0; i < NOUN_COUNT(rows); i++) {
        uint8_t b[20] = {'L', 'Q', 0x14, 6};
        rocecc_reader r = rocecc_reader_of(b, b + sizeof b);
        rocecc_l3qcn h;
        test_context("row %zu", i);
        b[5] = rows[i].total;
        b[6] = rows[i].header;
        CHECK_EQ(rocecc_l3qcn_parse(&plain, &r, &h), rows[i].status);
        CHECK_EQ(r.at, 0);
    }
}

/* emit() ignores members that only parse() sets. */
TEST(l3qcn_emit_ignores_msdu_len_and_pdu_offset)
{
    const rocecc_l3qcn h = example(true);
    rocecc_l3qcn other = h;
    uint8_t b[100], again[100];
    rocecc_writer w = rocecc_writer_of(b, b + sizeof b);
    rocecc_writer v = rocecc_writer_of(again, again + sizeof again);
    other.cnm.msdu_len = 64;
    other.pdu_offset = 7;
    CHECK_EQ(rocecc_l3qcn_emit(&w, &plain, &h), ROCECC_OK);
    CHECK_EQ(rocecc_l3qcn_emit(&v, &plain, &other), ROCECC_OK);
    CHECK(w.at == 68 && v.at == 68 && memcmp(b, again, 68) == 0);
}

/* Without room, a missing port and a wide DSCP or Flg still give RANGE. */
TEST(l3qcn_build_range_precedes_space)
{
    const rocecc_l3qcn_config off = {0, false, {0, false, false, false, {{0}}}};
    rocecc_l3qcn_outer o = rocecc_l3qcn_outer_default(0);
    rocecc_writer w = rocecc_writer_of(NULL, NULL);
    rocecc_l3qcn h = example(false);
    CHECK_EQ(rocecc_l3qcn_build(&w, &plain, &o, &h), ROCECC_ERR_SPACE);
    CHECK_EQ(rocecc_l3qcn_build(&w, &off, &o, &h), ROCECC_ERR_RANGE);
    o.dscp = 64;
    CHECK_EQ(rocecc_l3qcn_build(&w, &plain, &o, &h), ROCECC_ERR_RANGE);
    o.dscp = 0;
    h.flags = 4;
    CHECK_EQ(rocecc_l3qcn_build(&w, &plain, &o, &h), ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_l3qcn_emit(&w, &plain, &h), ROCECC_ERR_RANGE);
}
