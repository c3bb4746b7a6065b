/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/cnm.h"
#include "lib/noun.h"

#include <string.h>

NOUN(cntag, parse, false, ROCECC_CNTAG_FIELDS);

static const field pdu_fields[] = {ROCECC_CNM_FIELDS(FIELD_ROW, rocecc_cnm)};
static const field config_fields[] = {
    ROCECC_CNM_CONFIG_FIELDS(FIELD_ROW, rocecc_cnm_config)};
static const rocecc_cnm_config standard = {0, false, false, false, {{0}}};

static rocecc_status pdu_parse(rocecc_reader *r, void *record)
{
    return rocecc_cnm_parse(&standard, r, (rocecc_cnm *)record);
}

static rocecc_status pdu_emit(rocecc_writer *w, const void *record)
{
    return rocecc_cnm_emit(w, &standard, (const rocecc_cnm *)record);
}

static const noun pdu_noun = {
    "cnm",     false,   sizeof(rocecc_cnm), pdu_fields, NOUN_COUNT(pdu_fields),
    pdu_parse, pdu_emit};

/* A frame and its verdict. */
typedef struct judged {
    rocecc_cnm_frame f;
    uint8_t verdict;
} judged;

#define head f.head /* member names as in the rows */
#define cnm f.cnm
static const field frame_fields[] = {ROCECC_CNM_FRAME_FIELDS(FIELD_ROW, judged)};
static const field judged_fields[] = {
    FIELD_ROW(judged, ENUM, verdict, ROCECC_CNM_VERDICT_NAMES)
        ROCECC_CNM_FRAME_FIELDS(FIELD_ROW, judged)};
#undef head
#undef cnm

static rocecc_status frame_parse(rocecc_reader *r, void *record)
{
    judged *h = record;
    rocecc_cnm_verdict verdict;
    const rocecc_status status = rocecc_cnm_frame_parse(&standard, *r, &h->f, &verdict);
    CHECK((status == ROCECC_OK) == (verdict == ROCECC_CNM_TAKEN));
    if (status == ROCECC_OK) r->at = h->f.cnm.msdu.end;
    return status;
}

static rocecc_status frame_emit(rocecc_writer *w, const void *record)
{
    return rocecc_cnm_frame_build(w, &standard, &((const judged *)record)->f);
}

static const noun frame_noun = {"cnm_frame",
                                false,
                                sizeof(rocecc_cnm_frame),
                                frame_fields,
                                NOUN_COUNT(frame_fields),
                                frame_parse,
                                frame_emit};

/* Arguments and results of the functions that are not codecs. */
typedef struct args {
    rocecc_mac bridge;
    uint32_t port;
    uint8_t priority;
    rocecc_cnm_signs signs;
    uint64_t bytes;
    uint64_t cpid;
    int16_t q_offset;
    int16_t q_delta;
} args;

static const field arg_fields[] = {
    FIELD_ROW(args, MAC, bridge, NULL) FIELD_ROW(args, UINT, port, NULL)
        FIELD_ROW(args, UINT, priority, NULL) FIELD_ROW(args, ENUM, signs, "A B C")
            FIELD_ROW(args, UINT, bytes, NULL)};
static const field got_cpid[] = {FIELD_ROW(args, HEX, cpid, NULL)};
static const field got_units[] = {FIELD_ROW(args, INT, q_offset, NULL)
                                      FIELD_ROW(args, INT, q_delta, NULL)};

/* A record and the members that rows may name. */
typedef struct members {
    const field *fields;
    size_t n;
    void *record;
} members;

#define MEMBERS(fields, record) ((members){fields, NOUN_COUNT(fields), record})

/* Sets the members that `pairs` name after a prefix. */
static void set(const vec_pair *pairs, size_t n_pairs, const char *prefix, members to)
{
    const size_t skip = strlen(prefix);
    size_t i, f;
    for (i = 0; i < n_pairs; i++) {
        CHECK(strncmp(pairs[i].key, prefix, skip) == 0);
        for (f = 0; f < to.n; f++)
            if (strcmp(to.fields[f].name, pairs[i].key + skip) == 0) break;
        CHECK(f < to.n && field_set(&to.fields[f], to.record, pairs[i].value));
    }
}

