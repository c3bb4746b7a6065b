/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/qcn.h"
#include "lib/fuzz.h"

FUZZ(law_qcn)
