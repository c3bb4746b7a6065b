/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/hpcc.h"
#include "lib/fuzz.h"

FUZZ(law_hpcc_csig)
