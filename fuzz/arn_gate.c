/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/arn_gate.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_arn_gate)
