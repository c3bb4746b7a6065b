/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ether.h"
#include "lib/fuzz.h"

FUZZ(law_ether)
