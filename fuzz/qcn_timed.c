/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/qcn_timed.h"
#include "lib/fuzz.h"

FUZZ(law_qcn_timed)
