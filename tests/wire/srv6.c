/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/srv6.h"
#include "lib/noun.h"
#include "rocecc/algo/ecntunnel.h"
#include "rocecc/wire/srv6.h"

#include <string.h>

#define SRV6_ROWS "vectors/srv6.vec" /* E9, E10, E11 and more */

NOUN(srh, parse, false, ROCECC_SRH_FIELDS);

/* Arguments and results of the calls. */
typedef struct answer {
    rocecc_ip6 segment;
    rocecc_ip6 sid;
    rocecc_ip6 src;
    rocecc_reader policy;
    bool reduced;
    uint8_t i;
    rocecc_srv6_verdict verdict;
    uint32_t pointer;
    rocecc_reader inner;
} answer;

static const field srv6_fields[] = {ROCECC_SRV6_FIELDS(FIELD_ROW, rocecc_srv6)};
static const field segment_args[] = {FIELD_ROW(answer, UINT, i, NULL)};
static const field segment_out[] = {FIELD_ROW(answer, IP6, segment, NULL)};
static const field sid_args[] = {FIELD_ROW(answer, IP6, sid, NULL)};
static const field init_args[] = {FIELD_ROW(answer, IP6, src, NULL) FIELD_ROW(
    answer, VIEW, policy, NULL) FIELD_ROW(answer, BOOL, reduced, NULL)};
static const field end_out[] = {FIELD_ROW(answer, ENUM, verdict, SRV6_VERDICTS)
                                    FIELD_ROW(answer, UINT, pointer, NULL)
                                        FIELD_ROW(answer, VIEW, inner, NULL)};

static rocecc_reader row_reader(const vec_row *row)
{
    const uint8_t *at = guard_end(row->bytes, row->n);
    return rocecc_reader_of(at, at + row->n);
}

/* Sets members from a row's arguments. Each key must be a member. */
static void set_args(const vec_row *row, const field *f, size_t n, void *record)
{
    size_t i, k;
    for (i = 0; i < row->n_in; i++) {
        for (k = 0; k < n; k++)
            if (strcmp(f[k].name, row->in[i].key) == 0) break;
        CHECK(k < n && field_set(&f[k], record, row->in[i].value));
    }
}

/* Parses the row's packet. Its domain is *d, and must outlive it. */
static rocecc_packet packet_of(const vec_row *row, rocecc_domain *d)
{
    const rocecc_reader r = row_reader(row);
    rocecc_packet p;
    *d = law_packet_plain(r);
    (void)rocecc_packet_parse(d, r, &p);
    return p;
}

static void call_srh_segment(const vec_row *row)
{
    rocecc_reader r = row_reader(row);
    rocecc_srh h;
    answer a = {0};
    set_args(row, segment_args, 1, &a);
    CHECK_EQ(rocecc_srh_parse(&r, &h), ROCECC_OK);
    noun_check_out(row, segment_out, 1, rocecc_srh_segment(&h, a.i, &a.segment), &a);
}

static void call_srv6_parse(const vec_row *row)
{
    static const rocecc_srv6 zero;
    rocecc_srv6 h = zero;
    rocecc_domain d;
    const rocecc_packet p = packet_of(row, &d);
    const rocecc_status status = rocecc_srv6_parse(&p, &h);
    if (status != ROCECC_OK) CHECK(memcmp(&h, &zero, sizeof h) == 0);
    /* The lists are empty without an SRH, and otherwise within the frame. */
    CHECK(h.srh.segments.end <= p.bytes.end && h.srh.tlvs.end <= p.bytes.end);
    noun_check_out(row, srv6_fields, NOUN_COUNT(srv6_fields), status, &h);
}

