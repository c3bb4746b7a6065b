/* SPDX-License-Identifier: BSD-2-Clause */
#define LAW_HPCC_HOPS 5
#include "law/hpcc.h"
#include "lib/fuzz.h"

FUZZ(law_hpcc_csig)
