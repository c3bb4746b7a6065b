/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/qpnlearner.h"
#include "lib/fuzz.h"

FUZZ(law_qpnlearner)
