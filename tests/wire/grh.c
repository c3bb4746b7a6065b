/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/grh.h"
#include "lib/noun.h"

NOUN(grh, parse, false, ROCECC_GRH_FIELDS);

static const noun_file file = {"grh", law_grh, &grh_noun, 1, NULL, 0};

TEST(grh_vectors)
{
    noun_vectors(&file);
}

/* FlowLabel 2^20 gives RANGE, even without room for 40 bytes. */
TEST(grh_range_precedes_space)
{
    const rocecc_grh wide = {.flow_label = 0x100000};
    size_t room;
    for (room = 0; room <= ROCECC_GRH_BYTES; room++) {
        uint8_t *at = guard_end(NULL, room);
        rocecc_writer w = rocecc_writer_of(at, at + room);
        test_context("room for %zu bytes", room);
        CHECK_EQ(rocecc_grh_emit(&w, &wide), ROCECC_ERR_RANGE);
        CHECK_EQ(w.at, 0);
    }
}
