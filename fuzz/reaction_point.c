/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/reaction_point.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_reaction_point)
