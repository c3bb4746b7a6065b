/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz-flags: -O2 */
#include "law/l3qcn_tor.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_l3qcn_tor)