static void call_srv6_decapsulate(const vec_row *row)
{
    static const rocecc_srv6 zero;
    rocecc_srv6 h = zero;
    rocecc_domain d;
    const rocecc_packet p = packet_of(row, &d);
    answer a = {0};
    set_args(row, sid_args, 1, &a);
    a.inner = rocecc_reader_of(NULL, NULL);
    a.verdict = rocecc_srv6_decapsulate(&p, &a.sid, &h);
    a.pointer = rocecc_srv6_segments_left(&p, rocecc_packet_outermost(&p));
    if (a.verdict == ROCECC_SRV6_DECAPSULATE)
        a.inner = h.inner;
    else
        CHECK(memcmp(&h, &zero, sizeof h) == 0);
    noun_check_out(row, end_out, NOUN_COUNT(end_out), ROCECC_OK, &a);
}

/* Writes into just enough room, then into one byte less. A failure writes nothing. */
static void check_written(const vec_row *row, const rocecc_srv6 *h,
                          rocecc_status (*write)(rocecc_writer *, const rocecc_srv6 *))
{
    const size_t room = row->status == ROCECC_OK ? row->n : 4096;
    uint8_t *at = guard_end(NULL, room);
    rocecc_writer w = rocecc_writer_of(at, at + room);
    size_t i;
    memset(at, 0xa5, room);
    CHECK_EQ(write(&w, h), row->status);
    CHECK_EQ(w.at, row->status == ROCECC_OK ? room : 0);
    if (row->status == ROCECC_OK) {
        CHECK(memcmp(at, row->bytes, room) == 0);
        memset(at, 0xa5, room);
        w = rocecc_writer_of(at, at + room - 1);
        CHECK_EQ(write(&w, h), ROCECC_ERR_SPACE);
        CHECK_EQ(w.at, 0);
    }
    for (i = 0; i < room; i++)
        CHECK(at[i] == 0xa5);
}

static void call_srv6_emit(const vec_row *row)
{
    rocecc_srv6 h = {0};
    set_args(row, srv6_fields, NOUN_COUNT(srv6_fields), &h);
    check_written(row, &h, rocecc_srv6_emit);
    if (row->status == ROCECC_OK) CHECK_EQ(rocecc_srv6_bytes(&h), row->n);
}

static void call_srv6_build(const vec_row *row)
{
    rocecc_srv6 h = {0};
    set_args(row, srv6_fields, NOUN_COUNT(srv6_fields), &h);
    check_written(row, &h, rocecc_srv6_build);
}

static void call_srv6_init(const vec_row *row)
{
    rocecc_srv6 h, before;
    rocecc_status status;
    answer a = {0};
    memset(&before, 0xa5, sizeof before);
    h = before;
    set_args(row, init_args, NOUN_COUNT(init_args), &a);
    status = rocecc_srv6_init(&h, &a.src, a.policy, a.reduced);
    if (status != ROCECC_OK)
        CHECK(memcmp(&h, &before, sizeof h) == 0);
    else
        CHECK(h.srh.tlvs.end == 0 && h.inner.end == 0); /* empty readers */
    noun_check_out(row, srv6_fields, NOUN_COUNT(srv6_fields), status, &h);
}

static const noun_call calls[] = {
    {"srh_segment", call_srh_segment}, {"srv6_parse", call_srv6_parse},
    {"srv6_emit", call_srv6_emit},     {"srv6_decapsulate", call_srv6_decapsulate},
    {"srv6_build", call_srv6_build},   {"srv6_init", call_srv6_init}};

TEST(srv6_vectors)
{
    const noun_file file = {"srv6", law_srv6, &srh_noun, 1, calls, NOUN_COUNT(calls)};
    noun_frame_vectors(&file);
}

/*
 * Every length and Last Entry, with Segments Left from Last Entry to Last Entry + 3,
 * against RFC 8754, 4.3.1.1.
 */
