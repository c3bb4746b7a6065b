/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ecntunnel.h"
#include "lib/noun.h"
#include "lib/trace.h"

/* Arguments of a row. Encapsulation returns `outer`. */
typedef struct args {
    uint8_t mode;
    rocecc_ecn inner;
    rocecc_ecn outer;
} args;

static const field arg_fields[] = {FIELD_ROW(
    args, ENUM, mode, ECNTUNNEL_MODES) FIELD_ROW(args, ENUM, inner, ECNTUNNEL_ECNS)
                                       FIELD_ROW(args, ENUM, outer, ECNTUNNEL_ECNS)};
static const field merged_fields[] = {
    ECNTUNNEL_FIELDS(FIELD_ROW, rocecc_ecntunnel_action)};

static unsigned seen; /* table cells that have a row */

static args arguments(const vec_row *row, size_t n)
{
    args a = ROCECC_ZERO;
    size_t i, found = 0;
    for (i = 0; i < NOUN_COUNT(arg_fields); i++) {
        const char *value = vec_value(row->in, row->n_in, arg_fields[i].name);
        if (value == NULL) continue;
        CHECK(field_set(&arg_fields[i], &a, value));
        found++;
    }
    CHECK(found == n && row->n_in == n);
    return a;
}

static void call_encapsulate(const vec_row *row)
{
    const args a = arguments(row, 2);
    args out = ROCECC_ZERO;
    out.outer = rocecc_ecntunnel_encapsulate((rocecc_ecntunnel_mode)a.mode, a.inner);
    CHECK(vec_value(row->out, row->n_out, "outer") != NULL);
    noun_check_out(row, &arg_fields[2], 1, ROCECC_OK, &out);
    seen |= 1u << (16 + a.mode * 4 + a.inner);
}

static void call_decapsulate(const vec_row *row)
{
    const args a = arguments(row, 2);
    const rocecc_ecntunnel_action m = rocecc_ecntunnel_decapsulate(a.inner, a.outer);
    noun_check_out(row, merged_fields, NOUN_COUNT(merged_fields), ROCECC_OK, &m);
    seen |= 1u << (a.inner * 4 + a.outer);
}

static const noun_call calls[] = {{"ecntunnel_encapsulate", call_encapsulate},
                                  {"ecntunnel_decapsulate", call_decapsulate}};

/* Every row agrees with the tables, and every cell has a row. */
TEST(ecntunnel_vectors_cover_every_cell)
{
    const noun_file file = {"ecntunnel", law_ecntunnel, NULL,
                            0,           calls,         NOUN_COUNT(calls)};
    seen = 0;
    noun_vectors(&file);
    CHECK_EQ(seen, 0xffffff);
}

/* For every byte, the law compares both tables with the text of the RFC. */
TEST(ecntunnel_tables_agree_with_the_rfc)
{
    int x;
    for (x = 0; x < 256; x++) {
        const uint8_t b = (uint8_t)x;
        test_context("byte %d", x);
        CHECK(law_ecntunnel(rocecc_reader_of(&b, &b + 1)) != LAW_BROKEN);
    }
}

/* Only the low two bits of a field count, so no table is overrun. */
TEST(ecntunnel_uses_only_the_low_two_bits)
{
    int inner, outer;
    for (inner = 0; inner < 16; inner++)
        for (outer = 0; outer < 16; outer++) {
            const rocecc_ecntunnel_action wide =
                rocecc_ecntunnel_decapsulate((rocecc_ecn)inner, (rocecc_ecn)outer);
            const rocecc_ecntunnel_action m = rocecc_ecntunnel_decapsulate(
                (rocecc_ecn)(inner & 3), (rocecc_ecn)(outer & 3));
            test_context("inner %d, outer %d", inner, outer);
            CHECK(wide.drop == m.drop && wide.ecn == m.ecn && wide.alarm == m.alarm);
        }
}

/* The default mode, 0, is compatibility mode. */
TEST(ecntunnel_mode_0_is_compatibility_mode)
{
    const rocecc_ecntunnel_mode mode = (rocecc_ecntunnel_mode)0;
    CHECK_EQ(rocecc_ecntunnel_encapsulate(mode, ROCECC_ECN_CE), ROCECC_ECN_NOT_ECT);
}

TEST(ecntunnel_law)
{
    law_random(law_ecntunnel, 2000);
}
