/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/flow_control.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_flow_control)
