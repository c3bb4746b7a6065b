/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/grh.h"
#include "lib/noun.h"

NOUN(grh, parse, false, ROCECC_GRH_FIELDS);

static const noun_file file = {"grh", law_grh, &grh_noun, 1, NULL, 0};

TEST(grh_vectors)
{
    noun_vectors(&file);
}
