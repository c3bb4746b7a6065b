/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/cnp.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_cnp)
