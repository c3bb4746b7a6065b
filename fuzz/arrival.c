/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/arrival.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_arrival_any)
