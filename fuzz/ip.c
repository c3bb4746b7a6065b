/* SPDX-License-Identifier: BSD-2-Clause */
#include "law/ip.h"
#include "lib/fuzz.h"

FUZZ(law_ip)
