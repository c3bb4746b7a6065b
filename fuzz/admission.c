/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/admission.h"
#include "lib/fuzz.h"

FUZZ(law_admission_run)
