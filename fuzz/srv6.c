/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/srv6.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_srv6)
