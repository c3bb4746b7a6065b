/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/flowforget.h"
#include "lib/fuzz.h"

FUZZ(law_flowforget)