static rocecc_cnm_config config_of(const vec_row *row)
{
    rocecc_cnm_config c = standard;
    set(row->config, row->n_config, "cnm.", MEMBERS(config_fields, &c));
    return c;
}

static void call_cnm_parse(const vec_row *row)
{
    const rocecc_cnm_config c = config_of(row);
    const uint8_t *at = guard_end(row->bytes, row->n);
    rocecc_reader r = rocecc_reader_of(at, at + row->n);
    rocecc_cnm h, before;
    rocecc_status status;
    memset(&h, 0xa5, sizeof h);
    before = h;
    status = rocecc_cnm_parse(&c, &r, &h);
    if (status != ROCECC_OK) CHECK(r.at == 0 && memcmp(&h, &before, sizeof h) == 0);
    noun_check_out(row, pdu_fields, NOUN_COUNT(pdu_fields), status, &h);
}

static void call_cnm_emit(const vec_row *row)
{
    const rocecc_cnm_config c = config_of(row);
    size_t room;
    rocecc_cnm h;
    memset(&h, 0, sizeof h);
    h.msdu = rocecc_reader_of(NULL, NULL);
    set(row->in, row->n_in, "", MEMBERS(pdu_fields, &h));
    for (room = 0; room <= 88; room++) {
        uint8_t *at = guard_end(NULL, room);
        rocecc_writer w = rocecc_writer_of(at, at + room);
        rocecc_status status;
        memset(at, 0xa5, room);
        status = rocecc_cnm_emit(&w, &c, &h);
        CHECK_EQ(status, row->status != ROCECC_OK ? row->status
                         : room < row->n          ? ROCECC_ERR_SPACE
                                                  : ROCECC_OK);
        CHECK_EQ(w.at, status == ROCECC_OK ? row->n : 0);
        CHECK(memcmp(at, row->bytes, w.at) == 0);
        if (status != ROCECC_OK && room != 0) CHECK_EQ(at[0], 0xa5);
    }
}

static void call_cnm_frame_parse(const vec_row *row)
{
    const rocecc_cnm_config c = config_of(row);
    const uint8_t *at = guard_end(row->bytes, row->n);
    const char *name = vec_value(row->out, row->n_out, "verdict");
    rocecc_cnm_verdict verdict = ROCECC_CNM_TAKEN;
    judged h, before;
    rocecc_status status;
    memset(&h, 0xa5, sizeof h);
    before = h;
    status =
        rocecc_cnm_frame_parse(&c, rocecc_reader_of(at, at + row->n), &h.f, &verdict);
    if (status != ROCECC_OK) CHECK(memcmp(&h, &before, sizeof h) == 0);
    CHECK(name != NULL && field_set(&judged_fields[0], &before, name));
    CHECK_EQ(verdict, before.verdict);
    h.verdict = (uint8_t)verdict;
    noun_check_out(row, judged_fields, NOUN_COUNT(judged_fields), status, &h);
}

static void call_cnm_frame_build(const vec_row *row)
{
    const rocecc_cnm_config c = config_of(row);
    size_t room;
    judged h;
    memset(&h, 0, sizeof h);
    h.f.cnm.msdu = rocecc_reader_of(NULL, NULL);
    set(row->in, row->n_in, "", MEMBERS(frame_fields, &h));
    for (room = 0; room <= row->n; room++) {
        uint8_t *at = guard_end(NULL, room);
        rocecc_writer w = rocecc_writer_of(at, at + room);
        rocecc_status status;
        memset(at, 0xa5, room);
        status = rocecc_cnm_frame_build(&w, &c, &h.f);
        CHECK_EQ(status, room < row->n ? ROCECC_ERR_SPACE : ROCECC_OK);
        CHECK_EQ(w.at, status == ROCECC_OK ? row->n : 0);
        CHECK(memcmp(at, row->bytes, w.at) == 0);
        if (status != ROCECC_OK && room != 0) CHECK_EQ(at[0], 0xa5);
    }
}

static args arguments(const vec_row *row)
{
    args a;
    memset(&a, 0, sizeof a);
    set(row->in, row->n_in, "", MEMBERS(arg_fields, &a));
    return a;
}

