/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/intmd.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_intmd)
