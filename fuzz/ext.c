/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ext.h"
#include "lib/fuzz.h"

FUZZ(law_ext)