static void call_cnm_cpid(const vec_row *row)
{
    args a = arguments(row);
    const rocecc_status status =
        rocecc_cnm_cpid(&a.bridge, a.port, a.priority, &a.cpid);
    noun_check_out(row, got_cpid, 1, status, &a);
}

/* Checks cnmQOffset and cnmQDelta for a number of bytes. */
static void call_cnm_units(const vec_row *row)
{
    args a = arguments(row);
    const int64_t bytes =
        a.bytes >> 63 ? -(int64_t)(UINT64_MAX - a.bytes) - 1 : (int64_t)a.bytes;
    a.q_offset = rocecc_cnm_q_offset(a.signs, bytes);
    a.q_delta = rocecc_cnm_q_delta(a.signs, bytes);
    noun_check_out(row, got_units, 2, ROCECC_OK, &a);
}

static const noun_call calls[] = {{"cnm_parse", call_cnm_parse},
                                  {"cnm_emit", call_cnm_emit},
                                  {"cnm_frame_parse", call_cnm_frame_parse},
                                  {"cnm_frame_build", call_cnm_frame_build},
                                  {"cnm_cpid", call_cnm_cpid},
                                  {"cnm_units", call_cnm_units}};

TEST(cnm_vectors)
{
    const noun nouns[] = {cntag_noun, pdu_noun, frame_noun};
    const noun_file file = {"cnm", law_cnm, nouns, 3, calls, NOUN_COUNT(calls)};
    noun_vectors(&file);
}

/*
 * Each bit before the MSDU length belongs to exactly one member and is emitted again.
 */
TEST(cnm_each_bit_belongs_to_one_member)
{
    size_t bit, f;
    int ground;
    for (ground = 0; ground <= 0xff; ground += 0xff)
        for (bit = 0; bit < 8 * 22; bit++) {
            uint8_t bytes[24], back[24];
            rocecc_reader r = rocecc_reader_of(bytes, bytes + 24);
            rocecc_writer w = rocecc_writer_of(back, back + 24);
            rocecc_cnm plain, flipped;
            int changed = 0;
            test_context("bit %zu over %02x", bit, (unsigned)ground);
            memset(bytes, ground, sizeof bytes);
            bytes[22] = bytes[23] = 0;
            CHECK_EQ(rocecc_cnm_parse(&standard, &r, &plain), ROCECC_OK);
            bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
            r = rocecc_reader_of(bytes, bytes + 24);
            CHECK_EQ(rocecc_cnm_parse(&standard, &r, &flipped), ROCECC_OK);
            for (f = 0; f < NOUN_COUNT(pdu_fields); f++)
                changed += !field_equal(&pdu_fields[f], &plain, &flipped);
            CHECK_EQ(changed, 1);
            CHECK_EQ(rocecc_cnm_emit(&w, &standard, &flipped), ROCECC_OK);
            CHECK(memcmp(bytes, back, sizeof back) == 0);
        }
}

/* Every QntzFb, ReservedV and version, in a PDU and in a frame. */
TEST(cnm_first_16_bits_are_read_for_every_value)
{
    uint32_t w0;
    for (w0 = 0; w0 <= 0xffff; w0++) {
        uint8_t bytes[14 + 24] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x22, 0xe7};
        rocecc_reader r = rocecc_reader_of(bytes + 14, bytes + sizeof bytes);
        rocecc_cnm_verdict verdict;
        rocecc_cnm_frame frame;
        rocecc_cnm h;
        bytes[14] = (uint8_t)(w0 / 256);
        bytes[15] = (uint8_t)(w0 % 256);
        test_context("%04x", (unsigned)w0);
        CHECK_EQ(rocecc_cnm_parse(&standard, &r, &h), ROCECC_OK);
        CHECK_EQ(h.qntz_fb, w0 % 64);
        CHECK_EQ(h.reserved_v, w0 / 64 % 64);
        CHECK_EQ(h.version, w0 / 4096);
        r = rocecc_reader_of(bytes, bytes + sizeof bytes);
        CHECK_EQ(rocecc_cnm_frame_parse(&standard, r, &frame, &verdict), ROCECC_OK);
        CHECK_EQ(frame.cnm.qntz_fb, w0 % 64);
        CHECK(law_cnm(rocecc_reader_of(bytes + 14, bytes + sizeof bytes)) !=
              LAW_BROKEN);
    }
}

