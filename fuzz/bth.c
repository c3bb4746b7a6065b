/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/bth.h"
#include "lib/fuzz.h"

FUZZ(law_bth)
