/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/backlog.h"
#include "lib/fuzz.h"

FUZZ(law_backlog)
