/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/dcqcn.h"
#include "lib/fuzz.h"

FUZZ(law_dcqcn)
