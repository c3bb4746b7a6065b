/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/bth.h"
#include "lib/noun.h"

NOUN(bth, parse, false, ROCECC_BTH_FIELDS);

static const field opclass_fields[] = {
    ROCECC_OPCLASS_FIELDS(FIELD_ROW, rocecc_opcode_class)};
static bool listed[256]; /* opcodes that have a row */

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
    for (opcode = 0; opcode < 256; opcode++) { /* what Table 38 does not list */
        test_context("opcode %02x", (unsigned)opcode);
        if (!listed[opcode])
            CHECK_EQ(rocecc_opcode_lookup((uint8_t)opcode, &c),
                     opcode < 0xc0 ? ROCECC_NO_MATCH : ROCECC_ERR_UNSUPPORTED);
    }
}

/* The set that carries data, against the table of the opcodes; and each bit of a set.
 */
TEST(bth_opcodes)
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

TEST(bth_bits)
{
    noun_bits(&bth_noun, ROCECC_BTH_BYTES);
}

/* Headers are the low 11 bits of a set: 4 + 8 + 4 + 4 + 16 + 28 + 4 + 8 + 4 + 4 + 16
 * bytes. The bits above them are none. */
TEST(bth_bits_of_no_header)
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