TEST(srv6_last_entry_must_fit_the_length)
{
    static uint8_t bytes[8 + 8 * 255], again[8 + 8 * 255];
    int len, last, left;
    bytes[2] = 4;
    for (len = 0; len < 256; len++)
        for (last = 0; last < 256; last++)
            for (left = last; left <= last + 3 && left < 256; left++) {
                const size_t n = 8 + 8 * (size_t)len;
                const bool fits = last <= len / 2 - 1 && left <= last + 1;
                rocecc_reader r = rocecc_reader_of(bytes, bytes + n);
                rocecc_writer w = rocecc_writer_of(again, again + n);
                rocecc_srh h;
                bytes[1] = (uint8_t)len;
                bytes[3] = (uint8_t)left;
                bytes[4] = (uint8_t)last;
                test_context("length %d, last entry %d, left %d", len, last, left);
                CHECK_EQ(rocecc_srh_parse(&r, &h),
                         fits ? ROCECC_OK : ROCECC_ERR_FORMAT);
                if (!fits) continue;
                CHECK_EQ(rocecc_left(&h.segments), 16 * ((size_t)last + 1));
                CHECK_EQ(rocecc_srh_emit(&w, &h), ROCECC_OK);
                CHECK(w.at == n && memcmp(bytes, again, n) == 0);
            }
}

/* Lengths of segments and TLVs for emit(). Most are too long for a row. */
TEST(srv6_emit_limits_segments_and_tlvs)
{
    static uint8_t data[4096], out[4096];
    static const struct {
        size_t segments, tlvs;
        uint8_t left;
        rocecc_status status;
    } cases[] = {
        {2032, 8, 0, ROCECC_OK},          {2032, 0, 127, ROCECC_OK},
        {2032, 0, 128, ROCECC_ERR_RANGE}, {2032, 16, 0, ROCECC_ERR_RANGE},
        {2048, 0, 0, ROCECC_ERR_RANGE},   {16, 2024, 1, ROCECC_OK},
        {16, 2032, 1, ROCECC_ERR_RANGE},  {16, 4080, 1, ROCECC_ERR_RANGE},
        {0, 8, 0, ROCECC_ERR_RANGE},      {8, 8, 0, ROCECC_ERR_RANGE},
        {24, 0, 0, ROCECC_ERR_RANGE},     {16, 4, 0, ROCECC_ERR_RANGE},
        {16, 0, 2, ROCECC_ERR_RANGE},
    };
    size_t i;
    for (i = 0; i < NOUN_COUNT(cases); i++) {
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_srh h = {0};
        test_context("%zu and %zu bytes", cases[i].segments, cases[i].tlvs);
        h.segments = rocecc_reader_of(data, data + cases[i].segments);
        h.tlvs = rocecc_reader_of(data, data + cases[i].tlvs);
        h.segments_left = cases[i].left;
        CHECK_EQ(rocecc_srh_emit(&w, &h), cases[i].status);
        CHECK_EQ(w.at, cases[i].status == ROCECC_OK
                           ? 8 + cases[i].segments + cases[i].tlvs
                           : 0);
    }
}

/* TLVs are walked like IPv6 options. Pad1 is one byte, and PadN has type 4. */
TEST(srv6_tlvs_are_walked_like_ipv6_options)
{
    static const uint8_t bytes[] = {
        0x11, 5, 4,    0,    0, 0, 0, 0, /* one segment, 24 bytes of TLVs */
        0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0,
        0,    0, 0,    1,    5, 6, 0, 0, 1, 2, 3, 4, /* HMAC's type, too short */
        0x80, 2, 7,    8,    0, 4, 1, 0,             /* Chg, Pad1, PadN */
        4,    6, 0,    0,    0, 0, 0, 0};
    static const struct {
        uint8_t type;
        size_t n;
    } should[] = {{5, 6}, {0x80, 2}, {0, 0}, {4, 1}, {4, 6}};
    rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
    rocecc_srh h;
    rocecc_ip6opt tlv;
    size_t i;
    CHECK_EQ(rocecc_srh_parse(&r, &h), ROCECC_OK);
    for (i = 0; i < NOUN_COUNT(should); i++) {
        CHECK_EQ(rocecc_ip6opt_next(&h.tlvs, &tlv), ROCECC_OK);
        CHECK_EQ(tlv.type, should[i].type);
        CHECK_EQ(rocecc_left(&tlv.body), should[i].n);
    }
    CHECK_EQ(rocecc_ip6opt_next(&h.tlvs, &tlv), ROCECC_END);
}

