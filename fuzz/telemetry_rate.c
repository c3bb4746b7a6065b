/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/telemetry_rate.h"
#include "lib/fuzz.h"

FUZZ(law_telemetry_rate)
