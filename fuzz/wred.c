/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/wred.h"
#include "lib/fuzz.h"

FUZZ(law_wred)
