/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz-flags: -O2 */
/* fuzz-max: 201 */
#include "law/dcqcn_timed.h"
#include "lib/fuzz.h"

FUZZ(law_dcqcn_timed)
