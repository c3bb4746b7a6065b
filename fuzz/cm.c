/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/cm.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_cm)
