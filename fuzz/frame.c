/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/frame.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_frame)