/* emit() accepts QntzFb 0 to 63, and returns RANGE for 64 to 255. Other bits stay 0. */
TEST(cnm_qntz_fb_above_63_gives_range)
{
    unsigned fb;
    for (fb = 0; fb < 256; fb++) {
        uint8_t bytes[24] = {0}, should[24] = {0};
        rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
        rocecc_cnm h;
        memset(&h, 0, sizeof h);
        h.qntz_fb = (uint8_t)fb;
        h.msdu = rocecc_reader_of(NULL, NULL);
        CHECK_EQ(rocecc_cnm_emit(&w, &standard, &h),
                 fb < 64 ? ROCECC_OK : ROCECC_ERR_RANGE);
        should[1] = fb < 64 ? (uint8_t)fb : 0;
        CHECK(memcmp(bytes, should, sizeof bytes) == 0);
    }
}

/* Every flow id, in a tag alone and in a frame. */
TEST(cntag_flow_id_is_read_back_for_every_value)
{
    uint32_t id;
    for (id = 0; id <= 0xffff; id++) {
        uint8_t bytes[60], back[60];
        rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
        rocecc_reader r = rocecc_reader_of(bytes, bytes + 4);
        rocecc_cntag tag = {(uint16_t)id};
        rocecc_cnm_verdict verdict;
        rocecc_cnm_frame frame, again;
        test_context("id %04x", (unsigned)id);
        CHECK_EQ(rocecc_cntag_emit(&w, &tag), ROCECC_OK);
        CHECK_EQ(rocecc_load32(bytes), 0x22e90000 + id);
        tag.flow_id = (uint16_t)~id;
        CHECK_EQ(rocecc_cntag_parse(&r, &tag), ROCECC_OK);
        CHECK(tag.flow_id == id && r.at == 4);
        memset(&frame, 0, sizeof frame);
        frame.head.tagged = true;
        frame.head.flow_id = (uint16_t)id;
        frame.cnm.msdu = rocecc_reader_of(NULL, NULL);
        w = rocecc_writer_of(back, back + sizeof back);
        CHECK_EQ(rocecc_cnm_frame_build(&w, &standard, &frame), ROCECC_OK);
        CHECK_EQ(rocecc_load32(back + 12), 0x22e90000 + id);
        CHECK_EQ(
            rocecc_cnm_frame_parse(&standard, rocecc_written(&w), &again, &verdict),
            ROCECC_OK);
        CHECK(again.head.tagged && again.head.flow_id == id);
    }
}

/* Only type 0x22e9 is a CN-TAG. */
TEST(cntag_type_is_only_0x22e9)
{
    uint32_t type;
    for (type = 0; type <= 0xffff; type++) {
        uint8_t bytes[4] = {(uint8_t)(type / 256), (uint8_t)type, 1, 2};
        rocecc_reader r = rocecc_reader_of(bytes, bytes + 4);
        rocecc_cntag tag = {0};
        CHECK_EQ(rocecc_cntag_parse(&r, &tag),
                 type == 0x22e9 ? ROCECC_OK : ROCECC_NO_MATCH);
    }
}

/* Every type after the addresses, and every type after a CN-TAG (rules 1 to 3). */
TEST(cnm_frame_verdict_follows_its_type)
{
    uint32_t type;
    for (type = 0; type <= 0xffff; type++) {
        uint8_t bytes[14 + 4 + 24] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2};
        const rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
        rocecc_cnm_verdict verdict, should = ROCECC_CNM_OTHER_TYPE;
        rocecc_cnm_frame frame;
        test_context("type %04x", (unsigned)type);
        rocecc_store16(bytes + 12, (uint16_t)type);
        if (type == 0x22e7) should = ROCECC_CNM_TAKEN;
        if (type == 0x22e9) should = ROCECC_CNM_DATA;
        (void)rocecc_cnm_frame_parse(&standard, r, &frame, &verdict);
        CHECK_EQ(verdict, should);
        rocecc_store16(bytes + 12, 0x22e9);
        rocecc_store16(bytes + 16, (uint16_t)type);
        (void)rocecc_cnm_frame_parse(&standard, r, &frame, &verdict);
        CHECK_EQ(verdict, type == 0x22e7 ? ROCECC_CNM_TAKEN : ROCECC_CNM_DATA);
    }
}

