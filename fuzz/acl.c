/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/acl.h"
#include "lib/fuzz.h"

FUZZ(law_acl)
