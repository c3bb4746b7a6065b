/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/srv6_pe.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_srv6_pe)
