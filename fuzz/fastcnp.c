/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/fastcnp.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_fastcnp)
