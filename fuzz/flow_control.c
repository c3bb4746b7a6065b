/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/flow_control.h"
#include "lib/fuzz.h"

FUZZ(law_flow_control)
