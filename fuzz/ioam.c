/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ioam.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_ioam)
