/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/fixed.h"
#include "lib/fuzz.h"

FUZZ(law_fixed)
