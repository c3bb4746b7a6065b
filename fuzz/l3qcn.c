/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/l3qcn.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_l3qcn)
