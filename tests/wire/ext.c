/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ext.h"
#include "law/bth.h"
#include "lib/noun.h"
#include "lib/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Defines a noun for one header, parsed and emitted as a set with one bit. */
#define HEADER(id, bit, FIELDS)                                                        \
    static const field id##_fields[] = {FIELDS(FIELD_ROW, rocecc_##id)};               \
    static rocecc_status id##_parse(rocecc_reader *r, void *record)                    \
    {                                                                                  \
        rocecc_ext e;                                                                  \
        const rocecc_status status = rocecc_ext_parse(r, (bit), &e);                   \
        if (status == ROCECC_OK) *(rocecc_##id *)record = e.id;                        \
        return status;                                                                 \
    }                                                                                  \
    static rocecc_status id##_emit(rocecc_writer *w, const void *record)               \
    {                                                                                  \
        rocecc_ext e;                                                                  \
        memset(&e, 0, sizeof e);                                                       \
        e.present = (bit);                                                             \
        e.id = *(const rocecc_##id *)record;                                           \
        return rocecc_ext_emit(w, &e);                                                 \
    }                                                                                  \
    static const noun id##_noun = {#id,                                                \
                                   false,                                              \
                                   sizeof(rocecc_##id),                                \
                                   id##_fields,                                        \
                                   NOUN_COUNT(id##_fields),                            \
                                   id##_parse,                                         \
                                   id##_emit}

HEADER(rdeth, ROCECC_EXT_RDETH, ROCECC_RDETH_FIELDS);
HEADER(deth, ROCECC_EXT_DETH, ROCECC_DETH_FIELDS);
HEADER(xrceth, ROCECC_EXT_XRCETH, ROCECC_XRCETH_FIELDS);
HEADER(feth, ROCECC_EXT_FETH, ROCECC_FETH_FIELDS);
HEADER(reth, ROCECC_EXT_RETH, ROCECC_RETH_FIELDS);
HEADER(atomiceth, ROCECC_EXT_ATOMICETH, ROCECC_ATOMICETH_FIELDS);
HEADER(aeth, ROCECC_EXT_AETH, ROCECC_AETH_FIELDS);
HEADER(atomicacketh, ROCECC_EXT_ATOMICACKETH, ROCECC_ATOMICACKETH_FIELDS);
HEADER(immdt, ROCECC_EXT_IMMDT, ROCECC_IMMDT_FIELDS);
HEADER(ieth, ROCECC_EXT_IETH, ROCECC_IETH_FIELDS);

static const field syndrome_fields[] = {
    ROCECC_SYNDROME_FIELDS(FIELD_ROW, rocecc_syndrome)};

static rocecc_status syndrome_parse(rocecc_reader *r, void *record)
{
    const uint8_t *b = rocecc_take(r, 1);
    if (b == NULL) return ROCECC_ERR_SHORT;
    *(rocecc_syndrome *)record = rocecc_syndrome_load(b);
    return ROCECC_OK;
}

static rocecc_status syndrome_emit(rocecc_writer *w, const void *record)
{
    uint8_t *b = rocecc_put(w, 1);
    if (b == NULL) return ROCECC_ERR_SPACE;
    rocecc_syndrome_store(b, record);
    return ROCECC_OK;
}

static const noun syndrome_noun = {"syndrome",      false, sizeof(rocecc_syndrome),
                                   syndrome_fields, 3,     syndrome_parse,
                                   syndrome_emit};

typedef struct got {
    uint8_t nak;
    uint32_t us;
} got;

#define NAKS                                                                           \
    "psn_sequence_error invalid_request remote_access_error "                          \
    "remote_operational_error invalid_rd_request"
static const field got_nak[] = {FIELD_ROW(got, ENUM, nak, NAKS)};
static const field got_us[] = {FIELD_ROW(got, UINT, us, NULL)};
static const field ext_fields[] = {ROCECC_EXT_FIELDS(FIELD_ROW, rocecc_ext)};
static const field extent_fields[] = {EXTENT_FIELDS(FIELD_ROW, rocecc_extent)};

/*
 * Checks a BTH and its headers, cut at each length from 12 bytes on. The set of headers
 * comes from the opcode or from an argument.
 */
static void call_ext_parse(const vec_row *row)
{
    size_t n, room;
    for (n = ROCECC_BTH_BYTES; n <= row->n; n++) {
        const uint8_t *at = guard_end(row->bytes, n);
        rocecc_reader r = rocecc_reader_of(at, at + n), before;
        rocecc_opcode_class c;
        rocecc_bth bth;
        rocecc_ext h;
        rocecc_status status;
        test_context("%s, the first %zu bytes", row->id, n);
        CHECK_EQ(rocecc_bth_parse(&r, &bth), ROCECC_OK);
        if (row->n_in > 0)
            c.ext = (uint16_t)noun_arg(row, "set");
        else
            CHECK_EQ(rocecc_opcode_lookup(bth.opcode, &c), ROCECC_OK);
        before = r;
        memset(&h, 0xa5, sizeof h);
        status = rocecc_ext_parse(&r, c.ext, &h);
        if (status != ROCECC_OK) {
            CHECK(r.at == before.at && r.end == before.end);
            CHECK(h.present == 0xa5a5 && h.cnp[15] == 0xa5);
        }
        if (n < row->n) {
            CHECK_EQ(status, row->status == ROCECC_OK ? ROCECC_ERR_SHORT : row->status);
            continue;
        }
        noun_check_out(row, ext_fields, NOUN_COUNT(ext_fields), status, &h);
        if (status != ROCECC_OK) continue;
        CHECK_EQ(r.at, row->n);
        for (room = 0; room <= n - ROCECC_BTH_BYTES; room++) {
            uint8_t *to = guard_end(NULL, room);
            rocecc_writer w = rocecc_writer_of(to, to + room);
            memset(to, 0xa5, room);
            status = rocecc_ext_emit(&w, &h);
            if (room < n - ROCECC_BTH_BYTES) {
                CHECK_EQ(status, ROCECC_ERR_SPACE);
                CHECK(w.at == 0 && (room == 0 || to[0] == 0xa5));
            } else {
                CHECK_EQ(status, ROCECC_OK);
                CHECK_EQ(w.at, room);
                CHECK(memcmp(to, row->bytes + ROCECC_BTH_BYTES, room) == 0);
            }
        }
    }
}

/* Checks the NAK in a Syndrome. */
static void call_nak(const vec_row *row)
{
    const rocecc_syndrome s = rocecc_syndrome_load(row->bytes);
    got g = {0, 0};
    CHECK_EQ(s.type, ROCECC_SYNDROME_NAK);
    g.nak = s.value;
    noun_check_out(row, got_nak, 1, ROCECC_OK, &g);
}

static void call_rnr_timer_us(const vec_row *row)
{
    got g = {0, 0};
    g.us = rocecc_rnr_timer_us((uint8_t)noun_arg(row, "value"));
    noun_check_out(row, got_us, 1, ROCECC_OK, &g);
}

static bool row_config(const vec_row *row, const char *name)
{
    const char *value = vec_value(row->config, row->n_config, name);
    return value != NULL && strcmp(value, "1") == 0;
}

/* Checks the extent of a BTH. */
static void call_extent_locate(const vec_row *row)
{
    rocecc_reader r = rocecc_reader_of(row->bytes, row->bytes + row->n);
    const char *echo = vec_value(row->config, row->n_config, "roce.echo_bytes");
    rocecc_roce_config c = {false, false, 0};
    rocecc_extent e, before;
    rocecc_bth bth;
    rocecc_status status;
    c.rd = row_config(row, "roce.rd");
    c.short_cnp = row_config(row, "roce.short_cnp");
    if (echo != NULL) c.echo_bytes = (uint16_t)atoi(echo);
    CHECK_EQ(rocecc_bth_parse(&r, &bth), ROCECC_OK);
    memset(&e, 0xa5, sizeof e);
    before = e;
    status = rocecc_extent_locate(&c, &bth, (uint32_t)noun_arg(row, "bytes"), &e);
    if (status != ROCECC_OK) CHECK(memcmp(&e, &before, sizeof e) == 0);
    noun_check_out(row, extent_fields, NOUN_COUNT(extent_fields), status, &e);
}

static const noun_call calls[] = {{"ext_parse", call_ext_parse},
                                  {"nak", call_nak},
                                  {"rnr_timer_us", call_rnr_timer_us},
                                  {"extent_locate", call_extent_locate}};

TEST(ext_vectors)
{
    const noun nouns[] = {rdeth_noun, deth_noun,      xrceth_noun,  feth_noun,
                          reth_noun,  atomiceth_noun, aeth_noun,    atomicacketh_noun,
                          immdt_noun, ieth_noun,      syndrome_noun};
    const noun_file file = {"ext", law_ext,          nouns, NOUN_COUNT(nouns),
                            calls, NOUN_COUNT(calls)};
    noun_vectors(&file);
}

TEST(ext_header_bits_belong_to_one_member)
{
    noun_bits(&rdeth_noun, 4);
    noun_bits(&deth_noun, 8);
    noun_bits(&xrceth_noun, 4);
    noun_bits(&feth_noun, 4);
    noun_bits(&reth_noun, 16);
    noun_bits(&atomiceth_noun, 28);
    noun_bits(&aeth_noun, 4);
    noun_bits(&atomicacketh_noun, 8);
    noun_bits(&immdt_noun, 4);
    noun_bits(&ieth_noun, 4);
    noun_bits(&syndrome_noun, 1);
}

/* store() drops the high bits of a too wide value and changes no other field. */
TEST(ext_store_drops_bits_beyond_each_field)
{
    const rocecc_rdeth rdeth = {0, 0xffffffff};
    const rocecc_deth deth = {0, 0, 0xffffffff};
    const rocecc_xrceth xrceth = {0, 0xffffffff};
    const rocecc_aeth aeth = {0, 0xffffffff};
    rocecc_feth feth = {0xffffffff, 0, 0};
    rocecc_syndrome s = {false, 0xff, 0};
    uint8_t b[8];
    rocecc_rdeth_store(b, &rdeth);
    CHECK_EQ(rocecc_load32(b), 0xffffff);
    rocecc_deth_store(b, &deth);
    CHECK_EQ(rocecc_load64(b), 0xffffff);
    rocecc_xrceth_store(b, &xrceth);
    CHECK_EQ(rocecc_load32(b), 0xffffff);
    rocecc_aeth_store(b, &aeth);
    CHECK_EQ(rocecc_load32(b), 0xffffff);
    rocecc_feth_store(b, &feth);
    CHECK_EQ(rocecc_load32(b), 0xffffffc0);
    feth.reserved = 0;
    feth.selectivity = 0xff;
    rocecc_feth_store(b, &feth);
    CHECK_EQ(rocecc_load32(b), 0x30);
    feth.selectivity = 0;
    feth.placement = 0xff;
    rocecc_feth_store(b, &feth);
    CHECK_EQ(rocecc_load32(b), 0xf);
    rocecc_syndrome_store(b, &s);
    CHECK_EQ(b[0], 0x60);
    s.type = 0;
    s.value = 0xff;
    rocecc_syndrome_store(b, &s);
    CHECK_EQ(b[0], 0x1f);
}

/* In all 2048 sets, the headers follow in the order of ext.h, each once. */
TEST(ext_headers_of_every_set_follow_in_order)
{
    static const uint8_t bytes[11] = {4, 8, 4, 4, 16, 28, 4, 8, 4, 4, 16};
    uint8_t wire[LAW_EXT_MAX_BYTES], back[LAW_EXT_MAX_BYTES];
    unsigned set, i, k;
    for (set = 0; set < 0x800; set++) {
        size_t n = 0;
        rocecc_reader r;
        rocecc_writer w = rocecc_writer_of(back, back + sizeof back);
        rocecc_ext h;
        test_context("set %03x", set);
        for (i = 0; i < 11; i++)
            for (k = 0; set >> i & 1 && k < bytes[i]; k++)
                wire[n++] = (uint8_t)(0x10 * i + k % 16);
        r = rocecc_reader_of(wire, wire + n);
        CHECK_EQ(rocecc_ext_parse(&r, (uint16_t)set, &h), ROCECC_OK);
        CHECK_EQ(r.at, n);
        CHECK_EQ(h.rdeth.reserved, 0);
        CHECK_EQ(h.deth.q_key, set & 2 ? 0x10111213 : 0);
        CHECK_EQ(h.xrceth.xrcsrq, set & 4 ? 0x212223 : 0);
        CHECK_EQ(h.feth.placement, set & 8 ? 0x3 : 0);
        CHECK_EQ(h.reth.r_key, set & 0x10 ? 0x48494a4b : 0);
        CHECK_EQ(h.atomiceth.r_key, set & 0x20 ? 0x58595a5b : 0);
        CHECK_EQ(h.aeth.syndrome, set & 0x40 ? 0x60 : 0);
        CHECK_EQ(h.atomicacketh.original, set & 0x80 ? 0x7071727374757677 : 0);
        CHECK_EQ(h.immdt.data, set & 0x100 ? 0x80818283 : 0);
        CHECK_EQ(h.ieth.r_key, set & 0x200 ? 0x90919293 : 0);
        CHECK_EQ(h.cnp[1], set & 0x400 ? 0xa1 : 0);
        CHECK_EQ(rocecc_ext_emit(&w, &h), ROCECC_OK);
        CHECK(w.at == n && memcmp(wire, back, n) == 0);
    }
}

/*
 * Rows of IBTA Table 38, A17.9.3 and Annex A19, with opcode, bytes from the BTH to the
 * payload, payload (Y, -, or 8 for exactly 8 bytes), and p if PadCnt may be set.
 */
static const char *const table[] = {
    "00 12 Y -", "01 12 Y -", "02 12 Y p", "03 16 Y p", "04 12 Y p", "05 16 Y p",
    "06 28 Y -", "07 12 Y -", "08 12 Y p", "09 16 Y p", "0a 28 Y p", "0b 32 Y p",
    "0c 28 - -", "0d 16 Y -", "0e 12 Y -", "0f 16 Y p", "10 16 Y p", "11 16 - -",
    "12 24 - -", "13 40 - -", "14 40 - -", "16 16 Y p", "17 16 Y p", "1c 32 - -",
    "1d 28 8 -", "20 12 Y -", "21 12 Y -", "22 12 Y p", "23 16 Y p", "24 12 Y p",
    "25 16 Y p", "26 28 Y -", "27 12 Y -", "28 12 Y p", "29 16 Y p", "2a 28 Y p",
    "2b 32 Y p", "40 24 Y -", "41 24 Y -", "42 24 Y p", "43 28 Y p", "44 24 Y p",
    "45 28 Y p", "46 40 Y -", "47 24 Y -", "48 24 Y p", "49 28 Y p", "4a 40 Y p",
    "4b 44 Y p", "4c 40 - -", "4d 20 Y -", "4e 16 Y -", "4f 20 Y p", "50 20 Y p",
    "51 20 - -", "52 28 - -", "53 52 - -", "54 52 - -", "55 24 - -", "5c 36 - -",
    "5d 32 8 -", "64 20 Y p", "65 24 Y p", "a0 16 Y -", "a1 16 Y -", "a2 16 Y p",
    "a3 20 Y p", "a4 16 Y p", "a5 20 Y p", "a6 32 Y -", "a7 16 Y -", "a8 16 Y p",
    "a9 20 Y p", "aa 32 Y p", "ab 36 Y p", "ac 32 - -", "ad 16 Y -", "ae 12 Y -",
    "af 16 Y p", "b0 16 Y p", "b1 16 - -", "b2 24 - -", "b3 44 - -", "b4 44 - -",
    "b6 20 Y p", "b7 20 Y p", "bc 36 - -", "bd 32 8 -", "80 12 - -", "81 28 - -"};

/* A parsed row of the table. */
typedef struct opcode_row {
    int header;
    char kind, may;
    bool known;
} opcode_row;

static opcode_row row_of(int opcode)
{
    opcode_row row = {0, '-', '-', false};
    size_t i;
    for (i = 0; i < NOUN_COUNT(table) && !row.known; i++) {
        unsigned op;
        row.known = sscanf(table[i], "%x %d %c %c", &op, &row.header, &row.kind,
                           &row.may) == 4 &&
                    op == (unsigned)opcode;
    }
    return row;
}

/* A packet from its BTH to its ICRC. */
typedef struct sized_packet {
    int opcode, bytes, pad;
} sized_packet;

/* The expected result of rocecc_extent_locate(). */
typedef struct expected_extent {
    rocecc_status status;
    int header, payload; /* in bytes, valid with OK */
} expected_extent;

/*
 * Returns the expected extent, by the length identity and in numbers that cannot wrap.
 */
static expected_extent model(const opcode_row *row, const sized_packet *p,
                             const rocecc_roce_config *c)
{
    const bool echo = p->opcode == 0x11 || p->opcode == 0xb1; /* ACK of RC and XRC */
    const int icrc = 4;
    expected_extent is = {ROCECC_ERR_UNSUPPORTED, 0, 0};
    if (p->opcode >= 0xc0) return is;
    is.status = ROCECC_NO_MATCH;
    if (!row->known) return is;
    is.status = ROCECC_ERR_UNSUPPORTED;
    if (p->opcode >= 0x40 && p->opcode < 0x60 && !c->rd) return is;
    is.header = p->opcode == 0x81 && c->short_cnp && p->bytes == 16 ? 12 : row->header;
    is.payload = p->bytes - is.header - p->pad - icrc;
    is.status = ROCECC_ERR_FORMAT;
    if (is.payload < 0 || p->bytes % 4 != 0) return is;
    if (row->kind == '-' && is.payload > (echo ? c->echo_bytes : 0)) return is;
    if (row->kind == '8' && is.payload != 8) return is;
    is.status = ROCECC_OK;
    return is;
}

/* The extent includes the opcode class, here for RC SEND Only with Immediate. */
TEST(extent_includes_the_opcode_class)
{
    const rocecc_roce_config c = {false, false, 0};
    rocecc_extent e;
    rocecc_bth h;
    memset(&h, 0, sizeof h);
    memset(&e, 0xa5, sizeof e);
    h.opcode = 5;
    CHECK_EQ(rocecc_extent_locate(&c, &h, 12 + 4 + 64 + 4, &e), ROCECC_OK);
    CHECK_RECORD(ROCECC_OPCLASS_FIELDS, rocecc_opcode_class, &e.opclass,
                 "service=rc operation=send first=1 last=1 pad=1 payload=any "
                 "ext=immdt hdr_bytes=16");
}

/*
 * Every opcode, PadCnt, length up to 80 bytes and configuration, by the model of the
 * table above. The payload ends before pad and ICRC, and pad_forbidden reports a PadCnt
 * where the table allows none.
 */
TEST(extent_follows_the_model_for_every_opcode)
{
    sized_packet p;
    int bits;
    for (p.opcode = 0; p.opcode < 256; p.opcode++) {
        const opcode_row row = row_of(p.opcode);
        for (p.bytes = 0; p.bytes <= 80; p.bytes++)
            for (p.pad = 0; p.pad < 4; p.pad++)
                for (bits = 0; bits < 8; bits++) {
                    const rocecc_roce_config c = {(bits & 1) != 0, (bits & 2) != 0,
                                                  (bits & 4) != 0 ? 24 : 0};
                    const expected_extent should = model(&row, &p, &c);
                    const bool forbidden = p.pad > 0 && row.may != 'p';
                    rocecc_status is;
                    rocecc_extent e;
                    rocecc_bth h;
                    memset(&h, 0, sizeof h);
                    h.opcode = (uint8_t)p.opcode;
                    h.pad = (uint8_t)p.pad;
                    is = rocecc_extent_locate(&c, &h, (uint32_t)p.bytes, &e);
                    if (is == should.status &&
                        (is != ROCECC_OK ||
                         (e.payload == should.header &&
                          e.payload_bytes == (uint32_t)should.payload &&
                          e.pad_bytes == p.pad && e.icrc == (uint32_t)p.bytes - 4 &&
                          (int)e.opclass.service == p.opcode / 32 &&
                          e.pad_forbidden == forbidden)))
                        continue;
                    test_fail(__FILE__, __LINE__,
                              "opcode %02x, %d bytes, pad %d, config %d: %d, not %d",
                              (unsigned)p.opcode, p.bytes, p.pad, bits, (int)is,
                              (int)should.status);
                    return;
                }
    }
}

/* A set with an unknown bit gives RANGE, and nothing is written. */
TEST(ext_emit_rejects_unknown_bits)
{
    unsigned set;
    for (set = 0x800; set < 0x10000; set++) {
        uint8_t wire[LAW_EXT_MAX_BYTES];
        rocecc_writer w = rocecc_writer_of(wire, wire + sizeof wire);
        rocecc_ext h;
        memset(&h, 0, sizeof h);
        wire[0] = 0xa5;
        h.present = (uint16_t)set;
        test_context("set %04x", set);
        CHECK_EQ(rocecc_ext_emit(&w, &h), ROCECC_ERR_RANGE);
        CHECK(w.at == 0 && wire[0] == 0xa5);
    }
}

/* A value too wide gives RANGE, even in an absent header and without room. */
TEST(ext_emit_rejects_a_wide_value_of_an_absent_header)
{
    unsigned i;
    for (i = 0; i <= 7; i++) {
        uint8_t *at = guard_end(NULL, 0);
        rocecc_writer w = rocecc_writer_of(at, at);
        rocecc_ext h;
        memset(&h, 0, sizeof h);
        h.rdeth.ee_context = i == 1 ? 0x1000000 : 0;
        h.deth.src_qp = i == 2 ? 0x1000000 : 0;
        h.xrceth.xrcsrq = i == 3 ? 0x1000000 : 0;
        h.aeth.msn = i == 4 ? 0x1000000 : 0;
        h.feth.reserved = i == 5 ? 0x4000000 : 0;
        h.feth.selectivity = i == 6 ? 4 : 0;
        h.feth.placement = i == 7 ? 16 : 0;
        test_context("value %u", i);
        CHECK_EQ(rocecc_ext_emit(&w, &h), i == 0 ? ROCECC_OK : ROCECC_ERR_RANGE);
        h.present = ROCECC_EXT_IMMDT; /* does not fit, either */
        CHECK_EQ(rocecc_ext_emit(&w, &h), i == 0 ? ROCECC_ERR_SPACE : ROCECC_ERR_RANGE);
    }
}

/* A CNP of 16 bytes has no extended header, and a CNP of 32 bytes has its own. */
TEST(extent_of_a_short_cnp_lacks_the_reserved_bytes)
{
    const rocecc_roce_config c = {.short_cnp = true};
    rocecc_bth h;
    rocecc_extent e;
    memset(&h, 0, sizeof h);
    h.opcode = ROCECC_OPCODE_CNP;
    CHECK_EQ(rocecc_extent_locate(&c, &h, 16, &e), ROCECC_OK);
    CHECK(e.opclass.ext == 0 && e.opclass.hdr_bytes == 12);
    CHECK(e.payload == 12 && e.payload_bytes == 0 && e.icrc == 12);
    CHECK_EQ(rocecc_extent_locate(&c, &h, 32, &e), ROCECC_OK);
    CHECK(e.opclass.ext == ROCECC_EXT_CNP && e.opclass.hdr_bytes == 28);
    CHECK(e.payload == 28 && e.payload_bytes == 0 && e.icrc == 28);
}

/* SEND Middle without payload, and with more than any MTU, is accepted. */
TEST(extent_accepts_data_of_any_length)
{
    static const uint32_t payload[] = {0, 4100, 65512, 0xffffffec};
    const rocecc_roce_config c = {false, false, 0};
    size_t i;
    for (i = 0; i < NOUN_COUNT(payload); i++) {
        rocecc_extent e;
        rocecc_bth h;
        memset(&h, 0, sizeof h);
        h.opcode = ROCECC_RC_SEND_MIDDLE;
        test_context("row %zu", i);
        CHECK_EQ(rocecc_extent_locate(&c, &h, 16 + payload[i], &e), ROCECC_OK);
        CHECK_EQ(e.payload_bytes, payload[i]);
        CHECK_EQ(e.icrc, 12 + payload[i]);
    }
}

/* Code 0 is the longest RNR NAK wait, and the other codes ascend. */
TEST(rnr_timer_of_0_is_the_longest)
{
    unsigned value;
    CHECK_EQ(rocecc_rnr_timer_us(0), 655360);
    CHECK_EQ(rocecc_rnr_timer_us(0xe0), 655360);
    for (value = 2; value < 32; value++)
        CHECK(rocecc_rnr_timer_us((uint8_t)value) >
              rocecc_rnr_timer_us((uint8_t)(value - 1)));
    CHECK(rocecc_rnr_timer_us(31) < rocecc_rnr_timer_us(0));
}
