/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ldcp.h"
#include "lib/fuzz.h"

FUZZ(law_ldcp)
