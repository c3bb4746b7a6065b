/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/udp.h"
#include "lib/fuzz.h"

FUZZ(law_udp)
