/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/overlay.h"
#include "lib/fuzz.h"

FUZZ(law_overlay)
