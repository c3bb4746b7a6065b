/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ecntunnel.h"
#include "lib/fuzz.h"

FUZZ(law_ecntunnel)