/*
 * Decapsulates in place, as an egress does, and decrements the inner hop limit. Returns
 * the verdict on both ECN fields. Changes nothing if this drops the packet.
 */
static rocecc_ecntunnel_action egress(vec_packet *w, const rocecc_ip6 *sid,
                                      rocecc_srv6 *h)
{
    static const rocecc_domain config;
    const rocecc_reader r = rocecc_reader_of(w->bytes, w->bytes + w->n);
    rocecc_writer out = rocecc_writer_of(w->bytes, w->bytes + w->n);
    rocecc_ecntunnel_action m;
    rocecc_packet p;
    (void)rocecc_packet_parse(&config, r, &p);
    CHECK_EQ(rocecc_srv6_decapsulate(&p, sid, h), ROCECC_SRV6_DECAPSULATE);
    m = rocecc_ecntunnel_decapsulate(h->ip.ecn, h->outer.ecn);
    if (m.drop) return m;
    CHECK(rocecc_put(&out, h->inner.at) != NULL);
    CHECK_EQ(rocecc_ipv46_patch(out, m.ecn, (uint8_t)(h->ip.hops - 1)), ROCECC_OK);
    return m;
}

/*
 * R2 marks the outer header of E9. At the last segment, the inner header gets the mark,
 * and only its ECN and Hop Limit change. An inner Not-ECT packet is dropped.
 */
TEST(srv6_egress_copies_the_mark_to_the_inner_header)
{
    enum { OUTER = 14, INNER = 0x5e, HOP_LIMIT = 7 };
    const rocecc_ip6 sid = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0d, 0x46}};
    const vec_packet before = vec_find(SRV6_ROWS, "e9-end");
    vec_packet w = before;
    rocecc_srv6 h;
    rocecc_ecntunnel_action m;
    rocecc_ipv6_ecn_store(w.bytes + OUTER, ROCECC_ECN_CE);
    CHECK_EQ(rocecc_load16(w.bytes + OUTER), 0x6035);
    m = egress(&w, &sid, &h);
    CHECK(!m.drop && m.ecn == ROCECC_ECN_CE && m.alarm == ROCECC_ECNTUNNEL_NO_ALARM);
    CHECK_EQ(h.inner.at, INNER);
    CHECK_EQ(rocecc_load16(w.bytes + INNER), 0x6030);
    CHECK_EQ(w.bytes[INNER + HOP_LIMIT], 0x3e);
    w.bytes[OUTER + 1] = before.bytes[OUTER + 1];
    w.bytes[INNER + 1] = before.bytes[INNER + 1];
    w.bytes[INNER + HOP_LIMIT] = before.bytes[INNER + HOP_LIMIT];
    CHECK(memcmp(w.bytes, before.bytes, before.n) == 0);

    rocecc_ipv6_ecn_store(w.bytes + OUTER, ROCECC_ECN_CE);
    rocecc_ipv6_ecn_store(w.bytes + INNER, ROCECC_ECN_NOT_ECT);
    m = egress(&w, &sid, &h);
    CHECK(m.drop && m.alarm == ROCECC_ECNTUNNEL_DANGEROUS);
}

/* An inner IPv4 packet gets the mark, too, and a correct checksum. */
TEST(srv6_egress_updates_the_inner_ipv4_checksum)
{
    const rocecc_ip6 sid = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0c}};
    vec_packet w = vec_find(SRV6_ROWS, "ip4-end");
    rocecc_srv6 h;
    rocecc_ecntunnel_action m;
    rocecc_reader header;
    rocecc_ipv6_ecn_store(w.bytes + 14, ROCECC_ECN_CE);
    m = egress(&w, &sid, &h);
    CHECK(!m.drop && m.ecn == ROCECC_ECN_CE);
    CHECK_EQ(w.bytes[h.inner.at + 1], 3);
    CHECK_EQ(w.bytes[h.inner.at + 8], 63);
    CHECK(rocecc_split(&h.inner, 20, &header));
    CHECK_EQ(rocecc_checksum_final(rocecc_checksum_update(0, header)), 0);
}

