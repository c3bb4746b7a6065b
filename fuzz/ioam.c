/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ioam.h"
#include "lib/fuzz.h"

FUZZ(law_ioam)
