/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/bth.h"
#include "lib/noun.h"

#include <string.h>

NOUN(bth, parse, false, ROCECC_BTH_FIELDS);

static const field opclass_fields[] = {
    ROCECC_OPCLASS_FIELDS(FIELD_ROW, rocecc_opcode_class)};
static bool listed[256]; /* opcodes with a row */

static void call_opclass_lookup(const vec_row *row)
{
    const uint8_t opcode = (uint8_t)noun_arg(row, "opcode");
    rocecc_opcode_class c;
    const rocecc_status status = rocecc_opcode_lookup(opcode, &c);
    listed[opcode] = true;
    noun_check_out(row, opclass_fields, NOUN_COUNT(opclass_fields), status, &c);
}

static const noun_call calls[] = {{"opcode_lookup", call_opclass_lookup}};
static const noun_file file = {"bth", law_bth, &bth_noun, 1, calls, NOUN_COUNT(calls)};

TEST(bth_vectors)
{
    int opcode;
    rocecc_opcode_class c;
    noun_vectors(&file);
    for (opcode = 0; opcode < 256; opcode++) { /* opcodes without a row */
        test_context("opcode %02x", (unsigned)opcode);
        if (!listed[opcode])
            CHECK_EQ(rocecc_opcode_lookup((uint8_t)opcode, &c),
                     opcode < 0xc0 ? ROCECC_NO_MATCH : ROCECC_ERR_UNSUPPORTED);
    }
}

/*
 * rocecc_opcode_set_data() holds the opcodes of SEND, RDMA WRITE and RDMA READ
 * responses. A set with one bit holds only one opcode.
 */
TEST(opcode_set_data_holds_only_the_opcodes_of_data)
{
    rocecc_opcode_set set = {{0}};
    unsigned opcode, other;
    CHECK(rocecc_opcode_set_is_empty(&set));
    for (opcode = 0; opcode < 256; opcode++) {
        const rocecc_opcode_set data = rocecc_opcode_set_data();
        rocecc_opcode_class c;
        const bool any = rocecc_opcode_lookup((uint8_t)opcode, &c) == ROCECC_OK &&
                         (c.operation == ROCECC_OPERATION_SEND ||
                          c.operation == ROCECC_OPERATION_RDMA_WRITE ||
                          c.operation == ROCECC_OPERATION_RDMA_READ_RESPONSE);
        test_context("opcode %02x", opcode);
        CHECK_EQ(rocecc_opcode_set_has(&data, (uint8_t)opcode), any);
        set.bits[opcode >> 5] = UINT32_C(1) << (opcode & 31);
        CHECK(!rocecc_opcode_set_is_empty(&set));
        for (other = 0; other < 256; other++)
            CHECK_EQ(rocecc_opcode_set_has(&set, (uint8_t)other), other == opcode);
        set.bits[opcode >> 5] = 0;
    }
}

/*
 * An event may follow the last packet of a SEND or of an RDMA WRITE with immediate data
 * (IBTA 9.2). Only requests of RC, RD and XRC are acknowledged (9.7, 9.8). S is odd in
 * all other known opcodes, and A is odd in all known opcodes without an ACK.
 */