/* The outer payload may have up to 65,535 bytes, including an SRH. More gives RANGE. */
TEST(srv6_outer_payload_has_at_most_65535_bytes)
{
    static uint8_t segment[16], out[128];
    static const struct {
        size_t segments;
        uint32_t bytes;
        rocecc_status status;
    } cases[] = {{0, 65535, ROCECC_OK},
                 {0, 65536, ROCECC_ERR_RANGE},
                 {16, 65511, ROCECC_OK},
                 {16, 65512, ROCECC_ERR_RANGE},
                 {16, 65535, ROCECC_ERR_RANGE},
                 {0, 0xffffffff, ROCECC_ERR_RANGE},
                 {0, 0, ROCECC_OK}};
    size_t i;
    for (i = 0; i < NOUN_COUNT(cases); i++) {
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_srv6 h = {0};
        test_context("%zu and %zu bytes", cases[i].segments, (size_t)cases[i].bytes);
        h.srh.segments = rocecc_reader_of(segment, segment + cases[i].segments);
        h.ip.version = 6;
        h.ip.bytes = cases[i].bytes;
        CHECK_EQ(rocecc_srv6_emit(&w, &h), cases[i].status);
        if (cases[i].status != ROCECC_OK) continue;
        CHECK_EQ(rocecc_load16(out + 4),
                 cases[i].bytes + cases[i].segments + (cases[i].segments > 0 ? 8 : 0));
    }
}

/* The longest packet that fits is copied whole, as is every length modulo 32. */
TEST(srv6_build_copies_packets_of_every_length)
{
    static uint8_t inner[65536], out[65536 + 40];
    size_t n, i;
    for (i = 0; i < sizeof inner; i++)
        inner[i] = (uint8_t)(i * 7 + (i >> 8));
    inner[0] = 0x45;
    for (n = 20; n <= 65535; n = n < 100 ? n + 1 : n < 65500 ? 65500 : n + 1) {
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_srv6 h = {0};
        test_context("%zu bytes", n);
        rocecc_store16(inner + 2, (uint16_t)n);
        h.inner = rocecc_reader_of(inner, inner + sizeof inner);
        memset(out, 0xa5, sizeof out);
        CHECK_EQ(rocecc_srv6_build(&w, &h), ROCECC_OK);
        CHECK_EQ(w.at, 40 + n);
        CHECK(memcmp(out + 40, inner, n) == 0 && out[40 + n] == 0xa5);
    }
}

/*
 * Policies of 1 to 127 segments, reduced or not. The first segment becomes the
 * destination. Other lengths give RANGE.
 */
TEST(srv6_policies_have_1_to_127_segments)
{
    static uint8_t policy[128 * 16], out[4096];
    const rocecc_ip6 src = {{0xfc, 1}};
    size_t n;
    int reduced;
    for (n = 0; n < 128; n++)
        policy[16 * n + 15] = (uint8_t)n;
    for (n = 0; n <= 128; n++)
        for (reduced = 0; reduced < 2; reduced++) {
            const rocecc_reader list = rocecc_reader_of(policy, policy + 16 * n);
            rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
            rocecc_srv6 h = {0};
            rocecc_ip6 a;
            test_context("%zu segments, reduced %d", n, reduced);
            CHECK_EQ(rocecc_srv6_init(&h, &src, list, reduced != 0),
                     n >= 1 && n <= 127 ? ROCECC_OK : ROCECC_ERR_RANGE);
            if (n < 1 || n > 127) continue;
            CHECK(memcmp(h.outer.dst.b, policy + 16 * (n - 1), 16) == 0);
            CHECK_EQ(h.srh.segments_left, n - 1);
            CHECK_EQ(rocecc_left(&h.srh.segments), 16 * (reduced ? n - 1 : n));
            CHECK_EQ(rocecc_srh_segment(&h.srh, h.srh.segments_left, &a),
                     reduced ? ROCECC_ERR_RANGE : ROCECC_OK);
            if (!reduced) CHECK(memcmp(a.b, h.outer.dst.b, 16) == 0);
            h.ip.version = 4;
            CHECK_EQ(rocecc_srv6_emit(&w, &h), ROCECC_OK);
            CHECK_EQ(w.at, rocecc_srv6_bytes(&h));
            CHECK_EQ(out[6], n == 1 && reduced ? 4 : 43);
        }
}