/* Every pair of PDU length up to 100 and MSDU length up to 130 (rules 4 to 6). */
TEST(cnm_msdu_has_at_most_64_bytes_and_fits_the_pdu)
{
    size_t n, len;
    for (n = 0; n <= 100; n++)
        for (len = 0; len <= 130; len++) {
            static const uint8_t zeros[100];
            uint8_t *at = guard_end(zeros, n);
            rocecc_reader r = rocecc_reader_of(at, at + n);
            rocecc_cnm h;
            rocecc_status status;
            test_context("%zu bytes, MSDU length %zu", n, len);
            if (n >= 24) at[23] = (uint8_t)len;
            status = rocecc_cnm_parse(&standard, &r, &h);
            CHECK_EQ(status, n < 24         ? ROCECC_ERR_SHORT
                             : len > 64     ? ROCECC_ERR_FORMAT
                             : 24 + len > n ? ROCECC_ERR_SHORT
                                            : ROCECC_OK);
            CHECK_EQ(r.at, status == ROCECC_OK ? 24 + len : 0);
            if (status == ROCECC_OK) CHECK_EQ(rocecc_left(&h.msdu), len);
        }
}

/* Every value of the signed fields, with each convention for signs. */
TEST(cnm_signed_fields_follow_each_convention)
{
    int32_t v;
    for (v = -32768; v <= 32767; v++) {
        test_context("%d", (int)v);
        CHECK(law_cnm_signs(ROCECC_CNM_SIGNS_A, (int16_t)v) != LAW_BROKEN);
        CHECK(law_cnm_signs(ROCECC_CNM_SIGNS_B, (int16_t)v) != LAW_BROKEN);
        CHECK(law_cnm_signs(ROCECC_CNM_SIGNS_C, (int16_t)v) != LAW_BROKEN);
    }
}

/*
 * An MSDU is cut to the requested length, but to at most 64 bytes. With fixed_msdu, it
 * is cut to 64 bytes.
 */
TEST(cnm_msdu_is_cut_to_the_requested_length)
{
    static const uint8_t bytes[100];
    size_t n, asked;
    for (n = 0; n <= sizeof bytes; n++)
        for (asked = 0; asked <= 70; asked++) {
            rocecc_cnm_config c = standard;
            rocecc_reader msdu = rocecc_reader_of(bytes, bytes + n), some;
            const size_t most = asked < 64 ? asked : 64;
            some = rocecc_cnm_msdu(&c, msdu, asked);
            CHECK_EQ(rocecc_left(&some), n < most ? n : most);
            CHECK_EQ(some.at, 0);
            c.fixed_msdu = true;
            some = rocecc_cnm_msdu(&c, msdu, asked);
            CHECK_EQ(rocecc_left(&some), n < 64 ? n : 64);
        }
}

/*
 * A head of 26 bytes, with two VLAN tags and a CN-TAG as in E2, is written before a PDU
 * that is already in place. A third VLAN tag gives RANGE.
 */
TEST(cnm_head_is_written_before_a_pdu_in_place)
{
    uint8_t bytes[26 + 24] = {0};
    rocecc_writer w = rocecc_writer_of(bytes, bytes + 26);
    rocecc_cnm_frame frame;
    rocecc_cnm_verdict verdict;
    rocecc_cnm_head h = {{{2, 1}}, {{2, 2}},
                         2,        {{0x88a8, 6, true, 100}, {0x8100, 6, false, 1024}},
                         true,     0xc9a0};
    bytes[26 + 1] = 26;
    CHECK_EQ(rocecc_cnm_head_bytes(&h), ROCECC_CNM_HEAD_MAX_BYTES);
    CHECK_EQ(rocecc_cnm_head_emit(&w, &h), ROCECC_OK);
    CHECK_EQ(rocecc_cnm_frame_parse(&standard,
                                    rocecc_reader_of(bytes, bytes + sizeof bytes),
                                    &frame, &verdict),
             ROCECC_OK);
    CHECK(frame.head.vlan[0].dei && !frame.head.vlan[1].dei);
    CHECK(frame.head.vlan[1].vid == 1024 && frame.cnm.qntz_fb == 26);
    w = rocecc_writer_of(bytes, bytes + 26);
    h.n_vlan = 3;
    CHECK_EQ(rocecc_cnm_head_emit(&w, &h), ROCECC_ERR_RANGE);
    CHECK_EQ(w.at, 0);
}

