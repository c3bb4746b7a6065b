/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/abw.h"
#include "lib/fuzz.h"

FUZZ(law_abw)
