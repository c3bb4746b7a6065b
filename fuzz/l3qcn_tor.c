/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/l3qcn_tor.h"
#include "lib/fuzz.h"

FUZZ(law_l3qcn_tor)
