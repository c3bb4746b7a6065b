/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/aclindex.h"
#include "lib/fuzz.h"

FUZZ(law_aclindex)