/* The upper six bytes of a CPID are the bridge's address. Port and priority follow. */
TEST(R_L3_15_cpid_has_address_port_and_priority)
{
    const rocecc_mac bridge = {{2, 0, 0, 0, 4, 0x40}};
    unsigned port, priority;
    for (port = 0; port < 0x2000; port++)
        for (priority = 0; priority < 8; priority++) {
            uint64_t cpid = 0;
            CHECK_EQ(rocecc_cnm_cpid(&bridge, port, (uint8_t)priority, &cpid),
                     ROCECC_OK);
            CHECK_EQ(cpid >> 16, 0x020000000440);
            CHECK_EQ(cpid & 0xffff, port * 8 + priority);
        }
}

/*
 * Two queues of a bridge never share a CPID. Ports above 8191 and priorities above 7
 * give RANGE.
 */
TEST(R_L3_15_cpids_of_two_queues_differ)
{
    static const uint32_t port[] = {1,       8191,      8192,      8193,
                                    0x10001, 0x1000001, 0xffffffff};
    const rocecc_mac bridge = {{2, 0, 0, 0, 4, 0x40}};
    uint64_t seen[7];
    unsigned i, k;
    for (i = 0; i < 7; i++) {
        seen[i] = i;
        CHECK_EQ(rocecc_cnm_cpid(&bridge, port[i], 5, &seen[i]),
                 i < 2 ? ROCECC_OK : ROCECC_ERR_RANGE);
        CHECK_EQ(seen[i], i == 0   ? 0x020000000440000d
                          : i == 1 ? 0x020000000440fffd
                                   : i);
        for (k = 0; k < i; k++)
            CHECK(seen[k] != seen[i]);
    }
    for (i = 8; i < 256; i++)
        CHECK_EQ(rocecc_cnm_cpid(&bridge, 1, (uint8_t)i, &seen[0]), ROCECC_ERR_RANGE);
    CHECK_EQ(seen[0], 0x020000000440000d);
}

/*
 * Figure 2, from Encapsulated Priority on: the priority in the top three bits of two
 * bytes with 13 zero bits below it, the frame's destination, a length of 64, and the
 * first 64 bytes after the frame's addresses. Zeros follow an MSDU below 64 bytes.
 */
TEST(R_L3_16_encapsulated_fields_follow_figure_2)
{
    static const rocecc_cnm_config figure_2 = {
        ROCECC_CNM_SIGNS_C, true, false, false, {{0}}};
    uint8_t frame[12 + 100];
    unsigned priority;
    size_t i, n;
    for (i = 0; i < sizeof frame; i++)
        frame[i] = (uint8_t)(2 + i);
    for (priority = 0; priority < 8; priority++)
        for (n = 0; n <= 100; n++) {
            const size_t part = n < 64 ? n : 64;
            uint8_t bytes[88], zeros[64] = {0};
            rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
            rocecc_reader msdu = rocecc_reader_of(frame, frame + 12 + n);
            rocecc_cnm h;
            test_context("priority %u, MSDU %zu", priority, n);
            memset(&h, 0, sizeof h);
            h.encap_priority = (uint8_t)priority;
            h.encap_dst = rocecc_mac_load(frame);
            CHECK(rocecc_take(&msdu, 12) != NULL);
            h.msdu = rocecc_cnm_msdu(&figure_2, msdu, 0);
            CHECK_EQ(rocecc_cnm_emit(&w, &figure_2, &h), ROCECC_OK);
            CHECK_EQ(w.at, 88);
            CHECK_EQ(rocecc_load16(bytes + 14), priority * 0x2000);
            CHECK(memcmp(bytes + 16, frame, 6) == 0);
            CHECK_EQ(rocecc_load16(bytes + 22), 64);
            CHECK(memcmp(bytes + 24, frame + 12, part) == 0);
            CHECK(memcmp(bytes + 24 + part, zeros, 64 - part) == 0);
        }
    test_context(" ");
}

