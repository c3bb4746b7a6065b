/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/pfc.h"
#include "lib/fuzz.h"

FUZZ(law_pfc)
