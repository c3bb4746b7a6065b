/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/lsn.h"
#include "lib/fuzz.h"

FUZZ(law_lsn)
