/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/tokenbucket.h"
#include "lib/fuzz.h"

FUZZ(law_tokenbucket)
