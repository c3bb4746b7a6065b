/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/congestion_point.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_congestion_point)
