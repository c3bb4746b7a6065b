/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ifa.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_ifa)
