/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz-flags: -O2 */
/* fuzz-max: 282 */
#include "law/flowtable.h"
#include "lib/fuzz.h"

FUZZ(law_flowtable_more)
