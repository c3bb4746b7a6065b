/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/grh.h"
#include "lib/fuzz.h"

FUZZ(law_grh)
