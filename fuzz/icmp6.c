/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/icmp6.h"
#include "lib/fuzz.h"

FUZZ(law_icmp6)