/* If the MSDU is cut after parsing, emit() writes the new length, not msdu_len. */
TEST(cnm_msdu_len_is_not_emitted)
{
    uint8_t bytes[24 + 6] = {0}, back[29];
    rocecc_reader r = rocecc_reader_of(bytes, bytes + sizeof bytes);
    rocecc_writer w = rocecc_writer_of(back, back + sizeof back);
    rocecc_cnm h;
    bytes[23] = 6;
    CHECK_EQ(rocecc_cnm_parse(&standard, &r, &h), ROCECC_OK);
    CHECK_EQ(h.msdu_len, 6);
    h.msdu = rocecc_subrange(h.msdu, h.msdu.at, h.msdu.at + 5);
    CHECK_EQ(rocecc_cnm_emit(&w, &standard, &h), ROCECC_OK);
    CHECK(rocecc_load16(back + 22) == 5 && w.at == 29);
}

/*
 * frame_build() accepts a group address as the destination, but frame_parse() does not.
 */
TEST(cnm_to_a_group_is_built_but_not_accepted)
{
    uint8_t bytes[60];
    rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
    rocecc_cnm_config c = standard;
    rocecc_cnm_frame frame, before;
    rocecc_cnm_verdict verdict = ROCECC_CNM_TAKEN;
    memset(&frame, 0, sizeof frame);
    frame.head.dst.b[0] = 0x01;
    frame.cnm.msdu = rocecc_reader_of(NULL, NULL);
    CHECK_EQ(rocecc_cnm_frame_build(&w, &c, &frame), ROCECC_OK);
    memset(&frame, 0xa5, sizeof frame);
    before = frame;
    CHECK_EQ(rocecc_cnm_frame_parse(&c, rocecc_written(&w), &frame, &verdict),
             ROCECC_ERR_FORMAT);
    CHECK_EQ(verdict, ROCECC_CNM_GROUP_DST);
    c.station.b[0] = 0x01; /* not even if it is the station's */
    verdict = ROCECC_CNM_TAKEN;
    CHECK_EQ(rocecc_cnm_frame_parse(&c, rocecc_written(&w), &frame, &verdict),
             ROCECC_ERR_FORMAT);
    CHECK_EQ(verdict, ROCECC_CNM_GROUP_DST);
    CHECK(memcmp(&frame, &before, sizeof frame) == 0);
}

/* An invalid second tag gives RANGE only if n_vlan is 2. */
TEST(cnm_head_ignores_vlan_tags_beyond_n_vlan)
{
    rocecc_cnm_head h;
    unsigned n;
    memset(&h, 0xff, sizeof h);
    h.tagged = false;
    h.flow_id = 0;
    h.vlan[0].tpid = 0x8100;
    h.vlan[0].pcp = 7;
    h.vlan[0].dei = true;
    h.vlan[0].vid = 0xfff;
    for (n = 0; n <= 2; n++) {
        uint8_t bytes[26];
        rocecc_writer w = rocecc_writer_of(bytes, bytes + sizeof bytes);
        h.n_vlan = (uint8_t)n;
        test_context("%u tags", n);
        CHECK_EQ(rocecc_cnm_head_emit(&w, &h), n < 2 ? ROCECC_OK : ROCECC_ERR_RANGE);
        CHECK_EQ(w.at, n < 2 ? 14 + 4 * n : 0);
    }
}

TEST(cnm_unknown_signs_act_as_a)
{
    int signs;
    for (signs = 3; signs < 256; signs++) {
        const rocecc_cnm_signs s = (rocecc_cnm_signs)signs;
        test_context("signs %d", signs);
        CHECK_EQ(rocecc_cnm_q_offset(s, -640),
                 rocecc_cnm_q_offset(ROCECC_CNM_SIGNS_A, -640));
        CHECK_EQ(rocecc_cnm_q_delta(s, -640),
                 rocecc_cnm_q_delta(ROCECC_CNM_SIGNS_A, -640));
        CHECK_EQ(rocecc_cnm_q_offset_bytes(s, 10), 640);
        CHECK_EQ(rocecc_cnm_q_delta_bytes(s, 10), 640);
    }
}
