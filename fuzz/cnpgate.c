/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/cnpgate.h"
#include "lib/fuzz.h"

FUZZ(law_cnpgate)
