/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * echo_edges.c - echoes whose record is not what its format says.
 */
#include "lib/guard.h"
#include "lib/test.h"
#include "rocecc/wire/echo.h"

#include <string.h>

/* An option of IOAM with its type, but not with both bytes of a Namespace-ID. */
TEST(echo_of_half_a_namespace)
{
    static const uint8_t record[5] = {0x31, 3, 0, 0, 0};
    const uint8_t *at = guard_end(record, sizeof record);
    const rocecc_ioam_config c = {0, 0, 0, false};
    rocecc_ioam_view v;
    rocecc_echo h;
    memset(&h, 0, sizeof h);
    h.format = ROCECC_ECHO_IOAM;
    h.record = rocecc_reader_of(at, at + sizeof record);
    CHECK_EQ(rocecc_echo_ioam(&c, &h, &v), ROCECC_ERR_FORMAT);
}

/* Of the kinds of IOAM only the two traces are known as a record. */
TEST(echo_of_another_ioam)
{
    uint8_t record[12] = {0x31, 10, 0, 0, 0x12, 0x34, 8, 0, 0x80};
    const rocecc_ioam_config c = {0x1234, 0, 0, false};
    unsigned type;
    for (type = 0; type < 256; type++) {
        rocecc_ioam_view v;
        rocecc_echo h;
        memset(&h, 0, sizeof h);
        h.format = ROCECC_ECHO_IOAM;
        h.record = rocecc_reader_of(record, record + sizeof record);
        record[3] = (uint8_t)type;
        test_context("IOAM-Opt-Type %u", type);
        CHECK_EQ(rocecc_echo_ioam(&c, &h, &v),
                 type <= ROCECC_IOAM_INCREMENTAL ? ROCECC_OK : ROCECC_ERR_FORMAT);
    }
}

/* A record that looks like a tag is none of an echo that names another format, or that
 * has none. */
TEST(echo_of_no_tag)
{
    static const uint8_t record[4] = {0x99, 0, 0x2b, 0x85};
    rocecc_csig_config c;
    int format;
    memset(&c, 0, sizeof c);
    c.compact_tpid = 0x9900;
    for (format = 0; format < 8; format++) {
        const bool is = format == ROCECC_ECHO_CSIG;
        rocecc_csig v;
        rocecc_echo h;
        memset(&h, 0, sizeof h);
        h.format = (uint8_t)(format & 3);
        h.truncated = format > 3;
        h.record = rocecc_reader_of(record, record + sizeof record);
        test_context("format %d", format);
        CHECK_EQ(rocecc_echo_csig(&c, &h, &v), is ? ROCECC_OK : ROCECC_NO_MATCH);
        if (is) CHECK(v.type == 1 && v.value == 23 && v.locator == 5);
    }
}
