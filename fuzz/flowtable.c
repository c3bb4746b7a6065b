/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/flowtable.h"
#include "lib/fuzz.h"

FUZZ(law_flowtable_more)
