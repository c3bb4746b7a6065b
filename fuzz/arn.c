/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/arn.h"
#include "lib/fuzz.h"

FUZZ(law_arn)
