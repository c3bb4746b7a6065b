/* SPDX-License-Identifier: BSD-2-Clause */
#define PROVE_BYTES 512
#include "law/overlay.h"
#include "prove.h"

PROVE(law_overlay)
