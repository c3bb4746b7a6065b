/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/icmp.h"
#include "lib/fuzz.h"

FUZZ(law_icmp)
