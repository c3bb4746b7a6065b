/* SPDX-License-Identifier: BSD-2-Clause */
#include "algo.h"

#define NAMED(NAME, name, trace, header, enums) const char algo_name_##name[] = trace;
ROCECC_ALGORITHMS(NAMED)

#define LISTED(NAME, name, trace, header, enums) &algo_##name,
const algo *const algo_all[] = {ROCECC_ALGORITHMS(LISTED) NULL};