/*
 * Before it writes, build() rejects an impossible SRH and a payload above 65,535 bytes.
 */
TEST(srv6_build_checks_lengths_before_it_writes)
{
    static uint8_t segments[32], inner[65536 + 40], out[65536 + 128];
    static const struct {
        size_t segments, bytes;
        rocecc_status status;
    } cases[] = {{16, 65511, ROCECC_OK},
                 {16, 65512, ROCECC_ERR_RANGE},
                 {0, 65535, ROCECC_OK},
                 {0, 65536, ROCECC_ERR_UNSUPPORTED},
                 {0, 65575, ROCECC_ERR_UNSUPPORTED},
                 {8, 100, ROCECC_ERR_RANGE},
                 {24, 100, ROCECC_ERR_RANGE}};
    size_t i;
    for (i = 0; i < NOUN_COUNT(cases); i++) {
        rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
        rocecc_srv6 h = {0};
        test_context("%zu bytes of segments, %zu", cases[i].segments, cases[i].bytes);
        inner[0] = 0x60;
        rocecc_store16(inner + 4, (uint16_t)(cases[i].bytes - 40));
        h.inner = rocecc_reader_of(inner, inner + cases[i].bytes);
        h.srh.segments = rocecc_reader_of(segments, segments + cases[i].segments);
        out[0] = 0xa5;
        CHECK_EQ(rocecc_srv6_build(&w, &h), cases[i].status);
        if (cases[i].status == ROCECC_OK)
            CHECK_EQ(rocecc_load16(out + 4),
                     cases[i].bytes + (cases[i].segments > 0 ? 8 + 16 : 0));
        else
            CHECK(w.at == 0 && out[0] == 0xa5);
    }
}

/* The outer version changes after the walk, and only 6 is accepted. */
TEST(srv6_changed_outer_version_is_rejected)
{
    const rocecc_ip6 sid = {
        {0x20, 0x01, 0x0d, 0xb8, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0c}};
    static const rocecc_domain config;
    rocecc_srv6 untouched;
    vec_packet p = vec_find(SRV6_ROWS, "ip4-end");
    const rocecc_reader r = rocecc_reader_of(p.bytes, p.bytes + p.n);
    unsigned version;
    rocecc_packet f;
    memset(&untouched, 0xa5, sizeof untouched);
    (void)rocecc_packet_parse(&config, r, &f);
    for (version = 0; version < 16; version++) {
        rocecc_srv6 h;
        memcpy(&h, &untouched, sizeof h);
        p.bytes[14] = (uint8_t)(version << 4 | (p.bytes[14] & 0xf));
        test_context("version %u", version);
        CHECK_EQ(rocecc_srv6_decapsulate(&f, &sid, &h),
                 version == 6 ? ROCECC_SRV6_DECAPSULATE : ROCECC_SRV6_BROKEN);
        if (version != 6) CHECK(memcmp(&h, &untouched, sizeof h) == 0);
        memcpy(&h, &untouched, sizeof h);
        CHECK_EQ(rocecc_srv6_parse(&f, &h),
                 version == 6 ? ROCECC_OK : ROCECC_ERR_FORMAT);
        if (version != 6) CHECK(memcmp(&h, &untouched, sizeof h) == 0);
    }
}

