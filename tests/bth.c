/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/bth.h"
#include "lib/noun.h"

NOUN(bth, parse, false, ROCECC_BTH_FIELDS);

static const field opclass_fields[] = {
    ROCECC_OPCLASS_FIELDS(FIELD_ROW, rocecc_opclass)};
static bool listed[256]; /* opcodes that have a row */

static void call_opclass_lookup(const vec_row *row)
{
    const uint8_t opcode = (uint8_t)noun_arg(row, "opcode");
    rocecc_opclass c;
    const rocecc_status status = rocecc_opclass_lookup(opcode, &c);
    listed[opcode] = true;
    noun_check_out(row, opclass_fields, NOUN_COUNT(opclass_fields), status, &c);
}

static const noun_call calls[] = {{"opclass_lookup", call_opclass_lookup}};
static const noun_file file = {"bth", law_bth, &bth_noun, 1, calls, NOUN_COUNT(calls)};

TEST(bth_vectors)
{
    int opcode;
    rocecc_opclass c;
    noun_vectors(&file);
    for (opcode = 0; opcode < 256; opcode++) { /* what Table 38 does not list */
        test_context("opcode %02x", (unsigned)opcode);
        if (!listed[opcode])
            CHECK_EQ(rocecc_opclass_lookup((uint8_t)opcode, &c),
                     opcode < 0xc0 ? ROCECC_NO_MATCH : ROCECC_ERR_UNSUPPORTED);
    }
}

TEST(bth_bits)
{
    noun_bits(&bth_noun, ROCECC_BTH_BYTES);
}
