/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/keyflow.h"
#include "lib/fuzz.h"

FUZZ(law_keyflow)
