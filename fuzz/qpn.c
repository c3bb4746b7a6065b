/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/qpn.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_qpn)
