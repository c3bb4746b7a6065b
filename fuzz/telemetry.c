/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/telemetry.h"
#include "lib/fuzz.h"

FUZZ(law_telemetry)
