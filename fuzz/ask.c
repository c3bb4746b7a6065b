/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ask.h"
#include "lib/fuzz.h"

FUZZ(law_ask)
