/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/dcqcn_deployment.h"
#include "lib/fuzz.h"

FUZZ(law_dcqcn_deployment)
