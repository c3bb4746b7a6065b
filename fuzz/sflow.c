/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/sflow.h"
#include "lib/fuzz.h"

FUZZ(law_sflow)