TEST(bth_odd_reports_unexpected_solicited_and_ack_req)
{
    /*
     * Per service: SEND Last and Only, without and with immediate data, RDMA WRITE Last
     * and Only with immediate data, SEND Last and Only with invalidate.
     */
    static const uint8_t events[] = {
        0x02, 0x03, 0x04, 0x05, 0x09, 0x0b, 0x16, 0x17,  /* RC */
        0x22, 0x23, 0x24, 0x25, 0x29, 0x2b,              /* UC */
        0x42, 0x43, 0x44, 0x45, 0x49, 0x4b,              /* RD */
        0x64, 0x65,                                      /* UD */
        0xa2, 0xa3, 0xa4, 0xa5, 0xa9, 0xab, 0xb6, 0xb7}; /* XRC */
    static const struct {
        uint8_t first, last;
    } acknowledged[] = {
        {0x00, 0x0c}, {0x13, 0x14}, {0x16, 0x17}, {0x1c, 0x1d}, /* RC requests */
        {0x40, 0x4c}, {0x53, 0x55}, {0x5c, 0x5d},               /* RD */
        {0xa0, 0xac}, {0xb3, 0xb4}, {0xb6, 0xb7}, {0xbc, 0xbd}  /* XRC */
    };
    unsigned opcode, bits;
    for (opcode = 0; opcode < 256; opcode++) {
        bool event = false, ack = false;
        rocecc_opcode_class c;
        const bool known = rocecc_opcode_lookup((uint8_t)opcode, &c) == ROCECC_OK;
        size_t i;
        for (i = 0; i < NOUN_COUNT(events); i++)
            event = event || events[i] == opcode;
        for (i = 0; i < NOUN_COUNT(acknowledged); i++)
            ack = ack ||
                  (acknowledged[i].first <= opcode && opcode <= acknowledged[i].last);
        for (bits = 0; bits < 4; bits++) {
            rocecc_bth h = {0};
            h.opcode = (uint8_t)opcode;
            h.solicited = (bits & 1) != 0;
            h.ack_req = (bits & 2) != 0;
            test_context("opcode %02x, bits %u", opcode, bits);
            CHECK_EQ(rocecc_bth_odd(&h), (known && h.solicited && !event ? 0x01 : 0) |
                                             (known && h.ack_req && !ack ? 0x04 : 0));
            /* The other fields are never odd. */
            h.migreq = h.fecn = h.becn = true;
            h.pad = 3;
            h.tver = 15;
            h.pkey = 0xffff;
            h.resv6 = 0x3f;
            h.resv7 = 0x7f;
            h.dest_qp = h.psn = 0xffffff;
            CHECK_EQ(rocecc_bth_odd(&h), (known && h.solicited && !event ? 0x01 : 0) |
                                             (known && h.ack_req && !ack ? 0x04 : 0));
        }
    }
}

TEST(bth_each_bit_belongs_to_one_member)
{
    noun_bits(&bth_noun, ROCECC_BTH_BYTES);
}

/*
 * The low 11 bits of a set stand for headers of 4, 8, 4, 4, 16, 28, 4, 8, 4, 4 and 16
 * bytes. Higher bits are ignored.
 */
TEST(ext_bytes_ignores_unknown_bits)
{
    static const uint8_t each[11] = {4, 8, 4, 4, 16, 28, 4, 8, 4, 4, 16};
    uint32_t set;
    for (set = 0; set < 0x10000; set++) {
        unsigned i, sum = 0;
        for (i = 0; i < 11; i++)
            sum += (set >> i & 1) * each[i];
        CHECK_EQ(rocecc_ext_bytes((uint16_t)set), sum);
    }
    CHECK_EQ(rocecc_ext_bytes(0xffff), 100);
}

/* The 166 reserved or manufacturer-specific opcodes leave *out unchanged. */
TEST(opcode_lookup_of_an_unknown_opcode_writes_nothing)
{
    unsigned opcode, unknown = 0;
    for (opcode = 0; opcode < 256; opcode++) {
        rocecc_opcode_class c, before;
        memset(&c, 0xa5, sizeof c);
        before = c;
        test_context("opcode %02x", opcode);
        if (rocecc_opcode_lookup((uint8_t)opcode, &c) == ROCECC_OK) continue;
        CHECK(memcmp(&c, &before, sizeof c) == 0);
        unknown++;
    }
    CHECK_EQ(unknown, 64 + 7 + 20 + 8 + 30 + 30 + 7);
}

/* rocecc_opcode_is_ack() excludes the ACKs of RD and of atomic operations. */
TEST(opcode_is_ack_accepts_only_rc_and_xrc)
{
    unsigned opcode;
    for (opcode = 0; opcode < 256; opcode++) {
        test_context("opcode %02x", opcode);
        CHECK_EQ(rocecc_opcode_is_ack((uint8_t)opcode),
                 opcode == 0x11 || opcode == 0xb1);
    }
}

/* store() drops bits beyond each field, which emit() would reject. */
TEST(bth_store_drops_high_bits_and_changes_no_other_field)
{
    static const uint8_t zeros[12];
    rocecc_bth h = {0};
    uint8_t b[12];
    memset(b, 0xff, sizeof b);
    h.pad = 0xfc;
    h.tver = 0xf0;
    h.resv6 = 0xc0;
    h.resv7 = 0x80;
    h.dest_qp = h.psn = 0xff000000;
    rocecc_bth_store(b, &h);
    CHECK(memcmp(b, zeros, sizeof b) == 0);
}
