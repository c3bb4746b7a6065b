/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/packet.h"
#include "lib/fuzz.h"

FUZZ_FRAME(law_packet)
