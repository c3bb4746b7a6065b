/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/pause.h"
#include "lib/fuzz.h"

FUZZ(law_pause)
