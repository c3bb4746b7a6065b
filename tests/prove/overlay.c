/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 300 /* past the longest options of Geneve */
#include "law/overlay.h"
#include "prove.h"

PROVE(law_overlay)
