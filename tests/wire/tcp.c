/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/tcp.h"
#include "lib/noun.h"

NOUN(tcp, parse, false, ROCECC_TCP_FIELDS);

static const noun_file file = {"tcp", law_tcp, &tcp_noun, 1, NULL, 0};

TEST(tcp_vectors)
{
    noun_vectors(&file);
}

/* Options of 2 bytes or wide reserved bits give RANGE, even without room. */
TEST(tcp_range_precedes_space)
{
    static const uint8_t two[2] = {1, 1};
    rocecc_writer w = rocecc_writer_of(NULL, NULL);
    rocecc_tcp h = ROCECC_ZERO;
    h.options = rocecc_reader_of(NULL, NULL);
    CHECK_EQ(rocecc_tcp_emit(&w, &h), ROCECC_ERR_SPACE);
    h.reserved = 16;
    CHECK_EQ(rocecc_tcp_emit(&w, &h), ROCECC_ERR_RANGE);
    h.reserved = 0;
    h.options = rocecc_reader_of(two, two + 2);
    CHECK_EQ(rocecc_tcp_emit(&w, &h), ROCECC_ERR_RANGE);
}
