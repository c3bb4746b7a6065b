/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/bth.h"
#include "prove.h"

PROVE(law_bth)
