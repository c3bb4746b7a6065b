/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/packet.h"
#include "lib/fuzz.h"
#include "lib/mend.h"

FUZZ_FRAME(law_packet)
FUZZ_MEND(mend_packet)
