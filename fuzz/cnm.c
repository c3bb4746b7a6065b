/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/cnm.h"
#include "lib/fuzz.h"

FUZZ(law_cnm)
