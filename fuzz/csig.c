/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/csig.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_csig)
