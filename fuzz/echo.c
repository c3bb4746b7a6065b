/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/echo.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_echo)