/* The longest chain that a walk follows, without an SRH. */
TEST(srv6_tunnel_is_found_after_eight_headers)
{
    static const rocecc_domain config = {.link = ROCECC_LINK_IP};
    static uint8_t bytes[40 + 8 * 8 + 20];
    const rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
    rocecc_srv6 h;
    rocecc_srh srh;
    rocecc_packet p;
    unsigned i;
    bytes[0] = 0x60;
    bytes[5] = sizeof bytes - 40;
    bytes[6] = 44;
    for (i = 0; i < 8; i++)
        bytes[40 + 8 * i] = i < 7 ? 44 : 4; /* atomic fragments */
    bytes[104] = 0x45;
    bytes[107] = 20;
    bytes[113] = 6;
    CHECK_EQ(rocecc_packet_parse(&config, r, &p), ROCECC_NO_MATCH);
    CHECK_EQ(p.headers.outer.n_ext, 8);
    CHECK_EQ(rocecc_srh_find(&p, &p.headers.outer, &srh), ROCECC_NO_MATCH);
    CHECK_EQ(rocecc_srv6_segments_left(&p, &p.headers.outer), 0);
    CHECK_EQ(rocecc_srv6_parse(&p, &h), ROCECC_OK);
    CHECK_EQ(rocecc_srv6_bytes(&h), 40);
    CHECK(h.inner.at == 104 && h.ip.version == 4 && h.ip.bytes == 20);
}

/* The empty readers of an empty tunnel are at the end of the bytes. */
TEST(srv6_empty_tunnel_is_at_the_end_of_the_bytes)
{
    static const uint8_t bytes[8] = {0};
    const rocecc_srv6 none = rocecc_srv6_none(rocecc_reader_of(bytes, bytes + 8));
    CHECK(none.inner.base == bytes && none.inner.at == 8 && none.inner.end == 8);
    CHECK(none.srh.segments.at == 8 && none.srh.segments.end == 8);
    CHECK(none.srh.tlvs.at == 8 && none.srh.tlvs.end == 8);
}

/* init() sets no inner packet. emit() needs `ip`, and build() `inner`. */
TEST(srv6_init_leaves_the_inner_packet_to_its_caller)
{
    static const uint8_t policy[16] = {0xfc, 2}, inner[20] = {0x45, 0, 0, 20};
    const rocecc_ip6 src = {{0xfc, 1}};
    uint8_t out[100];
    rocecc_writer w = rocecc_writer_of(out, out + sizeof out);
    rocecc_srv6 h;
    CHECK_EQ(rocecc_srv6_init(&h, &src, rocecc_reader_of(policy, policy + 16), true),
             ROCECC_OK);
    CHECK_EQ(rocecc_srv6_emit(&w, &h), ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_srv6_build(&w, &h), ROCECC_ERR_SHORT);
    h.inner = rocecc_reader_of(inner, inner + 20);
    CHECK_EQ(rocecc_srv6_emit(&w, &h), ROCECC_ERR_RANGE);
    CHECK_EQ(rocecc_srv6_build(&w, &h), ROCECC_OK);
    CHECK_EQ(w.at, 60);
    h.ip.version = 4;
    h.ip.bytes = 20;
    CHECK_EQ(rocecc_srv6_emit(&w, &h), ROCECC_OK);
    CHECK_EQ(w.at, 100);
}

/* build() ignores the members that it computes. */
TEST(srv6_build_computes_next_headers_and_lengths)
{
    static const uint8_t segment[16] = {0xfc, 3}, inner[24] = {0x45, 0, 0, 20};
    uint8_t first[100], again[100];
    rocecc_writer w = rocecc_writer_of(first, first + sizeof first);
    rocecc_writer v = rocecc_writer_of(again, again + sizeof again);
    rocecc_srv6 h = {0};
    h.srh.segments = rocecc_reader_of(segment, segment + 16);
    h.inner = rocecc_reader_of(inner, inner + 24);
    CHECK_EQ(rocecc_srv6_build(&w, &h), ROCECC_OK);
    CHECK(w.at == 84 && first[5] == 44 && first[6] == 43 && first[40] == 4);
    h.outer.next_header = h.srh.next_header = 99;
    h.outer.payload_length = 0xffff;
    h.ip.version = 5;
    h.ip.bytes = 0xffffffff;
    CHECK_EQ(rocecc_srv6_build(&v, &h), ROCECC_OK);
    CHECK(v.at == 84 && memcmp(first, again, 84) == 0);
}
